/* SPDX-License-Identifier: MIT */
/* What a machine is, as text: worked by hand, with what has to be left out. */
#include "live/host/host.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

static char told[20000];

static void take(void *ctx, const char *line)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", line);
}

/* A Sapphire Rapids of one CPU. */
static void begin(struct fake_os *f)
{
    fake_begin(f);
    fake_leaf(f, -1, 0, 0x5, 0x756e6547, 0x6c65746e, 0x49656e69);
    fake_leaf(f, -1, 1, 0x806f8, 0, 0, 0);
    fake_leaf(f, -1, 3, 0x51, 0x52, 0x53, 0x54); /* the serial number */
    fake_leaf(f, -1, 4, 0x121, 0x2c0003f, 0x3f, 0);
    fake_put(f, "0\n", CPUS "online");
    fake_put(f, "my-host\n", "/proc/sys/kernel/hostname");
    fake_put(f, "Linux version 6.1.0 (somebody@builder)\n", "/proc/version");
    fake_put(f, "6.1.0-18-amd64\n", "/proc/sys/kernel/osrelease");
    fake_put(f, "4\n", DEV "cpu/type");
    fake_put(f, "config:0-7\n", DEV "cpu/format/event");
    fake_put(f, "event=0x00,umask=0x4\n", DEV "cpu/events/slots");
    fake_put(f, "2.0\n", DEV "cpu/events/slots.scale");
    fake_put(f, "1\n", CPUS "cpu0/cache/index0/level");
    fake_put(f, "Data\n", CPUS "cpu0/cache/index0/type");
    fake_put(f, "48K\n", CPUS "cpu0/cache/index0/size");
}

static void tell(struct fake_os *f)
{
    struct td_host h = {.npmus = 0};

    *told = '\0';
    CU_ASSERT_EQUAL_FATAL(td_host_detect(&h, &f->os, NULL), 0);
    td_host_facts(&h, take, NULL);
    td_host_free(&h);
}

static void all(void)
{
    static const char want[] = "# cpu: GenuineIntel-6-8F-8\n"
                               "# name: spr\n"
                               "# hypervisor: none\n"
                               "# smt: unknown\n"
                               "# /proc/sys/kernel/osrelease: 6.1.0-18-amd64\n"
                               "# /sys/devices/system/cpu/online: 0\n"
                               "cpuid 0x0 = 0x5 0x756e6547 0x6c65746e 0x49656e69\n"
                               "cpuid 0x1 = 0x806f8 0x0 0x0 0x0\n"
                               "cpuid 0x4.0x0 = 0x121 0x2c0003f 0x3f 0x0\n"
                               "# /sys/bus/event_source/devices/cpu/type: 4\n"
                               "format cpu event = config:0-7\n"
                               "event cpu slots = event=0x00,umask=0x4\n"
                               "# /sys/bus/event_source/devices/cpu/events/slots.scale: 2.0\n"
                               "# cpu0 cache L1 Data size: 48K\n";
    struct fake_os f;

    begin(&f);
    tell(&f);
    CU_ASSERT_STRING_EQUAL(told, want);
    if (strcmp(told, want) != 0)
        fprintf(stderr, "%s", told);
}

/* A CPU that names a thousand leaves, and a file with what a terminal obeys. */
static void too_much(void)
{
    struct fake_os f;

    begin(&f);
    f.leaf[0].r[0] = 1000;
    fake_leaf(&f, -1, 63, 1, 2, 3, 4);
    fake_leaf(&f, -1, 64, 5, 6, 7, 8);
    fake_put(&f, "\033[31m\n", DEV "cpu/caps/branches");
    tell(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "cpuid 0x3f = 0x1 0x2 0x3 0x4\n"));
    CU_ASSERT_PTR_NULL(strstr(told, "cpuid 0x40 ="));
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "caps cpu branches = \\x1b[31m\n"));
}

static void arm(void)
{
    struct fake_os f;

    fake_begin(&f);
    fake_put(&f, "0\n", CPUS "online");
    fake_put(&f, "0x00000000410fd493\n", CPUS "cpu0/regs/identification/midr_el1");
    tell(&f);
    CU_ASSERT_EQUAL(strncmp(told, "# cpu: 0x00000000410fd493\n", 26), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "\nmidr 0x00000000410fd493\n"));
    CU_ASSERT_PTR_NULL(strstr(told, "cpuid"));
}

/* ---- CPUID that answers whatever is asked -------------------------------------------------------- */

enum { LAST = 0x30 };

static int asked_cpu; /* of which CPU */

/* Each leaf has as many subleaves as are asked for, each with one word that is not 0. */
static int any_leaf(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    (void)ctx;
    asked_cpu = cpu;
    memset(out, 0, 4 * sizeof(*out));
    if (!(leaf & 0xfffffff))
        out[0] = leaf + LAST;
    else
        out[leaf % 4] = 1 + subleaf;
    return 0;
}

static int no_leaf(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    (void)ctx, (void)cpu, (void)leaf, (void)subleaf;
    memset(out, 0xff, 4 * sizeof(*out));
    return -ENOSYS;
}

/* How many lines begin like this. */
static unsigned lines(const char *begin)
{
    unsigned n = 0;

    for (const char *at = told; *at; at = strchr(at, '\n') + 1)
        n += !strncmp(at, begin, strlen(begin));
    return n;
}

