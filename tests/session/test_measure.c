/* SPDX-License-Identifier: MIT */
/* What a plan gives of each of a machine's PMUs, and nothing of others: that is no lack of memory. */
#include "private/plan.h"
#include "private/result.h"
#include "include/td_run.h"
#include "private/facts.h"
#include "session/session.h"
#include "tests/support/shipped_machine.h"
#include "tests/support/source.h"

#include <errno.h>

/* Alder Lake has the PMUs of its P-cores and of its E-cores. */
static void plans_of_pmus(void)
{
    static const enum td_plan_what all[] = {TD_PLAN_EVENTS, TD_PLAN_ENCODINGS, TD_PLAN_LATENCIES, TD_PLAN_TEXT};
    struct td *td = on_shipped_machine("alderlake");

    CU_ASSERT_FATAL(td != NULL);
    for (int planned = 0; planned < 2; planned++) {
        for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
            CU_ASSERT_EQUAL(td_plan(td, all[i], 0) != NULL, planned);
            CU_ASSERT_EQUAL(td_plan(td, all[i], 1) != NULL, planned);
            CU_ASSERT_PTR_NULL(td_plan(td, all[i], all[i] == TD_PLAN_TEXT ? 1000 : 2));
        }
        CU_ASSERT_STRING_EQUAL(td_error(td), "");
        CU_ASSERT_EQUAL(planned ? 0 : td_detect(td), 0);
        for (size_t i = 0; i < 2 && !planned; i++)
            CU_ASSERT_PTR_NULL(td_plan(td, TD_PLAN_EVENTS, i)); /* the machine is known, and nothing planned */
        CU_ASSERT_STRING_EQUAL(td_error(td), "");
        CU_ASSERT_EQUAL_FATAL(planned ? 0 : td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live)}), 0);
    }
    td_free(td);
}

/* Level 1 fits at once; of level 2 the E-cores have a group that is always counted and three that take turns, the
 * P-cores one. */
static void groups_of_plans(void)
{
    static const struct {
        int level;
        unsigned groups;
    } rows[] = {{1, 1}, {2, 4}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = on_shipped_machine("alderlake");

        CU_ASSERT_FATAL(td && !td_set_level(td, rows[i].level));
        CU_ASSERT_EQUAL(td_plan_groups(td), 0);
        CU_ASSERT_EQUAL(td_plan_descriptors(td), 0);
        CU_ASSERT_FALSE(td_plan_watchdog(td));
        CU_ASSERT_EQUAL(td_detect(td), 0);
        CU_ASSERT_EQUAL(td_plan_groups(td), 0);
        CU_ASSERT_EQUAL(td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live)}), 0);
        CU_ASSERT_EQUAL(td_plan_groups(td), rows[i].groups);
        td_free(td);
    }
}

/* Events are named anew for the groups that are asked for: of four that take turns, the first, or all. */
static void groups_of_events(void)
{
    struct td *td = on_shipped_machine("alderlake");
    char all[8192], first[8192];
    const char *events;

    CU_ASSERT_FATAL(td && !td_set_level(td, 2) && !td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live)}));
    CU_ASSERT_PTR_NULL(td_plan(td, (enum td_plan_what)99, 0));
    events = td_plan(td, TD_PLAN_EVENTS, 1);
    snprintf(all, sizeof(all), "%s", events ? events : "");
    td_set_group(td, 1);
    events = td_plan(td, TD_PLAN_EVENTS, 1);
    snprintf(first, sizeof(first), "%s", events ? events : "");
    CU_ASSERT(*first && strlen(first) < strlen(all));
    td_set_group(td, 0);
    CU_ASSERT_STRING_EQUAL(td_plan(td, TD_PLAN_EVENTS, 1), all);
    td_free(td);
}

/* What is enabled at once, and what only later. */
static void enabled(void)
{
    static const struct {
        bool disabled, on_exec, counts;
    } rows[] = {{false, false, true}, {true, false, false}, {false, true, false}, {true, true, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static const int cpu = 0;
        const struct td_live what = {
            .size = sizeof(what), .cpus = &cpu, .ncpus = 1, .disabled = rows[i].disabled, .on_exec = rows[i].on_exec};
        struct td *td = on_shipped_machine("skylake");
        struct td_run_event event = {.size = sizeof(event)};
        const struct td_result *r;
        bool counts = false;

        CU_ASSERT_EQUAL(td_enable(td, true), -EINVAL);
        CU_ASSERT_EQUAL(td_take(td), -EINVAL);
        CU_ASSERT_FATAL(!td_set_level(td, 1) && !td_open_live(td, &what));
        CU_ASSERT_EQUAL(td_run_wait(td, td_run_now(td) + 10000000, -1, &event), 0);
        CU_ASSERT_EQUAL(td_take(td), 0);
        if (!td_next(td, &r) && td_result_metrics(r))
            counts = td_result_metric(r, 0)->status == TD_OK;
        CU_ASSERT_EQUAL(counts, rows[i].counts);
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        CU_ASSERT_EQUAL(td_take(td), -EINVAL);
        CU_ASSERT_EQUAL(td_enable(td, true), -EINVAL);
        td_free(td);
    }
}

static ssize_t cannot_read(void *ctx, int fd, void *buf, size_t size)
{
    (void)ctx;
    (void)fd;
    (void)buf;
    (void)size;
    return -EIO;
}

/* A reading that fails is said, and nothing is recorded of it. */
static void failed(void)
{
    static const int cpu = 0;
    struct td *td = on_shipped_machine("skylake");
    struct td_os os = *td_session_os(td);

    td->os = &os;
    CU_ASSERT_FATAL(!td_set_level(td, 1) &&
                    !td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = &cpu, .ncpus = 1}));
    os.read = cannot_read;
    CU_ASSERT_EQUAL(td_take(td), -EIO);
    CU_ASSERT_STRING_NOT_EQUAL(td_error(td), "");
    td->os = NULL;
    td_free(td);
}

static void count_line(void *ctx, const char *line)
{
    *(unsigned *)ctx += *line != '\0';
}

/* What the machine is, once it was looked at; a handle that reads a recording has none. */
static void machines(void)
{
    struct source s = {"5,,cycles,1,100.00,,\n", 21, 4096, 0};
    struct td *td = on_shipped_machine("alderlake");
    unsigned facts = 0;

    CU_ASSERT_STRING_EQUAL(td_machine_name(td), "");
    CU_ASSERT_STRING_EQUAL(td_machine_origin(td), "");
    CU_ASSERT_EQUAL(td_facts(td, count_line, &facts), 0);
    CU_ASSERT(facts > 0);
    CU_ASSERT_STRING_EQUAL(td_machine_name(td), "adl");
    CU_ASSERT_STRING_EQUAL(td_machine_origin(td), "CPUID");
    td_free(td);
    td = td_new();
    facts = 0;
    CU_ASSERT_EQUAL(td_open(td, "f", source_read, &s), 0);
    CU_ASSERT_EQUAL(td_facts(td, count_line, &facts), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the handle reads a recording");
    CU_ASSERT_EQUAL(facts, 0);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"plans of PMUs", plans_of_pmus},
    {"groups of plans", groups_of_plans},
    {"groups of events", groups_of_events},
    {"what is enabled", enabled},
    {"a reading that fails", failed},
    {"machines", machines},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("measurements and plans", tests);
