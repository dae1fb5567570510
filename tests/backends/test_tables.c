/* SPDX-License-Identifier: MIT */
/* The rows of the backends: each is complete and well formed, and its contents are what was published. */
#include "core/identity.h"
#include "backends/nodes.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"
#include "backends/find_identity.h"
#include "backends/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void check(bool good, int line, const char *row, const char *what)
{
    char text[160];

    snprintf(text, sizeof(text), "%s: %s", row, what);
    CU_assertImplementation(good, (unsigned)line, text, __FILE__, "", CU_FALSE);
}

#define CHECK(good, row, what) check(good, __LINE__, (row)->name, what)
#define EACH_ROW(u) (size_t row_ = 0; ((u) = td_uarch_at(row_)); row_++)

#define GENERIC(core) "kernel-topdown " core "-thread-any " core "-smt " core "-ebs " core
/* Widths: CPU table of Intel's TMA metrics (perfmon, toplev), PMMIR_EL1.SLOTS of
 * Arm's telemetry-solution, total_dispatch_slots of AMD's in perf. Formulas: by generation, as published; in this
 * order. */
static const struct {
    const char *row;
    int width;
    const char *forms;
} published[] = {
    {"icl", 5, "icl-perf-metrics icl-events"},
    {"icx", 5, "icl-perf-metrics icl-events"},
    {"tgl", 5, "icl-perf-metrics icl-events"},
    {"rkl", 5, "icl-perf-metrics icl-events"},
    {"adl-p", 6, "glc-perf-metrics glc-events"},
    {"spr", 6, "glc-perf-metrics glc-events"},
    {"spr-hbm", 6, "glc-perf-metrics glc-events"},
    {"emr", 6, "glc-perf-metrics glc-events"},
    {"mtl-p", 6, "glc-perf-metrics glc-events"},
    {"gnr", 6, "glc-perf-metrics glc-events"},
    {"lnl-p", 8, "lnc-perf-metrics lnc-events"},
    {"arl-p", 8, "lnc-perf-metrics lnc-events"},
    {"ptl-p", 8, "lnc-perf-metrics lnc-events"},
    {"snb", 4, GENERIC("snb")},
    {"jkt", 4, GENERIC("snb")},
    {"ivb", 4, GENERIC("ivb")},
    {"ivt", 4, GENERIC("ivb")},
    {"hsw", 4, GENERIC("hsw")},
    {"hsx", 4, GENERIC("hsw")},
    {"bdw", 4, GENERIC("bdw")},
    {"bdx", 4, GENERIC("bdw")},
    {"bdw-de", 4, GENERIC("bdw")},
    {"skl", 4, GENERIC("skl")},
    {"skx", 4, GENERIC("skl")},
    {"clx", 4, GENERIC("skl")},
    {"slm", 2, "kernel-topdown slm"},
    {"knl", 2, "knl"},
    {"glm", 3, "kernel-topdown goldmont"},
    {"glp", 4, "kernel-topdown goldmont"},
    {"ehl", 4, "tremont"},
    {"snr", 4, "tremont"},
    {"adl-e", 5, "gracemont-perf-6.4 gracemont"},
    {"mtl-e", 6, "crestmont"},
    {"arl-lpe", 6, "crestmont"},
    {"srf", 6, "crestmont"},
    {"grr", 6, "crestmont"},
    {"lnl-e", 8, "skymont"},
    {"arl-e", 8, "skymont"},
    {"ptl-e", 8, "skymont"},
    {"cwf", 8, "skymont"},
    {"neoverse-n1", 0, "neoverse-n1-cycles"},
    {"neoverse-n2", 5, "neoverse-less-cycles"},
    {"neoverse-n2-r0p3", 5, "neoverse"},
    {"neoverse-v1", 8, "neoverse-v1"},
    {"neoverse-v2", 8, "neoverse"},
    {"neoverse-n3", 5, "neoverse-flush"},
    {"neoverse-v3", 10, "neoverse-flush"},
    {"ampereone", 6, "ampereone"},
    {"ampereonex", 10, "ampereone"},
    {"hip08", 4, "hip08"},
    {"zen1", 0, "zen-ratios"},
    {"zen2", 0, "zen-ratios"},
    {"zen3", 0, "zen-ratios"},
    {"zen4", 6, "zen4-dispatch"},
    {"zen5", 8, "zen5-dispatch"},
    {"zen6", 8, "zen6-dispatch"},
};

