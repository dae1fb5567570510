/* SPDX-License-Identifier: MIT */
/* The options of tdprobe stat and tdprobe record; letters as in perf. */
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/numbers.h"
#include "cli/sampling/sampling.h"
#include "cli/stat/stat.h"
#include "cli/table/parse.h"
#include "cli/usual_file.h"
#include "private/plan.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Half of what 64 bits of ns can hold. */
#define LONGEST ((long)(INT64_MAX / 1000000))

/* ---- values ------------------------------------------------------------------------ */

static int take_tasks(struct cli_stat *l, bool threads, const char *text)
{
    if (l->what.ntasks && l->what.threads != threads)
        return cli_usage("-p and -t exclude each other");
    l->what.threads = threads;
    l->tasks_text = text;
    return cli_options_tasks(threads ? 't' : 'p', text, &l->what.tasks, &l->what.ntasks);
}

static int take_pids(void *settings, const char *text)
{
    return take_tasks(settings, false, text);
}

static int take_tids(void *settings, const char *text)
{
    return take_tasks(settings, true, text);
}

static int take_cpus(void *settings, const char *text)
{
    struct cli_stat *l = settings;

    l->cpus_text = text;
    return cli_options_cpus(text, &l->what.cpus, &l->what.ncpus);
}

static int take_cgroups(void *settings, const char *text)
{
    struct cli_stat *l = settings;
    const char **names = (const char **)l->what.cgroups;
    bool ok;

    free(l->names);
    l->names = strdup(text);
    ok = l->names && cli_list_names(l->names, &names, &l->what.ncgroups);
    l->what.cgroups = names;
    return ok ? 0 : cli_usage("--for-each-cgroup: '%s' is not a list of cgroups such as a,b/c", text);
}

static int take_source(void *settings, const char *name)
{
    struct cli_stat *l = settings;

    l->msr = !strcmp(name, "msr");
    return td_set_source(l->set.td, name) ? cli_usage("--source: %s", td_error(l->set.td)) : 0;
}

static const char *source_name(size_t i)
{
    static const char *const names[] = {"auto", "perf", "msr", NULL};

    return names[i];
}

static int take_fixed(void *settings, const char *value)
{
    struct cli_stat *l = settings;

    (void)value;
    td_set_fixed(l->set.td, true);
    l->set.report.no_fixed = false;
    return 0;
}

static int take_drilldown(void *settings, const char *value)
{
    (void)value;
    ((struct cli_stat *)settings)->drill->on = true;
    return 0;
}

/* ---- the table ---------------------------------------------------------------------- */

