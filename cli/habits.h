/* SPDX-License-Identifier: MIT */
/* Options of perf, toplev and their like, and what does the same here. */
#ifndef CLI_HABITS_H
#define CLI_HABITS_H

#include "cli/table/option.h"

enum { CLI_HABIT_TEXT = 512 };

/* What to do instead of using an option that a subcommand lacks, such as "--topdown" or "-l"; value: what was given
 * with it, or "". Names options of that subcommand only. NULL: it is none of them. */
const char *cli_habit(const struct cli_subcommand *, const char *option, const char *value,
                      char text[static CLI_HABIT_TEXT]);

#endif
