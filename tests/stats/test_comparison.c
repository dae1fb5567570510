/* SPDX-License-Identifier: MIT */
/* Recordings of a Gracemont, which has five slots a cycle, from their lines to the rows of a comparison: shares, slots
 * and means by hand; and all of it while memory runs out. */
#include "core/result.h"
#include "stats/comparison.h"
#include "stats/timeline.h"
#include "tests/support/memory.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { TEXT = 16384, INTERVALS = 12 };

/* Of one scope, an interval a second: what retired, was lost to the frontend, the backend and bad speculation in turn,
 * per 1,000 slots. */
struct recorded {
    const char *scope;
    unsigned cycles, n;
    unsigned node[INTERVALS][4];
};

static void write(char *text, const struct recorded *r, size_t scopes)
{
    static const char *const events[] = {"TOPDOWN_RETIRING.ALL", "TOPDOWN_FE_BOUND.ALL", "TOPDOWN_BE_BOUND.ALL",
                                         "TOPDOWN_BAD_SPECULATION.ALL"};
    size_t at = 0;

    for (unsigned i = 0; i < INTERVALS; i++)
        for (size_t s = 0; s < scopes; s++) {
            if (i >= r[s].n)
                continue;
            at += (size_t)snprintf(text + at, TEXT - at,
                                   "%u.000000000,%s,%u,,CPU_CLK_UNHALTED.CORE,1000000000,100.00,,\n", i + 1, r[s].scope,
                                   r[s].cycles);
            for (size_t k = 0; k < 4; k++)
                at += (size_t)snprintf(text + at, TEXT - at, "%u.000000000,%s,%u,,%s,1000000000,100.00,,\n", i + 1,
                                       r[s].scope, r[s].cycles * 5 / 1000 * r[s].node[i][k], events[k]);
        }
}

/* Each interval of a recording, then its sums, to whoever wants them. */
static int read_all(const char *text, int (*take)(void *ctx, const struct td_result *), void *ctx)
{
    struct source s = {text, strlen(text), 4096, 0};
    struct td *td = td_new();
    const struct td_result *r;
    int err = 0;

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "adl-e") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!err && !td_next(td, &r)) {
        memory_go();
        err = take(ctx, r);
        memory_hold();
    }
    for (size_t i = 0; !err && !td_summary(td, i, &r); i++) {
        memory_go();
        err = take(ctx, r);
        memory_hold();
    }
    td_free(td);
    return err;
}

static int add(void *ctx, const struct td_result *r)
{
    return td_series_add(ctx, r);
}

static int series_of(const struct recorded *r, size_t scopes, struct td_series *out)
{
    char text[TEXT];

    write(text, r, scopes);
    return read_all(text, add, out);
}

static const struct td_difference *row_of(const struct td_comparison *c, const char *scope, const char *metric)
{
    static const struct td_difference none = {.na = SIZE_MAX};

    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->row[i].scope, scope) && !strcmp(c->row[i].metric, metric))
            return &c->row[i];
    return &none;
}

