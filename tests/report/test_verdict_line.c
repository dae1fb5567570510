/* SPDX-License-Identifier: MIT */
/* The verdict in words: each reason why none is decided, and each way to decide more. */
#include "report/verdict_line.h"
#include "tests/support/made_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct td_metric backend = {.name = "backend_bound", .low = 0.3}, frontend = {.name = "frontend_bound"},
                              memory = {.name = "memory_bound", .low = NAN},
                              retiring = {.name = "retiring", .value = 0.714, .low = 0.7},
                              doubtful = {.name = "core_bound", .flags = TD_FLAG_COUNTS_DOUBTFUL},
                              missing = {.name = "bad_speculation", .status = TD_MISSING_EVENT, .event = "E1"},
                              wrong = {.name = "x", .status = TD_IMPOSSIBLE, .event = "E2", .why = "E2 <= E3"},
                              idle = {.name = "y", .status = TD_NO_SLOTS};
static const struct td_metric *const two[] = {&backend, &frontend}, *const three[] = {&backend, &frontend, &memory},
                                     *const down[] = {&backend, &memory}, *const retires[] = {&retiring},
                                     *const doubt[] = {&doubtful};

#define UNDECIDED .status = TD_VERDICT_UNDECIDED
#define BETWEEN UNDECIDED, .among = two, .namong = 2
#define BETWEEN_TEXT "undecided between backend_bound and frontend_bound"

static const struct {
    struct td_verdict v;
    const char *text;
} rows[] = {
    /* what decides more */
    {{BETWEEN, .remedy = TD_REMEDY_NONE}, BETWEEN_TEXT},
    {{BETWEEN, .remedy = TD_REMEDY_WHOLE_CPUS}, BETWEEN_TEXT "; counts of whole CPUs (-a) decide more"},
    {{BETWEEN, .remedy = TD_REMEDY_LONGER}, BETWEEN_TEXT "; a longer run decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_LEVEL_1}, BETWEEN_TEXT "; --level 1 decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_FEWER_EVENTS}, BETWEEN_TEXT "; fewer events decide more"},
    {{BETWEEN, .remedy = TD_REMEDY_INTERVALS}, BETWEEN_TEXT "; a recording with -I decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_CORES}, BETWEEN_TEXT "; --per-core decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_ONE_CPU}, BETWEEN_TEXT "; -C N, of one CPU alone, decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_RUNS}, BETWEEN_TEXT "; more runs of each group decide more (-r 8, or more)"},
    {{BETWEEN, .remedy = TD_REMEDY_SMT}, BETWEEN_TEXT "; --smt on or --smt off decides more"},
    {{BETWEEN, .remedy = TD_REMEDY_DOCTOR}, BETWEEN_TEXT "; 'tdprobe doctor' looks into it"},
    /* why nothing is decided */
    {{UNDECIDED, .among = three, .namong = 3}, "undecided between backend_bound, frontend_bound and memory_bound"},
    {{UNDECIDED, .among = two, .namong = 1}, "undecided: only backend_bound may be above its threshold"},
    {{UNDECIDED, .absent = &missing}, "undecided: bad_speculation is absent (missing_event:E1)"},
    {{UNDECIDED, .unbounded = true, .among = two, .namong = 2},
     "undecided: there are no bounds; the largest above its threshold is backend_bound"},
    {{UNDECIDED, .unbounded = true}, "undecided: there are no bounds; no node is above its threshold"},
    {{UNDECIDED, .unbounded = true, .among = two, .namong = 2, .remedy = TD_REMEDY_DOCTOR},
     "no verdict: the counts of level 1 do not add up to the slots; 'tdprobe doctor' looks into it"},
    {{UNDECIDED, .unbounded = true, .among = doubt, .namong = 1, .remedy = TD_REMEDY_DOCTOR},
     "no verdict: the counts contradict each other; 'tdprobe doctor' looks into it"},
    {{UNDECIDED, .absent = &wrong, .remedy = TD_REMEDY_DOCTOR},
     "no verdict: E2 is counted wrongly, or not at all (E2 <= E3); 'tdprobe doctor' looks into it"},
    {{UNDECIDED}, "no verdict: of this CPU only ratios are published, no shares of slots"},
    {{UNDECIDED, .no_values = true}, "no verdict: no metric has a value"},
    {{UNDECIDED, .no_values = true, .absent = &idle}, "idle: no slot passed"},
    {{.status = TD_VERDICT_NONE}, "no node is above its threshold"},
    /* how surely a node is named */
    {{.status = TD_VERDICT_DECIDED, .node = &backend, .path = down, .npath = 1, .nsound = 1},
     "limited by backend_bound"},
    {{.status = TD_VERDICT_LIKELY, .node = &backend, .path = down, .npath = 1}, "probably backend_bound (likely)"},
    {{.status = TD_VERDICT_LIKELY, .node = &memory, .path = down, .npath = 2, .nsound = 1},
     "limited by backend_bound, probably memory_bound (likely: ahead by 15 points or more)"},
    {{.status = TD_VERDICT_DECIDED, .node = &retiring, .path = retires, .npath = 1, .nsound = 1},
     "not stalled: 71.4 % of the slots retire"},
    {{.status = TD_VERDICT_LIKELY, .node = &retiring, .path = retires, .npath = 1},
     "probably not stalled: 71.4 % of the slots retire (likely)"},
    {{.status = TD_VERDICT_DECIDED,
      .node = &backend,
      .path = down,
      .npath = 1,
      .nsound = 1,
      .among = two,
      .namong = 2,
      .remedy = TD_REMEDY_LONGER},
     "limited by backend_bound; below it " BETWEEN_TEXT "; a longer run decides more"},
};

