/* SPDX-License-Identifier: MIT */
/* Numbers are read as a whole or refused with their reason: each side of each limit, by hand. */
#include "util/number.h"

#include "tests/support/unit.h"

#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static void whole(void)
{
    static const struct {
        const char *text, *why;
        uint64_t n;
    } rows[] = {
        {"0", NULL, 0},
        {"007", NULL, 7},
        {"9999999999999999999", NULL, UINT64_C(9999999999999999999)},
        {"18446744073709551615", NULL, UINT64_MAX},
        {"18446744073709551616", td_number_large, 0},
        {"28446744073709551615", td_number_large, 0},
        {"", td_number_none, 0},
        {"-1", td_number_negative, 0},
        {"1 ", td_number_none, 0},
        {" 1", td_number_none, 0},
        {"x", td_number_none, 0},
        {"1/", td_number_none, 0},
        {"1:", td_number_none, 0},
    };
    uint64_t n;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_PTR_EQUAL(td_number_u64(rows[i].text, strlen(rows[i].text), &n), rows[i].why);
        if (!rows[i].why)
            CU_ASSERT_EQUAL(n, rows[i].n);
    }
}

static void hexadecimal(void)
{
    static const struct {
        const char *text, *why;
        uint64_t n;
    } rows[] = {
        {"0x0", NULL, 0},
        {"0X1f", NULL, 31},
        {"0xAaFf", NULL, 0xaaff},
        {"0xffffffffffffffff", NULL, UINT64_MAX},
        {"0x00ffffffffffffffff", NULL, UINT64_MAX},
        {"0x10000000000000000", td_number_large, 0},
        {"0x", td_number_none, 0},
        {"1x1", td_number_none, 0},
        {"0x1g", td_number_none, 0},
        {"0x1G", td_number_none, 0},
        {"0x1@", td_number_none, 0},
        {"0x1`", td_number_none, 0},
    };
    uint64_t n;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_PTR_EQUAL(td_number_hex(rows[i].text, strlen(rows[i].text), &n), rows[i].why);
        if (!rows[i].why)
            CU_ASSERT_EQUAL(n, rows[i].n);
    }
}

static void decimal(void)
{
    static const struct {
        const char *text, *why;
        double n;
    } rows[] = {
        {"12", NULL, 12},
        {"12.5", NULL, 12.5},
        {"0.0625", NULL, 0.0625},
        {"18446744073709551615.5", NULL, 18446744073709551616.0},
        {"0.500000000000000000", NULL, 0.5}, /* 18 decimals are the most */
        {"0.5000000000000000000", td_number_none, 0},
        {"18446744073709551616", td_number_large, 0},
        {"12.", td_number_none, 0},
        {".5", td_number_none, 0},
        {"1.5x", td_number_none, 0},
        {"1,5", td_number_none, 0},
        {"-0.5", td_number_negative, 0},
        {"", td_number_none, 0},
        {"1.5.5", td_number_none, 0},
    };
    double n;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_PTR_EQUAL(td_number_decimal(rows[i].text, strlen(rows[i].text), &n), rows[i].why);
        if (!rows[i].why)
            CU_ASSERT_EQUAL(n, rows[i].n);
    }
}

static void times(void)
{
    /* 2^64 ns are 18446744073.709551616 s: seconds beyond 18446744072 are refused, so that any nine digits fit */
    static const struct {
        const char *text;
        bool time, seconds;
        uint64_t ns;
    } rows[] = {
        {"0.000000001", true, true, 1},
        {"12.345678901", true, true, UINT64_C(12345678901)},
        {"18446744072.999999999", true, true, UINT64_C(18446744072999999999)},
        {"18446744073.000000000", false, false, 0},
        {"12.34567890x", false, false, 0},
        {"1x.345678901", false, false, 0},
        {"x2.345678901", false, false, 0},
        {".345678901", false, false, 0},
        {"12.3456789", false, true, UINT64_C(12345678900)},
        {"12.3456789019", false, true, UINT64_C(12345678901)},
        {"12.5", false, true, UINT64_C(12500000000)},
        {"12", false, true, UINT64_C(12000000000)},
        {"0000000000000000000012", false, true, UINT64_C(12000000000)}, /* 22 digits are the most */
        {"00000000000000000000012", false, false, 0},
        {"12.", false, false, 0},
        {"", false, false, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const size_t len = strlen(rows[i].text);
        uint64_t ns = 0;

        CU_ASSERT_EQUAL(td_number_time(rows[i].text, len, &ns), rows[i].time);
        if (rows[i].time)
            CU_ASSERT_EQUAL(ns, rows[i].ns);
        CU_ASSERT_EQUAL(td_number_seconds(rows[i].text, len, &ns), rows[i].seconds);
        if (rows[i].seconds)
            CU_ASSERT_EQUAL(ns, rows[i].ns);
    }
}

static const CU_TestInfo tests[] = {
    {"whole", whole}, {"hexadecimal", hexadecimal}, {"decimal", decimal}, {"times", times}, CU_TEST_INFO_NULL};
UNIT_SUITE("number", tests);
