/* SPDX-License-Identifier: MIT */
/* Suites of unit tests: each file of tests enters its own. */
#ifndef UNIT_H
#define UNIT_H

#include "tests/support/random.h"

#include <CUnit/CUnit.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* A file's suite: its tests, ended by CU_TEST_INFO_NULL. */
struct unit_suite {
    const char *name;
    const CU_TestInfo *tests;
    bool forks; /* runs before the others: its children need signals that nothing has taken yet */
    struct unit_suite *next;
};
/* Entered before main(), by UNIT_SUITE(); run in the order of their names. */
void unit_suite_enter(struct unit_suite *);
#define UNIT_SUITE_ENTER(name_, tests_, forks_) \
    static void __attribute__((constructor)) enter_##tests_(void) \
    { \
        static struct unit_suite suite = {.name = (name_), .tests = (tests_), .forks = (forks_)}; \
\
        unit_suite_enter(&suite); \
    } \
    static_assert(true, "ends with a semicolon")
#define UNIT_SUITE(name, tests) UNIT_SUITE_ENTER(name, tests, false)
#define UNIT_SUITE_FIRST(name, tests) UNIT_SUITE_ENTER(name, tests, true)

/* Prints why the rest of the current test is left out: what is missing here. */
void unit_skip(const char *reason);

/* How often to repeat a random test: full times, or a hundredth of that under valgrind
 * (environment TD_QUICK). */
unsigned long unit_rounds(unsigned long full);

/* The same of simulations and comparisons that take long: full times where the environment has TD_LONG
 * (make check-long, make bench-likely), a hundredth where it has TD_QUICK, else a tenth. */
unsigned long unit_long_rounds(unsigned long full);

/* The same of those that take seconds with a tenth: a thirtieth. */
unsigned long unit_longest_rounds(unsigned long full);

#endif
