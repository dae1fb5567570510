/* SPDX-License-Identifier: MIT */
/* Results as lines, which are written out by hand: columns on each width of a screen, verdicts in a few words, names of
 * containers. */
#include "report/layouts.h"

#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

/* The head if wanted, and the line. */
static void line_is(struct td_report settings, bool head, bool timed, const struct made_result *m, const char *wanted)
{
    struct captured c;
    struct td_report r = settings;

    r.verdict = m->verdict;
    r.out = *captured_begin(&c);
    if (head) {
        td_lines_cpu(&r, &m->r);
        td_lines_head(&r, timed);
    }
    td_lines_result(&r, &m->r, timed);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(captured_text(&c), wanted) != 0)
        printf("\n    not as written, but\n%s", captured_text(&c));
    captured_end(&c);
}

#define MARKS "# ~: by likely bounds, 95 of 100 hold\n# number?: without bounds\n"

/* Without a screen, and on one of 110 columns and more, all columns are there; below 72 the fewest. What all lines
 * have is 16 + 21 + 4 * 9 + 26 + 2 columns wide, or 10 + 16 + 4 * 7 + 2, or 8 + 8 + 4 * 5 + 2: the rest is the
 * verdict's, which loses the parents of its node first, and is then cut. */
static void widths(void)
{
    struct made_result m;

    made_begin(&m);
    line_is(
        (struct td_report){.width = 0}, true, true, &m,
        "# spr  [perf_metrics]\n"
        "#           time  scope              retiring      bad       fe       be   below it                  verdict"
        "\n" MARKS
        "    12.000345678  S0-C1                  50.0      6.0~    18.0?    26.0   memory_bound 20.0         "
        "backend_bound: memory_bound\n");
    line_is((struct td_report){.width = 128}, false, true, &m,
            MARKS
            "    12.000345678  S0-C1                  50.0      6.0~    18.0?    26.0   memory_bound 20.0         "
            "backend_bound: memory_bound\n");
    line_is((struct td_report){.width = 127}, false, true, &m,
            MARKS
            "    12.000345678  S0-C1                  50.0      6.0~    18.0?    26.0   memory_bound 20.0         "
            "memory_bound\n");
    line_is((struct td_report){.width = 110}, false, true, &m,
            MARKS
            "    12.000345678  S0-C1                  50.0      6.0~    18.0?    26.0   memory_bound 20.0         "
            "memo..und\n");
    line_is((struct td_report){.width = 109}, true, true, &m,
            "# spr  [perf_metrics]\n"
            "#     time  scope            ret    bad     fe     be   verdict\n" MARKS
            "    12.000  S0-C1           50.0    6.0~  18.0?  26.0   backend_bound: memory_bound\n");
    line_is((struct td_report){.width = 72}, false, true, &m,
            MARKS "    12.000  S0-C1           50.0    6.0~  18.0?  26.0   memory_bound\n");
    line_is((struct td_report){.width = 71}, true, true, &m,
            "# spr  [perf_metrics]\n"
            "#   time  scope  ret  bad   fe   be   verdict\n" MARKS
            "   12.00  S0-C1   50    6~  18?  26   backend_bound: memory_bound\n");
    line_is((struct td_report){.width = 40}, false, true, &m, MARKS "   12.00  S0-C1   50    6~  18?  26   ..\n");
    line_is((struct td_report){.width = 38}, false, true, &m, MARKS "   12.00  S0-C1   50    6~  18?  26   .\n");
    line_is((struct td_report){.width = 37}, false, true, &m, MARKS "   12.00  S0-C1   50    6~  18?  26   .\n");
}

