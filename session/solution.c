/* SPDX-License-Identifier: MIT */
#include "session/solution.h"

#include "backends/registry.h"
#include "util/room.h"
#include "core/counts/scope_kind.h"
#include "session/measured.h"

#include <errno.h>
#include <string.h>

/* The level asked for, or the deepest that was recorded. */
static int level_of(const struct td *td, char core)
{
    int recorded = td->stream->level[td_core_index(core)];

    return td->settings.level ? td->settings.level : recorded ? recorded : TD_LEVEL_USUAL;
}

static bool was_multiplexed(const struct td_result *r)
{
    return r->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS);
}

static void balance(const struct td *td, struct td_counts *k, const struct td_uarch *u)
{
    if (td->stream->samples)
        td_counts_balance_turns(k, u);
    else
        td_counts_balance(k);
}

/* By how much each part of a sum moves the metrics of its result, which has been solved without
 * likely bounds: td_taken.parts. What has the same events has the same metrics, whether they were counted or not. */
static int solve_parts(struct td *td, struct td_candidate *c, int part, const struct td_interval *sum,
                       const struct td_solve_ask *ask, const struct td_result *all, struct td_taken *t)
{
    struct td_omission *s = &td->spread;
    const size_t n = td_sum_parts(td_sums_of(&td->sums, sum));
    int err = td_room(&s->parts, &s->room, n * all->nmetrics, sizeof(*s->parts));

    for (size_t i = 0; i < n && !err; i++) {
        const struct td_interval *rest;

        err = td_session_without(td, sum, i, &rest);
        err = err ? err : td_candidate_bind(c, part, &td->stream->texts, rest, &s->bound);
        if (err)
            break;
        balance(td, &s->bound, c->identity.part[part]);
        err = td_solve(c->forms[part], &s->bound, ask, &s->result);
        for (size_t m = 0; m < all->nmetrics && !err; m++)
            s->parts[m * n + i] = all->metrics[m].value - s->result.metrics[m].value;
    }
    t->parts = s->parts;
    t->nparts = n;
    return err;
}

/* Solves counts that are bound and balanced. */
static int solve_bound(struct td *td, struct td_candidate *c, int part, const struct td_interval *v,
                       struct td_solve_ask *ask, const struct td_counts *bound, struct td_result *out)
{
    struct td_taken taken = td->taken;
    int err;

    if (out->summary && td_session_spreads(td, v)) {
        err = td_solve(c->forms[part], bound, ask, out);
        if (!err && was_multiplexed(out))
            err = solve_parts(td, c, part, v, ask, out, &taken);
        if (err)
            return err;
    }
    ask->taken = &taken;
    return td_solve(c->forms[part], bound, ask, out);
}

/* Sets what a result says about its interval besides numbers. */
static void describe(struct td_result *out, const struct td_stream *stream, const struct td_interval *v)
{
    out->at = v->at;
    out->several_cpus =
        td_session_several_cpus(stream, v) || (v->at.scope_kind == TD_KIND_COMMAND && stream->times == TD_TIMES_TASKS);
}

/* The clock of samples may gain on that of the counters' times, but never as much. */
static void set_waited(const struct td *td, const struct td_interval *v, struct td_result *out)
{
    const struct td_samples_info *s = td->stream->samples;

    out->waits = s && s->times_recorded && v->switched && v->at.duration && v->counts.n;
    out->waited = out->waits && (double)v->at.duration > v->counts.c->enabled
                      ? v->at.duration - (uint64_t)v->counts.c->enabled
                      : 0;
}

