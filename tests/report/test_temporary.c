/* SPDX-License-Identifier: MIT */
/* Files that get their name when they are complete: what they are until then, who is kept off, which signals remove
 * them, and who may end them. */
#include "report/temporary.h"

#include "report/kept.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOMEBODY = 4242 };

static char folder[24], path[40], beside[64];
static struct td_temporary t;

static void begin(void)
{
    strcpy(folder, "whole-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/f", folder);
    snprintf(beside, sizeof(beside), "%s/f" TD_KEPT_ENDING, folder);
}

static void end(void)
{
    unlink(path);
    CU_ASSERT_EQUAL(rmdir(folder), 0); /* nothing else is left */
}

static bool is_there(const char *name)
{
    struct stat st;

    return !lstat(name, &st);
}

static void put(int fd, const char *text)
{
    CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void make(const char *text)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    CU_ASSERT_FATAL(fd >= 0);
    put(fd, text);
    close(fd);
}

/* Whether the file has this and nothing else. */
static bool has(const char *text)
{
    static char found[65536];
    const int fd = open(path, O_RDONLY);
    const ssize_t n = fd < 0 ? -1 : read(fd, found, sizeof(found));

    if (fd >= 0)
        close(fd);
    return n == (ssize_t)strlen(text) && !memcmp(found, text, (size_t)n);
}

/* What a function returns in a process of its own; 128 and more: the signal that ended it. It succeeds by another
 * program: valgrind would report what it inherited as lost at its exit. */
static int elsewhere(int (*what)(void))
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (!pid) {
        const int code = what();

        if (!code)
            execl("/bin/true", "true", (char *)NULL);
        _exit(code);
    }
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- one process ---------------------------------------------------------------------- */

static void fresh(void)
{
    const mode_t mask = umask(027);
    struct stat st;
    int fd;

    begin();
    fd = td_temporary_open(&t, path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT(t.target == -1 && t.held == -1);
    CU_ASSERT_STRING_EQUAL(t.name, beside);
    CU_ASSERT(is_there(beside) && !is_there(path));
    CU_ASSERT(!fstat(fd, &st) && (st.st_mode & 07777) == 0640);
    CU_ASSERT_EQUAL(umask(027), 027); /* which is this process's again */
    put(fd, "new");
    CU_ASSERT_EQUAL(td_temporary_close(&t, fd, true), 0);
    CU_ASSERT(!t.name && !t.path && t.target == -1 && t.held == -1);
    CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), -1);
    CU_ASSERT(has("new") && !is_there(beside));
    umask(mask);
    end();
}

/* The file that is there keeps its content, and nobody else may begin to write it. */
static void existing(void)
{
    struct stat before, after;
    int fd, held;

    begin();
    make("old");
    CU_ASSERT(!chmod(path, 04751) && !stat(path, &before));
    for (int whole = 0; whole < 2; whole++) {
        fd = td_temporary_open(&t, path);
        CU_ASSERT_FATAL(fd >= 0);
        CU_ASSERT(t.target == -1 && t.held >= 0);
        CU_ASSERT_EQUAL(td_kept_hold(path), -EALREADY);
        held = t.held;
        put(fd, "new");
        CU_ASSERT(has("old"));
        CU_ASSERT_EQUAL(td_temporary_close(&t, fd, whole), 0);
        CU_ASSERT(has(whole ? "new" : "old") && !is_there(beside));
        CU_ASSERT(fcntl(fd, F_GETFD) == -1 && fcntl(held, F_GETFD) == -1);
        CU_ASSERT(!stat(path, &after) && (after.st_mode & 07777) == 04751);
        CU_ASSERT_EQUAL(after.st_ino == before.st_ino, !whole);
    }
    end();
}

