/* SPDX-License-Identifier: MIT */
#include "session/measured.h"

#include "core/bounds/likely.h"
#include "util/room.h"
#include "core/counts/scope_kind.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { PAIRS_MAX = 256 /* how many pairs of groups that counted the same event are compared: more tell no more */ };

/* ---- resonance: what two groups counted of the same event --------------------------- */

static bool same_event(const struct td_count *a, const struct td_count *b)
{
    return a->modes == b->modes && a->status == TD_OK && b->status == TD_OK && !td_copies_together(a, b);
}

/* Twice the difference over the sum, part by part. */
static void compare(const double *x, const double *y, size_t parts, double *apart)
{
    for (size_t i = 0; i < parts; i++)
        apart[i] = x[i] + y[i] > 0 ? 2 * (x[i] - y[i]) / (x[i] + y[i]) : 0;
}

/* Windows that a copy saw in the average part; 0: not known. */
static double windows_of(const struct td_count *c, const struct td_taken *t, size_t parts)
{
    const struct td_likely_times times = td_taken_times(t, c);
    struct td_likely_windows w;

    return td_likely_windows(&times, &w) == TD_LIKELY_GIVEN ? w.seen / (double)parts : 0;
}

/* A sum's copies, part by part, and how many windows of the average part they saw. */
struct stretch {
    const struct td_sum *sum;
    const struct td_taken *taken; /* for the lane's sum */
    size_t parts;
    double (*values)[TD_STEPS_MAX]; /* by copy, as the next; those that were asked for: */
    double *windows; /* NAN: not asked for yet */
    uint32_t *next; /* the next copy that the recording named alike, 0: none */
    uint32_t *last; /* by name, while these are found: the copy that comes first of those behind, 0: none */
};

static uint32_t last_text(const struct td_counts *k)
{
    uint32_t most = 0;

    for (size_t i = 0; i < k->n; i++)
        most = k->c[i].text > most ? k->c[i].text : most;
    return most;
}

static void stretch_free(struct stretch *s)
{
    free(s->values);
    free(s->windows);
    free(s->next);
    free(s->last);
}

static int stretch_make(struct stretch *s)
{
    const struct td_counts *k = &s->sum->all.counts;
    const size_t texts = (size_t)last_text(k) + 1;

    s->values = malloc((k->n + 1) * sizeof(*s->values));
    s->windows = malloc((k->n + 1) * sizeof(*s->windows));
    s->next = malloc((k->n + 1) * sizeof(*s->next));
    s->last = calloc(texts, sizeof(*s->last));
    if (!s->values || !s->windows || !s->next || !s->last)
        return -ENOMEM;
    for (size_t i = k->n; i-- > 0;) {
        s->windows[i] = (double)NAN;
        s->next[i] = s->last[k->c[i].text];
        s->last[k->c[i].text] = (uint32_t)i;
    }
    return 0;
}

static const double *values_of(struct stretch *s, size_t copy)
{
    if (isnan(s->windows[copy])) {
        s->windows[copy] = windows_of(&s->sum->all.counts.c[copy], s->taken, s->parts);
        td_sum_values(s->sum, copy, s->values[copy]);
    }
    return s->values[copy];
}

/* Compares a copy with those after it that counted the same. *pairs is how many were compared so far. */
static bool copy_keeps_step(struct stretch *s, size_t a, unsigned *pairs)
{
    const struct td_counts *k = &s->sum->all.counts;
    double apart[TD_STEPS_MAX];

    for (size_t b = s->next[a]; b && *pairs < PAIRS_MAX; b = s->next[b]) {
        if (!same_event(&k->c[a], &k->c[b]))
            continue;
        ++*pairs;
        compare(values_of(s, a), values_of(s, b), s->parts, apart);
        if (td_likely_in_step(apart, s->parts, fmin(s->windows[a], s->windows[b])))
            return true;
    }
    return false;
}

/* Whether the program keeps step with the rotation, by its lane's sum, which t belongs to. True where memory is out:
 * then no bounds are claimed. */
static bool keeps_step(const struct td_sum *sum, const struct td_taken *t)
{
    struct stretch s = {.sum = sum, .taken = t, .parts = td_sum_parts(sum)};
    unsigned pairs = 0;
    bool keeps;

    if (s.parts < TD_LIKELY_PARTS_MIN)
        return false;
    keeps = stretch_make(&s);
    for (size_t a = 0; a < sum->all.counts.n && !keeps; a++)
        keeps = copy_keeps_step(&s, a, &pairs);
    stretch_free(&s);
    return keeps;
}

/* Whether the program keeps step, for one of the lane's intervals: as it was seen last, which is each time that the sum
 * has become a quarter longer. */
static bool kept_step(const struct td_sum *s, const struct td_taken *t)
{
    struct td_growth *g = s->growth;
    const uint64_t intervals = g ? g->n * g->each : 0;

    if (!g)
        return keeps_step(s, t);
    if (intervals >= TD_LIKELY_PARTS_MIN && intervals >= g->looked_at + g->looked_at / 4 + 1) {
        g->in_step = keeps_step(s, t);
        g->looked_at = intervals;
    }
    return g->in_step;
}

