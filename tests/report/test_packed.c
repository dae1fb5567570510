/* SPDX-License-Identifier: MIT */
/* Bytes in pages: their digits as RFC 4648 has them, and deflated they become the same bytes again. */
#include "report/page/packed.h"

#include "tests/support/captured.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

static void is(struct captured *c, const char *wanted)
{
    CU_ASSERT_STRING_EQUAL(captured_text(c), wanted);
    if (strcmp(captured_text(c), wanted) != 0)
        printf("\n    not as written, but %s", captured_text(c));
    captured_end(c);
}

/* The examples of RFC 4648; what comes after the bytes is in no digit. 251, 255 and 254 are 62, 63, 63 and 62. */
static void digits(void)
{
    static const char *const wanted[] = {"Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    static const uint8_t text[] = "foobar", high[] = {251, 255, 254};
    struct captured c;
    char line[64];

    for (size_t n = 1; n <= 6; n++) {
        td_packed_put(captured_begin(&c), "value", text, n, 1);
        snprintf(line, sizeof(line), "<i class=\"value\">%s</i>\n", wanted[n - 1]);
        is(&c, line);
    }
    td_packed_put_node(captured_begin(&c), "below", "l3_bound", high, 3);
    is(&c, "<i class=\"below\" data-node=\"l3_bound\">+//+</i>\n");
}

/* The digits of an element as bytes; how many. */
static size_t bytes_of(const char *element, uint8_t *to)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    unsigned bits = 0, have = 0;

    for (const char *at = strchr(element, '>') + 1; *at != '<' && *at != '='; at++) {
        const char *digit = strchr(all, *at);

        CU_ASSERT_PTR_NOT_NULL_FATAL(digit);
        bits = bits << 6 | (unsigned)(digit - all);
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        to[n++] = (uint8_t)(bits >> have);
    }
    return n;
}

#ifdef HAVE_ZLIB
/* Inflates; how many bytes it became. *blocks: how many blocks of codes there are. */
static size_t inflated(uint8_t *to, size_t room, uint8_t *from, size_t n, unsigned *blocks)
{
    enum { BLOCK_ENDS = 128 };
    z_stream z = {.next_in = from, .avail_in = (uInt)n, .next_out = to, .avail_out = (uInt)room};
    int err = Z_OK;

    *blocks = 0;
    CU_ASSERT_EQUAL_FATAL(inflateInit(&z), Z_OK);
    for (int i = 0; i < 100 && err == Z_OK; i++) {
        err = inflate(&z, Z_BLOCK);
        /* it stops after the head, too, which no byte of output precedes */
        *blocks += (z.data_type & BLOCK_ENDS) != 0 && z.total_out > 0;
    }
    CU_ASSERT_EQUAL(err, Z_STREAM_END);
    CU_ASSERT_EQUAL(z.avail_in, 0);
    inflateEnd(&z);
    return z.total_out;
}

/* A byte, and another with its repetitions, take 3 bits of the block, 8 of each byte, 7 and 5 of length and distance, 7
 * of the end: 38, or five bytes, beside the six of RFC 1950. So they are fewer than twelve, and not fewer than eleven.
 */
static void fewest(void)
{
    static const uint8_t same[12] = {1};
    uint8_t code[64], plain[64];
    struct captured c;
    unsigned blocks;
    size_t n;

    td_packed_put(captured_begin(&c), "low", same, 11, 1);
    is(&c, "<i class=\"low\">AQAAAAAAAAAAAAA=</i>\n");
    td_packed_put_node(captured_begin(&c), "below", "x", same, 12);
    CU_ASSERT_PTR_NOT_NULL(strstr(captured_text(&c), "<i class=\"below\" data-node=\"x\" data-packed=\"deflate\">"));
    n = bytes_of(c.text, code);
    CU_ASSERT_EQUAL(n, 11);
    CU_ASSERT_EQUAL(inflated(plain, sizeof(plain), code, n, &blocks), 12);
    CU_ASSERT(!memcmp(plain, same, 12));
    captured_end(&c);
}

/* Each column has codes of its own. */
static void columns(void)
{
    enum { N = 600, COLUMNS = 4 };
    static uint8_t bytes[N * COLUMNS], code[N * COLUMNS], plain[N * COLUMNS];
    struct unit_random random = {1};
    struct captured c;
    unsigned blocks;
    size_t n;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(50 * (i / N) + unit_random_below(&random, 16));
    for (size_t k = 1; k <= COLUMNS; k++) {
        td_packed_put(captured_begin(&c), "value", bytes, N, k);
        CU_ASSERT_PTR_NOT_NULL(strstr(captured_text(&c), "<i class=\"value\" data-packed=\"deflate\">"));
        n = bytes_of(c.text, code);
        CU_ASSERT(n < k * N);
        CU_ASSERT_EQUAL(inflated(plain, sizeof(plain), code, n, &blocks), k * N);
        CU_ASSERT(!memcmp(plain, bytes, k * N));
        CU_ASSERT_EQUAL(blocks, k);
        captured_end(&c);
    }
}
#endif

/* Of chance nothing can be said in fewer bytes. */
static void chance(void)
{
    static uint8_t bytes[3000], same[3000];
    struct unit_random random = {2};
    struct captured c;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)unit_random_below(&random, 256);
    td_packed_put(captured_begin(&c), "value", bytes, 1000, 3);
    CU_ASSERT(!strncmp(captured_text(&c), "<i class=\"value\">", 17));
    CU_ASSERT_EQUAL(bytes_of(c.text, same), sizeof(same));
    CU_ASSERT(!memcmp(bytes, same, sizeof(same)));
    captured_end(&c);
}

static const CU_TestInfo tests[] = {
    {"digits", digits},
#ifdef HAVE_ZLIB
    {"no fewer", fewest}, {"columns", columns},
#endif
    {"chance", chance},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("bytes in pages", tests);
