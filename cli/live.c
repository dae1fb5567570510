/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: measures a command, tasks or the machine. */
#include "live.h"

#include "session.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* ---- one run ------------------------------------------------------------------------ */

/* The command never runs. */
static void abandon(struct cli_live *l)
{
    int status = l->status, signal = l->signal; /* of earlier runs */

    if (l->running)
        l->os->kill(l->os->ctx, SIGKILL);
    l->over = true;
    cli_live_await(l);
    l->status = status;
    l->signal = signal;
}

/* The command must have the SIGPIPE and the limit that we were started with. */
static pid_t spawn(struct cli_live *l)
{
    pid_t pid;

    /* the registers of one CPU see nothing of a command that moves away */
    if (l->msr && l->what.ncpus == 1 && l->os->pin(l->os->ctx, l->what.cpus[0]))
        cli_say("the command cannot be bound to CPU %d", l->what.cpus[0]);
    signal(SIGPIPE, l->sigpipe);
    pid = l->os->spawn(l->os->ctx, l->command);
    signal(SIGPIPE, SIG_IGN);
    if (l->msr)
        l->os->pin(l->os->ctx, -1);
    if (pid > 0)
        l->running = true;
    if (pid > 0 && l->limit_raised)
        prlimit(pid, RLIMIT_NOFILE, &l->limit, NULL); /* ours may be in use above it */
    if (pid <= 0)
        cli_live_fail(l, EXIT_NOT_STARTED, "'%s' cannot be started: %s", l->command[0], strerror(-(int)pid));
    return pid;
}

