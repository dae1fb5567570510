/* SPDX-License-Identifier: MIT */
/* Measuring this machine: shared by what to count (live_scopes.c), opening it
 * (live_open.c), reading it (live_read.c) and the API (live.c). */
#ifndef TD_LIVE_H
#define TD_LIVE_H

#include "obstacle.h"
#include "perf.h"
#include "session.h"
#include "trace.h"
#include "trace_write.h"

/* A scope on one kind of core: what its units counted, added up. */
struct td_lane {
    char *name;
    const char *kind;
    char core; /* 'P', 'E', 'L' on hybrids, else 0 */
    size_t pmu;
    bool broken; /* a sibling is gone, without which its formulas say nothing */
    bool restarted; /* a counter overflowed since the last reading: a new epoch */
    struct td_reading before, now;
};

struct td_live_unit {
    size_t lane, pmu;
    struct td_perf_target target;
    struct td_perf_unit perf; /* .event NULL: not open */
    bool gone; /* its CPU went offline: what it had counted stays */
    struct td_live_msr *msr; /* with the source msr, whose counts are in perf.event as well */
};

struct td_liveset {
    struct td_host host;
    struct td_perf_pmu pmu[TD_HOST_PMUS]; /* those of the CPUs wanted */
    size_t npmus;
    struct td_perf_ask ask;
    bool tasks, all_cpus; /* tasks, or all CPUs that were online */
    bool whole_core; /* the scopes hold all siblings of their cores */
    bool core_clock; /* ... of which each core has two */
    bool lean; /* level 1 without the corrections, and what else costs nothing */
    struct td_lane *lane;
    size_t nlanes;
    struct td_live_unit *unit;
    size_t nunits;
    int *cgroup; /* descriptors */
    size_t ncgroups;
    bool opened;
    uint64_t start, time; /* of the first opening; of the last reading since then, ns */
    uint32_t epoch;
    bool told_starved, told_online; /* that a group never ran; that a CPU came that is not measured */
    uint64_t looked; /* when for such a CPU was last looked, ns */
    size_t next; /* lane whose interval is to be given next */
    char **plan; /* lines of td_plan_text() */
    size_t nplan;
    struct td_trace_writer writer;
};

/* The CPU's formulas, and the PMUs whose kind of core is to be measured. */
int td_live_find_pmus(struct td *);
/* The lanes and units of what is asked, for the PMUs of live. */
int td_live_find_scopes(struct td *, const struct td_live *);
/* Plans for each PMU, and opens all units with them; dry: plans only. */
int td_live_open_units(struct td *, const struct td_live *, bool dry);
/* The error (of the source msr) is said. */
int td_live_close_units(struct td *);
/* Writes the lines of td_plan_text(). */
int td_live_describe(struct td *);
/* Reads all units into the lanes' readings. */
int td_live_read(struct td *);
/* Its CPU went offline, which is told: the rest of what is measured goes on. */
void td_live_gone(struct td *, struct td_live_unit *);
/* The beginning of counting: readings of zero. */
int td_live_begin(struct td *);
/* Queues a trace's header, once. */
void td_live_trace_header(const struct td *, struct td_trace_writer *, const char *source);
/* Gives the intervals of the last reading, lane by lane; -EAGAIN behind the last. */
extern const struct td_reader td_reader_live;
void td_live_free(struct td *);

#endif
