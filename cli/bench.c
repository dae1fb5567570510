/* SPDX-License-Identifier: MIT */
/* tdprobe bench: runs a command many times on one CPU, counts events with the
 * CPU's registers, and measures the cost of measuring. */
#include "cli/child.h"
#include "cli/cli.h"
#include "cli/table/parse.h"
#include "private/plan.h"
#include "private/run.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 10, RUNS_MAX = 100000, EMPTIES_MAX = 1000 };

struct bench {
    struct cli_options set;
    struct td_bench table;
    struct td_bench_event *event; /* the table's */
    uint64_t *counted; /* for each event: by each run, then with nothing between starting and stopping */
    size_t room; /* number of values in each of the two */
    struct td_live what;
    struct cli_child command;
    const char *machine;
    long cpu, runs; /* cpu -1: not given */
    bool stopping, ran;
    int status, code; /* status: the command's; code: tdprobe's exit code */
};

/* ---- options ------------------------------------------------------------------ */

static int add_event(struct bench *b, const char *event)
{
    int err = td_add_event(b->set.td, event);

    return err ? cli_usage("-e: %s", td_error(b->set.td)) : 0;
}

static int take_event(void *settings, const char *value)
{
    return add_event(settings, value);
}

static const struct cli_option options[] = {
    CLI_GROUP("What is measured:"),
    {"cpu", 'C', "CPU", CLI_NUMBER_IN(struct bench, cpu, 0, TD_CPUS_MAX - 1), .is = "one CPU", .common = true,
     .help = "the CPU; the command is bound to it"},
    {"repeat", 'r', "N", CLI_NUMBER_IN(struct bench, runs, 1, RUNS_MAX), .usual = "10", .common = true,
     .help = "run the command N times"},
    {"event", 'e', "EVENT", CLI_TAKEN, .take = take_event, .offer = CLI_EVENTS, .common = true,
     .help = "an event, again for each: 'tdprobe list events', or numbers",
     .more = "event,umask[,cmask[,edge[,inv]]], instead of cycles, instructions, branch-misses and cache-misses; "
             "also ref-cycles, branches, cache-references"},
    {"all-user", CLI_SETS(struct bench, what.no_kernel), .common = true, .help = "only user mode"},
    {"all-kernel", CLI_SETS(struct bench, what.no_user), .common = true, .help = "only the kernel"},
    CLI_GROUP("How:"),
    CLI_LEVEL(.more = "of the top-down shares"),
    CLI_UARCH(.help = "the CPU, instead of the detected one"),
    CLI_BACKEND(.help = "only by this backend"),
    CLI_NO_FIXED(.common = false),
    CLI_MACHINE(CLI_TEXT_IN(struct bench, machine), .help = "a simulated machine, tdprobe-machine(5)"),
    CLI_GROUP("The report, on stderr:"),
    CLI_STREAM_FORMAT(.more = ""),
    CLI_SEPARATOR(cli_take_format),
    CLI_JSON(cli_take_format),
    CLI_ALL,
    CLI_COUNTS(.common = false),
    CLI_OUTPUT(.help = "to FILE instead of stderr; - is stdout"),
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {.without = "-C", .says = "bench needs -C CPU: the command runs there, and that CPU's registers count"},
    {.without = "COMMAND", .says = "no command to measure"},
    {"--all-user", .with = "--all-kernel"},
};

const struct cli_subcommand cli_bench_command = {
    .name = "bench",
    .brief = "events of many runs, by registers",
    .page = "tdprobe-bench(1)",
    .usage = "bench -C CPU [options] [--] command...",
    .about = "Runs the command many times on one CPU and counts events by the CPU's\n"
             "registers (source msr: Intel, AMD since Zen 4; root), with nothing shared and\n"
             "nothing estimated: least, median, mean and standard deviation over the runs, and\n"
             "what starting and stopping the counters costs by itself. Where the CPU has\n"
             "PERF_METRICS, the top-down shares of all runs follow.\n",
    .end = "Ctrl-C, SIGTERM and SIGHUP end the run at hand, which then does not count. Exit\n"
           "codes are those of tdprobe stat; the command's is that of the first run that failed.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "+",
    .offer = CLI_PROGRAM,
};

