/* SPDX-License-Identifier: MIT */
#include "live/latency/latencies.h"

#include "core/room.h"
#include "live/latency/latency_kind.h"
#include "live/meter.h"
#include "live/obstacle.h"
#include "live/sampling/ring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 16, /* of a ring: 2,700 samples */
    NONE_MOST = 64, /* so many samples without any latency: the kernel gives none */
    ID_AT = 8, WEIGHT_AT = 16, /* in a sample, bytes */
    MEMBERS_MOST = 64, /* of a group */
};

/* What the samples of one event of one lane have. */
struct sums {
    uint64_t n, sum, squares;
    uint64_t running; /* ns, of what is beside the plan */
};

/* The events of a unit on one CPU, whose records go to one ring. */
struct place {
    struct td_perf_target target;
    size_t unit;
    struct td_ring ring;
    struct member {
        int fd; /* -1: not open; the unit's, unless it is beside the plan */
        bool leads; /* its group, beside the plan */
        uint64_t id, running;
    } *member; /* by event of the kind; NULL: the place is closed */
};

struct td_latencies {
    struct td_latency_kind kind[TD_HOST_PMUS]; /* n 0: nothing is sampled */
    struct place *place;
    size_t nplaces, room;
    struct sums **lane; /* by lane, then by event of its kind */
    size_t nlanes;
    bool taken, told_throttled;
};

static const struct td_latency_kind *kind_of(const struct td_meter *m, size_t unit)
{
    return &m->latencies->kind[m->scopes.unit[unit].pmu];
}

static struct sums *sums_of(const struct td_meter *m, size_t unit)
{
    return m->latencies->lane[m->scopes.unit[unit].lane];
}

/* ---- opening --------------------------------------------------------------------------------- */

static void close_place(const struct td_meter *m, struct place *p)
{
    const struct td_os *os = m->ask.os;

    td_ring_unmap(&p->ring, os);
    for (size_t i = p->member && kind_of(m, p->unit)->beside ? kind_of(m, p->unit)->n : 0; i-- > 0;) /* members before their leader */
        if (p->member[i].fd >= 0)
            os->close(os->ctx, p->member[i].fd);
    free(p->member);
    p->member = NULL;
}

static int open_beside(const struct td_meter *m, const struct place *p, const struct td_latency_event *e, bool leads, int leader)
{
    const struct td_os *os = m->ask.os;
    struct perf_event_attr attr;
    int fd;

    td_perf_attr_of(&m->ask, &m->pmu[m->scopes.unit[p->unit].pmu], &p->target, e->event, leads, &attr);
    td_perf_attr_sample(&attr);
    do
        fd = os->perf_open(os->ctx, &attr, p->target.cgroup >= 0 ? p->target.cgroup : p->target.pid, p->target.cpu, leader,
                           PERF_FLAG_FD_CLOEXEC | (p->target.cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0ul));
    while (fd == -EINTR);
    return fd;
}

/* The ring of the first member that is open, or an output to it. Less of a ring where less memory may be locked (perf_event_mlock_kb). */
static int give_ring(const struct td_meter *m, struct place *p, struct member *to, int *first)
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

/* The member for the i-th event of the kind: the unit's own, or one beside the plan. */
static int open_member(const struct td_meter *m, struct place *p, size_t i, int *leader)
{
    const struct td_latency_kind *k = kind_of(m, p->unit);
    const bool leads = k->beside && (!i || k->event[i].group != k->event[i - 1].group);
    const int fd = k->beside ? open_beside(m, p, &k->event[i], leads, leads ? -1 : *leader) : m->scopes.unit[p->unit].perf.event[k->event[i].at].fd;

    p->member[i] = (struct member){.fd = fd, .leads = leads};
    *leader = leads ? fd : *leader;
    return k->beside && fd < 0 ? fd : 0;
}

static int open_place(const struct td_meter *m, struct place *p, struct td_perf_error *e)
{
    const struct td_latency_kind *k = kind_of(m, p->unit);
    const struct td_perf_pmu *pmu = &m->pmu[m->scopes.unit[p->unit].pmu];
    int leader = -1, first = -1, err = 0;

    p->member = calloc(k->n, sizeof(*p->member));
    for (size_t i = 0; p->member && i < k->n; i++)
        p->member[i].fd = -1;
    for (size_t i = 0; p->member && i < k->n && !err; i++) {
        *e = (struct td_perf_error){.call = "perf_event_open", .event = td_forms_uarch(pmu->forms)->events[k->event[i].event].name,
                                    .target = p->target, .config = pmu->config[k->event[i].event]};
        err = open_member(m, p, i, &leader);
        if (!err && p->member[i].fd >= 0)
            err = give_ring(m, p, &p->member[i], &first);
        err = err < 0 ? err : 0;
    }
    e->err = p->member ? err : -ENOMEM;
    if (e->err)
        close_place(m, p);
    return e->err;
}

