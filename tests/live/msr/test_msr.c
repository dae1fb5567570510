/* SPDX-License-Identifier: MIT */
/* The source "msr" on simulated registers: which are written, in which order, with
 * which values; and which never. */
#include "tests/support/msr_machine.h"

#include <errno.h>

struct write {
    uint32_t reg;
    uint64_t value;
};

static void check_writes(const struct td *td, const char *what, const struct write *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct td_sim_msr_access *a = write_at(td, i);

        if (a && a->reg == w[i].reg && a->value == w[i].value && !a->err)
            continue;
        printf("%s, write %zu: 0x%x = 0x%llx, not 0x%x = 0x%llx\n", what, i, a ? a->reg : 0,
               (unsigned long long)(a ? a->value : 0), w[i].reg, (unsigned long long)w[i].value);
        CU_FAIL("another write");
        return;
    }
    CU_ASSERT_PTR_NULL(write_at(td, n));
}

/* ---- the order of writes ------------------------------------------------------- */

/* One reading, then the end. saved: the registers' initial values, including GLOBAL_CTRL. */
static void measure_once(const char *name, int cpu, int level, const struct write *w, size_t n)
{
    const struct td_live what = on(&cpu);
    struct td *td = begin(name, "msr 0x30a = 0x123456789abc\n");
    uint64_t before[REGISTERS];

    td_set_level(td, level);
    dump(td, cpu, before);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    pass(td, 10);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    check_writes(td, name, w, n);
    CU_ASSERT_TRUE(same(td, cpu, before));
    CU_ASSERT_EQUAL(descriptors(td), 0);
    td_free(td);
}

/* Values worked out by hand from the tables of Linux arch/x86/include/asm/perf_event.h: EN, OS
 * and USR are 0x430000; IA32_FIXED_CTR_CTRL has OS and USR, 3, for each counter. */
static void skylake(void)
{
    static const struct write w[] = {
        {0x38f, 0},
        {0x186, 0x4302c2},
        {0x187, 0x43010e},
        {0x188, 0x43010d},
        {0x189, 0x43019c},
        {0x38d, 0x30},
        {0x4c1, 0},
        {0x4c2, 0},
        {0x4c3, 0},
        {0x4c4, 0},
        {0x30a, 0},
        {0x390, 0x20000000f},
        {0x38f, 0x20000000f},
        /* the reading */
        {0x38f, 0},
        {0x4c1, 0},
        {0x4c2, 0},
        {0x4c3, 0},
        {0x4c4, 0},
        {0x30a, 0},
        {0x390, 0x20000000f},
        {0x38f, 0x20000000f},
        /* the end */
        {0x38f, 0},
        {0x38d, 0},
        {0x186, 0},
        {0x4c1, 0},
        {0x187, 0},
        {0x4c2, 0},
        {0x188, 0},
        {0x4c3, 0},
        {0x189, 0},
        {0x4c4, 0},
        {0x30a, 0x123456789abc},
        {0x390, 0x20000000f},
        {0x38f, 0x7000000ff},
    };

    measure_once("skylake-nosmt", 1, 1, w, LENGTH(w));
}

/* SLOTS before PERF_METRICS, with bits 35 and 48 for them everywhere. */
static void ice_lake(void)
{
    static const uint64_t all = BIT(48) | BIT(35) | 3;
    const struct write w[] = {
        {0x38f, 0}, {0x186, 0x43100d}, {0x187, 0x147010d},   {0x38d, 0x3000}, {0x4c1, 0},   {0x4c2, 0},
        {0x30c, 0}, {0x329, 0},        {0x390, all},         {0x38f, all},    {0x38f, 0},   {0x4c1, 0},
        {0x4c2, 0}, {0x30c, 0},        {0x329, 0},           {0x390, all},    {0x38f, all}, {0x38f, 0},
        {0x38d, 0}, {0x186, 0},        {0x4c1, 0},           {0x187, 0},      {0x4c2, 0},   {0x30c, 0},
        {0x329, 0}, {0x390, all},      {0x38f, 0xf000000ff},
    };

    measure_once("icelake", 2, 1, w, LENGTH(w));
}

static void golden_cove(void)
{
    static const uint64_t all = BIT(48) | BIT(35) | 1;
    const struct write w[] = {
        {0x38f, 0},   {0x186, 0x4310ad}, {0x38d, 0x3000}, {0x4c1, 0},           {0x30c, 0}, {0x329, 0},
        {0x390, all}, {0x38f, all},      {0x38f, 0},      {0x4c1, 0},           {0x30c, 0}, {0x329, 0},
        {0x390, all}, {0x38f, all},      {0x38f, 0},      {0x38d, 0},           {0x186, 0}, {0x4c1, 0},
        {0x30c, 0},   {0x329, 0},        {0x390, all},    {0x38f, 0xf000000ff},
    };

    measure_once("sapphirerapids", 3, 2, w, LENGTH(w));
    measure_once("alderlake", 3, 2, w, LENGTH(w)); /* a P-core */
}

