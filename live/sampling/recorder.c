/* SPDX-License-Identifier: MIT */
#include "live/sampling/recorder.h"

#include "live/obstacle.h"
#include "live/sampling/synthesize.h"
#include "util/made_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINISHED_ROUND = 68, THREADS_MOST = 4096, PID_AT = 8, TID_AT = 16, LOST_AT = 16 };

static const struct td_os *os_of(const struct td_recorder *r)
{
    return r->meter->ask.os;
}

/* ---- groups ----------------------------------------------------------------------------------------- */

static struct td_sampled *add_group(struct td_recorder *r)
{
    if (r->ngroups == r->room) {
        const size_t room = r->room ? 2 * r->room : 16;
        struct td_sampled **grown = realloc(r->group, room * sizeof(*grown));

        if (!grown)
            return NULL;
        r->group = grown;
        r->room = room;
    }
    r->group[r->ngroups] = calloc(1, sizeof(**r->group));
    return r->group[r->ngroups] ? r->group[r->ngroups++] : NULL;
}

static void drop_group(struct td_recorder *r, size_t i)
{
    td_sampled_close(r->group[i], os_of(r));
    free(r->group[i]);
    r->group[i] = r->group[--r->ngroups];
}

/* Opens a group of a task or CPU; with another one of the same task or CPU, it shares that one's ring. */
static int open_one(struct td_recorder *r, struct td_sampled_kind *k, const struct td_perf_target *t, pid_t process,
                    const struct td_sampled *other, struct td_perf_error *e)
{
    struct td_sampled *g = add_group(r);
    int err;

    if (!g)
        return -ENOMEM;
    err = td_sampled_open(g, os_of(r), k, t, other, e);
    g->process = process;
    if (!err && (err = td_sampled_watch(g, os_of(r), r->rings)))
        *e = (struct td_perf_error){
            .err = err, .call = "epoll_ctl", .event = k->event[TD_SAMPLED_FIRST].name, .target = *t};
    if (err)
        drop_group(r, r->ngroups - 1);
    return err;
}

/* Opens the groups of a PMU that take turns, which share a ring: that of other, or else the first one's. -ESRCH,
 * -ENODEV and the like: none is open. */
static int open_turns(struct td_recorder *r, size_t pmu, const struct td_perf_target *t, pid_t process,
                      const struct td_sampled *other, struct td_perf_error *e)
{
    const size_t before = r->ngroups;
    int err = 0;

    for (size_t k = 0; !err && k < r->nkinds; k++)
        if (r->kind[k].pmu == pmu)
            err = open_one(r, &r->kind[k], t, process,
                           other                 ? other
                           : r->ngroups > before ? r->group[before]
                                                 : NULL,
                           e);
    while (err && r->ngroups > before)
        drop_group(r, r->ngroups - 1);
    return err;
}

static int fail_open(struct td_recorder *r, const struct td_perf_error *e)
{
    const struct td_meter *m = r->meter;
    char text[TD_LOG_TEXT];
    int err;

    r->too_big = e->too_big;
    if (e->too_big)
        return td_log_fail(
            m->log, -EOPNOTSUPP,
            "the counters do not hold %s together: end other users of the counters; without functions 'tdprobe -a' "
            "measures the whole system",
            r->how.turns ? "cycles and any of the formulas' events" : "the formulas' events");
    err = td_obstacle_text(&m->host, e, !r->tasks, !m->ask.no_kernel, text, sizeof(text));
    return td_log_fail(m->log, err, "%s", text);
}

