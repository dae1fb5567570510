/* SPDX-License-Identifier: MIT */
/* When a collector makes room for others that count on its machine. Pure. */
#ifndef CLI_COLLECT_MANNERS_H
#define CLI_COLLECT_MANNERS_H

#include <stdbool.h>

/* What is to be done after an interval. */
enum cli_move {
    CLI_MOVE_NONE,
    CLI_MOVE_SHALLOWER, /* only level 1 from now on: its events need fewer counters */
    CLI_MOVE_DEEPER, /* the level that was asked for, again */
    CLI_MOVE_CLOSE, /* nothing is counted until CLI_MOVE_OPEN */
    CLI_MOVE_OPEN,
};

enum { CLI_WAIT_MOST = 64 /* intervals */ };

/* Zeroed: nothing has happened yet. */
struct cli_manners {
    bool yielded; /* nothing is counted */
    bool shallow; /* only level 1 is */
    unsigned low; /* intervals in a row that were counted too little */
    unsigned wait; /* of those for which it stays as it is, how many are left */
    unsigned last; /* how many there were the last time that it yielded; 0: it did not lately */
    unsigned long yields;
};

/* After an interval that was counted: coverage is the part of the time for which its events had counters; NAN: nothing
 * ran that could be counted. */
enum cli_move cli_manners_take(struct cli_manners *, double coverage);
/* The counters cannot be had: leaves them to others, as CLI_MOVE_CLOSE does. */
void cli_manners_yield(struct cli_manners *);
/* After an interval in which nothing was counted. */
enum cli_move cli_manners_wait(struct cli_manners *);

#endif