static void say_plan(struct cli_live *l)
{
    const char *line;

    for (size_t i = 0; (line = td_plan_text(l->set.td, i)); i++)
        cli_say("%s", line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Counting begins with -D, or when it is ordered. */
static bool begins_later(const struct cli_live *l)
{
    return l->delay > 0 || l->paused;
}

/* What is measured when the command is pid. */
static struct td_live target(const struct cli_live *l, const pid_t *pid)
{
    struct td_live what = l->what;

    if (l->command && !l->all && !what.ncpus && !what.ncgroups && !what.ntasks) {
        what.tasks = pid;
        what.ntasks = 1;
        what.on_exec = !begins_later(l);
        what.name = base_name(l->command[0]);
    }
    what.disabled = begins_later(l);
    return what;
}

/* Each event of each CPU is a descriptor. */
static void raise_limit(struct cli_live *l)
{
    struct rlimit most;

    if (l->machine || l->limit_raised || getrlimit(RLIMIT_NOFILE, &l->limit) || l->limit.rlim_cur >= l->limit.rlim_max)
        return;
    most = l->limit;
    most.rlim_cur = most.rlim_max;
    l->limit_raised = !setrlimit(RLIMIT_NOFILE, &most); /* if not, opening too many says so */
}

/* False: it was not opened. */
static bool open_counters(struct cli_live *l)
{
    struct td_live what;
    pid_t pid = 0;
    int err;

    if (l->command && (pid = spawn(l)) < 0)
        return false;
    raise_limit(l);
    what = target(l, &pid);
    err = td_open_live(l->set.td, &what);
    if (err)
        cli_live_fail_td(l, err);
    return !err;
}

/* Only now, when there is something to measure, files lose what they held. */
static void start_files(struct cli_live *l)
{
    cli_report_begin(l);
    cli_live_flush(l);
    cli_trace_begin(l);
}

/* False: there is nothing to watch. */
static bool start(struct cli_live *l)
{
    int err;

    l->runs++;
    if (!open_counters(l)) {
        abandon(l);
        return false;
    }
    if (l->verbose && l->runs == 1)
        say_plan(l);
    l->began = l->os->now(l->os->ctx);
    err = l->command ? l->os->release(l->os->ctx) : 0;
    if (!err) {
        l->ran = l->command != NULL;
        start_files(l);
        return true;
    }
    l->running = false; /* and reaped */
    cli_live_fail(l, err == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED, "'%s' cannot be run: %s", l->command[0], strerror(-err));
    return false;
}

/* ---- all of it ------------------------------------------------------------------------ */

static void summarize(struct cli_live *l)
{
    struct cli_settings *s = &l->set;
    const struct td_result *r;
    int err = 0;

    if (!(l->summary || l->summary_only || l->interval || l->repeat || l->takes > 1) || !l->takes || l->spoiled)
        return;
    for (size_t i = 0; !err; i++) {
        err = td_summary(s->td, i, &r);
        if (!err)
            s->format->result(&s->out, r);
    }
    if (err != -ENODATA)
        cli_live_fail_td(l, err);
    l->spread.runs = l->runs;
    if (l->repeat && s->format->spread)
        s->format->spread(&s->out, &l->spread);
    fflush(s->out.file); /* the end of the command may be far */
}

/* Here, and not with the handle: that a register is not as it was is an error. */
static void close_counters(struct cli_live *l)
{
    int err = td_close_live(l->set.td);

    if (err)
        cli_live_fail_td(l, err);
}

static void measure(struct cli_live *l)
{
    unsigned most = l->repeat ? (unsigned)l->repeat : 1;

    while (l->runs < most && !l->stopping && start(l)) {
        bool last;
        double elapsed;

        cli_live_watch(l);
        elapsed = (double)(l->ended - l->began) / 1e9;
        l->elapsed += elapsed;
        if (l->whole)
            cli_spread_number_add(&l->spread.elapsed, elapsed);
        last = l->runs == most || l->stopping;
        if (last) {
            summarize(l);
            close_counters(l); /* the command may go on for long */
        }
        cli_live_await(l);
        if (!last && l->stopping)
            summarize(l);
    }
    close_counters(l);
}

static int dry_run(struct cli_live *l)
{
    const pid_t command = 0; /* it has no pid yet */
    struct td_live what = target(l, &command);
    const char *line;
    int err = td_plan_live(l->set.td, &what);

    if (err) {
        cli_live_fail_td(l, err);
        return l->code;
    }
    for (size_t i = 0; (line = td_plan_text(l->set.td, i)); i++)
        puts(line);
    return cli_flush();
}

static int run(struct cli_live *l)
{
    int code = l->machine ? cli_settings_machine(&l->set, l->machine) : 0, err;

    if (code)
        return code;
    l->paused = l->delay < 0;
    if (l->dry_run)
        return dry_run(l);
    if (l->control_text)
        code = cli_control_open(&l->control, l->control_text);
    if (code)
        return code;
    code = cli_report_open(l);
    if (code)
        return code;
    l->os = td_session_os(l->set.td);
    if (l->record)
        cli_trace_open(l);
    /* before anything slow: Ctrl-C must not cut off the report, nor be lost */
    err = l->os->signals(l->os->ctx);
    if (err)
        cli_live_fail(l, EXIT_BUG, "signals cannot be taken: %s", strerror(-err));
    if (!l->code)
        measure(l);
    cli_trace_close(l);
    return cli_report_end(l);
}

static int live(int argc, char **argv, bool recording)
{
    struct cli_live l = {.record = recording, .log_fd = -1, .trace = {.fd = -1}, .control = CLI_CONTROL_NONE};
    int code = cli_settings_begin(&l.set);

    if (code)
        return code;
    code = cli_live_parse(&l, argc, argv);
    l.sigpipe = signal(SIGPIPE, SIG_IGN); /* a closed output is an error like others */
    if (code < 0)
        code = run(&l);
    cli_control_close(&l.control);
    td_free(l.set.td);
    cli_live_forget(&l);
    return code;
}

int cli_stat(int argc, char **argv)
{
    return live(argc, argv, false);
}

int cli_record(int argc, char **argv)
{
    return live(argc, argv, true);
}
