/* SPDX-License-Identifier: MIT */
/* Lines of perf stat -x that are recognised from the interval before. */
#include "tests/support/mixed.h"

#include "formats/perf_stat/perf_csv.h"

/* After the interval at 1 s and the first line of the one at 2 s: whether a line is recognised as the second of it. */
static void known(const char *line, bool wanted, double value, double running, double enabled)
{
    static const char begin[] =
        "     1.000000000,CPU0,5,,slots,100,100.00,,\n     1.000000000,S0-D0-C1,2,7,msec,r19c,90,50.00,1.5,Retiring,2.0,Heavy Operations\n"
        "     2.000000000,CPU0,6,,slots,100,100.00,,\n     2.000000000,CPU0,6,,cycles,100,100.00,,\n     3.000000000,CPU0,6,,slots,1,1.00,,\n";
    static struct opened o;
    struct source s = {begin, strlen(begin), 1000, 0};
    struct td_row row = {.scope = -1};
    struct td_perf_csv *p;
    char copy[256];
    int err = 1;

    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    p = td_perf_csv_of(o.r);
    CU_ASSERT_EQUAL_FATAL(p->memory.place, 0);
    CU_ASSERT_EQUAL_FATAL(p->rows.time, 2000000000);
    snprintf(copy, sizeof(copy), "%s", line);
    CU_ASSERT_EQUAL(td_perf_known(o.r, copy, strlen(copy), &row, &err), wanted);
    if (wanted) {
        CU_ASSERT_EQUAL(err, 0);
        CU_ASSERT_EQUAL(row.time, 2000000000);
        CU_ASSERT_STRING_EQUAL(o.r->stream.texts.names[row.text], "r19c");
        CU_ASSERT_EQUAL(row.scope, 2);
        CU_ASSERT_EQUAL(row.status, TD_OK);
        CU_ASSERT_EQUAL(row.value, value);
        CU_ASSERT_EQUAL(row.running, running);
        CU_ASSERT_EQUAL(row.enabled, enabled);
    }
    close_recording(&o);
}

static void lines(void)
{
    known("     2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.00,1.5,Retiring,2.0,Heavy Operations", true, 8, 91, 182);
    known("2.000000000,S0-D0-C1,2,18446744073709551615,msec,r19c,0,100.00", false, 0, 0, 0); /* 20 digits */
    known("2.000000000,S0-D0-C1,2,9999999999999999999,msec,r19c,0,100.00", true, 9999999999999999999.0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,100.00,,", true, 8, 91, 91);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,7.25,,", true, 8, 91, 91 * 100 / 7.25);
    /* another scope, event, unit, number of CPUs; a column more or less */
    known("2.000000000,S0-D0-C2,2,8,msec,r19c,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,3,8,msec,r19c,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19d,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,,r19c,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,/a,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,8,msec,r19c,91,50.00", false, 0, 0, 0);
    /* 64 columns, 65 */
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.00,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", true,
          8, 91, 182);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.00,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", false,
          0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c", false, 0, 0, 0);
    /* numbers unlike those in most lines */
    known("2.000000000,S0-D0-C1,2,8.5,msec,r19c,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,<not counted>,msec,r19c,0,100.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,,msec,r19c,91,50.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.0", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.000", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,.50", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50x00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.x0", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,50.0x", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,1000.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,0100.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,101.00", false, 0, 0, 0);
    known("2.000000000,S0-D0-C1,2,8,msec,r19c,91,-1.00", false, 0, 0, 0);
    /* the first line of another interval, and lines without a time */
    known("3.000000000,S0-D0-C1,2,8,msec,r19c,91,50.00", false, 0, 0, 0);
    known("2.00000000,S0-D0-C1,2,8,msec,r19c,91,50.00", false, 0, 0, 0);
    known("S0-D0-C1,2,8,msec,r19c,91,50.00", false, 0, 0, 0);
    known("# started on 2.000000000", false, 0, 0, 0);
    known("", false, 0, 0, 0);
}

