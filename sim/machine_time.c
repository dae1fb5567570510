/* SPDX-License-Identifier: MIT */
/* What happens as time passes: tasks move and end, CPUs go off and on. */
#include "kernel_page.h"
#include "machine_parts.h"
#include "trap.h"

#include <string.h>

static bool wants_cpu(const struct td_sim_task *t)
{
    return t->started && !t->dead;
}

/* Gives a task its CPU of this turn, or the next one of its list that is free. */
static void find_place(struct td_sim *s, struct td_sim_task *t, struct td_sim_set *used)
{
    const bool idle = t == s->self && s->resident && !t->ncpus; /* a description without "spin" */
    size_t n = idle ? s->ncpus : t->ncpus;

    t->place = -1;
    for (size_t i = 0; wants_cpu(t) && i < n; i++) {
        unsigned cpu = idle ? (unsigned)i : t->cpus[(t->turn + i) % n];

        if (t == s->self && s->pinned >= 0)
            cpu = (unsigned)s->pinned;
        else if (t->bound)
            cpu = t->bound - 1;
        if (!s->cpu[cpu].online || td_sim_set_has(used, cpu))
            continue;
        td_sim_set_add(used, cpu);
        t->place = (int)cpu;
        return;
    }
}

static void switch_out(struct td_sim *s, struct td_sim_task *t)
{
    if (t->cpu < 0)
        return;
    td_sim_core_sync(s, (unsigned)t->cpu, s->now);
    td_sim_context_out(s, &t->events);
    td_sim_context_times(s, &s->cpu[t->cpu].events);
    s->cpu[t->cpu].task = NULL;
}

static void switch_in(struct td_sim *s, struct td_sim_task *t)
{
    if (t->place < 0)
        return;
    td_sim_core_sync(s, (unsigned)t->place, s->now);
    td_sim_context_times(s, &t->events);
    td_sim_context_times(s, &s->cpu[t->place].events);
    s->cpu[t->place].task = t;
    t->cpu = t->place;
}

void td_sim_place(struct td_sim *s)
{
    struct td_sim_set used = {0}, changed = {0};

    if (s->self)
        find_place(s, s->self, &used);
    for (struct td_sim_task *t = s->tasks; t; t = t->link)
        if (t != s->self)
            find_place(s, t, &used);
    for (struct td_sim_task *t = s->tasks; t; t = t->link) {
        if (t->place == t->cpu || t->cpu < 0)
            continue;
        td_sim_set_add(&changed, (unsigned)t->cpu);
        switch_out(s, t);
        t->cpu = -1;
    }
    for (struct td_sim_task *t = s->tasks; t; t = t->link) {
        if (t->place == t->cpu)
            continue;
        td_sim_set_add(&changed, (unsigned)t->place);
        switch_in(s, t);
    }
    for (unsigned i = 0; i < s->ncpus; i++)
        if (td_sim_set_has(&changed, i)) {
            td_sim_core_load(s, i);
            td_sim_resched(s, i);
        }
    td_sim_trap_cpu(s);
}

void td_sim_task_start(struct td_sim *s, struct td_sim_task *t)
{
    t->started = true;
    t->end = t->length ? s->now + t->length : 0;
    t->next = t->slice && t->ncpus > 1 ? s->now + t->slice : 0;
}

void td_sim_task_exit(struct td_sim *s, struct td_sim_task *t)
{
    if (t->cpu >= 0)
        td_sim_core_sync(s, (unsigned)t->cpu, s->now);
    td_sim_context_end(s, &t->events, false);
    t->dead = true;
    if (t == s->command && s->child.spawned && !s->child.over) {
        s->child.over = true;
        s->child.status = s->child.signal ? s->child.signal : s->child.exit << 8;
    }
}

static void cpu_off(struct td_sim *s, unsigned cpu)
{
    struct td_sim_cpu *c = &s->cpu[cpu];
    struct td_sim_task *t = c->task;

    if (!c->online)
        return;
    td_sim_core_sync(s, cpu, s->now);
    if (t) {
        switch_out(s, t);
        t->cpu = -1;
    }
    td_sim_context_end(s, &c->events, true);
    c->online = false;
    c->rotating = false;
    td_sim_core_load(s, cpu);
}

static void cpu_on(struct td_sim *s, unsigned cpu)
{
    td_sim_core_sync(s, cpu, s->now);
    s->cpu[cpu].online = true;
    td_sim_core_load(s, cpu);
}

uint64_t td_sim_next(const struct td_sim *s)
{
    uint64_t next = UINT64_MAX;

    for (size_t i = 0; i < s->nhappenings; i++)
        if (!s->happening[i].done && s->happening[i].what != TD_SIM_SIGNAL && s->happening[i].at < next)
            next = s->happening[i].at;
    for (const struct td_sim_task *t = s->tasks; t; t = t->link) {
        if (!wants_cpu(t))
            continue;
        if (t->end && t->end < next)
            next = t->end;
        if (t->next && t->next < next)
            next = t->next;
    }
    return next;
}

/* Everything that is due now. */
static void happen(struct td_sim *s)
{
    bool files = false;

    for (size_t i = 0; i < s->nhappenings; i++) {
        struct td_sim_happening *h = &s->happening[i];

        if (h->done || h->what == TD_SIM_SIGNAL || h->at > s->now)
            continue;
        h->done = files = true;
        if (h->what == TD_SIM_CPU_OFF)
            cpu_off(s, (unsigned)h->which);
        else
            cpu_on(s, (unsigned)h->which);
    }
    for (struct td_sim_task *t = s->tasks; t; t = t->link) {
        if (!wants_cpu(t))
            continue;
        if (t->end && t->end <= s->now) {
            td_sim_task_exit(s, t);
            files = true;
        } else if (t->next && t->next <= s->now) {
            t->turn = (t->turn + 1) % t->ncpus;
            t->next += t->slice;
        }
    }
    td_sim_place(s);
    if (files)
        td_sim_files_make(s);
}

void td_sim_run(struct td_sim *s, uint64_t to)
{
    for (uint64_t next = td_sim_next(s); next <= to; next = td_sim_next(s)) {
        if (next > s->now)
            s->now = next;
        happen(s);
    }
    if (to > s->now)
        s->now = to;
    td_sim_pages_sync(s);
}
