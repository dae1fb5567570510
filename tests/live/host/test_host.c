/* SPDX-License-Identifier: MIT */
/* Which machine this is, from files and CPUID words of machines defined here. */
#include "tests/support/fake_os.h"
#include "live/host/host.h"
#include "backends/rows.h"
#include "backends/find_identity.h"

enum {
    GENU = 0x756e6547,
    INEI = 0x49656e69,
    NTEL = 0x6c65746e,
    AUTH = 0x68747541,
    ENTI = 0x69746e65,
    CAMD = 0x444d4163
};

#define SLOTS "event=0x00,umask=0x4\n" /* as in sysfs: arch/x86/events/intel/core.c */
#define RETIRING "event=0x00,umask=0x80\n"
#define HEAVY "event=0x00,umask=0x84\n"

/* ---- machines -------------------------------------------------------------------- */

static const struct td_host_pmu *pmu_named(const struct td_host *h, const char *name)
{
    for (size_t i = 0; i < h->npmus; i++)
        if (!strcmp(h->pmu[i].name, name))
            return &h->pmu[i];
    CU_FAIL_FATAL("no such PMU");
    return NULL;
}

static const char *row_of(const struct td_host_pmu *p)
{
    return p->uarch ? p->uarch->name : "none";
}

/* Four CPUs with that CPUID.1:EAX, and a PMU "cpu". */
static void intel(struct fake_os *f, uint32_t signature)
{
    fake_begin(f);
    fake_leaf(f, -1, 0, 0x20, GENU, NTEL, INEI);
    fake_leaf(f, -1, 1, signature, 0, 0, 0);
    fake_put(f, "0-3\n", CPUS "online");
    fake_put(f, "4\n", DEV "cpu/type");
    fake_put(f, "1\n", DEV "software/type");
    fake_put(f, "0\n", DEV "uncore_imc_0/cpumask");
}

static void families_and_models(void)
{
    static const struct {
        uint32_t vendor[3], signature;
        const char *id, *machine, *why;
    } cpus[] = {
        {{GENU, INEI, NTEL}, 0x000806f8, "GenuineIntel-6-8F-8", "spr", ""},
        {{GENU, INEI, NTEL}, 0x00050654, "GenuineIntel-6-55-4", "skx", ""},
        {{GENU, INEI, NTEL}, 0x00050657, "GenuineIntel-6-55-7", "clx", ""},
        {{GENU, INEI, NTEL}, 0x000206a7, "GenuineIntel-6-2A-7", "snb", ""},
        {{GENU, INEI, NTEL}, 0x000906a3, "GenuineIntel-6-9A-3", "adl", ""},
        {{GENU, INEI, NTEL}, 0x000b06e0, "GenuineIntel-6-BE-0", "adl-e", ""},
        /* the extended model counts in families 6 and 15 only, the extended family in 15 only */
        {{GENU, INEI, NTEL}, 0x00210543, "GenuineIntel-5-4-3", "", "formulas"},
        {{GENU, INEI, NTEL}, 0x00100f29, "GenuineIntel-16-2-9", "", "formulas"},
        {{GENU, INEI, NTEL}, 0x000106e5, "GenuineIntel-6-1E-5", "", "GenuineIntel-6-1E-5"},
        {{AUTH, ENTI, CAMD}, 0x00c20f12, "AuthenticAMD-27-21-2", "", "AMD"},
        {{GENU, INEI, NTEL}, 0x00f806f8, "GenuineIntel-6-8F-8", "spr", ""},
    };
    struct fake_os f;
    struct td_host h;

    for (size_t i = 0; i < TD_LENGTH(cpus); i++) {
        intel(&f, cpus[i].signature);
        fake_leaf(&f, -1, 0, 0x20, cpus[i].vendor[0], cpus[i].vendor[2], cpus[i].vendor[1]);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_STRING_EQUAL(h.id, cpus[i].id);
        CU_ASSERT_STRING_EQUAL(h.origin, "CPUID");
        CU_ASSERT_STRING_EQUAL(h.identity.name, cpus[i].machine);
        CU_ASSERT(h.err == (*cpus[i].why ? -EOPNOTSUPP : 0) && strstr(h.why, cpus[i].why));
        CU_ASSERT(!h.guest && !h.hypervisor[0] && h.npmus == 1);
        td_host_free(&h);
    }
}

