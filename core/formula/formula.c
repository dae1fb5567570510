/* SPDX-License-Identifier: MIT */
/* The compiler: formula text to operations on cells. */
#include "core/formula/formula_code.h"

#include "util/number.h"
#include "util/room.h"

#include <stdio.h>

/* ---- reading one definition --------------------------------------------------- */

struct compiler {
    struct td_program *p;
    struct td_defcode *d;
    const char *at; /* next character of the formula */
    size_t depth, nest; /* temporary cells in use; parentheses that are open */
    bool branches; /* the formula has an "if" */
    char *why;
    size_t whysize;
    int err;
};

/* A value: where it is, and whether that cell is free once it has been used; or a
 * condition that is known to hold, or not to. */
struct operand {
    uint32_t cell;
    bool temp, settled, holds;
};

static const struct function {
    const char *name;
    enum td_opcode op;
} functions[] = {
    {"max0", TD_OP_MAX0}, {"min", TD_OP_MIN},       {"max", TD_OP_MAX},         {"share", TD_OP_SHARE},
    {"when", TD_OP_WHEN}, {"either", TD_OP_EITHER}, {"per_cpu", TD_OP_PER_CPU},
};

static struct operand parse_expr(struct compiler *c);

static void fail(struct compiler *c, int err, const char *what, const char *name, size_t len)
{
    if (c->err)
        return;
    c->err = err;
    snprintf(c->why, c->whysize, "%s: %s '%.*s'", c->d->def->name, what, (int)len, name);
}

static void fail_here(struct compiler *c, const char *what)
{
    fail(c, -EINVAL, what, c->at, strlen(c->at));
}

/* Makes room for one more member; false: it failed. */
static bool grow(struct compiler *c, void *array, size_t *room, size_t n, size_t size)
{
    if (!td_room(array, room, n + 1, size))
        return true;
    fail(c, -ENOMEM, "out of memory", "", 0);
    return false;
}

/* The cell for a value that is needed while depth others are. */
static uint32_t temp_cell(struct compiler *c, size_t depth)
{
    struct td_program *p = c->p;

    if (depth < p->ntemps)
        return p->temps[depth];
    if (!grow(c, &p->temps, &p->temps_room, p->ntemps, sizeof(*p->temps)))
        return 0;
    return p->temps[p->ntemps++] = (uint32_t)p->ncells++;
}

size_t td_op_operands(enum td_opcode code)
{
    switch (code) {
    case TD_OP_WRONG: return 0;
    case TD_OP_COPY:
    case TD_OP_MAX0:
    case TD_OP_HAS: return 1;
    case TD_OP_IF: return 3;
    case TD_OP_PART:
    case TD_OP_WHEN: return 4;
    default: return 2;
    }
}

/* args: as many as it has operands. */
static struct operand emit(struct compiler *c, enum td_opcode code, const struct operand *args)
{
    const size_t n = td_op_operands(code);
    struct td_program *p = c->p;
    struct td_op op = {.code = code};

    if (c->err)
        return (struct operand){0};
    for (size_t i = 0; i < n; i++) {
        op.from[i] = args[i].cell;
        c->depth -= args[i].temp;
    }
    /* evaluation may look at operands that do not matter: they have to be values */
    for (size_t i = n; n && i < TD_OP_ARGS; i++)
        op.from[i] = args[0].cell;
    op.to = temp_cell(c, c->depth++);
    if (!grow(c, &p->ops, &p->room, p->nops, sizeof(*p->ops)))
        return (struct operand){0};
    p->ops[p->nops++] = op;
    return (struct operand){.cell = op.to, .temp = true};
}

static struct operand constant(struct compiler *c, double number)
{
    struct td_program *p = c->p;

    for (size_t i = 0; i < p->nconstants; i++)
        if (p->constants[i].number == number)
            return (struct operand){.cell = p->constants[i].cell};
    if (!grow(c, &p->constants, &p->constants_room, p->nconstants, sizeof(*p->constants)))
        return (struct operand){0};
    p->constants[p->nconstants] = (struct td_constant){(uint32_t)p->ncells++, number};
    return (struct operand){.cell = p->constants[p->nconstants++].cell};
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
        fail_here(c, "unexpected");
}

