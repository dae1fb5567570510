/* SPDX-License-Identifier: MIT */
#include "report/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int td_held_write(void *ctx, const char *bytes, size_t n)
{
    struct td_held *h = ctx;
    char *grown = realloc(h->text, h->n + n + 1);

    if (!grown)
        return -ENOMEM;
    memcpy(grown + h->n, bytes, n);
    h->text = grown;
    h->n += n;
    return 0;
}

void td_held_free(struct td_held *h)
{
    free(h->text);
    *h = (struct td_held){0};
}

/* The bytes of the character or sequence at the beginning of text; *columns: its width. */
static size_t next(const char *text, size_t n, size_t *columns)
{
    size_t len = 1;

    *columns = 1;
    if (*text == '\033') {
        *columns = 0;
        while (len < n && text[len - 1] != 'm')
            len++;
        return len;
    }
    while (len < n && ((unsigned char)text[len] & 0xc0) == 0x80)
        len++;
    return len;
}

size_t td_screen_columns(const char *text, size_t n)
{
    size_t sum = 0, one;

    for (size_t at = 0; at < n; at += next(text + at, n - at, &one), sum += one)
        ;
    return sum;
}

/* Puts the characters of columns [from, to), and all sequences before, between and after them. */
static void put_part(struct td_output *o, const char *text, size_t n, size_t from, size_t to)
{
    size_t column = 0, one;

    for (size_t at = 0, len; at < n; at += len) {
        len = next(text + at, n - at, &one);
        if (column >= from && column < to && one)
            td_output_bytes(o, text + at, len);
        else if (!one && column >= from && column <= to)
            td_output_bytes(o, text + at, len);
        column += one;
    }
}

void td_screen_put(struct td_output *o, const char *text, size_t n, size_t columns)
{
    static const char gap[] = "..";
    const size_t all = td_screen_columns(text, n), room = columns > sizeof(gap) - 1 ? columns - (sizeof(gap) - 1) : 0;

    if (!columns || all <= columns) {
        td_output_bytes(o, text, n);
        return;
    }
    put_part(o, text, n, 0, room - room / 2);
    td_output_bytes(o, gap, columns < sizeof(gap) - 1 ? columns : sizeof(gap) - 1);
    put_part(o, text, n, all - room / 2, all);
}

void td_screen_put_lines(struct td_output *o, const char *text, size_t n, size_t columns)
{
    while (n) {
        const char *end = memchr(text, '\n', n);
        const size_t len = end ? (size_t)(end - text) : n;

        td_screen_put(o, text, len, columns);
        if (end)
            td_output_char(o, '\n');
        text += len + (end != NULL);
        n -= len + (end != NULL);
    }
}

void td_screen_put_origin(struct td_output *o, const char *command, const char *host, const char *started,
                          size_t columns)
{
    char text[1024];

    host = host && strcmp(host, "(none)") != 0 ? host : NULL; /* as the kernel calls a machine without a name */
    if (!command && !host && !started)
        return;
    snprintf(text, sizeof(text), "#%s%s%s%s%s%s", command ? " " : "", command ? command : "", host ? " on " : "",
             host ? host : "", started ? " started " : "", started ? started : "");
    td_screen_put(o, text, strlen(text), columns);
    td_output_char(o, '\n');
}
