/* SPDX-License-Identifier: MIT */
/* Snapshots and counts: what one reading returned, and what one interval counted. */
#ifndef TD_COUNTS_H
#define TD_COUNTS_H

#include "core/uarch.h"

enum {
    TD_READING_ROWS = 4096, /* a recording's counts of one scope at one time: tdprobe-trace(5), LIMITS */
};

struct td_hints;

enum { TD_LATENCY_SAMPLES = 30 /* fewer say less than the published mean */ };

/* Samples of an event's retire latency: the count's value is their sum. */
struct td_latencies_sampled {
    bool any; /* the value is a sum of samples, even if there were none; else it is a mean */
    uint64_t n, squares; /* the number of samples, and the sum of their squares */
};

/* What one event of one group counted in one interval. */
struct td_count {
    double value; /* scaled to the whole interval */
    double err; /* half-width of the encoding's uncertainty; 0: exact */
    double enabled, running; /* ns */
    uint16_t group; /* events of one group were counted at the same time */
    uint16_t event; /* number in td_uarch.events */
    uint32_t text; /* how the recording named it */
    uint8_t modes; /* bits TD_MODE_*; counts of other modes count something else */
    bool generic; /* its name is one that perf has for every CPU; a copy by the vendor's own is preferred */
    enum td_status status; /* TD_OK, TD_NOT_COUNTED, TD_NOT_SUPPORTED, TD_COUNTER_RESET */
    uint32_t intervals; /* in a sum: in how many of its intervals it was counted */
    uint32_t last; /* in a sum: the number of the last td_counts_add() that had it */
    uint32_t printed; /* metrics that the recording tool printed beside it: a set of its td_hints */
    struct td_latencies_sampled sampled; /* only for a TD_EVENT_LATENCY */
    uint64_t which; /* in a sum: equal for counts that are from the same intervals; else 0 */
    uint64_t ran; /* in a sum: equal for counts that also ran for the same time in each of these; else 0 */
};

/* One interval of one scope and kind of core. */
struct td_counts {
    enum td_status status; /* TD_OK, or why the whole interval means nothing: TD_EPOCH_CHANGED, ... */
    size_t n, room;
    struct td_count *c; /* owned; td_counts_free() */
    uint32_t balanced; /* how many intervals td_counts_balance() has scaled each value to; 0: it did not */
    uint32_t added; /* in a sum: how many intervals were added to it */
    uint32_t additions; /* in a sum: how many td_counts_add() made it, of which several may be for one interval */
};

void td_counts_free(struct td_counts *);
/* Adds a count. -E2BIG: more than TD_READING_ROWS copies; -ENOMEM. */
int td_counts_append(struct td_counts *, const struct td_count *);
/* The same for one that is all 0, and is to be filled in. */
int td_counts_extend(struct td_counts *, struct td_count **out);
/* Makes room for n copies in all. -ENOMEM. */
int td_counts_reserve(struct td_counts *, size_t n);
/* Adds an interval to a sum, event by event (as the recording named it) and
 * group by group. A copy that was not counted in one of them adds nothing but
 * its time. What was printed beside a copy in one of them counts as printed beside
 * it in the sum: hints are those of both. Errors as above. */
int td_counts_add(struct td_counts *sum, const struct td_counts *interval, struct td_hints *);
/* Makes the counts of a sum comparable: what was counted in fewer intervals
 * than others is scaled up, and its time shows that it was counted for part only. */
void td_counts_balance(struct td_counts *sum);
/* The same where groups took turns from sample to sample, each with cycles: what a group counted is scaled up to the
 * cycles of all groups together. Where there is no clock that all have it is td_counts_balance(). */
void td_counts_balance_turns(struct td_counts *sum, const struct td_uarch *);
/* Gives the slot counts of the metric events (read through read(2)) the error
 * of their 8 bits: the interval's slots / 255, and 1 for the kernel's
 * truncation (mul_u64_u32_div() in arch/x86/events/intel/core.c) in each of
 * the readings that were added up, in each interval of a sum. Counts that have an error
 * keep it, and events may be TD_EVENT_UNKNOWN. -ENOMEM. */
int td_counts_quantise(struct td_counts *, const struct td_uarch *, unsigned readers);

/* How the numbers of a snapshot are to be read. */
enum td_encoding {
    TD_ENC_COUNTS, /* every event is a count; metric events hold slots */
    TD_ENC_PACKED, /* the metrics register is there as it was read: eight 8-bit fractions */
};

/* One event as one reading returned it: cumulative, unscaled. */
struct td_sample {
    uint64_t value, enabled, running;
    uint16_t group;
    uint16_t event; /* TD_EVENT_PACKED: the metrics register */
    uint8_t modes;
    enum td_status status;
    uint32_t text;
    bool is_event; /* it is an event although its name is a word of traces: td_trace_is_word() */
    double fraction; /* the part after value's decimal point, from 0 to 1, as another tool may have scaled it */
    double enabled_fraction, running_fraction; /* the same of the times, which may come from a percentage */
    uint32_t printed; /* td_count.printed */
    struct td_latencies_sampled sampled; /* td_count.sampled, cumulative */
};

/* What one reading of one scope and kind of core returned. */
struct td_snap {
    uint64_t time; /* ns */
    bool untimed; /* its time is not known, and is 0 */
    uint32_t epoch; /* changes whenever the counters start again */
    enum td_encoding encoding;
    unsigned bits; /* width of the counters; 64: they never wrap */
    bool scaled; /* the recording tool has applied multiplex scaling and sysfs scales */
    bool smt; /* td_event.scale_smt applies, not td_event.scale */
    bool coverage_unknown; /* enabled and running were not recorded, and are 0 */
    unsigned readers; /* how many readings of different CPUs were added up in it; 0: one */
    /* For a packed register: how often the kernel may have written it back, modulo
     * 2^31. Each time it continues from a value that is a unit off at most. */
    uint32_t restores;
    uint32_t changes; /* how often measured CPUs went offline or came back */
    /* ns since counting began, where the times do not tell; 0: they do, or it is not known */
    uint64_t elapsed;
    bool switches_known;
    uint64_t switches; /* for tasks: how often they were switched out since counting began, all of them together */
    size_t n;
    struct td_sample *s; /* the caller's */
};

/* How often the kernel may have written back a packed register between two snapshots, from their td_snap.restores. Each
 * time adds to its error at most one unit: the slots at the end / 255. */
uint32_t td_packed_restores(uint32_t from, uint32_t to);

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
