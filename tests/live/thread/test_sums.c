/* SPDX-License-Identifier: MIT */
/* Sums over passes through regions: in 128 bits they are what each pass adds to
 * them, by two other ways of adding; passes that end inline are no different from others. */
#include "live/meter.h"
#include "live/thread/thread.h"
#include "session/solution.h"
#include "sim/kernel/kernel.h"
#include "tests/support/thread_regions.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static bool same(const struct td_wide *n, wide m)
{
    return n->high == (uint64_t)((uwide)m >> 64) && n->low == (uint64_t)(uwide)m;
}

#ifdef __x86_64__
enum { REGIONS = 3 };

/* What passes must sum to: exactly, and in doubles pass by pass. */
struct expected {
    uint64_t passes, slots, discarded;
    wide field[TD_FIELDS], err; /* times 255 */
    double share[TD_FIELDS], half; /* slots, from td_metrics_delta() */
};

static unsigned field_at(uint64_t metrics, unsigned i)
{
    return (unsigned char)(metrics >> 8 * i);
}

static void expect(struct expected *e, const struct td_point *a, const struct td_point *b)
{
    const uint32_t restored = (b->updates - a->updates) / 2;

    e->passes++;
    e->slots += b->slots - a->slots;
    e->err += (wide)a->slots + b->slots + (wide)restored * b->slots;
    e->half += (double)restored * (double)b->slots / 255;
    for (unsigned i = 0; i < TD_FIELDS; i++) {
        double slots, half;

        e->field[i] += (wide)b->slots * field_at(b->metrics, i) - (wide)a->slots * field_at(a->metrics, i);
        CU_ASSERT_EQUAL(td_metrics_delta((enum td_field)i, a->slots, a->metrics, b->slots, b->metrics, &slots, &half),
                        0);
        e->share[i] += slots;
        e->half += i ? 0 : half;
    }
}

static bool near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fabs(b) || (isnan(a) && isnan(b));
}

/* Compares the metrics of a region with those of the same counts summed in doubles. */
static void compare_metrics(struct td *td, const struct td_metric *before, size_t n, const struct expected *e)
{
    struct td_own *own = td->own;
    const struct td_uarch *u = td_forms_uarch(own->pmu->forms);
    const struct td_result *r;

    for (size_t i = 0; i < own->delta.n; i++) {
        struct td_count *c = &own->delta.c[i];
        const int field = u->events[c->event].field;

        if (field < 0)
            continue;
        CU_ASSERT_TRUE(near(c->value, e->share[field]) || fabs(c->value - e->share[field]) <= 1e-12 * e->half);
        CU_ASSERT_TRUE(near(c->err, e->half));
        c->value = e->share[field];
        c->err = e->half;
    }
    if (!e->passes)
        own->delta.status = TD_NOT_COUNTED;
    CU_ASSERT_EQUAL_FATAL(
        td_session_solve(
            td,
            &(struct td_interval){
                .at.scope = "r", .at.scope_kind = TD_KIND_REGION, .core = own->core, .uarch = u, .counts = own->delta},
            false, &r),
        0);
    CU_ASSERT_EQUAL_FATAL(td_result_metrics(r), n);
    for (size_t i = 0; i < n; i++) {
        const struct td_metric *m = td_result_metric(r, i);

        CU_ASSERT_TRUE(m->status == before[i].status && m->flags == before[i].flags);
        CU_ASSERT_TRUE(m->status != TD_OK || (fabs(m->value - before[i].value) < 1e-12 && near(m->low, before[i].low) &&
                                              near(m->high, before[i].high)));
    }
}

