/* SPDX-License-Identifier: MIT */
/* The cgroups that a collector follows as they come and go. Where there are more than can be counted at one time, they
 * take turns. */
#ifndef CLI_COLLECT_FOLLOWED_H
#define CLI_COLLECT_FOLLOWED_H

#include "cli/collect/patterns.h"

struct cli_followed {
    struct cli_paths patterns; /* none: no cgroups are followed */
    size_t most; /* how many can be counted at one time; 0: not known yet */
    struct cli_paths known; /* all that the last look found, sorted */
    uint64_t *identity; /* which folder each of these was */
    struct cli_paths all; /* those of them that are counted, sorted */
    struct cli_paths waiting; /* the others, in the order of their turns */
    struct cli_paths come; /* those that are to be counted from now on */
    struct cli_paths gone; /* those that the last look missed, sorted */
};

/* Takes a list of patterns, with commas between: NULL, or what is wrong with one of them. */
const char *cli_followed_patterns(struct cli_followed *, const char *list);
/* Looks which there are: new ones wait, in the order of their names; one that was made anew, as of a service that was
 * started again, is gone, and new. come is empty afterwards. 0, or -ENOMEM. */
int cli_followed_look(struct cli_followed *, cli_names_fn *names, cli_identity_fn *identity, void *tree);
/* Whether all can be counted at one time. */
bool cli_followed_fit(const struct cli_followed *);
/* Moves so many of those that wait to those that are counted, and to come; fewer where fewer wait. 0, or -ENOMEM. */
int cli_followed_admit(struct cli_followed *, size_t n);
/* The turn of these is over: those of them that are counted wait again, after all others. 0, or -ENOMEM. */
int cli_followed_rest(struct cli_followed *, const struct cli_paths *);
/* None is counted any more: those that were wait after all others. 0, or -ENOMEM. */
int cli_followed_restart(struct cli_followed *);
void cli_followed_free(struct cli_followed *);

/* How many cgroups there are descriptors for, each of which takes so many; limit: of descriptors. At least 1. */
size_t cli_followed_most(size_t limit, size_t each);
/* The most descriptors that this process can have, to which its limit is raised. */
size_t cli_descriptors_most(void);

#endif
