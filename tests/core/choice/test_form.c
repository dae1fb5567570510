/* SPDX-License-Identifier: MIT */
/* Which form the recorded events select: each word of its condition, and all of them. */
#include "core/choice/form.h"

#include "tests/support/unit.h"

#include <stdio.h>

/* Skylake's, of which the text has names; any other name is of another CPU, and is left out of its word. */
static const char *const events[] = {"INST_RETIRED.ANY", "UOPS_ISSUED.ANY", "CPU_CLK_UNHALTED.THREAD"};

/* Whether the form applies where the events of these numbers were recorded. */
static bool applies(const char *when, const int *recorded, size_t n)
{
    const struct td_uarch *u = td_uarch_by_name("skl");
    const struct td_form form = {.name = "f", .when = when};
    struct td_formcode code;
    struct td_layout layout = {.n = 0};
    struct td_counts k = {.n = 0};
    bool does;

    for (size_t i = 0; i < n; i++)
        CU_ASSERT_FATAL(!td_counts_append(
            &k, &(struct td_count){.event = (uint16_t)td_uarch_event_number(u, events[recorded[i]])}));
    CU_ASSERT_FATAL(!td_form_init(&code, u, &form) && !td_layout_make(&layout, &k, u));
    does = td_form_applies(&code, &layout);
    td_form_free(&code);
    td_layout_free(&layout);
    td_counts_free(&k);
    return does;
}

static void conditions(void)
{
    static const struct {
        const char *when;
        bool none, first, second, both; /* of the first two events */
    } all[] = {
        {"", true, true, true, true},
        {"INST_RETIRED.ANY", false, true, false, true},
        {"!INST_RETIRED.ANY", true, false, true, false},
        {"INST_RETIRED.ANY UOPS_ISSUED.ANY", false, false, false, true},
        {"INST_RETIRED.ANY  !UOPS_ISSUED.ANY", false, true, false, false},
        {"!INST_RETIRED.ANY UOPS_ISSUED.ANY", false, false, true, false},
        {"INST_RETIRED.ANY/UOPS_ISSUED.ANY", false, true, true, true},
        {"UOPS_ISSUED.ANY/INST_RETIRED.ANY", false, true, true, true},
        {"!INST_RETIRED.ANY/UOPS_ISSUED.ANY", true, false, false, false},
        {"!UOPS_ISSUED.ANY/INST_RETIRED.ANY", true, false, false, false},
        {"NONE.SUCH/UOPS_ISSUED.ANY", false, false, true, true},
        {"UOPS_ISSUED.ANY/NONE.SUCH", false, false, true, true},
        {"NONE.SUCH/NONE.OTHER/UOPS_ISSUED.ANY", false, false, true, true},
        {"!NONE.SUCH/UOPS_ISSUED.ANY", true, true, false, false},
        {"NONE.SUCH", false, false, false, false},
        {"!NONE.SUCH", true, true, true, true},
        {"INST_RETIRED.AN", false, false, false, false},
        {"INST_RETIRED.ANY CPU_CLK_UNHALTED.THREAD", false, false, false, false},
        {"INST_RETIRED.ANY/CPU_CLK_UNHALTED.THREAD UOPS_ISSUED.ANY", false, false, false, true},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        CU_ASSERT_EQUAL(applies(all[i].when, NULL, 0), all[i].none);
        CU_ASSERT_EQUAL(applies(all[i].when, (const int[]){0}, 1), all[i].first);
        CU_ASSERT_EQUAL(applies(all[i].when, (const int[]){1}, 1), all[i].second);
        CU_ASSERT_EQUAL(applies(all[i].when, (const int[]){0, 1}, 2), all[i].both);
    }
}

