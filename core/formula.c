/* SPDX-License-Identifier: MIT */
/* The compiler: formula text to a program for a stack machine. */
#include "formula_code.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compiler {
    struct td_program *p;
    const char *at; /* next character of the formula */
    td_event_find_fn *find;
    const void *ctx;
    double width;
    size_t depth, nest;
    char *why;
    size_t whysize;
    int err;
};

static const struct function {
    const char *name;
    enum td_opcode op;
    int args;
} functions[] = {
    {"max0", TD_OP_MAX0, 1},
    {"min", TD_OP_MIN, 2},
    {"share", TD_OP_SHARE, 2},
    {"when", TD_OP_WHEN, 4},
    {"either", TD_OP_EITHER, 2},
};

static void parse_expr(struct compiler *c);

static void fail(struct compiler *c, int err, const char *what, const char *name)
{
    if (c->err)
        return;
    c->err = err;
    snprintf(c->why, c->whysize, "%s: %s '%s'", c->p->defs[c->p->ndefs].def->name, what, name);
}

static void emit(struct compiler *c, enum td_opcode op, int pops, double number, int ref)
{
    struct td_program *p = c->p;
    struct td_op *grown;

    if (c->err)
        return;
    if (p->nops == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        grown = realloc(p->ops, p->room * sizeof(*grown));
        if (!grown) {
            fail(c, -ENOMEM, "out of memory", "");
            return;
        }
        p->ops = grown;
    }
    p->ops[p->nops++] = (struct td_op){op, ref, number};
    c->depth = c->depth - (size_t)pops + 1;
    if (c->depth > TD_STACK)
        fail(c, -EINVAL, "too deep at", c->at);
}

static char peek(struct compiler *c)
{
    while (*c->at == ' ')
        c->at++;
    return *c->at;
}

static bool take(struct compiler *c, char ch)
{
    if (peek(c) != ch)
        return false;
    c->at++;
    return true;
}

static void expect(struct compiler *c, char ch)
{
    if (!take(c, ch))
        fail(c, -EINVAL, "unexpected", c->at);
}

/* Reads a name into buf: {anything}, or letters, digits, '.', '_' and ':'. */
static void parse_name(struct compiler *c, char buf[TD_NAME])
{
    size_t n = 0;
    bool braced = take(c, '{');

    while (*c->at && (braced ? *c->at != '}' : isalnum((unsigned char)*c->at) || strchr("._:", *c->at)) && n < TD_NAME - 1)
        buf[n++] = *c->at++;
    buf[n] = '\0';
    if (braced)
        expect(c, '}');
    if (!n)
        fail(c, -EINVAL, "a name is missing at", c->at);
}

static void emit_event(struct compiler *c, enum td_opcode op, const char *name)
{
    struct td_defcode *d = &c->p->defs[c->p->ndefs];
    int event = c->find(c->ctx, name);

    if (event < 0 || event >= TD_EVENTS_MAX) {
        fail(c, -ENOENT, "no event", name);
        return;
    }
    emit(c, op, 0, 0, event);
    if (op == TD_OP_EVENT)
        d->needs |= UINT64_C(1) << event;
    else
        d->corrections |= UINT64_C(1) << event;
    if (op == TD_OP_SAME_TIME)
        d->same_time |= UINT64_C(1) << event;
}

static void emit_def(struct compiler *c, int ref)
{
    struct td_defcode *d = &c->p->defs[c->p->ndefs], *used = &c->p->defs[ref];

    emit(c, TD_OP_DEF, 0, 0, ref);
    d->needs |= used->needs;
    d->corrections |= used->corrections;
    d->same_time |= used->same_time;
}

static void parse_call(struct compiler *c, const struct function *f)
{
    expect(c, '(');
    for (int i = 0; i < f->args; i++) {
        if (i)
            expect(c, ',');
        parse_expr(c);
    }
    expect(c, ')');
    emit(c, f->op, f->args, 0, 0);
}

static void parse_named(struct compiler *c)
{
    char name[TD_NAME];
    int ref;

    parse_name(c, name);
    if (c->err)
        return;
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
        if (!strcmp(functions[i].name, name) && peek(c) == '(') {
            parse_call(c, &functions[i]);
            return;
        }
    ref = td_program_find(c->p, name);
    if (ref >= 0)
        emit_def(c, ref);
    else if (!strcmp(name, "width"))
        emit(c, TD_OP_NUMBER, 0, c->width, 0);
    else
        emit_event(c, TD_OP_EVENT, name);
}

