/* SPDX-License-Identifier: MIT */
/* How recordings are read, kept for handles that are made later. */
#ifndef CLI_READING_H
#define CLI_READING_H

#include "cli/options.h"

/* Options that say how recordings are read, each with its value: they are stored in a struct cli_options. */
struct cli_reading {
    struct cli_chosen {
        const struct cli_option *option;
        const char *value;
    } * chosen;
    size_t n;
};

/* Keeps an option. 0, or an exit code. */
int cli_reading_add(struct cli_reading *, const struct cli_option *, const char *value);
/* Lets a new handle take them all. 0, or an exit code after a message. */
int cli_reading_apply(const struct cli_reading *, struct cli_options *);
void cli_reading_free(struct cli_reading *);

#endif
