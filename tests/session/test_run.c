/* SPDX-License-Identifier: MIT */
/* td_run.h: the same commands, signals and times on this machine and on a simulated one. */
#include "include/td_run.h"

#include "live/latency/latencies.h"
#include "live/meter.h"
#include "private/run.h"
#include "session/session.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD \
    "# tdprobe-machine: 1\ncpus 0-1\nworkload w rate=1000000000\nphase ms=1000 retiring=0.2 bad=0.2 frontend=0.2 backend=0.4\n"

static const uint64_t ms = 1000000, long_time = UINT64_C(20000000000); /* ns */

static ssize_t read_text(void *ctx, void *buf, size_t size)
{
    const char **at = ctx;
    size_t n = strlen(*at) < size ? strlen(*at) : size;

    memcpy(buf, *at, n);
    *at += n;
    return (ssize_t)n;
}

/* A handle for a described machine, NULL: this one. */
static struct td *machine(const char *text)
{
    struct td *td = td_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    if (text)
        CU_ASSERT_EQUAL_FATAL(td_set_machine(td, "machine", read_text, &text), 0);
    return td;
}

static void wait_is(struct td *td, uint64_t ns, int fd, enum td_run_what what, int number)
{
    const uint64_t until = td_run_now(td) + ns;
    struct td_run_event got = {.size = sizeof(got), .what = TD_RUN_INPUT};

    CU_ASSERT_EQUAL(td_run_wait(td, until, fd, &got), 0);
    CU_ASSERT_EQUAL(got.what, what);
    CU_ASSERT_EQUAL(got.what == TD_RUN_EXIT ? got.status : got.what == TD_RUN_SIGNAL ? got.signal : 0, number);
    CU_ASSERT(what != TD_RUN_TIME || td_run_now(td) >= until);
    CU_ASSERT(what == TD_RUN_TIME || td_run_now(td) < until);
}

static void ends(struct td *td, char *word, int status)
{
    char *argv[] = {word, NULL};
    pid_t pid = td_run_start(td, argv);

    CU_ASSERT_FATAL(pid > 0);
    CU_ASSERT(td_run_alive(td, pid));
    wait_is(td, 20 * ms, -1, TD_RUN_TIME, 0); /* not before it is released */
    CU_ASSERT_EQUAL(td_run_start(td, argv), -EBUSY);
    CU_ASSERT_EQUAL(td_run_release(td), 0);
    wait_is(td, long_time, -1, TD_RUN_EXIT, status);
    CU_ASSERT(!td_run_alive(td, pid));
    wait_is(td, 1 * ms, -1, TD_RUN_TIME, 0); /* reported once */
    CU_ASSERT_EQUAL(td_run_kill(td, SIGTERM), -ESRCH);
}

static void is_killed(struct td *td, char *first, char *second)
{
    char *argv[] = {first, second, NULL};

    CU_ASSERT_FATAL(td_run_start(td, argv) > 0);
    CU_ASSERT_EQUAL(td_run_release(td), 0);
    CU_ASSERT_EQUAL(td_run_kill(td, SIGTERM), 0);
    wait_is(td, long_time, -1, TD_RUN_EXIT, SIGTERM);
}

