/* SPDX-License-Identifier: MIT */
/* A process that ends what another has begun: it is told whether that is whole, or finds that nobody is there any more.
 */
#include "report/keeper.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int answer(void *ctx, bool whole)
{
    (void)ctx;
    return whole ? -EROFS : -ENOSPC;
}

/* What end() returns in the other process is returned here, where nothing is left open. An earlier call that was
 * interrupted is none of its concern. */
static void told(void)
{
    for (int whole = 0; whole < 2; whole++) {
        struct td_keeper k;
        int fd;

        errno = EINTR;
        CU_ASSERT_TRUE_FATAL(td_keeper_start(&k, answer, NULL));
        CU_ASSERT(k.pid > 0 && k.fd >= 0 && fcntl(k.fd, F_GETFD) == FD_CLOEXEC);
        fd = k.fd;
        CU_ASSERT_EQUAL(td_keeper_end(&k, whole), whole ? -EROFS : -ENOSPC);
        CU_ASSERT(!k.pid && k.fd == -1 && !k.word);
        CU_ASSERT(fcntl(fd, F_GETFD) < 0 && errno == EBADF);
        CU_ASSERT(fcntl(1, F_GETFD) >= 0); /* and nothing else is closed */
        CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    }
}

/* No signal but SIGKILL ends it, and this process has the same signals as before. */
static void killed(void)
{
    struct td_keeper k;
    sigset_t before, after, some;

    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigprocmask(SIG_SETMASK, &some, &before);
    CU_ASSERT_TRUE_FATAL(td_keeper_start(&k, answer, NULL));
    sigprocmask(SIG_SETMASK, &before, &after);
    CU_ASSERT(sigismember(&after, SIGUSR2) == 1 && sigismember(&after, SIGUSR1) == 0 &&
              sigismember(&after, SIGINT) == 0);
    kill(k.pid, SIGTERM);
    kill(k.pid, SIGINT);
    CU_ASSERT_EQUAL(td_keeper_end(&k, true), -EROFS);
    CU_ASSERT_TRUE_FATAL(td_keeper_start(&k, answer, NULL));
    kill(k.pid, SIGKILL);
    CU_ASSERT_EQUAL(td_keeper_end(&k, true), -EOWNERDEAD);
}

/* Where no descriptors are left, no process is started. */
static int start_without_descriptors(void)
{
    struct rlimit was, none;
    struct td_keeper k;
    int code;

    if (getrlimit(RLIMIT_NOFILE, &was))
        return 1;
    none = (struct rlimit){0, was.rlim_max};
    code = setrlimit(RLIMIT_NOFILE, &none) || td_keeper_start(&k, answer, NULL) || waitpid(-1, NULL, 0) >= 0;
    return setrlimit(RLIMIT_NOFILE, &was) ? 1 : code;
}

static void no_descriptors(void)
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (!pid) {
        const int code = start_without_descriptors();

        if (!code)
            execl("/bin/true", "true", (char *)NULL); /* as valgrind would report what is inherited as lost */
        _exit(code);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
}

/* Writes into a pipe whether it is whole. */
static int tell(void *ctx, bool whole)
{
    return write(*(const int *)ctx, whole ? "w" : "-", 1) == 1 ? 0 : -errno;
}

/* What it has begun is not whole where its process ends without a word. */
static void alone(void)
{
    int ends[2];
    char said = '?';
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid = fork();
    if (!pid) {
        struct td_keeper k;

        close(ends[0]);
        _exit(!td_keeper_start(&k, tell, &ends[1]));
    }
    close(ends[1]);
    CU_ASSERT_EQUAL(read(ends[0], &said, 1), 1);
    CU_ASSERT_EQUAL(said, '-');
    CU_ASSERT_EQUAL(read(ends[0], &said, 1), 0); /* it has ended, too */
    close(ends[0]);
    CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
}

static const CU_TestInfo tests[] = {
    {"told", told}, {"killed", killed}, {"alone", alone}, {"no descriptors", no_descriptors}, CU_TEST_INFO_NULL};
UNIT_SUITE_FIRST("keepers", tests);
