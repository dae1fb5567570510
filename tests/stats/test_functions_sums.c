/* SPDX-License-Identifier: MIT */
/* From the bytes of a recording to the sums of its functions, by hand. */
#include "stats/functions.h"

#include "core/result.h"
#include "stats/series.h"
#include "tests/support/chance.h"
#include "tests/support/memory.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <math.h>

enum {
    PERIOD = 1000000 /* ns */,
    NODES = 4,
    FIRST_NODE = 3 /* among a sample's values, after slots and cycles twice */,
    WIDTH = 6
};

/* So many samples in a row, each of as many cycles, whose slots retire, or are lost to bad speculation, the frontend,
 * the backend. */
static const struct visit {
    const char *name;
    uint64_t address;
    unsigned samples;
    uint64_t cycles[NODES];
} visits[] = {
    {"[program+0x1000]", 0x1000, 41, {300, 100, 100, 500}}, /* the first one has no beginning */
    {"[program+0x2000]", 0x2000, 20, {4800, 300, 600, 300}},
    {"[program+0x3000]", 0x3000, 30, {400, 200, 200, 1200}},
    /* as much is lost as in the next one, of which it is a smaller part */
    {"[program+0x4000]", 0x4000, 1, {128, 256, 64, 64}},
    {"[program+0x5000]", 0x5000, 1, {512, 256, 128, 128}},
    {"[program+0x6000]", 0x6000, 1, {128, 256, 64, 64}},
};

enum {
    VISITS = sizeof(visits) / sizeof(*visits),
    SLOTS = WIDTH * (40 * 1000 + 20 * 6000 + 30 * 2000 + 512 + 1024 + 512)
};

/* A sample after so many cycles, whose slots went so. */
static void put(struct sampled_file *f, struct sampled_file_sample *s, const uint64_t cycles[NODES])
{
    for (size_t n = 0; n < NODES; n++) {
        s->value[FIRST_NODE + n] += WIDTH * cycles[n];
        s->value[0] += WIDTH * cycles[n];
        s->value[SAMPLED_FILE_FIRST] += cycles[n];
        s->value[SAMPLED_FILE_SECOND] += cycles[n];
    }
    sampled_file_sample(f, s);
}

static void record_visits(struct sampled_file *f)
{
    struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST, .time = PERIOD};

    sampled_file_begin(f, PERIOD, 0);
    for (size_t i = 0; i < VISITS; i++)
        for (unsigned k = 0; k < visits[i].samples; k++) {
            s.address = visits[i].address;
            s.time += PERIOD;
            put(f, &s, visits[i].cycles);
        }
    sampled_file_end(f);
}

/* The first place, in 40 pairs 12,000 cycles apart. */
static void record_pairs(struct sampled_file *f)
{
    static const uint64_t within[NODES] = {3600, 1200, 1200, 6000}, between[NODES] = {180000, 60000, 60000, 300000};
    struct sampled_file_sample s = {.address = visits[0].address};

    sampled_file_begin(f, 612000, 612000);
    for (int i = 0; i < 40; i++) {
        s.member = SAMPLED_FILE_FIRST;
        s.time += 200000;
        put(f, &s, between);
        s.member = SAMPLED_FILE_SECOND;
        s.time += 4000;
        put(f, &s, within);
    }
    sampled_file_end(f);
}

/* What results are told to be, whatever the recording. */
struct told {
    bool waits, instructions, handler;
    uint64_t waited;
};

static void add(struct td_functions *f, const struct td_result *r, const struct told *told)
{
    struct td_result as_told = *r;

    as_told.waits = told->waits;
    as_told.waited = told->waited;
    if (told->instructions)
        as_told.at.scope_kind = TD_KIND_INSTRUCTION;
    CU_ASSERT_EQUAL_FATAL(td_functions_add(f, &as_told), 0);
}

/* Sums whose bounds are open: the kernel may have switched tasks. */
static void add_whole(struct td_functions *f, const struct td_result *r)
{
    struct td_result open = *r;

    for (size_t i = 0; i < open.nmetrics; i++) {
        open.metrics[i].bounds = TD_BOUNDS_NONE;
        open.metrics[i].flags |= TD_FLAG_SWITCHES_UNKNOWN;
    }
    CU_ASSERT_EQUAL_FATAL(td_functions_whole(f, &open), 0);
}

