/* SPDX-License-Identifier: MIT */
/* How an interval's counts were taken: the same for a measurement and for the replay of its recording. */
#include "core/counts/scope_kind.h"
#include "include/td_run.h"
#include "session/measured.h"
#include "session/to_trace.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MS = 1000000, NONE = -1 /* no count */ };

/* On how many CPUs at the same time; 0: the elapsed time decides. */
static double cpus(enum td_scope_kind kind, enum td_times times, int ms, int enabled, int other)
{
    struct td_stream stream = {.times = times, .times_cpus = 6};
    struct td td = {.stream = &stream};
    struct td_count c[] = {{.status = TD_OK, .enabled = 1.0 * enabled * MS},
                           {.status = other == NONE ? TD_NOT_COUNTED : TD_OK, .enabled = 1.0 * other * MS}};
    const struct td_uarch no_events = {.nevents = 0};
    const struct td_interval v = {.at.scope = "x",
                                  .at.scope_kind = kind,
                                  .at.duration = (uint64_t)ms * MS,
                                  .counts = {.c = c, .n = enabled == NONE ? 0 : 2}};

    return td_session_taken(&td, &v, false, &no_events, &(struct td_counts){.n = 0}, NULL).cpus;
}

/* What is bound to CPUs is of several where its name lists them, or where the counts were enabled for more than one and
 * a half times the interval. */
static void several_cpus(void)
{
    static const struct {
        const char *scope;
        int enabled, ms;
        bool several;
    } all[] = {
        {"CPU0", 100, 100, false},   {"CPU10", 100, 100, false},   {"CPU0,2", 100, 100, true},
        {"CPU0-3", 100, 100, true},  {"CPU12-15", 100, 100, true}, {"CPU", 100, 100, false},
        {"CPU,2", 100, 100, false},  {"CPU-2", 100, 100, false},   {"CPU0x", 100, 100, false},
        {"CPU0-x", 100, 100, false}, {"cpu0-3", 100, 100, false},  {"0-3", 100, 100, false},
        {"CPU0", 150, 100, false},   {"CPU0", 151, 100, true},     {"CPU0", 151, 0, false},
        {"CPU0-3", 0, 0, true},
    };
    const struct td_stream stream = {.times = TD_TIMES_RECORDED}, percent = {.times = TD_TIMES_RELATIVE};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_count c[] = {{.status = TD_NOT_COUNTED}, {.status = TD_OK, .enabled = 1.0 * all[i].enabled * MS}};
        struct td_interval v = {.at.scope = all[i].scope,
                                .at.scope_kind = TD_KIND_CPU,
                                .at.duration = (uint64_t)all[i].ms * MS,
                                .counts = {.c = c, .n = 2}};

        CU_ASSERT_EQUAL(td_session_several_cpus(&stream, &v), all[i].several);
        CU_ASSERT_EQUAL(td_session_several_cpus(&percent, &v), all[i].several && all[i].enabled != 151);
        v.at.scope_kind = TD_KIND_SYSTEM;
        CU_ASSERT_FALSE(td_session_several_cpus(&stream, &v));
    }
}

