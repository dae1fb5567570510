/* SPDX-License-Identifier: MIT */
/* What samples say of functions, of programs by chance whose truth is known: samples at one distance, and in pairs. */
#include "tests/support/chance.h"
#include "tests/support/sampled_places.h"
#include "tests/support/sampled_threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- ways to sample ----------------------------------------------------------------------- */

/* In microseconds. Pairs are half as many, so that there are as many samples per second; 10,000 cycles of 3 GHz apart.
 */
static const struct scheme {
    const char *name;
    double period, distance;
    double unit; /* what a stay is measured by */
    bool chains; /* functions with what they call, by call chains */
    bool varies; /* the period, as by tdprobe record */
} schemes[] = {
    {"one distance", 100, 0, 100, false, false},
    {"pairs", 200, 10 / 3.0, 10 / 3.0, false, false},
    {"one distance, call chains", 100, 0, 100, true, false},
    {"pairs, call chains", 200, 10 / 3.0, 10 / 3.0, true, false},
    {"a distance that varies", 100, 0, 100, false, true},
    {"a distance that varies, call chains", 100, 0, 100, true, true},
};
enum { SCHEMES = sizeof(schemes) / sizeof(*schemes), VARYING = 4 /* the first that varies */, VALUES = 40000 };

/* Classes of functions: by the length of their turns in these units, by the pure intervals that they have; or by the
 * turns in microseconds. */
static const double stays[] = {0, 1, 2, 4, 10, 100, INFINITY}, pures[] = {0, 50, 200, INFINITY},
                    times[] = {0, 3, 10, 30, 100, 400, 1000, INFINITY};
enum {
    STAYS = sizeof(stays) / sizeof(*stays) - 1,
    PURES = sizeof(pures) / sizeof(*pures) - 1,
    TIMES = sizeof(times) / sizeof(*times) - 1
};

struct tally {
    /* given: with an estimate; right: the truth of all four nodes is within its bounds */
    unsigned long functions, given, right;
    /* of the errors of estimates, and of the means of all intervals that end there, pure or not */
    double squares, naive;
    double pure; /* intervals */
    double width[VALUES]; /* of the bounds of single nodes */
    size_t widths;
};
static struct tally by_thread[SCHEMES];

/* What is told apart on CPUs that threads share: of threads with a visited one, that one. */
static const struct place_of_threads {
    const char *name;
    bool visited, functions, in_step;
} places_of_threads[] = {
    {"threads", false, false, false},
    {"functions of threads", false, true, false},
    {"a thread in long turns", true, false, false},
    {"functions of such a thread", true, true, false},
    {"functions in step", false, true, true},
    {"functions in step of a thread in long turns", true, true, true},
};
enum { PLACES = sizeof(places_of_threads) / sizeof(*places_of_threads) };
/* of a fixed period and of one that varies: not recorded, and recorded */
static struct tally by_switches[2][PLACES][2];
static struct tally by_stay[SCHEMES][STAYS][PURES], by_time[SCHEMES][TIMES];

static size_t class_of(double value, const double *limits)
{
    size_t i = 0;

    while (value >= limits[i + 1])
        i++;
    return i;
}

/* How long a function runs without a break, in microseconds of the sampled event's usual pace. */
static double stay_of(const struct sampled_program *p, size_t f)
{
    const struct sampled_function *it = &p->function[f];
    double stay = it->stay;

    if (f + 1 == p->functions)
        stay = p->leaf_stay;
    else if (it->leaf > 0)
        stay = fmin(stay, p->leaf_stay * (1 - it->leaf) / it->leaf);
    return stay * it->pace;
}

/* How many turns in a row the driver has. */
static double turns_in_a_row(const struct sampled_program *p, double driven)
{
    const double turning = (double)p->functions - 1;

    return p->random_turns ? (turning - 1) / (turning - driven) : driven;
}

/* The same of all turns that the driver has in a row. */
static double stay_of_driver(const struct sampled_program *p)
{
    double sum = 0, driven = 0;

    for (size_t f = 0; sampled_program_drives(p, f); f++) {
        sum += p->function[f].stay * p->function[f].pace;
        driven++;
    }
    return sum / driven * turns_in_a_row(p, driven);
}

/* The same of a place. */
static double stay_in(const struct sampled_program *p, size_t place, bool chains)
{
    if (place == SAMPLED_DRIVER)
        return stay_of_driver(p);
    return chains && place + 1 < p->functions ? p->function[place].stay * p->function[place].pace : stay_of(p, place);
}

