/* SPDX-License-Identifier: MIT */
/* Numbers as text, compared with printf() and strtod(), digit by digit. */
#include "report/digits.h"

#include "tests/support/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned wrong;

static void same(const char *what, double value, const char *text, const char *end, const char *wanted)
{
    if ((size_t)(end - text) == strlen(wanted) && !memcmp(text, wanted, strlen(wanted)))
        return;
    if (!wrong++)
        printf("\n    %s of %a: %.*s and not %s\n", what, value, (int)(end - text), text, wanted);
}

static void shortest(double value)
{
    char text[TD_DIGITS_SHORTEST], wanted[64];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(wanted, sizeof(wanted), "%.*g", digits, value);
        if (strtod(wanted, NULL) == value)
            break;
    }
    same("shortest", value, text, td_digits_shortest(value, text), wanted);
}

static void fixed(double value, int most)
{
    char text[TD_DIGITS_FIXED], wanted[TD_DIGITS_FIXED + 1];

    for (int decimals = 0; decimals <= most; decimals++) {
        snprintf(wanted, sizeof(wanted), "%.*f", decimals, value);
        same("fixed", value, text, td_digits_fixed(value, decimals, text), wanted);
    }
}

static void both(double value)
{
    shortest(value);
    shortest(-value);
    fixed(value, 3);
    fixed(-value, 3);
}

/* A number and its neighbours. */
static void around(double value)
{
    both(value);
    fixed(value, 9);
    both(nextafter(value, 0));
    both(nextafter(value, INFINITY));
}

static void random_bits(void)
{
    struct unit_random random = {1};
    double value;

    wrong = 0;
    for (unsigned long i = 0; i < unit_long_rounds(200000); i++) {
        uint64_t bits = unit_random(&random);

        memcpy(&value, &bits, sizeof(value));
        if (isfinite(value))
            both(value);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Typical values in reports. */
static void ratios(void)
{
    struct unit_random random = {2};

    wrong = 0;
    for (unsigned long i = 0; i < unit_long_rounds(200000); i++) {
        both(unit_random_ratio(&random));
        both(100 * unit_random_ratio(&random));
        both((double)unit_random_below(&random, 1000000) / 1000);
        both((double)(unit_random(&random) >> unit_random_below(&random, 64)) / 7);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void every_exponent(void)
{
    wrong = 0;
    for (int e = -1074; e <= 1023; e++) {
        around(ldexp(1, e));
        around(ldexp(1.5, e));
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];

        snprintf(text, sizeof(text), "1e%d", e);
        around(strtod(text, NULL));
    }
    around(DBL_MAX / 2);
    both(DBL_MAX);
    both(0);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Numbers halfway between two roundings. */
static void halves(void)
{
    struct unit_random random = {3};

    wrong = 0;
    for (int i = 0; i < 20000; i++) {
        both(i / 2.0);
        both(i / 16.0);
        both(i / 1024.0);
        both(1e15 + i / 8.0);
        both(2251799813685248 - i / 4.0); /* 17 digits, and a quarter */
        both(ldexp((double)unit_random_below(&random, 1u << 20), -(int)unit_random_below(&random, 70)));
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void denormals(void)
{
    struct unit_random random = {4};

    wrong = 0;
    for (unsigned long i = 0; i < unit_long_rounds(100000); i++) {
        uint64_t bits = i < 2000 ? i : unit_random(&random) >> (12 + unit_random_below(&random, 52));
        double value;

        memcpy(&value, &bits, sizeof(value));
        both(value);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void not_finite(void)
{
    wrong = 0;
    fixed(INFINITY, 9);
    fixed(-INFINITY, 9);
    fixed((double)NAN, 9);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void integers(void)
{
    struct unit_random random = {5};
    char text[TD_DIGITS_INTEGER], wanted[32];

    wrong = 0;
    for (unsigned long i = 0; i < unit_long_rounds(1000000); i++) {
        const uint64_t value = unit_random(&random) >> unit_random_below(&random, 64);
        const int n = (int)unit_random_below(&random, 10);

        snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long)value);
        same("integer", (double)value, text, td_digits_integer(value, text), wanted);
        snprintf(wanted, sizeof(wanted), "%020llu", (unsigned long long)(uint32_t)value);
        same("padded", (double)(uint32_t)value, text, td_digits_padded((uint32_t)value, n, text), wanted + 20 - n);
    }
    same("integer", 0, text, td_digits_integer(0, text), "0");
    same("integer", 0, text, td_digits_integer(UINT64_MAX, text), "18446744073709551615");
    CU_ASSERT_EQUAL(wrong, 0);
}

static const CU_TestInfo tests[] = {
    {"any bits", random_bits},
    {"ratios and percentages", ratios},
    {"every exponent", every_exponent},
    {"halves", halves},
    {"denormal numbers", denormals},
    {"inf and nan", not_finite},
    {"integers", integers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("digits", tests);
