/* SPDX-License-Identifier: MIT */
/* Sums of intervals: how long they took, what is known of them, and what each of their parts counted; all by hand. */
#include "session/sums.h"
#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { COPIES = 8 };

static struct td_hints hints;

/* An interval of 1,000 ns of a lane, of which each copy counts value. */
static struct td_interval interval_of(struct td_count *copy, size_t copies, double value)
{
    for (size_t i = 0; i < copies; i++)
        copy[i] = (struct td_count){
            .text = (uint32_t)i, .group = (uint16_t)i, .value = value, .enabled = 20, .running = 10, .intervals = 1};
    return (struct td_interval){.at.scope = "t-1",
                                .at.scope_kind = TD_KIND_THREAD,
                                .at.duration = 1000,
                                .switches_known = true,
                                .switches = 1,
                                .counts = {.c = copy, .n = copies}};
}

static struct td_sum *add(struct td_sums *s, const struct td_interval *v)
{
    CU_ASSERT_EQUAL_FATAL(td_sums_add(s, v, &hints), 0);
    return td_sums_of(s, v);
}

/* Copy k of 5 is first counted in interval 3 k, 10 each time. From interval 32 on two intervals are a step, from 64 on
 * four, from 128 on eight. */
static void copies_that_come_later(void)
{
    static const unsigned lengths[] = {1, 5, 31, 32, 33, 34, 63, 64, 65, 66, 70, 128, 131, 132};

    for (size_t i = 0; i < LENGTH(lengths); i++) {
        const unsigned n = lengths[i], each = n < 32 ? 1 : n < 64 ? 2 : n < 128 ? 4 : 8;
        struct td_count copy[COPIES];
        struct td_sums sums = {.n = 0};
        struct td_sum *sum = NULL;
        size_t parts;

        for (unsigned k = 1; k <= n; k++) {
            const struct td_interval v = interval_of(copy, k / 3 < 5 ? k / 3 + 1 : 5, 10);

            sum = add(&sums, &v);
        }
        parts = td_sum_parts(sum);
        CU_ASSERT_EQUAL(parts, n / each + (2 * (n % each) >= each && each > 1));
        for (size_t c = 0; c < sum->all.counts.n; c++) {
            const unsigned first = c ? 3 * (unsigned)c : 1;
            double values[TD_STEPS_MAX + 1];

            CU_ASSERT_FATAL(parts <= TD_STEPS_MAX);
            values[parts] = -1; /* nothing is written after them */
            td_sum_values(sum, c, values);
            CU_ASSERT_EQUAL(values[parts], -1);
            for (size_t p = 0; p < parts; p++) {
                const unsigned from = (unsigned)p * each + 1, to = p + 1 < parts ? (unsigned)(p + 1) * each : n,
                               begin = from > first ? from : first;
                const unsigned counted = begin <= to ? to - begin + 1 : 0;
                const struct td_grown part = td_sum_part(sum, p, c);

                CU_ASSERT(values[p] == 10 * counted && part.value == 10 * counted && part.running == 10 * counted &&
                          part.enabled == 20 * counted);
                CU_ASSERT_EQUAL(part.intervals, counted);
            }
        }
        td_sums_free(&sums);
    }
}

/* 32 intervals with one copy make 16 steps, which have room for two; what the 33rd counts of a third is all in the open
 * part, of which the steps that were joined have nothing. */
static void copies_after_steps(void)
{
    struct td_count copy[COPIES];
    struct td_interval v = interval_of(copy, 1, 10);
    struct td_sums sums = {.n = 0};
    struct td_sum *sum = NULL;

    for (unsigned k = 0; k < 32; k++)
        sum = add(&sums, &v);
    v = interval_of(copy, 3, 10);
    sum = add(&sums, &v);
    CU_ASSERT_EQUAL_FATAL(td_sum_parts(sum), 17);
    for (size_t c = 0; c < 3; c++)
        for (size_t p = 0; p < 17; p++)
            CU_ASSERT_EQUAL(td_sum_part(sum, p, c).value, p == 16 ? 10 : c ? 0 : 20);
    td_sums_free(&sums);
}

/* Intervals in which nothing was counted are parts, too, of which what comes later had nothing: one each until the
 * 32nd, then two, and of the last two copies the second comes last. */
