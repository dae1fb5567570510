/* SPDX-License-Identifier: MIT */
/* A comparison as a page: where bars, bounds and points stand, by hand: 25 % is 25 % of a bar, and of the picture of
 * differences the middle is 0. */
#include "report/compare/comparison_report.h"
#include "private/drawing.h"
#include "stats/series.h"
#include "tests/support/captured.h"

#include <math.h>
#include <string.h>

static struct td_side side[] = {{.name = "a.trace", .n = 1}, {.name = "b.trace", .n = 1}};
static struct td_difference rows[4];
static struct td_comparison comparison;
static struct captured page;

static struct td_difference share(const char *metric, int level, const char *parent)
{
    return (struct td_difference){.scope = "S0-C1",
                                  .kind = "core",
                                  .metric = metric,
                                  .unit = "slots",
                                  .side = 1,
                                  .share = true,
                                  .level = level,
                                  .parent = parent,
                                  .a = {0.25, 0.125, 0.375},
                                  .b = {0.5, (double)NAN, (double)NAN},
                                  .diff = {0.25, 0.0625, 0.4375},
                                  .call = TD_CALL_MORE,
                                  .basis = TD_BASIS_RUNS,
                                  .na = 1,
                                  .nb = 1,
                                  .saved = (double)NAN,
                                  .alpha = 0.05};
}

static void begin(size_t n)
{
    side[1] = (struct td_side){.name = "b.trace", .n = 1};
    rows[0] = share("backend_bound", 1, "");
    rows[1] = share("memory_bound", 2, "backend_bound");
    rows[2] = share("l3_bound", 3, "memory_bound");
    rows[3] = share("core_bound", 2, "frontend_bound"); /* which has no row */
    comparison = (struct td_comparison){.side = side, .sides = 2, .row = rows, .n = n, .set = {.confidence = 0.95}};
}

static const char *put(void)
{
    const struct td_comparison_report r = {.comparison = &comparison, .separator = NULL};
    const struct td_comparison_format *html = NULL;

    for (size_t i = 0; td_comparison_format_at(i); i++)
        html = strcmp(td_comparison_format_at(i)->name, "html") ? html : td_comparison_format_at(i);
    CU_ASSERT_PTR_NOT_NULL_FATAL(html);
    if (page.text)
        captured_end(&page);
    html->put(captured_begin(&page), &r);
    return captured_text(&page);
}

static unsigned count(const char *text)
{
    unsigned n = 0;

    for (const char *at = page.text; (at = strstr(at, text)); at += strlen(text))
        n++;
    return n;
}

/* The page's row of a metric. */
static const char *row(const char *metric)
{
    static char text[4000];
    char begins[80];
    const char *at, *end;

    snprintf(begins, sizeof(begins), " data-metric=\"%s\"", metric);
    at = strstr(page.text, begins);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    end = strstr(at, "</tr>");
    CU_ASSERT_FATAL(end && (size_t)(end - at) < sizeof(text));
    snprintf(text, sizeof(text), "%.*s", (int)(end - at), at);
    return text;
}

#define HAS(text, what) CU_ASSERT_PTR_NOT_NULL(strstr(text, what))
#define LACKS(text, what) CU_ASSERT_PTR_NULL(strstr(text, what))

/* Bars of 25 and 50 %, of which the first may be 12.5 to 37.5; the difference of 25 points of 50 to each side. */
static void bars(void)
{
    const char *text;

    begin(2);
    rows[1].diff = (struct td_bounded){-0.125, (double)NAN, (double)NAN};
    rows[1].call = TD_CALL_UNKNOWN;
    put();
    text = row("backend_bound");
    HAS(text, "\"bar a\" aria-hidden=\"true\"><rect width=\"25.00%\"");
    HAS(text, "\"bar b\" aria-hidden=\"true\"><rect width=\"50.00%\"");
    HAS(text, "x1=\"12.50%\" x2=\"37.50%\"");
    HAS(text, "x1=\"56.25%\" x2=\"93.75%\""); /* 6.25 and 43.75 of 50, half of the picture */
    HAS(text, "<circle cx=\"75.00%\"");
    HAS(text, "class=\"level1\">backend_bound</th>");
    text = row("memory_bound");
    HAS(text, "<circle cx=\"37.50%\"");
    CU_ASSERT_EQUAL(count("class=\"whisker\""), 3); /* of both sides a, and of the one difference that has bounds */
    CU_ASSERT_EQUAL(count("<tr class=\"differs\""), 1);
    CU_ASSERT_EQUAL(count("-50 to +50 points"), 1);
    CU_ASSERT_EQUAL(count("<title>b.trace: what differs</title>"), 1);
    rows[1].call = TD_CALL_LESS;
    put();
    CU_ASSERT_EQUAL(count("<tr class=\"differs\""), 2);
    LACKS(page.text, "class=\"run\"");
    LACKS(page.text, " recordings</dd>");
}

