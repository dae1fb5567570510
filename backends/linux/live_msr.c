/* SPDX-License-Identifier: MIT */
/* Measuring by the source "msr": which form of the formulas fits the counters at
 * once, the CPUs' registers opened for it, and their readings. */
#include "live_msr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opening {
    struct td *td;
    struct td_liveset *live;
    bool dry;
    char reasons[400];
};

int td_live_msr_check(struct td *td, const struct td_live *ask)
{
    const struct td_machine *m = &td->live->host.machine;

    if (ask->ntasks || ask->ncgroups)
        return td_session_fail(td, -EINVAL, "the source msr counts CPUs, not tasks or cgroups: the registers belong to a CPU, whoever runs there. "
                               "What to do: name the CPUs (-C), or measure by perf (--source=perf)");
    for (size_t i = 0; i < m->nparts; i++)
        if (strcmp(td_uarch_backend_of(m->part[i])->vendor, "GenuineIntel")) {
            snprintf(td->error, sizeof(td->error), "the source msr knows the registers of Intel CPUs only, not of %s. What to do: measure by perf (--source=perf)", m->name);
            return -EOPNOTSUPP;
        }
    if (td->live->host.watchdog)
        return td_session_fail(td, -EBUSY, "the NMI watchdog uses a counter of each CPU, and the registers cannot be shared with it. "
                               "What to do: sysctl kernel.nmi_watchdog=0 while measuring");
    return 0;
}

/* ---- what to count ------------------------------------------------------------- */

static void add_reason(struct opening *o, const struct td_formcode *f, const char *text)
{
    size_t n = strlen(o->reasons);

    snprintf(o->reasons + n, sizeof(o->reasons) - n, "%s%s: %s", n ? "; " : "", f->form->name, text);
}

static struct td_counters counters_of(const struct td_msr_caps *c, const struct td_perf_pmu *p)
{
    /* programmable ones are numbered without gaps */
    return (struct td_counters){.general = (unsigned)__builtin_popcount(c->general), .fixed = c->fixed, .fields = c->fields, .sibling = p->host->counters.sibling};
}

/* The kernel's own events have no encoding that a register takes. */
static uint64_t absent_events(const struct td_uarch *u, const struct td_msr_caps *c)
{
    uint64_t absent = 0;

    for (size_t e = 0; e < u->nevents; e++)
        if (u->events[e].field >= 0 ? (unsigned)u->events[e].field >= c->fields : !strncmp(u->events[e].name, "topdown-", strlen("topdown-")))
            absent |= UINT64_C(1) << e;
    return absent;
}

/* The unit's registers for what its PMU's plan has now, and its events. */
static int make_set(struct opening *o, struct td_live_unit *u)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    const struct td_uarch *row = td_solver_uarch(p->solver);
    const struct td_msr_caps *caps = &u->msr->msr.caps;
    const struct td_counters counters = counters_of(caps, p);
    struct td_msr_added *added = u->msr->added;
    char why[TD_MSR_WHY];
    int err = 0;

    for (size_t i = 0; i < o->td->nadded && !err; i++) {
        err = td_msr_event_find(row, caps, o->td->added[i].text, &added[i], why);
        o->td->added[i].config = added[i].config;
    }
    if (err)
        return td_session_fail(o->td, err, why);
    return td_msr_set_make(caps, &counters, row, p->plan.ngroups ? p->plan.group[0].set & ~p->plan.impossible : 0, added, o->td->nadded,
                           o->live->ask.no_user, o->live->ask.no_kernel, &u->msr->set);
}

static int make_events(struct opening *o, struct td_live_unit *u)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    const size_t n = td_perf_events(&p->plan);

    free(u->perf.event);
    u->perf = (struct td_perf_unit){.target = u->target, .pmu = p, .clock = -1, .event = calloc(n ? n : 1, sizeof(*u->perf.event))};
    if (!u->perf.event)
        return td_session_fail(o->td, -ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        u->perf.event[i] = (struct td_perf_event){
            .fd = -1, .status = u->msr->set.events >> p->plan.group[0].event[i] & 1 ? TD_OK : TD_NOT_SUPPORTED,
        };
    return 0;
}

