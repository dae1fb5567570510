/* SPDX-License-Identifier: MIT */
/* Samples of retire latencies from a ring that is written here, and the times of the groups that take them. */
#include "live/latency/latency_place.h"
#include "live/meter.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, FIRST = 11, SECOND = 12, THIRD = 13 };

/* A ring of one page of records. */
static union {
    struct perf_event_mmap_page page;
    unsigned char bytes[2 * PAGE];
} ring;

static struct td_latency_event events[] = {{.group = 1}, {.group = 1}, {.group = 2}};
static struct td_latency_kind kind;
static struct td_latency_place place;
static struct td_latency_sums sums[3];
static struct td_meter meter;

/* What the groups' descriptors, 5 and 7, read: how long they ran; or the error. What was asked of them. */
static uint64_t ran[10];
static ssize_t got;
static unsigned enables[10], disables[10], periods[10], closed;

static ssize_t read_group(void *ctx, int fd, void *buf, size_t size)
{
    const uint64_t values[3] = {1, 999, ran[fd]};

    (void)ctx;
    CU_ASSERT_FATAL(size >= sizeof(values));
    memcpy(buf, values, sizeof(values));
    return got;
}

static int ask(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx;
    CU_ASSERT_FATAL(fd >= 0 && fd < 10);
    if (request == PERF_EVENT_IOC_PERIOD) {
        CU_ASSERT(*(const uint64_t *)(uintptr_t)arg > 1000000000); /* not within any measurement */
        periods[fd]++;
    } else {
        CU_ASSERT_EQUAL(arg, PERF_IOC_FLAG_GROUP);
        enables[fd] += request == PERF_EVENT_IOC_ENABLE;
        disables[fd] += request == PERF_EVENT_IOC_DISABLE;
    }
    return 0;
}

static int close_it(void *ctx, int fd)
{
    (void)ctx;
    CU_ASSERT(fd >= 0);
    closed++;
    return 0;
}

static void unmap(void *ctx, void *at, size_t size)
{
    (void)ctx;
    CU_ASSERT(at == &ring && size == sizeof(ring));
}

static const struct td_os os = {
    .name = "a ring", .read = read_group, .perf_ioctl = ask, .close = close_it, .unmap = unmap};

static void begin(bool beside)
{
    memset(&ring, 0, sizeof(ring));
    memset(sums, 0, sizeof(sums));
    memset(enables, 0, sizeof(enables));
    memset(disables, 0, sizeof(disables));
    memset(periods, 0, sizeof(periods));
    memset(ran, 0, sizeof(ran));
    closed = 0;
    got = 24;
    meter.ask.os = &os;
    kind = (struct td_latency_kind){.event = events, .n = 3, .beside = beside};
    place = (struct td_latency_place){.kind = &kind,
                                      .ring = {.page = &ring.page, .size = sizeof(ring), .bounce = malloc(1 << 16)}};
    place.member = calloc(3, sizeof(*place.member));
    CU_ASSERT_FATAL(place.member && place.ring.bounce);
    place.member[0].fd = 5;
    place.member[0].leads = place.member[2].leads = beside;
    place.member[1].fd = 6;
    place.member[2].fd = 7;
    for (size_t i = 0; i < 3; i++)
        place.member[i].id = FIRST + i;
}

static void finish(unsigned closes)
{
    td_latency_place_close(&meter, &place);
    CU_ASSERT(!place.member && !place.ring.page && closed == closes);
}

/* A record: its header, the id, and the weight: the retire latency is the upper 16 of its 64 bits. */
static void put(uint32_t type, uint64_t id, unsigned latency)
{
    const struct perf_event_header h = {.type = type, .size = 24};
    const uint64_t words[2] = {id, (uint64_t)latency << 48 | 0x123456789abc};

    for (size_t i = 0; i < 24; i++)
        ring.bytes[PAGE + (ring.page.data_head + i) % PAGE] =
            i < 8 ? ((const unsigned char *)&h)[i] : ((const unsigned char *)words)[i - 8];
    ring.page.data_head += 24;
}

static bool take(void)
{
    bool throttled = false;

    CU_ASSERT_EQUAL(td_latency_place_take(&meter, &place, sums, &throttled), 0);
    CU_ASSERT_EQUAL(ring.page.data_tail, ring.page.data_head);
    return throttled;
}

static bool is(size_t i, uint64_t n, uint64_t sum, uint64_t squares)
{
    return sums[i].n == n && sums[i].sum == sum && sums[i].squares == squares;
}

