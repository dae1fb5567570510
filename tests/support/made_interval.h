/* SPDX-License-Identifier: MIT */
/* A result of samples whose numbers are written out: an interval within one place, with shares of level 1. */
#ifndef MADE_INTERVAL_H
#define MADE_INTERVAL_H

#include "core/result.h"

#include <math.h>

enum { MADE_INTERVAL_METRICS = 8, MADE_INTERVAL_COUNTS = 4 };

struct made_interval {
    struct td_result r;
    struct td_uarch uarch;
    struct td_counts counts;
    struct td_count count[MADE_INTERVAL_COUNTS]; /* of these texts: slots, cycles, instructions, topdown-retiring */
    struct td_given given;
    struct td_metric metric[MADE_INTERVAL_METRICS];
    const struct td_node *nodes[MADE_INTERVAL_METRICS];
    uint32_t family[MADE_INTERVAL_METRICS];
    const struct td_metric *among[MADE_INTERVAL_METRICS], *path[MADE_INTERVAL_METRICS];
};

static inline struct td_metric made_share(const char *name, double value)
{
    return (struct td_metric){.name = name,
                              .parent = "",
                              .level = TD_LEVEL_TOP,
                              .unit = "slots",
                              .value = value,
                              .low = (double)NAN,
                              .high = (double)NAN,
                              .kind = TD_METRIC_NODE};
}

/* Of so many slots, with so many metrics, which are 1 / 8, 2 / 8, ..., and limit a place above a tenth. */
static inline void made_interval(struct made_interval *m, const char *at, double slots, size_t metrics)
{
    static const char *const texts[] = {"slots", "cycles", "instructions", "topdown-retiring"},
                             *const names[MADE_INTERVAL_METRICS] = {"retiring", "a", "b", "c", "d", "e", "f", "g"};
    static const struct td_node node = {.threshold = 0.1};

    *m = (struct made_interval){.count[0] = {.value = slots}};
    m->counts = (struct td_counts){.n = 1, .c = m->count};
    for (size_t i = 0; i < MADE_INTERVAL_METRICS; i++) {
        m->metric[i] = made_share(names[i], (double)(i + 1) / 8);
        m->nodes[i] = &node;
    }
    m->r = (struct td_result){
        .at = {.scope = at, .began = at, .scope_kind = TD_KIND_FUNCTION},
        .uarch = &m->uarch,
        .cpu = "spr",
        .formula = "perf_metrics",
        .metrics = m->metric,
        .nodes = m->nodes,
        .family = m->family,
        .among = m->among,
        .path = m->path,
        .nmetrics = metrics,
        .given = &m->given,
        .counts = &m->counts,
        .texts = texts,
    };
}

#endif
