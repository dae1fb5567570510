/* SPDX-License-Identifier: MIT */
/* The options of tdprobe stat and tdprobe record; letters as in perf. */
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/stat/stat.h"
#include "private/plan.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char cli_stat_options_help[] =
    "What is measured: the command and what it starts, or\n"
    "  -a, --all-cpus          the whole system (also without a command and the next four)\n"
    "  -C, --cpu LIST          these CPUs: 0-3,7\n"
    "  -p, --pid LIST          these processes, all their threads\n"
    "  -t, --tid LIST          these threads\n"
    "  --for-each-cgroup LIST  each of these cgroups: a,b/c\n"
    "  --all-user, --all-kernel  only user mode, only the kernel\n"
    "  -i, --no-inherit        do not count what the tasks start from now on\n"
    "Aggregation: one result, or one for each\n"
    "  -A, --no-aggr           CPU; with -a or -C, as the next three\n"
    "  --per-core, --per-socket, --per-node\n"
    "  --per-thread            thread, with -p or -t\n"
    "When:\n"
    "  -I, --interval-print MS results every MS milliseconds, and their summary at the end\n"
    "  --interval-clear        at a terminal: each interval in place of the one before\n"
    "  --interval-count N      N intervals; the command then continues unmeasured\n"
    "  --timeout MS            for MS milliseconds (-r: each run); the command then gets a SIGTERM\n"
    "  -D, --delay MS          begin after MS milliseconds; -1: when --control enables\n"
    "  -r, --repeat N          run the command N times: each, the summary, mean and deviation\n"
    "  --until POINTS          runs the command until each share is known within so many points\n"
    "                          ('1pp'), at least 8 times; --max-runs N: at most N times (50)\n"
    "  --control fd:CTL[,ACK] | fifo:CTL[,ACK]\n"
    "                          orders, one a line: enable, disable, ping, snapshot, stop;\n"
    "                          each is answered by 'ack' on ACK\n"
    "How:\n"
    "  --uarch NAME|ID         the CPU, instead of the detected one ('tdprobe list uarchs')\n"
    "  --backend=NAME          only by this backend; auto (the default): any\n"
    "  --no-fixed              use ordinary events instead of the PERF_METRICS register\n"
    "  --fixed                 use PERF_METRICS for tasks and cgroups too, whose ordinary\n"
    "                          events, which are exact, are used where one group holds them\n"
    "  --level, --td-level 1..6  the deepest level (default: 2 where its events can be\n"
    "                          counted together with those of level 1, else 1); from 3 on\n"
    "                          groups of events take turns: the kernel multiplexes them\n"
    "  -M, --metrics LIST      further metrics: names, groups or all ('tdprobe list metrics\n"
    "                          --uarch NAME')\n"
    "  --drilldown             levels 1 and 2, then only what is below the node that limits,\n"
    "                          down to the leaf: the command runs again for each level, or\n"
    "                          -a, -C and -p measure again for --timeout\n"
    "  --no-multiplex          groups that would take turns are measured in further runs of the\n"
    "                          command, one in each; the report joins these runs (-r N: N of\n"
    "                          each, which give bounds of what needs several groups from 8 on)\n"
    "  --source NAME           perf (the default, auto), or msr: the registers of Intel CPUs\n"
    "                          (-a or -C, root; one CPU of -C: the command is bound to it)\n"
    "  --machine FILE          a simulated machine, tdprobe-machine(5), instead of this one;\n"
    "                          with --timeout as fast as possible, else no faster than real\n"
    "                          time passes\n"
    "  --fast                  a simulated machine as fast as possible in any case\n"
    "  -v, --verbose           print on stderr what is opened\n"
    "  --dry-run               print it on stdout and open nothing\n"
    "The report, on stderr:\n"
    "  --format NAME           text (the default: one result as a tree, several as lines), tree,\n"
    "                          csv or json\n"
    "  -x, --field-separator SEP  csv, with SEP between the fields\n"
    "  -j, --json              json\n"
    "  --all                   text: deeper nodes below their thresholds, too\n"
    "  --counts                print the events' counts too\n"
    "  --summary               print the summary without -I too\n"
    "  --summary-only          print only the summary\n"
    "  -o, --output FILE       to FILE, which grows with each interval; - is stdout\n"
    "  --append                after what FILE holds\n"
    "  --log-fd N              to file descriptor N\n"
    "  --strict                exit 3 in place of 0 if any value that is shown is flagged\n"
    "  --min-coverage 0..1     exit 3 in place of 0 if one was counted in less of the time\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the measuring with a last interval and the summary;\n"
    "SIGTERM and SIGHUP are passed on to the command, and a second Ctrl-C kills it. SIGUSR1:\n"
    "an interval ends now; SIGUSR2: counting pauses, or continues.\n"
    "\n"
    "Exit codes: the command's own where it is not 0, 128+N when signal N killed it (-r: of\n"
    "the first run that failed); 127 it was not found, 126 it could not be started.\n"
    "Else 0; 3 see --strict; 64 wrong usage, no such task; 65 no such cgroup, bad machine file; 69 this\n"
    "machine cannot count top-down events, or not now: counters in use, CPU offline;\n"
    "70 a bug, out of memory; 74 the output could not be written; 77 not permitted.\n"
    "'tdprobe doctor' explains 69 and 77.\n";

