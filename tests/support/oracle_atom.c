/* SPDX-License-Identifier: MIT */
/* The oracle for Intel's Atoms and E-cores: perfmon Atom_TMA.csv and E-core_TMA_Metrics.csv, toplev's models. */
#include "tests/support/oracle.h"

#include <stddef.h>
#include <string.h>

#define LIST(list, ...) const char *const oracle_events_##list[] = {__VA_ARGS__, NULL};

#define CORE "CPU_CLK_UNHALTED.CORE"

/* ---- Silvermont, Knights Landing ---- */

#define SLM "NO_ALLOC_CYCLES.NOT_DELIVERED", "NO_ALLOC_CYCLES.MISPREDICTS", "UOPS_RETIRED.ALL"

LIST(slm, CORE, SLM)
LIST(knl, "CPU_CLK_UNHALTED.THREAD", SLM)

/* toplev slm, knl: frontend and bad speculation are cycles, retiring is slots */
void oracle_solve_slm(struct oracle *o, const char *variant)
{
    double clks = oracle_event(o, strcmp(variant, "knl") == 0 ? "CPU_CLK_UNHALTED.THREAD" : CORE);
    struct oracle_level1 t;

    t.slots = o->width * clks;
    t.frontend = oracle_event(o, "NO_ALLOC_CYCLES.NOT_DELIVERED") / clks;
    t.bad = oracle_event(o, "NO_ALLOC_CYCLES.MISPREDICTS") / clks;
    t.retiring = oracle_event(o, "UOPS_RETIRED.ALL") / t.slots;
    t.backend = 1 - (t.frontend + t.bad + t.retiring);
    oracle_emit_level1(o, &t);
}

/* ---- Goldmont ---- */

LIST(goldmont, CORE, "UOPS_NOT_DELIVERED.ANY", "ISSUE_SLOTS_NOT_CONSUMED.RESOURCE_FULL", "UOPS_RETIRED.ANY",
     "UOPS_ISSUED.ANY", "ISSUE_SLOTS_NOT_CONSUMED.RECOVERY", "UOPS_RETIRED.MS")

/* perfmon Atom_TMA.csv, column GLM/GLP: four independent terms */
void oracle_solve_goldmont(struct oracle *o, const char *variant)
{
    double retired = oracle_event(o, "UOPS_RETIRED.ANY");
    struct oracle_level1 t;

    (void)variant;
    t.slots = o->width * oracle_event(o, CORE);
    t.frontend = oracle_event(o, "UOPS_NOT_DELIVERED.ANY") / t.slots;
    t.backend = oracle_event(o, "ISSUE_SLOTS_NOT_CONSUMED.RESOURCE_FULL") / t.slots;
    t.retiring = retired / t.slots;
    t.bad =
        (oracle_event(o, "UOPS_ISSUED.ANY") - retired + oracle_event(o, "ISSUE_SLOTS_NOT_CONSUMED.RECOVERY")) / t.slots;
    oracle_emit_level1(o, &t);
    oracle_emit(o, "ms_uops", oracle_event(o, "UOPS_RETIRED.MS") / t.slots);
}

/* ---- Tremont and later: counts of slots ---- */

static double share(const struct oracle *o, const char *event)
{
    return oracle_event(o, event) / (o->width * oracle_event(o, CORE));
}

static void emit_base(struct oracle *o)
{
    double slots = o->width * oracle_event(o, CORE);

    oracle_emit(o, "base", (oracle_event(o, "TOPDOWN_RETIRING.ALL") - oracle_event(o, "UOPS_RETIRED.MS")) / slots);
    oracle_emit(o, "ms_uops", share(o, "UOPS_RETIRED.MS"));
}

LIST(tremont, CORE, "TOPDOWN_FE_BOUND.ALL", "TOPDOWN_BAD_SPECULATION.ALL", "TOPDOWN_BE_BOUND.ALL",
     "TOPDOWN_RETIRING.ALL", "TOPDOWN_FE_BOUND.ITLB", "TOPDOWN_FE_BOUND.ICACHE", "TOPDOWN_FE_BOUND.BRANCH_DETECT",
     "TOPDOWN_FE_BOUND.BRANCH_RESTEER", "TOPDOWN_FE_BOUND.CISC", "TOPDOWN_FE_BOUND.DECODE",
     "TOPDOWN_FE_BOUND.PREDECODE", "TOPDOWN_FE_BOUND.OTHER", "TOPDOWN_BAD_SPECULATION.MISPREDICT",
     "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS", "MEM_BOUND_STALLS.LOAD_L2_HIT", "MEM_BOUND_STALLS.LOAD_LLC_HIT",
     "MEM_BOUND_STALLS.LOAD_DRAM_HIT", "MEM_BOUND_STALLS.STORE_BUFFER_FULL", "UOPS_RETIRED.MS")

