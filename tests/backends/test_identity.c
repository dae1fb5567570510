/* SPDX-License-Identifier: MIT */
/* Names and hardware ids give rows, texts of events give a row's events. The ids
 * are from perfmon's mapfile and MIDR_EL1; the configs were worked out
 * by hand from the vendors' event and umask codes (config = event | umask << 8
 * | edge << 18 | any << 21 | inv << 23 | cmask << 24). */
#include "core/identity.h"
#include "core/counts/counts.h"
#include "tests/support/unit.h"
#include "backends/find_identity.h"
#include "backends/event_match.h"
#include "core/core_kind.h"
#include "core/counts/event_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Fails with both texts in the message. */
static void same_text(const char *what, const char *got, const char *wanted)
{
    char message[1024];

    snprintf(message, sizeof(message), "'%s': got '%s', wanted '%s'", what, got, wanted);
    if (strcmp(got, wanted))
        printf("\n    %s", message);
    CU_ASSERT_STRING_EQUAL(got, wanted);
}

/* "NAME: PART PART", or the error's number. */
static void describe(const char *text, char *out, size_t size)
{
    struct td_identity m;
    char why[256] = "";
    int err = td_identity_find(text, &m, why, sizeof(why));
    size_t n;

    if (err) {
        snprintf(out, size, "%s", err == -EINVAL ? "EINVAL" : err == -EOPNOTSUPP ? "EOPNOTSUPP" : "another error");
        if (!*why)
            snprintf(out, size, "an error without a reason");
        return;
    }
    n = (size_t)snprintf(out, size, "%s:", m.name);
    for (size_t i = 0; i < m.nparts && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, " %s", m.part[i]->name);
    if (m.flags & TD_FLAG_REVISION_ASSUMED && n < size)
        snprintf(out + n, size - n, " (assumed)");
}

struct finding {
    const char *text, *machine;
};

static void find_all(const struct finding *f)
{
    char got[256];

    for (; f->text; f++) {
        describe(f->text, got, sizeof(got));
        same_text(f->text, got, f->machine);
    }
}

static void names(void)
{
    static const struct finding all[] = {
        {"spr", "spr: spr"},
        {"SPR", "spr: spr"},
        {"sapphirerapids", "spr: spr"},
        {"kbl", "skl: skl"},
        {"cfl", "skl: skl"},
        {"CometLake", "skl: skl"},
        {"cpx", "clx: clx"},
        {"snbep", "jkt: jkt"},
        {"knm", "knl: knl"},
        {"bdw-de", "bdw-de: bdw-de"},
        {"airmont", "slm: slm"},
        {"jsl", "ehl: ehl"},
        {"snowridge", "snr: snr"},
        {"grandridge", "grr: grr"},
        {"neoverse-n2-r0p3", "neoverse-n2-r0p3: neoverse-n2-r0p3"},
        {"neoverse-n2-r0p0", "neoverse-n2: neoverse-n2"},
        {"yitian710", "neoverse-n2: neoverse-n2"},
        {"graviton3", "neoverse-v1: neoverse-v1"},
        {"grace", "neoverse-v2: neoverse-v2"},
        {"kunpeng920", "hip08: hip08"},
        /* the formula depends on a revision that these names leave open */
        {"neoverse-n2", "neoverse-n2: neoverse-n2 (assumed)"},
        {"n2", "neoverse-n2: neoverse-n2 (assumed)"},
        {0},
    };

    find_all(all);
}

