/* SPDX-License-Identifier: MIT */
/* Likely bounds: where a metric's true value is in at least 95 of 100 cases,
 * when its counts saw the program for part of the time only, or when the kernel
 * rounded them.
 *
 * Proven, by the simulations of tests/support/likely_sim.h (make bench
 * prints the tables, tests/core/bounds/test_likely.c asserts 95 %): programs that are
 * steady, that drift, that change once, and that change between phases of random
 * length, however short or long; programs whose phases recur in a steady rhythm,
 * where a phase is shorter than a quarter of a rotation or longer than 8 rotations.
 * Not covered is resonance: a rhythm that keeps step with the rotation, so that a
 * group meets the same phase again and again. td_likely_in_step() recognises it
 * where two groups counted the same event.
 *
 * Terms: the kernel rotates groups of events on each CPU every
 * perf_event_mux_interval_ms (rotate_ctx() and perf_mux_hrtimer_handler() in Linux
 * kernel/events/core.c). A window is one such stretch of time. A rotation is as
 * many windows as it takes until a group's turn comes again. Counts are taken to be
 * scaled by enabled / running. */
#ifndef TD_LIKELY_H
#define TD_LIKELY_H

#include <stdbool.h>
#include <stddef.h>

enum {
    TD_LIKELY_WINDOWS_MIN = 8, /* with fewer windows there are no likely bounds */
    TD_LIKELY_PARTS_MIN = 8, /* with fewer intervals their spread means nothing */
    TD_LIKELY_PARTS_MAX = 64, /* more intervals are joined to that many */
};
/* By how much a group's counts are raised and lowered for td_likely_pull(). */
#define TD_LIKELY_STEP 0.1
/* perf_event_mux_interval_ms, in ns, of a kernel with CONFIG_HZ=250: the default
 * is one tick (PERF_CPU_HRTIMER in Linux kernel/events/core.c). */
#define TD_LIKELY_MUX_INTERVAL 4e6
/* Where the four counts of level 1 by PERF_METRICS are off the slots by no more than this part, how far they are off
 * bounds what each is off; most of the recordings that people posted are off by less, the worst ones by 0.247. */
#define TD_LIKELY_SUM_OFF_MOST 0.25
#define TD_LIKELY_SUM_FINE (4 / 255.0) /* within their units they may be off anyway */
/* Where the register was written back more than some 50 times, or it is not known how often: hardware that rounds to
 * the nearest unit may not notice any more what a program does in its last tenth, and the sum does not show it. */
#define TD_LIKELY_SUM_LEAST 0.05
/* Where one of the four was not recorded, how far they are off is not known: of 26 recordings of tasks that people
 * posted 25 are off by 0.066 at most. */
#define TD_LIKELY_REST_OFF 0.1
/* Where it is known that it was written back more often, there are no bounds. */
#define TD_LIKELY_SUM_SWITCHES 1000
/* Above this share of the slots, the error of td_likely_restored() is no help. */
#define TD_LIKELY_RESTORED_MAX 0.1

enum td_likely_why {
    TD_LIKELY_GIVEN, /* there are likely bounds */
    TD_LIKELY_FEW_WINDOWS, /* the group was seen in fewer than 8 windows */
    TD_LIKELY_NO_COVERAGE, /* how long it was enabled and ran is not known */
    TD_LIKELY_NO_CPUS, /* how many CPUs these times were added up over is not known */
    TD_LIKELY_IN_STEP, /* the program keeps step with the rotation */
    TD_LIKELY_NO_LIMITS, /* no smallest and largest value is known, and there are too few intervals */
    TD_LIKELY_NO_SWITCHES, /* how often the kernel wrote the register back is not known */
    TD_LIKELY_MANY_SWITCHES, /* it wrote the register back too often */
};
/* "few_windows", ...; NULL for TD_LIKELY_GIVEN. */
const char *td_likely_name(enum td_likely_why);

/* Times of one group, as perf gives them: sums over all CPUs or threads. In ns. */
struct td_likely_times {
    double running, enabled; /* NAN: not known */
    double elapsed; /* from beginning to end; 0: not known */
    double cpus; /* on how many it was counted at the same time; 0: not known, found from elapsed */
    double interval; /* of the rotation */
};

struct td_likely_windows {
    double seen, all; /* on one CPU; seen == all: not multiplexed */
};

/* Windows of different CPUs are not taken to be independent: a program often does
 * the same on all of them at the same time, and the groups of all CPUs are opened,
 * and so rotate, together. GIVEN, NO_COVERAGE or NO_CPUS. */
enum td_likely_why td_likely_windows(const struct td_likely_times *, struct td_likely_windows *out);

