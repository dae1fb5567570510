/* SPDX-License-Identifier: MIT */
/* The oracle for AMD's Zen: perf's amdzen4/pipeline.json, amdzen5/pipeline.json and amdzen6/pipeline.json. */
#include "tests/support/oracle.h"

#include <stddef.h>

#define LIST(list, ...) const char *const oracle_events_##list[] = {__VA_ARGS__, NULL};

#define PIPELINE \
    "LS_NOT_HALTED_CYC", "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND", "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS", \
        "DE_NO_DISPATCH_PER_SLOT.SMT_CONTENTION", "DE_SRC_OP_DISP.ALL", "EX_RET_OPS", "EX_RET_BRN_MISP", \
        "EX_NO_RETIRE.NOT_COMPLETE", "EX_NO_RETIRE.LOAD_NOT_COMPLETE", "EX_RET_UCODE_OPS"

LIST(zen4, PIPELINE, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c6", "RESYNCS_OR_NC_REDIRECTS")
LIST(zen5, PIPELINE, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c8", "BP_REDIRECTS.RESYNC")
LIST(zen6, PIPELINE, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c8", "BP_FE_REDIR.RESYNC")

/* What a generation calls the nodes of level 2, and two events of its own */
struct generation {
    double slots_per_cycle;
    const char *idle_cycles, *resyncs;
    const char *latency, *bandwidth, *mispredicts, *restarts, *memory, *cpu, *fastpath, *microcode;
};

static void solve(struct oracle *o, const struct generation *g)
{
    double slots = g->slots_per_cycle * oracle_event(o, "LS_NOT_HALTED_CYC");
    double empty = oracle_event(o, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND");
    double all_empty = g->slots_per_cycle * oracle_event(o, g->idle_cycles); /* cycles with no op at all, as slots */
    double retired = oracle_event(o, "EX_RET_OPS"), microcode = oracle_event(o, "EX_RET_UCODE_OPS");
    double bad = (oracle_event(o, "DE_SRC_OP_DISP.ALL") - retired) / slots;
    double backend = oracle_event(o, "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS") / slots;
    double wrong = oracle_event(o, "EX_RET_BRN_MISP"), resyncs = oracle_event(o, g->resyncs);
    double loads = oracle_event(o, "EX_NO_RETIRE.LOAD_NOT_COMPLETE") / oracle_event(o, "EX_NO_RETIRE.NOT_COMPLETE");

    oracle_emit(o, "retiring", retired / slots);
    oracle_emit(o, "bad_speculation", bad);
    oracle_emit(o, "frontend_bound", empty / slots);
    oracle_emit(o, "backend_bound", backend);
    oracle_emit(o, "smt_contention", oracle_event(o, "DE_NO_DISPATCH_PER_SLOT.SMT_CONTENTION") / slots);
    oracle_emit(o, g->latency, all_empty / slots);
    oracle_emit(o, g->bandwidth, (empty - all_empty) / slots);
    oracle_emit(o, g->mispredicts, bad * wrong / (wrong + resyncs));
    oracle_emit(o, g->restarts, bad * resyncs / (wrong + resyncs));
    oracle_emit(o, g->memory, backend * loads);
    oracle_emit(o, g->cpu, backend * (1 - loads));
    oracle_emit(o, g->fastpath, retired / slots * (1 - microcode / retired));
    oracle_emit(o, g->microcode, retired / slots * (microcode / retired));
}

#define NEWER \
    "frontend_bound_by_latency", "frontend_bound_by_bandwidth", "bad_speculation_from_mispredicts", \
        "bad_speculation_from_pipeline_restarts", "backend_bound_by_memory", "backend_bound_by_cpu", \
        "retiring_from_fastpath", "retiring_from_microcode"

void oracle_solve_zen4(struct oracle *o, const char *variant)
{
    static const struct generation g = {
        6,
        "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c6",
        "RESYNCS_OR_NC_REDIRECTS",
        "frontend_bound_latency",
        "frontend_bound_bandwidth",
        "bad_speculation_mispredicts",
        "bad_speculation_pipeline_restarts",
        "backend_bound_memory",
        "backend_bound_cpu",
        "retiring_fastpath",
        "retiring_microcode",
    };

    (void)variant;
    solve(o, &g);
}

void oracle_solve_zen5(struct oracle *o, const char *variant)
{
    static const struct generation g = {8, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c8", "BP_REDIRECTS.RESYNC",
                                        NEWER};

    (void)variant;
    solve(o, &g);
}

void oracle_solve_zen6(struct oracle *o, const char *variant)
{
    static const struct generation g = {8, "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND:c8", "BP_FE_REDIR.RESYNC",
                                        NEWER};

    (void)variant;
    solve(o, &g);
}
