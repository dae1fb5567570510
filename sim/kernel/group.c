/* SPDX-License-Identifier: MIT */
#include "sim/kernel/group.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/schedule.h"
#include "sim/machine/execute.h"

#include <stdlib.h>

static void context_remove(struct td_sim_event *leader)
{
    struct td_sim_event **at;

    if (!leader->context)
        return;
    for (at = &leader->context->first; *at; at = &(*at)->next)
        if (*at == leader) {
            *at = leader->next;
            break;
        }
    leader->next = NULL;
    leader->context = NULL;
}

static void group_join(struct td_sim *s, struct td_sim_event *leader, struct td_sim_event *e)
{
    struct td_sim_event *last = leader;

    while (last->sibling)
        last = last->sibling;
    last->sibling = e;
    e->leader = leader;
    e->context = leader->context;
    if (e->kind == TD_SIM_FIELD && !leader->topdown)
        td_sim_topdown_join(s, leader);
}

/* The siblings become single events; a metric cannot be one and fails for good
 * (PERF_EV_CAP_SIBLING, include/linux/perf_event.h). */
static void detach_siblings(struct td_sim *s, struct td_sim_event *leader)
{
    struct td_sim_event *next = leader->sibling;

    leader->sibling = NULL;
    while (next) {
        struct td_sim_event *e = next;

        next = e->sibling;
        td_sim_event_time(s, e);
        e->sibling = NULL;
        e->leader = e;
        e->context = NULL;
        e->pinned = leader->pinned;
        if (e->kind == TD_SIM_FIELD)
            e->state = TD_SIM_ERROR;
        else if (leader->context)
            td_sim_context_add(leader->context, e);
    }
}

/* Takes an event out of its group and context; a leader's siblings become single. */
static void event_leave(struct td_sim *s, struct td_sim_event *e)
{
    struct td_sim_event *leader = e->leader;

    for (struct td_sim_event *m = leader; m; m = m->sibling)
        td_sim_event_time(s, m);
    if (leader->state == TD_SIM_ACTIVE)
        td_sim_group_stop(s, leader);
    if (leader == e) {
        detach_siblings(s, e);
        context_remove(e);
        return;
    }
    for (struct td_sim_event *m = leader; m; m = m->sibling)
        if (m->sibling == e) {
            m->sibling = e->sibling;
            break;
        }
    e->sibling = NULL;
    e->leader = e;
    e->context = NULL;
}

static void heir_leave(struct td_sim_event *h)
{
    struct td_sim_event **at = &h->parent->heirs;

    while (*at != h)
        at = &(*at)->brother;
    *at = h->brother;
}

/* The heirs' task has ended: what they counted stays with their parents (sync_child_event()). */
static void heirs_end(struct td_sim *s, struct td_sim_event *leader)
{
    for (struct td_sim_event *h = leader, *next; h; h = next) {
        struct td_sim_ended *sum = &h->parent->ended;

        next = h->sibling;
        sum->count += td_sim_event_value(s, h);
        sum->enabled += h->enabled;
        sum->running += h->running;
        heir_leave(h);
        free(h);
    }
}

/* perf_event_exit_cpu() breaks the groups and takes the events from their CPU
 * for good; a task's events only stop (perf_event_exit_event()). */
void td_sim_context_end(struct td_sim *s, struct td_sim_context *c, bool off)
{
    td_sim_context_out(s, c);
    while (c->first) {
        struct td_sim_event *e = c->first;

        td_sim_event_time(s, e);
        if (off) {
            detach_siblings(s, e);
            e->state = e->state > TD_SIM_OFF ? TD_SIM_OFF : e->state;
        }
        for (struct td_sim_event *m = e; !off && m; m = m->sibling) {
            td_sim_event_time(s, m);
            m->state = m->state > TD_SIM_EXIT && m->state != TD_SIM_ERROR ? TD_SIM_EXIT : m->state;
            if (m != e)
                m->context = NULL;
        }
        context_remove(e);
        if (e->parent)
            heirs_end(s, e);
    }
}

void td_sim_event_sync(struct td_sim *s, const struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);

    if (cpu >= 0)
        td_sim_core_sync(&s->hw, (unsigned)cpu, s->hw.now);
}

void td_sim_event_resched(struct td_sim *s, const struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);

    if (td_sim_cpu_online(&s->hw, cpu))
        td_sim_resched(s, (unsigned)cpu);
}

void td_sim_event_install(struct td_sim *s, struct td_sim_event *leader, struct td_sim_event *e)
{
    td_sim_event_sync(s, e);
    if (leader) {
        group_join(s, leader, e);
    } else {
        e->leader = e;
        td_sim_context_add(e->task ? &e->task->events : &s->counting[e->cpu].events, e);
    }
    td_sim_event_resched(s, e);
}

void td_sim_event_output(struct td_sim_event *e, struct td_sim_event *to)
{
    if (e->output)
        e->output->writers--;
    if (to)
        to->writers++;
    e->output = to;
}

void td_sim_event_end(struct td_sim *s, struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);

    while (e->heirs)
        td_sim_event_end(s, e->heirs);
    td_sim_event_sync(s, e);
    event_leave(s, e);
    if (e->parent)
        heir_leave(e);
    td_sim_event_output(e, NULL);
    for (size_t i = 0; i < s->fds.room && e->writers; i++)
        if (s->fds.fd[i].what == TD_SIM_FD_EVENT && s->fds.fd[i].event->output == e)
            td_sim_event_output(s->fds.fd[i].event, NULL);
    free(e);
    if (td_sim_cpu_online(&s->hw, cpu))
        td_sim_resched(s, (unsigned)cpu);
}
