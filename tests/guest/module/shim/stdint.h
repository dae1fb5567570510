/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's own types for sim/machine/pmu.h, which includes <stdint.h>. */
#ifndef TDPMU_SHIM_STDINT_H
#define TDPMU_SHIM_STDINT_H

#include <linux/types.h>

#ifndef UINT64_C
#define UINT64_C(number) number##ULL
#endif

#endif