static bool in_name(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || td_is_digit(ch) || ch == '.' || ch == '_' ||
           ch == ':' || ch == '=';
}

/* {anything}, or letters, digits, '.', '_' and ':'. */
static const char *parse_name(struct compiler *c, size_t *len)
{
    const bool braced = take(c, '{');
    const char *name = c->at;

    while (*c->at && (braced ? *c->at != '}' : in_name(*c->at)))
        c->at++;
    *len = (size_t)(c->at - name);
    if (braced)
        expect(c, '}');
    if (!*len)
        fail_here(c, "a name is missing at");
    return name;
}

static bool is_word(const char *name, size_t len, const char *word)
{
    return strlen(word) == len && !memcmp(name, word, len);
}

static int find_event(struct compiler *c, const char *name, size_t len)
{
    const struct td_program_text *t = &c->p->text;
    int event = t->find(t->ctx, name, len);

    return event < 0 || (size_t)event >= t->nevents ? -1 : event;
}

/* ? or ~ and an event */
static struct operand parse_correction(struct compiler *c, bool same_time)
{
    size_t len;
    const char *name = parse_name(c, &len);
    int event = c->err ? -1 : find_event(c, name, len);

    if (event < 0) {
        fail(c, -ENOENT, "no event", name, len);
        return (struct operand){0};
    }
    td_bits_add(&c->d->corrections, (size_t)event);
    if (same_time)
        td_bits_add(&c->d->same_time, (size_t)event);
    return (struct operand){.cell = (uint32_t)td_correction_cell(c->p, (size_t)event)};
}

static struct operand use_event(struct compiler *c, const char *name, size_t len)
{
    const int event = c->err ? -1 : find_event(c, name, len);

    if (event < 0) {
        fail(c, -ENOENT, "no event", name, len);
        return (struct operand){0};
    }
    td_bits_add(&c->d->needs, (size_t)event);
    return (struct operand){.cell = (uint32_t)td_event_cell((size_t)event)};
}

static struct operand use_input(struct compiler *c, enum td_input input)
{
    c->d->inputs |= 1u << input;
    return (struct operand){.cell = (uint32_t)td_input_cell(c->p, input)};
}

/* has(EVENT) and optional(EVENT) */
static struct operand parse_event_call(struct compiler *c, bool optional)
{
    struct operand x;
    size_t len;
    const char *name;

    expect(c, '(');
    if (optional) {
        x = parse_correction(c, false);
    } else {
        name = parse_name(c, &len);
        x = use_event(c, name, len);
        x = emit(c, TD_OP_HAS, &x);
    }
    expect(c, ')');
    return x;
}

static struct operand parse_call(struct compiler *c, const struct function *f)
{
    const bool per_cpu = f->op == TD_OP_PER_CPU; /* its last operand is not written */
    const size_t n = td_op_operands(f->op) - per_cpu;
    struct operand args[TD_OP_ARGS];

    expect(c, '(');
    for (size_t i = 0; i < n; i++) {
        if (i)
            expect(c, ',');
        args[i] = parse_expr(c);
    }
    expect(c, ')');
    if (per_cpu)
        args[n] = use_input(c, TD_INPUT_ONE_CPU);
    return emit(c, f->op, args);
}

static struct operand use_def(struct compiler *c, size_t def)
{
    td_bits_add(&c->d->refs, def);
    return (struct operand){.cell = (uint32_t)td_def_cell(c->p, def)};
}

/* The condition that a list may define, as the share of the time for which it holds. */
static const char shared[] = "SMT";

static bool is_shared(const struct compiler *c, const struct operand *x)
{
    const size_t listed = td_program_listed(c->p, shared, strlen(shared));

    return listed && x->cell == td_def_cell(c->p, listed - 1);
}

