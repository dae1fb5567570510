/* SPDX-License-Identifier: MIT */
/* What a number is worth: its flags, why it is absent, and whether a bottleneck may be named. */
#include "core/verdict/level_sum.h"
#include "private/result.h"
#include "tests/support/solve_text.h"

#define SNB \
    "cycles=2500 UOPS_ISSUED.ANY=0 UOPS_RETIRED.RETIRE_SLOTS=0 INT_MISC.RECOVERY_CYCLES=0 IDQ_UOPS_NOT_DELIVERED.CORE="
static void outside_of_a_share(void)
{
    solve("snb", SNB "10000");
    FLAGS("frontend_bound", 0);
    FLAGS("backend_bound", 0);
    solve("snb", SNB "10499");
    GIVES("frontend_bound", 1.0499);
    FLAGS("frontend_bound", TD_FLAG_OVER_ONE);
    GIVES("backend_bound", -0.0499);
    FLAGS("backend_bound", TD_FLAG_NEGATIVE);
    solve("snb", SNB "10501");
    RAW("frontend_bound", 1.0501);
    RAW("backend_bound", -0.0501);
    FLAGS("backend_bound", 0);
    CU_ASSERT_TRUE(isnan(metric("frontend_bound")->low));
}

static void nodes_without_formula(void)
{
    solve("slm", "cycles=500 NO_ALLOC_CYCLES.NOT_DELIVERED=100 NO_ALLOC_CYCLES.MISPREDICTS=50 UOPS_RETIRED.ALL=300");
    GIVES("frontend_bound", 0.2); /* of cycles */
    GIVES("retiring", 0.3); /* of slots */
    CU_ASSERT_STRING_EQUAL(metric("frontend_bound")->unit, "cycles");
    CU_ASSERT_STRING_EQUAL(metric("retiring")->unit, "slots");
    ABSENT("fetch_latency", TD_PUBLISHED_FORMULA_WRONG, NULL);
    CU_ASSERT_PTR_NOT_NULL(metric("fetch_latency")->why);
    ABSENT("memory_bound", TD_NOT_ON_THIS_CPU, NULL);
    solve("slm",
          "topdown-total-slots=1000 topdown-fetch-bubbles=100 topdown-slots-retired=300 topdown-slots-issued=300");
    GIVES("retiring", 0.3);
    ABSENT("bad_speculation", TD_NOT_IN_THIS_FORMULA, NULL);
    ABSENT("memory_bound", TD_NOT_ON_THIS_CPU, NULL);
    solve("skl",
          "topdown-total-slots=1000 topdown-fetch-bubbles=100 topdown-slots-retired=300 topdown-slots-issued=400 "
          "topdown-recovery-bubbles=50");
    GIVES("bad_speculation", 0.15);
    GIVES("backend_bound", 0.45);
    ABSENT("memory_bound", TD_NOT_IN_THIS_FORMULA, NULL);
    ABSENT("resource_bound", TD_NOT_ON_THIS_CPU, NULL);
    solve("adl-e", "cycles=200"); /* perf 6.4's formula used it, the vendor's does not */
    ABSENT("memory_bound", TD_NOT_ON_THIS_CPU, NULL);
    CU_ASSERT_EQUAL(metric("base")->status, TD_EPOCH_CHANGED); /* not listed */
}

