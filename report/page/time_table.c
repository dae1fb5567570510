/* SPDX-License-Identifier: MIT */
#include "report/page/time_table.h"

#include "report/xml.h"

/* Points of a line that follow each other: from is the first of them, to the first after them. */
struct part {
    const struct td_scope_line *line;
    size_t from, to;
};

static double percent(double steps)
{
    return 100 * steps / TD_LINE_STEPS;
}

static bool is_gap(const struct td_line_point *p)
{
    return p->verdict == TD_LINE_NONE;
}

/* The verdict that most of a part have. */
static const char *verdict_of(const struct part *p)
{
    unsigned long n[TD_LINE_VERDICTS] = {0};
    size_t most = 0;

    for (size_t i = p->from; i < p->to; i++)
        if (!is_gap(&p->line->point[i]) && ++n[p->line->point[i].verdict] > n[most])
            most = p->line->point[i].verdict;
    return n[most] ? p->line->verdict[most] : "not measured";
}

/* Puts the mean of a node, and from where to where it may be, or was. */
static void put_node(struct td_output *o, const struct part *p, size_t node)
{
    double sum = 0, least = TD_LINE_STEPS, largest = 0;
    size_t n = 0;

    for (size_t i = p->from; i < p->to; i++) {
        const struct td_line_point *at = &p->line->point[i];
        const bool bounds = p->to - p->from == 1 && at->low[node] != TD_LINE_NONE;
        const double low = bounds ? at->low[node] : at->value[node], high = bounds ? at->high[node] : at->value[node];

        if (at->value[node] == TD_LINE_NONE)
            continue;
        n++;
        sum += at->value[node];
        least = low < least ? low : least;
        largest = high > largest ? high : largest;
    }
    if (!n)
        td_output_text(o, "<td>\xe2\x80\x93</td>");
    else if (largest > least)
        td_output_format(o, "<td>%.1f <small>%.1f .. %.1f</small></td>", percent(sum / (double)n), percent(least),
                         percent(largest));
    else
        td_output_format(o, "<td>%.1f</td>", percent(sum / (double)n));
}

static void put_row(struct td_output *o, const struct part *p)
{
    const uint64_t end = p->line->point[p->to - 1].end;

    if (p->line->timed)
        td_output_format(o, "<tr><th scope=\"row\">%.3f s</th>", (double)end / 1e9);
    else
        td_output_format(o, "<tr><th scope=\"row\">%.0f</th>", (double)end);
    for (size_t k = 0; k < p->line->nodes; k++)
        put_node(o, p, k);
    td_output_format(o, "<td>%s</td></tr>\n", verdict_of(p));
}

static void put_line(struct td_output *o, const struct td_scope_line *l)
{
    const size_t rows = l->n < TD_TIME_ROWS ? l->n : TD_TIME_ROWS;

    td_output_text(o, "<table class=\"nodes times\"><caption>");
    td_page_name(o, l->scope);
    td_output_format(o, "%s%s: %s</caption><thead><tr><th scope=\"col\">until</th>", l->core ? ", " : "",
                     l->core ? l->core : "",
                     rows < l->n ? "a row is of several intervals: their mean, the least and the largest"
                                 : "each interval, with the least and the most that it may be");
    for (size_t k = 0; k < l->nodes; k++)
        td_output_format(o, "<th scope=\"col\">%s</th>", l->node[k]);
    td_output_text(o, "<th scope=\"col\">verdict</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < rows; i++) {
        const struct part p = {l, i * l->n / rows, (i + 1) * l->n / rows};

        put_row(o, &p);
    }
    td_output_text(o, "</tbody></table>\n");
}

void td_time_table_put(struct td_output *o, const struct td_time_line *t)
{
    td_output_text(o, "<details><summary>As a table</summary>\n");
    for (size_t i = 0; i < t->n && i < TD_TIME_TABLES; i++)
        put_line(o, &t->line[i]);
    if (t->n > TD_TIME_TABLES)
        td_output_format(o, "<p class=\"soft\">%zu more are drawn, and have no table: --format csv has all.</p>\n",
                         t->n - TD_TIME_TABLES);
    td_output_text(o, "</details>\n");
}
