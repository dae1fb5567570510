/* SPDX-License-Identifier: MIT */
#include "private/result.h"
#include "report/tree_view.h"

#include "advice/advice.h"
#include "advice/target.h"
#include "report/columns.h"
#include "report/flags.h"
#include "report/tree_rows.h"
#include "report/verdict_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MISSING = 4 /* most events that one line names */ };

static void put_verdict(struct td_output *o, const struct td_verdict *v, const struct td_result *r, int indent)
{
    char text[TD_VERDICT_TEXT];

    td_put_blanks(o, indent - 2);
    td_output_text(o, "=> ");
    td_output_text(o, td_verdict_line(v, r, text));
    td_output_char(o, '\n');
}

static bool lacks_event(const struct td_metric *m)
{
    return m->status == TD_MISSING_EVENT && m->event;
}

/* Whether the i-th metric, which lacks an event, is the first that lacks this one. */
static bool is_first_missing(const struct td_result *r, size_t i, const struct td_metric *m)
{
    while (i-- > 0) {
        const struct td_metric *before = td_result_metric(r, i);

        if (lacks_event(before) && !strcmp(before->event, m->event))
            return false;
    }
    return true;
}

/* Which events have been met, by their hashes: many metrics lack the same one. */
struct met {
    const char *event[1024]; /* NULL: none */
    size_t n;
};

