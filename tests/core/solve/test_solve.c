/* SPDX-License-Identifier: MIT */
/* From counts to metrics: which copies are used, their values, and what cannot be computed. */
#include "tests/support/solve_text.h"

/* five slots a cycle: 1000 of them */
static void exact_counts(void)
{
    solve("adl-e",
          "CPU_CLK_UNHALTED.CORE=200 TOPDOWN_FE_BOUND.ALL=100 TOPDOWN_BE_BOUND.ALL=300 TOPDOWN_RETIRING.ALL=500");
    GIVES("frontend_bound", 0.1);
    GIVES("backend_bound", 0.3);
    GIVES("retiring", 0.5);
    GIVES("bad_speculation", 0.1);
    EXACT("frontend_bound");
    EXACT("bad_speculation");
    FLAGS("bad_speculation", 0);
    FORMULA("gracemont");
    CU_ASSERT_TRUE(r.flags == 0 && r.ncorrections == 0 && r.coverage == 1);
    CU_ASSERT_STRING_EQUAL(metric("retiring")->parent, "");
    CU_ASSERT_STRING_EQUAL(metric("fetch_latency")->parent, "frontend_bound");
}

static void smallest_group(void)
{
    static const char *const orders[] = {FOUR("1", "250", "250", "250", "250") EIGHT,
                                         EIGHT FOUR("1", "250", "250", "250", "250")};

    for (size_t i = 0; i < 2; i++) {
        solve("spr", orders[i]);
        GIVES("retiring", 0.25);
        GIVES("memory_bound", 0.15);
        GIVES("core_bound", 0.05); /* from the group's own backend_bound, not from the 0.25 given */
        GIVES("light_operations", 0.45);
        GIVES("fetch_bandwidth", 0.08);
        GIVES("machine_clears", 0.02);
        BOUNDED("core_bound");
        FLAGS("retiring", 0);
    }
}

/* perf takes a metric's events from the first of the groups that have them all, so it is the first of one size here, in
 * whatever order the copies come; and what that group lacks is of the first that has it. */
static void first_of_one_size(void)
{
#define ONE "CPU_CLK_UNHALTED.CORE=200@1 TOPDOWN_FE_BOUND.ALL=100@1 INST_RETIRED.ANY=1@1 "
#define TWO "CPU_CLK_UNHALTED.CORE=400@2 TOPDOWN_FE_BOUND.ALL=800@2 TOPDOWN_BE_BOUND.ALL=300@2 "
#define THREE "CPU_CLK_UNHALTED.CORE=600@3 TOPDOWN_FE_BOUND.ALL=900@3 TOPDOWN_BE_BOUND.ALL=600@3 "
    static const char *const orders[] = {ONE TWO THREE, THREE TWO ONE, TWO ONE THREE};

    for (size_t i = 0; i < 3; i++) {
        solve("adl-e", orders[i]);
        GIVES("frontend_bound", 0.1);
        FLAGS("frontend_bound", 0);
        GIVES("backend_bound", 0.15); /* the first of the two that have its event */
    }
    solve("adl-e", "CPU_CLK_UNHALTED.CORE=200@1 TOPDOWN_FE_BOUND.ALL=100@1 TOPDOWN_RETIRING.ALL=500@1 "
                   "TOPDOWN_BE_BOUND.ALL=100@3 TOPDOWN_BE_BOUND.ALL=300@2");
    GIVES("bad_speculation", 0.1);
#undef ONE
#undef TWO
#undef THREE
}

static void corrections_and_groups(void)
{
    /* a group that holds the correction too is better, although larger */
    solve("spr", FOUR("1", "250", "250", "250", "250")
                     FOUR("2", "500", "100", "200", "200") "INT_MISC.UOP_DROPPING=50@2 cycles=1@2");
    GIVES("retiring", 0.25);
    GIVES("frontend_bound", 0.15);
    GIVES("bad_speculation", 0.15);
    /* but not one that lacks a needed event: here backend_bound's field */
    solve(
        "spr",
        "slots=1000@2 topdown-retiring=500@2 topdown-bad-spec=100@2 topdown-fe-bound=900@2 INT_MISC.UOP_DROPPING=50@2 " FOUR(
            "1", "250", "250", "250", "250"));
    GIVES("frontend_bound", 0.2);
    FORMULA("glc-perf-metrics");
}

static void copies_not_counted(void)
{
    solve("ehl",
          "cycles=100@1 TOPDOWN_FE_BOUND.ALL=0@1N cycles=250@2 TOPDOWN_FE_BOUND.ALL=100@2 TOPDOWN_BE_BOUND.ALL=1@2");
    GIVES("frontend_bound", 0.1);
    /* even if the rest of that group is the best */
    solve("adl-e", "cycles=200@1 TOPDOWN_BE_BOUND.ALL=500@1 TOPDOWN_RETIRING.ALL=100@1 "
                   "TOPDOWN_FE_BOUND.ALL=0@1N TOPDOWN_FE_BOUND.ALL=200@2");
    GIVES("frontend_bound", 0.2);
    GIVES("backend_bound", 0.5);
    GIVES("bad_speculation", 0.2);
    solve("ehl", "cycles=250@1 TOPDOWN_FE_BOUND.ALL=0@1N TOPDOWN_FE_BOUND.ALL=0@2N "
                 "TOPDOWN_BE_BOUND.ALL=0@1S TOPDOWN_RETIRING.ALL=0@1R");
    ABSENT("frontend_bound", TD_NOT_COUNTED, "TOPDOWN_FE_BOUND.ALL");
    ABSENT("backend_bound", TD_NOT_SUPPORTED, "TOPDOWN_BE_BOUND.ALL");
    ABSENT("retiring", TD_COUNTER_RESET, "TOPDOWN_RETIRING.ALL");
    ABSENT("bad_speculation", TD_MISSING_EVENT, "TOPDOWN_BAD_SPECULATION.ALL");
    solve("ehl", "");
    ABSENT("frontend_bound", TD_MISSING_EVENT, "TOPDOWN_FE_BOUND.ALL");
    CU_ASSERT_TRUE(isnan(r.coverage));
}

static void repeated_event(void)
{
    /* two copies of one event in a group are no better than one */
    solve("ehl",
          "cycles=100@1%50 cycles=100@1%50 cycles=250@2%50 TOPDOWN_FE_BOUND.ALL=100@2%50 TOPDOWN_BE_BOUND.ALL=1@2%50");
    GIVES("frontend_bound", 0.1);
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED);
}

