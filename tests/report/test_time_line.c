/* SPDX-License-Identifier: MIT */
/* Time lines of pages: which line, verdict, step and time an interval gets, and what the page has of them; by hand. */
#include "report/page/time_line.h"
#include "report/page/time_table.h"
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

#define UNDECIDED "#d9d2b6"
#define NO_ESTIMATE "#dcdcdc"
#define BACKEND "#d55e00"
#define RETIRING "#009e73"

enum { DEEPS = 5 /* memory_bound, core_bound, fetch_latency, l3_bound, ports_utilization */ };

static struct made_result m;
static struct td_time_line t;
static struct captured page;

static void begin(void)
{
    made_begin(&m);
    t = (struct td_time_line){0};
    captured_begin(&page);
}

static void end(void)
{
    td_time_line_free(&t);
    captured_end(&page);
}

/* Adds an interval that ends then; both in ns. */
static void add(uint64_t time, uint64_t duration)
{
    m.r.at.time = time;
    m.r.at.duration = duration;
    CU_ASSERT_EQUAL(td_time_line_add(&t, &m.r, &m.verdict), 0);
}

static void has(const char *part)
{
    const char *text = captured_text(&page);

    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
    if (!strstr(text, part))
        printf("\n    no %s\n    in %s\n", part, text);
}

static void lacks(const char *part)
{
    CU_ASSERT_PTR_NULL(strstr(captured_text(&page), part));
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* 0 to 4 as bytes: 00 01 02, 03 04. */
static void words(void)
{
    begin();
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE, .no_values = true};
    add(1, 0);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    add(2, 0);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED};
    add(3, 0);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_LIKELY, .path = m.path, .npath = 2};
    add(4, 0);
    m.verdict = (struct td_verdict){.status = TD_VERDICT_DECIDED, .path = m.path, .npath = 1};
    add(5, 0);
    CU_ASSERT_EQUAL(t.line->verdicts, 5);
    td_time_line_put(&page.out, &t);
    has("\" data-verdicts=\"no value|none|undecided|probably backend_bound: memory_bound|limited by backend_bound\" "
        "data-ribbon=\"" NO_ESTIMATE "|" UNDECIDED "|" UNDECIDED "|" BACKEND "|" BACKEND "\">\n");
    has("\" data-colours=\"" RETIRING "|#cc79a7|#e69f00|" BACKEND "\" data-verdicts=");
    has("<i class=\"verdict\">AAECAwQ=</i>\n");
    end();
}

/* Of more than 250 different ones the last stands for all others, which it has no node of. */
static void many_verdicts(void)
{
    static char name[TD_LINE_VERDICTS + 2][8];
    struct td_metric node = {.name = "", .level = 1};
    const struct td_metric *path[] = {&node};

    begin();
    m.verdict = (struct td_verdict){.status = TD_VERDICT_DECIDED, .path = path, .npath = 1};
    for (size_t i = 0; i < TD_LINE_VERDICTS + 2; i++) {
        snprintf(name[i], sizeof(name[i]), "n%zu", i);
        node.name = i == TD_LINE_VERDICTS - 1 ? "retiring" : name[i];
        add(i + 1, 0);
    }
    node.name = name[7];
    add(300, 0);
    CU_ASSERT_EQUAL_FATAL(t.line->verdicts, TD_LINE_VERDICTS);
    CU_ASSERT_STRING_EQUAL(t.line->verdict[248], "limited by n248");
    CU_ASSERT_STRING_EQUAL(t.line->verdict[249], "another verdict");
    CU_ASSERT_STRING_EQUAL(t.line->colour[249], UNDECIDED);
    CU_ASSERT(t.line->point[248].verdict == 248 && t.line->point[249].verdict == 249 &&
              t.line->point[250].verdict == 249 && t.line->point[251].verdict == 249);
    CU_ASSERT_EQUAL(t.line->point[252].verdict, 7);
    end();
}

/* ---- points ----------------------------------------------------------------------------------- */

/* What is between two intervals is a gap where it is longer than a sixteenth of the second one: of 1.6 s, 0.1 s. What
 * began before time 0 began at 0. */
