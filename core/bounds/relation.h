/* SPDX-License-Identifier: MIT */
/* Relations between counts that no program breaks: data of the backends. */
#ifndef TD_RELATION_H
#define TD_RELATION_H

#include "core/uarch.h"

enum {
    TD_RELATION_TERMS = 4, /* of both sides together */
    TD_RELATION_EITHER = 2, /* events that one term may name */
};

/* When a relation holds; 0: always. */
enum {
    /* only where no sibling thread was active: if it is broken, one was, as in guests whose host has siblings */
    TD_RELATION_ALONE = 1,
    TD_RELATION_SCALED = 2, /* not where the sysfs scale of raw counts is a guess */
    TD_RELATION_FIELDS = 4, /* not of tasks: the kernel drops a part of the metrics register at each switch */
};

/* One row of a backend's table. */
struct td_relation {
    /* "A + B <= 2 * C": sums of events, each perhaps times a number or "width", of which the left one
     * is never the larger; "A/B": either event. NULL ends the table. */
    const char *text;
    unsigned when; /* TD_RELATION_* */
    /* For slots <= width * cycles: the slots per cycle of CPUs that have these events, ended by 0. A
     * ratio that is one of them, and not the row's own width, shows another CPU. NULL: it shows nothing. */
    const unsigned char *widths;
};

/* A term, for one row. */
struct td_relation_term {
    double factor;
    int event[TD_RELATION_EITHER]; /* -1: the row has no such event */
};

struct td_relation_code {
    const struct td_relation *relation;
    struct td_relation_term term[TD_RELATION_TERMS]; /* first those of the left side */
    size_t n, nleft;
};

/* Reads a relation for a row. -ENOENT: the row lacks an event of it, so that it means nothing there; -EINVAL: the table
 * is faulty. */
int td_relation_read(const struct td_relation *, const struct td_uarch *, struct td_relation_code *out);

#endif
