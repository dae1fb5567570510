/* SPDX-License-Identifier: MIT */
/* Numbers and lists of them, as option values. */
#include "cli/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The end of the number at text; NULL: there is no number within the limits. */
static char *number_at(const char *text, long low, long high, long *out)
{
    char *end;

    if (*text != '-' && (*text < '0' || *text > '9')) /* strtol() accepts blanks and + */
        return NULL;
    errno = 0;
    *out = strtol(text, &end, 10);
    return end == text || errno || *out < low || *out > high ? NULL : end;
}

bool cli_number(const char *text, long low, long high, long *out)
{
    const char *end = number_at(text, low, high, out);

    return end && !*end;
}

/* The ms in a unit; 0: it is none. */
static double unit_ms(const char *unit)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"ms", 1}, {"s", 1e3}, {"sec", 1e3}, {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}};

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (!strcmp(units[i].name, unit))
            return units[i].ms;
    return 0;
}

bool cli_milliseconds(const char *text, long low, long high, long *out)
{
    static const double off = 1e-6; /* ms: what strtod() may lose of a whole number of them */
    const size_t n = strspn(text, "0123456789."); /* strtod() accepts more */
    const double scale = unit_ms(text + n);
    char *unit;
    double ms;

    if (cli_number(text, low, high, out))
        return true;
    ms = strtod(text, &unit) * scale;
    if (!n || unit != text + n || scale <= 0 || !(ms >= 0) || !(ms <= (double)high) || fabs(ms - round(ms)) > off)
        return false;
    *out = lround(ms);
    return *out >= low && *out <= high;
}

static bool add(int number, int **out, size_t *n)
{
    int *grown;

    for (size_t i = 0; i < *n; i++)
        if ((*out)[i] == number)
            return true;
    grown = realloc(*out, (*n + 1) * sizeof(*grown));
    if (!grown)
        return false;
    grown[(*n)++] = number;
    *out = grown;
    return true;
}

bool cli_list_numbers(const char *text, long high, int **out, size_t *n)
{
    long number;

    free(*out);
    *out = NULL;
    *n = 0;
    for (;; text++) {
        text = number_at(text, 0, high, &number);
        if (!text || (*text && *text != ',') || !add((int)number, out, n))
            return false;
        if (!*text)
            return true;
    }
}

/* A time in s at the beginning of text, if there is one; NULL: it is wrong. */
static const char *time_at(const char *text, uint64_t *out)
{
    static const double longest = 1e10; /* s: 64 bits of ns hold a little more */
    char *end;
    double s;

    if (*text == ',' || !*text)
        return text;
    if (!isdigit((unsigned char)*text) && *text != '.')
        return NULL;
    s = strtod(text, &end);
    if (end == text || !(s < longest))
        return NULL;
    *out = (uint64_t)llround(s * 1e9);
    return end;
}

bool cli_times(const char *text, uint64_t *after, uint64_t *until)
{
    *after = 0;
    *until = UINT64_MAX;
    text = time_at(text, after);
    if (!text || *text != ',')
        return false;
    text = time_at(text + 1, until);
    return text && !*text;
}

bool cli_list_names(char *text, const char ***out, size_t *n)
{
    char *save = NULL;
    size_t most = 1;

    for (const char *at = text; *at; at++)
        most += *at == ',';
    free(*out);
    *n = 0;
    *out = calloc(most, sizeof(**out));
    if (!*out)
        return false;
    for (char *part = strtok_r(text, ",", &save); part; part = strtok_r(NULL, ",", &save))
        (*out)[(*n)++] = part;
    return *n == most; /* otherwise a part is empty */
}
