/* SPDX-License-Identifier: MIT */
/* Weights of samples: the latencies of what retires. */
#include "tests/support/sim_text.h"

enum { RING = (1 + 32) * 4096 };

/* A sample of one event of a CPU, with the weight where perf_event_open(2) has it: after the call chain, before
 * nothing. */
struct weighed {
    struct perf_event_header header;
    uint64_t id, value, frames, frame[2];
    union perf_sample_weight weight;
};

static const struct {
    uint64_t which;
    unsigned precise;
    int err;
} weights[] = {
    {PERF_SAMPLE_WEIGHT_STRUCT, 1, 0},
    {PERF_SAMPLE_WEIGHT_STRUCT, 0, 0},
    {PERF_SAMPLE_WEIGHT, 1, 0},
    {PERF_SAMPLE_WEIGHT_STRUCT, 3, -EOPNOTSUPP},
    {PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, 1, -EINVAL},
};

static struct perf_event_attr weighed_attr(size_t i)
{
    struct perf_event_attr a = attr_of(0xc2);

    a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | weights[i].which;
    a.read_format = 0;
    a.sample_period = 2000;
    a.precise_ip = weights[i].precise & 3u;
    return a;
}

/* The mean of var3_w of 500 samples, evenly distributed from 0 to 200: 100, within four standard errors of 57.7 /
 * sqrt(500). */
static void check_weights(size_t i, const struct perf_event_mmap_page *page)
{
    const double mean = weights[i].which == PERF_SAMPLE_WEIGHT_STRUCT && weights[i].precise ? 100 : 0;
    double sum = 0;
    unsigned n = 0;

    for (uint64_t at = 0; at < page->data_head; n++) {
        struct weighed w;

        memcpy(&w, (const char *)page + page->data_offset + at, sizeof(w));
        CU_ASSERT_TRUE_FATAL(w.header.type == PERF_RECORD_SAMPLE && w.header.size == sizeof(w));
        CU_ASSERT_TRUE(w.frames == 2 && w.weight.var1_dw == 0 && w.weight.var2_w == 0 && w.weight.var3_w <= 2 * mean);
        CU_ASSERT_TRUE(w.value == 2000 * (n + 1));
        sum += w.weight.var3_w;
        at += w.header.size;
    }
    CU_ASSERT_EQUAL(n, 500);
    CU_ASSERT_TRUE(sum / n >= mean - 10.3 && sum / n <= mean + 10.3 && (mean > 0) == (sum > 0));
}

/* Of two events whose latencies differ, with max_precise 2. */
static void weighed(void)
{
    for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++) {
        struct perf_event_attr a = weighed_attr(i);
        void *at = NULL;
        int fd;

        if (!begin(MAGIC
                   "cpus 0-1\npmu cpu type=4 cpus=0-1 general=4 fixed=0-3 metrics=8\ncaps cpu max_precise = 2\n" WORK
                   "count 0xc3 0.5 latency=7\ncount 0xc2 0.1 latency=100\nrun w cpus=0\n"))
            return;
        fd = os->perf_open(os->ctx, &a, -1, 0, -1, 0);
        CU_ASSERT_TRUE(weights[i].err ? fd == weights[i].err : fd >= 0);
        if (fd >= 0) {
            CU_ASSERT_EQUAL(os->map(os->ctx, fd, RING, &at), 0);
            os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_ENABLE, 0);
            pass(10);
            check_weights(i, at);
            os->unmap(os->ctx, at, RING);
            os->close(os->ctx, fd);
        }
        a.sample_period = 0;
        if (!weights[i].err)
            CU_ASSERT_EQUAL(os->perf_open(os->ctx, &a, -1, 0, -1, 0), a.precise_ip ? -EINVAL : fd);
        end();
    }
}

static CU_TestInfo tests[] = {
    {"weights of samples are retire latencies of precise events", weighed},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("weights of samples", tests);
