/* SPDX-License-Identifier: MIT */
#include "live/perf/perf_source.h"

#include "live/describe.h"
#include "live/meter.h"
#include "live/rights.h"
#include "live/obstacle.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TRIAL_NS = 200000 /* how long a trial takes: a group that can run has run by then */ };

static int fail_with(const struct td_meter *m, const struct td_perf_error *e)
{
    char text[TD_LOG_TEXT];
    int err = td_obstacle_text(&m->host, e, !m->scopes.tasks, !m->ask.no_kernel, text, sizeof(text));

    return td_log_fail(m->log, err, "%s", text);
}

static int check(struct td_meter *m, const struct td_live *ask)
{
    (void)m, (void)ask; /* what cannot be counted is found when it is opened */
    return 0;
}

int td_perf_source_ask(struct td_meter *m, struct td_unit *u, bool dry, struct td_plan_ask *out)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];
    const unsigned fields = p->host->counters.fields;
    /* where the register has level 1 only, level 2 takes many events */
    const int automatic = m->lean && m->settings->fixed && fields && fields < TD_FIELDS ? TD_LEVEL_TOP : 0;

    (void)dry;
    *out = (struct td_plan_ask){
        .forms = p->forms,
        .counters = p->host->counters,
        .absent = &p->absent,
        .level = m->settings->level ? m->settings->level : automatic,
        .metrics = m->settings->metrics,
        .fixed = m->settings->fixed,
        .whole_core = m->scopes.core_clock || m->settings->part_of_core,
        .any = p->host->any && m->host.smt &&
               (!m->scopes.tasks || (m->settings->part_of_core && td_rights_any_thread(&m->host))),
        .no_corrections = m->lean,
        .beside = !m->ask.user_read && !m->nadded,
        .sampled = m->settings->sampled,
        .keep_level1 =
            !m->ask.user_read && !m->nadded && !m->settings->group && !m->settings->sampled && !m->settings->flexible,
    };
    return 0;
}

/* Names the first event that the level-1 nodes of the plan lack. */
static void explain_unsolved(const struct td_perf_unit *u, const struct td_perf_error *e, char why[TD_SOURCE_WHY])
{
    const struct td_perf_pmu *p = u->pmu;
    const struct td_uarch *row = td_forms_uarch(p->forms);
    const char *name = NULL;
    size_t at = 0;

    for (size_t g = 0; g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++, at++)
            if (!name && u->event[at].status != TD_OK && td_bits_has(&p->plan.level1, p->plan.group[g].event[i]))
                name = row->events[p->plan.group[g].event[i]].name;
    snprintf(why, TD_SOURCE_WHY, "%s cannot be counted here%s%s", name ? name : "an event", e->event ? ": " : "",
             e->event ? strerror(-e->err) : "");
}

/* The plan's group that needs the most programmable counters, of those from a number on; NULL: there is none. */
static const struct td_plan_group *fullest(const struct td_perf_pmu *p, size_t from)
{
    const struct td_plan_group *full = from < p->plan.ngroups ? &p->plan.group[from] : NULL;
    unsigned most = 0;

    for (size_t g = from; g < p->plan.ngroups; g++) {
        const unsigned needs = td_fit_general(&p->host->counters, td_forms_uarch(p->forms), &p->plan.group[g].able);

        if (needs > most)
            full = &p->plan.group[g];
        most = needs > most ? needs : most;
    }
    return full;
}

/* Whether each group has run. */
static bool all_ran(const struct td_perf_unit *u)
{
    const struct td_plan *plan = &u->pmu->plan;
    bool ran = true;
    size_t at = 0;

    for (size_t g = 0; g < plan->ngroups; at += plan->group[g++].n)
        ran = ran && (!u->event[at].enabled || u->event[at].running);
    return ran;
}