/* A settled condition, or an input of that name. */
static bool find_condition(struct compiler *c, const char *name, size_t len, struct operand *out)
{
    static const struct {
        const char *name;
        unsigned where;
        enum td_input input;
    } all[] = {{"SMT", TD_WHERE_SMT, TD_INPUT_SMT},    {"EBS", TD_WHERE_EBS, TD_INPUTS},
               {"FIXED", TD_WHERE_FIXED, TD_INPUTS},   {"sharing", 0, TD_INPUT_SHARING},
               {"duration", 0, TD_INPUT_DURATION},     {"cpus", 0, TD_INPUT_CPUS},
               {"WHOLE_CORE", 0, TD_INPUT_WHOLE_CORE}, {"halted", 0, TD_INPUT_HALTED}};
    const struct td_program_text *t = &c->p->text;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (!is_word(name, len, all[i].name))
            continue;
        if (all[i].input == TD_INPUTS || t->settled & all[i].where)
            *out = (struct operand){.settled = true, .holds = t->holds & all[i].where};
        else
            *out = use_input(c, all[i].input);
        return true;
    }
    return false;
}

/* A name in a row of the table. */
static struct operand resolve_in_row(struct compiler *c, const char *name, size_t len)
{
    const size_t listed = is_word(name, len, shared) ? td_program_listed(c->p, name, len) : 0;
    struct operand x = {0};
    int def;

    if (listed)
        return use_def(c, listed - 1);
    if (find_condition(c, name, len, &x))
        return x;
    if (is_word(name, len, "tsc"))
        return use_event(c, "msr/tsc/", strlen("msr/tsc/"));
    if (*name >= 'A' && *name <= 'Z')
        return use_event(c, name, len);
    def = td_program_named(c->p, name, len);
    if (def >= 0)
        return use_def(c, (size_t)def);
    fail(c, -ENOENT, "no row", name, len);
    return x;
}

/* An earlier definition, the width, a condition or input, an event, a later definition: the first that exists. */
static struct operand resolve(struct compiler *c, const char *name, size_t len)
{
    const struct td_program *p = c->p;
    const size_t self = c->d->number, last = td_program_listed(p, name, len);
    struct operand x = {0};
    size_t def = last;
    int event;

    if (self >= p->nlisted)
        return resolve_in_row(c, name, len);
    while (def && def - 1 >= self)
        def = p->defs[def - 1]->earlier;
    if (def)
        return use_def(c, def - 1);
    if (is_word(name, len, "width"))
        return constant(c, p->text.width);
    if (find_condition(c, name, len, &x))
        return x;
    event = find_event(c, name, len);
    if (event < 0 && last && last - 1 != self)
        return use_def(c, last - 1);
    if (event < 0 && td_program_row(p, name, len) >= 0)
        return use_def(c, (size_t)td_program_row(p, name, len));
    return use_event(c, name, len);
}

static struct operand parse_named(struct compiler *c)
{
    size_t len;
    const char *name = parse_name(c, &len);

    if (c->err)
        return (struct operand){0};
    for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
        if (is_word(name, len, functions[i].name) && peek(c) == '(')
            return parse_call(c, &functions[i]);
    if ((is_word(name, len, "has") || is_word(name, len, "optional")) && peek(c) == '(')
        return parse_event_call(c, *name == 'o');
    return resolve(c, name, len);
}

/* Digits with or without a fraction; strtod() would follow the caller's locale. */
static struct operand parse_number(struct compiler *c)
{
    double number = 0, unit = 1;

    while (td_is_digit(*c->at))
        number = number * 10 + (*c->at++ - '0');
    if (*c->at == '.')
        for (c->at++; td_is_digit(*c->at); unit *= 10)
            number = number * 10 + (*c->at++ - '0');
    return constant(c, number / unit);
}

/* A word that begins with a digit is a number if it is one from end to end (4k_aliasing is a name). */
static bool at_number(const struct compiler *c)
{
    const char *at = c->at;

    while (td_is_digit(*at) || *at == '.')
        at++;
    return at > c->at && !in_name(*at);
}

static struct operand parse_factor(struct compiler *c)
{
    struct operand x = {0}, both[2];

    peek(c);
    if (++c->nest > TD_NEST || c->err) {
        fail_here(c, "too deep at");
    } else if (take(c, '(')) {
        x = parse_expr(c);
        expect(c, ')');
    } else if (take(c, '-')) {
        both[0] = constant(c, 0);
        both[1] = parse_factor(c);
        x = emit(c, TD_OP_SUB, both);
    } else if (*c->at == '?' || *c->at == '~') {
        x = parse_correction(c, *c->at++ == '~');
    } else if (at_number(c)) {
        x = parse_number(c);
    } else {
        x = parse_named(c);
    }
    c->nest--;
    return x;
}

