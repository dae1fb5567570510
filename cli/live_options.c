/* SPDX-License-Identifier: MIT */
/* The options of tdprobe stat and tdprobe record; perf's letters. */
#include "lists.h"
#include "live.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char cli_live_options_help[] =
    "What is measured: the command and what it starts, or\n"
    "  -a, --all-cpus          the whole system (also without a command and the next four)\n"
    "  -C, --cpu LIST          these CPUs: 0-3,7\n"
    "  -p, --pid LIST          these processes, all their threads\n"
    "  -t, --tid LIST          these threads\n"
    "  --for-each-cgroup LIST  each of these cgroups: a,b/c\n"
    "  --all-user, --all-kernel  only user mode, only the kernel\n"
    "  -i, --no-inherit        not what the tasks start from now on\n"
    "How it is put together: as one, or by\n"
    "  -A, --no-aggr           CPU; with -a or -C, as the next three\n"
    "  --per-core, --per-socket, --per-node\n"
    "  --per-thread            thread, with -p or -t\n"
    "When:\n"
    "  -I, --interval-print MS results every MS milliseconds, and their summary at the end\n"
    "  --interval-count N      N intervals; the command then goes on unmeasured\n"
    "  --timeout MS            for MS milliseconds (-r: each run); the command then gets a SIGTERM\n"
    "  -D, --delay MS          begin after MS milliseconds; -1: when --control enables\n"
    "  -r, --repeat N          run the command N times: each, the summary, mean and deviation\n"
    "  --control fd:CTL[,ACK] | fifo:CTL[,ACK]\n"
    "                          orders, one a line: enable, disable, ping, snapshot, stop;\n"
    "                          each is answered by 'ack' on ACK\n"
    "How:\n"
    "  --uarch NAME|ID         the CPU, instead of the one found ('tdprobe list uarchs')\n"
    "  --backend=NAME          only by this backend; auto (the default): any\n"
    "  --no-fixed              not from the PERF_METRICS register, but from ordinary events\n"
    "  --level, --td-level 1|2 how deep to go (2 where its events can be\n"
    "                          counted together with those of level 1, else 1)\n"
    "  --source NAME           perf (the default, auto), or msr: the registers of Intel CPUs\n"
    "                          (-a or -C, root; one CPU of -C: the command is bound to it)\n"
    "  --machine FILE          a simulated machine, tdprobe-machine(5), instead of this one\n"
    "  -v, --verbose           say on stderr what is opened\n"
    "  --dry-run               say it on stdout and open nothing\n"
    "The report, on stderr:\n"
    "  --format NAME           text (the default), csv or json\n"
    "  -x, --field-separator SEP  csv, with SEP between the fields\n"
    "  -j, --json              json\n"
    "  --counts                the events' counts as well\n"
    "  --summary               the summary without -I too\n"
    "  --summary-only          nothing but the summary\n"
    "  -o, --output FILE       to FILE, which grows with each interval; - is stdout\n"
    "  --append                behind what FILE holds\n"
    "  --log-fd N              to file descriptor N\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the measuring with a last interval and the summary;\n"
    "SIGTERM and SIGHUP go on to the command, and a second Ctrl-C kills it. SIGUSR1: an\n"
    "interval now; SIGUSR2: counting pauses, or goes on.\n"
    "\n"
    "Exit codes: once the command has run, always its own, 128+N when signal N killed it\n"
    "(-r: of the first run that failed); 127 it was not found, 126 it could not be started.\n"
    "Else 0; 64 wrong usage, no such task; 65 no such cgroup, bad machine file; 69 this\n"
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
    "\n"
    "The same as tdprobe stat, whose report still goes to stderr, and each reading is\n"
    "written at once to FILE as a tdprobe-trace(5); - is stdout. 'tdprobe replay FILE'\n"
    "prints the same again. Here -o is the trace, and there are no --append and no -r.\n"
    "\n";

enum {
    OPT_CGROUPS = CLI_OTHER, OPT_TIMEOUT, OPT_COUNT, OPT_CORE, OPT_SOCKET, OPT_NODE, OPT_THREAD, OPT_USER, OPT_KERNEL,
    OPT_APPEND, OPT_LOG_FD, OPT_CONTROL, OPT_SUMMARY, OPT_SUMMARY_ONLY, OPT_MACHINE, OPT_DRY_RUN, OPT_SOURCE,
};

