/* SPDX-License-Identifier: MIT */
/* A kernel as a process of its own: what makes another CPU busy. */
#include "kernels/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel is prepared: an empty line ends what the caller reads. */
static void tell(void *fd, bool on)
{
    if (on && write(*(int *)fd, "\n", 1) != 1)
        _exit(1);
}

/* The new process. It says why it cannot run, or that it does. */
static _Noreturn void run(const struct td_kernel *k, const struct td_caches *c, pid_t parent, int fd)
{
    static const double for_ever = 1e9; /* s */
    char why[TD_KERNEL_WHY] = "";

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
        _exit(1);
    if (td_kernel_run(k, c, for_ever, tell, &fd, why))
        dprintf(fd, "%s\n", why);
    _exit(1);
}

/* Reads the line that the process tells; false: there is none, or it is a reason. */
static bool runs(int fd, char why[TD_KERNEL_WHY])
{
    size_t n = 0;
    ssize_t got;

    do {
        got = read(fd, why + n, TD_KERNEL_WHY - 1 - n);
        n += got > 0 ? (size_t)got : 0;
    } while ((got > 0 && why[n - 1] != '\n' && n < TD_KERNEL_WHY - 1) || (got < 0 && errno == EINTR));
    why[n] = '\0';
    if (!n)
        snprintf(why, TD_KERNEL_WHY, "the process that runs it ended");
    why[strcspn(why, "\n")] = '\0';
    return !*why;
}

pid_t td_kernel_start(const struct td_kernel *k, const struct td_caches *c, char why[TD_KERNEL_WHY])
{
    const pid_t parent = getpid();
    int ends[2] = {-1, -1}, err = 0;
    pid_t pid = pipe2(ends, O_CLOEXEC) ? -1 : fork();

    if (!pid)
        run(k, c, parent, ends[1]);
    if (pid < 0)
        err = -errno;
    if (ends[1] >= 0)
        close(ends[1]);
    if (pid < 0)
        snprintf(why, TD_KERNEL_WHY, "no process can be started: %s", strerror(-err));
    else if (!runs(ends[0], why))
        err = -ECHILD;
    if (ends[0] >= 0)
        close(ends[0]);
    if (err && pid > 0)
        td_kernel_end(pid);
    return err ? err : pid;
}

void td_kernel_end(pid_t pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}
