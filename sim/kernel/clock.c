/* SPDX-License-Identifier: MIT */
#include "sim/kernel/clock.h"

#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"
#include "sim/kernel/rivals.h"
#include "sim/kernel/tasks.h"
#include "sim/machine/execute.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <stdlib.h>

enum { CALL = 1000 /* ns */ };

/* ---- what will happen ----------------------------------------------------------- */

int td_sim_happening_add(struct td_sim_clock *c, const struct td_sim_happening *h)
{
    struct td_sim_happenings *all = h->what == TD_SIM_SIGNAL ? &c->signals : &c->changes;
    struct td_sim_happening *more = td_sim_grow(all->happening, all->n, sizeof(*more));

    if (!more)
        return -ENOMEM;
    all->happening = more;
    more[all->n] = *h;
    more[all->n].order = all->n;
    all->n++;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct td_sim_happening *x = a, *y = b;

    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->order > y->order) - (x->order < y->order);
}

void td_sim_clock_begin(struct td_sim_clock *c)
{
    if (c->changes.n)
        qsort(c->changes.happening, c->changes.n, sizeof(*c->changes.happening), by_time);
    if (c->signals.n)
        qsort(c->signals.happening, c->signals.n, sizeof(*c->signals.happening), by_time);
}

void td_sim_clock_free(struct td_sim_clock *c)
{
    free(c->changes.happening);
    free(c->signals.happening);
    *c = (struct td_sim_clock){0};
}

const struct td_sim_happening *td_sim_happening_next(const struct td_sim_happenings *all)
{
    return all->past < all->n ? &all->happening[all->past] : NULL;
}

/* ---- CPUs ----------------------------------------------------------------------- */

static void cpu_off(struct td_sim *s, unsigned cpu)
{
    struct td_sim_task *t = s->tasks.on[cpu];

    if (!s->hw.cpu[cpu].online)
        return;
    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    if (t)
        td_sim_task_out(s, t);
    td_sim_watchdog_off(s, cpu);
    td_sim_context_end(s, &s->counting[cpu].events, true);
    s->hw.cpu[cpu].online = false;
    s->hw.cpu[cpu].timer = TD_SIM_NEVER;
    td_sim_core_load(&s->hw, cpu);
}

static void cpu_on(struct td_sim *s, unsigned cpu)
{
    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    s->hw.cpu[cpu].online = true;
    td_sim_core_load(&s->hw, cpu);
    td_sim_watchdog_on(s, cpu);
}

/* ---- time passes ---------------------------------------------------------------- */

uint64_t td_sim_next(struct td_sim *s)
{
    const struct td_sim_happening *h = td_sim_happening_next(&s->clock.changes);
    const uint64_t due = td_sim_tasks_due(s);

    return h && h->at < due ? h->at : due;
}

static void change(struct td_sim *s, const struct td_sim_happening *h)
{
    switch (h->what) {
    case TD_SIM_RIVAL_ON: td_sim_rival_on(s, (size_t)h->which); break;
    case TD_SIM_CGROUP_ON:
    case TD_SIM_CGROUP_OFF: td_sim_cgroup_be(s, (size_t)h->which, h->what == TD_SIM_CGROUP_ON); break;
    case TD_SIM_RIVAL_OFF: td_sim_rival_off(s, (size_t)h->which); break;
    default: s->sysfs.cpus_stale = true; (h->what == TD_SIM_CPU_OFF ? cpu_off : cpu_on)(s, (unsigned)h->which);
    }
}

/* Everything that is due now. */
static void happen(struct td_sim *s)
{
    struct td_sim_happenings *all = &s->clock.changes;
    const struct td_sim_happening *h;

    while ((h = td_sim_happening_next(all)) != NULL && h->at <= s->hw.now) {
        all->past++;
        change(s, h);
    }
    td_sim_tasks_happen(s);
    td_sim_place(s);
}

void td_sim_run(struct td_sim *s, uint64_t to)
{
    for (uint64_t next = td_sim_next(s); next <= to; next = td_sim_next(s)) {
        if (next > s->hw.now)
            s->hw.now = next;
        happen(s);
    }
    if (to > s->hw.now)
        s->hw.now = to;
    td_sim_pages_sync(s);
}

void td_sim_call(struct td_sim *s)
{
    td_sim_run(s, s->hw.now + CALL);
}
