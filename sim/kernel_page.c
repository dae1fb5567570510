/* SPDX-License-Identifier: MIT */
/* The page of an event and the counters behind it, as a thread sees them without
 * a call. The rules are those of perf_event_update_userpage() in Linux
 * kernel/events/core.c, of x86_pmu_event_idx() and x86_perf_event_set_period() in
 * arch/x86/events/core.c, and of drivers/perf/arm_pmuv3.c. */
#include "kernel_page.h"

#include <errno.h>
#include <string.h>

enum {
    INTEL_WIDTH = 48,
    ARM_LONG = 1, /* of config1 */
    ARM_USER = 2,
    LATE = 1000, /* what a counter counts until the interrupt of its overflow comes */
    ARM_CYCLE = 31, /* the number that PMCCNTR_EL0 has */
    RDPMC_FIXED = 1 << 30, /* of ECX */
    RDPMC_METRICS = 1 << 29,
};

void td_sim_pages_init(struct td_sim *s)
{
    char path[96] = "/sys/bus/event_source/devices/", text[16];

    for (size_t i = 0; i < s->npmus; i++) {
        struct td_sim_pmu *p = &s->pmu[i];
        size_t folder = strlen("/sys/bus/event_source/devices/"), name = strlen(p->name);

        memcpy(path + folder, p->name, name);
        memcpy(path + folder + name, "/rdpmc", sizeof("/rdpmc"));
        if (td_sim_os_file(s, path, text, sizeof(text)) > 0 && *text >= '0' && *text <= '2')
            p->rdpmc = (unsigned)(*text - '0');
    }
    s->user_access = td_sim_os_file(s, "/proc/sys/kernel/perf_user_access", text, sizeof(text)) > 0 && *text == '1';
}

/* ---- counters ---------------------------------------------------------------- */

/* Most that a counter is set before its overflow. */
static uint64_t period(const struct td_sim_event *e)
{
    return (UINT64_C(1) << (e->width - 1)) - 1;
}

int td_sim_event_user(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e)
{
    if (e->kind == TD_SIM_SOFT)
        return 0;
    if (!s->pmu[e->pmu].arm) {
        e->readable = s->pmu[e->pmu].rdpmc;
        e->width = INTEL_WIDTH;
    } else {
        e->readable = attr->config1 & ARM_USER;
        e->width = attr->config1 & ARM_LONG ? 64 : 32;
        if (e->readable && !e->task)
            return -EINVAL;
    }
    e->offset = period(e);
    return 0;
}

/* Slots that lead metrics: the registers are saved and restored, not counted from. */
static bool is_topdown(const struct td_sim_event *e)
{
    return e->kind == TD_SIM_FIELD || (e->kind == TD_SIM_SLOT && e->leader->topdown);
}

uint64_t td_sim_event_now(const struct td_sim *s, const struct td_sim_event *e)
{
    struct td_sim_event now = *e;
    int cpu = td_sim_event_cpu(e);

    if (e->state == TD_SIM_ACTIVE && cpu >= 0 && e->kind != TD_SIM_SOFT && !is_topdown(e))
        now.raw += td_sim_counter(s, e, &s->cpu[cpu]) - e->start;
    return td_sim_event_value(s, &now);
}

/* The event that has a CPU's counter, or NULL. */
static const struct td_sim_event *owner(const struct td_sim_cpu *c, unsigned counter)
{
    const struct td_sim_context *x[2] = {&c->events, c->task ? &c->task->events : NULL};

    for (size_t i = 0; i < 2 && x[i]; i++)
        for (const struct td_sim_event *e = x[i]->first; e; e = e->next)
            for (const struct td_sim_event *m = e; m; m = m->sibling)
                if (m->state == TD_SIM_ACTIVE && m->kind != TD_SIM_SOFT && m->counter == counter)
                    return m;
    return NULL;
}

/* Nobody's is zero: so they are left to a thread that may read them (x86_pmu clears
 * dirty counters, armv8pmu_enable_user_access()). */
