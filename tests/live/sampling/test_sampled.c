/* SPDX-License-Identifier: MIT */
/* How events that sample are opened: each attribute, after perf_event_open(2), and what shares a ring. */
#include "include/td_sampling.h"
#include "live/sampling/recorder.h"
#include "session/session.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 200, MEMBERS = 7 };

/* What was opened on a machine, in order; rings by the descriptor that has them. */
static struct {
    struct td_os os;
    const struct td_os *real;
    struct opened {
        struct perf_event_attr attr;
        pid_t pid;
        int cpu, fd, leader, output;
        size_t ring; /* bytes */
        bool enabled;
    } event[EVENTS_MOST];
    size_t n;
    size_t ring_most; /* of more bytes none can be mapped; 0: of any */
    long open;
    unsigned refused;
} machine;

static struct opened *of(int fd)
{
    for (size_t i = machine.n; i-- > 0;)
        if (machine.event[i].fd == fd)
            return &machine.event[i];
    return NULL;
}

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    const int fd = machine.real->perf_open(machine.real->ctx, attr, pid, cpu, group, flags);

    (void)ctx;
    CU_ASSERT_EQUAL(flags, PERF_FLAG_FD_CLOEXEC);
    CU_ASSERT_FATAL(machine.n < EVENTS_MOST);
    machine.refused += fd < 0;
    if (fd >= 0) {
        machine.event[machine.n++] =
            (struct opened){.attr = *attr, .pid = pid, .cpu = cpu, .fd = fd, .leader = group, .output = -1};
        machine.open++;
    }
    return fd;
}

static int close_event(void *ctx, int fd)
{
    (void)ctx;
    machine.open -= of(fd) != NULL;
    return machine.real->close(machine.real->ctx, fd);
}

static int ioctl_event(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx;
    if (request == PERF_EVENT_IOC_SET_OUTPUT)
        of(fd)->output = (int)arg;
    if (request == PERF_EVENT_IOC_ENABLE)
        of(fd)->enabled = true;
    return machine.real->perf_ioctl(machine.real->ctx, fd, request, arg);
}

static int map_ring(void *ctx, int fd, size_t size, void **out)
{
    int err =
        machine.ring_most && size > machine.ring_most ? -EPERM : machine.real->map(machine.real->ctx, fd, size, out);

    (void)ctx;
    if (!err && of(fd))
        of(fd)->ring = size;
    return err;
}

static struct td *begin_with(const char *name, int level, const char *more)
{
    struct td *td = on_shipped_machine_with(name, more);

    CU_ASSERT_FATAL(!td_set_level(td, level));
    memset(&machine, 0, sizeof(machine));
    machine.real = td_session_os(td);
    machine.os = *machine.real;
    machine.os.perf_open = open_event;
    machine.os.perf_ioctl = ioctl_event;
    machine.os.close = close_event;
    machine.os.map = map_ring;
    td->os = &machine.os;
    return td;
}

static struct td *begin(const char *name, int level)
{
    return begin_with(name, level, "");
}

static void open_all(struct td *td, const struct td_live *what, uint64_t period, bool leader)
{
    const struct td_sampling s = {.size = sizeof(struct td_sampling), .what = what, .period = period, .leader = leader};

    CU_ASSERT_EQUAL_FATAL(td_sampling_open(td, &s, keep_nothing, NULL), 0);
}

static void end(struct td *td)
{
    CU_ASSERT_EQUAL(td_sampling_end(td), 0);
    CU_ASSERT_EQUAL(machine.open, 0);
    td_free(td);
}

/* What all events of samples have. */
static void common(const struct opened *e)
{
    const struct perf_event_attr *a = &e->attr;

    CU_ASSERT_EQUAL(a->sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                                        PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ);
    CU_ASSERT_EQUAL(a->read_format, PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
                                        PERF_FORMAT_TOTAL_TIME_RUNNING);
    CU_ASSERT(a->sample_id_all && a->use_clockid && a->clockid == 1 /* CLOCK_MONOTONIC */ && !a->freq);
    CU_ASSERT_EQUAL(a->exclude_callchain_kernel, a->exclude_kernel);
}

