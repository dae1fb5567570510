/* SPDX-License-Identifier: MIT */
/* The API of measuring: detect, open, take, record. */
#include "live_msr.h"

#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct td_os *td_session_os(const struct td *td)
{
    return td->os ? td->os : td->sim ? td_sim_os(td->sim) : &td_os_linux;
}

static void free_lanes(struct td_liveset *l)
{
    for (size_t i = 0; i < l->nlanes; i++) {
        free(l->lane[i].name);
        free(l->lane[i].before.samples);
        free(l->lane[i].now.samples);
    }
    free(l->lane);
    l->lane = NULL;
    l->nlanes = 0;
}

/* What one opening holds; lanes stay, their names are those of sums. */
static int close_all(struct td *td)
{
    struct td_liveset *l = td->live;
    int err = td_live_close_units(td);

    free(l->unit);
    l->unit = NULL;
    l->nunits = 0;
    for (size_t i = 0; i < l->ncgroups; i++)
        l->ask.os->close(l->ask.os->ctx, l->cgroup[i]);
    free(l->cgroup);
    l->cgroup = NULL;
    l->ncgroups = 0;
    for (size_t i = 0; i < l->nplan; i++)
        free(l->plan[i]);
    free(l->plan);
    l->plan = NULL;
    l->nplan = 0;
    l->opened = false;
    return err;
}

int td_close_live(struct td *td)
{
    if (td->own)
        return td_session_fail(td, -EINVAL, "the handle counts its own thread until td_free()");
    return td->live ? close_all(td) : 0;
}

void td_live_free(struct td *td)
{
    struct td_liveset *l = td->live;

    if (l) {
        if (close_all(td))
            td_session_note(td, td->error);
        free_lanes(l);
        td_trace_writer_free(&l->writer);
        td_host_free(&l->host);
        free(l);
    }
    td->live = NULL;
    free(td->added);
    td->added = NULL;
    td->nadded = 0;
    td_sim_free(td->sim);
    td->sim = NULL;
}

static int make_liveset(struct td *td)
{
    if (!td->live)
        td->live = calloc(1, sizeof(*td->live));
    if (!td->live)
        return td_session_fail(td, -ENOMEM, "out of memory");
    td->live->ask.os = td_session_os(td);
    return 0;
}

int td_set_machine(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    if (td->opened || td->live || td->sim)
        return td_session_fail(td, -EINVAL, "the machine is set once, before anything is measured");
    return td_sim_new(name, read, ctx, &td->sim, td->error, sizeof(td->error));
}

/* The host, whether or not it can be measured; only -ENOMEM is an error. */
static int look(struct td *td)
{
    int err;

    if (td->opened && !td->live)
        return td_session_fail(td, -EINVAL, "the handle reads a recording");
    err = make_liveset(td);
    if (err || td->live->host.os)
        return err;
    err = td_host_detect(&td->live->host, td->live->ask.os, td->machine.nparts ? &td->machine : NULL);
    return err ? td_session_fail(td, err, "out of memory") : 0;
}

int td_detect(struct td *td)
{
    int err = look(td);

    if (!err && td->live->host.err)
        return td_session_fail(td, td->live->host.err, td->live->host.why);
    return err;
}

const char *td_machine_name(const struct td *td)
{
    return td->live ? td->live->host.machine.name : "";
}

const char *td_machine_origin(const struct td *td)
{
    return td->live ? td->live->host.origin : "";
}

/* The solvers of the machine's kinds of core, by the session's own road. */
static int find_cpu(struct td *td)
{
    if (td->ready)
        return 0;
    td->recording.machine = td->live->host.machine;
    td->recording.smt = td->live->host.smt ? TD_SMT_ON : td->live->host.smt_unknown ? TD_SMT_UNKNOWN : TD_SMT_OFF;
    td->recording.raw = true;
    return td_session_find_cpu(td);
}

/* A kind of core that the machine's name does not have. */
static void say_left_out(struct td *td, const struct td_host_pmu *p)
{
    char cpus[128], text[400];

    for (size_t i = 0; i < td->live->npmus; i++)
        if (td->live->pmu[i].host == p)
            return;
    if (td->machine.nparts || !p->cpus.n)
        return;
    td_cpu_list_text(&p->cpus, cpus, sizeof(cpus));
    snprintf(text, sizeof(text), "CPUs %s (%s) are left out: they are of another kind than %s; name theirs with --uarch to measure them instead", cpus, p->name,
             td->live->host.machine.name);
    td_session_note(td, text);
}

