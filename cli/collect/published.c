/* SPDX-License-Identifier: MIT */
#include "cli/collect/published.h"

#include "util/room.h"

#include <errno.h>
#include <string.h>

static int append(void *ctx, const char *bytes, size_t n)
{
    struct cli_published *t = ctx;

    if (td_room(&t->at, &t->room, t->n + n, 1))
        return -ENOMEM;
    memcpy(t->at + t->n, bytes, n);
    t->n += n;
    return 0;
}

enum { OWN = 6 };

static size_t own_families(const struct cli_standing *now, struct td_exposition_own out[OWN])
{
    size_t n = 0;

    out[n++] = (struct td_exposition_own){
        "tdprobe_yielded", "Whether the counters are left to others for some intervals.", false, now->manners->yielded};
    out[n++] = (struct td_exposition_own){"tdprobe_yields", "How often the counters were left to others.", true,
                                          (double)now->manners->yields};
    out[n++] = (struct td_exposition_own){"tdprobe_level_dropped",
                                          "Whether only level 1 is counted, as others use the counters too.", false,
                                          now->manners->shallow};
    if (now->followed) {
        out[n++] = (struct td_exposition_own){"tdprobe_cgroups", "The cgroups that are counted at present.", false,
                                              (double)now->followed->all.n};
        out[n++] =
            (struct td_exposition_own){"tdprobe_cgroups_waiting",
                                       "The cgroups that wait for their turn to be counted, beyond the most that "
                                       "are at one time: slots are then of the measured seconds only.",
                                       false, (double)now->followed->waiting.n};
    }
    if (now->write_failures)
        out[n++] = (struct td_exposition_own){"tdprobe_write_failures",
                                              "How often this file could not be written after an interval.", true,
                                              (double)*now->write_failures};
    return n;
}

int cli_published_make(struct cli_published *t, const struct td_tally *tally, const struct cli_standing *now,
                       enum td_exposition dialect)
{
    struct td_exposition_own own[OWN];
    const size_t n = own_families(now, own);
    struct td_output o;
    int err = td_output_open_fn(&o, append, t);

    if (err)
        return err;
    td_exposition_put(&o, tally, own, n, dialect);
    return td_output_close(&o, true);
}
