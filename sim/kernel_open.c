/* SPDX-License-Identifier: MIT */
/* perf_event_open(2) of the simulated kernel: what it takes and what it refuses.
 * The rules are those of perf_event_open() and find_get_context() in Linux
 * kernel/events/core.c, of intel_pmu_hw_config() and x86_pmu validate_group(). */
#include "kernel_page.h"
#include "machine_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFIG_SLOTS = 0x400,
    CONFIG_METRIC = 0x8000,
    CONFIG_METRIC_LAST = 0x8700,
    EVENT_AND_UMASK = 0xffff,
    ANY_THREAD = 1 << 21,
};

static int paranoid(const struct td_sim *s)
{
    char text[16];
    int level = 0, sign;

    if (td_sim_os_file((void *)(uintptr_t)s, "/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) <= 0)
        return 2;
    sign = *text == '-' ? -1 : 1;
    for (const char *at = text + (sign < 0); *at >= '0' && *at <= '9'; at++)
        level = level * 10 + (*at - '0');
    return sign * level;
}

/* True if the level is below the limit or the caller may do everything. */
static bool allowed(const struct td_sim *s, int below)
{
    return s->privileged || paranoid(s) < below;
}

static struct td_sim_task *task_of(const struct td_sim *s, pid_t tid)
{
    struct td_sim_task *t;

    if (!tid)
        return s->self;
    for (t = s->tasks; t && (t->tid != tid || t->dead); t = t->link)
        ;
    return t;
}

/* ---- which PMU, which event ------------------------------------------------ */

/* PERF_TYPE_RAW and PERF_TYPE_HARDWARE go to the PMU of type 4; on Arm, whose
 * PMUs have other types, to the first. */
static size_t generic_pmu(const struct td_sim *s)
{
    for (size_t i = 0; i < s->npmus; i++)
        if (s->pmu[i].type == PERF_TYPE_RAW)
            return i;
    return s->npmus && s->pmu[0].arm ? 0 : TD_SIM_PMUS;
}

static size_t pmu_of_type(const struct td_sim *s, uint32_t type)
{
    for (size_t i = 0; i < s->npmus; i++)
        if (s->pmu[i].type == type)
            return i;
    return type == PERF_TYPE_RAW ? generic_pmu(s) : TD_SIM_PMUS;
}

/* The encodings of generic events; the rest is unknown here. */
static int generic_config(const struct td_sim_pmu *p, uint64_t id, uint64_t *config)
{
    switch (id) {
    case PERF_COUNT_HW_CPU_CYCLES:
        *config = p->arm ? 0x11 : 0x3c;
        return 0;
    case PERF_COUNT_HW_INSTRUCTIONS:
        *config = p->arm ? 0x08 : 0xc0;
        return 0;
    case PERF_COUNT_HW_REF_CPU_CYCLES:
        *config = 0x300;
        return p->arm ? -ENOENT : 0;
    default:
        return -ENOENT;
    }
}

static int find_pmu(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e, uint64_t *config)
{
    uint32_t type = attr->type;
    int err = 0;

    *config = attr->config;
    if (type == PERF_TYPE_SOFTWARE) {
        e->kind = TD_SIM_SOFT;
        e->pmu = TD_SIM_PMUS;
        e->software = attr->config;
        return attr->config < PERF_COUNT_SW_MAX ? 0 : -ENOENT;
    }
    if (type == PERF_TYPE_HARDWARE) {
        type = (uint32_t)(attr->config >> 32);
        e->pmu = type ? pmu_of_type(s, type) : generic_pmu(s);
        if (e->pmu < TD_SIM_PMUS)
            err = generic_config(&s->pmu[e->pmu], attr->config & UINT32_MAX, config);
    } else {
        e->pmu = pmu_of_type(s, type);
    }
    if (err || e->pmu == TD_SIM_PMUS)
        return -ENOENT;
    if (s->pmu[e->pmu].arm)
        *config &= 0xffff; /* armpmu_map_raw_event(): whatever it is, it opens */
    return 0;
}

/* Fixed counters by their encodings (the constraint tables of core.c; those of
 * Skymont from 4 on). "also": a general counter can count it too. */
static const struct {
    uint16_t config;
    uint8_t fixed;
    bool also;
} fixed_events[] = {
    {0x00c0, 0, true}, {0x003c, 1, true}, {0x0300, 2, false}, {CONFIG_SLOTS, 3, false}, {0x0500, 4, false}, {0x0600, 5, false},
    {0x0700, 6, false}, {0x0073, 4, true}, {0x019c, 5, true}, {0x02c2, 6, true},
};

static uint64_t counters_of(const struct td_sim_pmu *p, const struct td_sim_event *e, uint64_t config)
{
    const uint64_t general = p->counters & (((uint64_t)1 << TD_SIM_FIXED) - 1);
    uint64_t mask = e->index < p->nconfigs && p->config[e->index].on ? p->config[e->index].on : general;

    if (p->arm)
        return config == 0x11 ? mask | UINT64_C(1) << TD_SIM_CYCLE : mask;
    for (size_t i = 0; i < sizeof(fixed_events) / sizeof(*fixed_events); i++) {
        uint64_t bit = UINT64_C(1) << (TD_SIM_FIXED + fixed_events[i].fixed);

        /* the any bit does not matter: fixed counters have one too */
        if ((config & ~(uint64_t)ANY_THREAD) != fixed_events[i].config)
            continue;
        if (!fixed_events[i].also)
            return bit & p->counters;
        mask |= bit & p->counters;
    }
    return mask;
}

/* Rules of the slots event and the metrics, where the PMU has them. */
static int topdown_config(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e, const struct td_sim_event *leader)
{
    const struct td_sim_pmu *p = &s->pmu[e->pmu];
    const uint64_t code = attr->config & EVENT_AND_UMASK;
    const bool slots = code == CONFIG_SLOTS, metric = code >= CONFIG_METRIC && code <= CONFIG_METRIC_LAST && !(code & 0xff);

    if (p->arm || attr->type == PERF_TYPE_HARDWARE || !p->metrics || (!slots && !metric))
        return 0;
    if (attr->config != code || attr->config1 || attr->config2)
        return -EINVAL;
    e->kind = slots ? TD_SIM_SLOT : TD_SIM_FIELD;
    e->index = slots ? 0 : (code - CONFIG_METRIC) >> 8;
    if (slots)
        return 0;
    if (e->index >= p->metrics || attr->sample_period)
        return -EINVAL;
    if (!leader || leader->kind != TD_SIM_SLOT || leader->on_sample)
        return -EINVAL;
    e->mask = UINT64_C(1) << (TD_SIM_METRIC + e->index);
    return 0;
}

static int hardware_config(const struct td_sim *s, const struct perf_event_attr *attr, uint64_t config, struct td_sim_event *e,
                           const struct td_sim_event *leader)
{
    const struct td_sim_pmu *p = &s->pmu[e->pmu];
    int err;

    e->kind = TD_SIM_COUNT;
    for (e->index = 0; e->index < p->nconfigs && p->config[e->index].config != config;)
        e->index++;
    if (e->index == p->nconfigs)
        e->index = TD_SIM_CONFIGS; /* an event that no workload has: it counts 0 */
    if (p->arm && attr->exclude_idle)
        return -EOPNOTSUPP;
    if (!p->arm && config & ANY_THREAD && !allowed(s, 1))
        return -EACCES;
    e->mask = counters_of(p, e, config);
    err = topdown_config(s, attr, e, leader);
    if (!err && !(e->mask & (p->counters | ~((UINT64_C(1) << TD_SIM_METRIC) - 1))))
        err = -EINVAL; /* no counter of this PMU can ever count it */
    return err;
}

/* ---- where ---------------------------------------------------------------- */

static int find_place(struct td_sim *s, pid_t pid, int cpu, unsigned long flags, struct td_sim_event *e)
{
    e->cpu = cpu;
    if (flags & PERF_FLAG_PID_CGROUP) {
        const struct td_sim_event *folder = td_sim_fd(s, pid);

        if (pid == -1 || cpu == -1)
            return -EINVAL;
        if (!folder || folder->kind != TD_SIM_FOLDER)
            return -EBADF;
        e->cgroup = folder->index + 1;
        return 0;
    }
    if (pid == -1)
        return cpu == -1 ? -EINVAL : 0;
    e->task = task_of(s, pid);
    return e->task ? 0 : -ESRCH;
}

/* In the order in which the kernel finds out. */
static int check_cpu(const struct td_sim *s, const struct td_sim_event *e)
{
    if (e->cpu < -1 || (e->cpu >= 0 && (unsigned)e->cpu >= s->ncpus))
        return -EINVAL;
    if (e->cpu >= 0 && e->pmu < TD_SIM_PMUS && !td_sim_set_has(&s->pmu[e->pmu].cpus, (unsigned)e->cpu))
        return -ENOENT;
    if (!e->task && !allowed(s, 1))
        return -EACCES;
    if (e->cpu >= 0 && !s->cpu[e->cpu].online)
        return -ENODEV;
    return 0;
}

static int check_group(const struct td_sim *s, const struct perf_event_attr *attr, const struct td_sim_event *leader, const struct td_sim_event *e)
{
    size_t pmu = leader ? td_sim_group_pmu(leader) : TD_SIM_PMUS;
    struct td_sim_fit fit = {.counters = 0};

    if (leader) {
        if (leader->leader != leader || leader->cpu != e->cpu || leader->task != e->task || leader->cgroup != e->cgroup)
            return -EINVAL;
        if (attr->pinned || attr->exclusive || (!leader->context && !leader->task))
            return -EINVAL;
        if (pmu < TD_SIM_PMUS && e->pmu < TD_SIM_PMUS && pmu != e->pmu)
            return -EINVAL;
    }
    if (e->kind == TD_SIM_SOFT)
        return 0;
    fit.counters = s->pmu[e->pmu].counters | ((UINT64_C(1) << s->pmu[e->pmu].metrics) - 1) << TD_SIM_METRIC;
    return td_sim_fit_group(&fit, leader, e, false) ? 0 : -EINVAL;
}

static int check_attr(const struct td_sim *s, const struct perf_event_attr *attr, unsigned long flags)
{
    if (flags & ~(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC))
        return -EINVAL;
    if (attr->size && attr->size < PERF_ATTR_SIZE_VER0)
        return -E2BIG;
    if (attr->read_format >= 2 * TD_SIM_LOST)
        return -EINVAL;
    if (s->refuse)
        return -s->refuse;
    if (!allowed(s, 3)) /* Debian's and Ubuntu's level 3 */
        return -EACCES;
    return attr->exclude_kernel || allowed(s, 2) ? 0 : -EACCES;
}

static void set_attr(const struct td_sim *s, const struct perf_event_attr *attr, struct td_sim_event *e)
{
    e->state = attr->disabled ? TD_SIM_OFF : TD_SIM_INACTIVE;
    e->pinned = attr->pinned;
    e->on_exec = attr->enable_on_exec;
    e->on_sample = attr->sample_period;
    e->user = !attr->exclude_user;
    e->format = attr->read_format;
    e->since = s->now;
    e->fresh = true;
    e->inherit = attr->inherit;
}

/* Puts the new event where it counts. */
static void install(struct td_sim *s, struct td_sim_event *leader, struct td_sim_event *e)
{
    int cpu = td_sim_event_cpu(e);

    if (cpu >= 0)
        td_sim_core_sync(s, (unsigned)cpu, s->now);
    if (leader) {
        td_sim_group_join(s, leader, e);
    } else {
        e->leader = e;
        td_sim_context_add(e->task ? &e->task->events : &s->cpu[e->cpu].events, e);
    }
    if (cpu >= 0)
        td_sim_resched(s, (unsigned)cpu);
}

static int open_event(struct td_sim *s, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags,
                      struct td_sim_event *e)
{
    struct td_sim_event *leader = group == -1 ? NULL : td_sim_fd(s, group);
    uint64_t config;
    int err = check_attr(s, attr, flags);

    if (!err && group != -1 && (!leader || leader->kind >= TD_SIM_FOLDER))
        err = -EBADF;
    if (!err)
        err = find_place(s, pid, cpu, flags, e);
    if (!err && (cpu < -1 || cpu >= (int)s->ncpus))
        err = -EINVAL;
    if (!err)
        err = find_pmu(s, attr, e, &config);
    if (!err && e->kind != TD_SIM_SOFT)
        err = hardware_config(s, attr, config, e, leader);
    if (!err)
        err = td_sim_event_user(s, attr, e);
    if (!err)
        err = check_cpu(s, e);
    if (!err)
        err = check_group(s, attr, leader, e);
    if (err)
        return err;
    set_attr(s, attr, e);
    err = td_sim_fd_new(s, e);
    if (err >= 0)
        install(s, leader, e);
    return err;
}

int td_sim_os_perf_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = calloc(1, sizeof(*e));
    int fd;

    s->calls.perf_open++;
    if (!e)
        return -ENOMEM;
    td_sim_call(s);
    e->kind = TD_SIM_COUNT;
    fd = open_event(s, attr, pid, cpu, group, flags, e);
    if (fd < 0)
        free(e);
    return fd;
}
