/* SPDX-License-Identifier: MIT */
/* Comparisons by simulation: how often equal programs are said to differ, and how often a difference is found. */
#include "stats/comparison.h"
#include "stats/difference.h"
#include "stats/gate.h"
#include "stats/mean.h"
#include "tests/support/chance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 12, MOST = 120 };

/* ---- programs ------------------------------------------------------------------------------ */

/* What a simulated program does from interval to interval. */
struct program {
    const char *name;
    double alike; /* correlation of neighbours */
    double phase; /* mean length of its two phases in intervals; 0: it has one */
    double drift; /* per interval */
    double seen; /* share of the windows of an interval in which it was counted, multiplexed; 0: all */
    double field; /* values are rounded to multiples of this, and have such bounds */
};

static const double spread = 0.015; /* 1.5 points */

enum { WINDOWS = 50 /* of an interval, each in one of two short phases */ };

/* What is seen of an interval's windows differs from all of them by chance, and differently for each node's group. */
static double multiplexed(const struct program *p, struct unit_random *random)
{
    double sum = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < WINDOWS; i++)
        if (unit_random_ratio(random) < p->seen || !n) {
            sum += unit_random_below(random, 2) ? 0.05 : -0.05;
            n++;
        }
    return sum / n;
}

struct recorded {
    struct td_weighted node[NODES][MOST];
};

static void record(const struct program *p, size_t n, double start, double more, struct unit_random *random,
                   struct recorded *out)
{
    double state[NODES];
    bool second = p->phase > 0 && unit_random_below(random, 2);

    for (size_t k = 0; k < NODES; k++)
        state[k] = chance_normal(random);
    for (size_t i = 0; i < n; i++) {
        if (p->phase > 0 && unit_random_ratio(random) < 1 / p->phase)
            second = !second;
        for (size_t k = 0; k < NODES; k++) {
            double v;

            state[k] = p->alike * state[k] + sqrt(1 - p->alike * p->alike) * chance_normal(random);
            v = 0.3 + spread * state[k] + (second ? k % 2 ? 0.05 : -0.05 : 0) + p->drift * (start + (double)i) +
                (k ? 0 : more);
            if (p->seen > 0)
                v += multiplexed(p, random);
            out->node[k][i] = (struct td_weighted){p->field > 0 ? floor(v / p->field) * p->field : v,
                                                   1 + unit_random_ratio(random) / 10};
        }
    }
}

static double neighbours(const struct recorded *r, size_t n)
{
    double sum = 0;

    for (size_t k = 0; k < NODES; k++)
        sum += td_neighbours(r->node[k], n) / NODES;
    return sum;
}

static void compare(const struct program *p, const struct recorded *a, const struct recorded *b, size_t n, bool paired,
                    struct td_chance *chance, struct td_difference row[NODES])
{
    struct td_comparison c = {.set = {.margin = 0.01, .confidence = 0.95}, .row = row, .n = NODES};
    const double alike_a = neighbours(a, n), alike_b = neighbours(b, n);

    memset(row, 0, NODES * sizeof(*row));
    for (size_t k = 0; k < NODES; k++) {
        const struct td_side_metric sa = {.point = a->node[k],
                                          .n = n,
                                          .series = !paired,
                                          .neighbours = alike_a,
                                          .value = (double)NAN,
                                          .width = p->field};
        const struct td_side_metric sb = {.point = b->node[k],
                                          .n = n,
                                          .series = !paired,
                                          .neighbours = alike_b,
                                          .value = (double)NAN,
                                          .width = p->field};

        row[k].share = true;
        CU_ASSERT_FATAL(!td_difference_of(&sa, &sb, true, paired, chance, &row[k]));
    }
    CU_ASSERT_FATAL(!td_comparison_judge(&c));
}

/* Sound bounds of a share that was counted badly may lie anywhere, but no share differs from another by more than all.
 */
