/* SPDX-License-Identifier: MIT */
/* The program itself (all of cli/), linked so that it looks at the simulated
 * registers when the machine is read and before it is freed: they must be the
 * same. Exit code 99 if not. */
#include "sim/kernel/kernel.h"
#include "session/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int __real_td_set_machine(struct td *, const char *name, td_read_fn *read, void *ctx);
int __wrap_td_set_machine(struct td *, const char *name, td_read_fn *read, void *ctx);
void __real_td_free(struct td *);
void __wrap_td_free(struct td *);

enum { CPUS = 16, FIRST_OF_AMD = 0x500, LAST = FIRST_OF_AMD + 4 + 12 };

static uint64_t before[CPUS][LAST];

/* Those below 0x500 as they are, followed by AMD's. */
static uint32_t address(uint32_t reg)
{
    const uint32_t n = reg - FIRST_OF_AMD;

    return reg < FIRST_OF_AMD ? reg : n < 4 ? 0xc0000300 + n : 0xc0010200 + n - 4;
}

static uint64_t look(struct td_sim *s, unsigned cpu, uint32_t reg)
{
    uint64_t value;

    return s->hw.ncpuid && td_sim_cpu_online(&s->hw, (int)cpu) && !td_sim_msr_look(s, cpu, address(reg), &value)
               ? value
               : UINT64_MAX;
}

int __wrap_td_set_machine(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err = __real_td_set_machine(td, name, read, ctx);

    for (unsigned cpu = 0; !err && cpu < CPUS; cpu++)
        for (uint32_t reg = 0; reg < LAST; reg++)
            before[cpu][reg] = look(td->sim, cpu, reg);
    return err;
}

/* Counters that somebody else has switched on continue to count. */
static bool counts(unsigned cpu, uint32_t reg)
{
    if (reg >= 0xc1 && reg < 0xc1 + 32)
        return before[cpu][0x186 + reg - 0xc1] >> 22 & 1;
    if (reg >= 0x4c1 && reg < 0x4c1 + 32)
        return before[cpu][0x186 + reg - 0x4c1] >> 22 & 1;
    if (reg >= FIRST_OF_AMD + 4 && (reg - FIRST_OF_AMD) % 2)
        return before[cpu][reg - 1] >> 22 & 1;
    return reg >= 0x309 && reg < 0x309 + 16 && before[cpu][0x38d] >> (4 * (reg - 0x309)) & 3;
}

/* By then the program has restored them, and reported where it could not. */
void __wrap_td_free(struct td *td)
{
    for (unsigned cpu = 0; td->sim && cpu < CPUS; cpu++)
        for (uint32_t reg = 0; reg < LAST; reg++)
            if (look(td->sim, cpu, reg) != before[cpu][reg] && !counts(cpu, reg)) {
                fprintf(stderr, "CPU %u: register 0x%x is 0x%llx, not 0x%llx\n", cpu, address(reg),
                        (unsigned long long)look(td->sim, cpu, reg), (unsigned long long)before[cpu][reg]);
                _exit(99);
            }
    __real_td_free(td);
}
