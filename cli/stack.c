/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

#include "cli/cli.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    /* kB: what names of 2048 parts take to be demangled (the limit of libiberty), and all else takes less */
    PLENTY = 1024,
    SLACK = 1024 * 1024, /* bytes: a frame may be that large, and the arguments are above main()'s own */
};

static uintptr_t top; /* where main()'s frame is */
static size_t limit; /* bytes below it */
static char message[160]; /* made before, as little is safe when it is needed */
static char apart[65536]; /* the handler's own stack: with all of a CPU's registers saved, some 12 kB are needed */

static void on_fault(int number, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)info->si_addr;

    (void)context;
    if (info->si_code <= 0) { /* somebody sent it, and there is no address: it does not come again by itself */
        raise(number);
        return;
    }
    if (at < top && top - at <= limit + SLACK && write(STDERR_FILENO, message, strlen(message)) >= -1)
        _exit(EXIT_UNABLE);
    /* another fault comes again when this returns, and has its usual effect then (SA_RESETHAND) */
}

void cli_stack_watch(void)
{
    const stack_t stack = {.ss_sp = apart, .ss_size = sizeof(apart)};
    struct sigaction now = {.sa_sigaction = on_fault, .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    struct rlimit most;
    unsigned long kb;

    if (getrlimit(RLIMIT_STACK, &most) || most.rlim_cur == RLIM_INFINITY || most.rlim_cur > SIZE_MAX - SLACK)
        return;
    top = (uintptr_t)&stack;
    limit = (size_t)most.rlim_cur;
    kb = (unsigned long)(limit / 1024);
    snprintf(message, sizeof(message), "tdprobe: the stack of %lu kB is full: 'ulimit -s %lu' before it gives more\n",
             kb, kb < PLENTY ? PLENTY : kb * 4);
    if (!sigaltstack(&stack, NULL))
        sigaction(SIGSEGV, &now, NULL);
}
