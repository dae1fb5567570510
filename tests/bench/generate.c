/* SPDX-License-Identifier: MIT */
/* Writes what perf 6.1 records with -I of a Sapphire Rapids to stdout, as many bytes as asked for: the same
 * counts as -x, -j, text, or the perf.data of perf stat record. */
#include "tests/bench/generate.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct generate_event generate_events[GENERATE_EVENTS] = {
    {"slots", 1000, "", 0x400},
    {"topdown-retiring", 251, "25.1,Retiring", 0x8000},
    {"topdown-bad-spec", 102, "10.2,Bad Speculation", 0x8100},
    {"topdown-fe-bound", 302, "30.2,Frontend Bound", 0x8200},
    {"topdown-be-bound", 345, "34.5,Backend Bound", 0x8300},
    {"topdown-heavy-ops", 39, "3.9,Heavy Operations,21.2,Light Operations", 0x8400},
    {"topdown-br-mispredict", 78, "7.8,Branch Mispredict,2.4,Machine Clears", 0x8500},
    {"topdown-fetch-lat", 157, "15.7,Fetch Latency,14.5,Fetch Bandwidth", 0x8600},
    {"topdown-mem-bound", 235, "23.5,Memory Bound,11.0,Core Bound", 0x8700},
};

typedef int print_fn(size_t event, uint64_t time, uint64_t value, uint64_t running);

static int print_csv(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    return printf("%6" PRIu64 ".%09" PRIu64 ",%" PRIu64 ",,%s,%" PRIu64 ",100.00,%s\n", time / 1000000000,
                  time % 1000000000, value, generate_events[event].name, running,
                  *generate_events[event].metrics ? generate_events[event].metrics : ",");
}

static int print_json(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    const char *metric = strchr(generate_events[event].metrics, ',');

    return printf("{\"interval\" : %" PRIu64 ".%09" PRIu64 ", \"counter-value\" : \"%" PRIu64
                  ".000000\", \"unit\" : \"\", \"event\" : \"%s\", "
                  "\"event-runtime\" : %" PRIu64
                  ", \"pcnt-running\" : 100.00, \"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n",
                  time / 1000000000, time % 1000000000, value, generate_events[event].name, running,
                  generate_events[event].share / 10.0, metric ? metric + 1 : "(null)");
}

static int print_text(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    const char *metric = strchr(generate_events[event].metrics, ',');

    (void)running;
    if (!metric)
        return printf("%6" PRIu64 ".%09" PRIu64 " %18" PRIu64 "      %-67s\n", time / 1000000000, time % 1000000000,
                      value, generate_events[event].name);
    return printf("%6" PRIu64 ".%09" PRIu64 " %18" PRIu64 "      %-32s # %8.1f%% %-22s\n", time / 1000000000,
                  time % 1000000000, value, generate_events[event].name, generate_events[event].share / 10.0,
                  metric + 1);
}

/* What each interval counted, until wanted bytes are written. */
static void print_text_format(print_fn *print, unsigned long long wanted)
{
    struct unit_random random = {GENERATE_SEED};
    uint64_t time = 0;
    unsigned long long written = 0;

    puts("# started on Fri Nov 20 12:12:20 2026\n");
    while (written < wanted) {
        uint64_t slots = 10000000000 + unit_random(&random) % 1000000000,
                 running = 850000000 + unit_random(&random) % 10000000;

        time += 100000000 + unit_random(&random) % 1000000;
        for (size_t i = 0; i < GENERATE_EVENTS; i++)
            written += (unsigned long long)print(
                i, time, slots / 1000 * generate_events[i].share + unit_random(&random) % 1000, running);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        print_fn *print;
    } formats[] = {{"csv", print_csv}, {"json", print_json}, {"text", print_text}};
    unsigned long long wanted = argc >= 3 ? strtoull(argv[2], NULL, 10) : 0;
    size_t cpus = argc == 4 ? strtoul(argv[3], NULL, 10) : 1;

    for (size_t i = 0; wanted && i < sizeof(formats) / sizeof(*formats); i++)
        if (!strcmp(argv[1], formats[i].name)) {
            print_text_format(formats[i].print, wanted);
            return fflush(stdout) ? 74 : 0;
        }
    if (!wanted || strncmp(argv[1], "data", 4) || !cpus || cpus > 4096) {
        fputs("usage: generate csv|json|text BYTES, generate data|data-A BYTES [CPUS]\n", stderr);
        return 64;
    }
    generate_data(cpus, argv[1][4] != '\0', wanted);
    return fflush(stdout) ? 74 : 0;
}
