/* SPDX-License-Identifier: MIT */
/* Which PMUs a meter takes for a CPU's name, and what it tells of their plans. */
#include "backends/registry.h"
#include "live/meter.h"
#include "private/plan.h"
#include "session/session.h"
#include "tests/support/fake_os.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many turns groups take, of up to three PMUs: 0 groups, where all are counted together, are one turn. */
static void turns(void)
{
    static const struct {
        size_t pmus;
        unsigned groups[3];
        bool together[3];
        unsigned turns;
    } rows[] = {
        {0, {5}, {false}, 0},         {1, {1}, {false}, 1},
        {1, {3}, {false}, 3},         {1, {3}, {true}, 1},
        {2, {1, 3}, {false}, 3},      {2, {3, 1}, {false}, 3},
        {2, {3, 3}, {true, true}, 1}, {2, {4, 3}, {true, false}, 3},
        {2, {1, 3, 5}, {false}, 3}, /* the third is none of its PMUs */
        {3, {1, 3, 5}, {false}, 5},   {3, {1, 3, 0}, {false, false, true}, 3},
    };
    struct td_meter *m = calloc(1, sizeof(*m));

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        m->npmus = rows[i].pmus;
        for (size_t p = 0; p < 3; p++) {
            m->pmu[p].plan.ngroups = rows[i].groups[p];
            m->pmu[p].plan.together = rows[i].together[p];
        }
        CU_ASSERT_EQUAL(td_meter_turns(m), rows[i].turns);
    }
    free(m);
}

/* How many descriptors units take: one for each event of a plan, and where the first group is counted with each of the
 * others, which are more than one, its events again for each but one of them. */
static void descriptors(void)
{
    struct td_plan_group groups[4] = {{.n = 3}, {.n = 5}, {.n = 7}, {.n = 11}};
    static const struct {
        enum td_plan_first first;
        size_t groups, pmus[3], units; /* by unit, its PMU: the second has one group of the 3 events more */
        size_t descriptors;
    } rows[] = {
        {TD_FIRST_STAYS, 1, {0}, 1, 3},          {TD_FIRST_STAYS, 4, {0}, 1, 26},
        {TD_FIRST_AGAIN, 2, {0}, 1, 8},          {TD_FIRST_AGAIN, 3, {0}, 1, 15 + 3},
        {TD_FIRST_AGAIN, 4, {0}, 1, 26 + 2 * 3}, {TD_FIRST_AGAIN, 4, {0, 0, 0}, 3, 3 * 32},
        {TD_FIRST_AGAIN, 4, {0, 1, 0}, 3, 67},   {TD_FIRST_AGAIN, 4, {0, 0, 0}, 0, 0},
    };
    struct td_meter *m = calloc(1, sizeof(*m));

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    m->pmu[1].plan = (struct td_plan){.group = groups, .ngroups = 1};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_unit unit[3] = {{.pmu = rows[i].pmus[0]}, {.pmu = rows[i].pmus[1]}, {.pmu = rows[i].pmus[2]}};

        m->pmu[0].plan = (struct td_plan){.first = rows[i].first, .group = groups, .ngroups = rows[i].groups};
        m->scopes.unit = unit;
        m->scopes.nunits = rows[i].units;
        CU_ASSERT_EQUAL(td_meter_descriptors(m), rows[i].descriptors);
    }
    free(m);
}

/* ---- the watchdog ---------------------------------------------------------------------------- */

enum { CYCLES, X, Y, EVENTS };

static const struct td_event of_intel[EVENTS] = {{"cycles", 0x3c, "fixed 1", "fixed 1", -1, 1, 1, true, .config1 = 0},
                                                 {"x", 0x11, "0-1", "0-1", -1, 1, 1, true, .config1 = 0},
                                                 {"y", 0x12, "0-1", "0-1", -1, 1, 1, true, .config1 = 0}},
                             of_amd[EVENTS] = {{"cycles", 0x76, "any", "any", -1, 1, 1, true, .config1 = 0},
                                               {"x", 0x11, "any", "any", -1, 1, 1, true, .config1 = 0},
                                               {"y", 0x12, "any", "any", -1, 1, 1, true, .config1 = 0}};

/* Two programmable counters. The watchdog takes the fixed one of cycles, or where there is none a programmable one:
 * groups that need it make the plan depend on whether it is on, where that is not known. */
