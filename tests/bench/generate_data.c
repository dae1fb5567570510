/* SPDX-License-Identifier: MIT */
/* perf.data of perf stat record -I, with what perf stat report needs to read it:
 * tools/perf/Documentation/perf.data-file-format.txt and write_*() of tools/perf/util/header.c. */
#include "tests/bench/generate.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTR = 64, HEADER = 104, SECTION = 16, STRING = 64, EVENTS = GENERATE_EVENTS };
enum { THREAD_MAP = 40, STAT_CONFIG = 64, COUNT = 48, ROUND = 24 }; /* sizes of records */

static void put(uint64_t value, size_t bytes)
{
    for (; bytes; bytes--, value >>= 8)
        putchar((int)(value & 0xff));
}

static void put_string(const char *text)
{
    char padded[STRING] = {0};

    memcpy(padded, text, strlen(text));
    put(sizeof(padded), 4);
    fwrite(padded, 1, sizeof(padded), stdout);
}

static void put_record(unsigned type, size_t size)
{
    put(type, 4), put(0, 2), put(size, 2);
}

static void put_attr(size_t event)
{
    put(4, 4), put(ATTR, 4), put(generate_events[event].config, 8), put(0, 8);
    put(1 << 16, 8), put(3, 8); /* PERF_SAMPLE_IDENTIFIER, TOTAL_TIME_ENABLED and _RUNNING */
    for (size_t at = 40; at < ATTR; at += 8)
        put(0, 8);
}

static uint64_t counter_id(size_t event, size_t cpu)
{
    return 1 + event * 4096 + cpu;
}

/* ---- features ---- */

static size_t nrcpus_size(size_t cpus)
{
    (void)cpus;
    return 8;
}

static void put_nrcpus(size_t cpus)
{
    put(cpus, 4), put(cpus, 4);
}

static size_t cpuid_size(size_t cpus)
{
    (void)cpus;
    return 4 + STRING;
}

static void put_cpuid(size_t cpus)
{
    (void)cpus;
    put_string("GenuineIntel,6,143,8");
}

static size_t desc_size(size_t cpus)
{
    return 8 + EVENTS * (ATTR + 4 + 4 + STRING + 8 * cpus);
}

static void put_desc(size_t cpus)
{
    put(EVENTS, 4), put(ATTR, 4);
    for (size_t e = 0; e < EVENTS; e++) {
        put_attr(e);
        put(cpus, 4);
        put_string(generate_events[e].name);
        for (size_t c = 0; c < cpus; c++)
            put(counter_id(e, c), 8);
    }
}

static size_t topology_size(size_t cpus)
{
    return 8 + (4 + STRING) * (1 + cpus) + 8 * cpus;
}

/* One socket, and each CPU a core. */
static void put_topology(size_t cpus)
{
    char list[STRING];

    snprintf(list, sizeof(list), cpus > 1 ? "0-%zu" : "0", cpus - 1);
    put(1, 4), put_string(list), put(cpus, 4);
    for (size_t c = 0; c < cpus; c++) {
        snprintf(list, sizeof(list), "%zu", c);
        put_string(list);
    }
    for (size_t c = 0; c < cpus; c++)
        put(c, 4), put(0, 4);
}

static size_t stat_size(size_t cpus)
{
    (void)cpus;
    return 0;
}

static void put_stat(size_t cpus)
{
    (void)cpus;
}

/* HEADER_NRCPUS, _CPUID, _EVENT_DESC, _CPU_TOPOLOGY, _STAT */
static const struct {
    unsigned bit;
    size_t (*size)(size_t cpus);
    void (*put)(size_t cpus);
} features[] = {{7, nrcpus_size, put_nrcpus},
                {9, cpuid_size, put_cpuid},
                {12, desc_size, put_desc},
                {13, topology_size, put_topology},
                {19, stat_size, put_stat}};

enum { FEATURES = sizeof(features) / sizeof(*features) };

