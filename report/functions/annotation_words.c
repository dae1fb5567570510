/* SPDX-License-Identifier: MIT */
/* What is to be known of a function by its lines: what slots of a line mean, and why there is no text. */
#include "report/functions/functions_report.h"

#include <stdio.h>

/* ---- all of them ---------------------------------------------------------------------- */

static const char *tell_skid(char *buf)
{
    snprintf(buf, TD_FUNCTIONS_TEXT,
             "slots of a line or an instruction are those of intervals that ended there: "
             "it is where the CPU was interrupted, often some instructions after the one that waited (skid). "
             "Values of a line are of what ran between two samples at it, the loop around it included; "
             "instructions have none");
    return buf;
}

static const char *tell_estimates(const struct td_functions_report *r, char *buf)
{
    for (size_t i = 0; i < r->nannotated; i++)
        for (size_t k = 0; k < r->annotated[i].lines; k++)
            if (r->annotated[i].line[k].seen && r->annotated[i].line[k].seen->status == TD_PLACE_OK)
                return NULL;
    snprintf(buf, TD_FUNCTIONS_TEXT,
             "no line has values of its own, as the program leaves it between samples; "
             "those of the function are of all its lines together");
    return buf;
}

/* Tells that several programs have a function of that name, of which --dso chooses one, or that one program has
 * several. */
static const char *tell_programs(const struct td_functions_report *r, char *buf)
{
    const struct td_annotated *first = r->annotated;
    size_t others = 0;

    for (size_t i = 1; i < r->nannotated; i++)
        others += r->annotated[i].function->dso != first->function->dso;
    if (others)
        snprintf(buf, TD_FUNCTIONS_TEXT, "%s is in several programs and libraries: --dso %s shows only that one",
                 first->function->name, first->function->dso);
    else if (r->nannotated > 1)
        snprintf(buf, TD_FUNCTIONS_TEXT, "%s has %zu functions of the name %s%s", first->function->dso, r->nannotated,
                 first->function->name, first->function->of->core ? ", or it ran on several kinds of core" : "");
    return r->nannotated > 1 ? buf : NULL;
}

static const char *tell_all(const struct td_functions_report *r, size_t what, char *buf)
{
    switch (what) {
    case 0: return tell_skid(buf);
    case 1: return tell_estimates(r, buf);
    default: return tell_programs(r, buf);
    }
}

/* ---- one of them ---------------------------------------------------------------------------- */

/* Why instructions have no text, of each status but the first. */
static const char *const code_words[] = {
    [TD_CODE_KERNEL] = "it is the kernel's, which is in no file: instructions have addresses only",
    [TD_CODE_NO_FILE] = "instructions have no text: its file can be read no more, or does not hold all of it",
    [TD_CODE_TOO_LARGE] = "instructions have no text: it is longer than 16 MiB",
    [TD_CODE_OTHER_CPU] = "instructions have no text: its program is for another CPU than x86 or arm64",
    [TD_CODE_NOT_BUILT] = "instructions have no text: this tdprobe was built without capstone; "
                          "install libcapstone-dev and build it again",
    [TD_CODE_NO_LIBRARY] =
        "instructions have no text: the library capstone is not here; install libcapstone4 (Debian 12)",
    [TD_CODE_NOT_KEPT] = "instructions have no text: the program made it while it ran, and a map has its name only; "
                         "a jitdump has its code, as node --perf-prof and python3 -X perf_jit write it",
};

/* What is to be known of a file of source, of each status but the first. */
static const char *const source_words[] = {
    [TD_SOURCE_NEWER] = "it was written after the program: its lines may not be those that the program was built from",
    [TD_SOURCE_CHANGED] =
        "it is not shown: it has fewer lines than the program has of it, so that the program was built from another",
    [TD_SOURCE_NO_FILE] = "there is no such file; --symfs DIR looks for it below DIR, too",
    [TD_SOURCE_DENIED] = "it may not be read; report as a user who may",
    [TD_SOURCE_NOT_TEXT] = "it is not shown: it is no text, or longer than 16 MiB",
};

static bool has_lines(const struct td_annotated *a)
{
    for (size_t i = 0; i < a->lines; i++)
        if (a->line[i].file)
            return true;
    return false;
}

static const char *tell_code(const struct td_annotated *a, char *buf)
{
    const char *word = code_words[a->code->status];

    if (word)
        snprintf(buf, TD_FUNCTIONS_TEXT, "%s: %s", a->function->name, word);
    return word ? buf : NULL;
}

static const char *tell_lines(const struct td_annotated *a, char *buf)
{
    if (has_lines(a) || a->code->status == TD_CODE_KERNEL || a->code->made)
        return NULL;
    snprintf(buf, TD_FUNCTIONS_TEXT,
             "%s: no line of it is known: install the debug information of %s (below /usr/lib/debug/.build-id), "
             "or build it with -g",
             a->function->name, a->code->dso);
    return buf;
}

/* Tells why a file of source has no text; only of files that have something to show. */
static const char *tell_source(const struct td_annotated *a, const struct td_code_source *s, char *buf)
{
    const char *word = source_words[s->status];

    for (size_t i = 0; i < a->lines && word; i++)
        if (a->line[i].file == s->file && a->line[i].seen) {
            snprintf(buf, TD_FUNCTIONS_TEXT, "%s: %s", s->file, word);
            return buf;
        }
    return NULL;
}

static const char *tell_one(const struct td_annotated *a, size_t what, char *buf)
{
    switch (what) {
    case 0: return tell_code(a, buf);
    case 1: return tell_lines(a, buf);
    default: return tell_source(a, &a->code->source[what - 2], buf);
    }
}

const char *td_annotated_note(const struct td_functions_report *r, size_t i, char buf[TD_FUNCTIONS_TEXT])
{
    enum { ALL = 3, ONE = 2 };

    for (size_t what = 0; what < ALL; what++)
        if (tell_all(r, what, buf) && !i--)
            return buf;
    for (size_t k = 0; k < r->nannotated; k++)
        for (size_t what = 0; what < ONE + r->annotated[k].code->sources; what++)
            if (tell_one(&r->annotated[k], what, buf) && !i--)
                return buf;
    return NULL;
}
