/* SPDX-License-Identifier: MIT */
/* Detection as a whole. */
#include "live/host/host.h"

#include "live/host/host_files.h"

#include <stdlib.h>

/* Compares a number with a CPU's. */
static int compare(const void *key, const void *element)
{
    const int *cpu = key;
    const struct td_host_cpu *c = element;

    return (*cpu > c->cpu) - (*cpu < c->cpu);
}

const struct td_host_cpu *td_host_cpu_find(const struct td_host *h, int cpu)
{
    return h->ncpus ? bsearch(&cpu, h->cpus, h->ncpus, sizeof(*h->cpus), compare) : NULL;
}

int td_host_detect(struct td_host *h, const struct td_os *os, const struct td_identity *asked)
{
    int err;

    *h = (struct td_host){.os = os};
    h->paranoid = (int)td_host_number(os, TD_PARANOID_UNKNOWN, "/proc/sys/kernel/perf_event_paranoid");
    td_host_text(os, h->name, sizeof(h->name), "/proc/sys/kernel/hostname");
    h->watchdog = td_host_number(os, 0, "/proc/sys/kernel/nmi_watchdog") > 0;
    td_host_identify(h, asked);
    err = td_host_find_cpus(h);
    return err ? err : td_host_find_pmus(h, asked);
}

void td_host_free(struct td_host *h)
{
    for (size_t i = 0; i < h->npmus; i++)
        free(h->pmu[i].cpus.cpu);
    free(h->cpus);
    *h = (struct td_host){0};
}