static void watchdogs(void)
{
    static const struct {
        bool amd, assumed, watchdog;
        unsigned pmus, groups;
        uint64_t able[2]; /* by group, of the last PMU; those of others have x alone */
        bool needs;
    } rows[] = {
        {false, true, false, 1, 1, {1 << X | 1 << Y}, false},
        {false, true, false, 1, 1, {1 << CYCLES | 1 << X}, false}, /* a programmable counter has cycles then */
        {false, true, false, 1, 1, {1 << CYCLES | 1 << X | 1 << Y}, true},
        {false, false, false, 1, 1, {1 << CYCLES | 1 << X | 1 << Y}, false}, /* it is known to be off */
        {false, true, true, 1, 1, {1 << CYCLES | 1 << X | 1 << Y}, false}, /* or on, so that the plan is made for it */
        {false, true, false, 1, 2, {1 << X, 1 << CYCLES | 1 << X | 1 << Y}, true},
        {false, true, false, 1, 1, {1 << X, 1 << CYCLES | 1 << X | 1 << Y}, false}, /* the second is none of its groups
                                                                                     */
        {false, true, false, 2, 1, {1 << CYCLES | 1 << X | 1 << Y}, true},
        {false, true, false, 1, 0, {0}, false},
        {true, true, false, 1, 1, {1 << X}, false},
        {true, true, false, 1, 1, {1 << X | 1 << Y}, true},
    };
    struct td_meter *m = calloc(1, sizeof(*m));

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_uarch u = {.name = "u", .events = rows[i].amd ? of_amd : of_intel, .nevents = EVENTS};
        const struct td_host_pmu host = {
            .counters = {.general = 2, .fixed = 7, .assumed = rows[i].assumed, .watchdog = rows[i].watchdog}};
        uint64_t able[2] = {rows[i].able[0], rows[i].able[1]}, alone = 1 << X;
        struct td_plan_group groups[2] = {{.able = {&able[0], 1}}, {.able = {&able[1], 1}}},
                             one = {.able = {&alone, 1}};
        struct td_forms forms = {.uarch = &u};

        for (unsigned p = 0; p < rows[i].pmus; p++)
            m->pmu[p] = (struct td_perf_pmu){.host = &host, .forms = &forms, .plan = {.group = &one, .ngroups = 1}};
        m->pmu[rows[i].pmus - 1].plan = (struct td_plan){.group = groups, .ngroups = rows[i].groups};
        m->npmus = rows[i].pmus;
        CU_ASSERT_EQUAL(td_meter_needs_watchdogs(m), rows[i].needs);
    }
    free(m);
}

/* ---- PMUs ------------------------------------------------------------------------------------ */

static char told[600];

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

/* A machine of two kinds of cores, whose events are those of the made-up row. */
static const struct td_uarch made_up = {.name = "made-up", .events = of_intel, .nevents = EVENTS};
static struct td_forms made_up_forms = {.uarch = &made_up};
static struct td_settings settings;
static struct td_log messages;

static struct td_meter *meter_of(const char *id, bool renamed, const struct td_uarch *first,
                                 const struct td_uarch *second)
{
    static int cpus[2][2] = {{0, 1}, {2, 3}};
    struct td_meter *m = td_meter_new(NULL, &messages, &settings);

    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    *told = '\0';
    settings = (struct td_settings){.level = 1};
    messages = (struct td_log){.note = keep_note};
    m->host.npmus = 2;
    for (size_t i = 0; i < 2; i++) {
        struct td_host_pmu *p = &m->host.pmu[i];

        snprintf(p->name, sizeof(p->name), "pmu_%zu", i);
        p->uarch = i ? second : first;
        p->cpus = (struct td_cpu_list){cpus[i], 2};
    }
    snprintf(m->host.id, sizeof(m->host.id), "%s", id);
    snprintf(m->host.identity.name, sizeof(m->host.identity.name), "its name");
    m->host.renamed = renamed;
    return m;
}

