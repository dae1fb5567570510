/* SPDX-License-Identifier: MIT */
/* The CPU's identity, from CPUID or MIDR_EL1. */
#include "backends/find_identity.h"
#include "live/host/host.h"
#include "live/host/host_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HYPERVISOR_BIT = 31 /* CPUID.1:ECX */, HYPERVISOR_LEAF = 0x40000000 };

/* Family and model as CPUID.1:EAX composes them (Intel SDM, CPUID), in the
 * notation of perf's mapfile.csv: decimal, hex, hex. */
static bool identify_x86(struct td_host *h)
{
    const struct td_os *os = h->os;
    uint32_t r[4], family, model;
    char vendor[13] = "";

    if (os->cpuid(os->ctx, -1, 0, 0, r))
        return false;
    memcpy(vendor, &r[1], 4);
    memcpy(vendor + 4, &r[3], 4);
    memcpy(vendor + 8, &r[2], 4);
    if (os->cpuid(os->ctx, -1, 1, 0, r))
        return false;
    family = r[0] >> 8 & 0xf;
    model = r[0] >> 4 & 0xf;
    if (family == 6 || family == 15)
        model |= r[0] >> 12 & 0xf0;
    if (family == 15)
        family += r[0] >> 20 & 0xff;
    snprintf(h->id, sizeof(h->id), "%s-%u-%X-%X", vendor, family, model, r[0] & 0xf);
    snprintf(h->origin, sizeof(h->origin), "CPUID");
    h->guest = r[2] >> HYPERVISOR_BIT & 1;
    if (h->guest && !os->cpuid(os->ctx, -1, HYPERVISOR_LEAF, 0, r))
        memcpy(h->hypervisor, &r[1], 12);
    if (h->guest && !h->hypervisor[0])
        snprintf(h->hypervisor, sizeof(h->hypervisor), "unknown kind");
    return true;
}

/* The value of "KEY : VALUE" in /proc/cpuinfo, or -1. */
static long cpuinfo_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    at = at ? strchr(at, ':') : NULL;
    return at ? strtol(at + 1, NULL, 0) : -1;
}

/* MIDR_EL1 composed from /proc/cpuinfo where sysfs has none: revision is
 * decimal there, the rest hex; the architecture field is 0xf. */
static bool identify_cpuinfo(struct td_host *h)
{
    char *text = malloc(TD_OS_FILE_MAX);
    long implementer = -1, variant = -1, part = -1, revision = -1;

    if (text && h->os->file(h->os->ctx, "/proc/cpuinfo", text, TD_OS_FILE_MAX) > 0) {
        implementer = cpuinfo_number(text, "CPU implementer");
        variant = cpuinfo_number(text, "CPU variant");
        part = cpuinfo_number(text, "CPU part");
        revision = cpuinfo_number(text, "CPU revision");
    }
    free(text);
    if (implementer < 0 || variant < 0 || part < 0 || revision < 0)
        return false;
    snprintf(h->id, sizeof(h->id), "0x%08lx",
             (unsigned long)implementer << 24 | (unsigned long)variant << 20 | 0xf0000ul | (unsigned long)part << 4 |
                 (unsigned long)revision);
    snprintf(h->origin, sizeof(h->origin), "/proc/cpuinfo");
    return true;
}

static bool identify_arm(struct td_host *h)
{
    for (int cpu = 0; cpu < 64; cpu++) /* only online CPUs have the file */
        if (td_host_text(h->os, h->id, sizeof(h->id), "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
                         cpu) &&
            h->id[0]) {
            snprintf(h->origin, sizeof(h->origin), "midr_el1 of CPU %d", cpu);
            return true;
        }
    return identify_cpuinfo(h);
}

void td_host_identify(struct td_host *h, const struct td_identity *asked)
{
    char why[256];
    bool known = identify_x86(h) || identify_arm(h);

    h->err = known ? td_identity_find(h->id, &h->identity, why, sizeof(why)) : -EOPNOTSUPP;
    if (asked) {
        h->renamed = h->err || strcmp(h->identity.name, asked->name) != 0;
        h->identity = *asked;
        h->err = 0;
        snprintf(h->origin, sizeof(h->origin), "--uarch");
        return;
    }
    h->foreign = known && h->err == -EOPNOTSUPP;
    if (!known) {
        h->id[0] = '\0';
        snprintf(h->why, sizeof(h->why),
                 "this is neither an x86 nor an Arm CPU; name one with --uarch if its events are the same");
    } else if (h->err == -EOPNOTSUPP) {
        snprintf(h->why, sizeof(h->why), "CPU %s: %s", h->id, why);
    } else if (h->err) {
        h->err = -EOPNOTSUPP;
        snprintf(h->why, sizeof(h->why),
                 "CPU %s is not one that tdprobe has formulas for ('tdprobe list uarchs'); "
                 "--uarch NAME measures it as another",
                 h->id);
    }
    snprintf(h->cpu_why, sizeof(h->cpu_why), "%s", h->why);
}
