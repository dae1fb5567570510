/* SPDX-License-Identifier: MIT */
#include "sim/kernel/group.h"

#include "sim/kernel/kernel.h"

#include <stdlib.h>

/* Resets a copy: it has counted nothing yet, and takes its first sample after a whole period. */
static void begin(const struct td_sim *s, struct td_sim_event *h)
{
    h->count = h->raw = h->start = 0;
    h->enabled = h->running = 0;
    h->since = s->hw.now;
    h->topdown = false;
    h->fresh = true;
    h->slots = h->metrics = 0;
    h->sampler.current = h->sampler.period;
    h->sampler.target = h->sampler.period * TD_PMU_WHOLE;
    h->sampler.taken = h->sampler.tick = h->sampler.in_tick = 0;
    h->sampler.stamp_count = h->sampler.stamp_time = h->sampler.stamp_tick = 0;
    h->sampler.throttled = h->sampler.resumed = false;
}

static struct td_sim_event *heir_of(struct td_sim *s, struct td_sim_event *e, struct td_sim_task *t)
{
    struct td_sim_event *h = malloc(sizeof(*h));

    if (!h)
        return NULL;
    *h = *e;
    begin(s, h);
    h->fd = -1;
    h->id = ++s->opening.ids;
    h->task = t;
    h->leader = h->sibling = h->next = h->heirs = h->output = NULL;
    h->writers = 0;
    h->context = NULL;
    h->page = NULL;
    h->rings = 0;
    h->state = e->state >= TD_SIM_INACTIVE ? TD_SIM_INACTIVE : TD_SIM_OFF;
    h->parent = e; /* which is no heir: only the command starts tasks */
    h->brother = e->heirs;
    e->heirs = h;
    return h;
}

void td_sim_heirs_born(struct td_sim *s, const struct td_sim_context *parent, struct td_sim_task *t)
{
    for (struct td_sim_event *leader = parent->first; leader; leader = leader->next) {
        struct td_sim_event *first = NULL;

        for (struct td_sim_event *e = leader; leader->inherit && e; e = e->sibling) {
            struct td_sim_event *h = heir_of(s, e, t);

            if (!h)
                break;
            td_sim_event_install(s, first, h);
            first = first ? first : h;
        }
    }
}
