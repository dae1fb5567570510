/* SPDX-License-Identifier: MIT */
/* Likely bounds, from end to end: a simulated Skylake counts level 2, for which it has too
 * few counters, while a program passes through phases; or a simulated Sapphire Rapids counts a
 * task, which is switched from CPU to CPU, by PERF_METRICS. The bounds that are given, and the verdict, are
 * compared with what the program did. */
#ifndef LIKELY_ROAD_H
#define LIKELY_ROAD_H

#include <stddef.h>
#include <stdint.h>

enum road_program { ROAD_STEADY, ROAD_SHORT, ROAD_MIDDLE, ROAD_LONG, ROAD_ONCE, ROAD_WHOLE, ROAD_PROGRAMS };
extern const char *const road_names[ROAD_PROGRAMS];

struct road_cell {
    unsigned long metrics, given, inside; /* metrics of level 1; with likely bounds; with the truth within */
    double width; /* sum of half the distance of the bounds */
    unsigned long refused; /* metrics whose flag says that the program keeps step with the rotation */
    /* runs with a node at 30 % or more and 15 points before the next that may limit, by values alone; and it really is
     * the greatest */
    unsigned long leading, leads;
    /* runs whose verdict names a node; and its level-1 node really is the greatest above its threshold */
    unsigned long named, right;
};

/* Runs once for that many ms, as one interval or as several whose sum is asked for, and adds
 * to the cell. random: the state, never 0. 0 or -errno. */
int road_run(enum road_program, unsigned ms, unsigned intervals, uint64_t *random, struct road_cell *);
enum {
    ROAD_WINDOW = 4 /* ms */,
    ROAD_ROTATION = 6 * ROAD_WINDOW /* the first of four groups before each of the others */
};
/* The same for a program whose phases all last that many ms. */
int road_rhythm(unsigned phase, unsigned ms, unsigned intervals, uint64_t *random, struct road_cell *);
/* The same for a task that is switched every 10 ms, by PERF_METRICS whose fields are made as tdprobe-machine(5) has it.
 */
int road_task(enum road_program, const char *rounding, unsigned ms, uint64_t *random, struct road_cell *);

#endif
