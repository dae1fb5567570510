/* SPDX-License-Identifier: MIT */
/* From two snapshots to the counts between them: differences, the error of PERF_METRICS, and what was counted for part
 * of the time scaled up to the whole. */
#include "core/counts/counts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct delta {
    const struct td_snap *from, *to;
    const struct td_uarch *uarch;
    int slots; /* the number of the slots event, or -1 */
    struct td_counts *out;
};

static const struct td_sample *sample_find(const struct td_snap *s, const struct td_sample *like, size_t hint)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct td_sample *x = &s->s[(i + hint) % s->n];

        if (x->event == like->event && x->group == like->group && x->modes == like->modes)
            return x;
    }
    return NULL;
}

/* to - from modulo the counter's width. A counter of 64 bits does not wrap
 * within anyone's lifetime: if it ran backwards, or if the step of a narrower one
 * would be more than half the width, the counter was reset. */
static bool counter_step(uint64_t from, uint64_t to, unsigned bits, uint64_t *step)
{
    if (to >= from) {
        *step = to - from;
        return true;
    }
    if (bits >= 64)
        return false;
    *step = (to - from) & ((UINT64_C(1) << bits) - 1);
    return *step < UINT64_C(1) << (bits - 1);
}

static void fail_count(struct td_count *c, enum td_status status)
{
    c->status = status;
    c->value = c->err = 0;
}

/* Scales what ran for part of the time up to the whole, as perf does. */
static void scale_up(struct td_count *c, double factor, const struct td_snap *of)
{
    if (c->status != TD_OK)
        return;
    if (c->running == 0 && !of->coverage_unknown) {
        fail_count(c, TD_NOT_COUNTED);
        return;
    }
    if (!of->scaled && c->running < c->enabled)
        factor *= c->enabled / c->running;
    c->value *= factor;
    c->err *= factor;
}

static struct td_count count_of(const struct td_sample *from, const struct td_sample *to)
{
    struct td_count c = {
        .group = to->group,
        .modes = to->modes,
        .event = to->event,
        .status = to->status,
        .text = to->text,
        .printed = to->printed,
    };
    uint64_t enabled, running;

    if (!counter_step(from->enabled, to->enabled, 64, &enabled) ||
        !counter_step(from->running, to->running, 64, &running)) {
        c.status = TD_COUNTER_RESET;
        return c;
    }
    c.running = fmax((double)running + (to->running_fraction - from->running_fraction), 0);
    c.enabled = fmax((double)enabled + (to->enabled_fraction - from->enabled_fraction), 0);
    if (from->status != TD_OK && to->status == TD_OK && from->status != TD_NOT_COUNTED)
        c.status = from->status;
    return c;
}

/* Takes the samples of a latency. They are no counts: what was sampled in part of the time is not scaled up. */
static void take_samples(struct td_count *c, const struct td_sample *from, const struct td_sample *to)
{
    c->sampled.any = to->sampled.any;
    c->sampled.n = to->sampled.n - from->sampled.n;
    c->sampled.squares = to->sampled.squares - from->sampled.squares;
    if (to->sampled.n < from->sampled.n || to->sampled.squares < from->sampled.squares)
        fail_count(c, TD_COUNTER_RESET);
}

static const struct td_sample *slots_of(const struct delta *d, const struct td_snap *s, const struct td_sample *beside)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->s[i].event == d->slots && s->s[i].group == beside->group && s->s[i].modes == beside->modes)
            return &s->s[i];
    return NULL;
}

static int delta_plain(const struct delta *d, const struct td_sample *from, const struct td_sample *to)
{
    const struct td_event *e = &d->uarch->events[to->event];
    struct td_count c;
    uint64_t step = 0;

    if (!from) { /* the event joined after the interval began: how much of its count belongs here is not known */
        c = count_of(to, to);
        fail_count(&c, c.status == TD_OK ? TD_NOT_COUNTED : c.status);
        return td_counts_append(d->out, &c);
    }
    c = count_of(from, to);
    if (c.status == TD_OK) {
        if (counter_step(from->value, to->value, d->to->bits, &step) && (step || to->fraction >= from->fraction))
            c.value = (double)step + (to->fraction - from->fraction);
        else
            fail_count(&c, TD_COUNTER_RESET);
    }
    take_samples(&c, from, to);
    if (!c.sampled.any || c.running == 0)
        scale_up(&c, d->to->scaled ? 1 : d->to->smt ? e->scale_smt : e->scale, d->to);
    return td_counts_append(d->out, &c);
}

uint32_t td_packed_restores(uint32_t from, uint32_t to)
{
    return (to - from) & 0x7fffffff;
}

/* The packed register becomes one count for each field that the CPU has. */
static int delta_packed(const struct delta *d, const struct td_sample *from, const struct td_sample *to)
{
    const struct td_sample *slots0 = slots_of(d, d->from, from), *slots1 = slots_of(d, d->to, to);
    const struct td_count whole = count_of(from, to);
    double restored;

    if (!slots0 || !slots1)
        return -EINVAL;
    restored = (double)td_packed_restores(d->from->restores, d->to->restores) * (double)slots1->value / 0xff;
    for (size_t i = 0; i < d->uarch->nevents; i++) {
        int field = d->uarch->events[i].field, err = 0;
        struct td_count c;

        if (field < 0)
            continue;
        c = whole;
        c.event = (uint16_t)i;
        if (c.status == TD_OK) /* without slots, or without the register at the beginning, there is no count */
            c.status = slots1->status != TD_OK   ? slots1->status
                       : slots0->status != TD_OK ? slots0->status
                                                 : from->status;
        if (c.status == TD_OK)
            err = td_metrics_delta((enum td_field)field, slots0->value, from->value, slots1->value, to->value, &c.value,
                                   &c.err);
        if (err)
            return err;
        c.err += restored;
        scale_up(&c, 1, d->to);
        err = td_counts_append(d->out, &c);
        if (err)
            return err;
    }
    return 0;
}

int td_snap_delta(const struct td_snap *from, const struct td_snap *to, const struct td_uarch *u, struct td_counts *out)
{
    const struct delta d = {from, to, u, to->encoding == TD_ENC_PACKED ? td_uarch_slots(u) : -1, out};
    int err = 0;

    out->status = TD_OK;
    out->n = 0;
    if (from->encoding != to->encoding)
        return -EINVAL;
    if (from->epoch != to->epoch)
        return -ESTALE;
    if (to->time < from->time)
        return -ERANGE;
    for (size_t i = 0; i < to->n && !err; i++) {
        const struct td_sample *s = &to->s[i], *before = sample_find(from, s, i);

        if (s->event == TD_EVENT_PACKED)
            err = before ? delta_packed(&d, before, s) : -EINVAL;
        else
            err = delta_plain(&d, before, s);
    }
    if (!err && to->encoding == TD_ENC_COUNTS)
        err = td_counts_quantise(out, u, to->readers ? to->readers : 1);
    return err;
}

int td_snap_restarted(const struct td_snap *s, const struct td_uarch *u, struct td_counts *out)
{
    int err = td_snap_delta(s, s, u, out);

    out->status = TD_EPOCH_CHANGED;
    return err;
}
