/* SPDX-License-Identifier: MIT */
#include "cli/selftest/measure.h"

#include "cli/cli.h"
#include "include/td_regions.h"
#include "include/td_run.h"
#include "private/run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

/* Reads the counters, and gives the sum of what they counted. 0 or -errno. */
static int take(struct td *td, const struct td_result **out)
{
    const struct td_result *r;
    int err = td_take(td);

    while (!err)
        err = td_next(td, &r);
    return err == -EAGAIN ? td_summary(td, 0, out) : err;
}

/* Opens the counters of a task, or of its CPU. They are enabled later; those of a command when it begins. */
static int open_counters(const struct cli_measuring *m, struct td *td, enum td_kernel_way way, pid_t task)
{
    struct td_live what = {.size = sizeof(what), .disabled = true};

    if (way == TD_KERNEL_BY_TASK) {
        what.tasks = &task;
        what.ntasks = 1;
        what.threads = !task;
        what.disabled = !task;
        what.on_exec = task;
    } else {
        what.cpus = &m->cpu;
        what.ncpus = 1;
    }
    return td_open_live(td, &what);
}

/* ---- this machine: this thread is the kernel -------------------------------------------- */

struct running {
    struct td *td;
    bool itself; /* the thread reads its counters */
    struct td_snapshot at[2]; /* before and after; then */
    int err;
};

static void enable(void *running, bool on)
{
    struct running *c = running;

    if (!c->err)
        c->err = c->itself ? td_read(c->td, &c->at[!on]) : td_enable(c->td, on);
}

static int measure_here(const struct cli_measuring *m, struct td *td, const struct td_kernel *k, enum td_kernel_way way,
                        struct td_kernel_measured *out, const struct td_result **r)
{
    const struct td_self_ask self = {.size = sizeof(self), .corrections = true};
    struct running c = {.td = td, .itself = way == TD_KERNEL_BY_RDPMC};
    int err = td_run_pin(td, m->cpu);

    if (!err)
        err = c.itself ? td_open_self(td, &self) : open_counters(m, td, way, 0);
    if (!err && td_kernel_run(k, &m->caches, m->seconds, enable, &c, out->why))
        err = -ECANCELED;
    td_run_pin(td, -1);
    err = err ? err : c.err;
    if (err)
        return err;
    return c.itself ? td_measure(td, &c.at[0], &c.at[1], r) : take(td, r);
}

/* ---- a simulated machine: a command of that name ------------------------------------------ */

static int await(struct td *td)
{
    struct td_run_event e = {.size = sizeof(e)};
    int err;

    do
        err = td_run_wait(td, UINT64_MAX, -1, &e);
    while (!err && e.what != TD_RUN_EXIT);
    return err;
}

static int measure_command(const struct cli_measuring *m, struct td *td, const struct td_kernel *k,
                           enum td_kernel_way way, const struct td_result **r)
{
    char *const words[] = {(char *)(uintptr_t)k->name, NULL};
    pid_t pid;
    int err;

    if (way == TD_KERNEL_BY_RDPMC) /* no command of a simulated machine can read them */
        return -EOPNOTSUPP;
    err = td_run_pin(td, m->cpu);
    pid = err ? err : td_run_start(td, words);
    if (pid < 0)
        return pid;
    err = open_counters(m, td, way, pid);
    if (!err && way != TD_KERNEL_BY_TASK)
        err = td_enable(td, true);
    err = err ? err : td_run_release(td);
    err = err ? err : await(td);
    if (err) {
        td_run_kill(td, SIGKILL);
        return err;
    }
    return take(td, r);
}

/* Begins the trace of a measurement. A thread that reads its counters itself leaves none. */
static int begin_trace(const struct cli_measuring *m, struct td *td, const struct td_kernel *k, enum td_kernel_way way,
                       bool *begun)
{
    struct cli_bundle_file *f;
    char name[64];

    *begun = m->bundle && way != TD_KERNEL_BY_RDPMC;
    if (!*begun)
        return 0;
    snprintf(name, sizeof(name), CLI_BUNDLE_TRACES "%s-%s%s.trace", k->name, td_kernel_way_name(way),
             m->sibling < 0 ? "" : "-busy");
    f = cli_bundle_add(m->bundle, name, "counts");
    *begun = f;
    return f ? td_set_record(td, k->name, cli_bundle_write_trace, f) : -ENOMEM;
}

