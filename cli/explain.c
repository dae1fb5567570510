/* SPDX-License-Identifier: MIT */
/* tdprobe explain: what a node, a flag or a status means, and where to look next. */
#include "advice/advice.h"
#include "cli/cli.h"
#include "cli/explain_tree.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/word.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { INDENT = 10 };

/* ---- lines ---------------------------------------------------------------------- */

static void put_list(struct td_output *o, const char *head, const char *const *line)
{
    for (; *line; line++, head = "") {
        td_output_format(o, "%-*s- ", INDENT, head);
        cli_explain_put_words(o, *line, INDENT + 2, INDENT + 2);
    }
}

/* ---- by CPU --------------------------------------------------------------------- */

static bool has_metric(const struct td_uarch *u, const char *name)
{
    struct td_metric_info m = {.size = sizeof(m)};

    return cli_explain_find(u, name, &m);
}

/* What there is to print of a metric on a CPU, to be freed; NULL: nothing. */
typedef char *text_of(const struct td_uarch *, const struct td_metric_info *);

struct cpu_text {
    const struct td_uarch *cpu;
    char *text;
};

/* For one CPU, or for all. Returns how many have a text. */
static size_t collect(const char *name, const struct td_uarch *only, text_of *of, struct cpu_text *out)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};
    size_t n = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if ((!only || u == only) && cli_explain_find(u, name, &m) && (out[n].text = of(u, &m)))
            out[n++].cpu = u;
    return n;
}

/* Prints the CPUs that have the first one's text. */
static void put_cpus(struct td_output *o, const struct cpu_text *at, size_t n)
{
    char names[1024] = "";

    for (size_t i = 0, used = 0; i < n && used < sizeof(names); i++)
        if (at[i].text && !strcmp(at[i].text, at->text))
            used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", td_uarch_name(at[i].cpu));
    td_output_format(o, "%*s  ", INDENT, "");
    cli_explain_put_words(o, names + 1, INDENT + 2, INDENT + 2);
}

static void forget(struct cpu_text *at, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (at[i].text && (!i || !strcmp(at[i].text, at->text))) {
            free(at[i].text);
            at[i].text = NULL;
        }
}

static size_t count_cpus(void)
{
    size_t n = 0;

    while (td_uarch_at(n))
        n++;
    return n;
}

/* Prints each text once, with the CPUs that it holds for unless one was asked for. wrapped: in lines of WIDTH columns.
 */
static void put_by_cpu(struct td_output *o, const char *head, const char *name, const struct td_uarch *only,
                       text_of *of, bool wrapped)
{
    struct cpu_text *at = calloc(count_cpus() + 1, sizeof(*at));
    const size_t n = at ? collect(name, only, of, at) : 0;

    for (size_t i = 0; i < n; i++) {
        if (!at[i].text)
            continue;
        td_output_format(o, "%-*s", INDENT, head);
        if (wrapped)
            cli_explain_put_words(o, at[i].text, INDENT, INDENT);
        else
            td_output_format(o, "%s\n", at[i].text);
        if (!only)
            put_cpus(o, at + i, n - i);
        forget(at + i, n - i);
        head = "";
    }
    free(at);
}

/* ---- what it is, and its events -------------------------------------------------- */

static int put_kind(const struct td_metric_info *m, char *out, size_t size)
{
    if (m->kind == TD_METRIC_BOTTLENECK)
        return snprintf(out, size, "a bottleneck, in per cent of all slots");
    if (m->kind == TD_METRIC_INFO)
        return snprintf(out, size, "an info metric; its unit: %s", m->unit);
    return snprintf(out, size, "level %d%s%s; a share of %s", m->level, m->parent && *m->parent ? ", below " : "",
                    m->parent ? m->parent : "", strcmp(m->unit, "core_cycles") ? m->unit : "the core's cycles");
}

static char *kind_of(const struct td_uarch *u, const struct td_metric_info *m)
{
    char text[1024];
    int n = put_kind(m, text, sizeof(text));

    (void)u;
    if (m->threshold && *m->threshold)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "; worth a look where %s", m->threshold);
    if (m->needs && *m->needs)
        snprintf(text + n, sizeof(text) - (size_t)n, "; needs %s", m->needs);
    return strdup(text);
}

static char *formula_of(const struct td_uarch *u, const struct td_metric_info *m)
{
    (void)u;
    return m->source ? strdup(m->expr ? m->expr : m->wrong) : NULL;
}