/* 1: not by this form at this level; 0: it is the PMU's plan; else an error, said. */
static int try_form(struct opening *o, struct td_live_unit *u, const struct td_plan_ask *ask, const struct td_formcode *form)
{
    struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    int err;

    if (td_plan_make(ask, form, &p->plan) || !p->plan.together) {
        add_reason(o, form, "its events need more counters than there are at once, and registers take no turns");
        return 1;
    }
    td_plan_merge(ask, &p->plan);
    err = make_set(o, u);
    if (err == -ENOSPC) {
        add_reason(o, form, "its events and those added need more counters than there are at once");
        return 1;
    }
    err = err ? err : make_events(o, u);
    if (err)
        return err;
    if (td_perf_solves(&u->perf, o->td->fixed))
        return 0;
    add_reason(o, form, "an event that it needs cannot be counted here");
    return 1;
}

/* With events added, only what the metrics register gives beside them. */
static int choose_form(struct opening *o, struct td_live_unit *u)
{
    struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    const struct td_msr_caps *caps = &u->msr->msr.caps;
    const struct td_formcode *form[TD_FORMS_MAX];
    struct td_plan_ask ask = {
        .solver = p->solver, .counters = counters_of(caps, p), .absent = absent_events(td_solver_uarch(p->solver), caps),
        .level = o->td->level_asked ? o->td->level : 0, .fixed = o->td->fixed, .whole_core = o->live->core_clock, .any = caps->any && o->live->host.smt,
    };
    size_t n;
    int err = 1;

    p->absent = ask.absent;
    n = td_plan_forms(&ask, form);
    for (size_t i = 0; i < n && err == 1; i++) {
        if (o->td->nadded && !(form[i]->form->flags & TD_FORM_FIXED))
            continue;
        err = try_form(o, u, &ask, form[i]);
        if (err == 1 && o->td->nadded && !ask.level) {
            ask.level = 1;
            err = try_form(o, u, &ask, form[i]);
        }
    }
    return err;
}

/* The events added, and nothing else. */
static int choose_added(struct opening *o, struct td_live_unit *u)
{
    int err;

    o->live->pmu[u->pmu].plan = (struct td_plan){.level = 1};
    err = make_set(o, u);
    if (err == -ENOSPC)
        return td_session_fail(o->td, -EOPNOTSUPP, "the events added need more counters than there are at once, or the same one (registers take no turns): add fewer");
    return err ? err : make_events(o, u);
}

/* The forms that are right beside an active sibling need more counters, or both threads. */
static void warn_of_sibling(const struct opening *o, const struct td_live_unit *u)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    char text[300];

    if (!p->plan.form || !(p->plan.form->form->flags & TD_FORM_ONE_THREAD) || !p->host->counters.sibling)
        return;
    snprintf(text, sizeof(text), "CPU %d shares its core with another thread, and without that one's counters the shares are right only while it is idle: "
             "measure all threads of the core (-C with its siblings, see /sys/devices/system/cpu/cpu%d/topology/thread_siblings_list)", u->target.cpu, u->target.cpu);
    td_session_note(o->td, text);
}

static int choose(struct opening *o, struct td_live_unit *u)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    int err;

    o->reasons[0] = '\0';
    err = choose_form(o, u);
    if (err == 1 && o->td->nadded)
        return choose_added(o, u);
    if (!err)
        warn_of_sibling(o, u);
    if (err != 1)
        return err;
    snprintf(o->td->error, sizeof(o->td->error), "CPU %d (%s) cannot count the top-down events of %s by registers%s%s. What to do: %smeasure by perf (--source=perf)",
             u->target.cpu, p->host->name, td_solver_uarch(p->solver)->name, o->reasons[0] ? ": " : "", o->reasons, o->td->level_asked && o->td->level == 2 ? "--level 1, or " : "");
    return -EOPNOTSUPP;
}

/* ---- opening --------------------------------------------------------------------- */

static int fail(struct opening *o, const struct td_live_unit *u, int err)
{
    return td_session_fail(o->td, err, u->msr->msr.why);
}

static int open_unit(struct opening *o, struct td_live_unit *u, bool first)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    const unsigned fields = p->host->counters.fields;
    struct td_msr *m;
    int err;

    u->msr = calloc(1, sizeof(*u->msr));
    if (!u->msr)
        return td_session_fail(o->td, -ENOMEM, "out of memory");
    m = &u->msr->msr;
    err = (o->dry ? td_msr_look : td_msr_open)(m, o->live->ask.os, u->target.cpu, fields);
    if (err)
        return fail(o, u, err);
    err = first ? choose(o, u) : make_set(o, u);
    if (err == -ENOSPC)
        return td_session_fail(o->td, -EOPNOTSUPP, "a CPU has fewer counters than others of its kind: measure fewer CPUs");
    if (!err && !first)
        err = make_events(o, u);
    if (err || o->dry)
        return err;
    err = td_msr_check_free(m);
    err = err ? err : td_msr_begin(m, &u->msr->set.program);
    return err ? fail(o, u, err) : 0;
}

