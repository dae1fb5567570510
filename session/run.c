/* SPDX-License-Identifier: MIT */
/* td_run.h: commands, signals and time, on the machine that a handle measures. */
#include "include/td_run.h"

#include "core/sized.h"
#include "live/latency/latencies.h"
#include "live/meter.h"
#include "private/run.h"
#include "session/session.h"
#include "sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS_NS = 100000000 /* how often rings are emptied */ };

_Static_assert((int)TD_RUN_TIME == TD_OS_TIME && (int)TD_RUN_EXIT == TD_OS_EXIT && (int)TD_RUN_SIGNAL == TD_OS_SIGNAL &&
                   (int)TD_RUN_INPUT == TD_OS_INPUT,
               "what ends a wait has the same numbers in the seam");

static int fail(struct td *td, int err, const char *what)
{
    return td_log_fail(&td->log, err, "%s: %s", what, strerror(-err));
}

/* The same for the command, by its name. */
static int fail_command(struct td *td, int err, const char *what)
{
    return td_log_fail(&td->log, err, "'%s' cannot be %s: %s", td->command ? td->command : "", what, strerror(-err));
}

uint64_t td_run_now(const struct td *td)
{
    const struct td_os *os = td_session_os(td);

    return os->now(os->ctx);
}

int td_run_signals(struct td *td)
{
    const struct td_os *os = td_session_os(td);
    int err = os->signals(os->ctx);

    return err ? fail(td, err, "signals cannot be taken") : 0;
}

void td_run_pace(struct td *td, bool paced)
{
    if (td->sim)
        td_sim_attach(td->sim, &td_os_linux, paced);
}

int td_run_pin(struct td *td, int cpu)
{
    const struct td_os *os = td_session_os(td);
    int err = os->pin(os->ctx, cpu);

    return err ? td_log_fail(&td->log, err, "the command cannot be bound to CPU %d: %s", cpu, strerror(-err)) : 0;
}

pid_t td_run_start(struct td *td, char *const argv[])
{
    const struct td_os *os = td_session_os(td);
    char *name = argv && argv[0] ? strdup(argv[0]) : NULL;
    pid_t pid = !argv || !argv[0] ? -EINVAL : name ? os->spawn(os->ctx, argv) : -ENOMEM;

    free(td->command);
    td->command = name; /* for messages, this one's and td_run_release()'s */
    return pid < 0 ? fail_command(td, pid, "started") : pid;
}

int td_run_release(struct td *td)
{
    const struct td_os *os = td_session_os(td);
    int err = os->release(os->ctx);

    return err ? fail_command(td, err, "run") : 0;
}

int td_run_kill(struct td *td, int signal)
{
    const struct td_os *os = td_session_os(td);
    int err = os->kill(os->ctx, signal);

    return err ? fail_command(td, err, "sent a signal") : 0;
}

/* Waits; where latencies are sampled, in steps, as the rings are not to be full before the next reading. */
static int wait_for(struct td *td, uint64_t until, int fd, struct td_os_event *out)
{
    const struct td_os *os = td_session_os(td);
    const bool sampled = td->meter && td_latencies_any(td->meter);
    uint64_t step;
    int err;

    do {
        const uint64_t now = sampled ? os->now(os->ctx) : 0;

        step = sampled && until - now > RINGS_NS && until > now ? now + RINGS_NS : until;
        err = os->wait(os->ctx, step, fd, out);
        if (sampled)
            td_latencies_take(td->meter);
    } while (err == -EINTR || (!err && out->what == TD_OS_TIME && step < until));
    return err;
}

int td_run_wait(struct td *td, uint64_t until, int fd, struct td_run_event *out)
{
    struct td_os_event event;
    struct td_run_event got;
    int err = td_sized_clear(&td->log, "td_run_event", out);

    if (err)
        return err;
    err = wait_for(td, until, fd, &event);

    if (err == -EMFILE || err == -ENFILE)
        return td_log_fail(&td->log, err,
                           "too many open files: waiting for the command needs some too; raise the limit (ulimit -n)");
    if (err)
        return fail(td, err, "waiting failed");
    got = (struct td_run_event){
        .what = (enum td_run_what)event.what, .status = event.status, .signal = event.signal, .group = event.group};
    return td_sized_give(&td->log, "td_run_event", out, sizeof(got), &got);
}

int td_run_share(struct td *td, const struct td *of)
{
    if (td->opened || td->meter || td->sim)
        return td_log_fail(&td->log, -EINVAL, "the machine is set once, before anything is measured");
    td->os = td_session_os(of);
    return 0;
}

int td_run_names(const struct td *td, const char *path, td_run_name_fn *each, void *ctx)
{
    const struct td_os *os = td_session_os(td);

    return os->names(os->ctx, path, each, ctx);
}

int td_run_identity(const struct td *td, const char *path, uint64_t *out)
{
    const struct td_os *os = td_session_os(td);

    return os->identity(os->ctx, path, out);
}

bool td_run_alive(const struct td *td, pid_t task)
{
    const struct td_os *os = td_session_os(td);
    char path[40], text[512];
    const char *state;

    snprintf(path, sizeof(path), "/proc/%d/comm", (int)task);
    if (os->file(os->ctx, path, text, sizeof(text)) < 0)
        return false;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)task);
    /* A simulated machine has no such file. The state comes after the name, which may contain anything:
     * proc_pid_stat(5). */
    state = os->file(os->ctx, path, text, sizeof(text)) < 0 ? NULL : strrchr(text, ')');
    return !state || strncmp(state, ") Z", 3);
}
