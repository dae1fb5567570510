/* SPDX-License-Identifier: MIT */
/* What is put near the end of the buffer is whole, and nothing is written beyond it. */
#include "report/columns.h"
#include "report/csv_fields.h"
#include "report/json_writer.h"
#include "report/tree_rows.h"

#include "tests/support/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEYOND = 2 * TD_OUTPUT_ROOM, MOST = TD_PUT_NAME + 8 /* bytes of a case */ };

static char *memory; /* the buffer, and what is beyond it */
static char text[TD_OUTPUT_BUFFER + BEYOND];
static size_t used;

static int keep(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    if (n > sizeof(text) - used)
        return -1;
    memcpy(text + used, bytes, n);
    used += n;
    return 0;
}

typedef void put_fn(struct td_output *);

static void json_integer(struct td_output *o)
{
    td_json_put_integer(&(struct td_json_writer){.out = o, .follows = true}, INT64_MIN);
}

static void json_number(struct td_output *o)
{
    td_json_put_number(&(struct td_json_writer){.out = o, .follows = true}, -DBL_MIN);
}

static void json_boolean(struct td_output *o)
{
    td_json_put_boolean(&(struct td_json_writer){.out = o, .follows = true}, false);
}

static void json_one(struct td_output *o)
{
    td_json_put_ratio(&(struct td_json_writer){.out = o, .follows = true}, 1);
}

static void json_null(struct td_output *o)
{
    td_json_put_string(&(struct td_json_writer){.out = o, .follows = true}, NULL);
}

static void json_string(struct td_output *o)
{
    td_json_put_string(&(struct td_json_writer){.out = o, .follows = true}, "abcdefghi");
}

static void json_escaped(struct td_output *o)
{
    td_json_put_string(&(struct td_json_writer){.out = o, .follows = true}, "a\"b\nc");
}

static void json_seconds(struct td_output *o)
{
    td_json_put_seconds(&(struct td_json_writer){.out = o, .follows = true}, UINT64_MAX);
}

static void json_member(struct td_output *o)
{
    struct td_json_writer j = {.out = o, .follows = true};

    td_json_put_open(&j, '{');
    td_json_put_key(&j, "key");
    td_json_put_open(&j, '[');
    td_json_put_close(&j, ']');
    td_json_put_clean(&j, "k", "text");
    td_json_put_close(&j, '}');
}

static void blanks(struct td_output *o)
{
    td_put_blanks(o, 7);
    td_put_blanks(o, 0);
    td_put_blanks(o, -1);
}

static void right(struct td_output *o)
{
    static const char word[] = "word";

    td_put_right(o, word, word + 4, 9);
    td_put_right(o, word, word + 4, 4);
    td_put_right(o, word, word + 4, 2);
}

static void fixed(struct td_output *o)
{
    td_put_fixed(o, -12345678.125, 3, 15);
}

static void bounds(struct td_output *o)
{
    td_tree_bounds(o, -0.25, 1, TD_BOUNDS_LIKELY);
}

static void csv_number(struct td_output *o)
{
    td_csv_number(o, ",", -DBL_MIN);
}

static void csv_text(struct td_output *o)
{
    td_csv_text(o, ",", "a\"b");
}

static void name(struct td_output *o)
{
    static char long_name[2 * TD_PUT_NAME];

    memset(long_name, 'n', sizeof(long_name) - 1);
    td_put_name(o, long_name);
}

static void put_at(put_fn *put, size_t left, const char *wanted)
{
    struct td_output o = {.buffer = memory, .n = TD_OUTPUT_BUFFER - left, .fd = -1, .write = keep};
    const size_t before = o.n, n = strlen(wanted);
    bool whole = true;

    used = 0;
    memset(memory, '.', TD_OUTPUT_BUFFER);
    memset(memory + TD_OUTPUT_BUFFER, 'x', BEYOND);
    put(&o);
    CU_ASSERT_EQUAL(td_output_flush(&o), 0);
    for (size_t i = 0; i < BEYOND && whole; i++)
        whole = memory[TD_OUTPUT_BUFFER + i] == 'x';
    CU_ASSERT(whole);
    CU_ASSERT_EQUAL(used, before + n);
    CU_ASSERT(used >= n && !memcmp(text + used - n, wanted, n));
}

static void ends(void)
{
    static char long_name[2 + TD_PUT_NAME];
    const struct {
        put_fn *put;
        const char *wanted;
    } all[] = {
        {json_integer, ",-9223372036854775808"},
        {json_number, ",-2.2250738585072014e-308"},
        {json_boolean, ",false"},
        {json_one, ",1.0"},
        {json_null, ",null"},
        {json_string, ",\"abcdefghi\""},
        {json_escaped, ",\"a\\\"b\\nc\""},
        {json_seconds, ",18446744073.709551615"},
        {json_member, ",{\"key\":[],\"k\":\"text\"}"},
        {blanks, "       "},
        {right, "     wordwordword"},
        {fixed, "  -12345678.125"},
        {bounds, "  ~ -25.0 .. 100.0"},
        {csv_number, "-2.2250738585072014e-308,"},
        {csv_text, "\"a\"\"b\","},
        {name, long_name},
    };

    memory = malloc(TD_OUTPUT_BUFFER + BEYOND);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    memset(long_name, 'n', 1 + TD_PUT_NAME);
    long_name[0] = long_name[1] = ' ';
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        for (size_t left = 0;
             left <= strlen(all[i].wanted) + 2 && left<MOST; left += strlen(all[i].wanted)> 100 ? 31 : 1)
            put_at(all[i].put, left, all[i].wanted);
    free(memory);
}

static const CU_TestInfo tests[] = {
    {"the end of the buffer", ends},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("room in the buffer", tests);
