/* SPDX-License-Identifier: GPL-2.0 */
/* A software PMU for a guest without a PMU: perf and tdprobe see a CPU whose
 * pipeline slots are used as the parameter phases= specifies. */
#ifndef TDPMU_H
#define TDPMU_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/types.h>

#include "../../../sim/machine/pmu.h"

/* For every flavour, so that cycles and slots per nanosecond are whole numbers. */
#define TDPMU_CYCLES_PER_NS 2
#define TDPMU_PHASES 8
/* With sampling=1 the model's time is that in which the guest ran: a longer step is the host's. */
#define TDPMU_STALL_NS 400000

/* Counters, numbered as in the kernel's x86 PMU: generic ones, fixed ones, the fields of PERF_METRICS. */
enum {
    TDPMU_GENERIC = 0,
    TDPMU_GENERIC_MAX = 16,
    TDPMU_FIXED_INSTRUCTIONS = 32,
    TDPMU_FIXED_CYCLES = 33,
    TDPMU_FIXED_REF = 34,
    TDPMU_FIXED_SLOTS = 35,
    TDPMU_METRIC = 48,
};

/* What an ordinary event counts in a phase; the index of its rate in the model. */
enum tdpmu_rate {
    TDPMU_NOTHING, /* an unknown encoding counts 0, as on hardware */
    TDPMU_CYCLES,
    TDPMU_REF_CYCLES, /* at a twentieth of the clock rate */
    TDPMU_SLOTS,
    TDPMU_RETIRING,
    TDPMU_BAD_SPEC,
    TDPMU_FE_BOUND,
    TDPMU_BE_BOUND,
    TDPMU_HEAVY,
    TDPMU_MISPREDICTS, /* slots */
    TDPMU_CLEARS, /* slots */
    TDPMU_FETCH_LAT,
    TDPMU_FETCH_LAT_CYCLES,
    TDPMU_FETCH_BW,
    TDPMU_MEM_BOUND,
    TDPMU_MEM_BOUND_CYCLES,
    TDPMU_CORE_BOUND,
    TDPMU_ISSUED, /* half of bad speculation is uops that never retire, */
    TDPMU_RECOVERY_CYCLES, /* the other half is recovery */
    TDPMU_INSTRUCTIONS,
    TDPMU_MACRO_FUSED,
    TDPMU_MISPREDICT_COUNT,
    TDPMU_CLEAR_COUNT,
    TDPMU_MS_UOPS,
    TDPMU_STALLS_MEM,
    TDPMU_STALLS_STORES,
    TDPMU_STALLS_TOTAL,
    TDPMU_PORTS_1,
    TDPMU_PORTS_2,
    TDPMU_STALL_SLOT, /* on Arm */
    TDPMU_STALL_SLOT_FRONTEND,
    TDPMU_STALL_SLOT_BACKEND,
    TDPMU_RATE_COUNT, /* at most TD_PMU_RATES */
};

/* What a hypervisor's PMU may show instead of what happened. */
enum tdpmu_lie {
    TDPMU_TRUTH,
    TDPMU_EQUAL, /* the slots in every counter, and full fields of PERF_METRICS */
    TDPMU_ZERO,
};

struct tdpmu_event {
    u32 config;
    enum tdpmu_rate rate;
};

/* A file below the PMU's folder in sysfs. */
struct tdpmu_text {
    const char *name, *text;
};

struct tdpmu_flavour {
    const char *name, *pmu_name;
    int type; /* -1: assigned by the kernel */
    unsigned width, counters, metrics; /* metrics: fields of PERF_METRICS, 0 without the register */
    u64 config_mask; /* the bits that an ordinary event can have */
    u32 cycles, instructions; /* configs that have a fixed counter */
    const struct tdpmu_event *events;
    const struct tdpmu_text *event_files, *format_files, *cap_files, *files;
    bool extra_cycles; /* N2 before r0p3: STALL_SLOT and STALL_SLOT_FRONTEND count one too many in each cycle */
};

struct tdpmu_cpu {
    struct td_pmu model; /* advances whether or not anything counts */
    u64 at; /* the local_clock() that the model has reached */
    bool idle; /* with sampling=1: nothing runs */
    unsigned held; /* PMU disabled, or a group is being read: the model's time is stopped */
    unsigned txn;
    struct hrtimer beat;
    u64 used, active; /* counters */
    struct perf_event *event[64];
};

extern const struct tdpmu_flavour *tdpmu_flavour;
extern enum tdpmu_lie tdpmu_lie;

const struct tdpmu_flavour *tdpmu_flavour_find(const char *name);
enum tdpmu_rate tdpmu_event_rate(u64 config);
/* Reads "a,b,c,d,e,f,g,h@ms;..." (shares of retiring, bad speculation, frontend
 * and backend; the parts of them that are heavy operations, mispredicts, fetch
 * latency, memory bound). Number of phases, or -EINVAL. */
int tdpmu_phases_parse(char *text, struct td_pmu_phase *out);
const struct attribute_group **tdpmu_sysfs_groups(void);
/* From now on kernel.nmi_watchdog=1 makes the kernel count cycles on each CPU. */
void tdpmu_watchdog_allow(void);

bool tdpmu_is_slots(const struct perf_event *);
bool tdpmu_is_metric(const struct perf_event *);
int tdpmu_topdown_check(struct perf_event *);
void tdpmu_topdown_start(struct tdpmu_cpu *, struct perf_event *);
void tdpmu_topdown_update(struct tdpmu_cpu *, struct perf_event *);

/* This CPU's model with its time stopped, and on from now, as if no time had passed: for interrupts. */
struct tdpmu_cpu *tdpmu_stop_time(void);
void tdpmu_skip_time(struct tdpmu_cpu *);
/* From now on this CPU is in the phase; -1: idle. Interrupts are off. */
void tdpmu_run(int phase);
u32 tdpmu_slots_per_us(void);
int tdpmu_sampling_load(void);
/* Of an event with a period. */
int tdpmu_sampling_init(struct perf_event *);
void tdpmu_sampling_start(struct tdpmu_cpu *, struct perf_event *, int flags);
void tdpmu_sampling_stop(struct perf_event *);
int tdpmu_tasks_load(void);
void tdpmu_tasks_unload(void);

/* hw.flags: the event uses PERF_METRICS (a metric, or slots that leads one) */
#define TDPMU_TOPDOWN 1

#endif