static const char stat_help[] = "usage: tdprobe [stat] [options] [--] command...\n"
                                "       tdprobe [stat] -a | -C LIST | -p LIST | -t LIST | --for-each-cgroup LIST [options]\n"
                                "\n"
                                "Measures where the pipeline slots go.\n"
                                "\n";
static const char record_help[] =
    "usage: tdprobe record [options] -o FILE|- [--] command...\n"
    "       tdprobe record [options] --baseline DIR [--] command...\n"
    "\n"
    "The same as tdprobe stat, whose report still goes to stderr, and each reading is\n"
    "written at once to FILE as a tdprobe-trace(5); - is stdout. 'tdprobe replay FILE'\n"
    "prints the same again. Here -o is the trace, and there are no --append and no -r.\n"
    "With --baseline the trace joins the history in DIR, if all went well (exit code 0);\n"
    "'tdprobe compare --baseline DIR' compares with the last of it.\n"
    "With --functions it samples instead: see 'tdprobe record --functions --help'.\n"
    "\n";

enum {
    OPT_CGROUPS = CLI_OTHER, OPT_TIMEOUT, OPT_COUNT, OPT_USER, OPT_KERNEL,
    OPT_APPEND, OPT_LOG_FD, OPT_CONTROL, OPT_SUMMARY, OPT_SUMMARY_ONLY, OPT_MACHINE, OPT_DRY_RUN, OPT_SOURCE, OPT_CLEAR, OPT_FAST, OPT_FIXED, OPT_DRILLDOWN,
    OPT_UNTIL, OPT_MAX_RUNS, OPT_BASELINE, OPT_NO_MULTIPLEX,
};

static const struct option options[] = {
    CLI_OPTIONS_COMMON,
    CLI_OPTIONS_STRICT,
    {"td-level", required_argument, NULL, CLI_LEVEL},
    CLI_OPTIONS_LETTERS,
    CLI_OPTIONS_SCOPE,
    {"for-each-cgroup", required_argument, NULL, OPT_CGROUPS},
    {"repeat", required_argument, NULL, 'r'},
    {"until", required_argument, NULL, OPT_UNTIL},
    {"max-runs", required_argument, NULL, OPT_MAX_RUNS},
    {"delay", required_argument, NULL, 'D'},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"interval-count", required_argument, NULL, OPT_COUNT},
    {"interval-clear", no_argument, NULL, OPT_CLEAR},
    {"all-user", no_argument, NULL, OPT_USER},
    {"all-kernel", no_argument, NULL, OPT_KERNEL},
    {"no-inherit", no_argument, NULL, 'i'},
    {"append", no_argument, NULL, OPT_APPEND},
    {"log-fd", required_argument, NULL, OPT_LOG_FD},
    {"control", required_argument, NULL, OPT_CONTROL},
    {"summary", no_argument, NULL, OPT_SUMMARY},
    {"summary-only", no_argument, NULL, OPT_SUMMARY_ONLY},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"fast", no_argument, NULL, OPT_FAST},
    {"fixed", no_argument, NULL, OPT_FIXED},
    {"drilldown", no_argument, NULL, OPT_DRILLDOWN},
    {"baseline", required_argument, NULL, OPT_BASELINE},
    {"no-multiplex", no_argument, NULL, OPT_NO_MULTIPLEX},
    {"source", required_argument, NULL, OPT_SOURCE},
    {"verbose", no_argument, NULL, 'v'},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {0},
};

