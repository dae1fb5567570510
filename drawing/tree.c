/* SPDX-License-Identifier: MIT */
#include "drawing/put.h"
#include "private/drawing.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct td_page_code style = {
#include "drawing/tree_css.inc"
};

const struct td_page_code *td_tree_style(void)
{
    return &style;
}

struct drawn {
    const struct td_drawn_tree *tree;
    struct td_put to;
};

/* ---- a bar -------------------------------------------------------------------------------------- */

/* A share in percent; one that is shown as 0 has no sign. */
static double percent(double share)
{
    return fabs(share) < 0.0005 ? 0 : 100 * share;
}

static const struct td_metric *find(const struct td_drawn_tree *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->metric[i].name, name))
            return &t->metric[i];
    return NULL;
}

/* The node of level 1 that a node is part of. */
static const char *top_of(const struct td_drawn_tree *t, const struct td_metric *m)
{
    const struct td_metric *above;

    while (*m->parent && (above = find(t, m->parent)) && above->level < m->level)
        m = above;
    return m->name;
}

static void put_bar(struct drawn *d, const struct td_metric *m)
{
    const double width = td_bar_place(m->value);

    td_put_format(&d->to,
                  "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"%.2f%%\" height=\"100%%\" fill=\"%s\"/>",
                  width, td_node_colour_of(top_of(d->tree, m))->colour);
    if (m->bounds == TD_BOUNDS_LIKELY)
        td_put_format(&d->to, "<rect width=\"%.2f%%\" height=\"100%%\" fill=\"url(#td-likely)\"/>", width);
    if (m->bounds != TD_BOUNDS_NONE && !d->to.err)
        d->to.err = td_bar_whisker(td_bar_place(m->low), td_bar_place(m->high), d->to.write, d->to.ctx);
    td_put_text(&d->to, "</svg>");
}

/* ---- a node ------------------------------------------------------------------------------------- */

/* Where on the verdict's path a node is; npath: nowhere. */
static size_t step_of(const struct td_verdict *v, const struct td_metric *m)
{
    size_t i = 0;

    while (i < v->npath && v->path[i] != m)
        i++;
    return i;
}

/* What the verdict has of a node, in words; NULL: nothing. */
static const char *part_of(const struct td_verdict *v, const struct td_metric *m)
{
    const size_t step = step_of(v, m);

    if (step < v->npath)
        return step < v->nsound ? "limits" : "probably limits";
    for (size_t i = 0; i < v->namong; i++)
        if (v->among[i] == m)
            return "may limit";
    return NULL;
}

static void put_value(struct drawn *d, const struct td_metric *m)
{
    td_put_format(&d->to, " <span class=\"value\">%.1f %%", percent(m->value));
    if (strcmp(m->unit, "slots") != 0) {
        td_put_text(&d->to, " of ");
        td_put_markup(&d->to, m->unit);
    }
    td_put_text(&d->to, "</span> <span class=\"bounds\">");
    if (m->bounds == TD_BOUNDS_NONE)
        td_put_text(&d->to, "no bounds");
    else
        td_put_format(&d->to, "%.1f .. %.1f%s", percent(m->low), percent(m->high),
                      m->bounds == TD_BOUNDS_LIKELY ? ", likely" : "");
}

static void put_row(struct drawn *d, const struct td_metric *m)
{
    const char *part = part_of(d->tree->verdict, m);

    td_put_format(&d->to, "<span class=\"name level%d\">", m->level);
    td_put_markup(&d->to, m->name);
    if (part)
        td_put_format(&d->to, " <b class=\"tag\">%s</b>", part);
    td_put_text(&d->to, "</span> ");
    if (m->status == TD_OK) {
        put_bar(d, m);
        put_value(d, m);
    } else {
        td_put_text(&d->to,
                    "<span class=\"bar\"></span> <span class=\"value\">\xe2\x80\x93</span> <span class=\"bounds\">");
        if (d->tree->reason && !d->to.err)
            d->tree->reason(d->to.ctx, m);
    }
    td_put_text(&d->to, "</span>");
}

