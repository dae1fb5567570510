/* SPDX-License-Identifier: MIT */
/* Recordings converted to traces: byte for byte, worked out by hand. tests/scripts/convert.sh
 * checks that the traces give the same answers as the recordings. */
#include "core/identity.h"
#include "tests/support/memory.h"
#include "tests/support/pieces.h"
#include "backends/find_identity.h"

#include <errno.h>

#define COLUMNS "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"
#define COUNT(time_, value_, event_, rest_) time_ value_ ",," event_ "," rest_ ",,\n"
#define LEVEL1(time_) \
    COUNT(time_, "100", "slots", "9,100.00") \
    COUNT(time_, "25", "topdown-retiring", "9,100.00") \
    COUNT(time_, "25", "topdown-bad-spec", "9,100.00") \
    COUNT(time_, "25", "topdown-fe-bound", "9,100.00") COUNT(time_, "25", "topdown-be-bound", "9,100.00")
#define LEVEL1_ROWS(place_, core_) \
    place_ "," core_ ",0,0,slots,100,9,9\n" place_ "," core_ ",0,0,topdown-retiring,25,9,9\n" place_ "," core_ \
           ",0,0,topdown-bad-spec,25,9,9\n" place_ "," core_ ",0,0,topdown-fe-bound,25,9,9\n" place_ "," core_ \
           ",0,0,topdown-be-bound,25,9,9\n"

struct made {
    struct log log;
    int fails; /* the call of write that fails, from 1 */
    int calls;
};

static int take(void *ctx, const void *buf, size_t size)
{
    struct made *m = ctx;

    if (++m->calls == m->fails)
        return -ENOSPC;
    put(&m->log, "%.*s", (int)size, (const char *)buf);
    return 0;
}

static void convert(struct made *m, const char *cpu, const char *text, size_t piece)
{
    struct source s = {text, strlen(text), piece, 0};
    const struct td_result *r;
    struct td *td = td_new();
    int err = cpu ? td_set_uarch(td, cpu) : 0;

    td_set_intervals(td, false);
    if (!err)
        err = td_set_convert(td, take, m);
    CU_ASSERT_EQUAL_FATAL(err, 0);
    err = td_open(td, "f", source_read, &s);
    if (!err)
        err = td_next(td, &r);
    if (err != -ENODATA)
        put(&m->log, "!%d %s", err, td_error(td));
    td_free(td);
}

/* NULL in wanted: the header of what was converted from perf-csv, for that CPU, with smt unknown. */
static void same_trace(const char *cpu, const char *text, const char *head, const char *rows)
{
    char wanted[8192];

    snprintf(wanted, sizeof(wanted),
             "# tdprobe-trace: 1\n%s# recorder: tdprobe %s\n# origin: converted from perf-csv\n" COLUMNS "%s", head,
             td_version(), rows);
    for (size_t piece = 1; piece <= strlen(text) + 1; piece += 1 + piece / 2) {
        struct made m = {.calls = 0};

        convert(&m, cpu, text, piece);
        if (!same_log(&m.log, wanted, piece))
            return;
    }
}

#define IMPORT(cpu_) "# cpu: " cpu_ "\n# smt: unknown\n# source: import\n# scaled: yes\n"

