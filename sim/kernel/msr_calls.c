/* SPDX-License-Identifier: MIT */
#include "sim/kernel/registers.h"

#include "sim/kernel/clock.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/grow.h"
#include "sim/machine/registers.h"

#include <errno.h>

enum { LOG_MAX = 1 << 18 };

static void keep(struct td_sim_msrs *m, const struct td_sim_msr_access *a)
{
    struct td_sim_msr_access *more =
        m->naccesses < LOG_MAX ? td_sim_grow(m->access, m->naccesses, sizeof(*more)) : NULL;

    if (!more)
        return;
    m->access = more;
    more[m->naccesses++] = *a;
}

int td_sim_os_msr_open(void *ctx, int cpu)
{
    struct td_sim *s = ctx;

    if (s->msrs.absent || !s->hw.ncpuid || cpu < 0 || (unsigned)cpu >= s->hw.ncpus || !s->hw.cpu[cpu].exists)
        return -ENOENT;
    if (!s->hw.cpu[cpu].online)
        return -ENXIO;
    if (!s->privileged)
        return -EACCES;
    if (!td_sim_registers_of(&s->hw, (unsigned)cpu))
        return -ENOMEM;
    return td_sim_fd_open(&s->fds, &(struct td_sim_fd){.what = TD_SIM_FD_REGISTERS, .number = (size_t)cpu});
}

/* The counters that the kernel's own events use on the CPU, without those of tasks. */
static struct td_sim_occupied occupied_by_events(const struct td_sim_context *x)
{
    struct td_sim_occupied k = {0};

    for (const struct td_sim_event *e = x->first; e; e = e->next)
        for (const struct td_sim_event *m = e; m; m = m->sibling) {
            if (m->state != TD_SIM_ACTIVE || (m->kind != TD_SIM_COUNT && m->kind != TD_SIM_SLOT))
                continue;
            if (m->counter >= TD_SIM_FIXED)
                k.fixed |= UINT32_C(1) << (m->counter - TD_SIM_FIXED);
            else
                k.general++;
        }
    return k;
}

int td_sim_msr_look(struct td_sim *s, unsigned cpu, uint32_t reg, uint64_t *value)
{
    const struct td_sim_occupied k = occupied_by_events(&s->counting[cpu].events);
    const struct td_sim_registers *m = td_sim_registers_of(&s->hw, cpu);

    return m ? td_sim_register_get(m, &k, reg, value) : -ENOMEM;
}

/* An access through a descriptor, which takes 1 us: the CPU's registers, brought up to date; NULL: see *err. */
static struct td_sim_registers *reach(struct td_sim *s, int fd, unsigned *cpu, int *err)
{
    const struct td_sim_fd *f = td_sim_fd_find(&s->fds, fd);
    struct td_sim_registers *m;

    *err = !f || f->what != TD_SIM_FD_REGISTERS ? -EBADF : 0;
    if (*err)
        return NULL;
    *cpu = (unsigned)f->number;
    td_sim_call(s);
    m = s->hw.cpu[*cpu].online ? td_sim_registers_of(&s->hw, *cpu) : NULL;
    *err = m ? 0 : -ENXIO;
    if (m)
        td_sim_registers_update(&s->hw, *cpu, m, true);
    return m;
}

int td_sim_os_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    struct td_sim *s = ctx;
    unsigned cpu;
    int err;

    if (!reach(s, fd, &cpu, &err))
        return err;
    err = td_sim_msr_look(s, cpu, reg, value);
    keep(&s->msrs, &(struct td_sim_msr_access){(int)cpu, reg, err ? 0 : *value, false, err});
    return err;
}

int td_sim_os_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    struct td_sim *s = ctx;
    unsigned cpu;
    int err;
    struct td_sim_registers *m = reach(s, fd, &cpu, &err);

    if (!m)
        return err;
    err = s->hw.now >= s->msrs.locked ? -EPERM : td_sim_register_put(m, reg, value);
    if (!err)
        td_sim_registers_update(&s->hw, cpu, m, false);
    keep(&s->msrs, &(struct td_sim_msr_access){(int)cpu, reg, value, true, err});
    return err;
}

size_t td_sim_msr_log(const struct td_sim *s, const struct td_sim_msr_access **out)
{
    *out = s->msrs.access;
    return s->msrs.naccesses;
}
