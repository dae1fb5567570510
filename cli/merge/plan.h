/* SPDX-License-Identifier: MIT */
/* What a merged trace has: in which order, by which names, and which scopes are added up. */
#ifndef CLI_MERGE_PLAN_H
#define CLI_MERGE_PLAN_H

#include "cli/merge/part.h"

/* A scope that recordings have. */
struct cli_merged_scope {
    size_t members; /* how many of them */
    size_t first; /* the first part that has it */
    bool compared; /* the recordings have one thing each that this is, so that one can be worse than another */
    bool summed; /* their counts are of different things, and are one scope too */
};

struct cli_merge {
    struct cli_merge_part *part; /* in the order of the trace, then those that are absent */
    size_t n, nabsent;
    bool disjoint; /* asked for: systems and cgroups are added up, whatever the recordings say of their hosts */
    size_t members; /* what is told apart: ranks, hosts or recordings; the parts of one are one */
    const char *called; /* "rank", "thread", "host", "recording" */
    bool nodes; /* members of one host are added up too, as node:HOST */
    struct td_scope_table scopes;
    struct cli_merged_scope *scope; /* by number */
    size_t room;
};

/* Orders the parts, finds what belongs together and names it. 0, or an exit code after a message: what cannot be
 * added. */
int cli_merge_plan(struct cli_merge *);
/* Says on stderr what is absent, and what is not added up. */
void cli_merge_say(const struct cli_merge *);
/* The ranks that there should be and that nothing is known of, "2, 5"; NULL: none. The caller's. */
char *cli_merge_missing(const struct cli_merge *);
void cli_merge_free(struct cli_merge *);

#endif