static bool near(double a, double b)
{
    return isnan(b) ? isnan(a) : fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

struct wanted {
    const char *metric;
    double a, b, saved;
    enum td_direction direction;
    enum td_difference_call call;
};

static void check(const struct td_comparison *c, const char *scope, const struct wanted *rows, size_t n, size_t points)
{
    for (size_t i = 0; i < n; i++) {
        const struct td_difference *d = row_of(c, scope, rows[i].metric);
        const bool share = !isnan(rows[i].saved);

        if (!near(d->a.value, rows[i].a) || !near(d->b.value, rows[i].b) || !near(d->saved, rows[i].saved) ||
            d->call != rows[i].call)
            printf("\n    %s: %g, %g, saved %g, call %d", rows[i].metric, d->a.value, d->b.value, d->saved, d->call);
        CU_ASSERT(near(d->a.value, rows[i].a) && near(d->b.value, rows[i].b) &&
                  near(d->diff.value, rows[i].b - rows[i].a) && near(d->saved, rows[i].saved));
        CU_ASSERT(d->direction == rows[i].direction && d->share == share && d->total == !share && d->side == 1 &&
                  d->level == (int)share && d->call == rows[i].call);
        CU_ASSERT(!share || (d->na == points && d->nb == points));
        CU_ASSERT_STRING_EQUAL(d->parent, "");
    }
}

#define STILL(a, b, c, d) \
    { \
        {a, b, c, d}, {a, b, c, d}, {a, b, c, d}, {a, b, c, d}, {a, b, c, d}, \
        { \
            a, b, c, d \
        } \
    }

static const struct td_comparison_settings settings = {.margin = 0.01, .confidence = 0.95, .seed = 1};

/* 6 s of 2,000 cycles a second are 60,000 slots, of 4,000 cycles 120,000. */
static void one_recording_each(void)
{
    static const struct recorded before[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)},
                                             {"CPU1", 2000, 6, STILL(500, 100, 300, 100)}},
                                 after[] = {{"CPU0", 4000, 6, STILL(250, 450, 200, 100)},
                                            {"CPU2", 4000, 6, STILL(250, 450, 200, 100)}};
    static const struct wanted rows[] = {
        {"retiring", 0.5, 0.25, 30000 - 30000, TD_DIRECTION_GOOD, TD_CALL_LESS},
        {"frontend_bound", 0.1, 0.45, 6000 - 54000, TD_DIRECTION_BAD, TD_CALL_MORE},
        {"backend_bound", 0.3, 0.2, 18000 - 24000, TD_DIRECTION_BAD, TD_CALL_LESS},
        {"bad_speculation", 0.1, 0.1, 6000 - 12000, TD_DIRECTION_BAD, TD_CALL_SAME},
        {"slots", 60000, 120000, NAN, TD_DIRECTION_UNCLEAR, TD_CALL_UNKNOWN},
        {"cycles", 12000, 24000, NAN, TD_DIRECTION_UNCLEAR, TD_CALL_UNKNOWN},
        {"time", 6, 6, NAN, TD_DIRECTION_UNCLEAR, TD_CALL_UNKNOWN},
    };
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison_settings of_tasks = settings;
    struct td_comparison c;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(before, 2, &a) && !series_of(after, 2, &b));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    check(&c, "CPU0", rows, 4, 6);
    for (size_t i = 4; i < LENGTH(rows); i++) {
        const struct td_difference *d = row_of(&c, "CPU0", rows[i].metric);

        CU_ASSERT(near(d->a.value, rows[i].a) && near(d->b.value, rows[i].b) && d->total && !d->share && !d->unbounded);
        CU_ASSERT_STRING_EQUAL(d->unit, i == 6 ? "s" : rows[i].metric);
    }
    CU_ASSERT_EQUAL(c.n, LENGTH(rows));
    CU_ASSERT(c.lone == 2 && !strcmp(c.lone_scope, "CPU1"));
    CU_ASSERT(c.verdicts == 1 && !strcmp(c.verdict[0].a, "backend_bound") &&
              !strcmp(c.verdict[0].b, "frontend_bound") && c.verdict[0].rows == LENGTH(rows) && !c.verdict[0].kind);
    CU_ASSERT(!c.courses && !c.cpu_a && !c.cpu_b);
    td_comparison_free(&c);
    of_tasks.kind = "task";
    CU_ASSERT_EQUAL(td_compare(sides, 2, &of_tasks, &c), -ENODATA);
    of_tasks.kind = a.scope[0].kind;
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &of_tasks, &c), 0);
    CU_ASSERT_EQUAL(c.n, LENGTH(rows));
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
}

/* A metric is found by its name, whatever its place; a scope of another name has the same kind of core. */
static void other_orders(void)
{
    static const struct recorded before[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 after[] = {{"CPU7", 2000, 6, STILL(450, 150, 300, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison in_order, c;
    struct td_series_scope *s;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(before, 1, &a) && !series_of(after, 1, &b));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &in_order), 0);
    s = b.scope;
    for (size_t i = 0; i < s->n / 2; i++) {
        const struct td_series_metric kept = s->metric[i];

        s->metric[i] = s->metric[s->n - 1 - i];
        s->metric[s->n - 1 - i] = kept;
    }
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    CU_ASSERT_EQUAL_FATAL(c.n, in_order.n);
    for (size_t i = 0; i < c.n; i++) {
        CU_ASSERT_STRING_EQUAL(c.row[i].metric, in_order.row[i].metric);
        CU_ASSERT(near(c.row[i].b.value, in_order.row[i].b.value) &&
                  near(c.row[i].diff.value, in_order.row[i].diff.value));
    }
    td_comparison_free(&c);
    td_comparison_free(&in_order);
    CU_ASSERT_STRING_EQUAL_FATAL(s->core, "E");
    *s->core = 'P';
    CU_ASSERT_EQUAL(td_compare(sides, 2, &settings, &c), -ENODATA);
    td_series_free(&a);
    td_series_free(&b);
}

/* A recording with one scope is compared with another's only one, whatever their names; three sides are compared with
 * the first. */
static void other_names(void)
{
    static const struct recorded before[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 after[] = {{"CPU7", 2000, 6, STILL(450, 150, 300, 100)}};
    struct td_series a = {0}, b = {0}, d = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}, {"c", &d, 1}};
    struct td_comparison c;
    unsigned of_second = 0;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(before, 1, &a) && !series_of(after, 1, &b) && !series_of(before, 1, &d));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 3, &settings, &c), 0);
    CU_ASSERT(c.n == 14 && c.verdicts == 2 && !c.lone);
    for (size_t i = 0; i < c.n; i++) {
        CU_ASSERT_STRING_EQUAL(c.row[i].scope, "CPU0");
        CU_ASSERT(c.row[i].side == 1 ? c.row[i].other && !strcmp(c.row[i].other, "CPU7") : !c.row[i].other);
        of_second += c.row[i].side == 2;
    }
    CU_ASSERT_EQUAL(of_second, 7);
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
    td_series_free(&d);
}

/* Three recordings a side: the mean of what they are as a whole, each counting once. 10,000, 20,000 and 60,000 slots
 * are 30,000 on average. */