/* As /proc/cpuinfo, lscpu and hypervisors print them; what each was sold as is in the vendors' lists. */
static void sold(void)
{
    static const struct finding all[] = {
        {"Intel(R) Xeon(R) Platinum 8480+", "spr: spr"},
        {"Intel(R) Xeon(R) Platinum 8488C", "spr: spr"},
        {"Intel(R) Xeon(R) CPU Max 9480", "spr-hbm: spr-hbm"},
        {"INTEL(R) XEON(R) PLATINUM 8592+", "emr: emr"},
        {"Intel(R) Xeon(R) 6980P", "gnr: gnr"},
        {"Intel(R) Xeon(R) 6780E", "srf: srf"},
        {"Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", "icx: icx"},
        {"Intel(R) Xeon(R) Platinum 8380H CPU @ 2.90GHz", "clx: clx"},
        {"Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz", "clx: clx"},
        {"Intel(R) Xeon(R) Platinum 8175M CPU @ 2.50GHz", "skx: skx"},
        {"Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz", "bdx: bdx"},
        {"Intel(R) Xeon(R) CPU E5-2690 v3 @ 2.60GHz", "hsx: hsx"},
        {"Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz", "ivt: ivt"},
        {"Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", "jkt: jkt"},
        {"Intel(R) Xeon(R) CPU E3-1245 v5 @ 3.50GHz", "skl: skl"},
        {"Intel Xeon Processor (Cascadelake)", "clx: clx"},
        {"Intel Xeon Processor (Skylake, IBRS)", "skx: skx"},
        {"Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz", "skl: skl"},
        {"Intel(R) Core(TM) i7-1065G7 CPU @ 1.30GHz", "icl: icl"},
        {"11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", "tgl: tgl"},
        {"11th Gen Intel(R) Core(TM) i9-11900K @ 3.50GHz", "rkl: rkl"},
        {"12th Gen Intel(R) Core(TM) i9-12900K", "adl: adl-p adl-e"},
        {"Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz", "snb: snb"},
        {"Intel(R) Core(TM) i7-3820 CPU @ 3.60GHz", "jkt: jkt"},
        {"Intel(R) Core(TM) i7-3820QM CPU @ 2.70GHz", "ivb: ivb"},
        {"Intel(R) Core(TM) i7-3930K CPU @ 3.20GHz", "jkt: jkt"},
        {"Intel(R) Core(TM) i7-3960X CPU @ 3.30GHz", "jkt: jkt"},
        {"Intel(R) Core(TM) i7-3940XM CPU @ 3.00GHz", "ivb: ivb"},
        {"Intel(R) Core(TM) i7-3770 CPU @ 3.40GHz", "ivb: ivb"},
        {"Intel(R) Core(TM) i7-4820K CPU @ 3.70GHz", "ivt: ivt"},
        {"Intel(R) Core(TM) i7-4930MX CPU @ 3.00GHz", "hsw: hsw"},
        {"Intel(R) Core(TM) i7-4960X CPU @ 3.60GHz", "ivt: ivt"},
        {"Intel(R) Core(TM) i7-5820K CPU @ 3.30GHz", "hsx: hsx"},
        {"Intel(R) Core(TM) i7-5950HQ CPU @ 2.90GHz", "bdw: bdw"},
        {"Intel(R) Core(TM) i7-6850K CPU @ 3.60GHz", "bdx: bdx"},
        {"Intel(R) Core(TM) i7-6820HK CPU @ 2.70GHz", "skl: skl"},
        {"Intel(R) Core(TM) i7-7740X CPU @ 4.30GHz", "skl: skl"},
        {"Intel(R) Core(TM) i9-7900X CPU @ 3.30GHz", "skx: skx"},
        {"Intel(R) Core(TM) i9-10980XE CPU @ 3.00GHz", "clx: clx"},
        {"11th Gen Intel(R) Core(TM) i9-11900KB @ 3.30GHz", "tgl: tgl"},
        {"Intel(R) Xeon(R) W-2123 CPU @ 3.60GHz", "skx: skx"},
        {"Intel(R) Xeon(R) W-2223 CPU @ 3.60GHz", "clx: clx"},
        {"Intel(R) Xeon(R) W-1290 CPU @ 3.20GHz", "skl: skl"},
        {"Intel(R) Xeon(R) W-1370 @ 2.90GHz", "rkl: rkl"},
        {"Intel(R) Xeon(R) Gold 5120 CPU @ 2.20GHz", "skx: skx"},
        {"Intel(R) Xeon Phi(TM) CPU 7250 @ 1.40GHz", "knl: knl"},
        {"Intel(R) Core(TM) i9-7900X CPU @ 3.30GHz", "skx: skx"},
        {"AMD EPYC 9654 96-Core Processor", "zen4: zen4"},
        {"AMD EPYC 9755 128-Core Processor", "zen5: zen5"},
        {"AMD EPYC 7763 64-Core Processor", "zen3: zen3"},
        {"AMD EPYC 7R32", "zen2: zen2"},
        {"AMD Ryzen 9 7950X 16-Core Processor", "zen4: zen4"},
        {"Neoverse-V2", "neoverse-v2: neoverse-v2"},
        {"ARM Neoverse-N1", "neoverse-n1: neoverse-n1"},
        {"Vendor ID: GenuineIntel CPU family: 6 Model: 143 Model name: x Stepping: 8", "spr: spr"},
        {"vendor_id : GenuineIntel cpu family : 6 model : 106", "icx: icx"},
        {"AuthenticAMD CPU family: 25 Model: 17", "zen4: zen4"},
        {"Intel(R) Xeon(R)", "EINVAL"},
        {"Intel(R) Xeon(R) CPU 5160 @ 3.00GHz", "EINVAL"}, /* Core 2, and the next four */
        {"Intel Xeon 5160", "EINVAL"},
        {"Intel(R) Xeon(R) CPU            5120  @ 1.86GHz", "EINVAL"},
        {"Intel(R) Xeon(R) CPU           X5355  @ 2.66GHz", "EINVAL"},
        {"Intel(R) Xeon(R) CPU           E5345  @ 2.33GHz", "EINVAL"},
        {"Intel(R) Xeon(TM) CPU 7140M @ 3.40GHz", "EINVAL"},
        {"Intel(R) Xeon Phi(TM) coprocessor 5110P", "EINVAL"},
        {"Intel(R) Xeon(R) 6353P", "EINVAL"},
        {"Intel(R) Core(TM) i3-8121U CPU @ 2.20GHz", "EINVAL"},
        {"Intel(R) Core(TM) i7 CPU 920 @ 2.67GHz", "EINVAL"},
        {"Platinum 8480+", "EINVAL"},
        {"a processor", "EINVAL"},
        {"GenuineIntel CPU family: 6", "EINVAL"},
        {0},
    };

    find_all(all);
}

