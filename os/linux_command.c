/* SPDX-License-Identifier: MIT */
/* Runs one command, and waits for its end, for signals, for input and for a time.
 *
 * The signals are blocked and read from a signalfd that exists only during one
 * wait(): between two of them they stay pending, so none is lost, no handler is
 * needed and no descriptor is kept. They are never unblocked again, since a
 * Ctrl-C after the last wait() must not prevent what is still to be printed. */
#include "os/linux.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};

static struct {
    bool taken;
    sigset_t set; /* the signals that are taken */
    sigset_t before; /* the mask that the caller had, and that the command gets */
    pid_t pid; /* the command, 0: none */
    int link; /* a socket to the child until it runs the command, or -1 */
    pid_t ended; /* the last command whose end was reported, 0: none */
    struct td_os_used used; /* what that command used */
    bool chld_changed;
    struct sigaction chld; /* what the caller did about SIGCHLD, if that was changed */
} run = {.link = -1};

/* An ignored SIGHUP comes from nohup, and stays ignored: blocked, the signalfd
 * would still receive it. An ignored SIGINT only means that the shell started us
 * in the background, where scripts end a measurement by kill -INT. */
static void signals_choose(sigset_t *out)
{
    sigemptyset(out);
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
        struct sigaction action;

        if (signals[i] == SIGHUP && !sigaction(SIGHUP, NULL, &action) && action.sa_handler == SIG_IGN)
            continue;
        sigaddset(out, signals[i]);
    }
}

/* Blocks the signals. Done at each call, since each thread has its own mask. */
static int signals_take(void)
{
    sigset_t before;
    int err;

    if (!run.taken)
        signals_choose(&run.set);
    err = pthread_sigmask(SIG_BLOCK, &run.set, &before);
    if (err)
        return -err;
    if (!run.taken)
        run.before = before;
    run.taken = true;
    return 0;
}

/* Stops ignoring SIGCHLD: if it is ignored, children vanish together with their status. */
static int chld_keep(void)
{
    struct sigaction usual;

    if (sigaction(SIGCHLD, NULL, &run.chld))
        return -errno;
    run.chld_changed = run.chld.sa_handler == SIG_IGN || (run.chld.sa_flags & SA_NOCLDWAIT);
    if (!run.chld_changed)
        return 0;
    memset(&usual, 0, sizeof(usual));
    usual.sa_handler = SIG_DFL;
    return sigaction(SIGCHLD, &usual, NULL) ? -errno : 0;
}

static void chld_restore(void)
{
    if (run.chld_changed)
        sigaction(SIGCHLD, &run.chld, NULL);
    run.chld_changed = false;
}

/* The command has ended, and was reaped. */
static void forget(void)
{
    if (run.link >= 0)
        close(run.link);
    run.link = -1;
    run.pid = 0;
    chld_restore();
}

/* ---- in the child, until it is the command --------------------------------- */

/* Resets signals as execvp(3) will, but earlier: a handler of the caller's must not run in the child, and a signal that
 * comes before release() must end it. */
static void child_signals(void)
{
    struct sigaction action, usual;

    chld_restore();
    memset(&usual, 0, sizeof(usual));
    usual.sa_handler = SIG_DFL;
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (!sigaction(signals[i], NULL, &action) && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL)
            sigaction(signals[i], &usual, NULL);
    pthread_sigmask(SIG_SETMASK, &run.before, NULL);
}

static _Noreturn void child(int link, char *const argv[])
{
    ssize_t n;
    char go;
    int err;

    child_signals();
    do
        n = read(link, &go, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1) /* the caller ended without release() */
        _exit(127);
    execvp(argv[0], argv);
    err = errno;
    send(link, &err, sizeof(err), MSG_NOSIGNAL);
    _exit(127);
}

/* ---- the caller ------------------------------------------------------------- */

static pid_t start(char *const argv[])
{
    int ends[2];
    pid_t pid;

    /* a socket, not a pipe: a write to a child that is gone raises no SIGPIPE */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -errno;
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child(ends[1], argv);
    }
    if (pid < 0) {
        pid = -errno;
        close(ends[0]);
    } else {
        run.link = ends[0];
    }
    close(ends[1]);
    return pid;
}

int td_os_run_signals(void *ctx)
{
    (void)ctx;
    return signals_take();
}

pid_t td_os_run_spawn(void *ctx, char *const argv[])
{
    pid_t pid;
    int err;

    (void)ctx;
    if (run.pid)
        return -EBUSY;
    if (!argv || !argv[0])
        return -EINVAL;
    err = signals_take();
    if (!err)
        err = chld_keep();
    if (err)
        return err;
    pid = start(argv);
    if (pid < 0)
        chld_restore();
    else
        run.pid = pid;
    run.ended = 0; /* its pid may be reused */
    return pid;
}

