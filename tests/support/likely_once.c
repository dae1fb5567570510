/* SPDX-License-Identifier: MIT */
#include "tests/support/likely_once.h"

#include "core/result.h"
#include "include/tdprobe.h"
#include "tests/support/likely_chance.h"
#include "tests/support/oracle.h"
#include "tests/support/source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4e6 /* ns */

enum { EVENTS = 16, ROWS = 3, UNITS = 64, RUNS = 8, TEXT = 1 << 16, ORACLE = 32 };

const char *const once_way_names[ONCE_WAYS] = {
    [ONCE_COMMAND] = "a command",       [ONCE_REPEATED] = "-r N",   [ONCE_CGROUP] = "a cgroup", [ONCE_PROCESS] = "-p",
    [ONCE_THREADS] = "--per-thread -p", [ONCE_ROWS] = "rows of -A", [ONCE_LIST] = "-C LIST",    [ONCE_SYSTEM] = "-a",
    [ONCE_CLOCK] = "-a with cpu-clock",
};

/* ---- families: consistent counts of level 1 ----------------------------------------------- */

static const struct once_event by_register[] = {
    {"slots", "TOPDOWN.SLOTS", 1, {0}, 1},
    {"topdown-retiring", "PERF_METRICS.RETIRING", 0, {1, 0, 0, 0}, 1},
    {"topdown-bad-spec", "PERF_METRICS.BAD_SPECULATION", 0, {0, 1, 0, 0}, 1},
    {"topdown-fe-bound", "PERF_METRICS.FRONTEND_BOUND", 0, {0, 0, 1, 0}, 1},
    {"topdown-be-bound", "PERF_METRICS.BACKEND_BOUND", 0, {0, 0, 0, 1}, 1},
    {NULL, NULL, 0, {0}, 0},
};
/* INT_MISC.UOP_DROPPING counts slots that the frontend's event has too many of. */
static const struct once_event by_slots[] = {
    {"slots", "TOPDOWN.SLOTS", 1, {0}, 0},
    {"idq_bubbles.core", "IDQ_BUBBLES.CORE", 0, {0, 0.125, 1, 0}, 0},
    {"int_misc.uop_dropping", "INT_MISC.UOP_DROPPING", 0, {0, 0.125, 0, 0}, 0},
    {"uops_retired.slots", "UOPS_RETIRED.SLOTS", 0, {1, 0, 0, 0}, 0},
    {"topdown.backend_bound_slots", "TOPDOWN.BACKEND_BOUND_SLOTS", 0, {0, 0, 0, 1}, 0},
    {NULL, NULL, 0, {0}, 0},
};
/* The frontend recovers in half of what was wasted. */
static const struct once_event by_uops[] = {
    {"cpu_clk_unhalted.thread", "CPU_CLK_UNHALTED.THREAD", 0.25, {0}, 0},
    {"idq_uops_not_delivered.core", "IDQ_UOPS_NOT_DELIVERED.CORE", 0, {0, 0, 1, 0}, 0},
    {"uops_issued.any", "UOPS_ISSUED.ANY", 0, {1, 0.5, 0, 0}, 0},
    {"uops_retired.retire_slots", "UOPS_RETIRED.RETIRE_SLOTS", 0, {1, 0, 0, 0}, 0},
    {"int_misc.recovery_cycles", "INT_MISC.RECOVERY_CYCLES", 0, {0, 0.125, 0, 0}, 0},
    {NULL, NULL, 0, {0}, 0},
};
/* Both threads of each core count its cycles. */
static const struct once_event by_cores[] = {
    {"cpu_clk_unhalted.thread_any", "CPU_CLK_UNHALTED.THREAD_ANY", 0.5, {0}, 0},
    {"idq_uops_not_delivered.core", "IDQ_UOPS_NOT_DELIVERED.CORE", 0, {0, 0, 1, 0}, 0},
    {"uops_issued.any", "UOPS_ISSUED.ANY", 0, {1, 0.5, 0, 0}, 0},
    {"uops_retired.retire_slots", "UOPS_RETIRED.RETIRE_SLOTS", 0, {1, 0, 0, 0}, 0},
    {"int_misc.recovery_cycles_any", "INT_MISC.RECOVERY_CYCLES_ANY", 0, {0, 0.25, 0, 0}, 0},
    {NULL, NULL, 0, {0}, 0},
};
static const struct once_event by_dispatch[] = {
    {"ls_not_halted_cyc", "LS_NOT_HALTED_CYC", 1 / 6.0, {0}, 0},
    {"de_no_dispatch_per_slot.no_ops_from_frontend",
     "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND",
     0,
     {0, 0, 1, 0},
     0},
    {"de_no_dispatch_per_slot.backend_stalls", "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS", 0, {0, 0, 0, 0.75}, 0},
    {"de_no_dispatch_per_slot.smt_contention", "DE_NO_DISPATCH_PER_SLOT.SMT_CONTENTION", 0, {0, 0, 0, 0.25}, 0},
    {"de_src_op_disp.all", "DE_SRC_OP_DISP.ALL", 0, {1, 1, 0, 0}, 0},
    {"ex_ret_ops", "EX_RET_OPS", 0, {1, 0, 0, 0}, 0},
    {NULL, NULL, 0, {0}, 0},
};
/* An N2 before r0p3 counts a slot of the frontend too much in each cycle; each mispredict takes five slots, one of the
 * frontend, three of the backend, and of four cycles the rest: half of what is wasted comes from them. */
