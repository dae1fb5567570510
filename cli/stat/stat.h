/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: the options, and the state of a run. */
#ifndef CLI_STAT_H
#define CLI_STAT_H

#include "cli/child.h"
#include "cli/options.h"
#include "cli/stat/control.h"
#include "stats/repeat.h"

/* The trace of record (trace_output.c). */
struct cli_trace {
    int fd; /* -1: none */
    bool to_stdout;
    bool created; /* by us, and nothing is in it */
    bool begun; /* else what is to be written is held */
    int error; /* errno of writing it */
    char *held;
    size_t nheld;
};

struct cli_stat {
    /* ---- options (stat_options.c) */
    struct cli_options set;
    bool record; /* the subcommand: -o is a trace */
    struct td_live what; /* its arrays are on the heap, see cli_stat_forget() */
    char *names; /* of cgroups */
    bool all, verbose, dry_run, append;
    bool msr; /* the source */
    bool summary, summary_only;
    bool fast; /* the machine's time is not paced */
    int log_fd; /* -1: none given */
    const char *control_text, *machine;
    const char *tasks_text, *cpus_text; /* the lists of -p or -t, and of -C */
    char *target; /* of perf record */
    bool clear; /* each interval in place of the one before */
    long interval, timeout, delay; /* ms; 0: none; delay -1: until --control enables */
    long most, repeat; /* intervals (0: any number), runs (0: one) */

    /* ---- the run (stat.c, loop.c) */
    struct cli_child command; /* its words are an option */
    struct cli_control control;
    struct td_repeat means; /* of the runs of -r */
    struct cli_trace trace;
    uint64_t began, start, ended; /* td_run_now(): counting was requested; -D was over; measuring ended */
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
    bool idle; /* counting never began, in any run */
    bool paused; /* by an order, or -D -1: the next run begins so too */
    bool whole; /* the command ended the run, not we */
    bool over; /* measuring has ended */
    bool stopping; /* and no run follows */
    bool ran; /* a command has: exit codes are its */
    int status, signal; /* of the first run that failed, else 0 */
    unsigned errors;
    int code; /* exit code of the first error of tdprobe */
};

/* -1: run; else the exit code. */
int cli_stat_parse(struct cli_stat *, int argc, char **argv);
void cli_stat_forget(struct cli_stat *);

/* An error of tdprobe: a message, in the report too, and kept for the exit code. */
void cli_stat_fail(struct cli_stat *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for one of the library. */
void cli_stat_fail_td(struct cli_stat *, int err);

/* Where the report goes. 0, or an exit code. */
int cli_report_open(struct cli_stat *);
/* Its head: only now its file is emptied. */
void cli_report_begin(struct cli_stat *);
/* Its end; the exit status of all. */
int cli_report_end(struct cli_stat *);

/* record: opens the trace and has the readings written to it. */
void cli_trace_open(struct cli_stat *);
/* Only now its file is emptied. */
void cli_trace_begin(struct cli_stat *);
/* Reports the error of writing it. */
void cli_trace_failed(struct cli_stat *);
void cli_trace_close(struct cli_stat *);

/* Flushes the report; a failure is reported once. */
void cli_stat_flush(struct cli_stat *);

/* Measures until something ends it: the command, a signal, a limit. */
void cli_stat_watch(struct cli_stat *);
/* Waits for the end of the command, which may run longer than we measure. */
void cli_stat_await(struct cli_stat *);

#endif
