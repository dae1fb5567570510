/* SPDX-License-Identifier: MIT */
/* Likely bounds of metrics whose counts come from several groups: how far each group moves them, and what is
 * kept of that from interval to interval. */
#include "tests/support/solve_text.h"

#include <stdio.h>

/* Tasks, for which a window counts for up to 1.5 times the mean (observed.c), on one CPU. */
static const struct td_taken by_turns = {
    .elapsed = 100, .cpus = 1, .interval = 1e-3, .tasks = true, .switches = (double)NAN};

static struct td_likely_group half_seen(double pull)
{
    return (struct td_likely_group){.windows = {50 / 1e-3, 100 / 1e-3}, .uneven = 1.5, .pull = pull};
}

/* The bounds of a share whose counts two groups hold, each seen half the time. */
static void bounds_by(const char *name, double value, double pull, double other, int line)
{
    const struct td_likely_group groups[] = {half_seen(pull), half_seen(other)};
    const struct td_likely_ask by = {
        .value = value, .low = value, .high = value, .most = 1, .slack = 0.01, .groups = groups, .ngroups = 2};
    const struct td_metric *m = metric(name);
    double low, high;

    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    check(m->bounds == TD_BOUNDS_LIKELY && is(m->value, value), name, line);
    check(fabs(m->low - fmax(0, low)) < 1e-9 && fabs(m->high - high) < 1e-9, name, line);
}

/* backend_bound of Skylake is 1 - (not delivered + issued + 4 * recovery) / (4 * cycles) = 1 - 3600 / 4000. With a
 * tenth more cycles that is 1 - 3600 / 4400 = 0.1818, with a tenth fewer 0: a pull of 1. With a tenth more of the rest
 * 0.01, with a tenth less 0.19: a pull of 0.9. Both are far more than the share of 0.1 itself would move. */
static void difference(void)
{
    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@0%50 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    bounds_by("backend_bound", 0.1, 1, 0.9, __LINE__);
    /* a quotient of the two: 0.15 / 0.9 - 0.15 = 0.01667 and 0.15 * 0.1 = 0.015 for a tenth */
    bounds_by("frontend_bound", 0.15, 0.15 / 0.9, 0.15, __LINE__);
    /* the next interval has other counts: 1 - 3200 / 4000, and pulls of (0.8 / 0.9 - 0.8) / 0.1 = 0.8 / 0.9, and 0.8 */
    solve_again("CPU_CLK_UNHALTED.THREAD=1000@0%50 IDQ_UOPS_NOT_DELIVERED.CORE=200@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    bounds_by("backend_bound", 0.2, 0.8 / 0.9, 0.8, __LINE__);
    ask = usual;
}

/* Cycles that were counted all the time have no error, however many windows that was: the other group's alone counts.
 * The pulls are those of difference(). */
static void one_of_them_whole(void)
{
    const struct td_likely_group groups[] = {{.windows = {1, 1}, .uneven = 1.5, .pull = 1}, half_seen(0.9)};
    const struct td_likely_ask by = {
        .value = 0.1, .low = 0.1, .high = 0.1, .most = 1, .slack = 0.01, .groups = groups, .ngroups = 2};
    double low, high;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@0 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(metric("backend_bound")->bounds, TD_BOUNDS_LIKELY);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->low, fmax(0, low), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->high, high, 1e-9);
    ask = usual;
}

/* Groups that were counted nearly all the time are several; in the next interval, where each was counted all the time,
 * they are one. */
static void wholes_are_one(void)
{
#define TWO(one, other) \
    "CPU_CLK_UNHALTED.THREAD=1000@0%" one " IDQ_UOPS_NOT_DELIVERED.CORE=600@1%" other " UOPS_ISSUED.ANY=2900@1%" other \
    " UOPS_RETIRED.RETIRE_SLOTS=2800@1%" other " INT_MISC.RECOVERY_CYCLES=25@1%" other
    static const unsigned turns = TD_FLAG_SPLIT_GROUPS | TD_FLAG_MULTIPLEXED;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", TWO("99.95", "99.96"));
    check((metric("backend_bound")->flags & turns) == turns, "several", __LINE__);
    solve_again(TWO("100", "100"));
    check(!(metric("backend_bound")->flags & turns), "one", __LINE__);
    GIVES("backend_bound", 0.1);
    solve_again(TWO("100", "99.96"));
    check((metric("backend_bound")->flags & turns) == turns, "several again", __LINE__);
    ask = usual;
#undef TWO
}

