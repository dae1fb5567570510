/* SPDX-License-Identifier: MIT */
#include "live/msr/msr_source.h"

#include "backends/registry.h"
#include "live/describe.h"
#include "live/meter.h"
#include "live/msr/msr.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ADDED = 16 };

/* What a unit holds: the registers of a CPU. */
struct registers {
    struct td_msr msr;
    struct td_msr_added added[MOST_ADDED]; /* kept because the set points to their names */
    struct td_msr_set set;
};

static int check(struct td_meter *m, const struct td_live *ask)
{
    const struct td_identity *cpu = &m->host.identity;

    if (ask->ntasks || ask->ncgroups)
        return td_log_fail(
            m->log, -EINVAL,
            "the source msr counts CPUs, not tasks or cgroups: the registers belong to a CPU, whoever runs there. "
            "What to do: name the CPUs (-C), or measure by perf (--source=perf)");
    for (size_t i = 0; i < cpu->nparts; i++)
        if (!strcmp(td_uarch_backend_of(cpu->part[i])->vendor, "MIDR"))
            return td_log_fail(
                m->log, -EOPNOTSUPP,
                "the source msr needs registers of counters that root may write, which Linux allows on x86 only, "
                "not on %s. What to do: measure by perf (--source=perf)",
                cpu->name);
    if (m->host.watchdog)
        return td_log_fail(
            m->log, -EBUSY,
            TD_WATCHDOG_MAY_HOLD(
                "a counter of each CPU") ", and the registers cannot be shared with it. What to do: " TD_WATCHDOG_REMEDY);
    return 0;
}

static int fail(const struct td_meter *m, const struct registers *r, int err)
{
    return td_log_fail(m->log, err, "%s", r->msr.why);
}

/* ---- what to count ------------------------------------------------------------- */

/* Finds the unit's registers, once; dry: only which there are. */
static int look(struct td_meter *m, struct td_unit *u, bool dry, struct registers **out)
{
    struct registers *r = *out = u->own;
    int err;

    if (r)
        return 0;
    *out = u->own = r = calloc(1, sizeof(*r));
    if (!r)
        return td_log_no_memory(m->log);
    err = (dry ? td_msr_look : td_msr_open)(&r->msr, m->ask.os, u->target.cpu, m->pmu[u->pmu].host->counters.fields);
    return err ? fail(m, r, err) : 0;
}

static struct td_counters counters_of(const struct td_msr_caps *c, const struct td_perf_pmu *p)
{
    /* programmable ones are numbered without gaps */
    return (struct td_counters){.general = (unsigned)__builtin_popcount(c->general),
                                .fixed = c->fixed,
                                .fields = c->fields,
                                .sibling = p->host->counters.sibling};
}

/* Whether an event cannot be counted here: the kernel's own events have no encoding that a register could hold, and
 * events that need more than a counter, or count one mode beside others, are not set up. */
static bool is_absent(const struct td_event *e, const struct td_msr_caps *c)
{
    if (e->field >= 0)
        return (unsigned)e->field >= c->fields;
    return e->kind != TD_EVENT_COUNT || e->modes || e->config1 || !strncmp(e->name, "topdown-", strlen("topdown-"));
}

static void find_absent(const struct td_uarch *u, const struct td_msr_caps *c, struct td_bits *absent)
{
    td_bits_clear(absent);
    for (size_t e = 0; e < u->nevents; e++)
        if (is_absent(&u->events[e], c))
            td_bits_add(absent, e);
}

static int ask(struct td_meter *m, struct td_unit *u, bool dry, struct td_plan_ask *out)
{
    struct td_perf_pmu *p = &m->pmu[u->pmu];
    struct registers *r;
    int err = look(m, u, dry, &r);

    if (err)
        return err;
    find_absent(td_forms_uarch(p->forms), &r->msr.caps, &p->absent);
    *out = (struct td_plan_ask){
        .forms = p->forms,
        .counters = counters_of(&r->msr.caps, p),
        .absent = &p->absent,
        .level = m->settings->level,
        .metrics = m->settings->metrics,
        .fixed = m->settings->fixed,
        .whole_core = m->scopes.core_clock,
        .any = r->msr.caps.any && m->host.smt,
    };
    return 0;
}

