/* SPDX-License-Identifier: MIT */
/* Published conditions: of a table made here, and down to the leaf of Skylake's tree. */
#include "core/verdict/thresholds.h"
#include "core/formula/name_hash.h"
#include "private/result.h"
#include "tests/support/memory.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

enum { ROWS = 10, SLOTS = 32, TEXTS = 512 };

/* ---- a table ---------------------------------------------------------------------- */

struct made {
    struct td_table table;
    struct td_table_row row[ROWS];
    uint16_t slot[SLOTS];
    char text[TEXTS];
    struct td_node node[ROWS];
    const struct td_node *nodes[ROWS];
    struct td_metric metrics[ROWS];
    struct td_judge *judge;
    struct td_result result;
    size_t used;
};

static uint32_t keep(struct made *t, const char *text)
{
    const size_t at = t->used;

    t->used += (size_t)snprintf(t->text + at, TEXTS - at, "%s", text) + 1;
    return (uint32_t)at;
}

static void add_row(struct made *t, const char *name, const char *parent, const char *threshold)
{
    const size_t i = t->table.n++;
    size_t slot = td_name_hash(name, strlen(name)) & (SLOTS - 1);

    t->row[i] =
        (struct td_table_row){.name = keep(t, name), .parent = keep(t, parent), .threshold = keep(t, threshold)};
    while (t->slot[slot])
        slot = (slot + 1) & (SLOTS - 1);
    t->slot[slot] = (uint16_t)(1 + i);
    t->node[i] = (struct td_node){.name = t->text + t->row[i].name};
    t->nodes[i] = &t->node[i];
    t->metrics[i] = (struct td_metric){.status = TD_MISSING_EVENT};
}

static void make(struct made *t)
{
    char why[256] = "";

    *t = (struct made){.used = 1};
    t->table = (struct td_table){.row = t->row, .slot = t->slot, .mask = SLOTS - 1, .texts = t->text};
    add_row(t, "top", "", "v > 0.2");
    add_row(t, "child", "top", "v > 0.1 & parent");
    add_row(t, "other", "", "v > 0.3 | child.over");
    add_row(t, "plain", "top", "");
    add_row(t, "4k", "", "v < 0.5 & rate / 4 > 0.35");
    add_row(t, "rate", "", "v < 2 * 3 + 1");
    add_row(t, "az_09.", "", "v > 0.2"); /* the first and the last of all that a name may have */
    add_row(t, "of_it", "", "az_09. > 0.3");
    add_row(t, "x", "", "vec > 0.25"); /* "v" alone is the row's own value */
    add_row(t, "vec", "", "x > 0.2 & v > 0.1");
    t->result = (struct td_result){.metrics = t->metrics, .nmetrics = ROWS};
    CU_ASSERT_EQUAL_FATAL(td_judge_new(&t->table, t->nodes, ROWS, &t->judge, why, sizeof(why)), 0);
}

static void give(struct made *t, size_t i, double value, double err)
{
    t->metrics[i] = (struct td_metric){.value = value, .low = value - err, .high = value + err};
}

static void assert_judged(struct made *t, size_t i, enum td_over over, unsigned judged, int line)
{
    td_judge_run(t->judge, &t->result);
    check(t->metrics[i].over == over && t->result.judged[i] == judged, t->node[i].name, line);
}

enum { TOP, CHILD, OTHER, PLAIN, FOUR_K, RATE, NAMED, OF_NAMED, X, VEC, BOTH = TD_JUDGED_MAY | TD_JUDGED_MUST };
#define IS(i, over, judged) assert_judged(&t, i, over, judged, __LINE__)