static const struct once_event by_stalls[] = {
    {"cpu_cycles", "CPU_CYCLES", 0.2, {0}, 0},
    {"stall_slot", "STALL_SLOT", 0.2, {0, 0.5, 1, 1}, 0},
    {"stall_slot_frontend", "STALL_SLOT_FRONTEND", 0.2, {0, 0.125, 1, 0}, 0},
    {"stall_slot_backend", "STALL_SLOT_BACKEND", 0, {0, 0.375, 0, 1}, 0},
    {"op_spec", "OP_SPEC", 0, {1, 0.5, 0, 0}, 0},
    {"op_retired", "OP_RETIRED", 0, {1, 0, 0, 0}, 0},
    {"br_mis_pred", "BR_MIS_PRED", 0, {0, 0.025, 0, 0}, 0},
    {NULL, NULL, 0, {0}, 0},
};
static const struct once_event by_topdown[] = {
    {"cpu_clk_unhalted.core", "CPU_CLK_UNHALTED.CORE", 0.2, {0}, 0},
    {"topdown_retiring.all", "TOPDOWN_RETIRING.ALL", 0, {1, 0, 0, 0}, 0},
    {"topdown_bad_speculation.all", "TOPDOWN_BAD_SPECULATION.ALL", 0, {0, 1, 0, 0}, 0},
    {"topdown_fe_bound.all", "TOPDOWN_FE_BOUND.ALL", 0, {0, 0, 1, 0}, 0},
    {"topdown_be_bound.all", "TOPDOWN_BE_BOUND.ALL", 0, {0, 0, 0, 1}, 0},
    {NULL, NULL, 0, {0}, 0},
};

const struct once_family once_families[] = {
    {"Ice Lake", "icl", "icl-perf-metrics", "on", 5, by_register},
    {"Sapphire Rapids", "spr", "glc-events", "on", 6, by_slots},
    {"Skylake, SMT", "skl", "skl-thread-any", "on", 4, by_cores},
    {"Cascade Lake", "clx", "skl", "off", 4, by_uops},
    {"Sandy Bridge", "snb", "snb", "off", 4, by_uops},
    {"Zen 4", "zen4", "zen4-dispatch", "on", 6, by_dispatch},
    {"Neoverse N2", "neoverse-n2", "neoverse-less-cycles", "off", 5, by_stalls},
    {"Gracemont", "adl-e", "gracemont", "off", 5, by_topdown},
};
const size_t once_nfamilies = sizeof(once_families) / sizeof(*once_families);

/* ---- what happens, and what is counted of it ------------------------------------------------- */

/* An event of one row. */
struct sum {
    double value, enabled, running; /* of this run; in windows */
    double truth, all, seen; /* of all runs: what happened; the same in windows */
    double mean, squares; /* of the runs' scaled counts */
};

struct once {
    enum once_way way;
    const struct once_family *family;
    uint64_t *random;
    struct likely_case c;
    bool hard; /* see once_run() */
    size_t nevents;
    unsigned char group[EVENTS];
    bool clocks; /* each group has its own copy of the first event, as those of -M have */
    bool scaled; /* each unit's counts are scaled by themselves, as by perf 6.2 and later, else the sum is */
    double rate[LIKELY_STATES][EVENTS]; /* in a window */
    double elapsed; /* s */
    unsigned units, runs, rows;
    struct sum sum[ROWS][EVENTS + LIKELY_TURNS]; /* by event; of the clock by group */
    char text[TEXT];
    size_t used;
};

