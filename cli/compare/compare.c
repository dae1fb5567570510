/* SPDX-License-Identifier: MIT */
/* tdprobe compare: what differs between recordings, and whether that is shown. */
#include "cli/cli.h"
#include "cli/compare/baseline.h"
#include "cli/compare/commands.h"
#include "cli/compare/gates.h"
#include "cli/compare/sides.h"
#include "cli/hints.h"
#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/shell.h"
#include "report/compare/comparison_report.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char help[] =
    "usage: tdprobe compare [options] A B [C...]\n"
    "       tdprobe compare [options] A... --vs B... [--vs C...]\n"
    "       tdprobe compare -r N [options] -- command... --vs command... [--vs command...]\n"
    "       tdprobe compare --baseline DIR [options] [B...]\n"
    "       tdprobe compare --baseline DIR -r N [options] -- command...\n"
    "\n"
    "Says what differs between recordings, which are those that 'tdprobe replay' reads, and\n"
    "whether that is shown: each further one is compared with the first. With --vs, several\n"
    "recordings are runs of one side. With -r commands are measured, N times each and in turn,\n"
    "so that what drifts on the machine is in all alike. With --baseline the first is the last\n"
    "recordings in DIR, which 'tdprobe record --baseline DIR' keeps there, of the same host and\n"
    "CPU; without a recording or command, DIR's newest is compared with those before it.\n"
    "\n"
    "  --vs               the next side begins\n"
    "  -r, --repeat N     run each command N times; the i-th runs belong together\n"
    "  --paired           the i-th runs of the sides belong together: they were made in turn\n"
    "  --baseline DIR     compare with the last recordings in DIR\n"
    "  --last N           with so many of them (default 10)\n"
    "  --by KIND          only scopes of this kind: system, cpu, core, socket, node, thread,\n"
    "                     cgroup or region; of samples function (the default), dso, thread,\n"
    "                     comm or cpu\n"
    "  --symfs DIR        of samples: the recorded files are below DIR, not below /; --buildid-dir DIR\n"
    "                     and --debuginfod[=URLS] as for report\n"
    "  --margin POINTS    a difference of no more is none, 'same' (default 1; of what is no\n"
    "                     share, percent)\n"
    "  --seed N           of the random resampling (default 1); the same gives the same bounds\n"
    "  --fail-if COND     exit 1 if this is shown to hold, 0 if not, 2 if the data cannot tell:\n"
    "                     'memory_bound > +2pp', 'ipc < -3%', 'verdict changes'; may be\n"
    "                     repeated, or several separated by commas\n"
    "  --inconclusive pass|fail   exit 0 or 1 instead of 2\n"
    "  --uarch NAME|ID    the CPU, where the recordings do not name it\n"
    "  --smt on|off       whether its cores had two threads online, where they do not say it\n"
    "  --import-format NAME   the recordings' format, if the content does not show it\n"
    "  --backend=NAME     only CPUs of this backend; auto (the default): any\n"
    "  --no-fixed         use ordinary events instead of the PERF_METRICS register\n"
    "  --level 1..6       the deepest level (default: the trace's, else 2)\n"
    "  -M, --metrics LIST further metrics: names, groups or all (tdprobe list metrics --uarch NAME)\n"
    "  --format NAME      text (the default), csv, json, markdown, junit, github or gitlab\n"
    "  -x, --field-separator SEP   csv, with SEP between the fields\n"
    "  -j, --json         json\n"
    "  --machine FILE     with -r: the commands of a simulated machine, tdprobe-machine(5)\n"
    "  -o FILE            write to FILE, which appears only when it is whole; with -r the\n"
    "                     report goes to stderr otherwise, and to stdout with -o -\n"
    "  -h, --help         this text\n";

enum { OPT_VS = CLI_OTHER, OPT_PAIRED, OPT_BY, OPT_MARGIN, OPT_SEED, OPT_FAIL_IF, OPT_INCONCLUSIVE, OPT_MACHINE, OPT_BASELINE, OPT_LAST,
       OPT_FILE = 1 /* as getopt_long() has it */ };

static const struct option options[] = {
    {"vs", no_argument, NULL, OPT_VS},
    {"paired", no_argument, NULL, OPT_PAIRED},
    {"by", required_argument, NULL, OPT_BY},
    {"margin", required_argument, NULL, OPT_MARGIN},
    {"seed", required_argument, NULL, OPT_SEED},
    {"fail-if", required_argument, NULL, OPT_FAIL_IF},
    {"inconclusive", required_argument, NULL, OPT_INCONCLUSIVE},
    {"repeat", required_argument, NULL, 'r'},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"baseline", required_argument, NULL, OPT_BASELINE},
    {"last", required_argument, NULL, OPT_LAST},
    CLI_OPTIONS_BASIC,
    {"import-format", required_argument, NULL, CLI_IMPORT_FORMAT},
    CLI_OPTIONS_RECORDING,
    CLI_OPTIONS_SYMBOLS,
    CLI_OPTIONS_LETTERS,
    {0},
};

