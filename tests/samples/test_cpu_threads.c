/* SPDX-License-Identifier: MIT */
/* Which thread a CPU ran between two samples: shares by hand. */
#include "private/plan.h"
#include "samples/cpu_threads.h"
#include "tests/support/unit.h"

enum { CPU = 3, COURSE = 5 };

/* Ends an interval, and begins the next one. */
static double sample(struct td_cpu_threads *all, uint64_t time, uint32_t thread)
{
    double own = -1;

    CU_ASSERT_EQUAL(td_cpu_threads_sample(all, CPU, time, thread, COURSE, true, &own), 0);
    return own;
}

static void over_to(struct td_cpu_threads *all, uint64_t time, uint32_t thread)
{
    CU_ASSERT_EQUAL(td_cpu_threads_switch(all, CPU, time, thread), 0);
}

/* Nothing is known before the first switch, which tells that switches are recorded. Then a thread that ran all the time
 * has it all; of 100 ns, with 30 of another one in two pieces, 70 %; and with 50 ns of idling and 10 of another one, 40
 * of the other 50. */
static void shares(void)
{
    struct td_cpu_threads all = {0};

    CU_ASSERT_EQUAL(sample(&all, 1000, 7), 0);
    CU_ASSERT_EQUAL(sample(&all, 1100, 7), 0);
    over_to(&all, 1110, 8);
    over_to(&all, 1120, 7);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 1200, 7), 0.9, 1e-12);
    CU_ASSERT_EQUAL(sample(&all, 1300, 7), 1);
    over_to(&all, 1310, 8);
    over_to(&all, 1330, 7);
    over_to(&all, 1340, 9);
    over_to(&all, 1350, 7);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 1400, 7), 0.7, 1e-12);
    over_to(&all, 1420, 0);
    over_to(&all, 1470, 8);
    over_to(&all, 1480, 7);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 1500, 7), 0.8, 1e-12);
    CU_ASSERT_EQUAL(sample(&all, 1500, 7), 1); /* no time has passed */
    td_cpu_threads_free(&all);
}

/* Of two threads, of an idle CPU, of another course or another CPU nothing is known. */
static void unknown(void)
{
    struct td_cpu_threads all = {0};
    double own;

    over_to(&all, 10, 7);
    CU_ASSERT_EQUAL(sample(&all, 100, 7), 0); /* the first sample ends no interval */
    over_to(&all, 150, 8);
    CU_ASSERT_EQUAL(sample(&all, 200, 8), 0);
    CU_ASSERT_EQUAL(sample(&all, 300, 8), 1);
    over_to(&all, 310, 0);
    CU_ASSERT_EQUAL(sample(&all, 400, 0), 0);
    CU_ASSERT_EQUAL(sample(&all, 500, 0), 0);
    CU_ASSERT_EQUAL(sample(&all, 600, 8), 0);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, CPU, 700, 8, COURSE + 1, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    CU_ASSERT_EQUAL(sample(&all, 800, 8), 0);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, CPU + 1, 850, 8, COURSE, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, CPU + 1, 860, 8, COURSE, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0); /* no switch of that CPU was recorded */
    CU_ASSERT_EQUAL(sample(&all, 900, 8), 1);
    td_cpu_threads_free(&all);
}

/* A sample that counted nothing ends no interval; if it is of another thread, it is where the next delta begins. */
static void still(void)
{
    struct td_cpu_threads all = {0};
    double own;

    over_to(&all, 10, 7);
    sample(&all, 100, 7);
    over_to(&all, 120, 8);
    over_to(&all, 140, 7);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, CPU, 150, 7, COURSE, false, &own), 0);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 200, 7), 0.8, 1e-12);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, CPU, 250, 8, COURSE, false, &own), 0);
    CU_ASSERT_EQUAL(sample(&all, 300, 7), 0);
    CU_ASSERT_EQUAL(sample(&all, 400, 7), 1);
    td_cpu_threads_free(&all);
}

/* A switch that was lost: what the CPU ran up to the sample counts for the thread that it was believed to run. CPUs
 * that cannot be, and times that run backwards, do no harm. */
static void damaged(void)
{
    struct td_cpu_threads all = {0};
    double own = -1;

    over_to(&all, 10, 7);
    sample(&all, 100, 7);
    over_to(&all, 120, 8);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 200, 7), 0.2, 1e-12);
    over_to(&all, 150, 8);
    over_to(&all, 160, 7);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 200, 7), 0.8, 1e-12); /* of 50 ns, which seem to have passed */
    CU_ASSERT_EQUAL(td_cpu_threads_switch(&all, TD_CPUS_MAX, 1, 7), 0);
    CU_ASSERT_EQUAL(td_cpu_threads_switch(&all, UINT32_MAX, 1, 7), 0);
    CU_ASSERT_EQUAL(td_cpu_threads_sample(&all, TD_CPUS_MAX, 1, 7, COURSE, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    td_cpu_threads_free(&all);
    CU_ASSERT(!all.cpu && !all.n);
}

static const CU_TestInfo tests[] = {
    {"shares", shares},
    {"what is not known", unknown},
    {"samples that counted nothing", still},
    {"lost switches, times and CPUs that cannot be", damaged},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("threads of CPUs", tests);
