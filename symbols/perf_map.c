/* SPDX-License-Identifier: MIT */
#include "symbols/jit_files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 1024, /* a longer name is cut off */
    SYMBOLS_MOST = 1 << 20, /* lines beyond are left out, as are those beyond BYTES_MOST */
    BYTES_MOST = 64 << 20,
};

/* Takes a line. A function that was made where another one had been comes after it, and has the higher rank. What is no
 * such line is left out. */
static int take_line(char *line, struct td_symbol_list *list)
{
    struct td_symbol s = {.rank = (unsigned)list->n, .function = (unsigned)list->n};
    uint64_t size;
    char *at;

    if (!isxdigit((unsigned char)*line))
        return 0;
    s.start = strtoull(line, &at, 16);
    if (*at != ' ' || !isxdigit((unsigned char)at[1]))
        return 0;
    size = strtoull(at + 1, &at, 16);
    if (*at != ' ' || !size || s.start + size < s.start)
        return 0;
    s.end = s.start + size;
    s.name = at + 1;
    at[1 + strcspn(at + 1, "\n")] = '\0';
    return *s.name ? td_symbol_add(list, &s) : 0;
}

/* Reads a line, of which only the beginning is kept. Returns how many bytes were read; 0: there are none. */
static size_t read_line(FILE *f, char line[LINE])
{
    size_t n;
    int ch = 0;

    if (!fgets(line, LINE, f))
        return 0;
    n = strlen(line);
    while ((!n || line[(n < LINE ? n : LINE - 1) - 1] != '\n') && ch != '\n' && n < BYTES_MOST) {
        ch = getc(f);
        if (ch == EOF)
            break;
        n++;
    }
    return n + 1;
}

int td_perf_map_read(FILE *f, struct td_symbol_list *list)
{
    char line[LINE];
    size_t n, bytes = 0;
    int err = 0;

    while (!err && bytes < BYTES_MOST && list->n < SYMBOLS_MOST && (n = read_line(f, line))) {
        bytes += n;
        err = take_line(line, list);
    }
    return err;
}
