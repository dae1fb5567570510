/* SPDX-License-Identifier: MIT */
/* The source "msr" on simulated machines: what it refuses, without writing anything. */
#include "tests/support/msr_machine.h"

#include <errno.h>

/* Opening fails with err, with a text that has both words, and writes nothing. */
static void refused(const char *name, const char *more, int cpu, int err, const char *word, const char *other)
{
    const struct td_live what = on(&cpu);
    struct td *td = begin(name, more);
    int got = td_open_live(td, &what);

    if (got != err || !strstr(td_error(td), word) || !strstr(td_error(td), other)) {
        printf("%s with %s: %d, %s\n", name, more, got, td_error(td));
        CU_FAIL("refused otherwise, or not at all");
    }
    CU_ASSERT_PTR_NULL(write_at(td, 0));
    CU_ASSERT_EQUAL(descriptors(td), 0);
    td_free(td);
}

static void in_use(void)
{
    refused("sapphirerapids", "msr 0x186 = 0x4300c0\n", 3, -EBUSY, "programmable counter 0 is enabled", "perf");
    refused("sapphirerapids", "msr 0x18d = 0x400000\n", 3, -EBUSY, "programmable counter 7 is enabled", "perf");
    refused("sapphirerapids", "msr 0x38d = 0x1000\n", 3, -EBUSY, "fixed counter 3 is taken", "GLOBAL_INUSE");
    refused("sapphirerapids", "file /proc/sys/kernel/nmi_watchdog = 1\\n\n", 3, -EBUSY, "NMI watchdog",
            "nmi_watchdog=0");
}

/* The state that Linux leaves when perf ends: the event is selected, with INT, but without EN;
 * a flag of adaptive PEBS. The counters are free, and every bit is restored. */
static void perf_was_there(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td =
        begin("sapphirerapids",
              "msr 0x186 = 0x1301c0\nmsr 0x18d = 0x13003c\nmsr 0x4c1 = 0xfffff0000000\nmsr 0x38d = 0x100000000\n");
    uint64_t before[REGISTERS];

    dump(td, cpu, before);
    CU_ASSERT_EQUAL(before[0x392], BIT(63) | BIT(7) | BIT(0));
    CU_ASSERT_EQUAL(before[0x38d], BIT(32));
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    pass(td, 10);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    CU_ASSERT_TRUE(same(td, cpu, before));
    td_free(td);
}

/* Version 3 has no GLOBAL_INUSE, and a status that was cleared cannot be set again. */
static void in_use_before_skylake(void)
{
    static const struct {
        const char *more, *word;
    } of[] = {
        {"msr 0x38d = 0x2\n", "fixed counter 0 is enabled"},
        {"msr 0x187 = 0x400000\n", "programmable counter 1 is enabled"},
        {"msr 0x391 = 0x1\n", "shows overflows (0x1)"},
    };
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("skylake-nosmt", of[i].more);
        const struct td_os *os = td_sim_os(td->sim);

        os->close(os->ctx, os->msr_open(os->ctx, cpu)); /* uses up the presets */
        change_counters(td, 0x07300803, 0x603);
        CU_ASSERT_EQUAL(td_open_live(td, &what), -EBUSY);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].word));
        CU_ASSERT_PTR_NULL(write_at(td, 0));
        td_free(td);
    }
}

/* An event that perf counts is an enabled counter. */
static void perf_is_there(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    const struct td_os *os = td_sim_os(td->sim);
    struct perf_event_attr attr = {.type = 4, .size = sizeof(attr), .config = 0x1a4};
    int fd = os->perf_open(os->ctx, &attr, -1, cpu, -1, 0);

    CU_ASSERT_TRUE(fd >= 0);
    CU_ASSERT_EQUAL(td_open_live(td, &what), -EBUSY);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "programmable counter 7 is enabled"));
    os->close(os->ctx, fd);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    td_free(td);
}

static void layers(void)
{
    const pid_t self = 0;
    const struct td_live task = {.size = sizeof(struct td_live), .tasks = &self, .ntasks = 1};
    struct td *td = begin("sapphirerapids", "");

    CU_ASSERT_EQUAL(td_open_live(td, &task), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "the source msr counts CPUs, not tasks or cgroups"));
    CU_ASSERT_EQUAL(td_set_source(td, "perf"), -EINVAL); /* too late */
    td_free(td);
    td = td_new();
    CU_ASSERT_EQUAL(td_set_source(td, "rdpmc"), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "td_open_self()"));
    CU_ASSERT_EQUAL(td_set_source(td, "nonesuch"), -EINVAL);
    CU_ASSERT_EQUAL(td_set_source(td, "auto"), 0);
    CU_ASSERT_EQUAL(td_add_event(td, "cycles"), -EINVAL);
    td_free(td);
    refused("sapphirerapids", "msr absent\n", 3, -EOPNOTSUPP, "modprobe msr", "/dev/cpu/3/msr");
    refused("sapphirerapids", "privileged no\n", 3, -EACCES, "root", "CAP_SYS_RAWIO");
    refused("yitian710", "", 3, -EOPNOTSUPP, "x86 only", "perf");
    refused("sapphirerapids", "", 99, -ENODEV, "CPU 99", "online");
    refused("guest-without-pmu", "", 0, -EOPNOTSUPP, "", "");
}

