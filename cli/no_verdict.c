/* SPDX-License-Identifier: MIT */
#include "cli/exit_codes.h"

#include "advice/target.h"
#include "cli/cli.h"

#include <string.h>

static int contradict(const char *where)
{
    cli_say("there is no verdict on any interval: the counts contradict each other; 'tdprobe doctor'%s", where);
    return EXIT_UNABLE;
}

int cli_nothing_measured(const struct td_report *r)
{
    if (!r->results || r->judged)
        return 0;
    if (r->lies)
        return contradict(" tests the counters of this machine");
    cli_say("there is no verdict on any interval: no metric has a value; "
            "'tdprobe doctor' tests the counters of this machine");
    return EXIT_UNABLE;
}

int cli_nothing_replayed(const struct td_report *r)
{
    const bool named = r->named && !strchr(r->named, ' ');
    char name[TD_ADVICE_TARGET], names[TD_ADVICE_TARGET];

    if (!r->results || r->judged)
        return 0;
    if (r->lies)
        return contradict(", on the machine that was recorded, tests its counters");
    if (r->uncounted)
        cli_say(
            "events were recorded, but not counted: where 'perf stat' alone does not count them either, the machine has "
            "no counters for them; a guest has those that its hypervisor gives it (KVM: -cpu host,pmu=on)");
    cli_say(
        "there is no verdict on any interval: no metric has a value; 'tdprobe perf-command --uarch %s%s%s%s' prints "
        "what to record%s",
        td_advice_uarch(r->cpu, name), r->no_fixed ? " --no-fixed" : "", named ? " -M " : "", named ? r->named : "",
        td_advice_names(r->cpu, names));
    return EXIT_UNABLE;
}