/* ---- judging ------------------------------------------------------------------------------ */

/* One function as the samples show it, and as it is. */
struct seen {
    const struct td_delta_place *place;
    struct td_smear smear;
    double low[SAMPLED_NODES], high[SAMPLED_NODES], value[SAMPLED_NODES], naive[SAMPLED_NODES], truth[SAMPLED_NODES];
};

static bool is_right(const struct seen *s)
{
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        if (s->truth[i] < s->low[i] || s->truth[i] > s->high[i])
            return false;
    return true;
}

static void count(struct tally *t, const struct seen *s)
{
    t->functions++;
    t->pure += (double)td_stays_of(s->place)->pure.n;
    if (s->smear.status != TD_PLACE_OK)
        return;
    t->given++;
    t->right += is_right(s);
    for (size_t i = 0; i < SAMPLED_NODES; i++) {
        t->squares += pow(s->value[i] - s->truth[i], 2);
        t->naive += pow(s->naive[i] - s->truth[i], 2);
        if (t->widths < VALUES)
            t->width[t->widths++] = s->high[i] - s->low[i];
    }
}

static void look(const struct td_deltas *all, const struct sampled_sums *sums, const double *true_count,
                 struct td_chance *chance, struct seen *s)
{
    double sum = 0;

    td_smear_of(all, s->place, &s->smear);
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        sum += true_count[i];
    for (size_t i = 0; i < SAMPLED_NODES && s->smear.status == TD_PLACE_OK; i++) {
        const struct td_whole whole = sampled_places_whole(sums, i);

        CU_ASSERT_FATAL(!td_place_bounds(all, s->place, i, &s->smear, &whole, 0.95, chance, &s->low[i], &s->high[i]));
        s->value[i] = whole.value;
        s->naive[i] = td_place_naive(all, s->place, i);
        s->truth[i] = true_count[i] / sum;
    }
}

static void run_program(const struct sampled_program *p, size_t scheme, unsigned long samples,
                        struct unit_random *random, struct td_chance *chance)
{
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sampled_sums sums[SAMPLED_PLACES] = {{0}};
    struct sampled_run run = {.program = p, .random = random, .varying.varies = schemes[scheme].varies};
    const bool chains = schemes[scheme].chains;

    sampled_places_run(&run, samples, chains ? sampled_places_add_chain : sampled_places_add, &all, sums);
    for (size_t f = 0; f < SAMPLED_PLACES; f++) {
        const double stay = stay_in(p, f, chains);
        struct seen seen = {.place = td_deltas_find(&all, &sampled_place[f])};

        if (!seen.place || !seen.place->began)
            continue;
        look(&all, &sums[f], chains ? run.inclusive[f] : run.true_count[f], chance, &seen);
        count(&by_stay[scheme][class_of(stay / schemes[scheme].unit, stays)]
                      [class_of((double)td_stays_of(seen.place)->pure.n, pures)],
              &seen);
        count(&by_time[scheme][class_of(stay, times)], &seen);
    }
    td_deltas_free(&all);
}

/* ---- what came out ------------------------------------------------------------------------ */

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

static double percent(unsigned long part, unsigned long whole)
{
    return whole ? 100 * (double)part / (double)whole : (double)NAN;
}

/* A row of the manual's table. */
static void print_row(struct tally *t)
{
    const double values = SAMPLED_NODES * (double)t->given;

    printf(
        "%5lu functions, pure %5.0f, %5.1f %% with an estimate, %5.1f %% right; error %4.1f, of all intervals %4.1f, width %4.1f points\n",
        t->functions, t->pure / (double)t->functions, percent(t->given, t->functions), percent(t->right, t->given),
        100 * sqrt(t->squares / values), 100 * sqrt(t->naive / values), 100 * median_width(t));
}

static void print_scheme(size_t scheme)
{
    printf("\n  %s, stay in units of %.3g us:\n", schemes[scheme].name, schemes[scheme].unit);
    for (size_t i = 0; i < STAYS; i++)
        for (size_t k = 0; k < PURES; k++)
            if (by_stay[scheme][i][k].functions) {
                printf("  %3g .. %3g, pure %3g .. %3g: ", stays[i], stays[i + 1], pures[k], pures[k + 1]);
                print_row(&by_stay[scheme][i][k]);
            }
    for (size_t i = 0; i < TIMES; i++)
        if (by_time[scheme][i].functions) {
            printf("  %4g .. %4g us: ", times[i], times[i + 1]);
            print_row(&by_time[scheme][i]);
        }
}