/* One group holds it all: it moves nothing that is a quotient of its counts, but what it saw varies all the same. */
static void together(void)
{
    const struct td_likely_group group = half_seen(0);
    const struct td_likely_ask by = {
        .value = 0.1, .low = 0.1, .high = 0.1, .most = 1, .slack = 0.01, .groups = &group, .ngroups = 1};
    double low, high;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@1%50 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->low, low, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->high, high, 1e-9);
    ask = usual;
}

/* ---- series of intervals ------------------------------------------------------------- */

enum { ROUNDS = 3000 /* fewer do not meet all that can change */ };

static const char *const groups_of_skl[][7] = {
    {"CPU_CLK_UNHALTED.THREAD", "IDQ_UOPS_NOT_DELIVERED.CORE", "INT_MISC.RECOVERY_CYCLES", "UOPS_ISSUED.ANY",
     "UOPS_RETIRED.RETIRE_SLOTS"},
    {"BR_MISP_RETIRED.ALL_BRANCHES", "CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY", "MACHINE_CLEARS.COUNT",
     "UOPS_RETIRED.MACRO_FUSED"},
    {"CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_TOTAL", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE",
     "L1D_PEND_MISS.PENDING"},
    {"EXE_ACTIVITY.1_PORTS_UTIL", "EXE_ACTIVITY.2_PORTS_UTIL", "EXE_ACTIVITY.BOUND_ON_STORES",
     "CYCLE_ACTIVITY.STALLS_L1D_MISS"},
};

/* An interval: each group counted for one of four parts of the time, or all of it, now and then with a copy of its own.
 */
static void write_interval(struct unit_random *random, char *out, size_t size)
{
    static const unsigned parts[] = {25, 25, 40, 100};
    size_t at = 0;

    for (size_t g = 0; g < sizeof(groups_of_skl) / sizeof(*groups_of_skl); g++) {
        const unsigned part = parts[unit_random(random) % 4];

        if (g && unit_random(random) % 16 == 0) /* not recorded */
            continue;
        for (size_t e = 0; e < 7 && groups_of_skl[g][e]; e++) {
            const bool apart = unit_random(random) % 40 == 0, none = unit_random(random) % 60 == 0;

            at += (size_t)snprintf(out + at, size - at, "%s=%u@%zu%%%u%s ", groups_of_skl[g][e],
                                   (unsigned)(100 + unit_random(random) % 1000), g, apart ? 30 : part, none ? "N" : "");
        }
    }
}

static bool same_metric(const struct td_metric *a, const struct td_metric *b)
{
    const double x[] = {a->value, a->low, a->high, a->raw}, y[] = {b->value, b->low, b->high, b->raw};

    return !memcmp(x, y, sizeof(x)) && a->status == b->status && a->flags == b->flags && a->bounds == b->bounds;
}

/* Whatever came before, an interval has the answer that it has alone, to the last bit. */
static void kept(void)
{
    struct unit_random random = {.state = 12};
    struct td_forms *fresh;
    struct td_result alone = {.nmetrics = 0};
    unsigned long given = 0, bad = 0;

    ask = usual;
    ask.level = 3;
    ask.taken = &by_turns;
    use_forms(td_uarch_by_name("skl"));
    for (unsigned long i = 0; i < (unsigned long)ROUNDS; i++) {
        char text[2048];

        write_interval(&random, text, sizeof(text));
        ask.level = unit_random(&random) % 16 ? ask.level : 1 + (int)(unit_random(&random) % 3);
        solve_again(text);
        CU_ASSERT_FATAL(!td_forms_new(td_forms_uarch(forms), &fresh));
        CU_ASSERT_EQUAL_FATAL(td_solve(fresh, &counts, &ask, &alone), 0);
        CU_ASSERT_EQUAL_FATAL(r.nmetrics, alone.nmetrics);
        for (size_t m = 0; m < r.nmetrics; m++) {
            bad += !same_metric(&r.metrics[m], &alone.metrics[m]);
            given += r.metrics[m].bounds == TD_BOUNDS_LIKELY;
        }
        td_forms_free(fresh);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(given > 3 * (unsigned long)ROUNDS);
    td_result_free(&alone);
    ask = usual;
}

static const CU_TestInfo tests[] = {
    {"a difference of two groups' counts", difference},
    {"one of the groups was counted all the time", one_of_them_whole},
    {"groups that were counted all the time", wholes_are_one},
    {"one group", together},
    {"intervals one after the other", kept},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of several groups", tests);
