/* SPDX-License-Identifier: MIT */
/* Text, cut to the screen, in a layout that suits the results: a tree for one, a line for each of many; or all as
 * trees. */
#include "report/layouts.h"
#include "report/screen.h"
#include "stats/scope_of.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A result as it looks in one layout, and what that layout has explained by then. */
struct layout {
    struct td_held held;
    unsigned flags, marks;
};

struct td_text_state {
    bool head, timed; /* the header of lines was printed, with a column of times */
    unsigned results; /* so far */
    struct layout tree, line; /* the first result, until it is known whether there are more */
    struct td_scope_table first; /* the scope of the first result, of any kind of core */
    bool scopes; /* there are other scopes */
};

static struct td_text_state *state_of(struct td_report *r)
{
    if (!r->text)
        r->text = calloc(1, sizeof(*r->text));
    if (!r->text)
        r->out.error = -ENOMEM;
    return r->text;
}

/* ---- one result ---------------------------------------------------------------------- */

/* What a function below puts: the other members are NULL. */
struct shown {
    const struct td_result *result;
    const struct td_repeat *repeat;
    const struct td_bench *bench;
    const struct td_outcome *outcome;
};

typedef void put_fn(struct td_report *, const struct shown *);

/* Keeps what put writes. */
static void hold(struct td_report *r, const struct shown *shown, put_fn *put, struct layout *l)
{
    struct td_report copy = *r;

    if (td_output_open_fn(&copy.out, td_held_write, &l->held)) {
        r->out.error = -ENOMEM;
        return;
    }
    copy.out.terminal = r->out.terminal;
    put(&copy, shown);
    if (td_output_close(&copy.out, true))
        r->out.error = -ENOMEM;
    l->flags = copy.explained_flags;
    l->marks = copy.explained_marks;
}

static void give(struct td_report *r, struct layout *l)
{
    td_screen_put_lines(&r->out, l->held.text, l->held.n, r->width);
    td_held_free(&l->held);
    r->explained_flags |= l->flags;
    r->explained_marks |= l->marks;
}

/* Puts what put writes, cut to the screen if there is one. */
static void put_cut(struct td_report *r, const struct shown *shown, put_fn *put)
{
    struct layout held = {0};

    if (!r->width) {
        put(r, shown);
        return;
    }
    hold(r, shown, put, &held);
    give(r, &held);
}

static void show_tree(struct td_report *r, const struct shown *s)
{
    td_tree_result(r, s->result);
}

static void show_head(struct td_report *r, const struct shown *s)
{
    if (!r->text->head)
        td_lines_cpu(r, s->result);
    td_lines_head(r, r->text->timed);
}

static void show_line(struct td_report *r, const struct shown *s)
{
    td_lines_result(r, s->result, r->text->timed);
}

static void show_repeat(struct td_report *r, const struct shown *s)
{
    (r->spread ? td_table_elapsed : td_table_runs)(r, s->repeat);
}

static void show_bench(struct td_report *r, const struct shown *s)
{
    td_table_bench(r, s->bench);
}

static void show_end(struct td_report *r, const struct shown *s)
{
    const struct td_outcome *e = s->outcome;

    if (!e || !e->measured || (r->timed && e->runs <= 1))
        return;
    td_output_format(&r->out, "%.9f seconds time elapsed", e->elapsed);
    if (e->runs > 1)
        td_output_format(&r->out, " in %u runs", e->runs);
    td_output_char(&r->out, '\n');
}

static void put_tree(struct td_report *r, const struct td_result *result)
{
    uint64_t ns;

    r->timed = r->timed || td_result_time(result, &ns) || (r->command && td_result_duration(result, &ns));
    r->spread = r->spread || (r->means && td_result_is_summary(result));
    put_cut(r, &(struct shown){.result = result}, show_tree);
}

/* Where lines have had no times, and this one has one, the columns are named anew. */
static void put_head(struct td_report *r, const struct td_result *first, bool timed)
{
    struct td_text_state *s = r->text;

    if (s->head && (s->timed || !timed))
        return;
    s->timed = timed;
    put_cut(r, &(struct shown){.result = first}, show_head);
    s->head = true;
}

static void put_line(struct td_report *r, const struct td_result *result)
{
    put_head(r, result, td_lines_timed(r, result));
    r->timed = r->timed || r->text->timed;
    put_cut(r, &(struct shown){.result = result}, show_line);
}

/* ---- all ------------------------------------------------------------------------------- */

