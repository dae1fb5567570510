/* SPDX-License-Identifier: MIT */
/* Reading a command line by a subcommand's table. */
#ifndef CLI_TABLE_PARSE_H
#define CLI_TABLE_PARSE_H

#include "cli/options.h"

/* Takes the options. settings: the subcommand's, of which the first is its struct cli_options. -1: go on with the words
 * from argv[optind] on; else an exit code, after a message or the help. */
int cli_parse(const struct cli_subcommand *, void *settings, int argc, char **argv);
/* Whether what was given goes together. command: there is one to run. 0, or an exit code after a message. */
int cli_check(const struct cli_subcommand *, const struct cli_options *, bool command);
/* The value that an option was given, "" if it has none; NULL: it was not given. name: "-I" or "--until". */
const char *cli_given(const struct cli_subcommand *, const struct cli_options *, const char *name);
/* The index in argv of the first word that is neither an option of the command nor an option's value; argc: there is
 * none. Two more options may be among them, of another command. */
int cli_first_word(const struct cli_subcommand *, const struct cli_subcommand *other, const char *const *names,
                   int argc, char **argv);
/* Whether words have a long option before the command; what is wrong among them does not matter. */
bool cli_has_option(const struct cli_subcommand *, const char *name, int argc, char **argv);

#endif
