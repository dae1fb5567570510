/* SPDX-License-Identifier: MIT */
/* What intervals show about how they were taken: whether a program keeps step with the rotation, what the metrics
 * register held since it was last read, and the sum without one of its parts. */
#include "session/measured.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { COPIES = 32 };

/* One lane, its interval, and the copies that it counts. */
struct lane {
    struct td_stream stream;
    struct td td;
    struct td_hints hints;
    struct td_count copy[COPIES];
    struct td_interval v;
};

/* A CPU: each copy is of a group of its own, runs for running ns of a second. */
static void begin(struct lane *l, size_t copies, double running)
{
    memset(l, 0, sizeof(*l));
    l->stream.times = TD_TIMES_RECORDED;
    l->td.stream = &l->stream;
    l->v = (struct td_interval){.at.scope = "CPU0",
                                .at.scope_kind = TD_KIND_CPU,
                                .at.duration = 1000000000,
                                .counts = {.c = l->copy, .n = copies}};
    for (size_t i = 0; i < copies; i++)
        l->copy[i] =
            (struct td_count){.group = (uint16_t)i, .value = 100, .enabled = 1e9, .running = running, .intervals = 1};
}

static void add(struct lane *l)
{
    CU_ASSERT_EQUAL_FATAL(td_sums_add(&l->td.sums, &l->v, &l->hints), 0);
}

static const struct td_uarch no_events = {.nevents = 0};

/* whole: of the sum, else of the last interval. */
static bool in_step(struct lane *l, bool whole)
{
    return td_session_taken(&l->td, &l->v, whole, &no_events, &(struct td_counts){.n = 0}, NULL).in_step;
}

static void end(struct lane *l)
{
    td_sums_free(&l->td.sums);
}

/* ---- resonance ------------------------------------------------------------------ */

/* Two groups that always differ keep step if by more than 1 %: 2 (x - y) / (x + y) of x = 100 + d and y = 100 - d is d
 * / 50. It takes 8 intervals, the same modes and name, and groups that ran at different times. */
