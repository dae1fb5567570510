/* SPDX-License-Identifier: MIT */
#include "sim/kernel/sysfs.h"

#include "sim/kernel/event_attr.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu"
#define NODE_FOLDER "/sys/devices/system/node"
#define PMU_FOLDER "/sys/bus/event_source/devices"

/* ---- texts that grow --------------------------------------------------------------- */

struct growing_text {
    char *at;
    size_t len, room;
    int err;
};

static void append(struct growing_text *t, const char *line)
{
    const size_t len = strlen(line), room = t->room > t->len + len ? t->room : 2 * (t->room + len) + 64;
    char *more = t->err ? NULL : room == t->room ? t->at : realloc(t->at, room);

    if (!more) {
        t->err = -ENOMEM;
        return;
    }
    t->at = more;
    t->room = room;
    memcpy(t->at + t->len, line, len + 1);
    t->len += len;
}

/* ---- what does not change -------------------------------------------------------- */

/* "0-3,8" and a newline; NULL: out of memory. */
static char *list_text(const struct td_cpu_set *set)
{
    char *list = td_cpu_set_text(set), *text = NULL;

    if (list && asprintf(&text, "%s\n", list) < 0)
        text = NULL;
    free(list);
    return text;
}

static int put_list(struct td_sim_tree *t, const char *path, const struct td_cpu_set *set)
{
    char *text = list_text(set);
    int err = text ? td_sim_file_put(t, path, text) : -ENOMEM;

    free(text);
    return err;
}

static int pmu_files(struct td_sim_tree *t, const struct td_sim_pmu *p)
{
    char path[128], text[32];
    int err;

    snprintf(text, sizeof(text), "%u\n", p->type);
    err = td_sim_file_format(t, text, PMU_FOLDER "/%s/type", p->name);
    if (!err && !p->arm)
        err = td_sim_file_format(t, "1\n", PMU_FOLDER "/%s/rdpmc", p->name);
    if (!err)
        err = td_sim_file_format(t, "4\n", PMU_FOLDER "/%s/perf_event_mux_interval_ms", p->name);
    if (!err && p->arm) /* drivers/perf/arm_pmuv3.c makes it */
        err = td_sim_file_put(t, "/proc/sys/kernel/perf_user_access", "0\n");
    if (err || !strcmp(p->name, "cpu")) /* on x86 the only core PMU of a machine has no list of CPUs */
        return err;
    snprintf(path, sizeof(path), PMU_FOLDER "/%s/cpus", p->name);
    return put_list(t, path, &p->cpus);
}

static int tsc_files(struct td_sim_tree *t)
{
    char type[16];
    int err;

    snprintf(type, sizeof(type), "%d\n", TD_SIM_MSR_TYPE);
    err = td_sim_file_put(t, PMU_FOLDER "/msr/type", type);
    return err ? err : td_sim_file_put(t, PMU_FOLDER "/msr/events/tsc", "event=0x00\n");
}

int td_sim_sysfs_begin(struct td_sim *s)
{
    const struct {
        const char *path, *text;
    } defaults[] = {
        {"/proc/sys/kernel/perf_event_paranoid", "2\n"},
        {"/proc/sys/kernel/nmi_watchdog", s->watchdog.on ? "1\n" : "0\n"},
        {"/proc/sys/kernel/hostname", "simulated\n"},
        {"/proc/sys/kernel/osrelease", s->handler ? "6.12.0-simulated\n" : "6.14.0-simulated\n"},
        {"/proc/self/cgroup", "0::/\n"},
        {PMU_FOLDER "/software/type", "1\n"},
        {PMU_FOLDER "/breakpoint/type", "5\n"},
        {"/sys/kernel/security/lockdown", "[none] integrity confidentiality\n"},
    };
    char status[160];
    int err = 0;

    s->sysfs.cpus_stale = s->sysfs.tasks_stale = true;
    for (size_t i = 0; !err && i < s->hw.npmus; i++)
        err = pmu_files(&s->sysfs.given, &s->hw.pmu[i]);
    for (size_t i = 0; !err && i < sizeof(defaults) / sizeof(*defaults); i++)
        err = td_sim_file_put(&s->sysfs.given, defaults[i].path, defaults[i].text);
    if (!err && s->tsc)
        err = tsc_files(&s->sysfs.given);
    snprintf(status, sizeof(status), "Name:\ttdprobe\nCapEff:\t%016llx\nSeccomp:\t0\n",
             s->privileged ? 0x1ffffffffffULL
             : s->perfmon  ? 0x4000000000ULL
                           : 0ULL);
    return err ? err : td_sim_file_put(&s->sysfs.given, "/proc/self/status", status);
}