/* intel.md 7.2, 7.3: decided by sysfs, never by the model */
static void metrics_register(void)
{
    static const struct {
        const char *slots, *retiring, *heavy;
        unsigned fields;
        bool slots_event;
    } all[] = {
        {SLOTS, RETIRING, HEAVY, 8, true},
        {SLOTS, RETIRING, NULL, 4, true},
        {SLOTS, RETIRING, "event=0x00,umask=0x85\n", 4, true},
        {"event=0xa4,umask=0x1\n", RETIRING, HEAVY, 0, false},
        {NULL, RETIRING, HEAVY, 0, false},
        {SLOTS, "event=0xc2,umask=0x02\n", HEAVY, 0, true},
        {SLOTS, NULL, HEAVY, 0, true},
        {"event=0x00,umask=0x4,metrics_clear=1\n", RETIRING, HEAVY, 0, false},
        {NULL, NULL, NULL, 0, false},
    };
    static const uint32_t models[] = {0x000806f8, 0x000506e3}; /* spr, skl */
    struct fake_os f;
    struct td_host h;

    for (size_t i = 0; i < 2 * TD_LENGTH(all); i++) {
        intel(&f, models[i % 2]);
        fake_put(&f, all[i / 2].slots, DEV "cpu/events/slots");
        fake_put(&f, all[i / 2].retiring, DEV "cpu/events/topdown-retiring");
        fake_put(&f, all[i / 2].heavy, DEV "cpu/events/topdown-heavy-ops");
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT(h.pmu[0].counters.fields == all[i / 2].fields && h.pmu[0].slots_event == all[i / 2].slots_event);
        td_host_free(&h);
    }
}

/* Intel SDM, CPUID leaf 0AH: EAX[7:0] version, EAX[15:8] counters, EDX[4:0] fixed ones, ECX their bits from version 5
 * on */
static void counters(void)
{
    static const struct {
        uint32_t a, c, d;
        unsigned general;
        uint64_t fixed;
    } all[] = {
        {0x07300805, 0x0f, 0x8604, 8, 0xf}, {0x07300605, 0x77, 0x603, 6, 0x77}, {0x07300404, 0xff, 0x603, 4, 7},
        {0x07300805, 0, 0x604, 8, 0xf},     {0x07300803, 0, 0x603, 8, 7},       {0, 0xf, 0x604, 0, 0},
        {0x07300a05, 0xf, 0x604, 10, 0xf},
    };
    struct fake_os f;
    struct td_host h;

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        intel(&f, 0x000806f8);
        fake_leaf(&f, -1, 0xa, all[i].a, 0, all[i].c, all[i].d);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT(h.pmu[0].counters.general == all[i].general && h.pmu[0].counters.fixed == all[i].fixed);
        td_host_free(&h);
    }
}

/* For AMD's CPUs: CPUID 0x80000022 EAX and EBX, 0x80000001 ECX; the NMI watchdog holds one counter. */
static void amd_counters(void)
{
    static const struct {
        uint32_t version, counters, features;
        const char *watchdog;
        unsigned general;
    } all[] = {
        {1, 0x4106, 0x00800000, "0\n", 6},
        {1, 0x4106, 0x00800000, "1\n", 5},
        {1, 0x4108, 0, "0\n", 8},
        {0, 0x4108, 0x00800000, "0\n", 6},
        {0, 0, 0, "0\n", 4},
        {0, 0, 0, "1\n", 3},
    };
    struct fake_os f;
    struct td_host h;

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        intel(&f, 0x00a10f11);
        fake_leaf(&f, -1, 0, 0x10, AUTH, CAMD, ENTI);
        fake_leaf(&f, -1, 0xa, 0x07300805, 0, 0xf, 0x604); /* this is Intel's leaf: it has no meaning here */
        fake_leaf(&f, -1, 0x80000001, 0, 0, all[i].features, 0);
        fake_leaf(&f, -1, 0x80000022, all[i].version, all[i].counters, 0, 0);
        fake_put(&f, all[i].watchdog, "/proc/sys/kernel/nmi_watchdog");
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_STRING_EQUAL(h.identity.name, "zen4");
        CU_ASSERT_EQUAL(h.pmu[0].counters.general, all[i].general);
        td_host_free(&h);
    }
}

