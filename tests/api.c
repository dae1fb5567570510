/* SPDX-License-Identifier: MIT */
/* An embedder's view: tdprobe.h and the shared library, a recording in memory
 * that arrives a byte at a time. */
#include "tdprobe.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char recording[] =
    "# tdprobe-trace: 1\n"
    "# cpu: spr\n"
    "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"
    "0,CPU3,cpu,,0,0,slots,0,0,0\n"
    "0,CPU3,cpu,,0,0,PERF_METRICS,0x0,0,0\n"
    "0,CPU3,cpu,,,0,end,2,,\n"
    "1000000000,CPU3,cpu,,0,0,slots,255000,1000000000,1000000000\n"
    "1000000000,CPU3,cpu,,0,0,PERF_METRICS,0x1e0f0a145a401e47,1000000000,1000000000\n"
    "1000000000,CPU3,cpu,,,0,end,2,,\n";

static int failures;

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    printf("FAIL: %s\n", what);
    failures++;
}

static ssize_t byte(void *ctx, void *buf, size_t size)
{
    const char **at = ctx;

    if (!size || !**at)
        return 0;
    *(char *)buf = *(*at)++;
    return 1;
}

static double value(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i)->value;
    return NAN;
}

/* bytes 0x47 0x1e 0x40 0x5a: 71 + 30 + 64 + 90 = 255 */
static void check_result(const struct td_result *r)
{
    uint64_t ns = 0;

    check(fabs(value(r, "retiring") - 71.0 / 255) < 1e-12, "retiring is 71/255");
    check(fabs(value(r, "backend_bound") - 90.0 / 255) < 1e-12, "backend_bound is 90/255");
    check(fabs(value(r, "core_bound") - (90.0 - 30) / 255) < 1e-12, "core_bound is what memory_bound leaves");
    check(td_result_time(r, &ns) && ns == 1000000000, "the time is 1 s");
    check(!strcmp(td_result_scope(r), "CPU3") && !strcmp(td_result_scope_kind(r), "cpu"), "the scope is CPU3");
    check(!td_result_core(r) && !strcmp(td_result_cpu(r), "spr"), "the CPU is spr, no hybrid");
}

int main(void)
{
    const char *at = recording;
    const struct td_result *r;
    struct td *td = td_new();

    if (!td)
        return 99;
    check(td_set_uarch(td, "no-such-cpu") == -EINVAL && *td_error(td), "an unknown CPU is refused with a text");
    check(td_set_level(td, 3) == -EINVAL, "level 3 is refused");
    check(td_next(td, &r) == -EINVAL, "nothing to read before td_open()");
    check(!td_open(td, "memory", byte, &at), "the recording opens");
    check(!td_next(td, &r), "it has an interval");
    if (r)
        check_result(r);
    check(td_next(td, &r) == -ENODATA, "and no second one");
    check(!td_summary(td, 0, &r) && td_result_is_summary(r), "it has a summary");
    check(td_summary(td, 1, &r) == -ENODATA, "of one scope");
    check(td_uarch_by_name("kbl") && !strcmp(td_uarch_name(td_uarch_by_name("kbl")), "skl"), "kbl is an alias of skl");
    td_free(td);
    return failures != 0;
}
