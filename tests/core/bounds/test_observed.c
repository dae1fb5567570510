/* SPDX-License-Identifier: MIT */
/* Likely bounds of metrics whose counts come from several groups: how far each group moves them, and what is
 * kept of that from interval to interval. */
#include "core/bounds/observed.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

/* Tasks, for which a window counts for up to 1.5 times the mean (observed.c), on one CPU. */
static const struct td_taken by_turns = {
    .elapsed = 100, .cpus = 1, .interval = 1e-3, .tasks = true, .switches = (double)NAN};

static struct td_likely_group half_seen(double pull)
{
    return (struct td_likely_group){.windows = {50 / 1e-3, 100 / 1e-3}, .uneven = 1.5, .pull = pull};
}

/* The bounds of a share whose counts two groups hold, each seen half the time. */
static void bounds_by(const char *name, double value, double pull, double other, int line)
{
    const struct td_likely_group groups[] = {half_seen(pull), half_seen(other)};
    const struct td_likely_ask by = {
        .value = value, .low = value, .high = value, .most = 1, .slack = 0.01, .groups = groups, .ngroups = 2};
    const struct td_metric *m = metric(name);
    double low, high;

    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    check(m->bounds == TD_BOUNDS_LIKELY && is(m->value, value), name, line);
    check(fabs(m->low - fmax(0, low)) < 1e-9 && fabs(m->high - high) < 1e-9, name, line);
}

/* backend_bound of Skylake is 1 - (not delivered + issued + 4 * recovery) / (4 * cycles) = 1 - 3600 / 4000. With a
 * tenth more cycles that is 1 - 3600 / 4400 = 0.1818, with a tenth fewer 0: a pull of 1. With a tenth more of the rest
 * 0.01, with a tenth less 0.19: a pull of 0.9. Both are far more than the share of 0.1 itself would move. */
