/* SPDX-License-Identifier: MIT */
/* tdprobe list: the backends, CPUs, events and formulas that are known. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static const char help[] =
    "usage: tdprobe list [backends|uarchs|events|metrics|formats] [--uarch NAME]\n"
    "\n"
    "  backends   families of PMUs\n"
    "  uarchs     CPUs: name, backend, slots per cycle, ids, aliases\n"
    "  events     what the formulas of a CPU count, with perf's raw config\n"
    "  metrics    the formulas of a CPU, and where they are published\n"
    "  formats    of recordings that replay reads\n"
    "\n"
    "Without a word: backends and uarchs. events and metrics are of all CPUs unless\n"
    "--uarch names one.\n";

static void list_backends(const struct td_uarch *only)
{
    (void)only;
    for (size_t i = 0; td_backend_name(i); i++)
        printf("%-20s %s\n", td_backend_name(i), td_backend_about(i));
}

static void list_uarchs(const struct td_uarch *only)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (!only || u == only)
            printf("%-18s %-20s %2d  %s  (%s; %s)\n", td_uarch_name(u), td_uarch_backend(u), td_uarch_width(u),
                   td_uarch_title(u), td_uarch_ids(u), td_uarch_aliases(u));
}

static void list_events(const struct td_uarch *only)
{
    const struct td_uarch *u;
    struct td_event_info e;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; (!only || u == only) && td_uarch_event(u, k, &e); k++)
            printf("%-18s %-50s 0x%-10" PRIx64 " counters %s%s%s\n", td_uarch_name(u), e.name, e.config, e.counters,
                   strcmp(e.counters, e.counters_alone) ? ", sibling off " : "",
                   strcmp(e.counters, e.counters_alone) ? e.counters_alone : "");
}

static void list_metrics(const struct td_uarch *only)
{
    const struct td_uarch *u;
    struct td_metric_info m;

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        if (only && u != only)
            continue;
        printf("%s: %s, %d slots per cycle; formulas: %s\n", td_uarch_name(u), td_uarch_title(u), td_uarch_width(u), td_uarch_source(u));
        for (size_t k = 0; td_uarch_metric(u, k, &m); k++)
            printf("  %-20s %-20s %s%s%s\n", m.formula, m.name, m.expr ? m.expr : "not used: ", m.expr ? "" : m.wrong,
                   strcmp(m.unit, "slots") ? " [of cycles]" : "");
    }
}

static void list_formats(const struct td_uarch *only)
{
    (void)only;
    for (size_t i = 0; td_format_name(i); i++)
        printf("%-20s %s\n", td_format_name(i), td_format_about(i));
}

static const struct {
    const char *word;
    void (*list)(const struct td_uarch *only);
} lists[] = {{"backends", list_backends}, {"uarchs", list_uarchs}, {"events", list_events}, {"metrics", list_metrics}, {"formats", list_formats}};

static int list_words(const char *word, const struct td_uarch *only)
{
    if (!word) {
        list_backends(NULL);
        putchar('\n');
        list_uarchs(only);
        return 0;
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        if (!strcmp(lists[i].word, word)) {
            lists[i].list(only);
            return 0;
        }
    return cli_usage("list knows backends, uarchs, events, metrics and formats, not '%s'", word);
}

int cli_list(int argc, char **argv)
{
    static const struct option options[] = {{"uarch", required_argument, NULL, 'u'}, {"help", no_argument, NULL, 'h'}, {0}};
    const struct td_uarch *only = NULL;
    int option, code = 0;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option != 'u')
            return cli_usage(option == ':' ? "%s lacks its value" : "list has no option %s", argv[optind - 1]);
        only = td_uarch_by_name(optarg);
        if (!only)
            return cli_usage("'%s' is not one of 'tdprobe list uarchs' (of a hybrid, name one kind of core: adl-p)", optarg);
    }
    if (argc - optind > 1)
        return cli_usage("list takes one word, not '%s' too", argv[optind + 1]);
    code = list_words(argv[optind], only);
    return code ? code : cli_flush();
}