/* Gracemont and Crestmont: SLOTS and PERF_METRICS are never accessed. */
static void e_cores(void)
{
    static const struct write gracemont[] = {
        {0x38f, 0},           {0x186, 0x4300c2},    {0x187, 0x430071},
        {0x188, 0x430074},    {0x38d, 0x30},        {0x4c1, 0},
        {0x4c2, 0},           {0x4c3, 0},           {0x30a, 0},
        {0x390, 0x200000007}, {0x38f, 0x200000007}, {0x38f, 0},
        {0x4c1, 0},           {0x4c2, 0},           {0x4c3, 0},
        {0x30a, 0},           {0x390, 0x200000007}, {0x38f, 0x200000007},
        {0x38f, 0},           {0x38d, 0},           {0x186, 0},
        {0x4c1, 0},           {0x187, 0},           {0x4c2, 0},
        {0x188, 0},           {0x4c3, 0},           {0x30a, 0x123456789abc},
        {0x390, 0x200000007}, {0x38f, 0x70000003f},
    };
    static const struct write crestmont[] = {
        {0x38f, 0},           {0x186, 0x430072},    {0x187, 0x430071}, {0x188, 0x430074},
        {0x189, 0x430073},    {0x38d, 0x30},        {0x4c1, 0},        {0x4c2, 0},
        {0x4c3, 0},           {0x4c4, 0},           {0x30a, 0},        {0x390, 0x20000000f},
        {0x38f, 0x20000000f}, {0x38f, 0},           {0x4c1, 0},        {0x4c2, 0},
        {0x4c3, 0},           {0x4c4, 0},           {0x30a, 0},        {0x390, 0x20000000f},
        {0x38f, 0x20000000f}, {0x38f, 0},           {0x38d, 0},        {0x186, 0},
        {0x4c1, 0},           {0x187, 0},           {0x4c2, 0},        {0x188, 0},
        {0x4c3, 0},           {0x189, 0},           {0x4c4, 0},        {0x30a, 0x123456789abc},
        {0x390, 0x20000000f}, {0x38f, 0x7000000ff},
    };

    measure_once("alderlake", 9, 1, gracemont, LENGTH(gracemont));
    measure_once("sierraforest", 4, 1, crestmont, LENGTH(crestmont));
}

/* ---- the table of registers -------------------------------------------------------- */

static void only_those_allowed(void)
{
    const uint32_t p_core[4] = {0x08300805, 0, 0xf, 0x8604}, e_core[4] = {0x08300805, 0, 0xf, 0x8604}, none[4] = {0},
                   atom[4] = {0x20000001}, core[4] = {0x40000001};
    const uint32_t more[4] = {0x3f, 0x77};
    struct td_msr_caps p, e, m;

    td_msr_caps_decode(p_core, none, core, 8, &p);
    td_msr_caps_decode(e_core, none, atom, 8, &e); /* even if everything else indicates that it has them */
    CU_ASSERT_TRUE(p.general == 0xff && p.fixed == 0xf && p.fields == 8 && p.general_bits == 48 && p.fixed_bits == 48 &&
                   !p.any && p.version == 5);
    CU_ASSERT_TRUE(td_msr_allowed(&p, 0x30c, true) && td_msr_allowed(&p, 0x329, true) &&
                   td_msr_mask(&p, 0x38f) == (BIT(48) | 0xf000000ff));
    CU_ASSERT_FALSE(td_msr_allowed(&e, 0x30c, false) || td_msr_allowed(&e, 0x329, false) ||
                    td_msr_allowed(&e, 0x30c, true));
    CU_ASSERT_EQUAL(td_msr_mask(&e, 0x38f), 0x7000000ff);
    CU_ASSERT_EQUAL(td_msr_mask(&p, 0x186), 0xffc7ffff); /* neither INT nor PC, and no ANY */
    CU_ASSERT_EQUAL(td_msr_mask(&p, 0x38d), 0x3333); /* no PMI */
    CU_ASSERT_FALSE(td_msr_allowed(&p, 0x4c1, true)); /* unless PERF_CAPABILITIES shows it */
    CU_ASSERT_FALSE(td_msr_allowed(&p, 0x38e, true) || td_msr_allowed(&p, 0x392, true) ||
                    td_msr_allowed(&p, 0x345, true));
    CU_ASSERT_FALSE(td_msr_allowed(&p, 0x10, false) || td_msr_allowed(&p, 0x1a0, true) ||
                    td_msr_allowed(&p, 0x18e, true) || td_msr_allowed(&p, 0x30d, false));
    td_msr_caps_decode(p_core, more, core, 4, &m); /* CPUID 0x23 takes precedence over 0xA */
    CU_ASSERT_TRUE(m.general == 0x3f && m.fixed == 0x77 && m.fields == 0);
}

