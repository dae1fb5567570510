/* SPDX-License-Identifier: MIT */
#include "tests/support/slow.h"

#include "tests/support/unit.h"

#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned runs;

void slow_run(void (*read)(void *), void *ctx)
{
    runs++;
    read(ctx);
}

void slow_pair(double times)
{
    const char *path = getenv("TD_BOMBS");
    FILE *f = path ? fopen(path, "a") : NULL;

    CU_ASSERT_EQUAL(runs, 2);
    runs = 0;
    CU_ASSERT_FATAL(!path || f);
    if (f) {
        CU_ASSERT(fprintf(f, "%g %s: %s\n", times, CU_get_current_suite()->pName, CU_get_current_test()->pName) > 0);
        CU_ASSERT_EQUAL(fclose(f), 0);
    }
}
