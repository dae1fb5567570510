/* SPDX-License-Identifier: MIT */
/* Pages of results: what is at the top, a row of each scope, errors, runs, phases, and what there is without results.
 */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

/* A report of pages, and what it wrote. */
struct page {
    struct td_report r;
    struct captured c;
};

static void begin(struct page *p, const struct td_report *settings)
{
    p->r = *settings;
    p->r.format = td_report_format_find("html");
    p->r.out = *captured_begin(&p->c);
}

/* Reports a sum. */
static void add(struct page *p, struct made_result *m)
{
    m->r.summary = true;
    p->r.verdict = m->verdict;
    p->r.format->result(&p->r, &m->r);
}

static const char *end(struct page *p)
{
    td_report_end(&p->r, NULL);
    p->c.out = p->r.out;
    return captured_text(&p->c);
}

static void has(const char *text, const char *part, bool wanted)
{
    CU_ASSERT_EQUAL(strstr(text, part) != NULL, wanted);
    if ((strstr(text, part) != NULL) != wanted)
        printf("\n    %s %s\n", wanted ? "no" : "there is", part);
}

static void one(void)
{
    struct page p;
    struct made_result m;
    const char *text;

    made_begin(&m);
    begin(&p, &(struct td_report){
                  .subject = "a<b", .by = "replay", .host = "h&1", .recorded = "./app", .started = "today"});
    add(&p, &m);
    text = end(&p);
    has(text, "<title>a&lt;b: where the slots went</title>", true);
    has(text,
        "<dl class=\"facts\">\n<dt>scope</dt><dd><bdi>S0-C1</bdi></dd>\n<dt>CPU</dt><dd><bdi>spr</bdi></dd>\n"
        "<dt>formula</dt><dd><bdi>perf_metrics</bdi></dd>\n<dt>time</dt><dd>0.250 s</dd>\n"
        "<dt>coverage</dt><dd>counted 75 % of the time</dd>\n<dt>recording</dt><dd><bdi>a&lt;b</bdi></dd>\n"
        "<dt>host</dt><dd><bdi>h&amp;1</bdi></dd>\n<dt>command</dt><dd><bdi>./app</bdi></dd>\n"
        "<dt>started</dt><dd><bdi>today</bdi></dd>\n</dl>\n</header>\n",
        true);
    has(text, "<p class=\"lead\" data-verdict=\"decided\">", true);
    has(text, "<p class=\"advice\">memory_bound: ", true);
    has(text, "tdprobe replay --format html", true);
    has(text, "class=\"scopes\"", false);
    has(text, "<details class=\"result\">", false);
    has(text, "There is no result.", false);
    has(text, "class=\"errors\"", false);
    has(text, "<h2>Runs</h2>", false);
    has(text, "<h2>The tree</h2>", true);
    captured_end(&p.c);
}

/* What is not known is left out; what is measured is no recording. */
static void facts(void)
{
    struct page p;
    struct made_result m;
    const char *text;

    made_begin(&m);
    m.r.at.duration = 0;
    m.r.coverage = (double)NAN;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    begin(&p, &(struct td_report){.subject = "app", .target = "-- app", .by = "stat"});
    add(&p, &m);
    text = end(&p);
    has(text, "<dt>measured</dt><dd><bdi>app</bdi></dd>\n</dl>", true);
    has(text, "<dt>recording</dt>", false);
    has(text, "<dt>time</dt>", false);
    has(text, "<dt>coverage</dt>", false);
    has(text, "<dt>speed</dt>", false);
    has(text, "<p class=\"advice\">", false);
    has(text, "data-verdict=\"none\"", true);
    captured_end(&p.c);
}

