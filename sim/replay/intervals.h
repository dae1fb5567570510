/* SPDX-License-Identifier: MIT */
/* What other tools' recordings have in common: rows, each with the count of one event
 * in one interval of one scope, which are put together into intervals. */
#ifndef TD_INTERVALS_H
#define TD_INTERVALS_H

#include "core/counts/scope_kind.h"
#include "sim/replay/recording.h"

/* One count as the tool gives it: scaled to the interval already. */
struct td_row {
    bool has_time;
    bool new_run; /* a recording that was appended to the file begins here */
    uint64_t time; /* end of the interval, ns */
    int scope; /* td_gather_scope() */
    int text; /* td_recording_text() of the event's name */
    enum td_status status; /* TD_OK, TD_NOT_COUNTED, TD_NOT_SUPPORTED */
    double value, enabled;
    double running; /* 0 with TD_OK: it never ran, unless td_recording.coverage_unknown */
    uint16_t first_group; /* the row's group is this one or a later one; 0 where groups end only by repetition */
    uint16_t groups; /* at most this many from first_group on; 0: as many as there are */
    uint32_t printed; /* td_count.printed */
    bool more; /* only printed matters; it belongs to the row before, of which there is one */
};

struct td_gather;

/* Gives the next row; -EAGAIN: the rows given so far are whole intervals, and the next row
 * has not been read yet; -ENODATA: the end; otherwise an error, with as much of the row's time
 * as was read. */
typedef int td_row_next_fn(struct td_recording *, struct td_row *out);

/* NULL: out of memory. */
struct td_gather *td_gather_new(void);
void td_gather_free(struct td_gather *);
/* The number of a scope; a new one is added at the end. 0 is the system if it was asked
 * for first. kind has static storage. -EBADMSG: more than TD_SCOPES_MAX different ones;
 * -ENOMEM. */
int td_gather_scope(struct td_recording *, struct td_gather *, const char *name, size_t len, enum td_scope_kind);
/* The number of the scope that is the whole system, which has no other name. Errors as above. */
int td_gather_system(struct td_recording *, struct td_gather *);
/* How long the untimed interval took whose rows are being given, in ns. */
void td_gather_elapsed(struct td_gather *, double ns);
/* Puts the rows of one time into the recording's batch: one interval for each scope and
 * kind of core (by the PMU that the event names). Groups are not marked
 * in these formats: one ends where the name of an event repeats, in upper or
 * lower case. -ENODATA: the end. An error in the row after an interval comes with
 * the next call, if nothing of the interval can be missing: the bad row has another
 * time, or the interval has as many rows as the one before it; otherwise its rows
 * are not given. */
int td_gather_next(struct td_recording *, struct td_gather *, td_row_next_fn *next);

enum { TD_GATHER_ROWS = 1 << 20 /* the most at one time */ };

#endif
