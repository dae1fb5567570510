/* SPDX-License-Identifier: MIT */
#include "samples/cpu_threads.h"

#include "private/plan.h"
#include "util/room.h"

#include <errno.h>
#include <stdlib.h>

enum { WAITING = 8 /* as many threads of a CPU are remembered */ };

/* A thread that was sampled on a CPU, and may have been pre-empted since then. */
struct stopped {
    uint32_t thread; /* 0: none */
    bool preempted;
    const void *at;
};

struct td_cpu_thread {
    bool told; /* a switch of this CPU was recorded: so are all later ones */
    bool begun; /* course and sampled are known */
    uint32_t course, sampled; /* the course and thread of the sample with which the interval began */
    uint32_t runs; /* the thread that has the CPU */
    uint64_t since;
    uint64_t own, others; /* ns of this interval, until since: of the sampled thread, of others that do not idle */
    struct stopped stopped[WAITING];
    size_t next; /* of stopped, the one to be replaced */
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

/* NULL: the thread is not remembered. */
static struct stopped *stopped_of(struct td_cpu_thread *c, uint32_t thread)
{
    for (size_t i = 0; thread && i < WAITING; i++)
        if (c->stopped[i].thread == thread)
            return &c->stopped[i];
    return NULL;
}

/* The thread that the CPU runs leaves it. One that leaves of its own accord does so at places that it chooses. */
static void stop(struct td_cpu_thread *c, bool preempted)
{
    struct stopped *s = stopped_of(c, c->runs);

    if (s && preempted)
        s->preempted = true;
    else if (s)
        s->thread = 0;
}

/* Remembers where the thread was sampled; where it was before, as td_cpu_turn.back. */
static const void *resume(struct td_cpu_thread *c, uint32_t thread, const void *at)
{
    struct stopped *s = stopped_of(c, thread);
    const void *back = s && s->preempted ? s->at : NULL;

    if (!s) {
        s = &c->stopped[c->next];
        c->next = (c->next + 1) % WAITING;
    }
    *s = (struct stopped){thread, false, at};
    return back;
}

int td_cpu_threads_switch(struct td_cpu_threads *all, uint32_t cpu, uint64_t time, uint32_t thread, bool preempted)
{
    struct td_cpu_thread *c = find(all, cpu);

    if (!c)
        return cpu < TD_CPUS_MAX ? -ENOMEM : 0;
    if (c->runs != thread)
        stop(c, preempted);
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

int td_cpu_threads_sample(struct td_cpu_threads *all, uint32_t cpu, const struct td_cpu_hit *hit,
                          struct td_cpu_turn *out)
{
    struct td_cpu_thread *c = find(all, cpu);

    *out = (struct td_cpu_turn){0, NULL};
    if (!c)
        return cpu < TD_CPUS_MAX ? -ENOMEM : 0;
    go_over(c, hit->time, hit->thread);
    out->own = own_share(c, hit->thread, hit->course);
    out->back = resume(c, hit->thread, hit->at);
    if (hit->begins) {
        c->begun = true;
        c->course = hit->course;
        c->sampled = hit->thread;
        c->own = c->others = 0;
    } else {
        c->begun = c->begun && c->sampled == hit->thread;
    }
    return 0;
}

void td_cpu_threads_free(struct td_cpu_threads *all)
{
    free(all->cpu);
    *all = (struct td_cpu_threads){0};
}
