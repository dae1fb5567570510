/* SPDX-License-Identifier: MIT */
#include "report/page/packed.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

/* Deflates columns of together n bytes into as much room: how many bytes it became, 0 where these are no fewer,
 * -ENOMEM. Shares are noise around a level: what repeats is their frequencies, not their order, which Z_FILTERED is
 * for. */
static long deflated(uint8_t *to, const uint8_t *bytes, size_t n, size_t columns)
{
    z_stream z = {.next_in = (z_const Bytef *)bytes, .next_out = to, .avail_out = (uInt)n};
    int err;

    if (n > UINT_MAX)
        return 0;
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_FILTERED))
        return -ENOMEM;
    err = Z_OK;
    for (size_t i = 0; i < columns && err == Z_OK && z.avail_out; i++) {
        z.avail_in = (uInt)(n / columns);
        err = deflate(&z, i + 1 < columns ? Z_BLOCK : Z_FINISH);
    }
    deflateEnd(&z);
    return err == Z_STREAM_END && z.total_out < n ? (long)z.total_out : 0;
}
#else
static long deflated(uint8_t *to, const uint8_t *bytes, size_t n, size_t columns)
{
    (void)to, (void)bytes, (void)n, (void)columns;
    return 0;
}
#endif

/* Three bytes in four digits; fewer are filled up with =. */
static void put_digits(struct td_output *o, const uint8_t *bytes, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t at = 0; at < n; at += 3) {
        const size_t left = n - at;
        const uint32_t bits =
            (uint32_t)bytes[at] << 16 | (left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0) | (left > 2 ? bytes[at + 2] : 0u);

        for (size_t i = 0; i < 4; i++)
            td_output_char(o, i <= left ? digit[bits >> (18 - 6 * i) & 63] : '=');
    }
}

static void put(struct td_output *o, const char *what, const char *node, const uint8_t *bytes, size_t n, size_t columns)
{
    uint8_t *packed = malloc(n * columns);
    const long fewer = packed ? deflated(packed, bytes, n * columns, columns) : -ENOMEM;

    if (fewer < 0)
        o->error = -ENOMEM;
    td_output_format(o, "<i class=\"%s\"%s%s%s%s>", what, node ? " data-node=\"" : "", node ? node : "",
                     node ? "\"" : "", fewer > 0 ? " data-packed=\"deflate\"" : "");
    put_digits(o, fewer > 0 ? packed : bytes, fewer > 0 ? (size_t)fewer : n * columns);
    td_output_text(o, "</i>\n");
    free(packed);
}

void td_packed_put(struct td_output *o, const char *what, const uint8_t *bytes, size_t n, size_t columns)
{
    put(o, what, NULL, bytes, n, columns);
}

void td_packed_put_node(struct td_output *o, const char *what, const char *node, const uint8_t *bytes, size_t n)
{
    put(o, what, node, bytes, n, 1);
}
