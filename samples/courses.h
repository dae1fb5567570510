/* SPDX-License-Identifier: MIT */
/* Sequences of samples, and what was counted from one to the next. The values in a sample are totals of its counters
 * since they were enabled: samples of the same counters make up one course, and can be subtracted. */
#ifndef TD_COURSES_H
#define TD_COURSES_H

#include "samples/places.h"

enum {
    TD_COURSES_MAX = 1 << 18,
    TD_MEMBERS_MAX = 64 /* how many members of a group are used: more than any PMU counts at a time */
};

/* One counter of a group, by the id that the kernel gave it. */
struct td_member {
    uint64_t id, value;
    uint32_t event; /* the caller's number for it */
    bool metric; /* a field of the metrics register */
};

/* Where samples come in pairs: which of the two members of the group that sample took this one. */
enum td_sampler { TD_SAMPLER_ONLY /* no pairs */, TD_SAMPLER_FIRST, TD_SAMPLER_SECOND };

/* One sample's reading of all counters of a group. */
struct td_group_reading {
    uint64_t time, enabled, running; /* ns; 0 where not recorded */
    uint32_t tid; /* 0: threads do not inherit the group */
    uint32_t thread; /* which one was sampled; 0: none, the CPU was idle */
    uint32_t cpu;
    bool has_cpu;
    bool held; /* the kernel throttled samples after this one */
    enum td_sampler sampler;
    size_t n; /* 1 to TD_MEMBERS_MAX; the first is the leader */
    const struct td_member *member;
};

/* What was counted from the sample before in the same course up to this one. */
struct td_course_delta {
    uint32_t course;
    enum td_sample_start start;
    /* the sampler of the previous sample, even if that counted nothing; TD_SAMPLER_ONLY: there was none */
    enum td_sampler from;
    const struct td_place *began; /* where the previous sample hit, whatever start is; NULL: not known */
    uint64_t duration, enabled, running; /* ns; 0: not known */
    bool reset; /* a counter ran backwards */
    /* if it is a CPU's, and the previous sample was of the same thread: that thread's share of the time in which the
     * CPU was not idle; 0: it is not, or td_courses_switched() did not tell */
    double own;
    /* if it is a CPU's: where the thread was sampled last, if others have pre-empted it since then; else NULL */
    const struct td_place *back;
    const uint64_t *value; /* by member: what it counted; valid until the next call */
};

struct td_courses;

/* NULL: out of memory. */
struct td_courses *td_courses_new(void);
void td_courses_free(struct td_courses *);
/* Takes the next sample, which hit that place. -EAGAIN: nothing was counted, and only start and from of out are set;
 * -E2BIG: more than TD_COURSES_MAX; -ENOMEM. */
int td_courses_take(struct td_courses *, const struct td_group_reading *, const struct td_place *,
                    struct td_course_delta *out);
/* Samples were lost on a CPU; has_cpu false: on which is not known. -ENOMEM. */
int td_courses_lost(struct td_courses *, bool has_cpu, uint32_t cpu);
/* A CPU went over to a thread (0: idle) at this time, preempted: from one that could have gone on. To be called with
 * each switch of the CPU, in the order of times, among the samples. -ENOMEM. */
int td_courses_switched(struct td_courses *, uint32_t cpu, uint64_t time, uint32_t thread, bool preempted);
size_t td_courses_count(const struct td_courses *);

#endif
