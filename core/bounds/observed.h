/* SPDX-License-Identifier: MIT */
/* The groups that hold the copies of a solution, what was seen of the program
 * through each, and how far metrics depend on each: what their likely bounds are made of. */
#ifndef TD_OBSERVED_H
#define TD_OBSERVED_H

#include "core/choice/copies.h"
#include "core/bounds/measured.h"
#include "core/formula/tape.h"

/* Copies that were counted over the same time. */
struct td_seen_group {
    size_t copy; /* one of them, in the counts */
    struct td_likely_windows windows;
};

struct td_seen_metric {
    size_t at, n; /* the groups of the events that it uses, in td_seen.of */
    bool uncounted; /* it uses a copy that counted nothing */
    bool tried; /* how far each group moves it matters */
};

/* What a group moves, in td_seen.path: leaves, then operations, then metrics. */
struct td_seen_trial {
    size_t at, nleaves, nops, nmetrics;
};

/* Of one solution; kept from interval to interval. Zeroed to begin with. */
struct td_seen {
    size_t made; /* td_choice.made of: */
    struct td_seen_group *group;
    size_t n, room;
    bool lasts; /* an interval like this one has the same groups */
    uint32_t *group_of; /* by use; UINT32_MAX: it counted nothing */
    uint64_t *omitted; /* words of td_seen_solution.omitted */
    struct td_seen_metric *metric;
    uint32_t *of; /* the groups of each metric */
    size_t nof, of_room, uses_room, omitted_room, metrics_room;
    bool tries; /* metrics are tried; if this is planned, by: */
    bool planned;
    struct td_tape tape; /* of the metrics that are tried */
    struct td_sides *cells; /* of the tape: as they are, and while counts are changed */
    struct td_seen_trial *trial; /* by group */
    uint32_t *path;
    bool *moved; /* by cell, while they are planned */
    double *pull; /* td_likely_pull(), by metric of the solution, then by group */
    size_t cells_room, trials_room, path_room, moved_room, pulls_room;
    struct td_likely_group *asked; /* room for those of one metric */
    size_t asked_room;
    double uneven; /* td_likely_group.uneven */
    enum td_likely_why why; /* what is not known for all of them */
};

/* A solution whose cells are filled. */
struct td_seen_solution {
    const struct td_use *use;
    size_t nuses;
    const struct td_counts *counts;
    size_t made; /* td_choice.made */
    const struct td_bits *omitted; /* corrections that were left out */
    const struct td_program *program;
    const uint32_t *run; /* definitions in order */
    size_t nrun;
    const struct td_val *cells;
    const size_t *metric; /* cells of its metrics */
    const bool *limited; /* whether their values have limits */
    size_t nmetrics;
    bool likely; /* td_seen_try() is to follow */
};

/* Whether the groups that were found for an interval before are those of this one, whose metrics need not be given. */
bool td_seen_stands(const struct td_seen *, const struct td_seen_solution *);
/* Finds the groups. -ENOMEM. */
int td_seen_find(struct td_seen *, const struct td_seen_solution *);
/* The least running / enabled of the groups of the metric-th of the solution's metrics; NAN: it has none. */
double td_seen_coverage(const struct td_seen *, const struct td_seen_solution *, size_t metric);
/* Finds what was seen of the program through each. busiest: slots that can pass in a ns of a group's time on one CPU,
 * over those that did; NAN: not known. */
void td_seen_times(struct td_seen *, const struct td_seen_solution *, const struct td_taken *, double busiest);
/* Then finds how far the metrics depend on each group, where there are several. */
void td_seen_try(struct td_seen *, const struct td_seen_solution *);
/* Then likely bounds of a metric.
 * most: the metric is between 0 and this; HUGE_VAL: it has no limits. bounds: in, its range if all had been
 * counted; out, the bounds, if GIVEN. parts: those of this metric in
 * td_taken, or NULL. */
enum td_likely_why td_seen_bounds(const struct td_seen *, size_t metric, double most, const double *parts,
                                  size_t nparts, struct td_range *bounds);
/* How many of a metric's parts can be used: all or none, as without a part of the counts it may have no value. NULL:
 * none. */
size_t td_seen_usable(const double *parts, size_t n);
void td_seen_free(struct td_seen *);

#endif
