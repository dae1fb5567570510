/* SPDX-License-Identifier: MIT */
#include "live/opening.h"

#include "core/core_kind.h"
#include "util/text_buffer.h"
#include "live/latency/latencies.h"
#include "live/meter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct opening {
    struct td_meter *meter;
    bool dry;
    char reasons[400]; /* why the forms tried so far cannot be counted */
};

static struct td_perf_pmu *pmu_of(const struct opening *o, const struct td_unit *u)
{
    return &o->meter->pmu[u->pmu];
}

/* Notes why a form cannot be used, for the message and in case no form can. */
static void add_reason(struct opening *o, const struct td_formcode *f, const char *text)
{
    size_t n = strlen(o->reasons);

    snprintf(o->reasons + n, sizeof(o->reasons) - n, "%s%s: %s", n ? "; " : "", f->form->name, text);
}

static int fail_plan(const struct opening *o, const struct td_perf_pmu *p, int err)
{
    return err == -ENOMEM ? td_log_no_memory(o->meter->log)
                          : td_log_fail(o->meter->log, err, "%s", td_forms_why(p->forms));
}

/* Tries one form with ever fewer counters, as others may hold some, or the PMU may have
 * fewer than it reports. TD_SOURCE_CANNOT: not this form, a reason was added; 0: the PMU's plan uses it. */
static int try_form(struct opening *o, struct td_unit *u, const struct td_plan_ask *most, struct td_formcode *form)
{
    struct td_perf_pmu *p = pmu_of(o, u);
    struct td_plan_ask ask = *most;
    char why[TD_SOURCE_WHY];
    unsigned needed;
    int err;

    do {
        err = td_plan_make(&ask, form, &p->plan);
        if (err)
            return fail_plan(o, p, err);
        if (ask.one_group && p->plan.ngroups > 1)
            return TD_SOURCE_CANNOT;
        err = o->meter->source->plan(o->meter, u, &ask, o->dry, why);
        if (err == TD_SOURCE_CANNOT_STAY) {
            ask.keep_level1 = false;
            continue;
        }
        needed = td_plan_general(&p->plan, &ask.counters, td_forms_uarch(p->forms));
        ask.counters.general = needed ? needed - 1 : 0;
    } while (err == TD_SOURCE_CANNOT_STAY || (err == TD_SOURCE_FEWER && ask.counters.general));
    if (err != TD_SOURCE_FEWER && err != TD_SOURCE_CANNOT)
        return err;
    add_reason(o, form, why);
    return TD_SOURCE_CANNOT;
}

/* A form is not offered on this machine if all its level-1 events are absent. With events
 * added, only a form of the metrics register leaves counters for them. */
static bool offered(const struct opening *o, const struct td_perf_pmu *p, const struct td_formcode *f)
{
    if (o->meter->nadded && !(f->form->flags & TD_FORM_FIXED))
        return false;
    if (f->sum >= 0 && td_bits_meet(td_program_needs(f->p, (size_t)f->sum), &p->absent))
        return false;
    return f->slots < 0 || !(f->form->flags & TD_FORM_SYSFS_SCALE) ||
           !td_bits_meet(td_program_needs(f->p, (size_t)f->slots), &p->absent);
}

/* Takes the first form that can be counted, by rank. */
static int try_forms(struct opening *o, struct td_unit *u, struct td_plan_ask *ask)
{
    struct td_perf_pmu *p = pmu_of(o, u);
    struct td_formcode *form;
    int failed = 0, err = TD_SOURCE_CANNOT;

    for (size_t i = 0; err == TD_SOURCE_CANNOT && (form = td_plan_form(ask, i, &failed)); i++) {
        if (!offered(o, p, form))
            continue;
        err = try_form(o, u, ask, form);
        if (err == TD_SOURCE_CANNOT && o->meter->nadded && !ask->level) {
            struct td_plan_ask least = *ask;

            least.level = TD_LEVEL_TOP; /* leaves the most counters for added events */
            err = try_form(o, u, &least, form);
        }
    }
    return failed ? fail_plan(o, p, failed) : err;
}

/* The metrics register holds fractions of eight bits, from which the kernel continues after
 * each switch of a task (Linux arch/x86/events/intel/core.c, icl_set_topdown_event_period()):
 * what tasks and cgroups count with it is not exact, what they count with ordinary events is.
 * A thread that reads the register itself knows how often that happened, and bounds the error. */
static bool wants_exact(const struct td_meter *m, const struct td_perf_pmu *p, const struct td_plan_ask *ask)
{
    return (m->scopes.tasks || m->scopes.ncgroups) && ask->fixed && p->host->counters.fields &&
           !m->settings->fixed_tasks && !m->ask.user_read && !m->nadded;
}

/* Uses ordinary events, if one group holds them all. */
static int try_exact(struct opening *o, struct td_unit *u, const struct td_plan_ask *ask)
{
    struct td_plan_ask exact = *ask;

    exact.fixed = false;
    exact.one_group = true;
    return try_forms(o, u, &exact);
}

/* Chooses with the unit, which is the PMU's first. */
static int choose_form(struct opening *o, struct td_unit *u)
{
    struct td_perf_pmu *p = pmu_of(o, u);
    struct td_plan_ask ask;
    int err = o->meter->source->ask(o->meter, u, o->dry, &ask);

    if (err)
        return err;
    o->reasons[0] = '\0';
    p->choice = TD_PERF_AS_ASKED;
    err = TD_SOURCE_CANNOT;
    if (wants_exact(o->meter, p, &ask)) {
        err = try_exact(o, u, &ask);
        p->choice = err == TD_SOURCE_CANNOT ? TD_PERF_INEXACT : TD_PERF_EXACT;
        o->reasons[0] = '\0'; /* of a form that is not required */
    }
    if (td_forms_uarch(p->forms)->forms[0]->flags & TD_FORM_FIXED && ask.fixed && !p->host->counters.fields)
        snprintf(o->reasons, sizeof(o->reasons),
                 "PERF_METRICS: the kernel offers no slots and topdown-* events on it%s",
                 o->meter->host.guest ? ", as in guests of KVM" : " (Linux 5.10 and later does)");
    if (err == TD_SOURCE_CANNOT)
        err = try_forms(o, u, &ask);
    return err && err != TD_SOURCE_CANNOT ? err : o->meter->source->settle(o->meter, u, !err, o->reasons);
}

