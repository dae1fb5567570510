/* SPDX-License-Identifier: MIT */
/* Parts of pages and flame graphs of functions, which are written out by hand. */
#include "report/functions/functions_page.h"
#include "report/functions/html_table.h"

#include "tests/report/made_functions.h"

#include <stdio.h>
#include <string.h>

static void same(const char *got, const char *wanted)
{
    CU_ASSERT_STRING_EQUAL(got, wanted);
    if (strcmp(got, wanted) != 0)
        printf("\n    not as written, but\n%s\n", got);
}

/* ---- the table ---------------------------------------------------------------------------------- */

#define DASH "\xe2\x80\x93"
#define SWATCH(colour) \
    "<svg class=\"swatch\" aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" fill=\"" colour "\"/></svg>"
#define RET SWATCH("#009e73")
#define BAD SWATCH("#cc79a7")
#define FE SWATCH("#e69f00")
#define BE SWATCH("#d55e00")
#define LEGEND \
    "<p class=\"legend\"><span>" RET "retiring</span> <span>" BAD "bad_speculation</span> <span>" FE \
    "frontend_bound</span> <span>" BE "backend_bound</span> </p>\n"
#define COLUMN(label, text) "<th scope=\"col\" data-sort=\"" label "\">" text "</th>"
#define TABLE \
    "<table class=\"places\"><caption>By slots lost, in percent; below a value its likely bounds.</caption>\n" \
    "<thead><tr>" COLUMN("name", "function") COLUMN("slots", "slots") \
        COLUMN("lost", "lost") "<th scope=\"col\" class=\"wide\">its slots</th>" COLUMN("retiring", RET "retiring") \
            COLUMN("bad_speculation", BAD "bad_<wbr/>speculation") COLUMN("frontend_bound", FE "frontend_<wbr/>bound") \
                COLUMN("backend_bound", BE "backend_<wbr/>bound") COLUMN("pure", "pure") \
                    COLUMN("stay", "stay") "</tr></thead>\n"
#define NUMBER(label, text) "<td class=\"number\" data-label=\"" label "\">" text "</td>"
#define TOP(label, text) "<td class=\"number node\" data-label=\"" label "\">" text "</small></td>"
#define PART(node, at, width, title, colour, text) \
    "<svg data-node=\"" node "\" x=\"" at "%\" width=\"" width "%\"><title>" node " " title \
    "</title><rect width=\"100%\" height=\"100%\" fill=\"" colour "\"/><text x=\"4\" y=\"14\">" text "</text></svg>"
#define NODE(level, name, value, bounds, all) \
    "<tr><th scope=\"row\" class=\"level" level "\">" name "</th><td>" value "</td><td>" bounds \
    "</td><td class=\"more\">" all "</td><td class=\"more\">% of slots</td></tr>\n"
#define NODES \
    "<details><summary>all nodes</summary><table class=\"nodes\"><thead><tr><th scope=\"col\">node</th>" \
    "<th scope=\"col\">value</th><th scope=\"col\">likely bounds</th><th scope=\"col\" class=\"more\">all intervals" \
    "</th><th scope=\"col\" class=\"more\">unit</th></tr></thead><tbody>\n"

/* A part of the bar has the node's name if it has room: of the 190 pixels there are 47.5, 23.8 and 95, and a name takes
 * 8 and 6.8 a letter: retiring 62.4, RET 28.4, backend_bound 96.4. */
#define MAIN \
    "<tbody><tr><th scope=\"rowgroup\" rowspan=\"2\"><bdi>main</bdi><small>/p,q</small></th>" NUMBER("slots", "40.0") \
        NUMBER("lost", "20.0") "<td class=\"wide\"><svg class=\"bar\" aria-hidden=\"true\">" PART( \
            "retiring", "0.000", "25.000", "25.0 %, 20.0 .. 30.0", "#009e73", \
            "RET") PART("bad_speculation", "25.000", "12.500", "12.5 %, no bounds", "#cc79a7", \
                        "") PART("backend_bound", "37.500", "50.000", "50.0 %, 45.0 .. 55.0", "#d55e00", \
                                 "BE") "</svg></td>" TOP("retiring", "25.0 <small>20.0 .. 30.0") \
            TOP("bad_speculation", "12.5 <small>no bounds") TOP("frontend_bound", DASH "<small>not_counted") TOP( \
                "backend_bound", "<b>50.0</b> <small>45.0 .. 55.0") NUMBER("pure", "49 <small>of 50</small>") \
                NUMBER( \
                    "stay", \
                    "0.98") "</tr>\n" \
                            "<tr><td class=\"wide verdict\" colspan=\"9\">probably backend_bound (likely)" NODES NODE( \
                                "1", "retiring", "25.0", "20.0 .. 30.0", "25.0") \
                                NODE("1", "bad_speculation", "12.5", "no bounds", DASH) \
                                    NODE("1", "frontend_bound", DASH, "not_counted", DASH) \
                                        NODE("1", "backend_bound", "50.0", "45.0 .. 55.0", "50.0") \
                                            NODE("2", "memory_bound", DASH, "zero_divisor", \
                                                 "12.5") "</tbody></table></details></td></tr>\n</tbody>\n"

