/* SPDX-License-Identifier: MIT */
/* tdprobe: the first word selects the subcommand. */
#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/nearest.h"
#include "cli/signals.h"
#include "cli/stack.h"
#include "cli/table/complete.h"
#include "cli/table/help.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: tdprobe [stat] [options] [--] command...\n"
    "       tdprobe SUBCOMMAND [options] ...\n"
    "       tdprobe --help | --help-all | --version\n"
    "\n"
    "Shows where a CPU's pipeline slots went: retiring, bad speculation, frontend\n"
    "bound, backend bound, and the levels below, each with its bounds or why it is\n"
    "absent.\n"
    "\n";

static const struct cli_entry commands[] = {
    {&cli_stat_command, cli_stat_main},
    {&cli_record_command, cli_record_main},
    {&cli_replay_command, cli_replay_main},
    {&cli_compare_command, cli_compare_main},
    {&cli_phases_command, cli_phases_main},
    {&cli_report_command, cli_report_main},
    {&cli_convert_command, cli_convert_main},
    {&cli_bench_command, cli_bench_main},
    {&cli_doctor_command, cli_doctor_main},
    {&cli_explain_command, cli_explain_main},
    {&cli_perf_command_command, cli_perf_command_main},
    {&cli_list_command, cli_list_main},
    {NULL, NULL},
};

/* If the caller closed one of these, no file may get its number: otherwise a report
 * could end up in a trace. Reading stdin and writing stdout or stderr still fail then, so that
 * a report for them is not lost without an exit code, and the command finds them closed, as the
 * caller wanted. Where /dev/null cannot be opened, the root folder can be neither read nor written as well.
 * False: nothing can be opened at all. */
static bool fill_standard_fds(void)
{
    static const int mode[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", mode[fd] | O_CLOEXEC) < 0 /* the lowest free one: fd */
            && open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0)
            return false;
    return true;
}

static void put_help(struct td_output *o)
{
    td_output_text(o, usage);
    for (const struct cli_entry *c = commands; c->table; c++)
        td_output_format(o, "  tdprobe %-13s %s\n", c->table->name, c->table->brief);
    td_output_text(o, "\n'tdprobe SUBCOMMAND --help' has its usual options, --help-all all of them.\n");
}

/* all: with the options of measuring. */
static int help(bool all)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    put_help(&o);
    if (all) {
        td_output_char(&o, '\n');
        cli_put_help(&o, &cli_stat_command, true);
    }
    return cli_stdout_end(&o);
}

static int no_words(void)
{
    struct td_output o;

    if (!cli_output_error(&o, td_output_open_live(&o, NULL, false, STDERR_FILENO))) {
        put_help(&o);
        td_output_close(&o, true);
    }
    return EXIT_USAGE;
}

static int version(void)
{
    char text[64];

    snprintf(text, sizeof(text), "tdprobe %s\n", td_version());
    return cli_help(text);
}

/* NULL: not found. */
static const struct cli_entry *find(const char *word)
{
    for (const struct cli_entry *c = commands; c->table; c++)
        if (!strcmp(word, c->table->name))
            return c;
    return NULL;
}

/* What a word that is no command may have been meant to be, or NULL. */
static const char *near_command(const char *word)
{
    struct cli_nearest near = cli_nearest(word);

    for (const struct cli_entry *c = commands; c->table; c++)
        cli_nearest_try(&near, c->table->name);
    return near.best;
}

/* Moves a subcommand that comes after options, "-j replay FILE", to the front. NULL: there is none. */
static const struct cli_entry *move_command(int argc, char **argv)
{
    const int at = cli_stat_command_at(argc, argv);
    const struct cli_entry *command = at > 1 && at < argc && strcmp(argv[at - 1], "--") ? find(argv[at]) : NULL;
    char *word;

    if (!command)
        return NULL;
    word = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof(*argv));
    argv[1] = word;
    return command;
}

/* Measures a command. */
static int measure(int argc, char **argv)
{
    const char *near = *argv[1] == '-' || cli_hint_is_program(argv[1]) ? NULL : near_command(argv[1]);

    if (!near)
        return cli_stat_main(argc, argv);
    cli_say("there is no program '%s' to measure; 'tdprobe %s' is the nearest of tdprobe's own commands", argv[1], near);
    return EXIT_NOT_FOUND;
}

/* Words for the shells' completion and for the check of the manuals, which no help names. -1: it is none of them. */
static int hidden(int argc, char **argv)
{
    const bool complete = !strcmp(argv[1], "__complete"), options = !strcmp(argv[1], "__options") && argc == 3;
    const struct cli_entry *of = options ? find(argv[2]) : NULL;
    struct td_output o;
    int code;

    if (!complete && !options)
        return -1;
    code = cli_stdout(&o);
    if (code)
        return code;
    if (complete)
        cli_complete(&o, commands, argc - 2, argv + 2);
    else
        cli_put_options(&o, of ? of->table : &cli_sampling_command);
    return cli_stdout_end(&o);
}

int main(int argc, char **argv)
{
    const struct cli_entry *command;
    int code;

    if (!fill_standard_fds())
        return EXIT_OUTPUT;
    cli_stack_watch();
    cli_signals_ignore_size();
    if (argc < 2)
        return no_words();
    command = *argv[1] == '-' ? move_command(argc, argv) : find(argv[1]);
    if (command) {
        cli_usage_of(command->table->name);
        return command->run(argc - 1, argv + 1);
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help(false);
    if (!strcmp(argv[1], "--help-all"))
        return help(true);
    if (!strcmp(argv[1], "--version"))
        return version();
    code = hidden(argc, argv);
    return code < 0 ? measure(argc, argv) : code;
}
