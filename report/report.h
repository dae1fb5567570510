/* SPDX-License-Identifier: MIT */
/* A report: results, one after the other, in one of several formats. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "include/tdprobe.h"
#include "report/output.h"
#include "stats/repeat.h"
#include "stats/spread.h"

struct td_report_format;

/* How text shows results. */
enum td_layout {
    TD_LAYOUT_AUTO, /* one result is a tree, several are lines */
    TD_LAYOUT_TREE, /* all that is known of each */
    TD_LAYOUT_LINES, /* one line each; a summary of one scope is a tree */
};

/* SGR: bold red, and back. */
#define TD_COLOUR_LIMIT "\033[1;31m"
#define TD_COLOUR_END "\033[0m"

/* Zeroed: text, with nothing but the metrics. The program's options fill the settings. */
struct td_report {
    const struct td_report_format *format; /* NULL: text */
    const char *separator; /* of csv; NULL: a comma */
    bool counts; /* the counts of the events too */
    char told[4][64]; /* json: the CPUs whose tree was written */
    unsigned long results, valued, judged; /* reported so far; those with any value; and those of them whose counts do not contradict each other */
    bool lies; /* of one, the counts contradict each other */
    enum td_layout layout; /* of text */
    unsigned width; /* of text: columns of the terminal; 0: lines are as long as they are */
    bool colour; /* of text: for the node that limits */
    bool command; /* of text: a command is measured, and its tree says how fast it ran */
    const char *target; /* what perf record is to sample, "-a -- sleep 10"; NULL: by the scope */
    struct td_text_state *text; /* of text, until the report ends */
    struct td_output out; /* to be opened before anything is reported */
};

/* An event of many runs. */
struct td_bench_event {
    const char *event; /* as it was requested */
    uint64_t config; /* perf's raw config */
    struct td_spread counted, cost; /* of the runs; of runs with nothing between starting and stopping */
};

/* What many runs of a command counted. */
struct td_bench {
    int cpu; /* it ran on */
    const char *machine; /* "spr" */
    unsigned runs, empties; /* that count */
    const struct td_bench_event *event;
    size_t n;
};

/* How a live run ended. */
struct td_outcome {
    double elapsed; /* s */
    unsigned runs; /* of the command */
    int code; /* that tdprobe ends with */
    int status; /* the command's, if command */
    bool command; /* one was started, or could not be */
    int signal; /* that killed it, or 0 */
    unsigned errors; /* of tdprobe */
    bool measured; /* anything */
};

/* A format. One file defines it, and report.c lists it. Each function writes to the
 * report's output; NULL: the format has no such thing. */
struct td_report_format {
    const char *name;
    bool one_table; /* with one head: nothing may follow the table of a bench */
    void (*begin)(struct td_report *); /* what comes before all results; see out.appended */
    void (*again)(struct td_report *); /* what comes next takes the place of what was shown */
    void (*result)(struct td_report *, const struct td_result *);
    void (*repeat)(struct td_report *, const struct td_repeat *); /* after the results of several runs */
    void (*bench)(struct td_report *, const struct td_bench *);
    void (*finding)(struct td_report *, const struct td_finding *); /* of the doctor */
    void (*diagnosis)(struct td_report *, int code, const char *text); /* its conclusion; code: the exit code */
    void (*error)(struct td_report *, int code, const char *text); /* of tdprobe, where results were expected */
    void (*end)(struct td_report *, const struct td_outcome *); /* after all; NULL where nothing was live */
};

/* The i-th format, NULL after the last. Static storage. */
const struct td_report_format *td_report_format_at(size_t i);
/* NULL: no format has that name. */
const struct td_report_format *td_report_format_find(const char *name);

/* Call the format's function, if it has one. */
void td_report_begin(struct td_report *);
/* What comes next is another interval, to be shown in place of the one before. */
void td_report_again(struct td_report *);
void td_report_result(struct td_report *, const struct td_result *);
void td_report_repeat(struct td_report *, const struct td_repeat *);
void td_report_bench(struct td_report *, const struct td_bench *);
void td_report_finding(struct td_report *, const struct td_finding *);
void td_report_diagnosis(struct td_report *, int code, const char *text);
void td_report_error(struct td_report *, int code, const char *text);
void td_report_end(struct td_report *, const struct td_outcome *);

#endif
