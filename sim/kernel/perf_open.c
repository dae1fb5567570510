/* SPDX-License-Identifier: MIT */
/* The rules are those of perf_event_open() and find_get_context() in Linux
 * kernel/events/core.c, and of x86_pmu validate_group(). */
#include "sim/kernel/perf_calls.h"

#include "sim/kernel/clock.h"
#include "sim/kernel/counters.h"
#include "sim/kernel/event_attr.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/sampler.h"
#include "sim/kernel/sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int paranoid(struct td_sim *s)
{
    char text[16];
    int level = 0, sign;

    if (td_sim_os_file(s, "/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) <= 0)
        return 2;
    sign = *text == '-' ? -1 : 1;
    for (const char *at = text + (sign < 0); *at >= '0' && *at <= '9'; at++)
        level = level < 1000 ? level * 10 + (*at - '0') : level;
    return sign * level;
}

/* True if perf_event_paranoid is below the limit, or the caller is perfmon_capable(). */
static bool allowed(struct td_sim *s, int below)
{
    return s->privileged || s->perfmon || paranoid(s) < below;
}

/* perf_paranoid_any() of Debian's and Ubuntu's kernels, which asks for CAP_SYS_ADMIN. */
static bool shut(struct td_sim *s)
{
    return !s->mainline && !s->privileged && paranoid(s) > 2;
}

static struct td_sim_task *task_of(const struct td_sim *s, pid_t tid)
{
    struct td_sim_task *t = tid ? td_sim_task_find(&s->tasks, tid) : s->caller.task;

    return t && (!t->dead || !tid) ? t : NULL;
}

/* ---- where ---------------------------------------------------------------- */

static int find_place(struct td_sim *s, pid_t pid, int cpu, unsigned long flags, struct td_sim_event *e)
{
    e->cpu = cpu;
    if (flags & PERF_FLAG_PID_CGROUP) {
        const struct td_sim_fd *folder = td_sim_fd_find(&s->fds, pid);

        if (pid == -1 || cpu == -1)
            return -EINVAL;
        if (!folder || folder->what != TD_SIM_FD_CGROUP)
            return -EBADF;
        e->cgroup = folder->number + 1;
        e->made = s->cgroups.made[folder->number];
        return 0;
    }
    if (pid == -1)
        return cpu == -1 ? -EINVAL : 0;
    e->task = task_of(s, pid);
    return e->task ? 0 : -ESRCH;
}

/* Whether an event can be on its CPU; checks in the kernel's order, which decides the error. */
static int check_cpu(struct td_sim *s, const struct td_sim_event *e)
{
    if (e->cpu < -1 || (e->cpu >= 0 && (unsigned)e->cpu >= s->hw.ncpus))
        return -EINVAL;
    if (e->cpu >= 0 && e->pmu != TD_SIM_NONE && !td_cpu_set_has(&s->hw.pmu[e->pmu].cpus, (unsigned)e->cpu))
        return -ENOENT;
    if (!e->task && !allowed(s, 1))
        return -EACCES;
    if (e->cpu >= 0 && !s->hw.cpu[e->cpu].online)
        return -ENODEV;
    return 0;
}

/* x86_pmu_hw_config(): PEBS of no event that does not sample, and no more of it than the PMU has. */
static int check_precise(struct td_sim *s, const struct perf_event_attr *attr, const struct td_sim_event *e)
{
    const struct td_sim_pmu *p = e->kind == TD_SIM_SOFT ? NULL : &s->hw.pmu[e->pmu];
    char path[96], most[8] = "0";

    if (!attr->precise_ip || !p || p->arm)
        return 0;
    snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/caps/max_precise", p->name);
    td_sim_os_file(s, path, most, sizeof(most));
    if (attr->precise_ip > (unsigned)(*most - '0'))
        return -EOPNOTSUPP;
    return attr->sample_period ? 0 : -EINVAL;
}

static int check_group(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *leader,
                       struct td_sim_event *e)
{
    size_t pmu = leader ? td_sim_group_pmu(leader) : TD_SIM_NONE;
    struct td_sim_fit fit = {.counters = 0};

    if (leader) {
        if (leader->leader != leader || leader->cpu != e->cpu || leader->task != e->task || leader->cgroup != e->cgroup)
            return -EINVAL;
        if (attr->pinned || attr->exclusive || (!leader->context && !leader->task))
            return -EINVAL;
        if (pmu != TD_SIM_NONE && e->pmu != TD_SIM_NONE && pmu != e->pmu)
            return -EINVAL;
    }
    if (e->kind == TD_SIM_SOFT)
        return 0;
    fit.counters = td_sim_fit_counters(&s->hw.pmu[e->pmu]);
    return td_sim_fit_group(&fit, leader, e, false) ? 0 : -EINVAL;
}

static int check_attr(struct td_sim *s, const struct perf_event_attr *attr, unsigned long flags)
{
    if (flags & ~(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC))
        return -EINVAL;
    if (attr->size && attr->size < PERF_ATTR_SIZE_VER0)
        return -E2BIG;
    if (attr->read_format >= 2 * TD_SIM_FORMAT_LOST || (attr->context_switch && s->opening.no_switches))
        return -EINVAL;
    if (s->opening.refuse)
        return -s->opening.refuse;
    if (shut(s))
        return -EACCES;
    return attr->exclude_kernel || allowed(s, 2) ? 0 : -EACCES;
}

/* perf_event_alloc(): the values in samples of inherited events are those of a thread, which must be told. */
static int check_inherit(const struct td_sim *s, const struct perf_event_attr *attr)
{
    if (!attr->inherit || !(attr->sample_type & PERF_SAMPLE_READ))
        return 0;
    return attr->sample_type & PERF_SAMPLE_TID && !s->opening.no_inherited_read ? 0 : -EINVAL;
}

static int open_event(struct td_sim *s, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                      unsigned long flags, struct td_sim_event *e)
{
    struct td_sim_event *leader = group == -1 ? NULL : td_sim_fd_event(&s->fds, group);
    uint64_t config;
    int err = check_attr(s, attr, flags);

    if (!err && group != -1 && !leader)
        err = -EBADF;
    if (!err)
        err = find_place(s, pid, cpu, flags, e);
    if (!err && (cpu < -1 || cpu >= (int)s->hw.ncpus))
        err = -EINVAL;
    if (!err)
        err = check_inherit(s, attr);
    if (!err)
        err = td_sim_attr_pmu(s, attr, e, &config);
    if (!err && e->kind == TD_SIM_COUNT && td_sim_attr_any(s, e, config) && !allowed(s, 1))
        err = -EACCES;
    if (!err)
        err = td_sim_attr_counters(s, attr, config, leader, e);
    if (!err)
        err = check_precise(s, attr, e);
    if (!err)
        err = td_sim_sampler_init(attr, e);
    if (!err)
        err = check_cpu(s, e);
    if (!err)
        err = check_group(s, attr, leader, e);
    if (err)
        return err;
    td_sim_attr_set(s, attr, e);
    e->id = ++s->opening.ids;
    e->fd = td_sim_fd_open(&s->fds, &(struct td_sim_fd){.what = TD_SIM_FD_EVENT, .event = e});
    if (e->fd >= 0)
        td_sim_event_install(s, leader, e);
    return e->fd;
}

int td_sim_os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                        unsigned long flags)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = calloc(1, sizeof(*e));
    int fd;

    s->calls.perf_open++;
    if (!e)
        return -ENOMEM;
    td_sim_call(s);
    fd = open_event(s, attr, pid, cpu, group, flags, e);
    if (fd < 0)
        free(e);
    return fd;
}
