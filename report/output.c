/* SPDX-License-Identifier: MIT */
/* Where a report goes: one buffer, and one place that detects what could not be written. */
#include "report/output.h"

#include "report/kept.h"
#include "report/own_links.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the buffer ------------------------------------------------------------- */

static int write_fd(int fd, const char *at, size_t n)
{
    while (n) {
        ssize_t done = write(fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done ? -errno : -EIO;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

int td_output_flush(struct td_output *o)
{
    if (o->n && !o->error)
        o->error = o->write ? o->write(o->ctx, o->buffer, o->n) : write_fd(o->fd, o->buffer, o->n);
    o->n = 0;
    return o->error;
}

int td_output_again(struct td_output *o, uint64_t at, const void *bytes, size_t n)
{
    const char *from = bytes;

    td_output_flush(o);
    while (n && !o->error) {
        const ssize_t done = pwrite(o->fd, from, n, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            o->error = done ? -errno : -EIO;
            break;
        }
        from += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return o->error;
}

void td_output_long(struct td_output *o, const char *bytes, size_t n)
{
    while (n) {
        const size_t room = TD_OUTPUT_BUFFER - o->n, now = n < room ? n : room;

        memcpy(o->buffer + o->n, bytes, now);
        o->n += now;
        bytes += now;
        n -= now;
        if (n)
            td_output_flush(o);
    }
}

int td_output_write(void *output, const void *bytes, size_t n)
{
    struct td_output *o = output;

    td_output_bytes(o, bytes, n);
    return o->error;
}

void td_output_format(struct td_output *o, const char *format, ...)
{
    char *at = td_output_room(o, TD_OUTPUT_ROOM);
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(at, TD_OUTPUT_ROOM, format, args);
    va_end(args);
    if (n > 0)
        td_output_take(o, at + (n < TD_OUTPUT_ROOM ? n : TD_OUTPUT_ROOM - 1));
}

/* ---- opening ---------------------------------------------------------------- */

static int begin(struct td_output *o, const char *path, const char *name, int fd)
{
    *o = (struct td_output){.fd = fd, .path = path, .buffer = malloc(TD_OUTPUT_BUFFER)};
    snprintf(o->name, sizeof(o->name), "%s", name);
    return o->buffer ? 0 : -ENOMEM;
}

/* Gives up when nothing could be opened. */
static int give_up(struct td_output *o, int err)
{
    free(o->buffer);
    o->buffer = NULL;
    return err;
}

/* Opens what is no regular file, or is a link to one. The content goes when it is clear that nobody else writes it. */
static int open_in_place(const char *path)
{
    const int fd = td_own_links_open(path, O_CREAT);
    struct stat st;
    int err;

    if (fd < 0)
        return fd;
    err = td_kept_lock(fd, false);
    if (!err && !fstat(fd, &st) && S_ISREG(st.st_mode) && ftruncate(fd, 0))
        err = -errno;
    if (!err)
        return fd;
    close(fd);
    return err;
}

int td_output_open(struct td_output *o, const char *path)
{
    struct stat st;
    int err = begin(o, path, "stdout", STDOUT_FILENO);

    if (err)
        return err;
    o->terminal = !path && isatty(STDOUT_FILENO);
    if (path && (lstat(path, &st) || S_ISREG(st.st_mode))) {
        o->fd = err = td_temporary_open(&o->temporary, path);
    } else if (path) {
        o->fd = err = open_in_place(path);
    }
    return err < 0 ? give_up(o, err) : 0;
}

static int open_or_create(const char *path, int flags, bool *created)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0666);

    *created = fd >= 0;
    if (fd < 0)
        fd = errno == EEXIST ? td_own_links_open(path, O_CREAT | flags) : -errno;
    return fd;
}

/* Opens and locks a file. */
static int open_alone(const char *path, int flags, bool *created)
{
    const int fd = open_or_create(path, flags, created), err = fd < 0 ? fd : td_kept_lock(fd, flags & O_APPEND);

    if (fd < 0 || !err)
        return fd;
    *created = false;
    close(fd);
    return err;
}

/* This excludes processes that write a new file beside path, to replace it at the end, and they exclude it. Where
 * nothing can be created beside path, as in a folder that may not be written, there are none. */
int td_output_open_kept(const char *path, int flags, bool *created)
{
    struct stat st;
    sigset_t all, before;
    char *beside;
    int gate, fd;

    *created = false;
    if (!lstat(path, &st) && !S_ISREG(st.st_mode))
        return open_alone(path, flags, created);
    if (asprintf(&beside, "%s" TD_KEPT_ENDING, path) < 0)
        return -ENOMEM;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    gate = td_kept_begin(beside);
    fd = gate == -EALREADY || gate == -EEXIST ? gate : open_alone(path, flags, created);
    if (gate >= 0) {
        unlink(beside);
        close(gate);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(beside);
    return fd;
}

void td_output_drop_empty(const char *path, int fd)
{
    struct stat st, now;

    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size && !lstat(path, &now) && st.st_dev == now.st_dev &&
        st.st_ino == now.st_ino)
        unlink(path);
}

/* Not a file that gets its name when it is complete: a live report is followed
 * while it grows, and must exist up to the point of a crash. */
int td_output_open_live(struct td_output *o, const char *path, bool append, int fd)
{
    char name[32];
    int err;

    snprintf(name, sizeof(name),
             fd == STDERR_FILENO   ? "stderr"
             : fd == STDOUT_FILENO ? "stdout"
                                   : "file descriptor %d",
             fd);
    err = begin(o, path, name, -1);
    if (err)
        return err;
    if (path)
        o->fd = td_output_open_kept(path, append ? O_APPEND : 0, &o->created);
    else if ((o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3)) < 0)
        o->fd = -errno;
    if (o->fd < 0)
        return give_up(o, o->fd);
    if ((fcntl(o->fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
        close(o->fd);
        return give_up(o, -EBADF);
    }
    o->terminal = !path && isatty(o->fd);
    o->appended = append && lseek(o->fd, 0, SEEK_END) > 0;
    return 0;
}

int td_output_open_fn(struct td_output *o, td_output_fn *write, void *ctx)
{
    int err = begin(o, NULL, "", -1);

    o->write = write;
    o->ctx = ctx;
    return err;
}

/* ---- beginning and end ------------------------------------------------------- */

/* The last byte of a file; '\n' if it cannot be read. */
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

int td_output_start(struct td_output *o)
{
    struct stat st;

    o->created = false; /* from now on the file stays */
    if (o->path && o->appended && last_byte(o->path) != '\n')
        td_output_char(o, '\n');
    /* O_TRUNC would also have emptied it for a measurement that never began */
    if (!o->path || o->appended || fstat(o->fd, &st) || !S_ISREG(st.st_mode) || !ftruncate(o->fd, 0))
        return 0;
    return -errno;
}

int td_output_close(struct td_output *o, bool ok)
{
    int err = td_output_flush(o);

    if (o->created)
        td_output_drop_empty(o->path, o->fd);
    if (o->temporary.name) {
        const int closed = td_temporary_close(&o->temporary, o->fd, ok && !err);

        err = err ? err : closed;
    } else if (o->fd > STDERR_FILENO && close(o->fd) && !err) {
        err = -errno;
    }
    return give_up(o, err);
}

const char *td_output_name(const struct td_output *o)
{
    return o->path ? o->path : o->name;
}
