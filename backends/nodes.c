/* SPDX-License-Identifier: MIT */
#include "backends/nodes.h"

#include "backends/rows.h"
#include "include/tdprobe.h"

#include <string.h>

/* Thresholds: toplev's models, big cores (icl_client_ratios.py and its kin) and
 * Atoms (adl_grt_ratios.py; base and ms_uops: ehl_ratios.py). Arm publishes
 * none; its big cores are judged like Intel's. */
#define NODES(X) \
    X(retiring, "", 1, true, 0.70, 0.75) \
    X(bad_speculation, "", 1, true, 0.15, 0.15) \
    X(frontend_bound, "", 1, true, 0.15, 0.20) \
    X(backend_bound, "", 1, true, 0.20, 0.10) \
    X(heavy_operations, "retiring", 2, true, 0.10, 1) \
    X(light_operations, "retiring", 2, true, 0.60, 1) \
    X(branch_mispredicts, "bad_speculation", 2, true, 0.10, 0.05) \
    X(machine_clears, "bad_speculation", 2, true, 0.10, 0.05) \
    X(fetch_latency, "frontend_bound", 2, true, 0.10, 0.15) \
    X(fetch_bandwidth, "frontend_bound", 2, true, 0.20, 0.10) \
    X(memory_bound, "backend_bound", 2, true, 0.20, 0.20) \
    X(core_bound, "backend_bound", 2, true, 0.10, 0.10) \
    X(resource_bound, "backend_bound", 2, true, 0.20, 0.20) \
    X(base, "retiring", 2, false, 1, 0.60) \
    X(ms_uops, "retiring", 2, false, 1, 0.05)

/* AMD publishes no thresholds either: a node is judged like its counterpart on Intel's big cores,
 * smt_contention like backend_bound. Names: Linux tools/perf/pmu-events/arch/x86/amdzen[456]/pipeline.json. */
#define ZEN_SHARED(X) \
    X(retiring, "", 1, 0.70) \
    X(bad_speculation, "", 1, 0.15) \
    X(frontend_bound, "", 1, 0.15) \
    X(backend_bound, "", 1, 0.20)
#define ZEN_OWN(X) X(smt_contention, "", 1, 0.20)
#define ZEN4_DEEPER(X) \
    X(retiring_microcode, "retiring", 2, 0.10) \
    X(retiring_fastpath, "retiring", 2, 0.60) \
    X(bad_speculation_mispredicts, "bad_speculation", 2, 0.10) \
    X(bad_speculation_pipeline_restarts, "bad_speculation", 2, 0.10) \
    X(frontend_bound_latency, "frontend_bound", 2, 0.10) \
    X(frontend_bound_bandwidth, "frontend_bound", 2, 0.20) \
    X(backend_bound_memory, "backend_bound", 2, 0.20) \
    X(backend_bound_cpu, "backend_bound", 2, 0.10)
#define ZEN5_DEEPER(X) \
    X(retiring_from_microcode, "retiring", 2, 0.10) \
    X(retiring_from_fastpath, "retiring", 2, 0.60) \
    X(bad_speculation_from_mispredicts, "bad_speculation", 2, 0.10) \
    X(bad_speculation_from_pipeline_restarts, "bad_speculation", 2, 0.10) \
    X(frontend_bound_by_latency, "frontend_bound", 2, 0.10) \
    X(frontend_bound_by_bandwidth, "frontend_bound", 2, 0.20) \
    X(backend_bound_by_memory, "backend_bound", 2, 0.20) \
    X(backend_bound_by_cpu, "backend_bound", 2, 0.10)
/* Zen 1 to 3 have ratios instead of a tree (recommended.json in their folders of Linux); these two are those of Zen 1
 * and 2. */
#define ZEN1_RATIOS(X) \
    X(branch_misprediction_ratio, "", 1, 1) \
    X(ic_fetch_miss_ratio, "", 1, 1)
#define ZEN3_RATIO(X) X(op_cache_fetch_miss_ratio, "", 1, 1)
/* Neoverse N1 counts no slots: cycles in which nothing was dispatched, and why (neoverse-n1.json, "Cycle_Accounting").
 */
#define N1_CYCLES(X) \
    X(frontend_stalled_cycles, "", 1, 1) \
    X(backend_stalled_cycles, "", 1, 1)
#define OWN_NAMES(X) ZEN_OWN(X) ZEN4_DEEPER(X) ZEN5_DEEPER(X) ZEN1_RATIOS(X) ZEN3_RATIO(X) N1_CYCLES(X)

#define NUMBER(name, parent, level, always, big, atom) name##_number,
#define NAME(name, parent, level, always, big, atom) #name,
#define OF_BIG(name, parent, level, always, big, atom) \
    {#name, parent, level, name##_number, always, TD_METRIC_NODE, big},
#define OF_ATOM(name, parent, level, always, big, atom) \
    {#name, parent, level, name##_number, always, TD_METRIC_NODE, atom},
#define OWN_NUMBER(name, parent, level, own) name##_number,
#define OWN_NAME(name, parent, level, own) #name,
#define OF_ZEN(name, parent, level, zen) {#name, parent, level, name##_number, true, TD_METRIC_NODE, zen},
#define RATIO_OF(name, parent, level, own) {#name, parent, level, name##_number, true, TD_METRIC_INFO, own},

enum { NODES(NUMBER) OWN_NAMES(OWN_NUMBER) NUMBERS };

static const char *const names[] = {NODES(NAME) OWN_NAMES(OWN_NAME)};
static const struct td_node big[] = {NODES(OF_BIG)};
static const struct td_node atom[] = {NODES(OF_ATOM)};
static const struct td_node zen4[] = {ZEN_SHARED(OF_ZEN) ZEN_OWN(OF_ZEN) ZEN4_DEEPER(OF_ZEN)};
static const struct td_node zen5[] = {ZEN_SHARED(OF_ZEN) ZEN_OWN(OF_ZEN) ZEN5_DEEPER(OF_ZEN)};
static const struct td_node zen1[] = {ZEN1_RATIOS(RATIO_OF)};
static const struct td_node zen3[] = {ZEN1_RATIOS(RATIO_OF) ZEN3_RATIO(RATIO_OF)};
static const struct td_node n1[] = {N1_CYCLES(RATIO_OF)};

const struct td_tree td_tree_big = {big, TD_LENGTH(big)}, td_tree_atom = {atom, TD_LENGTH(atom)};
const struct td_tree td_tree_zen4 = {zen4, TD_LENGTH(zen4)}, td_tree_zen5 = {zen5, TD_LENGTH(zen5)};
const struct td_tree td_tree_zen1 = {zen1, TD_LENGTH(zen1)}, td_tree_zen3 = {zen3, TD_LENGTH(zen3)};
const struct td_tree td_tree_n1 = {n1, TD_LENGTH(n1)};

const char *td_node_name(unsigned number)
{
    return number < NUMBERS ? names[number] : NULL;
}

int td_node_number(const char *name)
{
    for (int i = 0; i < NUMBERS; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

bool td_tree_has_nodes(const struct td_tree *t)
{
    return t->node[0].kind == TD_METRIC_NODE;
}

const struct td_node *td_tree_find(const struct td_tree *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->node[i].name, name))
            return &t->node[i];
    return NULL;
}
