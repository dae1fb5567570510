/* SPDX-License-Identifier: MIT */
#include "report/temporary.h"

#include "report/keeper.h"
#include "report/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is not complete has a name from the beginning, though O_TMPFILE would leave nothing after a signal and need no
 * handlers: by the name a second process that writes the same file is refused (report/kept.h), and neither NFS nor FUSE
 * has O_TMPFILE, whose linkat(2) moreover replaces no existing file. A leftover of SIGKILL is removed by the next run;
 * after a signal that can be caught, nobody should have to wait for that. */

/* ---- signals ---------------------------------------------------------------- */

/* Signals that others send, and that end a process by default. */
static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGPIPE, SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ};

/* The name that a signal removes, and the pid that owns it: a child has these handlers too. */
static const char *volatile kept_name;
static volatile pid_t kept_by;
static struct td_keeper keeper; /* who ends the file, if not this process */

static void remove_kept(void)
{
    if (!kept_name || kept_by != getpid())
        return;
    if (keeper.pid)
        td_keeper_end(&keeper, false);
    else
        unlink(kept_name);
    kept_name = NULL;
}

static void on_signal(int number)
{
    remove_kept();
    raise(number); /* it ends the process when the handler returns, as SA_RESETHAND has restored the default */
}

/* Installs handlers for those of them that would end this process. */
static void watch(sigset_t *held)
{
    sigset_t ends;

    sigemptyset(&ends);
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
        struct sigaction now, remove = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

        if (sigaction(ending[i], NULL, &now) || now.sa_handler != SIG_DFL)
            continue;
        sigaddset(&ends, ending[i]);
        sigaction(ending[i], &remove, NULL);
    }
    sigprocmask(SIG_BLOCK, &ends, held);
}

static void unwatch(void)
{
    kept_name = NULL;
    if (kept_by != getpid()) /* this one ends, and no signal reaches it */
        return;
    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
        struct sigaction now, usual = {.sa_handler = SIG_DFL};

        if (!sigaction(ending[i], NULL, &now) && now.sa_handler == on_signal)
            sigaction(ending[i], &usual, NULL);
    }
}

/* ---- mode and owner --------------------------------------------------------- */

/* The mode that a new file at path would get. */
static int mode_of_new(int fd)
{
    const mode_t mask = umask(0);

    umask(mask);
    return fchmod(fd, 0666 & ~mask) ? -errno : 0;
}

/* Gives the file the owner and mode of the existing one: the owner first, since changing it clears bits of the mode
 * (chown(2)). If the owner cannot be set, the existing file is opened, to be filled at the end. */
