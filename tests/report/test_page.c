/* SPDX-License-Identifier: MIT */
/* Pieces of pages, which are written out by hand. */
#include "report/page/nodes.h"
#include "report/page/page.h"
#include "report/page/time_line.h"
#include "tests/support/made_result.h"

#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>

static void same(struct captured *c, const char *wanted)
{
    CU_ASSERT_STRING_EQUAL(captured_text(c), wanted);
    if (strcmp(captured_text(c), wanted) != 0)
        printf("\n    not as written, but\n%s\n", captured_text(c));
    captured_end(c);
}

/* Whether a text has a part, and shows what it is if not. */
static void has(const char *text, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
    if (!strstr(text, part))
        printf("\n    no %s\n    in %s\n", part, text);
}

/* ---- what pages share ------------------------------------------------------------------------------ */

static void ends(void)
{
    static const struct td_page_code style = {"a { }\n", "'sha256-a'"}, script = {"b();\n", "'sha256-b'"},
                                     within = {NULL, "'sha256-c'"};
    const struct td_page page = {.subject = "/x/<y>", .title = "z", .style = {&style, &within}, .script = {&script}};
    struct captured c;

    td_page_begin(captured_begin(&c), &page);
    has(captured_text(&c), "<title>&lt;y&gt;: z</title>\n");
    has(captured_text(&c), " 'sha256-a' 'sha256-c'; script-src 'sha256-b'; base-uri 'none'");
    has(captured_text(&c), "</style>\n<style>\na { }\n</style>\n</head>\n<body>\n");
    captured_end(&c);
    td_page_end(captured_begin(&c), &page, "w");
    has(captured_text(&c), ": w</p></footer>\n<script>\nb();\n</script>\n</body>\n</html>\n");
    captured_end(&c);
}

/* A page without a script has no policy that lets one run. */
static void without_script(void)
{
    const struct td_page page = {.subject = "s", .title = "t"};
    struct captured c;

    td_page_begin(captured_begin(&c), &page);
    CU_ASSERT_PTR_NULL(strstr(captured_text(&c), "script"));
    captured_end(&c);
}

static void pieces(void)
{
    struct captured c;
    struct td_output *o = captured_begin(&c);

    td_page_fact(o, "a", "<b>");
    td_page_fact(o, "c", NULL);
    td_page_item(o, "d & e");
    td_page_swatch(o, "retiring");
    same(&c,
         "<dt>a</dt><dd><bdi>&lt;b&gt;</bdi></dd>\n<li>d &amp; e</li>\n"
         "<svg class=\"swatch\" aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" fill=\"#009e73\"/></svg>");
}

/* ---- the tree ----------------------------------------------------------------------------------------- */

#define LINE(class, low, high) "<line class=\"" class "\" x1=\"" low "%\" x2=\"" high "%\" y1=\"50%\" y2=\"50%\"/>"
#define WHISKER(low, high) LINE("halo", low, high) LINE("whisker", low, high) "</svg>"
#define RECT(width, fill) "<rect width=\"" width "%\" height=\"100%\" fill=\"" fill "\"/>"
#define ROW(level, name, tag) "<div class=\"row\"><span class=\"name level" level "\">" name tag "</span> "
#define BAR "<svg class=\"bar\" aria-hidden=\"true\">"
#define SHOWN(value, bounds) " <span class=\"value\">" value "</span> <span class=\"bounds\">" bounds "</span></div>\n"