static int add_place(struct td_meter *m, size_t unit, int cpu, struct td_perf_error *e)
{
    struct td_latencies *l = m->latencies;
    int err = td_room(&l->place, &l->room, l->nplaces + 1, sizeof(*l->place));

    if (err)
        return err;
    l->place[l->nplaces] = (struct place){.target = m->scopes.unit[unit].target, .unit = unit};
    if (cpu >= 0)
        l->place[l->nplaces].target.cpu = cpu;
    return open_place(m, &l->place[l->nplaces++], e);
}

static int open_unit(struct td_meter *m, size_t unit, struct td_perf_error *e)
{
    const struct td_unit *u = &m->scopes.unit[unit];
    const struct td_cpu_list *cpus = &m->pmu[u->pmu].host->cpus;
    int err = 0;

    if (!u->perf.event || u->gone || !kind_of(m, unit)->n)
        return 0;
    *e = (struct td_perf_error){.err = u->perf.unsampled, .event = "an event", .target = u->target};
    if (e->err)
        return e->err;
    if (!kind_of(m, unit)->beside)
        return add_place(m, unit, -1, e);
    for (size_t i = 0; i < cpus->n && !err; i++) {
        err = add_place(m, unit, cpus->cpu[i], e);
        err = err == -ENODEV ? 0 : err; /* offline */
    }
    return err;
}

static bool any_kind(const struct td_meter *m)
{
    for (size_t i = 0; i < m->npmus; i++)
        if (m->latencies->kind[i].n)
            return true;
    return false;
}

/* Events that go on counting are not interrupted any more. */
static void stop_samples(const struct td_meter *m, const struct place *p)
{
    uint64_t never = UINT64_C(1) << 46;

    for (size_t i = 0; p->member && !kind_of(m, p->unit)->beside && i < kind_of(m, p->unit)->n; i++)
        if (p->member[i].fd >= 0)
            m->ask.os->perf_ioctl(m->ask.os->ctx, p->member[i].fd, PERF_EVENT_IOC_PERIOD, (unsigned long)(uintptr_t)&never);
}

static void close_all(struct td_meter *m)
{
    for (size_t i = 0; i < m->latencies->nplaces; i++)
        close_place(m, &m->latencies->place[i]);
    m->latencies->nplaces = 0;
}

static void forget_kinds(struct td_meter *m)
{
    for (size_t i = 0; i < TD_HOST_PMUS; i++)
        td_latency_kind_free(&m->latencies->kind[i]);
}

/* Why a PEBS event with weights cannot be opened, where events as such can. */
static void say_why(const struct td_meter *m, const struct td_perf_error *e)
{
    char text[TD_LOG_TEXT];

    if (e->err == -EOPNOTSUPP)
        snprintf(text, sizeof(text), "this %s. Measure on the host or with PEBS, or take a recording of perf stat --record-tpebs",
                 m->host.guest ? "guest's virtual PMU has no precise events (PEBS)" : "PMU has no precise events (PEBS: caps/max_precise)");
    else if (e->err == -EINVAL)
        snprintf(text, sizeof(text), "the kernel cannot sample %s with PERF_SAMPLE_WEIGHT_STRUCT (Linux 5.12 and later can, since 6.3 with retire latencies)",
                 e->event);
    else
        td_obstacle_text(&m->host, e, !m->scopes.tasks, !m->ask.no_kernel, text, sizeof(text));
    td_log_note(m->log, "retire latencies are published means, not sampled: %s", text);
}

static int make_room(struct td_meter *m)
{
    struct td_latencies *l = m->latencies;
    int err = 0;

    for (size_t i = 0; i < m->npmus && !err; i++)
        err = td_latency_kind_make(&l->kind[i], &m->pmu[i], !m->ask.sample);
    l->lane = calloc(m->scopes.nlanes + 1, sizeof(*l->lane));
    if (!l->lane || err)
        return -ENOMEM;
    l->nlanes = m->scopes.nlanes;
    for (size_t i = 0; i < l->nlanes && !err; i++) {
        l->lane[i] = calloc(l->kind[m->scopes.lane[i].pmu].n + 1, sizeof(**l->lane));
        err = l->lane[i] ? 0 : -ENOMEM;
    }
    return err;
}

