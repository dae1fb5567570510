/* SPDX-License-Identifier: MIT */
/* The operations that definitions are made of, each with a cell of its own, so that those which follow
 * from a few changed counts can be done again alone; on two sets of counts at a time. With all metrics of Sapphire
 * Rapids and three groups that take turns, it takes 119,000 instructions an interval to see what moves each metric;
 * evaluate.c, which cannot leave out what did not move and follows ranges, would take 308,000. */
#ifndef TD_TAPE_H
#define TD_TAPE_H

#include "core/formula/formula.h"

enum { TD_TAPE_ARGS = 4 };

struct td_tape_op {
    uint32_t code; /* enum td_opcode */
    uint32_t from[TD_TAPE_ARGS]; /* cells of the tape; what an operation does not take repeats the first */
};

/* Cells: first the results of the operations, in order, then the leaves. Zeroed to begin with. */
struct td_tape {
    struct td_tape_op *op;
    uint32_t *leaf; /* the program's cell of each: counts, inputs, constants */
    uint32_t *result; /* the cells that were asked for; UINT32_MAX: no operation or leaf has it */
    size_t nops, nleaves, ops_room, leaves_room, results_room;
};

/* Two values, without ranges and without whom to blame. */
struct td_sides {
    double value[2];
    uint8_t state[2]; /* enum td_state */
};

/* The tape of compiled definitions, in the order of td_program_order(), which hold all that they are made of.
 * results: cells of the program whose cells of the tape are wanted. -ENOMEM. */
int td_tape_make(struct td_tape *, const struct td_program *, const uint32_t *defs, size_t n, const size_t *results,
                 size_t nresults);
static inline size_t td_tape_cells(const struct td_tape *t)
{
    return t->nops + t->nleaves;
}
/* Takes the leaves from the program's cells, the same on both sides, and does all operations. */
void td_tape_load(const struct td_tape *, const struct td_val *from, struct td_sides *cells);
/* Which operations follow from leaves that moved. moved: by cell, in for leaves, out for operations.
 * out: room for all of them; returns how many. */
size_t td_tape_follow(const struct td_tape *, bool *moved, uint32_t *out);
/* Does some of the operations again. */
void td_tape_run(const struct td_tape *, const uint32_t *ops, size_t n, struct td_sides *cells);
void td_tape_free(struct td_tape *);

#endif
