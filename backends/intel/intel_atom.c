/* SPDX-License-Identifier: MIT */
/* Atoms and E-cores: events that count slots (or, on the first ones, cycles). */
#include "backends/registry.h"
#include "backends/intel/intel-atom-events.inc"
#include "backends/intel/kernel_topdown.h"
#include "backends/rows.h"
#include "backends/tables.h"

/* Silvermont and Knights Landing (pmu-tools slm_ratios.py, knl_ratios.py).
 * Retiring is in slots, the two others in cycles of a stopped allocator, so
 * backend bound is the remainder of different quantities. */
#define FETCH_LATENCY_WRONG \
    TD_DEF_WRONG("fetch_latency", "its terms are cycles / cycles and are divided by cycles once more")
static const struct td_def slm_l1[] = {
    TD_DEF("slots", "width * CPU_CLK_UNHALTED.CORE"),
    TD_DEF_OF("frontend_bound", "cycles", "NO_ALLOC_CYCLES.NOT_DELIVERED / CPU_CLK_UNHALTED.CORE"),
    TD_DEF_OF("bad_speculation", "cycles", "NO_ALLOC_CYCLES.MISPREDICTS / CPU_CLK_UNHALTED.CORE"),
    TD_DEF("retiring", "UOPS_RETIRED.ALL / slots"),
    TD_DEF("backend_bound", "1 - (frontend_bound + bad_speculation + retiring)"),
    FETCH_LATENCY_WRONG,
    {0},
};
static const struct td_def knl_l1[] = {
    TD_DEF("slots", "width * CPU_CLK_UNHALTED.THREAD"),
    TD_DEF_OF("frontend_bound", "cycles", "NO_ALLOC_CYCLES.NOT_DELIVERED / CPU_CLK_UNHALTED.THREAD"),
    TD_DEF_OF("bad_speculation", "cycles", "NO_ALLOC_CYCLES.MISPREDICTS / CPU_CLK_UNHALTED.THREAD"),
    TD_DEF("retiring", "UOPS_RETIRED.ALL / slots"),
    TD_DEF("backend_bound", "1 - (frontend_bound + bad_speculation + retiring)"),
    FETCH_LATENCY_WRONG,
    {0},
};

#define SLOTS TD_DEF("slots", "width * CPU_CLK_UNHALTED.CORE")

/* Goldmont (intel/perfmon @6dadedf Atom_TMA.csv): four independent terms, which need not sum to 1. */
static const struct td_def glm_l1[] = {
    SLOTS,
    TD_DEF("frontend_bound", "UOPS_NOT_DELIVERED.ANY / slots"),
    TD_DEF("backend_bound", "ISSUE_SLOTS_NOT_CONSUMED.RESOURCE_FULL / slots"),
    TD_DEF("retiring", "UOPS_RETIRED.ANY / slots"),
    TD_DEF("bad_speculation", "(UOPS_ISSUED.ANY - UOPS_RETIRED.ANY + ISSUE_SLOTS_NOT_CONSUMED.RECOVERY) / slots"),
    TD_DEF("ms_uops", "UOPS_RETIRED.MS / slots"),
    {0},
};

/* Tremont (pmu-tools ehl_ratios.py, Atom_TMA.csv "TNT"). Memory bound is in
 * cycles and may exceed backend bound. */
