/* SPDX-License-Identifier: MIT */
#include "symbols/made_symbols.h"

#include "util/hash_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    STARTS = 8, /* how many starts before an address are looked at for a function that reaches it */
    NAMES_MOST = 256, /* how many functions at one address are looked at for one with another name */
};

struct td_made_symbols {
    struct td_symbol_list list; /* sorted by start, those of one start in the order in which they were made */
    bool timed;
};

/* Whether one was made before the other. */
static bool is_before(const struct td_symbol *one, const struct td_symbol *other)
{
    return one->since != other->since ? one->since < other->since : one->rank < other->rank;
}

static int compare(const void *a, const void *b)
{
    const struct td_symbol *one = a, *other = b;

    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return is_before(one, other) ? -1 : is_before(other, one);
}

/* Numbers functions by their names: each gets the number of the first one that has its name. */
static int number_names(struct td_symbol_list *l)
{
    struct td_hash_index names = {.n = 0};
    int err = 0;

    for (size_t i = 0; i < l->n && !(err = td_hash_room(&names)); i++) {
        const uint32_t hash = td_hash(&names, l->symbol[i].name, strlen(l->symbol[i].name));
        long at = td_hash_first(&names, hash);

        while (at >= 0 && strcmp(l->symbol[at].name, l->symbol[i].name) != 0)
            at = td_hash_next(&names, at);
        l->symbol[i].named = at < 0 ? (unsigned)i : l->symbol[at].named;
        td_hash_add(&names, hash);
    }
    td_hash_index_free(&names);
    return err;
}

int td_made_symbols_new(struct td_symbol_list *l, struct td_made_symbols **out)
{
    *out = NULL;
    if (!l->n) {
        td_symbol_list_free(l);
        return 0;
    }
    if (number_names(l))
        return -ENOMEM;
    *out = calloc(1, sizeof(**out));
    if (!*out)
        return -ENOMEM;
    for (size_t i = 0; i < l->n; i++)
        (*out)->timed |= l->symbol[i].since != 0;
    qsort(l->symbol, l->n, sizeof(*l->symbol), compare);
    (*out)->list = *l;
    *l = (struct td_symbol_list){.n = 0};
    return 0;
}

/* How many of the symbols from..to, sorted, have no later start, and of those with that very start no later time. */
static size_t count_until(const struct td_symbol *s, size_t from, size_t to, uint64_t start, uint64_t time)
{
    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (s[middle].start < start || (s[middle].start == start && s[middle].since <= time))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* How many of the first n symbols start before the last of them does. */
static size_t count_before(const struct td_symbol *s, size_t n)
{
    return s[n - 1].start ? count_until(s, 0, n, s[n - 1].start - 1, UINT64_MAX) : 0;
}

/* Takes those of one start, from..to, into account: *last gets the last that is there at the time, *first the first. */
static void look(const struct td_symbol *s, size_t from, size_t to, uint64_t address, uint64_t time,
                 const struct td_symbol **last, const struct td_symbol **first)
{
    const size_t until = count_until(s, from, to, s[from].start, time);

    if (until > from && address < s[until - 1].end && (!*last || is_before(*last, &s[until - 1])))
        *last = &s[until - 1];
    if (until < to && address < s[until].end && (!*first || is_before(&s[until], *first)))
        *first = &s[until];
}

/* Looks at all that reach an address: *last gets the last that is there at the time, *first the first one after. At
 * UINT64_MAX the nearest start is enough. */
static void look_at(const struct td_made_symbols *t, uint64_t address, uint64_t time, const struct td_symbol **last,
                    const struct td_symbol **first)
{
    const struct td_symbol *s = t->list.symbol;
    size_t to = count_until(s, 0, t->list.n, address, UINT64_MAX);

    *last = *first = NULL;
    for (size_t i = 0; to && i < STARTS && (time != UINT64_MAX || !*last); i++) {
        const size_t from = count_before(s, to);

        look(s, from, to, address, time, last, first);
        to = from;
    }
}

const struct td_symbol *td_made_symbols_find(const struct td_made_symbols *t, uint64_t address, uint64_t time)
{
    const struct td_symbol *last, *first;

    look_at(t, address, t->timed && time ? time : UINT64_MAX, &last, &first);
    return last ? last : first;
}

/* The function at an address where all that were ever made there have one name. NULL: they have not, or are too many to
 * look at. */
static const struct td_symbol *only_one(const struct td_made_symbols *t, uint64_t address)
{
    const struct td_symbol *s = t->list.symbol, *one = NULL;
    size_t to = count_until(s, 0, t->list.n, address, UINT64_MAX), looked = 0;

    for (size_t i = 0; to && i < STARTS; i++) {
        const size_t from = count_before(s, to);

        for (; to > from; to--) {
            if (address >= s[to - 1].end)
                continue;
            if (++looked > NAMES_MOST || (one && one->named != s[to - 1].named))
                return NULL;
            one = &s[to - 1];
        }
    }
    return one;
}

const struct td_symbol *td_made_symbols_inherited(const struct td_made_symbols *t, uint64_t address, uint64_t time)
{
    const struct td_symbol *last, *later;

    if (!t->timed || !time)
        return only_one(t, address);
    look_at(t, address, time, &last, &later);
    return last;
}

const struct td_symbol *td_made_symbols_named(const struct td_made_symbols *t, unsigned named,
                                              const struct td_symbol *after)
{
    const struct td_symbol *s = after ? after + 1 : t->list.symbol, *end = t->list.symbol + t->list.n;

    while (s < end && s->named != named)
        s++;
    return s < end ? s : NULL;
}

void td_made_symbols_free(struct td_made_symbols *t)
{
    if (t)
        td_symbol_list_free(&t->list);
    free(t);
}
