/* SPDX-License-Identifier: MIT */
/* A typical machine with a given CPU, where nothing but the CPU is known. */
#include "backends/registry.h"
#include "core/core_kind.h"
#include "live/host/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- no machine: no file is there, no call succeeds -------------------------------- */

static ssize_t no_file(void *ctx, const char *path, char *buf, size_t size)
{
    (void)ctx;
    (void)path;
    (void)buf;
    (void)size;
    return -ENOENT;
}

static const struct td_os nothing = {.name = "assumed", .file = no_file};

/* ---- what a row shows ------------------------------------------------------------- */

static bool counts_for_siblings(const struct td_uarch *u)
{
    for (size_t e = 0; e < u->nevents; e++)
        if (td_uarch_of_siblings(u, &u->events[e]) && u->events[e].field < 0)
            return true;
    return false;
}

/* Whether it matters to the row if cores have two threads. */
static bool has_smt(const struct td_uarch *u)
{
    for (size_t e = 0; e < u->nevents; e++)
        if (strcmp(u->events[e].counters, u->events[e].counters_alone))
            return true;
    /* since Ice Lake cores with two threads have cycles that are shared out among them instead */
    return counts_for_siblings(u) || td_uarch_event_number(u, "CPU_CLK_UNHALTED.DISTRIBUTED") >= 0;
}

/* How many fields of the metrics register the kernel offers: those that the row has. */
static unsigned count_fields(const struct td_uarch *u)
{
    int most = -1;

    for (size_t e = 0; e < u->nevents; e++)
        most = u->events[e].field > most ? u->events[e].field : most;
    return (unsigned)(most + 1);
}

/* The kernel's name: arch/x86/events/intel/core.c, drivers/perf/arm_pmuv3.c. */
static const char *pmu_name(const struct td_uarch *u, bool arm)
{
    return td_core_pmu(u->core) ? td_core_pmu(u->core) : arm ? "armv8_pmuv3_0" : "cpu";
}

/* ---- the machine ------------------------------------------------------------------ */

/* Adds one core of a kind, with two threads where that matters. */
static int add_pmu(struct td_host *h, const struct td_uarch *u)
{
    const bool arm = !strcmp(td_uarch_backend_of(u)->vendor, "MIDR");
    struct td_host_pmu *p = &h->pmu[h->npmus];
    const bool smt = !arm && has_smt(u);
    const int first = (int)h->ncpus, n = smt ? 2 : 1;

    *p = (struct td_host_pmu){.uarch = u,
                              .counters = {.fields = count_fields(u), .sibling = smt, .assumed = true},
                              .any = smt && counts_for_siblings(u)};
    snprintf(p->name, sizeof(p->name), "%s", pmu_name(u, arm));
    p->slots_event = p->counters.fields > 0;
    if (h->watchdog)
        td_counters_watch(&p->counters, u);
    p->cpus.cpu = calloc((size_t)n, sizeof(int));
    if (!p->cpus.cpu)
        return -ENOMEM;
    h->npmus++;
    for (int i = 0; i < n; i++) {
        p->cpus.cpu[p->cpus.n++] = first + i;
        h->cpus[h->ncpus++] = (struct td_host_cpu){.cpu = first + i, .core = first, .sibling = first, .shared = smt};
    }
    h->smt = h->smt || smt;
    return 0;
}

int td_host_assume(struct td_host *h, const struct td_identity *asked, bool watchdog)
{
    int err = 0;

    *h = (struct td_host){.os = &nothing, .identity = *asked, .watchdog = watchdog, .paranoid = TD_PARANOID_UNKNOWN};
    snprintf(h->origin, sizeof(h->origin), "%s", "what is usual");
    h->cpus = calloc(2 * asked->nparts, sizeof(*h->cpus));
    if (!h->cpus)
        return -ENOMEM;
    for (size_t i = 0; i < asked->nparts && !err; i++)
        err = add_pmu(h, asked->part[i]);
    return err;
}
