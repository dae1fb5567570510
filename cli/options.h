/* SPDX-License-Identifier: MIT */
/* The options that subcommands share: each row stands here once. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/table/option.h"
#include "include/td_samples.h"
#include "report/report.h"

/* The first member of each subcommand's settings. */
struct cli_options {
    struct td *td;
    struct td_report report;
    const char *output; /* -o */
    bool plain; /* only a regular file is read, and none that would have to be waited for is opened */
    int level; /* --level; 0: none was given */
    bool strict; /* --strict */
    double min_coverage; /* -1: none was given */
    const char *given[CLI_ROWS_MOST]; /* by row of the table: the value, or ""; NULL: the option was not given */
};

/* ---- rows, each to be completed by what its subcommand says of it --------------------------------- */

#define CLI_UARCH(...) \
    { \
        "uarch", .arg = "NAME|ID", .kind = CLI_TAKEN, .take = cli_take_uarch, .choice = cli_uarch_name, .reads = true, \
                 __VA_ARGS__ \
    }
#define CLI_BACKEND(...) \
    { \
        "backend", .arg = "NAME", .kind = CLI_TAKEN, .take = cli_take_backend, .choice = cli_backend_name, \
                   .reads = true, .usual = "auto", __VA_ARGS__ \
    }
#define CLI_NO_FIXED(...) \
    { \
        "no-fixed", .kind = CLI_TAKEN, .take = cli_take_no_fixed, .reads = true, \
                    .help = "ordinary events instead of the PERF_METRICS register", __VA_ARGS__ \
    }
#define CLI_LEVEL(...) \
    { \
        "level", .arg = "N", .kind = CLI_TAKEN, .take = cli_take_level, .low = TD_LEVEL_TOP, .high = TD_LEVELS, \
                 .offer = CLI_LEVELS, .reads = true, .common = true, .help = "the deepest level", __VA_ARGS__ \
    }
#define CLI_METRICS_ROW(...) \
    { \
        "metrics", 'M', "LIST", CLI_TAKEN, .take = cli_take_metrics, .offer = CLI_METRICS, .reads = true, __VA_ARGS__ \
    }
#define CLI_METRICS_HELP \
    .common = true, .help = "further metrics: names, groups or all", .more = "('tdprobe list metrics --uarch NAME')"
#define CLI_ALL \
    { \
        "all", CLI_SETS(struct cli_options, report.all), .help = "text: deeper nodes below their thresholds, too" \
    }
#define CLI_COUNTS(...) \
    { \
        "counts", CLI_SETS(struct cli_options, report.counts), .help = "print the events' counts too", __VA_ARGS__ \
    }
#define CLI_FORMAT(...) \
    { \
        "format", .arg = "NAME", .kind = CLI_CHOICE, .what = "the format", .usual = "text", .common = true, \
                  __VA_ARGS__ \
    }
#define CLI_REPORT_FORMAT(...) \
    CLI_FORMAT(.take = cli_take_format, .choice = cli_format_name, .help = "the format", __VA_ARGS__)
/* Of what has no room in a page. */
#define CLI_STREAM_FORMAT(...) \
    CLI_FORMAT(.take = cli_take_format, .choice = cli_stream_format_name, .help = "the format", __VA_ARGS__)
#define CLI_HTML_METRICS \
    { \
        "html-metrics", .arg = "LIST", .kind = CLI_TAKEN, .take = cli_take_html_metrics, \
                        .help = "html: the nodes of the heat map of scopes", \
                        .more = "(without it those of level 1, and what the verdict names)" \
    }
/* -x and -j imply --format csv and json; function takes the value of that. */
#define CLI_SEPARATOR(function) \
    { \
        "field-separator", 'x', "SEP", CLI_TAKEN, .take = cli_take_separator, .also = (function), .also_value = "csv", \
                                                  .help = "csv, with SEP between the fields" \
    }
