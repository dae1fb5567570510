/* SPDX-License-Identifier: MIT */
/* One CPU's registers: the only access to them, by a table of those allowed. */
#ifndef TD_MSR_REGS_H
#define TD_MSR_REGS_H

#include "live/msr/msr_plan.h"
#include "os/os.h"

/* By Intel's addresses; td_msr_address() has AMD's. */
enum {
    TD_MSR_PMC = 0xc1, /* that of the first counter; as with those below, the other counters' follow it */
    TD_MSR_EVTSEL = 0x186,
    TD_MSR_FIXED = 0x309,
    TD_MSR_METRICS = 0x329,
    TD_MSR_CAPABILITIES = 0x345,
    TD_MSR_FIXED_CTRL = 0x38d,
    TD_MSR_STATUS = 0x38e,
    TD_MSR_GLOBAL = 0x38f,
    TD_MSR_RESET = 0x390, /* GLOBAL_OVF_CTRL; GLOBAL_STATUS_RESET since version 4 */
    TD_MSR_SET = 0x391,
    TD_MSR_INUSE = 0x392,
    TD_MSR_FULL = 0x4c1, /* the counters of TD_MSR_PMC, written with all of their bits */
};

enum { TD_MSR_WHY = 500 };

struct td_msr_saved {
    uint32_t reg;
    uint64_t value; /* what it held before we changed it */
    uint64_t ours; /* what we wrote last */
    uint64_t found; /* what it held at the last check of who owns it */
    bool changed; /* we changed it */
    bool unsure; /* the last write failed: it may or may not hold our value */
    bool lost; /* another program has changed it and owns it now */
};

enum { TD_MSR_SAVED = 2 * TD_MSR_COUNTERS + TD_MSR_COUNTERS + 3 };

struct td_msr {
    const struct td_os *os;
    int cpu, fd; /* fd -1: not open */
    struct td_msr_caps caps;
    struct td_msr_program program;
    struct td_msr_saved saved[TD_MSR_SAVED]; /* in the order in which they are written back */
    size_t nsaved;
    uint64_t status; /* bits of GLOBAL_STATUS that were set at the beginning */
    bool reset; /* these bits were cleared */
    bool counting;
    uint64_t since; /* a time of now(), from which on they count */
    uint64_t ns; /* for how long they counted before that, since the last reading */
    char why[TD_MSR_WHY]; /* the reason of the last error */
};

/* Where the CPU has a register: AMD's counters and those that switch them have addresses of their own. */
uint32_t td_msr_address(const struct td_msr_caps *, uint32_t reg);
/* "IA32_PERF_GLOBAL_CTRL (0x38f)" */
enum { TD_MSR_NAME = 48 };
const char *td_msr_name(const struct td_msr_caps *, uint32_t reg, char buf[TD_MSR_NAME]);
/* Whether tdprobe may access a register so: an access that is not allowed is a bug in tdprobe. */
bool td_msr_allowed(const struct td_msr_caps *, uint32_t reg, bool write);
/* The bits that tdprobe may set in a register; never those that raise interrupts. */
uint64_t td_msr_mask(const struct td_msr_caps *, uint32_t reg);
/* Reads a register: 0, or -errno with the reason; -ENOTRECOVERABLE: it is not allowed. */
int td_msr_get(struct td_msr *, uint32_t reg, uint64_t *value);
/* Writes a register, with the same errors. A saved value may be written back, whatever it is. */
int td_msr_put(struct td_msr *, uint32_t reg, uint64_t value);
/* Writes a register without checking that it was saved: for those that clear GLOBAL_STATUS. */
int td_msr_clear(struct td_msr *, uint32_t reg, uint64_t bits);
struct td_msr_saved *td_msr_find(struct td_msr *, uint32_t reg);
/* The register that sets most bits of a programmable counter. */
uint32_t td_msr_counter(const struct td_msr *, unsigned i);
/* The bits of GLOBAL_STATUS for the counters of the program. */
uint64_t td_msr_status_bits(const struct td_msr *);

#endif
