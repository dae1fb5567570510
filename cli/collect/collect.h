/* SPDX-License-Identifier: MIT */
/* tdprobe collect: the options, and the state of a run. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include "cli/collect/followed.h"
#include "cli/collect/http.h"
#include "cli/collect/manners.h"
#include "cli/collect/textfile.h"
#include "cli/collect/watches.h"

struct cli_collect {
    /* ---- options (collect_options.c) */
    struct cli_options set; /* its handle has the machine, the time and the signals, and counts nothing */
    struct cli_reading reading;
    struct cli_textfile textfile;
    const char *listen; /* NULL: nothing listens */
    struct cli_address address; /* the same */
    const char *machine, *patterns;
    bool all; /* the default */
    bool fast; /* the machine's time is not slowed to real time */
    enum td_by by;
    long interval; /* ms */
    long max_cgroups; /* 0: by the descriptors that there can be */

    /* ---- the run (collect.c) */
    struct cli_watches watches;
    struct cli_followed followed;
    struct cli_manners manners;
    struct cli_http *http; /* or NULL */
    struct td_tally tally;
    bool told_turns; /* a message has said that cgroups take turns, which they still do */
    bool told; /* a message has said that the counters cannot be opened */
};

/* -1: run; otherwise the exit code. */
int cli_collect_parse(struct cli_collect *, int argc, char **argv);

#endif