/* Whether the event tells what happens to tasks. */
static bool tells(const struct opened *e)
{
    const struct perf_event_attr *a = &e->attr;

    CU_ASSERT(a->mmap == a->comm && a->mmap2 == a->comm && a->task == a->comm && a->comm_exec == a->comm);
    /* of CPUs by single samples, each of which wakes: of the two of a pair only the second does, which tells nothing */
    CU_ASSERT_EQUAL(a->context_switch, a->mmap && e->pid == -1 && a->wakeup_events);
    return a->mmap;
}

/* Pairs on the eight CPUs of an Ice Lake: slots, two events of cycles, and the register's four. */
static void pairs(void)
{
    const struct td_live what = {.size = sizeof(struct td_live)};
    struct td *td = begin("icelake", 1);
    const struct opened *e;
    size_t members;

    open_all(td, &what, 3000000, false);
    members = machine.n / 8;
    CU_ASSERT_FATAL(machine.n == 8 * members && members >= MEMBERS);
    for (int cpu = 0; cpu < 8; cpu++) {
        unsigned fields = 0;

        e = &machine.event[(size_t)cpu * members];
        CU_ASSERT_EQUAL(e->attr.config, 0x400);
        for (size_t i = 0; i < members; i++) {
            common(&e[i]);
            CU_ASSERT(e[i].cpu == cpu && e[i].pid == -1 && e[i].leader == (i ? e[0].fd : -1));
            CU_ASSERT_EQUAL(e[i].attr.type, i == 1 || i == 2 ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW);
            CU_ASSERT((i == 1 || i == 2) == (e[i].attr.config == PERF_COUNT_HW_CPU_CYCLES));
            fields |=
                e[i].attr.config >> 8 >= 0x80 && e[i].attr.config >> 8 < 0x84 ? 1u << (e[i].attr.config >> 8) % 4 : 0;
            CU_ASSERT_EQUAL(e[i].attr.sample_period, i == 1 || i == 2 ? 3000000 : 0);
            CU_ASSERT_EQUAL(e[i].attr.wakeup_events, i == 2); /* not between the two samples of a pair */
            CU_ASSERT_EQUAL(e[i].attr.disabled, i == 0);
            CU_ASSERT_EQUAL(e[i].enabled, i == 0);
            CU_ASSERT_EQUAL(tells(&e[i]), i == 1);
            CU_ASSERT_EQUAL(e[i].ring, i == 1 ? 65 * 4096 : 0); /* 64 pages, and the one before them */
            CU_ASSERT_EQUAL(e[i].output, i == 2 ? e[1].fd : -1);
        }
        CU_ASSERT_EQUAL(fields, 0xf);
    }
    end(td);
}

/* Threads are told of by an event in no group. */
static void thread(void)
{
    static const pid_t task = 701;
    const struct td_live what = {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1, .threads = true};
    struct td *td = begin("icelake", 1);
    const struct opened *e, *teller = NULL;

    open_all(td, &what, 3000000, false);
    for (size_t i = 0; i < machine.n; i++)
        teller = machine.event[i].attr.type == PERF_TYPE_SOFTWARE ? &machine.event[i] : teller;
    CU_ASSERT_PTR_NOT_NULL_FATAL(teller);
    common(teller);
    CU_ASSERT(teller->attr.config == PERF_COUNT_SW_DUMMY && !teller->attr.config1 && !teller->attr.config2);
    CU_ASSERT(tells(teller) && !teller->attr.disabled && !teller->attr.enable_on_exec && !teller->attr.pinned);
    CU_ASSERT(teller->attr.watermark && teller->attr.wakeup_watermark == 1 && !teller->attr.sample_period);
    CU_ASSERT(teller->leader == -1 && teller->pid == task && teller->cpu == -1 && teller->ring == 5 * 4096);
    e = of(teller[-1].leader);
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    CU_ASSERT(e->attr.config == 0x400 && e->pid == task && e->cpu == -1 && e->enabled && e->attr.disabled);
    CU_ASSERT(e[1].ring == 17 * 4096 && !tells(&e[1]) && e[1].attr.sample_period == 3000000);
    CU_ASSERT(e[2].output == e[1].fd && e[2].attr.wakeup_events == 1);
    end(td);
}

