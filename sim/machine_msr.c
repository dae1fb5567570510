/* SPDX-License-Identifier: MIT */
/* The seam's msr_ calls on a simulated machine, and its lines of a description.
 * What they answer: Linux arch/x86/kernel/msr.c. */
#include "machine_msr.h"
#include "machine_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_MAX = 1 << 18 };

static void keep(struct td_sim *s, const struct td_sim_msr_access *a)
{
    struct td_sim_msr_access *more = s->naccesses < LOG_MAX ? td_sim_grow(s->access, s->naccesses, sizeof(*more)) : NULL;

    if (!more)
        return;
    s->access = more;
    more[s->naccesses++] = *a;
}

int td_sim_os_msr_open(void *ctx, int cpu)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e;
    int fd;

    if (s->msr_absent || !s->ncpuid || cpu < 0 || (unsigned)cpu >= s->ncpus || !s->cpu[cpu].exists)
        return -ENOENT;
    if (!s->cpu[cpu].online)
        return -ENXIO;
    if (!s->privileged)
        return -EACCES;
    if (!td_sim_msr_of(s, (unsigned)cpu))
        return -ENOMEM;
    e = calloc(1, sizeof(*e));
    if (!e)
        return -ENOMEM;
    e->kind = TD_SIM_MSR;
    e->cpu = cpu;
    fd = td_sim_fd_new(s, e);
    if (fd < 0)
        free(e);
    return fd;
}

/* The registers behind a descriptor, up to date, 1 us later; NULL with the error. */
static struct td_sim_msr *reach(struct td_sim *s, int fd, int *cpu, int *err)
{
    const struct td_sim_event *e = td_sim_fd(s, fd);

    *err = !e || e->kind != TD_SIM_MSR ? -EBADF : 0;
    if (*err)
        return NULL;
    *cpu = e->cpu;
    td_sim_call(s);
    if (!s->cpu[e->cpu].online) {
        *err = -ENXIO;
        return NULL;
    }
    td_sim_msr_update(s, (unsigned)e->cpu, s->cpu[e->cpu].msr, true);
    return s->cpu[e->cpu].msr;
}

int td_sim_os_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    struct td_sim *s = ctx;
    int cpu, err;
    const struct td_sim_msr *m = reach(s, fd, &cpu, &err);

    if (!m)
        return err;
    err = td_sim_msr_get(s, (unsigned)cpu, m, reg, value);
    keep(s, &(struct td_sim_msr_access){cpu, reg, err ? 0 : *value, false, err});
    return err;
}

int td_sim_os_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    struct td_sim *s = ctx;
    int cpu, err;
    struct td_sim_msr *m = reach(s, fd, &cpu, &err);

    if (!m)
        return err;
    err = s->now >= s->msr_locked ? -EPERM : td_sim_msr_put(m, reg, value);
    if (!err)
        td_sim_msr_update(s, (unsigned)cpu, m, false);
    keep(s, &(struct td_sim_msr_access){cpu, reg, value, true, err});
    return err;
}

size_t td_sim_msr_log(const struct td_sim *s, const struct td_sim_msr_access **out)
{
    *out = s->access;
    return s->naccesses;
}

void td_sim_msr_free(struct td_sim *s)
{
    for (unsigned i = 0; i < s->ncpus; i++)
        free(s->cpu[i].msr);
    free(s->preset);
    free(s->access);
}

int td_sim_take_msr(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_preset p = {0}, *more;
    const char *cpus = td_sim_value(l, "cpus"), *what = td_sim_word(l, 1);
    uint64_t reg, ms = 0;
    int err;

    if (what && !l->tail && !strcmp(what, "absent")) {
        s->msr_absent = true;
        return 0;
    }
    if (what && !l->tail && !strcmp(what, "locked")) {
        err = td_sim_number(l, "at", 0, 1000000000, &ms);
        s->msr_locked = ms * TD_SIM_MSEC;
        return err;
    }
    if (!l->tail)
        return td_sim_bad(l, "not 'msr absent', 'msr locked' or 'msr REGISTER = VALUE'");
    err = td_sim_number_of(l, "the register", what, 0, UINT32_MAX, &reg);
    p.reg = (uint32_t)reg;
    memset(&p.cpus, 0xff, sizeof(p.cpus));
    if (!err && cpus)
        err = td_sim_cpus(l, "cpus", cpus, &p.cpus, NULL, NULL);
    if (!err)
        err = td_sim_number_of(l, "the value", l->tail, 0, UINT64_MAX, &p.value);
    if (err)
        return err;
    more = td_sim_grow(s->preset, s->npresets, sizeof(*more));
    if (!more)
        return -ENOMEM;
    s->preset = more;
    more[s->npresets++] = p;
    return 0;
}
