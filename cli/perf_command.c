/* SPDX-License-Identifier: MIT */
/* tdprobe perf-command: what to run where tdprobe is not available, to replay it here. */
#include "cli/cli.h"
#include "cli/sampled_group.h"
#include "cli/shell.h"
#include "cli/table/parse.h"
#include "include/td_run.h"
#include "private/plan.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ask {
    struct cli_options set;
    const char *uarch; /* NULL: this machine, or a simulated one */
    bool simulated;
    bool encodings;
    bool watchdog;
    bool functions;
    bool no_multiplex;
    long rate; /* samples per second; 0: as usual */
    const char *cpus, *tasks, *metrics, *level; /* as given, or NULL */
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
    const int code =
        letter == 'C' ? cli_options_cpus(value, &numbers, &n) : cli_options_tasks(letter, value, &numbers, &n);

    free((int *)(uintptr_t)numbers);
    *list = value;
    return code;
}

static int take_cpus(void *settings, const char *value)
{
    return take_list(&((struct ask *)settings)->cpus, 'C', value);
}

static int take_pids(void *settings, const char *value)
{
    ((struct ask *)settings)->tasks_letter = 'p';
    return take_list(&((struct ask *)settings)->tasks, 'p', value);
}

static int take_tids(void *settings, const char *value)
{
    ((struct ask *)settings)->tasks_letter = 't';
    return take_list(&((struct ask *)settings)->tasks, 't', value);
}

static const struct cli_option options[] = {
    CLI_GROUP("The CPU and its events:"),
    CLI_UARCH(.common = true, .help = "the CPU that it is to run on", .more = "('tdprobe list uarchs')"),
    CLI_LEVEL(.more = "(default: 2 where its events fit the counters together with those of level 1, else 1; "
                      "from 3 on perf multiplexes)"),
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    {"no-multiplex", CLI_SETS(struct ask, no_multiplex), .common = true,
     .help = "a 'perf stat' for each group that would be multiplexed",
     .more = "; each runs the command and appends to the same recording"},
    CLI_NO_FIXED(.common = false),
    {"encodings", CLI_SETS(struct ask, encodings), .common = true, .help = "the vendor's events by their encodings",
     .more = "for a perf that does not know their names"},
    {"watchdog", CLI_SETS(struct ask, watchdog), .help = "for a CPU whose NMI watchdog is on",
     .more = "and stays on (sysctl kernel.nmi_watchdog): it holds a counter"},
    CLI_MACHINE(.kind = CLI_TAKEN, .take = cli_take_machine, .help = "for a simulated machine, tdprobe-machine(5)"),
    CLI_GROUP("What is recorded:"),
    {"all-cpus", 'a', CLI_SETS(struct ask, all), .common = true, .help = "the whole system",
     .more = "(the default without a command)"},
    {"cpu", 'C', "LIST", CLI_TAKEN, .take = take_cpus, .common = true, .help = "these CPUs: 0-3,7"},
    {"pid", 'p', "LIST", CLI_TAKEN, .take = take_pids, .common = true, .help = "these processes"},
    {"tid", 't', "LIST", CLI_TAKEN, .take = take_tids, .help = "these threads"},
    CLI_BY_ROWS(struct ask, by),
    CLI_GROUP("How:"),
    {"interval-print", 'I', "MS", CLI_MS_IN(struct ask, interval, 10, 1000000000), .usual = "1000", .common = true,
     .help = "print every MS milliseconds", .more = "(or 1s)"},
    {"functions", CLI_SETS(struct ask, functions), .common = true, .help = "the 'perf record' that samples the groups",
     .more = "for the slots of each function"},
    {"rate", .arg = "HZ", CLI_NUMBER_IN(struct ask, rate, 1, 100000), .usual = "4000",
     .help = "with --functions: samples per second"},
    CLI_OUTPUT(.help = "the recording", .more = "(default: rec.csv, or perf.data)"),
    CLI_HELP_ROWS,
};

#define BY_CPUS "-A --per-core --per-socket --per-node"
#define DEEP "--level=3 --level=4 --level=5 --level=6"