static int solve_one(struct td *td, size_t i, int part, const struct td_interval *v, struct td_counts *bound,
                     struct td_result *out)
{
    struct td_candidate *c = &td->candidates.c[i];
    struct td_solve_ask ask = {
        .level = level_of(td, v->core),
        .fixed = td->settings.fixed,
        .smt_off = td->stream->smt == TD_SMT_OFF,
        .scale_assumed = td->stream->raw && td->stream->smt == TD_SMT_UNKNOWN,
        .whole_core = td_kind_whole_core(v->at.scope_kind),
        .both_siblings = td_session_both_siblings(td->stream, v),
        .halted = td_kind_halts(v->at.scope_kind),
        .switched = td_session_switched(td->stream, v),
        .coverage_unknown = td->stream->coverage_unknown,
        .smt_on = td->stream->smt == TD_SMT_ON,
        .smt_askable = td->stream == &td->recording->stream,
        .in_pieces = v->at.scope_kind == TD_KIND_REGION || td->stream->samples,
        .names = td->settings.metrics,
        .times_relative = td->stream->times != TD_TIMES_RECORDED,
        .duration = td_range_exact((double)v->at.duration / 1e9),
        .cpus = td->stream->cpus,
        .flags = c->identity.flags | (v->cpus_changed ? TD_FLAG_CPUS_CHANGED : 0),
        .hints = &td->stream->hints,
    };
    int err = td_candidate_bind(c, part, &td->stream->texts, v, bound);

    if (err)
        return td_log_no_memory(&td->log);
    if (out->summary) {
        balance(td, bound, c->identity.part[part]);
        ask.duration = td_sum_duration(td_sums_of(&td->sums, v), bound);
    }
    out->backend = td_uarch_backend_of(c->identity.part[part]);
    describe(out, td->stream, v);
    ask.one_cpu = td_kind_one_cpu(v->at.scope_kind) && !out->several_cpus;
    set_waited(td, v, out);
    out->texts = (const char *const *)td->stream->texts.names;
    td->taken = td_session_taken(td, v, out->summary, c->identity.part[part], bound, i ? &td->taken : NULL);
    err = solve_bound(td, c, part, v, &ask, bound, out);
    return err ? td_log_fail(&td->log, err, "%s", td_forms_why(c->forms[part])) : 0;
}

/* Whether an interval has the counts of the one that was solved last: what one sample ends counts for each function of
 * its chain. Likely bounds are of one scope, and solved for each. */
static bool solved_before(const struct td_result *last, const struct td_interval *v)
{
    return v->at.nth > 1 && !last->summary && last->at.nth + 1 == v->at.nth && last->at.course == v->at.course &&
           last->at.time == v->at.time && !was_multiplexed(last);
}

/* Once: what would tell what metrics depend on. */
static void tell_smt(struct td *td, const struct td_result *r)
{
    const struct td_metric *first = NULL;
    size_t n = 0;

    if (td->told_smt || !r->smt_unknown)
        return;
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].status == TD_OK && r->metrics[i].flags & TD_FLAG_SMT_UNKNOWN && !n++)
            first = &r->metrics[i];
    if (!n)
        return;
    td->told_smt = true;
    td_log_note(&td->log, "%s:%lu: whether SMT was on is not recorded, and %s%s on it: --smt on or --smt off says it",
                td->stream->name, td->stream->line, first->name, n == 1 ? " depends" : " and other metrics depend");
}

/* Once: that several CPUs fit. */
static void tell_split(struct td *td, const char *differ)
{
    if (!td->split)
        td_log_note(&td->log,
                    "%s:%lu: several CPUs fit these events, and their %s differs; each has its results, "
                    "and --uarch names the one: %s",
                    td->stream->name, td->stream->line, differ, td->candidates.names.at);
    td->split = true;
}

/* Of a single reading: the node that limits on each of the CPUs, after the last of them. */
static void tell_agreed(struct td *td, const struct td_interval *v, size_t cpu)
{
    const struct td_verdict *verdict = td_result_verdict(&td->result);
    const char *node = verdict->npath ? verdict->path[0]->name : NULL;

    td->agreed = cpu && !(td->agreed && node && !strcmp(td->agreed, node)) ? NULL : node;
    if (cpu + 1 == td->candidates.n && td->agreed)
        td_log_note(&td->log, "%s: %s%s%s%sprobably %s on each of %s", td->stream->name,
                    v->at.scope_kind == TD_KIND_SYSTEM ? "" : v->at.scope,
                    v->at.scope_kind == TD_KIND_SYSTEM ? "" : ": ", v->core ? td_core_name(v->core) : "",
                    v->core ? "-cores: " : "", td->agreed, td->candidates.names.at);
}

