/* SPDX-License-Identifier: MIT */
/* Sums of intervals, what makes their copies comparable, and the error of 8 bits, by hand. */
#include "core/counts/counts.h"
#include "core/counts/hints.h"
#include "core/counts/reading.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* ---- counts ------------------------------------------------------------------------ */

static void room(void)
{
    const struct td_count one = {.value = 7, .group = 3};
    struct td_counts k = {0};
    struct td_count *new = NULL;

    CU_ASSERT_EQUAL(td_counts_append(&k, &one), 0);
    CU_ASSERT_EQUAL_FATAL(td_counts_extend(&k, &new), 0);
    CU_ASSERT(k.n == 2 && new == &k.c[1] && new->value == 0 && new->group == 0 && k.c[0].value == 7);
    while (k.n < TD_READING_ROWS - 1)
        CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &one), 0);
    CU_ASSERT_EQUAL(td_counts_append(&k, &one), 0);
    CU_ASSERT_EQUAL(td_counts_append(&k, &one), -E2BIG);
    CU_ASSERT_EQUAL(td_counts_extend(&k, &new), -E2BIG);
    CU_ASSERT_EQUAL(k.n, 4096);
    td_counts_free(&k);
    CU_ASSERT(!k.n && !k.c && !k.room);
}

/* A reading has as many samples as an interval has counts. */
static void room_of_readings(void)
{
    struct td_reading r = {.room = 0};

    for (uint64_t i = 0; i < TD_READING_ROWS; i++)
        CU_ASSERT_EQUAL_FATAL(td_reading_append(&r, &(struct td_sample){.value = i}), 0);
    CU_ASSERT_EQUAL(td_reading_append(&r, &(struct td_sample){.value = 7}), -E2BIG);
    CU_ASSERT(r.snap.n == 4096 && r.snap.s == r.samples);
    for (uint64_t i = 0; i < TD_READING_ROWS; i++)
        CU_ASSERT_EQUAL_FATAL(r.samples[i].value, i);
    td_reading_free(&r);
    CU_ASSERT(!r.samples && !r.room && !r.snap.n);
}

/* ---- sums -------------------------------------------------------------------------- */

static struct td_counts sum;
static struct td_hints hints;

static void add(struct td_count *c, size_t n)
{
    CU_ASSERT_EQUAL(td_counts_add(&sum, &(struct td_counts){.n = n, .c = c}, &hints), 0);
}

static void forget(void)
{
    td_counts_free(&sum);
    td_hints_free(&hints);
}

static void sum_is(size_t i, double value, double err, double enabled, double running, uint32_t intervals)
{
    const struct td_count *c = &sum.c[i];

    CU_ASSERT_FATAL(i < sum.n);
    CU_ASSERT(c->value == value && c->err == err && c->enabled == enabled && c->running == running &&
              c->intervals == intervals);
}

enum { A, B, C };

