/* SPDX-License-Identifier: MIT */
/* A table of symbols, whatever they were read from: made of a list, sorted by address, and searched. */
#include "symbols/symbols.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

enum {
    NESTED = 8 /* functions may contain others: how many before an address are looked at for one that reaches it */
};

struct td_symbol_table {
    struct td_symbol_list list; /* sorted by start */
};

int td_symbol_add(struct td_symbol_list *l, const struct td_symbol *s)
{
    char *name = td_room(&l->symbol, &l->room, l->n + 1, sizeof(*l->symbol)) ? NULL : strdup(s->name);

    if (!name)
        return -ENOMEM;
    l->symbol[l->n] = *s;
    l->symbol[l->n++].name = name;
    return 0;
}

void td_symbol_list_free(struct td_symbol_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free((char *)l->symbol[i].name);
    free(l->symbol);
    *l = (struct td_symbol_list){.n = 0};
}

static int compare(const void *a, const void *b)
{
    const struct td_symbol *one = a, *other = b;

    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->rank != other->rank)
        return one->rank > other->rank ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* Keeps one of several with the same start, and ends those that have no end. */
static void keep_one_a_start(struct td_symbol_list *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++) {
        if (n && l->symbol[n - 1].start == l->symbol[i].start)
            free((char *)l->symbol[i].name);
        else
            l->symbol[n++] = l->symbol[i];
    }
    l->n = n;
    for (size_t i = 0; i < n; i++)
        if (l->symbol[i].end <= l->symbol[i].start)
            l->symbol[i].end = i + 1 < n ? l->symbol[i + 1].start : l->symbol[i].start + 1;
}

int td_symbols_new(struct td_symbol_list *l, struct td_symbol_table **out)
{
    *out = NULL;
    if (!l->n) {
        td_symbol_list_free(l);
        return 0;
    }
    *out = malloc(sizeof(**out));
    if (!*out)
        return -ENOMEM;
    qsort(l->symbol, l->n, sizeof(*l->symbol), compare);
    keep_one_a_start(l);
    (*out)->list = *l;
    *l = (struct td_symbol_list){.n = 0};
    return 0;
}

void td_symbols_free(struct td_symbol_table *t)
{
    if (t)
        td_symbol_list_free(&t->list);
    free(t);
}

const struct td_symbol *td_symbols_find(const struct td_symbol_table *t, uint64_t at)
{
    const struct td_symbol *s = t->list.symbol;
    size_t from = 0, to = t->list.n;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (s[middle].start <= at)
            from = middle + 1;
        else
            to = middle;
    }
    for (size_t back = 0; from && back < NESTED; from--, back++)
        if (at < s[from - 1].end)
            return &s[from - 1];
    return NULL;
}

char *td_symbol_name(const struct td_symbol *s)
{
#ifdef HAVE_LIBIBERTY
    /* not cplus_demangle(), which ends the process where memory is out */
    char *name = rust_demangle(s->name, DMGL_AUTO);

    name = name ? name : cplus_demangle_v3(s->name, DMGL_PARAMS | DMGL_ANSI);
    if (name)
        return name;
#endif
    return strdup(s->name);
}
