/* SPDX-License-Identifier: MIT */
/* For the examples in C: metrics as lines of text. */
#ifndef EXAMPLES_PRINT_H
#define EXAMPLES_PRINT_H

#include <math.h>
#include <stdio.h>
#include <tdprobe.h>

/* A td_note_fn: what is to be known besides errors. */
static void print_note(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "note: %s\n", text);
}

static void print_metrics(const struct td_result *r)
{
    const struct td_verdict *v = td_result_verdict(r);

    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);
        const int indent = 2 * m->level;

        if (m->status == TD_NOT_ON_THIS_CPU || m->status == TD_NOT_IN_THIS_FORMULA)
            continue;
        printf("%*s%-*s", indent, "", 24 - indent, m->name);
        if (m->status != TD_OK)
            printf("- %s%s%s\n", td_status_name(m->status), m->event ? ":" : "", m->event ? m->event : "");
        else if (isnan(m->low))
            printf("%6.2f %% of %s, no bounds\n", 100 * m->value, m->unit);
        else
            printf("%6.2f %% of %s, %.2f .. %.2f\n", 100 * m->value, m->unit, 100 * m->low, 100 * m->high);
    }
    if (v->node)
        printf("  => limited by %s\n", v->node->name);
    else if (v->namong)
        printf("  => undecided\n");
}

#endif