/* Whether groups run at once. Tried on the calling thread, on a CPU of the PMU; true where that cannot be tried. */
static bool run_at_once(const struct td_meter *m, const struct td_perf_pmu *p)
{
    const struct td_perf_ask ask = {.os = m->ask.os, .no_user = m->ask.no_user, .no_kernel = m->ask.no_kernel};
    const struct td_perf_target self = {0, -1, -1};
    const struct td_os *os = m->ask.os;
    struct td_perf_unit u;
    struct td_perf_error e;
    bool ran = true;

    if (!p->host->cpus.n || td_perf_open(&u, &ask, p, &self, &e))
        return true;
    if (!os->pin(os->ctx, p->host->cpus.cpu[0])) {
        if (!td_perf_enable(&u, os, true, &e) && os->spin(os->ctx, TRIAL_NS)) {
            if (!td_perf_read(&u, os, &e))
                ran = all_ran(&u);
            else /* a pinned group that cannot run has no value */
                ran = p->plan.first != TD_FIRST_STAYS;
        }
        os->pin(os->ctx, -1);
    }
    td_perf_close(&u, os);
    return ran;
}

/* A group that needs nearly all counters can be opened while others hold some of them, and then never runs. */
static bool fullest_runs(const struct td_meter *m, const struct td_perf_pmu *p)
{
    const struct td_plan_group *full = fullest(p, 0);
    struct td_perf_pmu alone = *p;
    struct td_plan_group group;

    alone.plan.first = TD_FIRST_TAKES_TURNS;
    alone.plan.group = &group;
    alone.plan.ngroups = full ? 1 : 0;
    if (full)
        group = *full;
    return run_at_once(m, &alone);
}

/* Whether the first group can keep its counters, and leaves enough for the others. */
static bool first_stays(const struct td_meter *m, const struct td_perf_pmu *p)
{
    const struct td_plan_group *full = fullest(p, 1);
    struct td_perf_pmu two = *p;
    struct td_plan_group group[2] = {p->plan.group[0]};

    two.plan.group = group;
    two.plan.ngroups = full ? 2 : 1;
    if (full)
        group[1] = *full;
    return run_at_once(m, &two);
}

/* Nobody knows whether a group leaves the watchdog its counter. */
static bool full_unknown(const struct td_perf_pmu *p)
{
    return p->host->counters.watchdog && !p->host->counters.general;
}

int td_perf_source_plan(struct td_meter *m, struct td_unit *u, const struct td_plan_ask *ask, bool dry,
                        char why[TD_SOURCE_WHY])
{
    struct td_perf_error e = {0};
    int err = dry ? 0 : td_perf_open(&u->perf, &m->ask, &m->pmu[u->pmu], &u->target, &e);

    if (err && e.too_big) {
        snprintf(why, TD_SOURCE_WHY, "no group of its events fits the counters");
        return TD_SOURCE_FEWER;
    }
    if (err)
        return fail_with(m, &e);
    if (!dry && (ask->one_group || full_unknown(u->perf.pmu)) && !fullest_runs(m, u->perf.pmu)) {
        td_perf_close(&u->perf, m->ask.os);
        snprintf(why, TD_SOURCE_WHY, "others hold counters that its group needs");
        return TD_SOURCE_FEWER;
    }
    if (!dry && u->perf.pmu->plan.first == TD_FIRST_STAYS && !first_stays(m, u->perf.pmu)) {
        td_perf_close(&u->perf, m->ask.os);
        return TD_SOURCE_CANNOT_STAY;
    }
    if (dry || td_perf_solves(&u->perf, m->settings->fixed))
        return 0;
    explain_unsolved(&u->perf, &e, why);
    td_perf_close(&u->perf, m->ask.os);
    return TD_SOURCE_CANNOT;
}

int td_perf_source_settle(struct td_meter *m, struct td_unit *u, bool found, const char *reasons)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];

    if (found && *reasons)
        td_log_note(m->log, "%s is measured by the form %s (%s)", p->host->name, p->plan.form->form->name, reasons);
    if (found)
        return 0;
    return td_log_fail(
        m->log, -EOPNOTSUPP, "PMU %s cannot count the top-down events of %s%s%s%s", p->host->name,
        td_forms_uarch(p->forms)->name, *reasons ? ": " : "", reasons,
        m->host.guest
            ? ". This is a guest, whose virtual PMU may lack them: give it the host's (KVM: -cpu host,pmu=on), "
              "or measure on the host"
            : ". A newer kernel may know them; 'tdprobe doctor' shows what was found");
}

int td_perf_source_open(struct td_meter *m, struct td_unit *u)
{
    struct td_perf_error e;

    if (u->perf.event) /* opened already, by its PMU's plan */
        return 0;
    if (td_perf_open(&u->perf, &m->ask, &m->pmu[u->pmu], &u->target, &e))
        return fail_with(m, &e);
    if (td_perf_solves(&u->perf, m->settings->fixed))
        return 0;
    td_perf_close(&u->perf, m->ask.os);
    e.err = e.err ? e.err : -EOPNOTSUPP;
    return fail_with(m, &e);
}

