/* SPDX-License-Identifier: MIT */
/* The formats of reports. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

/* Each is defined in the file of its name, tree in text.c. */
#define FORMATS(each) \
    each(text) each(tree) each(csv) each(json) each(html) each(chrome) each(openmetrics) each(prometheus)

#define DECLARE(name) extern const struct td_report_format td_report_##name;
FORMATS(DECLARE)

#define ENTER(name) &td_report_##name,
static const struct td_report_format *const formats[] = {FORMATS(ENTER)};

const struct td_report_format *td_report_format_at(size_t i)
{
    return i < sizeof(formats) / sizeof(*formats) ? formats[i] : NULL;
}

const struct td_report_format *td_report_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (!strcmp(formats[i]->name, name))
            return formats[i];
    return NULL;
}

static const struct td_report_format *format_of(const struct td_report *r)
{
    return r->format ? r->format : formats[0];
}

void td_report_begin(struct td_report *r)
{
    if (format_of(r)->begin)
        format_of(r)->begin(r);
}

/* The first flag of the first value that has one, or NULL. */
static const char *flag_of(const struct td_result *result)
{
    unsigned flags = td_result_flags(result) & (TD_FLAG_CPUS_CHANGED | TD_FLAG_OTHER_WIDTH);

    for (size_t i = 0; !flags && i < td_result_metrics(result); i++)
        if (td_result_metric(result, i)->status == TD_OK)
            flags = td_result_metric(result, i)->flags;
    return flags ? td_flag_name(flags & -flags) : NULL;
}

/* Counts what --strict and --min-coverage ask for. */
static void count_doubts(struct td_report *r, const struct td_result *result)
{
    const double coverage = td_result_coverage(result);
    const char *flag = flag_of(result);

    r->flagged += flag != NULL;
    r->first_flag = r->first_flag ? r->first_flag : flag;
    if (isnan(coverage))
        r->uncovered++;
    else if (!r->covered++ || coverage < r->coverage)
        r->coverage = coverage;
}

static void count_result(struct td_report *r, const struct td_result *result)
{
    const struct td_verdict *v = &r->verdict;

    if (!r->results++)
        snprintf(r->cpu, sizeof(r->cpu), "%s", td_result_cpu(result));
    r->valued += !v->no_values;
    r->judged += !v->no_values && v->remedy != TD_REMEDY_DOCTOR;
    if (!v->no_values)
        count_doubts(r, result);
    r->lies = r->lies || v->remedy == TD_REMEDY_DOCTOR;
    for (size_t i = 0; v->no_values && i < td_result_metrics(result); i++) {
        const enum td_status status = td_result_metric(result, i)->status;

        r->lies = r->lies || status == TD_IMPOSSIBLE;
        r->uncounted = r->uncounted || status == TD_NOT_COUNTED || status == TD_NOT_SUPPORTED;
    }
}

void td_report_again(struct td_report *r)
{
    if (format_of(r)->again)
        format_of(r)->again(r);
}

void td_report_result(struct td_report *r, const struct td_result *result)
{
    r->verdict = *td_result_verdict(result);
    count_result(r, result);
    if (format_of(r)->result)
        format_of(r)->result(r, result);
}

void td_report_repeat(struct td_report *r, const struct td_repeat *repeat)
{
    if (format_of(r)->repeat)
        format_of(r)->repeat(r, repeat);
}

void td_report_bench(struct td_report *r, const struct td_bench *bench)
{
    if (format_of(r)->bench)
        format_of(r)->bench(r, bench);
}

void td_report_finding(struct td_report *r, const struct td_finding *finding)
{
    if (format_of(r)->finding)
        format_of(r)->finding(r, finding);
}

void td_report_diagnosis(struct td_report *r, int code, const char *text)
{
    if (format_of(r)->diagnosis)
        format_of(r)->diagnosis(r, code, text);
}

void td_report_error(struct td_report *r, int code, const char *text)
{
    if (format_of(r)->error)
        format_of(r)->error(r, code, text);
}

void td_report_end(struct td_report *r, const struct td_outcome *outcome)
{
    if (format_of(r)->end)
        format_of(r)->end(r, outcome);
}
