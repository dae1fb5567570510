/* SPDX-License-Identifier: MIT */
/* What JSON has of a verdict and of what to do next: which nodes are ruled out, by which bounds, by hand. */
#include "report/json_verdict.h"

#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

static const struct td_backend perf_metrics = {.name = "intel-perf-metrics"};

#define OUT(node, high, by, low, bounds) \
    "{\"node\":\"" node "\",\"high\":" high ",\"by\":\"" by "\",\"low\":" low ",\"bounds\":\"" bounds "\"}"
/* Of the made result: frontend_bound has no bounds, core_bound no value. */
#define BAD OUT("bad_speculation", "0.07", "backend_bound", "0.26", "likely")

static void next_is(struct made_result *m, const struct td_report *settings, const char *wanted)
{
    struct td_report r = *settings;
    struct captured c;
    struct td_json_writer j;

    r.verdict = m->verdict;
    r.out = *captured_begin(&c);
    j = (struct td_json_writer){.out = &r.out};
    td_json_put_next(&j, &r, &m->r);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(captured_text(&c), wanted) != 0)
        printf("\n    not as written, but %s\n", captured_text(&c));
    captured_end(&c);
}

static void out_is(struct made_result *m, const char *wanted)
{
    static const struct td_report settings = {.counts = false};
    char text[1024];

    snprintf(text, sizeof(text), "\"next\":{\"ruled_out\":[%s],\"rerun\":null,\"command\":null}", wanted);
    next_is(m, &settings, text);
}

/* A sibling of a node of the path is ruled out whose bounds are below those of the node; what retires is none. */
static void ruled_out(void)
{
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_RETIRING].high = 0.01;
    out_is(&m, BAD);
    m.metric[MADE_BAD_SPECULATION].high = 0.26; /* it may be as large */
    out_is(&m, "");
    m.metric[MADE_BAD_SPECULATION].high = 0.2599;
    m.metric[MADE_BAD_SPECULATION].bounds = TD_BOUNDS_SOUND;
    out_is(&m, OUT("bad_speculation", "0.2599", "backend_bound", "0.26", "sound"));
    m.metric[MADE_BACKEND_BOUND].bounds = TD_BOUNDS_LIKELY;
    out_is(&m, OUT("bad_speculation", "0.2599", "backend_bound", "0.26", "likely"));
    m.metric[MADE_BACKEND_BOUND].bounds = TD_BOUNDS_NONE;
    out_is(&m, "");
    m.metric[MADE_BACKEND_BOUND].bounds = TD_BOUNDS_SOUND;
    m.metric[MADE_BAD_SPECULATION].bounds = TD_BOUNDS_NONE;
    out_is(&m, "");
    m.metric[MADE_BAD_SPECULATION].bounds = TD_BOUNDS_SOUND;
    m.metric[MADE_BAD_SPECULATION].status = TD_IMPOSSIBLE;
    out_is(&m, "");
    m.metric[MADE_BAD_SPECULATION].status = TD_OK;
    m.metric[MADE_BAD_SPECULATION].kind = TD_METRIC_INFO;
    out_is(&m, "");
}

/* The first metric is no exception. */
static void first(void)
{
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_RETIRING] = m.metric[MADE_BAD_SPECULATION];
    m.metric[MADE_BAD_SPECULATION].kind = TD_METRIC_INFO;
    out_is(&m, BAD);
}

/* Siblings have the same parent and the same level; each node of the path rules out its own. */
static void siblings(void)
{
#define CORE OUT("core_bound", "0.125", "memory_bound", "0.15", "sound")
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_CORE_BOUND] = made_metric("core_bound", "backend_bound", 2, 0.125);
    made_bounds(&m.metric[MADE_CORE_BOUND], TD_BOUNDS_SOUND, 0, 0.125);
    m.metric[MADE_FETCH_LATENCY] = made_metric("fetch_latency", "frontend_bound", 2, 0.05);
    made_bounds(&m.metric[MADE_FETCH_LATENCY], TD_BOUNDS_SOUND, 0, 0.1);
    out_is(&m, BAD "," CORE);
    m.metric[MADE_L3_BOUND].parent = "backend_bound"; /* at level 3 */
    out_is(&m, BAD "," CORE);
    m.verdict.npath = 1;
    out_is(&m, BAD);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    out_is(&m, "");
}

/* The words of tdprobe-formats(5). */
static void remedies(void)
{
    static const char *const words[] = {[TD_REMEDY_NONE] = "null",
                                        [TD_REMEDY_WHOLE_CPUS] = "\"whole_cpus\"",
                                        [TD_REMEDY_LONGER] = "\"longer\"",
                                        [TD_REMEDY_LEVEL_1] = "\"level_1\"",
                                        [TD_REMEDY_FEWER_EVENTS] = "\"fewer_events\"",
                                        [TD_REMEDY_INTERVALS] = "\"intervals\"",
                                        [TD_REMEDY_CORES] = "\"cores\"",
                                        [TD_REMEDY_ONE_CPU] = "\"one_cpu\"",
                                        [TD_REMEDY_RUNS] = "\"runs\"",
                                        [TD_REMEDY_DOCTOR] = "\"doctor\"",
                                        [TD_REMEDY_SMT] = "\"smt\""};
    struct made_result m;
    char text[200];

    made_begin(&m);
    m.r.nmetrics = 0;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        m.verdict.remedy = (enum td_remedy)i;
        snprintf(text, sizeof(text), "\"next\":{\"ruled_out\":[],\"rerun\":%s,\"command\":null}", words[i]);
        next_is(&m, &(struct td_report){.counts = false}, text);
    }
}

/* The command is whole, whatever the terminal has room for. */
static void commands(void)
{
    struct made_result m;

    made_begin(&m);
    m.r.backend = &perf_metrics;
    next_is(&m, &(struct td_report){.target = "-- \"a\"", .width = 40},
            "\"next\":{\"ruled_out\":[" BAD "],\"rerun\":null,\"command\":\"perf record -e "
            "mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp -- \\\"a\\\"\"}");
    m.verdict.node = NULL;
    next_is(&m, &(struct td_report){.counts = false},
            "\"next\":{\"ruled_out\":[" BAD "],\"rerun\":null,\"command\":null}");
}

static const CU_TestInfo tests[] = {
    {"ruled out", ruled_out}, {"the first metric", first}, {"siblings", siblings},
    {"remedies", remedies},   {"commands", commands},      CU_TEST_INFO_NULL,
};
UNIT_SUITE("verdicts in JSON", tests);
