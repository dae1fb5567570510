/* SPDX-License-Identifier: MIT */
/* What the tables of subcommands tell: people the help, and shells what a word can become (tdprobe __complete WORD...).
 */
#ifndef CLI_TABLE_HELP_H
#define CLI_TABLE_HELP_H

#include "cli/table/option.h"
#include "report/output.h"

/* Its usage and options; all: by groups, with what the text after them says; else the common ones, which fit a screen.
 */
void cli_put_help(struct td_output *, const struct cli_subcommand *, bool all);
/* The same on standard output. 0, or an exit code. */
int cli_print_help(const struct cli_subcommand *, bool all);
/* Its options as lines for the check of the manual: name, letter, value, range, what counts without it, choices;
 * between them semicolons. */
void cli_put_options(struct td_output *, const struct cli_subcommand *);

/* Prints what the last word can become, as lines that cli/table/offers.h describes. words: those after the program's
 * name; commands: the subcommands, the first of which may be left out. */
void cli_complete(struct td_output *, const struct cli_entry *commands, int n, char **words);

#endif