/* What another process locks is not written, and stays. */
static void taken(void)
{
    int fd;

    begin();
    make("old");
    fd = td_kept_hold(path);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(td_temporary_open(&t, path), -EALREADY);
    CU_ASSERT(!t.name && t.target == -1 && t.held == -1 && has("old") && !is_there(beside));
    close(fd);
    fd = td_kept_begin(beside);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(td_temporary_open(&t, path), -EALREADY);
    CU_ASSERT(is_there(beside));
    close(fd);
    unlink(beside);
    end();
    CU_ASSERT_EQUAL(td_temporary_open(&t, path), -ENOENT);
}

static void handler(int number)
{
    (void)number;
}

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGPIPE, SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ};
enum { ENDING = sizeof(ending) / sizeof(*ending) };

static size_t ignored; /* which of them is; the one after it has a handler */

/* 0: all others are as wanted. */
static int are(bool usual)
{
    for (size_t i = 0; i < ENDING; i++) {
        struct sigaction is;

        if (sigaction(ending[i], NULL, &is))
            return 1;
        if (i == ignored || i == ignored + 1 ? is.sa_handler != (i == ignored ? SIG_IGN : handler)
                                             : (is.sa_handler == SIG_DFL) != usual)
            return 1;
    }
    return 0;
}

/* While the file is open, what would end the process removes it; what was ignored or handled stays so, and the signals
 * that were blocked. */
static int signals(void)
{
    sigset_t some, now;
    int fd;

    for (size_t i = 0; i < ENDING; i++)
        signal(ending[i], i == ignored ? SIG_IGN : i == ignored + 1 ? handler : SIG_DFL);
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    sigprocmask(SIG_SETMASK, &some, NULL);
    fd = td_temporary_open(&t, path);
    if (fd < 0 || are(false))
        return 1;
    sigprocmask(SIG_BLOCK, NULL, &now);
    if (!sigismember(&now, SIGUSR2) || sigismember(&now, SIGTERM) || sigismember(&now, SIGINT))
        return 2;
    if (td_temporary_close(&t, fd, false) || are(true))
        return 3;
    sigprocmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGUSR2) && !sigismember(&now, SIGTERM) ? 0 : 4;
}

static void handlers(void)
{
    begin();
    for (ignored = 0; ignored < ENDING; ignored += 5)
        CU_ASSERT_EQUAL(elsewhere(signals), 0);
    end();
}

/* ---- files of others ------------------------------------------------------------------- */

/* A folder whose names may not be read may be written; that they are on the disk is then not known. */
static int blind(void)
{
    int fd;

    if (!geteuid() && (setgid(SOMEBODY) || setuid(SOMEBODY)))
        return 1;
    fd = td_temporary_open(&t, path);
    if (fd < 0)
        return 2;
    if (write(fd, "new", 3) != 3 || td_temporary_close(&t, fd, true))
        return 3;
    return has("new") ? 0 : 4;
}

static void folder_without_names(void)
{
    begin();
    CU_ASSERT(geteuid() || !chown(folder, SOMEBODY, SOMEBODY));
    CU_ASSERT_EQUAL(chmod(folder, 0300), 0);
    CU_ASSERT_EQUAL(elsewhere(blind), 0);
    CU_ASSERT_EQUAL(chmod(folder, 0700), 0);
    end();
}

static char large[40001];