/* Counts of other modes than the recording's do not select it. */
static void modes(void)
{
    const struct td_uarch *u = td_uarch_by_name("skl");
    const struct td_form form = {.name = "f", .when = "INST_RETIRED.ANY"};
    struct td_count c[] = {
        {.event = (uint16_t)td_uarch_event_number(u, "UOPS_ISSUED.ANY")},
        {.event = (uint16_t)td_uarch_event_number(u, "CPU_CLK_UNHALTED.THREAD")},
        {.event = (uint16_t)td_uarch_event_number(u, "INST_RETIRED.ANY"), .modes = TD_MODE_KERNEL},
    };
    struct td_formcode code;
    struct td_layout layout = {.n = 0};

    CU_ASSERT_FATAL(!td_form_init(&code, u, &form));
    CU_ASSERT_FATAL(!td_layout_make(&layout, &(struct td_counts){.c = c, .n = 3}, u));
    CU_ASSERT_FALSE(td_form_applies(&code, &layout));
    c[2].modes = 0;
    CU_ASSERT_FATAL(!td_layout_make(&layout, &(struct td_counts){.c = c, .n = 3}, u));
    CU_ASSERT(td_form_applies(&code, &layout));
    td_form_free(&code);
    td_layout_free(&layout);
}

/* Conditions that the form settles leave one of their branches to be compiled; SMT, where it is asked of each interval,
 * both. */
static void settled(void)
{
    static const struct {
        unsigned flags;
        const char *condition;
        bool first, second; /* whether the definition needs the event of the branch */
    } all[] = {
        {0, "SMT", false, true},
        {TD_FORM_SMT, "SMT", true, false},
        {TD_FORM_SMT_ASKED, "SMT", true, true},
        {TD_FORM_FIXED | TD_FORM_EBS, "SMT", false, true},
        {0, "EBS", false, true},
        {TD_FORM_EBS, "EBS", true, false},
        {TD_FORM_EBS | TD_FORM_SMT_ASKED, "EBS", true, false},
        {TD_FORM_SMT | TD_FORM_FIXED, "EBS", false, true},
        {0, "FIXED", false, true},
        {TD_FORM_FIXED, "FIXED", true, false},
        {TD_FORM_FIXED | TD_FORM_SMT_ASKED, "FIXED", true, false},
        {TD_FORM_SMT | TD_FORM_EBS, "FIXED", false, true},
    };
    const struct td_uarch *u = td_uarch_by_name("skl");

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        char text[128], why[128];
        const struct td_def defs[] = {{.name = "either", .expr = text}, {.name = NULL}};
        const struct td_form form = {.name = "f", .when = "", .flags = all[i].flags, .lists = {defs}};
        struct td_formcode code;
        const struct td_bits *needs;
        int def;

        snprintf(text, sizeof(text), "%s if %s else %s", events[0], all[i].condition, events[1]);
        CU_ASSERT_FATAL(!td_form_init(&code, u, &form) && !td_form_open(&code));
        def = td_program_find(code.p, "either");
        CU_ASSERT_FATAL(def >= 0 && !td_program_compile(code.p, (size_t)def, why, sizeof(why)));
        needs = td_program_needs(code.p, (size_t)def);
        CU_ASSERT_EQUAL(td_bits_has(needs, (size_t)td_uarch_event_number(u, events[0])), all[i].first);
        CU_ASSERT_EQUAL(td_bits_has(needs, (size_t)td_uarch_event_number(u, events[1])), all[i].second);
        td_form_free(&code);
    }
}

/* Whether each event is there once, all in one group: then there is nothing to choose from. */
static void once(void)
{
    static const struct {
        unsigned event[3], group[3];
        bool once;
    } all[] = {
        {{0, 1, 2}, {1, 1, 1}, true},  {{0, 1, 2}, {1, 1, 2}, false}, {{0, 1, 1}, {1, 1, 1}, false},
        {{0, 0, 1}, {1, 1, 1}, false}, {{7, 8, 9}, {3, 3, 3}, true},  {{7, 9, 9}, {3, 3, 3}, false},
    };
    const struct td_uarch *u = td_uarch_by_name("skl");
    struct td_layout layout = {.n = 0};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_count c[3] = {{.value = 0}};

        for (size_t k = 0; k < 3; k++) {
            c[k].event = (uint16_t)all[i].event[k];
            c[k].group = (uint16_t)all[i].group[k];
        }
        CU_ASSERT_FATAL(!td_layout_make(&layout, &(struct td_counts){.c = c, .n = 3}, u));
        CU_ASSERT_EQUAL(layout.once, all[i].once);
    }
    td_layout_free(&layout);
}

static const CU_TestInfo tests[] = {
    {"conditions", conditions},           {"modes", modes},  {"settled conditions", settled},
    {"events that are there once", once}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("form", tests);