/* Makes the unit's register set for its PMU's current plan. -ENOSPC: there are too few. */
static int make_set(struct td_meter *m, struct td_unit *u)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];
    const struct td_uarch *row = td_forms_uarch(p->forms);
    struct registers *r = u->own;
    const struct td_msr_caps *caps = &r->msr.caps;
    const struct td_counters counters = counters_of(caps, p);
    char why[TD_MSR_WHY];
    int err = 0;

    for (size_t i = 0; i < m->nadded && !err; i++) {
        err = td_msr_event_find(row, caps, m->added[i].text, &r->added[i], why);
        m->added[i].config = r->added[i].config;
    }
    if (err)
        return td_log_fail(m->log, err, "%s", why);
    err = td_msr_set_make(caps, &counters, row, p->plan.ngroups ? &p->plan.group[0].able : NULL, r->added, m->nadded,
                          m->ask.no_user, m->ask.no_kernel, &r->set);
    return err == -ENOMEM ? td_log_no_memory(m->log) : err;
}

/* Makes the events of its PMU's plan. */
static int make_events(struct td_meter *m, struct td_unit *u)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];
    const struct registers *r = u->own;
    const size_t n = td_perf_events(&p->plan);

    free(u->perf.event);
    u->perf = (struct td_perf_unit){
        .target = u->target, .pmu = p, .clock = -1, .n = n, .event = calloc(n ? n : 1, sizeof(*u->perf.event))};
    if (!u->perf.event)
        return td_log_no_memory(m->log);
    for (size_t i = 0; i < n; i++)
        u->perf.event[i] = (struct td_perf_event){
            .fd = -1,
            .status = td_bits_has(&r->set.events, p->plan.group[0].event[i]) ? TD_OK : TD_NOT_SUPPORTED,
        };
    return 0;
}

static int cannot(char why[TD_SOURCE_WHY], const char *text)
{
    snprintf(why, TD_SOURCE_WHY, "%s", text);
    return TD_SOURCE_CANNOT;
}

static int plan(struct td_meter *m, struct td_unit *u, const struct td_plan_ask *asked, bool dry,
                char why[TD_SOURCE_WHY])
{
    struct td_perf_pmu *p = &m->pmu[u->pmu];
    int err;

    (void)dry;
    if (!p->plan.together)
        return cannot(why, "its events need more counters than there are at once, and registers take no turns");
    err = td_plan_merge(asked, &p->plan);
    if (err)
        return err == -ENOMEM ? td_log_no_memory(m->log) : td_log_fail(m->log, err, "%s", td_forms_why(p->forms));
    err = make_set(m, u);
    if (err == -ENOSPC)
        return cannot(why, "its events and those added need more counters than there are at once");
    err = err ? err : make_events(m, u);
    if (err)
        return err;
    return td_perf_solves(&u->perf, m->settings->fixed) ? 0
                                                        : cannot(why, "an event that it needs cannot be counted here");
}

/* Gives up the metrics, and counts only the events that were added. */
static int settle_for_added(struct td_meter *m, struct td_unit *u)
{
    struct td_plan *none = &m->pmu[u->pmu].plan;
    int err;

    td_plan_free(none);
    none->level = TD_LEVEL_TOP;
    err = make_set(m, u);
    if (err == -ENOSPC)
        return td_log_fail(
            m->log, -EOPNOTSUPP,
            "the events added need more counters than there are at once, or the same one (registers take no turns): "
            "add fewer");
    return err ? err : make_events(m, u);
}

/* Warns of a formula that is wrong while the sibling is active: those that are right then need more counters, or both
 * threads. */
static void warn_of_sibling(const struct td_meter *m, const struct td_unit *u)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];

    if (!p->plan.form || !(p->plan.form->form->flags & TD_FORM_ONE_THREAD) || !p->host->counters.sibling)
        return;
    td_log_note(
        m->log,
        "CPU %d shares its core with another thread, and without that one's counters the shares are right only while "
        "it is idle: measure all threads of the core (-C with its siblings, "
        "see /sys/devices/system/cpu/cpu%d/topology/thread_siblings_list)",
        u->target.cpu, u->target.cpu);
}