static uint64_t counter_value(const struct td_sim *s, const struct td_sim_cpu *c, unsigned counter)
{
    const struct td_sim_event *e = owner(c, counter);

    return e ? td_sim_event_now(s, e) - __atomic_load_n(&e->offset, __ATOMIC_RELAXED) : 0;
}

static uint64_t slots_register(const struct td_sim *s, const struct td_sim_cpu *c)
{
    if (!c->topdown->user)
        return 0;
    switch (s->pmu[c->pmu].lie) {
    case TD_SIM_CONSTANT:
        return 1000000;
    case TD_SIM_SLOTS:
        return 16 * td_pmu_slots(&c->bank[0]);
    default:
        return td_pmu_slots(&c->bank[0]);
    }
}

static struct td_sim_cpu *own_cpu(struct td_sim *s)
{
    struct td_sim_cpu *c = &s->cpu[td_sim_os_here(s)];

    td_sim_core_sync(s, (unsigned)(c - s->cpu), s->now);
    return c;
}

/* CR4.PCE: always, or while the process has mapped an event. */
static bool rdpmc_allowed(const struct td_sim *s, const struct td_sim_pmu *p)
{
    if (p->rdpmc != 1)
        return p->rdpmc;
    for (const struct td_sim_page *page = s->pages; page; page = page->link)
        if (page->event && page->event->readable)
            return true;
    return false;
}

int td_sim_rdpmc(struct td_sim *s, uint32_t ecx, uint64_t *value)
{
    struct td_sim_cpu *c = own_cpu(s);
    const struct td_sim_pmu *p = c->pmu < TD_SIM_PMUS ? &s->pmu[c->pmu] : NULL;
    const bool fixed = ecx & RDPMC_FIXED;
    unsigned counter = (ecx & ~(uint32_t)RDPMC_FIXED) + (fixed ? TD_SIM_FIXED : 0);

    if (!p || p->arm)
        return -ENXIO;
    if (!rdpmc_allowed(s, p))
        return -EPERM;
    if (ecx == RDPMC_METRICS) {
        *value = c->topdown && !c->topdown->user ? 0 : td_sim_metrics(s, c);
        return p->metrics ? 0 : -ENXIO;
    }
    if ((ecx & ~(uint32_t)RDPMC_FIXED) >= (fixed ? TD_SIM_CYCLE - TD_SIM_FIXED : TD_SIM_FIXED) || !(p->counters >> counter & 1))
        return -ENXIO;
    *value = ecx == (RDPMC_FIXED | 3) && c->topdown ? slots_register(s, c) : counter_value(s, c, counter);
    *value &= (UINT64_C(1) << INTEL_WIDTH) - 1;
    return 0;
}

/* armv8pmu_enable_user_access(): while an event of the task wants it. */
static bool mrs_allowed(const struct td_sim *s, const struct td_sim_cpu *c)
{
    if (!s->user_access || !c->task || c->task != s->self)
        return false;
    for (const struct td_sim_event *e = c->task->events.first; e; e = e->next)
        for (const struct td_sim_event *m = e; m; m = m->sibling)
            if (m->readable)
                return true;
    return false;
}

int td_sim_mrs(struct td_sim *s, unsigned n, uint64_t *value)
{
    struct td_sim_cpu *c = own_cpu(s);
    const struct td_sim_pmu *p = c->pmu < TD_SIM_PMUS ? &s->pmu[c->pmu] : NULL;
    unsigned counter = n == ARM_CYCLE ? TD_SIM_CYCLE : n;
    const struct td_sim_event *e;

    if (!p || !p->arm || n > ARM_CYCLE || !(p->counters >> counter & 1))
        return -ENXIO;
    if (!mrs_allowed(s, c))
        return -EPERM;
    *value = counter_value(s, c, counter);
    e = owner(c, counter);
    if (e && e->width == 32) /* the rest is unknown */
        *value = (*value & UINT32_MAX) | UINT64_C(0x5a5a5a5a) << 32;
    return 0;
}

void td_sim_on_rdpmc(struct td_sim *s, td_sim_rdpmc_fn *fn, void *ctx)
{
    s->on_rdpmc = fn;
    s->on_rdpmc_ctx = ctx;
    s->rdpmcs = 0;
}

