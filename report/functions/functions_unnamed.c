/* SPDX-License-Identifier: MIT */
/* Programs whose functions have no names, or no lines: why, and what would name them. */
#include "report/functions/functions_report.h"

#include <math.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 /* most programs that are told of */ };

/* The clause after a program's path, and what to do. */
struct words {
    const char *why, *next;
};

/* By the state of a program's symbols. */
static const struct words words[] = {
    [TD_SYMBOLS_NO_FILE] =
        {"no such file",
         "--symfs DIR says where it is, as DIR/its/path or as DIR/NAME, --debuginfod=URL asks a server"},
    [TD_SYMBOLS_DENIED] = {"the file that has their names may not be read, or is a perf-PID.map or jitdump that is "
                           "another user's or no regular file",
                           "report as its owner (root takes a map or a jitdump only after 'chown root' of it)"},
    [TD_SYMBOLS_OTHER_BUILD] = {"the file has another build-id: it was built or installed anew after the recording",
                                "--symfs DIR says where the recorded one is"},
    [TD_SYMBOLS_UNKNOWN_BUILD] = {"no build-id was recorded, and the file may be another by now",
                                  "--symfs / takes it nevertheless"},
    [TD_SYMBOLS_NONE] = {"the file has no symbols",
                         "install its debug information (below /usr/lib/debug/.build-id), or do not strip it"},
    [TD_SYMBOLS_OTHER_KERNEL] = {"the kernel that was recorded does not run here now",
                                 "report on a machine that runs it, unpack here what perf archive packs there, or "
                                 "name a copy of its /proc/kallsyms by --kallsyms FILE"},
    [TD_SYMBOLS_HIDDEN] = {"/proc/kallsyms shows no addresses to this user",
                           "report as root; where sysctl kernel.kptr_restrict is 2, set it to 1 first"},
    [TD_SYMBOLS_NO_LINES] = {"the file has no line tables for them",
                             "install its debug information (below /usr/lib/debug/.build-id), or build it with -g"},
    [TD_SYMBOLS_NO_SERVER] = {"no such file, and a debuginfod server does not answer",
                              "check its URL, or --symfs DIR says where the file is"},
    [TD_SYMBOLS_NO_MAP] =
        {"they were made while the program ran, and no /tmp/perf-PID.map names them",
         "let the program write one (node --perf-basic-prof, DOTNET_PerfMapEnabled=1, python3 -X perf), "
         "and report while it is there, or with --symfs DIR where it is DIR/tmp/perf-PID.map"},
    [TD_SYMBOLS_NOT_BUILT] = {"this tdprobe was built without elfutils", "install libdw-dev and build it again"},
};

/* The kernel's functions are in no file that --symfs could name. */
static const struct words unknown_kernel = {"no build-id was recorded, so that it is not known which kernel it was",
                                            "name a copy of the recorded machine's /proc/kallsyms by --kallsyms FILE"};
static const struct words copied = {
    "the file that --kallsyms names has no addresses",
    "copy /proc/kallsyms there again, as root and while sysctl kernel.kptr_restrict is not 2"};

static const struct words *words_of(const struct td_functions_report *r, const struct td_function *f)
{
    if (f->symbols == TD_SYMBOLS_UNKNOWN_BUILD && !strcmp(f->dso, "[kernel]"))
        return &unknown_kernel;
    return f->symbols == TD_SYMBOLS_HIDDEN && r->kallsyms ? &copied : &words[f->symbols];
}

/* A program, and what all its functions took; if functions count with what they call, it took at least that. */
struct program {
    const struct td_function *function; /* one of them */
    double slots;
};

static int by_dso(const void *a, const void *b)
{
    const struct program *x = a, *y = b;

    return x->function->dso == y->function->dso ? 0 : strcmp(x->function->dso, y->function->dso);
}

/* Compares programs by the pointers of their paths, without looking at these; equal paths may have several pointers. */
static int by_pointer(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const struct program *)a)->function->dso,
                    y = (uintptr_t)((const struct program *)b)->function->dso;

    return (x > y) - (x < y);
}

static int by_slots(const void *a, const void *b)
{
    const struct program *x = a, *y = b;

    return x->slots > y->slots ? -1 : x->slots < y->slots ? 1 : by_dso(a, b);
}

static bool is_told(const struct td_function *f)
{
    return f->dso && !f->code && (size_t)f->symbols < sizeof(words) / sizeof(*words) && words[f->symbols].why;
}

/* Frees nothing, as programs are in an array. */
static void leave(void *node)
{
    (void)node;
}

/* Lines and instructions are in a function, too, but one function is in no other by them. */
static double together(const struct td_functions_report *r, double slots, double more)
{
    return td_functions_nested(r) ? fmax(slots, more) : slots + more;
}

/* Collects the programs by their pointers, and returns how many there are; 0: none, or memory is out. program has room
 * for as many as there are functions. */
static size_t collect(const struct td_functions_report *r, struct program *program)
{
    const struct td_functions *all = r->functions;
    void *tree = NULL;
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct td_function *f = all->function[i];
        struct program **known;

        td_functions_fetch(all, i);
        if (!is_told(f))
            continue;
        program[n] = (struct program){.function = f};
        known = tsearch(&program[n], &tree, by_pointer);
        if (!known) {
            n = 0;
            break;
        }
        n += *known == &program[n];
        (*known)->slots = together(r, (*known)->slots, f->slots);
    }
    tdestroy(tree, leave);
    return n;
}

/* Finds the programs to tell of, the one with most slots first; returns how many. */
static size_t find_programs(const struct td_functions_report *r, struct program *program)
{
    const size_t pointers = collect(r, program);
    size_t n = 0;

    qsort(program, pointers, sizeof(*program), by_dso);
    for (size_t i = 0; i < pointers; i++)
        if (n && !by_dso(&program[n - 1], &program[i]))
            program[n - 1].slots = together(r, program[n - 1].slots, program[i].slots);
        else
            program[n++] = program[i];
    qsort(program, n, sizeof(*program), by_slots);
    return n;
}

const char *td_functions_unnamed(const struct td_functions_report *r, size_t i, char buf[TD_FUNCTIONS_TEXT])
{
    const struct td_functions *all = r->functions;
    struct program *program = calloc(all->n + 1, sizeof(*program)); /* without memory there is no such note */
    const bool lines = all->kind && (!strcmp(all->kind, "line") || !strcmp(all->kind, "source"));
    const bool some = program && i < MOST && i < find_programs(r, program) && program[i].slots >= all->slots / 100;

    if (some)
        snprintf(buf, TD_FUNCTIONS_TEXT, "%s of %s, with %.1f %% of the slots, %s: %s; %s",
                 lines ? "lines" : "functions", program[i].function->dso, 100 * program[i].slots / all->slots,
                 lines ? "are not known" : "have no names", words_of(r, program[i].function)->why,
                 words_of(r, program[i].function)->next);
    free(program);
    return some ? buf : NULL;
}
