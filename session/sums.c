/* SPDX-License-Identifier: MIT */
#include "session/sums.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Begins a sum for the interval's lane. */
static void begin(struct td_sum *sum, const struct td_interval *v)
{
    *sum = (struct td_sum){.all = *v};
    sum->all.counts = (struct td_counts){.n = 0};
    sum->all.at.duration = 0;
    sum->all.switches = 0;
}

static void empty(struct td_sum *sum)
{
    td_counts_free(&sum->all.counts);
    if (sum->growth)
        free(sum->growth->grown);
    free(sum->growth);
}

static struct td_sum *find(struct td_sums *s, const struct td_interval *v)
{
    struct td_sum *sum;

    if (td_room_zeroed(&s->of_lane, &s->nlanes, (size_t)v->lane + 1, sizeof(*s->of_lane)))
        return NULL;
    if (s->of_lane[v->lane]) {
        sum = &s->sum[s->of_lane[v->lane] - 1];
        if (sum->over) {
            empty(sum);
            begin(sum, v);
        }
        return sum;
    }
    if (td_room(&s->sum, &s->room, s->n + 1, sizeof(*s->sum)))
        return NULL;
    sum = &s->sum[s->n++];
    begin(sum, v);
    s->of_lane[v->lane] = (uint32_t)s->n;
    return sum;
}

/* ---- how a sum grew --------------------------------------------------------------- */

/* Increases the distance between the steps: room for more copies. */
static int widen(struct td_growth *t, size_t copies)
{
    const size_t room = 2 * copies;
    struct td_grown *grown = calloc(TD_STEPS_MAX * room, sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    for (size_t i = 0; i < t->n && t->room; i++) /* no room: nothing was counted so far */
        memcpy(&grown[i * room], &t->grown[i * t->room], t->room * sizeof(*grown));
    free(t->grown);
    t->grown = grown;
    t->room = room;
    return 0;
}

/* Keeps every second step of as many as there may be. */
static void join_steps(struct td_growth *t)
{
    for (size_t i = 1; i < TD_STEPS_MAX && t->room; i += 2)
        memcpy(&t->grown[i / 2 * t->room], &t->grown[i * t->room], t->room * sizeof(*t->grown));
    t->n /= 2;
    t->each *= 2;
}

static int take_step(struct td_growth *t, const struct td_counts *k)
{
    struct td_grown *to;

    if (++t->open < t->each)
        return 0;
    if (k->n > t->room && widen(t, k->n))
        return -ENOMEM;
    to = t->room ? &t->grown[t->n * t->room] : NULL; /* nothing was counted yet */
    for (size_t i = 0; i < k->n; i++)
        to[i] =
            (struct td_grown){k->c[i].value, k->c[i].enabled, k->c[i].running, k->c[i].sampled.n, k->c[i].intervals};
    t->n++;
    t->open = 0;
    if (t->n == TD_STEPS_MAX)
        join_steps(t);
    return 0;
}

size_t td_sum_parts(const struct td_sum *s)
{
    const struct td_growth *t = s->growth;

    return t && t->n ? t->n + (2 * t->open >= t->each) : 0;
}

/* What a copy had counted by the end of a part: nothing before the first, and everything after the last. */
static struct td_grown grown_by(const struct td_sum *s, size_t parts, size_t copy)
{
    const struct td_growth *t = s->growth;
    const struct td_count *c = &s->all.counts.c[copy];

    if (!parts)
        return (struct td_grown){0};
    if (parts == td_sum_parts(s))
        return (struct td_grown){c->value, c->enabled, c->running, c->sampled.n, c->intervals};
    return copy < t->room ? t->grown[(parts - 1) * t->room + copy] : (struct td_grown){0};
}

struct td_grown td_sum_part(const struct td_sum *s, size_t part, size_t copy)
{
    const struct td_grown from = grown_by(s, part, copy), to = grown_by(s, part + 1, copy);

    return (struct td_grown){to.value - from.value, to.enabled - from.enabled, to.running - from.running,
                             to.samples - from.samples, to.intervals - from.intervals};
}

void td_sum_values(const struct td_sum *s, size_t copy, double *out)
{
    const size_t n = td_sum_parts(s);
    double before = 0;

    for (size_t i = 0; i < n; i++) {
        const double by_now = grown_by(s, i + 1, copy).value;

        out[i] = by_now - before;
        before = by_now;
    }
}

/* Keeps the growth for the first lanes. */
static int grow(struct td_sums *s, struct td_sum *sum)
{
    if (!sum->growth && sum - s->sum < TD_STEPS_LANES) {
        sum->growth = calloc(1, sizeof(*sum->growth));
        if (!sum->growth)
            return -ENOMEM;
        sum->growth->each = 1;
    }
    return sum->growth ? take_step(sum->growth, &sum->all.counts) : 0;
}

/* ---- everything ------------------------------------------------------------------- */

static bool any_counted(const struct td_interval *v)
{
    for (size_t i = 0; i < v->counts.n; i++)
        if (v->counts.c[i].status == TD_OK)
            return true;
    return v->others_counted;
}

static void take_active(struct td_sum *sum, const struct td_interval *v)
{
    if (!any_counted(v))
        return;
    sum->shortest = !sum->active || v->at.duration < sum->shortest ? v->at.duration : sum->shortest;
    sum->longest = v->at.duration > sum->longest ? v->at.duration : sum->longest;
    sum->active++;
}

int td_sums_add(struct td_sums *s, const struct td_interval *v, struct td_hints *hints)
{
    struct td_sum *sum = find(s, v);
    int err = sum ? 0 : -ENOMEM;

    if (!err && sum->all.counts.added && v->at.has_time && v->at.time == sum->all.at.time) /* the rest of an interval */
        sum->all.counts.added--;
    err = err ? err : td_counts_add(&sum->all.counts, &v->counts, hints);

    if (err)
        return err;
    sum->all.at.time = v->at.time;
    sum->all.cpus_changed = sum->all.cpus_changed || v->cpus_changed;
    if (v->counts.status != TD_OK) /* nothing was counted in it */
        return 0;
    sum->all.at.duration =
        v->at.duration && (!sum->intervals || sum->all.at.duration) ? sum->all.at.duration + v->at.duration : 0;
    sum->all.switches += v->switches;
    sum->all.switches_known = v->switches_known && sum->all.switches_known;
    sum->intervals++;
    take_active(sum, v);
    return grow(s, sum);
}

struct td_sum *td_sums_of(struct td_sums *s, const struct td_interval *v)
{
    return v->lane < s->nlanes && s->of_lane[v->lane] ? &s->sum[s->of_lane[v->lane] - 1] : NULL;
}

double td_sum_stands_for(const struct td_sum *s, const struct td_counts *balanced)
{
    uint32_t most = balanced->balanced;

    for (size_t i = 0; i < balanced->n; i++)
        if (balanced->c[i].intervals > most)
            most = balanced->c[i].intervals;
    return most ? td_least(1, (double)most / (double)s->active) : 1;
}

struct td_range td_sum_duration(const struct td_sum *s, const struct td_counts *balanced)
{
    const double part = td_sum_stands_for(s, balanced), all = (double)s->all.at.duration / 1e9,
                 intervals = part * (double)s->active / 1e9;

    if (part == 1)
        return td_range_exact(all);
    return (struct td_range){intervals * (double)s->shortest, part * all,
                             td_least(all, intervals * (double)s->longest)};
}

void td_sums_free(struct td_sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        empty(&s->sum[i]);
    free(s->sum);
    free(s->of_lane);
    *s = (struct td_sums){.n = 0};
}
