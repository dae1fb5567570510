/* SPDX-License-Identifier: MIT */
/* Writes perf stat -x, -I lines of a Sapphire Rapids to stdout, as many bytes as asked for. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Events as perf 6.1 prints them with their metrics: name, share of 1000 slots, metrics. */
static const struct {
    const char *event;
    unsigned share;
    const char *metrics;
} events[] = {
    {"slots", 1000, ""},
    {"topdown-retiring", 251, "25.1,Retiring"},
    {"topdown-bad-spec", 102, "10.2,Bad Speculation"},
    {"topdown-fe-bound", 302, "30.2,Frontend Bound"},
    {"topdown-be-bound", 345, "34.5,Backend Bound"},
    {"topdown-heavy-ops", 39, "3.9,Heavy Operations,21.2,Light Operations"},
    {"topdown-br-mispredict", 78, "7.8,Branch Mispredict,2.4,Machine Clears"},
    {"topdown-fetch-lat", 157, "15.7,Fetch Latency,14.5,Fetch Bandwidth"},
    {"topdown-mem-bound", 235, "23.5,Memory Bound,11.0,Core Bound"},
};

static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static int interval(uint64_t time, uint64_t *state)
{
    uint64_t slots = 10000000000 + next(state) % 1000000000, running = 850000000 + next(state) % 10000000;
    int n = 0;

    for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
        n += printf("%6" PRIu64 ".%09" PRIu64 ",%" PRIu64 ",,%s,%" PRIu64 ",100.00,%s\n", time / 1000000000, time % 1000000000,
                    slots / 1000 * events[i].share + next(state) % 1000, events[i].event, running, *events[i].metrics ? events[i].metrics : ",");
    return n;
}

int main(int argc, char **argv)
{
    unsigned long long wanted = argc == 2 ? strtoull(argv[1], NULL, 10) : 0, written = 0;
    uint64_t state = 88172645463325252, time = 0;

    if (!wanted) {
        fputs("usage: generate BYTES\n", stderr);
        return 64;
    }
    puts("# started on Fri Nov 20 12:12:20 2026\n");
    while (written < wanted) {
        time += 100000000 + next(&state) % 1000000;
        written += (unsigned long long)interval(time, &state);
    }
    return fflush(stdout) ? 74 : 0;
}
