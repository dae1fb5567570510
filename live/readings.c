/* SPDX-License-Identifier: MIT */
#include "live/readings.h"

#include "core/counts/scope_kind.h"
#include "live/host/host_files.h"
#include "live/latency/latencies.h"
#include "live/meter.h"
#include "live/switches.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STARVED_NS = 10000000, /* a group that can run has run when enabled for so long */
    LOOK_NS = 1000000000,
    CLOCK_NS = 100000, /* longest time between two reads of one task's events */
};

/* The event's name in results and traces, including the modes left out. */
static int event_text(struct td_meter *m, const struct td_event *e)
{
    char text[128];

    snprintf(text, sizeof(text), "%s%s", e->name,
             e->modes || e->kind == TD_EVENT_TSC ? ""
             : m->ask.no_kernel                  ? ":u"
             : m->ask.no_user                    ? ":k"
                                                 : "");
    return td_texts_number(&m->stream.texts, text, strlen(text));
}

static size_t lane_events(const struct td_meter *m, const struct td_lane *lane)
{
    return td_perf_events(&m->pmu[lane->pmu].plan);
}

/* Makes the samples of latencies, which come after those of counts. */
static int latencies_layout(struct td_meter *m, const struct td_lane *lane, struct td_sample *out)
{
    const size_t number = (size_t)(lane - m->scopes.lane), n = td_latencies_count(m, number);

    for (size_t i = 0; i < n; i++) {
        int text;

        out[i] = td_latencies_sample(m, number, i);
        text = event_text(m, &td_forms_uarch(m->pmu[lane->pmu].forms)->events[out[i].event]);
        if (text < 0)
            return text;
        out[i].text = (uint32_t)text;
        out[i].modes = (uint8_t)m->stream.texts.entries[text].modes;
    }
    return 0;
}