static void assumptions(void)
{
    solve("snb", SNB "100");
    CU_ASSERT_EQUAL(r.flags, 0);
    ask.smt_off = false;
    solve("snb", SNB "100");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_SMT_UNKNOWN);
    solve("snb", SNB "100 CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE=1 CPU_CLK_UNHALTED.REF_XCLK=1");
    FORMULA("snb-ebs");
    CU_ASSERT_EQUAL(r.flags, 0);
    solve("snb", SNB "100 CPU_CLK_UNHALTED.THREAD_ANY=5000");
    CU_ASSERT_EQUAL(r.flags, 0);
    EXACT("frontend_bound");
    ask.whole_core = false;
    solve("snb", SNB "100 CPU_CLK_UNHALTED.THREAD_ANY=5000");
    GIVES("frontend_bound", 0.01);
    FLAGS("frontend_bound", TD_FLAG_ONE_SIBLING);
    /* 100 of 4 * 5,000 / 2 slots if the sibling always ran, of twice as many if it never did */
    LIKELY("frontend_bound", 0.005, 0.01);
    ask.whole_core = ask.smt_off = true; /* half of a clock that no other thread used */
    solve("snb", SNB "100 CPU_CLK_UNHALTED.THREAD_ANY=5000");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_ONE_SIBLING);
    ask.scale_assumed = true;
    solve("snb", "topdown-total-slots=1000 topdown-fetch-bubbles=100");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_SMT_UNKNOWN);
    solve("adl-e", "cycles=200");
    CU_ASSERT_EQUAL(r.flags, 0);
    solve("ampereone", "CPU_CYCLES=1");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_WIDTH_ASSUMED);
    ask.flags = TD_FLAG_REVISION_ASSUMED;
    solve("neoverse-n2", "CPU_CYCLES=1");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_REVISION_ASSUMED);
    ask = usual;
}

static void corrections_by_metric(void)
{
    solve("icl", FOUR("1", "400", "100", "200", "300"));
    FORMULA("icl-perf-metrics without INT_MISC.CLEARS_COUNT,INT_MISC.UOP_DROPPING");
    CU_ASSERT_EQUAL_FATAL(r.ncorrections, 2);
    CU_ASSERT_STRING_EQUAL(td_result_correction(&r, 0), "INT_MISC.CLEARS_COUNT");
    CU_ASSERT_STRING_EQUAL(td_result_correction(&r, 1), "INT_MISC.UOP_DROPPING");
    CU_ASSERT_PTR_NULL(td_result_correction(&r, 2));
    CU_ASSERT_TRUE(metric("retiring")->corrections == 0 && metric("backend_bound")->corrections == 1);
    CU_ASSERT_TRUE(metric("frontend_bound")->corrections == 2 && metric("bad_speculation")->corrections == 3);
    FLAGS("retiring", 0);
    FLAGS("backend_bound", TD_FLAG_CORRECTION_MISSING);
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_CORRECTION_MISSING);
    solve("icl", FOUR("1", "400", "100", "200", "300") "INT_MISC.UOP_DROPPING=50");
    FORMULA("icl-perf-metrics without INT_MISC.CLEARS_COUNT");
    CU_ASSERT_TRUE(metric("frontend_bound")->corrections == 0 && metric("bad_speculation")->corrections == 1);
    GIVES("frontend_bound", 0.15);
    solve("lnl-p", FOUR("1", "400", "100", "200", "300"));
    FORMULA("lnc-perf-metrics");
}

/* A node: its value and its possible error (NAN: no bounds). */
struct share {
    const char *node;
    double value, err;
    bool likely;
    unsigned flags;
};

static struct td_verdict judge(bool atom, const struct share *s, size_t n)
{
    const struct td_tree *tree = atom ? &td_tree_atom : &td_tree_big;
    struct td_verdict v;

    CU_ASSERT_EQUAL_FATAL(td_result_reserve(&r, n), 0);
    r.sum_near = false;
    r.nmetrics = n;
    for (size_t i = 0; i < n; i++) {
        r.nodes[i] = td_tree_find(tree, s[i].node);
        r.metrics[i] = (struct td_metric){
            .name = s[i].node,
            .parent = r.nodes[i]->parent,
            .level = r.nodes[i]->level,
            .value = s[i].value,
            .low = s[i].value - s[i].err,
            .high = s[i].value + s[i].err,
            .unit = "slots",
            .bounds = isnan(s[i].err) ? TD_BOUNDS_NONE
                      : s[i].likely   ? TD_BOUNDS_LIKELY
                                      : TD_BOUNDS_SOUND,
            .flags = s[i].flags,
        };
    }
    td_result_verdict_below(&r, "", &v);
    return v;
}

