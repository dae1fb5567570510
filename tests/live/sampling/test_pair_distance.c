/* SPDX-License-Identifier: MIT */
/* How the distance of pairs is set and what their samples tell of clock and cost, on counters that are written here;
 * and what is advised where groups take turns. */
#include "live/sampling/sampled.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

enum { MEMBERS = 4, FIRST = 11, SECOND = 12, STEPS = 12 };

/* ---- counters ---------------------------------------------------------------------------------- */

/* What the first sampling member has counted at each reading; the clock, which each look at it moves on. */
static struct {
    uint64_t cycles[STEPS], now, tick;
    size_t reads, missing; /* bytes */
    uint64_t period[MEMBERS]; /* that was set last; 0: none */
} machine;

static ssize_t read_group(void *ctx, int fd, void *buf, size_t size)
{
    uint64_t values[3 + 2 * MEMBERS] = {MEMBERS, 900, 800};

    (void)ctx;
    CU_ASSERT_EQUAL(fd, 20);
    CU_ASSERT_FATAL(machine.reads < STEPS && size >= sizeof(values));
    for (size_t i = 0; i < MEMBERS; i++)
        values[3 + 2 * i] = i == TD_SAMPLED_FIRST ? machine.cycles[machine.reads] : 77777 * (i + machine.reads);
    machine.reads++;
    memcpy(buf, values, sizeof(values));
    return (ssize_t)(sizeof(values) - machine.missing);
}

static int set_period(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx;
    CU_ASSERT_FATAL(fd >= 20 && fd < 20 + MEMBERS);
    CU_ASSERT_EQUAL(request, PERF_EVENT_IOC_PERIOD);
    machine.period[fd - 20] = *(const uint64_t *)(uintptr_t)arg;
    return 0;
}

static uint64_t read_clock(void *ctx)
{
    (void)ctx;
    return machine.now += machine.tick;
}

static const struct td_os os = {.name = "counters", .read = read_group, .perf_ioctl = set_period, .now = read_clock};

static struct td_sampled group_of(uint64_t period)
{
    struct td_sampled g = {.n = MEMBERS, .fd = {20, 21, 22, 23}, .period = period, .teller = -1};

    g.id[TD_SAMPLED_FIRST] = FIRST;
    g.id[TD_SAMPLED_FIRST + 1] = SECOND;
    return g;
}

/* ---- setting it -------------------------------------------------------------------------------- */

/* Pairs are to be 5,000 to 50,000 cycles apart; the second period begins when so many were counted since the first. */
static void arming(void)
{
    static const struct {
        uint64_t cycles[STEPS], tick;
        size_t reads, missing;
        bool set;
    } of[] = {
        {{1000, 3000, 5999, 6000}, 1, 4, 0, true},
        {{1000, 51000}, 1, 2, 0, true},
        {{1000, 51001}, 1, 2, 0, false}, /* an interrupt came between */
        {{1000, 2000, 2000, 9000}, 1, 3, 0, false}, /* the task does not run */
        {{1000, 1000, 9000}, 1, 2, 0, false},
        {{1000, 9000}, 1, 2, 8, false}, /* what cannot be read whole */
        {{1, 2, 3, 4, 5, 6, 7, 9000}, 1000000, 7, 0, false}, /* 5 ms have passed, and this is more */
        {{1, 2, 3, 4, 5, 6, 5001}, 1000000, 7, 0, true},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_sampled g = group_of(30000);

        memset(&machine, 0, sizeof(machine));
        memcpy(machine.cycles, of[i].cycles, sizeof(machine.cycles));
        machine.tick = of[i].tick;
        machine.missing = of[i].missing;
        g.pair = (struct td_pair_distance){.wanted = true, .open = true, .far = 2, .set = true};
        td_sampled_arm(&g, &os);
        CU_ASSERT_EQUAL(g.pair.set, of[i].set);
        CU_ASSERT_EQUAL(machine.reads, of[i].reads);
        CU_ASSERT(!g.pair.wanted && !g.pair.open && !g.pair.far && g.pair.armed == machine.now);
        CU_ASSERT_EQUAL(machine.period[TD_SAMPLED_FIRST], 30000);
        CU_ASSERT_EQUAL(machine.period[TD_SAMPLED_FIRST + 1], of[i].set ? 30000 : 0);
        CU_ASSERT(!machine.period[0] && !machine.period[3]);
    }
}

/* ---- samples ----------------------------------------------------------------------------------- */

/* A sample with the fields in the order of perf_event_open(2): the time at byte 24, the id at 32, how long the group
 * ran at 72, its values from 80 on, each with its id. */
struct sample {
    uint32_t type, bytes;
    uint64_t time, id, running, cycles;
};

static enum td_pair_news look(struct td_sampled *g, struct td_pace *pace, struct sample s)
{
    union {
        struct perf_event_header head;
        uint64_t word[18];
    } record;