/* Only this unit failed: its CPU or task went away while others were opened. */
static bool went_away(int err)
{
    return err == -ESRCH || err == -ENODEV;
}

static int open_rest(const struct opening *o)
{
    struct td_meter *m = o->meter;
    size_t open = 0;
    int err = 0;

    for (size_t i = 0; i < m->scopes.nunits; i++) {
        int one = m->source->open(m, &m->scopes.unit[i]);

        if (one && !went_away(one))
            return one;
        if (one) /* noted, since less is measured than was asked for */
            td_log_note(m->log, "%s", m->log->error);
        err = one ? one : err;
        open += !one;
    }
    return open ? 0 : err; /* the log has the text of the last that went away */
}

/* Chooses with the first unit of the PMU that still exists. */
static int choose_plan(struct opening *o, size_t pmu)
{
    int err = 0;

    for (size_t i = 0; i < o->meter->scopes.nunits; i++) {
        if (o->meter->scopes.unit[i].pmu != pmu)
            continue;
        err = choose_form(o, &o->meter->scopes.unit[i]);
        if (!went_away(err))
            break;
    }
    return err;
}

/* Levels that no core of the machine has are an error; where one kind of core has fewer than another, it is measured
 * down to its own deepest. */
static int check_level(const struct td_meter *m)
{
    const int level = m->settings->level;
    const char *name = NULL;
    int most = 0;

    for (size_t p = 0; p < m->npmus; p++) {
        const struct td_uarch *u = td_forms_uarch(m->pmu[p].forms);
        const int deepest = td_plan_deepest(u);

        name = deepest > most ? u->name : name;
        most = deepest > most ? deepest : most;
    }
    if (level <= TD_LEVEL_USUAL || level <= most)
        return 0;
    return td_log_fail(m->log, -EOPNOTSUPP, "level %d: what is published for %s ends at level %d (--level %d)", level,
                       name, most, most);
}

/* Names the events that are counted although the vendor says that their counts may be wrong. */
static int note_errata(const struct td_meter *m, const struct td_perf_pmu *p)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);
    struct td_text_buffer text = {0};
    int err = td_text_buffer_clear(&text);

    for (size_t e = 0; e < u->nevents && !err; e++)
        for (size_t g = 0; g < p->plan.ngroups && u->events[e].errata; g++)
            if (td_bits_has(&p->plan.group[g].able, e)) {
                err = td_text_buffer_add(&text, "%s%s (%s)", text.length ? ", " : "", u->events[e].name,
                                         u->events[e].errata);
                break;
            }
    if (!err && text.length)
        td_log_note(m->log, "%s: the vendor lists errata of events that are counted, whose counts may be wrong: %s",
                    u->name, text.at);
    td_text_buffer_free(&text);
    return err ? td_log_no_memory(m->log) : 0;
}

static int open_all(struct opening *o)
{
    int err = check_level(o->meter);

    for (size_t p = 0; p < o->meter->npmus && !err; p++)
        err = choose_plan(o, p);
    return err || o->dry ? err : open_rest(o);
}

int td_units_close(struct td_meter *m)
{
    char why[TD_SOURCE_WHY];
    int err = 0;

    td_latencies_close(m);
    for (size_t i = 0; i < m->scopes.nunits; i++) {
        int one = m->source->close(m, &m->scopes.unit[i], why);

        if (one == -ENXIO)
            td_log_note(m->log, "%s", why);
        else if (one && !err)
            err = td_log_fail(m->log, -ENOTRECOVERABLE, "%s", why);
    }
    return err;
}

int td_units_open(struct td_meter *m, const struct td_live *ask, bool dry)
{
    struct opening o = {.meter = m, .dry = dry};
    int err;

    m->ask.sample = td_latencies_in_groups(m);
    err = open_all(&o);
    if (err == -EACCES && m->scopes.tasks && !ask->no_kernel && !ask->no_user && m->host.paranoid > 1) {
        td_units_close(m);
        m->ask.no_kernel = true;
        err = open_all(&o);
        if (!err)
            td_log_note(m->log, "user mode only: kernel.perf_event_paranoid forbids to count the kernel's share "
                                "(CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1, allows it)");
    }
    if (!err && !dry)
        err = td_latencies_open(m);
    if (err)
        return err;
    for (size_t p = 0;
         p < m->npmus && !err && !m->told_errata && (m->settings->level > TD_LEVEL_USUAL || m->settings->metrics); p++)
        err = note_errata(m, &m->pmu[p]);
    m->told_errata = true;
    for (size_t i = 0; i < m->scopes.nlanes; i++)
        m->stream.level[td_core_index(m->scopes.lane[i].core)] = m->pmu[m->scopes.lane[i].pmu].plan.level;
    return err;
}

int td_units_enable(struct td_meter *m, bool on)
{
    int err = 0;

    for (size_t i = 0; i < m->scopes.nunits && !err; i++)
        if (m->scopes.unit[i].perf.event && !m->scopes.unit[i].gone)
            err = m->source->enable(m, &m->scopes.unit[i], on);
    if (!err)
        td_latencies_enable(m, on);
    m->counting = on;
    return err;
}
