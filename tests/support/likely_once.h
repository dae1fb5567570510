/* SPDX-License-Identifier: MIT */
/* Likely bounds of one reading, as people paste it: programs seen through a rotation (likely_sim.h) are printed as perf
 * stat prints them, with percentages of two decimals in place of times, and read back by the library. Its bounds, and
 * the node that it names, are compared with what published formulas give of all that happened (oracle.h). */
#ifndef LIKELY_ONCE_H
#define LIKELY_ONCE_H

#include "tests/support/likely_sim.h"

enum once_way {
    ONCE_COMMAND, /* perf stat COMMAND */
    ONCE_REPEATED, /* -r N */
    ONCE_CGROUP, /* -a -G NAME */
    ONCE_PROCESS, /* -p PID */
    ONCE_THREADS, /* --per-thread -p PID */
    ONCE_ROWS, /* -a -A */
    ONCE_LIST, /* -C LIST */
    ONCE_SYSTEM, /* -a */
    ONCE_CLOCK, /* the same with cpu-clock, which is one of the events that perf counts unless told otherwise */
    ONCE_WAYS,
};
extern const char *const once_way_names[ONCE_WAYS];

/* What is recorded of a CPU. */
struct once_family {
    const char *name, *uarch, *variant; /* for people; td_set_uarch()'s; the oracle's */
    const char *smt; /* td_set_smt()'s */
    int width;
    const struct once_event {
        const char *text, *name; /* perf's name, and the vendor's */
        double all, of[4]; /* its part of all slots, and of those that retire, are wasted, lack a uop, and wait */
        int together; /* the kernel schedules it only beside the others of these */
    } * events;
};
enum { ONCE_FAMILIES = 8 };
extern const struct once_family once_families[];
extern const size_t once_nfamilies;

struct once_cell {
    unsigned long readings, shares; /* results; shares of level 1 of which not all was counted */
    unsigned long given, inside; /* those with likely bounds; with the truth within */
    double width, square; /* sums: half the distance of the bounds; square of the value's error */
    unsigned long named, wrong; /* results whose verdict names a node; that is not the greatest above its threshold */
    unsigned long broken; /* sound bounds with the truth outside */
};

/* Prints and reads one recording, and adds to the cell. program: NULL for any of likely_programs, as it may come; one
 * that is named is as hard as it can be: all slots are of one category in one state and of another in the other, in all
 * CPUs at the same time, and one group has all events. random: the state, never 0. 0 or -errno. */
int once_run(enum once_way, const struct once_family *, const struct likely_program *, uint64_t *random,
             struct once_cell *);

#endif
