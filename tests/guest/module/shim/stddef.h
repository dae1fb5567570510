/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own types for sim/machine/pmu.h, which includes <stddef.h>. */
#ifndef TDPMU_SHIM_STDDEF_H
#define TDPMU_SHIM_STDDEF_H

#include <linux/types.h>
#include <linux/stddef.h>

#endif
