/* SPDX-License-Identifier: MIT */
/* Sandy Bridge to Cascade Lake: formulas over ordinary events, 4 slots a cycle.
 *
 * Formulas: pmu-tools (andikleen/pmu-tools @2568760) snb_client_ratios.py to
 * clx_server_ratios.py; level 1 and 2 agree with intel/perfmon @6dadedf. None
 * of them is clamped. The clock is per core, so each comes in four forms:
 *   (none)      one thread per core: THREAD
 *   -thread-any THREAD_ANY / 2, the counts of both siblings added up
 *   -ebs        THREAD / 2 * (1 + ONE_THREAD_ACTIVE / REF_XCLK): toplev's per-thread mode
 *   -smt        the same clock, recovery from RECOVERY_CYCLES_ANY / 2: perf's *_SMT metrics */
#include "backends/registry.h"
#include "backends/intel/intel-generic-events.inc"
#include "backends/intel/kernel_topdown.h"
#include "backends/rows.h"
#include "backends/tables.h"

static const struct td_def clock_alone[] = {
    TD_DEF("slots", "width * CPU_CLK_UNHALTED.THREAD"),
    TD_DEF("recovery", "INT_MISC.RECOVERY_CYCLES"),
    {0},
};
static const struct td_def clock_any[] = {
    TD_DEF("slots", "width * (CPU_CLK_UNHALTED.THREAD_ANY / 2)"),
    TD_DEF("recovery", "INT_MISC.RECOVERY_CYCLES_ANY / 2"),
    {0},
};

/* The clock of EBS counts a thread's cycles with its sibling as half of one each. So it is with what both threads count
 * of their core: where the counts of both are in the scope the formulas for SMT are right, which halve it, and
 * of one thread's counts some part is its own, between half and all (td_range_part()). Of the table, only those rows
 * ask for SMT that take such counts. */
#define ALONE "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE / CPU_CLK_UNHALTED.REF_XCLK"
#define EBS_CLOCK \
    TD_DEF("slots", "width * (CPU_CLK_UNHALTED.THREAD / 2 * (1 + " ALONE "))"), \
        TD_DEF("both", "max0(CPU_CLK_UNHALTED.THREAD * (1 - " ALONE "))"), \
        TD_DEF("SMT", "SMT if WHOLE_CORE else max0(1 - " ALONE ") + halted"), \
        TD_DEF_OF("info_system_smt_2t_utilization", "fraction", TWO_THREADS)
/* Of the time in which either ran that in which both did: ANY of the published formula, halved, is what one thread
 * counts alone, and half of what both count together; for one thread, of its own time. */
#define TWO_THREADS \
    "(CPU_CLK_UNHALTED.REF_XCLK - CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE)" \
    " / (CPU_CLK_UNHALTED.REF_XCLK + CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE) if WHOLE_CORE else 1 - " ALONE
static const struct td_def clock_ebs[] = {
    EBS_CLOCK,
    TD_DEF("recovery", "INT_MISC.RECOVERY_CYCLES"),
    {0},
};
static const struct td_def clock_smt[] = {
    EBS_CLOCK,
    TD_DEF("recovery", "INT_MISC.RECOVERY_CYCLES_ANY / 2 if SMT else INT_MISC.RECOVERY_CYCLES_ANY"),
    {0},
};

#define FRONTEND_BOUND TD_DEF("frontend_bound", "IDQ_UOPS_NOT_DELIVERED.CORE / slots")
#define BAD_SPECULATION \
    TD_DEF("bad_speculation", "(UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + width * recovery) / slots")
#define RETIRING TD_DEF("retiring", "UOPS_RETIRED.RETIRE_SLOTS / slots")

static const struct td_def snb_l1[] = {
    FRONTEND_BOUND,
    BAD_SPECULATION,
    RETIRING,
    TD_DEF("backend_bound", "1 - (frontend_bound + bad_speculation + retiring)"),
    {0},
};
static const struct td_def skl_l1[] = {
    FRONTEND_BOUND,
    BAD_SPECULATION,
    RETIRING,
    TD_DEF("backend_bound", "1 - frontend_bound - (UOPS_ISSUED.ANY + width * recovery) / slots"),
    {0},
};

#define FETCH_BANDWIDTH TD_DEF("fetch_bandwidth", "frontend_bound - fetch_latency")
#define FETCH_LATENCY TD_DEF("fetch_latency", "width * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE / slots")
#define FETCH_LATENCY_MIN \
    TD_DEF("fetch_latency", \
           "width * min(CPU_CLK_UNHALTED.THREAD, IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE) / slots")
#define BRANCH_MISPREDICTS \
    TD_DEF("branch_mispredicts", \
           "BR_MISP_RETIRED.ALL_BRANCHES / (BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT) * bad_speculation")