static void parts_of_nothing(void)
{
    static const unsigned empties[] = {1, 31, 32, 40};

    for (size_t i = 0; i < LENGTH(empties); i++) {
        const unsigned n = empties[i], each = n + 2 < 32 ? 1 : 2;
        struct td_count copy[COPIES];
        struct td_interval v = interval_of(copy, 0, 10);
        struct td_sums sums = {.n = 0};
        struct td_sum *sum = NULL;
        double first = 0, second = 0;
        size_t parts;

        for (unsigned k = 0; k < n; k++)
            sum = add(&sums, &v);
        CU_ASSERT(sum->all.counts.n == 0 && sum->active == 0);
        v = interval_of(copy, 1, 10);
        sum = add(&sums, &v);
        v = interval_of(copy, 2, 10);
        sum = add(&sums, &v);
        parts = td_sum_parts(sum);
        CU_ASSERT_EQUAL(parts, (n + 2 + each - 1) / each);
        for (size_t p = 0; p < parts; p++) {
            first += td_sum_part(sum, p, 0).value;
            second += td_sum_part(sum, p, 1).value;
            CU_ASSERT(p >= n / each || (first == 0 && second == 0));
        }
        CU_ASSERT(first == 20 && second == 10);
        td_sums_free(&sums);
    }
}

