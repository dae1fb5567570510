/* SPDX-License-Identifier: MIT */
/* Samples of retire latencies from a ring that is written here, the times of the groups that take them, and how these
 * are opened. */
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
        /* 2^46: no measurement has so many, and the longest period of a counter of 48 bits is 2^47 - 1 */
        CU_ASSERT_EQUAL(*(const uint64_t *)(uintptr_t)arg, UINT64_C(70368744177664));
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

/* ---- opening ------------------------------------------------------------------------------------- */

/* What is asked of the kernel: which events are opened in whose group, and which of them gets the ring. */
static struct {
    struct perf_event_attr attr[3];
    pid_t pid[3];
    int cpu[3], leader[3], output[10], ring, interrupts, refuses;
    unsigned long flags[3];
    size_t opens, sizes[8], maps;
} opened;

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    const size_t i = opened.opens;

    (void)ctx;
    CU_ASSERT_FATAL(i < 3);
    if (opened.interrupts-- > 0)
        return -EINTR;
    opened.attr[i] = *attr;
    opened.pid[i] = pid;
    opened.cpu[i] = cpu;
    opened.leader[i] = group;
    opened.flags[i] = flags;
    opened.opens++;
    return (int)i; /* descriptor 0 is one, too */
}

static int ask_opened(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx;
    if (request == PERF_EVENT_IOC_ID)
        *(uint64_t *)(uintptr_t)arg = 100 + (uint64_t)fd;
    else if (request == PERF_EVENT_IOC_SET_OUTPUT)
        opened.output[fd] = (int)arg;
    return 0;
}

static int map_opened(void *ctx, int fd, size_t size, void **out)
{
    (void)ctx;
    CU_ASSERT_FATAL(opened.maps < 8);
    opened.sizes[opened.maps++] = size;
    opened.ring = fd;
    *out = &ring;
    return opened.refuses-- > 0 ? -EPERM : 0;
}

static void unmap_opened(void *ctx, void *at, size_t size)
{
    (void)ctx;
    CU_ASSERT(at == &ring && size == opened.sizes[opened.maps - 1]);
}

static const struct td_os opening = {.name = "opening",
                                     .perf_open = open_event,
                                     .perf_ioctl = ask_opened,
                                     .map = map_opened,
                                     .unmap = unmap_opened,
                                     .close = close_it};

/* Events 2, 0 and 1 of a row, of which the first two are one group, beside the plan. */
static int open_place(struct td_perf_target target, int interrupts, int refuses)
{
    static const struct td_event row_events[] = {{"A", 0x11, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
                                                 {"B", 0x12, "0-3", "0-3", -1, 1, 1, true, .config1 = 0x15},
                                                 {"C", 0x13, "0-3", "0-3", -1, 1, 1, true, .config1 = 0}};
    static const struct td_uarch row = {.events = row_events, .nevents = 3};
    static struct td_forms forms = {.uarch = &row};
    static const struct td_host_pmu host = {.type = 4};
    static uint64_t config[] = {0x11, 0x12, 0x13};
    static struct td_latency_event three[] = {
        {.event = 2, .group = 3}, {.event = 0, .group = 3}, {.event = 1, .group = 4}};
    static struct td_unit unit;
    struct td_perf_error e;

    memset(&opened, 0, sizeof(opened));
    memset(opened.output, -1, sizeof(opened.output));
    opened.interrupts = interrupts;
    opened.refuses = refuses;
    closed = 0;
    meter.ask = (struct td_perf_ask){.os = &opening};
    meter.pmu[0] = (struct td_perf_pmu){.host = &host, .forms = &forms, .config = config};
    meter.scopes = (struct td_scopes){.unit = &unit, .nunits = 1};
    kind = (struct td_latency_kind){.event = three, .n = 3, .beside = true};
    place = (struct td_latency_place){.target = target, .kind = &kind};
    return td_latency_place_open(&meter, &place, &e);
}

static void opens(void)
{
    static const uint64_t config[] = {0x13, 0x11, 0x12}, config1[] = {0, 0, 0x15};

    CU_ASSERT_EQUAL_FATAL(open_place((struct td_perf_target){-1, 5, -1}, 2, 0), 0);
    CU_ASSERT_EQUAL_FATAL(opened.opens, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct perf_event_attr *a = &opened.attr[i];

        CU_ASSERT(a->config == config[i] && a->config1 == config1[i] && a->type == 4);
        CU_ASSERT(a->sample_period == 10007 && a->precise_ip == 1);
        CU_ASSERT_EQUAL(a->sample_type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_WEIGHT_STRUCT);
        CU_ASSERT_EQUAL(a->disabled, i != 1);
        CU_ASSERT(opened.pid[i] == -1 && opened.cpu[i] == 5 && opened.flags[i] == PERF_FLAG_FD_CLOEXEC);
        CU_ASSERT_EQUAL(opened.leader[i], i == 1 ? 0 : -1);
        CU_ASSERT_EQUAL(opened.output[i], i ? 0 : -1);
        CU_ASSERT(place.member[i].fd == (int)i && place.member[i].id == 100 + i && place.member[i].leads == (i != 1));
    }
    CU_ASSERT(opened.maps == 1 && opened.ring == 0 && opened.sizes[0] == 17 * PAGE);
    finish(3);
    CU_ASSERT_EQUAL_FATAL(open_place((struct td_perf_target){-1, 5, 0}, 0, 4), 0); /* a cgroup's descriptor is 0 */
    CU_ASSERT(opened.pid[0] == 0 && opened.flags[0] == (PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP));
    CU_ASSERT(opened.maps == 5 && opened.sizes[1] == 9 * PAGE && opened.sizes[4] == 2 * PAGE);
    finish(3);
    CU_ASSERT_EQUAL(open_place((struct td_perf_target){-1, 5, -1}, 0, 5), -EPERM); /* not even one page */
    CU_ASSERT(closed == 1 && !place.member && opened.maps == 5);
}

static const CU_TestInfo tests[] = {
    {"samples", samples},   {"around the ring", around}, {"broken", broken}, {"times", times},
    {"switched", switched}, {"opening", opens},          CU_TEST_INFO_NULL,
};
UNIT_SUITE("places of latencies", tests);