#define MACHINE_CLEARS TD_DEF("machine_clears", "bad_speculation - branch_mispredicts")
#define HEAVY_OPERATIONS TD_DEF("heavy_operations", "UOPS_RETIRED.RETIRE_SLOTS / UOPS_ISSUED.ANY * IDQ.MS_UOPS / slots")
#define LIGHT_OPERATIONS TD_DEF("light_operations", "retiring - heavy_operations")
#define LEVEL2 FETCH_BANDWIDTH, BRANCH_MISPREDICTS, MACHINE_CLEARS, HEAVY_OPERATIONS, LIGHT_OPERATIONS
#define CORE_BOUND TD_DEF("core_bound", "backend_bound - memory_bound")

/* The cycles in which the backend was the limit: total stalls, those in which
 * few uops were executed (how few, depends on the IPC), less an empty reservation
 * station where the frontend is to blame, and a full store buffer. */
#define EMPTY TD_DEF("empty", "when(fetch_latency, 0.1, RS_EVENTS.EMPTY_CYCLES, 0)")
#define BACKEND_CYCLES TD_DEF("backend_cycles", "total_stalls + few_uops - empty + RESOURCE_STALLS.SB")
#define MEMORY_BOUND TD_DEF("memory_bound", "(memory_stalls + RESOURCE_STALLS.SB) / backend_cycles * backend_bound")
#define BACKEND EMPTY, BACKEND_CYCLES, MEMORY_BOUND, CORE_BOUND
#define FEW_UOPS(ge1, ge2, ge3) ge1 " - when(INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD, 1.8, " ge3 ", " ge2 ")"

static const struct td_def snb_l2[] = {
    FETCH_LATENCY_MIN,
    LEVEL2,
    TD_DEF("memory_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.STALLS_L1D_PENDING)"),
    TD_DEF("total_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.CYCLES_NO_DISPATCH)"),
    TD_DEF("few_uops", FEW_UOPS("UOPS_DISPATCHED.THREAD:c1", "UOPS_DISPATCHED.THREAD:c2", "UOPS_DISPATCHED.THREAD:c3")),
    BACKEND,
    {0},
};
#define FEW_UOPS_GE \
    TD_DEF("few_uops", FEW_UOPS("UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", \
                                "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC"))
static const struct td_def ivb_l2[] = {
    FETCH_LATENCY_MIN,
    LEVEL2,
    TD_DEF("memory_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.STALLS_LDM_PENDING)"),
    TD_DEF("total_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.CYCLES_NO_EXECUTE)"),
    FEW_UOPS_GE,
    BACKEND,
    {0},
};
#define FEW_UOPS_CORE FEW_UOPS("UOPS_EXECUTED.CORE:c1", "UOPS_EXECUTED.CORE:c2", "UOPS_EXECUTED.CORE:c3")
static const struct td_def hsw_l2[] = {
    FETCH_LATENCY_MIN,
    LEVEL2,
    TD_DEF("memory_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.STALLS_LDM_PENDING)"),
    TD_DEF("total_stalls", "min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.CYCLES_NO_EXECUTE)"),
    TD_DEF("few_uops", "(" FEW_UOPS_CORE ") / 2 if SMT else " FEW_UOPS_CORE),
    BACKEND,
    {0},
};
static const struct td_def bdw_l2[] = {
    FETCH_LATENCY,
    LEVEL2,
    TD_DEF("memory_stalls", "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
    TD_DEF("total_stalls", "CYCLE_ACTIVITY.STALLS_TOTAL"),
    FEW_UOPS_GE,
    BACKEND,
    {0},
};
static const struct td_def skl_l2[] = {
    FETCH_LATENCY,
    FETCH_BANDWIDTH,
    BRANCH_MISPREDICTS,
    MACHINE_CLEARS,
    TD_DEF("heavy_operations", "(UOPS_RETIRED.RETIRE_SLOTS + UOPS_RETIRED.MACRO_FUSED - INST_RETIRED.ANY) / slots"),
    LIGHT_OPERATIONS,
    TD_DEF("memory_bound", "backend_bound * (CYCLE_ACTIVITY.STALLS_MEM_ANY + EXE_ACTIVITY.BOUND_ON_STORES)"
                           " / (CYCLE_ACTIVITY.STALLS_TOTAL + EXE_ACTIVITY.1_PORTS_UTIL"
                           " + retiring * EXE_ACTIVITY.2_PORTS_UTIL + EXE_ACTIVITY.BOUND_ON_STORES)"),
    CORE_BOUND,
    {0},
};

static const struct td_form kernel_topdown = {
    "kernel-topdown",
    "topdown-total-slots !IDQ_UOPS_NOT_DELIVERED.CORE",
    TD_FORM_SYSFS_SCALE,
    {td_kernel_topdown_l1},
};

#define ANY "CPU_CLK_UNHALTED.THREAD_ANY"
#define EBS "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_XCLK"
#define FORMS(core, l1, l2) \
    static const struct td_form core##_any = { \
        #core "-thread-any", ANY, TD_FORM_CORE_CLOCK | TD_FORM_TABLE | TD_FORM_SMT, {clock_any, l1, l2}}; \
    static const struct td_form core##_smt = {#core "-smt", \
                                              EBS " INT_MISC.RECOVERY_CYCLES_ANY", \
                                              TD_FORM_TABLE | TD_FORM_SMT | TD_FORM_SMT_ASKED | TD_FORM_EBS, \
                                              {clock_smt, l1, l2}}; \
    static const struct td_form core##_ebs = { \
        #core "-ebs", EBS, TD_FORM_TABLE | TD_FORM_SMT_ASKED | TD_FORM_EBS, {clock_ebs, l1, l2}}; \
    static const struct td_form core##_alone = {#core, "", TD_FORM_ONE_THREAD | TD_FORM_TABLE, {clock_alone, l1, l2}}; \
    static const struct td_form *const core##_forms[] = { \
        &kernel_topdown, &core##_any, &core##_smt, &core##_ebs, &core##_alone, NULL, \
    }

