/* SPDX-License-Identifier: MIT */
/* What was detected, and what it was detected from, as lines of text. */
#ifndef TD_HOST_FACTS_H
#define TD_HOST_FACTS_H

#include "live/host/host.h"

/* As td_facts() has them: each is called with a line. */
void td_host_facts(const struct td_host *, void (*each)(void *ctx, const char *line), void *ctx);

#endif
