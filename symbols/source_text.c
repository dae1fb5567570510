/* SPDX-License-Identifier: MIT */
#include "symbols/source_text.h"

#include "symbols/stores.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAB = 8 };

static int open_either(const char *root, const char *path)
{
    char name[TD_STORE_NAME];
    const int fd = *path == '/' ? td_store_open_below(root, path, name) : -1;

    return fd >= 0 || *path != '/' || !*root || errno == EACCES ? fd : td_store_open_below("", path, name);
}

/* Reads a file of *size bytes, and gives *size what could be read, in case the file is changed meanwhile. NULL: out of
 * memory. */
static char *read_whole(int fd, size_t *size)
{
    char *bytes = malloc(*size + 1);
    size_t done = 0;
    ssize_t n = 1;

    while (bytes && done < *size && n > 0) {
        n = read(fd, bytes + done, *size - done);
        done += n > 0 ? (size_t)n : 0;
    }
    *size = done;
    return bytes;
}

/* Writes a line without its end, with blanks for tabs, and a NUL to to, unless that is NULL. Returns its size. */
static size_t put_line(const char *at, size_t n, char *to)
{
    size_t size = 0;

    while (n && (at[n - 1] == '\n' || at[n - 1] == '\r'))
        n--;
    for (size_t i = 0; i < n && size < TD_SOURCE_LINE; i++)
        do {
            if (to)
                to[size] = at[i] == '\t' ? ' ' : at[i];
            size++;
        } while (at[i] == '\t' && size % TAB && size < TD_SOURCE_LINE);
    if (to)
        to[size] = '\0';
    return size + 1;
}

/* Writes all lines to out, unless that is NULL. *lines gets their number. Returns the size of their text. */
static size_t put_lines(const char *at, size_t size, struct td_source_text *out, size_t *lines)
{
    const char *const end = at + size;
    size_t used = 0;

    for (*lines = 0; at < end; (*lines)++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));

        next = next ? next + 1 : end;
        if (out)
            out->line[*lines] = out->text + used;
        used += put_line(at, (size_t)(next - at), out ? out->text + used : NULL);
        at = next;
    }
    return used;
}

static int split(const char *bytes, size_t size, struct td_source_text *out)
{
    size_t lines;

    out->text = malloc(put_lines(bytes, size, NULL, &lines) + 1);
    out->line = calloc(lines + 1, sizeof(*out->line));
    if (!out->text || !out->line)
        return -ENOMEM;
    put_lines(bytes, size, out, &out->lines);
    return 0;
}

static int take(int fd, size_t size, struct td_source_text *out, enum td_source_status *how)
{
    char *bytes;
    int err = 0;

    *how = TD_SOURCE_NOT_TEXT;
    if (size > TD_CODE_MOST)
        return 0;
    bytes = read_whole(fd, &size);
    if (!bytes)
        return -ENOMEM;
    if (!memchr(bytes, 0, size)) {
        *how = TD_SOURCE_FOUND;
        err = split(bytes, size, out);
    }
    free(bytes);
    return err;
}

int td_source_text_read(const char *root, const char *path, struct td_source_text *out, enum td_source_status *how)
{
    struct stat s;
    int fd, err = 0;

    *out = (struct td_source_text){.lines = 0};
    errno = ENOENT;
    fd = open_either(root, path);
    *how = errno == EACCES || errno == EPERM ? TD_SOURCE_DENIED : TD_SOURCE_NO_FILE;
    if (fd < 0)
        return 0;
    if (!fstat(fd, &s)) {
        out->written = s.st_mtime;
        err = take(fd, (size_t)s.st_size, out, how);
    }
    close(fd);
    if (err || *how != TD_SOURCE_FOUND)
        td_source_text_free(out);
    return err;
}

void td_source_text_free(struct td_source_text *t)
{
    free(t->line);
    free(t->text);
    *t = (struct td_source_text){.lines = 0};
}
