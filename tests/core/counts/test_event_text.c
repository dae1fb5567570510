/* SPDX-License-Identifier: MIT */
/* Events as perf writes them, and kinds of core: every term, letter and name. */
#include "core/core_kind.h"
#include "core/counts/counts.h"
#include "core/counts/event_text.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* Bits of perf_event_attr.config on x86, as /sys/bus/event_source/devices/cpu/format has them: event 0-7, umask 8-15,
 * edge 18, pc 19, any 21, inv 23, cmask 24-31, and eq 36; values that are too large lose their upper bits. AMD's event
 * select has 12 bits, 8-11 of which are bits 32-35. */
static void encodings(void)
{
    static const struct {
        const char *text;
        bool coded;
        uint64_t config, change, mask;
    } rows[] = {
        {"cpu/event=0x9c,umask=0x1/", true, 0x9c, 0x100, 0xff00},
        {"cpu/event=0xff,umask=0x1ff/", true, 0xff, 0xff00, 0xff00},
        {"cpu/event=0x1,edge/", true, 1, 1 << 18, 1 << 18},
        {"cpu/event=0x1,pc/", true, 1, 1 << 19, 1 << 19},
        {"cpu/event=0x1,any=1/", true, 1, 1 << 21, 1 << 21},
        {"cpu/event=0x1,inv=1/", true, 1, 1 << 23, 1 << 23},
        {"cpu/event=0x1,inv=2/", true, 1, 0, 1 << 23},
        {"cpu/event=0x1,CMASK=0x81/", true, 1, UINT64_C(0x81000000), UINT64_C(0xff000000)},
        {"cpu/event=0x1,eq/", true, 1, UINT64_C(1) << 36, UINT64_C(1) << 36},
        {"cpu/event=0x1a3/", true, UINT64_C(0x1000000a3), 0, 0},
        {"cpu/event=0xfa3/", true, UINT64_C(0xf000000a3), 0, 0},
        {"cpu/event=0x10a3/", true, 0xa3, 0, 0},
        {"cpu_core/event=0x1a3/", true, 0x1a3, 0, 0},
        {"cpu/config=0x1a3/", true, 0x1a3, 0, 0},
        {"cpu/event/", false, 0, 0, 0},
        {"r19c", true, 0x19c, 0, 0},
        {"R19C:u", true, 0x19c, 0, 0},
        {"r1", true, 1, 0, 0},
        {"r0123456789abcdef", true, UINT64_C(0x0123456789abcdef), 0, 0},
        {"r00123456789abcdef", false, 0, 0, 0},
        {"r", false, 0, 0, 0},
        {"r19g", false, 0, 0, 0},
        {"x19", false, 0, 0, 0},
        {"cpu/slots,cmask=1,edge/", false, 0, 0x1040000, UINT64_C(0xff040000)},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_event_text t;

        td_event_text_parse(rows[i].text, &t);
        if (t.coded != rows[i].coded || t.config != rows[i].config || t.change != rows[i].change ||
            t.mask != rows[i].mask)
            printf("\n    %s", rows[i].text);
        CU_ASSERT(t.coded == rows[i].coded && t.config == rows[i].config && t.change == rows[i].change &&
                  t.mask == rows[i].mask);
    }
}

