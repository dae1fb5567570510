/* SPDX-License-Identifier: MIT */
/* A machine of the tree, with further lines after its own, and its registers. */
#ifndef MSR_MACHINE_H
#define MSR_MACHINE_H

#include "live/meter.h"
#include "live/msr/msr.h"
#include "live/msr/msr_source.h"
#include "sim/kernel/kernel.h"
#include "session/session.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A handle that measures it by its registers. */
static inline struct td *begin(const char *name, const char *more)
{
    struct td *td = on_shipped_machine_with(name, more);

    CU_ASSERT_EQUAL_FATAL(td_set_source(td, "msr"), 0);
    return td;
}

#define BIT(n) (UINT64_C(1) << (n))
#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static inline struct td_live on(const int *cpu)
{
    return (struct td_live){.size = sizeof(struct td_live), .cpus = cpu, .ncpus = 1};
}

static inline void pass(struct td *td, unsigned ms)
{
    const struct td_os *os = td_sim_os(td->sim);
    struct td_os_event e;

    os->wait(os->ctx, os->now(os->ctx) + ms * UINT64_C(1000000), -1, &e);
}

enum { REGISTERS = 0x500 };

/* All registers of a CPU except those that count time; one that cannot be read is all ones. */
static inline void dump(struct td *td, int cpu, uint64_t out[REGISTERS])
{
    const struct td_os *os = td_sim_os(td->sim);
    int fd = os->msr_open(os->ctx, cpu);

    CU_ASSERT_TRUE_FATAL(fd >= 0);
    for (uint32_t reg = 0; reg < REGISTERS; reg++)
        if (os->msr_read(os->ctx, fd, reg, &out[reg]))
            out[reg] = UINT64_MAX;
    os->close(os->ctx, fd);
}

static inline bool same(struct td *td, int cpu, const uint64_t before[REGISTERS])
{
    uint64_t after[REGISTERS];
    bool ok = true;

    dump(td, cpu, after);
    for (uint32_t reg = 0; reg < REGISTERS; reg++)
        if (after[reg] != before[reg]) {
            printf("register 0x%x is 0x%llx, not 0x%llx\n", reg, (unsigned long long)after[reg],
                   (unsigned long long)before[reg]);
            ok = false;
        }
    return ok;
}

static inline unsigned long descriptors(const struct td *td)
{
    struct td_sim_calls calls;

    td_sim_calls(td->sim, &calls);
    return calls.open_fds;
}

/* The nth write since the beginning, from 0. */
static inline const struct td_sim_msr_access *write_at(const struct td *td, size_t n)
{
    const struct td_sim_msr_access *log;
    size_t count = td_sim_msr_log(td->sim, &log);

    for (size_t i = 0; i < count; i++)
        if (log[i].write && n-- == 0)
            return &log[i];
    return NULL;
}

static inline void change_cpuid(struct td *td, uint32_t leaf, size_t word, uint32_t value)
{
    struct td_sim_hw *hw = &td->sim->hw;

    for (size_t i = 0; i < hw->ncpuid; i++)
        if (hw->cpuid[i].leaf == leaf)
            hw->cpuid[i].word[word] = value;
}

/* Counters of these widths, in another version of the counters. */
static inline void change_counters(struct td *td, uint32_t eax, uint32_t edx)
{
    change_cpuid(td, 0xa, 0, eax);
    change_cpuid(td, 0xa, 3, edx);
}

#endif
