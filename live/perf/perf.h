/* SPDX-License-Identifier: MIT */
/* The source "perf": the groups of a plan, opened by perf_event_open(2) for one
 * CPU, task or cgroup, and read with one read(2) each. */
#ifndef TD_PERF_H
#define TD_PERF_H

#include "live/host/host.h"
#include "live/plan/plan.h"

/* One in so many occurrences of an event is sampled, so that all weigh the same. It is a prime, which keeps step with
 * no loop. */
enum { TD_LATENCY_PERIOD = 10007 };

/* Why the plan of a PMU has its form. */
enum td_perf_choice {
    TD_PERF_AS_ASKED, /* the best form there is, or the one that was asked for */
    TD_PERF_EXACT, /* ordinary events, because for tasks the metrics register would not be exact */
    TD_PERF_INEXACT, /* the metrics register, although for tasks it is not exact */
};

/* A PMU of this machine, with the plan for its kind of core. */
struct td_perf_pmu {
    const struct td_host_pmu *host;
    struct td_forms *forms;
    uint64_t *config; /* by event of the row: the row's own config, or the kernel's of its topdown-* events */
    uint32_t tsc_type; /* perf_event_attr.type of the time stamp counter, unless it is absent */
    struct td_bits absent; /* events that this kernel does not offer */
    struct td_plan plan;
    enum td_perf_choice choice;
};

/* Sets up a PMU, with its config and absent. -ENOMEM. */
int td_perf_pmu_init(struct td_perf_pmu *, const struct td_host *, const struct td_host_pmu *, struct td_forms *);
void td_perf_pmu_free(struct td_perf_pmu *);

/* How everything is opened. */
struct td_perf_ask {
    const struct td_os *os;
    bool inherit, on_exec, no_user, no_kernel;
    bool clocks; /* open td_perf_unit.clock too: for tasks on a hybrid */
    bool user_read; /* the task will read the counters by an instruction */
    bool sample; /* sample the retire latencies of the plan's events that have them */
    unsigned only; /* of the groups that take turns open this one, from 1 on; 0: all */
};

/* Whom one unit counts: a task (-1: every one), on a CPU (-1: any), of a cgroup (a descriptor; -1: of any). */
struct td_perf_target {
    pid_t pid;
    int cpu, cgroup;
};

struct td_perf_event {
    int fd; /* -1: not open */
    enum td_status status; /* TD_OK or TD_NOT_SUPPORTED */
    uint64_t value, enabled, running;
};

/* The events of a plan, group by group, for one target. */
struct td_perf_unit {
    struct td_perf_target target;
    const struct td_perf_pmu *pmu;
    unsigned only; /* td_perf_ask.only */
    struct td_perf_event *event;
    size_t n; /* number of events: td_perf_events() */
    struct td_perf_event *again; /* the first group's further places: td_plan_again() times its events */
    struct td_perf_event *fresh; /* the same events, in a reading that is not complete yet */
    int unsampled; /* -errno: why an event that was to be sampled only counts; 0: there is none */
    struct td_group_values *values; /* room for what read(2) returns for the largest group */
    size_t most; /* how many values it has room for */
    /* What the last reading found of a pinned first group: it has lost its counters to others, here or in a thread or
     * child that inherited it; since then its kernel's time is less than that of the other groups. */
    bool lost, lost_below, behind;
    /* For a task on a hybrid: an event that always runs while the task is on this
     * kind of core (-1: none), whether it was ever read, and how long that was: 0 where the task never was on it. */
    int clock;
    bool clocked;
    uint64_t on_core;
};

/* Which call failed, and for which event. */
struct td_perf_error {
    int err;
    const char *call; /* "perf_event_open", "read", "ioctl" */
    const char *event; /* the row's name, or NULL */
    struct td_perf_target target;
    uint64_t config;
    bool too_big; /* the event can be opened alone, but not in its group */
    bool cgroup; /* it can be opened without the cgroup */
    bool detached; /* the kernel has taken the group apart: its CPU went offline */
};

size_t td_perf_events(const struct td_plan *);
/* Has a first group that lost its counters counted again, as soon as they are free. */
void td_perf_revive(const struct td_perf_unit *, const struct td_os *);
/* The attr of an event of the row, whatever group it is in; leads: as the leader of a group that takes turns. It
 * samples nothing. */
void td_perf_attr_of(const struct td_perf_ask *, const struct td_perf_pmu *, const struct td_perf_target *,
                     unsigned event, bool leads, struct perf_event_attr *out);
/* Makes the event sample one occurrence in TD_LATENCY_PERIOD, as PEBS records with the retire latency. */
void td_perf_attr_sample(struct perf_event_attr *);
/* The attr of the i-th event of group g. leads: it is the first event of its group that was opened. */
void td_perf_attr(const struct td_perf_ask *, const struct td_perf_pmu *, const struct td_perf_target *, size_t g,
                  size_t i, bool leads, struct perf_event_attr *out);
/* Opens a unit. Events that this kernel or PMU does not know become TD_NOT_SUPPORTED; any other failure is an error,
 * with nothing left open. */
int td_perf_open(struct td_perf_unit *, const struct td_perf_ask *, const struct td_perf_pmu *,
                 const struct td_perf_target *, struct td_perf_error *);
int td_perf_enable(const struct td_perf_unit *, const struct td_os *, bool on, struct td_perf_error *);
/* Zeroes the counts, and the registers that metric events read. */
int td_perf_reset(const struct td_perf_unit *, const struct td_os *, struct td_perf_error *);
/* One read(2) for each group. A failure changes nothing in event. */
int td_perf_read(struct td_perf_unit *, const struct td_os *, struct td_perf_error *);
/* Closes members before their leader: the kernel puts a metric event without one into
 * an error state (PERF_EV_CAP_SIBLING, include/linux/perf_event.h). */
void td_perf_close(struct td_perf_unit *, const struct td_os *);

/* True if the events that could be opened give every level-1 metric; also false if out of memory. */
bool td_perf_solves(const struct td_perf_unit *, bool fixed);

#endif
