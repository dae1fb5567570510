/* SPDX-License-Identifier: MIT */
/* What a sample hit, by its fields and by the mode of its record; its callers, by its chain. The modes and the contexts
 * in chains are those of linux/perf_event.h. */
#include "formats/perf_data/data_samples_parts.h"
#include "tests/support/unit.h"

#include <linux/perf_event.h>
#include <string.h>

/* ---- the sample's own place ------------------------------------------------------------------------------- */

static const struct td_perf_sample fields = {
    .ip = 0x1234, .time = 99, .cgroup = 7, .pid = 11, .tid = 12, .cpu = 13, .id = 14};

/* Of each mode: whether its addresses are the kernel's, and where they are if they are of no space here. */
static void modes(void)
{
    static const struct {
        uint16_t misc;
        bool kernel;
        const char *elsewhere;
    } rows[] = {
        {PERF_RECORD_MISC_CPUMODE_UNKNOWN, false, NULL},
        {PERF_RECORD_MISC_KERNEL, true, NULL},
        {PERF_RECORD_MISC_USER, false, NULL},
        {PERF_RECORD_MISC_HYPERVISOR, false, "[hypervisor]"},
        {PERF_RECORD_MISC_GUEST_KERNEL, false, "[guest]"},
        {PERF_RECORD_MISC_GUEST_USER, false, "[guest]"},
        {6, false, NULL},
        {7, false, NULL},
        {PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP | 1 << 3, true, NULL},
        {PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP | 1 << 3, false, NULL},
    };
    static const struct td_perf_data_event e = {.sample_type = PERF_SAMPLE_IP};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_hit h = td_perf_hit(&e, &fields, rows[i].misc, NULL);

        CU_ASSERT_EQUAL(h.kernel, rows[i].kernel);
        CU_ASSERT_EQUAL(!h.elsewhere, !rows[i].elsewhere);
        CU_ASSERT(!rows[i].elsewhere || (h.elsewhere && !strcmp(h.elsewhere, rows[i].elsewhere)));
    }
}

/* The time is only that of CLOCK_MONOTONIC; cgroups are only looked up where samples have them. */
static void taken(void)
{
    struct td_cgroups *cgroups = td_cgroups_new();
    struct td_perf_data_event e = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CGROUP, .monotonic = true};
    struct td_hit h;

    CU_ASSERT_FATAL(cgroups && !td_cgroups_name(cgroups, 6, "/other", 6) && !td_cgroups_name(cgroups, 7, "/web", 4));
    h = td_perf_hit(&e, &fields, PERF_RECORD_MISC_USER, cgroups);
    CU_ASSERT(h.pid == 11 && h.tid == 12 && h.cpu == 13 && h.address == 0x1234 && h.has_address);
    CU_ASSERT(h.time == 99 && h.cgroup_id == 7 && h.cgroup_number == 2 && h.cgroup && !strcmp(h.cgroup, "/web"));
    e = (struct td_perf_data_event){.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU};
    h = td_perf_hit(&e, &fields, PERF_RECORD_MISC_USER, cgroups);
    CU_ASSERT(!h.has_address && h.time == 0 && h.cgroup_number == 0 && !h.cgroup);
    td_cgroups_free(cgroups);
}

/* ---- its callers ---------------------------------------------------------------------------------------------- */

enum { PID = 42, NAMED = 0x100000 /* the kernel's function "f", of SIZE bytes */, SIZE = 0x10000, LONG = 300 };

struct chain {
    struct td_calls *calls;
    struct td_places *places;
    struct td_spaces *spaces;
    struct td_hit caller[TD_FRAMES_MAX];
    const struct td_call *call; /* what td_perf_call() gave */
};

static void begin(struct chain *c)
{
    static const struct td_stores no_files;
    static const struct td_mapping f = {
        .start = NAMED, .size = SIZE, .path = "f", .path_size = 1, .kernel = true, .function = true};

    c->spaces = td_spaces_new();
    c->calls = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false);
    c->places = td_places_new(TD_SAMPLES_BY_STACK, &no_files, false, true);
    CU_ASSERT_FATAL(c->spaces && c->calls && c->places && !td_spaces_map(c->spaces, 0, &f));
}

static void end(struct chain *c)
{
    td_calls_free(c->calls);
    td_places_free(c->places);
    td_spaces_free(c->spaces);
}

/* Calls of a sample at an address of the kernel with such a chain; what no caller is written to has no pid. */
static void call(struct chain *c, uint64_t ip, const uint64_t *chain, size_t n)
{
    static unsigned char bytes[8 * LONG];
    const struct td_perf_sample s = {.ip = ip, .chain = {bytes, 8 * n}};
    const struct td_hit h = {.pid = PID, .address = ip, .kernel = true, .has_address = true};
    const struct td_place *at[TD_PLACES_AT];
    size_t nat;

    for (size_t i = 0; i < 8 * n; i++)
        bytes[i] = (unsigned char)(chain[i / 8] >> 8 * (i % 8));
    memset(c->caller, 0, sizeof(c->caller));
    CU_ASSERT_EQUAL_FATAL(td_places_find(c->places, c->spaces, &h, at, &nat), 0);
    CU_ASSERT_EQUAL_FATAL(td_perf_call(&s, &h, at, nat, c->places, c->spaces, c->calls, c->caller, &c->call), 0);
}

static bool is(const struct td_hit *h, uint64_t address, bool kernel, const char *elsewhere)
{
    return h->pid == PID && h->has_address && h->address == address && h->kernel == kernel &&
           !h->elsewhere == !elsewhere && (!elsewhere || !strcmp(h->elsewhere, elsewhere));
}

/* The first address of all is the sample's own; the first one of each context is as it is, for the kernel writes where
 * the task was interrupted; the others are where a call returns to. */
