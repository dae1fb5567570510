/* SPDX-License-Identifier: MIT */
/* How much passed: slots, cycles, instructions and time, from the counts of a result. */
#include "stats/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A total, or a thread's part of the core's clock, which both siblings count whole. */
enum counted { SHARED_CYCLES = TD_TOTALS, NOTHING };

/* The names that perf and the vendors' tools give these events, in lower case. */
static const struct {
    unsigned of; /* enum td_total or enum counted */
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
    {SHARED_CYCLES, "cpu_clk_unhalted.thread_any"},
    {SHARED_CYCLES, "cpu_clk_unhalted.thread_p_any"},
};

const char *td_total_name(enum td_total total)
{
    static const char *const name[TD_TOTALS] = {"slots", "cycles", "instructions", "time"};

    return name[total];
}

/* What an event counts, by its own name: "slots" for "cpu_core/slots/u" and for "SLOTS:u". */
static unsigned counts_of(const char *event)
{
    const char *slash = strchr(event, '/'), *own = slash ? slash + 1 : event;
    const size_t n = strcspn(own, "/:,");

    for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
        if (!strncasecmp(own, events[i].name, n) && !events[i].name[n])
            return events[i].of;
    return NOTHING;
}

void td_totals_counted(const struct td_result *r, double total[TD_TOTALS])
{
    double value[NOTHING];
    uint64_t ns;

    for (size_t i = 0; i < NOTHING; i++)
        value[i] = (double)NAN;
    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count count = *td_result_count(r, i);
        const unsigned of = count.status == TD_OK ? counts_of(count.event) : NOTHING;

        if (of != NOTHING && isnan(value[of])) /* copies in other groups count the same */
            value[of] = count.value;
    }
    memcpy(total, value, TD_TOTALS * sizeof(*total));
    if (isnan(total[TD_TOTAL_CYCLES])) /* half of the core's, as the formulas take it */
        total[TD_TOTAL_CYCLES] = value[SHARED_CYCLES] / 2;
    if (td_result_duration(r, &ns))
        total[TD_TOTAL_TIME] = (double)ns / 1e9;
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
    td_totals_counted(r, total);
    if (isnan(total[TD_TOTAL_SLOTS]) && !isnan(total[TD_TOTAL_CYCLES]))
        total[TD_TOTAL_SLOTS] = slots_in(td_result_cpu(r), total[TD_TOTAL_CYCLES]);
}