/* Letters and options of stat, plus those of other subcommands that take a value. */
static const char letters[] = "+:aC:p:t:I:r:D:AiM:x:jo:vh";

int cli_stat_command_at(int argc, char **argv)
{
    static const struct option others[] = {
        {"import-format", required_argument, NULL, CLI_IMPORT_FORMAT}, {"jobs", required_argument, NULL, 'J'}, {0},
    };
    struct option all[sizeof(options) / sizeof(*options) + sizeof(others) / sizeof(*others) - 1];
    char all_letters[sizeof(letters) + 2];
    int option, at;

    memcpy(all, options, sizeof(options));
    memcpy(all + sizeof(options) / sizeof(*options) - 1, others, sizeof(others));
    snprintf(all_letters, sizeof(all_letters), "%sJ:", letters);
    opterr = 0;
    while ((option = getopt_long(argc, argv, all_letters, all, NULL)) != -1 && option != '?' && option != ':')
        ;
    at = option == -1 ? optind : argc;
    optind = 0; /* glibc's getopt: from the beginning */
    return at;
}

/* Half of what 64 bits of ns can hold. */
static const long longest = (long)(INT64_MAX / 1000000);

static int take_number(const char *what, const char *text, long low, long high, long *out)
{
    if (cli_number(text, low, high, out))
        return 0;
    return cli_usage("%s: '%s' is not a whole number from %ld to %ld", what, text, low, high);
}

static int take_tasks(struct cli_stat *l, bool threads, const char *text)
{
    if (l->what.ntasks && l->what.threads != threads)
        return cli_usage("-p and -t exclude each other");
    l->what.threads = threads;
    l->tasks_text = text;
    return cli_options_tasks(threads ? 't' : 'p', text, &l->what.tasks, &l->what.ntasks);
}

static int take_cpus(struct cli_stat *l, const char *text)
{
    l->cpus_text = text;
    return cli_options_cpus(text, &l->what.cpus, &l->what.ncpus);
}

static int take_cgroups(struct cli_stat *l, const char *text)
{
    const char **names = (const char **)l->what.cgroups;
    bool ok;

    free(l->names);
    l->names = strdup(text);
    ok = l->names && cli_list_names(l->names, &names, &l->what.ncgroups);
    l->what.cgroups = names;
    return ok ? 0 : cli_usage("--for-each-cgroup: '%s' is not a list of cgroups such as a,b/c", text);
}

static int take_source(struct cli_stat *l, const char *name)
{
    l->msr = !strcmp(name, "msr");
    return td_set_source(l->set.td, name) ? cli_usage("--source: %s", td_error(l->set.td)) : 0;
}

/* Options that only switch something on or off. */
static bool take_switch(struct cli_stat *l, int option)
{
    switch (option) {
    case 'a': l->all = true; return true;
    case OPT_USER: l->what.no_kernel = true; return true;
    case OPT_KERNEL: l->what.no_user = true; return true;
    case 'i': l->what.no_inherit = true; return true;
    case 'j': cli_options_json(&l->set); return true;
    case OPT_APPEND: l->append = true; return true;
    case OPT_SUMMARY: l->summary = true; return true;
    case OPT_SUMMARY_ONLY: l->summary_only = true; return true;
    case 'v': l->verbose = true; return true;
    case OPT_DRY_RUN: l->dry_run = true; return true;
    case OPT_CLEAR: l->clear = true; return true;
    case OPT_FAST: l->fast = true; return true;
    case OPT_DRILLDOWN: l->drill->on = true; return true;
    case OPT_NO_MULTIPLEX: l->no_multiplex = true; return true;
    case OPT_FIXED:
        td_set_fixed(l->set.td, true);
        l->set.report.no_fixed = false;
        return true;
    default: return cli_options_by(option, &l->what.by);
    }
}

