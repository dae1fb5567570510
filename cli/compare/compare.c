/* SPDX-License-Identifier: MIT */
/* tdprobe compare: what differs between recordings, and whether that is shown. */
#include "cli/cli.h"
#include "cli/compare/baseline.h"
#include "cli/compare/commands.h"
#include "cli/compare/gates.h"
#include "cli/compare/sides.h"
#include "cli/hints.h"
#include "cli/sandbox/sandbox.h"
#include "cli/shell.h"
#include "cli/table/parse.h"
#include "report/compare/comparison_report.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS_MAX = 10000, LAST_USUAL = 10, LAST_MAX = 10000 };

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
    double margin; /* --margin, a share */
    long seed; /* --seed */
    const struct td_comparison_format *format;
    struct cli_commands commands;
    struct cli_past past;
    struct cli_sides sides;
};

/* ---- options -------------------------------------------------------------------------- */

static const char *format_name(size_t i)
{
    const struct td_comparison_format *f = td_comparison_format_at(i);

    return f ? f->name : NULL;
}

static int take_format(void *settings, const char *value)
{
    struct compare *c = settings;

    for (size_t i = 0; td_comparison_format_at(i); i++)
        if (!strcmp(td_comparison_format_at(i)->name, value))
            c->format = td_comparison_format_at(i);
    return 0;
}

/* Kinds of scopes, first those by which samples can be told apart. */
static const char *kind_name(size_t i)
{
    static const char *const others[] = {"system", "core", "socket", "node", "region", "command", "process"};
    size_t k = 0;

    for (; td_samples_by_name((enum td_samples_by)k); k++)
        if (i == k)
            return td_samples_by_name((enum td_samples_by)k);
    return i - k < sizeof(others) / sizeof(*others) ? others[i - k] : NULL;
}

static int take_kind(void *settings, const char *value)
{
    static const struct cli_option samples = {.kind = CLI_TAKEN, .take = cli_take_by};
    struct compare *c = settings;

    c->set.kind = value;
    for (size_t i = 0; cli_by_name(i); i++)
        if (!strcmp(cli_by_name(i), value))
            return cli_reading_add(&c->reading, &samples, value);
    return 0;
}

static int take_condition(void *settings, const char *value)
{
    return cli_gates_add(&((struct compare *)settings)->gates, value);
}

static const char *inconclusive_at(size_t i)
{
    static const char *const can[] = {"pass", "fail", NULL};

    return can[i];
}

