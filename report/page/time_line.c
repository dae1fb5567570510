/* SPDX-License-Identifier: MIT */
#include "report/page/time_line.h"

#include "private/drawing.h"
#include "report/page/packed.h"
#include "report/page/time_table.h"
#include "report/xml.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct td_page_code td_time_line_script = {
#include "report/page/time_line_js.inc"
};

/* ---- a line ------------------------------------------------------------------------------------------- */

static bool is_of(const struct td_scope_line *l, const struct td_result *r)
{
    const char *core = td_result_core(r);

    return !strcmp(l->scope, td_result_scope(r)) && !strcmp(l->cpu, td_result_cpu(r)) &&
           (core && l->core ? !strcmp(core, l->core) : !core && !l->core);
}

static bool is_node(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->status != TD_NOT_ON_THIS_CPU && m->status != TD_NOT_IN_THIS_FORMULA;
}

static bool is_top(const struct td_metric *m)
{
    return is_node(m) && m->level == TD_LEVEL_TOP;
}

static int begin(struct td_scope_line *l, const struct td_result *r)
{
    const char *core = td_result_core(r);

    *l = (struct td_scope_line){.scope = strdup(td_result_scope(r)),
                                .core = core ? strdup(core) : NULL,
                                .cpu = strdup(td_result_cpu(r)),
                                .deep = calloc(td_result_metrics(r) + 1, sizeof(*l->deep))};
    for (size_t i = 0; l->deep && i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (is_top(m) && l->nodes < TD_LINE_NODES)
            l->node[l->nodes++] = m->name;
        else if (is_node(m) && !is_top(m))
            l->deep[l->deeps++] = m->name;
    }
    return l->scope && l->cpu && l->deep && (l->core || !core) ? 0 : -ENOMEM;
}

static void end(struct td_scope_line *l)
{
    for (size_t i = 0; i < l->verdicts; i++)
        free(l->verdict[i]);
    free(l->verdict);
    free(l->scope);
    free(l->core);
    free(l->cpu);
    free(l->point);
    free(l->phase);
    free(l->deep);
    free(l->below);
}

/* The line of a result; NULL: there is none yet. Scopes follow each other in the same order again and again. */
static struct td_scope_line *find_line(struct td_time_line *t, const struct td_result *r)
{
    for (size_t i = 0; i < t->n; i++) {
        const size_t at = (t->last + 1 + i) % t->n;

        if (is_of(&t->line[at], r)) {
            t->last = at;
            return &t->line[at];
        }
    }
    return NULL;
}

/* The line of a result, which is added if it is new; NULL: out of memory. */
static struct td_scope_line *line_of(struct td_time_line *t, const struct td_result *r)
{
    struct td_scope_line *more = find_line(t, r);

    if (more)
        return more;
    more = reallocarray(t->line, t->n + 1, sizeof(*more));
    if (!more)
        return NULL;
    t->line = more;
    if (begin(&more[t->n], r)) {
        end(&more[t->n]);
        return NULL;
    }
    t->last = t->n++;
    return &more[t->last];
}

/* ---- verdicts ------------------------------------------------------------------------------------------- */

enum { WORDS = 256 };

/* A verdict in few words, of which few are different. */
static void words_of(const struct td_verdict *v, char text[WORDS])
{
    size_t n = 0;

    if (!v->npath) {
        snprintf(text, WORDS, "%s", v->no_values ? "no value" : v->status == TD_VERDICT_NONE ? "none" : "undecided");
        return;
    }
    n = (size_t)snprintf(text, WORDS, "%s", v->status == TD_VERDICT_DECIDED ? "limited by " : "probably ");
    for (size_t i = 0; i < v->npath && n < WORDS; i++)
        n += (size_t)snprintf(text + n, WORDS - n, "%s%s", i ? ": " : "", v->path[i]->name);
}

/* The number of a verdict, which is added if it is new; -ENOMEM. */
static int verdict_of(struct td_scope_line *l, const struct td_verdict *v)
{
    const bool other = l->verdicts + 1 == TD_LINE_VERDICTS; /* the last stands for all that are not among the others */
    char text[WORDS], **more;

    words_of(v, text);
    for (size_t i = 0; i < l->verdicts; i++)
        if (!strcmp(l->verdict[i], text))
            return (int)i;
    if (l->verdicts == TD_LINE_VERDICTS)
        return TD_LINE_VERDICTS - 1;
    more = reallocarray(l->verdict, l->verdicts + 1, sizeof(*more));
    if (!more)
        return -ENOMEM;
    l->verdict = more;
    more[l->verdicts] = strdup(other ? "another verdict" : text);
    if (!more[l->verdicts])
        return -ENOMEM;
    l->colour[l->verdicts] = td_node_colour_of(other          ? TD_NODE_UNDECIDED
                                               : v->npath     ? v->path[0]->name
                                               : v->no_values ? TD_NODE_NO_ESTIMATE
                                                              : TD_NODE_UNDECIDED)
                                 ->colour;
    return (int)l->verdicts++;
}

