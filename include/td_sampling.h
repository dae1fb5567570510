/* SPDX-License-Identifier: MIT */
/* Sampling of the formulas' group of events, live, into a perf.data that td_open() and perf(1) read: where in the code
 * the slots go.
 *
 *     td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what, .rate = 1000},
 * write, ctx, NULL); while (...) td_run_wait(td, UINT64_MAX, td_sampling_fd(td), &event), td_sampling_take(td); // and
 * a pause, so that not each sample wakes td_sampling_end(td);
 *
 * Samples come in pairs: two members of the group count cycles with one period, and overflow a short distance apart,
 * which td_sampling_take() sets and watches. What was counted between the two samples of a pair belongs to the place of
 * their addresses even where the program turns from function to function within some 10 us.
 *
 * Where the counters do not hold all events of the formulas at once, several groups take turns, and single samples are
 * taken of each.
 *
 * Functions return 0 or -errno; td_error() has the reason. */
#ifndef TD_SAMPLING_H
#define TD_SAMPLING_H

#include "tdprobe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct td_sampling {
    size_t size; /* sizeof(struct td_sampling) */
    /* CPUs, or tasks with the threads and children that they start; no cgroups, by is not used */
    const struct td_live *what;
    /* Pairs of samples of each CPU a second while it is busy: their period follows the clock that they measure. With
     * leader: samples, whose period the kernel finds (attr.freq). 0: 1000, or where groups take turns 5.3 in a turn */
    double rate;
    uint64_t period; /* fixed, in cycles; 0: by rate */
    /* The most of a CPU's time that sampling may take; 0: 0.02. The period is made longer for it, by what a sample
     * costs: 5 us until pairs have measured it, which a fixed period does not follow. */
    double overhead;
    /* Single samples instead of pairs, by the formulas' own cycles where they count them; so it is also where the
     * counters do not hold the two further events of pairs, or where groups take turns, which td_set_note() tells. */
    bool leader;
    bool callchains;
    /* Count the kernel's mode with PERF_METRICS even where samples then hold slots of their own handler: Linux
     * before 6.14. Otherwise only user mode is sampled there, which td_set_note() tells. */
    bool handler;
    const char *const *command; /* the words of the command line, ended by NULL, for the file; NULL: none */
};

/* Writes bytes at an offset of the file: 0 or -errno. The offsets rise from 0 on, each where the last ended; but the
 * beginning is written again at the end. */
typedef int td_sampling_write_fn(void *ctx, uint64_t at, const void *bytes, size_t n);

struct td_sampling_info {
    size_t size; /* sizeof(struct td_sampling_info) */
    uint64_t period; /* cycles; the last, where it follows the clock; 0: it is the kernel's */
    double cost; /* of a sample, in s */
    bool cost_measured; /* otherwise it is assumed */
    bool limited; /* there are fewer pairs than the rate says, for the overhead */
    uint64_t samples;
    uint64_t near, far; /* pairs that were 5,000 to 50,000 cycles apart, and others */
    uint64_t lost; /* samples that the kernel had no room for */
    uint64_t throttled; /* how often the kernel held samples back */
    uint64_t missed; /* threads that ended before they could be sampled, or were too many (4,096) */
    size_t groups; /* CPUs or threads that were sampled */
    bool pairs; /* else single samples are taken */
};

/* Opens the groups and begins the file. The machine's CPU is found as by td_open_live(); errors as there, and
 * -EOPNOTSUPP: the counters do not hold cycles and any event of the formulas together. -EINVAL: the handle is used
 * already. */
TD_EXPORT int td_sampling_open(struct td *, const struct td_sampling *, td_sampling_write_fn *write, void *ctx);
/* Writes what was sampled since the last time, begins to sample new threads, and sets the distance of pairs where it is
 * needed. The error of writing; -EINVAL: nothing is open. */
TD_EXPORT int td_sampling_take(struct td *);
/* A descriptor for td_run_wait() and, of a real machine, poll(2): it can be read when samples, or what happened to
 * threads, wait to be taken. Nothing is lost by taking later than that while the kernel's rings have room: some 100 ms
 * at the usual rate; 20 ms of pause after each time cost little. A program that does not run does not wake. -1: nothing
 * is open. */
TD_EXPORT int td_sampling_fd(const struct td *);
/* The same, for the last time; completes the file and closes the groups. */
TD_EXPORT int td_sampling_end(struct td *);
/* -ENODATA: nothing was opened. */
TD_EXPORT int td_sampling_about(struct td *, struct td_sampling_info *out);

#ifdef __cplusplus
}
#endif

#endif
