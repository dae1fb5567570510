/* SPDX-License-Identifier: MIT */
/* A thread of a simulated machine that measures itself, for the tests of regions. */
#ifndef REGIONS_H
#define REGIONS_H

#include "machine.h"
#include "session.h"
#include "td_regions.h"
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS(pmu) \
    "event " pmu " slots = event=0x00,umask=0x4\nevent " pmu " topdown-retiring = event=0x00,umask=0x80\n" \
    "event " pmu " topdown-bad-spec = event=0x00,umask=0x81\nevent " pmu " topdown-fe-bound = event=0x00,umask=0x82\n" \
    "event " pmu " topdown-be-bound = event=0x00,umask=0x83\nevent " pmu " topdown-heavy-ops = event=0x00,umask=0x84\n" \
    "event " pmu " topdown-br-mispredict = event=0x00,umask=0x85\nevent " pmu " topdown-fetch-lat = event=0x00,umask=0x86\n" \
    "event " pmu " topdown-mem-bound = event=0x00,umask=0x87\n"

/* A Sapphire Rapids of two CPUs; pmu: what else its line says. One slot per ns. */
#define SPR(pmu) \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0-1\npmu cpu type=4 cpus=0-1 general=8 fixed=0-3 metrics=8" pmu "\n" EVENTS("cpu") \
    "workload w rate=1000000000\n"
#define PHASE "phase ms=10 retiring=0.25 bad=0.125 frontend=0.125 backend=0.5 heavy=0.0625 mispredict=0.0625 latency=0.0625 memory=0.375\n"
#define SPIN "count 0x10ad 0.015625\nspin w\ntask 7 other w cpus=0\n"

struct machine_text {
    const char *at;
};

static inline ssize_t read_machine(void *ctx, void *buf, size_t size)
{
    struct machine_text *t = ctx;
    size_t n = strlen(t->at) < size ? strlen(t->at) : size;

    memcpy(buf, t->at, n);
    t->at += n;
    return (ssize_t)n;
}

/* A handle on the described machine, not opened; its thread is this one. */
static inline struct td *handle_of(const char *description)
{
    struct machine_text t = {description};
    struct td *td = td_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    if (td_set_machine(td, "m", read_machine, &t)) {
        fprintf(stderr, "%s\n", td_error(td));
        CU_FAIL_FATAL("no machine");
    }
    return td;
}

static inline struct td *open_regions(const char *description, struct td_self_ask ask)
{
    struct td *td = handle_of(description);

    if (td_open_self(td, &ask)) {
        fprintf(stderr, "%s\n", td_error(td));
        CU_FAIL_FATAL("not opened");
    }
    return td;
}

/* Emulators have no restartable sequences, without which hybrids are refused. */
static inline bool has_rseq(void)
{
    ptrdiff_t offset;

    return !td_os_linux.rseq(NULL, &offset);
}

static inline const struct td_metric *node(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    CU_FAIL_FATAL("no such node");
    return NULL;
}

#endif