static const struct td_def tnt[] = {
    SLOTS,
    TD_DEF("frontend_bound", "TOPDOWN_FE_BOUND.ALL / slots"),
    TD_DEF("bad_speculation", "TOPDOWN_BAD_SPECULATION.ALL / slots"),
    TD_DEF("backend_bound", "TOPDOWN_BE_BOUND.ALL / slots"),
    TD_DEF("retiring", "TOPDOWN_RETIRING.ALL / slots"),
    TD_DEF("fetch_latency", "(TOPDOWN_FE_BOUND.ITLB + TOPDOWN_FE_BOUND.ICACHE + TOPDOWN_FE_BOUND.BRANCH_DETECT"
                            " + TOPDOWN_FE_BOUND.BRANCH_RESTEER) / slots"),
    TD_DEF("fetch_bandwidth", "(TOPDOWN_FE_BOUND.CISC + TOPDOWN_FE_BOUND.DECODE + TOPDOWN_FE_BOUND.PREDECODE"
                              " + TOPDOWN_FE_BOUND.OTHER) / slots"),
    TD_DEF("branch_mispredicts", "TOPDOWN_BAD_SPECULATION.MISPREDICT / slots"),
    TD_DEF("machine_clears", "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS / slots"),
    TD_DEF_OF("memory_bound", "cycles",
              "(MEM_BOUND_STALLS.LOAD_L2_HIT + MEM_BOUND_STALLS.LOAD_LLC_HIT"
              " + MEM_BOUND_STALLS.LOAD_DRAM_HIT + MEM_BOUND_STALLS.STORE_BUFFER_FULL) / CPU_CLK_UNHALTED.CORE"),
    TD_DEF("core_bound", "max0(backend_bound - memory_bound)"),
    TD_DEF("resource_bound", "backend_bound"),
    TD_DEF("base", "(TOPDOWN_RETIRING.ALL - UOPS_RETIRED.MS) / slots"),
    TD_DEF("ms_uops", "UOPS_RETIRED.MS / slots"),
    {0},
};

/* Gracemont, Crestmont, Skymont (pmu-tools adl_grt, mtl_cmt, srf, lnl_skt;
 * intel/perfmon E-core_TMA_Metrics.csv v4). IFetch_* are fetch_* here. */
static const struct td_def grt_l1[] = {
    SLOTS,
    TD_DEF("frontend_bound", "TOPDOWN_FE_BOUND.ALL / slots"),
    TD_DEF("backend_bound", "TOPDOWN_BE_BOUND.ALL / slots"),
    TD_DEF("retiring", "TOPDOWN_RETIRING.ALL / slots"),
    TD_DEF("bad_speculation", "(slots - (TOPDOWN_FE_BOUND.ALL + TOPDOWN_BE_BOUND.ALL + TOPDOWN_RETIRING.ALL)) / slots"),
    {0},
};
static const struct td_def cmt_l1[] = {
    SLOTS,
    TD_DEF("frontend_bound", "TOPDOWN_FE_BOUND.ALL_P / slots"),
    TD_DEF("backend_bound", "TOPDOWN_BE_BOUND.ALL_P / slots"),
    TD_DEF("retiring", "TOPDOWN_RETIRING.ALL_P / slots"),
    TD_DEF("bad_speculation", "TOPDOWN_BAD_SPECULATION.ALL_P / slots"),
    {0},
};
static const struct td_def skt_l1[] = {
    SLOTS,
    TD_DEF("frontend_bound", "TOPDOWN_FE_BOUND.ALL / slots"),
    TD_DEF("backend_bound", "TOPDOWN_BE_BOUND.ALL_P / slots"),
    TD_DEF("retiring", "TOPDOWN_RETIRING.ALL / slots"),
    TD_DEF("bad_speculation", "TOPDOWN_BAD_SPECULATION.ALL_P / slots"),
    {0},
};
#define LEVEL2_FE_BAD \
    TD_DEF("fetch_latency", "TOPDOWN_FE_BOUND.FRONTEND_LATENCY / slots"), \
        TD_DEF("fetch_bandwidth", "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH / slots"), \
        TD_DEF("branch_mispredicts", "TOPDOWN_BAD_SPECULATION.MISPREDICT / slots"), \
        TD_DEF("machine_clears", "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS / slots")
static const struct td_def ecore_l2[] = {
    LEVEL2_FE_BAD,
    TD_DEF("core_bound", "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS / slots"),
    TD_DEF("resource_bound", "backend_bound - core_bound"),
    {0},
};
/* What perf printed for Gracemont about 6.4: kernel lists "perf vendor events
 * intel: Update alderlake", Memory_Bound and Store_Bound of that time. */
static const struct td_def grt_perf_6_4_l2[] = {
    LEVEL2_FE_BAD,
    TD_DEF("memory_bound",
           "min(backend_bound, LD_HEAD.ANY_AT_RET / CPU_CLK_UNHALTED.CORE"
           " + TOPDOWN_BE_BOUND.MEM_SCHEDULER / slots * (MEM_SCHEDULER_BLOCK.ST_BUF / MEM_SCHEDULER_BLOCK.ALL))"),
    TD_DEF("core_bound", "max0(backend_bound - memory_bound)"),
    TD_DEF("resource_bound", "backend_bound"),
    TD_DEF("base", "(TOPDOWN_RETIRING.ALL - UOPS_RETIRED.MS) / slots"),
    TD_DEF("ms_uops", "UOPS_RETIRED.MS / slots"),
    {0},
};