static void compare(struct td *td, size_t region, const struct expected *e)
{
    const struct td_pass_sum *sum = &td->own->region[region].sum;
    struct td_metric metrics[64];
    struct td_region_info info = {.size = sizeof(info)};
    const struct td_result *r;
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_region_result(td, region, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, e->passes);
    CU_ASSERT_EQUAL(info.slots, e->slots);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_RESET], e->discarded);
    CU_ASSERT_TRUE(same(&sum->err, e->err));
    for (unsigned i = 0; i < td->regions->fields; i++)
        CU_ASSERT_TRUE(same(&sum->field[i], e->field[i]));
    n = td_result_metrics(r);
    CU_ASSERT_FATAL(n <= sizeof(metrics) / sizeof(*metrics));
    for (size_t i = 0; i < n; i++)
        metrics[i] = *td_result_metric(r, i);
    compare_metrics(td, metrics, n, e);
}

/* A walk through nested regions. */
struct walk {
    struct td *td;
    struct unit_random *random;
    struct expected e[REGIONS];
    unsigned open[REGIONS];
    struct {
        int region;
        struct td_point from;
    } stack[REGIONS];
    size_t depth;
    unsigned long inline_ends, other_ends;
};

static struct td_point now(struct walk *w)
{
    struct td_snapshot s;

    CU_ASSERT_EQUAL(td_read(w->td, &s), 0);
    return s.point;
}

static void step_in(struct walk *w, int region)
{
    CU_ASSERT_EQUAL(td_region_begin(w->td, region), 0);
    if (w->open[region]++)
        return;
    w->stack[w->depth].from = now(w);
    w->stack[w->depth++].region = region;
}

static void step_out(struct walk *w)
{
    const int region = w->stack[w->depth - 1].region;
    const struct td_point a = w->stack[w->depth - 1].from, b = now(w);
    const uint64_t before = w->td->own->hot[region].ends;
    const int err = td_region_end(w->td, region);

    if (--w->open[region]) {
        CU_ASSERT_EQUAL(err, 0);
        return;
    }
    w->depth--;
    if (a.epoch != b.epoch) {
        CU_ASSERT_EQUAL(err, -ESTALE);
        w->e[region].discarded++;
        return;
    }
    CU_ASSERT_EQUAL(err, 0);
    expect(&w->e[region], &a, &b);
    *(w->td->own->hot[region].ends > before ? &w->inline_ends : &w->other_ends) += 1;
}

static void step(struct walk *w)
{
    const int region = (int)unit_random_below(w->random, REGIONS);

    switch (unit_random_below(w->random, 20)) {
    case 0: td_sim_self_away(w->td->sim, MSEC); break;
    case 1: CU_ASSERT_EQUAL(td_reset(w->td), 0); break;
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
        if (w->open[region] < 2)
            step_in(w, region);
        break;
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
        if (w->depth)
            step_out(w);
        break;
    default: td_sim_self_run(w->td->sim, 1 + unit_random_below(w->random, MSEC));
    }
}

static void walk(const char *machine, struct td_self_ask ask, struct unit_random *random, unsigned long steps,
                 bool inlined)
{
    static const char *const names[REGIONS] = {"a", "b", "c"};
    struct walk w = {.td = open_regions(machine, ask), .random = random};

    for (int i = 0; i < REGIONS; i++)
        CU_ASSERT_EQUAL_FATAL(td_region(w.td, names[i]), i);
    while (steps--)
        step(&w);
    while (w.depth)
        step_out(&w);
    for (size_t i = 0; i < REGIONS; i++) {
        CU_ASSERT_TRUE(w.e[i].passes > 0);
        compare(w.td, i, &w.e[i]);
    }
    CU_ASSERT_TRUE(w.other_ends > 0);
    CU_ASSERT_EQUAL(w.inline_ends > 0, inlined);
    td_free(w.td);
}

#define RANDOM_PHASES \
    "phase ms=3 retiring=0.25 bad=0.125 frontend=0.125 backend=0.5 heavy=0.0625 mispredict=0.0625 latency=0.0625 memory=0.375\n" \
    "phase ms=2 retiring=0.75 bad=0.0625 frontend=0.0625 backend=0.125 heavy=0.5 mispredict=0 latency=0.03125 memory=0.015625\n"