static void times(void)
{
    const struct td_span span = {1.5, 2.25}, none = {(double)NAN, (double)NAN};
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_BAD_SPECULATION].bounds = m.metric[MADE_FRONTEND_BOUND].bounds = TD_BOUNDS_SOUND;
    m.metric[MADE_FRONTEND_BOUND].low = 0.18;
    m.r.nmetrics = 4;
    line_is((struct td_report){.width = 0}, true, false, &m,
            "# spr  [perf_metrics]\n"
            "# scope              retiring      bad       fe       be   below it                  verdict\n"
            "  S0-C1                  50.0      6.0     18.0     26.0                             backend_bound: "
            "memory_bound\n");
    line_is((struct td_report){.span = &span}, true, true, &m,
            "#     from        to  scope              retiring      bad       fe       be   below it                  "
            "verdict\n"
            "     1.500     2.250  S0-C1                  50.0      6.0     18.0     26.0                             "
            "backend_bound: memory_bound\n");
    line_is((struct td_report){.span = &none, .width = 111}, false, true, &m,
            "                      S0-C1                  50.0      6.0     18.0     26.0                             "
            "me..nd\n");
    m.r.summary = true;
    line_is((struct td_report){.width = 100}, false, true, &m,
            "   summary  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound\n");
    line_is((struct td_report){.width = 70}, false, true, &m,
            "     sum  S0-C1   50    6   18   26   backend_bound: memory_bound\n");
    m.r.summary = m.r.at.has_time = false;
    line_is((struct td_report){.width = 70}, false, true, &m,
            "          S0-C1   50    6   18   26   backend_bound: memory_bound\n");
    CU_ASSERT_FALSE(td_lines_timed(&(struct td_report){.width = 0}, &m.r));
    CU_ASSERT(td_lines_timed(&(struct td_report){.span = &span}, &m.r));
    m.r.at.has_time = true;
    CU_ASSERT(td_lines_timed(&(struct td_report){.width = 0}, &m.r));
    CU_ASSERT_FALSE(td_lines_timed(&(struct td_report){.once = true}, &m.r));
    m.r.summary = true;
    CU_ASSERT(td_lines_timed(&(struct td_report){.once = true}, &m.r));
}

/* A last column for the share of what limits, from 8 to 20 columns at the right edge, where 30 are left to the verdict:
 * after the 56 before it, 2 blanks and 30 more, from 96 columns on. Of 18 % 8 columns are 1.44, which is 12 eighths: a
 * full block and half a block. */
static void bars(void)
{
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_BAD_SPECULATION].bounds = m.metric[MADE_FRONTEND_BOUND].bounds = TD_BOUNDS_SOUND;
    m.metric[MADE_FRONTEND_BOUND].low = 0.18;
    m.metric[MADE_MEMORY_BOUND].value = 0.18;
    line_is((struct td_report){.width = 95, .bars = TD_BARS_BLOCKS}, false, true, &m,
            "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound\n");
    line_is(
        (struct td_report){.width = 96, .bars = TD_BARS_BLOCKS}, true, true, &m,
        "# spr  [perf_metrics]\n"
        "#     time  scope            ret    bad     fe     be   verdict                         share\n"
        "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound     \xe2\x96\x88\xe2\x96\x8c\n");
    line_is((struct td_report){.width = 96, .bars = TD_BARS_SIGNS}, false, true, &m,
            "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound     #\n");
    m.metric[MADE_MEMORY_BOUND].name = "memory_bound_15"; /* 30 columns, and 31 */
    line_is((struct td_report){.width = 96, .bars = TD_BARS_SIGNS}, false, true, &m,
            "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound_15  #\n");
    m.metric[MADE_MEMORY_BOUND].name = "memory_bound_016";
    line_is((struct td_report){.width = 96, .bars = TD_BARS_SIGNS}, false, true, &m,
            "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound_016\n");
    m.metric[MADE_MEMORY_BOUND].name = "memory_bound";
    m.metric[MADE_MEMORY_BOUND].value = 1.25;
    line_is((struct td_report){.width = 109, .bars = TD_BARS_SIGNS}, false, true, &m,
            "    12.000  S0-C1           50.0    6.0   18.0   26.0   backend_bound: memory_bound      "
            "####################\n");
}

/* The name of the CPU stands above the lines, unless each has a CPU or a kind of core; the formulas of several CPUs do
 * not. */
static void cpus(void)
{
    const struct td_span span = {1, 2};
    struct made_result m;
    struct captured c;
    struct td_report r = {.width = 0};

    made_begin(&m);
    r.out = *captured_begin(&c);
    td_lines_cpu(&r, &m.r);
    m.r.formula = "a|b";
    m.r.cpu = "spr|emr";
    td_lines_cpu(&r, &m.r);
    m.uarch.core = 'P';
    td_lines_cpu(&r, &m.r);
    m.uarch.core = 0;
    r.each_cpu = true;
    td_lines_cpu(&r, &m.r);
    r.each_cpu = false;
    r.span = &span;
    td_lines_cpu(&r, &m.r);
    c.out = r.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "# spr  [perf_metrics]\n# spr|emr\n");
    captured_end(&c);
}