static const char *table_of(const struct td_functions_report *r, struct captured *c)
{
    td_html_table(captured_begin(c), r);
    return captured_text(c);
}

/* What is left out has its share, where shares add up. */
static void table(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .limit = 1};
    struct captured c;

    made_functions_begin(&m);
    same(table_of(&r, &c),
         LEGEND TABLE MAIN "</table>\n<p class=\"soft\">2 more, with 60.0 % of the slots: <code>--limit "
                           "0</code> shows all.</p>\n");
    captured_end(&c);
    r.chain = TD_CHAIN_CHILDREN;
    same(table_of(&r, &c),
         LEGEND TABLE MAIN "</table>\n<p class=\"soft\">2 more: <code>--limit 0</code> shows all.</p>\n");
    captured_end(&c);
    made_functions_end(&m);
}

#define MINOR(n, kind) \
    "<summary>" n " " kind " without an estimate, and with less than 1 % of the slots each</summary>\n"
#define C \
    "<tbody><tr><th scope=\"row\"><bdi>c</bdi> (P)<small>/r</small></th>" NUMBER("slots", "0.9") \
        NUMBER("lost", DASH) "<td class=\"wide soft\" colspan=\"5\">few_samples: 1 interval, 0 of them between two " \
                             "samples in it</td>" NUMBER("pure", "0 <small>of 1</small>") \
                                 NUMBER("stay", DASH) "</tr>\n" \
                                                      "</tbody>\n"

/* Places of less than 1 % of the slots without an estimate have a table of their own, which is open where it is all. */
static void minor(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};
    struct captured c;

    made_functions_begin(&m);
    m.all.function[1] = m.function[2];
    m.all.n = 2;
    m.of[2].core = "P";
    m.function[2]->slots = 5400; /* of 600,000 */
    same(table_of(&r, &c),
         LEGEND TABLE MAIN "</table>\n<details>" MINOR("1", "function") TABLE C "</table>\n</details>\n");
    captured_end(&c);
    m.all.function[0] = m.function[2];
    same(table_of(&r, &c), LEGEND "<details open=\"open\">" MINOR("2", "functions") TABLE C C "</table>\n</details>\n");
    captured_end(&c);
    m.all.n = 1;
    m.function[2]->slots = 6000; /* 1 % is not less */
    table_of(&r, &c);
    CU_ASSERT_PTR_NULL(strstr(c.text, "<details"));
    captured_end(&c);
    made_functions_end(&m);
}

/* A node that the CPU does not have has no row; one without a parent that is shown is below none. What is no share has
 * its unit, and comes last. A verdict on level 2 has its bounds. */
