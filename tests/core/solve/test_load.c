/* SPDX-License-Identifier: MIT */
/* What is made of counts before formulas see them: means of latencies, by samples or published, and ticks. */
#include "tests/support/solve_text.h"

#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* code_stlb_miss of Granite Rapids is FRONTEND_RETIRED.STLB_MISS * FRONTEND_RETIRED.STLB_MISS:R / cycles: with 10
 * misses in 1000 cycles a hundredth of the latency. */
static void solve_latency(const struct td_count *latency, unsigned balanced)
{
    const struct td_uarch *u = td_uarch_by_name("gnr");

    ask = usual;
    ask.names = "code_stlb_miss";
    use_forms(u);
    parse_counts(u, "CPU_CLK_UNHALTED.THREAD=1000 FRONTEND_RETIRED.STLB_MISS=10 FRONTEND_RETIRED.STLB_MISS:R=0");
    counts.c[2].value = latency->value;
    counts.c[2].sampled = latency->sampled;
    counts.c[2].intervals = latency->intervals;
    counts.balanced = balanced;
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    counts.balanced = 0;
    ask = usual;
}

/* The mean of n samples, whose sum and sum of squares are known, is off by 2.2 standard errors:
 * 2.2 sqrt((squares / n - mean^2) / (n - 1)). */
static void sampled(void)
{
    static const struct {
        double sum;
        uint64_t n, squares;
        double mean, off;
    } rows[] = {
        {2020, 101, 101 * (400 + 25), 20, 1.1}, /* 2.2 sqrt(25 / 100) */
        {600, 30, 30 * (400 + 29), 20, 2.2}, /* 2.2 sqrt(29 / 29): as few as are used */
        {31, 31, 31 * (1 + 120), 1, 4.4}, /* 2.2 sqrt(120 / 30): no latency is below 0 */
        {2020, 101, 101 * 400, 20, 0},          {2020, 101, 101 * 400 - 1, 20, 0}, /* rounded */
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_count c = {.value = rows[i].sum,
                                   .sampled = {.any = true, .n = rows[i].n, .squares = rows[i].squares}};

        solve_latency(&c, 0);
        GIVES("code_stlb_miss", rows[i].mean / 100);
        check(is(metric("code_stlb_miss")->low, fmax(0, rows[i].mean - rows[i].off) / 100) &&
                  is(metric("code_stlb_miss")->high, (rows[i].mean + rows[i].off) / 100),
              "bounds", (int)i);
    }
}

/* The event that a latency is of has its name without what follows the last colon; no other event has a latency. */
static void events_of_latencies(void)
{
    static const struct {
        const char *cpu, *event, *of;
    } rows[] = {
        {"gnr", "FRONTEND_RETIRED.STLB_MISS:R", "FRONTEND_RETIRED.STLB_MISS"},
        {"gnr", "FRONTEND_RETIRED.STLB_MISS", NULL},
        {"gnr", "TOPDOWN.SLOTS", NULL},
        {"skl", "msr/tsc/", NULL},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_uarch *u = td_uarch_by_name(rows[i].cpu);
        const int event = td_uarch_event_number(u, rows[i].event);

        CU_ASSERT_FATAL(event >= 0);
        CU_ASSERT_EQUAL(td_uarch_latency_event(u, (size_t)event),
                        rows[i].of ? td_uarch_event_number(u, rows[i].of) : -1);
    }
    for (size_t e = 0; e < td_uarch_by_name("gnr")->nevents; e++) /* whatever its name */
        if (td_uarch_by_name("gnr")->events[e].kind != TD_EVENT_LATENCY)
            CU_ASSERT_EQUAL(td_uarch_latency_event(td_uarch_by_name("gnr"), e), -1);
}

/* Fewer samples than 30 say less than the published mean, and none says nothing. */
static void published(void)
{
    const struct td_uarch *u = td_uarch_by_name("gnr");
    const double mean = u->events[td_uarch_event_number(u, "FRONTEND_RETIRED.STLB_MISS:R")].latency;

    CU_ASSERT_FATAL(mean > 0);
    for (uint64_t n = 28; n <= 30; n++) {
        const struct td_count c = {.value = 20.0 * (double)n, .sampled = {.any = true, .n = n, .squares = 400 * n}};

        solve_latency(&c, 0);
        GIVES("code_stlb_miss", (n < 30 ? mean : 20) / 100);
    }
    solve_latency(&(struct td_count){.sampled = {.any = true}}, 0);
    GIVES("code_stlb_miss", mean / 100);
}

/* A mean that was recorded as such stands for itself; in a sum, for its part of the intervals, or of those that remain
 * when turns are balanced. */
static void means(void)
{
    static const struct {
        double value;
        unsigned intervals, balanced;
        double mean;
    } rows[] = {{20, 0, 0, 20}, {20, 1, 0, 20}, {80, 4, 0, 20}, {40, 2, 0, 20}, {80, 8, 4, 20}, {20, 0, 4, 20}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_count c = {.value = rows[i].value, .intervals = rows[i].intervals};

        solve_latency(&c, rows[i].balanced);
        GIVES("code_stlb_miss", rows[i].mean / 100);
    }
}

/* info_system_cpus_utilized of Skylake is CPU_CLK_UNHALTED.REF_TSC / tsc. Ticks that were counted for 2 s, on two CPUs,
 * of an interval of 1 s are twice those of one. */
static void ticks(void)
{
    static const struct {
        const char *ticks;
        double duration;
        bool coverage_unknown, times_relative;
        double value; /* of 50 ticks in use */
    } rows[] = {
        {"400%2e9/2e9", 1, false, false, 0.25},  {"400%2e9/2e9", 4, false, false, 0.0625},
        {"400%1e9/1e9", 1, false, false, 0.125}, {"400%2e9/2e9", 1, true, false, 0.125},
        {"400%2e9/2e9", 1, false, true, 0.125},  {"400%2e9/2e9", 1, true, true, 0.125},
        {"400%2e9/2e9", 0, false, false, 0.125}, {"400%0/0", 1, false, false, 0.125},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        char text[128];

        ask = usual;
        ask.names = "info_system_cpus_utilized";
        ask.duration = td_range_exact(rows[i].duration);
        ask.coverage_unknown = rows[i].coverage_unknown;
        ask.times_relative = rows[i].times_relative;
        snprintf(text, sizeof(text), "CPU_CLK_UNHALTED.REF_TSC=50%%2e9/2e9 msr/tsc/=%s", rows[i].ticks);
        solve("skl", text);
        check(metric("info_system_cpus_utilized")->status == TD_OK &&
                  is(metric("info_system_cpus_utilized")->value, rows[i].value),
              "ticks", (int)i);
    }
    ask = usual;
}

static const CU_TestInfo tests[] = {
    {"sampled latencies", sampled},
    {"events of latencies", events_of_latencies},
    {"published latencies", published},
    {"means", means},
    {"ticks", ticks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("load", tests);
