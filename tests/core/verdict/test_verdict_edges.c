/* SPDX-License-Identifier: MIT */
/* Where verdicts change: each boundary just below, at and just above it. The thresholds here are 0.25, and all numbers
 * are multiples of 1/64, so that sums and comparisons are exact. */
#include "core/formula/name_hash.h"
#include "core/result.h"
#include "private/result.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define T 0.25 /* the threshold of all nodes */
#define U (1.0 / 64)

enum { NODES = 7 /* the last is never of the result */, TEXTS = 128 };

/* A metric: by default of level 1, with a value, sound bounds and a share of the slots. */
struct made {
    const char *name;
    double low, value, high;
    const char *parent; /* NULL: level 1 */
    enum td_status status;
    unsigned flags;
    bool likely;
    int level; /* 0: 1, or 2 with a parent */
    const char *unit; /* NULL: slots */
    enum td_metric_kind kind;
};

static struct td_metric metrics[NODES];
static struct td_node own[NODES];
static const struct td_node *nodes[NODES];
static uint32_t family[NODES];
static const struct td_metric *among[NODES], *path[NODES];
static bool per_cpu[NODES];
static unsigned char judged[NODES];
static struct td_result r;

/* Behind the last metric stands one that would decide everything: nothing looks at it. */
static void put_behind(size_t n)
{
    own[n] = (struct td_node){.name = "z", .parent = "", .level = 1, .threshold = T};
    nodes[n] = &own[n];
    family[n] = 0;
    metrics[n] = (struct td_metric){.name = "z",
                                    .parent = "",
                                    .level = 1,
                                    .value = 1,
                                    .low = 1,
                                    .high = 1,
                                    .unit = "slots",
                                    .kind = TD_METRIC_NODE,
                                    .flags = TD_FLAG_SUM_OFF};
}

/* The result of these metrics; families: metrics of one parent. */
static void make(const struct made *m, size_t n)
{
    CU_ASSERT_FATAL(n < NODES);
    put_behind(n);
    r = (struct td_result){
        .metrics = metrics, .nodes = nodes, .family = family, .among = among, .path = path, .nmetrics = n};
    for (size_t i = 0; i < n; i++) {
        const char *parent = m[i].parent ? m[i].parent : "";
        const int level = m[i].level ? m[i].level : *parent ? 2 : 1;

        own[i] = (struct td_node){.name = m[i].name, .parent = parent, .level = level, .threshold = T};
        nodes[i] = &own[i];
        per_cpu[i] = false;
        for (family[i] = 0; strcmp(family[i] == i ? parent : metrics[family[i]].parent, parent) != 0; family[i]++)
            ;
        metrics[i] = (struct td_metric){
            .name = m[i].name,
            .parent = parent,
            .level = level,
            .value = m[i].value,
            .low = m[i].low,
            .high = m[i].high,
            .status = m[i].status,
            .flags = m[i].flags,
            .unit = m[i].unit ? m[i].unit : "slots",
            .kind = m[i].kind,
            .bounds = isnan(m[i].low) ? TD_BOUNDS_NONE
                      : m[i].likely   ? TD_BOUNDS_LIKELY
                                      : TD_BOUNDS_SOUND,
        };
    }
}

#define MAKE(...) make((const struct made[]){__VA_ARGS__}, LENGTH(((const struct made[]){__VA_ARGS__})))

/* "b": decided; "b~": likely; "b?ac": b decided, undecided between its children a and c; "b!a": a has no value; "b*":
 * bounds are missing; "-": none. */
static const char *words(void)
{
    static char text[TEXTS];
    struct td_verdict v;
    size_t n = 0;

    td_result_verdict_below(&r, "", &v);
    if (v.status == TD_VERDICT_NONE)
        return "-";
    for (size_t i = 0; i < v.npath; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? "." : "", v.path[i]->name);
    CU_ASSERT((v.npath ? v.path[v.npath - 1] : NULL) == v.node && v.nsound <= v.npath);
    n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s%s", v.nsound < v.npath ? "~" : "", v.unbounded ? "*" : "",
                          v.namong ? "?" : "");
    for (size_t i = 0; i < v.namong; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", v.among[i]->name);
    snprintf(text + n, sizeof(text) - n, "%s%s", v.absent ? "!" : "", v.absent ? v.absent->name : "");
    CU_ASSERT_EQUAL(v.status, !v.node              ? TD_VERDICT_UNDECIDED
                              : v.nsound < v.npath ? TD_VERDICT_LIKELY
                                                   : TD_VERDICT_DECIDED);
    return text;
}

static void says(size_t i, const char *wanted)
{
    const char *got = words();

    if (strcmp(got, wanted) != 0)
        printf("\n    case %zu: %s, wanted %s", i, got, wanted);
    CU_ASSERT_STRING_EQUAL(got, wanted);
}

/* One node limits where its low is above the threshold, may limit where its high is, and does not where neither is.
 * Without bounds its value stands for the high. */
