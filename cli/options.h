/* SPDX-License-Identifier: MIT */
/* What the options say that replaying and measuring have in common. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "include/tdprobe.h"
#include "report/report.h"

struct option;

struct cli_options {
    struct td *td;
    struct td_report report;
    const char *output; /* -o */
    int deepest; /* level that may be asked for; 0: TD_LEVEL_USUAL */
};

/* Values of struct option, the same in all subcommands. */
enum { CLI_UARCH = 256, CLI_BACKEND, CLI_NO_FIXED, CLI_LEVEL, CLI_METRICS, CLI_FORMAT, CLI_COUNTS, CLI_IMPORT_FORMAT, CLI_OTHER };
#define CLI_OPTIONS_COMMON \
    {"uarch", required_argument, NULL, CLI_UARCH}, {"backend", required_argument, NULL, CLI_BACKEND}, \
        {"no-fixed", no_argument, NULL, CLI_NO_FIXED}, {"level", required_argument, NULL, CLI_LEVEL}, \
        {"format", required_argument, NULL, CLI_FORMAT}, {"counts", no_argument, NULL, CLI_COUNTS}, \
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}

/* A handle whose notes go to stderr. 0, or an exit code. */
int cli_options_begin(struct cli_options *);
/* Takes one of CLI_OPTIONS_COMMON except help, or CLI_IMPORT_FORMAT. 0, or an exit code. */
int cli_options_take(struct cli_options *, int option, const char *value);
/* -x. 0, or an exit code. */
int cli_options_separator(struct cli_options *, const char *text);
/* -j. */
void cli_options_json(struct cli_options *);
/* The report's output is open: its width and colours, where it is a terminal. */
void cli_screen_use(struct td_report *);
/* Whether terminals here obey escape sequences: TERM names one, which is not "dumb". */
bool cli_screen_obeys(void);
/* What to say of getopt_long()'s '?' and ':'; EXIT_USAGE. */
int cli_options_wrong(const char *command, int option, char **argv, const struct option *options);
/* The arguments of a subcommand that takes --uarch, --help and one word, which is a what
 * ("node"): print's exit code, or that of wrong usage. NULL: there is no word, no CPU. */
int cli_options_word(int argc, char **argv, const char *help, const char *what, int (*print)(const char *word, const struct td_uarch *only));
/* td_set_machine() with a file. 0, or an exit code. */
int cli_options_machine(struct cli_options *, const char *path);

#endif
