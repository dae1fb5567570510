/* SPDX-License-Identifier: MIT */
/* Programs whose functions have no names: which of them are told, and with what share of the slots. */
#include "report/functions/functions_report.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

enum { FUNCTIONS = 7 };

/* Two builds of one program have a path each, which are equal. */
static const char one_build[] = "/p", other_build[] = "/p", second[] = "/q", third[] = "/r", small[] = "/s",
                  named[] = "/n";

static const struct td_function functions[FUNCTIONS] = {
    {.name = "a", .dso = one_build, .symbols = TD_SYMBOLS_NO_FILE, .slots = 200},
    {.name = "b", .dso = second, .symbols = TD_SYMBOLS_NONE, .slots = 250},
    {.name = "c", .dso = other_build, .symbols = TD_SYMBOLS_NO_FILE, .slots = 120},
    {.name = "d", .dso = small, .symbols = TD_SYMBOLS_NO_FILE, .slots = 9.9},
    {.name = "e", .dso = named, .symbols = TD_SYMBOLS_FOUND, .slots = 300},
    {.name = "f", .dso = third, .symbols = TD_SYMBOLS_NO_FILE, .slots = 10},
    {.name = "g", .dso = one_build, .symbols = TD_SYMBOLS_NO_FILE, .slots = 10},
};

static void told(bool nested, const char *const wanted[3])
{
    struct td_function copy[FUNCTIONS], *function[FUNCTIONS];
    struct td_functions all = {.function = function, .n = FUNCTIONS, .slots = 1000, .kind = "function"};
    const struct td_functions_report r = {.functions = &all, .chain = nested ? TD_CHAIN_CHILDREN : TD_CHAIN_SELF};
    char text[TD_FUNCTIONS_TEXT];

    for (size_t i = 0; i < FUNCTIONS; i++) {
        copy[i] = functions[i];
        function[i] = &copy[i];
    }
    for (size_t i = 0; i < 3; i++) {
        const char *got = td_functions_unnamed(&r, i, text);

        CU_ASSERT_PTR_NOT_NULL_FATAL(got);
        CU_ASSERT(!strncmp(got, wanted[i], strlen(wanted[i])));
        if (strncmp(got, wanted[i], strlen(wanted[i])))
            printf("\n    %s and not %s", got, wanted[i]);
    }
    CU_ASSERT_PTR_NULL(td_functions_unnamed(&r, 3, text));
}

static void sums(void)
{
    told(false,
         (const char *const[]){"functions of /p, with 33.0 % of the slots, have no names: no such file; --symfs DIR ",
                               "functions of /q, with 25.0 % of the slots, have no names: the file has no symbols; ",
                               "functions of /r, with 1.0 % "});
}

/* Functions with what they call: a program took at least what its largest one did. */
static void largest(void)
{
    told(true, (const char *const[]){"functions of /q, with 25.0 % ", "functions of /p, with 20.0 % ",
                                     "functions of /r, with 1.0 % "});
}

static const CU_TestInfo tests[] = {
    {"with what all their functions took", sums},
    {"of functions with what they call", largest},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("programs without names", tests);
