/* SPDX-License-Identifier: MIT */
/* Results as counters that add up: the slots of each node rather than its share, so that rates of intervals, hosts and
 * services can be summed and divided afterwards. */
#ifndef STATS_TALLY_H
#define STATS_TALLY_H

#include "include/tdprobe.h"
#include "util/scope_table.h"

/* What a node has of its whole, by what is known of its share. The truth is between LOW and HIGH wherever the counts of
 * the whole are exact: an interval without sound bounds adds nothing to the one and all of the whole to the other. */
enum td_tally_part {
    TD_TALLY_VALUE,
    TD_TALLY_LOW,
    TD_TALLY_HIGH,
    TD_TALLY_LIKELY_LOW, /* likely bounds, where there are no sound ones */
    TD_TALLY_LIKELY_HIGH,
    TD_TALLY_ABSENT, /* of intervals in which the node has no value */
    TD_TALLY_PARTS,
};

/* What nodes are shares of; others are left out. */
enum td_tally_whole { TD_TALLY_SLOTS, TD_TALLY_CYCLES, TD_TALLY_WHOLES };

/* How far the counts of an interval can be relied on. */
enum td_tally_standing {
    TD_TALLY_EXACT, /* counted all the time */
    TD_TALLY_MULTIPLEXED, /* scaled up from part of it */
    TD_TALLY_PARTIAL, /* CPUs that were to be counted were missing for some of it, or scopes take turns */
    TD_TALLY_STANDINGS,
};

struct td_tally_node {
    char *name;
    int level;
    enum td_tally_whole whole;
    bool valued; /* it ever had a value */
    bool likely; /* the likely bounds were ever others than the sound ones */
    double known; /* how much of the whole the parts account for */
    double part[TD_TALLY_PARTS]; /* in slots or cycles; each only grows */
};

struct td_tally_scope {
    char *cpu, *formula; /* those of its first interval */
    const char *backend;
    struct td_tally_node *node;
    size_t n, room;
    double whole[TD_TALLY_WHOLES]; /* in slots and cycles */
    double seconds; /* how long it was measured */
    double counted; /* how many of these seconds its events were counted */
    unsigned long intervals[TD_TALLY_STANDINGS];
    /* intervals of which nothing was added, by the status of their first node; TD_NO_SLOTS also where the slots are not
     * known */
    unsigned long discarded[TD_NOT_IN_THIS_FORMULA + 1];
};

/* Zeroed: empty, of any number of scopes. */
struct td_tally {
    bool by_turns; /* what is added from now on is of scopes that are measured by turns */
    size_t most; /* scopes beyond so many are left out; 0: any number */
    struct td_scope_table scopes;
    struct td_tally_scope *scope; /* by number */
    size_t room;
    unsigned long left_out; /* intervals of scopes beyond them */
    bool other_units; /* a node was left out because it is a share of something else */
};

/* Adds an interval. -ENOMEM: part of it may have been added. */
int td_tally_add(struct td_tally *, const struct td_result *);
/* Adds an interval in which nothing ran: its time, and no slots. -ENOMEM. */
int td_tally_add_idle(struct td_tally *, const struct td_result *);
/* Forgets the scopes that drop() names; the others keep their counters. -ENOMEM: none is forgotten. */
typedef bool td_tally_drop_fn(void *ctx, const struct td_scope_id *);
int td_tally_drop(struct td_tally *, td_tally_drop_fn *drop, void *ctx);
void td_tally_free(struct td_tally *);

#endif
