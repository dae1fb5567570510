/* SPDX-License-Identifier: MIT */
/* What samples say of functions: small cases by hand, and a program in step with its samples. */
#include "tests/support/chance.h"
#include "tests/support/sampled_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups that take turns ------------------------------------------------------------------ */

/* A share of counts of several groups, which no interval has: 0.4 to 0.6 in 95 of 100 cases, so that its error is 0.1 /
 * 1.96. In 75 of 100 intervals it is known, each of which is off by sqrt(75) times that; it is by as much in the 25
 * others. With 99 of 100 cases the error counts 2.5758 times. A metric that is no share is not bounded. */
static void of_several_groups(void)
{
    static const double error = 0.1 / 1.96;
    const double value = 0.5, missed = 0.25 * error * sqrt(75);
    struct td_whole whole = {.value = value, .low = 0.4, .high = 0.6, .share = true, .apart = true};
    const struct td_smear smear = {.elsewhere = 0};
    struct td_stays stays = {.pure.n = 75};
    const struct td_delta_place p = {.intervals = 100, .stays = &stays};
    struct td_deltas all = {.metrics = 1};
    double low, high;

    CU_ASSERT_FATAL(
        !td_deltas_add(&all, &(struct td_delta){.began = sampled_place, .place = sampled_place, .value = &value}));
    CU_ASSERT_FATAL(!td_place_bounds(&all, &p, 0, &smear, &whole, 0.95, NULL, &low, &high));
    if (td_chance_available()) {
        CU_ASSERT_DOUBLE_EQUAL(low, 0.4 - missed, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(high, 0.6 + missed, 1e-4);
        CU_ASSERT_FATAL(!td_place_bounds(&all, &p, 0, &smear, &whole, 0.99, NULL, &low, &high));
        CU_ASSERT_DOUBLE_EQUAL(low, 0.4 - missed - (2.5758 - 1.96) * error, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(high, 0.6 + missed + (2.5758 - 1.96) * error, 1e-4);
    }
    whole.share = false;
    CU_ASSERT_FATAL(!td_place_bounds(&all, &p, 0, &smear, &whole, 0.95, NULL, &low, &high));
    CU_ASSERT(isnan(low) && isnan(high));
    td_deltas_free(&all);
}

/* ---- in step with the program -------------------------------------------------------------- */

static enum td_place_status status_at(double period, double *error)
{
    struct sampled_program p = {.functions = 3, .period = period, .leaf_stay = 1};
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sampled_sums sums[SAMPLED_PLACES] = {{0}};
    struct unit_random random = {5};
    struct sampled_run run;
    struct td_smear smear;

    for (size_t i = 0; i < p.functions; i++)
        p.function[i] =
            (struct sampled_function){.fraction = {i ? 0.1 : 0.7, 0.1, 0.1, i ? 0.7 : 0.1}, .stay = 50, .pace = 1};
    run = (struct sampled_run){.program = &p, .random = &random};
    sampled_places_run(&run, 1000, sampled_places_add, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &sampled_place[0]), &smear);
    *error = fabs(sampled_places_whole(&sums[0], 0).value - 0.7);
    td_deltas_free(&all);
    return smear.status;
}

/* Two functions in turns of 50 us: a sample each 100.5 us sees one of them for a hundred samples, a little later in its
 * turn each time. That looks like a long stay, a documented limit: a second period shows it. */
static void in_step(void)
{
    double error;

    CU_ASSERT_EQUAL(status_at(100.5, &error), TD_PLACE_OK);
    CU_ASSERT(error > 0.25);
    CU_ASSERT_EQUAL(status_at(150, &error), TD_PLACE_SMEARED);
    CU_ASSERT_EQUAL(status_at(5, &error), TD_PLACE_OK);
    CU_ASSERT(error < 0.01);
}

/* ---- by hand ---------------------------------------------------------------------------------- */

/* Puts a course of samples, a letter each, '-': the beginning of what follows is not known. Each delta has 100 slots
 * and the values 0.25 where it is pure, and 0.75. */
static void put_course(struct td_deltas *all, uint32_t course, const char *samples)
{
    static const char letters[128];

    for (size_t i = 1; samples[i]; i++) {
        const double value = samples[i] == samples[i - 1] ? 0.25 : 0.75;
        const void *began = samples[i - 1] == '-' ? NULL : &letters[(unsigned char)samples[i - 1]];

        if (samples[i] != '-')
            CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.course = course,
                                                                   .began = began,
                                                                   .place = &letters[(unsigned char)samples[i]],
                                                                   .weight = 100,
                                                                   .seconds = 0.001,
                                                                   .restored = (double)i,
                                                                   .value = &value}));
    }
    for (size_t i = 0; i < all->n; i++)
        CU_ASSERT_PTR_EQUAL(td_deltas_find(all, all->place[i].place), &all->place[i]);
}