#define CLI_JSON(function) \
    { \
        "json", 'j', .kind = CLI_IMPLIES, .also = (function), .also_value = "json", .common = true, .help = "json" \
    }
#define CLI_OUTPUT(...) \
    { \
        "output", 'o', "FILE", CLI_TAKEN, .take = cli_take_output, .offer = CLI_FILES, .common = true, __VA_ARGS__ \
    }
#define CLI_OUTPUT_WHOLE CLI_OUTPUT(.help = "write to FILE", .more = "(which appears only when it is whole)")
#define CLI_MACHINE(...) \
    { \
        "machine", .arg = "FILE", .offer = CLI_MACHINES, __VA_ARGS__ \
    }

/* Of any recording. */
#define CLI_UARCH_RECORDED CLI_UARCH(.common = true, .help = "the CPU, where the recording does not name it")
#define CLI_BACKEND_RECORDED CLI_BACKEND(.help = "only CPUs of this backend")
#define CLI_LEVEL_RECORDED CLI_LEVEL(.more = "(default: the trace's, else 2)")
#define CLI_BUNDLE(type, field) \
    { \
        "bundle", .arg = "FILE", CLI_TEXT_IN(type, field), .offer = CLI_FILES, .common = true, \
                  .help = "also an archive of what was found, to be mailed", \
                  .more = "(tar; what is in it is listed; no names of hosts, users or files)" \
    }
#define CLI_SMT \
    { \
        "smt", .arg = "on|off", .kind = CLI_CHOICE, .take = cli_take_smt, .choice = cli_smt_state, .reads = true, \
               .help = "whether the recorded cores had two threads online", \
               .more = "(where the recording does not say it or is wrong)" \
    }
#define CLI_IMPORT_FORMAT \
    { \
        "import-format", .arg = "NAME", .kind = CLI_TAKEN, .take = cli_take_import_format, \
                         .choice = cli_import_format_name, .reads = true, .usual = "auto", \
                         .help = "the format, if the content does not show it" \
    }
#define CLI_TIME \
    { \
        "time", .arg = "FROM,TO", .kind = CLI_TAKEN, .take = cli_take_time, .reads = true, \
                .help = "only intervals that end between, in s", \
                .more = "(after FROM and not after TO; either can be left out)" \
    }

/* Doubts that the exit code is to show. */
#define CLI_STRICT_ROWS \
    {"strict", CLI_SETS(struct cli_options, strict), \
     .help = "exit 3 in place of 0 if any value that is shown is flagged"}, \
    { \
        "min-coverage", .arg = "SHARE", CLI_REAL_IN(struct cli_options, min_coverage, 0, 1), \
                        .is = "a share of the time, 0 to 1", \
                        .help = "exit 3 in place of 0 if a result was counted in less of the time" \
    }

/* Of recordings of samples. */
#define CLI_SYMBOLS \
    {"symfs", \
     .arg = "DIR", \
     .kind = CLI_TAKEN, \
     .take = cli_take_symfs, \
     .offer = CLI_FOLDERS, \
     .reads = true, \
     .help = "the recorded files are below DIR, not below /"}, \
        {"buildid-dir", \
         .arg = "DIR", \
         .kind = CLI_TAKEN, \
         .take = cli_take_buildid_dir, \
         .offer = CLI_FOLDERS, \
         .reads = true, \
         .usual = "~/.debug", \
         .help = "look for missing files in DIR by build-id", \
         .more = "(as perf record and perf archive keep them)"}, \
        {"kallsyms", \
         .arg = "FILE", \
         .kind = CLI_TAKEN, \
         .take = cli_take_kallsyms, \
         .offer = CLI_FILES, \
         .reads = true, \
         .help = "a copy of the recorded kernel's /proc/kallsyms"}, \
    { \
        "debuginfod", .arg = "[URLS]", .kind = CLI_TAKEN, .take = cli_take_debuginfod, .reads = true, \
                      .usual = "DEBUGINFOD_URLS", .help = "and from these debuginfod servers" \
    }