/* What has the names, until it is freed. */
static struct td *read_recorded(struct td_functions *f, void (*record)(struct sampled_file *), const struct told *told)
{
    struct sampled_file file;
    const struct td_result *r;
    struct td *td = td_new();
    struct source s;

    *f = (struct td_functions){.seed = 1, .confidence = 0.95, .handler = told->handler};
    record(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!td_next(td, &r))
        add(f, r, told);
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        add_whole(f, r);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(f), 0);
    sampled_file_free(&file);
    return td;
}

static struct td *read_functions(struct td_functions *f, const struct told *told)
{
    return read_recorded(f, record_visits, told);
}

static const struct td_function *function_of(const struct td_functions *f, size_t visit)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->function[i]->name, visits[visit].name))
            return f->function[i];
    CU_FAIL_FATAL("a place is missing");
    return NULL;
}

static void check_sums(const struct td_function *f, uint64_t intervals, uint64_t pure, double slots)
{
    CU_ASSERT_EQUAL(f->intervals, intervals);
    CU_ASSERT_EQUAL(td_function_pure(f), pure);
    CU_ASSERT_EQUAL(f->slots, slots);
    CU_ASSERT_DOUBLE_EQUAL(td_function_share(f), slots / SLOTS, 1e-12);
}

/* part: of its slots, that its limit takes. */
static void check_limit(const struct td_function *f, const char *limit, double part, bool estimated)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->limit);
    CU_ASSERT_STRING_EQUAL(f->limit->name, limit);
    CU_ASSERT_DOUBLE_EQUAL(f->weight, part * f->slots / SLOTS, 1e-12);
    CU_ASSERT_EQUAL(td_function_estimated(f), estimated);
    CU_ASSERT(estimated ? td_function_lost(f) == f->weight : isnan(td_function_lost(f)));
}

static void sums(void)
{
    struct td_functions f;
    struct td *td;

    td = read_functions(&f, &(struct told){.waits = false});
    CU_ASSERT_EQUAL_FATAL(f.n, VISITS);
    CU_ASSERT_EQUAL(f.intervals, 93);
    CU_ASSERT_EQUAL(f.slots, SLOTS);
    CU_ASSERT_DOUBLE_EQUAL(f.seconds, 0.093, 1e-9);
    CU_ASSERT_EQUAL(f.left[TD_START_ENABLED].n, 1);
    CU_ASSERT_EQUAL(f.left[TD_START_ENABLED].slots, WIDTH * 1000);
    CU_ASSERT(td_functions_estimated(&f));
    CU_ASSERT_EQUAL(f.chance != NULL, td_chance_available());
    check_sums(function_of(&f, 0), 40, 40, WIDTH * 40000);
    check_sums(function_of(&f, 1), 20, 19, WIDTH * 120000);
    check_sums(function_of(&f, 2), 30, 29, WIDTH * 60000);
    check_sums(function_of(&f, 3), 1, 0, WIDTH * 512);
    check_limit(function_of(&f, 0), "backend_bound", 0.5, true);
    /* retiring limits it */
    CU_ASSERT(!function_of(&f, 1)->limit && function_of(&f, 1)->weight == 0 &&
              isnan(td_function_lost(function_of(&f, 1))));
    check_limit(function_of(&f, 2), "backend_bound", 0.6, true);
    check_limit(function_of(&f, 3), "bad_speculation", 0.5, false); /* by the one interval that ends there */
    CU_ASSERT_EQUAL(function_of(&f, 0)->status, TD_PLACE_OK);
    CU_ASSERT_EQUAL(function_of(&f, 3)->status, TD_PLACE_FEW_SAMPLES);
    td_functions_free(&f);
    td_free(td);
}

/* ---- what places without an estimate share ----------------------------------------------------- */

/* Two samples each at the first two places: too few for an estimate. */
static void record_few(struct sampled_file *f)
{
    struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST, .time = PERIOD};

    sampled_file_begin(f, PERIOD, 0);
    for (unsigned i = 0; i < 6; i++) {
        s.address = visits[i / 2 % 2].address;
        s.time += PERIOD;
        put(f, &s, visits[i / 2 % 2].cycles);
    }
    sampled_file_end(f);
}

