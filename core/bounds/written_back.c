/* SPDX-License-Identifier: MIT */
#include "core/bounds/written_back.h"

#include <math.h>

/* A field's copy, and that of the slots counted with it; NULL: there is none. */
struct reg {
    const struct td_count *field, *slots;
};

static struct reg find_register(const struct td_use *use, size_t n, const struct td_counts *k, const struct td_uarch *u)
{
    struct reg r = {NULL, NULL};

    for (size_t i = 0; i < n; i++) {
        const struct td_count *c = use[i].copy < 0 ? NULL : &k->c[use[i].copy];

        if (!c || c->status != TD_OK)
            continue;
        if (u->events[use[i].event].field >= 0)
            r.field = c;
        else if (td_event_is_slots(&u->events[use[i].event]))
            r.slots = c;
    }
    return r;
}

/* The turns of the rotation, on one CPU, while the register held its current contents. */
static enum td_likely_why turns(const struct td_count *c, const struct td_taken *t, double *out)
{
    const struct td_likely_times times = td_taken_times(t, c);
    struct td_likely_windows w;
    enum td_likely_why why = td_likely_windows(&times, &w);

    *out = c->running > 0 ? w.seen * t->held_running / c->running : 0;
    return why;
}

enum td_likely_why td_restored_error(const struct td_use *use, size_t nuses, const struct td_counts *k,
                                     const struct td_uarch *u, bool switched, const struct td_taken *t, double *slots)
{
    const struct reg r = find_register(use, nuses, k, u);
    const bool rotated = r.field && r.field->running < r.field->enabled;
    enum td_likely_why why = TD_LIKELY_GIVEN;
    double restores = switched ? t->switches : 0, rotations = 0;

    *slots = 0;
    if (!r.field || (!switched && !rotated))
        return TD_LIKELY_GIVEN;
    if (!r.slots)
        return TD_LIKELY_NO_SWITCHES;
    if (rotated)
        why = turns(r.field, t, &rotations);
    return why == TD_LIKELY_GIVEN ? td_likely_restored(restores + rotations, t->held, r.slots->value, slots) : why;
}

double td_restored_cover(double error, double sum, double slots)
{
    /* With an error of e in each field, share(x, rest) goes from (x - e) / (sum + 2 e) to (x + e) / (sum - 2 e), as
     * rest has three errors and x takes one back; x / sum goes from (x - e) / (sum + 4 e) on. The true share is of the
     * slots, so that sum +- 2 e must reach them. */
    return fmax(error, fabs(slots - sum) / 2);
}
