/* SPDX-License-Identifier: MIT */
#include "core/verdict/thresholds.h"

#include "core/formula/formula.h"
#include "util/text_buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char over[] = ".over";

struct td_judge {
    const struct td_table *table;
    size_t n;
    int *row; /* of the table, by metric; -1: none */
    bool *has; /* by row: it is judged */
    struct td_def *def; /* "NAME.over", by metric that has a row */
    const struct td_def *list; /* the same, for the program */
    int *of; /* definition of each metric, -1: none */
    struct td_program *p;
    struct td_val *cells;
    uint32_t *run; /* definitions in order */
    size_t nrun;
    struct td_bits valued; /* the rows that have a value; and those that had one in the result before: */
    struct td_bits before;
    uint32_t *open; /* of run, those that ask for one of these: the others are as they were while these are the same */
    size_t nopen;
    bool begun;
    unsigned char *judged; /* td_result.judged */
};

static const char *text(const struct td_judge *j, uint32_t at)
{
    return j->table->texts + at;
}

/* ---- conditions as definitions -------------------------------------------------------- */

/* The metrics' values are the program's events, by row; one more is absent. */
static int find_value(const void *ctx, const char *name, size_t len)
{
    const struct td_judge *j = ctx;
    const size_t tail = sizeof(over) - 1;
    const bool asks = len > tail && !memcmp(name + len - tail, over, tail);
    const int row = td_table_find(j->table, name, asks ? len - tail : len);

    if (asks && row >= 0 && j->has[row])
        return -1; /* a definition */
    return row < 0 || asks ? (int)j->table->n : row;
}

static bool in_word(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '.';
}

static bool is_number(const char *word, size_t len)
{
    return strspn(word, "0123456789.") >= len;
}

static int add_word(const struct td_judge *j, const struct td_table_row *r, const char *word, size_t len,
                    struct td_text_buffer *out)
{
    if (is_number(word, len))
        return td_text_buffer_add(out, "%.*s", (int)len, word);
    if (len == 1 && *word == 'v')
        return td_text_buffer_add(out, "{%s}", text(j, r->name));
    if (len == strlen("parent") && !strncmp(word, "parent", len))
        return td_text_buffer_add(out, "{%s%s}", text(j, r->parent), over);
    return td_text_buffer_add(out, "{%.*s}", (int)len, word);
}

/* A threshold with "v" and "parent" as names; an empty one always holds. */
static int write_condition(const struct td_judge *j, const struct td_table_row *r, struct td_text_buffer *out)
{
    const char *at = text(j, r->threshold);
    int err = *at ? 0 : td_text_buffer_add(out, "1");

    while (*at && !err) {
        size_t len = 0;

        while (in_word(at[len]))
            len++;
        err = len ? add_word(j, r, at, len, out) : td_text_buffer_add(out, "%c", *at);
        at += len ? len : 1;
    }
    return err;
}

static char *take_text(struct td_text_buffer *t)
{
    char *copy = t->at ? strdup(t->at) : NULL;

    td_text_buffer_free(t);
    return copy;
}

static int define(struct td_judge *j, const struct td_table_row *r, struct td_def *def)
{
    struct td_text_buffer name = {.at = NULL}, expr = {.at = NULL};
    int err = td_text_buffer_add(&name, "%s%s", text(j, r->name), over);

    err = err ? err : write_condition(j, r, &expr);
    def->name = take_text(&name);
    def->expr = take_text(&expr);
    return err || !def->name || !def->expr ? -ENOMEM : 0;
}

static int define_all(struct td_judge *j)
{
    size_t n = 0;
    int err = 0;

    for (size_t i = 0; i < j->n && !err; i++) {
        j->of[i] = j->row[i] < 0 ? -1 : (int)n;
        if (j->row[i] >= 0)
            err = define(j, &j->table->row[j->row[i]], &j->def[n++]);
    }
    return err;
}

/* ---- the program -------------------------------------------------------------------------- */

static int compile(struct td_judge *j, char *why, size_t whysize)
{
    const struct td_program_text t = {
        .lists = &j->list, .nlists = 1, .nevents = j->table->n + 1, .find = find_value, .ctx = j};
    int err;

    j->list = j->def;
    err = td_program_new(&t, &j->p);
    for (size_t i = 0; !err && i < td_program_count(j->p); i++)
        err = td_program_compile(j->p, i, why, whysize);
    return err;
}

static int order(struct td_judge *j)
{
    const size_t n = td_program_count(j->p);
    struct td_bits all;
    int err = td_bits_new(&all, n);

    err = err ? err : td_bits_new(&j->valued, j->table->n);
    err = err ? err : td_bits_new(&j->before, j->table->n);
    j->run = calloc(n + 1, sizeof(*j->run));
    j->open = calloc(n + 1, sizeof(*j->open));
    j->cells = calloc(td_program_cells(j->p) + 1, sizeof(*j->cells));
    if (!err && j->run && j->open && j->cells) {
        for (size_t i = 0; i < n; i++)
            td_bits_add(&all, i);
        j->nrun = td_program_order(j->p, &all, j->run);
        td_program_prepare(j->p, j->cells);
        for (size_t row = 0; row <= j->table->n; row++) /* until it is known: most are not asked for */
            j->cells[td_event_cell(row)] = (struct td_val){.state = TD_VAL_MISSING};
    }
    td_bits_free(&all);
    return err || !j->run || !j->open || !j->cells ? -ENOMEM : 0;
}

