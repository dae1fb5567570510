/* SPDX-License-Identifier: MIT */
/* Which metrics a recording tool printed beside a count: sets of them, each kept
 * once and known by a number. A recording has few different ones, on many lines. */
#ifndef TD_HINTS_H
#define TD_HINTS_H

#include "util/hash_index.h"

/* A metric as a hint, in the order in which a trace has them. A node is its td_node.number by a published formula
 * (perf's tma_ names), and with TD_HINT_PLAIN by a tool's own formula under the plain name, which the same recording
 * may have too. */
enum { TD_HINT_NONE, TD_HINT_OTHER = 0x7fff /* a metric that is no node */, TD_HINT_PLAIN = 0x8000 };

static inline uint16_t td_hint_published(unsigned node)
{
    return (uint16_t)(1 + node);
}

static inline uint16_t td_hint_plain(unsigned node)
{
    return (uint16_t)(TD_HINT_PLAIN + node);
}

enum {
    TD_HINTS_MAX = 4096, /* different sets in a recording */
    TD_HINTS_RECENT = 64,
};

/* Zeroed to begin with. */
struct td_hints {
    struct td_hint_set {
        uint32_t start, n; /* its members, rising */
    } * set; /* set 0 is empty */
    size_t nsets, sets_room;
    uint16_t *member;
    size_t nmembers, members_room;
    struct td_hash_index by_members; /* finds sets, from set 1 on: its number 0 is set 1 */
    struct td_hint_union {
        uint32_t a, b, both;
    } recent[TD_HINTS_RECENT]; /* unions that were made before, by the sets' numbers */
    int err; /* that of the first union that failed, so that hints are missing */
};

void td_hints_free(struct td_hints *);
/* The set of one hint; and the set with the members of both a and b. Where it cannot be made, err becomes -E2BIG (more
 * than TD_HINTS_MAX) or -ENOMEM, and the answer is 0 or a. */
uint32_t td_hints_one(struct td_hints *, uint16_t hint); /* TD_HINT_NONE: the empty set */
uint32_t td_hints_unite(struct td_hints *, uint32_t a, uint32_t b);
static inline uint32_t td_hints_join(struct td_hints *h, uint32_t a, uint32_t b)
{
    return !a ? b : a == b || !b ? a : td_hints_unite(h, a, b);
}
/* The members of a set in rising order, valid until the next set is made; returns how many there are. */
size_t td_hints_members(const struct td_hints *, uint32_t set, const uint16_t **out);

#endif
