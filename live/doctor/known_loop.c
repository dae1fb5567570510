/* SPDX-License-Identifier: MIT */
#include "live/doctor/doctor.h"

#include "core/solve/solve.h"
#include "live/obstacle.h"
#include "live/watchdog.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOP_NS 50000000u /* the known loop runs for so long, twice on each kind of core */

/* What the loop showed on one PMU. */
struct loop {
    const struct td_perf_pmu *pmu;
    struct td_perf_unit unit;
    struct td_perf_ask ask;
    uint64_t ns[2], additions[2];
    struct td_perf_event *first; /* of the first pass */
    struct td_sample *samples[2]; /* of both, for snapshots */
};

static uint64_t delta(const struct loop *l, size_t i)
{
    return l->unit.event[i].value - l->first[i].value;
}

/* The event's index in the unit, or -1; only the first group is searched. */
static int find(const struct loop *l, const char *name)
{
    const struct td_uarch *u = td_forms_uarch(l->pmu->forms);
    int number = td_uarch_event_number(u, name);

    for (size_t i = 0; i < l->pmu->plan.group[0].n; i++)
        if (l->pmu->plan.group[0].event[i] == number && l->unit.event[i].status == TD_OK)
            return (int)i;
    return -1;
}

static int spin(struct td_doctor *d, struct loop *l, int pass)
{
    uint64_t from = d->meter->ask.os->now(d->meter->ask.os->ctx);
    struct td_perf_error e;
    int err;

    l->additions[pass] = d->meter->ask.os->spin(d->meter->ask.os->ctx, LOOP_NS);
    l->ns[pass] = d->meter->ask.os->now(d->meter->ask.os->ctx) - from;
    err = td_perf_read(&l->unit, d->meter->ask.os, &e);
    if (!err && !pass)
        memcpy(l->first, l->unit.event, l->unit.n * sizeof(*l->first));
    return err;
}

static const char *lies =
    "do not trust this PMU: measure on the host, or on an instance type that has a PMU of its own";

/* Counters that all show the same value, or never change, do not count. */
static bool look_dead(struct td_doctor *d, const struct loop *l)
{
    size_t open = 0, still = 0, same = 0;

    for (size_t i = 0; i < l->pmu->plan.group[0].n; i++) {
        if (l->unit.event[i].status != TD_OK)
            continue;
        open++;
        still += delta(l, i) == 0;
        same += delta(l, i) == delta(l, 0);
    }
    if (open > 1 && still == open)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies, "%s: the counters stood still while a loop ran",
                      l->pmu->host->name);
    else if (open > 2 && same == open)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies, "%s: all %zu counters say the same number, %llu",
                      l->pmu->host->name, open, (unsigned long long)delta(l, 0));
    else
        return false;
    return true;
}

/* Few cycles are no lie where the loop itself went as slowly: a hypervisor may have run something else meanwhile
 * (steal), or the CPU is slow. No core makes more additions in a cycle than it has slots. */
static bool went_slowly(const struct loop *l, double cycles)
{
    return cycles * td_forms_uarch(l->pmu->forms)->width >= (double)l->additions[1];
}

/* A spinning core that runs all the time has between 0.1 and 10 cycles per ns, and width slots per
 * cycle, or its share of them with an active sibling. */
static bool look_impossible(struct td_doctor *d, const struct loop *l)
{
    const struct td_uarch *u = td_forms_uarch(l->pmu->forms);
    int slots = find(l, "TOPDOWN.SLOTS"), cycles = find(l, "cycles");
    double c = cycles < 0 ? 0 : (double)delta(l, (size_t)cycles), s = slots < 0 ? 0 : (double)delta(l, (size_t)slots),
           most = u->width * c;
    double running = (double)(l->unit.event[0].running - l->first[0].running);
    const bool few = cycles >= 0 && c < 0.1 * running;

    if (few && went_slowly(l, c))
        td_doctor_say(d, TD_FINDING_NOTE, "pmu", NULL,
                      "%s: a loop of %.1f ms had the CPU for only %.0f cycles, which its %llu additions confirm: "
                      "the CPU is very slow now, or a hypervisor ran something else meanwhile (steal)",
                      l->pmu->host->name, running / 1e6, c, (unsigned long long)l->additions[1]);
    if ((few && !went_slowly(l, c)) || (cycles >= 0 && c > 10 * running))
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies,
                      "%s: %.0f cycles in %.1f ms of a loop of %llu additions are impossible", l->pmu->host->name, c,
                      running / 1e6, (unsigned long long)l->additions[1]);
    else if (cycles >= 0 && slots >= 0 && (s > 1.02 * most || s < (l->pmu->host->counters.sibling ? 0.2 : 0.9) * most))
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies,
                      "%s: %.0f slots in %.0f cycles, which have %d each, are impossible", l->pmu->host->name, s, c,
                      u->width);
    else
        return false;
    return true;
}

