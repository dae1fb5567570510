/* SPDX-License-Identifier: MIT */
#include "pmu.h"
int td_pmu_placeholder;
