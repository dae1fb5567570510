/* SPDX-License-Identifier: MIT */
/* What samples say of functions: programs whose truth is known, and small cases by hand. */
#include "stats/place_bounds.h"
#include "tests/support/chance.h"
#include "tests/support/sampled_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs by chance ------------------------------------------------------------------- */

/* Classes of functions: by the length of their turns in sampling intervals, and by the pure intervals that they have. */
static const double stays[] = {0, 1, 2, 4, 10, 100, INFINITY}, pures[] = {0, 50, 200, INFINITY};
enum { STAYS = sizeof(stays) / sizeof(*stays) - 1, PURES = sizeof(pures) / sizeof(*pures) - 1, VALUES = 40000 };

struct tally {
    unsigned long functions, given, right; /* given: with an estimate; right: the truth of all four nodes is within its bounds */
    double squares, naive; /* of the errors of estimates, and of the means of all intervals that end there, pure or not */
    double width[VALUES]; /* of the bounds of single nodes */
    size_t widths;
};
static struct tally tallies[STAYS][PURES];

static size_t class_of(double value, const double *limits)
{
    size_t i = 0;

    while (value >= limits[i + 1])
        i++;
    return i;
}

/* The sums of a function's pure deltas. */
struct sums {
    double slots, count[SAMPLED_NODES], sum;
};

/* Fields are cut off: the truth is 0 to 1 of 255 above what they show. */
static struct td_whole whole_of(const struct sums *s, size_t node)
{
    const double least = s->count[node] / s->slots;

    return (struct td_whole){.value = s->count[node] / s->sum, .low = least, .high = least + 1.0 / 255, .share = true};
}

static const char places[SAMPLED_FUNCTIONS];

static void add_delta(struct td_deltas *all, const struct sampled_delta *d, struct sums *sums)
{
    double value[SAMPLED_NODES], sum = 0;

    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += d->count[i];
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        value[i] = d->count[i] / sum;
    CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.began = &places[d->began], .place = &places[d->ended], .weight = d->slots, .seconds = 1e-4, .value = value}));
    if (d->began != d->ended)
        return;
    sums[d->began].slots += d->slots;
    sums[d->began].sum += sum;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sums[d->began].count[i] += d->count[i];
}

/* How long it runs without a break, in sampling intervals. */
static double stay_of(const struct sampled_program *p, size_t f)
{
    const struct sampled_function *it = &p->function[f];
    double stay = it->stay;

    if (f + 1 == p->functions)
        stay = p->leaf_stay;
    else if (it->leaf > 0)
        stay = fmin(stay, p->leaf_stay * (1 - it->leaf) / it->leaf);
    return stay * it->pace / p->period;
}

/* Whether the truth is within the bounds of all its nodes. */
static bool judge_values(const struct td_deltas *all, const struct td_place *place, const struct td_smear *smear, const struct sums *sums,
                         const double *truth, struct td_chance *chance, struct tally *t)
{
    bool right = true;

    for (size_t i = 0; i < SAMPLED_NODES; i++) {
        const struct td_whole whole = whole_of(sums, i);
        double low, high;

        CU_ASSERT_FATAL(!td_place_bounds(all, place, i, smear, &whole, 0.95, chance, &low, &high));
        right = right && low <= truth[i] && truth[i] <= high;
        t->squares += pow(whole.value - truth[i], 2);
        t->naive += pow(td_place_naive(place, i) - truth[i], 2);
        if (t->widths < VALUES)
            t->width[t->widths++] = high - low;
    }
    return right;
}

static void judge(const struct td_deltas *all, const struct td_place *place, const struct sums *sums, const struct sampled_run *run, size_t f, struct td_chance *chance)
{
    struct tally *t = &tallies[class_of(stay_of(run->program, f), stays)][class_of((double)place->pure, pures)];
    double truth[SAMPLED_NODES], sum = 0;
    struct td_smear smear;

    td_smear_of(all, place, &smear);
    t->functions++;
    if (smear.status != TD_PLACE_OK)
        return;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += run->true_count[f][i];
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        truth[i] = run->true_count[f][i] / sum;
    t->given++;
    t->right += judge_values(all, place, &smear, sums, truth, chance, t);
}

