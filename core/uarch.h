/* SPDX-License-Identifier: MIT */
/* What is known about one CPU: a row of a backend's table. Nothing else in the
 * project names a model number. */
#ifndef TD_UARCH_H
#define TD_UARCH_H

#include "formula.h"
#include "tdprobe.h"

struct td_event {
    const char *name; /* the vendor's; for sysfs events the kernel's */
    uint64_t config; /* perf_event_attr.config of the CPU's own PMU */
    const char *counters, *counters_alone; /* with the sibling thread on, and off */
    signed char field; /* enum td_field, or -1: an ordinary count */
    /* sysfs .scale: what a raw count is multiplied by, sibling off and on.
     * perf applies it itself, so only raw counts are scaled by it. */
    double scale, scale_smt;
};

/* Another name of an event; the row's own events come first. */
struct td_alias {
    const char *alias, *event;
};

enum {
    TD_FORM_FIXED = 1, /* uses the metrics register or the kernel's events for it */
    TD_FORM_LEGACY = 2, /* not the vendor's: what an old tool printed */
    TD_FORM_ONE_THREAD = 4, /* right only where no sibling thread is active */
    TD_FORM_CORE_CLOCK = 8, /* halves what two siblings count: needs the counts of both */
    TD_FORM_SYSFS_SCALE = 16, /* its raw counts are scaled by what depends on SMT */
};

/* One way to compute the metrics; the first of a row's forms that applies is used. */
struct td_form {
    const char *name;
    /* Blank-separated events that must have been recorded; "A/B": either;
     * "!A": must not. "": always. */
    const char *when;
    unsigned flags; /* TD_FORM_* */
    const struct td_def *lists[4]; /* NULL-name-terminated, evaluated in order */
};

struct td_uarch {
    const char *name;
    const char *aliases; /* blank-separated */
    const char *ids; /* see td_uarch_ids() */
    const char *title;
    const char *source; /* where the formulas are published */
    int width; /* slots per cycle */
    const char *alone; /* a CPU whose only cores are of this hybrid kind, or NULL */
    char core; /* 0, or 'P', 'E', 'L' (low power) on hybrids */
    unsigned flags; /* enum td_flag that hold for every result */
    const char *unrevised; /* those of its names that leave open a revision that matters, or NULL */
    const struct td_event *events;
    size_t nevents;
    const struct td_alias *aliases_of_events; /* ended by a NULL alias */
    const struct td_form *const *forms; /* ended by NULL */
};

/* A PMU family. The arrays are constant and their order is priority. */
struct td_backend {
    const char *name;
    const char *about;
    const char *vendor; /* "GenuineIntel", or "MIDR" for Arm identities */
    const struct td_uarch *rows;
    size_t nrows;
    bool atom; /* bottlenecks are judged by the thresholds of E-cores */
};

extern const struct td_backend *const td_backends[]; /* ended by NULL */

#endif
