/* SPDX-License-Identifier: MIT */
/* The options of tdprobe collect; what it counts is called as in tdprobe stat. */
#include "cli/cli.h"
#include "cli/collect/collect.h"
#include "cli/table/parse.h"

#include <getopt.h>
#include <limits.h>

enum { SHORTEST = 10, USUAL = 10000, LONGEST = 24 * 3600 * 1000 /* ms */, MOST_CGROUPS = 1000000 };

static int take_patterns(void *settings, const char *list)
{
    struct cli_collect *c = settings;

    const char *fault = cli_followed_patterns(&c->followed, list);

    c->patterns = list;
    return fault ? cli_usage("--for-each-cgroup: '%s': %s", list, fault) : 0;
}

static int take_listen(void *settings, const char *text)
{
    struct cli_collect *c = settings;

    c->listen = text;
    return cli_address_take(text, &c->address)
               ? 0
               : cli_usage(
                     "--listen: '%s' is neither a port, 9123, nor an address with one, 10.0.0.1:9123 or [::]:9123",
                     text);
}

static const struct cli_option options[] = {
    CLI_GROUP("Where the counters go:"),
    {"textfile", .arg = "DIR", CLI_TEXT_IN(struct cli_collect, textfile.folder), .offer = CLI_FOLDERS, .common = true,
     .help = "to DIR/tdprobe.prom, for node_exporter",
     .more = "(its --collector.textfile.directory; whole after each interval, and removed at the end)"},
    {"listen", .arg = "ADDR:PORT", .kind = CLI_TAKEN, .take = take_listen, .common = true,
     .help = "as /metrics, by HTTP", .more = "(a port alone: only to this machine)"},
    CLI_GROUP("What is measured: the whole system, or"),
    {"all-cpus", 'a', CLI_SETS(struct cli_collect, all), .help = "the whole system: the default"},
    {"for-each-cgroup", .arg = "LIST", .kind = CLI_TAKEN, .take = take_patterns, .common = true,
     .help = "cgroups by patterns: /system.slice/*.service",
     .more = "(paths below the root of cgroups; * ? [...] within a name, ** any folders; those that come and go are "
             "followed)"},
    {"max-cgroups", .arg = "N", CLI_NUMBER_IN(struct cli_collect, max_cgroups, 1, MOST_CGROUPS), .common = true,
     .help = "at most N at one time",
     .more = "(the others by turns; default: as many as there can be descriptors for, one for each event on each CPU)"},
    CLI_BY_PARTS_ROWS(struct cli_collect, by),
    CLI_GROUP("When and how:"),
    {"interval-print", 'I', "MS", CLI_MS_IN(struct cli_collect, interval, SHORTEST, LONGEST), .common = true,
     .usual = "10000", .help = "reads the counters every MS milliseconds", .more = "(or 10s, 1m)"},
    CLI_UARCH(.help = "the CPU, instead of the detected one", .more = "('tdprobe list uarchs')"),
    CLI_BACKEND(.help = "only by this backend"),
    CLI_NO_FIXED(.common = false),
    CLI_LEVEL(.more = "(default: 2 where its events can be counted together with those of level 1, else 1)"),
    CLI_MACHINE(CLI_TEXT_IN(struct cli_collect, machine),
                .help = "a simulated machine, tdprobe-machine(5), instead of this one"),
    {"fast", CLI_SETS(struct cli_collect, fast), .help = "simulate as fast as possible"},
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {NULL, .without = "--textfile --listen",
     .says = "collect needs to know where the counters go: --textfile DIR, the folder that node_exporter reads, or "
             "--listen PORT"},
    {"--max-cgroups", .without = "--for-each-cgroup"},
    {"--per-core --per-socket --per-node", "--for-each-cgroup",
     .says = "each cgroup has one result: --for-each-cgroup excludes --per-*"},
    {"--fast", .without = "--machine", .says = "--fast is for a simulated machine: it needs --machine"},
};

const struct cli_subcommand cli_collect_command = {
    .name = "collect",
    .brief = "counters for Prometheus, as long as it runs",
    .page = "tdprobe-collect(1)",
    .usage = "collect [options] --textfile DIR | --listen ADDR:PORT",
    .about = "Counts slots all of the time, and offers the sums to a monitoring system.\n",
    .more = "The counters are those of 'tdprobe stat --format prometheus', tdprobe-openmetrics(5).\n"
            "Where others count on this machine too, it makes room: it leaves level 2 out, or\n"
            "counts nothing for some intervals, which tdprobe_yielded tells.\n",
    .end = "SIGTERM and Ctrl-C end it; SIGHUP: the counters are opened anew, for CPUs that came.\n"
           "\n"
           "Exit codes: 0 it was ended; 64 wrong usage; 65 bad machine file; 69 this machine\n"
           "cannot count top-down events; 70 a bug, out of memory; 74 the output cannot be\n"
           "written; 77 not permitted. 'tdprobe doctor' explains 69 and 77.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .reading = offsetof(struct cli_collect, reading),
};

int cli_collect_parse(struct cli_collect *c, int argc, char **argv)
{
    int code;

    c->interval = USUAL;
    code = cli_parse(&cli_collect_command, c, argc, argv);
    if (code >= 0)
        return code;
    if (optind < argc)
        return cli_usage("collect takes no word: '%s'; 'tdprobe stat' measures a command", argv[optind]);
    code = cli_check(&cli_collect_command, &c->set, false);
    return code ? code : -1;
}
