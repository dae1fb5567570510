/* SPDX-License-Identifier: MIT */
/* Ice Lake to Panther Lake, big cores: SLOTS and the PERF_METRICS register.
 *
 * Formulas: pmu-tools (andikleen/pmu-tools @2568760) icl_client_ratios.py,
 * icx_server, adl_glc, spr_server, mtl_rwc, gnr_server, lnl_lnc, ptl_cgc; the
 * same as intel/perfmon @6dadedf TMA_Metrics-full.csv 5.2. Their
 * "(PERF_METRICS.X / SLOTS) / PERF_METRICS_SUM" is X / (sum of the four
 * level-1 fields): the slots of one reading cancel. */
#include "backends/registry.h"
#include "backends/intel/intel-perf-metrics-events.inc"
#include "backends/rows.h"
#include "backends/tables.h"

/* Each category's slots over the sum of the four. 1 - (FE + BE + RET) of the
 * published Bad_Speculation is written as the share of its own field plus what
 * the corrections moved there: the same number, without the fields' uncertainty
 * entering three times. */
#define SUM_OF_FIELDS TD_DEF("sum", "{topdown-retiring} + {topdown-bad-spec} + {topdown-fe-bound} + {topdown-be-bound}")
#define SHARE_RETIRING "share({topdown-retiring}, {topdown-bad-spec} + {topdown-fe-bound} + {topdown-be-bound})"
#define SHARE_BAD_SPEC "share({topdown-bad-spec}, {topdown-retiring} + {topdown-fe-bound} + {topdown-be-bound})"
#define SHARE_FE_BOUND "share({topdown-fe-bound}, {topdown-retiring} + {topdown-bad-spec} + {topdown-be-bound})"
#define SHARE_BE_BOUND "share({topdown-be-bound}, {topdown-retiring} + {topdown-bad-spec} + {topdown-fe-bound})"

/* icl: width 5 */
static const struct td_def icl_fixed_l1[] = {
    TD_DEF("slots", "TOPDOWN.SLOTS"),
    SUM_OF_FIELDS,
    TD_DEF("frontend_bound", SHARE_FE_BOUND " - ?INT_MISC.UOP_DROPPING / slots"),
    TD_DEF("backend_bound", SHARE_BE_BOUND " + width * ?INT_MISC.CLEARS_COUNT / slots"),
    TD_DEF("retiring", SHARE_RETIRING),
    TD_DEF("bad_speculation",
           "max0(" SHARE_BAD_SPEC " + ?INT_MISC.UOP_DROPPING / slots - width * ?INT_MISC.CLEARS_COUNT / slots)"),
    {0},
};

static const struct td_def icl_events_l1[] = {
    TD_DEF("slots", "either(TOPDOWN.SLOTS, TOPDOWN.SLOTS_P)"),
    TD_DEF("frontend_bound", "(IDQ_UOPS_NOT_DELIVERED.CORE - ?INT_MISC.UOP_DROPPING) / slots"),
    TD_DEF("backend_bound", "(TOPDOWN.BACKEND_BOUND_SLOTS + width * ?INT_MISC.CLEARS_COUNT) / slots"),
    TD_DEF("retiring", "UOPS_RETIRED.SLOTS / slots"),
    TD_DEF("bad_speculation", "max0(1 - (frontend_bound + backend_bound + retiring))"),
    {0},
};

/* Level 2 from ordinary events: the register of this generation has four fields. */
static const struct td_def icl_l2[] = {
    TD_DEF("fetch_latency",
           "(width * IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE - ?INT_MISC.UOP_DROPPING) / slots"),
    TD_DEF("fetch_bandwidth", "max0(frontend_bound - fetch_latency)"),
    TD_DEF("branch_mispredicts",
           "BR_MISP_RETIRED.ALL_BRANCHES / (BR_MISP_RETIRED.ALL_BRANCHES + MACHINE_CLEARS.COUNT) * bad_speculation"),
    TD_DEF("machine_clears", "max0(bad_speculation - branch_mispredicts)"),
    TD_DEF("memory_bound", "backend_bound * (CYCLE_ACTIVITY.STALLS_MEM_ANY + EXE_ACTIVITY.BOUND_ON_STORES)"
                           " / (CYCLE_ACTIVITY.STALLS_TOTAL + EXE_ACTIVITY.1_PORTS_UTIL"
                           " + retiring * EXE_ACTIVITY.2_PORTS_UTIL + EXE_ACTIVITY.BOUND_ON_STORES)"),
    TD_DEF("core_bound", "max0(backend_bound - memory_bound)"),
    TD_DEF("heavy_operations", "UOPS_RETIRED.SLOTS / UOPS_ISSUED.ANY * IDQ.MS_UOPS / slots"
                               " + retiring * (UOPS_DECODED.DEC0 - UOPS_DECODED.DEC0:c1) / IDQ.MITE_UOPS"),
    TD_DEF("light_operations", "max0(retiring - heavy_operations)"),
    {0},
};

