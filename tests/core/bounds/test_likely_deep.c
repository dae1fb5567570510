/* SPDX-License-Identifier: MIT */
/* Likely bounds of all that is published for a CPU, on all levels: programs whose events are in groups
 * by chance, solved by the engine. The truth must be inside in at least 95 of 100 cases, of each
 * metric. All tables: tests/bench/likely.c. */
#include "tests/support/likely_deep.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

static const struct likely_program steady = {"steady", LIKELY_STEADY, 0, 0, 0, 0.2};
static const struct likely_program all_or_nothing = {"all or nothing in each window", LIKELY_WINDOWS, 0, 0, 0, 0};
static const struct likely_program phases = {"phases of 1/4 to 8", LIKELY_RANDOM, 0.25, 8, 0, 0};
static const struct likely_program long_phases = {"phases of 8 to 100", LIKELY_RANDOM, 8, 100, 0, 0};

/* 95 of 100, less three standard deviations for that number. */
static bool is_enough(unsigned long inside, unsigned long given)
{
    return (double)inside >= 0.95 * (double)given - 3 * sqrt(0.95 * 0.05 * (double)given);
}

static struct likely_tally simulate(const char *cpu, bool fixed, struct likely_case c, unsigned long runs,
                                    uint64_t seed)
{
    const struct likely_deep ask = {cpu, fixed, &c};
    struct likely_tally t = {.worst = {{.given = 0}}};

    CU_ASSERT_EQUAL_FATAL(likely_deep_run(&ask, unit_long_rounds(runs), &seed, &t), 0);
    for (size_t i = 0; i < LIKELY_CLASSES; i++) {
        const struct likely_worst *w = &t.worst[i];
        const bool good = is_enough(w->inside, w->given) && is_enough(t.of[i].inside, t.of[i].given);

        if (!good)
            printf("\n    %s, %s, %u of %u, %s: inside %lu of %lu, %s %lu of %lu", cpu, c.program->name, c.seen,
                   c.turns, likely_class_names[i], t.of[i].inside, t.of[i].given, w->name, w->inside, w->given);
        CU_ASSERT(good);
    }
    return t;
}

/* Shares have bounds by the windows alone, other metrics do not. */
static void one_interval(void)
{
    static const struct {
        const char *cpu;
        bool fixed;
    } of[] = {{"skl", false}, {"spr", false}, {"spr", true}, {"gnr", false}, {"lnl-p", true}, {"srf", false}};
    static const struct likely_case cases[] = {
        {.program = &steady, .turns = 10, .seen = 1, .windows = 25, .intervals = 1},
        {.program = &all_or_nothing, .turns = 2, .seen = 1, .windows = 125, .intervals = 1},
        {.program = &all_or_nothing, .turns = 10, .seen = 9, .windows = 125, .intervals = 1},
        {.program = &phases, .turns = 4, .seen = 1, .windows = 60, .intervals = 1},
        {.program = &long_phases, .turns = 4, .seen = 3, .windows = 60, .intervals = 1},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
            const struct likely_tally t = simulate(of[i].cpu, of[i].fixed, cases[k], 1000, 700 + 10 * i + k);

            CU_ASSERT(t.of[LIKELY_SLOTS].given > 0);
            CU_ASSERT_EQUAL(t.of[LIKELY_QUANTITIES].given, 0);
            /* of the rest, the register was written back too often, or a latency is the published mean */
            if (!of[i].fixed)
                CU_ASSERT(t.of[LIKELY_CYCLES].given >= 3 * t.of[LIKELY_CYCLES].runs / 4);
        }
}

/* With 12, all metrics have. */
static void intervals(void)
{
    static const char *const of[] = {"skl", "spr", "srf"};
    static const struct likely_program *const programs[] = {&steady, &all_or_nothing, &phases};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        for (size_t k = 0; k < sizeof(programs) / sizeof(*programs); k++) {
            const struct likely_case c = {
                .program = programs[k], .turns = 5, .seen = 1, .windows = 300, .intervals = 12};
            const struct likely_tally t = simulate(of[i], false, c, 100, 800 + 10 * i + k);

            CU_ASSERT(t.of[LIKELY_QUANTITIES].given >= 9 * t.of[LIKELY_QUANTITIES].runs / 10);
        }
}

static const CU_TestInfo tests[] = {
    {"one interval", one_interval},
    {"the sum of twelve", intervals},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of all levels", tests);
