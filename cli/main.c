/* SPDX-License-Identifier: MIT */
/* tdprobe: the first word selects the subcommand. */
#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/nearest.h"
#include "cli/signals.h"
#include "cli/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const char help[] =
    "usage: tdprobe [stat] [options] [--] command...\n"
    "       tdprobe [stat] --backend=auto | -a | -C LIST | -p LIST | -t LIST [options]\n"
    "                                         where the pipeline slots go, live\n"
    "       tdprobe record [options] -o FILE|- [--] command...   the same, and a trace of it\n"
    "       tdprobe record --functions [options] [--] command...   samples for 'tdprobe report'\n"
    "       tdprobe replay [options] FILE|FOLDER|- ...   recorded counters to top-down metrics\n"
    "       tdprobe compare [options] A B [C...]   what differs between recordings, and is it real\n"
    "       tdprobe phases [options] FILE|FOLDER   where a recording changes, and each part of it\n"
    "       tdprobe report [options] FILE|-   where in the code the slots went, by samples\n"
    "       tdprobe convert [options] FILE|FOLDER|-  recorded counters to a tdprobe trace\n"
    "       tdprobe bench -C CPU [options] [--] command...   events of many runs, by registers\n"
    "       tdprobe doctor [--json]           whether this machine can be measured\n"
    "       tdprobe explain [NODE] [--uarch NAME]   what a node means, what to try, what to sample\n"
    "       tdprobe perf-command --uarch NAME [options] [--] [command...]   what to record with perf\n"
    "       tdprobe list [backends|uarchs|events|metrics|formats]   what tdprobe knows\n"
    "       tdprobe --help | --version\n"
    "\n"
    "tdprobe shows where a CPU's pipeline slots went: retiring, bad speculation,\n"
    "frontend bound, backend bound, and the level below, each with its bounds or with\n"
    "the reason why it is absent. 'tdprobe --help' and 'tdprobe replay --help' list\n"
    "the options.\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"stat", cli_stat_main}, {"record", cli_record_main}, {"replay", cli_replay_main}, {"convert", cli_convert_main},
              {"compare", cli_compare_main}, {"phases", cli_phases_main}, {"report", cli_report_main},
              {"list", cli_list_main}, {"doctor", cli_doctor_main}, {"bench", cli_bench_main}, {"explain", cli_explain_main},
              {"perf-command", cli_perf_command_main}};

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

/* Prints all help: main()'s and that of measuring. */
static int help_all(void)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    td_output_text(&o, help);
    td_output_char(&o, '\n');
    td_output_text(&o, cli_stat_options_help);
    return cli_stdout_end(&o);
}

static int version(void)
{
    char text[64];

    snprintf(text, sizeof(text), "tdprobe %s\n", td_version());
    return cli_help(text);
}

/* -1: not found. */
static int find(const char *word)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        if (!strcmp(word, commands[i].name))
            return (int)i;
    return -1;
}

/* What a word that is no command may have been meant to be, or NULL. */
static const char *near_command(const char *word)
{
    struct cli_nearest near = cli_nearest(word);

    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        cli_nearest_try(&near, commands[i].name);
    return near.best;
}

/* Moves a subcommand that comes after options, "-j replay FILE", to the front. -1: there is none. */
static int move_command(int argc, char **argv)
{
    const int at = cli_stat_command_at(argc, argv), command = at > 1 && at < argc && strcmp(argv[at - 1], "--") ? find(argv[at]) : -1;
    char *word;

    if (command < 0)
        return -1;
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

int main(int argc, char **argv)
{
    int command;

    if (!fill_standard_fds())
        return EXIT_OUTPUT;
    cli_stack_watch();
    cli_signals_ignore_size();
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    command = *argv[1] == '-' ? move_command(argc, argv) : find(argv[1]);
    if (command >= 0) {
        cli_usage_of(commands[command].name);
        return commands[command].run(argc - 1, argv + 1);
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help_all();
    if (!strcmp(argv[1], "--version"))
        return version();
    return measure(argc, argv);
}
