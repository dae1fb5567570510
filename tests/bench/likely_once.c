/* SPDX-License-Identifier: MIT */
/* The table of likely bounds of one reading: by way and family, how often the truth was inside, how wide the bounds
 * were, how often a node was named, and how often another one led. Ends with 1 below 95 of 100, or where more than 1 of
 * 100 names is wrong. */
#include "tests/support/likely_once.h"

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
    return all ? 100.0 * (double)part / (double)all : 0;
}

/* The shares of a reading hang together; given 4 of each, three standard deviations for that number. */
static bool holds(const struct once_cell *c)
{
    const double n = (double)(c->given / 4 + 1), names = (double)c->named;

    return !c->broken && (double)c->inside >= (0.95 - 3 * sqrt(0.95 * 0.05 / n)) * (double)c->given &&
           (double)c->wrong <= 0.01 * names + 3 * sqrt(0.01 * names);
}

static void put(struct table *t, const char *what, const struct once_cell *c)
{
    printf("  %-34s %8lu %7.1f", what, c->readings, percent(c->given, c->shares));
    if (c->given)
        printf(" %7.1f %6.1f %6.1f", percent(c->inside, c->given), 100 * c->width / (double)c->given,
               200 * sqrt(c->square / (double)c->given));
    else
        printf(" %7s %6s %6s", "-", "-", "-");
    printf(" %7.1f %6.2f\n", percent(c->named, c->readings), percent(c->wrong, c->named));
    fflush(stdout);
    t->bad = t->bad || !holds(c);
}

static void run(struct table *t, enum once_way way, size_t family, const struct likely_program *p, struct once_cell *c)
{
    if (once_run(way, &once_families[family], p, &t->random, c))
        exit(2);
}

static void put_ways(struct table *t)
{
    for (enum once_way way = 0; way < ONCE_WAYS; way++) {
        puts(once_way_names[way]);
        for (size_t f = 0; f < once_nfamilies; f++) {
            struct once_cell c = {0};

            for (unsigned long n = 0; n < t->runs; n++)
                run(t, way, f, NULL, &c);
            put(t, once_families[f].name, &c);
        }
    }
}

/* Ways and families together. */
static void put_programs(struct table *t)
{
    puts("all of these, each program as hard as it can be");
    for (size_t p = 0; p < likely_nprograms; p++) {
        struct once_cell c = {0};

        for (unsigned long n = 0; n < t->runs; n++)
            run(t, (enum once_way)(n % ONCE_WAYS), n / ONCE_WAYS % once_nfamilies, &likely_programs[p], &c);
        put(t, likely_programs[p].name, &c);
    }
}

int main(int argc, char **argv)
{
    struct table t = {.runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, .random = 20};

    printf(
        "one reading, as perf prints it: %lu recordings each, 0.1 to 60 s, 1 to 64 CPUs, 2 to 8 groups, 20 to 100 %% of the time\n"
        "%-36s %8s %7s %7s %6s %6s %7s %6s\n%-36s %8s %7s %7s %6s %6s %7s %6s\n",
        t.runs, "", "", "given", "inside", "half", "twice", "named", "wrong", "", "readings", "%", "%", "width",
        "error", "%", "%");
    put_ways(&t);
    put_programs(&t);
    puts(t.bad ? "TOO FEW INSIDE, OR WRONG NAMES" : "never below 95 %, nor more than 1 % wrong");
    return t.bad;
}
