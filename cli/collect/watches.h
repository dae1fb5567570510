/* SPDX-License-Identifier: MIT */
/* The handles of a collector: one for the machine, or one for each batch of cgroups that came between two intervals, so
 * that new ones are opened beside those that are counted already. They are in the order in which they were opened. */
#ifndef CLI_COLLECT_WATCHES_H
#define CLI_COLLECT_WATCHES_H

#include "cli/collect/patterns.h"
#include "cli/reading.h"
#include "stats/tally.h"

struct cli_watch {
    struct td *td;
    struct cli_paths cgroups; /* those that are told of; none: it counts the machine */
    struct cli_paths gone; /* those that are gone, and only hold descriptors */
};

struct cli_watches {
    struct td *machine; /* the handle whose machine they share */
    const struct cli_reading *reading; /* how counts are to be taken: options */
    enum td_by by;
    struct cli_watch *watch;
    size_t n, room;
    size_t cgroups; /* how many all of them have, also those that are gone */
    bool opened; /* any ever was: the notes about how have been given */
    bool quiet; /* what is opened now gives no notes, as what was before it has given the same */
    struct cli_paths said; /* the notes since the last reading began, sorted */
    int code; /* after an error: tdprobe's exit code for it, */
    char error[2048]; /* and its text */
};

/* Opens counters: of these cgroups, or of the machine if there are none. 0 or -errno; -ENOENT: one of them vanished. */
int cli_watches_open(struct cli_watches *, const struct cli_paths *cgroups, bool shallow);
/* Ends an interval, which is added up. *coverage: for which part of the time that they should have
 * had counters the events had them; NAN: nothing ran.
 * 0 or -errno: some counters cannot be read any more. */
int cli_watches_take(struct cli_watches *, struct td_tally *, double *coverage);
/* These cgroups are gone, which are sorted: closes the handles that have no other one, and from now on leaves those of
 * the other handles out. 0 or -ENOMEM. */
int cli_watches_drop(struct cli_watches *, const struct cli_paths *gone);
/* Closes the handle that was opened first. There is one. */
void cli_watches_close_first(struct cli_watches *);
void cli_watches_close(struct cli_watches *);
/* How many descriptors a cgroup takes: 0, it is not known, as it cannot be counted now. */
size_t cli_watches_descriptors(struct cli_watches *, const char *cgroup);

#endif