static const struct cli_rule rules[] = {
    {"--no-multiplex", .with = "--functions -I"},
    {"--no-multiplex", "-p -t",
     .says = "--no-multiplex runs a command again for each group, but %2 measures tasks that run once: "
             "without it the kernel multiplexes the groups"},
    {"--no-multiplex", .without = "COMMAND",
     .says = "--no-multiplex runs a command again for each group: it needs one, such as -- ./app"},
    {"--watchdog", .without = "--uarch",
     .says = "--watchdog needs --uarch NAME: of this machine it is known whether the watchdog is on"},
    {"--watchdog", "--machine",
     .says = "--watchdog and --machine exclude each other: the machine's description says whether its watchdog is on"},
    {"--rate", .without = "--functions"},
    {"--functions", BY_CPUS " --per-thread -M " DEEP,
     .says = "--functions samples the groups of level 1 or 2: it excludes -A, --per-..., -M and levels from 3 on"},
    {"-p -t", "-a -C", .says = "-p and -t exclude -a and -C"},
    {"--per-thread", .without = "-p -t"},
    {BY_CPUS, "-p -t", .says = "%1 and %2 exclude each other: only counts of -a or -C are divided by CPU"},
    {BY_CPUS, "COMMAND", "-a -C", .says = "-A, --per-core, --per-socket and --per-node need -a or -C"},
};

const struct cli_subcommand cli_perf_command_command = {
    .name = "perf-command",
    .brief = "what to record with perf where there is no tdprobe",
    .page = "tdprobe-perf-command(1)",
    .usage = "perf-command --uarch NAME [options] [--] [command...]",
    .about = "Prints the 'perf stat' that records what a CPU's formulas need, in the groups\n"
             "that tdprobe itself would count, and how to replay the recording. Without\n"
             "--uarch: for this machine. Nothing is counted.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "+",
    .offer = CLI_PROGRAM,
};

static bool is_of_tasks(const struct ask *a)
{
    return a->tasks || (a->words && !a->all && !a->cpus);
}