/* What the tree of the made result is, without meanings. */
static void tree(void)
{
    struct made_result m;
    struct td_report r = {.all = true};
    struct td_tree_view view;
    struct captured c;
    const char *text;

    made_begin(&m);
    r.verdict = m.verdict;
    r.out = *captured_begin(&c);
    CU_ASSERT_EQUAL_FATAL(td_tree_view_make(&view, &r, &m.r, 0), 0);
    td_page_nodes(&r, &view, &m.r, NULL);
    td_tree_view_free(&view);
    c.out = r.out;
    text = captured_text(&c);
    has(text,
        "<ul class=\"tree\">\n<li class=\"node\" data-node=\"retiring\" data-value=\"0.500000\" data-low=\"0.440000\" "
        "data-high=\"0.560000\">\n" ROW("1", "retiring", "") BAR RECT("50.00", "#009e73") WHISKER("44.00", "56.00")
            SHOWN("50.0 %", "44.0 .. 56.0") "</li>\n");
    has(text, ROW("1", "bad_speculation", "") BAR RECT("6.00", "#cc79a7") RECT("6.00", "url(#td-likely)")
                  WHISKER("5.00", "7.00") SHOWN("6.0 %", "5.0 .. 7.0, likely"));
    has(text, ROW("1", "frontend_bound", "") BAR RECT("18.00", "#e69f00") "</svg>" SHOWN("18.0 %", "no bounds"));
    has(text, "<li class=\"node limits\" data-node=\"memory_bound\"");
    has(text, ROW("2", "memory_bound", " <b class=\"tag\">limits</b>") BAR RECT("20.00", "#d55e00"));
    has(text, "<details class=\"deeper\" open=\"open\"><summary>1 below memory_bound</summary>\n<ul class=\"tree\">\n"
              "<li class=\"node\" data-node=\"l3_bound\"");
    has(text, "<b class=\"tag\">may limit</b>");
    has(text, SHOWN("12.5 % of stalls", "10.0 .. 15.0, likely"));
    has(text, "<details class=\"deeper\"><summary>1 below core_bound</summary>");
    has(text,
        "<span class=\"bar\"></span> <span class=\"value\">\xe2\x80\x93</span> <span class=\"bounds\">impossible");
    has(text, "<tr><th scope=\"row\">ipc</th><td>1.25</td><td>1.2 .. 1.3</td><td>per cycle</td></tr>\n");
    has(text, "<tr><th scope=\"row\">bandwidth</th><td>2048</td><td>no bounds</td><td>GB/s</td></tr>\n");
    CU_ASSERT_PTR_NULL(strstr(text, "fetch_bandwidth"));
    captured_end(&c);
}

/* Each meaning is on a page once. */
static void meanings(void)
{
    struct made_result m;
    struct td_report r = {.all = true};
    struct td_page_told told = {0};
    struct td_tree_view view;
    struct captured c;
    const char *first;

    made_begin(&m);
    r.verdict = m.verdict;
    r.out = *captured_begin(&c);
    CU_ASSERT_EQUAL_FATAL(td_tree_view_make(&view, &r, &m.r, 0), 0);
    td_page_nodes(&r, &view, &m.r, &told);
    td_page_nodes(&r, &view, &m.r, &told);
    td_tree_view_free(&view);
    td_page_told_free(&told);
    c.out = r.out;
    first = strstr(captured_text(&c), "<details><summary class=\"row\"><span class=\"name level1\">retiring");
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    has(first, "<div class=\"why\">\n<p>");
    CU_ASSERT_PTR_NULL(strstr(first + 1, "<details><summary class=\"row\"><span class=\"name level1\">retiring"));
    has(first, ROW("1", "retiring", ""));
    captured_end(&c);
}

/* Bars of level 1 beside each other: at 0, 50, 56 and 74 %. Values beyond a bar are cut, and one that is shown as 0 has
 * no sign; what has no value has no part. */
static void stacks(void)
{
#define PART(x, width, fill, title) \
    "<rect x=\"" x "%\" width=\"" width "%\" height=\"100%\" fill=\"" fill "\"><title>" title " %</title></rect>"
    struct made_result m;
    struct captured c;

    made_begin(&m);
    td_page_stack(captured_begin(&c), &m.r);
    same(&c,
         BAR PART("0.00", "50.00", "#009e73", "retiring 50.0") PART("50.00", "6.00", "#cc79a7", "bad_speculation 6.0")
             PART("56.00", "18.00", "#e69f00", "frontend_bound 18.0")
                 PART("74.00", "26.00", "#d55e00", "backend_bound 26.0") "</svg>");
    m.metric[MADE_RETIRING].value = -0.0004;
    m.metric[MADE_BAD_SPECULATION].value = 1.25;
    m.metric[MADE_FRONTEND_BOUND].status = TD_IMPOSSIBLE;
    m.metric[MADE_BACKEND_BOUND].value = -0.0005;
    td_page_stack(captured_begin(&c), &m.r);
    same(&c,
         BAR PART("0.00", "0.00", "#009e73", "retiring 0.0") PART("0.00", "100.00", "#cc79a7", "bad_speculation 125.0")
             PART("100.00", "0.00", "#d55e00", "backend_bound -0.1") "</svg>");
}

