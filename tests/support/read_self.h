/* SPDX-License-Identifier: MIT */
/* Counts that a thread reads by itself, as described in <linux/perf_event.h> and perf's
 * topdown.txt; counter() is the instruction, or takes its place. */
#ifndef READ_SELF_H
#define READ_SELF_H

#include "tests/support/sim_text.h"

#define SPIN "spin w\n"

#define ARM \
    MAGIC \
    "cpus 0-1\nmidr 0x410fd493\npmu armv8_pmuv3_0 type=8 cpus=0-1 general=6 fixed=cycle\nworkload w rate=1000000000\n" \
    "phase ms=1000 " SHARES "count 0x11 0.25\ncount 0x3b 0.5\n" SPIN
#define ACCESS "file /proc/sys/kernel/perf_user_access = 1\\n\n"

enum {
    PAGE = 4096,
    SLOTS_INDEX = 0x40000004,
    METRICS_INDEX = 0x20000001,
    READ_SLOTS = 0x40000003,
    READ_METRICS = 0x20000000
};

typedef uint64_t counter_fn(uint32_t which);

static inline struct perf_event_mmap_page *map_fd(int fd)
{
    void *at = NULL;

    CU_ASSERT_EQUAL(os->map(os->ctx, fd, PAGE, &at), 0);
    return at;
}

static inline void unmap_page(struct perf_event_mmap_page *p)
{
    os->unmap(os->ctx, p, PAGE);
}

/* Opens an event of this thread that counts. */
static inline int open_self(uint64_t config, int group)
{
    return open_task(config, 0, group);
}

/* Slots and the eight metrics of a task, enabled together; 0: of this thread. */
static inline int open_metrics_of(pid_t pid)
{
    struct perf_event_attr attr = attr_of(SLOTS);
    int fd;

    attr.disabled = 1;
    attr.read_format |= PERF_FORMAT_GROUP;
    fd = os->perf_open(os->ctx, &attr, pid, -1, -1, 0);
    for (uint64_t i = 0; i < 8; i++)
        CU_ASSERT_TRUE(open_task(RETIRING + 0x100 * i, pid, fd) > fd);
    CU_ASSERT_EQUAL(ioctl_group(fd, PERF_EVENT_IOC_ENABLE), 0);
    return fd;
}

static inline uint32_t page_begin(const struct perf_event_mmap_page *p)
{
    return __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
}

static inline bool page_changed(const struct perf_event_mmap_page *p, uint32_t lock)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return lock & 1 || __atomic_load_n(&p->lock, __ATOMIC_RELAXED) != lock;
}

/* Of this thread, or of a CPU. */
static inline int open_arm(uint64_t config, uint64_t config1, int cpu)
{
    struct perf_event_attr attr = attr_of(config);

    attr.type = 8;
    attr.config1 = config1;
    return os->perf_open(os->ctx, &attr, cpu < 0 ? 0 : -1, cpu, -1, 0);
}

/* An ordinary event; false: it has no counter now. */
static inline bool read_count(const struct perf_event_mmap_page *p, counter_fn *counter, uint64_t *count)
{
    uint32_t lock, index;

    do {
        lock = page_begin(p);
        index = __atomic_load_n(&p->index, __ATOMIC_RELAXED);
        *count = (uint64_t)__atomic_load_n(&p->offset, __ATOMIC_RELAXED);
        if (p->cap_user_rdpmc && index) {
            unsigned unused = 64u - p->pmc_width;

            *count += (uint64_t)((int64_t)(counter(index - 1) << unused) >> unused);
        }
    } while (page_changed(p, lock));
    return p->cap_user_rdpmc && index;
}

/* Both registers as they are, from the page of slots. */
static inline bool read_topdown(const struct perf_event_mmap_page *p, counter_fn *counter, uint64_t *slots,
                                uint64_t *metrics)
{
    uint32_t lock, index;

    do {
        lock = page_begin(p);
        index = __atomic_load_n(&p->index, __ATOMIC_RELAXED);
        if (p->cap_user_rdpmc && index == SLOTS_INDEX) {
            *slots = counter(READ_SLOTS);
            *metrics = counter(READ_METRICS);
        }
    } while (page_changed(p, lock));
    return p->cap_user_rdpmc && index == SLOTS_INDEX;
}

/* What the thread executed: slots on CPUs of the PMU of a type. */
static inline uint64_t true_slots(uint32_t type)
{
    struct td_pmu_truth t = {0};

    CU_ASSERT_EQUAL(td_sim_self_truth(sim, type, &t), 0);
    return t.slots;
}

#endif