/* toplev ehl: the frontend's parts, (ITLB + ICACHE + ...) / SLOTS */
static void emit_tremont_fetch(struct oracle *o)
{
    double slots = o->width * oracle_event(o, CORE);
    double latency = oracle_event(o, "TOPDOWN_FE_BOUND.ITLB") + oracle_event(o, "TOPDOWN_FE_BOUND.ICACHE") +
                     oracle_event(o, "TOPDOWN_FE_BOUND.BRANCH_DETECT") +
                     oracle_event(o, "TOPDOWN_FE_BOUND.BRANCH_RESTEER");
    double bandwidth = oracle_event(o, "TOPDOWN_FE_BOUND.CISC") + oracle_event(o, "TOPDOWN_FE_BOUND.DECODE") +
                       oracle_event(o, "TOPDOWN_FE_BOUND.PREDECODE") + oracle_event(o, "TOPDOWN_FE_BOUND.OTHER");

    oracle_emit(o, "fetch_latency", latency / slots);
    oracle_emit(o, "fetch_bandwidth", bandwidth / slots);
}

/* toplev ehl: cycles, not slots */
static double tremont_memory(const struct oracle *o)
{
    return (oracle_event(o, "MEM_BOUND_STALLS.LOAD_L2_HIT") + oracle_event(o, "MEM_BOUND_STALLS.LOAD_LLC_HIT") +
            oracle_event(o, "MEM_BOUND_STALLS.LOAD_DRAM_HIT") + oracle_event(o, "MEM_BOUND_STALLS.STORE_BUFFER_FULL")) /
           oracle_event(o, CORE);
}

/* toplev ehl, perfmon Atom_TMA.csv column TNT; MONUKE is the older name of MACHINE_CLEARS */
void oracle_solve_tremont(struct oracle *o, const char *variant)
{
    struct oracle_level1 t;
    double memory = tremont_memory(o);

    (void)variant;
    t.frontend = share(o, "TOPDOWN_FE_BOUND.ALL");
    t.bad = share(o, "TOPDOWN_BAD_SPECULATION.ALL");
    t.backend = share(o, "TOPDOWN_BE_BOUND.ALL");
    t.retiring = share(o, "TOPDOWN_RETIRING.ALL");
    oracle_emit_level1(o, &t);
    emit_tremont_fetch(o);
    oracle_emit(o, "branch_mispredicts", share(o, "TOPDOWN_BAD_SPECULATION.MISPREDICT"));
    oracle_emit(o, "machine_clears", share(o, "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS"));
    oracle_emit(o, "memory_bound", memory);
    oracle_emit(o, "core_bound", oracle_max0(t.backend - memory));
    oracle_emit(o, "resource_bound", t.backend);
    emit_base(o);
}

/* ---- Gracemont, Crestmont, Skymont ---- */

#define LEVEL2 \
    "TOPDOWN_FE_BOUND.FRONTEND_LATENCY", "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH", "TOPDOWN_BAD_SPECULATION.MISPREDICT", \
        "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS"
#define RESTRICTIONS "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS"
#define GRT CORE, "TOPDOWN_FE_BOUND.ALL", "TOPDOWN_BE_BOUND.ALL", "TOPDOWN_RETIRING.ALL", LEVEL2

LIST(gracemont, GRT, RESTRICTIONS)
LIST(gracemont_old, GRT, "LD_HEAD.ANY_AT_RET", "TOPDOWN_BE_BOUND.MEM_SCHEDULER", "MEM_SCHEDULER_BLOCK.ST_BUF",
     "MEM_SCHEDULER_BLOCK.ALL", "UOPS_RETIRED.MS")
LIST(crestmont, CORE, "TOPDOWN_FE_BOUND.ALL_P", "TOPDOWN_BE_BOUND.ALL_P", "TOPDOWN_RETIRING.ALL_P",
     "TOPDOWN_BAD_SPECULATION.ALL_P", LEVEL2, RESTRICTIONS)