static void widths_and_formulas(void)
{
    const struct td_uarch *u;

    for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
        char forms[160] = "";

        u = td_uarch_by_name(published[i].row);
        CU_ASSERT_PTR_NOT_NULL_FATAL(u);
        CHECK(u->width == published[i].width, u, "width");
        for (size_t f = 0; td_uarch_formula(u, f); f++)
            snprintf(forms + strlen(forms), sizeof(forms) - strlen(forms), "%s%s", f ? " " : "",
                     td_uarch_formula(u, f));
        CHECK(!strcmp(forms, published[i].forms), u, "formulas");
    }
    for
        EACH_ROW(u) CHECK(td_tree_has_nodes(u->tree) ? u->width >= 2 && u->width <= 10 : !u->width, u, "width");
}

/* config = code, umask << 8, edge << 18, any << 21, cmask << 24: from Intel's event
 * lists (perfmon), the kernel for topdown-*, Arm's TRMs. */
static const struct {
    const char *row, *event;
    uint64_t config;
} encodings[] = {
    {"snb", "INT_MISC.RECOVERY_CYCLES", 0x100030d},
    {"snb", "INT_MISC.RECOVERY_CYCLES_ANY", 0x120030d},
    {"hsx", "topdown-recovery-bubbles", 0x100030d},
    {"skx", "topdown-recovery-bubbles", 0x100010d},
    {"skl", "INT_MISC.RECOVERY_CYCLES", 0x10d},
    {"clx", "INT_MISC.RECOVERY_CYCLES_ANY", 0x20010d},
    {"bdw", "CPU_CLK_UNHALTED.THREAD_ANY", 0x20003c},
    {"jkt", "MACHINE_CLEARS.COUNT", 0x10401c3},
    {"snb", "CYCLE_ACTIVITY.STALLS_L1D_PENDING", 0x60006a3},
    {"ivt", "CYCLE_ACTIVITY.STALLS_LDM_PENDING", 0x60006a3},
    {"bdx", "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x60006a3},
    {"skl", "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x140014a3},
    {"hsw", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x400019c},
    {"tgl", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE", 0x500019c},
    {"spr", "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE", 0x600019c},
    {"lnl-p", "IDQ_BUBBLES.FETCH_LATENCY", 0x49c},
    {"rkl", "INT_MISC.UOP_DROPPING", 0x100d},
    {"gnr", "INT_MISC.UOP_DROPPING", 0x10ad},
    {"icl", "INT_MISC.CLEARS_COUNT", 0x104010d},
    {"skl", "EXE_ACTIVITY.BOUND_ON_STORES", 0x40a6},
    {"icl", "EXE_ACTIVITY.BOUND_ON_STORES", 0x20040a6},
    {"icl", "UOPS_DECODED.DEC0:c1", 0x1000156},
    {"snb", "UOPS_DISPATCHED.THREAD:c3", 0x30001b1},
    {"ivb", "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", 0x20001b1},
    {"hsw", "UOPS_EXECUTED.CORE:c2", 0x20002b1},
    {"skl", "UOPS_RETIRED.MACRO_FUSED", 0x4c2},
    {"icl", "IDQ.MS_UOPS", 0x3079},
    {"adl-p", "TOPDOWN.BR_MISPREDICT_SLOTS", 0x8a4},
    {"ptl-p", "TOPDOWN.MEMORY_BOUND_SLOTS", 0x10a4},
    {"spr", "UOPS_RETIRED.HEAVY", 0x1c2},
    {"lnl-p", "TOPDOWN.SLOTS_P", 0x1a4},
    {"icl", "TOPDOWN.SLOTS", 0x400},
    {"spr", "topdown-retiring", 0x8000},
    {"spr", "topdown-bad-spec", 0x8100},
    {"icl", "topdown-fe-bound", 0x8200},
    {"icl", "topdown-be-bound", 0x8300},
    {"mtl-p", "topdown-heavy-ops", 0x8400},
    {"gnr", "topdown-br-mispredict", 0x8500},
    {"arl-p", "topdown-fetch-lat", 0x8600},
    {"ptl-p", "topdown-mem-bound", 0x8700},
    {"slm", "NO_ALLOC_CYCLES.NOT_DELIVERED", 0x50ca},
    {"knl", "NO_ALLOC_CYCLES.NOT_DELIVERED", 0x90ca},
    {"slm", "UOPS_RETIRED.ALL", 0x10c2},
    {"glm", "ISSUE_SLOTS_NOT_CONSUMED.RECOVERY", 0x2ca},
    {"ehl", "TOPDOWN_BAD_SPECULATION.ALL", 0x673},
    {"snr", "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS", 0x273},
    {"adl-e", "TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS", 0x373},
    {"srf", "TOPDOWN_RETIRING.ALL_P", 0x72},
    {"adl-e", "TOPDOWN_RETIRING.ALL", 0xc2},
    {"lnl-e", "TOPDOWN_RETIRING.ALL", 0x700},
    {"arl-e", "TOPDOWN_FE_BOUND.ALL", 0x600},
    {"cwf", "TOPDOWN_BE_BOUND.ALL_P", 0x2a4},
    {"mtl-e", "TOPDOWN_FE_BOUND.FRONTEND_LATENCY", 0x7271},
    {"ptl-e", "TOPDOWN_FE_BOUND.FRONTEND_BANDWIDTH", 0x8d71},
    {"ehl", "MEM_BOUND_STALLS.STORE_BUFFER_FULL", 0x4034},
    {"grr", "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS", 0x174},
    {"neoverse-n2", "STALL_SLOT", 0x3f},
    {"neoverse-n2", "STALL_SLOT_FRONTEND", 0x3e},
    {"neoverse-v1", "STALL_SLOT_BACKEND", 0x3d},
    {"neoverse-v2", "OP_SPEC", 0x3b},
    {"neoverse-n3", "OP_RETIRED", 0x3a},
    {"neoverse-v3", "STALL_FRONTEND_FLUSH", 0x8162},
    {"neoverse-v2", "BR_MIS_PRED", 0x10},
    {"hip08", "EXE_STALL_CYCLE", 0x7001},
    {"hip08", "FETCH_BUBBLE", 0x2014},
    {"ampereone", "CPU_CYCLES", 0x11},
};

static const struct td_event *event_of(const struct td_uarch *u, const char *name)
{
    for (size_t i = 0; u && i < u->nevents; i++)
        if (!strcmp(u->events[i].name, name))
            return &u->events[i];
    return NULL;
}

static void published_encodings(void)
{
    for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
        const struct td_event *e = event_of(td_uarch_by_name(encodings[i].row), encodings[i].event);

        check(e && e->config == encodings[i].config, __LINE__, encodings[i].row, encodings[i].event);
    }
}

/* The kernel's .scale, with the sibling off and on (arch/x86/events/intel/core.c). */
static void published_scales(void)
{
    static const struct {
        const char *row, *event;
        double scale, smt;
    } scales[] = {
        {"snb", "topdown-total-slots", 4, 2},   {"skl", "topdown-recovery-bubbles", 4, 2},
        {"bdx", "topdown-slots-issued", 1, 1},  {"slm", "topdown-total-slots", 2, 2},
        {"slm", "topdown-fetch-bubbles", 2, 2}, {"glm", "topdown-total-slots", 3, 3},
        {"glp", "topdown-total-slots", 4, 4},   {"glm", "topdown-recovery-bubbles", 1, 1},
        {"icl", "TOPDOWN.SLOTS", 1, 1},
    };
    const struct td_uarch *u;

    for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
        const struct td_event *e = event_of(td_uarch_by_name(scales[i].row), scales[i].event);

        check(e && e->scale == scales[i].scale && e->scale_smt == scales[i].smt, __LINE__, scales[i].row,
              scales[i].event);
    }
    for
        EACH_ROW(u)
    for (size_t i = 0; i < u->nevents; i++)
        CHECK(!strncmp(u->events[i].name, "topdown-", 8) || u->events[i].scale * u->events[i].scale_smt == 1, u,
              "scale");
}

/* "fixed 3", "metrics", "0-7", "2", "any", "cycle counter" */
static bool is_counters(const char *text)
{
    char last;
    int from, to;

    if (!strcmp(text, "metrics") || !strcmp(text, "any") || !strcmp(text, "cycle counter"))
        return true;
    if (sscanf(text, "fixed %d%c", &from, &last) == 1)
        return from >= 0 && from <= 6;
    if (sscanf(text, "%d-%d%c", &from, &to, &last) == 2)
        return from == 0 && to > from && to <= 9;
    return sscanf(text, "%d%c", &from, &last) == 1 && from >= 0 && from <= 9;
}

/* Event select 0-7 and 32-35, umask, edge, inv, cmask: Linux arch/x86/events/amd/core.c, format/ files */
#define AMD_BITS UINT64_C(0xfff84ffff)

static bool is_amd(const struct td_uarch *u)
{
    return !strcmp(td_uarch_backend_of(u)->vendor, "AuthenticAMD");
}

/* An event without encoding is counted elsewhere, or not at all; the others have what a config can have. */
static void check_published_event(const struct td_uarch *u, const struct td_event *e)
{
    const bool intel = !strcmp(td_uarch_backend_of(u)->vendor, "GenuineIntel");
    /* edge, any, inv, cmask, eq, more umask */
    const uint64_t bits = intel ? UINT64_C(0xff10ffa4ffff) : is_amd(u) ? AMD_BITS : 0xffff;

    CHECK((e->config == TD_CONFIG_NONE) == (e->kind != TD_EVENT_COUNT || e->modes), u, e->name);
    CHECK(!e->modes ||
              (e->base < u->nevents && !u->events[e->base].modes && !strncmp(e->name, u->events[e->base].name, 10)),
          u, e->name);
    CHECK(e->kind == TD_EVENT_LATENCY ? e->latency >= 0 && !strcmp(e->name + strlen(e->name) - 2, ":R")
                                      : e->latency == 0,
          u, e->name);
    if (e->config == TD_CONFIG_NONE)
        return;
    CHECK(is_counters(e->counters) && is_counters(e->counters_alone), u, e->name);
    CHECK(!(e->config & ~bits), u, e->name);
    CHECK(!e->other_config || (e->config1 && !e->used), u, e->name);
}

static void check_event(const struct td_uarch *u, const struct td_event *e)
{
    bool intel = !strcmp(td_uarch_backend_of(u)->vendor, "GenuineIntel"),
         big = !strcmp(td_uarch_backend(u), "intel-perf-metrics");
    uint64_t code = e->config & 0xff, umask = e->config >> 8 & 0xff;

    CHECK(is_counters(e->counters) && is_counters(e->counters_alone), u, e->name);
    /* no flag but edge, any and cmask */
    CHECK(e->config && !(e->config & ~(is_amd(u) ? AMD_BITS : 0xff24ffff)), u, e->name);
    CHECK(intel || is_amd(u) || e->config <= 0xffff, u, e->name);
    /* the kernel: SLOTS is 0x400, field i of the register is 0x8000 + i * 0x100, and nothing else has code 0 there */
    CHECK((e->field >= 0) == !strcmp(e->counters, "metrics"), u, e->name);
    /* "the umask bits select conditions, cmask = the same number" in all of perfmon's event lists */
    CHECK(strncmp(e->name, "CYCLE_ACTIVITY.", 15) || e->config >> 24 == umask, u, e->name);
    CHECK(e->field < 0 || e->config == 0x8000 + 0x100 * (uint64_t)e->field, u, e->name);
    CHECK(!big || code || e->field >= 0 || !strcmp(e->name, "TOPDOWN.SLOTS"), u, e->name);
    CHECK(strcmp(e->name, "TOPDOWN.SLOTS") || (e->config == 0x400 && !strcmp(e->counters, "fixed 3")), u, e->name);
    /* on E-cores code 0 is for the fixed counters 4 to 6, numbered by the umask */
    CHECK(!intel || big || code || (umask >= 5 && umask <= 7 && e->counters[6] == (char)('0' + umask - 1)), u, e->name);
}

static void events(void)
{
    const struct td_uarch *u;

    for
        EACH_ROW(u)
        {
            CHECK(u->nevents > 0 && u->nevents < TD_NO_EVENT, u, "number of events");
            for (size_t i = 0; i < u->nevents; i++) {
                if (u->events[i].used)
                    check_event(u, &u->events[i]);
                check_published_event(u, &u->events[i]);
                for (size_t j = 0; j < i; j++)
                    CHECK(strcasecmp(u->events[i].name, u->events[j].name), u, u->events[i].name);
                CHECK(td_uarch_event_by_config(u, u->events[i].config, u->events[i].config1) >= 0 ||
                          u->events[i].config == TD_CONFIG_NONE,
                      u, u->events[i].name);
            }
        }
    u = td_uarch_by_name("SKL");
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "uops_issued.any"), td_uarch_event_number(u, "UOPS_ISSUED.ANY"));
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "CYCLES"), td_uarch_event_number(u, "CPU_CLK_UNHALTED.THREAD"));
    CU_ASSERT_EQUAL(td_uarch_event_number(u, "uops_issued"), -1);
}