/* The unit's event counts as a snapshot. */
static struct td_snap snap_of(const struct loop *l, const struct td_perf_event *events, struct td_sample *samples)
{
    const struct td_plan *p = &l->pmu->plan;
    size_t at = 0;

    for (size_t g = 0; g < p->ngroups; g++)
        for (size_t i = 0; i < p->group[g].n; i++, at++)
            samples[at] = (struct td_sample){
                .value = events[at].value,
                .enabled = events[at].enabled,
                .running = events[at].running,
                .group = (uint16_t)g,
                .event = p->group[g].event[i],
                .status = events[at].status,
            };
    return (struct td_snap){
        .encoding = TD_ENC_COUNTS, .bits = 64, .smt = l->pmu->host->counters.sibling, .n = at, .s = samples};
}

/* Names the relations that no program breaks and the loop's counts do. */
static bool look_contradictory(struct td_doctor *d, const struct loop *l, const struct td_result *r)
{
    const char *text;

    for (size_t i = 0; (text = td_result_contradiction(r, i)); i++)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies, "%s: the counts of a loop contradict each other: %s",
                      l->pmu->host->name, text);
    return r->ncontradictions > 0;
}

/* The level-1 shares of the loop, computed like those of any measurement. */
static bool look_wrong(struct td_doctor *d, const struct loop *l)
{
    const struct td_solve_ask ask = {.level = TD_LEVEL_TOP, .fixed = d->meter->settings->fixed, .one_cpu = true};
    const struct td_snap from = snap_of(l, l->first, l->samples[0]), to = snap_of(l, l->unit.event, l->samples[1]);
    struct td_counts k = {0};
    struct td_result r = {0};
    bool absent, off = false;

    if (td_snap_delta(&from, &to, td_forms_uarch(l->pmu->forms), &k) || td_solve(l->pmu->forms, &k, &ask, &r)) {
        td_counts_free(&k);
        td_result_free(&r);
        return false;
    }
    absent = look_contradictory(d, l, &r);
    td_counts_free(&k);
    if (absent) {
        td_result_free(&r);
        return true;
    }
    for (size_t i = 0; i < r.nmetrics; i++) {
        absent = absent || r.metrics[i].status == TD_IMPOSSIBLE || r.metrics[i].status == TD_NO_SLOTS;
        off = off || r.metrics[i].flags & TD_FLAG_SUM_OFF;
    }
    if (absent)
        td_doctor_say(d, TD_FINDING_OBSTACLE, "lies", lies, "%s: the loop's shares of slots are impossible",
                      l->pmu->host->name);
    else if (off)
        td_doctor_say(d, TD_FINDING_NOTE, "pmu", NULL,
                      "%s: the level-1 counts of the loop are not its slots; results will be flagged sum_off",
                      l->pmu->host->name);
    else if (r.nmetrics && r.metrics[0].kind != TD_METRIC_NODE)
        td_doctor_say(d, TD_FINDING_OK, "pmu", NULL,
                      "%s: a loop of %.1f ms was measured, by events of ratios: there are none of slots",
                      l->pmu->host->name, (double)l->ns[1] / 1e6);
    else
        td_doctor_say(d, TD_FINDING_OK, "pmu", NULL,
                      "%s: a loop of %.1f ms was measured and is plausible (retiring %.0f %%)", l->pmu->host->name,
                      (double)l->ns[1] / 1e6,
                      r.nmetrics && r.metrics[0].status == TD_OK ? 100 * r.metrics[0].value : 0.0);
    td_result_free(&r);
    return absent;
}

