/* SPDX-License-Identifier: MIT */
/* What a metric's value becomes: its flags, its bounds and what is said of it where there are none. */
#include "core/bounds/likely.h"
#include "core/bounds/measured.h"
#include "tests/support/solve_text.h"

#define E_CORE \
    "cycles=200@1 TOPDOWN_FE_BOUND.ALL=100@1 TOPDOWN_BE_BOUND.ALL=300@1 TOPDOWN_RETIRING.ALL=500@1 TOPDOWN_BAD_SPECULATION.ALL=100@1"

/* What is no event is named, too, where it is not known. */
static void absent_inputs(void)
{
    ask.names = "info_system_time,info_system_cpu_utilization";
    solve("skl", "CPU_CLK_UNHALTED.REF_TSC=50 msr/tsc/=100");
    ABSENT("info_system_time", TD_MISSING_EVENT, "duration_time");
    ABSENT("info_system_cpu_utilization", TD_MISSING_EVENT, "cpus");
    ask.cpus = 2;
    solve("skl", "CPU_CLK_UNHALTED.REF_TSC=50 msr/tsc/=100");
    GIVES("info_system_cpu_utilization", 0.25);
    solve("skl", "CPU_CLK_UNHALTED.REF_TSC=50");
    ABSENT("info_system_cpu_utilization", TD_MISSING_EVENT, "msr/tsc/");
    ask = usual;
}

/* What needs no event was not counted for any part of the time. */
static void coverage_of_nothing(void)
{
    ask.names = "info_system_time";
    ask.duration = (struct td_range){2, 2, 2};
    solve("skl", "");
    GIVES("info_system_time", 2);
    CU_ASSERT(isnan(r.coverage));
    solve("skl", "cycles=1000@1%50 IDQ_UOPS_NOT_DELIVERED.CORE=1000@1%50");
    GIVES("info_system_time", 2);
    CU_ASSERT_EQUAL(r.coverage, 0.5);
    ask = usual;
}

/* Means of a table stand for latencies of some metrics, and the result names the table, once. */
static void latencies(void)
{
    ask.level = TD_LEVELS;
    solve("mtl-p", "CPU_CLK_UNHALTED.THREAD=10e3 MEM_INST_RETIRED.LOCK_LOADS=100 ICACHE_DATA.STALLS=500 "
                   "MEM_INST_RETIRED.SPLIT_STORES=10 MEM_INST_RETIRED.STLB_HIT_LOADS=100");
    ask = usual;
    CU_ASSERT(r.latency[0] && *r.latency[0] && !r.latency[1]);
    CU_ASSERT_EQUAL(metric("lock_latency")->latencies, 1);
    CU_ASSERT_EQUAL(metric("split_stores")->latencies, 1);
    CU_ASSERT_EQUAL(metric("icache_misses")->latencies, 0);
}

/* A latency that was recorded as a mean has no bounds: 100 locked loads of 30 cycles in 10,000. */
static void recorded_latency(void)
{
    ask.level = TD_LEVELS;
    solve("mtl-p", "CPU_CLK_UNHALTED.THREAD=10e3@1 MEM_INST_RETIRED.LOCK_LOADS=100@1 ICACHE_DATA.STALLS=500@1 "
                   "MEM_INST_RETIRED.LOCK_LOADS:R=30@2");
    GIVES("lock_latency", 0.3);
    FLAGS("lock_latency", TD_FLAG_NO_BOUNDS);
    UNBOUNDED("lock_latency");
    CU_ASSERT_EQUAL(metric("lock_latency")->latencies, 0);
    CU_ASSERT_PTR_NULL(r.latency[0]);
    EXACT("icache_misses");
    FLAGS("icache_misses", 0);
    solve("mtl-p", "CPU_CLK_UNHALTED.THREAD=10e3@1%50 MEM_INST_RETIRED.LOCK_LOADS=100@1%50 "
                   "MEM_INST_RETIRED.LOCK_LOADS:R=30@2");
    check((metric("lock_latency")->flags & (TD_FLAG_NO_BOUNDS | TD_FLAG_MULTIPLEXED)) ==
              (TD_FLAG_NO_BOUNDS | TD_FLAG_MULTIPLEXED),
          "lock_latency", __LINE__);
    UNBOUNDED("lock_latency");
    ask = usual;
}