static void thresholds(void)
{
    static const struct {
        double low, value, high;
        const char *says;
    } rows[] = {
        {T, T, T, "-"},
        {T - U, T - U, T, "-"},
        {T - U, T - U, T + U, "?a"},
        {T, T, T + U, "?a"},
        {T, T + U, T + U, "?a"},
        {T - U, T + U, T + 2 * U, "?a"},
        {T + U, T + U, T + U, "a"},
        {T + U, T + 2 * U, 1, "a"},
        {NAN, T, NAN, "-"},
        {NAN, T - U, NAN, "-"},
        {NAN, T + U, NAN, "*?a"},
        {NAN, T + U, T + U, "*?a"},
        {T + U, T + U, NAN, "*?a"},
        {NAN, T, T, "-"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", rows[i].low, rows[i].value, rows[i].high, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        says(i, rows[i].says);
    }
}

/* The largest is decided where its low is above the highs of all others; those whose high reaches it are rivals, up to
 * the first in the order of their values that does not. Equal values keep their order. */
static void rivals(void)
{
    static const struct {
        double high, third, third_high;
        const char *says;
    } rows[] = {
        {0.5 - U, 0.125, 0.125, "a"},   {0.5, 0.125, 0.125, "?ab"},    {0.5 + U, 0.125, 0.125, "?ab"},
        {0.5 - U, 0.375, 0.5 - U, "a"}, {0.5, 0.375, 0.5 - U, "?ab"},  {0.5, 0.375, 0.5, "?abc"},
        {0.5, 0.375 + U, 0.5, "?acb"},  {0.5, 0.375 - U, 0.5, "?abc"}, {0.5, 0.75, 0.75, "c"},
        {0.5, 0.125, T, "?ab"},         {0.5, 0.125, 0.5, "?abc"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double low = rows[i].third;

        MAKE({"a", 0.5, 0.5625, 0.625, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", 0.3125, 0.375, rows[i].high, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", low, low, rows[i].third_high, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        says(i, rows[i].says);
    }
    MAKE({"a", 0.375, 0.375, 0.375, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"c", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"d", 0.625, 0.625, 0.625, "a", TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"e", 0.75, 0.75, 0.75, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_BOTTLENECK});
    says(100, "?bc");
}

/* Level by level: a child decides only below a winner; what is likely stays so further down. */
static void levels(void)
{
    static const struct {
        bool first, second;
        double third;
        const char *says;
    } rows[] = {
        {false, false, 0, "a.b"},    {false, true, 0, "a.b~"},    {true, false, 0, "a.b~"},   {true, true, 0, "a.b~"},
        {false, false, 0.5, "a?bc"}, {true, false, 0.5, "a~?bc"}, {false, true, 0.5, "a?bc"},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, rows[i].first, 0, NULL, TD_METRIC_NODE},
             {"b", 0.5, 0.5, 0.5, "a", TD_OK, 0, rows[i].second, 0, NULL, TD_METRIC_NODE},
             {"c", rows[i].third, rows[i].third, rows[i].third, "a", TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"d", 0.5, 0.5, 0.5, "c", TD_OK, 0, false, 3, NULL, TD_METRIC_NODE});
        says(i, rows[i].says);
    }
    /* of the likely level all was decided before: the first of two is sound */
    MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0.5, 0.5, 0.5, "a", TD_OK, 0, true, 0, NULL, TD_METRIC_NODE},
         {"c", 0.5, 0.5, 0.5, "b", TD_OK, 0, false, 3, NULL, TD_METRIC_NODE});
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.npath == 3 && v.nsound == 1 && v.node == &metrics[2] && v.status == TD_VERDICT_LIKELY &&
              v.remedy == TD_REMEDY_NONE);
    td_result_verdict_below(&r, "a", &v);
    CU_ASSERT(v.npath == 2 && v.nsound == 0 && v.path[0] == &metrics[1] && v.node == &metrics[2]);
    td_result_verdict_below(&r, "b", &v);
    CU_ASSERT(v.npath == 1 && v.nsound == 1 && v.node == &metrics[2] && v.status == TD_VERDICT_DECIDED);
    td_result_verdict_below(&r, "c", &v); /* it has no children, and other nodes have values */
    CU_ASSERT(v.npath == 0 && !v.node && !v.absent && !v.no_values && v.status == TD_VERDICT_UNDECIDED);
}

/* What a node without a value means: b, where a is decided and the others of level 1 have these lows. It has no room
 * where they leave it its threshold or less, or less than a takes, 0.5; an impossible one has none only if they take no
 * more than all slots. */
