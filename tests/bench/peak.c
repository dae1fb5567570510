/* SPDX-License-Identifier: MIT */
/* Runs a command and prints on stderr its peak resident memory in KiB, and its CPU time (user and system) in ms. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long ms(const struct timeval *t)
{
    return t->tv_sec * 1000 + t->tv_usec / 1000;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    pid_t pid;

    if (argc < 2)
        return 64;
    pid = fork();
    if (pid == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
        return 70;
    fprintf(stderr, "%ld %ld\n", usage.ru_maxrss, ms(&usage.ru_utime) + ms(&usage.ru_stime));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 70;
}
