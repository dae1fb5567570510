/* SPDX-License-Identifier: MIT */
#include "cli/collect/textfile.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* node_exporter reads all files that end in .prom, so that the unfinished one does not. */
static const char name[] = "tdprobe.prom", unfinished[] = ".tdprobe.prom.new";

/* Opens the folder, and locks it against other collectors. -EWOULDBLOCK: one has it. */
static int hold(struct cli_textfile *t)
{
    int err;

    t->dir = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->dir < 0)
        return -errno;
    if (!flock(t->dir, LOCK_EX | LOCK_NB))
        return 0;
    err = -errno;
    close(t->dir);
    t->dir = -1;
    return err;
}

/* Whether the folder of that name is still the one that is open. */
static bool still_there(const struct cli_textfile *t)
{
    struct stat now, held;

    return t->dir >= 0 && !stat(t->folder, &now) && !fstat(t->dir, &held) && now.st_dev == held.st_dev &&
           now.st_ino == held.st_ino;
}

/* Makes the unfinished file anew: a descriptor, or -errno. What a dead collector left is removed. */
static int create(const struct cli_textfile *t)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(t->dir, unfinished, flags, 0644);

    if (fd < 0 && errno == EEXIST && !unlinkat(t->dir, unfinished, 0))
        fd = openat(t->dir, unfinished, flags, 0644);
    return fd < 0 ? -errno : fd;
}

static int write_all(int fd, const char *text, size_t n)
{
    while (n) {
        const ssize_t put = write(fd, text, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -errno;
        text += put;
        n -= (size_t)put;
    }
    return 0;
}

static int replace(struct cli_textfile *t, const char *text, size_t n)
{
    int err = 0, fd;

    if (!still_there(t)) {
        if (t->dir >= 0)
            close(t->dir);
        t->written = false;
        err = hold(t);
    }
    fd = err ? err : create(t);
    if (fd < 0)
        return fd;
    err = write_all(fd, text, n);
    if (close(fd) && !err)
        err = -errno;
    if (!err && renameat(t->dir, unfinished, t->dir, name))
        err = -errno;
    if (err)
        unlinkat(t->dir, unfinished, 0);
    t->written = t->written || !err;
    return err;
}

void cli_textfile_write(struct cli_textfile *t, const char *text, size_t n)
{
    const int err = t->folder ? replace(t, text, n) : 0;

    t->failures += err != 0;
    if (err && !t->told)
        cli_say("%s/%s cannot be written: %s; it is tried again after each interval, and "
                "tdprobe_write_failures_total counts how often in vain",
                t->folder, name, strerror(-err));
    else if (!err && t->told)
        cli_say("%s/%s is written again", t->folder, name);
    t->told = err != 0;
}

/* ---- before the first interval ------------------------------------------------------------- */

/* Whether a file that is there may be replaced: an empty one, or one that tdprobe wrote. */
static bool is_ours(const struct cli_textfile *t)
{
    static const char begin[] = "# TYPE tdprobe_";
    char found[sizeof(begin) - 1];
    struct stat is;
    ssize_t n;
    int fd;

    if (fstatat(t->dir, name, &is, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT;
    if (!S_ISREG(is.st_mode))
        return false;
    fd = openat(t->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, found, sizeof(found));
    if (fd >= 0)
        close(fd);
    return !n || (n == (ssize_t)sizeof(found) && !memcmp(found, begin, sizeof(found)));
}

static int refuse_folder(const struct cli_textfile *t, int err)
{
    if (err == -EWOULDBLOCK)
        cli_say("another tdprobe collect writes into %s: end it, or name another folder", t->folder);
    else if (err == -ENOENT || err == -ENOTDIR)
        cli_say("--textfile: there is no folder %s: make it, or name the one that node_exporter reads "
                "(its --collector.textfile.directory)",
                t->folder);
    else
        cli_say("--textfile: %s cannot be opened: %s", t->folder, strerror(-err));
    return cli_output_code(err);
}

int cli_textfile_open(struct cli_textfile *t)
{
    int err = t->folder ? hold(t) : 0, fd;

    if (!t->folder)
        return 0;
    if (err)
        return refuse_folder(t, err);
    if (!is_ours(t)) {
        cli_say("%s/%s was not written by tdprobe: move it away, or name another folder", t->folder, name);
        return EXIT_OUTPUT;
    }
    fd = create(t);
    if (fd < 0) {
        cli_say("no file can be made in %s: %s; let the user of tdprobe write there, or name another folder", t->folder,
                strerror(-fd));
        return cli_output_code(fd);
    }
    close(fd);
    unlinkat(t->dir, unfinished, 0);
    return 0;
}

void cli_textfile_close(struct cli_textfile *t)
{
    if (t->dir < 0)
        return;
    if (t->written && unlinkat(t->dir, name, 0) && errno != ENOENT)
        cli_say("%s/%s cannot be removed: %s; remove it, as node_exporter goes on showing it", t->folder, name,
                strerror(errno));
    close(t->dir);
    t->dir = -1;
}
