/* SPDX-License-Identifier: MIT */
/* The shares of level 1 of each scope over the time of a recording, and the phases that they show. */
#ifndef STATS_TIMELINE_H
#define STATS_TIMELINE_H

#include "include/tdprobe.h"
#include "util/scope_table.h"

struct td_timeline_scope {
    size_t nodes; /* how many level 1 has */
    double *value; /* [i * nodes + node]: the node's value in interval i */
    uint64_t *end; /* when interval i ended, ns since the recording began; 0: not known */
    uint64_t begin; /* when the first interval began */
    size_t n, room;
    size_t *first, phases; /* by td_timeline_cut(): the first interval of each phase */
};

/* Zeroed to begin with. */
struct td_timeline {
    struct td_timeline_scope *scope; /* by number in the table */
    size_t n, room;
    struct td_scope_table scopes;
};

/* Adds an interval to the line of its scope, unless a node of level 1 has no value in it. *taken (taken may be NULL)
 * gets the scope, valid until the next call, or NULL if the interval was not added. 0 or -ENOMEM. */
int td_timeline_add(struct td_timeline *, const struct td_result *, struct td_timeline_scope **taken);
/* Cuts each scope's line into phases, see td_phases(): in at most 5 of 100 scopes that have one phase, more are found.
 * 0 or -ENOMEM. */
int td_timeline_cut(struct td_timeline *);
/* The scope of a result; NULL: it was not added. Valid until the next td_timeline_add(). */
struct td_timeline_scope *td_timeline_find(const struct td_timeline *, const struct td_result *);
/* The id of a scope. */
const struct td_scope_id *td_timeline_id(const struct td_timeline *, const struct td_timeline_scope *);
/* The phase of interval i, from 0. */
size_t td_timeline_phase(const struct td_timeline_scope *, size_t i);
/* When a phase begins, in ns since the recording began. */
uint64_t td_timeline_begin(const struct td_timeline_scope *, size_t phase);
void td_timeline_free(struct td_timeline *);

#endif
