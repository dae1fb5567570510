/* SPDX-License-Identifier: MIT */
/* Readings of all units, added up by lane; their intervals. */
#include "live_msr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STARVED_NS = 10000000, /* enabled for so long, a group that could run has run */
    LOOK_NS = 1000000000,
    CLOCK_NS = 100000, /* between two reads of one task's events, at most */
};

static int fail_read(struct td *td, const struct td_perf_error *e)
{
    const struct td_perf_target *t = &e->target;
    char who[48] = "";

    if (t->pid >= 0 && t->cgroup < 0)
        snprintf(who, sizeof(who), " of task %d", (int)t->pid);
    else if (t->cpu >= 0)
        snprintf(who, sizeof(who), " of CPU %d", t->cpu);
    snprintf(td->error, sizeof(td->error), "the counters%s cannot be read (%s: %s); what was counted since the last reading is not shown", who,
             e->call, strerror(-e->err));
    return e->err;
}

/* The event's name in results and traces, with the modes that were left out. */
static int event_text(struct td *td, const char *name)
{
    const struct td_perf_ask *a = &td->live->ask;
    char text[128];

    snprintf(text, sizeof(text), "%s%s", name, a->no_kernel ? ":u" : a->no_user ? ":k" : "");
    return td_recording_text(&td->recording, text, strlen(text));
}