static bool of_tasks(const struct once *o)
{
    return o->way <= ONCE_THREADS;
}

static bool in_rows(const struct once *o)
{
    return o->way == ONCE_THREADS || o->way == ONCE_ROWS;
}

static double between(uint64_t *random, double least, double most)
{
    return least * pow(most / least, chance(random));
}

/* One group for all in a third of the readings. The group of the first event is that of all that are counted beside
 * it. */
static void choose_groups(struct once *o)
{
    const bool one = o->hard || chance(o->random) < 1 / 3.0;

    for (o->nevents = 0; o->family->events[o->nevents].text; o->nevents++)
        o->group[o->nevents] = (unsigned char)(o->c.turns * chance(o->random));
    for (size_t e = 0; e < o->nevents; e++)
        if (one || o->family->events[e].together)
            o->group[e] = o->group[0];
    o->clocks = !one && !o->family->events[0].together && chance(o->random) < 0.5;
}

/* In a half of the readings all of one category in one state, all of another in the other: they cannot differ more. */
static void choose_shares(struct once *o, double f[LIKELY_STATES][LIKELY_SHARES])
{
    const size_t one = (size_t)(LIKELY_SHARES * chance(o->random)),
                 other = (one + 1 + (size_t)((LIKELY_SHARES - 1) * chance(o->random))) % LIKELY_SHARES;
    const bool whole = o->hard || chance(o->random) < 0.5;

    for (size_t s = 0; s < LIKELY_STATES; s++) {
        likely_shares(o->random, f[s]);
        for (size_t i = 0; i < LIKELY_SHARES && whole; i++)
            f[s][i] = i == (s ? other : one);
    }
}

static void choose_rates(struct once *o)
{
    double f[LIKELY_STATES][LIKELY_SHARES];
    const double slots = WINDOW * (1.5 + 4 * chance(o->random)) * o->family->width;
    const double idle = of_tasks(o) || chance(o->random) < 0.5 ? 0 : 0.9 * chance(o->random);

    choose_shares(o, f);
    for (size_t s = 0; s < LIKELY_STATES; s++)
        for (size_t e = 0; e < o->nevents; e++) {
            const struct once_event *event = &o->family->events[e];
            double part = event->all;

            for (size_t i = 0; i < LIKELY_SHARES; i++)
                part += event->of[i] * f[s][i];
            o->rate[s][e] = slots * (s ? 1 - idle : 1) * part;
        }
}

static void choose(struct once *o, const struct likely_program *program)
{
    o->c = (struct likely_case){
        .program = program ? program : &likely_programs[(size_t)((double)likely_nprograms * chance(o->random))],
        .share = 0.02 + 0.96 * chance(o->random),
        .turns = 2 + (unsigned)(7 * chance(o->random)),
        .intervals = 1,
        .apart = !o->hard && chance(o->random) < 0.5,
        .burst = of_tasks(o) && chance(o->random) < 0.5 ? between(o->random, 0.1, 3) : 0,
    };
    o->c.seen = o->c.turns / 5 + 1 + (unsigned)((o->c.turns - o->c.turns / 5) * chance(o->random));
    o->elapsed = between(o->random, 0.1, 60);
    o->units = (unsigned)between(o->random, 1, UNITS + 1);
    o->runs = o->way == ONCE_REPEATED ? 2 + (unsigned)((RUNS - 1) * chance(o->random)) : 1;
    o->c.windows =
        o->elapsed * 1e9 / WINDOW * o->c.seen / o->c.turns * (o->c.burst > 0 ? between(o->random, 0.1, 1) : 1);
    o->scaled = (o->way == ONCE_SYSTEM || o->way == ONCE_CLOCK || o->way == ONCE_LIST || o->way == ONCE_CGROUP) &&
                chance(o->random) < 0.5;
    o->rows = in_rows(o) ? ROWS : 1;
    choose_groups(o);
    choose_rates(o);
}

