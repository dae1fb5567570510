/* SPDX-License-Identifier: MIT */
#include "report/page/packed.h"

#include <limits.h>
#include <stdlib.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

/* Fewer bytes that say the same, to be freed, and their number; NULL: there are none, or there is no memory. Shares are
 * noise around a level: what repeats is their frequencies, not their order, which Z_FILTERED is for. */
static uint8_t *deflated(const uint8_t *bytes, size_t n, size_t columns, size_t *fewer)
{
    z_stream z = {.next_in = (z_const Bytef *)bytes, .next_out = malloc(n), .avail_out = (uInt)n};
    uint8_t *packed = z.next_out;
    int err;

    if (!packed || n > UINT_MAX ||
        deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_FILTERED)) {
        free(packed);
        return NULL;
    }
    err = Z_OK;
    for (size_t i = 0; i < columns && err == Z_OK && z.avail_out; i++) {
        z.avail_in = (uInt)(n / columns);
        err = deflate(&z, i + 1 < columns ? Z_BLOCK : Z_FINISH);
    }
    *fewer = z.total_out;
    deflateEnd(&z);
    if (err == Z_STREAM_END)
        return packed;
    free(packed);
    return NULL;
}
#else
static uint8_t *deflated(const uint8_t *bytes, size_t n, size_t columns, size_t *fewer)
{
    (void)bytes, (void)n, (void)columns, (void)fewer;
    return NULL;
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

void td_packed_put(struct td_output *o, const char *what, const uint8_t *bytes, size_t n, size_t columns)
{
    size_t fewer = n * columns;
    uint8_t *packed = deflated(bytes, fewer, columns, &fewer);

    td_output_format(o, "<i class=\"%s\"%s>", what, packed ? " data-packed=\"deflate\"" : "");
    put_digits(o, packed ? packed : bytes, fewer);
    td_output_text(o, "</i>\n");
    free(packed);
}
