/* SPDX-License-Identifier: MIT */
/* Which events the oracle's formulas for Intel's big cores use; the names are perfmon's. */
#include "tests/support/oracle.h"

#include <stddef.h>

#define LIST(list, ...) const char *const oracle_events_##list[] = { __VA_ARGS__, NULL };

/* ---- Sandy Bridge to Cascade Lake ---- */

#define THREAD "CPU_CLK_UNHALTED.THREAD"
#define OFF "INT_MISC.RECOVERY_CYCLES"
#define ANY "CPU_CLK_UNHALTED.THREAD_ANY", "INT_MISC.RECOVERY_CYCLES_ANY"
#define EBS "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", "CPU_CLK_UNHALTED.REF_XCLK", "INT_MISC.RECOVERY_CYCLES"
#define SMT "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", "CPU_CLK_UNHALTED.REF_XCLK", "INT_MISC.RECOVERY_CYCLES_ANY"

#define GENERIC                                                                             \
    "IDQ_UOPS_NOT_DELIVERED.CORE", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE",        \
    "UOPS_ISSUED.ANY", "UOPS_RETIRED.RETIRE_SLOTS", "INST_RETIRED.ANY",                      \
    "BR_MISP_RETIRED.ALL_BRANCHES", "MACHINE_CLEARS.COUNT"
#define BEFORE_SKL GENERIC, THREAD, "IDQ.MS_UOPS", "RESOURCE_STALLS.SB", "RS_EVENTS.EMPTY_CYCLES"
#define CYCLES_GE                                                                           \
    "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC",             \
    "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC"
#define EXE_ACTIVITY                                                                        \
    "CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_TOTAL", "EXE_ACTIVITY.1_PORTS_UTIL", \
    "EXE_ACTIVITY.2_PORTS_UTIL", "EXE_ACTIVITY.BOUND_ON_STORES"

#define SNB BEFORE_SKL, "CYCLE_ACTIVITY.STALLS_L1D_PENDING", "CYCLE_ACTIVITY.CYCLES_NO_DISPATCH",   \
    "UOPS_DISPATCHED.THREAD:c1", "UOPS_DISPATCHED.THREAD:c2", "UOPS_DISPATCHED.THREAD:c3"
#define IVB BEFORE_SKL, "CYCLE_ACTIVITY.STALLS_LDM_PENDING", "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", CYCLES_GE
#define HSW BEFORE_SKL, "CYCLE_ACTIVITY.STALLS_LDM_PENDING", "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE",    \
    "UOPS_EXECUTED.CORE:c1", "UOPS_EXECUTED.CORE:c2", "UOPS_EXECUTED.CORE:c3"
#define BDW BEFORE_SKL, "CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_TOTAL", CYCLES_GE
#define SKL GENERIC, EXE_ACTIVITY, "UOPS_RETIRED.MACRO_FUSED"

LIST(snb, SNB, OFF)
LIST(snb_thread_any, SNB, ANY)
LIST(snb_ebs, SNB, EBS)
LIST(snb_smt, SNB, SMT)
LIST(ivb, IVB, OFF)
LIST(ivb_thread_any, IVB, ANY)
LIST(ivb_ebs, IVB, EBS)
LIST(ivb_smt, IVB, SMT)
LIST(hsw, HSW, OFF)
LIST(hsw_thread_any, HSW, ANY)
LIST(hsw_ebs, HSW, EBS)
LIST(hsw_smt, HSW, SMT)
LIST(bdw, BDW, OFF)
LIST(bdw_thread_any, BDW, ANY)
LIST(bdw_ebs, BDW, EBS)
LIST(bdw_smt, BDW, SMT)
LIST(skl, SKL, THREAD, OFF)
LIST(skl_thread_any, SKL, ANY)          /* no formula of Skylake's uses the cycles of one thread */
LIST(skl_ebs, SKL, THREAD, EBS)
LIST(skl_smt, SKL, THREAD, SMT)

LIST(kernel, "topdown-total-slots", "topdown-slots-issued", "topdown-slots-retired", "topdown-fetch-bubbles",
     "topdown-recovery-bubbles")

/* ---- Ice Lake and later ---- */

#define METRICS_4                                                                           \
    "TOPDOWN.SLOTS", "PERF_METRICS.RETIRING", "PERF_METRICS.BAD_SPECULATION",                \
    "PERF_METRICS.FRONTEND_BOUND", "PERF_METRICS.BACKEND_BOUND"
#define METRICS_8                                                                           \
    METRICS_4, "PERF_METRICS.HEAVY_OPERATIONS", "PERF_METRICS.BRANCH_MISPREDICTS",           \
    "PERF_METRICS.FETCH_LATENCY", "PERF_METRICS.MEMORY_BOUND"
#define ICL_COMMON                                                                          \
    EXE_ACTIVITY, "INT_MISC.UOP_DROPPING", "INT_MISC.CLEARS_COUNT",                          \
    "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", "BR_MISP_RETIRED.ALL_BRANCHES",       \
    "MACHINE_CLEARS.COUNT", "UOPS_RETIRED.SLOTS", "UOPS_ISSUED.ANY", "IDQ.MS_UOPS",          \
    "UOPS_DECODED.DEC0", "UOPS_DECODED.DEC0:c1", "IDQ.MITE_UOPS"
#define TOPDOWN_EVENTS                                                                      \
    "IDQ_BUBBLES.CORE", "TOPDOWN.BACKEND_BOUND_SLOTS", "TOPDOWN.BR_MISPREDICT_SLOTS",        \
    "TOPDOWN.MEMORY_BOUND_SLOTS", "UOPS_RETIRED.SLOTS", "UOPS_RETIRED.HEAVY"

LIST(icl_metrics, METRICS_4, ICL_COMMON)
LIST(icl_events, "TOPDOWN.SLOTS", ICL_COMMON, "IDQ_UOPS_NOT_DELIVERED.CORE", "TOPDOWN.BACKEND_BOUND_SLOTS")
LIST(glc_metrics, METRICS_8, "INT_MISC.UOP_DROPPING")
LIST(glc_events, "TOPDOWN.SLOTS", TOPDOWN_EVENTS, "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE", "INT_MISC.UOP_DROPPING")
LIST(lnc_metrics, METRICS_8)            /* slots lead the group, but no value is divided by them */
LIST(lnc_events, "TOPDOWN.SLOTS_P", TOPDOWN_EVENTS, "IDQ_BUBBLES.FETCH_LATENCY", THREAD)
