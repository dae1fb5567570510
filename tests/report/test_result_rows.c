/* SPDX-License-Identifier: MIT */
/* One result with each kind of value, as csv, as json and as a tree, which are written out by hand. */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

#define VERDICT "limited by backend_bound: memory_bound; below it undecided: only l3_bound may be above its threshold"

/* ---- csv ------------------------------------------------------------------------------------ */

#define CSV_HEAD \
    "time,scope,scope_kind,core,cpu,metric,value,unit,low,high,coverage,status,flags,bounds,node,text,duration,level," \
    "parent,summary\n"
#define CSV "12.000345678,S0-C1,core,,spr,"

/* A node that the CPU does not have has no row. */
static void csv(void)
{
    struct made_result m;

    made_begin(&m);
    made_is("csv", &(struct td_report){.counts = true}, true, &m,
            CSV_HEAD CSV
            "retiring,0.500000,slots,0.440000,0.560000,0.750000,ok,smt_unknown,sound,,,0.250000000,1,,\n" CSV
            "bad_speculation,0.060000,slots,0.050000,0.070000,0.750000,ok,smt_unknown,likely,,,0.250000000,1,,\n" CSV
            "frontend_bound,0.180000,slots,,,0.750000,ok,multiplexed;no_bounds;smt_unknown,,,,0.250000000,1,,\n" CSV
            "backend_bound,0.260000,slots,0.260000,0.260400,0.750000,ok,smt_unknown,sound,,,0.250000000,1,,\n" CSV
            "memory_bound,0.200000,slots,0.150000,0.250000,0.750000,ok,smt_unknown,sound,,,0.250000000,2,backend_bound,"
            "\n" CSV "core_bound,,slots,,,0.750000,impossible,smt_unknown,,,,0.250000000,2,backend_bound,\n" CSV
            "fetch_latency,,slots,,,0.750000,missing_event:FETCH.X,smt_unknown,,,,0.250000000,2,frontend_bound,\n" CSV
            "l3_bound,0.125000,stalls,0.100000,0.150000,0.750000,ok,smt_unknown,likely,,,0.250000000,3,memory_bound,"
            "\n" CSV "ports_utilization,0.010000,slots,0.010000,0.010000,0.750000,ok,smt_unknown,sound,,,0.250000000,3,"
            "core_bound,\n" CSV
            "ipc,1.250000,per cycle,1.200000,1.300000,0.750000,ok,smt_unknown,sound,,,0.250000000,,,\n" CSV
            "bandwidth,2048.250000,GB/s,,,0.750000,ok,smt_unknown,,,,0.250000000,,,\n" CSV
            "verdict,,,,,0.750000,decided,,sound,memory_bound," VERDICT ",0.250000000,2,backend_bound,\n" CSV
            "cycles,1234567.000000,count,,,0.500000,ok,,,,,0.250000000,,,\n" CSV
            "\"a,\"\"b\"\"\",8.000000,count,,,1.000000,ok,,,,,0.250000000,,,\n" CSV
            "idle,,count,,,,not_counted,,,,,0.250000000,,,\n" CSV
            "cycles,1000000.000000,count,,,0.750000,ok,,,,,0.250000000,,,\n");
}

/* A summary without times, of a kind of core, in one of several files: the prefix has no time, and a column more has
 * the file's name. Verdicts that are likely, or none, have likely bounds, or none. */
static void csv_summary(void)
{
    struct made_result m;

    made_begin(&m);
    m.uarch.core = 'E';
    m.r.at.has_time = false;
    m.r.at.duration = 0;
    m.r.summary = true;
    m.r.coverage = (double)NAN;
    m.r.nmetrics = 1;
    m.verdict = (struct td_verdict){
        .status = TD_VERDICT_LIKELY, .node = m.metric, .path = (const struct td_metric *[]){m.metric}, .npath = 1};
    made_is("csv", &(struct td_report){.file = "a,b.trace"}, true, &m,
            "time,scope,scope_kind,core,cpu,metric,value,unit,low,high,coverage,status,flags,bounds,node,text,duration,"
            "level,parent,summary,file\n"
            ",S0-C1,core,E,spr,retiring,0.500000,slots,0.440000,0.560000,,ok,smt_unknown,sound,,,,1,,summary,"
            "\"a,b.trace\"\n"
            ",S0-C1,core,E,spr,verdict,,,,,,likely,,likely,retiring,probably not stalled: 50.0 % of the slots retire "
            "(likely),,1,,summary,\"a,b.trace\"\n");
    m.r.nmetrics = 0;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED, .no_values = true};
    made_is("csv", &(struct td_report){.counts = false}, false, &m,
            ",S0-C1,core,E,spr,verdict,,,,,,undecided,,,,no verdict: no metric has a value,,,,summary\n");
    m.r.at.has_time = true;
    m.r.at.time = 5;
    m.r.summary = false;
    made_is("csv", &(struct td_report){.counts = false}, false, &m,
            "0.000000005,S0-C1,core,E,spr,verdict,,,,,,undecided,,,,no verdict: no metric has a value,,,,\n");
}

