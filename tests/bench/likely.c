/* SPDX-License-Identifier: MIT */
/* The tables of likely bounds: how often the truth was inside, and how wide they were.
 * Ends with 1 if it was outside in more than 5 of 100 cases where that is promised. */
#include "core/bounds/likely.h"
#include "tests/support/likely_deep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 20;
static unsigned long runs = 1000;
static int bad;

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct likely_program resonant[] = {
    {"rhythm, 1/4 to 1/2 rotation", LIKELY_RHYTHM, 0.25, 0.5, 0, 0},
    {"rhythm, 1/2 to 1", LIKELY_RHYTHM, 0.5, 1, 0, 0},
    {"rhythm, 1 to 8", LIKELY_RHYTHM, 1, 8, 0, 0},
    {"rhythm, near 1/2: 5 % off", LIKELY_RHYTHM, 0.475, 0.525, 0, 0},
    {"rhythm, near 1/2: 0.2 % off", LIKELY_RHYTHM, 0.499, 0.501, 0, 0},
    {"rhythm, 1/2: locked", LIKELY_RHYTHM, 0.5, 0.5, 0, 0},
    {"rhythm, 1/2, each phase 10 % off", LIKELY_RHYTHM, 0.5, 0.5, 0.1, 0},
    {"rhythm, 1/2, each phase 30 % off", LIKELY_RHYTHM, 0.5, 0.5, 0.3, 0},
    {"rhythm, 1/4, each phase 10 % off", LIKELY_RHYTHM, 0.25, 0.25, 0.1, 0},
    {"rhythm, 1, each phase 10 % off", LIKELY_RHYTHM, 1, 1, 0.1, 0},
    {"rhythm, 1/6: locked to a third", LIKELY_RHYTHM, 1 / 6.0, 1 / 6.0, 0, 0},
    {"rhythm, 8: locked", LIKELY_RHYTHM, 8, 8, 0, 0},
};

static const double shares[] = {0.02, 0.1, 0.3, 0.5, 0.9};
static const struct {
    unsigned seen, turns;
} rotations[] = {{1, 10}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {9, 10}};

/* The least of the cells' shares inside, and the mean half-width of all. */
struct worst {
    double inside, width, given;
    unsigned cells;
};

static void worst_add(struct worst *w, const struct likely_cell *c)
{
    double inside = c->given ? 100.0 * (double)c->inside / (double)c->given : 100;

    w->inside = w->cells && w->inside < inside ? w->inside : inside;
    w->width += c->given ? 100 * c->width / (double)c->given : 0;
    w->given += 100.0 * (double)c->given / (double)c->runs;
    w->cells++;
}

/* 95 % give or take three standard deviations of that many runs. */
static void check(double inside)
{
    bad |= inside < 95 - 300 * sqrt(0.95 * 0.05 / (double)runs);
}

static void print_worst(const struct worst *w)
{
    printf(" %5.1f %5.2f", w->inside, w->width / w->cells);
}

static struct worst of_shares(struct likely_case c)
{
    struct worst w = {0};

    for (size_t i = 0; i < COUNT(shares); i++) {
        struct likely_cell cell = {0};

        c.share = shares[i];
        likely_run(&c, runs, &state, &cell);
        worst_add(&w, &cell);
    }
    return w;
}

static void heading(const char *first, double windows)
{
    printf("\n%-36s", first);
    for (size_t i = 0; i < COUNT(rotations); i++)
        printf("%9.0f %%", 100.0 * rotations[i].seen / rotations[i].turns);
    printf("   coverage; %.0f windows\n", windows);
}

static void table_windows(const struct likely_program *p, size_t n, double windows, int promised)
{
    heading("", windows);
    for (size_t i = 0; i < n; i++) {
        printf("%-36s", p[i].name);
        for (size_t r = 0; r < COUNT(rotations); r++) {
            struct likely_case c = {
                .program = &p[i],
                .formula = likely_formulas,
                .turns = rotations[r].turns,
                .seen = rotations[r].seen,
                .windows = windows,
                .intervals = 1,
            };
            struct worst w = of_shares(c);

            if (promised)
                check(w.inside);
            print_worst(&w);
        }
        printf("\n");
    }
}

static void table_intervals(size_t intervals, double windows, int witness, const struct likely_program *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct likely_case c = {
            .program = &p[i],
            .formula = likely_formulas,
            .turns = 4,
            .seen = 1,
            .windows = windows * (double)intervals,
            .intervals = intervals,
            .witness = witness,
        };
        struct worst w = of_shares(c);

        printf("%-36s %3zu x %3.0f windows", p[i].name, intervals, windows);
        print_worst(&w);
        printf("   given %5.1f %%\n", w.given / w.cells);
        if (p == likely_programs)
            check(w.inside);
    }
}