/* Silvermont's kernel events lack recovery bubbles: perf printed the rest as one node. */
static const struct td_def slm_kernel_l1[] = {
    TD_DEF("slots", "{topdown-total-slots}"),
    TD_DEF("frontend_bound", "{topdown-fetch-bubbles} / slots"),
    TD_DEF("retiring", "{topdown-slots-retired} / slots"),
    {0},
};

static const struct td_form slm = {"slm", "", 0, {slm_l1}};
static const struct td_form knl = {"knl", "", 0, {knl_l1}};
static const struct td_form slm_kernel = {
    "kernel-topdown",
    "topdown-total-slots !NO_ALLOC_CYCLES.NOT_DELIVERED",
    TD_FORM_LEGACY,
    {slm_kernel_l1},
};
static const struct td_form glm_kernel = {
    "kernel-topdown",
    "topdown-total-slots !UOPS_NOT_DELIVERED.ANY",
    TD_FORM_LEGACY,
    {td_kernel_topdown_l1},
};
static const struct td_form glm = {"goldmont", "", 0, {glm_l1}};
static const struct td_form ehl = {"tremont", "", TD_FORM_TABLE, {tnt}};
static const struct td_form grt_6_4 = {
    "gracemont-perf-6.4",
    "LD_HEAD.ANY_AT_RET TOPDOWN_BE_BOUND.MEM_SCHEDULER !TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS",
    TD_FORM_LEGACY,
    {grt_l1, grt_perf_6_4_l2},
};
static const struct td_form grt = {"gracemont", "", TD_FORM_TABLE, {grt_l1, ecore_l2}};
static const struct td_form cmt = {"crestmont", "", TD_FORM_TABLE, {cmt_l1, ecore_l2}};
static const struct td_form skt = {"skymont", "", TD_FORM_TABLE, {skt_l1, ecore_l2}};

static const struct td_form *const slm_forms[] = {&slm_kernel, &slm, NULL};
static const struct td_form *const knl_forms[] = {&knl, NULL};
static const struct td_form *const glm_forms[] = {&glm_kernel, &glm, NULL};
static const struct td_form *const ehl_forms[] = {&ehl, NULL};
static const struct td_form *const grt_forms[] = {&grt_6_4, &grt, NULL};
static const struct td_form *const cmt_forms[] = {&cmt, NULL};
static const struct td_form *const skt_forms[] = {&skt, NULL};

/* What no program breaks: slots of a kind are parts of width times the cycles (there is one thread in a core, but on
 * Knights Landing, whose threads have cycles of their own), and no more than two instructions fuse to one (Intel 64 and
 * IA-32 Architectures Optimization Manual, 'Macro-fusion'). */
#define CYCLES "CPU_CLK_UNHALTED.CORE/CPU_CLK_UNHALTED.THREAD"
#define RETIRED "TOPDOWN_RETIRING.ALL/TOPDOWN_RETIRING.ALL_P"
static const struct td_relation relations[] = {
    TD_RELATION(RETIRED " <= width * " CYCLES),
    TD_RELATION("TOPDOWN_FE_BOUND.ALL/TOPDOWN_FE_BOUND.ALL_P <= width * " CYCLES),
    TD_RELATION("TOPDOWN_BE_BOUND.ALL/TOPDOWN_BE_BOUND.ALL_P <= width * " CYCLES),
    TD_RELATION("TOPDOWN_BAD_SPECULATION.ALL/TOPDOWN_BAD_SPECULATION.ALL_P <= width * " CYCLES),
    TD_RELATION("UOPS_NOT_DELIVERED.ANY <= width * " CYCLES),
    TD_RELATION("ISSUE_SLOTS_NOT_CONSUMED.RESOURCE_FULL <= width * " CYCLES),
    TD_RELATION("NO_ALLOC_CYCLES.NOT_DELIVERED <= " CYCLES),
    TD_RELATION("INST_RETIRED.ANY <= 2 * " RETIRED),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_RETIRED.ALL/UOPS_RETIRED.ANY"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_ISSUED.ANY"),
    TD_RELATION("UOPS_RETIRED.ANY <= UOPS_ISSUED.ANY"),
    {0},
};