/* An Alder Lake: CPUs 0-3 are two P-cores with two threads each, 4-5 are E-cores, 6 is offline. */
static void alder_lake(struct fake_os *f)
{
    static const char *const siblings[] = {"0-1\n", "0-1\n", "2-3\n", "2-3\n", "4\n", "5\n"};

    intel(f, 0x000906a3);
    fake_put(f, NULL, DEV "cpu/type");
    fake_put(f, "0-5\n", CPUS "online");
    for (int cpu = 0; cpu < 6; cpu++) {
        char core[8];

        snprintf(core, sizeof(core), "%d\n", cpu < 4 ? 4 * (cpu / 2) : cpu + 4);
        fake_put(f, siblings[cpu], CPUS "cpu%d/topology/thread_siblings_list", cpu);
        fake_put(f, core, CPUS "cpu%d/topology/core_id", cpu);
    }
    fake_put(f, "4\n", DEV "cpu_core/type");
    fake_put(f, "0-3\n", DEV "cpu_core/cpus");
    fake_put(f, SLOTS, DEV "cpu_core/events/slots");
    fake_put(f, RETIRING, DEV "cpu_core/events/topdown-retiring");
    fake_put(f, HEAVY, DEV "cpu_core/events/topdown-heavy-ops");
    fake_put(f, "config:21\n", DEV "cpu_core/format/any");
    fake_put(f, "10\n", DEV "cpu_atom/type");
    fake_put(f, "4-6\n", DEV "cpu_atom/cpus");
    fake_put(f, "event=0xc2,umask=0x00\n", DEV "cpu_atom/events/topdown-retiring");
    fake_leaf(f, -1, 0xa, 0x07300805, 0, 0xf, 0x604);
    fake_leaf(f, 4, 0xa, 0x07300605, 0, 0x7, 0x603);
}

static void hybrid(void)
{
    struct td_identity asked;
    struct fake_os f;
    struct td_host h;
    char text[32];

    alder_lake(&f);
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(!h.err && h.identity.hybrid && h.npmus == 2 && h.smt);
    for (size_t i = 0; i < 2; i++) {
        const struct td_host_pmu *p = &h.pmu[i];

        CU_ASSERT_STRING_EQUAL(p->name, i ? "cpu_atom" : "cpu_core"); /* P-cores first */
        CU_ASSERT_STRING_EQUAL(row_of(p), i ? "adl-e" : "adl-p");
        td_cpu_list_text(&p->cpus, text, sizeof(text));
        CU_ASSERT_STRING_EQUAL(text, i ? "4-5" : "0-3");
        CU_ASSERT(p->type == (i ? 10 : 4) && p->any == !i && p->counters.sibling == !i);
        CU_ASSERT(p->counters.fields == (i ? 0 : 8) && p->counters.general == (i ? 6 : 8) &&
                  p->counters.fixed == (i ? 7 : 15));
        CU_ASSERT_EQUAL(p->kind, 0); /* CPUID 0x1A is not there */
    }
    td_host_free(&h);
    fake_leaf(&f, 0, 0x1a, 0x40000001, 0, 0, 0); /* of the first CPU of each, EAX[31:24]: Core, Atom */
    fake_leaf(&f, 4, 0x1a, 0x20000001, 0, 0, 0);
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.pmu[0].kind == 'P' && h.pmu[1].kind == 'E');
    td_host_free(&h);
    fake_leaf(&f, 0, 0x1a, 0x41ffffff, 0, 0, 0); /* what is neither */
    fake_leaf(&f, 4, 0x1a, 0x1fffffff, 0, 0, 0);
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(!h.pmu[0].kind && !h.pmu[1].kind);
    td_host_free(&h);
    CU_ASSERT_EQUAL(td_identity_find("adl-p", &asked, text, sizeof(text)), 0);
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, &asked), 0);
    CU_ASSERT_STRING_EQUAL(row_of(pmu_named(&h, "cpu_core")), "adl-p");
    CU_ASSERT_STRING_EQUAL(row_of(pmu_named(&h, "cpu_atom")), "none");
    CU_ASSERT_STRING_EQUAL(h.origin, "--uarch");
    td_host_free(&h);
    for (int fields = 0; fields < 2; fields++) { /* a guest shows one PMU: that of the P-cores if it has the register */
        intel(&f, 0x000906a3);
        fake_put(&f, fields ? SLOTS : NULL, DEV "cpu/events/slots");
        fake_put(&f, RETIRING, DEV "cpu/events/topdown-retiring");
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_STRING_EQUAL(row_of(pmu_named(&h, "cpu")), fields ? "adl-p" : "adl-e");
        td_host_free(&h);
    }
}