int td_live_msr_open(struct td *td, bool dry)
{
    struct opening o = {.td = td, .live = td->live, .dry = dry};
    bool chosen[TD_HOST_PMUS] = {false};
    int err = 0;

    for (size_t i = 0; i < td->live->nunits && !err; i++) {
        struct td_live_unit *u = &td->live->unit[i];

        if (dry && chosen[u->pmu])
            continue;
        err = open_unit(&o, u, !chosen[u->pmu]);
        chosen[u->pmu] = true;
    }
    return err;
}

int td_live_msr_enable(struct td *td, bool on)
{
    int err = 0;

    for (size_t i = 0; i < td->live->nunits && !err; i++) {
        struct td_live_unit *u = &td->live->unit[i];

        err = u->msr && !u->gone ? td_msr_enable(&u->msr->msr, on) : 0;
        if (err == -ENXIO) {
            td_live_gone(td, u);
            err = 0;
        }
        if (err)
            td_session_fail(td, err, u->msr->msr.why);
    }
    return err;
}

/* ---- reading ---------------------------------------------------------------------- */

/* An overflow: what the counter holds is not what it counted. */
static void start_again(struct td *td, struct td_live_unit *u, uint64_t overflow)
{
    const unsigned bit = (unsigned)__builtin_ctzll(overflow);
    char why[200], what[40];

    if (bit == 48)
        snprintf(what, sizeof(what), "the metrics register");
    else
        snprintf(what, sizeof(what), "%s counter %u", bit < TD_MSR_COUNTERS ? "programmable" : "fixed", bit % TD_MSR_COUNTERS);
    snprintf(why, sizeof(why), "CPU %d: %s overflowed: the interval is left out, and all counters start again (shorter intervals, -I, avoid it)", u->target.cpu, what);
    td_session_note(td, why);
    td->live->lane[u->lane].restarted = true;
}

static void add_added(struct td *td, const struct td_live_unit *u, const struct td_msr_reading *r)
{
    const size_t first = u->msr->set.nevents - td->nadded;

    for (size_t i = 0; i < td->nadded; i++) {
        struct td_added *a = &td->added[i];

        if (r->overflow)
            a->status = TD_EPOCH_CHANGED;
        else if (a->status == TD_NOT_COUNTED)
            a->status = TD_OK;
        a->value += td_msr_value(&u->msr->set, first + i, r);
    }
}

int td_live_msr_read(struct td *td, struct td_live_unit *u)
{
    const struct td_plan *p = &u->perf.pmu->plan;
    struct td_msr_reading r;
    int err = td_msr_take(&u->msr->msr, &r);

    if (err == -ENXIO) {
        td_live_gone(td, u);
        return 0;
    }
    if (err)
        return td_session_fail(td, err, u->msr->msr.why);
    if (r.overflow)
        start_again(td, u, r.overflow);
    for (size_t i = 0; i < td_perf_events(p); i++) {
        struct td_perf_event *e = &u->perf.event[i];

        e->value += e->status == TD_OK ? td_msr_value(&u->msr->set, p->group[0].event[i], &r) : 0;
        e->enabled += r.ns;
        e->running += r.ns;
    }
    add_added(td, u, &r);
    return 0;
}

int td_live_msr_close(struct td_live_unit *u, char why[TD_MSR_WHY])
{
    int err = u->msr ? td_msr_end(&u->msr->msr) : 0;

    if (err == -ENXIO)
        snprintf(why, TD_MSR_WHY, "CPU %d is offline: its registers could not be given back, and it may come back with counters that are enabled. "
                 "What to do if so: a suspend or a reboot clears them", u->target.cpu);
    else if (err)
        snprintf(why, TD_MSR_WHY, "registers of CPU %d could not be given back as they were: %.400s", u->target.cpu, u->msr->msr.why);
    free(u->msr);
    u->msr = NULL;
    return err;
}