/* CPUs with one formula are of one generation, in which events of levels 1 and 2 have one encoding. */
static void encodings_of_a_generation(void)
{
    const struct td_uarch *u, *other;

    for
        EACH_ROW(u)
    for (size_t i = 0; (other = td_uarch_at(i)) && other != u; i++)
        for (size_t e = 0; other->forms == u->forms && e < u->nevents; e++) {
            const struct td_event *same = event_of(other, u->events[e].name);

            CHECK(!same || !u->events[e].used || same->config == u->events[e].config, u, u->events[e].name);
        }
}

/* The lines in a backend's table that give events further names, as written:
 * "alias,NAME,EVENT[,CPU CPU ...]"; of several for a name, the first whose event the CPU has. */
struct alias_line {
    char name[80], event[80], cpus[160];
};

static size_t read_aliases(const char *table, struct alias_line *out, size_t size)
{
    char path[400], line[400];
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof(path), "%s/backends/%s", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", table);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (fgets(line, sizeof(line), f)) {
        out[n].cpus[0] = '\0';
        if (sscanf(line, "alias,%79[^,\n],%79[^,\n],%159[^\n]", out[n].name, out[n].event, out[n].cpus) >= 2)
            n++;
        CU_ASSERT_FATAL(n < size);
    }
    fclose(f);
    return n;
}

