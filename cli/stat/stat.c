/* SPDX-License-Identifier: MIT */
/* tdprobe stat and tdprobe record: measures a command, tasks or the machine. */
#include "cli/stat/stat.h"

#include "cli/cli.h"
#include "cli/sampling/sampling.h"
#include "private/plan.h"
#include "private/run.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <string.h>

/* ---- one run ------------------------------------------------------------------------ */

/* Ends a command that was never run. */
static void abandon(struct cli_stat *l)
{
    int status = l->status, signal = l->signal; /* from earlier runs */

    cli_child_end(&l->command, SIGKILL);
    l->over = true;
    cli_stat_await(l);
    l->status = status;
    l->signal = signal;
}

static pid_t spawn(struct cli_stat *l)
{
    /* the registers of one CPU count nothing of a command that moves away */
    const bool bound = l->msr && l->what.ncpus == 1;
    pid_t pid;

    if (bound && td_run_pin(l->set.td, l->what.cpus[0]))
        cli_say("%s", td_error(l->set.td));
    pid = cli_child_start(&l->command);
    if (pid <= 0)
        cli_stat_fail(l, EXIT_NOT_STARTED, "%s", td_error(l->set.td));
    if (bound)
        td_run_pin(l->set.td, -1);
    return pid;
}

static void say_plan(struct cli_stat *l)
{
    const char *line;

    for (size_t i = 0; (line = td_plan(l->set.td, TD_PLAN_TEXT, i)); i++)
        cli_say("%s", line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Whether counting begins with -D, or by a command of --control. */
static bool begins_later(const struct cli_stat *l)
{
    return l->delay > 0 || l->paused;
}

/* What is measured, if the command is pid. */
static struct td_live target(const struct cli_stat *l, const pid_t *pid)
{
    struct td_live what = l->what;

    what.size = sizeof(what);
    if (l->command.words && !l->all && !what.ncpus && !what.ncgroups && !what.ntasks) {
        what.tasks = pid;
        what.ntasks = 1;
        what.on_exec = !begins_later(l);
        what.name = base_name(l->command.words[0]);
    }
    what.disabled = begins_later(l);
    return what;
}

/* False: counting could not be opened. */
static bool open_counters(struct cli_stat *l)
{
    struct td_live what;
    pid_t pid = 0;
    int err;

    if (l->command.words && (pid = spawn(l)) < 0)
        return false;
    if (!l->machine) /* a simulated machine's descriptors are not ours */
        cli_child_raise_limit(&l->command);
    what = target(l, &pid);
    err = td_open_live(l->set.td, &what);
    if (err)
        cli_stat_fail_td(l, err);
    return !err;
}

/* Files lose their old content only now, when there is something to measure. */
static void start_files(struct cli_stat *l)
{
    cli_report_begin(l);
    cli_stat_flush(l);
    cli_trace_begin(l);
}

/* False: there is nothing to wait for. */
static bool start(struct cli_stat *l)
{
    int code;

    l->runs++;
    if (!open_counters(l)) {
        abandon(l);
        return false;
    }
    if (l->verbose && l->runs == 1)
        say_plan(l);
    l->began = td_run_now(l->set.td);
    code = l->command.words ? cli_child_release(&l->command) : 0;
    if (code) {
        cli_stat_fail(l, code, "%s", td_error(l->set.td));
        return false;
    }
    l->ran = l->command.words != NULL;
    start_files(l);
    return true;
}

/* ---- everything ----------------------------------------------------------------------- */

static void summarize(struct cli_stat *l)
{
    struct td_report *report = &l->set.report;
    const struct td_result *r;
    const bool page = report->format && report->format->page;
    int err = 0;

    if (!(page || l->summary || l->summary_only || l->no_multiplex || l->interval || l->repeat || l->takes > 1) ||
        !l->takes || l->spoiled)
        return;
    l->means.runs = l->runs;
    report->means = l->repeat > 1 && !l->means.until ? &l->means : NULL;
    for (size_t i = 0; !err; i++) {
        err = td_summary(l->set.td, i, &r);
        if (err)
            continue;
        td_report_result(report, r);
        if (cli_drill_take(l->drill, r))
            cli_stat_fail(l, EXIT_BUG, "out of memory");
    }
    if (err != -ENODATA)
        cli_stat_fail_td(l, err);
    if (l->repeat)
        td_report_repeat(report, &l->means);
    td_output_flush(&report->out); /* the command may end much later */
}

/* Done here, not when the handle is freed: it is an error if a register was not restored. */
static void close_counters(struct cli_stat *l)
{
    int err = td_close_live(l->set.td);

    if (err)
        cli_stat_fail_td(l, err);
}

/* Whether --until has come true, or no number of runs will make it so. */
static bool known(struct cli_stat *l)
{
    struct td_repeat_width worst;

    if (l->until <= 0)
        return false;
    l->reached = td_repeat_known(&l->means, l->until, &worst);
    return l->reached || (l->runs >= TD_REPEAT_LEAST && (!worst.name || isinf(worst.runs)));
}

static void say_unknown(const struct cli_stat *l)
{
    const double points = l->until * 100;
    struct td_repeat_width worst;

    if (l->until <= 0 || l->reached || !l->means.elapsed.n)
        return;
    if (td_repeat_known(&l->means, l->until, &worst)) /* by the last run that there was to be */
        return;
    if (!worst.name)
        cli_say("--until %gpp: no share has bounds that further runs could make narrower", points);
    else if (isinf(worst.runs))
        cli_say("--until %gpp: %s is known within %.2g points after %u runs, and more runs cannot do it: "
                "each run's own bounds are wider",
                points, worst.name, worst.off * 100, l->runs);
    else
        cli_say("--until %gpp: %s is known within %.2g points after %u runs; about %.0f runs would do (--max-runs)",
                points, worst.name, worst.off * 100, l->runs, worst.runs);
}

/* How many runs there are to be, as far as is known before the first one. */
static unsigned runs_wanted(const struct cli_stat *l)
{
    if (l->no_multiplex)
        return l->runs ? (unsigned)l->rounds * td_plan_groups(l->set.td) : 1;
    return l->repeat ? (unsigned)l->repeat : 1;
}

static bool start_next(struct cli_stat *l)
{
    if (l->no_multiplex && l->runs)
        td_set_group(l->set.td, l->runs % td_plan_groups(l->set.td) + 1);
    return start(l);
}

static void measure(struct cli_stat *l)
{
    while (l->runs < runs_wanted(l) && !l->stopping && start_next(l)) {
        const unsigned most = runs_wanted(l);
        bool last;
        double elapsed;

        cli_stat_watch(l);
        elapsed = (double)(l->ended - l->began) / 1e9;
        l->elapsed += elapsed;
        if (l->whole)
            td_mean_add(&l->means.elapsed, elapsed);
        last = l->runs == most || l->stopping || known(l);
        if (last) {
            summarize(l);
            close_counters(l); /* the command may run for a long time */
        }
        cli_stat_await(l);
        if (!last && l->stopping)
            summarize(l);
        l->stopping = l->stopping || last;
    }
    close_counters(l);
    say_unknown(l);
}

static int dry_run(struct cli_stat *l)
{
    const pid_t command = 0; /* it has no pid yet */
    const struct td_live what = target(l, &command);
    struct td_output o;
    const char *line;
    int err = td_plan_live(l->set.td, &what), code;

    if (err) {
        cli_stat_fail_td(l, err);
        return l->code;
    }
    code = cli_stdout(&o);
    for (size_t i = 0; !code && (line = td_plan(l->set.td, TD_PLAN_TEXT, i)); i++) {
        td_output_text(&o, line);
        td_output_char(&o, '\n');
    }
    return code ? code : cli_stdout_end(&o);
}

static int run(struct cli_stat *l)
{
    int code = l->machine ? cli_options_machine(&l->set, l->machine) : 0;

    if (code)
        return code;
    td_run_pace(l->set.td, !l->fast && !l->timeout);
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
    if (l->baseline.folder)
        code = cli_baseline_open(l);
    if (code) {
        td_output_close(&l->set.report.out, false);
        return code;
    }
    if (l->record)
        cli_trace_open(l);
    /* before anything slow: Ctrl-C must neither interrupt the report nor be lost */
    if (td_run_signals(l->set.td))
        cli_stat_fail(l, EXIT_BUG, "%s", td_error(l->set.td));
    if (!l->code)
        measure(l);
    cli_trace_close(l);
    code = cli_baseline_close(l, cli_report_end(l));
    if (l->unnamed && l->trace.begun && !l->trace.error)
        cli_say("%s holds the readings; 'tdprobe replay' prints them again", l->set.output);
    return code;
}

/* The options of a further measuring of --drilldown. */
static int drill_ask(struct cli_stat *l)
{
    int err;

    l->drill->level = l->set.level;
    err = l->drill->on ? cli_drill_ask(l->drill, l->set.td) : 0;

    l->append = l->append || (l->drill->measured && l->set.output && strcmp(l->set.output, "-"));
    return err ? cli_library_error(l->set.td, err) : -1;
}

static int parse_and_run_once(int argc, char **argv, bool recording, struct cli_drill *drill)
{
    struct cli_stat l = {
        .record = recording, .log_fd = -1, .trace = {.fd = -1}, .control = CLI_CONTROL_NONE, .drill = drill};
    int code = cli_options_begin(&l.set);

    if (code)
        return code;
    code = cli_stat_parse(&l, argc, argv);
    code = code < 0 ? drill_ask(&l) : code;
    cli_child_begin(&l.command, l.set.td);
    if (code < 0)
        code = run(&l);
    cli_control_close(&l.control);
    td_free(l.set.td);
    cli_stat_forget(&l);
    return code;
}

static int parse_and_run(int argc, char **argv, bool recording)
{
    struct cli_drill drill = {.on = false};
    int code;

    while (!(code = parse_and_run_once(argc, argv, recording, &drill)) && cli_drill_further(&drill))
        optind = 0; /* glibc's getopt: from the beginning */
    if (drill.on && !code)
        cli_drill_say(&drill, false); /* live, nothing is to be recorded */
    cli_drill_free(&drill);
    return code;
}

int cli_stat_main(int argc, char **argv)
{
    return parse_and_run(argc, argv, false);
}

int cli_record_main(int argc, char **argv)
{
    return cli_sampling_asked(argc, argv) ? cli_sampling_main(argc, argv) : parse_and_run(argc, argv, true);
}
