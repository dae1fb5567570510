/* SPDX-License-Identifier: MIT */
/* Compiled formulas over pairs of plain values: what evaluate.c gives, without ranges and without whom to
 * blame, at a fraction of the cost. A test holds that both give the same value. */
#include "core/formula/tape.h"

#include "core/formula/formula_code.h"
#include "util/room.h"

/* A value that no range surrounds. */
struct td_plain {
    double value;
    enum td_state state;
};

static bool failed(const struct td_plain *v)
{
    return v->state > TD_VAL_OMITTED;
}

static struct td_plain valued(double value)
{
    return (struct td_plain){value, TD_VAL_OK};
}

static struct td_plain reason(enum td_state state)
{
    return (struct td_plain){0, state};
}

/* The first that has no value, or this one. */
static inline struct td_plain unless_failed(const struct td_plain *a, const struct td_plain *b, double value)
{
    return failed(a) ? *a : failed(b) ? *b : valued(value);
}

/* A correction that was left out has the value 0. */
static inline struct td_plain sum(const struct td_plain *a, const struct td_plain *b, double sign)
{
    return b->state == TD_VAL_OMITTED ? *a : unless_failed(a, b, a->value + sign * b->value);
}

static inline struct td_plain product(const struct td_plain *a, const struct td_plain *b, double value)
{
    if (a->state == TD_VAL_OMITTED || b->state == TD_VAL_OMITTED)
        return reason(TD_VAL_OMITTED);
    return unless_failed(a, b, value);
}

static inline struct td_plain quotient(const struct td_plain *a, const struct td_plain *b)
{
    if (b->state == TD_VAL_OK && b->value == 0 && a->state == TD_VAL_OK)
        return reason(TD_VAL_ZERO_DIV);
    return product(a, b, a->value / b->value);
}

static struct td_plain share(const struct td_plain *x, const struct td_plain *rest)
{
    if (!failed(x) && !failed(rest) && x->value + rest->value == 0)
        return reason(TD_VAL_ZERO_DIV);
    return unless_failed(x, rest, x->value / (x->value + rest->value));
}

static struct td_plain either(const struct td_plain *x, const struct td_plain *y)
{
    const bool counted = x->state != TD_VAL_NOT_COUNTED && x->state != TD_VAL_NOT_SUPPORTED;

    return x->state == TD_VAL_MISSING || (!counted && y->state == TD_VAL_OK) ? *y : *x;
}

static struct td_plain when(const struct td_plain *a, const struct td_plain *b, const struct td_plain *x,
                            const struct td_plain *y)
{
    return failed(a) ? *a : failed(b) ? *b : a->value > b->value ? *x : *y;
}

static struct td_plain branch(const struct td_plain *c, const struct td_plain *x, const struct td_plain *y)
{
    return failed(c) ? *c : c->value != 0 ? *x : *y;
}

static struct td_plain part(const struct td_plain *share, const struct td_plain *x, const struct td_plain *y)
{
    if (failed(share))
        return *share;
    if (failed(x))
        return share->value < 1 && !failed(y) ? *y : *x;
    return share->value > 0 || failed(y) ? valued((2 - share->value) * x->value) : *y;
}

/* One operand may settle it, whatever the other one is: 0 for "and", 1 for "or". */
static struct td_plain logic(const struct td_plain *a, const struct td_plain *b, bool any)
{
    if (!failed(a) && (a->value != 0) == any)
        return *a;
    if (!failed(b) && (b->value != 0) == any)
        return *b;
    return unless_failed(a, b, any ? td_most(a->value, b->value) : td_least(a->value, b->value));
}

static struct td_plain max0(const struct td_plain *a)
{
    return failed(a) ? *a : valued(td_most(0, a->value));
}

static struct td_plain apply(enum td_opcode code, const struct td_plain x[TD_OP_ARGS])
{
    const struct td_plain *a = &x[0], *b = &x[1];

    switch (code) {
    case TD_OP_COPY:
    case TD_OP_PER_CPU: return *a;
    case TD_OP_ADD: return sum(a, b, 1);
    case TD_OP_SUB: return sum(a, b, -1);
    case TD_OP_MUL: return product(a, b, a->value * b->value);
    case TD_OP_DIV: return quotient(a, b);
    case TD_OP_MAX0: return max0(a);
    case TD_OP_MIN: return unless_failed(a, b, td_least(a->value, b->value));
    case TD_OP_MAX: return unless_failed(a, b, td_most(a->value, b->value));
    case TD_OP_IF: return branch(a, b, &x[2]);
    case TD_OP_GREATER: return unless_failed(a, b, a->value > b->value);
    case TD_OP_AT_LEAST: return unless_failed(a, b, a->value >= b->value);
    case TD_OP_AND: return logic(a, b, false);
    case TD_OP_OR: return logic(a, b, true);
    case TD_OP_HAS: return valued(a->state != TD_VAL_MISSING);
    case TD_OP_SHARE: return share(a, b);
    case TD_OP_WHEN: return when(a, b, &x[2], &x[3]);
    case TD_OP_EITHER: return either(a, b);
    case TD_OP_PART: return part(a, b, &x[2]);
    default: return reason(TD_VAL_WRONG_FORMULA);
    }
}

/* ---- both values of a pair ------------------------------------------------------------ */

static struct td_plain side_of(const struct td_sides *p, size_t side)
{
    return (struct td_plain){p->value[side], (enum td_state)p->state[side]};
}

/* One side after the other: whatever is not plain arithmetic. */
static struct td_sides apply_each(const struct td_tape_op *op, const struct td_sides *cells)
{
    struct td_sides out = {.value = {0}};

