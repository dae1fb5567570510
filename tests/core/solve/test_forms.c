/* SPDX-License-Identifier: MIT */
/* Forms serve every CPU that has the same formulas and events, and no other. */
#include "core/solve/forms.h"

#include "tests/support/unit.h"

static void serve(void)
{
    static const struct td_uarch own = {.name = "a"};
    static const struct td_form *const forms[1];
    static const struct td_event events[1];
    static const struct td_event_names names;
    static const struct td_tree tree;
    const struct td_uarch others[] = {
        {.forms = forms},
        {.events = events},
        {.nevents = 1},
        {.names = &names},
        {.tree = &tree},
        {.table = (const struct td_table *)(const void *)&tree},
        {.width = 6},
        {.core = 'P'},
        {.flags = TD_FLAG_WIDTH_ASSUMED},
        {.relations = (const struct td_relation *)(const void *)&tree},
    };
    const struct td_uarch same = {.name = "b", .aliases = "c", .title = "d", .alone = "e"};
    const struct td_forms f = {.uarch = &own};

    CU_ASSERT(td_forms_serve(&f, &own));
    CU_ASSERT(td_forms_serve(&f, &same));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        CU_ASSERT_FALSE(td_forms_serve(&f, &others[i]));
}

static const CU_TestInfo tests[] = {
    {"CPUs that are alike", serve},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("forms", tests);