static void hybrids(void)
{
    static const struct finding all[] = {
        {"adl", "adl: adl-p adl-e"},
        {"ADL", "adl: adl-p adl-e"},
        {"rpl", "adl: adl-p adl-e"},
        {"mtl", "mtl: mtl-p mtl-e"},
        {"lnl", "lnl: lnl-p lnl-e"},
        {"ptl", "ptl: ptl-p ptl-e"},
        {"arl", "arl: arl-p arl-e arl-lpe"},
        {"adl-p", "adl-p: adl-p"},
        {"rpl-p", "adl-p: adl-p"},
        {"rpl-e", "adl-e: adl-e"},
        {"gracemont", "adl-e: adl-e"},
        {"arl-lpe", "arl-lpe: arl-lpe"},
        {"adl-n", "adl-e: adl-e"},
        {"crestmont", "mtl-e: mtl-e"},
        {"bdw", "bdw: bdw"}, /* and not bdw-de too */
        {0},
    };
    char got[256];

    for (const struct finding *f = all; f->text; f++) {
        struct td_identity m;
        char why[256];

        describe(f->text, got, sizeof(got));
        if (!td_identity_find(f->text, &m, why, sizeof(why)) && m.nparts == 3 && m.part[1]->core == 'L')
            snprintf(got, sizeof(got), "arl: arl-p arl-e arl-lpe"); /* the order of the E-cores does not matter */
        same_text(f->text, got, f->machine);
    }
}

static void intel_ids(void)
{
    static const struct finding all[] = {
        {"GenuineIntel-6-55-4", "skx: skx"},
        {"GenuineIntel-6-55-0", "skx: skx"},
        {"GenuineIntel-6-55-5", "clx: clx"},
        {"GenuineIntel-6-55-7", "clx: clx"},
        {"GenuineIntel-6-55-B", "clx: clx"},
        {"GenuineIntel-6-55-f", "clx: clx"},
        {"GenuineIntel-6-55", "EINVAL"},
        {"genuineintel-6-8f-8", "spr: spr"},
        {"GenuineIntel-6-8F", "spr: spr"},
        {"GenuineIntel-6-143", "spr: spr"},
        {"GenuineIntel-6-106-6", "icx: icx"},
        {"GenuineIntel-6-1FF", "EINVAL"},
        {"GenuineIntel-6-256", "EINVAL"},
        {"GenuineIntel-6-6A-6", "icx: icx"},
        {"GenuineIntel-6-7E-5", "icl: icl"},
        {"GenuineIntel-6-9E-A", "skl: skl"},
        {"GenuineIntel-6-97-2", "adl: adl-p adl-e"},
        {"GenuineIntel-6-B7-1", "adl: adl-p adl-e"},
        {"GenuineIntel-6-BE-0", "adl-e: adl-e"},
        {"GenuineIntel-6-C6-2", "arl: arl-p arl-e"},
        {"GenuineIntel-6-BD-1", "lnl: lnl-p lnl-e"},
        {"GenuineIntel-6-2A-7", "snb: snb"},
        {"GenuineIntel-6-56-3", "bdw-de: bdw-de"},
        {"GenuineIntel-6-85-0", "knl: knl"},
        {"GenuineIntel-6-DD-0", "cwf: cwf"},
        {"GenuineIntel-6-FF-0", "EINVAL"},
        {"GenuineIntel-15-55-7", "EINVAL"},
        {"GenuineIntel-6", "EINVAL"},
        {"GenuineIntel-", "EINVAL"},
        {"GenuineIntel-6-8Fx", "EINVAL"},
        {"GenuineIntel-6-8F-8-1", "EINVAL"},
        {"GenuineIntel-6-8F-g", "EINVAL"},
        {"GenuineIntel-6-55-", "EINVAL"},
        {0},
    };

    find_all(all);
}

