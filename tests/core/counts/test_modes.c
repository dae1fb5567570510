/* SPDX-License-Identifier: MIT */
/* A modifier is part of an event's identity: "name:k" is not "name". What a metric does not name changes no bit of it:
 * by hand, and for all that is published for every CPU, with every event recorded in every mode, twice, beside itself.
 */
#include "backends/find_identity.h"
#include "core/choice/copies.h"
#include "core/counts/scope_kind.h"
#include "tests/support/any_counts.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

static const struct td_solve_ask everything = {
    .level = TD_LEVELS,
    .names = "all",
    .fixed = true,
    .smt_off = true,
    .whole_core = true,
    .one_cpu = true,
    .duration = {1, 1, 1},
    .cpus = 1,
    .hints = &hints,
};

#define PLAIN "CPU_CLK_UNHALTED.THREAD=4000@1 INST_RETIRED.ANY=8000@1 "
#define KERNEL "CPU_CLK_UNHALTED.THREAD=1000@1m2 INST_RETIRED.ANY=500@1m2 "
#define USER "CPU_CLK_UNHALTED.THREAD=3000@1m1 INST_RETIRED.ANY=7500@1m1 "
#define LEVEL1 \
    "UOPS_RETIRED.RETIRE_SLOTS=7000@1 IDQ_UOPS_NOT_DELIVERED.CORE=3000@1 UOPS_ISSUED.ANY=7500@1 INT_MISC.RECOVERY_CYCLES=100@1 "

static void solve_all(const char *text)
{
    ask = everything;
    solve("skl", text);
    ask = usual;
}

/* 1000 of 4000 cycles are the kernel's, in which it retires 500 of 8000 instructions; wherever its lines are. */
static void beside_the_kernel(void)
{
    static const char *const texts[] = {KERNEL PLAIN LEVEL1, PLAIN KERNEL LEVEL1, LEVEL1 PLAIN KERNEL,
                                        USER KERNEL PLAIN LEVEL1};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        solve_all(texts[i]);
        GIVES("info_thread_clks", 4000);
        GIVES("info_thread_ipc", 2);
        GIVES("info_thread_cpi", 0.5);
        GIVES("info_thread_slots", 16000);
        GIVES("info_inst_mix_instructions", 8000);
        GIVES("info_system_kernel_utilization", 0.25);
        GIVES("info_system_kernel_cpi", 2);
        GIVES("retiring", 7000.0 / 16000);
    }
}

/* An interrupt's return, and the like: a branch that user mode retires. */
static void far_branches(void)
{
    solve_all(PLAIN "BR_INST_RETIRED.FAR_BRANCH=100@1m1 " USER
                    "BR_INST_RETIRED.FAR_BRANCH=900@1 BR_INST_RETIRED.FAR_BRANCH=50@1m2");
    GIVES("info_system_ipfarbranch", 80);
}

/* Where only the kernel's part of an event was recorded, the event is missing, and metrics that ask for the kernel's
 * part are not. */
static void only_the_kernels(void)
{
    solve_all(LEVEL1 KERNEL);
    ABSENT("info_thread_clks", TD_MISSING_EVENT, "CPU_CLK_UNHALTED.THREAD");
    ABSENT("info_inst_mix_instructions", TD_MISSING_EVENT, "INST_RETIRED.ANY");
    ABSENT("info_system_kernel_utilization", TD_MISSING_EVENT, "CPU_CLK_UNHALTED.THREAD");
    GIVES("info_system_kernel_cpi", 2);
    solve_all("CPU_CLK_UNHALTED.THREAD=4000@1 " KERNEL);
    GIVES("info_thread_clks", 4000);
    GIVES("info_system_kernel_utilization", 0.25);
    ABSENT("info_thread_ipc", TD_MISSING_EVENT, "INST_RETIRED.ANY");
}

#define OF_USER \
    "UOPS_RETIRED.RETIRE_SLOTS=7000@1m1 IDQ_UOPS_NOT_DELIVERED.CORE=3000@1m1 UOPS_ISSUED.ANY=7500@1m1 INT_MISC.RECOVERY_CYCLES=100@1m1 "

