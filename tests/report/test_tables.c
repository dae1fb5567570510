/* SPDX-License-Identifier: MIT */
/* Tables of several runs, which are written out by hand. */
#include "report/layouts.h"

#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

typedef void table_fn(struct td_report *, const struct td_repeat *);

static void is(table_fn *put, const struct td_report *settings, const struct td_repeat *s, const char *wanted)
{
    struct td_report r = *settings;
    struct captured c;

    r.out = *captured_begin(&c);
    put(&r, s);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(c.text, wanted) != 0)
        printf("\n    not as written, but\n%s", c.text);
    captured_end(&c);
}

/* Two runs of 1 s and 1.5 s: their mean is off by half their difference. */
static void begin(struct td_repeat *s, const char *name)
{
    struct made_result m;

    *s = (struct td_repeat){.runs = 2};
    made_begin(&m);
    m.metric[0].name = name;
    m.metric[2] = m.metric[MADE_IPC];
    m.r.nmetrics = 3;
    CU_ASSERT_EQUAL_FATAL(td_repeat_add(s, &m.r), 0);
    m.metric[0].value = 0.6;
    made_bounds(&m.metric[0], TD_BOUNDS_SOUND, 0.54, 0.66);
    CU_ASSERT_EQUAL_FATAL(td_repeat_add(s, &m.r), 0);
    td_mean_add(&s->elapsed, 1);
    td_mean_add(&s->elapsed, 1.5);
}

#define BAD "   6.0 % +- 0.0  ~ 5.0 .. 7.0\n"
#define IPC " 1.250 per cycle +- 0.000  1.200 .. 1.300\n"
#define ELAPSED " 1.250 s +- 0.250"

/* Errors have room from 2 + 22 + 8 + 9 + 18 = 59 columns on. */
static void runs(void)
{
    struct td_repeat s;

    begin(&s, "retiring");
    is(td_table_runs, &(struct td_report){.width = 0}, &s,
       "          2 runs  S0-C1  [mean +- standard error of the runs]\n"
       "  retiring                55.0 % +- 5.0  49.0 .. 61.0\n"
       "  bad_speculation       " BAD "  ipc                   " IPC "  elapsed               " ELAPSED "\n");
    is(td_table_runs, &(struct td_report){.width = 59}, &s,
       "          2 runs  S0-C1  [mean +- standard error of the runs]\n"
       "  retiring                55.0 % +- 5.0  49.0 .. 61.0\n"
       "  bad_speculation       " BAD "  ipc                   " IPC "  elapsed               " ELAPSED "\n");
    is(td_table_runs, &(struct td_report){.width = 58}, &s,
       "          2 runs  S0-C1  [mean of the runs]\n"
       "  retiring                55.0 %  49.0 .. 61.0\n"
       "  bad_speculation          6.0 %  ~ 5.0 .. 7.0\n"
       "  ipc                    1.250 per cycle  1.200 .. 1.300\n"
       "  elapsed                1.250 s\n");
    is(td_table_elapsed, &(struct td_report){.width = 0}, &s,
       "  elapsed               " ELAPSED "  (mean +- standard error of the runs)\n");
    td_repeat_free(&s);
}

/* Names have as many columns as the longest has, or as are left by the 2 + 26 others, but 22 at least. */
static void long_names(void)
{
    struct td_repeat s;

    begin(&s, "a_name_of_twenty-six_bytes");
    is(td_table_runs, &(struct td_report){.width = 0}, &s,
       "          2 runs  S0-C1  [mean +- standard error of the runs]\n"
       "  a_name_of_twenty-six_bytes  55.0 % +- 5.0  49.0 .. 61.0\n"
       "  bad_speculation           " BAD "  ipc                       " IPC "  elapsed                   " ELAPSED
       "\n");
    is(td_table_runs, &(struct td_report){.width = 54}, &s,
       "          2 runs  S0-C1  [mean of the runs]\n"
       "  a_name_of_twenty-six_bytes  55.0 %  49.0 .. 61.0\n"
       "  bad_speculation              6.0 %  ~ 5.0 .. 7.0\n"
       "  ipc                        1.250 per cycle  1.200 .. 1.300\n"
       "  elapsed                    1.250 s\n");
    is(td_table_runs, &(struct td_report){.width = 53}, &s,
       "          2 runs  S0-C1  [mean of the runs]\n"
       "  a_name_of_tw..y-six_bytes  55.0 %  49.0 .. 61.0\n"
       "  bad_speculation             6.0 %  ~ 5.0 .. 7.0\n"
       "  ipc                       1.250 per cycle  1.200 .. 1.300\n"
       "  elapsed                   1.250 s\n");
    is(td_table_runs, &(struct td_report){.width = 30}, &s,
       "          2 runs  S0-C1  [mean of the runs]\n"
       "  a_name_of_..-six_bytes  55.0 %  49.0 .. 61.0\n"
       "  bad_speculation          6.0 %  ~ 5.0 .. 7.0\n"
       "  ipc                    1.250 per cycle  1.200 .. 1.300\n"
       "  elapsed                1.250 s\n");
    td_repeat_free(&s);
}

