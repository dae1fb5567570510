/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: measures a command, tasks or the machine. */
#include "live.h"

#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the report, and errors -------------------------------------------------------- */

static void begin_report(struct cli_live *l)
{
    if (l->started)
        return;
    l->started = true;
    if (cli_out_start(&l->set.out)) { /* says why */
        l->broken = true;
        l->errors++;
        l->code = EXIT_OUTPUT;
    }
    l->set.format->begin(&l->set.out);
}

void cli_live_fail(struct cli_live *l, int code, const char *format, ...)
{
    struct cli_settings *s = &l->set;
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (s->out.file)
        fflush(s->out.file); /* what was before stands before */
    cli_say("%s", text);
    l->errors++;
    if (!l->code)
        l->code = code;
    if (!s->out.file || !s->format->error || l->broken)
        return;
    begin_report(l);
    s->format->error(&s->out, code, text);
    fflush(s->out.file);
}

void cli_live_fail_td(struct cli_live *l, int err)
{
    cli_live_fail(l, cli_exit_code(err), "%s", td_error(l->set.td));
}

void cli_live_flush(struct cli_live *l)
{
    const struct cli_settings *s = &l->set;
    int err = l->broken ? 0 : cli_out_flush(&l->set.out);

    if (!err)
        return;
    l->broken = true;
    cli_live_fail(l, EXIT_OUTPUT, "%s cannot be written: %s", s->out.path ? s->out.path : s->out.name, strerror(-err));
}

/* ---- the trace of record ------------------------------------------------------------ */

/* Written at once: what is in the file after a kill -9 is all that was read. */
static int write_trace(void *ctx, const void *buf, size_t size)
{
    struct cli_live *l = ctx;

    if (!l->trace_begun && l->trace != STDOUT_FILENO && ftruncate(l->trace, 0) && errno != EINVAL) /* a pipe */
        size = 0, l->trace_error = errno;
    l->trace_begun = true;
    for (const char *at = buf; size;) {
        ssize_t n = write(l->trace, at, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            l->trace_error = n ? errno : EIO;
            return -l->trace_error;
        }
        at += n;
        size -= (size_t)n;
    }
    return -l->trace_error;
}

static void open_trace(struct cli_live *l)
{
    /* emptied by the first write: not for a measurement that never begins */
    l->trace = !strcmp(l->set.output, "-") ? STDOUT_FILENO : open(l->set.output, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (l->trace < 0)
        cli_live_fail(l, errno == EACCES || errno == EPERM ? EXIT_PERMISSION : EXIT_OUTPUT, "%s cannot be written: %s",
                      l->set.output, strerror(errno));
}

/* For people who read the trace's header: not quoted as a shell would need it. */
static char *command_text(char *const *argv)
{
    size_t size = 1;
    char *text, *end;

    for (char *const *arg = argv; *arg; arg++)
        size += strlen(*arg) + 1;
    text = end = malloc(size);
    if (!text)
        return NULL;
    for (char *const *arg = argv; *arg; arg++)
        end = stpcpy(stpcpy(end, arg == argv ? "" : " "), *arg);
    *end = '\0';
    return cli_printable(text);
}

static void record(struct cli_live *l)
{
    char *command = l->command ? command_text(l->command) : NULL;
    int err;

    open_trace(l);
    if (l->trace >= 0) {
        err = td_record(l->set.td, command, write_trace, l);
        if (err)
            cli_live_fail_td(l, err);
    }
    free(command);
}

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

/* The command must have the SIGPIPE that we were started with. */
static pid_t spawn(struct cli_live *l)
{
    pid_t pid;

    signal(SIGPIPE, l->sigpipe);
    pid = l->os->spawn(l->os->ctx, l->command);
    signal(SIGPIPE, SIG_IGN);
    if (pid > 0)
        l->running = true;
    else
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

/* What is measured when the command is pid. */
static struct td_live target(const struct cli_live *l, const pid_t *pid)
{
    struct td_live what = l->what;

    if (l->command && !l->all && !what.ncpus && !what.ncgroups && !what.ntasks) {
        what.tasks = pid;
        what.ntasks = 1;
        what.on_exec = !l->delay;
        what.name = base_name(l->command[0]);
    }
    what.disabled = l->delay != 0;
    return what;
}

/* Each event of each CPU is a descriptor. The command, which was started before,
 * keeps the limit that it was given. */
static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit); /* if not, opening too many says so */
}