/* MIDR_EL1: implementer [31:24], variant [23:20], 0xf [19:16], part [15:4], revision [3:0] */
static void midrs(void)
{
    static const struct finding all[] = {
        {"0x410fd490", "neoverse-n2: neoverse-n2"},
        {"0x410fd492", "neoverse-n2: neoverse-n2"},
        {"0x410fd493", "neoverse-n2-r0p3: neoverse-n2-r0p3"},
        {"0x411fd490", "neoverse-n2-r0p3: neoverse-n2-r0p3"},
        {"0x6d0fd490", "neoverse-n2: neoverse-n2"},
        {"0x6d0fd493", "neoverse-n2-r0p3: neoverse-n2-r0p3"},
        {"0X410FD493", "neoverse-n2-r0p3: neoverse-n2-r0p3"},
        {"0x00000000410fd490", "neoverse-n2: neoverse-n2"},
        {"0x411fd401", "neoverse-v1: neoverse-v1"},
        {"0x410fd4f1", "neoverse-v2: neoverse-v2"},
        {"0x410fd8e1", "neoverse-n3: neoverse-n3"},
        {"0x410fd840", "neoverse-v3: neoverse-v3"},
        {"0x410fd830", "neoverse-v3: neoverse-v3"},
        {"0xc00fac30", "ampereone: ampereone"},
        {"0x481fd010", "hip08: hip08"},
        {"0x413fd0c1", "neoverse-n1: neoverse-n1"},
        {"0x410fd0c0", "neoverse-n1: neoverse-n1"},
        {"0x420fd490", "EINVAL"},
        {"0x1410fd490", "EINVAL"},
        {"0x", "EINVAL"},
        {"0xzz", "EINVAL"},
        {"410fd490", "EINVAL"},
        {0},
    };

    find_all(all);
}

/* The first and last model of each range of Linux arch/x86/kernel/cpu/amd.c bsp_init_amd(), and their neighbours. */
static void amd(void)
{
    static const struct finding all[] = {
        {"AuthenticAMD-25-10-0", "zen4: zen4"},
        {"AuthenticAMD-25-11-1", "zen4: zen4"},
        {"AuthenticAMD-25-1f", "zen4: zen4"},
        {"AuthenticAMD-25-60-0", "zen4: zen4"},
        {"authenticamd-25-AF-2", "zen4: zen4"},
        {"AuthenticAMD-25-F-0", "zen3: zen3"},
        {"AuthenticAMD-25-20-0", "zen3: zen3"},
        {"AuthenticAMD-25-5F-0", "zen3: zen3"},
        {"AuthenticAMD-25-B0-0", "EOPNOTSUPP"},
        {"AuthenticAMD-26-0-0", "zen5: zen5"},
        {"AuthenticAMD-26-2-1", "zen5: zen5"},
        {"AuthenticAMD-26-2F-0", "zen5: zen5"},
        {"AuthenticAMD-26-44-0", "zen5: zen5"},
        {"AuthenticAMD-26-60-0", "zen5: zen5"},
        {"AuthenticAMD-26-7F-0", "zen5: zen5"},
        {"AuthenticAMD-26-30-0", "EOPNOTSUPP"},
        {"AuthenticAMD-26-50-0", "zen6: zen6"},
        {"AuthenticAMD-26-5f-0", "zen6: zen6"},
        {"AuthenticAMD-26-80-0", "zen6: zen6"},
        {"AuthenticAMD-26-af-0", "zen6: zen6"},
        {"AuthenticAMD-26-b0-0", "EOPNOTSUPP"},
        {"AuthenticAMD-26-c0-0", "zen6: zen6"},
        {"AuthenticAMD-23-0-0", "zen1: zen1"},
        {"AuthenticAMD-23-2F-0", "zen1: zen1"},
        {"AuthenticAMD-23-50-0", "zen1: zen1"},
        {"AuthenticAMD-23-30-0", "zen2: zen2"},
        {"AuthenticAMD-23-4f-0", "zen2: zen2"},
        {"AuthenticAMD-23-7f-0", "zen2: zen2"},
        {"AuthenticAMD-23-80-0", "EOPNOTSUPP"},
        {"AuthenticAMD-23-91-0", "zen2: zen2"},
        {"AuthenticAMD-23-A0-0", "zen2: zen2"},
        {"AuthenticAMD-25-21-2", "zen3: zen3"},
        {"milan", "zen3: zen3"},
        {"ROME", "zen2: zen2"},
        {"amdzen1", "zen1: zen1"},
        {"amdzen4", "zen4: zen4"},
        {"ZNVER5", "zen5: zen5"},
        {"genoa", "zen4: zen4"},
        {"turin", "zen5: zen5"},
        {"amdzen6", "zen6: zen6"},
        {0},
    };

    find_all(all);
}