/* What children of a task inherit can have a ring on one CPU only (perf_mmap() in kernel/events/core.c), but counts on all. */
bool td_latencies_in_groups(const struct td_meter *m)
{
    const bool anywhere = m->scopes.nunits && m->scopes.unit[0].target.cpu < 0;

    return m->source->samples && !(m->ask.inherit && anywhere);
}

int td_latencies_open(struct td_meter *m)
{
    struct td_perf_error e = {.err = 0};
    int err;

    if (!m->source->samples)
        return 0;
    m->latencies = calloc(1, sizeof(*m->latencies));
    err = m->latencies ? make_room(m) : -ENOMEM;
    if (err)
        return td_log_no_memory(m->log);
    if (any_kind(m) && m->ask.only && !m->ask.sample) {
        td_log_note(m->log, "retire latencies are published means: sampling them would take turns with the group of a run");
        forget_kinds(m);
    }
    for (size_t i = 0; i < m->scopes.nunits && !err; i++) {
        err = open_unit(m, i, &e);
        err = err == -ESRCH || err == -ENODEV ? 0 : err; /* a task or CPU that went away meanwhile */
    }
    if (err == -ENOMEM)
        return td_log_no_memory(m->log);
    if (!err)
        return 0;
    say_why(m, &e);
    close_all(m);
    forget_kinds(m);
    return 0;
}

/* An event that hardly occurs has no samples, and its metrics hardly a value, whichever latency it has. */
static void say_few(const struct td_meter *m)
{
    const struct td_latencies *l = m->latencies;
    size_t few = 0, all = 0;

    for (size_t i = 0; i < l->nlanes; i++)
        for (size_t k = 0; k < td_latencies_count(m, i); k++, all++)
            few += l->lane[i][k].n < TD_LATENCY_SAMPLES;
    if (few && l->nplaces)
        td_log_note(m->log, "retire latencies: %zu of %zu have fewer than %d samples, and the published means stand for them; measure longer, or events "
                    "are rare (one in %d is sampled)", few, all, (int)TD_LATENCY_SAMPLES, (int)TD_LATENCY_PERIOD);
}

void td_latencies_close(struct td_meter *m)
{
    struct td_latencies *l = m->latencies;

    if (!l)
        return;
    if (l->taken)
        say_few(m);
    close_all(m);
    forget_kinds(m);
    for (size_t i = 0; i < l->nlanes; i++)
        free(l->lane[i]);
    free(l->lane);
    free(l->place);
    free(l);
    m->latencies = NULL;
}