/* Columns after the percentage; newer perf has a threshold after a name. */
static void add_metrics(struct mixed *m, const char *sep)
{
    while (!mixed_next(m, 2)) {
        mixed_add(m, sep);
        MIXED_ONE_OF(m, 3, "25.1", "", "-", "-1.0", "1.0 ", " ");
        mixed_add(m, sep);
        MIXED_ONE_OF(m, 2, "Retiring", "%  tma_frontend_bound", "", " Heavy Operations ", "9", "x");
        if (!mixed_next(m, 4))
            mixed_add(m, sep), MIXED_ONE_OF(m, 2, "Backend Bound", "good", "bad");
    }
    if (!mixed_next(m, 500))
        for (unsigned i = 40 + (unsigned)mixed_next(m, 30); i; i--)
            mixed_add(m, sep);
}

/* One line, mostly as it is at that place in an interval. */
static void add_line(struct mixed *m, unsigned time, unsigned place, const char *sep)
{
    static const char *const events[] = {"slots", "topdown-retiring", "cpu/event=0x9c", "cycles:u"}, *const scopes[] = {
                                                                                                         "", "CPU0",
                                                                                                         "7zip-12",
                                                                                                         "S0-D0-C0"};
    const unsigned rare = 150;
    char start[64];

    if (!mixed_next(m, 40)) {
        MIXED_ONE_OF(m, 2, "# started on x", "", "# x", "Events enabled", "1.000000000,,,,,,2.0,Retiring",
                     "summary,5,,slots,9,100.00");
        return;
    }
    snprintf(start, sizeof(start), "%*s%s%u.%09u", mixed_next(m, 20) ? 5 : (int)mixed_next(m, 3), "",
             mixed_next(m, 99) ? "" : "0", time, (unsigned)mixed_next(m, 2) * (mixed_next(m, rare) == 0));
    mixed_add(m, start), mixed_add(m, sep);
    if (*scopes[place % 4])
        mixed_add(m, scopes[place % 4]), mixed_add(m, sep);
    if (place % 4 == 3)
        MIXED_ONE_OF(m, rare, "2", "1", ""), mixed_add(m, sep);
    MIXED_ONE_OF(m, 8, "5", "12345", "1844674407370955161", "<not counted>", "<not supported>", "1.5", "0", " 7 ",
                 "007");
    mixed_add(m, sep);
    MIXED_ONE_OF(m, rare, place % 2 ? "msec" : "", "5", "x y", "1.5"), mixed_add(m, sep);
    MIXED_ONE_OF(m, rare, events[place % 4], "", "7", " slots ", "slots", "slots"), mixed_add(m, sep);
    if (place % 3 == 2)
        MIXED_ONE_OF(m, rare, "a.slice", "/", "", "1.23%", "100.00"), mixed_add(m, sep);
    MIXED_ONE_OF(m, 20, "900", "0", "1844674407370955161", mixed_next(m, 9) ? "9.5" : "x",
                 mixed_next(m, 9) ? "12" : ""),
        mixed_add(m, sep);
    MIXED_ONE_OF(m, 8, "100.00", "50.00", "7.25", "0.00", "99.9", "100.0", "100 ",
                 mixed_next(m, 9) ? "50.00" : "101.00", mixed_next(m, 9) ? "50.00" : "1e2", "100.00 ", " 50.00");
    add_metrics(m, sep);
}

static void both_ways(void)
{
    static const char *const separators[] = {",", ";", "\t", "|", " ", "::", "-"};
    static struct mixed m;

    show_printed = true;
    for (unsigned i = 0, n = (unsigned)unit_long_rounds(20000); i < n; i++) {
        const unsigned lines = 1 + i % 5;
        const char *sep = separators[i % 11 < 7 ? i % 11 : 0];

        m = (struct mixed){.state = UINT64_C(88172645463325252) + i};
        for (unsigned time = 1; time <= 4; time++)
            for (unsigned place = 0; place < lines; place++) {
                add_line(&m, mixed_next(&m, 400) ? time : time - 1, mixed_next(&m, 100) ? place : place + 1, sep);
                mixed_add(&m, time == 4 && place == lines - 1 && !mixed_next(&m, 3) ? "" : "\n");
            }
        if (!mixed_same(&m))
            break;
    }
    show_printed = false;
}

static const CU_TestInfo tests[] = {
    {"lines", lines},
    {"both ways to read them", both_ways},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf stat -x: known lines", tests);