#define JUDGE(atom, ...) \
    judge(atom, (const struct share[]){__VA_ARGS__}, sizeof((const struct share[]){__VA_ARGS__}) / sizeof(struct share))
#define DECIDED(v, wanted) CU_ASSERT_TRUE((v).node && !strcmp((v).node->name, wanted) && !(v).unbounded)
#define AMONG(v, i, wanted) CU_ASSERT_TRUE((v).namong > (i) && !strcmp((v).among[i]->name, wanted))
#define L1(ret, bad, fe, be, err) \
    {"retiring", ret, err, false, 0}, {"bad_speculation", bad, err, false, 0}, {"frontend_bound", fe, err, false, 0}, \
    { \
        "backend_bound", be, err, false, 0 \
    }

static void verdict_level1(void)
{
    struct td_verdict v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01));

    DECIDED(v, "backend_bound");
    CU_ASSERT_EQUAL(v.namong, 0);
    v = JUDGE(false, L1(0.1, 0.05, 0.415, 0.43, 0.01)); /* 0.405..0.425 and 0.42..0.44 */
    CU_ASSERT_TRUE(!v.node && !v.unbounded && v.namong == 2);
    AMONG(v, 0, "backend_bound");
    AMONG(v, 1, "frontend_bound");
    v = JUDGE(false, L1(0.1, 0.05, 0.42, 0.43, 0.004));
    DECIDED(v, "backend_bound");
    v = JUDGE(false, L1(0.1, 0.1, 0.1, 0.21, 0.02)); /* may be below the threshold of 0.2 */
    CU_ASSERT_TRUE(!v.node && v.namong == 1);
    v = JUDGE(false, L1(0.1, 0.1, 0.1, 0.19, 0.02)); /* or above it */
    CU_ASSERT_TRUE(!v.node && v.namong == 1);
    AMONG(v, 0, "backend_bound");
    v = JUDGE(false, L1(0.45, 0.1, 0.1, 0.35, 0.01)); /* retiring at 0.45 does not limit */
    DECIDED(v, "backend_bound");
    v = JUDGE(false, L1(0.45, 0.1, 0.2, 0.25, 0.03));
    CU_ASSERT_TRUE(!v.node && !v.unbounded && v.namong == 2);
    AMONG(v, 1, "frontend_bound");
    v = JUDGE(false, L1(0.6, 0.1, 0.1, 0.18, 0.01)); /* none is above its threshold */
    CU_ASSERT_TRUE(!v.node && !v.unbounded && v.namong == 0);
    v = JUDGE(false, L1(0.75, 0.1, 0.1, 0.05, 0.01));
    DECIDED(v, "retiring");
    v = JUDGE(false, {"retiring", 0.1, 0.01, false, 0}, {"bad_speculation", 0.1, 0.01, false, 0},
              {"frontend_bound", 0.2, NAN, false, 0}, {"backend_bound", 0.6, 0.01, false, 0});
    CU_ASSERT_TRUE(!v.node && v.unbounded && v.namong == 2);
    AMONG(v, 0, "backend_bound");
    AMONG(v, 1, "frontend_bound");
    /* there is nothing to choose between */
    v = JUDGE(false, {"retiring", 0.1, NAN, false, 0}, {"frontend_bound", 0.14, NAN, false, 0});
    CU_ASSERT_TRUE(!v.node && !v.unbounded && v.namong == 0);
    v = JUDGE(false, {"frontend_bound", 0.3, NAN, false, 0});
    CU_ASSERT_TRUE(!v.node && v.unbounded && v.namong == 1);
}

