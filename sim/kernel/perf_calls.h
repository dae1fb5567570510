/* SPDX-License-Identifier: MIT */
/* read(2), ioctl(2), close(2) and mmap(2) of the simulated kernel's descriptors. */
#ifndef TD_PERF_CALLS_H
#define TD_PERF_CALLS_H

#include <stddef.h>
#include <sys/types.h>

struct td_sim;

ssize_t td_sim_os_read(void *ctx, int fd, void *buf, size_t size);
int td_sim_os_perf_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg);
int td_sim_os_close(void *ctx, int fd);

/* map.c */
int td_sim_os_map(void *ctx, int fd, size_t size, void **out);
void td_sim_os_unmap(void *ctx, void *at, size_t size);
int td_sim_os_rings(void *ctx);
int td_sim_os_rings_add(void *ctx, int rings, int fd);
unsigned long td_sim_pages_mapped(const struct td_sim *);
void td_sim_pages_free(struct td_sim *);

#endif