static void table_formulas(double windows, size_t intervals)
{
    static const struct likely_program *const of[] = {&likely_programs[1], &likely_programs[2], &likely_programs[6],
                                                      &likely_programs[8]};

    printf("\n%-36s", "formula");
    for (size_t i = 0; i < COUNT(of); i++)
        printf("  %-29.29s", of[i]->name);
    printf("   %.0f windows in %zu intervals: inside, half-width (twice the real error)\n", windows, intervals);
    for (size_t f = 0; f < likely_nformulas; f++) {
        printf("%-36s", likely_formulas[f].name);
        for (size_t i = 0; i < COUNT(of); i++) {
            struct likely_case c = {
                .program = of[i],
                .formula = &likely_formulas[f],
                .turns = 5,
                .seen = 1,
                .windows = windows,
                .intervals = intervals,
            };
            struct likely_cell cell = {0};

            likely_run(&c, runs, &state, &cell);
            check(100.0 * (double)cell.inside / (double)cell.given);
            printf("  %5.1f %5.2f (%5.2f)%10s", 100.0 * (double)cell.inside / (double)cell.given,
                   100 * cell.width / (double)cell.given, 200 * sqrt(cell.square / (double)cell.given), "");
        }
        printf("\n");
    }
}

static void table_others(void)
{
    static const struct {
        const char *name;
        struct likely_case c;
    } others[] = {
        {"64 CPUs in step", {.cpus = 64}},
        {"8 CPUs, each its own program", {.cpus = 8, .apart = true}},
        {"a state with a tenth of the slots", {.idle = 0.9}},
        {"a state with a tenth of the slots, 5 %", {.idle = 0.9, .share = 0.05}},
        {"a task that runs 1/4 window at a time", {.burst = 0.25}},
        {"a task that runs 2 windows at a time", {.burst = 2}},
        {"rotates every 1 ms, 4 ms assumed", {.slower = 0.25}},
        {"rotates every 10 ms, 4 ms assumed (no)", {.slower = 2.5}},
    };
    static const struct likely_program *const of[] = {&likely_programs[2], &likely_programs[5], &likely_programs[6],
                                                      &likely_programs[7]};

    printf("\n%-40s half the time, 200 windows\n", "");
    for (size_t i = 0; i < COUNT(others); i++) {
        printf("%-40s", others[i].name);
        for (size_t p = 0; p < COUNT(of); p++) {
            struct likely_case c = others[i].c;
            struct worst w;

            c.program = of[p], c.formula = likely_formulas, c.turns = 2, c.seen = 1, c.windows = 200, c.intervals = 1;
            w = of_shares(c);
            if (others[i].c.slower <= 1) /* of the last nothing is promised */
                check(w.inside);
            print_worst(&w);
        }
        printf("\n");
    }
}

static void print_errors(const struct likely_cell *c)
{
    double given = c->given ? (double)c->given : NAN;

    printf(" | %5.1f %5.2f %5.1f %5.2f %5.1f", 100 * c->astray / (double)c->counts, 100 * c->off / (double)c->runs,
           100 * (double)c->given / (double)c->runs, 100 * c->width / given, 100 * (double)c->inside / given);
}

static void add_cell(struct likely_cell *sum, const struct likely_cell *c)
{
    sum->runs += c->runs;
    sum->given += c->given;
    sum->inside += c->inside;
    sum->counts += c->counts;
    sum->width += c->width;
    sum->astray += c->astray;
    sum->off += c->off;
}

static const struct likely_formula *formula_of(const char *name)
{
    for (size_t f = 0; f < likely_nformulas; f++)
        if (!strcmp(likely_formulas[f].name, name))
            return &likely_formulas[f];
    abort();
}

/* More events than counters, in the terms that the literature uses: how far a scaled count is off, in per cent of the
 * true one. BayesPerf (arXiv 2102.10837) says 40.1 % of a kernel's scaling, and 7.6 % of its own estimates, in its
 * setting. */
