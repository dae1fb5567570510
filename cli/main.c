/* SPDX-License-Identifier: MIT */
/* tdprobe: the first word decides what it does. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: tdprobe [stat] [options] [--] command...\n"
    "       tdprobe [stat] --backend=auto | -a | -C LIST | -p LIST | -t LIST [options]\n"
    "                                         where the pipeline slots go, live\n"
    "       tdprobe record [options] -o FILE|- [--] command...   the same, and a trace of it\n"
    "       tdprobe replay [options] FILE|FOLDER|-   recorded counters to top-down metrics\n"
    "       tdprobe convert [options] FILE|FOLDER|-  recorded counters to a tdprobe trace\n"
    "       tdprobe bench -C CPU [options] [--] command...   events of many runs, by registers\n"
    "       tdprobe doctor [--json]           whether this machine can be measured\n"
    "       tdprobe list [backends|uarchs|events|metrics|formats]   what is known\n"
    "       tdprobe --help | --version\n"
    "\n"
    "tdprobe says where a CPU's pipeline slots went: retiring, bad speculation,\n"
    "frontend bound, backend bound, and the level below, each with its bounds or with\n"
    "the reason why it is absent. 'tdprobe --help' and 'tdprobe replay --help' list\n"
    "the options.\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"stat", cli_stat}, {"record", cli_record}, {"replay", cli_replay}, {"convert", cli_convert}, {"list", cli_list},
              {"doctor", cli_doctor}, {"bench", cli_bench}};

static void say(const char *format, va_list args, const char *end)
{
    char text[2048];

    vsnprintf(text, sizeof(text), format, args);
    cli_input_erase();
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

static int stdout_failed(void)
{
    cli_say("stdout cannot be written: %s", strerror(errno ? errno : EIO));
    return EXIT_OUTPUT;
}

int cli_flush(void)
{
    errno = 0;
    return !fflush(stdout) && !ferror(stdout) ? 0 : stdout_failed();
}

int cli_help(const char *text)
{
    errno = 0; /* what is longer than the buffer fails here */
    return fputs(text, stdout) < 0 ? stdout_failed() : cli_flush();
}

int cli_exit_code(int err)
{
    switch (err) {
    case 0:
        return 0;
    case -EINVAL:
    case -ESRCH: /* no such task was asked for */
        return EXIT_USAGE;
    case -EOPNOTSUPP:
    case -ENODEV:
    case -EBUSY:
    case -ENOSPC:
    case -EMFILE:
    case -ENFILE:
    case -EILSEQ:
        return EXIT_UNABLE;
    case -EACCES:
    case -EPERM:
        return EXIT_PERMISSION;
    case -ENOMEM:
    case -ENOTRECOVERABLE:
        return EXIT_BUG;
    default:
        return EXIT_INPUT;
    }
}

/* Where the caller closed one of these, no file may take its number: a report
 * would get into a trace. Reading stdin and writing stdout still fail then, messages
 * vanish, and the command finds them closed, as the caller wanted it. */
static void fill_standard_fds(void)
{
    static const int mode[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", mode[fd] | O_CLOEXEC); /* the lowest that is free: fd */
}

int main(int argc, char **argv)
{
    fill_standard_fds();
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(help, stdout);
        putchar('\n');
        return cli_help(cli_live_options_help);
    }
    if (!strcmp(argv[1], "--version")) {
        printf("tdprobe %s\n", td_version());
        return cli_flush();
    }
    return cli_stat(argc, argv);
}