static void walks(void)
{
    struct unit_random random = {.state = 20261122};
    const unsigned long steps = unit_rounds(20000) + 1000;

    walk(SPR(" rounding=scatter") RANDOM_PHASES SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)}, &random,
         steps, true);
    walk(SPR(" rounding=scatter") RANDOM_PHASES SPIN,
         (struct td_self_ask){.size = sizeof(struct td_self_ask), .target = 0.05}, &random, steps, true);
    walk(SPR("") RANDOM_PHASES SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask), .corrections = true},
         &random, steps, false);
    walk(SPR("") RANDOM_PHASES SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask), .ring = 3}, &random,
         steps, false);
    walk(ICE_LAKE, (struct td_self_ask){.size = sizeof(struct td_self_ask)}, &random, steps, true);
}

/* ---- beyond 64 bits ---------------------------------------------------------- */

/* 24e9 slots per second: begins 2^47.9 slots after the registers were zeroed, then
 * right after that, when one field has all slots. */
static void past_64_bits(void)
{
    struct td *td = open_regions(SPR("") "phase ms=10 retiring=1 bad=0 frontend=0 backend=0 heavy=1\n" SPIN,
                                 (struct td_self_ask){.size = sizeof(struct td_self_ask)});
    struct td_pmu *bank = &td->sim->hw.cpu[0].bank[0];
    struct expected late = {0}, whole = {0};
    const int regions[] = {td_region(td, "late"), td_region(td, "whole")};
    struct td_snapshot a, b;

    td_pmu_advance(bank, (UINT64_C(1) << 48) - (UINT64_C(1) << 44));
    while (late.err >> 64 == 0) {
        CU_ASSERT_EQUAL(td_region_begin(td, regions[0]), 0);
        CU_ASSERT_EQUAL(td_read(td, &a), 0);
        td_pmu_advance(bank, 24000);
        CU_ASSERT_EQUAL(td_read(td, &b), 0);
        CU_ASSERT_EQUAL(td_region_end(td, regions[0]), 0);
        expect(&late, &a.point, &b.point);
    }
    while (whole.field[0] >> 64 == 0) {
        CU_ASSERT_EQUAL(td_reset(td), 0);
        td_pmu_advance(bank, 1);
        CU_ASSERT_EQUAL(td_region_begin(td, regions[1]), 0);
        CU_ASSERT_EQUAL(td_read(td, &a), 0);
        td_pmu_advance(bank, (UINT64_C(1) << 47) + whole.passes);
        CU_ASSERT_EQUAL(td_read(td, &b), 0);
        CU_ASSERT_EQUAL(td_region_end(td, regions[1]), 0);
        expect(&whole, &a.point, &b.point);
    }
    compare(td, 0, &late);
    compare(td, 1, &whole);
    td_free(td);
}

/* Any readings that a caller of td__region_end() may have. */
static void any_readings(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
    struct unit_random random = {.state = 11};
    struct expected e = {0};
    const int region = td_region(td, "r");

    td_sim_self_run(td->sim, MSEC);
    for (unsigned long n = unit_rounds(100000); n; n--) {
        struct td_point to, *from = &td->own->begun[1].from;
        const unsigned bits = (unsigned)unit_random_below(&random, 64);

        CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
        to = *from;
        from->slots = unit_random(&random) >> bits;
        from->metrics = unit_random(&random) | 1;
        from->updates = (uint32_t)unit_random(&random) & ~1u;
        to.slots = from->slots + unit_random_below(&random, UINT64_MAX - from->slots);
        to.metrics = unit_random(&random) | 1;
        to.updates = from->updates + 2 * (uint32_t)unit_random_below(&random, 1u << unit_random_below(&random, 31));
        expect(&e, from, &to);
        CU_ASSERT_EQUAL(td__region_end(td, region, &to), 0);
    }
    CU_ASSERT_TRUE(same(&td->own->region[region].sum.err, e.err));
    for (unsigned i = 0; i < TD_FIELDS; i++)
        CU_ASSERT_TRUE(same(&td->own->region[region].sum.field[i], e.field[i]));
    CU_ASSERT_EQUAL(td->own->hot[region].slots, e.slots);
    td_free(td);
}

