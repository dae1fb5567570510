/* SPDX-License-Identifier: MIT */
/* perf.data: numbers and texts, as they are in the file. */
#include "sim/replay/perf_data/perf_data.h"

#include <string.h>

/* Spelt out, so that compilers make one load of each. */
static uint32_t u32_at(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t u64_at(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Removes bytes from the front and returns them; NULL: there are not as many, and then none is left. */
static const unsigned char *take(struct td_perf_view *v, size_t bytes)
{
    const unsigned char *at = v->at;

    if (v->n < bytes) {
        v->n = 0;
        return NULL;
    }
    v->at += bytes;
    v->n -= bytes;
    return at;
}

bool td_perf_u16(struct td_perf_view *v, uint16_t *out)
{
    const unsigned char *at = take(v, 2);

    *out = (uint16_t)(at ? at[0] | (unsigned)at[1] << 8 : 0);
    return at;
}

bool td_perf_u32(struct td_perf_view *v, uint32_t *out)
{
    const unsigned char *at = take(v, 4);

    *out = at ? u32_at(at) : 0;
    return at;
}

bool td_perf_u64(struct td_perf_view *v, uint64_t *out)
{
    const unsigned char *at = take(v, 8);

    *out = at ? u64_at(at) : 0;
    return at;
}

bool td_perf_part(struct td_perf_view *v, uint64_t size, struct td_perf_view *out)
{
    *out = (struct td_perf_view){v->at, 0};
    if (size > v->n) {
        v->n = 0;
        return false;
    }
    out->n = (size_t)size;
    v->at += size;
    v->n -= (size_t)size;
    return true;
}

bool td_perf_string(struct td_perf_view *v, const char **text, size_t *len)
{
    struct td_perf_view bytes;
    const unsigned char *end;
    uint32_t size;
    bool good = td_perf_u32(v, &size) && td_perf_part(v, size, &bytes);

    *text = "";
    *len = 0;
    if (!good)
        return false;
    end = size ? memchr(bytes.at, '\0', bytes.n) : NULL;
    *text = (const char *)bytes.at;
    *len = end ? (size_t)(end - bytes.at) : bytes.n;
    return true;
}