static int as_before(struct td_temporary *t, int fd, const struct stat *before)
{
    struct stat now;

    if (fstat(fd, &now))
        return -errno;
    if ((now.st_uid != before->st_uid || now.st_gid != before->st_gid) && fchown(fd, before->st_uid, before->st_gid)) {
        t->target = open(t->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
        return t->target < 0 ? -errno : 0;
    }
    return fchmod(fd, before->st_mode & 07777) ? -errno : 0;
}

/* ---- the file --------------------------------------------------------------- */

static int forget(struct td_temporary *t, int err)
{
    unwatch();
    if (t->target >= 0)
        close(t->target);
    if (t->held >= 0)
        close(t->held);
    free(t->name);
    *t = (struct td_temporary){.target = -1, .held = -1};
    return err;
}

/* Makes the file. Signals that would end the process are blocked until it is known what they have to remove. */
static int make(struct td_temporary *t)
{
    sigset_t held;
    int fd;

    watch(&held);
    kept_by = getpid();
    fd = td_kept_begin(t->name);
    if (fd >= 0)
        kept_name = t->name;
    sigprocmask(SIG_SETMASK, &held, NULL);
    return fd;
}

static int open_beside(struct td_temporary *t, const char *path)
{
    struct stat before;
    const bool exists = !lstat(path, &before);
    int fd, err;

    *t = (struct td_temporary){.path = path, .target = -1, .held = -1};
    if (asprintf(&t->name, "%s" TD_KEPT_ENDING, path) < 0) {
        t->name = NULL;
        return -ENOMEM;
    }
    fd = make(t);
    if (fd < 0)
        return forget(t, fd);
    t->held = td_kept_hold(path);
    err = t->held < -1 ? t->held : exists ? as_before(t, fd, &before) : mode_of_new(fd);
    if (!err)
        return fd;
    td_temporary_close(t, fd, false);
    return err;
}

/* The file that is open. ready: what was entrusted before anybody has opened it. */
static struct {
    struct td_temporary *file, ready;
    const char *path; /* of ready, or NULL */
    int fd; /* or -errno */
} now = {.fd = -1};

int td_temporary_open(struct td_temporary *t, const char *path)
{
    if (now.path && !strcmp(now.path, path)) {
        *t = now.ready;
        now.path = NULL;
    } else {
        now.fd = open_beside(t, path);
    }
    now.file = t;
    return now.fd;
}

/* In the process that was entrusted with it. */
static int end(void *unused, bool whole)
{
    (void)unused;
    return td_temporary_close(now.file, now.fd, whole);
}

bool td_temporary_entrust(const char *path)
{
    if (!kept_name) {
        now.file = &now.ready;
        now.path = path;
        now.fd = open_beside(now.file, path);
    }
    return now.fd < 0 || (!atexit(remove_kept) && td_keeper_start(&keeper, end, NULL));
}

static int write_all(int fd, const char *at, ssize_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, at, (size_t)n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done ? -errno : -EIO;
        at += done;
        n -= done;
    }
    return 0;
}

/* Makes room for n bytes, before any of the m existing ones is lost. */
static int make_room(int fd, off_t m, off_t n)
{
    const int err = n > m ? posix_fallocate(fd, m, n - m) : 0;

    if (err && ftruncate(fd, m))
        return -errno;
    return -err;
}

static int copy(int from, int to)
{
    char piece[16384];
    ssize_t n;
    int err = 0;

    while (!err && (n = read(from, piece, sizeof(piece))) != 0)
        err = n > 0 ? write_all(to, piece, n) : errno == EINTR ? 0 : -errno;
    return err;
}

/* Copies what was written, and its length, into the existing file. */
static int fill(const struct td_temporary *t)
{
    const int from = open(t->name, O_RDONLY | O_CLOEXEC);
    struct stat have, want;
    int err = from < 0 || fstat(from, &want) || fstat(t->target, &have) ? -errno : 0;

    if (!err)
        err = make_room(t->target, have.st_size, want.st_size);
    if (!err)
        err = copy(from, t->target);
    if (!err && ftruncate(t->target, want.st_size))
        err = -errno;
    if (!err)
        err = td_kept_sync(t->target);
    if (from >= 0)
        close(from);
    return err;
}

/* By the process that was entrusted with the file. */
static int close_elsewhere(struct td_temporary *t, int fd, bool whole)
{
    const int err = td_keeper_end(&keeper, whole);

    kept_name = NULL;
    close(fd);
    return forget(t, err);
}

static int close_here(struct td_temporary *t, int fd, bool whole)
{
    const bool renames = whole && t->target < 0;
    const int folder = renames ? td_kept_folder(t->path) : -EACCES;
    int err = folder < 0 && folder != -EACCES ? folder : renames ? td_kept_sync(fd) : 0;
    bool named = false;

    if (whole && !err && t->target >= 0) {
        err = fill(t);
    } else if (whole && !err) {
        /* before the file is closed: until then nobody else can take it for a leftover */
        named = !rename(t->name, t->path);
        err = named ? 0 : -errno;
    }
    if (!named)
        unlink(t->name);
    kept_name = NULL; /* once it is closed, the name may be another process's */
    if (named)
        err = td_kept_sync_folder(folder);
    else if (folder >= 0)
        close(folder);
    if (close(fd) && whole && !err)
        err = -errno;
    return forget(t, err);
}

int td_temporary_close(struct td_temporary *t, int fd, bool whole)
{
    return (keeper.pid ? close_elsewhere : close_here)(t, fd, whole);
}
