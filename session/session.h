/* SPDX-License-Identifier: MIT */
/* The handle. Only the session knows it: what is below gets the parts that it needs. */
#ifndef TD_SESSION_H
#define TD_SESSION_H

#include "core/log.h"
#include "core/settings.h"
#include "include/td_regions.h"
#include "os/os.h"
#include "session/candidates.h"
#include "session/sums.h"
#include "sim/replay/readers.h"

struct td_added;
struct td_convert;
struct td_meter;
struct td_own;
struct td_record;
struct td_sim;
struct td_source;

/* Texts of a result that is of several CPUs. */
struct td_merged {
    struct td_text_buffer *event; /* by metric, where CPUs lack different ones */
    size_t n, room;
    struct td_text_buffer formula;
};

/* A lane's sum without one of its parts after the other. */
struct td_spread {
    struct td_interval rest;
    struct td_counts bound;
    struct td_result result;
    double *parts; /* td_taken.parts */
    size_t room;
};

struct td {
    struct td_regions *regions; /* first: inline functions of td_regions.h look for it; not open: closed */
    struct td_regions closed; /* no thread's */
    struct td_log log;
    struct td_settings settings;
    bool skip_intervals; /* they are only added up */

    /* What is read or measured; stream: of that which is open, NULL: nothing is. */
    struct td_stream *stream;
    struct td_recording recording;
    char *name; /* of the recording, for messages */
    const struct td_reader *format; /* asked for; NULL: found by the content */
    const struct td_source *source; /* of measuring */
    struct td_added *added; /* of td_add_event() */
    size_t nadded;
    struct td_meter *meter; /* measures (live/meter.h), or NULL */
    struct td_record *record; /* its readings become a trace (to_trace.h), or NULL */
    struct td_own *own; /* counters of this thread (live/thread/thread.h), or NULL */
    struct td_sim *sim; /* the machine to measure, NULL: this one */
    const struct td_os *os; /* for tests: what answers instead of either */
    char *command; /* of td_run_start(), for messages, or NULL */
    struct td_convert *convert; /* the recording becomes a trace (to_trace.h), or NULL */

    /* The road: how far it was gone (road.c), whose counts these are (identify.c), and
     * what they say (answer.c). */
    bool opened, any, ready, matched; /* any: an interval was read; ready: candidates are known; matched: and their events were seen */
    size_t at; /* next of the batch */
    struct td_candidates candidates;
    bool told_core[TD_CORES];
    struct td_interval unnamed; /* of a hybrid's lines without a PMU, with what is of its first kind of core */
    struct td_counts bound[2]; /* of the result given, and of one compared with it */
    struct td_result result, other;
    struct td_merged merged; /* what several CPUs' results have together */
    struct td_sums sums;
    struct td_spread spread;
    struct td_taken taken; /* of the interval that is solved */
};

/* The machine that is measured: this one, or td_set_machine()'s. */
const struct td_os *td_session_os(const struct td *);
/* Frees what measuring holds. */
void td_session_stop(struct td *);

#endif
