/* SPDX-License-Identifier: MIT */
/* Plans as perf stat -e takes them: of events that are made up, with names as perf-list(1) writes them. */
#include "live/plan/plan.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS, PLAIN, MASKED, BOTH, OCR, KERNEL, TSC, LOWER, SHORT, EVENTS };

static const struct td_event events[EVENTS] = {
    [SLOTS] = {.name = "TOPDOWN.SLOTS", .config = 0x400, .field = -1},
    [PLAIN] = {.name = "INT_MISC.Uop_Dropping", .config = 0x100d, .field = -1},
    [MASKED] = {.name = "CPU_CLK:c1:e1:i1", .config = 0x1003c, .field = -1},
    [BOTH] = {.name = "X.Y:umask=3:u5:eq1", .config = 0x503, .field = -1},
    [OCR] = {.name = "OCR.A:ocr_msr_val=0x10", .config = 0x12a, .config1 = 0x10, .field = -1},
    [KERNEL] = {.name = "INST:k", .config = 0, .modes = TD_MODE_KERNEL, .base = PLAIN, .field = -1},
    [TSC] = {.name = "msr/tsc/", .kind = TD_EVENT_TSC, .field = -1},
    [LOWER] = {.name = "topdown-retiring", .config = 0x8000, .field = 0},
    [SHORT] = {.name = "Z", .config = 1, .modes = TD_MODE_USER, .base = MASKED, .field = -1},
};
static const struct td_uarch row = {.name = "made-up", .events = events, .nevents = EVENTS};

static struct td_plan plan;
static struct td_plan_group groups[3];
static uint16_t members[3][EVENTS];

/* A group of events, given by a word of bits; all but those of absent can be counted. */
static void group(size_t g, unsigned set, unsigned absent)
{
    td_bits_free(&groups[g].set);
    td_bits_free(&groups[g].able);
    groups[g] = (struct td_plan_group){.event = members[g]};
    CU_ASSERT_FATAL(!td_bits_new(&groups[g].set, EVENTS) && !td_bits_new(&groups[g].able, EVENTS));
    for (unsigned e = 0; e < EVENTS; e++)
        if (set >> e & 1) {
            members[g][groups[g].n++] = (uint16_t)e;
            td_bits_add(&groups[g].set, e);
            if (!(absent >> e & 1))
                td_bits_add(&groups[g].able, e);
        }
}

static void begin(size_t n)
{
    td_bits_free(&plan.sampled);
    plan = (struct td_plan){.group = groups, .ngroups = n};
    CU_ASSERT_EQUAL_FATAL(td_bits_new(&plan.sampled, EVENTS), 0);
}

static void is(const char *pmu, bool several, unsigned only, enum td_perf_words words, const char *wanted)
{
    char *text = td_perf_events_text(&plan, &row, pmu, several, only, words);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    if (strcmp(text, wanted))
        printf("\n    %s and not %s\n", text, wanted);
    free(text);
}

static void by_name(void)
{
    begin(1);
    group(0, 1 << SLOTS | 1 << PLAIN | 1 << LOWER | 1 << TSC, 0);
    is("cpu", false, 0, TD_PERF_NAMES, "{slots,int_misc.uop_dropping,msr/tsc/,topdown-retiring}");
    is("cpu_core", true, 0, TD_PERF_NAMES,
       "{cpu_core/slots/,cpu_core/int_misc.uop_dropping/,msr/tsc/,cpu_core/topdown-retiring/}");
    group(0, 1 << MASKED | 1 << BOTH | 1 << SHORT, 0);
    is("cpu", false, 0, TD_PERF_NAMES, "{cpu/cpu_clk,cmask=1,edge=1,inv=1/,cpu/x.y,umask=5,eq=1/,z}");
    is("cpu_core", true, 0, TD_PERF_NAMES,
       "{cpu_core/cpu_clk,cmask=1,edge=1,inv=1/,cpu_core/x.y,umask=5,eq=1/,cpu_core/z/u}");
    group(0, 1 << KERNEL, 0);
    is("cpu", false, 0, TD_PERF_NAMES, "{cpu/inst/k}");
}

