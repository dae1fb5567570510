/* SPDX-License-Identifier: MIT */
/* Commands, signals and waiting, on the machine that the tests run on. */
#include "tests/support/linux_os.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t ms = 1000000, long_time = UINT64_C(20000000000); /* ns */

static void wait_is(const char *what, uint64_t ns, int fd, int event, int number)
{
    struct td_os_event got = {.what = TD_OS_INPUT};
    uint64_t until = OS(now) + ns;
    int err = OS(wait, until, fd, &got);
    int value = event == TD_OS_EXIT ? got.status : event == TD_OS_SIGNAL ? got.signal : 0;

    CU_ASSERT_EQUAL(err, 0);
    CU_ASSERT_EQUAL((int)got.what, event);
    CU_ASSERT_EQUAL(value, number);
    CU_ASSERT(event != TD_OS_TIME || OS(now) >= until);
    if (err || (int)got.what != event || value != number)
        printf("\n    %s: %d, event %d (%d, %d) and not %d (%d)\n", what, err, (int)got.what, got.status, got.signal,
               event, number);
}

static void start(char *first, char *second, char *third)
{
    char *argv[] = {first, second, third, NULL};

    CU_ASSERT_FATAL(OS(spawn, argv) > 0);
    CU_ASSERT_EQUAL(OS(release), 0);
}

/* What a command writes to its standard output, ended by NUL. */
static void output(char *first, char *second, char *third, char *out, size_t size)
{
    int ends[2], saved = fcntl(1, F_DUPFD_CLOEXEC, 3);
    ssize_t n;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    dup2(ends[1], 1);
    start(first, second, third);
    dup2(saved, 1);
    close(saved);
    close(ends[1]);
    wait_is(first, long_time, -1, TD_OS_EXIT, 0);
    n = read(ends[0], out, size - 1);
    out[n < 0 ? 0 : n] = '\0';
    close(ends[0]);
}

/* Two sleeps wait twice at least, and so does the shell for them; one that spins has run. */
static void used(void)
{
    char *argv[] = {"sh", "-c", "sleep 0.01; sleep 0.01; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done", NULL};
    struct td_os_used it = {0};
    struct td_os_event event;
    uint64_t until;
    pid_t pid = OS(spawn, argv);

    CU_ASSERT_FATAL(pid > 0);
    CU_ASSERT_EQUAL(OS(release), 0);
    CU_ASSERT_EQUAL(OS(used, pid, &it), -ESRCH);
    until = OS(now) + long_time;
    CU_ASSERT_EQUAL(OS(wait, until, -1, &event), 0);
    CU_ASSERT_EQUAL(OS(used, pid + 1, &it), -ESRCH);
    CU_ASSERT_EQUAL_FATAL(OS(used, pid, &it), 0);
    CU_ASSERT_TRUE(it.switches >= 4 && it.switches < 100000);
    CU_ASSERT_TRUE(it.ran > ms && it.ran < long_time);
    pid = OS(spawn, (char *[]){"true", NULL});
    CU_ASSERT_EQUAL(OS(used, pid, &it), -ESRCH); /* not even if it has the number again */
    CU_ASSERT_EQUAL(OS(release), 0);
    wait_is("true", long_time, -1, TD_OS_EXIT, 0);
}

static void ends(void)
{
    char *yes[] = {"true", NULL};

    CU_ASSERT_EQUAL(OS(release), -EINVAL);
    CU_ASSERT_EQUAL(OS(kill, SIGTERM), -ESRCH);
    start("true", NULL, NULL);
    wait_is("true", long_time, -1, TD_OS_EXIT, 0);
    wait_is("no more", 0, -1, TD_OS_TIME, 0);
    CU_ASSERT_EQUAL(OS(kill, SIGTERM), -ESRCH);
    start("/bin/false", NULL, NULL);
    wait_is("false", long_time, -1, TD_OS_EXIT, 1 << 8);
    start("sh", "-c", "exit 42");
    wait_is("exit 42", long_time, -1, TD_OS_EXIT, 42 << 8);
    CU_ASSERT(OS(spawn, yes) > 0);
    CU_ASSERT_EQUAL(OS(spawn, yes), -EBUSY);
    wait_is("it waits for release()", 50 * ms, -1, TD_OS_TIME, 0);
    CU_ASSERT_EQUAL(OS(release), 0);
    CU_ASSERT_EQUAL(OS(release), -EINVAL);
    wait_is("released", long_time, -1, TD_OS_EXIT, 0);
    yes[0] = NULL;
    CU_ASSERT_EQUAL(OS(spawn, yes), -EINVAL);
}

static void cannot_start(void)
{
    char path[] = "/tmp/tdprobe-test-XXXXXX", *missing[] = {"/nonexistent/command", NULL}, *plain[] = {path, NULL};
    int fd = mkstemp(path);

    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    CU_ASSERT(OS(spawn, missing) > 0);
    CU_ASSERT_EQUAL(OS(release), -ENOENT);
    wait_is("a command that is missing", 0, -1, TD_OS_TIME, 0);
    CU_ASSERT(OS(spawn, plain) > 0);
    CU_ASSERT_EQUAL(OS(release), -EACCES);
    CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left to wait for */
    CU_ASSERT_EQUAL(errno, ECHILD);
    unlink(path);
}