static void far_bounds(void)
{
    static const struct {
        bool share;
        enum td_basis basis;
        double value, low, high; /* what always belongs to the interval, below and above */
        double wanted_low, wanted_high;
    } all[] = {
        {true, TD_BASIS_SOUND, 0.25, 19257.27, 3, -1, 1},
        {true, TD_BASIS_SOUND, 0.25, 0.5, 0.25, -0.25, 0.5},
        {true, TD_BASIS_LIKELY, 0.25, 19257.27, 3, -1, 1},
        /* the value itself is never cut off */
        {true, TD_BASIS_SOUND, 0.25, 0.5, 3, -0.25, 1},
        {true, TD_BASIS_SOUND, -1.5, 4, 0.25, -1.5, -1.25},
        {false, TD_BASIS_SOUND, 0.25, 19257.25, 3, -19257, 3.25},
        {true, TD_BASIS_NONE, 0.25, 19257.25, 3, (double)NAN, (double)NAN},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_difference row = {.share = all[i].share,
                                    .basis = all[i].basis,
                                    .diff = {.value = all[i].value},
                                    .fixed_low = all[i].low,
                                    .fixed_high = all[i].high};
        struct td_comparison c = {.set = {.margin = 0.01, .confidence = 0.95}, .row = &row, .n = 1};

        CU_ASSERT_FATAL(!td_comparison_judge(&c));
        CU_ASSERT(isnan(all[i].wanted_low) ? isnan(row.diff.low) : fabs(row.diff.low - all[i].wanted_low) < 1e-12);
        CU_ASSERT(isnan(all[i].wanted_high) ? isnan(row.diff.high) : fabs(row.diff.high - all[i].wanted_high) < 1e-12);
    }
}

static bool claims(const struct td_difference *d)
{
    return d->call == TD_CALL_MORE || d->call == TD_CALL_LESS;
}

/* Of comparisons of two recordings of n intervals, in how many percent a node is said to differ that does not, and in
 * how many the one that does is found. */
static void rates(const struct program *p, size_t n, double more, bool paired, unsigned long cases, double *wrong,
                  double *found)
{
    static struct recorded a, b;
    struct unit_random random = {n + 1};
    struct td_chance *chance = td_chance_new(1);
    unsigned long any = 0, right = 0;

    CU_ASSERT_FATAL(chance != NULL);
    for (unsigned long i = 0; i < cases; i++) {
        struct td_difference row[NODES];
        bool other = false;

        record(p, n, 0, 0, &random, &a);
        record(p, n, paired ? 0.5 : 0, more, &random, &b);
        compare(p, &a, &b, n, paired, chance, row);
        for (size_t k = more != 0; k < NODES; k++)
            other = other || claims(&row[k]);
        any += other;
        right += row[0].call == TD_CALL_MORE;
    }
    td_chance_free(chance);
    *wrong = 100 * (double)any / (double)cases;
    *found = 100 * (double)right / (double)cases;
}

static void equal_programs(void)
{
    static const struct program programs[] = {{.name = "independent"},
                                              {.name = "fields of 8 bits", .field = 1 / 255.0},
                                              {.name = "neighbours alike", .alike = 0.5},
                                              {.name = "neighbours much alike", .alike = 0.8},
                                              {.name = "phases of 3", .phase = 3},
                                              {.name = "phases of 5", .phase = 5},
                                              {.name = "multiplexed, 50 %", .seen = 0.5},
                                              {.name = "multiplexed, 20 %", .seen = 0.2},
                                              {.name = "multiplexed, 20 %, phases of 3", .seen = 0.2, .phase = 3}};
    const unsigned long cases = unit_long_rounds(1000);
    double wrong, found;

    for (size_t i = 0; chance_available() && i < sizeof(programs) / sizeof(*programs); i++)
        for (size_t n = 30; n <= (cases >= 100 ? 120 : 30); n += 90) { /* few cases of the long ones show nothing */
            const unsigned long of = n > 30 && cases >= 100 ? cases / 4 : cases; /* these take as long */

            rates(&programs[i], n, 0, false, of, &wrong, &found);
            CU_ASSERT(wrong <= 5 + chance_open(5, of));
            if (wrong > 5)
                printf("%s, %zu intervals: %.1f %% of equal programs are said to differ\n", programs[i].name, n, wrong);
        }
}

