/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own types for sim/machine/pmu.h, which includes <stdbool.h>. */
#ifndef TDPMU_SHIM_STDBOOL_H
#define TDPMU_SHIM_STDBOOL_H

#include <linux/types.h>

#endif
