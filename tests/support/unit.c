/* SPDX-License-Identifier: MIT */
/* Runs all unit tests, or the suites named. */
#include "tests/support/unit.h"

#include <CUnit/Basic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct unit_suite *first;

/* Suites that fork come first; otherwise the order is that of their names. */
static bool before(const struct unit_suite *a, const struct unit_suite *b)
{
    return a->forks != b->forks ? a->forks : strcmp(a->name, b->name) < 0;
}

void unit_suite_enter(struct unit_suite *suite)
{
    struct unit_suite **at = &first;

    while (*at && before(*at, suite))
        at = &(*at)->next;
    suite->next = *at;
    *at = suite;
}

static void add_suite(const struct unit_suite *s)
{
    CU_pSuite suite = CU_add_suite(s->name, NULL, NULL);

    for (const CU_TestInfo *test = s->tests; suite && test->pName; test++)
        if (!CU_add_test(suite, test->pName, test->pTestFunc))
            suite = NULL;
    if (!suite) {
        fprintf(stderr, "unit: suite %s cannot be added: %s\n", s->name, CU_get_error_msg());
        exit(99);
    }
}

void unit_skip(const char *reason)
{
    printf("skipped: %s ... ", reason);
}

unsigned long unit_rounds(unsigned long full)
{
    return getenv("TD_QUICK") ? (full + 99) / 100 : full;
}

unsigned long unit_long_rounds(unsigned long full)
{
    return getenv("TD_LONG") || getenv("TD_QUICK") ? unit_rounds(full) : (full + 9) / 10;
}

unsigned long unit_longest_rounds(unsigned long full)
{
    return getenv("TD_LONG") || getenv("TD_QUICK") ? unit_rounds(full) : (full + 29) / 30;
}

static bool is_wanted(const struct unit_suite *s, char **names)
{
    const bool all = !*names;

    while (*names && strcmp(*names, s->name))
        names++;
    return all || *names;
}

int main(int argc, char **argv)
{
    static const int taken[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    unsigned failures;

    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
        signal(taken[i], SIG_DFL); /* nohup and background jobs ignore some */
    if (CU_initialize_registry())
        return 99;
    for (const struct unit_suite *s = first; s; s = s->next)
        if (is_wanted(s, argv + (argc > 0)))
            add_suite(s);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    failures = CU_get_number_of_failures() + CU_get_number_of_tests_failed();
    if (CU_get_number_of_tests_run() == 0)
        failures = 1;
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