/* Writes a text into a file of another owner. */
static int filled(const char *text)
{
    const int fd = td_temporary_open(&t, path);

    if (fd < 0 || t.target < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        return 1;
    return td_temporary_close(&t, fd, true) || !has(text);
}

/* Where the file cannot become as long, nothing of what it had is lost. */
static int no_room(void)
{
    const struct rlimit limit = {7, 7};
    const int fd = td_temporary_open(&t, path);

    signal(SIGXFSZ, SIG_IGN);
    if (fd < 0 || write(fd, "12345678", 8) != 8 || setrlimit(RLIMIT_FSIZE, &limit))
        return 1;
    return td_temporary_close(&t, fd, true) != -EFBIG || !has("short") || is_there(beside);
}

/* Of the same length, longer by several pieces that are copied, and shorter. */
static int by_another(void)
{
    if (setgid(SOMEBODY) || setuid(SOMEBODY))
        return 1;
    memset(large, 'x', sizeof(large) - 1);
    large[20000] = 'y';
    if (filled("new") || filled(large) || filled("short"))
        return 2;
    return no_room() ? 3 : 0;
}

static void files_of_others(void)
{
    if (geteuid()) {
        unit_skip("only root can make a file of another owner");
        return;
    }
    begin();
    make("old");
    CU_ASSERT(!chmod(path, 0666) && !chmod(folder, 0777));
    CU_ASSERT_EQUAL(elsewhere(by_another), 0);
    CU_ASSERT(has("short"));
    end();
}

/* ---- another process ends it --------------------------------------------------------------- */

/* Gives up the right to rename, which only the other process has then. */
static bool give_up(void)
{
    return geteuid() || (!setgid(SOMEBODY) && !setuid(SOMEBODY));
}

static int entrusted_open(bool whole)
{
    const int fd = td_temporary_open(&t, path);

    if (fd < 0 || !td_temporary_entrust(path) || !give_up() || write(fd, "new", 3) != 3)
        return 1;
    if (td_temporary_close(&t, fd, whole))
        return 2;
    return t.name || fcntl(fd, F_GETFD) != -1 ? 3 : 0;
}

static int kept_open(void)
{
    return entrusted_open(true);
}

static int dropped_open(void)
{
    return entrusted_open(false);
}

/* Entrusted first: the file is there at once, and opening it later gives that one. */
static int entrusted(void)
{
    int fd;

    if (!td_temporary_entrust(path) || !is_there(beside) || !give_up())
        return 1;
    fd = td_temporary_open(&t, path);
    if (fd < 0 || !t.name || strcmp(t.path, path) != 0)
        return 2;
    return write(fd, "more", 4) == 4 && !td_temporary_close(&t, fd, true) ? 0 : 3;
}

/* What cannot be opened is told when it is opened. */
static int entrusted_nothing(void)
{
    if (!td_temporary_entrust("whole-test-none/f"))
        return 1;
    return td_temporary_open(&t, "whole-test-none/f") == -ENOENT ? 0 : 2;
}

/* Ends by a signal, which it had blocked at first. */
static int ended(void)
{
    sigset_t none;

    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (td_temporary_open(&t, path) < 0 || !td_temporary_entrust(path))
        return 1;
    raise(SIGTERM);
    return 2;
}

enum { NOT_STARTED = 3 };

/* Ends with the file open, without a word. */
static int left(void)
{
    if (!td_temporary_entrust(path) || !is_there(beside))
        return NOT_STARTED;
    exit(0);
}

static void keepers(void)
{
    begin();
    CU_ASSERT_EQUAL(elsewhere(kept_open), 0);
    CU_ASSERT(has("new") && !is_there(beside));
    unlink(path);
    CU_ASSERT_EQUAL(elsewhere(dropped_open), 0);
    CU_ASSERT(!is_there(path) && !is_there(beside));
    CU_ASSERT_EQUAL(elsewhere(entrusted), 0);
    CU_ASSERT(has("more") && !is_there(beside));
    CU_ASSERT_EQUAL(elsewhere(entrusted_nothing), 0);
    CU_ASSERT_EQUAL(elsewhere(ended), 128 + SIGTERM);
    CU_ASSERT(has("more") && !is_there(beside));
    CU_ASSERT_NOT_EQUAL(elsewhere(left), NOT_STARTED);
    CU_ASSERT(has("more") && !is_there(beside));
    end();
}

static const CU_TestInfo tests[] = {
    {"no file before", fresh},
    {"a file before", existing},
    {"a file that is taken", taken},
    {"signals", handlers},
    {"a folder that may not be read", folder_without_names},
    {"a file of somebody else", files_of_others},
    {"another process ends it", keepers},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("files that are whole at the end", tests);
