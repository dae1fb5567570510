/* SPDX-License-Identifier: MIT */
/* --drilldown: one measuring after another, each of the children of the node that the one before named. */
#ifndef CLI_DRILLDOWN_H
#define CLI_DRILLDOWN_H

#include "include/tdprobe.h"

enum { CLI_DRILL_CORES = 4 };

/* How far one kind of core is. */
struct cli_drill_way {
    char core[8]; /* "" where there is one kind */
    char node[80]; /* the node named so far, "": none yet */
    char path[400]; /* from level 1 to it */
    char open[400]; /* what is undecided below it, or "" */
    const struct td_uarch *uarch;
    bool likely, ended;
    bool seen; /* in this measuring */
};

struct cli_drill {
    bool on;
    unsigned stage; /* 0: levels 1 and 2 */
    char *names; /* what the measuring asks for besides level 1; NULL at stage 0 */
    struct cli_drill_way way[CLI_DRILL_CORES];
    size_t n;
};

/* Sets the level and metrics of the next measuring. 0 or -errno, as the setters. */
int cli_drill_ask(const struct cli_drill *, struct td *);
/* A result of the measuring; the last one of each kind of core counts. */
void cli_drill_take(struct cli_drill *, const struct td_result *);
/* Whether there is something below what was named: then the next measuring. */
bool cli_drill_further(struct cli_drill *);
/* What was found, a line for each kind of core. */
void cli_drill_say(const struct cli_drill *);
void cli_drill_free(struct cli_drill *);

#endif