static void verdict_level2(void)
{
    struct td_verdict v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.4, 0.01, false, 0},
                                {"core_bound", 0.2, 0.01, false, 0}, {"heavy_operations", 0.99, 0.01, false, 0});

    DECIDED(v, "memory_bound");
    CU_ASSERT_EQUAL(v.namong, 0);
    v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.29, 0.02, false, 0},
              {"core_bound", 0.31, 0.02, false, 0});
    DECIDED(v, "backend_bound");
    CU_ASSERT_EQUAL(v.namong, 2);
    AMONG(v, 0, "core_bound");
    v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.19, 0.005, false, 0},
              {"core_bound", 0.05, 0.005, false, 0});
    DECIDED(v, "backend_bound");
    CU_ASSERT_EQUAL(v.namong, 0);
    v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.4, NAN, false, 0},
              {"core_bound", 0.2, 0.01, false, 0});
    CU_ASSERT_TRUE(v.unbounded && v.namong == 2 && v.node && !strcmp(v.node->name, "backend_bound"));
}

/* E-cores: backend 0.10 rather than 0.20, frontend 0.20 rather than 0.15, retiring 0.75 */
static void verdict_of_e_cores(void)
{
    CU_ASSERT_PTR_NULL(JUDGE(false, L1(0.1, 0.1, 0.1, 0.18, 0.01)).node);
    DECIDED(JUDGE(true, L1(0.1, 0.1, 0.1, 0.18, 0.01)), "backend_bound");
    DECIDED(JUDGE(false, L1(0.1, 0.1, 0.18, 0.1, 0.01)), "frontend_bound");
    CU_ASSERT_PTR_NULL(JUDGE(true, L1(0.1, 0.1, 0.18, 0.1, 0.01)).node);
    DECIDED(JUDGE(false, L1(0.74, 0.1, 0.1, 0.05, 0.01)), "retiring");
    CU_ASSERT_EQUAL(JUDGE(true, L1(0.74, 0.1, 0.1, 0.05, 0.001)).namong, 0);
}

/* A node without a value might be the bottleneck, unless the CPU or the formula does not have it. */
static void verdict_of_what_is_there(void)
{
    struct td_verdict v;

    JUDGE(false, L1(0.1, 0.1, 0.5, 0.3, 0.01));
    r.metrics[2].status = TD_MISSING_EVENT;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.node && v.absent == &r.metrics[2]);
    r.metrics[2].status = TD_NOT_ON_THIS_CPU;
    td_result_verdict_below(&r, "", &v);
    DECIDED(v, "backend_bound");
    /* the others leave it 0.09 of the slots, or 0.21: its threshold is 0.20 */
    JUDGE(false, L1(0.1, 0.02, 0.8, 0.08, 0.01));
    r.metrics[3].status = TD_MISSING_EVENT;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.absent);
    DECIDED(v, "frontend_bound");
    /* 0.21 is less than the 0.69 that another takes at least; of 0.49 and 0.47 either may be more */
    JUDGE(false, L1(0.1, 0.02, 0.7, 0.18, 0.01));
    r.metrics[3].status = TD_MISSING_EVENT;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.absent);
    DECIDED(v, "frontend_bound");
    JUDGE(false, L1(0.05, 0.02, 0.48, 0.45, 0.01));
    r.metrics[3].status = TD_MISSING_EVENT;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.node && v.absent == &r.metrics[3]);
    r.nmetrics = 0;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.node && !v.unbounded && v.namong == 0);
}

#define LIKELIES(ret, bad, fe, be, err, flags) \
    {"retiring", ret, err, true, flags}, {"bad_speculation", bad, err, true, flags}, \
        {"frontend_bound", fe, err, true, flags}, \
    { \
        "backend_bound", be, err, true, flags \
    }