/* Those of nodes and bottlenecks are long, and differ. */
static char *info_formula_of(const struct td_uarch *u, const struct td_metric_info *m)
{
    return m->kind == TD_METRIC_INFO ? formula_of(u, m) : NULL;
}

static char *command_of(const struct td_uarch *u, const struct td_metric_info *m)
{
    char command[TD_ADVICE_COMMAND], text[TD_ADVICE_COMMAND + 128];
    const char *of = m->name;

    if (!td_advice_command(m->name, td_uarch_backend(u), td_uarch_name(u), NULL, "", command))
        return NULL;
    td_advice_events(m->name, td_uarch_backend(u), td_uarch_name(u), &of);
    snprintf(text, sizeof(text), "%s -- COMMAND%s%s%s", command, of == m->name ? "" : " (as for ",
             of == m->name ? "" : of, of == m->name ? "" : ")");
    return strdup(text);
}

/* The same with the PMU of a hybrid's kind of core. */
static char *own_command_of(const struct td_uarch *u, const struct td_metric_info *m)
{
    char command[TD_ADVICE_COMMAND], text[TD_ADVICE_COMMAND + 16];

    if (!td_advice_command(m->name, td_uarch_backend(u), td_uarch_name(u), td_uarch_pmu(u), "", command))
        return NULL;
    snprintf(text, sizeof(text), "%s -- COMMAND", command);
    return strdup(text);
}

/* ---- a metric --------------------------------------------------------------------- */

static void put_text(struct td_output *o, const char *name, const struct td_advice *a, const struct td_uarch *only)
{
    td_output_text(o, name);
    if (!td_advice_is_shared(a) && strcmp(name, a->node))
        td_output_format(o, " (%s)", a->node);
    if (!only && a->backend)
        td_output_format(o, ", %s", a->backend);
    td_output_char(o, '\n');
    td_output_format(o, "%-*s", INDENT, "Means");
    cli_explain_put_words(o, a->meaning, INDENT, INDENT);
    if (a->reading) {
        td_output_format(o, "%-*s", INDENT, "Read");
        cli_explain_put_words(o, a->reading, INDENT, INDENT);
    }
    put_list(o, "Causes", a->cause);
    put_list(o, "Try", a->remedy);
}

static bool backend_has_metric(const char *backend, const char *name)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (!strcmp(td_uarch_backend(u), backend) && has_metric(u, name))
            return true;
    return false;
}

/* Prints all that is known about a metric: for one CPU, or for each family. */
static void print_metric(struct td_output *o, const char *name, const struct td_uarch *only)
{
    const struct td_advice *a = td_advice_find(name, only ? td_uarch_backend(only) : NULL), *other;

    put_text(o, name, a, only);
    for (size_t i = 0; !only && (other = td_advice_at(i)); i++) {
        if (!other->backend || strcmp(other->node, a->node) || !backend_has_metric(other->backend, name))
            continue;
        td_output_char(o, '\n');
        put_text(o, name, other, NULL);
    }
    put_by_cpu(o, "Is", name, only, kind_of, true);
    put_by_cpu(o, "Formula", name, only, only ? formula_of : info_formula_of, true);
    put_by_cpu(o, "Sample", name, only, only ? own_command_of : command_of, false);
}

/* ---- a flag, a status or a word of a verdict ------------------------------------------ */

static const char *kind_of_mark(const char *name)
{
    const char *known;

    for (unsigned bit = 1; (known = td_flag_name(bit)); bit <<= 1)
        if (!strcmp(known, name))
            return "flag";
    for (int i = TD_OK; i <= TD_NOT_IN_THIS_FORMULA; i++)
        if (!strcmp(td_status_name((enum td_status)i), name))
            return "status";
    return "word of a verdict";
}

static void print_mark(struct td_output *o, const struct td_advice *a)
{
    td_output_format(o, "%s, a %s: %s\n", a->node, kind_of_mark(a->node), a->brief);
    td_output_format(o, "%-*s", INDENT, "Means");
    cli_explain_put_words(o, a->meaning, INDENT, INDENT);
    put_list(o, "Causes", a->cause);
    put_list(o, "Try", a->remedy);
    td_output_format(o, "%-*s%s\n", INDENT, "More", "tdprobe-metrics(7)");
}