static struct operand parse_term(struct compiler *c)
{
    struct operand x[2] = {parse_factor(c)};

    while (!c->err && (peek(c) == '*' || *c->at == '/')) {
        enum td_opcode op = *c->at++ == '*' ? TD_OP_MUL : TD_OP_DIV;

        x[1] = parse_factor(c);
        x[0] = emit(c, op, x);
    }
    return x[0];
}

static struct operand parse_sum(struct compiler *c)
{
    struct operand x[2] = {parse_term(c)};

    while (!c->err && (peek(c) == '+' || *c->at == '-')) {
        enum td_opcode op = *c->at++ == '+' ? TD_OP_ADD : TD_OP_SUB;

        x[1] = parse_term(c);
        x[0] = emit(c, op, x);
    }
    return x[0];
}

/* "a < b" is "b > a". */
static struct operand parse_test(struct compiler *c)
{
    struct operand x = parse_sum(c), both[2];
    const char sign = c->err ? '\0' : peek(c);
    bool equal;

    if (sign != '<' && sign != '>')
        return x;
    c->at++;
    equal = *c->at == '=';
    c->at += equal;
    both[sign == '<'] = x;
    both[sign == '>'] = parse_sum(c);
    return emit(c, equal ? TD_OP_AT_LEAST : TD_OP_GREATER, both);
}

/* Settled conditions leave nothing to evaluate, or the other operand alone. */
static struct operand combine(struct compiler *c, enum td_opcode op, const struct operand *x)
{
    for (size_t i = 0; i < 2; i++)
        if (x[i].settled)
            return x[i].holds == (op == TD_OP_OR) ? x[i] : x[1 - i];
    return emit(c, op, x);
}

static struct operand parse_all(struct compiler *c)
{
    struct operand x[2] = {parse_test(c)};

    while (!c->err && take(c, '&')) {
        x[1] = parse_test(c);
        x[0] = combine(c, TD_OP_AND, x);
    }
    return x[0];
}

static struct operand parse_any(struct compiler *c)
{
    struct operand x[2] = {parse_all(c)};

    while (!c->err && take(c, '|')) {
        x[1] = parse_all(c);
        x[0] = combine(c, TD_OP_OR, x);
    }
    return x[0];
}

static bool is_if(const char *start, const char *at)
{
    return at[0] == 'i' && at[1] == 'f' && !in_name(at[2]) && (at == start || !in_name(at[-1]));
}

/* Where the expression at hand ends; *branch: its first "if", or NULL. */
static const char *find_end(const char *start, const char **branch)
{
    const char *at = start;
    size_t depth = 0;

    for (*branch = NULL; *at && (depth || (*at != ')' && *at != ',')); at++) {
        if (!depth && !*branch && is_if(start, at))
            *branch = at;
        depth += *at == '(';
        depth -= *at == ')';
    }
    return at;
}

static void expect_word(struct compiler *c, const char *word)
{
    peek(c);
    if (!c->err && !strncmp(c->at, word, strlen(word)) && !in_name(c->at[strlen(word)]))
        c->at += strlen(word);
    else
        fail_here(c, "unexpected");
}

/* "x if c else y": c first, because it may be settled. */
static struct operand parse_branches(struct compiler *c, const char *branch, const char *end)
{
    const char *start = c->at, *other;
    struct operand x[TD_OP_ARGS];

    c->at = branch + strlen("if");
    x[0] = parse_any(c);
    expect_word(c, "else");
    other = c->at;
    if (x[0].settled && !x[0].holds)
        return parse_expr(c);
    c->at = start;
    x[1] = parse_any(c);
    if (!c->err && peek(c) && c->at != branch)
        fail_here(c, "unexpected");
    c->at = x[0].settled ? end : other;
    if (x[0].settled)
        return x[1];
    x[2] = parse_expr(c);
    if (!is_shared(c, &x[0]))
        return emit(c, TD_OP_IF, x);
    x[3] = resolve(c, "both", strlen("both"));
    return emit(c, TD_OP_PART, x);
}