/* Functions whose stays are over four units, and which have 50 pure intervals. */
static void check_long(size_t scheme, unsigned long programs)
{
    unsigned long functions = 0, given = 0, widths = 0, narrow = 0;

    for (size_t i = class_of(4, stays); i < STAYS; i++)
        for (size_t k = class_of(50, pures); k < PURES; k++) {
            const struct tally *t = &by_stay[scheme][i][k];

            functions += t->functions;
            given += t->given;
            widths += t->widths;
            for (size_t w = 0; w < t->widths; w++)
                narrow += t->width[w] <= 0.06;
        }
    if (programs >= 1000)
        printf("  %s, stays over 4: %.1f %% of %lu have an estimate, %.1f %% of the bounds are at most 6 points wide\n",
               schemes[scheme].name, percent(given, functions), functions, percent(narrow, widths));
    CU_ASSERT((double)narrow >= (0.5 - chance_open(50, given) / 100) * (double)widths);
    CU_ASSERT(functions > 0);
    CU_ASSERT((double)given >= (0.9 - chance_open(90, functions) / 100) * (double)functions);
}

static void check_right(size_t scheme, unsigned long programs)
{
    unsigned long given = 0, right = 0;

    for (size_t i = 0; i < TIMES; i++) {
        given += by_time[scheme][i].given;
        right += by_time[scheme][i].right;
    }
    if (programs >= 1000)
        printf("  %s: %lu of %lu estimates are right, %.1f %%\n", schemes[scheme].name, right, given,
               percent(right, given));
    CU_ASSERT(given > programs / 3);
    CU_ASSERT((double)right >= (0.95 - chance_open(95, given) / 100) * (double)given);
}

/* The same programs, sampled in several ways. */
static void sample_programs(unsigned long programs, size_t first, size_t last)
{
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct unit_random random = {12345};

    for (unsigned long i = 0; chance && i < programs; i++) {
        const unsigned long samples = (unsigned long)(300 * exp(log(20) * unit_random_ratio(&random)));
        struct sampled_program program;

        sampled_program_make(&random, exp(log(10000) * unit_random_ratio(&random)), &program);
        for (size_t scheme = first; scheme <= last; scheme++) {
            program.period = schemes[scheme].period;
            program.distance = schemes[scheme].distance;
            run_program(&program, scheme, samples, &random, chance);
        }
    }
    for (size_t scheme = first; chance && scheme <= last; scheme++) {
        if (programs >= 1000)
            print_scheme(scheme);
        check_right(scheme, programs);
        check_long(scheme, programs);
    }
    td_chance_free(chance);
}

static void thousand_programs(void)
{
    sample_programs(unit_longest_rounds(1000), 0, VARYING - 1);
}

static void thousand_programs_varied(void)
{
    sample_programs(unit_longest_rounds(1000), VARYING, SCHEMES - 1);
}

/* ---- threads on one CPU ------------------------------------------------------------------ */

static void run_threads(struct sampled_threads *t, size_t scheme, unsigned long samples, struct td_chance *chance)
{
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sampled_sums sums[SAMPLED_PLACES] = {{0}};
    struct sampled_delta d;

    for (unsigned long i = 0; i < samples; i++) {
        sampled_threads_next(t, &d);
        d.own = 0; /* no switches are recorded */
        d.back = TD_BACK_NONE;
        sampled_places_add(&all, &d, sums);
    }
    for (size_t i = 0; i < t->threads; i++) {
        struct seen seen = {.place = td_deltas_find(&all, &sampled_place[i])};
        double true_count[SAMPLED_NODES];

        if (!seen.place || !seen.place->began)
            continue;
        sampled_threads_truth(t, i, true_count);
        look(&all, &sums[i], true_count, chance, &seen);
        count(&by_thread[scheme], &seen);
    }
    td_deltas_free(&all);
}

/* A whole CPU is sampled: an interval is of a thread if both its ends are, whatever functions it ran, and whoever ran
 * in between. */
static void thousand_cpus(void)
{
    const unsigned long cpus = unit_longest_rounds(1000);
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct unit_random random = {54321};

    for (unsigned long i = 0; chance && i < cpus; i++)
        for (size_t scheme = 0; scheme < SCHEMES && !schemes[scheme].chains; scheme++) {
            struct sampled_threads t;

            sampled_threads_make(&random, false, &t);
            t.period = schemes[scheme].period;
            t.distance = schemes[scheme].distance;
            run_threads(&t, scheme, (unsigned long)(300 * exp(log(20) * unit_random_ratio(&random))), chance);
        }
    for (size_t scheme = 0; chance && scheme < SCHEMES && !schemes[scheme].chains; scheme++) {
        struct tally *t = &by_thread[scheme];

        if (cpus >= 1000) {
            printf("\n  %s, threads: ", schemes[scheme].name);
            print_row(t);
        }
        CU_ASSERT(t->given > cpus / 3);
        CU_ASSERT((double)t->right >= (0.95 - chance_open(95, t->given) / 100) * (double)t->given);
    }
    td_chance_free(chance);
}