/* Adds what a group saw of an event. */
static void count(const struct once *o, const struct likely_stays *t, size_t event, size_t group, struct sum *sum)
{
    double value = 0, running = 0, enabled = 0;

    for (size_t turn = 0; turn < o->c.turns; turn++)
        for (size_t s = 0; s < LIKELY_STATES; s++) {
            const double time = t->in[0][turn][s];

            enabled += time;
            sum->truth += time * o->rate[s][event];
            running += likely_sees(&o->c, group, turn) ? time : 0;
            value += likely_sees(&o->c, group, turn) ? time * o->rate[s][event] : 0;
        }
    sum->value += o->scaled ? (running > 0 ? value * enabled / running : 0) : value;
    sum->running += running;
    sum->enabled += enabled;
}

static void count_unit(struct once *o, const struct likely_stays *t, struct sum *sum)
{
    for (size_t e = 0; e < o->nevents; e++)
        count(o, t, e, o->group[e], &sum[e]);
    for (size_t g = 0; g < o->c.turns && o->clocks; g++)
        count(o, t, 0, g, &sum[EVENTS + g]);
}

static void end_run(struct once *o, struct sum *s)
{
    double value = s->value;

    if (!o->scaled)
        value = s->running > 0 ? s->value * s->enabled / s->running : 0;
    s->mean += value / o->runs;
    s->squares += value * value / o->runs;
    s->all += s->enabled;
    s->seen += s->running;
    s->value = s->enabled = s->running = 0;
}

/* A row's units, once. */
static void happen(struct once *o, struct sum *sum)
{
    const unsigned units = in_rows(o) ? 1 : o->units;
    const unsigned together = (unsigned)(o->c.turns * chance(o->random));
    struct likely_stays t;

    for (unsigned u = 0; u < units; u++) {
        if (!u || o->c.apart) {
            memset(&t, 0, sizeof(t));
            likely_walk(&o->c, of_tasks(o) && o->c.apart ? (unsigned)(o->c.turns * chance(o->random)) : together,
                        o->random, &t);
        }
        count_unit(o, &t, sum);
    }
    for (size_t i = 0; i < EVENTS + LIKELY_TURNS; i++)
        end_run(o, &sum[i]);
}

/* ---- as perf prints it ------------------------------------------------------------------------ */

static void __attribute__((format(printf, 2, 3))) put(struct once *o, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    o->used += (size_t)vsnprintf(o->text + o->used, sizeof(o->text) - o->used, format, args);
    va_end(args);
}

static void put_count(struct once *o, unsigned row, const char *event, const struct sum *s)
{
    if (o->way == ONCE_THREADS)
        put(o, "%*s-%-*u ", 16, "worker", 8, 700 + row);
    if (o->way == ONCE_ROWS)
        put(o, "CPU%-*u ", 4, row);
    if (s->seen > 0)
        put(o, "%18.0f      %-24s", s->mean, event);
    else
        put(o, "%18s      %-24s", "<not counted>", event);
    if (o->way == ONCE_CGROUP)
        put(o, " %s", "user.slice");
    if (o->way == ONCE_REPEATED && s->mean > 0)
        put(o, "                ( +-%6.2f%% )",
            100 * sqrt(fmax(0, s->squares - s->mean * s->mean) / (o->runs - 1)) / s->mean);
    if (s->seen < s->all)
        put(o, "  (%.2f%%)", 100 * s->seen / s->all);
    put(o, "\n");
}

static void put_row(struct once *o, unsigned row)
{
    const struct once_event *events = o->family->events;

    for (size_t e = 0; e < o->nevents && !o->clocks; e++)
        put_count(o, row, events[e].text, &o->sum[row][e]);
    for (size_t g = 0; g < o->c.turns && o->clocks; g++) {
        put_count(o, row, events[0].text, &o->sum[row][EVENTS + g]);
        for (size_t e = 1; e < o->nevents; e++)
            if (o->group[e] == g)
                put_count(o, row, events[e].text, &o->sum[row][e]);
    }
}

