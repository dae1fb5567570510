/* SPDX-License-Identifier: MIT */
/* What the formats of comparisons share: where blocks of rows begin, and what is said in words. */
#include "report/compare/comparison_report.h"

#include "advice/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool td_comparison_begins(const struct td_comparison *c, size_t i)
{
    const struct td_difference *d = &c->row[i], *before = d - 1;

    return !i || d->side != before->side || d->scope != before->scope || d->core != before->core;
}

const char *td_difference_scope(const struct td_difference *d, char buf[TD_NOTE_TEXT])
{
    snprintf(buf, TD_NOTE_TEXT, "%s%s%s%s%s%s%s%s", d->scope, d->core ? " " : "", d->core ? d->core : "",
             d->namesake ? " (" : "", d->namesake ? d->kind : "", d->namesake ? ")" : "", d->other ? " and " : "",
             d->other ? d->other : "");
    return buf;
}

static bool is_time(const struct td_difference *d)
{
    return d->total && !strcmp(d->unit, "s");
}

const char *td_value_text(const struct td_difference *d, double value, char buf[64])
{
    if (isnan(value))
        snprintf(buf, 64, "-");
    else if (d->share)
        snprintf(buf, 64, "%.1f %%", 100 * value);
    else
        snprintf(buf, 64, "%.4g %s", value, d->unit);
    return buf;
}

/* A difference in the unit in which it is shown: points of a share, else percent of side a. */
static double change(const struct td_difference *d, double diff)
{
    return d->share ? 100 * diff : d->a.value != 0 ? 100 * diff / fabs(d->a.value) : (double)NAN;
}

const char *td_change_text(const struct td_difference *d, char buf[64])
{
    const double by = change(d, d->diff.value);

    if (isnan(by))
        snprintf(buf, 64, "%+.4g", d->diff.value);
    else
        snprintf(buf, 64, "%+.1f %s", by, d->share ? "points" : "%");
    return buf;
}

const char *td_change_bounds(const struct td_difference *d, char buf[64])
{
    const double low = change(d, d->diff.low), high = change(d, d->diff.high);

    *buf = '\0';
    if (!isnan(low) && !isnan(high))
        snprintf(buf, 64, "%+.1f .. %+.1f %s", low, high, d->share ? "points" : "%");
    return buf;
}

/* Whether b is better or worse, where that is clear: a greater share of fewer slots, or a smaller one of more, need not
 * be what it seems. */
static const char *judgement(const struct td_difference *d)
{
    const bool more = d->call == TD_CALL_MORE;

    if (d->direction == TD_DIRECTION_UNCLEAR)
        return "";
    if (d->direction == TD_DIRECTION_BAD && !more && d->saved <= 0)
        return ": a smaller share of more slots, no gain";
    if (d->direction == TD_DIRECTION_BAD && more && d->saved >= 0)
        return ": a larger share of fewer slots";
    return more == (d->direction == TD_DIRECTION_GOOD) ? ": better" : ": worse";
}

const char *td_difference_word(const struct td_difference *d, const struct td_comparison *c, char buf[TD_NOTE_TEXT])
{
    if (d->call == TD_CALL_SAME)
        snprintf(buf, TD_NOTE_TEXT, "same, within %.3g %s", 100 * c->set.margin, d->share ? "pp" : "%");
    else if (d->call != TD_CALL_UNKNOWN)
        snprintf(buf, TD_NOTE_TEXT, "%s%s", td_call_name(d->call), judgement(d));
    else if (d->basis == TD_BASIS_NONE)
        snprintf(buf, TD_NOTE_TEXT,
                 d->equal   ? "equal values on each side: no scatter to judge by"
                 : d->total ? "one recording a side"
                            : "no bounds");
    else
        snprintf(buf, TD_NOTE_TEXT, "no difference shown");
    return buf;
}

/* ---- in a sentence ---------------------------------------------------------------------- */

static bool same_block(const struct td_difference *a, const struct td_difference *b)
{
    return a->side == b->side && a->scope == b->scope && a->core == b->core;
}

