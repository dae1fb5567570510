/* SPDX-License-Identifier: MIT */
/* The perf.data of perf stat record. Layout: Linux
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h
 * and tools/perf/util/header.c (the features), as perf 6.1 writes them.
 *
 * Names of events, the CPU and its topology are features, which come after the
 * data, and the input may be a pipe: a file of up to TD_PERF_WHOLE_MAX bytes is
 * kept as a whole. Of a longer file that much is kept, and the rest of the data is read in
 * pieces. Where the file can be read from anywhere (td_set_seek()), its features are read before that; otherwise they
 * are not used: events are then named by their attributes ("r8000"), and the CPU is found by the events or asked for;
 * a note says so.
 * In messages the number after the file's name is the offset, in bytes. */
#ifndef TD_PERF_DATA_H
#define TD_PERF_DATA_H

#include "sim/replay/intervals.h"
#include "formats/perf_data/data_view.h"

enum {
    TD_PERF_WHOLE_MAX = 48 << 20, /* bytes */
    TD_PERF_EVENTS_MAX = 1024,
    TD_PERF_COUNTERS_MAX = 1 << 18, /* events x CPUs or threads */
    TD_PERF_NAME_MAX = 1024, /* bytes of a name that are used */
    TD_PERF_UNABLE_MAX = 1 << 22, /* rows of events that could not be counted */
};

struct td_perf_samples;

enum { TD_PERF_EXCLUDE_USER = 1 << 4, TD_PERF_EXCLUDE_KERNEL = 1 << 5 }; /* of perf_event_attr's flags */

struct td_perf_data_event {
    uint32_t type;
    /* members of perf_event_attr; period may be a frequency, and is 0 where the event samples nothing */
    uint64_t config, flags;
    uint64_t period, sample_type, read_format, branch_type, regs_user, regs_intr;
    bool monotonic; /* times are those of CLOCK_MONOTONIC */
    bool metric; /* a field of Intel's metrics register */
    bool leads; /* samples of the group that it leads have been read */
    uint16_t turn; /* the group's number among those of its kind of core that samples have been read of */
    int text; /* td_recording_text() of its name */
    bool named; /* HEADER_EVENT_DESC has a name for it */
    size_t nids; /* 0: it could not be counted */
    double scale; /* that of the event's .scale in sysfs */
};

/* One event on one CPU or thread, by the id that the kernel gave it. */
struct td_perf_counter {
    uint64_t id;
    uint64_t value, enabled, running; /* totals when it was last read */
    uint32_t event, cpu, thread;
    int scope; /* -1: not read yet */
    uint32_t follower; /* the counter that came after it the last time */
    uint32_t held_tid; /* the thread of a counter that samples, with held */
    bool held; /* the kernel throttles its samples after the next one */
};

/* What one event counted in one scope since the last round. */
struct td_perf_slot {
    uint64_t round; /* the last round in which it was counted */
    double value, enabled, running;
    bool missing; /* one of its counters did not run */
    bool reset; /* one of its counters ran backwards */
};

struct td_perf_scope {
    uint64_t round;
    struct td_perf_slot *slot; /* by event */
};

struct td_perf_cpu {
    uint32_t core, socket, die, node;
};

struct td_perf_data {
    struct td_recording recording; /* first: td_perf_data_of() */
    /* buf[start..end) is not yet used; buf[0] is at offset base in the file. */
    unsigned char *buf;
    size_t start, end, room;
    uint64_t base, data_end;
    bool whole, cut;
    unsigned char *tail_bytes; /* what is after the data of a file that is not kept as a whole, or NULL */
    struct td_perf_view tail;

    struct td_perf_data_event *event;
    size_t nevents;
    struct td_perf_counter *counter;
    size_t ncounters, last;
    struct td_perf_id {
        uint64_t id;
        uint32_t counter; /* its index in counter */
    } * by_id; /* all counters, sorted by id */
    struct td_perf_cpu *cpu; /* by number */
    size_t ncpus;
    bool has_die, has_node;
    struct td_perf_scope *scope; /* by td_gather_scope() */
    size_t nscopes, nslots;
    uint32_t *counted; /* scopes that were counted since the last round; room for all scopes */
    size_t ncounted;
    size_t nunable; /* rows given so far of events that could not be counted */
    char (*thread)[32]; /* "comm-tid" */
    size_t nthreads;