/* Where each is, and then each; at: where this begins. */
static void put_features(size_t cpus, uint64_t at)
{
    at += FEATURES * SECTION;
    for (size_t i = 0; i < FEATURES; i++) {
        put(at, 8), put(features[i].size(cpus), 8);
        at += features[i].size(cpus);
    }
    for (size_t i = 0; i < FEATURES; i++)
        features[i].put(cpus);
}

/* ---- header, events and records ---- */

static void put_head(size_t cpus, uint64_t data_size)
{
    uint64_t ids = HEADER, attrs = ids + EVENTS * cpus * 8, data = attrs + EVENTS * (ATTR + SECTION), bits = 0;

    for (size_t i = 0; i < FEATURES; i++)
        bits |= UINT64_C(1) << features[i].bit;
    fwrite("PERFILE2", 1, 8, stdout);
    put(HEADER, 8), put(ATTR + SECTION, 8), put(attrs, 8), put(EVENTS * (ATTR + SECTION), 8), put(data, 8),
        put(data_size, 8), put(0, 8), put(0, 8);
    put(bits, 8), put(0, 8), put(0, 8), put(0, 8);
    for (size_t e = 0; e < EVENTS; e++)
        for (size_t c = 0; c < cpus; c++)
            put(counter_id(e, c), 8);
    for (size_t e = 0; e < EVENTS; e++) {
        put_attr(e);
        put(ids + e * cpus * 8, 8), put(cpus * 8, 8);
    }
}

static size_t cpu_map_size(size_t cpus)
{
    return (12 + 2 * cpus + 7) / 8 * 8;
}

/* The one thread "all", the CPUs, and how they are added up: without a map of the CPUs perf takes no count of any. */
static void put_maps(size_t cpus, bool apart)
{
    const size_t map = cpu_map_size(cpus);

    put_record(73, THREAD_MAP), put(1, 8), put(UINT64_MAX, 8), put(0, 8), put(0, 8);
    put_record(74, map), put(0, 2), put(cpus, 2); /* PERF_CPU_MAP__CPUS */
    for (size_t c = 0; c < cpus; c++)
        put(c, 2);
    put(0, map - 12 - 2 * cpus);
    /* aggr_mode, interval, scale */
    put_record(75, STAT_CONFIG), put(3, 8), put(0, 8), put(apart ? 0 : 1, 8), put(1, 8), put(100, 8), put(2, 8),
        put(1, 8);
}

/* Cumulative counts of each CPU. */
void generate_data(size_t cpus, bool apart, unsigned long long wanted)
{
    const uint64_t round = EVENTS * cpus * COUNT + ROUND, rounds = wanted / round + 1,
                   size = THREAD_MAP + cpu_map_size(cpus) + STAT_CONFIG + rounds * round;
    uint64_t *total = calloc(EVENTS * cpus, sizeof(*total)), running = 0, time = 0;
    struct unit_random random = {GENERATE_SEED};

    if (!total)
        exit(70);
    put_head(cpus, size);
    put_maps(cpus, apart);
    for (uint64_t r = 0; r < rounds; r++) {
        time += 100000000 + unit_random(&random) % 1000000;
        running += 850000000 + unit_random(&random) % 10000000;
        for (size_t c = 0; c < cpus; c++) {
            uint64_t slots = 10000000000 + unit_random(&random) % 1000000000;

            for (size_t e = 0; e < EVENTS; e++) {
                total[e * cpus + c] += slots / 1000 * generate_events[e].share + unit_random(&random) % 1000;
                put_record(76, COUNT), put(counter_id(e, c), 8), put(c, 4), put(0, 4);
                put(total[e * cpus + c], 8), put(running, 8), put(running, 8);
            }
        }
        put_record(77, ROUND), put(0, 8), put(time, 8);
    }
    put_features(cpus, HEADER + EVENTS * cpus * 8 + EVENTS * (ATTR + SECTION) + size);
    free(total);
}
