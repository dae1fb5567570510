/* SPDX-License-Identifier: MIT */
/* What stands below a tree, which is written out by hand: what was not recorded, flags of most rows, what to do next.
 */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

#define HEAD "12.000345678  S0-C1  spr  [perf_metrics]\n"
#define RETIRING "  retiring                50.0 %  44.0 .. 56.0\n"
#define NONE "=> none: 50 % retiring, no node but retiring can be above its threshold\n"

/* retiring, and metrics that lack events: of the i-th level a digit, of its event a letter, '-' one that has a value,
 * below its threshold. */
static void begin(struct made_result *m, const char *missing)
{
    static const char names[][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};

    made_begin(m);
    m->r.flags = m->r.common = 0;
    m->r.coverage = 1;
    m->verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    m->r.nmetrics = 1;
    for (; *missing; missing += 2, m->r.nmetrics++) {
        struct td_metric *to = &m->metric[m->r.nmetrics];

        *to = made_metric(names[m->r.nmetrics - 1], "", *missing - '0', missing[1] == '-' ? 0.25 : (double)NAN);
        to->status = missing[1] == '-' ? TD_OK : TD_MISSING_EVENT;
        to->event = missing[1] == '-'   ? NULL
                    : missing[1] == 'X' ? "EVENT.X"
                    : missing[1] == 'Y' ? "EVENT.Y"
                    : missing[1] == 'z' ? "z"
                    : missing[1] == 'v' ? "v"
                                        : "w";
        to->over = TD_OVER_NO;
    }
}

static void lacks(const char *missing, const char *cpu, const struct td_report *settings, const char *wanted)
{
    struct made_result m;
    struct td_report r = *settings;
    char text[1024];

    begin(&m, missing);
    m.r.cpu = cpu;
    r.explained_flags = r.explained_marks = ~0u;
    snprintf(text, sizeof(text), "12.000345678  S0-C1  %s  [perf_metrics]\n%s%s%s", cpu, RETIRING, wanted, NONE);
    made_is("tree", &r, false, &m, text);
}

#define A "    a                     25.0 %  no bounds\n"
#define HOW "tdprobe perf-command --uarch spr --level "
#define ONE_HIDDEN "  1 node below its threshold is not shown: --all\n"

/* Each event once, with all that lack it; of many for deeper levels only how many. */
static void missing(void)
{
    static const struct td_report plain;

    lacks("2-2X2Y2X", "spr", &plain,
          A "  not recorded: EVENT.X disables b, d; EVENT.Y disables c; " HOW "2 prints what to record\n");
    lacks("2-2X", "spr", &(struct td_report){.no_fixed = true},
          A "  not recorded: EVENT.X disables b; " HOW "2 --no-fixed prints what to record\n");
    lacks(
        "2-2X", "spr|emr|gnr", &plain,
        A
        "  not recorded: EVENT.X disables b; tdprobe perf-command --uarch NAME --level 2 prints what to record, where "
        "NAME is spr, emr or gnr\n");
    lacks("2-2X3-3X", "spr", &plain,
          A ONE_HIDDEN "  not recorded: EVENT.X disables b, d; " HOW "3 prints what to record\n");
    lacks("2-2X2Y2z2v2w", "spr", &plain,
          A "  not recorded: EVENT.X disables b; EVENT.Y disables c; z disables d; v disables e; w disables f; " HOW
            "2 prints what to record\n");
    lacks("2-3-2X2Y3z3v", "spr", &plain,
          A ONE_HIDDEN "  not recorded: EVENT.X disables c; EVENT.Y disables d; z disables e; v disables f; " HOW
                       "3 prints what to record\n");
    lacks("2-3-2X2Y3z3v3w3X", "spr", &plain,
          A ONE_HIDDEN "  not recorded: 5 events of 6 metrics; " HOW "3 prints what to record\n");
    lacks("2-3-3-2X", "spr", &plain,
          A "  2 nodes below their thresholds are not shown: --all\n  not recorded: EVENT.X disables d; " HOW
            "2 prints what to record\n");
}

/* Events of a level of which nothing is there are not named, nor those of deeper ones; of a branch those of levels 1
 * and 2 are. */
static void missing_levels(void)
{
    static const struct td_report plain, branch = {.branch = true};

    lacks("2X", "spr", &plain, "  level 2 not recorded; " HOW "2 prints what to record\n");
    lacks("2-3X3Y", "spr", &plain, A "  level 3 not recorded; " HOW "3 prints what to record\n");
    lacks("2-2X3X3Y", "spr", &plain, A "  not recorded: EVENT.X disables b; level 3; " HOW "3 prints what to record\n");
    lacks("2-2X4Y6z", "spr", &plain, A "  not recorded: EVENT.X disables b; level 4; " HOW "4 prints what to record\n");
    lacks("2-6z", "spr", &plain, A "  level 6 not recorded; " HOW "6 prints what to record\n");
    lacks("2X6Y", "spr", &branch, "  not recorded: EVENT.X disables a; " HOW "2 prints what to record\n");
    lacks("3X", "spr", &branch, "");
}

