/* SPDX-License-Identifier: MIT */
/* Other recordings that mean the same as a given one: how each is made, and what its answer must have in common. */
#ifndef RELATIONS_H
#define RELATIONS_H

#include "tests/metamorphic/answer.h"
#include "tests/support/random.h"

struct relation {
    const char *name;
    bool of_trace; /* it is made of the trace that td_set_convert() wrote */
    /* only where each reading of that trace is one group: else the order of lines says which events are a group */
    bool whole;
    bool any_order; /* of scopes */
    enum answer_parts parts; /* what must be equal */
    bool (*make)(const struct bytes *, struct bytes *, struct unit_random *); /* false: there is nothing to change */
};

/* The i-th; NULL: no more. */
const struct relation *relation_at(size_t i);
/* Whether each reading of a trace is one group. */
bool relation_one_group(const struct bytes *trace);

/* A line of a trace as its columns; false: it is no row. */
enum trace_column {
    TRACE_TIME,
    TRACE_SCOPE,
    TRACE_KIND,
    TRACE_CORE,
    TRACE_GROUP,
    TRACE_EPOCH,
    TRACE_EVENT,
    TRACE_VALUE,
    TRACE_ENABLED,
    TRACE_RUNNING,
    TRACE_COLUMNS
};
bool trace_row(struct piece line, struct piece column[TRACE_COLUMNS]);
void trace_add_row(struct bytes *, const struct piece column[TRACE_COLUMNS]);
bool piece_is(struct piece, const char *);
/* Whether a row's event is one, and none of the words of the format. */
bool trace_is_event(struct piece event);

#endif
