/* SPDX-License-Identifier: MIT */
/* Code whose instructions are not known, in a program of tests/samples/symfs: its sources are those of all its bytes,
 * up to a limit. */
#include "samples/code_of.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* Where scan() begins: before it no line is known, and its first byte is of kernels.c. */
enum { SCAN = 0x1159, PROBED = 0x10000 };

static char root[4096], path[] = "/usr/bin/kernels";
static struct td_stores stores = {.root = root};
static struct td_same_files same;
static struct td_lines_of *lines;

static void begin(void)
{
    snprintf(root, sizeof(root), "%s/tests/samples/symfs", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    same = (struct td_same_files){.n = 0};
    lines = td_lines_of_new(&stores, &same);
    CU_ASSERT_PTR_NOT_NULL_FATAL(lines);
}

static void finish(void)
{
    td_lines_of_free(lines);
    td_same_files_free(&same);
}

static struct td_code *code_of(bool kernel, uint64_t start, uint64_t end)
{
    const struct td_dso d = {.path = path, .file = true, .kernel = kernel};
    struct td_code *c = NULL;

    CU_ASSERT_FATAL(!td_code_of(&d, start, end, &stores, lines, &c) && c);
    CU_ASSERT_STRING_EQUAL(c->dso, path);
    CU_ASSERT(c->offset == start && c->size == end - start && !c->instructions && !c->made);
    return c;
}

static bool has_lines(void)
{
    struct td_source_line line;
    const struct td_dso d = {.path = path, .file = true};

    return !td_lines_of_find(lines, &d, SCAN, &line) && line.line;
}

/* Each file of source once, in the order of the code, of a function that is too long to be read. */
static void too_long(void)
{
    static const char *const sources[] = {"/src/kernels.c", "/src/phases.h", "/usr/include/stdlib.h"};
    struct td_code *c;

    begin();
    if (has_lines()) { /* without elfutils there are none */
        c = code_of(false, SCAN, SCAN + TD_CODE_MOST + 1);
        CU_ASSERT_EQUAL(c->status, TD_CODE_TOO_LARGE);
        CU_ASSERT_EQUAL_FATAL(c->sources, 3);
        for (size_t i = 0; i < 3; i++) {
            CU_ASSERT_STRING_EQUAL(c->source[i].file, sources[i]);
            CU_ASSERT(i == 2 || (!c->source[i].lines && c->source[i].status == TD_SOURCE_NO_FILE)); /* not below root */
        }
        td_code_free(c);
    }
    finish();
}

/* Ends that go over the last address there is, so that no file has the bytes: what is asked for is looked at, and no
 * more than so many bytes. */
static void limits(void)
{
    static const struct {
        uint64_t start, end;
        size_t sources;
    } rows[] = {
        {UINT64_MAX, SCAN, 0},
        {UINT64_MAX, SCAN + 1, 1},
        {SCAN + UINT64_C(1) - PROBED, SCAN + 2, 1},
        {(uint64_t)SCAN - PROBED, SCAN + 2, 0},
    };
    struct td_code *c;

    begin();
    for (size_t i = 0; has_lines() && i < sizeof(rows) / sizeof(*rows); i++) {
        c = code_of(false, rows[i].start, rows[i].end);
        CU_ASSERT(c->status == TD_CODE_NO_FILE && c->sources == rows[i].sources);
        td_code_free(c);
    }
    finish();
}

/* The kernel's code is not read, even if there is a file of that name. */
static void kernel(void)
{
    struct td_code *c;

    begin();
    c = code_of(true, SCAN, SCAN + 1);
    CU_ASSERT(c->status == TD_CODE_KERNEL && !c->sources);
    td_code_free(c);
    finish();
}

static const CU_TestInfo tests[] = {
    {"too long a function", too_long},
    {"how much is looked at", limits},
    {"the kernel's", kernel},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("code of functions", tests);
