/* SPDX-License-Identifier: MIT */
/* Readings while CPUs go and come back, and while others hold the counters. The CPUs of an Ice Lake all execute the
 * same, so that what one counts in some time is known from another. */
#include "live/meter.h"
#include "live/source.h"
#include "session/session.h"
#include "session/to_trace.h"
#include "sim/kernel/kernel.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>

enum { MS = 1000000 };

/* All notes since the last reading. */
static char told[4000];
static uint64_t began; /* when the machine did */

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

static struct td *begin(const char *machine, const char *more)
{
    struct td *td = on_shipped_machine_with(machine, more);

    td_set_note(td, keep_note, NULL);
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 1), 0);
    began = td_session_os(td)->now(td_session_os(td)->ctx);
    return td;
}

static void open_by(struct td *td, enum td_by by)
{
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .by = by}), 0);
    *told = '\0';
}

/* Waits for this time since the machine began. */
static void wait_for(struct td *td, uint64_t ms)
{
    const struct td_os *os = td_session_os(td);
    struct td_os_event event;

    while (os->now(os->ctx) < began + ms * MS)
        CU_ASSERT_EQUAL_FATAL(os->wait(os->ctx, began + ms * MS, -1, &event), 0);
}

/* Takes a reading then. */
static void take_at(struct td *td, uint64_t ms)
{
    *told = '\0';
    wait_for(td, ms);
    CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
}

static const struct td_snap *lane(const struct td *td, size_t i)
{
    return &td->meter->scopes.lane[i].now.snap;
}

/* Within 0.1 ms, as opening and reading take their time. */
static bool near(uint64_t ns, uint64_t ms)
{
    return ns + MS / 10 > ms * MS && ns < ms * MS + MS / 10;
}

/* The CPU ran its events for so many ms of those in which they were enabled. */
static void ran(const struct td *td, size_t cpu, uint64_t running, uint64_t enabled, uint32_t changes)
{
    const struct td_snap *s = lane(td, cpu);

    for (size_t i = 0; i < s->n; i++) {
        CU_ASSERT(near(s->s[i].running, running));
        CU_ASSERT(near(s->s[i].enabled, enabled));
    }
    CU_ASSERT_EQUAL(s->changes, changes);
}

static bool changed(struct td *td, size_t cpu)
{
    const struct td_result *r;
    bool found = false;

    for (size_t i = 0; !td_next(td, &r); i++)
        if (i == cpu)
            found = td_result_flags(r) & TD_FLAG_CPUS_CHANGED;
    return found;
}

/* CPU 4 is gone from 100 to 200 ms. What it counted up to the reading before stays; from when to when it was gone is
 * not known, so that both intervals count as not measured. */
static void away_and_back(void)
{
    struct td *td =
        begin("icelake", "hotplug 4 off at=100\nhotplug 4 on at=200\nhotplug 2 off at=400\nhotplug 2 on at=410\n");
    uint64_t first[64];

    open_by(td, TD_BY_CPU);
    CU_ASSERT_EQUAL_FATAL(td->meter->scopes.nlanes, 8);
    take_at(td, 50);
    for (size_t i = 0; i < lane(td, 3)->n; i++)
        first[i] = lane(td, 3)->s[i].value;
    ran(td, 4, 50, 50, 0);
    CU_ASSERT_FALSE(changed(td, 4));
    take_at(td, 150);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(told, "CPU 4 went offline: it is not measured until it is back, and its last counts are missing\n"));
    ran(td, 4, 50, 150, 1);
    ran(td, 3, 150, 150, 0);
    ran(td, 7, 150, 150, 0);
    for (size_t i = 0; i < lane(td, 4)->n; i++)
        CU_ASSERT_EQUAL(lane(td, 4)->s[i].value, first[i]);
    CU_ASSERT_TRUE(changed(td, 4));
    take_at(td, 250);
    CU_ASSERT_STRING_EQUAL(told, "CPU 4 is online again: it is measured from now on\n");
    ran(td, 4, 50, 250, 2);
    CU_ASSERT_TRUE(changed(td, 4));
    take_at(td, 300);
    CU_ASSERT_STRING_EQUAL(told, "");
    ran(td, 4, 100, 300, 2);
    ran(td, 5, 300, 300, 0);
    CU_ASSERT_FALSE(changed(td, 4));
    for (size_t i = 0; i < lane(td, 4)->n; i++) /* 50 ms before, 50 ms after */
        CU_ASSERT_DOUBLE_EQUAL((double)lane(td, 4)->s[i].value, 2 * (double)first[i], 0.005 * (double)first[i]);
    take_at(td, 450); /* away and back between two readings: one change, and one interval */
    ran(td, 2, 300, 450, 1);
    ran(td, 4, 250, 450, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "CPU 2 is online again"));
    td_free(td);
}

