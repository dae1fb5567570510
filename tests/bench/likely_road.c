/* SPDX-License-Identifier: MIT */
/* The table of likely bounds by the whole road: how often the truth was inside, how often
 * there were bounds, and how wide they were. Ends with 1 below 95 of 100. */
#include "tests/support/likely_road.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct {
        unsigned ms, intervals;
    } lengths[] = {{100, 1}, {400, 1}, {2000, 1}, {800, 10}, {4000, 40}};
    const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 250;
    uint64_t random = 20;
    int bad = 0;

    printf("level 1 of a Skylake with 4 counters that counts level 2 too; %lu runs: inside %%, given %%, half-width in points\n%-34s", runs, "");
    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++)
        printf("   %5u ms in %2u     ", lengths[l].ms, lengths[l].intervals);
    for (enum road_program p = 0; p < ROAD_PROGRAMS; p++) {
        printf("\n%-34s", road_names[p]);
        for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
            struct road_cell c = {0};

            for (unsigned long n = 0; n < runs; n++)
                if (road_run(p, lengths[l].ms, lengths[l].intervals, &random, &c))
                    return 2;
            printf("   %5.1f  %5.1f  %5.2f", 100.0 * (double)c.inside / (double)c.given, 100.0 * (double)c.given / (double)c.metrics,
                   100 * c.width / (double)c.given);
            /* the four shares of a run hang together */
            bad |= (double)c.inside < (0.95 - 3 * sqrt(0.95 * 0.05 / (double)(c.given / 4 + 1))) * (double)c.given;
        }
    }
    printf("\n%s\n", bad ? "TOO FEW INSIDE" : "never below 95 %");
    return bad;
}
