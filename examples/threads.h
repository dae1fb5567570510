/* SPDX-License-Identifier: MIT */
/* For the example of threads: each thread has a handle of its own, whose passes through regions it writes to a file of
 * its own, which 'tdprobe merge' adds up. C and C++. */
#ifndef EXAMPLES_THREADS_H
#define EXAMPLES_THREADS_H

#include "machine.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <td_regions.h>
#include <unistd.h>

/* A trace, into whose header the thread's number goes, after the first line. */
struct thread_trace {
    FILE *file;
    long thread;
    int begun;
};

static inline int write_trace(void *ctx, const void *buf, size_t size)
{
    struct thread_trace *t = (struct thread_trace *)ctx;
    const char *at = (const char *)buf, *end = t->begun ? NULL : (const char *)memchr(buf, '\n', size);
    const size_t first = end ? (size_t)(end + 1 - at) : 0;

    t->begun = 1;
    if (fwrite(at, 1, first, t->file) != first || (first && fprintf(t->file, "# x-thread: %ld\n", t->thread) < 0) ||
        fwrite(at + first, 1, size - first, t->file) != size - first)
        return -EIO;
    return 0;
}

/* Opens the calling thread's counters, which keep so many passes; on a simulated machine if one is named. NULL, after a
 * message: they cannot be opened. */
static inline struct td *open_thread(unsigned passes, const char *machine)
{
    struct td_self_ask ask;
    struct td *td = td_new();
    int err = td ? 0 : -ENOMEM;

    memset(&ask, 0, sizeof(ask));
    ask.size = sizeof(ask);
    ask.target = 0.02; /* shares within two points */
    ask.ring = passes;
    if (!err && machine)
        err = use_machine(td, machine);
    if (!err)
        err = td_open_self(td, &ask);
    if (!err)
        return td;
    fprintf(stderr, "thread %ld: %s\n", syscall(SYS_gettid), what_failed(td, err));
    td_free(td);
    return NULL;
}

/* Writes the passes to PREFIX.threadNUMBER.trace and closes the handle. 0 or -errno, after a message. */
static inline int close_thread(struct td *td, const char *prefix)
{
    struct thread_trace t = {NULL, syscall(SYS_gettid), 0};
    char name[256];
    uint64_t lost = 0;
    int err;

    snprintf(name, sizeof(name), "%s.thread%ld.trace", prefix, t.thread);
    t.file = fopen(name, "w");
    err = t.file ? td_regions_write(td, write_trace, &t, &lost) : -errno;
    if (t.file && fclose(t.file) && !err)
        err = -errno;
    if (err)
        fprintf(stderr, "%s: %s\n", name, strerror(-err));
    else if (lost)
        fprintf(stderr, "%s lacks the first %llu passes: ask for more\n", name, (unsigned long long)lost);
    td_free(td);
    return err;
}

#endif