/* A recording as it was given. */
struct given {
    const char *path;
    bool run; /* of the side before it */
};

struct compare {
    struct cli_options tried; /* takes each option, so that what is wrong with it is said at once */
    struct cli_reading reading;
    struct given *given;
    size_t files;
    unsigned groups; /* --vs so far */
    bool begun; /* the side that is being given has a recording */
    struct cli_gates gates;
    struct td_comparison_settings set;
    const struct td_comparison_format *format;
    struct cli_commands commands;
    struct cli_past past;
    struct cli_sides sides;
};

enum { ROUNDS_MAX = 10000, LAST_USUAL = 10, LAST_MAX = 10000 };

/* ---- options -------------------------------------------------------------------------- */

static const char *format_name(size_t i)
{
    const struct td_comparison_format *f = td_comparison_format_at(i);

    return f ? f->name : NULL;
}

static int set_format(struct compare *c, const char *name)
{
    const int at = cli_options_pick("the format", name, format_name);

    c->format = at < 0 ? NULL : td_comparison_format_at((size_t)at);
    return at < 0 ? EXIT_USAGE : 0;
}

static int set_margin(struct compare *c, const char *text)
{
    char *end;
    const double points = strtod(text, &end);

    if (end == text || *end || !(points >= 0 && points <= 100))
        return cli_usage("--margin: '%s' is not a number of points, 0 to 100", text);
    c->set.margin = points / 100;
    return 0;
}

/* Kinds of scopes, first those by which samples can be told apart. */
static const char *kind_name(size_t i)
{
    static const char *const others[] = {"system", "core", "socket", "node", "region"};
    size_t k = 0;

    for (; td_samples_by_name((enum td_samples_by)k); k++)
        if (i == k)
            return td_samples_by_name((enum td_samples_by)k);
    return i - k < sizeof(others) / sizeof(*others) ? others[i - k] : NULL;
}

static int set_kind(struct compare *c, const char *text)
{
    const int at = cli_options_pick("--by", text, kind_name);

    if (at < 0)
        return EXIT_USAGE;
    c->set.kind = kind_name((size_t)at);
    return td_samples_by_name((enum td_samples_by)at) == c->set.kind ? cli_reading_add(&c->reading, CLI_BY, c->set.kind) : 0;
}

static int set_seed(struct compare *c, const char *text)
{
    long seed;

    if (!cli_number(text, 0, INT_MAX, &seed))
        return cli_usage("--seed: '%s' is not a whole number from 0 to %d", text, INT_MAX);
    c->set.seed = (unsigned long)seed;
    return 0;
}

static int set_rounds(struct compare *c, const char *text)
{
    if (cli_number(text, 1, ROUNDS_MAX, &c->commands.rounds))
        return 0;
    return cli_usage("-r: '%s' is not a whole number from 1 to %d", text, ROUNDS_MAX);
}

static int set_last(struct compare *c, const char *text)
{
    if (cli_number(text, 1, LAST_MAX, &c->past.last))
        return 0;
    return cli_usage("--last: '%s' is not a whole number from 1 to %d", text, LAST_MAX);
}

static int add_file(struct compare *c, const char *path)
{
    struct given *grown = realloc(c->given, (c->files + 1) * sizeof(*grown));

    if (!grown)
        return cli_no_memory();
    c->given = grown;
    grown[c->files++] = (struct given){path, c->begun};
    c->begun = true;
    return 0;
}

static int next_side(struct compare *c)
{
    if (!c->begun)
        return cli_usage("--vs: there is no recording before it");
    c->groups++;
    c->begun = false;
    return 0;
}

