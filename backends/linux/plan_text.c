/* SPDX-License-Identifier: MIT */
/* What is opened, in words: groups, counters, each perf_event_attr. */
#include "live_msr.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static int add_line(struct td_liveset *l, const char *format, ...)
{
    char text[512], **grown = realloc(l->plan, (l->nplan + 1) * sizeof(*grown));
    va_list args;

    if (!grown)
        return -ENOMEM;
    l->plan = grown;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    l->plan[l->nplan] = strdup(text);
    return l->plan[l->nplan] ? (l->nplan++, 0) : -ENOMEM;
}

static const char *modes_of(const struct perf_event_attr *a)
{
    return a->exclude_kernel ? "user" : a->exclude_user ? "kernel" : "user and kernel";
}

static int describe_event(struct td_liveset *l, const struct td_live_unit *unit, size_t g, size_t i, bool leads)
{
    const struct td_perf_pmu *p = &l->pmu[unit->pmu];
    unsigned number = p->plan.group[g].event[i];
    const struct td_event *e = &td_solver_uarch(p->solver)->events[number];
    struct perf_event_attr a;

    td_perf_attr(&l->ask, p, &unit->target, g, i, leads, &a);
    return add_line(l, "    %-44s type %u config 0x%llx counters %s%s%s%s%s read_format 0x%llx %s%s", e->name, a.type, (unsigned long long)a.config,
                    p->host->counters.sibling ? e->counters : e->counters_alone, leads ? " leader" : "", a.disabled ? " disabled" : "",
                    a.inherit ? " inherit" : "", a.enable_on_exec ? " enable_on_exec" : "", (unsigned long long)a.read_format, modes_of(&a),
                    p->absent >> number & 1 ? " (not offered by this kernel)" : "");
}

static int describe_group(struct td_liveset *l, const struct td_live_unit *unit, size_t g)
{
    const struct td_perf_pmu *p = &l->pmu[unit->pmu];
    const struct td_plan_group *group = &p->plan.group[g];
    const struct td_uarch *u = td_solver_uarch(p->solver);
    char of[24] = "";
    bool led = false;
    int err;

    if (p->host->counters.general)
        snprintf(of, sizeof(of), " of %u", p->host->counters.general);
    err = add_line(l, "  group %zu: %zu events, %u%s programmable counters%s", g, group->n,
                   td_fit_general(&p->host->counters, u, group->set & ~p->plan.impossible), of, p->host->counters.watchdog ? ", the NMI watchdog holds one" : "");
    for (size_t i = 0; i < group->n && !err; i++) {
        bool offered = !(p->absent >> group->event[i] & 1);

        err = describe_event(l, unit, g, i, offered && !led);
        led = led || offered;
    }
    return err;
}

/* The registers of a CPU, in the order in which they are programmed. */
static int describe_msr(struct td_liveset *l, const struct td_live_unit *unit)
{
    const struct td_msr_set *s = &unit->msr->set;
    int err = 0;

    for (size_t e = 0; e < s->nevents && !err; e++) {
        const int c = s->counter[e];
        const unsigned i = (unsigned)c % TD_MSR_COUNTERS;

        if (!(s->events >> e & 1))
            continue;
        if (c < 0)
            err = add_line(l, "    %-44s a field of PERF_METRICS (0x%x)", s->event[e].name, TD_MSR_METRICS);
        else if (c < TD_MSR_COUNTERS)
            err = add_line(l, "    %-44s programmable counter %u: EVTSEL 0x%x = 0x%llx", s->event[e].name, i, TD_MSR_EVTSEL + i, (unsigned long long)s->program.evtsel[i]);
        else
            err = add_line(l, "    %-44s fixed counter %u (0x%x)", s->event[e].name, i, TD_MSR_FIXED + i);
    }
    return err ? err : add_line(l, "    FIXED_CTR_CTRL 0x%x = 0x%llx, GLOBAL_CTRL 0x%x = 0x%llx", TD_MSR_FIXED_CTRL, (unsigned long long)s->program.fixed_ctrl,
                                TD_MSR_GLOBAL, (unsigned long long)s->program.global);
}

static int describe_pmu(struct td_liveset *l, size_t pmu)
{
    const struct td_perf_pmu *p = &l->pmu[pmu];
    const struct td_uarch *u = td_solver_uarch(p->solver);
    const struct td_live_unit *unit = NULL;
    char cpus[128];
    size_t units = 0;
    int err;

    for (size_t i = 0; i < l->nunits; i++)
        if (l->unit[i].pmu == pmu) {
            unit = unit ? unit : &l->unit[i];
            units++;
        }
    if (!unit)
        return 0;
    td_cpu_list_text(&p->host->cpus, cpus, sizeof(cpus));
    if (unit->msr) {
        err = add_line(l, "%s: CPUs %s: form %s, level %d, on %zu CPU%s by registers, all at the same time", u->name, cpus,
                       p->plan.form ? p->plan.form->form->name : "none", p->plan.level, units, units == 1 ? "" : "s");
        return err ? err : describe_msr(l, unit);
    }
    err = add_line(l, "%s: PMU %s, type %u, CPUs %s: form %s, level %d, %zu %s%s, %s", u->name, p->host->name, p->host->type, cpus,
                   p->plan.form->form->name, p->plan.level, units, unit->target.cpu < 0 ? "task" : "CPU", units == 1 ? "" : "s",
                   p->plan.ngroups == 1 ? "all at the same time" : p->plan.together ? "all groups at the same time" : "the groups take turns (multiplexed)");
    for (size_t g = 0; g < p->plan.ngroups && !err; g++)
        err = describe_group(l, unit, g);
    return err;
}

int td_live_describe(struct td *td)
{
    struct td_liveset *l = td->live;
    int err = add_line(l, "machine: %s (CPU %s, named by %s)%s%s", l->host.machine.name, l->host.id[0] ? l->host.id : "no id", l->host.origin,
                       l->host.guest ? ", a guest of " : "", l->host.guest ? l->host.hypervisor : "");

    for (size_t p = 0; p < l->npmus && !err; p++)
        err = describe_pmu(l, p);
    return err ? td_session_fail(td, err, "out of memory") : 0;
}