static void absent(void)
{
    static const struct {
        enum td_status status;
        double low;
        bool contradiction;
        const char *unit;
        int level;
        const char *says;
    } rows[] = {
        {TD_MISSING_EVENT, 0.25, false, NULL, 0, "a"},        {TD_MISSING_EVENT, U, false, NULL, 0, "a"},
        {TD_MISSING_EVENT, 0, false, NULL, 0, "?a!b"},        {TD_MISSING_EVENT, 0.25 + U, false, NULL, 0, "a"},
        {TD_MISSING_EVENT, 0.625, false, NULL, 0, "a"},       {TD_MISSING_EVENT, 0.25, true, NULL, 0, "?a!b"},
        {TD_MISSING_EVENT, 0.25, false, "cycles", 0, "?a!b"}, {TD_MISSING_EVENT, 0.25, false, NULL, 2, "?a!b"},
        {TD_IMPOSSIBLE, 0.25, false, NULL, 0, "a"},           {TD_IMPOSSIBLE, 0.5, false, NULL, 0, "a"},
        {TD_IMPOSSIBLE, 0.5 + U, false, NULL, 0, "?a!b"},     {TD_NOT_COUNTED, 0, false, NULL, 0, "?a!b"},
        {TD_NOT_SUPPORTED, 0, false, NULL, 0, "?a!b"},        {TD_NO_SLOTS, 0, false, NULL, 0, "?a!b"},
        {TD_ZERO_DIVISOR, 0, false, NULL, 0, "?a!b"},         {TD_COUNTER_RESET, 0, false, NULL, 0, "?a!b"},
        {TD_EPOCH_CHANGED, 0, false, NULL, 0, "?a!b"},        {TD_NOT_ON_THIS_CPU, 0, false, NULL, 0, "a"},
        {TD_NOT_IN_THIS_FORMULA, 0, false, NULL, 0, "a"},     {TD_PUBLISHED_FORMULA_WRONG, 0, false, NULL, 0, "a"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, rows[i].status, 0, false, rows[i].level, rows[i].unit, TD_METRIC_NODE},
             {"c", 0, rows[i].low > T ? 0 : rows[i].low, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"d", NAN, NAN, NAN, NULL, TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_INFO}, /* no node */
             {"e", 1, 1, 1, NULL, TD_OK, 0, false, 0, "cycles", TD_METRIC_INFO},
             {"f", 1, 1, 1, "c", TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        metrics[2].low = rows[i].low;
        r.ncontradictions = rows[i].contradiction;
        says(i, rows[i].says);
    }
    /* where no other limits, its threshold alone counts */
    for (unsigned i = 0; i < 2; i++) {
        MAKE({"a", T, T, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", T - i * U, T, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"d", T, T, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        says(i, i ? "!b" : "-");
    }
    /* without bounds of the others nothing is known of what they leave */
    MAKE({"a", NAN, 0.875, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", NAN, NAN, NAN, NULL, TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE});
    says(100, "*?a!b");
    MAKE({"b", NAN, NAN, NAN, NULL, TD_NOT_COUNTED, 0, false, 0, NULL, TD_METRIC_NODE});
    says(101, "!b");
}

/* Flags of any node of the family with a value make the level undecided, those of others do not. */
static void flags_of_a_level(void)
{
    static const struct {
        unsigned flags;
        enum td_metric_kind kind;
        enum td_status status;
        const char *parent, *says;
    } rows[] = {
        {TD_FLAG_SUM_OFF, TD_METRIC_NODE, TD_OK, NULL, "a"},
        {TD_FLAG_COUNTS_DOUBTFUL, TD_METRIC_NODE, TD_OK, NULL, "*?a"},
        {TD_FLAG_MULTIPLEXED, TD_METRIC_NODE, TD_OK, NULL, "a"},
        {TD_FLAG_SUM_OFF, TD_METRIC_INFO, TD_OK, NULL, "a"},
        {TD_FLAG_SUM_OFF, TD_METRIC_NODE, TD_NOT_ON_THIS_CPU, NULL, "a"},
        {TD_FLAG_COUNTS_DOUBTFUL, TD_METRIC_NODE, TD_OK, "a", "a*"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", 0.125, 0.125, 0.125, rows[i].parent, rows[i].status, rows[i].flags, false, 0, NULL, rows[i].kind});
        says(i, rows[i].says);
    }
    /* a sum that is off counts where bounds are missing that would hold all the same */
    MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", NAN, 0.125, NAN, NULL, TD_OK, TD_FLAG_SUM_OFF, false, 0, NULL, TD_METRIC_NODE});
    says(100, "*?a");
}

/* Beyond the usual levels the published condition counts, as it was judged by the bounds: may hold, must hold. */
static void conditions(void)
{
    static const struct {
        unsigned char judged;
        uint16_t number;
        double threshold;
        const char *says;
    } rows[] = {
        {0, TD_NODE_UNNUMBERED, T, "-"},
        {TD_JUDGED_MAY, TD_NODE_UNNUMBERED, T, "?a"},
        {TD_JUDGED_MAY | TD_JUDGED_MUST, TD_NODE_UNNUMBERED, T, "a"},
        {TD_JUDGED_MUST, TD_NODE_UNNUMBERED, T, "-"},
        {0, 7, T, "a"},
        {0, 7, 0.5, "-"},
        {TD_JUDGED_MAY | TD_JUDGED_MUST, TD_NODE_UNNUMBERED, HUGE_VAL, "-"},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        own[0].number = rows[i].number;
        own[0].threshold = rows[i].threshold;
        judged[0] = rows[i].judged;
        r.judged = judged;
        says(i, rows[i].says);
    }
    own[0].threshold = T;
    judged[0] = 0;
    own[0].number = TD_NODE_UNNUMBERED;
    td_result_verdict_by(&r, metrics, &v); /* by other bounds: the condition was not judged by them */
    CU_ASSERT_PTR_EQUAL(v.node, &metrics[0]);
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_PTR_NULL(v.node);
}

/* Rows b (with a child d) and c of level 3, each with texts for its threshold, domain and samples. */
static const char texts[] = "\0b\0c\0d\0a\0v > 0.1\0Slots\0event";
enum { NO_TEXT = 0, B = 1, C = 3, D = 5, A = 7, V = 9, SLOTS = 17, EVENT = 23 };

static void fill_table(struct td_table *t, const struct td_table_row *rows, uint16_t *slots, size_t nslots)
{
    *t = (struct td_table){.row = rows, .n = 3, .slot = slots, .mask = (uint32_t)nslots - 1, .texts = texts};
    memset(slots, 0, nslots * sizeof(*slots));
    for (uint16_t i = 0; i < 3; i++) {
        const char *name = texts + rows[i].name;
        uint32_t at = td_name_hash(name, strlen(name)) & t->mask;

        while (slots[at])
            at = (at + 1) & t->mask;
        slots[at] = (uint16_t)(i + 1);
    }
}

/* Two siblings of level 3 are one node where value, bounds, samples, threshold and domain are the same: the name
 * without children does not count. Numbers are the same within 1e-9 of the first. */
static void two_names(void)
{
    static const struct {
        double low, value, high; /* of c; b has 0.5 */
        uint32_t samples, threshold, domain;
        int level;
        uint32_t parent_of_d;
        enum td_status status; /* of b */
        const char *says;
    } rows[] = {
        {0.5, 0.5, 0.5, EVENT, V, SLOTS, 3, B, TD_OK, "b"},
        {0.5, 0.5, 0.5, EVENT, V, SLOTS, 3, C, TD_OK, "c"},
        {0.5, 0.5, 0.5, EVENT, V, SLOTS, 3, A, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, EVENT, V, SLOTS, 2, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, D, V, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, NO_TEXT, V, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, EVENT, D, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, EVENT, V, D, 3, B, TD_OK, "?bc"},
        {0.5, 0.5 + 4e-10, 0.5, EVENT, V, SLOTS, 3, B, TD_OK, "b"},
        {0.5, 0.5 - 6e-10, 0.5, EVENT, V, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5 + 6e-10, EVENT, V, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5 - 6e-10, 0.5, 0.5, EVENT, V, SLOTS, 3, B, TD_OK, "?bc"},
        {0.5, 0.5, 0.5, EVENT, V, SLOTS, 3, B, TD_NOT_IN_THIS_FORMULA, "c"},
        {NAN, 0.5, NAN, EVENT, V, SLOTS, 3, B, TD_OK, "*?bc"},
        {NAN, 0.5, 0.5, EVENT, V, SLOTS, 3, B, TD_OK, "*?bc"},
    };
    struct td_table t;
    struct td_uarch u = {.table = &t};
    uint16_t slots[8];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_table_row table[] = {
            /* the last is behind the end */
            {.name = D, .parent = rows[i].parent_of_d, .kind = TD_ROW_NODE, .level = 4},
            {.name = B, .samples = EVENT, .threshold = V, .domain = SLOTS, .kind = TD_ROW_NODE, .level = 3},
            {.name = C,
             .samples = rows[i].samples,
             .threshold = rows[i].threshold,
             .domain = rows[i].domain,
             .kind = TD_ROW_NODE,
             .level = 3},
            {.name = D, .parent = C, .kind = TD_ROW_NODE, .level = 4},
        };
        const bool same_bounds = isnan(rows[i].low) && isnan(rows[i].high);

        fill_table(&t, table, slots, LENGTH(slots));
        MAKE({"b", 0.5, 0.5, 0.5, NULL, rows[i].status, 0, false, rows[i].level, NULL, TD_METRIC_NODE},
             {"c", rows[i].low, rows[i].value, rows[i].high, NULL, TD_OK, 0, false, rows[i].level, NULL,
              TD_METRIC_NODE});
        r.uarch = &u;
        metrics[2] = metrics[0]; /* and so is this */
        metrics[2].status = TD_OK;
        says(i, rows[i].says);
        if (!same_bounds)
            continue;
        metrics[0].low = metrics[0].high = (double)NAN; /* both unknown: the same */
        says(i, "*?b");
        metrics[0].low = metrics[1].low = 0; /* and both 0 */
        metrics[0].high = metrics[1].high = 1;
        says(i, "?b");
    }
}

/* Whether among two values 0.5 of level 1 with all these flags and no bounds; deep: a value on level 2; summary; smt:
 * unknown. */
static enum td_remedy remedy_of(unsigned flags, bool bounds, bool likely, bool deep, bool summary, bool smt)
{
    const double none = bounds ? 0 : (double)NAN;
    struct td_verdict v;

    MAKE({"c", 0, 0, 0, "a", deep ? TD_OK : TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE},
         {"a", 0.4375 + none, 0.5, 0.5625 + none, NULL, TD_OK, flags, likely, 0, NULL, TD_METRIC_NODE},
         {"b", 0.4375 + none, 0.5, 0.5625 + none, NULL, TD_OK, flags, likely, 0, NULL, TD_METRIC_NODE});
    metrics[r.nmetrics].level = 2;
    r.summary = summary;
    r.smt_unknown = smt;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.namong == 2 && v.unbounded != bounds);
    return v.remedy;
}

#define MUX TD_FLAG_MULTIPLEXED
#define SPLIT TD_FLAG_SPLIT_GROUPS
#define SMT TD_FLAG_SMT_UNKNOWN

/* Where bounds are missing, the reason decides, the first of these: contradictions, one sibling, siblings unknown, few
 * windows, runs of their own, times unknown, multiplexing, switches. */
static void remedies_without_bounds(void)
{
    static const struct {
        unsigned flags;
        bool deep, summary, smt;
        enum td_remedy remedy;
    } rows[] = {
        {TD_FLAG_COUNTS_DOUBTFUL | TD_FLAG_ONE_SIBLING, false, false, false, TD_REMEDY_DOCTOR},
        {TD_FLAG_SUM_OFF | MUX, false, false, false, TD_REMEDY_DOCTOR},
        {TD_FLAG_ONE_SIBLING | SMT | TD_FLAG_FEW_WINDOWS, false, false, true, TD_REMEDY_CORES},
        {SMT, false, false, true, TD_REMEDY_SMT},
        {SMT, false, false, false, TD_REMEDY_NONE},
        {SMT | TD_FLAG_FEW_WINDOWS, false, false, true, TD_REMEDY_SMT},
        {SMT | MUX, false, false, true, TD_REMEDY_FEWER_EVENTS},
        {SMT | SPLIT, false, true, true, TD_REMEDY_RUNS},
        {SMT | SPLIT, false, false, true, TD_REMEDY_NONE},
        {TD_FLAG_FEW_WINDOWS | SPLIT, false, true, false, TD_REMEDY_LONGER},
        {TD_FLAG_FEW_WINDOWS | TD_FLAG_NO_LIMITS, false, false, false, TD_REMEDY_LONGER},
        {SPLIT, false, true, false, TD_REMEDY_RUNS},
        {SPLIT, false, false, false, TD_REMEDY_NONE},
        {SPLIT | MUX, false, true, false, TD_REMEDY_FEWER_EVENTS},
        {SPLIT | TD_FLAG_NO_LIMITS, false, true, false, TD_REMEDY_RUNS},
        {TD_FLAG_NO_LIMITS | MUX, true, false, false, TD_REMEDY_INTERVALS},
        {TD_FLAG_COVERAGE_UNKNOWN, false, false, false, TD_REMEDY_INTERVALS},
        {TD_FLAG_CPUS_UNKNOWN, false, false, false, TD_REMEDY_INTERVALS},
        {MUX, true, false, false, TD_REMEDY_LEVEL_1},
        {MUX, false, false, false, TD_REMEDY_FEWER_EVENTS},
        {TD_FLAG_MANY_SWITCHES | MUX, true, false, false, TD_REMEDY_LEVEL_1},
        {TD_FLAG_SWITCHES_UNKNOWN, false, false, false, TD_REMEDY_WHOLE_CPUS},
        {TD_FLAG_MANY_SWITCHES, true, false, false, TD_REMEDY_WHOLE_CPUS},
        {TD_FLAG_NO_BOUNDS, true, true, true, TD_REMEDY_NONE},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const enum td_remedy got = remedy_of(rows[i].flags, false, false, rows[i].deep, rows[i].summary, rows[i].smt);

        if (got != rows[i].remedy)
            printf("\n    case %zu: %d, wanted %d", i, (int)got, (int)rows[i].remedy);
        CU_ASSERT_EQUAL(got, rows[i].remedy);
    }
}

/* Where likely bounds are too wide; sound ones cannot become narrower. */
static void remedies_for_narrower(void)
{
    static const struct {
        unsigned flags;
        bool likely, deep, smt;
        enum td_remedy remedy;
    } rows[] = {
        {MUX, false, true, true, TD_REMEDY_NONE},
        {SMT, true, false, true, TD_REMEDY_SMT},
        {SMT, true, false, false, TD_REMEDY_NONE},
        {SMT | MUX, true, false, true, TD_REMEDY_LONGER},
        {SMT | SPLIT, true, false, true, TD_REMEDY_RUNS},
        {SPLIT, true, false, false, TD_REMEDY_RUNS},
        {0, true, true, false, TD_REMEDY_WHOLE_CPUS},
        {MUX, true, true, false, TD_REMEDY_LEVEL_1},
        {MUX, true, false, false, TD_REMEDY_LONGER},
        {MUX | SPLIT, true, false, false, TD_REMEDY_LONGER},
        {TD_FLAG_ONE_SIBLING, true, false, false, TD_REMEDY_CORES},
        {TD_FLAG_ONE_SIBLING | MUX, true, false, false, TD_REMEDY_LONGER},
        {TD_FLAG_ONE_SIBLING | SPLIT, true, false, false, TD_REMEDY_RUNS},
        {TD_FLAG_ONE_SIBLING | SMT, true, false, true, TD_REMEDY_SMT},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const enum td_remedy got = remedy_of(rows[i].flags, true, rows[i].likely, rows[i].deep, false, rows[i].smt);

        if (got != rows[i].remedy)
            printf("\n    case %zu: %d, wanted %d", i, (int)got, (int)rows[i].remedy);
        CU_ASSERT_EQUAL(got, rows[i].remedy);
    }
    /* below level 1, asking for less does not help */
    MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0.25, 0.5, 0.75, "a", TD_OK, MUX, true, 0, NULL, TD_METRIC_NODE});
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT(v.namong == 1 && v.remedy == TD_REMEDY_LONGER);
}

/* Where nothing is undecided, nothing is to be done, however little was measured; counts that contradict each other are
 * another matter. And a result has values where any of its metrics has one. */
static void no_remedy(void)
{
    static const struct {
        unsigned flags;
        double value;
        enum td_remedy remedy;
        const char *says;
    } rows[] = {
        {MUX, T, TD_REMEDY_NONE, "-"},
        {MUX, 0.5, TD_REMEDY_NONE, "a~"},
        {TD_FLAG_SUM_OFF, T, TD_REMEDY_NONE, "-"},
        {TD_FLAG_COUNTS_DOUBTFUL, T, TD_REMEDY_DOCTOR, "*"},
        {TD_FLAG_COUNTS_DOUBTFUL, 0.5, TD_REMEDY_DOCTOR, "*?a"},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", rows[i].value, rows[i].value, rows[i].value, NULL, TD_OK, rows[i].flags, true, 0, NULL,
              TD_METRIC_NODE});
        says(i, rows[i].says);
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT_EQUAL(v.remedy, rows[i].remedy);
    }
    for (unsigned i = 0; i < 3; i++) {
        MAKE({"a", NAN, NAN, NAN, NULL, i == 0 ? TD_OK : TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, i == 1 ? TD_OK : TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE});
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT_EQUAL(v.no_values, i == 2);
    }
}

