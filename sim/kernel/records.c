/* SPDX-License-Identifier: MIT */
#include "sim/kernel/records.h"

#include "sim/kernel/kernel.h"
#include "sim/kernel/ring.h"
#include "sim/machine/execute.h"

#include <stdlib.h>

enum { READ_EXECUTE = 5, PRIVATE = 2 }; /* PROT_READ | PROT_EXEC, MAP_PRIVATE */

/* ---- samples ------------------------------------------------------------------------------- */

static void put_values(struct td_sim *s, unsigned cpu, struct td_sim_event *e, struct td_sim_record *r)
{
    uint64_t *values = calloc(td_sim_values_most(e), sizeof(*values));
    const size_t n = values ? td_sim_values_sample(s, cpu, e, values) : 0;

    for (size_t i = 0; i < n; i++)
        td_sim_record_u64(r, values[i]);
    free(values);
}

/* Who runs, and when: the fields before the values. */
static void put_front(struct td_sim *s, unsigned cpu, const struct td_sim_event *e, uint64_t address,
                      struct td_sim_record *r)
{
    const uint64_t type = e->sampler.type;

    if (type & PERF_SAMPLE_IDENTIFIER)
        td_sim_record_u64(r, td_sim_event_id(e));
    if (type & PERF_SAMPLE_IP)
        td_sim_record_u64(r, address);
    td_sim_record_who(s, e, cpu, r);
    if (type & PERF_SAMPLE_PERIOD)
        td_sim_record_u64(r, e->sampler.last);
}

/* A number that is evenly distributed from 0 to twice the mean, made of the event's id and of how many samples it had
 * (SplitMix64's output function). */
