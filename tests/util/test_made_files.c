/* SPDX-License-Identifier: MIT */
/* Names of the files that compilers at run time write, told from others. */
#include "util/made_files.h"

#include "tests/support/unit.h"

static void jit_dumps(void)
{
    static const struct {
        const char *path;
        bool named;
    } rows[] = {
        {"/tmp/jit-12.dump", true},   {"/jit-0.dump", true},      {"a/b/jit-4194304.dump", true},
        {"jit-12.dump", false},       {"/tmp/jit-.dump", false},  {"/tmp/jit-12.dumps", false},
        {"/tmp/jit-12dump", false},   {"/tmp/jit-12", false},     {"/tmp/jit-12x.dump", false},
        {"/tmp/xjit-12.dump", false}, {"/tmp/jit12.dump", false}, {"/tmp/Jit-12.dump", false},
        {"/jit-12.dump/x", false},    {"/tmp/", false},           {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        CU_ASSERT_EQUAL(td_jit_dump_named(rows[i].path), rows[i].named);
}

static const CU_TestInfo tests[] = {{"dumps of compilers at run time", jit_dumps}, CU_TEST_INFO_NULL};
UNIT_SUITE("made files", tests);
