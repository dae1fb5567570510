/* SPDX-License-Identifier: MIT */
/* Readings of the calling thread's counters, and what happened between two of them. */
#include "live/thread/counter.h"
#include "live/thread/thread.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 1000 };

int td_own_check(const struct td_own *own, struct td_log *log)
{
    if (!own || !own->page)
        return td_log_fail(log, -EINVAL, "no counters of this thread are open (td_open_self)");
    if (!own->page->own)
        return td_log_fail(log, -ECHILD,
                           "these are the counters of the parent process: after fork(2) open a handle of your own");
    return own->page->regions.self.thread == td__thread() ? 0 : -EPERM;
}

int td_own_fail(const struct td_own *own, int err)
{
    const char *text =
        "the counters had no hardware for a time: others use it, or (on hybrids) the thread was on another "
        "kind of core";

    if (err == -EXDEV)
        text = "the thread is on a kind of core that does not have these counters: keep it off them "
               "(sched_setaffinity(2), taskset)";
    else if (err == -ESTALE)
        text = "the counters were zeroed between the two readings, or these are in the wrong order";
    else if (err == -EOPNOTSUPP)
        text = "there is no PERF_METRICS here: td_read() reads what there is";
    else if (err == -EINVAL)
        text = "one of the two readings had failed";
    else if (err != -EAGAIN)
        return err;
    return td_log_fail(own->log, err, "%s", text);
}

/* Why nothing could be read just now. */
static int why_not(const struct td_own *own)
{
    int cpu = own->kinds ? own->os->here(own->os->ctx) : -1;

    return cpu >= 0 && !td_cpu_list_has(&own->pmu->host->cpus, cpu) ? -EXDEV : -EAGAIN;
}

int td__point_retry(const struct td_self *self, struct td_point *out)
{
    const struct td_own *own = ((const struct td_own_page *)self)->own;

    if (!own)
        return -ECHILD;
    if (self->thread != td__thread())
        return -EPERM;
    if (!own->packed)
        return -EOPNOTSUPP;
    for (int i = 0; i < TRIES; i++)
        if (!td__point_try(self, out))
            return 0;
    return why_not(own);
}

/* Every change in a group's counters changes its leader's page. */
static uint32_t changes(const struct td_own *own)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < own->nleaders; i++)
        sum += own->leader[i]->lock;
    return sum;
}

/* Reads everything once: 0; 1: a counter was changed meanwhile, or an event has none. */
static int read_all(const struct td_own *own, struct td_snapshot *out)
{
    const uint32_t before = changes(own);

    if (!own->packed) /* otherwise td_point_read() waited */
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
        out->point.epoch = own->page->regions.self.epoch;
    }
    return changes(own) != before;
}

static int read_snapshot(const struct td_own *own, struct td_snapshot *out)
{
    int err = 0;

    for (int i = 0; i < TRIES; i++) {
        const uint32_t before = changes(own);

        err = own->packed ? td_point_read(&own->page->regions.self, &out->point) : 0;
        if (err || !own->nevents)
            return err;
        if (!read_all(own, out) && changes(own) == before)
            return 0;
    }
    return why_not(own);
}

int td_own_read(struct td_own *own, struct td_snapshot *out)
{
    int err = read_snapshot(own, out);

    if (!err)
        return 0;
    *out = (struct td_snapshot){.point.epoch = TD_OWN_FAILED};
    return td_own_fail(own, err);
}

/* ---- between two readings ----------------------------------------------------- */

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
        .epoch = s->point.epoch,
        .encoding = own->packed ? TD_ENC_PACKED : TD_ENC_COUNTS,
        .bits = 64,
        .smt = own->smt,
        .restores = s->point.updates / 2,
        .n = own->nsamples,
        .s = samples,
    };
}

static bool backwards(const struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to)
{
    bool any = from->point.slots > to->point.slots;

    for (size_t i = 0; i < own->nevents; i++)
        any = any || from->count[i] > to->count[i];
    return any;
}

/* Whether the registers were zeroed between the two rdpmc instructions of a reading. */
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
    for (size_t i = 0; i < b.n; i++) /* a pass is measured completely or not at all */
        at[1][i].enabled = at[1][i].running = 1;
    err = td_snap_delta(&a, &b, td_forms_uarch(own->pmu->forms), &own->delta);
    for (size_t i = 0; i < own->delta.n && !err; i++)
        own->delta.c[i].text = own->text[own->delta.c[i].event];
    return err;
}

void td_own_add(struct td_own *own, const struct td_snapshot *from, const struct td_snapshot *to, size_t region)
{
    struct td_pass_sum *sum = &own->region[region].sum;
    struct td__region_sum *hot = &own->hot[region];

    td_pass_sum_take(sum, hot);
    td_pass_sum_add(sum, &from->point, &to->point);
    for (size_t i = 0; i < own->nevents; i++)
        sum->count[i] += to->count[i] - from->count[i];
    hot->passes++;
    hot->slots += to->point.slots - from->point.slots;
}

/* Fills all but the fields as for one interval, which has the same layout. */
int td_own_sum(struct td_own *own, size_t region)
{
    const struct td_uarch *u = td_forms_uarch(own->pmu->forms);
    const struct td_snapshot zero = {.point.slots = 0};
    struct td_snapshot whole = {.point = {.slots = own->hot[region].slots, .metrics = 1}};
    struct td_pass_sum *sum = &own->region[region].sum;
    int err;

    memcpy(whole.count, sum->count, sizeof(whole.count));
    err = td_own_delta(own, &zero, &whole);
    td_pass_sum_take(sum, &own->hot[region]);
    for (size_t i = 0; i < own->delta.n && !err; i++) {
        struct td_count *c = &own->delta.c[i];

        if (u->events[c->event].field < 0)
            continue;
        c->value = td_wide_value(&sum->field[u->events[c->event].field]) / 0xff;
        c->err = td_wide_value(&sum->err) / 0xff;
    }
    return err;
}

int td_own_delta_points(struct td_own *own, const struct td_point *from, const struct td_point *to)
{
    const struct td_snapshot a = {.point = *from}, b = {.point = *to};
    const size_t all = own->nsamples;
    int err;

    if (!own->packed)
        return -EOPNOTSUPP;
    own->nsamples = 2;
    err = td_own_delta(own, &a, &b);
    own->nsamples = all;
    return err;
}

int td_own_reset(struct td_own *own)
{
    struct td_self *self = &own->page->regions.self;
    struct td_perf_error e;
    int err = td_perf_reset(own->unit, own->os, &e);

    if (err) /* for one group; others may have been zeroed: a new epoch in any case */
        td_log_fail(own->log, 0, "the counters cannot be zeroed (ioctl PERF_EVENT_IOC_RESET): %s", strerror(-err));
    if (++self->epoch == TD_OWN_FAILED)
        self->epoch = 0;
    return err;
}
