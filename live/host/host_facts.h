/* SPDX-License-Identifier: MIT */
/* What was detected, and what it was detected from, as lines of text: private/facts.h. */
#ifndef TD_HOST_FACTS_H
#define TD_HOST_FACTS_H

#include "live/host/host.h"
#include "private/facts.h"

void td_host_facts(const struct td_host *, td_fact_fn *each, void *ctx);

#endif
