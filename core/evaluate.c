/* SPDX-License-Identifier: MIT */
/* The stack machine: a compiled formula over ranges and reasons. */
#include "formula_code.h"

#include <math.h>

typedef struct td_range binary_fn(struct td_range, struct td_range);

static bool failed(const struct td_val *v)
{
    return v->state > TD_VAL_OMITTED;
}

static struct td_val exact(double number)
{
    return (struct td_val){td_range_exact(number), TD_VAL_OK, -1};
}

static struct td_val reason(enum td_state state)
{
    return (struct td_val){.state = state, .event = -1};
}

static struct td_val combine(const struct td_val *a, const struct td_val *b, binary_fn *fn)
{
    if (failed(a))
        return *a;
    if (failed(b))
        return *b;
    return (struct td_val){fn(a->r, b->r), TD_VAL_OK, -1};
}

/* A correction that was left out adds nothing, whatever it is scaled with. */
static struct td_val sum(const struct td_val *a, const struct td_val *b, binary_fn *fn)
{
    if (b->state == TD_VAL_OMITTED)
        return *a;
    if (a->state == TD_VAL_OMITTED)
        return combine(&(struct td_val){.state = TD_VAL_OK}, b, fn);
    return combine(a, b, fn);
}

static struct td_val product(const struct td_val *a, const struct td_val *b, binary_fn *fn)
{
    if (a->state == TD_VAL_OMITTED || b->state == TD_VAL_OMITTED)
        return reason(TD_VAL_OMITTED);
    return combine(a, b, fn);
}

static struct td_val quotient(const struct td_val *a, const struct td_val *b)
{
    if (b->state == TD_VAL_OK && b->r.value == 0 && a->state == TD_VAL_OK)
        return reason(TD_VAL_ZERO_DIV);
    return product(a, b, td_range_div);
}

static struct td_val share(const struct td_val *x, const struct td_val *rest)
{
    if (!failed(x) && !failed(rest) && x->r.value + rest->r.value == 0)
        return reason(TD_VAL_ZERO_DIV);
    return combine(x, rest, td_range_share);
}

/* The second where the first was not counted and the second was, or where it was
 * not even recorded. */
static struct td_val either(const struct td_val *x, const struct td_val *y)
{
    bool counted = x->state != TD_VAL_NOT_COUNTED && x->state != TD_VAL_NOT_SUPPORTED;

    return x->state == TD_VAL_MISSING || (!counted && y->state == TD_VAL_OK) ? *y : *x;
}

/* Only the branch that is taken has to have a value. Where the ranges leave the
 * comparison open and the other branch has none, no bound can be given. */
static struct td_val when(const struct td_val *arg)
{
    const struct td_range open = {-HUGE_VAL, 0, HUGE_VAL};
    const struct td_val *chosen;
    struct td_val v;

    if (failed(&arg[0]))
        return arg[0];
    if (failed(&arg[1]))
        return arg[1];
    chosen = arg[0].r.value > arg[1].r.value ? &arg[2] : &arg[3];
    v = *chosen;
    if (!failed(chosen))
        v.r = td_range_when(arg[0].r, arg[1].r, failed(&arg[2]) ? open : arg[2].r, failed(&arg[3]) ? open : arg[3].r);
    return v;
}

static struct td_val max0(const struct td_val *a)
{
    return failed(a) ? *a : (struct td_val){td_range_max0(a->r), TD_VAL_OK, -1};
}

/* Operations on the stack; each returns how many members it takes off. */
static int apply(enum td_opcode code, struct td_val *top, struct td_val *result)
{
    switch (code) {
    case TD_OP_ADD:
        *result = sum(&top[-2], &top[-1], td_range_add);
        return 2;
    case TD_OP_SUB:
        *result = sum(&top[-2], &top[-1], td_range_sub);
        return 2;
    case TD_OP_MUL:
        *result = product(&top[-2], &top[-1], td_range_mul);
        return 2;
    case TD_OP_DIV:
        *result = quotient(&top[-2], &top[-1]);
        return 2;
    case TD_OP_MIN:
        *result = combine(&top[-2], &top[-1], td_range_min);
        return 2;
    case TD_OP_SHARE:
        *result = share(&top[-2], &top[-1]);
        return 2;
    case TD_OP_EITHER:
        *result = either(&top[-2], &top[-1]);
        return 2;
    case TD_OP_WHEN:
        *result = when(&top[-4]);
        return 4;
    default:
        *result = max0(&top[-1]);
        return 1;
    }
}

static struct td_val load(const struct td_op *op, td_event_value_fn *value, void *ctx, const struct td_val *vals)
{
    switch (op->code) {
    case TD_OP_NUMBER:
        return exact(op->number);
    case TD_OP_EVENT:
        return value(ctx, op->ref, false);
    case TD_OP_DEF:
        return vals[op->ref];
    case TD_OP_WRONG:
        return reason(TD_VAL_WRONG_FORMULA);
    default:
        return value(ctx, op->ref, true);
    }
}

void td_program_run(const struct td_program *p, td_event_value_fn *value, void *ctx, struct td_val *vals)
{
    struct td_val stack[TD_STACK], result;

    for (size_t d = 0; d < p->ndefs; d++) {
        struct td_val *top = stack;

        for (size_t i = p->defs[d].start; i < p->defs[d].end; i++) {
            const struct td_op *op = &p->ops[i];

            if (op->code < TD_OP_ADD)
                result = load(op, value, ctx, vals);
            else
                top -= apply(op->code, top, &result);
            *top++ = result;
        }
        vals[d] = stack[0];
    }
}
