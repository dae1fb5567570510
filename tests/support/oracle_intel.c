/* SPDX-License-Identifier: MIT */
/* The oracle for Intel's big cores: toplev's *_ratios.py models, which perfmon's TMA_Metrics-full.csv confirms. */
#include "tests/support/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ---- Sandy Bridge to Cascade Lake: no clamp anywhere ---- */

struct core {
    const char *name;
    const char *memory_stalls, *total_stalls;
    const char *ge[4]; /* cycles with at least 1, 2, 3 uops executed */
    bool bounded; /* min(CLKS, x) around the counts of cycles */
};

static const struct core cores[] = {
    /* toplev snb_client, jkt_server */
    {"snb",
     "CYCLE_ACTIVITY.STALLS_L1D_PENDING",
     "CYCLE_ACTIVITY.CYCLES_NO_DISPATCH",
     {NULL, "UOPS_DISPATCHED.THREAD:c1", "UOPS_DISPATCHED.THREAD:c2", "UOPS_DISPATCHED.THREAD:c3"},
     true},
    /* toplev ivb_client, ivb_server */
    {"ivb",
     "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
     "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE",
     {NULL, "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC",
      "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC"},
     true},
    /* toplev hsw_client, hsx_server */
    {"hsw",
     "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
     "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE",
     {NULL, "UOPS_EXECUTED.CORE:c1", "UOPS_EXECUTED.CORE:c2", "UOPS_EXECUTED.CORE:c3"},
     true},
    /* toplev bdw_client, bdx_server */
    {"bdw",
     "CYCLE_ACTIVITY.STALLS_MEM_ANY",
     "CYCLE_ACTIVITY.STALLS_TOTAL",
     {NULL, "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC",
      "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC"},
     false},
    /* toplev skl_client, skx_server, clx_server */
    {"skl", NULL, NULL, {NULL, NULL, NULL, NULL}, false},
};

