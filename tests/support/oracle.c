/* SPDX-License-Identifier: MIT */
/* The oracle's table of variants, and what all its formulas share. See oracle.h. */
#include "tests/support/oracle.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct variant {
    const char *name;
    oracle_solver *solve;
    const char *const *events;
};

#define NAME(name, solver, list) name,
#define ROW(name, solver, list) {name, oracle_solve_##solver, oracle_events_##list},

const char *const oracle_variants[] = {ORACLE_VARIANTS(NAME) NULL};

static const struct variant variants[] = {ORACLE_VARIANTS(ROW){NULL, NULL, NULL}};

static const struct variant *find(const char *name)
{
    for (const struct variant *v = variants; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

int oracle_solve(const char *variant, int width, oracle_get *get, void *ctx, struct oracle_metric *out)
{
    const struct variant *v = find(variant);
    struct oracle o = {.get = get, .ctx = ctx, .width = width, .out = out, .count = 0};

    if (!v)
        return -1;
    v->solve(&o, variant);
    return o.count;
}

const char *const *oracle_events(const char *variant)
{
    const struct variant *v = find(variant);

    return v ? v->events : NULL;
}

double oracle_event(const struct oracle *o, const char *event)
{
    return o->get(o->ctx, event);
}

/* an optional correction: one that was not recorded counts as 0 */
double oracle_correction(const struct oracle *o, const char *event)
{
    double value = oracle_event(o, event);

    return isnan(value) ? 0 : value;
}

/* max(0, x), where what could not be computed (a missing event, a division by 0) stays so, unlike with fmax */
double oracle_max0(double x)
{
    if (!isfinite(x))
        return NAN;
    return x > 0 ? x : 0;
}

double oracle_min(double a, double b)
{
    if (!isfinite(a) || !isfinite(b))
        return NAN;
    return a < b ? a : b;
}

void oracle_emit(struct oracle *o, const char *name, double value)
{
    o->out[o->count].name = name;
    o->out[o->count].value = isfinite(value) ? value : NAN;
    o->count++;
}

void oracle_emit_level1(struct oracle *o, const struct oracle_level1 *t)
{
    oracle_emit(o, "retiring", t->retiring);
    oracle_emit(o, "bad_speculation", t->bad);
    oracle_emit(o, "frontend_bound", t->frontend);
    oracle_emit(o, "backend_bound", t->backend);
}