    memset(&record, 0, sizeof(record));
    record.head.type = s.type ? s.type : (uint32_t)PERF_RECORD_SAMPLE;
    record.head.size = (uint16_t)(s.bytes ? s.bytes : sizeof(record));
    record.word[3] = s.time;
    record.word[4] = s.id;
    record.word[9] = s.running;
    record.word[12] = s.cycles;
    return td_sampled_look(g, &record.head, pace);
}

/* A pair is one whose first sample came after the distance was set. */
static void opening(void)
{
    struct td_pace pace = {.rate = 0};
    struct td_sampled g = group_of(30000);

    g.pair = (struct td_pair_distance){.set = true, .armed = 500};
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.time = 499, .id = FIRST, .cycles = 1000}), TD_NEWS_NONE);
    CU_ASSERT(!g.pair.open && !g.pair.wanted);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.time = 499, .id = SECOND, .cycles = 7000}), TD_NEWS_NONE);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.time = 500, .id = FIRST, .cycles = 1000}), TD_NEWS_NONE);
    CU_ASSERT(g.pair.open);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.id = 99, .cycles = 7000}), TD_NEWS_NONE);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.bytes = 32, .id = SECOND, .cycles = 7000}), TD_NEWS_NONE);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.type = PERF_RECORD_LOST, .id = SECOND, .cycles = 7000}),
                    TD_NEWS_NONE);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.id = SECOND, .cycles = 7000}), TD_NEWS_NEAR);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.id = SECOND, .cycles = 7000}), TD_NEWS_NONE);
    /* the id is the last of it that is there: no time that it ran, no cycles */
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.bytes = 40, .time = 600, .id = FIRST, .cycles = 9}), TD_NEWS_NONE);
    CU_ASSERT(g.pair.open && g.pair.began == 0);
    g.pair.set = false; /* the task runs now, as it is sampled */
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.time = 600, .id = FIRST, .cycles = 1000}), TD_NEWS_NONE);
    CU_ASSERT(g.pair.wanted && !g.pair.open);
    g.pair.wanted = false;
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.type = PERF_RECORD_UNTHROTTLE}), TD_NEWS_NONE);
    CU_ASSERT(!g.pair.wanted);
    CU_ASSERT_EQUAL(look(&g, &pace, (struct sample){.type = PERF_RECORD_THROTTLE}), TD_NEWS_NONE);
    CU_ASSERT(g.pair.wanted);
}

/* At 1 GHz 6,000 cycles are 6 us: of 9 us the interrupt took 3. */
static void costs(void)
{
    static const struct {
        double busy;
        uint64_t running, cycles;
        size_t n;
    } of[] = {
        {1e9, 1009000, 7006000, 1}, {0, 1009000, 7006000, 0},   {1e9, 1000000, 7006000, 0},
        {1e9, 999999, 7006000, 0},  {1e9, 1000001, 7006000, 1}, {1e9, 1060000, 7050001, 0},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_pace pace = {.rate = 0};
        struct td_sampled g = group_of(30000);

        g.pair.set = true;
        g.clock.busy = of[i].busy;
        look(&g, &pace, (struct sample){.time = 1, .id = FIRST, .running = 1000000, .cycles = 7000000});
        look(&g, &pace, (struct sample){.time = 2, .id = SECOND, .running = of[i].running, .cycles = of[i].cycles});
        CU_ASSERT_EQUAL(pace.n, of[i].n);
        if (!i)
            CU_ASSERT_DOUBLE_EQUAL(pace.costs[0], 3e-6, 1e-12);
    }
}

/* Eight periods of 1 ms: 2 GHz, or seven of them and one of 4 GHz: 2.25 GHz in the mean. At 1,000 pairs a second the
 * period that is wanted is 2,000,000, 2,250,000 or 4,000,000 cycles; one within an eighth of it stays. */
static void adapting(void)
{
    static const struct {
        pid_t pid;
        uint64_t fast, period, then;
        double rate;
    } of[] = {
        {7, 2000000, 2400000, 2000000, 1000}, {7, 2000000, 2285714, 2285714, 1000},
        {7, 2000000, 2285716, 2000000, 1000}, {7, 2000000, 1777778, 1777778, 1000},
        {7, 2000000, 1777777, 2000000, 1000}, {7, 4000000, 30000, 2250000, 1000},
        {-1, 4000000, 30000, 4000000, 1000},  {0, 4000000, 30000, 2250000, 1000},
        {7, 2000000, 2400000, 2400000, 0},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct td_pace pace = {.rate = of[i].rate, .overhead = 0.01, .samples = 2};
        struct td_sampled g = group_of(of[i].period);
        uint64_t cycles = 0;

        g.target.pid = of[i].pid;
        g.pair.set = true;
        for (uint64_t ms = 1; ms <= 9; ms++) {
            CU_ASSERT_EQUAL(g.period, of[i].period);
            cycles += ms == 5 ? of[i].fast : 2000000;
            look(&g, &pace, (struct sample){.time = ms, .id = FIRST, .running = ms * 1000000, .cycles = cycles});
        }
        CU_ASSERT_EQUAL(g.period, of[i].then);
        CU_ASSERT_EQUAL(g.pair.wanted, of[i].then != of[i].period);
    }
}