/* Opens a group for each unit. If cpu is not -1, all are opened on that CPU and share a ring. */
static int open_units_on(struct td_recorder *r, int cpu, struct td_perf_error *e)
{
    const struct td_meter *m = r->meter;
    const size_t before = r->ngroups;
    int err = 0;

    for (size_t i = 0; i < m->scopes.nunits; i++) {
        const struct td_unit *u = &m->scopes.unit[i];
        const struct td_perf_target on_cpu = {u->target.pid, cpu, -1}, *t = cpu < 0 ? &u->target : &on_cpu;

        if (cpu >= 0 && !td_cpu_list_has(&m->pmu[u->pmu].host->cpus, cpu))
            continue;
        err = open_turns(r, u->pmu, t, u->process ? u->process : u->target.pid,
                         cpu >= 0 && r->ngroups > before ? r->group[before] : NULL, e);
        if (err == -ENOMEM)
            return td_log_no_memory(m->log);
        if (err && err != -ESRCH && err != -ENODEV)
            return fail_open(r, e);
        r->counts.missed += err == -ESRCH;
        r->counts.sampled += !err;
    }
    return 0;
}

static int open_units(struct td_recorder *r)
{
    struct td_perf_error e = {.err = 0};
    int err = open_units_on(r, -1, &e);

    return err || r->ngroups ? err : fail_open(r, &e);
}

/* Opens groups that are inherited. Such a group can have a ring only on one CPU (perf_mmap() in the kernel's
 * events/core.c), so there is one for each CPU. */
static int open_inherited(struct td_recorder *r)
{
    const struct td_meter *m = r->meter;
    struct td_perf_error e = {.err = 0};
    int err = 0;

    for (size_t i = 0; !err && i < m->host.ncpus; i++) {
        r->counts.missed = 0; /* each CPU misses the same */
        err = open_units_on(r, m->host.cpus[i].cpu, &e);
    }
    r->counts.sampled = m->scopes.nunits - r->counts.missed;
    return err || r->ngroups ? err : fail_open(r, &e);
}

/* ---- threads and children ---------------------------------------------------------------------------------- */

static bool follows(const struct td_recorder *r)
{
    return r->tasks && !r->how.inherit;
}

static bool is_open(const struct td_recorder *r, pid_t tid)
{
    for (size_t i = 0; i < r->ngroups; i++)
        if (r->group[i]->target.pid == tid)
            return true;
    return false;
}

static bool has_process(const struct td_recorder *r, pid_t pid)
{
    for (size_t i = 0; i < r->ngroups; i++)
        if (r->group[i]->process == pid)
            return true;
    return false;
}

struct following {
    struct td_recorder *r;
    pid_t process;
};

/* Enables the groups from a number on, which are not in the file yet; they are dropped if it has no room for their ids.
 */
static int begin_groups(struct td_recorder *r, size_t from)
{
    int err = 0;

    for (size_t i = from; !err && i < r->ngroups; i++)
        err = td_data_ids(&r->file, r->kind, r->group[i]);
    while (err && r->ngroups > from)
        drop_group(r, r->ngroups - 1);
    for (size_t i = from; !err && i < r->ngroups; i++)
        err = td_sampled_enable(r->group[i], os_of(r));
    return err;
}

static void follow(struct td_recorder *r, pid_t pid, pid_t tid);

static int follow_thread(void *arg, const char *name)
{
    const struct following *f = arg;
    const pid_t tid = (pid_t)strtol(name, NULL, 10);

    if (tid > 0)
        follow(f->r, f->process, tid);
    return 0;
}

/* Finds what was started before its starter was sampled: other threads of the process, and children of its threads. */
static void follow_others(struct td_recorder *r, pid_t pid, pid_t tid)
{
    struct following f = {r, pid};
    char path[64], children[4096];

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    os_of(r)->names(os_of(r)->ctx, path, follow_thread, &f);
    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)tid);
    if (os_of(r)->file(os_of(r)->ctx, path, children, sizeof(children)) <= 0)
        return;
    for (char *at = children, *end; *at; at = end) {
        const pid_t child = (pid_t)strtol(at, &end, 10);

        if (end == at)
            break;
        follow(r, child, child);
    }
}

/* Takes from a record what will have to be looked up for names. */
static int take_names(struct td_recorder *r, const struct perf_event_header *h)
{
    const int err = td_images_take(&r->images, h);

    return err ? err : td_made_take(&r->made, os_of(r), h);
}

