/* SPDX-License-Identifier: MIT */
#include "sim/kernel/values.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/schedule.h"
#include "sim/machine/execute.h"

static size_t entry_size(uint64_t format)
{
    return 1u + (format & PERF_FORMAT_ID ? 1u : 0u) + (format & TD_SIM_FORMAT_LOST ? 1u : 0u);
}

static size_t put_entry(const struct td_sim *s, const struct td_sim_event *e, uint64_t format, uint64_t *out)
{
    size_t n = 0;

    out[n++] = td_sim_event_value(s, e);
    if (format & PERF_FORMAT_ID)
        out[n++] = e->id;
    if (format & TD_SIM_FORMAT_LOST)
        out[n++] = 0;
    return n;
}

static size_t put_times(const struct td_sim_event *e, uint64_t *out)
{
    size_t n = 0;

    if (e->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        out[n++] = e->enabled;
    if (e->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        out[n++] = e->running;
    return n;
}

size_t td_sim_values_most(const struct td_sim_event *e)
{
    size_t members = 0;

    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        members++;
    return 3 + entry_size(e->format) * (e->format & PERF_FORMAT_GROUP ? members : 1);
}

static size_t put_one(const struct td_sim_event *e, uint64_t value, uint64_t *out)
{
    size_t n = 0;

    out[n++] = value;
    n += put_times(e, out + n);
    if (e->format & PERF_FORMAT_ID)
        out[n++] = e->id;
    if (e->format & TD_SIM_FORMAT_LOST)
        out[n++] = 0;
    return n;
}

size_t td_sim_values_read(struct td_sim *s, struct td_sim_event *e, uint64_t *out)
{
    size_t n = 0;

    if (!(e->format & PERF_FORMAT_GROUP)) {
        td_sim_event_update(s, e);
        return put_one(e, td_sim_event_value(s, e), out);
    }
    for (struct td_sim_event *m = e->leader; m; m = m->sibling) {
        /* the leader's update covers all metrics, and is the only one that resets the registers */
        if (m == e->leader || !e->leader->topdown || m->kind == TD_SIM_COUNT || m->kind == TD_SIM_SOFT)
            td_sim_event_update(s, m);
        else
            td_sim_event_time(s, m);
        out[0]++;
    }
    n = 1 + put_times(e->leader, out + 1);
    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        n += put_entry(s, m, e->format, out + n);
    return n;
}

/* A member is read unless it is the event that overflowed. On x86 each member of slots and metrics reads the registers anew,
 * in the interrupt, where there is no transaction. Before Linux 6.14 (Avoid disable PMU if !cpuc->enabled in sample
 * read) such a read also starts the counters again, so that the next one finds what the handler itself executed. */
static void update_in_interrupt(struct td_sim *s, unsigned cpu, const struct td_sim_event *e, struct td_sim_event *m)
{
    if (m == e || m->state != TD_SIM_ACTIVE) {
        td_sim_event_time(s, m);
        return;
    }
    td_sim_event_update(s, m);
    if (s->handler && m->leader->kernel && td_sim_event_is_topdown(m))
        td_sim_core_interrupt(&s->hw, cpu, s->handler);
}

size_t td_sim_values_sample(struct td_sim *s, unsigned cpu, struct td_sim_event *e, uint64_t *out)
{
    size_t n = 1;

    if (!(e->format & PERF_FORMAT_GROUP))
        return put_one(e, td_sim_event_value(s, e), out);
    out[0] = 0;
    td_sim_event_time(s, e->leader);
    n += put_times(e->leader, out + n);
    for (struct td_sim_event *m = e->leader; m; m = m->sibling) {
        update_in_interrupt(s, cpu, e, m);
        n += put_entry(s, m, e->format, out + n);
        out[0]++;
    }
    return n;
}
