/* SPDX-License-Identifier: MIT */
/* Where live counts come from. Whatever differs between sources is here; nothing
 * else checks which source it is. */
#ifndef TD_SOURCE_H
#define TD_SOURCE_H

#include "live/plan/plan.h"

struct td_live;
struct td_meter;
struct td_unit;

enum {
    TD_SOURCE_WHY = 500,
    /* From plan, not errors: it cannot count this plan; it may be able to with fewer counters. */
    TD_SOURCE_CANNOT = 1,
    TD_SOURCE_FEWER = 2,
    /* of plan: the first group cannot keep its counters, td_plan.first */
    TD_SOURCE_CANNOT_STAY = 3,
};

/* All but plan and close return 0 or an error that is in the meter's log. */
struct td_source {
    const char *name; /* in a trace's header, and for td_set_source() */
    bool cpus_only; /* it counts CPUs, whatever runs there: no tasks */
    bool samples; /* retire latencies can be sampled beside it */
    bool reopens; /* it can reopen a CPU that was offline */
    unsigned most_added; /* events by td_add_event(); 0: it takes none */
    /* Checks what of ask it cannot count on this machine, whose PMUs are known. It may leave out PMUs. */
    int (*check)(struct td_meter *, const struct td_live *ask);
    /* Which counters it has for a unit, its PMU's first. dry: nothing will be opened. */
    int (*ask)(struct td_meter *, struct td_unit *, bool dry, struct td_plan_ask *out);
    /* Whether the plan of the unit's PMU can be counted; it may open the unit to
     * find out. 0; TD_SOURCE_CANNOT or TD_SOURCE_FEWER, with the reason; an error. */
    int (*plan)(struct td_meter *, struct td_unit *, const struct td_plan_ask *, bool dry, char why[TD_SOURCE_WHY]);
    /* After all forms were tried on the unit: found is whether one can be counted, reasons
     * why others cannot, or "". Fails if nothing can be counted. */
    int (*settle)(struct td_meter *, struct td_unit *, bool found, const char *reasons);
    /* Opens a unit with its PMU's plan, unless plan did. -ESRCH, -ENODEV: its task or CPU went away. */
    int (*open)(struct td_meter *, struct td_unit *);
    int (*enable)(struct td_meter *, struct td_unit *, bool on);
    /* Updates what the unit's events have counted. It is no error if its CPU went
     * offline: td_scopes_lost(). NULL: the source is read in another way. */
    int (*read)(struct td_meter *, struct td_unit *);
    /* Gives back all that the unit holds. -ENXIO: not now, its CPU is offline; any other error: what
     * could not be given back, with the reason. */
    int (*close)(struct td_meter *, struct td_unit *, char why[TD_SOURCE_WHY]);
    /* Adds the lines for the PMU, whose first unit this is, to the plan's text (describe.h). -ENOMEM. */
    int (*describe)(struct td_meter *, const struct td_unit *);
};

/* Finds a source by name; NULL: there is none. */
const struct td_source *td_source_find(const char *name);

#endif
