/* SPDX-License-Identifier: MIT */
/* Two readings of SLOTS and PERF_METRICS around some code, and what the slots
 * between them were: as in the Linux kernel's
 * tools/perf/Documentation/topdown.txt, but without a system call, event
 * numbers or shifts in the program, and with bounds.
 *
 *     two-snapshots            by the counters of this machine (Intel, Ice Lake and later)
 *     two-snapshots MACHINE    by those of a simulated one, tdprobe-machine(5) */
#include "machine.h"
#include "print.h"

#include <td_regions.h>

static volatile double sink;

static void code(void)
{
    double x = 1;

    for (int i = 1; i < 1000000; i++)
        x += 1 / (x + i);
    sink = x;
}

static int measure(struct td *td)
{
    const struct td_self *self = td_self_of(td);
    const struct td_result *r = NULL;
    struct td_point a, b;
    int err = td_point_read(self, &a);

    code();
    if (!err)
        err = td_point_read(self, &b); /* two rdpmc and some 30 other instructions */
    if (err == -EOPNOTSUPP)
        printf("no PERF_METRICS on this CPU: td_read() and td_measure() are for that\n");
    if (!err)
        err = td_measure_points(td, &a, &b, &r);
    if (err)
        return err;
    printf("%llu slots, %llu since the reset\n", (unsigned long long)(b.slots - a.slots), (unsigned long long)a.slots);
    print_metrics(r);
    return 0;
}

int main(int argc, char **argv)
{
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0};
    struct td *td = td_new();
    int err = td ? 0 : -ENOMEM;

    if (!err)
        td_set_note(td, print_note, NULL);
    if (!err && argc > 1)
        err = use_machine(td, argv[1]);
    if (!err)
        err = td_open_self(td, &ask);
    if (!err && argc > 1)
        printf("%s is simulated: these are the shares of its own workload, whatever this program does\n", argv[1]);
    /* The eight bits are parts of all slots since the registers were zeroed: the
     * second time round the bounds are wider. A reset narrows them again. */
    for (int i = 0; i < 3 && !err; i++) {
        err = measure(td);
        if (!err && i == 1)
            err = td_reset(td);
    }
    if (err)
        fprintf(stderr, "two-snapshots: %s\n", what_failed(td, err));
    td_free(td);
    return err ? 1 : 0;
}