/* ---- pages ------------------------------------------------------------------- */

static uint32_t page_index(const struct td_sim *s, const struct td_sim_event *e)
{
    if (!e->readable || e->state != TD_SIM_ACTIVE)
        return 0;
    if (s->pmu[e->pmu].arm)
        return !s->user_access ? 0 : e->counter == TD_SIM_CYCLE ? ARM_CYCLE + 1 : e->counter + 1;
    if (e->kind == TD_SIM_FIELD)
        return RDPMC_METRICS + 1;
    return e->counter < TD_SIM_FIXED ? e->counter + 1 : (RDPMC_FIXED | (e->counter - TD_SIM_FIXED)) + 1;
}

static uint64_t page_offset(const struct td_sim *s, const struct td_sim_event *e, uint32_t index)
{
    return index && !is_topdown(e) ? e->offset : td_sim_event_now(s, e);
}

/* barrier() of the kernel, for readers on other CPUs as well */
static void page_store(struct perf_event_mmap_page *p, uint32_t index, uint64_t offset, uint64_t enabled, uint64_t running)
{
    uint32_t lock = p->lock;

    __atomic_store_n(&p->lock, lock + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&p->index, index, __ATOMIC_RELAXED);
    __atomic_store_n(&p->offset, (int64_t)offset, __ATOMIC_RELAXED);
    __atomic_store_n(&p->time_enabled, enabled, __ATOMIC_RELAXED);
    __atomic_store_n(&p->time_running, running, __ATOMIC_RELAXED);
    __atomic_store_n(&p->lock, lock + 2, __ATOMIC_RELEASE);
}

void td_sim_page_update(const struct td_sim *s, struct td_sim_event *e)
{
    uint32_t index;

    if (!e->page)
        return;
    index = page_index(s, e);
    page_store(e->page->at, index, page_offset(s, e, index), e->enabled, e->running);
}

/* The interrupt of an overflow sets the counter back and tells the page. */
static void overflow(struct td_sim *s, struct td_sim_event *e)
{
    int64_t shows;

    if (e->state != TD_SIM_ACTIVE || e->kind == TD_SIM_SOFT || is_topdown(e))
        return;
    shows = (int64_t)(td_sim_event_now(s, e) - e->offset);
    if (shows < LATE)
        return;
    e->offset += ((uint64_t)shows / period(e) + 1) * period(e);
    td_sim_page_update(s, e);
}

void td_sim_pages_sync(struct td_sim *s)
{
    for (struct td_sim_page *p = s->pages; p; p = p->link) {
        int cpu = p->event ? td_sim_event_cpu(p->event) : -1;

        if (cpu < 0)
            continue;
        td_sim_core_sync(s, (unsigned)cpu, s->now);
        overflow(s, p->event);
    }
}

int td_sim_counter_set(struct td_sim *s, int fd, uint64_t value)
{
    struct td_sim_event *e = td_sim_fd(s, fd);
    struct perf_event_mmap_page *p;
    const unsigned unused = e && e->width ? 64 - e->width : 0;
    uint32_t lock, index;
    uint64_t offset;

    if (!e || e->kind == TD_SIM_FOLDER)
        return -EBADF;
    if (e->kind == TD_SIM_SOFT || is_topdown(e))
        return -EINVAL;
    offset = td_sim_event_now(s, e) - (uint64_t)((int64_t)(value << unused) >> unused);
    p = e->page ? e->page->at : NULL;
    if (!p) {
        e->offset = offset;
        return 0;
    }
    /* the counter too changes while the lock is odd */
    lock = p->lock;
    index = p->index;
    __atomic_store_n(&p->lock, lock + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&e->offset, offset, __ATOMIC_RELAXED);
    __atomic_store_n(&p->offset, (int64_t)page_offset(s, e, index), __ATOMIC_RELAXED);
    __atomic_store_n(&p->lock, lock + 2, __ATOMIC_RELEASE);
    return 0;
}