/* Takes the PMUs whose cores are of that row: their number, or the error. */
static int takes(struct td_meter *m, const struct td_uarch *u)
{
    struct td_identity cpu = {.nparts = 1, .part = {u}};
    struct td_forms *forms[TD_PARTS_MAX] = {&made_up_forms};
    int err;

    snprintf(cpu.name, sizeof(cpu.name), "%s", u->name);
    err = td_meter_find_pmus(m, &cpu, forms);
    for (size_t i = 0; !err && i < m->npmus; i++)
        CU_ASSERT(m->pmu[i].host->uarch == u && m->pmu[i].forms == &made_up_forms);
    return err ? err : (int)m->npmus;
}

static void done(struct td_meter *m)
{
    m->host.npmus = 0; /* their lists of CPUs are constant */
    td_meter_free(m);
}

static const struct td_uarch *row_of(const char *name)
{
    const struct td_uarch *u = td_uarch_by_name(name);

    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    return u;
}

static void pmus(void)
{
    const struct td_uarch *skl = row_of("skl"), *zen4 = row_of("zen4");
    struct td_meter *m = meter_of("", false, skl, skl);

    CU_ASSERT_EQUAL(takes(m, skl), 2);
    CU_ASSERT_STRING_EQUAL(told, "");
    CU_ASSERT_EQUAL(takes(m, zen4), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(messages.error,
                           "this machine has no PMU for the cores of zen4; PMU pmu_0 is of CPUs 0-1, which --uarch "
                           "with their CPU's name measures");
    CU_ASSERT_STRING_EQUAL(told, "");
    CU_ASSERT_EQUAL(takes(m, skl), 2); /* what was found before is forgotten */
    done(m);
}

/* Cores of another kind are left out aloud, unless the name was given by the user. */
static void left_out(void)
{
#define LEFT_OUT(cpus, pmu) \
    "CPUs " cpus " (" pmu ") are left out: they are of another kind than its name; -C " cpus \
    " with their CPU's name in --uarch measures them\n"
    const struct td_uarch *skl = row_of("skl"), *zen4 = row_of("zen4");
    struct td_meter *m = meter_of("", false, skl, zen4);

    CU_ASSERT_EQUAL(takes(m, skl), 1);
    CU_ASSERT_STRING_EQUAL(told, LEFT_OUT("2-3", "pmu_1"));
    *told = '\0';
    CU_ASSERT_EQUAL(takes(m, zen4), 1);
    CU_ASSERT_STRING_EQUAL(told, LEFT_OUT("0-1", "pmu_0"));
    *told = '\0';
    settings.backend = td_uarch_backend_of(skl);
    CU_ASSERT_EQUAL(takes(m, skl), 1);
    settings.backend = NULL;
    settings.identity.nparts = 1;
    CU_ASSERT_EQUAL(takes(m, skl), 1);
    settings.identity.nparts = 0;
    m->host.pmu[1].cpus.n = 0; /* all offline */
    CU_ASSERT_EQUAL(takes(m, skl), 1);
    CU_ASSERT_STRING_EQUAL(told, "");
    done(m);
}

/* A name that the CPU itself contradicts: what its vendor is stands at the beginning of its id. */
static void anothers(void)
{
    static const struct {
        const char *id, *name;
        bool renamed, anothers;
    } rows[] = {
        {"GenuineIntel-6-8F-8", "zen4", true, true},        {"GenuineIntel-6-8F-8", "zen4", false, false},
        {"GenuineIntel-6-8F-8", "skl", true, false},        {"AuthenticAMD-25-11-1", "skl", true, true},
        {"AuthenticAMD-25-11-1", "zen4", true, false},      {"", "zen4", true, false},
        {"0x00000000410fd490", "zen4", true, true},         {"0x00000000410fd490", "neoverse-n2", true, false},
        {"GenuineIntel-6-8F-8", "neoverse-n2", true, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_uarch *u = row_of(rows[i].name);
        struct td_meter *m = meter_of(rows[i].id, rows[i].renamed, u, u);
        char wanted[200] = "";

        if (rows[i].anothers)
            snprintf(wanted, sizeof(wanted),
                     "this CPU is %s; measured as %s, as asked: events of another vendor may count anything\n",
                     rows[i].id, rows[i].name);
        CU_ASSERT_EQUAL(takes(m, u), 2);
        CU_ASSERT_STRING_EQUAL(told, wanted);
        done(m);
    }
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Level 1 of Zen 4, one group without the register: slots are six in a cycle (PPR for family 19h model 11h, 2.1.15). */
static void events(void)
{
    struct td *td = td_new();
    const struct td_live all = {.size = sizeof(all)};
    const char *names, *encodings;

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "zen4") && !td_set_level(td, 1));
    CU_ASSERT_PTR_NULL(td_plan(td, TD_PLAN_EVENTS, 0));
    CU_ASSERT_EQUAL_FATAL(td_plan_uarch(td, &all), 0);
    names = td_plan(td, TD_PLAN_EVENTS, 0);
    encodings = td_plan(td, TD_PLAN_ENCODINGS, 0);
    CU_ASSERT_FATAL(names && encodings);
    CU_ASSERT(strstr(names, "ls_not_halted_cyc") && !strstr(names, "config="));
    CU_ASSERT_PTR_NOT_NULL(strstr(encodings, "config=0x76"));
    CU_ASSERT(td_plan(td, TD_PLAN_EVENTS, 0) == names && td_plan(td, TD_PLAN_ENCODINGS, 0) == encodings);
    CU_ASSERT(!td_plan(td, TD_PLAN_EVENTS, 1) && !*td_error(td));
    CU_ASSERT_STRING_EQUAL(td_plan(td, TD_PLAN_LATENCIES, 0), "");
    td_meter_close(td->meter);
    CU_ASSERT_PTR_NULL(td_plan(td, TD_PLAN_EVENTS, 0));
    td_free(td);
}

/* All words of the plans of both kinds of a hybrid's cores, twice. */
static int plans(void *ctx)
{
    const struct td_live all = {.size = sizeof(all)};
    struct td *td = td_new();
    int err = td ? td_set_uarch(td, "adl") : -ENOMEM;

    (void)ctx;
    for (int round = 0; round < 2 && !err; round++) {
        err = td_set_level(td, round + 1);
        err = err ? err : round ? td_plan_live(td, &all) : td_plan_uarch(td, &all);
        for (size_t i = 0; i < 2 && !err; i++)
            for (int what = TD_PLAN_EVENTS; what <= TD_PLAN_LATENCIES && !err; what++)
                err = td_plan(td, (enum td_plan_what)what, i) ? 0 : -ENOMEM;
    }
    td_free(td);
    return err;
}

/* What was planned is forgotten with the meter. */
static void forgotten(void)
{
    memory_each(plans, NULL, unit_rounds(100) == 1 ? 97 : 7, true);
}

/* ---- detection ------------------------------------------------------------------------------- */

static void detected(void)
{
    static const struct {
        double intervals[3];
        size_t n;
        double longest;
    } rows[] = {{{0}, 0, 0}, {{4e6}, 1, 4e6}, {{4e6, 1e6}, 2, 4e6}, {{1e6, 4e6, 2e6}, 3, 4e6}, {{1e6, 4e6}, 1, 1e6}};
    struct fake_os f;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_meter *m = td_meter_new(&f.os, &messages, &settings);
        const char *name;

        CU_ASSERT_PTR_NOT_NULL_FATAL(m);
        settings = (struct td_settings){.level = 1};
        fake_begin(&f);
        CU_ASSERT_EQUAL(td_meter_detect(m), 0);
        CU_ASSERT(!m->stream.host && m->stream.raw);
        m->host.npmus = rows[i].n;
        for (size_t p = 0; p < 3; p++)
            m->host.pmu[p].mux_interval = rows[i].intervals[p];
        snprintf(m->host.name, sizeof(m->host.name), "a-name");
        CU_ASSERT_EQUAL(td_meter_detect(m), 0); /* it is detected once; what it is may be asked for again */
        CU_ASSERT_EQUAL(m->stream.mux_interval, rows[i].longest);
        CU_ASSERT_STRING_EQUAL(m->stream.host, "a-name");
        name = m->stream.host;
        CU_ASSERT_EQUAL(td_meter_detect(m), 0);
        CU_ASSERT_PTR_EQUAL(m->stream.host, name);
        done(m);
    }
}

static const CU_TestInfo tests[] = {
    {"turns of groups", turns},
    {"descriptors", descriptors},
    {"the watchdog", watchdogs},
    {"PMUs", pmus},
    {"cores that are left out", left_out},
    {"another's name", anothers},
    {"events for perf", events},
    {"what is forgotten", forgotten},
    {"detection", detected},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("meter", tests);
