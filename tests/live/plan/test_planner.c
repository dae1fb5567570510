/* SPDX-License-Identifier: MIT */
/* Steps of planning groups, on a made-up row whose first event is SLOTS. */
#include "live/plan/planner.h"
#include "tests/support/unit.h"

enum { SLOTS, F0, F1, A, B, EVENTS };

static const struct td_event events[EVENTS] = {
    [SLOTS] = {"TOPDOWN.SLOTS", 0x400, "fixed 3", "fixed 3", -1, 1, 1, true, .config1 = 0},
    [F0] = {"f0", 0x8000, "", "", 0, 1, 1, true, .config1 = 0},
    [F1] = {"f1", 0x8100, "", "", 1, 1, 1, true, .config1 = 0},
    [A] = {"a", 0x11, "0", "0", -1, 1, 1, true, .config1 = 0},
    [B] = {"b", 0x12, "0-1", "0-1", -1, 1, 1, true, .config1 = 0},
};
static const struct td_uarch row = {.name = "a-row", .events = events, .nevents = EVENTS};

#define BITS(word) \
    { \
        &(word), 1 \
    }

/* Where the metrics register stays, with any of its fields, what others want of it goes to the first group. */
static void stays(void)
{
    static const struct {
        uint64_t stay, set, moved;
    } rows[] = {
        {1 << F1, 1 << SLOTS | 1 << F0 | 1 << F1 | 1 << A, 1 << SLOTS | 1 << F0 | 1 << F1},
        {1 << F0, 1 << SLOTS | 1 << F0 | 1 << F1 | 1 << A, 1 << SLOTS | 1 << F0 | 1 << F1},
        {1 << F0 | 1 << A, 1 << F0 | 1 << A | 1 << B, 1 << F0},
        {1 << A | 1 << SLOTS, 1 << SLOTS | 1 << F0 | 1 << A, 0}, /* none of its fields stays */
        {0, 1 << F1, 0},
        {1 << F1, 1 << A | 1 << B, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t stay = rows[i].stay, set = rows[i].set, first = 1 << B;
        struct td_plan_group group = {.set = BITS(first)};
        struct td_plan plan = {.group = &group, .ngroups = 1};
        struct td_planner p = {.u = &row, .plan = &plan, .stay = BITS(stay)};
        struct td_bits wanted = BITS(set);

        td_planner_take_stay(&p, &wanted);
        CU_ASSERT_EQUAL(first, 1 << B | rows[i].moved);
        CU_ASSERT_EQUAL(set, rows[i].set & ~rows[i].moved);
    }
}

/* SLOTS leads the fields, whichever there are. */
static void leads(void)
{
    static const struct {
        uint64_t set, added;
    } rows[] = {{1 << F0, 1 << SLOTS}, {1 << F1 | 1 << A, 1 << SLOTS}, {1 << A | 1 << B, 0}, {0, 0}};
    const struct td_plan_ask ask = {.sampled = false};
    const struct td_planner p = {.u = &row, .ask = &ask};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t set = rows[i].set;
        struct td_bits wanted = BITS(set);

        td_planner_lead(&p, &wanted);
        CU_ASSERT_EQUAL(set, rows[i].set | rows[i].added);
    }
}

/* The group that shares most with a set and still holds it; the first one only where that takes no further counter. */
static void group_for(void)
{
    static const struct {
        enum td_plan_first first;
        uint64_t groups[3], set;
        int found; /* the group's number; -1: none */
    } rows[] = {
        {TD_FIRST_TAKES_TURNS, {1 << A, 1 << B, 1 << A | 1 << B}, 1 << A | 1 << B, 2},
        {TD_FIRST_TAKES_TURNS, {1 << A | 1 << B, 1 << B, 1 << A}, 1 << A | 1 << B, 0},
        {TD_FIRST_TAKES_TURNS, {1 << A, 1 << A, 1 << A}, 1 << B, 1}, /* of equals the first, after that one */
        {TD_FIRST_TAKES_TURNS, {1 << F0 | 1 << SLOTS, 1 << A, 0}, 1 << F0, 0},
        {TD_FIRST_STAYS, {1 << A | 1 << B, 0, 0}, 1 << A, 0}, /* it has all of it */
        {TD_FIRST_STAYS, {1 << B, 1 << B, 0}, 1 << B | 1 << F0, 1},
        {TD_FIRST_STAYS, {1 << B, 1 << A, 1 << A}, 1 << B, 0},
        {TD_FIRST_STAYS,
         {1 << B, 1 << A, 1 << A},
         1 << B | 1 << F0,
         -1}, /* beside it one counter is left, which has a */
        {TD_FIRST_STAYS, {1 << B, 0, 1 << A}, 1 << A, 2},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_plan_ask ask = {.counters = {.general = 2, .fields = 4}};
        uint64_t words[3] = {rows[i].groups[0], rows[i].groups[1], rows[i].groups[2]}, set = rows[i].set, none = 0,
                 stay = words[0] & ~(uint64_t)(1 << F0), able = 0, joined = 0;
        struct td_plan_group group[3] = {{.set = BITS(words[0])}, {.set = BITS(words[1])}, {.set = BITS(words[2])}};
        struct td_plan plan = {.group = group, .ngroups = 3, .first = rows[i].first, .impossible = BITS(none)};
        struct td_planner p = {
            .u = &row, .ask = &ask, .plan = &plan, .stay = BITS(stay), .able = BITS(able), .joined = BITS(joined)};
        const struct td_bits wanted = BITS(set);
        const struct td_plan_group *g = td_planner_group_for(&p, &wanted);

        if (g != (rows[i].found < 0 ? NULL : &group[rows[i].found]))
            printf("\n    case %zu: %d", i, g ? (int)(g - group) : -1);
        CU_ASSERT_PTR_EQUAL(g, rows[i].found < 0 ? NULL : &group[rows[i].found]);
    }
}

static const CU_TestInfo tests[] = {
    {"what stays", stays}, {"what leads", leads}, {"a set's group", group_for}, CU_TEST_INFO_NULL};
UNIT_SUITE("steps of plans", tests);