static void locked(void)
{
    static const struct {
        double d;
        unsigned intervals;
        uint8_t modes;
        uint32_t text;
        uint16_t group;
        enum td_status status;
        bool step;
    } rows[] = {
        {0.51, 8, 0, 0, 1, TD_OK, true},  {0.49, 8, 0, 0, 1, TD_OK, false}, {-0.51, 8, 0, 0, 1, TD_OK, true},
        {0.51, 7, 0, 0, 1, TD_OK, false}, {0.51, 9, 0, 0, 1, TD_OK, true},  {0.51, 8, 1, 0, 1, TD_OK, false},
        {0.51, 8, 0, 1, 1, TD_OK, false}, {0.51, 8, 0, 0, 0, TD_OK, false}, {0.51, 8, 0, 0, 1, TD_NOT_COUNTED, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct lane l;

        begin(&l, 2, 4e8);
        l.copy[0].value = 100 + rows[i].d;
        l.copy[1].value = 100 - rows[i].d;
        l.copy[1].modes = rows[i].modes;
        l.copy[1].text = rows[i].text;
        l.copy[1].group = rows[i].group;
        l.copy[1].status = rows[i].status;
        for (unsigned n = 0; n < rows[i].intervals; n++)
            add(&l);
        if (in_step(&l, true) != rows[i].step)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(in_step(&l, true), rows[i].step);
        CU_ASSERT_EQUAL(in_step(&l, false), rows[i].step);
        CU_ASSERT_EQUAL(td_session_spreads(&l.td, &l.v), rows[i].intervals >= 8);
        end(&l);
    }
}

/* Differences of d and -d in turn, whose squares are too large above 4.4 / windows. A window is 4 ms, or as the stream
 * says; the group that saw fewer decides. 0.4 s of a second are 100 windows: d^2 = 0.044, d = 0.2098; 50 windows:
 * 0.2966. */
static void scattered(void)
{
    static const struct {
        double d, mux, other;
        enum td_scope_kind kind;
        unsigned cpus;
        bool step;
    } rows[] = {
        {0.205, 0, 4e8, TD_KIND_CPU, 1, false},    {0.215, 0, 4e8, TD_KIND_CPU, 1, true},
        {0.205, 0, 8e8, TD_KIND_CPU, 1, false},    {0.215, 0, 8e8, TD_KIND_CPU, 1, true},
        {0.29, 0, 2e8, TD_KIND_CPU, 1, false},     {0.30, 0, 2e8, TD_KIND_CPU, 1, true},
        {0.29, 8e6, 4e8, TD_KIND_CPU, 1, false},   {0.30, 8e6, 4e8, TD_KIND_CPU, 1, true},
        {0.205, 0, 4e8, TD_KIND_SYSTEM, 2, false}, {0.215, 0, 4e8, TD_KIND_SYSTEM, 2, true},
        {2, 0, 0, TD_KIND_CPU, 1, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct lane l;

        begin(&l, 2, 4e8 * rows[i].cpus);
        l.stream.mux_interval = rows[i].mux;
        l.v.at.scope_kind = rows[i].kind;
        l.copy[1].running = rows[i].other * rows[i].cpus;
        l.copy[0].enabled = l.copy[1].enabled = 1e9 * rows[i].cpus;
        for (unsigned n = 0; n < 8; n++) {
            l.copy[0].value = 100 + (n % 2 ? -50 : 50) * rows[i].d;
            l.copy[1].value = 200 - l.copy[0].value;
            add(&l);
        }
        if (in_step(&l, true) != rows[i].step)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(in_step(&l, true), rows[i].step);
        end(&l);
    }
}

/* The same where perf printed a percentage of the time, 40 of 100: whole CPUs are counted all the time, so that of two
 * in a second it was 100 windows on each; a command's tasks ran for as long as their cycles take at 6.2 a ns, here a
 * second of each interval's. */
static void scattered_in_print(void)
{
    static const struct {
        double d, cycles;
        enum td_times times;
        enum td_scope_kind kind;
        bool step;
    } rows[] = {
        {0.205, 6.2e9, TD_TIMES_CPUS, TD_KIND_SYSTEM, false}, {0.215, 6.2e9, TD_TIMES_CPUS, TD_KIND_SYSTEM, true},
        {0.215, 0, TD_TIMES_CPUS, TD_KIND_SYSTEM, true},      {0.205, 6.2e9, TD_TIMES_TASKS, TD_KIND_SYSTEM, false},
        {0.215, 6.2e9, TD_TIMES_TASKS, TD_KIND_SYSTEM, true}, {0.215, 3.1e9, TD_TIMES_TASKS, TD_KIND_SYSTEM, false},
        {0.29, 3.1e9, TD_TIMES_TASKS, TD_KIND_SYSTEM, false}, {0.30, 3.1e9, TD_TIMES_TASKS, TD_KIND_SYSTEM, true},
        {0.30, 0, TD_TIMES_TASKS, TD_KIND_SYSTEM, false},
    };
    const struct td_uarch *u = td_uarch_by_name("skl");

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_taken whole, last;
        struct lane l;

        begin(&l, 4, 40);
        l.stream.times = rows[i].times;
        l.stream.times_cpus = 2;
        l.v.at.scope_kind = rows[i].kind;
        for (size_t k = 0; k < 4; k++)
            l.copy[k].enabled = 100;
        l.copy[0].event = l.copy[1].event = (uint16_t)td_uarch_event_number(u, "instructions");
        l.copy[2] = (struct td_count){.group = 2,
                                      .text = 1,
                                      .event = (uint16_t)td_uarch_event_number(u, "cycles"),
                                      .value = rows[i].cycles,
                                      .enabled = 100,
                                      .running = 40,
                                      .intervals = 1};
        l.copy[3].text = 2; /* of an event that is not known, which is no clock */
        l.copy[3].event = TD_EVENT_UNKNOWN;
        l.copy[3].value = 1e12;
        for (unsigned n = 0; n < 8; n++) {
            l.copy[0].value = 100 + (n % 2 ? -50 : 50) * rows[i].d;
            l.copy[1].value = 200 - l.copy[0].value;
            add(&l);
        }
        last = td_session_taken(&l.td, &l.v, false, u, &l.v.counts, NULL);
        whole = td_session_taken(&l.td, &td_sums_of(&l.td.sums, &l.v)->all, true, u,
                                 &td_sums_of(&l.td.sums, &l.v)->all.counts, NULL);
        if (whole.in_step != rows[i].step || last.in_step != rows[i].step)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(whole.in_step, rows[i].step);
        CU_ASSERT_EQUAL(last.in_step, rows[i].step);
        end(&l);
    }
}

/* 256 pairs are compared. 23 copies of one name are 22 + 21 + ... + 1 = 253 pairs; each further name has two copies,
 * one pair. Only the last one differs. Copies that are not compared do not count. */
static void pairs(void)
{
    static const struct {
        unsigned names;
        uint8_t modes;
        bool step;
    } rows[] = {{1, 0, true}, {2, 0, true}, {3, 0, true}, {4, 0, false}, {4, 1, true}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const size_t n = 23 + 2 * rows[i].names;
        struct lane l;

        begin(&l, n, 4e8);
        for (size_t k = 23; k < n; k++)
            l.copy[k].text = (uint32_t)(k - 21) / 2;
        l.copy[0].modes = rows[i].modes; /* this one has no pair then: 22 fewer */
        l.copy[n - 1].value = 200;
        for (unsigned k = 0; k < 8; k++)
            add(&l);
        CU_ASSERT_EQUAL(in_step(&l, true), rows[i].step);
        end(&l);
    }
    for (size_t more = 3; more < 6; more++) { /* of another name: its first copy has that many pairs, less one */
        const size_t n = 23 + more;
        struct lane l;

        begin(&l, n, 4e8);
        for (size_t k = 23; k < n; k++)
            l.copy[k].text = 1;
        l.copy[n - 1].value = 200;
        for (unsigned k = 0; k < 8; k++)
            add(&l);
        CU_ASSERT_EQUAL(in_step(&l, true), more <= 4);
        end(&l);
    }
}

/* The intervals are looked at from the 8th on, then whenever there are a quarter and one more: at 8, 11, 14, 18, 23,
 * 29, and at 38 rather than 37, as from the 32nd on two make a step. A difference of 200 % from interval begin on is
 * seen there. */
static void looked_at(void)
{
    static const struct {
        unsigned begin, seen;
    } rows[] = {{1, 8}, {8, 8}, {9, 11}, {11, 11}, {12, 14}, {15, 18}, {18, 18}, {19, 23}, {24, 29}, {30, 38}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        unsigned seen = 0;
        struct lane l;

        begin(&l, 2, 4e8);
        l.stream.mux_interval = 4e5; /* 1,000 windows: one part of 29 with its 4 / 29 is enough */
        for (unsigned n = 1; n <= 40 && !seen; n++) {
            l.copy[1].value = n >= rows[i].begin ? 0 : 100;
            add(&l);
            seen = in_step(&l, false) ? n : 0;
        }
        CU_ASSERT_EQUAL(seen, rows[i].seen);
        end(&l);
    }
}

/* A rotation takes what the stream says, or else 4 ms, which is assumed. */
static void rotation(void)
{
    static const struct {
        double said, interval;
        bool assumed;
    } rows[] = {{0, 4e6, true}, {-1, 4e6, true}, {1, 1, false}, {1e6, 1e6, false}, {4e6, 4e6, false}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_taken t;
        struct lane l;

        begin(&l, 1, 1e9);
        l.stream.mux_interval = rows[i].said;
        /* a trial: nothing was added */
        t = td_session_taken(&l.td, &l.v, false, &no_events, &(struct td_counts){.n = 0}, NULL);
        CU_ASSERT(t.interval == rows[i].interval && t.interval_assumed == rows[i].assumed && !t.always && !t.tasks &&
                  t.elapsed == 1e9 && isnan(t.switches));
        l.stream.times = TD_TIMES_RELATIVE;
        l.v.at.scope_kind = TD_KIND_THREAD;
        t = td_session_taken(&l.td, &l.v, false, &no_events, &(struct td_counts){.n = 0}, NULL);
        CU_ASSERT(t.elapsed == 0 && t.tasks && t.always); /* nothing shows for how long it ran */
        l.v.at.scope_kind = TD_KIND_CPU;
        t = td_session_taken(&l.td, &l.v, false, &no_events, &(struct td_counts){.n = 0}, NULL);
        CU_ASSERT(t.elapsed == 0 && !t.tasks && !t.always);
        l.stream.times = TD_TIMES_CPUS;
        CU_ASSERT(td_session_taken(&l.td, &l.v, false, &no_events, &(struct td_counts){.n = 0}, NULL).always);
    }
}

/* Nothing counted on either side is no difference, in one part as in all; one event on one of them is, unless it is not
 * known for how long it was counted. */
static void nothing_counted(void)
{
    static const struct {
        double first, second, enabled;
        unsigned nothing; /* counted in so many of 8 intervals */
        bool step;
    } rows[] = {
        {1, 0, 1e9, 0, true}, {1, 0, 0, 0, false},       {0, 0, 1e9, 0, false},
        {3, 1, 1e9, 1, true}, {100, 100, 1e9, 1, false},
    };
    struct lane l;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        begin(&l, 2, 4e8);
        l.copy[0].enabled = rows[i].enabled;
        for (unsigned n = 0; n < 8; n++) {
            l.copy[0].value = n < rows[i].nothing ? 0 : rows[i].first;
            l.copy[1].value = n < rows[i].nothing ? 0 : rows[i].second;
            add(&l);
        }
        CU_ASSERT_EQUAL(in_step(&l, true), rows[i].step);
        end(&l);
    }
    begin(&l, 0, 0);
    for (unsigned n = 0; n < 8; n++)
        add(&l);
    CU_ASSERT(!in_step(&l, true) && td_session_spreads(&l.td, &l.v));
    end(&l);
}