/* A group that holds A twice, and B that is not counted at first; then in another order, and with C. */
static void by_copies(void)
{
    struct td_count first[] = {{.value = 10, .err = 1, .enabled = 8, .running = 4, .text = A, .group = 1},
                               {.value = 20, .err = 2, .enabled = 8, .running = 4, .text = A, .group = 1},
                               {.enabled = 8, .text = B, .group = 2, .status = TD_NOT_COUNTED}},
                    second[] = {{.value = 5, .err = 3, .enabled = 9, .running = 2, .text = B, .group = 2},
                                {.value = 1, .err = 1, .enabled = 9, .running = 9, .text = A, .group = 1},
                                {.value = 2, .err = 1, .enabled = 9, .running = 9, .text = A, .group = 1},
                                {.value = 4, .enabled = 9, .running = 9, .text = C, .group = 1}},
                    third[] = {{.enabled = 1, .text = B, .group = 2, .status = TD_NOT_COUNTED},
                               {.value = 3, .enabled = 1, .running = 1, .text = A, .group = 1},
                               {.value = 9, .enabled = 1, .text = C, .group = 1, .status = TD_COUNTER_RESET}};

    add(first, LENGTH(first));
    CU_ASSERT(sum.n == 3 && sum.added == 1 && sum.additions == 1 && sum.status == TD_OK);
    sum_is(0, 10, 1, 8, 4, 1);
    sum_is(1, 20, 2, 8, 4, 1);
    sum_is(2, 0, 0, 8, 0, 0);
    CU_ASSERT(sum.c[2].status == TD_NOT_COUNTED && sum.c[2].which == 0 && sum.c[2].ran == 0);
    CU_ASSERT(sum.c[0].which == sum.c[1].which && sum.c[0].ran == sum.c[1].ran && sum.c[0].which);
    add(second, LENGTH(second));
    CU_ASSERT(sum.n == 4 && sum.added == 2 && sum.additions == 2);
    sum_is(0, 11, 2, 17, 13, 2);
    sum_is(1, 22, 3, 17, 13, 2);
    sum_is(2, 5, 3, 17, 2, 1); /* the time in which it was not counted is time all the same */
    sum_is(3, 4, 0, 9, 9, 1);
    CU_ASSERT(sum.c[2].status == TD_OK && sum.c[2].which != sum.c[0].which && sum.c[2].which == sum.c[3].which);
    CU_ASSERT(sum.c[2].ran != sum.c[3].ran); /* 2 of 9, and all of it */
    add(third, LENGTH(third));
    CU_ASSERT(sum.n == 4 && sum.added == 3);
    sum_is(0, 14, 2, 18, 14, 3);
    sum_is(1, 22, 3, 17, 13, 2);
    sum_is(2, 5, 3, 18, 2, 1);
    sum_is(3, 4, 0, 9, 9, 1); /* after a reset nothing is known, nor of which time */
    CU_ASSERT(sum.c[0].last == 3 && sum.c[1].last == 2 && sum.c[2].last == 3);
    forget();
}

/* Whether two copies that were counted in these of three intervals are of the same ones; and how long they ran there.
 */
