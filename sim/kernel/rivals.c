/* SPDX-License-Identifier: MIT */
#include "sim/kernel/rivals.h"

#include "sim/kernel/count.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <stdlib.h>

struct td_sim_rival {
    unsigned cpu;
    struct td_sim_event *event; /* NULL: not yet, or no more, or no counter can hold it */
};

int td_sim_rival_add(struct td_sim *s, unsigned cpu)
{
    struct td_sim_rivals *all = &s->rivals;
    struct td_sim_rival *more = td_sim_grow(all->rival, all->n, sizeof(*more));

    if (!more)
        return -ENOMEM;
    all->rival = more;
    more[all->n] = (struct td_sim_rival){.cpu = cpu};
    return (int)all->n++;
}

int td_sim_rivals_begin(struct td_sim *s)
{
    for (size_t i = 0; i < s->rivals.n; i++) {
        struct td_sim_rival *r = &s->rivals.rival[i];
        int err = td_sim_cycles_new(s, r->cpu, true, &r->event);

        if (err == -ENOMEM)
            return err;
    }
    return 0;
}

void td_sim_rival_on(struct td_sim *s, size_t rival)
{
    struct td_sim_event *e = s->rivals.rival[rival].event;

    if (!e || !e->context) /* its CPU went offline */
        return;
    td_sim_event_sync(s, e);
    td_sim_event_time(s, e);
    e->state = TD_SIM_INACTIVE;
    td_sim_event_resched(s, e);
}

void td_sim_rival_off(struct td_sim *s, size_t rival)
{
    struct td_sim_rival *r = &s->rivals.rival[rival];

    if (r->event)
        td_sim_event_end(s, r->event);
    r->event = NULL;
}

void td_sim_rivals_free(struct td_sim *s)
{
    for (size_t i = 0; i < s->rivals.n; i++)
        free(s->rivals.rival[i].event);
    free(s->rivals.rival);
    s->rivals = (struct td_sim_rivals){0};
}
