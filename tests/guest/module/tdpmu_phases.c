// SPDX-License-Identifier: GPL-2.0
/* The parameter phases=, and what the ordinary events count in a phase, so that
 * the formulas of backends/<family>.c give the shares that were set. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "tdpmu.h"

#define WHOLE TD_PMU_WHOLE
#define DEFAULT_MS 10

static void set_categories(u32 *rate, const u32 *w)
{
    rate[TDPMU_SLOTS] = WHOLE;
    rate[TDPMU_RETIRING] = w[0];
    rate[TDPMU_BAD_SPEC] = w[1];
    rate[TDPMU_FE_BOUND] = w[2];
    rate[TDPMU_BE_BOUND] = w[3];
    rate[TDPMU_HEAVY] = w[4];
    rate[TDPMU_MISPREDICTS] = w[5];
    rate[TDPMU_CLEARS] = w[1] - w[5];
    rate[TDPMU_FETCH_LAT] = w[6];
    rate[TDPMU_FETCH_BW] = w[2] - w[6];
    rate[TDPMU_MEM_BOUND] = w[7];
    rate[TDPMU_CORE_BOUND] = w[3] - w[7];
}

/* backends/intel/intel_generic.c, and level 2 of Ice Lake in backends/intel/intel_perf_metrics.c */
static void set_intel(u32 *rate, const u32 *w, u32 width)
{
    rate[TDPMU_CYCLES] = DIV_ROUND_CLOSEST(WHOLE, width);
    rate[TDPMU_REF_CYCLES] = rate[TDPMU_CYCLES] / 20;
    rate[TDPMU_FETCH_LAT_CYCLES] = DIV_ROUND_CLOSEST(w[6], width);
    rate[TDPMU_MEM_BOUND_CYCLES] = DIV_ROUND_CLOSEST(w[7], width);
    rate[TDPMU_ISSUED] = w[0] + w[1] / 2;
    rate[TDPMU_RECOVERY_CYCLES] = DIV_ROUND_CLOSEST(w[1] - w[1] / 2, width);
    rate[TDPMU_MACRO_FUSED] = w[0] / 8;
    rate[TDPMU_INSTRUCTIONS] = w[0] + w[0] / 8 - w[4];
    rate[TDPMU_MISPREDICT_COUNT] = w[5] / 4;
    rate[TDPMU_CLEAR_COUNT] = (w[1] - w[5]) / 4;
    rate[TDPMU_MS_UOPS] = w[0] ? (u64)w[4] * rate[TDPMU_ISSUED] / w[0] : 0;
    /* memory bound = backend bound * (mem + stores) / (total + one port + retiring * two ports + stores) */
    rate[TDPMU_STALLS_STORES] = rate[TDPMU_MEM_BOUND_CYCLES] / 4;
    rate[TDPMU_STALLS_MEM] = rate[TDPMU_MEM_BOUND_CYCLES] - rate[TDPMU_STALLS_STORES];
    rate[TDPMU_PORTS_1] = rate[TDPMU_PORTS_2] = (w[3] - w[7]) / width / 4;
    rate[TDPMU_STALLS_TOTAL] =
        w[3] / width - rate[TDPMU_PORTS_1] - rate[TDPMU_STALLS_STORES] - (u32)((u64)w[0] * rate[TDPMU_PORTS_2] / WHOLE);
}

/* backends/arm/arm_neoverse.c: a mispredict costs one of the frontend's stall slots
 * and three of the backend's; this is half of bad speculation. */
static void set_arm(u32 *rate, const u32 *w, const struct tdpmu_flavour *f)
{
    u32 extra = f->extra_cycles ? rate[TDPMU_CYCLES] : 0, count = w[1] / 2 / 4 / f->width, quarter = count * f->width;

    rate[TDPMU_ISSUED] = w[0] + w[1] - 4 * quarter;
    rate[TDPMU_MISPREDICT_COUNT] = count;
    rate[TDPMU_STALL_SLOT_FRONTEND] = w[2] + quarter + extra;
    rate[TDPMU_STALL_SLOT_BACKEND] = w[3] + 3 * quarter;
    rate[TDPMU_STALL_SLOT] = rate[TDPMU_STALL_SLOT_FRONTEND] + rate[TDPMU_STALL_SLOT_BACKEND];
}

/* The shares; their sum may be any number. */
static bool set_weights(u32 *w, const unsigned *share)
{
    u64 sum = 0;
    u32 last = WHOLE;

    for (unsigned i = 0; i < TD_PMU_LEVEL1; i++)
        sum += share[i];
    if (!sum || sum > WHOLE)
        return false;
    for (unsigned i = 0; i < TD_PMU_FIELDS; i++) {
        if (i >= TD_PMU_LEVEL1 && share[i] > share[i - TD_PMU_LEVEL1])
            return false;
        w[i] = (u32)DIV_ROUND_CLOSEST_ULL((u64)share[i] * WHOLE, (u32)sum);
    }
    for (unsigned i = 0; i < TD_PMU_LEVEL1 - 1; i++)
        last -= w[i];
    w[TD_PMU_LEVEL1 - 1] = last;
    w[7] = min(w[7], last);
    return true;
}

static bool parse_phase(char *text, struct td_pmu_phase *out)
{
    const struct tdpmu_flavour *f = tdpmu_flavour;
    unsigned share[TD_PMU_FIELDS] = {0}, ms = DEFAULT_MS, n = 0;
    char *rest = text, *number;

    strsep(&rest, "@");
    if (rest && (kstrtouint(rest, 10, &ms) || !ms || ms > 3600000))
        return false;
    while ((number = strsep(&text, ",")))
        if (n == TD_PMU_FIELDS || kstrtouint(number, 10, &share[n++]))
            return false;
    if (!set_weights(out->weight, share))
        return false;
    out->slots = (u64)ms * NSEC_PER_MSEC * TDPMU_CYCLES_PER_NS * f->width;
    set_categories(out->rate, out->weight);
    set_intel(out->rate, out->weight, f->width);
    if (f->type < 0)
        set_arm(out->rate, out->weight, f);
    return true;
}

int tdpmu_phases_parse(char *text, struct td_pmu_phase *out)
{
    char *phase;
    int n = 0;

    BUILD_BUG_ON((int)TDPMU_RATE_COUNT > (int)TD_PMU_RATES);
    while ((phase = strsep(&text, ";")))
        if (n == TDPMU_PHASES || !parse_phase(phase, &out[n++]))
            return -EINVAL;
    return n;
}