static int print_all(struct td_output *o, const struct td_uarch *only)
{
    const int code = cli_explain_put_tree(o, only);
    const struct td_advice *a;
    const size_t column = 28;

    td_output_text(o, "\nFlags and statuses of a value, and words of a verdict:\n\n");
    for (size_t i = 0; (a = td_advice_mark_at(i)); i++) {
        td_output_format(o, "%-*s", (int)column, a->node);
        cli_explain_put_words(o, a->brief, column, column);
    }
    td_output_text(o, "\n'tdprobe explain NAME' has causes and what to try.\n");
    return code;
}

/* ---- all -------------------------------------------------------------------------- */

static int unknown(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    struct td_metric_info m = {.size = sizeof(m)};
    const struct td_uarch *u;
    const struct td_advice *mark;
    const char *other, *same;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; !td_uarch_metric(u, k, &m); k++)
            if (*m.unit && (m.level || m.source))
                cli_nearest_try(&near, m.name);
    for (size_t i = 0; (other = td_advice_other_name(i, &same)); i++)
        cli_nearest_try(&near, other);
    for (size_t i = 0; (mark = td_advice_mark_at(i)); i++)
        cli_nearest_try(&near, mark->node);
    if (near.best)
        return cli_usage(
            "explain knows no metric, flag or status '%s'; the nearest is %s; 'tdprobe list metrics' lists metrics, "
            "'tdprobe explain' the rest",
            name, near.best);
    return cli_usage("explain knows no metric, flag or status '%s'; 'tdprobe list metrics' lists metrics, "
                     "'tdprobe explain' the rest",
                     name);
}

/* Whether some CPU has it, under this name or as another vendor's node. */
static bool is_known(const char *name)
{
    const struct td_uarch *u;
    const struct td_advice *a = td_advice_find(name, NULL);

    if (!a)
        return false;
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (has_metric(u, name) || has_metric(u, a->node))
            return true;
    return false;
}

/* perf's tma_l3_bound, toplev's L3_Bound, Memory_Bound.L3_Bound and Info.Thread.IPC. */
static void spell(char *own, size_t size, const char *name)
{
    const bool info = !strncasecmp(name, "info.", 5);
    const char *dot = strrchr(name, '.');

    if (!strncasecmp(name, "tma_", 4))
        name += 4;
    else if (dot && !info)
        name = dot + 1;
    snprintf(own, size, "%s", name);
    for (char *at = own; *at; at++)
        *at = *at == '.' ? '_' : (char)tolower((unsigned char)*at);
}

/* "missing_event:NAME" is about a missing_event. */
static const struct td_advice *find_spelt_mark(const char *name)
{
    char own[64];

    snprintf(own, sizeof(own), "%.*s", (int)strcspn(name, ":"), name);
    return td_advice_mark(own);
}

static int print(const char *name, const struct td_uarch *only)
{
    const struct td_advice *mark = name ? find_spelt_mark(name) : NULL;
    char own[128] = "";
    struct td_output o;
    int code;

    if (name)
        spell(own, sizeof(own), name);
    if (name && !mark && !is_known(own))
        return unknown(name);
    if (name && !mark && only && !has_metric(only, own))
        return cli_usage(
            "%s has no metric %s: 'tdprobe explain --uarch %s' lists its nodes, 'tdprobe list metrics --uarch %s' all",
            td_uarch_name(only), own, td_uarch_name(only), td_uarch_name(only));
    code = cli_stdout(&o);
    if (code)
        return code;
    if (mark)
        print_mark(&o, mark);
    else if (name)
        print_metric(&o, own, only);
    else
        code = print_all(&o, only);
    return code ? code : cli_stdout_end(&o);
}

static const struct cli_option options[] = {
    CLI_ONLY(.help = "of this CPU, with a node's formula"),
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_explain_command = {
    .name = "explain",
    .brief = "what a node or flag means, what to try, what to sample",
    .page = "tdprobe(1)",
    .usage = "explain [METRIC|FLAG|STATUS] [--uarch NAME]",
    .about = "What a node of the top-down tree, a bottleneck or an info metric means, its\n"
             "usual causes, what to try, and the events to sample: of the CPU that --uarch\n"
             "names, else of each; the same of a flag or status of a value: no_bounds.\n"
             "Without a word: the tree with its thresholds, and all flags and statuses.\n"
             "Other names (backend_bound_by_memory, tma_l3_bound) are understood.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .offer = CLI_NODES,
};

int cli_explain_main(int argc, char **argv)
{
    return cli_word(&cli_explain_command, argc, argv, "word", print);
}
