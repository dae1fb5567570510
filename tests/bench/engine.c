/* SPDX-License-Identifier: MIT */
/* Solves intervals of a row of 300 metrics on 6 levels over 200 events, with 500 copies in
 * 28 groups each: as many intervals as asked for, for whoever counts the instructions. */
#include "core/solve/solve.h"
#include "tests/support/synthetic.h"

#include <stdio.h>
#include <stdlib.h>

/* Other counts of the same copies. So many groups take turns: each is counted for its part of the time. */
static void next_interval(struct td_counts *k, unsigned long interval)
{
    for (size_t i = 0; i < k->n; i++) {
        k->c[i].value += (double)(i % 7);
        k->c[i].running = k->c[i].enabled / SYNTHETIC_GROUPS + (double)((k->c[i].group + interval) % 5);
    }
}

int main(int argc, char **argv)
{
    const struct td_solve_ask ask = {.level = TD_LEVELS, .smt_off = true, .whole_core = true};
    const unsigned long intervals = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    struct synthetic *s = synthetic_new(1);
    struct td_result result = {.nmetrics = 0};
    struct td_forms *forms = NULL;
    int err = !s || synthetic_count(s, true) ? -1 : td_forms_new(&s->uarch, &forms);

    for (unsigned long i = 0; i < intervals && !err; i++) {
        next_interval(&s->counts, i);
        err = td_solve(forms, &s->counts, &ask, &result);
    }
    if (err || !intervals || result.nmetrics != SYNTHETIC_METRICS)
        fputs("usage: engine INTERVALS\n", stderr);
    err = err || result.nmetrics != SYNTHETIC_METRICS;
    td_result_free(&result);
    td_forms_free(forms);
    synthetic_free(s);
    return err ? 64 : 0;
}