    uint64_t aggregation; /* enum aggr_mode of the perf that wrote it */
    uint64_t round, time;
    bool has_time, final, any;
    bool moved; /* something was counted since the last round */
    bool given;
    bool emitting;
    size_t at_scope, at_event; /* what is given next: an index in counted, and an event */
    struct td_gather *gather;
    struct td_perf_view build_ids; /* HEADER_BUILD_ID */
    struct td_perf_view kept; /* TD_KEPT_FEATURE */
    struct td_perf_samples *samples; /* of a file of perf record (data_samples_parts.h); else NULL */
};

static inline struct td_perf_data *td_perf_data_of(struct td_recording *r)
{
    return (struct td_perf_data *)r; /* its first member */
}

struct td_perf_record {
    uint64_t time;
    uint64_t at; /* its offset in the file, for messages */
    uint32_t type;
    uint16_t misc;
    struct td_perf_view v; /* without its header */
};

enum { TD_PERF_FEATURES = 32 /* HEADER_* of tools/perf/util/header.h, below this one */ };

/* Reads the beginning of the file, or all of it, and refuses kinds that are not read. */
int td_perf_data_load(struct td_recording *);
/* Whether perf wrote it to a pipe ('-o -'). */
bool td_perf_data_piped(const struct td_perf_data *);
/* Reads everything but the data of a file that is loaded. */
int td_perf_data_header(struct td_recording *);
/* Reads the same of a file that was written to a pipe, which has it in records before the data. */
int td_perf_data_pipe(struct td_recording *);
/* Parts of both: take a perf_event_attr, the ids of an event's counters, and features, which are empty views where the
 * file has none. */
void td_perf_data_attr(struct td_perf_data_event *, struct td_perf_view attr);
int td_perf_data_ids(struct td_recording *, struct td_perf_view ids, size_t event);
int td_perf_data_features(struct td_recording *, const struct td_perf_view[TD_PERF_FEATURES]);
/* The next record; its time is not read. -ENODATA: there is none, or it is cut off. */
int td_perf_data_record(struct td_recording *, struct td_perf_record *out);
/* Makes the index of all counters. -EBADMSG: two have one id; -ENOMEM. */
int td_perf_data_index(struct td_recording *);
/* The counter with that id; NULL: there is none. */
struct td_perf_counter *td_perf_data_find(const struct td_perf_data *, uint64_t id);
/* The same, but fast if counters are asked for in the same order each time. The file must have counters. */
struct td_perf_counter *td_perf_data_follow(struct td_perf_data *, uint64_t id);
/* Names the events by the features with PMU names and with HEADER_EVENT_DESC, either of which may be empty. */
int td_perf_data_names(struct td_recording *, struct td_perf_view desc, struct td_perf_view pmus);
/* Takes a PERF_RECORD_EVENT_UPDATE without its header: an event's scale, or its name. */
int td_perf_data_update(struct td_recording *, struct td_perf_view);
/* Takes HEADER_CPUID. -EOPNOTSUPP: it is a CPU that no backend handles. */
int td_perf_data_cpuid(struct td_recording *, struct td_perf_view);
/* Takes HEADER_HOSTNAME and HEADER_CMDLINE. */
void td_perf_data_origin(struct td_recording *, struct td_perf_view host, struct td_perf_view command);
/* Takes HEADER_NRCPUS, HEADER_CPU_TOPOLOGY and HEADER_NUMA_TOPOLOGY: where each CPU is. */
int td_perf_data_topology(struct td_recording *, struct td_perf_view ncpus, struct td_perf_view topology,
                          struct td_perf_view numa);
/* Takes a PERF_RECORD_THREAD_MAP without its header. */
int td_perf_data_threads(struct td_recording *, struct td_perf_view);
/* The scope that a counter belongs to. */
int td_perf_data_scope(struct td_recording *, uint32_t cpu, uint32_t thread);

#endif
