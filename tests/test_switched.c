/* SPDX-License-Identifier: MIT */
/* The bounds of tasks: the kernel saves the metrics register when a task is
 * switched off and drops what then looks negative; the truth must be inside. */
#include "counts.h"
#include "random_pmu.h"
#include "result.h"
#include "solve.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 3, UNITS = 5 }; /* slots and the four fields */

/* icl_update_topdown_event() of Linux arch/x86/events/intel/core.c, over one task's registers. */
struct task {
    struct td_pmu pmu;
    uint64_t saved[UNITS], count[UNITS];
};

static void update(struct task *t, bool reset)
{
    uint64_t slots = td_pmu_slots(&t->pmu), metrics = td_pmu_metrics(&t->pmu);

    if (!slots)
        return;
    for (size_t i = 0; i < UNITS; i++) {
        uint64_t now = i ? slots * (metrics >> (8 * (i - 1)) & 0xff) / 0xff : slots;

        if (now > t->saved[i])
            t->count[i] += now - t->saved[i];
        t->saved[i] = reset ? 0 : now;
    }
    if (reset)
        td_pmu_reset(&t->pmu);
}

/* Slots run, with switches in between, and sometimes an update that resets. */
static void run(struct task *t, struct unit_random *r)
{
    unsigned long pieces = 1 + unit_random_below(r, 40);

    while (pieces-- > 0) {
        td_pmu_advance(&t->pmu, 1 + unit_random_below(r, UINT64_C(1) << unit_random_below(r, 22)));
        update(t, unit_random_below(r, 16) == 0);
    }
}

static void take(const struct task *t, struct td_snap *s, struct td_sample sample[UNITS], const struct td_uarch *u)
{
    static const char *const names[UNITS] = {"TOPDOWN.SLOTS", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"};

    for (size_t i = 0; i < UNITS; i++)
        sample[i] = (struct td_sample){.value = t->count[i], .enabled = t->count[0], .running = t->count[0],
                                       .event = (uint8_t)td_uarch_event_number(u, names[i]), .text = (uint32_t)i, .status = TD_OK};
    *s = (struct td_snap){.time = t->count[0], .bits = 64, .readers = 1, .switched = true, .n = UNITS, .s = sample};
}

static double share(const struct td_pmu_truth *a, const struct td_pmu_truth *b, size_t field)
{
    return (double)(b->part[field] - a->part[field]) / TD_PMU_WHOLE / (double)(b->slots - a->slots);
}

static bool inside(const struct td_solver *solver, const struct td_counts *k, const struct td_pmu_truth *a, const struct td_pmu_truth *b, double *width)
{
    static const char *const names[] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound"};
    const struct td_solve_ask ask = {.level = 1, .fixed = true, .switched = true};
    struct td_result r;
    bool ok = true;

    td_solve(solver, k, &ask, &r);
    for (size_t m = 0; m < r.nmetrics; m++)
        for (size_t f = 0; f < 4; f++) {
            double truth = share(a, b, f);

            if (strcmp(r.metrics[m].name, names[f]) || r.metrics[m].status != TD_OK || isnan(r.metrics[m].low))
                continue;
            *width += r.metrics[m].high - r.metrics[m].low;
            ok = ok && r.metrics[m].low <= truth + 1e-12 && truth <= r.metrics[m].high + 1e-12;
        }
    return ok;
}

/* One task, three intervals and their sum. */
static unsigned measure(const struct td_solver *solver, struct unit_random *r, double *width)
{
    const struct td_uarch *u = td_solver_uarch(solver);
    struct td_pmu_phase phase[PHASES];
    struct task t = {0};
    struct td_snap snap[2];
    struct td_sample sample[2][UNITS];
    struct td_pmu_truth first, from, to;
    struct td_counts k = {0}, sum = {0};
    unsigned misses = 0;
    int skew = (int)unit_random_below(r, 5) - 2;

    for (size_t i = 0; i < PHASES; i++)
        random_phase(r, 1 + unit_random_below(r, UINT64_C(1) << unit_random_below(r, 24)), &phase[i]);
    td_pmu_init(&t.pmu, phase, PHASES, (enum td_pmu_rounding)unit_random_below(r, 3), skew);
    take(&t, &snap[0], sample[0], u);
    td_pmu_truth(&t.pmu, &first);
    from = first;
    for (int i = 0; i < 3; i++) {
        run(&t, r);
        take(&t, &snap[(i + 1) % 2], sample[(i + 1) % 2], u);
        td_pmu_truth(&t.pmu, &to);
        if (td_snap_delta(&snap[i % 2], &snap[(i + 1) % 2], u, &k) || td_counts_add(&sum, &k))
            abort();
        misses += !inside(solver, &k, &from, &to, width);
        from = to;
    }
    misses += !inside(solver, &sum, &first, &to, width);
    td_counts_free(&k);
    td_counts_free(&sum);
    return misses;
}

static void truth_is_inside(void)
{
    struct unit_random r = {0x2545f4914f6cdd1d};
    unsigned long rounds = unit_rounds(100000), misses = 0;
    struct td_solver *solver;
    double width = 0;
    char why[200];

    if (td_solver_new(td_uarch_by_name("lnl-p"), &solver, why, sizeof(why))) {
        CU_FAIL_FATAL("no solver");
        return;
    }
    for (unsigned long i = 0; i < rounds; i++)
        misses += measure(solver, &r, &width);
    CU_ASSERT_EQUAL(misses, 0);
    printf("mean width %.3f ", width / (double)rounds / 16);
    td_solver_free(solver);
}

void suite_switched(void)
{
    static const CU_TestInfo tests[] = {
        {"the truth is inside the bounds of tasks", truth_is_inside},
        CU_TEST_INFO_NULL,
    };

    unit_suite("switched", tests);
}
