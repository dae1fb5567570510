/* SPDX-License-Identifier: MIT */
/* What a meter says of the plans of all its PMUs together. */
#include "live/meter.h"
#include "tests/support/unit.h"

#include <stdlib.h>

/* How many turns groups take, of up to three PMUs: 0 groups, where all are counted together, are one turn. */
static void turns(void)
{
    static const struct {
        size_t pmus;
        unsigned groups[3];
        bool together[3];
        unsigned turns;
    } rows[] = {
        {0, {5}, {false}, 0},         {1, {1}, {false}, 1},
        {1, {3}, {false}, 3},         {1, {3}, {true}, 1},
        {2, {1, 3}, {false}, 3},      {2, {3, 1}, {false}, 3},
        {2, {3, 3}, {true, true}, 1}, {2, {4, 3}, {true, false}, 3},
        {2, {1, 3, 5}, {false}, 3}, /* the third is none of its PMUs */
        {3, {1, 3, 5}, {false}, 5},   {3, {1, 3, 0}, {false, false, true}, 3},
    };
    struct td_meter *m = calloc(1, sizeof(*m));

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        m->npmus = rows[i].pmus;
        for (size_t p = 0; p < 3; p++) {
            m->pmu[p].plan.ngroups = rows[i].groups[p];
            m->pmu[p].plan.together = rows[i].together[p];
        }
        CU_ASSERT_EQUAL(td_meter_turns(m), rows[i].turns);
    }
    free(m);
}

static const CU_TestInfo tests[] = {{"turns of groups", turns}, CU_TEST_INFO_NULL};
UNIT_SUITE("meter", tests);