/* Cycles and instructions of one group have a rate, and cycles of a task's time on a CPU a frequency. */
static void speed(void)
{
    static const char *const texts[] = {"cycles", "instructions"};
    struct page p;
    struct made_result m;

    for (int kind = 0; kind < 3; kind++) {
        made_begin(&m);
        m.r.uarch = td_uarch_by_name("spr");
        m.r.texts = texts;
        m.counts.n = kind ? 2 : 1;
        for (uint32_t i = 0; i < 2; i++)
            m.count[i] = (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, texts[i]),
                                           .text = i,
                                           .value = i ? 5e9 : 2e9,
                                           .enabled = 1e9,
                                           .running = 1e9};
        m.r.at.scope_kind = kind == 1 ? TD_KIND_CPU : TD_KIND_THREAD;
        begin(&p, &(struct td_report){.subject = "s", .by = "replay"});
        add(&p, &m);
        has(end(&p),
            kind == 0   ? "<dt>speed</dt><dd>2.00 GHz</dd>\n"
            : kind == 1 ? "<dt>speed</dt><dd>IPC 2.50</dd>\n"
                        : "<dt>speed</dt><dd>IPC 2.50, 2.00 GHz</dd>\n",
            true);
        captured_end(&p.c);
    }
}

static void several(void)
{
    struct page p;
    struct made_result a, b;
    const char *text;

    made_begin(&a);
    made_begin(&b);
    b.r.at.scope = "S0-C2";
    begin(&p, &(struct td_report){.subject = "s", .by = "replay"});
    add(&p, &a);
    add(&p, &b);
    text = end(&p);
    has(text, "<table class=\"scopes\"><caption>2 results of all that was measured</caption>", true);
    has(text, "<tr><th scope=\"row\"><bdi>S0-C1</bdi></th><td>spr</td><td>limited by ", true);
    has(text, "<tr><th scope=\"row\"><bdi>S0-C2</bdi></th><td>spr</td>", true);
    has(text, "<details class=\"result\"><summary><bdi>S0-C1</bdi>, spr</summary>\n<p class=\"lead\"", true);
    has(text, "<details class=\"result\"><summary><bdi>S0-C2</bdi>, spr</summary>\n<p class=\"lead\"", true);
    has(text, "<h1>Where the slots went</h1>\n<dl class=\"facts\">\n<dt>recording</dt>",
        true); /* no lead of one of them */
    captured_end(&p.c);
}

static void nothing(void)
{
    struct page p;
    const char *text;

    begin(&p, &(struct td_report){.by = "stat"});
    p.r.format->error(&p.r, 69, "no <PMU>");
    p.r.format->error(&p.r, 69, "and more");
    text = end(&p);
    has(text, "<ul class=\"errors\">\n<li>no &lt;PMU&gt;</li>\n<li>and more</li>\n</ul>\n", true);
    has(text, "<p class=\"lead\">There is no result.</p>\n", true);
    has(text, "<title>tdprobe: where the slots went</title>", true);
    has(text, "<h2>The tree</h2>", false);
    captured_end(&p.c);
}

/* Intervals come before the sum of each phase; a sum without a beginning is of no phase. */
static void phases(void)
{
    static const struct td_span spans[] = {{0, 12.5}, {(double)NAN, (double)NAN}};
    struct page p;
    struct made_result m;
    const char *text;

    begin(&p, &(struct td_report){.subject = "s", .by = "phases"});
    for (int i = 0; i < 2; i++) {
        made_begin(&m);
        m.r.uarch = td_uarch_by_name("spr");
        p.r.verdict = m.verdict;
        if (!i)
            p.r.format->result(&p.r, &m.r);
        p.r.span = &spans[i];
        add(&p, &m);
        p.r.span = NULL;
    }
    text = end(&p);
    has(text, "<table class=\"scopes phases\"><caption>1 phases, cut where", true);
    has(text, "<tr><th scope=\"row\">phase 1</th><td>0.000 to 12.500 s</td><td><bdi>S0-C1</bdi></td><td>spr</td>",
        true);
    has(text, "<tr><th scope=\"row\">\xe2\x80\x93</th><td>\xe2\x80\x93</td><td><bdi>S0-C1</bdi></td>", true);
    has(text, "<summary>phase 1, 0.000 to 12.500 s: <bdi>S0-C1</bdi>, spr</summary>", true);
    captured_end(&p.c);
}

