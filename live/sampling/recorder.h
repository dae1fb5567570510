/* SPDX-License-Identifier: MIT */
/* Samples CPUs, or tasks with their threads and children, into a perf.data. */
#ifndef TD_RECORDER_H
#define TD_RECORDER_H

#include "live/sampling/data_file.h"
#include "live/sampling/features.h"
#include "live/sampling/made.h"

struct td_recorder_counts {
    uint64_t samples;
    uint64_t near, far; /* how many pairs had the right distance, and how many had not */
    uint64_t lost; /* samples that the kernel lost */
    uint64_t throttled; /* how often the kernel throttled */
    uint64_t missed; /* threads that were not sampled: they ended before, or there were too many */
    size_t sampled; /* CPUs or threads */
};

struct td_recorder {
    const struct td_meter *meter;
    struct td_sampled_how how;
    const char *const *command; /* the command line, for the file; or NULL */
    struct td_sampled_kind *kind;
    size_t nkinds;
    struct td_sampled **group;
    size_t ngroups, room;
    int rings; /* a descriptor that can be read when records wait to be taken; or -1 */
    struct td_data_file file;
    struct td_images images;
    struct td_made made;
    struct td_recorder_counts counts;
    struct td_pace pace;
    bool tasks;
    bool too_big; /* it was not opened, as the counters do not hold the members */
    bool written; /* records, since the last round ended */
};

/* Opens the meter's units, whose PMUs have plans, and begins the file. Whole CPUs count from now on, and tasks too
 * unless how says from execve(2) on. An error of opening is in the meter's log; td_recorder_free() in any case. */
int td_recorder_open(struct td_recorder *, const struct td_meter *, const struct td_sampled_how *,
                     const struct td_pace *, td_data_write_fn *, void *ctx);
/* Sets the distance of pairs wherever it has to be set, and varies the frequency wherever single samples were taken.
 * The tasks should be running. */
void td_recorder_arm(struct td_recorder *);
/* Takes what the kernel has recorded since the last time: 0 or the error of writing, -ENOMEM. */
int td_recorder_take(struct td_recorder *);
/* Takes records for the last time, and ends the file. Errors as above. */
int td_recorder_end(struct td_recorder *);
/* Closes the groups. */
void td_recorder_close(struct td_recorder *);
void td_recorder_free(struct td_recorder *);

#endif
