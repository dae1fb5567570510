/* SPDX-License-Identifier: MIT */
/* Published formulas, and states of a CPU whose event rates are consistent with each other. */
#include "tests/support/likely_chance.h"
#include "tests/support/likely_sim.h"

#include <math.h>

/* The shares of four level-1 categories, often all of one. */
static void four(uint64_t *random, double f[4])
{
    double sum = 0;
    size_t only = (size_t)(4 * chance(random));
    bool one = chance(random) < 0.6;

    for (size_t i = 0; i < 4; i++)
        sum += f[i] = one ? i == only : exponential(random, 1);
    for (size_t i = 0; i < 4; i++)
        f[i] /= sum;
}

/* Skylake's levels 1 and 2 with SMT (formula B of Intel's TMA tables): CORE_CLKS is
 * THREAD_ANY / 2, RECOVERY_CYCLES_ANY / 2. Rates are consistent with each other. */
enum {
    SKL_ANY,
    SKL_NOT_DELIVERED,
    SKL_RETIRED,
    SKL_ISSUED,
    SKL_RECOVERY,
    SKL_CYCLES_0,
    SKL_MISP,
    SKL_CLEARS,
    SKL_STALLS_MEM,
    SKL_STORES,
    SKL_STALLS,
    SKL_1_PORT,
    SKL_2_PORTS,
    SKL_EVENTS,
};

static void skl_state(uint64_t *random, double *x)
{
    double f[4], how;

    four(random, f);
    x[SKL_ANY] = 2;
    x[SKL_NOT_DELIVERED] = 4 * f[0];
    x[SKL_RETIRED] = 4 * f[2];
    x[SKL_RECOVERY] = 2 * f[1] * extreme(random);
    x[SKL_ISSUED] = 4 * (f[2] + f[1]) - 2 * x[SKL_RECOVERY];
    x[SKL_CYCLES_0] = f[0] * extreme(random);
    how = extreme(random);
    x[SKL_MISP] = 0.05 * f[1] * how + 1e-6;
    x[SKL_CLEARS] = 0.01 * f[1] * (1 - how) + 1e-6;
    x[SKL_STALLS] = f[3] * (0.6 + 0.4 * chance(random));
    x[SKL_STALLS_MEM] = x[SKL_STALLS] * extreme(random);
    x[SKL_STORES] = (f[3] - x[SKL_STALLS]) * chance(random);
    x[SKL_1_PORT] = 0.5 * f[3] * (1 - x[SKL_STALLS] - x[SKL_STORES]) * chance(random) + 1e-6;
    x[SKL_2_PORTS] = 0.5 * (1 - x[SKL_STALLS] - x[SKL_STORES]) * chance(random);
}

static double skl_slots(const double *x)
{
    return 4 * (x[SKL_ANY] / 2);
}

static double skl_frontend(const double *x)
{
    return x[SKL_NOT_DELIVERED] / skl_slots(x);
}

static double skl_bad(const double *x)
{
    return (x[SKL_ISSUED] - x[SKL_RETIRED] + 4 * (x[SKL_RECOVERY] / 2)) / skl_slots(x);
}

static double skl_backend(const double *x)
{
    return 1 - skl_frontend(x) - (x[SKL_ISSUED] + 4 * (x[SKL_RECOVERY] / 2)) / skl_slots(x);
}

static double skl_latency(const double *x)
{
    return 4 * x[SKL_CYCLES_0] / skl_slots(x);
}

static double skl_mispredicts(const double *x)
{
    return x[SKL_MISP] / (x[SKL_MISP] + x[SKL_CLEARS]) * skl_bad(x);
}

static double skl_memory(const double *x)
{
    double retiring = x[SKL_RETIRED] / skl_slots(x);

    return skl_backend(x) * (x[SKL_STALLS_MEM] + x[SKL_STORES]) /
           (x[SKL_STALLS] + x[SKL_1_PORT] + retiring * x[SKL_2_PORTS] + x[SKL_STORES]);
}

static double skl_core(const double *x)
{
    return skl_backend(x) - skl_memory(x);
}

/* Ice Lake's level 2 (formula C). */
enum {
    ICL_SLOTS,
    ICL_RETIRING,
    ICL_BAD,
    ICL_FRONTEND,
    ICL_BACKEND,
    ICL_DROPPING,
    ICL_CLEARS_COUNT,
    ICL_MISP,
    ICL_CLEARS,
    ICL_STALLS_MEM,
    ICL_STORES,
    ICL_STALLS,
    ICL_1_PORT,
    ICL_2_PORTS,
    ICL_EVENTS,
};