/* A handle with the options and the machine, unless that is one with a busy sibling. Its notes doctor tells once. */
static int begin(const struct cli_measuring *m, struct cli_options *set)
{
    int code = cli_options_begin(set);

    code = code ? code : cli_reading_apply(m->how, set);
    code = code || !m->machine || m->sibling >= 0 ? code : cli_take_machine(set, m->machine);
    if (!code)
        td_set_note(set->td, NULL, NULL);
    return code;
}

static int set_source(struct td *td, enum td_kernel_way way)
{
    return way == TD_KERNEL_BY_RDPMC ? 0 : td_set_source(td, way == TD_KERNEL_BY_MSR ? "msr" : "perf");
}

int cli_measure_kernel(const struct cli_measuring *m, const struct td_kernel *k, enum td_kernel_way way,
                       struct td_kernel_measured *out)
{
    const struct td_result *r = NULL;
    struct cli_options set = {.td = NULL};
    int code = begin(m, &set), err;
    bool trace = false;

    *out = (struct td_kernel_measured){.done = false};
    if (!code) {
        err = m->machine && m->sibling >= 0 ? cli_sibling_machine(set.td, m->machine, m->sibling, k) : 0;
        err = err ? err : set_source(set.td, way);
        if (!err)
            err = begin_trace(m, set.td, k, way, &trace);
        if (!err)
            err = m->machine ? measure_command(m, set.td, k, way, &r) : measure_here(m, set.td, k, way, out, &r);
        if (!err)
            td_measured_take(out, k, r);
        else if (!*out->why)
            snprintf(out->why, sizeof(out->why), "%s", td_error(set.td));
        if (err && trace)
            cli_bundle_drop(m->bundle);
        if (td_close_live(set.td) && !err)
            snprintf(out->why, sizeof(out->why), "%s", td_error(set.td));
    }
    td_free(set.td);
    return code;
}

/* ---- what a reading takes --------------------------------------------------------------- */

/* The time of one reading. A thread that reads its counters itself is done before the clock is, so that many count as
 * one; what others have read is taken over before they read again. -errno: they cannot be read. */
static int time_reading(struct td *td, enum td_kernel_way way, double *ns)
{
    const int n = way == TD_KERNEL_BY_RDPMC ? 100 : 1;
    const uint64_t begun = td_run_now(td);
    const struct td_result *r;
    struct td_snapshot at;
    int err = 0;

    for (int i = 0; !err && i < n; i++)
        err = way == TD_KERNEL_BY_RDPMC ? td_read(td, &at) : td_take(td);
    *ns = (double)(td_run_now(td) - begun) / n;
    while (!err && way != TD_KERNEL_BY_RDPMC)
        err = td_next(td, &r);
    return err == -EAGAIN ? 0 : err;
}

/* The shortest of many: whatever interrupts a reading makes it longer. */
static int time_readings(struct td *td, enum td_kernel_way way, double *ns)
{
    double one;
    int err = 0;

    for (int i = 0; !err && i < 50; i++) {
        err = time_reading(td, way, &one);
        if (!err)
            *ns = i ? fmin(*ns, one) : one;
    }
    return err;
}

int cli_measure_reading(const struct cli_measuring *m, enum td_kernel_way way, double *ns)
{
    const struct td_self_ask self = {.size = sizeof(self), .corrections = true};
    struct cli_options set = {.td = NULL};
    double least;
    int code = begin(m, &set), err;

    *ns = (double)NAN;
    if (!code) {
        err = set_source(set.td, way);
        err = err ? err : td_run_pin(set.td, m->cpu);
        if (!err)
            err = way == TD_KERNEL_BY_RDPMC ? td_open_self(set.td, &self) : open_counters(m, set.td, way, 0);
        err = err || way == TD_KERNEL_BY_RDPMC ? err : td_enable(set.td, true);
        if (!err && !time_readings(set.td, way, &least))
            *ns = least;
        td_run_pin(set.td, -1);
        td_close_live(set.td);
    }
    td_free(set.td);
    return code;
}
