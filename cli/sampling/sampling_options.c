/* SPDX-License-Identifier: MIT */
/* The options of tdprobe record --functions; letters as in perf record. */
#include "cli/sampling/sampling.h"

#include "cli/cli.h"
#include "cli/numbers.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tdprobe record --functions [options] [--] command...\n"
    "       tdprobe record --functions [options] -a | -C LIST | -p LIST\n"
    "\n"
    "Samples the formulas' group of events, for 'tdprobe report': where in the code the slots\n"
    "are lost. Samples come in pairs, a short distance apart, which resolve turns of\n"
    "microseconds. The result is a perf.data, which perf script reads too.\n"
    "\n"
    "  -a, --all-cpus     the whole system (the default without a command)\n"
    "  -C, --cpu LIST     these CPUs\n"
    "  -p, --pid LIST     these processes, with the threads and children that they start\n"
    "  -F, --freq HZ      pairs a second of each busy CPU (default: 1000): the period follows\n"
    "                     its clock\n"
    "  -c, --count N      a pair each N cycles: a fixed period\n"
    "  --overhead PERCENT the most of the time that sampling may take (default: 2): the rate is\n"
    "                     lowered for it, by what a sample costs: 5 us until it is measured\n"
    "  --leader           single samples instead of pairs\n"
    "  -g, --call-graph   call chains too\n"
    "  --all-user         only user mode\n"
    "  --handler          the kernel too where its samples hold slots of their own handler\n"
    "                     (PERF_METRICS before Linux 6.14)\n"
    "  --level 1, 2       the deepest level (default: 2 where one group holds it)\n"
    "  --no-fixed         ordinary events instead of the PERF_METRICS register\n"
    "  --uarch NAME|ID    the CPU, instead of the detected one ('tdprobe list uarchs')\n"
    "  --timeout MS       for MS milliseconds; the command then gets a SIGTERM\n"
    "  --machine FILE     a simulated machine, tdprobe-machine(5); --fast: as fast as possible\n"
    "  -o FILE            the recording (default: tdprobe.data), which appears when it is whole\n"
    "  -h, --help         this text\n"
    "\n"
    "Ctrl-C ends the recording, whose file is complete then. Exit codes as of tdprobe stat.\n";

enum { OPT_FUNCTIONS = CLI_OTHER, OPT_OVERHEAD, OPT_LEADER, OPT_USER, OPT_HANDLER, OPT_TIMEOUT, OPT_MACHINE, OPT_FAST };

static const struct option options[] = {
    {"functions", no_argument, NULL, OPT_FUNCTIONS},
    {"all-cpus", no_argument, NULL, 'a'},
    {"cpu", required_argument, NULL, 'C'},
    {"pid", required_argument, NULL, 'p'},
    {"freq", required_argument, NULL, 'F'},
    {"count", required_argument, NULL, 'c'},
    {"overhead", required_argument, NULL, OPT_OVERHEAD},
    {"leader", no_argument, NULL, OPT_LEADER},
    {"call-graph", no_argument, NULL, 'g'},
    {"all-user", no_argument, NULL, OPT_USER},
    {"handler", no_argument, NULL, OPT_HANDLER},
    {"level", required_argument, NULL, CLI_LEVEL},
    {"no-fixed", no_argument, NULL, CLI_NO_FIXED},
    {"uarch", required_argument, NULL, CLI_UARCH},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"fast", no_argument, NULL, OPT_FAST},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0},
};
static const char letters[] = "+:aC:p:F:c:go:h";

bool cli_sampling_asked(int argc, char **argv)
{
    bool asked = false;
    int option;

    opterr = 0;
    while (!asked && (option = getopt_long(argc, argv, letters, options, NULL)) != -1)
        asked = option == OPT_FUNCTIONS;
    optind = 0; /* glibc's getopt: from the beginning */
    return asked;
}

static int take_rate(struct cli_sampling *l, const char *text)
{
    long rate = 0;

    if (!cli_number(text, 1, 100000, &rate))
        return cli_usage("-F: '%s' is not a whole number from 1 to 100000", text);
    l->how.rate = (double)rate;
    return 0;
}

static int take_period(struct cli_sampling *l, const char *text)
{
    long period = 0;

    if (!cli_number(text, 1, 1L << 40, &period))
        return cli_usage("-c: '%s' is not a whole number of cycles from 1 to 2^40", text);
    l->how.period = (uint64_t)period;
    return 0;
}

static int take_overhead(struct cli_sampling *l, const char *text)
{
    char *end;
    const double percent = strtod(text, &end);

    if (end == text || *end || !(percent > 0 && percent <= 100))
        return cli_usage("--overhead: '%s' is not a number above 0 and up to 100", text);
    l->how.overhead = percent / 100;
    return 0;
}

static int take_level(struct cli_sampling *l, const char *text)
{
    if (strcmp(text, "1") && strcmp(text, "2"))
        return cli_usage("--level: samples of one group hold level 1 or 2, not '%s'", text);
    return cli_options_take(&l->set, CLI_LEVEL, text);
}

static int take(struct cli_sampling *l, int option, const char *value)
{
    switch (option) {
    case OPT_FUNCTIONS: return 0;
    case 'a': l->all = true; return 0;
    case 'C': return cli_options_cpus(value, &l->what.cpus, &l->what.ncpus);
    case 'p': return cli_options_tasks(option, value, &l->what.tasks, &l->what.ntasks);
    case 'F': return take_rate(l, value);
    case 'c': return take_period(l, value);
    case 'g': l->how.callchains = true; return 0;
    case OPT_OVERHEAD: return take_overhead(l, value);
    case OPT_LEADER: l->how.leader = true; return 0;
    case OPT_USER: l->what.no_kernel = true; return 0;
    case OPT_HANDLER: l->how.handler = true; return 0;
    case OPT_FAST: l->fast = true; return 0;
    case OPT_MACHINE: l->machine = value; return 0;
    case OPT_TIMEOUT:
        return cli_number(value, 1, 1000000000, &l->timeout) ? 0 : cli_usage("--timeout: '%s' is not a whole number from 1 to 1000000000", value);
    case CLI_LEVEL: return take_level(l, value);
    default: return cli_options_take(&l->set, option, value);
    }
}

static int check(const struct cli_sampling *l)
{
    if (l->how.rate > 0 && l->how.period)
        return cli_usage("-F and -c exclude each other");
    if (l->what.ntasks && (l->all || l->what.ncpus || l->command.words))
        return cli_usage("-p excludes -a, -C and a command");
    if (l->set.output && !strcmp(l->set.output, "-"))
        return cli_usage("-o -: the beginning of a perf.data is written last, so it needs a file");
    return 0;
}

int cli_sampling_parse(struct cli_sampling *l, int argc, char **argv)
{
    int option, code = 0;

    opterr = 0;
    while (!code && (option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_options_wrong("record --functions", option, argv, options);
        code = take(l, option, optarg);
    }
    if (optind < argc)
        l->command.words = argv + optind;
    code = code ? code : check(l);
    l->set.output = l->set.output ? l->set.output : "tdprobe.data";
    return code ? code : -1;
}

void cli_sampling_forget(struct cli_sampling *l)
{
    free((void *)(uintptr_t)l->what.cpus);
    free((void *)(uintptr_t)l->what.tasks);
}