static void no_machines(void)
{
    static const struct finding all[] = {
        {"AuthenticAMD", "EOPNOTSUPP"},
        {"AuthenticAMD-27-1-0", "EOPNOTSUPP"},
        {"AuthenticAMD-21-2-0", "EOPNOTSUPP"},
        {"AuthenticAMD-25", "EOPNOTSUPP"},
        {"AuthenticAMD-25-10x", "EOPNOTSUPP"},
        {"HygonGenuine-24-0-2", "EOPNOTSUPP"},
        {"nehalem", "EOPNOTSUPP"},
        {"", "EINVAL"},
        {" ", "EINVAL"},
        {"spr ", "EINVAL"},
        {"sp", "EINVAL"},
        {"sprr", "EINVAL"},
        {"-p", "EINVAL"},
        {"adl-", "EINVAL"},
        {"adl-x", "EINVAL"},
        {"skylake kbl", "EINVAL"},
        {"auto", "EINVAL"},
        {0},
    };
    struct td_identity m;
    char why[256];

    find_all(all);
    CU_ASSERT_EQUAL(td_identity_find("GenuineIntel-6-55", &m, why, sizeof(why)), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "skx"));
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "clx"));
    CU_ASSERT_EQUAL(td_identity_find("nosuch", &m, why, sizeof(why)), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "tdprobe list uarchs"));
}

/* Each row belongs to exactly one machine, and no machine appears twice; but
 * Gracemont also exists alone, as Alder Lake N, and nothing but its name tells Xeon Max from Sapphire Rapids. */
static void machines(void)
{
    size_t seen[128] = {0}, hybrid = 0, row = 0;
    const struct td_uarch *u;
    struct td_identity m;

    while (td_identity_next(&row, &m)) {
        CU_ASSERT_FATAL(row <= 128);
        hybrid += m.nparts > 1;
        for (size_t i = 0; i < m.nparts; i++)
            for (size_t r = 0; (u = td_uarch_at(r)); r++)
                seen[r] += u == m.part[i];
    }
    CU_ASSERT_EQUAL(hybrid, 5); /* adl mtl lnl arl ptl */
    for (size_t r = 0; (u = td_uarch_at(r)); r++) {
        size_t wanted = !strcmp(u->name, "adl-e") ? 2 : !strcmp(u->name, "spr-hbm") ? 0 : 1;

        if (seen[r] != wanted)
            printf("\n    %s is in %zu machines", u->name, seen[r]);
        CU_ASSERT_EQUAL(seen[r], wanted);
    }
    CU_ASSERT_PTR_NULL(td_uarch_by_name("adl")); /* two rows */
    CU_ASSERT_STRING_EQUAL(td_uarch_name(td_uarch_by_name("altra")), "neoverse-n1");
    CU_ASSERT_STRING_EQUAL(td_uarch_name(td_uarch_by_name("whl")), "skl");
}

enum { NONE = -1 };

struct spelling {
    const char *cpu, *text;
    long config; /* or NONE */
};

static void match_all(const struct spelling *s)
{
    for (; s->cpu; s++) {
        const struct td_uarch *u = td_uarch_by_name(s->cpu);
        long got;
        int event;

        CU_ASSERT_PTR_NOT_NULL_FATAL(u);
        event = td_event_match(u, s->text);
        got = event < 0 ? NONE : (long)u->events[event].config;
        if (got != s->config)
            printf("\n    %s on %s: got %#lx, wanted %#lx", s->text, s->cpu, (unsigned long)got,
                   (unsigned long)s->config);
        CU_ASSERT_EQUAL(got, s->config);
    }
}