static void cpus_of_scopes(void)
{
    static const struct {
        enum td_scope_kind kind;
        enum td_times times;
        int ms, enabled, other; /* NONE: not counted */
        double cpus;
    } all[] = {
        {TD_KIND_SYSTEM, TD_TIMES_RECORDED, 100, 800, 800, 0},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 100, 100, 1},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 0, 100, 100, 1},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 101, 99, 1},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, NONE, NONE, 1},
        /* parts of cores: CPUs 0 and 2; one of them went offline after half the time */
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 200, 200, 0},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 200, NONE, 0},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 0, 200, 200, 1},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 150, 151, 1},
        {TD_KIND_CPU, TD_TIMES_RECORDED, 100, 151, 151, 0},
        {TD_KIND_REGION, TD_TIMES_RECORDED, 0, 100, 100, 1},
        {TD_KIND_CORE, TD_TIMES_RECORDED, 100, 200, 200, 0},
        {TD_KIND_THREAD, TD_TIMES_RECORDED, 100, 50, 50, 0},
        {TD_KIND_THREAD, TD_TIMES_RECORDED, 0, 50, 50, 1},
        {TD_KIND_CGROUP, TD_TIMES_RECORDED, 0, 50, 50, 0},
        {TD_KIND_CPU, TD_TIMES_RELATIVE, 100, 100, 100, 0},
        {TD_KIND_SYSTEM, TD_TIMES_CPUS, 100, 600, 600, 6},
        {TD_KIND_CPU, TD_TIMES_CPUS, 100, 100, 100, 1},
        {TD_KIND_CGROUP, TD_TIMES_CPUS, 100, 100, 100, 1},
        {TD_KIND_THREAD, TD_TIMES_CPUS, 0, 100, 100, 1},
        {TD_KIND_THREAD, TD_TIMES_RELATIVE, 100, 100, 100, 1},
        {TD_KIND_PROCESS, TD_TIMES_RELATIVE, 100, 100, 100, 1},
        {TD_KIND_PROCESS, TD_TIMES_RECORDED, 100, 800, 800, 0},
        {TD_KIND_SYSTEM, TD_TIMES_TASKS, 100, 100, 100, 1},
        {TD_KIND_COMMAND, TD_TIMES_RECORDED, 0, 50, 50, 1},
        {TD_KIND_COMMAND, TD_TIMES_RECORDED, 100, 50, 50, 0},
        {TD_KIND_SYSTEM, TD_TIMES_RECORDED, 0, 800, 800, 0},
        {TD_KIND_SOCKET, TD_TIMES_CPUS, 100, 600, 600, 6},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const double got = cpus(all[i].kind, all[i].times, all[i].ms, all[i].enabled, all[i].other);

        if (got != all[i].cpus)
            printf("\n    case %zu: %g, wanted %g", i, got, all[i].cpus);
        CU_ASSERT_EQUAL(got, all[i].cpus);
    }
}

/* Whose counts are those of both siblings of a core, and whose were taken while tasks ran, by scope and by what is
 * known of times. */
static void kinds_of_scopes(void)
{
    static const struct {
        enum td_scope_kind kind;
        enum td_times times;
        bool both, switched;
    } all[] = {
        {TD_KIND_CORE, TD_TIMES_RECORDED, true, false},    {TD_KIND_SOCKET, TD_TIMES_RECORDED, true, false},
        {TD_KIND_NODE, TD_TIMES_RECORDED, true, false},    {TD_KIND_SYSTEM, TD_TIMES_RECORDED, false, false},
        {TD_KIND_SYSTEM, TD_TIMES_CPUS, true, false},      {TD_KIND_SYSTEM, TD_TIMES_RELATIVE, false, false},
        {TD_KIND_SYSTEM, TD_TIMES_TASKS, false, true},     {TD_KIND_CPU, TD_TIMES_CPUS, false, false},
        {TD_KIND_THREAD, TD_TIMES_RECORDED, false, false}, {TD_KIND_THREAD, TD_TIMES_RELATIVE, false, true},
        {TD_KIND_CGROUP, TD_TIMES_CPUS, false, true},      {TD_KIND_CPU, TD_TIMES_TASKS, false, true},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_stream stream = {.times = all[i].times};
        struct td_interval v = {.at.scope_kind = all[i].kind};

        CU_ASSERT_EQUAL(td_session_both_siblings(&stream, &v), all[i].both);
        CU_ASSERT_EQUAL(td_session_switched(&stream, &v), all[i].switched);
        v.switched = true;
        CU_ASSERT_TRUE(td_session_switched(&stream, &v));
    }
}

/* ---- the metrics register ------------------------------------------------------- */

/* A task's sum: 10 intervals of 1,000 ns, in each of which the register counted 100 slots in 500 ns and the task was
 * switched out 3 times. As it counts half of the time, one of 5 reads finds it counting (0.5^5 < 0.05). So, with
 * td_likely_reads(): of 30 switches the part 5 / 10, of 1,000 slots twice, of 5,000 ns the same part. */