/* Golden Cove to Redwood Cove, width 6 */
static const struct td_def glc_fixed_l1[] = {
    TD_DEF("slots", "TOPDOWN.SLOTS"),
    SUM_OF_FIELDS,
    TD_DEF("frontend_bound", SHARE_FE_BOUND " - ?INT_MISC.UOP_DROPPING / slots"),
    TD_DEF("backend_bound", SHARE_BE_BOUND),
    TD_DEF("retiring", SHARE_RETIRING),
    TD_DEF("bad_speculation", "max0(" SHARE_BAD_SPEC " + ?INT_MISC.UOP_DROPPING / slots)"),
    TD_DEF("fetch_latency", "{topdown-fetch-lat} / sum - ?INT_MISC.UOP_DROPPING / slots"),
    {0},
};

/* fetch_latency differs between the generations and is listed with level 1. */
static const struct td_def fields_l2[] = {
    TD_DEF("fetch_bandwidth", "max0(frontend_bound - fetch_latency)"),
    TD_DEF("branch_mispredicts", "{topdown-br-mispredict} / sum"),
    TD_DEF("machine_clears", "max0(bad_speculation - branch_mispredicts)"),
    TD_DEF("memory_bound", "{topdown-mem-bound} / sum"),
    TD_DEF("core_bound", "max0(backend_bound - memory_bound)"),
    TD_DEF("heavy_operations", "{topdown-heavy-ops} / sum"),
    TD_DEF("light_operations", "max0(retiring - heavy_operations)"),
    {0},
};

static const struct td_def glc_events_l1[] = {
    TD_DEF("slots", "either(TOPDOWN.SLOTS, TOPDOWN.SLOTS_P)"),
    TD_DEF("frontend_bound", "(IDQ_BUBBLES.CORE - ?INT_MISC.UOP_DROPPING) / slots"),
    TD_DEF("backend_bound", "TOPDOWN.BACKEND_BOUND_SLOTS / slots"),
    TD_DEF("retiring", "UOPS_RETIRED.SLOTS / slots"),
    TD_DEF("bad_speculation", "max0(1 - (frontend_bound + backend_bound + retiring))"),
    TD_DEF("fetch_latency", "(width * IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE - ?INT_MISC.UOP_DROPPING) / slots"),
    {0},
};

/* Lion Cove and Cougar Cove, width 8: no correction, and its own field for bad speculation */
static const struct td_def lnc_fixed_l1[] = {
    TD_DEF("slots", "TOPDOWN.SLOTS"),
    SUM_OF_FIELDS,
    TD_DEF("frontend_bound", SHARE_FE_BOUND),
    TD_DEF("backend_bound", SHARE_BE_BOUND),
    TD_DEF("retiring", SHARE_RETIRING),
    TD_DEF("bad_speculation", SHARE_BAD_SPEC),
    TD_DEF("fetch_latency", "{topdown-fetch-lat} / sum"),
    {0},
};

static const struct td_def lnc_events_l1[] = {
    TD_DEF("slots", "either(TOPDOWN.SLOTS_P, TOPDOWN.SLOTS)"),
    TD_DEF("frontend_bound", "IDQ_BUBBLES.CORE / slots"),
    TD_DEF("backend_bound", "TOPDOWN.BACKEND_BOUND_SLOTS / slots"),
    TD_DEF("retiring", "UOPS_RETIRED.SLOTS / slots"),
    TD_DEF("bad_speculation", "max0(1 - (frontend_bound + backend_bound + retiring))"),
    TD_DEF_OF("fetch_latency", "cycles", "IDQ_BUBBLES.FETCH_LATENCY / CPU_CLK_UNHALTED.THREAD"),
    {0},
};