static const struct cli_option options[] = {
    CLI_GROUP("What is measured: the command and what it starts, or"),
    {"all-cpus", 'a', CLI_SETS(struct cli_stat, all), .common = true, .help = "the whole system",
     .more = "(also without a command and the next four)"},
    {"cpu", 'C', "LIST", CLI_TAKEN, .take = take_cpus, .common = true, .help = "these CPUs: 0-3,7"},
    {"pid", 'p', "LIST", CLI_TAKEN, .take = take_pids, .common = true, .help = "these processes, all their threads"},
    {"tid", 't', "LIST", CLI_TAKEN, .take = take_tids, .help = "these threads"},
    {"for-each-cgroup", .arg = "LIST", .kind = CLI_TAKEN, .take = take_cgroups, .help = "each of these cgroups: a,b/c"},
    {"all-user", CLI_SETS(struct cli_stat, what.no_kernel), .help = "only user mode"},
    {"all-kernel", CLI_SETS(struct cli_stat, what.no_user), .help = "only the kernel"},
    {"no-inherit", 'i', CLI_SETS(struct cli_stat, what.no_inherit),
     .help = "do not count what the tasks start from now on"},
    CLI_GROUP("Aggregation: one result, or one"),
    CLI_BY_ROWS(struct cli_stat, what.by),
    CLI_GROUP("When:"),
    {"interval-print", 'I', "MS", CLI_MS_IN(struct cli_stat, interval, 1, LONGEST), .common = true,
     .help = "results every MS milliseconds", .more = "(or 500ms, 1.5s, 2m), and their summary at the end"},
    {"interval-count", .arg = "N", CLI_NUMBER_IN(struct cli_stat, most, 1, INT32_MAX), .help = "N intervals",
     .more = "; the command then continues unmeasured"},
    {"interval-clear", CLI_SETS(struct cli_stat, clear),
     .help = "at a terminal: each interval in place of the one before"},
    {"timeout", .arg = "MS", CLI_MS_IN(struct cli_stat, timeout, 1, LONGEST), .common = true,
     .help = "for MS milliseconds", .more = "(or 2s; -r: each run); the command then gets a SIGTERM"},
    {"delay", 'D', "MS", CLI_MS_IN(struct cli_stat, delay, -1, LONGEST),
     .help = "begin after MS milliseconds (or 2s); -1: when --control enables"},
    {"repeat", 'r', "N", CLI_NUMBER_IN(struct cli_stat, repeat, 1, 1000000), .only = "stat", .common = true,
     .help = "run the command N times", .more = "; the report has each run, their sum, mean and deviation"},
    {"repeat", 'r', "N", CLI_NUMBER_IN(struct cli_stat, repeat, 1, 1000000), .only = "record",
     .help = "with --no-multiplex: N runs of each group"},
    {"until", .arg = "POINTS", CLI_REAL_IN(struct cli_stat, until, 0, 100), .above = true, .per = 100, .unit = "pp",
     .is = "a number of points above 0 such as 1pp", .help = "run the command until each share is known this well",
     .more = "('1pp': within one point), at least 8 times"},
    {"max-runs", .arg = "N", CLI_NUMBER_IN(struct cli_stat, most_runs, TD_REPEAT_LEAST, 1000000), .usual = "50",
     .help = "with --until: at most N times"},
    {"control", .arg = "fd:CTL[,ACK]|fifo:CTL[,ACK]", CLI_TEXT_IN(struct cli_stat, control_text),
     .help = "orders, one a line: enable, disable, ping, snapshot, stop", .more = "; each is answered by 'ack' on ACK"},
    CLI_GROUP("How:"),
    CLI_UARCH(.help = "the CPU, instead of the detected one", .more = "('tdprobe list uarchs')"),
    CLI_BACKEND(.help = "only by this backend"),
    CLI_NO_FIXED(.common = false),
    {"fixed", .kind = CLI_TAKEN, .take = take_fixed, .help = "use PERF_METRICS for tasks and cgroups too",
     .more = "(otherwise their ordinary events, which are exact, where one group holds them)"},
    CLI_LEVEL(.more = "(default: 2 where its events can be counted together with those of level 1, else 1; "
                      "from 3 on the kernel multiplexes groups of events)"),
    {"td-level", .arg = "N", .kind = CLI_TAKEN, .take = cli_take_level, .low = TD_LEVEL_TOP, .high = TD_LEVELS,
     .offer = CLI_LEVELS, .help = "the same, as perf calls it"},
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    {"drilldown", .kind = CLI_TAKEN, .take = take_drilldown, .common = true,
     .help = "down to the leaf that limits, level by level",
     .more = ": first as without it, then only below the node that limits; the command runs again for each level, and "
             "-a, -C and -p measure again for --timeout"},
    {"no-multiplex", CLI_SETS(struct cli_stat, no_multiplex),
     .help = "measure groups that would be multiplexed in further runs",
     .more = "of the command, one in each, which the report joins (-r N: N runs of each; from 8 on they give bounds "
             "of what needs several groups)"},
    {"source", .arg = "NAME", .kind = CLI_TAKEN, .take = take_source, .choice = source_name, .usual = "perf",
     .help = "where counts come from",
     .more = "(msr: the registers of Intel CPUs, and of AMD's since Zen 4; "
             "-a or -C, root; one CPU of -C: the command is bound to it)"},
    CLI_MACHINE(CLI_TEXT_IN(struct cli_stat, machine),
                .help = "a simulated machine, tdprobe-machine(5), instead of this one",
                .more = "; with --timeout as fast as possible, else no faster than "
                        "real time passes"),
    {"fast", CLI_SETS(struct cli_stat, fast), .help = "simulate as fast as possible in any case"},
    {"verbose", 'v', CLI_SETS(struct cli_stat, verbose), .help = "print on stderr what is opened"},
    {"dry-run", CLI_SETS(struct cli_stat, dry_run), .help = "print it on stdout and open nothing"},
    CLI_GROUP("The report, on stderr:"),
    CLI_REPORT_FORMAT(.more = "(text: one result as a tree, several as lines; html: a page)"),
    CLI_HTML_METRICS,
    CLI_SEPARATOR(cli_take_format),
    CLI_JSON(cli_take_format),
    CLI_ALL,
    CLI_COUNTS(.common = false),
    {"summary", CLI_SETS(struct cli_stat, summary), .help = "print the summary without -I too"},
    {"summary-only", CLI_SETS(struct cli_stat, summary_only), .help = "print only the summary"},
    CLI_STRICT_ROWS,
    CLI_JOB_OUTPUT(.only = "stat", .help = "to FILE, not stderr; - is stdout",
                   .more = "(which grows with each interval; %r, %h and %p: rank, host, process)"),
    CLI_JOB_OUTPUT(.only = "record", .usual = CLI_USUAL_TRACE, .help = "the trace to FILE; - is stdout",
                   .more = "(which grows with each interval; %r, %h and %p: rank, host, process)"),
    {"append", CLI_SETS(struct cli_stat, append), .help = "append to FILE"},
    {"log-fd", .arg = "N", CLI_NUMBER_IN(struct cli_stat, log_fd, 0, 1 << 20), .help = "to file descriptor N"},
    {"baseline", .arg = "DIR", CLI_TEXT_IN(struct cli_stat, baseline.folder), .offer = CLI_FOLDERS, .common = true,
     .help = "the trace joins the history in DIR"},
    {"functions", CLI_SETS(struct cli_stat, functions), .only = "record", .common = true,
     .help = "samples instead: record --functions --help"},
    {"label", .arg = "KEY=VALUE", .kind = CLI_TAKEN, .take = cli_take_label, .only = "record",
     .help = "call the recording so: build=4711", .more = "(any number of labels; replay --archive has them)"},
    CLI_HELP_ROWS,
};