static void nodes(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .limit = 1};
    struct captured c;
    const char *at;

    made_functions_begin(&m);
    m.metric[0][0] = made_metric("ipc", "", 0, 1.25);
    m.metric[0][0].unit = "a < b";
    made_bounds(&m.metric[0][0], TD_BOUNDS_LIKELY, 1, 1.5);
    m.metric[0][1].status = TD_NOT_ON_THIS_CPU;
    m.metric[0][2] = made_metric("l3_bound", "bad_speculation", 3, -0.0004);
    m.metric[0][2].unit = "stalls";
    m.metric[0][4] = made_metric("memory_bound", "backend_bound", 2, 0.25);
    made_bounds(&m.metric[0][4], TD_BOUNDS_LIKELY, 0.2, 0.35);
    m.verdict[0].node = &m.metric[0][4];
    m.verdict[0].npath = 1;
    at = strstr(table_of(&r, &c), "<tr><td class=\"wide verdict\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    *strstr(c.text, "</tbody></table></details>") = '\0';
    same(
        at,
        "<tr><td class=\"wide verdict\" colspan=\"6\">probably backend_bound (likely): 25.0 %, 20.0 .. 35.0" NODES
        "<tr><th scope=\"row\" class=\"level3\">l3_bound</th><td>0.0</td><td>no bounds</td><td class=\"more\">" DASH
        "</td><td class=\"more\">stalls</td></tr>\n" NODE("1", "backend_bound", "50.0", "45.0 .. 55.0", "50.0") NODE(
            "2", "memory_bound", "25.0", "20.0 .. 35.0",
            "12.5") "<tr><th scope=\"row\" class=\"level0\">ipc</th><td>1.25</td><td>1 .. 1.5</td><td class=\"more\">0.25</td>"
                    "<td class=\"more\">a &lt; b</td></tr>\n");
    captured_end(&c);
    /* of 190 pixels 95.95 and 96.52: the name takes 96.4 */
    m.metric[0][3].value = 0.505;
    CU_ASSERT_PTR_NOT_NULL(strstr(table_of(&r, &c), "\"14\">BE</text>"));
    captured_end(&c);
    m.metric[0][3].value = 0.508;
    CU_ASSERT_PTR_NOT_NULL(strstr(table_of(&r, &c), "\"14\">backend_bound</text>"));
    captured_end(&c);
    made_functions_end(&m);
}

/* A node is below another of a lesser level only. What is shown as 0 has no sign; half of the last digit is shown. */
static void levels(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .limit = 1};
    struct captured c;
    const char *at;

    made_functions_begin(&m);
    m.metric[0][1] = made_metric("core_bound", "memory_bound", 2, -0.0004);
    made_bounds(&m.metric[0][1], TD_BOUNDS_LIKELY, -0.0009, -0.0005);
    m.metric[0][2].status = TD_NOT_IN_THIS_FORMULA;
    at = strstr(table_of(&r, &c), NODES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    *strstr(c.text, "</tbody></table></details>") = '\0';
    same(at, NODES NODE("1", "retiring", "25.0", "20.0 .. 30.0", "25.0")
                 NODE("2", "core_bound", "0.0", "-0.1 .. -0.1", DASH)
                     NODE("1", "backend_bound", "50.0", "45.0 .. 55.0", "50.0")
                         NODE("2", "memory_bound", DASH, "zero_divisor", "12.5"));
    captured_end(&c);
    made_functions_end(&m);
}

/* A node that another place's CPU has, and this one's has not; what has no value or none above 0 is no part of a bar; a
 * name with its program in it has that once. */