static void see_scope(struct td_report *r, const struct td_result *result)
{
    struct td_text_state *s = r->text;
    struct td_scope_id id = td_scope_of(result);

    id.core = NULL;
    if (!s->first.n)
        r->out.error = td_scope_table_number(&s->first, &id) < 0 ? -ENOMEM : r->out.error;
    else if (!td_scope_same(&s->first.id[0], &id))
        s->scopes = true;
}

/* Chooses the layout: the first result is held in both, until a second one shows that there are several. */
static void decide(struct td_report *r, const struct td_result *result)
{
    struct td_text_state *s = r->text;

    if (s->results == 1 && !td_result_is_summary(result)) {
        hold(r, &(struct shown){.result = result}, show_tree, &s->tree);
        s->timed = td_lines_timed(r, result);
        hold(r, &(struct shown){.result = result}, show_line, &s->line);
    } else if (s->line.held.n && !td_result_is_summary(result)) {
        r->layout = TD_LAYOUT_LINES;
        put_head(r, result, s->timed);
        give(r, &s->line);
        put_line(r, result);
    } else {
        give(r, &s->tree);
        put_tree(r, result);
    }
}

/* A result that is still held is the only one. */
static void finish(struct td_report *r)
{
    if (r->text && r->text->tree.held.n && r->layout == TD_LAYOUT_AUTO)
        give(r, &r->text->tree);
}

/* Whether a result has something that does not fit the columns of lines. */
static bool is_for_trees(const struct td_report *r, const struct td_result *result)
{
    bool more = r->counts;

    for (size_t i = 0; i < td_result_metrics(result) && !more; i++)
        more = td_result_metric(result, i)->kind != TD_METRIC_NODE;
    return more;
}

/* Says once what the recording's header has of the measurement. */
static void put_origin(struct td_report *r)
{
    if (!r->headed)
        td_screen_put_origin(&r->out, r->recorded, r->host, r->started, r->width);
    r->headed = true;
}

static void tree_result(struct td_report *r, const struct td_result *result)
{
    put_origin(r);
    put_tree(r, result);
}

static void text_result(struct td_report *r, const struct td_result *result)
{
    struct td_text_state *s = state_of(r);

    if (!s)
        return;
    put_origin(r);
    if (is_for_trees(r, result)) {
        finish(r);
        r->layout = TD_LAYOUT_TREE;
    }
    s->results++;
    see_scope(r, result);
    if (r->layout == TD_LAYOUT_AUTO)
        decide(r, result);
    else if (r->layout == TD_LAYOUT_TREE || (!r->span && td_result_is_summary(result) && !s->scopes))
        put_tree(r, result);
    else
        put_line(r, result);
}

static void text_begin(struct td_report *r)
{
    if (r->out.appended)
        td_output_char(&r->out, '\n');
    if (r->file)
        td_output_format(&r->out, "# %s\n", r->file);
}

/* Clears the screen and starts at its top, by CUP and ED of ECMA-48. */
static void text_again(struct td_report *r)
{
    if (!r->out.terminal)
        return;
    td_output_text(&r->out, "\033[H\033[J");
    r->explained_flags = r->explained_marks = 0;
    if (r->text)
        r->text->head = false;
}

static void text_repeat(struct td_report *r, const struct td_repeat *s)
{
    finish(r);
    put_cut(r, &(struct shown){.repeat = s}, show_repeat);
}

static void text_bench(struct td_report *r, const struct td_bench *b)
{
    put_cut(r, &(struct shown){.bench = b}, show_bench);
}

static void text_end(struct td_report *r, const struct td_outcome *e)
{
    finish(r);
    put_cut(r, &(struct shown){.outcome = e}, show_end);
    if (!r->text)
        return;
    td_held_free(&r->text->tree.held);
    td_held_free(&r->text->line.held);
    td_scope_table_free(&r->text->first);
    free(r->text);
    r->text = NULL;
}

const struct td_report_format td_report_text = {.name = "text",
                                                .begin = text_begin,
                                                .again = text_again,
                                                .result = text_result,
                                                .repeat = text_repeat,
                                                .bench = text_bench,
                                                .finding = td_findings_one,
                                                .diagnosis = td_findings_end,
                                                .end = text_end};

const struct td_report_format td_report_tree = {.name = "tree",
                                                .begin = text_begin,
                                                .result = tree_result,
                                                .repeat = text_repeat,
                                                .bench = text_bench,
                                                .finding = td_findings_one,
                                                .diagnosis = td_findings_end,
                                                .end = text_end};
