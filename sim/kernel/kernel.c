/* SPDX-License-Identifier: MIT */
#include "sim/kernel/kernel.h"

#include "sim/kernel/perf_calls.h"
#include "sim/kernel/sampler.h"
#include "sim/kernel/trap.h"
#include "sim/machine/execute.h"

#include <errno.h>
#include <stdlib.h>

static int os_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    const struct td_sim *s = ctx;

    if (!s->hw.ncpuid)
        return -ENOSYS;
    if (cpu < 0)
        cpu = td_sim_os_here(ctx);
    if (!td_sim_cpu_online(&s->hw, cpu))
        return -EINVAL;
    td_sim_cpuid(&s->hw, (unsigned)cpu, leaf, subleaf, out);
    return 0;
}

static uint64_t os_now(void *ctx)
{
    const struct td_sim *s = ctx;

    return s->hw.now + TD_SIM_CLOCK_START;
}

static const struct td_os calls = {
    .name = "simulated",
    .cpuid = os_cpuid,
    .perf_open = td_sim_os_perf_open,
    .perf_ioctl = td_sim_os_perf_ioctl,
    .read = td_sim_os_read,
    .close = td_sim_os_close,
    .file = td_sim_os_file,
    .file_of = td_sim_os_file_of,
    .names = td_sim_os_names,
    .identity = td_sim_os_identity,
    .folder = td_sim_os_folder,
    .map = td_sim_os_map,
    .unmap = td_sim_os_unmap,
    .rings = td_sim_os_rings,
    .rings_add = td_sim_os_rings_add,
    .here = td_sim_os_here,
    .rseq = td_sim_os_rseq,
    .msr_open = td_sim_os_msr_open,
    .msr_read = td_sim_os_msr_read,
    .msr_write = td_sim_os_msr_write,
    .now = os_now,
    .spin = td_sim_os_spin,
    .pin = td_sim_os_pin,
    .signals = td_sim_os_signals,
    .spawn = td_sim_os_spawn,
    .release = td_sim_os_release,
    .wait = td_sim_os_wait,
    .kill = td_sim_os_kill,
    .used = td_sim_os_used,
};

struct td_sim *td_sim_empty(void)
{
    struct td_sim *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->os = calls;
    s->os.ctx = s;
    s->hw.timer = td_sim_rotate;
    s->hw.due = td_sim_sampling_due;
    s->hw.overflow = td_sim_sampling_happen;
    s->hw.timer_ctx = s;
    s->privileged = true;
    s->msrs.locked = TD_SIM_NEVER;
    s->caller.pinned = -1;
    s->caller.adds = UINT64_C(1000000000);
    if (td_sim_cgroup_add(&s->cgroups, "")) {
        td_sim_free(s);
        return NULL;
    }
    return s;
}

/* The parts that need to know all CPUs and PMUs. */
static int make_parts(struct td_sim *s)
{
    int err = td_sim_hw_begin(&s->hw);

    s->counting = calloc(s->hw.ncpus, sizeof(*s->counting));
    if (!err && !s->counting)
        err = -ENOMEM;
    if (!err)
        err = td_sim_tasks_begin(s);
    if (!err)
        err = td_sim_caller_begin(s);
    td_sim_clock_begin(&s->clock);
    if (!err)
        err = td_sim_sysfs_begin(s);
    return err ? err : td_sim_rdpmc_begin(s);
}

int td_sim_begin(struct td_sim *s)
{
    int err = make_parts(s);

    if (err)
        return err;
    for (struct td_sim_task *t = s->tasks.first; t; t = t->link)
        if (!td_sim_program_is(&s->child, t) && !t->parent && t != s->caller.task)
            td_sim_task_start(s, t);
    for (unsigned i = 0; i < s->hw.ncpus; i++)
        if (s->hw.cpu[i].exists && s->hw.cpu[i].first == i)
            td_sim_core_load(&s->hw, i);
    err = td_sim_rivals_begin(s);
    err = err ? err : td_sim_watchdog_begin(s);
    if (err)
        return err;
    td_sim_place(s);
    td_sim_run(s, 0);
    return 0;
}

void td_sim_free(struct td_sim *s)
{
    if (!s)
        return;
    td_sim_pages_free(s);
    td_sim_fds_free(&s->fds);
    td_sim_watchdog_free(s);
    td_sim_rivals_free(s);
    td_sim_tasks_free(&s->tasks);
    td_sim_child_free(&s->child);
    td_sim_clock_free(&s->clock);
    td_sim_cgroups_free(&s->cgroups);
    td_sim_sysfs_free(&s->sysfs);
    td_sim_hw_free(&s->hw);
    free(s->counting);
    free(s->rdpmc.allowed);
    free(s->msrs.access);
    free(s->caller.truth);
    free(s);
}

const struct td_os *td_sim_os(const struct td_sim *s)
{
    return &s->os;
}

void td_sim_calls(const struct td_sim *s, struct td_sim_calls *out)
{
    *out = s->calls;
    out->open_fds = s->fds.open;
    out->mapped = td_sim_pages_mapped(s);
}