static void killed(void)
{
    char *argv[] = {"sleep", "60", NULL};

    start("sleep", "60", NULL);
    CU_ASSERT_EQUAL(OS(kill, SIGSTOP), 0);
    wait_is("a stop is no end", 100 * ms, -1, TD_OS_TIME, 0);
    CU_ASSERT_EQUAL(OS(kill, SIGKILL), 0);
    wait_is("SIGKILL", long_time, -1, TD_OS_EXIT, SIGKILL);
    /* before it runs, and the caller is not killed by a SIGPIPE */
    CU_ASSERT(OS(spawn, argv) > 0);
    CU_ASSERT_EQUAL(OS(kill, SIGTERM), 0);
    usleep(50000);
    CU_ASSERT_EQUAL(OS(release), 0);
    wait_is("SIGTERM before release", long_time, -1, TD_OS_EXIT, SIGTERM);
    CU_ASSERT(OS(spawn, argv) > 0);
    CU_ASSERT_EQUAL(OS(kill, SIGTERM), 0);
    wait_is("SIGTERM, and never released", long_time, -1, TD_OS_EXIT, SIGTERM);
    CU_ASSERT_EQUAL(OS(release), -EINVAL);
}

/* A set of signals of a command, by its name in procfs; those above 31 may be
 * anything, the C library has some of its own. */
static uint64_t signals_of_command(char *set)
{
    char line[64];

    output("grep", set, "/proc/self/status", line, sizeof(line));
    return strtoull(line + strcspn(line, "\t"), NULL, 16) & 0x7fffffff;
}

/* Where SIGCHLD is ignored, the kernel keeps no status; the command is told of
 * the caller's choice nevertheless, and the caller has it again after the end. */
static void ignored_sigchld(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before, now;

    sigaction(SIGCHLD, &ignore, &before);
    CU_ASSERT(signals_of_command("SigIgn") >> (SIGCHLD - 1) & 1);
    start("sh", "-c", "exit 3");
    wait_is("exit 3, SIGCHLD ignored", long_time, -1, TD_OS_EXIT, 3 << 8);
    sigaction(SIGCHLD, &before, &now);
    CU_ASSERT_PTR_EQUAL(now.sa_handler, SIG_IGN);
    CU_ASSERT(!(signals_of_command("SigIgn") >> (SIGCHLD - 1) & 1));
}

static void signals(void)
{
    static const int each[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2};
    char script[128];

    wait_is("taken from now on", 0, -1, TD_OS_TIME, 0);
    for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
        kill(getpid(), each[i]);
        wait_is("a signal to self", long_time, -1, TD_OS_SIGNAL, each[i]);
    }
    wait_is("once", 0, -1, TD_OS_TIME, 0);
    start("sleep", "60", NULL);
    kill(getpid(), SIGINT);
    wait_is("SIGINT, the command runs on", long_time, -1, TD_OS_SIGNAL, SIGINT);
    CU_ASSERT_EQUAL(OS(kill, 0), 0);
    OS(kill, SIGTERM);
    wait_is("SIGTERM", long_time, -1, TD_OS_EXIT, SIGTERM);
    /* while wait() sleeps: SIGCHLD alone is no reason to return */
    snprintf(script, sizeof(script), "sleep .02; kill -CHLD %d; sleep .5; kill -USR1 %d; exit 5", (int)getpid(),
             (int)getpid());
    start("sh", "-c", script);
    wait_is("SIGCHLD", 70 * ms, -1, TD_OS_TIME, 0);
    wait_is("SIGUSR1", long_time, -1, TD_OS_SIGNAL, SIGUSR1);
    wait_is("its end", long_time, -1, TD_OS_EXIT, 5 << 8);
}

static void waits(void)
{
    struct td_os_event got = {.status = 1, .signal = 1};
    uint64_t before = OS(now);
    int ends[2];

    wait_is("40 ms", 40 * ms, -1, TD_OS_TIME, 0);
    CU_ASSERT(OS(now) - before >= 40 * ms);
    CU_ASSERT_EQUAL(OS(wait, 0, -1, &got), 0); /* long past */
    CU_ASSERT_EQUAL(got.what, TD_OS_TIME);
    CU_ASSERT_EQUAL(got.status, 0);
    CU_ASSERT_EQUAL(got.signal, 0);

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    wait_is("nothing to read", 10 * ms, ends[0], TD_OS_TIME, 0);
    CU_ASSERT_EQUAL(write(ends[1], "x", 1), 1);
    wait_is("a byte", long_time, ends[0], TD_OS_INPUT, 0);
    wait_is("the byte is still there, and the time past", 0, ends[0], TD_OS_INPUT, 0);
    CU_ASSERT_EQUAL(OS(wait, UINT64_MAX, ends[0], &got), 0);
    CU_ASSERT_EQUAL(got.what, TD_OS_INPUT);
    CU_ASSERT_EQUAL(read(ends[0], &got, 1), 1);
    close(ends[1]);
    wait_is("the other end is closed", long_time, ends[0], TD_OS_INPUT, 0);
    close(ends[0]);
    /* all at once: the signal, then the end, then the input, then the time */
    start("true", NULL, NULL);
    while (waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOWAIT))
        ;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    close(ends[1]);
    kill(getpid(), SIGHUP);
    wait_is("first the signal", 0, ends[0], TD_OS_SIGNAL, SIGHUP);
    wait_is("then the end", 0, ends[0], TD_OS_EXIT, 0);
    wait_is("then the input", 0, ends[0], TD_OS_INPUT, 0);
    close(ends[0]);
}