static void contexts(void)
{
    static const uint64_t addresses[] = {
        PERF_CONTEXT_KERNEL,
        0x1000,
        0x1100,
        0x1200,
        PERF_CONTEXT_USER,
        0x2000,
        0x2100,
        PERF_CONTEXT_HV,
        0x3000,
        0x3100,
        PERF_CONTEXT_GUEST,
        0x4000,
        PERF_CONTEXT_GUEST_KERNEL,
        0x5000,
        0x5100,
        PERF_CONTEXT_GUEST_USER,
        0x6000,
        PERF_CONTEXT_MAX,
        0x7000,
        PERF_CONTEXT_KERNEL,
        (uint64_t)PERF_CONTEXT_MAX - 1,
        0x8000,
    };
    static struct chain c;

    begin(&c);
    call(&c, 0x1000, addresses, sizeof(addresses) / sizeof(*addresses));
    CU_ASSERT(is(&c.caller[0], 0x10ff, true, NULL));
    CU_ASSERT(is(&c.caller[1], 0x11ff, true, NULL));
    CU_ASSERT(is(&c.caller[2], 0x2000, false, NULL));
    CU_ASSERT(is(&c.caller[3], 0x20ff, false, NULL));
    CU_ASSERT(is(&c.caller[4], 0x3000, false, "[hypervisor]"));
    CU_ASSERT(is(&c.caller[5], 0x30ff, false, "[hypervisor]"));
    CU_ASSERT(is(&c.caller[6], 0x4000, false, "[guest]"));
    CU_ASSERT(is(&c.caller[7], 0x5000, false, "[guest]"));
    CU_ASSERT(is(&c.caller[8], 0x50ff, false, "[guest]"));
    CU_ASSERT(is(&c.caller[9], 0x6000, false, "[guest]"));
    CU_ASSERT(is(&c.caller[10], 0x7000, false, "[guest]")); /* a context of kernels to come */
    CU_ASSERT(is(&c.caller[11], (uint64_t)PERF_CONTEXT_MAX - 1, true, NULL));
    CU_ASSERT(is(&c.caller[12], 0x7fff, true, NULL));
    CU_ASSERT_EQUAL(c.caller[13].pid, 0);
    end(&c);
}

/* A chain without a context goes on where the sample was. */
static void plain(void)
{
    static const uint64_t addresses[] = {0x1000, 0x1100};
    static struct chain c;

    begin(&c);
    call(&c, 0x1000, addresses, 2);
    CU_ASSERT(is(&c.caller[0], 0x10ff, true, NULL));
    CU_ASSERT_EQUAL(c.caller[1].pid, 0);
    call(&c, 0x1000, addresses, 1);
    CU_ASSERT(c.caller[0].pid == 0 && c.call && c.call->depth == 1);
    call(&c, 0x1000, addresses, 0);
    CU_ASSERT(c.caller[0].pid == 0 && c.call && c.call->depth == 1);
    end(&c);
}

/* The path to the sample is its callers', the last one first, and its own place. A function that has a name makes a
 * frame for each call of itself; those without names one for all that follow each other. */
static void paths(void)
{
    static const uint64_t named[] = {NAMED, NAMED + 8, NAMED + 16, NAMED + 24},
                          mixed[] = {0x1000, 0x1100, NAMED + 8, NAMED + SIZE, 0x1200, 0x1300, NAMED + SIZE + 1};
    static struct chain c;
    const struct td_call *k;

    begin(&c);
    call(&c, NAMED, named, 4);
    CU_ASSERT_EQUAL_FATAL(c.call->depth, 4);
    CU_ASSERT_STRING_EQUAL(c.call->place.name, "f;f;f;f");
    call(&c, 0x1000, mixed, 7); /* NAMED + SIZE is where a call returns to that is the last of f */
    CU_ASSERT_EQUAL_FATAL(c.call->depth, 4);
    k = c.call;
    CU_ASSERT_EQUAL(k->function->name[0], '[');
    CU_ASSERT_STRING_EQUAL(k->caller->function->name, "f");
    CU_ASSERT_STRING_EQUAL(k->caller->caller->function->name, "f");
    CU_ASSERT_EQUAL(k->caller->caller->caller->function->name[0], '[');
    CU_ASSERT_PTR_NULL(k->caller->caller->caller->caller);
    end(&c);
}

/* Of a chain that is too long the innermost count. */
static void longest(void)
{
    static uint64_t addresses[LONG];
    static struct chain c;

    begin(&c);
    for (size_t i = 0; i < LONG; i++)
        addresses[i] = NAMED + 16 * i;
    call(&c, NAMED, addresses, TD_FRAMES_MAX - 1);
    CU_ASSERT_EQUAL(c.call->depth, TD_FRAMES_MAX - 1);
    CU_ASSERT_EQUAL(c.caller[TD_FRAMES_MAX - 2].pid, 0);
    call(&c, NAMED, addresses, TD_FRAMES_MAX);
    CU_ASSERT_EQUAL(c.call->depth, TD_FRAMES_MAX);
    call(&c, NAMED, addresses, LONG);
    CU_ASSERT_EQUAL(c.call->depth, TD_FRAMES_MAX);
    CU_ASSERT(is(&c.caller[TD_FRAMES_MAX - 2], NAMED + 16 * (TD_FRAMES_MAX - 1) - 1, true, NULL));
    CU_ASSERT_EQUAL(c.caller[TD_FRAMES_MAX - 1].pid, 0);
    end(&c);
}

static const CU_TestInfo tests[] = {
    {"modes", modes},
    {"the fields that are taken", taken},
    {"contexts in chains", contexts},
    {"chains without a context", plain},
    {"paths", paths},
    {"the longest", longest},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("what samples hit", tests);
