/* SPDX-License-Identifier: MIT */
/* Numbers and lists of them, as option values. */
#ifndef TD_NUMBERS_H
#define TD_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all of text is a whole number within the limits. */
bool cli_number(const char *text, long low, long high, long *out);
/* The same for a time in ms: "500", or with its unit: "500ms", "1.5s", "2m", "1h". It is a whole number of ms. */
bool cli_milliseconds(const char *text, long low, long high, long *out);
/* "1.5,20", "1.5," or ",20", in s: the times in ns; what is not given is 0 or UINT64_MAX. False: it is no such pair. */
bool cli_times(const char *text, uint64_t *after, uint64_t *until);
/* "12,345": numbers 0..high in a new array, in their order and each once. False:
 * it is no such list. */
bool cli_list_numbers(const char *text, long high, int **out, size_t *n);
/* Splits text at its commas into a new array; no part may be empty. */
bool cli_list_names(char *text, const char ***out, size_t *n);

#endif