static void event_names(void)
{
    static const struct spelling all[] = {
        {"skl", "IDQ_UOPS_NOT_DELIVERED.CORE", 0x19c},
        {"skl", "idq_uops_not_delivered.core", 0x19c},
        {"skl", "Idq_Uops_Not_Delivered.Core:u", 0x19c},
        {"skl", "idq_uops_not_delivered.core:ukhHG", 0x19c},
        {"skl", "cpu/idq_uops_not_delivered.core/", 0x19c},
        {"skl", "cpu/IDQ_UOPS_NOT_DELIVERED.CORE/u", 0x19c},
        {"skl", "cpu_clk_unhalted.one_thread_active", 0x23c},
        {"skl", "cpu_clk_unhalted.ref_xclk", 0x13c},
        {"skl", "cycles", 0x3c},
        {"skl", "cpu-cycles", 0x3c},
        {"skl", "instructions:u", 0xc0},
        {"skl", "cpu_clk_unhalted.thread", 0x3c},
        {"skl", "cpu_clk_unhalted.thread_any", 0x20003c},
        {"skl", "int_misc.recovery_cycles_any", 0x20010d},
        {"snb", "INT_MISC.RECOVERY_CYCLES", 0x100030d},
        {"hsw", "uops_retired.retire_slots", 0x2c2},
        {"icl", "TOPDOWN.SLOTS", 0x400},
        {"icl", "TOPDOWN.SLOTS:u", 0x400},
        {"icl", "slots", 0x400},
        {"icl", "cpu/slots/", 0x400},
        {"icl", "topdown-retiring", 0x8000},
        {"icl", "topdown-bad-spec:u", 0x8100},
        {"icl", "cpu/topdown-fe-bound/", 0x8200},
        {"icl", "TOPDOWN-BE-BOUND", 0x8300},
        {"icl", "topdown-heavy-ops", NONE},
        {"icl", "INT_MISC.UOP_DROPPING", 0x100d},
        {"spr", "topdown-heavy-ops", 0x8400},
        {"spr", "topdown-br-mispredict", 0x8500},
        {"spr", "topdown-fetch-lat", 0x8600},
        {"spr", "topdown-mem-bound", 0x8700},
        {"spr", "INT_MISC.UOP_DROPPING", 0x10ad},
        {"spr", "uops_retired.heavy", 0x1c2},
        {"adl-p", "cpu_core/topdown-retiring/", 0x8000},
        {"adl-p", "cpu_core/TOPDOWN.SLOTS/u", 0x400},
        {"adl-e", "cpu_atom/TOPDOWN_RETIRING.ALL/", 0xc2},
        {"adl-e", "cpu_atom/topdown-retiring/", 0xc2},
        {"adl-e", "cpu_atom/topdown-bad-spec/", 0x73},
        {"adl-e", "cpu_atom/cpu-cycles/", 0x3c},
        {"adl-e", "TOPDOWN_BE_BOUND.ALL_P", 0x74},
        {"srf", "topdown_retiring.all_p", 0x72},
        {"srf", "topdown-fe-bound", 0x71},
        {"lnl-e", "TOPDOWN_BE_BOUND.ALL_P", 0x2a4},
        {"ehl", "TOPDOWN_BAD_SPECULATION.ALL", 0x673},
        {"ehl", "TOPDOWN_BAD_SPECULATION.MONUKE", 0x273},
        {"glm", "UOPS_NOT_DELIVERED.ANY", 0x9c},
        {"slm", "NO_ALLOC_CYCLES.NOT_DELIVERED", 0x50ca},
        {"knl", "no_alloc_cycles.not_delivered", 0x90ca},
        {"neoverse-n2", "STALL_SLOT", 0x3f},
        {"neoverse-n2", "stall_slot_frontend", 0x3e},
        {"neoverse-n2", "stall_slot_backend:u", 0x3d},
        {"neoverse-n2", "cycles", 0x11},
        {"neoverse-n2", "armv8_pmuv3_0/op_retired/", 0x3a},
        {"neoverse-v2", "armv9_neoverse_v2/op_spec/", 0x3b},
        {0},
    };

    match_all(all);
}

