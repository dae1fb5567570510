/* SPDX-License-Identifier: MIT */
#include "tests/support/likely_road.h"

#include "include/td_run.h"
#include "tests/support/likely_chance.h"
#include "tests/support/source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const road_names[ROAD_PROGRAMS] = {
    [ROAD_STEADY] = "steady",
    [ROAD_SHORT] = "random phases of about 2 ms",
    [ROAD_MIDDLE] = "random phases of about 20 ms",
    [ROAD_LONG] = "random phases of about 200 ms",
    [ROAD_ONCE] = "changes once",
    [ROAD_WHOLE] = "all or nothing in each window",
};

enum { SHARES = 4, PHASES_MAX = 4096, PHASE_TEXT = 640 };

/* Skylake without a sibling, but with its four counters. */
static const char head[] =
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x16 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000506e3 0x0 0x00008000 0x0\n"
    "cpuid 0xa = 0x07300404 0x0 0x0 0x603\ncpus 0 smt=1 sockets=1\npmu cpu type=4 cpus=0 general=4 fixed=0-2\nworkload w rate=14000000000\n";

/* Sapphire Rapids without siblings, and what the kernel needs to offer PERF_METRICS. */
static const char task_head[] =
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1f 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000806f8 0x0 0x00008000 0x0\n"
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0-1 smt=1 sockets=1\npmu cpu type=4 cpus=0-1 general=8 fixed=0-3 metrics=8 rounding=%s\n"
    "format cpu event = config:0-7\nformat cpu umask = config:8-15\nevent cpu slots = event=0x00,umask=0x4\n"
    "event cpu topdown-retiring = event=0x00,umask=0x80\nevent cpu topdown-bad-spec = event=0x00,umask=0x81\n"
    "event cpu topdown-fe-bound = event=0x00,umask=0x82\nevent cpu topdown-be-bound = event=0x00,umask=0x83\n"
    "workload w rate=18000000000\n";

/* What is measured: a CPU, or a task. */
struct road {
    enum road_program program;
    unsigned phase; /* ms; 0: as the program has it */
    const char *rounding; /* NULL: a CPU */
    unsigned ms, intervals;
};

struct program {
    char *text;
    size_t used, room;
    double truth[SHARES]; /* retiring, bad, frontend, backend: ms of each */
    double ms;
};

/* The events of level 1 and 2, consistent with the shares: sim/machines/skylake-nosmt.machine. */
static void put_phase(struct program *p, unsigned ms, const double *s)
{
    const double recovery = s[1] / 8;

    p->used += (size_t)snprintf(
        p->text + p->used, p->room - p->used,
        "phase ms=%u retiring=%.4f bad=%.4f frontend=%.4f backend=%.4f\ncount 0x3c 0.25 clock\ncount 0xc0 %.4f\ncount 0x19c %.4f\n"
        "count 0x400019c %.4f\ncount 0x10e %.4f\ncount 0x2c2 %.4f\ncount 0x4c2 %.4f\ncount 0x10d %.6f\ncount 0xc5 %.6f\n"
        "count 0x10401c3 %.6f\ncount 0x140014a3 %.4f on=0-3\ncount 0x40004a3 %.4f\ncount 0x2a6 0.03\ncount 0x4a6 0.06\ncount 0x40a6 0.015\n",
        ms, s[0], s[1], s[2], s[3], s[0], s[2], s[2] / 8, s[0] + s[1] - 4 * recovery, s[0], s[0] / 4, recovery,
        s[1] / 20 + 0.001, s[1] / 60 + 0.001, s[3] / 8, s[3] / 5);
}

/* With four decimals, so that what is written is what was meant; often nearly all is one category. */
static void any_shares(uint64_t *random, double *s)
{
    double sum = 0, left = 1;

    for (size_t i = 0; i < SHARES; i++)
        sum += s[i] = exponential(random, 1);
    if (chance(random) < 0.5)
        s[(size_t)(SHARES * chance(random))] += 10, sum += 10;
    for (size_t i = 0; i + 1 < SHARES; i++) {
        s[i] = floor(s[i] / sum * 10000) / 10000;
        left -= s[i];
    }
    s[SHARES - 1] = floor(left * 10000 + 0.5) / 10000;
}

