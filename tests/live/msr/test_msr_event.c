/* SPDX-License-Identifier: MIT */
/* Events by name and by number: Intel's architectural ones (SDM 3B, "Pre-defined Architectural Performance Events"; the
 * reference cycles as Linux numbers their fixed counter), AMD's (Linux arch/x86/events/amd/core.c), and where the
 * numbers go in IA32_PERFEVTSEL: event 7:0, umask 15:8, edge 18, inv 23, cmask 31:24; AMD's event also 35:32. */
#include "live/msr/msr_source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct td_event events[] = {
    {"THIS", 0x1c2, "0-3", "0-7", -1, 1, 1, true, .config1 = 0},
    {"FIELD", 0x8000, "", "", 0, 1, 1, true, .config1 = 0},
    {"OF_ALL_THREADS", 0x20033c, "0-3", "0-7", -1, 1, 1, true, .config1 = 0},
};
static const struct td_uarch row = {.name = "a-row", .events = events, .nevents = 3};

struct wanted {
    const char *text;
    uint64_t config; /* 0: it is none */
    const char *counters;
};

static void all(const struct td_msr_caps *caps, const struct wanted *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct td_msr_added e;
        char why[TD_MSR_WHY] = "";
        const int err = td_msr_event_find(&row, caps, of[i].text, &e, why);

        CU_ASSERT_EQUAL(err, of[i].config ? 0 : -EINVAL);
        if (err) {
            CU_ASSERT(strstr(why, of[i].text) && strstr(why, "is no event of a-row"));
            continue;
        }
        CU_ASSERT_EQUAL(e.config, of[i].config);
        CU_ASSERT_STRING_EQUAL(e.name, of[i].text);
        CU_ASSERT_STRING_EQUAL(e.counters, of[i].counters);
        CU_ASSERT(!strcmp(e.counters_alone, e.counters) || !strcmp(e.counters_alone, "0-7"));
    }
}

static void intel(void)
{
    static const struct wanted of[] = {
        {"cycles", 0x3c, "fixed 1"},
        {"instructions", 0xc0, "fixed 0"},
        {"ref-cycles", 0x300, "fixed 2"},
        {"cache-references", 0x4f2e, "any"},
        {"cache-misses", 0x412e, "any"},
        {"branches", 0xc4, "any"},
        {"branch-misses", 0xc5, "any"},
        {"THIS", 0x1c2, "0-3"},
        {"FIELD", 0, NULL},
        {"OTHER", 0, NULL},
        {"0xc5", 0xc5, "any"},
        {"0xc5,0x11", 0x11c5, "any"},
        {"255,255,255,1,1", 0xff84ffff, "any"},
        {"1,2,3", 0x3000201, "any"},
        {"1,0,0,1", 0x40001, "any"},
        {"1,0,0,0,1", 0x800001, "any"},
        {"1,0,0,1,0", 0x40001, "any"},
        {"9", 9, "any"},
        {"0x100", 0, NULL},
        {"1,256", 0, NULL},
        {"1,0,256", 0, NULL},
        {"1,0,0,2", 0, NULL},
        {"1,0,0,0,2", 0, NULL},
        {"1,0,0,0,0,0", 0, NULL},
        {"1,0,0,0,0,", 0, NULL},
        {"1,", 0, NULL},
        {"1,,2", 0, NULL},
        {"1 ", 0, NULL},
        {"1,/", 0, NULL},
        {"1,:", 0, NULL},
        {"0", 0, NULL},
        {"0,1", 0, NULL}, /* event 0 is none */
    };

    all(&(const struct td_msr_caps){.version = 5}, of, sizeof(of) / sizeof(*of));
}

static void of_amd(void)
{
    static const struct wanted of[] = {
        {"cycles", 0x76, "any"},
        {"instructions", 0xc0, "any"},
        {"ref-cycles", 0x100000120, "any"}, /* event 0x120: its bit 8 is bit 32 */
        {"cache-references", 0xff60, "any"},
        {"cache-misses", 0x964, "any"},
        {"branches", 0xc2, "any"},
        {"branch-misses", 0xc3, "any"},
        {"0x1a0,1", UINT64_C(0x1000001a0), "any"},
        {"0xfff", UINT64_C(0xf000000ff), "any"},
        {"0x100", UINT64_C(0x100000000), "any"},
        {"0x1000", 0, NULL},
        {"0,5", 0, NULL},
    };

    all(&(const struct td_msr_caps){.amd = true, .version = 4}, of, sizeof(of) / sizeof(*of));
}

/* CPUID 0xA EBX has a bit for each architectural event that the CPU lacks. */
static void missing(void)
{
    static const char *const names[] = {"cycles",       "instructions", "ref-cycles",   "cache-references",
                                        "cache-misses", "branches",     "branch-misses"};
    struct td_msr_added e;
    char why[TD_MSR_WHY], bit[16];

    for (unsigned lacks = 0; lacks < 8; lacks++)
        for (unsigned i = 0; i < 7; i++) {
            const struct td_msr_caps caps = {.version = 5, .missing = 1u << lacks};

            CU_ASSERT_EQUAL(td_msr_event_find(&row, &caps, names[i], &e, why), i == lacks ? -EOPNOTSUPP : 0);
            snprintf(bit, sizeof(bit), "EBX bit %u)", i);
            CU_ASSERT(i != lacks || (strstr(why, names[i]) && strstr(why, bit)));
        }
}

static void of_all_threads(void)
{
    struct td_msr_added e;
    char why[TD_MSR_WHY] = "";

    CU_ASSERT_EQUAL(
        td_msr_event_find(&row, &(const struct td_msr_caps){.version = 3, .any = true}, "OF_ALL_THREADS", &e, why), 0);
    CU_ASSERT_EQUAL(e.config, 0x20033c);
    CU_ASSERT_EQUAL(td_msr_event_find(&row, &(const struct td_msr_caps){.version = 5}, "OF_ALL_THREADS", &e, why),
                    -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "counts for all threads of a core"));
}

static const CU_TestInfo tests[] = {
    {"Intel's", intel}, {"AMD's", of_amd}, {"what a CPU lacks", missing}, {"for all threads", of_all_threads},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr events", tests);