static int take_until(struct cli_stat *l, const char *text)
{
    char *end;
    const double points = strtod(text, &end);

    if (end == text || (*end && strcmp(end, "pp") != 0) || !(points > 0 && points <= 100))
        return cli_usage("--until: '%s' is not a number of points above 0 such as 1pp", text);
    l->until = points / 100;
    l->means.until = true;
    return 0;
}

static int take_option(struct cli_stat *l, int option)
{
    long fd;
    int code;

    switch (option) {
    case 'C': return take_cpus(l, optarg);
    case 'p': return take_tasks(l, false, optarg);
    case 't': return take_tasks(l, true, optarg);
    case OPT_CGROUPS: return take_cgroups(l, optarg);
    case 'I': return take_number("-I", optarg, 1, longest, &l->interval);
    case 'r': return take_number("-r", optarg, 1, 1000000, &l->repeat);
    case OPT_UNTIL: return take_until(l, optarg);
    case OPT_MAX_RUNS:
        l->max_runs = true;
        return take_number("--max-runs", optarg, TD_REPEAT_LEAST, 1000000, &l->repeat);
    case 'D': return take_number("-D", optarg, -1, longest, &l->delay);
    case OPT_TIMEOUT: return take_number("--timeout", optarg, 1, longest, &l->timeout);
    case OPT_COUNT: return take_number("--interval-count", optarg, 1, INT32_MAX, &l->most);
    case 'M': return cli_options_take(&l->set, CLI_METRICS, optarg);
    case 'x': return cli_options_separator(&l->set, optarg);
    case OPT_CONTROL: l->control_text = optarg; return 0;
    case OPT_MACHINE: l->machine = optarg; return 0;
    case OPT_BASELINE: l->baseline.folder = optarg; return 0;
    case OPT_SOURCE: return take_source(l, optarg);
    case OPT_LOG_FD:
        code = take_number("--log-fd", optarg, 0, 1 << 20, &fd);
        l->log_fd = code ? -1 : (int)fd;
        return code;
    default: return take_switch(l, option) ? 0 : cli_options_take(&l->set, option, optarg);
    }
}

/* Checks options that exclude each other. 0, or an exit code. */
static int check_target(const struct cli_stat *l)
{
    bool cpus = l->all || l->what.ncpus || l->what.ncgroups;
    bool tasks = l->what.ntasks || (l->command.words && !cpus);

    if (cpus && l->what.ntasks)
        return cli_usage("-p and -t exclude -a, -C and --for-each-cgroup");
    if (l->what.by == TD_BY_THREAD && !l->what.ntasks)
        return cli_usage("--per-thread needs -p or -t");
    if (l->what.by != TD_BY_ALL && l->what.by != TD_BY_THREAD && tasks)
        return cli_usage("-A, --per-core, --per-socket and --per-node need -a or -C");
    if (l->what.by != TD_BY_ALL && l->what.ncgroups)
        return cli_usage("each cgroup has one result: --for-each-cgroup excludes -A and --per-*");
    if (l->msr && (tasks || l->what.ncgroups))
        return cli_usage("--source=msr counts whole CPUs: it needs -C LIST or -a, and excludes -p, -t and --for-each-cgroup");
    if (l->what.no_user && l->what.no_kernel)
        return cli_usage("--all-user and --all-kernel exclude each other");
    if (l->repeat && !l->command.words)
        return cli_usage("%s needs a command", l->until > 0 ? "--until" : "-r");
    return 0;
}

