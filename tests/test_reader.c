/* SPDX-License-Identifier: MIT */
#include "unit.h"

static void placeholder(void)
{
    CU_FAIL("not written yet");
}

void suite_reader(void)
{
    static const CU_TestInfo tests[] = {{"placeholder", placeholder}, CU_TEST_INFO_NULL};

    unit_suite("reader", tests);
}
