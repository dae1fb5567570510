/* SPDX-License-Identifier: MIT */
/* Events get counters, lose them, and count. The rules are those of Linux
 * kernel/events/core.c (contexts, groups, rotation) and of
 * arch/x86/events/intel/core.c (icl_update_topdown_event()). */
#include "kernel_page.h"
#include "machine_parts.h"

static struct td_sim_cpu *cpu_of(struct td_sim *s, const struct td_sim_event *e)
{
    int cpu = td_sim_event_cpu(e);

    return cpu < 0 ? NULL : &s->cpu[cpu];
}

int td_sim_event_cpu(const struct td_sim_event *e)
{
    return e->task ? e->task->cpu : e->cpu;
}

/* True if the task of the CPU belongs to the cgroup or one below it. */
static bool in_group(const struct td_sim *s, const struct td_sim_task *t, size_t group)
{
    const char *wanted = s->group[group].path, *path = s->group[t ? t->cgroup : 0].path;

    while (*wanted && *wanted == *path) {
        wanted++;
        path++;
    }
    return !*wanted && (!*path || *path == '/' || !*s->group[group].path);
}

/* True while the clock of an event that is switched on goes. */
static bool live(const struct td_sim *s, const struct td_sim_event *e)
{
    if (!e->leader->context)
        return false;
    if (e->task)
        return e->task->cpu >= 0;
    return s->cpu[e->cpu].online && (!e->cgroup || in_group(s, s->cpu[e->cpu].task, e->cgroup - 1));
}

void td_sim_event_time(struct td_sim *s, struct td_sim_event *e)
{
    const struct td_sim_cpu *c = cpu_of(s, e);
    uint64_t to = c ? s->cpu[c->first].synced : s->now, ns = to > e->since ? to - e->since : 0;

    if (to > e->since)
        e->since = to;
    if (!live(s, e) || e->state < TD_SIM_INACTIVE || e->leader->state < TD_SIM_INACTIVE)
        return;
    e->enabled += ns;
    if (e->state == TD_SIM_ACTIVE)
        e->running += ns;
}

void td_sim_context_times(struct td_sim *s, struct td_sim_context *c)
{
    for (struct td_sim_event *e = c->first; e; e = e->next)
        for (struct td_sim_event *m = e; m; m = m->sibling)
            td_sim_event_time(s, m);
}

uint64_t td_sim_counter(const struct td_sim *s, const struct td_sim_event *e, const struct td_sim_cpu *c)
{
    const struct td_sim_pmu *p = &s->pmu[c->pmu];

    if (!e->user)
        return 0;
    if (p->lie == TD_SIM_EQUAL || e->kind == TD_SIM_SLOT)
        return c->bank[0].total.slots * TD_PMU_WHOLE;
    if (e->kind != TD_SIM_COUNT || e->index >= p->nconfigs)
        return 0;
    return td_sim_config_count(s, c, e->index);
}

/* ---- the topdown registers ---------------------------------------------- */

uint64_t td_sim_metrics(const struct td_sim *s, const struct td_sim_cpu *c)
{
    return s->pmu[c->pmu].lie == TD_SIM_EQUAL ? UINT64_MAX : td_pmu_metrics(&c->bank[0]);
}

/* As the kernel writes both registers. */
static void write_registers(struct td_sim_cpu *c, uint64_t slots, uint64_t metrics)
{
    struct td_pmu *p = &c->bank[0];

    td_pmu_reset(p);
    p->at_reset.slots -= slots;
    td_sim_fields_write(p, slots, metrics);
}

static uint64_t field_value(uint64_t slots, uint64_t metrics, size_t field)
{
    return slots / 0xff * (metrics >> (8 * field) & 0xff) + slots % 0xff * (metrics >> (8 * field) & 0xff) / 0xff;
}

static void add_delta(const struct td_sim_event *leader, struct td_sim_event *e, uint64_t slots, uint64_t metrics)
{
    uint64_t now = slots, last = leader->slots;

    if (e->kind == TD_SIM_FIELD) {
        now = field_value(slots, metrics, e->index);
        last = leader->slots ? field_value(leader->slots, leader->metrics, e->index) : 0;
    } else if (e->kind != TD_SIM_SLOT) {
        return;
    }
    if (now > last) /* what runs backwards is dropped */
        e->count += now - last;
}

