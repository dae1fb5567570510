/* SPDX-License-Identifier: MIT */
/* Descriptions of what would be opened: the events' codes and counters are those of Intel's lists of events
 * (github.com/intel/perfmon), which the machines' files have too. read_format 0xb is a group's with both times:
 * perf_event_open(2). */
#include "include/tdprobe.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is planned on a machine, whose lines are each in the text once, and no others. */
static void plans_by(const char *source, const char *machine, int level, struct td_live what, const char *const *wanted,
                     size_t n)
{
    struct td *td = on_shipped_machine(machine);
    size_t lines = 0;
    const char *line;

    CU_ASSERT_FATAL(!td_set_source(td, source) && !td_set_level(td, level));
    what.size = sizeof(what);
    CU_ASSERT_EQUAL_FATAL(td_plan_live(td, &what), 0);
    for (; (line = td_plan(td, TD_PLAN_TEXT, lines)); lines++) {
        size_t found = 0;

        for (size_t i = 0; i < n; i++)
            found += !strcmp(line, wanted[i]);
        CU_ASSERT_EQUAL(found, 1);
        if (found != 1)
            printf("\n    %s\n", line);
    }
    CU_ASSERT_EQUAL(lines, n);
    td_free(td);
}

static void plans(const char *machine, int level, struct td_live what, const char *const *wanted, size_t n)
{
    plans_by("perf", machine, level, what, wanted, n);
}

#define EVENT(name, type, rest, how) "    " name " type " type " config " rest " read_format 0xb " how
#define ALL "user and kernel"

/* Both kinds of core: P-cores by SLOTS and the register, E-cores by three programmable counters. */
static void hybrid(void)
{
    static const char *const wanted[] = {
        "machine: adl (CPU GenuineIntel-6-97-2, named by CPUID)",
        "adl-p: PMU cpu_core, type 4, CPUs 0-7: form glc-perf-metrics, level 1, 8 CPUs, all at the same time",
        "  group 0: 8 events, 1 of 8 programmable counters",
        EVENT("TOPDOWN.SLOTS                               ", "4", "0x400 counters fixed 3 leader disabled", ALL),
        EVENT("topdown-retiring                            ", "4", "0x8000 counters metrics", ALL),
        EVENT("topdown-bad-spec                            ", "4", "0x8100 counters metrics", ALL),
        EVENT("topdown-fe-bound                            ", "4", "0x8200 counters metrics", ALL),
        EVENT("topdown-be-bound                            ", "4", "0x8300 counters metrics", ALL),
        EVENT("CPU_CLK_UNHALTED.THREAD                     ", "4", "0x3c counters fixed 1", ALL),
        EVENT("INST_RETIRED.ANY                            ", "4", "0xc0 counters fixed 0", ALL),
        EVENT("INT_MISC.UOP_DROPPING                       ", "4", "0x10ad counters 0-7", ALL),
        "adl-e: PMU cpu_atom, type 8, CPUs 8-11: form gracemont, level 1, 4 CPUs, all at the same time",
        "  group 0: 5 events, 3 of 6 programmable counters",
        EVENT("CPU_CLK_UNHALTED.CORE                       ", "8", "0x3c counters fixed 1 leader disabled", ALL),
        EVENT("TOPDOWN_BE_BOUND.ALL                        ", "8", "0x74 counters 0-5", ALL),
        EVENT("TOPDOWN_FE_BOUND.ALL                        ", "8", "0x71 counters 0-5", ALL),
        EVENT("TOPDOWN_RETIRING.ALL                        ", "8", "0xc2 counters 0-5", ALL),
    };
    static const char *const both[] = {
        EVENT("INST_RETIRED.ANY                            ", "8", "0xc0 counters fixed 0", ALL),
    };
    const char *lines[sizeof(wanted) / sizeof(*wanted) + 1];

    memcpy(lines, wanted, sizeof(wanted));
    lines[sizeof(wanted) / sizeof(*wanted)] = both[0];
    plans("alderlake", 1, (struct td_live){.by = TD_BY_ALL}, lines, sizeof(lines) / sizeof(*lines));
}

