/* SPDX-License-Identifier: MIT */
/* Both dialects of counters, whole texts that are written out by hand; labels; what a sum adds; names of cgroups. */
#include "report/cgroup_name.h"
#include "report/openmetrics.h"
#include "tests/support/made_result.h"

#include <string.h>

#define SCOPE "{scope=\"S0-C1\",scope_kind=\"core\",cpu=\"spr\""
#define FAMILY(name, help) "# TYPE " name " counter\n# HELP " name " " help "\n"

/* Of 1,000 slots: retiring 500 (440 to 560), backend_bound 260 (likely 250 to 300), memory_bound has none. */
static void make(struct made_result *m)
{
    made_begin(m);
    m->counts.n = 0;
    m->r.slots = 1000;
    m->metric[1] = m->metric[MADE_BACKEND_BOUND];
    made_bounds(&m->metric[1], TD_BOUNDS_LIKELY, 0.25, 0.3);
    m->metric[2] = m->metric[MADE_MEMORY_BOUND];
    m->metric[2].status = TD_MISSING_EVENT;
    m->r.nmetrics = 3;
}

static void openmetrics(void)
{
    static const struct td_report settings = {.by = "replay"};
    struct made_result m;

    make(&m);
    made_is(
        "openmetrics", &settings, true, &m,
        "# TYPE tdprobe_build info\n# HELP tdprobe_build The version of tdprobe.\ntdprobe_build_info{version=\"" VERSION
        "\"} 1\n# TYPE tdprobe_cpu info\n"
        "# HELP tdprobe_cpu The CPUs that were measured, and by which formula.\n"
        "tdprobe_cpu_info{cpu=\"spr\",backend=\"made\",formula=\"perf_metrics\"} 1\n" FAMILY(
            "tdprobe_slots_all",
            "All slots that passed, of which nodes have parts.") "tdprobe_slots_all_total" SCOPE "} 1000\n"
                                                                 "# TYPE tdprobe_slots counter\n# UNIT tdprobe_slots slots\n"
                                                                 "# HELP tdprobe_slots The slots of each top-down node.\n"
                                                                 "tdprobe_slots_total" SCOPE
                                                                 ",node=\"retiring\",level=\"1\"} 500\n"
                                                                 "tdprobe_slots_total" SCOPE
                                                                 ",node=\"backend_bound\",level=\"1\"} 260\n" FAMILY(
                                                                     "tdprobe_slots_low",
                                                                     "The least that these slots can be, by sound bounds.") "tdprobe_slots_low_total" SCOPE
                                                                                                                            ",node=\"retiring\",level=\"1\"} 440\n"
                                                                                                                            "tdprobe_slots_low_total" SCOPE ",node=\"backend_bound\",level=\"1\"} 0\n" FAMILY("tdprobe_slots_high", "The most that these slots can be, by sound bounds.") "tdprobe_slots_high_total" SCOPE
                                                                                                                                                                                                                                                                                          ",node=\"retiring\",level=\"1\"} 560\n"
                                                                                                                                                                                                                                                                                          "tdprobe_slots_high_total" SCOPE ",node=\"backend_bound\",level=\"1\"} 1000\n" FAMILY("tdprobe_slots_likely_low", "The least that these slots are likely to be, where sound bounds say less.") "tdprobe_slots_likely_low_total" SCOPE ",node=\"backend_bound\",level=\"1\"} 250\n" FAMILY("tdprobe_slots_likely_high", "The most that these slots are likely to be, where sound bounds say less.") "tdprobe_slots_likely_high_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             ",node=\"backend_bound\",level=\"1\"} 300\n" FAMILY("tdprobe_slots_absent", "The slots of intervals in which the node has no value; its most has them too.") "tdprobe_slots_absent_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          ",node=\"memory_bound\",level=\"2\"} 1000\n" FAMILY("tdprobe_cycles_all", "All cycles that passed, of which nodes have parts.") "tdprobe_cycles_all_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "} 0\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "# TYPE tdprobe_measured_seconds counter\n# UNIT tdprobe_measured_seconds seconds\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "# HELP tdprobe_measured_seconds How long the scope was measured.\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "tdprobe_measured_seconds_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "} 0.25\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "# TYPE tdprobe_counted_seconds counter\n# UNIT tdprobe_counted_seconds seconds\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "# HELP tdprobe_counted_seconds How long of that the counters ran; less where they were shared.\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "tdprobe_counted_seconds_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "} 0.1875\n" FAMILY(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "tdprobe_intervals",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "Intervals that were added up, by how far their counts can be relied on.") "tdprobe_intervals_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         ",standing=\"exact\"} 0\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "tdprobe_intervals_total" SCOPE ",standing=\"multiplexed\"} 1\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "tdprobe_intervals_total" SCOPE
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         ",standing=\"partial\"} 0\n" FAMILY("tdprobe_discarded_intervals", "Intervals that were left out, by the reason.") FAMILY("tdprobe_left_out_intervals",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   "Intervals of scopes beyond the most that are kept.") "tdprobe_left_out_intervals_total 0\n# EOF\n");
}

