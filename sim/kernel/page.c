/* SPDX-License-Identifier: MIT */
/* The rules are those of perf_event_update_userpage() in Linux kernel/events/core.c, of
 * x86_pmu_event_idx() and x86_perf_event_set_period() in arch/x86/events/core.c, and of
 * drivers/perf/arm_pmuv3.c. */
#include "sim/kernel/page.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/execute.h"

#include <errno.h>

enum {
    INTEL_WIDTH = 48,
    ARM_LONG = 1, /* of config1 */
    ARM_USER = 2,
    LATE = 1000, /* how far a counter counts on before its overflow interrupt comes */
};

/* How far below its overflow a counter is set. */
static uint64_t period(const struct td_sim_event *e)
{
    return (UINT64_C(1) << (e->width - 1)) - 1;
}

int td_sim_event_user(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e)
{
    if (e->kind == TD_SIM_SOFT)
        return 0;
    if (!s->hw.pmu[e->pmu].arm) {
        e->readable = s->rdpmc.allowed[e->pmu];
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

static uint32_t page_index(const struct td_sim *s, const struct td_sim_event *e)
{
    if (!e->readable || e->state != TD_SIM_ACTIVE)
        return 0;
    if (s->hw.pmu[e->pmu].arm)
        return !s->rdpmc.user_access ? 0 : e->counter == TD_SIM_CYCLE ? TD_SIM_ARM_CYCLE + 1 : e->counter + 1;
    if (e->kind == TD_SIM_FIELD)
        return TD_SIM_RDPMC_METRICS + 1;
    return e->counter < TD_SIM_FIXED ? e->counter + 1 : (TD_SIM_RDPMC_FIXED | (e->counter - TD_SIM_FIXED)) + 1;
}

static uint64_t page_offset(const struct td_sim *s, const struct td_sim_event *e, uint32_t index)
{
    return index && !td_sim_event_is_topdown(e) ? e->offset : td_sim_event_now(s, e);
}

/* Writes a page in the kernel's order. Where the kernel has barrier()s there are stronger ones, as readers may be on
 * other CPUs. */
static void page_store(struct perf_event_mmap_page *p, uint32_t index, uint64_t offset, uint64_t enabled,
                       uint64_t running)
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

/* The overflow interrupt sets the counter back and updates the page. */
static void overflow(struct td_sim *s, struct td_sim_event *e)
{
    int64_t shows;

    if (e->state != TD_SIM_ACTIVE || e->kind == TD_SIM_SOFT || td_sim_event_is_topdown(e))
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
        /* an event of a task on a CPU may have heirs that count there while the task is elsewhere */
        int cpu = !p->event ? -1 : p->event->cpu >= 0 ? p->event->cpu : td_sim_event_cpu(p->event);

        if (cpu < 0)
            continue;
        td_sim_core_sync(&s->hw, (unsigned)cpu, s->hw.now);
        overflow(s, p->event);
    }
}

int td_sim_counter_set(struct td_sim *s, int fd, uint64_t value)
{
    struct td_sim_event *e = td_sim_fd_event(&s->fds, fd);
    struct perf_event_mmap_page *p;
    const unsigned unused = e && e->width ? 64 - e->width : 0;
    uint32_t lock, index;
    uint64_t offset;

    if (!e)
        return -EBADF;
    if (e->kind == TD_SIM_SOFT || td_sim_event_is_topdown(e))
        return -EINVAL;
    offset = td_sim_event_now(s, e) - (uint64_t)((int64_t)(value << unused) >> unused);
    p = e->page ? e->page->at : NULL;
    if (!p) {
        e->offset = offset;
        return 0;
    }
    /* the counter also changes while the lock is odd */
    lock = p->lock;
    index = p->index;
    __atomic_store_n(&p->lock, lock + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&e->offset, offset, __ATOMIC_RELAXED);
    __atomic_store_n(&p->offset, (int64_t)page_offset(s, e, index), __ATOMIC_RELAXED);
    __atomic_store_n(&p->lock, lock + 2, __ATOMIC_RELEASE);
    return 0;
}