static void legend(void)
{
#define KEY(fill, name) \
    "<span><svg class=\"swatch\" aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" fill=\"" fill \
    "\"/></svg>" name "</span> "
    struct made_result m;
    struct captured c;

    made_begin(&m);
    m.metric[MADE_FRONTEND_BOUND].status = TD_IMPOSSIBLE;
    td_page_legend(captured_begin(&c), &m.r);
    same(&c, "<p class=\"legend\">" KEY("#009e73", "retiring") KEY("#cc79a7", "bad_speculation")
                 KEY("#d55e00", "backend_bound") "</p>\n");
}

/* The tree of a result, after some of its metrics were hidden. */
static const char *tree_of(struct captured *c, struct made_result *m, const int *hidden, size_t n)
{
    struct td_report r = {.all = true, .verdict = m->verdict};
    struct td_tree_view view;

    r.out = *captured_begin(c);
    CU_ASSERT_EQUAL_FATAL(td_tree_view_make(&view, &r, &m->r, 0), 0);
    for (size_t i = 0; i < n; i++)
        view.shown[hidden[i]] = false;
    td_page_nodes(&r, &view, &m->r, NULL);
    td_tree_view_free(&view);
    c->out = r.out;
    return captured_text(c);
}

/* What has no parent that is shown and of a lesser level stands at the top, in the colour of its node of level 1. */
static void roots(void)
{
    struct made_result m;
    struct captured c;
    const char *text, *core;

    made_begin(&m);
    text = tree_of(&c, &m, (int[]){MADE_BACKEND_BOUND}, 1);
    CU_ASSERT_PTR_NULL(strstr(text, "data-node=\"backend_bound\""));
    has(text,
        "</li>\n<li class=\"node limits\" data-node=\"memory_bound\" data-value=\"0.200000\" data-low=\"0.150000\" "
        "data-high=\"0.250000\">\n" ROW("2", "memory_bound", " <b class=\"tag\">limits</b>")
            BAR RECT("20.00", "#d55e00") WHISKER("15.00", "25.00") SHOWN("20.0 %", "15.0 .. 25.0"));
    CU_ASSERT_EQUAL(strncmp(text, "<ul class=\"tree\">\n<li class=\"node\" data-node=\"retiring\"", 50), 0);
    captured_end(&c);
    m.metric[MADE_CORE_BOUND].parent = "memory_bound"; /* of the same level */
    text = tree_of(&c, &m, NULL, 0);
    core = strstr(text, "<li class=\"node\" data-node=\"core_bound\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(core);
    has(text, "<summary>1 below memory_bound</summary>");
    CU_ASSERT(!strncmp(core - 5, "/li>\n", 5) && core > strstr(text, "data-node=\"l3_bound\""));
    captured_end(&c);
}

/* Words of a verdict that is sound for its first node only; nodes without bounds have none; likely ones say so. */
static void words(void)
{
    struct made_result m;
    struct captured c;
    const char *text;

    made_begin(&m);
    m.verdict.nsound = 1;
    m.among[1] = &m.metric[MADE_PORTS];
    m.verdict.namong = 2;
    made_bounds(&m.metric[MADE_RETIRING], TD_BOUNDS_SOUND, -0.0004, -0.0005);
    made_bounds(&m.metric[MADE_GBPS], TD_BOUNDS_LIKELY, 2000, 2100);
    m.metric[MADE_IPC].status = TD_IMPOSSIBLE;
    m.metric[MADE_IPC].raw = -1;
    text = tree_of(&c, &m, NULL, 0);
    has(text, "backend_bound <b class=\"tag\">limits</b></span>");
    has(text, "memory_bound <b class=\"tag\">probably limits</b></span>");
    has(text, "l3_bound <b class=\"tag\">may limit</b></span>");
    has(text, "ports_utilization <b class=\"tag\">may limit</b></span>");
    has(text, "<span class=\"bounds\">0.0 .. -0.1</span>");
    has(text, "<li class=\"node\" data-node=\"frontend_bound\" data-value=\"0.180000\">\n");
    has(text, "<li class=\"node\" data-node=\"core_bound\">\n");
    has(text, "<tr><th scope=\"row\">bandwidth</th><td>2048</td><td>2000 .. 2100, likely</td><td>GB/s</td></tr>\n"
              "</tbody></table>\n");
    has(text,
        "</ul>\n<table class=\"nodes\"><caption>Further metrics</caption><thead><tr><th scope=\"col\">metric</th>"
        "<th scope=\"col\">value</th><th scope=\"col\">bounds</th><th scope=\"col\">unit</th></tr></thead><tbody>\n"
        "<tr><th scope=\"row\">ipc</th><td>\xe2\x80\x93</td><td>impossible");
    captured_end(&c);
    text = tree_of(&c, &m, (int[]){MADE_IPC, MADE_GBPS}, 2);
    CU_ASSERT_PTR_NULL(strstr(text, "<table"));
    captured_end(&c);
}

/* Places in a bar end at its ends. */
static void places(void)
{
    static const double of[][2] = {{-0.25, 0}, {0, 0}, {0.25, 25}, {1, 100}, {1.5, 100}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        CU_ASSERT_EQUAL(td_bar_place(of[i][0]), of[i][1]);
}

/* ---- the time line -------------------------------------------------------------------------------------- */

static int add(struct td_time_line *t, struct made_result *m, unsigned second, unsigned long duration)
{
    m->r.at.time = second * 1000000000ul;
    m->r.at.duration = duration;
    return td_time_line_add(t, &m->r, &m->verdict);
}

/* Steps of 0.5 %: 0.5 is 100 of them; 0.44 and 0.56 are 88 and 112; 0.26 is 52, and 0.2604 52.08, above which is 53. An
 * interval of 1 s until the third second began a second after the one before ended. */
static void points(void)
{
    static const uint8_t value[] = {100, 12, 36, 52}, low[] = {88, 10, TD_LINE_NONE, 52},
                         high[] = {112, 14, TD_LINE_NONE, 53};
    struct td_time_line t = {0};
    struct made_result m;
    const struct td_line_point *p;

    made_begin(&m);
    CU_ASSERT_EQUAL(add(&t, &m, 1, 1000000000), 0);
    m.verdict.npath = 1;
    CU_ASSERT_EQUAL(add(&t, &m, 3, 1000000000), 0);
    CU_ASSERT(t.n == 1 && t.intervals == 2 && t.line->measured == 2 && t.line->n == 3 && t.line->nodes == 4);
    p = t.line->point;
    CU_ASSERT(t.line->start == 0 && p[0].end == 1000000000 && p[1].end == 2000000000 && p[2].end == 3000000000);
    CU_ASSERT(p[0].verdict == 0 && p[1].verdict == TD_LINE_NONE && p[2].verdict == 1);
    CU_ASSERT_STRING_EQUAL(t.line->verdict[0], "limited by backend_bound: memory_bound");
    CU_ASSERT_STRING_EQUAL(t.line->verdict[1], "limited by backend_bound");
    for (size_t k = 0; k < 4; k++)
        CU_ASSERT(p[0].value[k] == value[k] && p[0].low[k] == low[k] && p[0].high[k] == high[k] &&
                  p[1].value[k] == TD_LINE_NONE);
    td_time_line_free(&t);
}

/* Ends at 1 s, 2 s and 3 s in units of ns, four bytes each: 00 ca 9a 3b, 00 94 35 77, 00 5e d0 b2. */
static void digits(void)
{
    struct td_time_line t = {0};
    struct made_result m;
    struct captured c;
    const char *text;

    made_begin(&m);
    add(&t, &m, 1, 1000000000);
    td_time_line_put(captured_begin(&c), &t);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), ""); /* one interval is no line */
    captured_end(&c);
    add(&t, &m, 3, 1000000000);
    td_time_line_put(captured_begin(&c), &t);
    text = captured_text(&c);
    has(text, "data-scope=\"S0-C1\" data-core=\"\" data-cpu=\"spr\" data-timed=\"1\" data-start=\"0\" data-unit=\"1\" "
              "data-nodes=\"retiring|bad_speculation|frontend_bound|backend_bound\"");
    has(text, "<i class=\"times\">AMqaOwCUNXcAXtCy</i>\n<i class=\"verdict\">AP8A</i>\n");
    /* 100, 12, 36 and, as 52 is all that these leave of 200, 0; of the gap 4 * 255 - 200 = 3 * 256 + 52 */
    has(text, "<i class=\"value\">ZP9kDP8MJP8kADQA</i>\n");
    has(text, "<i class=\"low\">WP9YCv8K////NP80</i>\n<i class=\"high\">cP9wDv8O////Nf81</i>\n");
    has(text, "<tr><th scope=\"row\">1.000 s</th><td>50.0 <small>44.0 .. 56.0</small></td>");
    has(text,
        "<td>18.0</td><td>26.0 <small>26.0 .. 26.5</small></td><td>limited by backend_bound: memory_bound</td></tr>\n");
    has(text, "<td>not measured</td></tr>\n");
    captured_end(&c);
    td_time_line_free(&t);
}

