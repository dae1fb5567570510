/* SPDX-License-Identifier: MIT */
/* struct td: a recording, the CPU it is of, its intervals solved and added up. */
#include "candidates.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The counts of one scope and kind of core over the whole recording. */
struct sum {
    struct td_interval total;
};

struct td {
    struct td_machine machine; /* asked for; nparts 0: none */
    const struct td_backend *backend; /* asked for, or NULL */
    bool fixed, skip_intervals;
    int level;
    bool opened, ready; /* ready: candidates are known */
    struct td_recording recording;
    size_t at; /* next of the batch */
    struct td_candidates candidates;
    bool told_core[TD_LABELS];
    struct sum *sums;
    size_t nsums, last_sum;
    struct td_counts bound[2]; /* of the result given, and of one compared with it */
    struct td_result result, other;
    char error[TD_WHY];
};

static int fail(struct td *td, int err, const char *text)
{
    snprintf(td->error, sizeof(td->error), "%s", text);
    return err;
}

struct td *td_new(void)
{
    struct td *td = calloc(1, sizeof(*td));

    if (td) {
        td->fixed = true;
        td->level = 2;
    }
    return td;
}

void td_free(struct td *td)
{
    if (!td)
        return;
    td_recording_close(&td->recording);
    td_candidates_free(&td->candidates);
    for (size_t i = 0; i < td->nsums; i++)
        td_counts_free(&td->sums[i].total.counts);
    free(td->sums);
    td_counts_free(&td->bound[0]);
    td_counts_free(&td->bound[1]);
    free(td);
}

const char *td_error(const struct td *td)
{
    return td->error;
}

void td_set_note(struct td *td, td_note_fn *note, void *ctx)
{
    td->recording.note = note;
    td->recording.note_ctx = ctx;
}

int td_set_uarch(struct td *td, const char *name_or_id)
{
    char why[256];
    int err = td_machine_find(name_or_id, &td->machine, why, sizeof(why));

    if (err)
        snprintf(td->error, sizeof(td->error), "CPU '%.60s': %s", name_or_id, why);
    return err;
}

int td_set_backend(struct td *td, const char *name)
{
    td->backend = NULL;
    if (!strcmp(name, "auto"))
        return 0;
    for (size_t i = 0; td_backends[i]; i++)
        if (!strcmp(td_backends[i]->name, name)) {
            td->backend = td_backends[i];
            return 0;
        }
    snprintf(td->error, sizeof(td->error), "no backend '%.60s'; 'tdprobe list backends' names them", name);
    return -EINVAL;
}

void td_set_fixed(struct td *td, bool use_fixed)
{
    td->fixed = use_fixed;
}

int td_set_level(struct td *td, int level)
{
    if (level != 1 && level != 2)
        return fail(td, -EINVAL, "the level is 1 or 2");
    td->level = level;
    return 0;
}

void td_set_intervals(struct td *td, bool wanted)
{
    td->skip_intervals = !wanted;
}

int td_open(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    int err;

    if (td->opened)
        return fail(td, -EINVAL, "the handle has been opened already");
    td->opened = true;
    td->recording.name = name;
    err = td_recording_open(&td->recording, read, ctx, td->machine.nparts ? &td->machine : NULL);
    return err ? fail(td, err, td->recording.why) : 0;
}

static int no_such_backend(struct td *td, const struct td_machine *m)
{
    snprintf(td->error, sizeof(td->error), "%s: backend %s has no formulas for %s, which is %s", td->recording.name,
             td->backend->name, m->name, td_uarch_backend_of(m->part[0])->name);
    return -EOPNOTSUPP;
}

static int use_machine(struct td *td, const struct td_machine *known)
{
    struct td_machine m = *known;

    if (!td_machine_restrict(&m, td->backend))
        return no_such_backend(td, known);
    return td_candidates_one(&td->candidates, &m, td->error, sizeof(td->error));
}

