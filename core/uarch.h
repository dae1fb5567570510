/* SPDX-License-Identifier: MIT */
/* What is known about one CPU: a row of a backend's table. Nothing else in the
 * project names a model number. */
#ifndef TD_UARCH_H
#define TD_UARCH_H

#include "core/formula/formula.h"
#include "core/formula/table.h"
#include "core/tree.h"
#include "include/tdprobe.h"

enum {
    TD_MODE_USER = 1,
    TD_MODE_KERNEL = 2,
    TD_MODE_HYPERVISOR = 4,
    TD_MODE_GUEST = 8,
    TD_MODE_HOST = 16,
    TD_MODE_SETS = 32 /* of modes */
};

/* What formulas use as events. Only TD_EVENT_COUNT is counted by a core's PMU under its own config. */
enum td_event_kind {
    TD_EVENT_COUNT,
    TD_EVENT_LATENCY, /* "NAME:R": the mean retire latency of an event, in cycles */
    TD_EVENT_TSC, /* msr/tsc/ */
    TD_EVENT_PER_CORE, /* added up over the threads of a core */
    TD_EVENT_ELSEWHERE, /* of another PMU */
};

/* The bit of perf's raw config on x86 by which an event counts what either sibling thread does: AnyThread of
 * IA32_PERFEVTSELx (Intel SDM vol. 3B, 20.2.3.1). */
#define TD_CONFIG_ANY_THREAD (UINT64_C(1) << 21)
/* No encoding */
#define TD_CONFIG_NONE UINT64_MAX

struct td_event {
    const char *name; /* the vendor's; for sysfs events the kernel's */
    uint64_t config; /* perf_event_attr.config of the CPU's own PMU */
    const char *counters, *counters_alone; /* those that can hold it with the sibling thread on, and with it off */
    signed char field; /* enum td_field, or -1: an ordinary count */
    /* sysfs .scale: what a raw count is multiplied by, sibling off and on.
     * perf applies it itself, so only raw counts are scaled by it. */
    double scale, scale_smt;
    bool used; /* a formula of levels 1 and 2 uses it; others do not show which CPU this is */
    uint64_t config1; /* for an extra register */
    uint64_t other_config; /* its config with the second of two such registers; 0: there is at most one */
    const char *errata; /* the vendor's names of errata that make its counts wrong, or NULL */
    double latency; /* TD_EVENT_LATENCY: the mean that the vendor measured; 0: none is published */
    const char *latency_table; /* who has published the table that it is from: "perfmon", ... */
    uint16_t base; /* the event that it counts in some modes, or adds up */
    uint8_t modes; /* TD_MODE_*; 0: all, it is an event of its own */
    uint8_t kind; /* enum td_event_kind */
};

/* What holds an event's config1: a register of the core, one of its kind or one of two. Events of one value share it.
 */
enum td_extra { TD_EXTRA_NONE, TD_EXTRA_FRONTEND /* MSR 0x3f7 */, TD_EXTRA_OFFCORE /* 0x1a6 or 0x1a7 */, TD_EXTRAS };

/* The names of a row's events, its own and others that mean one of them, hashed when
 * the table was made. A slot is free where event is TD_NO_EVENT; a name that is not in its
 * own slot, td_name_hash() & mask, is in one of the next, before a free one. */
struct td_event_names {
    const struct td_event_name {
        uint16_t hash, event;
        uint32_t text; /* where in texts it begins */
    } * slot;
    const char *texts;
    uint32_t mask; /* slots - 1 */
    int slots, cycles; /* the events of these names, TOPDOWN.SLOTS and cycles; -1: the row has none */
};
/* Numbers of events are below these, which mean something else. */
enum {
    TD_EVENT_PACKED = 0xffff, /* event of a sample: it is the metrics register */
    TD_EVENT_UNKNOWN = 0xfffe, /* it is no event of the CPU, and in no result */
    TD_NO_EVENT = 0xfffd,
};

enum {
    TD_FORM_FIXED = 1, /* uses the metrics register or the kernel's events for it */
    TD_FORM_LEGACY = 2, /* is not the vendor's, but what an old tool printed */
    TD_FORM_ONE_THREAD = 4, /* is right only where no sibling thread is active */
    TD_FORM_CORE_CLOCK = 8, /* halves what two siblings count, and so needs the counts of both */
    TD_FORM_SYSFS_SCALE = 16, /* its raw counts are scaled by a factor that depends on SMT */
    TD_FORM_TABLE = 32, /* has the rows of the CPU's table that its lists do not define */
    /* Conditions of the table (backends/NOTATION), which the form settles; FIXED is TD_FORM_FIXED. */
    TD_FORM_SMT = 64,
    TD_FORM_EBS = 128,
    TD_FORM_SMT_ASKED = 256, /* SMT is not settled: it is what is known; with TD_FORM_SMT, that it is on */
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

struct td_relation;

struct td_uarch {
    const char *name;
    const char *aliases; /* blank-separated */
    const char *ids; /* see td_uarch_ids() */
    const char *title;
    const char *source; /* where the formulas are published */
    int width; /* slots per cycle */
    const char *alone; /* the name of a CPU that has only this kind of a hybrid's cores, or NULL */
    char core; /* 0, or 'P', 'E', 'L' (low power) on hybrids */
    unsigned flags; /* enum td_flag: those that hold for every result */
    const char *unrevised; /* those of its names that leave a revision open which matters, or NULL */
    const struct td_event *events;
    size_t nevents;
    const struct td_event_names *names; /* further names of the events; NULL: they have only their own */
    const struct td_tree *tree; /* what its metrics are nodes of: levels 1 and 2 */
    const struct td_table *table; /* all that is published for it, or NULL */
    const struct td_form *const *forms; /* ended by NULL */
    const struct td_relation *relations; /* between counts of its events: core/bounds/relation.h; NULL: none */
};

/* A family of PMUs. Its arrays are constant and in order of priority. */
struct td_backend {
    const char *name;
    const char *about;
    const char *vendor; /* "GenuineIntel", "AuthenticAMD", or "MIDR" for Arm identities */
    const struct td_uarch *rows;
    size_t nrows;
};

/* The number of a row's event of that name, the vendor's or another, in either case; or -1. */
int td_uarch_event_number(const struct td_uarch *, const char *name);
int td_uarch_event_find(const struct td_uarch *, const char *name, size_t len);
/* The event whose mean retire latency this one is, or -1. */
int td_uarch_latency_event(const struct td_uarch *, size_t event);
/* The same by perf's raw config and config1: vendor's events before sysfs events of the same encoding. */
int td_uarch_event_by_config(const struct td_uarch *, uint64_t config, uint64_t config1);
/* SLOTS, of which the fields of the metrics register are parts; and its number in a row, or -1. */
bool td_event_is_slots(const struct td_event *);
int td_uarch_slots(const struct td_uarch *);
/* Whether it counts what all threads of its core do; in some modes, as the event that it is of. */
static inline bool td_uarch_of_siblings(const struct td_uarch *u, const struct td_event *e)
{
    const uint64_t config = e->modes ? u->events[e->base].config : e->config;

    return config != TD_CONFIG_NONE && config & TD_CONFIG_ANY_THREAD;
}

/* Whether it counts the cycles of a thread, or of its whole core (TD_CONFIG_ANY_THREAD). */
bool td_uarch_is_clock(const struct td_uarch *, const struct td_event *);
enum td_extra td_event_extra(const struct td_event *);

#endif
