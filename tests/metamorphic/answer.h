/* SPDX-License-Identifier: MIT */
/* Everything that a recording answers, so that two of them can be compared. */
#ifndef ANSWER_H
#define ANSWER_H

#include "tests/metamorphic/bytes.h"

#include "include/tdprobe.h"

/* One metric of one result, or its verdict. */
struct answer_item {
    bool summary, node, share; /* node: of the tree; share: of the slots, at level 1 */
    bool contradicted; /* its result has counts that no program can have made */
    uint64_t time, duration;
    char scope[64], kind[12], core[4], name[64];
    enum td_status status;
    unsigned flags;
    enum td_bounds bounds;
    double value, low, high, coverage;
    char rest[160]; /* the event that is missing, the corrections left out, what the verdict is undecided between */
};

struct answer {
    int err; /* what td_open() or td_next() ended with: -ENODATA, or a refusal */
    struct answer_item *item;
    size_t n, room;
};

enum answer_parts {
    ANSWER_ALL,
    /* Values and statuses of nodes, without bounds, flags and verdicts. What contradicts itself may do so in the second
     * only: it takes more counts than may be in flight to show it (core/bounds/lint.c). */
    ANSWER_VALUES,
    ANSWER_SUMMARY_VALUES, /* the same of the summary alone */
};

/* What a recording answers; all: of all metrics, which takes ten times as long; trace: what td_set_convert() makes of
 * it, or NULL. */
void answer_take(struct answer *, const struct bytes *recording, const char *cpu, bool all, struct bytes *trace);
/* Sorts by scope and time: where the order of scopes is another. */
void answer_sort(struct answer *);
/* Whether two answers are the same but for rounding; if not, why says where they differ. */
bool answer_same(const struct answer *, const struct answer *, enum answer_parts, char *why, size_t size);
void answer_free(struct answer *);

#endif