#define MSR "--source=msr counts whole CPUs: it needs -C LIST or -a, and excludes -p, -t and --for-each-cgroup"
#define RUNS "--until -r"
#define BY_CPUS "-A --per-core --per-socket --per-node"
#define CPUS "-a -C --for-each-cgroup"

static const struct cli_rule rules[] = {
    {"--until", "-r", .says = "--until and -r exclude each other; --max-runs N is the most runs"},
    {"--max-runs", .without = "--until", .says = "--max-runs is for --until; -r N runs the command N times"},
    {RUNS, .with = "-I"},
    {"--interval-clear", .without = "-I"},
    {"--interval-count", .without = "-I"},
    {"--append --until --max-runs", .says = "record excludes %1: a trace is of one run", .only = "record"},
    {"-r", .without = "--no-multiplex", .says = "record takes -r with --no-multiplex only: a trace is of one run",
     .only = "record"},
    {"--baseline",
     .says = "--baseline belongs to record, which adds to a history, and to compare, which compares with one",
     .only = "stat"},
    {"--baseline", "-o", .says = "--baseline and -o exclude each other: the history names its recordings itself"},
    {"-o=-", "--log-fd=1",
     .says = "record -o - and --log-fd 1 exclude each other: stdout takes either the trace or the report",
     .only = "record"},
    {"--append", .without = "-o"},
    {"--format=chrome", "--append --drilldown",
     .says = "--format chrome and %2 exclude each other: the JSON is of one measurement, and cannot be appended to"},
    {"--format=openmetrics", "--append --drilldown",
     .says = "--format openmetrics and %2 exclude each other: a scrape is one text, which ends where it ends"},
    {"--format=prometheus", "--append --drilldown",
     .says = "--format prometheus and %2 exclude each other: a scrape is one text, which ends where it ends"},
    {"--format=html", "--append --drilldown",
     .says = "--format html and %2 exclude each other: a page is of one measurement, and cannot be appended to"},
    {"-o", "--log-fd", .only = "stat"},
    {"--fast", .without = "--machine", .says = "--fast is for a simulated machine: it needs --machine"},
    {"--drilldown", .says = "--drilldown belongs to stat: it measures once for each level, and a trace is of one run",
     .only = "record"},
    {"--drilldown", "--until",
     .says = "--drilldown and --until exclude each other: --drilldown runs the command once for each level"},
    {"--drilldown", "-r", "--no-multiplex",
     .says = "--drilldown takes -r with --no-multiplex only, as it runs the command once for each level"},
    {"--drilldown", "--dry-run",
     .says =
         "--drilldown and %2 exclude each other: what is measured for a level depends on the result of the one above"},
    {"--drilldown", BY_CPUS " --per-thread --for-each-cgroup",
     .says = "--drilldown goes down one result: it excludes -A, --per-* and --for-each-cgroup"},
    {"--drilldown", .without = "COMMAND --timeout",
     .says = "--drilldown without a command needs --timeout MS: how long each level is measured"},
    {"--no-multiplex", .without = "COMMAND",
     .says = "--no-multiplex runs a command again for each group of events: name one, or leave the option out, so that "
             "the kernel multiplexes the groups"},
    {"--no-multiplex", "-p -t",
     .says = "--no-multiplex runs the command again for each group of events, but %2 measures tasks that run once: "
             "without it the kernel multiplexes the groups"},
    {"--no-multiplex", "-I --until", .says = "--no-multiplex and %2 exclude each other: its runs are one result"},
    {"-p -t", CPUS, .says = "-p and -t exclude -a, -C and --for-each-cgroup"},
    {"--per-thread", .without = "-p -t"},
    {BY_CPUS, "-p -t", .says = "%1 and %2 exclude each other: only results of -a or -C are divided by CPU"},
    {BY_CPUS, "COMMAND", CPUS, .says = "-A, --per-core, --per-socket and --per-node need -a or -C"},
    {BY_CPUS " --per-thread", "--for-each-cgroup",
     .says = "each cgroup has one result: --for-each-cgroup excludes -A and --per-*"},
    {"--source=msr", "-p -t --for-each-cgroup", .says = MSR},
    {"--source=msr", "COMMAND", CPUS, .says = MSR},
    {"--all-user", .with = "--all-kernel"},
    {RUNS, .without = "COMMAND", .says = "%1 needs a command"},
};

