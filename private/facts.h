/* SPDX-License-Identifier: MIT */
/* What a machine is, as text that can be passed on: for tdprobe selftest --bundle. */
#ifndef PRIVATE_FACTS_H
#define PRIVATE_FACTS_H

#include "include/tdprobe.h"
#include "private/exported.h"

/* Called with each line, without its newline. */
typedef void td_fact_fn(void *ctx, const char *line);

/* Tells what the machine is whose counters the handle would open: CPUID or MIDR, the PMUs of its cores with what sysfs
 * has about them, caches, release and settings of the kernel. The lines are those of tdprobe-machine(5) as far as it
 * has words for them, and comments; the first is "# cpu: ID". None has a name, a serial number or a path that is one
 * machine's own. 0 or -errno, with td_error(), where not even that can be found out. */
TD_PRIVATE int td_facts(struct td *, td_fact_fn *each, void *ctx);

#endif