/* ---- points ----------------------------------------------------------------------------------------------- */

/* A share in steps, rounded down after adding up; NAN: none. */
static uint8_t steps_of(double share, double up)
{
    return isnan(share) ? TD_LINE_NONE : (uint8_t)floor(TD_LINE_STEPS * fmin(fmax(share, 0), 1) + up);
}

/* Which of n names a metric has, from the k-th on; n: none of them. They are in the order of metrics, some of which an
 * interval may lack. */
static size_t index_of(const char *const *name, size_t n, size_t k, const struct td_metric *m)
{
    while (k < n && strcmp(name[k], m->name) != 0)
        k++;
    return k;
}

/* Values are rounded to the next step, bounds outwards, but for what is less than the arithmetic of doubles is off. */
static void fill(struct td_line_point *p, const struct td_scope_line *l, const struct td_result *r)
{
    static const double noise = 1e-9;

    memset(p->value, TD_LINE_NONE, 3 * sizeof(p->value));
    for (size_t i = 0, k = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);
        const bool bounds = m->status == TD_OK && m->bounds != TD_BOUNDS_NONE;
        const size_t at = is_top(m) ? index_of(l->node, l->nodes, k, m) : l->nodes;

        if (at == l->nodes)
            continue;
        p->value[at] = steps_of(m->status == TD_OK ? m->value : (double)NAN, 0.5);
        p->low[at] = steps_of(bounds ? m->low : (double)NAN, noise);
        p->high[at] = steps_of(bounds ? m->high : (double)NAN, 1 - noise);
        k = at + 1;
    }
}

/* The values of the last point's nodes below level 1. */
static void fill_below(struct td_scope_line *l, const struct td_result *r)
{
    uint8_t *value = l->below + (l->n - 1) * l->deeps;

    for (size_t i = 0, k = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);
        const size_t at = is_node(m) && !is_top(m) ? index_of(l->deep, l->deeps, k, m) : l->deeps;

        if (at == l->deeps)
            continue;
        value[at] = steps_of(m->status == TD_OK ? m->value : (double)NAN, 0.5);
        k = at + 1;
    }
}

static bool make_room(struct td_scope_line *l)
{
    const size_t room = l->room ? 2 * l->room : 64;
    struct td_line_point *point = reallocarray(l->point, room, sizeof(*point));
    uint8_t *below;

    if (!point)
        return false;
    l->point = point;
    below = reallocarray(l->below, room, l->deeps + 1);
    if (!below)
        return false;
    l->below = below;
    l->room = room;
    return true;
}

static struct td_line_point *add_point(struct td_scope_line *l)
{
    if (l->n == l->room && !make_room(l))
        return NULL;
    memset(&l->point[l->n], TD_LINE_NONE, sizeof(*l->point));
    memset(l->below + l->n * l->deeps, TD_LINE_NONE, l->deeps);
    return &l->point[l->n++];
}

/* Adds a point that has no value up to when the interval began, where that is later than the one before ended. */
static int add_gap(struct td_scope_line *l, uint64_t began, uint64_t duration)
{
    struct td_line_point *p;

    if (!l->n)
        l->start = began;
    if (!l->n || began <= l->point[l->n - 1].end + duration / 16)
        return 0;
    p = add_point(l);
    if (!p)
        return -ENOMEM;
    p->end = began;
    return 0;
}

int td_time_line_add(struct td_time_line *t, const struct td_result *r, const struct td_verdict *v)
{
    struct td_scope_line *l = line_of(t, r);
    const int verdict = l ? verdict_of(l, v) : -ENOMEM;
    uint64_t time = 0, duration = 0;
    struct td_line_point *p;

    if (verdict < 0)
        return verdict;
    l->timed = td_result_time(r, &time);
    if (!l->timed)
        time = l->measured + 1;
    if (l->timed && td_result_duration(r, &duration) && add_gap(l, time > duration ? time - duration : 0, duration))
        return -ENOMEM;
    p = add_point(l);
    if (!p)
        return -ENOMEM;
    p->end = time;
    p->verdict = (uint8_t)verdict;
    fill(p, l, r);
    fill_below(l, r);
    l->measured++;
    t->intervals++;
    return 0;
}