static int enable(struct td_meter *m, struct td_unit *u, bool on)
{
    struct td_perf_error e;

    return td_perf_enable(&u->perf, m->ask.os, on, &e) ? fail_with(m, &e) : 0;
}

static int fail_read(struct td_meter *m, const struct td_perf_error *e)
{
    const struct td_perf_target *t = &e->target;
    char who[48] = "";

    if (t->pid >= 0 && t->cgroup < 0)
        snprintf(who, sizeof(who), " of task %d", (int)t->pid);
    else if (t->cpu >= 0)
        snprintf(who, sizeof(who), " of CPU %d", t->cpu);
    return td_log_fail(m->log, e->err,
                       "the counters%s cannot be read (%s: %s); what was counted since the last reading is not shown",
                       who, e->call, strerror(-e->err));
}

/* A pinned group whose counters somebody else's pinned events have taken counts no more until it is enabled again. */
static void look_lost(struct td_meter *m, const struct td_unit *u)
{
    char where[48] = "in a thread or child";

    if (u->perf.lost && u->target.cpu >= 0)
        snprintf(where, sizeof(where), "on CPU %d", u->target.cpu);
    else if (u->perf.lost)
        snprintf(where, sizeof(where), "in task %d", (int)u->target.pid);
    if ((u->perf.lost || u->perf.lost_below) && !m->readings.told_lost)
        td_log_note(
            m->log,
            "the level-1 group of %s lost its counters %s: pinned events of somebody else have them (perf stat -e "
            "EVENT:D, a debugger, a guest). Level 1 is not counted there until they are free. What to do: end what "
            "else measures",
            m->pmu[u->pmu].host->name, where);
    m->readings.told_lost = m->readings.told_lost || u->perf.lost || u->perf.lost_below;
    if (u->perf.lost && m->counting)
        td_perf_revive(&u->perf, m->ask.os);
}

static int take(struct td_meter *m, struct td_unit *u)
{
    struct td_perf_error e;

    if (!td_perf_read(&u->perf, m->ask.os, &e)) {
        look_lost(m, u);
        return 0;
    }
    if (u->target.cpu < 0 || (!e.detached && e.err != -ENODEV))
        return fail_read(m, &e);
    td_scopes_lost(m, u);
    return 0;
}

static int give_back(struct td_meter *m, struct td_unit *u, char why[TD_SOURCE_WHY])
{
    (void)why;
    td_perf_close(&u->perf, m->ask.os);
    return 0;
}

static const char *modes_of(const struct perf_event_attr *a)
{
    return a->exclude_kernel ? "user" : a->exclude_user ? "kernel" : "user and kernel";
}

static int describe_event(struct td_meter *m, const struct td_unit *unit, size_t g, size_t i, bool leads)
{
    const struct td_perf_pmu *p = &m->pmu[unit->pmu];
    unsigned number = p->plan.group[g].event[i];
    const struct td_event *e = &td_forms_uarch(p->forms)->events[number];
    struct perf_event_attr a;
    char config1[40] = "", sampled[40] = "";

    td_perf_attr(&m->ask, p, &unit->target, g, i, leads, &a);
    if (a.sample_period)
        snprintf(sampled, sizeof(sampled), " latency of 1 in %llu", (unsigned long long)a.sample_period);
    if (a.config1)
        snprintf(config1, sizeof(config1), " config1 0x%llx", (unsigned long long)a.config1);
    return td_describe_line(m, "    %-44s type %u config 0x%llx%s counters %s%s%s%s%s%s read_format 0x%llx %s%s%s%s",
                            e->name, a.type, (unsigned long long)a.config, config1,
                            p->host->counters.sibling ? e->counters : e->counters_alone, leads ? " leader" : "",
                            a.disabled ? " disabled" : "", sampled, a.inherit ? " inherit" : "",
                            a.enable_on_exec ? " enable_on_exec" : "", (unsigned long long)a.read_format, modes_of(&a),
                            e->errata ? " errata " : "", e->errata ? e->errata : "",
                            td_bits_has(&p->absent, number)            ? " (not offered by this kernel)"
                            : td_bits_has(&p->plan.impossible, number) ? " (no counter of this PMU can hold it)"
                                                                       : "");
}