static void caught(int signal)
{
    (void)signal;
}

/* The command gets the mask (SIGUSR2) and what is ignored (SIGUSR1), not what is
 * caught (SIGINT), and those descriptors that popen(3) gives its command as well. */
static int fresh(void)
{
    char got[256], fds[256] = "";
    FILE *direct;
    sigset_t set;

    for (int i = 1; i < 32; i++)
        signal(i, i == SIGUSR1 ? SIG_IGN : SIG_DFL);
    signal(SIGINT, caught);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_SETMASK, &set, NULL);
    direct = popen("exec ls -x /proc/self/fd", "r");
    if (!direct || !fgets(fds, sizeof(fds), direct) || pclose(direct))
        return 1;
    for (int i = 0; i < 2; i++) { /* the second time the signals are taken already */
        if (signals_of_command("SigBlk") != UINT64_C(1) << (SIGUSR2 - 1))
            return 2;
        if (signals_of_command("SigIgn") != UINT64_C(1) << (SIGUSR1 - 1))
            return 3;
        output("ls", "-x", "/proc/self/fd", got, sizeof(got));
        if (strcmp(got, fds))
            return printf("\n%s%s", got, fds), 4;
    }
    return 0;
}

/* nohup: SIGHUP is ignored and stays so. The other four are taken, also ignored. */
static int under_nohup(void)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    wait_is("taken", 0, -1, TD_OS_TIME, 0);
    raise(SIGHUP);
    wait_is("SIGHUP is ignored", 0, -1, TD_OS_TIME, 0);
    raise(SIGINT);
    wait_is("SIGINT is not", 0, -1, TD_OS_SIGNAL, SIGINT);
    return 0;
}

/* A process of its own, whose signals nobody has taken: so these tests come first
 * and no earlier suite may use td_os_linux to spawn or to wait. */
static void child_is_fine(int (*test)(void))
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    CU_ASSERT_FATAL(pid >= 0);
    if (pid == 0) {
        unsigned before = CU_get_number_of_failures();
        int code = test();

        fflush(stdout);
        code = code ? code : CU_get_number_of_failures() != before ? 100 : 0;
        if (code == 0) /* for valgrind, what we inherited would be lost at an exit */
            execlp("true", "true", (char *)NULL);
        _exit(code);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    if (status)
        printf("\n    the child ended with %d, signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
}

static int never_released(void)
{
    char *argv[] = {"echo", "ran", NULL};

    return OS(spawn, argv) > 0 ? 0 : 1;
}

/* Where the caller ends before release(), the command never runs, and nothing is
 * left that waits for ever. */
static void caller_gone(void)
{
    int ends[2], saved = fcntl(1, F_DUPFD_CLOEXEC, 3);
    struct pollfd end = {.events = POLLIN};

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    fflush(stdout);
    dup2(ends[1], 1);
    child_is_fine(never_released);
    dup2(saved, 1);
    close(saved);
    close(ends[1]);
    end.fd = ends[0];
    CU_ASSERT_EQUAL(poll(&end, 1, 5000), 1); /* no one has the other end any more */
    CU_ASSERT_EQUAL(end.revents, POLLHUP);
    close(ends[0]);
}

static void as_the_caller(void)
{
    child_is_fine(fresh);
}

static void nohup(void)
{
    child_is_fine(under_nohup);
}

static void nothing_leaks(void)
{
    struct td_os_event got;
    char out[64];
    int before = linux_descriptors();

    ends();
    cannot_start();
    killed();
    signals();
    waits();
    output("echo", "said", NULL, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(out, "said\n");
    CU_ASSERT_EQUAL(OS(wait, 0, 999, &got), -EBADF);
    CU_ASSERT_EQUAL(linux_descriptors(), before);
}

static const CU_TestInfo tests[] = {
    {"the command has the caller's signals and descriptors", as_the_caller},
    {"under nohup SIGHUP stays ignored", nohup},
    {"a caller that ends before release", caller_gone},
    {"how a command ends", ends},
    {"what a command used", used},
    {"commands that cannot start", cannot_start},
    {"killed and stopped commands", killed},
    {"SIGCHLD ignored by the caller", ignored_sigchld},
    {"signals", signals},
    {"times and input", waits},
    {"no descriptor leaks", nothing_leaks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE_FIRST("os: commands", tests);