/* FNV-1a of eight bytes at a time. */
static uint64_t hash_of(const char *text)
{
    static const uint64_t factor = UINT64_C(0x100000001b3);
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    size_t n = strlen(text);

    for (; n >= sizeof(word); n -= sizeof(word), text += sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    for (; n; n--)
        hash = (hash ^ (unsigned char)*text++) * factor;
    return hash ^ hash >> 32;
}

/* Whether the i-th metric lacks an event, of that hash, that no metric before it lacks. Asked of one metric after the
 * other. */
static bool is_new(struct met *met, const struct td_result *r, size_t i, const struct td_metric *m, uint64_t hash)
{
    enum { SLOTS = sizeof(met->event) / sizeof(*met->event) };
    uint64_t at;

    if (met->n == SLOTS / 2)
        return is_first_missing(r, i, m);
    for (at = hash % SLOTS; met->event[at]; at = (at + 1) % SLOTS)
        if (met->event[at] == m->event || !strcmp(met->event[at], m->event))
            return false;
    met->event[at] = m->event;
    met->n++;
    return true;
}

/* The first level below level 1 of which nothing was recorded; 0: there is none. */
static int missing_level(const struct td_result *r)
{
    for (int level = TD_LEVEL_TOP + 1; level <= TD_LEVELS; level++) {
        bool any = false, all = true;

        for (size_t i = 0; i < td_result_metrics(r); i++) {
            const struct td_metric *m = td_result_metric(r, i);

            if (m->level != level || m->status == TD_NOT_ON_THIS_CPU || m->status == TD_NOT_IN_THIS_FORMULA)
                continue;
            any = true;
            all = all && m->status == TD_MISSING_EVENT;
        }
        if (any && all)
            return level;
    }
    return 0;
}

/* Puts what a deep tree leaves out, and what it must not be taken for. */
static void put_depth(struct td_output *o, const struct td_tree_view *v, int indent)
{
    if (v->mixed) {
        td_put_blanks(o, indent);
        td_output_text(o,
                       "shares of cycles, core cycles, stalls and uops rank; they do not add up to the node above\n");
    }
    if (v->hidden) {
        td_put_blanks(o, indent);
        td_output_format(o, "%zu %s below %s not shown: --all\n", v->hidden, v->hidden == 1 ? "node" : "nodes",
                         v->hidden == 1 ? "its threshold is" : "their thresholds are");
    }
}

/* The metrics above a level (0: all) that lack an event, and how many different events these lack. */
struct lacking {
    struct lacks {
        const struct td_metric *metric;
        uint64_t hash; /* the event's */
        bool first; /* that lacks this event, of all metrics */
    } * of; /* NULL: memory is out */
    size_t metrics, events;
    int deepest; /* the deepest level of these metrics */
};

static struct lacking find_lacking(const struct td_result *r, int level)
{
    const size_t all = td_result_metrics(r);
    struct lacking n = {.of = malloc((all + 1) * sizeof(*n.of)), .deepest = level};
    struct met met = {.n = 0};

    for (size_t i = 0; i < all && n.of; i++) {
        const struct td_metric *m = td_result_metric(r, i);
        uint64_t hash;
        bool first;

        if (!lacks_event(m))
            continue;
        hash = hash_of(m->event);
        first = is_new(&met, r, i, m, hash);
        if (level && m->level >= level)
            continue;
        n.of[n.metrics++] = (struct lacks){m, hash, first};
        n.events += first;
        n.deepest = m->level > n.deepest ? m->level : n.deepest;
    }
    return n;
}

/* Puts the metrics that need the event of the first-th. */
static void put_disabled(struct td_output *o, const struct lacking *n, size_t first)
{
    const struct lacks *event = &n->of[first];
    const char *between = " disables ";

    td_output_text(o, event->metric->event);
    for (size_t i = first; i < n->metrics; i++) {
        const struct td_metric *m = n->of[i].metric;

        if (n->of[i].hash != event->hash || strcmp(m->event, event->metric->event) != 0)
            continue;
        td_output_text(o, between);
        td_output_text(o, m->name);
        between = ", ";
    }
}

static void put_each_missing(struct td_output *o, const struct lacking *n)
{
    const char *between = "not recorded: ";

    for (size_t i = 0; i < n->metrics; i++) {
        if (!n->of[i].first)
            continue;
        td_output_text(o, between);
        put_disabled(o, n, i);
        between = "; ";
    }
}

/* Puts in one line what was not recorded, and the command that prints how to record it. Deeper levels
 * lack too many events to be named. */
static void put_missing(struct td_report *report, const struct td_result *r, int indent)
{
    struct td_output *o = &report->out;
    /* for a branch the program itself says what to record for more */
    const int level = report->branch ? TD_LEVEL_USUAL + 1 : missing_level(r);
    const char *cpu = td_result_cpu(r);
    const struct lacking n = find_lacking(r, level);
    const int deepest = n.deepest;
    char name[TD_ADVICE_TARGET], names[TD_ADVICE_TARGET];
    const bool any = n.events > 0, whole = level && !report->branch;

    if (!n.of)
        o->error = -ENOMEM;
    if (any)
        td_put_blanks(o, indent);
    if (n.events > NAMED_MISSING && deepest > TD_LEVEL_USUAL)
        td_output_format(o, "not recorded: %zu events of %zu metrics", n.events, n.metrics);
    else
        put_each_missing(o, &n);
    if (whole && !any)
        td_put_blanks(o, indent);
    if (whole)
        td_output_format(o, "%slevel %d%s", any ? "; " : "", level, any ? "" : " not recorded");
    if (any || whole)
        td_output_format(o, "; tdprobe perf-command --uarch %s --level %d%s prints what to record%s\n",
                         td_advice_uarch(cpu, name), deepest > 2 && !report->branch ? deepest : 2,
                         report->no_fixed ? " --no-fixed" : "", td_advice_names(cpu, names));
    free(n.of);
}

static void put_counts(struct td_output *o, const struct td_result *r, int indent)
{
    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count c = *td_result_count(r, i);

        td_put_blanks(o, indent);
        if (c.status == TD_OK)
            td_put_fixed(o, c.value, 0, 20);
        else
            td_output_format(o, "%20s", td_status_name(c.status));
        td_put_name(o, c.event);
        td_output_char(o, '\n');
    }
}