static int settle(struct td_meter *m, struct td_unit *u, bool found, const char *reasons)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];

    if (!found && m->nadded)
        return settle_for_added(m, u);
    if (found) {
        warn_of_sibling(m, u);
        return 0;
    }
    return td_log_fail(
        m->log, -EOPNOTSUPP,
        "CPU %d (%s) cannot count the top-down events of %s by registers%s%s. What to do: %smeasure by perf "
        "(--source=perf)",
        u->target.cpu, p->host->name, td_forms_uarch(p->forms)->name, *reasons ? ": " : "", reasons,
        m->settings->level > TD_LEVEL_TOP ? "--level 1, or " : "");
}

/* ---- opening --------------------------------------------------------------------- */

static int open_unit(struct td_meter *m, struct td_unit *u)
{
    struct registers *r;
    int err = look(m, u, false, &r);

    if (!err && !u->perf.event) { /* its PMU's first unit has them from the plan */
        err = make_set(m, u);
        if (err == -ENOSPC)
            return td_log_fail(m->log, -EOPNOTSUPP,
                               "a CPU has fewer counters than others of its kind: measure fewer CPUs");
        err = err ? err : make_events(m, u);
    }
    if (err)
        return err;
    err = td_msr_check_free(&r->msr);
    err = err ? err : td_msr_begin(&r->msr, &r->set.program);
    return err ? fail(m, r, err) : 0;
}

static int enable(struct td_meter *m, struct td_unit *u, bool on)
{
    struct registers *r = u->own;
    int err = td_msr_enable(&r->msr, on);

    if (err == -ENXIO) {
        td_scopes_lost(m, u);
        return 0;
    }
    return err ? fail(m, r, err) : 0;
}

/* ---- reading ---------------------------------------------------------------------- */

/* Starts again after an overflow, when a counter does not hold what it counted. */
static void start_again(struct td_meter *m, const struct td_unit *u, uint64_t overflow)
{
    const unsigned bit = (unsigned)__builtin_ctzll(overflow);
    char what[40];

    if (bit == 48)
        snprintf(what, sizeof(what), "the metrics register");
    else
        snprintf(what, sizeof(what), "%s counter %u", bit < TD_MSR_COUNTERS ? "programmable" : "fixed",
                 bit % TD_MSR_COUNTERS);
    td_log_note(m->log,
                "CPU %d: %s overflowed: the interval is left out, and all counters start again (shorter intervals, "
                "-I, avoid it)",
                u->target.cpu, what);
    m->scopes.lane[u->lane].restarted = true;
}

static void add_added(struct td_meter *m, const struct registers *own, const struct td_msr_reading *r)
{
    const size_t first = own->set.nevents - m->nadded;

    for (size_t i = 0; i < m->nadded; i++) {
        struct td_added *a = &m->added[i];

        if (r->overflow)
            a->status = TD_EPOCH_CHANGED;
        else if (a->status == TD_NOT_COUNTED)
            a->status = TD_OK;
        a->value += td_msr_value(&own->set, first + i, r);
    }
}

/* Adds what the unit counted since the last reading to its events. */
static int take(struct td_meter *m, struct td_unit *u)
{
    const struct td_plan *p = &u->perf.pmu->plan;
    struct registers *own = u->own;
    struct td_msr_reading r;
    int err = td_msr_take(&own->msr, &r);

    if (err == -ENXIO) {
        td_scopes_lost(m, u);
        return 0;
    }
    if (err)
        return fail(m, own, err);
    if (r.overflow)
        start_again(m, u, r.overflow);
    for (size_t i = 0; i < td_perf_events(p); i++) {
        struct td_perf_event *e = &u->perf.event[i];

        e->value += e->status == TD_OK ? td_msr_value(&own->set, p->group[0].event[i], &r) : 0;
        e->enabled += r.ns;
        e->running += r.ns;
    }
    add_added(m, own, &r);
    return 0;
}