int td_session_solve_for(struct td *td, const struct td_interval *v, bool whole, size_t cpu,
                         const struct td_result **out)
{
    const struct td_candidate *c = &td->candidates.c[cpu];
    const int part = td_candidate_part(c, v->core);
    struct td_result *r = &td->result;
    int err;

    *out = NULL;
    r->summary = whole;
    err = part < 0 ? -ENOENT : solve_one(td, cpu, part, v, &td->bound[0], r);
    if (err)
        return err == -ENOENT ? 0 : err;
    r->cpu = td_candidate_label(c->label, c, part);
    if (!whole && !v->at.has_time)
        tell_agreed(td, v, cpu);
    tell_smt(td, r);
    *out = r;
    return 0;
}

int td_session_solve(struct td *td, const struct td_interval *v, bool whole, const struct td_result **out)
{
    struct td_candidates *k = &td->candidates;
    struct td_result *r = &td->result;
    int err, part = td_candidate_part(&k->c[0], v->core);

    *out = NULL;
    if (!whole && solved_before(r, v)) {
        describe(r, td->stream, v);
        *out = r;
        return 0;
    }
    r->summary = td->other.summary = whole;
    err = solve_one(td, 0, part, v, &td->bound[0], r);
    r->cpu = td_candidate_label(k->label, &k->c[0], part);
    for (size_t i = 1; i < k->n && !err; i++) {
        const int others = td_candidate_part(&k->c[i], v->core);
        const char *differ = NULL;

        if (others < 0) /* it has no such core */
            continue;
        err = solve_one(td, i, others, v, &td->bound[1], &td->other);
        if (!err && td_merge(r, &td->other, &td->merged, &differ))
            err = td_log_no_memory(&td->log);
        if (differ && td->each) {
            tell_split(td, differ);
            return 0;
        }
        if (differ) {
            return td_log_fail(
                &td->log, -EINVAL,
                "%s:%lu: several CPUs fit these events, and their %s differs; name the CPU with --uarch: %s",
                td->stream->name, td->stream->line, differ, k->names.at);
        }
    }
    if (!err)
        tell_smt(td, r);
    *out = err ? NULL : r;
    return err;
}

/* Whether the CPU has the kind of core that was counted; if not, it is left out, and noted once. */
static bool has_part(struct td *td, const struct td_interval *v)
{
    const struct td_candidates *k = &td->candidates;
    bool *told = &td->told_core[td_core_index(v->core)];

    if (td_candidate_part(&k->c[0], v->core) >= 0)
        return true;
    if (!*told)
        td_log_note(&td->log, "%s:%lu: the counts of %s-cores are left out: %s has none", td->stream->name,
                    td->stream->line, td_core_name(v->core), k->names.at);
    *told = true;
    return false;
}

/* On hybrids, lines without a PMU rarely belong to a core (task-clock). */
static bool holds_nothing(struct td *td, const struct td_interval *v)
{
    struct td_candidate *c = &td->candidates.c[0];

    if (v->core || !c->identity.part[0]->core || v->counts.status != TD_OK)
        return false;
    /* where memory lacks, whoever solves it says so */
    return !td_candidate_bind(c, 0, &td->stream->texts, v, &td->bound[0]) && !td->bound[0].n;
}

bool td_session_skips(struct td *td, const struct td_interval *v)
{
    return (!v->counts.n && !v->unknown && v->counts.status == TD_OK) || !has_part(td, v) || holds_nothing(td, v);
}