static void by_encoding(void)
{
    begin(1);
    group(0, 1 << SLOTS | 1 << PLAIN | 1 << TSC | 1 << LOWER, 0);
    is("cpu", false, 0, TD_PERF_ENCODINGS,
       "{slots,cpu/config=0x100d,name=int_misc.uop_dropping/,msr/tsc/,topdown-retiring}");
    group(0, 1 << MASKED | 1 << OCR | 1 << KERNEL | 1 << SHORT, 0);
    is("cpu_core", true, 0, TD_PERF_ENCODINGS,
       "{cpu_core/config=0x1003c/,cpu_core/config=0x12a,config1=0x10/,cpu_core/config=0x100d/k,"
       "cpu_core/config=0x1003c,name=z/u}");
    /* no name has a term for the value of that register */
    group(0, 1 << OCR, 0);
    is("cpu", false, 0, TD_PERF_NAMES, "{cpu/config=0x12a,config1=0x10/}");
}

/* Several groups; without what cannot be counted, and those that take turns one by one. */
static void several(void)
{
    begin(3);
    group(0, 1 << SLOTS | 1 << PLAIN, 1 << PLAIN);
    group(1, 1 << PLAIN, 1 << PLAIN);
    group(2, 1 << PLAIN | 1 << SHORT, 1 << PLAIN);
    is("cpu", false, 0, TD_PERF_NAMES, "{slots},{z}");
    plan.first = TD_FIRST_STAYS;
    is("cpu", false, 0, TD_PERF_NAMES, "{slots}:D,{z}");
    is("cpu", false, 3, TD_PERF_NAMES, "{z}");
    is("cpu", false, 1, TD_PERF_NAMES, "{slots}:D");
    plan.first = TD_FIRST_TAKES_TURNS;
    is("cpu", false, 1, TD_PERF_NAMES, "{slots}");
    is("cpu", false, 2, TD_PERF_NAMES, "");
    is("cpu", false, 3, TD_PERF_NAMES, "{z}");
    plan.together = true; /* then none takes turns */
    is("cpu", false, 3, TD_PERF_NAMES, "{slots},{z}");
    begin(0);
    is("cpu", false, 0, TD_PERF_NAMES, "");
}

/* Of latencies the names alone, in no group. */
static void latencies(void)
{
    begin(1);
    group(0, 1 << SLOTS, 0);
    is("cpu", false, 0, TD_PERF_LATENCIES, "");
    td_bits_add(&plan.sampled, PLAIN);
    is("cpu", false, 0, TD_PERF_LATENCIES, "int_misc.uop_dropping:R");
    td_bits_add(&plan.sampled, MASKED);
    is("cpu", false, 0, TD_PERF_LATENCIES, "int_misc.uop_dropping:R,cpu_clk:R");
    is("cpu_core", true, 0, TD_PERF_LATENCIES, "cpu_core/int_misc.uop_dropping/R,cpu_core/cpu_clk/R");
}

/* The sets of bits that tests have left. */
static void finish(void)
{
    td_bits_free(&plan.sampled);
    for (size_t g = 0; g < 3; g++) {
        td_bits_free(&groups[g].set);
        td_bits_free(&groups[g].able);
        groups[g] = (struct td_plan_group){.n = 0};
    }
}

/* A name is cut to 95 characters. */
static void long_names(void)
{
    char name[200], wanted[200];
    const struct td_event longs[] = {{.name = name, .config = 1, .field = -1}};
    const struct td_uarch u = {.name = "long", .events = longs, .nevents = 1};

    begin(1);
    group(0, 1, 0);
    for (size_t n = 94; n <= 97; n++) {
        char *text;

        memset(name, 'A', n);
        name[n] = '\0';
        memset(wanted, 'a', sizeof(wanted));
        wanted[0] = '{';
        strcpy(wanted + 1 + (n < 95 ? n : 95), "}");
        text = td_perf_events_text(&plan, &u, "cpu", false, 0, TD_PERF_NAMES);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        CU_ASSERT_STRING_EQUAL(text, wanted);
        free(text);
    }
    finish();
}

static const CU_TestInfo tests[] = {
    {"by name", by_name},     {"by encoding", by_encoding}, {"several groups", several},
    {"latencies", latencies}, {"long names", long_names},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("plans for perf", tests);
