/* SPDX-License-Identifier: MIT */
#include "sim/kernel/records.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/schedule.h"
#include "sim/machine/execute.h"

static size_t entry_size(uint64_t format)
{
    return 1u + (format & PERF_FORMAT_ID ? 1u : 0u) + (format & TD_SIM_FORMAT_LOST ? 1u : 0u);
}

static size_t put_entry(const struct td_sim_event *e, uint64_t value, uint64_t format, uint64_t *out)
{
    size_t n = 0;

    out[n++] = value;
    if (format & PERF_FORMAT_ID)
        out[n++] = td_sim_event_id(e);
    if (format & TD_SIM_FORMAT_LOST)
        out[n++] = 0;
    return n;
}

static size_t put_times(uint64_t format, uint64_t enabled, uint64_t running, uint64_t *out)
{
    size_t n = 0;

    if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        out[n++] = enabled;
    if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        out[n++] = running;
    return n;
}

/* An event with its heirs. */
static struct td_sim_ended family(const struct td_sim *s, const struct td_sim_event *e)
{
    struct td_sim_ended sum = e->ended;

    sum.count += td_sim_event_value(s, e);
    sum.enabled += e->enabled;
    sum.running += e->running;
    for (const struct td_sim_event *h = e->heirs; h; h = h->brother) {
        sum.count += td_sim_event_value(s, h);
        sum.enabled += h->enabled;
        sum.running += h->running;
    }
    return sum;
}

size_t td_sim_values_most(const struct td_sim_event *e)
{
    size_t members = 0;

    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        members++;
    return 3 + entry_size(e->format) * (e->format & PERF_FORMAT_GROUP ? members : 1);
}

static size_t put_one(const struct td_sim_event *e, const struct td_sim_ended *sum, uint64_t *out)
{
    size_t n = 0;

    out[n++] = sum->count;
    n += put_times(e->format, sum->enabled, sum->running, out + n);
    if (e->format & PERF_FORMAT_ID)
        out[n++] = td_sim_event_id(e);
    if (e->format & TD_SIM_FORMAT_LOST)
        out[n++] = 0;
    return n;
}

/* The leader's update covers all metrics, and is the only one that resets the registers. */
static void update_member(struct td_sim *s, struct td_sim_event *m)
{
    if (m == m->leader || !m->leader->topdown || m->kind == TD_SIM_COUNT || m->kind == TD_SIM_SOFT)
        td_sim_event_update(s, m);
    else
        td_sim_event_time(s, m);
}

size_t td_sim_values_read(struct td_sim *s, struct td_sim_event *e, uint64_t *out)
{
    struct td_sim_ended sum;
    size_t n = 0;

    if (!(e->format & PERF_FORMAT_GROUP)) {
        td_sim_event_update(s, e);
        for (struct td_sim_event *h = e->heirs; h; h = h->brother)
            td_sim_event_update(s, h);
        sum = family(s, e);
        return put_one(e, &sum, out);
    }
    for (struct td_sim_event *m = e->leader; m; m = m->sibling) {
        update_member(s, m);
        for (struct td_sim_event *h = m->heirs; h; h = h->brother)
            update_member(s, h);
        out[0]++;
    }
    sum = family(s, e->leader);
    n = 1 + put_times(e->format, sum.enabled, sum.running, out + 1);
    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        n += put_entry(m, family(s, m).count, e->format, out + n);
    return n;
}

/* A member is read unless it is the event that overflowed. On x86 each member of slots and metrics reads the registers
 * anew, in the interrupt, where there is no transaction. Before Linux 6.14 (Avoid disable PMU if !cpuc->enabled in
 * sample read) such a read also starts the counters again, so that the next one finds what the handler itself executed.
 */
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

/* Without its heirs: what the thread itself has counted ("perf: Support PERF_SAMPLE_READ with inherit", Linux 6.13). */
size_t td_sim_values_sample(struct td_sim *s, unsigned cpu, struct td_sim_event *e, uint64_t *out)
{
    const struct td_sim_ended own = {td_sim_event_value(s, e), e->enabled, e->running};
    size_t n = 1;

    if (!(e->format & PERF_FORMAT_GROUP))
        return put_one(e, &own, out);
    out[0] = 0;
    td_sim_event_time(s, e->leader);
    n += put_times(e->format, e->leader->enabled, e->leader->running, out + n);
    for (struct td_sim_event *m = e->leader; m; m = m->sibling) {
        update_in_interrupt(s, cpu, e, m);
        n += put_entry(m, td_sim_event_value(s, m), e->format, out + n);
        out[0]++;
    }
    return n;
}
