/* SPDX-License-Identifier: MIT */
/* What is to be replayed. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/options.h"

struct cli_input {
    int fd;
    const char *name; /* for messages */
    char head[8]; /* its first bytes, read when it was opened */
    size_t nhead, given; /* in head; of these, read on */
    char *found; /* the file in a folder; NULL: none was looked for */
    bool grows; /* it may still be growing */
    uint64_t size, done; /* bytes; size 0: not known */
    double begun, drawn; /* s: of CLOCK_MONOTONIC; when the line about it was last drawn */
    bool line; /* there is to be one */
};

struct option;
/* Takes the options of a command that reads recordings, each but -h through take, which
 * gives 0 or an exit code. letters: those beside -o and -h. -1: continue with the recordings
 * from argv[optind] on, at least one and at most most; else the exit code. */
int cli_input_options(const char *command, int argc, char **argv, const char *letters, const struct option *options, const char *help,
                      int (*take)(void *ctx, int option, const char *value), void *ctx, int most);
/* The recordings to read, from argv[optind] on; none: stdin, if something is piped or redirected there. */
char **cli_input_list(int argc, char **argv, size_t *n);
/* Opens a file, a folder of PerfSpect (its counts; the metadata go to the handle,
 * as they do with the file of the counts alone), or "-", stdin. command: the subcommand, for messages. 0, or an exit code after a message. */
int cli_input_open(struct cli_options *, const char *path, const char *command, struct cli_input *out);
void cli_input_close(struct cli_input *);
/* A td_read_fn: from a struct cli_input. */
ssize_t cli_input_read(void *input, void *buf, size_t size);
/* From now on a line on stderr shows the progress, if the file is large and stderr is a
 * terminal. prints: results are printed while it is read; if they go to the same
 * terminal, there is no such line. */
void cli_input_watch(struct cli_input *, const struct td_output *, bool prints);
/* Takes that line away, for something else that is to be printed. */
void cli_input_erase(void);

#endif