void td_sim_sysfs_free(struct td_sim_sysfs *f)
{
    td_sim_tree_free(&f->given);
    td_sim_tree_free(&f->cpus);
    td_sim_tree_free(&f->tasks);
}

/* ---- CPUs ------------------------------------------------------------------------ */

/* /proc/cpuinfo of arm64 (Linux arch/arm64/kernel/cpuinfo.c); machines without Arm CPUs have none. */
static int arm_cpuinfo(struct td_sim *s)
{
    struct growing_text text = {.at = NULL};

    for (unsigned i = 0; i < s->hw.ncpus; i++) {
        const unsigned midr = (unsigned)s->hw.cpu[i].midr;
        char one[256];

        if (!s->hw.cpu[i].online || !midr)
            continue;
        snprintf(one, sizeof(one),
                 "processor\t: %u\nCPU implementer\t: 0x%02x\nCPU architecture: 8\nCPU variant\t: 0x%x\n"
                 "CPU part\t: 0x%03x\nCPU revision\t: %u\n\n",
                 i, midr >> 24 & 0xff, midr >> 20 & 0xf, midr >> 4 & 0xfff, midr & 0xf);
        append(&text, one);
    }
    if (!text.err && text.len)
        text.err = td_sim_file_put(&s->sysfs.cpus, "/proc/cpuinfo", text.at);
    free(text.at);
    return text.err;
}

/* The list of the online threads of a core; smt becomes true if there are several. */
static char *threads_text(const struct td_sim_hw *hw, unsigned cpu, bool *smt)
{
    struct td_cpu_set threads = {0};
    unsigned i = cpu, n = 0;
    char *text = NULL;
    int err = 0;

    do {
        if (hw->cpu[i].online) {
            err = err ? err : td_cpu_set_add(&threads, i, i);
            n++;
        }
        i = hw->cpu[i].sibling;
    } while (i != cpu);
    if (!err)
        text = list_text(&threads);
    td_cpu_set_free(&threads);
    *smt = *smt || n > 1;
    return text;
}

/* A number in a CPU's folder "topology". */
static int topology_number(struct td_sim_tree *t, unsigned cpu, const char *name, unsigned number)
{
    char text[16];

    snprintf(text, sizeof(text), "%u\n", number);
    return td_sim_file_format(t, text, CPU_FOLDER "/cpu%u/topology/%s", cpu, name);
}

/* As in Linux, offline CPUs have only the file "online". */
static int cpu_files(struct td_sim *s, unsigned i, bool *smt)
{
    const struct td_sim_cpu *c = &s->hw.cpu[i];
    struct td_sim_tree *t = &s->sysfs.cpus;
    char *threads, midr[32];
    int err = 0;

    if (i) /* the boot CPU cannot go offline, so it has no such file */
        err = td_sim_file_format(t, c->online ? "1\n" : "0\n", CPU_FOLDER "/cpu%u/online", i);
    if (!c->online || err)
        return err;
    threads = threads_text(&s->hw, i, smt);
    err = threads ? td_sim_file_format(t, threads, CPU_FOLDER "/cpu%u/topology/thread_siblings_list", i) : -ENOMEM;
    if (!err)
        err = td_sim_file_format(t, threads, CPU_FOLDER "/cpu%u/topology/core_cpus_list", i);
    free(threads);
    if (!err)
        err = topology_number(t, i, "core_id", c->core);
    if (!err)
        err = topology_number(t, i, "physical_package_id", c->package);
    if (!err)
        err = topology_number(t, i, "die_id", 0);
    snprintf(midr, sizeof(midr), "0x%016llx\n", (unsigned long long)c->midr);
    if (!err && c->midr)
        err = td_sim_file_format(t, midr, CPU_FOLDER "/cpu%u/regs/identification/midr_el1", i);
    return err;
}