/* What both dialects write of results; sums add nothing to intervals. */
static const char *written(struct captured *c, const char *format, struct made_result *m, const bool *sums, size_t n)
{
    struct td_report r = {.format = td_report_format_find(format), .out = *captured_begin(c)};

    for (size_t i = 0; i < n; i++) {
        m->r.summary = sums[i];
        r.format->result(&r, &m->r);
    }
    td_report_end(&r, NULL);
    c->out = r.out;
    return captured_text(c);
}

static void has(const char *text, const char *part, bool wanted)
{
    CU_ASSERT_EQUAL(strstr(text, part) != NULL, wanted);
}

static void classic(void)
{
    struct made_result m;
    struct captured c;
    const char *text;

    make(&m);
    m.r.at.scope = "a\\b\"c\nd";
    text = written(&c, "prometheus", &m, (bool[]){false}, 1);
    has(text, "# TYPE tdprobe_build_info gauge\n# HELP tdprobe_build_info The version", true);
    has(text, "# TYPE tdprobe_slots_total counter\n# HELP tdprobe_slots_total The slots", true);
    has(text, "tdprobe_slots_total{scope=\"a\\\\b\\\"c\\nd\",scope_kind=\"core\"", true);
    has(text, "# UNIT", false);
    has(text, "# EOF", false);
    captured_end(&c);
}

static void sums(void)
{
    struct made_result m;
    struct captured c;

    make(&m);
    has(written(&c, "prometheus", &m, (bool[]){false, false, true}, 3), "tdprobe_slots_all_total" SCOPE "} 2000\n",
        true);
    captured_end(&c);
    has(written(&c, "prometheus", &m, (bool[]){true, true}, 2), "tdprobe_slots_all_total" SCOPE "} 2000\n", true);
    captured_end(&c);
    m.r.slots = (double)NAN;
    has(written(&c, "prometheus", &m, (bool[]){false}, 1),
        "tdprobe_discarded_intervals_total" SCOPE ",reason=\"no_slots\"} 1\n", true);
    captured_end(&c);
}

/* A cgroup has its container's name, or else its unit; anything else has neither. */
static void labels(void)
{
#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    static const struct {
        const char *path, *label;
    } of[] = {{"/system.slice/nginx.service", ",unit=\"nginx.service\""},
              {"/user.slice/user@1.service/app.slice/x.scope/y", ",unit=\"x.scope\""},
              {"/system.slice/docker-" ID ".scope", ",container=\"docker-0123456789ab\""},
              {"/kubepods/pod1/" ID, ",container=\"0123456789ab\""},
              {"/a/" ID "0", NULL},
              {"/a/.service", NULL},
              {"/", NULL},
              {"", NULL}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct made_result m;
        struct captured c;
        const char *text;

        make(&m);
        m.r.at.scope = of[i].path;
        m.r.at.scope_kind = TD_KIND_CGROUP;
        text = written(&c, "prometheus", &m, (bool[]){false}, 1);
        has(text, ",unit=", of[i].label && of[i].label[1] == 'u');
        has(text, ",container=", of[i].label && of[i].label[1] == 'c');
        if (of[i].label)
            has(text, of[i].label, true);
        captured_end(&c);
        m.r.at.scope_kind = TD_KIND_CPU;
        has(written(&c, "prometheus", &m, (bool[]){false}, 1), of[i].label ? of[i].label : ",unit=", false);
        captured_end(&c);
    }
}

/* The uid of a pod, as systemd's slices and as folders have it, whatever is below. */
static void pods(void)
{
#define UID "01234567-89ab-cdef-0123-456789abcdef"
#define SLICE "01234567_89ab_cdef_0123_456789abcdef"
    static const struct {
        const char *path, *uid;
    } of[] = {{"/kubepods.slice/kubepods-pod" SLICE ".slice/cri-containerd-" ID ".scope", UID},
              {"kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" SLICE ".slice", UID},
              {"/kubepods/besteffort/pod" UID "/" ID, UID},
              {"/kubepods/pod0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"},
              {"/kubepods/pod" UID "0", ""},
              {"/kubepods/pod" SLICE ".scope", ""},
              {"/kubepods/od" UID, ""},
              {"/pod0123", ""},
              {"", ""}};
    char uid[64];

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        CU_ASSERT_EQUAL(td_cgroup_pod(of[i].path, uid, sizeof(uid)), *of[i].uid != '\0');
        CU_ASSERT_STRING_EQUAL(uid, of[i].uid);
    }
}

