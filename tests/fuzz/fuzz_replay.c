/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a recording, through the public API, with a few choices of CPU. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cpus[] = {NULL, "spr", "adl", "skl", "neoverse-n2", "icl", "ehl", "hip08"};
    struct input in = {data, size};
    const struct td_result *r;
    struct td *td = td_new();

    if (!td || !size)
        goto out;
    in.data++, in.size--;
    if (cpus[data[0] & 7])
        td_set_uarch(td, cpus[data[0] & 7]);
    td_set_fixed(td, !(data[0] & 8));
    td_set_intervals(td, !(data[0] & 16));
    if (td_open(td, "fuzz", give, &in))
        goto out;
    while (!td_next(td, &r))
        check(r);
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        check(r);
out:
    td_free(td);
    return 0;
}
