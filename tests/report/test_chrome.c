/* SPDX-License-Identifier: MIT */
/* Trace events of the made-up result, written out by hand: it ends after 12.000345678 s and took a quarter of one. */
#include "tests/support/made_result.h"

#include <string.h>

#define BEGIN \
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" \
    "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"a-host\"}},\n"
#define NAME(thread, name) \
    "{\"ph\":\"M\",\"pid\":1,\"tid\":" thread ",\"name\":\"thread_name\",\"args\":{\"name\":\"" name "\"}},\n"
#define COUNTER(thread, name, ts, values) \
    "{\"ph\":\"C\",\"pid\":1,\"tid\":" thread ",\"name\":\"" name "\",\"cat\":\"level 1\",\"id\":" thread \
    ",\"ts\":" ts ",\"args\":{" values "}},\n"
#define SLICE(thread, ts, dur, values) \
    "{\"ph\":\"X\",\"pid\":1,\"tid\":" thread \
    ",\"name\":\"limited by backend_bound: memory_bound; below it undecided: " \
    "only l3_bound may be above its threshold\",\"cat\":\"verdict\",\"ts\":" ts ",\"dur\":" dur \
    ",\"args\":{\"status\":\"decided\",\"cpu\":\"spr\",\"formula\":\"perf_metrics\"," values "}}"
#define SHARE(name, value, low, high, bounds) \
    "\"" name "\":{\"value\":" value ",\"low\":" low ",\"high\":" high ",\"bounds\":\"" bounds "\"}"
/* Those after the first, which have a value. */
#define OTHERS \
    SHARE("bad_speculation", "0.06", "0.05", "0.07", "likely") \
    ",\"frontend_bound\":{\"value\":0.18}," SHARE("backend_bound", "0.26", "0.26", "0.2604", "sound") "," SHARE( \
        "memory_bound", "0.2", "0.15", "0.25", \
        "sound") "," SHARE("l3_bound", "0.125", "0.1", "0.15", \
                           "likely") "," SHARE("ports_utilization", "0.01", "0.01", "0.01", \
                                               "sound") "," SHARE("ipc", "1.25", "1.2", "1.3", \
                                                                  "sound") ",\"bandwidth\":{\"value\":2048.25}"
#define FIRST SHARE("retiring", "0.5", "0.44", "0.56", "sound") ","
#define TOP "\"bad_speculation\":6,\"frontend_bound\":18,\"backend_bound\":26"

static struct td_report report;
static struct captured out;

static void begin(struct made_result *m)
{
    made_begin(m);
    report = (struct td_report){.host = "a-host", .format = td_report_format_find("chrome"), .verdict = m->verdict};
    report.out = *captured_begin(&out);
    td_report_begin(&report);
}

static void ends(const char *wanted)
{
    td_report_end(&report, NULL);
    out.out = report.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&out), wanted);
    if (strcmp(captured_text(&out), wanted) != 0)
        printf("\n    not as written, but\n%s", captured_text(&out));
    captured_end(&out);
}

/* Each scope is named once; what has no value is left out; an interval begins at 0 at the earliest. */
static void events(void)
{
    struct made_result m;

    begin(&m);
    report.format->result(&report, &m.r);
    m.r.at.time = 12500345678;
    report.format->result(&report, &m.r);
    m.r.at.scope = "S0-C2";
    m.r.at.time = 100000000;
    m.metric[MADE_RETIRING].status = TD_NOT_COUNTED;
    report.format->result(&report, &m.r);
    ends(BEGIN NAME("1", "S0-C1") COUNTER("1", "S0-C1", "11750345.678", "\"retiring\":50," TOP) SLICE(
        "1", "11750345.678", "250000", FIRST OTHERS) ",\n" COUNTER("1", "S0-C1", "12250345.678", "\"retiring\":50," TOP)
             SLICE("1", "12250345.678", "250000", FIRST OTHERS) ",\n" NAME("2", "S0-C2") COUNTER("2", "S0-C2", "0", TOP)
                 SLICE("2", "0", "100000", OTHERS) "\n]}\n");
}

/* A sum, and what has no time or took none that is known, has no place. */
static void without_place(void)
{
    struct made_result m;

    begin(&m);
    m.r.summary = true;
    report.format->result(&report, &m.r);
    m.r.summary = false;
    m.r.at.has_time = false;
    report.format->result(&report, &m.r);
    ends("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n]}\n");
}

/* Times are those of CLOCK_MONOTONIC, where it is known what it showed at the beginning; an interval cannot begin
 * before that. A thread's name has the kind of core. */
static void clocks(void)
{
    struct made_result m;

    begin(&m);
    report.host = NULL;
    report.monotonic = 1000000000;
    m.uarch.core = 'P';
    m.r.nmetrics = 1;
    report.format->result(&report, &m.r);
    m.r.at.time = 250000000; /* as long as it took */
    report.format->result(&report, &m.r);
    m.r.at.time = 249999999;
    report.format->result(&report, &m.r);
#define ONE SHARE("retiring", "0.5", "0.44", "0.56", "sound")
#define CORE(ts) COUNTER("1", "S0-C1, P", ts, "\"retiring\":50")
    ends("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
         "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"tdprobe\"}},\n" NAME(
             "1", "S0-C1, P") CORE("12750345.678") SLICE("1", "12750345.678", "250000", ONE) ",\n" CORE("1000000")
             SLICE("1", "1000000", "250000", ONE) ",\n" CORE("1000000")
                 SLICE("1", "1000000", "249999.999", ONE) "\n]}\n");
}

static const CU_TestInfo tests[] = {
    {"events", events}, {"what has no place", without_place}, {"clocks", clocks}, CU_TEST_INFO_NULL};
UNIT_SUITE("trace events", tests);