static void held_by_sums(void)
{
    const struct td_uarch *u = td_uarch_by_name("spr");
    struct td_stream stream = {.times = TD_TIMES_RECORDED};
    struct td td = {.stream = &stream};
    struct td_count slots = {.event = (uint16_t)td_uarch_slots(u),
                             .status = TD_OK,
                             .value = 100,
                             .enabled = 500,
                             .running = 500,
                             .intervals = 1};
    struct td_interval v = {.at.scope = "t-1",
                            .at.scope_kind = TD_KIND_THREAD,
                            .switched = true,
                            .at.duration = 1000,
                            .switches_known = true,
                            .switches = 3,
                            .counts = {.c = &slots, .n = 1}};
    struct td_hints hints;
    struct td_taken t;

    memset(&hints, 0, sizeof(hints));
    for (unsigned i = 0; i < 10; i++)
        CU_ASSERT_EQUAL_FATAL(td_sums_add(&td.sums, &v, &hints), 0);
    t = td_session_taken(&td, &td_sums_of(&td.sums, &v)->all, true, u, &td_sums_of(&td.sums, &v)->all.counts, NULL);
    CU_ASSERT_EQUAL(t.switches, 15);
    CU_ASSERT_EQUAL(t.held, 2000);
    CU_ASSERT_EQUAL(t.held_running, 2500);
    CU_ASSERT_EQUAL(t.elapsed, 10000);
    CU_ASSERT(t.tasks);
    td_sums_free(&td.sums);
    /* one interval: all of it, once */
    CU_ASSERT_EQUAL_FATAL(td_sums_add(&td.sums, &v, &hints), 0);
    t = td_session_taken(&td, &td_sums_of(&td.sums, &v)->all, true, u, &td_sums_of(&td.sums, &v)->all.counts, NULL);
    CU_ASSERT_EQUAL(t.switches, 3);
    CU_ASSERT_EQUAL(t.held, 100);
    CU_ASSERT_EQUAL(t.held_running, 500);
    td_sums_free(&td.sums);
}

/* How many parts a sum of n intervals has: each is one until the 32nd, which joins them by twos; then what is open
 * counts from half a step on. */
static void parts_of_sums(void)
{
    static const struct {
        unsigned intervals;
        size_t parts;
        double last; /* what it counted; each interval counts 100 */
    } all[] = {
        {1, 1, 100},   {2, 2, 100},   {31, 31, 100}, {32, 16, 200}, {33, 17, 100}, {34, 17, 200}, {35, 18, 100},
        {63, 32, 100}, {64, 16, 400}, {65, 16, 500}, {66, 17, 200}, {67, 17, 300}, {68, 17, 400},
    };
    struct td_count slots = {.status = TD_OK, .value = 100, .enabled = 500, .running = 500, .intervals = 1};
    struct td_interval v = {
        .at.scope = "t-1", .at.scope_kind = TD_KIND_THREAD, .at.duration = 1000, .counts = {.c = &slots, .n = 1}};
    struct td_hints hints;

    memset(&hints, 0, sizeof(hints));
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_sums sums = {.n = 0};
        struct td_sum *sum;

        for (unsigned n = 0; n < all[i].intervals; n++)
            CU_ASSERT_EQUAL_FATAL(td_sums_add(&sums, &v, &hints), 0);
        sum = td_sums_of(&sums, &v);
        CU_ASSERT_EQUAL(td_sum_parts(sum), all[i].parts);
        CU_ASSERT_EQUAL(td_sum_part(sum, all[i].parts - 1, 0).value, all[i].last);
        td_sums_free(&sums);
    }
}

/* ---- measured and replayed ------------------------------------------------------ */

enum { SCOPES = 8, INTERVALS = 3, TEXT = 1 << 18 };

struct text {
    char text[TEXT];
    size_t n, at;
};

static int write_text(void *ctx, const void *buf, size_t size)
{
    struct text *t = ctx;

    if (t->n + size > sizeof(t->text))
        return -ENOSPC;
    memcpy(t->text + t->n, buf, size);
    t->n += size;
    return 0;
}

static ssize_t read_text(void *ctx, void *buf, size_t size)
{
    struct text *t = ctx;
    const size_t left = t->n - t->at, n = left < size ? left : size;

    memcpy(buf, t->text + t->at, n);
    t->at += n;
    return (ssize_t)n;
}

/* What one of the machines in the tree is. */
static void read_machine(struct text *t, const char *name)
{
    FILE *f = shipped_machine(name);

    CU_ASSERT_FATAL(f != NULL);
    t->n = fread(t->text, 1, sizeof(t->text), f);
    t->at = 0;
    fclose(f);
}

/* Which way a scope's interval took, and what came of it. */
struct way {
    char scope[32], kind[16];
    double cpus, elapsed;
    unsigned multiplexed;
    struct td_metric metric[64];
    size_t nmetrics;
};

static void see(struct td *td, const struct td_result *r, struct way *w)
{
    snprintf(w->scope, sizeof(w->scope), "%s", td_result_scope(r));
    snprintf(w->kind, sizeof(w->kind), "%s", td_result_scope_kind(r));
    w->cpus = td->taken.cpus;
    w->elapsed = td->taken.elapsed;
    for (size_t i = 0; i < td_result_metrics(r) && i < sizeof(w->metric) / sizeof(*w->metric); i++) {
        w->metric[w->nmetrics] = *td_result_metric(r, i);
        w->multiplexed += w->metric[w->nmetrics++].bounds == TD_BOUNDS_LIKELY;
    }
}

