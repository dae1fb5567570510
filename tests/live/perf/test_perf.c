/* SPDX-License-Identifier: MIT */
/* What the source "perf" asks of the kernel, call by call, and what it makes of the answers. The row, the plans and the
 * kernel's answers are written here; perf_event_open(2) says what they mean. */
#include "live/perf/perf.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

enum { SLOTS, FIELD, LAST_FIELD, A, A_USER, TSC, TOPDOWN, B, A_KERNEL, EVENTS };

static const struct td_event events[EVENTS] = {
    [SLOTS] = {"TOPDOWN.SLOTS", 0x400, "fixed 3", "fixed 3", -1, 1, 1, true, .config1 = 0},
    [FIELD] = {"FIELD", 0x8000, "", "", 0, 1, 1, true, .config1 = 0},
    [LAST_FIELD] = {"LAST_FIELD", 0x8700, "", "", 7, 1, 1, true, .config1 = 0},
    [A] = {"A", 0x11, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    [A_USER] = {"A:u", TD_CONFIG_NONE, "0-3", "0-3", -1, 1, 1, true, .base = A, .modes = TD_MODE_USER},
    [TSC] = {"T", TD_CONFIG_NONE, "", "", -1, 1, 1, true, .kind = TD_EVENT_TSC},
    [TOPDOWN] = {"topdown-total-slots", TD_CONFIG_NONE, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    [B] = {"B", 0x12, "0-3", "0-3", -1, 1, 1, true, .config1 = 0x15},
    [A_KERNEL] = {"A:k", TD_CONFIG_NONE, "0-3", "0-3", -1, 1, 1, true, .base = A, .modes = TD_MODE_KERNEL},
};
static const struct td_uarch row = {.name = "a-row", .events = events, .nevents = EVENTS};
static struct td_forms forms = {.uarch = &row};

/* ---- the kernel --------------------------------------------------------------------------------- */

enum { FDS = 16, FIRST = 3 };

static struct {
    struct {
        uint64_t config;
        int alone, in_group, in_cgroup, sampling; /* errors; the last of any event */
    } refused;
    int interrupts; /* so many calls are interrupted before one is not */
    struct opened {
        struct perf_event_attr attr;
        pid_t pid;
        int cpu, leader;
        unsigned long flags;
    } event[FDS];
    int next, calls; /* the next descriptor; how many calls there were */
    char log[400]; /* of requests and closings */
    uint64_t answer[FDS][8]; /* what read(2) gives: the number of values, both times, the values */
    ssize_t got[FDS]; /* instead of as many bytes as that is; 1: no change */
} kernel;

static bool interrupted(void)
{
    kernel.calls++;
    return kernel.interrupts > 0 && kernel.interrupts--;
}

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    const bool refused = kernel.refused.config == attr->config;
    const int err = !refused                       ? 0
                    : flags & PERF_FLAG_PID_CGROUP ? kernel.refused.in_cgroup
                    : group < 0                    ? kernel.refused.alone
                                                   : kernel.refused.in_group;

    (void)ctx;
    if (interrupted())
        return -EINTR;
    if (err || (kernel.refused.sampling && attr->sample_period))
        return err ? err : kernel.refused.sampling;
    CU_ASSERT_FATAL(kernel.next < FDS);
    kernel.event[kernel.next] = (struct opened){*attr, pid, cpu, group, flags};
    return kernel.next++;
}

static void note(const char *what, int fd)
{
    const size_t n = strlen(kernel.log);

    snprintf(kernel.log + n, sizeof(kernel.log) - n, "%s%d ", what, fd);
}

static int request(void *ctx, int fd, unsigned long what, unsigned long arg)
{
    (void)ctx;
    CU_ASSERT_EQUAL(arg, PERF_IOC_FLAG_GROUP);
    if (interrupted())
        return -EINTR;
    note(what == PERF_EVENT_IOC_ENABLE    ? "+"
         : what == PERF_EVENT_IOC_DISABLE ? "-"
         : what == PERF_EVENT_IOC_RESET   ? "0:"
                                          : "?",
         fd);
    return fd == (int)kernel.got[0] ? -EBUSY : 0;
}

static ssize_t answer(void *ctx, int fd, void *buf, size_t size)
{
    const size_t n = (3 + kernel.answer[fd][0]) * sizeof(uint64_t);

    (void)ctx;
    if (interrupted())
        return -EINTR;
    CU_ASSERT_FATAL(n <= size);
    memcpy(buf, kernel.answer[fd], n);
    return kernel.got[fd] == 1 ? (ssize_t)n : kernel.got[fd];
}

static int close_event(void *ctx, int fd)
{
    (void)ctx;
    note("x", fd);
    return 0;
}

static const struct td_os os = {
    .name = "calls", .perf_open = open_event, .perf_ioctl = request, .read = answer, .close = close_event};

static void boot(void)
{
    memset(&kernel, 0, sizeof(kernel));
    kernel.refused.config = UINT64_MAX;
    kernel.next = FIRST;
    for (size_t i = 0; i < FDS; i++)
        kernel.got[i] = 1;
}

static const char *logged(void)
{
    static char text[sizeof(kernel.log)];

    memcpy(text, kernel.log, sizeof(text));
    *kernel.log = '\0';
    return text;
}

/* ---- PMUs and plans ------------------------------------------------------------------------------ */

static struct td_host_pmu host = {.name = "cpu", .type = 4};
static uint64_t config[EVENTS] = {0x400, 0x8000, 0x8700, 0x11, 0x11, 0, 0x107, 0x12, 0x11}, none;
static uint16_t member[4][4];
static struct td_plan_group group[4];
static struct td_perf_pmu pmu;
static struct td_perf_ask ask;
static const struct td_perf_target cpu5 = {-1, 5, -1}, task = {71, -1, -1};

/* Groups as "3", "74": the digits are events. */
static void plan(enum td_plan_first first, size_t n, const char *const *groups)
{
    memset(group, 0, sizeof(group));
    for (size_t g = 0; g < n; g++) {
        group[g].event = member[g];
        for (const char *c = groups[g]; *c; c++)
            member[g][group[g].n++] = (uint16_t)(*c - '0');
    }
    none = 0;
    pmu = (struct td_perf_pmu){.host = &host, .forms = &forms, .config = config, .tsc_type = 9, .absent = {&none, 1}};
    pmu.plan = (struct td_plan){.first = first, .group = group, .ngroups = n};
    ask = (struct td_perf_ask){.os = &os};
    boot();
}

#define PLAN(first, ...) \
    plan(first, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

static struct td_perf_unit open_on(const struct td_perf_target *target, int err)
{
    struct td_perf_unit u;
    struct td_perf_error e;

    CU_ASSERT_EQUAL_FATAL(td_perf_open(&u, &ask, &pmu, target, &e), err);
    return u;
}

/* ---- what the kernel offers ---------------------------------------------------------------------- */

static void offers(void)
{
    static const struct {
        unsigned fields;
        bool slots, assumed;
        const char *type, *tsc, *topdown;
        unsigned absent; /* as bits */
    } of[] = {
        {8, true, false, "9\n", "event=0x00\n", "event=0x7,umask=0x1\n", 0},
        {7, true, false, "9\n", "event=0x00\n", "event=0x7,umask=0x1\n", 1 << LAST_FIELD},
        {1, true, false, "9\n", "event=0x00\n", "event=0x7,umask=0x1\n", 1 << LAST_FIELD},
        {0, true, false, "9\n", "event=0x00\n", "event=0x7,umask=0x1\n", 1 << LAST_FIELD | 1 << FIELD},
        {8, false, false, "9\n", "event=0x00\n", "event=0x7,umask=0x1\n", 1 << SLOTS},
        {8, true, false, NULL, "event=0x00\n", "event=0x7,umask=0x1\n", 1 << TSC},
        {8, true, false, "9\n", NULL, "event=0x7,umask=0x1\n", 1 << TSC},
        {8, true, true, NULL, NULL, "event=0x7,umask=0x1\n", 0},
        {8, true, false, "9\n", "event=0x00\n", NULL, 1 << TOPDOWN},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct fake_os f;
        struct td_host h = {.os = &f.os};
        struct td_perf_pmu p;

        fake_begin(&f);
        fake_put(&f, of[i].type, DEV "msr/type");
        fake_put(&f, of[i].tsc, DEV "msr/events/tsc");
        fake_put(&f, of[i].topdown, DEV "cpu/events/topdown-total-slots");
        host.counters.fields = of[i].fields;
        host.counters.assumed = of[i].assumed;
        host.slots_event = of[i].slots;
        CU_ASSERT_EQUAL_FATAL(td_perf_pmu_init(&p, &h, &host, &forms), 0);
        CU_ASSERT_EQUAL(p.absent.word[0], of[i].absent);
        CU_ASSERT_EQUAL(p.tsc_type, of[i].type ? 9 : 0);
        CU_ASSERT(p.config[A] == 0x11 && p.config[A_USER] == 0x11 && p.config[SLOTS] == 0x400 && p.config[B] == 0x12);
        CU_ASSERT(p.config[TOPDOWN] == (of[i].topdown ? 0x107 : 0) && p.config[LAST_FIELD] == 0x8700);
        td_perf_pmu_free(&p);
        CU_ASSERT(!p.config && !p.absent.word);
    }
}

/* ---- attributes ----------------------------------------------------------------------------------- */

static struct perf_event_attr attr_of(const struct td_perf_target *t, size_t g, size_t i, bool leads)
{
    struct perf_event_attr a;

    td_perf_attr(&ask, &pmu, t, g, i, leads, &a);
    CU_ASSERT(a.size == sizeof(a) && a.read_format == 11); /* both times, and all of the group */
    return a;
}

static void attributes(void)
{
    static const struct td_perf_target of_cgroup = {0, 3, 0}, self = {0, -1, -1};
    uint64_t sampled = 1 << B;
    struct perf_event_attr a;

    PLAN(TD_FIRST_STAYS, "348", "75");
    a = attr_of(&cpu5, 0, 0, true);
    CU_ASSERT(a.type == 4 && a.config == 0x11 && !a.config1 && a.disabled && a.pinned && !a.inherit &&
              !a.enable_on_exec);
    CU_ASSERT(!a.exclude_user && !a.exclude_kernel && !a.exclude_hv && !a.sample_period);
    a = attr_of(&cpu5, 0, 1, false);
    CU_ASSERT(a.config == 0x11 && !a.disabled && !a.pinned && a.exclude_kernel && !a.exclude_user && !a.exclude_hv);
    a = attr_of(&cpu5, 0, 2, false);
    CU_ASSERT(a.config == 0x11 && a.exclude_user && !a.exclude_kernel && !a.exclude_hv);
    a = attr_of(&cpu5, 1, 0, true);
    CU_ASSERT(a.config == 0x12 && a.config1 == 0x15 && a.disabled && !a.pinned);
    CU_ASSERT_EQUAL(attr_of(&cpu5, 1, 1, false).type, 9); /* the time stamp counter's */
    pmu.plan.first = TD_FIRST_AGAIN;
    CU_ASSERT_FALSE(attr_of(&cpu5, 0, 0, true).pinned);
    ask.no_user = true;
    a = attr_of(&cpu5, 0, 0, true);
    CU_ASSERT(a.exclude_user && !a.exclude_kernel && !a.exclude_hv);
    ask = (struct td_perf_ask){.os = &os, .no_kernel = true, .inherit = true, .on_exec = true, .user_read = true};
    a = attr_of(&task, 1, 0, true);
    CU_ASSERT(!a.exclude_user && a.exclude_kernel && a.exclude_hv && a.inherit && a.enable_on_exec &&
              a.config1 == 0x15);
    a = attr_of(&task, 1, 0, false);
    CU_ASSERT(a.inherit && !a.enable_on_exec);
    CU_ASSERT(attr_of(&self, 1, 0, true).inherit);
    CU_ASSERT(!attr_of(&cpu5, 1, 0, true).inherit && !attr_of(&of_cgroup, 1, 0, true).inherit);
    ask.only = 1; /* the second group has no turn */
    CU_ASSERT(attr_of(&task, 0, 0, true).enable_on_exec && !attr_of(&task, 1, 0, true).enable_on_exec);
    snprintf(host.id, sizeof(host.id), "0x410fd490"); /* of Arm: a thread's own reading is asked for */
    CU_ASSERT(attr_of(&task, 0, 0, true).config1 == 2 && attr_of(&task, 1, 0, true).config1 == 2);
    *host.id = '\0';
    pmu.plan.sampled = (struct td_bits){&sampled, 1};
    CU_ASSERT_EQUAL(attr_of(&task, 1, 0, true).sample_period, 0);
    ask.sample = true;
    a = attr_of(&task, 1, 0, true);
    CU_ASSERT(a.sample_period == 10007 && a.precise_ip == 1);
    CU_ASSERT_EQUAL(attr_of(&task, 0, 0, true).sample_period, 0);
}

/* ---- opening and closing --------------------------------------------------------------------------- */

/* The first group is opened once more before each group from the third on. */
static void opens(void)
{
    static const struct {
        unsigned config;
        int leader;
    } of[] = {{0x11, -1}, {0x12, -1}, {0x11, 4}, {0x11, -1}, {0x400, -1}, {0x8000, 7}};
    static const int fds[] = {3, 4, 5, 7, 8};
    struct td_perf_unit u;
    struct td_perf_error e;

    PLAN(TD_FIRST_AGAIN, "3", "74", "01");
    u = open_on(&cpu5, 0);
    CU_ASSERT(u.n == 5 && td_perf_events(&pmu.plan) == 5 && kernel.next == 9 && u.clock == -1 && !u.unsampled);
    for (int i = 0; i < 6; i++) {
        const struct opened *o = &kernel.event[FIRST + i];

        CU_ASSERT(o->attr.config == of[i].config && o->leader == of[i].leader &&
                  o->attr.disabled == (of[i].leader < 0));
        CU_ASSERT(o->pid == -1 && o->cpu == 5 && o->flags == PERF_FLAG_FD_CLOEXEC);
    }
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT(u.event[i].status == TD_OK && u.event[i].fd == fds[i]);
    CU_ASSERT_EQUAL(u.again[0].fd, 6);
    CU_ASSERT(!td_perf_enable(&u, &os, true, &e) && !strcmp(logged(), "+3 +4 +7 +6 "));
    CU_ASSERT(!td_perf_enable(&u, &os, false, &e) && !strcmp(logged(), "-3 -4 -7 -6 "));
    CU_ASSERT(!td_perf_reset(&u, &os, &e) && !strcmp(logged(), "0:3 0:4 0:7 0:6 "));
    kernel.got[0] = 4;
    CU_ASSERT(td_perf_enable(&u, &os, true, &e) == -EBUSY && e.err == -EBUSY && !strcmp(e.call, "ioctl"));
    CU_ASSERT(e.target.cpu == 5 && !strcmp(logged(), "+3 +4 "));
    td_perf_close(&u, &os);
    CU_ASSERT_STRING_EQUAL(logged(), "x6 x8 x7 x5 x4 x3 ");
    PLAN(TD_FIRST_AGAIN, "37", "4", "0"); /* the first that there is leads, the second time, too */
    kernel.refused.config = 0x11;
    kernel.refused.alone = kernel.refused.in_group = -ENOENT;
    pmu.config[A_USER] = 0x12;
    u = open_on(&cpu5, 0);
    pmu.config[A_USER] = 0x11;
    CU_ASSERT(u.event[0].fd == -1 && u.again[0].fd == -1 && u.event[1].fd == 3 && u.again[1].fd == 5);
    CU_ASSERT(!td_perf_enable(&u, &os, true, &e) && !strcmp(logged(), "+3 +4 +6 +5 "));
    td_perf_close(&u, &os);
    CU_ASSERT_STRING_EQUAL(logged(), "x5 x6 x4 x3 ");
    PLAN(TD_FIRST_TAKES_TURNS, "3", "74"); /* one of those that take turns */
    ask.only = 2;
    u = open_on(&task, 0);
    CU_ASSERT(kernel.event[3].pid == 71 && kernel.event[3].cpu == -1);
    CU_ASSERT(!td_perf_enable(&u, &os, true, &e) && !strcmp(logged(), "+4 "));
    td_perf_close(&u, &os);
    CU_ASSERT_STRING_EQUAL(logged(), "x5 x4 x3 ");
    PLAN(TD_FIRST_TAKES_TURNS, "3");
    u = open_on(&(struct td_perf_target){-1, 2, 0}, 0); /* a cgroup's descriptor may be 0 */
    CU_ASSERT(kernel.event[3].pid == 0 && kernel.event[3].flags == (PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP));
    td_perf_close(&u, &os);
}

/* A call that signals interrupt is made a hundred times. */
static void interrupts(void)
{
    struct td_perf_unit u;
    struct td_perf_error e;

    PLAN(TD_FIRST_TAKES_TURNS, "3");
    kernel.interrupts = 100;
    open_on(&cpu5, -EINTR);
    CU_ASSERT_EQUAL(kernel.calls, 100);
    kernel.interrupts = 99;
    u = open_on(&cpu5, 0);
    kernel.answer[3][0] = 1;
    kernel.interrupts = 99;
    CU_ASSERT_EQUAL(td_perf_enable(&u, &os, true, &e), 0);
    kernel.interrupts = 100;
    CU_ASSERT_EQUAL(td_perf_enable(&u, &os, true, &e), -EINTR);
    kernel.interrupts = 99;
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), 0);
    kernel.interrupts = 100;
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), -EINTR);
    CU_ASSERT(!kernel.interrupts && !strcmp(e.call, "read") && e.err == -EINTR && e.target.cpu == 5 && !e.detached);
    td_perf_close(&u, &os);
}

