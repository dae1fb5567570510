/* SPDX-License-Identifier: MIT */
/* The part of td_os_linux that runs a command; os.h says what each does. */
#ifndef TD_OS_RUN_H
#define TD_OS_RUN_H

#include "os.h"

int td_os_run_signals(void *ctx);
pid_t td_os_run_spawn(void *ctx, char *const argv[]);
int td_os_run_release(void *ctx);
int td_os_run_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out);
int td_os_run_kill(void *ctx, int signal);

#endif