/* ---- recorded switches ---------------------------------------------------------------- */

/* The same samples, without and with switches. */
static void run_switches(struct sampled_threads *t, unsigned long samples, size_t places, struct td_chance *chance,
                         struct tally tally[2])
{
    struct td_deltas all[2] = {{.metrics = SAMPLED_NODES}, {.metrics = SAMPLED_NODES}};
    struct sampled_sums sums[2][SAMPLED_PLACES_MOST] = {{{0}}};
    struct sampled_delta d = {0};

    for (unsigned long i = 0; i < samples; i++) {
        struct sampled_delta told;

        sampled_threads_next(t, &d);
        told = d;
        d.own = 0;
        d.back = TD_BACK_NONE;
        sampled_places_add(&all[0], &d, sums[0]);
        sampled_places_add(&all[1], &told, sums[1]);
    }
    for (size_t i = 0; i < places; i++)
        for (size_t told = 0; told < 2; told++) {
            struct seen seen = {.place = td_deltas_find(&all[told], &sampled_place[i])};
            double true_count[SAMPLED_NODES];

            if (!seen.place || !seen.place->began)
                continue;
            sampled_threads_truth(t, i, true_count);
            look(&all[told], &sums[told][i], true_count, chance, &seen);
            count(&tally[told], &seen);
        }
    td_deltas_free(&all[0]);
    td_deltas_free(&all[1]);
}

/* So many CPUs for each kind of place. */
static void sample_cpus(unsigned long cpus, bool varies)
{
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct unit_random random = {98765};

    for (unsigned long i = 0; chance && i < cpus; i++)
        for (size_t k = 0; k < PLACES; k++) {
            struct sampled_threads t;

            sampled_threads_make(&random, places_of_threads[k].visited, &t);
            t.functions = places_of_threads[k].functions;
            t.period = 100;
            t.varying.varies = varies;
            if (places_of_threads[k].in_step)
                sampled_threads_keep_step(&t);
            run_switches(&t, (unsigned long)(300 * exp(log(20) * unit_random_ratio(&random))),
                         sampled_threads_places(&t) / (places_of_threads[k].visited ? t.threads : 1), chance,
                         by_switches[varies][k]);
        }
    for (size_t k = 0; chance && k < PLACES && cpus >= 1000; k++)
        for (size_t i = 0; i < 2; i++) {
            printf("\n  %s, switches %s%s: ", places_of_threads[k].name, i ? "recorded" : "not recorded",
                   varies ? ", a period that varies" : "");
            print_row(&by_switches[varies][k][i]);
        }
    td_chance_free(chance);
}

/* Where switches are recorded, it is no return that another thread is sampled between two samples of one: what is told
 * apart without them stays so, but for one in 50, more is, and all of it is right more often. Of functions that keep
 * step with the samples, which no three samples tell, half at least lose their estimate. */
static void thousand_cpus_with_switches(void)
{
    const unsigned long cpus = unit_longest_rounds(1000);

    sample_cpus(cpus, false);
    for (size_t k = 0; td_chance_available() && k < PLACES; k++) {
        const struct tally *before = &by_switches[0][k][0], *told = &by_switches[0][k][1];

        if (places_of_threads[k].in_step) {
            CU_ASSERT((cpus < 100 ? 1U : 2U) * told->given <= before->given);
            continue;
        }
        CU_ASSERT(100 * told->right >= 98 * before->right);
        CU_ASSERT((double)told->right >= (0.95 - chance_open(95, told->given) / 100) * (double)told->given);
    }
}

/* No program keeps step with a period that varies: of those that do with a fixed one, one in 100 functions at most gets
 * an estimate that is wrong. */
static void thousand_cpus_varied(void)
{
    sample_cpus(unit_longest_rounds(1000), true);
    for (size_t k = 0; td_chance_available() && k < PLACES; k++)
        for (size_t told = 0; told < 2; told++) {
            const struct tally *t = &by_switches[1][k][told];

            if (places_of_threads[k].in_step) {
                CU_ASSERT(100 * (t->given - t->right) <= t->functions);
                continue;
            }
            CU_ASSERT((double)t->right >= (0.95 - chance_open(95, t->given) / 100) * (double)t->given);
        }
}

