/* SPDX-License-Identifier: MIT */
/* The published metrics of all CPUs, as metrics.awk makes them from NAME-metrics.csv. */
#include "backends/tables.h"

#include "backends/metric_tables.inc"