/* a: ends at samples 2, 4, 5, 6, 8; began at 1, 2, 4, 5, 6. Triples a?a: 1-3 (a a b: none), 2-4 (aba: returns), 4-6,
 * 6-8 (aba). */
static void counted_by_hand(void)
{
    struct td_deltas all = {.metrics = 1};
    const struct td_delta_place *a;

    put_course(&all, 0, "aabaaaba");
    a = &all.place[0];
    CU_ASSERT_EQUAL(all.n, 2);
    CU_ASSERT_EQUAL(all.intervals, 7);
    CU_ASSERT_EQUAL(a->intervals, 5);
    CU_ASSERT_EQUAL(a->began, 5);
    CU_ASSERT_EQUAL(td_stays_of(a)->pure.n, 3);
    CU_ASSERT_EQUAL(td_stays_of(a)->triples, 3);
    CU_ASSERT_EQUAL(td_stays_of(a)->returns, 2);
    CU_ASSERT_EQUAL(a->slots, 500);
    CU_ASSERT_EQUAL(td_stays_of(a)->pure.slots, 300);
    CU_ASSERT_EQUAL(td_stays_of(a)->pure.restored, 100 * (1 + 4 + 5));
    CU_ASSERT_DOUBLE_EQUAL(td_place_naive(&all, a, 0), (3 * 0.25 + 2 * 0.75) / 5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.seconds, 0.007, 1e-12);
    td_deltas_free(&all);
}

/* Nothing is said over a hole, and no triple goes over one or from one course to another. */
static void holes_and_courses(void)
{
    struct td_deltas all = {.metrics = 1};

    put_course(&all, 0, "ab");
    put_course(&all, 40, "aa");
    put_course(&all, 0, "-a-a");
    CU_ASSERT_EQUAL(all.intervals, 2);
    CU_ASSERT_EQUAL(all.unknown, 2);
    CU_ASSERT_EQUAL(all.unknown_slots, 200);
    CU_ASSERT_EQUAL(all.place[0].intervals, 1);
    put_course(&all, 1, "aa-aa");
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->pure.n, 3);
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->triples, 0);
    td_deltas_free(&all);
}

/* 100 pure intervals, 20 or 40 % by chance: the mean's standard error is 1 point, Student's t of 99 degrees 1.98. What
 * may hide is (1 + 1.645) of 99 + 2 triples, 2.62 %, odds of 0.0269: of 70 % more, and of 30 % less. */
static void bounds_by_hand(void)
{
    const struct td_whole whole = {.value = 0.3, .low = 0.29, .high = 0.31, .share = true};
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct td_deltas all = {.metrics = 1};
    struct unit_random random = {9};
    struct td_smear smear;
    double low, high;

    for (int i = 0; i < 100; i++) {
        const double value = unit_random_below(&random, 2) ? 0.2 : 0.4;

        CU_ASSERT_FATAL(!td_deltas_add(
            &all,
            &(struct td_delta){
                .began = sampled_place, .place = sampled_place, .weight = 2, .seconds = (double)NAN, .value = &value}));
    }
    td_smear_of(&all, &all.place[0], &smear);
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->triples, 99);
    CU_ASSERT_FATAL(!td_place_bounds(&all, &all.place[0], 0, &smear, &whole, 0.95, chance, &low, &high));
    if (chance) {
        CU_ASSERT_DOUBLE_EQUAL(low, 0.29 - 0.0198 - 0.7 * 0.0269, 0.002);
        CU_ASSERT_DOUBLE_EQUAL(high, 0.31 + 0.0198 + 0.3 * 0.0269, 0.002);
    } else {
        CU_ASSERT(isnan(low) && isnan(high));
    }
    td_chance_free(chance);
    td_deltas_free(&all);
}

