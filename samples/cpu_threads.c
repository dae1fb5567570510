/* SPDX-License-Identifier: MIT */
#include "samples/cpu_threads.h"

#include "private/plan.h"
#include "util/room.h"

#include <errno.h>
#include <stdlib.h>

struct td_cpu_thread {
    bool told; /* a switch of this CPU was recorded: so are all later ones */
    bool begun; /* course and sampled are known */
    uint32_t course, sampled; /* the course and thread of the sample with which the interval began */
    uint32_t runs; /* the thread that has the CPU */
    uint64_t since;
    uint64_t own, others; /* ns of this interval, until since: of the sampled thread, of others that do not idle */
};

/* NULL: out of memory, or no CPU. */
static struct td_cpu_thread *find(struct td_cpu_threads *all, uint32_t cpu)
{
    if (cpu >= TD_CPUS_MAX || td_room_zeroed(&all->cpu, &all->n, (size_t)cpu + 1, sizeof(*all->cpu)))
        return NULL;
    return &all->cpu[cpu];
}

/* From this time on the CPU runs this thread. */
static void go_over(struct td_cpu_thread *c, uint64_t time, uint32_t thread)
{
    const uint64_t ran = time > c->since ? time - c->since : 0;

    if (c->runs == c->sampled)
        c->own += ran;
    else if (c->runs)
        c->others += ran;
    c->runs = thread;
    c->since = time;
}

int td_cpu_threads_switch(struct td_cpu_threads *all, uint32_t cpu, uint64_t time, uint32_t thread)
{
    struct td_cpu_thread *c = find(all, cpu);

    if (!c)
        return cpu < TD_CPUS_MAX ? -ENOMEM : 0;
    go_over(c, time, thread);
    c->told = true;
    return 0;
}

static double own_share(const struct td_cpu_thread *c, uint32_t thread, uint32_t course)
{
    if (!c->told || !c->begun || c->course != course || c->sampled != thread || !thread)
        return 0;
    return c->others ? (double)c->own / (double)(c->own + c->others) : 1;
}

int td_cpu_threads_sample(struct td_cpu_threads *all, uint32_t cpu, uint64_t time, uint32_t thread, uint32_t course,
                          bool begins, double *own)
{
    struct td_cpu_thread *c = find(all, cpu);

    *own = 0;
    if (!c)
        return cpu < TD_CPUS_MAX ? -ENOMEM : 0;
    go_over(c, time, thread);
    *own = own_share(c, thread, course);
    if (begins)
        *c = (struct td_cpu_thread){c->told, true, course, thread, thread, time, 0, 0};
    else
        c->begun = c->begun && c->sampled == thread;
    return 0;
}

void td_cpu_threads_free(struct td_cpu_threads *all)
{
    free(all->cpu);
    *all = (struct td_cpu_threads){0};
}
