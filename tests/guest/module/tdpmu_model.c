// SPDX-License-Identifier: GPL-2.0
/* The project's PMU model, unchanged: it uses only integers, and no C library. */
#include "../../../sim/machine/pmu.c"