/* Room for a reading of a lane: a sample for each event of its plan. */
static int lane_layout(struct td *td, const struct td_lane *lane, struct td_reading *r)
{
    const struct td_perf_pmu *p = &td->live->pmu[lane->pmu];
    const struct td_uarch *u = td_solver_uarch(p->solver);
    size_t n = td_perf_events(&p->plan), at = 0;
    struct td_sample *grown = realloc(r->samples, (n ? n : 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    r->samples = grown;
    r->room = n;
    for (size_t g = 0; g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++) {
            int text = event_text(td, u->events[p->plan.group[g].event[i]].name);

            if (text < 0)
                return text;
            grown[at++] = (struct td_sample){
                .group = (uint16_t)g, .event = p->plan.group[g].event[i], .text = (uint32_t)text,
                .modes = (uint8_t)td->recording.texts.entries[text].modes,
            };
        }
    r->snap = (struct td_snap){
        .epoch = td->live->epoch, .encoding = TD_ENC_COUNTS, .bits = 64, .smt = td->live->host.smt,
        .readers = (unsigned)td->live->host.ncpus, .n = n, .s = grown,
    };
    return 0;
}

/* A reading at the time of live, to which units are added. */
static void begin_reading(const struct td_liveset *l, struct td_reading *r, uint32_t epoch)
{
    r->snap.time = l->time;
    r->snap.epoch = epoch;
    for (size_t i = 0; i < r->snap.n; i++) {
        r->samples[i].value = r->samples[i].enabled = r->samples[i].running = 0;
        r->samples[i].status = TD_OK;
    }
}

/* While a task is on another kind of core its events are enabled, but cannot
 * run: that is no multiplexing, and no part of this scope's time. The clock is
 * read a little later than the groups. */
static uint64_t enabled_time(const struct td_live_unit *u, const struct td_perf_event *e)
{
    uint64_t on_core = u->perf.on_core;

    if (u->perf.clock < 0 || !on_core)
        return e->enabled;
    return on_core > e->running + CLOCK_NS + on_core / 256 ? on_core : e->running;
}

static void add_unit(const struct td_live_unit *u, struct td_reading *r)
{
    for (size_t i = 0; i < r->snap.n; i++) {
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

/* Time never runs backwards between two readings of a lane. */
static void keep_order(struct td_lane *l)
{
    for (size_t i = 0; i < l->now.snap.n && i < l->before.snap.n; i++)
        if (l->now.samples[i].enabled < l->before.samples[i].enabled)
            l->now.samples[i].enabled = l->before.samples[i].enabled;
}

void td_live_trace_header(const struct td *td, struct td_trace_writer *w, const char *source)
{
    const struct td_liveset *l = td->live;
    struct td_trace_facts facts = {
        .cpu = td->machine.nparts ? l->host.machine.name : l->host.id, .smt = l->host.smt ? "on" : l->host.smt_unknown ? "unknown" : "off",
        .source = strcmp(l->ask.os->name, "linux") ? "simulated" : source, .cpus = (int)l->host.ncpus,
    };

    for (size_t i = 0; i < TD_CORES; i++)
        facts.level[i] = td->recording.level[i];
    td_trace_write_header(w, &facts);
}

static void record(struct td *td)
{
    struct td_liveset *l = td->live;

    td_live_trace_header(td, &l->writer, td->source == TD_SOURCE_MSR ? "msr" : "perf");
    for (size_t i = 0; i < l->nlanes; i++)
        td_trace_write_reading(&l->writer, l->lane[i].name, l->lane[i].kind, l->lane[i].core, &l->lane[i].now.snap, false, &td->recording.texts);
}

static int flush_record(struct td *td)
{
    int err = td_trace_write_flush(&td->live->writer);

    if (err)
        snprintf(td->error, sizeof(td->error), "the trace cannot be written: %s", strerror(-err));
    return err;
}

static void swap(struct td_lane *lane)
{
    struct td_reading spare = lane->before;

    lane->before = lane->now;
    lane->now = spare;
}

int td_live_begin(struct td *td)
{
    struct td_liveset *l = td->live;
    int err = 0;

    for (size_t i = 0; i < l->nlanes && !err; i++) {
        l->lane[i].broken = l->lane[i].restarted = false;
        err = lane_layout(td, &l->lane[i], &l->lane[i].before);
        if (!err)
            err = lane_layout(td, &l->lane[i], &l->lane[i].now);
    }
    if (err)
        return td_session_fail(td, err == -EBADMSG ? -E2BIG : err, err == -ENOMEM ? "out of memory" : td->recording.why);
    for (size_t i = 0; i < l->nlanes; i++)
        begin_reading(l, &l->lane[i].now, l->epoch);
    record(td);
    l->next = l->nlanes;
    return flush_record(td);
}

void td_live_gone(struct td *td, struct td_live_unit *u)
{
    const struct td_formcode *form = td->live->pmu[u->pmu].plan.form; /* NULL: of events added alone */
    char why[160];

    u->gone = true;
    if (form && form->form->flags & TD_FORM_CORE_CLOCK)
        td->live->lane[u->lane].broken = true;
    snprintf(why, sizeof(why), "CPU %d went offline: it is not measured any more, and its last counts are missing%s", u->target.cpu,
             td->live->lane[u->lane].broken ? "; without it the counts of its core's clock mean nothing" : "");
    td_session_note(td, why);
}

/* At most once a second: whether CPUs came that are not measured. */
static void look_online(struct td *td)
{
    struct td_liveset *l = td->live;
    struct td_cpu_list online;
    char text[4096], why[120];

    if (!l->all_cpus || l->told_online || l->time - l->looked < LOOK_NS)
        return;
    l->looked = l->time;
    if (!td_host_text(l->ask.os, text, sizeof(text), "/sys/devices/system/cpu/online") || td_cpu_list_parse(text, &online))
        return;
    for (size_t i = 0; i < online.n && !l->told_online; i++) {
        if (td_host_cpu_find(&l->host, online.cpu[i]))
            continue;
        snprintf(why, sizeof(why), "CPU %d came online: it is not measured", online.cpu[i]);
        td_session_note(td, why);
        l->told_online = true;
    }
    free(online.cpu);
}

/* The level-1 group was enabled, but somebody else holds the counters it needs. */
static void look_starved(struct td *td)
{
    struct td_liveset *l = td->live;
    char text[320], counters[80];
    unsigned n;

    for (size_t i = 0; i < l->nunits && !l->told_starved; i++) {
        const struct td_perf_pmu *p = &l->pmu[l->unit[i].pmu];
        const struct td_perf_event *e = l->unit[i].perf.event;

        if (!e || e->status != TD_OK || e->running || e->enabled < STARVED_NS || (l->tasks && l->host.machine.hybrid))
            continue;
        n = td_fit_general(&p->host->counters, td_solver_uarch(p->solver), p->plan.group[0].set & ~p->plan.impossible);
        snprintf(counters, sizeof(counters), n ? "some of the %u programmable counters, or the fixed ones," : "the fixed counters", n);
        snprintf(text, sizeof(text), "the level-1 group of %s never ran: others hold %s that it needs%s", p->host->name, counters,
                 p->host->counters.watchdog ? " (the NMI watchdog has one: sysctl kernel.nmi_watchdog=0)" : " (perf, another tdprobe, a debugger, a guest)");
        td_session_note(td, text);
        l->told_starved = true;
    }
}

static void break_lanes(struct td_liveset *l)
{
    for (size_t i = 0; i < l->nlanes; i++)
        for (size_t k = 0; l->lane[i].broken && k < l->lane[i].now.snap.n; k++)
            l->lane[i].now.samples[k].status = TD_NOT_COUNTED;
}

static bool any_left(const struct td_liveset *l)
{
    for (size_t i = 0; i < l->nunits; i++)
        if (l->unit[i].perf.event && !l->unit[i].gone)
            return true;
    return false;
}

static int read_unit(struct td *td, struct td_live_unit *u)
{
    struct td_perf_error e;

    if (u->msr)
        return td_live_msr_read(td, u);
    if (!td_perf_read(&u->perf, td->live->ask.os, &e))
        return 0;
    if (u->target.cpu < 0 || (!e.detached && e.err != -ENODEV))
        return fail_read(td, &e);
    td_live_gone(td, u);
    return 0;
}

static int read_units(struct td *td)
{
    struct td_liveset *l = td->live;
    int err = 0;

    for (size_t i = 0; i < td->nadded; i++) {
        td->added[i].value = 0;
        td->added[i].status = TD_NOT_COUNTED;
    }
    for (size_t i = 0; i < l->nunits && !err; i++)
        if (l->unit[i].perf.event && !l->unit[i].gone)
            err = read_unit(td, &l->unit[i]);
    return err;
}

int td_live_read(struct td *td)
{
    struct td_liveset *l = td->live;
    int err = read_units(td);

    if (err)
        return err;
    l->time = l->ask.os->now(l->ask.os->ctx) - l->start;
    for (size_t i = 0; i < l->nlanes; i++) {
        swap(&l->lane[i]); /* the last reading is where this interval begins */
        begin_reading(l, &l->lane[i].now, l->lane[i].restarted ? ++l->epoch : l->lane[i].before.snap.epoch);
        l->lane[i].restarted = false;
    }
    for (size_t i = 0; i < l->nunits; i++)
        if (l->unit[i].perf.event)
            add_unit(&l->unit[i], &l->lane[l->unit[i].lane].now);
    break_lanes(l);
    look_starved(td);
    look_online(td);
    for (size_t i = 0; i < l->nlanes; i++)
        keep_order(&l->lane[i]);
    l->next = 0;
    record(td);
    err = flush_record(td);
    if (err || any_left(l))
        return err;
    return td_session_fail(td, -ENODATA, "all CPUs that were measured went offline");
}

static int live_next(struct td_recording *r)
{
    struct td_liveset *l = r->state;
    struct td_interval *v;
    const struct td_lane *lane;
    int err;

    r->nbatch = 0;
    if (l->next >= l->nlanes)
        return -EAGAIN;
    v = td_recording_interval(r);
    if (!v)
        return td_recording_no_memory(r);
    lane = &l->lane[l->next++];
    v->has_time = true;
    v->time = lane->now.snap.time;
    v->scope = lane->name;
    v->scope_kind = lane->kind;
    v->core = lane->core;
    v->switched = td_kind_switched(lane->kind);
    v->uarch = td_solver_uarch(l->pmu[lane->pmu].solver);
    err = td_snap_delta(&lane->before.snap, &lane->now.snap, v->uarch, &v->counts);
    if (err == -ESTALE) /* that the counters started again was told */
        err = td_snap_restarted(&lane->now.snap, v->uarch, &v->counts);
    if (err) {
        snprintf(r->why, sizeof(r->why), "the reading of %s cannot be used: %s", lane->name, strerror(-err));
        r->nbatch = 0;
    }
    return err;
}

/* What the session calls a reader's own is freed by td_live_free(). */
static void live_close(struct td_recording *r)
{
    r->state = NULL;
}

const struct td_reader td_reader_live = {"live", NULL, NULL, NULL, live_next, live_close, NULL, false};
