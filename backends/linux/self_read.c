/* SPDX-License-Identifier: MIT */
/* Readings of the calling thread's counters, and what happened between two. */
#include "self.h"

#include "td_counter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 1000 };

int td_own_check(struct td *td)
{
    struct td_own *own = td->own;

    if (!own || !own->page)
        return td_session_fail(td, -EINVAL, "no counters of this thread are open (td_open_self)");
    if (!own->page->own)
        return td_session_fail(td, -ECHILD, "these are the counters of the parent process: after fork(2) open a handle of your own");
    return own->page->self.thread == td_thread() ? 0 : -EPERM;
}

int td_own_fail(struct td *td, int err)
{
    const char *text = "the counters had no hardware for a time: others use it, or (on hybrids) the thread was on another kind of core";

    if (err == -EXDEV)
        text = "the thread is on a kind of core that does not have these counters: keep it off them (sched_setaffinity(2), taskset)";
    else if (err == -ESTALE)
        text = "the counters were zeroed between the two readings, or these are in the wrong order";
    else if (err == -EOPNOTSUPP)
        text = "there is no PERF_METRICS here: td_read() reads what there is";
    else if (err == -EINVAL)
        text = "one of the two readings had failed";
    else if (err != -EAGAIN)
        return err;
    return td_session_fail(td, err, text);
}

/* Why nothing could be read just now. */
static int why_not(const struct td_own *own)
{
    int cpu = own->kinds ? own->os->here(own->os->ctx) : -1;

    return cpu >= 0 && !td_cpu_list_has(&own->pmu->host->cpus, cpu) ? -EXDEV : -EAGAIN;
}

int td_point_retry(const struct td_self *self, struct td_point *out)
{
    const struct td_own *own = ((const struct td_own_page *)self)->own;

    if (!own)
        return -ECHILD;
    if (self->thread != td_thread())
        return -EPERM;
    if (!own->packed)
        return -EOPNOTSUPP;
    for (int i = 0; i < TRIES; i++)
        if (!td_point_try(self, out))
            return 0;
    return why_not(own);
}

/* Every change of a group's counters is one of its leader's page. */
static uint32_t changes(const struct td_own *own)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < own->nleaders; i++)
        sum += own->leader[i]->lock;
    return sum;
}

/* 0: read; 1: it changed meanwhile, or has no counter. */
static int read_all(const struct td_own *own, struct td_snapshot *out)
{
    const uint32_t before = changes(own);

    if (!own->packed) /* else td_point_read() waited */
        td_counter_wait();
    for (size_t i = 0; i < own->nevents; i++)
        if (!td_counter_try(own->event[i], own->rseq, &out->count[i]))
            return 1;
    out->point.unscheduled = 0;
    for (size_t i = 0; i < own->nleaders; i++)
        out->point.unscheduled += own->leader[i]->time_enabled - own->leader[i]->time_running;
    if (!own->packed) {
        out->point.slots = out->point.metrics = 0;
        out->point.updates = own->leader[0]->lock;
        out->point.epoch = own->page->self.epoch;
    }
    return changes(own) != before;
}

static int read_snapshot(const struct td_own *own, struct td_snapshot *out)
{
    int err = 0;

    for (int i = 0; i < TRIES; i++) {
        const uint32_t before = changes(own);

        err = own->packed ? td_point_read(&own->page->self, &out->point) : 0;
        if (err || !own->nevents)
            return err;
        if (!read_all(own, out) && changes(own) == before)
            return 0;
    }
    return why_not(own);
}

int td_read(struct td *td, struct td_snapshot *out)
{
    int err = td_own_check(td);

    if (err)
        return err;
    err = read_snapshot(td->own, out);
    if (!err)
        return 0;
    *out = (struct td_snapshot){.point.epoch = TD_OWN_FAILED};
    return td_own_fail(td, err);
}

/* ---- between two -------------------------------------------------------------- */

struct td_snap td_own_snap(const struct td_own *own, const struct td_snapshot *s, struct td_sample *samples)
{
    size_t at = 0;

    memcpy(samples, own->sample, own->nsamples * sizeof(*samples));
    if (own->packed) {
        samples[at++].value = s->point.slots;
        samples[at++].value = s->point.metrics;
    }
    for (size_t i = 0; at < own->nsamples; i++)
        samples[at++].value = s->count[i];
    return (struct td_snap){
        .epoch = s->point.epoch, .encoding = own->packed ? TD_ENC_PACKED : TD_ENC_COUNTS, .bits = 64,
        .smt = !own->solve.smt_off, .restores = s->point.updates / 2, .n = own->nsamples, .s = samples,
    };
}

static bool backwards(const struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to)
{
    bool any = from->point.slots > to->point.slots;

    for (size_t i = 0; i < own->nevents; i++)
        any = any || from->count[i] > to->count[i];
    return any;
}

