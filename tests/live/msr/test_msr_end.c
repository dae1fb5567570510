/* SPDX-License-Identifier: MIT */
/* Whether counters are free; what is written back at the end, register by register, while others have taken counters
 * meanwhile (Intel SDM 3B, "Architectural Performance Monitoring") and while writes fail; and what a reading has. */
#include "live/msr/msr.h"
#include "tests/support/pieces.h"
#include "tests/support/unit.h"

#include <errno.h>

#define BIT(n) (UINT64_C(1) << (n))

enum {
    FD = 0, /* a descriptor as any other */
    EVTSEL = 0x186,
    FIXED = 0x309,
    METRICS = 0x329,
    FIXED_CTRL = 0x38d,
    STATUS,
    GLOBAL,
    RESET,
    SET,
    INUSE,
    NARROW = 0xc1, /* counters of which 32 bits can be written */
    COUNTER = 0x4c1,
    REGISTERS = 0x500,
};

/* A CPU of eight programmable and four fixed counters with PERF_METRICS. */
static struct {
    uint64_t reg[REGISTERS], now;
    uint32_t failing; /* writes of this register fail, so many times */
    unsigned fails;
    int closed;
    struct log writes;
} cpu;

static int read_register(void *ctx, int fd, uint32_t reg, uint64_t *out)
{
    (void)ctx;
    CU_ASSERT(fd == FD && reg < REGISTERS);
    *out = cpu.reg[reg];
    return 0;
}

static int write_register(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    (void)ctx;
    CU_ASSERT(fd == FD && reg < REGISTERS);
    if (reg == cpu.failing && cpu.fails) {
        cpu.fails--;
        return -EIO;
    }
    put(&cpu.writes, "%x=%llx ", reg, (unsigned long long)value);
    if (reg == RESET)
        cpu.reg[STATUS] &= ~value;
    else if (reg == SET)
        cpu.reg[STATUS] |= value;
    else
        cpu.reg[reg] = value;
    return 0;
}

static int close_registers(void *ctx, int fd)
{
    (void)ctx;
    cpu.closed = fd;
    return 0;
}

static uint64_t now(void *ctx)
{
    (void)ctx;
    return cpu.now;
}

static const struct td_os os = {
    .name = "registers", .msr_read = read_register, .msr_write = write_register, .close = close_registers, .now = now};

/* Programmable counters 0 and 1, fixed ones 0, 1 and 3 with the metrics: user and kernel mode. */
static const struct td_msr_program program = {.general = 3,
                                              .fixed = 0xb,
                                              .metrics = true,
                                              .evtsel = {0x4300c2, 0x43010e},
                                              .fixed_ctrl = 0x3033,
                                              .global = BIT(48) | BIT(35) | BIT(33) | BIT(32) | 3};

/* What the registers hold that are going to be written. */
static const struct {
    uint32_t reg;
    uint64_t value;
} before[] = {
    {FIXED_CTRL, 0x200},  {EVTSEL, 0x300c1},     {COUNTER, 0x111},      {EVTSEL + 1, 0x300c4},
    {COUNTER + 1, 0x222}, {FIXED, 0x10},         {FIXED + 1, 0x20},     {FIXED + 3, 0x30},
    {METRICS, 0x40},      {GLOBAL, 0x700000080}, {STATUS, BIT(33) | 4},
};

static void open_cpu(struct td_msr *m)
{
    static const uint32_t counters[4] = {0x08300805, 0, 0xf, 0x8604}, none[4] = {0}, core[4] = {0x40000001};

    memset(&cpu, 0, sizeof(cpu));
    cpu.closed = -1;
    cpu.now = 1000;
    *m = (struct td_msr){.os = &os, .cpu = 3, .fd = FD};
    td_msr_caps_decode(counters, none, core, 8, &m->caps);
    m->caps.full = true;
}

