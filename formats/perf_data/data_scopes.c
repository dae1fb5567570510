/* SPDX-License-Identifier: MIT */
/* perf.data: what a counter belongs to: CPUs, the units that they are part of, threads. */
#include "formats/perf_data/perf_data.h"

#include "util/cpu_list.h"
#include "private/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 1 << 16, NO_CPU = -1, NAME = 64 };

/* enum aggr_mode of tools/perf/util/stat.h. Up to 3 it is the same everywhere.
 * Above 3, values were inserted (CACHE in 6.5, CLUSTER in 6.9), so that 5 is
 * THREAD, CORE or CACHE: threads are counted without a CPU, and recordings by cluster
 * or cache, which the file does not describe, are given by core. */
enum { NONE, GLOBAL, SOCKET, DIE, CORE_FIRST, CORE_LAST = 6, NODE_FIRST };

struct node_cpus {
    struct td_perf_data *data;
    uint32_t node;
    size_t left; /* at most one per CPU: a node has each CPU once, however often a damaged file names it */
};

static int place_range(void *ctx, unsigned first, unsigned last)
{
    struct node_cpus *n = ctx;

    for (unsigned cpu = first; cpu <= last && cpu < n->data->ncpus; cpu++) {
        if (!n->left--)
            return -EINVAL;
        n->data->cpu[cpu].node = n->node;
    }
    return 0;
}

/* Places the CPUs of a list into a node; of a damaged list those before the damage. */
static void place_node(struct td_perf_data *p, uint32_t node, const char *text, size_t len)
{
    struct node_cpus n = {p, node, p->ncpus};

    td_cpu_ranges(text, len, place_range, &n);
    p->has_node = true;
}

static void take_nodes(struct td_perf_data *p, struct td_perf_view v)
{
    uint32_t n, node;
    uint64_t memory;
    const char *text;
    size_t len;

    td_perf_u32(&v, &n);
    while (n-- && td_perf_u32(&v, &node) && td_perf_u64(&v, &memory) && td_perf_u64(&v, &memory) &&
           td_perf_string(&v, &text, &len))
        place_node(p, node, text, len);
}

/* Takes lists of CPUs, one for each core or other unit. *several: whether one of them has more than one CPU. */
static bool take_lists(struct td_perf_view *v, bool *several)
{
    uint32_t n;
    const char *text;
    size_t len;
    bool good = td_perf_u32(v, &n);

    *several = false;
    for (; good && n; n--) {
        good = td_perf_string(v, &text, &len);
        *several = *several || (len && (memchr(text, '-', len) || memchr(text, ',', len)));
    }
    return good;
}

/* Takes HEADER_CPU_TOPOLOGY: lists of cores and of threads, core and socket of each CPU, and since 5.3 lists of dies
 * and the die of each CPU (write_cpu_topology() of tools/perf/util/header.c). */
static bool take_topology(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    bool cores, threads, dies, good = take_lists(&v, &cores) && take_lists(&v, &threads);

    for (size_t i = 0; good && i < p->ncpus; i++)
        good = td_perf_u32(&v, &p->cpu[i].core) && td_perf_u32(&v, &p->cpu[i].socket);
    if (!good)
        return false;
    td_recording_smt(r, threads ? TD_SMT_ON : TD_SMT_OFF);
    p->has_die = v.n && take_lists(&v, &dies);
    for (size_t i = 0; p->has_die && i < p->ncpus; i++)
        p->has_die = td_perf_u32(&v, &p->cpu[i].die);
    return true;
}

int td_perf_data_topology(struct td_recording *r, struct td_perf_view ncpus, struct td_perf_view topology,
                          struct td_perf_view numa)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint32_t n, online;

    if (!td_perf_u32(&ncpus, &n))
        return 0;
    r->stream.cpus = td_perf_u32(&ncpus, &online) && online <= TD_CPUS_MAX ? online : 0;
    if (!n || n > TD_CPUS_MAX || n > topology.n / 8)
        return 0;
    p->cpu = calloc(n, sizeof(*p->cpu));
    if (!p->cpu)
        return td_log_no_memory(r->log);
    p->ncpus = n;
    if (!take_topology(r, topology))
        p->ncpus = 0;
    take_nodes(p, numa);
    return 0;
}

int td_perf_data_threads(struct td_recording *r, struct td_perf_view v)
{
    struct td_perf_data *p = td_perf_data_of(r);
    uint64_t n, tid;
    struct td_perf_view comm;

    td_perf_u64(&v, &n);
    if (n > v.n / 24 || n > THREADS_MAX)
        return td_recording_bad(r, "perf.data: a thread map of %llu threads in %zu bytes", (unsigned long long)n, v.n);
    free(p->thread);
    p->nthreads = 0;
    p->thread = calloc((size_t)n + 1, sizeof(*p->thread));
    if (!p->thread)
        return td_log_no_memory(r->log);
    for (; p->nthreads < n && td_perf_u64(&v, &tid) && td_perf_part(&v, 16, &comm); p->nthreads++)
        snprintf(p->thread[p->nthreads], sizeof(*p->thread), "%.*s-%ld", (int)comm.n, (const char *)comm.at,
                 (long)(int32_t)tid);
    return 0;
}

/* Names the unit that aggregation puts the CPU into. Returns its kind; TD_KIND_SYSTEM, without a name: the file
 * describes no such unit. */
static enum td_scope_kind name_part(const struct td_perf_data *p, uint32_t number, char name[NAME])
{
    const struct td_perf_cpu *c = number < p->ncpus ? &p->cpu[number] : NULL;
    unsigned long die = c && p->has_die ? c->die : 0;

    if (!c)
        return TD_KIND_SYSTEM;
    if (p->aggregation == SOCKET)
        snprintf(name, NAME, "S%lu", (unsigned long)c->socket);
    else if (p->aggregation == DIE)
        snprintf(name, NAME, "S%lu-D%lu", (unsigned long)c->socket, die);
    else if (p->aggregation <= CORE_LAST)
        snprintf(name, NAME, "S%lu-D%lu-C%lu", (unsigned long)c->socket, die, (unsigned long)c->core);
    else if (p->has_node)
        snprintf(name, NAME, "N%lu", (unsigned long)c->node);
    else
        return TD_KIND_SYSTEM;
    return p->aggregation <= DIE ? TD_KIND_SOCKET : p->aggregation <= CORE_LAST ? TD_KIND_CORE : TD_KIND_NODE;
}

int td_perf_data_scope(struct td_recording *r, uint32_t cpu, uint32_t thread)
{
    struct td_perf_data *p = td_perf_data_of(r);
    bool no_cpu = (int32_t)cpu == NO_CPU;
    enum td_scope_kind kind = TD_KIND_SYSTEM;
    char name[NAME] = "system";

    if (p->aggregation == NONE && !no_cpu) {
        snprintf(name, sizeof(name), "CPU%lu", (unsigned long)cpu);
        kind = TD_KIND_CPU;
    } else if (p->aggregation > CORE_FIRST && no_cpu) {
        if (thread >= p->nthreads)
            return td_recording_bad(r, "perf.data: a count of thread %lu of %zu", (unsigned long)thread, p->nthreads);
        snprintf(name, sizeof(name), "%s", p->thread[thread]);
        kind = TD_KIND_THREAD;
    } else if (p->aggregation != GLOBAL && !no_cpu) {
        kind = name_part(p, cpu, name);
    }
    return td_gather_scope(r, p->gather, name, strlen(name), kind);
}
