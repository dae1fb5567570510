/* SPDX-License-Identifier: MIT */
/* The text of a trace as this program writes it, line by line: what merging looks at in a row and puts into it. */
#ifndef CLI_MERGE_ROWS_H
#define CLI_MERGE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Text that grows. Zeroed: empty. */
struct cli_text {
    char *at;
    size_t used, room;
};

/* 0 or -ENOMEM. */
int cli_text_add(struct cli_text *, const char *bytes, size_t n);
void cli_text_free(struct cli_text *);

/* Takes a line, without its newline and ended by NUL. 0 or -errno. */
typedef int cli_line_fn(void *ctx, char *line);

/* Cuts what is written to it into lines. */
struct cli_lines {
    cli_line_fn *line;
    void *ctx;
    struct cli_text rest; /* of a line whose end is still to come */
};

/* A td_write_fn for a struct cli_lines. */
int cli_lines_write(void *lines, const void *buf, size_t size);

/* A row, in its line's memory. */
struct cli_row {
    const char *time; /* "": not known */
    char *scope; /* without quotes */
    const char *kind, *core;
    const char *group, *epoch, *event, *value, *times; /* times: enabled and running, with the comma between */
    bool starts, ends, begins; /* it is a start row; it ends a reading, with "end" or "begin" */
};

/* Splits a line, which it changes, at the commas outside quotes. False: it is no row of a trace. */
bool cli_row_split(char *line, struct cli_row *out);
/* Adds the row, for the scope "label/scope", or if label is NULL "scope". What ends a reading has no run in it, and
 * with begins no interval leads to it. 0 or -ENOMEM. */
int cli_row_add(struct cli_text *, const struct cli_row *, const char *label, bool begins);
/* Adds a start row at the row's place. 0 or -ENOMEM. */
int cli_row_add_start(struct cli_text *, const struct cli_row *, const char *label);

#endif