/* Whether the first intervals hold any event of the CPU's formulas. */
static int check_events(struct td *td)
{
    struct td_candidate *c = &td->candidates.c[0];
    const struct td_recording *r = &td->recording;

    for (size_t i = 0; i < r->nbatch; i++) {
        int part = td_candidate_part(c, r->batch[i].core);
        int err = part < 0 ? 0 : td_candidate_bind(c, part, &r->texts, &r->batch[i], &td->bound[0]);

        if (err)
            return fail(td, err, "out of memory");
        if (part >= 0 && r->batch[i].counts.status != TD_OK)
            return 0;
        for (size_t k = 0; part >= 0 && k < td->bound[0].n; k++)
            if (c->used[part] >> td->bound[0].c[k].event & 1)
                return 0;
    }
    snprintf(td->error, sizeof(td->error), "%s:%lu: none of the events is one that the formulas of %s use: another CPU was recorded "
             "(see 'tdprobe list events --uarch %s')", r->name, r->csv.line, c->machine.name, c->machine.name);
    return -EBADMSG;
}

static int no_candidate(struct td *td)
{
    const struct td_recording *r = &td->recording;

    snprintf(td->error, sizeof(td->error), "%s:%lu: no CPU that tdprobe knows%s%s has the top-down events of this recording; "
             "name the CPU with --uarch to see which are missing", r->name, r->csv.line,
             td->backend ? " in backend " : "", td->backend ? td->backend->name : "");
    return -EOPNOTSUPP;
}

/* Finds the CPU when the first intervals are there. */
static int find_candidates(struct td *td)
{
    struct td_recording *r = &td->recording;
    int err;

    td->ready = true;
    if (r->machine.nparts)
        err = use_machine(td, &r->machine);
    else if (td->machine.nparts)
        err = use_machine(td, &td->machine);
    else
        err = td_candidates_fit(&td->candidates, r, td->backend, td->error, sizeof(td->error));
    if (err)
        return err;
    if (!td->candidates.n)
        return no_candidate(td);
    return td->candidates.n == 1 ? check_events(td) : 0;
}

static bool whole_core(const char *scope_kind)
{
    static const char *const parts_of_cores[] = {"cpu", "thread", "cgroup", "region"};

    for (size_t i = 0; i < sizeof(parts_of_cores) / sizeof(*parts_of_cores); i++)
        if (!strcmp(scope_kind, parts_of_cores[i]))
            return false;
    return true;
}

static int solve_one(struct td *td, size_t i, int part, const struct td_interval *v, struct td_counts *bound, struct td_result *out)
{
    struct td_candidate *c = &td->candidates.c[i];
    const struct td_solve_ask ask = {
        .level = td->level, .fixed = td->fixed, .smt_off = td->recording.smt == TD_SMT_OFF,
        .whole_core = whole_core(v->scope_kind), .flags = c->machine.flags,
    };
    int err = td_candidate_bind(c, part, &td->recording.texts, v, bound);

    if (err)
        return fail(td, err, "out of memory");
    out->backend = td_uarch_backend_of(c->machine.part[part]);
    out->has_time = v->has_time;
    out->time = v->time;
    out->scope = v->scope;
    out->scope_kind = v->scope_kind;
    out->texts = (const char *const *)td->recording.texts.names;
    td_solve(c->solver[part], bound, &ask, out);
    return 0;
}