static bool is_for(const struct alias_line *a, const struct td_uarch *u)
{
    char list[162], word[40];

    snprintf(list, sizeof(list), " %s ", a->cpus);
    snprintf(word, sizeof(word), " %s ", u->name);
    return !*a->cpus || strstr(list, word) || (!strncmp(u->name, "neoverse-n2", 11) && strstr(list, " neoverse-n2 "));
}

/* What a name means for a CPU, from the table's lines: -1: nothing. */
static int meaning_of(const struct td_uarch *u, const struct alias_line *a, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcasecmp(a[i].name, name) && is_for(&a[i], u) && event_of(u, a[i].event))
            return (int)(event_of(u, a[i].event) - u->events);
    for (size_t e = 0; e < u->nevents; e++)
        if (!strcasecmp(u->events[e].name, name))
            return (int)e;
    return -1;
}

static void change_case(const char *name, char out[80])
{
    size_t n = 0;

    for (; name[n] && n < 79; n++)
        out[n] = (char)(n % 2 ? tolower((unsigned char)name[n]) : toupper((unsigned char)name[n]));
    out[n] = '\0';
}

/* The hashed names of each row, compared with its table read by another program: every name
 * of every row of the backend, in other case, and names that begin or end like one. */
static void names_of_events(void)
{
    static const struct {
        const char *backend, *table;
    } tables[] = {
        {"intel-perf-metrics", "intel/intel-perf-metrics-events.csv"},
        {"intel-generic", "intel/intel-generic-events.csv"},
        {"intel-atom", "intel/intel-atom-events.csv"},
        {"arm-neoverse", "arm/arm-neoverse-events.csv"},
    };
    static struct alias_line lines[100];
    const struct td_uarch *u, *other;

    for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++) {
        size_t n = read_aliases(tables[t].table, lines, sizeof(lines) / sizeof(*lines));

        CU_ASSERT_TRUE(n >= 3);
        for
            EACH_ROW(u)
            {
                size_t known = 0;

                if (strcmp(td_uarch_backend(u), tables[t].backend))
                    continue;
                for (size_t i = 0; i < n; i++) {
                    char name[80];
                    int wanted = meaning_of(u, lines, n, lines[i].name);

                    change_case(lines[i].name, name);
                    known += wanted >= 0;
                    CHECK(td_uarch_event_number(u, name) == wanted, u, name);
                    name[strlen(name) - 1] = '\0';
                    CHECK(td_uarch_event_find(u, lines[i].name, strlen(name)) == meaning_of(u, lines, n, name), u,
                          name);
                }
                CHECK(known >= 3, u, "further names");
                for (size_t i = 0; (other = td_uarch_at(i)); i++)
                    for (size_t e = 0; e < other->nevents; e++) {
                        const char *name = other->events[e].name;

                        const int number = td_uarch_event_number(u, name), wanted = meaning_of(u, lines, n, name);

                        /* NAME-events.csv has two names for some encodings: published_names() */
                        CHECK(number == wanted || (wanted < 0 && number >= 0), u, name);
                        CHECK(td_uarch_event_number(u, name + 1) == meaning_of(u, lines, n, name + 1), u, name + 1);
                    }
            }
    }
}

