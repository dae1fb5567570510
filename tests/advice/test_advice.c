/* SPDX-License-Identifier: MIT */
/* What is known of each node: nothing is missing, and nothing names what is not there. */
#include "advice/advice.h"
#include "core/uarch.h"
#include "tests/support/unit.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((format(printf, 1, 2))) fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    CU_FAIL("see above");
}

/* Each node of levels 1 and 2 that some CPU's formulas have. */
static void every_node_is_explained(void)
{
    const struct td_uarch *u;
    struct td_metric_info m;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; td_uarch_metric(u, k, &m); k++) {
            char command[TD_ADVICE_COMMAND];

            if (m.kind != TD_METRIC_NODE || m.level < 1 || m.level > 2)
                continue;
            if (!td_advice_find(m.name, td_uarch_backend(u)))
                fail("%s: %s is not explained", td_uarch_name(u), m.name);
            if (!td_advice_command(m.name, td_uarch_backend(u), td_uarch_name(u), td_uarch_pmu(u), command))
                fail("%s: %s has no event to sample", td_uarch_name(u), m.name);
        }
}

/* Its lines "node,1,NAME,..." and "node,2,NAME,...". Returns how many there are. */
static unsigned check_table(const char *path)
{
    char line[4096], name[128];
    unsigned nodes = 0;
    FILE *f = fopen(path, "r");

    while (f && fgets(line, sizeof(line), f)) {
        if (sscanf(line, "node,%*1[12],%127[^,],", name) != 1)
            continue;
        nodes++;
        if (!td_advice_find(name, NULL))
            fail("%s: %s is not explained", path, name);
    }
    if (f)
        fclose(f);
    return nodes;
}

/* The nodes of all published tables, of CPUs without formulas of theirs too. */
static void every_table_is_explained(void)
{
    const char *folder = getenv("TD_SRCDIR");
    char pattern[4096];
    unsigned nodes = 0;
    glob_t found;

    snprintf(pattern, sizeof(pattern), "%s/backends/*/*-metrics.csv", folder ? folder : ".");
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        nodes += check_table(found.gl_pathv[i]);
    globfree(&found);
    CU_ASSERT(nodes > 300);
}

static void check_sentences(const struct td_advice *a)
{
    size_t causes = 0, remedies = 0;

    while (causes < TD_ADVICE_LINES && a->cause[causes])
        causes++;
    while (remedies < TD_ADVICE_LINES && a->remedy[remedies])
        remedies++;
    if (!causes || causes == TD_ADVICE_LINES || !remedies || remedies == TD_ADVICE_LINES)
        fail("%s: %zu causes, %zu remedies", a->node, causes, remedies);
    if (strlen(a->brief) > 58) /* the line after a verdict has 80 columns */
        fail("%s: '%s' is long", a->node, a->brief);
    if (strchr(a->meaning, '\n') || a->meaning[strlen(a->meaning) - 1] != '.')
        fail("%s: '%s'", a->node, a->meaning);
}

static void rows_are_whole(void)
{
    const struct td_advice *a;
    const char *name, *node;

    for (size_t i = 0; (a = td_advice_at(i)); i++) {
        check_sentences(a);
        if (td_advice_find(a->node, a->backend) != a)
            fail("%s of %s is hidden by another row", a->node, a->backend ? a->backend : "all");
        if (!td_advice_find(a->node, NULL))
            fail("%s is explained for %s only", a->node, a->backend);
    }
    for (size_t i = 0; (name = td_advice_other_name(i, &node)); i++)
        if (td_advice_find(name, NULL) != td_advice_find(node, NULL))
            fail("%s is not %s", name, node);
}

/* By hand, from backends/intel/NAME-events.csv and the kernel's names of PMUs. */
static void commands(void)
{
    static const struct {
        const char *node, *backend, *cpu, *pmu, *command;
    } known[] = {
        {"branch_mispredicts", "intel-perf-metrics", "spr", NULL, "perf record -e br_misp_retired.all_branches:pp"},
        {"branch_mispredicts", "intel-perf-metrics", "spr|emr|gnr", NULL, "perf record -e br_misp_retired.all_branches:pp"},
        {"memory_bound", "intel-generic", "skl", NULL, "perf record -e mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp"},
        {"memory_bound", "intel-generic", "hsw", NULL, "perf record -e mem_load_uops_retired.l1_miss:pp,mem_load_uops_retired.l2_miss:pp"},
        {"memory_bound", "intel-generic", "snb", NULL, "perf record -e cache-misses"},
        {"fetch_latency", "intel-perf-metrics", "adl-p", "cpu_core", "perf record -e cpu_core/frontend_retired.latency_ge_16/pp"},
        {"bad_speculation", "intel-perf-metrics", "adl-p", "cpu_core",
         "perf record -e cpu_core/br_misp_retired.all_branches/pp,cpu_core/machine_clears.count/"},
        {"backend_bound", "intel-atom", "adl-e", "cpu_atom", "perf record -e cpu_atom/topdown_be_bound.all/"},
        {"backend_bound", "intel-atom", "srf", NULL, "perf record -e topdown_be_bound.all_p"},
        {"frontend_bound", "intel-atom", "srf", NULL, "perf record -e topdown_fe_bound.all_p"},
        {"backend_bound", "arm-neoverse", "neoverse-v2", NULL, "perf record -e stall_slot_backend"},
        {"backend_bound", "arm-neoverse", "hip08", NULL, "perf record -e cycles"},
        {"bad_speculation_from_mispredicts", "amd-zen", "zen5", NULL, "perf record -e ex_ret_brn_misp"},
        {"core_bound", "intel-perf-metrics", "rkl", NULL, "perf record -e arith.divider_active,cycles:pp"},
    };
    char command[TD_ADVICE_COMMAND];

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        const char *got = td_advice_command(known[i].node, known[i].backend, known[i].cpu, known[i].pmu, command);

        if (!got || strcmp(got, known[i].command))
            fail("%s of %s: '%s', not '%s'", known[i].node, known[i].cpu, got ? got : "none", known[i].command);
    }
    CU_ASSERT(!td_advice_command("nonesuch", "intel-generic", "skl", NULL, command));
    CU_ASSERT(!td_advice_find("nonesuch", NULL));
}

static const CU_TestInfo tests[] = {
    {"every node is explained", every_node_is_explained}, {"every table is explained", every_table_is_explained},
    {"rows are whole", rows_are_whole}, {"commands", commands},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("advice", tests);
