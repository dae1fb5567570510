/* SPDX-License-Identifier: MIT */
/* The report of tdprobe stat and tdprobe record, and the errors in it. */
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

int cli_report_open(struct cli_live *l)
{
    const char *path = l->record ? NULL : l->set.output;
    int fd = l->log_fd < 0 ? STDERR_FILENO : l->log_fd, flags = fcntl(fd, F_GETFL);

    if (path && !strcmp(path, "-")) {
        path = NULL;
        fd = STDOUT_FILENO;
    }
    if (l->log_fd >= 0 && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY))
        return cli_usage("--log-fd: file descriptor %d is not open for writing", fd);
    return cli_out_open_live(&l->set.out, path, l->append, fd);
}

void cli_report_begin(struct cli_live *l)
{
    if (l->started)
        return;
    l->started = true;
    if (cli_out_start(&l->set.out)) { /* says why */
        l->broken = true;
        l->errors++;
        l->code = EXIT_OUTPUT;
    }
    l->set.format->begin(&l->set.out);
}

void cli_live_fail(struct cli_live *l, int code, const char *format, ...)
{
    struct cli_settings *s = &l->set;
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (s->out.file)
        fflush(s->out.file); /* what was before stands before */
    cli_say("%s", text);
    l->errors++;
    if (!l->code)
        l->code = code;
    if (!s->out.file || !s->format->error || l->broken)
        return;
    if (!l->started && s->out.path)
        return; /* nothing was measured: what the file holds stays */
    cli_report_begin(l);
    s->format->error(&s->out, code, text);
    fflush(s->out.file);
}

void cli_live_fail_td(struct cli_live *l, int err)
{
    cli_live_fail(l, cli_exit_code(err), "%s%s", td_error(l->set.td), cli_next_step(l->set.td, err));
}

void cli_live_flush(struct cli_live *l)
{
    const struct cli_settings *s = &l->set;
    int err = l->broken ? 0 : cli_out_flush(&l->set.out);

    if (!err)
        return;
    l->broken = true;
    cli_live_fail(l, EXIT_OUTPUT, "%s cannot be written: %s", s->out.path ? s->out.path : s->out.name, strerror(-err));
}

int cli_report_end(struct cli_live *l)
{
    struct cli_settings *s = &l->set;
    struct cli_end what = {.elapsed = l->elapsed, .runs = l->ran ? l->runs : 0, .signal = l->signal, .errors = l->errors};

    what.code = l->ran ? l->status : l->code;
    what.command = l->ran || what.code == EXIT_NOT_STARTED || what.code == EXIT_NOT_FOUND;
    if (l->started && s->format->end && (l->takes || s->format->error))
        s->format->end(&s->out, &what);
    cli_live_flush(l);
    if (l->broken)
        fclose(s->out.file); /* it was said */
    else if (cli_out_close(&s->out, true) && !l->code)
        l->code = EXIT_OUTPUT;
    return l->ran ? l->status : l->code;
}
