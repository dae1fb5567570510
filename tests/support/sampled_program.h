/* SPDX-License-Identifier: MIT */
/* A model of a program of functions in turns, whose slots are sampled: an independent account of what is true
 * and of what samples show. It shares no line with what it tests. */
#ifndef SAMPLED_PROGRAM_H
#define SAMPLED_PROGRAM_H

#include "private/result.h"
#include "tests/support/random.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SAMPLED_FUNCTIONS = 8,
    /* a function that calls the first half of those that have turns, and does nothing itself */
    SAMPLED_DRIVER = SAMPLED_FUNCTIONS,
    SAMPLED_PLACES,
    SAMPLED_THREADS = 5, /* most programs that take turns on one CPU */
    SAMPLED_NODES = 4, /* of level 1 */
    SAMPLED_DEPTH = 3,
};

enum sampled_law { SAMPLED_CONSTANT, SAMPLED_UNEVEN /* give or take a fifth */, SAMPLED_EXPONENTIAL };

/* A period that varies as with another frequency after each 20 samples: from 0.55 to 1.65 times the usual one, to which
 * the kernel moves it by an eighth of what is left with each sample. */
struct sampled_varying {
    bool varies;
    unsigned n; /* samples until the next frequency */
    double wanted, now; /* parts of the usual period; 0: not yet */
};

struct sampled_function {
    double fraction[SAMPLED_NODES]; /* of its slots; their sum is 1 */
    double stay; /* mean length of its turns, in microseconds */
    double pace; /* of the sampled event, per microsecond */
    double leaf; /* share of its turns that it spends in the leaf function; 0: it calls none */
};

struct sampled_program {
    struct sampled_function function[SAMPLED_FUNCTIONS];
    size_t functions; /* the last is the leaf: it has no turns of its own, but is called by others for a short time */
    double leaf_stay; /* mean, in microseconds; by chance, as the time between its calls */
    enum sampled_law law; /* of the turns */
    bool random_turns; /* any other function comes next; else each in turn */
    double variation; /* how much the fractions of a turn differ from the function's */
    double period; /* of sampling, in units of the sampled event */
    double distance; /* samples come in pairs, the second so long after the first, in the same units; 0: they do not */
    /* of the period: 0, or how much it changes from sample to sample (perf record -F); of distance, too */
    double unsteady;
};

/* The functions that are active, from the outermost on. */
struct sampled_chain {
    size_t place[SAMPLED_DEPTH], depth;
};

/* Between two samples. */
struct sampled_delta {
    bool paired, rest; /* samples come in pairs; it does not lie between the two of one */
    size_t began, ended; /* functions */
    struct sampled_chain from, to; /* the same with what called them; not of threads */
    double slots, count[SAMPLED_NODES]; /* count: by fields of 8 bits, cut off */
    /* of threads, where switches are recorded: if one thread is at both ends, its share of the time, else 0; and where
     * one is back that others pre-empted */
    double own;
    enum td_back back;
};

/* The run of a program: zeroed but for program and random. */
struct sampled_run {
    const struct sampled_program *program;
    struct unit_random *random;
    size_t turn; /* the function whose turn it is */
    double left; /* of the turn, in microseconds */
    bool called; /* it runs the leaf */
    double part; /* left of the leaf, or until it is called */
    double shares[2][SAMPLED_NODES]; /* of this turn: its function's, and the leaf's */
    bool started, between; /* between: the last sample was the first of a pair */
    struct sampled_varying varying; /* of the program's period */
    double time[SAMPLED_FUNCTIONS]; /* that each ran, in microseconds */
    double true_count[SAMPLED_FUNCTIONS][SAMPLED_NODES]; /* its slots */
    double inclusive[SAMPLED_PLACES][SAMPLED_NODES]; /* and of what it called */
};

/* A program by chance; scale: the stays' typical length in microseconds. */
void sampled_program_make(struct unit_random *, double scale, struct sampled_program *out);
/* Whether a function's turns are the driver's, too. */
bool sampled_program_drives(const struct sampled_program *, size_t function);
/* How far it is to the next sample, in usual periods. */
double sampled_vary(struct sampled_varying *, struct unit_random *);
/* Runs for some microseconds; true_count: what it counts is added. */
void sampled_run_pass(struct sampled_run *, double time, double true_count[SAMPLED_NODES]);
/* What samples show of it, by fields of 8 bits. */
void sampled_fields(const double true_count[SAMPLED_NODES], struct sampled_delta *out);
/* The function that it is in. */
size_t sampled_run_at(struct sampled_run *);
/* Runs up to the next sample. */
void sampled_run_next(struct sampled_run *, struct sampled_delta *out);

#endif
