/* SPDX-License-Identifier: MIT */
/* td_open_file(): a recording by its path. */
#include "include/tdprobe.h"

#include "session/open_file.h"
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static ssize_t read_more(const struct td_file *f, void *buf, size_t size)
{
    ssize_t n;

    do
        n = td_os_linux.read(td_os_linux.ctx, f->fd, buf, size);
    while (n == -EINTR);
    return n;
}

/* A td_read_fn, which reads the file. */
static ssize_t file_read(void *ctx, void *buf, size_t size)
{
    struct td_file *f = ctx;
    const size_t left = f->nhead - f->given, n = left < size ? left : size;

    if (!left)
        return read_more(f, buf, size);
    memcpy(buf, f->head + f->given, n);
    f->given += n;
    return (ssize_t)n;
}

/* A td_seek_fn, which seeks in the file. */
static int file_seek(void *ctx, uint64_t offset)
{
    struct td_file *f = ctx;

    f->given = f->nhead;
    return td_os_linux.seek(td_os_linux.ctx, f->fd, offset);
}

/* A failure occurs again when more is read. */
static void read_head(struct td_file *f)
{
    ssize_t n;

    do {
        n = read_more(f, f->head + f->nhead, sizeof(f->head) - f->nhead);
        f->nhead += n > 0 ? (size_t)n : 0;
    } while (n > 0 && f->nhead < sizeof(f->head));
}

static int look_into(struct td *td, const char *path)
{
    struct td_file *f = td->file;
    const char *name, *unpack = NULL;

    f->fd = td_os_linux.open(td_os_linux.ctx, path);
    if (f->fd < 0)
        return td_log_fail(&td->log, f->fd, "%s cannot be opened: %s", path, strerror(-f->fd));
    read_head(f);
    name = td_packed_by(f->head, f->nhead, &unpack);
    if (name && !td_packed_readable(name))
        return td_log_fail(&td->log, -EBADMSG, "%s is compressed by %s: decompress it first: %s PATH > FILE", path,
                           name, unpack);
    if (!td_os_linux.seek(td_os_linux.ctx, f->fd, f->nhead)) /* no FIFO */
        td->seek = file_seek;
    return 0;
}

int td_open_file(struct td *td, const char *path)
{
    int err;

    if (td->opened || td->file)
        return td_session_too_late(td);
    td->seek = NULL; /* that of td_set_seek() belongs to another function that reads */
    td->file = calloc(1, sizeof(*td->file));
    if (!td->file)
        return td_log_no_memory(&td->log);
    err = look_into(td, path);
    if (!err)
        return td_open(td, path, file_read, td->file);
    td_session_close_file(td);
    return err;
}