static void verdict_likely(void)
{
    const unsigned mux = TD_FLAG_MULTIPLEXED;
    struct td_verdict v = JUDGE(false, LIKELIES(0.1, 0.1, 0.2, 0.6, 0.05, mux));

    DECIDED(v, "backend_bound");
    CU_ASSERT(v.status == TD_VERDICT_LIKELY && v.npath == 1 && v.nsound == 0 && v.path[0] == v.node);
    v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.4, 0.05, true, 0},
              {"core_bound", 0.2, 0.05, true, 0});
    DECIDED(v, "memory_bound"); /* level 1 is sound, level 2 likely */
    CU_ASSERT(v.status == TD_VERDICT_LIKELY && v.npath == 2 && v.nsound == 1);
    v = JUDGE(false, L1(0.1, 0.1, 0.2, 0.6, 0.01), {"memory_bound", 0.4, 0.05, false, 0},
              {"core_bound", 0.2, 0.05, false, 0});
    CU_ASSERT(v.status == TD_VERDICT_DECIDED && v.npath == 2 && v.nsound == 2);
    /* it is only likely that the others are smaller */
    v = JUDGE(false, {"retiring", 0.1, 0.01, false, 0}, {"bad_speculation", 0.1, 0.01, false, 0},
              {"frontend_bound", 0.1, 0.04, true, mux}, {"backend_bound", 0.6, 0.01, false, 0});
    CU_ASSERT(v.status == TD_VERDICT_LIKELY);
    /* likely on level 1, sound on level 2: no more than likely */
    v = JUDGE(false, LIKELIES(0.1, 0.1, 0.2, 0.6, 0.05, mux), {"memory_bound", 0.4, 0.05, false, 0},
              {"core_bound", 0.2, 0.05, false, 0});
    CU_ASSERT(v.status == TD_VERDICT_LIKELY && v.npath == 2 && v.nsound == 0);
    v = JUDGE(false, L1(0.6, 0.1, 0.1, 0.18, 0.01));
    CU_ASSERT_EQUAL(v.status, TD_VERDICT_NONE);
    r.nmetrics = 0;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.status == TD_VERDICT_UNDECIDED && v.no_values);
}

static void verdict_remedies(void)
{
    static const struct {
        unsigned flags;
        enum td_remedy remedy;
    } rows[] = {
        {TD_FLAG_MULTIPLEXED | TD_FLAG_FEW_WINDOWS, TD_REMEDY_LONGER},
        {TD_FLAG_MULTIPLEXED | TD_FLAG_MANY_SWITCHES, TD_REMEDY_FEWER_EVENTS},
        {TD_FLAG_MULTIPLEXED | TD_FLAG_IN_STEP, TD_REMEDY_FEWER_EVENTS},
        {TD_FLAG_MULTIPLEXED | TD_FLAG_CPUS_UNKNOWN, TD_REMEDY_INTERVALS},
        {TD_FLAG_NO_BOUNDS | TD_FLAG_SWITCHES_UNKNOWN, TD_REMEDY_WHOLE_CPUS},
        {TD_FLAG_NO_BOUNDS | TD_FLAG_MANY_SWITCHES, TD_REMEDY_WHOLE_CPUS},
        {TD_FLAG_ONE_SIBLING, TD_REMEDY_CORES},
        {TD_FLAG_SUM_OFF, TD_REMEDY_DOCTOR},
    };
    struct td_verdict v;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        v = JUDGE(false, LIKELIES(0.1, 0.1, 0.35, 0.45, NAN, rows[i].flags));
        CU_ASSERT(v.unbounded && v.status == TD_VERDICT_UNDECIDED && v.remedy == rows[i].remedy);
    }
    v = JUDGE(false, LIKELIES(0.1, 0.1, 0.35, 0.45, 0.1, TD_FLAG_MULTIPLEXED));
    CU_ASSERT(!v.unbounded && v.namong == 2 && v.remedy == TD_REMEDY_LONGER);
    v = JUDGE(false, LIKELIES(0.1, 0.1, 0.35, 0.45, 0.1, TD_FLAG_MULTIPLEXED),
              {"memory_bound", 0.4, 0.1, true, TD_FLAG_MULTIPLEXED});
    CU_ASSERT_EQUAL(v.remedy, TD_REMEDY_LEVEL_1);
    v = JUDGE(false, LIKELIES(0.1, 0.1, 0.35, 0.45, 0.1, TD_FLAG_NO_BOUNDS));
    CU_ASSERT_EQUAL(v.remedy, TD_REMEDY_WHOLE_CPUS);
    v = JUDGE(false, L1(0.1, 0.1, 0.35, 0.45, 0.1)); /* more measuring does not make exact counts more decisive */
    CU_ASSERT_EQUAL(v.remedy, TD_REMEDY_NONE);
}

