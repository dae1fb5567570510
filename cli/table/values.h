/* SPDX-License-Identifier: MIT */
/* Values of options: how the text after an option becomes what its row of the table asks for. */
#ifndef CLI_TABLE_VALUES_H
#define CLI_TABLE_VALUES_H

#include "cli/table/option.h"

/* Takes one value of an option, as its row says. 0, or an exit code after a message. */
int cli_take(const struct cli_option *, void *settings, const char *value);

#endif