/* A count of a number after the CPU's events is of no clock, whatever lies there. */
static void events_of_others(void)
{
    struct td_uarch u = *td_uarch_by_name("skl");
    struct td_taken t;
    struct lane l;

    u.nevents = (uint16_t)td_uarch_event_number(&u, "CPU_CLK_UNHALTED.THREAD");
    begin(&l, 1, 40);
    l.stream.times = TD_TIMES_TASKS;
    l.copy[0].event = (uint16_t)u.nevents;
    t = td_session_taken(&l.td, &l.v, false, &u, &l.v.counts, NULL);
    CU_ASSERT_EQUAL(t.elapsed, 0);
    u.nevents++;
    t = td_session_taken(&l.td, &l.v, false, &u, &l.v.counts, NULL);
    CU_ASSERT_DOUBLE_EQUAL(t.elapsed, 100 / 6.2, 1e-9);
    end(&l);
}

/* Copies of three names that all count the same, the first of the last name. */
static int looked_for_step(void *ctx)
{
    struct lane l;
    bool step;

    (void)ctx;
    memory_hold();
    begin(&l, 4, 4e8);
    l.copy[0].text = 2;
    l.copy[1].text = l.copy[2].text = 1;
    for (unsigned n = 0; n < 8; n++)
        add(&l);
    memory_go();
    step = in_step(&l, true);
    memory_hold();
    end(&l);
    memory_go();
    return step ? -ENOMEM : 0;
}

