/* SPDX-License-Identifier: MIT */
/* A report: results in sequence, in one of several formats. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "include/tdprobe.h"
#include "report/output.h"
#include "stats/repeat.h"
#include "stats/mean.h"

struct td_report_format;

/* When a phase of a recording began and ended, in seconds; NAN: it is no phase. */
struct td_span {
    double from, to;
};

/* How text shows results. */
enum td_report_layout {
    TD_LAYOUT_AUTO, /* one result is a tree, several are lines */
    TD_LAYOUT_TREE, /* all that is known about each result */
    TD_LAYOUT_LINES, /* one line for each result; a summary of one scope is a tree */
};

/* What a last column of lines draws the share of the node that limits with, where there is room. */
enum td_report_bars {
    TD_BARS_NONE, /* there is no such column */
    TD_BARS_SIGNS, /* # */
    TD_BARS_BLOCKS, /* eighths of blocks, in UTF-8 */
};

/* Sequences of SGR: bold red, and the reset. */
#define TD_COLOUR_LIMIT "\033[1;31m"
#define TD_COLOUR_END "\033[0m"

/* Zeroed: text, with only the metrics. The program's options fill the settings. */
struct td_report {
    const struct td_report_format *format; /* NULL: text */
    const char *separator; /* of csv; NULL: a comma */
    bool counts; /* print the counts of the events too */
    char **told; /* for json, until the report ends: the CPUs whose tree has been written */
    size_t ntold;
    struct td_verdict verdict; /* that of the result at hand, which all formats give */
    unsigned long results; /* how many were reported so far */
    unsigned long valued; /* how many of these have any value */
    unsigned long judged; /* how many of these have counts that do not contradict each other */
    unsigned long flagged; /* how many of those with a value have a flagged one */
    const char *first_flag; /* the name of the first of their flags */
    double coverage; /* the least that is known of results with a value, if covered is not 0 */
    unsigned long covered, uncovered; /* how many results with a value have a known coverage, and how many have not */
    bool lies; /* the counts of some result contradict each other */
    bool uncounted; /* a result without a value has events that were recorded, and were not counted */
    char cpu[512]; /* the CPU of the first result; if several CPUs fit it, all of them, joined by '|' */
    enum td_report_layout layout; /* for text */
    bool each_cpu; /* results of several CPUs that fit follow each other */
    unsigned width; /* for text: columns of the terminal; 0: lines are not cut */
    enum td_report_bars bars; /* for text */
    bool colour; /* for text: colours the node that limits */
    bool all; /* for text: shows deeper nodes that are below their thresholds, too */
    bool branch; /* deeper nodes only below those that the verdict names */
    const char *named; /* for text: metrics asked for by name, which are shown in any case; NULL: none */
    const char
        *heat; /* for html: the nodes that the heat map shows, with commas between; NULL: level 1, and what limits */
    bool no_fixed; /* the PERF_METRICS register is not used; what is advised must not lead to it */
    bool command; /* for text: a command is measured, and its tree shows how fast it ran */
    bool once; /* for text: results are of a whole run, so that the end of each says no more than how long that took */
    /* results are of phases, with these times: for text in a line each, for html beside the intervals; NULL: they are
     * not */
    const struct td_span *span;
    const struct td_repeat *means; /* for text: the runs whose spread is shown in trees of summaries; NULL: none */
    bool spread; /* for text: it was shown */
    bool timed; /* for text: a time was shown, and need not be said again at the end */
    const char *target; /* what perf record should sample, "-a -- sleep 10"; NULL: depends on the scope */
    const char *file; /* which of several recordings the results are of; NULL: there is one */
    const char *recorded; /* the command that a recording names; NULL: none */
    const char *host, *started; /* the machine and the time that it names; NULL: none */
    uint64_t monotonic, realtime; /* what CLOCK_MONOTONIC and CLOCK_REALTIME showed at time 0, ns; 0: not known */
    bool archive; /* csv: what names the recording is in each row, too */
    const char *labels; /* for that: what its recorder calls it by; NULL: nothing */
    bool headed; /* for text: these have been said */
    /* for text: what was said of enum td_flag and of enum td_mark; once for each screen */
    unsigned explained_flags, explained_marks;
    struct td_text_state *text; /* for text, until the report ends */
    struct td_html_state *html; /* for html, until the report ends */
    struct td_chrome_state *chrome; /* for chrome, until the report ends */
    struct td_tally *tally; /* for openmetrics and prometheus, until the report ends */
    bool tallied; /* it has intervals */
    const char *subject; /* for pages: the recording's name, or the command that is measured; NULL: it has none */
    const char *by; /* for pages: the subcommand, "replay" */
    struct td_output out; /* must be opened before anything is reported */
};

/* An event over many runs. */
struct td_bench_event {
    const char *event; /* as it was requested */
    uint64_t config; /* perf's raw config */
    struct td_spread counted; /* what the runs counted */
    struct td_spread cost; /* what runs counted that had nothing between starting and stopping */
};

/* What many runs of a command counted. */
struct td_bench {
    int cpu; /* the CPU that it ran on */
    const char *machine; /* "spr" */
    unsigned runs, empties; /* how many runs and empty runs are counted */
    const struct td_bench_event *event;
    size_t n;
};

/* How a live run ended. */
struct td_outcome {
    double elapsed; /* s */
    unsigned runs; /* how often the command ran */
    int code; /* tdprobe's exit code */
    int status; /* the command's exit status, if command */
    bool command; /* a command was started, or could not be started */
    int signal; /* the signal that killed the command, or 0 */
    unsigned errors; /* how many errors tdprobe had */
    bool measured; /* something was measured */
};

/* A format. It is defined in one file and listed in report.c. Each function writes to the
 * report's output; NULL: the format does not have it. */
struct td_report_format {
    const char *name;
    bool one_table; /* all output is one table with one header: nothing may follow that of a bench */
    bool page; /* all output is one file of one recording, which has the sums of it in any case */
    bool intervals; /* sums have no place in it */
    void (*begin)(struct td_report *); /* before all results; see out.appended */
    void (*again)(struct td_report *); /* what follows replaces what was shown */
    void (*result)(struct td_report *, const struct td_result *);
    void (*repeat)(struct td_report *, const struct td_repeat *); /* after the results of several runs */
    void (*bench)(struct td_report *, const struct td_bench *);
    void (*finding)(struct td_report *, const struct td_finding *); /* from the doctor */
    /* the doctor's conclusion; code: the exit code */
    void (*diagnosis)(struct td_report *, int code, const char *text);
    void (*error)(struct td_report *, int code, const char *text); /* an error in place of results */
    void (*end)(struct td_report *, const struct td_outcome *); /* after everything; outcome NULL: nothing was live */
};

/* The i-th format, NULL after the last. Static storage. */
const struct td_report_format *td_report_format_at(size_t i);
/* The format of that name; NULL: there is none. */
const struct td_report_format *td_report_format_find(const char *name);

/* These call the format's function, if there is one. */
void td_report_begin(struct td_report *);
/* What follows is another interval, which replaces the previous one. */
void td_report_again(struct td_report *);
void td_report_result(struct td_report *, const struct td_result *);
void td_report_repeat(struct td_report *, const struct td_repeat *);
void td_report_bench(struct td_report *, const struct td_bench *);
void td_report_finding(struct td_report *, const struct td_finding *);
void td_report_diagnosis(struct td_report *, int code, const char *text);
void td_report_error(struct td_report *, int code, const char *text);
void td_report_end(struct td_report *, const struct td_outcome *);

#endif