static int check_drilldown(const struct cli_stat *l)
{
    if (!l->drill->on)
        return 0;
    if (l->record || (l->repeat && !l->no_multiplex) || l->dry_run)
        return cli_usage("--drilldown excludes record, -r and --dry-run: it runs the command once for each level");
    if (l->what.by != TD_BY_ALL || l->what.ncgroups)
        return cli_usage("--drilldown is for one scope: it excludes -A, --per-* and --for-each-cgroup");
    if (!l->command.words && !l->timeout)
        return cli_usage("--drilldown without a command needs --timeout MS, which is how long it measures each level");
    return 0;
}

static int check_no_multiplex(const struct cli_stat *l)
{
    if (!l->no_multiplex)
        return 0;
    if (!l->command.words)
        return cli_usage("--no-multiplex runs a command again for each group of events: without a command nothing can be repeated, and the groups take turns");
    if (l->what.ntasks)
        return cli_usage("--no-multiplex runs the command again for each group of events, but -%c measures tasks that run once: without it the groups take turns",
                         l->what.threads ? 't' : 'p');
    if (l->until > 0 || l->interval)
        return cli_usage("--no-multiplex and %s exclude each other: its runs are one result", l->interval ? "-I" : "--until");
    return 0;
}

/* --until, which -r would contradict. */
static int runs(struct cli_stat *l)
{
    enum { USUAL = 50 };

    if (l->until > 0 && l->repeat && !l->max_runs)
        return cli_usage("--until and -r exclude each other; --max-runs N is the most runs");
    if (l->until > 0 && !l->repeat)
        l->repeat = USUAL;
    return 0;
}

static int check(const struct cli_stat *l)
{
    if (l->max_runs && l->until <= 0)
        return cli_usage("--max-runs is for --until; -r N runs the command N times");
    if (l->repeat && l->interval)
        return cli_usage("%s and -I exclude each other", l->until > 0 ? "--until" : "-r");
    if (l->clear && !l->interval)
        return cli_usage("--interval-clear needs -I");
    if (l->most && !l->interval)
        return cli_usage("--interval-count needs -I");
    if (l->record && (l->append || (l->repeat && !l->no_multiplex)))
        return cli_usage("record excludes --append and -r: a trace is of one run");
    if (l->baseline.folder && !l->record)
        return cli_usage("--baseline is an option of record, which adds to a history, and of compare, which compares with it");
    if (l->baseline.folder && l->set.output)
        return cli_usage("--baseline and -o exclude each other: the history names its recordings itself");
    if (l->record && !l->set.output && !l->baseline.folder && !l->dry_run)
        return cli_usage("record needs -o FILE for the trace, or --baseline DIR");
    if (l->record && l->set.output && !strcmp(l->set.output, "-") && l->log_fd == STDOUT_FILENO)
        return cli_usage("record -o - and --log-fd 1 exclude each other: stdout takes the trace or the report");
    if (l->append && !l->set.output)
        return cli_usage("--append needs -o");
    if (!l->record && l->set.output && l->log_fd >= 0)
        return cli_usage("-o and --log-fd exclude each other");
    if (l->fast && !l->machine)
        return cli_usage("--fast is for a simulated machine: it needs --machine");
    return check_drilldown(l) || check_no_multiplex(l) ? EXIT_USAGE : check_target(l);
}

static int help(const char *head)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    td_output_text(&o, head);
    td_output_text(&o, cli_stat_options_help);
    return cli_stdout_end(&o);
}

int cli_stat_parse(struct cli_stat *l, int argc, char **argv)
{
    const char *name = l->record ? "record" : "tdprobe";
    int option, code;

    opterr = 0;
    /* +: stops at the command, whose own options are not ours */
    while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (option == 'h')
            return help(l->record ? record_help : stat_help);
        if (option == '?' || option == ':')
            return cli_options_wrong(name, option, argv, options);
        code = take_option(l, option);
        if (code)
            return code;
    }
    if (optind < argc)
        l->command.words = argv + optind;
    else if (argc == 1)
        return cli_usage("no command to measure; -a measures the whole system");
    else if (!strcmp(argv[argc - 1], "--"))
        return cli_usage("no command after --");
    td_set_intervals(l->set.td, !l->summary_only && !l->no_multiplex);
    td_set_group(l->set.td, l->no_multiplex);
    code = runs(l);
    code = code ? code : check(l);
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