static int take_option(struct compare *c, int option, const char *value)
{
    int code;

    switch (option) {
    case OPT_FILE: return add_file(c, value);
    case OPT_VS: return next_side(c);
    case OPT_PAIRED: c->set.paired = true; return 0;
    case OPT_MACHINE: c->commands.machine = value; return 0;
    case OPT_BASELINE: c->past.folder = value; return 0;
    case OPT_LAST: return set_last(c, value);
    case 'r': return set_rounds(c, value);
    case OPT_BY: return set_kind(c, value);
    case OPT_MARGIN: return set_margin(c, value);
    case OPT_SEED: return set_seed(c, value);
    case OPT_FAIL_IF: return cli_gates_add(&c->gates, value);
    case OPT_INCONCLUSIVE: return cli_gates_inconclusive(&c->gates, value);
    case CLI_FORMAT: return set_format(c, value);
    case 'j': return set_format(c, "json");
    case 'x': code = cli_options_separator(&c->tried, value); return code ? code : set_format(c, "csv");
    case 'o': return cli_options_take(&c->tried, option, value);
    case 'M': option = CLI_METRICS; break;
    default: break;
    }
    code = cli_options_take(&c->tried, option, value);
    return code ? code : cli_reading_add(&c->reading, option, value);
}

static int check_commands(struct compare *c)
{
    if (c->files)
        return cli_usage("-r measures commands, which follow --: %s is before it", c->given[0].path);
    if (!c->commands.n)
        return cli_usage("-r measures commands, which follow --: compare -r %ld -- ./app --vs ./app-changed", c->commands.rounds);
    c->set.paired = !c->past.folder;
    return 0;
}

static int check_past(struct compare *c)
{
    if (c->past.last && !c->past.folder)
        return cli_usage("--last is for --baseline DIR");
    if (!c->past.folder)
        return 0;
    if (c->set.paired)
        return cli_usage("--baseline excludes --paired: what a history keeps was not measured in turn with anything else");
    for (size_t i = 0; i < c->files; i++)
        if (!strcmp(c->given[i].path, "-"))
            return cli_usage("--baseline looks at a recording before it reads it: name a file instead of -");
    c->past.last = c->past.last ? c->past.last : LAST_USUAL;
    return 0;
}

static int check_files(struct compare *c)
{
    if (c->commands.machine)
        return cli_usage("--machine measures commands: it needs -r");
    if (c->groups && !c->begun)
        return cli_usage("--vs: there is no recording after it");
    for (size_t i = 0; !c->groups && i < c->files; i++)
        c->given[i].run = false;
    if (!c->groups && !c->past.folder && c->files < 2)
        return cli_usage("compare takes two recordings or more, not %zu", c->files);
    for (size_t i = 0, n = 0; i < c->files; i++) {
        n += !strcmp(c->given[i].path, "-");
        if (n > 1)
            return cli_usage("- is given twice, but stdin can be read only once");
    }
    if (c->set.paired && !c->groups)
        return cli_usage("--paired: runs are paired, A1 A2 A3 --vs B1 B2 B3; without --vs each recording is a side");
    return 0;
}

