/* SPDX-License-Identifier: MIT */
/* Which events are sampled for a plan's retire latencies: of a made-up row on a PMU of two programmable counters. */
#include "live/latency/latency_place.h"
#include "tests/support/unit.h"

#include <stdlib.h>

enum { A, B, C, D, E, NOWHERE, ABSENT, A_R, B_R, C_R, D_R, E_R, NOWHERE_R, ABSENT_R, EVENTS };

#define EVENT(name_, counters_) \
    { \
        .name = (name_), .config = 0x11, .counters = (counters_), .counters_alone = (counters_), .field = -1 \
    }
#define LATENCY(name_) \
    { \
        .name = (name_), .config = TD_CONFIG_NONE, .counters = "", .counters_alone = "", .field = -1, \
        .kind = TD_EVENT_LATENCY \
    }

static const struct td_event events[EVENTS] = {
    [A] = EVENT("A", "0"),
    [B] = EVENT("B", "0"),
    [C] = EVENT("C", "0"),
    [D] = EVENT("D", "1"),
    [E] = EVENT("E", "0-1"),
    [NOWHERE] = EVENT("NOWHERE", "2"),
    [ABSENT] = EVENT("ABSENT", "1"),
    [A_R] = LATENCY("A:R"),
    [B_R] = LATENCY("B:R"),
    [C_R] = LATENCY("C:R"),
    [D_R] = LATENCY("D:R"),
    [E_R] = LATENCY("E:R"),
    [NOWHERE_R] = LATENCY("NOWHERE:R"),
    [ABSENT_R] = LATENCY("ABSENT:R"),
};
static const struct td_uarch row = {.name = "a-row", .events = events, .nevents = EVENTS};
static struct td_forms forms = {.uarch = &row};
static const struct td_host_pmu host = {.name = "cpu", .counters = {.general = 2}};

static uint64_t sampled, latencies, absent, able;
static uint16_t members[3][4];
static struct td_plan_group group[3];
static struct td_perf_pmu pmu;

static void plan(enum td_plan_first first, uint64_t events_sampled, size_t n, const size_t *sizes)
{
    sampled = events_sampled;
    latencies = sampled << A_R;
    absent = 1 << ABSENT;
    memset(group, 0, sizeof(group));
    for (size_t g = 0; g < n; g++)
        group[g] = (struct td_plan_group){.event = members[g], .n = sizes[g]};
    group[0].able = (struct td_bits){&able, 1};
    pmu = (struct td_perf_pmu){.host = &host, .forms = &forms, .absent = {&absent, 1}};
    pmu.plan = (struct td_plan){
        .first = first, .group = group, .ngroups = n, .sampled = {&sampled, 1}, .latencies = {&latencies, 1}};
}

static void makes(bool beside, size_t n, const struct td_latency_event *wanted)
{
    struct td_latency_kind k;

    CU_ASSERT_EQUAL_FATAL(td_latency_kind_make(&k, &pmu, beside), 0);
    CU_ASSERT_EQUAL_FATAL(k.n, n);
    CU_ASSERT_EQUAL(k.beside, beside);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT(k.event[i].latency == wanted[i].latency && k.event[i].event == wanted[i].event &&
                  k.event[i].group == wanted[i].group && k.event[i].at == wanted[i].at);
    td_latency_kind_free(&k);
    CU_ASSERT(!k.event && !k.n && !k.beside);
}

/* Of the plan's own groups each copy of an event is sampled. */
static void in_groups(void)
{
    static const struct td_latency_event wanted[] = {{D_R, D, 0, 1}, {A_R, A, 1, 2}, {D_R, D, 2, 4}};

    members[0][0] = B;
    members[0][1] = D;
    members[1][0] = A;
    members[2][0] = C;
    members[2][1] = D;
    plan(TD_FIRST_TAKES_TURNS, 1 << A | 1 << D, 3, (const size_t[]){2, 1, 2});
    makes(false, 3, wanted);
    plan(TD_FIRST_TAKES_TURNS, 1 << E, 3, (const size_t[]){2, 1, 2});
    makes(false, 0, NULL);
}

/* Beside the plan groups are filled one after another, and their numbers follow those of the plan. A, B and C need the
 * same counter, D the other one; what no counter holds, and what the kernel does not offer, is left out. */
static void beside(void)
{
    static const struct td_latency_event all[] = {{A_R, A, 2, 0},
                                                  {D_R, D, 2, 0},
                                                  {B_R, B, 3, 0},
                                                  {E_R, E, 3, 0},
                                                  {C_R, C, 4, 0}},
                                         rest[] = {{D_R, D, 1, 0}, {E_R, E, 2, 0}}, one[] = {{C_R, C, 0, 0}};

    plan(TD_FIRST_TAKES_TURNS, 1 << A | 1 << B | 1 << C | 1 << D | 1 << E | 1 << NOWHERE | 1 << ABSENT, 2,
         (const size_t[]){0, 0});
    makes(true, 5, all);
    able = 1 << A; /* of a first group that stays, so that only the other counter is left */
    plan(TD_FIRST_STAYS, 1 << B | 1 << D | 1 << E, 1, (const size_t[]){0});
    makes(true, 2, rest);
    plan(TD_FIRST_TAKES_TURNS, 1 << C, 0, NULL);
    makes(true, 1, one);
    plan(TD_FIRST_TAKES_TURNS, 0, 1, (const size_t[]){0});
    makes(true, 0, NULL);
}

static const CU_TestInfo tests[] = {
    {"in the plan's groups", in_groups},
    {"beside the plan", beside},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("kinds of latencies", tests);
