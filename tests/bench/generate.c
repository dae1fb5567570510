/* SPDX-License-Identifier: MIT */
/* Writes what perf 6.1 records with -I of a Sapphire Rapids to stdout, as many bytes as asked for: the same
 * counts as -x, -j, text, or the perf.data of perf stat record. */
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events as perf 6.1 prints them with their metrics: name, share of 1000 slots, metrics. */
static const struct {
    const char *event;
    unsigned share;
    const char *metrics;
    unsigned config; /* of perf_event_attr */
} events[] = {
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

enum { EVENTS = sizeof(events) / sizeof(*events), ATTR = 64 };
#define SEED UINT64_C(88172645463325252)

typedef int print_fn(size_t event, uint64_t time, uint64_t value, uint64_t running);

static int print_csv(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    return printf("%6" PRIu64 ".%09" PRIu64 ",%" PRIu64 ",,%s,%" PRIu64 ",100.00,%s\n", time / 1000000000, time % 1000000000, value,
                  events[event].event, running, *events[event].metrics ? events[event].metrics : ",");
}

static int print_json(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    const char *metric = strchr(events[event].metrics, ',');

    return printf("{\"interval\" : %" PRIu64 ".%09" PRIu64 ", \"counter-value\" : \"%" PRIu64 ".000000\", \"unit\" : \"\", \"event\" : \"%s\", "
                  "\"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : 100.00, \"metric-value\" : %.6f, \"metric-unit\" : \"%s\"}\n",
                  time / 1000000000, time % 1000000000, value, events[event].event, running, events[event].share / 10.0,
                  metric ? metric + 1 : "(null)");
}

static int print_text(size_t event, uint64_t time, uint64_t value, uint64_t running)
{
    const char *metric = strchr(events[event].metrics, ',');

    (void)running;
    if (!metric)
        return printf("%6" PRIu64 ".%09" PRIu64 " %18" PRIu64 "      %-67s\n", time / 1000000000, time % 1000000000, value, events[event].event);
    return printf("%6" PRIu64 ".%09" PRIu64 " %18" PRIu64 "      %-32s # %8.1f%% %-22s\n", time / 1000000000, time % 1000000000, value,
                  events[event].event, events[event].share / 10.0, metric + 1);
}

/* What each interval counted, until wanted bytes are written. */
static void print_text_format(print_fn *print, unsigned long long wanted)
{
    struct unit_random random = {SEED};
    uint64_t time = 0;
    unsigned long long written = 0;

    puts("# started on Fri Nov 20 12:12:20 2026\n");
    while (written < wanted) {
        uint64_t slots = 10000000000 + unit_random(&random) % 1000000000, running = 850000000 + unit_random(&random) % 10000000;

        time += 100000000 + unit_random(&random) % 1000000;
        for (size_t i = 0; i < EVENTS; i++)
            written += (unsigned long long)print(i, time, slots / 1000 * events[i].share + unit_random(&random) % 1000, running);
    }
}

/* ---- perf.data (the layout is in sim/replay/perf_data/perf_data.h's sources) ----------------- */

static void put(uint64_t value, size_t bytes)
{
    for (; bytes; bytes--, value >>= 8)
        putchar((int)(value & 0xff));
}

static void put_string(const char *text)
{
    char padded[64] = {0};

    memcpy(padded, text, strlen(text));
    put(sizeof(padded), 4);
    fwrite(padded, 1, sizeof(padded), stdout);
}

static void put_attr(size_t event)
{
    put(4, 4), put(ATTR, 4), put(events[event].config, 8), put(0, 8), put(1 << 16, 8); /* PERF_SAMPLE_IDENTIFIER */
    for (size_t at = 32; at < ATTR; at += 8)
        put(0, 8);
}

static uint64_t counter_id(size_t event, size_t cpu)
{
    return 1 + event * 4096 + cpu;
}

static void put_head(size_t cpus, uint64_t data_size)
{
    uint64_t ids = 104, attrs = ids + EVENTS * cpus * 8, data = attrs + EVENTS * (ATTR + 16);

    fwrite("PERFILE2", 1, 8, stdout);
    put(104, 8), put(ATTR + 16, 8), put(attrs, 8), put(EVENTS * (ATTR + 16), 8), put(data, 8), put(data_size, 8), put(0, 8), put(0, 8);
    put(1 << 9 | 1 << 12, 8), put(0, 8), put(0, 8), put(0, 8); /* HEADER_CPUID, HEADER_EVENT_DESC */
    for (size_t e = 0; e < EVENTS; e++)
        for (size_t c = 0; c < cpus; c++)
            put(counter_id(e, c), 8);
    for (size_t e = 0; e < EVENTS; e++) {
        put_attr(e);
        put(ids + e * cpus * 8, 8), put(cpus * 8, 8);
    }
}

static void put_features(size_t cpus, uint64_t at)
{
    uint64_t cpuid = at + 32, desc = cpuid + 68;

    put(cpuid, 8), put(68, 8), put(desc, 8), put(8 + EVENTS * (ATTR + 4 + 68 + 8 * cpus), 8);
    put_string("GenuineIntel,6,143,8");
    put(EVENTS, 4), put(ATTR, 4);
    for (size_t e = 0; e < EVENTS; e++) {
        put_attr(e);
        put(cpus, 4);
        put_string(events[e].event);
        for (size_t c = 0; c < cpus; c++)
            put(counter_id(e, c), 8);
    }
}

/* Cumulative counts of each CPU; apart: recorded with -A. */
static void print_data(size_t cpus, bool apart, unsigned long long wanted)
{
    uint64_t rounds = wanted / (EVENTS * cpus * 48 + 24) + 1, size = 32 + rounds * (EVENTS * cpus * 48 + 24), time = 0;
    uint64_t *total = calloc(EVENTS * cpus, sizeof(*total)), running = 0;
    struct unit_random random = {SEED};

    if (!total)
        exit(70);
    put_head(cpus, size);
    put(75, 4), put(0, 2), put(32, 2), put(1, 8), put(0, 8), put(apart ? 0 : 1, 8); /* STAT_CONFIG: aggr_mode */
    for (uint64_t r = 0; r < rounds; r++) {
        time += 100000000 + unit_random(&random) % 1000000;
        running += 850000000 + unit_random(&random) % 10000000;
        for (size_t c = 0; c < cpus; c++) {
            uint64_t slots = 10000000000 + unit_random(&random) % 1000000000;

            for (size_t e = 0; e < EVENTS; e++) {
                total[e * cpus + c] += slots / 1000 * events[e].share + unit_random(&random) % 1000;
                put(76, 4), put(0, 2), put(48, 2), put(counter_id(e, c), 8), put(c, 4), put(0, 4);
                put(total[e * cpus + c], 8), put(running, 8), put(running, 8);
            }
        }
        put(77, 4), put(0, 2), put(24, 2), put(0, 8), put(time, 8);
    }
    put_features(cpus, 104 + EVENTS * cpus * 8 + EVENTS * (ATTR + 16) + size);
    free(total);
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
    print_data(cpus, argv[1][4] != '\0', wanted);
    return fflush(stdout) ? 74 : 0;
}
