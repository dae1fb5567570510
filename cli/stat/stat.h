/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: the options, and the state of a run. */
#ifndef CLI_STAT_H
#define CLI_STAT_H

#include "cli/child.h"
#include "cli/drilldown.h"
#include "cli/options.h"
#include "cli/stat/control.h"
#include "report/temporary.h"
#include "stats/repeat.h"

/* The trace of record (trace_output.c). */
struct cli_trace {
    int fd; /* -1: none */
    bool to_stdout;
    bool created; /* by us, and it is still empty */
    bool begun; /* otherwise what is to be written is held */
    bool headed; /* the first line of its header is there */
    int error; /* errno of writing the trace */
    char *held;
    size_t nheld;
};

/* The history that a recording joins (baseline.c). */
struct cli_baseline {
    const char *folder; /* --baseline, or NULL */
    char *path; /* of the recording; owned */
    bool open;
    struct td_temporary file;
};

struct cli_stat {
    /* ---- options (stat_options.c) */
    struct cli_options set;
    bool record; /* the subcommand: -o is a trace */
    bool unnamed; /* which has its usual name: no -o was given */
    struct td_live what; /* its arrays are on the heap, see cli_stat_forget() */
    char *names; /* of the cgroups */
    bool all, verbose, dry_run, append;
    bool msr; /* the source is msr */
    bool summary, summary_only;
    struct cli_drill *drill; /* its own, for all measurings of --drilldown */
    bool fast; /* the machine's time is not slowed to real time */
    long log_fd; /* -1: none given */
    const char *control_text, *machine;
    const char *tasks_text, *cpus_text; /* the lists of -p or -t, and of -C */
    char *target; /* for perf record */
    bool clear; /* each interval replaces the previous one */
    long interval, timeout, delay; /* ms; 0: none; delay -1: until --control enables */
    long most, repeat; /* intervals (0: any number), runs (0: one; with until at most so many) */
    long most_runs; /* --max-runs */
    double until; /* runs until all shares are known so well; 0: not asked for */
    bool functions; /* record --functions, which is another command */
    bool no_multiplex; /* each group in a run of its own, */
    long rounds; /* in so many */

    /* ---- the run (stat.c, loop.c) */
    struct cli_child command; /* its words are an option */
    struct cli_control control;
    struct td_repeat means; /* of the runs with -r */
    struct cli_trace trace;
    struct cli_baseline baseline;
    uint64_t began, start, ended; /* td_run_now(): counting was requested; -D was over; measuring ended */
    uint64_t enable_at, next, timeout_at, look_at; /* UINT64_MAX: never */
    uint64_t last; /* reading of this run, if one was taken */
    double elapsed; /* s, of all runs */
    unsigned takes, ticks, interrupts, runs;
    bool started; /* the report has begun */
    bool broken; /* it cannot be written */
    bool spoiled; /* the handle can only be freed */
    bool taken; /* this run has a reading */
    bool counting; /* at present */
    bool counted; /* since the last reading */
    bool idle; /* counting never began, in any run */
    bool paused; /* by --control, or -D -1: the next run begins paused too */
    bool whole; /* the command ended the run, not tdprobe */
    bool over; /* measuring has ended */
    bool stopping; /* no further run follows */
    bool reached; /* what --until asked for */
    bool ran; /* a command has run: exit codes are the command's */
    int status, signal; /* of the first run that failed, else 0 */
    unsigned errors;
    int code; /* exit code for the first error of tdprobe */
};

/* -1: run; otherwise the exit code. */
int cli_stat_parse(struct cli_stat *, int argc, char **argv);
void cli_stat_forget(struct cli_stat *);

/* Handles an error of tdprobe: a message, also in the report, and kept for the exit code. */
void cli_stat_fail(struct cli_stat *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for an error of the library. */
void cli_stat_fail_td(struct cli_stat *, int err);

/* Opens the report. 0, or an exit code. */
int cli_report_open(struct cli_stat *);
/* Begins the report; its file is emptied only now. */
void cli_report_begin(struct cli_stat *);
/* Ends the report; returns tdprobe's exit code. */
int cli_report_end(struct cli_stat *);

/* record: opens the trace, and directs the readings to it. */
void cli_trace_open(struct cli_stat *);
/* Begins the trace; its file is emptied only now. */
void cli_trace_begin(struct cli_stat *);
/* Reports the error of writing the trace. */
void cli_trace_failed(struct cli_stat *);
void cli_trace_close(struct cli_stat *);

/* record --baseline: opens the trace's file, which has no name yet. 0, or an exit code after a message. */
int cli_baseline_open(struct cli_stat *);
/* Gives it its name if code, tdprobe's exit code, is 0; else removes it. Returns the exit code. */
int cli_baseline_close(struct cli_stat *, int code);

/* Flushes the report; a failure is reported once. */
void cli_stat_flush(struct cli_stat *);

/* Measures until the command, a signal or a limit ends it. */
void cli_stat_watch(struct cli_stat *);
/* Waits for the end of the command, which may run longer than we measure. */
void cli_stat_await(struct cli_stat *);

#endif
