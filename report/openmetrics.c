/* SPDX-License-Identifier: MIT */
/* OpenMetrics and the classic text of Prometheus: counters of slots that a monitoring system adds up, rather than
 * shares, which it could not.
 *
 * Source of the formats: the OpenMetrics specification 1.0 (ABNF), and "Exposition formats" of Prometheus' manual. In
 * OpenMetrics a family's name lacks the suffix _total or _info, which its samples have, the unit is said where the name
 * ends in it, and "# EOF" is the end; in the classic text TYPE and HELP are of the samples' name, and what is no type
 * of it is a gauge. */
#include "report/openmetrics.h"

#include "report/cgroup_name.h"
#include "report/digits.h"
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exposition {
    struct td_output *out;
    const struct td_tally *tally;
    enum td_exposition dialect;
};

enum { NAME = 96 };

/* ---- pieces ------------------------------------------------------------------------- */

/* Puts a value of a label: backslash, quote and newline are escaped. */
static void put_value(struct td_output *o, const char *text)
{
    td_output_char(o, '"');
    for (; *text; text++) {
        if (*text == '\\' || *text == '"')
            td_output_char(o, '\\');
        if (*text == '\n')
            td_output_text(o, "\\n");
        else
            td_output_char(o, *text);
    }
    td_output_char(o, '"');
}

/* Puts a label after what comes before it: '{', or a comma after other labels. */
static void put_label(struct td_output *o, char before, const char *name, const char *text)
{
    td_output_char(o, before);
    td_output_text(o, name);
    td_output_char(o, '=');
    put_value(o, text);
}

static void put_number(struct td_output *o, double value)
{
    char *at = td_output_room(o, TD_DIGITS_SHORTEST + 2);

    *at++ = ' ';
    at = td_digits_shortest(value, at);
    *at++ = '\n';
    td_output_take(o, at);
}

/* Begins a family: its type, its unit (NULL: none) and what it is. */
static void put_family(const struct exposition *e, const char *name, const char *type, const char *unit,
                       const char *help)
{
    const bool classic = e->dialect == TD_PROMETHEUS;
    const char *suffix = !classic ? "" : !strcmp(type, "counter") ? "_total" : !strcmp(type, "info") ? "_info" : "";

    if (classic && !strcmp(type, "info"))
        type = "gauge";
    td_output_format(e->out, "# TYPE %s%s %s\n", name, suffix, type);
    if (unit && !classic)
        td_output_format(e->out, "# UNIT %s %s\n", name, unit);
    td_output_format(e->out, "# HELP %s%s %s\n", name, suffix, help);
}

/* Puts the labels of a scope after '{'. */
static void put_scope(const struct exposition *e, size_t number)
{
    const struct td_scope_id *id = &e->tally->scopes.id[number];
    const bool grouped = !strcmp(id->kind, "cgroup");
    char container[NAME], unit[NAME], pod[NAME];
    const char *found;
    size_t len;

    put_label(e->out, '{', "scope", id->name);
    put_label(e->out, ',', "scope_kind", id->kind);
    put_label(e->out, ',', "cpu", e->tally->scope[number].cpu);
    if (id->core && *id->core)
        put_label(e->out, ',', "core", id->core);
    if (!grouped)
        return;
    if (td_cgroup_pod(id->name, pod, sizeof(pod)))
        put_label(e->out, ',', "pod", pod);
    if (td_cgroup_container(id->name, container, sizeof(container))) {
        put_label(e->out, ',', "container", container);
    } else if ((found = td_cgroup_unit(id->name, &len))) {
        snprintf(unit, sizeof(unit), "%.*s", (int)(len < NAME ? len : NAME - 1), found);
        put_label(e->out, ',', "unit", unit);
    }
}

/* ---- nodes ------------------------------------------------------------------------------ */

static const struct {
    const char *suffix; /* of the family's name */
    const char *help; /* %s: slots, cycles */
} parts[TD_TALLY_PARTS] = {
    [TD_TALLY_VALUE] = {"", "The %s of each top-down node."},
    [TD_TALLY_LOW] = {"_low", "The least that these %s can be, by sound bounds."},
    [TD_TALLY_HIGH] = {"_high", "The most that these %s can be, by sound bounds."},
    [TD_TALLY_LIKELY_LOW] = {"_likely_low", "The least that these %s are likely to be, where sound bounds say less."},
    [TD_TALLY_LIKELY_HIGH] = {"_likely_high", "The most that these %s are likely to be, where sound bounds say less."},
    [TD_TALLY_ABSENT] = {"_absent", "The %s of intervals in which the node has no value; its most has them too."},
};

