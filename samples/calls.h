/* SPDX-License-Identifier: MIT */
/* Call chains of samples as a tree: equal chains are one node. What two chains share is the path from the
 * outermost function to the last node that is on both: the program was in there all the time between two samples, or
 * called it anew in between, which the samples do not show. */
#ifndef TD_CALLS_H
#define TD_CALLS_H

#include "samples/places.h"

enum {
    TD_FRAMES_MAX = 256, /* of a chain: the innermost; perf records 127 (kernel.perf_event_max_stack) */
    TD_CALLS_TEXT_MAX = 32 << 20, /* bytes of all names of paths */
};

/* A function in a chain. */
struct td_call {
    struct td_place place; /* the path to it; name: "main;f;g", NULL unless these are asked for */
    const struct td_place *function;
    const struct td_call *caller; /* NULL: the outermost */
    uint32_t depth; /* the outermost: 1 */
    bool again; /* the function is among its callers */
};

struct td_calls;

/* What of its chain a sample counts for. nested: without chains, all places of an address, which contain each other.
 * NULL: out of memory. */
struct td_calls *td_calls_new(enum td_samples_by, enum td_samples_chain, const char *function, bool nested);
void td_calls_free(struct td_calls *);
/* Whether anything but the innermost place counts. */
bool td_calls_wanted(const struct td_calls *);
/* Whether callers count. */
bool td_calls_chained(const struct td_calls *);
/* The node of a function that caller (NULL: nobody) calls. -E2BIG: more than TD_PLACES_MAX, or TD_CALLS_TEXT_MAX;
 * -ENOMEM. */
int td_calls_enter(struct td_calls *, const struct td_call *caller, const struct td_place *function,
                   const struct td_call **out);

/* A scope that an interval counts for. */
struct td_share {
    const struct td_place *at;
    const char *began; /* the same name if both ends share it; else another; NULL: it is not known how it began */
    uint32_t number; /* of the scope, from 0 */
    uint32_t nth; /* of several, from 1; 0: there can be but one */
};
/* What an interval counts for that ended at a place and began at another (NULL: not known): places of calls where
 * td_calls_wanted(), at most one share for each function of the chain, the innermost first; else places as they are.
 * Returns how many. */
size_t td_calls_shares(const struct td_calls *, const struct td_place *at, const struct td_place *began,
                       struct td_share out[TD_FRAMES_MAX]);

#endif
