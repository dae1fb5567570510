/* SPDX-License-Identifier: MIT */
#include "report/page/packed.h"

#include <stdlib.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

/* Fewer bytes that say the same, to be freed, and their number; NULL: there are none, or there is no memory. */
static uint8_t *deflated(const uint8_t *bytes, size_t *n)
{
    uLongf size = compressBound(*n);
    uint8_t *packed = malloc(size);

    if (!packed || compress2(packed, &size, bytes, *n, Z_BEST_COMPRESSION) != Z_OK || size >= *n) {
        free(packed);
        return NULL;
    }
    *n = size;
    return packed;
}
#else
static uint8_t *deflated(const uint8_t *bytes, size_t *n)
{
    (void)bytes, (void)n;
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

void td_packed_put(struct td_output *o, const char *what, const uint8_t *bytes, size_t n)
{
    size_t fewer = n;
    uint8_t *packed = deflated(bytes, &fewer);

    td_output_format(o, "<i class=\"%s\"%s>", what, packed ? " data-packed=\"deflate\"" : "");
    put_digits(o, packed ? packed : bytes, fewer);
    td_output_text(o, "</i>\n");
    free(packed);
}
