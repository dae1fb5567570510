/* SPDX-License-Identifier: MIT */
#include "cli/nothing_said.h"

#include "cli/cli.h"

static int contradict(void)
{
    cli_say("there is no verdict on any interval: the counts contradict each other; 'tdprobe doctor' tests the counters of this machine");
    return EXIT_UNABLE;
}

int cli_nothing_measured(const struct td_report *r)
{
    if (!r->results || r->judged)
        return 0;
    if (r->lies)
        return contradict();
    cli_say("there is no verdict on any interval: no metric has a value; 'tdprobe doctor' tests the counters of this machine");
    return EXIT_UNABLE;
}

int cli_nothing_replayed(const struct td_report *r)
{
    if (!r->results || r->valued)
        return 0;
    if (r->lies)
        return contradict();
    cli_say("there is no verdict on any interval: no metric has a value; 'tdprobe perf-command --uarch %s' prints what to record", r->cpu);
    return EXIT_UNABLE;
}
