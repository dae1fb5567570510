/* SPDX-License-Identifier: MIT */
/* What procfs, sysfs and the cgroup tree of the simulated machine say. */
#include "machine_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu"
#define NODE_FOLDER "/sys/devices/system/node"

enum { LIST_MAX = 4096 };

static bool given(const struct td_sim *s, const char *path)
{
    for (size_t i = 0; i < s->given.n; i++)
        if (!strcmp(s->given.file[i].path, path))
            return true;
    return false;
}

/* A default that a "file" line replaces. */
static int fallback(struct td_sim *s, const char *path, const char *text)
{
    return given(s, path) ? 0 : td_sim_file_put(&s->given, path, text);
}

static int pmu_files(struct td_sim *s, const struct td_sim_pmu *p)
{
    char path[128], text[LIST_MAX];
    int err;

    snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", p->name);
    snprintf(text, sizeof(text), "%u\n", p->type);
    err = fallback(s, path, text);
    if (!err && !p->arm) {
        snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/rdpmc", p->name);
        err = fallback(s, path, "1\n");
    }
    if (err || !strcmp(p->name, "cpu")) /* the only core PMU of a machine has no list of CPUs on x86 */
        return err;
    snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpus", p->name);
    td_sim_set_text(&p->cpus, text, sizeof(text));
    return fallback(s, path, text);
}

int td_sim_files_fixed(struct td_sim *s)
{
    static const struct {
        const char *path, *text;
    } defaults[] = {
        {"/proc/sys/kernel/perf_event_paranoid", "2\n"},
        {"/proc/sys/kernel/nmi_watchdog", "0\n"},
        {"/proc/sys/kernel/osrelease", "6.12.0-simulated\n"},
        {"/proc/self/cgroup", "0::/\n"},
        {"/sys/bus/event_source/devices/software/type", "1\n"},
        {"/sys/bus/event_source/devices/breakpoint/type", "5\n"},
        {"/sys/kernel/security/lockdown", "[none] integrity confidentiality\n"},
    };
    char status[160];
    int err = 0;

    for (size_t i = 0; !err && i < s->npmus; i++) {
        err = pmu_files(s, &s->pmu[i]);
        if (!err && s->pmu[i].arm) /* its driver makes it */
            err = fallback(s, "/proc/sys/kernel/perf_user_access", "0\n");
    }
    for (size_t i = 0; !err && i < sizeof(defaults) / sizeof(*defaults); i++)
        err = fallback(s, defaults[i].path, defaults[i].text);
    snprintf(status, sizeof(status), "Name:\ttdprobe\nCapEff:\t%016llx\nSeccomp:\t0\n", s->privileged ? 0x1ffffffffffULL : 0ULL);
    return err ? err : fallback(s, "/proc/self/status", status);
}

static void threads_of(const struct td_sim *s, unsigned cpu, struct td_sim_set *out)
{
    unsigned i = cpu;

    *out = (struct td_sim_set){0};
    do {
        if (s->cpu[i].online)
            td_sim_set_add(out, i);
        i = s->cpu[i].sibling;
    } while (i != cpu);
}

/* "# cat cpuinfo" of arm64, one processor (Linux arch/arm64/kernel/cpuinfo.c). */
static int arm_cpuinfo(struct td_sim *s)
{
    char *text = malloc(TD_OS_FILE_MAX);
    size_t at = 0;
    int err;

    if (!text)
        return -ENOMEM;
    for (unsigned i = 0; i < s->ncpus && at + 256 < TD_OS_FILE_MAX; i++) {
        uint64_t midr = s->cpu[i].midr;

        if (s->cpu[i].online && midr)
            at += (size_t)snprintf(text + at, TD_OS_FILE_MAX - at,
                                   "processor\t: %u\nCPU implementer\t: 0x%02x\nCPU architecture: 8\nCPU variant\t: 0x%x\n"
                                   "CPU part\t: 0x%03x\nCPU revision\t: %u\n\n",
                                   i, (unsigned)(midr >> 24 & 0xff), (unsigned)(midr >> 20 & 0xf), (unsigned)(midr >> 4 & 0xfff),
                                   (unsigned)(midr & 0xf));
    }
    err = at ? td_sim_file_put(&s->made, "/proc/cpuinfo", text) : 0;
    free(text);
    return err;
}