/* Where the kernel locks less memory, rings are halved until they fit. */
static void small_rings(void)
{
    const struct td_live what = {.size = sizeof(struct td_live)};
    struct td *td = begin("icelake", 1);

    machine.ring_most = 20 * 4096;
    open_all(td, &what, 3000000, false);
    CU_ASSERT_EQUAL(machine.event[1].ring, 17 * 4096);
    end(td);
    td = begin("icelake", 1);
    machine.ring_most = 1;
    {
        const struct td_sampling s = {.size = sizeof(struct td_sampling), .what = &what, .period = 3000000};

        CU_ASSERT_EQUAL(td_sampling_open(td, &s, keep_nothing, NULL), -EPERM);
    }
    CU_ASSERT_EQUAL(machine.open, 0);
    td_free(td);
}

/* Of Arm's CPUs cycles are events of the PMU: CPU_CYCLES, 0x11. With leader, the formulas' own take the samples. */
static void single(void)
{
    const struct td_live what = {.size = sizeof(struct td_live)};
    struct td *td = begin("graviton4", 1);
    unsigned samplers = 0;

    open_all(td, &what, 1000000, true);
    for (size_t i = 0; i < machine.n; i++) {
        const struct opened *e = &machine.event[i];

        if (!e->attr.sample_period)
            continue;
        common(e);
        samplers++;
        CU_ASSERT(e->attr.config == 0x11 && e->attr.type == 8 && e->attr.sample_period == 1000000);
        CU_ASSERT(e->attr.wakeup_events == 1 && tells(e) && e->ring == 65 * 4096);
    }
    CU_ASSERT_EQUAL(samplers, 8);
    end(td);
}

/* The PMU is part of an event's name where there are several. */
static void names(void)
{
    static const struct {
        const char *machine, *name;
    } rows[] = {{"icelake", "slots"}, {"alderlake", "cpu_core/slots/"}};
    static const int cpus[] = {2, 9};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = begin(rows[i].machine, 1);

        open_all(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = cpus, .ncpus = i + 1}, 3000000, false);
        CU_ASSERT_STRING_EQUAL(td->recorder->kind[0].event[0].name, rows[i].name);
        CU_ASSERT_STRING_EQUAL(td->recorder->kind[0].event[1].name, "cpu-cycles");
        end(td);
    }
}

/* Linux before 4.3 knows no switches: what else happens to tasks is told all the same, and a CPU's events are opened
 * once more only until that is known. */
static void no_switches(void)
{
    const struct td_live what = {.size = sizeof(struct td_live)};
    struct td *td = begin_with("graviton4", 1, "sampling switches=no\n");
    unsigned tellers = 0;

    open_all(td, &what, 1000000, true);
    for (size_t i = 0; i < machine.n; i++) {
        CU_ASSERT(!machine.event[i].attr.context_switch);
        tellers += machine.event[i].attr.mmap && machine.event[i].attr.task;
    }
    CU_ASSERT_EQUAL(tellers, 8);
    CU_ASSERT_EQUAL(machine.refused, 1);
    end(td);
}

/* Each kind of core of a hybrid samples its own CPUs: cycles of a PMU have its type in the upper half. */
static void hybrid(void)
{
    const struct td_live what = {.size = sizeof(struct td_live)};
    struct td *td = begin("alderlake", 1);
    unsigned pairs = 0;

    open_all(td, &what, 3000000, false);
    for (size_t i = 0; i < machine.n; i++) {
        const struct opened *e = &machine.event[i];

        if (!e->attr.sample_period)
            continue;
        common(e);
        pairs += e->attr.wakeup_events;
        CU_ASSERT(e->attr.type == PERF_TYPE_HARDWARE && e->attr.config == (e->cpu < 8 ? 0 : UINT64_C(8) << 32));
        CU_ASSERT_EQUAL(tells(e), !e->attr.wakeup_events);
    }
    CU_ASSERT_EQUAL(pairs, 12);
    end(td);
}

/* What a process starts inherits its single samples, of which each CPU has a group: those of its threads 701 and 702
 * share that CPU's ring. */
