/* SPDX-License-Identifier: MIT */
/* A row that no vendor has: 300 metrics on 6 levels over 200 events, and an interval with
 * 500 copies of these in 28 groups. Each formula is made as a tree, which is printed for
 * the compiler, and kept for evaluation without one. */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include "core/counts/counts.h"
#include "core/uarch.h"
#include "tests/support/random.h"

enum {
    SYNTHETIC_EVENTS = 200,
    SYNTHETIC_METRICS = 300,
    SYNTHETIC_GROUPS = 28,
    SYNTHETIC_COPIES = 500,
    SYNTHETIC_TERMS = 12000
};

enum synthetic_kind {
    SYNTHETIC_NUMBER,
    SYNTHETIC_EVENT,
    SYNTHETIC_CORRECTION, /* ? */
    SYNTHETIC_SAME_TIME, /* ~ */
    SYNTHETIC_METRIC,
    SYNTHETIC_ADD,
    SYNTHETIC_SUB,
    SYNTHETIC_MUL,
    SYNTHETIC_DIV,
    SYNTHETIC_MAX0,
    SYNTHETIC_MIN,
    SYNTHETIC_SHARE,
    SYNTHETIC_WHEN,
    SYNTHETIC_EITHER,
};

struct synthetic_term {
    enum synthetic_kind kind;
    double number;
    unsigned index; /* of the event or the metric */
    const struct synthetic_term *arg[4];
};

struct synthetic {
    struct td_uarch uarch;
    const struct synthetic_term *formula[SYNTHETIC_METRICS]; /* by node of the row's tree */
    struct td_counts counts; /* synthetic_count() */
    /* what the row is made of */
    struct unit_random random;
    struct td_event event[SYNTHETIC_EVENTS];
    struct td_node node[SYNTHETIC_METRICS];
    struct td_tree tree;
    struct td_def def[SYNTHETIC_METRICS + 1];
    struct td_form form;
    const struct td_form *forms[2];
    struct synthetic_term term[SYNTHETIC_TERMS];
    size_t nterms;
    char *text[SYNTHETIC_METRICS]; /* of the formulas */
    char name[SYNTHETIC_EVENTS + SYNTHETIC_METRICS][16];
    uint16_t member[SYNTHETIC_COPIES]; /* the event of each copy; they come group by group */
};

/* A different row for each seed. NULL: out of memory. Free it with synthetic_free(). */
struct synthetic *synthetic_new(uint64_t seed);
void synthetic_free(struct synthetic *);
/* What an interval counted. -ENOMEM.
 * whole: all copies, all of the time; otherwise groups may have been counted for part of it,
 * and copies may be 0, not counted, or not even recorded. */
int synthetic_count(struct synthetic *, bool whole);

#endif