static void gaps(void)
{
    begin();
    add(5000000000, 2000000000);
    CU_ASSERT(t.line->start == 3000000000 && t.line->n == 1);
    add(6700000000, 1600000000);
    CU_ASSERT_EQUAL(t.line->n, 2);
    add(8400000001, 1600000000);
    CU_ASSERT_FATAL(t.line->n == 4 && t.line->measured == 3 && t.intervals == 3);
    CU_ASSERT(t.line->point[2].end == 6800000001 && t.line->point[2].verdict == TD_LINE_NONE &&
              t.line->point[2].value[0] == TD_LINE_NONE && t.line->below[2 * DEEPS] == TD_LINE_NONE);
    CU_ASSERT(t.line->point[3].end == 8400000001 && t.line->point[3].verdict == 0);
    add(8400000001, 0); /* of which it is not known when it began */
    CU_ASSERT_EQUAL(t.line->n, 5);
    end();
    begin();
    add(1, 2);
    CU_ASSERT(t.line->start == 0 && t.line->n == 1);
    end();
}

/* Values are rounded to steps of 0.5 %, bounds outwards; what arithmetic of doubles may be off is no step. */
static void steps(void)
{
    static const struct {
        double value, low, high;
        uint8_t steps[3];
    } of[] = {
        {0.0024, 0.00999, 0.01, {0, 1, 2}}, {0.0025, 0.01, 0.01001, {1, 2, 3}},
        {-0.1, -0.2, -0.01, {0, 0, 0}},     {1.5, 1.2, 2, {200, 200, 200}},
        {1, 0.995, 1, {200, 199, 200}},     {0.5, 0.02 - 1e-13, 0.02 + 1e-13, {100, 4, 4}},
    };

    begin();
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        m.metric[MADE_BACKEND_BOUND].value = of[i].value;
        made_bounds(&m.metric[MADE_BACKEND_BOUND], TD_BOUNDS_LIKELY, of[i].low, of[i].high);
        add(i + 1, 0);
        CU_ASSERT(t.line->point[i].value[3] == of[i].steps[0] && t.line->point[i].low[3] == of[i].steps[1] &&
                  t.line->point[i].high[3] == of[i].steps[2]);
    }
    m.metric[MADE_BACKEND_BOUND].status = TD_IMPOSSIBLE;
    add(100, 0);
    CU_ASSERT(t.line->point[6].value[3] == TD_LINE_NONE && t.line->point[6].low[3] == TD_LINE_NONE &&
              t.line->point[6].high[3] == TD_LINE_NONE && t.line->point[6].value[0] == 100);
    end();
}

/* Nodes below level 1 keep their values when there is more room; those that the CPU does not have are none. */
static void deeper(void)
{
    static const char *const names[DEEPS] = {"memory_bound", "core_bound", "fetch_latency", "l3_bound",
                                             "ports_utilization"};
    bool all = true;

    begin();
    for (unsigned i = 0; i < 200; i++) {
        m.metric[MADE_MEMORY_BOUND].value = i / 200.0;
        m.metric[MADE_PORTS].value = (199 - i) / 200.0;
        add(i + 1, 0);
    }
    CU_ASSERT_EQUAL_FATAL(t.line->deeps, DEEPS);
    for (size_t k = 0; k < DEEPS; k++)
        CU_ASSERT_STRING_EQUAL(t.line->deep[k], names[k]);
    for (unsigned i = 0; i < 200; i++) {
        const uint8_t *below = &t.line->below[i * DEEPS];

        all = all && below[0] == i && below[1] == TD_LINE_NONE && below[2] == TD_LINE_NONE && below[3] == 25 &&
              below[4] == 199 - i;
    }
    CU_ASSERT(all);
    end();
}

