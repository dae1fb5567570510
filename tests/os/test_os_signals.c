/* SPDX-License-Identifier: MIT */
/* Signals before anything is waited for, and those of a terminal. */
#include "tests/support/linux_os.h"
#include "tests/support/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t long_time = UINT64_C(20000000000); /* ns */

/* A signal of this process, or of the terminal below: which, and whether the
 * command has it too. */
static void group_is(const char *what, int signal, bool group)
{
    struct td_os_event got = {.what = TD_OS_INPUT};
    uint64_t until = OS(now) + long_time;

    CU_ASSERT_EQUAL(OS(wait, until, -1, &got), 0);
    CU_ASSERT_EQUAL(got.what, TD_OS_SIGNAL);
    CU_ASSERT_EQUAL(got.signal, signal);
    CU_ASSERT_EQUAL(got.group, group);
    if (got.group != group)
        printf("\n    %s: signal %d, group %d\n", what, got.signal, got.group);
}

/* Success is another program's: for valgrind, what a child inherited would be lost at its exit. */
static void leave(int code)
{
    if (code == 0)
        execl("/bin/true", "true", (char *)NULL);
    _exit(code);
}

/* In the foreground group of the terminal whose other side is master; its leader
 * ends when go is closed, and the kernel sends SIGHUP to the group. */
static int in_foreground(int master, int go)
{
    unsigned before = CU_get_number_of_failures();

    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    if (tcsetpgrp(0, getpgrp()))
        return 10;
    CU_ASSERT_EQUAL(OS(signals), 0);
    kill(getpid(), SIGHUP);
    group_is("kill(2)", SIGHUP, false);
    CU_ASSERT_EQUAL(write(master, "\003", 1), 1);
    group_is("Ctrl-C", SIGINT, true);
    close(go);
    group_is("the session ends", SIGHUP, true);
    return CU_get_number_of_failures() != before ? 11 : 0;
}

/* A terminal's two sides; false: this system has none to give, as a chroot without devpts. */
static bool terminal(int side[2])
{
    const char *name;

    side[0] = posix_openpt(O_RDWR | O_NOCTTY);
    name = side[0] >= 0 && !grantpt(side[0]) && !unlockpt(side[0]) ? ptsname(side[0]) : NULL;
    side[1] = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (side[1] >= 0)
        return true;
    if (side[0] >= 0)
        close(side[0]);
    return false;
}

/* The leader of a session on that terminal, and a process in it. */
static int session(int master, int slave, int result)
{
    int go[2];
    char byte = 1;
    pid_t pid;

    setsid();
    if (pipe(go) || ioctl(slave, TIOCSCTTY, 0) || dup2(slave, 0) < 0)
        return 1;
    pid = fork();
    if (pid == 0) {
        close(go[0]);
        byte = (char)in_foreground(master, go[1]);
        _exit(write(result, &byte, 1) != 1);
    }
    close(go[1]);
    return read(go[0], &byte, 1) != 0;
}

static void to_the_group(void)
{
    int side[2], ends[2], status = -1;
    signed char code = -1;
    pid_t pid;

    if (!terminal(side)) {
        unit_skip("no terminal can be made: /dev/ptmx and devpts are missing");
        return;
    }
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(stdout);
    pid = fork();
    if (pid == 0)
        leave(session(side[0], side[1], ends[1]));
    close(side[0]);
    close(side[1]);
    close(ends[1]);
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(read(ends[0], &code, 1), 1);
    CU_ASSERT_EQUAL(code, 0);
    close(ends[0]);
}

/* Until somebody waits, a signal that was taken ends nothing and is not lost. */
static int taken_early(void)
{
    unsigned before = CU_get_number_of_failures();

    for (int i = 1; i < 32; i++)
        signal(i, SIG_DFL);
    CU_ASSERT_EQUAL(OS(signals), 0);
    CU_ASSERT_EQUAL(OS(signals), 0);
    raise(SIGTERM);
    group_is("a signal before the first wait", SIGTERM, false);
    return CU_get_number_of_failures() != before;
}

static void before_waiting(void)
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    CU_ASSERT_FATAL(pid >= 0);
    if (pid == 0)
        leave(taken_early());
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
}

static const CU_TestInfo tests[] = {
    {"taken before anything is waited for", before_waiting},
    {"of a terminal", to_the_group},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE_FIRST("os: signals", tests);
