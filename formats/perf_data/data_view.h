/* SPDX-License-Identifier: MIT */
/* perf.data: numbers and texts, as they are in the file. */
#ifndef TD_DATA_VIEW_H
#define TD_DATA_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are in memory: a part of the file. */
struct td_perf_view {
    const unsigned char *at;
    size_t n;
};

/* Little-endian numbers at an address. They are spelt out in a form that compilers make one load of. */
static inline uint32_t td_perf_u32_at(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t td_perf_u64_at(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Removes bytes from the front and returns them; NULL: there are not as many, and then none is left. */
static inline const unsigned char *td_perf_take(struct td_perf_view *v, size_t bytes)
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

/* Little-endian numbers, taken from the front; false (and 0): there are not enough bytes. */
static inline bool td_perf_u16(struct td_perf_view *v, uint16_t *out)
{
    const unsigned char *at = td_perf_take(v, 2);

    *out = (uint16_t)(at ? at[0] | (unsigned)at[1] << 8 : 0);
    return at;
}

static inline bool td_perf_u32(struct td_perf_view *v, uint32_t *out)
{
    const unsigned char *at = td_perf_take(v, 4);

    *out = at ? td_perf_u32_at(at) : 0;
    return at;
}

static inline bool td_perf_u64(struct td_perf_view *v, uint64_t *out)
{
    const unsigned char *at = td_perf_take(v, 8);

    *out = at ? td_perf_u64_at(at) : 0;
    return at;
}

/* Takes size bytes from the front; false: there are not as many. */
bool td_perf_part(struct td_perf_view *, uint64_t size, struct td_perf_view *out);
/* Takes a text from the front as do_write_string() of perf writes it: its length, then so many bytes with a NUL among
 * them. */
bool td_perf_string(struct td_perf_view *, const char **text, size_t *len);

#endif