/* Runs that the command did not end count for no time; metrics that some lack say so. */
static void some_ended(void)
{
    struct td_repeat s;

    begin(&s, "retiring");
    s.runs = 3;
    s.metric[1].mean.n = 1;
    is(td_table_runs, &(struct td_report){.width = 58}, &s,
       "          3 runs  S0-C1  [mean of the 2 that the command ended]\n"
       "  retiring                55.0 %  49.0 .. 61.0\n"
       "  bad_speculation          6.0 %  ~ 5.0 .. 7.0  (of 1 runs that have it)\n"
       "  ipc                    1.250 per cycle  1.200 .. 1.300\n"
       "  elapsed                1.250 s\n");
    is(td_table_elapsed, &(struct td_report){.width = 0}, &s,
       "  elapsed               " ELAPSED "  (mean +- standard error of the 2 that the command ended)\n");
    s.elapsed = (struct td_mean){.n = 0};
    is(td_table_elapsed, &(struct td_report){.width = 0}, &s,
       "  elapsed                 no mean: the command ended none of the 3 runs\n");
    td_repeat_free(&s);
}

/* All columns of a bench have 2 + 26 + 5 * 15 = 103 columns of the screen; the median and the cost 58, or with shorter
 * names 50. */
static void bench_is(unsigned width, const char *wanted)
{
    const struct td_bench_event event = {.event = "cycles",
                                         .counted = {.min = 10, .median = 12.5, .mean = 12, .deviation = 1},
                                         .cost = {.median = (double)NAN}};
    const struct td_bench b = {.cpu = 3, .machine = "spr", .runs = 5, .empties = 4, .event = &event, .n = 1};
    struct td_report r = {.width = width};
    struct captured c;

    r.out = *captured_begin(&c);
    td_table_bench(&r, &b);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    captured_end(&c);
}

static void bench(void)
{
#define ALL_OF_BENCH \
    "               5 runs on CPU 3  spr  [cost: of 4 empty runs, the median; it is in each number]\n" \
    "                                        min         median           mean      deviation           cost\n" \
    "  cycles                                 10           12.5             12              1              -\n"
#define SOME_OF_BENCH \
    "  5 runs on CPU 3  spr  [cost: 4 empty runs]\n" \
    "                                     median           cost\n" \
    "  cycles                               12.5              -\n"
    bench_is(0, ALL_OF_BENCH);
    bench_is(103, ALL_OF_BENCH);
    bench_is(102, SOME_OF_BENCH);
    bench_is(58, SOME_OF_BENCH);
    bench_is(57, "  5 runs on CPU 3  spr  [cost: 4 empty runs]\n"
                 "                             median           cost\n"
                 "  cycles                       12.5              -\n");
}

#define MEAN(name, mean, stddev, runs, low, high) \
    "\"" name "\":{\"mean\":" mean ",\"stddev\":" stddev ",\"runs\":" runs ",\"low\":" low ",\"high\":" high

static void report_runs(struct td_report *r, const struct td_repeat *s)
{
    r->format = td_report_format_find("json");
    td_report_repeat(r, s);
}

/* A mean of one run has no deviation; one of a run without bounds has none. */
static void json(void)
{
    struct td_repeat s;

    begin(&s, "retiring");
    s.elapsed = (struct td_mean){.n = 1, .mean = 1.5};
    s.metric[0].mean = (struct td_mean){.n = 2, .mean = 0.5, .squares = 0.0625};
    s.metric[0].low = (struct td_mean){.n = 2, .mean = 0.25};
    s.metric[0].high = (struct td_mean){.n = 2, .mean = 0.75};
    s.metric[1].low.n = 1;
    s.metric[1].mean = (struct td_mean){.n = 2, .mean = 0.0625};
    s.metric[2].number = 1; /* of another scope */
    s.metric[2].mean = (struct td_mean){.n = 1, .mean = 1.25};
    s.metric[2].low = (struct td_mean){.n = 1, .mean = 1.2};
    s.metric[2].high = (struct td_mean){.n = 1, .mean = 1.3};
    s.metric[2].sound = false;
    is(report_runs, &(struct td_report){.width = 0}, &s,
       "{\"schema\":\"tdprobe/1\",\"type\":\"runs\",\"runs\":2,\"elapsed\":{\"mean\":1.5,\"stddev\":null,\"runs\":1},"
       "\"scope\":\"S0-C1\",\"core\":null,\"metrics\":{" MEAN(
           "retiring", "0.5", "0.25", "2", "0.25",
           "0.75") ",\"bounds\":\"sound\"}," MEAN("bad_speculation", "0.0625", "0.0", "2", "null",
                                                  "null") "}}}\n"
                                                          "{\"schema\":\"tdprobe/1\",\"type\":\"runs\",\"runs\":2,\"elapsed\":{\"mean\":1.5,\"stddev\":null,\"runs\":1},"
                                                          "\"scope\":\"S0-C1\",\"core\":null,\"metrics\":{" MEAN(
                                                              "ipc", "1.25", "null", "1", "1.2",
                                                              "1.3") ",\"bounds\":\"likely\"}}}\n");
    td_repeat_free(&s);
    is(report_runs, &(struct td_report){.width = 0}, &(struct td_repeat){.runs = 3},
       "{\"schema\":\"tdprobe/1\",\"type\":\"runs\",\"runs\":3,\"elapsed\":{\"mean\":null,\"stddev\":null,\"runs\":0},"
       "\"scope\":null,\"core\":null,\"metrics\":{}}\n");
}

static const CU_TestInfo tests[] = {
    {"several runs", runs}, {"long names", long_names}, {"runs that were not ended", some_ended}, {"a bench", bench},
    {"json", json},         CU_TEST_INFO_NULL,
};
UNIT_SUITE("tables of runs", tests);
