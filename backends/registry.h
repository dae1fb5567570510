/* SPDX-License-Identifier: MIT */
/* The backends in order. */
#ifndef TD_REGISTRY_H
#define TD_REGISTRY_H

#include "core/uarch.h"

extern const struct td_backend *const td_backends[]; /* ended by NULL */

const struct td_backend *td_uarch_backend_of(const struct td_uarch *);

/* Those that the array orders. */
extern const struct td_backend td_intel_perf_metrics;
extern const struct td_backend td_intel_generic;
extern const struct td_backend td_intel_atom;
extern const struct td_backend td_arm_neoverse;
extern const struct td_backend td_amd_zen;

#endif