static const char *const wholes[TD_TALLY_WHOLES] = {"slots", "cycles"};

/* Whether a node has a sample of a part: likely bounds only where they ever were others, what was absent if any, and
 * nothing else of one that never had a value, whose 0 would be taken for one. */
static bool has_part(const struct td_tally_node *n, enum td_tally_part part)
{
    switch (part) {
    case TD_TALLY_LIKELY_LOW:
    case TD_TALLY_LIKELY_HIGH: return n->valued && n->likely;
    case TD_TALLY_ABSENT: return n->part[part] > 0;
    default: return n->valued;
    }
}

static void put_part(const struct exposition *e, enum td_tally_whole whole, enum td_tally_part part)
{
    char name[NAME], help[2 * NAME];
    bool begun = false;

    snprintf(name, sizeof(name), "tdprobe_%s%s", wholes[whole], parts[part].suffix);
    snprintf(help, sizeof(help), parts[part].help, wholes[whole]);
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        for (const struct td_tally_node *n = e->tally->scope[i].node;
             n < e->tally->scope[i].node + e->tally->scope[i].n; n++) {
            char level[] = {(char)('0' + n->level), '\0'};

            if (n->whole != whole || !has_part(n, part))
                continue;
            if (!begun) /* the unit is said where the name ends in it */
                put_family(e, name, "counter", *parts[part].suffix ? NULL : wholes[whole], help);
            begun = true;
            td_output_text(e->out, name);
            td_output_text(e->out, "_total");
            put_scope(e, i);
            put_label(e->out, ',', "node", n->name);
            put_label(e->out, ',', "level", level);
            td_output_char(e->out, '}');
            put_number(e->out, n->part[part]);
        }
}

/* ---- scopes ----------------------------------------------------------------------------- */

/* Puts a sample of a scope, with one more label or none. */
static void put_of_scope(const struct exposition *e, const char *name, size_t i, const char *label, const char *text,
                         double value)
{
    td_output_text(e->out, name);
    td_output_text(e->out, "_total");
    put_scope(e, i);
    if (label)
        put_label(e->out, ',', label, text);
    td_output_char(e->out, '}');
    put_number(e->out, value);
}

static void put_wholes(const struct exposition *e, enum td_tally_whole whole)
{
    char name[NAME], help[NAME];

    snprintf(name, sizeof(name), "tdprobe_%s_all", wholes[whole]);
    snprintf(help, sizeof(help), "All %s that passed, of which nodes have parts.", wholes[whole]);
    put_family(e, name, "counter", NULL, help);
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        put_of_scope(e, name, i, NULL, NULL, e->tally->scope[i].whole[whole]);
}

static void put_times(const struct exposition *e)
{
    static const char measured[] = "tdprobe_measured_seconds", counted[] = "tdprobe_counted_seconds";

    put_family(e, measured, "counter", "seconds", "How long the scope was measured.");
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        put_of_scope(e, measured, i, NULL, NULL, e->tally->scope[i].seconds);
    put_family(e, counted, "counter", "seconds", "How long of that the counters ran; less where they were shared.");
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        put_of_scope(e, counted, i, NULL, NULL, e->tally->scope[i].counted);
}

static void put_intervals(const struct exposition *e)
{
    static const char *const standing[TD_TALLY_STANDINGS] = {"exact", "multiplexed", "partial"};
    static const char kept[] = "tdprobe_intervals", lost[] = "tdprobe_discarded_intervals";

    put_family(e, kept, "counter", NULL, "Intervals that were added up, by how far their counts can be relied on.");
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        for (int s = 0; s < TD_TALLY_STANDINGS; s++)
            put_of_scope(e, kept, i, "standing", standing[s], (double)e->tally->scope[i].intervals[s]);
    put_family(e, lost, "counter", NULL, "Intervals that were left out, by the reason.");
    for (size_t i = 0; i < e->tally->scopes.n; i++)
        for (int why = 1; why <= TD_NOT_IN_THIS_FORMULA; why++)
            if (e->tally->scope[i].discarded[why])
                put_of_scope(e, lost, i, "reason", td_status_name((enum td_status)why),
                             (double)e->tally->scope[i].discarded[why]);
}