/* A separator of one character that occurs in a field, of our own or of the recording, quotes it; one of several
 * characters may begin in a field's end; what needs no quotes has none. Those of tables are a tab and a comma. */
static void csv_separators(void)
{
    struct made_result m;

    made_begin(&m);
    m.r.metrics = &m.metric[MADE_FRONTEND_BOUND];
    m.r.nmetrics = 1;
    m.r.at.duration = 0;
    m.r.at.scope = "a;b";
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    made_is("csv", &(struct td_report){.separator = ";"}, false, &m,
            "12.000345678;\"a;b\";core;;spr;frontend_bound;0.180000;slots;;;0.750000;ok;\"multiplexed;no_bounds;"
            "smt_unknown\";;;;;1;;\n"
            "12.000345678;\"a;b\";core;;spr;verdict;;;;;0.750000;none;;;;no node is above its threshold;;;;\n");
    m.r.at.scope = "a b";
    made_is("csv", &(struct td_report){.separator = "b:"}, false, &m,
            "12.000345678b:\"a b\"b:coreb:b:sprb:frontend_boundb:0.180000b:slotsb:b:b:0.750000b:okb:multiplexed;"
            "no_bounds;smt_unknownb:b:b:b:b:1b:b:\n"
            "12.000345678b:\"a b\"b:coreb:b:sprb:verdictb:b:b:b:b:0.750000b:noneb:b:b:b:no node is above its "
            "thresholdb:b:b:b:\n");
    m.r.nmetrics = 0;
    made_is("csv", &(struct td_report){.separator = "\t"}, false, &m,
            "12.000345678\ta b\tcore\t\tspr\tverdict\t\t\t\t\t0.750000\tnone\t\t\t\tno node is above its threshold"
            "\t\t\t\t\n");
    m.r.at.scope = "a\rb";
    made_is(
        "csv", &(struct td_report){.separator = "0"}, false, &m,
        "\"12.000345678\"0\"a\rb\"0core00spr0verdict00000\"0.750000\"0none0000no node is above its threshold0000\n");
    m.r.at.scope = "a\nb";
    m.r.coverage = 1e12;
    made_is("csv", &(struct td_report){.separator = NULL}, false, &m,
            "12.000345678,\"a\nb\",core,,spr,verdict,,,,,1000000000000,none,,,,no node is above its threshold,,,,\n");
    m.r.at.scope = "a";
    m.r.coverage = -0.0000004; /* less than half of the last decimal */
    made_is("csv", &(struct td_report){.separator = NULL}, false, &m,
            "12.000345678,a,core,,spr,verdict,,,,,0.000000,none,,,,no node is above its threshold,,,,\n");
    m.r.coverage = -1.5;
    made_is("csv", &(struct td_report){.separator = NULL}, false, &m,
            "12.000345678,a,core,,spr,verdict,,,,,-1.500000,none,,,,no node is above its threshold,,,,\n");
}

/* A file that is appended to has its header already. */
static void csv_appended(void)
{
    struct captured c;
    struct td_report r = {.format = td_report_format_find("csv")};

    r.out = *captured_begin(&c);
    r.out.appended = true;
    td_report_begin(&r);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "");
    captured_end(&c);
}

/* ---- json ------------------------------------------------------------------------------------ */

#define JSON_HEAD \
    "\"time\":12.000345678,\"scope\":\"S0-C1\",\"scope_kind\":\"core\",\"core\":null,\"cpu\":\"spr\",\"backend\":" \
    "\"made\",\"formula\":\"perf_metrics\",\"duration\":0.250000000,"
