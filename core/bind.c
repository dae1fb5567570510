/* SPDX-License-Identifier: MIT */
/* Which copies of its events a metric uses, when a recording has several. */
#include "solver.h"

#include <math.h>

static bool in_set(uint64_t set, unsigned event)
{
    return set >> event & 1;
}

static bool same_group(const struct td_count *c, unsigned group, unsigned modes)
{
    return c->group == group && c->modes == modes;
}

static long size_of(uint64_t set)
{
    long n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

/* How well a group serves: what it has of the needed events, of the
 * corrections, and how little besides. An event that stands twice counts once. */
static long score(const struct td_counts *k, const struct td_count *of, uint64_t needs, uint64_t corrections)
{
    uint64_t has = 0, counted = 0;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];

        if (!same_group(c, of->group, of->modes))
            continue;
        has |= UINT64_C(1) << c->event;
        if (c->status == TD_OK)
            counted |= UINT64_C(1) << c->event;
    }
    return (size_of(counted & needs) * (TD_EVENTS_MAX + 1) + size_of(counted & corrections)) * (TD_EVENTS_MAX + 1) - size_of(has);
}

/* True when copy i is better than copy best: counted rather than not, in the
 * group rather than outside it, by its own name rather than as "cycles" (which
 * perf counts for itself, not for a metric), earlier rather than later. */
static bool better(const struct td_binding *b, size_t i, int best)
{
    const struct td_count *c = &b->counts->c[i], *old;
    bool ok, old_ok, in, old_in;

    if (best < 0)
        return true;
    old = &b->counts->c[best];
    ok = c->status == TD_OK, old_ok = old->status == TD_OK;
    if (ok != old_ok)
        return ok;
    in = same_group(c, b->group, b->modes), old_in = same_group(old, b->group, b->modes);
    if (in != old_in)
        return in;
    return old->generic && !c->generic;
}

/* Where perf takes the copy of an event from for a metric that it prints on a
 * line, best first. Found in real recordings, of which it reproduces every metric
 * with several copies: perf's groups are not printed, but the events of one have
 * the same share of the time, and those that two metrics share stand where the
 * first of them was opened. */
enum place {
    ON_THE_LINE,
    IN_ITS_GROUP, /* the same segment, and the same share of the time, unless that is all of it */
    LATER_FREE, /* no metric is printed on it */
    LATER,
    EARLIER, /* the last of them */
    PERFS_OWN = EARLIER + 1 - LATER_FREE, /* more: "cycles" outside of the group, see better() */
    NOT_COUNTED = EARLIER + 1 + PERFS_OWN,
};

/* Half of the last digit that perf prints of a share */
#define SAME_SHARE 5e-5

static double share(const struct td_count *c)
{
    return c->enabled > 0 ? c->running / c->enabled : 1;
}

/* A sum may have got copies of an early group last. */
static bool is_later(const struct td_count *c, const struct td_count *other)
{
    return c->group == other->group ? c > other : c->group > other->group;
}

static int place_of(const struct td_count *c, const struct td_count *line)
{
    int own = c->generic ? PERFS_OWN : 0;

    if (c->status != TD_OK)
        return NOT_COUNTED;
    if (c == line)
        return ON_THE_LINE;
    if (c->group == line->group && share(line) < 1 && fabs(share(c) - share(line)) < SAME_SHARE)
        return IN_ITS_GROUP;
    if (!is_later(c, line))
        return EARLIER + own;
    return (c->printed ? LATER : LATER_FREE) + own;
}

/* Like better(), by where the metric is printed. */
static bool nearer(const struct td_binding *b, size_t i, int best)
{
    const struct td_count *c = &b->counts->c[i], *line = &b->counts->c[b->line], *old;
    int place, old_place;

    if (best < 0)
        return true;
    old = &b->counts->c[best];
    place = place_of(c, line), old_place = place_of(old, line);
    if (place != old_place)
        return place < old_place;
    return is_later(c, old) == (place == EARLIER || place == EARLIER + PERFS_OWN);
}

