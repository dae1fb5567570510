/* SPDX-License-Identifier: MIT */
/* Functions by lines of source, for people: each line, with those around it, and its instructions below it. */
#include "report/functions/functions_rows.h"

#include "report/columns.h"
#include "report/report.h"
#include "report/screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    SHARE = 7,
    NODE = 9,
    LIMIT = 24,
    NARROW_LIMIT = 13,
    NUMBER = 7,
    CONTEXT = 2 /* how many lines around one that is shown are shown too */,
    NODES_MOST = 8
};
enum { WIDE = 110, NARROW = 70 /* columns of a terminal from which on there is room for nodes, and for values */ };

struct table {
    struct td_output *o;
    const struct td_functions_report *r;
    const struct td_annotated *a;
    size_t node[NODES_MOST], nodes; /* those of level 1; there are none without room, or if no line has any */
    bool narrow;
};

/* ---- what is shown ------------------------------------------------------------------- */

static bool any_estimate(const struct table *t)
{
    for (size_t i = 0; i < t->a->lines; i++) {
        const struct td_annotated_line *l = &t->a->line[i];

        if (l->seen && l->shown && l->seen->status == TD_PLACE_OK)
            return true;
    }
    return false;
}

static void find_nodes(struct table *t)
{
    const struct td_function *f = t->a->function;

    if ((t->r->width && t->r->width < WIDE) || !any_estimate(t))
        return;
    for (size_t i = 0; i < f->of->metrics && t->nodes < NODES_MOST; i++)
        if (f->of->metric[i]->kind == TD_METRIC_NODE && f->of->metric[i]->level == TD_LEVEL_TOP)
            t->node[t->nodes++] = i;
}

/* ---- columns --------------------------------------------------------------------------- */

static void put_padded(struct td_output *o, const char *text, size_t n, int width)
{
    td_output_bytes(o, text, n);
    td_put_blanks(o, width - (int)n);
}

/* Puts what limits a line: the node and its value, or why there is none. */
static void put_limit(const struct table *t, const struct td_function *seen)
{
    const struct td_metric *m = seen && seen->status == TD_PLACE_OK ? seen->of->verdict->node : NULL;
    const char *status = !seen ? "" : seen->status == TD_PLACE_OK ? "undecided" : td_place_status_name(seen->status);
    const int width = t->narrow ? NARROW_LIMIT : LIMIT;
    char text[LIMIT];
    int n;

    if (!m)
        n = snprintf(text, sizeof(text), "%s", status);
    else if (t->narrow)
        n = snprintf(text, sizeof(text), "%.*s", NARROW_LIMIT - 1, m->name);
    else
        n = snprintf(text, sizeof(text), "%.16s %.1f%s", m->name, 100 * m->value,
                     m->bounds != TD_BOUNDS_NONE ? "~" : "?");
    td_output_text(t->o, "  ");
    if (m && t->r->colour)
        td_output_text(t->o, TD_COLOUR_LIMIT);
    td_output_text(t->o, text);
    if (m && t->r->colour)
        td_output_text(t->o, TD_COLOUR_END);
    td_put_blanks(t->o, width - n);
}

static void put_nodes(const struct table *t, const struct td_function *seen)
{
    char text[64];

    for (size_t i = 0; i < t->nodes; i++) {
        const struct td_metric *m = seen && t->node[i] < seen->of->metrics ? seen->of->metric[t->node[i]] : NULL;
        int n = snprintf(text, sizeof(text), "%s", m ? "-" : "");

        if (m && m->status == TD_OK)
            n = snprintf(text, sizeof(text), "%.1f%s", 100 * m->value, m->bounds != TD_BOUNDS_NONE ? "~" : "?");
        td_put_right(t->o, text, text + n, NODE);
    }
}

/* Puts the slots, which is all that is known of an instruction. */
static void put_slots(const struct table *t, const struct td_function *seen)
{
    if (seen)
        td_functions_row_share(t->o, td_annotated_share(t->a, seen), SHARE);
    else
        td_put_blanks(t->o, SHARE);
    td_put_blanks(t->o, (int)t->nodes * NODE + 2 + (t->narrow ? NARROW_LIMIT : LIMIT));
}

/* Puts the columns before the source; seen NULL: empty ones. */
static void put_columns(const struct table *t, const struct td_function *seen)
{
    if (seen)
        td_functions_row_share(t->o, td_annotated_share(t->a, seen), SHARE);
    else
        td_put_blanks(t->o, SHARE);
    put_nodes(t, seen);
    put_limit(t, seen);
}

static void put_head(const struct table *t)
{
    static const char slots[] = "slots", number[] = "line";

    td_put_right(t->o, slots, slots + strlen(slots), SHARE);
    for (size_t i = 0; i < t->nodes; i++) {
        const char *name = t->a->function->of->metric[t->node[i]]->name, *end = strstr(name, "_bound");
        const size_t n = end ? (size_t)(end - name) : strlen(name);

        td_put_right(t->o, name, name + (n < NODE - 1 ? n : NODE - 1), NODE);
    }
    td_output_text(t->o, "  ");
    put_padded(t->o, "limit", strlen("limit"), t->narrow ? NARROW_LIMIT : LIMIT);
    td_put_right(t->o, number, number + strlen(number), NUMBER);
    td_output_text(t->o, "  source and instructions\n");
}