/* toplev CORE_CLKS; "-smt" is what perf prints on SMT machines: the EBS clock with RECOVERY_CYCLES_ANY/2 */
static double generic_slots(const struct oracle *o, const char *form)
{
    double thread;

    if (strcmp(form, "-thread-any") == 0)
        return o->width * (oracle_event(o, "CPU_CLK_UNHALTED.THREAD_ANY") / 2);
    thread = oracle_event(o, "CPU_CLK_UNHALTED.THREAD");
    if (strcmp(form, "") == 0)
        return o->width * thread;
    return o->width *
           (thread / 2 *
            (1 + oracle_event(o, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE") / oracle_event(o, "CPU_CLK_UNHALTED.REF_XCLK")));
}

static bool smt_and_not_ebs(const char *form)
{
    return strcmp(form, "-thread-any") == 0 || strcmp(form, "-smt") == 0;
}

/* toplev snb_client .. clx_server, level 1 */
static struct oracle_level1 generic_level1(const struct oracle *o, const struct core *c, const char *form)
{
    double recovery = smt_and_not_ebs(form) ? oracle_event(o, "INT_MISC.RECOVERY_CYCLES_ANY") / 2
                                            : oracle_event(o, "INT_MISC.RECOVERY_CYCLES");
    double issued = oracle_event(o, "UOPS_ISSUED.ANY");
    double retired = oracle_event(o, "UOPS_RETIRED.RETIRE_SLOTS");
    struct oracle_level1 t;

    t.slots = generic_slots(o, form);
    t.frontend = oracle_event(o, "IDQ_UOPS_NOT_DELIVERED.CORE") / t.slots;
    t.bad = (issued - retired + o->width * recovery) / t.slots;
    t.retiring = retired / t.slots;
    if (strcmp(c->name, "skl") == 0)
        t.backend = 1 - t.frontend - (issued + o->width * recovery) / t.slots;
    else
        t.backend = 1 - (t.frontend + t.bad + t.retiring);
    return t;
}

/* cycles that cannot be more than CLKS, where the model says so */
static double bounded(const struct oracle *o, const struct core *c, const char *event)
{
    double cycles = oracle_event(o, event);

    return c->bounded ? oracle_min(oracle_event(o, "CPU_CLK_UNHALTED.THREAD"), cycles) : cycles;
}

/* toplev Backend_Bound_Cycles: TOTST + (GE1 - FEW) - RSE + SB; on Haswell UOPS_EXECUTED.CORE counts both threads */
static double backend_cycles(const struct oracle *o, const struct core *c, const char *form, double latency)
{
    double ipc = oracle_event(o, "INST_RETIRED.ANY") / oracle_event(o, "CPU_CLK_UNHALTED.THREAD");
    double few, executed, empty;

    if (!isfinite(ipc) || !isfinite(latency))
        return NAN;
    few = ipc > 1.8 ? oracle_event(o, c->ge[3]) : oracle_event(o, c->ge[2]);
    executed = oracle_event(o, c->ge[1]) - few;
    if (strcmp(c->name, "hsw") == 0 && strcmp(form, "") != 0)
        executed = executed / 2;
    empty = latency > 0.1 ? oracle_event(o, "RS_EVENTS.EMPTY_CYCLES") : 0;
    return bounded(o, c, c->total_stalls) + executed - empty + oracle_event(o, "RESOURCE_STALLS.SB");
}

/* toplev Memory_Bound_Fraction of skl_client and icl_client */
static double memory_fraction(const struct oracle *o, double retiring)
{
    double stores = oracle_event(o, "EXE_ACTIVITY.BOUND_ON_STORES");

    return (oracle_event(o, "CYCLE_ACTIVITY.STALLS_MEM_ANY") + stores) /
           (oracle_event(o, "CYCLE_ACTIVITY.STALLS_TOTAL") + oracle_event(o, "EXE_ACTIVITY.1_PORTS_UTIL") +
            retiring * oracle_event(o, "EXE_ACTIVITY.2_PORTS_UTIL") + stores);
}

static double mispredict_fraction(const struct oracle *o)
{
    double branches = oracle_event(o, "BR_MISP_RETIRED.ALL_BRANCHES");

    return branches / (branches + oracle_event(o, "MACHINE_CLEARS.COUNT"));
}

/* toplev snb_client .. bdx_server: Microcode_Sequencer; skl_client .. clx_server: from fused instructions */
static double generic_heavy(const struct oracle *o, const struct core *c, double slots)
{
    double retired = oracle_event(o, "UOPS_RETIRED.RETIRE_SLOTS");

    if (strcmp(c->name, "skl") == 0)
        return (retired + oracle_event(o, "UOPS_RETIRED.MACRO_FUSED") - oracle_event(o, "INST_RETIRED.ANY")) / slots;
    return (retired / oracle_event(o, "UOPS_ISSUED.ANY")) * oracle_event(o, "IDQ.MS_UOPS") / slots;
}

static double generic_memory(const struct oracle *o, const struct core *c, const char *form,
                             const struct oracle_level1 *t, double latency)
{
    if (strcmp(c->name, "skl") == 0)
        return t->backend * memory_fraction(o, t->retiring);
    return (bounded(o, c, c->memory_stalls) + oracle_event(o, "RESOURCE_STALLS.SB")) /
           backend_cycles(o, c, form, latency) * t->backend;
}

void oracle_solve_generic(struct oracle *o, const char *variant)
{
    const struct core *c = cores;
    const char *form = variant + 3;
    struct oracle_level1 t;
    double latency, mispredicts, heavy, memory;

    while (strncmp(c->name, variant, 3) != 0)
        c++;
    t = generic_level1(o, c, form);
    latency = o->width * bounded(o, c, "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE") / t.slots;
    mispredicts = mispredict_fraction(o) * t.bad;
    heavy = generic_heavy(o, c, t.slots);
    memory = generic_memory(o, c, form, &t, latency);
    oracle_emit_level1(o, &t);
    oracle_emit(o, "fetch_latency", latency);
    oracle_emit(o, "fetch_bandwidth", t.frontend - latency);
    oracle_emit(o, "branch_mispredicts", mispredicts);
    oracle_emit(o, "machine_clears", t.bad - mispredicts);
    oracle_emit(o, "heavy_operations", heavy);
    oracle_emit(o, "light_operations", t.retiring - heavy);
    oracle_emit(o, "memory_bound", memory);
    oracle_emit(o, "core_bound", t.backend - memory);
}

/* perf before 6.3, tools/perf/util/stat-shadow.c; the kernel's sysfs scale is already in the counts */
void oracle_solve_kernel(struct oracle *o, const char *variant)
{
    double retired = oracle_event(o, "topdown-slots-retired");
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "topdown-total-slots");
    t.bad = (oracle_event(o, "topdown-slots-issued") - retired + oracle_event(o, "topdown-recovery-bubbles")) / t.slots;
    t.retiring = retired / t.slots;
    t.frontend = oracle_event(o, "topdown-fetch-bubbles") / t.slots;
    t.backend = 1 - (t.bad + t.retiring + t.frontend);
    oracle_emit_level1(o, &t);
}

/* ---- Ice Lake and later ---- */

/* a field of PERF_METRICS over the sum of the four of level 1, never over slots */
static double field(const struct oracle *o, const char *event)
{
    double sum = oracle_event(o, "PERF_METRICS.FRONTEND_BOUND") + oracle_event(o, "PERF_METRICS.BAD_SPECULATION") +
                 oracle_event(o, "PERF_METRICS.RETIRING") + oracle_event(o, "PERF_METRICS.BACKEND_BOUND");

    return oracle_event(o, event) / sum;
}

/* a correction of a field: without its event no slots are needed either */
static double correction_share(const struct oracle *o, double factor, const char *event)
{
    if (isnan(oracle_event(o, event)))
        return 0;
    return factor * oracle_event(o, event) / oracle_event(o, "TOPDOWN.SLOTS");
}

/* toplev icl_client, icx_server */
static struct oracle_level1 icl_level1(const struct oracle *o, bool from_register)
{
    struct oracle_level1 t;

    t.slots = oracle_event(o, "TOPDOWN.SLOTS");
    if (from_register) {
        t.frontend = field(o, "PERF_METRICS.FRONTEND_BOUND") - correction_share(o, 1, "INT_MISC.UOP_DROPPING");
        t.backend = field(o, "PERF_METRICS.BACKEND_BOUND") + correction_share(o, 5, "INT_MISC.CLEARS_COUNT");
        t.retiring = field(o, "PERF_METRICS.RETIRING");
    } else {
        t.frontend =
            (oracle_event(o, "IDQ_UOPS_NOT_DELIVERED.CORE") - oracle_correction(o, "INT_MISC.UOP_DROPPING")) / t.slots;
        t.backend =
            (oracle_event(o, "TOPDOWN.BACKEND_BOUND_SLOTS") + 5 * oracle_correction(o, "INT_MISC.CLEARS_COUNT")) /
            t.slots;
        t.retiring = oracle_event(o, "UOPS_RETIRED.SLOTS") / t.slots;
    }
    t.bad = oracle_max0(1 - (t.frontend + t.backend + t.retiring));
    return t;
}

/* toplev icl_client: Microcode_Sequencer + Few_Uops_Instructions */
static double icl_heavy(const struct oracle *o, const struct oracle_level1 *t)
{
    return (oracle_event(o, "UOPS_RETIRED.SLOTS") / oracle_event(o, "UOPS_ISSUED.ANY")) *
               oracle_event(o, "IDQ.MS_UOPS") / t->slots +
           t->retiring * (oracle_event(o, "UOPS_DECODED.DEC0") - oracle_event(o, "UOPS_DECODED.DEC0:c1")) /
               oracle_event(o, "IDQ.MITE_UOPS");
}

/* the four measured nodes of level 2, each with what is left of its parent */
static void emit_icl_and_later(struct oracle *o, const struct oracle_level1 *t, double latency, double mispredicts,
                               double heavy, double memory)
{
    oracle_emit_level1(o, t);
    oracle_emit(o, "fetch_latency", latency);
    oracle_emit(o, "fetch_bandwidth", oracle_max0(t->frontend - latency));
    oracle_emit(o, "branch_mispredicts", mispredicts);
    oracle_emit(o, "machine_clears", oracle_max0(t->bad - mispredicts));
    oracle_emit(o, "heavy_operations", heavy);
    oracle_emit(o, "light_operations", oracle_max0(t->retiring - heavy));
    oracle_emit(o, "memory_bound", memory);
    oracle_emit(o, "core_bound", oracle_max0(t->backend - memory));
}

/* toplev icl_client: level 2 comes from events with and without the register */
void oracle_solve_icl(struct oracle *o, const char *variant)
{
    struct oracle_level1 t = icl_level1(o, strcmp(variant, "icl-perf-metrics") == 0);
    double latency = (5 * oracle_event(o, "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE") -
                      oracle_correction(o, "INT_MISC.UOP_DROPPING")) /
                     t.slots;

    emit_icl_and_later(o, &t, latency, mispredict_fraction(o) * t.bad, icl_heavy(o, &t),
                       t.backend * memory_fraction(o, t.retiring));
}

/* toplev adl_glc, spr_server, mtl_rwc, gnr_server */
void oracle_solve_glc_metrics(struct oracle *o, const char *variant)
{
    double dropping = correction_share(o, 1, "INT_MISC.UOP_DROPPING");
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "TOPDOWN.SLOTS");
    t.frontend = field(o, "PERF_METRICS.FRONTEND_BOUND") - dropping;
    t.backend = field(o, "PERF_METRICS.BACKEND_BOUND");
    t.retiring = field(o, "PERF_METRICS.RETIRING");
    t.bad = oracle_max0(1 - (t.frontend + t.backend + t.retiring));
    emit_icl_and_later(o, &t, field(o, "PERF_METRICS.FETCH_LATENCY") - dropping,
                       field(o, "PERF_METRICS.BRANCH_MISPREDICTS"), field(o, "PERF_METRICS.HEAVY_OPERATIONS"),
                       field(o, "PERF_METRICS.MEMORY_BOUND"));
}

/* toplev adl_glc without the register */
void oracle_solve_glc_events(struct oracle *o, const char *variant)
{
    double dropping = oracle_correction(o, "INT_MISC.UOP_DROPPING");
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "TOPDOWN.SLOTS");
    t.frontend = (oracle_event(o, "IDQ_BUBBLES.CORE") - dropping) / t.slots;
    t.backend = oracle_event(o, "TOPDOWN.BACKEND_BOUND_SLOTS") / t.slots;
    t.retiring = oracle_event(o, "UOPS_RETIRED.SLOTS") / t.slots;
    t.bad = oracle_max0(1 - (t.frontend + t.backend + t.retiring));
    emit_icl_and_later(o, &t, (6 * oracle_event(o, "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE") - dropping) / t.slots,
                       oracle_event(o, "TOPDOWN.BR_MISPREDICT_SLOTS") / t.slots,
                       oracle_event(o, "UOPS_RETIRED.HEAVY") / t.slots,
                       oracle_event(o, "TOPDOWN.MEMORY_BOUND_SLOTS") / t.slots);
}