static bool same_number(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

/* Two CPUs' answers must be the same numbers; what is absent may be absent for
 * different reasons, which then are given less exactly. */
static const char *merge(struct td_result *r, const struct td_result *other)
{
    for (size_t i = 0; i < r->nmetrics && i < other->nmetrics; i++) {
        struct td_metric *m = &r->metrics[i];
        const struct td_metric *o = &other->metrics[i];

        if (strcmp(m->name, o->name) || (m->status == TD_OK) != (o->status == TD_OK))
            return m->name;
        if (m->status == TD_OK ? !same_number(m->value, o->value) : m->status == TD_IMPOSSIBLE && !same_number(m->raw, o->raw))
            return m->name;
        if (m->event && (!o->event || strcmp(m->event, o->event)))
            m->event = NULL;
        if (m->status != o->status && o->status == TD_MISSING_EVENT)
            m->status = TD_MISSING_EVENT;
    }
    if (!strstr(r->formula, other->formula)) {
        size_t len = strlen(r->formula);

        snprintf(r->formula + len, sizeof(r->formula) - len, "|%s", other->formula);
    }
    r->flags |= other->flags;
    return r->nmetrics == other->nmetrics ? NULL : r->metrics[r->nmetrics - 1].name;
}

static int solve(struct td *td, const struct td_interval *v, bool summary, const struct td_result **out)
{
    struct td_candidates *k = &td->candidates;
    struct td_result *r = &td->result;
    int part = td_candidate_part(&k->c[0], v->core), err = solve_one(td, 0, part, v, &td->bound[0], r);

    snprintf(r->cpu, sizeof(r->cpu), "%s", k->label[td_core_index(k->c[0].machine.part[part]->core)]);
    r->summary = summary;
    for (size_t i = 1; i < k->n && !err; i++) {
        const char *differ;

        err = solve_one(td, i, td_candidate_part(&k->c[i], v->core), v, &td->bound[1], &td->other);
        differ = err ? NULL : merge(r, &td->other);
        if (differ) {
            snprintf(td->error, sizeof(td->error), "%s:%lu: several CPUs fit these events, and their %s differs; name the CPU with --uarch: %s",
                     td->recording.name, td->recording.csv.line, differ, k->names);
            return -EINVAL;
        }
    }
    *out = r;
    return err;
}

/* Counts of a kind of core that the CPU does not have: left out, and said once. */
static bool has_part(struct td *td, const struct td_interval *v)
{
    const struct td_candidates *k = &td->candidates;
    bool *told = &td->told_core[td_core_index(v->core)];

    if (td_candidate_part(&k->c[0], v->core) >= 0)
        return true;
    if (!*told)
        td_recording_note(&td->recording, "the counts of %s-cores are left out: %s has none", v->core == 'L' ? "LP" : (char[]){v->core, 0}, k->names);
    *told = true;
    return false;
}

static bool same_scope(const struct td_interval *a, const struct td_interval *b)
{
    return a->core == b->core && (a->scope == b->scope || !strcmp(a->scope, b->scope)) && !strcmp(a->scope_kind, b->scope_kind);
}

static struct sum *find_sum(struct td *td, const struct td_interval *v)
{
    struct sum *grown;

    for (size_t i = 0; i < td->nsums; i++) {
        size_t at = (td->last_sum + 1 + i) % td->nsums;

        if (same_scope(&td->sums[at].total, v)) {
            td->last_sum = at;
            return &td->sums[at];
        }
    }
    grown = realloc(td->sums, (td->nsums + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    td->sums = grown;
    grown[td->nsums] = (struct sum){*v};
    grown[td->nsums].total.counts = (struct td_counts){0};
    td->last_sum = td->nsums;
    return &grown[td->nsums++];
}

static int add_up(struct td *td, const struct td_interval *v)
{
    struct sum *s = find_sum(td, v);
    int err = s ? td_counts_add(&s->total.counts, &v->counts) : -ENOMEM;

    if (err == -ENOMEM)
        return fail(td, err, "out of memory");
    if (err)
        return td_recording_bad(&td->recording, "more than %d different events in all", TD_COUNTS_MAX), fail(td, -EBADMSG, td->recording.why);
    s->total.time = v->time;
    return 0;
}

/* On hybrids lines without a PMU are seldom of a core (task-clock). */
static bool holds_nothing(struct td *td, const struct td_interval *v)
{
    struct td_candidate *c = &td->candidates.c[0];

    if (v->core || c->machine.nparts == 1 || v->counts.status != TD_OK)
        return false;
    return td_candidate_bind(c, 0, &td->recording.texts, v, &td->bound[0]) || !td->bound[0].n;
}

static int take_interval(struct td *td, const struct td_interval *v, const struct td_result **out)
{
    int err;

    if ((!v->counts.n && v->counts.status == TD_OK) || !has_part(td, v) || holds_nothing(td, v))
        return 0;
    err = add_up(td, v);
    return err || td->skip_intervals ? err : solve(td, v, false, out);
}

int td_next(struct td *td, const struct td_result **out)
{
    struct td_recording *r = &td->recording;
    int err = 0;

    *out = NULL;
    if (!r->reader)
        return fail(td, -EINVAL, "no recording is open");
    while (!err && !*out) {
        if (td->at < r->nbatch) {
            err = take_interval(td, &r->batch[td->at++], out);
            continue;
        }
        td->at = 0;
        r->nbatch = 0;
        err = r->reader->next(r);
        if (err && err != -ENODATA)
            fail(td, err, r->why);
        if (!err && !td->ready)
            err = find_candidates(td);
    }
    if (err == -ENODATA && !td->ready) {
        td_recording_bad(r, "the file holds no interval: it needs two readings of a scope");
        return fail(td, -EBADMSG, r->why);
    }
    return err;
}

int td_summary(struct td *td, size_t i, const struct td_result **out)
{
    if (i >= td->nsums)
        return -ENODATA;
    return solve(td, &td->sums[i].total, true, out);
}
