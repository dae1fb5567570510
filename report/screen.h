/* SPDX-License-Identifier: MIT */
/* Text on a terminal: lines as wide as it is, and what stands out. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "report/output.h"

/* What is printed until it is known what it will look like. Zeroed to begin with. */
struct td_held {
    char *text;
    size_t n;
};

/* A td_output_fn that keeps what is written to a struct td_held. */
int td_held_write(void *held, const char *bytes, size_t n);
void td_held_free(struct td_held *);

/* How many columns the characters of UTF-8 take: one each. Sequences of SGR, "\033[1m", take none. */
size_t td_screen_columns(const char *text, size_t n);
/* Text of at most that many columns: a longer one is cut in its middle, "abc..xyz"; 0: all of it. */
void td_screen_put(struct td_output *, const char *text, size_t n, size_t columns);
/* The same with each line of text. */
void td_screen_put_lines(struct td_output *, const char *text, size_t n, size_t columns);

#endif
