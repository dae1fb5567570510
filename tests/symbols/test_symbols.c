/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

static const char *at(const struct td_symbol_table *t, uint64_t address)
{
    const struct td_symbol *s = td_symbols_find(t, address);

    return s ? s->name : "";
}

/* One starts with another's alias, one is inside of another, one has no size, one is last without. */
static void table(void)
{
    static const struct td_symbol symbols[] = {
        {100, 200, "local_alias", 1}, {100, 200, "outer", 2}, {120, 130, "inner", 2}, {300, 300, "label", 0}, {310, 320, "after", 0}, {400, 400, "last", 0},
    };
    struct td_symbol_list l = {.n = 0};
    struct td_symbol_table *t;

    for (size_t i = sizeof(symbols) / sizeof(*symbols); i-- > 0;)
        CU_ASSERT_EQUAL_FATAL(td_symbol_add(&l, &symbols[i]), 0);
    CU_ASSERT_EQUAL_FATAL(td_symbols_new(&l, &t), 0);
    CU_ASSERT_STRING_EQUAL(at(t, 99), "");
    CU_ASSERT_STRING_EQUAL(at(t, 100), "outer");
    CU_ASSERT_STRING_EQUAL(at(t, 125), "inner");
    CU_ASSERT_STRING_EQUAL(at(t, 130), "outer");
    CU_ASSERT_STRING_EQUAL(at(t, 200), "");
    CU_ASSERT_STRING_EQUAL(at(t, 309), "label");
    CU_ASSERT_STRING_EQUAL(at(t, 320), "");
    CU_ASSERT_STRING_EQUAL(at(t, 400), "last");
    CU_ASSERT_STRING_EQUAL(at(t, 401), "");
    td_symbols_free(t);
}

static void named(const char *mangled, const char *expected)
{
    const struct td_symbol s = {.name = mangled};
    char *name = td_symbol_name(&s);

    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    CU_ASSERT_STRING_EQUAL(name, expected);
    free(name);
}

/* The Itanium ABI's and Rust's own examples of mangled names. */
static void names(void)
{
    named("main", "main");
#ifdef HAVE_LIBIBERTY
    named("_ZN3foo3barEi", "foo::bar(int)");
    named("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
#endif
}

static const CU_TestInfo tests[] = {
    {"functions by address", table},
    {"names", names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("symbols", tests);