/* A formula of one CPU's counts, undecided where those of several were added up: one CPU at a time. */
static void remedy_of_one_cpu(void)
{
    static const struct {
        enum td_scope_kind kind;
        bool first, third;
        enum td_remedy remedy;
    } rows[] = {
        {TD_KIND_SYSTEM, true, false, TD_REMEDY_ONE_CPU}, {TD_KIND_CORE, true, false, TD_REMEDY_ONE_CPU},
        {TD_KIND_CPU, true, false, TD_REMEDY_NONE},       {TD_KIND_NONE, true, false, TD_REMEDY_NONE},
        {TD_KIND_SOCKET, false, false, TD_REMEDY_NONE},   {TD_KIND_SYSTEM, false, false, TD_REMEDY_NONE},
        {TD_KIND_SYSTEM, false, true, TD_REMEDY_NONE},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.375, 0.5, 0.625, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", 0.375, 0.4375, 0.625, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", 0, 0, 0, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        per_cpu[1] = rows[i].first;
        per_cpu[2] = rows[i].third; /* not among those that it is undecided between */
        r.at.scope_kind = rows[i].kind;
        r.per_cpu = per_cpu;
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT(v.namong == 2 && v.remedy == rows[i].remedy);
    }
    per_cpu[1] = true;
    r.at.scope_kind = TD_KIND_CPU;
    for (int several = 0; several < 2; several++) { /* CPUs that are called one */
        r.several_cpus = several;
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT_EQUAL(v.remedy, several ? TD_REMEDY_ONE_CPU : TD_REMEDY_NONE);
    }
    r.several_cpus = false;
    r.at.scope_kind = TD_KIND_SYSTEM;
    per_cpu[0] = true; /* the largest of them */
    per_cpu[1] = per_cpu[2] = false;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_EQUAL(v.remedy, TD_REMEDY_ONE_CPU);
    r.per_cpu = NULL;
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_EQUAL(v.remedy, TD_REMEDY_NONE);
}