/* The first write fails: nothing was changed, and nothing needs to be written back. */
static void lockdown(void)
{
    static const struct {
        const char *more, *word;
    } of[] = {
        {"msr locked\nfile /sys/kernel/security/lockdown = none [integrity] confidentiality\\n\n",
         "the kernel is locked down, which forbids it even to root"},
        {"msr locked\nfile /sys/module/msr/parameters/allow_writes = off\\n\n", "allow_writes"},
        {"msr locked\n", "does not permit"},
    };
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", of[i].more);
        uint64_t before[REGISTERS];

        dump(td, cpu, before);
        CU_ASSERT_EQUAL(td_open_live(td, &what), -EPERM);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].word));
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "--source=perf"));
        CU_ASSERT_TRUE(same(td, cpu, before));
        CU_ASSERT_EQUAL(descriptors(td), 0);
        td_free(td);
    }
}

/* Of counters that no register switches together, by the version in CPUID 0xA. */
static void versions(void)
{
    static const struct {
        uint32_t eax;
        const char *word, *other;
    } of[] = {
        {0x07300801, "(CPUID 0xA: version 1, not 2 or above). What to do: measure by perf (--source=perf)", "guest"},
        {0x07300800,
         "(CPUID 0xA: version 0, not 2 or above): a guest without a virtual PMU? What to do: let the hypervisor give it "
         "one",
         "by perf"},
    };
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", "");

        change_cpuid(td, 0xa, 0, of[i].eax);
        CU_ASSERT_EQUAL(td_open_live(td, &what), -EOPNOTSUPP);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].word));
        CU_ASSERT_PTR_NULL(strstr(td_error(td), of[i].other));
        CU_ASSERT_PTR_NULL(write_at(td, 0));
        td_free(td);
    }
}

/* Of the architectural events, bit 6 of EBX is mispredicted branches (SDM 2A, CPUID leaf 0xA). */
static void lacks_an_event(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (int lacks = 0; lacks < 2; lacks++) {
        struct td *td = begin("sapphirerapids", "");

        change_cpuid(td, 0xa, 1, 1 << 6);
        CU_ASSERT_EQUAL(td_add_event(td, lacks ? "branch-misses" : "branches"), 0);
        CU_ASSERT_EQUAL(td_open_live(td, &what), lacks ? -EOPNOTSUPP : 0);
        CU_ASSERT(!lacks || strstr(td_error(td), "this CPU lacks the event 'branch-misses' (CPUID 0xA, EBX bit 6)"));
        CU_ASSERT_EQUAL(!write_at(td, 0), lacks);
        td_free(td);
    }
}

/* A counter with a bit that CPUID does not know is not believed. */
static const struct td_os *real;
static uint32_t wide; /* the register that has it */

static int read_wide(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    const int err = real->msr_read(ctx, fd, reg, value);

    *value |= reg == wide ? BIT(48) : 0;
    return err;
}

static void wider(void)
{
    static const struct {
        uint32_t reg;
        const char *name;
    } of[] = {{0x30c, "IA32_FIXED_CTR3 (0x30c) holds 0x1"}, {0x4c1, "IA32_A_PMC0 (0x4c1) holds 0x1"}, {0, NULL}};
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", "");
        struct td_os os = *td_sim_os(td->sim);

        real = td_sim_os(td->sim);
        os.msr_read = read_wide;
        wide = 0;
        td->os = &os;
        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        pass(td, 10);
        wide = of[i].reg;
        CU_ASSERT_EQUAL(td_take(td), of[i].reg ? -EIO : 0);
        CU_ASSERT(!of[i].reg ||
                  (strstr(td_error(td), of[i].name) && strstr(td_error(td), ", which is wider than CPUID says it is")));
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"counters in use", in_use},
    {"counters in use before Skylake", in_use_before_skylake},
    {"counters in use by perf", perf_is_there},
    {"counters that perf has left", perf_was_there},
    {"layers", layers},
    {"lockdown", lockdown},
    {"versions of the counters", versions},
    {"an event that the CPU lacks", lacks_an_event},
    {"wider than CPUID says", wider},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr refused", tests);