/* An interval that lacks a node has the others', and one that is new has no place. */
static void lacking(void)
{
    const uint8_t *below;

    begin();
    add(1, 0);
    m.metric[MADE_BAD_SPECULATION].status = TD_NOT_IN_THIS_FORMULA;
    m.metric[MADE_MEMORY_BOUND].status = TD_NOT_ON_THIS_CPU;
    m.metric[MADE_FETCH_BANDWIDTH] = made_metric("fetch_bandwidth", "frontend_bound", 2, 0.5);
    m.metric[MADE_IPC] = made_metric("smt_contention", "", 1, 0.75);
    add(2, 0);
    CU_ASSERT_FATAL(t.line->nodes == 4 && t.line->deeps == DEEPS);
    CU_ASSERT(t.line->point[1].value[0] == 100 && t.line->point[1].value[1] == TD_LINE_NONE &&
              t.line->point[1].value[2] == 36 && t.line->point[1].value[3] == 52 && t.line->point[1].high[3] == 53 &&
              t.line->point[1].value[4] == TD_LINE_NONE);
    below = &t.line->below[DEEPS];
    CU_ASSERT(below[0] == TD_LINE_NONE && below[1] == TD_LINE_NONE && below[2] == TD_LINE_NONE && below[3] == 25 &&
              below[4] == 2);
    end();
}

/* Of more than 8 nodes of level 1 the first are drawn. */
static void many_nodes(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct td_metric metric[10];

    begin();
    for (size_t i = 0; i < 10; i++)
        metric[i] = made_metric(names[i], "", 1, (double)i / 200);
    m.r.metrics = metric;
    m.r.nmetrics = 10;
    add(1, 0);
    CU_ASSERT(t.line->nodes == 8 && t.line->deeps == 0);
    for (size_t i = 0; i < 8; i++)
        CU_ASSERT(t.line->node[i] == names[i] && t.line->point[0].value[i] == i);
    CU_ASSERT(t.line->point[0].low[0] == TD_LINE_NONE && t.line->point[0].verdict == 0);
    end();
}

/* ---- scopes ----------------------------------------------------------------------------------- */

/* A line is of one scope, kind of core and CPU. */
static void lines(void)
{
    begin();
    for (unsigned i = 1; i <= 2; i++) {
        m.uarch.core = 0;
        m.r.at.scope = "a";
        m.r.cpu = "spr";
        add(i, 0);
        m.uarch.core = 'P';
        add(i, 0);
        m.uarch.core = 'E';
        add(i, 0);
        m.r.cpu = "emr";
        add(i, 0);
        m.r.at.scope = "b";
        add(i, 0);
    }
    CU_ASSERT_EQUAL_FATAL(t.n, 5);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(t.line[i].n, 2);
    td_time_line_put(&page.out, &t);
    has("data-scope=\"a\" data-core=\"\" data-cpu=\"spr\"");
    has("data-scope=\"a\" data-core=\"P\" data-cpu=\"spr\"");
    has("data-scope=\"a\" data-core=\"E\" data-cpu=\"spr\"");
    has("data-scope=\"a\" data-core=\"E\" data-cpu=\"emr\"");
    has("data-scope=\"b\" data-core=\"E\" data-cpu=\"emr\"");
    has("<h2>Over time</h2>\n<p class=\"soft\">10 intervals; values to 0.5 %. Below the stack of level 1 each");
    has("<caption><bdi>a</bdi>, P: each interval, with the least and the most that it may be</caption>");
    has("<caption><bdi>a</bdi>: each interval");
    has("<p class=\"soft\">1 more are drawn, and have no table: --format csv has all.</p>\n</details>\n");
    lacks("<caption><bdi>b</bdi>");
    end();
}

/* How often the times of two scopes are put whose intervals end at the same times: b may begin elsewhere, or go on. */
static unsigned times_of(uint64_t duration_of_b, unsigned more)
{
    unsigned n = 0;

    begin();
    for (unsigned i = 1; i <= 2 + more; i++) {
        m.r.at.scope = "a";
        if (i <= 2)
            add(i * 1000, 1000);
        m.r.at.scope = "b";
        add(i * 1000, i == 1 ? duration_of_b : 1000);
    }
    td_time_line_put(&page.out, &t);
    for (const char *at = captured_text(&page); (at = strstr(at, "<i class=\"times\"")); at++)
        n++;
    end();
    return n;
}

