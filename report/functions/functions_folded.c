/* SPDX-License-Identifier: MIT */
/* Folded stacks, as tools for flame graphs read them: "main;f;g 1234", the slots of a path without what it calls. Where
 * these are nearly all slots of a path with an estimate, they are given by the nodes of level 1, each as a frame:
 * "main;f;g;[retiring] 234". */
#include "report/functions/functions_report.h"
#include "report/functions/functions_stacks.h"

#include <errno.h>
#include <math.h>

static const double nearly_all = 0.9;

static bool is_share(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && m->status == TD_OK;
}

static void put_line(struct td_output *o, const struct td_function *f, const char *node, double slots)
{
    const double whole = nearbyint(slots);

    if (whole < 1)
        return;
    if (f->of->core) {
        td_output_text(o, f->of->core);
        td_output_char(o, ';');
    }
    td_output_text(o, f->name);
    if (node)
        td_output_format(o, ";[%s]", node);
    td_output_format(o, " %.0f\n", whole);
}

static void put_stack(struct td_output *o, const struct td_stack *s)
{
    const struct td_function *f = s->function;
    double sum = 0;

    for (size_t i = 0; s->self >= nearly_all * f->slots && f->status == TD_PLACE_OK && i < f->of->metrics; i++)
        sum += is_share(f->of->metric[i]) ? f->of->metric[i]->value : 0;
    if (!(sum > 0)) {
        put_line(o, f, NULL, s->self);
        return;
    }
    for (size_t i = 0; i < f->of->metrics; i++)
        if (is_share(f->of->metric[i]))
            put_line(o, f, f->of->metric[i]->name, s->self * f->of->metric[i]->value / sum);
}

static void put(struct td_output *o, const struct td_functions_report *r)
{
    struct td_stacks all;

    if (td_stacks_of(r->functions, &all))
        o->error = -ENOMEM;
    for (size_t i = 0; i < all.n && !o->error; i++)
        put_stack(o, &all.stack[i]);
    td_stacks_free(&all);
}

const struct td_functions_format td_functions_folded = {.name = "folded", .stacks = true, .put = put};