/* A control that is enabled, or a fixed counter that is taken; what is of no counter says nothing. */
static void free_ones(void)
{
    static const struct {
        uint32_t reg;
        uint64_t value;
        unsigned version;
        const char *busy; /* NULL: all are free */
    } rows[] = {
        {EVTSEL, 0, 5, NULL},
        {EVTSEL, BIT(22), 5, "programmable counter 0 is enabled"},
        {EVTSEL + 7, BIT(22), 5, "programmable counter 7 is enabled"},
        {EVTSEL + 7, 0xffffffff & ~BIT(22), 5, NULL},
        {EVTSEL + 8, BIT(22), 5, NULL},
        {FIXED_CTRL, 1, 5, "fixed counter 0 is enabled"},
        {FIXED_CTRL, 2, 5, "fixed counter 0 is enabled"},
        {FIXED_CTRL, 0xcccccccc, 5, NULL},
        {FIXED_CTRL, BIT(28), 5, "fixed counter 7 is enabled"},
        {FIXED_CTRL, BIT(29), 5, "fixed counter 7 is enabled"},
        {FIXED_CTRL, BIT(32) | BIT(33), 5, NULL}, /* flags of PEBS */
        {INUSE, BIT(31), 5, NULL}, /* a programmable counter whose event is selected */
        {INUSE, BIT(32), 5, "fixed counter 0 is taken"},
        {INUSE, BIT(39), 5, "fixed counter 7 is taken"},
        {INUSE, BIT(40), 5, NULL},
        {INUSE, BIT(32), 4, "fixed counter 0 is taken"},
        {INUSE, BIT(32), 3, NULL}, /* there is no such register */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_msr m;

        open_cpu(&m);
        m.caps.version = rows[i].version;
        cpu.reg[rows[i].reg] = rows[i].value;
        CU_ASSERT_EQUAL(td_msr_check_free(&m), rows[i].busy ? -EBUSY : 0);
        CU_ASSERT(rows[i].busy ? strstr(m.why, rows[i].busy) != NULL : !*m.why);
        CU_ASSERT_EQUAL(cpu.writes.n, 0);
    }
}

/* Each fixed counter has four bits: kernel and user mode, and all threads of a core where that can be. */
static void modes(void)
{
    struct td_msr_caps c = {.fixed = 6};

    CU_ASSERT_EQUAL(td_msr_mask(&c, FIXED_CTRL), 0x330);
    c.any = true;
    CU_ASSERT_EQUAL(td_msr_mask(&c, FIXED_CTRL), 0x770);
    c.fixed = 0xffff;
    CU_ASSERT_EQUAL(td_msr_mask(&c, FIXED_CTRL), UINT64_C(0x7777777777777777));
    c.fixed = 0x8000;
    CU_ASSERT_EQUAL(td_msr_mask(&c, FIXED_CTRL), UINT64_C(0x7000000000000000));
}

