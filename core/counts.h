/* SPDX-License-Identifier: MIT */
/* Snapshots and counts: what one reading returned, and what one interval counted. */
#ifndef TD_COUNTS_H
#define TD_COUNTS_H

#include "uarch.h"

enum {
    TD_COUNTS_MAX = 256, /* most copies of events in one interval of one scope */
};

/* What one event of one group counted in one interval. */
struct td_count {
    double value; /* scaled to the whole interval */
    double err; /* half-width of what the encoding leaves open; 0: exact */
    double enabled, running; /* ns */
    uint16_t group; /* events of one group were counted at the same time */
    uint8_t modes; /* bits TD_MODE_*; counts of other modes are of something else */
    uint8_t event; /* number in td_uarch.events */
    bool generic; /* by a name that perf gives every CPU: the vendor's own goes before it */
    enum td_status status; /* TD_OK, TD_NOT_COUNTED, TD_NOT_SUPPORTED, TD_COUNTER_RESET */
    uint32_t text; /* how the recording named it */
    uint32_t intervals; /* of a sum: in how many of its intervals it was counted */
    uint32_t printed; /* metrics that the recording tool printed beside it: TD_PRINTED_* */
};

/* Bit n: td_nodes[n] by a published formula (perf's tma_ names). A tool's own
 * formulas under plain names, which may stand in the same recording, lie
 * TD_PRINTED_PLAIN higher. */
enum { TD_PRINTED_OTHER = 1 << 15, /* a metric that is no node */ TD_PRINTED_PLAIN = 16 };

enum { TD_MODE_USER = 1, TD_MODE_KERNEL = 2, TD_MODE_HYPERVISOR = 4, TD_MODE_GUEST = 8, TD_MODE_HOST = 16 };

/* One interval of one scope and kind of core. */
struct td_counts {
    enum td_status status; /* TD_OK, or why the whole interval says nothing: TD_EPOCH_CHANGED, ... */
    size_t n, room;
    struct td_count *c; /* owned; td_counts_free() */
};

/* SLOTS, of which the fields of the metrics register are parts. */
bool td_event_is_slots(const struct td_event *);

void td_counts_free(struct td_counts *);
/* -E2BIG: more than TD_COUNTS_MAX copies; -ENOMEM. */
int td_counts_append(struct td_counts *, const struct td_count *);
/* Adds an interval to a sum, event by event (as the recording named it) and
 * group by group. A copy that was not counted in one of them adds nothing but
 * its time. What was printed beside a copy in one of them is so in the sum. Errors as above. */
int td_counts_add(struct td_counts *sum, const struct td_counts *interval);
/* Makes the counts of a sum comparable: what was counted in fewer intervals
 * than others is scaled up, and its time says that it was counted for part only. */
void td_counts_balance(struct td_counts *sum);
/* Gives the slot counts of the metric events (read through read(2)) the error
 * of their 8 bits: the interval's slots / 255, and 1 for the kernel's
 * truncation (mul_u64_u32_div() in arch/x86/events/intel/core.c) in each of
 * the readings that were added up, in each interval of a sum. */
void td_counts_quantise(struct td_counts *, const struct td_uarch *, unsigned readers);

/* How the numbers of a snapshot are to be read. */
enum td_encoding {
    TD_ENC_COUNTS, /* every event is a count; metric events hold slots */
    TD_ENC_PACKED, /* the metrics register as it is: eight 8-bit fractions */
};

/* One event as one reading returned it: cumulative, unscaled. */
struct td_sample {
    uint64_t value, enabled, running;
    uint16_t group;
    uint8_t modes;
    uint8_t event; /* TD_EVENT_PACKED: the metrics register */
    enum td_status status;
    uint32_t text;
    double fraction; /* what value lacks, 0 to 1: another tool may have scaled it */
    uint32_t printed; /* td_count.printed */
};

enum {
    TD_EVENT_PACKED = 255,
    TD_EVENT_UNKNOWN = 254, /* no event of the CPU: only inside a reader */
};

/* What one reading of one scope and kind of core returned. */
struct td_snap {
    uint64_t time; /* ns */
    bool untimed; /* when is not known: time is 0 */
    uint32_t epoch; /* changes whenever the counters start again */
    enum td_encoding encoding;
    unsigned bits; /* width of the counters; 64: they never wrap */
    bool scaled; /* the recording tool has applied multiplex scaling and sysfs scales */
    bool smt; /* which sysfs scale holds */
    bool coverage_unknown; /* enabled and running were not recorded, and are 0 */
    unsigned readers; /* readings (of different CPUs) that were added up in it; 0: one */
    /* Of a packed register: how often the kernel may have written it back, modulo
     * 2^31. What it goes on with each time is a unit off at most. */
    uint32_t restores;
    size_t n;
    struct td_sample *s; /* the caller's */
};

/* What the kernel's writing back of a packed register adds to its error: a unit
 * of at most slots, each time (struct td_snap.restores). */
double td_packed_restored(uint32_t from, uint32_t to, uint64_t slots);

/* What was counted between two snapshots of the same scope and kind of core;
 * what out held before is replaced.
 * -ESTALE: another epoch or a packed register that started again;
 * -EINVAL: another encoding, or a packed register without its slots;
 * -ERANGE: time ran backwards; -E2BIG: too many events; -ENOMEM. */
int td_snap_delta(const struct td_snap *from, const struct td_snap *to, const struct td_uarch *, struct td_counts *out);
/* The interval up to a snapshot before which the counters started again: which
 * events there are decides the formula, but nothing of the counts is left. Errors as above. */
int td_snap_restarted(const struct td_snap *, const struct td_uarch *, struct td_counts *out);

#endif
