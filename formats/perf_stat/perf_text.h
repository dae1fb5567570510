/* SPDX-License-Identifier: MIT */
/* perf stat's text: shared by its numbers (perf_text_number.c), its lines
 * (perf_text_line.c) and their rows (perf_text.c). */
#ifndef TD_PERF_TEXT_H
#define TD_PERF_TEXT_H

#include "sim/replay/intervals.h"

enum td_text_kind {
    TD_TEXT_OTHER, /* not perf's, or nothing to read */
    TD_TEXT_COUNT, /* [time] [scope] count [unit] event ... */
    TD_TEXT_MORE, /* a further metric for the line above: "# 41.4 % ..." */
    TD_TEXT_HEAD, /* Performance counter stats for ... */
    TD_TEXT_STARTED, /* "# started on ..." */
    TD_TEXT_ELAPSED, /* seconds time elapsed */
    TD_TEXT_COLUMNS, /* the header of -I */
    TD_TEXT_RATIOS, /* a table of ratios */
};

/* One line as parts that point into it. */
struct td_text_line {
    enum td_text_kind kind;
    bool has_time;
    uint64_t time; /* ns */
    const char *scope; /* NULL: the line names none */
    enum td_scope_kind scope_kind;
    size_t scope_len;
    const char *value; /* the number as it is written */
    size_t value_len;
    enum td_status status; /* TD_OK: value is a number */
    bool unit; /* only counts with a unit have decimals */
    const char *name;
    size_t name_len;
    const char *rest; /* what follows the name; all of a header */
};

/* line must be NUL-terminated. */
void td_text_parse(const char *line, struct td_text_line *out);
/* The percentage that "(66.65%)" after an event gives; false: there is none. */
bool td_text_coverage(const char *rest, double *percent);
/* The decimal point of the locale, '.' or ',', as far as a line shows it; 0: it does
 * not. sure: nothing else can be meant. */
char td_text_decimal(const struct td_text_line *, bool *sure);

/* Bytes of the blank at a place, no-break blanks too; 0: another character. */
size_t td_text_blank(const char *at);
const char *td_text_skip(const char *at);
/* The number of digits at a place. */
size_t td_text_digits(const char *at);
/* Bytes of the number at a place with all that may group digits in any locale. */
size_t td_text_number_len(const char *at);
/* The number itself, where decimal is the decimal point and all else groups digits;
 * false: groups do not have 2 to 4 digits, the last one 3 or 4, or it is beyond 2^64. */
bool td_text_number(const char *at, size_t len, char decimal, double *out);

#endif
