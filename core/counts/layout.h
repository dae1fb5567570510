/* SPDX-License-Identifier: MIT */
/* What an interval has counts of, without the counts: an index of the copies of
 * events by event and by group, kept as long as intervals have the same copies. */
#ifndef TD_LAYOUT_H
#define TD_LAYOUT_H

#include "util/bits.h"
#include "core/counts/counts.h"
#include "core/counts/groups.h"

/* What decides whether a metric uses this copy, except for shares of time. */
struct td_copy {
    uint32_t printed;
    uint32_t group_at; /* its number in td_layout.groups */
    uint16_t event, group;
    uint16_t own; /* the row's event that counts this event in these modes ("NAME:k"); TD_NO_EVENT: it has none */
    uint8_t modes;
    bool generic;
    bool ok; /* it was counted */
};

/* The events of a group. */
struct td_copy_group {
    struct td_bits has; /* events of levels 1 and 2 that have a copy in it */
    /* events with a copy that was counted; in a group of the recording's modes the td_copy.own of copies too */
    struct td_bits counted;
    size_t size; /* how many events has holds: others in the group do not matter */
};

struct td_layout {
    struct td_copy *copy; /* by their index in the counts */
    size_t n, copies_room;
    struct td_groups groups;
    struct td_copy_group *group; /* by number */
    size_t group_room;
    uint64_t *words; /* memory of the groups' sets */
    size_t words_room;
    const struct td_event *events; /* of the row */
    size_t nevents;
    uint32_t *first; /* by event: where its copies begin in by_event; one more for where the last event's end */
    size_t first_room;
    uint32_t *by_event; /* the copies sorted by event, those of one event in their own order */
    size_t by_event_room;
    bool once; /* there is one group, and no event twice in it: nothing has to be chosen */
    /* The modes that the recording is of: those in which most different events were recorded, and all modes (0) before
     * others. Copies that the row has an event of its own for (td_copy.own) do not count, unless there are no
     * others. */
    uint8_t modes;
};

/* Whether the counts have the copies that the layout was made of, exactly. */
bool td_layout_same(const struct td_layout *, const struct td_counts *);
/* Makes it the layout of other counts, which have the row's event numbers. -ENOMEM: then it is empty. */
int td_layout_make(struct td_layout *, const struct td_counts *, const struct td_uarch *);
void td_layout_free(struct td_layout *);
/* Whether there is a copy of the event in these modes. */
bool td_layout_has(const struct td_layout *, size_t event, unsigned modes);

#endif