static bool differs(const struct td_difference *d)
{
    return d->call == TD_CALL_MORE || d->call == TD_CALL_LESS;
}

/* The share that differs most, on the deepest level where one differs; only one that costs more, or with costs false,
 * less. NULL: there is none. */
static const struct td_difference *largest(const struct td_comparison *c, size_t first, bool costs)
{
    const struct td_difference *best = NULL;

    for (size_t i = first; i < c->n && same_block(&c->row[i], &c->row[first]); i++) {
        const struct td_difference *d = &c->row[i];

        if (!d->share || d->direction != TD_DIRECTION_BAD || !differs(d) || (d->call == TD_CALL_MORE) != costs)
            continue;
        if (!best || d->level > best->level ||
            (d->level == best->level && fabs(d->diff.value) > fabs(best->diff.value)))
            best = d;
    }
    return best;
}

/* Writes "b is 12.9 % slower", as far as the time is known. Returns whether b takes longer. */
static bool put_time(const struct td_difference *d, const struct td_comparison *c, char *buf, size_t size)
{
    const double by = d ? change(d, d->diff.value) : (double)NAN;

    if (isnan(by))
        snprintf(buf, size, "b");
    else if (d->basis == TD_BASIS_NONE && fabs(by) < 0.05)
        snprintf(buf, size, "b took the same time");
    else if (d->basis == TD_BASIS_NONE)
        snprintf(buf, size, "b took %.1f %% %s time", fabs(by), by < 0 ? "less" : "more");
    else if (differs(d))
        snprintf(buf, size, "b is %.1f %% %s", fabs(by), by < 0 ? "faster" : "slower");
    else if (d->call == TD_CALL_SAME)
        snprintf(buf, size, "b takes the same time, within %.3g %%", 100 * c->set.margin);
    else
        snprintf(buf, size, "b is not shown to take more or less time");
    return by >= 0;
}

const char *td_comparison_sentence(const struct td_comparison *c, size_t first, char buf[TD_NOTE_TEXT])
{
    const struct td_difference *time = NULL, *more = largest(c, first, true), *less = largest(c, first, false), *node;
    char text[128], by[64];
    bool slower;

    for (size_t i = first; i < c->n && same_block(&c->row[i], &c->row[first]); i++)
        time = is_time(&c->row[i]) ? &c->row[i] : time;
    slower = put_time(time, c, text, sizeof(text));
    node = !time || slower ? (more ? more : less) : less ? less : more;
    if (node)
        snprintf(buf, TD_NOTE_TEXT, "%s: %s %s", text, node->metric, td_change_text(node, by));
    else
        snprintf(buf, TD_NOTE_TEXT, "%s: no node is shown to differ", text);
    return buf;
}

static void tell_bounds(const struct td_comparison *c, char *buf)
{
    if (c->family)
        snprintf(buf, TD_NOTE_TEXT,
                 "each call follows from the bounds in its row, which are wider by Holm's method for the %zu "
                 "values compared: a wrong call in at most %.0f of 100 comparisons; seed %lu",
                 c->family, 100 * (1 - c->set.confidence), c->set.seed);
    else
        snprintf(buf, TD_NOTE_TEXT,
                 "one value a side, with sound bounds: what differs between these recordings, "
                 "which need not differ between others");
}

static void tell_cpus(const struct td_comparison *c, char *buf)
{
    snprintf(buf, TD_NOTE_TEXT,
             "the recordings are of different CPUs, %s and %s: nodes are compared by their names, "
             "which need not mean quite the same",
             c->cpu_a, c->cpu_b);
}

static bool any_unbounded(const struct td_comparison *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->row[i].unbounded)
            return true;
    return false;
}

static void tell_unbounded(char *buf)
{
    snprintf(buf, TD_NOTE_TEXT,
             "some values have no bounds of their own ('tdprobe replay --summary-only' says why): "
             "their bounds here are of what scatters, not of an error that is the same in all intervals");
}