static int each_cpu(struct td_sim *s)
{
    bool smt = false;
    int err = 0;

    for (unsigned i = 0; !err && i < s->hw.ncpus; i++)
        if (s->hw.cpu[i].exists)
            err = cpu_files(s, i, &smt);
    return err ? err : td_sim_file_put(&s->sysfs.cpus, CPU_FOLDER "/smt/active", smt ? "1\n" : "0\n");
}

static int cpu_lists(struct td_sim *s)
{
    struct td_cpu_set online = {0}, possible = {0};
    struct td_sim_tree *t = &s->sysfs.cpus;
    int err = 0;

    for (unsigned i = 0; !err && i < s->hw.ncpus; i++) {
        if (s->hw.cpu[i].exists)
            err = td_cpu_set_add(&possible, i, i);
        if (!err && s->hw.cpu[i].online)
            err = td_cpu_set_add(&online, i, i);
    }
    if (!err)
        err = put_list(t, CPU_FOLDER "/online", &online);
    if (!err)
        err = put_list(t, CPU_FOLDER "/possible", &possible);
    if (!err)
        err = put_list(t, CPU_FOLDER "/present", &possible);
    td_cpu_set_free(&online);
    td_cpu_set_free(&possible);
    return err;
}

static int node_files(struct td_sim *s)
{
    struct td_cpu_set nodes = {0};
    int err = 0;

    for (unsigned n = 0; !err && n < s->hw.nodes; n++) {
        struct td_cpu_set cpus = {0};
        char path[64];

        snprintf(path, sizeof(path), NODE_FOLDER "/node%u/cpulist", n);
        for (unsigned i = 0; !err && i < s->hw.ncpus; i++)
            if (s->hw.cpu[i].online && s->hw.cpu[i].node == n)
                err = td_cpu_set_add(&cpus, i, i);
        if (!err)
            err = put_list(&s->sysfs.cpus, path, &cpus);
        td_cpu_set_free(&cpus);
    }
    if (!err && s->hw.nodes)
        err = td_cpu_set_add(&nodes, 0, s->hw.nodes - 1);
    if (!err)
        err = put_list(&s->sysfs.cpus, NODE_FOLDER "/online", &nodes);
    td_cpu_set_free(&nodes);
    return err;
}

/* ---- tasks and cgroups ------------------------------------------------------------- */

/* Files whose text is made when they are read. */
static int task_counts(struct td_sim *s, const struct td_sim_task *t, const char *file)
{
    int err = td_sim_file_format(&s->sysfs.tasks, "", "/proc/%d/task/%d/%s", (int)t->pid, (int)t->tid, file);

    return err ? err : td_sim_file_format(&s->sysfs.tasks, "", "/proc/%d/%s", (int)t->tid, file);
}

static int task_files(struct td_sim *s, const struct td_sim_task *t)
{
    struct td_sim_tree *to = &s->sysfs.tasks;
    char name[64], *cgroup;
    int err;

    snprintf(name, sizeof(name), "%s\n", t->name);
    err = td_sim_file_format(to, name, "/proc/%d/task/%d/comm", (int)t->pid, (int)t->tid);
    if (!err) /* for each thread: Linux hides those that are not processes from listings only */
        err = td_sim_file_format(to, name, "/proc/%d/comm", (int)t->tid);
    err = err ? err : task_counts(s, t, "status");
    err = err ? err : task_counts(s, t, "schedstat");
    err = err ? err : task_counts(s, t, "maps");
    if (err || t->pid != t->tid)
        return err;
    if (asprintf(&cgroup, "0::/%s\n", s->cgroups.path[t->cgroup]) < 0)
        return -ENOMEM;
    err = td_sim_file_format(to, cgroup, "/proc/%d/cgroup", (int)t->pid);
    free(cgroup);
    return err;
}

