/* SPDX-License-Identifier: MIT */
/* A compiled formula over plain values: what evaluate.c gives, without ranges and without whom to
 * blame, at a fraction of the cost. A test holds that both give the same value. */
#include "core/formula_code.h"

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

/* A correction that was left out is 0 in a sum. */
static inline struct td_plain sum(const struct td_plain *a, const struct td_plain *b, double sign)
{
    if (b->state == TD_VAL_OMITTED)
        return *a;
    return unless_failed(a, b, (a->state == TD_VAL_OMITTED ? 0 : a->value) + sign * b->value);
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

static struct td_plain when(const struct td_plain *a, const struct td_plain *b, const struct td_plain *x, const struct td_plain *y)
{
    return failed(a) ? *a : failed(b) ? *b : a->value > b->value ? *x : *y;
}

static struct td_plain branch(const struct td_plain *c, const struct td_plain *x, const struct td_plain *y)
{
    return failed(c) ? *c : c->value != 0 ? *x : *y;
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

static inline struct td_plain apply(const struct td_op *op, const struct td_plain *plain)
{
    const struct td_plain *a = &plain[op->from[0]], *b = &plain[op->from[1]];

    switch (op->code) {
    case TD_OP_COPY:
    case TD_OP_PER_CPU:
        return *a;
    case TD_OP_ADD:
        return sum(a, b, 1);
    case TD_OP_SUB:
        return sum(a, b, -1);
    case TD_OP_MUL:
        return product(a, b, a->value * b->value);
    case TD_OP_DIV:
        return quotient(a, b);
    case TD_OP_MAX0:
        return max0(a);
    case TD_OP_MIN:
        return unless_failed(a, b, td_least(a->value, b->value));
    case TD_OP_MAX:
        return unless_failed(a, b, td_most(a->value, b->value));
    case TD_OP_IF:
        return branch(a, b, &plain[op->from[2]]);
    case TD_OP_GREATER:
        return unless_failed(a, b, a->value > b->value);
    case TD_OP_AT_LEAST:
        return unless_failed(a, b, a->value >= b->value);
    case TD_OP_AND:
        return logic(a, b, false);
    case TD_OP_OR:
        return logic(a, b, true);
    case TD_OP_HAS:
        return valued(a->state != TD_VAL_MISSING);
    case TD_OP_SHARE:
        return share(a, b);
    case TD_OP_WHEN:
        return when(a, b, &plain[op->from[2]], &plain[op->from[3]]);
    case TD_OP_EITHER:
        return either(a, b);
    default:
        return reason(TD_VAL_WRONG_FORMULA);
    }
}

void td_program_prepare_plain(const struct td_program *p, struct td_plain *plain)
{
    for (size_t i = 0; i < p->nconstants; i++)
        plain[p->constants[i].cell] = valued(p->constants[i].number);
}

void td_program_run_plain(const struct td_program *p, const uint32_t *defs, size_t n, struct td_plain *plain)
{
    for (size_t i = 0; i < n; i++) {
        const struct td_defcode *d = p->defs[defs[i]];

        for (const struct td_op *op = &p->ops[d->start], *end = &p->ops[d->end]; op < end; op++)
            plain[op->to] = apply(op, plain);
    }
}
