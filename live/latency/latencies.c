/* SPDX-License-Identifier: MIT */
#include "live/latency/latencies.h"

#include "util/room.h"
#include "live/latency/latency_place.h"
#include "live/meter.h"
#include "live/obstacle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { NONE_MOST = 64 /* after so many samples without a latency it is clear that the kernel gives none */ };

struct td_latencies {
    struct td_latency_kind kind[TD_HOST_PMUS]; /* by PMU; with n 0 nothing is sampled there */
    struct td_latency_place *place;
    size_t nplaces, room;
    struct td_latency_sums **lane; /* by lane, then by event of its kind */
    size_t nlanes;
    bool taken, told_throttled;
};

static const struct td_latency_kind *kind_of(const struct td_meter *m, size_t unit)
{
    return &m->latencies->kind[m->scopes.unit[unit].pmu];
}

static struct td_latency_sums *sums_of(const struct td_meter *m, size_t unit)
{
    return m->latencies->lane[m->scopes.unit[unit].lane];
}

/* ---- opening --------------------------------------------------------------------------------- */

static int add_place(struct td_meter *m, size_t unit, int cpu, struct td_perf_error *e)
{
    struct td_latencies *l = m->latencies;
    int err = td_room(&l->place, &l->room, l->nplaces + 1, sizeof(*l->place));

    if (err)
        return err;
    l->place[l->nplaces] =
        (struct td_latency_place){.target = m->scopes.unit[unit].target, .unit = unit, .kind = kind_of(m, unit)};
    if (cpu >= 0)
        l->place[l->nplaces].target.cpu = cpu;
    return td_latency_place_open(m, &l->place[l->nplaces++], e);
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

static void close_all(struct td_meter *m)
{
    for (size_t i = 0; i < m->latencies->nplaces; i++)
        td_latency_place_close(m, &m->latencies->place[i]);
    m->latencies->nplaces = 0;
}

static void forget_kinds(struct td_meter *m)
{
    for (size_t i = 0; i < TD_HOST_PMUS; i++)
        td_latency_kind_free(&m->latencies->kind[i]);
}

/* Logs why a PEBS event with weights cannot be opened, although other events can. */
static void say_why(const struct td_meter *m, const struct td_perf_error *e)
{
    char text[TD_LOG_TEXT];

    if (e->err == -EOPNOTSUPP)
        snprintf(text, sizeof(text),
                 "this %s. Measure on the host or with PEBS, or take a recording of perf stat --record-tpebs",
                 m->host.guest ? "guest's virtual PMU has no precise events (PEBS)"
                               : "PMU has no precise events (PEBS: caps/max_precise)");
    else if (e->err == -EINVAL)
        snprintf(text, sizeof(text),
                 "the kernel cannot sample %s with PERF_SAMPLE_WEIGHT_STRUCT (Linux 5.12 and later can, "
                 "since 6.3 with retire latencies)",
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

/* Not for tasks whose children inherit: an inherited event can have a ring on one CPU only (perf_mmap() in
 * kernel/events/core.c), but the plan's events count on all. */
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
        td_log_note(m->log,
                    "retire latencies are published means: sampling them would take turns with the group of a run");
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

/* Notes how many latencies have too few samples. An event that hardly occurs has none, but then its metrics hardly have
 * a value, whatever its latency is. */
static void say_few(const struct td_meter *m)
{
    const struct td_latencies *l = m->latencies;
    size_t few = 0, all = 0;

    for (size_t i = 0; i < l->nlanes; i++)
        for (size_t k = 0; k < td_latencies_count(m, i); k++, all++)
            few += l->lane[i][k].n < TD_LATENCY_SAMPLES;
    if (few && l->nplaces)
        td_log_note(m->log,
                    "retire latencies: %zu of %zu have fewer than %d samples, and the published means stand for them; "
                    "measure longer, or events are rare (one in %d is sampled)",
                    few, all, (int)TD_LATENCY_SAMPLES, (int)TD_LATENCY_PERIOD);
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

void td_latencies_enable(struct td_meter *m, bool on)
{
    for (size_t i = 0; m->latencies && i < m->latencies->nplaces; i++)
        td_latency_place_enable(m, &m->latencies->place[i], on);
}

void td_latencies_open_again(struct td_meter *m, size_t unit)
{
    struct td_perf_error ignored; /* after an error it is not sampled on this CPU any more */

    for (size_t i = 0; m->latencies && i < m->latencies->nplaces; i++) {
        struct td_latency_place *p = &m->latencies->place[i];

        if (p->unit != unit)
            continue;
        td_latency_place_close(m, p);
        if (!td_latency_place_open(m, p, &ignored) && m->counting)
            td_latency_place_enable(m, p, true);
    }
}

/* ---- taking -------------------------------------------------------------------------------------- */

/* Notes that samples were throttled: a member of the plan's groups then counts nothing until the next tick. */
static void say_throttled(const struct td_meter *m)
{
    if (m->latencies->told_throttled)
        return;
    m->latencies->told_throttled = true;
    td_log_note(m->log,
                "the kernel held samples of retire latencies back, and what their events count meanwhile is missing "
                "(sysctl kernel.perf_event_max_sample_rate, kernel.perf_cpu_time_max_percent)");
}

/* The sums over all events of a lane. */
static struct td_latency_sums whole(const struct td_meter *m, size_t lane)
{
    struct td_latency_sums all = {.n = 0};

    for (size_t i = 0; i < td_latencies_count(m, lane); i++) {
        all.n += m->latencies->lane[lane][i].n;
        all.sum += m->latencies->lane[lane][i].sum;
    }
    return all;
}

/* Stops sampling where it gives no latencies, and so gives its counters back. */
static void look_none(struct td_meter *m)
{
    uint64_t n = 0, sum = 0;

    for (size_t i = 0; i < m->latencies->nlanes && m->latencies->nplaces; i++) {
        const struct td_latency_sums lane = whole(m, i);

        n += lane.n;
        sum += lane.sum;
    }
    if (sum || n < NONE_MOST)
        return;
    td_log_note(
        m->log,
        "retire latencies are published means, not sampled: the samples have none (Linux 6.3 and later give them, "
        "where the CPU's IA32_PERF_CAPABILITIES has PEBS_TIMING_INFO)");
    for (size_t i = 0; i < m->latencies->nplaces; i++)
        td_latency_place_stop(m, &m->latencies->place[i]);
    close_all(m);
}

void td_latencies_take(struct td_meter *m)
{
    bool throttled = false;

    if (!m->latencies)
        return;
    for (size_t i = 0; i < m->latencies->nplaces; i++) {
        struct td_latency_place *p = &m->latencies->place[i];

        if (td_latency_place_take(m, p, sums_of(m, p->unit), &throttled))
            td_latency_place_close(m, p); /* no record can be like that */
    }
    m->latencies->taken = true;
    if (throttled)
        say_throttled(m);
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
static void give_time(const struct td_latency_sums *of, const struct td_sample *counts, size_t n, struct td_sample *s)
{
    s->enabled = 0;
    for (size_t i = 0; i < n; i++)
        s->enabled = counts[i].enabled > s->enabled ? counts[i].enabled : s->enabled;
    s->running = of->running < s->enabled ? of->running : s->enabled;
}

/* Where all are zero, the samples have no latencies. */
void td_latencies_fill(const struct td_meter *m, size_t lane, const struct td_sample *counts, size_t ncounts, size_t i,
                       struct td_sample *s)
{
    const struct td_latency_kind *k = &m->latencies->kind[m->scopes.lane[lane].pmu];
    const struct td_latency_sums *of = &m->latencies->lane[lane][i];
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
