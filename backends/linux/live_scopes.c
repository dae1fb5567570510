/* SPDX-License-Identifier: MIT */
/* What to count: CPUs, tasks and cgroups as units, put together in lanes. */
#include "live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256 };

struct finding {
    struct td *td;
    struct td_liveset *live;
    const struct td_live *ask;
    int err;
};

static int no_memory(struct td *td)
{
    return td_session_fail(td, -ENOMEM, "out of memory");
}

/* A name that a trace can hold as it is: a task's may be any bytes. */
static void clean(char *name)
{
    size_t n;

    for (n = 0; name[n]; n++)
        if ((unsigned char)name[n] < ' ' || name[n] == 0x7f)
            name[n] = '?';
    for (; n && name[n - 1] == ' '; n--)
        name[n - 1] = '?';
    for (; *name == ' '; name++)
        *name = '?';
}

/* The lane of that name on that PMU, added if it is new. -1: out of memory. */
static long lane_for(struct td_liveset *l, const char *name, const char *kind, size_t pmu)
{
    const struct td_uarch *u = td_solver_uarch(l->pmu[pmu].solver);
    struct td_lane *grown, *lane;

    for (size_t i = 0; i < l->nlanes; i++)
        if (l->lane[i].pmu == pmu && !strcmp(l->lane[i].name, name) && l->lane[i].kind == kind)
            return (long)i;
    grown = realloc(l->lane, (l->nlanes + 1) * sizeof(*grown));
    if (!grown)
        return -1;
    l->lane = grown;
    lane = &grown[l->nlanes];
    *lane = (struct td_lane){.name = strdup(name), .kind = kind, .core = l->host.machine.hybrid ? u->core : 0, .pmu = pmu};
    if (!lane->name)
        return -1;
    return (long)l->nlanes++;
}

