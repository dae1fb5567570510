/* SPDX-License-Identifier: MIT */
/* --drilldown: the branch that limits, to the leaf. Live it is one measuring after another, each of the children of
 * the node that the one before named; a recording has all that it has at once. */
#ifndef CLI_DRILLDOWN_H
#define CLI_DRILLDOWN_H

#include "cli/options.h"
#include "report/verdict_line.h"
#include "util/scope_table.h"

/* How far one kind of core of one scope is. */
struct cli_drill_way {
    char cpu[64]; /* the first, where several fit */
    bool several; /* it is the first of several that fit */
    char node[80]; /* the node named so far, "": none yet */
    char path[400]; /* from level 1 to it */
    char below[TD_VERDICT_TEXT]; /* why no node below it is named, or "": it is a leaf */
    const struct td_uarch *uarch;
    int level; /* of node */
    bool likely, ended;
    bool seen; /* in this measuring */
    bool switches; /* it had no bounds, as PERF_METRICS was switched too often */
    bool lacks; /* the recording has too few events for the nodes below it */
};

/* The program's options set the first three. */
struct cli_drill {
    bool on;
    bool recorded; /* results come from a recording, in one go */
    int level; /* the deepest that is wanted; 0: the leaf */
    unsigned stage; /* 0: level 1, and level 2 where both are counted at once */
    unsigned measured; /* how often so far */
    bool no_fixed; /* ordinary events from now on */
    char *names; /* what the measuring asks for besides level 1; NULL at stage 0 */
    struct cli_drill_way *way, *before; /* by number in ways; before: at the end of the last measuring */
    size_t n, way_room, before_room;
    struct td_scope_table ways, scopes; /* scopes: without their kinds of core */
};

/* Sets the level and metrics of the next measuring, or of the recording. 0 or -errno, as the setters. */
int cli_drill_ask(const struct cli_drill *, struct td *);
/* A result of the measuring, or a summary of the recording; the last one of each scope and kind of core counts. 0 or
 * -ENOMEM. */
int cli_drill_take(struct cli_drill *, const struct td_result *);
/* Whether there is something below what was named: then the next measuring. */
bool cli_drill_further(struct cli_drill *);
/* What was found, a line for each scope and kind of core, and what to record for more. no_fixed: without PERF_METRICS.
 */
void cli_drill_say(const struct cli_drill *, bool no_fixed);
void cli_drill_free(struct cli_drill *);

#endif