/* perf itself counts "cycles"; the event was opened under its own name for the metrics. */
static void own_names_first(void)
{
    solve("ehl", "cycles=500@1G TOPDOWN_FE_BOUND.ALL=100@1 CPU_CLK_UNHALTED.CORE=250@1");
    GIVES("frontend_bound", 0.1);
    solve("ehl", "CPU_CLK_UNHALTED.CORE=250@1 cycles=500@1G TOPDOWN_FE_BOUND.ALL=100@1");
    GIVES("frontend_bound", 0.1);
    /* but the group's copy is preferred to another group's */
    solve("ehl", "cycles=250@1G TOPDOWN_FE_BOUND.ALL=100@1 CPU_CLK_UNHALTED.CORE=500@2");
    GIVES("frontend_bound", 0.1);
    solve("ehl", "cycles=250@1G TOPDOWN_FE_BOUND.ALL=100@1 CPU_CLK_UNHALTED.CORE=0@1N");
    GIVES("frontend_bound", 0.1);
}

static void modes_are_not_mixed(void)
{
    solve("ehl", "cycles=250@1m1 TOPDOWN_FE_BOUND.ALL=100@2m2");
    ABSENT("frontend_bound", TD_MISSING_EVENT, "TOPDOWN_FE_BOUND.ALL");
    solve("ehl", "cycles=500@1m1 cycles=250@1m2 TOPDOWN_FE_BOUND.ALL=100@1m2");
    GIVES("frontend_bound", 0.1);
    solve("ehl", "cycles=250@1m1 TOPDOWN_FE_BOUND.ALL=100@1m1 cycles=500@1m2 TOPDOWN_FE_BOUND.ALL=800@1m2");
    GIVES("frontend_bound", 0.1);
}

/* V2, 8 slots a cycle: 1,000,000; 600,000 used, of which 0.9 retire. A mispredict takes 4
 * slots' worth of a cycle, 0.04 * 4, to bad speculation. */
#define V2(g) "CPU_CYCLES=125e3@" g " STALL_SLOT=400e3@" g " OP_RETIRED=450e3@" g " OP_SPEC=500e3@" g " "
#define STALLS(g) "STALL_SLOT_FRONTEND=100e3@" g " STALL_SLOT_BACKEND=300e3@" g " "

static void expect_v2(bool corrected)
{
    const unsigned left_out = corrected ? 0 : TD_FLAG_CORRECTION_MISSING;

    GIVES("retiring", 0.54);
    GIVES("bad_speculation", corrected ? 0.22 : 0.06);
    GIVES("frontend_bound", corrected ? 0.06 : 0.1);
    GIVES("backend_bound", corrected ? 0.18 : 0.3);
    check((metric("frontend_bound")->flags & TD_FLAG_CORRECTION_MISSING) == left_out, "frontend", __LINE__);
    check((metric("bad_speculation")->flags & TD_FLAG_CORRECTION_MISSING) == left_out, "bad", __LINE__);
    check(!(metric("retiring")->flags & TD_FLAG_CORRECTION_MISSING), "retiring", __LINE__);
    CU_ASSERT_EQUAL(metric("backend_bound")->corrections, corrected ? 0 : 1);
    CU_ASSERT_EQUAL(metric("retiring")->corrections, 0);
    FORMULA(corrected ? "neoverse" : "neoverse without BR_MIS_PRED");
    CU_ASSERT_EQUAL(r.ncorrections, corrected ? 0 : 1);
}

static void same_time_or_none(void)
{
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=5e3@1");
    expect_v2(true);
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=5e3@2"); /* another group, but counted all the time */
    expect_v2(true);
    solve("neoverse-v2", V2("1%50") STALLS("1%50") "BR_MIS_PRED=5e3@1%50");
    expect_v2(true);
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=5e3@2%50");
    expect_v2(false);
    FLAGS("frontend_bound", TD_FLAG_CORRECTION_MISSING); /* what is not used is not reported as multiplexed */
    CU_ASSERT_EQUAL(r.coverage, 1);
    solve("neoverse-v2", V2("1%50") STALLS("1%50") "BR_MIS_PRED=5e3@1%60");
    expect_v2(false);
    /* with retiring's events only */
    solve("neoverse-v2", V2("1%50") STALLS("2%50") "CPU_CYCLES=125e3@2%50 BR_MIS_PRED=5e3@1%50");
    expect_v2(false);
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=0@1N");
    expect_v2(false);
    solve("neoverse-v2", V2("1") STALLS("1"));
    expect_v2(false);
}

static void expect_v2_between(double frontend_least, double backend_least, double bad_most)
{
    expect_v2(false);
    LIKELY("frontend_bound", frontend_least, 0.1);
    LIKELY("backend_bound", backend_least, 0.3);
    LIKELY("bad_speculation", 0.06, bad_most);
    EXACT("retiring");
    CU_ASSERT_EQUAL(metric("retiring")->bounds, TD_BOUNDS_SOUND);
}

/* A mispredict takes a slot's worth of a cycle from the frontend and three from the backend. Counted at another time,
 * in half of it: up to twice that and twice 10, 10,020 in 125,000 cycles, so that 0.08016 move from the frontend, three
 * times that from the backend, all to bad speculation; none there: up to 20. Not counted: up to 0.08 of the cycles. Of
 * a flush nothing is known: N3, 5 slots in each of 200,000 cycles, may have any. Ice Lake, 5 slots a cycle: 0.02 of the
 * slots may have been dropped, and a clear in every 20th cycle, 50 slots of 1000, may have gone from bad speculation to
 * the backend. A mispredict wastes an operation: 1,000 of 500,000, a 500th of the slots used, are wasted, of 600,000
 * slots 1,200, and twice as many mispredicts are in 0.0192 of the cycles. */