/* toplev lnl_lnc, ptl_cgc: no correction, and bad speculation is a field of its own */
void oracle_solve_lnc_metrics(struct oracle *o, const char *variant)
{
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "TOPDOWN.SLOTS");
    t.frontend = field(o, "PERF_METRICS.FRONTEND_BOUND");
    t.backend = field(o, "PERF_METRICS.BACKEND_BOUND");
    t.retiring = field(o, "PERF_METRICS.RETIRING");
    t.bad = field(o, "PERF_METRICS.BAD_SPECULATION");
    emit_icl_and_later(o, &t, field(o, "PERF_METRICS.FETCH_LATENCY"), field(o, "PERF_METRICS.BRANCH_MISPREDICTS"),
                       field(o, "PERF_METRICS.HEAVY_OPERATIONS"), field(o, "PERF_METRICS.MEMORY_BOUND"));
}

/* toplev lnl_lnc without the register; fetch latency is in cycles */
void oracle_solve_lnc_events(struct oracle *o, const char *variant)
{
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "TOPDOWN.SLOTS_P");
    t.frontend = oracle_event(o, "IDQ_BUBBLES.CORE") / t.slots;
    t.backend = oracle_event(o, "TOPDOWN.BACKEND_BOUND_SLOTS") / t.slots;
    t.retiring = oracle_event(o, "UOPS_RETIRED.SLOTS") / t.slots;
    t.bad = oracle_max0(1 - (t.frontend + t.backend + t.retiring));
    emit_icl_and_later(o, &t, oracle_event(o, "IDQ_BUBBLES.FETCH_LATENCY") / oracle_event(o, "CPU_CLK_UNHALTED.THREAD"),
                       oracle_event(o, "TOPDOWN.BR_MISPREDICT_SLOTS") / t.slots,
                       oracle_event(o, "UOPS_RETIRED.HEAVY") / t.slots,
                       oracle_event(o, "TOPDOWN.MEMORY_BOUND_SLOTS") / t.slots);
}
