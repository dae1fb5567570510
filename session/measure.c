/* SPDX-License-Identifier: MIT */
/* The API of measuring: open, enable, take. */
#include "core/sized.h"
#include "include/td_run.h"
#include "live/describe.h"
#include "live/meter.h"
#include "live/opening.h"
#include "private/plan.h"
#include "session/machine.h"
#include "session/to_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_close_live(struct td *td)
{
    if (td->own)
        return td_log_fail(&td->log, -EINVAL,
                           "the handle counts its own thread until td_free(): measure others with another handle");
    return td->meter ? td_meter_close(td->meter) : 0;
}

static int prepare(struct td *td, const struct td_live *ask)
{
    struct td_meter *m = td->meter;
    int err = td_close_live(td);

    if (err)
        return err;
    if (m && td->opened)
        td_host_free(&m->host); /* CPUs may have come and gone since the last run */
    err = td_detect(td);
    if (err)
        return err;
    m = td->meter;
    m->source = td->source;
    m->added = td->added;
    m->nadded = td->nadded;
    m->ask = (struct td_perf_ask){
        .os = td_session_os(td),
        .inherit = !ask->no_inherit,
        .on_exec = ask->on_exec,
        .no_user = ask->no_user,
        .no_kernel = ask->no_kernel,
        .only = td->settings.group,
    };
    if (ask->no_user && ask->no_kernel)
        return td_log_fail(&td->log, -EINVAL, "nothing is left to count without user and without kernel mode");
    err = td_session_find_pmus(td);
    err = err ? err : m->source->check(m, ask);
    return err ? err : td_scopes_find(m, ask);
}

static int start(struct td *td, const struct td_live *ask)
{
    struct td_meter *m = td->meter;
    uint64_t now = m->ask.os->now(m->ask.os->ctx);
    int err;

    if (!td->opened) {
        td->opened = true;
        m->readings.start = now;
        if (m->ask.os->realtime) {
            m->stream.monotonic = now;
            m->stream.realtime = m->ask.os->realtime(m->ask.os->ctx);
        }
    } else {
        m->readings.epoch++;
    }
    m->readings.time = now - m->readings.start;
    m->opened = true;
    err = td_readings_begin(m);
    err = err ? err : td_record_flush(td);
    return err || ask->disabled || ask->on_exec ? err : td_enable(td, true);
}

/* The error is what made opening fail; if something could not be given back, that is noted. */
static void fail_open(struct td *td)
{
    char text[TD_LOG_TEXT];

    td_log_defer(&td->log, text);
    if (td_meter_close(td->meter))
        td_log_note(&td->log, "%s", td->log.error);
    memcpy(td->log.error, text, sizeof(text));
}

int td_open_live(struct td *td, const struct td_live *given)
{
    struct td_live ask;
    int err = td_sized_take(&td->log, "td_live", &ask, sizeof(ask), given);

    if (err)
        return err;
    err = prepare(td, &ask);
    if (!err)
        err = td_units_open(td->meter, &ask, false);
    if (!err)
        err = td_meter_describe(td->meter);
    if (!err)
        err = start(td, &ask);
    if (err && td->meter)
        fail_open(td);
    return err;
}

int td_plan_live(struct td *td, const struct td_live *given)
{
    struct td_live ask;
    int err = td_sized_take(&td->log, "td_live", &ask, sizeof(ask), given);

    err = err ? err : prepare(td, &ask);
    if (!err)
        err = td_units_open(td->meter, &ask, true);
    return err ? err : td_meter_describe(td->meter);
}

int td_plan_uarch(struct td *td, const struct td_live *ask)
{
    const struct td_identity *asked = &td->settings.identity;
    int err;

    if (!asked->nparts)
        return td_log_fail(&td->log, -EINVAL, "a plan without a machine needs the CPU's name");
    if (td->opened || td->meter || td->sim)
        return td_log_fail(&td->log, -EINVAL, "the handle has a machine, or reads a recording");
    err = td_session_meter(td);
    if (err)
        return err;
    if (td_host_assume(&td->meter->host, asked, td->watchdog))
        return td_log_no_memory(&td->log);
    return td_plan_live(td, ask);
}

unsigned td_plan_groups(const struct td *td)
{
    return td->meter ? td_meter_turns(td->meter) : 0;
}

size_t td_plan_descriptors(const struct td *td)
{
    return td->meter ? td_meter_descriptors(td->meter) : 0;
}

bool td_plan_watchdog(const struct td *td)
{
    return td->meter && td_meter_needs_watchdogs(td->meter);
}

static const char *plan_events(struct td *td, size_t i, enum td_perf_words words)
{
    const char *events = td->meter ? td_meter_events(td->meter, i, words) : NULL;

    if (!events && td->meter && td->meter->nplan && i < td->meter->npmus)
        td_log_no_memory(&td->log);
    return events;
}

const char *td_plan(struct td *td, enum td_plan_what what, size_t i)
{
    switch (what) {
    case TD_PLAN_EVENTS: return plan_events(td, i, TD_PERF_NAMES);
    case TD_PLAN_ENCODINGS: return plan_events(td, i, TD_PERF_ENCODINGS);
    case TD_PLAN_LATENCIES: return plan_events(td, i, TD_PERF_LATENCIES);
    case TD_PLAN_TEXT: return td->meter && i < td->meter->nplan ? td->meter->plan[i] : NULL;
    }
    return NULL;
}

int td_enable(struct td *td, bool on)
{
    if (!td->meter || !td->meter->opened)
        return td_log_fail(&td->log, -EINVAL, "nothing is open to be counted (td_open_live)");
    return td_units_enable(td->meter, on);
}

int td_take(struct td *td)
{
    int err, failed;

    if (!td->meter || !td->meter->opened)
        return td_log_fail(&td->log, -EINVAL, "nothing is open to be read (td_open_live)");
    err = td_readings_take(td->meter);
    failed = err && err != -ENODATA ? 0 : td_record_flush(td);
    return failed ? failed : err;
}

int td_add_event(struct td *td, const char *event)
{
    const unsigned most = td->source->most_added;
    struct td_added *grown = NULL;

    if (!most)
        return td_log_fail(&td->log, -EINVAL, "events can be added to the source msr only (td_set_source)");
    if (td->opened || td->nadded == most || strlen(event) >= sizeof(grown->text))
        return td_log_fail(&td->log, -EINVAL, "the event '%.60s' cannot be added: %s", event,
                           td->opened           ? "the handle is open"
                           : td->nadded == most ? "16 are the most"
                                                : "its name is too long");
    grown = realloc(td->added, (td->nadded + 1) * sizeof(*grown));
    if (!grown)
        return td_log_no_memory(&td->log);
    td->added = grown;
    grown[td->nadded] = (struct td_added){.status = TD_NOT_COUNTED};
    snprintf(grown[td->nadded++].text, sizeof(grown->text), "%s", event);
    return 0;
}

int td_added_event(struct td *td, size_t i, struct td_added_count *out)
{
    struct td_added_count count;

    if (i >= td->nadded)
        return -ENODATA;
    count = (struct td_added_count){.event = td->added[i].text,
                                    .config = td->added[i].config,
                                    .status = td->added[i].status,
                                    .value = td->added[i].value};
    return td_sized_give(&td->log, "td_added_count", out, sizeof(count), &count);
}
