/* SPDX-License-Identifier: MIT */
/* Starts, awaits and ends the command that stat, record and bench measure. */
#include "cli/child.h"

#include "cli/cli.h"
#include "cli/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

void cli_child_begin(struct cli_child *r, struct td *td)
{
    r->td = td;
    cli_signals_ignore_pipe();
}

void cli_child_raise_limit(struct cli_child *r)
{
    struct rlimit most;

    if (r->limit_raised || getrlimit(RLIMIT_NOFILE, &r->limit) || r->limit.rlim_cur >= r->limit.rlim_max)
        return;
    most = r->limit;
    most.rlim_cur = most.rlim_max;
    r->limit_raised = !setrlimit(RLIMIT_NOFILE, &most); /* otherwise opening too many will fail with a message */
}

pid_t cli_child_start(struct cli_child *r)
{
    pid_t pid;

    cli_signals_give();
    pid = td_run_start(r->td, r->words);
    cli_signals_take();
    r->running = pid > 0;
    if (pid > 0 && r->limit_raised)
        prlimit(pid, RLIMIT_NOFILE, &r->limit, NULL); /* the number of our own descriptors may exceed it */
    return pid;
}

int cli_child_release(struct cli_child *r)
{
    int err = td_run_release(r->td);

    if (!err)
        return 0;
    r->running = false;
    return err == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED;
}

int cli_child_wait(struct cli_child *r, uint64_t until, int fd, struct td_run_event *event)
{
    int err = td_run_wait(r->td, until, fd, event);

    if (!err && event->what == TD_RUN_EXIT)
        r->running = false;
    return err;
}

/* A stopped command must continue to see the signal, as with timeout(1). */
void cli_child_end(struct cli_child *r, int signal)
{
    if (!r->running)
        return;
    td_run_kill(r->td, signal);
    if (signal != SIGKILL)
        td_run_kill(r->td, SIGCONT);
}

bool cli_child_pass(struct cli_child *r, const struct td_run_event *e)
{
    if (e->signal == SIGUSR1 || e->signal == SIGUSR2)
        return false;
    if (++r->interrupts > 1)
        cli_child_end(r, SIGKILL);
    else if (!e->group)
        cli_child_end(r, e->signal);
    return true;
}

void cli_child_abandon(struct cli_child *r)
{
    struct td_run_event event = {.size = sizeof(event)};

    cli_child_end(r, SIGKILL);
    while (r->running && !cli_child_wait(r, UINT64_MAX, -1, &event))
        ;
    r->running = false;
}

int cli_child_signal(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int cli_child_code(int status)
{
    return WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
