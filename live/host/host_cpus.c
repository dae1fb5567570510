/* SPDX-License-Identifier: MIT */
/* The online CPUs: which core, socket and NUMA node each belongs to. */
#include "live/host/host.h"
#include "live/host/host_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPU_DIR "/sys/devices/system/cpu/"
#define NODE_DIR "/sys/devices/system/node/"

static int read_list(const struct td_os *os, const char *path, struct td_cpu_list *out)
{
    char *text = malloc(TD_OS_FILE_MAX);
    int err = text ? -ENOENT : -ENOMEM;

    *out = (struct td_cpu_list){0};
    if (text && td_host_text(os, text, TD_OS_FILE_MAX, "%s", path))
        err = td_cpu_list_parse(text, out);
    free(text);
    return err;
}

/* A core's siblings; the file does not list those that are offline. */
static void find_siblings(struct td_host *h, struct td_host_cpu *c)
{
    struct td_cpu_list siblings = {0};
    char text[512];

    c->sibling = c->cpu;
    if (td_host_text(h->os, text, sizeof(text), CPU_DIR "cpu%d/topology/thread_siblings_list", c->cpu) &&
        !td_cpu_list_parse(text, &siblings) && siblings.n) {
        c->sibling = siblings.cpu[0];
        c->shared = siblings.n > 1;
    } else {
        h->smt_unknown = true; /* until the core numbers show it */
    }
    free(siblings.cpu);
    h->smt = h->smt || c->shared;
}

/* Finds siblings by core number, where sysfs has no lists. */
static void pair_by_core(struct td_host *h)
{
    if (!h->smt_unknown || h->topology_unknown)
        return;
    h->smt_unknown = false;
    for (size_t i = 0; i < h->ncpus; i++)
        for (size_t k = 0; k < i; k++) {
            struct td_host_cpu *a = &h->cpus[i], *b = &h->cpus[k];

            if (a->core != b->core || a->die != b->die || a->socket != b->socket)
                continue;
            a->sibling = b->sibling;
            a->shared = b->shared = h->smt = true;
        }
}

static int find_nodes(struct td_host *h)
{
    struct td_cpu_list nodes;
    int err = read_list(h->os, NODE_DIR "online", &nodes);

    for (size_t i = 0; !err && i < nodes.n; i++) {
        struct td_cpu_list cpus = {0};
        char *text = malloc(TD_OS_FILE_MAX);

        if (!text)
            err = -ENOMEM;
        else if (td_host_text(h->os, text, TD_OS_FILE_MAX, NODE_DIR "node%d/cpulist", nodes.cpu[i]))
            err = td_cpu_list_parse(text, &cpus);
        else
            h->topology_unknown = true;
        free(text);
        for (size_t c = 0; c < h->ncpus; c++)
            if (td_cpu_list_has(&cpus, h->cpus[c].cpu))
                h->cpus[c].node = nodes.cpu[i];
        free(cpus.cpu);
    }
    free(nodes.cpu);
    return err == -ENOMEM ? err : 0; /* without NUMA all is node 0 */
}

int td_host_find_cpus(struct td_host *h)
{
    struct td_cpu_list online;
    int err = read_list(h->os, CPU_DIR "online", &online);

    if (err == -ENOMEM)
        return err;
    if (err || !online.n) { /* sysfs is hidden: tasks may still be measured */
        h->cpus_unknown = true;
        free(online.cpu);
        err = td_cpu_list_parse("0", &online);
    }
    if (err)
        return err;
    h->cpus = calloc(online.n, sizeof(*h->cpus));
    for (size_t i = 0; h->cpus && i < online.n; i++) {
        struct td_host_cpu *c = &h->cpus[h->ncpus++];

        c->cpu = online.cpu[i];
        c->core = (int)td_host_number(h->os, -1, CPU_DIR "cpu%d/topology/core_id", c->cpu);
        c->die = (int)td_host_number(h->os, 0, CPU_DIR "cpu%d/topology/die_id", c->cpu); /* since Linux 5.2 */
        c->socket = (int)td_host_number(h->os, -1, CPU_DIR "cpu%d/topology/physical_package_id", c->cpu);
        h->topology_unknown = h->topology_unknown || c->core < 0 || c->socket < 0;
        find_siblings(h, c);
    }
    free(online.cpu);
    pair_by_core(h);
    return h->cpus ? find_nodes(h) : -ENOMEM;
}