static int take_inconclusive(void *settings, const char *value)
{
    cli_gates_inconclusive(&((struct compare *)settings)->gates, value);
    return 0;
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

static int take_file(void *settings, const char *word)
{
    return add_file(settings, word);
}

static int take_side(void *settings, const char *value)
{
    struct compare *c = settings;

    (void)value;
    if (!c->begun)
        return cli_usage("--vs: there is no recording before it");
    c->groups++;
    c->begun = false;
    return 0;
}

static const struct cli_option options[] = {
    CLI_GROUP("What is compared:"),
    {"vs", .kind = CLI_TAKEN, .take = take_side, .common = true, .help = "the next side begins"},
    {"repeat", 'r', "N", CLI_NUMBER_IN(struct compare, commands.rounds, 1, ROUNDS_MAX), .common = true,
     .help = "run each command N times", .more = "(the i-th runs belong together)"},
    {"paired", CLI_SETS(struct compare, set.paired), .help = "the i-th runs of the sides belong together",
     .more = "(they were made in turn)"},
    {"baseline", .arg = "DIR", CLI_TEXT_IN(struct compare, past.folder), .offer = CLI_FOLDERS, .common = true,
     .help = "compare with the last recordings in DIR"},
    {"last", .arg = "N", CLI_NUMBER_IN(struct compare, past.last, 1, LAST_MAX), .usual = "10",
     .help = "with the last N of them"},
    {"by", .arg = "KIND", .kind = CLI_CHOICE, .take = take_kind, .choice = kind_name, .common = true,
     .help = "only scopes of this kind", .more = "(of samples function is the default)"},
    CLI_MACHINE(CLI_TEXT_IN(struct compare, commands.machine),
                .help = "with -r: the commands of a simulated machine, tdprobe-machine(5)"),
    CLI_GROUP("What is shown:"),
    {"margin", .arg = "POINTS", CLI_REAL_IN(struct compare, margin, 0, 100), .per = 100,
     .is = "a number of points, 0 to 100", .usual = "1", .help = "a difference of at most this much is 'same'",
     .more = "(percent for what is no share)"},
    {"seed", .arg = "N", CLI_NUMBER_IN(struct compare, seed, 0, INT_MAX), .usual = "1",
     .help = "seed of the random resampling", .more = "(the same gives the same bounds)"},
    {"fail-if", .arg = "COND", .kind = CLI_TAKEN, .take = take_condition, .common = true,
     .help = "exit 1 if this holds, 2 if the data cannot tell",
     .more = ", 0 if not: 'memory_bound > +2pp', 'ipc < -3%', 'verdict changes'; may be repeated, "
             "or several separated by commas"},
    {"inconclusive", .arg = "pass|fail", .kind = CLI_CHOICE, .take = take_inconclusive, .choice = inconclusive_at,
     .help = "exit 0 or 1 instead of 2"},
    CLI_GROUP("Reading:"),
    CLI_UARCH_RECORDED,
    CLI_SMT,
    CLI_BACKEND_RECORDED,
    CLI_NO_FIXED(.common = false),
    CLI_IMPORT_FORMAT,
    CLI_LEVEL_RECORDED,
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    CLI_SYMBOLS,
    CLI_GROUP("The report:"),
    CLI_FORMAT(.take = take_format, .choice = format_name, .help = "the format"),
    CLI_SEPARATOR(take_format),
    CLI_JSON(take_format),
    CLI_OUTPUT(.help = "write to FILE; with -r instead of stderr",
               .more = "(FILE appears only when it is whole; - is stdout)"),
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {"--last", .without = "--baseline", .says = "--last is for --baseline DIR"},
    {"--baseline", "--paired",
     .says = "--baseline excludes --paired: the recordings of a history were not measured in turn with others"},
    {"--machine", .without = "-r", .says = "--machine measures commands: it needs -r"},
};

const struct cli_subcommand cli_compare_command = {
    .name = "compare",
    .brief = "what differs between recordings, and is it real",
    .page = "tdprobe-compare(1)",
    .usage = "compare [options] A B [C...]\n"
             "compare [options] A... --vs B... [--vs C...]\n"
             "compare -r N [options] -- command... --vs command...\n"
             "compare --baseline DIR [options] [B...]\n"
             "compare --baseline DIR -r N [options] -- command...",
    .about = "Compares recordings that 'tdprobe replay' reads, each with the first, and says\n"
             "what differs, and whether chance could explain it.\n",
    .more = "With --vs, several recordings are runs of one side. With -r commands are measured,\n"
            "N times each and in turn, so that a drift of the machine affects all alike. With\n"
            "--baseline the first side are the last recordings in DIR, which 'tdprobe record\n"
            "--baseline DIR' keeps there, of the same host and CPU; with neither recording nor\n"
            "command, DIR's newest is compared with those before it.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .order = "-",
    .word = take_file,
    .reading = offsetof(struct compare, reading),
    .offer = CLI_PROGRAMS,
    .confined = true,
};

static int check_commands(struct compare *c)
{
    if (c->files)
        return cli_usage("-r measures commands, which follow --: %s is before it", c->given[0].path);
    if (!c->commands.n)
        return cli_usage("-r measures commands, which follow --: compare -r %ld -- ./app --vs ./app-changed",
                         c->commands.rounds);
    c->set.paired = !c->past.folder;
    return 0;
}

static int check_past(struct compare *c)
{
    if (!c->past.folder)
        return 0;
    for (size_t i = 0; i < c->files; i++)
        if (!strcmp(c->given[i].path, "-"))
            return cli_usage("--baseline looks at a recording before it reads it: name a file instead of -");
    c->past.last = c->past.last ? c->past.last : LAST_USUAL;
    return 0;
}

static int check_files(struct compare *c)
{
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
    int code = cli_parse(&cli_compare_command, c, argc, argv);

    if (code >= 0)
        return code;
    c->set.margin = c->margin;
    c->set.seed = (unsigned long)c->seed;
    code = 0;
    if (!code && c->commands.rounds && optind < argc)
        code = cli_commands_take(&c->commands, argv + optind, c->past.folder ? 1 : 2);
    while (!code && !c->commands.rounds && optind < argc)
        code = add_file(c, argv[optind++]);
    code = code ? code : cli_check(&cli_compare_command, &c->tried, false);
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
        cli_say("no metric has a value in runs of both commands: 'tdprobe -- %s' and 'tdprobe -- %s' show which has "
                "none, and why",
                c->commands.command[0].name, c->commands.command[1].name);
    else if (c->set.kind)
        cli_say("the recordings have no scope of kind %s and the same name in common with a value in both: "
                "'tdprobe replay --summary-only' shows what each has",
                c->set.kind);
    else
        cli_say("the recordings have no scope of the same name in common with a value in both: "
                "'tdprobe replay --summary-only' shows what each has");
    return c->commands.rounds ? EXIT_UNABLE : EXIT_INPUT;
}

/* Whether only totals have a value in both sides: 69 then, as where there is nothing to replay. */
static int without_metrics(const struct compare *c, const struct td_comparison *comparison)
{
    for (size_t i = 0; i < comparison->n; i++)
        if (!comparison->row[i].total && strcmp(comparison->row[i].metric, TD_SERIES_IPC) != 0)
            return 0;
    if (c->commands.rounds)
        cli_say(
            "no top-down metric has a value in runs of both commands: 'tdprobe doctor' shows whether this machine's "
            "counters can be trusted");
    else
        cli_say(
            "no top-down metric has a value in both: 'tdprobe replay --summary-only' shows what each recording has");
    return EXIT_UNABLE;
}

/* The output keeps what it held. */
static int give_up(struct compare *c, int code)
{
    td_output_close(&c->tried.report.out, false);
    return code;
}

/* Where nothing more is measured, which starts programs. */
static int confine(struct compare *c, const char *output)
{
    char **name = calloc(c->files + 1, sizeof(*name));
    size_t n = 0;

    if (!name)
        return cli_no_memory();
    for (size_t i = 0; i < c->files; i++)
        name[n++] = (char *)(uintptr_t)c->given[i].path;
    if (c->past.folder)
        name[n++] = (char *)(uintptr_t)c->past.folder;
    cli_sandbox_plan(&cli_compare_command, &c->tried, output && strcmp(output, "-") != 0 ? output : NULL, name, n);
    cli_sandbox_enter(NULL, 0);
    free(name);
    return 0;
}

/* The last recordings of a history as the first side of what is measured here. */
static int read_past_here(struct compare *c)
{
    char *command = cli_shell_plain(c->commands.command[0].words);
    int code = command ? cli_past_here(&c->past, c->tried.td, command, &c->reading) : cli_no_memory();

    free(command);
    return code ? code : cli_past_give(&c->past, &c->sides);
}

/* Whether they can be read, before anything is measured, which may take long. A process in the sandbox reads them and
 * gives its messages and exit code; this one, which is to start programs, believes nothing else of them. */
static int try_past_here(struct compare *c)
{
    int status = 0; /* it stays so where nobody may wait: whoever ignores SIGCHLD */
    const pid_t pid = fork();

    if (!pid) {
        const int code = confine(c, NULL);

        _exit(code ? code : read_past_here(c));
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid > 0 && WIFEXITED(status))
        return WEXITSTATUS(status);
    cli_say("--baseline: the process that reads %s %s: %s", c->past.folder,
            pid < 0 ? "cannot be started" : "was killed", pid < 0 ? strerror(errno) : strsignal(WTERMSIG(status)));
    return EXIT_BUG;
}

/* Reads them once more, when programs have run; what there was to say about them has been said. */
static int give_past_here(struct compare *c)
{
    int code = confine(c, c->tried.output);

    cli_say_nothing(true);
    code = code ? code : read_past_here(c);
    cli_say_nothing(false);
    if (code)
        cli_say("--baseline: %s has changed while the commands ran: its recordings cannot be read any more",
                c->past.folder);
    return code;
}

static int measure(struct compare *c)
{
    int code = cli_commands_begin(&c->commands, &c->tried);

    if (!code && c->past.folder) {
        code = cli_past_open(&c->past);
        td_detect(c->tried.td); /* what is wrong is reported by measuring */
        code = code ? code : try_past_here(c);
        code = code ? code : cli_sides_begin(&c->sides, c->past.name);
    }
    code = code ? code : cli_commands_run(&c->commands, &c->tried, &c->sides);
    return code || !c->past.folder ? code : give_past_here(c);
}

/* What is compared, as recordings or by measuring. */
static int get_sides(struct compare *c)
{
    return c->commands.rounds ? measure(c) : read_all(c);
}

static int compare(struct compare *c)
{
    struct td_comparison comparison;
    int code = c->commands.rounds ? 0 : confine(c, c->tried.output), err;

    code = code ? code : open_output(c);
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
    struct compare c = {.margin = 0.01, .seed = 1, .set = {.confidence = 0.95}};
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
