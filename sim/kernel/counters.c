/* SPDX-License-Identifier: MIT */
#include "sim/kernel/counters.h"

uint64_t td_sim_fit_counters(const struct td_sim_pmu *p)
{
    return p ? p->counters | ((UINT64_C(1) << p->metrics) - 1) << TD_SIM_METRIC : 0;
}

/* Finds the event a counter, moving others where they also fit. Fixed counters
 * come first, as in perf_sched_find_counter() and armv8pmu_get_event_idx(). */
static bool find_counter(struct td_sim_fit *f, struct td_sim_event *e, uint64_t *tried)
{
    for (;;) {
        uint64_t left = e->mask & f->counters & ~*tried, unused = left & ~f->used,
                 fixed = unused >> TD_SIM_FIXED << TD_SIM_FIXED;
        unsigned i = (unsigned)__builtin_ctzll((fixed ? fixed : unused ? unused : left) | UINT64_C(1) << 63);

        if (!left)
            return false;
        *tried |= UINT64_C(1) << i;
        if (unused || find_counter(f, f->owner[i], tried)) {
            f->owner[i] = e;
            f->used |= UINT64_C(1) << i;
            return true;
        }
    }
}

/* Finds room in an extra register, which events that need the same value in it share
 * (__intel_shared_reg_get_constraints() in arch/x86/events/intel/core.c). */
static bool find_extra(struct td_sim_fit *f, const struct td_sim_event *e)
{
    static const unsigned most[TD_SIM_EXTRAS] = {[TD_SIM_FRONTEND] = 1, [TD_SIM_OFFCORE] = 2};

    for (unsigned i = 0; i < f->nextra[e->in]; i++)
        if (f->extra[e->in][i] == e->extra)
            return true;
    if (e->in == TD_SIM_NO_EXTRA)
        return true;
    if (f->nextra[e->in] == most[e->in])
        return false;
    f->extra[e->in][f->nextra[e->in]++] = e->extra;
    return true;
}

static bool fit_event(struct td_sim_fit *f, struct td_sim_event *e)
{
    uint64_t tried = 0;

    return e->kind == TD_SIM_SOFT || (find_extra(f, e) && find_counter(f, e, &tried));
}

bool td_sim_fit_group(struct td_sim_fit *f, struct td_sim_event *leader, struct td_sim_event *more, bool on)
{
    const struct td_sim_fit before = *f;
    bool good = true;

    for (struct td_sim_event *e = leader; good && e; e = e->sibling)
        if (!on || e->state >= TD_SIM_INACTIVE)
            good = fit_event(f, e);
    if (good && more)
        good = fit_event(f, more);
    if (!good)
        *f = before;
    return good;
}

size_t td_sim_group_pmu(const struct td_sim_event *leader)
{
    for (const struct td_sim_event *e = leader; e; e = e->sibling)
        if (e->kind != TD_SIM_SOFT)
            return e->pmu;
    return TD_SIM_NONE;
}