/* How many definitions a form's own lists have: those of the table come after them. */
static size_t listed(const struct td_form *form)
{
    size_t n = 0;

    for (size_t l = 0; l < sizeof(form->lists) / sizeof(*form->lists); l++)
        for (const struct td_def *d = form->lists[l]; d && d->name; d++)
            n++;
    return n;
}

static bool takes(const struct td_program *p, int def, size_t event)
{
    return def >= 0 && (td_bits_has(td_program_needs(p, (size_t)def), event) ||
                        td_bits_has(td_program_corrections(p, (size_t)def), event));
}

/* Whether a definition of a list stands for a row of the table beyond levels 1 and 2. */
static bool is_deep_row(const struct td_uarch *u, const char *name)
{
    return u->table && td_table_find(u->table, name, strlen(name)) >= 0 && !td_tree_find(u->tree, name);
}

/* An event is marked as used if a formula for levels 1 and 2 of the row uses it. */
static void check_used(const struct td_uarch *u, struct td_forms *forms)
{
    for (size_t e = 0; e < u->nevents; e++) {
        bool used = false;

        for (size_t n = 0; n < u->tree->n && is_amd(u) && td_tree_has_nodes(u->tree); n++) /* by the table's rows */
            used = used || takes(forms->form[0].p, forms->form[0].node[n], e);
        for (size_t f = 0; f < forms->n; f++)
            for (size_t d = 0; d < listed(forms->form[f].form); d++)
                used = used || (takes(forms->form[f].p, (int)d, e) &&
                                !is_deep_row(u, td_program_def(forms->form[f].p, d)->name));
        CHECK(used == u->events[e].used, u, u->events[e].name);
    }
}