static void topology(void)
{
    static const char *const siblings[] = {"0,2\n", "1\n", "0,2\n"};
    struct fake_os f;
    struct td_host h;

    intel(&f, 0x000506e3);
    fake_put(&f, "0-2\n", CPUS "online");
    for (int cpu = 0; cpu < 3; cpu++) {
        fake_put(&f, siblings[cpu], CPUS "cpu%d/topology/thread_siblings_list", cpu);
        fake_put(&f, cpu == 1 ? "7\n" : "3\n", CPUS "cpu%d/topology/core_id", cpu);
        fake_put(&f, cpu == 1 ? "1\n" : "0\n", CPUS "cpu%d/topology/physical_package_id", cpu);
    }
    fake_put(&f, "2\n", CPUS "cpu1/topology/die_id");
    fake_put(&f, "0,4\n", NODES "online");
    fake_put(&f, "0,2\n", NODES "node0/cpulist");
    fake_put(&f, "1,3\n", NODES "node4/cpulist");
    fake_put(&f, "1\n", "/proc/sys/kernel/nmi_watchdog");
    fake_put(&f, "-1\n", "/proc/sys/kernel/perf_event_paranoid");
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.ncpus == 3 && h.smt && h.watchdog && h.paranoid == -1 && h.pmu[0].counters.watchdog &&
              h.pmu[0].counters.sibling);
    for (int cpu = 0; cpu < 3; cpu++) {
        const struct td_host_cpu *c = td_host_cpu_find(&h, cpu);

        CU_ASSERT_FATAL(c && c->cpu == cpu);
        CU_ASSERT(c->core == (cpu == 1 ? 7 : 3) && c->socket == (cpu == 1) && c->die == (cpu == 1 ? 2 : 0));
        CU_ASSERT(c->node == (cpu == 1 ? 4 : 0) && c->shared == (cpu != 1) && c->sibling == (cpu == 1));
    }
    CU_ASSERT_PTR_NULL(td_host_cpu_find(&h, 3));
    td_host_free(&h);
    fake_put(&f, NULL, CPUS "online"); /* sysfs is hidden */
    fake_put(&f, NULL, "/proc/sys/kernel/nmi_watchdog");
    fake_put(&f, NULL, "/proc/sys/kernel/perf_event_paranoid");
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.ncpus == 1 && h.cpus[0].cpu == 0 && !h.watchdog && h.paranoid == TD_PARANOID_UNKNOWN);
    td_host_free(&h);
}

/* What cannot be told of one CPU cannot be told of all: cores and sockets by their numbers, nodes by their CPUs. */
static void unknown_topology(void)
{
    struct fake_os f;
    struct td_host h;

    for (size_t hidden = 0; hidden < 5; hidden++) {
        intel(&f, 0x000506e3);
        fake_put(&f, "0-1\n", CPUS "online");
        for (int cpu = 0; cpu < 2; cpu++) {
            fake_put(&f, hidden == 0 && cpu ? NULL : cpu ? "1\n" : "0\n", CPUS "cpu%d/topology/core_id", cpu);
            fake_put(&f, hidden == 1 && cpu ? NULL : "0\n", CPUS "cpu%d/topology/physical_package_id", cpu);
        }
        fake_put(&f, hidden == 2 ? NULL : "0\n", NODES "online");
        fake_put(&f, hidden == 3 ? NULL : "0-1\n", NODES "node0/cpulist");
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_EQUAL(h.topology_unknown, hidden == 0 || hidden == 1 || hidden == 3);
        /* without lists of siblings, their cores' numbers show them, if they are known */
        CU_ASSERT_EQUAL(h.smt_unknown, hidden < 2);
        CU_ASSERT_FALSE(h.smt);
        td_host_free(&h);
    }
}

