/* SPDX-License-Identifier: MIT */
/* Trees, which are written out by hand: heads, bars, what runs add, what was not recorded, what to do next. */
#include "report/layouts.h"

#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

/* One that has explained everything already. */
#define EXPLAINED .explained_flags = ~0u, .explained_marks = ~0u

/* The first nodes of level 1 alone, and no verdict. */
static void begin(struct made_result *m, size_t metrics)
{
    made_begin(m);
    m->r.nmetrics = metrics;
    m->r.flags = m->r.common = 0;
    m->r.coverage = 1;
    m->verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
}

#define NONE "=> none: 50 % retiring, no node but retiring can be above its threshold\n"
#define RETIRING "  retiring                50.0 %  44.0 .. 56.0\n"

/* ---- heads ------------------------------------------------------------------------------------ */

/* How long a command took, and how fast it ran: 9 instructions in 6 cycles, which took 4 ns. */
static void speeds(void)
{
    const struct td_uarch *u = td_uarch_by_name("spr");
    struct made_result m;

    begin(&m, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    m.r.uarch = u;
    m.r.at.scope = "x";
    m.r.at.scope_kind = TD_KIND_THREAD;
    m.counts.n = 2;
    m.count[0] = (struct td_count){
        .event = (uint16_t)td_uarch_event_number(u, "cycles"), .value = 6, .enabled = 4, .running = 4, .group = 1};
    m.count[1] = m.count[0];
    m.count[1].event = (uint16_t)td_uarch_event_number(u, "instructions");
    m.count[1].value = 9;
    made_is("tree", &(struct td_report){.command = true}, false, &m,
            "12.000345678  x  spr  [perf_metrics]\n  IPC 1.50, 1.50 GHz\n" RETIRING NONE);
    made_is("tree", &(struct td_report){.command = true, .once = true}, false, &m,
            "x  spr  [perf_metrics]\n  0.250 s elapsed, IPC 1.50, 1.50 GHz\n" RETIRING NONE);
    made_is("tree", &(struct td_report){.once = true}, false, &m,
            "12.000345678  x  spr  [perf_metrics]\n" RETIRING NONE);
    m.r.at.scope_kind = TD_KIND_SYSTEM; /* of several CPUs there is no one frequency */
    m.r.summary = true;
    made_is("tree", &(struct td_report){.command = true}, false, &m,
            "summary  x  spr  [perf_metrics]\n  0.250 s elapsed, IPC 1.50\n" RETIRING NONE);
    m.counts.n = 1;
    m.r.summary = false;
    made_is("tree", &(struct td_report){.command = true}, false, &m,
            "12.000345678  x  spr  [perf_metrics]\n" RETIRING NONE);
    made_is("tree", &(struct td_report){.command = true, .once = true}, false, &m,
            "x  spr  [perf_metrics]\n  0.250 s elapsed\n" RETIRING NONE);
    m.r.at.duration = 0;
    made_is("tree", &(struct td_report){.command = true, .once = true}, false, &m,
            "12.000345678  x  spr  [perf_metrics]\n" RETIRING NONE);
}

static void heads(void)
{
    struct made_result m;

    begin(&m, 1);
    m.uarch.core = 'L';
    m.r.at.has_time = false;
    m.r.coverage = 0.994;
    made_is("tree", &(struct td_report){.width = 0}, false, &m,
            "S0-C1  LP-cores  spr  [perf_metrics]  counted 99 % of the time\n" RETIRING NONE);
    made_is(
        "tree", &(struct td_report){.file = "f.trace", .recorded = "make -j2", .host = "h"}, true, &m,
        "# f.trace\n# make -j2 on h\nS0-C1  LP-cores  spr  [perf_metrics]  counted 99 % of the time\n" RETIRING NONE);
}

/* In the tree of several runs' sum stand their means, how far they differ, and bounds of the means; there is no room
 * for a bar. One run has no spread, and an interval is of none. */
static void runs(void)
{
    struct made_result m;
    struct td_repeat s = {.runs = 2};
    struct td_report r = {.means = &s, .out = {.terminal = true}, EXPLAINED};

    begin(&m, 3);
    m.metric[2] = m.metric[MADE_IPC];
    m.r.summary = true;
    CU_ASSERT_EQUAL_FATAL(td_repeat_add(&s, &m.r), 0);
    s.runs = 1;
    made_is("tree", &r, false, &m,
            "1 runs  S0-C1  spr  [perf_metrics]\n"
            "  retiring                50.0 %  44.0 .. 56.0      |#############            |\n"
            "  bad_speculation          6.0 %  ~ 5.0 .. 7.0      |##                       |\n"
            "  ipc                          1.250  per cycle  1.200 .. 1.300\n" NONE);
    s.runs = 2;
    m.metric[0].value = 0.6;
    made_bounds(&m.metric[0], TD_BOUNDS_SOUND, 0.54, 0.66);
    m.metric[2].value = 1.35;
    CU_ASSERT_EQUAL_FATAL(td_repeat_add(&s, &m.r), 0);
    m.metric[0].value = 0.5;
    made_is("tree", &r, false, &m,
            "2 runs  S0-C1  spr  [perf_metrics]\n"
            "  retiring                55.0 % +- 5.0  49.0 .. 61.0\n"
            "  bad_speculation          6.0 % +- 0.0  ~ 5.0 .. 7.0\n"
            "  ipc                          1.300  per cycle +- 0.050  1.200 .. 1.300\n" NONE);
    r.out.terminal = false;
    m.r.summary = false;
    m.metric[1].unit = "core_cycles";
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring                50.0 %  54.0 .. 66.0\n"
            "  bad_speculation          6.0 %  ~ 5.0 .. 7.0  of core cycles\n"
            "  ipc                          1.350  per cycle  1.200 .. 1.300\n" NONE);
    td_repeat_free(&s);
}

