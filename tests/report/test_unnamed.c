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

#define DEBUG_INFORMATION "install its debug information (below /usr/lib/debug/.build-id), or "
#define BY_SYMFS "--symfs DIR says where "

static const struct {
    enum td_symbols symbols;
    const char *dso, *text; /* NULL: nothing is told */
    bool lines, kallsyms;
} states[] = {
    {TD_SYMBOLS_FOUND, "/p", NULL, false, false},
    {TD_SYMBOLS_NOT_ASKED, "/p", NULL, false, false},
    {TD_SYMBOLS_NO_FILE, "/p",
     "no such file; " BY_SYMFS "it is, as DIR/its/path or as DIR/NAME, --debuginfod=URL asks a server", false, false},
    {TD_SYMBOLS_DENIED, "/p",
     "the file that has their names may not be read, or is a perf-PID.map or jitdump that is another user's or no "
     "regular file; report as its owner (root takes a map or a jitdump only after 'chown root' of it)",
     false, false},
    {TD_SYMBOLS_OTHER_BUILD, "/p",
     "the file has another build-id: it was built or installed anew after the recording; " BY_SYMFS
     "the recorded one is",
     false, false},
    {TD_SYMBOLS_UNKNOWN_BUILD, "/p",
     "no build-id was recorded, and the file may be another by now; --symfs / takes it nevertheless", false, false},
    {TD_SYMBOLS_UNKNOWN_BUILD, "[kernel]",
     "no build-id was recorded, so that it is not known which kernel it was; name a copy of the recorded machine's "
     "/proc/kallsyms by --kallsyms FILE",
     false, false},
    {TD_SYMBOLS_NONE, "/p", "the file has no symbols; " DEBUG_INFORMATION "do not strip it", false, false},
    {TD_SYMBOLS_OTHER_KERNEL, "[kernel]",
     "the kernel that was recorded does not run here now; report on a machine that runs it, unpack here what perf "
     "archive packs there, or name a copy of its /proc/kallsyms by --kallsyms FILE",
     false, false},
    {TD_SYMBOLS_HIDDEN, "[kernel]",
     "/proc/kallsyms shows no addresses to this user; report as root; where sysctl kernel.kptr_restrict is 2, set it "
     "to 1 first",
     false, false},
    {TD_SYMBOLS_HIDDEN, "[kernel]",
     "the file that --kallsyms names has no addresses; copy /proc/kallsyms there again, as root and while sysctl "
     "kernel.kptr_restrict is not 2",
     false, true},
    {TD_SYMBOLS_NO_LINES, "/p", "the file has no line tables for them; " DEBUG_INFORMATION "build it with -g", true,
     false},
    {TD_SYMBOLS_NO_SERVER, "/p",
     "no such file, and a debuginfod server does not answer; check its URL, or " BY_SYMFS "the file is", false, false},
    {TD_SYMBOLS_NO_MAP, "//anon",
     "they were made while the program ran, and no /tmp/perf-PID.map names them; let the program write one (node "
     "--perf-basic-prof, DOTNET_PerfMapEnabled=1, python3 -X perf), and report while it is there, or with --symfs DIR "
     "where it is DIR/tmp/perf-PID.map",
     false, false},
    {TD_SYMBOLS_NOT_BUILT, "/p", "this tdprobe was built without elfutils; install libdw-dev and build it again", false,
     false},
};

/* Each state of a program's symbols has a reason of its own, and what to do. */
static void reasons(void)
{
    for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        struct td_function one = {.name = "a", .dso = states[i].dso, .symbols = states[i].symbols, .slots = 1000};
        struct td_function *function[] = {&one};
        struct td_functions all = {
            .function = function, .n = 1, .slots = 1000, .kind = states[i].lines ? "line" : "function"};
        const struct td_functions_report r = {.functions = &all, .kallsyms = states[i].kallsyms};
        char text[TD_FUNCTIONS_TEXT], want[TD_FUNCTIONS_TEXT];
        const char *got = td_functions_unnamed(&r, 0, text);

        snprintf(want, sizeof(want), "%s of %s, with 100.0 %% of the slots, %s: %s",
                 states[i].lines ? "lines" : "functions", one.dso, states[i].lines ? "are not known" : "have no names",
                 states[i].text ? states[i].text : "");
        CU_ASSERT_EQUAL(got != NULL, states[i].text != NULL);
        CU_ASSERT(!got || !strcmp(got, want));
        if (got && strcmp(got, want))
            printf("\n    %s and not %s", got, want);
    }
}

static const CU_TestInfo tests[] = {
    {"with what all their functions took", sums},
    {"of functions with what they call", largest},
    {"why, and what would name them", reasons},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("programs without names", tests);
