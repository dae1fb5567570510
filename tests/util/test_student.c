/* SPDX-License-Identifier: MIT */
/* Student's t, two-sided 95 %, as printed in NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, column 0.975.
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
        {1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},  {7, 2.365},   {8, 2.306},
        {9, 2.262},  {10, 2.228}, {15, 2.131}, {20, 2.086}, {30, 2.042}, {60, 2.000}, {100, 1.984}, {ULONG_MAX, 1.960},
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