static void check_form_of(const struct td_uarch *u, const struct td_form *form, struct td_formcode *code)
{
    static const char *const help[] = {"slots",    "sum",           "recovery",     "both",
                                       "used",     "kept",          "empty",        "backend_cycles",
                                       "few_uops", "memory_stalls", "total_stalls", "SMT"};
    bool arm = !strcmp(td_uarch_backend(u), "arm-neoverse");
    char when[256], why[256] = "", *save = NULL;
    int err = td_form_open(code);

    for (size_t d = 0; !err && d < td_program_count(code->p); d++)
        err = td_program_compile(code->p, d, why, sizeof(why));
    CHECK(!err, u, why);
    if (err)
        return;
    CHECK(td_tree_has_nodes(u->tree) == (code->slots >= 0), u, form->name);
    for (size_t n = 0; n < 4 && td_tree_has_nodes(u->tree) && !(form->flags & TD_FORM_LEGACY); n++)
        CHECK(code->node[n] >= 0, u, u->tree->node[n].name);
    for (size_t d = 0; d < listed(form); d++) {
        const struct td_def *def = td_program_def(code->p, d);
        bool known = td_tree_find(u->tree, def->name) || is_deep_row(u, def->name);

        for (size_t h = 0; h < sizeof(help) / sizeof(*help); h++)
            known = known || !strcmp(def->name, help[h]);
        CHECK(known, u, def->name); /* otherwise a node is misspelt */
        CHECK(!def->expr == !!def->wrong, u, def->name);
        /* Arm's corrections move slots from one node to another: ~, Intel's are independent: ? */
        CHECK(arm ? td_bits_same(td_program_same_time(code->p, d), td_program_corrections(code->p, d))
                  : td_bits_empty(td_program_same_time(code->p, d)),
              u, def->name);
    }
    snprintf(when, sizeof(when), "%s", form->when);
    for (char *word = strtok_r(when, " /!", &save); word; word = strtok_r(NULL, " /!", &save))
        CHECK(td_uarch_event_number(u, word) >= 0, u, word);
}