/* 0.3 points of drift from run to run, 6 in all: each pair has half of that between its runs. */
static void alternated(void)
{
    static const struct program drifting = {.name = "drifting", .drift = 0.003};
    const unsigned long cases = unit_long_rounds(1000);
    double wrong, found;

    if (!chance_available())
        return;
    rates(&drifting, 20, 0, true, cases, &wrong, &found);
    CU_ASSERT(wrong <= 5 + chance_open(5, cases));
    rates(&drifting, 30, 0.02, true, cases, &wrong, &found);
    CU_ASSERT(found >= 90 - chance_open(10, cases));
}

static void true_changes(void)
{
    static const struct program independent = {.name = "independent"}, fields = {.name = "fields", .field = 1 / 255.0};
    const unsigned long cases = unit_long_rounds(1000);
    double wrong, found;

    if (!chance_available())
        return;
    rates(&independent, 30, 0.02, false, cases, &wrong, &found);
    CU_ASSERT(found >= 95 - chance_open(5, cases));
    CU_ASSERT(wrong <= 5 + chance_open(5, cases));
    rates(&fields, 30, 0.02, false, cases, &wrong, &found);
    CU_ASSERT(found >= 95 - chance_open(5, cases));
}

/* ---- the course of a series ------------------------------------------------------------------- */

static void courses(void)
{
    const unsigned long cases = unit_long_rounds(1000);
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct unit_random random = {7};
    unsigned long wrong = 0, found = 0, trends = 0;
    struct td_weighted p[60], step[60], line[60];
    struct td_course c;

    for (unsigned long i = 0; chance && i < cases; i++) {
        for (size_t k = 0; k < 60; k++) {
            const double v = 0.3 + spread * chance_normal(&random);

            p[k] = (struct td_weighted){v, 1};
            step[k] = (struct td_weighted){v + (k >= 25) * 0.05, 1};
            line[k] = (struct td_weighted){v + (double)k * 0.0015, 1};
        }
        td_course_of(p, 60, 0, chance, &c);
        wrong += c.trend || c.change;
        td_course_of(step, 60, 0.01, chance, &c);
        found += !c.trend && c.change >= 23 && c.change <= 27;
        td_course_of(line, 60, 0.01, chance, &c);
        trends += c.trend;
    }
    if (!chance)
        return;
    CU_ASSERT((double)wrong * 100 <= (5 + chance_open(5, cases)) * (double)cases);
    CU_ASSERT((double)found * 100 >= (95 - chance_open(5, cases)) * (double)cases);
    CU_ASSERT((double)trends * 100 >= (95 - chance_open(5, cases)) * (double)cases);
    td_chance_free(chance);
}

/* ---- by hand -------------------------------------------------------------------------------------- */

/* NIST/SEMATECH e-Handbook, 1.3.6.7.2: two-sided 5 %, and 1 %. */
static void quantiles(void)
{
    if (!chance_available())
        return;
    CU_ASSERT_DOUBLE_EQUAL(td_chance_student(0.05, 10), 2.228, 0.0005);
    CU_ASSERT_DOUBLE_EQUAL(td_chance_student(0.01, 5), 4.032, 0.0005);
    CU_ASSERT_DOUBLE_EQUAL(td_chance_beyond(2.228, 10), 0.05, 0.0001);
    CU_ASSERT_DOUBLE_EQUAL(td_chance_beyond(-2.228, 10), 0.05, 0.0001);
}

