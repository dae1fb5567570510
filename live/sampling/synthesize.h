/* SPDX-License-Identifier: MIT */
/* The records that the kernel does not write for what was there before: the kernel's own text, and of each
 * process its name and the files that it executes, as perf(1) synthesizes them. */
#ifndef TD_SYNTHESIZE_H
#define TD_SYNTHESIZE_H

#include "live/sampling/data_file.h"

/* "[kernel.kallsyms]_text" and where it is; nothing if it is hidden (kernel.kptr_restrict). */
void td_synthesize_kernel(const struct td_os *, struct td_data_bytes *);
/* A process, with its threads' names, as of this time. */
void td_synthesize_process(const struct td_os *, pid_t process, uint64_t time, struct td_data_bytes *);
/* All processes. */
void td_synthesize_all(const struct td_os *, uint64_t time, struct td_data_bytes *);
/* Which CPU each id counts: for groups of whole CPUs. */
void td_synthesize_index(const struct td_sampled *const *, size_t n, struct td_data_bytes *);

#endif
