/* SPDX-License-Identifier: MIT */
/* The oracle for Arm servers: perf's sbsa.json, Arm's telemetry-solution, AmpereOne's and HiSilicon's own metrics. */
#include "tests/support/oracle.h"

#include <stddef.h>
#include <string.h>

#define LIST(list, ...) const char *const oracle_events_##list[] = {__VA_ARGS__, NULL};

#define SBSA "CPU_CYCLES", "STALL_SLOT", "STALL_SLOT_FRONTEND", "STALL_SLOT_BACKEND", "OP_SPEC", "OP_RETIRED"

LIST(neoverse, SBSA, "BR_MIS_PRED")
LIST(neoverse_flush, SBSA, "STALL_FRONTEND_FLUSH")
LIST(ampereone, "CPU_CYCLES", "OP_SPEC", "OP_RETIRED", "STALL_SLOT_BACKEND")
LIST(hip08, "CPU_CYCLES", "FETCH_BUBBLE", "INST_SPEC", "INST_RETIRED", "r201d", "BR_MIS_PRED", "r2013",
     "EXE_STALL_CYCLE", "MEM_STALL_ANYLOAD", "r7005")

/*
 * perf sbsa.json, and with surplus = CPU_CYCLES perf neoverse-n2-v2/metrics.json for N2 before r0p3, which counts one
 * frontend slot too many per cycle in STALL_SLOT and STALL_SLOT_FRONTEND (SDEN-1982442)
 */
static struct oracle_level1 sbsa(const struct oracle *o, double surplus)
{
    double retired = oracle_event(o, "OP_RETIRED") / oracle_event(o, "OP_SPEC");
    struct oracle_level1 t;
    double used;

    t.slots = o->width * oracle_event(o, "CPU_CYCLES");
    used = 1 - (oracle_event(o, "STALL_SLOT") - surplus) / t.slots;
    t.frontend = (oracle_event(o, "STALL_SLOT_FRONTEND") - surplus) / t.slots;
    t.backend = oracle_event(o, "STALL_SLOT_BACKEND") / t.slots;
    t.retiring = retired * used;
    t.bad = (1 - retired) * used;
    return t;
}

/*
 * Arm telemetry-solution: neoverse-n2-r0p3.json and neoverse-v2.json, neoverse-n2.json (less cycles),
 * neoverse-v1.json, neoverse-n3.json and neoverse-v3.json (flush). The transfers are per cycle, not per slot.
 */
void oracle_solve_neoverse(struct oracle *o, const char *variant)
{
    double cycles = oracle_event(o, "CPU_CYCLES");
    struct oracle_level1 t = sbsa(o, strcmp(variant, "neoverse-less-cycles") == 0 ? cycles : 0);

    if (strcmp(variant, "neoverse-flush") == 0) {
        double flush = oracle_correction(o, "STALL_FRONTEND_FLUSH");

        t.frontend = t.frontend - flush / cycles;
        t.bad = t.bad + flush / cycles;
    } else if (strcmp(variant, "neoverse-v1") == 0) {
        double mispredicts = oracle_correction(o, "BR_MIS_PRED");

        t.frontend = t.frontend - 4 * mispredicts / cycles;
        t.bad = t.bad + 4 * mispredicts / cycles;
    } else {
        double mispredicts = oracle_correction(o, "BR_MIS_PRED");

        t.frontend = t.frontend - mispredicts / cycles;
        t.backend = t.backend - 3 * mispredicts / cycles;
        t.bad = t.bad + 4 * mispredicts / cycles;
    }
    oracle_emit_level1(o, &t);
}

/* perf ampereone/metrics.json: the frontend is what the other three leave over */
void oracle_solve_ampereone(struct oracle *o, const char *variant)
{
    double retired = oracle_event(o, "OP_RETIRED");
    struct oracle_level1 t;

    (void)variant;
    t.slots = oracle_event(o, "CPU_CYCLES") * o->width;
    t.retiring = retired / t.slots;
    t.bad = (oracle_event(o, "OP_SPEC") - retired) / t.slots;
    t.backend = oracle_event(o, "STALL_SLOT_BACKEND") / t.slots;
    t.frontend = 1 - (t.retiring + t.bad + t.backend);
    oracle_emit_level1(o, &t);
}

/* perf hisilicon/hip08/metrics.json: level 1 in slots, most of level 2 in cycles */
static void emit_hip08_level2(struct oracle *o, const struct oracle_level1 *t)
{
    double cycles = oracle_event(o, "CPU_CYCLES");
    double latency = oracle_event(o, "r201d") / cycles;
    double branches = oracle_event(o, "BR_MIS_PRED");
    double mispredicts = t->bad * branches / (branches + oracle_event(o, "r2013"));
    double memory = oracle_event(o, "MEM_STALL_ANYLOAD") + oracle_event(o, "r7005");

    oracle_emit(o, "fetch_latency", latency);
    oracle_emit(o, "fetch_bandwidth", t->frontend - latency);
    oracle_emit(o, "branch_mispredicts", mispredicts);
    oracle_emit(o, "machine_clears", t->bad - mispredicts);
    oracle_emit(o, "core_bound", (oracle_event(o, "EXE_STALL_CYCLE") - memory) / cycles);
    oracle_emit(o, "memory_bound", memory / cycles);
}

void oracle_solve_hip08(struct oracle *o, const char *variant)
{
    double retired = oracle_event(o, "INST_RETIRED");
    struct oracle_level1 t;

    (void)variant;
    t.slots = o->width * oracle_event(o, "CPU_CYCLES");
    t.frontend = oracle_event(o, "FETCH_BUBBLE") / t.slots;
    t.bad = (oracle_event(o, "INST_SPEC") - retired) / t.slots;
    t.retiring = retired / t.slots;
    t.backend = 1 - (t.frontend + t.bad + t.retiring);
    oracle_emit_level1(o, &t);
    emit_hip08_level2(o, &t);
}
