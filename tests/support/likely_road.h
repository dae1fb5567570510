/* SPDX-License-Identifier: MIT */
/* Likely bounds, from end to end: a simulated Skylake counts level 2, for which it has too
 * few counters, while a program passes through phases; the bounds that are given are
 * compared with what the program did. */
#ifndef LIKELY_ROAD_H
#define LIKELY_ROAD_H

#include <stddef.h>
#include <stdint.h>

enum road_program { ROAD_STEADY, ROAD_SHORT, ROAD_MIDDLE, ROAD_LONG, ROAD_ONCE, ROAD_PROGRAMS };
extern const char *const road_names[ROAD_PROGRAMS];

struct road_cell {
    unsigned long metrics, given, inside; /* metrics of level 1; with likely bounds; with the truth within */
    double width; /* sum of half the distance of the bounds */
};

/* Runs once for that many ms, as one interval or as several whose sum is asked for, and adds
 * to the cell. random: the state, never 0. 0 or -errno. */
int road_run(enum road_program, unsigned ms, unsigned intervals, uint64_t *random, struct road_cell *);

#endif