enum change {
    NOTHING,
    VALUE,
    STATUS,
    FLAGS,
    CORRECTIONS,
    EVENT,
    WHY,
    OVER,
    LATENCIES,
    NAMED,
    UNIT,
    OF_RESULT,
    CHANGES
};

/* The sum of the second place is another than that of the first one. */
static void change(struct td_result *r, enum change what)
{
    struct td_metric *m = &r->metrics[0];

    r->flags += what == OF_RESULT;
    m->value += what == VALUE ? 0.125 : 0;
    m->status = what == STATUS ? TD_IMPOSSIBLE : m->status;
    m->flags += what == FLAGS;
    m->corrections += what == CORRECTIONS;
    m->event = what == EVENT ? "event" : m->event;
    m->why = what == WHY ? "why" : m->why;
    m->over = what == OVER ? TD_OVER_NO : m->over;
    m->latencies += what == LATENCIES;
    m->named = m->named != (what == NAMED);
    m->unit = what == UNIT ? "unit" : m->unit;
}

static void few_samples(enum change what)
{
    struct sampled_file file;
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    const struct td_function *first, *second;
    const struct td_result *r;
    struct td *td = td_new();
    struct source s;

    record_few(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!td_next(td, &r))
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&f, r), 0);
    for (size_t i = 0; !td_summary(td, i, &r); i++) {
        struct td_result changed = *r;

        if (!strcmp(td_result_scope(r), visits[1].name))
            change(&changed, what);
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&f, &changed), 0);
    }
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    first = function_of(&f, 0);
    second = function_of(&f, 1);
    CU_ASSERT(first->status == TD_PLACE_FEW_SAMPLES && second->status == TD_PLACE_FEW_SAMPLES);
    CU_ASSERT_EQUAL(first->of == second->of, what == NOTHING || what == VALUE);
    CU_ASSERT(isnan(second->of->metric[0]->value) && isnan(second->of->metric[0]->low));
    CU_ASSERT_EQUAL(second->of->metric[0]->status, what == STATUS ? TD_IMPOSSIBLE : TD_NOT_COUNTED);
    for (size_t i = 0; i < first->of->metrics; i++) /* what all intervals say is each place's own */
        if (!strcmp(first->of->metric[i]->name, "retiring")) {
            CU_ASSERT_DOUBLE_EQUAL(td_function_naive(first, i), 0.3, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(td_function_naive(second, i), 0.8, 1e-12);
        }
    td_functions_free(&f);
    sampled_file_free(&file);
    td_free(td);
}

/* Every second result has its metrics in another order, as of another formula: each value is found by its name. */
static void another_order(void)
{
    struct sampled_file file;
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    const struct td_function *first, *second;
    const struct td_result *r;
    struct td *td = td_new();
    struct source s;

    record_few(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    for (size_t n = 0; !td_next(td, &r); n++) {
        struct td_result turned = *r;
        struct td_metric metric[16];

        CU_ASSERT_FATAL(r->nmetrics <= sizeof(metric) / sizeof(*metric));
        for (size_t i = 0; i < r->nmetrics; i++)
            metric[i] = r->metrics[n % 2 ? r->nmetrics - 1 - i : i];
        turned.metrics = metric;
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&f, &turned), 0);
    }
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&f, r), 0);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    first = function_of(&f, 0);
    second = function_of(&f, 1);
    for (size_t i = 0; i < first->of->metrics; i++)
        if (!strcmp(first->of->metric[i]->name, "retiring")) {
            CU_ASSERT_DOUBLE_EQUAL(td_function_naive(first, i), 0.3, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(td_function_naive(second, i), 0.8, 1e-12);
        }
    td_functions_free(&f);
    sampled_file_free(&file);
    td_free(td);
}

/* ---- metrics that are elsewhere ------------------------------------------------------------------ */