/* Makes room for a reading of a lane: a sample for each event of its plan, and for each latency. */
static int lane_layout(struct td_meter *m, const struct td_lane *lane, struct td_reading *r)
{
    const struct td_perf_pmu *p = &m->pmu[lane->pmu];
    const struct td_uarch *u = td_forms_uarch(p->forms);
    size_t n = lane_events(m, lane) + td_latencies_count(m, (size_t)(lane - m->scopes.lane)), at = 0;
    struct td_sample *grown = realloc(r->samples, (n ? n : 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    r->samples = grown;
    r->room = n;
    for (size_t g = 0; g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++) {
            const unsigned number = p->plan.group[g].event[i];
            const struct td_event *e = &u->events[number];
            const int text = event_text(m, e);

            if (text < 0)
                return text;
            grown[at++] = (struct td_sample){
                .group = (uint16_t)g,
                .event = e->modes ? e->base : (uint16_t)number,
                .text = (uint32_t)text,
                .modes = (uint8_t)m->stream.texts.entries[text].modes,
            };
        }
    r->snap = (struct td_snap){
        .epoch = m->readings.epoch,
        .encoding = TD_ENC_COUNTS,
        .bits = 64,
        .smt = m->host.smt,
        .readers = (unsigned)m->host.ncpus,
        .n = n,
        .s = grown,
    };
    return latencies_layout(m, lane, grown + at);
}

/* Begins a reading at the time of the meter, to which units are added. */
static void begin_reading(const struct td_meter *m, struct td_reading *r, uint32_t epoch)
{
    r->snap.time = m->readings.time;
    r->snap.epoch = epoch;
    for (size_t i = 0; i < r->snap.n; i++) {
        r->samples[i].value = r->samples[i].enabled = r->samples[i].running = 0;
        r->samples[i].status = TD_OK;
        r->samples[i].sampled.n = r->samples[i].sampled.squares = 0;
    }
}

/* While a task is on another kind of core its events are enabled, but cannot
 * run: this is not multiplexing, and not part of this scope's time, of which a task that never was on this kind has
 * none. The clock is read a little later than the groups. */
static uint64_t enabled_time(const struct td_unit *u, const struct td_perf_event *e)
{
    uint64_t on_core = u->perf.on_core;

    if (!u->perf.clocked || !e->enabled) /* an event that is not enabled is of a group that has no turn in this run */
        return e->enabled;
    return on_core > e->running + CLOCK_NS + on_core / 256 ? on_core : e->running;
}

static void add_unit(const struct td_unit *u, struct td_reading *r)
{
    for (size_t i = 0; i < u->perf.n; i++) {
        const struct td_perf_event *e = &u->perf.event[i];
        struct td_sample *s = &r->samples[i];

        if (e->status != TD_OK) {
            s->status = e->status;
            continue;
        }
        s->value += e->value;
        s->enabled += enabled_time(u, e);
        s->running += e->running;
    }
}

/* Adds what lost units had counted, and the time for which they were not counted. */
static void add_past(const struct td_lane *l, size_t n, struct td_reading *r)
{
    for (size_t i = 0; i < n && l->past; i++) {
        r->samples[i].value += l->past[i].value;
        r->samples[i].enabled += l->past[i].enabled + l->missed;
        r->samples[i].running += l->past[i].running;
    }
    r->snap.changes = l->changes;
}

static void add_latencies(const struct td_meter *m, size_t lane, size_t counts, struct td_reading *r)
{
    for (size_t i = 0; i < td_latencies_count(m, lane); i++)
        td_latencies_fill(m, lane, r->samples, counts, i, &r->samples[counts + i]);
}

/* Time must not run backwards between two readings of a lane, which have the same layout. */
static void keep_order(struct td_lane *l)
{
    for (size_t i = 0; i < l->now.snap.n; i++)
        if (l->now.samples[i].enabled < l->before.samples[i].enabled)
            l->now.samples[i].enabled = l->before.samples[i].enabled;
}

static void swap(struct td_lane *lane)
{
    struct td_reading spare = lane->before;

    lane->before = lane->now;
    lane->now = spare;
}

static void tell(const struct td_meter *m, bool begins)
{
    for (size_t i = 0; i < m->scopes.nlanes && m->sink; i++) {
        const struct td_lane *lane = &m->scopes.lane[i];

        m->sink->reading(m->sink->ctx, lane->name, lane->kind, lane->core, &lane->now.snap, begins);
    }
}

int td_readings_layout(struct td_meter *m)
{
    int err = 0;

    for (size_t i = 0; i < m->scopes.nlanes && !err; i++) {
        struct td_lane *lane = &m->scopes.lane[i];

        lane->broken = lane->restarted = false;
        lane->changes = 0;
        lane->missed = 0;
        free(lane->past);
        lane->past = NULL;
        err = lane_layout(m, lane, &lane->before);
        if (!err)
            err = lane_layout(m, lane, &lane->now);
    }
    if (err) /* the rows of a machine have far fewer events than TD_TEXTS_MAX */
        return td_log_no_memory(m->log);
    m->readings.next = m->scopes.nlanes;
    return 0;
}

int td_readings_begin(struct td_meter *m)
{
    int err = td_readings_layout(m);

    if (err)
        return err;
    for (size_t i = 0; i < m->scopes.nlanes; i++)
        begin_reading(m, &m->scopes.lane[i].now, m->readings.epoch);
    td_switches_begin(m);
    tell(m, m->readings.epoch > 0); /* a further run: nothing leads to it from the last */
    return 0;
}

/* Checks at most once a second whether a CPU came online that is not measured. */
static void look_online(struct td_meter *m)
{
    struct td_cpu_list online;
    char text[4096];

    if (!m->scopes.all_cpus || m->readings.told_online || m->readings.time - m->readings.looked < LOOK_NS)
        return;
    m->readings.looked = m->readings.time;
    if (!td_host_text(m->ask.os, text, sizeof(text), "/sys/devices/system/cpu/online") ||
        td_cpu_list_parse(text, &online))
        return;
    for (size_t i = 0; i < online.n && !m->readings.told_online; i++) {
        if (td_host_cpu_find(&m->host, online.cpu[i]))
            continue;
        td_log_note(m->log, "CPU %d came online: it is not measured", online.cpu[i]);
        m->readings.told_online = true;
    }
    free(online.cpu);
}

/* The level-1 group was enabled, but another program holds the counters it needs. */
static void look_starved(struct td_meter *m)
{
    char counters[80];
    unsigned n;

    for (size_t i = 0; i < m->scopes.nunits && !m->readings.told_starved; i++) {
        const struct td_perf_pmu *p = &m->pmu[m->scopes.unit[i].pmu];
        const struct td_perf_event *e = m->scopes.unit[i].perf.event;

        if (!e || e->status != TD_OK || e->running || e->enabled < STARVED_NS ||
            (m->scopes.tasks && m->host.identity.hybrid))
            continue;
        n = td_fit_general(&p->host->counters, td_forms_uarch(p->forms), &p->plan.group[0].able);
        snprintf(counters, sizeof(counters),
                 n > 1 ? "some of the %u programmable counters, or the fixed ones,"
                 : n   ? "the programmable counter, or one of the fixed ones,"
                       : "the fixed counters",
                 n);
        td_log_note(
            m->log, "the level-1 group of %s never ran: others hold %s that it needs%s", p->host->name, counters,
            p->host->counters.watchdog ? " (perf, another tdprobe, a debugger, a guest; or " TD_WATCHDOG_MAY_HOLD(
                                             "one") ": " TD_WATCHDOG_REMEDY ")"
                                       : " (perf, another tdprobe, a debugger, a guest)");
        m->readings.told_starved = true;
    }
}

static void break_lanes(struct td_scopes *s)
{
    for (size_t i = 0; i < s->nlanes; i++)
        for (size_t k = 0; s->lane[i].broken && k < s->lane[i].now.snap.n; k++)
            s->lane[i].now.samples[k].status = TD_NOT_COUNTED;
}

/* ---- CPUs that go and come back -------------------------------------------------- */

/* Notes that a lane's unit was not counted in the interval that now ends; for how long is not known: all of it is
 * assumed. */
static void change_lane(const struct td_meter *m, struct td_lane *l)
{
    l->changes++;
    l->missed += m->readings.time - l->before.snap.time;
}

/* What a lost unit had counted stays in its lane. */
static int keep_past(struct td_meter *m, struct td_unit *u)
{
    struct td_lane *l = &m->scopes.lane[u->lane];

    if (!l->past)
        l->past = calloc(l->now.snap.n ? l->now.snap.n : 1, sizeof(*l->past));
    if (!l->past)
        return td_log_no_memory(m->log);
    change_lane(m, l);
    if (!m->source->reopens)
        return 0; /* it stays open, because it has something to give back at the end */
    for (size_t i = 0; i < u->perf.n; i++) {
        l->past[i].value += u->perf.event[i].value;
        l->past[i].enabled += u->perf.event[i].enabled;
        l->past[i].running += u->perf.event[i].running;
    }
    return m->source->close(m, u, (char[TD_SOURCE_WHY]){0});
}

static int keep_lost(struct td_meter *m)
{
    int err = 0;

    for (size_t i = 0; i < m->scopes.nunits && !err; i++)
        if (m->scopes.unit[i].lost)
            err = keep_past(m, &m->scopes.unit[i]);
    return err;
}

/* A lane whose formulas need all siblings counts again once all are back. */
static bool is_whole(const struct td_scopes *s, size_t lane)
{
    for (size_t i = 0; i < s->nunits; i++)
        if (s->unit[i].lane == lane && s->unit[i].gone)
            return false;
    return true;
}

/* Opens a unit whose CPU is back; its counts begin with the next interval. */
static void open_again(struct td_meter *m, struct td_unit *u)
{
    struct td_lane *l = &m->scopes.lane[u->lane];
    int err = m->source->open(m, u);

    if (!err && m->counting)
        err = m->source->enable(m, u, true);
    if (!err)
        td_latencies_open_again(m, (size_t)(u - m->scopes.unit));
    if (err == -ENODEV) /* it went offline meanwhile */
        return;
    u->refused = err != 0;
    u->gone = u->refused;
    if (err || !td_scopes_same_cpu(&m->scopes, u, false))
        td_log_note(m->log, "CPU %d is online again: %s%s", u->target.cpu,
                    err ? "it cannot be measured: " : "it is measured from now on", err ? m->log->error : "");
    if (err)
        return;
    if (!u->lost) /* otherwise this interval is counted as missed already */
        change_lane(m, l);
    l->broken = l->broken && !is_whole(&m->scopes, u->lane);
}

static bool waits(const struct td_unit *u)
{
    return u->gone && !u->refused;
}

static bool any_waits(const struct td_meter *m)
{
    for (size_t i = 0; i < m->scopes.nunits; i++)
        if (waits(&m->scopes.unit[i]) && m->source->reopens)
            return true;
    return false;
}

/* Runs before a reading is made of the counts, since the reading includes how long CPUs were not measured. */
static void look_returned(struct td_meter *m)
{
    struct td_cpu_list online;
    char text[TD_OS_FILE_MAX / 4];

    if (!any_waits(m) || !td_host_text(m->ask.os, text, sizeof(text), "/sys/devices/system/cpu/online") ||
        td_cpu_list_parse(text, &online))
        return;
    for (size_t i = 0; i < m->scopes.nunits; i++)
        if (waits(&m->scopes.unit[i]) && td_cpu_list_has(&online, m->scopes.unit[i].target.cpu))
            open_again(m, &m->scopes.unit[i]);
    free(online.cpu);
}

/* ---- a reading ------------------------------------------------------------------- */

static int read_units(struct td_meter *m)
{
    int err = 0;

    for (size_t i = 0; i < m->nadded; i++) {
        m->added[i].value = 0;
        m->added[i].status = TD_NOT_COUNTED;
    }
    for (size_t i = 0; i < m->scopes.nunits && !err; i++)
        if (m->scopes.unit[i].perf.event && !m->scopes.unit[i].gone)
            err = m->source->read(m, &m->scopes.unit[i]);
    td_latencies_take(m);
    return err;
}

int td_readings_take(struct td_meter *m)
{
    struct td_scopes *s = &m->scopes;
    int err = read_units(m);

    if (err)
        return err;
    m->readings.time = m->ask.os->now(m->ask.os->ctx) - m->readings.start;
    for (size_t i = 0; i < s->nlanes; i++) {
        swap(&s->lane[i]); /* the interval begins at the last reading */
        begin_reading(m, &s->lane[i].now, s->lane[i].restarted ? ++m->readings.epoch : s->lane[i].before.snap.epoch);
        s->lane[i].restarted = false;
    }
    err = keep_lost(m);
    if (err)
        return err;
    for (size_t i = 0; i < s->nunits; i++)
        if (s->unit[i].perf.event)
            add_unit(&s->unit[i], &s->lane[s->unit[i].lane].now);
    break_lanes(s);
    look_returned(m);
    for (size_t i = 0; i < s->nunits; i++)
        s->unit[i].lost = false;
    for (size_t i = 0; i < s->nlanes; i++) {
        const size_t counts = lane_events(m, &s->lane[i]);

        add_past(&s->lane[i], counts, &s->lane[i].now);
        add_latencies(m, i, counts, &s->lane[i].now);
    }
    look_starved(m);
    look_online(m);
    for (size_t i = 0; i < s->nlanes; i++)
        keep_order(&s->lane[i]);
    td_switches_take(m);
    m->readings.next = 0;
    tell(m, false);
    return td_scopes_any(s) ? 0 : td_log_fail(m->log, -ENODATA, "all CPUs that were measured went offline");
}

int td_readings_next(struct td_stream *s)
{
    struct td_meter *m = (struct td_meter *)s; /* its first member */
    struct td_interval *v;
    const struct td_lane *lane;
    int err;

    s->nbatch = 0;
    if (m->readings.next >= m->scopes.nlanes)
        return -EAGAIN;
    v = td_stream_interval(s);
    if (!v)
        return td_log_no_memory(m->log);
    v->lane = (uint32_t)m->readings.next;
    lane = &m->scopes.lane[m->readings.next++];
    v->at.has_time = true;
    v->at.time = lane->now.snap.time;
    v->at.scope = lane->name;
    v->at.scope_kind = lane->kind;
    v->core = lane->core;
    v->switched = td_kind_switched(lane->kind);
    td_interval_between(v, &lane->before.snap, &lane->now.snap);
    v->uarch = td_forms_uarch(m->pmu[lane->pmu].forms);
    v->cpus_changed = lane->before.snap.changes != lane->now.snap.changes;
    err = td_snap_delta(&lane->before.snap, &lane->now.snap, v->uarch, &v->counts);
    if (err == -ESTALE) /* already noted: the counters started again */
        err = td_snap_restarted(&lane->now.snap, v->uarch, &v->counts);
    if (!err)
        return 0;
    s->nbatch = 0;
    return td_log_fail(m->log, err, "the reading of %s cannot be used: %s", lane->name, strerror(-err));
}
