/* SPDX-License-Identifier: MIT */
/* What differs between two sides, and whether that is shown. */
#ifndef STATS_COMPARISON_H
#define STATS_COMPARISON_H

#include "stats/series.h"

/* The answer about one metric. */
enum td_difference_call {
    TD_CALL_UNKNOWN, /* none of the others is shown */
    TD_CALL_SAME, /* the difference lies within the margin */
    TD_CALL_MORE, /* b is more than a */
    TD_CALL_LESS,
};

/* What the bounds of a difference come from. */
enum td_basis {
    TD_BASIS_NONE, /* there are no bounds */
    TD_BASIS_SOUND, /* one value a side, with sound bounds */
    TD_BASIS_LIKELY, /* one value a side, with likely bounds at least on one */
    TD_BASIS_INTERVALS, /* the intervals of one recording a side */
    TD_BASIS_RUNS, /* several recordings a side */
    TD_BASIS_PAIRS, /* several recordings a side, the i-th of each measured about the same time */
};

/* What more of a metric means for the program. */
enum td_direction { TD_DIRECTION_UNCLEAR, TD_DIRECTION_GOOD, TD_DIRECTION_BAD };

struct td_bounded {
    double value;
    double low, high; /* NAN: there are no bounds */
};

/* One metric or total of one scope. The texts belong to the series it was made from. */
struct td_difference {
    const char *scope, *kind, *core, *metric, *parent, *unit;
    const char *other; /* what side b calls the scope, if that is another name; else NULL */
    size_t side; /* b's index among the sides; a is the first */
    bool share; /* it is a share, shown in percent, and the difference is in points */
    bool total; /* it is slots, cycles, instructions or time */
    bool namesake; /* only its kind tells the scope from another one of side a */
    int level; /* of the tree; 0: not in it */
    struct td_bounded a, b, diff;
    enum td_difference_call call;
    enum td_basis basis;
    enum td_direction direction;
    size_t na, nb; /* how many intervals or runs each side has */
    double saved; /* for shares of slots, the slots that b spent less; NAN: not known */
    bool unbounded; /* its points have no bounds of their own: only their scatter is known */
    bool equal; /* several points, equal on each side, without bounds: nothing tells how far they hold */
    bool flagged; /* one of the values is flagged */
    /* for td_comparison_judge() */
    double fixed_low, fixed_high; /* what always belongs to the interval, below and above diff.value */
    double error_low, error_high; /* standard errors; 0: none */
    double error_a, error_b; /* of the sides' own values */
    double degrees_a, degrees_b, degrees; /* degrees of freedom */
    double alpha; /* the chance with which the bounds may be wrong; 0: they are sound */
};

/* How one metric of one side runs in time. */
struct td_course {
    size_t side;
    const char *scope, *core, *metric;
    bool trend; /* it goes up or down throughout */
    size_t change; /* the first interval of its second phase; 0: there is one phase */
    double before, after; /* the means of the phases, or the ends of the trend's line */
};

/* The nodes that limit one scope on both sides; NULL: none is decided. */
struct td_verdicts {
    size_t side; /* b's index */
    const char *scope, *core, *a, *b;
    const char *kind; /* the scope's kind, if only this tells it from another one of side a; else NULL */
    size_t first, rows; /* the scope's rows: the first, and how many follow each other */
};

/* A side: one recording, or several runs of the same. */
struct td_side {
    const char *name;
    struct td_series *run;
    size_t n;
};

struct td_comparison_settings {
    double margin; /* differences within it are none: for shares; for other metrics, relative to a */
    double confidence; /* 0.95 */
    unsigned long seed;
    bool paired; /* the i-th runs of the sides belong together */
    const char *kind; /* only scopes of this kind; NULL: all */
};

struct td_comparison {
    struct td_comparison_settings set;
    const struct td_side *side;
    size_t sides;
    struct td_difference *row;
    size_t n;
    size_t family; /* how many rows have bounds that could be wrong, which Holm's method allows for */
    struct td_course *course;
    size_t courses;
    struct td_verdicts *verdict;
    size_t verdicts;
    size_t lone; /* scopes that only one side has */
    const char *lone_scope; /* the first of them */
    const char *cpu_a, *cpu_b; /* the CPUs of two sides that differ in it; else NULL */
};

/* Compares each side with the first. 0; -ENOMEM; -ENODATA: the sides have no scope in common. */
int td_compare(const struct td_side *, size_t n, const struct td_comparison_settings *, struct td_comparison *out);
void td_comparison_free(struct td_comparison *);

/* Sets bounds and calls of the rows, by what is known of each. Holm's method gives the k-th clearest of m rows a chance
 * of 1 - confidence over m - k + 1 to be wrong, up to the first that shows nothing, which gives its own to all that
 * follow. Also sets family. 0 or -ENOMEM. */
int td_comparison_judge(struct td_comparison *);
/* Sorts the rows by what matters. Rows of one side and scope stay together, and those with the most slots saved or lost
 * come first. Within a scope come its totals, then differences that are shown, then the rest, each by slots, or by
 * points where slots are not known. 0 or -ENOMEM. */
int td_comparison_sort(struct td_comparison *);
/* "more" and the like */
const char *td_call_name(enum td_difference_call);
/* "intervals" and the like */
const char *td_basis_name(enum td_basis);

#endif
