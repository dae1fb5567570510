/* SPDX-License-Identifier: MIT */
/* A file as another process sees it: a child with a /tmp of its own, in which it has prepared several. */
#include "os/os.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 32 };

static bool write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    return f && fputs(text, f) >= 0 && !fclose(f);
}

/* Makes /tmp an own one, if it may, with files in it; tells whether it did, and waits until it is killed. */
static void prepare(int told)
{
    const bool own = !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
                     !mount("none", "/tmp", "tmpfs", 0, NULL) && write_file("/tmp/perf-7.map", "inside") &&
                     !symlink("/etc/passwd", "/tmp/perf-8.map") && !symlink("/tmp", "/tmp/link") &&
                     !mkfifo("/tmp/perf-9.map", 0600) && write_file("/tmp/perf-10.map", "two") &&
                     !link("/tmp/perf-10.map", "/tmp/second") && write_file("/tmp/perf-11.map", "other") &&
                     !chown("/tmp/perf-11.map", 65534, 0) && !mkdir("/tmp/perf-12.map", 0700);

    if (write(told, own ? "y" : "n", 1) == 1)
        pause();
    _exit(0);
}

static ssize_t file_of(pid_t pid, const char *path, char *buf, size_t size)
{
    memset(buf, 0, ROOM);
    return td_os_linux.file_of(td_os_linux.ctx, pid, path, geteuid(), buf, size);
}

static void as_it_sees_them(void)
{
    char buf[ROOM], told = 'n';
    int pipes[2];
    pid_t child;

    CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
    child = fork();
    if (!child)
        prepare(pipes[1]);
    CU_ASSERT_FATAL(child > 0 && read(pipes[0], &told, 1) == 1);
    if (told == 'y') {
        CU_ASSERT(file_of(child, "/tmp/perf-7.map", buf, ROOM) == 6 && !strcmp(buf, "inside"));
        CU_ASSERT(file_of(child, "//tmp//perf-7.map", buf, ROOM) == 6);
        CU_ASSERT(file_of(child, "/tmp/perf-7.map", buf, 3) == 3 &&
                  !strcmp(buf, "ins")); /* no more than it has room for */
        CU_ASSERT_EQUAL(file_of(0, "/tmp/perf-7.map", buf, ROOM), -ENOENT);
        CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-8.map", buf, ROOM), -ELOOP);
        CU_ASSERT(file_of(child, "/tmp/link/perf-7.map", buf, ROOM) < 0);
        CU_ASSERT_EQUAL(file_of(child, "/tmp/../tmp/perf-7.map", buf, ROOM), -EINVAL);
        CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-9.map", buf, ROOM), -EACCES); /* nor does it wait for a writer */
        CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-10.map", buf, ROOM), -EACCES); /* it has another name, too */
        CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-11.map", buf, ROOM), -EACCES);
        CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-12.map", buf, ROOM), -EACCES);
        CU_ASSERT_EQUAL(file_of(child, "/tmp/none", buf, ROOM), -ENOENT);
    } else {
        unit_skip("no mount namespace");
    }
    CU_ASSERT(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
    CU_ASSERT_EQUAL(file_of(child, "/tmp/perf-7.map", buf, ROOM), -ESRCH);
    close(pipes[0]);
    close(pipes[1]);
}

static const CU_TestInfo tests[] = {
    {"as a process sees them", as_it_sees_them},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("files of processes", tests);
