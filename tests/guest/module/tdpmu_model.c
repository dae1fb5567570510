// SPDX-License-Identifier: GPL-2.0
/* The project's PMU model, unchanged: integers only, and no C library. */
#include "../../../sim/machine/pmu.c"
