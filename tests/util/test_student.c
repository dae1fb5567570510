/* SPDX-License-Identifier: MIT */
/* Student's t, two-sided 95 %, as tables have it in four decimals.
 */
#include "util/student.h"

#include "tests/support/unit.h"

#include <limits.h>

static void table(void)
{
    static const struct {
        unsigned long degrees;
        double t;
    } rows[] = {
        {1, 12.7062}, {2, 4.3027},  {3, 3.1824},   {4, 2.7764},         {5, 2.5706},  {6, 2.4469},
        {7, 2.3646},  {8, 2.3060},  {9, 2.2622},   {10, 2.2281},        {15, 2.1314}, {20, 2.0860},
        {30, 2.0423}, {60, 2.0003}, {100, 1.9840}, {ULONG_MAX, 1.9600},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        CU_ASSERT_DOUBLE_EQUAL(td_student(rows[i].degrees), rows[i].t, 0.001);
}

/* Abramowitz and Stegun, 26.7.5, worked by hand: each of the series' coefficients matters. */
static void series(void)
{
    CU_ASSERT_DOUBLE_EQUAL(td_student(9), 2.261901327, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(td_student(30), 2.042270480, 1e-8);
}

static const CU_TestInfo tests[] = {
    {"the table of the 97.5 % quantile", table}, {"the series", series}, CU_TEST_INFO_NULL};
UNIT_SUITE("student", tests);
