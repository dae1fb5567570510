/* SPDX-License-Identifier: MIT */
#include "sim/kernel/tasks.h"

#include "sim/kernel/count.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/records.h"
#include "sim/kernel/schedule.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

/* ---- which tasks there are ------------------------------------------------------ */

static int by_tid(const void *a, const void *b)
{
    const struct td_sim_task *x = a, *y = b;

    return (x->tid > y->tid) - (x->tid < y->tid);
}

struct td_sim_task *td_sim_task_find(const struct td_sim_tasks *all, pid_t tid)
{
    const struct td_sim_task key = {.tid = tid};
    struct td_sim_task *const *found = tfind(&key, &all->index, by_tid);

    return found ? *found : NULL;
}

struct td_sim_task *td_sim_task_add(struct td_sim_tasks *all, const struct td_sim_task *like)
{
    struct td_sim_task *t = malloc(sizeof(*t));

    if (!t)
        return NULL;
    *t = *like;
    t->link = NULL;
    t->cpu = t->left = -1;
    if (t->tid && !tsearch(t, &all->index, by_tid)) {
        free(t);
        return NULL;
    }
    *(all->last ? &all->last->link : &all->first) = t;
    all->last = t;
    return t;
}

int td_sim_task_number(struct td_sim_tasks *all, struct td_sim_task *t, pid_t pid)
{
    if (t->tid)
        tdelete(t, &all->index, by_tid);
    t->tid = 0;
    while (td_sim_task_find(all, pid))
        pid++;
    t->pid = t->tid = pid;
    if (tsearch(t, &all->index, by_tid))
        return 0;
    t->tid = 0;
    return -ENOMEM;
}

const struct td_sim_places *td_sim_places_add(struct td_sim_tasks *all, int *cpu, size_t n)
{
    struct td_sim_places *p = malloc(sizeof(*p));

    if (!p) {
        free(cpu);
        return NULL;
    }
    *p = (struct td_sim_places){cpu, n, all->places};
    all->places = p;
    return p;
}

int td_sim_tasks_begin(struct td_sim *s)
{
    s->tasks.on = calloc(s->hw.ncpus, sizeof(*s->tasks.on));
    s->tasks.claimed = calloc(s->hw.ncpus, sizeof(*s->tasks.claimed));
    s->tasks.changed = true;
    return s->tasks.on && s->tasks.claimed ? 0 : -ENOMEM;
}

static void keep(void *task)
{
    (void)task; /* the list frees it */
}

void td_sim_tasks_free(struct td_sim_tasks *all)
{
    tdestroy(all->index, keep);
    while (all->first) {
        struct td_sim_task *t = all->first;

        all->first = t->link;
        free(t);
    }
    while (all->places) {
        struct td_sim_places *p = all->places;

        all->places = p->link;
        free(p->cpu);
        free(p);
    }
    free(all->on);
    free(all->claimed);
    *all = (struct td_sim_tasks){0};
}

/* ---- which CPU each has --------------------------------------------------------- */

static bool wants_cpu(const struct td_sim_task *t)
{
    return t->started && !t->dead;
}

/* Gives a task its CPU for this turn, or the next free one of its list. */
static void find_place(struct td_sim *s, struct td_sim_task *t)
{
    /* without a line "spin" the caller can have any CPU, once it keeps one */
    const size_t n = t->places ? t->places->n : s->caller.resident ? s->hw.ncpus : 0;

    t->place = -1;
    for (size_t i = 0; wants_cpu(t) && i < n; i++) {
        unsigned cpu = t->places ? (unsigned)t->places->cpu[(t->turn + i) % n] : (unsigned)i;

        if (t == s->caller.task && s->caller.pinned >= 0)
            cpu = (unsigned)s->caller.pinned;
        else if (t->bound)
            cpu = t->bound - 1;
        if (!s->hw.cpu[cpu].online || s->tasks.claimed[cpu] == s->tasks.claim)
            continue;
        s->tasks.claimed[cpu] = s->tasks.claim;
        t->place = (int)cpu;
        return;
    }
}

void td_sim_task_out(struct td_sim *s, struct td_sim_task *t)
{
    const unsigned cpu = (unsigned)t->cpu;

    ++*(td_sim_task_preempted(t) ? &t->involuntary : &t->voluntary);

    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    td_sim_context_out(s, &t->events);
    td_sim_context_times(s, &s->counting[cpu].events);
    s->tasks.on[cpu] = NULL;
    s->hw.cpu[cpu].front = NULL;
    t->cpu = -1;
}

static void task_in(struct td_sim *s, struct td_sim_task *t)
{
    const unsigned cpu = (unsigned)t->place;

    td_sim_core_sync(&s->hw, cpu, s->hw.now);
    td_sim_context_times(s, &t->events);
    td_sim_context_times(s, &s->counting[cpu].events);
    s->tasks.on[cpu] = t;
    s->hw.cpu[cpu].front = &t->runner;
    t->cpu = t->place;
}

/* The CPU now has another task, or none. */
static void switched(struct td_sim *s, int cpu)
{
    if (cpu < 0)
        return;
    td_sim_core_load(&s->hw, (unsigned)cpu);
    td_sim_resched(s, (unsigned)cpu);
}

static const struct td_sim_task *coming_to(const struct td_sim *s, int cpu)
{
    const struct td_sim_task *t = s->tasks.first;

    while (t && (t->place != cpu || t->cpu == cpu))
        t = t->link;
    return t;
}