/* ---- the judge itself ---------------------------------------------------------------------- */

/* Right if all four are inside, wrong if any is not, on either side; at the bounds it is inside. */
static void right_by_hand(void)
{
    const struct seen within = {.low = {0.1, 0, 0.3, 0.2}, .high = {0.3, 0.2, 0.5, 0.2}, .truth = {0.1, 0.2, 0.4, 0.2}};

    for (size_t i = 0; i < 25 * SAMPLED_NODES; i++) {
        struct seen below = within, above = within;

        below.truth[i % SAMPLED_NODES] = below.low[i % SAMPLED_NODES] - 1e-9;
        above.truth[i % SAMPLED_NODES] = above.high[i % SAMPLED_NODES] + 1e-9;
        CU_ASSERT(is_right(&within) && !is_right(&below) && !is_right(&above));
    }
}

/* Function 0 retires all of its slots, 1 wastes all: what is pure of a function has only its own. */
static void sums_by_hand(void)
{
    static const struct sampled_delta deltas[] = {
        {.began = 0, .ended = 0, .slots = 8, .count = {8, 0, 0, 0}, .from = {{0}, 1}, .to = {{0}, 1}},
        {.began = 0, .ended = 1, .slots = 8, .count = {4, 4, 0, 0}, .from = {{0}, 1}, .to = {{1}, 1}},
        {.began = 1, .ended = 1, .slots = 8, .count = {0, 8, 0, 0}, .from = {{1}, 1}, .to = {{1}, 1}},
        {.began = 1, .ended = 0, .slots = 8, .count = {2, 6, 0, 0}, .from = {{1}, 1}, .to = {{0}, 1}},
    };
    static sampled_places_fn *const adds[] = {sampled_places_add, sampled_places_add_chain};

    for (size_t way = 0; way < 2; way++) {
        struct td_deltas all = {.metrics = SAMPLED_NODES};
        struct sampled_sums sums[SAMPLED_PLACES] = {{0}};
        struct sampled_delta rest = deltas[0];

        for (size_t i = 0; i < 40; i++)
            adds[way](&all, &deltas[i % 4], sums);
        rest.paired = rest.rest = true;
        adds[way](&all, &rest, sums);
        CU_ASSERT(sums[0].slots == 80 && sums[0].count[0] == 80 && sums[0].count[1] == 0 && sums[0].sum == 80);
        CU_ASSERT(sums[1].slots == 80 && sums[1].count[1] == 80 && sums[1].count[0] == 0);
        CU_ASSERT(td_stays_of(td_deltas_find(&all, &sampled_place[0]))->pure.n == 10 &&
                  td_stays_of(td_deltas_find(&all, &sampled_place[1]))->pure.n == 10);
        td_deltas_free(&all);
    }
}

/* A leaf under one caller is not the leaf under another, and the driver goes on. */
static void chains_by_hand(void)
{
    const struct sampled_delta d = {
        .slots = 8, .count = {8, 0, 0, 0}, .from = {{SAMPLED_DRIVER, 0, 5}, 3}, .to = {{SAMPLED_DRIVER, 1, 5}, 3}};
    struct td_deltas all = {.metrics = SAMPLED_NODES};
    struct sampled_sums sums[SAMPLED_PLACES] = {{0}};

    sampled_places_add_chain(&all, &d, sums);
    CU_ASSERT(sums[SAMPLED_DRIVER].slots == 8 && sums[0].slots == 0 && sums[1].slots == 0 && sums[5].slots == 0);
    CU_ASSERT(all.n == 3 && all.place[0].place == &sampled_place[5] && !td_stays_of(&all.place[0])->pure.n);
    td_deltas_free(&all);
}

static const CU_TestInfo tests[] = {
    {"the judge of the model", right_by_hand},
    {"the sums of the model", sums_by_hand},
    {"chains of the model", chains_by_hand},
    {"1,000 programs by chance: the truth is within the bounds", thousand_programs},
    {"1,000 CPUs of threads by chance: the truth is within the bounds", thousand_cpus},
    {"1,000 CPUs of threads with recorded switches", thousand_cpus_with_switches},
    {"1,000 programs by a period that varies", thousand_programs_varied},
    {"1,000 CPUs of threads by a period that varies", thousand_cpus_varied},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sampled programs", tests);
