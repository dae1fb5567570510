/* SPDX-License-Identifier: MIT */
/* What is known of each node: nothing is missing, and nothing names what is not there. */
#include "advice/advice.h"
#include "advice/target.h"
#include "core/uarch.h"
#include "tests/support/unit.h"

#include <fnmatch.h>
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

/* Each metric that some CPU's formulas have; a node has events to sample as well. */
static void every_metric_is_explained(void)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};
    size_t metrics = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; !td_uarch_metric(u, k, &m); k++) {
            char command[TD_ADVICE_COMMAND];

            if (!*m.unit || !(m.level || m.source))
                continue;
            metrics++;
            if (!td_advice_find(m.name, td_uarch_backend(u)))
                fail("%s: %s is not explained", td_uarch_name(u), m.name);
            if (m.kind == TD_METRIC_NODE &&
                !td_advice_command(m.name, td_uarch_backend(u), td_uarch_name(u), td_uarch_pmu(u), "", command))
                fail("%s: %s has no event to sample", td_uarch_name(u), m.name);
        }
    CU_ASSERT(metrics > 5000);
}

/* The number of nodes, bottlenecks and info metrics of a table. */
static unsigned check_table(const char *path)
{
    char line[4096], name[128];
    unsigned metrics = 0;
    FILE *f = fopen(path, "r");

    while (f && fgets(line, sizeof(line), f)) {
        if (sscanf(line, "node,%*d,%127[^,],", name) != 1 && sscanf(line, "bottleneck,,%127[^,],", name) != 1 &&
            sscanf(line, "info,,%127[^,],", name) != 1)
            continue;
        metrics++;
        if (!td_advice_find(name, NULL))
            fail("%s: %s is not explained", path, name);
    }
    if (f)
        fclose(f);
    return metrics;
}

static const char *source_folder(void)
{
    const char *folder = getenv("TD_SRCDIR");

    return folder ? folder : ".";
}

static bool has_mark(const char *name)
{
    const struct td_advice *a;

    for (size_t i = 0; (a = td_advice_mark_at(i)); i++)
        if (!strcmp(a->node, name))
            return true;
    return false;
}

/* And a text of none else but the words of a verdict. */
static void every_flag_and_status_is_explained(void)
{
    size_t marks = 0, known = 0;

    for (unsigned flag = 1; td_flag_name(flag); flag <<= 1, known++)
        if (!has_mark(td_flag_name(flag)))
            fail("the flag %s is not explained", td_flag_name(flag));
    for (int i = TD_OK; i <= TD_NOT_IN_THIS_FORMULA; i++, known++)
        if (!has_mark(td_status_name((enum td_status)i)))
            fail("the status %s is not explained", td_status_name((enum td_status)i));
    while (td_advice_mark_at(marks))
        marks++;
    CU_ASSERT_EQUAL(marks, known + 4); /* decided, likely, undecided, none */
}

/* All published tables, of CPUs without formulas of theirs too. */
static void every_table_is_explained(void)
{
    char pattern[4096];
    unsigned metrics = 0;
    glob_t found;

    snprintf(pattern, sizeof(pattern), "%s/backends/*/*-metrics.csv", source_folder());
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        metrics += check_table(found.gl_pathv[i]);
    globfree(&found);
    CU_ASSERT(metrics > 4000);
}

/* ---- events ------------------------------------------------------------------------ */

/* Whether a file of backends/ has a line that begins so; out: the rest of it, or NULL. */
static bool has_line(const char *file, const char *begins, char *out, size_t size)
{
    const size_t n = strlen(begins);
    char path[4096], line[4096];
    bool found = false;
    FILE *f;

    snprintf(path, sizeof(path), "%s/backends/%s", source_folder(), file);
    f = fopen(path, "r");
    while (f && !found && fgets(line, sizeof(line), f))
        found = !strncasecmp(line, begins, n);
    if (found && out)
        snprintf(out, size, "%s", line + n);
    if (f)
        fclose(f);
    return found;
}

/* The CPU's NAME-events.csv, below backends/; false: it has none. */
static bool events_file(const struct td_uarch *u, char *out, size_t size)
{
    static const char *const vendor[] = {"arm", "amd"};
    char begins[64], tables[256], table[64];

    snprintf(begins, sizeof(begins), "%s,", td_uarch_name(u));
    if (has_line("intel/intel-tables.csv", begins, tables, sizeof(tables))) {
        CU_ASSERT_EQUAL_FATAL(sscanf(tables, "%*[^,],%63s", table), 1);
        snprintf(out, size, "intel/%s-events.csv", table);
        return true;
    }
    for (size_t i = 0; i < 2; i++) {
        snprintf(out, size, "%s/%s-events.csv", vendor[i], td_uarch_name(u));
        if (has_line(out, "name,", NULL, 0))
            return true;
    }
    return false;
}