/* The first metric of all may be the one that lacks the event. */
static void first_of_all(void)
{
    static const struct td_report branch = {.branch = true};
    struct made_result m;
    struct td_report r = branch;

    begin(&m, "2Y2X");
    m.metric[0].status = TD_MISSING_EVENT;
    m.metric[0].event = "EVENT.X";
    m.metric[0].value = m.metric[0].low = m.metric[0].high = (double)NAN;
    r.explained_flags = r.explained_marks = ~0u;
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr  [perf_metrics]\n"
            "  not recorded: EVENT.X disables retiring, b; EVENT.Y disables a; " HOW "2 prints what to record\n"
            "=> no node is above its threshold\n");
}

/* More events than are remembered by their hashes: each still counts once. */
static void many_missing(void)
{
    enum { EVENTS = 600, AGAIN = 10 };
    static struct td_metric metric[2 + EVENTS + AGAIN];
    static char event[EVENTS][16];
    struct made_result m;
    struct td_report r = {.explained_flags = ~0u, .explained_marks = ~0u};

    begin(&m, "3-");
    metric[0] = m.metric[0];
    metric[1] = m.metric[1];
    for (size_t i = 0; i < EVENTS + AGAIN; i++) {
        const size_t e = i < EVENTS ? i : i - AGAIN;

        snprintf(event[e], sizeof(event[e]), "EVENT.%zu", e);
        metric[2 + i] = made_metric("n", "", 3, (double)NAN);
        metric[2 + i].status = TD_MISSING_EVENT;
        metric[2 + i].event = event[e];
    }
    m.r.metrics = metric;
    m.r.nmetrics = 2 + EVENTS + AGAIN;
    made_is("tree", &r, false, &m,
            HEAD RETIRING ONE_HIDDEN "  not recorded: 600 events of 610 metrics; " HOW
                                     "3 prints what to record\n" NONE);
}

/* Flags of most of 8 and more rows are said once, with the rows that lack them; those of fewer stay in their rows. */
static void flags_of_most(void)
{
    struct made_result m;
    struct td_report r = {.explained_flags = ~0u, .explained_marks = ~0u};

    made_begin(&m);
    m.r.flags = m.r.common = 0;
    m.r.coverage = 1;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    m.r.nmetrics = 9;
    for (size_t i = 0; i < 9; i++) {
        m.metric[i] = made_metric("n", "", 1, 0.5);
        made_bounds(&m.metric[i], TD_BOUNDS_SOUND, 0.5, 0.5);
        m.metric[i].flags = i < 8 ? TD_FLAG_MULTIPLEXED : TD_FLAG_NEGATIVE;
    }
    m.metric[8].name = "other";
    made_is("tree", &r, false, &m,
            HEAD
            "  n                       50.0 %\n  n                       50.0 %\n  n                       50.0 %\n"
            "  n                       50.0 %\n  n                       50.0 %\n  n                       50.0 %\n"
            "  n                       50.0 %\n  n                       50.0 %\n"
            "  other                   50.0 %  ! negative\n"
            "  ! multiplexed; not of other\n=> no node is above its threshold\n");
    m.metric[7].flags = 0;
    made_is("tree", &r, false, &m,
            HEAD "  n                       50.0 %  ! multiplexed\n  n                       50.0 %  ! multiplexed\n"
                 "  n                       50.0 %  ! multiplexed\n  n                       50.0 %  ! multiplexed\n"
                 "  n                       50.0 %  ! multiplexed\n  n                       50.0 %  ! multiplexed\n"
                 "  n                       50.0 %  ! multiplexed\n  n                       50.0 %\n"
                 "  other                   50.0 %  ! negative\n=> no node is above its threshold\n");
}

/* ---- what is next ------------------------------------------------------------------------------ */

#define BRIEF "   memory_bound: loads and stores waited for caches or memory\n"
#define LIMITED "=> limited by backend_bound: memory_bound\n"
#define ROWS \
    "  backend_bound           26.0 %\n" \
    "    memory_bound          20.0 %  15.0 .. 25.0\n"
#define COMMAND "perf record -e mem_load_retired.l1_miss:pp,mem_load_retired.l3_miss:pp"

static const struct td_backend perf_metrics = {.name = "intel-perf-metrics"};

static void limited(struct made_result *m)
{
    made_begin(m);
    m->r.flags = m->r.common = 0;
    m->r.coverage = 1;
    m->r.backend = &perf_metrics;
    m->r.metrics = &m->metric[MADE_BACKEND_BOUND];
    m->r.nmetrics = 2;
    m->verdict.namong = 0;
}

/* The command that samples the node, if the screen has room for it: it is 70 columns, its target 14, the blanks before
 * and between them 4. */
