/* SPDX-License-Identifier: MIT */
#include "stats/moves.h"

#include <errno.h>
#include <stdlib.h>

/* The slot of the table where a move is, or would be. */
static size_t slot_of(const struct td_moves *m, size_t from, size_t to)
{
    const uint64_t mixed =
        ((uint64_t)from * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)to * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t at = (size_t)(mixed >> 24) & (m->nslots - 1);

    while (m->slot[at] && (m->move[m->slot[at] - 1].from != from || m->move[m->slot[at] - 1].to != to))
        at = (at + 1) & (m->nslots - 1);
    return at;
}

static int widen_table(struct td_moves *m)
{
    const size_t n = m->nslots ? 2 * m->nslots : 64;
    size_t *grown = calloc(n, sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    free(m->slot);
    m->slot = grown;
    m->nslots = n;
    for (size_t i = 0; i < m->n; i++)
        m->slot[slot_of(m, m->move[i].from, m->move[i].to)] = i + 1;
    return 0;
}

static int make_room(struct td_moves *m)
{
    const size_t room = m->room ? 2 * m->room : 16;
    struct td_move *grown;

    if (2 * m->n >= m->nslots && widen_table(m))
        return -ENOMEM;
    if (m->n < m->room)
        return 0;
    grown = realloc(m->move, room * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    m->move = grown;
    m->room = room;
    return 0;
}

int td_moves_add(struct td_moves *m, size_t from, size_t to, size_t *first)
{
    size_t at;

    if (make_room(m))
        return -ENOMEM;
    at = slot_of(m, from, to);
    if (!m->slot[at]) {
        m->move[m->n] = (struct td_move){.from = from, .to = to, .next = *first};
        *first = m->slot[at] = ++m->n;
    }
    m->move[m->slot[at] - 1].n++;
    return 0;
}

uint64_t td_moves_count(const struct td_moves *m, size_t from, size_t to)
{
    const size_t at = m->nslots ? m->slot[slot_of(m, from, to)] : 0;

    return at ? m->move[at - 1].n : 0;
}

void td_moves_free(struct td_moves *m)
{
    free(m->move);
    free(m->slot);
    *m = (struct td_moves){.n = 0};
}
