/* SPDX-License-Identifier: MIT */
/* Files that are kept: locks between processes, leftovers, and what is on the disk. */
#include "report/kept.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "kept-test-XXXXXX";
static char path[64], beside[64];

static void begin(void)
{
    strcpy(folder, "kept-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/f", folder);
    snprintf(beside, sizeof(beside), "%s/f" TD_KEPT_ENDING, folder);
}

static void end(void)
{
    unlink(path);
    unlink(beside);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static int made(const char *name)
{
    const int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    CU_ASSERT_FATAL(fd >= 0);
    return fd;
}

/* Two descriptors are as two processes. */
static void locks(void)
{
    int one, other, ends[2], next;

    begin();
    next = dup(STDIN_FILENO);
    close(next);
    one = made(path);
    other = made(path);
    CU_ASSERT_EQUAL(td_kept_lock(one, true), 0);
    CU_ASSERT_EQUAL(td_kept_lock(other, true), 0);
    CU_ASSERT_EQUAL(td_kept_lock(other, false), -EALREADY);
    CU_ASSERT_EQUAL(td_kept_hold(path), -EALREADY);
    CU_ASSERT_EQUAL(td_kept_by(path), getpid());
    close(one);
    CU_ASSERT_EQUAL(td_kept_lock(other, false), 0);
    one = made(path);
    CU_ASSERT_EQUAL(td_kept_lock(one, true), -EALREADY);
    close(one);
    close(other);
    CU_ASSERT_EQUAL(td_kept_by(path), 0);
    one = td_kept_hold(path);
    CU_ASSERT(one >= 0);
    CU_ASSERT_EQUAL(td_kept_hold(path), -EALREADY);
    close(one);
    one = dup(STDIN_FILENO);
    CU_ASSERT_EQUAL(one, next); /* nothing else is open any more */
    close(one);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0); /* no file, no lock */
    CU_ASSERT(td_kept_lock(ends[0], false) == 0 && td_kept_lock(-1, false) == 0);
    close(ends[0]);
    close(ends[1]);
    end();
    CU_ASSERT_EQUAL(td_kept_hold(path), -1);
    CU_ASSERT_EQUAL(td_kept_by(path), 0);
}

/* A lock on the incomplete file beside it counts, too. */
static void holders(void)
{
    int fd;

    begin();
    fd = td_kept_begin(beside);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(td_kept_by(path), getpid());
    CU_ASSERT_EQUAL(td_kept_begin(beside), -EALREADY);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), -EALREADY);
    CU_ASSERT_EQUAL(access(beside, F_OK), 0);
    close(fd);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), 0);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), -ENOENT);
    end();
}

/* What a dead process left is replaced; a file with another name too, a link and a folder stay. */
static void leftovers(void)
{
    struct stat st;
    int fd;

    begin();
    fd = made(beside);
    CU_ASSERT_EQUAL(write(fd, "old", 3), 3);
    close(fd);
    fd = td_kept_begin(beside);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT(!fstat(fd, &st) && st.st_size == 0 && (st.st_mode & 0777) == 0600);
    CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
    close(fd);
    CU_ASSERT_EQUAL(link(beside, path), 0);
    CU_ASSERT_EQUAL(td_kept_begin(beside), -EEXIST);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), -EEXIST);
    CU_ASSERT_EQUAL(unlink(beside), 0);
    CU_ASSERT_EQUAL(symlink("f", beside), 0);
    CU_ASSERT_EQUAL(td_kept_begin(beside), -EEXIST);
    CU_ASSERT_EQUAL(unlink(beside), 0);
    CU_ASSERT_EQUAL(mkdir(beside, 0700), 0);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), -EEXIST);
    CU_ASSERT_EQUAL(rmdir(beside), 0);
    end();
    CU_ASSERT_EQUAL(td_kept_begin("kept-test-none/f" TD_KEPT_ENDING), -ENOENT);
}

static int held;

static void let_go(int signal)
{
    (void)signal;
    close(held);
}

