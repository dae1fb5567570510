/* SPDX-License-Identifier: MIT */
/* Functions in tables for people: two lines each. */
#include "report/functions/functions_rows.h"

#include "report/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SHARE = 7,
    NODE = 9,
    BOUNDED = 17,
    STAY = 6,
    WIDE = 110 /* fewest columns that have room for bounds */,
    NODES_MOST = 8
};

/* The nodes of level 1, by their index among the metrics. */
struct function_columns {
    size_t node[NODES_MOST], n;
    bool bounds; /* there is room for bounds */
};

static struct function_columns find_columns(const struct td_functions_report *r, const struct td_function *f)
{
    struct function_columns c = {.bounds = !r->width || r->width >= WIDE};

    for (size_t i = 0; i < f->of->metrics && c.n < NODES_MOST; i++)
        if (f->of->metric[i]->kind == TD_METRIC_NODE && f->of->metric[i]->level == TD_LEVEL_TOP)
            c.node[c.n++] = i;
    return c;
}

/* Puts a short name: "backend" for backend_bound, "bad_spec" for bad_speculation. */
static void put_node_name(struct td_output *o, const struct function_columns *c, const char *name)
{
    const char *end = strstr(name, "_bound");
    const size_t n = end ? (size_t)(end - name) : strlen(name), most = NODE - 1;

    td_put_right(o, name, name + (n < most ? n : most), c->bounds ? BOUNDED : NODE);
}

void td_functions_row_head(struct td_output *o, const struct td_functions_report *r, const struct td_function *f,
                           const char *kind)
{
    static const char slots[] = "slots", lost[] = "lost", stay[] = "stay";
    const struct function_columns c = find_columns(r, f);

    td_put_right(o, slots, slots + strlen(slots), SHARE);
    td_put_right(o, lost, lost + strlen(lost), SHARE);
    for (size_t i = 0; i < c.n; i++)
        put_node_name(o, &c, f->of->metric[c.node[i]]->name);
    td_put_right(o, stay, stay + strlen(stay), STAY);
    td_put_name(o, kind);
    td_output_char(o, '\n');
}

void td_functions_row_share(struct td_output *o, double share, int width)
{
    static const char none[] = "-";

    if (isnan(share))
        td_put_right(o, none, none + 1, width);
    else
        td_put_fixed(o, 100 * share, 1, width);
}

static void put_node(struct td_output *o, const struct function_columns *c, const struct td_metric *m)
{
    const bool bounded = m->bounds != TD_BOUNDS_NONE;
    char text[64];
    int n;

    if (m->status != TD_OK) {
        td_functions_row_share(o, (double)NAN, c->bounds ? BOUNDED : NODE);
        return;
    }
    if (c->bounds && bounded)
        n = snprintf(text, sizeof(text), "%.1f %.1f..%.1f", 100 * m->value, 100 * m->low, 100 * m->high);
    else
        n = snprintf(text, sizeof(text), "%.1f%s", 100 * m->value, bounded ? "~" : "?");
    td_put_right(o, text, text + n, c->bounds ? BOUNDED : NODE);
}

/* Puts how often the program stays, which is not known of a function in which no interval began. */
static void put_stay(struct td_output *o, double stay)
{
    if (isnan(stay))
        td_functions_row_share(o, stay, STAY);
    else
        td_put_fixed(o, stay, 2, STAY);
}

static void put_row(struct td_output *o, const struct td_functions_report *r, const struct td_function *f)
{
    const struct function_columns c = find_columns(r, f);

    td_functions_row_share(o, td_function_share(f), SHARE);
    td_functions_row_share(o, td_function_lost(f), SHARE);
    for (size_t i = 0; i < c.n; i++)
        put_node(o, &c, f->of->metric[c.node[i]]);
    put_stay(o, td_function_smear(f).stay);
    td_put_name(o, f->name);
    if (f->of->core)
        td_output_format(o, " (%s)", f->of->core);
    td_output_char(o, '\n');
}

/* Puts the verdict, with the bounds of the node that limits where the columns have no room for them. */
static void put_verdict(struct td_output *o, const struct td_functions_report *r, const struct td_function *f)
{
    const bool bounds = find_columns(r, f).bounds;
    const struct td_metric *m = f->of->verdict->node;
    char text[TD_FUNCTIONS_TEXT];

    td_output_format(o, "    => %s", td_function_verdict(f, text));
    if (m && m->bounds != TD_BOUNDS_NONE && (!bounds || m->level > TD_LEVEL_TOP))
        td_output_format(o, ": %.1f %%, %.1f .. %.1f", 100 * m->value, 100 * m->low, 100 * m->high);
    td_output_char(o, '\n');
}

void td_functions_row_put(struct td_output *o, const struct td_functions_report *r, const struct td_function *f)
{
    put_row(o, r, f);
    put_verdict(o, r, f);
}