/* Puts the row, which unfolds to what the node means, where that is known. */
static void put_node(struct drawn *d, const struct td_metric *m)
{
    if (d->tree->unfolds && d->tree->unfolds(d->to.ctx, m)) {
        td_put_text(&d->to, "<details><summary class=\"row\">");
        put_row(d, m);
        td_put_text(&d->to, "</summary>\n");
        if (!d->to.err)
            d->tree->meaning(d->to.ctx, m);
        td_put_text(&d->to, "</details>\n");
    } else {
        td_put_text(&d->to, "<div class=\"row\">");
        put_row(d, m);
        td_put_text(&d->to, "</div>\n");
    }
}

static void put_number(struct drawn *d, const char *attribute, double value)
{
    if (!isnan(value))
        td_put_format(&d->to, " data-%s=\"%.6f\"", attribute, value);
}

static void begin_item(struct drawn *d, const struct td_metric *m)
{
    const bool limits = step_of(d->tree->verdict, m) < d->tree->verdict->npath;

    td_put_format(&d->to, "<li class=\"node%s\" data-node=\"", limits ? " limits" : "");
    td_put_markup(&d->to, m->name);
    td_put_text(&d->to, "\"");
    if (m->status == TD_OK) {
        put_number(d, "value", m->value);
        put_number(d, "low", m->low);
        put_number(d, "high", m->high);
    }
    td_put_text(&d->to, ">\n");
}

/* ---- the tree ------------------------------------------------------------------------------------- */

static bool is_node(const struct td_drawn_tree *t, size_t i)
{
    return t->shown[i] && t->metric[i].kind == TD_METRIC_NODE;
}

/* Whether the i-th metric is shown right below parent; NULL: below none, also because its own is not shown. */
static bool is_below(const struct td_drawn_tree *t, size_t i, const struct td_metric *parent)
{
    const struct td_metric *m = &t->metric[i];

    if (!is_node(t, i))
        return false;
    if (parent)
        return m->level > parent->level && !strcmp(m->parent, parent->name);
    for (size_t k = 0; k < t->n; k++)
        if (is_node(t, k) && is_below(t, i, &t->metric[k]))
            return false;
    return true;
}

/* How many nodes are right below parent; notable: whether one of them deserves a look. */
static size_t count_below(const struct td_drawn_tree *t, const struct td_metric *parent, bool *notable)
{
    size_t n = 0;

    *notable = false;
    for (size_t i = 0; i < t->n; i++) {
        const struct td_metric *m = &t->metric[i];

        if (!is_below(t, i, parent))
            continue;
        n++;
        *notable = *notable || m->over == TD_OVER_YES || part_of(t->verdict, m);
    }
    return n;
}

static void begin_folded(struct drawn *d, const struct td_metric *parent, size_t n, bool open)
{
    td_put_format(&d->to, "<details class=\"deeper\"%s><summary>%zu below ", open ? " open=\"open\"" : "", n);
    td_put_markup(&d->to, parent->name);
    td_put_text(&d->to, "</summary>\n");
}

/* Puts the nodes below parent, each with those below itself. These have higher levels, so that the recursion ends. */
static void put_below(struct drawn *d, const struct td_metric *parent)
{
    const struct td_drawn_tree *t = d->tree;
    bool notable;
    const size_t n = count_below(t, parent, &notable);
    const bool folded = parent && parent->level >= TD_LEVEL_USUAL;

    if (!n)
        return;
    if (folded)
        begin_folded(d, parent, n, notable);
    td_put_text(&d->to, "<ul class=\"tree\">\n");
    for (size_t i = 0; i < t->n; i++)
        if (is_below(t, i, parent)) {
            begin_item(d, &t->metric[i]);
            put_node(d, &t->metric[i]);
            put_below(d, &t->metric[i]);
            td_put_text(&d->to, "</li>\n");
        }
    td_put_text(&d->to, folded ? "</ul></details>\n" : "</ul>\n");
}

int td_tree_html(const struct td_drawn_tree *t)
{
    struct drawn d = {.tree = t};

    if (t->size != sizeof(*t) || t->metric_size != sizeof(*t->metric))
        return -EINVAL;
    d.to = (struct td_put){.write = t->write, .ctx = t->ctx};
    put_below(&d, NULL);
    return d.to.err;
}
