/* SPDX-License-Identifier: MIT */
/* A process beside this one that ends what this one has begun, for one that will not be allowed to do it itself. All
 * that it takes from it is whether the thing is whole. */
#ifndef REPORT_KEEPER_H
#define REPORT_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

struct td_keeper {
    pid_t pid; /* 0: there is none */
    int fd; /* a socket: it sees there that this process has ended */
    struct td_keeper_word *word; /* what both processes see */
};

/* Ends it: what was begun is kept if it is whole, else it is removed. 0 or -errno. */
typedef int td_keeper_fn(void *ctx, bool whole);

/* Starts a process that will call end(ctx, whole), with memory and descriptors as they are now, when it is told to; or
 * without whole, when this process has ended. Until then no signal but SIGKILL reaches it. False: there can be none. */
bool td_keeper_start(struct td_keeper *, td_keeper_fn *end, void *ctx);
/* Tells it to, and waits for it. What end() returned, or -EOWNERDEAD: somebody has killed it. A handler of a signal may
 * call this. */
int td_keeper_end(struct td_keeper *, bool whole);

#endif
