/* SPDX-License-Identifier: MIT */
/* The functions of a perf-PID.map, in which a JIT compiler names what it made: a line "START SIZE NAME" for each, both
 * in hexadecimal (Linux tools/perf/Documentation/jit-interface.txt). */
#ifndef TD_PERF_MAP_H
#define TD_PERF_MAP_H

#include "symbols/symbols.h"

#include <stdio.h>

/* Adds the functions by their addresses. What is no such line is left out. -ENOMEM. */
int td_perf_map_read(FILE *, struct td_symbol_list *);

#endif