/* Each cgroup has a group of counters on each CPU: a CPU that goes, or is back, is noted once, and each CPU is. */
static void once_for_all_cgroups(void)
{
    static const char *const cgroups[] = {"app", "one", "two"};
    struct td *td = begin("icelake", "cgroup one\ncgroup two\nhotplug 4 off at=100\nhotplug 5 off at=100\n"
                                     "hotplug 4 on at=200\nhotplug 5 on at=200\nhotplug 4 off at=300\n");

    CU_ASSERT_EQUAL_FATAL(
        td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cgroups = cgroups, .ncgroups = 3}), 0);
    CU_ASSERT_EQUAL_FATAL(td->meter->scopes.nunits, 24);
    CU_ASSERT_EQUAL(td->meter->scopes.unit[13].target.cpu, 5);
    td->meter->scopes.unit[13].gone = td->meter->scopes.unit[13].refused = true; /* one that is none of these */
    take_at(td, 150);
    CU_ASSERT_STRING_EQUAL(
        told, "CPU 4 went offline: it is not measured until it is back, and its last counts are missing\n"
              "CPU 5 went offline: it is not measured until it is back, and its last counts are missing\n");
    take_at(td, 250);
    CU_ASSERT_STRING_EQUAL(told, "CPU 4 is online again: it is measured from now on\n"
                                 "CPU 5 is online again: it is measured from now on\n");
    take_at(td, 350);
    CU_ASSERT_STRING_EQUAL(
        told, "CPU 4 went offline: it is not measured until it is back, and its last counts are missing\n");
    td_free(td);
}

/* The kernel gives no more descriptors when the CPU is back. It is tried only once. */
static bool full;
static const struct td_os *machine;

static int open_unless_full(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group,
                            unsigned long flags)
{
    return full ? -EMFILE : machine->perf_open(ctx, a, pid, cpu, group, flags);
}

static void back_but_refused(void)
{
    for (int refused = 0; refused < 2; refused++) {
        struct td *td = begin("icelake", "hotplug 4 off at=100\nhotplug 4 on at=200\n");
        struct td_os os = *(machine = td_session_os(td));

        os.perf_open = open_unless_full;
        td->os = &os;
        full = false;
        open_by(td, TD_BY_CPU);
        take_at(td, 150);
        full = refused;
        take_at(td, 250);
        CU_ASSERT_EQUAL(
            strstr(told, "CPU 4 is online again: it cannot be measured: the process has too many open files") == told,
            refused);
        CU_ASSERT_EQUAL(!strcmp(told, "CPU 4 is online again: it is measured from now on\n"), !refused);
        full = false;
        take_at(td, 350);
        CU_ASSERT_STRING_EQUAL(told, "");
        CU_ASSERT_EQUAL(lane(td, 4)->s[0].running == 0, refused);
        td_free(td);
    }
}