/* Puts as much of the text as there is room for after the columns and the taken ones after them. */
static void put_text(const struct table *t, const char *text, size_t taken)
{
    const size_t before = SHARE + t->nodes * NODE + 2 + (t->narrow ? NARROW_LIMIT : LIMIT) + NUMBER + 2 + taken;

    td_screen_put(t->o, text ? text : "", text ? strlen(text) : 0,
                  !t->r->width           ? 0
                  : t->r->width > before ? t->r->width - before
                                         : 1);
    td_output_char(t->o, '\n');
}

/* ---- rows -------------------------------------------------------------------------------- */

static void put_source(const struct table *t, const struct td_function *seen, unsigned number, const char *text)
{
    char digits[16];
    const int n = snprintf(digits, sizeof(digits), "%u", number);

    put_columns(t, seen);
    td_put_right(t->o, digits, digits + n, NUMBER);
    td_output_text(t->o, "  ");
    put_text(t, text, 0);
}

static void put_instruction(const struct table *t, const struct td_annotated_instruction *i)
{
    char address[32];
    const int n = snprintf(address, sizeof(address), i->addressed ? "%8" PRIx64 "  " : "+0x%" PRIx64,
                           i->addressed ? i->address : i->offset);

    put_slots(t, i->seen);
    td_put_blanks(t->o, NUMBER + 2);
    td_output_text(t->o, address);
    put_text(t, i->text, (size_t)n);
}

static void put_instructions(const struct table *t, const struct td_annotated_line *l)
{
    for (size_t i = l->first; i < l->first + l->n; i++)
        if (t->a->instruction[i].shown)
            put_instruction(t, &t->a->instruction[i]);
}

/* Puts the lines from one number up to another, around those that are shown. The lines of the code are among them, from
 * the at-th on, and have slots. */
static void put_context(const struct table *t, size_t at, size_t end, const char *file, unsigned from, unsigned to)
{
    for (unsigned n = from; n < to; n++) {
        const char *text = td_annotated_text(t->a, file, n);

        while (at < end && t->a->line[at].line < n)
            at++;
        if (text)
            put_source(t, at < end && t->a->line[at].line == n ? t->a->line[at].seen : NULL, n, text);
    }
}

static void put_file_name(const struct table *t, const char *file)
{
    td_output_text(t->o, file ? file : "[unknown line]");
    td_output_text(t->o, ":\n");
}

/* Puts the lines of one file: from the at-th up to the end-th. */
static void put_file(const struct table *t, size_t at, size_t end)
{
    const struct td_annotated_line *const line = t->a->line;
    unsigned next = 0; /* the first line that was not put yet; 0: none was put */

    for (size_t i = at; i < end; i++) {
        const unsigned from = line[i].line > CONTEXT ? line[i].line - CONTEXT : 1;
        size_t after = i + 1;

        if (!line[i].shown)
            continue;
        if (!next)
            put_file_name(t, line[i].file);
        else if (from > next)
            td_output_text(t->o, "    ...\n");
        if (line[i].line) {
            put_context(t, at, end, line[i].file, from > next ? from : next, line[i].line);
            put_source(t, line[i].seen, line[i].line, line[i].text);
        }
        put_instructions(t, &line[i]);
        while (after < end && !line[after].shown)
            after++;
        next = line[i].line + 1 + CONTEXT;
        if (after < end && line[after].line < next)
            next = line[after].line;
        put_context(t, i + 1, end, line[i].file, line[i].line + 1, line[i].line ? next : 0);
    }
}

static size_t count_hidden(const struct table *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->a->lines; i++)
        n += t->a->line[i].seen && !t->a->line[i].shown;
    return n;
}

static void put_table(struct table *t)
{
    const struct td_annotated *a = t->a;
    const size_t hidden = count_hidden(t);

    put_head(t);
    for (size_t at = 0, end; at < a->lines; at = end) {
        for (end = at; end < a->lines && a->line[end].file == a->line[at].file;)
            end++;
        put_file(t, at, end);
    }
    if (hidden)
        td_output_format(t->o, "%zu more line%s with slots: --limit 0 shows all, and all instructions\n", hidden,
                         hidden == 1 ? "" : "s");
}

void td_functions_annotated_put(struct td_output *o, const struct td_functions_report *r)
{
    td_output_format(o, "%s  [%s]: lines and instructions, in percent of their function's slots\n", r->functions->cpu,
                     r->functions->formula);
    for (size_t i = 0; i < r->nannotated; i++) {
        struct table t = {.o = o, .r = r, .a = &r->annotated[i], .narrow = r->width && r->width < NARROW};

        if (i)
            td_output_char(o, '\n');
        find_nodes(&t);
        td_functions_row_head(o, r, t.a->function, t.a->function->kind);
        td_functions_row_put(o, r, t.a->function);
        put_table(&t);
    }
}