/* All of one category in a phase, all of another in the next: windows cannot differ more. */
static void whole_shares(uint64_t *random, double shares[2][SHARES])
{
    const size_t one = (size_t)(SHARES * chance(random)),
                 other = (one + 1 + (size_t)((SHARES - 1) * chance(random))) % SHARES;

    memset(shares, 0, 2 * sizeof(*shares));
    shares[0][one] = shares[1][other] = 1;
}

static unsigned phase_ms(const struct road *r, size_t phase, uint64_t *random)
{
    static const double mean[ROAD_PROGRAMS] = {
        [ROAD_SHORT] = 2,
        [ROAD_MIDDLE] = 20,
        [ROAD_LONG] = 200,
    };

    if (r->phase) /* the first is cut */
        return phase ? r->phase : 1 + (unsigned)(r->phase * chance(random));
    if (r->program == ROAD_WHOLE) /* whole windows, each as likely of one category as of the other */
        return ROAD_WINDOW * (1 + (unsigned)exponential(random, 1 / log(2)));
    if (r->program == ROAD_STEADY)
        return r->ms;
    if (r->program == ROAD_ONCE)
        return phase ? r->ms : 1 + (unsigned)(r->ms * chance(random));
    return 1 + (unsigned)fmin(exponential(random, mean[r->program] - 0.5), 50 * mean[r->program]);
}

static int make(struct program *p, const struct road *r, uint64_t *random)
{
    double shares[2][SHARES];

    *p = (struct program){.room = sizeof(head) + sizeof(task_head) + 64 + PHASES_MAX * (size_t)PHASE_TEXT};
    p->text = malloc(p->room);
    if (!p->text)
        return -ENOMEM;
    p->used = (size_t)snprintf(p->text, p->room, r->rounding ? task_head : head, r->rounding);
    if (r->program == ROAD_WHOLE)
        whole_shares(random, shares);
    else
        any_shares(random, shares[0]), any_shares(random, shares[1]);
    for (size_t phase = 0; p->ms < r->ms && phase < PHASES_MAX; phase++) {
        const unsigned length = phase_ms(r, phase, random);
        const double seen = fmin(length, r->ms - p->ms);

        put_phase(p, length, shares[phase % 2]);
        for (size_t i = 0; i < SHARES; i++)
            p->truth[i] += seen * shares[phase % 2][i];
        p->ms += seen;
    }
    p->used += (size_t)snprintf(p->text + p->used, p->room - p->used,
                                r->rounding ? "task 701 t w cpus=0-1 slice=10\n" : "run w cpus=0\n");
    return 0;
}

static const char *const names[SHARES] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound"};

/* toplev's, tdprobe-metrics(7). */
static const double thresholds[SHARES] = {0.70, 0.15, 0.15, 0.20};

/* The greatest share of those above their thresholds; SHARES: none is. */
static size_t limit(const struct program *p)
{
    size_t most = SHARES;

    for (size_t k = 0; k < SHARES; k++)
        if (p->truth[k] > thresholds[k] * p->ms && (most == SHARES || p->truth[k] > p->truth[most]))
            most = k;
    return most;
}

static void tell_verdict(const struct td_result *r, const struct program *p, struct road_cell *c)
{
    const size_t most = limit(p);
    struct td_verdict v;

    v = *td_result_verdict(r);
    if (!v.node)
        return;
    c->named++;
    c->right += most < SHARES && !strcmp(v.path[0]->name, names[most]);
}