FORMS(snb, snb_l1, snb_l2);
FORMS(ivb, snb_l1, ivb_l2);
FORMS(hsw, snb_l1, hsw_l2);
FORMS(bdw, snb_l1, bdw_l2);
FORMS(skl, skl_l1, skl_l2);

/* What no program breaks. Four uops are issued in a cycle, of both threads, and each is a slot; those that retire were
 * issued. A slot retires two instructions where they are macro-fused, and no more than two fuse (Intel 64 and IA-32
 * Architectures Optimization Manual, 'Macro-fusion'); an eliminated one has its slot all the same. The kernel's
 * total-slots are for each thread half of the core's, of which an only active one may use all. */
static const struct td_relation relations[] = {
    TD_RELATION("UOPS_RETIRED.RETIRE_SLOTS <= width * CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("UOPS_ISSUED.ANY <= width * CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("IDQ_UOPS_NOT_DELIVERED.CORE <= width * CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("INT_MISC.RECOVERY_CYCLES <= CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("INST_RETIRED.ANY <= 8 * CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_RETIRED.RETIRE_SLOTS"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_ISSUED.ANY"),
    TD_RELATION("UOPS_RETIRED.RETIRE_SLOTS <= UOPS_ISSUED.ANY"),
    TD_RELATION_IF(TD_RELATION_SCALED, "topdown-slots-retired <= 2 * topdown-total-slots"),
    TD_RELATION_IF(TD_RELATION_SCALED, "topdown-slots-issued <= 2 * topdown-total-slots"),
    TD_RELATION_IF(TD_RELATION_SCALED, "topdown-fetch-bubbles <= 2 * topdown-total-slots"),
    TD_RELATION("topdown-slots-retired <= topdown-slots-issued"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * topdown-slots-retired"),
    TD_RELATION("CYCLE_ACTIVITY.STALLS_MEM_ANY <= CYCLE_ACTIVITY.STALLS_TOTAL"),
    {0},
};

#define ROW(cpu_, table_, forms_) \
    TD_EVENTS(cpu_), .forms = forms_, .width = 4, .tree = &td_tree_big, .table = &td_table_##table_, \
                     .relations = relations

/* Models: intel/perfmon mapfile.csv, Linux intel_pmu_init(). Skylake-SP and
 * Cascade Lake share a model and differ in stepping. */
static const struct td_uarch rows[] = {
    {"snb", "sandybridge", "6-2A", "Sandy Bridge", "toplev snb_client", ROW(snb, snb, snb_forms)},
    {"jkt", "snbep jaketown", "6-2D", "Sandy Bridge server", "toplev jkt_server", ROW(jkt, jkt, snb_forms)},
    {"ivb", "ivybridge", "6-3A", "Ivy Bridge", "toplev ivb_client", ROW(ivb, ivb, ivb_forms)},
    {"ivt", "ivytown", "6-3E", "Ivy Bridge server", "toplev ivb_server", ROW(ivt, ivt, ivb_forms)},
    {"hsw", "haswell", "6-3C 6-45 6-46", "Haswell", "toplev hsw_client", ROW(hsw, hsw, hsw_forms)},
    {"hsx", "haswellx", "6-3F", "Haswell server", "toplev hsx_server", ROW(hsx, hsx, hsw_forms)},
    {"bdw", "broadwell", "6-3D 6-47", "Broadwell", "toplev bdw_client", ROW(bdw, bdw, bdw_forms)},
    {"bdx", "broadwellx", "6-4F", "Broadwell server", "toplev bdx_server", ROW(bdx, bdx, bdw_forms)},
    {"bdw-de", "broadwellde", "6-56", "Broadwell DE", "toplev bdx_server", ROW(bdw_de, bdx, bdw_forms)},
    {"skl", "skylake kbl kabylake cfl coffeelake whl aml cml cometlake", "6-4E 6-5E 6-8E 6-9E 6-A5 6-A6",
     "Skylake to Comet Lake", "toplev skl_client", ROW(skl, skl, skl_forms)},
    {"skx", "skylakex", "6-55:0-4", "Skylake server", "toplev skx_server", ROW(skx, skx, skl_forms)},
    {"clx", "cascadelakex cpx cooperlake", "6-55:5-f", "Cascade and Cooper Lake", "toplev clx_server",
     ROW(clx, clx, skl_forms)},
};

const struct td_backend td_intel_generic = {
    "intel-generic", "formulas over ordinary events: Sandy Bridge to Cascade Lake", "GenuineIntel", rows,
    TD_LENGTH(rows),
};