static void icl_state(uint64_t *random, double *x)
{
    double f[4], skl[SKL_EVENTS];

    skl_state(random, skl);
    f[0] = skl_frontend(skl), f[1] = skl_bad(skl), f[3] = skl_backend(skl);
    f[2] = 1 - f[0] - f[1] - f[3];
    x[ICL_SLOTS] = 5;
    x[ICL_RETIRING] = 5 * f[2], x[ICL_BAD] = 5 * f[1], x[ICL_FRONTEND] = 5 * f[0], x[ICL_BACKEND] = 5 * f[3];
    x[ICL_DROPPING] = 0.25 * f[0] * chance(random);
    x[ICL_CLEARS_COUNT] = 0.02 * f[1];
    x[ICL_MISP] = skl[SKL_MISP], x[ICL_CLEARS] = skl[SKL_CLEARS];
    x[ICL_STALLS_MEM] = skl[SKL_STALLS_MEM], x[ICL_STORES] = skl[SKL_STORES], x[ICL_STALLS] = skl[SKL_STALLS];
    x[ICL_1_PORT] = skl[SKL_1_PORT], x[ICL_2_PORTS] = skl[SKL_2_PORTS];
}

static double icl_part(const double *x, size_t field)
{
    return x[field] / (x[ICL_RETIRING] + x[ICL_BAD] + x[ICL_FRONTEND] + x[ICL_BACKEND]);
}

static double icl_backend(const double *x)
{
    return icl_part(x, ICL_BACKEND) + 5 * x[ICL_CLEARS_COUNT] / x[ICL_SLOTS];
}

static double icl_bad(const double *x)
{
    double frontend = icl_part(x, ICL_FRONTEND) - x[ICL_DROPPING] / x[ICL_SLOTS];

    return fmax(0, 1 - (frontend + icl_backend(x) + icl_part(x, ICL_RETIRING)));
}

static double icl_mispredicts(const double *x)
{
    return x[ICL_MISP] / (x[ICL_MISP] + x[ICL_CLEARS]) * icl_bad(x);
}

static double icl_memory(const double *x)
{
    return icl_backend(x) * (x[ICL_STALLS_MEM] + x[ICL_STORES]) /
           (x[ICL_STALLS] + x[ICL_1_PORT] + icl_part(x, ICL_RETIRING) * x[ICL_2_PORTS] + x[ICL_STORES]);
}

static double icl_core(const double *x)
{
    return fmax(0, icl_backend(x) - icl_memory(x));
}

/* Sapphire Rapids: dtlb_load (level 4, with min and max), and ports_utilization with
 * ports_utilized_0 (levels 3 and 4, with max and a branch). */
enum {
    SPR_CLKS,
    SPR_STLB_HIT,
    SPR_WALK,
    SPR_MEM_ANY,
    SPR_L1D_MISS,
    SPR_DIV,
    SPR_STALLS,
    SPR_BOUND_ON_LOADS,
    SPR_0_PORTS,
    SPR_RS_EMPTY,
    SPR_SCOREBOARD,
    SPR_1_PORT,
    SPR_2_3_PORTS,
    SPR_SLOTS,
    SPR_RETIRED,
    SPR_EVENTS,
};

static void spr_state(uint64_t *random, double *x)
{
    double memory = extreme(random), walks, how = chance(random), compute, rest;

    x[SPR_CLKS] = 1;
    x[SPR_MEM_ANY] = memory;
    x[SPR_L1D_MISS] = memory * extreme(random);
    walks = (x[SPR_MEM_ANY] - x[SPR_L1D_MISS]) * extreme(random);
    x[SPR_STLB_HIT] = walks * how / 7;
    x[SPR_WALK] = 1.1 * walks * (1 - how);
    x[SPR_STALLS] = 0.9 * memory + 0.5 * (1 - memory) * extreme(random);
    x[SPR_BOUND_ON_LOADS] = x[SPR_STALLS] * memory * extreme(random);
    compute = x[SPR_STALLS] - x[SPR_BOUND_ON_LOADS];
    x[SPR_DIV] = (1 - memory) * extreme(random);
    x[SPR_0_PORTS] = 0.7 * compute * extreme(random);
    x[SPR_RS_EMPTY] = 0.3 * compute * chance(random);
    x[SPR_SCOREBOARD] = 2 * x[SPR_RS_EMPTY] * chance(random);
    rest = 1 - x[SPR_STALLS];
    x[SPR_1_PORT] = 0.5 * rest * extreme(random);
    x[SPR_2_3_PORTS] = 0.5 * rest * chance(random);
    x[SPR_SLOTS] = 6;
    x[SPR_RETIRED] = 6 * rest * chance(random);
}

static double spr_dtlb_load(const double *x)
{
    return fmin(7 * x[SPR_STLB_HIT] + x[SPR_WALK], fmax(x[SPR_MEM_ANY] - x[SPR_L1D_MISS], 0)) / x[SPR_CLKS];
}

/* l1_bound's form (level 3): what is left of two counts that are often equal. */
static double spr_l1(const double *x)
{
    return fmax((x[SPR_MEM_ANY] - x[SPR_L1D_MISS]) / x[SPR_CLKS], 0);
}

static double spr_ports_utilized_0(const double *x)
{
    return (x[SPR_0_PORTS] + fmax(x[SPR_RS_EMPTY] - x[SPR_SCOREBOARD], 0)) / x[SPR_CLKS] *
           (x[SPR_STALLS] - x[SPR_BOUND_ON_LOADS]) / x[SPR_CLKS];
}

