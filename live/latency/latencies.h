/* SPDX-License-Identifier: MIT */
/* Retire latencies of events, sampled beside what is counted: PEBS records with PERF_SAMPLE_WEIGHT_STRUCT, whose var3_w
 * is the number of core clocks from the retirement before to the instruction's own (Linux 6.3 and later, on CPUs with
 * IA32_PERF_CAPABILITIES.PEBS_TIMING_INFO). Their sums become samples of each reading of a lane, as counts do. */
#ifndef TD_LATENCIES_H
#define TD_LATENCIES_H

#include "core/counts/counts.h"

struct td_meter;
struct td_latencies;

/* Whether latencies are sampled by members of the plan's groups; else in groups beside them, or not at all. */
bool td_latencies_in_groups(const struct td_meter *);
/* Begins to sample what the plans of the meter's PMUs need, on all open units. Where that is impossible the log gets
 * the reason, and published means stand in. -ENOMEM. */
int td_latencies_open(struct td_meter *);
/* Begins again to sample a unit, whose CPU was offline. */
void td_latencies_open_again(struct td_meter *, size_t unit);
void td_latencies_enable(struct td_meter *, bool on);
/* Whether anything is sampled. */
bool td_latencies_any(const struct td_meter *);
/* Takes what the kernel has recorded since the last time. */
void td_latencies_take(struct td_meter *);
/* How many samples the readings of a lane get for latencies, after those of its counts; and the i-th of them, without a
 * value. */
size_t td_latencies_count(const struct td_meter *, size_t lane);
struct td_sample td_latencies_sample(const struct td_meter *, size_t lane, size_t i);
/* The i-th sample with what was sampled so far, and with the times of the lane's counts. */
void td_latencies_fill(const struct td_meter *, size_t lane, const struct td_sample *counts, size_t ncounts, size_t i,
                       struct td_sample *);
void td_latencies_close(struct td_meter *);

#endif
