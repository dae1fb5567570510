/* SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <string.h>

/* Thresholds: toplev's models, big cores (icl_client_ratios.py and its kin) and
 * Atoms (adl_grt_ratios.py; base and ms_uops: ehl_ratios.py). Arm publishes
 * none; its big cores are judged like Intel's. */
const struct td_node td_nodes[TD_NODES] = {
    {"retiring", "", 1, true, 0.70, 0.75},
    {"bad_speculation", "", 1, true, 0.15, 0.15},
    {"frontend_bound", "", 1, true, 0.15, 0.20},
    {"backend_bound", "", 1, true, 0.20, 0.10},
    {"heavy_operations", "retiring", 2, true, 0.10, 1},
    {"light_operations", "retiring", 2, true, 0.60, 1},
    {"branch_mispredicts", "bad_speculation", 2, true, 0.10, 0.05},
    {"machine_clears", "bad_speculation", 2, true, 0.10, 0.05},
    {"fetch_latency", "frontend_bound", 2, true, 0.10, 0.15},
    {"fetch_bandwidth", "frontend_bound", 2, true, 0.20, 0.10},
    {"memory_bound", "backend_bound", 2, true, 0.20, 0.20},
    {"core_bound", "backend_bound", 2, true, 0.10, 0.10},
    {"resource_bound", "backend_bound", 2, true, 0.20, 0.20},
    {"base", "retiring", 2, false, 1, 0.60},
    {"ms_uops", "retiring", 2, false, 1, 0.05},
};

const struct td_node *td_node_find(const char *name)
{
    for (size_t i = 0; i < TD_NODES; i++)
        if (!strcmp(td_nodes[i].name, name))
            return &td_nodes[i];
    return NULL;
}
