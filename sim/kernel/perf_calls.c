/* SPDX-License-Identifier: MIT */
/* read(2), ioctl(2) and close(2) of the simulated kernel's descriptors. */
#include "sim/kernel/perf_calls.h"

#include "sim/kernel/clock.h"
#include "sim/kernel/count.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"
#include "sim/kernel/sampler.h"
#include "sim/kernel/schedule.h"
#include "sim/kernel/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The event of a descriptor; NULL: *err says why. otherwise: the error for a descriptor of something else. */
static struct td_sim_event *event_of(const struct td_sim *s, int fd, int otherwise, int *err)
{
    struct td_sim_event *e = td_sim_fd_event(&s->fds, fd);

    *err = e ? 0 : td_sim_fd_find(&s->fds, fd) ? otherwise : -EBADF;
    return e;
}

/* ---- read ------------------------------------------------------------------ */

/* Simulates the cores of an event and of its heirs up to now. */
static void sync_family(struct td_sim *s, const struct td_sim_event *e)
{
    td_sim_event_sync(s, e);
    for (const struct td_sim_event *h = e->heirs; h; h = h->brother)
        td_sim_event_sync(s, h);
}

ssize_t td_sim_os_read(void *ctx, int fd, void *buf, size_t size)
{
    struct td_sim *s = ctx;
    int err;
    struct td_sim_event *e = event_of(s, fd, -EISDIR, &err);
    uint64_t *out;
    ssize_t len;

    s->calls.read++;
    if (!e)
        return err;
    td_sim_call(s);
    if (e->state == TD_SIM_ERROR)
        return 0;
    out = calloc(td_sim_values_most(e), sizeof(*out));
    if (!out)
        return -ENOMEM;
    sync_family(s, e);
    len = (ssize_t)(td_sim_values_read(s, e, out) * sizeof(*out));
    if ((size_t)len > size)
        len = -ENOSPC;
    else
        memcpy(buf, out, (size_t)len);
    free(out);
    return len;
}

/* ---- ioctl ------------------------------------------------------------------ */

static void enable(struct td_sim *s, struct td_sim_event *e)
{
    td_sim_event_time(s, e);
    if (!e->leader->context)
        return; /* its CPU went offline, its task ended, or it is a metric without slots */
    if (e->state == TD_SIM_OFF || e->state == TD_SIM_ERROR)
        e->state = TD_SIM_INACTIVE;
}

static void disable(struct td_sim *s, struct td_sim_event *e)
{
    if (e->state < TD_SIM_INACTIVE)
        return;
    for (struct td_sim_event *m = e->leader; m; m = m->sibling)
        td_sim_event_time(s, m);
    if (e->leader->state == TD_SIM_ACTIVE)
        td_sim_group_stop(s, e->leader);
    e->state = TD_SIM_OFF;
}

static void reset(struct td_sim *s, struct td_sim_event *e)
{
    uint64_t before;

    td_sim_event_update(s, e);
    before = td_sim_event_now(s, e);
    e->sampler.target -= e->count * TD_PMU_WHOLE + e->raw;
    e->count = e->raw = 0;
    e->offset -= before - td_sim_event_now(s, e); /* the counter itself is not changed */
    if (e->kind == TD_SIM_SOFT)
        e->start = e->running;
    td_sim_page_update(s, e);
}

/* PERF_EVENT_IOC_PERIOD, as perf_event_period() does it: of an event with a frequency it sets that, and the period that
 * the frequency has led to begins anew. */
static int set_period(struct td_sim *s, struct td_sim_event *e, const uint64_t *period)
{
    if (!e->sampler.period || !*period || *period >> 63 || (e->sampler.freq && *period > TD_SIM_MAX_RATE))
        return -EINVAL;
    td_sim_event_sync(s, e);
    td_sim_sampler_set(s, e, e->sampler.freq ? e->sampler.period : *period);
    e->sampler.freq = e->sampler.freq ? *period : 0;
    return 0;
}

/* PERF_EVENT_IOC_SET_OUTPUT, as perf_event_set_output() does it: a ring is of one CPU or of one task. */
static int set_output(const struct td_sim *s, struct td_sim_event *e, int fd)
{
    struct td_sim_event *to = fd < 0 ? NULL : td_sim_fd_event(&s->fds, fd);

    if (fd >= 0 && !to)
        return -EBADF;
    if (to && (to == e || to->cpu != e->cpu || (to->cpu < 0 && to->task != e->task) || to->output))
        return -EINVAL;
    if (e->page)
        return -EINVAL;
    td_sim_event_output(e, to);
    return 0;
}

typedef void change_fn(struct td_sim *, struct td_sim_event *);

/* Changes an event and its heirs, as perf_event_for_each_child() does. */
static void change_family(struct td_sim *s, struct td_sim_event *e, change_fn *change)
{
    change(s, e);
    for (struct td_sim_event *h = e->heirs; h; h = h->brother) {
        change(s, h);
        td_sim_event_resched(s, h);
    }
}

int td_sim_os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    struct td_sim *s = ctx;
    int err;
    struct td_sim_event *e = event_of(s, fd, -ENOTTY, &err);
    change_fn *change;

    s->calls.ioctl++;
    if (!e)
        return err;
    td_sim_call(s);
    switch (request) {
    case PERF_EVENT_IOC_ENABLE: change = enable; break;
    case PERF_EVENT_IOC_DISABLE: change = disable; break;
    case PERF_EVENT_IOC_RESET: change = reset; break;
    case PERF_EVENT_IOC_ID: memcpy((void *)(uintptr_t)arg, &e->id, sizeof(e->id)); return 0;
    case PERF_EVENT_IOC_PERIOD: return set_period(s, e, (const void *)(uintptr_t)arg);
    case PERF_EVENT_IOC_SET_OUTPUT: return set_output(s, e, (int)arg);
    default: return -ENOTTY;
    }
    sync_family(s, e);
    if (arg & PERF_IOC_FLAG_GROUP)
        for (struct td_sim_event *m = e->leader; m; m = m->sibling)
            change_family(s, m, change);
    else
        change_family(s, e, change);
    td_sim_event_resched(s, e);
    return 0;
}

/* ---- close ------------------------------------------------------------------- */

int td_sim_os_close(void *ctx, int fd)
{
    struct td_sim *s = ctx;
    struct td_sim_fd *found = td_sim_fd_find(&s->fds, fd);
    struct td_sim_event *e;

    s->calls.close++;
    if (!found)
        return -EBADF;
    e = found->event;
    td_sim_fd_close(&s->fds, fd);
    if (!e)
        return 0;
    td_sim_call(s);
    e->fd = -1;
    if (!e->page) /* otherwise it counts until it is unmapped */
        td_sim_event_end(s, e);
    return 0;
}
