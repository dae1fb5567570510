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
        CU_ASSERT(c.n == 14 && c.verdicts == 2);
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

static void without_memory(void)
{
    const unsigned long step = unit_rounds(100) == 1 ? 2 : 1;

    memory_each(compared, NULL, step, true); /* without room for deviations nothing is known of neighbours */
    memory_each(lined, NULL, step, false);
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

static const CU_TestInfo tests[] = {
    {"short series", short_series},
    {"own widths", own_widths},
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
