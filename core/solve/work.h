/* SPDX-License-Identifier: MIT */
/* One interval while it is solved: what the steps of td_solve() share. */
#ifndef TD_WORK_H
#define TD_WORK_H

#include "core/solve/solve.h"

/* How far outside 0 to 1 a share of slots may be and still be shown, with a flag; further out it is TD_IMPOSSIBLE
 * (tdprobe-metrics(7)). Counts of one group begin and end some cycles apart. */
#define TD_SLACK 0.05

/* One interval, and of its solutions the one at hand. */
struct td_work {
    struct td_solving *s;
    const struct td_selection *sel;
    const struct td_program *p;
    const struct td_counts *counts;
    const struct td_solve_ask *ask;
    struct td_result *out;
    struct td_bits omitted; /* its corrections that were left out */
    bool complete; /* all its events were counted over the same time, except corrections that were left out */
    bool partly; /* some of its events were counted for part of the time only */
    bool omits; /* corrections were left out, in any solution */
    bool assumes; /* latencies of the solution at hand are published means: td_solving.assumed */
    bool samples; /* the same for td_solving.sampled, means */
    bool no_slots, sum_off, sum_absurd;
    double off; /* td_likely_sum_off() of level 1 */
    int rest; /* the field of level 1 that was not recorded, and is what the others leave of the slots; -1: none */
    double wasted; /* slots, by bad speculation without terms that were left out; NAN: not known yet (corrections.c) */
    bool sum_apart; /* in a sum: its slots and its fields were not counted in the same intervals */
    bool alone; /* of one thread's part of a core: with the sibling always running, shares would be beyond 0 to 1 */
    bool tries_siblings; /* td_solving.siblings holds, of the solution at hand */
    struct td_seen *seen; /* unless it is complete; of: */
    struct td_seen_solution look;
    /* whether the error of the metrics register's restores is known: then it is in the cells */
    enum td_likely_why restored;
};

static inline const struct td_count *td_work_copy(const struct td_work *w, const struct td_use *u)
{
    return u->copy < 0 ? NULL : &w->counts->c[u->copy];
}

/* The value of a definition; NULL: it has none. */
static inline const struct td_val *td_work_value(const struct td_work *w, int def)
{
    const struct td_val *v = def < 0 ? NULL : &w->s->cells[td_def_cell(w->p, (size_t)def)];

    return v && v->state == TD_VAL_OK ? v : NULL;
}

/* The slots; where they were not recorded, the four fields of the metrics register are all of them. NULL: neither. */
static inline const struct td_val *td_work_slots(const struct td_work *w)
{
    const struct td_val *slots = td_work_value(w, w->sel->form->slots);

    return slots ? slots : td_work_value(w, w->sel->form->sum);
}

/* The metric-th of a solution, as it was asked for, and what it was evaluated to. */
static inline const struct td_asked *td_work_asked(const struct td_work *w, const struct td_solution *s, size_t metric)
{
    return &w->sel->asked[w->s->choice.metric[s->metrics + metric]];
}

static inline struct td_val *td_work_metric(const struct td_work *w, const struct td_solution *s, size_t metric)
{
    return &w->s->cells[td_work_asked(w, s, metric)->cell];
}

/* The i-th set in td_solving.words. The first ones are of the interval, then come
 * one for each solution, its corrections that were left out, and another one: those when td_lacking_find() last looked.
 */
enum {
    TD_WORK_BLOCKED,
    TD_WORK_LEFT_OUT,
    TD_WORK_NAMED,
    TD_WORK_USED,
    TD_WORK_ASSUMED,
    TD_WORK_SAMPLED,
    TD_WORK_MEANS,
    TD_WORK_SETS
};

static inline struct td_bits td_work_set(const struct td_solving *s, size_t words, size_t i)
{
    return (struct td_bits){s->words + i * words, words};
}

/* Makes the i-th solution the one at hand. */
static inline const struct td_solution *td_work_take(struct td_work *w, size_t i)
{
    w->omitted = td_work_set(w->s, td_bits_words(w->out->uarch->nevents), TD_WORK_SETS + i);
    return &w->s->choice.solution[i];
}

/* What is known of the machine and the interval, as values of the program (load.c). */
void td_load_inputs(struct td_work *);
/* Whether the scope is a part of a core whose siblings were, or may have been, online (load.c). */
bool td_load_shares_core(const struct td_work *);
/* Whether counts of a core may be those of one of its two threads alone, for forms of EBS (load.c). */
bool td_load_one_sibling(const struct td_work *);
/* Which corrections must be left out because they were counted at other times (load.c). */
void td_load_blocked(struct td_work *);
/* The counts of a solution, as values (load.c). error: in slots, what fields of the
 * metrics register have in addition to the error of their counts. */
void td_load_counts(struct td_work *, const struct td_solution *, double error);
/* Finds what the metrics of a solution would be if sibling threads were otherwise, as far as they are not known; the
 * cells stay as they are (siblings.c). -ENOMEM. */
int td_siblings_try(struct td_work *, const struct td_solution *);
/* Where it is not known which scales raw counts have: evaluates a solution with the others, by which the cells then
 * are, and adds what its metrics would be to the above. Whether there are others; then td_siblings_unscale() evaluates
 * it again with those assumed. After td_siblings_try(). */
bool td_siblings_scale(struct td_work *, const struct td_solution *);
void td_siblings_unscale(struct td_work *, const struct td_solution *);
/* The most that a metric can be: of a node 1, of a bottleneck, in percent of the slots, 100; HUGE_VAL: it has no limits
 * (metric.c). */
double td_fill_most(const struct td_node *);
/* The i-th metric asked for, the metric-th of the solution at hand: its status,
 * value, flags and bounds (metric.c). */
void td_fill_metric(struct td_work *, size_t i, size_t metric);
/* Evaluates a solution again with each set of the correction terms that were left out, at the most that they are likely
 * to be, and calls seen() after each; not known: nothing is known of some of them, and the cells show only which way
 * they move a metric. The cells stay as they are (corrections.c). */
typedef void td_lacking_fn(struct td_work *, const struct td_solution *, bool known);
void td_lacking_each(struct td_work *, const struct td_solution *, td_lacking_fn *seen);
/* Finds what of a solution lacks correction terms that were left out, after its counts were loaded, for those below, in
 * the room that td_lacking_reserve() has made for the choice at hand (corrections.c); -ENOMEM. */
int td_lacking_reserve(struct td_solving *);
void td_lacking_find(struct td_work *, const struct td_solution *);
/* Finds what the metrics of a solution may be by the correction terms that were left out; the cells stay as they are
 * (corrections.c). */
void td_lacking_try(struct td_work *, const struct td_solution *);
/* The name of the formula, with the corrections that metrics lack (corrections.c). -ENOMEM. */
int td_lacking_name(struct td_work *);

#endif