/* Without memory it is not known whether it keeps step, and so no bounds are claimed. */
static void without_memory(void)
{
    CU_ASSERT_EQUAL(memory_each(looked_for_step, NULL, 1, false), 4);
}

/* ---- the metrics register ------------------------------------------------------- */

static struct td_count slots_count(const struct td_uarch *u, double value, double running)
{
    return (struct td_count){
        .event = (uint16_t)td_uarch_slots(u), .value = value, .enabled = 1000, .running = running, .intervals = 1};
}

/* Interval i had i slots in running ns of its 1,000 and 2 switches. A read finds the register counting with the
 * probability running / 1,000: of how many reads one does in 95 of 100 cases: 1 of 950 / 1,000; (1 - 0.5)^5 = 0.031 of
 * 500, 4 would be 0.063; (1 - 0.09)^32 = 0.049 of 90, 31 would be 0.054; (1 - 0.088)^33 = 0.048 of 88, 32 would be
 * 0.052. Only 32 intervals are kept. */
static void held_since(void)
{
    static const struct {
        double running;
        unsigned intervals;
        double switches, held, ran;
    } rows[] = {
        {1000, 3, 2, 3, 1000},    {951, 3, 2, 3, 951},      {949, 3, 4, 5, 1898},     {500, 3, 6, 6, 1500},
        {500, 5, 10, 15, 2500},   {500, 6, 10, 20, 2500},   {90, 31, 62, 496, 2790},  {90, 32, 64, 528, 2880},
        {90, 33, 64, 560, 2880},  {90, 64, 64, 1552, 2880}, {90, 65, 64, 1584, 2880}, {88, 32, 64, 528, 2816},
        {88, 33, NAN, 560, 2816}, {1, 4, NAN, 0, 0},        {0, 4, NAN, 0, 0},
    };
    const struct td_uarch *u = td_uarch_by_name("spr");

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_taken t = {0};
        struct lane l;

        begin(&l, 1, 0);
        l.v.at.duration = 1000;
        l.v.switched = l.v.switches_known = true;
        l.v.switches = 2;
        for (unsigned n = 1; n <= rows[i].intervals; n++) {
            l.copy[0] = slots_count(u, n, rows[i].running);
            add(&l);
            t = td_session_taken(&l.td, &l.v, false, u, &l.v.counts, NULL);
        }
        CU_ASSERT(isnan(rows[i].switches) ? isnan(t.switches) : t.switches == rows[i].switches);
        if (t.held != rows[i].held)
            printf("\n    case %zu: %g", i, t.held);
        CU_ASSERT_EQUAL(t.held, rows[i].held);
        CU_ASSERT_EQUAL(t.held_running, rows[i].ran);
        end(&l);
    }
}