int td_live_find_pmus(struct td *td)
{
    struct td_liveset *l = td->live;
    const struct td_candidate *c = &td->candidates.c[0];
    int err = find_cpu(td);

    if (err)
        return err;
    l->npmus = 0;
    for (size_t i = 0; i < l->host.npmus; i++)
        for (size_t part = 0; part < c->machine.nparts; part++)
            if (l->host.pmu[i].uarch == c->machine.part[part])
                td_perf_pmu_init(&l->pmu[l->npmus++], &l->host, &l->host.pmu[i], c->solver[part]);
    for (size_t i = 0; i < l->host.npmus && l->npmus && !td->backend; i++)
        say_left_out(td, &l->host.pmu[i]);
    if (l->npmus)
        return 0;
    snprintf(td->error, sizeof(td->error), "this machine has no PMU for %s", c->machine.name);
    return -EOPNOTSUPP;
}

static int prepare(struct td *td, const struct td_live *ask)
{
    struct td_liveset *l = td->live;
    int err = td_close_live(td);

    if (err)
        return err;
    if (l && td->opened)
        td_host_free(&l->host); /* CPUs may have come and gone since the last run */
    err = td_detect(td);
    if (err)
        return err;
    l = td->live;
    l->ask = (struct td_perf_ask){
        .os = td_session_os(td), .inherit = !ask->no_inherit, .on_exec = ask->on_exec, .no_user = ask->no_user, .no_kernel = ask->no_kernel,
    };
    err = td->source == TD_SOURCE_MSR ? td_live_msr_check(td, ask) : 0;
    if (err)
        return err;
    if (ask->no_user && ask->no_kernel)
        return td_session_fail(td, -EINVAL, "without user and without kernel mode nothing is left to count");
    err = td_live_find_pmus(td);
    return err ? err : td_live_find_scopes(td, ask);
}

static int start(struct td *td, const struct td_live *ask)
{
    struct td_liveset *l = td->live;
    uint64_t now = l->ask.os->now(l->ask.os->ctx);
    int err;

    if (!td->opened) {
        td->opened = true;
        td->recording.name = "live";
        td->recording.reader = &td_reader_live;
        td->recording.state = l;
        l->start = now;
    } else {
        l->epoch++;
    }
    l->time = now - l->start;
    l->opened = true;
    err = td_live_begin(td);
    return err || ask->disabled || ask->on_exec ? err : td_enable(td, true);
}

/* What made opening fail is the error; that something stayed behind is told. */
static void fail_open(struct td *td)
{
    char text[sizeof(td->error)];

    memcpy(text, td->error, sizeof(text));
    if (close_all(td))
        td_session_note(td, td->error);
    memcpy(td->error, text, sizeof(text));
}

int td_open_live(struct td *td, const struct td_live *ask)
{
    int err = prepare(td, ask);

    if (!err)
        err = td_live_open_units(td, ask, false);
    if (!err)
        err = td_live_describe(td);
    if (!err)
        err = start(td, ask);
    if (err && td->live)
        fail_open(td);
    return err;
}

int td_plan_live(struct td *td, const struct td_live *ask)
{
    int err = prepare(td, ask);

    if (!err)
        err = td_live_open_units(td, ask, true);
    return err ? err : td_live_describe(td);
}

const char *td_plan_text(struct td *td, size_t i)
{
    return td->live && i < td->live->nplan ? td->live->plan[i] : NULL;
}

int td_enable(struct td *td, bool on)
{
    struct td_liveset *l = td->live;
    struct td_perf_error e;

    if (!l || !l->opened)
        return td_session_fail(td, -EINVAL, "nothing is open to be counted");
    if (td->source == TD_SOURCE_MSR)
        return td_live_msr_enable(td, on);
    for (size_t i = 0; i < l->nunits; i++) {
        char text[TD_WHY];
        int err = l->unit[i].perf.event ? td_perf_enable(&l->unit[i].perf, l->ask.os, on, &e) : 0;

        if (!err)
            continue;
        err = td_obstacle_text(&l->host, &e, !l->tasks, !l->ask.no_kernel, text, sizeof(text));
        return td_session_fail(td, err, text);
    }
    return 0;
}

int td_take(struct td *td)
{
    if (!td->live || !td->live->opened)
        return td_session_fail(td, -EINVAL, "nothing is open to be read");
    return td_live_read(td);
}

int td_record(struct td *td, const char *command, td_write_fn *write, void *ctx)
{
    int err = make_liveset(td);

    if (err)
        return err;
    if (td->live->opened)
        return td_session_fail(td, -EINVAL, "recording begins before anything is opened");
    free(td->live->writer.command);
    td->live->writer.write = write;
    td->live->writer.ctx = ctx;
    td->live->writer.command = command ? strdup(command) : NULL;
    return command && !td->live->writer.command ? td_session_fail(td, -ENOMEM, "out of memory") : 0;
}
