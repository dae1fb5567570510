/* SPDX-License-Identifier: MIT */
/* A result whose numbers are written out here, with each kind of value that there is, for what reports make of it. */
#ifndef MADE_RESULT_H
#define MADE_RESULT_H

#include "core/result.h"
#include "report/report.h"
#include "tests/support/captured.h"

#include <math.h>

enum {
    MADE_RETIRING,
    MADE_BAD_SPECULATION,
    MADE_FRONTEND_BOUND,
    MADE_BACKEND_BOUND,
    MADE_MEMORY_BOUND,
    MADE_CORE_BOUND,
    MADE_FETCH_LATENCY,
    MADE_FETCH_BANDWIDTH,
    MADE_L3_BOUND,
    MADE_PORTS,
    MADE_IPC,
    MADE_GBPS,
    MADE_METRICS
};

struct made_result {
    struct td_result r;
    struct td_uarch uarch;
    struct td_counts counts;
    struct td_count count[4];
    struct td_given given;
    struct td_metric metric[MADE_METRICS];
    const struct td_metric *path[2], *among[2];
    struct td_verdict verdict;
};

static const struct td_backend made_backend = {.name = "made"};
static const char *const made_texts[] = {"cycles", "a,\"b\"", "idle"};

/* A value of 0 has the bounds low and high, which are all there is where bounds are none. */
static inline struct td_metric made_metric(const char *name, const char *parent, int level, double value)
{
    return (struct td_metric){.name = name,
                              .parent = parent,
                              .level = level,
                              .unit = "slots",
                              .value = value,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .kind = level ? TD_METRIC_NODE : TD_METRIC_INFO};
}

static inline void made_bounds(struct td_metric *m, enum td_bounds bounds, double low, double high)
{
    m->bounds = bounds;
    m->low = low;
    m->high = high;
}

static inline void made_metrics(struct td_metric *m)
{
    m[MADE_RETIRING] = made_metric("retiring", "", 1, 0.5);
    made_bounds(&m[MADE_RETIRING], TD_BOUNDS_SOUND, 0.44, 0.56);
    m[MADE_BAD_SPECULATION] = made_metric("bad_speculation", "", 1, 0.06);
    made_bounds(&m[MADE_BAD_SPECULATION], TD_BOUNDS_LIKELY, 0.05, 0.07);
    m[MADE_FRONTEND_BOUND] = made_metric("frontend_bound", "", 1, 0.18);
    m[MADE_FRONTEND_BOUND].flags = TD_FLAG_MULTIPLEXED | TD_FLAG_NO_BOUNDS;
    m[MADE_BACKEND_BOUND] = made_metric("backend_bound", "", 1, 0.26);
    made_bounds(&m[MADE_BACKEND_BOUND], TD_BOUNDS_SOUND, 0.26, 0.2604);
    m[MADE_MEMORY_BOUND] = made_metric("memory_bound", "backend_bound", 2, 0.2);
    made_bounds(&m[MADE_MEMORY_BOUND], TD_BOUNDS_SOUND, 0.15, 0.25);
    m[MADE_CORE_BOUND] = made_metric("core_bound", "backend_bound", 2, (double)NAN);
    m[MADE_CORE_BOUND].status = TD_IMPOSSIBLE;
    m[MADE_CORE_BOUND].raw = -0.125;
    m[MADE_CORE_BOUND].why = "its counts differ";
    m[MADE_FETCH_LATENCY] = made_metric("fetch_latency", "frontend_bound", 2, (double)NAN);
    m[MADE_FETCH_LATENCY].status = TD_MISSING_EVENT;
    m[MADE_FETCH_LATENCY].event = "FETCH.X";
    m[MADE_FETCH_BANDWIDTH] = made_metric("fetch_bandwidth", "frontend_bound", 2, (double)NAN);
    m[MADE_FETCH_BANDWIDTH].status = TD_NOT_ON_THIS_CPU;
    m[MADE_L3_BOUND] = made_metric("l3_bound", "memory_bound", 3, 0.125);
    made_bounds(&m[MADE_L3_BOUND], TD_BOUNDS_LIKELY, 0.1, 0.15);
    m[MADE_L3_BOUND].unit = "stalls";
    m[MADE_L3_BOUND].over = TD_OVER_YES;
    m[MADE_PORTS] = made_metric("ports_utilization", "core_bound", 3, 0.01);
    made_bounds(&m[MADE_PORTS], TD_BOUNDS_SOUND, 0.01, 0.01);
    m[MADE_PORTS].over = TD_OVER_NO;
    m[MADE_IPC] = made_metric("ipc", "", 0, 1.25);
    made_bounds(&m[MADE_IPC], TD_BOUNDS_SOUND, 1.2, 1.3);
    m[MADE_IPC].unit = "per cycle";
    m[MADE_GBPS] = made_metric("bandwidth", "", 0, 2048.25);
    m[MADE_GBPS].unit = "GB/s";
}

/* Of a core, for a quarter of a second until the 13th; the counts took turns for three quarters of it. */
static inline void made_begin(struct made_result *m)
{
    *m = (struct made_result){.uarch = {.name = "spr"}};
    made_metrics(m->metric);
    m->count[0] = (struct td_count){.value = 1234567, .enabled = 4, .running = 2};
    m->count[1] = (struct td_count){.text = 1, .value = 8, .enabled = 4, .running = 4};
    m->count[2] = (struct td_count){.text = 2, .status = TD_NOT_COUNTED};
    m->count[3] = (struct td_count){.value = 1000000, .enabled = 4, .running = 3};
    m->counts = (struct td_counts){.n = 4, .c = m->count};
    m->r = (struct td_result){.at = {.has_time = true,
                                     .time = 12000345678,
                                     .duration = 250000000,
                                     .scope = "S0-C1",
                                     .scope_kind = TD_KIND_CORE},
                              .uarch = &m->uarch,
                              .backend = &made_backend,
                              .cpu = "spr",
                              .formula = "perf_metrics",
                              .flags = TD_FLAG_MULTIPLEXED | TD_FLAG_SMT_UNKNOWN,
                              .common = TD_FLAG_SMT_UNKNOWN,
                              .coverage = 0.75,
                              .metrics = m->metric,
                              .nmetrics = MADE_METRICS,
                              .given = &m->given,
                              .counts = &m->counts,
                              .texts = made_texts};
    m->path[0] = &m->metric[MADE_BACKEND_BOUND];
    m->path[1] = &m->metric[MADE_MEMORY_BOUND];
    m->among[0] = &m->metric[MADE_L3_BOUND];
    m->verdict = (struct td_verdict){.status = TD_VERDICT_DECIDED,
                                     .node = m->path[1],
                                     .path = m->path,
                                     .npath = 2,
                                     .nsound = 2,
                                     .among = m->among,
                                     .namong = 1};
}

/* What the format makes of the result in a report with these settings; begins: with what comes before all results. */
static inline void made_is(const char *format, const struct td_report *settings, bool begins,
                           const struct made_result *m, const char *wanted)
{
    struct td_report r = *settings;
    struct captured c;

    r.format = td_report_format_find(format);
    r.verdict = m->verdict;
    r.out = *captured_begin(&c);
    r.out.terminal = settings->out.terminal;
    if (begins)
        td_report_begin(&r);
    r.format->result(&r, &m->r);
    td_report_end(&r, NULL);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(captured_text(&c), wanted) != 0)
        printf("\n    %s: not as written, but\n%s", format, captured_text(&c));
    captured_end(&c);
}

#endif
