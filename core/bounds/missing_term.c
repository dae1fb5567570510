/* SPDX-License-Identifier: MIT */
#include "core/bounds/missing_term.h"

#include <math.h>
#include <string.h>

/* What was counted at other times only: the program may have done more of it meanwhile. */
#define ELSEWHERE 2

/* Where it was not counted: recordings that people posted have 0.1 to 1 % of the slots in UOP_DROPPING. A mispredict or
 * a clear in every 50th cycle leaves a core little time between the 20 cycles or so that each of them takes. */
static const struct {
    const char *event;
    double of_slots, of_cycles; /* the most is this part of them */
} rare[] = {
    {"INT_MISC.UOP_DROPPING", 0.02, 0},
    {"INT_MISC.CLEARS_COUNT", 0, 0.02},
    {"BR_MIS_PRED", 0, 0.02},
};

double td_missing_most(const char *event, double elsewhere, double slots, double width)
{
    if (!isnan(elsewhere))
        return ELSEWHERE * elsewhere;
    for (size_t i = 0; i < sizeof(rare) / sizeof(*rare) && slots > 0 && width > 0; i++)
        if (!strcmp(event, rare[i].event))
            return (rare[i].of_slots + rare[i].of_cycles / width) * slots;
    return HUGE_VAL;
}
