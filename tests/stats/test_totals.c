/* SPDX-License-Identifier: MIT */
/* What passed in an interval, by the names and values of its counts. */
#include "core/result.h"
#include "stats/series.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>

enum { COUNTS = 3 };

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* NAN for a value: it was not counted. */
struct row {
    const char *cpu;
    struct {
        const char *name;
        double value;
    } count[COUNTS];
    uint64_t duration;
    double total[TD_TOTALS]; /* slots, cycles, instructions, seconds; NAN: not known */
};

static void totals_of(const struct row *row, void (*of)(const struct td_result *, double *), double *total)
{
    struct td_count count[COUNTS] = {{0}};
    const char *text[COUNTS];
    struct td_counts counts = {.c = count};
    struct td_given given;
    const struct td_result r = {
        .cpu = row->cpu, .counts = &counts, .texts = text, .given = &given, .at.duration = row->duration};

    for (size_t i = 0; i < COUNTS && row->count[i].name; i++, counts.n++) {
        text[i] = row->count[i].name;
        count[i].text = (uint32_t)i;
        count[i].status = isnan(row->count[i].value) ? TD_NOT_COUNTED : TD_OK;
        count[i].value = row->count[i].value;
    }
    of(&r, total);
}

static void check(const struct row *row, size_t n, void (*of)(const struct td_result *, double *))
{
    for (size_t i = 0; i < n; i++) {
        double total[TD_TOTALS];
        bool same = true;

        totals_of(&row[i], of, total);
        for (size_t k = 0; k < TD_TOTALS; k++)
            same = same && (isnan(row[i].total[k]) ? isnan(total[k]) : total[k] == row[i].total[k]);
        if (!same)
            printf("\n    case %zu: %g, %g, %g, %g", i, total[0], total[1], total[2], total[3]);
        CU_ASSERT(same);
    }
}

/* Each of the names, however it is written; an event that has one of them as a part only is none of them. */
static void names(void)
{
    static const struct row rows[] = {
        {"spr", {{"slots", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"topdown.slots", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"TOPDOWN.SLOTS_P", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"topdown-total-slots", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"cycles", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"cpu-cycles", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"CPU_CLK_UNHALTED.THREAD", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"CPU_CLK_UNHALTED.THREAD_P", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"CPU_CLK_UNHALTED.CORE", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"CPU_CYCLES", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"ls_not_halted_cyc", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"instructions", 3}}, 0, {NAN, NAN, 3, NAN}},
        {"spr", {{"INST_RETIRED.ANY", 3}}, 0, {NAN, NAN, 3, NAN}},
        {"spr", {{"INST_RETIRED.ANY_P", 3}}, 0, {NAN, NAN, 3, NAN}},
        {"spr", {{"INST_RETIRED", 3}}, 0, {NAN, NAN, 3, NAN}},
        {"spr", {{"ex_ret_instr", 3}}, 0, {NAN, NAN, 3, NAN}},
        /* the whole core's, of which a thread has half */
        {"spr", {{"CPU_CLK_UNHALTED.THREAD_ANY", 3}}, 0, {NAN, 1.5, NAN, NAN}},
        {"spr", {{"CPU_CLK_UNHALTED.THREAD_P_ANY", 3}}, 0, {NAN, 1.5, NAN, NAN}},
        {"spr", {{"cpu_core/slots/u", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"cpu/SLOTS,cmask=1/", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"Slots:u", 3}}, 0, {3, NAN, NAN, NAN}},
        {"spr", {{"slot", 3}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{"slots_", 3}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{"xslots", 3}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{"slots/cycles/", 3}}, 0, {NAN, 3, NAN, NAN}},
        {"spr", {{"", 3}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{"cpu//", 3}}, 0, {NAN, NAN, NAN, NAN}},
    };

    check(rows, LENGTH(rows), td_totals_counted);
}

/* Of copies the first that was counted; a thread's own cycles before half of the core's. */
static void values(void)
{
    static const struct row rows[] = {
        {"spr", {{NULL, 0}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{NULL, 0}}, 250000000, {NAN, NAN, NAN, 0.25}},
        {"spr", {{"slots", NAN}, {"slots", 5}, {"SLOTS", 7}}, 1000000000, {5, NAN, NAN, 1}},
        {"spr", {{"slots", 5}, {"instructions", 11}, {"cycles", 7}}, 1, {5, 7, 11, 1e-9}},
        {"spr", {{"cpu_clk_unhalted.thread_any", 8}, {"cycles", 7}}, 0, {NAN, 7, NAN, NAN}},
        {"spr", {{"cycles", NAN}, {"cpu_clk_unhalted.thread_any", 8}, {"x", 1}}, 0, {NAN, 4, NAN, NAN}},
    };

    check(rows, LENGTH(rows), td_totals_counted);
}

/* Slots that were not counted are the cycles times the width, of the first of several CPUs. */
static void slots(void)
{
    static const struct row rows[] = {
        {"spr", {{"cycles", 10}}, 0, {60, 10, NAN, NAN}},
        {"skx", {{"cycles", 10}}, 0, {40, 10, NAN, NAN}},
        {"skx|spr", {{"cycles", 10}}, 0, {40, 10, NAN, NAN}},
        {"spr|skx", {{"cycles", 10}}, 0, {60, 10, NAN, NAN}},
        {"none", {{"cycles", 10}}, 0, {NAN, 10, NAN, NAN}},
        {"spr", {{"x", 10}}, 0, {NAN, NAN, NAN, NAN}},
        {"spr", {{"cycles", 10}, {"slots", 7}}, 0, {7, 10, NAN, NAN}},
    };

    check(rows, LENGTH(rows), td_totals_of);
}

static void texts(void)
{
    static const char *const wanted[TD_TOTALS] = {"slots", "cycles", "instructions", "time"};

    for (enum td_total i = TD_TOTAL_SLOTS; i < TD_TOTALS; i++)
        CU_ASSERT_STRING_EQUAL(td_total_name(i), wanted[i]);
}

static const CU_TestInfo tests[] = {
    {"names", names}, {"values", values}, {"slots", slots}, {"texts", texts}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("totals", tests);