static void encodings(void)
{
    static const struct spelling all[] = {
        {"skl", "cpu/event=0x9c,umask=0x1,in_tx=1/", NONE},
        {"skl", "cpu/event=0x9c,umask=0x1,config1=0x10/", NONE},
        {"skl", "cpu/event=0x9c,umask=0x1,name=x,period=100/", 0x19c},
        {"skl", "cpu/event=0x9c,umask=0x1/", 0x19c},
        {"skl", "cpu/umask=0x1,event=0x9c/", 0x19c},
        {"skl", "cpu/event=156,umask=1/", 0x19c},
        {"skl", "cpu/EVENT=0x9C,UMASK=0x1/uk", 0x19c},
        {"skl", "cpu/config=0x19c/", 0x19c},
        {"skl", "r19c", 0x19c},
        {"skl", "r19C:u", 0x19c},
        {"skl", "r019c", 0x19c},
        {"skl", "cpu/event=0x9c,umask=0x1,cmask=0x4/", 0x400019c},
        {"skl", "r400019c", 0x400019c},
        {"skl", "cpu/event=0x9c,umask=0x1,cmask=0x5/", NONE},
        {"skl", "cpu/event=0x9c,umask=0x1,inv=1/", NONE},
        {"skl", "cpu/event=0x9c,umask=0x1,edge/", NONE},
        {"skl", "cpu/event=0xd,umask=0x1,any=1/", 0x20010d},
        {"skl", "cpu/event=0x3c,umask=0x0,any=0x1/", 0x20003c},
        {"skl", "cpu/event=0xc3,umask=0x1,cmask=0x1,edge=0x1/", 0x10401c3},
        {"skl", "cpu/event=0xa3,umask=0x14,cmask=0x14/", 0x140014a3},
        {"skl", "cpu/event=0xa3,umask=0x14,cmask=20/", 0x140014a3},
        {"skl", "cpu/event=0x9c,umask=0x1,percore/", NONE},
        {"spr", "cpu/slots,percore=0/", 0x400},
        {"spr", "cpu/slots/", 0x400},
        {"skl", "cpu/event=0x9c,umask=0x1,name=fe/", 0x19c},
        {"skl", "cpu/event=0x9c,umask=0x1,period=2000003/", 0x19c},
        {"icl", "cpu/event=0x0,umask=0x4/", 0x400},
        {"icl", "cpu/event=0x00,umask=0x80/", 0x8000},
        {"icl", "r8300", 0x8300},
        {"icl", "cpu/event=0x9c,umask=0x1,cmask=0x5/", 0x500019c},
        {"spr", "cpu/event=0x9c,umask=0x1,cmask=0x6/", 0x600019c},
        {"icl", "r10ad", NONE},
        {"spr", "r10ad", 0x10ad},
        {"adl-e", "cpu_atom/event=0x74/", 0x74},
        {"adl-e", "cpu_atom/event=0x71,umask=0x72/", 0x7271},
        /* AMD's event selects have 12 bits: config:0-7,32-35 */
        {"zen4", "cpu/event=0x1a0,umask=0x1/", 0x1000001a0},
        {"zen4", "r1000001a0", 0x1000001a0},
        {"zen4", "cpu/config=0x1000001a0/", 0x1000001a0},
        {"zen4", "r1a0", NONE},
        {"zen4", "cpu/event=0x1a0,umask=0x1,cmask=0x6/u", 0x1060001a0},
        {"zen4", "cpu/event=0x1a0,umask=0x1,cmask=0x8/", NONE},
        {"zen5", "cpu/event=0x1a0,umask=0x1,cmask=0x8/", 0x1080001a0},
        {"zen4", "cpu/DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND,cmask=6/", 0x1060001a0},
        {"zen4", "cpu/event=0x28f,umask=4/", 0x20000048f},
        {"zen4", "cpu/event=0x76/", 0x76},
        {"zen4", "cpu/event=0xc2/", 0xc2},
        {"zen4", "cpu/event=0x1c2/", 0x1000000c2},
        {"neoverse-n2", "armv8_pmuv3_0/event=0x13e/", NONE},
        {"neoverse-n2", "r3f", 0x3f},
        {"neoverse-n2", "r003f", 0x3f},
        {"neoverse-n2", "armv8_pmuv3_0/event=0x3e/", 0x3e},
        {"neoverse-n2", "armv9_neoverse_n2/event=0x10/", 0x10},
        {"neoverse-n2", "r11", 0x11},
        /* a name with further terms: its own encoding plus these bits */
        {"skl", "cpu/IDQ_UOPS_NOT_DELIVERED.CORE,cmask=4/", 0x400019c},
        {"icl", "cpu/INT_MISC.RECOVERY_CYCLES,cmask=1,edge/", 0x104010d},
        {"tgl", "cpu/int_misc.recovery_cycles,cmask=0x1,edge=1/", 0x104010d},
        {"icl", "cpu/UOPS_DECODED.DEC0,cmask=1/", 0x1000156},
        {"icl", "cpu/UOPS_DECODED.DEC0,cmask=0x1/u", 0x1000156},
        {"icl", "cpu/UOPS_DECODED.DEC0,cmask=2/", NONE},
        {"icl", "cpu/INT_MISC.CLEARS_COUNT,edge=0,cmask=0/", 0x10d},
        {"snb", "cpu/UOPS_DISPATCHED.THREAD,cmask=2/", 0x20001b1},
        {"hsw", "cpu/event=0xb1,umask=0x2,cmask=0x3/", 0x30002b1},
        {"snb", "UOPS_DISPATCHED.THREAD:c1", 0x10001b1},
        {0},
    };

    match_all(all);
}

/* percore sums the threads of a core: that is another count, which has a name of its own on CPUs whose formulas use it.
 */
