/* SPDX-License-Identifier: MIT */
/* Recordings replayed while memory runs out: a call says so, or nothing is missing in what it gives; what was opened is
 * freed. */
#include "session/session.h"
#include "tests/support/memory.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

#define ROW(time, scope, event, value) time "," scope value ",," event ",1000000000,100.00,,\n"
#define GRACEMONT(time, scope) \
    ROW(time, scope, "CPU_CLK_UNHALTED.CORE", "200") \
    ROW(time, scope, "TOPDOWN_FE_BOUND.ALL", "100") \
    ROW(time, scope, "TOPDOWN_BE_BOUND.ALL", "300") \
    ROW(time, scope, "TOPDOWN_RETIRING.ALL", "500")

struct recording {
    const char *text, *cpu; /* cpu: NULL: found by the events */
    size_t intervals, sums; /* that there are */
};

static int replay(void *ctx)
{
    const struct recording *r = ctx;
    struct source s = {r->text, strlen(r->text), 4096, 0};
    const struct td_result *result;
    struct td *td = td_new();
    size_t n = 0, sums = 0;
    int err;

    if (!td)
        return -ENOMEM;
    err = r->cpu ? td_set_uarch(td, r->cpu) : 0;
    err = err ? err : td_set_level(td, 1);
    err = err ? err : td_open(td, "f", source_read, &s);
    while (!err && !(err = td_next(td, &result)))
        n++;
    if (err == -ENODATA)
        err = 0;
    while (!err && !(err = td_summary(td, sums, &result)))
        sums++;
    if (err == -ENOENT || err == -ENODATA || err == -EINVAL || err == -ERANGE) /* after the last */
        err = sums == r->sums && n == r->intervals ? 0 : err;
    td_free(td);
    return err;
}

static void each(const struct recording *r)
{
    memory_each(replay, (void *)(uintptr_t)r, 1, true);
}

static void one_cpu(void)
{
    static const struct recording r = {GRACEMONT("1.000000000", "CPU0,") GRACEMONT("1.000000000", "CPU1,")
                                           GRACEMONT("2.000000000", "CPU0,") GRACEMONT("2.000000000", "CPU1,"),
                                       "adl-e", 4, 2};

    each(&r);
}

static void any_cpu(void)
{
    static const struct recording r = {ROW("1.000000000", "", "cpu_core/slots/", "1000")
                                           ROW("1.000000000", "", "cpu_core/topdown-retiring/", "500")
                                               ROW("1.000000000", "", "cpu_core/topdown-bad-spec/", "100")
                                                   ROW("1.000000000", "", "cpu_core/topdown-fe-bound/", "200")
                                                       ROW("1.000000000", "", "cpu_core/topdown-be-bound/", "200"),
                                       NULL, 1, 1};

    each(&r);
}

#define HALF(time, event, value) time ".000000000,CPU0," value ",," event ",500000000,50.00,,\n"
#define IN_TURNS(time) \
    HALF(time, "CPU_CLK_UNHALTED.CORE", "200") \
    HALF(time, "TOPDOWN_FE_BOUND.ALL", "100") \
    HALF(time, "TOPDOWN_BE_BOUND.ALL", "300") HALF(time, "TOPDOWN_RETIRING.ALL", "500")

/* Counts in turns, whose sum has likely bounds by its parts. */
static void in_turns(void)
{
    static const struct recording r = {IN_TURNS("1") IN_TURNS("2") IN_TURNS("3") IN_TURNS("4") IN_TURNS("5")
                                           IN_TURNS("6") IN_TURNS("7") IN_TURNS("8") IN_TURNS("9") IN_TURNS("10")
                                               IN_TURNS("11") IN_TURNS("12"),
                                       "adl-e", 12, 1};

    each(&r);
}

static const CU_TestInfo tests[] = {
    {"counts in turns", in_turns},
    {"one CPU", one_cpu},
    {"the CPU by the events", any_cpu},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("session without memory", tests);
