/* SPDX-License-Identifier: MIT */
/* Whether printed shares are a result's: by how far they are off it, in numbers that are exact in binary. */
#include "session/printed_shares.h"

#include "core/counts/hints.h"
#include "tests/support/unit.h"

#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { FIRST = 3, NODE = 4, OTHER = 7, ABSENT = 9 };

/* Node 3 is a half, node 4 a quarter. The metric between them is none of level 1, and node 7 has no value. What lies
 * after the last metric is none. */
static enum td_printed_says compare(const struct td_printed_shares *p)
{
    static const struct td_node nodes[] = {
        {.number = FIRST}, {.number = NODE}, {.number = NODE}, {.number = OTHER}, {.number = ABSENT}};
    const struct td_node *node[] = {&nodes[0], &nodes[1], &nodes[2], &nodes[3], &nodes[4]};
    struct td_metric metric[] = {{.kind = TD_METRIC_NODE, .value = 0.5},
                                 {.kind = TD_METRIC_INFO, .value = 0.75},
                                 {.kind = TD_METRIC_NODE, .value = 0.25},
                                 {.kind = TD_METRIC_NODE, .status = TD_MISSING_EVENT, .value = 0.25},
                                 {.kind = TD_METRIC_NODE, .value = 0.1}};
    struct td_result r = {.metrics = metric, .nodes = node, .nmetrics = LENGTH(metric) - 1};

    return td_printed_shares_compare(p, &r);
}

/* Twice the same, as one alone says nothing. */
static void one_share(void)
{
    static const double fine = 1.0 / 1024, rough = 1.0 / 64;
    static const struct {
        double off, unit;
        bool plain;
        enum td_printed_says says;
    } rows[] = {
        {0, fine, false, TD_PRINTED_ITS},
        {1.0 / 1024, fine, false, TD_PRINTED_ITS}, /* its last digit may be rounded up or down */
        {-1.0 / 1024, fine, false, TD_PRINTED_ITS},
        {1.0 / 1000, fine, false, TD_PRINTED_OPEN},
        {-1.0 / 1000, fine, false, TD_PRINTED_OPEN},
        {0.0099, fine, false, TD_PRINTED_OPEN}, /* a point, of a published formula */
        {0.0101, fine, false, TD_PRINTED_OTHERS},
        {-0.0099, fine, false, TD_PRINTED_OPEN},
        {-0.0101, fine, false, TD_PRINTED_OTHERS},
        {0.0199, fine, true, TD_PRINTED_OPEN}, /* two points, of one that perf had built in */
        {0.0201, fine, true, TD_PRINTED_OTHERS},
        {1.0 / 64, rough, false, TD_PRINTED_ITS},
        {1.0 / 32, rough, false, TD_PRINTED_OPEN}, /* two in the last digit, where these are more */
        {0.0313, rough, false, TD_PRINTED_OTHERS},
        {1.0 / 32, rough, true, TD_PRINTED_OPEN},
        {0.0313, rough, true, TD_PRINTED_OTHERS},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_printed_share one = {.hint = rows[i].plain ? td_hint_plain(NODE) : td_hint_published(NODE),
                                             .share = 0.25 + rows[i].off,
                                             .unit = rows[i].unit};
        const struct td_printed_shares p = {.of = {one, one}, .n = 2};

        if (compare(&p) != rows[i].says)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(compare(&p), rows[i].says);
    }
}

/* Two that are its, and none that is another's; what was printed differently, or has no value here, says nothing. */
static void several_shares(void)
{
#define UNIT .unit = 1.0 / 1024
#define ITS \
    { \
        .hint = 1 + NODE, .share = 0.25, UNIT \
    }
#define OF_FIRST \
    { \
        .hint = 1 + FIRST, .share = 0.5, UNIT \
    }
#define OPEN \
    { \
        .hint = 1 + NODE, .share = 0.255, UNIT \
    }
#define NOT_ITS \
    { \
        .hint = 1 + NODE, .share = 0.3, UNIT \
    }
#define TWICE \
    { \
        .hint = 1 + NODE, .share = 0.3, UNIT, .several = true \
    }
#define WITHOUT \
    { \
        .hint = 1 + OTHER, .share = 0.3, UNIT \
    }
#define NOWHERE \
    { \
        .hint = 1 + ABSENT, .share = 0.3, UNIT \
    }
    static const struct {
        struct td_printed_shares p;
        enum td_printed_says says;
    } rows[] = {
        {{.n = 0}, TD_PRINTED_OPEN},
        {{.of = {ITS}, .n = 1}, TD_PRINTED_OPEN},
        {{.of = {OF_FIRST, OF_FIRST}, .n = 2}, TD_PRINTED_ITS},
        {{.of = {NOT_ITS}, .n = 1}, TD_PRINTED_OTHERS},
        {{.of = {ITS, OPEN}, .n = 2}, TD_PRINTED_OPEN},
        {{.of = {OPEN, ITS, ITS}, .n = 3}, TD_PRINTED_ITS},
        {{.of = {ITS, ITS, NOT_ITS}, .n = 3}, TD_PRINTED_OTHERS},
        {{.of = {ITS, ITS, NOT_ITS}, .n = 2}, TD_PRINTED_ITS},
        {{.of = {TWICE, ITS, ITS}, .n = 3}, TD_PRINTED_ITS},
        {{.of = {WITHOUT, ITS, ITS}, .n = 3}, TD_PRINTED_ITS},
        {{.of = {NOWHERE, ITS, ITS}, .n = 3}, TD_PRINTED_ITS},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        if (compare(&rows[i].p) != rows[i].says)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(compare(&rows[i].p), rows[i].says);
    }
}

static const CU_TestInfo tests[] = {{"one share", one_share}, {"several shares", several_shares}, CU_TEST_INFO_NULL};
UNIT_SUITE("printed shares", tests);
