/* SPDX-License-Identifier: MIT */
/* tdprobe bench: runs a command again and again on one CPU, counts events by the
 * CPU's registers, and measures what measuring costs. */
#include "bench.h"

#include "cli.h"
#include "lists.h"
#include "session.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char bench_help[] =
    "usage: tdprobe bench -C CPU [options] [--] command...\n"
    "\n"
    "Runs the command again and again on one CPU and counts events by the CPU's\n"
    "registers (source msr: Intel, root), with nothing shared and nothing estimated:\n"
    "least, median, mean and standard deviation over the runs, and what starting and\n"
    "stopping the counters costs by itself. Where the CPU has PERF_METRICS, the\n"
    "top-down shares of all runs follow.\n"
    "\n"
    "  -C, --cpu CPU           the CPU; the command is bound to it\n"
    "  -r, --repeat N          runs, 1 to 100000 (10)\n"
    "  -e, --event EVENT       instead of cycles, instructions, branch-misses and\n"
    "                          cache-misses; again for each further one: a name of\n"
    "                          'tdprobe list events', ref-cycles, branches,\n"
    "                          cache-references, or numbers: event,umask[,cmask[,edge[,inv]]]\n"
    "  --all-user, --all-kernel  only user mode, only the kernel\n"
    "  --level 1|2, --uarch NAME, --no-fixed, --machine FILE   as for tdprobe stat\n"
    "  --format NAME           text (the default), csv or json\n"
    "  -x, --field-separator SEP  csv, with SEP between the fields\n"
    "  -j, --json              json\n"
    "  -o, --output FILE       to FILE instead of stderr; - is stdout\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the run at hand, which then does not count. Exit\n"
    "codes are those of tdprobe stat; the command's is that of the first run that failed.\n";

enum { OPT_USER = CLI_OTHER, OPT_KERNEL, OPT_MACHINE, RUNS = 10, RUNS_MAX = 100000, EMPTIES_MAX = 1000 };

static const struct option options[] = {
    CLI_SETTINGS_OPTIONS,
    {"cpu", required_argument, NULL, 'C'},
    {"repeat", required_argument, NULL, 'r'},
    {"event", required_argument, NULL, 'e'},
    {"all-user", no_argument, NULL, OPT_USER},
    {"all-kernel", no_argument, NULL, OPT_KERNEL},
    {"field-separator", required_argument, NULL, 'x'},
    {"json", no_argument, NULL, 'j'},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {0},
};

struct state {
    struct cli_settings set;
    struct cli_bench report;
    struct td_live what;
    const struct td_os *os;
    const char *machine;
    char **command;
    long cpu, runs; /* cpu -1: not given */
    void (*sigpipe)(int); /* what tdprobe was started with */
    unsigned interrupts;
    bool stopping, ran;
    int status, code; /* of the command; of tdprobe */
};

/* ---- options ------------------------------------------------------------------ */

static int add_event(struct state *s, const char *event)
{
    int err = td_add_event(s->set.td, event);

    return err ? cli_usage("-e: %s", td_error(s->set.td)) : 0;
}

static int take_option(struct state *s, int option)
{
    switch (option) {
    case 'C': return cli_number(optarg, 0, 8191, &s->cpu) ? 0 : cli_usage("-C: '%s' is not one CPU", optarg);
    case 'r': return cli_number(optarg, 1, RUNS_MAX, &s->runs) ? 0 : cli_usage("-r: '%s' is not a whole number from 1 to %d", optarg, RUNS_MAX);
    case 'e': return add_event(s, optarg);
    case 'x': return cli_settings_separator(&s->set, optarg);
    case 'j': s->set.format = &cli_format_json; return 0;
    case OPT_USER: s->what.no_kernel = true; return 0;
    case OPT_KERNEL: s->what.no_user = true; return 0;
    case OPT_MACHINE: s->machine = optarg; return 0;
    default: return cli_settings_take(&s->set, option, optarg);
    }
}

/* -1: to be run; else an exit code. */
static int parse(struct state *s, int argc, char **argv)
{
    static const char *const usual[] = {"cycles", "instructions", "branch-misses", "cache-misses"};
    struct td_added_count a;
    bool own;
    int option, code = 0;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:C:r:e:x:jo:h", options, NULL)) != -1 && !code) {
        if (option == 'h')
            return cli_help(bench_help);
        code = option == '?' || option == ':' ? cli_settings_wrong("bench", option, argv, options) : take_option(s, option);
    }
    if (code)
        return code;
    if (s->cpu < 0)
        return cli_usage("bench needs -C CPU: the command runs there, and that CPU's registers count");
    if (optind == argc)
        return cli_usage("no command to measure");
    if (s->what.no_user && s->what.no_kernel)
        return cli_usage("--all-user and --all-kernel exclude each other");
    s->command = argv + optind;
    own = td_added_event(s->set.td, 0, &a);
    for (size_t i = 0; !own && i < sizeof(usual) / sizeof(*usual) && !code; i++)
        code = add_event(s, usual[i]);
    return code ? code : -1;
}