/* The sum of a kind of core, of one of several verdicts; what the CPU has no events for is remarked on. */
static void cores(void)
{
    struct page p;
    struct made_result m;
    const char *text;

    made_begin(&m);
    m.uarch.core = 'P';
    m.r.at.scope = "<all>";
    begin(&p, &(struct td_report){.subject = "s", .by = "replay"});
    add(&p, &m);
    m.uarch.core = 'E';
    m.verdict = (struct td_verdict){.status = TD_VERDICT_UNDECIDED};
    add(&p, &m);
    text = end(&p);
    has(text, "<tr><th scope=\"row\"><bdi>&lt;all&gt;</bdi>, P-cores</th><td>spr</td><td>limited by ", true);
    has(text, "<summary><bdi>&lt;all&gt;</bdi>, E-cores, spr</summary>\n<p class=\"lead\" data-verdict=\"undecided\">",
        true);
    has(text, "<dt>scope</dt><dd><bdi>&lt;all&gt;</bdi>, E-cores</dd>\n", true);
    has(text, "<ul class=\"remarks\">\n<li>", true);
    has(text, "<li>!", false); /* the marks of text have no place here */
    has(text, "<li> ", false);
    has(text, "<li></li>", false);
    captured_end(&p.c);
}

/* Intervals alone are a time line, and what limits the sums is what the heat map shows besides level 1: once each. */
static void over_time(void)
{
    for (int chosen = 0; chosen < 2; chosen++) {
        struct page p;
        struct made_result m;
        const char *text;

        begin(&p, &(struct td_report){.subject = "s", .by = "replay", .heat = chosen ? "l3_bound,core_bound" : NULL});
        for (int i = 0; i < 6; i++) {
            made_begin(&m);
            m.r.at.scope = i % 2 ? "S0-C1" : "S0-C0";
            if (i < 4) {
                p.r.verdict = m.verdict;
                p.r.format->result(&p.r, &m.r);
            } else {
                add(&p, &m);
            }
        }
        text = end(&p);
        has(text, "<h2>Over time</h2>\n<p class=\"soft\">4 intervals; ", true);
        has(text,
            chosen ? " data-nodes=\"l3_bound|core_bound\">"
                   : "<section class=\"heat\" hidden=\"hidden\" data-nodes=\"\">",
            true);
        has(text, "<i class=\"below\" data-node=\"memory_bound\">", !chosen);
        has(text, "<i class=\"below\" data-node=\"l3_bound\">", chosen);
        has(text, "<i class=\"below\" data-node=\"backend_bound\">", false); /* of level 1 */
        has(text, "2 results of all that was measured", true);
        captured_end(&p.c);
    }
}

/* The runs' table is that of text, in all its columns, whatever the terminal has. */
static void runs(void)
{
    struct page p;
    struct made_result m;
    struct td_repeat s = {.runs = 2};

    made_begin(&m);
    m.r.nmetrics = 1;
    CU_ASSERT(!td_repeat_add(&s, &m.r) && !td_repeat_add(&s, &m.r));
    td_mean_add(&s.elapsed, 1);
    td_mean_add(&s.elapsed, 1);
    begin(&p, &(struct td_report){.subject = "s", .by = "stat", .width = 30});
    add(&p, &m);
    p.r.format->repeat(&p.r, &s);
    has(end(&p),
        "<section>\n<h2>Runs</h2>\n<pre>          2 runs  S0-C1  [mean +- standard error of the runs]\n"
        "  retiring                50.0 % +- 0.0  44.0 .. 56.0\n"
        "  elapsed                1.000 s +- 0.000\n</pre>\n</section>\n",
        true);
    captured_end(&p.c);
    td_repeat_free(&s);
}

/* The command that tells more about the node that limits, in its full length and without an indent, whatever the
 * terminal has. */
static void commands(void)
{
    static const struct td_backend perf_metrics = {.name = "intel-perf-metrics"};
    struct page p;
    struct made_result m;

    made_begin(&m);
    m.r.backend = &perf_metrics;
    begin(&p, &(struct td_report){.subject = "s", .by = "stat", .target = "-a -- 'a&b'", .width = 40});
    add(&p, &m);
    has(end(&p),
        ".</p>\n<pre><code>perf record -e mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp -a -- 'a&amp;b'"
        "</code></pre>\n",
        true);
    captured_end(&p.c);
}

static const CU_TestInfo tests[] = {
    {"one result", one},  {"facts", facts},       {"speed", speed},         {"several results", several},
    {"nothing", nothing}, {"phases", phases},     {"kinds of core", cores}, {"over time", over_time},
    {"runs", runs},       {"commands", commands}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("pages of results", tests);
