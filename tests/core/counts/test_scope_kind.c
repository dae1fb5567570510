/* SPDX-License-Identifier: MIT */
/* Each kind of scope: the name by which traces know it, and what the kernel and the cores do with its counters. */
#include "core/counts/scope_kind.h"

#include "tests/support/unit.h"

#include <string.h>

static void kinds(void)
{
    /* perf switches the counters of tasks and cgroups with them (perf_event_open(2)); all but a machine, a core, a
     * socket and a node may be one of the threads of a core; what runs in one place at a time is a CPU, a thread or a
     * region */
    static const struct {
        const char *name;
        enum td_scope_kind kind;
        bool switched, whole_core;
    } rows[] = {
        {"system", TD_KIND_SYSTEM, false, true},
        {"cpu", TD_KIND_CPU, false, false},
        {"core", TD_KIND_CORE, false, true},
        {"socket", TD_KIND_SOCKET, false, true},
        {"node", TD_KIND_NODE, false, true},
        {"thread", TD_KIND_THREAD, true, false},
        {"cgroup", TD_KIND_CGROUP, true, false},
        {"region", TD_KIND_REGION, false, false},
        {"function", TD_KIND_FUNCTION, false, false},
        {"dso", TD_KIND_DSO, false, false},
        {"comm", TD_KIND_COMM, false, false},
        {"stack", TD_KIND_STACK, false, false},
        {"line", TD_KIND_LINE, false, false},
        {"source", TD_KIND_SOURCE, false, false},
        {"instruction", TD_KIND_INSTRUCTION, false, false},
        {"address", TD_KIND_ADDRESS, false, false},
        {"command", TD_KIND_COMMAND, true, false},
        {"process", TD_KIND_PROCESS, true, false},
    };

    CU_ASSERT_EQUAL(sizeof(rows) / sizeof(*rows), TD_KINDS - 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_kind_named(rows[i].name), rows[i].kind);
        CU_ASSERT_STRING_EQUAL(td_kind_name(rows[i].kind), rows[i].name);
        CU_ASSERT_EQUAL(td_kind_switched(rows[i].kind), rows[i].switched);
        CU_ASSERT_EQUAL(td_kind_whole_core(rows[i].kind), rows[i].whole_core);
        /* counters of tasks, and of a region in one, stop where the task does */
        CU_ASSERT_EQUAL(td_kind_halts(rows[i].kind),
                        !rows[i].whole_core && !rows[i].switched && rows[i].kind != TD_KIND_REGION);
    }
    CU_ASSERT_EQUAL(td_kind_named("thread "), TD_KIND_NONE);
    CU_ASSERT_EQUAL(td_kind_named(""), TD_KIND_NONE);
    CU_ASSERT_PTR_NULL(td_kind_name(TD_KIND_NONE));
}

static const CU_TestInfo tests[] = {{"kinds", kinds}, CU_TEST_INFO_NULL};
UNIT_SUITE("scope kind", tests);
