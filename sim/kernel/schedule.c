/* SPDX-License-Identifier: MIT */
#include "sim/kernel/schedule.h"

#include "sim/kernel/count.h"
#include "sim/kernel/counters.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"

enum { TICK = 4 * TD_SIM_MSEC /* perf_event_mux_interval_ms */ };

/* ---- groups --------------------------------------------------------------- */

static void event_start(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    td_sim_event_time(s, e);
    e->state = TD_SIM_ACTIVE;
    if (e->kind != TD_SIM_SOFT)
        e->start = td_sim_event_counter(s, e, cpu);
    e->sampler.resumed = e->sampler.throttled;
    e->sampler.throttled = false;
    td_sim_page_update(s, e);
}

static void count_up(struct td_sim *s, unsigned cpu, struct td_sim_event *e)
{
    uint64_t now;

    if (e->kind == TD_SIM_SOFT || e->kind == TD_SIM_FIELD || e->sampler.throttled ||
        (e->kind == TD_SIM_SLOT && e->leader->topdown && s->counting[cpu].topdown == e->leader))
        return;
    now = td_sim_event_counter(s, e, cpu);
    e->count += (now - e->start) / TD_PMU_WHOLE;
    e->raw += (now - e->start) % TD_PMU_WHOLE;
    e->start = now;
}

static void group_start(struct td_sim *s, unsigned cpu, struct td_sim_event *leader)
{
    if (leader->state != TD_SIM_ACTIVE && leader->topdown)
        td_sim_topdown_start(s, cpu, leader);
    for (struct td_sim_event *e = leader; e; e = e->sibling)
        if (e->state == TD_SIM_INACTIVE)
            event_start(s, cpu, e);
}

void td_sim_group_stop(struct td_sim *s, struct td_sim_event *leader)
{
    const int at = td_sim_event_cpu(leader);
    const unsigned cpu = (unsigned)at;

    if (at < 0)
        return;
    if (s->counting[cpu].topdown == leader) {
        td_sim_topdown_update(s, cpu, false);
        s->counting[cpu].topdown = NULL;
    }
    for (struct td_sim_event *e = leader; e; e = e->sibling) {
        if (e->state != TD_SIM_ACTIVE)
            continue;
        td_sim_event_time(s, e);
        if (!leader->topdown || e->kind != TD_SIM_SLOT)
            count_up(s, cpu, e);
        e->state = TD_SIM_INACTIVE;
        td_sim_page_update(s, e);
    }
}

void td_sim_context_add(struct td_sim_context *c, struct td_sim_event *leader)
{
    struct td_sim_event **end = &c->first;

    while (*end)
        end = &(*end)->next;
    *end = leader;
    leader->next = NULL;
    leader->context = c;
}

void td_sim_context_out(struct td_sim *s, struct td_sim_context *c)
{
    for (struct td_sim_event *e = c->first; e; e = e->next)
        if (e->state == TD_SIM_ACTIVE)
            td_sim_group_stop(s, e);
    td_sim_context_times(s, c);
    c->rotate = false;
}

/* ---- who has counters ------------------------------------------------------- */

/* The contexts that count on a CPU: its own, and its task's. */
static size_t contexts_of(struct td_sim *s, unsigned cpu, struct td_sim_context *x[2])
{
    x[0] = &s->counting[cpu].events;
    x[1] = s->tasks.on[cpu] ? &s->tasks.on[cpu]->events : NULL;
    return x[1] ? 2 : 1;
}

/* True if the group may count on the CPU at this time. */
static bool eligible(const struct td_sim *s, const struct td_sim_event *leader, unsigned cpu)
{
    size_t pmu = td_sim_group_pmu(leader);

    return leader->state >= TD_SIM_INACTIVE && (leader->cpu < 0 || (unsigned)leader->cpu == cpu) &&
           td_sim_event_live(s, leader) && (pmu == TD_SIM_NONE || pmu == s->hw.cpu[cpu].pmu);
}

/* A pinned group that finds no counter is in error, and stays so. */
static void fail_pinned(struct td_sim *s, struct td_sim_event *e)
{
    if (e->state == TD_SIM_ACTIVE)
        td_sim_group_stop(s, e);
    td_sim_event_time(s, e);
    e->state = TD_SIM_ERROR;
}

