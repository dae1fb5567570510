/* SPDX-License-Identifier: MIT */
#include "core/counts/layout.h"

#include "util/room.h"

void td_layout_free(struct td_layout *l)
{
    free(l->copy);
    td_groups_free(&l->groups);
    free(l->group);
    free(l->words);
    free(l->first);
    free(l->by_event);
    *l = (struct td_layout){0};
}

bool td_layout_same(const struct td_layout *l, const struct td_counts *k)
{
    if (!l->first || l->n != k->n)
        return false;
    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];
        const struct td_copy *x = &l->copy[i];

        if (c->event != x->event || c->group != x->group || c->modes != x->modes || c->printed != x->printed ||
            c->generic != x->generic || (c->status == TD_OK) != x->ok)
            return false;
    }
    return true;
}

static int make_room(struct td_layout *l, size_t n, size_t nevents)
{
    int err = td_room(&l->copy, &l->copies_room, n, sizeof(*l->copy));

    err = err ? err : td_groups_begin(&l->groups, 2 * n); /* that of each copy, and one in the recording's modes */
    err = err ? err : td_room(&l->by_event, &l->by_event_room, n, sizeof(*l->by_event));
    return err ? err : td_room(&l->first, &l->first_room, nevents + 1, sizeof(*l->first));
}

static void copy_all(struct td_layout *l, const struct td_counts *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];

        l->copy[i] = (struct td_copy){
            .printed = c->printed,
            .group_at = td_groups_number(&l->groups, c->group, c->modes),
            .event = c->event,
            .group = c->group,
            .own = TD_NO_EVENT,
            .modes = c->modes,
            .generic = c->generic,
            .ok = c->status == TD_OK,
        };
    }
}

/* Sorts the copies by event, by counting. */
static void sort_by_event(struct td_layout *l)
{
    uint32_t at = 0;

    memset(l->first, 0, (l->nevents + 1) * sizeof(*l->first));
    for (size_t i = 0; i < l->n; i++)
        l->first[l->copy[i].event]++;
    for (size_t e = 0; e <= l->nevents; e++) {
        uint32_t n = l->first[e];

        l->first[e] = at;
        at += n;
    }
    for (size_t i = 0; i < l->n; i++)
        l->by_event[l->first[l->copy[i].event]++] = (uint32_t)i;
    for (size_t e = l->nevents; e > 0; e--) /* each has moved to where the next one began */
        l->first[e] = l->first[e - 1];
    l->first[0] = 0;
}

/* Finds copies that the row has an event of its own for, such as "NAME:k" for NAME in the kernel. */
static void find_own(struct td_layout *l)
{
    for (size_t e = 0; e < l->nevents; e++) {
        const struct td_event *x = &l->events[e];

        for (uint32_t i = l->first[x->base]; x->modes && i < l->first[x->base + 1]; i++)
            if (l->copy[l->by_event[i]].modes == x->modes)
                l->copy[l->by_event[i]].own = (uint16_t)e;
    }
}

/* How many different events were recorded in a set of modes, and how many that are events of the row's own. */
struct support {
    uint32_t events, own;
};

/* Whether modes change what an event counts; not for the time stamp counter and for events of other PMUs. */
static bool has_modes(const struct td_event *e)
{
    return e->kind != TD_EVENT_TSC && e->kind != TD_EVENT_ELSEWHERE;
}

static void find_support(const struct td_layout *l, struct support *of)
{
    for (size_t e = 0; e < l->nevents; e++) {
        uint32_t seen = 0;

        for (uint32_t i = l->first[e]; i < l->first[e + 1] && has_modes(&l->events[e]); i++) {
            const struct td_copy *c = &l->copy[l->by_event[i]];
            const uint32_t bit = UINT32_C(1) << c->modes;

            *(c->own == TD_NO_EVENT ? &of[c->modes].events : &of[c->modes].own) += !(seen & bit);
            seen |= bit;
        }
    }
}

/* Whether a recording with that support is of the one set of modes rather than of the other: ties are settled
 * without regard to the order of events. */
static bool rather(const struct support *of, unsigned modes, unsigned other)
{
    if (of[modes].events != of[other].events)
        return of[modes].events > of[other].events;
    if (of[modes].events && (!modes || !other))
        return !modes;
    if (of[modes].own != of[other].own)
        return of[modes].own > of[other].own;
    return td_word_count(modes) > td_word_count(other);
}

static uint8_t main_modes(const struct td_layout *l)
{
    struct support of[TD_MODE_SETS] = {{0, 0}};
    unsigned best = 0;

    find_support(l, of);
    for (unsigned m = 1; m < TD_MODE_SETS; m++)
        if (rather(of, m, best))
            best = m;
    return (uint8_t)best;
}

static bool each_once(const struct td_layout *l)
{
    for (size_t e = 0; e < l->nevents; e++)
        if (l->first[e + 1] - l->first[e] > 1)
            return false;
    return l->groups.n == 1;
}

bool td_layout_has(const struct td_layout *l, size_t event, unsigned modes)
{
    for (uint32_t i = l->first[event]; i < l->first[event + 1]; i++)
        if (l->copy[l->by_event[i]].modes == modes)
            return true;
    return false;
}

static void count_in_groups(struct td_layout *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct td_copy *c = &l->copy[i];

        if (l->events[c->event].used)
            td_bits_add(&l->group[c->group_at].has, c->event);
        if (!c->ok)
            continue;
        td_bits_add(&l->group[c->group_at].counted, c->event);
        if (c->own != TD_NO_EVENT)
            td_bits_add(&l->group[td_groups_number(&l->groups, c->group, l->modes)].counted, c->own);
    }
}

static int fill_groups(struct td_layout *l)
{
    const size_t words = td_bits_words(l->nevents);
    int err;

    for (size_t i = 0; i < l->n; i++)
        if (l->copy[i].own != TD_NO_EVENT)
            td_groups_number(&l->groups, l->copy[i].group, l->modes);
    err = td_room(&l->words, &l->words_room, 2 * words * l->groups.n, sizeof(*l->words));
    err = err ? err : td_room(&l->group, &l->group_room, l->groups.n, sizeof(*l->group));
    if (err)
        return err;
    memset(l->words, 0, 2 * words * l->groups.n * sizeof(*l->words));
    for (size_t g = 0; g < l->groups.n; g++) {
        l->group[g].has = (struct td_bits){l->words + 2 * g * words, words};
        l->group[g].counted = (struct td_bits){l->words + (2 * g + 1) * words, words};
    }
    count_in_groups(l);
    for (size_t g = 0; g < l->groups.n; g++)
        l->group[g].size = td_bits_count(&l->group[g].has);
    return 0;
}

int td_layout_make(struct td_layout *l, const struct td_counts *k, const struct td_uarch *u)
{
    int err = make_room(l, k->n, u->nevents);

    l->events = u->events;
    l->nevents = u->nevents;
    if (!err) {
        l->n = k->n;
        copy_all(l, k);
        sort_by_event(l);
        find_own(l);
        l->modes = main_modes(l);
        err = fill_groups(l);
    }
    if (err) {
        td_layout_free(l);
        return err;
    }
    l->once = each_once(l);
    return 0;
}
