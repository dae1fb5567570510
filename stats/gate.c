/* SPDX-License-Identifier: MIT */
#include "stats/gate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---------------------------------------------------------------------------- */

static const char *skip(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Reads a limit such as "+2pp". */
static bool parse_limit(const char *at, struct td_gate *g)
{
    char *end;

    if (!strchr("+-.0123456789", *at) || !*at)
        return false;
    g->limit = strtod(at, &end);
    if (end == at || !isfinite(g->limit))
        return false;
    at = skip(end);
    g->unit = !strcmp(at, "pp") ? TD_GATE_POINTS : !strcmp(at, "%") ? TD_GATE_PERCENT : TD_GATE_PLAIN;
    if (g->unit != TD_GATE_PLAIN)
        g->limit /= 100;
    return g->unit != TD_GATE_PLAIN || !*at;
}

bool td_gate_parse(const char *text, struct td_gate *out)
{
    const char *at = skip(text);
    size_t n = strlen(at), name = strcspn(at, "<> \t");

    while (n && isspace((unsigned char)at[n - 1]))
        n--;
    *out = (struct td_gate){0};
    if (!n || n >= sizeof(out->text) || !name)
        return false;
    memcpy(out->text, at, n);
    at = skip(out->text + name);
    if (name == strlen("verdict") && !strncmp(out->text, "verdict", name) && !strcmp(at, "changes"))
        return true;
    memcpy(out->metric, out->text, name);
    out->more = *at == '>';
    return (*at == '>' || *at == '<') && parse_limit(skip(at + 1), out);
}

/* ---- answering ---------------------------------------------------------------------------- */

/* The range that the difference is compared with: a percentage depends on side a's value, which has bounds. */
static void limits(const struct td_gate *g, const struct td_difference *d, double *low, double *high)
{
    const double x = g->limit * d->a.low, y = g->limit * d->a.high;

    *low = *high = g->limit;
    if (g->unit == TD_GATE_PERCENT) { /* without fmin() and fmax(), which would hide a NAN */
        *low = x < y || isnan(x) ? x : y;
        *high = x < y || isnan(x) ? y : x;
    }
}

static enum td_gate_answer ask_row(const struct td_gate *g, const struct td_difference *d)
{
    double low, high;

    limits(g, d, &low, &high);
    if (isnan(d->diff.low) || isnan(d->diff.high) || isnan(low + high))
        return TD_GATE_UNKNOWN;
    if (g->more ? d->diff.low > high : d->diff.high < low)
        return TD_GATE_HOLDS;
    return (g->more ? d->diff.high <= low : d->diff.low >= high) ? TD_GATE_NO : TD_GATE_UNKNOWN;
}

static const struct td_difference *find(const struct td_comparison *c, const struct td_verdicts *v, const char *node)
{
    for (size_t i = v->first; i < v->first + v->rows; i++)
        if (!strcmp(c->row[i].metric, node))
            return &c->row[i];
    return NULL;
}

/* Verdicts that differ only by chance are no change: the nodes themselves must have changed. */
static enum td_gate_answer ask_verdict(const struct td_comparison *c, const struct td_verdicts *v)
{
    const struct td_difference *was, *is;

    if (!v->a || !v->b)
        return TD_GATE_UNKNOWN;
    if (!strcmp(v->a, v->b))
        return TD_GATE_NO;
    was = find(c, v, v->a);
    is = find(c, v, v->b);
    return (was && was->call == TD_CALL_LESS) || (is && is->call == TD_CALL_MORE) ? TD_GATE_HOLDS : TD_GATE_UNKNOWN;
}

static void ask_verdicts(struct td_gate *g, const struct td_comparison *c)
{
    for (size_t i = 0; i < c->verdicts; i++) {
        const enum td_gate_answer answer = ask_verdict(c, &c->verdict[i]);

        if (g->verdict && answer <= g->answer)
            continue;
        g->answer = answer;
        g->verdict = &c->verdict[i];
    }
}

void td_gate_ask(struct td_gate *g, const struct td_comparison *c)
{
    g->answer = TD_GATE_UNKNOWN;
    g->row = NULL;
    g->verdict = NULL;
    g->wrong_unit = false;
    if (!*g->metric)
        ask_verdicts(g, c);
    for (size_t i = 0; *g->metric && i < c->n; i++) {
        enum td_gate_answer answer;

        if (strcmp(c->row[i].metric, g->metric))
            continue;
        g->wrong_unit = g->wrong_unit || (g->unit == TD_GATE_POINTS && !c->row[i].share) ||
                        (g->unit == TD_GATE_PLAIN && c->row[i].share);
        answer = ask_row(g, &c->row[i]);
        if (g->row && answer <= g->answer)
            continue;
        g->answer = answer;
        g->row = &c->row[i];
    }
}

enum td_gate_answer td_gates_answer(const struct td_gate *g, size_t n)
{
    enum td_gate_answer most = TD_GATE_NO;

    for (size_t i = 0; i < n; i++)
        most = g[i].answer > most ? g[i].answer : most;
    return most;
}

const char *td_gate_answer_name(enum td_gate_answer answer)
{
    static const char *const name[] = {
        [TD_GATE_NO] = "does not hold", [TD_GATE_UNKNOWN] = "cannot be told", [TD_GATE_HOLDS] = "holds"};

    return name[answer];
}
