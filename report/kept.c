/* SPDX-License-Identifier: MIT */
#include "report/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
    TRIES = 5,
    PAUSE = 4, /* ms; a process that only opens a file, or removes a leftover, holds the lock for less */
    ROUNDS = 100, /* how often other processes may be quicker to create the file */
};

/* ---- locks -------------------------------------------------------------------------------- */

/* Locks a descriptor: 0, -EALREADY, or -ENOLCK: the file system has no locks. */
static int lock(int fd, int how)
{
    int err;

    do
        err = flock(fd, how | LOCK_NB) ? errno : 0;
    while (err == EINTR);
    return err == EWOULDBLOCK ? -EALREADY : err ? -ENOLCK : 0;
}

int td_kept_lock(int fd, bool shared)
{
    struct stat st;

    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return 0;
    return lock(fd, shared ? LOCK_SH : LOCK_EX) == -EALREADY ? -EALREADY : 0;
}

int td_kept_hold(const char *path)
{
    /* NFS locks only files that are open for writing */
    int fd = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);

    if (fd < 0)
        fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || !td_kept_lock(fd, false))
        return fd < 0 ? -1 : fd;
    close(fd);
    return -EALREADY;
}

/* ---- what stands beside a file -------------------------------------------------------------- */

/* Whether the open file still has that name. */
static bool is_named(int fd, const char *name)
{
    struct stat open, named;

    return !fstat(fd, &open) && !lstat(name, &named) && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/* Whether a file may be a leftover of this user's tdprobe: it is nobody else's, and has no other name. */
static bool is_own(int fd)
{
    struct stat st;

    return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1;
}

static int sweep(const char *name)
{
    const int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int err;

    if (fd < 0)
        return errno == ENOENT ? -ENOENT : -EEXIST;
    err = is_own(fd) ? lock(fd, LOCK_EX) : -EEXIST;
    err = err == -ENOLCK ? -EEXIST : err;
    if (!err && is_named(fd, name)) /* another process may have removed it first, and made a new file of that name */
        err = unlink(name) && errno != ENOENT ? -EEXIST : 0;
    close(fd);
    return err;
}

int td_kept_sweep(const char *name)
{
    int err = sweep(name);

    for (int i = 1; err == -EALREADY && i < TRIES; i++) {
        poll(NULL, 0, PAUSE);
        err = sweep(name);
    }
    return err;
}

/* Creates the file. -EAGAIN: another process took it for a leftover before it was locked, and removed it. */
static int create(const char *name)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int err;

    if (fd < 0)
        return -errno;
    err = lock(fd, LOCK_EX);
    if (err == -ENOLCK || (!err && is_named(fd, name)))
        return fd;
    close(fd);
    return -EAGAIN;
}

int td_kept_begin(const char *name)
{
    int fd = create(name), err = 0;

    for (int i = 0; (fd == -EEXIST || fd == -EAGAIN) && i < ROUNDS; i++) {
        err = td_kept_sweep(name);
        if (err && err != -ENOENT)
            return err;
        fd = create(name);
    }
    return fd == -EAGAIN ? -EALREADY : fd;
}

/* ---- who ------------------------------------------------------------------------------------ */

/* "1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF", proc_locks(5); 0: another file's lock, or of a process that cannot
 * be seen from here. */
static pid_t holder_in(const char *line, const struct stat *of)
{
    unsigned major, minor;
    unsigned long inode;
    int pid;

    if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%lu", &pid, &major, &minor, &inode) != 4)
        return 0;
    return inode == of->st_ino && major == major(of->st_dev) && minor == minor(of->st_dev) && pid > 0 ? pid : 0;
}

static pid_t holder(const char *path)
{
    struct stat st;
    char line[256];
    pid_t found = 0;
    FILE *locks = stat(path, &st) ? NULL : fopen("/proc/locks", "re");

    while (locks && !found && fgets(line, sizeof(line), locks))
        found = holder_in(line, &st);
    if (locks)
        fclose(locks);
    return found;
}

pid_t td_kept_by(const char *path)
{
    pid_t pid = holder(path);
    char *beside;

    if (pid || asprintf(&beside, "%s" TD_KEPT_ENDING, path) < 0)
        return pid;
    pid = holder(beside);
    free(beside);
    return pid;
}

/* ---- on the disk ------------------------------------------------------------------------------ */

int td_kept_sync(int fd)
{
    int err;

    do
        err = fsync(fd) ? errno : 0;
    while (err == EINTR);
    /* these errors are those of a pipe, or of a file system that cannot do it */
    return err == EINVAL || err == EROFS || err == ENOSYS || err == EOPNOTSUPP ? 0 : -err;
}

int td_kept_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    int fd;

    if (!name)
        return -ENOMEM;
    fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fd = fd < 0 ? -errno : fd;
    free(name);
    return fd;
}

int td_kept_sync_folder(int folder)
{
    int err = folder < 0 ? folder : td_kept_sync(folder);

    if (folder >= 0)
        close(folder);
    return err == -EACCES ? 0 : err;
}