/* The lock goes after 3 ms, while a leftover of that name is to go: such a moment is waited for. The signal comes into
 * the wait itself, however busy the machine is. */
static void waiting(void)
{
    const struct itimerval moment = {.it_value = {.tv_usec = 3000}};
    struct sigaction action = {.sa_handler = let_go}, before;

    begin();
    held = made(beside);
    CU_ASSERT_EQUAL(flock(held, LOCK_EX | LOCK_NB), 0);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), -EALREADY);
    CU_ASSERT_EQUAL_FATAL(sigaction(SIGALRM, &action, &before), 0);
    CU_ASSERT_EQUAL_FATAL(setitimer(ITIMER_REAL, &moment, NULL), 0);
    CU_ASSERT_EQUAL(td_kept_sweep(beside), 0);
    CU_ASSERT_EQUAL(sigaction(SIGALRM, &before, NULL), 0);
    CU_ASSERT_EQUAL(access(beside, F_OK), -1);
    end();
}

/* A pipe cannot be on the disk, and is believed; what is no descriptor is not. */
static void disk(void)
{
    int ends[2], fd;

    begin();
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(td_kept_sync(ends[1]), 0);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(td_kept_sync(-1), -EBADF);
    fd = made(path);
    CU_ASSERT_EQUAL(td_kept_sync(fd), 0);
    close(fd);
    fd = td_kept_folder(path);
    CU_ASSERT(fd >= 0);
    CU_ASSERT_EQUAL(td_kept_sync_folder(fd), 0);
    CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), -1); /* it is closed */
    end();
    CU_ASSERT_EQUAL(td_kept_folder(path), -ENOENT);
    CU_ASSERT_EQUAL(td_kept_sync_folder(-ENOENT), -ENOENT);
    CU_ASSERT_EQUAL(td_kept_sync_folder(-EACCES), 0);
}

/* The folder of a name without one, and of one in the root. */
static void folders(void)
{
    static const char *const names[][2] = {{"f", "."}, {"/f", "/"}, {"/proc/f", "/proc"}};

    for (size_t i = 0; i < 3; i++) {
        struct stat is, wanted;
        const int fd = td_kept_folder(names[i][0]);

        CU_ASSERT(fd >= 0 && !fstat(fd, &is) && !stat(names[i][1], &wanted) && is.st_ino == wanted.st_ino &&
                  is.st_dev == wanted.st_dev);
        if (fd >= 0)
            close(fd);
    }
}

/* Where nothing else has it, 0 is a descriptor as any other. */
static int without_stdin(void)
{
    int again;

    close(STDIN_FILENO);
    if (td_kept_hold(path) != 0)
        return 1;
    again = td_kept_hold(path);
    if (again != -EALREADY)
        return 2;
    close(STDIN_FILENO);
    if (td_kept_begin(beside) != 0 || td_kept_sync(0) || td_kept_sweep(beside) != -EALREADY)
        return 3;
    close(STDIN_FILENO);
    if (td_kept_sweep(beside) || access(beside, F_OK) == 0)
        return 4;
    if (td_kept_folder(path) != 0 || td_kept_sync_folder(0) || fcntl(0, F_GETFD) >= 0)
        return 5;
    return td_kept_sync_folder(0) == -EBADF ? 0 : 6; /* nothing is open there any more */
}

static void descriptor_0(void)
{
    int status = -1;
    pid_t pid;

    begin();
    close(made(path));
    fflush(stdout);
    pid = fork();
    if (!pid) {
        const int code = without_stdin();

        if (!code)
            execl("/bin/true", "true", (char *)NULL); /* as valgrind would report what is inherited as lost */
        _exit(code);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    end();
}

static const CU_TestInfo tests[] = {
    {"locks", locks},      {"holders", holders}, {"leftovers", leftovers},       {"a lock of a moment", waiting},
    {"on the disk", disk}, {"folders", folders}, {"descriptor 0", descriptor_0}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("kept files", tests);