static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* Which parts nodes have: x has a value, and none for one slot; y never had one; z has likely bounds. Each CPU with
 * each of its formulas is named once, whatever the number of scopes. */
static void parts(void)
{
    struct td_tally_node nodes[] = {
        {"x", 1, TD_TALLY_SLOTS, .valued = true, .part = {0, 7, 8, [TD_TALLY_ABSENT] = 1}},
        {"y", 2, TD_TALLY_CYCLES, .likely = true, .part = {[TD_TALLY_ABSENT] = 0.5}},
        {"z", 3, TD_TALLY_SLOTS, .valued = true, .likely = true, .part = {9, 1, 6, 2, 3}},
    };
    struct td_scope_id ids[] = {
        {"process", "a", "P", 1}, {"process", "b", NULL, 1}, {"cpu", "c", "", 1}, {"cpu", "d", NULL, 1}};
    struct td_tally_scope scopes[] = {{.cpu = "spr",
                                       .formula = "f",
                                       .backend = "intel",
                                       .node = nodes,
                                       .n = 3,
                                       .whole = {20, 10},
                                       .seconds = 1.5,
                                       .counted = 0.5,
                                       .intervals = {4, 5, 6},
                                       .discarded = {3, 1}},
                                      {.cpu = "spr", .formula = "f", .backend = "intel"},
                                      {.cpu = "emr", .formula = "f", .backend = "intel"},
                                      {.cpu = "spr", .formula = "g", .backend = "intel"}};
    const struct td_tally tally = {.scopes = {.id = ids, .n = 4}, .scope = scopes, .left_out = 12};
    struct captured c;
    const char *text;

    td_exposition_put(captured_begin(&c), &tally, NULL, 0, TD_OPENMETRICS);
    text = captured_text(&c);
#define A "_total{scope=\"a\",scope_kind=\"process\",cpu=\"spr\",core=\"P\""
    has(text, "\ntdprobe_slots" A ",node=\"x\",level=\"1\"} 0\ntdprobe_slots" A ",node=\"z\",level=\"3\"} 9\n#", true);
    has(text, "\ntdprobe_slots_low" A ",node=\"x\",level=\"1\"} 7\ntdprobe_slots_low" A ",node=\"z\",level=\"3\"} 1\n#",
        true);
    has(text,
        "\ntdprobe_slots_high" A ",node=\"x\",level=\"1\"} 8\ntdprobe_slots_high" A ",node=\"z\",level=\"3\"} 6\n#",
        true);
    has(text, "\ntdprobe_slots_likely_low" A ",node=\"z\",level=\"3\"} 2\n#", true);
    has(text, "\ntdprobe_slots_likely_high" A ",node=\"z\",level=\"3\"} 3\n#", true);
    has(text, "\ntdprobe_slots_absent" A ",node=\"x\",level=\"1\"} 1\n#", true);
    has(text, "\ntdprobe_cycles_absent" A ",node=\"y\",level=\"2\"} 0.5\n#", true);
    CU_ASSERT_EQUAL(count(text, ",node="), 10);
    has(text, "# UNIT tdprobe_slots slots\n", true);
    has(text, "# UNIT tdprobe_slots_low", false);
    has(text, "\ntdprobe_slots_all" A "} 20\n", true);
    has(text, "\ntdprobe_cycles_all" A "} 10\n", true);
    has(text, "\ntdprobe_measured_seconds" A "} 1.5\n", true);
    has(text, "\ntdprobe_counted_seconds" A "} 0.5\n", true);
    has(text,
        "\ntdprobe_intervals" A ",standing=\"exact\"} 4\ntdprobe_intervals" A ",standing=\"multiplexed\"} 5\n"
        "tdprobe_intervals" A ",standing=\"partial\"} 6\n",
        true);
    CU_ASSERT_EQUAL(count(text, ",reason="), 1); /* of the first status nothing is left out */
    CU_ASSERT_EQUAL(count(text, ",core="), 10 + 4 + 3 + 1);
    CU_ASSERT_EQUAL(count(text, "tdprobe_cpu_info{"), 3);
    has(text,
        "tdprobe_cpu_info{cpu=\"spr\",backend=\"intel\",formula=\"f\"} 1\ntdprobe_cpu_info{cpu=\"emr\","
        "backend=\"intel\",formula=\"f\"} 1\ntdprobe_cpu_info{cpu=\"spr\",backend=\"intel\",formula=\"g\"} 1\n#",
        true);
    has(text, "\ntdprobe_left_out_intervals_total 12\n# EOF\n", true);
    captured_end(&c);
}

static const CU_TestInfo tests[] = {
    {"OpenMetrics", openmetrics},
    {"the classic text", classic},
    {"sums", sums},
    {"labels", labels},
    {"parts of nodes", parts},
    {"pods", pods},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("openmetrics", tests);