static void print(struct once *o)
{
    put(o, "\n Performance counter stats for ");
    switch (o->way) {
    case ONCE_PROCESS:
    case ONCE_THREADS: put(o, "process id '700':\n\n"); break;
    case ONCE_LIST: put(o, "'CPU(s) 0-%u':\n\n", o->units - 1); break;
    case ONCE_COMMAND: put(o, "'./program':\n\n"); break;
    case ONCE_REPEATED: put(o, "'./program' (%u runs):\n\n", o->runs); break;
    default: put(o, "'system wide':\n\n");
    }
    for (unsigned row = 0; row < o->rows; row++)
        put_row(o, row);
    if (o->way == ONCE_CLOCK) /* CPUs are begun with and ended one after the other */
        put(o, "%18.2f msec cpu-clock                 # %8.3f CPUs utilized\n", o->elapsed * 1e3 * o->units * 0.9997,
            o->units * 0.9997);
    if (o->way == ONCE_REPEATED)
        put(o, "\n %17.6f +- %.6f seconds time elapsed  ( +-  0.10%% )\n\n", o->elapsed, o->elapsed / 1000);
    else
        put(o, "\n %17.9f seconds time elapsed\n\n", o->elapsed);
}

/* ---- read back --------------------------------------------------------------------------------- */

struct answers {
    const struct once *o;
    unsigned row;
    struct oracle_metric metric[ORACLE];
    int n;
};

static double truth_of(void *ctx, const char *event)
{
    const struct answers *a = ctx;

    for (size_t e = 0; e < a->o->nevents; e++)
        if (!strcmp(a->o->family->events[e].name, event))
            return a->o->sum[a->row][e].truth;
    return NAN;
}

static double answer(const struct answers *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->metric[i].name, name))
            return a->metric[i].value;
    return NAN;
}

/* The greatest share of those above their thresholds; NULL: none is. */
static const struct td_metric *leader(const struct td_result *r, const struct answers *a)
{
    const struct td_metric *most = NULL;

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];
        const double truth = answer(a, m->name);

        if (truth > r->nodes[i]->threshold && (!most || truth > answer(a, most->name)))
            most = m;
    }
    return most;
}

static void tell_metric(const struct td_metric *m, double truth, struct once_cell *c)
{
    const bool inside = m->low - 1e-6 <= truth && truth <= m->high + 1e-6;

    c->broken += m->bounds == TD_BOUNDS_SOUND && !inside;
    if (m->bounds == TD_BOUNDS_SOUND)
        return;
    c->shares++;
    if (m->bounds != TD_BOUNDS_LIKELY)
        return;
    c->given++;
    c->inside += inside;
    c->width += (m->high - m->low) / 2;
    c->square += (m->value - truth) * (m->value - truth);
}

static void tell(const struct td_result *r, const struct answers *a, struct once_cell *c)
{
    const struct td_verdict *v = td_result_verdict(r);
    const struct td_metric *most = leader(r, a);

    c->readings++;
    c->named += v->npath > 0;
    c->wrong += v->npath > 0 && !(most && !strcmp(v->path[0]->name, most->name));
    for (size_t i = 0; i < r->nmetrics; i++)
        tell_metric(&r->metrics[i], answer(a, r->metrics[i].name), c);
}

static int read_back(struct once *o, struct once_cell *c)
{
    struct answers a = {.o = o};
    const struct td_result *r;
    struct source printed = {o->text, o->used, o->used, 0};
    struct td *td = td_new();
    int err = td ? 0 : -ENOMEM;

    err = err ? err : td_set_uarch(td, o->family->uarch);
    err = err ? err : td_set_smt(td, o->family->smt);
    err = err ? err : td_set_level(td, 1);
    err = err ? err : td_open(td, "once", source_read, &printed);
    for (a.row = 0; a.row < o->rows && !err; a.row++) {
        a.n = oracle_solve(o->family->variant, o->family->width, truth_of, &a, a.metric);
        err = td_next(td, &r);
        if (!err)
            tell(r, &a, c);
    }
    if (err)
        fprintf(stderr, "%s\n%s", td ? td_error(td) : "", o->text);
    td_free(td);
    return err;
}

int once_run(enum once_way way, const struct once_family *family, const struct likely_program *program,
             uint64_t *random, struct once_cell *c)
{
    struct once *o = calloc(1, sizeof(*o));
    int err;

    if (!o)
        return -ENOMEM;
    o->way = way;
    o->family = family;
    o->random = random;
    o->hard = program != NULL;
    choose(o, program);
    for (unsigned run = 0; run < o->runs; run++)
        for (unsigned row = 0; row < o->rows; row++)
            happen(o, o->sum[row]);
    print(o);
    err = read_back(o, c);
    free(o);
    return err;
}
