/* SPDX-License-Identifier: MIT */
/* A compiled formula over ranges and reasons. */
#include "core/formula/formula_code.h"

static bool failed(const struct td_val *v)
{
    return v->state > TD_VAL_OMITTED;
}

static struct td_val valued(struct td_range r)
{
    return (struct td_val){.r = r, .state = TD_VAL_OK};
}

static struct td_val reason(enum td_state state)
{
    return (struct td_val){.state = state, .event = -1};
}

typedef struct td_range binary_fn(struct td_range, struct td_range);

static inline struct td_val combine(const struct td_val *a, const struct td_val *b, binary_fn *fn)
{
    if (failed(a))
        return *a;
    if (failed(b))
        return *b;
    return valued(fn(a->r, b->r));
}

/* A correction that was left out adds nothing, whatever it is scaled by: its range is that of 0. */
static inline struct td_val sum(const struct td_val *a, const struct td_val *b, binary_fn *fn)
{
    return b->state == TD_VAL_OMITTED ? *a : combine(a, b, fn);
}

static inline struct td_val product(const struct td_val *a, const struct td_val *b, binary_fn *fn)
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

/* The second where the first was not counted and the second was, or where the first
 * was not even recorded. */
static struct td_val either(const struct td_val *x, const struct td_val *y)
{
    bool counted = x->state != TD_VAL_NOT_COUNTED && x->state != TD_VAL_NOT_SUPPORTED;

    return x->state == TD_VAL_MISSING || (!counted && y->state == TD_VAL_OK) ? *y : *x;
}

/* Only the branch that is taken must have a value. Where the ranges leave the
 * comparison open and the other branch has none, no bound can be given. */
static struct td_val when(const struct td_val *a, const struct td_val *b, const struct td_val *x,
                          const struct td_val *y)
{
    const struct td_range open = {-HUGE_VAL, 0, HUGE_VAL};
    struct td_val v;

    if (failed(a))
        return *a;
    if (failed(b))
        return *b;
    v = a->r.value > b->r.value ? *x : *y;
    if (!failed(&v))
        v.r = td_range_when(a->r, b->r, failed(x) ? open : x->r, failed(y) ? open : y->r);
    return v;
}

/* Whether a condition is certain. */
static bool decided(const struct td_val *v)
{
    return v->r.low == v->r.high;
}

/* Like when(), for a condition of 0 or 1. */
static struct td_val branch(const struct td_val *c, const struct td_val *x, const struct td_val *y)
{
    const struct td_range open = {-HUGE_VAL, 0, HUGE_VAL};
    struct td_range a, b;
    struct td_val v;

    if (failed(c))
        return *c;
    v = c->r.value != 0 ? *x : *y;
    if (failed(&v) || decided(c))
        return v;
    a = failed(x) ? open : x->r;
    b = failed(y) ? open : y->r;
    v.r.low = td_least(a.low, b.low);
    v.r.high = td_most(a.high, b.high);
    return v;
}

/* "x if SMT else y" of one thread: x is half of what its core counted. Where that was not counted, y is off by the
 * cycles that it shared at the most. */
static struct td_val part(const struct td_val *share, const struct td_val *x, const struct td_val *y,
                          const struct td_val *both)
{
    const double shared = share->r.value;
    struct td_val v;

    if (failed(share))
        return *share;
    if (shared >= 1 && (decided(share) || failed(x)))
        return *x;
    if (failed(x) || (decided(share) && shared <= 0 && !failed(y))) {
        v = failed(y) ? *x : *y;
        if (!failed(&v) && !(decided(share) && shared <= 0))
            v.r = (struct td_range){td_least(v.r.value, td_most(0, v.r.low - both->r.high)), v.r.value,
                                    v.r.high + both->r.high};
        return v;
    }
    return valued(td_range_part(share->r, x->r, failed(y) ? NULL : &y->r, both->r));
}

/* One operand may settle it, whatever the other one is: 0 for "and", 1 for "or". */
static struct td_val logic(const struct td_val *a, const struct td_val *b, double settling)
{
    const bool any = settling != 0;

    if (!failed(a) && decided(a) && (a->r.value != 0) == any)
        return *a;
    if (!failed(b) && decided(b) && (b->r.value != 0) == any)
        return *b;
    return combine(a, b, any ? td_range_max : td_range_min);
}

/* For a sum over several CPUs, the part of each CPU is unknown. */
static struct td_val per_cpu(const struct td_val *x, const struct td_val *one)
{
    struct td_val v = *x;

    if (!failed(x) && one->r.value == 0)
        v.r.low = td_least(0, v.r.low);
    return v;
}

static struct td_val has(const struct td_val *v)
{
    return valued(td_range_exact(v->state != TD_VAL_MISSING));
}

static struct td_val max0(const struct td_val *a)
{
    return failed(a) ? *a : valued(td_range_max0(a->r));
}

static struct td_val apply(const struct td_op *op, const struct td_val *cells)
{
    const struct td_val *a = &cells[op->from[0]], *b = &cells[op->from[1]];