/* Without lists of siblings CPUs of one number on one die of one socket are a core's. */
static void siblings_by_number(void)
{
    static const char *const of[][4] = {/* core, die, socket; the sibling */
                                        {"0", "0", "0", "0"}, {"1", "0", "0", "1"}, {"0", "1", "0", "2"},
                                        {"0", "0", "1", "3"}, {"1", "0", "0", "1"}, {"0", "1", "0", "2"}};
    struct fake_os f;
    struct td_host h;

    intel(&f, 0x000506e3);
    fake_put(&f, "0-5\n", CPUS "online");
    for (int cpu = 0; cpu < 6; cpu++) {
        fake_put(&f, of[cpu][0], CPUS "cpu%d/topology/core_id", cpu);
        fake_put(&f, of[cpu][1], CPUS "cpu%d/topology/die_id", cpu);
        fake_put(&f, of[cpu][2], CPUS "cpu%d/topology/physical_package_id", cpu);
    }
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.smt && !h.smt_unknown && !h.topology_unknown && h.pmu[0].counters.sibling);
    for (int cpu = 0; cpu < 6; cpu++) {
        CU_ASSERT_EQUAL(h.cpus[cpu].sibling, of[cpu][3][0] - '0');
        CU_ASSERT_EQUAL(h.cpus[cpu].shared, cpu != 0 && cpu != 3);
    }
    td_host_free(&h);
}

/* What is asked of the machine may be asked of any CPU, as CPU 0 may be offline. */
static int cpuid_of_any(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    CU_ASSERT((leaf > 1 && leaf != 0x40000000) || cpu == -1);
    return fake_cpuid(ctx, cpu, leaf, subleaf, out);
}

static void guests(void)
{
    struct fake_os f;
    struct td_host h;

    for (int pmu = 0; pmu < 3; pmu++) { /* none, one, none and the hypervisor has no name */
        intel(&f, 0x000806f8);
        fake_put(&f, pmu == 1 ? "4\n" : NULL, DEV "cpu/type");
        fake_leaf(&f, -1, 1, 0x000806f8, 0, 1u << 31, 0);
        f.os.cpuid = cpuid_of_any;
        if (pmu < 2)
            fake_leaf(&f, -1, 0x40000000, 0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT(h.guest && h.npmus == (size_t)(pmu == 1) && h.err == (pmu == 1 ? 0 : -EOPNOTSUPP));
        CU_ASSERT_STRING_EQUAL(h.hypervisor, pmu < 2 ? "KVMKVMKVM" : "unknown kind");
        CU_ASSERT(pmu == 1 ? !*h.why
                           : strstr(h.why, "guest") && strstr(h.why, "PMU") &&
                                 strstr(h.why, pmu ? "(unknown kind)" : "(KVMKVMKVM)"));
        td_host_free(&h);
    }
    intel(&f, 0x000806f8);
    fake_put(&f, NULL, DEV "cpu/type");
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.err == -EOPNOTSUPP && !h.guest && strstr(h.why, "no PMU"));
    td_host_free(&h);
}

/* Where CPUID cannot be asked for the vendor, or not for the signature, the CPU is known by another way or not at all.
 */
static int refuse_leaf(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    const struct fake_os *f = ctx;

    return f->leaf[0].leaf == leaf ? -EIO : fake_cpuid(ctx, cpu, leaf, subleaf, out);
}

static void no_cpuid(void)
{
    for (uint32_t leaf = 0; leaf < 2; leaf++)
        for (int file = 0; file < 2; file++) {
            struct fake_os f;
            struct td_host h;

            intel(&f, 0x000806f8);
            f.leaf[0].leaf = leaf; /* the one that is refused */
            f.os.cpuid = refuse_leaf;
            if (file)
                fake_put(&f, "0x00000000410fd490\n", CPUS "cpu0/regs/identification/midr_el1");
            CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
            CU_ASSERT_EQUAL(h.err, file ? 0 : -EOPNOTSUPP);
            CU_ASSERT_STRING_EQUAL(h.id, file ? "0x00000000410fd490" : "");
            CU_ASSERT_STRING_EQUAL(h.origin, file ? "midr_el1 of CPU 0" : "");
            CU_ASSERT(file || strstr(h.why, "neither an x86 nor an Arm CPU"));
            td_host_free(&h);
        }
}

/* ---- Arm ------------------------------------------------------------------------- */

#define MIDR CPUS "cpu%d/regs/identification/midr_el1"

