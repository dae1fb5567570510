/* SPDX-License-Identifier: MIT */
/* A snapshot together with the samples that it is made of. */
#ifndef TD_READING_H
#define TD_READING_H

#include "core/counts/counts.h"

struct td_reading {
    struct td_snap snap; /* snap.s are the samples */
    struct td_sample *samples; /* owned; td_reading_free() */
    size_t room;
};

/* Adds a sample. -E2BIG: more than TD_READING_ROWS; -ENOMEM. */
int td_reading_append(struct td_reading *, const struct td_sample *);
void td_reading_free(struct td_reading *);

#endif