static void difference(void)
{
    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@0%50 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    bounds_by("backend_bound", 0.1, 1, 0.9, __LINE__);
    /* a quotient of the two: 0.15 / 0.9 - 0.15 = 0.01667 and 0.15 * 0.1 = 0.015 for a tenth */
    bounds_by("frontend_bound", 0.15, 0.15 / 0.9, 0.15, __LINE__);
    /* the next interval has other counts: 1 - 3200 / 4000, and pulls of (0.8 / 0.9 - 0.8) / 0.1 = 0.8 / 0.9, and 0.8 */
    solve_again("CPU_CLK_UNHALTED.THREAD=1000@0%50 IDQ_UOPS_NOT_DELIVERED.CORE=200@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    bounds_by("backend_bound", 0.2, 0.8 / 0.9, 0.8, __LINE__);
    ask = usual;
}

/* Sapphire Rapids' fetch_bandwidth is frontend_bound - fetch_latency, here 1500 / 6000 - 6 * 255 / 6000 = -0.005, and
 * no less than 0. With a tenth more of the first it is 0.02, with a tenth less of the second 0.25 - 0.2295 = 0.0205;
 * with other cycles 0. */
static void clamped(void)
{
    const struct td_likely_group groups[] = {half_seen(0), half_seen(0.2), half_seen(0.205)};
    const struct td_likely_ask by = {.most = 1, .slack = 0.01, .groups = groups, .ngroups = 3};
    double low, high;

    ask = usual;
    ask.taken = &by_turns;
    solve("spr", "TOPDOWN.SLOTS=6000@0%50 IDQ_BUBBLES.CORE=1500@1%50 IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE=255@2%50 "
                 "INT_MISC.UOP_DROPPING=0@0%50");
    GIVES("fetch_bandwidth", 0);
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(metric("fetch_bandwidth")->bounds, TD_BOUNDS_LIKELY);
    CU_ASSERT_DOUBLE_EQUAL(metric("fetch_bandwidth")->low, fmax(0, low), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(metric("fetch_bandwidth")->high, high, 1e-9);
    ask = usual;
}

/* Cycles that were counted all the time have no error, however many windows that was: the other group's alone counts.
 * The pulls are those of difference(). */
static void one_of_them_whole(void)
{
    const struct td_likely_group groups[] = {{.windows = {1, 1}, .uneven = 1.5, .pull = 1}, half_seen(0.9)};
    const struct td_likely_ask by = {
        .value = 0.1, .low = 0.1, .high = 0.1, .most = 1, .slack = 0.01, .groups = groups, .ngroups = 2};
    double low, high;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@0 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_EQUAL(metric("backend_bound")->bounds, TD_BOUNDS_LIKELY);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->low, fmax(0, low), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->high, high, 1e-9);
    ask = usual;
}

/* Groups that were counted nearly all the time are several; in the next interval, where each was counted all the time,
 * they are one. */
static void wholes_are_one(void)
{
#define TWO(one, other) \
    "CPU_CLK_UNHALTED.THREAD=1000@0%" one " IDQ_UOPS_NOT_DELIVERED.CORE=600@1%" other " UOPS_ISSUED.ANY=2900@1%" other \
    " UOPS_RETIRED.RETIRE_SLOTS=2800@1%" other " INT_MISC.RECOVERY_CYCLES=25@1%" other
    static const unsigned turns = TD_FLAG_SPLIT_GROUPS | TD_FLAG_MULTIPLEXED;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", TWO("99.95", "99.96"));
    check((metric("backend_bound")->flags & turns) == turns, "several", __LINE__);
    solve_again(TWO("100", "100"));
    check(!(metric("backend_bound")->flags & turns), "one", __LINE__);
    GIVES("backend_bound", 0.1);
    solve_again(TWO("100", "99.96"));
    check((metric("backend_bound")->flags & turns) == turns, "several again", __LINE__);
    ask = usual;
#undef TWO
}

/* One group holds it all: it moves nothing that is a quotient of its counts, but what it saw varies all the same. */
static void together(void)
{
    const struct td_likely_group group = half_seen(0);
    const struct td_likely_ask by = {
        .value = 0.1, .low = 0.1, .high = 0.1, .most = 1, .slack = 0.01, .groups = &group, .ngroups = 1};
    double low, high;

    ask = usual;
    ask.level = 1;
    ask.taken = &by_turns;
    solve("skl", "CPU_CLK_UNHALTED.THREAD=1000@1%50 IDQ_UOPS_NOT_DELIVERED.CORE=600@1%50 UOPS_ISSUED.ANY=2900@1%50 "
                 "UOPS_RETIRED.RETIRE_SLOTS=2800@1%50 INT_MISC.RECOVERY_CYCLES=25@1%50");
    CU_ASSERT_EQUAL_FATAL(td_likely_bounds(&by, &low, &high), TD_LIKELY_GIVEN);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->low, low, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(metric("backend_bound")->high, high, 1e-9);
    ask = usual;
}

/* ---- series of intervals ------------------------------------------------------------- */

enum { ROUNDS = 3000 /* fewer do not meet all that can change */ };

static const char *const groups_of_skl[][7] = {
    {"CPU_CLK_UNHALTED.THREAD", "IDQ_UOPS_NOT_DELIVERED.CORE", "INT_MISC.RECOVERY_CYCLES", "UOPS_ISSUED.ANY",
     "UOPS_RETIRED.RETIRE_SLOTS"},
    {"BR_MISP_RETIRED.ALL_BRANCHES", "CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY", "MACHINE_CLEARS.COUNT",
     "UOPS_RETIRED.MACRO_FUSED"},
    {"CYCLE_ACTIVITY.STALLS_MEM_ANY", "CYCLE_ACTIVITY.STALLS_TOTAL", "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE",
     "L1D_PEND_MISS.PENDING"},
    {"EXE_ACTIVITY.1_PORTS_UTIL", "EXE_ACTIVITY.2_PORTS_UTIL", "EXE_ACTIVITY.BOUND_ON_STORES",
     "CYCLE_ACTIVITY.STALLS_L1D_MISS"},
};

/* An interval: each group counted for one of four parts of the time, or all of it, now and then with a copy of its own.
 */
static void write_interval(struct unit_random *random, char *out, size_t size)
{
    static const unsigned parts[] = {25, 25, 40, 100};
    size_t at = 0;

    for (size_t g = 0; g < sizeof(groups_of_skl) / sizeof(*groups_of_skl); g++) {
        const unsigned part = parts[unit_random(random) % 4];

        if (g && unit_random(random) % 16 == 0) /* not recorded */
            continue;
        for (size_t e = 0; e < 7 && groups_of_skl[g][e]; e++) {
            const bool apart = unit_random(random) % 40 == 0, none = unit_random(random) % 60 == 0;

            at += (size_t)snprintf(out + at, size - at, "%s=%u@%zu%%%u%s ", groups_of_skl[g][e],
                                   (unsigned)(100 + unit_random(random) % 1000), g, apart ? 30 : part, none ? "N" : "");
        }
    }
}

static bool same_metric(const struct td_metric *a, const struct td_metric *b)
{
    const double x[] = {a->value, a->low, a->high, a->raw}, y[] = {b->value, b->low, b->high, b->raw};

    return !memcmp(x, y, sizeof(x)) && a->status == b->status && a->flags == b->flags && a->bounds == b->bounds;
}

/* Whatever came before, an interval has the answer that it has alone, to the last bit. */
static void kept(void)
{
    struct unit_random random = {.state = 12};
    struct td_forms *fresh;
    struct td_result alone = {.nmetrics = 0};
    unsigned long given = 0, bad = 0;

    ask = usual;
    ask.level = 3;
    ask.taken = &by_turns;
    use_forms(td_uarch_by_name("skl"));
    for (unsigned long i = 0; i < (unsigned long)ROUNDS; i++) {
        char text[2048];

        write_interval(&random, text, sizeof(text));
        ask.level = unit_random(&random) % 16 ? ask.level : 1 + (int)(unit_random(&random) % 3);
        solve_again(text);
        CU_ASSERT_FATAL(!td_forms_new(td_forms_uarch(forms), &fresh));
        CU_ASSERT_EQUAL_FATAL(td_solve(fresh, &counts, &ask, &alone), 0);
        CU_ASSERT_EQUAL_FATAL(r.nmetrics, alone.nmetrics);
        for (size_t m = 0; m < r.nmetrics; m++) {
            bad += !same_metric(&r.metrics[m], &alone.metrics[m]);
            given += r.metrics[m].bounds == TD_BOUNDS_LIKELY;
        }
        td_forms_free(fresh);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(given > 3 * (unsigned long)ROUNDS);
    td_result_free(&alone);
    ask = usual;
}

/* ---- the groups of a solution, by hand ------------------------------------------------ */

enum { COPIES = 4, BUSIEST = 3 /* what an idle machine's busy windows are told to be */ };

/* A solution that uses each copy once, in order, and asks for no metrics. */
struct by_hand {
    struct td_count c[COPIES];
    struct td_use use[COPIES];
    struct td_counts counts;
    uint64_t word;
    struct td_bits omitted;
    struct td_seen_solution x;
    struct td_seen seen;
};

static void begin(struct by_hand *h, const struct td_count *c, size_t n)
{
    *h = (struct by_hand){.x = {.nuses = n, .made = 5}};
    for (size_t i = 0; i < n; i++) {
        h->c[i] = c[i];
        h->use[i] = (struct td_use){.event = (uint32_t)i, .copy = (int32_t)i};
    }
    h->counts = (struct td_counts){.n = n, .c = h->c};
    h->omitted = (struct td_bits){&h->word, 1};
    h->x.use = h->use;
    h->x.counts = &h->counts;
    h->x.omitted = &h->omitted;
    CU_ASSERT_EQUAL_FATAL(td_seen_find(&h->seen, &h->x), 0);
}

static void the_times(void)
{
    static const struct {
        struct td_count c;
        struct td_taken t;
        double enabled, running;
    } rows[] = {
        {{.enabled = 60, .running = 30}, {.elapsed = 100, .cpus = 2}, 60, 30},
        {{.enabled = 60, .running = 30}, {.elapsed = 100, .cpus = 2, .always = true}, 200, 100},
        {{.enabled = 1, .running = 0.5}, {.elapsed = 100, .cpus = 2, .always = true}, 200, 100},
        {{.enabled = 0, .running = 30}, {.elapsed = 100, .cpus = 2, .always = true}, 0, 30},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_likely_times times = td_taken_times(&rows[i].t, &rows[i].c);

        CU_ASSERT(times.enabled == rows[i].enabled && times.running == rows[i].running && times.elapsed == 100 &&
                  times.cpus == 2 && times.interval == 0);
    }
}

/* Windows of tasks count for 1.5 times the mean one, others for what the busiest CPU tells. Times are of whole CPUs
 * where they are a whole number of them, to within 1 %. */
static void whose_times(void)
{
    static const struct {
        double enabled, elapsed, cpus;
        bool tasks, always, of_tasks;
    } rows[] = {
        {100, 100, 0, false, false, false},  {100.8, 100, 0, false, false, false}, {101.5, 100, 0, false, false, true},
        {98.5, 100, 0, false, false, true},  {99.5, 100, 0, false, false, false},  {50, 100, 0, false, false, true},
        {200, 100, 0, false, false, false},  {160, 100, 0, false, false, true},    {140, 100, 0, false, false, true},
        {5060, 100, 0, false, false, false}, {5140, 100, 0, false, false, false},  {1, 1, 1.5, false, false, false},
        {100, 0, 1.5, false, false, true},   {100, 0, 1, false, false, false},     {100, 0, 2.01, false, false, false},
        {50, 100, 1, false, true, false},    {100, 100, 1, true, false, true},     {50, 100, 1, true, true, true},
        {100, 100, 1, true, true, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_count c = {.enabled = rows[i].enabled, .running = rows[i].enabled / 2};
        const struct td_taken t = {.elapsed = rows[i].elapsed,
                                   .cpus = rows[i].cpus,
                                   .interval = 1,
                                   .tasks = rows[i].tasks,
                                   .always = rows[i].always};
        struct by_hand h;

        begin(&h, &c, 1);
        td_seen_times(&h.seen, &h.x, &t, BUSIEST);
        check(h.seen.why == TD_LIKELY_GIVEN && h.seen.uneven == (rows[i].of_tasks ? 1.5 : BUSIEST), "uneven", (int)i);
        /* without a busiest one nothing is known of the windows of whole CPUs, and never less than the mean */
        td_seen_times(&h.seen, &h.x, &t, (double)NAN);
        check(h.seen.why == (rows[i].of_tasks ? TD_LIKELY_GIVEN : TD_LIKELY_NO_LIMITS), "not known", (int)i);
        td_seen_times(&h.seen, &h.x, &t, 0.5);
        check(h.seen.uneven == (rows[i].of_tasks ? 1.5 : 1), "not less", (int)i);
        td_seen_free(&h.seen);
    }
}

/* Windows of 2 ns on one CPU: of 100 ns 50. */
static void windows_are(const struct td_count *c, const struct td_taken *t, enum td_likely_why why, double seen,
                        double all, int line)
{
    struct by_hand h;

    begin(&h, c, 1);
    td_seen_times(&h.seen, &h.x, t, 1);
    check(h.seen.why == why, "why", line);
    if (why == TD_LIKELY_GIVEN)
        check(h.seen.group[0].windows.seen == seen && h.seen.group[0].windows.all == all, "windows", line);
    td_seen_free(&h.seen);
}

static void windows(void)
{
    const struct td_taken t = {.elapsed = 100, .cpus = 1, .interval = 2, .tasks = true};
    struct td_taken always = t, in_step = t, none = t;

    always.always = in_step.in_step = true;
    windows_are(&(struct td_count){.enabled = 100, .running = 50}, &t, TD_LIKELY_GIVEN, 25, 50, __LINE__);
    windows_are(&(struct td_count){.enabled = 100, .running = 98}, &t, TD_LIKELY_GIVEN, 49, 50, __LINE__);
    windows_are(&(struct td_count){.enabled = 100, .running = 100}, &t, TD_LIKELY_GIVEN, 1, 1, __LINE__);
    windows_are(&(struct td_count){.enabled = 0.5, .running = 0.5}, &t, TD_LIKELY_GIVEN, 1, 1, __LINE__);
    windows_are(&(struct td_count){.enabled = 0, .running = 0}, &t, TD_LIKELY_NO_COVERAGE, 0, 0, __LINE__);
    windows_are(&(struct td_count){.enabled = 10, .running = 5}, &always, TD_LIKELY_GIVEN, 25, 50, __LINE__);
    windows_are(&(struct td_count){.enabled = 100, .running = 50}, &in_step, TD_LIKELY_IN_STEP, 0, 0, __LINE__);
    always.elapsed = 0.5; /* a quarter of a window */
    windows_are(&(struct td_count){.enabled = 10, .running = 5}, &always, TD_LIKELY_GIVEN, 0.125, 0.25, __LINE__);
    always.cpus = 0;
    windows_are(&(struct td_count){.enabled = 10, .running = 10}, &always, TD_LIKELY_NO_CPUS, 0, 0, __LINE__);
    none.interval = 0;
    windows_are(&(struct td_count){.enabled = 100, .running = 50}, &none, TD_LIKELY_NO_COVERAGE, 0, 0, __LINE__);
}

/* Of two groups the last one's windows matter, too; and what is not known of the first is not known of all. */
static void of_each_group(void)
{
    const struct td_taken t = {.elapsed = 100, .cpus = 1, .interval = 2};
    struct by_hand h;

    /* a CPU's times, then a task's */
    begin(&h, (const struct td_count[]){{.enabled = 100, .running = 50}, {.enabled = 50, .running = 40, .group = 1}},
          2);
    CU_ASSERT_EQUAL(h.seen.n, 2);
    td_seen_times(&h.seen, &h.x, &t, 1);
    CU_ASSERT(h.seen.uneven == 1.5 && h.seen.group[1].windows.seen == 20 && h.seen.why == TD_LIKELY_GIVEN);
    td_seen_times(&h.seen, &h.x, &t, 2);
    CU_ASSERT_EQUAL(h.seen.uneven, 2);
    h.c[0].enabled = 0;
    td_seen_times(&h.seen, &h.x, &t, 2);
    CU_ASSERT(h.seen.why == TD_LIKELY_NO_COVERAGE && h.seen.uneven == 2); /* no time at all is no task's */
    td_seen_free(&h.seen);
}

/* The copies of two groups, in turns; what makes these the groups of an interval no more. */
static void stands_no_more(void)
{
    static const struct td_count c[] = {{.enabled = 100, .running = 50},
                                        {.enabled = 100, .running = 50},
                                        {.enabled = 100, .running = 40, .group = 1},
                                        {.enabled = 100, .group = 1, .status = TD_NOT_COUNTED}};
    struct by_hand h;

    begin(&h, c, COPIES);
    CU_ASSERT(h.seen.n == 2 && h.seen.group[0].copy == 0 && h.seen.group[1].copy == 2 && h.seen.lasts);
    CU_ASSERT(h.seen.group_of[0] == 0 && h.seen.group_of[1] == 0 && h.seen.group_of[2] == 1 &&
              h.seen.group_of[3] == UINT32_MAX);
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    h.x.made++;
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
    h.x.made--;
    h.word = 1;
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
    h.word = 0;
    h.x.likely = true;
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
    CU_ASSERT_EQUAL(td_seen_find(&h.seen, &h.x), 0);
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    h.x.likely = false; /* what was planned is not needed, and does no harm */
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    h.c[1].running = 49;
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
    h.c[0].running = 49;
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    h.c[0].running = h.c[1].running = 100;
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    h.c[2].running = 100; /* all of the time, as the other group */
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
    h.c[0].running = h.c[1].running = 50;
    CU_ASSERT(td_seen_stands(&h.seen, &h.x));
    td_seen_free(&h.seen);
    CU_ASSERT_FALSE(td_seen_stands(&h.seen, &h.x));
}

/* Copies of one group that differ in their times are several groups, which another interval may have otherwise;
 * wherever they are. */
static void one_group_apart(void)
{
    static const struct {
        uint16_t group[3];
        bool lasts;
    } rows[] = {{{0, 1, 2}, true}, {{0, 0, 1}, false}, {{0, 1, 0}, false}, {{1, 0, 0}, false}, {{1, 1, 1}, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_count c[] = {{.enabled = 100, .running = 50, .group = rows[i].group[0]},
                                     {.enabled = 100, .running = 40, .group = rows[i].group[1]},
                                     {.enabled = 100, .running = 30, .group = rows[i].group[2]}};
        struct by_hand h;

        begin(&h, c, 3);
        check(h.seen.n == 3 && h.seen.lasts == rows[i].lasts && td_seen_stands(&h.seen, &h.x) == rows[i].lasts, "lasts",
              (int)i);
        td_seen_free(&h.seen);
    }
}

/* ---- what is known of a metric of two groups, which it lists after those of another ---- */

static void given(struct by_hand *h, struct td_seen_metric metric[2], uint32_t of[3])
{
    metric[0] = (struct td_seen_metric){.at = 0, .n = 1};
    metric[1] = (struct td_seen_metric){.at = 1, .n = 2};
    of[0] = of[2] = 1;
    of[1] = 0;
    free(h->seen.metric);
    free(h->seen.of);
    h->seen.metric = metric;
    h->seen.of = of;
}

static void taken_away(struct by_hand *h)
{
    h->seen.metric = NULL;
    h->seen.of = NULL;
    td_seen_free(&h->seen);
}

static void covered(void)
{
    static const struct {
        double running[2]; /* of 100 */
        double one, both;
    } rows[] = {{{25, 40}, 0.4, 0.25}, {{40, 25}, 0.25, 0.25}, {{100, 40}, 0.4, 0.4},
                {{40, 100}, 1, 0.4},   {{150, 40}, 0.4, 0.4},  {{0, 40}, 0.4, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_count c[] = {{.enabled = 100, .running = rows[i].running[0]},
                                     {.enabled = 100, .running = rows[i].running[1], .group = 1}};
        struct td_seen_metric metrics[2];
        struct by_hand h;
        uint32_t of[3];

        begin(&h, c, 2);
        given(&h, metrics, of);
        CU_ASSERT_EQUAL(td_seen_coverage(&h.seen, &h.x, 0), rows[i].one);
        CU_ASSERT_EQUAL(td_seen_coverage(&h.seen, &h.x, 1), rows[i].both);
        metrics[0].n = 0;
        CU_ASSERT(isnan(td_seen_coverage(&h.seen, &h.x, 0)));
        taken_away(&h);
    }
}

/* 50 windows, of which 25 and 20 were seen; a share may be up to 1 or 4, and its formula 1 % of that beyond. */
static void bounds_of_both(void)
{
    static const struct td_count c[] = {{.enabled = 100, .running = 50}, {.enabled = 100, .running = 40, .group = 1}};
    static const double mosts[] = {1, 4, HUGE_VAL};
    static const double parts[] = {0.01, -0.02, 0.03, -0.01, 0.02, -0.03, 0.01, -0.01};
    double pull[] = {5, 6, 0.5, 0.25};
    const struct td_taken t = {.elapsed = 100, .cpus = 1, .interval = 2, .tasks = true};
    struct td_likely_group room[2];
    struct td_seen_metric metrics[2];
    struct by_hand h;
    uint32_t of[3];

    begin(&h, c, 2);
    given(&h, metrics, of);
    td_seen_times(&h.seen, &h.x, &t, 1);
    free(h.seen.asked);
    h.seen.asked = room;
    h.seen.pull = pull;
    for (size_t i = 0; i < 4 * sizeof(mosts) / sizeof(*mosts); i++) {
        const double most = mosts[i / 4];
        const bool tried = i & 1, with_parts = i & 2;
        const struct td_likely_group groups[] = {{{25, 50}, 1.5, tried ? 0.5 : 0}, {{20, 50}, 1.5, tried ? 0.25 : 0}};
        const struct td_likely_ask by = {.value = 0.3,
                                         .low = 0.25,
                                         .high = 0.5,
                                         .least = most > 4 ? -HUGE_VAL : 0,
                                         .most = most,
                                         .slack = most > 4 ? 0 : most / 100,
                                         .groups = groups,
                                         .ngroups = 2,
                                         .parts = parts,
                                         .nparts = with_parts ? 8 : 0};
        struct td_range r2 = {.value = 0.3, .low = 0.25, .high = 0.5};
        double low, high;
        const enum td_likely_why why = td_likely_bounds(&by, &low, &high);

        metrics[1].tried = tried;
        check(td_seen_bounds(&h.seen, 1, most, with_parts ? parts : NULL, with_parts ? 8 : 0, &r2) == why, "why",
              (int)i);
        check((isnan(low) && isnan(r2.low)) || (r2.low == low && r2.high == high), "bounds", (int)i);
    }
    h.seen.asked = NULL;
    h.seen.pull = NULL;
    taken_away(&h);
}

static void usable(void)
{
    static const double parts[] = {1, 2, NAN, HUGE_VAL, -HUGE_VAL};

    CU_ASSERT_EQUAL(td_seen_usable(parts, 0), 0);
    CU_ASSERT_EQUAL(td_seen_usable(parts, 1), 1);
    CU_ASSERT_EQUAL(td_seen_usable(parts, 2), 2);
    CU_ASSERT_EQUAL(td_seen_usable(parts, 3), 0);
    CU_ASSERT_EQUAL(td_seen_usable(parts + 2, 1), 0);
    CU_ASSERT_EQUAL(td_seen_usable(parts + 3, 1), 0);
    CU_ASSERT_EQUAL(td_seen_usable(parts + 4, 1), 0);
    CU_ASSERT_EQUAL(td_seen_usable(NULL, 2), 0);
}

static const CU_TestInfo tests[] = {
    {"a difference of two groups' counts", difference},
    {"a difference that is no less than 0", clamped},
    {"one of the groups was counted all the time", one_of_them_whole},
    {"groups that were counted all the time", wholes_are_one},
    {"one group", together},
    {"intervals one after the other", kept},
    {"times on CPUs", the_times},
    {"times of tasks and of CPUs", whose_times},
    {"windows", windows},
    {"windows of each group", of_each_group},
    {"groups that do not stand", stands_no_more},
    {"a group's copies apart", one_group_apart},
    {"coverage of two groups", covered},
    {"bounds of two groups", bounds_of_both},
    {"usable parts", usable},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("likely bounds of several groups", tests);