static void conditions(void)
{
    struct made t;

    make(&t);
    give(&t, TOP, 0.3, 0), give(&t, CHILD, 0.15, 0), give(&t, OTHER, 0.1, 0);
    IS(TOP, TD_OVER_YES, BOTH);
    IS(CHILD, TD_OVER_YES, BOTH);
    IS(OTHER, TD_OVER_YES, BOTH); /* by the child */
    IS(PLAIN, TD_OVER_YES, BOTH); /* always, without a value too */
    give(&t, TOP, 0.1, 0);
    IS(CHILD, TD_OVER_NO, 0); /* by its parent */
    IS(OTHER, TD_OVER_NO, 0);
    give(&t, OTHER, 0.4, 0);
    IS(OTHER, TD_OVER_YES, BOTH);
    give(&t, RATE, 1.6, 0), give(&t, FOUR_K, 0.4, 0);
    IS(FOUR_K, TD_OVER_YES, BOTH); /* 1.6 / 4 is 0.4 */
    give(&t, RATE, 1.2, 0);
    IS(FOUR_K, TD_OVER_NO, 0);
    IS(RATE, TD_OVER_YES, BOTH);
    give(&t, RATE, 8, 0);
    IS(RATE, TD_OVER_NO, 0); /* 2 * 3 + 1 */
    give(&t, NAMED, 0.2, 0);
    IS(NAMED, TD_OVER_NO, 0); /* it is not more */
    IS(OF_NAMED, TD_OVER_NO, 0);
    give(&t, NAMED, 0.4, 0);
    IS(NAMED, TD_OVER_YES, BOTH);
    IS(OF_NAMED, TD_OVER_YES, BOTH);
    give(&t, X, 0.3, 0), give(&t, VEC, 0.2, 0);
    IS(X, TD_OVER_NO, 0);
    IS(VEC, TD_OVER_YES, BOTH);
    give(&t, X, 0.1, 0), give(&t, VEC, 0.3, 0);
    IS(X, TD_OVER_YES, BOTH);
    IS(VEC, TD_OVER_NO, 0);
    td_judge_free(t.judge);
}

static void by_bounds(void)
{
    struct made t;

    make(&t);
    give(&t, TOP, 0.21, 0.02), give(&t, CHILD, 0.15, 0.02);
    IS(TOP, TD_OVER_YES, TD_JUDGED_MAY);
    IS(CHILD, TD_OVER_YES, TD_JUDGED_MAY); /* for certain only if the top is */
    give(&t, TOP, 0.19, 0.02);
    IS(TOP, TD_OVER_NO, TD_JUDGED_MAY);
    IS(CHILD, TD_OVER_NO, TD_JUDGED_MAY);
    give(&t, TOP, 0.19, 0.005);
    IS(CHILD, TD_OVER_NO, 0);
    give(&t, TOP, 0.25, NAN); /* without bounds by its value */
    IS(TOP, TD_OVER_YES, BOTH);
    td_judge_free(t.judge);
}

static void absent_values(void)
{
    struct made t;

    make(&t);
    IS(TOP, TD_OVER_UNKNOWN, TD_JUDGED_MAY);
    give(&t, CHILD, 0.15, 0), give(&t, OTHER, 0.4, 0), give(&t, FOUR_K, 0.6, 0);
    IS(CHILD, TD_OVER_UNKNOWN, TD_JUDGED_MAY); /* its parent is absent */
    IS(OTHER, TD_OVER_YES, BOTH); /* whatever the child is */
    IS(FOUR_K, TD_OVER_NO, 0); /* whatever the rate is */
    give(&t, CHILD, 0.05, 0), give(&t, FOUR_K, 0.4, 0);
    IS(CHILD, TD_OVER_NO, 0); /* whatever its parent is */
    IS(FOUR_K, TD_OVER_UNKNOWN, TD_JUDGED_MAY);
    td_judge_free(t.judge);
    make(&t); /* the second operand decides as the first does */
    give(&t, TOP, 0.3, 0), give(&t, CHILD, 0.15, 0), give(&t, RATE, 1.2, 0);
    IS(OTHER, TD_OVER_YES, BOTH); /* its own value is absent, its child is over */
    IS(FOUR_K, TD_OVER_NO, 0); /* 1.2 / 4, whatever its own value is */
    td_judge_free(t.judge);
}

static void faulty(void)
{
    struct made t;
    struct td_judge *j = NULL;
    char why[256] = "";

    make(&t);
    t.row[TOP].threshold = keep(&t, "v > ");
    CU_ASSERT_EQUAL(td_judge_new(&t.table, t.nodes, ROWS, &j, why, sizeof(why)), -EINVAL);
    CU_ASSERT(strstr(why, "top.over") != NULL);
    t.row[TOP].threshold = keep(&t, "v > 0.1 & child.over"); /* which needs the top */
    CU_ASSERT_EQUAL(td_judge_new(&t.table, t.nodes, ROWS, &j, why, sizeof(why)), -EINVAL);
    td_judge_free(t.judge);
}

