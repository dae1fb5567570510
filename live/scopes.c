/* SPDX-License-Identifier: MIT */
#include "live/scopes.h"

#include "util/text_clean.h"
#include "live/host/host_files.h"
#include "live/meter.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

struct finding {
    struct td_meter *meter;
    const struct td_live *ask;
    int err;
};

/* The lane with that name on that PMU, added if it is new. -1: out of memory. */
static long lane_for(struct td_meter *m, const char *name, enum td_scope_kind kind, size_t pmu)
{
    const struct td_uarch *u = td_forms_uarch(m->pmu[pmu].forms);
    struct td_lane *grown, *lane;

    for (size_t i = 0; i < m->scopes.nlanes; i++)
        if (m->scopes.lane[i].pmu == pmu && !strcmp(m->scopes.lane[i].name, name) && m->scopes.lane[i].kind == kind)
            return (long)i;
    grown = realloc(m->scopes.lane, (m->scopes.nlanes + 1) * sizeof(*grown));
    if (!grown)
        return -1;
    m->scopes.lane = grown;
    lane = &grown[m->scopes.nlanes];
    *lane =
        (struct td_lane){.name = strdup(name), .kind = kind, .core = m->host.identity.hybrid ? u->core : 0, .pmu = pmu};
    if (!lane->name)
        return -1;
    return (long)m->scopes.nlanes++;
}

