/* SPDX-License-Identifier: MIT */
#include "live/msr/msr_source.h"

#include "backends/event_match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = 1 << 21 }; /* in IA32_PERFEVTSEL */

/* Architectural events (SDM 3B, "Pre-defined Architectural Performance Events") by
 * perf's names; CPUID 0xA EBX shows which of them a CPU lacks. */
static const struct {
    const char *name;
    uint64_t config;
    unsigned missing; /* bit in EBX */
    const char *counters;
} generic[] = {
    {"cycles", 0x3c, 0, "fixed 1"},         {"instructions", 0xc0, 1, "fixed 0"}, {"ref-cycles", 0x300, 2, "fixed 2"},
    {"cache-references", 0x4f2e, 3, "any"}, {"cache-misses", 0x412e, 4, "any"},   {"branches", 0xc4, 5, "any"},
    {"branch-misses", 0xc5, 6, "any"},
};

/* AMD's by the same names: Linux arch/x86/events/amd/core.c, amd_zen4_perfmon_event_map. Any counter takes them. */
static const struct {
    const char *name;
    uint64_t config;
} amd[] = {
    {"cycles", 0x76},         {"instructions", 0xc0}, {"ref-cycles", 0x100000120}, {"cache-references", 0xff60},
    {"cache-misses", 0x0964}, {"branches", 0xc2},     {"branch-misses", 0xc3},
};

static void set(struct td_msr_added *out, uint64_t config, const char *counters, const char *alone)
{
    out->config = config;
    snprintf(out->counters, sizeof(out->counters), "%s", counters);
    snprintf(out->counters_alone, sizeof(out->counters_alone), "%s", alone);
}

/* Reads "event,umask,cmask,edge,inv", each a number; those that are left out are 0. AMD's events have 12 bits, the
 * upper four of them from bit 32 on. */
static bool take_numbers(const char *text, bool of_amd, uint64_t *config)
{
    const struct {
        unsigned shift;
        unsigned long most;
    } parts[] = {{0, of_amd ? 0xfff : 0xff}, {8, 0xff}, {24, 0xff}, {18, 1}, {23, 1}};

    *config = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        char *end;
        unsigned long n = strtoul(text, &end, 0);

        if (*text < '0' || *text > '9' || n > parts[i].most || (*end && *end != ','))
            return false;
        *config |= i ? (uint64_t)n << parts[i].shift : (n & 0xff) | (uint64_t)(n >> 8) << 32;
        if (!*end)
            return true;
        text = end + 1;
    }
    return false;
}

static int not_here(const struct td_uarch *u, const char *text, char why[TD_MSR_WHY])
{
    snprintf(why, TD_MSR_WHY,
             "the event '%.60s' is no event of %s: neither a name ('tdprobe list events'), nor cycles, instructions, "
             "branches, branch-misses, cache-references or cache-misses, "
             "nor numbers as event,umask[,cmask[,edge[,inv]]]",
             text, u->name);
    return -EINVAL;
}

int td_msr_event_find(const struct td_uarch *u, const struct td_msr_caps *caps, const char *text,
                      struct td_msr_added *out, char why[TD_MSR_WHY])
{
    uint64_t config;
    int number;

    *out = (struct td_msr_added){0};
    snprintf(out->name, sizeof(out->name), "%s", text);
    for (size_t i = 0; caps->amd && i < sizeof(amd) / sizeof(*amd); i++)
        if (!strcmp(amd[i].name, text)) {
            set(out, amd[i].config, "any", "any");
            return 0;
        }
    for (size_t i = 0; i < sizeof(generic) / sizeof(*generic); i++) {
        if (caps->amd || strcmp(generic[i].name, text))
            continue;
        set(out, generic[i].config, generic[i].counters, generic[i].counters);
        if (!(caps->missing >> generic[i].missing & 1))
            return 0;
        snprintf(why, TD_MSR_WHY, "this CPU lacks the event '%s' (CPUID 0xA, EBX bit %u)", text, generic[i].missing);
        return -EOPNOTSUPP;
    }
    if (*text >= '0' && *text <= '9') {
        if (!take_numbers(text, caps->amd, &config) || !(config & (caps->amd ? TD_MSR_AMD_EVENT | 0xff : 0xff)))
            return not_here(u, text, why);
        set(out, config, "any", "any");
        return 0;
    }
    number = td_event_match(u, text);
    if (number < 0 || u->events[number].field >= 0)
        return not_here(u, text, why);
    if (u->events[number].config & ANY && !caps->any) {
        snprintf(why, TD_MSR_WHY,
                 "the event '%.60s' counts for all threads of a core, which counters of this CPU do not (CPUID 0xA, "
                 "EDX bit 15)",
                 text);
        return -EOPNOTSUPP;
    }
    set(out, u->events[number].config, u->events[number].counters, u->events[number].counters_alone);
    return 0;
}
