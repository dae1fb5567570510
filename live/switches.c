/* SPDX-License-Identifier: MIT */
#include "live/switches.h"

#include "live/host/host_files.h"
#include "live/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far the kernel's two clocks of a task may differ: the one in schedstat only changes at a tick. */
static const uint64_t slack_ns = 10000000;

/* ---- one task, one process --------------------------------------------------------- */

struct switch_sum {
    const struct td_os *os;
    pid_t process;
    struct td_switches all;
};

static bool number_at(const char *text, uint64_t *value)
{
    char *end;

    *value = strtoull(text, &end, 10);
    return end > text;
}

static bool line_of(const char *status, const char *key, uint64_t *value)
{
    const char *at = td_host_field(status, key);

    return at && number_at(at, value);
}

/* A thread that no longer exists is left out: td_switches_take() detects whether that matters. */
static void add_thread(struct switch_sum *sum, pid_t process, pid_t tid)
{
    uint64_t waited, preempted, ran;
    char path[64], text[TD_OS_FILE_MAX / 4];

    snprintf(path, sizeof(path), process ? "/proc/%d/task/%d" : "/proc/%d", process ? (int)process : (int)tid,
             (int)tid);
    if (!td_host_text(sum->os, text, sizeof(text), "%s/status", path))
        return;
    if (!line_of(text, "\nvoluntary_ctxt_switches:", &waited) ||
        !line_of(text, "\nnonvoluntary_ctxt_switches:", &preempted) ||
        !td_host_text(sum->os, text, sizeof(text), "%s/schedstat", path) || !number_at(text, &ran))
        return;
    sum->all.used.switches += waited + preempted;
    sum->all.used.ran += ran;
    sum->all.known = true;
}

static int add_named(void *arg, const char *name)
{
    struct switch_sum *sum = arg;
    const pid_t tid = (pid_t)strtol(name, NULL, 10);

    if (tid > 0)
        add_thread(sum, sum->process, tid);
    return 0;
}

/* Adds all of its threads; for a command that has ended, all it had used. */
static void add_process(struct switch_sum *sum, pid_t process)
{
    struct td_os_used used;
    char path[64];

    if (!sum->os->used(sum->os->ctx, process, &used)) {
        sum->all.used.switches += used.switches;
        sum->all.used.ran += used.ran;
        sum->all.known = true;
        return;
    }
    snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
    sum->process = process;
    sum->os->names(sum->os->ctx, path, add_named, sum);
}

/* ---- lanes -------------------------------------------------------------------------- */

/* Whether the register is counted, for tasks: only then switches matter. */
static bool is_asked(const struct td_meter *m, const struct td_lane *l)
{
    const struct td_perf_pmu *p = &m->pmu[l->pmu];
    const struct td_uarch *u = td_forms_uarch(p->forms);

    for (size_t g = 0; m->scopes.tasks && g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++)
            if (u->events[p->plan.group[g].event[i]].field >= 0)
                return true;
    return false;
}

/* Whether an earlier unit of the lane has the same process. */
static bool process_before(const struct td_scopes *s, size_t unit)
{
    for (size_t i = 0; i < unit; i++)
        if (s->unit[i].lane == s->unit[unit].lane && s->unit[i].process == s->unit[unit].process)
            return true;
    return false;
}

static struct td_switches tasks_of(const struct td_meter *m, size_t lane)
{
    const struct td_scopes *s = &m->scopes;
    struct switch_sum sum = {.os = m->ask.os};

    for (size_t i = 0; i < s->nunits; i++) {
        const struct td_unit *u = &s->unit[i];

        if (u->lane != lane || u->target.pid <= 0)
            continue;
        if (!u->process)
            add_thread(&sum, 0, u->target.pid);
        else if (!process_before(s, i))
            add_process(&sum, u->process);
    }
    return sum.all;
}

/* How long all tasks counted here, and those that they started, were on a CPU. */
static uint64_t on_cpu(const struct td_scopes *s, size_t lane)
{
    uint64_t all = 0;

    for (size_t i = 0; i < s->nunits; i++) {
        const struct td_perf_unit *u = &s->unit[i].perf;
        uint64_t most = 0;

        for (size_t k = 0; s->unit[i].lane == lane && u->event && k < u->n; k++)
            if (u->event[k].status == TD_OK && u->event[k].enabled > most)
                most = u->event[k].enabled;
        all += most;
    }
    return all;
}

void td_switches_begin(struct td_meter *m)
{
    for (size_t i = 0; i < m->scopes.nlanes; i++) {
        struct td_lane *l = &m->scopes.lane[i];

        l->switches = (struct td_switches){false};
        if (is_asked(m, l))
            l->switches = tasks_of(m, i);
        l->now.snap.switches_known = l->switches.known;
        l->now.snap.switches = 0;
    }
}

void td_switches_take(struct td_meter *m)
{
    for (size_t i = 0; i < m->scopes.nlanes; i++) {
        struct td_lane *l = &m->scopes.lane[i];
        const struct td_os_used *from = &l->switches.used;
        const struct td_switches now = l->switches.known ? tasks_of(m, i) : l->switches;
        const uint64_t ran = now.used.ran - from->ran;
        const bool all = now.known && now.used.ran >= from->ran && now.used.switches >= from->switches &&
                         on_cpu(&m->scopes, i) <= ran + ran / 100 + slack_ns;

        l->now.snap.switches_known = all;
        l->now.snap.switches = all ? now.used.switches - from->switches : 0;
    }
}
