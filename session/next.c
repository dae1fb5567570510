/* SPDX-License-Identifier: MIT */
/* The common path from intervals of any stream to results. */
#include "private/result.h"
#include "session/solution.h"
#include "session/identify.h"
#include "session/printed.h"
#include "session/times.h"
#include "session/to_trace.h"

#include <errno.h>

static int add_up(struct td *td, const struct td_interval *v)
{
    int err = v->mixed ? 0 : td_sums_add(&td->sums, v, &td->stream->hints);

    if (err == -ENOMEM)
        return td_log_no_memory(&td->log);
    if (err && td->stream->hints.err)
        return td_log_fail(&td->log, -EBADMSG, "%s:%lu: more than %d different sets of metrics beside counts",
                           td->stream->name, td->stream->line, TD_HINTS_MAX);
    if (err)
        return td_log_fail(
            &td->log, -EBADMSG,
            "%s:%lu: the sum of all intervals has more than %d counts of events; --time sums a part of them",
            td->stream->name, td->stream->line, TD_READING_ROWS);
    return 0;
}

/* Lines of a hybrid that name no PMU belong to the kind of core whose events they name, and
 * their counts belong to the same sum as its own. */
static int name_core(struct td *td, struct td_interval **v)
{
    struct td_candidate *c = &td->candidates.c[0];
    struct td_interval *own = &td->unnamed;
    struct td_counts counts = own->counts;
    int err;

    if ((*v)->uarch)
        return 0;
    if ((*v)->core || c->identity.nparts < 2)
        return td_candidate_number(c, td_candidate_part(c, (*v)->core), &td->stream->texts, *v)
                   ? td_log_no_memory(&td->log)
                   : 0;
    err = td_candidate_bind(c, 0, &td->stream->texts, *v, &counts);
    *own = **v;
    own->counts = counts;
    own->core = c->identity.part[0]->core;
    own->lane += (uint32_t)td_core_index(own->core);
    *v = own;
    return err ? td_log_no_memory(&td->log) : 0;
}

/* Notes once that a later interval has no event of the CPU that the file began with, or those of another: several
 * machines' recordings are in it. */
static void note_stranger(struct td *td, const struct td_interval *v, const struct td_result *r)
{
    const char *began = td->candidates.n > 1 ? "several CPUs" : td->candidates.c[0].identity.name;
    const struct td_stream *s = td->stream;
    bool any = td->strange;

    for (size_t i = 0; i < r->nmetrics && !any; i++)
        any = r->metrics[i].status != TD_MISSING_EVENT && r->metrics[i].status != TD_NOT_ON_THIS_CPU;
    if (any || !r->nmetrics)
        return;
    if (td_session_strange(td, v)) {
        td->strange = true;
        td_log_note(
            &td->log,
            "%s:%lu: the interval that ends here has no event of the formulas that the file began with (%s): if "
            "another machine was recorded from here on, put that part into a file of its own",
            s->name, s->line, began);
    } else if (td_session_others(td, v)) {
        td->strange = true;
        td_log_note(
            &td->log,
            "%s:%lu: the interval that ends here has the events of another CPU than the file began with (%s): put "
            "each machine's part into a file of its own",
            s->name, s->line, began);
    }
}

static int take_interval(struct td *td, struct td_interval *v, const struct td_result **out)
{
    int err;

    if (td_session_skips(td, v))
        return 0;
    err = name_core(td, &v);
    if (err)
        return err;
    td->matched = td->matched || td_session_matches(td, v);
    if (!td->matched) /* if none does, the CPU is another: this is known at the end */
        return 0;
    if (!td_session_in_time(td, v->at.has_time, v->at.time)) {
        td->outside = true;
        return 0;
    }
    err = add_up(td, v);
    if (!err && td->convert)
        err = td_convert_interval(td, v);
    if (err || td->skip_intervals)
        return err;
    err = td->split ? 0 : td_session_solve(td, v, false, out);
    if (!err && *out)
        note_stranger(td, v, *out);
    if (!err && td->split) {
        td->pending = v;
        td->next_cpu = 0;
    }
    return err;
}

