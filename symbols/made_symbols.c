/* SPDX-License-Identifier: MIT */
#include "symbols/made_symbols.h"

#include <errno.h>
#include <stdlib.h>

enum { STARTS = 8 /* how many starts before an address are looked at for a function that reaches it */ };

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

int td_made_symbols_new(struct td_symbol_list *l, struct td_made_symbols **out)
{
    *out = NULL;
    if (!l->n) {
        td_symbol_list_free(l);
        return 0;
    }
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

const struct td_symbol *td_made_symbols_find(const struct td_made_symbols *t, uint64_t address, uint64_t time)
{
    const struct td_symbol *s = t->list.symbol, *last = NULL, *first = NULL;
    const bool timed = t->timed && time;
    size_t to = count_until(s, 0, t->list.n, address, UINT64_MAX);

    for (size_t i = 0; to && i < STARTS && (timed || !last); i++) {
        const size_t from = count_before(s, to);

        look(s, from, to, address, timed ? time : UINT64_MAX, &last, &first);
        to = from;
    }
    return last ? last : first;
}

void td_made_symbols_free(struct td_made_symbols *t)
{
    if (t)
        td_symbol_list_free(&t->list);
    free(t);
}