static const struct td_sim_task *gone_from(const struct td_sim *s, int cpu)
{
    const struct td_sim_task *t = s->tasks.first;

    while (t && (t->left != cpu || t->cpu == cpu))
        t = t->link;
    return t;
}

/* Records the switches that are about to be, of tasks and of CPUs that have idled. */
static void tell_leaving(struct td_sim *s)
{
    for (const struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        if (t->place != t->cpu && t->cpu >= 0)
            td_sim_record_switch(s, (unsigned)t->cpu, coming_to(s, t->cpu), true);
        if (t->place != t->cpu && t->place >= 0 && !s->tasks.on[t->place])
            td_sim_record_switch(s, (unsigned)t->place, t, true);
    }
}

/* Records those that have been, also of CPUs that idle now. */
static void tell_arrived(struct td_sim *s)
{
    for (const struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        if (t->left != t->cpu && t->cpu >= 0)
            td_sim_record_switch(s, (unsigned)t->cpu, gone_from(s, t->cpu), false);
        if (t->left != t->cpu && t->left >= 0 && !s->tasks.on[t->left])
            td_sim_record_switch(s, (unsigned)t->left, t, false);
    }
}

void td_sim_place(struct td_sim *s)
{
    s->tasks.claim++;
    find_place(s, s->caller.task);
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link)
        if (t != s->caller.task)
            find_place(s, t);
    tell_leaving(s);
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        t->left = t->cpu;
        if (t->place != t->cpu && t->cpu >= 0)
            td_sim_task_out(s, t);
    }
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link)
        if (t->place != t->cpu)
            task_in(s, t);
    tell_arrived(s);
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link)
        if (t->left != t->cpu) {
            switched(s, t->left);
            switched(s, t->cpu);
        }
    if (s->caller.moved)
        s->caller.moved(s);
}

void td_sim_task_start(struct td_sim *s, struct td_sim_task *t)
{
    t->started = true;
    t->end = t->length ? s->hw.now + t->length : 0;
    t->next = t->slice && t->places->n > 1 ? s->hw.now + t->slice : 0;
    s->tasks.changed = true;
}

static void exit_one(struct td_sim *s, struct td_sim_task *t)
{
    if (t->cpu >= 0)
        td_sim_core_sync(&s->hw, (unsigned)t->cpu, s->hw.now);
    td_sim_record_task(s, t, NULL);
    td_sim_context_end(s, &t->events, false);
    t->dead = true;
    s->tasks.changed = true;
    s->sysfs.tasks_stale = true;
}

void td_sim_task_exit(struct td_sim *s, struct td_sim_task *t)
{
    for (struct td_sim_task *c = s->tasks.first; c; c = c->link) {
        if (c->parent != t)
            continue;
        c->birth = 0;
        if (c->thread && !c->dead)
            exit_one(s, c);
    }
    exit_one(s, t);
}

void td_sim_task_parent(struct td_sim *s, const struct td_sim_task *parent)
{
    for (struct td_sim_task *c = s->tasks.first; c; c = c->link)
        if (c->parent == parent)
            c->birth = s->hw.now + c->after;
    s->tasks.changed = true;
}

/* clone(2), and for a process later execve(2). Without memory for its number it is not born. */
static void be_born(struct td_sim *s, struct td_sim_task *t)
{
    enum { CALL = 1000 /* ns */ };

    t->birth = 0;
    s->tasks.changed = true;
    if (td_sim_task_number(&s->tasks, t, t->parent->tid + 1))
        return;
    t->pid = t->thread ? t->parent->pid : t->pid;
    t->dead = false;
    t->runner.ran = 0;
    t->turn = 0;
    s->sysfs.tasks_stale = true;
    if (t->parent->cpu >= 0)
        td_sim_core_sync(&s->hw, (unsigned)t->parent->cpu, s->hw.now);
    td_sim_heirs_born(s, &t->parent->events, t);
    td_sim_record_task(s, t, t->parent);
    td_sim_task_start(s, t);
    t->exec = t->thread ? 0 : s->hw.now + CALL;
}

uint64_t td_sim_tasks_due(struct td_sim *s)
{
    if (!s->tasks.changed)
        return s->tasks.due;
    s->tasks.due = TD_SIM_NEVER;
    s->tasks.changed = false;
    for (const struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        if (t->birth && t->birth < s->tasks.due)
            s->tasks.due = t->birth;
        if (!wants_cpu(t))
            continue;
        if (t->end && t->end < s->tasks.due)
            s->tasks.due = t->end;
        if (t->next && t->next < s->tasks.due)
            s->tasks.due = t->next;
        if (t->exec && t->exec < s->tasks.due)
            s->tasks.due = t->exec;
    }
    return s->tasks.due;
}

void td_sim_tasks_happen(struct td_sim *s)
{
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        if (t->birth && t->birth <= s->hw.now)
            be_born(s, t);
        if (!wants_cpu(t))
            continue;
        if (t->exec && t->exec <= s->hw.now) {
            t->exec = 0;
            s->tasks.changed = true;
            td_sim_record_exec(s, t);
        }
        if (t->end && t->end <= s->hw.now) {
            td_sim_task_exit(s, t);
        } else if (t->next && t->next <= s->hw.now) {
            t->turn = (t->turn + 1) % t->places->n;
            t->next += t->slice;
            s->tasks.changed = true;
        }
    }
}