static void table_literature(void)
{
    static const struct {
        const char *formula;
        unsigned turns;
    } cases[] = {
        {"skl memory_bound, 2 groups", 2},       {"icl core_bound, 3 groups", 3},
        {"skl core_bound, 4 groups", 4},         {"spr ports_utilization, 5 groups", 5},
        {"spr ports_utilization, 5 groups", 10},
    };
    static const double seconds[] = {0.1, 1, 10};

    printf(
        "\nmore events than counters, one reading of 0.1, 1 and 10 s: error of scaled counts in %% of the true ones, of the\n"
        "metric in points; of how many there are bounds, their half-width, and how many hold the truth, in %%\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct likely_cell all[COUNT(seconds)] = {{0}};

        for (size_t p = 0; p < likely_nprograms; p++) {
            printf("%-32s %2u groups, %-36s", cases[i].formula, cases[i].turns, likely_programs[p].name);
            for (size_t t = 0; t < COUNT(seconds); t++) {
                struct likely_case c = {
                    .program = &likely_programs[p],
                    .formula = formula_of(cases[i].formula),
                    .turns = cases[i].turns,
                    .seen = 1,
                    .windows = seconds[t] * 1e9 / TD_LIKELY_MUX_INTERVAL / cases[i].turns,
                    .intervals = 1,
                };
                struct likely_cell cell = {0};

                likely_run(&c, runs, &state, &cell);
                check(cell.given ? 100.0 * (double)cell.inside / (double)cell.given : 100);
                print_errors(&cell);
                add_cell(&all[t], &cell);
            }
            printf("\n");
        }
        printf("%-32s %2u groups, %-36s", cases[i].formula, cases[i].turns, "all");
        for (size_t t = 0; t < COUNT(seconds); t++)
            print_errors(&all[t]);
        printf("\n");
    }
}

/* Of the names that rest on a difference whose bounds exclude zero, and on 15 points, less than 5 of 100 are wrong. */
static void add_names(struct likely_cell *sum, const struct likely_cell *c)
{
    bad |= 20 * c->wrong > c->ahead || 20 * c->misled > c->clear;
    sum->ahead += c->ahead;
    sum->wrong += c->wrong;
    sum->clear += c->clear;
    sum->misled += c->misled;
}

static void print_names(const struct likely_cell *c)
{
    printf("named though bounds overlap: %lu, wrong %lu; 15 points ahead: %lu, wrong %lu\n", c->ahead, c->wrong,
           c->clear, c->misled);
}

static void table_restores(bool truncates)
{
    static const unsigned switches[] = {1, 2, 5, 10, 20, 40};
    struct likely_cell all = {0};

    printf("\nfields %s at each switch; switches:", truncates ? "truncated" : "rounded");
    for (size_t i = 0; i < COUNT(switches); i++)
        printf(" %u", switches[i]);
    printf("\n");
    for (size_t t = 0; t < likely_ntasks; t++) {
        printf("%-36s", likely_tasks[t].name);
        for (size_t i = 0; i < COUNT(switches); i++) {
            struct likely_cell cell = {0};

            likely_restore_run(&likely_tasks[t], switches[i], truncates, runs, &state, &cell);
            check(100.0 * (double)cell.inside / (double)cell.given);
            add_names(&all, &cell);
            printf(" %5.1f %5.2f (%4.2f)", 100.0 * (double)cell.inside / (double)cell.given,
                   100 * cell.width / (double)cell.given, 200 * sqrt(cell.square / (double)cell.given));
        }
        printf("\n");
    }
    print_names(&all);
}

/* More than TD_LIKELY_SUM_SWITCHES are not proven. */
static void table_off(enum likely_rounding rounding)
{
    struct likely_cell all = {0};
    static const unsigned switches[] = {20, 200, 1000, 5000};
    static const char *const names[] = {"to the nearest unit", "down", "by chance"};

    printf(
        "\nbounds by how far level 1 is off, of fields rounded %s; inside, half-width, of how many; switches: 20 200 1000 5000\n",
        names[rounding]);
    for (size_t t = 0; t < likely_ntasks; t++) {
        printf("%-36s", likely_tasks[t].name);
        for (size_t i = 0; i < COUNT(switches); i++) {
            struct likely_cell cell = {0};
            double inside;

            likely_off_run(&likely_tasks[t], switches[i], rounding, TD_LIKELY_SUM_LEAST, runs, &state, &cell);
            inside = cell.given ? 100.0 * (double)cell.inside / (double)cell.given : 100;
            if (switches[i] <=
                (rounding == LIKELY_NEAREST && likely_tasks[t].work == LIKELY_HALVES ? 200 : TD_LIKELY_SUM_SWITCHES)) {
                check(inside);
                add_names(&all, &cell);
            }
            printf(" %5.1f %5.2f of %5.1f %%", inside, cell.given ? 100 * cell.width / (double)cell.given : 0,
                   100.0 * (double)cell.given / (double)cell.runs);
        }
        printf("\n");
    }
    print_names(&all);
}