/* CPUID 0xA: EAX has the version, how many counters, their width and how many architectural events EBX tells of;
 * EDX[4:0] how many fixed counters, EDX[12:5] their width, EDX[15] that none counts for any thread; ECX, from version 5
 * on, which fixed ones. CPUID 0x23 subleaf 1: EAX and EBX are both kinds of counters. CPUID 0x1A: 0x20 in EAX[31:24] is
 * Atom. */
static void capabilities(void)
{
    static const struct {
        uint32_t counters[4], more[2], kind;
        struct td_msr_caps is;
    } of[] = {
        {{0x07300404, 0x42, 0xff, 0x603},
         {0},
         0,
         {.version = 4,
          .general = 0xf,
          .fixed = 7,
          .general_bits = 48,
          .fixed_bits = 48,
          .missing = 0xffffffc2,
          .any = true}},
        {{0x08280605, 0, 0x77, 0x8804},
         {0},
         0,
         {.version = 5, .general = 0x3f, .fixed = 0x77, .general_bits = 40, .fixed_bits = 64, .missing = 0xffffff00}},
        {{0x1f300802, 1, 0, 0x603},
         {0},
         0,
         {.version = 2, .general = 0xff, .fixed = 7, .general_bits = 48, .fixed_bits = 48, .missing = 0x80000001}},
        {{0x20300803, 2, 0, 0x603},
         {0},
         0,
         {.version = 3, .general = 0xff, .fixed = 7, .general_bits = 48, .fixed_bits = 48, .missing = 2, .any = true}},
        {{0x21301f05, 0, 0, 0x8604}, /* ECX is 0, as of hypervisors: EDX counts */
         {0},
         0x40000001,
         {.version = 5, .general = 0x7fffffff, .fixed = 0xf, .general_bits = 48, .fixed_bits = 48, .fields = 8}},
        {{0x20302005, 0, 0xf, 0x8604}, /* 32 counters, then 33 */
         {0},
         0x21000001,
         {.version = 5, .general = UINT32_MAX, .fixed = 0xf, .general_bits = 48, .fixed_bits = 48, .fields = 8}},
        {{0x20302105, 0, 0xf, 0x8604},
         {0},
         0x20000001,
         {.version = 5, .general = UINT32_MAX, .fixed = 7, .general_bits = 48, .fixed_bits = 48}},
        {{0x20300805, 0, 0xf, 0x8604},
         {0x30001, 0},
         0,
         {.version = 5, .general = 0x30001, .general_bits = 48, .fixed_bits = 48}},
        {{0x20300805, 0, 0xf, 0x8604}, /* the control of fixed counter 16 would be beyond its register */
         {0, 0x18009},
         0,
         {.version = 5, .fixed = 0x8009, .general_bits = 48, .fixed_bits = 48, .fields = 8}},
    };

    for (size_t i = 0; i < LENGTH(of); i++) {
        const uint32_t more[4] = {of[i].more[0], of[i].more[1]}, kind[4] = {of[i].kind};
        const struct td_msr_caps *is = &of[i].is;
        struct td_msr_caps c;

        td_msr_caps_decode(of[i].counters, more, kind, 8, &c);
        if (c.version != is->version || c.general != is->general || c.fixed != is->fixed ||
            c.general_bits != is->general_bits || c.fixed_bits != is->fixed_bits || c.missing != is->missing ||
            c.any != is->any || c.fields != is->fields || c.amd || c.pdcm || c.full) {
            printf("%zu: version %u, counters %x and %x of %u and %u bits, missing %x, any %d, fields %u\n", i,
                   c.version, c.general, c.fixed, c.general_bits, c.fixed_bits, c.missing, c.any, c.fields);
            CU_FAIL("other capabilities");
        }
    }
}