static const struct td_def events_l2[] = {
    TD_DEF("fetch_bandwidth", "max0(frontend_bound - fetch_latency)"),
    TD_DEF("branch_mispredicts", "TOPDOWN.BR_MISPREDICT_SLOTS / slots"),
    TD_DEF("machine_clears", "max0(bad_speculation - branch_mispredicts)"),
    TD_DEF("memory_bound", "TOPDOWN.MEMORY_BOUND_SLOTS / slots"),
    TD_DEF("core_bound", "max0(backend_bound - memory_bound)"),
    TD_DEF("heavy_operations", "UOPS_RETIRED.HEAVY / slots"),
    TD_DEF("light_operations", "max0(retiring - heavy_operations)"),
    {0},
};

/* The core's clock. CPU_CLK_UNHALTED.DISTRIBUTED gives each cycle to one of the threads that are active in it
 * (perfmon's description of the event): of a thread all of its own cycles where no other was ever active, half of them
 * where one always was. Where it was not recorded, the thread's clock stands for it as on earlier generations
 * (pmu-tools skl_client_ratios.py, CORE_CLKS without SMT), and "sharing" for what is not known. */
static const struct td_def core_clock[] = {
    TD_DEF_OF("info_core_core_clks", "cycles",
              "info_thread_clks / sharing if SMT & has(CPU_CLK_UNHALTED.DISTRIBUTED) < has(CPU_CLK_UNHALTED.THREAD)"
              " else CPU_CLK_UNHALTED.DISTRIBUTED if SMT else info_thread_clks"),
    {0},
};

/* Any of the register's events; where none was recorded, ordinary events are used. */
#define ANY_FIELD "topdown-retiring/topdown-bad-spec/topdown-fe-bound/topdown-be-bound"

#define TABLE (TD_FORM_TABLE | TD_FORM_SMT_ASKED)

static const struct td_form icl_fixed = {
    "icl-perf-metrics", ANY_FIELD, TD_FORM_FIXED | TABLE, {icl_fixed_l1, icl_l2, core_clock}};
static const struct td_form icl_events = {"icl-events", "", TABLE, {icl_events_l1, icl_l2, core_clock}};
static const struct td_form glc_fixed = {
    "glc-perf-metrics", ANY_FIELD, TD_FORM_FIXED | TABLE, {glc_fixed_l1, fields_l2, core_clock}};
static const struct td_form glc_events = {"glc-events", "", TABLE, {glc_events_l1, events_l2, core_clock}};
static const struct td_form lnc_fixed = {
    "lnc-perf-metrics", ANY_FIELD, TD_FORM_FIXED | TABLE, {lnc_fixed_l1, fields_l2}};
static const struct td_form lnc_events = {"lnc-events", "", TABLE, {lnc_events_l1, events_l2}};

static const struct td_form *const icl_forms[] = {&icl_fixed, &icl_events, NULL};
static const struct td_form *const glc_forms[] = {&glc_fixed, &glc_events, NULL};
static const struct td_form *const lnc_forms[] = {&lnc_fixed, &lnc_events, NULL};

/* Kernel and perf names of the same events (Linux arch/x86/events/intel/core.c,
 * perf's generic names), and names of other generations for the same encoding. */

/* What no program breaks. SLOTS "is distributed among unhalted logical processors who share the same physical core",
 * and DISTRIBUTED are the core's cycles, distributed alike (intel/perfmon events of TOPDOWN.SLOTS and
 * CPU_CLK_UNHALTED.DISTRIBUTED): the first are width times the second, and no more than width times the thread's
 * cycles, all of which count only for the core's one active thread. A slot retires two instructions where they are
 * macro-fused, and no more than two fuse (Intel 64 and IA-32 Architectures Optimization Manual, 'Macro-fusion'); an
 * eliminated one has its slot all the same. What retires was issued. */