static void several_runs(void)
{
    static const struct recorded
        before[] = {{"CPU0", 2000, 1, {{500, 100, 300, 100}}},
                    {"CPU0", 4000, 1, {{450, 200, 250, 100}}},
                    {"CPU0", 4000, 3, {{400, 300, 200, 100}, {400, 300, 200, 100}, {400, 300, 200, 100}}}},
        after[] = {{"CPU0", 2000, 1, {{200, 500, 200, 100}}},
                   {"CPU0", 2000, 2, {{200, 600, 100, 100}, {200, 600, 100, 100}}},
                   {"CPU0", 2000, 3, {{200, 700, 50, 50}, {200, 700, 50, 50}, {200, 700, 50, 50}}}};
    struct td_series runs[2][3] = {{{0}}};
    const struct td_side sides[] = {{"a", runs[0], 3}, {"b", runs[1], 3}};
    struct td_comparison c;
    const struct td_difference *d;

    if (!td_chance_available())
        return;
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_FATAL(!series_of(&before[i], 1, &runs[0][i]) && !series_of(&after[i], 1, &runs[1][i]));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    d = row_of(&c, "CPU0", "frontend_bound");
    CU_ASSERT(near(d->a.value, 0.2) && near(d->b.value, 0.6) && near(d->diff.value, 0.4) && d->na == 3 && d->nb == 3 &&
              d->basis == TD_BASIS_RUNS && d->call == TD_CALL_UNKNOWN); /* of a row in five too little is known */
    /* 0.2 of (10,000 + 20,000 + 60,000) / 3, 0.6 of (10,000 + 20,000 + 30,000) / 3 */
    CU_ASSERT(near(d->saved, 6000 - 12000));
    d = row_of(&c, "CPU0", "slots");
    CU_ASSERT(near(d->a.value, 30000) && near(d->b.value, 20000) && d->na == 3 && d->nb == 3);
    /* one of the first side's is limited by the backend */
    CU_ASSERT(c.verdicts == 1 && !c.verdict[0].a && c.verdict[0].b && !strcmp(c.verdict[0].b, "frontend_bound"));
    CU_ASSERT_EQUAL(c.courses, 0);
    td_comparison_free(&c);
    for (size_t i = 0; i < 3; i++) {
        td_series_free(&runs[0][i]);
        td_series_free(&runs[1][i]);
    }
}

#define SLOW \
    { \
        500, 100, 300, 100 \
    }
#define FAST \
    { \
        500, 300, 100, 100 \
    }

/* Both nodes change after the fifth interval of twelve. */
static void courses_and_phases(void)
{
    static const struct recorded steps[] = {
        {"CPU0", 2000, 12, {SLOW, SLOW, SLOW, SLOW, SLOW, FAST, FAST, FAST, FAST, FAST, FAST, FAST}}};
    static const struct recorded same[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(same, 1, &a) && !series_of(steps, 1, &b));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    CU_ASSERT_EQUAL_FATAL(c.courses, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct td_course *k = &c.course[i];
        const bool frontend = !strcmp(k->metric, "frontend_bound");

        CU_ASSERT(frontend || !strcmp(k->metric, "backend_bound"));
        CU_ASSERT(k->side == 1 && k->change == 5 && !k->trend && !strcmp(k->scope, "CPU0"));
        CU_ASSERT(near(k->before, frontend ? 0.1 : 0.3) && near(k->after, frontend ? 0.3 : 0.1));
    }
    td_comparison_free(&c);
    CU_ASSERT_EQUAL_FATAL(td_compare((const struct td_side[]){sides[1], sides[0]}, 2, &settings, &c), 0);
    CU_ASSERT_EQUAL(c.courses, 2); /* of the first side they are told once */
    for (size_t i = 0; i < c.courses; i++)
        CU_ASSERT(c.course[i].side == 0 && c.course[i].change == 5);
    td_comparison_free(&c);
    CU_ASSERT_EQUAL_FATAL(td_compare((const struct td_side[]){sides[1], sides[0], sides[0]}, 3, &settings, &c), 0);
    CU_ASSERT_EQUAL(c.courses, 2);
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
}

