/* SPDX-License-Identifier: MIT */
#include "symbols/made_symbols.h"

#include "tests/support/unit.h"

#include <string.h>

static const char *at(const struct td_made_symbols *t, uint64_t address, uint64_t time)
{
    const struct td_symbol *s = td_made_symbols_find(t, address, time);

    return s ? s->name : "";
}

static struct td_made_symbols *made(const struct td_symbol *s, size_t n)
{
    struct td_symbol_list l = {.n = 0};
    struct td_made_symbols *t;

    for (size_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL_FATAL(td_symbol_add(&l, &s[i]), 0);
    CU_ASSERT_EQUAL_FATAL(td_made_symbols_new(&l, &t), 0);
    return t;
}

/* One takes the place of another, one overlaps both, and one is told of out of order. */
static void by_time(void)
{
    static const struct td_symbol symbols[] = {{100, 200, "first", .rank = 0, .since = 10},
                                               {100, 150, "second", .rank = 1, .since = 20},
                                               {140, 180, "third", .rank = 2, .since = 30},
                                               {100, 150, "between", .rank = 3, .since = 15}};
    struct td_made_symbols *t = made(symbols, sizeof(symbols) / sizeof(*symbols));

    CU_ASSERT_STRING_EQUAL(at(t, 100, 9), "first"); /* it ran before it was told of */
    CU_ASSERT_STRING_EQUAL(at(t, 100, 10), "first");
    CU_ASSERT_STRING_EQUAL(at(t, 100, 14), "first");
    CU_ASSERT_STRING_EQUAL(at(t, 199, 14), "first");
    CU_ASSERT_STRING_EQUAL(at(t, 100, 15), "between");
    CU_ASSERT_STRING_EQUAL(at(t, 100, 19), "between");
    CU_ASSERT_STRING_EQUAL(at(t, 149, 20), "second");
    CU_ASSERT_STRING_EQUAL(at(t, 149, 29), "second");
    CU_ASSERT_STRING_EQUAL(at(t, 149, 30), "third");
    CU_ASSERT_STRING_EQUAL(at(t, 139, 30), "second");
    CU_ASSERT_STRING_EQUAL(at(t, 150, 30), "third");
    CU_ASSERT_STRING_EQUAL(at(t, 99, 30), "");
    CU_ASSERT_STRING_EQUAL(at(t, 200, 30), "");
    CU_ASSERT_STRING_EQUAL(at(t, 100, 0), "second"); /* at no known time: the last */
    CU_ASSERT_STRING_EQUAL(at(t, 149, 0), "third");
    td_made_symbols_free(t);
}

/* Without times the last one in order is meant, at whatever time. */
static void by_order(void)
{
    static const struct td_symbol symbols[] = {
        {100, 200, "old", .rank = 0}, {100, 200, "new", .rank = 1}, {300, 310, "other", .rank = 2}};
    struct td_made_symbols *t = made(symbols, sizeof(symbols) / sizeof(*symbols));

    CU_ASSERT_STRING_EQUAL(at(t, 100, 0), "new");
    CU_ASSERT_STRING_EQUAL(at(t, 199, 5), "new");
    CU_ASSERT_STRING_EQUAL(at(t, 305, 5), "other");
    CU_ASSERT_STRING_EQUAL(at(t, 200, 5), "");
    td_made_symbols_free(t);
}

static const char *inherited(const struct td_made_symbols *t, uint64_t address, uint64_t time)
{
    const struct td_symbol *s = td_made_symbols_inherited(t, address, time);

    return s ? s->name : "";
}

/* What a child has: the last before the fork, and nothing that was made after it. */
static void of_children(void)
{
    static const struct td_symbol symbols[] = {{100, 200, "first", .rank = 0, .since = 10},
                                               {100, 150, "second", .rank = 1, .since = 20},
                                               {140, 180, "third", .rank = 2, .since = 30},
                                               {300, 310, "alone", .rank = 3, .since = 40}};
    struct td_made_symbols *t = made(symbols, sizeof(symbols) / sizeof(*symbols));

    CU_ASSERT_STRING_EQUAL(inherited(t, 100, 9), "");
    CU_ASSERT_STRING_EQUAL(inherited(t, 100, 10), "first");
    CU_ASSERT_STRING_EQUAL(inherited(t, 100, 19), "first");
    CU_ASSERT_STRING_EQUAL(inherited(t, 100, 20), "second");
    CU_ASSERT_STRING_EQUAL(inherited(t, 145, 29), "second");
    CU_ASSERT_STRING_EQUAL(inherited(t, 145, 30), "third");
    CU_ASSERT_STRING_EQUAL(inherited(t, 300, 39), "");
    CU_ASSERT_STRING_EQUAL(inherited(t, 300, 40), "alone");
    CU_ASSERT_STRING_EQUAL(inherited(t, 300, 0), "alone"); /* at no known time: the only one */
    CU_ASSERT_STRING_EQUAL(inherited(t, 199, 0), "first");
    CU_ASSERT_STRING_EQUAL(inherited(t, 100, 0), "");
    CU_ASSERT_STRING_EQUAL(inherited(t, 310, 50), "");
    td_made_symbols_free(t);
}

/* The numbers of names, and that a child does not have what was made there with two names. */
static void by_name(void)
{
    static const struct td_symbol symbols[] = {{100, 200, "a", .rank = 0, .function = 0},
                                               {300, 400, "b", .rank = 1, .function = 1},
                                               {120, 140, "a", .rank = 2, .function = 2},
                                               {310, 320, "c", .rank = 3, .function = 3}};
    struct td_made_symbols *t = made(symbols, sizeof(symbols) / sizeof(*symbols));
    const struct td_symbol *a = td_made_symbols_find(t, 110, 0), *again = td_made_symbols_find(t, 130, 0),
                           *b = td_made_symbols_find(t, 330, 0);

    CU_ASSERT(a != again && a->named == again->named && a->function != again->function);
    CU_ASSERT_NOT_EQUAL(a->named, b->named);
    CU_ASSERT_STRING_EQUAL(inherited(t, 130, 7), "a");
    CU_ASSERT_STRING_EQUAL(inherited(t, 315, 7), "");
    CU_ASSERT_STRING_EQUAL(inherited(t, 330, 7), "b");
    CU_ASSERT_STRING_EQUAL(inherited(t, 309, 7), "b");
    td_made_symbols_free(t);
}

static const CU_TestInfo tests[] = {
    {"by time", by_time}, {"by order", by_order}, {"of children", of_children}, {"by name", by_name}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("made_symbols", tests);
