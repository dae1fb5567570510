/* SPDX-License-Identifier: MIT */
/* A stretch of a recording's lines that has each event of a metric once: where the tool that printed the metric may
 * have had all of its copies from, where the copies chosen one by one are of several of its runs. */
#ifndef TD_STRETCH_H
#define TD_STRETCH_H

#include "core/counts/layout.h"

#include <stdbool.h>

/* A copy of one of the metric's events. */
struct td_stretch_copy {
    uint32_t use; /* which of the events it is of: a number below TD_STRETCH_EVENTS */
    uint32_t copy; /* its index in the counts */
    uint16_t group;
    double share; /* share of the time that it was counted */
};

enum { TD_STRETCH_EVENTS = 64 };

/* Zeroed to begin with. */
struct td_stretch {
    struct td_stretch_copy *c; /* in the order of the lines, once td_stretch_find() has run */
    size_t n, room;
    const struct td_stretch_copy *found; /* what was found: as many copies as there are events; NULL: nothing */
};

/* Forgets all copies. */
void td_stretch_begin(struct td_stretch *);
/* Makes room for so many copies. -ENOMEM. */
int td_stretch_reserve(struct td_stretch *, size_t n);
/* Adds a copy, for which there must be room. */
void td_stretch_add(struct td_stretch *, const struct td_stretch_copy *);
/* chosen: by event, the copy that was taken of it. Where an event stands twice between the first and the last of these,
 * finds the stretch around the line, a copy of one of the events, that has each of them once: one whose shares of the
 * time are the same before others, then one that the line begins, then the one that begins nearest to it. None is found
 * where all of it was counted all the time: real recordings have metrics whose copies perf took from several runs then.
 */
void td_stretch_find(struct td_stretch *, const uint32_t *chosen, size_t nevents, uint32_t line);
void td_stretch_free(struct td_stretch *);

#endif
