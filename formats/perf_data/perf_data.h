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
    uint64_t config, flags; /* of perf_event_attr, as the next line */
    /* period: or frequency; 0: it samples nothing */
    uint64_t period, sample_type, read_format, branch_type, regs_user, regs_intr;
    bool metric; /* a field of Intel's metrics register */
    int text; /* td_recording_text() of its name */
    bool named; /* by HEADER_EVENT_DESC */
    size_t nids; /* 0: it could not be counted */
    double scale; /* sysfs .scale */
};

/* One event on one CPU or thread, by the id that the kernel gave it. */
struct td_perf_counter {
    uint64_t id;
    uint64_t value, enabled, running; /* when last read */
    uint32_t event, cpu, thread;
    int scope; /* -1: not read yet */
    uint32_t follower; /* the counter that came after it the last time */
    uint32_t held_tid; /* of a sampling counter's thread */
    bool held; /* the kernel holds its samples back after the next one */
};

/* What one event counted in one scope since the last round. */
struct td_perf_slot {
    uint64_t round; /* in which it was last counted */
    double value, enabled, running;
    bool missing, reset; /* one of its counters did not run; one ran backwards */
};

struct td_perf_scope {
    uint64_t round;
    struct td_perf_slot *slot; /* of each event */
};

struct td_perf_cpu {
    uint32_t core, socket, die, node;
};

struct td_perf_data {
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
        uint32_t counter; /* its index */
    } * by_id; /* all counters, by rising id */
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
    bool has_time, final, any, moved, given; /* moved: something was counted since the last round */
    bool emitting;
    size_t at_scope, at_event; /* at_scope: in counted */
    struct td_gather *gather;
    struct td_perf_view build_ids; /* HEADER_BUILD_ID */
    struct td_perf_samples *samples; /* of perf record (data_samples.h), or NULL */
};

struct td_perf_record {
    uint64_t time, at; /* at: its offset in the file, for messages */
    uint32_t type;
    uint16_t misc;
    struct td_perf_view v; /* without its header */
};

enum { TD_PERF_FEATURES = 32 /* HEADER_* of tools/perf/util/header.h, below this one */ };

/* Reads the beginning of the file, or all of it, and refuses kinds that are not read. */
int td_perf_data_load(struct td_recording *);
/* Whether perf wrote it to a pipe ('-o -'). */
bool td_perf_data_piped(const struct td_perf_data *);
/* After it is loaded: reads everything but its data. */
int td_perf_data_header(struct td_recording *);
/* The same of what was written to a pipe: what the header and the features have is in records, before the data. */
int td_perf_data_pipe(struct td_recording *);
/* Parts of both: a perf_event_attr; the ids of an event's counters; features, empty where they are not there. */
void td_perf_data_attr(struct td_perf_data_event *, struct td_perf_view attr);
int td_perf_data_ids(struct td_recording *, struct td_perf_view ids, size_t event);
int td_perf_data_features(struct td_recording *, const struct td_perf_view[TD_PERF_FEATURES]);
/* The next record; its time is not read. -ENODATA: there is none, or it is cut off. */
int td_perf_data_record(struct td_recording *, struct td_perf_record *out);
/* Makes the index of all counters. -EBADMSG: two have one id; -ENOMEM. */
int td_perf_data_index(struct td_recording *);
/* NULL: no event has it. */
struct td_perf_counter *td_perf_data_find(const struct td_perf_data *, uint64_t id);
/* The same, where there are counters: fast if they come in the same order each time. */
struct td_perf_counter *td_perf_data_follow(struct td_perf_data *, uint64_t id);
/* The features: PMU names and HEADER_EVENT_DESC (or neither, n 0) name the events. */
int td_perf_data_names(struct td_recording *, struct td_perf_view desc, struct td_perf_view pmus);
/* PERF_RECORD_EVENT_UPDATE without its header: an event's scale, or its name. */
int td_perf_data_update(struct td_recording *, struct td_perf_view);
/* HEADER_CPUID. -EOPNOTSUPP: a CPU that no backend handles. */
int td_perf_data_cpuid(struct td_recording *, struct td_perf_view);
/* HEADER_HOSTNAME, HEADER_CMDLINE. */
void td_perf_data_origin(struct td_recording *, struct td_perf_view host, struct td_perf_view command);
/* HEADER_NRCPUS, HEADER_CPU_TOPOLOGY, HEADER_NUMA_TOPOLOGY: where each CPU is. */
int td_perf_data_topology(struct td_recording *, struct td_perf_view ncpus, struct td_perf_view topology,
                          struct td_perf_view numa);
/* PERF_RECORD_THREAD_MAP without its header. */
int td_perf_data_threads(struct td_recording *, struct td_perf_view);
/* The scope that a counter belongs to. */
int td_perf_data_scope(struct td_recording *, uint32_t cpu, uint32_t thread);

#endif
