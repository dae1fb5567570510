/* SPDX-License-Identifier: MIT */
#include "core/counts/hints.h"

#include "util/room.h"

void td_hints_free(struct td_hints *h)
{
    free(h->set);
    free(h->member);
    td_hash_index_free(&h->by_members);
    *h = (struct td_hints){0};
}

size_t td_hints_members(const struct td_hints *h, uint32_t set, const uint16_t **out)
{
    if (set >= h->nsets)
        return 0;
    *out = &h->member[h->set[set].start];
    return h->set[set].n;
}

/* Makes room for n more members and one more set, besides the empty one. */
static int make_room(struct td_hints *h, size_t n)
{
    int err = td_room(&h->set, &h->sets_room, h->nsets + 2, sizeof(*h->set));

    err = err ? err : td_room(&h->member, &h->members_room, h->nmembers + n, sizeof(*h->member));
    err = err ? err : td_hash_room(&h->by_members);
    if (!err && !h->nsets)
        h->set[h->nsets++] = (struct td_hint_set){0};
    return err;
}

/* The set of these members, which are at the end of h->member already. */
static uint32_t keep(struct td_hints *h, size_t n, uint32_t otherwise)
{
    const uint16_t *member = &h->member[h->nmembers];
    const uint32_t hash = td_hash(&h->by_members, member, n * sizeof(*member));

    for (long i = td_hash_first(&h->by_members, hash); i >= 0; i = td_hash_next(&h->by_members, i)) {
        const struct td_hint_set *s = &h->set[i + 1];

        if (s->n == n && !memcmp(&h->member[s->start], member, n * sizeof(*member)))
            return (uint32_t)i + 1;
    }
    if (h->nsets == TD_HINTS_MAX) {
        h->err = h->err ? h->err : -E2BIG;
        return otherwise;
    }
    h->set[h->nsets] = (struct td_hint_set){(uint32_t)h->nmembers, (uint32_t)n};
    h->nmembers += n;
    td_hash_add(&h->by_members, hash);
    return (uint32_t)h->nsets++;
}

uint32_t td_hints_one(struct td_hints *h, uint16_t hint)
{
    int err = hint == TD_HINT_NONE ? 0 : make_room(h, 1);

    if (hint == TD_HINT_NONE || err) {
        h->err = h->err ? h->err : err;
        return 0;
    }
    h->member[h->nmembers] = hint;
    return keep(h, 1, 0);
}

/* Merges two rising lists into out; returns how many members that has. */
static size_t merge(const uint16_t *a, size_t na, const uint16_t *b, size_t nb, uint16_t *out)
{
    size_t n = 0;

    while (na || nb) {
        const int from = !nb ? -1 : !na ? 1 : (int)*a - (int)*b;

        out[n++] = from <= 0 ? *a : *b;
        if (from <= 0)
            a++, na--;
        if (from >= 0)
            b++, nb--;
    }
    return n;
}

static uint32_t unite(struct td_hints *h, uint32_t a, uint32_t b)
{
    const size_t na = h->set[a].n, nb = h->set[b].n;
    int err = make_room(h, na + nb);

    if (err) {
        h->err = h->err ? h->err : err;
        return a;
    }
    return keep(h, merge(&h->member[h->set[a].start], na, &h->member[h->set[b].start], nb, &h->member[h->nmembers]), a);
}

uint32_t td_hints_unite(struct td_hints *h, uint32_t a, uint32_t b)
{
    struct td_hint_union *recent =
        &h->recent[((a * UINT32_C(2654435761) + b) * UINT32_C(2654435761) >> 16) % TD_HINTS_RECENT];

    if (recent->a != a || recent->b != b)
        *recent = (struct td_hint_union){a, b, unite(h, a, b)};
    return recent->both;
}
