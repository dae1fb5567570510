/* SPDX-License-Identifier: MIT */
/* Stretches of lines that have each event of a metric once, of short recordings worked out by hand. */
#include "core/choice/stretch.h"
#include "tests/support/unit.h"

#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { NONE = -1, LINES = 6 };

/* The first copy of what is found; NONE: nothing. Each copy is {use, copy, group, share}. */
static int found(const struct td_stretch_copy *c, size_t n, const uint32_t *chosen, size_t nevents, uint32_t line)
{
    struct td_stretch s = {0};
    int first;

    CU_ASSERT_EQUAL_FATAL(td_stretch_reserve(&s, LINES), 0);
    td_stretch_begin(&s);
    for (size_t i = 0; i < n; i++)
        td_stretch_add(&s, &c[i]);
    td_stretch_find(&s, chosen, nevents, line);
    first = s.found ? (int)s.found->copy : NONE;
    td_stretch_free(&s);
    return first;
}

/* Two runs of two events, of half and of 0.4 of the time: those of one run belong together, whichever line it is. */
static void runs(void)
{
    static const struct td_stretch_copy in_order[] = {{0, 0, 1, 0.5}, {1, 1, 1, 0.5}, {0, 2, 2, 0.4}, {1, 3, 2, 0.4}},
                                        any_order[] = {{1, 3, 2, 0.4}, {0, 0, 1, 0.5}, {0, 2, 2, 0.4}, {1, 1, 1, 0.5}},
                                        late[] = {{0, 2, 2, 0.4}, {1, 3, 2, 0.4}, {0, 8, 1, 0.5}, {1, 9, 1, 0.5}};
    static const uint32_t apart[] = {0, 3}, together[] = {0, 1}, neighbours[] = {2, 1}, of_late[] = {8, 3};
    static const int wanted[] = {0, 0, 2, 2, NONE};

    for (uint32_t line = 0; line < LENGTH(wanted); line++) {
        CU_ASSERT_EQUAL(found(in_order, 4, apart, 2, line), wanted[line]);
        CU_ASSERT_EQUAL(found(any_order, 4, apart, 2, line), wanted[line]);
        CU_ASSERT_EQUAL(found(in_order, 4, together, 2, line), NONE); /* nothing is there twice between these */
        CU_ASSERT_EQUAL(found(in_order, 4, neighbours, 2, line), NONE);
    }
    CU_ASSERT_EQUAL(found(in_order, 2, together, 2, 0), NONE); /* no event is there twice */
    CU_ASSERT_EQUAL(found(in_order, 3, (const uint32_t[]){0, 1}, 2, 0), NONE);
    /* a group that was added last has its lines where it stands */
    CU_ASSERT_EQUAL(found(late, 4, of_late, 2, 9), 8);
    CU_ASSERT_EQUAL(found(late, 4, of_late, 2, 3), 2);
}

/* Line 1 begins a stretch, and ends one that begins at line 0. Their shares of the time are so far apart: as printed
 * with two decimals of a percent they are the same below 0.005 of a percent, and a last digit apart below 0.015. */
static void shares(void)
{
    static const struct {
        double at, after, before; /* of line 1, and how far those of the next and of the last one are from it */
        int found;
    } rows[] = {
        {0.5, 0, 0, 1},
        {0.5, 4.9e-5, 0, 1},
        {0.5, 5.1e-5, 4.9e-5, 0},
        {0.5, -5.1e-5, -4.9e-5, 0},
        {0.5, 5.1e-5, 1.4e-4, 1},
        {0.5, 1.49e-4, 5.1e-5, 1},
        {0.5, 1.51e-4, 1.49e-4, 0},
        {0.5, -1.51e-4, 1.49e-4, 0},
        {0.5, 0.1, 1.51e-4, 1},
        {0.5, 0.1, 0.2, 1},
        {1, 0, 0, NONE},
        {1, -1e-4, 0, 1},
        {1, 0, -1e-4, 0},
        {1, 0.5, 0, NONE},
    };
    static const uint32_t chosen[] = {0, 3};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_stretch_copy c[] = {{0, 0, 1, rows[i].at + rows[i].before},
                                            {1, 1, 1, rows[i].at},
                                            {0, 2, 1, rows[i].at + rows[i].after},
                                            {1, 3, 1, 0.1}};
        const int got = found(c, 4, chosen, 2, 1);

        if (got != rows[i].found)
            printf("\n    case %zu: %d", i, got);
        CU_ASSERT_EQUAL(got, rows[i].found);
    }
}

/* Each event is in it once: of a a b b only the middle; and of three events also the highest number that there is. */
static void each_once(void)
{
    static const struct td_stretch_copy pairs[] = {{0, 0, 1, 0.5}, {0, 1, 1, 0.5}, {1, 2, 1, 0.5}, {1, 3, 1, 0.5}},
                                        high[] = {{0, 0, 1, 0.5},  {1, 1, 1, 0.5}, {63, 2, 1, 0.5},
                                                  {63, 3, 1, 0.5}, {0, 4, 1, 0.5}, {1, 5, 1, 0.5}};
    static const uint32_t apart[] = {0, 3};
    static const int wanted[] = {NONE, 1, 1, NONE}, of_three[] = {0, 0, 0, 3, 3, 3};
    uint32_t chosen[TD_STRETCH_EVENTS] = {[0] = 0, [1] = 5, [63] = 2};

    for (uint32_t line = 0; line < 4; line++)
        CU_ASSERT_EQUAL(found(pairs, 4, apart, 2, line), wanted[line]);
    for (uint32_t line = 0; line < 6; line++)
        CU_ASSERT_EQUAL(found(high, 6, chosen, 3, line), of_three[line]);
    chosen[0] = 4; /* 2, 4, 5: between them three lines, and each event at most once */
    CU_ASSERT_EQUAL(found(high, 6, chosen, 3, 2), 0);
    chosen[63] = 3;
    CU_ASSERT_EQUAL(found(high, 6, chosen, 3, 3), NONE);
}

static const CU_TestInfo tests[] = {
    {"runs", runs}, {"shares of the time", shares}, {"each event once", each_once}, CU_TEST_INFO_NULL};
UNIT_SUITE("stretches", tests);
