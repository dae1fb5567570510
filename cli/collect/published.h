/* SPDX-License-Identifier: MIT */
/* What a collector offers, as one text. */
#ifndef CLI_COLLECT_PUBLISHED_H
#define CLI_COLLECT_PUBLISHED_H

#include "cli/collect/followed.h"
#include "cli/collect/manners.h"
#include "report/openmetrics.h"

struct cli_published {
    char *at; /* from malloc(3) */
    size_t n, room;
};

/* How the collector itself does. */
struct cli_standing {
    const struct cli_manners *manners;
    const struct cli_followed *followed; /* NULL: no cgroups are followed */
    const unsigned long *write_failures; /* NULL: no file is written */
};

/* 0, or -ENOMEM. */
int cli_published_make(struct cli_published *, const struct td_tally *, const struct cli_standing *,
                       enum td_exposition);

#endif