/* By values alone, as where there are no bounds. */
static void tell_lead(const struct td_result *r, const struct program *p, struct road_cell *c)
{
    const size_t truth = limit(p);
    double value[SHARES] = {0}, next = 0;
    size_t most = 0;

    for (size_t i = 0; i < td_result_metrics(r); i++)
        for (size_t k = 0; k < SHARES; k++) {
            const struct td_metric *m = td_result_metric(r, i);

            if (!strcmp(m->name, names[k]) &&
                (m->status != TD_OK || m->flags & (TD_FLAG_FEW_WINDOWS | TD_FLAG_IN_STEP | TD_FLAG_SUM_OFF)))
                return;
            if (!strcmp(m->name, names[k]) && m->value > thresholds[k])
                value[k] = m->value;
        }
    for (size_t k = 0; k < SHARES; k++)
        most = value[k] > value[most] ? k : most;
    for (size_t k = 0; k < SHARES; k++)
        next = k != most && value[k] > next ? value[k] : next;
    if (value[most] < 0.30 || value[most] - next < 0.15)
        return;
    c->leading++;
    c->leads += truth == most;
}

static void tell(const struct td_result *r, const struct program *p, struct road_cell *c)
{
    tell_verdict(r, p, c);
    tell_lead(r, p, c);
    for (size_t i = 0; i < td_result_metrics(r); i++)
        for (size_t k = 0; k < SHARES; k++) {
            const struct td_metric *m = td_result_metric(r, i);
            const double truth = p->truth[k] / p->ms;

            if (strcmp(m->name, names[k]) != 0)
                continue;
            c->metrics++;
            c->refused += (m->flags & TD_FLAG_IN_STEP) != 0;
            if (m->status != TD_OK || m->bounds != TD_BOUNDS_LIKELY)
                continue;
            c->given++;
            c->inside += m->low - 1e-4 <= truth && truth <= m->high + 1e-4; /* rates are multiples of 1/65536 */
            c->width += (m->high - m->low) / 2;
        }
}

static int measure(struct td *td, const struct program *p, const struct road *road, struct road_cell *c)
{
    static const int cpu = 0;
    static const pid_t task = 701;
    const struct td_live whats[] = {
        {.size = sizeof(struct td_live), .cpus = &cpu, .ncpus = 1},
        {.size = sizeof(struct td_live), .tasks = &task, .ntasks = 1},
    };
    const unsigned intervals = road->intervals;
    const struct td_result *r;
    struct td_run_event event = {.size = sizeof(event)};
    int err = td_open_live(td, &whats[road->rounding != NULL]);
    const uint64_t start = td_run_now(td);

    for (unsigned i = 1; i <= intervals && !err; i++) {
        err = td_run_wait(td, start + UINT64_C(1000000) * road->ms * i / intervals, -1, &event);
        err = err ? err : td_take(td);
        while (!err && !td_next(td, &r))
            if (intervals == 1)
                tell(r, p, c);
    }
    if (!err && intervals > 1 && !(err = td_summary(td, 0, &r)))
        tell(r, p, c);
    return err;
}

static int run(const struct road *road, uint64_t *random, struct road_cell *c)
{
    struct td *td = td_new();
    struct program p;
    struct source described;
    int err = td ? make(&p, road, random) : -ENOMEM;

    if (err) {
        td_free(td);
        return err;
    }
    td_set_fixed(td, true);
    described = (struct source){p.text, p.used, p.used, 0};
    err = td_set_machine(td, "machine", source_read, &described);
    err = err ? err : td_set_level(td, road->rounding ? 1 : 2);
    err = err ? err : measure(td, &p, road, c);
    if (err)
        fprintf(stderr, "%s\n", td_error(td));
    td_free(td);
    free(p.text);
    return err;
}

int road_run(enum road_program program, unsigned ms, unsigned intervals, uint64_t *random, struct road_cell *c)
{
    return run(&(struct road){.program = program, .ms = ms, .intervals = intervals}, random, c);
}

int road_rhythm(unsigned phase, unsigned ms, unsigned intervals, uint64_t *random, struct road_cell *c)
{
    return run(&(struct road){.phase = phase, .ms = ms, .intervals = intervals}, random, c);
}

int road_task(enum road_program program, const char *rounding, unsigned ms, uint64_t *random, struct road_cell *c)
{
    return run(&(struct road){.program = program, .rounding = rounding, .ms = ms, .intervals = 1}, random, c);
}