static void sample(const struct sampled_program *p, unsigned long samples, struct unit_random *random, struct sampled_run *run, struct td_deltas *all, struct sums *sums)
{
    struct sampled_delta d;

    *run = (struct sampled_run){.program = p, .random = random};
    for (unsigned long i = 0; i < samples; i++) {
        sampled_run_next(run, &d);
        add_delta(all, &d, sums);
    }
}

static void run_program(struct unit_random *random, struct td_chance *chance)
{
    const unsigned long samples = (unsigned long)(300 * exp(log(20) * unit_random_ratio(random)));
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sums sums[SAMPLED_FUNCTIONS] = {{0}};
    struct sampled_program program;
    struct sampled_run run;

    sampled_program_make(random, exp(log(10000) * unit_random_ratio(random)), &program);
    sample(&program, samples, random, &run, &all, sums);
    for (size_t f = 0; f < program.functions; f++) {
        const struct td_place *place = td_deltas_find(&all, &places[f]);

        if (place)
            judge(&all, place, &sums[f], &run, f, chance);
    }
    td_deltas_free(&all);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double median_width(struct tally *t)
{
    qsort(t->width, t->widths, sizeof(*t->width), by_size);
    return t->widths ? t->width[t->widths / 2] : 0;
}

/* The table of the manual. */
static void print_row(size_t stay, size_t pure)
{
    struct tally *t = &tallies[stay][pure];
    const double values = SAMPLED_NODES * (double)t->given;

    if (t->functions)
        printf("  stay %3g .. %3g, pure %3g .. %3g: %5lu functions, %5.1f %% with an estimate, %5.1f %% right; error %4.1f, of all intervals %4.1f, width %4.1f points\n",
               stays[stay], stays[stay + 1], pures[pure], pures[pure + 1], t->functions, 100 * (double)t->given / (double)t->functions,
               100 * (double)t->right / (double)t->given, 100 * sqrt(t->squares / values), 100 * sqrt(t->naive / values), 100 * median_width(t));
}

/* Functions whose stays are over four intervals. */
static void check_long(void)
{
    unsigned long functions = 0, given = 0, widths = 0, narrow = 0;

    for (size_t i = class_of(4, stays); i < STAYS; i++)
        for (size_t k = class_of(50, pures); k < PURES; k++) {
            functions += tallies[i][k].functions;
            given += tallies[i][k].given;
            widths += tallies[i][k].widths;
            for (size_t w = 0; w < tallies[i][k].widths; w++)
                narrow += tallies[i][k].width[w] <= 0.06;
        }
    CU_ASSERT(2 * narrow > widths);
    CU_ASSERT(functions > 0);
    CU_ASSERT((double)given >= (0.9 - chance_open(90, functions) / 100) * (double)functions);
}

static void thousand_programs(void)
{
    const unsigned long programs = unit_long_rounds(1000);
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct unit_random random = {12345};
    unsigned long given = 0, right = 0;

    for (unsigned long i = 0; chance && i < programs; i++)
        run_program(&random, chance);
    td_chance_free(chance);
    for (size_t i = 0; chance && i < STAYS; i++)
        for (size_t k = 0; k < PURES; k++) {
            given += tallies[i][k].given;
            right += tallies[i][k].right;
            if (programs >= 1000)
                print_row(i, k);
        }
    if (!chance)
        return;
    CU_ASSERT(given > 2 * programs / 3);
    CU_ASSERT((double)right >= (0.95 - chance_open(95, given) / 100) * (double)given);
    check_long();
}

/* ---- in step with the program -------------------------------------------------------------- */

static enum td_place_status status_at(double period, double *error)
{
    struct sampled_program p = {.functions = 3, .period = period, .leaf_stay = 1};
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sums sums[SAMPLED_FUNCTIONS] = {{0}};
    struct unit_random random = {5};
    struct sampled_run run;
    struct td_smear smear;

    for (size_t i = 0; i < p.functions; i++)
        p.function[i] = (struct sampled_function){.fraction = {i ? 0.1 : 0.7, 0.1, 0.1, i ? 0.7 : 0.1}, .stay = 50, .pace = 1};
    sample(&p, 1000, &random, &run, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &places[0]), &smear);
    *error = fabs(whole_of(&sums[0], 0).value - 0.7);
    td_deltas_free(&all);
    return smear.status;
}