static void names(void)
{
    static const struct {
        const char *text, *pmu, *name;
        unsigned modes;
        bool generic, latency;
    } rows[] = {
        {"slots", "", "slots", 0, false, false},
        {"slots:u", "", "slots", TD_MODE_USER, false, false},
        {"slots:k", "", "slots", TD_MODE_KERNEL, false, false},
        {"slots:h", "", "slots", TD_MODE_HYPERVISOR, false, false},
        {"slots:G", "", "slots", TD_MODE_GUEST, false, false},
        {"slots:H", "", "slots", TD_MODE_HOST, false, false},
        {"slots:ukp", "", "slots", TD_MODE_USER | TD_MODE_KERNEL, false, false},
        {"slots:ppSDWbeI", "", "slots", 0, false, false},
        {"slots:", "", "slots", 0, false, false},
        {"MEM.L1_HIT:R", "", "MEM.L1_HIT", 0, false, true},
        {"UOPS_DISPATCHED.THREAD:c1", "", "UOPS_DISPATCHED.THREAD:c1", 0, false, false},
        {"a:c1:u", "", "a:c1", TD_MODE_USER, false, false},
        {"cpu_core/topdown-retiring/", "cpu_core", "topdown-retiring", 0, false, false},
        {"cpu/slots/k", "cpu", "slots", TD_MODE_KERNEL, false, false},
        {"cpu/slots/uR", "cpu", "slots", TD_MODE_USER, false, true},
        {"cycles", "", "cycles", 0, true, false},
        {"CPU-CYCLES:u", "", "CPU-CYCLES", TD_MODE_USER, true, false},
        {"cpu_atom/instructions/", "cpu_atom", "instructions", 0, true, false},
        {"cycles2", "", "cycles2", 0, false, false},
        {"cpu/first,second/", "cpu", "first", 0, false, false},
        {"a/b", "", "a/b", 0, false, false},
        {"//", "", "", 0, false, false},
        {"cpu/edge/", "cpu", "", 0, false, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_event_text t;

        td_event_text_parse(rows[i].text, &t);
        if (t.modes != rows[i].modes || t.generic != rows[i].generic || t.latency != rows[i].latency)
            printf("\n    %s", rows[i].text);
        CU_ASSERT_STRING_EQUAL(t.pmu, rows[i].pmu);
        CU_ASSERT_STRING_EQUAL(t.name, rows[i].name);
        CU_ASSERT(t.modes == rows[i].modes && t.generic == rows[i].generic && t.latency == rows[i].latency);
    }
}

/* Terms that change nothing, those of extra registers, those that add up a core, and all others, which make it a
 * special event. */
static void terms(void)
{
    static const struct {
        const char *term;
        bool special, percore;
        uint64_t config1;
    } rows[] = {
        {"name=x", false, false, 0},        {"period=7", false, false, 0},   {"freq=7", false, false, 0},
        {"metric-id=7", false, false, 0},   {"inherit", false, false, 0},    {"no-inherit", false, false, 0},
        {"LONG", false, false, 0},          {"rdpmc=1", false, false, 0},    {"nam=x", true, false, 0},
        {"names=x", true, false, 0},        {"other", true, false, 0},       {"config1=0x12", false, false, 0x12},
        {"offcore_rsp=3", false, false, 3}, {"FRONTEND=4", false, false, 4}, {"ldlat=5", false, false, 5},
        {"ldlat", true, false, 0},          {"config2=5", true, false, 0},   {"percore", false, true, 0},
        {"Percore=1", false, true, 0},      {"percore=0", false, false, 0},  {"percores", true, false, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_event_text t;
        char text[64];

        snprintf(text, sizeof(text), "cpu/slots,%s/", rows[i].term);
        td_event_text_parse(text, &t);
        if (t.special != rows[i].special || t.percore != rows[i].percore)
            printf("\n    %s", text);
        CU_ASSERT_STRING_EQUAL(t.name, "slots");
        CU_ASSERT(t.special == rows[i].special && t.percore == rows[i].percore && t.config1 == rows[i].config1 &&
                  t.has_config1 == (rows[i].config1 > 0));
        snprintf(text, sizeof(text), "cpu/slots,%s,name=y/", rows[i].term); /* what comes behind takes nothing back */
        td_event_text_parse(text, &t);
        CU_ASSERT(t.special == rows[i].special && t.percore == rows[i].percore);
    }
}

static void kinds_of_core(void)
{
    static const struct {
        char core;
        const char *name, *pmu;
    } rows[TD_CORES] = {{0, "", NULL}, {'P', "P", "cpu_core"}, {'E', "E", "cpu_atom"}, {'L', "LP", "cpu_lowpower"}};
    static const char *const others[] = {"cpu", "", "cpu_cores", "cpu_cor", "uncore"};

    for (size_t i = 0; i < TD_CORES; i++) {
        CU_ASSERT_EQUAL(td_core_index(rows[i].core), i);
        CU_ASSERT_STRING_EQUAL(td_core_name(rows[i].core), rows[i].name);
        if (!rows[i].pmu) {
            CU_ASSERT_PTR_NULL(td_core_pmu(rows[i].core));
            continue;
        }
        CU_ASSERT_STRING_EQUAL(td_core_pmu(rows[i].core), rows[i].pmu);
        CU_ASSERT_EQUAL(td_core_of_pmu(rows[i].pmu), rows[i].core);
    }
    CU_ASSERT(td_core_index('X') == 0 && !td_core_pmu('X'));
    for (size_t i = 0; i < LENGTH(others); i++)
        CU_ASSERT_EQUAL(td_core_of_pmu(others[i]), 0);
}

static const CU_TestInfo tests[] = {
    {"encodings", encodings}, {"names", names}, {"terms", terms}, {"kinds of core", kinds_of_core}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("texts of events", tests);
