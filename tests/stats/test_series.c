/* SPDX-License-Identifier: MIT */
/* What one recording says, by hand: points and their weights, the whole, totals, names of places. */
#include "stats/series.h"

#include "tests/support/made_result.h"
#include "tests/support/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- totals ------------------------------------------------------------------------------------------ */

static void totals_are(struct made_result *m, double slots, double cycles, double instructions, double time)
{
    const double wanted[TD_TOTALS] = {slots, cycles, instructions, time};
    double got[TD_TOTALS];

    td_totals_of(&m->r, got);
    for (size_t i = 0; i < TD_TOTALS; i++)
        CU_ASSERT(isnan(wanted[i]) ? isnan(got[i]) : got[i] == wanted[i]);
}

/* A count by its name, whoever gave it; the first of several copies; slots by the CPU's width, 6 of spr, where they
 * were not counted; half of what both siblings' clock counted. */
static void totals(void)
{
    static const char *texts[3];
    const double none = (double)NAN;
    struct made_result m;

    made_begin(&m);
    m.r.texts = texts;
    m.counts.n = 0;
    totals_are(&m, none, none, none, 0.25);
    m.r.at.duration = 0;
    totals_are(&m, none, none, none, none);
    for (uint32_t i = 0; i < 3; i++)
        m.count[i] = (struct td_count){.text = i, .value = 10 * (i + 1)};
    m.counts.n = 1;
    texts[0] = "cpu_core/Cycles,x/u";
    totals_are(&m, 60, 10, none, none);
    texts[0] = "cycles:u";
    totals_are(&m, 60, 10, none, none);
    m.r.cpu = "no such CPU";
    totals_are(&m, none, 10, none, none);
    m.r.cpu = "spr|none";
    totals_are(&m, 60, 10, none, none);
    texts[0] = "cpu_clk_unhalted.thread_any";
    totals_are(&m, 30, 5, none, none);
    m.counts.n = 3;
    texts[1] = "cycles";
    texts[2] = "TOPDOWN.SLOTS";
    totals_are(&m, 30, 20, none, none);
    texts[0] = "inst_retired.any";
    texts[2] = "INSTRUCTIONS";
    totals_are(&m, 120, 20, 10, none);
    m.count[0].status = TD_NOT_COUNTED;
    totals_are(&m, 120, 20, 30, none);
    CU_ASSERT_STRING_EQUAL(td_total_name(TD_TOTAL_SLOTS), "slots");
    CU_ASSERT_STRING_EQUAL(td_total_name(TD_TOTAL_TIME), "time");
}

/* ---- intervals and the whole -------------------------------------------------------------------------- */

static const char *const slots_text[] = {"slots"};

/* An interval of so many slots; verdicts are not asked for. */
static void interval(struct made_result *m, size_t metrics, double slots)
{
    made_begin(m);
    m->r.uarch = td_uarch_by_name("spr");
    m->r.texts = slots_text;
    m->r.nmetrics = metrics;
    m->counts.n = 1;
    m->count[0] = (struct td_count){.event = TD_EVENT_UNKNOWN, .value = slots};
}

/* Points are weighed by slots; an interval without any weighs nothing, one of a single slot or less something. */
static void points(void)
{
    struct made_result m;
    struct td_series s = {.n = 0};
    const struct td_series_metric *to;

    interval(&m, 2, 100);
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    interval(&m, 1, 0);
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    interval(&m, 2, 0.5);
    m.metric[0].value = 0.25;
    m.metric[0].bounds = TD_BOUNDS_NONE;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    interval(&m, 2, 1);
    m.metric[1].status = TD_NOT_COUNTED;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    CU_ASSERT(s.n == 1 && s.scope->n == 2 && s.scope->weighed == TD_TOTAL_SLOTS && s.scope->started);
    CU_ASSERT_STRING_EQUAL(s.scope->name, "S0-C1");
    CU_ASSERT_STRING_EQUAL(s.scope->cpu, "spr");
    to = &s.scope->metric[0];
    CU_ASSERT_STRING_EQUAL(to->name, "retiring");
    CU_ASSERT_EQUAL_FATAL(to->n, 3);
    CU_ASSERT(to->point[0].value == 0.5 && to->point[0].weight == 100);
    CU_ASSERT(to->point[1].value == 0.25 && to->point[1].weight == 0.5 && to->point[2].weight == 1);
    CU_ASSERT_EQUAL(to->bounded, 2);
    CU_ASSERT_DOUBLE_EQUAL(to->width, 2 * 0.06, 1e-12);
    CU_ASSERT(isnan(to->value) && isnan(to->low) && isnan(to->high));
    for (size_t i = 0; i < TD_TOTALS; i++) /* intervals alone have no sums */
        CU_ASSERT(isnan(s.scope->total[i]));
    CU_ASSERT_EQUAL(s.scope->metric[1].n, 2);
    td_series_free(&s);
}