/* Two functions in turns of 50 us: a sample each 100.5 us sees one of them for a hundred samples, a little later in its turn each
 * time. That looks like a long stay, a documented limit: a second period shows it. */
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

/* Puts a course of samples, a letter each, '-': the beginning of what follows is not known. Each delta has 100 slots and
 * the values 0.25 where it is pure, and 0.75. */
static void put_course(struct td_deltas *all, uint32_t course, const char *samples)
{
    static const char letters[128];

    for (size_t i = 1; samples[i]; i++) {
        const double value = samples[i] == samples[i - 1] ? 0.25 : 0.75;
        const void *began = samples[i - 1] == '-' ? NULL : &letters[(unsigned char)samples[i - 1]];

        if (samples[i] != '-')
            CU_ASSERT_FATAL(!td_deltas_add(all, &(struct td_delta){.course = course, .began = began, .place = &letters[(unsigned char)samples[i]], .weight = 100, .seconds = 0.001, .value = &value}));
    }
    for (size_t i = 0; i < all->n; i++)
        CU_ASSERT_PTR_EQUAL(td_deltas_find(all, all->place[i].place), &all->place[i]);
}

/* a: ends at samples 2, 4, 5, 6, 8; began at 1, 2, 4, 5, 6. Triples a?a: 1-3 (a a b: none), 2-4 (aba: returns), 4-6, 6-8 (aba). */
static void counted_by_hand(void)
{
    struct td_deltas all = {.metrics = 1};
    const struct td_place *a;

    put_course(&all, 0, "aabaaaba");
    a = &all.place[0];
    CU_ASSERT_EQUAL(all.n, 2);
    CU_ASSERT_EQUAL(all.intervals, 7);
    CU_ASSERT_EQUAL(a->intervals, 5);
    CU_ASSERT_EQUAL(a->began, 5);
    CU_ASSERT_EQUAL(a->pure, 3);
    CU_ASSERT_EQUAL(a->triples, 3);
    CU_ASSERT_EQUAL(a->returns, 2);
    CU_ASSERT_EQUAL(a->slots, 500);
    CU_ASSERT_EQUAL(a->pure_slots, 300);
    CU_ASSERT_DOUBLE_EQUAL(td_place_naive(a, 0), (3 * 0.25 + 2 * 0.75) / 5, 1e-12);
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
    CU_ASSERT_EQUAL(all.place[0].pure, 3);
    CU_ASSERT_EQUAL(all.place[0].triples, 0);
    td_deltas_free(&all);
}

/* 100 pure intervals, 20 or 40 % by chance: the mean's standard error is 1 point, Student's t of 99 degrees 1.98. What may hide is
 * (1 + 1.645) of 99 + 2 triples, 2.62 %, odds of 0.0269: of 70 % more, and of 30 % less. */
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

        CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){.began = places, .place = places, .weight = 2, .seconds = (double)NAN, .value = &value}));
    }
    td_smear_of(&all, &all.place[0], &smear);
    CU_ASSERT_EQUAL(all.place[0].triples, 99);
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

