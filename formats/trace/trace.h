/* SPDX-License-Identifier: MIT */
/* Reading tdprobe-trace(5): what the files for its header, its rows and its readings share. */
#ifndef TD_TRACE_H
#define TD_TRACE_H

#include "util/hash_index.h"
#include "core/counts/reading.h"
#include "core/counts/scope_index.h"
#include "sim/replay/recording.h"
#include "formats/trace/trace_write.h"

enum td_column {
    TD_COL_TIME,
    TD_COL_SCOPE,
    TD_COL_KIND,
    TD_COL_CORE,
    TD_COL_GROUP,
    TD_COL_EPOCH,
    TD_COL_EVENT,
    TD_COL_VALUE,
    TD_COL_ENABLED,
    TD_COL_RUNNING,
    TD_COLUMNS,
};

/* A scope and kind of core, and its last two readings. */
struct td_trace_lane {
    const char *name;
    enum td_scope_kind kind;
    char core;
    uint32_t number; /* its number in td_trace.index */
    const struct td_uarch *uarch; /* NULL: a kind of core that was not asked for */
    struct td_reading before, now;
    struct td_hash_index seen; /* finds the samples of now by what they count, once they are many */
    bool has_before;
    bool open; /* rows of now were read, but not its end */
    bool from_zero; /* before comes from a start row */
    bool others_counted; /* td_interval.others_counted */
    size_t rows; /* how many now has so far */
    unsigned long line; /* where now begins */
};

/* An event's name, looked up for each kind of core. */
struct td_trace_event {
    int number[TD_PARTS_MAX]; /* its number in the row identity.part[i]; -1: that has no such event */
    bool resolved, packed, restores, changes, switches, elapsed;
};

struct td_trace {
    struct td_recording recording; /* first: td_trace_of() */
    bool scaled, any_interval;
    unsigned bits; /* width of the counters */
    char run[TD_TRACE_RUN_TEXT]; /* what the last row of each reading names; "": nothing */
    struct td_trace_lane *lane; /* by number in index */
    size_t nlanes, room;
    struct td_scope_index index;
    struct td_trace_event events[TD_TEXTS_MAX];
};

static inline struct td_trace *td_trace_of(struct td_recording *r)
{
    return (struct td_trace *)r; /* its first member */
}

/* Reads the header from its first line on, up to the line with the columns' names. */
int td_trace_header(struct td_recording *, char *first);

/* Names are written as they are shown: turns those in the row last split back into their original bytes. */
void td_trace_originals(struct td_recording *);
/* A field of the row last split. */
const char *td_trace_field(const struct td_recording *, enum td_column);
/* The whole number in a field of that row; what is its name in messages, such as "time". */
int td_trace_number(struct td_recording *, enum td_column, const char *what, uint64_t *out);
/* The time and epoch of the row, in out. */
int td_trace_place(struct td_recording *, struct td_snap *out);
/* The row's value, group and times, in out. */
int td_trace_sample(struct td_recording *, bool packed, struct td_sample *out);
/* The lane of the row's scope, which is added if it is new; valid until the next one is added. */
int td_trace_lane(struct td_recording *, struct td_trace_lane **out);

#endif
