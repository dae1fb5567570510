// SPDX-License-Identifier: GPL-2.0
/* The CPUs that the module can simulate, and what their events count. Encodings as in
 * backends/<family>-events.csv; config = code | umask << 8 | edge << 18 | any << 21 | cmask << 24. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "tdpmu.h"

#define CONFIG(code, umask) ((code) | (umask) << 8)
#define CMASK(n) ((u32)(n) << 24)
#define EDGE (1u << 18)
#define ANY (1u << 21)
#define X86_MASK (0xffffULL | EDGE | ANY | 1u << 23 | 0xff000000ULL)

#define PORTS(stores_cmask) \
    {CONFIG(0xa3, 0x04) | CMASK(4), TDPMU_STALLS_TOTAL}, {CONFIG(0xa3, 0x14) | CMASK(20), TDPMU_STALLS_MEM}, \
        {CONFIG(0xa6, 0x02), TDPMU_PORTS_1}, {CONFIG(0xa6, 0x04), TDPMU_PORTS_2}, \
    { \
        CONFIG(0xa6, 0x40) | CMASK(stores_cmask), TDPMU_STALLS_STORES \
    }
#define BIG_CORE \
    {CONFIG(0x3c, 0), TDPMU_CYCLES}, {CONFIG(0xc0, 0), TDPMU_INSTRUCTIONS}, {CONFIG(0x9c, 1), TDPMU_FE_BOUND}, \
        {CONFIG(0x0e, 1), TDPMU_ISSUED}, {CONFIG(0xc2, 2), TDPMU_RETIRING}, {CONFIG(0xc5, 0), TDPMU_MISPREDICT_COUNT}, \
    { \
        CONFIG(0xc3, 1) | CMASK(1) | EDGE, TDPMU_CLEAR_COUNT \
    }

/* There is one thread per core, so "any" makes no difference. */
static const struct tdpmu_event skl_events[] = {
    BIG_CORE,
    PORTS(0),
    {CONFIG(0x3c, 0) | ANY, TDPMU_CYCLES},
    {CONFIG(0x3c, 1), TDPMU_REF_CYCLES},
    {CONFIG(0x3c, 2), TDPMU_REF_CYCLES},
    {CONFIG(0x9c, 1) | CMASK(4), TDPMU_FETCH_LAT_CYCLES},
    {CONFIG(0x0d, 1), TDPMU_RECOVERY_CYCLES},
    {CONFIG(0x0d, 1) | ANY, TDPMU_RECOVERY_CYCLES},
    {CONFIG(0x0d, 1) | CMASK(1), TDPMU_RECOVERY_CYCLES},
    {CONFIG(0x0d, 1) | CMASK(1) | ANY, TDPMU_RECOVERY_CYCLES},
    {CONFIG(0xc2, 4), TDPMU_MACRO_FUSED},
    {0},
};
/* No corrections: INT_MISC.CLEARS_COUNT and UOP_DROPPING count nothing. */
static const struct tdpmu_event icl_events[] = {
    BIG_CORE,
    PORTS(2),
    {CONFIG(0x9c, 1) | CMASK(5), TDPMU_FETCH_LAT_CYCLES},
    {CONFIG(0x0d, 1), TDPMU_RECOVERY_CYCLES},
    {CONFIG(0x79, 0x04), TDPMU_RETIRING},
    {CONFIG(0x79, 0x30), TDPMU_MS_UOPS},
    {CONFIG(0xa4, 1), TDPMU_SLOTS},
    {CONFIG(0xa4, 2), TDPMU_BE_BOUND},
    {0},
};
static const struct tdpmu_event spr_events[] = {
    BIG_CORE,
    {CONFIG(0x9c, 1) | CMASK(6), TDPMU_FETCH_LAT_CYCLES},
    {CONFIG(0xa4, 0x01), TDPMU_SLOTS},
    {CONFIG(0xa4, 0x02), TDPMU_BE_BOUND},
    {CONFIG(0xa4, 0x08), TDPMU_MISPREDICTS},
    {CONFIG(0xa4, 0x10), TDPMU_MEM_BOUND},
    {CONFIG(0xc2, 0x01), TDPMU_HEAVY},
    {0},
};
/* Gracemont as the only kind of core (Alder Lake N) */
static const struct tdpmu_event atom_events[] = {
    {CONFIG(0x3c, 0), TDPMU_CYCLES},      {CONFIG(0xc0, 0), TDPMU_INSTRUCTIONS},
    {CONFIG(0x71, 0), TDPMU_FE_BOUND},    {CONFIG(0x71, 0x72), TDPMU_FETCH_LAT},
    {CONFIG(0x71, 0x8d), TDPMU_FETCH_BW}, {CONFIG(0x73, 0), TDPMU_BAD_SPEC},
    {CONFIG(0x73, 6), TDPMU_BAD_SPEC},    {CONFIG(0x73, 3), TDPMU_CLEARS},
    {CONFIG(0x73, 4), TDPMU_MISPREDICTS}, {CONFIG(0x74, 0), TDPMU_BE_BOUND},
    {CONFIG(0x74, 1), TDPMU_CORE_BOUND},  {CONFIG(0x05, 0xff), TDPMU_MEM_BOUND_CYCLES},
    {CONFIG(0x04, 7), TDPMU_CYCLES},      {CONFIG(0xc2, 0), TDPMU_RETIRING},
    {CONFIG(0xc2, 1), TDPMU_HEAVY},       {0},
};
static const struct tdpmu_event n2_events[] = {
    {0x08, TDPMU_INSTRUCTIONS},
    {0x10, TDPMU_MISPREDICT_COUNT},
    {0x11, TDPMU_CYCLES},
    {0x3a, TDPMU_RETIRING},
    {0x3b, TDPMU_ISSUED},
    {0x3d, TDPMU_STALL_SLOT_BACKEND},
    {0x3e, TDPMU_STALL_SLOT_FRONTEND},
    {0x3f, TDPMU_STALL_SLOT},
    {0},
};

