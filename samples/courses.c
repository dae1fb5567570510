/* SPDX-License-Identifier: MIT */
#include "samples/courses.h"

#include "private/plan.h"
#include "samples/cpu_threads.h"
#include "util/hash_index.h"
#include "util/room.h"

struct course_key {
    uint64_t leader, tid;
};

struct course {
    struct course_key key;
    const struct td_place *at; /* where its last sample hit that counted something */
    const struct td_place *also; /* where a later one hit that counted nothing, if elsewhere; else NULL */
    uint64_t time, enabled, running; /* of the last sample that counted something */
    uint64_t losses; /* losses() at that sample */
    uint32_t cpu;
    bool has_cpu, begun, held;
    enum td_sampler sampler; /* of the last sample, even if it counted nothing */
    size_t n;
    struct td_member *member; /* with their values at the last sample that counted something */
};

struct td_courses {
    struct td_hash_index hashes;
    struct course *course;
    size_t n, room;
    struct course *last;
    uint64_t times; /* how often samples were lost */
    uint64_t everywhere; /* how often on a CPU that is not known, which may be any */
    uint64_t *on_cpu; /* by CPU: how often on it */
    size_t ncpus, cpus_room;
    struct td_cpu_threads threads;
    uint64_t value[TD_MEMBERS_MAX];
};

/* ---- finding one ------------------------------------------------------------------- */

static bool is(const struct course *c, const struct course_key *key)
{
    return c->key.leader == key->leader && c->key.tid == key->tid;
}

/* Finds the course, or adds it. */
static int find(struct td_courses *t, const struct course_key *key, struct course **out)
{
    long at;

    if (t->last && is(t->last, key)) {
        *out = t->last;
        return 0;
    }
    t->last = NULL; /* room may move it */
    if (td_hash_room(&t->hashes) || td_room(&t->course, &t->room, t->n + 1, sizeof(*t->course)))
        return -ENOMEM;
    at = td_hash_first(&t->hashes, td_hash(&t->hashes, key, sizeof(*key)));
    while (at >= 0 && !is(&t->course[at], key))
        at = td_hash_next(&t->hashes, at);
    if (at < 0 && t->n == TD_COURSES_MAX)
        return -E2BIG;
    if (at < 0) {
        td_hash_add(&t->hashes, td_hash(&t->hashes, key, sizeof(*key)));
        at = (long)t->n++;
        t->course[at] = (struct course){.key = *key};
    }
    *out = t->last = &t->course[at];
    return 0;
}

/* ---- what was counted ---------------------------------------------------------------- */

/* How often samples may have been lost that belong to the course. */
static uint64_t losses(const struct td_courses *t, const struct course *c)
{
    return !c->has_cpu ? t->times : t->everywhere + (c->cpu < t->ncpus ? t->on_cpu[c->cpu] : 0);
}

/* Whether the members are those of the last sample. */
static bool same_members(const struct course *c, const struct td_group_reading *g)
{
    for (size_t i = 0; i < g->n && i < c->n; i++)
        if (c->member[i].id != g->member[i].id)
            return false;
    return c->n == g->n;
}

/* Takes over new members as if they had counted nothing so far. That is so for the first sample of a course; later the
 * caller reports a reset. */
static int change_members(struct course *c, const struct td_group_reading *g)
{
    struct td_member *m = realloc(c->member, g->n * sizeof(*m));

    if (!m)
        return -ENOMEM;
    c->member = m;
    c->n = g->n;
    for (size_t i = 0; i < g->n; i++) {
        m[i] = g->member[i];
        m[i].value = 0;
    }
    c->enabled = c->running = 0;
    return 0;
}

static uint64_t step(uint64_t from, uint64_t to, bool *reset)
{
    *reset = *reset || to < from;
    return to < from ? 0 : to - from;
}

/* Whether something was counted. Where there are fields of the metrics register, these alone say so: the other counters
 * never stand still. */
static bool moved(const struct td_courses *t, const struct td_group_reading *g)
{
    bool any = false, metrics = false, by_metrics = false;

    for (size_t i = 0; i < g->n; i++) {
        any = any || t->value[i];
        metrics = metrics || g->member[i].metric;
        by_metrics = by_metrics || (g->member[i].metric && t->value[i]);
    }
    return metrics ? by_metrics : any;
}