/* Events that were counted in the same windows. */
struct td_likely_group {
    struct td_likely_windows windows;
    /* The most that a window can count for, relative to the mean window; 1: all
     * count the same. Idle CPUs: slots of a busy window over the mean window's. 1.5
     * for tasks that sleep: windows then differ in length. */
    double uneven;
    double pull; /* td_likely_pull(); not used where there is one group only */
};

struct td_likely_ask {
    double value; /* by the metric's formula */
    double low, high; /* the sound range if all had been counted; NAN: none is known */
    double least, most; /* its limits in any window: 0 and 1 for a share; -HUGE_VAL, HUGE_VAL: no limits */
    double slack; /* by how much its formula may go beyond them: 0 if it clamps, 0.01 for shares */
    const struct td_likely_group *groups; /* all that hold its counts, including those that were not multiplexed */
    size_t ngroups;
    /* For each interval of the recording in turn: how much it moves the metric, which is
     * the metric with all counts minus the metric without this interval's. For a metric
     * that is a plain mean: weight / weight of all * (the interval's value - value). */
    const double *parts;
    size_t nparts; /* below 8: not used */
};

/* GIVEN: *low <= ask->low, value, ask->high <= *high. FEW_WINDOWS, NO_COVERAGE or
 * NO_LIMITS: *low and *high are NAN. */
enum td_likely_why td_likely_bounds(const struct td_likely_ask *, double *low, double *high);

/* A metric of a sum whose groups were each counted all the time, but in different intervals: as in runs of a command
 * that each counted one group. */
struct td_likely_apart {
    double value, low, high; /* as in td_likely_ask */
    const double *parts; /* the same */
    size_t nparts;
    size_t times; /* in how many intervals the group was counted that was counted least often */
};

/* Its likely bounds, from how the intervals differ: what one of them adds is independent of the others, whichever group
 * it counted, so that their squares add; but no more is known of them than the rarest group shows (Student's t). GIVEN;
 * NO_LIMITS: fewer than 8 intervals of some group. */
enum td_likely_why td_likely_apart(const struct td_likely_apart *, double *low, double *high);

/* How much the metric changes with a group's counts as a whole, relative to their
 * change. up, down: the metric with all of them times 1 + and 1 - TD_LIKELY_STEP, and
 * the counts of all other groups unchanged. NAN, HUGE_VAL: it could not be computed. */
double td_likely_pull(double value, double up, double down);

/* True if the intervals show that the program keeps step with the rotation. apart:
 * for each interval, the difference of the two scaled counts of an event that two groups
 * counted (one whose rate differs by phase: instructions, not cycles), over their
 * mean. windows: how many either group saw in the mean interval, on one CPU.
 * Fewer than 8 intervals: false. Ask for each pair of groups: two that are half a
 * rotation apart see the same part of a rhythm of half a rotation. */
bool td_likely_in_step(const double *apart, size_t n, double windows);

/* The error, in slots, that the kernel's writing back of PERF_METRICS adds to the
 * counts of the metric events: give or take *slots, in each field, whether the
 * hardware truncates or rounds. The kernel stops the register at each context switch
 * of a task, and at each turn of the rotation, and starts it again from 8-bit fields
 * (update_saved_topdown_regs() and icl_set_topdown_event_period() in Linux
 * arch/x86/events/intel/core.c); a read(2) while it counts begins anew.
 * switches: since the last such read; NAN: not known. held: slots since then.
 * of: slots of the interval. GIVEN, NO_SWITCHES or MANY_SWITCHES. */
enum td_likely_why td_likely_restored(double switches, double held, double of, double *slots);

/* A read(2) begins anew only if it finds the event counting, which is not known. In how many
 * intervals, this one included, has it done so at least once, in 95 of 100 cases, if the event
 * counts for that part of the time (for a task: running / elapsed)? Their switches and slots
 * are what td_likely_restored() is to be given; for a sum of many intervals, its switches times
 * this number over that of the intervals, and its slots twice. 0: in no number of them, or in
 * more than 1,000. */
unsigned td_likely_reads(double busy);

/* Where the four counts of level 1 by PERF_METRICS add up to something else than the slots: how far a share is likely
 * to be off, as a part of the slots, besides its unit of the register's 8 bits, and no less than the two above. At each
 * restore the kernel drops what a field lost and keeps what others gained, so that all four together are off by more
 * than each alone. The simulations of tests/support/likely_restore.c prove it for hardware that truncates, that rounds
 * up or down by chance, or to the nearest unit; there a program that changes once and then stays is an exception, from
 * some hundred switches on. HUGE_VAL: more than TD_LIKELY_SUM_OFF_MOST. */
double td_likely_sum_off(double sum, double slots);

#endif
