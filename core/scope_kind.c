/* SPDX-License-Identifier: MIT */
#include "core/scope_kind.h"

#include "include/td_samples.h"

#include <string.h>

const char td_kind_system[] = "system", td_kind_cpu[] = "cpu", td_kind_core[] = "core", td_kind_socket[] = "socket",
           td_kind_node[] = "node", td_kind_thread[] = "thread", td_kind_cgroup[] = "cgroup", td_kind_region[] = "region",
           td_kind_function[] = "function", td_kind_dso[] = "dso", td_kind_comm[] = "comm", td_kind_stack[] = "stack",
           td_kind_line[] = "line", td_kind_source[] = "source", td_kind_instruction[] = "instruction";

static const struct {
    const char *name;
    bool switched, part_of_core;
} kinds[] = {
    {td_kind_system, false, false}, {td_kind_cpu, false, true},   {td_kind_core, false, false},  {td_kind_socket, false, false},
    {td_kind_node, false, false},   {td_kind_thread, true, true}, {td_kind_cgroup, true, true},  {td_kind_region, false, true},
    {td_kind_function, false, true}, {td_kind_dso, false, true},  {td_kind_comm, false, true},
    {td_kind_stack, false, true},    {td_kind_line, false, true},  {td_kind_source, false, true},
    {td_kind_instruction, false, true},
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t find(const char *name)
{
    size_t i = 0;

    while (i < KINDS && strcmp(kinds[i].name, name) != 0)
        i++;
    return i;
}

const char *td_kind_named(const char *name)
{
    size_t i = find(name);

    return i < KINDS ? kinds[i].name : NULL;
}

bool td_kind_switched(const char *name)
{
    size_t i = find(name);

    return i < KINDS && kinds[i].switched;
}

bool td_kind_one_cpu(const char *name)
{
    const size_t i = find(name);

    return i < KINDS && (kinds[i].name == td_kind_cpu || kinds[i].name == td_kind_thread || kinds[i].name == td_kind_region);
}

bool td_kind_whole_core(const char *name)
{
    size_t i = find(name);

    return i == KINDS || !kinds[i].part_of_core;
}

static const char *const ways[] = {
    [TD_SAMPLES_BY_FUNCTION] = td_kind_function, [TD_SAMPLES_BY_DSO] = td_kind_dso, [TD_SAMPLES_BY_THREAD] = td_kind_thread,
    [TD_SAMPLES_BY_COMM] = td_kind_comm, [TD_SAMPLES_BY_CPU] = td_kind_cpu, [TD_SAMPLES_BY_STACK] = td_kind_stack,
    [TD_SAMPLES_BY_CGROUP] = td_kind_cgroup, [TD_SAMPLES_BY_LINE] = td_kind_line, [TD_SAMPLES_BY_SOURCE] = td_kind_source,
};

const char *td_symbols_name(enum td_symbols how)
{
    static const char *const names[] = {[TD_SYMBOLS_FOUND] = "found", [TD_SYMBOLS_NOT_ASKED] = "not_asked", [TD_SYMBOLS_NO_FILE] = "no_file",
                                        [TD_SYMBOLS_DENIED] = "denied", [TD_SYMBOLS_OTHER_BUILD] = "other_build", [TD_SYMBOLS_UNKNOWN_BUILD] = "unknown_build",
                                        [TD_SYMBOLS_NONE] = "no_symbols", [TD_SYMBOLS_OTHER_KERNEL] = "other_kernel", [TD_SYMBOLS_HIDDEN] = "hidden",
                                        [TD_SYMBOLS_NO_LINES] = "no_lines", [TD_SYMBOLS_NOT_BUILT] = "not_built", [TD_SYMBOLS_NO_SERVER] = "no_server"};

    return (size_t)how < sizeof(names) / sizeof(*names) ? names[how] : NULL;
}

const char *td_samples_by_name(enum td_samples_by by)
{
    return (size_t)by < sizeof(ways) / sizeof(*ways) ? ways[by] : NULL;
}
