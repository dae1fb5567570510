/* SPDX-License-Identifier: MIT */
/* The members of struct td_result, which is opaque in tdprobe.h. */
#ifndef TD_RESULT_H
#define TD_RESULT_H

#include "core/counts/counts.h"
#include "core/extent.h"

/* Whether a metric's threshold may hold, by its bounds, and whether it holds for certain. */
enum { TD_JUDGED_MAY = 1, TD_JUDGED_MUST = 2 };

enum { TD_LATENCY_TABLES = 4 /* most tables of latencies that one CPU has */ };

/* Zeroed to begin with; what td_solve() fills in is valid until the next td_solve()
 * with the same forms or the same result. */
struct td_result {
    struct td_extent at;
    const struct td_uarch *uarch;
    const struct td_backend *backend;
    bool summary;
    bool printed; /* its metrics are percentages that a tool printed, and there are no counts */
    bool smt_unknown; /* it is not recorded whether SMT was on; td_set_smt() can tell */
    bool several_cpus; /* its counts may be of several CPUs, though its scope is called a CPU or a command */
    bool waits; /* waited is known */
    uint64_t waited; /* ns */
    const char *cpu, *formula;
    unsigned flags; /* all flags */
    unsigned common; /* flags that hold for each metric */
    double coverage;
    double slots; /* td_result_slots() */
    const char *const *corrections; /* events of corrections that were left out */
    size_t ncorrections;
    const char *const *contradictions; /* td_result_contradiction() */
    size_t ncontradictions;
    bool too_wide; /* one of these shows that the slots are not of this CPU */
    bool
        sum_near; /* level 1 is of the metrics register, and off the slots by no more than td_likely_sum_off() covers */
    const char *latency[TD_LATENCY_TABLES]; /* tables whose published means stand in metrics; NULL after the last */
    struct td_metric *metrics;
    const struct td_node **nodes; /* by metric: its node */
    const uint32_t *family; /* by metric: a number that siblings share */
    bool *per_cpu; /* by metric: whether its formula is for counts of one CPU; NULL: td_solve() has not made this */
    /* TD_JUDGED_*, of each metric, where metrics beyond the usual levels were asked for; else NULL */
    const unsigned char *judged;
    double *lacks; /* by metric: by how much the terms that its formula lacks may move it; NULL: as per_cpu */
    const struct td_metric **among, **path; /* memory for these members of the verdict */
    struct td_given *given;
    size_t nmetrics, metrics_room, nodes_room, per_cpu_room, lacks_room, among_room, path_room;
    const struct td_counts *counts;
    uint8_t modes; /* those of the counts as a whole: td_layout.modes */
    const char *const *texts; /* names of the counts, by td_count.text */
};

/* What functions of a result return pointers to. */
struct td_given {
    struct td_verdict verdict;
    struct td_event_count count;
};

/* Room for n metrics. -ENOMEM. */
int td_result_reserve(struct td_result *, size_t n);
void td_result_free(struct td_result *);

#endif
