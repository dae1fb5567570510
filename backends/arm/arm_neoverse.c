/* SPDX-License-Identifier: MIT */
/* Arm Neoverse and its relatives: events that count stalled slots. */
#include "backends/arm/arm-neoverse-events.inc"
#include "backends/registry.h"
#include "backends/rows.h"
#include "backends/tables.h"

/* Arm telemetry-solution @917257c7, data/pmu/cpu/neoverse, the newer form of
 * SBSA's (Linux tools/perf/pmu-events/arch/arm64/sbsa.json): a mispredict's
 * slots go from the stalls to bad speculation. Without BR_MIS_PRED the SBSA
 * form remains. BR_MIS_PRED is not divided by the slots. */
#define USED(stalls) TD_DEF("used", "1 - (" stalls ") / slots"), TD_DEF("kept", "OP_RETIRED / OP_SPEC")
#define RETIRING TD_DEF("retiring", "kept * used")
#define SLOTS TD_DEF("slots", "width * CPU_CYCLES")

static const struct td_def neoverse[] = {
    SLOTS,
    USED("STALL_SLOT"),
    RETIRING,
    TD_DEF("bad_speculation", "(1 - kept) * used + 4 * ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("frontend_bound", "STALL_SLOT_FRONTEND / slots - ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("backend_bound", "STALL_SLOT_BACKEND / slots - 3 * ~BR_MIS_PRED / CPU_CYCLES"),
    {0},
};

/* N2 before r0p3 counts one STALL_SLOT and one STALL_SLOT_FRONTEND too many in
 * every cycle (SDEN-1982442; neoverse-n2.json beside neoverse-n2-r0p3.json;
 * Linux commit mail 20230816114841.1679234-6). The sum of the uncorrected four
 * is 1 all the same. */
static const struct td_def less_cycles[] = {
    SLOTS,
    USED("STALL_SLOT - CPU_CYCLES"),
    RETIRING,
    TD_DEF("bad_speculation", "(1 - kept) * used + 4 * ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("frontend_bound", "(STALL_SLOT_FRONTEND - CPU_CYCLES) / slots - ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("backend_bound", "STALL_SLOT_BACKEND / slots - 3 * ~BR_MIS_PRED / CPU_CYCLES"),
    {0},
};

/* neoverse-v1.json: all four slots come from the frontend */
static const struct td_def v1[] = {
    SLOTS,
    USED("STALL_SLOT"),
    RETIRING,
    TD_DEF("bad_speculation", "(1 - kept) * used + 4 * ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("frontend_bound", "STALL_SLOT_FRONTEND / slots - 4 * ~BR_MIS_PRED / CPU_CYCLES"),
    TD_DEF("backend_bound", "STALL_SLOT_BACKEND / slots"),
    {0},
};

/* neoverse-n3.json, neoverse-v3.json: the cycles of a flush are counted */
static const struct td_def flush[] = {
    SLOTS,
    USED("STALL_SLOT"),
    RETIRING,
    TD_DEF("bad_speculation", "(1 - kept) * used + ~STALL_FRONTEND_FLUSH / CPU_CYCLES"),
    TD_DEF("frontend_bound", "STALL_SLOT_FRONTEND / slots - ~STALL_FRONTEND_FLUSH / CPU_CYCLES"),
    TD_DEF("backend_bound", "STALL_SLOT_BACKEND / slots"),
    {0},
};

/* intel/PerfSpect @c399daa component/ampereone*, copies of perf's metrics.json */
static const struct td_def ampere[] = {
    SLOTS,
    TD_DEF("retiring", "OP_RETIRED / slots"),
    TD_DEF("bad_speculation", "(OP_SPEC - OP_RETIRED) / slots"),
    TD_DEF("backend_bound", "STALL_SLOT_BACKEND / slots"),
    TD_DEF("frontend_bound", "1 - (retiring + bad_speculation + backend_bound)"),
    {0},
};

/* Linux tools/perf/pmu-events/arch/arm64/hisilicon/hip08/metrics.json. Level 2 is in cycles. */
static const struct td_def hip08[] = {
    SLOTS,
    TD_DEF("frontend_bound", "FETCH_BUBBLE / slots"),
    TD_DEF("bad_speculation", "(INST_SPEC - INST_RETIRED) / slots"),
    TD_DEF("retiring", "INST_RETIRED / slots"),
    TD_DEF("backend_bound", "1 - (frontend_bound + bad_speculation + retiring)"),
    TD_DEF_OF("fetch_latency", "cycles", "r201d / CPU_CYCLES"),
    TD_DEF("fetch_bandwidth", "frontend_bound - fetch_latency"),
    TD_DEF("branch_mispredicts", "bad_speculation * BR_MIS_PRED / (BR_MIS_PRED + r2013)"),
    TD_DEF("machine_clears", "bad_speculation - branch_mispredicts"),
    TD_DEF_OF("core_bound", "cycles", "(EXE_STALL_CYCLE - (MEM_STALL_ANYLOAD + r7005)) / CPU_CYCLES"),
    TD_DEF_OF("memory_bound", "cycles", "(MEM_STALL_ANYLOAD + r7005) / CPU_CYCLES"),
    {0},
};

#define FORMS(id, text) \
    static const struct td_form id##_form = {text, "", TD_FORM_TABLE, {id}}; \
    static const struct td_form *const id##_forms[] = {&id##_form, NULL}

FORMS(neoverse, "neoverse");
FORMS(less_cycles, "neoverse-less-cycles");
FORMS(v1, "neoverse-v1");
FORMS(flush, "neoverse-flush");
FORMS(ampere, "ampereone");
FORMS(hip08, "hip08");

/* N1 has no STALL_SLOT* and no OP_*: no share of slots is published for it. */
static const struct td_form n1_form = {"neoverse-n1-cycles", "", TD_FORM_TABLE, {NULL}};
static const struct td_form *const n1_forms[] = {&n1_form, NULL};

/* What no program breaks: OP_SPEC counts what is executed, OP_RETIRED what of it is architecturally done; STALL_SLOT*
 * are slots, and no more than width of them pass in a cycle; N2 before r0p3 counts one too many in each (Arm ARM DDI
 * 0487, D13 'PMU events'; SDEN-1982442). A slot that is not stalled has an operation: on Yitian 710 OP_SPEC are these
 * slots to the third digit (traces/neoverse-n2-*-text.txt). How many instructions may fuse to an operation is not
 * published for all cores; compares, address and cipher pairs do: 4 is twice that. Nor is it known of other cores how
 * many of these slots have what OP_SPEC does not count: at most three of four, it is assumed. */
static const struct td_relation relations[] = {
    TD_RELATION("OP_RETIRED <= OP_SPEC"),
    TD_RELATION("INST_RETIRED <= 4 * OP_RETIRED"),
    TD_RELATION("INST_RETIRED <= 4 * OP_SPEC"),
    TD_RELATION("INST_RETIRED <= INST_SPEC"),
    TD_RELATION("STALL_SLOT <= width * CPU_CYCLES + CPU_CYCLES"),
    TD_RELATION("STALL_SLOT_FRONTEND <= width * CPU_CYCLES + CPU_CYCLES"),
    TD_RELATION("STALL_SLOT_BACKEND <= width * CPU_CYCLES"),
    TD_RELATION("width * CPU_CYCLES <= STALL_SLOT + 4 * OP_SPEC"),
    TD_RELATION("STALL_FRONTEND <= CPU_CYCLES"),
    TD_RELATION("STALL_BACKEND <= CPU_CYCLES"),
    {0},
};

#define ROW(cpu_, forms_, width_) \
    TD_EVENTS(cpu_), .relations = relations, .forms = forms_, .width = (width_), .tree = &td_tree_big
#define ROW_OF(cpu_, table_, forms_, width_) ROW(cpu_, forms_, width_), .table = &td_table_##table_

/* IMPLEMENTER-PART:variant and revision, of MIDR_EL1. 6d: Microsoft (Cobalt 100,
 * an N2 r0p0: telemetry-solution mapping.json). Slots: PMMIR_EL1.SLOTS as in
 * telemetry-solution; AmpereOne's are PerfSpect's fallback. */
static const struct td_uarch rows[] = {
    {"neoverse-n1", "n1 graviton2 altra", "41-d0c",
     "Neoverse N1, without a tree: it counts stalled cycles and no slots", "telemetry-solution neoverse-n1.json",
     TD_EVENTS(neoverse_n1), .relations = relations, .forms = n1_forms, .tree = &td_tree_n1,
     .table = &td_table_neoverse_n1},
    {"neoverse-n2", "n2 n2-r0p0 n2-r0p1 n2-r0p2 neoverse-n2-r0p0 neoverse-n2-r0p1 neoverse-n2-r0p2 yitian710 cobalt100",
     "41-d49:00-02 6d-d49:00-02", "Neoverse N2 r0p0 to r0p2", "telemetry-solution neoverse-n2.json",
     .unrevised = "neoverse-n2 n2", ROW_OF(neoverse_n2, neoverse_n2, less_cycles_forms, 5)},
    {"neoverse-n2-r0p3", "n2-r0p3", "41-d49:03-ff 6d-d49:03-ff", "Neoverse N2 r0p3 and later",
     "telemetry-solution neoverse-n2-r0p3.json", ROW_OF(neoverse_n2, neoverse_n2_r0p3, neoverse_forms, 5)},
    {"neoverse-v1", "v1 graviton3", "41-d40", "Neoverse V1", "telemetry-solution neoverse-v1.json",
     ROW_OF(neoverse_v1, neoverse_v1, v1_forms, 8)},
    {"neoverse-v2", "v2 graviton4 grace axion", "41-d4f", "Neoverse V2", "telemetry-solution neoverse-v2.json",
     ROW_OF(neoverse_v2, neoverse_v2, neoverse_forms, 8)},
    {"neoverse-n3", "n3", "41-d8e", "Neoverse N3", "telemetry-solution neoverse-n3.json",
     ROW_OF(neoverse_n3, neoverse_n3, flush_forms, 5)},
    {"neoverse-v3", "v3 v3ae graviton5", "41-d84 41-d83", "Neoverse V3, V3AE", "telemetry-solution neoverse-v3.json",
     ROW_OF(neoverse_v3, neoverse_v3, flush_forms, 10)},
    {"ampereone", "ac03", "c0-ac3", "AmpereOne AC03", "perf ampereone", .flags = TD_FLAG_WIDTH_ASSUMED,
     ROW_OF(ampereone, ampereone, ampere_forms, 6)},
    {"ampereonex", "ac04", "c0-ac4", "AmpereOne AC04", "perf ampereonex", .flags = TD_FLAG_WIDTH_ASSUMED,
     ROW_OF(ampereonex, ampereonex, ampere_forms, 10)},
    {"hip08", "tsv110 kunpeng920", "48-d01", "Kunpeng 920 (TSV110)", "perf hisilicon/hip08",
     ROW(hip08, hip08_forms, 4)},
};

const struct td_backend td_arm_neoverse = {
    "arm-neoverse",
    "events that count stalled slots: Neoverse N2, V1, V2, N3, V3, AmpereOne, Kunpeng 920; "
    "of Neoverse N1 stalled cycles",
    "MIDR",
    rows,
    TD_LENGTH(rows),
};
