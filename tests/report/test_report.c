/* SPDX-License-Identifier: MIT */
/* What a report counts of its results, for exit codes and --strict: by hand. */
#include "report/report.h"

#include "tests/support/made_result.h"
#include "tests/support/source.h"

#include <string.h>

/* perf stat -x of intervals of a second each, in which so many slots retired of 400, and backend took the rest;
 * running: in percent of the time, 0: never. */
#define ROW(n, count, event, time, percent) n ".000000000," count ",," event "," time "," percent ",,\n"
#define INTERVAL(n, retiring, backend, time, percent) \
    ROW(n, "400", "slots", time, percent) \
    ROW(n, retiring, "topdown-retiring", time, percent) \
    ROW(n, "0", "topdown-bad-spec", time, percent) \
    ROW(n, "0", "topdown-fe-bound", time, percent) \
    ROW(n, backend, "topdown-be-bound", time, percent) \
    ROW(n, "0", "INT_MISC.UOP_DROPPING", time, percent)

static struct td_report counted(const char *text)
{
    struct source s = {text, strlen(text), strlen(text), 0};
    struct td *td = td_new();
    const struct td_result *r;
    struct captured c;
    struct td_report report = {.format = td_report_format_find("csv")};

    report.out = *captured_begin(&c);
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!td_next(td, &r))
        td_report_result(&report, r);
    c.out = report.out;
    captured_end(&c);
    td_free(td);
    return report;
}

static void counts(void)
{
    struct td_report r =
        counted(INTERVAL("1", "100", "300", "1000", "100.00") INTERVAL("2", "100", "300", "500", "50.00")
                    INTERVAL("3", "100", "300", "750", "75.00") INTERVAL("4", "0", "0", "0", "0.00"));

    CU_ASSERT_EQUAL(r.results, 4);
    CU_ASSERT_EQUAL(r.valued, 3);
    CU_ASSERT_EQUAL(r.judged, 3);
    CU_ASSERT_EQUAL(r.flagged, 2);
    CU_ASSERT_STRING_EQUAL(r.first_flag, "multiplexed");
    CU_ASSERT_EQUAL(r.covered, 3);
    CU_ASSERT_EQUAL(r.uncovered, 0);
    CU_ASSERT_EQUAL(r.coverage, 0.5);
    CU_ASSERT(!r.lies && r.uncounted);
    CU_ASSERT_STRING_EQUAL(r.cpu, "spr");
}

/* Level 1 is far more than the slots. */
static void lies(void)
{
    struct td_report r = counted(INTERVAL("1", "4000", "3000", "1000", "100.00"));

    CU_ASSERT_EQUAL(r.results, 1);
    CU_ASSERT_EQUAL(r.judged, 0);
    CU_ASSERT(r.lies && !r.uncounted);
}

/* Each function of a format is called if there is one. */
static unsigned called;

static void on_report(struct td_report *r)
{
    (void)r;
    called++;
}

static void on_repeat(struct td_report *r, const struct td_repeat *repeat)
{
    called += r && !repeat;
}

static void on_bench(struct td_report *r, const struct td_bench *bench)
{
    called += r && !bench;
}

static void on_finding(struct td_report *r, const struct td_finding *finding)
{
    called += r && !finding;
}

static void on_text(struct td_report *r, int code, const char *text)
{
    called += r && code == 3 && !strcmp(text, "x");
}

static void on_end(struct td_report *r, const struct td_outcome *outcome)
{
    called += r && !outcome;
}

static void call_all(const struct td_report_format *format)
{
    struct td_report r = {.format = format};

    called = 0;
    td_report_begin(&r);
    td_report_again(&r);
    td_report_repeat(&r, NULL);
    td_report_bench(&r, NULL);
    td_report_finding(&r, NULL);
    td_report_diagnosis(&r, 3, "x");
    td_report_error(&r, 3, "x");
    td_report_end(&r, NULL);
}

static void calls(void)
{
    call_all(&(struct td_report_format){.name = "none"});
    CU_ASSERT_EQUAL(called, 0);
    call_all(&(struct td_report_format){.begin = on_report,
                                        .again = on_report,
                                        .repeat = on_repeat,
                                        .bench = on_bench,
                                        .finding = on_finding,
                                        .diagnosis = on_text,
                                        .error = on_text,
                                        .end = on_end});
    CU_ASSERT_EQUAL(called, 8);
}

static const CU_TestInfo tests[] = {
    {"results", counts},
    {"counts that lie", lies},
    {"functions of a format", calls},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("reports", tests);