/* Digits with or without a fraction; strtod() would follow the caller's locale. */
static void parse_number(struct compiler *c)
{
    double number = 0, unit = 1;

    while (isdigit((unsigned char)*c->at))
        number = number * 10 + (*c->at++ - '0');
    if (*c->at == '.')
        for (c->at++; isdigit((unsigned char)*c->at); unit *= 10)
            number = number * 10 + (*c->at++ - '0');
    emit(c, TD_OP_NUMBER, 0, number / unit, 0);
}

static void parse_factor(struct compiler *c)
{
    char name[TD_NAME], ch = peek(c);

    if (++c->nest > TD_STACK || c->err) {
        fail(c, -EINVAL, "too deep at", c->at);
    } else if (take(c, '(')) {
        parse_expr(c);
        expect(c, ')');
    } else if (take(c, '?') || take(c, '~')) {
        parse_name(c, name);
        emit_event(c, ch == '?' ? TD_OP_CORRECTION : TD_OP_SAME_TIME, name);
    } else if (isdigit((unsigned char)ch)) {
        parse_number(c);
    } else {
        parse_named(c);
    }
    c->nest--;
}

static void parse_term(struct compiler *c)
{
    parse_factor(c);
    while (!c->err && (peek(c) == '*' || peek(c) == '/')) {
        enum td_opcode op = *c->at++ == '*' ? TD_OP_MUL : TD_OP_DIV;

        parse_factor(c);
        emit(c, op, 2, 0, 0);
    }
}

static void parse_expr(struct compiler *c)
{
    parse_term(c);
    while (!c->err && (peek(c) == '+' || peek(c) == '-')) {
        enum td_opcode op = *c->at++ == '+' ? TD_OP_ADD : TD_OP_SUB;

        parse_term(c);
        emit(c, op, 2, 0, 0);
    }
}

static void compile_def(struct compiler *c, const struct td_def *def)
{
    struct td_program *p = c->p;

    if (p->ndefs == TD_DEFS_MAX) {
        p->ndefs--;
        fail(c, -EINVAL, "too many definitions at", def->name);
        return;
    }
    p->defs[p->ndefs] = (struct td_defcode){.def = def, .start = p->nops};
    c->depth = 0;
    if (def->expr) {
        c->at = def->expr;
        parse_expr(c);
        if (!c->err && peek(c))
            fail(c, -EINVAL, "unexpected", c->at);
    } else {
        emit(c, TD_OP_WRONG, 0, 0, 0);
    }
    p->defs[p->ndefs].end = p->nops;
    p->ndefs++;
}

int td_program_compile(const struct td_def *const *lists, size_t nlists, double width,
                       td_event_find_fn *find, const void *ctx, struct td_program **out, char *why, size_t whysize)
{
    struct compiler c = {.find = find, .ctx = ctx, .width = width, .why = why, .whysize = whysize};

    c.p = calloc(1, sizeof(*c.p));
    if (!c.p) {
        snprintf(why, whysize, "out of memory");
        return -ENOMEM;
    }
    for (size_t l = 0; l < nlists; l++)
        for (const struct td_def *d = lists[l]; !c.err && d && d->name; d++)
            compile_def(&c, d);
    if (c.err) {
        td_program_free(c.p);
        return c.err;
    }
    *out = c.p;
    return 0;
}

void td_program_free(struct td_program *p)
{
    if (!p)
        return;
    free(p->ops);
    free(p);
}

size_t td_program_count(const struct td_program *p)
{
    return p->ndefs;
}

const struct td_def *td_program_def(const struct td_program *p, size_t i)
{
    return p->defs[i].def;
}

int td_program_find(const struct td_program *p, const char *name)
{
    /* from the end: a form may define a name anew */
    for (size_t i = p->ndefs; i-- > 0;)
        if (!strcmp(p->defs[i].def->name, name))
            return (int)i;
    return -1;
}

uint64_t td_program_needs(const struct td_program *p, size_t i)
{
    return p->defs[i].needs;
}

uint64_t td_program_corrections(const struct td_program *p, size_t i)
{
    return p->defs[i].corrections;
}

uint64_t td_program_same_time(const struct td_program *p, size_t i)
{
    return p->defs[i].same_time;
}