static void tell_of(struct td_host *h)
{
    *told = '\0';
    td_host_facts(h, take, NULL);
}

/* Sixteen answers for each leaf that has several, and one for each other, but for the serial number's; those of a
 * hypervisor in a guest. */
static void leaves(void)
{
    static const uint32_t several[] = {4, 7, 0x14, 0x23, 0x8000001d, 0x80000026};
    struct fake_os f;
    struct td_host h = {.os = &f.os};
    unsigned n = 0;

    fake_begin(&f);
    f.os.cpuid = any_leaf;
    for (int guest = 0; guest < 2; guest++) {
        h.guest = guest;
        tell_of(&h);
        for (size_t i = 0; i < sizeof(several) / sizeof(*several); i++) {
            char line[40];

            snprintf(line, sizeof(line), "cpuid 0x%x.0x", several[i]);
            CU_ASSERT_EQUAL(lines(line), 16);
            snprintf(line, sizeof(line), "cpuid 0x%x =", several[i]);
            CU_ASSERT_EQUAL(lines(line), 0);
        }
        n = LAST - 4 + LAST - 1 + 6 * 16; /* leaves 0 to 0x30 without five, 0x80000000 to 0x80000030 without two */
        CU_ASSERT_EQUAL(lines("cpuid "), n + (guest ? LAST + 1 : 0));
        CU_ASSERT_EQUAL(lines("cpuid 0x4000000"), guest ? 16 : 0);
        CU_ASSERT_EQUAL(lines("cpuid 0x3 "), 0);
        CU_ASSERT(lines("cpuid 0x30 = 0x1 0x0 0x0 0x0\n") == 1 && lines("cpuid 0x2f = 0x0 0x0 0x0 0x1\n") == 1);
        CU_ASSERT(lines("cpuid 0x23.0xf = 0x0 0x0 0x0 0x10\n") == 1 && lines("cpuid 0x31") == 0);
    }
    f.os.cpuid = no_leaf;
    tell_of(&h);
    CU_ASSERT_EQUAL(lines("cpuid"), 0);
}

/* Of each kind of core the first CPU; where there is no PMU, the machine's first. */
static void kinds(void)
{
    static int cpus[2][3] = {{3, 4, 5}, {7}};
    struct td_host_cpu first[] = {{.cpu = 9}, {.cpu = 10}};
    struct fake_os f;
    struct td_host h = {.os = &f.os, .ncpus = 2, .cpus = first, .smt = true, .id = "0x00000000410fd493"};

    fake_begin(&f);
    f.os.cpuid = any_leaf;
    fake_put(&f, "2\n", CPUS "cpu3/cache/index0/level");
    fake_put(&f, "Unified\n", CPUS "cpu3/cache/index0/type");
    fake_put(&f, "3\n", CPUS "cpu3/cache/index0/shared_cpu_list");
    fake_put(&f, "3\n", CPUS "cpu9/cache/index0/level");
    fake_put(&f, "Unified\n", CPUS "cpu9/cache/index0/type");
    fake_put(&f, "12\n", CPUS "cpu9/cache/index0/ways_of_associativity");
    fake_put(&f, "4\n", CPUS "cpu9/cache/index1/level"); /* without a type it is none */
    fake_put(&f, "1K\n", CPUS "cpu9/cache/index1/size");
    tell_of(&h);
    CU_ASSERT(asked_cpu == 9 && lines("midr 0x00000000410fd493\n") == 1 && lines("# smt: on\n") == 1);
    CU_ASSERT_EQUAL(lines("# cpu9 cache L3 Unified ways_of_associativity: 12\n"), 1);
    CU_ASSERT_EQUAL(lines("# cpu9 cache"), 1);
    h.ncpus = 0;
    tell_of(&h);
    CU_ASSERT_EQUAL(asked_cpu, 0);
    h.npmus = 1;
    snprintf(h.pmu[0].name, sizeof(h.pmu[0].name), "pmu_a");
    h.pmu[0].cpus = (struct td_cpu_list){cpus[0], 3};
    tell_of(&h);
    CU_ASSERT(asked_cpu == 3 && lines("midr 0x00000000410fd493\n") == 1 && !strstr(told, "cpus="));
    CU_ASSERT_EQUAL(lines("# cpu3 cache L2 Unified shared_cpu_list: 3\n"), 1);
    h.npmus = 2;
    h.pmu[1].cpus = (struct td_cpu_list){cpus[1], 1};
    snprintf(h.pmu[1].id, sizeof(h.pmu[1].id), "0x410fd460");
    *h.id = '\0';
    tell_of(&h);
    CU_ASSERT(asked_cpu == 7 && lines("midr 0x410fd460 cpus=7\n") == 1 && lines("midr") == 1);
    CU_ASSERT(lines("cpuid 0x30 = 0x1 0x0 0x0 0x0 cpus=3-5\n") == 1 && lines("# cpu: unknown\n") == 1);
    CU_ASSERT(lines("cpuid 0x4.0x1 = 0x2 0x0 0x0 0x0 cpus=7\n") == 1);
    h.npmus = 1;
    h.pmu[0].cpus.n = 0;
    h.ncpus = 2;
    tell_of(&h);
    CU_ASSERT_EQUAL(asked_cpu, 9);
}

static const CU_TestInfo tests[] = {
    {"all of it", all}, {"too much", too_much},    {"Arm", arm},
    {"leaves", leaves}, {"kinds of cores", kinds}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("host facts", tests);
