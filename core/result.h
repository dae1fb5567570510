/* SPDX-License-Identifier: MIT */
/* What is behind the opaque struct td_result. */
#ifndef TD_RESULT_H
#define TD_RESULT_H

#include "counts.h"
#include "nodes.h"

enum { TD_CORRECTIONS_MAX = 4, TD_TEXT = 256, TD_EVENT_TEXT = 160 };

struct td_result {
    const struct td_uarch *uarch;
    const struct td_backend *backend;
    bool has_time, summary;
    uint64_t time; /* ns */
    const char *scope, *scope_kind;
    char cpu[TD_TEXT], formula[TD_TEXT];
    unsigned flags;
    double coverage;
    const char *corrections[TD_CORRECTIONS_MAX]; /* left out */
    size_t ncorrections;
    size_t nmetrics;
    struct td_metric metrics[TD_NODES];
    char events[TD_NODES][TD_EVENT_TEXT]; /* for td_metric.event, where CPUs lack different ones */
    const struct td_counts *counts;
    const char *const *texts; /* names of the counts, by td_count.text */
};

#endif