/* In a lane of all CPUs the others go on. */
static void one_of_all(void)
{
    struct td *td = begin("icelake", "hotplug 4 off at=100\n");
    const struct td_snap *s;

    open_by(td, TD_BY_ALL);
    take_at(td, 60);
    take_at(td, 200);
    s = lane(td, 0);
    for (size_t i = 0; i < s->n; i++) { /* eight are opened, and read */
        CU_ASSERT_DOUBLE_EQUAL((double)s->s[i].running, (7 * 200 + 60) * (double)MS, 0.8 * MS);
        CU_ASSERT_DOUBLE_EQUAL((double)s->s[i].enabled, 8 * 200 * (double)MS, 0.8 * MS);
    }
    td_free(td);
}

static bool all_are(const struct td *td, size_t core, enum td_status status)
{
    const struct td_snap *s = lane(td, core);
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->s[i].status == status;
    return n == s->n && n > 0;
}

/* The clock of a core is half of what its two threads counted: nothing of a core is known while one of them is away,
 * nor in the interval in which the last one comes back. CPU i and CPU i + 4 are of core i. */
static void halves_of_cores(void)
{
    static const struct {
        uint64_t at;
        bool known[4];
        const char *tells;
    } rows[] = {
        {50, {true, true, true, true}, ""},
        {150, {false, false, false, true}, "; without it the counts of its core's clock mean nothing\n"},
        {250, {false, false, false, true}, "CPU 6 is online again: it is measured from now on\n"},
        {260, {false, false, true, true}, ""},
        {350, {false, false, true, true}, "CPU 0 is online again: it is measured from now on\n"},
        {400, {true, true, true, true}, ""},
    };
    struct td *td = begin("skylake", "hotplug 4 off at=100\nhotplug 0 off at=120\nhotplug 4 on at=200\n"
                                     "hotplug 0 on at=300\nhotplug 5 off at=100\nhotplug 1 off at=120\n"
                                     "hotplug 1 on at=200\nhotplug 5 on at=300\nhotplug 6 off at=100\n"
                                     "hotplug 6 on at=200\n");

    open_by(td, TD_BY_CORE);
    CU_ASSERT_EQUAL_FATAL(td->meter->scopes.nlanes, 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        take_at(td, rows[i].at);
        CU_ASSERT(*rows[i].tells ? strstr(told, rows[i].tells) != NULL : !*told);
        for (size_t core = 0; core < 4; core++)
            CU_ASSERT(all_are(td, core, rows[i].known[core] ? TD_OK : TD_NOT_COUNTED));
    }
    td_free(td);
}

/* CPUs that were not there at the beginning are looked for once a second, and reported once. */
static void more_cpus(void)
{
    struct td *td =
        begin("icelake", "hotplug 4 off at=1\nhotplug 6 off at=1\nhotplug 4 on at=1000\nhotplug 6 on at=1000\n");

    wait_for(td, 500);
    open_by(td, TD_BY_ALL);
    take_at(td, 1499);
    CU_ASSERT_STRING_EQUAL(told, "");
    take_at(td, 1501);
    CU_ASSERT_STRING_EQUAL(told, "CPU 4 came online: it is not measured\n");
    take_at(td, 2600);
    CU_ASSERT_STRING_EQUAL(told, "");
    td_free(td);
    /* the first look is after one second; the next one a second later */
    td = begin("icelake", "hotplug 4 off at=1\nhotplug 4 on at=1800\n");
    wait_for(td, 500);
    open_by(td, TD_BY_ALL);
    take_at(td, 1600);
    take_at(td, 2599);
    CU_ASSERT_STRING_EQUAL(told, "");
    take_at(td, 2602);
    CU_ASSERT_STRING_EQUAL(told, "CPU 4 came online: it is not measured\n");
    td_free(td);
}