static void other_nodes(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .limit = 2};
    struct captured c;
    const char *second;

    made_functions_begin(&m);
    m.metric[1][1].status = TD_NOT_ON_THIS_CPU;
    m.metric[1][0].value = 0;
    m.metric[1][3].value = -0.25;
    m.function[1]->name = "[p+0x12]";
    m.function[1]->dso = "/p";
    second = strstr(table_of(&r, &c), "<bdi>[p+0x12]</bdi>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(second);
    CU_ASSERT(!strncmp(second, "<bdi>[p+0x12]</bdi> (E)</th>", 28));
    CU_ASSERT_PTR_NOT_NULL(strstr(second, TOP("bad_speculation", DASH "<small>no such node")));
    CU_ASSERT_PTR_NOT_NULL(strstr(second, "<svg class=\"bar\" aria-hidden=\"true\"></svg>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(second, TOP("retiring", "0.0 <small>20.0 .. 30.0")));
    captured_end(&c);
    made_functions_end(&m);
}

static void kinds(void)
{
    static const char *const all[][3] = {{"dso", "program or library", "programs and libraries"},
                                         {"address", "function or address", "functions and addresses"},
                                         {"cgroup", "cgroup", "cgroups"},
                                         {"else", "place", "places"}};

    for (size_t i = 0; i < 4; i++) {
        const struct td_html_kind k = td_html_kind_of(&(struct td_functions){.kind = all[i][0]});

        CU_ASSERT_STRING_EQUAL(k.kind, all[i][0]);
        CU_ASSERT_STRING_EQUAL(k.one, all[i][1]);
        CU_ASSERT_STRING_EQUAL(k.many, all[i][2]);
    }
    CU_ASSERT_STRING_EQUAL(td_html_kind_of(&(struct td_functions){.kind = NULL}).many, "places");
}

/* ---- the page ------------------------------------------------------------------------------------ */

static const char *meaning_of(const char *node)
{
    return strcmp(node, "memory_bound") ? NULL : "waits < for memory";
}

/* The page from one text up to another is as written. */
static void part_is(const struct td_functions_report *r, const char *from, const char *to, const char *wanted)
{
    struct captured c;
    char *begin, *end;

    td_functions_format_at(5)->put(captured_begin(&c), r);
    captured_text(&c);
    begin = strstr(c.text, from);
    end = begin ? strstr(begin, to) : NULL;
    CU_ASSERT(begin && end);
    if (end)
        *end = '\0';
    if (begin && end)
        same(begin, wanted);
    captured_end(&c);
}

#define FACT(what, text) "<dt>" what "</dt><dd><bdi>" text "</bdi></dd>\n"

/* 4 March 2026, 05:06:07, is 1772600767 s after the beginning of 1970. */
static void page(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all,
                                    .name = "dir/x&.data",
                                    .changed = 1772600767,
                                    .origin = {.host = "h", .command = "make -j2"},
                                    .about = {.samples = 72}};

    made_functions_begin(&m);
    m.all.seconds = 0.0705;
    part_is(&r, "<title>", "<style>", "<title>x&amp;.data: where the slots went</title>\n");
    part_is(
        &r, "<header>", "</header>",
        "<header>\n<h1>Where the slots went: functions</h1>\n<p class=\"lead\"><bdi>main</bdi> loses most: probably "
        "backend_bound (likely). Of all slots, 40.0 % are counted there, and 20.0 % are lost there to backend_bound."
        "</p>\n<p>Of 3 functions, 2 have an estimate (78.0 % of the slots), 0 are smeared and 1 have too few samples "
        "(22.0 % of the slots).</p>\n<dl class=\"facts\">\n" FACT("recording", "dir/x&amp;.data")
            FACT("date", "2026-03-04 05:06 UTC, the file's last change") FACT("host", "h") FACT("command", "make -j2")
                FACT("CPU", "spr")
                    FACT("formula", "perf_metrics") "<dt>samples</dt><dd>72, each with a reading of the group of "
                                                    "top-down events, over 0.0705 s; 70 intervals between two</dd>\n"
                                                    "</dl>\n");
    r.chain = TD_CHAIN_CALLERS;
    r.of = "f<g>";
    part_is(&r, "<h1>", "\n", "<h1>Where the slots went: callers of f&lt;g&gt;</h1>");
    r.chain = TD_CHAIN_CALLEES;
    part_is(&r, "<h1>", "\n", "<h1>Where the slots went: what is called by f&lt;g&gt;</h1>");
    r.chain = TD_CHAIN_CHILDREN;
    r.of = NULL;
    part_is(&r, "<h1>", "\n", "<h1>Where the slots went: functions, each with all that it calls</h1>");
    part_is(&r, "<p>Of 3", "\n",
            "<p>Of 3 functions, 2 have an estimate, 0 are smeared and 1 have too few samples.</p>");
    r.chain = TD_CHAIN_SELF;
    m.all.n = 1;
    part_is(
        &r, "<p>Of 1", "\n",
        "<p>Of 1 function, 1 have an estimate (40.0 % of the slots), 0 are smeared and 0 have too few samples.</p>");
    m.all.n = 3;
    made_functions_end(&m);
}

/* The lead is of the place that loses most to another node than retiring, whatever their order. */
static void leads(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .name = "x"};

    made_functions_begin(&m);
    m.all.seconds = (double)NAN;
    m.all.function[0] = m.function[1];
    m.all.function[1] = m.function[0];
    part_is(&r, "<p class=\"lead\">", ": prob", "<p class=\"lead\"><bdi>main</bdi> loses most");
    m.path[0] = &m.metric[1][3]; /* of f;g, and not main, which retires */
    m.verdict[0].path = (const struct td_metric *[]){&m.metric[0][0]};
    part_is(
        &r, "<p class=\"lead\">", "</p>",
        "<p class=\"lead\"><bdi>f;g</bdi> loses most: probably backend_bound: memory_bound (likely). Of all slots, 38.0 "
        "% are counted there, and 9.5 % are lost there to backend_bound.");
    made_functions_end(&m);
}