/* Of Granite Rapids two tables have means; each metric names those whose it uses. */
static void latencies_of_two_tables(void)
{
    const struct td_uarch *u = td_uarch_by_name("gnr");
    const struct td_event *e;
    unsigned all = 0;

    ask.names = "all";
    use_forms(u);
    counts.n = 0;
    for (size_t i = 0; i < u->nevents; i++)
        if (u->events[i].kind != TD_EVENT_LATENCY)
            CU_ASSERT_FATAL(!td_counts_append(
                &counts, &(struct td_count){.event = (uint16_t)i, .value = 1e4, .enabled = 100, .running = 100}));
    CU_ASSERT_EQUAL_FATAL(td_counts_quantise(&counts, u, 1), 0);
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    ask = usual;
    CU_ASSERT_FATAL(r.latency[0] && r.latency[1] && !r.latency[2] && strcmp(r.latency[0], r.latency[1]) != 0);
    for (size_t i = 0; i < r.nmetrics; i++) {
        CU_ASSERT(r.metrics[i].status != TD_OK ||
                  (r.metrics[i].latencies != 0) == ((r.metrics[i].flags & TD_FLAG_LATENCY_ASSUMED) != 0));
        all |= r.metrics[i].latencies;
    }
    CU_ASSERT_EQUAL(all, 3);
    e = &u->events[td_uarch_event_number(u, "MEM_INST_RETIRED.LOCK_LOADS:R")];
    CU_ASSERT_EQUAL(metric("lock_latency")->latencies, 1u << (strcmp(e->latency_table, r.latency[0]) != 0));
}

/* What is likely by a rotation whose interval is not known says so. */
static void interval_assumed(void)
{
    for (int assumed = 0; assumed < 2; assumed++) {
        const struct td_taken taken = {.elapsed = 100, .cpus = 1, .interval = 1e-3, .interval_assumed = assumed};

        ask.level = 1;
        ask.taken = &taken;
        solve("adl-e", "cycles=200@1%50 TOPDOWN_FE_BOUND.ALL=100@1%50 TOPDOWN_RETIRING.ALL=500@2 cycles=200@2");
        ask = usual;
        FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED | (assumed ? TD_FLAG_MUX_INTERVAL_ASSUMED : 0));
        FLAGS("retiring", 0);
    }
}

/* ---- sums of other intervals ------------------------------------------------------------- */

enum { PARTS = 9 };

/* A sum of E_CORE's counts, the backend's of other intervals. */
static void sum_apart(const struct td_taken *taken, const uint32_t *intervals)
{
    ask.level = 1;
    ask.taken = taken;
    r.summary = true;
    use_forms(td_uarch_by_name("adl-e"));
    parse_counts(td_forms_uarch(forms), E_CORE);
    for (size_t i = 0; i < counts.n; i++)
        counts.c[i].intervals = intervals[i];
    counts.c[2].which = 7;
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    r.summary = false;
    ask = usual;
}

/* The parts are those of the metric, and the times those of the rarest of its events. */
static void likely_by_intervals(void)
{
    static const struct {
        uint32_t intervals[5];
        size_t times;
    } rows[] = {{{9, 11, 10, 12, 13}, 9}, {{12, 8, 9, 7, 10}, 9}, {{20, 9, 8, 9, 9}, 8}};
    double parts[4 * PARTS];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_taken taken = {.elapsed = 1e10, .cpus = 1, .interval = 4e6, .parts = parts, .nparts = PARTS};
        struct td_likely_apart by = {.value = 0.3, .low = 0.3, .high = 0.3, .nparts = PARTS, .times = rows[i].times};
        double low, high;

        for (size_t p = 0; p < 4 * PARTS; p++)
            parts[p] = (p % 2 ? 0.001 : -0.001) * (double)(1 + p / PARTS);
        sum_apart(&taken, rows[i].intervals);
        CU_ASSERT_STRING_EQUAL_FATAL(r.metrics[3].name, "backend_bound");
        by.parts = &parts[3 * PARTS];
        CU_ASSERT_EQUAL_FATAL(td_likely_apart(&by, &low, &high), TD_LIKELY_GIVEN);
        CU_ASSERT(low < 0.3 && high > 0.3);
        LIKELY("backend_bound", low, high);
        FLAGS("backend_bound", TD_FLAG_SPLIT_GROUPS);
        GIVES("retiring", 0.5);
        EXACT("retiring");
        FLAGS("retiring", 0);
        taken.parts = NULL;
        sum_apart(&taken, rows[i].intervals);
        UNBOUNDED("backend_bound");
        FLAGS("backend_bound", TD_FLAG_SPLIT_GROUPS | TD_FLAG_NO_LIMITS);
    }
}

/* A sum of what was counted in all intervals is as exact as one of them. */
static void complete_sum(void)
{
    ask.level = 1;
    r.summary = true;
    solve("adl-e", E_CORE);
    r.summary = false;
    ask = usual;
    for (size_t i = 0; i < r.nmetrics; i++) {
        EXACT(r.metrics[i].name);
        FLAGS(r.metrics[i].name, 0);
    }
    CU_ASSERT_EQUAL(r.nmetrics, 4);
    CU_ASSERT_EQUAL(r.coverage, 1);
}