/* Others hold two of Skylake's four counters: a group of four that was enabled for 10 ms would have run. */
static void starved(void)
{
    struct td *td = begin("skylake", "");

    td->sim->hw.pmu[0].taken = 3;
    open_by(td, TD_BY_CPU);
    take_at(td, 9);
    CU_ASSERT_STRING_EQUAL(told, "");
    take_at(td, 11);
    CU_ASSERT_STRING_EQUAL(
        told, "the level-1 group of cpu never ran: others hold some of the 4 programmable counters, or the "
              "fixed ones, that it needs (perf, another tdprobe, a debugger, a guest)\n");
    take_at(td, 20);
    CU_ASSERT_STRING_EQUAL(told, "");
    td_free(td);
}

static int keep_text(void *ctx, const void *bytes, size_t n)
{
    const size_t had = strlen(ctx);

    CU_ASSERT_FATAL(had + n < 100000);
    memcpy((char *)ctx + had, bytes, n);
    return 0;
}

/* A recording has the command in its header, and rows for each reading of each lane. */
static void recorded(void)
{
    static char text[100000];
    struct td *td = begin("icelake", "");
    size_t rows = 0;

    *text = '\0';
    CU_ASSERT_EQUAL(td_set_record(td, "first", keep_text, text), 0);
    CU_ASSERT_EQUAL(td_set_record(td, "make all", keep_text, text), 0);
    open_by(td, TD_BY_CPU);
    take_at(td, 50);
    take_at(td, 100);
    CU_ASSERT_EQUAL(td_record_flush(td), 0);
    CU_ASSERT(strstr(text, "\n# command: make all\n") && !strstr(text, "first"));
    CU_ASSERT(strstr(text, "\n# level: 1\n") && strstr(text, "\n# topology: cpus=8\n"));
    for (const char *at = text; (at = strstr(at, ",end,")); at++)
        rows++;
    CU_ASSERT_EQUAL(rows, 8 * 3); /* that of the beginning, and two */
    td_free(td);
}

/* An event's name has the mode that alone is counted, but for those that are of a mode themselves, and the TSC. */
static void modes(void)
{
    static const struct {
        bool no_user, no_kernel;
        const char *suffix;
    } rows[] = {{false, false, ""}, {false, true, ":u"}, {true, false, ":k"}};
    static const int cpu = 1;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static char text[100000];
        struct td *td = begin("skylake", "");
        char row[100];

        *text = '\0';
        CU_ASSERT_EQUAL(td_set_metrics(td, "kernel_utilization,cpu_utilization"), 0);
        CU_ASSERT_EQUAL(td_set_record(td, "command", keep_text, text), 0);
        CU_ASSERT_EQUAL_FATAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live),
                                                                 .cpus = &cpu,
                                                                 .ncpus = 1,
                                                                 .no_user = rows[i].no_user,
                                                                 .no_kernel = rows[i].no_kernel}),
                              0);
        CU_ASSERT(lane(td, 0)->bits == 64 && lane(td, 0)->readers == 8 && lane(td, 0)->encoding == TD_ENC_COUNTS);
        take_at(td, 50);
        CU_ASSERT_EQUAL(td_record_flush(td), 0);
        snprintf(row, sizeof(row), ",CPU_CLK_UNHALTED.REF_TSC%s,", rows[i].suffix);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, row));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, ",CPU_CLK_UNHALTED.THREAD_P:k,"));
        CU_ASSERT(strstr(text, ",msr/tsc/,") && !strstr(text, ",msr/tsc/:"));
        td_free(td);
    }
}

/* ---- what units have counted ---------------------------------------------------------------------- */

static void (*give)(const struct td_meter *, size_t unit, struct td_perf_unit *); /* a reading of a unit */

static int read_made(struct td_meter *m, struct td_unit *u)
{
    give(m, (size_t)(u - m->scopes.unit), &u->perf);
    return 0;
}

/* Three CPUs of an Ice Lake whose counts are made here. */
static struct td *begin_made(enum td_by by, struct td_source *source)
{
    static const int cpus[] = {1, 2, 3};
    struct td *td = begin("icelake", "");

