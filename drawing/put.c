/* SPDX-License-Identifier: MIT */
#include "drawing/put.h"

#include "private/drawing.h"
#include "util/text_clean.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(struct td_put *p, const char *bytes, size_t n)
{
    if (!p->err && n)
        p->err = p->write(p->ctx, bytes, n);
}

void td_put_text(struct td_put *p, const char *text)
{
    put(p, text, strlen(text));
}

void td_put_format(struct td_put *p, const char *format, ...)
{
    char text[512];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (n > 0)
        put(p, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

/* ---- markup ------------------------------------------------------------------------------------ */

/* What stands for a character that XML takes for its own; NULL: it stands for itself. */
static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\n': return "&#10;";
    default: return NULL;
    }
}

static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && !entity(c);
}

/* Puts a control character or one of several bytes, or what should be one, and returns its length. */
static size_t put_other(struct td_put *p, const char *text)
{
    char one[5 * 4] = {*text}; /* with escapes */
    size_t n = 1;

    for (; n < 4 && ((unsigned char)*text & 0x80) && ((unsigned char)text[n] & 0xc0) == 0x80; n++)
        one[n] = text[n];
    td_text_clean(one, sizeof(one));
    td_put_text(p, one);
    return n;
}

void td_put_markup(struct td_put *p, const char *text)
{
    while (*text) {
        size_t n = 0;

        while (is_plain(text[n]))
            n++;
        put(p, text, n);
        text += n;
        if (entity(*text))
            td_put_text(p, entity(*text++));
        else if (*text)
            text += put_other(p, text);
    }
}

int td_markup(const char *text, td_write_fn *write, void *ctx)
{
    struct td_put p = {.write = write, .ctx = ctx};

    td_put_markup(&p, text);
    return p.err;
}