/* -1: run the command; else an exit code. */
static int parse(struct bench *b, int argc, char **argv)
{
    static const char *const usual[] = {"cycles", "instructions", "branch-misses", "cache-misses"};
    struct td_added_count a = {.size = sizeof(a)};
    bool own;
    int code = cli_parse(&cli_bench_command, b, argc, argv);

    if (code >= 0)
        return code;
    code = cli_check(&cli_bench_command, &b->set, optind < argc);
    if (code)
        return code;
    b->command.words = argv + optind;
    own = !td_added_event(b->set.td, 0, &a);
    for (size_t i = 0; !own && i < sizeof(usual) / sizeof(*usual) && !code; i++)
        code = add_event(b, usual[i]);
    return code ? code : -1;
}

/* ---- runs ------------------------------------------------------------------------- */

static int fail(struct bench *b, int code)
{
    b->code = b->code ? b->code : code;
    b->stopping = true;
    return -1;
}

/* The library advises --source=perf where registers cannot be used, which is an option of stat: bench has no other way.
 */
static int fail_td(struct bench *b, int err)
{
    static const char option[] = "(--source=perf)";
    const char *why = td_error(b->set.td), *at = strstr(why, option), *next = cli_next_step(b->set.td, err);

    if (at)
        cli_say("%.*s('tdprobe stat -r %ld -- COMMAND')%s%s", (int)(at - why), why, b->runs, at + sizeof(option) - 1,
                next);
    else
        cli_say("%s%s", why, next);
    return fail(b, cli_exit_code(err));
}

/* The same for a failure of the command. */
static int fail_command(struct bench *b, int code)
{
    cli_say("%s", td_error(b->set.td));
    return fail(b, code);
}

static uint64_t *counts_of(const struct bench *b, size_t event, bool empty)
{
    return b->counted + (2 * event + empty) * b->room;
}

static int make_room(struct bench *b)
{
    struct td_added_count a = {.size = sizeof(a)};
    size_t n = 0;

    while (!td_added_event(b->set.td, n, &a))
        n++;
    b->room = (size_t)(b->runs > EMPTIES_MAX ? b->runs : EMPTIES_MAX);
    b->counted = calloc(2 * n * b->room, sizeof(*b->counted));
    b->event = calloc(n, sizeof(*b->event));
    if (!b->counted || !b->event)
        return fail(b, cli_no_memory());
    for (size_t i = 0; i < n; i++) {
        td_added_event(b->set.td, i, &a);
        b->event[i] = (struct td_bench_event){.event = a.event, .config = a.config};
    }
    b->table.event = b->event;
    b->table.n = n;
    return 0;
}

/* Keeps what the counters held. False: an overflow, or worse. */
static bool keep(struct bench *b, bool empty)
{
    unsigned *n = empty ? &b->table.empties : &b->table.runs;
    struct td_added_count a = {.size = sizeof(a)};

    for (size_t i = 0; i < b->table.n; i++) {
        td_added_event(b->set.td, i, &a);
        if (a.status != TD_OK)
            return false;
        counts_of(b, i, empty)[*n] = a.value;
    }
    ++*n;
    return true;
}

/* Starts and stops with nothing between: what each run counts of tdprobe itself. */
static void measure_cost(struct bench *b)
{
    const long n = b->runs < EMPTIES_MAX ? b->runs : EMPTIES_MAX;

    for (long i = 0; i < n && !b->stopping; i++) {
        int err = td_enable(b->set.td, true);

        err = err ? err : td_enable(b->set.td, false);
        err = err ? err : td_take(b->set.td);
        if (err)
            fail_td(b, err);
        else
            keep(b, true);
    }
}

static int start(struct bench *b)
{
    pid_t pid;

    if (td_run_pin(b->set.td, (int)b->cpu))
        return fail_command(b, EXIT_UNABLE);
    pid = cli_child_start(&b->command);
    if (pid < 0)
        fail_command(b, EXIT_NOT_STARTED);
    td_run_pin(b->set.td, -1);
    return pid < 0 ? -1 : 0;
}

