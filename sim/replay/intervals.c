/* SPDX-License-Identifier: MIT */
#include "sim/replay/intervals.h"

#include "core/core_kind.h"
#include "core/counts/scope_index.h"
#include "core/counts/scope_kind.h"
#include "sim/replay/run_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One scope and kind of core within the interval being put together. */
struct lane {
    uint32_t round; /* equals td_gather.round if the lane is in the batch */
    uint32_t at; /* its place in the batch */
    uint16_t group;
    uint16_t words; /* how many seen has */
    uint64_t *seen; /* texts of the group, as bits */
};

/* A scope's lanes, by td_core_index(): made when first needed. */
struct lanes {
    struct lane *of[TD_CORES];
};

struct td_gather {
    struct td_scope_index index;
    struct lanes *lanes; /* by the scopes' numbers */
    size_t nlanes, room;
    size_t at; /* in the batch: where the last row was added */
    uint32_t round; /* intervals so far */
    uint64_t elapsed; /* ns that the interval took, as the recording gives it; 0: it does not */
    uint64_t end; /* of the interval before, in ns: where this one begins */
    struct td_run_groups runs;
    bool pending;
    int err; /* what the reading ended with, which is returned after the last interval */
    char why[TD_LOG_TEXT]; /* the text of that error */
    size_t rows, rows_before; /* how many this interval has, and the one before had */
    struct td_row held; /* the first row of the next interval */
};

struct td_gather *td_gather_new(void)
{
    return calloc(1, sizeof(struct td_gather));
}

static void lane_free(struct lane *l)
{
    if (l)
        free(l->seen);
    free(l);
}

void td_gather_free(struct td_gather *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->nlanes; i++)
        for (size_t c = 0; c < TD_CORES; c++)
            lane_free(w->lanes[i].of[c]);
    free(w->lanes);
    td_run_groups_free(&w->runs);
    td_scope_index_free(&w->index);
    free(w);
}