static int add_unit(struct td_liveset *l, const char *name, const char *kind, size_t pmu, const struct td_perf_target *t)
{
    struct td_live_unit *grown;
    char cleaned[NAME];
    long lane;

    for (size_t i = 0; i < l->nunits; i++) /* what is named twice is counted once */
        if (l->unit[i].pmu == pmu && l->unit[i].target.pid == t->pid && l->unit[i].target.cpu == t->cpu && l->unit[i].target.cgroup == t->cgroup)
            return 0;
    snprintf(cleaned, sizeof(cleaned), "%s", *name ? name : "?");
    clean(cleaned);
    lane = lane_for(l, cleaned, kind, pmu);
    grown = lane < 0 ? NULL : realloc(l->unit, (l->nunits + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    l->unit = grown;
    grown[l->nunits++] = (struct td_live_unit){.lane = (size_t)lane, .pmu = pmu, .target = *t};
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

/* Each of the cores has two threads online: half of what the only thread of a
 * core counts is not that core's clock. */
static bool all_paired(const struct td_host *h, const struct td_live *a)
{
    for (size_t i = 0; i < h->ncpus; i++)
        if (wanted(a, h->cpus[i].cpu) && !h->cpus[i].shared)
            return false;
    return true;
}

/* All siblings of the cores of the CPUs wanted are wanted too. */
static bool whole_cores(const struct td_host *h, const struct td_live *a)
{
    for (size_t i = 0; i < h->ncpus; i++)
        for (size_t k = 0; k < h->ncpus; k++)
            if (h->cpus[i].sibling == h->cpus[k].sibling && wanted(a, h->cpus[i].cpu) != wanted(a, h->cpus[k].cpu))
                return false;
    return true;
}

/* The scope that a CPU's counts go to, by perf's ids, and its kind. */
static const char *name_cpu(const struct finding *f, const struct td_host_cpu *c, char name[NAME])
{
    struct td_cpu_list list = {(int *)(uintptr_t)f->ask->cpus, f->ask->ncpus};
    char text[NAME - 8];

    switch (f->ask->by) {
    case TD_BY_CPU:
        snprintf(name, NAME, "CPU%d", c->cpu);
        return "cpu";
    case TD_BY_CORE:
        snprintf(name, NAME, "S%d-D%d-C%d", c->socket, c->die, c->core);
        return f->live->whole_core ? "core" : "cpu";
    case TD_BY_SOCKET:
        snprintf(name, NAME, "S%d", c->socket);
        return "socket";
    case TD_BY_NODE:
        snprintf(name, NAME, "N%d", c->node);
        return "node";
    default:
        break;
    }
    if (!list.n) {
        snprintf(name, NAME, "system");
        return "system";
    }
    td_cpu_list_text(&list, text, sizeof(text));
    snprintf(name, NAME, "CPU%s", text);
    return f->live->whole_core ? "system" : "cpu"; /* a part of the cores has no core-wide clock */
}

static void add_cpu(struct finding *f, const struct td_host_cpu *c, int cgroup, const char *cgroup_name)
{
    const struct td_perf_target t = {-1, c->cpu, cgroup};
    char name[NAME];
    const char *kind = cgroup_name ? "cgroup" : name_cpu(f, c, name);

    for (size_t p = 0; p < f->live->npmus && !f->err; p++)
        if (td_cpu_list_has(&f->live->pmu[p].host->cpus, c->cpu))
            f->err = add_unit(f->live, cgroup_name ? cgroup_name : name, kind, p, &t);
}

static void add_cpus(struct finding *f, int cgroup, const char *cgroup_name)
{
    for (size_t i = 0; i < f->live->host.ncpus && !f->err; i++)
        if (wanted(f->ask, f->live->host.cpus[i].cpu))
            add_cpu(f, &f->live->host.cpus[i], cgroup, cgroup_name);
}

static int check_cpus(struct finding *f)
{
    const struct td_host *h = &f->live->host;
    bool grouped = f->ask->by == TD_BY_CORE || f->ask->by == TD_BY_SOCKET || f->ask->by == TD_BY_NODE;

    if (!f->ask->ntasks && h->cpus_unknown)
        return td_session_fail(f->td, -EOPNOTSUPP, "/sys/devices/system/cpu/online cannot be read: the CPUs to measure are not known (is /sys mounted?)");
    if (grouped && h->topology_unknown)
        return td_session_fail(f->td, -EOPNOTSUPP, "sysfs does not tell the cores, sockets and nodes of the CPUs: measure by CPU (-A) or as a whole");
    for (size_t i = 0; i < f->ask->ncpus; i++)
        if (!td_host_cpu_find(&f->live->host, f->ask->cpus[i])) {
            snprintf(f->td->error, sizeof(f->td->error), "CPU %d is not online (see /sys/devices/system/cpu/online)", f->ask->cpus[i]);
            return -ENODEV;
        }
    return 0;
}

/* ---- tasks ---- */

static void comm_of(const struct td_os *os, pid_t pid, char buf[NAME / 2])
{
    if (!td_host_text(os, buf, NAME / 2, "/proc/%d/comm", (int)pid) || !*buf)
        snprintf(buf, NAME / 2, "pid");
}

static void add_task(struct finding *f, pid_t tid, const char *name)
{
    const struct td_perf_target t = {tid, -1, -1};

    for (size_t p = 0; p < f->live->npmus && !f->err; p++)
        f->err = add_unit(f->live, name, "thread", p, &t);
}

struct process {
    struct finding *f;
    pid_t pid;
    const char *name; /* of all its threads together, or NULL: each by itself */
};

static void name_thread(struct finding *f, pid_t pid, pid_t tid, char name[NAME])
{
    char comm[NAME / 2];

    if (!td_host_text(f->live->ask.os, comm, sizeof(comm), "/proc/%d/task/%d/comm", (int)pid, (int)tid) || !*comm)
        comm_of(f->live->ask.os, pid, comm);
    snprintf(name, NAME, "%s-%d", comm, (int)tid);
}

static int add_thread(void *arg, const char *text)
{
    const struct process *p = arg;
    pid_t tid = (pid_t)strtol(text, NULL, 10);
    char name[NAME];

    if (tid <= 0)
        return 0;
    if (!p->name)
        name_thread(p->f, p->pid, tid, name);
    add_task(p->f, tid, p->name ? p->name : name);
    return p->f->err;
}

/* One name for all tasks: the one given, the only process, or how many there are. */
static void name_tasks(const struct finding *f, char name[NAME])
{
    char comm[NAME / 2];

    if (f->ask->name) {
        snprintf(name, NAME, "%s", f->ask->name);
    } else if (f->ask->ntasks > 1) {
        snprintf(name, NAME, "%zu %s", f->ask->ntasks, f->ask->threads ? "threads" : "processes");
    } else {
        comm_of(f->live->ask.os, f->ask->tasks[0], comm);
        snprintf(name, NAME, "%s-%d", comm, (int)f->ask->tasks[0]);
    }
}

/* Of several tasks those that are there are measured. */
static void no_task(struct finding *f, pid_t pid)
{
    snprintf(f->td->error, sizeof(f->td->error), "there is no %s %d (see 'ps -e')", f->ask->threads ? "thread" : "process", (int)pid);
    if (f->ask->ntasks == 1)
        f->err = -ESRCH;
    else
        td_session_note(f->td, f->td->error);
}

static void add_tasks(struct finding *f)
{
    const bool each = f->ask->by == TD_BY_THREAD;
    const struct td_os *os = f->live->ask.os;
    char name[NAME], path[64], comm[64];

    name_tasks(f, name);
    for (size_t i = 0; i < f->ask->ntasks && !f->err; i++) {
        struct process p = {f, f->ask->tasks[i], each ? NULL : name};
        int err;

        snprintf(path, sizeof(path), "/proc/%d/task", (int)p.pid);
        if (!p.pid) /* the caller's own thread */
            add_task(f, 0, name);
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
    char path[512];
    int fd = -ENOENT;

    for (size_t i = 0; i < sizeof(roots) / sizeof(*roots) && fd < 0; i++) {
        snprintf(path, sizeof(path), "%s/%s", roots[i], name + (*name == '/'));
        fd = os->folder(os->ctx, path);
    }
    return fd;
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
    struct td_liveset *l = f->live;

    l->cgroup = calloc(f->ask->ncgroups, sizeof(*l->cgroup));
    if (!l->cgroup)
        f->err = -ENOMEM;
    for (size_t i = 0; i < f->ask->ncgroups && !f->err; i++) {
        int fd;

        if (stands_before(f->ask->cgroups, i))
            continue;
        fd = open_cgroup(l->ask.os, f->ask->cgroups[i]);

        if (fd < 0) {
            snprintf(f->td->error, sizeof(f->td->error), "there is no cgroup '%.100s' below /sys/fs/cgroup: %s", f->ask->cgroups[i], strerror(-fd));
            f->err = fd == -ENOMEM ? fd : -ENOENT;
            return;
        }
        l->cgroup[l->ncgroups++] = fd;
        add_cpus(f, fd, f->ask->cgroups[i]);
    }
}

int td_live_find_scopes(struct td *td, const struct td_live *ask)
{
    struct finding f = {td, td->live, ask, 0};

    f.live->tasks = ask->ntasks > 0;
    f.live->all_cpus = !ask->ntasks && !ask->ncpus;
    f.live->ask.clocks = f.live->tasks && f.live->host.machine.hybrid;
    f.live->whole_core = !ask->ntasks && !ask->ncgroups && ask->by != TD_BY_CPU && whole_cores(&f.live->host, ask);
    f.live->core_clock = f.live->whole_core && all_paired(&f.live->host, ask);
    if (ask->ntasks && (ask->ncgroups || ask->ncpus || (ask->by != TD_BY_ALL && ask->by != TD_BY_THREAD)))
        return td_session_fail(td, -EINVAL, "tasks cannot be measured by CPU, core, socket, node or cgroup");
    if (!ask->ntasks && ask->by == TD_BY_THREAD)
        return td_session_fail(td, -EINVAL, "counts by thread need the processes or threads to measure");
    if (ask->ncgroups && ask->by != TD_BY_ALL)
        return td_session_fail(td, -EINVAL, "each cgroup is one scope: it cannot be divided by CPU or core");
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
        return no_memory(td);
    if (!f.err && !f.live->nunits && ask->ntasks)
        return -ESRCH; /* said of the last of them */
    if (!f.err && !f.live->nunits)
        return td_session_fail(td, -ENODEV, "none of the CPUs wanted has a PMU that is to be measured");
    return f.err;
}
