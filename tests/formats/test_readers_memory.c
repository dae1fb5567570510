/* SPDX-License-Identifier: MIT */
/* Each format read while memory runs out: the reader says so, and frees what it has. */
#include "tests/support/memory.h"
#include "tests/support/open_recording.h"
#include "tests/support/perf_file.h"
#include "tests/support/unit.h"

struct recording {
    const void *bytes;
    size_t n;
    size_t intervals; /* that there are */
};

static int read_it(void *ctx)
{
    static struct opened o;
    const struct recording *r = ctx;
    struct source from = {r->bytes, r->n, 64, 0};
    int err = open_recording(&o, &from, NULL, NULL, NULL);
    size_t n = 0;

    while (!err && !(err = next_batch(&o)))
        n += o.r->stream.nbatch;
    close_recording(&o);
    if (err != -ENODATA)
        return err;
    CU_ASSERT_EQUAL(n, r->intervals);
    return 0;
}

/* So many allocations at least have failed. */
static void each_text(const char *text, size_t intervals, unsigned long least)
{
    const struct recording r = {text, strlen(text), intervals};

    CU_ASSERT(memory_each(read_it, (void *)(uintptr_t)&r, 1, false) >= least);
}

/* More scopes and events than there is room for at first. */
#define CSV(scope_, event_) "1.000000000," scope_ ",5,," event_ ",9,100.00,1.5,insn per cycle\n"
#define SCOPES(event_) \
    CSV("CPU0", event_) CSV("CPU1", event_) CSV("CPU2", event_) CSV("CPU3", event_) CSV("CPU4", event_)

static void csv(void)
{
    each_text(SCOPES("a") SCOPES("b") SCOPES("c") SCOPES("a"), 5, 20);
    each_text("\"5\"::\"\"::\"foo\"::\"9\"::\"100.00\"\n\"6\"::\"\"::\"bar\"::\"9\"::\"100.00\"\n", 1, 8);
    each_text("# started on Thu Nov 26 10:00:00 2026\n\n5,,a,9,100.00,,\n# started on Thu Nov 26 10:01:00 2026\n\n"
              "5,,b,9,100.00,,\n",
              2, 8);
}

#define JSON(cpu_, event_) \
    "{\"interval\" : 1.000000000, \"cpu\" : \"" cpu_ "\", \"counter-value\" : \"5.000000\", \"unit\" : \"\", " \
    "\"event\" : \"" event_ "\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00, \"metric-value\" : \"0.5\", " \
    "\"metric-unit\" : \"insn per cycle\"}\n"

static void json(void)
{
    each_text(JSON("0", "a") JSON("1", "a") JSON("2", "a") JSON("3", "a") JSON("4", "a") JSON("0", "b"), 5, 15);
}

static void text(void)
{
    each_text("     1.000000000    5   slots   #  0.5 insn per cycle\n     1.000000000    6   cycles\n"
              "     0.500000000    5   slots\n",
              2, 8);
}

#define TRACE_ROW(scope_, event_) "9," scope_ ",cpu,,0,0," event_ ",5,9,9\n"
#define TRACE(scope_) \
    "0," scope_ ",cpu,,,0,start,,,\n" TRACE_ROW(scope_, "cycles") \
        TRACE_ROW(scope_, "instructions") "9," scope_ ",cpu,,,0,end,2,,\n"

static void trace(void)
{
    each_text("# tdprobe-trace: 1\n# cpu: skl\n# command: a b\n# note: c\n"
              "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n" TRACE("CPU0")
                  TRACE("CPU1") TRACE("CPU2") TRACE("CPU3") TRACE("CPU4"),
              5, 15);
}

static void arm(void)
{
    each_text("run,time,event,value\n1,,a,5.0\n1,,b,5.0\n2,,c,5.0\n3,,a,5.0\n", 1, 8);
}

/* What the command was can be done without. */
static void perf_data(void)
{
    struct file *f = begin();
    struct recording r;

    head(f), config(f, 1), update(f, 1, 11, NULL, 2);
    count(f, 11, 0, 0, 1000, 100, 100), count(f, 12, 1, 0, 3000, 100, 100);
    count(f, 21, 0, 0, 300, 100, 100), count(f, 22, 1, 0, 100, 100, 100);
    end_of_round(f, 0, 1000000000);
    finish(f);
    r = (struct recording){f->b, f->n, 1};
    CU_ASSERT(memory_each(read_it, &r, 1, true) >= 12);
}

static const CU_TestInfo tests[] = {
    {"perf stat -x", csv}, {"perf stat -j", json},          {"perf stat's text", text}, {"traces", trace},
    {"topdown-tool", arm}, {"perf stat record", perf_data}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("readers without memory", tests);
