/* SPDX-License-Identifier: MIT */
/* tdprobe explain: what a node means, and where to look next. */
#include "advice/advice.h"
#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/options.h"

#include <stdio.h>

static const char help[] =
    "usage: tdprobe explain [NODE] [--uarch NAME]\n"
    "\n"
    "What a node of the top-down tree means, its usual causes, what to try, and the events\n"
    "to sample: of the CPU that --uarch names, else of each. Without NODE: all nodes, in a\n"
    "line each. Other vendors' names (backend_bound_by_memory) are understood.\n";

enum { WIDTH = 80, INDENT = 10 };

/* ---- lines ---------------------------------------------------------------------- */

/* Prints words in lines of WIDTH columns, starting at column at; further lines are indented by indent. */
static void put_words(struct td_output *o, const char *text, size_t at, size_t indent)
{
    size_t column = at;

    for (const char *end; *text; text = end + strspn(end, " ")) {
        const size_t n = strcspn(text, " ");

        end = text + n;
        if (column > at && column + 1 + n > WIDTH) {
            td_output_format(o, "\n%*s", (int)indent, "");
            column = at = indent;
        } else if (column > at) {
            td_output_char(o, ' ');
            column++;
        }
        td_output_bytes(o, text, n);
        column += n;
    }
    td_output_char(o, '\n');
}

static void put_list(struct td_output *o, const char *head, const char *const *line)
{
    for (; *line; line++, head = "") {
        td_output_format(o, "%-*s- ", INDENT, head);
        put_words(o, *line, INDENT + 2, INDENT + 2);
    }
}

/* ---- events --------------------------------------------------------------------- */

static bool has_node(const struct td_uarch *u, const char *node)
{
    struct td_metric_info m;

    for (size_t i = 0; td_uarch_metric(u, i, &m); i++)
        if (m.level && m.expr && !strcmp(m.name, node))
            return true;
    return false;
}

static const char *events_of(const struct td_uarch *u, const char *node)
{
    return has_node(u, node) ? td_advice_events(node, td_uarch_backend(u), td_uarch_name(u)) : NULL;
}

static bool is_first_with(size_t n, const char *node, const char *events)
{
    for (size_t i = 0; i < n; i++) {
        const char *before = events_of(td_uarch_at(i), node);

        if (before && !strcmp(before, events))
            return false;
    }
    return true;
}

static void put_cpus(struct td_output *o, const char *node, const char *events)
{
    char names[1024] = "";
    const struct td_uarch *u;

    for (size_t i = 0, used = 0; (u = td_uarch_at(i)) && used < sizeof(names); i++) {
        const char *here = events_of(u, node);

        if (here && !strcmp(here, events))
            used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", td_uarch_name(u));
    }
    td_output_format(o, "%*s  ", INDENT, "");
    put_words(o, names + 1, INDENT + 2, INDENT + 2);
}

static void put_command(struct td_output *o, const char *head, const char *events)
{
    td_output_format(o, "%-*sperf record -e %s -- COMMAND\n", INDENT, head, events);
}

static void put_samples(struct td_output *o, const char *node, const struct td_uarch *only)
{
    const char *head = "Sample", *events;
    const struct td_uarch *u;
    char command[TD_ADVICE_COMMAND];

    if (only) {
        if (td_advice_command(node, td_uarch_backend(only), td_uarch_name(only), td_uarch_pmu(only), command))
            td_output_format(o, "%-*s%s -- COMMAND\n", INDENT, head, command);
        return;
    }
    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        events = events_of(u, node);
        if (!events || !is_first_with(i, node, events))
            continue;
        put_command(o, head, events);
        put_cpus(o, node, events);
        head = "";
    }
}

/* ---- a node --------------------------------------------------------------------- */

static void put_node(struct td_output *o, const char *node, const struct td_advice *a, const struct td_uarch *only)
{
    td_output_text(o, node);
    if (strcmp(node, a->node))
        td_output_format(o, " (%s)", a->node);
    if (!only && a->backend)
        td_output_format(o, ", %s", a->backend);
    td_output_char(o, '\n');
    td_output_format(o, "%-*s", INDENT, "Means");
    put_words(o, a->meaning, INDENT, INDENT);
    put_list(o, "Causes", a->cause);
    put_list(o, "Try", a->remedy);
}

static bool backend_has_node(const char *backend, const char *node)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (!strcmp(td_uarch_backend(u), backend) && has_node(u, node))
            return true;
    return false;
}

/* Prints all that is known about a node: for one CPU, or for each family. */
static void print_node(struct td_output *o, const char *node, const struct td_uarch *only)
{
    const struct td_advice *a = td_advice_find(node, only ? td_uarch_backend(only) : NULL), *other;

    put_node(o, node, a, only);
    for (size_t i = 0; !only && (other = td_advice_at(i)); i++) {
        if (!other->backend || strcmp(other->node, a->node) || !backend_has_node(other->backend, node))
            continue;
        td_output_char(o, '\n');
        put_node(o, node, other, NULL);
    }
    put_samples(o, node, only);
}

static void print_all(struct td_output *o, const struct td_uarch *only)
{
    const struct td_advice *a;

    for (size_t i = 0; (a = td_advice_at(i)); i++)
        if (only ? has_node(only, a->node) && td_advice_find(a->node, td_uarch_backend(only)) == a : !a->backend)
            td_output_format(o, "%-20s%s\n", a->node, a->brief);
}

static int unknown(const char *node)
{
    struct cli_nearest near = cli_nearest(node);
    const struct td_advice *a;
    const char *name, *same;

    for (size_t i = 0; (a = td_advice_at(i)); i++)
        cli_nearest_try(&near, a->node);
    for (size_t i = 0; (name = td_advice_other_name(i, &same)); i++)
        cli_nearest_try(&near, name);
    if (near.best)
        return cli_usage("explain knows no node '%s'; the nearest is %s; 'tdprobe explain' lists them", node, near.best);
    return cli_usage("explain knows no node '%s'; 'tdprobe explain' lists them", node);
}

static int print(const char *node, const struct td_uarch *only)
{
    struct td_output o;
    int code;

    if (node && !td_advice_find(node, only ? td_uarch_backend(only) : NULL))
        return unknown(node);
    if (node && only && !has_node(only, node))
        return cli_usage("%s has no node %s: 'tdprobe explain --uarch %s' lists those that it has", td_uarch_name(only), node, td_uarch_name(only));
    code = cli_stdout(&o);
    if (code)
        return code;
    if (node)
        print_node(&o, node, only);
    else
        print_all(&o, only);
    return cli_stdout_end(&o);
}

int cli_explain_main(int argc, char **argv)
{
    return cli_options_word(argc, argv, help, "node", print);
}