/* The n-th result, of which the k-th metric is (k + 1) * n / 100, and of which every second one lacks the second. */
static void numbered(struct td_result *r, size_t n)
{
    for (size_t k = 0; k < r->nmetrics; k++) {
        r->metrics[k].status = TD_OK;
        r->metrics[k].value = (double)((k + 1) * n) / 100;
    }
    if (n % 2 == 0)
        return;
    r->nmetrics--;
    memmove(&r->metrics[1], &r->metrics[2], (r->nmetrics - 1) * sizeof(*r->metrics));
}

/* The first place has the intervals 1, 4 and 5 of equal weight: the second metric was in the fourth only. Sums have
 * the second and the third metric in the other order. */
static void elsewhere(void)
{
    struct sampled_file file;
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    const struct td_function *first;
    const struct td_result *r;
    struct td *td = td_new();
    struct td_metric metric[16];
    struct source s;
    static const size_t order[] = {0, 2, 1, 3};
    static const double wanted[] = {0.1 / 3, 0.08, 0.3 / 3, 0.4 / 3};

    record_few(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    for (size_t n = 0; !td_next(td, &r); n++) {
        struct td_result changed = *r;

        CU_ASSERT_FATAL(r->nmetrics == NODES);
        memcpy(metric, r->metrics, r->nmetrics * sizeof(*metric));
        changed.metrics = metric;
        numbered(&changed, n);
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&f, &changed), 0);
    }
    for (size_t i = 0; !td_summary(td, i, &r); i++) {
        struct td_result changed = *r;

        for (size_t k = 0; k < NODES; k++)
            metric[k] = r->metrics[order[k]];
        changed.metrics = metric;
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&f, &changed), 0);
    }
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    first = function_of(&f, 0);
    CU_ASSERT_EQUAL_FATAL(first->of->metrics, NODES);
    for (size_t k = 0; k < NODES; k++)
        CU_ASSERT_DOUBLE_EQUAL(td_function_naive(first, k), wanted[order[k]], 1e-12);
    td_functions_free(&f);
    sampled_file_free(&file);
    td_free(td);
}

/* The first sample of a chain has the weight of its slots. */
static void first_of_a_chain(void)
{
    struct sampled_file file;
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    const struct td_result *r;
    struct td *td = td_new();
    struct source s;

    record_few(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!td_next(td, &r)) {
        struct td_result nested = *r;

        nested.at.nth = 1;
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&f, &nested), 0);
    }
    CU_ASSERT_EQUAL(f.left[TD_START_ENABLED].n, 1);
    CU_ASSERT_EQUAL(f.left[TD_START_ENABLED].slots, WIDTH * 1000);
    td_functions_free(&f);
    sampled_file_free(&file);
    td_free(td);
}

static void shared(void)
{
    for (enum change what = NOTHING; what < CHANGES; what++)
        few_samples(what);
}

/* ---- order ------------------------------------------------------------------------------------- */

/* order: by number of visits. */
static void check_order(struct td_functions *f, enum td_functions_order by, const char *name, const char *order)
{
    CU_ASSERT_STRING_EQUAL(td_functions_order_name(by), name);
    CU_ASSERT_EQUAL(td_functions_sort(f, by), 0);
    for (size_t i = 0; i < VISITS; i++)
        CU_ASSERT_STRING_EQUAL(f->function[i]->name, visits[order[i] - '0'].name);
}

/* Where two are the same, by slots; else by name. */
static void orders(void)
{
    struct td_functions f;
    struct td *td;

    td = read_functions(&f, &(struct told){.waits = false});
    CU_ASSERT_EQUAL_FATAL(f.n, VISITS);
    check_order(&f, TD_FUNCTIONS_BY_NAME, "name", "012345");
    check_order(&f, TD_FUNCTIONS_BY_INTERVALS, "intervals", "021435");
    check_order(&f, TD_FUNCTIONS_BY_SLOTS, "slots", "120435");
    check_order(&f, TD_FUNCTIONS_BY_LOST, "lost", "204351");
    CU_ASSERT_PTR_NULL(td_functions_order_name(TD_FUNCTIONS_BY_NAME + 1));
    td_functions_free(&f);
    td_free(td);
}

/* ---- what the counts leave open -------------------------------------------------------------------- */

/* Of the first place's 40 pure intervals, 39 triples: by Poisson's distribution, 1 + 1.645 of 41 may have been
 * elsewhere. Each of its intervals had a field cut off at 1 / 255, and as many more as are restored by switches. */
