/* SPDX-License-Identifier: MIT */
/* The options that replaying and measuring share. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "include/td_samples.h"
#include "report/report.h"

struct option;

struct cli_options {
    struct td *td;
    struct td_report report;
    const char *output; /* -o */
    bool plain; /* only a regular file is read, and none that would have to be waited for is opened */
    int level; /* --level; 0: none was given */
    bool strict; /* --strict */
    bool covered; /* --min-coverage was given */
    double min_coverage;
};

/* Values of struct option, the same in all subcommands. */
enum { CLI_UARCH = 256, CLI_BACKEND, CLI_NO_FIXED, CLI_LEVEL, CLI_METRICS, CLI_FORMAT, CLI_COUNTS, CLI_IMPORT_FORMAT, CLI_ALL,
       CLI_PER_CORE, CLI_PER_SOCKET, CLI_PER_NODE, CLI_PER_THREAD, CLI_STRICT, CLI_MIN_COVERAGE, CLI_TIME, CLI_BY, CLI_SYMFS, CLI_BUILDID_DIR,
       CLI_DEBUGINFOD, CLI_SMT, CLI_OTHER };
#define CLI_OPTIONS_BASIC \
    {"uarch", required_argument, NULL, CLI_UARCH}, {"backend", required_argument, NULL, CLI_BACKEND}, \
        {"no-fixed", no_argument, NULL, CLI_NO_FIXED}, {"level", required_argument, NULL, CLI_LEVEL}, \
        {"format", required_argument, NULL, CLI_FORMAT}, {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}
#define CLI_OPTIONS_COMMON CLI_OPTIONS_BASIC, {"counts", no_argument, NULL, CLI_COUNTS}, {"all", no_argument, NULL, CLI_ALL}
/* Those that each subcommand takes by their letters: M, j and x. */
#define CLI_OPTIONS_LETTERS \
    {"metrics", required_argument, NULL, 'M'}, {"json", no_argument, NULL, 'j'}, {"field-separator", required_argument, NULL, 'x'}

/* Of any recording. */
#define CLI_OPTIONS_RECORDING {"smt", required_argument, NULL, CLI_SMT}

/* Doubts that the exit code is to show. */
#define CLI_OPTIONS_STRICT {"strict", no_argument, NULL, CLI_STRICT}, {"min-coverage", required_argument, NULL, CLI_MIN_COVERAGE}

/* Of recordings of samples. */
#define CLI_OPTIONS_SAMPLES {"by", required_argument, NULL, CLI_BY}, CLI_OPTIONS_SYMBOLS
#define CLI_OPTIONS_SYMBOLS \
    {"symfs", required_argument, NULL, CLI_SYMFS}, {"buildid-dir", required_argument, NULL, CLI_BUILDID_DIR}, \
        {"debuginfod", optional_argument, NULL, CLI_DEBUGINFOD}

/* What is measured, and what a scope is, as perf stat calls it. */
#define CLI_OPTIONS_SCOPE \
    {"all-cpus", no_argument, NULL, 'a'}, {"cpu", required_argument, NULL, 'C'}, {"pid", required_argument, NULL, 'p'}, \
        {"tid", required_argument, NULL, 't'}, {"interval-print", required_argument, NULL, 'I'}, {"no-aggr", no_argument, NULL, 'A'}, \
        {"per-core", no_argument, NULL, CLI_PER_CORE}, {"per-socket", no_argument, NULL, CLI_PER_SOCKET}, \
        {"per-node", no_argument, NULL, CLI_PER_NODE}, {"per-thread", no_argument, NULL, CLI_PER_THREAD}
/* Takes one of those that say what a scope is; false: it is another option. */
bool cli_options_by(int option, enum td_by *by);

/* The values of -C, and of -p or -t (letter): lists in a new array, in place of one that an earlier option gave. 0, or an exit
 * code after a message. */
int cli_options_cpus(const char *text, const int **cpus, size_t *n);
int cli_options_tasks(int letter, const char *text, const pid_t **tasks, size_t *n);

/* Makes a handle whose notes go to stderr. 0, or an exit code. */
int cli_options_begin(struct cli_options *);
/* The index of text among the names that name(i) gives, NULL after the last; -1, after a message with all of them and the
 * nearest: it is none. what: "the format" */
int cli_options_pick(const char *what, const char *text, const char *(*name)(size_t i));
/* Takes one of CLI_OPTIONS_COMMON except help, or CLI_IMPORT_FORMAT, or of CLI_OPTIONS_RECORDING, CLI_OPTIONS_STRICT or CLI_OPTIONS_SAMPLES. 0, or an exit code. */
int cli_options_take(struct cli_options *, int option, const char *value);
/* -x. 0, or an exit code. */
int cli_options_separator(struct cli_options *, const char *text);
/* -j. */
void cli_options_json(struct cli_options *);
/* The report's output is open: sets its width and colours, if it is a terminal. */
void cli_screen_use(struct td_report *);
/* Whether terminals here obey escape sequences: TERM is set, and not "dumb". */
bool cli_screen_obeys(void);
/* Reports what getopt_long()'s '?' and ':' mean; EXIT_USAGE. */
int cli_options_wrong(const char *command, int option, char **argv, const struct option *options);
/* Takes the arguments of a subcommand that has --uarch, --help and one word, called what in messages
 * ("node"): returns print's exit code, or that for wrong usage. NULL: there is no word, or no CPU. */
int cli_options_word(int argc, char **argv, const char *help, const char *what, int (*print)(const char *word, const struct td_uarch *only));
/* Calls td_set_machine() with a file. 0, or an exit code. */
int cli_options_machine(struct cli_options *, const char *path);

#endif
