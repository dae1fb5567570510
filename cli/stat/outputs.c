/* SPDX-License-Identifier: MIT */
/* The report of tdprobe stat and tdprobe record, and the errors in it. */
#include "cli/stat/stat.h"

#include "cli/cli.h"
#include "cli/exit_codes.h"
#include "cli/shell.h"
#include "private/result.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The target for perf record to sample what was measured here. */
static char *target(const struct cli_stat *l)
{
    static char *const none[] = {NULL};
    char *const tasks[] = {(char *)(uintptr_t)l->tasks_text, NULL}, *const cpus[] = {(char *)(uintptr_t)l->cpus_text,
                                                                                     NULL};

    if (l->what.ntasks)
        return cli_shell_join(l->what.threads ? "-t" : "-p", tasks);
    if (l->command.words)
        return cli_shell_join(l->all ? "-a --" : "--", l->command.words);
    return l->what.ncpus ? cli_shell_join("-C", cpus) : cli_shell_join("-a -- sleep 10", none);
}

/* Says on a page what was measured, and where: a command without the options before it. */
static void name_subject(struct cli_stat *l)
{
    struct td_report *r = &l->set.report;
    struct td_origin_info origin = {.size = sizeof(origin)};
    const char *command = l->target && l->command.words ? strstr(l->target, "-- ") : NULL;

    if (!r->format || !r->format->page)
        return;
    if (!td_origin_about(l->set.td, &origin))
        r->host = origin.host;
    td_recording_started(l->set.td, &r->monotonic, &r->realtime);
    if (command)
        r->subject = command + strlen("-- ");
    else
        r->subject = l->what.ntasks || l->what.ncpus ? l->target : "all CPUs";
    r->by = l->record ? "record" : "stat";
}

static void lay_out(struct cli_stat *l)
{
    const bool several = l->interval || l->repeat > 1 || l->what.by != TD_BY_ALL || l->what.ncgroups;

    l->set.report.layout = several ? TD_LAYOUT_LINES : TD_LAYOUT_TREE;
    l->set.report.command = l->command.words && !l->all && !l->what.ncpus && !l->what.ncgroups && !l->what.ntasks;
    l->set.report.once = !l->interval && l->repeat <= 1;
    l->target = target(l);
    l->set.report.target = l->target;
    cli_screen_use(&l->set.report);
    if (l->interval)
        cli_screen_bars(&l->set.report);
    l->clear = l->clear && cli_screen_obeys();
}

/* Whether the report of record has nowhere to go, because the caller closed stderr: the trace tells all that it would,
 * so nothing is lost. */
static bool report_unwanted(const struct cli_stat *l)
{
    return l->record && l->log_fd < 0 && (fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY;
}

int cli_report_open(struct cli_stat *l)
{
    struct td_output *o = &l->set.report.out;
    const char *path = l->record ? NULL : l->set.output;
    int fd = l->log_fd < 0 ? STDERR_FILENO : (int)l->log_fd, flags = fcntl(fd, F_GETFL), code;

    if (path && !strcmp(path, "-")) {
        path = NULL;
        fd = STDOUT_FILENO;
    }
    if (l->log_fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
        return cli_usage("--log-fd: file descriptor %d is not open for writing", fd);
    code = cli_output_error(o, td_output_open_live(o, report_unwanted(l) ? "/dev/null" : path, l->append, fd));
    if (!code)
        lay_out(l);
    return code;
}

void cli_report_begin(struct cli_stat *l)
{
    struct td_output *o = &l->set.report.out;

    if (l->started)
        return;
    l->started = true;
    name_subject(l);
    if (cli_output_error(o, td_output_start(o))) {
        l->broken = true;
        l->errors++;
        l->code = EXIT_OUTPUT;
    }
    td_report_begin(&l->set.report);
}

void cli_stat_fail(struct cli_stat *l, int code, const char *format, ...)
{
    struct td_report *r = &l->set.report;
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (r->out.buffer)
        td_output_flush(&r->out); /* so earlier output is seen first */
    cli_say("%s", text);
    l->errors++;
    if (!l->code)
        l->code = code;
    if (!r->out.buffer || !r->format || !r->format->error || l->broken)
        return;
    if (!l->started && r->out.path)
        return; /* nothing was measured: the file keeps its content */
    cli_report_begin(l);
    td_report_error(r, code, text);
    td_output_flush(&r->out);
}

void cli_stat_fail_td(struct cli_stat *l, int err)
{
    cli_stat_fail(l, cli_exit_code(err), "%s%s", td_error(l->set.td), cli_next_step(l->set.td, err));
}

void cli_stat_flush(struct cli_stat *l)
{
    struct td_output *o = &l->set.report.out;
    int err = l->broken ? 0 : td_output_flush(o);

    if (!err)
        return;
    l->broken = true;
    cli_stat_fail(l, EXIT_OUTPUT, "%s cannot be written: %s", td_output_name(o), strerror(-err));
}

/* If the command failed too, that is what scripts want to know first. */
static int exit_code(const struct cli_stat *l)
{
    return l->ran && l->status ? l->status : l->code;
}

int cli_report_end(struct cli_stat *l)
{
    struct td_output *o = &l->set.report.out;
    struct td_outcome what = {.elapsed = l->elapsed,
                              .runs = l->ran ? l->runs : 0,
                              .signal = l->signal,
                              .errors = l->errors,
                              .measured = l->takes > 0};
    int err;

    what.code = exit_code(l);
    if (!what.code && !l->idle)
        l->code = what.code = cli_nothing_measured(&l->set.report);
    if (!what.code)
        l->code = what.code = cli_strict(&l->set);
    what.command = l->ran || what.code == EXIT_NOT_STARTED || what.code == EXIT_NOT_FOUND;
    what.status = l->ran ? l->status : what.code;
    if (l->started)
        td_report_end(&l->set.report, &what);
    cli_stat_flush(l);
    err = td_output_close(o, true);
    if (!l->broken && cli_output_error(o, err) && !l->code) /* otherwise it has been reported */
        l->code = EXIT_OUTPUT;
    return exit_code(l);
}