/* Five points, each in turn: the error of the mean of independent points is deviation / sqrt(n). */
static void errors_by_hand(void)
{
    static const struct td_weighted p[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}};
    struct td_chance *chance = chance_available() ? td_chance_new(3) : NULL;
    struct td_estimate e;

    if (!chance)
        return;
    td_bootstrap(p, 5, (struct td_dependence){0}, chance, &e);
    CU_ASSERT_DOUBLE_EQUAL(e.mean, 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(e.deviation, sqrt(2.5), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(e.error, sqrt(2.5 / 5), 0.06); /* within what 1000 resamples leave open */
    CU_ASSERT(e.error >= sqrt(2.5 / 5) - 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(e.degrees, 4, 1e-12);
    td_chance_free(chance);
}

/* Resamples have the deviation that is expected of all, of points alone and in blocks. */
static void resamples_by_expectation(void)
{
    enum { POINTS = 120 };
    static const double blocks[] = {0, 3, 12, 40};
    struct td_chance *chance = chance_available() ? td_chance_new(3) : NULL;
    struct td_weighted p[POINTS];
    double value = 0;

    if (!chance)
        return;
    for (size_t i = 0; i < POINTS; i++) {
        value = 0.8 * value + td_chance_ratio(chance);
        p[i] = (struct td_weighted){value, 1 + td_chance_ratio(chance)};
    }
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
        struct td_estimate drawn, expected;

        td_bootstrap(p, POINTS, (struct td_dependence){.block = blocks[i]}, chance, &drawn);
        td_bootstrap(p, POINTS, (struct td_dependence){.block = blocks[i]}, NULL, &expected);
        CU_ASSERT_DOUBLE_EQUAL(expected.mean, drawn.mean, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(expected.degrees, drawn.degrees, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(expected.error / drawn.error, 1, 0.07); /* 1000 leave 0.022 open, a standard deviation */
    }
    td_chance_free(chance);
}

static struct td_difference by_bounds(double a_low, double a_high, double b_low, double b_high, enum td_bounds bounds)
{
    const struct td_side_metric a = {.n = 1,
                                     .value = (a_low + a_high) / 2,
                                     .low = a_low,
                                     .high = a_high,
                                     .bounds = bounds,
                                     .width = (a_high - a_low) / 2};
    const struct td_side_metric b = {.n = 1,
                                     .value = (b_low + b_high) / 2,
                                     .low = b_low,
                                     .high = b_high,
                                     .bounds = bounds,
                                     .width = (b_high - b_low) / 2};
    struct td_difference row = {.share = true};
    struct td_comparison c = {.set = {.margin = 0.01, .confidence = 0.95}, .row = &row, .n = 1};

    td_difference_of(&a, &b, true, false, NULL, &row);
    td_comparison_judge(&c);
    return row;
}

static void bounds_by_hand(void)
{
    struct td_difference d = by_bounds(0.10, 0.12, 0.20, 0.24, TD_BOUNDS_SOUND);

    CU_ASSERT(d.basis == TD_BASIS_SOUND && d.call == TD_CALL_MORE && d.alpha == 0);
    CU_ASSERT_DOUBLE_EQUAL(d.diff.low, 0.08, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.diff.high, 0.14, 1e-12);
    CU_ASSERT_EQUAL(by_bounds(0.20, 0.24, 0.10, 0.12, TD_BOUNDS_SOUND).call, TD_CALL_LESS);
    CU_ASSERT_EQUAL(by_bounds(0.10, 0.14, 0.12, 0.16, TD_BOUNDS_SOUND).call, TD_CALL_UNKNOWN);
    CU_ASSERT_EQUAL(by_bounds(0.100, 0.102, 0.104, 0.106, TD_BOUNDS_SOUND).call, TD_CALL_SAME); /* 0.2 to 0.6 points */
    CU_ASSERT_EQUAL(by_bounds(0.100, 0.102, 0.109, 0.115, TD_BOUNDS_SOUND).call, TD_CALL_MORE); /* 0.7 to 1.5 */
    CU_ASSERT_EQUAL(by_bounds(0.109, 0.115, 0.100, 0.102, TD_BOUNDS_SOUND).call, TD_CALL_LESS);
    CU_ASSERT_EQUAL(by_bounds(0.10, 0.12, 0.20, 0.24, TD_BOUNDS_NONE).call, TD_CALL_UNKNOWN);
    if (!chance_available())
        return;
    /* alone, likely bounds stay what they are: 1.96 errors each way */
    d = by_bounds(0.10, 0.12, 0.20, 0.24, TD_BOUNDS_LIKELY);
    CU_ASSERT(d.basis == TD_BASIS_LIKELY && d.call == TD_CALL_MORE);
    CU_ASSERT_DOUBLE_EQUAL(d.diff.low, 0.08, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(d.diff.high, 0.14, 1e-5);
}

/* Of points that do not scatter, their own bounds count in full on both sides; of those that scatter, next to nothing
 * where both sides have the same, and in full where the formulas are not the same. */
static void own_bounds(void)
{
    static const double width = 0.004;
    struct td_weighted still[8], moving[8];
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct td_difference d = {.share = true};
    struct td_side_metric a = {.point = still, .n = 8, .series = true, .value = (double)NAN, .width = width}, b = a;

    for (size_t i = 0; i < 8; i++) {
        still[i] = (struct td_weighted){0.25, 1};
        moving[i] = (struct td_weighted){0.25 + (i % 2 ? 0.01 : -0.01), 1};
    }
    if (!chance)
        return;
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, true, false, chance, &d));
    CU_ASSERT(d.error_low == 0 && d.basis == TD_BASIS_INTERVALS);
    CU_ASSERT_DOUBLE_EQUAL(d.fixed_low, 2 * width, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.fixed_high, 2 * width, 1e-12);
    a.point = b.point = moving;
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, true, false, chance, &d));
    CU_ASSERT_DOUBLE_EQUAL(d.fixed_low, 0, 1e-12);
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, false, false, chance, &d));
    CU_ASSERT_DOUBLE_EQUAL(d.fixed_low, 2 * width, 1e-12);
    b.width = 3 * width; /* what is systematic may be three times as large there */
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, true, false, chance, &d));
    CU_ASSERT_DOUBLE_EQUAL(d.fixed_low, 2 * width, 1e-4);
    a.point = b.point = still;
    a.width = b.width = (double)NAN;
    a.value = 0.26; /* no scatter, no bounds, but a difference: nothing is known of it */
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, true, false, chance, &d));
    CU_ASSERT_EQUAL(d.basis, TD_BASIS_NONE);
    td_chance_free(chance);
}

