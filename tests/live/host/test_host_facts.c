/* SPDX-License-Identifier: MIT */
/* What a machine is, as text: worked by hand, with what has to be left out. */
#include "live/host/host_facts.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

static char told[4096];

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

static const CU_TestInfo tests[] = {
    {"all of it", all},
    {"too much", too_much},
    {"Arm", arm},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("host facts", tests);
