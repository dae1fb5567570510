/* SPDX-License-Identifier: MIT */
/* Whether the two evaluators of formulas agree: over ranges and reasons, and over plain values. */
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H

#include "core/formula.h"

#include <math.h>
#include <stdlib.h>

static inline bool plain_same(const struct td_val *a, const struct td_plain *b)
{
    return a->state == b->state && (a->state > TD_VAL_OMITTED || a->r.value == b->value || (isnan(a->r.value) && isnan(b->value)));
}

/* cells: after td_program_run() of these definitions. */
static inline bool plain_agrees(const struct td_program *p, const uint32_t *order, size_t n, const struct td_val *cells)
{
    const size_t counts = td_def_cell(p, 0);
    struct td_plain *plain = calloc(td_program_cells(p), sizeof(*plain));
    bool same = plain != NULL;

    for (size_t i = 0; same && i < counts; i++)
        plain[i] = (struct td_plain){cells[i].r.value, cells[i].state};
    if (same) {
        td_program_prepare_plain(p, plain);
        td_program_run_plain(p, order, n, plain);
    }
    for (size_t i = 0; same && i < n; i++)
        same = plain_same(&cells[td_def_cell(p, order[i])], &plain[td_def_cell(p, order[i])]);
    free(plain);
    return same;
}

#endif
