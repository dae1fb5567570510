/* SPDX-License-Identifier: MIT */
/* The source "msr": a CPU's counters by its model-specific registers.
 *
 * Everything is stopped, programmed and started by IA32_PERF_GLOBAL_CTRL, so all
 * counters cover the same time. Each reading stops them, reads SLOTS and then
 * PERF_METRICS, and sets them to zero: as by read(2) the 8 bits of a field are of
 * one interval's slots, and the totals go on. What was there before is saved
 * first and written back at the end, whatever happened between.
 *
 * Order and addresses: Linux arch/x86/include/asm/perf_event.h, msr-index.h and
 * arch/x86/events/intel/core.c (icl_set_topdown_event_period()). */
#ifndef TD_MSR_H
#define TD_MSR_H

#include "fit.h"
#include "os.h"

enum {
    TD_MSR_PMC = 0xc1, /* and one for each counter behind it, as of the next */
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

enum {
    TD_MSR_COUNTERS = 32, /* most of each kind */
    TD_MSR_SLOTS = 3, /* the fixed counter */
    TD_MSR_ADDED = 16, /* most events of td_add_event() */
    TD_MSR_WHY = 500,
};

/* What one CPU has. */
struct td_msr_caps {
    unsigned version; /* of architectural performance monitoring */
    uint32_t general, fixed; /* counters, as bits */
    unsigned general_bits, fixed_bits; /* their widths */
    uint32_t missing; /* architectural events that it lacks, CPUID 0xA EBX */
    bool any; /* a counter can count for all threads of the core */
    bool pdcm; /* PERF_CAPABILITIES is there, */
    bool full; /* and says that TD_MSR_FULL is */
    unsigned fields; /* of PERF_METRICS that there are; 0: it is never touched */
};

/* What the registers are set to. */
struct td_msr_program {
    uint32_t general, fixed; /* counters that count */
    bool metrics; /* PERF_METRICS goes with its fixed counter, and is set to zero with it */
    uint64_t evtsel[TD_MSR_COUNTERS], fixed_ctrl, global;
};

/* An event by its encoding, to be counted as well. */
struct td_msr_added {
    char name[64];
    uint64_t config;
    char counters[32], counters_alone[32]; /* as in struct td_event */
};

/* Which counter counts what. */
struct td_msr_set {
    struct td_event event[TD_EVENTS_MAX]; /* of the row, and behind them those added */
    size_t nevents;
    uint64_t events; /* that are counted, as bits */
    signed char counter[TD_EVENTS_MAX]; /* general ones, fixed ones from TD_MSR_COUNTERS on; -1: none */
    struct td_msr_program program;
};

/* What the counters counted in one interval. */
struct td_msr_reading {
    uint64_t general[TD_MSR_COUNTERS], fixed[TD_MSR_COUNTERS], metrics;
    uint64_t overflow; /* bits of GLOBAL_STATUS */
    uint64_t ns; /* how long they counted */
};

struct td_msr_saved {
    uint32_t reg;
    uint64_t value, ours, found; /* found: when it was last looked whose it is */
    bool changed; /* by us */
    bool unsure; /* the last write failed: it may hold ours or not */
    bool lost; /* changed by somebody else, whose it is now */
};

enum { TD_MSR_SAVED = 2 * TD_MSR_COUNTERS + TD_MSR_COUNTERS + 3 };

/* One CPU's registers. */
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

/* ---- msr_plan.c, pure: */

/* CPUID 0xA, 0x23 and 0x1A of one CPU. fields: of PERF_METRICS as the kernel shows it. */
void td_msr_caps_decode(const uint32_t counters[4], const uint32_t more[4], const uint32_t kind[4], unsigned fields, struct td_msr_caps *out);
/* -ENOSPC: they do not fit the counters at once; -E2BIG: too many events. */
int td_msr_set_make(const struct td_msr_caps *, const struct td_counters *, const struct td_uarch *row, uint64_t events,
                    const struct td_msr_added *added, size_t nadded, bool no_user, bool no_kernel, struct td_msr_set *out);
/* What a reading has of an event that is counted: slots for a field. */
uint64_t td_msr_value(const struct td_msr_set *, size_t event, const struct td_msr_reading *);

/* ---- msr_regs.c: the only way to a register, by a table of those allowed */

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

/* ---- msr.c: */

/* Finds out what there is, as far as CPUID tells; fields: of PERF_METRICS, as the
 * kernel shows it. -EOPNOTSUPP: no such counters; -ENODEV: no such CPU. */
int td_msr_look(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* The same, and opens the registers. -EOPNOTSUPP: the module is missing; -EACCES, -EPERM. */
int td_msr_open(struct td_msr *, const struct td_os *, int cpu, unsigned fields);
/* -EBUSY: somebody else uses the counters. Changes nothing. */
int td_msr_check_free(struct td_msr *);
/* Saves what will change, and programs it; it does not count yet. */
int td_msr_begin(struct td_msr *, const struct td_msr_program *);
int td_msr_enable(struct td_msr *, bool on);
/* -EBUSY: somebody else programmed them meanwhile. */
int td_msr_take(struct td_msr *, struct td_msr_reading *);
/* The register of a programmable counter that can be written with most of its bits. */
uint32_t td_msr_counter(const struct td_msr *, unsigned i);
/* The bits of GLOBAL_STATUS that are of the program. */
uint64_t td_msr_status_bits(const struct td_msr *);

/* ---- msr_end.c: */

/* -EBUSY: somebody else programmed them meanwhile. */
int td_msr_check_ours(struct td_msr *);
/* Writes back what is not somebody else's by now, and closes. An error names what could not be written back; -ENXIO: the CPU is offline. */
int td_msr_end(struct td_msr *);

#endif
