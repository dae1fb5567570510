/* SPDX-License-Identifier: MIT */
#include "core/choice/stretch.h"

#include "util/room.h"

#include <stdlib.h>

/* Shares that are printed alike differ by no more: perf prints two decimals of a percent. */
#define SAME_SHARE 5e-5

void td_stretch_begin(struct td_stretch *s)
{
    s->n = 0;
    s->found = NULL;
}

int td_stretch_reserve(struct td_stretch *s, size_t n)
{
    return td_room(&s->c, &s->room, n, sizeof(*s->c));
}

void td_stretch_add(struct td_stretch *s, const struct td_stretch_copy *c)
{
    s->c[s->n++] = *c;
}

void td_stretch_free(struct td_stretch *s)
{
    free(s->c);
    *s = (struct td_stretch){0};
}

/* Copies of an early group may have been added to a sum last. */
static int by_line(const void *a, const void *b)
{
    const struct td_stretch_copy *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->copy < y->copy ? -1 : x->copy > y->copy;
}

/* Whether these copies, which follow each other, are of different events. */
static bool each_once(const struct td_stretch_copy *c, size_t n)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < n; i++) {
        if (seen >> c[i].use & 1)
            return false;
        seen |= UINT64_C(1) << c[i].use;
    }
    return true;
}

/* How much speaks against perf having counted these in one group, whose events are read one after the other: 0 equal
 * shares of the time, as printed, 1 shares a last digit apart, 2 others. Of what was counted all the time nothing can
 * be told so. */
enum { EQUAL, NEARLY_EQUAL, OTHER_SHARES, NOT_TOLD };

static int against(const struct td_stretch_copy *c, size_t n)
{
    double low = c->share, high = c->share;

    for (size_t i = 1; i < n; i++) {
        low = c[i].share < low ? c[i].share : low;
        high = c[i].share > high ? c[i].share : high;
    }
    return low >= 1                      ? NOT_TOLD
           : high - low < SAME_SHARE     ? EQUAL
           : high - low < 3 * SAME_SHARE ? NEARLY_EQUAL
                                         : OTHER_SHARES;
}

/* Whether an event stands twice between the first and the last of the chosen copies. */
static bool repeats(const struct td_stretch *s, const uint32_t *chosen, size_t nevents)
{
    size_t first = s->n, last = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->c[i].copy == chosen[s->c[i].use]) {
            first = first < i ? first : i;
            last = i;
        }
    return last - first >= nevents;
}

void td_stretch_find(struct td_stretch *s, const uint32_t *chosen, size_t nevents, uint32_t line)
{
    size_t at = 0;
    int least = NOT_TOLD;

    if (s->n <= nevents) /* each event is there once */
        return;
    qsort(s->c, s->n, sizeof(*s->c), by_line);
    while (at < s->n && s->c[at].copy != line)
        at++;
    if (at == s->n || !repeats(s, chosen, nevents))
        return;
    for (size_t back = 0; back < nevents && back <= at; back++) {
        const struct td_stretch_copy *c = &s->c[at - back];
        const int speaks = at - back + nevents <= s->n && each_once(c, nevents) ? against(c, nevents) : NOT_TOLD;

        if (speaks < least) {
            least = speaks;
            s->found = c;
        }
    }
}