/* Skylake's four programmable counters hold what level 1 needs of whole cores; one CPU has its sibling's cycles too. */
static void one_cpu(void)
{
    static const char *const wanted[] = {
        "machine: skl (CPU GenuineIntel-6-5E-3, named by CPUID)",
        "skl: PMU cpu, type 4, CPUs 0-7: form skl-thread-any, level 1, 8 CPUs, all at the same time",
        "  group 0: 6 events, 4 of 4 programmable counters",
        EVENT("CPU_CLK_UNHALTED.THREAD_ANY                 ", "4", "0x20003c counters fixed 1 leader disabled", "user"),
        EVENT("IDQ_UOPS_NOT_DELIVERED.CORE                 ", "4", "0x19c counters 0-3", "user"),
        EVENT("INST_RETIRED.ANY                            ", "4", "0xc0 counters fixed 0", "user"),
        EVENT("INT_MISC.RECOVERY_CYCLES_ANY                ", "4", "0x20010d counters 0-3", "user"),
        EVENT("UOPS_ISSUED.ANY                             ", "4", "0x10e counters 0-3", "user"),
        EVENT("UOPS_RETIRED.RETIRE_SLOTS                   ", "4", "0x2c2 counters 0-3", "user"),
    };

    plans("skylake", 1, (struct td_live){.by = TD_BY_ALL, .no_kernel = true}, wanted, sizeof(wanted) / sizeof(*wanted));
}

/* One thread of Ice Lake, which ordinary events count exactly: five of them on programmable counters. */
static void one_task(void)
{
    static const pid_t task = 701;
    static const char *const wanted[] = {
        "machine: icx (CPU GenuineIntel-6-6A-6, named by CPUID)",
        "icx: PMU cpu, type 4, CPUs 0-7: form icl-events, level 1, 1 task, all at the same time",
        "  ordinary events count tasks exactly; PERF_METRICS loses a part at each switch (--fixed uses it all the same)",
        "  group 0: 8 events, 5 of 8 programmable counters",
        EVENT("TOPDOWN.SLOTS                               ", "4", "0x400 counters fixed 3 leader disabled inherit",
              ALL),
        EVENT("CPU_CLK_UNHALTED.THREAD                     ", "4", "0x3c counters fixed 1 inherit", ALL),
        EVENT("IDQ_UOPS_NOT_DELIVERED.CORE                 ", "4", "0x19c counters 0-7 inherit", ALL),
        EVENT("INST_RETIRED.ANY                            ", "4", "0xc0 counters fixed 0 inherit", ALL),
        EVENT("INT_MISC.CLEARS_COUNT                       ", "4", "0x104010d counters 0-7 inherit", ALL),
        EVENT("INT_MISC.UOP_DROPPING                       ", "4", "0x100d counters 0-7 inherit", ALL),
        EVENT("TOPDOWN.BACKEND_BOUND_SLOTS                 ", "4", "0x2a4 counters 0-7 inherit", ALL),
        EVENT("UOPS_RETIRED.SLOTS                          ", "4", "0x2c2 counters 0-7 inherit", ALL),
    };

    plans("icelake", 1, (struct td_live){.tasks = &task, .ntasks = 1, .threads = true}, wanted,
          sizeof(wanted) / sizeof(*wanted));
}

/* The same CPU by registers (Intel SDM 4, IA32_PERFEVTSELx): the event's code and mask, USR, OS and EN, bits 16, 17 and
 * 22, edges and a counter mask of 1. Two programmable counters, fixed counter 3 and the register, bit 48, are on. */
static void registers(void)
{
    static const int cpu = 2;
    static const char *const wanted[] = {
        "machine: icx (CPU GenuineIntel-6-6A-6, named by CPUID)",
        "icx: CPUs 0-7: form icl-perf-metrics, level 1, on 1 CPU by registers, all at the same time",
        "    INT_MISC.CLEARS_COUNT                        programmable counter 1: EVTSEL 0x187 = 0x147010d",
        "    INT_MISC.UOP_DROPPING                        programmable counter 0: EVTSEL 0x186 = 0x43100d",
        "    TOPDOWN.SLOTS                                fixed counter 3 (0x30c)",
        "    topdown-bad-spec                             a field of PERF_METRICS (0x329)",
        "    topdown-be-bound                             a field of PERF_METRICS (0x329)",
        "    topdown-fe-bound                             a field of PERF_METRICS (0x329)",
        "    topdown-retiring                             a field of PERF_METRICS (0x329)",
        "    FIXED_CTR_CTRL 0x38d = 0x3000, GLOBAL_CTRL 0x38f = 0x1000800000003",
    };

    plans_by("msr", "icelake", 1, (struct td_live){.cpus = &cpu, .ncpus = 1}, wanted, sizeof(wanted) / sizeof(*wanted));
}

static const CU_TestInfo tests[] = {{"a hybrid", hybrid},
                                    {"user mode of Skylake", one_cpu},
                                    {"a task", one_task},
                                    {"registers", registers},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("descriptions of plans", tests);