#define JSON_NODE(name, kind, level, parent, unit) \
    "\"" name "\":{\"kind\":\"" kind "\",\"level\":" level ",\"parent\":" parent ",\"unit\":\"" unit "\"}"

static void json(void)
{
    struct made_result m;

    made_begin(&m);
    made_is(
        "json", &(struct td_report){.counts = true}, true, &m,
        "{\"schema\":\"tdprobe/1\",\"type\":\"tree\",\"cpu\":\"spr\",\"nodes\":{" JSON_NODE(
            "retiring", "node", "1", "null",
            "slots") "," JSON_NODE("bad_speculation", "node", "1", "null",
                                   "slots") "," JSON_NODE("frontend_bound", "node", "1", "null", "slots") "," JSON_NODE("backend_bound", "node", "1", "null", "slots") "," JSON_NODE("memory_bound", "node", "2", "\"backend_bound\"", "slots") "," JSON_NODE("core_bound", "node", "2", "\"backend_bound\"", "slots") "," JSON_NODE("fetch_latency",
                                                                                                                                                                                                                                                                                                                                     "node",
                                                                                                                                                                                                                                                                                                                                     "2",
                                                                                                                                                                                                                                                                                                                                     "\"frontend_bound\"", "slots") "," JSON_NODE("l3_bound", "node", "3",
                                                                                                                                                                                                                                                                                                                                                                                  "\"memory_bound\"",
                                                                                                                                                                                                                                                                                                                                                                                  "stalls") "," JSON_NODE("ports_utilization", "node", "3", "\"core_bound\"", "slots") "," JSON_NODE("ipc", "info", "0", "null", "per cycle") "," JSON_NODE("bandwidth",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "info",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "0", "null", "GB/s") "}}\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "{\"schema\":\"tdprobe/1\"," JSON_HEAD
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"metrics\":{"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"retiring\":{\"value\":0.5,\"low\":0.44,\"high\":0.56,\"bounds\":\"sound\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"bad_speculation\":{\"value\":0.06,\"low\":0.05,\"high\":0.07,\"bounds\":\"likely\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"frontend_bound\":{\"value\":0.18,\"low\":null,\"high\":null,\"flags\":[\"multiplexed\",\"no_bounds\"]},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"backend_bound\":{\"value\":0.26,\"low\":0.26,\"high\":0.2604,\"bounds\":\"sound\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"memory_bound\":{\"value\":0.2,\"low\":0.15,\"high\":0.25,\"bounds\":\"sound\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"core_bound\":{\"value\":null,\"status\":\"impossible\",\"raw\":-0.125,\"why\":\"its counts differ\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"fetch_latency\":{\"value\":null,\"status\":\"missing_event:FETCH.X\",\"event\":\"FETCH.X\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"fetch_bandwidth\":{\"value\":null,\"status\":\"not_on_this_cpu\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"l3_bound\":{\"value\":0.125,\"low\":0.1,\"high\":0.15,\"bounds\":\"likely\",\"unit\":\"stalls\",\"over\":"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "true},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"ports_utilization\":{\"value\":0.01,\"low\":0.01,\"high\":0.01,\"bounds\":\"sound\",\"over\":false},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"ipc\":{\"value\":1.25,\"low\":1.2,\"high\":1.3,\"bounds\":\"sound\",\"unit\":\"per cycle\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"bandwidth\":{\"value\":2048.25,\"low\":null,\"high\":null,\"unit\":\"GB/s\"}},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"coverage\":0.75,\"flags\":[\"multiplexed\",\"smt_unknown\"],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"verdict\":{\"status\":\"decided\",\"node\":\"memory_bound\",\"path\":[\"backend_bound\","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"memory_bound\"],\"among\":[\"l3_bound\"],\"text\":\"" VERDICT
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"},"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"counts\":{\"cycles\":[1234567,1000000],\"a,\\\"b\\\"\":8,\"idle\":null}}\n");
}

/* Without counts, of one of several files, a summary of a kind of core, with what was left out of it, what stands for
 * latencies, and which counts contradict each other. */
static void json_summary(void)
{
    static const char *const contradictions[] = {"a > b", "c > d"}, *const corrections[] = {"X.Y", "X.Z"};
    struct made_result m;

    made_begin(&m);
    m.uarch.core = 'P';
    m.r.at.has_time = false;
    m.r.at.duration = 0;
    m.r.summary = true;
    m.r.nmetrics = 1;
    m.metric->flags = TD_FLAG_CORRECTION_MISSING | TD_FLAG_LATENCY_ASSUMED;
    m.metric->corrections = 2; /* the second */
    m.metric->latencies = 1;
    m.r.flags = m.metric->flags;
    m.r.corrections = corrections;
    m.r.ncorrections = 2;
    m.r.latency[0] = "table";
    m.r.contradictions = contradictions;
    m.r.ncontradictions = 2;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    made_is(
        "json", &(struct td_report){.file = "f"}, true, &m,
        "{\"schema\":\"tdprobe/1\",\"type\":\"tree\",\"cpu\":\"spr\",\"nodes\":{" JSON_NODE(
            "retiring", "node", "1", "null",
            "slots") "}}\n"
                     "{\"schema\":\"tdprobe/1\",\"file\":\"f\",\"time\":null,\"summary\":true,\"scope\":\"S0-C1\","
                     "\"scope_kind\":\"core\",\"core\":\"P\",\"cpu\":\"spr\",\"backend\":\"made\",\"formula\":\"perf_metrics\","
                     "\"metrics\":{\"retiring\":{\"value\":0.5,\"low\":0.44,\"high\":0.56,\"bounds\":\"sound\",\"flags\":["
                     "\"correction_missing:X.Z\",\"latency_assumed:table\"]}},\"coverage\":0.75,\"flags\":["
                     "\"correction_missing:X.Y\",\"correction_missing:X.Z\",\"latency_assumed:table\"],"
                     "\"contradictions\":[\"a > b\",\"c > d\"],\"verdict\":{\"status\":\"none\",\"node\":null,\"path\":[],"
                     "\"among\":[],\"text\":\"none: 50 % retiring, no node but retiring can be above its threshold\"},"
                     "\"next\":{\"ruled_out\":[],\"rerun\":null,\"command\":null}}\n");
}

/* What to do next stands in sums, and in the only result of a run; in no interval. */
static void json_next(void)
{
    for (int kind = 0; kind < 3; kind++) {
        struct td_report r = {.format = td_report_format_find("json"), .once = kind == 1};
        struct made_result m;
        struct captured c;

        made_begin(&m);
        m.r.summary = kind == 2;
        r.verdict = m.verdict;
        r.out = *captured_begin(&c);
        r.format->result(&r, &m.r);
        td_report_end(&r, NULL);
        c.out = r.out;
        CU_ASSERT_EQUAL(strstr(captured_text(&c), ",\"next\":{\"ruled_out\":[") != NULL, kind > 0);
        captured_end(&c);
    }
}

/* What follows results: an error, the end of a live run, findings, a diagnosis. */
static void json_others(void)
{
    struct captured c;
    struct td_report r = {.format = td_report_format_find("json")};

    r.out = *captured_begin(&c);
    td_report_error(&r, 65, "a \"b\"");
    td_report_finding(&r, &(struct td_finding){.kind = TD_FINDING_NOTE, .layer = "kernel", .text = "x"});
    td_report_finding(&r,
                      &(struct td_finding){.kind = TD_FINDING_OBSTACLE, .layer = "CPU", .text = "y", .remedy = "do z"});
    td_report_finding(&r, &(struct td_finding){.kind = TD_FINDING_OK, .layer = "CPU", .text = "fine"});
    td_report_diagnosis(&r, 0, "usable");
    td_report_diagnosis(&r, 69, "not usable");
    td_report_end(&r, &(struct td_outcome){.elapsed = 1.25, .runs = 2, .code = 3, .status = 4, .command = true});
    td_report_end(&r, &(struct td_outcome){.elapsed = 0.0000000006, .runs = 1, .signal = 9, .errors = 7});
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(
        captured_text(&c),
        "{\"schema\":\"tdprobe/1\",\"type\":\"error\",\"code\":65,\"text\":\"a \\\"b\\\"\"}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"finding\",\"kind\":\"note\",\"layer\":\"kernel\",\"text\":\"x\",\"remedy\":"
        "null}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"finding\",\"kind\":\"obstacle\",\"layer\":\"CPU\",\"text\":\"y\",\"remedy\":"
        "\"do z\"}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"finding\",\"kind\":\"ok\",\"layer\":\"CPU\",\"text\":\"fine\",\"remedy\":"
        "null}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"diagnosis\",\"usable\":true,\"code\":0,\"text\":\"usable\"}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"diagnosis\",\"usable\":false,\"code\":69,\"text\":\"not usable\"}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"end\",\"elapsed\":1.250000000,\"runs\":2,\"code\":3,\"status\":4,\"signal\":"
        "null,\"errors\":0}\n"
        "{\"schema\":\"tdprobe/1\",\"type\":\"end\",\"elapsed\":0.000000001,\"runs\":1,\"code\":0,\"status\":null,"
        "\"signal\":9,\"errors\":7}\n");
    captured_end(&c);
}

/* The same as text, in columns: what is to be done is below what was found; what others wrote is shown as it can be. */
static void text_others(void)
{
    struct captured c;
    struct td_report r = {.format = td_report_format_find("text")};

    r.out = *captured_begin(&c);
    td_report_finding(&r, &(struct td_finding){.kind = TD_FINDING_NOTE, .layer = "kernel", .text = "x\ny"});
    td_report_finding(&r,
                      &(struct td_finding){.kind = TD_FINDING_OBSTACLE, .layer = "CPU", .text = "y", .remedy = "do z"});
    td_report_finding(&r, &(struct td_finding){.kind = TD_FINDING_OK, .layer = "a_layer_of_17", .text = "fine"});
    td_report_diagnosis(&r, 69, "not\tusable");
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "note      kernel        x\\x0ay\n"
                                              "OBSTACLE  CPU           y\n"
                                              "                          -> do z\n"
                                              "ok        a_layer_of_17  fine\n"
                                              "not\\x09usable\n");
    captured_end(&c);
}

