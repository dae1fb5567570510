/* SPDX-License-Identifier: MIT */
/* One CPU's registers: the only way to them, by a table of those allowed. */
#ifndef TD_MSR_REGS_H
#define TD_MSR_REGS_H

#include "live/msr/msr_plan.h"
#include "os/os.h"

enum {
    TD_MSR_PMC = 0xc1, /* and one for each counter after it, as of the next */
    TD_MSR_EVTSEL = 0x186,
    TD_MSR_FIXED = 0x309,
    TD_MSR_METRICS = 0x329,
    TD_MSR_CAPABILITIES = 0x345,
    TD_MSR_FIXED_CTRL = 0x38d,
    TD_MSR_STATUS = 0x38e,
    TD_MSR_GLOBAL = 0x38f,
    TD_MSR_RESET = 0x390, /* GLOBAL_OVF_CTRL, since version 4 GLOBAL_STATUS_RESET */
    TD_MSR_SET = 0x391,
    TD_MSR_INUSE = 0x392,
    TD_MSR_FULL = 0x4c1, /* the counters of TD_MSR_PMC, written with all of their bits */
};

enum { TD_MSR_WHY = 500 };

struct td_msr_saved {
    uint32_t reg;
    uint64_t value, ours, found; /* found: when it was last looked whose it is */
    bool changed; /* by us */
    bool unsure; /* the last write failed: it may hold ours or not */
    bool lost; /* changed by somebody else, whose it is now */
};

enum { TD_MSR_SAVED = 2 * TD_MSR_COUNTERS + TD_MSR_COUNTERS + 3 };

struct td_msr {
    const struct td_os *os;
    int cpu, fd; /* fd -1: not open */
    struct td_msr_caps caps;
    struct td_msr_program program;
    struct td_msr_saved saved[TD_MSR_SAVED]; /* in the order in which they are written back */
    size_t nsaved;
    uint64_t status; /* bits of GLOBAL_STATUS that were there */
    bool reset; /* and were cleared */
    bool counting;
    uint64_t since, ns; /* of now(); how long they counted before that, since the last reading */
    char why[TD_MSR_WHY]; /* of the last error */
};

/* "IA32_PERF_GLOBAL_CTRL (0x38f)" */
enum { TD_MSR_NAME = 48 };
const char *td_msr_name(uint32_t reg, char buf[TD_MSR_NAME]);
/* False: an access to it is a mistake of tdprobe. */
bool td_msr_allowed(const struct td_msr_caps *, uint32_t reg, bool write);
/* The bits that tdprobe may set in it; never those that raise interrupts. */
uint64_t td_msr_mask(const struct td_msr_caps *, uint32_t reg);
/* 0, or -errno with why; -ENOTRECOVERABLE: it is not allowed. */
int td_msr_get(struct td_msr *, uint32_t reg, uint64_t *value);
/* A saved value may be written back whatever it is. */
int td_msr_put(struct td_msr *, uint32_t reg, uint64_t value);
/* Writes without a look at what is saved: for GLOBAL_STATUS. */
int td_msr_clear(struct td_msr *, uint32_t reg, uint64_t bits);
struct td_msr_saved *td_msr_find(struct td_msr *, uint32_t reg);
/* The register of a programmable counter that can be written with most of its bits. */
uint32_t td_msr_counter(const struct td_msr *, unsigned i);
/* The bits of GLOBAL_STATUS that are of the program. */
uint64_t td_msr_status_bits(const struct td_msr *);

#endif
