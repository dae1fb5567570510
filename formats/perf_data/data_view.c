/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_view.h"

#include <string.h>

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
