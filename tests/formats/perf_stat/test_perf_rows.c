/* SPDX-License-Identifier: MIT */
/* What the rows of perf stat -x and -j have in common: times, further recordings, and for how long events were enabled.
 */
#include "formats/perf_stat/perf_csv.h"
#include "tests/support/recorded.h"

/* The percentage is cut to whole per cent, so that one below 1 is at least half of that. */
static void enabled(void)
{
    static const struct {
        double running, percent, wanted; /* -1: the percentage is refused */
    } all[] = {
        {50, 100, 50},
        {50, 100.25, 50},
        {50, 100.5, 50},
        {50, 100.75, -1},
        {50, 200, -1},
        {50, 80, 62.5},
        {50, 2, 2500},
        {50, 1.25, 4000},
        {50, 1, 5000},
        {50, 0.5, 5000},
        {50, 0, 5000},
        {1, 50, 2},
        {0, 100, 0},
        {0, 100.5, 0},
        {0, 99.75, 1},
        {0, 0, 1},
        {0, 1, 1},
        {0.5, 50, 1},
        /* not what a hundredth of a hundred times as much is rounded to */
        {7222209650546942, 100, 7222209650546942},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        double got = -1;
        const char *wrong = td_perf_enabled(all[i].running, all[i].percent, &got);

        CU_ASSERT_EQUAL(got, all[i].wanted);
        CU_ASSERT_EQUAL(!wrong, all[i].wanted >= 0);
    }
}

static void statuses(void)
{
    CU_ASSERT_EQUAL(td_perf_status("<not counted>", 13), TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(td_perf_status("<not supported>", 15), TD_NOT_SUPPORTED);
    CU_ASSERT_EQUAL(td_perf_status("<not counted>", 12), TD_OK);
    CU_ASSERT_EQUAL(td_perf_status("<not counted>x", 14), TD_OK);
    CU_ASSERT_EQUAL(td_perf_status("<not supported> ", 16), TD_OK);
    CU_ASSERT_EQUAL(td_perf_status("<not counted>", 0), TD_OK);
    CU_ASSERT_EQUAL(td_perf_status("5", 1), TD_OK);
}

#define ROW(time_, value_, event_) time_ "," value_ ",," event_ ",9,100.00,,\n"
#define TWENTY "00000000000000000000"
#define OBJECT(time_, value_) \
    "{\"interval\" : " time_ ", \"counter-value\" : " value_ \
    ", \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n"
#define AGAIN(line_) "{f:" line_ ": a further recording begins here (perf stat --append)}"

/* A time may be written otherwise than on the line before, and be longer than what is remembered of it. */
static void times(void)
{
    static const struct recorded all[] = {
        {ROW("1.000000000", "5", "a") ROW("01.000000000", "6", "b"), "1.000 system system: a=5@0 b=6@0\n"},
        {ROW(TWENTY "01.000000000", "5", "a") ROW(TWENTY "01.000000000", "6", "b"),
         "1.000 system system: a=5@0 b=6@0\n"},
        {ROW(TWENTY "2.000000000", "5", "a") ROW("1.000000000", "6", "a"),
         "2.000 system system: a=5@0\n!f:2: time goes backwards: 1.000000000 comes after " TWENTY "2.000000000"},
        {ROW(TWENTY "02.000000000", "5", "a") ROW("1.000000000", "6", "a"),
         "2.000 system system: a=5@0\n!f:2: time goes backwards: 1.000000000 comes after " TWENTY "02.00000000"},
        {ROW("2.000000000", "5", "a") ROW(TWENTY "0000000001.000000000", "6", "a"),
         "2.000 system system: a=5@0\n!f:2: time goes backwards: " TWENTY
         "0000000001.000000000 comes after 2.000000000"},
        {ROW("2.000000000", "5", "a") ROW(TWENTY "000000001.000000000", "6", "a"),
         "2.000 system system: a=5@0\n!f:2: time goes backwards: " TWENTY
         "000000001.000000000 comes after 2.000000000"},
        {ROW("2.000000000", "5", "a") ROW(TWENTY TWENTY "1.000000000", "6", "a"),
         "2.000 system system: a=5@0\n!f:2: time goes backwards: " TWENTY TWENTY " comes after 2.000000000"},
        {OBJECT("1.5" TWENTY "0000000000", "5") OBJECT("1", "6"),
         "1.500 system system: a=5@0\n!f:2: time goes backwards: 1 comes after 1.5" TWENTY "00000000"},
        {0},
    };

    read_all(all);
}

/* How much of a time's text is remembered: up to 31 bytes, all or none. */
static void remembered(void)
{
    static const struct {
        const char *time;
        size_t len;
    } all[] = {{"1.000000000", 11}, {TWENTY "1.000000000", 31}, {TWENTY "01.000000000", 0}};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        static struct opened o;
        char text[100];
        struct source s = {text, (size_t)snprintf(text, sizeof(text), ROW("%s", "5", "a"), all[i].time), 100, 0};

        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        CU_ASSERT_EQUAL(td_perf_csv_of(o.r)->rows.time_len, all[i].len);
        CU_ASSERT_EQUAL(td_perf_same_time(&td_perf_csv_of(o.r)->rows, all[i].time, strlen(all[i].time)),
                        all[i].len > 0);
        close_recording(&o);
    }
}

/* After the first row the line that perf stat --append begins with starts another recording, also where a spreadsheet
 * has put it in quotes. */
static void further(void)
{
    static const struct recorded all[] = {
        {"# started on x\n" ROW("2.000000000", "5", "a"), "2.000 system system: a=5@0\n"},
        {ROW("2.000000000", "5", "a") "# started on x\n" ROW("1.000000000", "6", "a"),
         AGAIN("2") "2.000 system system: a=5@0\n1.000 system system: a=6@0\n"},
        {ROW("2.000000000", "5", "a") "# started on x\n" ROW("2.000000000", "6", "b"),
         AGAIN("2") "2.000 system system: a=5@0\n2.000 system system: b=6@0\n"},
        {ROW("2.000000000", "5", "a") "# started on x\n6,,b,9,100.00,,\n",
         AGAIN("2") "2.000 system system: a=5@0\n- system system: b=6@0\n"},
        {ROW("\"2.000000000\"", "\"5\"", "a") "\"# started on x\"\n" ROW("1.000000000", "6", "a"),
         AGAIN("2") "2.000 system system: a=5@0\n1.000 system system: a=6@0\n"},
        {ROW("2.000000000", "5", "a") "# started\n" ROW("2.000000000", "6", "b"), "2.000 system system: a=5@0 b=6@0\n"},
        {ROW("2.000000000", "5", "a") "# started on\n" ROW("2.000000000", "6", "b"),
         "2.000 system system: a=5@0 b=6@0\n"},
        {ROW("2.000000000", "5", "a") "x started on x\n" ROW("2.000000000", "6", "b"),
         "2.000 system system: a=5@0 b=6@0\n{f:2: 1 line is of another program; it is left out}"},
        {0},
    };

    read_all(all);
}

static const CU_TestInfo tests[] = {
    {"enabled times", enabled},
    {"what is no count", statuses},
    {"times", times},
    {"times that are remembered", remembered},
    {"further recordings", further},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rows of perf stat", tests);