static void intervals(void)
{
    /* no time; run for 5 ns of 1000/99 * 5 / 10 = 5.0505 ns, which is not the whole time: 6;
     * an event not counted; one that no formula knows; another group, in which a name comes again */
    same_trace(
        "skl",
        COUNT("", "100", "cycles", "5,99.00") COUNT("", "<not counted>", "uops_issued.any", "0,0.00")
            COUNT("", "<not supported>", "r1", "0,100.00") COUNT("", "7.125", "weird\"", "9,100.00")
                COUNT("", "101", "cycles", "9,100.00") COUNT("", "5", "end", "9,100.00"),
        IMPORT("skl"),
        ",system,system,,,0,start,,,\n,system,system,,0,0,cycles,100,5.050505051,5\n,system,system,,0,0,uops_issued.any,not_counted,1,0\n,system,system,,0,0,r1,not_supported,0,0\n"
        ",system,system,,0,0,\"weird\"\"\",7.125,9,9\n,system,system,,1,0,cycles,101,9,9\n,system,system,,1,0,event:end,5,9,9\n,system,system,,,0,end,6,,\n");
    /* intervals begin where the previous one ended, and from zero where a recording was appended */
    same_trace(
        "skl",
        COUNT("1.000000000,", "100", "cycles", "9,100.00")
            COUNT("2.500000000,", "50", "cycles", "9,100.00") "# started on Fri Nov 20 12:12:20 2026\n\n" COUNT(
                "1.000000000,", "60", "cycles", "9,100.00"),
        IMPORT("skl"),
        "0,system,system,,,0,start,,,\n1000000000,system,system,,0,0,cycles,100,9,9\n1000000000,system,system,,,0,end,1,,\n"
        "1000000000,system,system,,,0,start,,,\n2500000000,system,system,,0,0,cycles,50,9,9\n2500000000,system,system,,,0,end,1,,\n"
        "0,system,system,,,0,start,,,\n1000000000,system,system,,0,0,cycles,60,9,9\n1000000000,system,system,,,0,end,1,,\n");
    /* per CPU: scopes share a time */
    same_trace(
        "skl",
        COUNT("1.000000000,CPU0,", "4", "cycles", "9,100.00") COUNT("1.000000000,CPU1,", "6", "cycles", "9,50.00")
            COUNT("2.000000000,CPU0,", "8", "cycles", "9,100.00") COUNT("2.000000000,CPU1,", "3", "cycles", "9,50.00"),
        IMPORT("skl"),
        "0,CPU0,cpu,,,0,start,,,\n1000000000,CPU0,cpu,,0,0,cycles,4,9,9\n1000000000,CPU0,cpu,,,0,end,1,,\n"
        "0,CPU1,cpu,,,0,start,,,\n1000000000,CPU1,cpu,,0,0,cycles,6,18,9\n1000000000,CPU1,cpu,,,0,end,1,,\n"
        "1000000000,CPU0,cpu,,,0,start,,,\n2000000000,CPU0,cpu,,0,0,cycles,8,9,9\n2000000000,CPU0,cpu,,,0,end,1,,\n"
        "1000000000,CPU1,cpu,,,0,start,,,\n2000000000,CPU1,cpu,,0,0,cycles,3,18,9\n2000000000,CPU1,cpu,,,0,end,1,,\n");
}

/* Names that mean something in a trace, and others beside them. */
static void words(void)
{
    same_trace(
        "skl",
        COUNT("", "100", "cycles", "9,100.00") COUNT("", "1", "Start", "9,100.00")
            COUNT("", "2", "switches:u", "9,100.00") COUNT("", "3", "event:end", "9,100.00")
                COUNT("", "4", "PERF_METRICS", "9,100.00") COUNT("", "5", "printed:retiring", "9,100.00")
                    COUNT("", "6", "switches-x", "9,100.00") COUNT("", "7", "latency_samples", "9,100.00"),
        IMPORT("skl"),
        ",system,system,,,0,start,,,\n,system,system,,0,0,cycles,100,9,9\n,system,system,,0,0,event:Start,1,9,9\n,system,system,,0,0,event:switches:u,2,9,9\n"
        ",system,system,,0,0,event:event:end,3,9,9\n,system,system,,0,0,event:PERF_METRICS,4,9,9\n,system,system,,0,0,event:printed:retiring,5,9,9\n"
        ",system,system,,0,0,switches-x,6,9,9\n,system,system,,0,0,event:latency_samples,7,9,9\n,system,system,,,0,end,8,,\n");
    /* an interval that has nothing else */
    same_trace(
        "skl",
        COUNT("1.000000000,", "100", "cycles", "9,100.00") COUNT("2.000000000,", "5", "end", "9,100.00")
            COUNT("3.000000000,", "9000000", "duration_time", "9,100.00"),
        IMPORT("skl"),
        "0,system,system,,,0,start,,,\n1000000000,system,system,,0,0,cycles,100,9,9\n1000000000,system,system,,,0,end,1,,\n"
        "1000000000,system,system,,,0,start,,,\n2000000000,system,system,,0,0,event:end,5,9,9\n2000000000,system,system,,,0,end,1,,\n"
        "2000000000,system,system,,,0,start,,,\n3000000000,system,system,,0,0,event:duration_time,9000000,9,9\n3000000000,system,system,,0,0,duration_time,9000000,0,0\n3000000000,system,system,,,0,end,2,,\n");
}