/* ---- groups that take turns -------------------------------------------------------------------- */

/* What would help: a level less, the right to count for siblings, the watchdog's counter; in this order. */
static void advice(void)
{
    static const struct {
        size_t ngroups;
        int level;
        bool tasks, smt, any;
        int paranoid;
        bool watchdog;
        const char *helps;
    } of[] = {
        {1, 2, true, true, true, 2, true, ""},
        {2, 2, true, true, true, 2, true, "; --level 1 takes fewer"},
        {2, 1, true, true, true, 2, true, "; CAP_PERFMON, or sysctl kernel.perf_event_paranoid=0, allows"},
        {2, 1, true, true, true, 1, false, "; CAP_PERFMON"},
        {2, 1, true, true, true, 0, true, "; one counter is left to the NMI watchdog: sysctl kernel.nmi_watchdog=0"},
        {2, 1, false, true, true, 2, true, "; one counter"},
        {2, 1, true, false, true, 2, true, "; one counter"},
        {2, 1, true, true, false, 2, true, "; one counter"},
        {2, 1, true, true, false, 2, false, ""},
    };
    static struct td_meter m;
    struct fake_os f;

    fake_begin(&f);
    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const char *helps;

        memset(&m, 0, sizeof(m));
        m.host = (struct td_host){.os = &f.os, .npmus = 2, .smt = of[i].smt, .paranoid = of[i].paranoid};
        m.host.pmu[1] = (struct td_host_pmu){.any = of[i].any, .counters.watchdog = of[i].watchdog};
        m.scopes.tasks = of[i].tasks;
        m.npmus = 2;
        m.pmu[0] = (struct td_perf_pmu){.host = &m.host.pmu[0], .plan = {.level = 2, .ngroups = 1}};
        m.pmu[1] =
            (struct td_perf_pmu){.host = &m.host.pmu[1], .plan = {.level = of[i].level, .ngroups = of[i].ngroups}};
        helps = td_sampled_what_helps(&m);
        CU_ASSERT(*of[i].helps ? !strncmp(helps, of[i].helps, strlen(of[i].helps)) : !*helps);
        CU_ASSERT_EQUAL(td_sampled_kinds(&m), 1 + of[i].ngroups);
    }
}

/* Three events take three counters, so that the next plan has two; a PMU whose groups have one event gives none. */
static void fewer(void)
{
    static const struct td_event events[] = {{"A", 1, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
                                             {"B", 2, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
                                             {"C", 3, "0-3", "0-3", -1, 1, 1, true, .config1 = 0}};
    static const struct td_uarch row = {.events = events, .nevents = 3};
    struct td_forms forms = {.uarch = &row};
    struct td_plan_group three = {.able = {&(uint64_t){7}, 1}}, one = {.able = {&(uint64_t){2}, 1}};
    static struct td_meter m;

    memset(&m, 0, sizeof(m));
    m.npmus = 2;
    for (size_t i = 0; i < 2; i++) {
        m.host.pmu[i].counters.general = 4;
        m.pmu[i] = (struct td_perf_pmu){.host = &m.host.pmu[i], .forms = &forms, .plan = {.group = &one, .ngroups = 1}};
    }
    CU_ASSERT_FALSE(td_sampled_take_fewer(&m));
    CU_ASSERT(m.host.pmu[0].counters.general == 4 && m.host.pmu[1].counters.general == 4);
    m.pmu[0].plan.group = &three;
    CU_ASSERT_TRUE(td_sampled_take_fewer(&m));
    CU_ASSERT(m.host.pmu[0].counters.general == 2 && m.host.pmu[1].counters.general == 4);
}

/* A sample holds 48 members, of which two are for what takes it. */
static void largest(void)
{
    static struct td_meter m;
    uint16_t events[47] = {0};
    uint64_t none = 0;
    struct td_plan_group group = {.able = {&none, 1}, .event = events, .n = 47};
    const struct td_sampled_how how = {.pairs = true};
    struct td_sampled_kind k;
    struct td_log log = {.note = NULL};

    memset(&m, 0, sizeof(m));
    m.log = &log;
    m.npmus = 1;
    m.pmu[0] = (struct td_perf_pmu){.absent = {&none, 1}, .plan = {.group = &group, .ngroups = 1}};
    CU_ASSERT_EQUAL(td_sampled_kind_make(&k, &m, 0, 0, &how), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(log.error,
                           "the formulas need 47 events together, and a sample holds 46: --level 1 needs fewer");
    group.n = 46;
    CU_ASSERT_EQUAL(td_sampled_kind_make(&k, &m, 0, 0, &how), 0);
}

static const CU_TestInfo tests[] = {
    {"setting the distance", arming}, {"which samples are a pair", opening},
    {"what a sample costs", costs},   {"adapting to the clock", adapting},
    {"what would help", advice},      {"fewer counters", fewer},
    {"the largest group", largest},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("distance of pairs, on counters", tests);
