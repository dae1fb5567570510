/* SPDX-License-Identifier: MIT */
/* The project's one PMU model: a workload in phases, the counter SLOTS, the
 * register PERF_METRICS, and what the kernel's read(2) makes of the two.
 *
 * Integers only and no libc: it also compiles into a kernel module, which has
 * neither floating point nor the 128-bit division of libgcc. Ordinary events
 * count at fixed rates per slot of a phase. */
#ifndef TD_PMU_H
#define TD_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TD_PMU_WHOLE = 1 << 16, /* the weight of all slots */
    TD_PMU_LEVEL1 = 4, /* retiring, bad speculation, frontend bound, backend bound */
    /* the register's order (enum td_field): the four, then a part of each of them:
     * heavy operations, branch mispredicts, fetch latency, memory bound */
    TD_PMU_FIELDS = 8,
    TD_PMU_RATES = 32, /* most ordinary events */
    TD_PMU_BITS = 48, /* width of SLOTS */
};

/* A stretch of the workload with one mix of categories. */
struct td_pmu_phase {
    uint64_t slots;
    uint32_t weight[TD_PMU_FIELDS]; /* in TD_PMU_WHOLEths: [0] to [3] add up to all, [4 + i] is a part of [i] */
    uint32_t rate[TD_PMU_RATES]; /* of each ordinary event: counts per TD_PMU_WHOLE slots */
};

/* What really happened since td_pmu_init(), regardless of resets. */
struct td_pmu_truth {
    uint64_t slots;
    uint64_t part[TD_PMU_FIELDS]; /* slots * TD_PMU_WHOLE of each category, modulo 2^64 */
    uint64_t event[TD_PMU_RATES]; /* counts * TD_PMU_WHOLE of each ordinary event, modulo 2^64 */
};

/* How a fraction becomes a field. How the hardware does it is not documented, so
 * there are several ways; in each of them a field is within one unit of the true fraction. */
enum td_pmu_rounding {
    TD_PMU_TRUNCATE,
    TD_PMU_NEAREST,
    TD_PMU_SCATTER, /* each field up or down, differently from reading to reading */
};

struct td_pmu {
    enum td_pmu_rounding rounding;
    /* -2..2: makes the level-1 fields sum to 255 + skew, as far as moving each by one unit can; 0: leaves them as
     * rounded */
    int skew;
    const struct td_pmu_phase *phases; /* the caller's */
    size_t nphases, phase;
    uint64_t left; /* slots left in the phase */
    struct td_pmu_truth cycle, total, at_reset;
};

/* The phases repeat for ever and are not copied. Both registers start at
 * zero. False: the weights do not add up, or there are no slots at all. */
bool td_pmu_init(struct td_pmu *, const struct td_pmu_phase *phases, size_t nphases, enum td_pmu_rounding rounding,
                 int skew);
void td_pmu_advance(struct td_pmu *, uint64_t slots);
/* Continues with another workload, from its beginning; the registers are as they
 * were. False as in td_pmu_init(), and then nothing is changed. */
bool td_pmu_switch(struct td_pmu *, const struct td_pmu_phase *phases, size_t nphases);
/* Both registers to zero, as by writing FIXED_CTR3 and then PERF_METRICS. */
void td_pmu_reset(struct td_pmu *);
/* Sets SLOTS alone; the fields mean nothing until they are written too. */
void td_pmu_write_slots(struct td_pmu *, uint64_t slots);
/* Sets the fields, which are fractions of these slots. Each continues with the smallest
 * number of slots that its 8 bits can mean. */
void td_pmu_write_metrics(struct td_pmu *, uint64_t slots, uint64_t metrics);
/* The registers. Within 2^48 slots of a reset; after that the hardware
 * reports an overflow and the fields mean nothing. */
uint64_t td_pmu_slots(const struct td_pmu *);
uint64_t td_pmu_metrics(const struct td_pmu *);
void td_pmu_truth(const struct td_pmu *, struct td_pmu_truth *out);

/* The event counts of a group made of slots and the eight metric events. */
struct td_pmu_counts {
    uint64_t slots, field[TD_PMU_FIELDS];
};

/* A read(2) of the group: adds slots * field / 255, truncated, to each count
 * and resets both registers (icl_update_topdown_event() in Linux
 * arch/x86/events/intel/core.c). */
void td_pmu_read(struct td_pmu *, struct td_pmu_counts *);

#endif