#define ROW(cpu_, forms_, width_) \
    TD_EVENTS(cpu_), .forms = forms_, .width = (width_), .tree = &td_tree_atom, .relations = relations
#define ROW_OF(cpu_, table_, forms_, width_) ROW(cpu_, forms_, width_), .table = &td_table_##table_

/* Models: intel/perfmon mapfile.csv, Linux intel_pmu_init(). Width of Goldmont
 * Plus: the kernel's 4 (Atom_TMA.csv shares Goldmont's column, 3). */
static const struct td_uarch rows[] = {
    {"slm", "silvermont airmont", "6-37 6-4A 6-4C 6-4D 6-5A 6-75", "Silvermont, Airmont", "toplev slm",
     ROW(slm, slm_forms, 2)},
    {"knl", "knm knightslanding knightsmill", "6-57 6-85", "Knights Landing and Mill", "toplev knl",
     ROW(knl, knl_forms, 2)},
    {"glm", "goldmont", "6-5C 6-5F", "Goldmont", "perfmon Atom_TMA.csv", ROW(glm, glm_forms, 3)},
    {"glp", "goldmontplus", "6-7A", "Goldmont Plus", "perfmon Atom_TMA.csv", ROW(glp, glm_forms, 4)},
    {"ehl", "tremont jsl elkhartlake lkf", "6-8A 6-96 6-9C", "Elkhart and Jasper Lake, Tremont", "toplev ehl",
     ROW_OF(ehl, ehl, ehl_forms, 4)},
    {"snr", "snowridge", "6-86", "Snow Ridge, Tremont", "toplev ehl", ROW_OF(snr, ehl, ehl_forms, 4)},
    {"adl-e", "rpl-e adl-n adl-grt gracemont", "6-97 6-9A 6-B7 6-BA 6-BF 6-BE", "Alder and Raptor Lake, Gracemont",
     "toplev adl_grt", .core = 'E', .alone = "adl-n", ROW_OF(adl_e, adl_e, grt_forms, 5)},
    {"mtl-e", "mtl-cmt crestmont", "6-AA 6-AC 6-B5", "Meteor Lake, Crestmont", "toplev mtl_cmt", .core = 'E',
     ROW_OF(mtl_e, mtl_e, cmt_forms, 6)},
    {"arl-lpe", "arl-cmt-lp", "6-C5", "Arrow Lake H, Crestmont (cpu_lowpower)", "toplev mtl_cmt", .core = 'L',
     ROW_OF(arl_lpe, mtl_e, cmt_forms, 6)},
    {"srf", "sierraforest", "6-AF", "Sierra Forest, Crestmont", "toplev srf", ROW_OF(srf, srf, cmt_forms, 6)},
    {"grr", "grandridge", "6-B6", "Grand Ridge, Crestmont", "toplev srf", ROW_OF(grr, srf, cmt_forms, 6)},
    {"lnl-e", "lnl-skt skymont", "6-BD", "Lunar Lake, Skymont", "toplev lnl_skt", .core = 'E',
     ROW_OF(lnl_e, lnl_e, skt_forms, 8)},
    {"arl-e", "arl-skt", "6-C5 6-C6", "Arrow Lake, Skymont", "toplev lnl_skt", .core = 'E',
     ROW_OF(arl_e, lnl_e, skt_forms, 8)},
    {"ptl-e", "ptl-dkt darkmont", "6-CC 6-D5 6-E5", "Panther Lake, Darkmont", "toplev lnl_skt", .core = 'E',
     ROW_OF(ptl_e, lnl_e, skt_forms, 8)},
    {"cwf", "clearwaterforest", "6-DD", "Clearwater Forest, Darkmont", "toplev lnl_skt (assumed)",
     .flags = TD_FLAG_WIDTH_ASSUMED, ROW_OF(cwf, lnl_e, skt_forms, 8)},
};

const struct td_backend td_intel_atom = {
    "intel-atom",    "events that count slots: Silvermont to Clearwater Forest, and the E-cores of hybrids",
    "GenuineIntel",  rows,
    TD_LENGTH(rows),
};