static int cgroup_files(struct td_sim *s, size_t cgroup)
{
    const char *path = s->cgroups.path[cgroup], *slash = *path ? "/" : "";
    struct td_sim_tree *to = &s->sysfs.tasks;
    struct growing_text text = {.at = NULL};
    char pid[16];

    for (const struct td_sim_task *t = s->tasks.first; t; t = t->link) {
        if (t->cgroup != cgroup || !t->pid || t->pid != t->tid || t->dead)
            continue;
        snprintf(pid, sizeof(pid), "%d\n", (int)t->pid);
        append(&text, pid);
    }
    if (!text.err)
        text.err = td_sim_file_format(to, text.len ? text.at : "", "/sys/fs/cgroup%s%s/cgroup.procs", slash, path);
    free(text.at);
    return text.err ? text.err
                    : td_sim_file_format(to, "cpuset cpu io memory pids\n", "/sys/fs/cgroup%s%s/cgroup.controllers",
                                         slash, path);
}

/* ---- looking ------------------------------------------------------------------------ */

static int make_cpus(struct td_sim *s)
{
    int err;

    td_sim_tree_free(&s->sysfs.cpus);
    err = each_cpu(s);
    if (!err)
        err = cpu_lists(s);
    if (!err)
        err = node_files(s);
    return err ? err : arm_cpuinfo(s);
}

static int make_tasks(struct td_sim *s)
{
    int err = 0;

    td_sim_tree_free(&s->sysfs.tasks);
    for (const struct td_sim_task *t = s->tasks.first; !err && t; t = t->link)
        if (t->pid && !t->dead)
            err = task_files(s, t);
    for (size_t i = 0; !err && i < s->cgroups.n; i++)
        err = s->cgroups.absent[i] ? 0 : cgroup_files(s, i);
    return err;
}

enum { TREES = 3 };

static int all_trees(struct td_sim *s, const struct td_sim_tree *trees[TREES])
{
    struct td_sim_sysfs *f = &s->sysfs;
    int err = f->cpus_stale ? make_cpus(s) : 0;

    f->cpus_stale = err != 0;
    if (!err && f->tasks_stale)
        err = make_tasks(s);
    f->tasks_stale = f->tasks_stale && err;
    trees[0] = &f->given;
    trees[1] = &f->cpus;
    trees[2] = &f->tasks;
    return err;
}

enum { TASK_TEXT = 200 };

static bool hidden(const struct td_sim *s, const char *path)
{
    return td_sim_file_hidden(&s->sysfs.given, path);
}

/* True if there is a file here or below that is not hidden. */
static bool visible(const struct td_sim *s, const struct td_sim_node *n)
{
    if (hidden(s, n->path))
        return false;
    if (n->text)
        return true;
    for (const struct td_sim_node *c = n->child; c; c = c->next)
        if (visible(s, c))
            return true;
    return false;
}

/* /proc/PID/maps: the file that the task executes. */
static void maps_text(const struct td_sim *s, const struct td_sim_task *t, char text[TASK_TEXT])
{
    const struct td_sim_image *i = td_sim_work_image(&s->hw.works, t->runner.work);

    if (i)
        snprintf(text, TASK_TEXT, "%08llx-%08llx r-xp 00000000 00:00 0 %s\n", (unsigned long long)i->start,
                 (unsigned long long)(i->start + i->size), i->path);
}

