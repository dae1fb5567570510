/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: bytes to read, and what must hold for every result. */
#ifndef FUZZ_H
#define FUZZ_H

#include "tdprobe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const uint8_t *data;
    size_t size;
};

static ssize_t give(void *ctx, void *buf, size_t size)
{
    struct input *in = ctx;

    if (size > in->size)
        size = in->size;
    memcpy(buf, in->data, size);
    in->data += size;
    in->size -= size;
    return (ssize_t)size;
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* What must hold for every result, whatever was read. */
static void check(const struct td_result *r)
{
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        require((m->status == TD_OK) == isfinite(m->value));
        require(m->status != TD_OK || (m->value >= -0.05 && m->value <= 1.05));
        require(isnan(m->low) == isnan(m->high));
        require(isnan(m->low) || (m->low <= m->value && m->value <= m->high));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
