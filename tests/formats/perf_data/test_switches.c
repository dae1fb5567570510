/* SPDX-License-Identifier: MIT */
/* Recordings of CPUs with their switches between threads: of an interval, the share of the thread that is at both ends.
 */
#include "private/result.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

enum { SWITCH = 14, SWITCH_CPU_WIDE = 15, OUT = 1 << 13, THREAD = 42 /* that of the samples */, OTHER = 9 };
enum { INHERIT = 1 << 1 };

struct recording {
    struct sampled_file f;
    struct sampled_file_sample s;
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
        CU_ASSERT_EQUAL(td_result_course(result, &own[*n]), 0);
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
    {"of CPUs", of_cpus},
    {"of threads", of_threads},
    {"cut off", cut_off},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("recorded switches", tests);
