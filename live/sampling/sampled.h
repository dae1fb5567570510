/* SPDX-License-Identifier: MIT */
/* A group of events that samples one CPU or thread: the formulas' events, and one or two further members that count
 * cycles, whose overflows take the samples. Two of them count the same but overflow a short distance apart, so that a
 * pair of samples brackets a short interval.
 *
 * Where the counters do not hold all events of the formulas together, there are several groups, which the kernel lets
 * take turns (rotate_ctx() in Linux kernel/events/core.c): each has cycles, by which its samples are taken, and a
 * sample reads its own group.
 *
 * A ring wakes its readers with the last sample of a pair: if it did between the two, that interrupt would be counted.
 * What happens to a thread is told by an event in no group, whose own ring wakes readers at once: otherwise children of
 * a thread that only waits for them would not be seen. */
#ifndef TD_SAMPLED_H
#define TD_SAMPLED_H

#include "live/meter.h"
#include "live/sampling/pace.h"
#include "live/sampling/ring.h"

enum {
    TD_SAMPLED_MEMBERS = 48,
    TD_SAMPLED_FIRST = 1, /* the member that takes the first sample of a pair; the next takes the second */
    TD_SAMPLED_NAME = 96,
};

/* How everything is sampled. */
struct td_sampled_how {
    uint64_t period; /* in cycles; for pairs with a rate only what they begin with */
    uint64_t freq; /* samples a second, for which the kernel finds the period; 0: it is fixed, as with pairs always */
    bool pairs; /* there are two sampling members, not one */
    bool turns; /* the plan's groups take turns */
    bool tasks; /* threads are sampled, not CPUs */
    bool inherit; /* threads are sampled by one group for each CPU, which what they start inherits */
    bool callchains;
    bool on_exec; /* counting begins when the task calls execve(2) */
};

/* The events of one group of the plan of a PMU. */
struct td_sampled_kind {
    size_t pmu; /* its index among the meter's PMUs */
    size_t turn; /* the group's index in the plan: 0, or others that take turns with it */
    struct {
        struct perf_event_attr attr;
        char name[TD_SAMPLED_NAME];
    } event[TD_SAMPLED_MEMBERS + 1];
    size_t n; /* members of the group */
    uint64_t period; /* what groups that are opened now begin with */
    bool tells; /* there is an event[n] in no group, which tells what happens to a thread: so others can be followed */
};

/* The distance of the two samples of a pair, and whether it must be set again. */
struct td_pair_distance {
    /* cycles, and for how many ns they were counted, at the first sample of the pair that is open */
    uint64_t began, running;
    uint64_t armed; /* when the distance was last set, ns */
    unsigned far; /* how many pairs in a row were at another distance */
    bool open; /* the first sample of a pair was seen, its second not yet */
    bool set; /* it is set, as far as is known */
    bool wanted; /* it has to be set */
};

struct td_sampled {
    struct td_perf_target target;
    pid_t process; /* that of the thread */
    const struct td_sampled_kind *kind;
    int fd[TD_SAMPLED_MEMBERS];
    uint64_t id[TD_SAMPLED_MEMBERS];
    size_t n; /* how many members are open */
    struct td_ring ring; /* if not mapped, another group's ring has its records too */
    int teller; /* the descriptor of the event in no group, if the kind has one; or -1 */
    uint64_t teller_id;
    struct td_ring told;
    uint64_t period; /* that of pairs, as it was last set or is to be set */
    struct td_pace_clock clock;
    struct td_pair_distance pair;
    const struct td_sampled *other; /* whose ring has its records; NULL: its own */
    uint64_t hits; /* samples in its ring since the frequency was last varied */
    uint32_t varied; /* where td_pace_vary() is */
    bool ended; /* its thread has ended */
};

/* What a record says of pairs. */
enum td_pair_news { TD_NEWS_NONE, TD_NEWS_NEAR, TD_NEWS_FAR };

/* For the next plan, takes each PMU to have one counter less than its fullest planned group needs, as the kernel does
 * not take that. false: none needs more than one. */
bool td_sampled_take_fewer(struct td_meter *);
/* What would help where groups take turns, after "; "; "": nothing. */
const char *td_sampled_what_helps(const struct td_meter *);
/* How many groups of all PMUs' plans there are. */
size_t td_sampled_kinds(const struct td_meter *);
/* Makes the kind for a planned group of the PMU. -EOPNOTSUPP, in the log: it has too many members, or none that can be
 * counted. */
int td_sampled_kind_make(struct td_sampled_kind *, const struct td_meter *, size_t pmu, size_t turn,
                         const struct td_sampled_how *);
/* Opens a group and maps its ring; with another group of the same CPU or thread, it shares that one's ring. Counting
 * begins with execve(2), or else td_sampled_enable(). An error is described by e, with nothing left open. */
int td_sampled_open(struct td_sampled *, const struct td_os *, struct td_sampled_kind *, const struct td_perf_target *,
                    const struct td_sampled *other, struct td_perf_error *e);
int td_sampled_enable(const struct td_sampled *, const struct td_os *);
void td_sampled_close(struct td_sampled *, const struct td_os *);

/* Adds the group's rings to a set of rings that can be waited for (os->rings()). */
int td_sampled_watch(const struct td_sampled *, const struct td_os *, int rings);
/* Takes the records of the group's rings, as td_ring_take() does. */
int td_sampled_take(struct td_sampled *, td_ring_fn *, void *ctx);

/* Sets the distance of pairs: begins the period of both members anew, that of the second when the distance was counted.
 * That fails unless the task or CPU runs; then it is tried again with the next sample. */
void td_sampled_arm(struct td_sampled *, const struct td_os *);
/* Gives single samples another frequency around this one, and begins their period anew. What is above
 * perf_event_max_sample_rate the kernel does not take: then all stays as it is. */
void td_sampled_vary(struct td_sampled *, const struct td_os *, uint64_t freq);
/* Looks at a record of a group of pairs: TD_NEWS_NEAR or _FAR with the second sample of a pair, by its distance. What
 * the samples cost goes to the pace, which decides on the period. */
enum td_pair_news td_sampled_look(struct td_sampled *, const struct perf_event_header *, struct td_pace *);

#endif