static int describe_group(struct td_meter *m, const struct td_unit *unit, size_t g)
{
    const struct td_perf_pmu *p = &m->pmu[unit->pmu];
    const struct td_plan_group *group = &p->plan.group[g];
    const struct td_uarch *u = td_forms_uarch(p->forms);
    char of[24] = "";
    bool led = false;
    int err;

    if (p->host->counters.general)
        snprintf(of, sizeof(of), " of %u", p->host->counters.general);
    err = td_describe_line(m, "  group %zu: %zu events, %u%s programmable counters%s%s", g, group->n,
                           td_fit_general(&p->host->counters, u, &group->able), of,
                           g                                 ? ""
                           : p->plan.first == TD_FIRST_STAYS ? ", pinned: counted all the time, beside each other group"
                           : td_plan_again(&p->plan)         ? ", takes every second turn"
                                                             : "",
                           p->host->counters.watchdog ? ", one counter is left to the NMI watchdog" : "");
    for (size_t i = 0; i < group->n && !err; i++) {
        bool offered = !td_bits_has(&p->absent, group->event[i]);

        err = describe_event(m, unit, g, i, offered && !led);
        led = led || offered;
    }
    return err;
}

static int describe_choice(struct td_meter *m, const struct td_perf_pmu *p)
{
    static const char *const why[] = {
        [TD_PERF_AS_ASKED] = NULL,
        [TD_PERF_EXACT] = "ordinary events count tasks exactly; PERF_METRICS loses a part at each switch "
                          "(--fixed uses it all the same)",
        [TD_PERF_INEXACT] =
            "PERF_METRICS, which loses a part at each switch of a task: no group holds the ordinary events of a level",
    };
    int err = why[p->choice] ? td_describe_line(m, "  %s", why[p->choice]) : 0;

    if (!err && p->plan.no_cycles)
        err = td_describe_line(m, "  cycles, for IPC and GHz, are not counted: " TD_WATCHDOG_MAY_HOLD(
                                      "their counter") " (" TD_WATCHDOG_REMEDY ")");
    return err;
}

/* Describes the events that are sampled in groups of their own. */
static int describe_beside(struct td_meter *m, const struct td_perf_pmu *p)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);
    int err = 0;

    TD_BITS_EACH(e, &p->plan.sampled)
    {
        if (!err && !m->settings->group)
            err = td_describe_line(m, "  beside these, on each CPU: %s, latency of 1 in %d", u->events[e].name,
                                   TD_LATENCY_PERIOD);
    }
    return err;
}

int td_perf_source_describe(struct td_meter *m, const struct td_unit *unit)
{
    const struct td_perf_pmu *p = &m->pmu[unit->pmu];
    const struct td_uarch *u = td_forms_uarch(p->forms);
    const size_t units = td_describe_units(m, unit->pmu);
    char cpus[128];
    const char *how = p->plan.ngroups == 1 ? "all at the same time"
                      : p->plan.together   ? "all groups at the same time"
                      : m->settings->group ? "each group in a run of its own"
                                           : "the groups take turns (multiplexed)";
    int err;

    td_cpu_list_text(&p->host->cpus, cpus, sizeof(cpus));
    err = td_describe_line(m, "%s: PMU %s, type %u, CPUs %s: form %s, level %d, %zu %s%s, %s", u->name, p->host->name,
                           p->host->type, cpus, p->plan.form->form->name, p->plan.level, units,
                           unit->target.cpu < 0 ? "task" : "CPU", units == 1 ? "" : "s", how);
    if (!err)
        err = describe_choice(m, p);
    for (size_t g = 0; g < p->plan.ngroups && !err; g++)
        err = describe_group(m, unit, g);
    return err || m->ask.sample ? err : describe_beside(m, p);
}

const struct td_source td_source_perf = {
    .name = "perf",
    .samples = true,
    .reopens = true,
    .check = check,
    .ask = td_perf_source_ask,
    .plan = td_perf_source_plan,
    .settle = td_perf_source_settle,
    .open = td_perf_source_open,
    .enable = enable,
    .read = take,
    .close = give_back,
    .describe = td_perf_source_describe,
};
