/* SPDX-License-Identifier: MIT */
/* What the files that read samples share: data_rounds.c takes the records in their order and gives those of
 * processes to data_processes.c, samples to data_intervals.c. */
#ifndef TD_DATA_SAMPLES_PARTS_H
#define TD_DATA_SAMPLES_PARTS_H

#include "formats/perf_data/data_samples.h"
#include "samples/calls.h"
#include "samples/cgroups.h"
#include "samples/courses.h"

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

#endif