/* AMD's addresses: APM 2, 13.2, "Performance Counter MSRs" and PerfMonV2. */
static void those_of_amd(void)
{
    const uint32_t extended[4] = {0, 0, 1 << 23}, six[4] = {1, 0x4106}, old[4] = {0, 6}, none[4] = {0};
    struct td_msr_caps a, o;
    char name[TD_MSR_NAME];

    td_msr_caps_decode_amd(extended, six, &a);
    CU_ASSERT(a.amd && a.version == 4 && a.general == 0x3f && !a.fixed && a.general_bits == 48 && a.fixed_bits == 48);
    CU_ASSERT(a.full && !a.fields && !a.any && !a.pdcm && !a.missing);
    td_msr_caps_decode_amd(extended, (const uint32_t[4]){1, 0x4f}, &o);
    CU_ASSERT_EQUAL(o.general, 0x7fff);
    td_msr_caps_decode_amd(extended, old, &o); /* no register switches them together */
    CU_ASSERT_EQUAL(o.version, 0);
    td_msr_caps_decode_amd(none, six, &o); /* none of the registers is there */
    CU_ASSERT_EQUAL(o.version, 0);
    CU_ASSERT(td_msr_address(&a, TD_MSR_EVTSEL) == 0xc0010200 && td_msr_address(&a, TD_MSR_FULL) == 0xc0010201);
    CU_ASSERT(td_msr_address(&a, TD_MSR_EVTSEL + 5) == 0xc001020a && td_msr_address(&a, TD_MSR_FULL + 5) == 0xc001020b);
    CU_ASSERT(td_msr_address(&a, TD_MSR_STATUS) == 0xc0000300 && td_msr_address(&a, TD_MSR_GLOBAL) == 0xc0000301);
    CU_ASSERT(td_msr_address(&a, TD_MSR_RESET) == 0xc0000302 && td_msr_address(&a, TD_MSR_SET) == 0xc0000303);
    CU_ASSERT(td_msr_allowed(&a, TD_MSR_FULL + 5, true) && !td_msr_allowed(&a, TD_MSR_FULL + 6, true));
    CU_ASSERT(td_msr_allowed(&a, TD_MSR_GLOBAL, true) && !td_msr_allowed(&a, TD_MSR_STATUS, true));
    CU_ASSERT_FALSE(td_msr_allowed(&a, TD_MSR_PMC, false) || td_msr_allowed(&a, TD_MSR_FIXED, false) ||
                    td_msr_allowed(&a, TD_MSR_FIXED_CTRL, false) || td_msr_allowed(&a, TD_MSR_INUSE, false) ||
                    td_msr_allowed(&a, TD_MSR_CAPABILITIES, false) || td_msr_allowed(&a, TD_MSR_METRICS, false));
    CU_ASSERT_EQUAL(td_msr_mask(&a, TD_MSR_EVTSEL), UINT64_C(0xfffc7ffff)); /* event bits 35:32; no INT */
    CU_ASSERT_EQUAL(td_msr_mask(&a, TD_MSR_GLOBAL), 0x3f);
    CU_ASSERT_STRING_EQUAL(td_msr_name(&a, TD_MSR_EVTSEL + 1, name), "PERF_CTL1 (0xc0010202)");
    CU_ASSERT_STRING_EQUAL(td_msr_name(&a, TD_MSR_GLOBAL, name), "PerfCntrGlobalCtl (0xc0000301)");
}

/* By hand: 1000 * 0x80 / 255 is 501.96, and (2^48 - 1) * 0xff / 255 is all of it. */
static void values(void)
{
    struct td_event events[] = {
        {.field = TD_FIELD_RETIRING}, {.field = TD_FIELD_MEMORY_BOUND}, {.field = -1}, {.field = -1}, {.field = -1}};
    const struct td_msr_set s = {.event = events, .nevents = 5, .counter = (signed char[]){-1, -1, 2, 33, -1}};
    struct td_msr_reading r = {
        .general = {5, 6, 7}, .fixed = {8, 9, 10, 1000}, .metrics = UINT64_C(0xff00000000000080)};

    CU_ASSERT_TRUE(td_msr_value(&s, 0, &r) == 501 && td_msr_value(&s, 1, &r) == 1000);
    CU_ASSERT_TRUE(td_msr_value(&s, 2, &r) == 7 && td_msr_value(&s, 3, &r) == 9 && td_msr_value(&s, 4, &r) == 0);
    r.fixed[3] = BIT(48) - 1;
    CU_ASSERT_EQUAL(td_msr_value(&s, 1, &r), BIT(48) - 1);
}