static void what_a_missing_term_may_be(void)
{
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=5e3@2%50");
    expect_v2_between(0.01984, 0.05952, 0.38064);
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=0@2%50");
    expect_v2_between(0.09984, 0.29952, 0.06064);
    solve("neoverse-v2", V2("1") STALLS("1"));
    expect_v2_between(0.02, 0.06, 0.38);
    solve("neoverse-v2", V2("1") STALLS("1") "BR_MIS_PRED=0@1N");
    expect_v2_between(0.02, 0.06, 0.38);
    solve("neoverse-v2",
          "CPU_CYCLES=125e3@1 STALL_SLOT=400e3@1 OP_RETIRED=499e3@1 OP_SPEC=500e3@1 CPU_CYCLES=125e3@2 " STALLS("2"));
    LIKELY("frontend_bound", 0.0808, 0.1);
    LIKELY("backend_bound", 0.2424, 0.3);
    LIKELY("bad_speculation", 0.0012, 0.078);
    solve("neoverse-n3", "CPU_CYCLES=200e3@1 STALL_SLOT=400e3@1 OP_RETIRED=450e3@1 OP_SPEC=500e3@1 " STALLS("1"));
    LIKELY("frontend_bound", 0, 0.1);
    LIKELY("bad_speculation", 0.06, 1);
    EXACT("backend_bound");
    CU_ASSERT_EQUAL(metric("backend_bound")->bounds, TD_BOUNDS_SOUND);
    solve("icl", "TOPDOWN.SLOTS=1000@1 UOPS_RETIRED.SLOTS=500@1 IDQ_UOPS_NOT_DELIVERED.CORE=250@1 "
                 "TOPDOWN.BACKEND_BOUND_SLOTS=150@1");
    LIKELY("frontend_bound", 0.23, 0.25);
    LIKELY("backend_bound", 0.15, 0.2);
    LIKELY("bad_speculation", 0.05, 0.12);
    EXACT("retiring");
    CU_ASSERT_EQUAL(metric("retiring")->bounds, TD_BOUNDS_SOUND);
    solve("icl", "TOPDOWN.SLOTS=1000@1 UOPS_RETIRED.SLOTS=600@1 IDQ_UOPS_NOT_DELIVERED.CORE=245@1 "
                 "TOPDOWN.BACKEND_BOUND_SLOTS=150@1 INT_MISC.UOP_DROPPING=5@1");
    EXACT("frontend_bound");
    LIKELY("bad_speculation", 0, 0.01); /* no less than none */
}

/* What was tried leaves nothing behind: the terms are left out, and each metric's cell has its value. */
static void terms_are_taken_back(void)
{
    static const char *const cpus[] = {"icl", "spr", "neoverse-v2"};

    for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
        const struct td_selection *sel;
        size_t terms = 0;

        solve(cpus[i], i == 2 ? V2("1") STALLS("1") : FOUR("1", "400", "100", "200", "300"));
        sel = forms->solving.selection;
        for (size_t e = 0; e < td_forms_uarch(forms)->nevents; e++)
            if (strstr(r.formula, td_forms_uarch(forms)->events[e].name)) {
                CU_ASSERT_EQUAL(forms->solving.cells[td_correction_cell(sel->form->p, e)].state, TD_VAL_OMITTED);
                terms++;
            }
        CU_ASSERT_EQUAL(terms, i == 0 ? 2 : 1);
        for (size_t m = 0; m < r.nmetrics; m++)
            if (r.metrics[m].status == TD_OK)
                check(forms->solving.cells[sel->asked[m].cell].r.value == r.metrics[m].value, r.metrics[m].name,
                      __LINE__);
    }
}

static bool alike(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Intervals that lack one correction, the other, both or none, each after each: as if it were the first. */
static void corrections_one_after_the_other(void)
{
#define ICL(clears, dropping) \
    FOUR("1", "400", "100", "200", "300") "INT_MISC.CLEARS_COUNT=" clears "@1 INT_MISC.UOP_DROPPING=" dropping "@1"
    static const struct {
        const char *text, *formula;
        size_t n;
        unsigned of_bad_speculation, of_frontend_bound;
    } rows[] = {
        {ICL("1", "5"), "icl-perf-metrics", 0, 0, 0},
        {ICL("0N", "5"), "icl-perf-metrics without INT_MISC.CLEARS_COUNT", 1, 1, 0},
        {ICL("1", "0N"), "icl-perf-metrics without INT_MISC.UOP_DROPPING", 1, 1, 1},
        {ICL("0N", "0N"), "icl-perf-metrics without INT_MISC.CLEARS_COUNT,INT_MISC.UOP_DROPPING", 2, 3, 2},
    };
    struct td_metric fresh[sizeof(rows) / sizeof(*rows)][64];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        solve("icl", rows[i].text);
        CU_ASSERT_FATAL(r.nmetrics <= 64);
        memcpy(fresh[i], r.metrics, r.nmetrics * sizeof(*r.metrics));
        CU_ASSERT_EQUAL(metric("bad_speculation")->corrections, rows[i].of_bad_speculation);
        CU_ASSERT_EQUAL(metric("frontend_bound")->corrections, rows[i].of_frontend_bound);
    }
    for (size_t pair = 0; pair < 64; pair++) {
        const size_t last = pair % 4;

        solve("icl", rows[pair / 16].text);
        solve_again(rows[pair / 4 % 4].text);
        solve_again(rows[last].text);
        FORMULA(rows[last].formula);
        CU_ASSERT_EQUAL(r.ncorrections, rows[last].n);
        for (size_t m = 0; m < r.nmetrics; m++) {
            const struct td_metric *a = &fresh[last][m], *b = &r.metrics[m];

            check(a->status == b->status && a->flags == b->flags && a->corrections == b->corrections &&
                      a->bounds == b->bounds && alike(a->value, b->value) && alike(a->low, b->low) &&
                      alike(a->high, b->high),
                  b->name, (int)pair);
        }
    }
    /* and another question about what lacks the same: 0.02 of the slots at most */
    for (unsigned i = 0; i < 4; i++) {
        struct td_metric first;

        ask.level = 1 + (int)(i / 2);
        solve("spr", EIGHT);
        first = *metric(i & 1 && i / 2 ? "fetch_latency" : "frontend_bound");
        ask.level = 2 - (int)(i / 2);
        solve("spr", EIGHT);
        ask.level = 1 + (int)(i / 2);
        solve_again(EIGHT);
        check(alike(metric(first.name)->low, first.low) && alike(metric(first.name)->high, first.high), first.name,
              __LINE__);
        CU_ASSERT(first.flags & TD_FLAG_CORRECTION_MISSING);
    }
    ask = usual;
}

static double lack_of(const char *name)
{
    return r.lacks[metric(name) - r.metrics];
}

/* Of 20 slots each field may be off by 20 / 255 + 1, more than what the terms may be: 0.02 of the slots and a clear in
 * every 20th cycle, a slot. What the fields may be off is no part of it. */