static void same_times(void)
{
    CU_ASSERT_EQUAL(times_of(1000, 0), 1);
    CU_ASSERT_EQUAL(times_of(500, 0), 2);
    CU_ASSERT_EQUAL(times_of(1000, 1), 2);
    CU_ASSERT_EQUAL(times_of(500, 1), 2);
}

/* Two scopes with two intervals each are a map, of the nodes below level 1 that are wanted: 40 and 25 steps. */
static void map(void)
{
    begin();
    for (unsigned i = 1; i <= 4; i++) {
        m.r.at.scope = i % 2 ? "a" : "b";
        add(i, 0);
        CU_ASSERT_EQUAL(td_heat_map_has(&t), i == 4);
        if (i == 3) { /* one of two has several */
            CU_ASSERT_EQUAL(td_time_line_want(&t, "memory_bound"), 0);
            td_time_line_put(&page.out, &t);
            has("<section class=\"time\">");
            lacks("class=\"heat\"");
            lacks("class=\"below\"");
            captured_clear(&page);
        }
    }
    CU_ASSERT(!td_time_line_want(&t, "l3_bound") && !td_time_line_want(&t, "memory_bound"));
    CU_ASSERT(t.nwanted == 2 && td_time_line_wants(&t, "l3_bound") && !td_time_line_wants(&t, "core_bound"));
    td_time_line_put(&page.out, &t);
    has("<section class=\"heat\" hidden=\"hidden\" data-nodes=\"\">\n");
    has("<i class=\"below\" data-node=\"memory_bound\">KCg=</i>\n<i class=\"below\" data-node=\"l3_bound\">GRk=</i>\n"
        "</div>\n");
    lacks("data-node=\"ports_utilization\"");
    captured_clear(&page);
    t.chosen = true;
    td_heat_map_put(&page.out, &t);
    has(" data-nodes=\"memory_bound|l3_bound\">\n");
    end();
}

/* Phases end after the points that there are; of a scope without a line there are none. */
static void phases(void)
{
    begin();
    CU_ASSERT_EQUAL(td_time_line_end_phase(&t, &m.r), 0);
    add(1, 0);
    m.r.at.scope = "none";
    CU_ASSERT_EQUAL(td_time_line_end_phase(&t, &m.r), 0);
    m.r.at.scope = "S0-C1";
    CU_ASSERT_EQUAL(td_time_line_end_phase(&t, &m.r), 1);
    add(2, 0);
    add(3, 0);
    CU_ASSERT_EQUAL(td_time_line_end_phase(&t, &m.r), 2);
    td_time_line_put(&page.out, &t);
    has("\" data-phases=\"1|3\">\n");
    end();
}

/* ---- times ------------------------------------------------------------------------------------ */