/* How often a read finds the register counting: of what is switched, running / duration, none of an unknown duration;
 * of a CPU, running / enabled; and never more than always. Half of the time: 5 reads, a tenth: 29 ((1 - 0.1)^28 =
 * 0.052). The sum is of 10 intervals with 1 switch each. */
static void found_counting(void)
{
    static const struct {
        bool switched;
        uint64_t duration;
        double running, enabled;
        bool known;
        double switches;
    } rows[] = {
        {true, 1000, 500, 500, true, 5},   {true, 1000, 100, 100, true, 10}, {true, 0, 500, 1000, true, NAN},
        {false, 1000, 500, 1000, true, 5}, {false, 0, 500, 1000, true, 5},   {false, 1000, 500, 500, true, 1},
        {true, 1000, 2000, 2000, true, 1}, {false, 1000, 500, 0, true, NAN}, {true, 1000, 500, 500, false, NAN},
        {false, 1000, 0.05, 0.1, true, 5},
    };
    const struct td_uarch *u = td_uarch_by_name("spr");

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_taken t;
        struct td_sum *sum;
        struct lane l;

        begin(&l, 1, 0);
        l.v.at.duration = rows[i].duration;
        l.v.switched = rows[i].switched;
        l.v.switches_known = rows[i].known;
        l.v.switches = 1;
        l.copy[0] = slots_count(u, 100, rows[i].running);
        l.copy[0].enabled = rows[i].enabled;
        for (unsigned n = 0; n < 10; n++)
            add(&l);
        sum = td_sums_of(&l.td.sums, &l.v);
        t = td_session_taken(&l.td, &sum->all, true, u, &sum->all.counts, NULL);
        CU_ASSERT(isnan(rows[i].switches) ? isnan(t.switches) : fabs(t.switches - rows[i].switches) < 1e-9);
        CU_ASSERT_EQUAL(t.held, 2000);
        end(&l);
    }
}

