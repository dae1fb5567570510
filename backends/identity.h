/* SPDX-License-Identifier: MIT */
/* Names and hardware ids to rows; texts of events to a row's events. */
#ifndef TD_IDENTITY_H
#define TD_IDENTITY_H

#include "uarch.h"

enum { TD_PARTS_MAX = 3, TD_MACHINE_TEXT = 64 };

/* A machine: one row, or one for each kind of core of a hybrid. */
struct td_machine {
    char name[24]; /* "spr", "adl" */
    const struct td_uarch *part[TD_PARTS_MAX];
    size_t nparts;
    bool hybrid; /* several kinds of core, each with a PMU of its own */
    unsigned flags; /* TD_FLAG_REVISION_ASSUMED */
};

/* By name, alias, hybrid name or id (see td_set_uarch()). -EINVAL: unknown or
 * ambiguous, -EOPNOTSUPP: known to have no top-down events; why says more. */
int td_machine_find(const char *text, struct td_machine *out, char *why, size_t whysize);
/* What td_machine_find() finds just this machine by, with the same flags; out. */
const char *td_machine_text(const struct td_machine *, char *out, size_t size);
/* The i-th of all machines: every row that is not part of a hybrid, every
 * hybrid, and every CPU that has but one kind of a hybrid's cores. false behind the last. */
bool td_machine_at(size_t i, struct td_machine *out);
const struct td_backend *td_uarch_backend_of(const struct td_uarch *);

/* An event as a recording names it, taken apart. */
struct td_event_text {
    char pmu[32]; /* "" if none is named */
    unsigned modes; /* TD_MODE_* asked for by modifiers; 0: all */
    bool generic; /* a name that perf gives to an event of every CPU */
};

/* Which event of the row a text means, or -1: names in either case, aliases,
 * raw encodings ("cpu/event=0x9c,umask=0x1/", "r19c"), a name with further
 * terms ("cpu/NAME,cmask=0x1/"), modifiers (":u"). */
int td_event_match(const struct td_uarch *, const char *text);
/* Why there is no formula for the CPUs that an event is of, by its name; NULL: none
 * of those that are known to have none has it. */
const char *td_event_unable(const char *text);
void td_event_text_parse(const char *text, struct td_event_text *out);
/* 'P', 'E', 'L' for the PMUs of hybrids, 0 for any other. */
char td_pmu_core(const char *pmu);

#endif