static double spr_ports_utilization(const double *x)
{
    double few = (x[SPR_1_PORT] + x[SPR_RETIRED] / x[SPR_SLOTS] * x[SPR_2_3_PORTS]) / x[SPR_CLKS];

    return x[SPR_DIV] < x[SPR_STALLS] - x[SPR_BOUND_ON_LOADS] ? spr_ports_utilized_0(x) + few : few;
}

/* Sapphire Rapids, contested_accesses (level 4) at 3 GHz. */
enum { CON_CLKS, CON_FWD, CON_HITM, CON_HIT_FWD, CON_MISS, CON_FB, CON_L1_MISS, CON_EVENTS };

static void con_state(uint64_t *random, double *x)
{
    double share = 0.6 * extreme(random), how = extreme(random), modified = extreme(random);

    x[CON_CLKS] = 1;
    x[CON_FWD] = share * how / (81 * 3.0);
    x[CON_MISS] = share * (1 - how) / (79 * 3.0);
    x[CON_HITM] = 1.2 * x[CON_FWD] * modified + 1e-9;
    x[CON_HIT_FWD] = 1.2 * x[CON_FWD] * (1 - modified) + 1e-9;
    x[CON_L1_MISS] = 0.02 * chance(random) + 1e-6;
    x[CON_FB] = x[CON_L1_MISS] * chance(random);
}

static double contested_accesses(const double *x)
{
    double forwarded = (81 - 4.4) * 3 * x[CON_FWD] * (x[CON_HITM] / (x[CON_HITM] + x[CON_HIT_FWD]));

    return (forwarded + (79 - 4.4) * 3 * x[CON_MISS]) * (1 + x[CON_FB] / x[CON_L1_MISS] / 2) / x[CON_CLKS];
}

/* The most that can go wrong between two groups: the small difference of two counts that
 * are both there or both absent. */
static void difference_state(uint64_t *random, double *x)
{
    x[0] = 1;
    x[1] = chance(random) < 0.5;
    x[2] = 0.95 * x[1];
}

static double difference(const double *x)
{
    return (x[1] - x[2]) / x[0];
}

static double share(const double *x)
{
    return x[1] / x[0];
}

const struct likely_formula likely_formulas[] = {
    {"a share", share, NULL, 2, {0}, 0},
    {"skl frontend_bound", skl_frontend, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl bad_speculation", skl_bad, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl backend_bound", skl_backend, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl fetch_latency", skl_latency, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl branch_mispredicts", skl_mispredicts, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl memory_bound", skl_memory, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl core_bound", skl_core, skl_state, SKL_EVENTS, {0}, 0.01},
    {"skl bad_speculation, 2 groups", skl_bad, skl_state, SKL_EVENTS, {0, 0, 0, 1, 1}, 0.01},
    {"skl memory_bound, 2 groups", skl_memory, skl_state, SKL_EVENTS, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, 0.01},
    {"skl core_bound, 4 groups", skl_core, skl_state, SKL_EVENTS, {0, 0, 1, 0, 0, 0, 0, 0, 2, 2, 3, 3, 3}, 0.01},
    {"icl bad_speculation", icl_bad, icl_state, ICL_EVENTS, {0}, 0.01},
    {"icl memory_bound", icl_memory, icl_state, ICL_EVENTS, {0}, 0.01},
    {"icl branch_mispredicts, 2 groups", icl_mispredicts, icl_state, ICL_EVENTS, {0, 0, 0, 0, 0, 0, 0, 1, 1}, 0.01},
    {"icl memory_bound, 2 groups", icl_memory, icl_state, ICL_EVENTS, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}, 0.01},
    {"icl core_bound, 3 groups", icl_core, icl_state, ICL_EVENTS, {0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 1, 1}, 0.01},
    {"spr l1_bound", spr_l1, spr_state, SPR_EVENTS, {0}, 0.01},
    {"spr l1_bound, 2 groups", spr_l1, spr_state, SPR_EVENTS, {0, 0, 0, 0, 1}, 0.01},
    {"spr dtlb_load", spr_dtlb_load, spr_state, SPR_EVENTS, {0}, 0.01},
    {"spr dtlb_load, 2 groups", spr_dtlb_load, spr_state, SPR_EVENTS, {0, 0, 0, 1, 1}, 0.01},
    {"spr ports_utilization, 5 groups",
     spr_ports_utilization,
     spr_state,
     SPR_EVENTS,
     {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4},
     0.01},
    {"a difference, 2 groups", difference, difference_state, 3, {0, 0, 1}, 0.01},
    {"spr contested_accesses, 3 groups", contested_accesses, con_state, CON_EVENTS, {0, 1, 1, 1, 0, 2, 2}, 0.01},
};
const size_t likely_nformulas = sizeof(likely_formulas) / sizeof(*likely_formulas);