/* An impossible share shows that the counters lie, unless it was scaled up from part of the time and nothing else
 * contradicts. */
static void remedy_of_the_impossible(void)
{
    static const struct {
        enum td_status status;
        unsigned flags;
        bool contradiction;
        const char *parent;
        enum td_remedy remedy;
    } rows[] = {
        {TD_IMPOSSIBLE, 0, false, NULL, TD_REMEDY_DOCTOR},  {TD_IMPOSSIBLE, MUX, false, NULL, TD_REMEDY_NONE},
        {TD_IMPOSSIBLE, MUX, true, NULL, TD_REMEDY_DOCTOR}, {TD_MISSING_EVENT, 0, true, NULL, TD_REMEDY_NONE},
        {TD_IMPOSSIBLE, 0, true, "a", TD_REMEDY_NONE},
    };
    struct td_verdict v;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, rows[i].flags, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, rows[i].parent, rows[i].status, 0, false, 0, "cycles", TD_METRIC_NODE},
             {"c", 0.125, 0.125, 0.125, rows[i].parent, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        r.ncontradictions = rows[i].contradiction;
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT(v.absent == &metrics[1] && v.remedy == rows[i].remedy);
    }
    /* no value at all: the reason that one gives, where counts contradict each other */
    for (unsigned i = 0; i < 4; i++) {
        MAKE({"b", NAN, NAN, NAN, NULL, TD_IMPOSSIBLE, 0, false, 0, NULL, TD_METRIC_NODE});
        metrics[0].why = i & 1 ? "why" : NULL;
        r.ncontradictions = i >> 1;
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT(v.no_values && v.absent == &metrics[0] && v.status == TD_VERDICT_UNDECIDED &&
                  v.remedy == (i == 3 ? TD_REMEDY_DOCTOR : TD_REMEDY_NONE));
    }
}

/* Where the largest need not be above its threshold, which is higher than those of the others, the next one may be what
 * limits, down to the first that must be above its own. */
static void largest_unsure(void)
{
    static const struct {
        double low, threshold;
        const char *says;
    } rows[] = {{0.75, 0.75 - U, "a"}, {0.75, 0.75, "?ab"}, {0.75, 0.75 + U, "?ab"}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", rows[i].low, 0.8, 0.85, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", T + 2 * U, T + 2 * U, T + 2 * U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", T + U, T + U, T + U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        own[0].threshold = rows[i].threshold;
        says(i, rows[i].says);
    }
}

/* Retiring alone, about its threshold: whether it is above or not, nothing stalls. Above it for certain, that is the
 * verdict; with another node that may be above, it is between the two. */