/* Somebody zeroed the registers between the two rdpmc. */
static bool half_zeroed(const struct td_point *p)
{
    return p->slots && !p->metrics;
}

int td_own_comparable(const struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to)
{
    const struct td_point *a = &from->point, *b = &to->point;

    if (a->epoch == TD_OWN_FAILED || b->epoch == TD_OWN_FAILED)
        return -EINVAL;
    if (a->epoch != b->epoch || backwards(own, from, to) || (own->packed && (half_zeroed(a) || half_zeroed(b))))
        return -ESTALE;
    return a->unscheduled == b->unscheduled ? 0 : -EAGAIN;
}

int td_own_delta(struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to)
{
    struct td_sample at[2][TD_SELF_EVENTS + 2];
    struct td_snap a, b;
    int err = td_own_comparable(own, from, to);

    if (err)
        return err;
    a = td_own_snap(own, from, at[0]);
    b = td_own_snap(own, to, at[1]);
    for (size_t i = 0; i < b.n; i++) /* a pass is measured wholly or not at all */
        at[1][i].enabled = at[1][i].running = 1;
    err = td_snap_delta(&a, &b, td_solver_uarch(own->pmu->solver), &own->delta);
    for (size_t i = 0; i < own->delta.n && !err; i++)
        own->delta.c[i].text = own->text[own->delta.c[i].event];
    return err;
}

void td_own_add(const struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to, struct td_pass_sum *sum)
{
    const struct td_point *a = &from->point, *b = &to->point;
    double slots, err = 0;

    for (int f = 0; own->packed && f < TD_FIELDS; f++) {
        td_metrics_delta((enum td_field)f, a->slots, a->metrics, b->slots, b->metrics, &slots, &err);
        sum->field[f] += slots;
    }
    sum->slots += b->slots - a->slots;
    sum->err += err + td_packed_restored(a->updates / 2, b->updates / 2, b->slots);
    for (size_t i = 0; i < own->nevents; i++)
        sum->count[i] += to->count[i] - from->count[i];
}

/* All but the fields as if it were one interval, which has their layout. */
int td_own_sum(struct td_own *own, const struct td_pass_sum *sum)
{
    const struct td_uarch *u = td_solver_uarch(own->pmu->solver);
    const struct td_snapshot zero = {.point.slots = 0};
    struct td_snapshot whole = {.point = {.slots = sum->slots, .metrics = 1}};
    int err;

    memcpy(whole.count, sum->count, sizeof(whole.count));
    err = td_own_delta(own, &zero, &whole);
    for (size_t i = 0; i < own->delta.n && !err; i++) {
        struct td_count *c = &own->delta.c[i];

        if (u->events[c->event].field < 0)
            continue;
        c->value = sum->field[u->events[c->event].field];
        c->err = sum->err;
    }
    return err;
}

void td_own_solve(struct td *td, const struct td_counts *k, const char *scope, const char *kind, const struct td_result **out)
{
    const struct td_own *own = td->own;
    struct td_result *r = &td->result;

    r->summary = r->has_time = false;
    r->backend = td_uarch_backend_of(td_solver_uarch(own->pmu->solver));
    r->scope = scope;
    r->scope_kind = kind;
    r->texts = (const char *const *)td->recording.texts.names;
    snprintf(r->cpu, sizeof(r->cpu), "%s", td_solver_uarch(own->pmu->solver)->name);
    td_solve(own->pmu->solver, k, &own->solve, r);
    *out = r;
}

int td_measure(struct td *td, const struct td_snapshot *from, const struct td_snapshot *to, const struct td_result **out)
{
    int err = td_own_check(td);

    if (err)
        return err;
    err = td_own_delta(td->own, from, to);
    if (err)
        return td_own_fail(td, err);
    td_own_solve(td, &td->own->delta, "self", "region", out);
    return 0;
}

int td_measure_points(struct td *td, const struct td_point *from, const struct td_point *to, const struct td_result **out)
{
    const struct td_snapshot a = {.point = *from}, b = {.point = *to};
    struct td_own *own = td->own;
    size_t all;
    int err = td_own_check(td);

    if (err)
        return err;
    if (!own->packed)
        return td_own_fail(td, -EOPNOTSUPP);
    all = own->nsamples;
    own->nsamples = 2;
    err = td_measure(td, &a, &b, out);
    own->nsamples = all;
    return err;
}

int td_reset(struct td *td)
{
    struct td_perf_error e;
    int err = td_own_check(td);

    if (err)
        return err;
    err = td_perf_reset(&td->live->unit[0].perf, td->own->os, &e);
    if (err) /* of one group; others may have been zeroed: a new epoch all the same */
        snprintf(td->error, sizeof(td->error), "the counters cannot be zeroed (ioctl PERF_EVENT_IOC_RESET): %s", strerror(-err));
    if (++td->own->page->self.epoch == TD_OWN_FAILED)
        td->own->page->self.epoch = 0;
    return err;
}
