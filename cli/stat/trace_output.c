/* SPDX-License-Identifier: MIT */
/* The trace that tdprobe record writes. */
#include "cli/stat/stat.h"

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/shell.h"
#include "report/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void failed(struct cli_stat *l, int err)
{
    cli_stat_fail(l, cli_output_code(-err), "%s cannot be written: %s", l->trace.to_stdout ? "stdout" : l->set.output,
                  cli_output_why(l->set.output, -err));
}

/* Writes at once: after a kill -9 the file has all that was read. */
static int write_all(struct cli_trace *t, const char *at, size_t size)
{
    while (size && !t->error) {
        ssize_t n = write(t->fd, at, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            t->error = n ? errno : EIO;
        else
            at += n, size -= (size_t)n;
    }
    return -t->error;
}

/* Holds the trace until the command runs: a file must not lose its content for a command that cannot. */
static int hold(struct cli_trace *t, const void *buf, size_t size)
{
    char *grown = realloc(t->held, t->nheld + size);

    if (!grown)
        return -ENOMEM;
    memcpy(grown + t->nheld, buf, size);
    t->held = grown;
    t->nheld += size;
    return 0;
}

static int write_or_hold(struct cli_trace *t, const void *buf, size_t size)
{
    return t->begun ? write_all(t, buf, size) : hold(t, buf, size);
}

/* Writes the first line of the header, and in a job the rank after it, which the library does not know. Returns how
 * much of buf that was, or -errno. */
static ssize_t write_first_line(struct cli_trace *t, const char *buf, size_t size)
{
    const char *rank = cli_job_rank(), *ranks = cli_job_ranks(), *end = memchr(buf, '\n', size);
    const size_t first = end ? (size_t)(end + 1 - buf) : size;
    char line[sizeof("# " CLI_JOB_KEY ":  of \n") + 2 * (size_t)CLI_JOB_DIGITS];
    int err = write_or_hold(t, buf, first);

    if (!err && rank) {
        snprintf(line, sizeof(line), "# " CLI_JOB_KEY ": %s%s%s\n", rank, ranks ? " of " : "", ranks ? ranks : "");
        err = write_or_hold(t, line, strlen(line));
    }
    return err ? err : (ssize_t)first;
}

static int write_trace(void *ctx, const void *buf, size_t size)
{
    struct cli_trace *t = &((struct cli_stat *)ctx)->trace;
    const ssize_t first = t->headed ? 0 : write_first_line(t, buf, size);

    t->headed = true;
    return first < 0 ? (int)first : write_or_hold(t, (const char *)buf + first, size - (size_t)first);
}

/* -EBADF if it was closed: main()'s placeholder cannot be written to. */
static int writable(int fd)
{
    return (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY ? -EBADF : fd;
}

void cli_trace_open(struct cli_stat *l)
{
    struct cli_trace *t = &l->trace;
    char *command = l->command.words ? cli_shell_plain(l->command.words) : NULL;
    int err;

    t->to_stdout = !strcmp(l->set.output, "-");
    if (!l->baseline.folder)
        t->fd = t->to_stdout ? writable(STDOUT_FILENO) : td_output_open_kept(l->set.output, 0, &t->created);
    if (t->fd < 0) {
        failed(l, -t->fd);
    } else {
        err = td_set_record(l->set.td, command, write_trace, l);
        if (err)
            cli_stat_fail_td(l, err);
    }
    free(command);
}

void cli_trace_begin(struct cli_stat *l)
{
    struct cli_trace *t = &l->trace;

    if (t->fd < 0 || t->begun)
        return;
    t->begun = true;
    t->created = false; /* from now on the file stays */
    if (!t->to_stdout && ftruncate(t->fd, 0) && errno != EINVAL) /* a pipe */
        t->error = errno;
    write_all(t, t->held, t->nheld);
    if (t->error)
        cli_trace_failed(l);
}

void cli_trace_failed(struct cli_stat *l)
{
    failed(l, l->trace.error);
}

/* What was recorded is on the disk, or that is an error. */
static void end_file(struct cli_stat *l, struct cli_trace *t)
{
    struct stat st;
    const bool kept = t->begun && !fstat(t->fd, &st) && S_ISREG(st.st_mode);
    int err = kept ? td_kept_sync(t->fd) : 0;

    if (close(t->fd) && !err)
        err = -errno;
    if (kept && !err) /* now that a descriptor is free for it */
        err = td_kept_sync_folder(td_kept_folder(l->set.output));
    if (err && !t->error)
        failed(l, -err);
}

void cli_trace_close(struct cli_stat *l)
{
    struct cli_trace *t = &l->trace;

    if (t->created)
        td_output_drop_empty(l->set.output, t->fd);
    free(t->held);
    t->held = NULL;
    if (l->baseline.open)
        return; /* it is closed when it is known how all ended */
    if (t->fd < 0)
        return;
    if (!t->to_stdout)
        end_file(l, t);
    t->fd = -1;
}
