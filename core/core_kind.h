/* SPDX-License-Identifier: MIT */
/* The kinds of core of a hybrid: 'P', 'E' and 'L' (low power); 0 on other CPUs, and
 * where a recording does not say. */
#ifndef TD_CORE_KIND_H
#define TD_CORE_KIND_H

#include <stddef.h>

enum { TD_CORES = 4 };

/* For arrays of TD_CORES: 0 for none, then P, E and L. */
size_t td_core_index(char core);
/* "", "P", "E" or "LP", as tdprobe-trace(5) writes it. */
const char *td_core_name(char core);
/* The kind of core that a PMU is of, by its name: cpu_core, cpu_atom, cpu_lowpower; 0: any other PMU. */
char td_core_of_pmu(const char *pmu);
/* The reverse: NULL for 0. */
const char *td_core_pmu(char core);

#endif
