/* SPDX-License-Identifier: MIT */
/* The handle. Only the session knows it: the layers below get the parts that they need. */
#ifndef TD_SESSION_H
#define TD_SESSION_H

#include "core/log.h"
#include "core/settings.h"
#include "include/td_regions.h"
#include "formats/formats.h"
#include "os/os.h"
#include "samples/wanted.h"
#include "session/candidates.h"
#include "session/merged.h"
#include "session/sums.h"

struct td_added;
struct td_convert;
struct td_file;
struct td_unpack;
struct td_meter;
struct td_own;
struct td_printed;
struct td_record;
struct td_recorder;
struct td_sim;
struct td_source;

/* For the bounds of a lane's sum: the sum without each of its parts in turn. */
struct td_omission {
    struct td_interval rest;
    struct td_counts bound;
    struct td_result result;
    double *parts; /* td_taken.parts */
    size_t room;
};

struct td {
    struct td__regions *regions; /* first: inline functions of td_regions.h expect it here; not open: closed */
    struct td__regions closed; /* belongs to no thread */
    struct td_log log;
    struct td_settings settings;
    struct td_samples_wanted samples; /* settings.samples */
    bool skip_intervals; /* intervals are only summed, and not given */
    uint64_t after, until; /* only intervals that end between, see td_set_times() */
    bool outside; /* some interval ended outside */

    /* What is read or measured. stream is the one that is open; NULL: none is. */
    struct td_stream *stream;
    struct td_recording *recording; /* the one that is read, or that may be */
    char *name; /* the recording's, for messages */
    td_seek_fn *seek; /* set by td_set_seek(), or NULL */
    struct td_file *file; /* the file of td_open_file(), or NULL */
    struct td_unpack *unpack; /* the recording is read through it; NULL: nothing is read */
    const struct td_reader *format; /* the format that was asked for; NULL: the content decides */
    const struct td_source *source; /* what measuring uses */
    struct td_added *added; /* events of td_add_event() */
    size_t nadded;
    bool no_topdown; /* the recording has counts, but they give no metric */
    unsigned tried_others; /* calls of td_session_others() */
    bool valued; /* some result had a value */
    struct td_printed *printed; /* percentages instead of counts (printed.h), or NULL */
    struct td_meter *meter; /* measures (live/meter.h), or NULL */
    struct td_record *record; /* its readings become a trace (to_trace.h), or NULL */
    struct td_recorder *recorder; /* samples into a perf.data (live/sampling/recorder.h), or NULL */
    struct td_own *own; /* counters of this thread (live/thread/thread.h), or NULL */
    bool watchdog; /* the machine that td_plan_uarch() assumes has the NMI watchdog on */
    struct td_sim *sim; /* the simulated machine to measure; NULL: this machine */
    const struct td_os *os; /* used instead of either: of td_run_share(), and for tests; NULL: none */
    char *command; /* the command of td_run_start(), for messages; or NULL */
    struct td_convert *convert; /* the recording becomes a trace (to_trace.h), or NULL */

    /* The path to results: how far it has come (next.c), whose counts these are (identify.c), and
     * what they mean (solution.c). */
    /* any: an interval was read; ready: candidates are known; matched: and their events were seen;
     * strange: of an interval without any of them a note was given */
    bool opened, any, ready, matched, strange;
    size_t at; /* index in the batch of the next interval */
    struct td_candidates candidates;
    bool each; /* where the answers of several CPUs differ, each is given; else that is an error */
    /* they do: then of the interval whose answers are being given, and which CPU's is next; the node that all so far
     * name */
    bool split;
    size_t split_from; /* the index of the first sum whose answers differ */
    struct td_row_at {
        size_t i, sum, cpu;
    } row; /* where the i-th row of td_summary() is */
    struct td_interval *pending;
    size_t next_cpu;
    const char *agreed;
    bool told_smt; /* a note has said that it is not recorded whether SMT was on */
    bool told_core[TD_CORES];
    struct td_interval unnamed; /* for a hybrid's lines without a PMU, with those of its first kind of core */
    struct td_counts bound[2]; /* counts of the result that is given, and of one that it is compared with */
    struct td_result result, other;
    struct td_merged merged; /* the texts that several CPUs' results share */
    struct td_sums sums;
    struct td_omission spread;
    struct td_taken taken; /* for the interval being solved */
};

/* The machine that is measured: this one, or td_set_machine()'s. */
const struct td_os *td_session_os(const struct td *);
/* Fails with -EINVAL: the handle has been opened already. */
int td_session_too_late(struct td *);
/* Closes what td_open_file() opened. */
void td_session_close_file(struct td *);
/* Frees everything used for measuring. */
void td_session_stop(struct td *);

#endif