/* False: it was not opened. */
static bool open_counters(struct cli_live *l)
{
    struct td_live what;
    pid_t pid = 0;
    int err;

    if (l->command && (pid = spawn(l)) < 0)
        return false;
    if (!l->machine)
        raise_limit();
    what = target(l, &pid);
    err = td_open_live(l->set.td, &what);
    if (err && l->trace_error)
        cli_live_fail(l, EXIT_OUTPUT, "%s cannot be written: %s", l->set.output, strerror(l->trace_error));
    else if (err)
        cli_live_fail_td(l, err);
    return !err;
}

/* False: the report cannot be written. */
static bool start_report(struct cli_live *l)
{
    if (l->verbose && l->runs == 1)
        say_plan(l);
    begin_report(l);
    cli_live_flush(l);
    return !l->broken;
}

/* False: there is nothing to watch. */
static bool start(struct cli_live *l)
{
    int err;

    l->runs++;
    if (!open_counters(l) || !start_report(l)) {
        abandon(l);
        return false;
    }
    l->began = l->os->now(l->os->ctx);
    err = l->command ? l->os->release(l->os->ctx) : 0;
    if (!err) {
        l->ran = l->command != NULL;
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

static void measure(struct cli_live *l)
{
    unsigned most = l->repeat ? (unsigned)l->repeat : 1;

    while (l->runs < most && !l->stopping && start(l)) {
        double elapsed;

        cli_live_watch(l);
        elapsed = (double)(l->ended - l->began) / 1e9;
        l->elapsed += elapsed;
        cli_spread_number_add(&l->spread.elapsed, elapsed);
        if (l->runs == most || l->stopping)
            summarize(l);
        cli_live_await(l);
    }
}

static int dry_run(struct cli_live *l)
{
    const pid_t command = 0; /* it has no pid yet */
    struct td_live what = target(l, &command);
    const char *line;
    int err = td_plan_live(l->set.td, &what);

    if (err)
        return cli_library_error(l->set.td, err);
    for (size_t i = 0; (line = td_plan_text(l->set.td, i)); i++)
        puts(line);
    return cli_flush();
}

static void close_trace(struct cli_live *l)
{
    if (l->trace > STDOUT_FILENO && close(l->trace) && !l->trace_error)
        cli_live_fail(l, EXIT_OUTPUT, "%s cannot be written: %s", l->set.output, strerror(errno));
}

/* The end of the report; the exit status. */
static int end(struct cli_live *l)
{
    struct cli_settings *s = &l->set;
    struct cli_end what = {.elapsed = l->elapsed, .runs = l->ran ? l->runs : 0, .signal = l->signal, .errors = l->errors};

    what.code = l->ran ? l->status : l->code;
    what.command = l->ran || what.code == EXIT_NOT_STARTED || what.code == EXIT_NOT_FOUND;
    if (l->started && s->format->end && (l->takes || s->format->error))
        s->format->end(&s->out, &what);
    cli_live_flush(l);
    if (l->broken)
        fclose(s->out.file); /* it was said */
    else if (cli_out_close(&s->out, true) && !l->code)
        l->code = EXIT_OUTPUT;
    return l->ran ? l->status : l->code;
}

/* Where the report goes. */
static int open_report(struct cli_live *l)
{
    const char *path = l->record ? NULL : l->set.output;
    int fd = l->log_fd < 0 ? STDERR_FILENO : l->log_fd, flags = fcntl(fd, F_GETFL);

    if (path && !strcmp(path, "-")) {
        path = NULL;
        fd = STDOUT_FILENO;
    }
    if (l->log_fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
        return cli_usage("--log-fd: file descriptor %d is not open for writing", fd);
    return cli_out_open_live(&l->set.out, path, l->append, fd);
}

static int run(struct cli_live *l)
{
    int code = l->machine ? cli_settings_machine(&l->set, l->machine) : 0;

    if (code)
        return code;
    if (l->dry_run)
        return dry_run(l);
    if (l->control_text)
        code = cli_control_open(&l->control, l->control_text);
    if (code)
        return code;
    code = open_report(l);
    if (code)
        return code;
    l->os = td_session_os(l->set.td);
    if (l->record)
        record(l);
    if (!l->code)
        measure(l);
    close_trace(l);
    return end(l);
}

static int live(int argc, char **argv, bool recording)
{
    struct cli_live l = {.record = recording, .log_fd = -1, .trace = -1, .control = CLI_CONTROL_NONE};
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