/* A recording of user mode is one of user mode, whatever little of the kernel's is beside it; all modes count where
 * nothing else is. */
static void of_one_mode(void)
{
    static const char *const texts[] = {OF_USER USER, OF_USER USER KERNEL, KERNEL OF_USER USER,
                                        OF_USER USER "UOPS_ISSUED.ANY=1@1"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        solve_all(texts[i]);
        GIVES("info_thread_clks", 3000);
        GIVES("info_thread_ipc", 2.5);
        GIVES("retiring", 7000.0 / 12000);
        check(metric("info_system_kernel_utilization")->status == TD_MISSING_EVENT, "kernel_utilization", __LINE__);
    }
    solve_all(KERNEL); /* all of it is the kernel's */
    GIVES("info_thread_ipc", 0.5);
    check(metric("info_system_kernel_utilization")->status == TD_MISSING_EVENT, "kernel_utilization", __LINE__);
    solve_all(USER KERNEL); /* neither is more than the other */
    GIVES("info_thread_ipc", 2.5);
    solve_all(OF_USER PLAIN); /* what was recorded in all modes is by its name */
    GIVES("info_thread_ipc", 2);
    solve_all(OF_USER USER PLAIN); /* as many of a metric's events in both: it is of the recording's modes */
    GIVES("info_thread_ipc", 2.5);
    solve_all(OF_USER "INST_RETIRED.ANY=7500@1m1 " PLAIN); /* more of them in all modes */
    GIVES("info_thread_ipc", 2);
}

/* Other modifiers do not select another formula: here that for two threads of a core. */
static void the_formula(void)
{
    char name[64];

    solve_all(PLAIN LEVEL1);
    snprintf(name, sizeof(name), "%s", r.formula);
    solve_all(PLAIN LEVEL1 "CPU_CLK_UNHALTED.THREAD_ANY=6000@1m2 INT_MISC.RECOVERY_CYCLES_ANY=100@1m2");
    FORMULA(name);
    solve_all(PLAIN LEVEL1 "CPU_CLK_UNHALTED.THREAD_ANY=6000@1 INT_MISC.RECOVERY_CYCLES_ANY=100@1");
    check(strcmp(r.formula, name) != 0, "another formula", __LINE__);
}

static void speed(void)
{
    solve_all(KERNEL PLAIN);
    r.at.scope_kind = TD_KIND_SYSTEM;
    CU_ASSERT(is(td_result_ipc(&r), 2));
}

/* ---- all CPUs ------------------------------------------------------------------------ */

/* What is recorded beside each event. */
struct beside {
    const char *what;
    uint8_t modes[4]; /* ended by 0 */
    bool first, apart; /* before it; in a group of its own */
};

static bool is_own(const struct td_uarch *u, size_t event, unsigned modes)
{
    for (size_t e = 0; e < u->nevents; e++)
        if (u->events[e].base == event && u->events[e].modes == modes)
            return true;
    return false;
}

static void put(size_t event, unsigned modes, double value, unsigned group)
{
    const struct td_count c = {.event = (uint16_t)event,
                               .modes = (uint8_t)modes,
                               .value = value,
                               .enabled = 1e9,
                               .running = 1e9,
                               .group = (uint16_t)group};

    CU_ASSERT_EQUAL_FATAL(td_counts_append(&counts, &c), 0);
}

static void put_beside(const struct td_uarch *u, size_t event, const struct beside *b)
{
    for (size_t m = 0; m < 4 && b->modes[m]; m++)
        if (!is_own(u, event, b->modes[m]))
            put(event, b->modes[m], (double)(7919 * (event + 1) + m), b->apart);
}

/* Each event once, in the modes that the recording is of, and what the row counts in one mode, if its metrics are to be
 * told apart. */