static void refusals(void)
{
    static const int unknown[] = {-ENOENT, -EINVAL, -EOPNOTSUPP, -ENXIO},
                     others[] = {-EACCES, -EMFILE, -ESRCH, -ENODEV};
    struct td_perf_unit u;
    struct td_perf_error e;

    for (size_t i = 0; i < 4; i++) { /* what the PMU does not know is left out, and the next one leads */
        PLAN(TD_FIRST_TAKES_TURNS, "37", "7");
        kernel.refused.config = 0x11;
        kernel.refused.alone = unknown[i];
        u = open_on(&cpu5, 0);
        CU_ASSERT(u.event[0].status == TD_NOT_SUPPORTED && u.event[0].fd == -1 && u.event[1].status == TD_OK);
        CU_ASSERT(kernel.event[3].attr.config == 0x12 && kernel.event[3].leader == -1 && kernel.event[3].attr.disabled);
        CU_ASSERT(!td_perf_enable(&u, &os, true, &e) && !strcmp(logged(), "+3 +4 "));
        td_perf_close(&u, &os);
        PLAN(TD_FIRST_TAKES_TURNS, "73");
        kernel.refused.config = 0x11;
        kernel.refused.in_group = others[i];
        CU_ASSERT_EQUAL(td_perf_open(&u, &ask, &pmu, &cpu5, &e), others[i]);
        CU_ASSERT(e.err == others[i] && !strcmp(e.event, "A") && e.config == 0x11 && e.target.cpu == 5);
        CU_ASSERT(!strcmp(e.call, "perf_event_open") && !e.too_big && !e.cgroup && !strcmp(logged(), "x3 "));
    }
    PLAN(TD_FIRST_TAKES_TURNS, "73"); /* it can be opened alone: the group is too large */
    kernel.refused.config = 0x11;
    kernel.refused.in_group = -EINVAL;
    CU_ASSERT_EQUAL(td_perf_open(&u, &ask, &pmu, &cpu5, &e), -EINVAL);
    CU_ASSERT(e.too_big && !strcmp(logged(), "x4 x3 "));
    PLAN(TD_FIRST_TAKES_TURNS, "73");
    kernel.refused.config = 0x11;
    kernel.refused.in_group = kernel.refused.alone = -EINVAL;
    u = open_on(&cpu5, 0);
    CU_ASSERT_EQUAL(u.event[1].status, TD_NOT_SUPPORTED);
    td_perf_close(&u, &os);
    PLAN(TD_FIRST_TAKES_TURNS, "01"); /* a field takes no counter of its own */
    kernel.refused.config = 0x8000;
    kernel.refused.in_group = -EINVAL;
    u = open_on(&cpu5, 0);
    CU_ASSERT_EQUAL(u.event[1].status, TD_NOT_SUPPORTED);
    td_perf_close(&u, &os);
    for (int cgroup = -1; cgroup < 2; cgroup++) /* with the cgroup there is no such event, without it there is */
        for (int good = 0; good < 2; good++) {
            PLAN(TD_FIRST_TAKES_TURNS, "3");
            kernel.refused.config = 0x11;
            kernel.refused.in_cgroup = -ENOENT;
            kernel.refused.alone = good ? 0 : -ENOENT;
            CU_ASSERT_EQUAL(td_perf_open(&u, &ask, &pmu, &(struct td_perf_target){-1, 2, cgroup}, &e),
                            cgroup >= 0 && good ? -ENOENT : 0);
            CU_ASSERT(cgroup < 0 || e.cgroup == good);
            if (cgroup >= 0 && good)
                CU_ASSERT(kernel.event[3].pid == -1 && kernel.event[3].cpu == 2 && !strcmp(logged(), "x3 "));
            if (cgroup < 0 || !good)
                td_perf_close(&u, &os);
        }
}