static void per_core(void)
{
    static const struct {
        const char *cpu, *text;
        bool is;
    } all[] = {
        {"spr", "cpu/topdown.slots,percore/", true},
        {"spr", "cpu/TOPDOWN.SLOTS,percore/", true},
        {"spr", "cpu/slots,percore/u", true},
        {"spr", "cpu/percore,slots/", true},
        {"icl", "cpu/event=0x0,umask=0x4,percore/", true},
        {"adl-p", "cpu_core/topdown.slots,percore=1/", true},
        {"spr", "cpu/slots/", false},
        {"spr", "topdown.slots", false},
        {"spr", "cpu/slots,percore=0/", false},
        {"spr", "cpu/topdown-retiring,percore/", false},
        {"spr", "cpu_atom/percore/", false},
        {"skl", "cpu/event=0x9c,umask=0x1,percore/", false},
        {"zen4", "cpu/event=0x76,percore/", false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_uarch *u = td_uarch_by_name(all[i].cpu);
        const int event = td_event_match(u, all[i].text);

        CU_ASSERT_EQUAL(event >= 0 && u->events[event].kind == TD_EVENT_PER_CORE, all[i].is);
        CU_ASSERT(!all[i].is || (event >= 0 && !strcmp(u->events[event].name, "TOPDOWN.SLOTS:percore")));
    }
}

static void no_events(void)
{
    static const struct spelling all[] = {
        {"skl", "", NONE},
        {"skl", "/", NONE},
        {"skl", "//", NONE},
        {"skl", "cpu//", NONE},
        {"skl", "cpu/", NONE},
        {"skl", ":u", NONE},
        {"skl", "cpu/event=0x9c,umask=0x1", NONE},
        {"skl", "r", NONE},
        {"skl", "r19cg", NONE},
        {"skl", "19c", NONE},
        {"skl", "x19c", NONE},
        {"skl", "r1111111111111119c", NONE},
        {"skl", "uncore_imc_0/event=0x9c,umask=0x1/", NONE},
        {"skl", "uncore_cbo_0/cycles/", NONE},
        {"skl", "msr/tsc/", NONE},
        {"skl", "power/energy-pkg/", NONE},
        {"skl", "cpu_corex/cycles/", NONE},
        {"skl", "IDQ_UOPS_NOT_DELIVERED.COR", NONE},
        {"skl", "IDQ_UOPS_NOT_DELIVERED.COREX", NONE},
        {"skl", "slots", NONE},
        {"skl", "task-clock", NONE},
        {"skl", "idq_uops_not_delivered.core:x", NONE},
        {"skl", "cpu/cmask=1/", NONE},
        {"neoverse-n2", "STALL", NONE},
        {"neoverse-n2", "r3c", NONE},
        {"adl-e", "slots", NONE},
        {0},
    };
    static char endless[70000];

    match_all(all);
    memset(endless, 'r', sizeof(endless) - 1);
    CU_ASSERT_EQUAL(td_event_match(td_uarch_by_name("skl"), endless), NONE);
    memcpy(endless, "cpu/", 4);
    endless[sizeof(endless) - 2] = '/';
    CU_ASSERT_EQUAL(td_event_match(td_uarch_by_name("skl"), endless), NONE);
    memset(endless, ',', sizeof(endless) - 2);
    memcpy(endless, "cpu/", 4);
    CU_ASSERT_EQUAL(td_event_match(td_uarch_by_name("skl"), endless), NONE);
}

static void parts_of_texts(void)
{
    static const struct {
        const char *text, *pmu;
        unsigned modes;
        bool generic;
    } all[] = {
        {"slots", "", 0, false},
        {"slots:u", "", TD_MODE_USER, false},
        {"cycles:uk", "", TD_MODE_USER | TD_MODE_KERNEL, true},
        {"cpu_core/slots/", "cpu_core", 0, false},
        {"cpu_atom/cycles/k", "cpu_atom", TD_MODE_KERNEL, true},
        {"instructions:ppp", "", 0, true},
        {"cpu/event=0x9c,umask=0x1/GH", "cpu", TD_MODE_GUEST | TD_MODE_HOST, false},
        {"cpu-cycles:h", "", TD_MODE_HYPERVISOR, true},
        {"UOPS_DISPATCHED.THREAD:c1", "", 0, false},
        {"cpu/cycles/", "cpu", 0, true},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_event_text t;

        td_event_text_parse(all[i].text, &t);
        same_text(all[i].text, t.pmu, all[i].pmu);
        CU_ASSERT_EQUAL(t.modes, all[i].modes);
        CU_ASSERT_EQUAL(t.generic, all[i].generic);
    }
    CU_ASSERT_EQUAL(td_core_of_pmu("cpu_core"), 'P');
    CU_ASSERT_EQUAL(td_core_of_pmu("cpu_atom"), 'E');
    CU_ASSERT_EQUAL(td_core_of_pmu("cpu_lowpower"), 'L');
    CU_ASSERT_EQUAL(td_core_of_pmu("cpu"), 0);
    CU_ASSERT_EQUAL(td_core_of_pmu(""), 0);
    CU_ASSERT_EQUAL(td_core_of_pmu("cpu_cor"), 0);
}

static const CU_TestInfo tests[] = {
    {"names", names},
    {"hybrids", hybrids},
    {"GenuineIntel ids", intel_ids},
    {"as they are sold", sold},
    {"MIDRs", midrs},
    {"AuthenticAMD ids", amd},
    {"what is no CPU", no_machines},
    {"every row is in one machine", machines},
    {"event names", event_names},
    {"event encodings", encodings},
    {"per core", per_core},
    {"what is no event", no_events},
    {"PMU, modes, generic names", parts_of_texts},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("identity", tests);
