/* SPDX-License-Identifier: MIT */
/* The perf.data of perf record with groups of events, where each sample has a reading of its group and ends an
 * interval; and what the files that read samples share: data_rounds.c takes the records in their order, unpacked by
 * data_unpack.c, and gives those of processes to data_processes.c, samples to data_intervals.c, for which data_place.c
 * finds what they hit. */
#ifndef TD_DATA_SAMPLES_PARTS_H
#define TD_DATA_SAMPLES_PARTS_H

#include "formats/perf_data/data_order.h"
#include "formats/perf_data/data_sample.h"
#include "formats/perf_data/perf_data.h"
#include "samples/calls.h"
#include "samples/cgroups.h"
#include "samples/courses.h"

struct td_perf_unpack;

/* Whether a file whose header has been read is of perf record. */
bool td_perf_samples_are(const struct td_perf_data *);
/* -EBADMSG: no event has samples with readings of a group. */
int td_perf_samples_open(struct td_recording *);
/* td_reader.next */
int td_perf_samples_next(struct td_recording *);
void td_perf_samples_free(struct td_perf_samples *);

/* enum perf_event_type and enum perf_user_event_type */
enum {
    TD_RECORD_MMAP = 1,
    TD_RECORD_LOST = 2,
    TD_RECORD_COMM = 3,
    TD_RECORD_EXIT = 4,
    TD_RECORD_THROTTLE = 5,
    TD_RECORD_FORK = 7,
    TD_RECORD_SAMPLE = 9,
    TD_RECORD_MMAP2 = 10,
    TD_RECORD_LOST_SAMPLES = 13,
    TD_RECORD_SWITCH_CPU_WIDE = 15,
    TD_RECORD_KSYMBOL = 17,
    TD_RECORD_CGROUP = 19,
    TD_RECORD_BUILD_ID = 67,
    TD_RECORD_FINISHED_ROUND = 68,
    TD_RECORD_ID_INDEX = 69,
    TD_RECORD_AUXTRACE = 71,
    TD_RECORD_COMPRESSED = 81,
    TD_RECORD_COMPRESSED2 = 83,
};

/* In the header of a SWITCH_CPU_WIDE: a thread leaves its CPU to another one; though it could have gone on (since Linux
 * 4.17). */
enum { TD_MISC_SWITCH_OUT = 1 << 13, TD_MISC_SWITCH_PREEMPTED = 1 << 14 };

enum { TD_LOST_BYTES = 128 };

struct td_perf_samples {
    struct td_spaces *spaces;
    struct td_places *places;
    struct td_kept_files *kept; /* NULL: it has none */
    struct td_calls *calls;
    struct td_hit
        caller[TD_FRAMES_MAX]; /* of the sample at hand; not on the stack, of which some callers have little */
    struct td_courses *courses;
    struct td_cgroups *cgroups;
    struct td_perf_order *order;
    struct td_perf_unpack *unpack; /* NULL: nothing was compressed */
    bool packed; /* unpack may have records that were not taken yet */
    struct td_samples_info info;
    const struct td_perf_data_event *like; /* an event that all have the sample_type of; NULL: they differ */
    uint16_t turns[TD_CORES]; /* by td_core_index(): of how many groups samples have been read */
    bool tasks; /* counters follow tasks from CPU to CPU */
    bool ended, told_unknown;
    bool begun;
    uint64_t origin; /* time of the first sample */
    struct td_perf_record lost; /* a LOST that waits for the record after it; type 0: none */
    unsigned char lost_bytes[TD_LOST_BYTES];
    struct td_member member[TD_MEMBERS_MAX];
};

/* Whether the samples of an event have readings of its group, by id. */
static inline bool td_perf_reads_group(const struct td_perf_data_event *e)
{
    return e->sample_type & TD_SAMPLE_READ && e->read_format & TD_READ_GROUP && e->read_format & TD_READ_ID;
}

/* Take HEADER_BUILD_ID, the build-ids of files that are recorded apart from their mappings; and a record with one of
 * them. */
int td_perf_take_build_ids(struct td_recording *);
int td_perf_take_build_id(struct td_recording *, uint16_t misc, struct td_perf_view);
/* Takes a record about a process or the kernel: mappings, functions, names, start and end. The view is without header
 * and trailer. */
int td_perf_take_process(struct td_recording *, const struct td_perf_record *, struct td_perf_view);
/* Takes a sample: adds what was counted since the one before to the batch, as intervals. */
int td_perf_take_sample(struct td_recording *, const struct td_perf_record *);

/* What a sample hit; misc is that of its record. */
struct td_hit td_perf_hit(const struct td_perf_data_event *, const struct td_perf_sample *, uint16_t misc,
                          const struct td_cgroups *);
/* The call that a sample hit. at: the n places of its own address, the innermost first. Its callers come from its
 * chain, if it has one, and are written to caller. Errors as of td_places_find(). */
int td_perf_call(const struct td_perf_sample *, const struct td_hit *, const struct td_place *const *at, size_t n,
                 struct td_places *, struct td_spaces *, struct td_calls *, struct td_hit caller[TD_FRAMES_MAX],
                 const struct td_call **out);

/* Records that perf record -z has compressed are one zstd stream in pieces, whose ends need not be those of records. */
enum {
    TD_UNPACK_MOST = 32 << 20, /* bytes that one piece may hold */
    TD_UNPACK_RATIO = 32, /* how many times as long all of it may become: perf's buffers shrink to a tenth */
};

/* Unpacks one more piece; *u is made for the first one. May only be called after td_perf_unpack_take() has given
 * nothing. -EBADMSG: the piece is damaged or unpacks to more than is allowed, or the program was built without zstd;
 * -ENOMEM. */
int td_perf_unpack_add(struct td_recording *, struct td_perf_unpack **u, struct td_perf_view piece);
/* The next record; its bytes are valid until the next piece is added. -EAGAIN: more pieces are needed; -EBADMSG. */
int td_perf_unpack_take(struct td_recording *, struct td_perf_unpack *, struct td_perf_record *out);
void td_perf_unpack_free(struct td_perf_unpack *);

#endif