static size_t see_all(struct td *td, struct way *ways, size_t n)
{
    const struct td_result *r;
    int err;

    while (!(err = td_next(td, &r)) && n < SCOPES * INTERVALS) {
        CU_ASSERT(td_result_metrics(r) > 0);
        see(td, r, &ways[n++]);
    }
    CU_ASSERT(err == -EAGAIN || err == -ENODATA);
    return n;
}

static size_t measure(const struct td_live *what, struct text *recorded, struct way *ways)
{
    struct td *td = td_new();
    static struct text machine;
    struct td_run_event event = {.size = sizeof(event)};
    size_t n = 0;

    read_machine(&machine, "skylake");
    CU_ASSERT_EQUAL_FATAL(td_set_machine(td, "machine", read_text, &machine), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 2), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_record(td, NULL, write_text, recorded), 0);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, what), 0);
    for (unsigned i = 0; i < INTERVALS; i++) {
        CU_ASSERT_EQUAL(td_run_wait(td, td_run_now(td) + 2000 * (uint64_t)MS, -1, &event), 0);
        CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
        n = see_all(td, ways, n);
    }
    CU_ASSERT_EQUAL(td_record_flush(td), 0);
    td_free(td);
    return n;
}

static size_t replay(struct text *recorded, struct way *ways)
{
    struct td *td = td_new();
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 2), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "recorded", read_text, recorded), 0);
    n = see_all(td, ways, 0);
    td_free(td);
    return n;
}

static bool same_number(double a, double b)
{
    return a == b || (a != a && b != b);
}

static bool same_way(const struct way *a, const struct way *b)
{
    bool same = !strcmp(a->scope, b->scope) && !strcmp(a->kind, b->kind) && a->cpus == b->cpus &&
                a->elapsed == b->elapsed && a->nmetrics == b->nmetrics;

    for (size_t i = 0; same && i < a->nmetrics; i++) {
        const struct td_metric *x = &a->metric[i], *y = &b->metric[i];

        same = !strcmp(x->name, y->name) && x->status == y->status && x->flags == y->flags && x->bounds == y->bounds &&
               same_number(x->value, y->value) && same_number(x->low, y->low) && same_number(x->high, y->high);
    }
    return same;
}

/* scopes: how many intervals of each reading; wanted: on how many CPUs each was, 0: the elapsed time decides. */
static void assert_replayed(const struct td_live *what, size_t scopes, const char *kind, double wanted)
{
    static struct way live[SCOPES * INTERVALS], again[SCOPES * INTERVALS];
    static struct text recorded;
    unsigned likely = 0;
    size_t n;

    memset(live, 0, sizeof(live));
    memset(again, 0, sizeof(again));
    recorded.n = recorded.at = 0;
    n = measure(what, &recorded, live);
    CU_ASSERT_EQUAL_FATAL(n, scopes * INTERVALS);
    CU_ASSERT_EQUAL_FATAL(replay(&recorded, again), n);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_STRING_EQUAL(live[i].kind, kind);
        CU_ASSERT_EQUAL(live[i].cpus, wanted);
        CU_ASSERT(same_way(&live[i], &again[i]));
        likely += live[i].multiplexed;
    }
    CU_ASSERT(likely > 0); /* the way mattered */
}

static void live_and_replayed(void)
{
    static const int apart[] = {0, 1}, one[] = {3}; /* siblings are 0 and 4, 1 and 5, ... */

    assert_replayed(&(struct td_live){.size = sizeof(struct td_live), .by = TD_BY_CPU}, 8, "cpu", 1);
    assert_replayed(&(struct td_live){.size = sizeof(struct td_live), .cpus = one, .ncpus = 1}, 1, "cpu", 1);
    assert_replayed(&(struct td_live){.size = sizeof(struct td_live), .cpus = apart, .ncpus = 2}, 1, "cpu", 0);
    assert_replayed(&(struct td_live){.size = sizeof(struct td_live), .by = TD_BY_CORE}, 4, "core", 0);
    assert_replayed(&(struct td_live){.size = sizeof(struct td_live), .by = TD_BY_ALL}, 1, "system", 0);
}

static const CU_TestInfo tests[] = {
    {"several CPUs", several_cpus},
    {"on how many CPUs a scope was", cpus_of_scopes},
    {"kinds of scopes", kinds_of_scopes},
    {"what the register held in sums", held_by_sums},
    {"the parts of sums", parts_of_sums},
    {"a measurement and its replay go the same way", live_and_replayed},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("how counts were taken", tests);