/* Events that are absent, and those of one mode where only some modes are counted, are not opened. */
static void left_out(void)
{
    struct td_perf_unit u;

    PLAN(TD_FIRST_TAKES_TURNS, "3457");
    none = 1 << B;
    u = open_on(&cpu5, 0);
    CU_ASSERT(kernel.next == 6 && u.event[3].fd == -1 && u.event[3].status == TD_NOT_SUPPORTED);
    td_perf_close(&u, &os);
    for (int user = 0; user < 2; user++) {
        PLAN(TD_FIRST_TAKES_TURNS, "4573");
        ask.no_user = user;
        ask.no_kernel = !user;
        u = open_on(&cpu5, 0);
        CU_ASSERT(kernel.next == 5 && u.event[0].fd == -1 && u.event[1].fd == -1 && u.event[2].fd == 3 &&
                  u.event[3].fd == 4);
        td_perf_close(&u, &os);
    }
}

/* What cannot be sampled is only counted, and why is kept; what cannot be counted either is not there. */
static void unsampled(void)
{
    static const struct {
        bool sample, refused;
        int sampling, calls, unsampled;
        enum td_status status;
        uint64_t period;
    } of[] = {{false, false, 0, 2, 0, TD_OK, 0},
              {true, false, 0, 2, 0, TD_OK, 10007},
              {true, false, -EOPNOTSUPP, 3, -EOPNOTSUPP, TD_OK, 0},
              {true, true, -EINVAL, 3, 0, TD_NOT_SUPPORTED, 0},
              {false, true, 0, 2, 0, TD_NOT_SUPPORTED, 0}};
    uint64_t sampled = 1 << B;

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_perf_unit u;

        PLAN(TD_FIRST_TAKES_TURNS, "37");
        pmu.plan.sampled = (struct td_bits){&sampled, 1};
        ask.sample = of[i].sample;
        kernel.refused.config = of[i].refused ? 0x12 : UINT64_MAX;
        kernel.refused.in_group = -ENXIO;
        kernel.refused.sampling = of[i].sampling;
        u = open_on(&cpu5, 0);
        CU_ASSERT(kernel.calls == of[i].calls && u.unsampled == of[i].unsampled && u.event[0].status == TD_OK);
        CU_ASSERT(u.event[1].status == of[i].status && kernel.event[4].attr.sample_period == of[i].period);
        td_perf_close(&u, &os);
    }
}

