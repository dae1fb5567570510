/* SPDX-License-Identifier: MIT */
#include "cli/compare/gates.h"

#include "cli/cli.h"
#include "cli/metric_names.h"
#include "private/result.h"

#include <stdlib.h>

/* The condition with another metric, in a unit that it takes. */
static int unknown_metric(const struct td_gate *g)
{
    const char *near = cli_metric_near_compared(g->metric);
    enum td_gate_unit unit = g->unit;
    bool share;

    if (!near)
        return cli_usage("--fail-if '%s': no CPU has a metric '%s'; 'tdprobe list metrics' lists them", g->text,
                         g->metric);
    cli_metric_compared(near, &share);
    if (unit == (share ? TD_GATE_PLAIN : TD_GATE_POINTS))
        unit = share ? TD_GATE_POINTS : TD_GATE_PERCENT;
    return cli_usage("--fail-if '%s': no CPU has a metric '%s'; the nearest is %s: '%s %c %+g%s'", g->text, g->metric,
                     near, near, g->more ? '>' : '<', g->limit * (g->unit == TD_GATE_PLAIN ? 1 : 100),
                     unit == TD_GATE_POINTS    ? "pp"
                     : unit == TD_GATE_PERCENT ? "%"
                                               : "");
}

static int add_one(struct cli_gates *g, const char *text)
{
    struct td_gate *grown = realloc(g->gate, (g->n + 1) * sizeof(*grown));
    bool share;

    if (!grown)
        return cli_no_memory();
    g->gate = grown;
    if (!td_gate_parse(text, &grown[g->n]))
        return cli_usage(
            "--fail-if: '%s' is no condition such as 'memory_bound > +2pp', 'ipc < -3%%' or 'verdict changes'", text);
    if (*grown[g->n].metric && !cli_metric_compared(grown[g->n].metric, &share))
        return unknown_metric(&grown[g->n]);
    td_printable(grown[g->n].text, sizeof(grown->text));
    td_printable(grown[g->n].metric, sizeof(grown->metric));
    g->n++;
    return 0;
}

int cli_gates_add(struct cli_gates *g, const char *text)
{
    char *copy = strdup(text), *rest = copy, *one;
    int code = 0;

    if (!copy)
        return cli_no_memory();
    while (!code && (one = strsep(&rest, ",")))
        code = add_one(g, one);
    free(copy);
    return code;
}

void cli_gates_inconclusive(struct cli_gates *g, const char *text)
{
    g->inconclusive = 1 + (strcmp(text, "pass") ? EXIT_HOLDS : 0);
}

int cli_gates_ask(struct cli_gates *g, const struct td_comparison *c)
{
    for (size_t i = 0; i < g->n; i++) {
        td_gate_ask(&g->gate[i], c);
        if (g->gate[i].wrong_unit && g->gate[i].unit == TD_GATE_POINTS)
            return cli_usage(
                "--fail-if '%s': %s is no share, which would have points: say how many percent of its value, "
                "as in 'ipc < -3%%'",
                g->gate[i].text, g->gate[i].metric);
        if (g->gate[i].wrong_unit)
            return cli_usage(
                "--fail-if '%s': %s is a share: say points, as in '> +2pp', or percent of its value, as in '> +5%%'",
                g->gate[i].text, g->gate[i].metric);
    }
    return 0;
}

int cli_gates_exit(const struct cli_gates *g)
{
    switch (td_gates_answer(g->gate, g->n)) {
    case TD_GATE_HOLDS: return EXIT_HOLDS;
    case TD_GATE_UNKNOWN: return g->inconclusive ? g->inconclusive - 1 : EXIT_CANNOT_TELL;
    default: return 0;
    }
}

void cli_gates_free(struct cli_gates *g)
{
    free(g->gate);
}
