/* SPDX-License-Identifier: MIT */
/* Settings of a handle: what each takes, what it refuses, and what it leaves as it was then. */
#include "backends/registry.h"
#include "private/plan.h"
#include "session/session.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

static void levels(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    CU_ASSERT_EQUAL(td_set_level(td, TD_LEVEL_TOP - 1), -EINVAL);
    CU_ASSERT_EQUAL(td_set_level(td, TD_LEVELS + 1), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the level is 1 to 6");
    for (int level = TD_LEVEL_TOP; level <= TD_LEVELS; level++) {
        CU_ASSERT_EQUAL(td_set_level(td, level), 0);
        CU_ASSERT_EQUAL(td->settings.level, level);
    }
    CU_ASSERT_EQUAL(td_set_level(td, 0), -EINVAL);
    CU_ASSERT_EQUAL(td->settings.level, TD_LEVELS);
    td_unset_level(td);
    CU_ASSERT_EQUAL(td->settings.level, 0);
    td_free(td);
}

static void smt(void)
{
    static const struct {
        const char *text;
        int err;
        enum td_smt smt; /* afterwards */
    } rows[] = {
        {"on", 0, TD_SMT_ON},           {"On", -EINVAL, TD_SMT_ON},       {"off", 0, TD_SMT_OFF},
        {"", -EINVAL, TD_SMT_OFF},      {"unknown", -EINVAL, TD_SMT_OFF}, {"auto", 0, TD_SMT_UNKNOWN},
        {"o", -EINVAL, TD_SMT_UNKNOWN},
    };
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    CU_ASSERT_EQUAL(td->settings.smt, TD_SMT_UNKNOWN);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_set_smt(td, rows[i].text), rows[i].err);
        CU_ASSERT_EQUAL(td->settings.smt, rows[i].smt);
    }
    td->opened = true;
    CU_ASSERT_EQUAL(td_set_smt(td, "on"), -EINVAL);
    CU_ASSERT_EQUAL(td->settings.smt, TD_SMT_UNKNOWN);
    td->opened = false;
    td_free(td);
}

static void backends(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (size_t i = 0; td_backends[i]; i++) {
        CU_ASSERT_EQUAL(td_set_backend(td, td_backends[i]->name), 0);
        CU_ASSERT_PTR_EQUAL(td->settings.backend, td_backends[i]);
    }
    CU_ASSERT_EQUAL(td_set_backend(td, "auto"), 0);
    CU_ASSERT_PTR_NULL(td->settings.backend);
    CU_ASSERT_EQUAL(td_set_backend(td, "none such"), -EINVAL);
    CU_ASSERT_PTR_NULL(td->settings.backend);
    td_free(td);
}

/* The same numbers of groups that the API has; samples stay asked for. */
static void groups(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    td_set_group(td, 3);
    CU_ASSERT(td->settings.group == 3 && !td->settings.sampled);
    td_set_group(td, TD_GROUPS_SAMPLED);
    CU_ASSERT(td->settings.group == 0 && td->settings.sampled);
    td_set_group(td, 2);
    CU_ASSERT(td->settings.group == 2 && td->settings.sampled);
    td_free(td);
}

static void metrics(void)
{
    static const struct {
        const char *names;
        int err;
        const char *kept; /* afterwards */
    } rows[] = {
        {"retiring", 0, "retiring"},
        {"retiring,none_such", -EINVAL, "retiring"},
        {"none_such", -EINVAL, "retiring"},
        {"", -EINVAL, "retiring"},
        {",", -EINVAL, "retiring"},
        {"l3_bound,retiring_fastpath", 0, "l3_bound,retiring_fastpath"}, /* of two CPUs */
        {"TopdownL1", 0, "TopdownL1"},
        {NULL, 0, NULL},
    };
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_set_metrics(td, rows[i].names), rows[i].err);
        CU_ASSERT(rows[i].kept ? td->settings.metrics && !strcmp(td->settings.metrics, rows[i].kept)
                               : !td->settings.metrics);
    }
    td_free(td);
}

static void switches(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (int on = 1; on >= 0; on--) {
        td_set_fixed(td, on);
        CU_ASSERT(td->settings.fixed == on && td->settings.fixed_tasks == on);
        td_set_watchdog(td, on);
        CU_ASSERT_EQUAL(td->watchdog, on);
        td_set_intervals(td, on);
        CU_ASSERT_EQUAL(td->skip_intervals, !on);
    }
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"levels", levels},   {"SMT", smt},           {"backends", backends}, {"groups", groups},
    {"metrics", metrics}, {"switches", switches}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("settings", tests);
