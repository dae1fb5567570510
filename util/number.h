/* SPDX-License-Identifier: MIT */
/* Numbers in recordings, read strictly: the whole text or nothing. */
#ifndef TD_NUMBER_H
#define TD_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* isdigit() without its trap: that is undefined for a char below 0. */
static inline bool td_is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

/* Why a text is no number; "" if it is one. */
extern const char td_number_none[], td_number_negative[], td_number_large[];

/* Decimal digits up to 2^64-1. NULL, or why not (one of the above). */
const char *td_number_u64(const char *text, size_t len, uint64_t *out);
/* Hexadecimal digits after 0x, likewise. */
const char *td_number_hex(const char *text, size_t len, uint64_t *out);
/* Decimal digits with or without a fraction, up to 2^64. */
const char *td_number_decimal(const char *text, size_t len, double *out);
/* perf's time: seconds, a dot and nine digits, to ns. */
bool td_number_time(const char *text, size_t len, uint64_t *ns);
/* Seconds with up to nine decimals (more are cut), as other programs rewrite
 * perf's time, to ns. */
bool td_number_seconds(const char *text, size_t len, uint64_t *ns);

#endif
