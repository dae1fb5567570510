/* SPDX-License-Identifier: MIT */
/* The metadata that PerfSpect keeps beside the counts. */
#ifndef TD_PERFSPECT_H
#define TD_PERFSPECT_H

#include "sim/replay/recording.h"

/* Reads them: sets identity (unless one was asked for) and smt. -EBADMSG: they cannot be
 * read; -EOPNOTSUPP: the CPU has no top-down events; else read's error. */
int td_perfspect_metadata(struct td_recording *, td_read_fn *read, void *ctx);

#endif