/* ---- readings --------------------------------------------------------------------------------------- */

static void gives(int fd, uint64_t enabled, uint64_t running, uint64_t n, uint64_t first, uint64_t second)
{
    const uint64_t words[] = {n, enabled, running, first, second};

    memcpy(kernel.answer[fd], words, sizeof(words));
}

static bool is(const struct td_perf_event *e, uint64_t value, uint64_t enabled, uint64_t running)
{
    return e->value == value && e->enabled == enabled && e->running == running;
}

static void readings(void)
{
    struct td_perf_unit u;
    struct td_perf_error e;

    PLAN(TD_FIRST_AGAIN, "3", "74", "01");
    u = open_on(&cpu5, 0);
    gives(3, 100, 40, 1, 1000, 0);
    gives(4, 100, 30, 2, 7, 8);
    gives(6, 100, 50, 1, 500, 0);
    gives(7, 100, 120, 2, 5, 6); /* running, which is read later, may be ahead */
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), 0);
    CU_ASSERT(is(&u.event[0], 1500, 100, 90) && is(&u.event[1], 7, 100, 30) && is(&u.event[2], 8, 100, 30));
    CU_ASSERT(is(&u.event[3], 5, 120, 120) && is(&u.event[4], 6, 120, 120));
    gives(6, 100, 61, 1, 501, 0);
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), 0);
    CU_ASSERT(is(&u.event[0], 1501, 101, 101));
    gives(3, 200, 40, 1, 2000, 0); /* none of a reading that fails is taken */
    kernel.got[7] = -EIO;
    CU_ASSERT(td_perf_read(&u, &os, &e) == -EIO && is(&u.event[0], 1501, 101, 101));
    kernel.got[7] = 1;
    kernel.got[6] = 0;
    CU_ASSERT(td_perf_read(&u, &os, &e) == -EIO && is(&u.event[0], 1501, 101, 101));
    td_perf_close(&u, &os);
}

