/* SPDX-License-Identifier: MIT */
/* tdprobe-trace(5): shared by its header (trace_header.c) and its readings (trace.c). */
#ifndef TD_TRACE_H
#define TD_TRACE_H

#include "recording.h"
#include "scope_index.h"

enum { TD_TRACE_VERSION = 1, TD_SCOPES_MAX = 8192, TD_CPUS_MAX = 65536 };

enum td_column {
    TD_COL_TIME, TD_COL_SCOPE, TD_COL_KIND, TD_COL_CORE, TD_COL_GROUP, TD_COL_EPOCH, TD_COL_EVENT, TD_COL_VALUE,
    TD_COL_ENABLED, TD_COL_RUNNING, TD_COLUMNS,
};

/* Samples with the array that holds them. */
struct td_reading {
    struct td_snap snap;
    struct td_sample *samples;
    size_t room;
};

/* A scope and kind of core, and its last two readings. */
struct td_scope {
    char *name;
    const char *kind; /* of kinds.h */
    char core;
    const struct td_uarch *uarch; /* NULL: a kind of core that was not asked for */
    struct td_reading before, now;
    bool has_before, open; /* open: rows of now were read, but not its end */
    bool from_zero; /* before is a start row */
    size_t rows; /* of now */
    unsigned long line; /* where now begins */
};

/* An event's name, resolved for each kind of core. */
struct td_trace_event {
    signed char number[TD_PARTS_MAX]; /* event of machine.part[i]; -1: none */
    bool resolved, packed, restores;
};

struct td_trace {
    bool scaled, any_interval;
    unsigned bits; /* of the counters */
    unsigned cpus; /* that a scope may hold, 0: not said */
    struct td_scope **scopes;
    size_t nscopes;
    struct td_scope_index index; /* of scopes */
    struct td_trace_event events[TD_TEXTS_MAX];
};

/* Reads the header lines from first to the line with the columns' names. */
int td_trace_header(struct td_recording *, char *first, size_t len, const struct td_machine *machine);
/* A field of the row last split. */
const char *td_trace_field(const struct td_recording *, enum td_column);
/* A number in it; errors said in why, what: "time". */
int td_trace_number(struct td_recording *, enum td_column, const char *what, uint64_t *out);
/* When the row last split was read: time and epoch. */
int td_trace_place(struct td_recording *, struct td_snap *out);
/* Its value, group and times. */
int td_trace_sample(struct td_recording *, bool packed, struct td_sample *out);
/* The scope of the row last split, added if it is new; errors said in why. */
int td_trace_scope(struct td_recording *, struct td_scope **out);
void td_trace_scopes_free(struct td_trace *);

#endif
