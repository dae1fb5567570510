/* SPDX-License-Identifier: MIT */
/* Signals before anything is waited for, and those of a terminal. */
#include "os.h"
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define OS(function, ...) td_os_linux.function(td_os_linux.ctx, ##__VA_ARGS__)

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

/* The leader of a session on a terminal of its own, and a process in it. */
static int session(int result)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, go[2];
    char byte = 1;
    pid_t pid;

    setsid();
    if (master < 0 || grantpt(master) || unlockpt(master) || pipe(go) || (terminal = open(ptsname(master), O_RDWR)) < 0 || dup2(terminal, 0) < 0)
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
    int ends[2], status = -1;
    signed char code = -1;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(stdout);
    pid = fork();
    if (pid == 0)
        leave(session(ends[1]));
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

void suite_os_signals(void)
{
    static const CU_TestInfo all[] = {
        {"taken before anything is waited for", before_waiting},
        {"of a terminal", to_the_group},
        {NULL, NULL},
    };

    unit_suite("os: signals", all);
}