/* A metric is known by its name, wherever a later interval has it. */
static void other_orders(void)
{
    struct made_result m;
    struct td_series s = {.n = 0};
    struct td_metric kept;

    interval(&m, 2, 100);
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    m.r.metrics = m.metric + 1;
    m.r.nmetrics = 1;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    m.r.metrics = m.metric;
    m.r.nmetrics = 2;
    kept = m.metric[0];
    m.metric[0] = m.metric[1];
    m.metric[1] = kept;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    CU_ASSERT_EQUAL_FATAL(s.scope->n, 2);
    CU_ASSERT(s.scope->metric[0].n == 2 && s.scope->metric[0].point[1].value == 0.5);
    CU_ASSERT(s.scope->metric[1].n == 3 && s.scope->metric[1].point[2].value == 0.06);
    td_series_free(&s);
}

/* Without any total all intervals weigh the same; what comes first decides for all. */
static void weights(void)
{
    struct made_result m;
    struct td_series s = {.n = 0};

    interval(&m, 1, 1);
    m.counts.n = 0;
    m.r.at.duration = 0;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    m.counts.n = 1;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    CU_ASSERT_EQUAL(s.scope->weighed, TD_TOTALS);
    CU_ASSERT(s.scope->metric[0].point[0].weight == 1 && s.scope->metric[0].point[1].weight == 1);
    td_series_free(&s);
    interval(&m, 1, 1);
    m.counts.n = 0;
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    CU_ASSERT_EQUAL(s.scope->weighed, TD_TOTAL_TIME);
    CU_ASSERT_EQUAL(s.scope->metric[0].point[0].weight, 0.25);
    td_series_free(&s);
}

/* The speed is as sure as its counts, which are of all of the time or of a part of it. */
static void speeds(void)
{
    static const struct {
        double coverage;
        size_t bounded;
    } rows[] = {{1, 1}, {0.999, 0}, {(double)NAN, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct made_result m;
        struct td_series s = {.n = 0};
        const struct td_series_metric *ipc;

        interval(&m, 1, 100);
        m.counts.n = 2;
        m.count[0] = (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, "cycles"), .value = 400};
        m.count[1] =
            (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, "instructions"), .value = 500};
        m.r.coverage = rows[i].coverage;
        CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
        ipc = &s.scope->metric[s.scope->n - 1];
        CU_ASSERT_STRING_EQUAL(ipc->name, TD_SERIES_IPC);
        CU_ASSERT(ipc->n == 1 && ipc->point[0].value == 1.25 && ipc->bounded == rows[i].bounded && ipc->width == 0);
        td_series_free(&s);
    }
}

/* A result that has the speed among its metrics has it once. */
static void own_speed(void)
{
    struct made_result m;
    struct td_series s = {.n = 0};
    size_t found = 0;

    interval(&m, MADE_METRICS, 100);
    m.counts.n = 2;
    m.count[0] = (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, "cycles"), .value = 100};
    m.count[1] = (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, "instructions"), .value = 200};
    CU_ASSERT_EQUAL(td_series_add(&s, &m.r), 0);
    for (size_t i = 0; i < s.scope->n; i++)
        if (!strcmp(s.scope->metric[i].name, TD_SERIES_IPC)) {
            found++;
            CU_ASSERT(s.scope->metric[i].n == 1 && s.scope->metric[i].point[0].value == 1.25);
        }
    CU_ASSERT_EQUAL(found, 1);
    td_series_free(&s);
}

/* ---- places ------------------------------------------------------------------------------------------ */