static void words(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[TD_VERDICT_TEXT];

        td_verdict_line(&rows[i].v, NULL, text);
        if (strcmp(text, rows[i].text))
            printf("\n    '%s' and not '%s'", text, rows[i].text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
    }
}

/* Words that are longer together than there is room for are cut where it ends, however many follow. */
static void room(void)
{
    static char long_name[2 * TD_VERDICT_TEXT];
    struct td_metric of = {.name = "n", .status = TD_IMPOSSIBLE, .event = "E", .why = long_name};
    const struct td_metric *many[] = {&of, &of, &of};
    const struct td_verdict why = {UNDECIDED, .absent = &of, .remedy = TD_REMEDY_DOCTOR},
                            among = {UNDECIDED, .among = many, .namong = 3, .remedy = TD_REMEDY_LONGER};
    static const char front[] = "no verdict: E is counted wrongly, or not at all (", between[] = "undecided between ";
    char text[TD_VERDICT_TEXT + 8];

    for (size_t more = 0; more < 3; more++) { /* with the bracket: one byte is left, none, and one is missing */
        memset(long_name, 'x', sizeof(long_name));
        long_name[TD_VERDICT_TEXT - 1 - strlen(front) - 2 + more] = '\0';
        memset(text, '!', sizeof(text));
        td_verdict_line(&why, NULL, text);
        CU_ASSERT_EQUAL(strlen(text), TD_VERDICT_TEXT - 1);
        CU_ASSERT(!strncmp(text, front, strlen(front)));
        CU_ASSERT_STRING_EQUAL(text + TD_VERDICT_TEXT - 4, more == 0 ? "x);" : more == 1 ? "xx)" : "xxx");
        CU_ASSERT_EQUAL(text[TD_VERDICT_TEXT], '!');
        memset(long_name, 'x', sizeof(long_name));
        of.name = long_name;
        long_name[TD_VERDICT_TEXT - 1 - strlen(between) - 1 + more] = '\0';
        memset(text, '!', sizeof(text));
        td_verdict_line(&among, NULL, text);
        CU_ASSERT_EQUAL(strlen(text), TD_VERDICT_TEXT - 1);
        CU_ASSERT_STRING_EQUAL(text + TD_VERDICT_TEXT - 3, more == 0 ? "x," : "xx");
        CU_ASSERT_EQUAL(text[TD_VERDICT_TEXT], '!');
        of.name = "n";
    }
}

/* Of "; below it " five bytes, and nothing of what follows. */
static void room_below(void)
{
    static char long_name[TD_VERDICT_TEXT];
    char text[8 * TD_VERDICT_TEXT]; /* what is written too far is seen there */
    const struct td_metric node = {.name = long_name};
    const struct td_metric *path[] = {&node};
    const struct td_verdict below = {.status = TD_VERDICT_DECIDED,
                                     .node = &node,
                                     .path = path,
                                     .npath = 1,
                                     .nsound = 1,
                                     .among = two,
                                     .namong = 2,
                                     .remedy = TD_REMEDY_LONGER};

    memset(long_name, 'x', sizeof(long_name));
    long_name[TD_VERDICT_TEXT - 1 - strlen("limited by ") - 5] = '\0';
    memset(text, '!', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    td_verdict_line(&below, NULL, text);
    CU_ASSERT_EQUAL(strlen(text), TD_VERDICT_TEXT - 1);
    CU_ASSERT_STRING_EQUAL(text + TD_VERDICT_TEXT - 7, "x; bel");
    CU_ASSERT_EQUAL(strspn(text + TD_VERDICT_TEXT, "!"), sizeof(text) - TD_VERDICT_TEXT - 1);
}

static void says(const struct td_verdict *v, const struct td_result *r, const char *wanted)
{
    char text[TD_VERDICT_TEXT];

    CU_ASSERT_STRING_EQUAL(td_verdict_line(v, r, text), wanted);
    if (strcmp(text, wanted))
        printf("\n    '%s' and not '%s'", text, wanted);
}

/* What the result adds: whether any node of level 1 was printed, and whether anything ran. */
static void of_results(void)
{
    static const struct td_verdict undecided = {UNDECIDED}, none = {UNDECIDED, .no_values = true};
    static const char ratios[] = "no verdict: of this CPU only ratios are published, no shares of slots",
                      deeper[] = "no verdict: no node of level 1 was printed",
                      no_value[] = "no verdict: no metric has a value";
    struct made_result m;

    made_begin(&m);
    says(&undecided, &m.r, ratios);
    m.r.metrics = &m.metric[MADE_MEMORY_BOUND];
    m.r.nmetrics = 2;
    says(&undecided, &m.r, deeper);
    m.r.metrics = &m.metric[MADE_BACKEND_BOUND];
    says(&undecided, &m.r, ratios);
    m.r.nmetrics = 0;
    says(&undecided, &m.r, ratios);
    says(&none, &m.r, no_value);
    m.counts.n = 2;
    m.count[0] = (struct td_count){.status = TD_NOT_COUNTED}; /* enabled for no time */
    m.count[1] = (struct td_count){.status = TD_NOT_COUNTED, .enabled = 4};
    says(&none, &m.r, no_value); /* one was enabled, and did not run */
    m.uarch.core = 'E';
    says(&none, &m.r, "no verdict: nothing ran on E-cores, or others held their counters");
    m.counts.n = 1;
    says(&none, &m.r, "idle: nothing ran");
    m.uarch.core = 0;
    says(&none, &m.r, "idle: nothing ran");
    m.count[0].status = TD_OK;
    m.uarch.core = 'E';
    says(&none, &m.r, no_value);
}

static const CU_TestInfo tests[] = {
    {"each reason and each remedy", words},
    {"more words than there is room for", room},
    {"more words below a node", room_below},
    {"words of results", of_results},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("verdicts in words", tests);
