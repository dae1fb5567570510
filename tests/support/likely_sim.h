/* SPDX-License-Identifier: MIT */
/* Programs seen through a rotation, for the proof of likely bounds: a program
 * changes between two states, groups of events see their windows of it, and the
 * bounds from what they saw are compared with what happened. */
#ifndef LIKELY_SIM_H
#define LIKELY_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIKELY_EVENTS = 15, LIKELY_TURNS = 10, LIKELY_INTERVALS = 64, LIKELY_STATES = 2 };

enum likely_rhythm {
    LIKELY_STEADY, /* both states in each window, in equal parts but for noise */
    LIKELY_WINDOWS, /* each window is one of the two by chance: the most that windows can vary */
    LIKELY_RANDOM, /* phases of random length */
    LIKELY_RHYTHM, /* phases of equal length */
    LIKELY_DRIFT, /* slowly from one to the other */
    LIKELY_ONCE, /* from one to the other */
};

struct likely_program {
    const char *name;
    enum likely_rhythm rhythm;
    double least, most; /* mean length of a phase, in rotations: anything between is equally likely */
    double jitter; /* of a steady rhythm: how far a phase may be off, as a part of its length */
    double noise; /* of LIKELY_STEADY */
};

/* Those of which the bounds promise that they hold. */
extern const struct likely_program likely_programs[];
extern const size_t likely_nprograms;

/* A metric and the events of its formula, in groups. */
struct likely_formula {
    const char *name;
    double (*value)(const double *count);
    void (*state)(uint64_t *random, double *rate); /* counts in a window; NULL: a plain share, all or nothing */
    size_t events;
    unsigned char group[LIKELY_EVENTS];
    double slack;
};
extern const struct likely_formula likely_formulas[];
extern const size_t likely_nformulas;

struct likely_case {
    const struct likely_program *program;
    const struct likely_formula *formula;
    double share; /* of the time in the first state; 0: anything */
    unsigned turns, seen; /* windows in a rotation, and in how many of them a group counts */
    double windows; /* that a group sees in all */
    size_t intervals; /* 1: none */
    unsigned cpus; /* how many are added up; 0: one */
    bool apart; /* the CPUs' programs are independent of each other; otherwise all do the same at the same time */
    double idle; /* a window of the slower state counts this much less: 0 to 1 */
    double burst; /* > 0: a task that runs for that many windows and sleeps */
    double slower; /* by what factor the kernel rotates more slowly than assumed; 0: as assumed */
    bool witness; /* other groups count an event of the first, and td_likely_in_step() is called */
};

struct likely_cell {
    unsigned long runs, given, inside;
    double width, square; /* sums: half the distance of the bounds; square of the value's error */
    unsigned long counts; /* of events that happened, in all runs */
    double astray, off; /* sums: how far a scaled count is off, as a part of the true one; the value's error */
    unsigned long escaped; /* of the metrics register: outside, though the field itself was within its error */
    /* of the metrics register: runs whose largest share that may limit is ahead by more than the difference may be off,
     * though bounds overlap; of these, where another one led */
    unsigned long ahead, wrong;
    unsigned long clear, misled; /* the same of runs where it is at 30 % or more, and 15 points before the others */
};

/* Windows' time in each state for each turn of the rotation, by interval of the recording. */
struct likely_stays {
    double in[LIKELY_INTERVALS][LIKELY_TURNS][LIKELY_STATES];
};
/* Adds what a program does on one CPU from a turn of the rotation on; its formula is not used. */
void likely_walk(const struct likely_case *, unsigned turn, uint64_t *random, struct likely_stays *);
/* Whether a group counts in that turn. */
bool likely_sees(const struct likely_case *, size_t group, size_t turn);

/* Runs a case that many times and adds to the cell. random: the state, never 0. */
void likely_run(const struct likely_case *, unsigned long runs, uint64_t *random, struct likely_cell *);

/* A task whose metrics register is written back at each switch. */
enum likely_work {
    LIKELY_CONSTANT,
    LIKELY_NOISY,
    LIKELY_HALVES,
    LIKELY_PHASES,
    LIKELY_EACH,
    LIKELY_LATE,
    LIKELY_EARLY
};
struct likely_task {
    const char *name;
    enum likely_work work;
};
extern const struct likely_task likely_tasks[];
extern const size_t likely_ntasks;
/* Adds 4 shares of a run; width: of the bounds, in shares. */
void likely_restore_run(const struct likely_task *, unsigned switches, bool truncates, unsigned long runs,
                        uint64_t *random, struct likely_cell *);
/* The same with bounds by how far the four counts are off the slots, but no less: TD_LIKELY_SUM_LEAST, or
 * TD_LIKELY_SUM_FINE, of runs whose counts are off by more. */
enum likely_rounding { LIKELY_NEAREST, LIKELY_TRUNCATE, LIKELY_SCATTER };
void likely_off_run(const struct likely_task *, unsigned switches, enum likely_rounding, double least,
                    unsigned long runs, uint64_t *random, struct likely_cell *);
/* The same for each of 20 intervals; in the given part (busy) of all cases a read(2) finds the task
 * running at the end of an interval, and begins anew. */
void likely_reads_run(const struct likely_task *, unsigned switches, bool truncates, double busy, unsigned long runs,
                      uint64_t *random, struct likely_cell *);

#endif
