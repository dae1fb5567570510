/* SPDX-License-Identifier: MIT */
/* What a switch between tasks costs: ring TASKS ROUNDS FOLDER... starts so many tasks on CPU 0, spread over the cgroups
 * of these folders, and passes a byte around through pipes. Each task leaves the CPU when it waits for the byte, and
 * nothing else runs meanwhile, as all have the same real-time priority. Prints nanoseconds from one task to the next,
 * and how many switches the kernel counted for that. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TASKS = 200 };

static int ring[TASKS][2]; /* task i waits for ring[i], and passes on to ring[i + 1] */
static int tasks, rounds;

static long now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

static int enter(const char *folder)
{
    char path[300];
    FILE *f;
    int err;

    snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
    f = fopen(path, "w");
    err = !f || fputs("0", f) < 0;
    return f && fclose(f) ? 1 : err;
}

static int take(int i)
{
    char byte;

    return read(ring[i][0], &byte, 1) != 1;
}

static int give(int i)
{
    return write(ring[i % tasks][1], "x", 1) != 1;
}

/* The first task begins each round and ends it. The first round is not measured: in it the others begin. */
static int lead(void)
{
    long began = 0;

    for (int n = 0; n <= rounds; n++) {
        if (n == 1)
            began = now_ns();
        if (give(1) || take(0))
            return 1;
    }
    printf("%.1f ", (double)(now_ns() - began) / rounds / tasks);
    return 0;
}

static int follow(int i)
{
    for (int n = 0; n <= rounds; n++)
        if (take(i) || give(i + 1))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    const struct sched_param first = {.sched_priority = 1};
    struct rusage own, others;
    cpu_set_t cpu;
    int bad = 0;

    tasks = argc > 3 ? atoi(argv[1]) : 0;
    rounds = argc > 3 ? atoi(argv[2]) : 0;
    CPU_ZERO(&cpu);
    CPU_SET(0, &cpu);
    if (tasks < 2 || tasks > TASKS || rounds < 1 || sched_setaffinity(0, sizeof(cpu), &cpu) ||
        sched_setscheduler(0, SCHED_FIFO, &first)) {
        fputs("ring TASKS ROUNDS FOLDER..., as root, 2 to 200 tasks\n", stderr);
        return 2;
    }
    for (int i = 0; i < tasks; i++)
        bad |= pipe(ring[i]);
    for (int i = 1; i < tasks && !bad; i++)
        if (!fork())
            _exit(enter(argv[3 + i % (argc - 3)]) || follow(i));
    bad = bad || enter(argv[3]) || lead();
    for (int i = 1; i < tasks && !bad; i++) {
        int status;

        bad = wait(&status) < 0 || status;
    }
    if (bad || getrusage(RUSAGE_SELF, &own) || getrusage(RUSAGE_CHILDREN, &others)) {
        perror("ring");
        return 1;
    }
    printf("%.3f\n",
           (double)(own.ru_nvcsw + own.ru_nivcsw + others.ru_nvcsw + others.ru_nivcsw) / (rounds + 1) / tasks);
    return 0;
}