static void check_event(const struct td_uarch *u, const char *file, const char *node, const char *event, size_t len)
{
    static const char *const perfs[] = {"cycles", "instructions", "branch-misses", "cache-misses"};
    char begins[256];

    for (size_t i = 0; i < sizeof(perfs) / sizeof(*perfs); i++)
        if (len == strlen(perfs[i]) && !strncmp(event, perfs[i], len))
            return;
    snprintf(begins, sizeof(begins), "%.*s,", (int)len, event);
    if (!has_line(file, begins, NULL, 0))
        fail("%s has no %s to sample for %s", td_uarch_name(u), begins, node);
}

/* A CPU is told to sample only what it has. */
static void every_event_is_there(void)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};
    char file[128];
    size_t events = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        if (!events_file(u, file, sizeof(file)))
            continue;
        for (size_t k = 0; !td_uarch_metric(u, k, &m); k++) {
            const char *of,
                *at = m.source ? td_advice_events(m.name, td_uarch_backend(u), td_uarch_name(u), &of) : NULL;

            for (; at && *at; at += strcspn(at, ","), at += *at == ',', events++)
                check_event(u, file, m.name, at, strcspn(at, ":,"));
        }
    }
    CU_ASSERT(events > 3000);
}

/* ---- texts ------------------------------------------------------------------------- */

static bool some_cpu_has(const char *name)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; !td_uarch_metric(u, k, &m); k++)
            if (*m.unit && !fnmatch(name, m.name, 0))
                return true;
    return false;
}

/* Words with '_' that are no metrics. */
static bool is_other_word(const char *word)
{
    static const char *const words[] = {
        "aligned_alloc",
        "l1d_cache_refill",
        "l2d_cache_refill",
        "ll_cache_miss_rd",
        "dtlb_walk",
        "arm_spe",
        "transparent_hugepage",
        "umwait_control",
        "enable_c02",
        "numa_balancing",
        "sched_setaffinity",
        "machine_clears",
        "inst_retired",
        "memory_ordering",
        "page_fault",
        "fp_assist",
        "x86_non_temporal_threshold",
        "__attribute__",
        "_mm256_zeroupper",
        "other_branches",
        "st_buf",
        "ld_buf",
        "mem_exec",
        "cond_nt",
        "cond_tk",
        "core_bound_likely",
        "dsb_misses",
        "dsb_bandwidth",
        "ic_misses",
        "turbo_utilization",
        "_tlb_bound",
        "_store_bound",
        "_ret",
        "scalar_fp",
        "branch_mispredict",
        "x86_64",
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (!strcmp(words[i], word))
            return true;
    return false;
}

/* A text names no metric that no CPU has. */
static void check_names(const char *node, const char *text)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_*ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (const char *at = text; *at; at += strspn(at, letters)) {
        char word[128];

        at += strcspn(at, letters);
        snprintf(word, sizeof(word), "%.*s", (int)strspn(at, letters), at);
        if (strchr(word, '_') && !strpbrk(word, capitals) && !is_other_word(word) && !some_cpu_has(word))
            fail("%s: the text names '%s'", node, word);
    }
}

/* Returns how many there are; none is longer than two lines of tdprobe explain. */
static size_t check_list(const char *node, const char *const *list)
{
    size_t n = 0;

    for (; n < TD_ADVICE_LINES && list[n]; n++) {
        check_names(node, list[n]);
        if (strlen(list[n]) > 2 * 66)
            fail("%s: '%s' is long", node, list[n]);
    }
    return n;
}

static void check_sentence(const char *node, const char *text)
{
    check_names(node, text);
    if (strlen(text) > 5 * 66 || strchr(text, '\n') || strstr(text, "  ") || text[strlen(text) - 1] != '.')
        fail("%s: '%s'", node, text);
}

static void check_text(const struct td_advice *a)
{
    const size_t causes = check_list(a->node, a->cause), remedies = check_list(a->node, a->remedy);

    if (causes == TD_ADVICE_LINES || remedies == TD_ADVICE_LINES || (!a->reading && (!causes || !remedies)))
        fail("%s: %zu causes, %zu remedies", a->node, causes, remedies);
    /* the line after a verdict, and that of the list */
    if (strlen(a->brief) > 58 || strlen(a->brief) + strlen(a->node) > 79)
        fail("%s: '%s' is long", a->node, a->brief);
    check_names(a->node, a->brief);
    check_sentence(a->node, a->meaning);
    if (a->reading)
        check_sentence(a->node, a->reading);
}

