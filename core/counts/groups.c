/* SPDX-License-Identifier: MIT */
#include "core/counts/groups.h"

#include "util/room.h"

int td_groups_begin(struct td_groups *g, size_t most)
{
    int err = td_room(&g->key, &g->keys_room, most, sizeof(*g->key));

    g->n = 0;
    while (g->nslots < 2 * most || !g->nslots)
        g->nslots = g->nslots ? 2 * g->nslots : 32;
    err = err ? err : td_room(&g->slot, &g->slots_room, g->nslots, sizeof(*g->slot));
    if (!err)
        memset(g->slot, 0, g->nslots * sizeof(*g->slot));
    return err;
}

uint32_t td_groups_number(struct td_groups *g, uint16_t group, uint8_t modes)
{
    /* multiplicative hashing: Knuth, The Art of Computer Programming 6.4 */
    const uint32_t hash = ((uint32_t)group << 8 | modes) * UINT32_C(2654435761);
    size_t i = (hash >> 8) & (g->nslots - 1);

    for (; g->slot[i]; i = (i + 1) & (g->nslots - 1)) {
        const struct td_group_key *k = &g->key[g->slot[i] - 1];

        if (k->group == group && k->modes == modes)
            return g->slot[i] - 1;
    }
    g->key[g->n] = (struct td_group_key){group, modes};
    g->slot[i] = (uint32_t)++g->n;
    return g->slot[i] - 1;
}

void td_groups_free(struct td_groups *g)
{
    free(g->key);
    free(g->slot);
    *g = (struct td_groups){0};
}