/* Tries a context's groups in their order; after the first that does not fit none is tried. */
static void choose(struct td_sim *s, unsigned cpu, struct td_sim_context *x, bool pinned, struct td_sim_fit *fit)
{
    bool room = true;

    for (struct td_sim_event *e = x->first; e; e = e->next) {
        bool hardware = td_sim_group_pmu(e) != TD_SIM_NONE;

        if (e->pinned != pinned || !eligible(s, e, cpu))
            continue;
        e->wanted = (room || !hardware) && td_sim_fit_group(fit, e, NULL, true);
        if (e->wanted)
            continue;
        if (pinned) {
            fail_pinned(s, e);
        } else {
            room = false;
            x->rotate = true;
        }
    }
}

static void start_wanted(struct td_sim *s, unsigned cpu, struct td_sim_context *x)
{
    for (struct td_sim_event *e = x->first; e; e = e->next)
        if (e->wanted)
            group_start(s, cpu, e);
}

static void stop_unwanted(struct td_sim *s, struct td_sim_context *x)
{
    for (struct td_sim_event *e = x->first; e; e = e->next)
        if (!e->wanted && e->state == TD_SIM_ACTIVE)
            td_sim_group_stop(s, e);
}

/* An event that counts already may move to another counter. */
static void assign(struct td_sim *s, const struct td_sim_fit *fit)
{
    for (uint64_t left = fit->used; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct td_sim_event *e = fit->owner[i];
        bool moves = e->state == TD_SIM_ACTIVE && e->counter != i;

        e->counter = i;
        if (moves)
            td_sim_page_update(s, e);
    }
}

static void forget(struct td_sim_context *x)
{
    x->rotate = false;
    for (struct td_sim_event *e = x->first; e; e = e->next)
        e->wanted = false;
}

/* Whether a counter of the context may overflow. */
static bool any_samples(const struct td_sim_context *x)
{
    for (const struct td_sim_event *leader = x->first; leader; leader = leader->next)
        for (const struct td_sim_event *e = leader; e; e = e->sibling)
            if (e->sampler.period && e->state == TD_SIM_ACTIVE)
                return true;
    return false;
}

void td_sim_resched(struct td_sim *s, unsigned cpu)
{
    struct td_sim_cpu *c = &s->hw.cpu[cpu];
    const struct td_sim_pmu *p = td_sim_pmu_of(&s->hw, cpu);
    struct td_sim_fit fit = {.counters = td_sim_fit_counters(p) & ~(p ? p->taken : 0)};
    struct td_sim_context *x[2];
    const size_t n = contexts_of(s, cpu, x);
    bool rotate = false;

    for (size_t i = 0; i < n; i++)
        forget(x[i]);
    for (size_t pinned = 2; pinned-- > 0;)
        for (size_t i = 0; i < n; i++)
            choose(s, cpu, x[i], pinned, &fit);
    for (size_t i = 0; i < n; i++)
        stop_unwanted(s, x[i]);
    assign(s, &fit);
    for (size_t i = 0; i < n; i++) {
        start_wanted(s, cpu, x[i]);
        rotate = rotate || x[i]->rotate;
    }
    c->samples = false;
    for (size_t i = 0; i < n; i++)
        c->samples = c->samples || any_samples(x[i]);
    if (!rotate)
        c->timer = TD_SIM_NEVER;
    else if (c->timer == TD_SIM_NEVER)
        c->timer = s->hw.cpu[c->first].synced + TICK;
}

/* The first of the groups that share the counters goes to the end. */
static void rotate_context(struct td_sim *s, unsigned cpu, struct td_sim_context *x)
{
    struct td_sim_event **at = &x->first, *e;

    if (!x->rotate)
        return;
    while (*at && ((*at)->pinned || !eligible(s, *at, cpu)))
        at = &(*at)->next;
    e = *at;
    if (!e)
        return;
    *at = e->next;
    td_sim_context_add(x, e);
}

void td_sim_rotate(void *ctx, unsigned cpu)
{
    struct td_sim *s = ctx;
    struct td_sim_context *x[2];
    const size_t n = contexts_of(s, cpu, x);

    s->hw.cpu[cpu].timer += TICK;
    for (size_t i = 0; i < n; i++)
        rotate_context(s, cpu, x[i]);
    td_sim_resched(s, cpu);
}

/* ---- reading ---------------------------------------------------------------- */

void td_sim_event_update(struct td_sim *s, struct td_sim_event *e)
{
    const int cpu = td_sim_event_cpu(e);

    td_sim_event_time(s, e);
    if (e->state != TD_SIM_ACTIVE || cpu < 0)
        return;
    if (s->counting[cpu].topdown && s->counting[cpu].topdown == e->leader &&
        (e->kind == TD_SIM_SLOT || e->kind == TD_SIM_FIELD))
        td_sim_topdown_update(s, (unsigned)cpu, true);
    else
        count_up(s, (unsigned)cpu, e);
}
