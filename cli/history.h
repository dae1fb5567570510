/* SPDX-License-Identifier: MIT */
/* A folder that keeps a program's recordings, a file for each: what 'tdprobe record --baseline' adds to, and
 * 'tdprobe compare --baseline' compares with. */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

struct cli_history {
    char **path; /* oldest first: names begin with the time */
    size_t n;
};

/* The path of a recording that begins now, to be freed; makes the folder, if its parent is there. NULL after a
 * message; code: the exit code. */
char *cli_history_new(const char *folder, int *code);
/* All recordings in a folder. 0, or an exit code after a message. */
int cli_history_list(const char *folder, struct cli_history *out);
/* The index of a file among them, whatever path leads to it; n: it is none of them. */
size_t cli_history_find(const struct cli_history *, const char *path);
void cli_history_free(struct cli_history *);

#endif
