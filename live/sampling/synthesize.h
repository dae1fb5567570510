/* SPDX-License-Identifier: MIT */
/* Records about what was there before sampling began, which the kernel does not write: the kernel's own text, and of
 * each process its name and the files that it executes. perf(1) synthesizes the same. */
#ifndef TD_SYNTHESIZE_H
#define TD_SYNTHESIZE_H

#include "live/sampling/data_file.h"

/* Adds the mapping "[kernel.kallsyms]_text"; nothing if the address is hidden (kernel.kptr_restrict). */
void td_synthesize_kernel(const struct td_os *, struct td_data_bytes *);
/* Adds the records of a process and its threads' names, as of this time. */
void td_synthesize_process(const struct td_os *, pid_t process, uint64_t time, struct td_data_bytes *);
/* Adds those of all processes. */
void td_synthesize_all(const struct td_os *, uint64_t time, struct td_data_bytes *);
/* Adds records that say which CPU each id counts, for groups of whole CPUs. */
void td_synthesize_index(const struct td_sampled *const *, size_t n, struct td_data_bytes *);

#endif