/* status, schedstat and maps of a task (Linux Documentation/filesystems/proc.rst and scheduler/sched-stats.rst). */
static void task_text(struct td_sim *s, const char *path, char text[TASK_TEXT])
{
    const char *name = strrchr(path, '/') + 1;
    const char *number = name - 1;
    const struct td_sim_task *t;

    while (number > path && number[-1] != '/')
        number--;
    t = td_sim_task_find(&s->tasks, (pid_t)strtol(number, NULL, 10));
    *text = '\0';
    if (!t)
        return;
    if (t->cpu >= 0)
        td_sim_core_sync(&s->hw, (unsigned)t->cpu, s->hw.now);
    if (!strcmp(name, "maps"))
        maps_text(s, t, text);
    else if (!strcmp(name, "status"))
        snprintf(text, TASK_TEXT, "Name:\t%s\nvoluntary_ctxt_switches:\t%llu\nnonvoluntary_ctxt_switches:\t%llu\n",
                 t->name, (unsigned long long)t->voluntary, (unsigned long long)t->involuntary);
    else
        snprintf(text, TASK_TEXT, "%llu 0 %llu\n", (unsigned long long)t->runner.ran,
                 (unsigned long long)(t->voluntary + t->involuntary));
}

static ssize_t copy_text(const char *text, char *buf, size_t size)
{
    size_t len = strlen(text);

    if (!size)
        return 0;
    len = len < size ? len : size - 1;
    memcpy(buf, text, len);
    buf[len] = '\0';
    return (ssize_t)len;
}

ssize_t td_sim_os_file(void *ctx, const char *path, char *buf, size_t size)
{
    struct td_sim *s = ctx;
    const struct td_sim_tree *trees[TREES];
    int err = all_trees(s, trees);

    if (err)
        return err;
    if (hidden(s, path))
        return -ENOENT;
    err = -ENOENT;
    for (size_t i = 0; i < TREES; i++) {
        const struct td_sim_node *n = td_sim_file_find(trees[i], path, strlen(path));

        if (n && n->text && !*n->text && !strncmp(path, "/proc/", strlen("/proc/")) && trees[i] == &s->sysfs.tasks) {
            char text[TASK_TEXT];

            task_text(s, path, text);
            return copy_text(text, buf, size);
        }
        if (n && n->text)
            return copy_text(n->text, buf, size);
        if (n && visible(s, n))
            err = -EISDIR;
    }
    return err;
}

/* Files of a description are everybody's. A process whose root has none there has ended. */
ssize_t td_sim_os_file_of(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size)
{
    char whole[512];
    int root = 0;

    (void)user;
    if (pid)
        root = snprintf(whole, sizeof(whole), "/proc/%ld/root", (long)pid);
    if (pid && td_sim_os_file(ctx, whole, buf, size) == -ENOENT)
        return -ESRCH;
    return snprintf(whole + root, sizeof(whole) - (size_t)root, "%s", path) < (int)sizeof(whole) - root
               ? td_sim_os_file(ctx, whole, buf, size)
               : -ENAMETOOLONG;
}

/* True if an earlier tree also shows the path, so that its name was already given. */
static bool given_before(const struct td_sim *s, const struct td_sim_tree *const trees[TREES], size_t i,
                         const struct td_sim_node *n)
{
    while (i-- > 0) {
        const struct td_sim_node *same = td_sim_file_find(trees[i], n->path, n->len);

        if (same && visible(s, same))
            return true;
    }
    return false;
}

int td_sim_os_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    struct td_sim *s = ctx;
    const struct td_sim_tree *trees[TREES];
    size_t len = strlen(path);
    int err = all_trees(s, trees);
    bool found = false;

    while (len && path[len - 1] == '/')
        len--;
    for (size_t i = 0; !err && i < TREES; i++) {
        const struct td_sim_node *n = td_sim_file_find(trees[i], path, len);

        if (n && n->text && visible(s, n))
            return -ENOTDIR;
        for (const struct td_sim_node *c = n ? n->child : NULL; !err && c; c = c->next) {
            if (!visible(s, c))
                continue;
            found = true;
            if (*td_sim_file_name(c) && !given_before(s, trees, i, c))
                err = each(arg, td_sim_file_name(c));
        }
    }
    return err || found ? err : -ENOENT;
}
