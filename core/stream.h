/* SPDX-License-Identifier: MIT */
/* What gives intervals one after the other: a recording of any format, this machine,
 * or a thread's own counters. Nothing downstream asks which. */
#ifndef TD_STREAM_H
#define TD_STREAM_H

#include "core/core_kind.h"
#include "core/counts/counts.h"
#include "core/counts/event_names.h"
#include "core/counts/hints.h"
#include "core/extent.h"
#include "core/identity.h"
#include "core/log.h"

/* One interval of one scope and kind of core: a lane. */
struct td_interval {
    struct td_extent at;
    char core; /* 'P', 'E', 'L'; 0: not recorded, or there is but one kind */
    bool switched; /* see td_solve_ask */
    bool cpus_changed; /* a measured CPU went offline or came back */
    bool switches_known;
    double switches; /* for tasks: how often they were switched out, all of them together */
    bool unknown; /* it had counts, but none that a formula knows */
    bool others_counted; /* events were counted in it that no formula knows, and that are not among its counts */
    bool mixed; /* it may have counts of other scopes too, and is in no sum */
    /* of the scope and kind of core, in all its intervals; from 0, nearly without gaps; in a scope core 0 first, then
     * 'P', ... */
    uint32_t lane;
    const struct td_uarch *uarch; /* counts have this CPU's event numbers; NULL: only texts */
    /* The same beside texts: td_candidate_number() gave them numbers and errors, for this row. NULL: not yet */
    const struct td_uarch *numbered;
    struct td_counts counts;
};

enum td_smt { TD_SMT_UNKNOWN, TD_SMT_ON, TD_SMT_OFF };

/* What the enabled and running times of the counts are. */
enum td_times {
    TD_TIMES_RECORDED,
    TD_TIMES_RELATIVE, /* only running / enabled means anything, neither alone */
    /* the same, and it was enabled on whole CPUs from the interval's beginning to its end, but for cgroups */
    TD_TIMES_CPUS,
    TD_TIMES_TASKS, /* the same, and it was enabled while the tasks of a command ran */
};
/* "recorded", ... */
const char *td_times_name(enum td_times);

/* Shares that the recording tool printed beside counts. */
enum { TD_PRINTED_SHARES = 8 };
struct td_printed_shares {
    struct td_printed_share {
        uint16_t hint; /* which node, and by whose formula: td_hints */
        bool several; /* different ones were printed, of other counts */
        double share, unit; /* of 1; one in its last digit */
    } of[TD_PRINTED_SHARES];
    size_t n;
};

struct td_stream {
    /* Gives what comes next as batch, sorted by lane (samples: the innermost scope first); what batch held before is
     * gone. -ENODATA: the end; -EAGAIN: nothing yet, but there may be later (td_take()). Any other error is in the log,
     * and only close() may follow. */
    int (*next)(struct td_stream *);
    /* Frees what the stream holds, the names in its intervals too. */
    void (*close)(struct td_stream *);
    /* Samples: td_code_open(); NULL: there are none. */
    int (*code)(struct td_stream *, const char *function, struct td_code **out);

    struct td_interval *batch;
    size_t nbatch, room;
    struct td_texts texts; /* names of events, by td_count.text */
    struct td_hints hints; /* what td_count.printed means */
    struct td_printed_shares printed; /* as far as was read; of text only */

    /* For messages: the file, or what else is read; and the line that was read last. */
    const char *name;
    unsigned long line;

    /* What is known of the machine when the first batch is there. */
    struct td_identity identity; /* the CPU; nparts 0: not known, so the events must show it */
    /* what the text around the counts names, as mails do: of the CPUs that the events leave, it is this one; nparts 0:
     * nothing */
    struct td_identity told;
    enum td_smt smt;
    bool raw; /* counts came without the scales of sysfs, which the stream has applied */
    bool coverage_unknown; /* counts may be scaled up from part of the time; enabled and running are 0 */
    enum td_times times;
    unsigned times_cpus; /* TD_TIMES_CPUS: on how many CPUs, of scopes of several; 0: not known */
    double mux_interval; /* perf_event_mux_interval_ms in ns; 0: not known */
    unsigned cpus; /* logical CPUs online; 0: not known */
    char *host; /* the machine's name; owned, NULL: not recorded */
    char *command; /* what was measured; owned, NULL: not recorded */
    uint64_t monotonic, realtime; /* what these clocks showed at time 0, ns; both 0: not recorded */
    char *started; /* when, as the header says it; owned, NULL: not recorded */
    char *labels; /* "KEY=VALUE;KEY=VALUE", as their recorder gave them; owned, NULL: none */
    bool handler_counted; /* samples hold slots of the interrupt that took them: td_samples_info.handler */
    const struct td_samples_info *samples; /* kept up to date; NULL: it is no stream of samples */
    int level[TD_CORES]; /* by td_core_index(): the deepest level that was counted; 0: not recorded */
};

/* What two readings show about the interval between them, besides its counts: its duration and its switches. */
void td_interval_between(struct td_interval *, const struct td_snap *from, const struct td_snap *to);

/* The batch's next interval, without counts; NULL: out of memory. */
struct td_interval *td_stream_interval(struct td_stream *);
/* Frees batch, texts, hints and what is known of the machine, for close(). */
void td_stream_free(struct td_stream *);

#endif
