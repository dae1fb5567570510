/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: what is asked, and the state of a run. */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "cli.h"
#include "control.h"
#include "os.h"
#include "spread.h"

#include <sys/resource.h>

/* The trace of record (live_trace.c). */
struct cli_trace {
    int fd; /* -1: none */
    bool to_stdout;
    bool created; /* by us, and nothing is in it */
    bool begun; /* else what is to be written is held */
    int error; /* errno of writing it */
    char *held;
    size_t nheld;
};

struct cli_live {
    /* ---- what is asked (live_options.c) */
    struct cli_settings set;
    bool record; /* the subcommand: -o is a trace */
    struct td_live what; /* its arrays are of the heap, see cli_live_forget() */
    char *names; /* of cgroups */
    bool all, verbose, dry_run, append;
    bool msr; /* the source */
    bool summary, summary_only;
    int log_fd; /* -1: none given */
    const char *control_text, *machine;
    long interval, timeout, delay; /* ms; 0: none; delay -1: until --control enables */
    long most, repeat; /* intervals (0: any number), runs (0: one) */
    char **command; /* NULL: none */

    /* ---- the run (live.c, live_watch.c) */
    const struct td_os *os;
    struct cli_control control;
    struct cli_spread spread;
    void (*sigpipe)(int); /* what tdprobe was started with */
    struct cli_trace trace;
    struct rlimit limit; /* of descriptors, which the command gets */
    bool limit_raised;
    uint64_t began, start, ended; /* os->now(): counting was asked for; -D is over; measuring ended */
    uint64_t enable_at, next, timeout_at, look_at; /* UINT64_MAX: never */
    uint64_t last; /* reading of this run, if taken */
    double elapsed; /* s, of all runs */
    unsigned takes, ticks, interrupts, runs;
    bool started; /* the report has begun */
    bool broken; /* and cannot be written */
    bool spoiled; /* the handle can only be freed */
    bool taken; /* a reading of this run */
    bool counting; /* now */
    bool counted; /* since the last reading */
    bool paused; /* by an order, or -D -1: the next run begins so too */
    bool whole; /* the command ended the run, not we */
    bool over; /* measuring has ended */
    bool stopping; /* and no run follows */
    bool running; /* the command */
    bool ran; /* a command has: exit codes are its */
    int status, signal; /* of the first run that failed, else 0 */
    unsigned errors;
    int code; /* exit code of the first error of tdprobe */
};

/* -1: go on; else the exit code. */
int cli_live_parse(struct cli_live *, int argc, char **argv);
void cli_live_forget(struct cli_live *);

/* An error of tdprobe: said, written to the report, and kept for the exit code. */
void cli_live_fail(struct cli_live *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for one of the library. */
void cli_live_fail_td(struct cli_live *, int err);

/* Where the report goes. 0, or an exit code. */
int cli_report_open(struct cli_live *);
/* Its head: only now its file is emptied. */
void cli_report_begin(struct cli_live *);
/* Its end; the exit status of all. */
int cli_report_end(struct cli_live *);

/* record: opens the trace and has the readings written to it. */
void cli_trace_open(struct cli_live *);
/* Only now its file is emptied. */
void cli_trace_begin(struct cli_live *);
/* Says the error of writing it. */
void cli_trace_failed(struct cli_live *);
void cli_trace_close(struct cli_live *);

/* Lets the report reach its reader; a failure is said once. */
void cli_live_flush(struct cli_live *);

/* Measures until something ends it: the command, a signal, a limit. */
void cli_live_watch(struct cli_live *);
/* Waits for the end of the command, which may go on longer. */
void cli_live_await(struct cli_live *);

#endif