/* ---- bars ------------------------------------------------------------------------------------- */

/* On a terminal a node of level 1 has a bar of at most 25 columns, what the 2 + 22 + 26 columns of a row and its 4
 * sides leave; below 5 there is none. Half of it is rounded up: 12.5 of 25, 2.5 of 5. A value below 0 is an empty bar,
 * above 1 a full one. */
static void bars(void)
{
    struct made_result m;
    struct td_report r = {.out = {.terminal = true}, EXPLAINED};

    begin(&m, 1);
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring                50.0 %  44.0 .. 56.0      |#############            |\n" NONE);
    r.width = 59;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED, .no_values = true};
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring                50.0 %  44.0 .. 56.0      |###  |\n"
            "=> no verdict: no metric has a value\n");
    r.width = 58;
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n" RETIRING "=> no verdict: no metric has a value\n");
    r.width = 79;
    m.metric[MADE_RETIRING].value = 1.04;
    m.metric[MADE_RETIRING].flags = TD_FLAG_OVER_ONE;
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring               104.0 %  44.0 .. 56.0      |#########################|\n"
            "  ! over_one\n=> no verdict: no metric has a value\n");
    r.width = 0;
    m.metric[MADE_RETIRING].value = -0.0004;
    m.metric[MADE_RETIRING].low = (double)NAN;
    m.metric[MADE_RETIRING].unit = "cycles";
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring                 0.0 %  no bounds         |                         |  of cycles\n"
            "  ! over_one\n=> no verdict: no metric has a value\n");
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* What is no share: of a thousand and more, and of whole counts, decimals say nothing. */
static void quantities(void)
{
    struct made_result m;

    begin(&m, 5);
    for (size_t i = 0; i < 5; i++) {
        m.metric[i] = made_metric("q", "", 0, 12);
        m.metric[i].unit = "cycles";
        made_bounds(&m.metric[i], TD_BOUNDS_SOUND, 11, 13);
    }
    m.metric[1].value = 12.5;
    m.metric[2].unit = "ratio";
    m.metric[3].value = 999.9996;
    made_bounds(&m.metric[3], TD_BOUNDS_LIKELY, 999.9994, 1000);
    m.metric[4].value = -1000;
    made_bounds(&m.metric[4], TD_BOUNDS_SOUND, -1000.25, -1000);
    made_is("tree", &(struct td_report){EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  q                               12  cycles  11.000 .. 13.000\n"
            "  q                           12.500  cycles  11.000 .. 13.000\n"
            "  q                           12.000  ratio  11.000 .. 13.000\n"
            "  q                         1000.000  cycles\n"
            "  q                            -1000  cycles\n=> no node is above its threshold\n");
}

/* Why there is no value, with the event that it is about. Of a scope in which nothing ran, that is all. */
static void absent(void)
{
    struct made_result m;

    begin(&m, 4);
    m.metric[0].status = TD_NO_SLOTS;
    m.metric[0].event = "A.B";
    m.metric[1].status = TD_ZERO_DIVISOR;
    m.metric[1].event = "C.D";
    m.metric[2].flags = 0;
    m.metric[2].status = TD_NOT_COUNTED;
    m.metric[2].why = "for a reason";
    m.metric[3].status = TD_MISSING_EVENT; /* of an event without a name: it has a line */
    made_is("tree", &(struct td_report){EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  retiring                     -  idle (A.B)\n"
            "  bad_speculation              -  zero_divisor (C.D)\n"
            "  frontend_bound               -  not_counted (for a reason)\n"
            "  backend_bound                -  missing_event\n=> no node is above its threshold\n");
    m.counts.n = 1;
    m.count[0] = (struct td_count){.status = TD_NOT_COUNTED};
    m.r.metrics = &m.metric[2];
    m.r.nmetrics = 1;
    made_is("tree", &(struct td_report){EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  frontend_bound               -  idle\n=> no node is above its threshold\n");
    m.counts.n = 2; /* another was enabled, and did not run */
    m.count[1] = (struct td_count){.status = TD_NOT_COUNTED, .enabled = 1};
    made_is("tree", &(struct td_report){EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  frontend_bound               -  not_counted (for a reason)\n=> no node is above its threshold\n");
    m.counts.n = 1;
    m.count[0].enabled = 1; /* it was enabled, and did not run: others held the counters */
    made_is("tree", &(struct td_report){EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  frontend_bound               -  not_counted (for a reason)\n=> no node is above its threshold\n");
}

/* The node that limits is in colour, and no other; names that are longer than their column are cut. */
static void names(void)
{
    struct made_result m;

    begin(&m, 2);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_DECIDED, .node = m.metric, .path = m.path, .npath = 1};
    m.path[0] = m.metric;
    m.metric[0].name = "a_name_of_a_metric_that_is_very_long";
    m.metric[1].flags = TD_FLAG_LATENCY_ASSUMED | TD_FLAG_CORRECTION_MISSING;
    m.metric[1].latencies = 1;
    m.r.latency[0] = "table";
    made_is("tree", &(struct td_report){.colour = true, EXPLAINED}, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  " TD_COLOUR_LIMIT "a_name_of_a_metric_that_is_very_long" TD_COLOUR_END "  50.0 %  44.0 .. 56.0\n"
            "  bad_speculation                        6.0 %  ~ 5.0 .. 7.0  ! latency_assumed:table\n"
            "=> limited by a_name_of_a_metric_that_is_very_long\n");
}

static const CU_TestInfo tests[] = {
    {"speeds", speeds},         {"heads", heads},   {"runs", runs},   {"bars", bars},
    {"quantities", quantities}, {"absent", absent}, {"names", names}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("trees", tests);
