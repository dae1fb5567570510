/* SPDX-License-Identifier: MIT */
/* Which subcommands there are, and the help that lists them. */
#ifndef CLI_SUBCOMMANDS_H
#define CLI_SUBCOMMANDS_H

#include "cli/table/option.h"

/* All, ended by one without a table. */
extern const struct cli_entry cli_subcommands[];

/* The one of that name; NULL: there is none. */
const struct cli_entry *cli_subcommand_find(const char *word);
/* The name of the one that a word which is none may have been meant to be, or NULL. */
const char *cli_subcommand_near(const char *word);

/* Prints tdprobe's own help; all: with the options of measuring. Returns the exit code. */
int cli_print_about(bool all);
/* The same on stderr, where no word was given at all. */
int cli_print_no_words(void);
int cli_print_version(void);

#endif