/* A group that lacks some of its values was taken apart: its CPU went offline. */
static void apart(void)
{
    static const struct {
        uint64_t nr;
        ssize_t bytes;
        int err;
        bool detached;
    } of[] = {{2, 40, 0, false},    {1, 32, -EIO, true},  {1, 40, -EIO, false}, {1, 31, -EIO, false},
              {0, 24, -EIO, false}, {0, 0, -EIO, false},  {2, 32, -EIO, false}, {3, 48, -EIO, false},
              {1, 24, -EIO, false}, {3, 40, -EIO, false}, {1, -5, -5, false}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_perf_unit u;
        struct td_perf_error e = {.err = 0};

        PLAN(TD_FIRST_TAKES_TURNS, "74", "301");
        u = open_on(&cpu5, 0);
        gives(3, 10, 10, of[i].nr, 1, 2);
        gives(5, 10, 10, 3, 1, 2);
        kernel.got[3] = of[i].bytes;
        CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), of[i].err);
        CU_ASSERT_EQUAL(e.detached, of[i].detached);
        CU_ASSERT(of[i].err ? e.err == of[i].err && is(u.event, 0, 0, 0) : is(u.event, 1, 10, 10));
        td_perf_close(&u, &os);
    }
}

/* A pinned group without counters has no value: what it counted stays, and it was enabled as long as the others. */
static void lost(void)
{
    static const enum td_plan_first first[] = {TD_FIRST_STAYS, TD_FIRST_TAKES_TURNS};
    struct td_perf_unit u;
    struct td_perf_error e;

    for (size_t i = 0; i < 2; i++) {
        PLAN(first[i], "37", "4");
        u = open_on(&cpu5, 0);
        gives(3, 50, 50, 2, 10, 11);
        gives(5, 50, 20, 1, 3, 0);
        CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), 0);
        kernel.got[3] = 0;
        kernel.answer[3][0] = 0;
        gives(5, 100, 40, 1, 6, 0);
        CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), i ? -EIO : 0);
        CU_ASSERT(is(&u.event[0], 10, i ? 50 : 100, 50) && is(&u.event[1], 11, i ? 50 : 100, 50));
        CU_ASSERT(is(&u.event[2], i ? 3 : 6, i ? 50 : 100, i ? 20 : 40));
        kernel.got[5] = 0;
        kernel.answer[5][0] = 0;
        CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), -EIO); /* the others cannot be without */
        td_perf_close(&u, &os);
    }
    PLAN(TD_FIRST_STAYS, "37");
    u = open_on(&cpu5, 0);
    kernel.got[3] = 0;
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), -EIO);
    td_perf_close(&u, &os);
}