/* The slots of a sum may lie anywhere in it, so that they count twice; those of one interval are these. */
static void slots_of_sums(void)
{
    const struct td_uarch *u = td_uarch_by_name("spr");

    for (unsigned n = 1; n <= 3; n++) {
        struct td_sum *sum;
        struct lane l;

        begin(&l, 1, 0);
        l.copy[0] = slots_count(u, 100, 500);
        for (unsigned i = 0; i < n; i++)
            add(&l);
        sum = td_sums_of(&l.td.sums, &l.v);
        CU_ASSERT_EQUAL(td_session_taken(&l.td, &sum->all, true, u, &sum->all.counts, NULL).held,
                        n == 1 ? 100 : 200 * n);
        end(&l);
    }
}

static uint16_t a_field(const struct td_uarch *u)
{
    uint16_t i = 0;

    while (u->events[i].field != 0) /* the first of them */
        i++;
    return i;
}

/* Of a lane whose intervals are not kept nothing is known of what the register held. */
static void not_kept(void)
{
    const struct td_uarch *u = td_uarch_by_name("spr");
    struct td_growth *kept;
    struct td_taken t;
    struct td_sum *sum;
    struct lane l;

    begin(&l, 1, 0);
    l.v.at.duration = 1000;
    l.v.switched = l.v.switches_known = true;
    l.copy[0] = slots_count(u, 100, 1000);
    add(&l);
    sum = td_sums_of(&l.td.sums, &l.v);
    t = td_session_taken(&l.td, &l.v, false, u, &l.v.counts, NULL);
    CU_ASSERT(t.switches == 0 && t.held == 100);
    kept = sum->growth;
    sum->growth = NULL;
    t = td_session_taken(&l.td, &l.v, false, u, &l.v.counts, NULL);
    CU_ASSERT(isnan(t.switches) && t.held == 0 && !t.in_step);
    sum->growth = kept;
    end(&l);
}

/* Slots in several modes: those in whose modes most fields were counted, of as many those of the smaller modes; not
 * what did not run. */
static void slots_of_modes(void)
{
    static const struct {
        uint8_t modes[2];
        enum td_status status[2];
        uint8_t fields[3];
        double held;
    } rows[] = {
        {{1, 2}, {TD_OK, TD_OK}, {1, 1, 2}, 10},
        {{1, 2}, {TD_OK, TD_OK}, {1, 2, 2}, 20},
        {{2, 1}, {TD_OK, TD_OK}, {3, 3, 3}, 20},
        {{1, 2}, {TD_OK, TD_OK}, {3, 3, 3}, 10},
        {{1, 2}, {TD_OK, TD_NOT_COUNTED}, {2, 2, 2}, 10},
        {{1, 2}, {TD_NOT_COUNTED, TD_OK}, {1, 1, 1}, 20},
        {{1, 2}, {TD_NOT_COUNTED, TD_NOT_COUNTED}, {1, 1, 1}, 0},
        {{2, 2}, {TD_OK, TD_OK}, {2, 2, 2}, 10},
        {{1, 2}, {TD_OK, TD_OK}, {2, 2, 1}, 20},
    };
    const struct td_uarch *u = td_uarch_by_name("spr");

    for (size_t i = 0; i < 2 * LENGTH(rows); i++) {
        const size_t row = i / 2, slots = i % 2 ? 3 : 0, fields = i % 2 ? 0 : 2; /* which of them come first */
        struct td_taken t;
        struct lane l;

        begin(&l, 5, 1000);
        for (size_t k = 0; k < 2; k++) {
            l.copy[slots + k] = slots_count(u, 10 + 10 * (double)k, 1000);
            l.copy[slots + k].modes = rows[row].modes[k];
            l.copy[slots + k].status = rows[row].status[k];
        }
        for (size_t k = 0; k < 3; k++) {
            l.copy[fields + k].event = a_field(u);
            l.copy[fields + k].modes = rows[row].fields[k];
        }
        /* what comes after the last copy is none of them */
        l.copy[5] = rows[row].status[0] == TD_OK ? (struct td_count){.event = a_field(u), .modes = 2}
                                                 : slots_count(u, 40, 1000);
        add(&l);
        t = td_session_taken(&l.td, &l.v, false, u, &l.v.counts, NULL);
        CU_ASSERT_EQUAL(t.held, rows[row].held);
        end(&l);
    }
}