static ssize_t link_read(void *buf, size_t size)
{
    ssize_t n;

    do
        n = recv(run.link, buf, size, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

/* execvp() closes the child's end of the socket, which is end of file here. So does
 * its death, for whatever reason: there was a command then, and wait() reports
 * how it ended. */
int td_os_run_release(void *ctx)
{
    int err = 0;

    (void)ctx;
    if (!run.pid || run.link < 0)
        return -EINVAL;
    send(run.link, "", 1, MSG_NOSIGNAL);
    if (link_read(&err, sizeof(err)) == (ssize_t)sizeof(err)) {
        while (waitpid(run.pid, NULL, 0) < 0 && errno == EINTR)
            ;
        forget();
        return -err;
    }
    close(run.link);
    run.link = -1;
    return 0;
}

int td_os_run_kill(void *ctx, int signal)
{
    (void)ctx;
    if (!run.pid)
        return -ESRCH;
    return kill(run.pid, signal) ? -errno : 0;
}

/* ---- waiting ------------------------------------------------------------------ */

/* Whether the command gets the signal too: a terminal sends it to all of its
 * foreground group. Only SIGHUP to the leader of a session is for it alone
 * (tty_signal_session_leader() in drivers/tty/tty_jobctrl.c). */
static bool to_group(const struct signalfd_siginfo *info)
{
    if (info->ssi_code != SI_KERNEL || (info->ssi_signo == SIGHUP && getsid(0) == getpid()))
        return false;
    return !run.pid || getpgid(run.pid) == getpgrp();
}

/* Whether a signal came that *out reports: 1, 0 or -errno. SIGCHLD only wakes us: waitpid() has the details. */
static int signal_came(int fd, struct td_os_event *out)
{
    struct signalfd_siginfo info;
    ssize_t n;

    while ((n = read(fd, &info, sizeof(info))) == (ssize_t)sizeof(info))
        if (info.ssi_signo != SIGCHLD) {
            out->what = TD_OS_SIGNAL;
            out->signal = (int)info.ssi_signo;
            out->group = to_group(&info);
            return 1;
        }
    return n < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
}

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

/* wait4(2) counts the process and the children it waited for (kernel/exit.c, RUSAGE_BOTH). */
static void keep_used(pid_t pid, const struct rusage *usage)
{
    run.ended = pid;
    run.used.switches = (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
    run.used.ran = nanoseconds(usage->ru_utime) + nanoseconds(usage->ru_stime);
}

int td_os_run_used(void *ctx, pid_t pid, struct td_os_used *out)
{
    (void)ctx;
    if (!run.ended || pid != run.ended)
        return -ESRCH;
    *out = run.used;
    return 0;
}

/* Whether the command has ended, which *out then reports: 1; 0: it runs, or there is none; -ECHILD: another has waited
 * for it. */
static int command_ended(struct td_os_event *out)
{
    struct rusage usage;
    pid_t pid = run.pid ? wait4(run.pid, &out->status, WNOHANG, &usage) : 0;
    int err = errno;

    if (pid == 0 || (pid < 0 && err == EINTR))
        return 0;
    if (pid > 0)
        keep_used(pid, &usage);
    forget();
    if (pid < 0)
        return -err;
    out->what = TD_OS_EXIT;
    return 1;
}

/* Sleeps until something may have happened: 1: fd can be read, 0: check again, -errno. */
static int sleep_until(uint64_t until, uint64_t now, int signal_fd, int fd)
{
    const uint64_t second = UINT64_C(1000000000), left = until > now ? until - now : 0;
    struct timespec t = {.tv_sec = (time_t)(left / second), .tv_nsec = (long)(left % second)};
    struct pollfd fds[2] = {{.fd = signal_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    int n = ppoll(fds, 2, until == UINT64_MAX ? NULL : &t, NULL);

    if (n < 0)
        return errno == EINTR ? 0 : -errno;
    if (fds[1].revents & POLLNVAL)
        return -EBADF;
    return n > 0 && fds[1].revents != 0; /* POLLHUP and POLLERR too: read(2) tells them apart */
}

/* If several things happened, reports the most important: a request of the user,
 * then the end of the command, whose last output may still be unread on fd, then fd,
 * and the time last, since it will still be past at the next call. */
static int wait_with(int signal_fd, uint64_t until, int fd, struct td_os_event *out)
{
    int input = 0, came;
    bool slept = false;

    for (;;) {
        uint64_t now;

        came = signal_came(signal_fd, out);
        if (!came)
            came = command_ended(out);
        if (came)
            return came < 0 ? came : 0;
        now = td_os_clock_now(NULL);
        if (input || (slept && now >= until)) {
            out->what = input ? TD_OS_INPUT : TD_OS_TIME;
            return 0;
        }
        input = sleep_until(until, now, signal_fd, fd);
        if (input < 0)
            return input;
        slept = true;
    }
}

int td_os_run_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    int signal_fd, err = signals_take();

    (void)ctx;
    if (err)
        return err;
    memset(out, 0, sizeof(*out));
    signal_fd = signalfd(-1, &run.set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signal_fd < 0)
        return -errno;
    err = wait_with(signal_fd, until, fd, out);
    close(signal_fd);
    return err;
}
