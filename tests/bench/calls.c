/* SPDX-License-Identifier: MIT */
/* How many system calls an interval costs: a simulated machine with many CPUs
 * (its description on stdin) is measured as a whole, and the calls are counted. */
#include "tests/bench/bench.h"
#include "live/meter.h"
#include "session/machine.h"
#include "session/session.h"
#include "sim/sim.h"

enum { INTERVALS = 10 };

static int interval(struct td *td, const struct td_os *os)
{
    struct td_os_event event;
    const struct td_result *r;
    int err = os->wait(os->ctx, os->now(os->ctx) + 10000000, -1, &event);

    err = err ? err : td_take(td);
    while (!err)
        err = td_next(td, &r);
    return err == -EAGAIN ? 0 : err;
}

int main(void)
{
    const struct td_live all = {.size = sizeof(struct td_live)};
    struct td_sim_calls before, after;
    struct td *td = td_new();
    int err = use_stdin(td);

    if (!err)
        err = td_open_live(td, &all);
    if (err) {
        fprintf(stderr, "calls: %s\n", td ? td_error(td) : "out of memory");
        return 1;
    }
    td_sim_calls(td->sim, &before);
    for (int i = 0; i < INTERVALS && !err; i++)
        err = interval(td, td_session_os(td));
    td_sim_calls(td->sim, &after);
    printf("%zu CPUs, %zu descriptors: %.1f read(2), %.1f other calls an interval\n", td->meter->host.ncpus,
           (size_t)before.open_fds, (double)(after.read - before.read) / INTERVALS,
           (double)(after.ioctl - before.ioctl + after.perf_open - before.perf_open + after.close - before.close) /
               INTERVALS);
    td_free(td);
    return err ? 1 : 0;
}
