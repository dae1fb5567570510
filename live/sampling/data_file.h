/* SPDX-License-Identifier: MIT */
/* Writes a perf.data (Linux tools/perf/Documentation/perf.data-file-format.txt). The header, the events and their ids
 * come first, with room for a number of ids; then the records as they come; then the features; and last all ids, if
 * there are more than had room. */
#ifndef TD_DATA_FILE_H
#define TD_DATA_FILE_H

#include "live/sampling/sampled.h"

/* Writes bytes at an offset of the file: 0 or -errno. Offsets rise from call to call, except in the last one, which
 * writes the front again. */
typedef int td_data_write_fn(void *ctx, uint64_t at, const void *bytes, size_t n);

/* Bytes in the making. */
struct td_data_bytes {
    unsigned char *at;
    size_t n, room;
    bool failed; /* out of memory */
};
void td_data_put(struct td_data_bytes *, const void *from, size_t n);
void td_data_put32(struct td_data_bytes *, uint32_t);
void td_data_put64(struct td_data_bytes *, uint64_t);
/* Adds a text as do_write_string() of perf does: the length that it takes, then the text, filled up with zeros. */
void td_data_put_text(struct td_data_bytes *, const char *);

struct td_data_event {
    const struct perf_event_attr *attr;
    const char *name;
    uint32_t leader;
    uint32_t members; /* how many the group has that it leads; 0: it leads none */
    uint64_t *id;
    size_t nids;
};

struct td_data_file {
    td_data_write_fn *write;
    void *ctx;
    struct td_data_event *event;
    /* ids: how many of each event have room before the records; most: how many there may be */
    size_t nevents, ids, most;
    uint64_t ids_after; /* where the ids are after the features; 0: they are before the records */
    uint64_t at; /* where the next bytes go */
    int err; /* that of the first write that failed, after which nothing is written */
};

/* Begins a file whose events are those of the kinds, in their order, with at most so many ids each. -ENOMEM, or the
 * error of writing. */
int td_data_begin(struct td_data_file *, const struct td_sampled_kind *, size_t nkinds, size_t most);
/* Adds the ids of a group's events, unless there are too many: -ENOSPC. */
int td_data_ids(struct td_data_file *, const struct td_sampled_kind *first, const struct td_sampled *);
/* Adds bytes to the records. */
int td_data_add(struct td_data_file *, const void *bytes, size_t n);
/* Ends the file with its features, feature[i] by their number (HEADER_*, below TD_DATA_FEATURES; n 0: it has none). */
enum { TD_DATA_FEATURES = 256 };
int td_data_end(struct td_data_file *, const struct td_data_bytes feature[TD_DATA_FEATURES]);
void td_data_free(struct td_data_file *);

#endif
