/* SPDX-License-Identifier: MIT */
/* An interval to a result, by one CPU's formulas or by several that must agree. */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* As asked, else as deep as was recorded. */
static int level_of(const struct td *td, char core)
{
    int recorded = td->recording.level[td_core_index(core)];

    return recorded && !td->level_asked ? recorded : td->level;
}

static int solve_one(struct td *td, size_t i, int part, const struct td_interval *v, struct td_counts *bound, struct td_result *out)
{
    struct td_candidate *c = &td->candidates.c[i];
    const struct td_solve_ask ask = {
        .level = level_of(td, v->core), .fixed = td->fixed, .smt_off = td->recording.smt == TD_SMT_OFF,
        .scale_assumed = td->recording.raw && td->recording.smt == TD_SMT_UNKNOWN,
        .whole_core = td_kind_whole_core(v->scope_kind), .switched = v->switched, .coverage_unknown = td->recording.coverage_unknown,
        .flags = c->machine.flags,
    };
    int err = td_candidate_bind(c, part, &td->recording.texts, v, bound);

    if (err)
        return td_session_fail(td, err, "out of memory");
    if (out->summary)
        td_counts_balance(bound);
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

/* What is absent on each for want of another event: "A|B". */
static void merge_reasons(struct td_metric *m, const struct td_metric *other, char text[TD_EVENT_TEXT])
{
    if (m->status != other->status && other->status == TD_MISSING_EVENT) {
        m->status = other->status;
        m->event = other->event;
    }
    if (m->status != other->status || !m->event || !other->event || strstr(m->event, other->event))
        return;
    if (m->event == text)
        snprintf(text + strlen(text), TD_EVENT_TEXT - strlen(text), "|%s", other->event);
    else
        snprintf(text, TD_EVENT_TEXT, "%s|%s", m->event, other->event);
    m->event = text;
}

/* Two CPUs' answers must be the same numbers; what is absent may be absent for
 * different reasons, which then are all given. */
static const char *merge(struct td_result *r, const struct td_result *other)
{
    for (size_t i = 0; i < r->nmetrics && i < other->nmetrics; i++) {
        struct td_metric *m = &r->metrics[i];
        const struct td_metric *o = &other->metrics[i];

        if (strcmp(m->name, o->name) || (m->status == TD_OK) != (o->status == TD_OK))
            return m->name;
        if (m->status == TD_OK ? !same_number(m->value, o->value) : m->status == TD_IMPOSSIBLE && !same_number(m->raw, o->raw))
            return m->name;
        if (m->status != TD_OK)
            merge_reasons(m, o, r->events[i]);
    }
    if (!strstr(r->formula, other->formula)) {
        size_t len = strlen(r->formula);

        snprintf(r->formula + len, sizeof(r->formula) - len, "|%s", other->formula);
    }
    r->flags |= other->flags;
    return r->nmetrics == other->nmetrics ? NULL : r->metrics[r->nmetrics - 1].name;
}

int td_session_solve(struct td *td, const struct td_interval *v, bool summary, const struct td_result **out)
{
    struct td_candidates *k = &td->candidates;
    struct td_result *r = &td->result;
    int err, part = td_candidate_part(&k->c[0], v->core);

    r->summary = td->other.summary = summary;
    err = solve_one(td, 0, part, v, &td->bound[0], r);
    snprintf(r->cpu, sizeof(r->cpu), "%s", k->label[td_core_index(k->c[0].machine.part[part]->core)]);
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

/* On hybrids lines without a PMU are seldom of a core (task-clock). */
static bool holds_nothing(struct td *td, const struct td_interval *v)
{
    struct td_candidate *c = &td->candidates.c[0];

    if (v->core || !c->machine.part[0]->core || v->counts.status != TD_OK)
        return false;
    return td_candidate_bind(c, 0, &td->recording.texts, v, &td->bound[0]) || !td->bound[0].n;
}

bool td_session_skips(struct td *td, const struct td_interval *v)
{
    return (!v->counts.n && !v->unknown && v->counts.status == TD_OK) || !has_part(td, v) || holds_nothing(td, v);
}