/* Adds tdprobe's own records to the file, and frees them. */
static int add_synthesized(struct td_recorder *r, struct td_data_bytes *b)
{
    int err = b->failed ? -ENOMEM : td_data_add(&r->file, b->at, b->n);

    for (size_t at = 0; !err && at < b->n;) {
        const struct perf_event_header *h = (const struct perf_event_header *)(const void *)(b->at + at);

        err = take_names(r, h);
        at += h->size;
    }
    free(b->at);
    return err;
}

static int add_process(struct td_recorder *r, pid_t pid)
{
    const struct td_os *os = os_of(r);
    struct td_data_bytes b = {.n = 0};

    td_synthesize_process(os, pid, os->now(os->ctx), &b);
    return add_synthesized(r, &b);
}

/* Samples a thread, and those that it has started until now. A new process may have called execve(2) before that. */
static void follow(struct td_recorder *r, pid_t pid, pid_t tid)
{
    const struct td_perf_target target = {tid, -1, -1};
    const bool known = has_process(r, pid);
    struct td_perf_error e = {.err = 0};
    int err = 0;

    if (is_open(r, tid))
        return;
    for (size_t i = 0; !err && i < r->meter->npmus; i++) {
        const size_t before = r->ngroups;

        err = open_turns(r, i, &target, pid, NULL, &e);
        err = err ? err : begin_groups(r, before);
    }
    if (err) {
        r->counts.missed++;
        return;
    }
    r->counts.sampled++;
    if (!known && add_process(r, pid))
        return; /* the file's error is reported when it ends */
    follow_others(r, pid, tid);
}

/* ---- records -------------------------------------------------------------------------------------------------- */

struct taking {
    struct td_recorder *r;
    size_t group;
    struct {
        pid_t pid, tid;
    } * born;
    size_t nborn;
};

static uint32_t word(const struct perf_event_header *h, size_t at)
{
    uint32_t value = 0;

    if (at + sizeof(value) <= h->size)
        memcpy(&value, (const unsigned char *)h + at, sizeof(value));
    return value;
}

static int note_born(struct taking *t, const struct perf_event_header *h)
{
    void *grown = reallocarray(t->born, t->nborn + 1, sizeof(*t->born));

    if (!grown)
        return -ENOMEM;
    t->born = grown;
    t->born[t->nborn].pid = (pid_t)word(h, PID_AT);
    t->born[t->nborn++].tid = (pid_t)word(h, TID_AT);
    return 0;
}

static void count(struct td_recorder *r, const struct perf_event_header *h, enum td_pair_news news)
{
    r->counts.samples += h->type == PERF_RECORD_SAMPLE;
    r->counts.throttled += h->type == PERF_RECORD_THROTTLE;
    r->counts.lost += h->type == PERF_RECORD_LOST ? word(h, LOST_AT) : 0;
    r->counts.near += news == TD_NEWS_NEAR;
    r->counts.far += news == TD_NEWS_FAR;
    r->counts.sampled += r->how.inherit && h->type == PERF_RECORD_FORK;
}

/* Groups that take turns end with the thread of the one that has their ring. */
static void end_turns(struct td_recorder *r, const struct td_sampled *first)
{
    for (size_t i = 0; i < r->ngroups; i++)
        r->group[i]->ended = r->group[i]->ended || (r->group[i]->target.pid == first->target.pid &&
                                                    r->group[i]->kind->pmu == first->kind->pmu);
}

/* Both threads have a record of a switch: that of the one that leaves says which one is next. */
static bool says_nothing_new(const struct perf_event_header *h)
{
    return h->type == PERF_RECORD_SWITCH_CPU_WIDE && !(h->misc & PERF_RECORD_MISC_SWITCH_OUT);
}

static int take_record(void *arg, const struct perf_event_header *h)
{
    struct taking *t = arg;
    struct td_recorder *r = t->r;
    struct td_sampled *g = r->group[t->group];
    int err;

    if (says_nothing_new(h))
        return 0;
    err = td_data_add(&r->file, h, h->size);
    r->written = true;
    g->hits += h->type == PERF_RECORD_SAMPLE;
    count(r, h, r->how.pairs ? td_sampled_look(g, h, &r->pace) : TD_NEWS_NONE);
    r->kind[g->kind - r->kind].period = g->period; /* the next group begins with the period that this one has found */
    if (!err)
        err = take_names(r, h);
    if (!err && follows(r) && h->type == PERF_RECORD_FORK)
        err = note_born(t, h);
    if (follows(r) && h->type == PERF_RECORD_EXIT && (pid_t)word(h, TID_AT) == g->target.pid)
        end_turns(r, g);
    return err;
}