/* The picture reaches as far as the farthest bound, or where there is none the value, rounded up to a step. */
static void reach(void)
{
    static const struct {
        double value, low, high;
        const char *points;
    } of[] = {
        {0.005, (double)NAN, (double)NAN, "-1 to +1 points"},
        {-0.01, (double)NAN, (double)NAN, "-1 to +1 points"},
        {0.0101, (double)NAN, (double)NAN, "-2 to +2 points"},
        {0.03, (double)NAN, (double)NAN, "-5 to +5 points"},
        {0.03, 0.02, 0.1, "-10 to +10 points"},
        {0.03, -0.11, 0.1, "-20 to +20 points"},
        {0.03, -0.11, 0.21, "-50 to +50 points"},
        {0.5, (double)NAN, (double)NAN, "-50 to +50 points"},
        {0.51, (double)NAN, (double)NAN, "-100 to +100 points"},
        {0, 0, 0, "-1 to +1 points"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        begin(3);
        rows[1].share = rows[2].share = false; /* which have no picture */
        rows[i % 3].share = true;
        if (i % 3)
            rows[0].share = false;
        rows[i % 3].diff = (struct td_bounded){of[i].value, of[i].low, of[i].high};
        put();
        CU_ASSERT_EQUAL(count(of[i].points), 1);
        CU_ASSERT_EQUAL(count("class=\"bar a\""), 1);
        CU_ASSERT_EQUAL(count("class=\"bar by\""), 1);
    }
}

/* A node has the colour of that of level 1 above it, as far as the rows show it. */
static void colours(void)
{
    char wanted[80];

    begin(4);
    put();
    snprintf(wanted, sizeof(wanted), " fill=\"%s\"", td_node_colour_of("backend_bound")->colour);
    HAS(row("backend_bound"), wanted);
    HAS(row("memory_bound"), wanted);
    HAS(row("l3_bound"), wanted);
    snprintf(wanted, sizeof(wanted), " fill=\"%s\"", td_node_colour_of("core_bound")->colour);
    HAS(row("core_bound"), wanted);
    rows[1].scope = "S0-C2"; /* another block, in which its parent has no row */
    rows[2].scope = rows[3].scope = "S0-C2";
    put();
    snprintf(wanted, sizeof(wanted), " fill=\"%s\"", td_node_colour_of("memory_bound")->colour);
    HAS(row("memory_bound"), wanted);
    HAS(row("l3_bound"), wanted);
    CU_ASSERT_EQUAL(count("<section>"), 2);
    CU_ASSERT_EQUAL(count("</section>"), 2);
}

/* Of a side of several recordings each one's value is a point. */
static void runs(void)
{
    static const double values[] = {0.125, 0.25, 0.75};
    static char name[] = "S0-C1", backend[] = "backend_bound", memory[] = "memory_bound";
    static const struct td_scope_id id = {.kind = "core", .name = name, .length = sizeof(name) - 1};
    struct td_series_metric metric[3][2];
    struct td_series_scope scope[3];
    struct td_series run[3] = {{.n = 0}};
    size_t first[2] = {0};

    begin(2);
    for (size_t i = 0; i < 3; i++) {
        metric[i][0] = (struct td_series_metric){.name = backend, .value = values[i]};
        metric[i][1] = (struct td_series_metric){.name = memory, .value = i == 1 ? (double)NAN : values[i] / 2};
        scope[i] = (struct td_series_scope){.name = name, .metric = metric[i], .n = 2};
        run[i] = (struct td_series){.scope = &scope[i], .n = 1, .first = first};
        CU_ASSERT_FATAL(td_scope_table_number(&run[i].ids, &id) >= 0 && td_series_find(&run[i], &id) == &scope[i]);
    }
    side[1].run = run;
    side[1].n = 3;
    put();
    CU_ASSERT_EQUAL(count("b.trace, 3 recordings</dd>") + count("b.trace</bdi>, 3 recordings</dd>"), 1);
    CU_ASSERT_EQUAL(count("class=\"run\""), 5);
    HAS(row("backend_bound"), "class=\"run\" cx=\"12.50%\"");
    HAS(row("backend_bound"), "class=\"run\" cx=\"25.00%\"");
    HAS(row("backend_bound"), "class=\"run\" cx=\"75.00%\"");
    HAS(row("memory_bound"), "class=\"run\" cx=\"6.25%\"");
    HAS(row("memory_bound"), "class=\"run\" cx=\"37.50%\"");
    rows[0].other = "S0-C9"; /* whose counterpart in b has another name, and is not in these recordings */
    put();
    CU_ASSERT_EQUAL(count("class=\"run\""), 2);
    side[1].n = 1;
    put();
    LACKS(page.text, "class=\"run\"");
    for (size_t i = 0; i < 3; i++)
        td_scope_table_free(&run[i].ids);
    captured_end(&page);
    page.text = NULL;
}

/* Conditions are remarks, before what is to be known. */
static void conditions(void)
{
    struct td_gate gate[] = {
        {.text = "backend_bound > 1pp", .metric = "backend_bound", .answer = TD_GATE_HOLDS, .row = rows},
        {.text = "l3_bound > 1pp", .metric = "l3_bound", .answer = TD_GATE_NO}};
    const struct td_comparison_report r = {.comparison = &comparison, .gate = gate, .gates = 2};

    begin(1);
    td_comparison_format_at(7)->put(captured_begin(&page), &r);
    captured_text(&page);
    HAS(page.text,
        "<ul class=\"remarks\">\n<li>--fail-if 'backend_bound &gt; 1pp' holds: S0-C1: backend_bound +25.0 points (+6.2 .. "
        "+43.8 points)</li>\n<li>--fail-if 'l3_bound &gt; 1pp' does not hold: the recordings have no l3_bound in common"
        "</li>\n<li>one value a side, with sound bounds: ");
    captured_end(&page);
    page.text = NULL;
}

static const CU_TestInfo tests[] = {
    {"bars", bars}, {"how far a picture reaches", reach}, {"colours", colours},
    {"runs", runs}, {"conditions", conditions},           CU_TEST_INFO_NULL,
};
UNIT_SUITE("comparisons as a page", tests);
