/* SPDX-License-Identifier: MIT */
/* What shells ask: tdprobe __complete WORD... */
#ifndef CLI_TABLE_COMPLETE_H
#define CLI_TABLE_COMPLETE_H

#include "cli/table/option.h"
#include "report/output.h"

/* Prints what the last word can become, as lines that cli/table/offers.h describes. words: those after the program's
 * name; commands: the subcommands, the first of which may be left out. */
void cli_complete(struct td_output *, const struct cli_entry *commands, int n, char **words);

#endif