static void samples(void)
{
    begin(false);
    put(PERF_RECORD_SAMPLE, FIRST, 3);
    put(PERF_RECORD_SAMPLE, SECOND, 65535);
    put(PERF_RECORD_SAMPLE, FIRST, 4);
    put(PERF_RECORD_SAMPLE, 99, 5); /* nobody's */
    put(PERF_RECORD_LOST, FIRST, 6); /* no sample */
    CU_ASSERT(!take());
    CU_ASSERT(is(0, 2, 7, 9 + 16) && is(1, 1, 65535, 4294836225) && is(2, 0, 0, 0));
    CU_ASSERT(!take() && is(0, 2, 7, 25)); /* each once */
    put(PERF_RECORD_THROTTLE, FIRST, 7);
    put(PERF_RECORD_SAMPLE, THIRD, 0); /* a latency of 0 is one */
    CU_ASSERT(take());
    CU_ASSERT(is(0, 2, 7, 25) && is(2, 1, 0, 0));
    CU_ASSERT(!sums[0].running && !sums[2].running); /* the plan's own groups have times */
    finish(0); /* the events are the unit's */
}

/* Records go on at the ring's beginning: 4,096 is no multiple of 24. */
static void around(void)
{
    begin(false);
    for (unsigned i = 0; i < 1000; i++) {
        put(PERF_RECORD_SAMPLE, i % 2 ? SECOND : FIRST, 2);
        if (i % 7 == 6)
            CU_ASSERT(!take());
    }
    CU_ASSERT(!take() && is(0, 500, 1000, 2000) && is(1, 500, 1000, 2000));
    finish(0);
}

static void broken(void)
{
    bool throttled = false;

    begin(false);
    ring.page.data_head = 24; /* a record of no size */
    CU_ASSERT_EQUAL(td_latency_place_take(&meter, &place, sums, &throttled), -EBADMSG);
    finish(0);
    CU_ASSERT_EQUAL(td_latency_place_take(&meter, &place, sums, &throttled), 0); /* it is closed */
    begin(false);
    ring.page.data_head = 16; /* a record that is not all there */
    put(PERF_RECORD_SAMPLE, FIRST, 2);
    memmove(ring.bytes + PAGE, ring.bytes + PAGE + 16, 24);
    ring.page.data_head = 16;
    CU_ASSERT_EQUAL(td_latency_place_take(&meter, &place, sums, &throttled), -EBADMSG);
    finish(0);
}

/* Beside the plan each group's time is that of its leader, for all of its members; only what is more counts. */
static void times(void)
{
    begin(true);
    ran[5] = 100;
    ran[7] = 30;
    CU_ASSERT(!take());
    CU_ASSERT(sums[0].running == 100 && sums[1].running == 100 && sums[2].running == 30);
    ran[5] = 150;
    ran[7] = 20; /* less than before */
    CU_ASSERT(!take());
    CU_ASSERT(sums[0].running == 150 && sums[1].running == 150 && sums[2].running == 30);
    got = 23; /* what cannot be read stays */
    ran[5] = 1000;
    CU_ASSERT(!take());
    CU_ASSERT(sums[0].running == 150 && sums[2].running == 30);
    got = 24;
    CU_ASSERT(!take());
    CU_ASSERT(sums[0].running == 1000 && sums[2].running == 30);
    finish(3);
}

static void switched(void)
{
    begin(true);
    td_latency_place_enable(&meter, &place, true);
    CU_ASSERT(enables[5] == 1 && !enables[6] && enables[7] == 1 && !disables[5]);
    td_latency_place_enable(&meter, &place, false);
    CU_ASSERT(enables[5] == 1 && disables[5] == 1 && !disables[6] && disables[7] == 1);
    td_latency_place_stop(&meter, &place); /* they are closed, which stops them */
    CU_ASSERT(!periods[5] && !periods[6] && !periods[7]);
    place.member[1].fd = -1;
    finish(2);
    begin(false);
    place.member[1].fd = -1;
    place.member[2].fd = 0; /* a descriptor, too */
    td_latency_place_enable(&meter, &place, true);
    CU_ASSERT(!enables[5]);
    td_latency_place_stop(&meter, &place);
    CU_ASSERT(periods[5] == 1 && periods[0] == 1 && !periods[6]);
    finish(0);
}

static const CU_TestInfo tests[] = {
    {"samples", samples}, {"around the ring", around}, {"broken", broken},
    {"times", times},     {"switched", switched},      CU_TEST_INFO_NULL,
};
UNIT_SUITE("places of latencies", tests);
