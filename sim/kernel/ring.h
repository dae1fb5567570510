/* SPDX-License-Identifier: MIT */
/* The rings of mapped events: perf_output_begin() and __perf_output_begin() in Linux
 * kernel/events/ring_buffer.c. */
#ifndef TD_SIM_RING_H
#define TD_SIM_RING_H

#include "sim/kernel/event.h"

struct td_sim;

enum { TD_SIM_PAGE = 4096, TD_SIM_RECORD_MAX = 2048 };

/* A record in the making: its header's size is set when it is put. */
struct td_sim_record {
    unsigned char at[TD_SIM_RECORD_MAX];
    size_t n;
};

/* Begins a record with its header. */
void td_sim_record_begin(struct td_sim_record *, uint32_t type, uint16_t misc);
void td_sim_record_u32(struct td_sim_record *, uint32_t);
void td_sim_record_u64(struct td_sim_record *, uint64_t);
/* Adds a text with its NUL, filled up with zeros to whole words. */
void td_sim_record_text(struct td_sim_record *, const char *);

/* Whether the event's records have a ring to go to. */
bool td_sim_ring_has(const struct td_sim_event *);
/* Puts the record into the event's ring, if it has one, after a record of how many were lost before. Without room for
 * both this one is lost too. cpu: where it happens. */
void td_sim_ring_put(struct td_sim *, const struct td_sim_event *, unsigned cpu, struct td_sim_record *);
/* Whether the event's ring has woken its readers since the last call, or no record will come any more. */
bool td_sim_ring_woken(const struct td_sim_event *);
/* The time of records of a CPU, CLOCK_MONOTONIC, ns. */
uint64_t td_sim_time_on(const struct td_sim *, unsigned cpu);
/* Adds who runs on the CPU, when, and which event it is, as far as sample_type asks for them. Samples have this, and
 * the end of other records. */
void td_sim_record_who(const struct td_sim *, const struct td_sim_event *, unsigned cpu, struct td_sim_record *);
/* What every record but a sample ends with: sample_id_all. */
void td_sim_record_ids(const struct td_sim *, const struct td_sim_event *, unsigned cpu, struct td_sim_record *);

#endif