static struct operand parse_expr(struct compiler *c)
{
    const char *branch = NULL, *end = c->branches ? find_end(c->at, &branch) : NULL;

    if (!branch)
        return parse_any(c);
    c->nest++; /* the next factor fails where it is too deep */
    return c->err ? (struct operand){0} : parse_branches(c, branch, end);
}

/* A condition as a value. */
static struct operand as_value(struct compiler *c, struct operand x)
{
    return x.settled ? constant(c, x.holds) : x;
}

/* Makes a definition's operations; the last one writes its cell. */
static void parse_def(struct compiler *c, struct td_defcode *d)
{
    struct td_program *p = c->p;
    struct operand x = {0};

    const struct td_def *def = d->def;

    c->d = d;
    c->depth = c->nest = 0;
    d->start = p->nops;
    if (def->expr) {
        c->at = def->expr;
        c->branches = strstr(def->expr, "if");
        x = as_value(c, parse_expr(c));
        if (!c->err && peek(c))
            fail_here(c, "unexpected");
        if (!x.temp)
            emit(c, TD_OP_COPY, &x);
    } else {
        emit(c, TD_OP_WRONG, NULL);
    }
    if (c->err)
        return;
    p->ops[p->nops - 1].to = (uint32_t)td_def_cell(p, d->number);
    d->end = p->nops;
    td_bits_add(&d->uses, d->number);
}

/* ---- what a definition is made of, first --------------------------------------- */

static void take_over(struct td_defcode *d, const struct td_defcode *ref)
{
    td_bits_join(&d->uses, &ref->uses);
    td_bits_join(&d->needs, &ref->needs);
    td_bits_join(&d->corrections, &ref->corrections);
    td_bits_join(&d->same_time, &ref->same_time);
    d->inputs |= ref->inputs;
}

/* The next definition that d waits for, or NULL: it is done. */
static struct td_defcode *next_open(struct compiler *c, struct td_defcode *d)
{
    struct td_program *p = c->p;

    for (size_t i; (i = td_bits_next(&d->refs, d->at)) != SIZE_MAX; d->at = i + 1) {
        struct td_defcode *ref = td_program_code(p, i);

        if (!ref) {
            fail(c, -ENOMEM, "out of memory", "", 0);
            return NULL;
        }
        if (ref->state == TD_DEF_OPEN) {
            c->d = d;
            fail(c, -EINVAL, "needs itself, by way of", ref->def->name, strlen(ref->def->name));
        }
        if (ref->state != TD_DEF_DONE)
            return ref;
        take_over(d, ref);
    }
    return NULL;
}

/* Depth first, without recursion: chains of definitions may be long. */
static void compile(struct compiler *c, size_t root, uint32_t *stack)
{
    struct td_program *p = c->p;
    size_t n = 0;

    stack[n++] = (uint32_t)root;
    while (n && !c->err) {
        struct td_defcode *d = p->defs[stack[n - 1]], *ref;

        if (d->state == TD_DEF_UNREAD) {
            d->state = TD_DEF_OPEN;
            parse_def(c, d);
        }
        ref = c->err ? NULL : next_open(c, d);
        if (c->err)
            break;
        if (ref) {
            stack[n++] = (uint32_t)ref->number;
            continue;
        }
        d->state = TD_DEF_DONE;
        p->order[p->ndone++] = stack[--n];
    }
    while (n) /* after an error */
        p->defs[stack[--n]]->state = TD_DEF_UNREAD;
}

int td_program_compile(struct td_program *p, size_t i, char *why, size_t whysize)
{
    struct compiler c = {.p = p, .why = why, .whysize = whysize};
    uint32_t *stack;

    if (p->defs[i] && p->defs[i]->state == TD_DEF_DONE)
        return 0;
    stack = !td_program_code(p, i) ? NULL : malloc(p->ndefs * sizeof(*stack));
    if (!stack) {
        snprintf(why, whysize, "out of memory");
        return -ENOMEM;
    }
    compile(&c, i, stack);
    free(stack);
    return c.err;
}
