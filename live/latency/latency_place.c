/* SPDX-License-Identifier: MIT */
#include "live/latency/latency_place.h"

#include "live/meter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 16, /* of a ring, which hold 2,700 samples */
    ID_AT = 8,
    WEIGHT_AT = 16, /* offset of the weight in a sample */
    MEMBERS_MOST = 64, /* most members of a group */
};

/* ---- opening --------------------------------------------------------------------------------- */

void td_latency_place_close(const struct td_meter *m, struct td_latency_place *p)
{
    const struct td_os *os = m->ask.os;

    td_ring_unmap(&p->ring, os);
    for (size_t i = p->member && p->kind->beside ? p->kind->n : 0; i-- > 0;) /* members before their leader */
        if (p->member[i].fd >= 0)
            os->close(os->ctx, p->member[i].fd);
    free(p->member);
    p->member = NULL;
}

static int open_beside(const struct td_meter *m, const struct td_latency_place *p, const struct td_latency_event *e,
                       bool leads, int leader)
{
    const struct td_os *os = m->ask.os;
    struct perf_event_attr attr;
    int fd;

    td_perf_attr_of(&m->ask, &m->pmu[m->scopes.unit[p->unit].pmu], &p->target, e->event, leads, &attr);
    td_perf_attr_sample(&attr);
    do
        fd = os->perf_open(os->ctx, &attr, p->target.cgroup >= 0 ? p->target.cgroup : p->target.pid, p->target.cpu,
                           leader, PERF_FLAG_FD_CLOEXEC | (p->target.cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0ul));
    while (fd == -EINTR);
    return fd;
}

/* Gives a member a ring if it is the first that is open, else an output to that ring. The ring is smaller where less
 * memory may be locked (perf_event_mlock_kb). */
static int give_ring(const struct td_meter *m, struct td_latency_place *p, struct td_latency_member *to, int *first)
{
    const struct td_os *os = m->ask.os;
    size_t pages = PAGES;
    int err = os->perf_ioctl(os->ctx, to->fd, PERF_EVENT_IOC_ID, (unsigned long)(uintptr_t)&to->id);

    if (err < 0)
        return err;
    if (*first >= 0)
        return os->perf_ioctl(os->ctx, to->fd, PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)*first);
    *first = to->fd;
    do
        err = td_ring_map(&p->ring, os, to->fd, pages);
    while (err == -EPERM && (pages /= 2));
    return err;
}

/* Makes the member for the i-th event of the kind: the unit's own event, or one that is opened beside the plan. */
static int open_member(const struct td_meter *m, struct td_latency_place *p, size_t i, int *leader)
{
    const struct td_latency_kind *k = p->kind;
    const bool leads = k->beside && (!i || k->event[i].group != k->event[i - 1].group);
    const int fd = k->beside ? open_beside(m, p, &k->event[i], leads, leads ? -1 : *leader)
                             : m->scopes.unit[p->unit].perf.event[k->event[i].at].fd;

    p->member[i] = (struct td_latency_member){.fd = fd, .leads = leads};
    *leader = leads ? fd : *leader;
    return k->beside && fd < 0 ? fd : 0;
}

int td_latency_place_open(const struct td_meter *m, struct td_latency_place *p, struct td_perf_error *e)
{
    const struct td_latency_kind *k = p->kind;
    const struct td_perf_pmu *pmu = &m->pmu[m->scopes.unit[p->unit].pmu];
    int leader = -1, first = -1, err = 0;

    p->member = calloc(k->n, sizeof(*p->member));
    for (size_t i = 0; p->member && i < k->n; i++)
        p->member[i].fd = -1;
    for (size_t i = 0; p->member && i < k->n && !err; i++) {
        *e = (struct td_perf_error){.call = "perf_event_open",
                                    .event = td_forms_uarch(pmu->forms)->events[k->event[i].event].name,
                                    .target = p->target,
                                    .config = pmu->config[k->event[i].event]};
        err = open_member(m, p, i, &leader);
        if (!err && p->member[i].fd >= 0)
            err = give_ring(m, p, &p->member[i], &first);
        err = err < 0 ? err : 0;
    }
    e->err = p->member ? err : -ENOMEM;
    if (e->err)
        td_latency_place_close(m, p);
    return e->err;
}