/* The same of what is no share: 2 or 4 by chance, and what hides is at most the 10 of another place. It is never below
 * 0, unless its formula says so. */
static void bounds_of_others(void)
{
    static const struct {
        double value, low, high, lowest;
    } rows[] = {{3, 2.9, 3.1, 2.9 - 0.198 - 7 * 0.0269}, {0.1, 0.05, 0.2, 0}, {-0.1, -0.2, 0.1, -0.2}};
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct td_deltas all = {.metrics = 1};
    struct unit_random random = {9};
    struct td_smear smear;
    double low, high, value = 10;

    for (int i = 0; i < 100; i++) {
        const double here = unit_random_below(&random, 2) ? 2 : 4;

        CU_ASSERT_FATAL(!td_deltas_add(
            &all,
            &(struct td_delta){
                .began = sampled_place, .place = sampled_place, .weight = 2, .seconds = (double)NAN, .value = &here}));
    }
    CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){.course = 1,
                                                            .began = &sampled_place[1],
                                                            .place = &sampled_place[1],
                                                            .weight = 2,
                                                            .seconds = (double)NAN,
                                                            .value = &value}));
    td_smear_of(&all, &all.place[0], &smear);
    for (size_t i = 0; chance && i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_whole whole = {.value = rows[i].value, .low = rows[i].low, .high = rows[i].high};

        CU_ASSERT_FATAL(!td_place_bounds(&all, &all.place[0], 0, &smear, &whole, 0.95, chance, &low, &high));
        CU_ASSERT_DOUBLE_EQUAL(low, rows[i].lowest, i ? 0 : 0.02);
        CU_ASSERT_DOUBLE_EQUAL(high, rows[i].high + 0.198 + rows[i].value * 0.0269, 0.02);
    }
    td_chance_free(chance);
    td_deltas_free(&all);
}

/* n pure intervals as above, and a quarter as many that end there: what is in no pure one, a fifth, may differ by a
 * standard deviation, 10 points. Many are put together in chunks, which scatter less. */
static void edges_of(int n, struct td_chance *chance)
{
    const struct td_whole whole = {.value = 0.3, .low = 0.29, .high = 0.31, .share = true};
    const double hides = (1 + 1.645) / n, reach = 2 * 0.1 / sqrt(n), edge = 0.2 * 0.1;
    struct td_deltas all = {.metrics = 1};
    struct unit_random random = {9};
    struct td_smear smear;
    double low, high;

    for (int i = 0; i < n + n / 4; i++) {
        const double value = i >= n ? 0.9 : unit_random_below(&random, 2) ? 0.2 : 0.4;

        CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){.course = i < n ? 0 : (uint32_t)(i - n + 1),
                                                                .began = &sampled_place[i >= n],
                                                                .place = sampled_place,
                                                                .weight = 2,
                                                                .seconds = (double)NAN,
                                                                .value = &value}));
    }
    td_smear_of(&all, &all.place[0], &smear);
    CU_ASSERT_FATAL(!td_place_bounds(&all, &all.place[0], 0, &smear, &whole, 0.95, chance, &low, &high));
    CU_ASSERT_DOUBLE_EQUAL(low, 0.29 - reach - edge - 0.7 * hides, 0.004);
    CU_ASSERT_DOUBLE_EQUAL(high, 0.31 + reach + edge + 0.3 * hides, 0.004);
    td_deltas_free(&all);
}

static void edges_by_hand(void)
{
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;

    if (chance) {
        edges_of(100, chance);
        edges_of(4096, chance);
    }
    td_chance_free(chance);
}