/* Offline CPUs keep only the file "online", as in Linux. */
static int cpu_files(struct td_sim *s, unsigned i, bool *smt)
{
    const struct td_sim_cpu *c = &s->cpu[i];
    struct td_sim_files *f = &s->made;
    struct td_sim_set threads;
    char list[LIST_MAX], text[32];
    int err = 0;

    if (i) /* the boot CPU cannot go off, and has no such file */
        err = td_sim_file_format(f, c->online ? "1\n" : "0\n", CPU_FOLDER "/cpu%u/online", i);
    if (!c->online || err)
        return err;
    threads_of(s, i, &threads);
    td_sim_set_text(&threads, list, sizeof(list));
    *smt = *smt || strpbrk(list, ",-");
    err = td_sim_file_format(f, list, CPU_FOLDER "/cpu%u/topology/thread_siblings_list", i);
    if (!err)
        err = td_sim_file_format(f, list, CPU_FOLDER "/cpu%u/topology/core_cpus_list", i);
    snprintf(text, sizeof(text), "%u\n", c->core);
    if (!err)
        err = td_sim_file_format(f, text, CPU_FOLDER "/cpu%u/topology/core_id", i);
    snprintf(text, sizeof(text), "%u\n", c->package);
    if (!err)
        err = td_sim_file_format(f, text, CPU_FOLDER "/cpu%u/topology/physical_package_id", i);
    if (!err)
        err = td_sim_file_format(f, "0\n", CPU_FOLDER "/cpu%u/topology/die_id", i);
    snprintf(text, sizeof(text), "0x%016llx\n", (unsigned long long)c->midr);
    if (!err && c->midr)
        err = td_sim_file_format(f, text, CPU_FOLDER "/cpu%u/regs/identification/midr_el1", i);
    return err;
}

static int node_files(struct td_sim *s)
{
    struct td_sim_set nodes = {0};
    char list[LIST_MAX];
    int err = 0;

    for (unsigned n = 0; !err && n < s->nodes; n++) {
        struct td_sim_set cpus = {0};

        td_sim_set_add(&nodes, n);
        for (unsigned i = 0; i < s->ncpus; i++)
            if (s->cpu[i].online && s->cpu[i].node == n)
                td_sim_set_add(&cpus, i);
        td_sim_set_text(&cpus, list, sizeof(list));
        err = td_sim_file_format(&s->made, list, NODE_FOLDER "/node%u/cpulist", n);
    }
    td_sim_set_text(&nodes, list, sizeof(list));
    return err ? err : td_sim_file_put(&s->made, NODE_FOLDER "/online", list);
}

static int all_cpus(struct td_sim *s)
{
    struct td_sim_set online = {0}, possible = {0};
    char list[LIST_MAX];
    bool smt = false;
    int err = 0;

    for (unsigned i = 0; !err && i < s->ncpus; i++) {
        if (!s->cpu[i].exists)
            continue;
        td_sim_set_add(&possible, i);
        if (s->cpu[i].online)
            td_sim_set_add(&online, i);
        err = cpu_files(s, i, &smt);
    }
    td_sim_set_text(&online, list, sizeof(list));
    if (!err)
        err = td_sim_file_put(&s->made, CPU_FOLDER "/online", list);
    td_sim_set_text(&possible, list, sizeof(list));
    if (!err)
        err = td_sim_file_put(&s->made, CPU_FOLDER "/possible", list);
    if (!err)
        err = td_sim_file_put(&s->made, CPU_FOLDER "/present", list);
    return err ? err : td_sim_file_put(&s->made, CPU_FOLDER "/smt/active", smt ? "1\n" : "0\n");
}

static int task_files(struct td_sim *s, const struct td_sim_task *t)
{
    char text[512];
    int err;

    snprintf(text, sizeof(text), "%.31s\n", t->name);
    err = td_sim_file_format(&s->made, text, "/proc/%d/task/%d/comm", (int)t->pid, (int)t->tid);
    if (!err) /* of other threads as well: Linux hides them from listings only */
        err = td_sim_file_format(&s->made, text, "/proc/%d/comm", (int)t->tid);
    if (err || t->pid != t->tid)
        return err;
    snprintf(text, sizeof(text), "0::/%.400s\n", s->group[t->cgroup].path);
    return err ? err : td_sim_file_format(&s->made, text, "/proc/%d/cgroup", (int)t->pid);
}

static int group_files(struct td_sim *s, size_t group)
{
    const char *path = s->group[group].path;
    char text[4096];
    size_t at = 0;
    int err;

    text[0] = '\0';
    for (const struct td_sim_task *t = s->tasks; t && at + 16 < sizeof(text); t = t->link)
        if (t->cgroup == group && t->pid && t->pid == t->tid && !t->dead)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%d\n", (int)t->pid);
    err = td_sim_file_format(&s->made, text, "/sys/fs/cgroup%s%s/cgroup.procs", *path ? "/" : "", path);
    return err ? err : td_sim_file_format(&s->made, "cpuset cpu io memory pids\n", "/sys/fs/cgroup%s%s/cgroup.controllers", *path ? "/" : "", path);
}

int td_sim_files_make(struct td_sim *s)
{
    int err;

    td_sim_files_free(&s->made);
    err = all_cpus(s);
    if (!err)
        err = node_files(s);
    if (!err)
        err = arm_cpuinfo(s);
    for (const struct td_sim_task *t = s->tasks; !err && t; t = t->link)
        if (t->pid && !t->dead)
            err = task_files(s, t);
    for (size_t i = 0; !err && i < s->ngroups; i++)
        err = group_files(s, i);
    return err;
}