static void scope_is(struct made_result *m, const char *scope, enum td_scope_kind kind, unsigned width, bool each,
                     const char *wanted)
{
    struct captured c;
    struct td_report r = {.width = width, .each_cpu = each};
    char *end;

    m->r.at.scope = scope;
    m->r.at.scope_kind = kind;
    r.out = *captured_begin(&c);
    td_lines_result(&r, &m->r, false);
    c.out = r.out;
    captured_text(&c);
    end = strstr(c.text, "   -");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    *end = '\0';
    CU_ASSERT_STRING_EQUAL(c.text, wanted);
    captured_end(&c);
}

#define ID \
    "0123456789ab" \
    "cdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A container's cgroup is known by the first 12 of the 64 digits of its id, with what comes before them; nothing else
 * is made shorter, but for what a screen has no room for. Columns of the scope are 19, and 6 on a narrow screen; of the
 * 7 or 3 blanks after them, 3 belong to the first share. */
static void scopes(void)
{
    struct made_result m;

    made_begin(&m);
    m.r.nmetrics = 0;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    scope_is(&m, "/a/docker-" ID ".scope", TD_KIND_CGROUP, 0, false, "  docker-0123456789ab    ");
    scope_is(&m, "/a/docker-" ID ".service", TD_KIND_CGROUP, 0, false, "  docker-0123456789ab    ");
    scope_is(&m, "/a/docker-" ID ".slice", TD_KIND_CGROUP, 0, false, "  docker-0123456789ab    ");
    scope_is(&m, ID, TD_KIND_CGROUP, 0, false, "  0123456789ab           ");
    scope_is(&m, "/x/" ID, TD_KIND_CGROUP, 0, false, "  0123456789ab           ");
    scope_is(&m, "/x/a" ID, TD_KIND_CGROUP, 0, false, "  /x/a" ID "    "); /* 65 digits */
    scope_is(&m, ID, TD_KIND_THREAD, 0, false, "  " ID "    ");
    scope_is(&m, "/a.b/c.scope", TD_KIND_CGROUP, 0, false, "  /a.b/c.scope           ");
    scope_is(&m, "/a/", TD_KIND_CGROUP, 0, false, "  /a/                    ");
    scope_is(&m, "S0", TD_KIND_SOCKET, 0, true, "  S0 spr                 ");
    m.uarch.core = 'E';
    scope_is(&m, "S0", TD_KIND_SOCKET, 0, false, "  S0 E                   ");
    scope_is(&m, "abcdefghij", TD_KIND_THREAD, 60, false, "  ab.. E");
}

#undef ID

/* The last column. */
static void verdict_is(struct made_result *m, const char *wanted)
{
    struct captured c;
    struct td_report r = {.verdict = m->verdict};
    const size_t n = strlen(wanted);

    r.out = *captured_begin(&c);
    td_lines_result(&r, &m->r, false);
    c.out = r.out;
    captured_text(&c);
    CU_ASSERT(c.n > n && !strncmp(c.text + c.n - n - 1, wanted, n));
    CU_ASSERT(c.n > n + 3 && !strncmp(c.text + c.n - n - 3, "  ", 2));
    captured_end(&c);
}

static void verdicts(void)
{
    struct made_result m;

    made_begin(&m);
    m.verdict.status = TD_VERDICT_LIKELY;
    verdict_is(&m, "backend_bound: memory_bound~");
    m.verdict.npath = 1;
    m.verdict.node = m.path[0];
    m.verdict.status = TD_VERDICT_DECIDED;
    verdict_is(&m, "backend_bound");
    m.among[0] = &m.metric[MADE_RETIRING];
    m.among[1] = &m.metric[MADE_BACKEND_BOUND];
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED, .among = m.among, .namong = 2};
    verdict_is(&m, "retiring or backend_bound?");
    m.verdict.absent = &m.metric[MADE_FETCH_LATENCY];
    verdict_is(&m, "fetch_latency is absent (missing_event:FETCH.X)");
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    verdict_is(&m, "none: 50 % retiring");
    m.metric[MADE_RETIRING].status = TD_NO_SLOTS;
    verdict_is(&m, "none");
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED, .no_values = true};
    verdict_is(&m, "idle");
    m.metric[MADE_RETIRING].status = TD_ZERO_DIVISOR;
    verdict_is(&m, "zero_divisor");
    m.r.nmetrics = 0;
    verdict_is(&m, "-");
}

