/* SPDX-License-Identifier: MIT */
/* Runs all unit tests, or the suites named. */
#include "unit.h"

#include <CUnit/Basic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

void unit_suite(const char *name, const CU_TestInfo *tests)
{
    CU_pSuite suite = CU_add_suite(name, NULL, NULL);

    for (; suite && tests->pName; tests++)
        if (!CU_add_test(suite, tests->pName, tests->pTestFunc))
            suite = NULL;
    if (!suite) {
        fprintf(stderr, "unit: suite %s cannot be added: %s\n", name, CU_get_error_msg());
        exit(99);
    }
}

unsigned long unit_rounds(unsigned long full)
{
    return getenv("TD_QUICK") ? (full + 99) / 100 : full;
}

uint64_t unit_random(struct unit_random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

double unit_random_ratio(struct unit_random *r)
{
    return (double)(unit_random(r) >> 11) / 9007199254740992.0;
}

uint64_t unit_random_below(struct unit_random *r, uint64_t n)
{
    return unit_random(r) % n;
}

int main(void)
{
    static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    unsigned failures;

    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
        signal(taken[i], SIG_DFL); /* nohup and background jobs ignore some */
    if (CU_initialize_registry())
        return 99;
    suite_os_signals(); /* first: these two fork children whose signals nobody may have taken yet */
    suite_os_run();
    suite_range();
    suite_decode();
    suite_delta();
    suite_bounds();
    suite_formula();
    suite_formulas();
    suite_solve();
    suite_copies();
    suite_verdict();
    suite_tables();
    suite_identity();
    suite_csv();
    suite_reader();
    suite_regions();
    suite_self();
    suite_self_open();
    suite_passes();
    suite_self_faults();
    suite_perf_text();
    suite_printed();
    suite_perf_data();
    suite_perf_json();
    suite_perf_csv();
    suite_arm_events();
    suite_import();
    suite_trace_write();
    suite_convert();
    suite_metamorphic();
    suite_fit();
    suite_plan();
    suite_host();
    suite_host_files();
    suite_obstacle();
    suite_os();
    suite_machine();
    suite_kernel();
    suite_event_page();
    suite_event_map();
    suite_trap();
    suite_trap_x86();
    suite_faults();
    suite_msr();
    suite_msr_live();
    suite_msr_refused();
    suite_msr_faults();
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures() + CU_get_number_of_tests_failed();
    if (CU_get_number_of_tests_run() == 0)
        failures = 1;
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
