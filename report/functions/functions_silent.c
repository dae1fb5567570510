/* SPDX-License-Identifier: MIT */
/* Why no place has a value. */
#include "report/flags.h"
#include "report/functions/functions_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- no interval at all ------------------------------------------------------------- */

/* Tells what there was instead of intervals between two samples. */
static void tell_no_interval(const struct td_functions_report *r, char *buf)
{
    const uint64_t lost = r->functions->left[TD_START_LOST].n, held = r->functions->left[TD_START_THROTTLED].n;

    if (lost || held)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "each interval between two samples has %s%s%s in it and is left out: record at a lower rate "
                 "(perf record -F)",
                 lost ? "lost samples" : "", lost && held ? ", or " : "",
                 held ? "a time in which the kernel held samples back" : "");
    else if (r->about.still)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "it holds no interval between two samples in which anything was counted: %" PRIu64
                 " counted nothing since the one before",
                 r->about.still);
    else
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "it holds no interval between two samples: record for longer, or at a higher rate (perf record -F)");
}

/* ---- intervals without a value ------------------------------------------------------- */

/* A metric that no interval of the place has a value of, and why; NULL: at least one has a value. */
static const struct td_metric *absent_from(const struct td_function *f)
{
    const struct td_metric *why = NULL;

    for (size_t i = 0; i < f->of->metrics; i++) {
        if (!isnan(td_function_naive(f, i)))
            return NULL;
        if (!why || (why->status == TD_NOT_COUNTED && f->of->metric[i]->status != TD_NOT_COUNTED))
            why = f->of->metric[i];
    }
    return why;
}

/* A metric that no interval of any place has a value of, and why; NULL: one has a value. */
static const struct td_metric *absent_from_all(const struct td_functions *f)
{
    const struct td_metric *why = NULL;

    for (size_t i = 0; i < f->n; i++) {
        const struct td_metric *m = absent_from(f->function[i]);

        if (!m && f->function[i]->of->metrics)
            return NULL;
        if (m && (!why || why->status == TD_NOT_COUNTED))
            why = m;
    }
    return why;
}

/* Writes "retiring is impossible" and the like. */
static void tell_absent(const struct td_functions *f, const struct td_metric *m, char *buf)
{
    char text[TD_STATUS_TEXT];

    if (m->status == TD_NOT_COUNTED) /* only sums of pure intervals would say why, and there are none */
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "no %s has a value: no interval between two samples has one; 'tdprobe replay' shows why", f->kind);
    else
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "no %s has a value: no interval between two samples has one: %s: %s; 'tdprobe replay' shows each",
                 f->kind, m->name, td_status_text(m, text));
}

/* ---- too few samples ------------------------------------------------------------------- */

static void tell_samples(const struct td_functions_report *r, char *buf)
{
    static const char by_dso[] = "; '--by dso' puts more of them together",
                      by_function[] = "; '--by function' puts more of them together";
    const char *const nearer =
        r->about.paired ? "closer pairs may resolve it" : "record at a higher rate (perf record -F)";
    const struct td_functions *f = r->functions;
    size_t few = 0, smeared = 0;

    for (size_t i = 0; i < f->n; i++) {
        few += f->function[i]->status == TD_PLACE_FEW_SAMPLES;
        smeared += f->function[i]->status == TD_PLACE_SMEARED;
    }
    snprintf(buf, TD_FUNCTIONS_TEXT, "no %s has a value: the samples are %s%s%s", f->kind,
             !smeared ? "too few: record for longer"
             : !few   ? "too far apart: "
                      : "too few in some and too far apart in others: record for longer, and ",
             smeared ? nearer : "",
             !strcmp(f->kind, "function")  ? by_dso
             : !strcmp(f->kind, "address") ? by_function
                                           : "");
}

const char *td_functions_silent(const struct td_functions_report *r, char buf[TD_FUNCTIONS_TEXT])
{
    const struct td_metric *absent;

    if (!r->functions->n) {
        tell_no_interval(r, buf);
        return buf;
    }
    absent = absent_from_all(r->functions);
    if (absent)
        tell_absent(r->functions, absent, buf);
    else
        tell_samples(r, buf);
    return buf;
}
