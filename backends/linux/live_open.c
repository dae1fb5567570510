/* SPDX-License-Identifier: MIT */
/* From what is wanted to open groups: plans, and what to do where one cannot be had. */
#include "live_msr.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERAL_MAX = 16 };

struct opening {
    struct td *td;
    struct td_liveset *live;
    bool dry;
    char reasons[400]; /* why the forms tried so far cannot be counted */
};

static void fail_with(const struct opening *o, const struct td_perf_error *e, int *err)
{
    char text[TD_WHY];

    *err = td_obstacle_text(&o->live->host, e, !o->live->tasks, !o->live->ask.no_kernel, text, sizeof(text));
    td_session_fail(o->td, *err, text);
}

static struct td_plan_ask plan_ask(const struct opening *o, const struct td_perf_pmu *p)
{
    const struct td_liveset *l = o->live;
    const unsigned fields = p->host->counters.fields;
    /* where the register has level 1 only, level 2 takes many events */
    const int automatic = l->lean && o->td->fixed && fields && fields < TD_FIELDS ? 1 : 0;

    return (struct td_plan_ask){
        .solver = p->solver, .counters = p->host->counters, .absent = p->absent, .level = o->td->level_asked ? o->td->level : automatic,
        .fixed = o->td->fixed, .whole_core = l->core_clock, .any = p->host->any && !l->tasks && l->host.smt, .no_corrections = l->lean,
    };
}

/* Why a form cannot be used, for the note and for the case that none can. */
static void add_reason(struct opening *o, const struct td_formcode *f, const char *text)
{
    size_t n = strlen(o->reasons);

    snprintf(o->reasons + n, sizeof(o->reasons) - n, "%s%s: %s", n ? "; " : "", f->form->name, text);
}

/* The first event that the level-1 nodes of the plan lack. */
static void explain_unsolved(struct opening *o, const struct td_perf_pmu *p, const struct td_perf_unit *u, const struct td_perf_error *e)
{
    const struct td_uarch *row = td_solver_uarch(p->solver);
    const char *name = NULL;
    char text[256];
    size_t at = 0;

    for (size_t g = 0; g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++, at++)
            if (!name && u->event[at].status != TD_OK && p->plan.level1 >> p->plan.group[g].event[i] & 1)
                name = row->events[p->plan.group[g].event[i]].name;
    snprintf(text, sizeof(text), "%s cannot be counted here%s%s", name ? name : "an event", e->event ? ": " : "", e->event ? strerror(-e->err) : "");
    add_reason(o, p->plan.form, text);
}

/* One form with ever fewer counters, until its groups can be opened.
 * 1: not this form; 0: the first unit is open; else an error, said. */
static int try_form(struct opening *o, struct td_live_unit *unit, const struct td_formcode *form)
{
    struct td_perf_pmu *p = &o->live->pmu[unit->pmu];
    struct td_plan_ask ask = plan_ask(o, p);
    struct td_perf_error e = {0};
    int err;

    do {
        if (td_plan_make(&ask, form, &p->plan)) {
            add_reason(o, form, "its events need more groups than tdprobe opens");
            return 1;
        }
        if (o->dry)
            return 0;
        err = td_perf_open(&unit->perf, &o->live->ask, p, &unit->target, &e);
        /* others hold counters, or the PMU has fewer than it says */
        ask.counters.general = ask.counters.general ? ask.counters.general - 1 : GENERAL_MAX;
    } while (err && e.too_big && ask.counters.general);
    if (err && e.too_big) {
        add_reason(o, form, "no group of its events fits the counters");
        return 1;
    }
    if (err) {
        fail_with(o, &e, &err);
        return err;
    }
    if (td_perf_solves(&unit->perf, o->td->fixed))
        return 0;
    explain_unsolved(o, p, &unit->perf, &e);
    td_perf_close(&unit->perf, o->live->ask.os);
    return 1;
}

/* A form whose every level-1 event is absent by sysfs is no form of this machine. */
static bool offered(const struct td_perf_pmu *p, const struct td_formcode *f)
{
    if (f->sum >= 0 && td_program_needs(f->p, (size_t)f->sum) & p->absent)
        return false;
    return f->slots < 0 || !(f->form->flags & TD_FORM_SYSFS_SCALE) || !(td_program_needs(f->p, (size_t)f->slots) & p->absent);
}

