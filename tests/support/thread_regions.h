/* SPDX-License-Identifier: MIT */
/* A thread of a simulated machine that measures itself, for the tests of regions. */
#ifndef REGIONS_H
#define REGIONS_H

#include "sim/sim.h"
#include "session/session.h"
#include "include/td_regions.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS(pmu) \
    "event " pmu " slots = event=0x00,umask=0x4\nevent " pmu " topdown-retiring = event=0x00,umask=0x80\n" \
    "event " pmu " topdown-bad-spec = event=0x00,umask=0x81\nevent " pmu " topdown-fe-bound = event=0x00,umask=0x82\n" \
    "event " pmu " topdown-be-bound = event=0x00,umask=0x83\nevent " pmu \
    " topdown-heavy-ops = event=0x00,umask=0x84\n" \
    "event " pmu " topdown-br-mispredict = event=0x00,umask=0x85\nevent " pmu \
    " topdown-fetch-lat = event=0x00,umask=0x86\n" \
    "event " pmu " topdown-mem-bound = event=0x00,umask=0x87\n"

/* A Sapphire Rapids of two CPUs; pmu: what else its line has. One slot per ns. */
#define SPR(pmu) \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0-1\npmu cpu type=4 cpus=0-1 general=8 fixed=0-3 metrics=8" pmu \
    "\n" EVENTS("cpu") "workload w rate=1000000000\n"
#define PHASE \
    "phase ms=10 retiring=0.25 bad=0.125 frontend=0.125 backend=0.5 heavy=0.0625 mispredict=0.0625 latency=0.0625 memory=0.375\n"
#define SPIN "count 0x10ad 0.015625\nspin w\ntask 7 other w cpus=0\n"

/* A P-core machine with two additional E-cores, as in alderlake.machine. */
#define HYBRID \
    "# tdprobe-machine: 1\ncpus 0-1\ncpus 2-3\ncpuid 0x0 = 0x23 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x00090672 0x0 0x00008000 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604 cpus=0-1\ncpuid 0xa = 0x08300605 0x0 0x7 0x8603 cpus=2-3\ncpuid 0x7.0 = 0x0 0x0 0x0 0x8000\n" \
    "cpuid 0x1a = 0x40000001 0x0 0x0 0x0 cpus=0-1\ncpuid 0x1a = 0x20000001 0x0 0x0 0x0 cpus=2-3\n" \
    "pmu cpu_core type=4 cpus=0-1 general=8 fixed=0-3 metrics=8\n" EVENTS( \
        "cpu_core") "pmu cpu_atom type=8 cpus=2-3 general=6 fixed=0-2\n" \
                    "workload w pmu=cpu_core rate=1000000000\n" PHASE "workload w pmu=cpu_atom rate=500000000\n" PHASE \
                    "count 0x3c 0.2 clock\ncount 0x71 0.3125\n" \
                    "count 0x74 0.25\ncount 0xc2 0.375\nspin w\n"

/* A 4-wide core without PERF_METRICS, SMT off: clock, slots not delivered, issued, retired, recovery. */
#define SKYLAKE SKYLAKE_OF("0xa = 0x07300804 0x0 0x0 0x603\ncpus 0\npmu cpu type=4 cpus=0 general=8")
#define SKYLAKE_SMT SKYLAKE_OF("0xa = 0x07300404 0x0 0x0 0x603\ncpus 0-1 smt=2\npmu cpu type=4 cpus=0-1 general=4")
#define SKYLAKE_OF(counters) \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x16 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000506e3 0x0 0x0 0x0\n" \
    "cpuid " counters " fixed=0-2\nworkload w rate=4000000000\n" PHASE \
    "count 0x3c 0.25 clock\ncount 0x19c 0.125\ncount 0x10e 0.375\ncount 0x2c2 0.25\ncount 0x10d 0\nspin w\ntask 7 other w cpus=0\n"

#define ICE_LAKE \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1b 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000606a6 0x0 0x0 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0\npmu cpu type=4 cpus=0 general=8 fixed=0-3 metrics=4\n" \
    "event cpu slots = event=0x00,umask=0x4\nevent cpu topdown-retiring = event=0x00,umask=0x80\n" \
    "event cpu topdown-bad-spec = event=0x00,umask=0x81\nevent cpu topdown-fe-bound = event=0x00,umask=0x82\n" \
    "event cpu topdown-be-bound = event=0x00,umask=0x83\nworkload w rate=5000000000\n" PHASE SPIN

enum { MSEC = 1000000 };

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

/* A handle for the described machine, not opened; its thread is this one. */
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
