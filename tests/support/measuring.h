/* SPDX-License-Identifier: MIT */
/* A measurement on a simulated machine, for tests that ask only how it ends. */
#ifndef MEASURING_H
#define MEASURING_H

#include "session/session.h"

#include <errno.h>

static inline int keep_nothing(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    (void)ctx, (void)at, (void)bytes, (void)n;
    return 0;
}

/* 20 ms of the machine's time. */
static inline void wait_a_little(struct td *td)
{
    const struct td_os *os = td_session_os(td);
    struct td_os_event event;

    os->wait(os->ctx, os->now(os->ctx) + 20000000, -1, &event);
}

/* Takes a reading after a little, and counts its results. */
static inline int count_results(struct td *td, size_t *n)
{
    const struct td_result *r;
    int err;

    *n = 0;
    wait_a_little(td);
    err = td_take(td);
    while (!err && !(err = td_next(td, &r)))
        ++*n;
    return err == -EAGAIN ? 0 : err;
}

#endif
