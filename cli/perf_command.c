/* SPDX-License-Identifier: MIT */
/* tdprobe perf-command: what to run where tdprobe is not available, to replay it here. */
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/sampled_group.h"
#include "cli/shell.h"
#include "include/td_run.h"
#include "private/plan.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tdprobe perf-command --uarch NAME [options] [--] [command...]\n"
    "\n"
    "Prints the 'perf stat' that records what a CPU's formulas need, in the groups that\n"
    "tdprobe itself would count, and how to replay the recording. Without --uarch: for this\n"
    "machine. Nothing is counted.\n"
    "\n"
    "  --uarch NAME|ID    the CPU that it is to run on ('tdprobe list uarchs')\n"
    "  --level N          the deepest level (default: 2 where its events fit the counters\n"
    "                     together with those of level 1, else 1); 3 to 6: perf multiplexes\n"
    "  -M, --metrics LIST further metrics: names, groups or all (tdprobe list metrics)\n"
    "  --no-multiplex     a 'perf stat' for each group that would take turns with others, which\n"
    "                     run the command again and append to the same recording\n"
    "  --no-fixed         ordinary events instead of the PERF_METRICS register\n"
    "  --encodings        the vendor's events by their encodings, for a perf that does not\n"
    "                     know their names\n"
    "  --watchdog         for a CPU whose NMI watchdog is on (sysctl kernel.nmi_watchdog) and\n"
    "                     stays on: it holds a counter\n"
    "  -a, --all-cpus     the whole system (the default without a command)\n"
    "  -C, --cpu LIST     these CPUs\n"
    "  -p, --pid LIST     these processes; -t, --tid LIST: these threads\n"
    "  -A, --no-aggr, --per-core, --per-socket, --per-node, --per-thread   as for perf stat\n"
    "  -I MS              print every MS milliseconds (default: 1000)\n"
    "  --functions        the 'perf record' that samples the group, for the slots of each function\n"
    "  --rate HZ          with --functions: samples per second (default: 4000)\n"
    "  -o FILE            the recording (default: rec.csv, or perf.data)\n"
    "  --machine FILE     for a simulated machine, tdprobe-machine(5)\n"
    "  -h, --help         this text\n";

enum { OPT_MACHINE = CLI_OTHER, OPT_ENCODINGS, OPT_WATCHDOG, OPT_FUNCTIONS, OPT_RATE, OPT_NO_MULTIPLEX };

