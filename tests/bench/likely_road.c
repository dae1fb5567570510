/* SPDX-License-Identifier: MIT */
/* The tables of likely bounds by the whole road: how often the truth was inside, how often
 * there were bounds, and how wide they were; for rhythms that may keep step with the rotation too, and for tasks by
 * PERF_METRICS. Ends with 1 below 95 of 100, except for rhythms of which one interval was recorded: nothing shows them.
 */
#include "tests/support/likely_road.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
    unsigned long runs;
    uint64_t random;
    bool bad;
};

static double percent(unsigned long part, unsigned long all)
{
    return 100.0 * (double)part / (double)all;
}

/* proven: less than 95 of 100 is an error. The four shares of a run hang together. */
static void put_cell(struct table *t, const struct road_cell *c, bool proven)
{
    if (c->given)
        printf("   %5.1f  %5.1f  %5.2f", percent(c->inside, c->given), percent(c->given, c->metrics),
               100 * c->width / (double)c->given);
    else
        printf("   %5s  %5.1f  %5s", "-", 0.0, "-");
    t->bad = t->bad || (proven && (double)c->inside <
                                      (0.95 - 3 * sqrt(0.95 * 0.05 / (double)(c->given / 4 + 1))) * (double)c->given);
}

static void check(int err)
{
    if (err)
        exit(2);
}

static void put_programs(struct table *t)
{
    static const struct {
        unsigned ms, intervals;
    } lengths[] = {{100, 1}, {400, 1}, {2000, 1}, {800, 10}, {4000, 40}};

    printf(
        "level 1 of a Skylake with 4 counters that counts level 2 too; %lu runs: inside %%, given %%, half-width in points\n%-34s",
        t->runs, "");
    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++)
        printf("   %5u ms in %2u     ", lengths[l].ms, lengths[l].intervals);
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++) {
        printf("\n%-34s", road_names[p]);
        for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
            struct road_cell c = {0};

            for (unsigned long n = 0; n < t->runs; n++)
                check(road_run(p, lengths[l].ms, lengths[l].intervals, &t->random, &c));
            put_cell(t, &c, true);
        }
    }
    puts("");
}

static void put_rhythms(struct table *t)
{
    static const unsigned phases[] = {2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64, 200}, intervals[] = {1, 10, 40};

    printf("the same for 1600 ms of two phases in turn, where a rotation is %u ms\n%-34s", (unsigned)ROAD_ROTATION,
           "each phase");
    for (size_t k = 0; k < sizeof(intervals) / sizeof(*intervals); k++)
        printf("   in %2u             ", intervals[k]);
    for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++) {
        printf("\n%3u ms%-28s", phases[i], "");
        for (size_t k = 0; k < sizeof(intervals) / sizeof(*intervals); k++) {
            struct road_cell c = {0};

            for (unsigned long n = 0; n < t->runs; n++)
                check(road_rhythm(phases[i], 1600, intervals[k], &t->random, &c));
            put_cell(t, &c,
                     intervals[k] > 1 || (phases[i] * 4 < ROAD_ROTATION && phases[i] != ROAD_WINDOW) ||
                         phases[i] > 8 * ROAD_ROTATION);
        }
    }
    puts("");
}

static void put_restores(struct table *t)
{
    static const char *const roundings[] = {"truncate", "nearest", "scatter"};

    printf("level 1 of a Sapphire Rapids' task by PERF_METRICS, switched every 10 ms, for 200 ms\n%-34s",
           "how fields are made");
    for (size_t i = 0; i < sizeof(roundings) / sizeof(*roundings); i++)
        printf("   %-19s", roundings[i]);
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++) {
        printf("\n%-34s", road_names[p]);
        for (size_t i = 0; i < sizeof(roundings) / sizeof(*roundings); i++) {
            struct road_cell c = {0};

            for (unsigned long n = 0; n < t->runs; n++)
                check(road_task(p, roundings[i], 200, &t->random, &c));
            put_cell(t, &c, true);
        }
    }
    puts("");
}

int main(int argc, char **argv)
{
    struct table t = {.runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 250, .random = 20};

    put_programs(&t);
    put_rhythms(&t);
    put_restores(&t);
    puts(t.bad ? "TOO FEW INSIDE" : "never below 95 %");
    return t.bad;
}
