/* SPDX-License-Identifier: MIT */
/* Where a report goes, and what all formats say of a metric. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(const struct cli_out *o)
{
    int err = errno; /* which saying so may change */

    cli_say("%s cannot be written: %s", o->path ? o->path : o->name, strerror(err));
    return err == EACCES || err == EPERM ? EXIT_PERMISSION : EXIT_OUTPUT;
}

/* A file of its own beside path, with the rights that path would get. */
static int open_temporary(struct cli_out *o)
{
    size_t size = strlen(o->path) + sizeof(".XXXXXX");
    mode_t mask = umask(0);
    int fd, code;

    umask(mask);
    o->temporary = malloc(size);
    if (!o->temporary)
        return cannot_write(o);
    snprintf(o->temporary, size, "%s.XXXXXX", o->path);
    fd = mkstemp(o->temporary);
    if (fd < 0) {
        free(o->temporary);
        o->temporary = NULL;
        return cannot_write(o);
    }
    o->file = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
    if (o->file)
        return 0;
    code = cannot_write(o);
    close(fd);
    unlink(o->temporary);
    free(o->temporary);
    o->temporary = NULL;
    return code;
}

int cli_out_open(struct cli_out *o, const char *path)
{
    struct stat st;
    int code = 0;

    o->path = path;
    strcpy(o->name, "stdout");
    o->temporary = NULL;
    o->file = stdout;
    o->bars = !path && isatty(STDOUT_FILENO);
    /* what is there and is no plain file (/dev/null, a pipe) is written in place */
    if (path && (lstat(path, &st) || S_ISREG(st.st_mode)))
        code = open_temporary(o);
    else if (path && !(o->file = fopen(path, "w")))
        code = cannot_write(o);
    if (!code && !o->bars)
        setvbuf(o->file, NULL, _IOFBF, 64 * 1024); /* unless a person waits for each interval */
    return code;
}

int cli_open_kept(const char *path, int flags, bool *created)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0666);

    *created = fd >= 0;
    return fd >= 0 || errno != EEXIST ? fd : open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
}

void cli_drop_empty(const char *path, int fd)
{
    struct stat st, now;

    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size && !lstat(path, &now) && st.st_dev == now.st_dev && st.st_ino == now.st_ino)
        unlink(path);
}

/* Not the file that takes its name when it is whole: a live report is followed
 * while it grows, and what it says up to a crash is what one wants to see. */
int cli_out_open_live(struct cli_out *o, const char *path, bool append, int fd)
{
    int own, flags;

    o->path = path;
    o->created = false;
    snprintf(o->name, sizeof(o->name), fd == STDERR_FILENO ? "stderr" : fd == STDOUT_FILENO ? "stdout" : "file descriptor %d", fd);
    own = path ? cli_open_kept(path, append ? O_APPEND : 0, &o->created) : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    flags = own < 0 ? 0 : fcntl(own, F_GETFL);
    if (own >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        errno = EBADF;
    else
        o->file = own < 0 ? NULL : fdopen(own, append ? "a" : "w");
    if (!o->file) {
        int code = cannot_write(o);

        if (own >= 0)
            close(own);
        return code;
    }
    o->bars = !path && isatty(own);
    o->appended = append && lseek(own, 0, SEEK_END) > 0;
    setvbuf(o->file, NULL, _IOFBF, 64 * 1024); /* an interval is one write(2) */
    return 0;
}

/* The last byte of a file, '\n' where it cannot be told. */
static char last_byte(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char last = '\n';
    struct stat st;

    if (fd < 0)
        return last;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size || pread(fd, &last, 1, st.st_size - 1) != 1)
        last = '\n';
    close(fd);
    return last;
}

int cli_out_start(struct cli_out *o)
{
    struct stat st;
    int fd = fileno(o->file);

    o->created = false; /* from now on it stays */
    if (o->path && o->appended && last_byte(o->path) != '\n')
        fputc('\n', o->file);
    /* O_TRUNC would have emptied it for a measurement that never began */
    if (!o->path || o->appended || fstat(fd, &st) || !S_ISREG(st.st_mode) || !ftruncate(fd, 0))
        return 0;
    return cannot_write(o);
}

int cli_out_flush(struct cli_out *o)
{
    errno = 0;
    if (!fflush(o->file) && !ferror(o->file))
        return 0;
    return errno ? -errno : -EIO;
}

int cli_out_close(struct cli_out *o, bool ok)
{
    int code = 0, err = cli_out_flush(o);

    if (err) {
        errno = -err;
        code = cannot_write(o);
    }
    if (o->file == stdout)
        return code;
    if (o->created)
        cli_drop_empty(o->path, fileno(o->file));
    if (fclose(o->file) && !code)
        code = cannot_write(o);
    o->file = NULL;
    if (o->temporary && (!ok || code))
        unlink(o->temporary);
    else if (o->temporary && rename(o->temporary, o->path))
        code = cannot_write(o);
    free(o->temporary);
    return code;
}

char *cli_printable(char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    return text;
}

const char *cli_status(const struct td_metric *m, char buf[CLI_STATUS])
{
    if (m->status != TD_MISSING_EVENT || !m->event)
        return td_status_name(m->status);
    snprintf(buf, CLI_STATUS, "%s:%s", td_status_name(m->status), m->event);
    return buf;
}

const unsigned cli_result_flags = TD_FLAG_REVISION_ASSUMED | TD_FLAG_SMT_UNKNOWN | TD_FLAG_ONE_SIBLING | TD_FLAG_WIDTH_ASSUMED;

void cli_each_flag_of(const struct td_result *r, unsigned flags, unsigned corrections, cli_flag_fn *each, void *ctx)
{
    const char *event;

    flags &= ~(unsigned)TD_FLAG_CORRECTION_MISSING;
    for (; flags; flags &= flags - 1) /* the lowest bit each time */
        each(ctx, td_flag_name(flags & -flags), NULL);
    for (size_t i = 0; corrections && (event = td_result_correction(r, i)); i++)
        if (corrections >> i & 1)
            each(ctx, td_flag_name(TD_FLAG_CORRECTION_MISSING), event);
}

void cli_each_flag(const struct td_result *r, const struct td_metric *m, cli_flag_fn *each, void *ctx)
{
    if (m)
        cli_each_flag_of(r, m->flags | (td_result_flags(r) & cli_result_flags), m->corrections, each, ctx);
    else
        cli_each_flag_of(r, td_result_flags(r), ~0u, each, ctx);
}