/* Whether some CPU's metric has this text. */
static bool is_used(const struct td_advice *a)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; !td_uarch_metric(u, k, &m); k++)
            if (*m.unit && td_advice_find(m.name, td_uarch_backend(u)) == a)
                return true;
    return false;
}

static void rows_are_whole(void)
{
    const struct td_advice *a;
    const char *name, *node;

    for (size_t i = 0; (a = td_advice_at(i)); i++) {
        check_text(a);
        if (!is_used(a))
            fail("%s of %s is no metric's, or hidden by another row", a->node, a->backend ? a->backend : "all");
        if (!td_advice_is_shared(a) && !td_advice_find(a->node, NULL))
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
        {"branch_mispredicts", "intel-perf-metrics", "spr|emr|gnr", NULL,
         "perf record -e br_misp_retired.all_branches:pp"},
        {"memory_bound", "intel-generic", "skl", NULL,
         "perf record -e mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp"},
        {"memory_bound", "intel-generic", "hsw", NULL,
         "perf record -e mem_load_uops_retired.l1_miss:pp,mem_load_uops_retired.l2_miss:pp"},
        {"memory_bound", "intel-generic", "snb", NULL, "perf record -e cache-misses"},
        {"fetch_latency", "intel-perf-metrics", "adl-p", "cpu_core",
         "perf record -e cpu_core/frontend_retired.latency_ge_16/pp"},
        {"bad_speculation", "intel-perf-metrics", "adl-p", "cpu_core",
         "perf record -e cpu_core/br_misp_retired.all_branches/pp,cpu_core/machine_clears.count/"},
        {"backend_bound", "intel-atom", "adl-e", "cpu_atom", "perf record -e cpu_atom/topdown_be_bound.all/"},
        {"backend_bound", "intel-atom", "srf", NULL, "perf record -e topdown_be_bound.all_p"},
        {"frontend_bound", "intel-atom", "srf", NULL, "perf record -e topdown_fe_bound.all_p"},
        {"backend_bound", "arm-neoverse", "neoverse-v2", NULL, "perf record -e stall_slot_backend"},
        {"backend_bound", "arm-neoverse", "hip08", NULL, "perf record -e cycles"},
        {"bad_speculation_from_mispredicts", "amd-zen", "zen5", NULL, "perf record -e ex_ret_brn_misp"},
        {"core_bound", "intel-perf-metrics", "rkl", NULL, "perf record -e arith.divider_active,cycles:pp"},
        /* from the column samples of NAME-metrics.csv, of the CPU itself and of the node above */
        {"l3_bound", "intel-generic", "ivb", NULL, "perf record -e mem_load_uops_retired.llc_hit:pp"},
        {"l3_bound", "intel-perf-metrics", "adl-p", "cpu_core", "perf record -e cpu_core/mem_load_retired.l3_hit/pp"},
        {"sq_full", "intel-perf-metrics", "spr", NULL, "perf record -e mem_load_retired.l3_hit:pp"},
        {"remote_cache", "intel-perf-metrics", "spr", NULL,
         "perf record -e mem_load_l3_miss_retired.remote_hitm:pp,mem_load_l3_miss_retired.remote_fwd:pp"},
        {"load_stlb_miss_4k", "intel-generic", "skx", NULL, "perf record -e mem_inst_retired.stlb_miss_loads:pp"},
        {"reorder_buffer", "intel-atom", "srf", NULL, NULL},
    };
    char command[TD_ADVICE_COMMAND];

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        const char *got = td_advice_command(known[i].node, known[i].backend, known[i].cpu, known[i].pmu, "", command);

        if (known[i].command ? !got || strcmp(got, known[i].command) : !got)
            fail("%s of %s: '%s', not '%s'", known[i].node, known[i].cpu, got ? got : "none",
                 known[i].command ? known[i].command : "one");
    }
    CU_ASSERT(!td_advice_command("nonesuch", "intel-generic", "skl", NULL, "", command));
    CU_ASSERT(!td_advice_find("nonesuch", NULL));
}