static void hybrids(void)
{
    /* lines without a PMU belong to the P-core, if only it can have them */
    same_trace(
        "adl", LEVEL1("") COUNT("", "5", "task-clock", "9,100.00") COUNT("", "6", "cpu_atom/cycles/", "9,100.00"),
        IMPORT("adl"),
        ",system,system,P,,0,start,,,\n" LEVEL1_ROWS(
            ",system,system",
            "P") ",system,system,P,,0,end,5,,\n"
                 ",system,system,E,,0,start,,,\n,system,system,E,0,0,cpu_atom/cycles/,6,9,9\n,system,system,E,,0,end,1,,\n");
}

static void cpus(void)
{
    static const char *const exact[] = {"0x410fd490",          "0x410fd493", "neoverse-n2", "n2-r0p1",
                                        "GenuineIntel-6-8F-8", "adl",        "adl-p",       "mtl",
                                        "GenuineIntel-6-BE"};
    char text[TD_IDENTITY_TEXT], why[256];
    struct td_identity m, again;

    for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++) {
        CU_ASSERT_EQUAL_FATAL(td_identity_find(exact[i], &m, why, sizeof(why)), 0);
        CU_ASSERT_EQUAL_FATAL(td_identity_find(td_identity_text(&m, text, sizeof(text)), &again, why, sizeof(why)), 0);
        CU_ASSERT_EQUAL(m.flags, again.flags);
        CU_ASSERT_EQUAL(m.nparts, again.nparts);
        for (size_t p = 0; p < m.nparts; p++)
            CU_ASSERT_PTR_EQUAL(m.part[p], again.part[p]);
    }
    for (size_t row = 0; td_identity_next(&row, &m);)
        CU_ASSERT_STRING_EQUAL(td_identity_text(&m, text, sizeof(text)), m.name);
}

static void several_cpus(void)
{
    struct made m = {.calls = 0};

    convert(&m, NULL, LEVEL1(""), 9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "# cpu: icl\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "\n# note: these CPUs fit the events and give one answer: icl icx "));
    CU_ASSERT_PTR_NULL(strchr(m.log.text, '!'));
    /* Neoverse cores with 5 and with 8 slots */
    m = (struct made){.calls = 0};
    convert(&m, NULL,
            COUNT("", "100", "cpu_cycles", "9,100.00") COUNT("", "50", "stall_slot", "9,100.00")
                COUNT("", "50", "stall_slot_frontend", "9,100.00") COUNT("", "50", "stall_slot_backend", "9,100.00")
                    COUNT("", "50", "op_retired", "9,100.00") COUNT("", "60", "op_spec", "9,100.00"),
            9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "several CPUs fit these events"));
    /* the first interval fits both Ice Lake and Sapphire Rapids, the second does not */
    m = (struct made){.calls = 0};
    convert(&m, NULL,
            LEVEL1("1.000000000,") LEVEL1("2.000000000,")
                COUNT("2.000000000,", "3", "INT_MISC.CLEARS_COUNT", "9,100.00"),
            9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "several CPUs fit these events"));
    m = (struct made){.calls = 0};
    convert(&m, "spr", LEVEL1("") COUNT("", "3", "int_misc.uop_dropping", "9,100.00"), 9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "# cpu: spr\n"));
    CU_ASSERT_PTR_NULL(strstr(m.log.text, "# note"));
}