/* Ends a round, up to which readers sort the records of several rings by time. */
static int end_round(struct td_recorder *r)
{
    const struct perf_event_header round = {.type = FINISHED_ROUND, .size = sizeof(round)};

    if (!r->written)
        return 0;
    r->written = false;
    return td_data_add(&r->file, &round, sizeof(round));
}

int td_recorder_take(struct td_recorder *r)
{
    struct taking t = {.r = r};
    int err = 0;

    for (t.group = 0; !err && t.group < r->ngroups; t.group++)
        err = td_sampled_take(r->group[t.group], take_record, &t);
    for (size_t i = 0; !err && i < t.nborn; i++)
        follow(r, t.born[i].pid, t.born[i].tid);
    free(t.born);
    for (size_t i = r->ngroups; i-- > 0;)
        if (r->group[i]->ended)
            drop_group(r, i);
    if (err == -EBADMSG)
        return td_log_fail(r->meter->log, -EIO,
                           "the kernel's ring of samples holds a record of no possible size: report this as a bug, "
                           "with the kernel's version");
    return err ? err : end_round(r);
}

/* Whether each of the groups that share a ring took enough samples with its frequency: to set another one costs half an
 * interval, and an idle CPU is to be left alone. */
static bool is_due(const struct td_recorder *r, const struct td_sampled *g)
{
    enum { ENOUGH = 16 };

    return (g->other ? g->other : g)->hits >= ENOUGH * r->meter->pmu[g->kind->pmu].plan.ngroups;
}

static void vary(struct td_recorder *r)
{
    for (size_t i = 0; i < r->ngroups; i++)
        if (is_due(r, r->group[i]))
            td_sampled_vary(r->group[i], os_of(r), r->how.freq);
    for (size_t i = 0; i < r->ngroups; i++)
        if (!r->group[i]->other && is_due(r, r->group[i]))
            r->group[i]->hits = 0;
}

void td_recorder_arm(struct td_recorder *r)
{
    if (r->how.freq)
        vary(r);
    for (size_t i = 0; r->how.pairs && i < r->ngroups; i++)
        if (r->group[i]->pair.wanted)
            td_sampled_arm(r->group[i], os_of(r));
}

/* ---- the whole ----------------------------------------------------------------------------------------------------
 */

static int make_kinds(struct td_recorder *r, bool inherit)
{
    int err = 0;

    r->how.inherit = inherit;
    free(r->kind);
    r->nkinds = 0;
    r->kind = calloc(td_sampled_kinds(r->meter) + 1, sizeof(*r->kind));
    if (!r->kind)
        return td_log_no_memory(r->meter->log);
    for (size_t i = 0; !err && i < r->meter->npmus; i++)
        for (size_t turn = 0; !err && turn < r->meter->pmu[i].plan.ngroups; turn++) {
            err = td_sampled_kind_make(&r->kind[r->nkinds], r->meter, i, turn, &r->how);
            r->nkinds += r->kind[r->nkinds].n > 0;
        }
    return err || r->nkinds ? err
                            : td_log_fail(r->meter->log, -EOPNOTSUPP, "no event of the formulas can be counted here");
}

static int begin_rings(struct td_recorder *r)
{
    r->rings = os_of(r)->rings(os_of(r)->ctx);
    return r->rings < 0 ? td_log_fail(r->meter->log, r->rings, "epoll_create1: %s", strerror(-r->rings)) : 0;
}

