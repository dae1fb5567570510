/* SPDX-License-Identifier: MIT */
/* A machine's seam in which one call goes wrong, and what it left open. */
#ifndef FAULTY_H
#define FAULTY_H

#include "sim/sim.h"
#include "tests/support/shipped_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { CPUID, OPEN, IOCTL, READ, FILE_, NAMES, FOLDER, MAP, HERE, RSEQ, KINDS };

enum trick { FAIL, FAIL_ON, SHORT, NO_ENABLED, NO_RUNNING }; /* FAIL_ON: this call and all later ones */

/* The machine's seam with one call that goes wrong. */
struct faulty {
    struct td_os os;
    const struct td_os *real;
    enum kind kind;
    enum trick trick;
    int err; /* for FAIL */
    unsigned long at, calls[KINDS]; /* the at-th call of kind, from 0 */
    bool hit;
    bool spun; /* spin() was called: the next read only shows whether a group runs; if it fails, nothing is lost */
    bool trial; /* the call that went wrong was that read */
    long open, mapped; /* descriptors, pages */
};

static inline bool strikes(struct faulty *f, enum kind kind)
{
    unsigned long n = f->calls[kind]++;
    bool now = kind == f->kind && (n == f->at || (f->trick == FAIL_ON && n > f->at));

    f->hit = f->hit || now;
    return now;
}

static inline int faulty_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t sub, uint32_t out[4])
{
    struct faulty *f = ctx;

    return strikes(f, CPUID) ? f->err : f->real->cpuid(f->real->ctx, cpu, leaf, sub, out);
}

static inline int faulty_open(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group,
                              unsigned long flags)
{
    struct faulty *f = ctx;
    int fd = strikes(f, OPEN) ? f->err : f->real->perf_open(f->real->ctx, a, pid, cpu, group, flags);

    f->open += fd >= 0;
    return fd;
}

static inline int faulty_ioctl(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    struct faulty *f = ctx;

    return strikes(f, IOCTL) ? f->err : f->real->perf_ioctl(f->real->ctx, fd, request, arg);
}

static inline ssize_t faulty_read(void *ctx, int fd, void *buf, size_t size)
{
    struct faulty *f = ctx;
    bool now = strikes(f, READ);
    ssize_t n;

    f->trial = f->trial || (now && f->spun);
    f->spun = false;

    if (now && (f->trick == FAIL || f->trick == FAIL_ON))
        return f->err;
    n = f->real->read(f->real->ctx, fd, buf, size);
    if (now && f->trick == SHORT)
        return n / 2;
    if (now && n > 24) /* nr, enabled, running */
        memset((char *)buf + (f->trick == NO_ENABLED ? 8 : 16), 0, f->trick == NO_ENABLED ? 16 : 8);
    return n;
}

static inline int faulty_close(void *ctx, int fd)
{
    struct faulty *f = ctx;

    f->open--;
    return f->real->close(f->real->ctx, fd);
}

static inline ssize_t faulty_file(void *ctx, const char *path, char *buf, size_t size)
{
    struct faulty *f = ctx;

    return strikes(f, FILE_) ? f->err : f->real->file(f->real->ctx, path, buf, size);
}

static inline int faulty_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    struct faulty *f = ctx;

    return strikes(f, NAMES) ? f->err : f->real->names(f->real->ctx, path, each, arg);
}

static inline int faulty_folder(void *ctx, const char *path)
{
    struct faulty *f = ctx;
    int fd = strikes(f, FOLDER) ? f->err : f->real->folder(f->real->ctx, path);

    f->open += fd >= 0;
    return fd;
}

static inline int faulty_map(void *ctx, int fd, size_t size, void **out)
{
    struct faulty *f = ctx;
    int err = strikes(f, MAP) ? f->err : f->real->map(f->real->ctx, fd, size, out);

    f->mapped += !err;
    return err;
}

static inline void faulty_unmap(void *ctx, void *at, size_t size)
{
    struct faulty *f = ctx;

    f->mapped--;
    f->real->unmap(f->real->ctx, at, size);
}

static inline int faulty_here(void *ctx)
{
    struct faulty *f = ctx;

    return strikes(f, HERE) ? f->err : f->real->here(f->real->ctx);
}

static inline int faulty_rseq(void *ctx, ptrdiff_t *offset)
{
    struct faulty *f = ctx;

    return strikes(f, RSEQ) ? f->err : f->real->rseq(f->real->ctx, offset);
}

static inline uint64_t faulty_now(void *ctx)
{
    struct faulty *f = ctx;

    return f->real->now(f->real->ctx);
}

static inline uint64_t faulty_spin(void *ctx, uint64_t ns)
{
    struct faulty *f = ctx;

    f->spun = true;
    return f->real->spin(f->real->ctx, ns);
}

static inline int faulty_pin(void *ctx, int cpu)
{
    struct faulty *f = ctx;

    return f->real->pin(f->real->ctx, cpu);
}

static inline void make_faulty(struct faulty *f, const struct td_os *real)
{
    f->real = real;
    f->os = (struct td_os){
        .name = real->name,
        .cpuid = faulty_cpuid,
        .perf_open = faulty_open,
        .perf_ioctl = faulty_ioctl,
        .read = faulty_read,
        .close = faulty_close,
        .file = faulty_file,
        .names = faulty_names,
        .folder = faulty_folder,
        .map = faulty_map,
        .unmap = faulty_unmap,
        .here = faulty_here,
        .rseq = faulty_rseq,
        .now = faulty_now,
        .spin = faulty_spin,
        .pin = faulty_pin,
        .ctx = f,
    };
}

/* ---- the machine ----------------------------------------------------------- */

struct input {
    FILE *file;
};

static inline ssize_t read_file(void *ctx, void *buf, size_t size)
{
    struct input *in = ctx;

    return (ssize_t)fread(buf, 1, size, in->file);
}

#endif
