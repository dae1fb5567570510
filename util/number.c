/* SPDX-License-Identifier: MIT */
#include "util/number.h"

#include <string.h>

const char td_number_none[] = "is not a number";
const char td_number_negative[] = "is negative";
const char td_number_large[] = "is beyond 2^64-1";

/* Reads digits from text[*at]; false when they exceed 64 bits. */
static bool digits(const char *text, size_t len, size_t *at, uint64_t *out)
{
    size_t safe = *at + 19 < len ? *at + 19 : len; /* 19 digits always fit */
    uint64_t n = 0;
    size_t i = *at;

    while (i < safe && td_is_digit(text[i]))
        n = n * 10 + (unsigned)(text[i++] - '0');
    for (*at = i; *at < len && td_is_digit(text[*at]); ++*at) {
        unsigned digit = (unsigned)(text[*at] - '0');

        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

const char *td_number_u64(const char *text, size_t len, uint64_t *out)
{
    size_t at = 0;

    if (len && *text == '-')
        return td_number_negative;
    if (!digits(text, len, &at, out))
        return td_number_large;
    return at && at == len ? NULL : td_number_none;
}

const char *td_number_hex(const char *text, size_t len, uint64_t *out)
{
    uint64_t n = 0;

    if (len < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
        return td_number_none;
    for (size_t i = 2; i < len; i++) {
        char ch = text[i];
        unsigned digit = td_is_digit(ch)          ? (unsigned)(ch - '0')
                         : ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10
                         : ch >= 'A' && ch <= 'F' ? (unsigned)(ch - 'A') + 10
                                                  : 16;

        if (digit > 15)
            return td_number_none;
        if (n >> 60)
            return td_number_large;
        n = n << 4 | digit;
    }
    *out = n;
    return NULL;
}

const char *td_number_decimal(const char *text, size_t len, double *out)
{
    uint64_t whole;
    size_t at = 0, first;
    double fraction = 0, unit = 1;

    if (len && *text == '-')
        return td_number_negative;
    if (!digits(text, len, &at, &whole))
        return td_number_large;
    *out = (double)whole;
    if (!at)
        return td_number_none;
    if (at == len)
        return NULL;
    if (text[at++] != '.')
        return td_number_none;
    for (first = at; at < len && td_is_digit(text[at]); at++) {
        fraction = fraction * 10 + (text[at] - '0');
        unit *= 10;
    }
    if (at == first || at != len || at - first > 18)
        return td_number_none;
    *out += fraction / unit;
    return NULL;
}

bool td_number_time(const char *text, size_t len, uint64_t *ns)
{
    uint64_t seconds, rest;
    size_t at = 0;

    if (len < 11 || text[len - 10] != '.')
        return false;
    if (!digits(text, len, &at, &seconds) || at != len - 10 || seconds > UINT64_MAX / 1000000000 - 1)
        return false;
    at = len - 9;
    if (!digits(text, len, &at, &rest) || at != len)
        return false;
    *ns = seconds * 1000000000 + rest;
    return true;
}

bool td_number_seconds(const char *text, size_t len, uint64_t *ns)
{
    const char *dot = memchr(text, '.', len);
    size_t whole = dot ? (size_t)(dot - text) : len;
    char full[32];

    if (whole + 10 > sizeof(full) || (dot && whole + 1 == len))
        return false;
    memcpy(full, text, whole);
    full[whole] = '.';
    for (size_t i = 1; i <= 9; i++)
        full[whole + i] = whole + i < len ? text[whole + i] : '0';
    return td_number_time(full, whole + 10, ns);
}