/* The command that samples a node, if it is the same on each CPU that fits; false: it is not, or none is known. */
static bool command_of(const struct td_result *result, const char *node, char command[TD_ADVICE_COMMAND])
{
    char cpu[TD_ADVICE_TARGET], other[TD_ADVICE_COMMAND], modes[TD_RESULT_MODES];
    const char *at = td_result_cpu(result), *got;
    bool first = true;

    td_result_modes(result, modes);
    for (;; at++) {
        const size_t n = strcspn(at, "|");
        const struct td_uarch *u;

        snprintf(cpu, sizeof(cpu), "%.*s", (int)n, at);
        u = td_result_core(result) ? td_uarch_by_name(cpu) : NULL;
        got = td_advice_command(node, td_result_backend(result), cpu, u ? td_uarch_pmu(u) : NULL, modes,
                                first ? command : other);
        if (!got || (!first && strcmp(command, other)))
            return false;
        first = false;
        at += n;
        if (!*at)
            return true;
    }
}

char *td_tree_command_text(struct td_report *r, const struct td_result *result, const char *node, size_t width)
{
    const char *cpu = td_result_cpu(result), *target = r->target;
    char command[TD_ADVICE_COMMAND], counted[TD_ADVICE_TARGET], name[TD_ADVICE_TARGET], names[TD_ADVICE_TARGET];
    const bool known = command_of(result, node, command);
    char *text = NULL;
    int n;

    if (!known && !strchr(cpu, '|'))
        return NULL;
    if (!target)
        target = td_advice_target(td_result_scope_kind(result), td_result_scope(result), r->recorded, counted);
    if (known && (!width || strlen(command) + 1 + strlen(target) <= width))
        n = asprintf(&text, "%s %s", command, target);
    else
        n = asprintf(&text, "tdprobe explain %s --uarch %s%s", node, td_advice_uarch(cpu, name),
                     td_advice_names(cpu, names));
    if (n >= 0)
        return text;
    r->out.error = -ENOMEM;
    return NULL;
}

void td_tree_command(struct td_report *r, const struct td_result *result, const char *node)
{
    const int indent = TD_TREE_MARGIN + 1;
    char *text =
        td_tree_command_text(r, result, node, r->width > (unsigned)indent ? r->width - (unsigned)indent : r->width > 0);

    if (!text)
        return;
    td_put_blanks(&r->out, indent);
    td_output_text(&r->out, text);
    td_output_char(&r->out, '\n');
    free(text);
}

/* Puts what the verdict's node means, and what to do next. */
static void put_next(struct td_report *r, const struct td_result *result)
{
    const struct td_metric *node = r->verdict.node;
    const struct td_advice *a = node ? td_advice_find(node->name, td_result_backend(result)) : NULL;

    if (!a)
        return;
    td_put_blanks(&r->out, TD_TREE_MARGIN + 1);
    td_output_format(&r->out, "%s: %s\n", node->name, a->brief);
    td_tree_command(r, result, node->name);
}

/* Puts which counts contradict each other, where values that rest on them are shown all the same. */
static void put_contradictions(struct td_output *o, const struct td_result *r, int indent)
{
    const char *text;

    for (size_t i = 0; td_result_flags(r) & TD_FLAG_COUNTS_DOUBTFUL && (text = td_result_contradiction(r, i)); i++) {
        td_put_blanks(o, indent);
        td_output_format(o, "%s\n", text);
    }
}

void td_tree_remarks(struct td_report *r, const struct td_tree_view *v, const struct td_result *result)
{
    const int indent = TD_TREE_MARGIN;

    put_depth(&r->out, v, indent);
    if (r->counts)
        put_counts(&r->out, result, indent);
    put_missing(r, result, indent);
    td_marks_most(r, v, result);
    td_marks_below(r, &v->flags);
    put_contradictions(&r->out, result, indent);
}

void td_tree_notes(struct td_report *r, const struct td_tree_view *v, const struct td_result *result)
{
    td_tree_remarks(r, v, result);
    put_verdict(&r->out, &r->verdict, result, TD_TREE_MARGIN);
    put_next(r, result);
}