static void tell_lone(const struct td_comparison *c, char *buf)
{
    snprintf(buf, TD_NOTE_TEXT, "only one side has %s%s%.0zu%s, which cannot be compared", c->lone_scope,
             c->lone > 1 ? " and " : "", c->lone - 1,
             c->lone > 2   ? " other scopes"
             : c->lone > 1 ? " other scope"
                           : "");
}

static void tell_course(const struct td_comparison *c, const struct td_course *s, char *buf)
{
    if (s->trend)
        snprintf(buf, TD_NOTE_TEXT, "%s, %s: %s has a trend, from %.1f to %.1f %%", c->side[s->side].name, s->scope,
                 s->metric, 100 * s->before, 100 * s->after);
    else
        snprintf(buf, TD_NOTE_TEXT, "%s, %s: %s has two phases, %.1f %% and from interval %zu on %.1f %%",
                 c->side[s->side].name, s->scope, s->metric, 100 * s->before, s->change + 1, 100 * s->after);
}

/* Whether a side is one recording of a program that changes during it, so that another recording of it may be quite
 * different. */
static bool changes_in_one(const struct td_comparison *c)
{
    for (size_t i = 0; i < c->courses; i++)
        if (c->side[c->course[i].side].n == 1)
            return true;
    return false;
}

/* Writes "app*.trace" for "app.trace", for a shell; other, where the name has what a shell would not take as it is. */
static void put_all_like(const char *name, const char *other, char *buf, size_t size)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    const int n = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));

    if (*name == '-' || !td_advice_plain(name))
        snprintf(buf, size, "%s*.trace", other);
    else
        snprintf(buf, size, "%.*s*%s", n, name, name + n);
}

static void tell_more(const struct td_comparison *c, char *buf)
{
    char a[160], b[160];

    put_all_like(c->side[0].name, "a", a, sizeof(a));
    put_all_like(c->side[1].name, "b", b, sizeof(b));
    snprintf(
        buf, TD_NOTE_TEXT,
        "%s changes within one recording, so that another of the same program may differ as much: make five of each: "
        "tdprobe compare %s --vs %s",
        c->course[0].metric, a, b);
}

const char *td_comparison_note(const struct td_comparison *c, size_t i, char buf[TD_NOTE_TEXT])
{
    const bool cpus = c->cpu_a, lone = c->lone, unbounded = any_unbounded(c);
    const size_t first = 1u + cpus + lone + unbounded;

    if (i == 0)
        tell_bounds(c, buf);
    else if (i == 1 && cpus)
        tell_cpus(c, buf);
    else if (i == 1u + cpus && lone)
        tell_lone(c, buf);
    else if (i == 1u + cpus + lone && unbounded)
        tell_unbounded(buf);
    else if (i - first < c->courses)
        tell_course(c, &c->course[i - first], buf);
    else if (i - first == c->courses && changes_in_one(c))
        tell_more(c, buf);
    else
        return NULL;
    return buf;
}

const char *td_gate_line(const struct td_gate *g, char buf[TD_NOTE_TEXT])
{
    char change_text[64], bounds[64], scope[TD_NOTE_TEXT];
    const int n = snprintf(buf, TD_NOTE_TEXT, "--fail-if '%s' %s", g->text, td_gate_answer_name(g->answer));
    const size_t room = TD_NOTE_TEXT - (size_t)n;

    if (g->row)
        snprintf(buf + n, room, ": %s: %s %s (%s)", td_difference_scope(g->row, scope), g->metric,
                 td_change_text(g->row, change_text), *td_change_bounds(g->row, bounds) ? bounds : "no bounds");
    else if (g->verdict)
        snprintf(buf + n, room, ": %s%s%s%s: %s, then %s", g->verdict->scope, g->verdict->kind ? " (" : "",
                 g->verdict->kind ? g->verdict->kind : "", g->verdict->kind ? ")" : "",
                 g->verdict->a ? g->verdict->a : "undecided", g->verdict->b ? g->verdict->b : "undecided");
    else
        snprintf(buf + n, room, ": the recordings have no %s in common", *g->metric ? g->metric : "verdict");
    return buf;
}