static const struct option options[] = {
    {"uarch", required_argument, NULL, CLI_UARCH},
    {"level", required_argument, NULL, CLI_LEVEL},
    {"metrics", required_argument, NULL, 'M'},
    {"no-fixed", no_argument, NULL, CLI_NO_FIXED},
    {"encodings", no_argument, NULL, OPT_ENCODINGS},
    {"watchdog", no_argument, NULL, OPT_WATCHDOG},
    {"functions", no_argument, NULL, OPT_FUNCTIONS},
    {"rate", required_argument, NULL, OPT_RATE},
    {"no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX},
    CLI_OPTIONS_SCOPE,
    {"output", required_argument, NULL, 'o'},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

struct ask {
    struct cli_options set;
    const char *uarch; /* NULL: this machine, or a simulated one */
    bool simulated;
    bool encodings;
    bool watchdog;
    bool functions;
    bool no_multiplex;
    long rate; /* samples per second; 0: as usual */
    const char *cpus, *tasks; /* lists as given, or NULL */
    const char *metrics, *level; /* as given, or NULL */
    char tasks_letter; /* 'p' or 't' */
    bool all;
    enum td_by by;
    long interval; /* ms; 0: as usual */
    char *const *words; /* the command, ended by NULL; NULL: none */
};

/* ---- options ---------------------------------------------------------------------- */

static int take_list(const char **list, int letter, const char *value)
{
    const int *numbers = NULL; /* which perf reads itself */
    size_t n;
    const int code = letter == 'C' ? cli_options_cpus(value, &numbers, &n) : cli_options_tasks(letter, value, &numbers, &n);

    free((int *)(uintptr_t)numbers);
    *list = value;
    return code;
}

static int take(struct ask *a, int option, const char *value)
{
    switch (option) {
    case 'a': a->all = true; return 0;
    case 'C': return take_list(&a->cpus, option, value);
    case 'p':
    case 't':
        a->tasks_letter = (char)option;
        return take_list(&a->tasks, option, value);
    case 'I': return cli_number(value, 10, 1000000000, &a->interval) ? 0 : cli_usage("-I: '%s' is not a whole number from 10 on", value);
    case 'M':
        a->metrics = value;
        return cli_options_take(&a->set, CLI_METRICS, value);
    case OPT_ENCODINGS: a->encodings = true; return 0;
    case OPT_WATCHDOG:
        a->watchdog = true;
        td_set_watchdog(a->set.td, true);
        return 0;
    case OPT_FUNCTIONS: a->functions = true; return 0;
    case OPT_NO_MULTIPLEX: a->no_multiplex = true; return 0;
    case OPT_RATE: return cli_number(value, 1, 100000, &a->rate) ? 0 : cli_usage("--rate: '%s' is not a whole number from 1 to 100000", value);
    case OPT_MACHINE:
        a->simulated = true;
        return cli_options_machine(&a->set, value);
    case CLI_LEVEL:
        a->level = value;
        return cli_options_take(&a->set, option, value);
    case CLI_UARCH:
        a->uarch = value;
        return cli_options_take(&a->set, option, value);
    default: return cli_options_by(option, &a->by) ? 0 : cli_options_take(&a->set, option, value);
    }
}

static bool is_of_tasks(const struct ask *a)
{
    return a->tasks || (a->words && !a->all && !a->cpus);
}

static int check_no_multiplex(const struct ask *a)
{
    if (a->functions || a->interval)
        return cli_usage("--no-multiplex and %s exclude each other", a->functions ? "--functions" : "-I");
    if (a->tasks)
        return cli_usage("--no-multiplex runs a command again for each group, but -%c measures tasks that run once: without it the groups take turns",
                         a->tasks_letter);
    return a->words ? 0 : cli_usage("--no-multiplex runs a command again for each group: it needs one, such as -- ./app");
}

static int check(const struct ask *a)
{
    if (a->no_multiplex && check_no_multiplex(a))
        return EXIT_USAGE;
    if (a->watchdog && (!a->uarch || a->simulated))
        return cli_usage("--watchdog needs --uarch NAME: whether this machine's watchdog is on is known");
    if (a->rate && !a->functions)
        return cli_usage("--rate needs --functions");
    if (a->functions && (a->by != TD_BY_ALL || a->metrics || (a->level && *a->level > '0' + TD_LEVEL_USUAL)))
        return cli_usage("--functions records one group: it excludes -A, --per-..., -M and levels from 3 on");
    if (a->tasks && (a->all || a->cpus))
        return cli_usage("-p and -t exclude -a and -C");
    if (a->by == TD_BY_THREAD && !a->tasks)
        return cli_usage("--per-thread needs -p or -t");
    if (a->by != TD_BY_ALL && a->by != TD_BY_THREAD && is_of_tasks(a))
        return cli_usage("-A, --per-core, --per-socket and --per-node need -a or -C");
    return 0;
}

static int parse(struct ask *a, int argc, char **argv)
{
    int option, code = 0;

    opterr = 0;
    while (!code && (option = getopt_long(argc, argv, "+:aC:p:t:AI:M:o:h", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_options_wrong("perf-command", option, argv, options);
        code = take(a, option, optarg);
    }
    if (optind < argc)
        a->words = argv + optind;
    code = code ? code : check(a);
    if (a->functions && !a->set.report.no_fixed)
        td_set_fixed(a->set.td, true); /* in samples the register is read and zeroed each time */
    a->rate = a->rate ? a->rate : 4000;
    a->interval = a->interval ? a->interval : 1000;
    return code ? code : -1;
}

/* ---- the command ------------------------------------------------------------------ */

static void put_option(struct td_output *o, const char *option, const char *value)
{
    char *const words[] = {(char *)(uintptr_t)value, NULL};
    char *text = cli_shell_join(option, words);

    if (*option)
        td_output_char(o, ' ');
    td_output_text(o, text ? text : "");
    free(text);
}

static void put_scope(struct td_output *o, const struct ask *a)
{
    static const char *const by[] = {
        [TD_BY_CPU] = "-A", [TD_BY_CORE] = "--per-core", [TD_BY_SOCKET] = "--per-socket", [TD_BY_NODE] = "--per-node", [TD_BY_THREAD] = "--per-thread",
    };
    const char letter[] = {'-', a->tasks_letter, '\0'};

    if (a->cpus)
        put_option(o, "-C", a->cpus);
    else if (a->tasks)
        put_option(o, letter, a->tasks);
    else if (!is_of_tasks(a))
        td_output_text(o, " -a");
    if (by[a->by])
        td_output_format(o, " %s", by[a->by]);
}

static void put_sampled(struct td_output *o, const char *group)
{
    char *text = cli_sampled_group(group, "cycles");

    td_output_text(o, text ? text : group);
    free(text);
}

static void put_events(struct td_output *o, const struct ask *a)
{
    const char *events, *between = "";

    td_output_text(o, " -e '");
    for (size_t i = 0; (events = a->encodings ? td_plan_encodings(a->set.td, i) : td_plan_events(a->set.td, i)); i++) {
        if (!*events) /* of this kind of core no group is left for this run */
            continue;
        td_output_text(o, between);
        between = ",";
        if (a->functions)
            put_sampled(o, events);
        else
            td_output_text(o, events);
    }
    td_output_text(o, a->no_multiplex ? ",duration_time'" : "'");
}

static void put_words(struct td_output *o, const struct ask *a)
{
    char *text = a->words ? cli_shell_join(" --", a->words) : NULL;

    if (text)
        td_output_text(o, text);
    else if (!a->tasks)
        td_output_text(o, " -- sleep 10");
    free(text);
}

/* run: from 0 on. */
static void put_command(struct td_output *o, const struct ask *a, const char *file, unsigned run)
{
    char interval[24];

    snprintf(interval, sizeof(interval), "%ld", a->functions ? a->rate : a->interval);
    td_output_text(o, a->functions ? "perf record --running-time" : "perf stat -x,");
    if (!a->no_multiplex)
        put_option(o, a->functions ? "-F" : "-I", interval);
    put_option(o, "-o", file);
    td_output_text(o, run ? " --append" : "");
    put_scope(o, a);
    put_events(o, a);
    put_words(o, a);
    td_output_char(o, '\n');
}

/* Which names perf knows depends on its version; the machine shows the names of the kernel's events. */
static bool has_vendors_names(const struct ask *a)
{
    const char *events;
    bool differ = false;

    for (size_t i = 0; (events = td_plan_events(a->set.td, i)); i++)
        differ = differ || strcmp(events, td_plan_encodings(a->set.td, i));
    return differ;
}

/* A perf that samples them needs to be told. */
static void put_latencies(struct td_output *o, const struct ask *a)
{
    const char *events, *between = "# mean retire latencies, which metrics need: a perf that has it takes --record-tpebs -e '";
    bool any = false;

    for (size_t i = 0; !a->functions && (events = td_plan_latencies(a->set.td, i)); i++) {
        if (!*events)
            continue;
        td_output_text(o, between);
        td_output_text(o, events);
        between = ",";
        any = true;
    }
    td_output_text(o, any ? "' too; else replay takes published means\n" : "");
}

/* A recording does not tell what was asked for beyond level 2. */
static void put_replay(struct td_output *o, const struct ask *a)
{
    if (a->level && *a->level > '0' + TD_LEVEL_USUAL)
        put_option(o, "--level", a->level);
    if (a->metrics)
        put_option(o, "-M", a->metrics);
}

/* One command; or with --no-multiplex one for each group. */
static void put_commands(struct td_output *o, const struct ask *a, const char *file)
{
    const unsigned runs = a->no_multiplex ? td_plan_groups(a->set.td) : 1;

    for (unsigned run = 0; run < runs; run++) {
        td_set_group(a->set.td, a->no_multiplex ? run + 1 : 0);
        put_command(o, a, file, run);
    }
    td_set_group(a->set.td, 0);
}

static int print(const struct ask *a)
{
    const char *file = a->set.output ? a->set.output : a->functions ? "perf.data" : "rec.csv";
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    put_commands(&o, a, file);
    td_output_text(&o, a->functions ? "# then: tdprobe report" : "# then: tdprobe replay");
    put_option(&o, "--uarch", a->uarch ? a->uarch : td_machine_name(a->set.td));
    td_output_text(&o, a->no_multiplex ? " --summary-only" : "");
    put_replay(&o, a);
    put_option(&o, "", file);
    td_output_char(&o, '\n');
    put_latencies(&o, a);
    if (a->functions && is_of_tasks(a))
        td_output_text(&o, "# perf leaves out the threads and processes that it starts: -a has them\n");
    if (!a->encodings && has_vendors_names(a))
        td_output_text(&o, "# if perf does not know one of these names: tdprobe perf-command --encodings\n");
    if (td_plan_watchdog(a->set.td))
        td_output_format(&o, "# if perf %s, the NMI watchdog is on: tdprobe perf-command --watchdog, or sysctl kernel.nmi_watchdog=0\n",
                         a->functions ? "records no sample" : "prints <not counted>");
    return cli_stdout_end(&o);
}

/* Only what is in one group is counted up to the same sample. */
static int check_groups(const struct ask *a)
{
    const char *events;

    for (size_t i = 0; a->functions && (events = td_plan_events(a->set.td, i)); i++)
        if (strstr(events, "},{")) {
            cli_say("--functions: the events take several groups here, which no sample has together: try --level 1, or -a");
            return EXIT_UNABLE;
        }
    return 0;
}

/* Without a machine it does not matter which tasks and CPUs are planned for. */
static int plan(const struct ask *a)
{
    static const pid_t any = 0;
    const struct td_live what = {
        .tasks = &any, .ntasks = is_of_tasks(a) ? 1 : 0, .by = a->cpus && a->by == TD_BY_ALL ? TD_BY_CPU : a->by,
    };
    int err = a->uarch && !a->simulated ? td_plan_uarch(a->set.td, &what) : td_plan_live(a->set.td, &what);

    if (!err)
        return 0;
    if (!a->uarch && !a->simulated)
        cli_say("%s; --uarch NAME is for another machine", td_error(a->set.td));
    else
        cli_say("%s", td_error(a->set.td));
    return cli_exit_code(err);
}

int cli_perf_command_main(int argc, char **argv)
{
    struct ask a = {.interval = 0};
    int code = cli_options_begin(&a.set);

    if (code)
        return code;
    code = parse(&a, argc, argv);
    if (code < 0)
        code = plan(&a);
    code = code ? code : check_groups(&a);
    if (!code && td_plan_events(a.set.td, 0))
        code = print(&a);
    td_free(a.set.td);
    return code;
}