/* Of the node that the verdict names, or else of the largest of level 1, the largest child with a value. */
static void below(void)
{
    struct made_result m;

    made_begin(&m);
    m.metric[MADE_CORE_BOUND] = made_metric("core_bound", "backend_bound", 2, 0.06);
    m.metric[MADE_FETCH_LATENCY] = made_metric("fetch_latency", "frontend_bound", 2, 0.3); /* of another node */
    line_is((struct td_report){.explained_marks = ~0u}, false, false, &m,
            "  S0-C1                  50.0      6.0~    18.0?    26.0   memory_bound 20.0         backend_bound: "
            "memory_bound\n");
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    m.metric[MADE_RETIRING].value = 0.04;
    m.metric[MADE_FRONTEND_BOUND].value = 0.25;
    m.metric[MADE_BAD_SPECULATION].value = -0.0004;
    m.metric[MADE_MEMORY_BOUND].value = 0.05;
    line_is(
        (struct td_report){.explained_marks = ~0u}, false, false, &m,
        "  S0-C1                   4.0      0.0~    25.0?    26.0   core_bound 6.0            none: 4 % retiring\n");
    m.metric[MADE_BACKEND_BOUND].status = TD_NOT_COUNTED;
    line_is(
        (struct td_report){.explained_marks = ~0u}, false, false, &m,
        "  S0-C1                   4.0      0.0~    25.0?       -   fetch_latency 30.0        none: 4 % retiring\n");
}

/* Marks of the verdict are explained beside those of the shares; the node is in colour, and nothing else. */
static void marks(void)
{
    struct made_result m;

    made_begin(&m);
    for (int i = MADE_RETIRING; i <= MADE_BACKEND_BOUND; i++)
        made_bounds(&m.metric[i], TD_BOUNDS_SOUND, 0, 1);
    line_is((struct td_report){.colour = true}, false, false, &m,
            "  S0-C1                  50.0      6.0     18.0     26.0   memory_bound 20.0         " TD_COLOUR_LIMIT
            "backend_bound: memory_bound" TD_COLOUR_END "\n");
    m.metric[MADE_RETIRING].bounds = TD_BOUNDS_LIKELY;
    line_is((struct td_report){.width = 0}, false, false, &m,
            "# ~: by likely bounds, 95 of 100 hold\n"
            "  S0-C1                  50.0~     6.0     18.0     26.0   memory_bound 20.0         backend_bound: "
            "memory_bound\n");
    m.metric[MADE_RETIRING].bounds = TD_BOUNDS_SOUND;
    m.verdict.status = TD_VERDICT_LIKELY;
    line_is((struct td_report){.width = 0}, false, false, &m,
            "# ~: by likely bounds, 95 of 100 hold\n"
            "  S0-C1                  50.0      6.0     18.0     26.0   memory_bound 20.0         backend_bound: "
            "memory_bound~\n");
    m.metric[MADE_MEMORY_BOUND].low = (double)NAN;
    line_is((struct td_report){.width = 0}, false, false, &m,
            "# node~: probably; ahead by 15 points or more\n"
            "  S0-C1                  50.0      6.0     18.0     26.0   memory_bound 20.0         backend_bound: "
            "memory_bound~\n");
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED, .among = m.among, .namong = 1};
    line_is((struct td_report){.colour = true}, false, false, &m,
            "# node?: may limit; the bounds leave it open\n"
            "  S0-C1                  50.0      6.0     18.0     26.0                             l3_bound?\n");
    m.verdict.absent = &m.metric[MADE_L3_BOUND];
    line_is((struct td_report){.width = 0}, false, false, &m,
            "  S0-C1                  50.0      6.0     18.0     26.0                             l3_bound is absent "
            "(ok)\n");
}

static const CU_TestInfo tests[] = {
    {"widths", widths},     {"times", times}, {"bars", bars},   {"CPUs", cpus},    {"scopes", scopes},
    {"verdicts", verdicts}, {"below", below}, {"marks", marks}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("lines", tests);