/* Bounds are there up to a number of intervals, beyond which a table has several in a row: of 3,601 the first 100. */
static void many(void)
{
    struct td_time_line t = {0};
    struct made_result m;
    struct captured c;

    made_begin(&m);
    for (unsigned i = 1; i <= TD_LINE_BOUNDED + 1; i++) {
        m.metric[MADE_RETIRING].value = i == 2 ? 0.3 : 0.5;
        add(&t, &m, i, 1000000000);
        if (i < TD_LINE_BOUNDED)
            continue;
        td_time_line_put(captured_begin(&c), &t);
        CU_ASSERT_EQUAL(strstr(captured_text(&c), "class=\"low\"") != NULL, i == TD_LINE_BOUNDED);
        has(captured_text(&c), "<tr><th scope=\"row\">100.000 s</th><td>49.8 <small>30.0 .. 50.0</small></td>");
        captured_end(&c);
    }
    td_time_line_free(&t);
}

/* A scope of another kind of core is a line of its own, and one without times counts its intervals. */
static void scopes(void)
{
    struct td_time_line t = {0};
    struct made_result m;

    made_begin(&m);
    for (unsigned i = 1; i <= 2; i++) {
        m.uarch.core = 'P';
        add(&t, &m, i, 1000000000);
        m.uarch.core = 'E';
        m.r.at.has_time = false;
        add(&t, &m, i, 1000000000);
        m.r.at.has_time = true;
    }
    CU_ASSERT_FATAL(t.n == 2 && t.intervals == 4);
    CU_ASSERT(t.line[0].timed && t.line[0].point[1].end == 2000000000);
    CU_ASSERT(!t.line[1].timed && t.line[1].point[1].end == 2 && t.line[1].start == 0);
    td_time_line_free(&t);
}

