/* SPDX-License-Identifier: MIT */
/* Numbers and lists of them, as option values. */
#include "cli/numbers.h"

#include <errno.h>
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