static void look_taken(struct td_doctor *d, const struct loop *l)
{
    uint64_t enabled = l->unit.event[0].enabled - l->first[0].enabled,
             running = l->unit.event[0].running - l->first[0].running;

    if (running && (running >= enabled - enabled / 20 || !l->pmu->plan.together)) /* its own groups take turns */
        return;
    td_doctor_say(
        d, running ? TD_FINDING_NOTE : TD_FINDING_OBSTACLE, l->pmu->host->counters.watchdog ? "watchdog" : "counters",
        l->pmu->host->counters.watchdog ? TD_WATCHDOG_REMEDY
            ", and end what else is measuring (perf, another tdprobe, a debugger, a guest)"
                                        : "end what else is measuring (perf, another tdprobe, a debugger, a guest)",
        "%s: counters are taken by somebody else: the level-1 group ran %.0f %% of the time%s", l->pmu->host->name,
        enabled ? 100.0 * (double)running / (double)enabled : 0.0,
        l->pmu->host->counters.watchdog ? "; " TD_WATCHDOG_MAY_HOLD("one") : "");
}

static int judge(struct td_doctor *d, const struct loop *l)
{
    look_taken(d, l);
    if (l->unit.event[0].running == l->first[0].running)
        return -EBUSY;
    return look_dead(d, l) || look_impossible(d, l) || look_wrong(d, l) ? -EILSEQ : 0;
}

static bool make_room(struct loop *l)
{
    l->first = calloc(l->unit.n + 1, sizeof(*l->first));
    for (size_t i = 0; i < 2; i++)
        l->samples[i] = calloc(l->unit.n + 1, sizeof(*l->samples[i]));
    return l->first && l->samples[0] && l->samples[1];
}

static void free_loop(struct td_doctor *d, struct loop *l)
{
    td_perf_close(&l->unit, d->meter->ask.os);
    free(l->first);
    free(l->samples[0]);
    free(l->samples[1]);
}

static int run_loop(struct td_doctor *d, struct td_perf_pmu *p)
{
    struct loop l = {.pmu = p, .ask = {.os = d->meter->ask.os, .no_kernel = true}};
    const struct td_perf_target self = {0, -1, -1};
    struct td_perf_error e = {0};
    struct td_obstacle o;
    int err = td_perf_open(&l.unit, &l.ask, p, &self, &e);

    if (err) {
        td_obstacle_explain(&d->meter->host, &e, false, false, &o);
        td_doctor_say(d, TD_FINDING_OBSTACLE, o.layer, o.remedy, "source perf, own tasks: %s", o.text);
        return err;
    }
    if (!td_perf_solves(&l.unit, d->meter->settings->fixed)) {
        td_perf_close(&l.unit, d->meter->ask.os);
        return 1;
    }
    if (!make_room(&l)) {
        free_loop(d, &l);
        return -ENOMEM;
    }
    td_doctor_say(d, TD_FINDING_OK, "source", NULL, "perf: usable for own tasks on %s, by the form %s", p->host->name,
                  p->plan.form->form->name);
    d->meter->ask.os->pin(d->meter->ask.os->ctx, p->host->cpus.n ? p->host->cpus.cpu[0] : -1);
    err = td_perf_enable(&l.unit, d->meter->ask.os, true, &e);
    for (int pass = 0; pass < 2 && !err; pass++)
        err = spin(d, &l, pass);
    d->meter->ask.os->pin(d->meter->ask.os->ctx, -1);
    if (!err)
        err = judge(d, &l);
    free_loop(d, &l);
    return err;
}

/* Counts an event of that name too, if a counter is left: what it shows, the others are compared with. */
static int join(const struct td_plan_ask *ask, struct td_perf_pmu *p, const char *name)
{
    const int event = td_uarch_event_number(td_forms_uarch(p->forms), name);

    return event >= 0 && td_plan_join(ask, &p->plan, event) < 0 ? -ENOMEM : 0;
}

