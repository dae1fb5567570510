/* SPDX-License-Identifier: MIT */
/* How evenly ranks, hosts or recordings did what they did, by the sums of a merged trace. */
#ifndef CLI_MERGE_IMBALANCE_H
#define CLI_MERGE_IMBALANCE_H

#include "cli/merge/plan.h"
#include "report/output.h"

enum { CLI_FIGURES = 10 /* at most: the time, the slots, the cycles, and shares of level 1 */ };

/* One sum, of a member, of a node, or of all. */
struct cli_figures {
    size_t scope; /* its number in the merge */
    enum cli_figures_of { CLI_OF_ALL, CLI_OF_NODE, CLI_OF_MEMBER } of;
    const char *label; /* of a node or member, owned by the part */
    const char *host; /* of a member; NULL: not known */
    size_t n;
    struct cli_figure {
        const char *name; /* static storage */
        bool share;
        double value, low, high; /* NAN: none */
    } figure[CLI_FIGURES];
};

struct cli_imbalance {
    const struct cli_merge *merge;
    struct cli_figures *sum;
    size_t n, room;
};

/* A cli_result_fn for a struct cli_imbalance: takes the sum of one scope. */
int cli_imbalance_take(void *imbalance, const struct td_result *);
void cli_imbalance_put(const struct cli_imbalance *, struct td_output *);
void cli_imbalance_free(struct cli_imbalance *);

#endif
