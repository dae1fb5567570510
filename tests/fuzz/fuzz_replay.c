/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a recording, through the public API, with a few choices of CPU and format. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cpus[] = {NULL, "spr", "adl", "skl", "neoverse-n2", "icl", "ehl", "hip08"};
    struct input in = {data, size};
    const struct td_result *r;
    struct td *td = td_new();
    unsigned choice;

    if (!td || !size)
        goto out;
    in.data++, in.size--;
    choice = data[0] >> 5;
    if (cpus[data[0] & 7])
        td_set_uarch(td, cpus[data[0] & 7]);
    td_set_fixed(td, !(data[0] & 8));
    td_set_intervals(td, !(data[0] & 16));
    /* 1, as the seeds have it: the format is found; 0: PerfSpect's metadata stand before the recording */
    if (choice > 1)
        td_set_format(td, td_format_name(choice - 2u));
    if (choice == 0 && td_set_metadata(td, "fuzz", give, &in))
        goto out;
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