static void enable_place(const struct td_meter *m, const struct place *p, bool on)
{
    for (size_t i = 0; p->member && i < kind_of(m, p->unit)->n; i++)
        if (p->member[i].leads)
            m->ask.os->perf_ioctl(m->ask.os->ctx, p->member[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

void td_latencies_enable(struct td_meter *m, bool on)
{
    for (size_t i = 0; m->latencies && i < m->latencies->nplaces; i++)
        enable_place(m, &m->latencies->place[i], on);
}

void td_latencies_open_again(struct td_meter *m, size_t unit)
{
    struct td_perf_error ignored; /* then it is not sampled on this CPU any more */

    for (size_t i = 0; m->latencies && i < m->latencies->nplaces; i++) {
        struct place *p = &m->latencies->place[i];

        if (p->unit != unit)
            continue;
        close_place(m, p);
        if (!open_place(m, p, &ignored) && m->counting)
            enable_place(m, p, true);
    }
}

/* ---- taking -------------------------------------------------------------------------------------- */

struct taking {
    const struct td_meter *meter;
    const struct place *place;
    size_t n; /* events of its kind */
    struct sums *sums;
};

static uint64_t word(const struct perf_event_header *h, size_t at)
{
    uint64_t value = 0;

    if (at + sizeof(value) <= h->size)
        memcpy(&value, (const unsigned char *)h + at, sizeof(value));
    return value;
}

/* var3_w of union perf_sample_weight. */
static unsigned latency_in(const struct perf_event_header *h)
{
    union perf_sample_weight w = {.full = word(h, WEIGHT_AT)};

    return w.var3_w;
}

/* A member that counts too counts nothing until the next tick. */
static void say_throttled(const struct td_meter *m)
{
    if (m->latencies->told_throttled)
        return;
    m->latencies->told_throttled = true;
    td_log_note(m->log, "the kernel held samples of retire latencies back, and what their events count meanwhile is missing "
                "(sysctl kernel.perf_event_max_sample_rate, kernel.perf_cpu_time_max_percent)");
}

static int take_record(void *ctx, const struct perf_event_header *h)
{
    const struct taking *t = ctx;
    const uint64_t latency = latency_in(h);

    if (h->type == PERF_RECORD_THROTTLE)
        say_throttled(t->meter);
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
static uint64_t running_of(const struct td_meter *m, const struct member *leader)
{
    uint64_t values[3 + MEMBERS_MOST];
    const ssize_t n = m->ask.os->read(m->ask.os->ctx, leader->fd, values, sizeof(values));

    return n >= (ssize_t)(3 * sizeof(*values)) ? values[2] : leader->running;
}

static void take_times(struct td_meter *m, struct place *p, size_t n, struct sums *sums)
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

/* All events of a lane. */
static struct sums whole(const struct td_meter *m, size_t lane)
{
    struct sums all = {.n = 0};

    for (size_t i = 0; i < td_latencies_count(m, lane); i++) {
        all.n += m->latencies->lane[lane][i].n;
        all.sum += m->latencies->lane[lane][i].sum;
    }
    return all;
}

/* Gives the counters back that sampling takes for nothing. */
static void look_none(struct td_meter *m)
{
    uint64_t n = 0, sum = 0;

    for (size_t i = 0; i < m->latencies->nlanes && m->latencies->nplaces; i++) {
        const struct sums lane = whole(m, i);

        n += lane.n;
        sum += lane.sum;
    }
    if (sum || n < NONE_MOST)
        return;
    td_log_note(m->log, "retire latencies are published means, not sampled: the samples have none (Linux 6.3 and later give them, where the CPU's "
                "IA32_PERF_CAPABILITIES has PEBS_TIMING_INFO)");
    for (size_t i = 0; i < m->latencies->nplaces; i++)
        stop_samples(m, &m->latencies->place[i]);
    close_all(m);
}

void td_latencies_take(struct td_meter *m)
{
    for (size_t i = 0; m->latencies && i < m->latencies->nplaces; i++) {
        struct place *p = &m->latencies->place[i];
        struct taking t = {.meter = m, .place = p, .n = kind_of(m, p->unit)->n, .sums = sums_of(m, p->unit)};

        if (!p->member)
            continue;
        if (kind_of(m, p->unit)->beside)
            take_times(m, p, t.n, t.sums);
        if (p->ring.page && td_ring_take(&p->ring, take_record, &t))
            close_place(m, p); /* no record can be like that */
    }
    if (!m->latencies)
        return;
    m->latencies->taken = true;
    look_none(m);
}

/* ---- readings ------------------------------------------------------------------------------------- */

bool td_latencies_any(const struct td_meter *m)
{
    return m->latencies && m->latencies->nplaces;
}

size_t td_latencies_count(const struct td_meter *m, size_t lane)
{
    return m->latencies ? m->latencies->kind[m->scopes.lane[lane].pmu].n : 0;
}

struct td_sample td_latencies_sample(const struct td_meter *m, size_t lane, size_t i)
{
    const size_t pmu = m->scopes.lane[lane].pmu;
    const struct td_latency_event *e = &m->latencies->kind[pmu].event[i];

    return (struct td_sample){.group = e->group, .event = e->latency, .sampled.any = true};
}

/* The time of what is sampled beside the plan is part of that in which the plan's events were enabled. */
static void give_time(const struct sums *of, const struct td_sample *counts, size_t n, struct td_sample *s)
{
    s->enabled = 0;
    for (size_t i = 0; i < n; i++)
        s->enabled = counts[i].enabled > s->enabled ? counts[i].enabled : s->enabled;
    s->running = of->running < s->enabled ? of->running : s->enabled;
}

/* Where all are zero, the samples have no latencies. */
void td_latencies_fill(const struct td_meter *m, size_t lane, const struct td_sample *counts, size_t ncounts, size_t i, struct td_sample *s)
{
    const struct td_latency_kind *k = &m->latencies->kind[m->scopes.lane[lane].pmu];
    const struct sums *of = &m->latencies->lane[lane][i];
    const bool any = whole(m, lane).sum;

    s->status = TD_OK;
    s->value = any ? of->sum : 0;
    s->sampled = (struct td_latencies_sampled){true, any ? of->n : 0, any ? of->squares : 0};
    if (k->beside) {
        give_time(of, counts, ncounts, s);
    } else {
        s->status = counts[k->event[i].at].status;
        s->enabled = counts[k->event[i].at].enabled;
        s->running = counts[k->event[i].at].running;
    }
}