static void table_reads(bool truncates)
{
    static const double busy[] = {1, 0.9, 0.5};

    printf("\nfields %s, 5 switches in each of 20 intervals; busy at a read: 1, 0.9, 0.5\n",
           truncates ? "truncated" : "rounded");
    for (size_t t = 0; t < likely_ntasks; t++) {
        printf("%-36s", likely_tasks[t].name);
        for (size_t i = 0; i < COUNT(busy); i++) {
            struct likely_cell cell = {0};

            likely_reads_run(&likely_tasks[t], 5, truncates, busy[i], runs / 10, &state, &cell);
            check(100.0 * (double)cell.inside / (double)cell.given);
            printf(" %5.1f %5.2f (%4.2f) of %5.1f %%", 100.0 * (double)cell.inside / (double)cell.given,
                   100 * cell.width / (double)cell.given, 200 * sqrt(cell.square / (double)cell.given),
                   100.0 * (double)cell.given / (double)cell.runs);
        }
        printf("\n");
    }
}

/* All that is published for a CPU, its events in groups by chance. */
static void table_deep(const char *cpu, bool fixed, size_t intervals)
{
    static const struct likely_program *const of[] = {&likely_programs[1], &likely_programs[2], &likely_programs[6],
                                                      &likely_programs[8]};

    printf(
        "\n%s%s, 125 windows in %zu: inside, half-width (twice the real error), given; the metric that was inside least often\n",
        cpu, fixed ? " by PERF_METRICS" : "", intervals);
    for (size_t i = 0; i < COUNT(of); i++)
        for (size_t r = 0; r < COUNT(rotations); r++) {
            const struct likely_case c = {
                .program = of[i],
                .turns = rotations[r].turns,
                .seen = rotations[r].seen,
                .windows = 125,
                .intervals = intervals,
            };
            const struct likely_deep ask = {cpu, fixed, &c};
            struct likely_tally t = {0};

            bad |= likely_deep_run(&ask, (runs + 9) / 10, &state, &t) != 0;
            for (size_t class = 0; class < LIKELY_CLASSES; class ++) {
                const struct likely_cell *cell = &t.of[class];

                if (!cell->given)
                    continue;
                check(100.0 * (double)cell->inside / (double)cell->given);
                printf("%-34s %4.0f %% %-14s %5.1f %9.4g (%9.4g) %5.1f %%  %s %lu/%lu\n", of[i]->name,
                       100.0 * c.seen / c.turns, likely_class_names[class],
                       100.0 * (double)cell->inside / (double)cell->given, cell->width / (double)cell->given,
                       2 * sqrt(cell->square / (double)cell->given), 100.0 * (double)cell->given / (double)cell->runs,
                       t.worst[class].name, t.worst[class].inside, t.worst[class].given);
            }
        }
}

int main(int argc, char **argv)
{
    static const double windows[] = {8, 25, 125, 625};

    runs = argc > 1 ? strtoul(argv[1], NULL, 10) : runs;
    printf(
        "likely bounds: of %lu runs, how many had the truth inside (%%, the least of five shares), and the mean half-width in points\n",
        runs);
    for (size_t i = 0; i < COUNT(windows); i++)
        table_windows(likely_programs, likely_nprograms, windows[i], 1);
    table_others();
    printf("\nwith the spread of intervals, a quarter of the time\n");
    table_intervals(8, 8, 0, likely_programs, likely_nprograms);
    table_intervals(10, 62, 0, likely_programs, likely_nprograms);
    table_intervals(60, 62, 0, likely_programs, likely_nprograms);
    table_formulas(25, 1);
    table_formulas(300, 1);
    table_formulas(300, 12);
    table_literature();
    table_deep("skl", false, 1);
    table_deep("spr", false, 1);
    table_deep("spr", true, 1);
    table_deep("srf", false, 1);
    table_deep("spr", false, 12);
    table_deep("spr", true, 12);
    printf("\nresonance: not promised\n");
    table_windows(resonant, COUNT(resonant), 125, 0);
    printf("\nresonance, where two groups count instructions: refused, or given\n");
    table_intervals(30, 25, 1, resonant, COUNT(resonant));
    printf("\nthe same question where there is none\n");
    table_intervals(30, 25, 1, likely_programs, likely_nprograms);
    for (int rounding = LIKELY_NEAREST; rounding <= LIKELY_SCATTER; rounding++)
        table_off((enum likely_rounding)rounding);
    table_restores(true);
    table_restores(false);
    table_reads(true);
    table_reads(false);
    printf("%s\n", bad ? "TOO FEW INSIDE" : "all of what is promised");
    return bad;
}
