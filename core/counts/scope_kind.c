/* SPDX-License-Identifier: MIT */
#include "core/counts/scope_kind.h"

#include <string.h>

static const struct {
    const char *name;
    bool switched, part_of_core;
} kinds[TD_KINDS] = {
    [TD_KIND_SYSTEM] = {"system", false, false},
    [TD_KIND_CPU] = {"cpu", false, true},
    [TD_KIND_CORE] = {"core", false, false},
    [TD_KIND_SOCKET] = {"socket", false, false},
    [TD_KIND_NODE] = {"node", false, false},
    [TD_KIND_THREAD] = {"thread", true, true},
    [TD_KIND_CGROUP] = {"cgroup", true, true},
    [TD_KIND_REGION] = {"region", false, true},
    [TD_KIND_FUNCTION] = {"function", false, true},
    [TD_KIND_DSO] = {"dso", false, true},
    [TD_KIND_COMM] = {"comm", false, true},
    [TD_KIND_STACK] = {"stack", false, true},
    [TD_KIND_LINE] = {"line", false, true},
    [TD_KIND_SOURCE] = {"source", false, true},
    [TD_KIND_INSTRUCTION] = {"instruction", false, true},
    [TD_KIND_COMMAND] = {"command", true, true},
    [TD_KIND_ADDRESS] = {"address", false, true},
    [TD_KIND_PROCESS] = {"process", true, true},
};

const char *td_kind_name(enum td_scope_kind kind)
{
    return kinds[kind].name;
}

enum td_scope_kind td_kind_named(const char *name)
{
    enum td_scope_kind kind = TD_KINDS;

    while (--kind > TD_KIND_NONE && strcmp(kinds[kind].name, name) != 0)
        ;
    return kind;
}

bool td_kind_switched(enum td_scope_kind kind)
{
    return kinds[kind].switched;
}

bool td_kind_one_cpu(enum td_scope_kind kind)
{
    return kind == TD_KIND_CPU || kind == TD_KIND_THREAD || kind == TD_KIND_COMMAND || kind == TD_KIND_REGION;
}

bool td_kind_halts(enum td_scope_kind kind)
{
    return kinds[kind].part_of_core && !kinds[kind].switched && kind != TD_KIND_REGION;
}

bool td_kind_whole_core(enum td_scope_kind kind)
{
    return !kinds[kind].part_of_core;
}

enum td_scope_kind td_kind_of_samples(enum td_samples_by by)
{
    static const enum td_scope_kind ways[] = {
        [TD_SAMPLES_BY_FUNCTION] = TD_KIND_FUNCTION, [TD_SAMPLES_BY_DSO] = TD_KIND_DSO,
        [TD_SAMPLES_BY_THREAD] = TD_KIND_THREAD,     [TD_SAMPLES_BY_COMM] = TD_KIND_COMM,
        [TD_SAMPLES_BY_CPU] = TD_KIND_CPU,           [TD_SAMPLES_BY_STACK] = TD_KIND_STACK,
        [TD_SAMPLES_BY_CGROUP] = TD_KIND_CGROUP,     [TD_SAMPLES_BY_LINE] = TD_KIND_LINE,
        [TD_SAMPLES_BY_SOURCE] = TD_KIND_SOURCE,     [TD_SAMPLES_BY_ADDRESS] = TD_KIND_ADDRESS,
    };

    return (size_t)by < sizeof(ways) / sizeof(*ways) ? ways[by] : TD_KIND_NONE;
}

const char *td_samples_by_name(enum td_samples_by by)
{
    return td_kind_name(td_kind_of_samples(by));
}

const char *td_symbols_name(enum td_symbols how)
{
    static const char *const names[] = {[TD_SYMBOLS_FOUND] = "found",
                                        [TD_SYMBOLS_NOT_ASKED] = "not_asked",
                                        [TD_SYMBOLS_NO_FILE] = "no_file",
                                        [TD_SYMBOLS_DENIED] = "denied",
                                        [TD_SYMBOLS_OTHER_BUILD] = "other_build",
                                        [TD_SYMBOLS_UNKNOWN_BUILD] = "unknown_build",
                                        [TD_SYMBOLS_NONE] = "no_symbols",
                                        [TD_SYMBOLS_OTHER_KERNEL] = "other_kernel",
                                        [TD_SYMBOLS_HIDDEN] = "hidden",
                                        [TD_SYMBOLS_NO_LINES] = "no_lines",
                                        [TD_SYMBOLS_NOT_BUILT] = "not_built",
                                        [TD_SYMBOLS_NO_SERVER] = "no_server",
                                        [TD_SYMBOLS_NO_MAP] = "no_map"};

    return (size_t)how < sizeof(names) / sizeof(*names) ? names[how] : NULL;
}