static uint64_t scatter(uint64_t mean, uint64_t id, uint64_t nth)
{
    uint64_t x = id << 32 ^ nth;

    x = (x + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % (2 * mean + 1);
}

/* union perf_sample_weight. A PEBS record has the retire latency in var3_w (setup_pebs_adaptive_sample_data() in
 * arch/x86/events/intel/ds.c); memory latencies, which PERF_SAMPLE_WEIGHT has alone, are not simulated. */
static uint64_t weight(const struct td_sim *s, unsigned cpu, const struct td_sim_event *e)
{
    union perf_sample_weight w = {.full = 0};

    if (e->sampler.type & PERF_SAMPLE_WEIGHT_STRUCT && e->sampler.precise)
        w.var3_w = (uint16_t)scatter(td_sim_core_latency(&s->hw, cpu, e->index), e->id, e->sampler.taken);
    return w.full;
}

void td_sim_record_sample(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    const uint64_t address = td_sim_core_function(&s->hw, cpu);
    struct td_sim_record r;

    td_sim_record_begin(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
    put_front(s, cpu, e, address, &r);
    if (e->sampler.type & PERF_SAMPLE_READ)
        put_values(s, cpu, e, &r);
    if (e->sampler.type & PERF_SAMPLE_CALLCHAIN) {
        td_sim_record_u64(&r, 2);
        td_sim_record_u64(&r, (uint64_t)PERF_CONTEXT_USER);
        td_sim_record_u64(&r, address);
    }
    if (e->sampler.type & TD_SIM_WEIGHTS)
        td_sim_record_u64(&r, weight(s, cpu, e));
    e->sampler.taken++;
    td_sim_ring_put(s, e, cpu, &r);
}

void td_sim_record_throttle(struct td_sim *s, unsigned cpu, const struct td_sim_event *e, bool off)
{
    struct td_sim_record r;

    td_sim_record_begin(&r, off ? PERF_RECORD_UNTHROTTLE : PERF_RECORD_THROTTLE, 0);
    td_sim_record_u64(&r, td_sim_time_on(s, cpu));
    td_sim_record_u64(&r, td_sim_event_id(e));
    td_sim_record_u64(&r, e->id);
    td_sim_record_ids(s, e, cpu, &r);
    td_sim_ring_put(s, e, cpu, &r);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

/* Makes a record for an event; false: the event does not want it. */
typedef bool make_fn(const struct td_sim *, const struct td_sim_event *, const struct td_sim_task *,
                     const struct td_sim_task *parent, uint64_t time, struct td_sim_record *);

static bool make_name(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_task *t,
                      const struct td_sim_task *parent, uint64_t time, struct td_sim_record *r)
{
    (void)s;
    (void)parent;
    (void)time;
    td_sim_record_begin(r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
    td_sim_record_u32(r, (uint32_t)t->pid);
    td_sim_record_u32(r, (uint32_t)t->tid);
    td_sim_record_text(r, t->name);
    return e->comm;
}

static bool make_mapping(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_task *t,
                         const struct td_sim_task *parent, uint64_t time, struct td_sim_record *r)
{
    const struct td_sim_image *i = td_sim_work_image(&s->hw.works, t->runner.work);

    (void)parent;
    (void)time;
    if (!e->mmap || !i)
        return false;
    td_sim_record_begin(r, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
    td_sim_record_u32(r, (uint32_t)t->pid);
    td_sim_record_u32(r, (uint32_t)t->tid);
    td_sim_record_u64(r, i->start);
    td_sim_record_u64(r, i->size);
    for (size_t k = 0; k < 4; k++) /* the offset; device, inode and its generation */
        td_sim_record_u64(r, 0);
    td_sim_record_u32(r, READ_EXECUTE);
    td_sim_record_u32(r, PRIVATE);
    td_sim_record_text(r, i->path);
    return true;
}

static bool make_task(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_task *t,
                      const struct td_sim_task *parent, uint64_t time, struct td_sim_record *r)
{
    (void)s;
    td_sim_record_begin(r, parent ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 0);
    td_sim_record_u32(r, (uint32_t)t->pid);
    td_sim_record_u32(r, parent ? (uint32_t)parent->pid : (uint32_t)t->pid);
    td_sim_record_u32(r, (uint32_t)t->tid);
    td_sim_record_u32(r, parent ? (uint32_t)parent->tid : (uint32_t)t->tid);
    td_sim_record_u64(r, time);
    return e->task_records;
}

/* Only events of CPUs are told the other task: perf_event_switch_output() in Linux. */
static bool make_switch(const struct td_sim_event *e, const struct td_sim_task *other, uint16_t misc,
                        struct td_sim_record *r)
{
    td_sim_record_begin(r, e->task ? PERF_RECORD_SWITCH : PERF_RECORD_SWITCH_CPU_WIDE, misc);
    if (!e->task) {
        td_sim_record_u32(r, other ? (uint32_t)other->pid : 0);
        td_sim_record_u32(r, other ? (uint32_t)other->tid : 0);
    }
    return e->switches;
}

static bool make_in(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_task *t,
                    const struct td_sim_task *before, uint64_t time, struct td_sim_record *r)
{
    (void)s;
    (void)t;
    (void)time;
    return make_switch(e, before, 0, r);
}

static bool make_out(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_task *t,
                     const struct td_sim_task *after, uint64_t time, struct td_sim_record *r)
{
    const bool preempted = t && td_sim_task_preempted(t);

    (void)s;
    (void)time;
    return make_switch(e, after, PERF_RECORD_MISC_SWITCH_OUT | (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0),
                       r);
}

/* Makes the record for those events of a context that want it and are neither switched off nor of another CPU
 * (event_filter_match()). */
static void tell(struct td_sim *s, const struct td_sim_context *c, unsigned cpu, make_fn *make,
                 const struct td_sim_task *t, const struct td_sim_task *parent)
{
    struct td_sim_record r;

    for (const struct td_sim_event *leader = c->first; leader; leader = leader->next)
        for (const struct td_sim_event *e = leader; e; e = e->sibling)
            if (e->state >= TD_SIM_INACTIVE && (e->cpu < 0 || (unsigned)e->cpu == cpu) && td_sim_ring_has(e) &&
                make(s, e, t, parent, td_sim_time_on(s, cpu), &r)) {
                td_sim_record_ids(s, e, cpu, &r);
                td_sim_ring_put(s, e, cpu, &r);
            }
}

/* Makes the record for the events of the task that it happens to, and for those of its CPU. */
static void tell_all(struct td_sim *s, const struct td_sim_task *who, make_fn *make, const struct td_sim_task *t,
                     const struct td_sim_task *parent)
{
    unsigned cpu = who->cpu >= 0 ? (unsigned)who->cpu : 0;

    while (who->cpu < 0 && !td_sim_cpu_online(&s->hw, (int)cpu) && cpu + 1 < s->hw.ncpus)
        cpu++; /* it waits for a CPU */
    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    tell(s, &who->events, cpu, make, t, parent);
    tell(s, &s->counting[cpu].events, cpu, make, t, parent);
}

void td_sim_record_exec(struct td_sim *s, const struct td_sim_task *t)
{
    tell_all(s, t, make_name, t, NULL);
    tell_all(s, t, make_mapping, t, NULL);
}

void td_sim_record_task(struct td_sim *s, const struct td_sim_task *t, const struct td_sim_task *parent)
{
    tell_all(s, parent ? parent : t, make_task, t, parent);
}

void td_sim_record_switch(struct td_sim *s, unsigned cpu, const struct td_sim_task *other, bool out)
{
    const struct td_sim_task *t = s->tasks.on[cpu];

    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    if (t)
        tell(s, &t->events, cpu, out ? make_out : make_in, t, other);
    tell(s, &s->counting[cpu].events, cpu, out ? make_out : make_in, t, other);
}