/* Calls that fail, and what td_error() then returns. */
static void cannot(struct td *td)
{
    char *none[] = {NULL}, *missing[] = {"no-such-command", NULL};

    CU_ASSERT_EQUAL(td_run_start(td, none), -EINVAL);
    CU_ASSERT(td_run_release(td) < 0);
    CU_ASSERT_FATAL(td_run_start(td, missing) > 0);
    CU_ASSERT_EQUAL(td_run_release(td), -ENOENT);
    CU_ASSERT_STRING_EQUAL(td_error(td), "'no-such-command' cannot be run: No such file or directory");
    CU_ASSERT_EQUAL(td_run_pin(td, 8000), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the command cannot be bound to CPU 8000: Invalid argument");
    CU_ASSERT_EQUAL(td_run_pin(td, 0), 0);
    CU_ASSERT_EQUAL(td_run_pin(td, -1), 0);
    CU_ASSERT_EQUAL(td_run_signals(td), 0);
}

static void here(void)
{
    struct td_run_event got = {.size = sizeof(got)};
    struct td *td = machine(NULL);
    int pipe_ends[2];

    cannot(td);
    ends(td, "true", 0);
    ends(td, "false", 1 << 8);
    is_killed(td, "sleep", "20");
    kill(getpid(), SIGUSR1);
    wait_is(td, long_time, -1, TD_RUN_SIGNAL, SIGUSR1);
    CU_ASSERT_EQUAL_FATAL(pipe(pipe_ends), 0);
    wait_is(td, 1 * ms, pipe_ends[0], TD_RUN_TIME, 0);
    close(pipe_ends[1]);
    wait_is(td, long_time, pipe_ends[0], TD_RUN_INPUT, 0);
    close(pipe_ends[0]);
    CU_ASSERT_EQUAL(td_run_wait(td, 0, 999, &got), -EBADF);
    CU_ASSERT_STRING_EQUAL(td_error(td), "waiting failed: Bad file descriptor");
    CU_ASSERT(td_run_alive(td, getpid()));
    td_free(td);
}

/* A child that has ended but that nobody has waited for. */
static void zombie(void)
{
    struct td *td = machine(NULL);
    siginfo_t info;
    pid_t pid = fork();

    if (!pid)
        execl("/bin/true", "true", (char *)NULL);
    CU_ASSERT_FATAL(pid > 0);
    CU_ASSERT_EQUAL(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    CU_ASSERT(!td_run_alive(td, pid));
    waitpid(pid, NULL, 0);
    td_free(td);
}

static void simulated(void)
{
    struct td *td = machine(HEAD "command w ms=500 exit=3\nsignal SIGUSR2 at=5000\n");
    struct td_run_event got = {.size = sizeof(got)};

    cannot(td);
    ends(td, "x", 3 << 8);
    is_killed(td, "x", NULL);
    wait_is(td, long_time, -1, TD_RUN_SIGNAL, SIGUSR2);
    CU_ASSERT_EQUAL(td_run_wait(td, UINT64_MAX, -1, &got), -EDEADLK);
    td_free(td);
}

static void without_a_command(void)
{
    char *argv[] = {"x", NULL};
    struct td *td = machine(HEAD);

    CU_ASSERT_EQUAL(td_run_start(td, argv), -EAGAIN);
    CU_ASSERT_STRING_EQUAL(td_error(td), "'x' cannot be started: Resource temporarily unavailable");
    td_free(td);
}

/* A machine's time passes at once, unless it is paced: then as fast as that of this one, after whose 20 ms it stands
 * still no less. This machine's own is not changed. */
static void paced(void)
{
    struct td *own = machine(NULL), *td = machine(HEAD);

    td_run_pace(own, true);
    for (int on = 1; on >= 0; on--) {
        const uint64_t begin = td_run_now(own);

        td_run_pace(td, on);
        wait_is(td, on ? 20 * ms : 3600 * 1000 * ms, -1, TD_RUN_TIME, 0);
        CU_ASSERT(on ? td_run_now(own) - begin >= 20 * ms : td_run_now(own) - begin < 3600 * 1000 * ms);
    }
    td_free(td);
    td_free(own);
}

static int interrupted(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    unsigned *times = ctx;

    (void)until;
    (void)fd;
    *out = (struct td_os_event){.what = TD_OS_SIGNAL, .signal = SIGHUP, .group = true};
    return ++*times < 3 ? -EINTR : 0;
}

static void repeats_what_was_interrupted(void)
{
    unsigned times = 0;
    const struct td_os os = {.wait = interrupted, .ctx = &times};
    struct td *td = machine(NULL);
    struct td_run_event got = {.size = sizeof(got)};

    td->os = &os;
    CU_ASSERT_EQUAL(td_run_wait(td, 0, -1, &got), 0);
    CU_ASSERT(times == 3 && got.what == TD_RUN_SIGNAL && got.signal == SIGHUP && got.group);
    td->os = NULL;
    td_free(td);
}

enum { STEPS_MAX = 8 };

/* Until when each wait was. */
static struct {
    const struct td_os *real;
    uint64_t until[STEPS_MAX];
    size_t n;
} steps;

static int note_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    if (steps.n < STEPS_MAX)
        steps.until[steps.n++] = until;
    return steps.real->wait(ctx, until, fd, out);
}

/* Where latencies are sampled, rings are emptied each 100 ms while a wait lasts; it is over at once where its time has
 * passed. Else it is one. */
static void waits_in_steps(void)
{
    static const struct {
        bool sampled;
        int64_t ns;
        size_t n;
        uint64_t at[STEPS_MAX]; /* after the beginning */
    } rows[] = {
        {true, 250000000, 3, {100000000, 200000000, 250000000}},
        {true, 100000000, 1, {100000000}},
        {true, 100000001, 2, {100000000, 100000001}},
        {true, 200000000, 2, {100000000, 200000000}},
        {true, 0, 1, {0}},
        {true, -1, 1, {UINT64_MAX}},
        {false, 250000000, 1, {250000000}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static const int cpu = 0;
        const struct td_live what = {.size = sizeof(what), .cpus = &cpu, .ncpus = 1};
        struct td *td = on_shipped_machine(rows[i].sampled ? "graniterapids" : "skylake");
        struct td_run_event got = {.size = sizeof(got)};
        struct td_os os = *td_session_os(td);
        uint64_t begin;

        CU_ASSERT_FATAL(!td_set_metrics(td, "all") && !td_open_live(td, &what));
        CU_ASSERT_EQUAL(td_latencies_any(td->meter), rows[i].sampled);
        steps.real = td_session_os(td);
        steps.n = 0;
        os.wait = note_wait;
        td->os = &os;
        begin = td_run_now(td);
        CU_ASSERT_EQUAL(td_run_wait(td, begin + (uint64_t)rows[i].ns, -1, &got), 0);
        CU_ASSERT_EQUAL(got.what, TD_RUN_TIME);
        CU_ASSERT_EQUAL(steps.n, rows[i].n);
        for (size_t k = 0; k < steps.n; k++)
            CU_ASSERT_EQUAL(steps.until[k], begin + rows[i].at[k]);
        td->os = NULL;
        td_free(td);
    }
}

/* What a wait was refused for. */
static int refuse_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    (void)until, (void)fd, (void)out;
    return *(const int *)ctx;
}

static void waits_that_fail(void)
{
    static const struct {
        int err;
        const char *said;
    } rows[] = {
        {-EMFILE, "too many open files: waiting for the command needs some too; raise the limit (ulimit -n)"},
        {-ENFILE, "too many open files: waiting for the command needs some too; raise the limit (ulimit -n)"},
        {-EIO, "waiting failed: Input/output error"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        int err = rows[i].err;
        const struct td_os os = {.wait = refuse_wait, .ctx = &err};
        struct td *td = machine(NULL);
        struct td_run_event got = {.size = sizeof(got)}, old = {.size = 0};

        td->os = &os;
        CU_ASSERT_EQUAL(td_run_wait(td, 0, -1, &got), err);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].said);
        CU_ASSERT_EQUAL(td_run_wait(td, 0, -1, &old), -EINVAL);
        td->os = NULL;
        td_free(td);
    }
}

