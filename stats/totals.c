/* SPDX-License-Identifier: MIT */
/* How much passed: slots, cycles, instructions and time, from the counts of a result. */
#include "stats/series.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The names that perf and the vendors' tools give these events, in lower case. */
static const struct {
    enum td_total total;
    const char *name;
} events[] = {
    {TD_TOTAL_SLOTS, "slots"},
    {TD_TOTAL_SLOTS, "topdown.slots"},
    {TD_TOTAL_SLOTS, "topdown.slots_p"},
    {TD_TOTAL_SLOTS, "topdown-total-slots"},
    {TD_TOTAL_CYCLES, "cycles"},
    {TD_TOTAL_CYCLES, "cpu-cycles"},
    {TD_TOTAL_CYCLES, "cpu_clk_unhalted.thread"},
    {TD_TOTAL_CYCLES, "cpu_clk_unhalted.thread_p"},
    {TD_TOTAL_CYCLES, "cpu_clk_unhalted.core"},
    {TD_TOTAL_CYCLES, "cpu_cycles"},
    {TD_TOTAL_CYCLES, "ls_not_halted_cyc"},
    {TD_TOTAL_INSTRUCTIONS, "instructions"},
    {TD_TOTAL_INSTRUCTIONS, "inst_retired.any"},
    {TD_TOTAL_INSTRUCTIONS, "inst_retired.any_p"},
    {TD_TOTAL_INSTRUCTIONS, "inst_retired"},
    {TD_TOTAL_INSTRUCTIONS, "ex_ret_instr"},
};

const char *td_total_name(enum td_total total)
{
    static const char *const name[TD_TOTALS] = {"slots", "cycles", "instructions", "time"};

    return name[total];
}

/* Writes an event's own name to out: "slots" for "cpu_core/slots/u" and for "SLOTS:u". */
static void plain_name(const char *event, char *out, size_t size)
{
    const char *slash = strchr(event, '/');
    size_t n = 0;

    for (const char *at = slash ? slash + 1 : event; *at && !strchr("/:,", *at) && n + 1 < size; at++)
        out[n++] = (char)tolower((unsigned char)*at);
    out[n] = '\0';
}

/* Which total an event counts; TD_TOTALS: none. */
static enum td_total total_of(const char *event)
{
    char name[64];

    plain_name(event, name, sizeof(name));
    for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
        if (!strcmp(name, events[i].name))
            return events[i].total;
    return TD_TOTALS;
}

/* A thread's part of the core's clock, which both siblings count whole, as the formulas take it: half of it. It is told
 * where the thread's own clock was not counted. NAN: nor was the core's. */
static double shared_cycles(const struct td_result *r)
{
    char name[64];

    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count count = *td_result_count(r, i);

        plain_name(count.event, name, sizeof(name));
        if (count.status == TD_OK &&
            (!strcmp(name, "cpu_clk_unhalted.thread_any") || !strcmp(name, "cpu_clk_unhalted.thread_p_any")))
            return count.value / 2;
    }
    return (double)NAN;
}

/* By the width of the first of the CPUs "spr|emr"; NAN: not known. */
static double slots_in(const char *cpus, double cycles)
{
    const struct td_uarch *cpu;
    char name[64];
    int width;

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(cpus, "|"), cpus);
    cpu = td_uarch_by_name(name);
    width = cpu ? td_uarch_width(cpu) : 0;
    return width ? width * cycles : (double)NAN;
}

void td_totals_of(const struct td_result *r, double total[TD_TOTALS])
{
    uint64_t ns;

    for (enum td_total i = 0; i < TD_TOTALS; i++)
        total[i] = (double)NAN;
    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count count = *td_result_count(r, i);
        const enum td_total of = count.status == TD_OK ? total_of(count.event) : TD_TOTALS;

        if (of != TD_TOTALS && isnan(total[of])) /* copies in other groups count the same */
            total[of] = count.value;
    }
    if (isnan(total[TD_TOTAL_CYCLES]))
        total[TD_TOTAL_CYCLES] = shared_cycles(r);
    if (isnan(total[TD_TOTAL_SLOTS]) && !isnan(total[TD_TOTAL_CYCLES]))
        total[TD_TOTAL_SLOTS] = slots_in(td_result_cpu(r), total[TD_TOTAL_CYCLES]);
    if (td_result_duration(r, &ns))
        total[TD_TOTAL_TIME] = (double)ns / 1e9;
}
