/* SPDX-License-Identifier: MIT */
/* The options of tdprobe record --functions; letters as in perf record. */
#include "cli/sampling/sampling.h"

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/table/parse.h"
#include "cli/usual_file.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int take_cpus(void *settings, const char *value)
{
    struct cli_sampling *l = settings;

    return cli_options_cpus(value, &l->what.cpus, &l->what.ncpus);
}

static int take_pids(void *settings, const char *value)
{
    struct cli_sampling *l = settings;

    return cli_options_tasks('p', value, &l->what.tasks, &l->what.ntasks);
}

static int take_level(void *settings, const char *value)
{
    if (strcmp(value, "1") && strcmp(value, "2"))
        return cli_usage("--level: functions are sampled for level 1 or 2, not '%s'", value);
    return cli_take_level(settings, value);
}

static const struct cli_option options[] = {
    {"functions", CLI_SETS(struct cli_sampling, functions), .help = "samples, not counts"},
    {"all-cpus", 'a', CLI_SETS(struct cli_sampling, all), .common = true, .help = "the whole system",
     .more = "(the default without a command)"},
    {"cpu", 'C', "LIST", CLI_TAKEN, .take = take_cpus, .common = true, .help = "these CPUs"},
    {"pid", 'p', "LIST", CLI_TAKEN, .take = take_pids, .common = true, .help = "these processes",
     .more = "with the threads and children that they start"},
    {"freq", 'F', "HZ", CLI_NUMBER_IN(struct cli_sampling, rate, 1, 100000), .usual = "1000", .common = true,
     .help = "pairs a second of each busy CPU", .more = "(the period follows its clock)"},
    {"count", 'c', "N", CLI_NUMBER_IN(struct cli_sampling, period, 1, 1L << 40),
     .is = "a whole number of cycles from 1 to 2^40", .common = true, .help = "a pair every N cycles: a fixed period"},
    {"overhead", .arg = "PERCENT", CLI_REAL_IN(struct cli_sampling, how.overhead, 0, 100), .above = true, .per = 100,
     .is = "a number above 0 and up to 100", .usual = "2", .common = true,
     .help = "the most of the time that sampling may take",
     .more = "(the rate is lowered where samples would take more; one is assumed to cost 5 us until that is measured)"},
    {"leader", CLI_SETS(struct cli_sampling, how.leader), .common = true, .help = "single samples instead of pairs"},
    {"call-graph", 'g', CLI_SETS(struct cli_sampling, how.callchains), .common = true, .help = "call chains too"},
    {"all-user", CLI_SETS(struct cli_sampling, what.no_kernel), .help = "only user mode"},
    {"handler", CLI_SETS(struct cli_sampling, how.handler),
     .help = "sample the kernel even where its samples hold slots of their own handler",
     .more = "(PERF_METRICS before Linux 6.14)"},
    {"level", .arg = "N", .kind = CLI_TAKEN, .take = take_level, .low = 1, .high = 2, .offer = CLI_LEVELS,
     .help = "the deepest level", .more = "(default: 2 where one group holds it, else 1)"},
    CLI_NO_FIXED(.common = false),
    CLI_UARCH(.help = "the CPU, instead of the detected one", .more = "('tdprobe list uarchs')"),
    {"timeout", .arg = "MS", CLI_MS_IN(struct cli_sampling, timeout, 1, 1000000000), .common = true,
     .help = "for MS milliseconds", .more = "(or 2s); the command then gets a SIGTERM"},
    CLI_MACHINE(CLI_TEXT_IN(struct cli_sampling, machine), .help = "a simulated machine, tdprobe-machine(5)"),
    {"fast", CLI_SETS(struct cli_sampling, fast), .help = "simulate as fast as possible"},
    CLI_JOB_OUTPUT(.usual = CLI_USUAL_DATA, .help = "the recording",
                   .more = ", which appears when it is whole (%r, %h and %p: rank, host, process)"),
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {"-F", .with = "-c"},
    {"-p", "-a -C COMMAND", .says = "-p excludes -a, -C and a command"},
    {"-o=-", .says = "-o -: a perf.data needs a file, as its beginning is written last"},
};

const struct cli_subcommand cli_sampling_command = {
    .name = "record --functions",
    .brief = "samples for 'tdprobe report'",
    .page = "tdprobe-record(1)",
    .usage = "record --functions [options] [--] command...\n"
             "record --functions [options] -a | -C LIST | -p LIST",
    .about = "Samples the formulas' group of events, for 'tdprobe report': where in the code\n"
             "the slots are lost. Samples come in pairs, a short distance apart, which resolve\n"
             "turns of microseconds. The result is a perf.data, which perf script reads too.\n",
    .end = "Ctrl-C ends the recording, whose file is complete then. Exit codes as of tdprobe stat.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "+",
    .offer = CLI_PROGRAM,
};

bool cli_sampling_asked(int argc, char **argv)
{
    return cli_has_option(&cli_sampling_command, "functions", argc, argv);
}

int cli_sampling_parse(struct cli_sampling *l, int argc, char **argv)
{
    int code = cli_parse(&cli_sampling_command, l, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        l->command.words = argv + optind;
    code = cli_check(&cli_sampling_command, &l->set, l->command.words);
    l->how.rate = (double)l->rate;
    l->how.period = (uint64_t)l->period;
    l->set.output = l->set.output ? l->set.output : CLI_USUAL_DATA;
    return code ? code : -1;
}

void cli_sampling_forget(struct cli_sampling *l)
{
    free((void *)(uintptr_t)l->what.cpus);
    free((void *)(uintptr_t)l->what.tasks);
}