/* A trace stays unchanged, including what does not affect the answer. */
static void traces(void)
{
    static const char head
        [] = "# tdprobe-trace: 1\n# x-y: \"z\"\n",
    tail[] =
        "# smt: on\n# counter-bits: 48\n# note: a\n# note: b,c\n# source: rdpmc\n# topology: cpus=8 cores=4\n# level: 1\n" COLUMNS;
    static const char rows[] =
        "0,CPU3,cpu,,,7,start,,,\n5,CPU3,cpu,,0,7,slots,255,5,5\n5,CPU3,cpu,,0,7,foo,3,5,4\n5,CPU3,cpu,,0,7,PERF_METRICS,0x20,5,5\n5,CPU3,cpu,,0,7,cycles,not_counted,5,0\n5,CPU3,cpu,,0,7,event:end,8,5,5\n5,CPU3,cpu,,0,7,event:PERF_METRICS,8,5,5\n5,CPU3,cpu,,,7,end,6,,\n"
        "9,CPU3,cpu,,1,8,slots,1,9,9\n9,CPU3,cpu,,1,8,PERF_METRICS,0x40404040,9,9\n9,CPU3,cpu,,,8,end,2,,\n10,CPU3,cpu,,1,8,slots,256,10,10\n10,CPU3,cpu,,1,8,PERF_METRICS,0x41404040,10,10\n10,CPU3,cpu,,,8,end,2,,\n"
        "10,t,thread,,,0,start,,,\n11,t,thread,,0,0,slots,counter_reset,1,1\n11,t,thread,,,0,end,1,,\n";
    char text[4096], wanted[4096];
    struct made m = {.calls = 0};

    snprintf(text, sizeof(text), "%s#cpu:  icl\r\n%s\n%s11,CPU3,cpu,,1,8,slots,25", head, tail, rows);
    snprintf(wanted, sizeof(wanted), "%s# cpu: icl\n%s%s", head, tail, rows);
    convert(&m, NULL, text, 7);
    same_log(&m.log, wanted, 7);
    m = (struct made){.calls = 0};
    snprintf(wanted, sizeof(wanted), "%s# cpu: rkl\n%s%s", head, tail, rows);
    convert(&m, "rkl", text, 7);
    same_log(&m.log, wanted, 7);
}

/* 2^64 - 1 is the most that a trace has; as a double it is 2^64, and is written as it was. The double before it has a
 * place, too. Without a time the one that
 * perf stat itself measured has a row of its own, and is no event beside it. */
static void numbers(void)
{
    same_trace("skl",
               COUNT("", "18446744073709551615", "cycles", "9,100.00")
                   COUNT("", "18446744073709549568", "uops_issued.any", "9,100.00"),
               IMPORT("skl"),
               ",system,system,,,0,start,,,\n,system,system,,0,0,cycles,18446744073709551615,9,9\n"
               ",system,system,,0,0,uops_issued.any,18446744073709549568,9,9\n,system,system,,,0,end,2,,\n");
    same_trace("skl", COUNT("", "100", "cycles", "9,100.00") COUNT("", "9000000", "duration_time", "9,100.00"),
               IMPORT("skl"),
               ",system,system,,,0,start,,,\n,system,system,,0,0,cycles,100,9,9\n"
               ",system,system,,0,0,duration_time,9000000,0,0\n,system,system,,,0,end,2,,\n");
}

/* The sizes of what is written. */
struct sizes {
    size_t size[16], n;
};

static int take_size(void *ctx, const void *buf, size_t size)
{
    struct sizes *s = ctx;

    (void)buf;
    if (s->n < sizeof(s->size) / sizeof(*s->size))
        s->size[s->n++] = size;
    return 0;
}

enum { LINE = 48, LINES = 4000, MOST = 64 * 1024 };

/* A trace is written in pieces of 64 KiB, and not one interval more: an interval here is three rows of less than 150
 * bytes in all. What is left is written at the end. */