static void formulas(void)
{
    const struct td_uarch *u;

    for
        EACH_ROW(u)
        {
            struct td_forms *forms;

            CU_ASSERT_EQUAL_FATAL(td_forms_new(u, &forms), 0);
            for (size_t f = 0; u->forms[f]; f++)
                check_form_of(u, u->forms[f], &forms->form[f]);
            for (size_t f = 0; u->forms[f]; f++) /* only the last form needs no particular events */
                CHECK(!*u->forms[f]->when == !u->forms[f + 1], u, u->forms[f]->name);
            check_used(u, forms);
            td_forms_free(forms);
        }
}

/* Each parent is a node of the tree one level up; thresholds are shares; names are distinct, and known by their number.
 */
static void trees(void)
{
    const struct td_uarch *u;

    for
        EACH_ROW(u)
    for (size_t n = 0; n < u->tree->n; n++) {
        const struct td_node *node = &u->tree->node[n], *parent = td_tree_find(u->tree, node->parent);

        CHECK(node->level >= TD_LEVEL_TOP && node->level <= TD_LEVELS, u, node->name);
        CHECK(node->level == TD_LEVEL_TOP ? !*node->parent : parent && parent->level == node->level - 1, u, node->name);
        CHECK(node->threshold > 0 && node->threshold <= 1, u, node->name);
        CHECK(td_tree_find(u->tree, node->name) == node, u, node->name);
        CHECK(td_node_number(node->name) == node->number && !strcmp(td_node_name(node->number), node->name), u,
              node->name);
    }
    CU_ASSERT_TRUE(td_node_number("no_node") == -1 && !td_node_name(999));
}

/* The n-th of a row's names: its own, then its aliases. */
static bool nth_name(const struct td_uarch *u, size_t n, char *out, size_t size)
{
    const char *at = u->aliases;

    if (n == 0)
        return snprintf(out, size, "%s", u->name) > 0;
    while (--n && *at)
        at += strcspn(at, " "), at += strspn(at, " ");
    snprintf(out, size, "%.*s", (int)strcspn(at, " "), at);
    return *out;
}

static void names(void)
{
    char all[400][32];
    const struct td_uarch *u;
    size_t n = 0;

    for
        EACH_ROW(u)
        {
            CHECK(*u->title && *u->source && (*u->ids || !strcmp(u->name, "spr-hbm")), u, "texts");
            for (size_t i = 0; n < 400 && nth_name(u, i, all[n], sizeof(all[n])); i++, n++) {
                CHECK(td_uarch_by_name(all[n]) == u, u, all[n]);
                for (size_t j = 0; j < n; j++)
                    CHECK(strcasecmp(all[n], all[j]), u, all[n]);
            }
        }
    CU_ASSERT_TRUE(n > 100 && n < 400);
}

struct id {
    unsigned a, b, to, low, high;
};

/* The n-th of a row's ids; false: there is none. A malformed one fails the test. */
static bool nth_id(const struct td_uarch *u, size_t n, struct id *id)
{
    const char *at = u->ids;
    int used = 0;

    while (n-- && *at)
        at += strcspn(at, " "), at += strspn(at, " ");
    *id = (struct id){0, 0, 0, 0, ~0u};
    if (!*at)
        return false;
    if (sscanf(at, "%x-%x%n:%x-%x%n", &id->a, &id->b, &used, &id->low, &id->high, &used) == 3)
        used = 0;
    id->to = id->b;
    sscanf(at, "%x-%x..%x%n", &id->a, &id->b, &id->to, &used);
    CHECK(used > 0 && (size_t)used == strcspn(at, " ") && id->b <= id->to && id->low <= id->high, u, u->ids);
    return true;
}

