/* SPDX-License-Identifier: MIT */
/* Events of the simulated kernel, their groups, and the contexts that hold them. */
#ifndef TD_EVENT_H
#define TD_EVENT_H

#include "sim/machine/core_pmu.h"

#include <linux/perf_event.h>

enum { TD_SIM_TSC = 1 << 16 }; /* in place of the number of a software event: msr/tsc/ */
enum { TD_SIM_FORMAT_LOST = 1 << 4 }; /* PERF_FORMAT_LOST, which headers before Linux 6.0 lack */

struct td_sim_event;

/* What an event has that samples. Counts here are multiplied by TD_PMU_WHOLE, modulo 2^64. */
struct td_sim_sampler {
    uint64_t period; /* 0: the event takes no samples, or nobody gets them (the watchdog's) */
    uint64_t target; /* the count at which it overflows next */
    uint64_t current; /* the period that ends at target */
    uint64_t last; /* the period that ended last */
    uint64_t freq; /* attr.sample_freq: the period is adapted to so many samples a second; 0: it is not */
    /* when it was adapted last: the count at a tick, the time of an overflow */
    uint64_t stamp_count, stamp_time, stamp_tick;
    uint64_t type; /* attr.sample_type */
    uint64_t taken; /* samples so far */
    uint64_t tick; /* the timer tick of the last overflow */
    unsigned in_tick; /* overflows since that tick */
    bool precise; /* attr.precise_ip: PEBS records are what it samples */
    bool throttled; /* its counter is stopped until the next tick */
    bool resumed; /* it was throttled until it got a counter anew, and no record says so yet */
};

/* What those heirs of an event counted that have ended. */
struct td_sim_ended {
    uint64_t count, enabled, running;
};

/* Events of a CPU or of a task: leaders in the order in which they are tried. */
struct td_sim_context {
    struct td_sim_event *first;
    bool rotate; /* one of them found no counter */
};

struct td_sim_event {
    int fd; /* -1: it has none, being only mapped, the kernel's own, or an heir */
    uint64_t id;
    enum { TD_SIM_SOFT, TD_SIM_COUNT, TD_SIM_SLOT, TD_SIM_FIELD } kind;
    size_t pmu; /* TD_SIM_NONE: a software event */
    size_t index; /* of an ordinary event (TD_SIM_NONE: no workload has it), or field */
    uint64_t software; /* the config of a software event */
    uint64_t mask; /* counters that can hold it */
    uint64_t extra; /* what it needs in an extra register of the core */
    enum { TD_SIM_NO_EXTRA, TD_SIM_FRONTEND, TD_SIM_OFFCORE, TD_SIM_EXTRAS } in; /* MSR 0x3f7; 0x1a6 or 0x1a7 */
    int cpu; /* or -1 */
    struct td_sim_task *task; /* or NULL */
    size_t cgroup; /* its cgroup's number plus 1; 0: it is of no cgroup */
    unsigned made; /* how often the cgroup's folder had been made when it was opened */
    struct td_sim_event *leader, *sibling; /* sibling: the next of the group */
    struct td_sim_event *next; /* of a leader: the next leader in the context */
    /* of an heir, which a task got when it was born: the event that was opened; else NULL */
    struct td_sim_event *parent;
    struct td_sim_event *heirs; /* its first heir */
    struct td_sim_event *brother; /* the next heir of the same parent */
    struct td_sim_ended ended;
    struct td_sim_context *context; /* NULL: the event was removed from it */
    enum { TD_SIM_EXIT = -3, TD_SIM_ERROR = -2, TD_SIM_OFF = -1, TD_SIM_INACTIVE = 0, TD_SIM_ACTIVE = 1 } state;
    bool pinned, on_exec, sampling, user, kernel, wanted; /* user, kernel: it counts in that mode */
    struct td_sim_sampler sampler;
    /* attr.sample_id_all, comm, mmap or mmap2, task, context_switch */
    bool id_all, comm, mmap, task_records, switches;
    struct td_sim_event *output; /* PERF_EVENT_IOC_SET_OUTPUT: its records go to that event's ring; NULL: its own */
    size_t writers; /* how many events have this one as output */
    int rings; /* the set of rings that it is in; 0: none */
    uint64_t watermark; /* attr.wakeup_watermark, in bytes of its ring; 0: half of it */
    unsigned wakes_after; /* attr.wakeup_events: after how many samples it wakes; 0: their number does not matter */
    uint64_t format;
    uint64_t count, raw; /* the value is count + raw / TD_PMU_WHOLE */
    uint64_t start; /* of raw, while active */
    uint64_t enabled, running, since; /* ns */
    unsigned counter; /* while active: the number of its counter's bit */
    uint64_t offset; /* the value minus what the counter shows; unused for metrics and their slots */
    unsigned width; /* bits of the counter, as in the page */
    bool readable; /* an instruction can read it */
    bool inherit;
    struct td_sim_page *page; /* NULL: not mapped */
    /* only of a leader */
    bool topdown, fresh;
    uint64_t slots, metrics; /* the registers as they were saved */
};

/* A metric, or slots that lead metrics: both registers are saved and restored, not counted from a start value. */
static inline bool td_sim_event_is_topdown(const struct td_sim_event *e)
{
    return e->kind == TD_SIM_FIELD || (e->kind == TD_SIM_SLOT && e->leader->topdown);
}

/* The event's id; heirs have that of the event that was opened: primary_event_id() in Linux. */
static inline uint64_t td_sim_event_id(const struct td_sim_event *e)
{
    return e->parent ? e->parent->id : e->id;
}

#endif
