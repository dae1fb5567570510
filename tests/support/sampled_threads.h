/* SPDX-License-Identifier: MIT */
/* A model of threads that take turns on one CPU, each of them a program of its own, whose slots are sampled. */
#ifndef SAMPLED_THREADS_H
#define SAMPLED_THREADS_H

#include "tests/support/sampled_program.h"

struct sampled_threads {
    struct sampled_program program[SAMPLED_THREADS];
    struct sampled_run run[SAMPLED_THREADS];
    double slice[SAMPLED_THREADS]; /* mean length of its turns, in microseconds */
    size_t threads, now;
    bool random_slices; /* of exponential length, as of threads that wait; else constant, as the scheduler's */
    bool functions; /* began and ended are functions, counted from the first thread's on; else threads */
    double left; /* of the turn */
    double period, distance; /* of samples, in microseconds; as struct sampled_program has them */
    bool between;
    struct sampled_varying varying; /* of the period */
    struct {
        bool sampled, stopped; /* it has been sampled; and others have had the CPU since then */
        size_t place;
    } last[SAMPLED_THREADS]; /* by thread: its last sample */
    struct unit_random *random;
};

/* Threads by chance, in turns of 20 us to 4 ms; with visited, one in turns of 0.4 to 10 ms between others' of 50 to 400
 * us. Without period and distance. */
void sampled_threads_make(struct unit_random *, bool visited, struct sampled_threads *out);
/* Makes the programs keep step with the period: each is back where it was after a period, or after a half, a third or a
 * quarter of it. */
void sampled_threads_keep_step(struct sampled_threads *);
/* Runs up to the next sample. */
void sampled_threads_next(struct sampled_threads *, struct sampled_delta *out);
/* What a thread, or with functions a function, really counted. */
void sampled_threads_truth(const struct sampled_threads *, size_t place, double true_count[SAMPLED_NODES]);
/* How many of these there are. */
size_t sampled_threads_places(const struct sampled_threads *);

#endif