static void sections(void)
{
    static const char *const heard[] = {"one < two", "three"};
    struct made_functions m;
    struct td_functions_report r = {
        .functions = &m.all, .name = "x", .next = {"a & b", "c"}, .heard = heard, .nheard = 2, .meaning = meaning_of};

    made_functions_begin(&m);
    part_is(&r, "<section>\n<h2>What to do", "<section>\n<h2>What to know",
            "<section>\n<h2>What to do next</h2>\n<pre><code>a &amp; b</code></pre>\n<pre><code>c</code></pre>\n"
            "</section>\n");
    part_is(&r, "<li>one", "<section>", "<li>one &lt; two</li>\n<li>three</li>\n</ul>\n</section>\n");
    part_is(&r, "<dl class=\"terms\">", "<dt>slots</dt>",
            "<dl class=\"terms\">\n<dt>" RET "retiring</dt><dd>a node of the top-down tree</dd>\n<dt>" BAD
            "bad_speculation</dt><dd>a node of the top-down tree</dd>\n<dt>" FE
            "frontend_bound</dt><dd>a node of the top-down tree</dd>\n<dt>" BE
            "backend_bound</dt><dd>a node of the top-down tree</dd>\n"
            "<dt>memory_bound</dt><dd>waits &lt; for memory</dd>\n");
    part_is(&r, "<h2>Flame", "<section>\n<h2>What to do",
            "<h2>Flame graph</h2>\n<p>There is none: no call chains were recorded. Record with <code>perf record "
            "-g</code>.</p>\n</section>\n");
    r.about.chains = true;
    part_is(&r, "<h2>Flame", " Give",
            "<h2>Flame graph</h2>\n<p>There is none: the recording came through standard input, which can be read only "
            "once.");
    r.paths = &m.all;
    r.next[0] = NULL;
    part_is(
        &r, "<h2>Flame", "<svg xmlns",
        "<h2>Flame graph</h2>\n<p>Each path of calls is as wide as its share of the slots, callers below what they "
        "call; the colour is the node of level 1 that limits it. A frame's title has its shares and bounds; a click "
        "zooms in.</p>\n<div class=\"picture\" tabindex=\"0\" role=\"region\" aria-label=\"Flame graph\">\n");
    r.paths = NULL;
    part_is(&r, "</section>\n", "<h2>What to know", "</section>\n<section>\n");
    r.about.paired = "cycles";
    m.all.seconds = 0;
    part_is(&r, "<dt>samples</dt>", "</dl>",
            "<dt>samples</dt><dd>0, each with a reading of the group of top-down events; 70 pairs</dd>\n");
    made_functions_end(&m);
}

/* Each node that some verdict names below level 1 is explained once. */
static void terms(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .name = "x", .meaning = meaning_of};
    const struct td_metric *path[] = {&m.metric[0][3], &m.metric[0][4]};

    made_functions_begin(&m);
    m.metric[0][4].name = "core_bound";
    m.verdict[0].path = path;
    m.verdict[0].npath = 2;
    part_is(&r, "<dt>core_bound", "<dt>slots</dt>",
            "<dt>core_bound</dt><dd>a node of the top-down tree</dd>\n<dt>memory_bound</dt><dd>waits &lt; for memory"
            "</dd>\n");
    m.metric[0][4].name = "memory_bound";
    part_is(&r, "<dt>memory_bound", "<dt>slots</dt>", "<dt>memory_bound</dt><dd>waits &lt; for memory</dd>\n");
    made_functions_end(&m);
}

/* Without any node that is decided, or without any value. */
static void undecided(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .name = "x"};

    made_functions_begin(&m);
    m.verdict[0].node = m.verdict[1].node = NULL;
    part_is(
        &r, "<p class=\"lead\">", "</p>",
        "<p class=\"lead\">Of no function it is decided what limits it: the bounds of the values leave more than one "
        "answer.");
    m.function[0]->status = m.function[1]->status = TD_PLACE_SMEARED;
    m.all.kind = "line";
    part_is(
        &r, "<p class=\"lead\">", "</p>",
        "<p class=\"lead\">No line has a value: the samples are too few in some and too far apart in others: record "
        "for longer, and record at a higher rate (perf record -F).");
    made_functions_end(&m);
}

/* ---- flame graphs ---------------------------------------------------------------------------------- */

#define LONG "0123456789012345678901234567890123456789012345678901234567890"
#define FRAME(node, slots, at, depth, path) \
    "<g class=\"frame\" data-node=\"" node "\" data-slots=\"" slots "\" data-at=\"" at "\" data-depth=\"" depth \
    "\" data-path=\"" path "\"><title>"
#define BOX(x, y, width, colour, textx, texty, text) \
    "</title><rect x=\"" x "\" y=\"" y "\" width=\"" width "\" height=\"17\" fill=\"" colour "\"/><text x=\"" textx \
    "\" y=\"" texty "\">" text "</text></g>\n"
