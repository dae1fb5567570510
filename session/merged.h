/* SPDX-License-Identifier: MIT */
/* One answer of several CPUs that fit the same counts. */
#ifndef TD_MERGED_H
#define TD_MERGED_H

#include "core/result.h"
#include "util/text_buffer.h"

/* The texts that several CPUs' results share. */
struct td_merged {
    struct td_text_buffer *event; /* by metric: the events that CPUs lack, where these differ */
    size_t n;
    struct td_text_buffer formula;
};

/* Merges another CPU's result into one. Their answers must be the same numbers, otherwise *differ is the metric that
 * differs; an absent metric may have different reasons, which are then all given. -ENOMEM. */
int td_merge(struct td_result *, const struct td_result *other, struct td_merged *, const char **differ);
void td_merged_free(struct td_merged *);

#endif
