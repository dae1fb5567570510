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

/* A CPU, a thread and a region are in one place at a time, and a command is taken to be. */
static void one_cpu(void)
{
    for (enum td_scope_kind kind = TD_KIND_NONE; kind < TD_KINDS; kind++)
        CU_ASSERT_EQUAL(td_kind_one_cpu(kind), kind == TD_KIND_CPU || kind == TD_KIND_THREAD ||
                                                   kind == TD_KIND_REGION || kind == TD_KIND_COMMAND);
}

/* Each way to divide samples, by the name of the scopes that it gives. */
static void of_samples(void)
{
    static const struct {
        enum td_samples_by by;
        const char *name;
    } rows[] = {
        {TD_SAMPLES_BY_FUNCTION, "function"}, {TD_SAMPLES_BY_DSO, "dso"},       {TD_SAMPLES_BY_THREAD, "thread"},
        {TD_SAMPLES_BY_COMM, "comm"},         {TD_SAMPLES_BY_CPU, "cpu"},       {TD_SAMPLES_BY_LINE, "line"},
        {TD_SAMPLES_BY_SOURCE, "source"},     {TD_SAMPLES_BY_CGROUP, "cgroup"}, {TD_SAMPLES_BY_STACK, "stack"},
        {TD_SAMPLES_BY_ADDRESS, "address"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_STRING_EQUAL(td_samples_by_name(rows[i].by), rows[i].name);
        CU_ASSERT_EQUAL(td_kind_of_samples(rows[i].by), td_kind_named(rows[i].name));
    }
    CU_ASSERT_EQUAL(td_kind_of_samples((enum td_samples_by)(sizeof(rows) / sizeof(*rows))), TD_KIND_NONE);
    CU_ASSERT_PTR_NULL(td_samples_by_name((enum td_samples_by)(sizeof(rows) / sizeof(*rows))));
}

static void symbols(void)
{
    static const struct {
        enum td_symbols how;
        const char *name;
    } rows[] = {
        {TD_SYMBOLS_FOUND, "found"},
        {TD_SYMBOLS_NOT_ASKED, "not_asked"},
        {TD_SYMBOLS_NO_FILE, "no_file"},
        {TD_SYMBOLS_DENIED, "denied"},
        {TD_SYMBOLS_OTHER_BUILD, "other_build"},
        {TD_SYMBOLS_UNKNOWN_BUILD, "unknown_build"},
        {TD_SYMBOLS_NONE, "no_symbols"},
        {TD_SYMBOLS_OTHER_KERNEL, "other_kernel"},
        {TD_SYMBOLS_HIDDEN, "hidden"},
        {TD_SYMBOLS_NO_LINES, "no_lines"},
        {TD_SYMBOLS_NOT_BUILT, "not_built"},
        {TD_SYMBOLS_NO_SERVER, "no_server"},
        {TD_SYMBOLS_NO_MAP, "no_map"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        CU_ASSERT_STRING_EQUAL(td_symbols_name(rows[i].how), rows[i].name);
    CU_ASSERT_PTR_NULL(td_symbols_name((enum td_symbols)(sizeof(rows) / sizeof(*rows))));
}

static const CU_TestInfo tests[] = {
    {"kinds", kinds}, {"one CPU", one_cpu}, {"samples", of_samples}, {"symbols", symbols}, CU_TEST_INFO_NULL};
UNIT_SUITE("scope kind", tests);
