/* SPDX-License-Identifier: MIT */
/* What to count: CPUs, tasks and cgroups as units, grouped in lanes. */
#ifndef TD_SCOPES_H
#define TD_SCOPES_H

#include "core/counts/reading.h"
#include "core/counts/scope_kind.h"
#include "live/perf/perf.h"
#include "live/switches.h"

struct td_meter;

/* A scope on one kind of core: what its units counted, added up. */
struct td_lane {
    char *name;
    enum td_scope_kind kind;
    char core; /* 'P', 'E', 'L' on hybrids, else 0 */
    size_t pmu;
    bool broken; /* a sibling is gone, and its formulas have no meaning without it */
    bool restarted; /* a counter overflowed since the last reading: a new epoch */
    uint32_t changes; /* how often its units were lost or opened again */
    uint64_t missed; /* time for which units were not counted, though their CPUs may have been online, ns */
    struct td_perf_event *past; /* by event, what lost units had counted; NULL: none was lost */
    struct td_switches switches; /* those of its tasks when counting began */
    struct td_reading before, now;
};

/* A CPU, task or cgroup with its own counters. */
struct td_unit {
    size_t lane, pmu;
    struct td_perf_target target;
    pid_t process; /* its threads are all measured, including this one; 0: it is measured alone, or is no task */
    struct td_perf_unit perf; /* its events and counts, for any source; .event NULL: it is not open */
    void *own; /* what else its source holds for it */
    bool gone; /* its CPU went offline; its counts until then are kept */
    bool lost; /* its CPU went offline since the last reading */
    bool refused; /* it cannot be opened again */
};

struct td_scopes {
    struct td_lane *lane;
    size_t nlanes;
    struct td_unit *unit;
    size_t nunits;
    int *cgroup; /* their descriptors */
    size_t ncgroups;
    bool tasks, all_cpus; /* tasks, or all CPUs that were online */
    bool whole_core; /* the scopes hold all siblings of their cores */
    bool core_clock; /* the scopes hold all siblings of their cores, and each core has two */
};

/* Finds the lanes and units for what is asked, on the meter's PMUs. */
int td_scopes_find(struct td_meter *, const struct td_live *);
/* Whether another unit of that CPU, as each cgroup has one, is lost, or else is read: then that has been noted. */
bool td_scopes_same_cpu(const struct td_scopes *, const struct td_unit *, bool lost);
/* A unit's CPU went offline: notes it, once for each CPU; everything else is still measured. */
void td_scopes_lost(struct td_meter *, struct td_unit *);
/* Whether any unit is left to be read. */
bool td_scopes_any(const struct td_scopes *);
/* Free the units, which are closed; and the lanes, whose names sums use. */
void td_scopes_free_units(struct td_scopes *, const struct td_os *);
void td_scopes_free_lanes(struct td_scopes *);

#endif