/* icl_update_topdown_event(): of all the group; a read also resets the registers. */
static void topdown_update(struct td_sim *s, struct td_sim_cpu *c, bool reset)
{
    struct td_sim_event *leader = c->topdown;
    uint64_t slots = td_pmu_slots(&c->bank[0]), metrics = td_sim_metrics(s, c);

    if (!slots)
        return;
    for (struct td_sim_event *e = leader; e; e = e->sibling)
        if (e->state == TD_SIM_ACTIVE && e->user)
            add_delta(leader, e, slots, metrics);
    leader->slots = reset ? 0 : slots;
    leader->metrics = reset ? 0 : metrics;
    if (reset)
        td_pmu_reset(&c->bank[0]);
}

/* icl_set_topdown_event_period() */
static void topdown_start(struct td_sim_cpu *c, struct td_sim_event *leader)
{
    c->topdown = leader;
    if (leader->fresh || !leader->slots)
        write_registers(c, 0, 0);
    else
        write_registers(c, leader->slots, leader->metrics);
    leader->fresh = false;
}

void td_sim_topdown_join(struct td_sim *s, struct td_sim_event *leader)
{
    struct td_sim_cpu *c = cpu_of(s, leader);

    leader->topdown = true;
    leader->fresh = true;
    if (leader->state != TD_SIM_ACTIVE || !c)
        return;
    /* It was started as an ordinary counter, from -(2^47 - 1): that is taken for slots now. */
    c->topdown = leader;
    leader->fresh = false;
    write_registers(c, (UINT64_C(1) << 47) + 1 + ((td_sim_counter(s, leader, c) - leader->start) / TD_PMU_WHOLE), 0);
    td_sim_page_update(s, leader);
}

/* ---- groups --------------------------------------------------------------- */

static void event_start(struct td_sim *s, struct td_sim_cpu *c, struct td_sim_event *e)
{
    td_sim_event_time(s, e);
    e->state = TD_SIM_ACTIVE;
    if (e->kind != TD_SIM_SOFT)
        e->start = td_sim_counter(s, e, c);
    td_sim_page_update(s, e);
}

static void count_up(struct td_sim *s, struct td_sim_cpu *c, struct td_sim_event *e)
{
    uint64_t now;

    if (e->kind == TD_SIM_SOFT || e->kind == TD_SIM_FIELD || (e->kind == TD_SIM_SLOT && e->leader->topdown && c->topdown == e->leader))
        return;
    now = td_sim_counter(s, e, c);
    e->count += (now - e->start) / TD_PMU_WHOLE;
    e->raw += (now - e->start) % TD_PMU_WHOLE;
    e->start = now;
}

static void group_start(struct td_sim *s, struct td_sim_cpu *c, struct td_sim_event *leader)
{
    bool was = leader->state == TD_SIM_ACTIVE;

    if (!was && leader->topdown)
        topdown_start(c, leader);
    for (struct td_sim_event *e = leader; e; e = e->sibling)
        if (e->state == TD_SIM_INACTIVE)
            event_start(s, c, e);
}

void td_sim_group_stop(struct td_sim *s, struct td_sim_event *leader)
{
    struct td_sim_cpu *c = cpu_of(s, leader);

    if (!c)
        return;
    if (c->topdown == leader) {
        topdown_update(s, c, false);
        c->topdown = NULL;
    }
    for (struct td_sim_event *e = leader; e; e = e->sibling) {
        if (e->state != TD_SIM_ACTIVE)
            continue;
        td_sim_event_time(s, e);
        if (!leader->topdown || e->kind != TD_SIM_SLOT)
            count_up(s, c, e);
        e->state = TD_SIM_INACTIVE;
        td_sim_page_update(s, e);
    }
}

void td_sim_context_out(struct td_sim *s, struct td_sim_context *c)
{
    for (struct td_sim_event *e = c->first; e; e = e->next) {
        if (e->state == TD_SIM_ACTIVE)
            td_sim_group_stop(s, e);
    }
    td_sim_context_times(s, c);
    c->rotate = false;
}

/* True if the group may count on the CPU at this time. */
static bool eligible(const struct td_sim *s, const struct td_sim_event *leader, unsigned cpu)
{
    size_t pmu = td_sim_group_pmu(leader);

    return leader->state >= TD_SIM_INACTIVE && (leader->cpu < 0 || (unsigned)leader->cpu == cpu) && live(s, leader) &&
           (pmu == TD_SIM_PMUS || pmu == s->cpu[cpu].pmu);
}