/* ---- runs ------------------------------------------------------------------------- */

static int fail(struct state *s, int code)
{
    s->code = s->code ? s->code : code;
    s->stopping = true;
    return -1;
}

static int fail_td(struct state *s, int err)
{
    cli_say("%s%s", td_error(s->set.td), cli_next_step(s->set.td, err));
    return fail(s, cli_exit_code(err));
}

static int make_room(struct state *s)
{
    struct td_added_count a;

    for (s->report.n = 0; td_added_event(s->set.td, s->report.n, &a); s->report.n++)
        ;
    s->report.event = calloc(s->report.n, sizeof(*s->report.event));
    for (size_t i = 0; s->report.event && i < s->report.n; i++) {
        struct cli_bench_event *e = &s->report.event[i];

        td_added_event(s->set.td, i, &a);
        e->event = a.event;
        e->config = a.config;
        e->run = calloc((size_t)s->runs, sizeof(*e->run));
        e->empty = calloc(EMPTIES_MAX, sizeof(*e->empty));
        if (e->run && e->empty)
            continue;
        cli_say("out of memory");
        return fail(s, EXIT_BUG);
    }
    return s->report.event ? 0 : fail(s, EXIT_BUG);
}

/* What the counters held. False: an overflow, or worse. */
static bool keep(struct state *s, bool empty)
{
    const unsigned at = empty ? s->report.empties : s->report.runs;
    struct td_added_count a;

    for (size_t i = 0; i < s->report.n; i++) {
        td_added_event(s->set.td, i, &a);
        if (a.status != TD_OK)
            return false;
        (empty ? s->report.event[i].empty : s->report.event[i].run)[at] = a.value;
    }
    *(empty ? &s->report.empties : &s->report.runs) += 1;
    return true;
}

/* Started and stopped with nothing between: what each run counts of us. */
static void measure_cost(struct state *s)
{
    const long n = s->runs < EMPTIES_MAX ? s->runs : EMPTIES_MAX;

    for (long i = 0; i < n && !s->stopping; i++) {
        int err = td_enable(s->set.td, true);

        err = err ? err : td_enable(s->set.td, false);
        err = err ? err : td_take(s->set.td);
        if (err)
            fail_td(s, err);
        else
            keep(s, true);
    }
}

static pid_t spawn(struct state *s)
{
    pid_t pid;
    int err = s->os->pin(s->os->ctx, (int)s->cpu);

    if (err) {
        cli_say("the command cannot be bound to CPU %ld: %s", s->cpu, strerror(-err));
        return fail(s, EXIT_UNABLE);
    }
    signal(SIGPIPE, s->sigpipe); /* the command must have what we were started with */
    pid = s->os->spawn(s->os->ctx, s->command);
    signal(SIGPIPE, SIG_IGN);
    s->os->pin(s->os->ctx, -1);
    if (pid > 0)
        return pid;
    cli_say("'%s' cannot be started: %s", s->command[0], strerror(-(int)pid));
    return fail(s, EXIT_NOT_STARTED);
}

/* Until the command ends; true: by itself. */
static bool await(struct state *s, int *status)
{
    struct td_os_event e;

    for (;;) {
        int err = s->os->wait(s->os->ctx, UINT64_MAX, -1, &e);

        if (err && err != -EINTR) {
            cli_say("waiting failed: %s", strerror(-err));
            fail(s, EXIT_BUG);
            return false;
        }
        if (!err && e.what == TD_OS_EXIT) {
            *status = e.status;
            return !s->stopping;
        }
        if (err || e.what != TD_OS_SIGNAL || e.signal == SIGUSR1 || e.signal == SIGUSR2)
            continue;
        s->stopping = true;
        if (++s->interrupts > 1)
            s->os->kill(s->os->ctx, SIGKILL);
        else if (!e.group)
            s->os->kill(s->os->ctx, e.signal);
    }
}