/* Two rows of the table, neither of which asks for the other's condition: each is judged. */
static void some_rows(void)
{
    struct made t;
    struct td_judge *j = NULL;
    char why[256] = "";

    make(&t);
    CU_ASSERT_EQUAL_FATAL(td_judge_new(&t.table, &t.nodes[FOUR_K], 2, &j, why, sizeof(why)), 0);
    t.result = (struct td_result){.metrics = &t.metrics[FOUR_K], .nmetrics = 2};
    give(&t, FOUR_K, 0.4, 0), give(&t, RATE, 1.6, 0);
    td_judge_run(j, &t.result);
    CU_ASSERT(t.metrics[FOUR_K].over == TD_OVER_YES && t.metrics[RATE].over == TD_OVER_YES);
    give(&t, RATE, 8, 0);
    td_judge_run(j, &t.result);
    CU_ASSERT(t.metrics[FOUR_K].over == TD_OVER_YES && t.metrics[RATE].over == TD_OVER_NO);
    CU_ASSERT(t.result.judged[0] == BOTH && t.result.judged[1] == 0);
    td_judge_free(j);
    td_judge_free(t.judge);
}

/* What is no row, and what is asked for twice, has no condition; what is not asked for at all is not known. */
static void rows_apart(void)
{
    static const struct td_node none = {.name = "none"};
    struct made t;
    struct td_judge *j = NULL;
    struct td_metric m[5];
    struct td_result result = {.metrics = m, .nmetrics = 5};
    char why[256] = "";

    make(&t);
    const struct td_node *const nodes[] = {&none, &t.node[OTHER], &t.node[OTHER], &none, &t.node[RATE]};

    CU_ASSERT_EQUAL_FATAL(td_judge_new(&t.table, nodes, 5, &j, why, sizeof(why)), 0);
    for (unsigned i = 0; i < 6; i++) { /* "v > 0.3 | child.over", without the child, with a value and without */
        const bool valued = i % 3 != 2;
        const double value = i % 3 ? 0.4 : 0.1;

        for (size_t k = 0; k < 5; k++)
            m[k] = (struct td_metric){.status = valued ? TD_OK : TD_MISSING_EVENT,
                                      .value = value,
                                      .low = value,
                                      .high = value,
                                      .over = TD_OVER_NO};
        td_judge_run(j, &result);
        check(m[0].over == TD_OVER_UNKNOWN && m[2].over == TD_OVER_UNKNOWN && m[3].over == TD_OVER_UNKNOWN, "none",
              (int)i);
        check(m[1].over == (i % 3 == 1 ? TD_OVER_YES : TD_OVER_UNKNOWN), "other", (int)i);
        check(m[4].over == (valued ? TD_OVER_YES : TD_OVER_UNKNOWN), "rate", (int)i);
        check(result.judged[0] == TD_JUDGED_MAY && result.judged[3] == TD_JUDGED_MAY, "may be", (int)i);
        check(result.judged[1] == (i % 3 == 1 ? BOTH : TD_JUDGED_MAY), "may be", (int)i);
    }
    td_judge_free(j);
    td_judge_free(t.judge);
}

/* The reason is given, and what was made is freed. */
static int without_memory(void *ctx)
{
    struct made *t = ctx;
    struct td_judge *j = NULL;
    char why[256] = "";
    const int err = td_judge_new(&t->table, t->nodes, ROWS, &j, why, sizeof(why));

    CU_ASSERT_STRING_EQUAL(why, err ? "out of memory" : "");
    for (unsigned i = 0; i < 2 && !err; i++)
        td_judge_run(j, &t->result);
    td_judge_free(j);
    return err;
}

static void memory(void)
{
    struct made t;

    make(&t);
    CU_ASSERT(memory_each(without_memory, &t, 1, false) > ROWS);
    td_judge_free(t.judge);
}

/* ---- Skylake: 1000 cycles, 4000 slots ----------------------------------------------- */

