/* SPDX-License-Identifier: MIT */
/* Call chains of samples as a tree: equal chains are one node. What two chains share is the path from the
 * outermost function to the last node that is on both: the program was in there all the time between two samples, or
 * called it anew in between, which the samples do not show. */
#ifndef TD_CALLS_H
#define TD_CALLS_H

#include "samples/places.h"

enum {
    TD_FRAMES_MAX = 256, /* of a longer chain the innermost; perf records 127 (kernel.perf_event_max_stack) */
    TD_CALLS_TEXT_MAX = 32 << 20, /* bytes of all names of paths */
};

/* A function in a chain. */
struct td_call {
    struct td_place place; /* the path to it; name: "main;f;g", NULL unless these are asked for */
    const struct td_place *function;
    const struct td_call *caller; /* NULL: the outermost */
    uint32_t depth : 31; /* the outermost: 1 */
    bool again : 1; /* the function is also among its own callers: it is recursive */
};

struct td_calls;

/* The enum says for which functions of its chain a sample counts. function: the one whose callers or callees are asked
 * for, where the enum says so. nested: even without chains a sample counts for all places of its address, which contain
 * each other. NULL: out of memory. */
struct td_calls *td_calls_new(enum td_samples_by, enum td_samples_chain, const char *function, bool nested);
void td_calls_free(struct td_calls *);
/* After the last td_calls_enter(): gives back the memory that only finding calls needs. */
void td_calls_end(struct td_calls *);
/* Whether anything but the innermost place counts. */
bool td_calls_wanted(const struct td_calls *);
/* Whether callers count. */
bool td_calls_chained(const struct td_calls *);
/* Finds or adds the node of a function that caller (NULL: nobody) calls. -E2BIG: more than TD_PLACES_MAX, or
 * TD_CALLS_TEXT_MAX; -ENOMEM. */
int td_calls_enter(struct td_calls *, const struct td_call *caller, const struct td_place *function,
                   const struct td_call **out);

/* A place that an interval counts for, as one of several if it counts for a whole chain. */
struct td_share {
    const struct td_place *at;
    const char *began; /* at's name if the interval also began there; else another name; NULL: not known */
    uint32_t number; /* the place's, from 0 */
    uint32_t nth; /* number of this share, from 1; 0: the interval has no more than one */
};
/* What an interval counts for that began at one place (NULL: not known) and ended at another. Where td_calls_wanted(),
 * both are the places of calls, and there is at most one share for each function of the chain, the innermost first;
 * else they are plain places, and there is one share. Returns how many shares there are. */
size_t td_calls_shares(const struct td_calls *, const struct td_place *at, const struct td_place *began,
                       struct td_share out[TD_FRAMES_MAX]);

#endif
