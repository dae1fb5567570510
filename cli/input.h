/* SPDX-License-Identifier: MIT */
/* What is to be replayed. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli.h"

struct cli_input {
    int fd;
    const char *name; /* for messages */
    char *found; /* the file in a folder; NULL: none was looked for */
    bool grows; /* it may still be growing */
};

/* Opens a file, a folder of PerfSpect (its counts; the metadata go to the handle,
 * as they do with the file of the counts alone), or "-", stdin. 0, or an exit code; said. */
int cli_input_open(struct cli_settings *, const char *path, struct cli_input *out);
void cli_input_close(struct cli_input *);

#endif
