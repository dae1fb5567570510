/* SPDX-License-Identifier: MIT */
/* tdprobe: the first word selects the subcommand. */
#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/signals.h"
#include "cli/subcommands.h"
#include "cli/table/help.h"
#include "private/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* If the caller closed one of these, no file may get its number: otherwise a report
 * could end up in a trace. Reading stdin and writing stdout or stderr still fail then, so that
 * a report for them is not lost without an exit code, and the command finds them closed, as the
 * caller wanted. Where /dev/null cannot be opened, the root folder can be neither read nor written as well.
 * False: nothing can be opened at all. */
static bool fill_standard_fds(void)
{
    static const int mode[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", mode[fd] | O_CLOEXEC) < 0 /* the lowest free one: fd */
            && open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0)
            return false;
    return true;
}

/* Moves a subcommand that comes after options, "-j replay FILE", to the front. NULL: there is none. */
static const struct cli_entry *move_command(int argc, char **argv)
{
    const int at = cli_stat_command_at(argc, argv);
    const struct cli_entry *command =
        at > 1 && at < argc && strcmp(argv[at - 1], "--") ? cli_subcommand_find(argv[at]) : NULL;
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
    const int at = cli_stat_command_at(argc, argv);
    const char *near = *argv[1] == '-' || cli_hint_is_program(argv[1]) ? NULL : cli_subcommand_near(argv[1]);

    if (at < argc && cli_hint_recording(argv + at))
        return EXIT_USAGE;
    if (!near)
        return cli_stat_main(argc, argv);
    cli_say("there is no program '%s' to measure; 'tdprobe %s' is the nearest of tdprobe's own commands", argv[1],
            near);
    return EXIT_NOT_FOUND;
}

/* Words for the shells' completion and for the check of the manuals, which no help names. -1: it is none of them. */
static int hidden(int argc, char **argv)
{
    const bool complete = !strcmp(argv[1], "__complete"), options = !strcmp(argv[1], "__options") && argc == 3;
    const struct cli_entry *of = options ? cli_subcommand_find(argv[2]) : NULL;
    struct td_output o;
    int code;

    if (!complete && !options)
        return -1;
    code = cli_stdout(&o);
    if (code)
        return code;
    if (complete)
        cli_complete(&o, cli_subcommands, argc - 2, argv + 2);
    else
        cli_put_options(&o, of ? of->table : &cli_sampling_command);
    return cli_stdout_end(&o);
}

/* The program was given rights that its caller lacks, and has them still. */
static int rights_stay(int err)
{
    cli_say("rights that its caller lacks could not be given back: %s; use a copy of the program without them",
            strerror(-err));
    return EXIT_PERMISSION;
}

int main(int argc, char **argv)
{
    const struct cli_entry *command;
    int code, err;

    err = td_rights_give_back(true);
    if (!fill_standard_fds())
        return EXIT_OUTPUT;
    if (err)
        return rights_stay(err);
    cli_stack_watch();
    cli_signals_ignore_size();
    if (argc < 2)
        return cli_print_no_words();
    command = *argv[1] == '-' ? move_command(argc, argv) : cli_subcommand_find(argv[1]);
    if (command) {
        err = command->counts ? 0 : td_rights_give_back(false);
        if (err)
            return rights_stay(err);
        cli_usage_of(command->table->name);
        return command->run(argc - 1, argv + 1);
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return cli_print_about(false);
    if (!strcmp(argv[1], "--help-all"))
        return cli_print_about(true);
    if (!strcmp(argv[1], "--version"))
        return cli_print_version();
    code = hidden(argc, argv);
    return code < 0 ? measure(argc, argv) : code;
}