/* One run against ten: it scatters as they do, with their standard deviation of n - 1 = 9 degrees of freedom. Of 1 to
 * 10 that is the root of 82.5 / 9; the error is that of one less the mean of ten, times the root of 1 + 1 / 10. */
static void one_against_ten(void)
{
    struct td_weighted ten[10], one = {7, 1};
    struct td_chance *chance = chance_available() ? td_chance_new(1) : NULL;
    struct td_difference d = {.share = true};
    const struct td_side_metric a = {.point = ten, .n = 10, .value = (double)NAN, .width = (double)NAN},
                                b = {.point = &one, .n = 1, .value = 7, .width = (double)NAN};

    for (size_t i = 0; i < 10; i++)
        ten[i] = (struct td_weighted){(double)i + 1, 1};
    if (!chance)
        return;
    CU_ASSERT_FATAL(!td_difference_of(&a, &b, true, false, chance, &d));
    CU_ASSERT_EQUAL(d.basis, TD_BASIS_RUNS);
    CU_ASSERT_DOUBLE_EQUAL(d.diff.value, 1.5, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(d.error_low, sqrt(82.5 / 9 * 1.1), 0.05);
    CU_ASSERT_EQUAL(d.degrees, 9);
    CU_ASSERT_FATAL(!td_difference_of(&b, &a, true, false, chance, &d));
    CU_ASSERT_DOUBLE_EQUAL(d.error_low, sqrt(82.5 / 9 * 1.1), 0.05);
    CU_ASSERT_EQUAL(d.degrees, 9);
    td_chance_free(chance);
}

/* Holm: of 0.01, 0.04, 0.03 at 5 %, the first is below 0.05 / 3, the next, 0.03, is not below 0.05 / 2: its level holds
 * on. */
static void holm_by_hand(void)
{
    static const double p[] = {0.01, 0.04, 0.03}, level[] = {0.05 / 3, 0.025, 0.025};
    struct td_difference row[3];
    struct td_comparison c = {.set = {.margin = 0.01, .confidence = 0.95}, .row = row, .n = 3};

    if (!chance_available())
        return;
    memset(row, 0, sizeof(row));
    for (size_t i = 0; i < 3; i++) {
        row[i].basis = TD_BASIS_RUNS;
        row[i].share = true;
        row[i].degrees = row[i].degrees_a = row[i].degrees_b = 10;
        row[i].error_low = row[i].error_high = 0.1;
        row[i].diff.value = 0.1 * td_chance_student(p[i], 10);
    }
    td_comparison_judge(&c);
    CU_ASSERT_EQUAL(c.family, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_DOUBLE_EQUAL(row[i].alpha, level[i], 1e-12);
        CU_ASSERT((row[i].diff.low > 0) == (i == 0)); /* calls and bounds agree */
        CU_ASSERT((row[i].call == TD_CALL_MORE) == (i == 0));
    }
}

/* ---- places of samples ------------------------------------------------------------------------------------ */

static const struct td_verdict no_verdict;

static struct td_function place(const char *name, const char *dso, const struct td_estimates *e)
{
    return (struct td_function){.name = name, .dso = dso, .slots = 1000, .of = e};
}

/* Scopes of places: those with an estimate; namesakes by their libraries; values and bounds as estimated, so that 20
 * points more, each known within 2, are a difference of 16 to 24 points, and slots are no interval's. */
static void places(void)
{
    struct td_metric m[3] = {{.name = "retiring",
                              .parent = "",
                              .unit = "slots",
                              .level = 1,
                              .value = 0.3,
                              .low = 0.28,
                              .high = 0.32,
                              .bounds = TD_BOUNDS_LIKELY}};
    struct td_function was[4], is, *before[] = {&was[0], &was[1], &was[2], &was[3]}, *now = &is;
    struct td_functions a = {.function = before, .n = 4, .kind = "function", .cpu = "spr"},
                        b = {.function = &now, .n = 1, .kind = "function", .cpu = "spr"};
    struct td_series sa = {0}, sb = {0};
    const struct td_side sides[] = {{"a", &sa, 1}, {"b", &sb, 1}};
    const struct td_comparison_settings set = {.margin = 0.01, .confidence = 0.95, .seed = 1, .kind = "function"};
    struct td_comparison c;
    const struct td_difference *d = NULL;
    const struct td_metric *of[] = {&m[0], &m[1], &m[2]};
    const struct td_estimates e[] = {{.metric = &of[0], .metrics = 1, .verdict = &no_verdict},
                                     {.metric = &of[1], .metrics = 0, .verdict = &no_verdict},
                                     {.metric = &of[2], .metrics = 1, .verdict = &no_verdict}};

    m[1] = m[2] = m[0];
    m[1].status = TD_NOT_COUNTED;
    m[2].value = 0.5, m[2].low = 0.48, m[2].high = 0.52;
    was[0] = place("main", "/app", &e[0]);
    was[1] = place("init", "/lib/a.so", &e[0]);
    was[2] = place("init", "/lib/b.so", &e[0]);
    was[3] = place("short", "/app", &e[1]);
    is = place("main", "/other/app", &e[2]);
    CU_ASSERT_FATAL(!td_series_add_functions(&sa, &a) && !td_series_add_functions(&sb, &b));
    CU_ASSERT_EQUAL_FATAL(sa.n, 3);
    CU_ASSERT_STRING_EQUAL(sa.scope[0].name, "main");
    CU_ASSERT_STRING_EQUAL(sa.scope[1].name, "init [a.so]");
    CU_ASSERT_STRING_EQUAL(sa.scope[2].name, "init [b.so]");
    CU_ASSERT_EQUAL(sa.scope[0].total[TD_TOTAL_SLOTS], 1000);
    if (chance_available() && !td_compare(sides, 2, &set, &c)) {
        for (size_t i = 0; i < c.n; i++)
            if (!c.row[i].total)
                d = &c.row[i];
        CU_ASSERT_FATAL(d != NULL);
        CU_ASSERT_EQUAL(d->call, TD_CALL_MORE);
        CU_ASSERT_DOUBLE_EQUAL(d->diff.low, 0.16, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(d->diff.high, 0.24, 1e-6);
        td_comparison_free(&c);
    }
    td_series_free(&sa);
    td_series_free(&sb);
}

/* What only one side has is counted on both sides, however many there are, and the first is named. */
static void lone_places(void)
{
    struct td_metric m = {.name = "retiring",
                          .parent = "",
                          .unit = "slots",
                          .level = 1,
                          .value = 0.3,
                          .low = 0.28,
                          .high = 0.32,
                          .bounds = TD_BOUNDS_LIKELY};
    const struct td_metric *of = &m;
    const struct td_estimates e = {.metric = &of, .metrics = 1, .verdict = &no_verdict};
    struct td_function was[3], is[4], *before[] = {&was[0], &was[1], &was[2]},
                                      *now[] = {&is[0], &is[1], &is[2], &is[3]};
    struct td_functions a = {.function = before, .n = 3, .kind = "function", .cpu = "spr"},
                        b = {.function = now, .n = 4, .kind = "function", .cpu = "spr"};
    struct td_series sa = {0}, sb = {0};
    const struct td_side sides[] = {{"a", &sa, 1}, {"b", &sb, 1}}, turned[] = {{"b", &sb, 1}, {"a", &sa, 1}};
    const struct td_comparison_settings set = {.margin = 0.01, .confidence = 0.95, .seed = 1, .kind = "function"};
    struct td_comparison c;

    was[0] = place("main", "/app", &e), was[1] = place("old", "/app", &e), was[2] = place("older", "/app", &e);
    is[0] = place("new", "/app", &e), is[1] = place("newer", "/app", &e), is[2] = place("main", "/app", &e),
    is[3] = place("newest", "/app", &e);
    CU_ASSERT_FATAL(!td_series_add_functions(&sa, &a) && !td_series_add_functions(&sb, &b));
    if (chance_available() && !td_compare(sides, 2, &set, &c)) {
        CU_ASSERT_EQUAL(c.lone, 5);
        CU_ASSERT_STRING_EQUAL(c.lone_scope, "old");
        td_comparison_free(&c);
    }
    if (chance_available() && !td_compare(turned, 2, &set, &c)) {
        CU_ASSERT_EQUAL(c.lone, 5);
        CU_ASSERT_STRING_EQUAL(c.lone_scope, "new");
        td_comparison_free(&c);
    }
    td_series_free(&sa);
    td_series_free(&sb);
}

/* ---- gates --------------------------------------------------------------------------------------------- */

static enum td_gate_answer ask(const char *text, double low, double high, bool share)
{
    struct td_difference row = {
        .metric = "x", .share = share, .a = {0.5, 0.5, 0.5}, .diff = {(low + high) / 2, low, high}};
    const struct td_comparison c = {.row = &row, .n = 1};
    struct td_gate g;

    CU_ASSERT_FATAL(td_gate_parse(text, &g));
    td_gate_ask(&g, &c);
    return g.answer;
}

/* Half of a's own value, which is known to be 0.25 to 0.75: the limit is 0.125 to 0.375. */
static enum td_gate_answer ask_percent(const char *text, double low, double high)
{
    struct td_difference row = {.metric = "x", .a = {0.5, 0.25, 0.75}, .diff = {(low + high) / 2, low, high}};
    const struct td_comparison c = {.row = &row, .n = 1};
    struct td_gate g;

    CU_ASSERT_FATAL(td_gate_parse(text, &g));
    td_gate_ask(&g, &c);
    return g.answer;
}

static void gates_of_percents(void)
{
    CU_ASSERT_EQUAL(ask_percent("x > 50%", 0.376, 0.5), TD_GATE_HOLDS);
    CU_ASSERT_EQUAL(ask_percent("x > 50%", 0.375, 0.5), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x > 50%", 0.25, 0.3), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x > 50%", 0, 0.126), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x > 50%", 0, 0.125), TD_GATE_NO);
    CU_ASSERT_EQUAL(ask_percent("x < -50%", -0.5, -0.376), TD_GATE_HOLDS);
    CU_ASSERT_EQUAL(ask_percent("x < -50%", -0.5, -0.375), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x < -50%", -0.3, -0.25), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x < -50%", -0.126, 0), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask_percent("x < -50%", -0.125, 0), TD_GATE_NO);
}

static void gates(void)
{
    static const char *const bad[] = {"",        "x",       "x >",           "x > 2 apples", "> 2pp",
                                      "x = 2pp", "verdict", "verdict stays", "x > nan",      "x > pp"};
    struct td_gate g;

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        CU_ASSERT(!td_gate_parse(bad[i], &g));
    CU_ASSERT(td_gate_parse(" verdict changes ", &g) && !*g.metric && !strcmp(g.text, "verdict changes"));
    CU_ASSERT_EQUAL(ask("x > +2pp", 0.021, 0.04, true), TD_GATE_HOLDS);
    CU_ASSERT_EQUAL(ask("x > +2pp", 0.019, 0.04, true), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask("x > +2pp", -0.04, 0.019, true), TD_GATE_NO);
    CU_ASSERT_EQUAL(ask("x<-2pp", -0.04, -0.021, true), TD_GATE_HOLDS);
    CU_ASSERT_EQUAL(ask("x<-2pp", -0.04, -0.019, true), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask("x<-2pp", -0.019, 0.04, true), TD_GATE_NO);
    CU_ASSERT_EQUAL(ask("x < -3%", -0.02, -0.016, false), TD_GATE_HOLDS); /* 3 % of 0.5: 0.015 */
    CU_ASSERT_EQUAL(ask("x < -3%", -0.014, 0.1, false), TD_GATE_NO);
    CU_ASSERT_EQUAL(ask("x > 0.1", 0.11, 0.2, false), TD_GATE_HOLDS);
    CU_ASSERT_EQUAL(ask("x > 2pp", (double)NAN, (double)NAN, true), TD_GATE_UNKNOWN);
    CU_ASSERT_EQUAL(ask("y > 2pp", 0.1, 0.2, true), TD_GATE_UNKNOWN);
}

/* A verdict changes if it is another one and its node has changed, too. */
static void verdicts(void)
{
    static const char scope[] = "system";
    struct td_difference row[2] = {{.metric = "memory_bound", .scope = scope},
                                   {.metric = "bad_speculation", .scope = scope}};
    struct td_verdicts v = {.scope = scope, .a = "memory_bound", .b = "memory_bound", .rows = 2};
    const struct td_comparison c = {.row = row, .n = 2, .verdict = &v, .verdicts = 1};
    struct td_gate g;

    CU_ASSERT_FATAL(td_gate_parse("verdict changes", &g));
    td_gate_ask(&g, &c);
    CU_ASSERT_EQUAL(g.answer, TD_GATE_NO);
    v.b = "bad_speculation";
    td_gate_ask(&g, &c);
    CU_ASSERT_EQUAL(g.answer, TD_GATE_UNKNOWN);
    row[0].call = TD_CALL_LESS;
    td_gate_ask(&g, &c);
    CU_ASSERT_EQUAL(g.answer, TD_GATE_HOLDS);
    v.b = NULL;
    td_gate_ask(&g, &c);
    CU_ASSERT_EQUAL(g.answer, TD_GATE_UNKNOWN);
}

static const CU_TestInfo tests[] = {
    {"bounds of shares that are further than all", far_bounds},
    {"equal programs", equal_programs},
    {"equal programs, run in turn", alternated},
    {"true changes", true_changes},
    {"phases and trends", courses},
    {"Student's t", quantiles},
    {"errors by hand", errors_by_hand},
    {"resamples by expectation", resamples_by_expectation},
    {"bounds by hand", bounds_by_hand},
    {"own bounds of points", own_bounds},
    {"one run against ten", one_against_ten},
    {"Holm's method by hand", holm_by_hand},
    {"places of samples", places},
    {"places of one side", lone_places},
    {"conditions", gates},
    {"conditions in per cent", gates_of_percents},
    {"verdicts", verdicts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("compare", tests);
