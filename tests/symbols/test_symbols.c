/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include "tests/support/unit.h"

#include <stdio.h>
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
        {100, 200, "local_alias", .rank = 1}, {100, 200, "outer", .rank = 2}, {120, 130, "inner", .rank = 2},
        {300, 300, "label", .rank = 0},       {310, 320, "after", .rank = 0}, {400, 400, "last", .rank = 0},
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

/* As readelf -n has them. */
#define KERNELS "\xb3\xc5\x4b\xae\x9d\x2b\x31\x96\x3c\xc5\x75\x21\xe9\x5d\xb0\x64\x51\x3b\x23\x43"
#define CREW "\x5a\x18\xce\xfb\x6a\xd1\x5f\x53\x64\x78\xda\x0c\x03\xb3\x84\x2c\x9b\x9b\x4b\xaa"

static void opened(struct td_stores *stores, const char *path, const char *id, enum td_symbols expected)
{
    const struct td_recorded_file file = {path, (const unsigned char *)id, strlen(id)};
    struct td_symbol_table *t;
    enum td_symbols how;

    CU_ASSERT_EQUAL_FATAL(td_symbols_of_file(stores, &file, &t, &how), 0);
    CU_ASSERT_EQUAL(how, td_symbols_built() ? expected : TD_SYMBOLS_NOT_BUILT);
    td_symbols_free(t);
}

/* A file is of one build, whichever is asked for before. */
static void builds(void)
{
    char root[4096];
    struct td_stores stores = {.root = root};

    snprintf(root, sizeof(root), "%s/tests/samples/symfs", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    opened(&stores, "/usr/bin/kernels", CREW, TD_SYMBOLS_OTHER_BUILD);
    for (int again = 0; again < 2; again++) {
        opened(&stores, "/usr/bin/kernels", KERNELS, TD_SYMBOLS_FOUND);
        opened(&stores, "/usr/bin/kernels", CREW, TD_SYMBOLS_OTHER_BUILD);
        opened(&stores, "/usr/bin/kernels", "", TD_SYMBOLS_FOUND);
        opened(&stores, "/usr/bin/crew", KERNELS, TD_SYMBOLS_OTHER_BUILD);
        opened(&stores, "/usr/bin/crew", CREW, TD_SYMBOLS_FOUND);
    }
    opened(&stores, "/usr/bin/kernels", "short", TD_SYMBOLS_OTHER_BUILD);
}

static const CU_TestInfo tests[] = {
    {"functions by address", table},
    {"names", names},
    {"builds of a file", builds},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("symbols", tests);
