/* SPDX-License-Identifier: MIT */
#include "gather.h"

#include "scope_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_WORDS = TD_TEXTS_MAX / 64 };

/* One scope and kind of core within the interval being put together. */
struct lane {
    uint32_t round; /* of td_gather.round: whether it is in the batch */
    size_t at; /* its place there */
    uint16_t group;
    uint64_t seen[SEEN_WORDS]; /* texts of the group */
};

struct row_scope {
    char *name;
    const char *kind;
    struct lane *lane[TD_CORES]; /* made when first needed */
};

struct td_gather {
    struct row_scope *scope; /* by their numbers in the index */
    size_t nscopes;
    struct td_scope_index index;
    size_t at; /* in the batch: where the last row went */
    uint32_t round; /* intervals so far */
    bool pending;
    int err; /* what the reading ended with: given behind the last interval */
    size_t rows, rows_before; /* of this interval, of the one before */
    struct td_row held; /* the first row of the next interval */
};

struct td_gather *td_gather_new(void)
{
    return calloc(1, sizeof(struct td_gather));
}

void td_gather_free(struct td_gather *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->nscopes; i++) {
        free(w->scope[i].name);
        for (size_t c = 0; c < TD_CORES; c++)
            free(w->scope[i].lane[c]);
    }
    free(w->scope);
    td_scope_index_free(&w->index);
    free(w);
}

int td_gather_scope(struct td_recording *r, struct td_gather *w, const char *name, size_t len, const char *kind)
{
    int at = td_scope_find(&w->index, name, len, kind, '\0');
    struct row_scope *grown;

    if (at >= 0)
        return at;
    if (w->nscopes == TD_GATHER_SCOPES)
        return td_recording_bad(r, "more than %d CPUs, threads or cgroups", TD_GATHER_SCOPES);
    grown = realloc(w->scope, (w->nscopes + 1) * sizeof(*grown));
    if (!grown)
        return td_recording_no_memory(r);
    w->scope = grown;
    grown[w->nscopes] = (struct row_scope){.name = strndup(name, len), .kind = kind};
    if (!grown[w->nscopes].name)
        return td_recording_no_memory(r);
    at = td_scope_add(&w->index, grown[w->nscopes++].name, kind, '\0');
    return at < 0 ? td_recording_no_memory(r) : at;
}

int td_gather_system(struct td_recording *r, struct td_gather *w)
{
    return td_gather_scope(r, w, td_kind_system, strlen(td_kind_system), td_kind_system);
}

/* The lane's interval in the batch, begun if this is its first row. */
static int begin_lane(struct td_recording *r, struct td_gather *w, const struct td_row *row, struct row_scope *s, struct lane *l)
{
    struct td_interval *v = td_recording_interval(r);

    if (!v)
        return td_recording_no_memory(r);
    l->round = w->round;
    l->at = r->nbatch - 1;
    l->group = 0;
    memset(l->seen, 0, sizeof(l->seen));
    v->has_time = row->has_time;
    v->time = row->time;
    v->scope = s->name;
    v->scope_kind = s->kind;
    v->core = r->texts.entries[row->text].core;
    v->order = (uint32_t)row->scope * TD_CORES + (uint32_t)td_core_index(v->core);
    v->switched = td_kind_switched(s->kind);
    return 0;
}

static int add_row(struct td_recording *r, struct td_gather *w, const struct td_row *row)
{
    const struct td_text_entry *text = &r->texts.entries[row->text];
    struct row_scope *s = &w->scope[row->scope];
    struct lane **lane = &s->lane[td_core_index(text->core)], *l;
    struct td_count c = {
        .value = row->value, .enabled = row->enabled, .running = row->running, .modes = text->modes,
        .status = row->status == TD_OK && row->running == 0 && !r->coverage_unknown ? TD_NOT_COUNTED : row->status, .text = (uint32_t)row->text,
        .printed = row->printed,
    };
    uint64_t bit = UINT64_C(1) << (text->first % 64), *seen;
    int err = 0;

    if (!*lane && !(*lane = calloc(1, sizeof(**lane))))
        return td_recording_no_memory(r);
    l = *lane;
    if (l->round != w->round)
        err = begin_lane(r, w, row, s, l);
    if (err)
        return err;
    seen = &l->seen[text->first / 64];
    if (*seen & bit || row->first_group > l->group) {
        memset(l->seen, 0, sizeof(l->seen));
        l->group = row->first_group > l->group ? row->first_group : (uint16_t)(l->group + 1);
    }
    *seen |= bit;
    c.group = l->group;
    w->at = l->at;
    err = td_counts_append(&r->batch[l->at].counts, &c);
    if (err == -E2BIG)
        return td_recording_bad(r, "more than %d events at one time%s", TD_COUNTS_MAX, row->has_time ? "" : " (was -I's time column lost?)");
    return err ? td_recording_no_memory(r) : 0;
}

/* Further metrics of the row last added. */
static void add_printed(struct td_recording *r, const struct td_gather *w, uint32_t printed)
{
    const struct td_counts *k = r->nbatch ? &r->batch[w->at].counts : NULL;

    if (k && k->n)
        k->c[k->n - 1].printed |= printed;
}

static int by_order(const void *a, const void *b)
{
    const struct td_interval *one = a, *other = b;

    return one->order < other->order ? -1 : one->order > other->order;
}

/* Mostly they are in order already. */
static void sort(struct td_recording *r)
{
    for (size_t i = 1; i < r->nbatch; i++)
        if (r->batch[i - 1].order > r->batch[i].order) {
            qsort(r->batch, r->nbatch, sizeof(*r->batch), by_order);
            return;
        }
}

/* Whether nothing of the interval can be missing, when what came behind it was err
 * and, as far as it was read, row: a bad row may be in the middle of an interval. */
static bool is_whole(const struct td_gather *w, const struct td_row *row, int err)
{
    if (!err || err == -ENODATA || err == -EAGAIN || row->new_run)
        return true;
    return (row->has_time && w->held.has_time && row->time != w->held.time) || (w->rows_before && w->rows >= w->rows_before);
}

static int take_row(struct td_recording *r, struct td_gather *w, const struct td_row *row)
{
    if (row->more) {
        add_printed(r, w, row->printed);
        return 0;
    }
    if (w->rows++ == TD_GATHER_ROWS)
        return td_recording_bad(r, "more than %d counts at one time", TD_GATHER_ROWS);
    w->held = *row;
    return add_row(r, w, row);
}

int td_gather_next(struct td_recording *r, struct td_gather *w, td_row_next_fn *next)
{
    struct td_row row = w->held;
    int err = w->err;

    r->nbatch = 0;
    if (!err && !w->pending)
        err = next(r, &row);
    if (err)
        return w->err = err;
    w->round++;
    w->rows_before = w->rows;
    w->rows = 0;
    do {
        err = take_row(r, w, &row);
        if (err)
            return w->err = err;
        err = next(r, &row);
    } while (!err && (row.more || (!row.new_run && row.has_time == w->held.has_time && row.time == w->held.time)));
    sort(r);
    w->pending = !err;
    w->err = err == -EAGAIN ? 0 : err;
    err = is_whole(w, &row, err) ? 0 : err;
    w->held = row;
    return err;
}
