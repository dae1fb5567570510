/* SPDX-License-Identifier: MIT */
#ifndef TD_PMU_H
#define TD_PMU_H
extern int td_pmu_placeholder;
#endif
