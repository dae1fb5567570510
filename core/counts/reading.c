/* SPDX-License-Identifier: MIT */
#include "core/counts/reading.h"

#include "util/room.h"

int td_reading_append(struct td_reading *r, const struct td_sample *s)
{
    if (r->snap.n == TD_READING_ROWS)
        return -E2BIG;
    if (td_room(&r->samples, &r->room, r->snap.n ? r->snap.n + 1 : 16, sizeof(*r->samples)))
        return -ENOMEM;
    r->samples[r->snap.n++] = *s;
    r->snap.s = r->samples;
    return 0;
}

void td_reading_free(struct td_reading *r)
{
    free(r->samples);
    *r = (struct td_reading){0};
}