static void pieces(void)
{
    static char text[LINE * LINES];
    struct sizes made = {.n = 0};
    struct source s;
    const struct td_result *r;
    struct td *td = td_new();
    size_t n = 0;

    for (unsigned i = 0; i < LINES; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%u.000000000,7,,cycles,9,100.00,,\n", i + 1);
    s = (struct source){text, n, 4096, 0};
    td_set_intervals(td, false);
    CU_ASSERT_FATAL(!td_set_uarch(td, "skl") && !td_set_convert(td, take_size, &made) &&
                    !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    CU_ASSERT_FATAL(made.n > 2 && made.n < sizeof(made.size) / sizeof(*made.size));
    for (size_t i = 0; i + 1 < made.n; i++)
        CU_ASSERT(made.size[i] >= MOST && made.size[i] < MOST + 150);
    CU_ASSERT(made.size[made.n - 1] > 0 && made.size[made.n - 1] < MOST);
    td_free(td);
}

/* What the recording says besides counts: its command, and whether SMT was on, which may be set. */
static void facts(void)
{
    static const char text[] =
        "# started on Fri Nov 20 12:12:20 2026\n\n\n Performance counter stats for 'make all':\n\n"
        "             1,000      cycles\n\n       0.002000000 seconds time elapsed\n\n";
    static const struct {
        const char *set, *line;
    } rows[] = {{"on", "\n# smt: on\n"}, {"off", "\n# smt: off\n"}, {"auto", "\n# smt: unknown\n"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {text, strlen(text), 4096, 0};
        struct made m = {.calls = 0};
        const struct td_result *r;
        struct td *td = td_new();

        td_set_intervals(td, false);
        CU_ASSERT_FATAL(!td_set_uarch(td, "skl") && !td_set_smt(td, rows[i].set) && !td_set_convert(td, take, &m) &&
                        !td_open(td, "f", source_read, &s));
        CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, rows[i].line));
        CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "\n# command: make all\n"));
        CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "\n# started: Fri Nov 20 12:12:20 2026\n"));
        CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "\n# origin: converted from perf-text\n"));
        td_free(td);
    }
}

static int convert_all(void *ctx)
{
    static const char text[] = " Performance counter stats for 'make all':\n\n             1,000      cycles\n\n"
                               "       0.002000000 seconds time elapsed\n\n";
    struct source s = {text, strlen(text), 4096, 0};
    struct sizes made = {.n = 0};
    const struct td_result *r;
    struct td *td = td_new();
    int err = td ? td_set_uarch(td, "skl") : -ENOMEM;

    (void)ctx;
    err = err ? err : td_set_convert(td, take_size, &made);
    err = err ? err : td_open(td, "f", source_read, &s);
    if (!err)
        td_set_intervals(td, false);
    err = err ? err : td_next(td, &r);
    CU_ASSERT(err != -ENODATA || made.n == 1);
    td_free(td);
    return err == -ENODATA ? 0 : err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(convert_all, NULL, 1, true) > 4);
}

static void refusals(void)
{
    struct made m = {.calls = 0};
    struct td *td = td_new();

    convert(&m, "skl", COUNT("", "100", "cycles", "5,99.00") "garbage,cycles\n", 9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "!-74 f:2: "));
    m = (struct made){.calls = 0};
    convert(&m, "skl", COUNT("", "100", "topdown-retiring", "5,99.00"), 9);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.log.text, "none of the events"));
    m = (struct made){.fails = 1};
    convert(&m, "skl", COUNT("", "100", "cycles", "5,99.00"), 9);
    CU_ASSERT_STRING_EQUAL(m.log.text, "!-28 the trace cannot be written: No space left on device");
    CU_ASSERT_EQUAL(td_set_convert(td, take, &m), 0);
    CU_ASSERT_EQUAL(td_set_convert(td, take, &m), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "converts already"));
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"intervals", intervals},
    {"words of a trace", words},
    {"hybrids", hybrids},
    {"a name for the CPU", cpus},
    {"several CPUs fit", several_cpus},
    {"traces", traces},
    {"refusals", refusals},
    {"numbers", numbers},
    {"pieces", pieces},
    {"facts", facts},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("convert", tests);