/* Of a side with several scopes none is another's counterpart by being the only one. */
static void no_counterparts(void)
{
    static const struct recorded one[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 two[] = {{"CPU1", 2000, 6, STILL(500, 100, 300, 100)},
                                          {"CPU2", 2000, 6, STILL(500, 100, 300, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side forth[] = {{"a", &a, 1}, {"b", &b, 1}}, back[] = {{"b", &b, 1}, {"a", &a, 1}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(one, 1, &a) && !series_of(two, 2, &b));
    CU_ASSERT_EQUAL(td_compare(forth, 2, &settings, &c), -ENODATA);
    CU_ASSERT_EQUAL(td_compare(back, 2, &settings, &c), -ENODATA);
    td_series_free(&a);
    td_series_free(&b);
}

/* Bounds of a whole of which no interval has any, half of whose width counts: 0.03 and 0.01. */
static void bound(struct td_series *s, double below, double above)
{
    for (size_t i = 0; i < s->scope->n; i++) {
        struct td_series_metric *m = &s->scope->metric[i];

        m->bounds = TD_BOUNDS_SOUND;
        m->low = m->value - below;
        m->high = m->value + above;
        m->bounded = 0;
    }
}

static void own_widths(void)
{
    static const struct recorded before[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 after[] = {{"CPU0", 2000, 6, STILL(500, 200, 200, 100)}};
    struct td_series a[2] = {{0}}, b[2] = {{0}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_FATAL(!series_of(before, 1, &a[i]) && !series_of(after, 1, &b[i]));
        bound(&a[i], 0.02, 0.04);
        bound(&b[i], 0.01, 0.01);
    }
    for (size_t runs = 1; runs <= 2; runs++) { /* intervals of one recording each, and two recordings */
        const struct td_side sides[] = {{"a", a, runs}, {"b", b, runs}};
        const struct td_difference *d;

        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        d = row_of(&c, "CPU0", "frontend_bound");
        CU_ASSERT_EQUAL(d->basis, runs == 1 ? TD_BASIS_INTERVALS : TD_BASIS_RUNS);
        CU_ASSERT(near(d->fixed_low, 0.04) && near(d->fixed_high, 0.04) && !d->unbounded);
        td_comparison_free(&c);
    }
    for (size_t i = 0; i < 2; i++) {
        td_series_free(&a[i]);
        td_series_free(&b[i]);
    }
}

/* Two intervals each are series already, one is none. */
static void short_series(void)
{
    for (unsigned n = 1; n <= 3; n++) {
        const struct recorded before = {"CPU0", 2000, n, STILL(500, 100, 300, 100)},
                              after = {"CPU0", 2000, n, STILL(500, 200, 200, 100)};
        struct td_series a = {0}, b = {0};
        const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
        struct td_comparison c;
        const struct td_difference *d;

        if (!td_chance_available())
            return;
        CU_ASSERT_FATAL(!series_of(&before, 1, &a) && !series_of(&after, 1, &b));
        bound(&a, 0.02, 0.04);
        bound(&b, 0.01, 0.01);
        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        d = row_of(&c, "CPU0", "frontend_bound");
        CU_ASSERT_EQUAL(d->basis, n == 1 ? TD_BASIS_SOUND : TD_BASIS_INTERVALS);
        CU_ASSERT(d->na == n && d->nb == n);
        td_comparison_free(&c);
        td_series_free(&a);
        td_series_free(&b);
    }
}

/* Bounds of the intervals themselves: half widths of 0.01 and 0.03 on average. The shares stand still, so that nothing
 * of 0.01 averages out: 0.03 - 0.01 + 2 x 0.01. Where one interval has none, only the scatter is known. */
static void widths_of_intervals(void)
{
    static const struct recorded before[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 after[] = {{"CPU0", 2000, 6, STILL(500, 200, 200, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(before, 1, &a) && !series_of(after, 1, &b));
    for (size_t bounded = 5; bounded <= 6; bounded++) {
        struct td_comparison c;
        const struct td_difference *d;

        for (size_t i = 0; i < a.scope->n; i++) {
            a.scope->metric[i].width = 6 * 0.01;
            b.scope->metric[i].width = 6 * 0.03;
            a.scope->metric[i].bounds = b.scope->metric[i].bounds = TD_BOUNDS_NONE;
            a.scope->metric[i].bounded = 6;
            b.scope->metric[i].bounded = bounded;
        }
        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        d = row_of(&c, "CPU0", "frontend_bound");
        CU_ASSERT(near(d->fixed_low, bounded == 6 ? 0.04 : 0.01) && d->unbounded == (bounded < 6));
        td_comparison_free(&c);
    }
    td_series_free(&a);
    td_series_free(&b);
}

/* Where one side has two recordings, the other one's counts as a run, too, whatever its intervals. */
static void one_run_against_two(void)
{
    static const struct recorded one[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)}},
                                 other[] = {{"CPU0", 2000, 6, STILL(500, 200, 200, 100)}};
    struct td_series a[2] = {{0}}, b = {0};
    const struct td_side forth[] = {{"a", a, 2}, {"b", &b, 1}}, back[] = {{"b", &b, 1}, {"a", a, 2}};

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(one, 1, &a[0]) && !series_of(other, 1, &a[1]) && !series_of(one, 1, &b));
    for (unsigned i = 0; i < 2; i++) {
        struct td_comparison c;
        const struct td_difference *d;

        CU_ASSERT_EQUAL_FATAL(td_compare(i ? back : forth, 2, &settings, &c), 0);
        d = row_of(&c, "CPU0", "frontend_bound");
        CU_ASSERT(d->basis == TD_BASIS_RUNS && d->na == (i ? 1 : 2) && d->nb == (i ? 2 : 1));
        CU_ASSERT(near(d->a.value, i ? 0.1 : 0.15) && near(d->b.value, i ? 0.15 : 0.1));
        td_comparison_free(&c);
    }
    td_series_free(&a[0]);
    td_series_free(&a[1]);
    td_series_free(&b);
}

/* ---- scopes and metrics that are not as recorded -------------------------------------------------- */

static void rename_to(char **text, const char *to)
{
    free(*text);
    *text = strdup(to);
    CU_ASSERT_PTR_NOT_NULL_FATAL(*text);
}

static struct td_series_metric *metric_of(struct td_series_scope *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (!strcmp(s->metric[i].name, name))
            return &s->metric[i];
    CU_FAIL_FATAL("no such metric");
    return NULL;
}

/* The slots of shares: 0.5 of 1,000 less 0.25 of 1,600. As many are as many, however they are rounded: within 1e-12 of
 * the slots of both. What is no share of slots saves none. */
static void slots_saved(void)
{
    static const struct recorded any[] = {{"CPU0", 2000, 1, STILL(500, 100, 300, 100)}};
    static const struct {
        const char *unit;
        bool share;
        double a, slots_a, b, slots_b, saved;
    } rows[] = {
        {"slots", true, 0.5, 1000, 0.25, 1600, 100},
        {"slots", true, 0.25, 1600, 0.5, 1000, -100},
        {"slots", true, 0.1 + 0.2, 1000, 0.3, 1000, 0}, /* 5.7e-14 more */
        {"slots", true, 0.3, 1000, 0.1 + 0.2, 1000, 0},
        {"slots", true, 1e-12, 1, 0.5, 0, 1e-12}, /* just as much as is none below it */
        {"slots", true, 0.9e-12, 1, 0.5, 0, 0},
        {"stalls", true, 0.5, 1000, 0.25, 1600, NAN},
        {"slots", false, 0.5, 1000, 0.25, 1600, NAN},
        {"slots", true, 0.5, NAN, 0.25, 1600, NAN},
    };

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_series a = {0}, b = {0};
        const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
        struct td_series_metric *m;
        struct td_comparison c;
        double saved;

        CU_ASSERT_FATAL(!series_of(any, 1, &a) && !series_of(any, 1, &b));
        m = metric_of(a.scope, "frontend_bound");
        rename_to(&m->unit, rows[i].unit);
        m->kind = rows[i].share ? TD_METRIC_NODE : TD_METRIC_INFO;
        m->value = rows[i].a;
        m->n = metric_of(b.scope, "frontend_bound")->n = 0; /* only the whole is known */
        metric_of(b.scope, "frontend_bound")->value = rows[i].b;
        a.scope->total[TD_TOTAL_SLOTS] = rows[i].slots_a;
        b.scope->total[TD_TOTAL_SLOTS] = rows[i].slots_b;
        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        saved = row_of(&c, "CPU0", "frontend_bound")->saved;
        CU_ASSERT(row_of(&c, "CPU0", "frontend_bound")->na == 1 && row_of(&c, "CPU0", "frontend_bound")->nb == 1);
        if (saved != rows[i].saved && !isnan(rows[i].saved))
            printf("\n    case %zu: %g", i, saved);
        CU_ASSERT(isnan(rows[i].saved) ? isnan(saved) : saved == rows[i].saved);
        td_comparison_free(&c);
        td_series_free(&a);
        td_series_free(&b);
    }
}

/* A node is as its root is: bad where that loses slots. What is no node is good where it is the speed, or unclear. */
static void directions(void)
{
    static const struct recorded any[] = {{"CPU0", 2000, 1, STILL(500, 100, 300, 100)}};
    static const struct {
        const char *name, *parent;
        bool node;
        enum td_direction direction;
    } rows[] = {
        {"x", "retiring", true, TD_DIRECTION_UNCLEAR},   {"x", "backend_bound", true, TD_DIRECTION_BAD},
        {"x", "frontend_bound", true, TD_DIRECTION_BAD}, {"x", "backend_bound", false, TD_DIRECTION_UNCLEAR},
        {"x", "", true, TD_DIRECTION_UNCLEAR},           {"x", "no such node", true, TD_DIRECTION_UNCLEAR},
        {"bad_speculation", "", true, TD_DIRECTION_BAD}, {"bad_speculation", "", false, TD_DIRECTION_UNCLEAR},
        {"ipc", "", false, TD_DIRECTION_GOOD},           {"retiring", "", false, TD_DIRECTION_GOOD},
    };

    for (size_t i = 0; td_chance_available() && i < LENGTH(rows); i++) {
        struct td_series a = {0}, b = {0};
        const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
        struct td_comparison c;

        CU_ASSERT_FATAL(!series_of(any, 1, &a) && !series_of(any, 1, &b));
        for (unsigned side = 0; side < 2; side++) {
            struct td_series_metric *m = metric_of(side ? b.scope : a.scope, "bad_speculation");

            rename_to(&m->name, rows[i].name);
            rename_to(&m->parent, rows[i].parent);
            m->kind = rows[i].node ? TD_METRIC_NODE : TD_METRIC_INFO;
            m->flags = side == i % 3 ? TD_FLAG_NEGATIVE : 0;
        }
        if (!strcmp(rows[i].name, "retiring")) /* there are not two of one name */
            for (unsigned side = 0; side < 2; side++)
                rename_to(&(side ? b.scope : a.scope)->metric[0].name, "other");
        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        CU_ASSERT_EQUAL(row_of(&c, "CPU0", rows[i].name)->direction, rows[i].direction);
        CU_ASSERT_EQUAL(row_of(&c, "CPU0", rows[i].name)->flagged, i % 3 < 2);
        td_comparison_free(&c);
        td_series_free(&a);
        td_series_free(&b);
    }
}

/* Parents in a circle end somewhere: after as many steps as there are levels, an even or an odd number. */
static void circles(void)
{
    static const struct recorded any[] = {{"CPU0", 2000, 1, STILL(500, 100, 300, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(any, 1, &a) && !series_of(any, 1, &b));
    rename_to(&metric_of(a.scope, "frontend_bound")->parent, "retiring");
    rename_to(&metric_of(a.scope, "retiring")->parent, "frontend_bound");
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    CU_ASSERT_EQUAL(row_of(&c, "CPU0", "frontend_bound")->direction,
                    TD_LEVELS % 2 ? TD_DIRECTION_UNCLEAR : TD_DIRECTION_BAD);
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
}

/* A total or a metric that only one side has is none; of several runs, those that have it count. */
static void totals_of_one_side(void)
{
    static const struct recorded any[] = {{"CPU0", 2000, 1, STILL(500, 100, 300, 100)}};
    struct td_series a[2] = {{0}}, b[2] = {{0}};
    const struct td_side sides[] = {{"a", a, 2}, {"b", b, 2}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_FATAL(!series_of(any, 1, &a[i]) && !series_of(any, 1, &b[i]));
        a[i].scope->total[TD_TOTAL_TIME] = (double)NAN;
        b[i].scope->total[TD_TOTAL_SLOTS] = (double)NAN;
        a[i].scope->total[TD_TOTAL_INSTRUCTIONS] = i ? 500 : (double)NAN;
        b[i].scope->total[TD_TOTAL_INSTRUCTIONS] = i ? (double)NAN : 700;
        a[i].scope->total[TD_TOTAL_CYCLES] = 1000;
        b[i].scope->total[TD_TOTAL_CYCLES] = 1000 + 500 * i;
    }
    metric_of(a[0].scope, "frontend_bound")->value = (double)NAN;
    metric_of(b[1].scope, "frontend_bound")->value = 0.75;
    metric_of(b[0].scope, "backend_bound")->value = (double)NAN;
    rename_to(&metric_of(b[1].scope, "backend_bound")->name, "other");
    free(a[0].scope->verdict);
    free(b[1].scope->verdict);
    a[0].scope->verdict = b[1].scope->verdict = NULL;
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    CU_ASSERT(row_of(&c, "CPU0", "backend_bound")->na == SIZE_MAX && row_of(&c, "CPU0", "other")->na == SIZE_MAX);
    CU_ASSERT(row_of(&c, "CPU0", "frontend_bound")->na == 1 && row_of(&c, "CPU0", "frontend_bound")->nb == 2);
    CU_ASSERT(near(row_of(&c, "CPU0", "frontend_bound")->a.value, 0.1) &&
              near(row_of(&c, "CPU0", "frontend_bound")->b.value, (0.1 + 0.75) / 2));
    CU_ASSERT(c.verdicts == 1 && !c.verdict[0].a && !c.verdict[0].b); /* all runs have to have one */
    CU_ASSERT(row_of(&c, "CPU0", "time")->na == SIZE_MAX && row_of(&c, "CPU0", "slots")->na == SIZE_MAX);
    CU_ASSERT(row_of(&c, "CPU0", "instructions")->a.value == 500 && row_of(&c, "CPU0", "instructions")->b.value == 700);
    CU_ASSERT(row_of(&c, "CPU0", "instructions")->na == 1 && row_of(&c, "CPU0", "instructions")->nb == 1);
    CU_ASSERT(row_of(&c, "CPU0", "cycles")->a.value == 1000 && row_of(&c, "CPU0", "cycles")->b.value == 1250);
    CU_ASSERT(isnan(row_of(&c, "CPU0", "retiring")->saved));
    td_comparison_free(&c);
    for (unsigned i = 0; i < 2; i++) {
        td_series_free(&a[i]);
        td_series_free(&b[i]);
    }
}

/* Scopes of one name and kind are told apart by their kind of core, which another name's counterpart must have; those
 * of one name and several kinds are not the only ones of a side. */
static void kinds(void)
{
    static const struct recorded one[] = {{"CPU0", 2000, 1, STILL(500, 100, 300, 100)}},
                                 two[] = {{"CPU7", 2000, 1, STILL(500, 100, 300, 100)},
                                          {"CPU8", 2000, 1, STILL(400, 200, 300, 100)}};
    struct td_series a = {0}, b = {0};
    const struct td_side forth[] = {{"a", &a, 1}, {"b", &b, 1}}, back[] = {{"b", &b, 1}, {"a", &a, 1}};
    struct td_comparison_settings set = settings;
    struct td_comparison c;

    if (!td_chance_available())
        return;
    CU_ASSERT_FATAL(!series_of(one, 1, &a) && !series_of(two, 2, &b));
    rename_to(&b.scope[0].name, "CPU9");
    rename_to(&b.scope[1].name, "CPU9");
    rename_to(&b.scope[0].core, "P");
    CU_ASSERT_EQUAL_FATAL(td_compare(forth, 2, &settings, &c), 0);
    CU_ASSERT(c.lone == 1 && near(row_of(&c, "CPU0", "retiring")->b.value, 0.4));
    td_comparison_free(&c);
    CU_ASSERT_EQUAL_FATAL(td_compare(back, 2, &settings, &c), 0);
    CU_ASSERT(c.lone == 1 && near(row_of(&c, "CPU9", "retiring")->a.value, 0.4));
    td_comparison_free(&c);
    rename_to(&b.scope[0].core, "E");
    rename_to(&b.scope[0].kind, "task");
    CU_ASSERT_EQUAL(td_compare(forth, 2, &settings, &c), -ENODATA);
    CU_ASSERT_EQUAL(td_compare(back, 2, &settings, &c), -ENODATA);
    set.kind = a.scope->kind; /* without the tasks there is one */
    CU_ASSERT_EQUAL_FATAL(td_compare(forth, 2, &set, &c), 0);
    CU_ASSERT(c.lone == 0 && near(row_of(&c, "CPU0", "retiring")->b.value, 0.4));
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
}

/* ---- without memory ------------------------------------------------------------------------------ */

static const struct recorded left[] = {{"CPU0", 2000, 6, STILL(500, 100, 300, 100)},
                                       {"CPU1", 2000, 3, STILL(450, 150, 300, 100)}},
                             right[] = {{"CPU0", 4000, 6, STILL(250, 450, 200, 100)},
                                        {"CPU1", 4000, 6, STILL(250, 400, 250, 100)}};

/* Both scopes' totals and nodes, seven each. */
static int compare_two(struct td_series *a, struct td_series *b, size_t runs, bool paired)
{
    const struct td_side sides[] = {{"a", a, runs}, {"b", b, runs}};
    struct td_comparison_settings set = settings;
    struct td_comparison c;
    int err;

    set.paired = paired;
    err = td_compare(sides, 2, &set, &c);
    if (!err) {
        CU_ASSERT(c.n == 14 && c.verdicts == 2 && c.verdict[0].rows == 7 && c.verdict[1].rows == 7);
        td_comparison_free(&c);
    }
    return err;
}

static int compared(void *ctx)
{
    struct td_series a = {0}, b = {0};
    int err;

    (void)ctx;
    memory_hold(); /* what reads the recordings is not asked here */
    err = series_of(left, 2, &a);
    err = err ? err : series_of(right, 2, &b);
    memory_go();
    if (!err && td_chance_available()) {
        struct td_series forth[] = {a, b}, back[] = {b, a};

        err = compare_two(&a, &b, 1, false);
        err = err ? err : compare_two(forth, back, 2, true);
    }
    td_series_free(&a);
    td_series_free(&b);
    return err;
}

struct lines {
    struct td_timeline line;
    unsigned n;
};

static int add_line(void *ctx, const struct td_result *r)
{
    struct lines *l = ctx;

    return td_result_is_summary(r) ? 0 : td_timeline_add(&l->line, r, NULL);
}

static int lined(void *ctx)
{
    static const struct recorded steps[] = {
        {"CPU0", 2000, 12, {SLOW, SLOW, SLOW, SLOW, SLOW, FAST, FAST, FAST, FAST, FAST, FAST, FAST}},
        {"CPU1", 2000, 12, {SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, FAST, FAST, FAST, FAST}}};
    struct lines l = {.n = 0};
    char text[TEXT];
    int err;

    (void)ctx;
    memory_hold();
    write(text, steps, 2);
    err = read_all(text, add_line, &l);
    memory_go();
    err = err || !td_chance_available() ? err : td_timeline_cut(&l.line);
    if (!err && td_chance_available()) {
        static const size_t cut[] = {5, 8};

        CU_ASSERT_EQUAL(l.line.n, 2);
        for (size_t i = 0; i < l.line.n; i++) {
            const struct td_timeline_scope *s = &l.line.scope[i];

            CU_ASSERT(s->nodes == 4 && s->n == 12 && s->phases == 2 && s->first[0] == 0 && s->first[1] == cut[i]);
            CU_ASSERT(td_timeline_phase(s, 0) == 0 && td_timeline_phase(s, cut[i] - 1) == 0 &&
                      td_timeline_phase(s, cut[i]) == 1 && td_timeline_phase(s, 11) == 1);
            CU_ASSERT(td_timeline_begin(s, 1) == cut[i] * UINT64_C(1000000000));
            CU_ASSERT(s->end[0] == UINT64_C(1000000000) && s->end[11] == UINT64_C(12000000000));
        }
    }
    td_timeline_free(&l.line);
    return err;
}

static int add_at_once(void *ctx, const struct td_result *r)
{
    return td_series_add_all(ctx, r);
}

/* Results that are an interval and all of a recording at once. */
static int added_at_once(void *ctx)
{
    struct td_series s = {0};
    char text[TEXT];
    int err;

    (void)ctx;
    memory_hold();
    write(text, left, 1);
    err = read_all(text, add_at_once, &s);
    memory_go();
    if (!err)
        CU_ASSERT(s.n == 1 && s.scope->metric->n == 7 &&
                  near(s.scope->metric->value, s.scope->metric->point[6].value) &&
                  near(s.scope->total[TD_TOTAL_SLOTS], 60000)); /* six intervals, and their sum */
    td_series_free(&s);
    return err;
}

static void without_memory(void)
{
    const unsigned long step = unit_rounds(100) == 1 ? 2 : 1;

    memory_each(compared, NULL, step, true); /* without room for deviations nothing is known of neighbours */
    memory_each(lined, NULL, step, false);
    memory_each(added_at_once, NULL, 1, false);
}

/* In 12 intervals, shares that are 5 % above or below their mean. */
static void fill_signs(struct recorded *r, const char *first, const char *second)
{
    for (unsigned i = 0; i < INTERVALS; i++) {
        const unsigned up = first[i] == '+' ? 50 : 0, other = second[i] == '+' ? 50 : 0;

        r->node[i][0] = 400 + up;
        r->node[i][1] = 300 - up;
        r->node[i][2] = 200 + other;
        r->node[i][3] = 100 - other;
    }
}

/* Of each such series the neighbours' products add up to 3 or 1 of 12, so that their correlation is (3 + 1) / 8 = 0.5
 * or (1 + 1) / 8 = 0.25, less than what a series of 12 shows by itself (0.75). What all nodes have on average tells
 * more: 0.375 before, which makes 1.375 / 0.625 = 2.2 points one, and leaves 12 / 2.2 - 1 degrees of freedom; 0.25
 * after, where nodes that stay as they are tell nothing: 12 * 0.75 / 1.25 - 1. */
static void neighbours_of_nodes(void)
{
    struct recorded before = {"CPU0", 2000, 12, {{0}}}, after = {"CPU0", 2000, 12, {{0}}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison c;
    size_t nodes = 0;

    if (!td_chance_available())
        return;
    fill_signs(&before, "++++-+-----+", "++++-+-+----");
    fill_signs(&after, "++++-+-+----", "------------");
    CU_ASSERT_FATAL(!series_of(&before, 1, &a) && !series_of(&after, 1, &b));
    CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
    for (size_t i = 0; i < c.n; i++)
        if (c.row[i].share) {
            nodes++;
            CU_ASSERT(c.row[i].na == 12 && c.row[i].nb == 12);
            CU_ASSERT_DOUBLE_EQUAL(c.row[i].degrees_a, 12 / 2.2 - 1, 1e-6);
            CU_ASSERT_DOUBLE_EQUAL(c.row[i].degrees_b, 6.2, 1e-6);
        }
    CU_ASSERT_EQUAL(nodes, 4);
    td_comparison_free(&c);
    td_series_free(&a);
    td_series_free(&b);
}

/* Widths of 0.01 and 0.03 of shares that scatter by more, so that nothing of their rounding is left: what both have in
 * common cancels where they were measured by one formula on one CPU; else both count. */
static void measured_alike(void)
{
    struct recorded any = {"CPU0", 2000, 12, {{0}}};
    struct td_series a = {0}, b = {0};
    const struct td_side sides[] = {{"a", &a, 1}, {"b", &b, 1}};
    struct td_comparison c;

    if (!td_chance_available())
        return;
    fill_signs(&any, "+-+-+-+-+-+-", "+-+-+-+-+-+-");
    CU_ASSERT_FATAL(!series_of(&any, 1, &a) && !series_of(&any, 1, &b));
    for (size_t i = 0; i < a.scope->n; i++) {
        a.scope->metric[i].width = 12 * 0.01;
        b.scope->metric[i].width = 12 * 0.03;
        a.scope->metric[i].bounded = b.scope->metric[i].bounded = 12;
    }
    rename_to(&a.scope->cpu, "one");
    rename_to(&a.scope->formula, "one");
    for (unsigned i = 0; i < 3; i++) { /* another CPU; another formula; neither */
        rename_to(&b.scope->cpu, i == 0 ? "other" : "one");
        rename_to(&b.scope->formula, i == 1 ? "other" : "one");
        CU_ASSERT_EQUAL_FATAL(td_compare(sides, 2, &settings, &c), 0);
        CU_ASSERT_DOUBLE_EQUAL(row_of(&c, "CPU0", "frontend_bound")->fixed_low, i == 2 ? 0.02 : 0.04, 1e-6);
        CU_ASSERT(i == 0 ? c.cpu_a && !strcmp(c.cpu_a, "one") && !strcmp(c.cpu_b, "other") : !c.cpu_a && !c.cpu_b);
        td_comparison_free(&c);
    }
    td_series_free(&a);
    td_series_free(&b);
}

static const CU_TestInfo tests[] = {
    {"short series", short_series},
    {"own widths", own_widths},
    {"widths of intervals", widths_of_intervals},
    {"one run against two", one_run_against_two},
    {"slots saved", slots_saved},
    {"directions", directions},
    {"parents in a circle", circles},
    {"totals of one side", totals_of_one_side},
    {"kinds of scopes", kinds},
    {"measured alike", measured_alike},
    {"no counterparts", no_counterparts},
    {"one recording each", one_recording_each},
    {"other orders", other_orders},
    {"other names", other_names},
    {"several runs", several_runs},
    {"neighbours of all nodes", neighbours_of_nodes},
    {"courses", courses_and_phases},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rows of comparisons", tests);
