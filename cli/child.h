/* SPDX-License-Identifier: MIT */
/* The command that is measured: td_run.h, with what a child of tdprobe needs. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include "include/td_run.h"

#include <sys/resource.h>

struct cli_child {
    struct td *td;
    char **words; /* NULL: no command */
    struct rlimit limit; /* for descriptors, as when tdprobe was started */
    bool limit_raised;
    bool running;
    unsigned interrupts; /* by cli_child_pass() */
};

/* From now on a closed output is an error like any other, not a SIGPIPE. */
void cli_child_begin(struct cli_child *, struct td *);
/* Allows as many descriptors as possible: each event on each CPU needs one. */
void cli_child_raise_limit(struct cli_child *);

/* td_run_start(): the command gets the signals and the limit that tdprobe was started with. */
pid_t cli_child_start(struct cli_child *);
/* td_run_release(): 0, or the exit code; td_error() has the reason. */
int cli_child_release(struct cli_child *);
/* td_run_wait(); with TD_RUN_EXIT the command has ended. */
int cli_child_wait(struct cli_child *, uint64_t until, int fd, struct td_run_event *);
/* Ends the command if it is running, even if it is stopped. */
void cli_child_end(struct cli_child *, int signal);
/* Passes on a signal that ends a measurement, unless the command got it too; the second of them kills it. False:
 * SIGUSR1 or SIGUSR2, which end nothing. */
bool cli_child_pass(struct cli_child *, const struct td_run_event *);
/* Kills the command if it is running, and waits until it is gone. */
void cli_child_abandon(struct cli_child *);

/* For a status of waitpid(2): the signal that killed the command, or 0; and the exit code that shells give. */
int cli_child_signal(int status);
int cli_child_code(int status);

#endif