/* More pure deltas than chunks: their sums stay. */
static void many_chunks(void)
{
    struct td_deltas all = {.metrics = 1};
    struct td_weighed sum = {0, 0};
    const struct td_pure_deltas *p;

    for (int i = 0; i < 1001; i++) {
        const double value = i / 1000.0;

        CU_ASSERT_FATAL(!td_deltas_add(
            &all,
            &(struct td_delta){
                .began = sampled_place, .place = sampled_place, .weight = 2, .seconds = (double)NAN, .value = &value}));
    }
    p = &td_stays_of(&all.place[0])->pure;
    CU_ASSERT_EQUAL(p->each, 4);
    CU_ASSERT_EQUAL(p->chunks, 251);
    for (size_t i = 0; i < p->chunks; i++) {
        sum.weight += td_pure_chunk(p, i, 0).weight;
        sum.sum += td_pure_chunk(p, i, 0).sum;
    }
    CU_ASSERT_EQUAL(sum.weight, 2002);
    CU_ASSERT_DOUBLE_EQUAL(sum.sum, 1001, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(td_pure_chunk(p, 0, 0).sum, 2 * 0.006, 1e-12);
    td_deltas_free(&all);
}

static struct td_smear smear_of(uint64_t intervals, uint64_t began, struct td_stays stays)
{
    const struct td_delta_place p = {.intervals = intervals, .began = began, .stays = &stays};
    const struct td_deltas all = {.intervals = 1000};
    struct td_smear s;

    td_smear_of(&all, &p, &s);
    return s;
}

/* (returns + 2) / (triples + 3) <= 1 / 8. */
static void smear_by_hand(void)
{
    struct td_smear s = smear_of(20, 20, (struct td_stays){.pure = {.n = 15}, .triples = 13});

    CU_ASSERT_EQUAL(s.status, TD_PLACE_OK);
    CU_ASSERT_DOUBLE_EQUAL(s.stay, 0.75, 1e-12);
    s = smear_of(20, 20, (struct td_stays){.pure = {.n = 15}, .triples = 12});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 22); /* 12 * k + 3 = 16: k = 13 / 12 */
    s = smear_of(4, 4, (struct td_stays){.pure = {.n = 4}, .triples = 13});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 8);
    s = smear_of(3, 2, (struct td_stays){.triples = 0});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 0);
    /* two functions in random turns, e = exp(-distance / turn) = 0.24 now: 1 return in 16 is where (1 - e)^2 = (1 +
     * e)^2 / 15, e = 0.590 */
    s = smear_of(500, 500, (struct td_stays){.pure = {.n = 310}, .triples = 250, .returns = 68});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    CU_ASSERT_FALSE(s.at_least);
    CU_ASSERT_DOUBLE_EQUAL(s.rate, log(0.24) / log(0.590), 0.01);
    s = smear_of(500, 500, (struct td_stays){.pure = {.n = 250}, .triples = 250, .returns = 125});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    CU_ASSERT_TRUE(s.at_least);
    CU_ASSERT(s.rate > 3);
}

/* So many pairs of samples in two places, a letter each. */
static void put_pairs(struct td_deltas *all, const char *places, int n)
{
    static const char letters[128];
    const double value = 0.5;

    for (int i = 0; i < n; i++)
        CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.kind = TD_DELTA_SHORT,
                                                               .began = &letters[(unsigned char)places[0]],
                                                               .place = &letters[(unsigned char)places[1]],
                                                               .weight = 1,
                                                               .seconds = 1e-6,
                                                               .value = &value}));
}

/* a calls b for a short time; c comes in longer turns. Of a's 15 moves to b, 18 in 20 leave b soon: 13.5, and 14 come
 * from there to a. Of its 5 to c, 3 in 43: 0.349. Triples: these and 80 in 100 of the 80 pure ones. */
static void smear_of_pairs(void)
{
    struct td_deltas all = {.metrics = 1};
    const double returns = 13.5 + 15.0 / 43, triples = returns + 64;
    struct td_smear s;

    put_pairs(&all, "aa", 80);
    put_pairs(&all, "ab", 15);
    put_pairs(&all, "ac", 5);
    put_pairs(&all, "ba", 14);
    put_pairs(&all, "bb", 2);
    put_pairs(&all, "bc", 4);
    put_pairs(&all, "ca", 3);
    put_pairs(&all, "cc", 40);
    td_smear_of(&all, &all.place[0], &s);
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    CU_ASSERT_TRUE(s.pairs);
    CU_ASSERT_DOUBLE_EQUAL(s.stay, 0.8, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, (returns + 1 + 1.645 * sqrt(returns + 1)) / (triples + 2), 1e-9);
    CU_ASSERT_EQUAL(all.intervals, 163);
    put_pairs(&all, "aa", 100); /* returns: 13.849 of 175.849 */
    td_smear_of(&all, &all.place[0], &s);
    CU_ASSERT_EQUAL(s.status, TD_PLACE_OK);
    put_pairs(&all, "ba", 20); /* more come from b than go there, and more leave it: 15 * 38 / 40 */
    td_smear_of(&all, &all.place[0], &s);
    CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, (15.6 + 1.645 * sqrt(15.6)) / (14.6 + 162 + 2), 1e-3);
    td_deltas_free(&all);
}

