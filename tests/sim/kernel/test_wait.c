/* SPDX-License-Identifier: MIT */
/* A simulated machine that waits, on a machine whose clock, signals and input come from
 * the test: what comes from outside ends a wait, and paced time passes no faster than there. */
#include "tests/support/sim_text.h"

#include <signal.h>
#include <sys/wait.h>

/* The machine outside. Its clock advances only in its wait(), and as far as is asked for. */
static struct {
    uint64_t now, asked, comes_at; /* comes_at: when something comes, UINT64_MAX: never */
    struct td_os_event what;
    unsigned waits, signals, interruptions;
    int fd;
} outside;

static uint64_t outside_now(void *ctx)
{
    (void)ctx;
    return outside.now;
}

static int outside_signals(void *ctx)
{
    (void)ctx;
    outside.signals++;
    return 0;
}

static int outside_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    (void)ctx;
    outside.waits++;
    outside.asked = until;
    outside.fd = fd;
    if (outside.interruptions && outside.interruptions--)
        return -EINTR;
    *out = (struct td_os_event){.what = TD_OS_TIME};
    if (outside.comes_at <= (until > outside.now ? until : outside.now)) {
        *out = outside.what;
        if (outside.comes_at > outside.now)
            outside.now = outside.comes_at;
        outside.comes_at = UINT64_MAX;
    } else if (until > outside.now) {
        CU_ASSERT_FATAL(until != UINT64_MAX); /* it would wait for ever */
        outside.now = until;
    }
    return 0;
}

static const struct td_os outside_os = {.now = outside_now, .signals = outside_signals, .wait = outside_wait};

static bool begin_in(const char *description, bool paced)
{
    memset(&outside, 0, sizeof(outside));
    outside.now = UINT64_C(77000000000);
    outside.comes_at = UINT64_MAX;
    if (!begin(description))
        return false;
    td_sim_attach(sim, &outside_os, paced);
    return true;
}

static struct td_os_event wait_for(uint64_t ns)
{
    struct td_os_event e = {.what = TD_OS_EXIT};
    const uint64_t until = ns == UINT64_MAX ? ns : os->now(os->ctx) + ns;

    CU_ASSERT_EQUAL(os->wait(os->ctx, until, 5, &e), 0);
    return e;
}

/* Nobody took the signals: a wait asks nothing outside, and takes no time. */
static void alone(void)
{
    if (!begin_in(BUSY, false))
        return;
    outside.comes_at = 0;
    outside.what = (struct td_os_event){.what = TD_OS_SIGNAL, .signal = SIGINT};
    CU_ASSERT_EQUAL(wait_for(UINT64_C(3600000000000)).what, TD_OS_TIME);
    CU_ASSERT(!outside.waits && !outside.signals);
    end();
}

static void signals_unpaced(void)
{
    if (!begin_in(BUSY, false))
        return;
    CU_ASSERT_EQUAL(os->signals(os->ctx), 0);
    CU_ASSERT_EQUAL(outside.signals, 1);
    outside.interruptions = 2;
    CU_ASSERT_EQUAL(wait_for(UINT64_C(10000000000)).what, TD_OS_TIME);
    CU_ASSERT(outside.waits >= 100 && outside.asked == 0 && outside.fd == 5); /* it looks, again and again */
    CU_ASSERT_EQUAL(outside.now, UINT64_C(77000000000)); /* and never waits */
    outside.comes_at = 0;
    outside.what = (struct td_os_event){.what = TD_OS_SIGNAL, .signal = SIGTERM};
    CU_ASSERT_EQUAL(wait_for(UINT64_C(10000000000)).signal, SIGTERM);
    outside.comes_at = 0;
    outside.what = (struct td_os_event){.what = TD_OS_INPUT};
    CU_ASSERT_EQUAL(wait_for(0).what, TD_OS_INPUT); /* reported before the time, which is still past at the next call */
    CU_ASSERT_EQUAL(wait_for(0).what, TD_OS_TIME);
    end();
}

static void paced(void)
{
    const uint64_t began = UINT64_C(77000000000);
    uint64_t at;

    if (!begin_in(BUSY, true))
        return;
    at = os->now(os->ctx);
    CU_ASSERT_EQUAL(wait_for(UINT64_C(2500000000)).what, TD_OS_TIME);
    CU_ASSERT_EQUAL(outside.now - began, UINT64_C(2500000000));
    CU_ASSERT_EQUAL(os->now(os->ctx) - at, UINT64_C(2500000000));
    at = os->now(os->ctx);
    outside.comes_at = outside.now + 130 * MSEC + 7;
    outside.what = (struct td_os_event){.what = TD_OS_SIGNAL, .signal = SIGINT};
    CU_ASSERT_EQUAL(wait_for(UINT64_C(2500000000)).signal, SIGINT);
    CU_ASSERT_EQUAL(os->now(os->ctx) - at, 130 * MSEC + 7);
    outside.comes_at = outside.now + 60 * MSEC;
    CU_ASSERT_EQUAL(wait_for(UINT64_MAX).signal, SIGINT); /* for ever, where nothing happens inside */
    end();
}

/* A terminal's signal also reaches the machine's command; one of kill(1) does not. */
static void commands(void)
{
    char *argv[] = {(char *)"x", NULL};

    for (int group = 0; group < 2; group++) {
        struct td_os_event e;

        if (!begin_in(BIG "command w ms=900\n", true))
            return;
        CU_ASSERT(os->spawn(os->ctx, argv) > 0);
        CU_ASSERT_EQUAL(os->release(os->ctx), 0);
        outside.comes_at = outside.now + 250 * MSEC;
        outside.what = (struct td_os_event){.what = TD_OS_SIGNAL, .signal = SIGINT, .group = group};
        e = wait_for(UINT64_MAX);
        CU_ASSERT(e.what == TD_OS_SIGNAL && e.group == group);
        e = wait_for(UINT64_MAX);
        CU_ASSERT_EQUAL(e.what, TD_OS_EXIT);
        CU_ASSERT_EQUAL(WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0, group ? SIGINT : 0);
        CU_ASSERT_EQUAL((outside.now - UINT64_C(77000000000)) / MSEC, group ? 250 : 900);
        end();
    }
}

/* What is counted does not depend on when somebody looks. */
static void counts_are_the_same(void)
{
    struct sim_reading r[2];

    for (int i = 0; i < 2; i++) {
        int fd;

        if (!begin_in(BUSY, i))
            return;
        fd = open_metrics(0);
        ioctl_group(fd, PERF_EVENT_IOC_ENABLE);
        CU_ASSERT_EQUAL(wait_for(1234567891).what, TD_OS_TIME);
        CU_ASSERT(take(fd, &r[i]) > 0);
        end();
    }
    CU_ASSERT_EQUAL(memcmp(&r[0], &r[1], sizeof(r[0])), 0);
    CU_ASSERT(r[0].value[0] > 1200000000);
}

static const CU_TestInfo tests[] = {
    {"nothing comes from outside", alone},
    {"signals and input, unpaced", signals_unpaced},
    {"paced by another clock", paced},
    {"a terminal's signals and the command", commands},
    {"the same counts either way", counts_are_the_same},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("simulated waiting", tests);
