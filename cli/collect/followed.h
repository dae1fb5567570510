/* SPDX-License-Identifier: MIT */
/* The cgroups that a collector follows as they come and go, up to as many as there are descriptors for. */
#ifndef CLI_COLLECT_FOLLOWED_H
#define CLI_COLLECT_FOLLOWED_H

#include "cli/collect/patterns.h"

struct cli_followed {
    struct cli_paths patterns; /* none: no cgroups are followed */
    size_t most; /* 0: not known yet */
    struct cli_paths all; /* those that are counted, sorted */
    struct cli_paths come, gone; /* what has changed by the last look, sorted */
    size_t left_out; /* how many there are beyond the most */
};

/* Takes a list of patterns, with commas between: NULL, or what is wrong with one of them. */
const char *cli_followed_patterns(struct cli_followed *, const char *list);
/* Looks which there are: those that are counted stay, and others get the places that are left, in the order of their
 * names. 0, or -ENOMEM. */
int cli_followed_look(struct cli_followed *, cli_names_fn *names, void *tree);
void cli_followed_free(struct cli_followed *);

/* How many cgroups there are descriptors for, each of which takes so many; limit: of descriptors. At least 1. */
size_t cli_followed_most(size_t limit, size_t each);
/* The most descriptors that this process can have, to which its limit is raised. */
size_t cli_descriptors_most(void);

#endif