/* ---- the metrics register ------------------------------------------------------------ */

static void count_fields(const struct td_counts *k, const struct td_uarch *u, uint32_t fields[TD_MODE_SETS])
{
    memset(fields, 0, TD_MODE_SETS * sizeof(*fields));
    for (size_t i = 0; i < k->n; i++)
        fields[k->c[i].modes] += u->events[k->c[i].event].field >= 0;
}

/* The register's slots; where they were counted in several modes, in those in which most of the register was. */
static const struct td_count *slots_of(const struct td_counts *k, const struct td_uarch *u)
{
    const int slots = td_uarch_slots(u);
    const struct td_count *best = NULL;
    uint32_t fields[TD_MODE_SETS]; /* by set of modes, if there are several */
    bool several = false;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];

        if (c->event != slots || c->status != TD_OK || (best && c->modes == best->modes))
            continue;
        if (best && !several)
            count_fields(k, u, fields);
        several = best;
        if (!best || fields[c->modes] > fields[best->modes] ||
            (fields[c->modes] == fields[best->modes] && c->modes < best->modes))
            best = c;
    }
    return best;
}

/* The fraction of the time in which a read(2) finds the register counting; of several CPUs it may be more than 1. */
static double busy(const struct td_interval *v, const struct td_count *slots)
{
    if (v->switched)
        return v->at.duration ? slots->running / (double)v->at.duration : 0;
    return slots->enabled > 0 ? slots->running / slots->enabled : 0;
}

/* What the register may hold since the last read(2) that found it counting. */
static void hold(struct td_sum *s, const struct td_interval *v, const struct td_count *slots, struct td_taken *t)
{
    struct td_growth *g = s->growth;
    const unsigned reads = td_likely_reads(busy(v, slots));

    t->switches = g && reads ? 0 : (double)NAN; /* before the first interval nothing was held */
    if (!g)
        return;
    g->latest[g->nlatest++ % TD_LATEST_MAX] =
        (struct td_latest){v->switches_known ? v->switches : (double)NAN, slots->value, slots->running};
    if (reads > TD_LATEST_MAX && g->nlatest > TD_LATEST_MAX)
        t->switches = (double)NAN;
    for (uint64_t i = 0; i < reads && i < TD_LATEST_MAX; i++) {
        const struct td_latest *l = &g->latest[(g->nlatest - 1 - i) % TD_LATEST_MAX];

        t->switches += l->switches;
        t->held += l->slots;
        t->held_running += l->running;
    }
}

/* The same for the average interval of a sum: td_likely_reads() describes how these add up. */
static void hold_all(const struct td_sum *s, const struct td_counts *balanced, const struct td_count *slots,
                     struct td_taken *t)
{
    const unsigned reads = td_likely_reads(busy(&s->all, slots));
    const double part = fmin(1, reads / (double)s->intervals);

    t->switches =
        s->all.switches_known && reads ? s->all.switches * part * td_sum_stands_for(s, balanced) : (double)NAN;
    t->held = (s->intervals > 1 ? 2 : 1) * slots->value;
    t->held_running = slots->running * part;
}

/* ---- everything ----------------------------------------------------------------------- */

/* "CPU0,2", "CPU0-3" */
static bool is_list(const char *scope)
{
    static const char cpu[] = "CPU";
    const char *numbers = strncmp(scope, cpu, strlen(cpu)) ? "" : scope + strlen(cpu);
    const size_t digits = strspn(numbers, "0123456789");

    return digits && numbers[digits] && strspn(numbers, "0123456789,-") == strlen(numbers);
}

/* Its name lists them, or all that it counted was enabled for longer than the interval. */
bool td_session_several_cpus(const struct td_stream *stream, const struct td_interval *v)
{
    double least = HUGE_VAL;

    if (v->at.scope_kind != TD_KIND_CPU || is_list(v->at.scope))
        return v->at.scope_kind == TD_KIND_CPU;
    if (stream->times != TD_TIMES_RECORDED) /* running and enabled are not known as times */
        return false;
    for (size_t i = 0; i < v->counts.n; i++)
        if (v->counts.c[i].status == TD_OK)
            least = fmin(least, v->counts.c[i].enabled);
    return v->at.duration && isfinite(least) && least > 1.5 * (double)v->at.duration;
}

bool td_session_both_siblings(const struct td_stream *stream, const struct td_interval *v)
{
    return v->at.scope_kind == TD_KIND_CORE || v->at.scope_kind == TD_KIND_SOCKET || v->at.scope_kind == TD_KIND_NODE ||
           (v->at.scope_kind == TD_KIND_SYSTEM && stream->times == TD_TIMES_CPUS);
}

/* Whether only a percentage of the time is known of each count, and it was counted while tasks ran: those of a command,
 * a process, a thread or a cgroup. */
static bool printed_of_tasks(const struct td_stream *stream, const struct td_interval *v)
{
    return stream->times == TD_TIMES_TASKS ||
           (stream->times != TD_TIMES_RECORDED && td_kind_switched(v->at.scope_kind));
}

