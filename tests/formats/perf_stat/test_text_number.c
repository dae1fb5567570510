/* SPDX-License-Identifier: MIT */
/* Numbers of perf stat's text, at the bounds of what is one: blanks, marks, groups and decimals. */
#include "formats/perf_stat/perf_text.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

static void blanks(void)
{
    static const struct {
        const char *text;
        size_t len, skipped;
    } all[] = {
        {"", 0, 0},
        {"x", 0, 0},
        {" x", 1, 1},
        {"\tx", 1, 1},
        {"\xa0x", 1, 1},
        {"\xc2\xa0x", 2, 2},
        {"\xc2x\xa0", 0, 0},
        {"\xc2\xc2\xa0", 0, 0},
        {"\xe2\x80\xafx", 3, 3},
        {"\xe2\x80\xaex", 0, 0},
        {"\xe2\x80", 0, 0},
        {"  \t \xc2\xa0\xe2\x80\xaf\xa0 x", 1, 11},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        CU_ASSERT_EQUAL(td_text_blank(all[i].text), all[i].len);
        CU_ASSERT_EQUAL(td_text_skip(all[i].text) - all[i].text, (ptrdiff_t)all[i].skipped);
    }
    CU_ASSERT(td_text_digits("") == 0 && td_text_digits("x1") == 0 && td_text_digits("09x") == 2);
}

/* Marks group any number of digits here; blanks three, and only where no mark has grouped others. */
static void lengths(void)
{
    static const struct {
        const char *text;
        size_t len;
    } all[] = {
        {"", 0},
        {"x", 0},
        {",1", 0},
        {"1", 1},
        {"1,", 1},
        {"1,2", 3},
        {"1.2,3'4", 7},
        {"1,,2", 1},
        {"1\xe2\x80\x99"
         "2",
         5},
        {"1\xe2\x80\x98"
         "2",
         1},
        {"1 234", 5},
        {"12 345 678", 10},
        {"123 456", 7},
        {"1234 567", 4},
        {"1 23", 1},
        {"1 2345", 1},
        {"1  234", 1},
        {"1\t234", 1},
        {"1 234,5", 7},
        {"1,5 234", 3},
        {"1 234,5 678", 7},
        {"1\xc2\xa0"
         "234",
         6},
        {"1\xe2\x80\xaf"
         "234",
         7},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT_EQUAL(td_text_number_len(all[i].text), all[i].len);
}

/* Whole texts: groups have 2 to 4 digits, the last one 3 or 4, and there are up to 18 decimals. */
static void values(void)
{
    static const struct {
        const char *text;
        char decimal;
        double wanted; /* -1: it is no number */
    } all[] = {
        {"7", '.', 7},
        {"0.25", '.', 0.25},
        {"0,25", ',', 0.25},
        {"1.", '.', 1},
        {"0.125000000000000000", '.', 0.125}, /* 18 */
        {"0.1250000000000000000", '.', -1},
        {"0.1x", '.', -1},
        {"1,234", '.', 1234},
        {"1,2345", '.', 12345},
        {"1,23456", '.', -1},
        {"1,23", '.', -1},
        {"1,2", '.', -1},
        {"1,23,456", '.', 123456},
        {"1,2,345", '.', -1},
        {"1,2345,678", '.', 12345678},
        {"1,23456,789", '.', -1},
        {"1,234.5", '.', 1234.5},
        {"1,23.5", '.', -1},
        {"1x234", '.', -1},
        {"1 234", '.', 1234},
        {"18446744073709551614", '.', 18446744073709551614.0},
        {"18446744073709551616", '.', -1},
        {"18446744073709551,615", '.', 18446744073709551615.0},
        {"18446744073709551,616", '.', -1},
        {"99999999999999999999", '.', -1},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        double got = 0;

        if (!td_text_number(all[i].text, strlen(all[i].text), all[i].decimal, &got))
            got = -1;
        if (got != all[i].wanted)
            printf("\n    %s: %.17g", all[i].text, got);
        CU_ASSERT_EQUAL(got, all[i].wanted);
    }
}

static const CU_TestInfo tests[] = {
    {"blanks", blanks},
    {"lengths", lengths},
    {"values", values},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("numbers of perf stat's text", tests);