#define SKL \
    "cycles=1000 INST_RETIRED.ANY=900 UOPS_RETIRED.RETIRE_SLOTS=800 UOPS_ISSUED.ANY=900 INT_MISC.RECOVERY_CYCLES=5 " \
    "IDQ_UOPS_NOT_DELIVERED.CORE=400 CYCLE_ACTIVITY.STALLS_MEM_ANY=600 EXE_ACTIVITY.BOUND_ON_STORES=20 CYCLE_ACTIVITY.STALLS_TOTAL=650 " \
    "EXE_ACTIVITY.1_PORTS_UTIL=100 EXE_ACTIVITY.2_PORTS_UTIL=100 CYCLE_ACTIVITY.STALLS_L1D_MISS=550 " \
    "MEM_LOAD_RETIRED.L2_HIT=10 MEM_LOAD_RETIRED.FB_HIT=1 MEM_LOAD_RETIRED.L1_MISS=20 L1D_PEND_MISS.FB_FULL:c1=40 "

static void ask_level(int level, const char *text)
{
    ask.level = level;
    solve("skl", text);
    ask = usual;
}

#define PATH(v, i, wanted) CU_ASSERT_TRUE((v).npath > (i) && !strcmp((v).path[i]->name, wanted))

static void to_the_leaf(void)
{
    struct td_verdict v;

    ask_level(3, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=500 CYCLE_ACTIVITY.STALLS_L3_MISS=80");
    GIVES("l3_bound", 0.42);
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_EQUAL(v.status, TD_VERDICT_DECIDED);
    CU_ASSERT_EQUAL(v.npath, 3);
    PATH(v, 0, "backend_bound");
    PATH(v, 1, "memory_bound");
    PATH(v, 2, "l3_bound");
    CU_ASSERT_EQUAL(metric("l3_bound")->over, TD_OVER_YES);
    CU_ASSERT_EQUAL(metric("l1_bound")->over, TD_OVER_NO); /* 0.05 of 0.1 */
    /* 0.14 and 0.36 of stalls: their sum is not memory_bound */
    ask_level(3, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=500 CYCLE_ACTIVITY.STALLS_L3_MISS=360");
    td_result_verdict_below(&r, "", &v);
    PATH(v, 2, "dram_bound");
    /* one has no value: it may be the bottleneck */
    ask_level(3, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=500");
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_EQUAL(v.npath, 2);
    CU_ASSERT_PTR_NOT_NULL(v.absent);
    ABSENT("l3_bound", TD_MISSING_EVENT, "CYCLE_ACTIVITY.STALLS_L3_MISS");
    /* level 3 was not asked for */
    ask_level(2, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=500 CYCLE_ACTIVITY.STALLS_L3_MISS=80");
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_EQUAL(v.npath, 2);
    CU_ASSERT_EQUAL(metric("memory_bound")->over, TD_OVER_UNKNOWN);
    CU_ASSERT_PTR_NULL(r.judged);
}

/* 0.46 of cycles are stalls that an L1 miss ends before an L2 miss; 10.5 / 50.5 of these are of L2. */
static void by_its_own_number(void)
{
    struct td_verdict v;

    ask_level(3, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=90 CYCLE_ACTIVITY.STALLS_L3_MISS=40");
    GIVES("l2_bound", 10.5 / 50.5 * 0.46);
    GIVES("dram_bound", 0.04 + 0.46 - 10.5 / 50.5 * 0.46);
    td_result_verdict_below(&r, "", &v);
    PATH(v, 2, "dram_bound");
    CU_ASSERT_EQUAL(metric("l3_bound")->over, TD_OVER_NO); /* 0.05 is not more than 0.05 */
    CU_ASSERT_EQUAL(metric("l2_bound")->over, TD_OVER_YES);
    FLAGS("l2_bound", 0);
}

/* ---- leaves whose conditions and bounds are given ------------------------------------ */

static unsigned char told[400]; /* td_result.judged */

static struct td_metric *leaf(const char *name, double low, double value, double high, unsigned judged)
{
    struct td_metric *m = &r.metrics[metric(name) - r.metrics];

    m->low = low, m->value = value, m->high = high;
    told[m - r.metrics] = (unsigned char)judged;
    return m;
}

/* Skylake, limited by memory, whose nodes below are what the test says they are; the others do not count. */
static void below_memory(void)
{
    ask_level(3, SKL "CYCLE_ACTIVITY.STALLS_L2_MISS=500 CYCLE_ACTIVITY.STALLS_L3_MISS=80");
    CU_ASSERT_FATAL(r.nmetrics <= sizeof(told));
    memset(told, 0, sizeof(told));
    r.judged = told;
}

static void assert_verdict(enum td_verdict_status status, size_t npath, const char *node, const char *first,
                           const char *second, int line)
{
    struct td_verdict v;

    td_result_verdict_below(&r, "", &v);
    check(v.status == status && v.npath == npath && v.node && !strcmp(v.node->name, node), node, line);
    check(v.namong == (size_t) !!first + (size_t) !!second, "how many are undecided", line);
    for (size_t i = 0; i < v.namong && i < 2; i++)
        check(!strcmp(v.among[i]->name, i ? second : first), v.among[i]->name, line);
}
#define LEAF(name) assert_verdict(TD_VERDICT_DECIDED, 3, name, NULL, NULL, __LINE__)
#define OPEN(first, second) assert_verdict(TD_VERDICT_DECIDED, 2, "memory_bound", first, second, __LINE__)

static void its_own_condition(void)
{
    below_memory();
    leaf("l3_bound", 0.3, 0.4, 0.5, BOTH);
    LEAF("l3_bound");
    /* far above its own threshold of 0.05, but its condition may not hold */
    leaf("l3_bound", 0.3, 0.4, 0.5, TD_JUDGED_MAY);
    OPEN("l3_bound", NULL);
    leaf("l3_bound", 0.3, 0.4, 0.5, 0); /* it cannot */
    OPEN(NULL, NULL);
    leaf("dram_bound", 0.05, 0.08, 0.09, BOTH); /* the next one counts, although it is smaller */
    LEAF("dram_bound");
}

static void rivals(void)
{
    below_memory();
    leaf("l3_bound", 0.3, 0.4, 0.5, BOTH);
    leaf("dram_bound", 0.1, 0.2, 0.29, BOTH);
    LEAF("l3_bound");
    leaf("dram_bound", 0.1, 0.2, 0.3, BOTH); /* as large as the other may be */
    OPEN("l3_bound", "dram_bound");
    leaf("dram_bound", 0.1, 0.2, 0.3, TD_JUDGED_MAY); /* it may be over: it may be the larger one */
    OPEN("l3_bound", "dram_bound");
    leaf("dram_bound", 0.1, 0.2, 0.3, 0); /* it is not over, however large */
    LEAF("l3_bound");
    leaf("dram_bound", 0.35, 0.45, 0.55, BOTH); /* the larger one is named first */
    OPEN("dram_bound", "l3_bound");
    leaf("dram_bound", NAN, 0.2, NAN, BOTH); /* without bounds it may be anything */
    OPEN("l3_bound", "dram_bound");
}

/* A function's own values, for which no condition was judged: by the thresholds. */
static void by_other_values(void)
{
    struct td_metric other[sizeof(told)];
    struct td_verdict v;

    below_memory();
    leaf("l3_bound", 0.3, 0.4, 0.5, 0);
    memcpy(other, r.metrics, r.nmetrics * sizeof(*other));
    td_result_verdict_by(&r, other, &v);
    CU_ASSERT_EQUAL(v.npath, 3);
    PATH(v, 2, "l3_bound");
    CU_ASSERT_PTR_EQUAL(r.judged, told);
}

static const CU_TestInfo tests[] = {
    {"conditions", conditions},
    {"by bounds", by_bounds},
    {"absent values", absent_values},
    {"faulty tables", faulty},
    {"some rows of a table", some_rows},
    {"rows apart", rows_apart},
    {"without memory", memory},
    {"to the leaf", to_the_leaf},
    {"by its own number", by_its_own_number},
    {"a leaf's own condition", its_own_condition},
    {"a leaf's rivals", rivals},
    {"by other values", by_other_values},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("published conditions", tests);