static int choose_form(struct opening *o, struct td_live_unit *unit)
{
    struct td_perf_pmu *p = &o->live->pmu[unit->pmu];
    const struct td_formcode *form[TD_FORMS_MAX];
    struct td_plan_ask ask = plan_ask(o, p);
    size_t n = td_plan_forms(&ask, form);
    int err = 1;

    o->reasons[0] = '\0';
    if (td_solver_uarch(p->solver)->forms[0]->flags & TD_FORM_FIXED && o->td->fixed && !p->host->counters.fields)
        snprintf(o->reasons, sizeof(o->reasons), "PERF_METRICS: the kernel offers no slots and topdown-* events on it%s",
                 o->live->host.guest ? ", as in guests of KVM" : " (Linux 5.10 and later does)");
    for (size_t i = 0; i < n && err == 1; i++)
        if (offered(p, form[i]))
            err = try_form(o, unit, form[i]);
    if (err == 0 && o->reasons[0]) {
        char text[600];

        snprintf(text, sizeof(text), "%s is measured by the form %s (%s)", p->host->name, p->plan.form->form->name, o->reasons);
        td_session_note(o->td, text);
    }
    if (err != 1)
        return err;
    snprintf(o->td->error, sizeof(o->td->error), "PMU %s cannot count the top-down events of %s%s%s%s", p->host->name,
             td_solver_uarch(p->solver)->name, o->reasons[0] ? ": " : "", o->reasons,
             o->live->host.guest ? ". This is a guest: its virtual PMU lacks them (KVM: -cpu host,pmu=on), or measure on the host"
                                   : ". A newer kernel may know them; 'tdprobe doctor' shows what was found");
    return -EOPNOTSUPP;
}

/* The unit's own trouble: its CPU or task went away while others were opened. */
static bool gone(int err)
{
    return err == -ESRCH || err == -ENODEV;
}

static int open_unit(struct opening *o, struct td_live_unit *u)
{
    const struct td_perf_pmu *p = &o->live->pmu[u->pmu];
    struct td_perf_error e;
    int err = td_perf_open(&u->perf, &o->live->ask, p, &u->target, &e);

    if (!err && !td_perf_solves(&u->perf, o->td->fixed)) {
        td_perf_close(&u->perf, o->live->ask.os);
        e.err = err = e.err ? e.err : -EOPNOTSUPP;
    }
    if (err)
        fail_with(o, &e, &err);
    return err;
}

static int open_rest(struct opening *o)
{
    struct td_liveset *l = o->live;
    size_t open = 0;
    int err = 0;

    for (size_t i = 0; i < l->nunits; i++) {
        if (!l->unit[i].perf.event) {
            int one = open_unit(o, &l->unit[i]);

            if (one && !gone(one))
                return one;
            if (one) /* said, for what is measured is less than was asked */
                td_session_note(o->td, o->td->error);
            err = one ? one : err;
        }
        open += l->unit[i].perf.event != NULL;
    }
    return open ? 0 : err; /* the text of the last that went away is there */
}

/* On the first unit of the PMU that is still there. */
static int choose_plan(struct opening *o, size_t pmu)
{
    int err = 0;

    for (size_t i = 0; i < o->live->nunits; i++) {
        if (o->live->unit[i].pmu != pmu)
            continue;
        err = choose_form(o, &o->live->unit[i]);
        if (!gone(err))
            break;
    }
    return err;
}

static int open_all(struct opening *o)
{
    struct td_liveset *l = o->live;
    int err = 0;

    for (size_t p = 0; p < l->npmus && !err; p++)
        err = choose_plan(o, p);
    return err || o->dry ? err : open_rest(o);
}

int td_live_close_units(struct td *td)
{
    struct td_liveset *l = td->live;
    char why[TD_MSR_WHY];
    int err = 0;

    for (size_t i = 0; i < l->nunits; i++) {
        int one = td_live_msr_close(&l->unit[i], why);

        if (one == -ENXIO)
            td_session_note(td, why);
        else if (one && !err)
            err = td_session_fail(td, -ENOTRECOVERABLE, why);
        td_perf_close(&l->unit[i].perf, l->ask.os);
    }
    return err;
}

static int open_perf(struct td *td, const struct td_live *ask, bool dry)
{
    struct opening o = {.td = td, .live = td->live, .dry = dry};
    int err = open_all(&o);

    if (err == -EACCES && td->live->tasks && !ask->no_kernel && !ask->no_user && td->live->host.paranoid > 1) {
        td_live_close_units(td);
        td->live->ask.no_kernel = true;
        err = open_all(&o);
        if (!err)
            td_session_note(td, "user mode only: kernel.perf_event_paranoid forbids to count the kernel's share "
                 "(CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1, allows it)");
    }
    if (err)
        td_live_close_units(td);
    return err;
}

int td_live_open_units(struct td *td, const struct td_live *ask, bool dry)
{
    int err = td->source == TD_SOURCE_MSR ? td_live_msr_open(td, dry) : open_perf(td, ask, dry);

    if (err)
        return err;
    for (size_t i = 0; i < td->live->nlanes; i++)
        td->recording.level[td_core_index(td->live->lane[i].core)] = td->live->pmu[td->live->lane[i].pmu].plan.level;
    return 0;
}
