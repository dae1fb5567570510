/* SPDX-License-Identifier: MIT */
/* Measuring by the source "msr": its part of a liveset. */
#ifndef TD_LIVE_MSR_H
#define TD_LIVE_MSR_H

#include "live.h"
#include "msr.h"

/* An event of td_add_event(). */
struct td_added {
    char text[64];
    uint64_t value; /* of all CPUs, between the last two readings */
    uint64_t config;
    enum td_status status;
};

/* A unit's registers. */
struct td_live_msr {
    struct td_msr msr;
    struct td_msr_added added[TD_MSR_ADDED]; /* the set has their names */
    struct td_msr_set set;
};

/* What this source cannot count: said. */
int td_live_msr_check(struct td *, const struct td_live *);
/* td_live_open_units() of this source. */
int td_live_msr_open(struct td *, bool dry);
int td_live_msr_enable(struct td *, bool on);
/* Adds what a unit counted since the last reading to its events. */
int td_live_msr_read(struct td *, struct td_live_unit *);
/* Gives the registers back. -ENXIO: not yet, the CPU is offline; why says so. */
int td_live_msr_close(struct td_live_unit *, char why[TD_MSR_WHY]);
/* What td_add_event()'s text means on a CPU: -EINVAL with why. */
int td_msr_event_find(const struct td_uarch *, const struct td_msr_caps *, const char *text, struct td_msr_added *out, char why[TD_MSR_WHY]);

#endif
