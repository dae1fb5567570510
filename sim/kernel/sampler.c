/* SPDX-License-Identifier: MIT */
#include "sim/kernel/sampler.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/records.h"
#include "sim/machine/execute.h"

#include <errno.h>

enum {
    TICK = 4 * TD_SIM_MSEC, /* CONFIG_HZ=250 */
    MAX_SAMPLES = 400, /* most samples of an event in a tick: TD_SIM_MAX_RATE / HZ */
};

static uint64_t tick_of(const struct td_sim *s, unsigned cpu)
{
    return s->hw.cpu[s->hw.cpu[cpu].first].synced / TICK;
}

/* What an event has counted: counts times TD_PMU_WHOLE, modulo 2^64. */
static uint64_t total(const struct td_sim *s, const struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);
    const uint64_t more = e->state == TD_SIM_ACTIVE && cpu >= 0 && !e->sampler.throttled
                              ? td_sim_event_counter(s, e, (unsigned)cpu) - e->start
                              : 0;

    return e->count * TD_PMU_WHOLE + e->raw + more;
}

/* The counter of a throttled event counts again from now on. */
static void unthrottle(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    e->sampler.throttled = false;
    e->sampler.in_tick = 0;
    e->start = td_sim_event_counter(s, e, cpu);
    td_sim_record_throttle(s, cpu, e, true);
}

void td_sim_sampler_set(struct td_sim *s, struct td_sim_event *e, uint64_t period)
{
    const int cpu = td_sim_event_cpu(e);

    if (e->sampler.throttled && cpu >= 0)
        unthrottle(s, (unsigned)cpu, e);
    e->sampler.period = e->sampler.current = period;
    e->sampler.target = total(s, e) + period * TD_PMU_WHOLE;
}

/* Begins with the period that the attr gives, or with 1 where it gives a frequency. */
static void begin(const struct perf_event_attr *attr, struct td_sim_event *e)
{
    const uint64_t asked = attr->freq ? attr->sample_freq != 0 : (uint64_t)attr->sample_period,
                   period = e->kind == TD_SIM_COUNT ? asked : 0;

    e->sampler = (struct td_sim_sampler){
        .period = period,
        .current = period,
        .target = period * TD_PMU_WHOLE,
        .freq = period && attr->freq ? attr->sample_freq : 0,
        .type = attr->sample_type,
        .precise = attr->precise_ip,
    };
}

int td_sim_sampler_init(const struct perf_event_attr *attr, struct td_sim_event *e)
{
    if (attr->sample_type & ~(uint64_t)TD_SIM_SAMPLES || (attr->freq && attr->sample_freq > TD_SIM_MAX_RATE))
        return -EINVAL;
    if ((attr->sample_type & TD_SIM_WEIGHTS) == TD_SIM_WEIGHTS)
        return -EINVAL;
    if (attr->sample_period && (e->kind == TD_SIM_SOFT || attr->sample_period >> 47))
        return -EINVAL;
    begin(attr, e);
    e->watermark = attr->watermark ? attr->wakeup_watermark : 0;
    e->wakes_after = attr->watermark ? 0 : attr->wakeup_events;
    e->id_all = attr->sample_id_all;
    e->comm = attr->comm;
    e->mmap = attr->mmap || attr->mmap2;
    e->task_records = attr->task;
    e->switches = attr->context_switch;
    return 0;
}

/* Called with each active event of a CPU that samples. */
typedef void sampling_fn(struct td_sim *, unsigned cpu, struct td_sim_event *, uint64_t *out);

static void each_in(struct td_sim *s, unsigned cpu, const struct td_sim_context *c, sampling_fn *fn, uint64_t *out)
{
    for (struct td_sim_event *leader = c->first; leader; leader = leader->next)
        for (struct td_sim_event *e = leader; e; e = e->sibling)
            if (e->sampler.period && e->state == TD_SIM_ACTIVE && e->index != TD_SIM_NONE)
                fn(s, cpu, e, out);
}

static void each(struct td_sim *s, unsigned cpu, sampling_fn *fn, uint64_t *out)
{
    each_in(s, cpu, &s->counting[cpu].events, fn, out);
    if (s->tasks.on[cpu])
        each_in(s, cpu, &s->tasks.on[cpu]->events, fn, out);
}

