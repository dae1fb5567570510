/* SPDX-License-Identifier: MIT */
/* Paths of calls as a tree, whatever their order and names. */
#include "report/functions/functions_stacks.h"
#include "tests/support/unit.h"

#include <string.h>

/* ' ' is less than ';' : "f x" is not between f and what f calls. */
static const struct td_estimates some = {.core = NULL}, other = {.core = "P"};
static const struct td_function paths[] = {
    {.name = "f x", .of = &some, .slots = 5},         {.name = "f;h", .of = &some, .slots = 20},
    {.name = "f x;h", .of = &some, .slots = 5},       {.name = "f", .of = &some, .slots = 100},
    {.name = "f;g (int);h", .of = &some, .slots = 8}, {.name = "f;g", .of = &some, .slots = 30},
    {.name = "f;g;h", .of = &some, .slots = 10},      {.name = "f;g (int)", .of = &some, .slots = 9},
    {.name = "f", .of = &other, .slots = 1},
};
enum { PATHS = sizeof(paths) / sizeof(*paths) };
/* In their order: where each begins, and its own slots. */
static const struct {
    const char *path;
    double at, self;
} wanted[PATHS] = {
    {"f", 0, 41},    {"f;g", 0, 20},  {"f;g;h", 0, 10},  {"f;g (int)", 30, 1}, {"f;g (int);h", 30, 8},
    {"f;h", 39, 20}, {"f x", 100, 0}, {"f x;h", 100, 5}, {"f", 105, 1},
};

static void tree(void)
{
    struct td_function copy[PATHS], *function[PATHS];
    const struct td_functions all = {.function = function, .n = PATHS};
    struct td_stacks s;

    memcpy(copy, paths, sizeof(paths));
    for (size_t i = 0; i < PATHS; i++)
        function[i] = &copy[i];
    CU_ASSERT_EQUAL_FATAL(td_stacks_of(&all, &s), 0);
    CU_ASSERT(s.n == PATHS && s.depth == 2 && s.slots == 106);
    for (size_t i = 0; i < s.n; i++) {
        const char *last = strrchr(wanted[i].path, ';');

        CU_ASSERT_STRING_EQUAL(s.stack[i].function->name, wanted[i].path);
        CU_ASSERT_STRING_EQUAL(td_stack_frame(&s.stack[i]), last ? last + 1 : wanted[i].path);
        CU_ASSERT(s.stack[i].at == wanted[i].at && s.stack[i].self == wanted[i].self);
    }
    td_stacks_free(&s);
}

/* Names that begin alike for longer than is looked at first; ';' comes before all else, the end before that. */
static void long_names(void)
{
#define SAME "a_name_of_more_than_16_bytes"
    static const char *const sorted[] = {SAME,           SAME ";f", SAME ";f;a", SAME ";g",
                                         SAME " (long)", SAME "!",  SAME "A",    SAME "\303\244"};
    enum { NAMES = sizeof(sorted) / sizeof(*sorted) };
    struct td_function copy[NAMES], *function[NAMES];
    const struct td_functions all = {.function = function, .n = NAMES};

    for (size_t shift = 0; shift < NAMES; shift++) {
        struct td_stacks s;

        for (size_t i = 0; i < NAMES; i++) {
            copy[i] = (struct td_function){.name = sorted[(i * 3 + shift) % NAMES], .of = &some, .slots = 1};
            function[i] = &copy[i];
        }
        CU_ASSERT_EQUAL_FATAL(td_stacks_of(&all, &s), 0);
        for (size_t i = 0; i < NAMES; i++)
            CU_ASSERT_STRING_EQUAL(s.stack[i].function->name, sorted[i]);
        td_stacks_free(&s);
    }
}

static const CU_TestInfo tests[] = {
    {"callers before what they call", tree},
    {"long names", long_names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("stacks", tests);