/* ---- a tree ------------------------------------------------------------------------------------ */

#define TREE_NOTES \
    "  shares of cycles, core cycles, stalls and uops rank; they do not add up to the node above\n" \
    "  1 node below its threshold is not shown: --all\n"
#define TREE_MISSING \
    "  not recorded: FETCH.X disables fetch_latency; tdprobe perf-command --uarch spr --level 2 prints what to record\n"
#define TREE_MARKS \
    "  ! smt_unknown (what sibling threads did is not known)\n" \
    "  ! in rows: multiplexed (counted for part of the time, and scaled up)\n" \
    "  ~ likely bounds: 95 of 100 hold; no bounds: how far off it may be is not known; > named by the verdict\n"

#define TREE_NEXT "   memory_bound: loads and stores waited for caches or memory\n"

static void tree(void)
{
    struct made_result m;

    made_begin(&m);
    made_is("tree", &(struct td_report){.counts = true}, true, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]  counted 75 % of the time\n"
            "  retiring                50.0 %  44.0 .. 56.0\n"
            "  bad_speculation          6.0 %  ~ 5.0 .. 7.0\n"
            "  frontend_bound          18.0 %  no bounds  ! multiplexed\n"
            "> backend_bound           26.0 %\n"
            "  > memory_bound          20.0 %  15.0 .. 25.0\n"
            "      l3_bound            12.5 %  ~ 10.0 .. 15.0    of stalls\n"
            "    core_bound                 -  impossible (-12.5 %) (its counts differ)\n"
            "  ipc                          1.250  per cycle  1.200 .. 1.300\n"
            "  bandwidth                     2048  GB/s  no bounds\n" TREE_NOTES "               1234567  cycles\n"
            "                     8  a,\"b\"\n"
            "           not_counted  idle\n"
            "               1000000  cycles\n" TREE_MISSING TREE_MARKS "=> " VERDICT "\n" TREE_NEXT);
}

static const CU_TestInfo tests[] = {
    {"csv", csv},
    {"csv of summaries", csv_summary},
    {"csv with any separator", csv_separators},
    {"csv that is appended", csv_appended},
    {"json", json},
    {"json of summaries", json_summary},
    {"json with what is next", json_next},
    {"json of all else", json_others},
    {"text of all else", text_others},
    {"a tree", tree},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rows of a result", tests);
