/* SPDX-License-Identifier: MIT */
/* Where live counts come from. What a source does in its own way has this form; nothing
 * else asks which one it is. */
#ifndef TD_SOURCE_H
#define TD_SOURCE_H

#include "live/plan/plan.h"

struct td_live;
struct td_meter;
struct td_unit;

enum {
    TD_SOURCE_WHY = 500,
    /* Of plan, which are no errors: it cannot count this plan; it may be able to with fewer counters. */
    TD_SOURCE_CANNOT = 1,
    TD_SOURCE_FEWER = 2,
};

/* All but plan and close return 0 or an error that is in the meter's log. */
struct td_source {
    const char *name; /* in a trace's header, and of td_set_source() */
    bool cpus_only; /* it counts CPUs, whoever runs there: no tasks */
    bool reopens; /* a CPU that was offline can be opened again */
    unsigned most_added; /* events of td_add_event(); 0: it takes none */
    /* What of ask it cannot count on this machine, whose PMUs are known. It may leave PMUs out. */
    int (*check)(struct td_meter *, const struct td_live *ask);
    /* Which counters it has for a unit, the first of its PMU. dry: nothing will be opened. */
    int (*ask)(struct td_meter *, struct td_unit *, bool dry, struct td_plan_ask *out);
    /* Whether the plan of the unit's PMU can be counted, which it may find out by opening
     * the unit. 0; TD_SOURCE_CANNOT and TD_SOURCE_FEWER, with why; an error. */
    int (*plan)(struct td_meter *, struct td_unit *, const struct td_plan_ask *, bool dry, char why[TD_SOURCE_WHY]);
    /* After all forms were tried on the unit: found says whether one can be counted, reasons
     * why others cannot, or "". Fails if nothing can be counted. */
    int (*settle)(struct td_meter *, struct td_unit *, bool found, const char *reasons);
    /* Opens a unit by its PMU's plan, unless plan did. -ESRCH, -ENODEV: its task or CPU went away. */
    int (*open)(struct td_meter *, struct td_unit *);
    int (*enable)(struct td_meter *, struct td_unit *, bool on);
    /* Brings what the unit's events counted up to date. That its CPU went offline is no
     * error: td_scopes_lost(). NULL: not this way. */
    int (*read)(struct td_meter *, struct td_unit *);
    /* Gives back all that the unit holds. -ENXIO: not now, its CPU is offline; else what
     * could not be given back, with why. */
    int (*close)(struct td_meter *, struct td_unit *, char why[TD_SOURCE_WHY]);
    /* Adds the lines of the unit's PMU, whose first it is, to the plan's text (describe.h). -ENOMEM. */
    int (*describe)(struct td_meter *, const struct td_unit *);
};

#endif
