/* SPDX-License-Identifier: MIT */
#include "live/latency/latency_place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The latency of the event that the plan's metrics need, or -1. */
static int latency_of(const struct td_perf_pmu *p, size_t event)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);

    TD_BITS_EACH(l, &p->plan.latencies)
    if (td_uarch_latency_event(u, l) == (int)event)
        return (int)l;
    return -1;
}

static void find_in_groups(struct td_latency_kind *k, const struct td_perf_pmu *p)
{
    size_t at = 0;

    for (size_t g = 0; g < p->plan.ngroups; g++)
        for (size_t i = 0; i < p->plan.group[g].n; i++, at++) {
            const uint16_t event = p->plan.group[g].event[i];

            if (td_bits_has(&p->plan.sampled, event))
                k->event[k->n++] =
                    (struct td_latency_event){(uint16_t)latency_of(p, event), event, (uint16_t)g, (uint16_t)at};
        }
}

static bool joins(const struct td_perf_pmu *p, struct td_bits *group, size_t event)
{
    td_bits_add(group, event);
    if (td_plan_turn_fits(&p->plan, &p->host->counters, td_forms_uarch(p->forms), group))
        return true;
    td_bits_remove(group, event);
    return false;
}

/* Fills a group with events that have none yet. */
static void fill_group(struct td_latency_kind *k, const struct td_perf_pmu *p, uint16_t number, struct td_bits *group,
                       size_t *placed)
{
    td_bits_clear(group);
    for (size_t i = *placed; i < k->n; i++) {
        const struct td_latency_event e = k->event[i];

        if (!joins(p, group, e.event))
            continue;
        memmove(&k->event[*placed + 1], &k->event[*placed], (i - *placed) * sizeof(e));
        k->event[*placed] = e;
        k->event[(*placed)++].group = number;
    }
}

/* Whether the event fits a group of its own, beside one that stays. */
static bool fits_alone(const struct td_perf_pmu *p, struct td_bits *group, size_t event)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);

    td_bits_clear(group);
    td_bits_add(group, event);
    return td_fit_one(&p->host->counters, u, event) && td_plan_turn_fits(&p->plan, &p->host->counters, u, group);
}

static int find_beside(struct td_latency_kind *k, const struct td_perf_pmu *p)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);
    struct td_bits group;
    size_t placed = 0;

    if (td_bits_new(&group, u->nevents))
        return -ENOMEM;
    TD_BITS_EACH(e, &p->plan.sampled) /* what fits no group has no counter at all */
    if (!td_bits_has(&p->absent, e) && fits_alone(p, &group, e))
        k->event[k->n++] = (struct td_latency_event){.latency = (uint16_t)latency_of(p, e), .event = (uint16_t)e};
    for (size_t g = p->plan.ngroups; placed < k->n; g++)
        fill_group(k, p, (uint16_t)g, &group, &placed);
    td_bits_free(&group);
    return 0;
}

int td_latency_kind_make(struct td_latency_kind *k, const struct td_perf_pmu *p, bool beside)
{
    *k = (struct td_latency_kind){
        .event = calloc(td_perf_events(&p->plan) + td_bits_count(&p->plan.sampled) + 1, sizeof(*k->event)),
        .beside = beside};
    if (!k->event)
        return -ENOMEM;
    if (beside)
        return find_beside(k, p);
    find_in_groups(k, p);
    return 0;
}

void td_latency_kind_free(struct td_latency_kind *k)
{
    free(k->event);
    *k = (struct td_latency_kind){.n = 0};
}
