/* SPDX-License-Identifier: MIT */
/* What CPUID is asked of a CPU's counters, leaf by leaf (Intel SDM 3B, "Architectural Performance Monitoring"; AMD APM
 * 3, "Extended Performance Monitoring"), and what no answer means. */
#include "live/msr/msr.h"
#include "tests/support/pieces.h"

#include <errno.h>

static struct cpu {
    bool amd;
    uint32_t most; /* AMD: the greatest leaf */
    uint32_t version, ecx1, leaves, v2; /* of 0xA, leaf 1 ECX, subleaves of 0x23; AMD: 0x80000022 EAX */
    uint32_t failing; /* the leaf that cannot be asked */
    int err;
    struct log asked;
} cpu;

static int ask(void *ctx, int number, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    (void)ctx;
    put(&cpu.asked, subleaf ? "%x.%u " : "%x ", leaf, subleaf);
    CU_ASSERT_EQUAL(number, 5);
    memset(out, 0, 4 * sizeof(*out));
    if (cpu.err && leaf == cpu.failing)
        return cpu.err;
    switch (leaf) {
    case 0: memcpy(out + 1, cpu.amd ? "Auth" : "Genu", 4); break;
    case 1: out[2] = cpu.ecx1; break;
    case 0xa: /* 4 counters of 48 bits, 3 fixed ones of 40 */
        out[0] = cpu.version | 4 << 8 | 48 << 16;
        out[3] = 3 | 40 << 5;
        break;
    case 0x23: out[0] = subleaf ? 0 : cpu.leaves; break;
    case 0x80000000: out[0] = cpu.most; break;
    case 0x80000001: out[2] = 1u << 23; break; /* PerfCtrExtCore */
    case 0x80000022: /* 6 counters */
        out[0] = cpu.v2;
        out[1] = 6;
        break;
    default: break;
    }
    return 0;
}

static const struct td_os os = {.name = "made", .cpuid = ask};

static int look(struct td_msr *m, struct cpu of)
{
    cpu = of;
    return td_msr_look(m, &os, 5, 4);
}

static void leaves(void)
{
    static const struct {
        struct cpu cpu;
        int err;
        const char *asked;
    } rows[] = {
        {{.version = 2}, 0, "0 1 a 23 1a "},
        {{.version = 2, .leaves = 1}, 0, "0 1 a 23 1a "},
        {{.version = 2, .leaves = 2}, 0, "0 1 a 23 23.1 1a "},
        {{.version = 2, .leaves = 3}, 0, "0 1 a 23 23.1 1a "},
        {{.version = 2, .leaves = 4}, 0, "0 1 a 23 1a "},
        {{.version = 5}, 0, "0 1 a 23 1a "},
        {{.version = 1}, -EOPNOTSUPP, "0 1 a 23 1a "},
        {{.version = 0}, -EOPNOTSUPP, "0 1 a 23 1a "},
        {{.amd = true, .most = 0x80000022, .v2 = 1}, 0, "0 80000000 80000001 80000022 "},
        {{.amd = true, .most = 0x80000023, .v2 = 1}, 0, "0 80000000 80000001 80000022 "},
        {{.amd = true, .most = 0x80000022, .v2 = 0}, -EOPNOTSUPP, "0 80000000 80000001 80000022 "},
        {{.amd = true, .most = 0x80000021, .v2 = 1}, -EOPNOTSUPP, "0 80000000 80000001 "},
        {{.amd = true, .most = 0x80000001, .v2 = 1}, -EOPNOTSUPP, "0 80000000 80000001 "},
        {{.amd = true, .most = 0x80000000, .v2 = 1}, -EOPNOTSUPP, "0 80000000 "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_msr m;

        CU_ASSERT_EQUAL(look(&m, rows[i].cpu), rows[i].err);
        CU_ASSERT_EQUAL(m.caps.amd, rows[i].cpu.amd);
        CU_ASSERT(m.fd == -1 && m.cpu == 5);
        same_log(&cpu.asked, rows[i].asked, i);
    }
}

/* Each leaf that cannot be asked ends it; -EINVAL says that there is no such CPU. */
static void failures(void)
{
    static const struct {
        bool amd;
        uint32_t leaf;
        const char *asked;
    } rows[] = {
        {false, 0, "0 "},
        {false, 1, "0 1 "},
        {false, 0xa, "0 1 a "},
        {false, 0x23, "0 1 a 23 "},
        {false, 0x1a, "0 1 a 23 23.1 1a "},
        {true, 0, "0 "},
        {true, 0x80000000, "0 80000000 "},
        {true, 0x80000001, "0 80000000 80000001 "},
        {true, 0x80000022, "0 80000000 80000001 80000022 "},
    };
    static const struct {
        int err, wanted;
        const char *why;
    } errors[] = {{-EINVAL, -ENODEV, "CPUID of CPU 5 cannot be asked: Invalid argument"},
                  {-EIO, -EIO, "CPUID of CPU 5 cannot be asked: Input/output error"},
                  {-EACCES, -EACCES, "CPUID of CPU 5 cannot be asked: Permission denied"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t k = 0; k < sizeof(errors) / sizeof(*errors); k++) {
            struct td_msr m;

            CU_ASSERT_EQUAL(look(&m, (struct cpu){.amd = rows[i].amd,
                                                  .most = 0x80000022,
                                                  .version = 2,
                                                  .v2 = 1,
                                                  .leaves = 2,
                                                  .failing = rows[i].leaf,
                                                  .err = errors[k].err}),
                            errors[k].wanted);
            CU_ASSERT_STRING_EQUAL(m.why, errors[k].why);
            same_log(&cpu.asked, rows[i].asked, i);
        }
}

/* Why there are no counters, and what there is of them. */
static void answers(void)
{
    struct td_msr m;

    look(&m, (struct cpu){.version = 1});
    CU_ASSERT_STRING_EQUAL(m.why,
                           "CPU 5 has no counters that registers switch together (CPUID 0xA: version 1, not 2 or "
                           "above). What to do: measure by perf (--source=perf)");
    look(&m, (struct cpu){.version = 0});
    CU_ASSERT_STRING_EQUAL(m.why,
                           "CPU 5 has no counters that registers switch together (CPUID 0xA: version 0, not 2 or "
                           "above): a guest without a virtual PMU? What to do: let the hypervisor give it one "
                           "(KVM: -cpu host,pmu=on), or measure on the host");
    look(&m, (struct cpu){.amd = true, .most = 0x80000001});
    CU_ASSERT(!strncmp(m.why,
                       "CPU 5 has no counters that a register switches together (CPUID 0x80000022: no PerfMonV2)", 86));
    look(&m, (struct cpu){.version = 2, .ecx1 = 1u << 15});
    CU_ASSERT(m.caps.pdcm && m.caps.general == 0xf && m.caps.fixed == 7 && m.caps.general_bits == 48 &&
              m.caps.fixed_bits == 40 && m.caps.version == 2);
    look(&m, (struct cpu){.version = 2, .ecx1 = ~(1u << 15)});
    CU_ASSERT(!m.caps.pdcm);
    look(&m, (struct cpu){.version = 2, .ecx1 = 1u << 14});
    CU_ASSERT(!m.caps.pdcm);
}

static const CU_TestInfo tests[] = {
    {"leaves", leaves},
    {"leaves that cannot be asked", failures},
    {"answers", answers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr looked at", tests);
