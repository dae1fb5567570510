/* SPDX-License-Identifier: MIT */
/* A typical machine with a CPU that is not here: how many threads and fields of the metrics register it has, by the
 * vendors' manuals. */
#include "backends/find_identity.h"
#include "live/host/host.h"
#include "tests/support/unit.h"

#include <string.h>

/* Its only kind of core. */
struct kind {
    const char *pmu;
    size_t cpus;
    unsigned fields;
};

static void is(const char *cpu, bool watchdog, struct kind wanted)
{
    struct td_identity identity;
    struct td_host h;
    const struct td_host_pmu *p = &h.pmu[0];
    char why[200];

    CU_ASSERT_EQUAL_FATAL(td_identity_find(cpu, &identity, why, sizeof(why)), 0);
    CU_ASSERT_EQUAL_FATAL(td_host_assume(&h, &identity, watchdog), 0);
    CU_ASSERT_EQUAL_FATAL(h.npmus, 1);
    CU_ASSERT_STRING_EQUAL(p->name, wanted.pmu);
    CU_ASSERT_PTR_EQUAL(p->uarch, identity.part[0]);
    CU_ASSERT_EQUAL(p->counters.fields, wanted.fields);
    CU_ASSERT_EQUAL(p->slots_event, wanted.fields > 0);
    CU_ASSERT(p->counters.assumed && p->counters.sibling == (wanted.cpus == 2));
    CU_ASSERT_EQUAL(p->counters.watchdog, watchdog);
    CU_ASSERT_FATAL(p->cpus.n == wanted.cpus && h.ncpus == wanted.cpus);
    for (int k = 0; k < (int)wanted.cpus; k++) {
        const struct td_host_cpu *c = td_host_cpu_find(&h, k);

        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT(p->cpus.cpu[k] == k && !c->core && !c->sibling && !c->socket && !c->die);
        CU_ASSERT_EQUAL(c->shared, wanted.cpus == 2);
    }
    CU_ASSERT(h.smt == (wanted.cpus == 2) && h.watchdog == watchdog);
    CU_ASSERT(h.paranoid == TD_PARANOID_UNKNOWN && !h.guest && !*h.id && !h.err);
    CU_ASSERT_STRING_EQUAL(h.origin, "what is usual");
    CU_ASSERT(h.os->file(h.os->ctx, "/proc/self/status", why, sizeof(why)) < 0); /* nothing is there */
    td_host_free(&h);
}

static void kinds(void)
{
    /* Intel's cores have two threads; PERF_METRICS has level 1 since Ice Lake, level 2 since Sapphire Rapids */
    is("skl", false, (struct kind){"cpu", 2, 0});
    is("icx", false, (struct kind){"cpu", 2, 4});
    is("spr", false, (struct kind){"cpu", 2, 8});
    is("neoverse-v2", false, (struct kind){"armv8_pmuv3_0", 1, 0});
    is("adl-e", false, (struct kind){"cpu_atom", 1, 0}); /* an E-core has one */
}

static void watchdogs(void)
{
    is("skl", true, (struct kind){"cpu", 2, 0});
    is("spr", true, (struct kind){"cpu", 2, 8});
}

/* Events that count for both threads were in Skylake and before (AnyThread, Intel SDM vol. 3B), and on no Arm. */
static void any_thread(void)
{
    static const char *const cpus[] = {"skl", "bdw", "neoverse-v2", "icx", "spr"};

    for (size_t i = 0; i < 5; i++) {
        struct td_identity identity;
        struct td_host h;
        char why[200];

        CU_ASSERT_EQUAL_FATAL(td_identity_find(cpus[i], &identity, why, sizeof(why)), 0);
        CU_ASSERT_EQUAL_FATAL(td_host_assume(&h, &identity, false), 0);
        CU_ASSERT_EQUAL(h.pmu[0].any, i < 2);
        td_host_free(&h);
    }
}

static const CU_TestInfo tests[] = {
    {"kinds of core", kinds},
    {"with the NMI watchdog", watchdogs},
    {"events for both threads", any_thread},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("assumed machines", tests);
