/* SPDX-License-Identifier: MIT */
/* Running a command to be measured, and waiting for what ends a measurement.
 *
 *     struct td_run_event event = {.size = sizeof(event)};
 *     pid_t pid = td_run_start(td, argv);
 *
 *     td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .tasks = &pid, .ntasks = 1, .on_exec = true});
 *     td_run_release(td);
 *     do
 *         td_run_wait(td, UINT64_MAX, -1, &event);
 *     while (event.what != TD_RUN_EXIT);
 *     td_take(td);
 *
 * All of this happens on the machine of the handle: this one, or the one simulated by
 * td_set_machine(), whose description gives its commands, signals and clock. Real
 * signals count there too, once td_run_signals() has taken them.
 * Signals and children belong to the process: one handle at a time runs commands,
 * one command at a time, and all calls come from one thread.
 *
 * Functions return 0 (td_run_start(): a pid) or -errno; td_error() has the reason. */
#ifndef TD_RUN_H
#define TD_RUN_H

#include "tdprobe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The time now in ns: CLOCK_MONOTONIC, or the simulated machine's own clock. */
TD_EXPORT uint64_t td_run_now(const struct td *);

/* Takes SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 from now on, for the rest of the
 * process: they no longer end anything but wait for td_run_wait(). An ignored SIGHUP
 * stays ignored (nohup(1)). td_run_start() and td_run_wait() do this too, except
 * for a simulated machine. */
TD_EXPORT int td_run_signals(struct td *);

/* Starts a process that will execute argv (found as by execvp(3), NULL after the last
 * word) but waits for td_run_release(): until then its counters can be opened. Its
 * signals are as they were before they were taken. Returns the pid, above 0. -EBUSY: a command
 * runs already; -EINVAL: no words; -EAGAIN: no more processes, or a simulated
 * machine without a command. */
TD_EXPORT pid_t td_run_start(struct td *, char *const argv[]);
/* Lets it run: 0 once it executes argv. Otherwise the error of execvp(3), such as
 * -ENOENT, and the process is gone. -EINVAL, -ESRCH: no process waits for this. */
TD_EXPORT int td_run_release(struct td *);
/* Sends the command a signal of signal(7). -ESRCH: no command runs. */
TD_EXPORT int td_run_kill(struct td *, int signal);

/* What ended a wait. */
enum td_run_what {
    TD_RUN_TIME, /* the time was reached */
    TD_RUN_EXIT, /* the command ended */
    TD_RUN_SIGNAL, /* one of td_run_signals() came */
    TD_RUN_INPUT, /* the descriptor can be read, or its other end is closed */
};
struct td_run_event {
    size_t size; /* sizeof(struct td_run_event) */
    enum td_run_what what;
    int status; /* with TD_RUN_EXIT: as from waitpid(2) */
    int signal; /* with TD_RUN_SIGNAL */
    bool group; /* with TD_RUN_SIGNAL: the command got it too, as the terminal's foreground group does */
};
/* Waits for the first of: the time until (in ns, as td_run_now(); UINT64_MAX: none), the
 * end of the command (which is reported once), a signal, input on the descriptor fd
 * (-1: none; a simulated machine watches it once its signals are taken, or its time
 * is paced). Interrupted system calls are repeated.
 * -EBADF: fd is not open; -EMFILE, -ENFILE: too many open files; -ECHILD: others have waited for the command;
 * -EDEADLK: on the simulated machine, unpaced, nothing will ever happen. */
TD_EXPORT int td_run_wait(struct td *, uint64_t until, int fd, struct td_run_event *out);

#ifdef __cplusplus
}
#endif

#endif