    for (size_t side = 0; side < 2; side++) {
        struct td_plain x[TD_OP_ARGS], v;

        for (size_t i = 0; i < TD_OP_ARGS; i++)
            x[i] = side_of(&cells[op->from[i]], side);
        v = apply((enum td_opcode)op->code, x);
        out.value[side] = v.value;
        out.state[side] = (uint8_t)v.state;
    }
    return out;
}

static inline bool all_ok(const struct td_sides *a, const struct td_sides *b)
{
    return !(a->state[0] | a->state[1] | b->state[0] | b->state[1]); /* TD_VAL_OK is 0 */
}

static inline struct td_sides paired(double first, double second)
{
    return (struct td_sides){.value = {first, second}};
}

static inline struct td_sides apply_both(const struct td_tape_op *op, const struct td_sides *cells)
{
    const struct td_sides *a = &cells[op->from[0]], *b = &cells[op->from[1]];

    if (!all_ok(a, b))
        return apply_each(op, cells);
    switch ((enum td_opcode)op->code) {
    case TD_OP_COPY:
    case TD_OP_PER_CPU:
    case TD_OP_EITHER: return *a;
    case TD_OP_ADD: return paired(a->value[0] + b->value[0], a->value[1] + b->value[1]);
    case TD_OP_SUB: return paired(a->value[0] - b->value[0], a->value[1] - b->value[1]);
    case TD_OP_MUL: return paired(a->value[0] * b->value[0], a->value[1] * b->value[1]);
    case TD_OP_DIV:
        if (b->value[0] == 0 || b->value[1] == 0)
            return apply_each(op, cells);
        return paired(a->value[0] / b->value[0], a->value[1] / b->value[1]);
    case TD_OP_MIN: return paired(td_least(a->value[0], b->value[0]), td_least(a->value[1], b->value[1]));
    case TD_OP_MAX: return paired(td_most(a->value[0], b->value[0]), td_most(a->value[1], b->value[1]));
    case TD_OP_MAX0: return paired(td_most(0, a->value[0]), td_most(0, a->value[1]));
    default: return apply_each(op, cells);
    }
}

void td_tape_run(const struct td_tape *t, const uint32_t *ops, size_t n, struct td_sides *cells)
{
    for (size_t i = 0; i < n; i++)
        cells[ops[i]] = apply_both(&t->op[ops[i]], cells);
}

void td_tape_load(const struct td_tape *t, const struct td_val *from, struct td_sides *cells)
{
    for (size_t i = 0; i < t->nleaves; i++) {
        const struct td_val *v = &from[t->leaf[i]];

        cells[t->nops + i] = (struct td_sides){{v->r.value, v->r.value}, {(uint8_t)v->state, (uint8_t)v->state}};
    }
    for (size_t i = 0; i < t->nops; i++)
        cells[i] = apply_both(&t->op[i], cells);
}

/* ---- making one ------------------------------------------------------------------------ */

/* The tape's cell that a cell of the program stands for when it is read: a new leaf if nothing wrote it. */
static uint32_t cell_of(struct td_tape *t, uint32_t cell, uint32_t *at)
{
    if (at[cell] == UINT32_MAX) {
        at[cell] = (uint32_t)(t->nops + t->nleaves);
        t->leaf[t->nleaves++] = cell;
    }
    return at[cell];
}

static void put_op(struct td_tape *t, size_t i, const struct td_op *op, uint32_t *at)
{
    const size_t n = td_op_operands(op->code);
    struct td_tape_op *to = &t->op[i];

    *to = (struct td_tape_op){.code = op->code};
    for (size_t o = 0; o < n; o++)
        to->from[o] = cell_of(t, op->from[o], at);
    for (size_t o = n; o < TD_OP_ARGS; o++)
        to->from[o] = to->from[0];
    at[op->to] = (uint32_t)i;
}

static size_t count_ops(const struct td_program *p, const uint32_t *defs, size_t n)
{
    size_t ops = 0;

    for (size_t i = 0; i < n; i++)
        ops += p->defs[defs[i]]->end - p->defs[defs[i]]->start;
    return ops;
}

static int make_room(struct td_tape *t, size_t nresults)
{
    int err = td_room(&t->op, &t->ops_room, t->nops, sizeof(*t->op));

    err = err ? err : td_room(&t->leaf, &t->leaves_room, t->nops * TD_OP_ARGS, sizeof(*t->leaf));
    return err ? err : td_room(&t->result, &t->results_room, nresults, sizeof(*t->result));
}

int td_tape_make(struct td_tape *t, const struct td_program *p, const uint32_t *defs, size_t n, const size_t *results,
                 size_t nresults)
{
    uint32_t *at = malloc(p->ncells * sizeof(*at));
    size_t i = 0;
    int err;

    t->nops = count_ops(p, defs, n);
    t->nleaves = 0;
    err = at ? make_room(t, nresults) : -ENOMEM;
    if (!err)
        memset(at, 0xff, p->ncells * sizeof(*at));
    for (size_t d = 0; d < n && !err; d++)
        for (size_t op = p->defs[defs[d]]->start; op < p->defs[defs[d]]->end; op++)
            put_op(t, i++, &p->ops[op], at);
    for (size_t r = 0; r < nresults && !err; r++)
        t->result[r] = at[results[r]];
    free(at);
    return err;
}

size_t td_tape_follow(const struct td_tape *t, bool *moved, uint32_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < t->nops; i++) {
        const uint32_t *from = t->op[i].from;

        moved[i] = td_op_operands((enum td_opcode)t->op[i].code) &&
                   (moved[from[0]] || moved[from[1]] || moved[from[2]] || moved[from[3]]);
        if (moved[i])
            out[n++] = (uint32_t)i;
    }
    return n;
}

void td_tape_free(struct td_tape *t)
{
    free(t->op);
    free(t->leaf);
    free(t->result);
    *t = (struct td_tape){0};
}