    CU_ASSERT_EQUAL_FATAL(
        td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = cpus, .ncpus = 3, .by = by}), 0);
    CU_ASSERT_FATAL(td->meter->scopes.nunits == 3 && td->meter->scopes.unit[0].perf.n > 4);
    *source = *td->meter->source;
    source->read = read_made;
    td->meter->source = source;
    return td;
}

static void end_made(struct td *td)
{
    td->meter->source = td_source_find("perf");
    td_free(td);
}

static void give_sums(const struct td_meter *m, size_t unit, struct td_perf_unit *u)
{
    (void)m;
    for (size_t i = 0; i < u->n; i++)
        u->event[i] = (struct td_perf_event){.fd = u->event[i].fd,
                                             .status = unit == 1 && i == 2 ? TD_NOT_SUPPORTED : TD_OK,
                                             .value = 100 * unit + i + 1,
                                             .enabled = 1000 * unit + i + 20,
                                             .running = 10 * unit + i + 10};
}

/* By hand: units 0, 1 and 2 have 3 (i + 1) + 300, 3 (i + 20) + 3000 and 3 (i + 10) + 30 between them; without the
 * second one, whose third event is not counted, 6 + 200, 44 + 2000 and 24 + 20. */
static void sums(void)
{
    struct td_source source;
    struct td *td = begin_made(TD_BY_ALL, &source);

    give = give_sums;
    for (int reading = 0; reading < 2; reading++) { /* counts are cumulative: a reading forgets the one before */
        const struct td_snap *s;

        CU_ASSERT_EQUAL(td_take(td), 0);
        s = lane(td, 0);
        for (size_t i = 0; i < s->n; i++) {
            const bool off = i == 2;

            CU_ASSERT_EQUAL(s->s[i].status, off ? TD_NOT_SUPPORTED : TD_OK);
            CU_ASSERT_EQUAL(s->s[i].value, off ? 206 : 3 * (i + 1) + 300);
            CU_ASSERT_EQUAL(s->s[i].enabled, off ? 2044 : 3 * (i + 20) + 3000);
            CU_ASSERT_EQUAL(s->s[i].running, off ? 44 : 3 * (i + 10) + 30);
        }
    }
    end_made(td);
}

static unsigned given; /* units that were read, as bits */

static void give_nothing(const struct td_meter *m, size_t unit, struct td_perf_unit *u)
{
    (void)m, (void)u;
    given |= 1u << unit;
}

/* What is gone is not read, and where all are there is nothing more to read. */
static void only_those_there(void)
{
    struct td_source source;
    struct td *td = begin_made(TD_BY_CPU, &source);

    give = give_nothing;
    for (unsigned gone = 0; gone < 8; gone++) {
        for (size_t i = 0; i < 3; i++)
            td->meter->scopes.unit[i].gone = td->meter->scopes.unit[i].refused = gone >> i & 1;
        given = 0;
        CU_ASSERT_EQUAL(td_take(td), gone == 7 ? -ENODATA : 0);
        CU_ASSERT_EQUAL(given, 7 & ~gone);
    }
    CU_ASSERT_STRING_EQUAL(td_error(td), "all CPUs that were measured went offline");
    end_made(td);
}

/* Of a task that was on a kind of core for a time, as its clock shows. */
static const struct {
    bool clocked;
    uint64_t enabled, running, on_core, wanted;
} clocks[] = {
    {false, 9000000, 5000, 7000000, 9000000}, /* there is no clock */
    {true, 9000000, 5000, 7000000, 7000000},
    {true, 9000000, 6999999, 7000000, 6999999}, /* what ran all the time is not multiplexed */
    {true, 0, 0, 7000000, 0}, /* its group had no turn */
    {true, 9000000, 0, 0, 0}, /* never was there */
    /* the clock is read up to 0.1 ms and a 256th of the time later: 65,280,000 / 256 is 255,000 */
    {true, 90000000, 64925000, 65280000, 64925000},
    {true, 90000000, 64924999, 65280000, 65280000},
};
static size_t clock_at;

