/* SPDX-License-Identifier: MIT */
#include "live/meter.h"

#include "backends/registry.h"
#include "core/core_kind.h"
#include "live/opening.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct td_meter *td_meter_new(const struct td_os *os, struct td_log *log, const struct td_settings *settings)
{
    struct td_meter *m = calloc(1, sizeof(*m));

    if (!m)
        return NULL;
    m->ask.os = os;
    m->log = log;
    m->settings = settings;
    m->stream.next = td_readings_next;
    m->stream.name = "live";
    return m;
}

static void free_pmus(struct td_meter *m)
{
    for (size_t i = 0; i < TD_HOST_PMUS; i++)
        td_perf_pmu_free(&m->pmu[i]);
    m->npmus = 0;
}

void td_meter_forget_events(struct td_meter *m)
{
    for (size_t i = 0; i < TD_HOST_PMUS; i++) {
        for (size_t words = 0; words < TD_PERF_WORDS; words++) {
            free(m->events[words][i]);
            m->events[words][i] = NULL;
        }
    }
}

/* Closes what one opening holds; lanes stay, as sums use their names. */
int td_meter_close(struct td_meter *m)
{
    int err = td_units_close(m);

    td_scopes_free_units(&m->scopes, m->ask.os);
    for (size_t i = 0; i < m->nplan; i++)
        free(m->plan[i]);
    free(m->plan);
    m->plan = NULL;
    m->nplan = 0;
    td_meter_forget_events(m);
    m->opened = false;
    return err;
}

void td_meter_free(struct td_meter *m)
{
    if (!m)
        return;
    if (td_meter_close(m))
        td_log_note(m->log, "%s", m->log->error);
    td_scopes_free_lanes(&m->scopes);
    free_pmus(m);
    td_stream_free(&m->stream);
    td_host_free(&m->host);
    free(m);
}

int td_meter_detect(struct td_meter *m)
{
    const struct td_identity *asked = &m->settings->identity;
    int err = m->host.os ? 0 : td_host_detect(&m->host, m->ask.os, asked->nparts ? asked : NULL);

    if (!err && *m->host.name && !m->stream.host)
        m->stream.host = strdup(m->host.name);
    if (err || (*m->host.name && !m->stream.host))
        return td_log_no_memory(m->log);
    m->stream.identity = m->host.identity;
    m->stream.smt = m->host.smt ? TD_SMT_ON : m->host.smt_unknown ? TD_SMT_UNKNOWN : TD_SMT_OFF;
    m->stream.raw = true;
    m->stream.cpus = m->host.cpus_unknown ? 0 : (unsigned)m->host.ncpus;
    for (size_t i = 0; i < m->host.npmus; i++)
        if (m->host.pmu[i].mux_interval > m->stream.mux_interval)
            m->stream.mux_interval = m->host.pmu[i].mux_interval;
    return 0;
}

/* Reports a kind of core that the machine's name does not have. */
static void say_left_out(const struct td_meter *m, const struct td_host_pmu *p)
{
    char cpus[128];

    for (size_t i = 0; i < m->npmus; i++)
        if (m->pmu[i].host == p)
            return;
    if (m->settings->identity.nparts || !p->cpus.n)
        return;
    td_cpu_list_text(&p->cpus, cpus, sizeof(cpus));
    td_log_note(m->log,
                "CPUs %s (%s) are left out: they are of another kind than %s; -C %s with their CPU's name in --uarch "
                "measures them",
                cpus, p->name, m->host.identity.name, cpus);
}

/* Whether the CPU itself reports another vendor than that of the one asked for, whose events it cannot have. */
static bool is_anothers(const struct td_host *h, const struct td_identity *cpu)
{
    const char *vendor = td_uarch_backend_of(cpu->part[0])->vendor;

    vendor = strcmp(vendor, "MIDR") ? vendor : "0x"; /* what Arm identities begin with */
    return h->renamed && h->id[0] && strncmp(h->id, vendor, strlen(vendor)) != 0;
}

int td_meter_find_pmus(struct td_meter *m, const struct td_identity *cpu, struct td_forms *const forms[TD_PARTS_MAX])
{
    char cpus[128];

    free_pmus(m);
    for (size_t i = 0; i < m->host.npmus; i++)
        for (size_t part = 0; part < cpu->nparts; part++) {
            if (m->host.pmu[i].uarch != cpu->part[part])
                continue;
            if (td_perf_pmu_init(&m->pmu[m->npmus], &m->host, &m->host.pmu[i], forms[part]))
                return td_log_no_memory(m->log);
            m->npmus++;
        }
    for (size_t i = 0; i < m->host.npmus && m->npmus && !m->settings->backend; i++)
        say_left_out(m, &m->host.pmu[i]);
    if (m->npmus && is_anothers(&m->host, cpu))
        td_log_note(m->log, "this CPU is %s; measured as %s, as asked: events of another vendor may count anything",
                    m->host.id, cpu->name);
    if (m->npmus)
        return 0;
    td_cpu_list_text(&m->host.pmu[0].cpus, cpus, sizeof(cpus));
    return td_log_fail(m->log, -EOPNOTSUPP,
                       "this machine has no PMU for the cores of %s; PMU %s is of CPUs %s, which --uarch with their "
                       "CPU's name measures",
                       cpu->name, m->host.pmu[0].name, cpus);
}

const char *td_meter_events(struct td_meter *m, size_t i, enum td_perf_words words)
{
    const struct td_perf_pmu *p = i < m->npmus ? &m->pmu[i] : NULL;

    if (!m->nplan || !p)
        return NULL;
    if (!m->events[words][i])
        m->events[words][i] = td_perf_events_text(&p->plan, td_forms_uarch(p->forms), p->host->name,
                                                  td_core_of_pmu(p->host->name), m->settings->group, words);
    return m->events[words][i];
}

unsigned td_meter_turns(const struct td_meter *m)
{
    unsigned most = 0;

    for (size_t i = 0; i < m->npmus; i++) {
        const unsigned turns = td_plan_turns(&m->pmu[i].plan);

        most = turns > most ? turns : most;
    }
    return most;
}

size_t td_meter_descriptors(const struct td_meter *m)
{
    size_t n = 0;

    for (const struct td_unit *u = m->scopes.unit; u < m->scopes.unit + m->scopes.nunits; u++) {
        const struct td_plan *plan = &m->pmu[u->pmu].plan;

        for (size_t g = 0; g < plan->ngroups; g++)
            n += plan->group[g].n + (g ? 0 : td_plan_again(plan) * plan->group[g].n);
    }
    return n;
}

bool td_meter_needs_watchdogs(const struct td_meter *m)
{
    for (size_t i = 0; i < m->npmus; i++) {
        const struct td_perf_pmu *p = &m->pmu[i];
        const struct td_uarch *u = td_forms_uarch(p->forms);
        struct td_counters c = p->host->counters;

        if (!c.assumed || c.watchdog)
            continue;
        td_counters_watch(&c, u);
        for (size_t g = 0; g < p->plan.ngroups; g++)
            if (!td_fit(&c, u, &p->plan.group[g].able))
                return true;
    }
    return false;
}