static void collect(struct td_binding *b)
{
    for (size_t e = 0; e < TD_EVENTS_MAX; e++)
        b->copy[e] = -1;
    for (size_t i = 0; i < b->counts->n; i++) {
        unsigned e = b->counts->c[i].event;

        if (b->counts->c[i].modes == b->modes && (b->line < 0 ? better(b, i, b->copy[e]) : nearer(b, i, b->copy[e])))
            b->copy[e] = (int16_t)i;
    }
    b->partial = b->counted = 0;
    for (unsigned e = 0; e < TD_EVENTS_MAX; e++) {
        const struct td_count *c = b->copy[e] < 0 ? NULL : &b->counts->c[b->copy[e]];

        if (!c || c->status != TD_OK)
            continue;
        b->counted |= UINT64_C(1) << e;
        b->partial |= (uint64_t)(c->running < c->enabled) << e;
    }
}

void td_binding_choose(struct td_binding *b, const struct td_counts *k, uint64_t needs, uint64_t corrections)
{
    const struct td_count *best = NULL;
    long best_score = 0;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];
        long s;

        if (i && same_group(c, k->c[i - 1].group, k->c[i - 1].modes))
            continue; /* the group has been weighed */
        s = score(k, c, needs, corrections);
        if (!best || s > best_score) {
            best = c;
            best_score = s;
        }
    }
    b->counts = k;
    b->blocked = b->omitted = 0;
    b->line = -1;
    b->group = best ? best->group : 0;
    b->modes = best ? best->modes : 0;
    collect(b);
}

/* The copy that one of the metrics was printed on; -1: none, or several. */
static int find_line(const struct td_counts *k, uint32_t printed)
{
    int found = -1;

    for (size_t i = 0; i < k->n; i++) {
        if (!(k->c[i].printed & printed))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

bool td_binding_by_line(struct td_binding *b, const struct td_counts *k, size_t node)
{
    int line = find_line(k, UINT32_C(1) << node);

    if (line < 0)
        line = find_line(k, UINT32_C(1) << node << TD_PRINTED_PLAIN);
    if (line < 0)
        return false;
    b->counts = k;
    b->blocked = b->omitted = 0;
    b->line = (int16_t)line;
    b->group = k->c[line].group;
    b->modes = k->c[line].modes;
    collect(b);
    return true;
}

bool td_binding_same(const struct td_binding *b, const struct td_binding *other)
{
    return b->line == other->line && b->group == other->group && b->modes == other->modes;
}

static bool whole_time(const struct td_count *c)
{
    return c->running >= c->enabled && c->enabled > 0; /* 0: not recorded */
}

bool td_binding_together(const struct td_binding *b, unsigned event, unsigned other)
{
    const struct td_count *x, *y;

    if (b->copy[event] < 0 || b->copy[other] < 0)
        return false;
    x = &b->counts->c[b->copy[event]];
    y = &b->counts->c[b->copy[other]];
    return (x->group == y->group && x->running == y->running) || (whole_time(x) && whole_time(y));
}

double td_binding_coverage(const struct td_binding *b, uint64_t events)
{
    double least = events & b->counted ? 1 : NAN;

    events &= b->partial;
    for (unsigned e = 0; e < TD_EVENTS_MAX && events >> e; e++) {
        const struct td_count *c;

        if (!in_set(events, e))
            continue;
        c = &b->counts->c[b->copy[e]];
        if (c->running / c->enabled < least)
            least = c->running / c->enabled;
    }
    return least;
}

static enum td_state state_of(enum td_status status)
{
    switch (status) {
    case TD_OK:
        return TD_VAL_OK;
    case TD_NOT_SUPPORTED:
        return TD_VAL_NOT_SUPPORTED;
    case TD_COUNTER_RESET:
        return TD_VAL_RESET;
    default:
        return TD_VAL_NOT_COUNTED;
    }
}

struct td_val td_binding_value(void *ctx, int event, bool correction)
{
    struct td_binding *b = ctx;
    int copy = b->copy[event];
    const struct td_count *c = copy < 0 ? NULL : &b->counts->c[copy];
    struct td_val v = {.state = c ? state_of(c->status) : TD_VAL_MISSING, .event = event};

    if (correction && (v.state != TD_VAL_OK || in_set(b->blocked, (unsigned)event))) {
        b->omitted |= UINT64_C(1) << event;
        v.state = TD_VAL_OMITTED;
    } else if (v.state == TD_VAL_OK) {
        v.r = td_range_count(c->value, c->err);
    }
    return v;
}
