/* SPDX-License-Identifier: MIT */
/* Numbers as the conversion %'.2f writes them in any locale. */
#include "formats/perf_stat/perf_text.h"

#include "util/number.h"

#include <string.h>

size_t td_text_digits(const char *at)
{
    size_t n = 0;

    while (td_is_digit(at[n]))
        n++;
    return n;
}

size_t td_text_blank(const char *at)
{
    if (*at == ' ' || *at == '\t' || *at == '\xa0') /* the last: ISO 8859's no-break blank */
        return 1;
    if (*at == '\xc2' && at[1] == '\xa0') /* U+00A0 */
        return 2;
    return !strncmp(at, "\xe2\x80\xaf", 3) ? 3 : 0; /* U+202F */
}

const char *td_text_skip(const char *at)
{
    size_t n;

    while (*at == ' ')
        at++;
    while ((n = td_text_blank(at)))
        at += n;
    return at;
}

/* Bytes of a mark, other than a blank, that may be between digits. */
static size_t mark(const char *at)
{
    if (*at == ',' || *at == '.' || *at == '\'')
        return 1;
    return !strncmp(at, "\xe2\x80\x99", 3) ? 3 : 0; /* U+2019, Switzerland's */
}

size_t td_text_number_len(const char *at)
{
    size_t n = td_text_digits(at), group = n, m;
    bool blanks = true; /* only blanks have grouped digits so far */

    while (group) {
        m = mark(at + n);
        if (m) {
            blanks = false;
            group = td_text_digits(at + n + m);
        } else { /* a blank may also follow the number */
            m = blanks && group <= 3 && at[n] != '\t' ? td_text_blank(at + n) : 0;
            group = m && td_text_digits(at + n + m) == 3 ? 3 : 0;
        }
        if (group)
            n += m + group;
    }
    return n;
}

/* Reads digits; false when they exceed 64 bits. */
static bool add_digits(const char *at, size_t n, uint64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(at[i] - '0');

        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return true;
}

static bool add_fraction(const char *at, size_t len, double *out)
{
    double fraction = 0, unit = 1;

    if (td_text_digits(at) != len || len > 18)
        return false;
    for (size_t i = 0; i < len; i++) {
        fraction = fraction * 10 + (at[i] - '0');
        unit *= 10;
    }
    *out += fraction / unit;
    return true;
}

bool td_text_number(const char *at, size_t len, char decimal, double *out)
{
    size_t group = td_text_digits(at), i = group, m;
    uint64_t whole = 0;
    bool grouped = false;

    if (!add_digits(at, group, &whole))
        return false;
    while (i < len && at[i] != decimal) {
        m = mark(at + i);
        if (!m)
            m = td_text_blank(at + i);
        group = td_text_digits(at + i + m);
        grouped = true;
        if (!m || group < 2 || group > 4 || !add_digits(at + i + m, group, &whole))
            return false;
        i += m + group;
    }
    *out = (double)whole;
    if (grouped && group < 3)
        return false;
    return i == len || add_fraction(at + i + 1, len - i - 1, out);
}