static void what_a_missing_term_adds(void)
{
    solve("icl", "slots=20@1 topdown-retiring=4@1 topdown-bad-spec=4@1 topdown-fe-bound=4@1 topdown-be-bound=8@1");
    CU_ASSERT_TRUE(metric("backend_bound")->high > 0.4 + 0.05 + 1.0 / 20);
    CU_ASSERT_DOUBLE_EQUAL(lack_of("backend_bound"), 0.05, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(lack_of("frontend_bound"), 0.02, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(lack_of("bad_speculation"), 0.05, 1e-12);
    CU_ASSERT_EQUAL(lack_of("retiring"), 0);
}

/* Ice Lake, 5 slots in each of 200,000 cycles: the backend has 0.1 of the slots, all of it the core's, and up to 0.05
 * more by clears that were not recorded; ports are busy in 0.126 of the cycles. So 100 * (1 - core / ports) is 20.6
 * without clears, 0.8 with half of them, and 100 with all, which make the core's share the larger. */
static void what_a_missing_term_moves_to_and_fro(void)
{
    ask.names = "info_botlnk_l0_core_bound_likely";
    ask.smt_off = false;
    ask.smt_on = true;
    solve("icl", "TOPDOWN.SLOTS=1e6@1 UOPS_RETIRED.SLOTS=500e3@1 IDQ_UOPS_NOT_DELIVERED.CORE=200e3@1 "
                 "TOPDOWN.BACKEND_BOUND_SLOTS=100e3@1 INT_MISC.UOP_DROPPING=0@1 CYCLE_ACTIVITY.STALLS_MEM_ANY=0@1 "
                 "EXE_ACTIVITY.BOUND_ON_STORES=0@1 CYCLE_ACTIVITY.STALLS_TOTAL=1000@1 EXE_ACTIVITY.1_PORTS_UTIL=0@1 "
                 "EXE_ACTIVITY.2_PORTS_UTIL=0@1 ARITH.DIVIDER_ACTIVE=0@1 EXE_ACTIVITY.3_PORTS_UTIL:u0x80=25200@1 "
                 "cycles=200e3@1 CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE=0@1 CPU_CLK_UNHALTED.REF_DISTRIBUTED=100e3@1");
    GIVES("core_bound", 0.1);
    GIVES("info_botlnk_l0_core_bound_likely", 100 * (1 - 0.1 / 0.126));
    LIKELY("info_botlnk_l0_core_bound_likely", 100 * (1 - 0.125 / 0.126), 100);
    ask = usual;
}

static void parts_of_the_time(void)
{
    solve("adl-e", "cycles=200@1%50 TOPDOWN_FE_BOUND.ALL=100@1%50 cycles=200@2%40 TOPDOWN_BE_BOUND.ALL=300@2%40 "
                   "cycles=200@3 TOPDOWN_RETIRING.ALL=500@3");
    FLAGS("frontend_bound", TD_FLAG_MULTIPLEXED);
    UNBOUNDED("frontend_bound");
    FLAGS("retiring", 0);
    EXACT("retiring");
    FLAGS("bad_speculation", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    UNBOUNDED("bad_speculation");
    CU_ASSERT_EQUAL(r.flags, TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    CU_ASSERT_DOUBLE_EQUAL(r.coverage, 0.4, 1e-12);
    /* one of two was counted all the time */
    solve("adl-e", "cycles=200@1%50 TOPDOWN_FE_BOUND.ALL=100@1%50 TOPDOWN_BE_BOUND.ALL=300@2");
    FLAGS("backend_bound", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
    solve("adl-e", "cycles=200@1 TOPDOWN_FE_BOUND.ALL=100@2 TOPDOWN_BE_BOUND.ALL=300@3 TOPDOWN_RETIRING.ALL=500@4");
    FLAGS("bad_speculation", 0); /* different groups, but counted all of the time */
    EXACT("bad_speculation");
}

/* Each field may be off by 1000 / 255 + 1, the four by 19.68... */
static void sums(void)
{
    static const struct {
        const char *be;
        double sum;
        bool off;
    } cases[] = {
        {"319", 1019, false}, {"320", 1020, true},  {"281", 981, false},
        {"280", 980, true},   {"1300", 2000, true}, {"1315", 2015, true}, /* up to twice the slots are accepted */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[256] = "slots=1000 topdown-retiring=400 topdown-bad-spec=100 topdown-fe-bound=200 topdown-be-bound=";

        solve("spr", strcat(text, cases[i].be));
        GIVES("retiring", 400 / cases[i].sum);
        FLAGS("retiring", cases[i].off ? TD_FLAG_SUM_OFF : 0);
        if (cases[i].off)
            UNBOUNDED("retiring");
        else
            BOUNDED("retiring");
    }
    /* exactly four times 2550 / 255 + 1 */
    solve("spr", "slots=2550 topdown-retiring=1094 topdown-bad-spec=500 topdown-fe-bound=500 topdown-be-bound=500");
    FLAGS("retiring", 0);
    solve("icl", FOUR("1", "400", "100", "200",
                      "400") "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE=20 INT_MISC.UOP_DROPPING=0");
    GIVES("fetch_latency", 0.1);
    FLAGS("fetch_latency", 0); /* the fields are not involved */
    FLAGS("backend_bound", TD_FLAG_SUM_OFF | TD_FLAG_CORRECTION_MISSING);
    solve("spr", FOUR("1", "1015", "0", "0", "1015"));
    RAW("retiring", 0.5);
    RAW("bad_speculation", 0);
    FLAGS("retiring", 0);
    solve("spr", FOUR("1", "235", "0", "0", "235"));
    RAW("backend_bound", 0.5);
    solve("spr", FOUR("1", "245", "0", "0", "245")); /* up to 510 including what the 8 bits hide */
    GIVES("backend_bound", 0.5);
}

/* Of 2550 slots each field may be off by 2550 / 255 + 1 = 11, the four by 44: up to 44 more than twice the slots, and
 * down to 44 less than half of them, are accepted. */
static void absurd_sums(void)
{
    solve("spr", "slots=2550 topdown-retiring=1286 topdown-bad-spec=1286 topdown-fe-bound=1286 topdown-be-bound=1286");
    GIVES("retiring", 0.25);
    FLAGS("retiring", TD_FLAG_SUM_OFF);
    solve("spr", "slots=2550 topdown-retiring=1286 topdown-bad-spec=1286 topdown-fe-bound=1286 topdown-be-bound=1287");
    RAW("retiring", 1286 / 5145.0);
    solve("spr", "slots=2550 topdown-retiring=307 topdown-bad-spec=308 topdown-fe-bound=308 topdown-be-bound=308");
    GIVES("retiring", 307 / 1231.0);
    FLAGS("retiring", TD_FLAG_SUM_OFF);
    solve("spr", "slots=2550 topdown-retiring=307 topdown-bad-spec=307 topdown-fe-bound=308 topdown-be-bound=308");
    RAW("retiring", 307 / 1230.0);
}

/* Whether the fields are off the slots by no more than each of them may be off. */
static void near_sums(void)
{
    solve("spr", FOUR("1", "400", "100", "200", "300"));
    CU_ASSERT(r.sum_near);
    solve("spr", FOUR("1", "400", "100", "200", "400"));
    CU_ASSERT(r.sum_near);
    solve("spr", FOUR("1", "400", "100", "200", "1300"));
    CU_ASSERT_FALSE(r.sum_near);
    solve("adl-e", "cycles=200 TOPDOWN_FE_BOUND.ALL=100");
    CU_ASSERT_FALSE(r.sum_near);
}

/* What three fields leave of 1000 slots: each may be off by e = 1000 / 255 + 1, so what they leave by three times that,
 * and a share x of x + rest is the least where x is, and the rest is the most. */
static void rest_of_slots(void)
{
    const double e = 1000.0 / 255 + 1;

    solve("spr", "slots=1000@1 topdown-retiring=400@1 topdown-bad-spec=100@1 topdown-fe-bound=200@1 "
                 "INT_MISC.UOP_DROPPING=0@1");
    GIVES("backend_bound", 0.3);
    LIKELY("backend_bound", (300 - 3 * e) / 1000, (300 + 3 * e) / 1000);
    GIVES("retiring", 0.4);
    LIKELY("retiring", (400 - e) / (1000 + 4 * e), (400 + e) / (1000 - 4 * e));
    FLAGS("retiring", TD_FLAG_REST_OF_SLOTS);
    ABSENT("memory_bound", TD_MISSING_EVENT, "topdown-mem-bound");
    solve("spr", "slots=1000@1 topdown-retiring=400@1 topdown-be-bound=100@1 topdown-fe-bound=200@1");
    GIVES("bad_speculation", 0.3);
    solve("spr", FOUR("1", "400", "100", "200", "310"));
    FLAGS("retiring", 0);
    solve("spr", "slots=1000@1 topdown-retiring=705@1 topdown-bad-spec=100@1 topdown-fe-bound=200@1");
    GIVES("backend_bound", 0); /* 5 more than the slots are within what they are off */
    solve("spr", "slots=1000@1 topdown-retiring=715@1 topdown-bad-spec=100@1 topdown-fe-bound=200@1");
    ABSENT("backend_bound", TD_MISSING_EVENT, "topdown-be-bound");
    /* of 2550 slots by 11 each, 33 in all, and a 1e9th of the slots by rounding */
    solve("spr", "slots=2550@1 topdown-retiring=1583@1 topdown-bad-spec=500@1 topdown-fe-bound=500.000002@1");
    GIVES("backend_bound", 0);
    solve("spr", "slots=2550@1 topdown-retiring=1583@1 topdown-bad-spec=500@1 topdown-fe-bound=500.000004@1");
    ABSENT("backend_bound", TD_MISSING_EVENT, "topdown-be-bound");
    solve("spr", "slots=1000@1 topdown-retiring=400@1 topdown-bad-spec=100@1 topdown-fe-bound=200@2%50");
    ABSENT("backend_bound", TD_MISSING_EVENT, "topdown-be-bound");
    solve("spr", "slots=1000@1 topdown-retiring=400@1 topdown-fe-bound=200@1");
    ABSENT("backend_bound", TD_MISSING_EVENT, "topdown-be-bound");
    solve("spr",
          "slots=1000@1 topdown-retiring=400@1 topdown-bad-spec=100@1 topdown-fe-bound=200@1 topdown-be-bound=0@1N");
    ABSENT("backend_bound", TD_NOT_COUNTED, "topdown-be-bound");
    /* of a single slot, too, as means of runs may have: 1 - 0.4 - 0.1 - 0.2; and of part of one, 0.5 - 0.2 - 0.05 - 0.1
     */
    solve("spr", "slots=1@1 topdown-retiring=0.4@1 topdown-bad-spec=0.1@1 topdown-fe-bound=0.2@1");
    GIVES("backend_bound", 0.3);
    solve("spr", "slots=0.5@1 topdown-retiring=0.2@1 topdown-bad-spec=0.05@1 topdown-fe-bound=0.1@1");
    GIVES("backend_bound", 0.3);
}

/* At each context switch the kernel drops what looks negative: then the fields' error has no known limit. */
static void switched(void)
{
    ask.switched = true;
    solve("icl", FOUR("1", "400", "100", "200",
                      "300") "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE=20 INT_MISC.UOP_DROPPING=0");
    FLAGS("retiring", TD_FLAG_NO_BOUNDS);
    GIVES("retiring", 0.4);
    UNBOUNDED("retiring");
    FLAGS("fetch_latency", 0);
    EXACT("fetch_latency");
    solve("adl-e", "cycles=200 TOPDOWN_FE_BOUND.ALL=100");
    EXACT("frontend_bound");
    ask = usual;
}

static void nothing_to_divide(void)
{
    solve("spr", "slots=0 topdown-retiring=1 topdown-bad-spec=0 topdown-fe-bound=0 topdown-be-bound=0");
    ABSENT("retiring", TD_NO_SLOTS, NULL);
    ABSENT("resource_bound", TD_NOT_ON_THIS_CPU, NULL);
    solve("spr", FOUR("1", "0", "0", "0", "0"));
    ABSENT("frontend_bound", TD_NO_SLOTS, NULL);
    solve("adl-e", "cycles=0 TOPDOWN_FE_BOUND.ALL=0");
    ABSENT("frontend_bound", TD_NO_SLOTS, NULL);
    solve(
        "skl",
        "cycles=250 UOPS_ISSUED.ANY=300 UOPS_RETIRED.RETIRE_SLOTS=200 INT_MISC.RECOVERY_CYCLES=0 MACHINE_CLEARS.COUNT=0 "
        "BR_MISP_RETIRED.ALL_BRANCHES=0");
    GIVES("bad_speculation", 0.1);
    ABSENT("branch_mispredicts", TD_ZERO_DIVISOR, NULL);
    ABSENT("machine_clears", TD_ZERO_DIVISOR, NULL);
}

static void levels_and_intervals(void)
{
    static const char *const four[] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound"};

    ask.level = 1;
    solve("spr", EIGHT);
    CU_ASSERT_EQUAL_FATAL(r.nmetrics, 4);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_STRING_EQUAL(r.metrics[i].name, four[i]);
    ask = usual;
    counts.status = TD_EPOCH_CHANGED;
    solve("spr", EIGHT);
    counts.status = TD_OK;
    ABSENT("retiring", TD_EPOCH_CHANGED, NULL);
    ABSENT("memory_bound", TD_EPOCH_CHANGED, NULL);
    FORMULA("glc-perf-metrics");
}

/* perf's *_SMT metrics count UOPS_EXECUTED.CORE of both threads; halved, it gives
 * the digits that perf printed (0.04: 0.042, not 0.063). Toplev's "-ebs" halves nothing, but what both siblings
 * count of their core is twice its cycles, and of one thread's counts those are half its own in which its sibling ran.
 * Slots 4 * 1000 / 2, half of them backend bound; 300 + (600 - 200) / 2 cycles, or 700 without a sibling, 100 of which
 * wait for memory. ALONE: of 100 ticks of the reference clock, those in which the sibling did not run. */
#define HASWELL \
    "cycles=1000 CPU_CLK_UNHALTED.REF_XCLK=100 IDQ_UOPS_NOT_DELIVERED.CORE=0 " \
    "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE=0 UOPS_ISSUED.ANY=1000 UOPS_RETIRED.RETIRE_SLOTS=1000 RESOURCE_STALLS.SB=0 " \
    "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE=300 CYCLE_ACTIVITY.STALLS_LDM_PENDING=100 instructions=1000 UOPS_EXECUTED.CORE:c1=600 " \
    "UOPS_EXECUTED.CORE:c2=200 INT_MISC.RECOVERY_CYCLES=0 CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE="
static void haswell_smt_is_halved(void)
{
    ask = (struct td_solve_ask){.level = 2, .smt_on = true, .whole_core = true, .both_siblings = true, .hints = &hints};
    solve("hsw", HASWELL "0 INT_MISC.RECOVERY_CYCLES_ANY=0");
    FORMULA("hsw-smt");
    GIVES("memory_bound", 0.5 * 100 / 500);
    EXACT("memory_bound");
    solve("hsw", HASWELL "0");
    FORMULA("hsw-ebs");
    GIVES("memory_bound", 0.5 * 100 / 500);
    EXACT("memory_bound");
    FLAGS("memory_bound", 0);
    ask.smt_on = false; /* and may be off: then the core's cycles were counted once */
    solve("hsw", HASWELL "0");
    GIVES("memory_bound", 0.5 * 100 / 500);
    LIKELY("memory_bound", 0.5 * 100 / 700, 0.5 * 100 / 500);
    FLAGS("memory_bound", TD_FLAG_SMT_UNKNOWN);
    ask.smt_off = true;
    solve("hsw", HASWELL "100"); /* 1000 of 4000 slots retire, and 3 of 4 are backend bound */
    GIVES("memory_bound", 0.75 * 100 / 700);
    EXACT("memory_bound");
    ask = usual;
}

/* Of one thread, whose sibling ran for 3/4 of its time: slots 4 * 1000 * (1 / 4 + 3 / 8) = 2500, of which 1500 are
 * backend bound; of the 400 cycles 400 * (1 - 3 / 8) = 250 are its own. Those are half of them at least, and no more
 * than half and half of the 250 without the sibling. Beside a sibling that runs for 1/10, no more than half of 100 are
 * missing. */
static void haswell_beside_a_sibling(void)
{
    ask = (struct td_solve_ask){.level = 2, .smt_on = true, .whole_core = true, .hints = &hints};
    solve("hsw", HASWELL "25");
    GIVES("memory_bound", 0.6 * 100 / (300 + 250));
    LIKELY("memory_bound", 0.6 * 100 / (300 + 325), 0.6 * 100 / (300 + 200));
    FLAGS("memory_bound", TD_FLAG_ONE_SIBLING);
    EXACT("retiring");
    FLAGS("retiring", 0);
    solve("hsw", HASWELL "90"); /* slots 3800 */
    GIVES("memory_bound", 28 / 38.0 * 100 / (300 + 380));
    LIKELY("memory_bound", 28 / 38.0 * 100 / (300 + 400), 28 / 38.0 * 100 / (300 + 300));
    solve("hsw", HASWELL "100"); /* it never ran */
    GIVES("memory_bound", 0.75 * 100 / 700);
    EXACT("memory_bound");
    FLAGS("memory_bound", 0);
    ask.halted = true; /* unless it did while the thread halted: then none of the 400 may be its own */
    solve("hsw", HASWELL "100");
    LIKELY("memory_bound", 0.75 * 100 / 700, 0.75 * 100 / 300);
    FLAGS("memory_bound", TD_FLAG_ONE_SIBLING);
    ask.halted = false;
    ask.whole_core = false; /* 300 recoveries of either thread, of 2500 slots: by half, none or all of them its own */
    solve("hsw", HASWELL "25 INT_MISC.RECOVERY_CYCLES_ANY=300");
    FORMULA("hsw-smt");
    GIVES("bad_speculation", 4 * 300 * (1 - 0.75 / 2) / 2500);
    CU_ASSERT_TRUE(metric("bad_speculation")->low <= 0 && metric("bad_speculation")->high >= 4 * 300 / 2500.0);
    FLAGS("bad_speculation", TD_FLAG_ONE_SIBLING);
    EXACT("retiring");
    ask = usual;
}

/* The question differs from one interval to the next, the counts do not. */
static void another_question(void)
{
    static const char bound[] = "l1_bound", branch[] = "branch_mispredicts";
    static const char text[] =
        FOUR("1", "500", "100", "200",
             "200") "UOPS_RETIRED.SLOTS=250@1 IDQ_BUBBLES.CORE=200@1 "
                    "TOPDOWN.BACKEND_BOUND_SLOTS=400@1 INT_MISC.UOP_DROPPING=0@1 TOPDOWN.BR_MISPREDICT_SLOTS=50@1";

    solve("spr", text);
    GIVES("retiring", 0.5);
    ask.fixed = false;
    solve_again(text);
    GIVES("retiring", 0.25);
    GIVES("backend_bound", 0.4);
    ask.fixed = true;
    solve_again(text);
    GIVES("retiring", 0.5);
    ask.level = 1;
    ask.names = bound;
    solve_again(text);
    CU_ASSERT_EQUAL(r.nmetrics, 5);
    ABSENT("l1_bound", TD_MISSING_EVENT, "EXE_ACTIVITY.BOUND_ON_LOADS");
    ask.names = branch;
    solve_again(text);
    CU_ASSERT_EQUAL(r.nmetrics, 5);
    ABSENT("branch_mispredicts", TD_MISSING_EVENT, "topdown-br-mispredict");
    ask.names = NULL;
    solve_again(text);
    CU_ASSERT_EQUAL(r.nmetrics, 4);
    ask = usual;
    for (int i = 0; i < 1000; i++) { /* nothing may grow: the forms have fewer than 2,000 definitions */
        ask.fixed = i % 2;
        solve_again(text);
    }
    CU_ASSERT_TRUE(forms->solving.choice.nrun < 2000);
    CU_ASSERT_EQUAL(forms->nselections, 5); /* each question once */
    ask = usual;
}

/* Solves a form of five definitions, then one of hundreds: max((300 - 100) / 1000, 0). */
static void a_larger_form(void)
{
    ask.names = "l1_bound";
    solve(
        "skl",
        "topdown-total-slots=4000 topdown-fetch-bubbles=1000 topdown-slots-issued=2000 topdown-slots-retired=2000 topdown-recovery-bubbles=0");
    FORMULA("kernel-topdown");
    GIVES("frontend_bound", 0.25);
    solve_again(
        "cycles=1000 IDQ_UOPS_NOT_DELIVERED.CORE=1000 UOPS_ISSUED.ANY=2000 UOPS_RETIRED.RETIRE_SLOTS=2000 INT_MISC.RECOVERY_CYCLES=0 "
        "CYCLE_ACTIVITY.STALLS_MEM_ANY=300 CYCLE_ACTIVITY.STALLS_L1D_MISS=100");
    GIVES("frontend_bound", 0.25);
    GIVES("l1_bound", 0.2);
    ask = usual;
}

/* The kernel's cycles are counts of another event in this mode: 300 of 1000. */
static void counts_of_a_mode(void)
{
    ask.names = "info_system_kernel_utilization";
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000 CPU_CLK_UNHALTED.THREAD_P=300m2 CPU_CLK_UNHALTED.THREAD_P=700m1");
    GIVES("info_system_kernel_utilization", 0.3);
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000 CPU_CLK_UNHALTED.THREAD_P=700m1");
    ABSENT("info_system_kernel_utilization", TD_MISSING_EVENT, "CPU_CLK_UNHALTED.THREAD_P:k");
    ask = usual;
}

/* The part of the time for which events were counted is not known: two groups' counts may be from different times,
 * and no bounds can be given, not even likely ones. */
static void coverage_unknown(void)
{
    static const struct td_taken taken = {.elapsed = 1e9, .cpus = 1, .interval = 4e6};
    static const char text[] =
        "cycles=200@1%0 TOPDOWN_BE_BOUND.ALL=300@2%0 TOPDOWN_FE_BOUND.ALL=100@1%0 TOPDOWN_RETIRING.ALL=500@1%0 "
        "TOPDOWN_BAD_SPECULATION.ALL=100@1%0";

    ask.level = 1;
    ask.coverage_unknown = true;
    ask.taken = &taken;
    use_forms(td_uarch_by_name("adl-e"));
    parse_counts(td_forms_uarch(forms), text);
    for (size_t i = 0; i < counts.n; i++)
        counts.c[i].enabled = 0;
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    GIVES("retiring", 0.5);
    FLAGS("retiring", TD_FLAG_NO_BOUNDS | TD_FLAG_COVERAGE_UNKNOWN);
    FLAGS("frontend_bound", TD_FLAG_NO_BOUNDS | TD_FLAG_COVERAGE_UNKNOWN);
    FLAGS("backend_bound", TD_FLAG_NO_BOUNDS | TD_FLAG_COVERAGE_UNKNOWN | TD_FLAG_SPLIT_GROUPS);
    UNBOUNDED("retiring");
    UNBOUNDED("backend_bound");
    CU_ASSERT_TRUE(isnan(r.coverage));
    ask = usual;
}

/* Inputs that a metric uses besides counts are still there for it, whatever later metrics use. */
static void inputs(void)
{
    ask.names = "info_system_time,info_system_ipfarbranch";
    ask.duration = (struct td_range){2, 2, 2};
    solve("skl", "cycles=1000");
    GIVES("info_system_time", 2);
    ask = usual;
}

#define E_CORE \
    "cycles=200@1 TOPDOWN_FE_BOUND.ALL=100@1 TOPDOWN_BE_BOUND.ALL=300@1 TOPDOWN_RETIRING.ALL=500@1 TOPDOWN_BAD_SPECULATION.ALL=100@1"

/* Seen in half of 2,500 windows, a share of a half has a deviation of 1 point: sqrt(0.25 / 1250 * 0.5). */
static void likely_bounds(void)
{
    static const struct td_taken taken = {.elapsed = 1e10, .cpus = 1, .interval = 4e6};

    ask.level = 1;
    ask.taken = &taken;
    use_forms(td_uarch_by_name("adl-e"));
    parse_counts(td_forms_uarch(forms), E_CORE);
    for (size_t i = 0; i < counts.n; i++) {
        counts.c[i].enabled = 1e10;
        counts.c[i].running = 5e9;
        counts.c[i].value *= 3.1e8; /* 6.2 GHz: no window can have had more slots than the others */
    }
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    GIVES("retiring", 0.5);
    CU_ASSERT_EQUAL(metric("retiring")->bounds, TD_BOUNDS_LIKELY);
    CU_ASSERT_TRUE(metric("retiring")->low > 0.44 && metric("retiring")->low < 0.49);
    CU_ASSERT_TRUE(metric("retiring")->high > 0.51 && metric("retiring")->high < 0.56);
    ask = usual;
}

/* In a sum: each was counted all of the time, but the backend in other intervals. */
static void other_intervals(void)
{
    ask.level = 1;
    r.summary = true;
    use_forms(td_uarch_by_name("adl-e"));
    parse_counts(td_forms_uarch(forms), E_CORE);
    counts.c[2].which = 7;
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    FLAGS("backend_bound", TD_FLAG_SPLIT_GROUPS);
    FLAGS("retiring", 0);
    UNBOUNDED("backend_bound");
    r.summary = false;
    ask = usual;
}

/* One thread of a core whose clock ran 1000 cycles: it had 2000 of the 4000 slots if its sibling always ran, all of
 * them if it never did; and none to all of the 50 cycles of recovery. So bad speculation is 700 - 600 + 4 * 0 of 4000
 * slots at least, 700 - 600 + 4 * 50 of 2000 at most; what is left over, 1 - 400 / 2000 - (700 + 200) / 2000 at least
 * and 1 - 400 / 4000 - 700 / 4000 at most. */
static void one_of_two_siblings(void)
{
    static const char siblings[] =
        "CPU_CLK_UNHALTED.THREAD_ANY=1000 IDQ_UOPS_NOT_DELIVERED.CORE=400 UOPS_ISSUED.ANY=700 "
        "UOPS_RETIRED.RETIRE_SLOTS=600 INT_MISC.RECOVERY_CYCLES_ANY=50";

    ask = (struct td_solve_ask){.level = TD_LEVEL_TOP};
    solve("skl", siblings);
    FORMULA("skl-thread-any");
    GIVES("frontend_bound", 0.2);
    GIVES("bad_speculation", 0.1);
    GIVES("retiring", 0.3);
    GIVES("backend_bound", 0.4);
    LIKELY("frontend_bound", 0.1, 0.2);
    LIKELY("bad_speculation", 0.025, 0.15);
    LIKELY("retiring", 0.15, 0.3);
    LIKELY("backend_bound", 0.35, 0.725);
    FLAGS("retiring", TD_FLAG_ONE_SIBLING);
    /* 2400 in 2000 slots cannot retire: the sibling did not run all the time, so that these are of 4000 */
    solve("skl", "CPU_CLK_UNHALTED.THREAD_ANY=1000 IDQ_UOPS_NOT_DELIVERED.CORE=400 UOPS_ISSUED.ANY=2500 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2400 INT_MISC.RECOVERY_CYCLES_ANY=50");
    GIVES("retiring", 0.6);
    GIVES("frontend_bound", 0.1);
    GIVES("bad_speculation", 0.075); /* 2500 - 2400 + 4 * 50 */
    GIVES("backend_bound", 0.225);
    ask.names = "info_system_kernel_utilization"; /* of the thread's own cycles, 250 of 1000 in the kernel */
    for (unsigned retired = 600; retired <= 2400; retired += 1800) {
        char text[400];

        snprintf(text, sizeof(text),
                 "CPU_CLK_UNHALTED.THREAD_ANY=1000 IDQ_UOPS_NOT_DELIVERED.CORE=400 UOPS_ISSUED.ANY=%u "
                 "UOPS_RETIRED.RETIRE_SLOTS=%u INT_MISC.RECOVERY_CYCLES_ANY=50 CPU_CLK_UNHALTED.THREAD=1000 "
                 "CPU_CLK_UNHALTED.THREAD_P=250m2",
                 retired + 100, retired);
        solve("skl", text);
        GIVES("retiring", retired == 600 ? 0.3 : 0.6);
        GIVES("info_system_kernel_utilization", 0.25);
        UNBOUNDED("info_system_kernel_utilization");
    }
    ask.names = NULL;
    ask.level = 2; /* 4 * 50 of 2000 slots; deeper nodes have no bounds */
    solve("skl", "CPU_CLK_UNHALTED.THREAD_ANY=1000 IDQ_UOPS_NOT_DELIVERED.CORE=400 UOPS_ISSUED.ANY=700 "
                 "UOPS_RETIRED.RETIRE_SLOTS=600 INT_MISC.RECOVERY_CYCLES_ANY=50 "
                 "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE=50");
    LIKELY("frontend_bound", 0.1, 0.2);
    GIVES("fetch_latency", 0.1);
    UNBOUNDED("fetch_latency");
    ask.level = TD_LEVEL_TOP;
    ask.whole_core = true;
    solve("skl", siblings);
    EXACT("bad_speculation");
    ask.whole_core = false;
    ask.smt_off = true; /* half of a clock that no sibling used: the values are wrong */
    solve("skl", siblings);
    UNBOUNDED("retiring");
}

/* Metrics that only other CPUs have are given by their names, each as it was written, and have no value. */
static void of_other_cpus(void)
{
    ask = usual;
    ask.names = "first_name second_name, third";
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000");
    check(metric("first_name")->status == TD_NOT_ON_THIS_CPU && metric("second_name")->status == TD_NOT_ON_THIS_CPU &&
              metric("third")->status == TD_NOT_ON_THIS_CPU,
          "names of other CPUs' metrics", 0);
    ask = usual;
}

/* A hundred locked loads of 29.21 cycles each, the mean that pmu-tools has of Meteor Lake, in 10,000 cycles. */
static void assumed_latency(void)
{
    ask.level = TD_LEVELS;
    solve("mtl-p", "CPU_CLK_UNHALTED.THREAD=10e3 MEM_INST_RETIRED.LOCK_LOADS=100 ICACHE_DATA.STALLS=500");
    GIVES("lock_latency", 0.2921);
    FLAGS("lock_latency", TD_FLAG_LATENCY_ASSUMED);
    GIVES("icache_misses", 0.05);
    FLAGS("icache_misses", 0);
    ask = usual;
}

/* Solves a sum whose first copy, the slots, is of other intervals than the fields: these are shares of their own sum,
 * unless that is nothing. */
static void apart(const char *text)
{
    const struct td_uarch *u = td_uarch_by_name("spr");

    use_forms(u);
    parse_counts(u, text);
    for (size_t i = 1; i < counts.n; i++)
        counts.c[i].which = 1;
    r.summary = true;
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    r.summary = false;
}

static void slots_of_other_intervals(void)
{
    apart(
        "slots=1000@1 topdown-retiring=1500@1 topdown-bad-spec=500@1 topdown-fe-bound=1000@1 topdown-be-bound=2000@1");
    GIVES("retiring", 0.3);
    GIVES("backend_bound", 0.4);
    solve("spr", FOUR("1", "1500", "500", "1000", "2000")); /* of the same ones they would be too many */
    RAW("retiring", 0.3);
    r.summary = true; /* and a sum whose copies are all of the same ones is as exact as an interval */
    solve("spr", FOUR("1", "1500", "500", "1000", "2000"));
    RAW("retiring", 0.3);
    r.summary = true;
    solve("spr", FOUR("1", "300", "100", "200", "400"));
    r.summary = false;
    GIVES("retiring", 0.3);
    FLAGS("retiring", 0);
}

static const CU_TestInfo tests[] = {
    {"assumed latency", assumed_latency},
    {"slots of other intervals", slots_of_other_intervals},
    {"metrics of other CPUs", of_other_cpus},
    {"exact counts", exact_counts},
    {"the smallest group", smallest_group},
    {"the first group of one size", first_of_one_size},
    {"corrections and groups", corrections_and_groups},
    {"copies not counted", copies_not_counted},
    {"an event repeated in a group", repeated_event},
    {"own names first", own_names_first},
    {"modes are not mixed", modes_are_not_mixed},
    {"corrections of the same time, or none", same_time_or_none},
    {"what a missing term may be", what_a_missing_term_may_be},
    {"what a missing term adds", what_a_missing_term_adds},
    {"terms are taken back", terms_are_taken_back},
    {"corrections one after the other", corrections_one_after_the_other},
    {"what a missing term moves to and fro", what_a_missing_term_moves_to_and_fro},
    {"parts of the time", parts_of_the_time},
    {"sums", sums},
    {"sums that are absurd", absurd_sums},
    {"sums that are near", near_sums},
    {"the rest of the slots", rest_of_slots},
    {"switched between threads", switched},
    {"nothing to divide", nothing_to_divide},
    {"levels, intervals", levels_and_intervals},
    {"Haswell with SMT is halved", haswell_smt_is_halved},
    {"Haswell beside a sibling", haswell_beside_a_sibling},
    {"another question", another_question},
    {"a larger form", a_larger_form},
    {"counts of a mode", counts_of_a_mode},
    {"coverage unknown", coverage_unknown},
    {"inputs", inputs},
    {"likely bounds", likely_bounds},
    {"other intervals", other_intervals},
    {"one of two siblings", one_of_two_siblings},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("solve", tests);
