/* SPDX-License-Identifier: MIT */
/* tdprobe list: the backends, CPUs, events and formulas that are known. */
#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/word.h"

#include <inttypes.h>
#include <string.h>

static void print_backends(struct td_output *o, const struct td_uarch *only)
{
    (void)only;
    for (size_t i = 0; td_backend_name(i); i++)
        td_output_format(o, "%-20s %s\n", td_backend_name(i), td_backend_about(i));
}

static void print_uarchs(struct td_output *o, const struct td_uarch *only)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (!only || u == only)
            td_output_format(o, "%-18s %-20s %2d  %s  (%s; %s)\n", td_uarch_name(u), td_uarch_backend(u),
                             td_uarch_width(u), td_uarch_title(u), td_uarch_ids(u), td_uarch_aliases(u));
}

static void print_events(struct td_output *o, const struct td_uarch *only)
{
    const struct td_uarch *u;
    struct td_event_info e = {.size = sizeof(e)};

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; (!only || u == only) && !td_uarch_event(u, k, &e); k++)
            td_output_format(o, "%-18s %-50s 0x%-10" PRIx64 " counters %s%s%s\n", td_uarch_name(u), e.name, e.config,
                             e.counters, strcmp(e.counters, e.counters_alone) ? ", sibling off " : "",
                             strcmp(e.counters, e.counters_alone) ? e.counters_alone : "");
}

/* Prints what is published about a metric, with what it needs. */
static void print_published(struct td_output *o, const struct td_metric_info *m)
{
    static const char *const kinds[] = {
        [TD_METRIC_NODE] = "node", [TD_METRIC_BOTTLENECK] = "bottleneck", [TD_METRIC_INFO] = "info"};

    td_output_format(o, "  %-20s %-20s %s\n", m->formula, m->name, m->expr ? m->expr : m->wrong);
    td_output_format(o, "  %-20s   %s", "", *m->unit ? kinds[m->kind] : "help value");
    if (m->level)
        td_output_format(o, ", level %d", m->level);
    if (*m->parent)
        td_output_format(o, " of %s", m->parent);
    if (*m->unit)
        td_output_format(o, "; %s%s", m->kind == TD_METRIC_NODE ? "share of " : "", m->unit);
    if (*m->groups)
        td_output_format(o, "; groups %s", m->groups);
    if (*m->needs)
        td_output_format(o, "; needs %s", m->needs);
    if (*m->threshold)
        td_output_format(o, "; worth a look where %s", m->threshold);
    td_output_format(o, "; %s\n", m->source);
}

static void print_metrics(struct td_output *o, const struct td_uarch *only)
{
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        if (only && u != only)
            continue;
        td_output_format(o, "%s: %s", td_uarch_name(u), td_uarch_title(u));
        if (td_uarch_width(u))
            td_output_format(o, ", %d slots per cycle", td_uarch_width(u));
        td_output_format(o, "; formulas: %s\n", td_uarch_source(u));
        for (size_t k = 0; !td_uarch_metric(u, k, &m) && (!m.source || only); k++)
            if (m.source)
                print_published(o, &m);
            else
                td_output_format(o, "  %-20s %-20s %s%s%s\n", m.formula, m.name,
                                 m.expr ? m.expr : "not used: ", m.expr ? "" : m.wrong,
                                 strcmp(m.unit, "slots") ? " [of cycles]" : "");
    }
}

static void print_formats(struct td_output *o, const struct td_uarch *only)
{
    (void)only;
    for (size_t i = 0; td_format_name(i); i++)
        td_output_format(o, "%-20s %s\n", td_format_name(i), td_format_about(i));
}

static const struct {
    const char *word;
    void (*print)(struct td_output *, const struct td_uarch *only);
} known[] = {{"backends", print_backends},
             {"uarchs", print_uarchs},
             {"events", print_events},
             {"metrics", print_metrics},
             {"formats", print_formats}};

/* Also matches the singular. */
static bool is_word(const char *known_word, const char *word)
{
    const size_t n = strlen(known_word);

    return !strcmp(known_word, word) || (strlen(word) == n - 1 && !strncmp(known_word, word, n - 1));
}

/* -1: not found. */
static int find(const char *word)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (is_word(known[i].word, word))
            return (int)i;
    return -1;
}

static int unknown(const char *word)
{
    struct cli_nearest near = cli_nearest(word);

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        cli_nearest_try(&near, known[i].word);
    return cli_usage("list knows backends, uarchs, events, metrics and formats, not '%s'%s%s", word,
                     near.best ? "; the nearest is " : "", near.best ? near.best : "");
}

static int print(const char *word, const struct td_uarch *only)
{
    const int at = word ? find(word) : 0;
    struct td_output o;
    int code;

    if (at < 0)
        return unknown(word);
    code = cli_stdout(&o);
    if (code)
        return code;
    known[at].print(&o, only);
    if (!word) {
        td_output_char(&o, '\n');
        print_uarchs(&o, only);
    }
    return cli_stdout_end(&o);
}

static const char *word_at(size_t i)
{
    return i < CLI_COUNT(known) ? known[i].word : NULL;
}

static const struct cli_option options[] = {
    CLI_ONLY(.help = "events and metrics of this CPU, else of all"),
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_list_command = {
    .name = "list",
    .brief = "known backends, CPUs, events, metrics and formats",
    .page = "tdprobe(1)",
    .usage = "list [backends|uarchs|events|metrics|formats] [--uarch NAME]",
    .about = "  backends   families of PMUs\n"
             "  uarchs     CPUs: name, backend, slots per cycle, ids, aliases\n"
             "  events     what the formulas of a CPU count, with perf's raw config\n"
             "  metrics    the formulas of a CPU, and where they are published\n"
             "  formats    of recordings that replay reads\n"
             "\n"
             "Without a word: backends and uarchs.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .choice = word_at,
};

int cli_list_main(int argc, char **argv)
{
    return cli_word(&cli_list_command, argc, argv, "word", print);
}