static int prepare(struct td_judge *j, const struct td_node *const *nodes, char *why, size_t whysize)
{
    int err;

    for (size_t i = 0; i < j->n; i++) {
        j->row[i] = td_table_find(j->table, nodes[i]->name, strlen(nodes[i]->name));
        if (j->row[i] >= 0 && j->has[j->row[i]]) /* asked for twice */
            j->row[i] = -1;
        else if (j->row[i] >= 0)
            j->has[j->row[i]] = true;
    }
    err = define_all(j);
    err = err ? err : compile(j, why, whysize);
    return err ? err : order(j);
}

int td_judge_new(const struct td_table *table, const struct td_node *const *nodes, size_t n, struct td_judge **out,
                 char *why, size_t whysize)
{
    struct td_judge *j = calloc(1, sizeof(*j));
    int err = -ENOMEM;

    if (j) {
        *j = (struct td_judge){.table = table,
                               .n = n,
                               .row = calloc(n + 1, sizeof(*j->row)),
                               .has = calloc(table->n + 1, sizeof(*j->has)),
                               .def = calloc(n + 1, sizeof(*j->def)),
                               .of = calloc(n + 1, sizeof(*j->of)),
                               .judged = calloc(n + 1, 1)};
        if (j->row && j->has && j->def && j->of && j->judged)
            err = prepare(j, nodes, why, whysize);
    }
    if (err == -ENOMEM)
        snprintf(why, whysize, "out of memory");
    if (err)
        td_judge_free(j);
    else
        *out = j;
    return err;
}

void td_judge_free(struct td_judge *j)
{
    if (!j)
        return;
    for (size_t i = 0; j->def && i < j->n; i++) {
        free((char *)(uintptr_t)j->def[i].name);
        free((char *)(uintptr_t)j->def[i].expr);
    }
    td_program_free(j->p);
    free(j->row);
    free(j->has);
    free(j->def);
    free(j->of);
    free(j->cells);
    free(j->run);
    free(j->open);
    td_bits_free(&j->valued);
    td_bits_free(&j->before);
    free(j->judged);
    free(j);
}

/* ---- a result ------------------------------------------------------------------------------- */

static struct td_val value_of(const struct td_metric *m)
{
    struct td_val v = {.r = {m->low, m->value, m->high}, .state = TD_VAL_OK};

    if (m->status != TD_OK)
        return (struct td_val){.state = TD_VAL_MISSING};
    if (isnan(m->low))
        v.r = td_range_exact(m->value);
    return v;
}

static void load(struct td_judge *j, const struct td_result *r)
{
    td_bits_copy(&j->before, &j->valued);
    td_bits_clear(&j->valued);
    for (size_t i = 0; i < j->n; i++) {
        if (j->row[i] < 0)
            continue;
        j->cells[td_event_cell((size_t)j->row[i])] = value_of(&r->metrics[i]);
        if (r->metrics[i].status == TD_OK)
            td_bits_add(&j->valued, (size_t)j->row[i]);
    }
}

/* What most definitions of a deep tree ask for was not recorded: they are evaluated once. */
static void evaluate(struct td_judge *j)
{
    if (j->begun && td_bits_same(&j->valued, &j->before)) {
        td_program_run(j->p, j->open, j->nopen, j->cells);
        return;
    }
    td_program_run(j->p, j->run, j->nrun, j->cells);
    j->nopen = 0;
    for (size_t i = 0; i < j->nrun; i++)
        if (td_bits_meet(td_program_needs(j->p, j->run[i]), &j->valued) || td_program_inputs(j->p, j->run[i]))
            j->open[j->nopen++] = j->run[i];
    j->begun = true;
}

void td_judge_run(struct td_judge *j, struct td_result *r)
{
    load(j, r);
    evaluate(j);
    for (size_t i = 0; i < j->n; i++) {
        const struct td_val *v = j->of[i] < 0 ? NULL : &j->cells[td_def_cell(j->p, (size_t)j->of[i])];
        const bool known = v && v->state == TD_VAL_OK;

        r->metrics[i].over = !known ? TD_OVER_UNKNOWN : v->r.value != 0 ? TD_OVER_YES : TD_OVER_NO;
        j->judged[i] = (!known || v->r.high != 0 ? TD_JUDGED_MAY : 0) | (known && v->r.low != 0 ? TD_JUDGED_MUST : 0);
    }
    r->judged = j->judged;
}