/* A handle that is no longer open, or never was: the same as out of line. */
static void not_open(void)
{
    struct td *td = handle_of(SPR("") PHASE SPIN);

    for (int region = -1; region < 2; region++) {
        CU_ASSERT_EQUAL(td_region_begin(td, region), -EINVAL);
        CU_ASSERT_EQUAL(td_region_end(td, region), -EINVAL);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "td_open_self"));
    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), 0);
    CU_ASSERT_EQUAL(td_region_begin(td, -1), -EINVAL);
    CU_ASSERT_EQUAL(td_region_end(td, -1), -EINVAL);
    CU_ASSERT_EQUAL(td_region_end(td, INT32_MIN), -EINVAL);
    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    CU_ASSERT_EQUAL(td_region_end(td, 0), -EINVAL);
    td_free(td);
}
#endif

/* ---- 128 bits ------------------------------------------------------------------ */

static uint64_t random_size(struct unit_random *r)
{
    return unit_random(r) >> unit_random_below(r, 64);
}

static void arithmetic(void)
{
    struct unit_random r = {.state = 3};
    struct td_wide n = {0};
    wide m = 0;

    for (unsigned long i = unit_rounds(100000); i; i--) {
        const uint64_t a = random_size(&r);
        const uint32_t b = (uint32_t)(random_size(&r) >> 32);

        if (unit_random_below(&r, 2)) {
            td_wide_add(&n, a, b);
            m += (wide)a * b;
        } else {
            td_wide_subtract(&n, a, b);
            m -= (wide)a * b;
        }
        CU_ASSERT_TRUE(same(&n, m));
        CU_ASSERT_DOUBLE_EQUAL(td_wide_value(&n), (double)m, fabs((double)m) * 0x1p-51);
    }
    CU_ASSERT_EQUAL(td_wide_value(&(struct td_wide){.high = UINT64_MAX, .low = UINT64_MAX - 4}), -5);
    CU_ASSERT_EQUAL(td_wide_value(&(struct td_wide){.high = 1}), 0x1p64);
    CU_ASSERT_EQUAL(td_wide_value(&(struct td_wide){.high = UINT64_MAX}), -0x1p64);
}

/* A field's sum stays within 64 bits as long as the sum of the ends does. */
static void room(void)
{
    const struct td__region_sum widest = {
        .ends = TD__REGION_ROOM - 1,
        .field = {[0] = 255 * (int64_t)(TD__REGION_ROOM - 1), [7] = -255 * (int64_t)(TD__REGION_ROOM - 1)},
    };
    struct td__region_sum hot = widest;
    struct td_pass_sum sum = {.err = {.low = 1}};

    CU_ASSERT_TRUE((wide)255 * (TD__REGION_ROOM - 1) <= INT64_MAX);
    for (int i = 1; i <= 1000; i++) {
        hot = widest;
        td_pass_sum_take(&sum, &hot);
        CU_ASSERT_TRUE(same(&sum.err, 1 + (wide)i * (TD__REGION_ROOM - 1)));
        CU_ASSERT_TRUE(same(&sum.field[0], (wide)i * widest.field[0]));
        CU_ASSERT_TRUE(same(&sum.field[7], (wide)i * widest.field[7]));
        CU_ASSERT_TRUE(hot.ends == 0 && hot.field[0] == 0 && hot.field[7] == 0);
    }
}

static const CU_TestInfo tests[] = {
#ifdef __x86_64__
    {"walks", walks},
    {"past 64 bits", past_64_bits},
    {"any readings", any_readings},
    {"not open", not_open},
#endif
    {"arithmetic", arithmetic},
    {"room", room},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sums of passes", tests);