/* On how many CPUs at the same time; 0: the elapsed time decides, or it is not known. */
static double cpus_of(const struct td_stream *stream, const struct td_interval *v)
{
    if (printed_of_tasks(stream, v))
        return 1;
    if (stream->times == TD_TIMES_RELATIVE)
        return 0;
    if (v->at.scope_kind == TD_KIND_REGION || (v->at.scope_kind == TD_KIND_CPU && !td_session_several_cpus(stream, v)))
        return 1;
    if (stream->times == TD_TIMES_CPUS)
        return stream->times_cpus;
    return (v->at.scope_kind == TD_KIND_THREAD || v->at.scope_kind == TD_KIND_COMMAND) && !v->at.duration ? 1 : 0;
}

bool td_session_switched(const struct td_stream *stream, const struct td_interval *v)
{
    return v->switched || printed_of_tasks(stream, v);
}

/* The same of counts of tasks, or of whole CPUs that its header tells. */
static bool printed(const struct td_stream *stream, const struct td_interval *v)
{
    return stream->times == TD_TIMES_CPUS || printed_of_tasks(stream, v);
}

/* For how long a CPU was busy at least, in ns: that it takes to count so many cycles or slots at the greatest speed. A
 * core's clock is no faster than that of the thread beside which it is counted. */
static double busy_at_least(const struct td_counts *k, const struct td_uarch *u)
{
    const int slots = td_uarch_slots(u);
    double least = 0;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];
        const double per_cycle = c->status != TD_OK || c->event >= u->nevents ? 0
                                 : c->event == slots                          ? u->width
                                                     : td_uarch_is_clock(u, &u->events[c->event]);

        if (per_cycle > 0)
            least = fmax(least, c->value / per_cycle / TD_FASTEST);
    }
    return least;
}

/* Tasks: of what they ran, on however many CPUs, no more windows than pass in the time from its beginning
 * to its end count. */
static double elapsed_of(const struct td_stream *stream, const struct td_interval *v, const struct td_counts *k,
                         const struct td_uarch *u)
{
    if (printed_of_tasks(stream, v))
        return fmin((double)v->at.duration, busy_at_least(k, u));
    return stream->times == TD_TIMES_RELATIVE ? 0 : (double)v->at.duration;
}

struct td_taken td_session_taken(struct td *td, const struct td_interval *v, bool whole, const struct td_uarch *u,
                                 const struct td_counts *bound, const struct td_taken *before)
{
    const struct td_stream *stream = td->stream;
    struct td_sum *sum = td_sums_of(&td->sums, v);
    const struct td_count *slots = slots_of(bound, u);
    struct td_taken t =
                        {
                            .elapsed = elapsed_of(stream, v, bound, u),
                            .cpus = cpus_of(stream, v),
                            .always = printed(stream, v),
                            .interval = stream->mux_interval > 0 ? stream->mux_interval : TD_LIKELY_MUX_INTERVAL,
                            .interval_assumed = !(stream->mux_interval > 0),
                            .tasks = td_kind_switched(v->at.scope_kind) || printed_of_tasks(stream, v),
                            .switches = (double)NAN,
                        },
                    of_sum = t;

    if (!sum) /* a trial only */
        return t;
    of_sum.elapsed = elapsed_of(stream, &sum->all, &sum->all.counts, u);
    t.in_step = before ? before->in_step : whole ? keeps_step(sum, &of_sum) : kept_step(sum, &of_sum);
    if (before && !whole) { /* the register was read once */
        t.switches = before->switches;
        t.held = before->held;
        t.held_running = before->held_running;
    } else if (slots && whole) {
        hold_all(sum, bound, slots, &t);
    } else if (slots) {
        hold(sum, v, slots, &t);
    }
    return t;
}

bool td_session_spreads(struct td *td, const struct td_interval *sum)
{
    return td_sum_parts(td_sums_of(&td->sums, sum)) >= TD_LIKELY_PARTS_MIN;
}

static void take_away(struct td_count *c, const struct td_grown *part)
{
    c->value -= part->value;
    c->enabled -= part->enabled;
    c->running -= part->running;
    c->intervals -= part->intervals;
    c->sampled.n -= part->samples;
    c->sampled.squares = 0; /* nobody asks for bounds of it */
    c->err = 0;
    if (c->status == TD_OK && !c->intervals)
        c->status = TD_NOT_COUNTED;
}

int td_session_without(struct td *td, const struct td_interval *sum, size_t part, const struct td_interval **out)
{
    const struct td_sum *s = td_sums_of(&td->sums, sum);
    struct td_interval *rest = &td->spread.rest;
    struct td_counts kept = rest->counts;

    *rest = *sum;
    rest->counts = kept;
    rest->numbered = NULL; /* its errors are to be found anew */
    rest->counts.status = sum->counts.status;
    if (td_counts_reserve(&rest->counts, sum->counts.n))
        return -ENOMEM;
    for (size_t i = 0; i < sum->counts.n; i++) {
        const struct td_grown grown = td_sum_part(s, part, i);

        rest->counts.c[i] = sum->counts.c[i];
        take_away(&rest->counts.c[i], &grown);
    }
    rest->counts.n = sum->counts.n;
    *out = rest;
    return 0;
}