static const struct option options[] = {
    CLI_SETTINGS_OPTIONS,
    {"td-level", required_argument, NULL, CLI_LEVEL},
    {"all-cpus", no_argument, NULL, 'a'},
    {"cpu", required_argument, NULL, 'C'},
    {"pid", required_argument, NULL, 'p'},
    {"tid", required_argument, NULL, 't'},
    {"for-each-cgroup", required_argument, NULL, OPT_CGROUPS},
    {"interval-print", required_argument, NULL, 'I'},
    {"repeat", required_argument, NULL, 'r'},
    {"delay", required_argument, NULL, 'D'},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"interval-count", required_argument, NULL, OPT_COUNT},
    {"no-aggr", no_argument, NULL, 'A'},
    {"per-core", no_argument, NULL, OPT_CORE},
    {"per-socket", no_argument, NULL, OPT_SOCKET},
    {"per-node", no_argument, NULL, OPT_NODE},
    {"per-thread", no_argument, NULL, OPT_THREAD},
    {"all-user", no_argument, NULL, OPT_USER},
    {"all-kernel", no_argument, NULL, OPT_KERNEL},
    {"no-inherit", no_argument, NULL, 'i'},
    {"field-separator", required_argument, NULL, 'x'},
    {"json", no_argument, NULL, 'j'},
    {"append", no_argument, NULL, OPT_APPEND},
    {"log-fd", required_argument, NULL, OPT_LOG_FD},
    {"control", required_argument, NULL, OPT_CONTROL},
    {"summary", no_argument, NULL, OPT_SUMMARY},
    {"summary-only", no_argument, NULL, OPT_SUMMARY_ONLY},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"source", required_argument, NULL, OPT_SOURCE},
    {"verbose", no_argument, NULL, 'v'},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {0},
};

/* Half of what 64 bits of ns hold. */
static const long longest = (long)(INT64_MAX / 1000000);

static const long most_tasks = 1 << 22, last_cpu = 8191; /* PID_MAX_LIMIT; NR_CPUS of any kernel */

static int take_number(const char *what, const char *text, long low, long high, long *out)
{
    if (cli_number(text, low, high, out))
        return 0;
    return cli_usage("%s: '%s' is not a whole number from %ld to %ld", what, text, low, high);
}

static int take_tasks(struct cli_live *l, bool threads, const char *text)
{
    int *tasks = (int *)l->what.tasks; /* pid_t is an int */

    if (l->what.ntasks && l->what.threads != threads)
        return cli_usage("-p and -t exclude each other");
    l->what.threads = threads;
    if (!cli_list_numbers(text, false, most_tasks, &tasks, &l->what.ntasks))
        l->what.ntasks = 0;
    l->what.tasks = tasks;
    for (size_t i = 0; i < l->what.ntasks; i++)
        if (!tasks[i])
            l->what.ntasks = 0;
    if (l->what.ntasks)
        return 0;
    return cli_usage("-%c: '%s' is no list of numbers from 1 to %ld such as 12,345", threads ? 't' : 'p', text, most_tasks);
}

static int take_cpus(struct cli_live *l, const char *text)
{
    int *cpus = (int *)l->what.cpus;
    bool ok = cli_list_numbers(text, true, last_cpu, &cpus, &l->what.ncpus);

    l->what.cpus = cpus;
    return ok ? 0 : cli_usage("-C: '%s' is no list of CPUs from 0 to %ld such as 0-3,7", text, last_cpu);
}

static int take_cgroups(struct cli_live *l, const char *text)
{
    const char **names = (const char **)l->what.cgroups;
    bool ok;

    free(l->names);
    l->names = strdup(text);
    ok = l->names && cli_list_names(l->names, &names, &l->what.ncgroups);
    l->what.cgroups = names;
    return ok ? 0 : cli_usage("--for-each-cgroup: '%s' is no list of cgroups such as a,b/c", text);
}

static int take_source(struct cli_live *l, const char *name)
{
    l->msr = !strcmp(name, "msr");
    return td_set_source(l->set.td, name) ? cli_usage("--source: %s", td_error(l->set.td)) : 0;
}

/* Options that only switch something. */
static bool take_switch(struct cli_live *l, int option)
{
    switch (option) {
    case 'a': l->all = true; return true;
    case 'A': l->what.by = TD_BY_CPU; return true;
    case OPT_CORE: l->what.by = TD_BY_CORE; return true;
    case OPT_SOCKET: l->what.by = TD_BY_SOCKET; return true;
    case OPT_NODE: l->what.by = TD_BY_NODE; return true;
    case OPT_THREAD: l->what.by = TD_BY_THREAD; return true;
    case OPT_USER: l->what.no_kernel = true; return true;
    case OPT_KERNEL: l->what.no_user = true; return true;
    case 'i': l->what.no_inherit = true; return true;
    case 'j': l->set.format = &cli_format_json; return true;
    case OPT_APPEND: l->append = true; return true;
    case OPT_SUMMARY: l->summary = true; return true;
    case OPT_SUMMARY_ONLY: l->summary_only = true; return true;
    case 'v': l->verbose = true; return true;
    case OPT_DRY_RUN: l->dry_run = true; return true;
    default: return false;
    }
}