    switch (op->code) {
    case TD_OP_COPY: return *a;
    case TD_OP_ADD: return sum(a, b, td_range_add);
    case TD_OP_SUB: return sum(a, b, td_range_sub);
    case TD_OP_MUL: return product(a, b, td_range_mul);
    case TD_OP_DIV: return quotient(a, b);
    case TD_OP_MAX0: return max0(a);
    case TD_OP_MIN: return combine(a, b, td_range_min);
    case TD_OP_MAX: return combine(a, b, td_range_max);
    case TD_OP_IF: return branch(a, b, &cells[op->from[2]]);
    case TD_OP_GREATER: return combine(a, b, td_range_greater);
    case TD_OP_AT_LEAST: return combine(a, b, td_range_at_least);
    case TD_OP_AND: return logic(a, b, 0);
    case TD_OP_OR: return logic(a, b, 1);
    case TD_OP_HAS: return has(a);
    case TD_OP_PER_CPU: return per_cpu(a, b);
    case TD_OP_PART: return part(a, b, &cells[op->from[2]], &cells[op->from[3]]);
    case TD_OP_SHARE: return share(a, b);
    case TD_OP_WHEN: return when(a, b, &cells[op->from[2]], &cells[op->from[3]]);
    case TD_OP_EITHER: return either(a, b);
    default: return reason(TD_VAL_WRONG_FORMULA);
    }
}

/* Whether an operation has no value where its operands have none, for the first one's reason. */
static inline bool is_strict(enum td_opcode code)
{
    return code == TD_OP_ADD || code == TD_OP_SUB || code == TD_OP_MUL || code == TD_OP_DIV || code == TD_OP_MIN ||
           code == TD_OP_MAX;
}

/* Of exact operands, as most counts are; then so is what arithmetic makes of them. */
static inline bool apply_exact(enum td_opcode code, const struct td_val *a, const struct td_val *b, struct td_val *to)
{
    double value;

    switch (code) {
    case TD_OP_ADD: value = a->r.value + b->r.value; break;
    case TD_OP_SUB: value = a->r.value - b->r.value; break;
    case TD_OP_MUL: value = a->r.value * b->r.value; break;
    case TD_OP_DIV:
        if (b->r.low == 0)
            return false;
        value = a->r.value / b->r.value;
        break;
    case TD_OP_MIN: value = td_least(a->r.value, b->r.value); break;
    case TD_OP_MAX: value = td_most(a->r.value, b->r.value); break;
    default: return false;
    }
    to->r.low = to->r.high = code == TD_OP_MUL && value == 0 ? 0 : value; /* -0 * 1 */
    to->r.value = value;
    to->state = TD_VAL_OK;
    return true;
}

static inline bool apply_ranges(enum td_opcode code, const struct td_val *a, const struct td_val *b, struct td_val *to)
{
    struct td_range r;

    switch (code) {
    case TD_OP_ADD: r = td_range_add(a->r, b->r); break;
    case TD_OP_SUB: r = td_range_sub(a->r, b->r); break;
    case TD_OP_MUL: r = td_range_mul(a->r, b->r); break;
    case TD_OP_DIV:
        if (b->r.value == 0)
            return false;
        r = td_range_div(a->r, b->r);
        break;
    case TD_OP_MIN: r = td_range_min(a->r, b->r); break;
    case TD_OP_MAX: r = td_range_max(a->r, b->r); break;
    case TD_OP_SHARE:
        if (a->r.value + b->r.value == 0)
            return false;
        r = td_range_share(a->r, b->r);
        break;
    default: return false;
    }
    to->r = r;
    to->state = TD_VAL_OK;
    return true;
}

/* Arithmetic of two operands that have values, and what fails with the first one: what apply() gives, in place, at a
 * third of the cost. False: it is something else. */
static inline bool apply_plain(const struct td_op *op, struct td_val *cells)
{
    const struct td_val *a = &cells[op->from[0]], *b = &cells[op->from[1]];
    struct td_val *to = &cells[op->to];

    if (a->state == TD_VAL_OK && b->state == TD_VAL_OK)
        return a->r.low == a->r.high && b->r.low == b->r.high ? apply_exact(op->code, a, b, to)
                                                              : apply_ranges(op->code, a, b, to);
    if (!failed(a) || b->state == TD_VAL_OMITTED || !is_strict(op->code))
        return false;
    *to = *a;
    return true;
}

void td_program_prepare(const struct td_program *p, struct td_val *cells)
{
    for (size_t i = 0; i < p->nconstants; i++)
        cells[p->constants[i].cell] = valued(td_range_exact(p->constants[i].number));
}

void td_program_run(const struct td_program *p, const uint32_t *defs, size_t n, struct td_val *cells)
{
    const struct td_op *const ops = p->ops;

    for (size_t i = 0; i < n; i++) {
        const struct td_defcode *d = p->defs[defs[i]];
        const struct td_op *const end = ops + d->end;

        for (const struct td_op *op = ops + d->start; op < end; op++)
            if (!apply_plain(op, cells))
                cells[op->to] = apply(op, cells);
    }
}
