/* SPDX-License-Identifier: MIT */
/* Which thread a CPU ran between two samples: shares by hand. */
#include "private/plan.h"
#include "samples/cpu_threads.h"
#include "tests/support/unit.h"

enum { CPU = 3, COURSE = 5 };

static int hit(struct td_cpu_threads *all, uint32_t cpu, uint64_t time, uint32_t thread, uint32_t course, bool begins,
               double *own)
{
    struct td_cpu_turn turn = {-1, NULL};
    const int err = td_cpu_threads_sample(all, cpu, &(struct td_cpu_hit){time, thread, course, NULL, begins}, &turn);

    *own = turn.own;
    return err;
}

/* Ends an interval, and begins the next one. */
static double sample(struct td_cpu_threads *all, uint64_t time, uint32_t thread)
{
    double own = -1;

    CU_ASSERT_EQUAL(hit(all, CPU, time, thread, COURSE, true, &own), 0);
    return own;
}

static void over_to(struct td_cpu_threads *all, uint64_t time, uint32_t thread)
{
    CU_ASSERT_EQUAL(td_cpu_threads_switch(all, CPU, time, thread, true), 0);
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
    CU_ASSERT_EQUAL(hit(&all, CPU, 700, 8, COURSE + 1, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    CU_ASSERT_EQUAL(sample(&all, 800, 8), 0);
    CU_ASSERT_EQUAL(hit(&all, CPU + 1, 850, 8, COURSE, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    CU_ASSERT_EQUAL(hit(&all, CPU + 1, 860, 8, COURSE, true, &own), 0);
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
    CU_ASSERT_EQUAL(hit(&all, CPU, 150, 7, COURSE, false, &own), 0);
    CU_ASSERT_DOUBLE_EQUAL(sample(&all, 200, 7), 0.8, 1e-12);
    CU_ASSERT_EQUAL(hit(&all, CPU, 250, 8, COURSE, false, &own), 0);
    CU_ASSERT_EQUAL(sample(&all, 300, 7), 0);
    CU_ASSERT_EQUAL(sample(&all, 400, 7), 1);
    td_cpu_threads_free(&all);
}

/* Where a thread was, by a sample of it: 'A' and the like; NULL: it was not pre-empted since then. */
static const char *hit_at(struct td_cpu_threads *all, uint64_t time, uint32_t thread, const char *at)
{
    struct td_cpu_turn turn;

    CU_ASSERT_EQUAL(td_cpu_threads_sample(all, CPU, &(struct td_cpu_hit){time, thread, COURSE, at, true}, &turn), 0);
    return turn.back;
}

static void leave(struct td_cpu_threads *all, uint64_t time, uint32_t thread, bool preempted)
{
    CU_ASSERT_EQUAL(td_cpu_threads_switch(all, CPU, time, thread, preempted), 0);
}

/* Thread 7 is pre-empted at A, for a sample of 8 or for none, and is back; nothing is said of it when it goes on, when
 * it has waited, or when it has waited in a turn that was not sampled. It is pre-empted twice without a sample. */
static void back(void)
{
    static const char a[] = "A", b[] = "B";
    struct td_cpu_threads all = {0};

    leave(&all, 10, 7, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 100, 7, a));
    CU_ASSERT_PTR_NULL(hit_at(&all, 200, 7, a));
    leave(&all, 250, 8, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 300, 8, b));
    leave(&all, 350, 7, true);
    CU_ASSERT_PTR_EQUAL(hit_at(&all, 400, 7, b), a);
    CU_ASSERT_PTR_NULL(hit_at(&all, 450, 7, b));
    leave(&all, 460, 9, true);
    leave(&all, 470, 7, false);
    leave(&all, 480, 9, true);
    leave(&all, 490, 7, false);
    CU_ASSERT_PTR_EQUAL(hit_at(&all, 500, 7, a), b);
    leave(&all, 510, 8, false);
    CU_ASSERT_PTR_EQUAL(hit_at(&all, 520, 8, a), b);
    leave(&all, 530, 7, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 600, 7, a));
    leave(&all, 610, 8, true);
    leave(&all, 620, 7, true);
    leave(&all, 630, 8, false);
    leave(&all, 640, 7, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 700, 7, a));
    leave(&all, 710, 1, false); /* another one, which was never sampled, is pre-empted where 7 waits */
    leave(&all, 720, 8, true);
    leave(&all, 730, 1, false);
    CU_ASSERT_PTR_NULL(hit_at(&all, 800, 1, b));
    td_cpu_threads_free(&all);
}

/* Eight threads are remembered, the one that came first is replaced; idling is no thread. */
static void many_back(void)
{
    static const char at[16] = "";
    struct td_cpu_threads all = {0};

    leave(&all, 1, 20, true);
    for (uint32_t i = 0; i < 9; i++) {
        CU_ASSERT_PTR_NULL(hit_at(&all, 100 * (i + 1), 20 + i, &at[i]));
        leave(&all, 100 * (i + 1) + 50, 21 + i, true);
    }
    CU_ASSERT_PTR_EQUAL(hit_at(&all, 2000, 21, at), &at[1]);
    CU_ASSERT_PTR_EQUAL(hit_at(&all, 2100, 28, at), &at[8]);
    CU_ASSERT_PTR_NULL(hit_at(&all, 2200, 20, at));
    leave(&all, 2250, 0, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 2300, 0, at));
    leave(&all, 2350, 20, true);
    leave(&all, 2360, 0, true);
    CU_ASSERT_PTR_NULL(hit_at(&all, 2400, 0, at));
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
    CU_ASSERT_EQUAL(td_cpu_threads_switch(&all, TD_CPUS_MAX, 1, 7, false), 0);
    CU_ASSERT_EQUAL(td_cpu_threads_switch(&all, UINT32_MAX, 1, 7, false), 0);
    CU_ASSERT_EQUAL(hit(&all, TD_CPUS_MAX, 1, 7, COURSE, true, &own), 0);
    CU_ASSERT_EQUAL(own, 0);
    td_cpu_threads_free(&all);
    CU_ASSERT(!all.cpu && !all.n);
}

static const CU_TestInfo tests[] = {
    {"shares", shares},
    {"what is not known", unknown},
    {"samples that counted nothing", still},
    {"threads that are back", back},
    {"many threads", many_back},
    {"lost switches, times and CPUs that cannot be", damaged},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("threads of CPUs", tests);
