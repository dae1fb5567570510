/* SPDX-License-Identifier: MIT */
/* Which pages exist, and who may read their counters. */
#include "tests/support/read_self.h"

static uint64_t rdpmc(uint32_t ecx)
{
    uint64_t value = 0;

    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, ecx, &value), 0);
    return value;
}

static void permissions(void)
{
    struct perf_event_mmap_page *p;
    uint64_t n;

    if (!begin(BIG SPIN "file /sys/bus/event_source/devices/cpu/rdpmc = 0\\n\n"))
        return;
    p = map_fd(open_self(0xc2, -1));
    CU_ASSERT_TRUE(!p->cap_user_rdpmc && p->index == 0);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0, &n), -EPERM);
    end();
    if (!begin(BIG SPIN "file /sys/bus/event_source/devices/cpu/rdpmc = 2\\n\n"))
        return;
    CU_ASSERT_TRUE(td_sim_rdpmc(sim, 0, &n) == 0 && n == 0);
    end();
    if (!begin(BIG SPIN))
        return;
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0, &n), -EPERM);
    p = map_fd(open_self(0xc2, -1));
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 1, &n), 0);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 2, &n), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0x40000004, &n), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0x20000001, &n), -ENXIO);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 0x80000000, &n), -ENXIO);
    unmap_page(p);
    CU_ASSERT_EQUAL(td_sim_rdpmc(sim, 1, &n), -EPERM);
    end();
}

/* A mapped event lives on without its descriptor. */
static void mapping(void)
{
    struct perf_event_attr attr = attr_of(0xc2);
    struct perf_event_mmap_page *p;
    struct td_sim_calls calls;
    uint64_t n;
    void *at = NULL;
    int fd;

    if (!begin(BIG SPIN))
        return;
    CU_ASSERT_EQUAL(os->map(os->ctx, -1, 100, &at), 0);
    CU_ASSERT_TRUE((uintptr_t)at % PAGE == 0 && !memcmp(at, &(char[100]){0}, 100));
    os->unmap(os->ctx, at, 100);
    CU_ASSERT_EQUAL(os->map(os->ctx, 99, PAGE, &at), -EBADF);
    CU_ASSERT_EQUAL(os->map(os->ctx, os->folder(os->ctx, "/sys/fs/cgroup"), PAGE, &at), -ENODEV);
    attr.inherit = 1;
    CU_ASSERT_EQUAL(os->map(os->ctx, os->perf_open(os->ctx, &attr, 0, -1, -1, 0), PAGE, &at), -EINVAL);
    fd = open_self(0xc2, -1);
    CU_ASSERT_EQUAL(os->map(os->ctx, fd, 100, &at), -EINVAL);
    p = map_fd(fd);
    CU_ASSERT_PTR_EQUAL(map_fd(fd), p);
    td_sim_calls(sim, &calls);
    CU_ASSERT_EQUAL(calls.mapped, 1);
    unmap_page(p);
    CU_ASSERT_EQUAL(os->close(os->ctx, fd), 0);
    td_sim_self_run(sim, 1000);
    CU_ASSERT_TRUE(read_count(p, rdpmc, &n) && n == 500);
    unmap_page(p);
    td_sim_calls(sim, &calls);
    CU_ASSERT_EQUAL(calls.mapped, 0);
    p = map_fd(open_self(0xc2, -1));
    CU_ASSERT_EQUAL(p->index, 2); /* the counter of the event that has now ended */
    unmap_page(p);
    map_fd(open_self(0xc2, -1)); /* left to td_sim_free(), one of them without its descriptor */
    os->close(os->ctx, fd);
    end();
}

static const CU_TestInfo tests[] = {
    {"permissions", permissions},
    {"mapping", mapping},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("event pages: mapping", tests);
