/* SPDX-License-Identifier: MIT */
/* Which copies of its events each metric of a selection uses, and so which metrics
 * are computed together. */
#ifndef TD_COPIES_H
#define TD_COPIES_H

#include "core/counts/hints.h"
#include "core/choice/select.h"

/* An event of a solution. */
struct td_use {
    uint32_t event;
    int32_t copy; /* index in the counts, -1: it was not recorded */
    bool needed, correction; /* what it is used as, which may be both */
};

/* Metrics that take their events from the same copies: those that the recording tool
 * used where that is known, else those of one group as far as it has them, and the
 * rest from other groups. */
struct td_solution {
    int64_t line; /* index of the copy that the metrics were printed beside, -1: none */
    uint32_t need; /* with a line: what all its metrics need, an index in td_selection.need */
    uint16_t group;
    uint8_t modes;
    size_t uses, nuses; /* its events: where they begin in td_choice.use, and how many there are */
    size_t run, nrun; /* its definitions in order, likewise in td_choice.run */
    size_t steady; /* the first so many of these have the same value in each interval: td_steady_find() */
    size_t metrics, nmetrics; /* its metrics, likewise in td_choice.metric */
    bool lacks_field; /* one of the four fields of level 1 was not recorded */
};

struct td_choice {
    struct td_solution *solution;
    size_t nsolutions, solutions_room;
    struct td_use *use;
    size_t nuses, uses_room;
    uint32_t *run;
    size_t nrun, run_room;
    uint32_t *metric; /* metrics of the selection, sorted by solution */
    size_t metrics_room;
    bool shares; /* a part of the choice depends on shares of time */
    double *share; /* by copy: the shares that were used */
    size_t shares_room;
    size_t made; /* another number for each choice */
    struct td_choice_work *work; /* used only while choosing */
};

/* Chooses for a layout, which is that of the counts. -ENOMEM. */
int td_choice_make(struct td_choice *, const struct td_selection *, const struct td_layout *, const struct td_counts *,
                   const struct td_hints *);
/* Chooses again what depends on shares of time, where these have changed. -ENOMEM. */
int td_choice_follow(struct td_choice *, const struct td_selection *, const struct td_layout *,
                     const struct td_counts *, const struct td_hints *);
void td_choice_free(struct td_choice *);
/* Whether two copies were counted over the same time. */
bool td_copies_together(const struct td_count *, const struct td_count *);

#endif