/* Tremont counts each share separately: 1000 cycles are 4000 slots. */
static void solve_sum(double sum)
{
    char text[300];
    const double each = 1000 * sum;

    snprintf(text, sizeof(text),
             "CPU_CLK_UNHALTED.CORE=1000 TOPDOWN_RETIRING.ALL=%.1f TOPDOWN_BAD_SPECULATION.ALL=%.1f "
             "TOPDOWN_FE_BOUND.ALL=%.1f TOPDOWN_BE_BOUND.ALL=%.1f",
             each, each, each, each);
    solve("ehl", text);
}

/* The four counters of a PMU that shows the same in all: slots = 4 * 1000, so retiring and frontend bound are 1000 /
 * 4000, bad speculation (1000 - 1000 + 4 * 1000) / 4000, and the rest -50 %. */
static void shares_that_contradict(void)
{
    struct td_verdict v;

    solve(
        "snb",
        "cycles=1000 UOPS_ISSUED.ANY=1000 UOPS_RETIRED.RETIRE_SLOTS=1000 INT_MISC.RECOVERY_CYCLES=1000 IDQ_UOPS_NOT_DELIVERED.CORE=1000");
    GIVES("bad_speculation", 1);
    RAW("backend_bound", -0.5);
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.status == TD_VERDICT_UNDECIDED && !v.node && v.absent == metric("backend_bound") &&
              v.remedy == TD_REMEDY_DOCTOR);
    /* what was not counted contradicts nothing */
    solve("snb",
          "cycles=1000 UOPS_RETIRED.RETIRE_SLOTS=1000 INT_MISC.RECOVERY_CYCLES=1000 IDQ_UOPS_NOT_DELIVERED.CORE=1000");
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.absent && v.absent->status == TD_MISSING_EVENT && v.remedy == TD_REMEDY_NONE);
}

static void sums_of_shares(void)
{
    static const double fine[] = {0.951, 1, 1.049}, off[] = {0.949, 1.051, 1.76, 1.99, 0.51},
                        absurd[] = {0.2, 0.44, 0.49, 2.01};
    struct td_verdict v;

    for (size_t i = 0; i < 3; i++) {
        solve_sum(fine[i]);
        FLAGS("retiring", 0);
        EXACT("retiring");
    }
    for (size_t i = 0; i < 5; i++) {
        solve_sum(off[i]);
        GIVES("retiring", off[i] / 4);
        FLAGS("retiring", TD_FLAG_SUM_OFF);
        UNBOUNDED("backend_bound");
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT(v.status == TD_VERDICT_UNDECIDED && !v.node && v.remedy == TD_REMEDY_DOCTOR);
    }
    for (size_t i = 0; i < 4; i++) {
        solve_sum(absurd[i]);
        RAW("retiring", absurd[i] / 4);
        FLAGS("retiring", 0);
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT(v.status == TD_VERDICT_UNDECIDED && v.no_values);
    }
    /* a share that is computed as the rest completes the sum: there is nothing to check */
    solve("adl-e",
          "CPU_CLK_UNHALTED.CORE=1000 TOPDOWN_RETIRING.ALL=100 TOPDOWN_FE_BOUND.ALL=100 TOPDOWN_BE_BOUND.ALL=100");
    EXACT("retiring");
    solve("neoverse-n2",
          "CPU_CYCLES=100 STALL_SLOT=250 STALL_SLOT_FRONTEND=200 STALL_SLOT_BACKEND=180 OP_RETIRED=60 OP_SPEC=80");
    FLAGS("retiring", TD_FLAG_SUM_OFF);
}