bool td_time_line_wants(const struct td_time_line *t, const char *name)
{
    for (size_t i = 0; i < t->nwanted; i++)
        if (!strcmp(t->wanted[i], name))
            return true;
    return false;
}

int td_time_line_want(struct td_time_line *t, const char *name)
{
    const char **more;

    if (td_time_line_wants(t, name))
        return 0;
    more = reallocarray(t->wanted, t->nwanted + 1, sizeof(*more));
    if (!more)
        return -ENOMEM;
    t->wanted = more;
    more[t->nwanted++] = name;
    return 0;
}

int td_time_line_end_phase(struct td_time_line *t, const struct td_result *sum)
{
    struct td_scope_line *l = find_line(t, sum);
    size_t *more;

    if (!l)
        return 0;
    more = reallocarray(l->phase, l->phases + 1, sizeof(*more));
    if (!more)
        return -ENOMEM;
    l->phase = more;
    more[l->phases] = l->n;
    return (int)++l->phases;
}

/* ---- the page --------------------------------------------------------------------------------------------- */

/* How many ns one unit of time is, so that 32 bits have room for all of the line. */
static uint64_t unit_of(const struct td_scope_line *l)
{
    return (l->point[l->n - 1].end - l->start) / UINT32_MAX + 1;
}

/* Puts when points end, in units since the line's start, each in four bytes, the lowest first. */
static void put_times(struct td_output *o, const struct td_scope_line *l, uint8_t *bytes)
{
    for (size_t i = 0; i < l->n; i++) {
        const uint64_t units = l->point[i].end > l->start ? (l->point[i].end - l->start) / unit_of(l) : 0;

        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(units >> (8 * k));
    }
    td_packed_put(o, "times", bytes, 4 * l->n, 1);
}

/* Puts the byte at an offset of all points, and of those after it: of each node, one after the other. */
static void put_bytes(struct td_output *o, const char *what, const struct td_scope_line *l, size_t offset, size_t nodes,
                      uint8_t *bytes)
{
    for (size_t k = 0; k < nodes; k++)
        for (size_t i = 0; i < l->n; i++)
            bytes[k * l->n + i] = *((const uint8_t *)&l->point[i] + offset + k);
    td_packed_put(o, what, bytes, l->n, nodes);
}

/* Puts the shares of level 1. They are parts of one whole: of the last node there is by how much it differs from what
 * the others leave, which varies less than it does, and so takes a quarter of the room. Modulo 256, from which any
 * bytes can be had back. */
static void put_shares(struct td_output *o, const struct td_scope_line *l, uint8_t *bytes)
{
    for (size_t i = 0; i < l->n; i++) {
        unsigned sum = 0;

        for (size_t k = 0; k < l->nodes; k++) {
            sum += l->point[i].value[k];
            bytes[k * l->n + i] = (uint8_t)(k + 1 < l->nodes ? l->point[i].value[k] : sum - TD_LINE_STEPS);
        }
    }
    td_packed_put(o, "value", bytes, l->n, l->nodes);
}

/* Puts the values of those nodes below level 1 that the heat map tells. */
static void put_below(struct td_output *o, const struct td_time_line *t, const struct td_scope_line *l, uint8_t *bytes)
{
    for (size_t k = 0; k < l->deeps; k++) {
        if (!td_time_line_wants(t, l->deep[k]))
            continue;
        for (size_t i = 0; i < l->n; i++)
            bytes[i] = l->below[i * l->deeps + k];
        td_packed_put_node(o, "below", l->deep[k], bytes, l->n);
    }
}

static bool has_times_of(const struct td_scope_line *l, const struct td_scope_line *other)
{
    if (l->timed != other->timed || l->start != other->start || l->n != other->n)
        return false;
    for (size_t i = 0; i < l->n; i++)
        if (l->point[i].end != other->point[i].end)
            return false;
    return true;
}

/* before: the line before it, whose times it may have; NULL: it is the first. */
static void put_arrays(struct td_output *o, const struct td_time_line *t, const struct td_scope_line *l,
                       const struct td_scope_line *before)
{
    uint8_t *bytes = malloc(l->n * TD_LINE_NODES);

    if (!bytes) {
        o->error = -ENOMEM;
        return;
    }
    if (!before || !has_times_of(l, before))
        put_times(o, l, bytes);
    put_bytes(o, "verdict", l, offsetof(struct td_line_point, verdict), 1, bytes);
    put_shares(o, l, bytes);
    if (t->intervals <= TD_LINE_BOUNDED) {
        put_bytes(o, "low", l, offsetof(struct td_line_point, low), l->nodes, bytes);
        put_bytes(o, "high", l, offsetof(struct td_line_point, high), l->nodes, bytes);
    }
    if (td_heat_map_has(t))
        put_below(o, t, l, bytes);
    free(bytes);
}

