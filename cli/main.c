/* SPDX-License-Identifier: MIT */
/* tdprobe: the first word decides what it does. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tdprobe replay [options] FILE|-   recorded counters to top-down metrics\n"
    "       tdprobe list [backends|uarchs|events|metrics]   what is known\n"
    "       tdprobe --help | --version\n"
    "\n"
    "tdprobe says where a CPU's pipeline slots went: retiring, bad speculation,\n"
    "frontend bound, backend bound, and the level below, each with its bounds or with\n"
    "the reason why it is absent. 'tdprobe replay --help' lists the options.\n"
    "\n"
    "Exit codes: 0; 64 wrong usage; 65 bad input; 69 this CPU or backend cannot answer;\n"
    "70 a bug; 74 the output could not be written; 77 no permission.\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"replay", cli_replay}, {"list", cli_list}};

static void say(const char *format, va_list args, const char *end)
{
    char text[2048];

    vsnprintf(text, sizeof(text), format, args);
    fprintf(stderr, "tdprobe: %s%s\n", cli_printable(text), end);
}

void cli_say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args, "");
    va_end(args);
}

int cli_usage(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(format, args, "; see 'tdprobe --help'");
    va_end(args);
    return EXIT_USAGE;
}

int cli_exit_code(int err)
{
    switch (err) {
    case 0:
        return 0;
    case -EINVAL:
        return EXIT_USAGE;
    case -EOPNOTSUPP:
        return EXIT_UNABLE;
    case -EACCES:
    case -EPERM:
        return EXIT_PERMISSION;
    case -ENOMEM:
        return EXIT_BUG;
    default:
        return EXIT_INPUT;
    }
}

/* Everything that is no subcommand will be a command to measure. */
static int measure(const char *word)
{
    cli_say("cannot measure '%s': this version reads recordings only. Record with "
            "'perf stat -x, -o FILE -e ... -- %s' and run 'tdprobe replay FILE'", word, word);
    return EXIT_UNABLE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(help, stdout);
        return fflush(stdout) ? EXIT_OUTPUT : 0;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("tdprobe %s\n", td_version());
        return fflush(stdout) ? EXIT_OUTPUT : 0;
    }
    if (!strcmp(argv[1], "--"))
        return argc > 2 ? measure(argv[2]) : cli_usage("no command behind --");
    if (*argv[1] == '-')
        return cli_usage("measuring (%s) is not in this version, which reads recordings: 'tdprobe replay FILE'", argv[1]);
    return measure(argv[1]);
}