/* Of several CPUs whose answers differ, the next one's of the interval at hand. */
static int take_pending(struct td *td, const struct td_result **out)
{
    struct td_interval *v = td->pending;

    if (td->next_cpu + 1 >= td->candidates.n)
        td->pending = NULL;
    return td_session_solve_for(td, v, false, td->next_cpu++, out);
}

/* Takes the next batch, and finds whose counts it holds. */
static int take_batch(struct td *td)
{
    struct td_stream *s = td->stream;
    int err;

    td->at = 0;
    err = s->next(s);
    td->any = td->any || !err;
    if (!err && !td->ready)
        err = td_session_identify(td);
    return td->convert && (!err || err == -ENODATA) ? td_convert_flush(td, err) : err;
}

/* The stream ended: checks whether anything was in it. */
static int end(struct td *td)
{
    if (!td->any)
        return td_log_fail(&td->log, -EBADMSG, "%s:%lu: the file holds no interval in which anything was counted",
                           td->stream->name, td->stream->line);
    if (!td->ready)
        return td_session_no_events(td);
    if (td->matched && td->outside && !td->sums.n)
        return td_session_none_in_time(td, td->stream->name);
    if (!td->matched)
        return td_session_unmatched(td);
    td->no_topdown = !td->valued && !td->skip_intervals;
    return -ENODATA;
}

static bool has_value(const struct td_result *r)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].status == TD_OK)
            return true;
    return false;
}

static int next_result(struct td *td, const struct td_result **out)
{
    int err = 0;

    *out = NULL;
    while (!err && !*out)
        err = td->pending                   ? take_pending(td, out)
              : td->at < td->stream->nbatch ? take_interval(td, &td->stream->batch[td->at++], out)
                                            : take_batch(td);
    td->valued = td->valued || (*out && has_value(*out));
    return err == -ENODATA ? end(td) : err;
}

int td_next(struct td *td, const struct td_result **out)
{
    *out = NULL;
    if (td->printed)
        return td_printed_next(td, out);
    if (!td->stream || !td->opened || td->own)
        return td_log_fail(&td->log, -EINVAL, "no recording is open");
    return next_result(td, out);
}

void td_set_each_cpu(struct td *td, bool each)
{
    td->each = each;
}

bool td_gives_each_cpu(const struct td *td)
{
    return td->split;
}

int td_summary_restart(struct td *td, size_t i)
{
    if (i >= td->sums.n)
        return -ENODATA;
    td->sums.sum[i].over = true;
    return 0;
}

/* ---- sums: each is a row, or, where the answers of CPUs differ, a row for each CPU --------------- */

static bool is_split(const struct td *td, size_t sum)
{
    return td->split && sum >= td->split_from;
}

/* Whether this CPU has the kind of core that the sum counted. */
static bool has_row(const struct td *td, size_t sum, size_t cpu)
{
    return td_candidate_part(&td->candidates.c[cpu], td->sums.sum[sum].all.core) >= 0;
}

/* Finds the i-th row, from where the last one was. */
static bool find_row(struct td *td, size_t i)
{
    struct td_row_at *at = &td->row;

    if (i < at->i)
        *at = (struct td_row_at){0};
    while (at->sum < td->sums.n) {
        if (has_row(td, at->sum, at->cpu) && at->i++ == i) {
            at->i = i;
            return true;
        }
        if (++at->cpu >= (is_split(td, at->sum) ? td->candidates.n : 1)) {
            at->cpu = 0;
            at->sum++;
        }
    }
    return false;
}

/* One answer for all CPUs, or from now on the first one's. */
static int solve_sum(struct td *td, const struct td_interval *sum, const struct td_result **out)
{
    const int err = td_session_solve(td, sum, true, out);

    if (err || *out)
        return err;
    td->split_from = td->row.sum;
    return td_session_solve_for(td, sum, true, 0, out);
}

int td_summary(struct td *td, size_t i, const struct td_result **out)
{
    const struct td_interval *sum;

    if (td->printed)
        return td_printed_summary(td, i, out);
    if (!find_row(td, i))
        return -ENODATA;
    sum = &td->sums.sum[td->row.sum].all;
    return is_split(td, td->row.sum) ? td_session_solve_for(td, sum, true, td->row.cpu, out) : solve_sum(td, sum, out);
}