#define SLOTS "TOPDOWN.SLOTS/TOPDOWN.SLOTS_P"
static const unsigned char widths[] = {5, 6, 8, 0}; /* of the rows below */
static const struct td_relation relations[] = {
    TD_RELATION_OF_WIDTHS(SLOTS " <= width * CPU_CLK_UNHALTED.THREAD", widths),
    TD_RELATION_IF(TD_RELATION_ALONE, "width * CPU_CLK_UNHALTED.THREAD <= " SLOTS),
    TD_RELATION_OF_WIDTHS(SLOTS " <= width * CPU_CLK_UNHALTED.DISTRIBUTED", widths),
    TD_RELATION("width * CPU_CLK_UNHALTED.DISTRIBUTED <= " SLOTS),
    TD_RELATION("CPU_CLK_UNHALTED.DISTRIBUTED <= CPU_CLK_UNHALTED.THREAD"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_RETIRED.SLOTS"),
    TD_RELATION_IF(TD_RELATION_FIELDS, "INST_RETIRED.ANY <= 2 * topdown-retiring"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * UOPS_ISSUED.ANY"),
    TD_RELATION("INST_RETIRED.ANY <= 2 * " SLOTS),
    TD_RELATION("UOPS_RETIRED.SLOTS <= UOPS_ISSUED.ANY"),
    TD_RELATION("UOPS_RETIRED.SLOTS <= " SLOTS),
    TD_RELATION("UOPS_RETIRED.HEAVY <= UOPS_RETIRED.SLOTS"),
    TD_RELATION("TOPDOWN.BACKEND_BOUND_SLOTS <= " SLOTS),
    TD_RELATION("TOPDOWN.MEMORY_BOUND_SLOTS <= TOPDOWN.BACKEND_BOUND_SLOTS"),
    TD_RELATION("TOPDOWN.BR_MISPREDICT_SLOTS <= " SLOTS),
    TD_RELATION("IDQ_UOPS_NOT_DELIVERED.CORE/IDQ_BUBBLES.CORE <= " SLOTS),
    TD_RELATION("CYCLE_ACTIVITY.STALLS_TOTAL <= CPU_CLK_UNHALTED.THREAD"),
    {0},
};

#define ROW(cpu_, table_, forms_, width_) \
    TD_EVENTS(cpu_), .forms = forms_, .width = (width_), .tree = &td_tree_big, .table = &td_table_##table_, \
                     .relations = relations

/* Models: intel/perfmon mapfile.csv, Linux intel_pmu_init(). */
static const struct td_uarch rows[] = {
    {"icl", "icelake", "6-7D 6-7E 6-9D", "Ice Lake client", "toplev icl_client", ROW(icl, icl, icl_forms, 5)},
    {"icx", "icelakex", "6-6A 6-6C", "Ice Lake server", "toplev icx_server", ROW(icx, icx, icl_forms, 5)},
    {"tgl", "tigerlake", "6-8C 6-8D", "Tiger Lake", "toplev icl_client", ROW(tgl, tgl, icl_forms, 5)},
    {"rkl", "rocketlake", "6-A7", "Rocket Lake", "toplev icl_client", ROW(rkl, icl, icl_forms, 5)},
    {"adl-p", "rpl-p adl-glc", "6-97 6-9A 6-B7 6-BA 6-BF", "Alder and Raptor Lake, Golden and Raptor Cove",
     "toplev adl_glc", .core = 'P', ROW(adl_p, adl_p, glc_forms, 6)},
    {"spr", "sapphirerapids", "6-8F", "Sapphire Rapids", "toplev spr_server", ROW(spr, spr, glc_forms, 6)},
    /* The same id as Sapphire Rapids: only its name tells that there is memory in the package. */
    {"spr-hbm", "sapphirerapidshbm xeon-max", "", "Sapphire Rapids with HBM (Xeon Max), by this name only",
     "toplev spr_max_server", ROW(spr_hbm, spr_hbm, glc_forms, 6)},
    {"emr", "emeraldrapids", "6-CF", "Emerald Rapids", "toplev spr_server", ROW(emr, spr, glc_forms, 6)},
    {"mtl-p", "mtl-rwc", "6-AA 6-AC 6-B5", "Meteor Lake, Redwood Cove", "toplev mtl_rwc", .core = 'P',
     ROW(mtl_p, mtl_p, glc_forms, 6)},
    {"gnr", "graniterapids", "6-AD 6-AE", "Granite Rapids", "toplev gnr_server", ROW(gnr, gnr, glc_forms, 6)},
    {"lnl-p", "lnl-lnc", "6-BD", "Lunar Lake, Lion Cove", "toplev lnl_lnc", .core = 'P',
     ROW(lnl_p, lnl_p, lnc_forms, 8)},
    {"arl-p", "arl-lnc", "6-C5 6-C6", "Arrow Lake, Lion Cove", "toplev lnl_lnc", .core = 'P',
     ROW(arl_p, lnl_p, lnc_forms, 8)},
    {"ptl-p", "ptl-cgc", "6-CC 6-D5 6-E5", "Panther Lake, Cougar Cove", "toplev ptl_cgc", .core = 'P',
     ROW(ptl_p, ptl_p, lnc_forms, 8)},
};

const struct td_backend td_intel_perf_metrics = {
    "intel-perf-metrics", "SLOTS and the PERF_METRICS register: Ice Lake to Panther Lake, big cores",
    "GenuineIntel",       rows,
    TD_LENGTH(rows),
};