static int measure_pmu(struct td_doctor *d, struct td_perf_pmu *p)
{
    const struct td_plan_ask ask = {.forms = p->forms,
                                    .counters = p->host->counters,
                                    .absent = &p->absent,
                                    .level = TD_LEVEL_TOP,
                                    .fixed = d->meter->settings->fixed};
    struct td_formcode *form;
    int err = 1, failed = 0;

    for (size_t i = 0; err == 1 && (form = td_plan_form(&ask, i, &failed)); i++) {
        failed = td_plan_make(&ask, form, &p->plan);
        failed = failed ? failed : join(&ask, p, "cycles");
        failed = failed ? failed : join(&ask, p, "instructions");
        if (failed)
            break;
        err = run_loop(d, p);
    }
    if (failed)
        return failed;
    if (err == 1)
        td_doctor_say(d, TD_FINDING_OBSTACLE, d->meter->host.guest ? "guest" : "event",
                      d->meter->host.guest ? "measure on the host: this virtual PMU lacks the events"
                                           : "use a newer kernel",
                      "%s can count no form of the formulas of %s", p->host->name, td_forms_uarch(p->forms)->name);
    return err == 1 ? -EOPNOTSUPP : err;
}

/* Which form counts tasks where CPUs are counted by the metrics register. */
static void say_tasks(struct td_doctor *d, const struct td_perf_pmu *p)
{
    const struct td_settings *s = d->meter->settings;
    const struct td_plan_ask ask = {.forms = p->forms,
                                    .counters = p->host->counters,
                                    .absent = &p->absent,
                                    .level = s->level,
                                    .one_group = true,
                                    .beside = true};
    struct td_plan plan = {0};
    int err = 0;
    struct td_formcode *form = td_plan_form(&ask, 0, &err);

    if (!p->host->counters.fields || !s->fixed || s->fixed_tasks || err || !form || td_plan_make(&ask, form, &plan))
        return;
    if (plan.ngroups == 1)
        td_doctor_say(
            d, TD_FINDING_OK, "source", NULL,
            "perf: tasks on %s are counted by the form %s, level %d: one group of ordinary events is exact, and "
            "PERF_METRICS loses a part at each switch of a task",
            p->host->name, form->form->name, plan.level);
    else
        td_doctor_say(d, TD_FINDING_NOTE, "source", "measure whole CPUs (-a)",
                      "perf: tasks on %s are counted by PERF_METRICS, which loses a part at each switch: "
                      "no group holds the ordinary events",
                      p->host->name);
    if (plan.no_cycles)
        td_doctor_say(d, TD_FINDING_NOTE, "watchdog", TD_WATCHDOG_REMEDY,
                      "no IPC and GHz on %s: " TD_WATCHDOG_MAY_HOLD("the counter of cycles"), p->host->name);
    td_plan_free(&plan);
}

/* Whether whole CPUs may be counted; it is no failure if they may not. */
static void try_system(struct td_doctor *d, struct td_perf_pmu *p)
{
    const struct td_perf_ask ask = {.os = d->meter->ask.os};
    const struct td_perf_target cpu = {-1, p->host->cpus.n ? p->host->cpus.cpu[0] : 0, -1};
    struct td_perf_unit unit;
    struct td_perf_error e = {0};
    struct td_obstacle o;

    if (!td_perf_open(&unit, &ask, p, &cpu, &e)) {
        td_perf_close(&unit, d->meter->ask.os);
        td_doctor_say(d, TD_FINDING_OK, "source", NULL, "perf: usable for whole CPUs on %s", p->host->name);
        return;
    }
    td_obstacle_explain(&d->meter->host, &e, true, true, &o);
    td_doctor_say(d, TD_FINDING_NOTE, o.layer, o.remedy, "source perf, whole CPUs: %s", o.text);
}

int td_doctor_measure(struct td_doctor *d)
{
    int worst = 0;

    for (size_t p = 0; p < d->meter->npmus; p++) {
        int one = measure_pmu(d, &d->meter->pmu[p]);

        worst = one ? one : worst;
        if (!one)
            say_tasks(d, &d->meter->pmu[p]);
        if (!one || one == -EILSEQ || one == -EACCES || one == -EPERM)
            try_system(d, &d->meter->pmu[p]);
    }
    return worst;
}