static int take_option(struct cli_live *l, int option)
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
    case 'D': return take_number("-D", optarg, -1, longest, &l->delay);
    case OPT_TIMEOUT: return take_number("--timeout", optarg, 1, longest, &l->timeout);
    case OPT_COUNT: return take_number("--interval-count", optarg, 1, INT32_MAX, &l->most);
    case 'x': return cli_settings_separator(&l->set, optarg);
    case OPT_CONTROL: l->control_text = optarg; return 0;
    case OPT_MACHINE: l->machine = optarg; return 0;
    case OPT_SOURCE: return take_source(l, optarg);
    case OPT_LOG_FD:
        code = take_number("--log-fd", optarg, 0, 1 << 20, &fd);
        l->log_fd = code ? -1 : (int)fd;
        return code;
    default: return take_switch(l, option) ? 0 : cli_settings_take(&l->set, option, optarg);
    }
}

/* What does not go together. 0, or an exit code. */
static int check_target(const struct cli_live *l)
{
    bool cpus = l->all || l->what.ncpus || l->what.ncgroups;
    bool tasks = l->what.ntasks || (l->command && !cpus);

    if (cpus && l->what.ntasks)
        return cli_usage("-p and -t exclude -a, -C and --for-each-cgroup");
    if (l->what.by == TD_BY_THREAD && !l->what.ntasks)
        return cli_usage("--per-thread needs -p or -t");
    if (l->what.by != TD_BY_ALL && l->what.by != TD_BY_THREAD && tasks)
        return cli_usage("-A, --per-core, --per-socket and --per-node need -a or -C");
    if (l->what.by != TD_BY_ALL && l->what.ncgroups)
        return cli_usage("each cgroup is one result: there is no -A and no --per-* of it");
    if (l->msr && (tasks || l->what.ncgroups))
        return cli_usage("--source=msr counts whole CPUs, whoever runs there: -C LIST (or -a), and no -p, -t and --for-each-cgroup");
    if (l->what.no_user && l->what.no_kernel)
        return cli_usage("--all-user and --all-kernel exclude each other");
    if (l->repeat && !l->command)
        return cli_usage("-r needs a command");
    return 0;
}

static int check(const struct cli_live *l)
{
    if (l->repeat && l->interval)
        return cli_usage("-r and -I exclude each other");
    if (l->most && !l->interval)
        return cli_usage("--interval-count needs -I");
    if (l->record && (l->append || l->repeat))
        return cli_usage("record has no --append and no -r: a trace is of one run");
    if (l->record && !l->set.output && !l->dry_run)
        return cli_usage("record needs -o FILE for the trace");
    if (l->record && l->set.output && !strcmp(l->set.output, "-") && l->log_fd == STDOUT_FILENO)
        return cli_usage("record -o - and --log-fd 1 exclude each other: stdout takes the trace or the report");
    if (l->append && !l->set.output)
        return cli_usage("--append needs -o");
    if (!l->record && l->set.output && l->log_fd >= 0)
        return cli_usage("-o and --log-fd exclude each other");
    return check_target(l);
}

int cli_live_parse(struct cli_live *l, int argc, char **argv)
{
    const char *name = l->record ? "record" : "tdprobe";
    int option, code;

    opterr = 0;
    /* +: the command's own options are not ours */
    while ((option = getopt_long(argc, argv, "+:aC:p:t:I:r:D:Aix:jo:vh", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(l->record ? record_help : stat_help, stdout);
            return cli_help(cli_live_options_help);
        }
        if (option == '?' || option == ':')
            return cli_settings_wrong(name, option, argv, options);
        code = take_option(l, option);
        if (code)
            return code;
    }
    if (optind < argc)
        l->command = argv + optind;
    else if (argc == 1)
        return cli_usage("no command to measure; -a measures the whole system");
    else if (!strcmp(argv[argc - 1], "--"))
        return cli_usage("no command behind --");
    td_set_intervals(l->set.td, !l->summary_only);
    code = check(l);
    if (!code && l->interval && l->interval < 10)
        cli_say("-I %ld: with less than 10 ms, measuring may take a good part of the time itself", l->interval);
    return code ? code : -1;
}

void cli_live_forget(struct cli_live *l)
{
    free((void *)l->what.cpus);
    free((void *)l->what.tasks);
    free((void *)l->what.cgroups);
    free(l->names);
    cli_spread_free(&l->spread);
}
