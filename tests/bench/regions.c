/* SPDX-License-Identifier: MIT */
/* How long a reading, a region and a measurement take. rdpmc faults where there
 * is no PMU, so at its first fault each rdpmc of the library is replaced in memory
 * by rdtsc, which is as long and gives its 64 bits in the same registers. All else
 * is the code that is shipped; what rdpmc itself takes is not known here, and
 * what rdtsc takes in its place is printed too. */
#include "tests/bench/bench.h"
#include "include/td_regions.h"

#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { RUNS = 9, TIMES = 20000 };

static unsigned long replaced;

static void replace(int sig, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const uintptr_t page = (at + 1) & ~(uintptr_t)4095;
    unsigned char *code = (unsigned char *)at;

    (void)info;
    if (code[0] != 0x0f || code[1] != 0x33 || mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        signal(sig, SIG_DFL);
        return; /* it faults again, and ends here */
    }
    code[1] = 0x31;
    replaced++;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct bench {
    struct td *td;
    int region[3], fd;
    struct td_snapshot from, to;
    int err;
};

static void tsc(struct bench *b)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    (void)b;
}

static void point(struct bench *b)
{
    struct td_point p;

    b->err |= td_point_read(td_self_of(b->td), &p);
}

static void reading(struct bench *b)
{
    struct td_snapshot s;

    b->err |= td_read(b->td, &s);
}

static void region(struct bench *b)
{
    b->err |= td_region_begin(b->td, b->region[0]);
    b->err |= td_region_end(b->td, b->region[0]);
}

static void nest(struct bench *b)
{
    for (int i = 0; i < 3; i++)
        b->err |= td_region_begin(b->td, b->region[i]);
    for (int i = 3; i-- > 0;)
        b->err |= td_region_end(b->td, b->region[i]);
}

static void measurement(struct bench *b)
{
    const struct td_result *r;

    b->err |= td_measure(b->td, &b->from, &b->to, &r);
}

static void group(struct bench *b)
{
    struct group_reading g;

    b->err |= read(b->fd, &g, sizeof(g)) < 0 ? -EIO : 0;
}

/* The median of several runs, ns each time, by how many things each is. */
static void clocked(struct bench *b, const char *name, void (*what)(struct bench *), double things)
{
    double ns[RUNS];

    for (int run = 0; run < RUNS; run++) {
        const double begin = now();

        for (int i = 0; i < TIMES; i++)
            what(b);
        ns[run] = (now() - begin) / TIMES / things;
    }
    qsort(ns, RUNS, sizeof(*ns), compare);
    printf("%-46s%8.0f ns\n", name, ns[RUNS / 2]);
}

static int open_all(struct bench *b)
{
    static const char *const names[] = {"outer", "middle", "inner"};
    const struct sigaction patch = {.sa_sigaction = replace, .sa_flags = SA_SIGINFO};
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0};
    int err = use_stdin(b->td);

    err = err ? err : td_open_self(b->td, &ask);
    for (size_t i = 0; i < 3 && !err; i++) {
        b->region[i] = td_region(b->td, names[i]);
        err = b->region[i] < 0 ? b->region[i] : 0;
    }
    b->from.point = (struct td_point){.slots = 1000, .metrics = 0x1e0f0a145a401e47};
    b->to.point = (struct td_point){.slots = 1000000, .metrics = 0x1e0f0a145a401e47};
    b->fd = open_software_group();
    return err || !sigaction(SIGSEGV, &patch, NULL) ? err : -errno;
}

int main(void)
{
    struct bench b = {.td = td_new()};
    int err = open_all(&b);

    if (err) {
        fprintf(stderr, "regions: %s\n", b.td ? td_error(b.td) : "out of memory");
        return 1;
    }
    printf("median of %d runs of %d; rdpmc replaced by rdtsc\n", RUNS, TIMES);
    clocked(&b, "rdtsc", tsc, 1);
    clocked(&b, "td_point_read(), two of them", point, 1);
    clocked(&b, "td_read(), the same", reading, 1);
    clocked(&b, "a region, begin and end: two readings", region, 1);
    clocked(&b, "a region in a nest of three, begin and end", nest, 3);
    clocked(&b, "td_measure(), of readings made before", measurement, 1);
    if (b.fd >= 0)
        clocked(&b, "read(2) of a group of nine software events", group, 1);
    else
        printf("%-46s%11s\n", "read(2) of a group of nine software events", "not permitted");
    if (b.err || !replaced) {
        fprintf(stderr, "regions: %s\n",
                b.err ? td_error(b.td) : "rdpmc did not fault: these are not simulated counters");
        return 1;
    }
    td_free(b.td);
    return 0;
}

#else

int main(void)
{
    printf("regions are timed on x86-64 only\n");
    return 0;
}

#endif
