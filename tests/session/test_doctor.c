/* SPDX-License-Identifier: MIT */
/* What the doctor tries by handles of its own, on simulated machines: what can be sampled there. */
#include "session/session.h"
#include "tests/support/findings_text.h"
#include "tests/support/shipped_machine.h"

static const char *findings(const char *machine, const char *more)
{
    struct td *td = on_shipped_machine_with(machine, more);

    *text = '\0';
    CU_ASSERT_EQUAL(td_doctor(td, add, NULL), 0);
    td_free(td);
    return text;
}

static bool has(const char *line)
{
    return strstr(text, line) != NULL;
}

/* Latencies are found where a CPU's metrics need them, and where not, other notes are none of them. */
static void latencies(void)
{
    findings("graniterapids", "");
    CU_ASSERT(has("ok sampling: retire latencies: can be sampled (Linux 6.3 and later have them in samples)\n"));
    CU_ASSERT(has("ok sampling: record --functions: can take pairs of samples\n"));
    findings("graniterapids", "absent /sys/bus/event_source/devices/cpu/caps/max_precise\n");
    CU_ASSERT(has("note sampling: retire latencies are published means, not sampled: this PMU has no precise events"));
    findings("skylake", "");
    CU_ASSERT(!has("latenc") && !has("errata"));
    CU_ASSERT(
        has("ok sampling: record --functions: can take single samples, by the formulas' own cycles, single samples, "
            "not pairs: the counters do not hold two further events of cycles"));
}

/* What was opened for the trials, and how. */
static struct {
    const struct td_os *real;
    unsigned tasks, inherited; /* counters of other tasks; that children inherit */
} trials;

static int see_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    trials.tasks += pid > 0;
    trials.inherited += attr->inherit;
    return trials.real->perf_open(ctx, attr, pid, cpu, group, flags);
}

/* Tried with the calling thread alone, whose children inherit nothing of it. */
static void trials_of_this_thread(void)
{
    struct td *td = on_shipped_machine("graniterapids");
    struct td_os os = *td_session_os(td);

    trials.real = td_session_os(td);
    trials.tasks = trials.inherited = 0;
    os.perf_open = see_open;
    td->os = &os;
    *text = '\0';
    CU_ASSERT_EQUAL(td_doctor(td, add, NULL), 0);
    CU_ASSERT(trials.tasks == 0 && trials.inherited == 0);
#ifdef __x86_64__
    CU_ASSERT(has("ok source: rdpmc: usable by programs that measure themselves (td_regions(3))\n"));
#endif
    td_free(td);
}

/* Where whole CPUs may not be counted, a thread's own may. */
static void unprivileged(void)
{
    struct td *td = on_shipped_machine_with("graniterapids", "privileged no\n"
                                                             "file /proc/sys/kernel/perf_event_paranoid = 2\n");

    *text = '\0';
    (void)td_doctor(td, add, NULL);
    CU_ASSERT(has("ok sampling: retire latencies: can be sampled"));
    CU_ASSERT(has("ok sampling: record --functions: can take pairs of samples, user mode only"));
    td_free(td);
}

/* Where nothing can be measured, nothing more is tried, and the error is what the machine lacks. */
static void nothing_to_try(void)
{
    struct td *td = on_shipped_machine("guest-without-pmu");

    *text = '\0';
    CU_ASSERT(td_doctor(td, add, NULL) < 0);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the kernel shows no PMU of the cores");
    CU_ASSERT(has("OBSTACLE guest: the kernel shows no PMU of the cores -> "));
    CU_ASSERT(!has("rdpmc") && !has("sampling"));
    td_free(td);
}

/* Where the counters hold no group for samples, the notes of those that take turns are what is said; where regions
 * cannot be read, their error. */
static void turns(void)
{
    findings("knightslanding", "");
    CU_ASSERT(has("ok sampling: record --functions: can take single samples of 2 groups of events that take turns "
                  "(multiplexing): the counters do not hold them together, so that each is sampled for a part of the "
                  "time\n"));
#ifdef __x86_64__
    CU_ASSERT(has("note source: rdpmc: regions need all events of knl at the same time, and they do not fit the 2 "
                  "programmable counters of cpu"));
#endif
}

static const CU_TestInfo tests[] = {
    {"retire latencies", latencies},
    {"trials of this thread", trials_of_this_thread},
    {"without privileges", unprivileged},
    {"nothing to try", nothing_to_try},
    {"turns", turns},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("doctor's trials", tests);