/* Waits until the command ends; true: it ended by itself. */
static bool await(struct bench *b, int *status)
{
    struct td_run_event e = {.size = sizeof(e)};

    while (!cli_child_wait(&b->command, UINT64_MAX, -1, &e)) {
        if (e.what == TD_RUN_SIGNAL && cli_child_pass(&b->command, &e))
            b->stopping = true;
        if (e.what != TD_RUN_EXIT)
            continue;
        *status = e.status;
        return !b->stopping;
    }
    fail_command(b, EXIT_BUG);
    return false;
}

/* Runs the command once between starting and stopping the counters. */
static void run_once(struct bench *b)
{
    struct td *td = b->set.td;
    const struct td_result *r;
    int err, status = 0, code;
    bool whole;

    if (start(b))
        return;
    err = td_enable(td, true);
    if (err) {
        fail_td(b, err);
        cli_child_abandon(&b->command);
        return;
    }
    code = cli_child_release(&b->command);
    if (code) {
        fail_command(b, code);
        return;
    }
    b->ran = true;
    whole = await(b, &status);
    if (!b->status)
        b->status = cli_child_code(status);
    err = td_enable(td, false);
    err = err ? err : td_take(td);
    if (!err && whole && keep(b, false)) /* a run that we ended does not count */
        while (!(err = td_next(td, &r)))
            ;
    if (err && err != -EAGAIN)
        fail_td(b, err);
}

/* ---- the report ----------------------------------------------------------------------- */

static int report(struct bench *b)
{
    struct td_report *r = &b->set.report;
    const struct td_result *result;

    if (!b->table.runs)
        return cli_output_error(&r->out, td_output_close(&r->out, false));
    for (size_t i = 0; i < b->table.n; i++) {
        td_spread_of(counts_of(b, i, false), b->table.runs, &b->event[i].counted);
        td_spread_of(counts_of(b, i, true), b->table.empties, &b->event[i].cost);
    }
    b->table.cpu = (int)b->cpu;
    b->table.machine = td_machine_name(b->set.td);
    td_report_bench(r, &b->table);
    for (size_t i = 0; !(r->format && r->format->one_table) && !td_summary(b->set.td, i, &result); i++)
        td_report_result(r, result);
    td_report_end(r, NULL);
    return cli_output_error(&r->out, td_output_close(&r->out, true));
}

static void measure(struct bench *b)
{
    const int cpu = (int)b->cpu;
    int err;

    b->what.size = sizeof(b->what);
    b->what.cpus = &cpu;
    b->what.ncpus = 1;
    b->what.disabled = true;
    err = td_run_signals(b->set.td); /* before registers are changed */
    err = err ? err : td_open_live(b->set.td, &b->what);
    if (err) {
        fail_td(b, err);
        return;
    }
    if (!make_room(b))
        measure_cost(b);
    for (long i = 0; i < b->runs && !b->stopping; i++)
        run_once(b);
    err = td_close_live(b->set.td);
    if (err)
        fail_td(b, err);
}

/* Done before the runs, which may take hours and could not be reported otherwise. */
static int open_output(struct cli_options *c)
{
    struct td_output *o = &c->report.out;
    int err;

    if (c->output)
        err = td_output_open(o, strcmp(c->output, "-") ? c->output : NULL);
    else
        err = td_output_open_live(o, NULL, false, STDERR_FILENO);
    if (!err)
        cli_screen_use(&c->report);
    return cli_output_error(o, err);
}

static int run(struct bench *b)
{
    int code = b->machine ? cli_options_machine(&b->set, b->machine) : 0;

    code = code ? code : open_output(&b->set);
    if (code)
        return code;
    measure(b);
    code = report(b);
    return b->ran && b->status ? b->status : b->code ? b->code : code;
}

int cli_bench_main(int argc, char **argv)
{
    struct bench b = {.cpu = -1, .runs = RUNS};
    int code = cli_options_begin(&b.set);

    if (code)
        return code;
    td_set_source(b.set.td, "msr"); /* the handle is new, so this cannot fail */
    code = parse(&b, argc, argv);
    cli_child_begin(&b.command, b.set.td);
    if (code < 0)
        code = run(&b);
    free(b.counted);
    free(b.event);
    td_free(b.set.td);
    return code;
}
