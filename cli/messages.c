/* SPDX-License-Identifier: MIT */
/* Messages on stderr, and the exit codes that go with them. */
#include "cli/cli.h"

#include "cli/input.h"
#include "private/result.h"
#include "report/kept.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* NULL: stderr. */
static td_output_fn *say_write;
static void *say_ctx;
static bool say_nothing;

static const char *command = ""; /* whose help cli_usage() names */

void cli_usage_of(const char *name)
{
    command = name;
}

void cli_say_through(td_output_fn *write, void *ctx)
{
    say_write = write;
    say_ctx = ctx;
}

void cli_say_nothing(bool nothing)
{
    say_nothing = nothing;
}

static void say(const char *format, va_list args, const char *end)
{
    char text[2048], line[sizeof(text) + 64];
    int n;

    vsnprintf(text, sizeof(text), format, args);
    n = snprintf(line, sizeof(line), "tdprobe: %s%s\n", td_printable(text, sizeof(text)), end);
    cli_line_erase();
    if (say_write)
        say_write(say_ctx, line, (size_t)n);
    else if (!say_nothing)
        fputs(line, stderr);
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
    char end[64];
    va_list args;

    snprintf(end, sizeof(end), "; see 'tdprobe %s%s--help'", command, *command ? " " : "");
    va_start(args, format);
    say(format, args, end);
    va_end(args);
    return EXIT_USAGE;
}

int cli_library_error(const struct td *td, int err)
{
    cli_say("%s", td_error(td));
    return cli_exit_code(err);
}

int cli_output_code(int err)
{
    return err == -EACCES || err == -EPERM ? EXIT_PERMISSION : EXIT_OUTPUT;
}

const char *cli_output_why(const char *name, int err)
{
    static char why[1024];
    const pid_t by = err == -EALREADY ? td_kept_by(name) : 0;

    if (err == -EEXIST)
        snprintf(
            why, sizeof(why),
            "%s%s is there, and whether another process is writing it cannot be told; if none is, remove that file",
            name, TD_KEPT_ENDING);
    else if (err == -ELOOP)
        snprintf(why, sizeof(why),
                 "it is a link that belongs to another user, or leads in a circle; name the file itself");
    else if (err == -EOWNERDEAD)
        snprintf(why, sizeof(why), "the process of tdprobe's own that names it was killed; try again");
    else if (by > 0)
        snprintf(why, sizeof(why), "process %ld is writing it: wait until it has ended, or name another file",
                 (long)by);
    else
        snprintf(why, sizeof(why), "%s",
                 err == -EALREADY ? "another process is writing it: wait until it has ended, or name another file"
                                  : strerror(-err));
    return why;
}

int cli_output_error(const struct td_output *o, int err)
{
    if (!err)
        return 0;
    cli_say("%s cannot be written: %s", td_output_name(o), cli_output_why(td_output_name(o), err));
    return cli_output_code(err);
}

const char *cli_next_step(const struct td *td, int err)
{
    if (err != -EOPNOTSUPP || *td_machine_name(td))
        return "";
    return "; 'tdprobe doctor' explains more";
}

int cli_exit_code(int err)
{
    switch (err) {
    case 0: return 0;
    case -EINVAL:
    case -ESRCH: /* no such task */ return EXIT_USAGE;
    case -EOPNOTSUPP:
    case -ENODEV:
    case -EBUSY:
    case -ENOSPC:
    case -EMFILE:
    case -ENFILE:
    case -EILSEQ: return EXIT_UNABLE;
    case -EACCES:
    case -EPERM: return EXIT_PERMISSION;
    case -ENOMEM:
    case -ENOTRECOVERABLE: return EXIT_BUG;
    default: return EXIT_INPUT;
    }
}

int cli_stdout(struct td_output *o)
{
    return cli_output_error(o, td_output_open(o, NULL));
}

int cli_stdout_end(struct td_output *o)
{
    return cli_output_error(o, td_output_close(o, true));
}

int cli_help(const char *text)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    td_output_text(&o, text);
    return cli_stdout_end(&o);
}

int cli_without_gsl(void)
{
    cli_say("this tdprobe was built without GSL, the GNU Scientific Library, which this needs: "
            "install libgsl-dev (or run ./autogen.sh --install-deps), then ./configure && make");
    return EXIT_UNABLE;
}

int cli_no_memory(void)
{
    cli_say("out of memory");
    return EXIT_BUG;
}