/* 32 bits have room for the line in units of 1, 2 and 3 ns: 3 and 4294967294; 1 and 2147483647; 1 and 2863311530. */
static void units(void)
{
    static const struct {
        uint64_t end;
        const char *unit, *times;
    } of[] = {
        {UINT32_MAX - 1ull, " data-unit=\"1\"", ">AwAAAP7///8=<"},
        {UINT32_MAX, " data-unit=\"2\"", ">AQAAAP///38=<"},
        {2ull * UINT32_MAX, " data-unit=\"3\"", ">AQAAAKqqqqo=<"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        begin();
        add(3, 3);
        add(of[i].end, of[i].end - 3);
        td_time_line_put(&page.out, &t);
        has(of[i].unit);
        has(of[i].times);
        has(" data-timed=\"1\" data-start=\"0\" ");
        end();
    }
    begin();
    m.r.at.has_time = false;
    add(0, 7);
    add(0, 7);
    td_time_line_put(&page.out, &t); /* 1 and 2 */
    has(" data-timed=\"0\" data-start=\"0\" data-unit=\"1\"");
    has(">AQAAAAIAAAA=<");
    has("<tr><th scope=\"row\">2</th><td>");
    end();
}

/* ---- the table --------------------------------------------------------------------------------- */

/* Of 37 intervals the last two share a row, in which the first of two verdicts stands that are as frequent; of 38
 * intervals the middle ones do, too. A node without a value has a dash. */
static void rows(void)
{
    begin();
    m.metric[MADE_FRONTEND_BOUND].status = TD_IMPOSSIBLE;
    for (unsigned i = 1; i <= 36; i++)
        add(i * 1000000000ull, 0);
    td_time_table_put(&page.out, &t);
    has(": each interval, with the least and the most");
    has("<tr><th scope=\"row\">36.000 s</th><td>50.0 <small>44.0 .. 56.0</small></td><td>6.0 <small>5.0 .. 7.0</small>"
        "</td><td>\xe2\x80\x93</td><td>26.0 <small>26.0 .. 26.5</small></td>"
        "<td>limited by backend_bound: memory_bound</td></tr>\n</tbody>");
    captured_clear(&page);
    m.metric[MADE_RETIRING].value = 0.3;
    m.verdict.npath = 1;
    add(37000000000, 0);
    td_time_table_put(&page.out, &t);
    has(": a row is of several intervals: their mean, the least and the largest</caption>");
    has("<tr><th scope=\"row\">35.000 s</th><td>50.0 <small>44.0 .. 56.0</small></td>");
    lacks("<tr><th scope=\"row\">36.000 s</th>");
    has("<tr><th scope=\"row\">37.000 s</th><td>40.0 <small>30.0 .. 50.0</small></td><td>6.0</td><td>\xe2\x80\x93</td>"
        "<td>26.0</td><td>limited by backend_bound: memory_bound</td></tr>\n</tbody>");
    captured_clear(&page);
    add(38000000000, 0);
    td_time_table_put(&page.out, &t);
    has("<tr><th scope=\"row\">38.000 s</th><td>30.0</td><td>6.0</td><td>\xe2\x80\x93</td><td>26.0</td>"
        "<td>limited by backend_bound</td></tr>\n</tbody>");
    has("<tr><th scope=\"row\">19.000 s</th><td>50.0</td>");
    lacks("<tr><th scope=\"row\">18.000 s</th>");
    lacks("have no table");
    end();
}

/* Nothing and all are numbers as others; bounds are shown where they are apart. */
static void extremes(void)
{
    begin();
    m.metric[MADE_RETIRING].value = 1;
    made_bounds(&m.metric[MADE_RETIRING], TD_BOUNDS_SOUND, 1, 1);
    m.metric[MADE_BAD_SPECULATION].value = 0;
    made_bounds(&m.metric[MADE_BAD_SPECULATION], TD_BOUNDS_SOUND, 0, 0);
    m.metric[MADE_FRONTEND_BOUND].value = 0;
    made_bounds(&m.metric[MADE_FRONTEND_BOUND], TD_BOUNDS_SOUND, 0, 1);
    m.metric[MADE_BACKEND_BOUND].value = 0.005;
    m.metric[MADE_BACKEND_BOUND].bounds = TD_BOUNDS_NONE;
    add(1000000000, 0);
    td_time_table_put(&page.out, &t);
    has("<thead><tr><th scope=\"col\">until</th><th scope=\"col\">retiring</th><th scope=\"col\">bad_speculation</th>"
        "<th scope=\"col\">frontend_bound</th><th scope=\"col\">backend_bound</th><th scope=\"col\">verdict</th></tr>"
        "</thead>");
    has("<tr><th scope=\"row\">1.000 s</th><td>100.0</td><td>0.0</td><td>0.0 <small>0.0 .. 100.0</small></td>"
        "<td>0.5</td>");
    end();
}

static const CU_TestInfo tests[] = {
    {"words of verdicts", words},
    {"many verdicts", many_verdicts},
    {"gaps", gaps},
    {"steps", steps},
    {"nodes below level 1", deeper},
    {"nodes that are lacking", lacking},
    {"many nodes", many_nodes},
    {"lines", lines},
    {"the same times", same_times},
    {"heat maps", map},
    {"phases", phases},
    {"units of time", units},
    {"rows of tables", rows},
    {"extremes of tables", extremes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("time lines", tests);
