/* SPDX-License-Identifier: MIT */
/* tdprobe record --functions: samples a command, processes or the machine. */
#include "cli/sampling/sampling.h"

#include "cli/cli.h"
#include "cli/shell.h"
#include "private/run.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ns. The least between two takings, so that not each sample wakes this process; how often at least to see whether the
 * processes of -p still run. */
static const uint64_t rest = 20000000, look = 1000000000;

static void fail(struct cli_sampling *l, int code)
{
    l->code = l->code ? l->code : code;
    l->over = true;
}

static void fail_td(struct cli_sampling *l, int err)
{
    if (l->out.error) /* of the file, which is reported when it is closed */
        fail(l, EXIT_OUTPUT);
    else
        fail(l, cli_library_error(l->set.td, err));
}

/* ---- the file --------------------------------------------------------------------------- */

static int write_data(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    struct cli_sampling *l = ctx;

    if (at < l->at)
        return td_output_again(&l->out, at, bytes, n);
    if (n) /* bytes may be NULL then */
        td_output_bytes(&l->out, bytes, n);
    l->at += n;
    return l->out.error;
}

static int close_file(struct cli_sampling *l, bool whole)
{
    return cli_output_error(&l->out, td_output_close(&l->out, whole));
}

/* ---- the run ------------------------------------------------------------------------------- */

static bool start_command(struct cli_sampling *l, pid_t *pid)
{
    if (!l->command.words)
        return true;
    *pid = cli_child_start(&l->command);
    if (*pid <= 0) {
        cli_say("%s", td_error(l->set.td));
        fail(l, EXIT_NOT_STARTED);
    }
    return *pid > 0;
}

static bool open_all(struct cli_sampling *l, const pid_t *pid)
{
    struct td_live what = l->what;
    int err;

    if (l->command.words && !l->all && !what.ncpus) {
        what.tasks = pid;
        what.ntasks = 1;
        what.on_exec = true;
    }
    what.size = sizeof(what);
    l->how.size = sizeof(l->how);
    l->how.what = &what;
    l->how.command = (const char *const *)l->argv;
    err = td_sampling_open(l->set.td, &l->how, write_data, l);
    if (err)
        fail_td(l, err);
    return !err;
}

static bool release(struct cli_sampling *l)
{
    const int code = l->command.words ? cli_child_release(&l->command) : 0;

    if (code) {
        cli_say("%s", td_error(l->set.td));
        fail(l, code);
    }
    l->ran = l->command.words && !code;
    return !code;
}

static bool start(struct cli_sampling *l)
{
    pid_t pid = 0;

    if (!start_command(l, &pid))
        return false;
    if (!l->machine)
        cli_child_raise_limit(&l->command);
    return open_all(l, &pid) && release(l);
}

static bool any_alive(const struct cli_sampling *l)
{
    for (size_t i = 0; i < l->what.ntasks; i++)
        if (td_run_alive(l->set.td, l->what.tasks[i]))
            return true;
    return !l->what.ntasks;
}

static void take_event(struct cli_sampling *l, const struct td_run_event *e)
{
    if (e->what == TD_RUN_EXIT) {
        l->status = e->status;
        l->over = true;
    } else if (e->what == TD_RUN_SIGNAL) {
        l->over = cli_child_pass(&l->command, e) || l->over;
    } else {
        l->over = !any_alive(l);
    }
}

