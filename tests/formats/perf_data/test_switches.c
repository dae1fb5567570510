/* SPDX-License-Identifier: MIT */
/* Recordings of CPUs with their switches between threads: of an interval, the share of the thread that is at both ends.
 */
#include "private/result.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

enum {
    SWITCH = 14,
    SWITCH_CPU_WIDE = 15,
    OUT = 1 << 13,
    PREEMPTED = 1 << 14,
    THREAD = 42 /* that of the samples */,
    OTHER = 9
};
enum { INHERIT = 1 << 1 };

struct recording {
    struct sampled_file f;
    struct sampled_file_sample s;
    enum td_back back[8]; /* by interval */
};

static void begin(struct recording *r)
{
    *r = (struct recording){.s = {.member = SAMPLED_FILE_FIRST}};
    sampled_file_begin(&r->f, 1000000, 0);
}

static void hit(struct recording *r, uint64_t time)
{
    r->s.time = time;
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        r->s.value[i] += 4000;
    sampled_file_sample(&r->f, &r->s);
}

/* The CPU leaves a thread for this one. */
static void over_to(struct recording *r, uint64_t time, unsigned type, uint64_t thread)
{
    sampled_file_record(&r->f, type, OUT, time, (const uint64_t[]){thread << 32 | thread}, 1, NULL);
    sampled_file_record(&r->f, type, 0, time + 1, (const uint64_t[]){UINT64_C(77) << 32 | 77}, 1, NULL);
}

/* The same; preempted: the thread that is left could have gone on. */
static void over_to_by(struct recording *r, uint64_t time, uint64_t thread, bool preempted)
{
    sampled_file_record(&r->f, SWITCH_CPU_WIDE, OUT | (preempted ? PREEMPTED : 0), time,
                        (const uint64_t[]){thread << 32 | thread}, 1, NULL);
}

/* The shares of the intervals, and how reading ended. */
static int shares(struct recording *r, double *own, size_t *n)
{
    struct td *td = td_new();
    struct source s;
    const struct td_result *result;
    int err;

    sampled_file_end(&r->f);
    s = (struct source){(const char *)r->f.b, r->f.n, r->f.n, 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, &s), 0);
    for (*n = 0; !(err = td_next(td, &result)); ++*n)
        CU_ASSERT_EQUAL(td_result_course(result, &own[*n], &r->back[*n]), 0);
    td_free(td);
    sampled_file_free(&r->f);
    return err;
}

/* Nothing is known before the first switch. Then of 1000 ns 250 are another thread's, none, and all but the idle ones
 * the thread's own; a switch of a task, and one that comes later in the file than its time says, too. */
static void of_cpus(void)
{
    struct recording r;
    double own[8];
    size_t n;

    begin(&r);
    hit(&r, 1000);
    hit(&r, 2000);
    over_to(&r, 2400, SWITCH_CPU_WIDE, OTHER);
    over_to(&r, 2650, SWITCH_CPU_WIDE, THREAD);
    hit(&r, 3000);
    hit(&r, 4000);
    over_to(&r, 4100, SWITCH_CPU_WIDE, 0);
    over_to(&r, 4900, SWITCH_CPU_WIDE, THREAD);
    over_to(&r, 4950, SWITCH, OTHER);
    hit(&r, 5000);
    hit(&r, 6000);
    over_to(&r, 5500, SWITCH_CPU_WIDE, OTHER);
    over_to(&r, 5600, SWITCH_CPU_WIDE, THREAD);
    CU_ASSERT_EQUAL(shares(&r, own, &n), -ENODATA);
    CU_ASSERT_EQUAL_FATAL(n, 6);
    CU_ASSERT(own[0] == 0 && own[1] == 0);
    CU_ASSERT_DOUBLE_EQUAL(own[2], 0.75, 1e-12);
    CU_ASSERT(own[3] == 1 && own[4] == 1);
    CU_ASSERT_DOUBLE_EQUAL(own[5], 0.9, 1e-12);
}

/* The program is at one function, then at another. The samples of intervals 1 and 3 are after others had pre-empted
 * the thread, once where it was, once elsewhere; before the others it went on, or left of its own accord. */
static void back(void)
{
    static const enum td_back expected[] = {TD_BACK_NONE,      TD_BACK_HERE, TD_BACK_NONE,
                                            TD_BACK_ELSEWHERE, TD_BACK_NONE, TD_BACK_NONE};
    struct recording r;
    double own[8];
    size_t n;

    begin(&r);
    sampled_file_map(&r.f, 500, &(struct sampled_file_mapping){0x1000, 0x1000, 0, false, "/bin/one"});
    sampled_file_map(&r.f, 500, &(struct sampled_file_mapping){0x2000, 0x1000, 0, false, "/bin/two"});
    r.s.address = 0x1010;
    hit(&r, 1000);
    over_to_by(&r, 1100, OTHER, true);
    over_to_by(&r, 1200, THREAD, false);
    hit(&r, 2000);
    hit(&r, 3000);
    over_to_by(&r, 3100, OTHER, true);
    over_to_by(&r, 3200, THREAD, false);
    r.s.address = 0x2010;
    hit(&r, 4000);
    over_to_by(&r, 4100, OTHER, false);
    over_to_by(&r, 4200, THREAD, true);
    hit(&r, 5000);
    hit(&r, 6000);
    CU_ASSERT_EQUAL(shares(&r, own, &n), -ENODATA);
    CU_ASSERT_EQUAL_FATAL(n, 6);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(r.back[i], expected[i]);
}

/* Counters that threads inherit count nothing while others run. */
static void of_threads(void)
{
    struct recording r;
    double own[8];
    size_t n;

    begin(&r);
    sampled_file_flags(&r.f, INHERIT);
    over_to(&r, 500, SWITCH_CPU_WIDE, THREAD);
    hit(&r, 1000);
    hit(&r, 2000);
    CU_ASSERT_EQUAL(shares(&r, own, &n), -ENODATA);
    CU_ASSERT(n == 2 && own[0] == 0 && own[1] == 0);
}

static void cut_off(void)
{
    struct recording r;
    double own[8];
    size_t n;

    begin(&r);
    hit(&r, 1000);
    sampled_file_record(&r.f, SWITCH_CPU_WIDE, OUT, 1500, NULL, 0, NULL);
    hit(&r, 2000);
    CU_ASSERT_EQUAL(shares(&r, own, &n), -EBADMSG);
}

static const CU_TestInfo tests[] = {
    {"of CPUs", of_cpus}, {"threads that are back", back}, {"of threads", of_threads}, {"cut off", cut_off},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("recorded switches", tests);
