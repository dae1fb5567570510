/* SPDX-License-Identifier: MIT */
/* The file for node_exporter's textfile collector: always whole, and gone when the collector is. */
#ifndef CLI_COLLECT_TEXTFILE_H
#define CLI_COLLECT_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>

struct cli_textfile {
    const char *folder; /* --textfile; NULL: no file is wanted */
    int dir; /* its descriptor, which holds a lock against others; -1: it is not there now */
    bool written; /* the file is there */
    bool told; /* a message has said that it cannot be written */
    unsigned long failures; /* how often it could not be */
};

/* Finds out whether the file can be written. 0, or an exit code after a message. */
int cli_textfile_open(struct cli_textfile *);
/* Replaces the file. What fails is counted, and said when it begins and ends. */
void cli_textfile_write(struct cli_textfile *, const char *text, size_t n);
/* Removes the file. */
void cli_textfile_close(struct cli_textfile *);

#endif
