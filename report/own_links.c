/* SPDX-License-Identifier: MIT */
#include "report/own_links.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    LINKS = 40, /* as many as Linux follows: path_resolution(7) */
    MODE = 0666,
    MAGIC = 1 /* what the link names is reached by following it only, as a pipe in /proc/self/fd */
};

/* What the open link names, as a path from where its own name was one: 0 with *to to be freed, MAGIC, or -errno. */
static int read_link(int link, const char *name, char **to)
{
    const char *slash = strrchr(name, '/');
    const int folder = slash ? (int)(slash - name) + 1 : 0;
    char target[PATH_MAX];
    struct statfs fs;
    struct stat st;
    ssize_t n;

    if (fstat(link, &st) || fstatfs(link, &fs))
        return -errno;
    if (fs.f_type == PROC_SUPER_MAGIC)
        return MAGIC;
    /* somebody may have put another file in its place */
    if (!S_ISLNK(st.st_mode) || (st.st_uid != geteuid() && st.st_uid != 0))
        return -ELOOP;
    n = readlinkat(link, "", target, sizeof(target));
    if (n < 0 || n == (ssize_t)sizeof(target))
        return n < 0 ? -errno : -ENAMETOOLONG;
    n = asprintf(to, "%.*s%.*s", *target == '/' ? 0 : folder, name, (int)n, target);
    return n < 0 ? -ENOMEM : 0;
}

/* The same by name. The link is opened, so that its owner and its text are of one and the same link. */
static int follow(const char *name, char **to)
{
    const int link = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    const int err = link < 0 ? -errno : read_link(link, name, to);

    if (link >= 0)
        close(link);
    return err;
}

int td_own_links_open(const char *path, int flags)
{
    char *name = strdup(path);
    int fd = -ENOMEM;

    flags |= O_WRONLY | O_CLOEXEC;
    for (int links = 0; name && links <= LINKS; links++) {
        char *to = NULL;
        int err;

        fd = open(name, flags | O_NOFOLLOW, MODE);
        fd = fd < 0 ? -errno : fd;
        if (fd != -ELOOP)
            break;
        err = follow(name, &to);
        if (err) {
            fd = err == MAGIC ? open(name, flags, MODE) : err;
            fd = err == MAGIC && fd < 0 ? -errno : fd;
            break;
        }
        free(name);
        name = to;
    }
    free(name);
    return fd;
}