/* Files and encodings: arch/x86/events/intel/core.c, drivers/perf/arm_pmuv3.c */
#define FORMAT \
    {"event", "config:0-7"}, {"umask", "config:8-15"}, {"edge", "config:18"}, {"pc", "config:19"}, \
        {"inv", "config:23"}, \
    { \
        "cmask", "config:24-31" \
    }
static const struct tdpmu_text x86_format[] = {FORMAT, {0}};
static const struct tdpmu_text any_format[] = {FORMAT, {"any", "config:21"}, {0}};
static const struct tdpmu_text arm_format[] = {{"event", "config:0-15"}, {0}};

#define GENERAL \
    {"cpu-cycles", "event=0x3c"}, \
    { \
        "instructions", "event=0xc0" \
    }
#define METRICS \
    {"slots", "event=0x00,umask=0x4"}, {"topdown-retiring", "event=0x00,umask=0x80"}, \
        {"topdown-bad-spec", "event=0x00,umask=0x81"}, {"topdown-fe-bound", "event=0x00,umask=0x82"}, \
    { \
        "topdown-be-bound", "event=0x00,umask=0x83" \
    }
static const struct tdpmu_text icl_files[] = {GENERAL, METRICS, {0}};
static const struct tdpmu_text spr_files[] = {
    GENERAL,
    METRICS,
    {"topdown-heavy-ops", "event=0x00,umask=0x84"},
    {"topdown-br-mispredict", "event=0x00,umask=0x85"},
    {"topdown-fetch-lat", "event=0x00,umask=0x86"},
    {"topdown-mem-bound", "event=0x00,umask=0x87"},
    {0},
};
static const struct tdpmu_text skl_files[] = {
    GENERAL,
    {"topdown-total-slots", "event=0x3c,umask=0x0"},
    {"topdown-total-slots.scale", "4"},
    {"topdown-slots-issued", "event=0xe,umask=0x1"},
    {"topdown-slots-retired", "event=0xc2,umask=0x2"},
    {"topdown-fetch-bubbles", "event=0x9c,umask=0x1"},
    {"topdown-recovery-bubbles", "event=0xd,umask=0x1,cmask=1"},
    {"topdown-recovery-bubbles.scale", "4"},
    {0},
};
static const struct tdpmu_text atom_files[] = {
    GENERAL,
    {"topdown-fe-bound", "event=0x71,umask=0x0"},
    {"topdown-retiring", "event=0xc2,umask=0x0"},
    {"topdown-bad-spec", "event=0x73,umask=0x6"},
    {"topdown-be-bound", "event=0x74,umask=0x0"},
    {0},
};
static const struct tdpmu_text n2_files[] = {
    {"cpu_cycles", "event=0x0011"},          {"inst_retired", "event=0x0008"}, {"br_mis_pred", "event=0x0010"},
    {"op_retired", "event=0x003a"},          {"op_spec", "event=0x003b"},      {"stall_slot_backend", "event=0x003d"},
    {"stall_slot_frontend", "event=0x003e"}, {"stall_slot", "event=0x003f"},   {0},
};