/* ---- everything --------------------------------------------------------------------------- */

/* Puts the CPUs, each once: scopes of one kind have one mostly. */
static void put_cpus(const struct exposition *e)
{
    const struct td_tally_scope *s = e->tally->scope;

    put_family(e, "tdprobe_cpu", "info", NULL, "The CPUs that were measured, and by which formula.");
    for (size_t i = 0; i < e->tally->scopes.n; i++) {
        size_t same = 0;

        while (strcmp(s[same].cpu, s[i].cpu) || strcmp(s[same].formula, s[i].formula))
            same++;
        if (same < i)
            continue;
        td_output_text(e->out, "tdprobe_cpu_info");
        put_label(e->out, '{', "cpu", s[i].cpu);
        put_label(e->out, ',', "backend", s[i].backend);
        put_label(e->out, ',', "formula", s[i].formula);
        td_output_text(e->out, "} 1\n");
    }
}

static void put_own(const struct exposition *e, const struct td_exposition_own *own)
{
    put_family(e, own->name, own->counter ? "counter" : "gauge", NULL, own->help);
    td_output_text(e->out, own->name);
    td_output_text(e->out, own->counter ? "_total" : "");
    put_number(e->out, own->value);
}

void td_exposition_put(struct td_output *o, const struct td_tally *t, const struct td_exposition_own *own, size_t n,
                       enum td_exposition dialect)
{
    const struct exposition e = {o, t, dialect};

    put_family(&e, "tdprobe_build", "info", NULL, "The version of tdprobe.");
    td_output_text(o, "tdprobe_build_info");
    put_label(o, '{', "version", td_version());
    td_output_text(o, "} 1\n");
    put_cpus(&e);
    for (int whole = 0; whole < TD_TALLY_WHOLES; whole++) {
        put_wholes(&e, (enum td_tally_whole)whole);
        for (int part = 0; part < TD_TALLY_PARTS; part++)
            put_part(&e, (enum td_tally_whole)whole, (enum td_tally_part)part);
    }
    put_times(&e);
    put_intervals(&e);
    put_family(&e, "tdprobe_left_out_intervals", "counter", NULL, "Intervals of scopes beyond the most that are kept.");
    td_output_text(o, "tdprobe_left_out_intervals_total");
    put_number(o, (double)t->left_out);
    for (size_t i = 0; i < n; i++)
        put_own(&e, &own[i]);
    if (dialect == TD_OPENMETRICS)
        td_output_text(o, "# EOF\n");
}

/* ---- as formats of a report ----------------------------------------------------------------- */

/* Sums are what a report adds up itself: they are taken only where it has no intervals. */
static void take_result(struct td_report *r, const struct td_result *result)
{
    const bool sum = td_result_is_summary(result);

    if (!r->tally)
        r->tally = calloc(1, sizeof(*r->tally));
    if (!r->tally || (!(sum && r->tallied) && td_tally_add(r->tally, result)))
        r->out.error = -ENOMEM;
    r->tallied = r->tallied || !sum;
}

static void put_report(struct td_report *r, enum td_exposition dialect)
{
    static const struct td_tally none;

    if (!r->out.error)
        td_exposition_put(&r->out, r->tally ? r->tally : &none, NULL, 0, dialect);
    if (r->tally)
        td_tally_free(r->tally);
    free(r->tally);
    r->tally = NULL;
}

static void openmetrics_end(struct td_report *r, const struct td_outcome *e)
{
    (void)e;
    put_report(r, TD_OPENMETRICS);
}

static void prometheus_end(struct td_report *r, const struct td_outcome *e)
{
    (void)e;
    put_report(r, TD_PROMETHEUS);
}

const struct td_report_format td_report_openmetrics = {
    .name = "openmetrics", .page = true, .result = take_result, .end = openmetrics_end};
const struct td_report_format td_report_prometheus = {
    .name = "prometheus", .page = true, .result = take_result, .end = prometheus_end};