/* Writes records about what was there before the first sample. */
static int put_before(struct td_recorder *r)
{
    const struct td_os *os = os_of(r);
    const struct td_scopes *units = &r->meter->scopes;
    struct td_data_bytes b = {.n = 0};

    if (!follows(r))
        td_synthesize_index((const struct td_sampled *const *)r->group, r->ngroups, &b);
    td_synthesize_kernel(os, &b);
    if (!r->tasks)
        td_synthesize_all(os, 0, &b);
    for (size_t i = 0; r->tasks && !r->how.on_exec && i < units->nunits; i++)
        if (!units->unit[i].process || units->unit[i].process == units->unit[i].target.pid)
            td_synthesize_process(os, units->unit[i].target.pid, 0, &b);
    return add_synthesized(r, &b);
}

/* Opens the groups, where the period is fixed and if possible so that threads and children inherit them. Linux before
 * 6.13 refuses that, and it takes descriptors for each CPU, of which there may be too few: then each thread is opened
 * when it is seen. */
static int open_groups(struct td_recorder *r)
{
    /* in an inherited group all members begin at the same time, so that samples make no pairs; and its times go on
     * while a thread is on another CPU, so that it would not be seen when groups take turns; and what inherits keeps
     * the frequency that it began with, which could not vary */
    const bool inherit = r->tasks && !r->how.pairs && !r->how.turns && !r->how.freq;
    int err = make_kinds(r, inherit);

    if (!err)
        err = inherit ? open_inherited(r) : open_units(r);
    if (!err || !inherit)
        return err;
    while (r->ngroups)
        drop_group(r, r->ngroups - 1);
    r->counts = (struct td_recorder_counts){0};
    *r->meter->log->error = '\0';
    err = make_kinds(r, false);
    return err ? err : open_units(r);
}

static int begin_file(struct td_recorder *r)
{
    int err = td_data_begin(&r->file, r->kind, r->nkinds, follows(r) ? THREADS_MOST : r->ngroups);

    for (size_t i = 0; !err && i < r->ngroups; i++)
        err = td_data_ids(&r->file, r->kind, r->group[i]);
    return err;
}

int td_recorder_open(struct td_recorder *r, const struct td_meter *m, const struct td_sampled_how *how,
                     const struct td_pace *pace, td_data_write_fn *write, void *ctx)
{
    int err;

    *r = (struct td_recorder){
        .meter = m, .how = *how, .pace = *pace, .tasks = m->scopes.tasks, .file = {.write = write, .ctx = ctx}};
    r->how.tasks = r->tasks;
    err = begin_rings(r);
    if (!err)
        err = open_groups(r);
    if (!err)
        err = begin_file(r);
    if (!err)
        err = put_before(r);
    for (size_t i = 0; !err && !how->on_exec && i < r->ngroups; i++)
        err = td_sampled_enable(r->group[i], os_of(r));
    return err;
}

int td_recorder_end(struct td_recorder *r)
{
    struct td_data_bytes feature[TD_DATA_FEATURES] = {{.at = NULL}};
    int err = td_recorder_take(r);

    if (!err) {
        td_features_make(r->meter, &r->file, &r->images, r->command, feature);
        if (td_made_put(&r->made, os_of(r), &feature[TD_KEPT_FEATURE]))
            td_log_note(
                r->meter->log,
                "the maps and jitdumps of programs that make code are more than the %d MiB that a recording keeps "
                "of them, those of the processes with most samples first: code beyond has no names in reports",
                TD_KEPT_MOST >> 20);
        err = td_data_end(&r->file, feature);
    }
    for (size_t i = 0; i < TD_DATA_FEATURES; i++)
        free(feature[i].at);
    return err;
}

void td_recorder_close(struct td_recorder *r)
{
    while (r->ngroups)
        drop_group(r, r->ngroups - 1);
    if (r->rings >= 0)
        os_of(r)->close(os_of(r)->ctx, r->rings);
    r->rings = -1;
}

void td_recorder_free(struct td_recorder *r)
{
    td_recorder_close(r);
    free(r->group);
    free(r->kind);
    td_images_free(&r->images);
    td_made_free(&r->made);
    td_data_free(&r->file);
    *r = (struct td_recorder){.rings = -1};
}