#define SHARES "\nretiring 25.0 %, 20.0 .. 30.0\nbad_speculation 12.5 %\nbackend_bound 50.0 %, 45.0 .. 55.0"

/* Of 590,000 slots, each 500 have a pixel of 1180. Two rows of 18 pixels are below 64 and above 10. What main calls has
 * 472 pixels: 63 letters of 7.3 beside 6, of which the last would be half of one. */
static void flame(void)
{
    static const char head[] =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" viewBox=\"0 0 1200 110\" width=\"1200\" height=\"110\" data-slots=\"590000\">\n<style>";
    struct made_functions m;
    struct captured c;
    char *at, *stop;

    made_functions_begin(&m);
    m.function[0]->slots = 472000;
    m.function[1]->slots = 236000;
    m.function[2]->slots = 118000;
    m.function[1]->name = "main;" LONG "1\303\2443456789";
    m.of[1].core = NULL;
    m.verdict[1].npath = 0;
    td_flame_put(captured_begin(&c), "a<b", &m.all);
    captured_text(&c);
    CU_ASSERT(!strncmp(c.text, head, sizeof(head) - 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        c.text, "<text x=\"10\" y=\"22\">a&lt;b: slots by path of calls, and the node that limits each (tdprobe report)"
                "</text>\n"
                "<rect x=\"10\" y=\"36\" width=\"12\" height=\"12\" fill=\"#009e73\"/><text x=\"27\" y=\"46\">retiring"
                "</text>\n"
                "<rect x=\"160\" y=\"36\" width=\"12\" height=\"12\" fill=\"#d55e00\"/><text x=\"177\" y=\"46\">"
                "backend_bound</text>\n"));
    at = strstr(c.text, "<g class");
    stop = strstr(c.text, "<script>");
    CU_ASSERT_FATAL(at && stop);
    *stop = '\0';
    same(at,
         FRAME("no estimate", "118000", "0", "0",
               "c") "c in /r\n19.67 % of the slots; 1 intervals, 0 of them pure\n"
                    "few_samples: 1 interval, 0 of them between two samples in it" BOX("10.00", "82", "236.00",
                                                                                       "#dcdcdc", "13.00", "95", "c")
                        FRAME("backend_bound", "472000", "118000", "0",
                              "main") "main in /p,q\n78.67 % of the slots; 50 intervals, 49 of "
                                      "them pure; stay 0.98\nprobably backend_bound (likely)" SHARES BOX(
                                          "246.00", "82", "944.00", "#d55e00", "249.00", "95", "main")
                                          FRAME("undecided", "236000", "118000", "1", "main;" LONG "1\303\2443456789")
                                              LONG
         "1\303\2443456789\n39.33 % of the slots; 19 intervals, 19 of them pure; stay 0.95\nprobably  (likely)" SHARES
             BOX("246.00", "64", "472.00", "#d9d2b6", "249.00", "77", LONG "1"));
    captured_end(&c);
    /* less than a tenth of a pixel is not drawn; without room no letter is */
    m.function[1]->slots = 49;
    m.function[2]->slots = 3400; /* 8.4 pixels: none of 7.3 beside 6 */
    m.function[0]->slots = 590000 - 3400;
    td_flame_put(captured_begin(&c), "x", &m.all);
    captured_text(&c);
    CU_ASSERT_PTR_NOT_NULL(strstr(c.text, "data-path=\"c\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(c.text, "<text x=\"13.00\" y=\"95\"></text>"));
    CU_ASSERT_PTR_NULL(strstr(c.text, "data-path=\"main;"));
    captured_end(&c);
    /* a single slot is all that there is */
    m.all.n = 1;
    m.function[0]->slots = 1;
    td_flame_put(captured_begin(&c), "x", &m.all);
    CU_ASSERT_PTR_NOT_NULL(strstr(captured_text(&c), "<rect x=\"10.00\" y=\"64\" width=\"1180.00\" height=\"17\""));
    captured_end(&c);
    m.all.n = 3;
    made_functions_end(&m);
}

static const CU_TestInfo tests[] = {
    {"the table", table},
    {"places of little weight", minor},
    {"all nodes", nodes},
    {"levels of nodes", levels},
    {"other nodes", other_nodes},
    {"the page", page},
    {"what leads it", leads},
    {"its sections", sections},
    {"its terms", terms},
    {"nothing is decided", undecided},
    {"kinds", kinds},
    {"flame graphs", flame},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("pages of functions", tests);
