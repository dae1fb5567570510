/* SPDX-License-Identifier: MIT */
/* tdprobe bench: what its report says. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Of what one event counted in each run. */
struct cli_bench_numbers {
    double min, median, mean, deviation, max; /* deviation: of the sample; NAN for fewer than two */
};

struct cli_bench_event {
    const char *event; /* as it was asked for */
    uint64_t config;
    uint64_t *run, *empty; /* values of each */
    struct cli_bench_numbers counted, cost; /* of the runs; of runs with nothing between starting and stopping */
};

struct cli_bench {
    int cpu;
    const char *machine; /* "spr" */
    unsigned runs, empties; /* that count */
    struct cli_bench_event *event;
    size_t n;
};

#endif