static void arm(struct fake_os *f, const char *midr, int cpu)
{
    fake_begin(f);
    fake_put(f, "0-3\n", CPUS "online");
    fake_put(f, midr, MIDR, cpu);
    fake_put(f, "8\n", DEV "armv8_pmuv3_0/type");
    fake_put(f, "0-3\n", DEV "armv8_pmuv3_0/cpus");
    fake_put(f, "12\n", DEV "arm_dsu_0/type");
    fake_put(f, "0\n", DEV "arm_dsu_0/cpumask");
}

static void arm_revisions(void)
{
    static const struct {
        const char *midr, *row, *why;
        int cpu;
    } all[] = {
        /* arm.md 1.3 */
        {"0x00000000410fd490\n", "neoverse-n2", "", 0},      {"0x00000000410fd492\n", "neoverse-n2", "", 2},
        {"0x00000000410fd493\n", "neoverse-n2-r0p3", "", 0}, {"0x00000000411fd490\n", "neoverse-n2-r0p3", "", 0},
        {"0x000000006d0fd490\n", "neoverse-n2", "", 0},      {"0x00000000410fd4f1\n", "neoverse-v2", "", 0},
        {"0x00000000414fd0c1\n", "neoverse-n1", "", 0},      {"0x00000000610f0220\n", "none", "0x00000000610f0220", 0},
    };
    struct fake_os f;
    struct td_host h;
    char origin[24];

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        bool known = !*all[i].why;

        arm(&f, all[i].midr, all[i].cpu);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT(!strncmp(h.id, all[i].midr, 18) && !h.id[18] && h.err == (known ? 0 : -EOPNOTSUPP));
        CU_ASSERT_STRING_EQUAL(known ? h.identity.part[0]->name : "none", all[i].row);
        CU_ASSERT_PTR_NOT_NULL(strstr(h.why, all[i].why));
        snprintf(origin, sizeof(origin), "midr_el1 of CPU %d", all[i].cpu);
        CU_ASSERT_STRING_EQUAL(h.origin, origin);
        CU_ASSERT(h.npmus == 1 && h.pmu[0].type == 8 && !h.pmu[0].counters.general && !h.pmu[0].counters.fixed &&
                  !h.pmu[0].counters.fields);
        CU_ASSERT_STRING_EQUAL(row_of(&h.pmu[0]), all[i].row);
        td_host_free(&h);
    }
}

/* Each PMU belongs to the kind of core in the MIDR of its own CPUs. */
static void arm_kinds(void)
{
    struct td_identity asked;
    struct fake_os f;
    struct td_host h;
    char why[64];

    arm(&f, "0x00000000410fd490\n", 0);
    fake_put(&f, "0-1\n", DEV "armv8_pmuv3_0/cpus");
    fake_put(&f, "0x05\n", DEV "armv8_pmuv3_0/caps/slots");
    fake_put(&f, "9\n", DEV "armv8_pmuv3_1/type");
    fake_put(&f, "2-3\n", DEV "armv8_pmuv3_1/cpus");
    fake_put(&f, "0x00000000\n", DEV "armv8_pmuv3_1/caps/slots");
    fake_put(&f, "0x00000000410fd4f0\n", MIDR, 2);
    fake_put(&f, "7\n", DEV "armv8_pmuv3_2/type");
    fake_put(&f, "\n", DEV "armv8_pmuv3_2/cpus"); /* its CPUs are offline */
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.npmus == 3 && !h.smt);
    CU_ASSERT_STRING_EQUAL(h.pmu[0].name, "armv8_pmuv3_0");
    CU_ASSERT_STRING_EQUAL(row_of(&h.pmu[0]), "neoverse-n2");
    CU_ASSERT_STRING_EQUAL(row_of(&h.pmu[1]), "neoverse-v2");
    CU_ASSERT(h.pmu[0].has_slots_cap && h.pmu[0].slots_cap == 5 && h.pmu[1].has_slots_cap && h.pmu[1].slots_cap == 0 &&
              !h.pmu[2].has_slots_cap);
    CU_ASSERT_EQUAL(h.pmu[2].cpus.n, 0);
    td_host_free(&h);
    CU_ASSERT_EQUAL(td_identity_find("neoverse-v1", &asked, why, sizeof(why)), 0); /* asked for: whatever the MIDR is */
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, &asked), 0);
    CU_ASSERT_STRING_EQUAL(row_of(&h.pmu[1]), "neoverse-v1");
    td_host_free(&h);
}