/* In what inherited it, the first group fails alone: more than 1 ms and more than one part in 100 are not chance. */
static void lost_in_heirs(void)
{
    static const struct {
        uint64_t first, other;
        bool lost;
    } of[] = {{200000000, 202000000, false}, {200000000, 202000001, true}, {1000000, 2000000, false},
              {1000000, 2000001, true},      {300000000, 1000, false},     {0, 1000001, true}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        for (size_t n = 0; n < 3; n++) {
            struct td_perf_unit u;
            struct td_perf_error e;

            if (n < 2)
                PLAN(n ? TD_FIRST_STAYS : TD_FIRST_TAKES_TURNS, "37", "4");
            else
                PLAN(TD_FIRST_STAYS, "37", "4", "0");
            u = open_on(&task, 0);
            gives(3, of[i].first, of[i].first, 2, 1, 2);
            gives(5, of[i].other, 500, 1, 3, 0);
            gives(6, 600, 500, 1, 3, 0);
            CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), 0);
            for (size_t k = 0; k < 2; k++)
                CU_ASSERT(is(&u.event[k], k + 1, n && of[i].lost ? of[i].other : of[i].first, of[i].first));
            CU_ASSERT(u.event[2].enabled == (of[i].other > 500 ? of[i].other : 500));
            td_perf_close(&u, &os);
        }
}

