/* SPDX-License-Identifier: MIT */
/* Reading files to their end, also those of another process, which it can have prepared for whoever opens them. */
#include "os/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of procfs and sysfs may come in pieces, so reads until the end or a full buffer. */
ssize_t td_os_read_all(int fd, void *buf, size_t size)
{
    char *to = buf;
    size_t n = 0;

    while (n < size) {
        ssize_t got = read(fd, to + n, size - n);

        if (got == 0)
            break;
        if (got > 0)
            n += (size_t)got;
        else if (errno != EINTR)
            return -errno;
    }
    return (ssize_t)n;
}

static int open_root(pid_t pid)
{
    char path[40] = "/";
    int fd;

    if (pid)
        snprintf(path, sizeof(path), "/proc/%ld/root", (long)pid);
    fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 ? fd : errno == ENOENT ? -ESRCH : -errno;
}

/* Opens the first part of a path in a folder, which is closed. No link is followed: an absolute one would lead out of
 * the process's root. *path moves on. */
static int open_part(int folder, const char **path)
{
    const size_t n = strcspn(*path, "/");
    char name[NAME_MAX + 1];
    bool last;
    int fd = -1;

    if (n && n < sizeof(name) && strncmp(*path, "..", n) != 0) {
        memcpy(name, *path, n);
        name[n] = '\0';
        *path += n + strspn(*path + n, "/");
        last = !**path;
        fd = openat(folder, name,
                    O_CLOEXEC | O_NOFOLLOW | (last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY));
        fd = fd < 0 ? -errno : fd;
    } else {
        fd = -EINVAL;
    }
    close(folder);
    return fd;
}

/* Whether it is a regular file of the user alone, under no other name. */
static bool is_own(int fd, uid_t user)
{
    struct stat s;

    return !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == user && s.st_nlink == 1;
}

ssize_t td_os_file_of(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size)
{
    int fd = open_root(pid);
    ssize_t n;

    (void)ctx;
    path += strspn(path, "/");
    while (fd >= 0 && *path)
        fd = open_part(fd, &path);
    if (fd < 0)
        return fd;
    n = is_own(fd, user) ? td_os_read_all(fd, buf, size) : -EACCES;
    close(fd);
    return n;
}