static int parse(struct ask *a, int argc, char **argv)
{
    int code = cli_parse(&cli_perf_command_command, a, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        a->words = argv + optind;
    code = cli_check(&cli_perf_command_command, &a->set, a->words);
    a->simulated = cli_given(&cli_perf_command_command, &a->set, "--machine");
    a->uarch = cli_given(&cli_perf_command_command, &a->set, "--uarch");
    a->level = cli_given(&cli_perf_command_command, &a->set, "--level");
    a->metrics = cli_given(&cli_perf_command_command, &a->set, "-M");
    if (a->watchdog)
        td_set_watchdog(a->set.td, true);
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
        [TD_BY_CPU] = "-A",          [TD_BY_CORE] = "--per-core",     [TD_BY_SOCKET] = "--per-socket",
        [TD_BY_NODE] = "--per-node", [TD_BY_THREAD] = "--per-thread",
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

static void put_sampled(struct td_output *o, const char *group, size_t len)
{
    char *one = strndup(group, len), *text = one ? cli_sampled_group(one, "cycles") : NULL;

    td_output_text(o, text ? text : "");
    free(text);
    free(one);
}

/* Where the next of several groups begins; NULL: there is none. */
static const char *next_group(const char *groups)
{
    const char *between = strstr(groups, "},{");

    return between ? between + 2 : NULL;
}

static void put_all_sampled(struct td_output *o, const char *groups)
{
    for (const char *next; (next = next_group(groups)); groups = next) {
        put_sampled(o, groups, (size_t)(next - 1 - groups));
        td_output_char(o, ',');
    }
    put_sampled(o, groups, strlen(groups));
}

static void put_events(struct td_output *o, const struct ask *a)
{
    const char *events, *between = "";

    td_output_text(o, " -e '");
    for (size_t i = 0;
         (events = a->encodings ? td_plan(a->set.td, TD_PLAN_ENCODINGS, i) : td_plan(a->set.td, TD_PLAN_EVENTS, i));
         i++) {
        if (!*events) /* of this kind of core no group is left for this run */
            continue;
        td_output_text(o, between);
        between = ",";
        if (a->functions)
            put_all_sampled(o, events);
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

    for (size_t i = 0; (events = td_plan(a->set.td, TD_PLAN_EVENTS, i)); i++)
        differ = differ || strcmp(events, td_plan(a->set.td, TD_PLAN_ENCODINGS, i));
    return differ;
}

/* A perf that samples them needs to be told. */
static void put_latencies(struct td_output *o, const struct ask *a)
{
    const char *events,
        *between = "# mean retire latencies, which metrics need: a perf that has it takes --record-tpebs -e '";
    bool any = false;

    for (size_t i = 0; !a->functions && (events = td_plan(a->set.td, TD_PLAN_LATENCIES, i)); i++) {
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

/* How many groups take turns in what perf is to count, none of which it is told to keep. */
static unsigned turns_of(const char *events)
{
    unsigned n = 1;

    if (strstr(events, "}:D"))
        return 0;
    for (const char *at = events; (at = strstr(at, "},{")) != NULL; at++)
        n++;
    return n;
}

/* A level 1 that needs too many counters to stay beside the other groups takes turns with them; measured live it has
 * every second one, which perf has no word for. Without a machine it is not known whether it could stay. */
static void put_turns(struct td_output *o, const struct ask *a)
{
    const char *events;
    unsigned most = 0;

    for (size_t i = 0; !a->functions && !a->no_multiplex && (events = td_plan(a->set.td, TD_PLAN_EVENTS, i)); i++) {
        const unsigned turns = turns_of(events);

        most = turns > most ? turns : most;
    }
    if (most > 2)
        td_output_format(
            o,
            "# perf counts level 1 in one of %u turns, and tdprobe stat in every second one or all the time, if one group holds it: "
            "--level 1 counts it alone, --no-multiplex with a command counts each group in a run of its own\n",
            most);
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
    put_turns(&o, a);
    if (a->functions && td_plan_groups(a->set.td) > 1)
        td_output_format(
            &o,
            "# the counters do not hold all events together: %u groups take turns (multiplexing), each for a part of the "
            "time%s\n",
            td_plan_groups(a->set.td), a->set.level > 1 ? "; --level 1 takes fewer" : "");
    if (a->functions && is_of_tasks(a))
        td_output_format(&o, "# perf does not sample threads and processes that start later: -a %sdoes\n",
                         !a->tasks                ? ""
                         : a->tasks_letter == 'p' ? "instead of -p "
                                                  : "instead of -t ");
    if (a->functions && is_of_tasks(a) && strstr(td_plan(a->set.td, TD_PLAN_EVENTS, 0), "thread_any"))
        td_output_text(&o, "# the clock of both threads of a core (thread_any) needs CAP_PERFMON, or sysctl "
                           "kernel.perf_event_paranoid=0\n");
    if (!a->encodings && has_vendors_names(a))
        td_output_text(&o, "# if perf does not know one of these names: tdprobe perf-command --encodings\n");
    if (td_plan_watchdog(a->set.td))
        td_output_format(&o,
                         "# if perf %s, and the NMI watchdog is on: tdprobe perf-command --watchdog, "
                         "or sysctl kernel.nmi_watchdog=0\n",
                         a->functions ? "records no sample" : "prints <not counted>");
    return cli_stdout_end(&o);
}

/* Without a machine it does not matter which tasks and CPUs are planned for. Samples of tasks have the same events as
 * those of CPUs: of a core's clock a thread's part has bounds. */
static int plan(const struct ask *a)
{
    static const pid_t any = 0;
    const struct td_live what = {
        .size = sizeof(struct td_live),
        .tasks = &any,
        .ntasks = is_of_tasks(a) && !a->functions ? 1 : 0,
        .by = a->cpus && a->by == TD_BY_ALL ? TD_BY_CPU : a->by,
    };
    int err;

    /* a group that would stay beside the others is in each of their runs */
    td_set_group(a->set.td, a->functions ? TD_GROUPS_SAMPLED : a->no_multiplex);
    err = a->uarch && !a->simulated ? td_plan_uarch(a->set.td, &what) : td_plan_live(a->set.td, &what);

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
    if (!code && td_plan(a.set.td, TD_PLAN_EVENTS, 0))
        code = print(&a);
    td_free(a.set.td);
    return code;
}