static void which_intervals(void)
{
    static const struct {
        bool one[3], other[3];
        double one_ran, other_ran; /* of 4, in the first */
        bool which, ran;
    } rows[] = {
        {{1, 1, 1}, {1, 1, 1}, 4, 4, true, true},   {{1, 1, 0}, {1, 1, 0}, 4, 4, true, true},
        {{1, 1, 0}, {1, 0, 1}, 4, 4, false, true},  {{1, 0, 0}, {0, 0, 1}, 4, 4, false, true},
        {{1, 1, 1}, {1, 1, 1}, 3, 4, true, false},  {{1, 1, 1}, {1, 1, 1}, 3, 3, true, true},
        {{1, 1, 1}, {1, 1, 0}, 4, 4, false, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        for (size_t k = 0; k < 3; k++) {
            struct td_count c[] = {
                {.enabled = 4, .running = 4, .text = A, .status = rows[i].one[k] ? TD_OK : TD_NOT_COUNTED},
                {.enabled = 4, .running = 4, .text = B, .status = rows[i].other[k] ? TD_OK : TD_NOT_COUNTED}};

            c[A].running = k ? 4 : rows[i].one_ran;
            c[B].running = k ? 4 : rows[i].other_ran;
            add(c, 2);
        }
        CU_ASSERT_EQUAL(sum.c[A].which == sum.c[B].which, rows[i].which);
        CU_ASSERT_EQUAL(sum.c[A].ran == sum.c[B].ran, rows[i].ran);
        forget();
    }
    /* 3 of 3 is all of the time, 3 of 4 is not */
    add((struct td_count[]){{.enabled = 3, .running = 3, .text = A}, {.enabled = 4, .running = 3, .text = B}}, 2);
    CU_ASSERT(sum.c[A].which == sum.c[B].which && sum.c[A].ran != sum.c[B].ran);
    forget();
}

/* An interval of which nothing is known adds nothing; a sum of nothing else says why. */
static void unknown_intervals(void)
{
    struct td_count one = {.value = 1, .text = A};
    const struct td_counts lost = {.status = TD_EPOCH_CHANGED, .n = 1, .c = &one};

    CU_ASSERT_EQUAL(td_counts_add(&sum, &lost, &hints), 0);
    CU_ASSERT(sum.status == TD_EPOCH_CHANGED && sum.n == 0 && sum.added == 0 && sum.additions == 0);
    add(&one, 1);
    CU_ASSERT(sum.status == TD_OK && sum.n == 1 && sum.added == 1);
    CU_ASSERT_EQUAL(td_counts_add(&sum, &lost, &hints), 0);
    CU_ASSERT(sum.status == TD_OK && sum.n == 1 && sum.added == 1 && sum.c[0].value == 1);
    add(NULL, 0);
    CU_ASSERT(sum.added == 2 && sum.n == 1);
    forget();
}

static void latencies_and_hints(void)
{
    struct td_count c = {.value = 50, .text = A, .sampled = {.any = true, .n = 5, .squares = 600}},
                    none = {.text = A, .sampled = {.any = true}};

    c.printed = td_hints_one(&hints, 3);
    none.printed = td_hints_one(&hints, 4);
    add(&c, 1);
    CU_ASSERT_EQUAL(sum.c[0].printed, c.printed);
    add(&none, 1);
    CU_ASSERT(sum.c[0].sampled.n == 5 && sum.c[0].sampled.squares == 600);
    CU_ASSERT_EQUAL(sum.c[0].printed, td_hints_unite(&hints, c.printed, none.printed));
    add(&c, 1);
    CU_ASSERT(sum.c[0].sampled.n == 10 && sum.c[0].sampled.squares == 1200 && sum.c[0].value == 100);
    forget();
}

/* ---- intervals in any order ----------------------------------------------------------- */

enum { COPIES = 600, INTERVALS = 4, NAMES = 200 /* each is there three times, in one group or in two */ };

/* The copy that an interval's belongs to: the first like it from where the one before was found, and not twice. */
static size_t model_find(const struct td_count *all, const bool *taken, size_t next, const struct td_count *like)
{
    for (size_t i = 0; i < COPIES; i++) {
        const size_t at = (next + i) % COPIES;

        if (!taken[at] && all[at].text == like->text && all[at].group == like->group)
            return at;
    }
    return COPIES;
}

/* So many that they are found by an index in the end. */
static void in_any_order(void)
{
    struct unit_random random = {20261126};
    static struct td_count c[COPIES];
    static double wanted[COPIES];
    size_t wrong = 0;

    for (uint32_t i = 0; i < COPIES; i++)
        c[i] = (struct td_count){.value = wanted[i] = i, .text = i % NAMES, .group = i % 2 && i >= 2 * NAMES};
    add(c, COPIES);
    for (size_t k = 1; k < INTERVALS; k++) {
        bool taken[COPIES] = {false};
        size_t next = 0;

        for (size_t i = COPIES; i-- > 1;) {
            const size_t other = unit_random_below(&random, i + 1);
            const struct td_count one = c[i];

            c[i] = c[other];
            c[other] = one;
        }
        for (size_t i = 0; i < COPIES; i++) {
            const size_t at = model_find(sum.c, taken, next, &c[i]);

            CU_ASSERT_FATAL(at < COPIES);
            taken[at] = true;
            next = at + 1;
            wanted[at] += c[i].value;
        }
        add(c, COPIES);
    }
    CU_ASSERT_EQUAL(sum.n, COPIES);
    for (size_t i = 0; i < COPIES; i++)
        wrong += sum.c[i].value != wanted[i] || sum.c[i].intervals != INTERVALS;
    CU_ASSERT_EQUAL(wrong, 0);
    c[0].group = 5; /* and one that is new */
    add(c, COPIES);
    CU_ASSERT(sum.n == COPIES + 1 && sum.c[COPIES].value == c[0].value && sum.c[COPIES].intervals == 1);
    forget();
}

/* ---- comparable ------------------------------------------------------------------------ */

/* Of 4 intervals: in all of them, in 2, in 1, in none; what follows the last is none of them. */
static void balance(void)
{
    struct td_count c[] = {
        {.value = 8, .err = 1, .enabled = 40, .running = 20, .intervals = 4},
        {.value = 8, .err = 1, .enabled = 20, .running = 10, .intervals = 2},
        {.value = 8, .err = 1, .enabled = 10, .running = 30, .intervals = 1},
        {.value = 8, .err = 1, .enabled = 10, .running = 10, .intervals = 0},
        {.value = 8, .err = 1, .enabled = 10, .running = 10, .intervals = 2, .sampled = {.any = true, .n = 3}},
        {.value = 8, .err = 1, .enabled = 10, .running = 10, .intervals = 9},
    };

    sum = (struct td_counts){.n = LENGTH(c) - 1, .c = c};
    td_counts_balance(&sum);
    CU_ASSERT_EQUAL(sum.balanced, 4);
    sum_is(0, 8, 1, 40, 20, 4);
    sum_is(1, 16, 2, 40, 10, 2);
    sum_is(2, 32, 4, 120, 30, 1); /* it ran for longer than its times say it was enabled */
    sum_is(3, 8, 1, 10, 10, 0);
    sum_is(4, 8, 2, 20, 10, 2); /* a sum of samples, of which a mean is taken */
    CU_ASSERT(c[5].value == 8 && c[5].err == 1 && c[5].enabled == 10);
    c[0].intervals = 2; /* the first in half of them: by now others have been scaled already */
    c[1].intervals = c[2].intervals = 4;
    td_counts_balance(&sum);
    CU_ASSERT_EQUAL(sum.balanced, 4);
    sum_is(0, 16, 2, 80, 20, 2);
    sum_is(1, 16, 2, 40, 10, 4);
    sum_is(2, 32, 4, 120, 30, 4);
    sum = (struct td_counts){.n = 0};
    td_counts_balance(&sum);
    CU_ASSERT_EQUAL(sum.balanced, 0);
}

/* ---- 8 bits ------------------------------------------------------------------------------ */

static const struct td_uarch *u;

static uint16_t event(const char *name)
{
    const int e = td_uarch_event_number(u, name);

    CU_ASSERT_FATAL(e >= 0);
    return (uint16_t)e;
}

#define SLOTS(slots, ...) \
    { \
        .event = event("TOPDOWN.SLOTS"), .value = (slots), __VA_ARGS__ \
    }
#define FIELD(name, slots, ...) \
    { \
        .event = event("topdown-" name), .value = (slots), __VA_ARGS__ \
    }

static void errors_are(struct td_count *c, size_t n, unsigned readers, const double *wanted, int line)
{
    CU_ASSERT_EQUAL(td_counts_quantise(&(struct td_counts){.n = n, .c = c}, u, readers), 0);
    for (size_t i = 0; i < n; i++)
        CU_assertImplementation(c[i].err == wanted[i], (unsigned)line, "error", __FILE__, "", CU_FALSE);
}

#define ERRORS(c, readers, ...) errors_are(c, LENGTH(c), readers, (const double[LENGTH(c)]){__VA_ARGS__}, __LINE__)

/* 510 slots: 2 for the 8 bits, and 1 for each reading. */
static void quantised(void)
{
    u = td_uarch_by_name("spr");
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    ERRORS(((struct td_count[]){SLOTS(510), FIELD("retiring", 100), FIELD("heavy-ops", 50)}), 1, 0, 3, 3);
    ERRORS(((struct td_count[]){FIELD("retiring", 100), SLOTS(510), {.event = TD_EVENT_UNKNOWN}}), 4, 6, 0, 0);
    /* in a sum of 3 intervals by 2 readings each; of one interval as of a sum of one */
    ERRORS(((struct td_count[]){SLOTS(510), FIELD("retiring", 100, .intervals = 3),
                                FIELD("be-bound", 7, .intervals = 1), FIELD("bad-spec", 7, .intervals = 2)}),
           2, 0, 8, 4, 6);
    /* what has an error keeps it; what was not counted has none */
    ERRORS(((struct td_count[]){SLOTS(510), FIELD("retiring", 100, .err = 9),
                                FIELD("be-bound", 0, .status = TD_NOT_COUNTED)}),
           1, 0, 9, 0);
    /* without slots, or where they were not counted: the sum of the four of level 1 */
    ERRORS(((struct td_count[]){FIELD("retiring", 255), FIELD("bad-spec", 255), FIELD("fe-bound", 51),
                                FIELD("be-bound", 459), FIELD("heavy-ops", 255), FIELD("mem-bound", 255)}),
           1, 5, 5, 5, 5, 5, 5);
    ERRORS(((struct td_count[]){SLOTS(0, .status = TD_NOT_COUNTED), FIELD("retiring", 255),
                                FIELD("be-bound", 765, .status = TD_COUNTER_RESET)}),
           1, 0, 2, 0);
    u = td_uarch_by_name("skl"); /* it has no such register */
    ERRORS(((struct td_count[]){{.event = event("INST_RETIRED.ANY"), .value = 510}}), 1, 0);
}

/* Each group by its own slots, 510 or 1020, wherever its copies are. */
static void quantised_by_group(void)
{
    u = td_uarch_by_name("spr");
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 1), FIELD("retiring", 1, .group = 1), SLOTS(1020, .group = 2),
                                FIELD("retiring", 1, .group = 2)}),
           1, 0, 3, 0, 5);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 2), FIELD("retiring", 1, .group = 2), SLOTS(1020, .group = 1),
                                FIELD("retiring", 1, .group = 1)}),
           1, 0, 3, 0, 5);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 1), SLOTS(1020, .group = 2), FIELD("retiring", 1, .group = 1)}), 1,
           0, 0, 3);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 2), SLOTS(1020, .group = 1), FIELD("retiring", 1, .group = 2)}), 1,
           0, 0, 3);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 1), SLOTS(1020, .group = 2), FIELD("retiring", 1, .group = 1),
                                FIELD("retiring", 1, .group = 2)}),
           1, 0, 0, 3, 5);
    ERRORS(((struct td_count[]){SLOTS(510, .modes = 1), SLOTS(1020, .modes = 2), FIELD("retiring", 1, .modes = 1),
                                FIELD("retiring", 1, .modes = 2)}),
           1, 0, 0, 3, 5);
}