/* -1: go on. */
static int parse(struct compare *c, int argc, char **argv)
{
    int option, code = 0;

    opterr = 0;
    while (!code && (option = getopt_long(argc, argv, "-:hjM:o:r:x:", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_options_wrong("compare", option, argv, options);
        code = take_option(c, option, optarg);
    }
    if (!code && c->commands.rounds && optind < argc)
        code = cli_commands_take(&c->commands, argv + optind, c->past.folder ? 1 : 2);
    while (!code && !c->commands.rounds && optind < argc)
        code = add_file(c, argv[optind++]);
    code = code ? code : check_past(c);
    code = code ? code : c->commands.rounds ? check_commands(c) : check_files(c);
    return code ? code : -1;
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* Side A of a history: what comes before the first of the others, or before the newest, which then is the other. */
static int read_past(struct compare *c)
{
    int code = cli_past_open(&c->past);

    if (!code && !c->files) {
        const char *newest = cli_past_newest(&c->past, &c->reading, &code);

        code = code ? code : add_file(c, newest);
    }
    code = code ? code : cli_past_before(&c->past, c->given[0].path, &c->reading);
    return code ? code : cli_past_give(&c->past, &c->sides);
}

static int read_all(struct compare *c)
{
    int code = c->past.folder ? read_past(c) : 0;

    for (size_t i = 0; !code && i < c->files; i++)
        code = cli_sides_read(&c->sides, c->given[i].path, c->given[i].run, &c->reading);
    for (size_t i = 1; !code && c->set.paired && i < c->sides.n; i++)
        if (c->sides.side[i].n != c->sides.side[0].n)
            return cli_usage("--paired: the sides have %zu and %zu runs", c->sides.side[0].n, c->sides.side[i].n);
    return code;
}

/* Before commands run, which may take hours and could not be reported otherwise; stdout is theirs. */
static int open_output(struct compare *c)
{
    struct td_output *o = &c->tried.report.out;
    const char *path = c->tried.output;

    if (!c->commands.rounds || path)
        return cli_output_error(o, td_output_open(o, path && strcmp(path, "-") ? path : NULL));
    return cli_output_error(o, td_output_open_live(o, NULL, false, STDERR_FILENO));
}

static int put(struct compare *c, const struct td_comparison *comparison)
{
    const struct td_comparison_report report = {comparison, c->gates.gate, c->gates.n, c->tried.report.separator};
    const struct td_comparison_format *format = c->format ? c->format : td_comparison_format_at(0);
    struct td_output *o = &c->tried.report.out;
    int code;
    char text[TD_NOTE_TEXT];

    format->put(o, &report);
    code = cli_output_error(o, td_output_close(o, true));
    for (size_t i = 0; !code && !format->notes && td_comparison_note(comparison, i, text); i++)
        cli_say("%s", text);
    for (size_t i = 0; !code && !format->notes && i < c->gates.n; i++)
        cli_say("%s", td_gate_line(&c->gates.gate[i], text));
    return code;
}

/* Why there is nothing to compare. */
static int nothing_common(const struct compare *c)
{
    if (c->commands.rounds)
        cli_say("no metric has a value in runs of both commands: 'tdprobe -- %s' shows why", c->commands.command[0].name);
    else if (c->set.kind)
        cli_say("the recordings have no scope of kind %s and the same name in common with a value in both: 'tdprobe replay --summary-only' shows what each has", c->set.kind);
    else
        cli_say("the recordings have no scope of the same name in common with a value in both: 'tdprobe replay --summary-only' shows what each has");
    return c->commands.rounds ? EXIT_UNABLE : EXIT_INPUT;
}

/* Whether only totals have a value in both sides: 69 then, as where there is nothing to replay. */
static int without_metrics(const struct compare *c, const struct td_comparison *comparison)
{
    for (size_t i = 0; i < comparison->n; i++)
        if (!comparison->row[i].total && strcmp(comparison->row[i].metric, TD_SERIES_IPC) != 0)
            return 0;
    if (c->commands.rounds)
        cli_say("no top-down metric has a value in runs of both commands: 'tdprobe doctor' shows whether this machine's counters can be trusted");
    else
        cli_say("no top-down metric has a value in both: 'tdprobe replay --summary-only' shows what each recording has");
    return EXIT_UNABLE;
}

/* The output keeps what it held. */
static int give_up(struct compare *c, int code)
{
    td_output_close(&c->tried.report.out, false);
    return code;
}

/* A history is read before anything is measured, which may take long. */
static int read_past_here(struct compare *c)
{
    char *command = cli_shell_plain(c->commands.command[0].words);
    int code = command ? cli_past_open(&c->past) : cli_no_memory();

    if (!code) {
        td_detect(c->tried.td); /* what is wrong is reported by measuring */
        code = cli_past_here(&c->past, c->tried.td, command, &c->reading);
    }
    free(command);
    return code ? code : cli_past_give(&c->past, &c->sides);
}

static int measure(struct compare *c)
{
    int code = cli_commands_begin(&c->commands, &c->tried);

    if (!code && c->past.folder)
        code = read_past_here(c);
    return code ? code : cli_commands_run(&c->commands, &c->tried, &c->sides);
}

/* What is compared, as recordings or by measuring. */
static int get_sides(struct compare *c)
{
    return c->commands.rounds ? measure(c) : read_all(c);
}

static int compare(struct compare *c)
{
    struct td_comparison comparison;
    int code = open_output(c), err;

    code = code ? code : get_sides(c);
    if (code)
        return give_up(c, code);
    err = td_compare(c->sides.side, c->sides.n, &c->set, &comparison);
    if (err == -ENODATA)
        return give_up(c, nothing_common(c));
    if (err)
        return give_up(c, cli_no_memory());
    code = cli_gates_ask(&c->gates, &comparison);
    code = code ? give_up(c, code) : put(c, &comparison);
    code = code ? code : without_metrics(c, &comparison);
    td_comparison_free(&comparison);
    return code ? code : cli_gates_exit(&c->gates);
}

int cli_compare_main(int argc, char **argv)
{
    struct compare c = {.set = {.margin = 0.01, .confidence = 0.95, .seed = 1}};
    int code = cli_options_begin(&c.tried);

    code = code ? code : parse(&c, argc, argv);
    if (code < 0)
        code = td_chance_available() ? compare(&c) : cli_without_gsl();
    cli_sides_free(&c.sides);
    cli_commands_free(&c.commands);
    cli_past_free(&c.past);
    cli_gates_free(&c.gates);
    cli_reading_free(&c.reading);
    free(c.given);
    td_free(c.tried.td);
    return code;
}
