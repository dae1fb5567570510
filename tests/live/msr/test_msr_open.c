/* SPDX-License-Identifier: MIT */
/* What CPUID says decides whether a CPU's registers are opened; and why they cannot be. */
#include "live/msr/msr.h"
#include "tests/support/fake_os.h"

enum { GENU = 0x756e6547, AUTH = 0x68747541, FD = 0 /* a descriptor as any other */ };

static int opened, closed, asked_for;

static int open_registers(void *ctx, int cpu)
{
    (void)ctx;
    asked_for = cpu;
    return opened;
}

static int read_register(void *ctx, int fd, uint32_t reg, uint64_t *out)
{
    (void)ctx;
    CU_ASSERT(fd == FD && reg == 0x345); /* IA32_PERF_CAPABILITIES */
    *out = 1 << 13; /* full-width writes */
    return 0;
}

static int close_registers(void *ctx, int fd)
{
    (void)ctx;
    closed = fd;
    return 0;
}

static void begin(struct fake_os *f, uint32_t vendor)
{
    fake_begin(f);
    fake_leaf(f, -1, 0, 0x20, vendor, 0, 0);
    f->os.msr_open = open_registers;
    f->os.msr_read = read_register;
    f->os.close = close_registers;
    opened = FD;
    closed = -1;
}

static void errors(void)
{
    static const struct {
        int err, gives;
        const char *why;
    } of[] = {
        {-ENOENT, -EOPNOTSUPP,
         "there is no /dev/cpu/5/msr: the kernel module msr is not loaded. What to do: modprobe msr"},
        {-EACCES, -EACCES, "/dev/cpu/5/msr may not be opened: its file permissions. What to do: run as root"},
        {-EPERM, -EPERM,
         "/dev/cpu/5/msr may not be opened: the capability CAP_SYS_RAWIO is missing. What to do: run as root"},
        {-ENXIO, -ENODEV, "CPU 5 is not online"},
        {-EMFILE, -EMFILE, "/dev/cpu/5/msr cannot be opened: Too many open files"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct fake_os f;
        struct td_msr m;

        begin(&f, GENU);
        fake_leaf(&f, -1, 0xa, 0x07300802, 0, 0, 0x603);
        opened = of[i].err;
        CU_ASSERT_EQUAL(td_msr_open(&m, &f.os, 5, 0), of[i].gives);
        CU_ASSERT(!strncmp(m.why, of[i].why, strlen(of[i].why)) && m.fd == -1);
    }
}

/* CPUID 1 ECX[15] shows PERF_CAPABILITIES, whose bit 13 are full-width writes; 0xA EAX[7:0] is the version, from 2 on
 * with registers that switch all counters; 0x23 EAX[1] shows its subleaf 1. */
static void intel(void)
{
    static const struct {
        uint32_t ecx, version;
        int err;
        bool full;
    } of[] = {{1 << 15, 4, 0, true}, {1 << 14, 4, 0, false},     {1 << 16, 4, 0, false},
              {1 << 15, 2, 0, true}, {0, 1, -EOPNOTSUPP, false}, {0, 0, -EOPNOTSUPP, false}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct fake_os f;
        struct td_msr m;
        char version[32];

        begin(&f, GENU);
        fake_leaf(&f, -1, 1, 0, 0, of[i].ecx, 0);
        fake_leaf(&f, -1, 0xa, 0x07300800 + of[i].version, 0, 0, 0x603);
        CU_ASSERT_EQUAL(td_msr_open(&m, &f.os, 5, 0), of[i].err);
        CU_ASSERT_EQUAL(m.caps.full, of[i].full);
        if (of[i].err) {
            snprintf(version, sizeof(version), "(CPUID 0xA: version %u,", of[i].version);
            CU_ASSERT_PTR_NOT_NULL(strstr(m.why, version));
            CU_ASSERT_EQUAL(!strstr(m.why, "a guest without"), of[i].version > 0);
        } else {
            CU_ASSERT(m.fd == FD && asked_for == 5 && m.caps.general == 0xff && !m.caps.amd);
        }
    }
}

/* Leaf 0x80000000 has the greatest of its kind: those beyond it are not asked. */
static void of_amd(void)
{
    static const struct {
        uint32_t most, together;
        bool good;
    } of[] = {{0x80000022, 1, true},  {0x80000028, 1, true},  {0x80000021, 1, false},
              {0x80000001, 1, false}, {0x80000000, 1, false}, {0x80000022, 2, false}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct fake_os f;
        struct td_msr m;

        begin(&f, AUTH);
        fake_leaf(&f, -1, 0x80000000, of[i].most, 0, 0, 0);
        fake_leaf(&f, -1, 0x80000001, 0, 0, 1 << 23, 0);
        fake_leaf(&f, -1, 0x80000022, of[i].together, 6, 0, 0);
        CU_ASSERT_EQUAL(td_msr_open(&m, &f.os, 0, 0), of[i].good ? 0 : -EOPNOTSUPP);
        CU_ASSERT(m.caps.amd && m.caps.full);
        CU_ASSERT(of[i].good ? m.caps.general == 0x3f : !!strstr(m.why, "no PerfMonV2"));
    }
}

static const CU_TestInfo tests[] = {
    {"what cannot be opened", errors},
    {"Intel's", intel},
    {"AMD's", of_amd},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr opened", tests);
