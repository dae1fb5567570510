/* SPDX-License-Identifier: MIT */
/* The suites of the unit tests; each file of tests registers its own. */
#ifndef UNIT_H
#define UNIT_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdint.h>

void suite_arm_events(void);
void suite_bounds(void);
void suite_convert(void);
void suite_csv(void);
void suite_decode(void);
void suite_delta(void);
void suite_event_map(void);
void suite_event_page(void);
void suite_faults(void);
void suite_fit(void);
void suite_formula(void);
void suite_formulas(void);
void suite_host(void);
void suite_host_files(void);
void suite_identity(void);
void suite_import(void);
void suite_kernel(void);
void suite_machine(void);
void suite_metamorphic(void);
void suite_msr(void);
void suite_msr_faults(void);
void suite_msr_live(void);
void suite_msr_refused(void);
void suite_obstacle(void);
void suite_os(void);
void suite_os_run(void);
void suite_os_signals(void);
void suite_perf_csv(void);
void suite_perf_json(void);
void suite_perf_data(void);
void suite_perf_text(void);
void suite_printed(void);
void suite_plan(void);
void suite_range(void);
void suite_reader(void);
void suite_regions(void);
void suite_passes(void);
void suite_self(void);
void suite_self_open(void);
void suite_self_faults(void);
void suite_solve(void);
void suite_copies(void);
void suite_tables(void);
void suite_trace_write(void);
void suite_trap(void);
void suite_trap_x86(void);
void suite_verdict(void);

/* Adds a suite with its tests, ended by a NULL name; ends the program if it cannot. */
void unit_suite(const char *name, const CU_TestInfo *tests);
/* How often to repeat a random test: full, or a hundredth of it under valgrind
 * (environment TD_QUICK). */
unsigned long unit_rounds(unsigned long full);
/* xorshift64*: the same numbers in every run. 0..2^64-1, 0..1, and 0..n-1. */
struct unit_random { uint64_t state; };
uint64_t unit_random(struct unit_random *);
double unit_random_ratio(struct unit_random *);
uint64_t unit_random_below(struct unit_random *, uint64_t n);

#endif
