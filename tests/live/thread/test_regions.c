/* SPDX-License-Identifier: MIT */
/* Regions of a thread: compares its readings with what it really executed. */
#include "sim/kernel/kernel.h"
#include "tests/support/thread_regions.h"

#ifdef __x86_64__
/* ---- truth and bounds ------------------------------------------------------- */

static const struct {
    const char *name;
    int field, less; /* the field's share, minus that of another; -1: none */
} nodes[] = {
    {"retiring", TD_FIELD_RETIRING, -1},
    {"bad_speculation", TD_FIELD_BAD_SPECULATION, -1},
    {"frontend_bound", TD_FIELD_FRONTEND_BOUND, -1},
    {"backend_bound", TD_FIELD_BACKEND_BOUND, -1},
    {"heavy_operations", TD_FIELD_HEAVY_OPERATIONS, -1},
    {"light_operations", TD_FIELD_RETIRING, TD_FIELD_HEAVY_OPERATIONS},
    {"branch_mispredicts", TD_FIELD_BRANCH_MISPREDICTS, -1},
    {"machine_clears", TD_FIELD_BAD_SPECULATION, TD_FIELD_BRANCH_MISPREDICTS},
    {"fetch_latency", TD_FIELD_FETCH_LATENCY, -1},
    {"fetch_bandwidth", TD_FIELD_FRONTEND_BOUND, TD_FIELD_FETCH_LATENCY},
    {"memory_bound", TD_FIELD_MEMORY_BOUND, -1},
    {"core_bound", TD_FIELD_BACKEND_BOUND, TD_FIELD_MEMORY_BOUND},
};

enum { NODES = sizeof(nodes) / sizeof(*nodes) };

struct tally {
    unsigned long passes, bounded, unbounded, outside;
};

static double share_of(const struct td_pmu_truth *a, const struct td_pmu_truth *b, int field)
{
    return (double)(b->part[field] - a->part[field]) / TD_PMU_WHOLE / (double)(b->slots - a->slots);
}

static void compare(struct tally *t, const struct td_result *r, const struct td_pmu_truth *a,
                    const struct td_pmu_truth *b)
{
    t->passes++;
    for (size_t i = 0; i < NODES; i++) {
        const struct td_metric *m = node(r, nodes[i].name);
        double truth = share_of(a, b, nodes[i].field) - (nodes[i].less < 0 ? 0 : share_of(a, b, nodes[i].less));

        if (m->status != TD_OK || isnan(m->low)) {
            t->unbounded++;
            continue;
        }
        t->bounded++;
        if (!(m->low <= m->value && m->value <= m->high && m->high <= fmax(1, m->value) && m->low <= truth + 1e-9 &&
              truth <= m->high + 1e-9)) {
            if (!t->outside++)
                fprintf(stderr, "%s: %.9f, but %.9f in %.9f..%.9f\n", m->name, truth, m->value, m->low, m->high);
        }
    }
}

/* Weights in 64ths, which have 6 decimals. */
static void random_machine(struct unit_random *r, const char *how, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, SPR(" rounding=%s"), how);
    uint64_t phases = 1 + unit_random_below(r, 4);

    for (uint64_t i = 0; i < phases; i++) {
        unsigned w[8], left = 64;

        for (size_t k = 0; k < 3; k++)
            left -= w[k] = (unsigned)unit_random_below(r, left + 1);
        w[3] = left;
        for (size_t k = 0; k < 4; k++)
            w[4 + k] = (unsigned)unit_random_below(r, w[k] + 1);
        n += (size_t)snprintf(
            out + n, size - n,
            "phase ms=%u retiring=%.6f bad=%.6f frontend=%.6f backend=%.6f heavy=%.6f mispredict=%.6f latency=%.6f memory=%.6f\n",
            1 + (unsigned)unit_random_below(r, 1000), w[0] / 64.0, w[1] / 64.0, w[2] / 64.0, w[3] / 64.0, w[4] / 64.0,
            w[5] / 64.0, w[6] / 64.0, w[7] / 64.0);
    }
    snprintf(out + n, size - n, "spin w cpus=0\ntask 7 other w cpus=0\n");
}

/* 10^2 to 10^10, each magnitude as likely as the others. */
static uint64_t random_length(struct unit_random *r)
{
    return (uint64_t)pow(10, 2 + 8 * unit_random_ratio(r));
}

static void random_pass(struct td *td, struct unit_random *r, struct tally *t)
{
    struct td_snapshot a, b;
    struct td_pmu_truth from, to;
    const struct td_result *result;

    if (unit_random_below(r, 8) == 0)
        CU_ASSERT_EQUAL(td_reset(td), 0);
    if (unit_random_below(r, 2))
        td_sim_self_run(td->sim, random_length(r)); /* 0 to 10 s after a reset */
    if (unit_random_below(r, 8) == 0)
        td_sim_self_away(td->sim, 1000000);
    td_sim_self_truth(td->sim, 4, &from);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, random_length(r));
    for (uint64_t n = unit_random_below(r, 8) == 0 ? 1 + unit_random_below(r, 3) : 0; n; n--) {
        td_sim_self_away(td->sim, 1000000);
        td_sim_self_run(td->sim, 1 + unit_random_below(r, 1000000));
    }
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    td_sim_self_truth(td->sim, 4, &to);
    CU_ASSERT_EQUAL(b.point.slots - a.point.slots, to.slots - from.slots);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &result), 0);
    compare(t, result, &from, &to);
}

static void truth_inside(void)
{
    static const char *const how[] = {"truncate", "nearest", "scatter"};
    const unsigned long rounds = unit_long_rounds(1000000);
    struct unit_random r = {.state = 20261120};
    struct tally t = {0};

    for (unsigned long n = 0; t.passes < rounds; n++) {
        char text[4096];
        struct td *td;

        random_machine(&r, how[n % 3], text, sizeof(text));
        td = open_regions(text, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
        for (unsigned i = 0; i < 2; i++) /* level-1 fields that sum to 253..257 */
            td->sim->hw.cpu[i].bank[0].skew = (int)(n / 3 % 5) - 2;
        for (unsigned i = 0; i < 500 && t.passes < rounds; i++)
            random_pass(td, &r, &t);
        td_free(td);
    }
    CU_ASSERT_EQUAL(t.outside, 0);
    CU_ASSERT_TRUE(3 * t.bounded > t.unbounded); /* a pass much shorter than the time before it has no bounds */
}

#endif

static void discards(void)
{
    CU_ASSERT_STRING_EQUAL(td_discard_name(TD_DISCARD_RESET), "reset");
    CU_ASSERT_STRING_EQUAL(td_discard_name(TD_DISCARD_UNSCHEDULED), "unscheduled");
    CU_ASSERT_STRING_EQUAL(td_discard_name(TD_DISCARD_OTHER_CORE), "other_core");
    CU_ASSERT_STRING_EQUAL(td_discard_name(TD_DISCARDS), "?");
    CU_ASSERT_STRING_EQUAL(td_discard_name((enum td_discard) - 1), "?");
}

static const CU_TestInfo tests[] = {
    {"names of discards", discards},
#ifdef __x86_64__
    {"truth inside the bounds", truth_inside},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("regions", tests);
