/* SPDX-License-Identifier: MIT */
/* Paths of calls as a tree, for flame graphs. */
#ifndef REPORT_FUNCTIONS_STACKS_H
#define REPORT_FUNCTIONS_STACKS_H

#include "stats/functions.h"

#include <stdint.h>

/* One path: "main;f;g". */
struct td_stack {
    const struct td_function *function; /* whose name is the path */
    const char *core; /* of hybrids; the function has it too */
    const char *frame; /* the last function of it: a part of the path */
    unsigned depth; /* of an outermost function: 0 */
    uint64_t first[2]; /* the name's first bytes as numbers: of two paths, that with the smaller ones comes first */
    double at; /* where it begins, in slots: callees are within their caller */
    double self; /* slots of the intervals that ended in it, not in what it calls */
};

struct td_stacks {
    struct td_stack *stack; /* each before what it calls, by name */
    size_t n;
    double slots; /* of all */
    unsigned depth; /* the greatest */
};

/* Of functions by stack. 0 or -ENOMEM. */
int td_stacks_of(const struct td_functions *, struct td_stacks *out);
void td_stacks_free(struct td_stacks *);

#endif