/* One text for several metrics, and a name's own before it. */
static void shared_texts(void)
{
    const struct td_advice *loads = td_advice_find("info_load_miss_bound_pct_loadmissbound_with_l2hit", "intel-atom");

    CU_ASSERT_PTR_NOT_NULL_FATAL(loads);
    CU_ASSERT(td_advice_is_shared(loads));
    CU_ASSERT_PTR_EQUAL(td_advice_find("info_load_miss_bound_pct_loadmissbound_with_l3miss", "intel-atom"), loads);
    CU_ASSERT(!td_advice_is_shared(td_advice_find("port_3", NULL)));
    CU_ASSERT_STRING_EQUAL(td_advice_find("port_2", NULL)->brief, td_advice_find("port_3", NULL)->brief);
    CU_ASSERT_STRING_EQUAL(td_advice_find("info_memory_tlb_page_walks_utilization", NULL)->node,
                           "info_memory_tlb_page_walks_utilization");
    CU_ASSERT_STRING_EQUAL(td_advice_find("info_memory_tlb_load_stlb_mpki", NULL)->node, "info_memory_tlb_*");
    CU_ASSERT_STRING_EQUAL(td_advice_find("alloc_restriction", "intel-atom")->node, "allocation_restriction");
}

static void targets(void)
{
    static const struct {
        const char *kind, *scope, *command, *wanted;
    } all[] = {
        {"system", "system", NULL, "-a -- sleep 10"},
        {"command", "make", "/usr/bin/make -j 8", "-- /usr/bin/make -j 8"},
        {"command", "make", NULL, "-- COMMAND"},
        {"command", "make", "gmake -j", "-- COMMAND"},
        {"command", "make -k it's", "make -j", "-- make -k 'it'\\''s'"},
        {"command", "x", "./x  a", "-- ./x a"},
        {"thread", "worker-77", "make", "-t 77"},
        {"thread", "a b-c-5", NULL, "-t 5"},
        {"thread", "a-b", NULL, "-- COMMAND"},
        {"thread", "a-", NULL, "-- COMMAND"},
        {"process", "process 1,2", NULL, "-p 1,2"},
        {"process", "thread 7", NULL, "-t 7"},
        {"cgroup", "system.slice/a b", NULL, "-a -G 'system.slice/a b' -- sleep 10"},
        {"cgroup", "CPU3 /a", NULL, "-C 3 -G /a -- sleep 10"},
        {"cgroup", "CPUs", NULL, "-a -G CPUs -- sleep 10"},
        {"cpu", "CPU3", NULL, "-C 3 -- sleep 10"},
        {"system", "CPU0-3,7", NULL, "-C 0-3,7 -- sleep 10"},
        {"core", "S0-D0-C1", NULL, "-a -- sleep 10"},
        {"cpu", "CPU", NULL, "-a -- sleep 10"},
    };
    char buf[TD_ADVICE_TARGET], longer[4 * TD_ADVICE_TARGET];

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT_STRING_EQUAL(td_advice_target(all[i].kind, all[i].scope, all[i].command, buf), all[i].wanted);
    memset(longer, 'x', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    for (size_t i = 1; i < sizeof(longer) - 1; i += 7)
        longer[i] = i % 2 ? ' ' : '\'';
    CU_ASSERT_STRING_EQUAL(td_advice_target("command", "x", longer, buf), "-- COMMAND");
    CU_ASSERT(strlen(td_advice_target("cgroup", longer, NULL, buf)) < TD_ADVICE_TARGET);
}

static void modes(void)
{
    char buf[TD_ADVICE_COMMAND];

    CU_ASSERT_STRING_EQUAL(td_advice_command("frontend_bound", "intel-perf-metrics", "spr", NULL, "u", buf),
                           "perf record -e frontend_retired.latency_ge_4:ppu");
    CU_ASSERT_STRING_EQUAL(td_advice_command("backend_bound", "intel-perf-metrics", "spr", NULL, "u", buf),
                           "perf record -e topdown.backend_bound_slots:u");
    CU_ASSERT_STRING_EQUAL(td_advice_command("backend_bound", "intel-perf-metrics", "spr", "cpu_core", "u", buf),
                           "perf record -e cpu_core/topdown.backend_bound_slots/u");
    CU_ASSERT_STRING_EQUAL(td_advice_command("backend_bound", "intel-perf-metrics", "spr", NULL, "", buf),
                           "perf record -e topdown.backend_bound_slots");
}

static const CU_TestInfo tests[] = {
    {"every metric is explained", every_metric_is_explained},
    {"every table is explained", every_table_is_explained},
    {"every flag and status is explained", every_flag_and_status_is_explained},
    {"every event is there", every_event_is_there},
    {"rows are whole", rows_are_whole},
    {"commands", commands},
    {"shared texts", shared_texts},
    {"what to sample", targets},
    {"modes", modes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("advice", tests);