static void retiring_alone(void)
{
    MAKE({"retiring", T - U, T + U, T + 2 * U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0, 0, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(0, "-");
    MAKE({"retiring", T - 2 * U, T - U, T + U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0, 0, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(1, "-");
    MAKE({"retiring", T + U, T + U, T + 2 * U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", 0, 0, T, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(2, "retiring");
    MAKE({"retiring", T - U, T + 3 * U, T + 4 * U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", T + U, T + U, T + U, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(3, "?retiringb");
    MAKE({"retiring", NAN, T + U, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(4, "*?retiring");
}

/* Without bounds one that is 15 points ahead, at 30 % or more, is named, if a few points are all that the reasons
 * explain. */
static void leaders(void)
{
    const unsigned small = TD_FLAG_MULTIPLEXED | TD_FLAG_CPUS_UNKNOWN;
    static const struct {
        double first, next;
        unsigned more;
        bool printed;
        const char *says;
        double lacks; /* by how much a term that was left out may move the first */
    } rows[] = {
        {0.5, 0.34, 0, false, "a~", 0},
        {0.5, 0.36, 0, false, "*?ab", 0},
        {0.30, T - U, 0, false, "a~", 0},
        {0.29, T - U, 0, false, "*?a", 0},
        {0.5, 0.34, TD_FLAG_FEW_WINDOWS, false, "*?ab", 0},
        {0.5, 0.34, TD_FLAG_IN_STEP, false, "*?ab", 0},
        {0.5, 0.34, TD_FLAG_MANY_SWITCHES, false, "*?ab", 0},
        {0.5, 0.34, TD_FLAG_NO_BOUNDS, false, "a~", 0}, /* beside cpus_unknown */
        {0.5, 0.34, TD_FLAG_NO_BOUNDS | TD_FLAG_SWITCHES_UNKNOWN, false, "a~", 0},
        {0.5, 0.34, TD_FLAG_FEW_WINDOWS, true, "a~", 0},
        {0.5, 0.34, TD_FLAG_SUM_OFF, false, "*?ab", 0},
        {0.5, 0.34, TD_FLAG_CORRECTION_MISSING, false, "a~", 0.05 - U},
        {0.5, 0.34, TD_FLAG_CORRECTION_MISSING, false, "*?ab", 0.05 + U},
        {0.5, 0.34, TD_FLAG_CORRECTION_MISSING, false, "a~", 0.05}, /* without what rounding adds */
        {0.5, 0.34, TD_FLAG_CORRECTION_MISSING, false, "a~", 0.05 + 7e-10},
        {0.5, 0.34, TD_FLAG_CORRECTION_MISSING, false, "*?ab", 0.05 + 15e-10},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", NAN, rows[i].first, NAN, NULL, TD_OK, small | rows[i].more, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, rows[i].next, NAN, NULL, TD_OK, small | rows[i].more, false, 0, NULL, TD_METRIC_NODE});
        r.printed = rows[i].printed;
        r.lacks = (double[]){rows[i].lacks, 0, 0};
        says(i, rows[i].says);
    }
    /* nothing is known of why there are none */
    MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    says(100, "*?a");
    MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_MULTIPLEXED | TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE});
    says(101, "*?a");
    MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS | TD_FLAG_SWITCHES_UNKNOWN, false, 0, NULL,
          TD_METRIC_NODE});
    says(102, "a~");
    /* fields of the metrics register may be off the slots by as much as each of them may be off */
    for (int near = 0; near < 2; near++) {
        MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_SUM_OFF, false, 0, NULL, TD_METRIC_NODE});
        r.sum_near = near;
        says(103 + (size_t)near, near ? "a~" : "*?a");
    }
}

/* Bounds that overlap: by 3 and 4 units each for itself, their difference is off by 5; by terms that add to one what
 * they take from the other, and by windows, it is off by both together. */
static void differences(void)
{
    static const struct {
        double next; /* units before the first's value; the other may be 4 more, the first 3 less */
        unsigned flags;
        double lacks[2]; /* units of each that are of terms that were left out, beyond the 3 and 4 */
        const char *says;
    } rows[] = {
        {6, TD_FLAG_NO_BOUNDS, {0, 0}, "a~"},
        {5, TD_FLAG_NO_BOUNDS, {0, 0}, "?ab"},
        {8, TD_FLAG_NO_BOUNDS, {0, 0}, "a~"}, /* no overlap */
        {7, TD_FLAG_SUM_OFF | TD_FLAG_SWITCHES_UNKNOWN, {0, 0}, "a~"},
        {7, TD_FLAG_MULTIPLEXED, {0, 0}, "?ab"},
        {7, TD_FLAG_SMT_UNKNOWN, {0, 0}, "?ab"},
        {9, TD_FLAG_CORRECTION_MISSING, {1, 2}, "a~"},
        {8, TD_FLAG_CORRECTION_MISSING, {1, 2}, "?ab"},
        {8, TD_FLAG_CORRECTION_MISSING, {2, 1}, "?ab"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double a = T + 16 * U, b = a - rows[i].next * U, *lacks = rows[i].lacks;

        MAKE({"a", a - (3 + lacks[0]) * U, a, a, NULL, TD_OK, rows[i].flags, true, 0, NULL, TD_METRIC_NODE},
             {"b", b, b, b + (4 + lacks[1]) * U, NULL, TD_OK, rows[i].flags, true, 0, NULL, TD_METRIC_NODE});
        r.lacks = (double[]){lacks[0] * U, lacks[1] * U, 0};
        says(i, rows[i].says);
    }
    /* sound bounds that overlap: either may be greater; of level 2 no difference is proven; a first that need not be
     * above its threshold */
    MAKE({"a", T + 13 * U, T + 16 * U, 1, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
         {"b", T, T + 10 * U, T + 14 * U, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE});
    says(20, "?ab");
    MAKE({"p", 0.9, 0.9, 0.9, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"a", T + 13 * U, T + 16 * U, 1, "p", TD_OK, TD_FLAG_NO_BOUNDS, true, 0, NULL, TD_METRIC_NODE},
         {"b", T, T + 10 * U, T + 14 * U, "p", TD_OK, TD_FLAG_NO_BOUNDS, true, 0, NULL, TD_METRIC_NODE});
    says(21, "p?ab");
    MAKE({"a", T - U, T + 2 * U, 1, NULL, TD_OK, TD_FLAG_NO_BOUNDS, true, 0, NULL, TD_METRIC_NODE},
         {"b", 0, T - 4 * U, T + U, NULL, TD_OK, TD_FLAG_NO_BOUNDS, true, 0, NULL, TD_METRIC_NODE});
    says(22, "?ab");
}

/* A node that was not recorded, where likely bounds of the others are wide: by their values, together they leave it
 * nothing. */
static void leaders_of_the_absent(void)
{
    static const struct {
        double first, rest;
        enum td_status status;
        const char *says;
    } rows[] = {
        {0.74, 0.25, TD_MISSING_EVENT, "a~"},
        {0.5, 0.14, TD_MISSING_EVENT, "?a!b"},
        {0.5, 0.16, TD_MISSING_EVENT, "a~"},
        {0.74, 0.25, TD_IMPOSSIBLE, "?a!b"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.3, rows[i].first, 1, NULL, TD_OK, TD_FLAG_MULTIPLEXED, true, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, rows[i].status, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", 0, rows[i].rest, T, NULL, TD_OK, TD_FLAG_MULTIPLEXED, true, 0, NULL, TD_METRIC_NODE});
        says(i, rows[i].says);
    }
}

/* Of percentages that were printed, those of level 1 that were not may have the rest: 15 points of it may be a limit.
 */
static void unprinted_rest(void)
{
    static const struct {
        double share; /* of each of five nodes */
        bool printed;
        const char *says;
    } rows[] = {{0.168, true, "*"}, {0.172, true, "-"}, {0.168, false, "-"}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double share = rows[i].share;

        MAKE({"a", NAN, share, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, share, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"c", NAN, share, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"d", NAN, share, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"e", NAN, share, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE});
        r.printed = rows[i].printed;
        says(i, rows[i].says);
    }
    for (int more = 0; more < 2; more++) { /* 1 - 3 / 4 - (1 / 4 - 15 / 100), without rounding; and a little less */
        const double rest = T - (0.15 - more * 1e-9);

        MAKE({"a", NAN, T, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, T, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"c", NAN, T, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE},
             {"d", NAN, rest, NAN, NULL, TD_OK, TD_FLAG_NO_BOUNDS, false, 0, NULL, TD_METRIC_NODE});
        r.printed = true;
        says(LENGTH(rows) + (size_t)more, more ? "-" : "*");
    }
}

/* Each flag alone, of a node that has no bounds, or of two whose likely ones overlap by less than what each is off by
 * for itself: which ones explain a few points only, and which ones nothing that both are off by together. */
static void flags_alone(void)
{
    static const struct {
        unsigned flag;
        const char *little, *own;
    } rows[] = {
        {TD_FLAG_NEGATIVE, "a~", "a~"},
        {TD_FLAG_OVER_ONE, "a~", "a~"},
        {TD_FLAG_MULTIPLEXED, "a~", "?ab"},
        {TD_FLAG_SPLIT_GROUPS, "a~", "?ab"},
        {TD_FLAG_SUM_OFF, "*?a", "a~"},
        {TD_FLAG_NO_BOUNDS, "*?a", "a~"},
        {TD_FLAG_REVISION_ASSUMED, "*?a", "?ab"},
        {TD_FLAG_SMT_UNKNOWN, "*?a", "?ab"},
        {TD_FLAG_ONE_SIBLING, "*?a", "?ab"},
        {TD_FLAG_WIDTH_ASSUMED, "*?a", "?ab"},
        {TD_FLAG_CORRECTION_MISSING, "a~", "a~"},
        {TD_FLAG_CPUS_CHANGED, "*?a", "?ab"},
        {TD_FLAG_MUX_INTERVAL_ASSUMED, "a~", "?ab"},
        {TD_FLAG_FEW_WINDOWS, "*?a", "?ab"},
        {TD_FLAG_COVERAGE_UNKNOWN, "a~", "?ab"},
        {TD_FLAG_CPUS_UNKNOWN, "a~", "?ab"},
        {TD_FLAG_IN_STEP, "*?a", "?ab"},
        {TD_FLAG_NO_LIMITS, "*?a", "?ab"},
        {TD_FLAG_SWITCHES_UNKNOWN, "a~", "a~"},
        {TD_FLAG_MANY_SWITCHES, "*?a", "?ab"},
        {TD_FLAG_LATENCY_ASSUMED, "*?a", "?ab"},
        {TD_FLAG_OTHER_WIDTH, "*?a", "?ab"},
        {TD_FLAG_COUNTS_DOUBTFUL, "*?a", "*?ab"},
        {TD_FLAG_REST_OF_SLOTS, "a~", "?ab"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const double a = T + 16 * U, b = T + 9 * U;

        MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, rows[i].flag, false, 0, NULL, TD_METRIC_NODE});
        says(i, rows[i].little);
        for (unsigned of = 1; of < 4; of++) { /* the first's, the second's, or both */
            MAKE({"a", a - 4 * U, a, a, NULL, TD_OK, of & 1 ? rows[i].flag : 0, true, 0, NULL, TD_METRIC_NODE},
                 {"b", b, b, b + 4 * U, NULL, TD_OK, of & 2 ? rows[i].flag : 0, true, 0, NULL, TD_METRIC_NODE});
            says(i, rows[i].own);
        }
    }
    /* and those of the result as a whole, of a node that is decided by its bounds */
    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        r.flags = rows[i].flag;
        says(i, rows[i].flag & (TD_FLAG_REVISION_ASSUMED | TD_FLAG_SMT_UNKNOWN) ? "a~" : "a");
    }
}

/* Without bounds only nodes of the usual levels lead; each of the others must be off by little, too. */
static void leaders_by_level(void)
{
    for (int level = 1; level <= 3; level++) {
        MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_MULTIPLEXED, false, level, NULL, TD_METRIC_NODE});
        says((size_t)level, level < 3 ? "a~" : "*?a");
    }
    for (unsigned i = 0; i < 3; i++) {
        MAKE({"a", NAN, 0.75, NAN, NULL, TD_OK, TD_FLAG_MULTIPLEXED, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, 0.5, NAN, NULL, TD_OK, i == 1 ? TD_FLAG_IN_STEP : TD_FLAG_MULTIPLEXED, false, 0, NULL,
              TD_METRIC_NODE},
             {"c", NAN, 0.375, NAN, NULL, TD_OK, i == 2 ? TD_FLAG_IN_STEP : TD_FLAG_MULTIPLEXED, false, 0, NULL,
              TD_METRIC_NODE});
        says(10 + i, i ? "*?abc" : "a~");
    }
}

/* A share that was printed leads by as much before what was not: 57 % before 43 %, and 58 % before 42 %. Those that are
 * printed of level 2 lead among themselves, and what level 1 lacks is no part of them. */
static void leaders_of_the_printed(void)
{
    for (unsigned i = 0; i < 2; i++) {
        MAKE({"a", NAN, i ? 0.58 : 0.57, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
        r.printed = true;
        says(i, i ? "a~" : "*?a");
    }
    MAKE({"a", NAN, 0.55, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"c", NAN, 0.26, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", NAN, 0.31, NAN, "a", TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    r.printed = true;
    says(10, "a.b~");
    MAKE({"a", NAN, 0.58, NAN, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", NAN, 0.2, NAN, "a", TD_OK, 0, false, 0, NULL, TD_METRIC_NODE});
    r.printed = true;
    says(11, "a~");
}

/* What a node that was not recorded leaves open, beside a whose low is above the threshold and c that has the rest. */
static void beside_the_absent(void)
{
    static const struct {
        double first, rest;
        unsigned flags; /* of c */
        const char *unit;
        bool contradiction;
        enum td_status status; /* of c */
        const char *says;
    } rows[] = {
        {0.375, 0.5, 0, NULL, false, TD_OK, "a~"}, /* an eighth for b: a quarter less */
        {0.375, 0.375, 0, NULL, false, TD_OK, "?a!b"}, /* a quarter: an eighth less */
        {0.375, 0.5, 0, "cycles", false, TD_OK, "?a!b"},
        {0.375, 0.5, 0, NULL, true, TD_OK, "?a!b"},
        {0.375, 0.5, TD_FLAG_CORRECTION_MISSING, NULL, false, TD_OK, "?a!b"},
        {0.375, 0.5, 0, NULL, false, TD_NOT_COUNTED, "?a!b"},
        {0.31, 0.6, 0, NULL, false, TD_OK, "a~"}, /* 9 points for b */
        {0.29, 0.7, 0, NULL, false, TD_OK, "?a!b"}, /* it is none that leads, whatever the others have */
        {0.31, 0.9, 0, NULL, false, TD_OK, "a~"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        MAKE({"a", T + U / 2, rows[i].first, 1, NULL, TD_OK, 0, true, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", 0, rows[i].rest, T, NULL, rows[i].status, rows[i].flags, true, 0, rows[i].unit, TD_METRIC_NODE},
             {"d", 0.5, 0.5, 0.5, "c", TD_OK, TD_FLAG_CORRECTION_MISSING, false, 0, NULL, TD_METRIC_NODE});
        r.ncontradictions = rows[i].contradiction;
        says(i, rows[i].says);
    }
    /* one without bounds has to be off by little */
    for (unsigned i = 0; i < 2; i++) {
        MAKE({"a", T + U / 2, 0.375, 1, NULL, TD_OK, 0, true, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", NAN, T, NAN, NULL, TD_OK, i ? TD_FLAG_MULTIPLEXED : TD_FLAG_IN_STEP, false, 0, NULL, TD_METRIC_NODE},
             {"d", NAN, T, NAN, NULL, TD_OK, TD_FLAG_MULTIPLEXED, false, 0, NULL, TD_METRIC_NODE});
        says(20 + i, i ? "a~" : "?a!b");
    }
    /* a child that was not recorded is no share of all slots */
    MAKE({"a", 0.75, 0.75, 0.75, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
         {"b", T + U, 0.5, 0.75, "a", TD_OK, 0, true, 0, NULL, TD_METRIC_NODE},
         {"c", NAN, NAN, NAN, "a", TD_MISSING_EVENT, 0, false, 0, NULL, TD_METRIC_NODE});
    says(30, "a?b!c");
    /* a takes more than what is left for certain, unless that lacks a term, which may be a part of b */
    for (unsigned i = 0; i < 2; i++) {
        MAKE({"a", 0.5, 0.5, 0.5, NULL, TD_OK, 0, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, NAN, NAN, NULL, TD_NOT_COUNTED, 0, false, 0, NULL, TD_METRIC_NODE},
             {"c", U, U, U, NULL, TD_OK, i ? TD_FLAG_CORRECTION_MISSING : 0, false, 0, NULL, TD_METRIC_NODE},
             {"d", U, U, U, "c", TD_OK, TD_FLAG_CORRECTION_MISSING, false, 0, NULL, TD_METRIC_NODE});
        says(40 + i, i ? "?a!b" : "a");
    }
}

/* Where the fields of the metrics register are off their slots by what each may be off, the counters do not lie. */
static void remedy_of_near_sums(void)
{
    for (int near = 0; near < 2; near++) {
        struct td_verdict v;

        MAKE({"a", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_SUM_OFF | MUX, false, 0, NULL, TD_METRIC_NODE},
             {"b", NAN, 0.5, NAN, NULL, TD_OK, TD_FLAG_SUM_OFF | MUX, false, 0, NULL, TD_METRIC_NODE});
        r.sum_near = near;
        td_result_verdict_below(&r, "", &v);
        CU_ASSERT_EQUAL(v.remedy, near ? TD_REMEDY_FEWER_EVENTS : TD_REMEDY_DOCTOR);
    }
}

static const CU_TestInfo tests[] = {
    {"each flag alone", flags_alone},
    {"leaders of each level", leaders_by_level},
    {"leaders of what was printed", leaders_of_the_printed},
    {"beside an absent node", beside_the_absent},
    {"remedy of sums that are near", remedy_of_near_sums},
    {"leaders without bounds", leaders},
    {"leaders by a difference", differences},
    {"leaders beside an absent node", leaders_of_the_absent},
    {"what was not printed", unprinted_rest},
    {"thresholds", thresholds},
    {"the largest need not be above its threshold", largest_unsure},
    {"retiring about its threshold", retiring_alone},
    {"rivals", rivals},
    {"levels", levels},
    {"absent nodes", absent},
    {"flags of a level", flags_of_a_level},
    {"published conditions", conditions},
    {"one node in two names", two_names},
    {"remedies where bounds are missing", remedies_without_bounds},
    {"remedies for narrower bounds", remedies_for_narrower},
    {"no remedy", no_remedy},
    {"one CPU at a time", remedy_of_one_cpu},
    {"impossible shares", remedy_of_the_impossible},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("edges of verdicts", tests);