#define SIGNALS \
    "Ctrl-C, SIGTERM and SIGHUP end the measuring with a last interval and the summary;\n" \
    "SIGTERM and SIGHUP are passed on to the command, and a second Ctrl-C kills it. SIGUSR1:\n" \
    "an interval ends now; SIGUSR2: counting pauses, or continues.\n" \
    "\n" \
    "Exit codes: the command's own where it is not 0, 128+N when signal N killed it (-r: of\n" \
    "the first run that failed); 127 it was not found, 126 it could not be started.\n" \
    "Else 0; 3 see --strict; 64 wrong usage, no such task; 65 no such cgroup, bad machine file; 69 this\n" \
    "machine cannot count top-down events, or not now: counters in use, CPU offline;\n" \
    "70 a bug, out of memory; 74 the output could not be written; 77 not permitted.\n" \
    "'tdprobe doctor' explains 69 and 77.\n"

const struct cli_subcommand cli_stat_command = {
    .name = "stat",
    .called = "tdprobe",
    .brief = "where the slots go, live; 'stat' may be left out",
    .page = "tdprobe(1)",
    .usage = "[stat] [options] [--] command...\n"
             "[stat] [options] -a | -C LIST | -p LIST | -t LIST",
    .about = "Measures where the pipeline slots go.\n",
    .end = SIGNALS,
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "+",
    .offer = CLI_PROGRAM,
};

