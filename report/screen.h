/* SPDX-License-Identifier: MIT */
/* Text on a terminal: lines of the terminal's width, and highlighting. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "report/output.h"

/* Output held until its layout is known. Zeroed before first use. */
struct td_held {
    char *text;
    size_t n;
};

/* A td_output_fn that stores what is written in a struct td_held. */
int td_held_write(void *held, const char *bytes, size_t n);
void td_held_free(struct td_held *);

/* How many columns the characters of UTF-8 take: one each. Sequences of SGR, "\033[1m", take none. */
size_t td_screen_columns(const char *text, size_t n);
/* Writes text in at most so many columns, and cuts a longer one in its middle: "abc..xyz". columns 0: writes all of
 * it. */
void td_screen_put(struct td_output *, const char *text, size_t n, size_t columns);
/* Does so with each line of text. */
void td_screen_put_lines(struct td_output *, const char *text, size_t n, size_t columns);
/* Puts a line of where a recording is from: "# COMMAND on HOST started TIME", of what is known; nothing if nothing is.
 */
void td_screen_put_origin(struct td_output *, const char *command, const char *host, const char *started,
                          size_t columns);

#endif
