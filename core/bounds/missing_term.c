/* SPDX-License-Identifier: MIT */
#include "core/bounds/missing_term.h"

#include "core/bounds/likely.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What was counted at other times only: the program may have done twice as much of it meanwhile, or less more by as
 * many windows as it was seen in: each with the most that is usual in some of them, and none in the others, they give
 * the count with a relative deviation of sqrt(most / mean / windows), as in likely.c, and a busy window has twice the
 * mean. Of n events that were counted the mean may be greater by chance: 10 more than twice as many are above each mean
 * that leaves n or fewer a chance of 1 in 1,000 (Poisson: 6.9 of none, 9.2 of one, 24.1 of ten, 135 of a hundred). */
#define ELSEWHERE 2
#define ELSEWHERE_MORE 10
#define DEVIATIONS 2.2
#define BUSY 2

/* Where it was not counted. Recordings that people posted have 0.1 to 1 % of the slots in UOP_DROPPING.
 *
 * INT_MISC.CLEARS_COUNT has mispredicts as well as machine clears (perfmon, tma_info_bad_spec_spec_clears_ratio: "all
 * clears, covering mispredicts and nukes"). Code that does little else is the unsorted loop of Stack Overflow's
 * question 11227809, where every other of 3.28e9 branches is mispredicted: 11.54 s, at 3 GHz a mispredict in 21 cycles.
 * The pipeline of Sunny Cove has 14 to 19 stages (WikiChip) to be filled again after each: one in 20 cycles. Those of
 * Neoverse N2 and V1 have 10 and 11 (Arm; chipsandcheese.com 2023/08/18, AnandTech 16640): one in 12.5 cycles leaves
 * two. */
static const struct rare {
    const char *event;
    double of_slots, of_cycles; /* the most is this part of them */
    bool wastes; /* each wastes a slot */
} rare[] = {
    {"INT_MISC.UOP_DROPPING", 0.02, 0, false},
    {"INT_MISC.CLEARS_COUNT", 0, 0.05, false},
    {"BR_MIS_PRED", 0, 0.08, true},
};

static const struct rare *find_rare(const char *event)
{
    for (size_t i = 0; i < sizeof(rare) / sizeof(*rare); i++)
        if (!strcmp(event, rare[i].event))
            return &rare[i];
    return NULL;
}

/* The most that is usual of what was not counted. */
static double usual(const struct rare *r, const struct td_slots_passed *passed)
{
    return r && passed->slots > 0 && passed->width > 0 ? (r->of_slots + r->of_cycles / passed->width) * passed->slots
                                                       : HUGE_VAL;
}

static double most_elsewhere(const struct td_elsewhere *e, double usual)
{
    const double uneven = BUSY * fmax(1, usual / e->scaled);
    const double more =
        e->windows >= TD_LIKELY_WINDOWS_MIN && isfinite(uneven) ? DEVIATIONS * sqrt(uneven / e->windows) : HUGE_VAL;

    return fmin(ELSEWHERE, 1 + more) * e->scaled + ELSEWHERE_MORE * e->scale;
}

double td_missing_most(const char *event, const struct td_elsewhere *elsewhere, const struct td_slots_passed *passed)
{
    const struct rare *r = find_rare(event);
    const double most = usual(r, passed);

    if (elsewhere)
        return most_elsewhere(elsewhere, most);
    return r && r->wastes && passed->wasted >= 0 ? fmin(most, ELSEWHERE * passed->wasted) : most;
}
