/* SPDX-License-Identifier: MIT */
/* The recordings that generate writes: the same counts in every format. */
#ifndef TESTS_BENCH_GENERATE_H
#define TESTS_BENCH_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GENERATE_EVENTS = 9 };
#define GENERATE_SEED UINT64_C(88172645463325252)

/* Events as perf 6.1 prints them with their metrics. */
extern const struct generate_event {
    const char *name;
    unsigned share; /* of 1000 slots */
    const char *metrics;
    unsigned config; /* of perf_event_attr */
} generate_events[GENERATE_EVENTS];

/* Writes the perf.data of perf stat record -I on that many CPUs to stdout, at least wanted bytes; apart: with -A. */
void generate_data(size_t cpus, bool apart, unsigned long long wanted);

#endif
