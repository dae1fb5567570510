/* SPDX-License-Identifier: MIT */
/* The groups that hold the copies of a solution, what was seen of the program
 * through each, and how far metrics depend on each: what their likely bounds are made of. */
#ifndef TD_SEEN_H
#define TD_SEEN_H

#include "core/copies.h"
#include "core/taken.h"

/* Copies that were counted over the same time. */
struct td_seen_group {
    const struct td_count *copy; /* one of them */
    struct td_likely_windows windows;
    uint32_t first; /* of the uses that have it */
};

/* Zeroed to begin with. */
struct td_seen {
    struct td_seen_group *group;
    size_t n, room;
    uint32_t *next; /* the next use of the same group, by use; UINT32_MAX: none */
    size_t uses_room;
    double *pull; /* td_likely_pull(), by metric of the solution, then by group */
    size_t pulls_room;
    struct td_plain *plain; /* the cells' values, while counts are changed */
    bool *tried; /* by metric: the pulls of groups matter */
    uint64_t *defs; /* of a set: the definitions of these */
    uint32_t *wanted; /* the same, in order */
    size_t nwanted;
    uint32_t *part; /* those of them that depend on a group */
    uint32_t *group_of; /* by event; UINT32_MAX: none */
    uint64_t *words; /* of sets: the groups that each wanted definition depends on, and those of one metric */
    size_t plain_room, part_room, group_of_room, tried_room, defs_room, wanted_room, words_room;
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
    size_t nevents; /* of the row */
    const struct td_program *program;
    const uint32_t *run; /* definitions in order */
    size_t nrun;
    const struct td_val *cells;
    const size_t *metric; /* cells of its metrics */
    const bool *limited; /* whether their values have limits */
    size_t nmetrics;
};

/* Finds the groups. busiest: slots that can pass in a ns of a group's time on one CPU, over
 * those that did; NAN: not known. -ENOMEM. */
int td_seen_find(struct td_seen *, const struct td_seen_solution *, const struct td_taken *, double busiest);
/* Finds how far the metrics depend on each group, where there are several. -ENOMEM. */
int td_seen_try(struct td_seen *, const struct td_seen_solution *);
/* Likely bounds of the metric-th of the solution's metrics, which used these events.
 * most: the metric is between 0 and this; HUGE_VAL: it has no limits. bounds: in, its range if all had been
 * counted; out, the bounds, if GIVEN. parts: those of this metric in
 * td_taken, or NULL. */
enum td_likely_why td_seen_bounds(const struct td_seen *, const struct td_seen_solution *, size_t metric, const struct td_bits *used,
                                  double most, const double *parts, size_t nparts, struct td_range *bounds);
/* How many of a metric's parts can be used: all or none, as without a part of the counts it may have no value. NULL: none. */
size_t td_seen_usable(const double *parts, size_t n);
void td_seen_free(struct td_seen *);

#endif