static void commands(void)
{
    struct made_result m;
    struct td_report r = {.target = "-a -- sleep 10", .explained_flags = ~0u, .explained_marks = ~0u};

    limited(&m);
    made_is("tree", &r, false, &m, HEAD ROWS LIMITED BRIEF "   " COMMAND " -a -- sleep 10\n");
    r.width = 88;
    made_is("tree", &r, false, &m, HEAD ROWS LIMITED BRIEF "   " COMMAND " -a -- sleep 10\n");
    r.width = 87;
    made_is("tree", &r, false, &m, HEAD ROWS LIMITED BRIEF "   tdprobe explain memory_bound --uarch spr\n");
    r.width = 0;
    r.target = NULL;
    m.r.at.scope_kind = TD_KIND_CPU;
    m.r.at.scope = "CPU3";
    made_is("tree", &r, false, &m,
            "12.000345678  CPU3  spr  [perf_metrics]\n" ROWS LIMITED BRIEF "   " COMMAND " -C 3 -- sleep 10\n");
    /* the same on both CPUs, and not */
    r.target = "x";
    m.r.cpu = "spr|emr";
    m.r.at.scope = "S0-C1";
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr|emr  [perf_metrics]\n" ROWS LIMITED BRIEF "   " COMMAND " x\n");
    m.r.cpu = "spr|none";
    made_is("tree", &r, false, &m,
            "12.000345678  S0-C1  spr|none  [perf_metrics]\n" ROWS LIMITED BRIEF
            "   tdprobe explain memory_bound --uarch NAME, where NAME is spr or none\n");
}

/* Counts that contradict each other are named where values rest on them all the same. */
static void contradictions(void)
{
    static const char *const texts[] = {"a > b", "c > d"};
    struct made_result m;
    struct td_report r = {.explained_flags = ~0u, .explained_marks = ~0u};

    made_begin(&m);
    m.r.nmetrics = 1;
    m.r.coverage = 1;
    m.r.common = 0;
    m.r.contradictions = texts;
    m.r.ncontradictions = 2;
    m.r.flags = TD_FLAG_MULTIPLEXED;
    m.verdict = (struct td_verdict){.status = TD_VERDICT_NONE};
    made_is("tree", &r, false, &m, HEAD RETIRING NONE);
    m.r.flags |= TD_FLAG_COUNTS_DOUBTFUL;
    made_is("tree", &r, false, &m, HEAD RETIRING "  a > b\n  c > d\n" NONE);
}

/* A deeper node is shown where it is asked for, where its threshold is or may be exceeded, or, without a value, that of
 * its parent; with its parents. Below nodes that a verdict names alone with a branch. */
static void deeper(void)
{
    struct made_result m;
    struct td_report r = {.explained_flags = ~0u, .explained_marks = ~0u};

    begin(&m, "2-3-3-");
    made_is("tree", &r, false, &m, HEAD RETIRING A "  2 nodes below their thresholds are not shown: --all\n" NONE);
    r.named = "tma_c";
    made_is("tree", &r, false, &m, HEAD RETIRING A "      c                   25.0 %  no bounds\n" ONE_HIDDEN NONE);
    r.named = NULL;
    m.metric[2].over = TD_OVER_UNKNOWN;
    made_is("tree", &r, false, &m, HEAD RETIRING A "      b                   25.0 %  no bounds\n" ONE_HIDDEN NONE);
    m.metric[2].over = TD_OVER_NO;
    r.all = true;
    made_is("tree", &r, false, &m,
            HEAD RETIRING A
            "      b                   25.0 %  no bounds\n      c                   25.0 %  no bounds\n" NONE);
    r.all = false;
    m.metric[3].parent = "b";
    m.metric[3].level = 4;
    m.metric[3].over = TD_OVER_YES; /* its parent comes with it */
    made_is("tree", &r, false, &m,
            HEAD RETIRING A
            "      b                   25.0 %  no bounds\n        c                 25.0 %  no bounds\n" NONE);
    m.metric[3].status = TD_ZERO_DIVISOR; /* its parent is not above its threshold, and then is */
    made_is("tree", &r, false, &m, HEAD RETIRING A ONE_HIDDEN NONE);
    m.metric[2].over = TD_OVER_YES;
    made_is("tree", &r, false, &m,
            HEAD RETIRING A
            "      b                   25.0 %  no bounds\n        c                      -  zero_divisor\n" NONE);
    r.branch = true;
    made_is("tree", &r, false, &m, HEAD RETIRING A NONE);
    m.metric[3].named = true;
    made_is("tree", &r, false, &m,
            HEAD RETIRING A
            "      b                   25.0 %  no bounds\n        c                      -  zero_divisor\n" NONE);
}

static const CU_TestInfo tests[] = {
    {"the first of all", first_of_all},
    {"what was not recorded", missing},
    {"levels that were not recorded", missing_levels},
    {"many events that were not recorded", many_missing},
    {"flags of most rows", flags_of_most},
    {"commands", commands},
    {"contradictions", contradictions},
    {"deeper nodes", deeper},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("notes of trees", tests);