static void put_all(const struct td_uarch *u, unsigned modes, const struct beside *b)
{
    counts.n = 0;
    for (size_t e = 0; e < u->nevents; e++) {
        const struct td_event *event = &u->events[e];

        if (event->kind != TD_EVENT_COUNT)
            continue;
        if (event->modes) {
            put(event->base, event->modes, (double)(31 * e + 5), 0);
            continue;
        }
        if (b->first)
            put_beside(u, e, b);
        put(e, modes, td_event_is_slots(event) ? 1e6 : 1000 + (double)(e * e % 9973), 0);
        if (!b->first)
            put_beside(u, e, b);
    }
}

static bool same_bits(double a, double b)
{
    return !memcmp(&a, &b, sizeof(a));
}

static bool same(const struct td_metric *a, const struct td_metric *b)
{
    return a->status == b->status && a->flags == b->flags && a->bounds == b->bounds && a->event == b->event &&
           same_bits(a->value, b->value) && same_bits(a->low, b->low) && same_bits(a->high, b->high) &&
           same_bits(a->raw, b->raw);
}

static size_t compared, known;

static void try_beside(const struct td_uarch *u, unsigned modes, const struct beside *b)
{
    static const struct beside nothing;
    struct td_result other = {0};

    put_all(u, modes, &nothing);
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &everything, &r), 0);
    put_all(u, modes, b);
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &everything, &other), 0);
    CU_ASSERT_EQUAL_FATAL(r.nmetrics, other.nmetrics);
    for (size_t m = 0; m < r.nmetrics; m++) {
        compared++;
        known += r.metrics[m].status == TD_OK;
        if (!same(&r.metrics[m], &other.metrics[m]))
            printf("\n    %s %s: %g, with %s beside %g", u->name, r.metrics[m].name, r.metrics[m].value, b->what,
                   other.metrics[m].value);
        CU_ASSERT(same(&r.metrics[m], &other.metrics[m]));
    }
    td_result_free(&other);
}

static void try_row(const struct td_uarch *u)
{
    static const struct beside beside_all[] = {
        {"the kernel's", {TD_MODE_KERNEL}, false, false},
        {"the kernel's first", {TD_MODE_KERNEL}, true, false},
        {"the kernel's, apart", {TD_MODE_KERNEL}, true, true},
        {"the user's", {TD_MODE_USER}, true, false},
        {"two of each", {TD_MODE_USER, TD_MODE_USER, TD_MODE_KERNEL, TD_MODE_KERNEL}, true, false},
        {"the guest's and the host's",
         {TD_MODE_GUEST, TD_MODE_HOST, TD_MODE_HYPERVISOR, TD_MODE_USER | TD_MODE_KERNEL},
         true,
         true},
    };
    static const struct beside beside_user[] = {
        {"the kernel's", {TD_MODE_KERNEL}, true, false},
        {"two of the kernel's", {TD_MODE_KERNEL, TD_MODE_KERNEL}, false, true},
    };

    static struct td_uarch lenient;

    lenient = any_counts(u);
    use_forms(&lenient);
    for (size_t i = 0; i < sizeof(beside_all) / sizeof(*beside_all); i++)
        try_beside(u, 0, &beside_all[i]);
    for (size_t i = 0; i < sizeof(beside_user) / sizeof(*beside_user); i++)
        try_beside(u, TD_MODE_USER, &beside_user[i]);
}

static void all_cpus(void)
{
    struct td_identity m;

    compared = known = 0;
    for (size_t row = 0; td_identity_next(&row, &m);)
        for (size_t i = 0; i < m.nparts; i++)
            try_row(m.part[i]);
    CU_ASSERT(compared > 10000);
    CU_ASSERT(2 * known > compared);
    counts.n = 0;
}

static const CU_TestInfo tests[] = {
    {"beside the kernel's", beside_the_kernel},
    {"far branches", far_branches},
    {"only the kernel's", only_the_kernels},
    {"of one mode", of_one_mode},
    {"the formula", the_formula},
    {"IPC", speed},
    {"all CPUs", all_cpus},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("modes", tests);