/* PMUs by their numbers, not by their digits; as many as there is room for. */
static void arm_order(void)
{
    static const char *const given[] = {"_10", "_2", "_0", "_11", "_1", "_9", "_3", "_4"}, *const sorted[] = {
                                                                                               "_0",  "_1", "_2",
                                                                                               "_3",  "_4", "_9",
                                                                                               "_10", "_11"};
    struct fake_os f;
    struct td_host h;

    arm(&f, "0x00000000410fd490\n", 0);
    fake_put(&f, NULL, DEV "armv8_pmuv3_0/type");
    fake_put(&f, NULL, DEV "armv8_pmuv3_0/cpus");
    for (size_t i = 0; i < TD_LENGTH(given); i++) {
        fake_put(&f, "9\n", DEV "armv8_pmuv3%s/type", given[i]);
        fake_put(&f, "0\n", DEV "armv8_pmuv3%s/cpus", given[i]);
    }
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(h.npmus, TD_LENGTH(sorted));
    for (size_t i = 0; i < h.npmus; i++)
        CU_ASSERT_STRING_EQUAL(h.pmu[i].name + strlen("armv8_pmuv3"), sorted[i]);
    td_host_free(&h);
    fake_put(&f, "9\n", DEV "armv8_pmuv3_12/type");
    fake_put(&f, "0\n", DEV "armv8_pmuv3_12/cpus");
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT_EQUAL(h.npmus, TD_HOST_PMUS);
    td_host_free(&h);
}

/* A name of 39 letters is kept whole; a longer one, which would be another PMU's when cut, is left out. */
static void long_names(void)
{
    for (size_t n = 38; n <= 41; n++) {
        struct fake_os f;
        struct td_host h;
        char name[50] = "armv8_";

        memset(name + 6, 'x', n - 6);
        arm(&f, "0x00000000410fd490\n", 0);
        fake_put(&f, "9\n", DEV "%s/type", name);
        fake_put(&f, "0\n", DEV "%s/cpus", name);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_EQUAL(h.npmus, n < 40 ? 2 : 1);
        if (n < 40)
            CU_ASSERT_STRING_EQUAL(pmu_named(&h, name)->name, name);
        td_host_free(&h);
    }
}

static void arm_cpuinfo(void)
{
    static const struct {
        const char *variant, *revision, *id;
    } all[] = {
        /* the revision is decimal, the others hex */
        {"0x0", "3", "0x410fd493"},  {"0x0", "0", "0x410fd490"}, {"0x1", "10", "0x411fd49a"},
        {"0xa", "15", "0x41afd49f"}, {"0x0", NULL, ""},
    };
    struct fake_os f;
    struct td_host h;
    char text[300];

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        arm(&f, NULL, 0);
        snprintf(
            text, sizeof(text),
            "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: %s\nCPU part\t: 0xd49\n%s%s%s",
            all[i].variant, all[i].revision ? "CPU revision\t: " : "", all[i].revision ? all[i].revision : "",
            "\n\nprocessor\t: 1\n");
        fake_put(&f, text, "/proc/cpuinfo");
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_STRING_EQUAL(h.id, all[i].id);
        CU_ASSERT_STRING_EQUAL(h.origin, *all[i].id ? "/proc/cpuinfo" : "");
        CU_ASSERT(h.err == (*all[i].id ? 0 : -EOPNOTSUPP) && (*all[i].id || strstr(h.why, "neither")));
        td_host_free(&h);
    }
}

/* Types are numbers from 0 on. */
static void types(void)
{
    static const struct {
        const char *text;
        bool there;
        uint32_t type;
    } of[] = {{"0\n", true, 0},   {"1\n", true, 1},  {"4294967295\n", true, UINT32_MAX},
              {"-1\n", false, 0}, {"x\n", false, 0}, {NULL, false, 0}};
    struct fake_os f;
    uint32_t type;

    for (size_t i = 0; i < TD_LENGTH(of); i++) {
        fake_begin(&f);
        fake_put(&f, of[i].text, DEV "msr/type");
        CU_ASSERT_EQUAL(td_host_pmu_type(&f.os, "msr", &type), of[i].there);
        CU_ASSERT_EQUAL(type, of[i].type);
    }
}