LIST(skymont, CORE, "TOPDOWN_FE_BOUND.ALL", "TOPDOWN_BE_BOUND.ALL_P", "TOPDOWN_RETIRING.ALL",
     "TOPDOWN_BAD_SPECULATION.ALL_P", LEVEL2, RESTRICTIONS)

static void emit_frontend_and_bad(struct oracle *o)
{
    oracle_emit(o, "fetch_latency", share(o, "TOPDOWN_FE_BOUND.FRONTEND_LATENCY"));
    oracle_emit(o, "fetch_bandwidth", share(o, "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH"));
    oracle_emit(o, "branch_mispredicts", share(o, "TOPDOWN_BAD_SPECULATION.MISPREDICT"));
    oracle_emit(o, "machine_clears", share(o, "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS"));
}

/* toplev adl_grt, mtl_cmt, srf, lnl_skt: core bound is the restrictions at allocation, resource bound the rest */
static void emit_ecore(struct oracle *o, const struct oracle_level1 *t)
{
    double core = share(o, RESTRICTIONS);

    oracle_emit_level1(o, t);
    emit_frontend_and_bad(o);
    oracle_emit(o, "core_bound", core);
    oracle_emit(o, "resource_bound", t->backend - core);
}

/* toplev adl_grt: bad speculation is what the other three leave */
static struct oracle_level1 gracemont_level1(const struct oracle *o)
{
    double frontend = oracle_event(o, "TOPDOWN_FE_BOUND.ALL");
    double backend = oracle_event(o, "TOPDOWN_BE_BOUND.ALL");
    double retiring = oracle_event(o, "TOPDOWN_RETIRING.ALL");
    struct oracle_level1 t;

    t.slots = o->width * oracle_event(o, CORE);
    t.frontend = frontend / t.slots;
    t.backend = backend / t.slots;
    t.retiring = retiring / t.slots;
    t.bad = (t.slots - (frontend + backend + retiring)) / t.slots;
    return t;
}

void oracle_solve_gracemont(struct oracle *o, const char *variant)
{
    struct oracle_level1 t = gracemont_level1(o);

    (void)variant;
    emit_ecore(o, &t);
}

/* perf 6.4's level 2 for Gracemont; its origin is not verified, it reproduces a recording's digits */
void oracle_solve_gracemont_old(struct oracle *o, const char *variant)
{
    struct oracle_level1 t = gracemont_level1(o);
    double loads = oracle_event(o, "LD_HEAD.ANY_AT_RET") / oracle_event(o, CORE);
    double stores = share(o, "TOPDOWN_BE_BOUND.MEM_SCHEDULER") *
                    (oracle_event(o, "MEM_SCHEDULER_BLOCK.ST_BUF") / oracle_event(o, "MEM_SCHEDULER_BLOCK.ALL"));
    double memory = oracle_min(t.backend, loads + stores);

    (void)variant;
    oracle_emit_level1(o, &t);
    emit_frontend_and_bad(o);
    oracle_emit(o, "memory_bound", memory);
    oracle_emit(o, "core_bound", oracle_max0(t.backend - memory));
    oracle_emit(o, "resource_bound", t.backend);
    emit_base(o);
}

/* toplev mtl_cmt, srf: four independent terms */
void oracle_solve_crestmont(struct oracle *o, const char *variant)
{
    struct oracle_level1 t;

    (void)variant;
    t.frontend = share(o, "TOPDOWN_FE_BOUND.ALL_P");
    t.backend = share(o, "TOPDOWN_BE_BOUND.ALL_P");
    t.retiring = share(o, "TOPDOWN_RETIRING.ALL_P");
    t.bad = share(o, "TOPDOWN_BAD_SPECULATION.ALL_P");
    emit_ecore(o, &t);
}

/* toplev lnl_skt: four independent terms, two of them from fixed counters */
void oracle_solve_skymont(struct oracle *o, const char *variant)
{
    struct oracle_level1 t;

    (void)variant;
    t.frontend = share(o, "TOPDOWN_FE_BOUND.ALL");
    t.backend = share(o, "TOPDOWN_BE_BOUND.ALL_P");
    t.retiring = share(o, "TOPDOWN_RETIRING.ALL");
    t.bad = share(o, "TOPDOWN_BAD_SPECULATION.ALL_P");
    emit_ecore(o, &t);
}
