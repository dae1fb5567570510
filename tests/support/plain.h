/* SPDX-License-Identifier: MIT */
/* Whether the two evaluators of formulas agree: over ranges and reasons, and over plain values. */
#ifndef TESTS_PLAIN_H
#define TESTS_PLAIN_H

#include "core/formula/tape.h"

#include <math.h>
#include <stdlib.h>

static inline bool plain_same(const struct td_val *a, const struct td_sides *b, size_t side)
{
    return a->state == (enum td_state)b->state[side] &&
           (a->state > TD_VAL_OMITTED || a->r.value == b->value[side] || (isnan(a->r.value) && isnan(b->value[side])));
}

/* cells: after td_program_run() of these definitions. */
static inline bool plain_agrees(const struct td_program *p, const uint32_t *order, size_t n, const struct td_val *cells)
{
    size_t *result = malloc((n + 1) * sizeof(*result));
    struct td_sides *pair = NULL;
    struct td_tape t = {0};
    bool same = result != NULL;

    for (size_t i = 0; same && i < n; i++)
        result[i] = td_def_cell(p, order[i]);
    same = same && !td_tape_make(&t, p, order, n, result, n);
    pair = same ? calloc(td_tape_cells(&t) + 1, sizeof(*pair)) : NULL;
    if (pair)
        td_tape_load(&t, cells, pair);
    for (size_t i = 0; pair && same && i < n; i++)
        same = plain_same(&cells[result[i]], &pair[t.result[i]], 0) &&
               plain_same(&cells[result[i]], &pair[t.result[i]], 1);
    same = same && pair;
    td_tape_free(&t);
    free(pair);
    free(result);
    return same;
}

#endif
