/* SPDX-License-Identifier: MIT */
#include "core/layout.h"

#include "core/room.h"

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

    err = err ? err : td_groups_begin(&l->groups, n);
    err = err ? err : td_room(&l->by_event, &l->by_event_room, n, sizeof(*l->by_event));
    return err ? err : td_room(&l->first, &l->first_room, nevents + 1, sizeof(*l->first));
}

static void copy_all(struct td_layout *l, const struct td_counts *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *c = &k->c[i];

        l->copy[i] = (struct td_copy){
            .printed = c->printed, .group_at = td_groups_number(&l->groups, c->group, c->modes), .event = c->event,
            .group = c->group, .modes = c->modes, .generic = c->generic, .ok = c->status == TD_OK,
        };
    }
}

static int fill_groups(struct td_layout *l)
{
    const size_t words = td_bits_words(l->nevents), n = l->groups.n;
    int err = td_room(&l->words, &l->words_room, 2 * words * n, sizeof(*l->words));

    err = err ? err : td_room(&l->group, &l->group_room, n, sizeof(*l->group));
    if (err)
        return err;
    memset(l->words, 0, 2 * words * n * sizeof(*l->words));
    for (size_t g = 0; g < n; g++) {
        l->group[g].has = (struct td_bits){l->words + 2 * g * words, words};
        l->group[g].counted = (struct td_bits){l->words + (2 * g + 1) * words, words};
    }
    for (size_t i = 0; i < l->n; i++) {
        struct td_copy_group *g = &l->group[l->copy[i].group_at];

        td_bits_add(&g->has, l->copy[i].event);
        if (l->copy[i].ok)
            td_bits_add(&g->counted, l->copy[i].event);
    }
    for (size_t g = 0; g < n; g++)
        l->group[g].size = td_bits_count(&l->group[g].has);
    return 0;
}

/* A counting sort. */
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
    for (size_t e = l->nevents; e > 0; e--) /* each is where the next one began */
        l->first[e] = l->first[e - 1];
    l->first[0] = 0;
}

int td_layout_make(struct td_layout *l, const struct td_counts *k, size_t nevents)
{
    int err = make_room(l, k->n, nevents);

    l->nevents = nevents;
    if (!err) {
        l->n = k->n;
        copy_all(l, k);
        err = fill_groups(l);
    }
    if (err) {
        td_layout_free(l);
        return err;
    }
    sort_by_event(l);
    l->once = l->groups.n == 1 && l->group[0].size == l->n;
    return 0;
}
