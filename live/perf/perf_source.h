/* SPDX-License-Identifier: MIT */
/* The source "perf": reads all counts by read(2). */
#ifndef TD_PERF_SOURCE_H
#define TD_PERF_SOURCE_H

#include "live/source.h"

extern const struct td_source td_source_perf;

/* Functions of struct td_source that the source "rdpmc" has too, because it opens the same events. */
int td_perf_source_ask(struct td_meter *, struct td_unit *, bool dry, struct td_plan_ask *out);
int td_perf_source_plan(struct td_meter *, struct td_unit *, const struct td_plan_ask *, bool dry,
                        char why[TD_SOURCE_WHY]);
int td_perf_source_settle(struct td_meter *, struct td_unit *, bool found, const char *reasons);
int td_perf_source_open(struct td_meter *, struct td_unit *);
int td_perf_source_describe(struct td_meter *, const struct td_unit *);

#endif
