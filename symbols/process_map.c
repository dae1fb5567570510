/* SPDX-License-Identifier: MIT */
/* The functions that a process made while it ran, as JIT compilers name them in /tmp/perf-PID.map: a line
 * "START SIZE NAME" for each, both in hexadecimal (Linux tools/perf/Documentation/jit-interface.txt); or in a jitdump.
 */
#include "symbols/symbols.h"

#include "symbols/jit_dump.h"
#include "symbols/stores.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINE = 1024, /* a longer name is cut off */
    SYMBOLS_MOST = 1 << 20, /* lines beyond are left out, as are those beyond BYTES_MOST */
    BYTES_MOST = 64 << 20,
};

/* Anybody may write to /tmp, so that a map or dump is taken only from root and from who reports, as perf does, and only
 * where it is a regular file itself. Returns NULL, and *how says why. */
static FILE *open_map(const char *name, enum td_symbols *how)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat s;
    FILE *f;

    *how = fd < 0 && errno != EACCES ? TD_SYMBOLS_NO_MAP : TD_SYMBOLS_DENIED;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &s) || !S_ISREG(s.st_mode) || (s.st_uid && s.st_uid != geteuid()) || !(f = fdopen(fd, "r"))) {
        close(fd);
        return NULL;
    }
    *how = TD_SYMBOLS_NO_MAP;
    return f;
}

/* Takes a line. A function that was made where another one had been comes after it, and has the higher rank. What is no
 * such line is left out. */
static int take_line(char *line, struct td_symbol_list *list)
{
    struct td_symbol s = {.rank = (unsigned)list->n};
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

static int read_map(FILE *f, struct td_symbol_list *list)
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

/* Adds what a file below the root has. *how stays TD_SYMBOLS_DENIED where it is that. */
static int take_file(const struct td_stores *s, const char *path, int (*read)(FILE *, struct td_symbol_list *),
                     struct td_symbol_list *list, enum td_symbols *how)
{
    char name[TD_STORE_NAME];
    enum td_symbols opened;
    FILE *f;
    int err;

    if (snprintf(name, sizeof(name), "%s%s", s->root, path) >= (int)sizeof(name))
        return 0;
    f = open_map(name, &opened);
    if (opened == TD_SYMBOLS_DENIED)
        *how = opened;
    err = f ? read(f, list) : 0;
    if (f)
        fclose(f);
    return err;
}

int td_symbols_of_process(const struct td_stores *s, uint32_t pid, const char *dump, struct td_symbol_table **out,
                          enum td_symbols *how)
{
    struct td_symbol_list list = {.n = 0};
    char map[64];
    int err;

    *out = NULL;
    *how = TD_SYMBOLS_NO_MAP;
    snprintf(map, sizeof(map), "/tmp/perf-%lu.map", (unsigned long)pid);
    err = take_file(s, map, read_map, &list, how);
    if (!err && dump)
        err = take_file(s, dump, td_jit_dump_read, &list, how);
    err = err ? err : td_symbols_new(&list, out);
    td_symbol_list_free(&list);
    return err;
}
