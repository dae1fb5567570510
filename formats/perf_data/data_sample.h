/* SPDX-License-Identifier: MIT */
/* One PERF_RECORD_SAMPLE, and what ends every other record. The order of the fields, by
 * the bits of sample_type, is that of linux/perf_event.h. */
#ifndef TD_DATA_SAMPLE_H
#define TD_DATA_SAMPLE_H

#include "formats/perf_data/perf_data.h"

/* enum perf_event_sample_format */
enum {
    TD_SAMPLE_IP = 1 << 0,
    TD_SAMPLE_TID = 1 << 1,
    TD_SAMPLE_TIME = 1 << 2,
    TD_SAMPLE_ADDR = 1 << 3,
    TD_SAMPLE_READ = 1 << 4,
    TD_SAMPLE_CALLCHAIN = 1 << 5,
    TD_SAMPLE_ID = 1 << 6,
    TD_SAMPLE_CPU = 1 << 7,
    TD_SAMPLE_PERIOD = 1 << 8,
    TD_SAMPLE_STREAM_ID = 1 << 9,
    TD_SAMPLE_RAW = 1 << 10,
    TD_SAMPLE_BRANCH_STACK = 1 << 11,
    TD_SAMPLE_REGS_USER = 1 << 12,
    TD_SAMPLE_STACK_USER = 1 << 13,
    TD_SAMPLE_WEIGHT = 1 << 14,
    TD_SAMPLE_DATA_SRC = 1 << 15,
    TD_SAMPLE_IDENTIFIER = 1 << 16,
    TD_SAMPLE_TRANSACTION = 1 << 17,
    TD_SAMPLE_REGS_INTR = 1 << 18,
    TD_SAMPLE_PHYS_ADDR = 1 << 19,
    TD_SAMPLE_AUX = 1 << 20,
    TD_SAMPLE_CGROUP = 1 << 21,
    TD_SAMPLE_DATA_PAGE_SIZE = 1 << 22,
    TD_SAMPLE_CODE_PAGE_SIZE = 1 << 23,
    TD_SAMPLE_WEIGHT_STRUCT = 1 << 24,
};
/* enum perf_event_read_format */
enum { TD_READ_ENABLED = 1, TD_READ_RUNNING = 2, TD_READ_ID = 4, TD_READ_GROUP = 8, TD_READ_LOST = 16 };
/* bits of perf_event_attr after its config */
enum { TD_ATTR_INHERIT = 1 << 1, TD_ATTR_FREQ = 1 << 10, TD_ATTR_SAMPLE_ID_ALL = 1 << 18 };

/* The fields that are used; those that were not recorded are 0. */
struct td_perf_sample {
    uint64_t id, ip, time, cgroup;
    uint32_t pid, tid, cpu;
    uint64_t enabled, running;
    uint64_t nvalues; /* how many counters the group has */
    struct td_perf_view values; /* their values, for td_perf_value() */
    struct td_perf_view chain; /* addresses, the innermost first */
};

/* The id in a sample, whichever event it is of: the event given says where ids are. false: it has none. */
bool td_perf_sample_id(const struct td_perf_data_event *, struct td_perf_view, uint64_t *out);
/* The time of a sample that was not read yet. */
uint64_t td_perf_sample_time(const struct td_perf_data_event *, struct td_perf_view);
/* Reads a sample, of which the view is without the header. false: it is too short for its fields. */
bool td_perf_sample_read(const struct td_perf_data_event *, struct td_perf_view, struct td_perf_sample *out);
/* Takes the next counter's id and value from the front of values; false: there is none left. */
bool td_perf_value(const struct td_perf_data_event *, struct td_perf_view *values, uint64_t *id, uint64_t *value);
/* What every record but a sample ends with: pid, tid, time, id, cpu. Zeroes where it has no such
 * fields. The view loses these bytes. */
void td_perf_trailer(const struct td_perf_data_event *, struct td_perf_view *, struct td_perf_sample *out);

#endif
