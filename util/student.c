/* SPDX-License-Identifier: MIT */
#include "util/student.h"

#include <stddef.h>

double td_student(unsigned long degrees)
{
    /* NIST/SEMATECH e-Handbook, 1.3.6.7.2 */
    static const double few[] = {0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447};
    /* the normal distribution's, and powers of it */
    const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, d = (double)degrees;

    if (degrees < sizeof(few) / sizeof(*few))
        return few[degrees];
    /* Abramowitz and Stegun, 26.7.5 */
    return z + (z3 + z) / (4 * d) + (5 * z5 + 16 * z3 + 3 * z) / (96 * d * d) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * d * d * d);
}
