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
    uint64_t size, done; /* bytes; size 0: not known */
    double begun, drawn; /* s: of CLOCK_MONOTONIC; when the line about it was last drawn */
    bool line; /* there is to be one */
};

struct option;
/* Takes the options of a command that reads one recording, each but -h through
 * take, which gives 0 or an exit code. -1: go on with *input; else the exit code. */
int cli_input_options(const char *command, int argc, char **argv, const struct option *options, const char *help,
                      int (*take)(void *ctx, int option, const char *value), void *ctx, const char **input);
/* Opens a file, a folder of PerfSpect (its counts; the metadata go to the handle,
 * as they do with the file of the counts alone), or "-", stdin. 0, or an exit code; said. */
int cli_input_open(struct cli_settings *, const char *path, struct cli_input *out);
void cli_input_close(struct cli_input *);
/* A td_read_fn: from a struct cli_input. */
ssize_t cli_input_read(void *input, void *buf, size_t size);
/* From now on a line on stderr says how far reading is, if the file is large and
 * stderr a terminal. prints: results come while it is read; where they go to the
 * same terminal there is no such line. */
void cli_input_watch(struct cli_input *, const struct cli_out *, bool prints);

#endif
