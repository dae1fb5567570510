/* SPDX-License-Identifier: MIT */
/* A meter: what measures this machine for one handle. Its parts are filled in one after
 * another: the machine (host/), PMUs (meter.c), what to count (scopes.c), plans and what is
 * opened (opening.c), readings (readings.c). */
#ifndef TD_METER_H
#define TD_METER_H

#include "core/settings.h"
#include "core/sink.h"
#include "core/stream.h"
#include "live/plan/plan.h"
#include "live/readings.h"
#include "live/scopes.h"
#include "live/source.h"

struct td_latencies;

/* An event that is counted besides those of the plan: td_add_event(). */
struct td_added {
    char text[64];
    uint64_t value; /* what all CPUs counted between the last two readings */
    uint64_t config;
    enum td_status status;
};

struct td_meter {
    struct td_stream stream; /* must be first; gives the intervals of the last reading */
    struct td_log *log;
    const struct td_settings *settings;
    const struct td_source *source;
    const struct td_sink *sink; /* gets each reading; NULL: nobody does */
    struct td_host host;
    struct td_perf_pmu pmu[TD_HOST_PMUS]; /* those of the CPUs wanted */
    size_t npmus;
    struct td_perf_ask ask;
    bool lean; /* count only level 1 without corrections, and what costs nothing beside it */
    struct td_scopes scopes;
    bool opened, counting;
    bool told_errata; /* they were noted in an earlier run */
    struct td_latencies *latencies; /* those that are sampled, or NULL */
    struct td_readings readings;
    struct td_added *added; /* the handle's */
    size_t nadded;
    char **plan; /* lines of td_plan() */
    size_t nplan;
    char *events[TD_PERF_WORDS][TD_HOST_PMUS]; /* texts of td_meter_events(), where they were asked for */
};

/* Makes a meter. What it is given stays the caller's and must outlive it. NULL: out of memory. */
struct td_meter *td_meter_new(const struct td_os *, struct td_log *, const struct td_settings *);
void td_meter_free(struct td_meter *);
/* Finds out what the machine is, once; any error in that is in host.err. -ENOMEM. */
int td_meter_detect(struct td_meter *);
/* Finds the PMUs of the identity's kinds of core, with their forms. */
int td_meter_find_pmus(struct td_meter *, const struct td_identity *, struct td_forms *const forms[TD_PARTS_MAX]);
/* The events of the i-th PMU's plan, as text for perf. NULL: it has no plan, or memory is out. */
const char *td_meter_events(struct td_meter *, size_t i, enum td_perf_words);
/* Forgets these texts, as other groups are to be counted. */
void td_meter_forget_events(struct td_meter *);
/* What td_plan_groups() returns. */
unsigned td_meter_turns(const struct td_meter *);
/* What td_plan_descriptors() returns. */
size_t td_meter_descriptors(const struct td_meter *);
/* What td_plan_watchdog() returns. */
bool td_meter_needs_watchdogs(const struct td_meter *);
/* Closes what is open. An error reports what could not be given back. */
int td_meter_close(struct td_meter *);

#endif