/* Small files: text that the kernel would not write is not accepted as such. */
static void strange_files(void)
{
    static const char *const lists[] = {" 1",   "+1",   "\t1",   "1, 2", "1 ,2",  "1,+2", "1,-2", "1- 2",
                                        "1-+2", "1 -2", "0-1 2", "1\n2", "0,\n1", " ",    "1 "};
    static const char *const terms[] = {"anything=3",
                                        "edgefoo",
                                        "event=0x3c,anything=3",
                                        "event=0x3c,edgefoo",
                                        "eventual=0x3c",
                                        "even=0x3c",
                                        "inverse",
                                        "umask2=1",
                                        "cmas=1",
                                        "e",
                                        "=5",
                                        "event=0x3c,,umask=1",
                                        "umask=1,any_thread",
                                        "Event=0x3c"};
    struct td_cpu_list l;
    struct fake_os f;
    struct td_host h;
    uint64_t config;

    for (size_t i = 0; i < TD_LENGTH(lists); i++)
        CU_ASSERT(td_cpu_list_parse(lists[i], &l) == -EINVAL && !l.cpu && !l.n);
    intel(&f, 0x000806f8);
    fake_put(&f, "0-1, 3\n", CPUS "online"); /* as if sysfs were hidden */
    CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
    CU_ASSERT(h.cpus_unknown && h.ncpus == 1 && h.pmu[0].cpus.n == 1);
    td_host_free(&h);
    for (size_t i = 0; i < TD_LENGTH(terms); i++) {
        fake_put(&f, terms[i], DEV "cpu/events/it");
        CU_ASSERT_FALSE(td_host_event(&f.os, "cpu", "it", &config));
    }
}

/* ---- the user's choice ----------------------------------------------------------------- */

static void asked_for(void)
{
    static const uint32_t signatures[] = {0x000806f8, 0x000106e5}; /* spr, and one without formulas */
    struct td_identity asked;
    struct fake_os f;
    struct td_host h;
    char why[64];

    CU_ASSERT_EQUAL(td_identity_find("skl", &asked, why, sizeof(why)), 0);
    for (size_t i = 0; i < 2; i++) {
        intel(&f, signatures[i]);
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, &asked), 0);
        CU_ASSERT(!h.err && !*h.why);
        CU_ASSERT_STRING_EQUAL(h.identity.name, "skl");
        CU_ASSERT_STRING_EQUAL(h.origin, "--uarch");
        CU_ASSERT_STRING_EQUAL(h.id, i ? "GenuineIntel-6-1E-5" : "GenuineIntel-6-8F-8");
        CU_ASSERT_STRING_EQUAL(row_of(&h.pmu[0]), "skl");
        td_host_free(&h);
    }
}

/* A PMU whose type cannot be read is left out, and no other with it. */
static void without_type(void)
{
    static const char *const names[] = {"cpu_atom", "cpu_core"};

    for (size_t missing = 0; missing < 2; missing++) {
        struct fake_os f;
        struct td_host h;

        intel(&f, 0x000906a3);
        fake_put(&f, NULL, DEV "cpu/type");
        fake_put(&f, "0-3\n", CPUS "online");
        for (size_t i = 0; i < 2; i++) {
            fake_put(&f, i ? "0-1\n" : "2-3\n", DEV "%s/cpus", names[i]);
            if (i != missing)
                fake_put(&f, "10\n", DEV "%s/type", names[i]);
        }
        CU_ASSERT_EQUAL(td_host_detect(&h, &f.os, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(h.npmus, 1);
        CU_ASSERT_STRING_EQUAL(h.pmu[0].name, names[!missing]);
        td_host_free(&h);
    }
}

static const CU_TestInfo tests[] = {
    {"families and models", families_and_models},
    {"metrics register", metrics_register},
    {"counters", counters},
    {"AMD's counters", amd_counters},
    {"hybrid", hybrid},
    {"topology", topology},
    {"unknown topology", unknown_topology},
    {"siblings by number", siblings_by_number},
    {"guests", guests},
    {"CPUID that fails", no_cpuid},
    {"Arm revisions", arm_revisions},
    {"Arm kinds", arm_kinds},
    {"Arm order", arm_order},
    {"long names of PMUs", long_names},
    {"Arm cpuinfo", arm_cpuinfo},
    {"types of PMUs", types},
    {"PMUs without a type", without_type},
    {"strange files", strange_files},
    {"asked for", asked_for},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("host", tests);