/* Makes room for the scope that the index will number next. */
static int make_room(struct td_gather *w)
{
    size_t room = w->room ? 2 * w->room : 4;
    struct lanes *grown;

    if (w->nlanes < w->room)
        return 0;
    grown = realloc(w->lanes, room * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    w->lanes = grown;
    w->room = room;
    return 0;
}

int td_gather_scope(struct td_recording *r, struct td_gather *w, const char *name, size_t len, enum td_scope_kind kind)
{
    int err = make_room(w), at = err ? err : td_scope_number(&w->index, name, len, kind, '\0');

    if (at == -E2BIG)
        return td_recording_bad(r, "more than %d CPUs, threads or cgroups", TD_SCOPES_MAX);
    if (at < 0)
        return td_log_no_memory(r->log);
    if ((size_t)at == w->nlanes)
        w->lanes[w->nlanes++] = (struct lanes){.of = {NULL}};
    return at;
}

int td_gather_system(struct td_recording *r, struct td_gather *w)
{
    return td_gather_scope(r, w, "system", strlen("system"), TD_KIND_SYSTEM);
}

void td_gather_elapsed(struct td_gather *w, double ns)
{
    if (!w->elapsed) /* else it was counted, in ns */
        w->elapsed = ns > 0 && ns < 0x1p63 ? (uint64_t)ns : 0;
}

/* The lane's interval in the batch, started if this is its first row. */
static int begin_lane(struct td_recording *r, struct td_gather *w, const struct td_row *row, struct lane *l)
{
    const struct td_scope_key *scope = &w->index.key[row->scope];
    struct td_interval *v = td_stream_interval(&r->stream);

    if (!v)
        return td_log_no_memory(r->log);
    l->round = w->round;
    l->at = (uint32_t)r->stream.nbatch - 1;
    l->group = 0;
    memset(l->seen, 0, l->words * sizeof(*l->seen));
    v->at.has_time = row->has_time;
    v->at.time = row->time;
    v->at.scope = scope->name;
    v->at.scope_kind = scope->kind;
    v->core = r->stream.texts.entries[row->text].core;
    v->lane = (uint32_t)row->scope * TD_CORES + (uint32_t)td_core_index(v->core);
    v->switched = td_kind_switched(scope->kind);
    return 0;
}

/* Makes room for the bits of all texts so far. */
static int see_texts(struct lane *l, size_t texts)
{
    const size_t words = texts / 64 + 1;
    uint64_t *grown;

    if (words <= l->words)
        return 0;
    grown = realloc(l->seen, words * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    memset(grown + l->words, 0, (words - l->words) * sizeof(*grown));
    l->seen = grown;
    l->words = (uint16_t)words;
    return 0;
}

/* The lane that a row belongs to, with its interval started. */
static int find_lane(struct td_recording *r, struct td_gather *w, const struct td_row *row, struct lane **out)
{
    struct lane **l = &w->lanes[row->scope].of[td_core_index(r->stream.texts.entries[row->text].core)];

    if (!*l)
        *l = calloc(1, sizeof(**l));
    if (!*l || see_texts(*l, r->stream.texts.n))
        return td_log_no_memory(r->log);
    *out = *l;
    return (*l)->round == w->round ? 0 : begin_lane(r, w, row, *l);
}

/* The group of a row: a group ends where an event repeats. */
static void find_group(struct lane *l, const struct td_row *row, uint32_t text)
{
    const uint64_t bit = UINT64_C(1) << (text % 64);

    if (l->seen[text / 64] & bit || row->first_group > l->group) {
        memset(l->seen, 0, l->words * sizeof(*l->seen));
        l->group = row->first_group > l->group ? row->first_group : (uint16_t)(l->group + 1);
    }
    l->seen[text / 64] |= bit;
}

static int add_row(struct td_recording *r, struct td_gather *w, const struct td_row *row)
{
    const struct td_text_entry *text = &r->stream.texts.entries[row->text];
    struct lane *l = NULL;
    struct td_count *c;
    int err = find_lane(r, w, row, &l);

    if (err)
        return err;
    if (text->elapsed && row->status == TD_OK)
        td_gather_elapsed(w, row->value);
    find_group(l, row, text->first);
    if (row->groups && l->group - row->first_group >= row->groups)
        return td_recording_bad(r, "an event occurs more than %d times in one run", row->groups);
    w->at = l->at;
    err = td_counts_extend(&r->stream.batch[l->at].counts, &c);
    if (err == -E2BIG)
        return td_recording_bad(r, "more than %d events at one time%s", TD_READING_ROWS,
                                row->has_time ? "" : " (was -I's time column lost?)");
    if (err)
        return td_log_no_memory(r->log);
    c->value = row->value;
    c->enabled = row->enabled;
    c->running = row->running;
    c->group = l->group;
    c->modes = text->modes;
    c->status = row->status == TD_OK && row->running == 0 && !r->stream.coverage_unknown ? TD_NOT_COUNTED : row->status;
    c->text = (uint32_t)row->text;
    c->printed = row->printed;
    return 0;
}

/* Adds further metrics to the row that was added last, which is of this interval. */
static int add_printed(struct td_recording *r, const struct td_gather *w, uint32_t printed)
{
    const struct td_counts *k = &r->stream.batch[w->at].counts;
    struct td_count *last = &k->c[k->n - 1];

    last->printed = td_hints_join(&r->stream.hints, last->printed, printed);
    return td_recording_check_hints(r);
}

static int by_lane(const void *a, const void *b)
{
    const struct td_interval *one = a, *other = b;

    return one->lane < other->lane ? -1 : one->lane > other->lane;
}

/* They are mostly in order already. */
static void sort(struct td_stream *s)
{
    for (size_t i = 1; i < s->nbatch; i++)
        if (s->batch[i - 1].lane > s->batch[i].lane) {
            qsort(s->batch, s->nbatch, sizeof(*s->batch), by_lane);
            return;
        }
}

/* Whether nothing of the interval can be missing when the row after it gave err (row
 * has what was read of it): a bad row may be in the middle of an interval. */
static bool is_whole(const struct td_gather *w, const struct td_row *row, int err)
{
    if (!err || err == -ENODATA || err == -EAGAIN || row->new_run)
        return true;
    return (row->has_time && w->held.has_time && row->time != w->held.time) ||
           (w->rows_before && w->rows >= w->rows_before);
}

static int take_row(struct td_recording *r, struct td_gather *w, const struct td_row *row)
{
    if (row->more)
        return add_printed(r, w, row->printed);
    if (r->stream.hints.err)
        return td_recording_check_hints(r);
    if (!w->rows) /* all of the interval have its time */
        w->held = *row;
    if (w->rows++ == TD_GATHER_ROWS)
        return td_recording_bad(r, "more than %d counts at one time", TD_GATHER_ROWS);
    return add_row(r, w, row);
}

/* An interval begins where the previous one ended; the first one, and that of another run, at 0. How long it took
 * by duration_time is more exact: the tool prints the time when it has read all counters. */
static void set_durations(struct td_recording *r, struct td_gather *w, bool begins)
{
    const struct td_interval *first = r->stream.batch;
    uint64_t duration = w->elapsed;

    if (!r->stream.nbatch)
        return;
    if (begins)
        w->end = 0;
    if (first->at.has_time) {
        if (!duration)
            duration = first->at.time - w->end; /* in a run, the readers refuse times that go backwards */
        w->end = first->at.time;
    }
    for (size_t i = 0; i < r->stream.nbatch; i++)
        r->stream.batch[i].at.duration = duration;
}

/* What comes after an interval is reported when that is asked for: an error, or the first
 * row of the next one. */
static int keep_rest(struct td_recording *r, struct td_gather *w, const struct td_row *row, int err)
{
    w->pending = !err;
    w->err = err == -EAGAIN ? 0 : err;
    if (!is_whole(w, row, err))
        return err;
    if (w->err && w->err != -ENODATA)
        td_log_defer(r->log, w->why);
    w->held = *row;
    return 0;
}

int td_gather_next(struct td_recording *r, struct td_gather *w, td_row_next_fn *next)
{
    struct td_row row = w->held;
    bool begins, numbered;
    int err = 0;

    r->stream.nbatch = 0;
    if (w->err)
        return *w->why ? td_log_fail(r->log, w->err, "%s", w->why) : w->err;
    if (!w->pending)
        err = next(r, &row);
    if (err)
        return w->err = err;
    w->round++;
    w->rows_before = w->rows;
    w->rows = 0;
    w->elapsed = 0;
    begins = row.new_run;
    numbered = row.groups; /* the reader has numbered the groups, over all runs */
    do {
        err = take_row(r, w, &row);
        if (err)
            return w->err = err;
        err = next(r, &row);
    } while (!err && (row.more || (!row.new_run && row.has_time == w->held.has_time && row.time == w->held.time)));
    sort(&r->stream);
    set_durations(r, w, begins);
    if (!numbered && td_run_groups_number(&w->runs, &r->stream, begins))
        return w->err = td_log_no_memory(r->log);
    return keep_rest(r, w, &row, err);
}