static void check_open(const struct told *told, double restored)
{
    const double elsewhere = (1 + 1.645) / 41, odds = elsewhere / (1 - elsewhere), fields = (1 + restored) / 255;
    struct td_functions f;
    struct td *td;
    const struct td_metric *m;

    td = read_functions(&f, told);
    m = function_of(&f, 0)->limit;
    CU_ASSERT_DOUBLE_EQUAL(m->value, 0.5, 1e-12);
    if (chance_available()) {
        CU_ASSERT_EQUAL(m->bounds, TD_BOUNDS_LIKELY);
        CU_ASSERT_DOUBLE_EQUAL(m->low, 0.5 - fields - 0.5 * odds, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(m->high, 0.5 + fields + 0.5 * odds, 1e-9);
    }
    td_functions_free(&f);
    td_free(td);
}

/* Bounds that the counts have are kept, and widened by what may have been elsewhere alone, whether switches are known
 * or not; a metric without a value has none. */
static void given_bounds(void)
{
    const double elsewhere = (1 + 1.645) / 41, odds = elsewhere / (1 - elsewhere);
    struct sampled_file file;
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    const struct td_function *first;
    const struct td_result *r;
    struct td *td = td_new();
    struct td_metric metric[16];
    struct source s;

    record_visits(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!td_next(td, &r))
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&f, r), 0);
    for (size_t i = 0; !td_summary(td, i, &r); i++) {
        struct td_result changed = *r;

        memcpy(metric, r->metrics, r->nmetrics * sizeof(*metric));
        changed.metrics = metric;
        for (size_t k = 0; k < r->nmetrics; k++) {
            metric[k].bounds = TD_BOUNDS_LIKELY;
            metric[k].low = metric[k].value - 0.1;
            metric[k].high = metric[k].value + 0.125;
            metric[k].flags = k % 2 ? TD_FLAG_SWITCHES_UNKNOWN : 0;
        }
        metric[1].status = TD_IMPOSSIBLE;
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&f, &changed), 0);
    }
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&f), 0);
    first = function_of(&f, 0);
    CU_ASSERT_EQUAL(first->of->metric[1]->status, TD_IMPOSSIBLE);
    for (size_t k = 0; k < first->of->metrics && chance_available(); k++) {
        const struct td_metric *m = first->of->metric[k];

        if (k == 1)
            continue;
        CU_ASSERT_EQUAL(m->bounds, TD_BOUNDS_LIKELY);
        CU_ASSERT_DOUBLE_EQUAL(m->low, fmax(0, m->value - 0.1 - (1 - m->value) * odds), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(m->high, m->value + 0.125 + m->value * odds, 1e-9);
    }
    td_functions_free(&f);
    sampled_file_free(&file);
    td_free(td);
}

/* Of a millisecond, clocks may differ by 500 ns and by 500 more; 10 switches of 100 us and one at the end are the most.
 */
static void switches(void)
{
    check_open(&(struct told){.waits = false}, 1);
    check_open(&(struct told){.waits = true, .waited = 0}, 0);
    check_open(&(struct told){.waits = true, .waited = 1000}, 0);
    check_open(&(struct told){.waits = true, .waited = 1001}, (11 + sqrt(11)) / 2);
}

static const struct td_metric *metric_of(const struct td_function *f, const char *name)
{
    for (size_t i = 0; i < f->of->metrics; i++)
        if (!strcmp(f->of->metric[i]->name, name))
            return f->of->metric[i];
    CU_FAIL_FATAL("a metric is missing");
    return NULL;
}

/* Of the 72,000 slots of a pair, 24,000 may be the interrupt's handler's, of any node. What may have been elsewhere is
 * in 40 triples. */
