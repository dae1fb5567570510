/* SPDX-License-Identifier: MIT */
/* Regions that several threads pass at once, one of which has twice as much to do: each thread leaves a trace, and
 *
 *     threads PREFIX [MACHINE...]
 *     tdprobe merge PREFIX.*.trace -o PREFIX.trace
 *
 * adds them up by region and says how even the threads were. MACHINE: simulated machines, tdprobe-machine(5), of the
 * first thread, the second, and so on; the last one's is that of all others. Built with -fopenmp the threads are
 * OpenMP's, else those of pthreads. */
#include "threads.h"

#include <stdint.h>
#ifndef _OPENMP
#include <pthread.h>
#endif

enum { THREADS = 4, ROUNDS = 20, STEPS = 100000 };

static char **args;
static int nargs;
static int failed;

static uint32_t work(uint32_t n)
{
    volatile uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += i % 7;
    return sum;
}

static void pass_regions(struct td *td, int thread)
{
    const int whole = td_region(td, "round"), part = td_region(td, "part");

    for (int i = 0; i < ROUNDS; i++) {
        td_region_begin(td, whole);
        td_region_begin(td, part);
        work(thread == THREADS - 1 ? 2 * STEPS : STEPS);
        td_region_end(td, part);
        td_region_end(td, whole);
    }
}

static void run_thread(int thread)
{
    const char *machine = nargs > 2 ? args[thread + 2 < nargs ? thread + 2 : nargs - 1] : NULL;
    struct td *td = open_thread(2 * ROUNDS, machine);

    if (td)
        pass_regions(td, thread);
    if (!td || close_thread(td, args[1]))
        __atomic_store_n(&failed, 1, __ATOMIC_RELAXED);
}

#ifdef _OPENMP

static void run_all(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (int i = 0; i < THREADS; i++)
        run_thread(i);
}

#else

static void *start(void *number)
{
    run_thread((int)(intptr_t)number);
    return NULL;
}

static void run_all(void)
{
    pthread_t thread[THREADS];
    int n = 0;

    while (n < THREADS && !pthread_create(&thread[n], NULL, start, (void *)(intptr_t)n))
        n++;
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    failed = failed || n < THREADS;
}

#endif

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: threads PREFIX [MACHINE...]\n");
        return 64;
    }
    args = argv;
    nargs = argc;
    run_all();
    return failed;
}