/* More pure deltas than chunks: their sums stay. */
static void many_chunks(void)
{
    struct td_deltas all = {.metrics = 1};
    struct td_weighed sum = {0, 0};
    const struct td_place *p;

    for (int i = 0; i < 1001; i++) {
        const double value = i / 1000.0;

        CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){.began = places, .place = places, .weight = 2, .seconds = (double)NAN, .value = &value}));
    }
    p = &all.place[0];
    CU_ASSERT_EQUAL(p->each, 4);
    CU_ASSERT_EQUAL(p->chunks, 251);
    for (size_t i = 0; i < p->chunks; i++) {
        sum.weight += p->chunk[i].weight;
        sum.sum += p->chunk[i].sum;
    }
    CU_ASSERT_EQUAL(sum.weight, 2002);
    CU_ASSERT_DOUBLE_EQUAL(sum.sum, 1001, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p->chunk[0].sum, 2 * 0.006, 1e-12);
    td_deltas_free(&all);
}

static struct td_smear smear_of(struct td_place p)
{
    const struct td_deltas all = {.intervals = 1000};
    struct td_smear s;

    td_smear_of(&all, &p, &s);
    return s;
}

/* (returns + 2) / (triples + 3) <= 1 / 8. */
static void smear_by_hand(void)
{
    struct td_smear s = smear_of((struct td_place){.intervals = 20, .began = 20, .pure = 15, .triples = 13});

    CU_ASSERT_EQUAL(s.status, TD_PLACE_OK);
    CU_ASSERT_DOUBLE_EQUAL(s.stay, 0.75, 1e-12);
    s = smear_of((struct td_place){.intervals = 20, .began = 20, .pure = 15, .triples = 12});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 22); /* 12 * k + 3 = 16: k = 13 / 12 */
    s = smear_of((struct td_place){.intervals = 4, .began = 4, .pure = 4, .triples = 13});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 8);
    s = smear_of((struct td_place){.intervals = 3, .began = 2});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(s.needed, 0);
    /* two functions in random turns, e = exp(-distance / turn) = 0.24 now: 1 return in 16 is where (1 - e)^2 = (1 + e)^2 / 15, e = 0.590 */
    s = smear_of((struct td_place){.intervals = 500, .began = 500, .pure = 310, .triples = 250, .returns = 68});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    CU_ASSERT_FALSE(s.at_least);
    CU_ASSERT_DOUBLE_EQUAL(s.rate, log(0.24) / log(0.590), 0.01);
    s = smear_of((struct td_place){.intervals = 500, .began = 500, .pure = 250, .triples = 250, .returns = 125});
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    CU_ASSERT_TRUE(s.at_least);
    CU_ASSERT(s.rate > 3);
}

/* Ten times as many samples at that rate, and it is resolved: the rate that is advised holds in the model. */
static void advised_rate(void)
{
    struct sampled_program p = {.functions = 3, .law = SAMPLED_EXPONENTIAL, .period = 100, .leaf_stay = 1};
    struct sums sums[SAMPLED_FUNCTIONS] = {{0}};
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct unit_random random = {77};
    struct sampled_run run;
    struct td_smear smear;

    for (size_t i = 0; i < p.functions; i++)
        p.function[i] = (struct sampled_function){.fraction = {0.25, 0.25, 0.25, 0.25}, .stay = 120, .pace = 1};
    sample(&p, 3000, &random, &run, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &places[0]), &smear);
    CU_ASSERT_EQUAL(smear.status, TD_PLACE_SMEARED);
    td_deltas_free(&all);
    p.period /= smear.rate;
    sample(&p, 10000, &random, &run, &all, sums);
    td_smear_of(&all, td_deltas_find(&all, &places[0]), &smear);
    CU_ASSERT_EQUAL(smear.status, TD_PLACE_OK);
    td_deltas_free(&all);
}

static const CU_TestInfo tests[] = {
    {"1,000 programs by chance: the truth is within the bounds", thousand_programs},
    {"a period in step with the program is shown by a second one", in_step},
    {"intervals, pure ones, triples and returns, counted by hand", counted_by_hand},
    {"holes and courses", holes_and_courses},
    {"bounds by hand", bounds_by_hand},
    {"more pure intervals than chunks", many_chunks},
    {"which places are smeared, which have few samples", smear_by_hand},
    {"the rate that is advised resolves", advised_rate},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("functions", tests);
