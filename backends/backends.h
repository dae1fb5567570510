/* SPDX-License-Identifier: MIT */
/* The backends, for the array that orders them. */
#ifndef TD_BACKENDS_H
#define TD_BACKENDS_H

#include "core/uarch.h"

extern const struct td_backend td_intel_perf_metrics;
extern const struct td_backend td_intel_generic;
extern const struct td_backend td_intel_atom;
extern const struct td_backend td_arm_neoverse;
extern const struct td_backend td_amd_zen;

#endif