/* Four shares that were counted at different times: a sum within their likely bounds is not off. */
static void sums_of_likely_shares(void)
{
    static const struct {
        double value, low, high;
        bool off;
    } cases[] = {
        {0.25, 0.2, 0.3, false},  {0.3, 0.2, 0.31, false}, {0.3, 0.27, 0.33, true},
        {0.2, 0.19, 0.24, false}, {0.2, 0.19, 0.22, true}, {0.3, NAN, NAN, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_metric m[4];
        struct td_result sum = {.metrics = m, .nmetrics = 4, .family = (const uint32_t[4]){0}};

        for (size_t k = 0; k < 4; k++)
            m[k] = (struct td_metric){
                .name = "n",
                .parent = "",
                .level = 1,
                .unit = "slots",
                .kind = TD_METRIC_NODE,
                .status = TD_OK,
                .flags = TD_FLAG_SPLIT_GROUPS,
                .value = cases[i].value,
                .low = cases[i].low,
                .high = cases[i].high,
            };
        td_level_sum_check(&sum, 2);
        for (size_t k = 0; k < 4; k++)
            CU_ASSERT_EQUAL(m[k].flags, TD_FLAG_SPLIT_GROUPS | (cases[i].off ? TD_FLAG_SUM_OFF : 0u));
    }
}

/* A share without bounds is between 0 and 1: three whose bounds leave no room for it are off, others are not. */
static void sums_with_an_unbounded_share(void)
{
    static const struct {
        double low, high;
        bool off;
    } cases[] = {{0.4, 0.45, true}, {0.35, 0.45, false},  {0.34, 0.45, false},
                 {0, 0.01, false},  {-0.1, -0.01, false}, {-0.1, -0.02, true}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_metric m[4];
        struct td_result sum = {.metrics = m, .nmetrics = 4, .family = (const uint32_t[4]){0}};

        for (size_t k = 0; k < 4; k++)
            m[k] = (struct td_metric){
                .name = "n",
                .parent = "",
                .level = 1,
                .unit = "slots",
                .kind = TD_METRIC_NODE,
                .status = TD_OK,
                .flags = k ? 0u : TD_FLAG_SPLIT_GROUPS,
                .value = 0.4,
                .low = k ? cases[i].low : (double)NAN,
                .high = k ? cases[i].high : (double)NAN,
            };
        td_level_sum_check(&sum, 2);
        for (size_t k = 0; k < 4; k++)
            CU_ASSERT_EQUAL(m[k].flags, (k ? 0u : TD_FLAG_SPLIT_GROUPS) | (cases[i].off ? TD_FLAG_SUM_OFF : 0u));
    }
}

/* What a table has at level 1 beside the tree, as backend_bound_aux, is of another family, and no fifth share. */
static void sums_beside_another_view(void)
{
    for (uint32_t family = 0; family <= 4; family += 4) {
        const uint32_t families[] = {0, 0, 0, 0, family};
        struct td_metric m[5];
        struct td_result sum = {.metrics = m, .nmetrics = 5, .family = families};

        for (size_t k = 0; k < 5; k++)
            m[k] = (struct td_metric){.name = "n",
                                      .parent = "",
                                      .level = 1,
                                      .unit = "slots",
                                      .kind = TD_METRIC_NODE,
                                      .status = TD_OK,
                                      .value = 0.25,
                                      .low = 0.25,
                                      .high = 0.25};
        td_level_sum_check(&sum, 2);
        for (size_t k = 0; k < 5; k++)
            CU_ASSERT_EQUAL(m[k].flags, family ? 0u : TD_FLAG_SUM_OFF);
    }
}

static const CU_TestInfo tests[] = {
    {"outside of a share", outside_of_a_share},
    {"nodes without a formula", nodes_without_formula},
    {"assumptions", assumptions},
    {"corrections by metric", corrections_by_metric},
    {"level 1", verdict_level1},
    {"level 2", verdict_level2},
    {"E-cores", verdict_of_e_cores},
    {"absent nodes", verdict_of_what_is_there},
    {"likely bounds", verdict_likely},
    {"what decides more", verdict_remedies},
    {"counts that contradict each other have no verdict", shares_that_contradict},
    {"sums of shares", sums_of_shares},
    {"sums of likely shares", sums_of_likely_shares},
    {"a sum with a share without bounds", sums_with_an_unbounded_share},
    {"a sum beside another view of a share", sums_beside_another_view},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("verdict", tests);