/* How often a text has a part. */
static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

/* Scopes of which each interval ends at the same time have its times once, and only those. */
static void shared_times(void)
{
    static const struct {
        unsigned second[3]; /* when the intervals of the second scope end; those of the first at 1, 2 and 4 */
        unsigned times;
    } rows[] = {{{1, 2, 4}, 1}, {{1, 3, 4}, 2}, {{1, 2, 5}, 2}, {{2, 3, 4}, 2}};

    for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
        struct td_time_line t = {0};
        struct made_result m;
        struct captured c;

        made_begin(&m);
        for (unsigned i = 0; i < 3; i++) {
            m.uarch.core = 'P';
            add(&t, &m, 1u << i, 0);
            m.uarch.core = 'E';
            add(&t, &m, rows[k].second[i], 0);
        }
        td_time_line_put(captured_begin(&c), &t);
        CU_ASSERT_EQUAL(count(captured_text(&c), "<i class=\"times\""), rows[k].times);
        CU_ASSERT_EQUAL(count(captured_text(&c), "<i class=\"value\""), 2);
        captured_end(&c);
        td_time_line_free(&t);
    }
}

static const CU_TestInfo tests[] = {
    {"begin and end", ends},     {"no script", without_script},       {"pieces", pieces},
    {"the tree", tree},          {"meanings once", meanings},         {"stacks", stacks},
    {"the legend", legend},      {"nodes without parents", roots},    {"words of nodes", words},
    {"places in a bar", places}, {"points of the time line", points}, {"data of the time line", digits},
    {"many intervals", many},    {"several scopes", scopes},          {"times that scopes share", shared_times},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("pages", tests);