static enum td_sample_start start_of(const struct td_courses *t, const struct course *c)
{
    if (!c->begun)
        return TD_START_ENABLED;
    return losses(t, c) != c->losses ? TD_START_LOST : c->held ? TD_START_THROTTLED : TD_START_SAMPLE;
}

static void advance(const struct td_courses *t, struct course *c, const struct td_group_reading *g,
                    const struct td_place *at)
{
    for (size_t i = 0; i < g->n; i++)
        c->member[i].value = g->member[i].value;
    c->enabled = g->enabled;
    c->running = g->running;
    c->time = g->time;
    c->cpu = g->cpu;
    c->has_cpu = g->has_cpu;
    c->held = g->held;
    c->begun = true;
    c->at = at;
    c->also = NULL;
    c->losses = losses(t, c);
}

/* Counters that follow threads count nothing while others run. */
static int look_at_threads(struct td_courses *t, const struct td_group_reading *g, const struct td_place *at,
                           bool begins, struct td_course_delta *out)
{
    struct td_cpu_turn turn;
    int err;

    if (!g->has_cpu || g->tid)
        return 0;
    err = td_cpu_threads_sample(&t->threads, g->cpu, &(struct td_cpu_hit){g->time, g->thread, out->course, at, begins},
                                &turn);
    out->own = turn.own;
    out->back = turn.back;
    return err;
}

int td_courses_take(struct td_courses *t, const struct td_group_reading *g, const struct td_place *at,
                    struct td_course_delta *out)
{
    struct course *c;
    int err = find(t, &(struct course_key){g->member[0].id, g->tid}, &c);
    bool changed, still;

    if (err)
        return err;
    changed = !same_members(c, g);
    err = changed ? change_members(c, g) : 0;
    if (err)
        return err;
    *out = (struct td_course_delta){
        .course = (uint32_t)(c - t->course), .start = start_of(t, c), .from = c->sampler, .value = t->value};
    c->sampler = g->sampler;
    for (size_t i = 0; i < g->n; i++)
        t->value[i] = step(c->member[i].value, g->member[i].value, &out->reset);
    out->enabled = step(c->enabled, g->enabled, &out->reset);
    out->running = step(c->running, g->running, &out->reset);
    out->reset = out->reset || (changed && c->begun);
    still = !out->reset && !moved(t, g);
    err = look_at_threads(t, g, at, !still, out);
    if (err)
        return err;
    if (still) {
        c->held = c->held || g->held;
        c->also = at != c->at ? at : c->also;
        return -EAGAIN;
    }
    out->began = c->also && c->also != at ? c->also : c->at;
    out->duration = c->begun && g->time > c->time ? g->time - c->time : 0;
    advance(t, c, g, at);
    return 0;
}

int td_courses_lost(struct td_courses *t, bool has_cpu, uint32_t cpu)
{
    t->times++;
    if (!has_cpu || cpu >= TD_CPUS_MAX) {
        t->everywhere++;
        return 0;
    }
    if (cpu >= t->ncpus) {
        if (td_room(&t->on_cpu, &t->cpus_room, cpu + 1, sizeof(*t->on_cpu)))
            return -ENOMEM;
        memset(t->on_cpu + t->ncpus, 0, (cpu + 1 - t->ncpus) * sizeof(*t->on_cpu));
        t->ncpus = cpu + 1;
    }
    t->on_cpu[cpu]++;
    return 0;
}

int td_courses_switched(struct td_courses *t, uint32_t cpu, uint64_t time, uint32_t thread, bool preempted)
{
    return td_cpu_threads_switch(&t->threads, cpu, time, thread, preempted);
}

size_t td_courses_count(const struct td_courses *t)
{
    return t->n;
}

struct td_courses *td_courses_new(void)
{
    return calloc(1, sizeof(struct td_courses));
}

void td_courses_free(struct td_courses *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        free(t->course[i].member);
    free(t->course);
    free(t->on_cpu);
    td_cpu_threads_free(&t->threads);
    td_hash_index_free(&t->hashes);
    free(t);
}
