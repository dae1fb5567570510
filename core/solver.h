/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the solver: choosing copies (bind.c), solving (solve.c). */
#ifndef TD_SOLVER_H
#define TD_SOLVER_H

#include "formula_code.h"
#include "solve.h"

enum { TD_FORMS_MAX = 8 };

/* A form, compiled, and where its program defines what the solver looks for (-1: nowhere). */
struct td_formcode {
    const struct td_form *form;
    struct td_program *p;
    int node[TD_NODES], slots, sum;
};

struct td_solver {
    const struct td_uarch *uarch;
    size_t nforms;
    struct td_formcode forms[TD_FORMS_MAX];
    uint64_t defined; /* nodes (bits of td_nodes[]) that any vendor's form defines */
};

/* Which copy of each event a metric uses: those that the recording tool took
 * where that is known, else those of one group as far as it has them, the rest
 * from other groups. */
struct td_binding {
    const struct td_counts *counts;
    uint64_t blocked; /* corrections that were not counted over the same time */
    uint64_t omitted; /* corrections that a run left out */
    uint64_t partial; /* events whose copy was counted for part of the time only */
    uint64_t counted; /* events whose copy was counted at all */
    int16_t line; /* index of the copy that the metric was printed on, -1: of none */
    uint16_t group;
    uint8_t modes;
    int16_t copy[TD_EVENTS_MAX]; /* index in counts, -1: not recorded */
};

/* The best group for a metric with these events: the one that has most of
 * what is needed, then of the corrections, then the smallest (the one that was
 * opened for this metric), then the first. */
void td_binding_choose(struct td_binding *, const struct td_counts *, uint64_t needs, uint64_t corrections);
/* The copies that perf took for node n of td_nodes[], by the line on which it
 * printed the metric. false: it is on no line, or on several. */
bool td_binding_by_line(struct td_binding *, const struct td_counts *, size_t node);
/* true: they choose the same copies of all events */
bool td_binding_same(const struct td_binding *, const struct td_binding *);
/* true: both were counted over the same time */
bool td_binding_together(const struct td_binding *, unsigned event, unsigned other);
/* The least running / enabled over events, NAN where there is none. */
double td_binding_coverage(const struct td_binding *, uint64_t events);
/* A td_event_value_fn over struct td_binding */
struct td_val td_binding_value(void *ctx, int event, bool correction);

#endif