static int add_unit(struct td_meter *m, const char *name, enum td_scope_kind kind, size_t pmu,
                    const struct td_perf_target *t, pid_t process)
{
    struct td_unit *grown;
    char *shown;
    long lane;

    for (size_t i = 0; i < m->scopes.nunits; i++) /* what is named twice is counted once */
        if (m->scopes.unit[i].pmu == pmu && m->scopes.unit[i].target.pid == t->pid &&
            m->scopes.unit[i].target.cpu == t->cpu && m->scopes.unit[i].target.cgroup == t->cgroup)
            return 0;
    /* the whole name, however long, of any bytes: two cgroups are two lanes */
    shown = *name ? td_text_copy(name, strlen(name)) : strdup("?");
    if (!shown)
        return -ENOMEM;
    lane = lane_for(m, shown, kind, pmu);
    free(shown);
    grown = lane < 0 ? NULL : realloc(m->scopes.unit, (m->scopes.nunits + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    m->scopes.unit = grown;
    grown[m->scopes.nunits++] = (struct td_unit){.lane = (size_t)lane, .pmu = pmu, .target = *t, .process = process};
    return 0;
}

/* ---- CPUs ---- */

static bool wanted(const struct td_live *a, int cpu)
{
    for (size_t i = 0; i < a->ncpus; i++)
        if (a->cpus[i] == cpu)
            return true;
    return !a->ncpus;
}

/* Whether each of the cores has two threads online: half of what a core's only thread counts
 * is not that core's clock. */
static bool all_paired(const struct td_host *h, const struct td_live *a)
{
    for (size_t i = 0; i < h->ncpus; i++)
        if (wanted(a, h->cpus[i].cpu) && !h->cpus[i].shared)
            return false;
    return true;
}

/* Whether all siblings of the cores of the CPUs wanted are wanted too. */
static bool whole_cores(const struct td_host *h, const struct td_live *a)
{
    for (size_t i = 0; i < h->ncpus; i++)
        for (size_t k = 0; k < h->ncpus; k++)
            if (h->cpus[i].sibling == h->cpus[k].sibling && wanted(a, h->cpus[i].cpu) != wanted(a, h->cpus[k].cpu))
                return false;
    return true;
}

/* The scope that a CPU's counts are added to, by perf's ids, and its kind. */
static enum td_scope_kind name_cpu(const struct finding *f, const struct td_host_cpu *c, char name[NAME])
{
    struct td_cpu_list list = {(int *)(uintptr_t)f->ask->cpus, f->ask->ncpus};
    char text[NAME - 8];

    switch (f->ask->by) {
    case TD_BY_CPU: snprintf(name, NAME, "CPU%d", c->cpu); return TD_KIND_CPU;
    case TD_BY_CORE:
        snprintf(name, NAME, "S%d-D%d-C%d", c->socket, c->die, c->core);
        return f->meter->scopes.whole_core ? TD_KIND_CORE : TD_KIND_CPU;
    case TD_BY_SOCKET: snprintf(name, NAME, "S%d", c->socket); return TD_KIND_SOCKET;
    case TD_BY_NODE: snprintf(name, NAME, "N%d", c->node); return TD_KIND_NODE;
    default: break;
    }
    if (!list.n) {
        snprintf(name, NAME, "system");
        return TD_KIND_SYSTEM;
    }
    td_cpu_list_text(&list, text, sizeof(text));
    snprintf(name, NAME, "CPU%s", text);
    return f->meter->scopes.whole_core ? TD_KIND_SYSTEM : TD_KIND_CPU; /* parts of cores have no core-wide clock */
}

static void add_cpu(struct finding *f, const struct td_host_cpu *c, int cgroup, const char *cgroup_name)
{
    const struct td_perf_target t = {-1, c->cpu, cgroup};
    char name[NAME];
    enum td_scope_kind kind = cgroup_name ? TD_KIND_CGROUP : name_cpu(f, c, name);

    for (size_t p = 0; p < f->meter->npmus && !f->err; p++)
        if (td_cpu_list_has(&f->meter->pmu[p].host->cpus, c->cpu))
            f->err = add_unit(f->meter, cgroup_name ? cgroup_name : name, kind, p, &t, 0);
}

static void add_cpus(struct finding *f, int cgroup, const char *cgroup_name)
{
    for (size_t i = 0; i < f->meter->host.ncpus && !f->err; i++)
        if (wanted(f->ask, f->meter->host.cpus[i].cpu))
            add_cpu(f, &f->meter->host.cpus[i], cgroup, cgroup_name);
}

static int check_cpus(struct finding *f)
{
    const struct td_host *h = &f->meter->host;
    bool grouped = f->ask->by == TD_BY_CORE || f->ask->by == TD_BY_SOCKET || f->ask->by == TD_BY_NODE;

    if (!f->ask->ntasks && h->cpus_unknown)
        return td_log_fail(
            f->meter->log, -EOPNOTSUPP,
            "/sys/devices/system/cpu/online cannot be read: the CPUs to measure are not known (is /sys mounted?)");
    if (grouped && h->topology_unknown)
        return td_log_fail(
            f->meter->log, -EOPNOTSUPP,
            "sysfs does not tell the cores, sockets and nodes of the CPUs: measure by CPU (-A) or as a whole");
    for (size_t i = 0; i < f->ask->ncpus; i++)
        if (!td_host_cpu_find(&f->meter->host, f->ask->cpus[i])) {
            return td_log_fail(f->meter->log, -ENODEV, "CPU %d is not online (see /sys/devices/system/cpu/online)",
                               f->ask->cpus[i]);
        }
    return 0;
}

/* ---- tasks ---- */

static void comm_of(const struct td_os *os, pid_t pid, char buf[NAME / 2])
{
    if (!td_host_text(os, buf, NAME / 2, "/proc/%d/comm", (int)pid) || !*buf)
        snprintf(buf, NAME / 2, "pid");
}

/* Tasks that have one name between them are a command's. */
static enum td_scope_kind tasks_kind(const struct finding *f)
{
    return f->ask->name && f->ask->tasks[0] && f->ask->by != TD_BY_THREAD ? TD_KIND_COMMAND : TD_KIND_THREAD;
}

/* process: the task is one of its threads, which are all measured; 0: it is measured alone. */
static void add_task(struct finding *f, pid_t tid, const char *name, pid_t process)
{
    const struct td_perf_target t = {tid, -1, -1};

    for (size_t p = 0; p < f->meter->npmus && !f->err; p++)
        f->err = add_unit(f->meter, name, tasks_kind(f), p, &t, process);
}

struct task_process {
    struct finding *f;
    pid_t pid;
    const char *name; /* of all its threads together, or NULL: each separately */
};

static void name_thread(struct finding *f, pid_t pid, pid_t tid, char name[NAME])
{
    char comm[NAME / 2];

    if (!td_host_text(f->meter->ask.os, comm, sizeof(comm), "/proc/%d/task/%d/comm", (int)pid, (int)tid) || !*comm)
        comm_of(f->meter->ask.os, pid, comm);
    snprintf(name, NAME, "%s-%d", comm, (int)tid);
}

static int add_thread(void *arg, const char *text)
{
    const struct task_process *p = arg;
    pid_t tid = (pid_t)strtol(text, NULL, 10);
    char name[NAME];

    if (tid <= 0)
        return 0;
    if (!p->name)
        name_thread(p->f, p->pid, tid, name);
    add_task(p->f, tid, p->name ? p->name : name, p->name && !p->f->ask->threads ? p->pid : 0);
    return p->f->err;
}

/* One name for all tasks: the one given, the only process's, or their number. */
static void name_tasks(const struct finding *f, char name[NAME])
{
    char comm[NAME / 2];

    if (f->ask->name) {
        snprintf(name, NAME, "%s", f->ask->name);
    } else if (f->ask->ntasks > 1) {
        snprintf(name, NAME, "%zu %s", f->ask->ntasks, f->ask->threads ? "threads" : "processes");
    } else {
        comm_of(f->meter->ask.os, f->ask->tasks[0], comm);
        snprintf(name, NAME, "%s-%d", comm, (int)f->ask->tasks[0]);
    }
}

/* If several tasks are asked for, those that exist are measured. */
static void no_task(struct finding *f, pid_t pid)
{
    td_log_fail(f->meter->log, 0, "there is no %s %d (see 'ps -e%s')", f->ask->threads ? "thread" : "process", (int)pid,
                f->ask->threads ? "L" : "");
    if (f->ask->ntasks == 1)
        f->err = -ESRCH;
    else
        td_log_note(f->meter->log, "%s", f->meter->log->error);
}

static void add_tasks(struct finding *f)
{
    const bool each = f->ask->by == TD_BY_THREAD;
    const struct td_os *os = f->meter->ask.os;
    char name[NAME], path[64], comm[64];

    name_tasks(f, name);
    for (size_t i = 0; i < f->ask->ntasks && !f->err; i++) {
        struct task_process p = {f, f->ask->tasks[i], each ? NULL : name};
        int err;

        snprintf(path, sizeof(path), "/proc/%d/task", (int)p.pid);
        if (!p.pid) /* the calling thread */
            add_task(f, 0, name, 0);
        else if (!td_host_text(os, comm, sizeof(comm), "/proc/%d/comm", (int)p.pid)) {
            no_task(f, p.pid);
        } else if (f->ask->threads) {
            snprintf(path, sizeof(path), "%d", (int)p.pid);
            add_thread(&p, path);
        } else {
            err = os->names(os->ctx, path, add_thread, &p);
            if (err && !f->err)
                no_task(f, p.pid);
        }
    }
}

/* ---- cgroups ---- */

static int open_cgroup(const struct td_os *os, const char *name)
{
    static const char *const roots[] = {"/sys/fs/cgroup/perf_event", "/sys/fs/cgroup"};
    char path[PATH_MAX];
    int fd = -ENOENT;

    for (size_t i = 0; i < sizeof(roots) / sizeof(*roots) && fd < 0; i++) {
        if ((size_t)snprintf(path, sizeof(path), "%s/%s", roots[i], name + (*name == '/')) >= sizeof(path))
            return -ENAMETOOLONG; /* its beginning may be the name of another */
        fd = os->folder(os->ctx, path);
    }
    return fd;
}

/* Whether one of the folders of a path is "..". */
static bool goes_up(const char *path)
{
    for (size_t n; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        if (n == 2 && path[0] == '.' && path[1] == '.')
            return true;
    }
    return false;
}

static int no_cgroup(const struct td_meter *m, const char *name, int err)
{
    td_log_fail(m->log, 0, "there is no cgroup '%.100s' below /sys/fs/cgroup: %s", name, strerror(-err));
    return err == -ENOMEM ? err : -ENOENT;
}

static bool stands_before(const char *const *names, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(names[k], names[i]))
            return true;
    return false;
}

static void add_cgroups(struct finding *f)
{
    struct td_meter *m = f->meter;

    m->scopes.cgroup = calloc(f->ask->ncgroups, sizeof(*m->scopes.cgroup));
    if (!m->scopes.cgroup)
        f->err = -ENOMEM;
    for (size_t i = 0; i < f->ask->ncgroups && !f->err; i++) {
        int fd;

        if (stands_before(f->ask->cgroups, i))
            continue;
        fd = open_cgroup(m->ask.os, f->ask->cgroups[i]);
        if (fd < 0) {
            f->err = no_cgroup(m, f->ask->cgroups[i], fd);
            return;
        }
        m->scopes.cgroup[m->scopes.ncgroups++] = fd;
        add_cpus(f, fd, f->ask->cgroups[i]);
    }
}

static int check_ask(const struct td_meter *m, const struct td_live *ask)
{
    if (ask->ntasks && (ask->ncgroups || ask->ncpus || (ask->by != TD_BY_ALL && ask->by != TD_BY_THREAD)))
        return td_log_fail(m->log, -EINVAL, "tasks cannot be measured by CPU, core, socket, node or cgroup");
    if (!ask->ntasks && ask->by == TD_BY_THREAD)
        return td_log_fail(m->log, -EINVAL, "counts by thread need the processes or threads to measure");
    if (ask->ncgroups && ask->by != TD_BY_ALL)
        return td_log_fail(m->log, -EINVAL, "each cgroup is one scope: it cannot be divided by CPU or core");
    for (size_t i = 0; i < ask->ncgroups; i++)
        if (goes_up(ask->cgroups[i]))
            return td_log_fail(m->log, -EINVAL,
                               "'%.100s' may lead out of the cgroups by '..': give the path below /sys/fs/cgroup "
                               "(/proc/PID/cgroup shows a process's)",
                               ask->cgroups[i]);
    return 0;
}

int td_scopes_find(struct td_meter *m, const struct td_live *ask)
{
    struct finding f = {m, ask, 0};
    struct td_scopes *s = &m->scopes;

    s->tasks = ask->ntasks > 0;
    s->all_cpus = !ask->ntasks && !ask->ncpus;
    m->ask.clocks = s->tasks && m->host.identity.hybrid;
    s->whole_core = !ask->ntasks && !ask->ncgroups && ask->by != TD_BY_CPU && whole_cores(&m->host, ask);
    s->core_clock = s->whole_core && all_paired(&m->host, ask);
    f.err = check_ask(m, ask);
    if (!f.err)
        f.err = check_cpus(&f);
    if (f.err)
        return f.err;
    if (ask->ntasks)
        add_tasks(&f);
    else if (ask->ncgroups)
        add_cgroups(&f);
    else
        add_cpus(&f, -1, NULL);
    if (f.err == -ENOMEM)
        return td_log_no_memory(m->log);
    if (!f.err && !s->nunits && ask->ntasks)
        return -ESRCH; /* the log has the text for the last one */
    if (!f.err && !s->nunits)
        return td_log_fail(m->log, -ENODEV, "none of the CPUs wanted has a PMU that is to be measured");
    return f.err;
}

bool td_scopes_same_cpu(const struct td_scopes *s, const struct td_unit *u, bool lost)
{
    for (const struct td_unit *v = s->unit; v < s->unit + s->nunits; v++)
        if (v != u && v->target.cpu == u->target.cpu && (lost ? v->lost : !v->gone))
            return true;
    return false;
}

void td_scopes_lost(struct td_meter *m, struct td_unit *u)
{
    const struct td_formcode *form = m->pmu[u->pmu].plan.form; /* NULL: only added events are counted */
    struct td_lane *lane = &m->scopes.lane[u->lane];

    u->gone = u->lost = true;
    if (form && form->form->flags & TD_FORM_CORE_CLOCK)
        lane->broken = true;
    if (td_scopes_same_cpu(&m->scopes, u, true))
        return;
    td_log_note(m->log, "CPU %d went offline: it is not measured %s, and its last counts are missing%s", u->target.cpu,
                m->source->reopens ? "until it is back" : "any more",
                lane->broken ? "; without it the counts of its core's clock mean nothing" : "");
}

bool td_scopes_any(const struct td_scopes *s)
{
    for (size_t i = 0; i < s->nunits; i++)
        if (s->unit[i].perf.event && !s->unit[i].gone)
            return true;
    return false;
}

void td_scopes_free_units(struct td_scopes *s, const struct td_os *os)
{
    free(s->unit);
    s->unit = NULL;
    s->nunits = 0;
    for (size_t i = 0; i < s->ncgroups; i++)
        os->close(os->ctx, s->cgroup[i]);
    free(s->cgroup);
    s->cgroup = NULL;
    s->ncgroups = 0;
}

void td_scopes_free_lanes(struct td_scopes *s)
{
    for (size_t i = 0; i < s->nlanes; i++) {
        free(s->lane[i].name);
        free(s->lane[i].before.samples);
        free(s->lane[i].now.samples);
        free(s->lane[i].past);
    }
    free(s->lane);
    s->lane = NULL;
    s->nlanes = 0;
}
