/* SPDX-License-Identifier: MIT */
/* A row's events by name and by encoding, of a row made here. */
#include "core/uarch.h"
#include "tests/support/unit.h"

#include <string.h>

enum { CYCLES, ANY, KERNEL, LOADS, LATENCY, PLAIN, SLOTS, FRONTEND, EVENTS };

static const struct td_event events[EVENTS] = {
    [CYCLES] = {.name = "cycles", .config = 0x3c, .base = CYCLES},
    [ANY] = {.name = "cycles_any", .config = 0x20003c, .base = ANY},
    [KERNEL] = {.name = "cycles_any:k", .config = TD_CONFIG_NONE, .base = ANY, .modes = TD_MODE_KERNEL},
    [LOADS] = {.name = "LOADS", .config = 0x1b7, .other_config = 0x1bb, .config1 = 5, .base = LOADS},
    [LATENCY] = {.name = "LOADS:R", .config = TD_CONFIG_NONE, .kind = TD_EVENT_LATENCY, .base = LATENCY},
    [PLAIN] = {.name = "PLAIN:R", .config = 0x77, .base = PLAIN},
    [SLOTS] = {.name = "TOPDOWN.SLOTS", .config = 0x400, .base = SLOTS},
    [FRONTEND] = {.name = "FE", .config = 0x1c6, .config1 = 9, .base = FRONTEND},
};
static const struct td_uarch row = {.events = events, .nevents = EVENTS};
static const struct td_uarch without = {.events = events + LOADS, .nevents = 3};

static void by_name(void)
{
    for (int i = 0; i < EVENTS; i++)
        CU_ASSERT_EQUAL(td_uarch_event_number(&row, events[i].name), i);
    CU_ASSERT_EQUAL(td_uarch_event_number(&row, "CYCLES"), CYCLES);
    CU_ASSERT_EQUAL(td_uarch_event_number(&row, "loads:r"), LATENCY);
    CU_ASSERT_EQUAL(td_uarch_event_number(&row, "cycle"), -1);
    CU_ASSERT_EQUAL(td_uarch_event_number(&row, "cycles2"), -1);
    CU_ASSERT_EQUAL(td_uarch_event_number(&row, ""), -1);
    CU_ASSERT_EQUAL(td_uarch_event_find(&row, "LOADS:R", 5), LOADS);
    CU_ASSERT_EQUAL(td_uarch_event_find(&row, "cycles_any", 9), -1);
    CU_ASSERT_EQUAL(td_uarch_event_number(&without, "cycles"), -1);
}

/* The same of a row that has hashed names. */
static void by_hashed_name(void)
{
    const struct td_uarch *u = td_uarch_by_name("skl");

    CU_ASSERT_FATAL(u && u->names);
    for (size_t i = 0; i < u->nevents; i++)
        CU_ASSERT_EQUAL(td_uarch_event_number(u, u->events[i].name), (int)i);
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "uops_issued.any"), td_uarch_event_number(u, "UOPS_ISSUED.ANY"));
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "UOPS_ISSUED.AN"), -1);
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "UOPS_ISSUED.ANYX"), -1);
}

static void by_encoding(void)
{
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x3c, 0), CYCLES);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x20003c, 0), ANY);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x3c, 1), -1);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x3d, 0), -1);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x1b7, 5), LOADS);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x1bb, 5), LOADS);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x1bb, 0), -1);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0x1c6, 9), FRONTEND);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, 0, 9), -1); /* it has no second one */
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&row, TD_CONFIG_NONE, 0), -1);
}

/* What follows the last event is none of the row's, though it has the name of one. */
static void only_its_own(void)
{
    static const struct td_event twins[] = {
        {.name = "twin", .config = 1}, {.name = "twin", .config = 2}, {.name = "x"}};
    static const struct td_uarch one = {.events = twins, .nevents = 1}, two = {.events = twins, .nevents = 2};

    CU_ASSERT_EQUAL(td_uarch_event_by_config(&one, 1, 0), 0);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&one, 2, 0), -1);
    CU_ASSERT_EQUAL(td_uarch_event_by_config(&two, 2, 0), 0); /* by its name */
    CU_ASSERT_EQUAL(td_uarch_event_number(&two, "x"), -1);
}

static void kinds(void)
{
    CU_ASSERT_EQUAL(td_event_extra(&events[CYCLES]), TD_EXTRA_NONE);
    CU_ASSERT_EQUAL(td_event_extra(&events[LOADS]), TD_EXTRA_OFFCORE);
    CU_ASSERT_EQUAL(td_event_extra(&events[FRONTEND]), TD_EXTRA_FRONTEND);
    CU_ASSERT(td_event_is_slots(&events[SLOTS]) && !td_event_is_slots(&events[CYCLES]));
    CU_ASSERT_EQUAL(td_uarch_slots(&row), SLOTS);
    CU_ASSERT_EQUAL(td_uarch_slots(&without), -1);
    CU_ASSERT_EQUAL(td_uarch_latency_event(&row, LATENCY), LOADS);
    CU_ASSERT_EQUAL(td_uarch_latency_event(&row, PLAIN), -1);
    CU_ASSERT_EQUAL(td_uarch_latency_event(&row, LOADS), -1);
}

static void clocks(void)
{
    CU_ASSERT(td_uarch_is_clock(&row, &events[CYCLES]) && td_uarch_is_clock(&row, &events[ANY]));
    CU_ASSERT(!td_uarch_is_clock(&row, &events[LOADS]) && !td_uarch_is_clock(&row, &events[SLOTS]));
    CU_ASSERT(!td_uarch_is_clock(&without, &events[CYCLES]));
    CU_ASSERT(td_uarch_of_siblings(&row, &events[ANY]) && !td_uarch_of_siblings(&row, &events[CYCLES]));
    CU_ASSERT(td_uarch_of_siblings(&row, &events[KERNEL])); /* as the event that it is of */
    CU_ASSERT(!td_uarch_of_siblings(&row, &events[LATENCY])); /* no encoding */
}

static const CU_TestInfo tests[] = {
    {"by name", by_name},
    {"by hashed name", by_hashed_name},
    {"by encoding", by_encoding},
    {"only its own", only_its_own},
    {"kinds", kinds},
    {"clocks", clocks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("events of a row", tests);
