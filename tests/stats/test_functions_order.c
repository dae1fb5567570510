/* SPDX-License-Identifier: MIT */
/* The orders of functions, where they differ only by their names. */
#include "stats/functions.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

enum { FUNCTIONS = 60, LONGEST = 20 };

/* Names that begin alike, of any bytes. */
static void make_names(struct unit_random *random, char name[FUNCTIONS][LONGEST + 1])
{
    static const char some[] = "ab;\x7f\x80\xff";

    for (size_t i = 0; i < FUNCTIONS; i++) {
        const size_t n = unit_random_below(random, LONGEST + 1), same = i ? unit_random_below(random, n + 1) : 0;

        memset(name[i], 0, sizeof(name[i]));
        memcpy(name[i], name[i ? i - 1 : 0], same);
        for (size_t k = strlen(name[i]); k < n; k++)
            name[i][k] = some[unit_random_below(random, sizeof(some) - 1)];
    }
}

static void by_name(void)
{
    struct unit_random random = {1};
    char name[FUNCTIONS][LONGEST + 1];

    for (unsigned long round = 0; round < unit_rounds(2000); round++) {
        struct td_function each[FUNCTIONS], *function[FUNCTIONS];
        struct td_functions all = {.function = function, .n = FUNCTIONS};

        make_names(&random, name);
        for (enum td_functions_order order = TD_FUNCTIONS_BY_LOST; order <= TD_FUNCTIONS_BY_NAME; order++) {
            for (size_t i = 0; i < FUNCTIONS; i++) {
                each[i] = (struct td_function){.name = name[i], .weight = 0.5, .slots = 7, .intervals = 3};
                function[i] = &each[i];
            }
            CU_ASSERT_EQUAL_FATAL(td_functions_sort(&all, order), 0);
            for (size_t i = 1; i < FUNCTIONS; i++)
                CU_ASSERT(strcmp(function[i - 1]->name, function[i]->name) <= 0);
        }
    }
}

/* Numbers come before names, but for the order by name: there, slots. */
static void by_numbers(void)
{
    struct td_function each[] = {{.name = "c", .weight = 1, .slots = 1, .intervals = 3},
                                 {.name = "b", .weight = 2, .slots = 1, .intervals = 1},
                                 {.name = "a", .weight = 1, .slots = 2, .intervals = 1},
                                 {.name = "b", .weight = 0, .slots = 3, .intervals = 2}};
    static const unsigned wanted[][4] = {[TD_FUNCTIONS_BY_LOST] = {1, 2, 0, 3},
                                         [TD_FUNCTIONS_BY_SLOTS] = {3, 2, 1, 0},
                                         [TD_FUNCTIONS_BY_INTERVALS] = {0, 3, 2, 1},
                                         [TD_FUNCTIONS_BY_NAME] = {2, 3, 1, 0}};
    struct td_function *function[5] = {NULL}; /* the last one is not to be touched */
    struct td_functions all = {.function = function, .n = 4};

    for (enum td_functions_order order = TD_FUNCTIONS_BY_LOST; order <= TD_FUNCTIONS_BY_NAME; order++) {
        for (size_t i = 0; i < 4; i++)
            function[i] = &each[i];
        CU_ASSERT_EQUAL_FATAL(td_functions_sort(&all, order), 0);
        for (size_t i = 0; i < 4; i++)
            CU_ASSERT_PTR_EQUAL(function[i], &each[wanted[order][i]]);
        CU_ASSERT_PTR_NULL(function[4]);
    }
}

/* What decides between neighbours, by the order's own words: above 0 where they are the wrong way round. */
static double wrong(enum td_functions_order order, const struct td_function *x, const struct td_function *y)
{
    const double names = strcmp(x->name, y->name), slots = y->slots - x->slots;
    const double first[] = {[TD_FUNCTIONS_BY_LOST] = y->weight - x->weight,
                            [TD_FUNCTIONS_BY_SLOTS] = slots,
                            [TD_FUNCTIONS_BY_INTERVALS] = (double)y->intervals - (double)x->intervals,
                            [TD_FUNCTIONS_BY_NAME] = names};

    return first[order] != 0 ? first[order] : slots != 0 ? slots : names;
}

/* As many as are sorted by their digits, with values of both signs, zeros of both, and many that are equal. */
static void many(void)
{
    enum { MANY = 700 };
    static const double weights[] = {0, -0.0, 1e-300, -1e-300, 0.5, -0.5, 1e300, 3};
    static struct td_function each[MANY], *function[MANY];
    static char name[MANY][LONGEST + 1];
    struct td_functions all = {.function = function, .n = MANY};
    struct unit_random random = {1};

    for (size_t i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof(name[i]), "%lu;f", (unsigned long)unit_random_below(&random, 90));
        each[i] = (struct td_function){.name = name[i],
                                       .weight = weights[unit_random_below(&random, 8)],
                                       .slots = (double)unit_random_below(&random, 1 << i % 20),
                                       .intervals = (uint64_t)1 << unit_random_below(&random, 40)};
        function[i] = &each[i];
    }
    for (enum td_functions_order order = TD_FUNCTIONS_BY_LOST; order <= TD_FUNCTIONS_BY_NAME; order++) {
        bool met[MANY] = {false};

        CU_ASSERT_EQUAL_FATAL(td_functions_sort(&all, order), 0);
        for (size_t i = 0; i < MANY; i++) {
            CU_ASSERT_FALSE(met[function[i] - each]);
            met[function[i] - each] = true;
            CU_ASSERT(!i || wrong(order, function[i - 1], function[i]) <= 0);
        }
    }
}

static const CU_TestInfo tests[] = {
    {"names", by_name},
    {"numbers before names", by_numbers},
    {"many", many},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("order of functions", tests);