/* A time that is not known once is not known in the sum; neither are switches. */
static void what_is_known(void)
{
    static const struct {
        uint64_t durations[3];
        bool known[3];
        unsigned n;
        uint64_t duration;
        bool all_known;
    } rows[] = {
        {{10, 20, 30}, {true, true, true}, 3, 60, true},   {{0, 20, 30}, {true, true, true}, 3, 0, true},
        {{10, 0, 30}, {true, true, true}, 3, 0, true},     {{10, 20, 0}, {true, true, true}, 3, 0, true},
        {{10, 0, 0}, {true, true, false}, 1, 10, true},    {{10, 20, 30}, {false, true, true}, 3, 60, false},
        {{10, 20, 30}, {true, false, true}, 3, 60, false}, {{10, 20, 30}, {true, true, false}, 3, 60, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_count copy[COPIES];
        struct td_sums sums = {.n = 0};
        struct td_sum *sum = NULL;

        for (unsigned k = 0; k < rows[i].n; k++) {
            struct td_interval v = interval_of(copy, 1, 10);

            v.at.duration = rows[i].durations[k];
            v.switches_known = rows[i].known[k];
            v.switches = k + 1;
            sum = add(&sums, &v);
        }
        CU_ASSERT_EQUAL(sum->all.at.duration, rows[i].duration);
        CU_ASSERT_EQUAL(sum->all.switches_known, rows[i].all_known);
        CU_ASSERT_EQUAL(sum->all.switches, rows[i].n * (rows[i].n + 1) / 2);
        CU_ASSERT_EQUAL(sum->intervals, rows[i].n);
        td_sums_free(&sums);
    }
}

/* An interval that means nothing adds nothing but its time; one in which nothing was counted is none of those that were
 * active; other events, that no formula knows, are activity. Any change of the CPUs stays. */
static void active_ones(void)
{
    struct td_count copy[COPIES];
    struct td_sums sums = {.n = 0};
    struct td_interval v = interval_of(copy, 2, 10);
    struct td_sum *sum;

    v.at.time = 1;
    v.at.duration = 50;
    copy[0].status = TD_NOT_COUNTED;
    sum = add(&sums, &v);
    CU_ASSERT(sum->active == 1 && sum->shortest == 50 && sum->longest == 50 && !sum->all.cpus_changed &&
              sum->all.at.time == 1);
    v.at.duration = 70;
    v.cpus_changed = true;
    v.at.time = 2;
    sum = add(&sums, &v);
    CU_ASSERT(sum->active == 2 && sum->shortest == 50 && sum->longest == 70 && sum->all.cpus_changed);
    v.at.duration = 20;
    v.cpus_changed = false;
    v.at.time = 3;
    copy[1].status = TD_NOT_COUNTED;
    sum = add(&sums, &v);
    CU_ASSERT(sum->active == 2 && sum->shortest == 50 && sum->longest == 70 && sum->all.cpus_changed &&
              sum->intervals == 3 && sum->all.at.duration == 140);
    v.others_counted = true;
    v.at.time = 4;
    sum = add(&sums, &v);
    CU_ASSERT(sum->active == 3 && sum->shortest == 20 && sum->longest == 70 && sum->intervals == 4);
    v.counts.status = TD_EPOCH_CHANGED;
    v.at.time = 5;
    sum = add(&sums, &v);
    CU_ASSERT(sum->active == 3 && sum->intervals == 4 && sum->all.at.duration == 160 && sum->all.at.time == 5 &&
              sum->all.switches == 4);
    sum->over = true; /* the next begins it anew */
    v = interval_of(copy, 1, 3);
    sum = add(&sums, &v);
    CU_ASSERT(sums.n == 1 && sum->intervals == 1 && sum->active == 1 && sum->all.at.duration == 1000 &&
              sum->all.counts.n == 1 && sum->all.counts.c[0].value == 3);
    CU_ASSERT(td_sum_parts(sum) == 1 && !sum->over && !sum->all.cpus_changed && sum->all.switches == 1);
    td_sums_free(&sums);
}

/* Rows of one time are one interval, of which each has a part: the sum counts them once. */
static void rest_of_an_interval(void)
{
    static const struct {
        bool has_time;
        uint64_t second;
        uint32_t added;
    } rows[] = {{true, 5, 1}, {true, 6, 2}, {false, 5, 2}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_count copy[COPIES];
        struct td_sums sums = {.n = 0};
        struct td_interval v = interval_of(copy, 1, 10);
        struct td_sum *sum;

        v.at.has_time = rows[i].has_time;
        v.at.time = 5;
        add(&sums, &v);
        v.at.time = rows[i].second;
        copy[0].text = 1;
        sum = add(&sums, &v);
        CU_ASSERT(sum->all.counts.added == rows[i].added && sum->all.counts.n == 2);
        td_sums_free(&sums);
    }
}

/* The balanced counts of a sum with 4 active intervals of 10 to 40 ns, 100 in all, stand for as many as the count with
 * the most: of 3, 75 ns, at least 3 x 10 and at most 100 or 3 x 40. Of 2: 50, from 20 to 80. */
static void stands_for(void)
{
    static const struct {
        uint32_t intervals[2];
        double part, low, value, high;
    } rows[] = {
        {{4, 1}, 1, 100, 100, 100}, {{3, 1}, 0.75, 30, 75, 100}, {{1, 2}, 0.5, 20, 50, 80},
        {{2, 1}, 0.5, 20, 50, 80},  {{0, 0}, 1, 100, 100, 100},  {{5, 1}, 1, 100, 100, 100},
    };
    static const uint64_t durations[] = {20, 10, 40, 30};
    struct td_count copy[COPIES];
    struct td_sums sums = {.n = 0};
    struct td_interval v = interval_of(copy, 1, 10);
    struct td_sum *sum = NULL;

    for (size_t i = 0; i < LENGTH(durations); i++) {
        v.at.duration = durations[i] * 1000000000;
        sum = add(&sums, &v);
    }
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_count c[] = {{.intervals = rows[i].intervals[0]}, {.intervals = rows[i].intervals[1]}};
        const struct td_counts balanced = {.c = c, .n = 2};
        const struct td_range s = td_sum_duration(sum, &balanced);

        CU_ASSERT_EQUAL(td_sum_stands_for(sum, &balanced), rows[i].part);
        CU_ASSERT_DOUBLE_EQUAL(s.low, rows[i].low, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(s.value, rows[i].value, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(s.high, rows[i].high, 1e-9);
    }
    td_sums_free(&sums);
}

/* Of the first 512 lanes it is kept how they grow. */
static void lanes(void)
{
    struct td_count copy[COPIES];
    struct td_sums sums = {.n = 0};
    struct td_interval v = interval_of(copy, 1, 10);

    v.lane = 7;
    CU_ASSERT_PTR_NULL(td_sums_of(&sums, &v));
    add(&sums, &v);
    v.lane = 6;
    CU_ASSERT_PTR_NULL(td_sums_of(&sums, &v));
    v.lane = 8;
    CU_ASSERT_PTR_NULL(td_sums_of(&sums, &v));
    for (unsigned lane = 0; lane <= 512; lane++) {
        struct td_sum *sum;

        v.lane = lane;
        sum = add(&sums, &v);
        CU_ASSERT_EQUAL(td_sum_parts(sum), lane == 512 ? 0 : lane == 7 ? 2 : 1);
        CU_ASSERT_EQUAL(sum->intervals, lane == 7 ? 2 : 1);
    }
    CU_ASSERT_EQUAL(sums.n, 513);
    td_sums_free(&sums);
}

static const CU_TestInfo tests[] = {
    {"copies that come later", copies_that_come_later},
    {"copies that come after all steps", copies_after_steps},
    {"parts of nothing", parts_of_nothing},
    {"what is known", what_is_known},
    {"active intervals", active_ones},
    {"the rest of an interval", rest_of_an_interval},
    {"what balanced counts stand for", stands_for},
    {"lanes", lanes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("how sums grow", tests);