/* Few of those that leave come back: what is seen to come from there is the most. */
static void few_come_back(void)
{
    struct td_deltas all = {.metrics = 1};
    struct td_smear s;

    put_pairs(&all, "aa", 100);
    put_pairs(&all, "ab", 50);
    put_pairs(&all, "bc", 100);
    put_pairs(&all, "ba", 1);
    td_smear_of(&all, &all.place[0], &s);
    CU_ASSERT_EQUAL(s.status, TD_PLACE_OK);
    CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, (2 + 1.645 * sqrt(2)) / (1 + 10000.0 / 150 + 2), 1e-9);
    td_smear_of(&all, &all.place[2], &s); /* none begins there: nothing is known */
    CU_ASSERT_EQUAL(s.elsewhere, 1);
    td_deltas_free(&all);
}

/* What lies between pairs has weight only. */
static void rest_of_pairs(void)
{
    struct td_deltas all = {.metrics = 1};
    const double value = 1;

    put_pairs(&all, "aa", 10);
    CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){.kind = TD_DELTA_REST,
                                                            .began = all.place[0].place,
                                                            .place = all.place[0].place,
                                                            .weight = 90,
                                                            .seconds = 1,
                                                            .value = &value}));
    CU_ASSERT_EQUAL(all.intervals, 10);
    CU_ASSERT_EQUAL(all.slots, 100);
    CU_ASSERT_EQUAL(all.place[0].slots, 100);
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->pure.n, 10);
    CU_ASSERT_EQUAL(all.place[0].began, 10);
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->pure.slots, 10);
    CU_ASSERT_DOUBLE_EQUAL(td_place_naive(&all, &all.place[0], 0), 0.95, 1e-12);
    td_deltas_free(&all);
}

/* Ten times as many samples at that rate, and it is resolved: the rate that is advised holds in the model. */
static void advised_rate(void)
{
    struct sampled_program p = {.functions = 3, .law = SAMPLED_EXPONENTIAL, .period = 100, .leaf_stay = 1};
    struct sampled_sums sums[SAMPLED_PLACES] = {{0}};
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct unit_random random = {77};
    struct sampled_run run;
    struct td_smear smear;

    for (size_t i = 0; i < p.functions; i++)
        p.function[i] = (struct sampled_function){.fraction = {0.25, 0.25, 0.25, 0.25}, .stay = 120, .pace = 1};
    run = (struct sampled_run){.program = &p, .random = &random};
    sampled_places_run(&run, 3000, sampled_places_add, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &sampled_place[0]), &smear);
    CU_ASSERT_EQUAL(smear.status, TD_PLACE_SMEARED);
    td_deltas_free(&all);
    p.period /= smear.rate;
    run = (struct sampled_run){.program = &p, .random = &random};
    sampled_places_run(&run, 10000, sampled_places_add, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &sampled_place[0]), &smear);
    CU_ASSERT_EQUAL(smear.status, TD_PLACE_OK);
    td_deltas_free(&all);
}

static const CU_TestInfo tests[] = {
    {"a period in step with the program is shown by a second one", in_step},
    {"intervals, pure ones, triples and returns, counted by hand", counted_by_hand},
    {"holes and courses", holes_and_courses},
    {"bounds by hand", bounds_by_hand},
    {"bounds of what is no share", bounds_of_others},
    {"bounds of what is in no pure interval", edges_by_hand},
    {"bounds of what several groups counted in turns", of_several_groups},
    {"more pure intervals than chunks", many_chunks},
    {"which places are smeared, which have few samples", smear_by_hand},
    {"which places are smeared, by pairs", smear_of_pairs},
    {"places that few come back to", few_come_back},
    {"what lies between pairs", rest_of_pairs},
    {"the rate that is advised resolves", advised_rate},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("functions", tests);
