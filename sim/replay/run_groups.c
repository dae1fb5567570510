/* SPDX-License-Identifier: MIT */
#include "sim/replay/run_groups.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>

/* Of the events of the first scope (all have the same) and their groups, in any order: a sum of mixed numbers (the
 * finalizer of MurmurHash3). */
static uint64_t hash_of(const struct td_stream *s)
{
    uint64_t hash = 0;

    for (size_t i = 0; s->nbatch && i < s->batch[0].counts.n; i++) {
        const struct td_count *c = &s->batch[0].counts.c[i];
        uint64_t x = ((uint64_t)c->text << 16 | c->group) + 1;

        x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
        x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
        hash += x ^ x >> 33;
    }
    return hash;
}

/* Finds the run of the same events, or adds one. */
static int begin(struct td_run_groups *g, uint64_t hash)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->run[i].hash == hash) {
            g->first = g->run[i].first;
            return 0;
        }
    if (td_room(&g->run, &g->room, g->n + 1, sizeof(*g->run)))
        return -ENOMEM;
    g->first = g->next;
    g->run[g->n++] = (struct td_run_events){hash, g->first};
    return 0;
}

static void number(struct td_run_groups *g, struct td_counts *k)
{
    for (size_t i = 0; i < k->n; i++) {
        const unsigned group = g->first + k->c[i].group;

        k->c[i].group = (uint16_t)(group < UINT16_MAX ? group : UINT16_MAX - 1u);
        g->next = k->c[i].group >= g->next ? (uint16_t)(k->c[i].group + 1) : g->next;
    }
}

int td_run_groups_number(struct td_run_groups *g, struct td_stream *s, bool begins)
{
    int err = begins || !g->n ? begin(g, hash_of(s)) : 0;

    for (size_t i = 0; i < s->nbatch && !err; i++)
        number(g, &s->batch[i].counts);
    return err;
}

void td_run_groups_free(struct td_run_groups *g)
{
    free(g->run);
    *g = (struct td_run_groups){0};
}
