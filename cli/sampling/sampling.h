/* SPDX-License-Identifier: MIT */
/* tdprobe record --functions: the options, and the state of a run. */
#ifndef CLI_SAMPLING_H
#define CLI_SAMPLING_H

#include "cli/child.h"
#include "cli/options.h"
#include "include/td_sampling.h"

struct cli_sampling {
    /* ---- options (sampling_options.c) */
    struct cli_options set;
    struct td_live what; /* its arrays are on the heap, see cli_sampling_forget() */
    struct td_sampling how;
    const char *machine; /* a simulated one, or NULL */
    long timeout; /* ms; 0: none */
    long rate, period; /* -F and -c; 0: not given */
    bool all, fast, functions;

    /* ---- the run (record.c) */
    struct cli_child command;
    char *const *argv; /* the whole command line */
    struct td_output out;
    uint64_t at; /* bytes written to it in their order */
    bool over; /* sampling has ended */
    bool ran; /* a command has run: its status is the exit code */
    int status;
    int code; /* exit code for the first error of tdprobe */
};

/* Whether the words of 'record' ask for --functions. */
bool cli_sampling_asked(int argc, char **argv);
/* -1: run; otherwise the exit code. */
int cli_sampling_parse(struct cli_sampling *, int argc, char **argv);
void cli_sampling_forget(struct cli_sampling *);
/* tdprobe record --functions */
int cli_sampling_main(int argc, char **argv);

#endif
