/* SPDX-License-Identifier: MIT */
/* Retire latencies of events, sampled beside what is counted: PEBS records with PERF_SAMPLE_WEIGHT_STRUCT, whose var3_w
 * is the number of core clocks from the retirement before to the instruction's own (Linux 6.3 and later, on CPUs with
 * IA32_PERF_CAPABILITIES.PEBS_TIMING_INFO). Their sums become samples of each reading of a lane, as counts do. */
#ifndef TD_LATENCIES_H
#define TD_LATENCIES_H

#include "core/counts/counts.h"

struct td_meter;
struct td_latencies;

/* Whether they are sampled as members of the plan's groups; else beside these, or not at all. */
bool td_latencies_in_groups(const struct td_meter *);
/* Samples what the plans of the meter's PMUs need, on all of its open units. Where that is not possible it is noted
 * why, and published means stand for them. -ENOMEM. */
int td_latencies_open(struct td_meter *);
/* A unit whose CPU was offline. */
void td_latencies_open_again(struct td_meter *, size_t unit);
void td_latencies_enable(struct td_meter *, bool on);
/* Whether anything is sampled. */
bool td_latencies_any(const struct td_meter *);
/* Takes what the kernel has recorded since the last time. */
void td_latencies_take(struct td_meter *);
/* The samples for a lane's readings: how many, and, put after those of its counts, the i-th without a value. */
size_t td_latencies_count(const struct td_meter *, size_t lane);
struct td_sample td_latencies_sample(const struct td_meter *, size_t lane, size_t i);
/* The same with what was sampled so far, and the times of the lane's counts. */
void td_latencies_fill(const struct td_meter *, size_t lane, const struct td_sample *counts, size_t ncounts, size_t i,
                       struct td_sample *);
void td_latencies_close(struct td_meter *);

#endif