/* Any thread, on a fixed counter and on a programmable one; user mode only. */
static void any_thread(void)
{
    static const struct td_event events[] = {
        {"CLOCK_ANY", 0x20003c, "fixed 1", "fixed 1", -1, 1, 1, true, .config1 = 0},
        {"RECOVERY_ANY", 0x120010d, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    };
    const struct td_uarch row = {.events = events, .nevents = 2};
    const struct td_counters counters = {.general = 4, .fixed = 7};
    const struct td_msr_caps caps = {.general = 0xf, .fixed = 7, .any = true};
    const struct td_bits both = {&(uint64_t){3}, 1};
    struct td_msr_set s = {0};

    CU_ASSERT_EQUAL(td_msr_set_make(&caps, &counters, &row, &both, NULL, 0, false, true, &s), 0);
    CU_ASSERT_TRUE(s.program.fixed_ctrl == 0x60 && s.program.evtsel[0] == 0x161010d && s.program.global == 0x200000001);
    CU_ASSERT_EQUAL(td_msr_set_make(&caps, &counters, &row, &both, NULL, 0, true, false, &s), 0);
    CU_ASSERT_TRUE(s.program.fixed_ctrl == 0x50 && s.program.evtsel[0] == 0x162010d);
    td_msr_set_free(&s);
}

/* PERF_METRICS is read with the counter of slots where the CPU has it, and is enabled by bit 48 where a field of it
 * counts. */
static void metrics(void)
{
    static const struct td_event events[] = {
        {"TOPDOWN.SLOTS", 0x400, "fixed 3", "fixed 3", -1, 1, 1, true, .config1 = 0},
        {"FIELD", 0x8000, "", "", 0, 1, 1, true, .config1 = 0},
        {"OTHER", 0x1c2, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    };
    static const struct {
        unsigned fields;
        uint64_t set;
        bool metrics;
        uint64_t global;
    } of[] = {{8, 7, true, BIT(48) | BIT(35) | 1}, {8, 1, true, BIT(35)}, {8, 4, false, 1}, {0, 5, false, BIT(35) | 1}};
    const struct td_uarch row = {.events = events, .nevents = 3};
    const struct td_counters counters = {.general = 4, .fixed = 15, .fields = 8};

    for (size_t i = 0; i < LENGTH(of); i++) {
        const struct td_msr_caps caps = {.general = 0xf, .fixed = 15, .fields = of[i].fields};
        const struct td_bits set = {(uint64_t[]){of[i].set}, 1};
        struct td_msr_set s = {0};

        CU_ASSERT_EQUAL(td_msr_set_make(&caps, &counters, &row, &set, NULL, 0, false, false, &s), 0);
        CU_ASSERT(s.program.metrics == of[i].metrics && s.program.global == of[i].global);
        CU_ASSERT_EQUAL(s.program.fixed_ctrl, of[i].set & 1 ? 0x3000 : 0);
        CU_ASSERT_EQUAL(s.program.evtsel[0], of[i].set & 4 ? 0x4301c2 : 0);
        td_msr_set_free(&s);
    }
}

static int read_nothing(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    (void)ctx, (void)fd, (void)reg;
    *value = 0;
    return 0;
}

/* A register that is not in the table, and one that was not saved, are a bug; the one next to it is read. */
static void not_allowed(void)
{
    static const uint32_t eight[4] = {0x08300805, 0, 0xf, 0x8604}, none[4] = {0};
    const struct td_os os = {.msr_read = read_nothing};
    struct td_msr m = {.os = &os, .cpu = 3};
    uint64_t value = 1;

    td_msr_caps_decode(eight, none, none, 4, &m.caps);
    CU_ASSERT_EQUAL(td_msr_get(&m, TD_MSR_EVTSEL + 8, &value), -ENOTRECOVERABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.why, "is not to be read, or not so: a bug of tdprobe"));
    CU_ASSERT_EQUAL(value, 1);
    CU_ASSERT_EQUAL(td_msr_get(&m, TD_MSR_EVTSEL + 7, &value), 0);
    CU_ASSERT_EQUAL(value, 0);
    CU_ASSERT_EQUAL(td_msr_put(&m, TD_MSR_EVTSEL + 7, 0), -ENOTRECOVERABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(m.why, "is not to be written, or not so: a bug of tdprobe"));
}

static const CU_TestInfo tests[] = {
    {"order of writes: Skylake", skylake},
    {"order of writes: Ice Lake", ice_lake},
    {"order of writes: Sapphire Rapids, Alder Lake P", golden_cove},
    {"order of writes: Alder Lake E, Sierra Forest", e_cores},
    {"only registers allowed", only_those_allowed},
    {"capabilities", capabilities},
    {"those of AMD", those_of_amd},
    {"values of events", values},
    {"any thread, modes", any_thread},
    {"PERF_METRICS", metrics},
    {"not allowed", not_allowed},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr", tests);
