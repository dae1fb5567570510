/* SPDX-License-Identifier: MIT */
/* The part of td_os_linux that os_self.c holds. */
#ifndef TD_OS_SELF_H
#define TD_OS_SELF_H

#include "os.h"

int td_os_self_map(void *ctx, int fd, size_t size, void **out);
void td_os_self_unmap(void *ctx, void *at, size_t size);
int td_os_self_here(void *ctx);
int td_os_self_rseq(void *ctx, ptrdiff_t *offset);
int td_os_self_msr_open(void *ctx, int cpu);
int td_os_self_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value);
int td_os_self_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value);

#endif
