/* SPDX-License-Identifier: MIT */
#include "session/machine.h"

#include "live/host/host.h"
#include "live/sampling/recorder.h"
#include "live/thread/thread_source.h"
#include "private/facts.h"
#include "session/identify.h"
#include "sim/sim.h"

#include <errno.h>
#include <stdlib.h>

const struct td_os *td_session_os(const struct td *td)
{
    return td->os ? td->os : td->sim ? td_sim_os(td->sim) : &td_os_linux;
}

void td_session_stop(struct td *td)
{
    if (td->recorder)
        td_recorder_free(td->recorder);
    free(td->recorder);
    td_meter_free(td->meter);
    td_own_free(td->own);
    free(td->added);
    td_sim_free(td->sim);
}

int td_session_meter(struct td *td)
{
    if (!td->meter)
        td->meter = td_meter_new(td_session_os(td), &td->log, &td->settings);
    return td->meter ? 0 : td_log_no_memory(&td->log);
}

int td_set_machine(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err;

    if (td->opened || td->meter || td->sim)
        return td_log_fail(&td->log, -EINVAL, "the machine is set once, before anything is measured");
    err = td_sim_new(name, read, ctx, &td->sim, td->log.error, sizeof(td->log.error));
    if (!err)
        td_sim_attach(td->sim, &td_os_linux, false);
    return err;
}

/* Detects the host, whether or not it can be measured; only -ENOMEM is an error. */
static int look(struct td *td)
{
    int err;

    if (td->opened && !td->meter)
        return td_log_fail(&td->log, -EINVAL, "the handle reads a recording");
    err = td_session_meter(td);
    return err ? err : td_meter_detect(td->meter);
}

int td_detect(struct td *td)
{
    int err = look(td);

    if (!err && td->meter->host.err)
        return td_log_fail(&td->log, td->meter->host.err, "%s", td->meter->host.why);
    return err;
}

const char *td_machine_name(const struct td *td)
{
    return td->meter ? td->meter->host.identity.name : "";
}

const char *td_machine_origin(const struct td *td)
{
    return td->meter ? td->meter->host.origin : "";
}

int td_facts(struct td *td, td_fact_fn *each, void *ctx)
{
    int err = look(td);

    if (!err)
        td_host_facts(&td->meter->host, each, ctx);
    return err;
}

/* The forms for the machine's kinds of core are found as for any stream. */
int td_session_find_pmus(struct td *td)
{
    int err = 0;

    if (!td->ready) {
        td->stream = &td->meter->stream;
        err = td_session_identify(td);
    }
    return err ? err : td_meter_find_pmus(td->meter, &td->candidates.c[0].identity, td->candidates.c[0].forms);
}
