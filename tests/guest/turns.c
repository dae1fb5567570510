/* SPDX-License-Identifier: MIT */
/* Functions in turns, each with its own phase of the software PMU (module/tdpmu_tasks.c): turns ROUNDS MICROSECONDS
 * [crew]. crew: two threads and a child, with functions of their own. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, noclone)) static void

static int device = -1;
static long rounds, loops_per_us, turn_us;
static volatile uint64_t sink;

static long now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Says which function runs: the next lines are of phase c. */
static void enter(char c)
{
    if (write(device, &c, 1) != 1)
        exit(1);
}

#define BUSY(us) \
    for (long i = 0, n = loops_per_us * (us); i < n; i++) \
    sink = sink + (uint64_t)i

FUNCTION scan(long us)
{
    enter('1');
    BUSY(us);
    enter('0');
}
FUNCTION chase(long us)
{
    enter('2');
    BUSY(us);
    enter('0');
}
FUNCTION branchy(long us)
{
    enter('3');
    BUSY(us);
    enter('0');
}
FUNCTION encode(long us)
{
    enter('1');
    BUSY(us);
    enter('0');
}
FUNCTION index_(long us)
{
    enter('2');
    BUSY(us);
    enter('0');
}
FUNCTION parse(long us)
{
    enter('3');
    BUSY(us);
    enter('0');
}
FUNCTION checksum(long us)
{
    enter('4');
    BUSY(us);
    enter('0');
}

/* The turns are not all alike: no period keeps step with them. */
static long about(long us, unsigned *seed)
{
    return us / 2 + rand_r(seed) % (us + 1);
}

static void *work(void *first)
{
    unsigned seed = first ? 1 : 2;

    for (long i = 0; i < rounds; i++) {
        encode(about(first ? turn_us : turn_us / 2, &seed));
        index_(about(first ? turn_us / 2 : turn_us, &seed));
    }
    return NULL;
}

static void child(void)
{
    unsigned seed = 3;

    for (long i = 0; i < rounds; i++) {
        parse(about(turn_us, &seed));
        checksum(about(turn_us / 2, &seed));
    }
}

static void alone(void)
{
    unsigned seed = 4;

    for (long i = 0; i < rounds; i++) {
        scan(about(turn_us, &seed));
        chase(about(turn_us * 3 / 4, &seed));
        branchy(about(turn_us / 2, &seed));
    }
}

static int crew(void)
{
    static char first[] = "first";
    pthread_t thread;
    pid_t pid = fork();

    if (pid < 0)
        return 1;
    if (!pid) {
        child();
        _exit(0);
    }
    if (pthread_create(&thread, NULL, work, first))
        return 1;
    work(NULL);
    pthread_join(thread, NULL);
    return waitpid(pid, NULL, 0) != pid;
}

/* The best of many short runs: the host may stop the guest in any of them. */
static void calibrate(void)
{
    enum { RUNS = 500, LOOPS = 20000 };

    for (int run = 0; run < RUNS; run++) {
        const long begin = now_us();
        long took;

        for (long i = 0; i < LOOPS; i++)
            sink = sink + (uint64_t)i;
        took = now_us() - begin + 1;
        loops_per_us = loops_per_us > LOOPS / took ? loops_per_us : LOOPS / took;
    }
}

int main(int argc, char **argv)
{
    device = open("/dev/tdphase", O_WRONLY);
    if (argc < 3 || device < 0) {
        fputs("turns ROUNDS MICROSECONDS [crew]\n", stderr);
        return 2;
    }
    calibrate();
    turn_us = atol(argv[2]);
    rounds = atol(argv[1]);
    if (argc > 3 && !strcmp(argv[3], "crew"))
        return crew();
    alone();
    return 0;
}