static void handlers(void)
{
    const double elsewhere = (1 + 1.645) / 42, odds = elsewhere / (1 - elsewhere), fields = 2.0 / 255,
                 part = 24000.0 / 72000;
    struct td_functions f;
    struct td *td = read_recorded(&f, record_pairs, &(struct told){.handler = true});
    const struct td_metric *m = metric_of(function_of(&f, 0), "backend_bound");

    CU_ASSERT_EQUAL(td_function_pure(function_of(&f, 0)), 40);
    CU_ASSERT(f.n == 1 && td_functions_estimated(&f));
    CU_ASSERT_DOUBLE_EQUAL(m->value, 0.5, 1e-12);
    if (chance_available()) {
        CU_ASSERT_DOUBLE_EQUAL(m->low, (0.5 - fields - part) / (1 - part) - 0.5 * odds, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(m->high, (0.5 + fields) / (1 - part) + 0.5 * odds, 1e-9);
        m = metric_of(function_of(&f, 0), "retiring"); /* less than a third: all of it may be the handler's */
        CU_ASSERT_EQUAL(m->low, 0);
        CU_ASSERT_DOUBLE_EQUAL(m->high, (0.3 + fields) / (1 - part) + 0.3 * odds, 1e-9);
    }
    td_functions_free(&f);
    td_free(td);
}

/* What lies between two samples at an instruction is the loop around it. */
static void instructions(void)
{
    struct td_functions f;
    struct td *td;
    const struct td_function *first;

    td = read_functions(&f, &(struct told){.instructions = true});
    first = function_of(&f, 0);
    CU_ASSERT_EQUAL(first->status, TD_PLACE_SMEARED);
    CU_ASSERT(isnan(td_function_smear(first).rate) && !td_function_smear(first).needed);
    CU_ASSERT(!td_functions_estimated(&f));
    check_sums(first, 40, 40, WIDTH * 40000);
    check_limit(first, "backend_bound", 0.5, false);
    td_functions_free(&f);
    td_free(td);
}

/* ---- without memory ---------------------------------------------------------------------------- */

/* All of it but the reading of the recording. */
static int summed(void *ctx)
{
    const struct sampled_file *file = ctx;
    struct source s = {(const char *)file->b, file->n, file->n, 0};
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    struct td_series series = {0};
    const struct td_result *r;
    struct td *td;
    int err = 0;

    memory_hold();
    td = td_new();
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_level(td, 1) && !td_open(td, "f", source_read, &s));
    while (!err && !td_next(td, &r)) {
        memory_go();
        err = td_functions_add(&f, r);
        memory_hold();
    }
    for (size_t i = 0; !err && !td_summary(td, i, &r); i++) {
        memory_go();
        err = td_functions_whole(&f, r);
        memory_hold();
    }
    memory_go();
    err = err ? err : td_functions_finish(&f);
    for (enum td_functions_order by = TD_FUNCTIONS_BY_LOST; !err && td_functions_order_name(by); by++)
        err = td_functions_sort(&f, by);
    err = err ? err : td_series_add_functions(&series, &f);
    for (size_t i = 0; i < series.n && !err; i++) /* only its slots are known */
        CU_ASSERT(series.scope[i].total[TD_TOTAL_SLOTS] > 0 && isnan(series.scope[i].total[TD_TOTAL_CYCLES]) &&
                  isnan(series.scope[i].total[TD_TOTAL_INSTRUCTIONS]) && isnan(series.scope[i].total[TD_TOTAL_TIME]));
    td_series_free(&series);
    td_functions_free(&f);
    memory_hold();
    td_free(td);
    return err;
}

static void without_memory(void)
{
    void (*const record[])(struct sampled_file *) = {record_visits, record_pairs};

    for (size_t i = 0; i < sizeof(record) / sizeof(*record); i++) {
        struct sampled_file file;

        record[i](&file);
        memory_each(summed, &file, unit_rounds(100) == 1 ? 3 : 1,
                    true); /* without room nothing is known of neighbours */
        sampled_file_free(&file);
    }
}

static const CU_TestInfo tests[] = {
    {"bounds that are given", given_bounds},
    {"the first of a chain", first_of_a_chain},
    {"metrics that are elsewhere", elsewhere},
    {"metrics in another order", another_order},
    {"without memory", without_memory},
    {"sums by hand", sums},
    {"places with too few samples share what is the same", shared},
    {"what comes first", orders},
    {"bounds where tasks may have been switched", switches},
    {"bounds of pairs, with the interrupt's handler between them", handlers},
    {"instructions have no estimates", instructions},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sums of functions", tests);
