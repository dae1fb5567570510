/* SPDX-License-Identifier: MIT */
#include "sim/kernel/registers.h"

#include "sim/kernel/caller.h"
#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"
#include "sim/kernel/sysfs.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS_COUNTER = 3, REGISTER_BITS = 48 };

int td_sim_rdpmc_begin(struct td_sim *s)
{
    char path[96], text[16];

    s->rdpmc.allowed = calloc(s->hw.npmus + 1, 1);
    if (!s->rdpmc.allowed)
        return -ENOMEM;
    for (size_t i = 0; i < s->hw.npmus; i++) {
        snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/rdpmc", s->hw.pmu[i].name);
        if (td_sim_os_file(s, path, text, sizeof(text)) > 0 && *text >= '0' && *text <= '2')
            s->rdpmc.allowed[i] = (unsigned char)(*text - '0');
    }
    s->rdpmc.user_access =
        td_sim_os_file(s, "/proc/sys/kernel/perf_user_access", text, sizeof(text)) > 0 && *text == '1';
    return 0;
}

/* ---- counters of a CPU -------------------------------------------------------- */

static const struct td_sim_event *owner_in(const struct td_sim_context *x, unsigned counter)
{
    for (const struct td_sim_event *e = x->first; e; e = e->next)
        for (const struct td_sim_event *m = e; m; m = m->sibling)
            if (m->state == TD_SIM_ACTIVE && m->kind != TD_SIM_SOFT && m->counter == counter)
                return m;
    return NULL;
}

/* The event that has a CPU's counter, or NULL. */
static const struct td_sim_event *owner(const struct td_sim *s, unsigned cpu, unsigned counter)
{
    const struct td_sim_event *e = owner_in(&s->counting[cpu].events, counter);

    return e || !s->tasks.on[cpu] ? e : owner_in(&s->tasks.on[cpu]->events, counter);
}

/* A counter without an event is zero: the kernel clears it before a thread that may read
 * it runs (x86_pmu_sched_task(), armv8pmu_enable_user_access()). */
static uint64_t counter_value(const struct td_sim *s, unsigned cpu, unsigned counter)
{
    const struct td_sim_event *e = owner(s, cpu, counter);

    return e ? td_sim_event_now(s, e) - __atomic_load_n(&e->offset, __ATOMIC_RELAXED) : 0;
}

static uint64_t slots_register(const struct td_sim *s, unsigned cpu)
{
    const uint64_t slots = td_pmu_slots(&s->hw.cpu[cpu].bank[0]);

    if (!s->counting[cpu].topdown->user)
        return 0;
    switch (td_sim_pmu_of(&s->hw, cpu)->lie) {
    case TD_SIM_CONSTANT: return 1000000;
    case TD_SIM_SLOTS: return 16 * slots;
    default: return slots;
    }
}

/* The PMU of the calling thread's CPU, or NULL. Brings its core into sync. */
static const struct td_sim_pmu *own_pmu(struct td_sim *s, unsigned *cpu)
{
    const int here = td_sim_os_here(s);

    *cpu = (unsigned)here;
    if (here < 0)
        return NULL;
    td_sim_core_sync(&s->hw, *cpu, s->hw.now);
    return td_sim_pmu_of(&s->hw, *cpu);
}

/* ---- x86 ------------------------------------------------------------------------ */

/* Whether x86 lets the thread read counters (CR4.PCE): always, or while its process has mapped an event. */
static bool rdpmc_allowed(const struct td_sim *s, size_t pmu)
{
    if (s->rdpmc.allowed[pmu] != 1)
        return s->rdpmc.allowed[pmu];
    for (const struct td_sim_page *page = s->pages; page; page = page->link)
        if (page->event && page->event->readable)
            return true;
    return false;
}

int td_sim_rdpmc(struct td_sim *s, uint32_t ecx, uint64_t *value)
{
    unsigned cpu;
    const struct td_sim_pmu *p = own_pmu(s, &cpu);
    const struct td_sim_event *topdown;
    const bool fixed = ecx & TD_SIM_RDPMC_FIXED;
    const uint32_t number = ecx & ~(uint32_t)TD_SIM_RDPMC_FIXED;
    const unsigned counter = number + (fixed ? TD_SIM_FIXED : 0);

    if (!p || p->arm)
        return -ENXIO;
    if (!rdpmc_allowed(s, s->hw.cpu[cpu].pmu))
        return -EPERM;
    topdown = s->counting[cpu].topdown;
    if (ecx == TD_SIM_RDPMC_METRICS) {
        *value = topdown && !topdown->user ? 0 : td_sim_metrics(s, cpu);
        return p->metrics ? 0 : -ENXIO;
    }
    if (number >= (fixed ? TD_SIM_CYCLE - TD_SIM_FIXED : TD_SIM_FIXED) || !(p->counters >> counter & 1))
        return -ENXIO;
    *value = fixed && number == SLOTS_COUNTER && topdown ? slots_register(s, cpu) : counter_value(s, cpu, counter);
    *value &= (UINT64_C(1) << REGISTER_BITS) - 1;
    return 0;
}

/* ---- Arm ------------------------------------------------------------------------ */

/* Whether Arm lets the thread read counters: while an event of its task asks for it (armv8pmu_enable_user_access()). */
static bool mrs_allowed(const struct td_sim *s, unsigned cpu)
{
    const struct td_sim_task *t = s->tasks.on[cpu];

    if (!s->rdpmc.user_access || !t || t != s->caller.task)
        return false;
    for (const struct td_sim_event *e = t->events.first; e; e = e->next)
        for (const struct td_sim_event *m = e; m; m = m->sibling)
            if (m->readable)
                return true;
    return false;
}

int td_sim_mrs(struct td_sim *s, unsigned n, uint64_t *value)
{
    unsigned cpu;
    const struct td_sim_pmu *p = own_pmu(s, &cpu);
    const unsigned counter = n == TD_SIM_ARM_CYCLE ? TD_SIM_CYCLE : n;
    const struct td_sim_event *e;

    if (!p || !p->arm || n > TD_SIM_ARM_CYCLE || !(p->counters >> counter & 1))
        return -ENXIO;
    if (!mrs_allowed(s, cpu))
        return -EPERM;
    *value = counter_value(s, cpu, counter);
    e = owner(s, cpu, counter);
    if (e && e->width == 32) /* the upper half is unknown */
        *value = (*value & UINT32_MAX) | UINT64_C(0x5a5a5a5a) << 32;
    return 0;
}

/* ---- before each ------------------------------------------------------------------ */

void td_sim_on_rdpmc(struct td_sim *s, td_sim_rdpmc_fn *fn, void *ctx)
{
    s->rdpmc.before = fn;
    s->rdpmc.before_ctx = ctx;
    s->rdpmc.n = 0;
}

void td_sim_rdpmc_before(struct td_sim *s, uint32_t ecx)
{
    if (s->caller.each && ecx != TD_SIM_RDPMC_METRICS) /* PERF_METRICS is read together with slots */
        td_sim_self_run(s, s->caller.each);
    if (s->rdpmc.before)
        s->rdpmc.before(s->rdpmc.before_ctx, ++s->rdpmc.n, ecx);
}
