/* SPDX-License-Identifier: MIT */
/* read(2), ioctl(2) and close(2) of the simulated kernel's events. */
#include "kernel_page.h"
#include "machine_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_FD = 3, FDS_MAX = 1 << 20 };

void td_sim_call(struct td_sim *s)
{
    td_sim_run(s, s->now + TD_SIM_CALL);
}

struct td_sim_event *td_sim_fd(const struct td_sim *s, int fd)
{
    return fd >= FIRST_FD && (size_t)(fd - FIRST_FD) < s->nfds ? s->fd[fd - FIRST_FD] : NULL;
}

int td_sim_fd_new(struct td_sim *s, struct td_sim_event *e)
{
    size_t i = s->free_fd;

    while (i < s->nfds && s->fd[i])
        i++;
    if (i == FDS_MAX)
        return -EMFILE;
    if (i == s->nfds) {
        size_t n = s->nfds ? 2 * s->nfds : 64;
        struct td_sim_event **more = realloc(s->fd, n * sizeof(*more));

        if (!more)
            return -ENOMEM;
        memset(more + s->nfds, 0, (n - s->nfds) * sizeof(*more));
        s->fd = more;
        s->nfds = n;
    }
    s->fd[i] = e;
    s->free_fd = i + 1;
    e->fd = (int)i + FIRST_FD;
    e->id = ++s->ids;
    return e->fd;
}

/* Lets the event's core reach the present. */
static void sync_event(struct td_sim *s, const struct td_sim_event *e)
{
    int cpu = td_sim_event_cpu(e);

    if (cpu >= 0)
        td_sim_core_sync(s, (unsigned)cpu, s->now);
}

static void resched(struct td_sim *s, const struct td_sim_event *e)
{
    int cpu = td_sim_event_cpu(e);

    if (cpu >= 0 && s->cpu[cpu].online)
        td_sim_resched(s, (unsigned)cpu);
}

/* ---- read ------------------------------------------------------------------ */

static size_t entry_size(uint64_t format)
{
    return 1u + (format & PERF_FORMAT_ID ? 1u : 0u) + (format & TD_SIM_LOST ? 1u : 0u);
}

static size_t put_entry(const struct td_sim *s, const struct td_sim_event *e, uint64_t format, uint64_t *out)
{
    size_t n = 0;

    out[n++] = td_sim_event_value(s, e);
    if (format & PERF_FORMAT_ID)
        out[n++] = e->id;
    if (format & TD_SIM_LOST)
        out[n++] = 0;
    return n;
}

static size_t put_times(const struct td_sim_event *e, uint64_t *out)
{
    size_t n = 0;

    if (e->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        out[n++] = e->enabled;
    if (e->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        out[n++] = e->running;
    return n;
}

/* perf_read_group() or perf_read_one(): the number of words. */
static size_t put_event(struct td_sim *s, struct td_sim_event *e, uint64_t *out)
{
    size_t n = 0;

    if (!(e->format & PERF_FORMAT_GROUP)) {
        td_sim_event_update(s, e);
        out[n++] = td_sim_event_value(s, e);
        n += put_times(e, out + n);
        if (e->format & PERF_FORMAT_ID)
            out[n++] = e->id;
        if (e->format & TD_SIM_LOST)
            out[n++] = 0;
        return n;
    }
    for (struct td_sim_event *m = e->leader; m; m = m->sibling) {
        /* the leader's update is that of all the metrics; only it resets the registers */
        if (m == e->leader || !e->leader->topdown || m->kind == TD_SIM_COUNT || m->kind == TD_SIM_SOFT)
            td_sim_event_update(s, m);
        else
            td_sim_event_time(s, m);
        out[0]++;
    }
    n = 1 + put_times(e->leader, out + 1);
    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        n += put_entry(s, m, e->format, out + n);
    return n;
}

ssize_t td_sim_os_read(void *ctx, int fd, void *buf, size_t size)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = td_sim_fd(s, fd);
    size_t members = 0, most;
    uint64_t *out;
    ssize_t len;

    s->calls.read++;
    if (!e)
        return -EBADF;
    if (e->kind >= TD_SIM_FOLDER)
        return -EISDIR;
    td_sim_call(s);
    if (e->state == TD_SIM_ERROR)
        return 0;
    for (const struct td_sim_event *m = e->leader; m; m = m->sibling)
        members++;
    most = 3 + entry_size(e->format) * (e->format & PERF_FORMAT_GROUP ? members : 1);
    out = calloc(most, sizeof(*out));
    if (!out)
        return -ENOMEM;
    sync_event(s, e);
    len = (ssize_t)(put_event(s, e, out) * sizeof(*out));
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
        return; /* its CPU went off, its task ended, or it is a metric without slots */
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
    e->count = e->raw = 0;
    e->offset -= before - td_sim_event_now(s, e); /* the counter itself goes on */
    if (e->kind == TD_SIM_SOFT)
        e->start = e->running;
    td_sim_page_update(s, e);
}

int td_sim_os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = td_sim_fd(s, fd);
    void (*change)(struct td_sim *, struct td_sim_event *);

    s->calls.ioctl++;
    if (!e || e->kind >= TD_SIM_FOLDER)
        return e ? -ENOTTY : -EBADF;
    td_sim_call(s);
    switch (request) {
    case PERF_EVENT_IOC_ENABLE:
        change = enable;
        break;
    case PERF_EVENT_IOC_DISABLE:
        change = disable;
        break;
    case PERF_EVENT_IOC_RESET:
        change = reset;
        break;
    case PERF_EVENT_IOC_ID:
        memcpy((void *)(uintptr_t)arg, &e->id, sizeof(e->id));
        return 0;
    default:
        return -ENOTTY;
    }
    sync_event(s, e);
    if (arg & PERF_IOC_FLAG_GROUP)
        for (struct td_sim_event *m = e->leader; m; m = m->sibling)
            change(s, m);
    else
        change(s, e);
    resched(s, e);
    return 0;
}

/* ---- close ------------------------------------------------------------------- */

void td_sim_event_end(struct td_sim *s, struct td_sim_event *e)
{
    int cpu;

    sync_event(s, e);
    cpu = td_sim_event_cpu(e);
    td_sim_event_leave(s, e);
    free(e);
    if (cpu >= 0 && s->cpu[cpu].online)
        td_sim_resched(s, (unsigned)cpu);
}

int td_sim_os_close(void *ctx, int fd)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = td_sim_fd(s, fd);

    s->calls.close++;
    if (!e)
        return -EBADF;
    s->fd[fd - FIRST_FD] = NULL;
    if ((size_t)(fd - FIRST_FD) < s->free_fd)
        s->free_fd = (size_t)(fd - FIRST_FD);
    if (e->kind >= TD_SIM_FOLDER) {
        free(e);
        return 0;
    }
    td_sim_call(s);
    e->fd = -1;
    if (!e->page) /* else it counts until it is unmapped */
        td_sim_event_end(s, e);
    return 0;
}