static int give_back(struct td_meter *m, struct td_unit *u, char why[TD_SOURCE_WHY])
{
    struct registers *r = u->own;
    int err = r ? td_msr_end(&r->msr) : 0;

    if (err == -ENXIO)
        snprintf(why, TD_SOURCE_WHY,
                 "CPU %d is offline: its registers could not be given back, and it may come back with counters that "
                 "are enabled. What to do if so: a suspend or a reboot clears them",
                 u->target.cpu);
    else if (err)
        snprintf(why, TD_SOURCE_WHY, "registers of CPU %d could not be given back as they were: %.400s", u->target.cpu,
                 r->msr.why);
    if (r)
        td_msr_set_free(&r->set);
    free(r);
    u->own = NULL;
    td_perf_close(&u->perf, m->ask.os);
    return err;
}

bool td_msr_source_usable(struct td_meter *m, char why[TD_SOURCE_WHY])
{
    const struct td_host_pmu *p = m->npmus ? m->pmu[0].host : NULL;
    const struct td_live nothing = {.size = sizeof(struct td_live)};
    struct td_msr msr;
    int err = check(m, &nothing);

    if (err || !p || !p->cpus.n) {
        snprintf(why, TD_SOURCE_WHY, "%.*s", TD_SOURCE_WHY - 1, err ? m->log->error : "there is no CPU to measure");
        return false;
    }
    err = td_msr_open(&msr, m->ask.os, p->cpus.cpu[0], p->counters.fields);
    err = err ? err : td_msr_check_free(&msr);
    if (err)
        snprintf(why, TD_SOURCE_WHY, "%s", msr.why);
    td_msr_end(&msr);
    return !err;
}

/* ---- in words ---------------------------------------------------------------------- */

/* Describes a CPU's registers, in the order in which they are programmed. */
static int describe_registers(struct td_meter *m, const struct td_msr_caps *caps, const struct td_msr_set *s)
{
    int err = 0;

    for (size_t e = 0; e < s->nevents && !err; e++) {
        const int c = s->counter[e];
        const unsigned i = (unsigned)c % TD_MSR_COUNTERS;

        if (!td_bits_has(&s->events, e))
            continue;
        if (c < 0)
            err = td_describe_line(m, "    %-44s a field of PERF_METRICS (0x%x)", s->event[e].name, TD_MSR_METRICS);
        else if (c < TD_MSR_COUNTERS)
            err = td_describe_line(m, "    %-44s programmable counter %u: EVTSEL 0x%x = 0x%llx", s->event[e].name, i,
                                   td_msr_address(caps, TD_MSR_EVTSEL + i), (unsigned long long)s->program.evtsel[i]);
        else
            err = td_describe_line(m, "    %-44s fixed counter %u (0x%x)", s->event[e].name, i, TD_MSR_FIXED + i);
    }
    if (!err && caps->amd)
        return td_describe_line(m, "    PerfCntrGlobalCtl 0x%x = 0x%llx", td_msr_address(caps, TD_MSR_GLOBAL),
                                (unsigned long long)s->program.global);
    return err ? err
               : td_describe_line(m, "    FIXED_CTR_CTRL 0x%x = 0x%llx, GLOBAL_CTRL 0x%x = 0x%llx", TD_MSR_FIXED_CTRL,
                                  (unsigned long long)s->program.fixed_ctrl, TD_MSR_GLOBAL,
                                  (unsigned long long)s->program.global);
}

static int describe(struct td_meter *m, const struct td_unit *u)
{
    const struct td_perf_pmu *p = &m->pmu[u->pmu];
    const struct registers *r = u->own;
    const size_t units = td_describe_units(m, u->pmu);
    char cpus[128];
    int err;

    td_cpu_list_text(&p->host->cpus, cpus, sizeof(cpus));
    err = td_describe_line(m, "%s: CPUs %s: form %s, level %d, on %zu CPU%s by registers, all at the same time",
                           td_forms_uarch(p->forms)->name, cpus, p->plan.form ? p->plan.form->form->name : "none",
                           p->plan.level, units, units == 1 ? "" : "s");
    return err || !r ? err : describe_registers(m, &r->msr.caps, &r->set);
}

const struct td_source td_source_msr = {
    .name = "msr",
    .cpus_only = true,
    .most_added = MOST_ADDED,
    .check = check,
    .ask = ask,
    .plan = plan,
    .settle = settle,
    .open = open_unit,
    .enable = enable,
    .read = take,
    .close = give_back,
    .describe = describe,
};