static void inherited(void)
{
    static const pid_t task = 701;
    const struct td_live what = {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1};
    struct td_sampling_info info = {.size = sizeof(info)};
    struct td *td = begin("icelake", 1);
    const struct opened *first = NULL;
    unsigned samplers = 0;

    open_all(td, &what, 1000000, true);
    for (size_t i = 0; i < machine.n; i++) {
        const struct opened *e = &machine.event[i];

        CU_ASSERT(e->attr.inherit && e->cpu >= 0 && (e->pid == 701 || e->pid == 702));
        if (!e->attr.sample_period)
            continue;
        common(e);
        first = samplers % 2 ? first : e;
        CU_ASSERT(e->cpu == (int)samplers / 2 && e->attr.sample_period == 1000000 && e->attr.wakeup_events == 1 &&
                  tells(e));
        CU_ASSERT(e->ring == (e == first ? 65 * 4096 : 0) && e->output == (e == first ? -1 : first->fd));
        CU_ASSERT(e == first || e->pid != first->pid);
        CU_ASSERT(of(e->leader)->enabled && of(e->leader)->attr.disabled && !of(e->leader)->attr.enable_on_exec);
        samplers++;
    }
    CU_ASSERT_EQUAL(samplers, 16);
    CU_ASSERT(!td_sampling_about(td, &info) && info.groups == 2 && !info.missed && !info.pairs);
    end(td);
}

/* Linux before 6.13 refuses that: then each thread has a group, and what happens to it is told by another event. */
static void not_inherited(void)
{
    static const pid_t task = 701;
    const struct td_live what = {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1};
    struct td_sampling_info info = {.size = sizeof(info)};
    struct td *td = begin_with("icelake", 1, "sampling inherit=no\n");
    unsigned samplers = 0, tellers = 0;

    open_all(td, &what, 1000000, true);
    for (size_t i = 0; i < machine.n; i++) {
        const struct opened *e = &machine.event[i];

        CU_ASSERT(!e->attr.inherit || e->attr.disabled); /* the one that was refused later on */
        if (e->attr.inherit)
            continue;
        CU_ASSERT(e->cpu == -1 && (e->pid == 701 || e->pid == 702));
        samplers += e->attr.sample_period == 1000000;
        tellers += e->attr.config == PERF_COUNT_SW_DUMMY && e->attr.type == PERF_TYPE_SOFTWARE;
        CU_ASSERT(!e->attr.sample_period || (e->ring == 17 * 4096 && !tells(e)));
    }
    CU_ASSERT(samplers == 2 && tellers == 2);
    CU_ASSERT(!td_sampling_about(td, &info) && info.groups == 2 && !info.missed);
    end(td);
}

/* Groups that take turns on Skylake at level 2: of a CPU all are put into the first one's ring, which tells what
 * happens to tasks; of a thread nothing is inherited, as its groups would not be seen to take turns. */
static void turns(void)
{
    static const pid_t task = 701;
    static const int cpu = 2;
    const struct td_live of_cpu = {.size = sizeof(struct td_live), .cpus = &cpu, .ncpus = 1},
                         of_task = {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1, .threads = true};

    for (size_t tasks = 0; tasks < 2; tasks++) {
        struct td *td = begin("skylake", 2);
        const struct opened *first = NULL;
        unsigned samplers = 0;

        open_all(td, tasks ? &of_task : &of_cpu, 1000000, true);
        for (size_t i = 0; i < machine.n; i++) {
            const struct opened *e = &machine.event[i];

            CU_ASSERT(!e->attr.inherit && !e->attr.pinned && e->pid == (tasks ? 701 : -1) &&
                      e->cpu == (tasks ? -1 : 2));
            if (!e->attr.sample_period || !of(e->fd) || of(e->fd) != e)
                continue;
            common(e);
            first = first ? first : e;
            CU_ASSERT(e->output == (e == first ? -1 : first->fd));
            CU_ASSERT(e->ring == (e != first ? 0 : tasks ? 17 * 4096 : 65 * 4096));
            CU_ASSERT_EQUAL(tells(e), e == first && !tasks);
            samplers++;
        }
        CU_ASSERT(samplers > 1);
        end(td);
    }
}

static const CU_TestInfo tests[] = {
    {"pairs", pairs},
    {"a thread", thread},
    {"small rings", small_rings},
    {"single samples", single},
    {"no switches", no_switches},
    {"a hybrid", hybrid},
    {"inherited samples", inherited},
    {"not inherited", not_inherited},
    {"groups that take turns", turns},
    {"names of events", names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("events that sample", tests);
