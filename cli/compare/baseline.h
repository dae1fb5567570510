/* SPDX-License-Identifier: MIT */
/* compare --baseline: the last recordings of a history, made on one machine, as side A. */
#ifndef CLI_COMPARE_BASELINE_H
#define CLI_COMPARE_BASELINE_H

#include "cli/compare/sides.h"
#include "cli/history.h"

struct cli_past {
    const char *folder; /* --baseline, or NULL */
    long last; /* --last: so many recordings */
    struct cli_history all;
    struct cli_past_run {
        size_t at; /* of all */
        struct td_series series; /* until a side has it */
        char *said; /* notes about it, owned */
    } * picked; /* oldest first */
    size_t n;
    char *name; /* of the side, once it was opened */
    char *host, *cpu, *command; /* of what is compared with it; NULL: not known */
};

/* Finds the folder's recordings. 0, or an exit code after a message: there is none. */
int cli_past_open(struct cli_past *);
/* The newest of them that can be read, which is compared where nothing else is. Those that cannot are named, and belong
 * to the history no more. NULL after a message; code: the exit code. */
const char *cli_past_newest(struct cli_past *, const struct cli_reading *, int *code);
/* Reads what a recording is compared with: the last ones of its host and CPU; if it is of the history itself, of
 * those before it. One that cannot be read is named and left out. 0, or an exit code after a message. */
int cli_past_before(struct cli_past *, const char *path, const struct cli_reading *);
/* The same for what is measured here, by a command. */
int cli_past_here(struct cli_past *, struct td *, const char *command, const struct cli_reading *);
/* Makes them the runs of the first side, which begins now unless it has, with the notes about them. 0, or an exit code
 * after a message. */
int cli_past_give(struct cli_past *, struct cli_sides *);
void cli_past_free(struct cli_past *);

#endif