/* Written with 32 bits, a counter of 48 gets the sign in all others: what it held must be of that form. */
static void narrow(void)
{
    static const struct {
        uint64_t value;
        bool good;
    } rows[] = {{0, true},
                {0x7fffffff, true},
                {0x80000000, false},
                {0x100000000, false},
                {0xffff7fffffff, false},
                {0xffff80000000, true},
                {0xffffffffffff, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (unsigned counter = 0; counter < 2; counter++)
            for (int full = 0; full < 2; full++) {
                struct td_msr m;
                char why[100] = "";

                open_cpu(&m);
                m.caps.full = full;
                cpu.reg[(full ? COUNTER : NARROW) + counter] = rows[i].value;
                CU_ASSERT_EQUAL(td_msr_begin(&m, &program), full || rows[i].good ? 0 : -EOPNOTSUPP);
                if (!full && !rows[i].good)
                    snprintf(why, sizeof(why), "CPU 3: programmable counter %u holds 0x%llx, which could not", counter,
                             (unsigned long long)rows[i].value);
                CU_ASSERT(*why ? !strncmp(m.why, why, strlen(why)) : !*m.why);
                CU_ASSERT_EQUAL(cpu.writes.n == 0, *why != '\0');
                CU_ASSERT_EQUAL(td_msr_end(&m), 0);
                CU_ASSERT_EQUAL(cpu.reg[(full ? COUNTER : NARROW) + counter], rows[i].value);
            }
}

/* Overflows of its own counters that were not handled can be set again from version 4 on. */
static void overflows(void)
{
    static const struct {
        unsigned version;
        uint64_t status;
        bool good;
    } rows[] = {{3, BIT(33), false}, {3, 1, false}, {3, BIT(34) | 4, true}, {3, 0, true}, {4, BIT(33), true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_msr m;

        open_cpu(&m);
        m.caps.version = rows[i].version;
        cpu.reg[STATUS] = rows[i].status;
        CU_ASSERT_EQUAL(td_msr_begin(&m, &program), rows[i].good ? 0 : -EBUSY);
        CU_ASSERT_EQUAL(!rows[i].good, !!strstr(m.why, "IA32_PERF_GLOBAL_STATUS shows overflows (0x"));
        CU_ASSERT_EQUAL(td_msr_end(&m), 0);
        CU_ASSERT_EQUAL(cpu.reg[STATUS], rows[i].status);
    }
}

static void begin(struct td_msr *m)
{
    open_cpu(m);
    for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
        cpu.reg[before[i].reg] = before[i].value;
    CU_ASSERT_EQUAL_FATAL(td_msr_begin(m, &program), 0);
    CU_ASSERT_EQUAL(cpu.reg[STATUS], 4); /* only overflows of its own counters were cleared */
    CU_ASSERT_EQUAL_FATAL(td_msr_enable(m, true), 0);
    CU_ASSERT_EQUAL(cpu.reg[GLOBAL], program.global);
    memset(&cpu.writes, 0, sizeof(cpu.writes));
}

/* Others have meanwhile written a register or two; what these and those that are shared hold in the end. All others are
 * as they were before. */
static void others(void)
{
    static const struct {
        struct {
            uint32_t reg;
            uint64_t value;
        } written[2], last[6];
        int ours; /* td_msr_check_ours() */
    } rows[] = {
        {{{0}}, {{0}}, 0},
        /* a counter beside these: it must be on, in what was there and in what is there now */
        {{{EVTSEL + 2, 0x4300c0}}, {{EVTSEL + 2, 0x4300c0}, {GLOBAL, BIT(48) | 0xf00000087}}, 0},
        {{{EVTSEL + 7, 0x4300c0}}, {{EVTSEL + 7, 0x4300c0}, {GLOBAL, BIT(48) | 0xf00000083}}, 0},
        {{{EVTSEL + 2, 0x300c0}}, {{EVTSEL + 2, 0x300c0}}, 0}, /* it is not enabled */
        /* one of these: its counter, too, is the other's */
        {{{EVTSEL + 1, 0x4300c0}, {COUNTER + 1, 0x999}},
         {{EVTSEL + 1, 0x4300c0}, {COUNTER + 1, 0x999}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        {{{EVTSEL, 0x4300c0}, {COUNTER, 0x999}},
         {{EVTSEL, 0x4300c0}, {COUNTER, 0x999}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        /* fixed counter 1, whose four bits stay */
        {{{FIXED_CTRL, 0x30b3}, {FIXED + 1, 0x999}},
         {{FIXED_CTRL, 0x2b0}, {FIXED + 1, 0x999}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        {{{FIXED_CTRL, 0x303b}, {FIXED, 0x999}},
         {{FIXED_CTRL, 0x20b}, {FIXED, 0x999}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        {{{FIXED_CTRL, 0x3032}, {FIXED, 0x999}},
         {{FIXED_CTRL, 0x202}, {FIXED, 0x999}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        /* that of slots, to which the metrics belong */
        {{{FIXED_CTRL, 0xb033}, {FIXED + 3, 0x999}},
         {{FIXED_CTRL, 0xb200}, {FIXED + 3, 0x999}, {METRICS, 0}, {GLOBAL, BIT(48) | 0xf00000083}},
         -EBUSY},
        /* one that is not used here: its bits were 2 before */
        {{{FIXED_CTRL, 0x3833}}, {{FIXED_CTRL, 0x800}, {GLOBAL, BIT(48) | 0xf00000083}}, -EBUSY},
        {{{GLOBAL, 0x1ff}}, {{GLOBAL, 0x1ff}}, -EBUSY},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_msr m;
        uint64_t wanted[REGISTERS] = {0};

        begin(&m);
        for (size_t k = 0; k < sizeof(before) / sizeof(*before); k++)
            wanted[before[k].reg] = before[k].value;
        for (size_t k = 0; k < 2 && rows[i].written[k].reg; k++)
            cpu.reg[rows[i].written[k].reg] = rows[i].written[k].value;
        for (size_t k = 0; k < 6 && rows[i].last[k].reg; k++)
            wanted[rows[i].last[k].reg] = rows[i].last[k].value;
        CU_ASSERT_EQUAL(td_msr_check_ours(&m), rows[i].ours);
        CU_ASSERT_EQUAL(td_msr_end(&m), 0);
        CU_ASSERT(cpu.closed == FD && m.fd == -1);
        for (uint32_t r = 0; r < REGISTERS; r++)
            if (r != STATUS && cpu.reg[r] != wanted[r]) {
                printf("%zu: 0x%x is 0x%llx, not 0x%llx\n", i, r, (unsigned long long)cpu.reg[r],
                       (unsigned long long)wanted[r]);
                CU_FAIL("another value");
            }
    }
}

/* The order: nothing counts, then each control before its counter, the metrics after their counter, overflows that were
 * there before, and what switches all of them last. */
static void alone(void)
{
    struct td_msr m;

    begin(&m);
    CU_ASSERT_EQUAL(td_msr_end(&m), 0);
    same_log(&cpu.writes,
             "38f=0 38d=200 186=300c1 4c1=111 187=300c4 4c2=222 309=10 30a=20 30c=30 329=40 390=1000b00000003 "
             "391=200000000 38f=700000080 ",
             0);
    CU_ASSERT_EQUAL(cpu.reg[STATUS], BIT(33) | 4);
    CU_ASSERT_EQUAL(td_msr_end(&m), 0); /* once */
    CU_ASSERT_STRING_EQUAL(m.why, "");
}

/* Overflows that were not there are not set. */
static void no_overflows(void)
{
    struct td_msr m;

    begin(&m);
    m.status = 0;
    CU_ASSERT_EQUAL(td_msr_end(&m), 0);
    CU_ASSERT(strstr(cpu.writes.text, " 390=1000b00000003 38f=") && !strstr(cpu.writes.text, " 391="));
}

/* Three times a write is tried; after that the first error is returned, and all others are written all the same. */
static void tried(void)
{
    static const uint32_t failing[] = {GLOBAL, FIXED_CTRL, EVTSEL + 1, COUNTER, FIXED + 3, METRICS, RESET, SET};

    for (size_t i = 0; i < sizeof(failing) / sizeof(*failing); i++)
        for (unsigned fails = 2; fails <= 3; fails++) {
            struct td_msr m;

            begin(&m);
            cpu.failing = failing[i];
            cpu.fails = fails;
            CU_ASSERT_EQUAL(td_msr_end(&m), fails == 2 ? 0 : -EIO);
            CU_ASSERT(!cpu.fails && cpu.closed == FD);
            for (size_t k = 0; k < sizeof(before) / sizeof(*before); k++)
                if (before[k].reg != STATUS && (before[k].reg != failing[i] || fails == 2))
                    CU_ASSERT_EQUAL(cpu.reg[before[k].reg], before[k].value);
        }
}

/* ---- reasons ----------------------------------------------------------------------------------------- */

static int refusal;

static int refuse_read(void *ctx, int fd, uint32_t reg, uint64_t *out)
{
    (void)ctx, (void)fd, (void)reg;
    *out = 0;
    return refusal;
}

static int refuse_write(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    (void)ctx, (void)fd, (void)reg, (void)value;
    return refusal;
}

static void reasons(void)
{
#define CTRL "IA32_FIXED_CTR_CTRL (0x38d)"
    static const struct {
        int err;
        const char *read, *written;
    } rows[] = {
        {-EMFILE, "CPU 3: " CTRL " cannot be read: Too many open files",
         "CPU 3: " CTRL " cannot be written: Too many open files"},
        {-ENXIO, "CPU 3 went offline: " CTRL " cannot be read. What to do: measure CPUs that stay online",
         "CPU 3 went offline: " CTRL " cannot be written. What to do: measure CPUs that stay online"},
        {-EIO,
         "CPU 3: " CTRL " cannot be read: the CPU, or the hypervisor it runs under, refuses it. What to do: measure "
         "by perf (--source=perf)",
         "CPU 3: " CTRL " cannot be written: the CPU, or the hypervisor it runs under, refuses it. What to do: measure "
         "by perf (--source=perf)"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_os refusing = os;
        struct td_msr m;
        uint64_t value;

        begin(&m);
        refusing.msr_read = refuse_read;
        refusing.msr_write = refuse_write;
        m.os = &refusing;
        refusal = rows[i].err;
        CU_ASSERT_EQUAL(td_msr_get(&m, FIXED_CTRL, &value), refusal);
        CU_ASSERT_STRING_EQUAL(m.why, rows[i].read);
        CU_ASSERT_EQUAL(td_msr_put(&m, FIXED_CTRL, 0), refusal);
        CU_ASSERT_STRING_EQUAL(m.why, rows[i].written);
        m.os = &os;
        CU_ASSERT_EQUAL(td_msr_end(&m), 0);
        CU_ASSERT_EQUAL(cpu.reg[FIXED_CTRL], 0x200); /* part of what failed may have been done: it is written back */
    }
}

/* ---- readings -------------------------------------------------------------------------------------- */

static void taken(void)
{
    struct td_msr m;
    struct td_msr_reading r;

    begin(&m);
    for (unsigned i = 0; i < 8; i++) {
        cpu.reg[COUNTER + i] = 500 + i;
        cpu.reg[FIXED + i] = 600 + i;
    }
    cpu.reg[METRICS] = 0x8070605040302010;
    cpu.reg[STATUS] = BIT(48) | BIT(34) | BIT(33) | 6; /* that of fixed counter 2 and of the third one are others' */
    cpu.now = 5000;
    CU_ASSERT_EQUAL(td_msr_take(&m, &r), 0);
    CU_ASSERT(r.general[0] == 500 && r.general[1] == 501 && !r.general[2]);
    CU_ASSERT(r.fixed[0] == 600 && r.fixed[1] == 601 && !r.fixed[2] && r.fixed[3] == 603 && !r.fixed[4]);
    CU_ASSERT(r.metrics == 0x8070605040302010 && r.ns == 4000);
    CU_ASSERT_EQUAL(r.overflow, BIT(48) | BIT(33) | 2);
    CU_ASSERT(!cpu.reg[COUNTER] && !cpu.reg[COUNTER + 1] && cpu.reg[COUNTER + 2] == 502);
    CU_ASSERT(!cpu.reg[FIXED] && !cpu.reg[FIXED + 1] && cpu.reg[FIXED + 2] == 602 && !cpu.reg[FIXED + 3]);
    CU_ASSERT(!cpu.reg[METRICS] && cpu.reg[STATUS] == (BIT(34) | 4) && m.counting);
    cpu.now = 5300; /* the time of a reading itself does not count */
    CU_ASSERT_EQUAL(td_msr_enable(&m, false), 0);
    CU_ASSERT_EQUAL(td_msr_enable(&m, false), 0);
    cpu.now = 9000;
    CU_ASSERT_EQUAL(td_msr_take(&m, &r), 0);
    CU_ASSERT(r.ns == 300 && !r.general[0] && !r.fixed[3] && !m.counting && !cpu.reg[GLOBAL]);
    CU_ASSERT_EQUAL(td_msr_end(&m), 0);
}

/* A counter of 48 bits that shows more is none. */
static void wider(void)
{
    static const struct {
        uint32_t reg;
        const char *name;
    } rows[] = {{COUNTER + 1, "IA32_A_PMC1"}, {FIXED, "IA32_FIXED_CTR0"}, {FIXED + 3, "IA32_FIXED_CTR3"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_msr m;
        struct td_msr_reading r;
        char why[100];

        begin(&m);
        cpu.reg[rows[i].reg] = BIT(48) - 1;
        CU_ASSERT_EQUAL(td_msr_take(&m, &r), 0);
        cpu.reg[rows[i].reg] = BIT(48);
        CU_ASSERT_EQUAL(td_msr_take(&m, &r), -EIO);
        snprintf(why, sizeof(why), "CPU 3: %s (0x%x) holds 0x1000000000000, which is wider than CPUID says it is",
                 rows[i].name, rows[i].reg);
        CU_ASSERT_STRING_EQUAL(m.why, why);
        CU_ASSERT_EQUAL(td_msr_end(&m), 0);
    }
}

static const CU_TestInfo tests[] = {
    {"free counters", free_ones},
    {"modes", modes},
    {"counters of 32 bits", narrow},
    {"overflows", overflows},
    {"no overflows", no_overflows},
    {"given back", alone},
    {"what others have", others},
    {"writes that fail", tried},
    {"readings", taken},
    {"too wide", wider},
    {"reasons", reasons},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr given back", tests);