void td_latency_place_enable(const struct td_meter *m, const struct td_latency_place *p, bool on)
{
    for (size_t i = 0; p->member && i < p->kind->n; i++)
        if (p->member[i].leads)
            m->ask.os->perf_ioctl(m->ask.os->ctx, p->member[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
                                  PERF_IOC_FLAG_GROUP);
}

void td_latency_place_stop(const struct td_meter *m, const struct td_latency_place *p)
{
    uint64_t never = UINT64_C(1) << 46;

    for (size_t i = 0; p->member && !p->kind->beside && i < p->kind->n; i++)
        if (p->member[i].fd >= 0)
            m->ask.os->perf_ioctl(m->ask.os->ctx, p->member[i].fd, PERF_EVENT_IOC_PERIOD,
                                  (unsigned long)(uintptr_t)&never);
}

/* ---- taking -------------------------------------------------------------------------------------- */

struct sample_taking {
    const struct td_latency_place *place;
    size_t n; /* how many events its kind has */
    struct td_latency_sums *sums;
    bool *throttled;
};

static uint64_t word(const struct perf_event_header *h, size_t at)
{
    uint64_t value = 0;

    if (at + sizeof(value) <= h->size)
        memcpy(&value, (const unsigned char *)h + at, sizeof(value));
    return value;
}

/* The retire latency in a sample: var3_w of union perf_sample_weight. */
static unsigned latency_in(const struct perf_event_header *h)
{
    union perf_sample_weight w = {.full = word(h, WEIGHT_AT)};

    return w.var3_w;
}

static int take_record(void *ctx, const struct perf_event_header *h)
{
    const struct sample_taking *t = ctx;
    const uint64_t latency = latency_in(h);

    if (h->type == PERF_RECORD_THROTTLE)
        *t->throttled = true;
    for (size_t i = 0; h->type == PERF_RECORD_SAMPLE && i < t->n; i++) {
        if (t->place->member[i].id != word(h, ID_AT))
            continue;
        t->sums[i].n++;
        t->sums[i].sum += latency;
        t->sums[i].squares += latency * latency;
        break;
    }
    return 0;
}

/* How long a group has run, by its leader. Reading it also makes the CPU write the records that it still holds
 * (intel_pmu_auto_reload_read() in arch/x86/events/intel/ds.c). */
static uint64_t running_of(const struct td_meter *m, const struct td_latency_member *leader)
{
    uint64_t values[3 + MEMBERS_MOST];
    const ssize_t n = m->ask.os->read(m->ask.os->ctx, leader->fd, values, sizeof(values));

    return n >= (ssize_t)(3 * sizeof(*values)) ? values[2] : leader->running;
}

static void take_times(const struct td_meter *m, struct td_latency_place *p, size_t n, struct td_latency_sums *sums)
{
    uint64_t more = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t before = p->member[i].running;

        if (p->member[i].leads) {
            p->member[i].running = running_of(m, &p->member[i]);
            more = p->member[i].running > before ? p->member[i].running - before : 0;
        }
        sums[i].running += more;
    }
}

int td_latency_place_take(const struct td_meter *m, struct td_latency_place *p, struct td_latency_sums *sums,
                          bool *throttled)
{
    struct sample_taking t = {.place = p, .n = p->kind->n, .sums = sums, .throttled = throttled};

    if (!p->member)
        return 0;
    if (p->kind->beside)
        take_times(m, p, t.n, sums);
    return p->ring.page ? td_ring_take(&p->ring, take_record, &t) : 0;
}