/* Tries a context's groups in their order; behind the first that does not fit none is tried. */
static void choose(struct td_sim *s, unsigned cpu, struct td_sim_context *x, bool pinned, struct td_sim_fit *fit)
{
    bool room = true;

    for (struct td_sim_event *e = x->first; e; e = e->next) {
        bool hardware = td_sim_group_pmu(e) < TD_SIM_PMUS;

        if (e->pinned != pinned || !eligible(s, e, cpu))
            continue;
        e->wanted = (room || !hardware) && td_sim_fit_group(fit, e, NULL, true);
        if (e->wanted)
            continue;
        if (pinned) {
            if (e->state == TD_SIM_ACTIVE)
                td_sim_group_stop(s, e);
            td_sim_event_time(s, e);
            e->state = TD_SIM_ERROR;
        } else {
            room = false;
            x->rotate = true;
        }
    }
}

static void start_wanted(struct td_sim *s, struct td_sim_cpu *c, struct td_sim_context *x)
{
    for (struct td_sim_event *e = x->first; e; e = e->next)
        if (e->wanted)
            group_start(s, c, e);
}

static void stop_unwanted(struct td_sim *s, struct td_sim_context *x)
{
    for (struct td_sim_event *e = x->first; e; e = e->next)
        if (!e->wanted && e->state == TD_SIM_ACTIVE)
            td_sim_group_stop(s, e);
}

/* Those that count already may move to another counter. */
static void assign(struct td_sim *s, const struct td_sim_fit *fit)
{
    for (uint64_t left = fit->used; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct td_sim_event *e = (struct td_sim_event *)(uintptr_t)fit->owner[i];
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

void td_sim_resched(struct td_sim *s, unsigned cpu)
{
    struct td_sim_cpu *c = &s->cpu[cpu];
    struct td_sim_context *x[2] = {&c->events, c->task ? &c->task->events : NULL};
    struct td_sim_fit fit = {.counters = c->pmu < TD_SIM_PMUS ? s->pmu[c->pmu].counters & ~s->pmu[c->pmu].taken : 0};
    const size_t n = x[1] ? 2 : 1;
    bool rotate = false;

    if (c->pmu < TD_SIM_PMUS)
        fit.counters |= ((UINT64_C(1) << s->pmu[c->pmu].metrics) - 1) << TD_SIM_METRIC;
    for (size_t i = 0; i < n; i++)
        forget(x[i]);
    for (size_t pinned = 2; pinned-- > 0;)
        for (size_t i = 0; i < n; i++)
            choose(s, cpu, x[i], pinned, &fit);
    for (size_t i = 0; i < n; i++)
        stop_unwanted(s, x[i]);
    assign(s, &fit);
    for (size_t i = 0; i < n; i++) {
        start_wanted(s, c, x[i]);
        rotate = rotate || x[i]->rotate;
    }
    if (rotate && !c->rotating)
        c->rotation = s->cpu[c->first].synced + TD_SIM_TICK;
    c->rotating = rotate;
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

void td_sim_rotate(struct td_sim *s, unsigned cpu)
{
    struct td_sim_cpu *c = &s->cpu[cpu];

    c->rotation += TD_SIM_TICK;
    rotate_context(s, cpu, &c->events);
    if (c->task)
        rotate_context(s, cpu, &c->task->events);
    td_sim_resched(s, cpu);
}

/* ---- reading ---------------------------------------------------------------- */

void td_sim_event_update(struct td_sim *s, struct td_sim_event *e)
{
    struct td_sim_cpu *c = cpu_of(s, e);

    td_sim_event_time(s, e);
    if (e->state != TD_SIM_ACTIVE || !c)
        return;
    if (c->topdown && c->topdown == e->leader && (e->kind == TD_SIM_SLOT || e->kind == TD_SIM_FIELD))
        topdown_update(s, c, true);
    else
        count_up(s, c, e);
}

uint64_t td_sim_event_value(const struct td_sim *s, const struct td_sim_event *e)
{
    if (e->kind == TD_SIM_SOFT) /* PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK */
        return e->software <= 1 ? e->running - e->start : 0;
    switch (s->pmu[e->pmu].lie) {
    case TD_SIM_CONSTANT:
        return e->running ? 1000000 : 0;
    case TD_SIM_SLOTS:
        return e->kind == TD_SIM_COUNT ? e->count + e->raw / TD_PMU_WHOLE : 16 * e->count;
    default:
        return e->count + e->raw / TD_PMU_WHOLE;
    }
}