/* ---- a sum without a part ------------------------------------------------------- */

/* The first copy counts 10, 20, 30 in three intervals, the second 7 in the second alone. */
static void without(void)
{
    static const struct {
        double value, intervals, other;
        enum td_status status;
    } rows[] = {{50, 2, 7, TD_OK}, {40, 2, 0, TD_NOT_COUNTED}, {30, 2, 7, TD_OK}};
    const struct td_interval *rest;
    struct td_sum *sum;
    struct lane l;

    begin(&l, 2, 4e8);
    for (unsigned n = 1; n <= 3; n++) {
        l.copy[0].value = 10 * n;
        l.copy[0].err = 1;
        l.copy[0].sampled = (struct td_latencies_sampled){.n = n, .squares = 5};
        l.copy[1].value = n == 2 ? 7 : 0;
        l.copy[1].status = n == 2 ? TD_OK : TD_NOT_COUNTED;
        l.copy[1].running = n == 2 ? 4e8 : 0;
        l.copy[1].intervals = n == 2;
        add(&l);
    }
    sum = td_sums_of(&l.td.sums, &l.v);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_EQUAL_FATAL(td_session_without(&l.td, &sum->all, i, &rest), 0);
        CU_ASSERT_EQUAL_FATAL(rest->counts.n, 2);
        CU_ASSERT_EQUAL(rest->counts.c[0].value, rows[i].value);
        CU_ASSERT_EQUAL(rest->counts.c[0].intervals, rows[i].intervals);
        CU_ASSERT_EQUAL(rest->counts.c[0].enabled, 2e9);
        CU_ASSERT_EQUAL(rest->counts.c[0].running, 8e8);
        CU_ASSERT_EQUAL(rest->counts.c[0].sampled.n, 6 - (i + 1));
        CU_ASSERT(rest->counts.c[0].err == 0 && rest->counts.c[0].sampled.squares == 0 &&
                  rest->counts.c[0].status == TD_OK);
        CU_ASSERT_EQUAL(rest->counts.c[1].value, rows[i].other);
        CU_ASSERT_EQUAL(rest->counts.c[1].status, rows[i].status);
    }
    CU_ASSERT_EQUAL(sum->all.counts.c[0].value, 60); /* it stays */
    td_counts_free(&l.td.spread.rest.counts);
    end(&l);
}

static const CU_TestInfo tests[] = {
    {"differences that stay", locked},
    {"differences that scatter", scattered},
    {"the same in print", scattered_in_print},
    {"how many pairs are compared", pairs},
    {"when intervals are looked at", looked_at},
    {"the rotation", rotation},
    {"nothing counted", nothing_counted},
    {"events of others", events_of_others},
    {"without memory", without_memory},
    {"held since the last read", held_since},
    {"reads that find it counting", found_counting},
    {"slots of sums", slots_of_sums},
    {"intervals that are not kept", not_kept},
    {"slots of several modes", slots_of_modes},
    {"a sum without a part", without},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("keeping step", tests);