static int wait_until(struct cli_sampling *l, uint64_t until, int fd)
{
    struct td_run_event e = {.size = sizeof(e)};
    const int err = cli_child_wait(&l->command, until, fd, &e);

    if (!err)
        take_event(l, &e);
    return err;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A pause, and then until something was sampled, or none of the processes of -p may be left. */
static int wait_for_samples(struct cli_sampling *l, uint64_t end)
{
    const uint64_t now = td_run_now(l->set.td);
    const int err = wait_until(l, earlier(now + rest, end), -1);

    if (err || l->over || td_run_now(l->set.td) >= end)
        return err;
    return wait_until(l, l->what.ntasks ? earlier(now + look, end) : end, td_sampling_fd(l->set.td));
}

/* Takes what was sampled until the command, a signal or the time ends it. */
static void watch(struct cli_sampling *l)
{
    const uint64_t began = td_run_now(l->set.td),
                   end = l->timeout ? began + (uint64_t)l->timeout * 1000000 : UINT64_MAX;
    int err = td_sampling_take(l->set.td); /* the command runs: pairs can be set */

    while (!err && !l->over) {
        err = wait_for_samples(l, end);
        if (err)
            break;
        if (td_run_now(l->set.td) >= end) {
            l->over = true;
            cli_child_end(&l->command, SIGTERM);
        }
        err = l->over ? 0 : td_sampling_take(l->set.td);
    }
    if (err)
        fail_td(l, err);
}

static void await(struct cli_sampling *l)
{
    struct td_run_event e = {.size = sizeof(e)};

    while (l->command.running && !cli_child_wait(&l->command, UINT64_MAX, -1, &e))
        if (e.what == TD_RUN_EXIT)
            l->status = e.status;
        else if (e.what == TD_RUN_SIGNAL)
            cli_child_pass(&l->command, &e);
}

static void say_samples(const struct cli_sampling *l, const struct td_sampling_info *i)
{
    const bool tasks = l->what.ntasks || (l->command.words && !l->all && !l->what.ncpus);
    char period[64] = "", word[CLI_SHELL_WORD];

    if (i->period)
        snprintf(period, sizeof(period), "a period of %llu cycles, ", (unsigned long long)i->period);
    cli_say("%s: %llu samples of %zu %s, %s%.1f us a sample%s; 'tdprobe report %s' shows the functions", l->set.output,
            (unsigned long long)i->samples, i->groups,
            i->groups == 1 ? (tasks ? "thread" : "CPU")
            : tasks        ? "threads"
                           : "CPUs",
            period, 1e6 * i->cost, i->cost_measured ? "" : " (assumed)", cli_shell_word(l->set.output, word));
    if (i->limited)
        cli_say("fewer pairs than -F asks for: more of them would take more of the time than --overhead allows");
}

static void say_result(const struct cli_sampling *l)
{
    struct td_sampling_info i = {.size = sizeof(i)};
    const char *fewer = l->period ? "a larger -c" : "a lower -F";

    if (l->code || td_sampling_about(l->set.td, &i))
        return;
    say_samples(l, &i);
    if (i.pairs && i.near < i.far)
        cli_say("only %llu of %llu pairs were 5,000 to 50,000 cycles apart: functions of short turns may be smeared",
                (unsigned long long)i.near, (unsigned long long)(i.near + i.far));
    if (!i.samples)
        cli_say("no sample was taken: too little ran, or something else held the counters; %s takes more samples",
                l->period ? "a smaller -c" : "a higher -F");
    if (i.missed)
        cli_say("threads that were not sampled, as they ended too soon or were too many: %llu; %s samples them",
                (unsigned long long)i.missed, l->what.ntasks ? "-a instead of -p" : "-a");
    if (i.lost)
        cli_say("samples that were lost, as the kernel's buffers were full: %llu; %s takes fewer",
                (unsigned long long)i.lost, fewer);
    if (i.throttled)
        cli_say("times that the kernel held samples back: %llu; %s takes fewer, or raise "
                "kernel.perf_event_max_sample_rate",
                (unsigned long long)i.throttled, fewer);
}

static void sample(struct cli_sampling *l)
{
    int err;

    if (!start(l)) {
        cli_child_abandon(&l->command);
        return;
    }
    watch(l);
    err = l->code ? 0 : td_sampling_end(l->set.td);
    if (err)
        fail_td(l, err);
}

static int exit_code(const struct cli_sampling *l)
{
    return l->code ? l->code : l->ran ? cli_child_code(l->status) : 0;
}

static int run(struct cli_sampling *l)
{
    int code = l->machine ? cli_options_machine(&l->set, l->machine) : 0;

    if (code)
        return code;
    td_run_pace(l->set.td, !l->fast && !l->timeout);
    code = cli_output_error(&l->out, td_output_open(&l->out, l->set.output));
    if (code)
        return code;
    if (td_run_signals(l->set.td)) {
        cli_say("%s", td_error(l->set.td));
        fail(l, EXIT_BUG);
    }
    if (!l->code)
        sample(l);
    code = close_file(l, !l->code);
    l->code = code ? code : l->code;
    say_result(l);
    await(l);
    return exit_code(l);
}

int cli_sampling_main(int argc, char **argv)
{
    struct cli_sampling l = {.argv = argv};
    int code = cli_options_begin(&l.set);

    if (code)
        return code;
    code = cli_sampling_parse(&l, argc, argv);
    cli_child_begin(&l.command, l.set.td);
    if (code < 0)
        code = run(&l);
    td_free(l.set.td);
    cli_sampling_forget(&l);
    return code;
}