/* rdpmc is off: no instruction in the guest can read these counters */
static const struct tdpmu_text x86_root[] = {{"rdpmc", "0"}, {0}};
static const struct tdpmu_text arm_root[] = {{"cpus", NULL}, {0}};
#define CAPS(name) \
    (const struct tdpmu_text[]) \
    { \
        {"pmu_name", name}, {"branches", "0"}, {"max_precise", "0"}, \
        { \
            0 \
        } \
    }
static const struct tdpmu_text arm_caps[] = {
    {"bus_slots", "0x00000000"}, {"bus_width", "0x00000000"}, {"slots", "0x00000005"}, {0}};

#define X86(width_, counters_, metrics_) \
    .pmu_name = "cpu", .type = PERF_TYPE_RAW, .width = width_, .counters = counters_, .metrics = metrics_, \
    .config_mask = X86_MASK, .cycles = 0x3c, .instructions = 0xc0, .files = x86_root
#define ARM \
    .pmu_name = "armv8_pmuv3_0", .type = -1, .width = 5, .counters = 6, .config_mask = 0xffff, .cycles = 0x11, \
    .instructions = ~0u, .events = n2_events, .event_files = n2_files, .format_files = arm_format, \
    .cap_files = arm_caps, .files = arm_root

static const struct tdpmu_flavour flavours[] = {
    {"icl", X86(5, 8, 4), .events = icl_events, .event_files = icl_files, .format_files = x86_format,
     .cap_files = CAPS("icelake")},
    {"spr", X86(6, 8, 8), .events = spr_events, .event_files = spr_files, .format_files = x86_format,
     .cap_files = CAPS("sapphire_rapids")},
    {"skl", X86(4, 8, 0), .events = skl_events, .event_files = skl_files, .format_files = any_format,
     .cap_files = CAPS("skylake")},
    {"atom", X86(5, 6, 0), .events = atom_events, .event_files = atom_files, .format_files = x86_format,
     .cap_files = CAPS("gracemont")},
    {"n2", ARM},
    {"n2r0p0", ARM, .extra_cycles = true},
};

const struct tdpmu_flavour *tdpmu_flavour_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(flavours); i++)
        if (!strcmp(name, flavours[i].name))
            return &flavours[i];
    return NULL;
}

enum tdpmu_rate tdpmu_event_rate(u64 config)
{
    if (tdpmu_lie)
        return tdpmu_lie == TDPMU_EQUAL ? TDPMU_SLOTS : TDPMU_NOTHING;
    for (const struct tdpmu_event *e = tdpmu_flavour->events; e->rate; e++)
        if (e->config == config)
            return e->rate;
    return TDPMU_NOTHING;
}
