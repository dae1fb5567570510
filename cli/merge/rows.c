/* SPDX-License-Identifier: MIT */
#include "cli/merge/rows.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- text --------------------------------------------------------------------------------------- */

int cli_text_add(struct cli_text *t, const char *bytes, size_t n)
{
    if (td_room(&t->at, &t->room, t->used + n + 1, 1))
        return -ENOMEM;
    memcpy(t->at + t->used, bytes, n);
    t->used += n;
    t->at[t->used] = '\0';
    return 0;
}

void cli_text_free(struct cli_text *t)
{
    free(t->at);
    *t = (struct cli_text){.at = NULL};
}

int cli_lines_write(void *lines, const void *buf, size_t size)
{
    struct cli_lines *l = lines;
    const char *at = buf, *end;
    int err = 0;

    while (!err && (end = memchr(at, '\n', size))) {
        const size_t n = (size_t)(end - at);

        err = cli_text_add(&l->rest, at, n);
        if (!err)
            err = l->line(l->ctx, l->rest.at);
        l->rest.used = 0;
        at += n + 1;
        size -= n + 1;
    }
    return err ? err : cli_text_add(&l->rest, at, size);
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* The field at *at, ended by NUL, whose quotes are taken off if plain; *at then is after its comma, or NULL. */
static char *next_field(char **at, bool plain)
{
    char *field = *at, *from = field, *to = field;
    bool quoted = false;

    for (; *from && (quoted || *from != ','); from++) {
        if (*from == '"')
            quoted = !quoted;
        if (*from != '"' || !plain || (quoted && from > field && from[-1] == '"'))
            *to++ = *from;
    }
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return field;
}

bool cli_row_split(char *line, struct cli_row *r)
{
    enum { SCOPE = 1, BEFORE_TIMES = 8 };
    char *at = line, *field[BEFORE_TIMES];

    for (size_t i = 0; i < BEFORE_TIMES; i++) {
        if (!at)
            return false;
        field[i] = next_field(&at, i == SCOPE);
    }
    *r = (struct cli_row){.time = field[0],
                          .scope = field[SCOPE],
                          .kind = field[2],
                          .core = field[3],
                          .group = field[4],
                          .epoch = field[5],
                          .event = field[6],
                          .value = field[7],
                          .times = at,
                          .starts = !strcmp(field[6], "start"),
                          .begins = !strcmp(field[6], "begin")};
    r->ends = r->begins || !strcmp(r->event, "end");
    return at != NULL;
}

static int add_text(struct cli_text *t, const char *text)
{
    return cli_text_add(t, text, strlen(text));
}

/* As the writer of traces quotes: what has commas or quotes in it, or blanks at its ends. */
static int add_scope(struct cli_text *t, const char *label, const char *scope)
{
    const char *part[] = {label ? label : "", label ? "/" : "", scope};
    const size_t len = strlen(scope);
    const bool quoted = (label && (strpbrk(label, ",\"") || strchr(" \t", *label))) || strpbrk(scope, ",\"") ||
                        (!label && strchr(" \t", *scope)) || (len && strchr(" \t", scope[len - 1]));
    int err = quoted ? add_text(t, "\"") : 0;

    for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
        for (const char *at = part[i]; *at && !err; at++)
            err = *at == '"' ? add_text(t, "\"\"") : cli_text_add(t, at, 1);
    return err || !quoted ? err : add_text(t, "\"");
}

/* Adds the columns before the event, with group, and the event with what follows. */
static int add_row(struct cli_text *t, const struct cli_row *r, const char *label, const char *group,
                   const char *const *rest, size_t n)
{
    const char *const before[] = {r->kind, r->core, group, r->epoch};
    int err = add_text(t, r->time);

    err = err ? err : add_text(t, ",");
    err = err ? err : add_scope(t, label, r->scope);
    for (size_t i = 0; i < sizeof(before) / sizeof(*before) && !err; i++) {
        err = add_text(t, ",");
        err = err ? err : add_text(t, before[i]);
    }
    for (size_t i = 0; i < n && !err; i++) {
        err = add_text(t, ",");
        err = err ? err : add_text(t, rest[i]);
    }
    return err ? err : add_text(t, "\n");
}

int cli_row_add(struct cli_text *t, const struct cli_row *r, const char *label, bool begins)
{
    const char *const count[] = {r->event, r->value, r->times}, *const end[] = {begins ? "begin" : "end", r->value,
                                                                                ","};

    return add_row(t, r, label, r->group, r->ends ? end : count, 3);
}

int cli_row_add_start(struct cli_text *t, const struct cli_row *r, const char *label)
{
    static const char *const start[] = {"start", "", ","};

    return add_row(t, r, label, "", start, 3);
}