static void put_data(struct td_output *o, const struct td_time_line *t, size_t number)
{
    const struct td_scope_line *l = &t->line[number];

    td_output_text(o, "<div class=\"line\" hidden=\"hidden\" data-scope=\"");
    td_xml_put(o, l->scope);
    td_output_format(o, "\" data-core=\"%s\" data-cpu=\"", l->core ? l->core : "");
    td_xml_put(o, l->cpu);
    td_output_format(o, "\" data-timed=\"%d\" data-start=\"%" PRIu64 "\" data-unit=\"%" PRIu64 "\" data-nodes=\"",
                     l->timed, l->start, unit_of(l));
    for (size_t i = 0; i < l->nodes; i++)
        td_output_format(o, "%s%s", i ? "|" : "", l->node[i]);
    td_output_text(o, "\" data-colours=\"");
    for (size_t i = 0; i < l->nodes; i++)
        td_output_format(o, "%s%s", i ? "|" : "", td_node_colour_of(l->node[i])->colour);
    td_output_text(o, "\" data-verdicts=\"");
    for (size_t i = 0; i < l->verdicts; i++)
        td_output_format(o, "%s%s", i ? "|" : "", l->verdict[i]);
    td_output_text(o, "\" data-ribbon=\"");
    for (size_t i = 0; i < l->verdicts; i++)
        td_output_format(o, "%s%s", i ? "|" : "", l->colour[i]);
    for (size_t i = 0; i < l->phases; i++)
        td_output_format(o, "%s%zu", i ? "|" : "\" data-phases=\"", l->phase[i]);
    td_output_text(o, "\">\n");
    put_arrays(o, t, l, number ? l - 1 : NULL);
    td_output_text(o, "</div>\n");
}

static void put_words(struct td_output *o, const struct td_time_line *t)
{
    td_output_format(o, "<p class=\"soft\">%zu intervals; values to 0.5 %%. ", t->intervals);
    if (t->intervals <= TD_LINE_BOUNDED)
        td_output_text(o,
                       "Below the stack of level 1 each node has a band from the least to the largest that it may be");
    else
        td_output_format(
            o,
            "The page has bounds for at most %d intervals, and so has none of these: below the stack of level "
            "1 each node has a band from its least to its largest value where a point of the picture is of "
            "several intervals, of which the stack shows the mean",
            TD_LINE_BOUNDED);
    td_output_text(o, ". The ribbon is the verdict of each.</p>\n");
}

/* Whether there is something to draw. */
static bool has_several(const struct td_time_line *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->line[i].measured > 1)
            return true;
    return false;
}

void td_time_line_put(struct td_output *o, const struct td_time_line *t)
{
    if (!has_several(t))
        return;
    td_output_text(o, "<section class=\"time\">\n<h2>Over time</h2>\n");
    put_words(o, t);
    td_output_text(
        o,
        "<div class=\"drawn\" hidden=\"hidden\">\n<p class=\"choice\"><label>scope <select></select></label></p>\n"
        "<div class=\"plot\" tabindex=\"0\" role=\"slider\" aria-label=\"interval\"></div>\n"
        "<p class=\"axis\"><span></span><span></span></p>\n"
        "<p class=\"soft keys\">Left and right step by an interval, with Shift by ten; Home and End; + and - zoom, and so "
        "does dragging; Escape or a double click shows all.</p>\n"
        "<table class=\"nodes readout\"><caption></caption><thead><tr><th scope=\"col\">node</th>"
        "<th scope=\"col\">value</th><th scope=\"col\">bounds</th><th scope=\"col\">beside it</th></tr></thead>"
        "<tbody></tbody></table>\n</div>\n");
    td_time_table_put(o, t);
    for (size_t i = 0; i < t->n; i++)
        put_data(o, t, i);
    td_output_text(o, "</section>\n");
    td_heat_map_put(o, t);
}

void td_time_line_free(struct td_time_line *t)
{
    for (size_t i = 0; i < t->n; i++)
        end(&t->line[i]);
    free(t->line);
    free(t->wanted);
}