/* ---- by what the four fields are off the slots --------------------------------------------- */

/* Of 1000 slots, each field may be off by 8 bits and one of the reading, e; a share of x goes from (x - e) / (sum + 2
 * e) to (x + e) / (sum - 2 e), and beyond that by what the sum shows. */
static void by_sum(const char *name, double x, double sum, double off, int line)
{
    const double e = 1000 / 255.0 + 1;
    const struct td_metric *m = metric(name);

    check(m->status == TD_OK && is(m->value, x / sum) && m->bounds == TD_BOUNDS_LIKELY, name, line);
    check(is(m->low, fmax(0, (x - e) / (sum + 2 * e) - off)) && is(m->high, (x + e) / (sum - 2 * e) + off), name, line);
}
#define BY_SUM(name, x, sum, off) by_sum(name, x, sum, off, __LINE__)

/* Of level 2 both its own count and its parent's are off by that. */
static void bounds_of_level_2(void)
{
    static const struct td_taken taken = {
        .elapsed = 100, .cpus = 1, .interval = 1e-3, .always = true, .switches = (double)NAN, .held = 510};
    const double e = 1000 / 255.0 + 1;

    ask.taken = &taken;
    ask.switched = true;
    solve("spr", EIGHT "INT_MISC.UOP_DROPPING=0@2");
    ask = usual;
    BY_SUM("retiring", 500, 1000, 0.05);
    GIVES("memory_bound", 0.15);
    LIKELY("memory_bound", (150 - e) / (1000 + 4 * e) - 0.1, (150 + e) / (1000 - 4 * e) + 0.1);
}

/* tasks: of a task, at whose switches the kernel wrote the register back; else perf printed the counts. */
static void solve_fields(const char *backend, double switches, bool tasks, bool printed)
{
    const struct td_taken taken = {.elapsed = 100,
                                   .cpus = 1,
                                   .interval = 1e-3,
                                   .always = printed,
                                   .tasks = tasks,
                                   .switches = switches,
                                   .held = 510};
    char text[200] =
        "slots=1000@1 topdown-retiring=500@1 topdown-bad-spec=100@1 topdown-fe-bound=200@1 topdown-be-bound=";

    ask.level = 1;
    ask.switched = tasks;
    ask.taken = &taken;
    solve("spr", strcat(text, backend));
    ask = usual;
}

static void bounds_by_sum(void)
{
    /* whole CPUs: nothing was written back, and a sum that is off shows by how much */
    solve_fields("200@1", 0, false, false);
    BOUNDED("retiring");
    FLAGS("retiring", 0);
    solve_fields("300@1", 0, false, false);
    BY_SUM("retiring", 500, 1100, 0.1);
    BY_SUM("backend_bound", 300, 1100, 0.1);
    FLAGS("retiring", TD_FLAG_SUM_OFF);
    solve_fields("230@1", 0, false, false);
    BY_SUM("retiring", 500, 1030, 0.03);
    /* printed counts of tasks, whose switches are not known: 5 points at least */
    solve_fields("200@1", (double)NAN, true, true);
    BY_SUM("retiring", 500, 1000, 0.05);
    solve_fields("230@1", (double)NAN, true, true);
    BY_SUM("retiring", 500, 1030, 0.05);
    solve_fields("300@1", (double)NAN, true, true);
    BY_SUM("retiring", 500, 1100, 0.1);
    /* too many, as was known, so that the sum counts; up to 1000 of them */
    solve_fields("300@1", 1000, true, true);
    BY_SUM("retiring", 500, 1100, 0.1);
    solve_fields("300@1", 1001, true, true);
    UNBOUNDED("retiring");
    /* and of counts that were not printed it does not */
    solve_fields("300@1", 1000, true, false);
    UNBOUNDED("retiring");
    solve_fields("200@1", (double)NAN, true, false);
    UNBOUNDED("retiring");
}

static const CU_TestInfo tests[] = {
    {"inputs that are absent", absent_inputs},
    {"coverage of nothing", coverage_of_nothing},
    {"latencies of tables", latencies},
    {"a latency that was recorded", recorded_latency},
    {"latencies of two tables", latencies_of_two_tables},
    {"an interval that is assumed", interval_assumed},
    {"likely bounds by intervals", likely_by_intervals},
    {"a complete sum", complete_sum},
    {"bounds by the sum", bounds_by_sum},
    {"bounds by the sum, of level 2", bounds_of_level_2},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("metric", tests);
