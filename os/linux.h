/* SPDX-License-Identifier: MIT */
/* The parts of td_os_linux, by file; os.h documents each function. */
#ifndef TD_LINUX_H
#define TD_LINUX_H

#include "os/os.h"

/* ---- linux_files.c: */

/* Reads until the end or a full buffer: how many bytes. */
ssize_t td_os_read_all(int fd, void *buf, size_t size);

ssize_t td_os_file_of(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size);

/* ---- linux_clock.c: */

uint64_t td_os_clock_now(void *ctx);
uint64_t td_os_clock_realtime(void *ctx);
uint64_t td_os_clock_spin(void *ctx, uint64_t ns);

/* ---- linux_command.c: a command, signals, waiting */

int td_os_run_signals(void *ctx);
pid_t td_os_run_spawn(void *ctx, char *const argv[]);
int td_os_run_release(void *ctx);
int td_os_run_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out);
int td_os_run_kill(void *ctx, int signal);
int td_os_run_used(void *ctx, pid_t pid, struct td_os_used *out);

/* ---- linux_rings.c: */

int td_os_rings(void *ctx);
int td_os_rings_add(void *ctx, int rings, int fd);

/* ---- linux_thread.c: the calling thread, and registers */

int td_os_self_map(void *ctx, int fd, size_t size, void **out);
void td_os_self_unmap(void *ctx, void *at, size_t size);
int td_os_self_here(void *ctx);
int td_os_self_rseq(void *ctx, ptrdiff_t *offset);
int td_os_self_msr_open(void *ctx, int cpu);
int td_os_self_msr_read(void *ctx, int fd, uint32_t reg, uint64_t *value);
int td_os_self_msr_write(void *ctx, int fd, uint32_t reg, uint64_t value);

#endif
