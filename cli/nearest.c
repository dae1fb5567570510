/* SPDX-License-Identifier: MIT */
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Edits from a to b, where swapping two neighbours is one edit (restricted Damerau distance): three rows of the usual
 * table, where the row before last is needed for swaps. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][LONGEST + 1], *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t k = 0; k <= nb; k++)
        above[k] = k;
    for (size_t i = 1; i <= na; i++) {
        size_t *spare = before;

        row[0] = i;
        for (size_t k = 1; k <= nb; k++) {
            const size_t same = lower(a[i - 1]) == lower(b[k - 1]) ? 0 : 1;

            row[k] = least(least(above[k], row[k - 1]) + 1, above[k - 1] + same);
            if (i > 1 && k > 1 && lower(a[i - 1]) == lower(b[k - 2]) && lower(a[i - 2]) == lower(b[k - 1]))
                row[k] = least(row[k], before[k - 2] + 1);
        }
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

struct cli_nearest cli_nearest_of(const char *word, size_t len)
{
    return (struct cli_nearest){.word = word, .len = len, .distance = len / 3 + 1};
}

struct cli_nearest cli_nearest(const char *word)
{
    return cli_nearest_of(word, strlen(word));
}

void cli_nearest_try(struct cli_nearest *n, const char *name)
{
    const size_t len = strlen(name);
    size_t edits;

    if (!n->len || n->len > LONGEST || len > LONGEST)
        return;
    edits = distance(n->word, n->len, name, len);
    if (edits >= n->len || edits >= len) /* nothing of it would be left */
        return;
    if (n->len > 2 && len > n->len && !strncasecmp(n->word, name, n->len))
        edits = 1;
    if (edits >= n->distance)
        return;
    n->best = name;
    n->distance = edits;
}

void cli_nearest_try_list(struct cli_nearest *n, const char *names)
{
    static char best[LONGEST + 1];
    char name[LONGEST + 1];

    for (size_t len; *names; names += len + strspn(names + len, " ")) {
        len = strcspn(names, " ");
        if (len > LONGEST)
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)len, names);
        cli_nearest_try(n, name);
        if (n->best == name)
            n->best = strcpy(best, name);
    }
}