/* A task whose name is there, and whose state is not, or is this; where the state is empty, the name is. */
static ssize_t tell_state(void *ctx, const char *path, char *buf, size_t size)
{
    const char *state = ctx;

    if (!strcmp(path, "/proc/7/comm"))
        return snprintf(buf, size, "%s", state && !*state ? "" : "app\n");
    CU_ASSERT_STRING_EQUAL(path, "/proc/7/stat");
    return state ? snprintf(buf, size, "%s", state) : -ENOENT;
}

static void states(void)
{
    static const struct {
        const char *state;
        bool alive;
    } rows[] = {
        {NULL, true},
        {"7 (app) R 1", true},
        {"7 (app) Z 1", false},
        {"7 () Z 1) R 1", true},
        {"7 (Z) Z 1", false},
        {"7 app Z 1", true},
        {"", true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_os os = {.file = tell_state, .ctx = (void *)(uintptr_t)rows[i].state};
        struct td *td = machine(NULL);

        td->os = &os;
        CU_ASSERT_EQUAL(td_run_alive(td, 7), rows[i].alive);
        td->os = NULL;
        td_free(td);
    }
}

/* A handle takes another's machine before it is opened, measures, or has a simulated machine. */
static void shared(void)
{
    const struct td_os os = {.name = "os"};
    struct td *of = machine(NULL);

    of->os = &os;
    for (int set = 0; set < 4; set++) {
        struct td *td = set == 3 ? on_shipped_machine("skylake") : td_new();

        CU_ASSERT_FATAL(td != NULL);
        td->opened = set == 1;
        td->meter = set == 2 ? (struct td_meter *)of : NULL; /* any: it is not looked at */
        CU_ASSERT_EQUAL(td_run_share(td, of), set ? -EINVAL : 0);
        CU_ASSERT_EQUAL(td->os == &os, !set);
        td->os = NULL;
        td->meter = NULL;
        td_free(td);
    }
    of->os = NULL;
    td_free(of);
}

static int refuse_signals(void *ctx)
{
    return *(const int *)ctx;
}

static void signals_that_cannot_be_taken(void)
{
    int refused = -EINVAL;
    const struct td_os os = {.signals = refuse_signals, .ctx = &refused};
    struct td *td = machine(NULL);

    td->os = &os;
    CU_ASSERT_EQUAL(td_run_signals(td), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "signals cannot be taken: Invalid argument");
    refused = 0;
    CU_ASSERT_EQUAL(td_run_signals(td), 0);
    td->os = NULL;
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"on this machine", here},
    {"a zombie", zombie},
    {"a machine that is shared", shared},
    {"on a simulated machine", simulated},
    {"a simulated machine without a command", without_a_command},
    {"a simulated machine's pace", paced},
    {"an interrupted wait", repeats_what_was_interrupted},
    {"waits in steps", waits_in_steps},
    {"waits that fail", waits_that_fail},
    {"states of a task", states},
    {"signals that cannot be taken", signals_that_cannot_be_taken},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("run", tests);
