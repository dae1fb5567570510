/* SPDX-License-Identifier: MIT */
/* Numbers as text, the same in every locale. Each function writes at out, which has
 * room for as many characters as its constant shows, and returns the end of what it wrote,
 * without a NUL. */
#ifndef REPORT_DIGITS_H
#define REPORT_DIGITS_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TD_DIGITS_INTEGER = 20, /* for 2^64 - 1 */
    TD_DIGITS_SHORTEST = 24, /* for -2.2250738585072014e-308 */
    TD_DIGITS_FIXED = 1 + 309 + 1 + 9, /* for -DBL_MAX with the most decimals */
};

char *td_digits_integer(uint64_t value, char *out);
/* Writes the last n <= 9 digits, with leading zeros. */
char *td_digits_padded(uint32_t value, int n, char *out);
/* Like printf() with %.15g, else %.16g, else %.17g: the first that reads back as the
 * same number. value is finite. */
char *td_digits_shortest(double value, char *out);
/* Like printf() with %.*f for 0 to 9 decimals; also inf and nan. */
char *td_digits_fixed(double value, int decimals, char *out);

/* A share in percent, for one decimal: one that is shown as 0 has no sign. */
static inline double td_percent(double share)
{
    return fabs(share) < 0.0005 ? 0 : 100 * share;
}

#ifdef __cplusplus
}
#endif

#endif
