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

static const CU_TestInfo tests[] = {{"retire latencies", latencies}, CU_TEST_INFO_NULL};
UNIT_SUITE("doctor's trials", tests);