/* What follows a group, or the last of them, is none of it: all but the last of these are counts. */
static void quantised_no_further(void)
{
    struct td_count rising[] = {{.value = 255}, {.value = 0}, {.value = 510}},
                    any[] = {{.value = 255, .group = 2}, {.value = 255, .group = 1}, {.value = 510, .group = 1}};

    u = td_uarch_by_name("spr");
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    for (size_t i = 0; i < LENGTH(rising); i++)
        rising[i].event = any[i].event = event(i == 0 ? "topdown-retiring" : "topdown-be-bound");
    errors_are(rising, 2, 1, (const double[]){2, 2}, __LINE__);
    CU_ASSERT_EQUAL(rising[2].err, 0);
    errors_are(any, 2, 1, (const double[]){2, 2}, __LINE__);
    CU_ASSERT_EQUAL(any[2].err, 0);
    ERRORS(((struct td_count[]){SLOTS(510, .group = 1), FIELD("retiring", 1, .group = 1),
                                FIELD("retiring", 1, .group = 2), SLOTS(1020, .group = 2)}),
           1, 0, 3, 5, 0);
}

static const CU_TestInfo tests[] = {
    {"room", room},
    {"room of readings", room_of_readings},
    {"sums by copies", by_copies},
    {"which intervals", which_intervals},
    {"intervals that are not known", unknown_intervals},
    {"latencies and hints", latencies_and_hints},
    {"intervals in any order", in_any_order},
    {"balanced", balance},
    {"quantised", quantised},
    {"quantised by group", quantised_by_group},
    {"quantised no further", quantised_no_further},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sums of counts", tests);
