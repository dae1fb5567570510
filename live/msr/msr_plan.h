/* SPDX-License-Identifier: MIT */
/* Which registers count which events, and with which values; and from their values back to counts. Pure. */
#ifndef TD_MSR_PLAN_H
#define TD_MSR_PLAN_H

#include "live/plan/fit.h"

enum {
    TD_MSR_COUNTERS = 32, /* most counters of each kind */
    TD_MSR_SLOTS = 3, /* the number of the fixed counter of slots */
    TD_MSR_ENABLED = 1 << 22, /* EN, in a programmable counter's control */
};

/* Of PERF_METRICS, in the registers that switch counters and tell of overflows. */
#define TD_MSR_METRICS_BIT (UINT64_C(1) << 48)
/* An AMD event's number has 12 bits, of which these are the upper four. */
#define TD_MSR_AMD_EVENT (UINT64_C(0xf) << 32)

/* What one CPU has. */
struct td_msr_caps {
    bool amd; /* AMD's registers and events; version: as Intel's that has the same abilities, but for GLOBAL_INUSE */
    unsigned version; /* that of architectural performance monitoring */
    uint32_t general, fixed; /* which counters it has, as bits */
    unsigned general_bits, fixed_bits; /* their widths */
    uint32_t missing; /* architectural events that it lacks, CPUID 0xA EBX */
    bool any; /* a counter can count for all threads of the core */
    bool pdcm; /* PERF_CAPABILITIES exists */
    bool full; /* TD_MSR_FULL exists, as PERF_CAPABILITIES shows */
    unsigned fields; /* how many fields PERF_METRICS has; 0: it is never touched */
};

/* What the registers are set to. */
struct td_msr_program {
    uint32_t general, fixed; /* counters that count */
    bool metrics; /* PERF_METRICS is read with its fixed counter, and zeroed with it */
    uint64_t evtsel[TD_MSR_COUNTERS], fixed_ctrl, global;
};

/* An additional event to count, by its encoding. */
struct td_msr_added {
    char name[64];
    uint64_t config;
    char counters[32], counters_alone[32]; /* as in struct td_event */
};

/* Which counter counts what. Zeroed to begin with. */
struct td_msr_set {
    struct td_event *event; /* events of the row, followed by those added */
    size_t nevents;
    struct td_bits events; /* events that are counted */
    signed char *counter; /* by event: its counter; fixed ones from TD_MSR_COUNTERS on; -1: it has none */
    struct td_msr_program program;
};

/* What the counters counted in one interval. */
struct td_msr_reading {
    uint64_t general[TD_MSR_COUNTERS], fixed[TD_MSR_COUNTERS], metrics;
    uint64_t overflow; /* which counters overflowed: bits of GLOBAL_STATUS */
    uint64_t ns; /* for how long they counted */
};

/* Reads what one CPU has from its CPUID leaves 0xA, 0x23 and 0x1A. fields: how many PERF_METRICS has, as the kernel
 * tells. */
void td_msr_caps_decode(const uint32_t counters[4], const uint32_t more[4], const uint32_t kind[4], unsigned fields,
                        struct td_msr_caps *out);
/* The same of AMD's, from leaves 0x80000001 and 0x80000022. Version 0: no register switches all counters together,
 * which came with Zen 4 (PerfMonV2). */
void td_msr_caps_decode_amd(const uint32_t features[4], const uint32_t counters[4], struct td_msr_caps *out);
/* Frees what out held. events: NULL for none of the row. -ENOSPC: the counters cannot hold them all at once; -ENOMEM.
 */
int td_msr_set_make(const struct td_msr_caps *, const struct td_counters *, const struct td_uarch *row,
                    const struct td_bits *events, const struct td_msr_added *added, size_t nadded, bool no_user,
                    bool no_kernel, struct td_msr_set *out);
void td_msr_set_free(struct td_msr_set *);
/* The count of an event in a reading; for a field, its slots. */
uint64_t td_msr_value(const struct td_msr_set *, size_t event, const struct td_msr_reading *);

#endif