static bool overlap(const struct id *x, const struct id *y)
{
    return x->a == y->a && x->b <= y->to && y->b <= x->to && x->low <= y->high && y->low <= x->high;
}

/* Each id with a kind of core gives one row; and an E-core of a hybrid gives its P-core. */
static void ids(void)
{
    const struct td_uarch *u, *v;
    struct id x, y;

    for
        EACH_ROW(u)
        {
            bool paired = !u->core || u->core == 'P';

            for (size_t i = 0; nth_id(u, i, &x); i++)
                for (size_t r = 0; (v = td_uarch_at(r)); r++)
                    for (size_t j = 0; nth_id(v, j, &y); j++) {
                        bool same =
                            overlap(&x, &y) && !strcmp(td_uarch_backend_of(u)->vendor, td_uarch_backend_of(v)->vendor);

                        CHECK(!same || v->core != u->core || (u == v && i == j), u, v->name);
                        CHECK(!same || !v->core == !u->core, u, v->name);
                        paired = paired || (same && v->core == 'P');
                    }
            CHECK(paired && (!u->core || strchr("PEL", u->core)), u, "kind of core, or its P-core");
        }
}

/* Every row is part of one machine, and of a second if a CPU has only that kind; the parts are of different kinds of
 * core. */
static void machines(void)
{
    const struct td_uarch *u;
    struct td_identity m;
    size_t parts = 0, rows = 0;

    for (size_t row = 0; td_identity_next(&row, &m);) {
        size_t kinds = 0;

        for (size_t p = 0; p < m.nparts; p++)
            kinds += m.part[p]->core == 'P';
        CU_ASSERT_EQUAL(kinds, m.nparts > 1);
        parts += m.nparts;
    }
    for
        EACH_ROW(u) rows++, parts += !*u->ids, parts -= u->core && u->alone; /* without an id: found by name only */
    CU_ASSERT_EQUAL(rows, sizeof(published) / sizeof(*published));
    CU_ASSERT_EQUAL(parts, rows);
}

/* If all events of a CPU were recorded: the formula that must be preferred. */
static void preferred_formulas(void)
{
    static const struct {
        const char *row, *fixed, *events;
    } preferred[] = {
        {"icl", "icl-perf-metrics", "icl-events"},
        {"spr", "glc-perf-metrics", "glc-events"},
        {"lnl-p", "lnc-perf-metrics", "lnc-events"},
        {"snb", "snb-thread-any", "snb-thread-any"},
        {"slm", "slm", "slm"},
        {"glp", "goldmont", "goldmont"},
        {"adl-e", "gracemont", "gracemont"},
    };
    struct td_counts k = {0};
    struct td_layout layout = {0};

    for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++) {
        const struct td_uarch *u = td_uarch_by_name(preferred[i].row);
        struct td_forms *f;

        CU_ASSERT_EQUAL_FATAL(td_forms_new(u, &f), 0);
        k.n = 0;
        for (size_t e = 0; e < u->nevents; e++)
            CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &(struct td_count){.event = (uint16_t)e}), 0);
        CU_ASSERT_EQUAL_FATAL(td_layout_make(&layout, &k, u), 0);
        CHECK(!strcmp(td_forms_choose(f, &layout, true)->form->name, preferred[i].fixed), u, "fixed");
        CHECK(!strcmp(td_forms_choose(f, &layout, false)->form->name, preferred[i].events), u, "not fixed");
        td_forms_free(f);
    }
    td_counts_free(&k);
    td_layout_free(&layout);
}

static const CU_TestInfo tests[] = {
    {"widths and formulas", widths_and_formulas},
    {"published encodings", published_encodings},
    {"published scales", published_scales},
    {"events", events},
    {"encodings of a generation", encodings_of_a_generation},
    {"names of events", names_of_events},
    {"formulas", formulas},
    {"trees", trees},
    {"names", names},
    {"ids", ids},
    {"machines", machines},
    {"preferred formulas", preferred_formulas},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("tables", tests);