/* What is measured, and what a scope is, as perf stat calls it. */
#define CLI_BY_PARTS_ROWS(type, field) \
    {"per-core", CLI_LAST_OF(type, field, TD_BY_CORE), .help = "for each core"}, \
        {"per-socket", CLI_LAST_OF(type, field, TD_BY_SOCKET), .help = "for each socket"}, \
    { \
        "per-node", CLI_LAST_OF(type, field, TD_BY_NODE), .help = "for each NUMA node" \
    }
#define CLI_BY_ROWS(type, field) \
    {"no-aggr", \
     'A', \
     .kind = CLI_LAST, \
     .at = offsetof(type, field), \
     .low = TD_BY_CPU, \
     .common = true, \
     .help = "a result for each CPU, with -a or -C"}, \
        CLI_BY_PARTS_ROWS(type, field), \
    { \
        "per-thread", CLI_LAST_OF(type, field, TD_BY_THREAD), .help = "for each thread, with -p or -t" \
    }
#define CLI_MODES(user, kernel) \
    {"all-user", user, .help = "only user mode"}, \
    { \
        "all-kernel", kernel, .help = "only the kernel" \
    }

/* Choices, NULL after the last, and how each value is taken: 0, or an exit code after a message. */
const char *cli_uarch_name(size_t i);
const char *cli_backend_name(size_t i);
const char *cli_import_format_name(size_t i);
const char *cli_format_name(size_t i);
/* Those that are no page. */
const char *cli_stream_format_name(size_t i);
/* Those that have a place for sums. */
const char *cli_phases_format_name(size_t i);
const char *cli_smt_state(size_t i);
const char *cli_by_name(size_t i);
int cli_take_uarch(void *settings, const char *value);
int cli_take_backend(void *settings, const char *value);
int cli_take_no_fixed(void *settings, const char *value);
int cli_take_level(void *settings, const char *value);
int cli_take_metrics(void *settings, const char *value);
/* A label of the trace that is written; may be given again. */
int cli_take_label(void *settings, const char *value);
int cli_take_format(void *settings, const char *value);
int cli_take_html_metrics(void *settings, const char *value);
int cli_take_separator(void *settings, const char *value);
int cli_take_output(void *settings, const char *value);
int cli_take_smt(void *settings, const char *value);
int cli_take_import_format(void *settings, const char *value);
int cli_take_time(void *settings, const char *value);
int cli_take_by(void *settings, const char *value);
int cli_take_symfs(void *settings, const char *value);
int cli_take_kallsyms(void *settings, const char *value);
int cli_take_buildid_dir(void *settings, const char *value);
int cli_take_debuginfod(void *settings, const char *value);
int cli_take_machine(void *settings, const char *value);

/* ---- for takers of single subcommands ------------------------------------------------------------------ */

/* The values of -C, and of -p or -t (letter): lists in a new array, in place of one that an earlier option gave. 0, or
 * an exit code after a message. */
int cli_options_cpus(const char *text, const int **cpus, size_t *n);
int cli_options_tasks(int letter, const char *text, const pid_t **tasks, size_t *n);

/* Makes a handle whose notes go to stderr. 0, or an exit code. */
int cli_options_begin(struct cli_options *);
/* The index of text among the names that name(i) gives, NULL after the last; -1, after a message with all of them and
 * the nearest: it is none. what: "the format" */
int cli_options_pick(const char *what, const char *text, const char *(*name)(size_t i));
/* The report's output is open: sets its width and colours, if it is a terminal. */
void cli_screen_use(struct td_report *);
/* Has lines draw shares, if the output is a terminal. */
void cli_screen_bars(struct td_report *);
/* Whether terminals here obey escape sequences: TERM is set, and not "dumb". */
bool cli_screen_obeys(void);
/* Calls td_set_machine() with a file. 0, or an exit code. */
int cli_options_machine(struct cli_options *, const char *path);

#endif
