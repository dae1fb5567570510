/* SPDX-License-Identifier: MIT */
/* Files that are opened through links: those of this user, as many as Linux follows, and what a link of /proc names. */
#include "report/own_links.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[40], file[64];

static void begin(void)
{
    strcpy(folder, "links-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(file, sizeof(file), "%s/f", folder);
}

/* A path in the folder, until the next but one is asked for. */
__attribute__((format(printf, 1, 2))) static const char *named(const char *format, ...)
{
    static char name[2][80];
    static unsigned next;
    char *at = name[next++ % 2];
    const int n = snprintf(at, sizeof(*name), "%s/", folder);
    va_list args;

    va_start(args, format);
    vsnprintf(at + n, sizeof(*name) - (size_t)n, format, args);
    va_end(args);
    return at;
}

/* Whether the descriptor writes the file, and is closed where a program is executed. */
static bool writes(int fd, const char *name)
{
    struct stat open, there;
    const bool good = fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY && fcntl(fd, F_GETFD) == FD_CLOEXEC &&
                      !fstat(fd, &open) && !stat(name, &there) && open.st_ino == there.st_ino;

    if (fd >= 0)
        close(fd);
    return good;
}

static void files(void)
{
    const mode_t mask = umask(0);
    struct stat st;

    begin();
    CU_ASSERT_EQUAL(td_own_links_open(file, 0), -ENOENT);
    CU_ASSERT(writes(td_own_links_open(file, O_CREAT), file));
    CU_ASSERT(!stat(file, &st) && (st.st_mode & 07777) == 0666);
    CU_ASSERT(writes(td_own_links_open(file, 0), file));
    CU_ASSERT_EQUAL(td_own_links_open(folder, 0), -EISDIR);
    CU_ASSERT_EQUAL(td_own_links_open(named("f/x"), 0), -ENOTDIR);
    umask(mask);
    unlink(file);
    rmdir(folder);
}

/* What a link names is looked for from where the link is, unless it begins with a slash. */
static void links(void)
{
    char here[4096], whole[8192];

    begin();
    CU_ASSERT_EQUAL(symlink("f", named("a")), 0);
    CU_ASSERT_EQUAL(td_own_links_open(named("a"), 0), -ENOENT);
    CU_ASSERT(writes(td_own_links_open(named("a"), O_CREAT), file));
    CU_ASSERT(writes(td_own_links_open(named("a"), 0), file));
    CU_ASSERT_EQUAL(mkdir(named("d"), 0700), 0);
    CU_ASSERT_EQUAL(symlink("../f", named("d/b")), 0);
    CU_ASSERT_EQUAL(symlink("d/b", named("c")), 0);
    CU_ASSERT(writes(td_own_links_open(named("c"), 0), file));
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof(here)));
    snprintf(whole, sizeof(whole), "%s/%s", here, file);
    CU_ASSERT_EQUAL(symlink(whole, named("e")), 0);
    CU_ASSERT(writes(td_own_links_open(named("e"), 0), file));
    CU_ASSERT_EQUAL(symlink("g", named("g")), 0);
    CU_ASSERT_EQUAL(td_own_links_open(named("g"), O_CREAT), -ELOOP); /* itself */
    for (const char *name = "acegf"; *name; name++)
        unlink(named("%c", *name));
    unlink(named("d/b"));
    rmdir(named("d"));
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* path_resolution(7): forty links, and not one more. */
static void many(void)
{
    char to[16];

    begin();
    CU_ASSERT(writes(td_own_links_open(file, O_CREAT), file));
    for (int i = 1; i <= 41; i++) {
        snprintf(to, sizeof(to), i > 1 ? "l%d" : "f", i - 1);
        CU_ASSERT_EQUAL(symlink(to, named("l%d", i)), 0);
    }
    CU_ASSERT(writes(td_own_links_open(named("l%d", 39), 0), file));
    CU_ASSERT(writes(td_own_links_open(named("l%d", 40), 0), file));
    CU_ASSERT_EQUAL(td_own_links_open(named("l%d", 41), 0), -ELOOP);
    for (int i = 1; i <= 41; i++)
        unlink(named("l%d", i));
    unlink(file);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* As somebody else: that user's own link, and root's, but not a third one's. */
static int as_another(void)
{
    if (setgid(4242) || setuid(4242) || symlink("f", named("own")))
        return 1;
    if (!writes(td_own_links_open(named("own"), 0), file) || !writes(td_own_links_open(named("a"), 0), file))
        return 2;
    return td_own_links_open(named("third"), 0) == -ELOOP ? 0 : 3;
}

static void by_another(void)
{
    int status = -1;
    pid_t pid;

    if (geteuid()) {
        unit_skip("only root can make links of others");
        return;
    }
    begin();
    CU_ASSERT(writes(td_own_links_open(file, O_CREAT), file));
    CU_ASSERT(!chmod(file, 0666) && !chmod(folder, 0777));
    CU_ASSERT(!symlink("f", named("a")) && !symlink("f", named("third")) && !lchown(named("third"), 4343, 4343));
    fflush(stdout);
    pid = fork();
    if (!pid) {
        const int code = as_another();

        if (!code)
            execl("/bin/true", "true", (char *)NULL); /* as valgrind would report what is inherited as lost */
        _exit(code);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    unlink(named("own"));
    unlink(named("a"));
    unlink(named("third"));
    unlink(file);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A link of somebody else may name any file of this user's; root's may be followed by all. */
static void of_others(void)
{
    begin();
    CU_ASSERT(writes(td_own_links_open(file, O_CREAT), file));
    CU_ASSERT_EQUAL(symlink("f", named("a")), 0);
    CU_ASSERT_EQUAL(symlink("a", named("b")), 0);
    CU_ASSERT(writes(td_own_links_open(named("b"), 0), file));
    if (!geteuid() && !lchown(named("a"), 4242, 4242)) {
        CU_ASSERT_EQUAL(td_own_links_open(named("a"), 0), -ELOOP);
        CU_ASSERT_EQUAL(td_own_links_open(named("b"), 0), -ELOOP); /* this user's leads to it */
    }
    unlink(named("a"));
    unlink(named("b"));
    unlink(file);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A pipe is behind /proc/self/fd, which no path names. */
static void pipes(void)
{
    char name[40], got[4] = "";
    int ends[2], fd;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[1]);
    fd = td_own_links_open(name, 0);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
    CU_ASSERT_EQUAL(write(fd, "abc", 3), 3);
    CU_ASSERT(read(ends[0], got, 3) == 3 && !strcmp(got, "abc"));
    close(fd);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(td_own_links_open(name, 0), -ENOENT);
}

static const CU_TestInfo tests[] = {
    {"files", files},
    {"links", links},
    {"forty links", many},
    {"links of others", of_others},
    {"by another user", by_another},
    {"pipes", pipes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("links that are followed", tests);