/* The reference cycles of a task on a hybrid, pinned, show how long it was on this kind of core. */
static void clocks(void)
{
    struct td_perf_unit u;
    struct td_perf_error e;

    PLAN(TD_FIRST_TAKES_TURNS, "3");
    ask.clocks = true;
    ask.only = 7;
    u = open_on(&(struct td_perf_target){0, -1, -1}, 0); /* pid 0 is a task, too */
    CU_ASSERT(u.clock == 4 && kernel.event[4].attr.config == 0x300 && kernel.event[4].attr.pinned &&
              kernel.event[4].leader == -1);
    CU_ASSERT(kernel.event[4].attr.type == 4 && kernel.event[4].attr.disabled);
    CU_ASSERT(!td_perf_enable(&u, &os, true, &e) && !strcmp(logged(), "+4 "));
    gives(3, 10, 10, 1, 1, 0);
    gives(4, 90, 77, 1, 5, 0);
    kernel.got[4] = 0; /* it found no counter */
    kernel.answer[4][0] = 0;
    CU_ASSERT(!td_perf_read(&u, &os, &e) && !u.clocked && !u.on_core);
    kernel.answer[4][0] = 1;
    kernel.got[4] = 1;
    CU_ASSERT(!td_perf_read(&u, &os, &e) && u.clocked && u.on_core == 77 && is(u.event, 1, 10, 10));
    kernel.got[4] = 31;
    CU_ASSERT_EQUAL(td_perf_read(&u, &os, &e), -EIO);
    td_perf_close(&u, &os);
    CU_ASSERT_STRING_EQUAL(logged(), "x3 x4 ");
    for (int what = 0; what < 3; what++) { /* of a CPU there is none; it was not asked for; it is refused */
        PLAN(TD_FIRST_TAKES_TURNS, "3");
        ask.clocks = what != 1;
        kernel.refused.config = 0x300;
        kernel.refused.alone = -EINVAL;
        u = open_on(what ? &task : &cpu5, 0);
        CU_ASSERT(u.clock == -1 && kernel.next == 4 && kernel.calls == (what == 2 ? 2 : 1));
        gives(3, 10, 10, 1, 1, 0);
        CU_ASSERT(!td_perf_read(&u, &os, &e) && !u.clocked);
        td_perf_close(&u, &os);
    }
}

static const CU_TestInfo tests[] = {
    {"what the kernel offers", offers},
    {"attributes", attributes},
    {"opening and closing", opens},
    {"interrupted calls", interrupts},
    {"refused events", refusals},
    {"events that are left out", left_out},
    {"events that cannot be sampled", unsampled},
    {"readings", readings},
    {"groups that are taken apart", apart},
    {"a first group without counters", lost},
    {"... in what inherited it", lost_in_heirs},
    {"the clock of a task", clocks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf, call by call", tests);