static struct td_metric place_metric[2];
static struct td_verdict place_verdict = {.status = TD_VERDICT_LIKELY, .node = place_metric};
static const struct td_metric *const place_metrics[] = {&place_metric[0], &place_metric[1]};
static struct td_estimates place_of = {.metric = place_metrics, .metrics = 2, .verdict = &place_verdict};
static struct td_function places[] = {
    {.name = "f", .dso = "/lib/a.so", .of = &place_of, .slots = 3},
    {.name = "f", .dso = "b.so", .of = &place_of, .slots = 4},
    {.name = "g", .dso = "/lib/a.so", .of = &place_of, .slots = 5},
    {.name = "f", .of = &place_of, .slots = 6},
    {.name = "h", .of = &place_of, .slots = 7, .status = TD_PLACE_SMEARED},
};

static int add_places(struct td_series *s)
{
    struct td_function *all[] = {&places[0], &places[1], &places[2], &places[3], &places[4]};
    const struct td_functions f = {.function = all, .n = 5, .kind = "function", .cpu = "spr", .formula = "x"};

    *place_metric = made_metric("retiring", "", 1, 0.5);
    made_bounds(place_metric, TD_BOUNDS_LIKELY, 0.4, 0.6);
    place_metric[1] = made_metric("backend_bound", "", 1, 0.25);
    return td_series_add_functions(s, &f);
}

static const struct td_series_scope *find_place(const struct td_series *s, const char *name)
{
    return td_series_find(s, &(struct td_scope_id){.kind = "function", .name = name, .length = strlen(name)});
}

/* Those of one name have their program's, where it is known; those without an estimate are left out. */
static void functions(void)
{
    static const char *const names[] = {"f [a.so]", "f [b.so]", "g", "f"};
    struct td_series s = {.n = 0};

    CU_ASSERT_EQUAL_FATAL(add_places(&s), 0);
    CU_ASSERT_EQUAL_FATAL(s.n, 4);
    for (size_t i = 0; i < s.n; i++) {
        CU_ASSERT_STRING_EQUAL(s.scope[i].name, names[i]);
        CU_ASSERT_STRING_EQUAL(s.scope[i].kind, "function");
        CU_ASSERT_STRING_EQUAL(s.scope[i].verdict, "retiring");
        CU_ASSERT(s.scope[i].total[TD_TOTAL_SLOTS] == (double)(3 + i) && s.scope[i].judged == TD_VERDICT_LIKELY);
        CU_ASSERT(isnan(s.scope[i].total[TD_TOTAL_CYCLES]) && isnan(s.scope[i].total[TD_TOTAL_TIME]));
        CU_ASSERT_PTR_EQUAL(find_place(&s, names[i]), &s.scope[i]);
        CU_ASSERT(s.scope[i].n == 2 && s.scope[i].metric[1].value == 0.25 && s.scope[i].metric[1].n == 0);
        CU_ASSERT(s.scope[i].metric->value == 0.5 && s.scope[i].metric->low == 0.4 && s.scope[i].metric->high == 0.6 &&
                  s.scope[i].metric->bounds == TD_BOUNDS_LIKELY);
    }
    CU_ASSERT_EQUAL_FATAL(add_places(&s), 0); /* again: of one name the first is found */
    CU_ASSERT_EQUAL_FATAL(s.n, 8);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_PTR_EQUAL(find_place(&s, names[i]), &s.scope[i]);
    CU_ASSERT_PTR_NULL(find_place(&s, "h"));
    td_series_free(&s);
    CU_ASSERT(s.n == 0 && !s.scope);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static int added(void *ctx)
{
    struct made_result m;
    struct td_series s = {.n = 0};
    int err;

    (void)ctx;
    interval(&m, MADE_METRICS, 100);
    err = td_series_add(&s, &m.r);
    m.r.at.scope = "S1";
    err = err ? err : td_series_add(&s, &m.r);
    m.r.nmetrics = 1;
    for (size_t i = 0; i < 40 && !err; i++) /* more points than there is room for at first */
        err = td_series_add(&s, &m.r);
    err = err ? err : add_places(&s);
    td_series_free(&s);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(added, NULL, 1, false) > 60);
}

static const CU_TestInfo tests[] = {
    {"other orders", other_orders},
    {"own speed", own_speed},
    {"speeds", speeds},
    {"totals", totals},
    {"points", points},
    {"weights", weights},
    {"places", functions},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("series", tests);