static void give_clock(const struct td_meter *m, size_t unit, struct td_perf_unit *u)
{
    (void)m, (void)unit;
    u->clocked = clocks[clock_at].clocked;
    u->on_core = clocks[clock_at].on_core;
    for (size_t i = 0; i < u->n; i++) {
        u->event[i].enabled = clocks[clock_at].enabled;
        u->event[i].running = clocks[clock_at].running;
    }
}

static void kinds_of_core(void)
{
    for (clock_at = 0; clock_at < sizeof(clocks) / sizeof(*clocks); clock_at++) {
        struct td_source source;
        struct td *td = begin_made(TD_BY_CPU, &source);

        give = give_clock;
        CU_ASSERT_EQUAL(td_take(td), 0);
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0; i < lane(td, l)->n; i++)
                CU_ASSERT_EQUAL(lane(td, l)->s[i].enabled, clocks[clock_at].wanted);
        end_made(td);
    }
}

static unsigned turn;

static void give_backwards(const struct td_meter *m, size_t unit, struct td_perf_unit *u)
{
    (void)m, (void)unit;
    for (size_t i = 0; i < u->n; i++) {
        u->event[i].running = 1;
        u->event[i].enabled = !turn ? 5000 : !i ? 4000 : i == 1 ? 5000 : i + 1 == u->n ? 4999 : 5000 + i;
    }
}

/* The times of a lane do not run backwards, from the first event to the last. */
static void backwards(void)
{
    struct td_source source;
    struct td *td = begin_made(TD_BY_CPU, &source);

    give = give_backwards;
    for (turn = 0; turn < 2; turn++) {
        CU_ASSERT_EQUAL(td_take(td), 0);
        for (size_t l = 0; l < 3; l++)
            for (size_t i = 0, n = lane(td, l)->n; i < n; i++)
                CU_ASSERT_EQUAL(lane(td, l)->s[i].enabled, !turn || i < 2 || i + 1 == n ? 5000 : 5000 + i);
    }
    end_made(td);
}

/* A lane whose counters began anew has an epoch of its own from then on. */
static void epochs(void)
{
    static const struct {
        bool restarted[3];
        uint32_t more[3]; /* than the first epoch */
    } rows[] = {{{false, false, false}, {0, 0, 0}},
                {{true, false, true}, {1, 0, 2}},
                {{false, false, false}, {1, 0, 2}},
                {{false, true, false}, {1, 3, 2}},
                {{true, true, false}, {4, 5, 2}}};
    struct td *td = begin("icelake", "");
    uint32_t first;

    open_by(td, TD_BY_CPU);
    first = lane(td, 0)->epoch;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (size_t l = 0; l < 3; l++)
            td->meter->scopes.lane[l].restarted = rows[i].restarted[l];
        take_at(td, 10 * (i + 1));
        for (size_t l = 0; l < 3; l++) {
            CU_ASSERT_EQUAL(lane(td, l)->epoch, first + rows[i].more[l]);
            CU_ASSERT(!td->meter->scopes.lane[l].restarted);
        }
    }
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"a CPU goes and comes back", away_and_back},
    {"once for all cgroups", once_for_all_cgroups},
    {"one CPU of all", one_of_all},
    {"halves of cores", halves_of_cores},
    {"CPUs that come online", more_cpus},
    {"counters that others hold", starved},
    {"recorded readings", recorded},
    {"names of modes", modes},
    {"sums of units", sums},
    {"only those that are there", only_those_there},
    {"times on a kind of core", kinds_of_core},
    {"times that run backwards", backwards},
    {"epochs", epochs},
    {"a CPU that is back but refused", back_but_refused},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("readings", tests);
