/* SPDX-License-Identifier: MIT */
/* Paths of calls as a tree, for flame graphs. */
#ifndef REPORT_FUNCTIONS_STACKS_H
#define REPORT_FUNCTIONS_STACKS_H

#include "stats/functions.h"

#include <stdint.h>

/* One path: "main;f;g". */
struct td_stack {
    const struct td_function *function; /* whose name is the path */
    const char *core; /* the kind of core on hybrids; the function has it too */
    uint32_t frame; /* where in the path's text the last function begins */
    uint32_t depth; /* 0: an outermost function */
    uint64_t first[2]; /* the path's first bytes as numbers: the path with the smaller ones comes first */
    double at; /* where it begins, in slots: callees are within their caller */
    double self; /* slots of intervals that ended in the function itself, not in what it calls */
};

static inline const char *td_stack_frame(const struct td_stack *s)
{
    return s->function->name + s->frame;
}

struct td_stacks {
    struct td_stack *stack; /* sorted by name, each before what it calls */
    size_t n;
    double slots; /* those of all */
    unsigned depth; /* the greatest of all */
};

/* Makes the tree of functions by stack. 0 or -ENOMEM. */
int td_stacks_of(const struct td_functions *, struct td_stacks *out);
void td_stacks_free(struct td_stacks *);

#endif