const struct cli_subcommand cli_record_command = {
    .name = "record",
    .brief = "the same, and a trace of it; --functions: samples",
    .page = "tdprobe(1)",
    .usage = "record [options] [-o FILE|-] [--] command...\n"
             "record [options] --baseline DIR [--] command...",
    .about = "The same as tdprobe stat, whose report still goes to stderr, and each reading is\n"
             "written at once to FILE as a tdprobe-trace(5); - is stdout.\n",
    .more = "'tdprobe replay FILE' prints the same again. Here -o is the trace, and -r N needs\n"
            "--no-multiplex, as a trace is of one run. With --baseline the trace joins the history\n"
            "in DIR, if all went well (exit code 0); 'tdprobe compare --baseline DIR' compares with\n"
            "the last of it. With --functions it samples instead.\n",
    .end = SIGNALS,
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "+",
    .offer = CLI_PROGRAM,
    .instead_if = "functions",
    .instead = &cli_sampling_command,
};

int cli_stat_command_at(int argc, char **argv)
{
    static const char *const others[] = {"import-format", "jobs", NULL};

    return cli_first_word(&cli_stat_command, &cli_replay_command, others, argc, argv);
}

/* ---- the command line ------------------------------------------------------------------ */

/* Who names the trace as a page wants the page. */
static int refuse_page(const struct cli_stat *l)
{
    const struct td_report_format *f = l->set.report.format;
    const char *path = l->record && f && f->page ? l->set.output : NULL, *ending = path ? strrchr(path, '.') : NULL;

    if (!ending || strcmp(ending, strcmp(f->name, "html") != 0 ? ".json" : ".html") != 0)
        return 0;
    return cli_usage(
        "record -o is the trace, not its report: 'tdprobe stat --format %s -o %s' measures without a trace; "
        "with one, 'tdprobe record' and then 'tdprobe replay --format %s -o %s'",
        f->name, path, f->name, path);
}

int cli_stat_parse(struct cli_stat *l, int argc, char **argv)
{
    enum { USUAL = 50 };
    const struct cli_subcommand *c = l->record ? &cli_record_command : &cli_stat_command;
    int code = cli_parse(c, l, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        l->command.words = argv + optind;
    else if (argc == 1)
        return cli_usage("no command to measure; -a measures the whole system");
    else if (!strcmp(argv[argc - 1], "--"))
        return cli_usage("no command after --");
    l->means.until = l->until > 0;
    if (l->until > 0)
        l->repeat = l->most_runs ? l->most_runs : USUAL;
    td_set_intervals(l->set.td, !l->summary_only && !l->no_multiplex);
    td_set_group(l->set.td, l->no_multiplex);
    code = cli_check(c, &l->set, l->command.words);
    code = code ? code : refuse_page(l);
    l->unnamed = l->record && !l->set.output && !l->baseline.folder;
    if (l->unnamed)
        l->set.output = CLI_USUAL_TRACE;
    if (l->no_multiplex) { /* rounds of runs, which are one result */
        l->rounds = l->repeat ? l->repeat : 1;
        l->repeat = 0;
    }
    if (!code && l->interval && l->interval < 10)
        cli_say("-I %ld: below 10 ms, measuring itself may take much of the time", l->interval);
    return code ? code : -1;
}

void cli_stat_forget(struct cli_stat *l)
{
    free((void *)l->what.cpus);
    free((void *)l->what.tasks);
    free((void *)l->what.cgroups);
    free(l->names);
    free(l->target);
    free(l->baseline.path);
    td_repeat_free(&l->means);
}
