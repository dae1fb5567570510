/* SPDX-License-Identifier: MIT */
/* Formulas compiled and solved while memory runs out, at each allocation once. */
#include "tests/support/memory.h"
#include "tests/support/solve_text.h"

#include "core/verdict/thresholds.h"

#include <errno.h>

static const struct td_taken taken = {.elapsed = 1e10, .cpus = 1, .interval = 4e6};

struct question {
    const char *cpu, *names;
    struct td_counts counts[2]; /* one interval after the other */
    int level;
};

static struct question asked(const char *cpu, const char *names, int level, const char *first, const char *second)
{
    struct question q = {.cpu = cpu, .names = names, .level = level};
    const char *text[] = {first, second};

    for (size_t i = 0; i < 2; i++) {
        counts = (struct td_counts){0};
        parse_counts(td_uarch_by_name(cpu), text[i]);
        q.counts[i] = counts;
    }
    counts = (struct td_counts){0};
    return q;
}

static int answer(void *ctx)
{
    struct question *q = ctx;
    struct td_solve_ask a = usual;
    struct td_result result = {.nmetrics = 0};
    struct td_forms *f = NULL;
    int err = td_forms_new(td_uarch_by_name(q->cpu), &f);

    a.names = q->names;
    a.taken = &taken;
    a.smt_off = false;
    a.scale_assumed = true; /* of the kernel's events */
    for (size_t i = 0; i < 4 && !err; i++) {
        a.level = i < 3 ? q->level : 1; /* another question */
        err = td_solve(f, &q->counts[i / 2], &a, &result);
    }
    CU_ASSERT(!f || !strcmp(td_forms_why(f), err ? "out of memory" : ""));
    td_result_free(&result);
    td_forms_free(f);
    return err;
}

static void each(struct question q)
{
    const unsigned long failed = memory_each(answer, &q, 1, false);

    CU_ASSERT(failed == 0 || failed > 10);
    for (size_t i = 0; i < 2; i++)
        td_counts_free(&q.counts[i]);
}

#define GROUPS \
    "cycles=1000@1%50 IDQ_UOPS_NOT_DELIVERED.CORE=1000@1%50 UOPS_ISSUED.ANY=2000@1%50 UOPS_RETIRED.RETIRE_SLOTS=1900@2%40 " \
    "INT_MISC.RECOVERY_CYCLES=10@2%40 CYCLE_ACTIVITY.STALLS_MEM_ANY=300@3%30 CYCLE_ACTIVITY.STALLS_L1D_MISS=100@3%30"

static void fields(void)
{
    each(asked("spr", NULL, 2, EIGHT, EIGHT FOUR("1", "250", "250", "250", "250")));
}

static void several_groups(void)
{
    each(asked("skl", "l1_bound", 2, GROUPS, GROUPS " BR_MISP_RETIRED.ALL_BRANCHES=5@4%20"));
}

static void deep(void)
{
    each(asked("skl", NULL, 3, "cycles=1000", GROUPS));
}

static void scales(void)
{
#define KERNEL(fetch) \
    "topdown-total-slots=4000@1%50 topdown-fetch-bubbles=" fetch "@1%50 topdown-slots-issued=2000@2%50 " \
    "topdown-slots-retired=2000@2%50 topdown-recovery-bubbles=0@2%50"
    each(asked("skl", NULL, 1, KERNEL("1000"), KERNEL("900")));
}

static const CU_TestInfo tests[] = {{"scales of the kernel", scales},
                                    {"fields of the register", fields},
                                    {"several groups", several_groups},
                                    {"a deep level", deep},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("solve without memory", tests);