static void soonest(struct td_sim *s, unsigned cpu, struct td_sim_event *e, uint64_t *out)
{
    const uint64_t synced = s->hw.cpu[s->hw.cpu[cpu].first].synced, left = e->sampler.target - total(s, e);
    uint64_t due;

    if (!e->sampler.throttled) {
        due = (int64_t)left <= 0 ? 1 : e->user ? td_sim_core_until(&s->hw, cpu, e->index, left) : TD_SIM_NEVER;
        *out = due < *out ? due : *out;
    }
    if (e->sampler.throttled || e->sampler.freq) {
        due = (synced / TICK + 1) * TICK - synced;
        *out = due < *out ? due : *out;
    }
}

uint64_t td_sim_sampling_due(void *ctx, unsigned cpu)
{
    uint64_t due = TD_SIM_NEVER;

    each(ctx, cpu, soonest, &due);
    return due;
}

/* Counts the event's samples in a tick: one too many stops its counter until the next tick. */
static void account(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    const uint64_t tick = tick_of(s, cpu);

    if (tick != e->sampler.tick)
        e->sampler.in_tick = 0;
    e->sampler.tick = tick;
    if (++e->sampler.in_tick < MAX_SAMPLES)
        return;
    td_sim_record_throttle(s, cpu, e, false);
    e->sampler.throttled = true;
}

/* Moves the period an eighth of the way to the one that would have given the wanted frequency, when so many counts took
 * so many ns. */
static void adjust(struct td_sim *s, struct td_sim_event *e, uint64_t ns, uint64_t counts)
{
    struct td_sim_sampler *p = &e->sampler;
    const double wanted = (double)counts * 1e9 / ((double)ns * (double)p->freq);
    int64_t delta = (int64_t)wanted - (int64_t)p->period;

    delta += delta >= 0 ? 7 : -7;
    p->period = (uint64_t)((int64_t)p->period + delta / 8);
    if (!p->period)
        p->period = 1;
    if (p->target - total(s, e) > 8 * p->period * TD_PMU_WHOLE) {
        p->target = total(s, e) + p->period * TD_PMU_WHOLE;
        p->current = p->period;
    }
}

/* Adapts the period in an overflow's interrupt, by the time since the last one, unless that is long ago. */
static void adjust_interrupt(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    const uint64_t now = s->hw.cpu[s->hw.cpu[cpu].first].synced, ns = now - e->sampler.stamp_time;

    e->sampler.stamp_time = now;
    if (ns && ns < 2 * (uint64_t)TICK)
        adjust(s, e, ns, e->sampler.last);
}

/* Adapts the period at a tick, by what was counted since the last one. */
static void adjust_tick(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    const uint64_t tick = tick_of(s, cpu), counts = total(s, e) - e->sampler.stamp_count;

    if (!e->sampler.freq || tick == e->sampler.stamp_tick)
        return;
    e->sampler.stamp_tick = tick;
    e->sampler.stamp_count += counts;
    if (counts / TD_PMU_WHOLE)
        adjust(s, e, TICK, counts / TD_PMU_WHOLE);
}

static void overflow(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    const uint64_t period = e->sampler.period * TD_PMU_WHOLE;
    const uint64_t late = total(s, e) - e->sampler.target;

    td_sim_event_update(s, e);
    e->sampler.target += (late / period + 1) * period;
    e->sampler.last = e->sampler.current;
    e->sampler.current = e->sampler.period;
    if (e->sampler.freq)
        adjust_interrupt(s, cpu, e);
    account(s, cpu, e);
    td_sim_record_sample(s, cpu, e);
    td_sim_core_stall(&s->hw, cpu, s->cost);
}

static void look(struct td_sim *s, unsigned cpu, struct td_sim_event *e, uint64_t *out)
{
    (void)out;
    if (e->sampler.resumed)
        td_sim_record_throttle(s, cpu, e, true);
    e->sampler.resumed = false;
    adjust_tick(s, cpu, e);
    if (e->sampler.throttled && tick_of(s, cpu) != e->sampler.tick)
        unthrottle(s, cpu, e);
    else if (!e->sampler.throttled && (int64_t)(total(s, e) - e->sampler.target) >= 0)
        overflow(s, cpu, e);
}

void td_sim_sampling_happen(void *ctx, unsigned cpu)
{
    each(ctx, cpu, look, NULL);
}