static void keep_status(struct state *s, int status)
{
    if (!s->status)
        s->status = WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* One run of the command between starting and stopping the counters. */
static void run_once(struct state *s)
{
    struct td *td = s->set.td;
    const struct td_result *r;
    int err, status = 0;
    bool whole;

    if (spawn(s) < 0)
        return;
    err = td_enable(td, true);
    if (err) {
        fail_td(s, err);
        s->os->kill(s->os->ctx, SIGKILL);
        await(s, &status);
        return;
    }
    err = s->os->release(s->os->ctx);
    if (err) {
        cli_say("'%s' cannot be run: %s", s->command[0], strerror(-err));
        fail(s, err == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED);
        return;
    }
    s->ran = true;
    whole = await(s, &status);
    keep_status(s, status);
    err = td_enable(td, false);
    err = err ? err : td_take(td);
    if (!err && whole && keep(s, false)) /* a run that we ended is none */
        while (!(err = td_next(td, &r)))
            ;
    if (err && err != -EAGAIN)
        fail_td(s, err);
}

/* ---- the report ----------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct cli_bench_numbers numbers_of(uint64_t *value, unsigned n)
{
    struct cli_bench_numbers s = {NAN, NAN, NAN, NAN, NAN};
    double squares = 0, sum = 0;

    if (!n)
        return s;
    qsort(value, n, sizeof(*value), by_value);
    for (unsigned i = 0; i < n; i++)
        sum += (double)value[i];
    s.mean = sum / n;
    for (unsigned i = 0; i < n; i++)
        squares += ((double)value[i] - s.mean) * ((double)value[i] - s.mean);
    s.min = (double)value[0];
    s.max = (double)value[n - 1];
    s.median = ((double)value[(n - 1) / 2] + (double)value[n / 2]) / 2;
    if (n > 1)
        s.deviation = sqrt(squares / (n - 1));
    return s;
}

static int report(struct state *s)
{
    const struct td_result *r;
    struct cli_settings *c = &s->set;

    if (!s->report.runs)
        return cli_out_close(&c->out, false);
    for (size_t i = 0; i < s->report.n; i++) {
        struct cli_bench_event *e = &s->report.event[i];

        e->counted = numbers_of(e->run, s->report.runs);
        e->cost = numbers_of(e->empty, s->report.empties);
    }
    s->report.cpu = (int)s->cpu;
    s->report.machine = td_machine_name(c->td);
    c->format->bench(&c->out, &s->report);
    for (size_t i = 0; c->format != &cli_format_csv && !td_summary(c->td, i, &r); i++) /* csv is one table */
        c->format->result(&c->out, r);
    return cli_out_close(&c->out, true);
}

static void measure(struct state *s)
{
    const int cpu = (int)s->cpu;
    int err;

    s->what.cpus = &cpu;
    s->what.ncpus = 1;
    s->what.disabled = true;
    s->os = td_session_os(s->set.td);
    err = s->os->signals(s->os->ctx); /* before registers are changed */
    if (err)
        cli_say("signals cannot be taken: %s", strerror(-err));
    err = err ? err : td_open_live(s->set.td, &s->what);
    if (err) {
        fail_td(s, err);
        return;
    }
    if (!make_room(s))
        measure_cost(s);
    for (long i = 0; i < s->runs && !s->stopping; i++)
        run_once(s);
    err = td_close_live(s->set.td);
    if (err)
        fail_td(s, err);
}

/* Before runs that may take hours, and that nobody would see. */
static int open_output(struct cli_settings *c)
{
    return c->output ? cli_out_open(&c->out, strcmp(c->output, "-") ? c->output : NULL) : cli_out_open_live(&c->out, NULL, false, STDERR_FILENO);
}

static int run(struct state *s)
{
    int code = s->machine ? cli_settings_machine(&s->set, s->machine) : 0;

    code = code ? code : open_output(&s->set);
    if (code)
        return code;
    measure(s);
    code = report(s);
    return s->ran ? s->status : s->code ? s->code : code;
}

int cli_bench(int argc, char **argv)
{
    struct state s = {.cpu = -1, .runs = RUNS};
    int code = cli_settings_begin(&s.set);

    if (code)
        return code;
    td_set_source(s.set.td, "msr"); /* the handle is new: it takes it */
    code = parse(&s, argc, argv);
    s.sigpipe = signal(SIGPIPE, SIG_IGN);
    if (code < 0)
        code = run(&s);
    for (size_t i = 0; s.report.event && i < s.report.n; i++) {
        free(s.report.event[i].run);
        free(s.report.event[i].empty);
    }
    free(s.report.event);
    td_free(s.set.td);
    return code;
}
