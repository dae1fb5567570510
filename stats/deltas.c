/* SPDX-License-Identifier: MIT */
#include "stats/deltas.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- places by their pointers ----------------------------------------------------- */

struct td_slot {
    uint32_t at; /* the place's index plus 1; 0: the slot is free */
    uint32_t hash; /* the place's hash, by which most other places are told apart without looking at them */
};

/* Fibonacci hashing (Knuth): the factor is 2^64 divided by the golden ratio. */
static uint32_t hash(const void *place)
{
    return (uint32_t)(((uint64_t)(uintptr_t)place >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The slot that a place has in the table, or would get; for NULL, which is no place, a free one. */
static struct td_slot *slot_of(const struct td_deltas *d, const void *place, uint32_t hashed)
{
    size_t i = hashed & (d->nslots - 1);

    while (d->slot[i].at && (d->slot[i].hash != hashed || d->place[d->slot[i].at - 1].place != place))
        i = (i + 1) & (d->nslots - 1);
    return &d->slot[i];
}

/* false: out of memory. */
static bool widen_table(struct td_deltas *d)
{
    const size_t before = d->nslots, n = before ? 2 * before : 64;
    struct td_slot *old = d->slot, *grown = calloc(n, sizeof(*grown));

    if (!grown)
        return false;
    d->slot = grown;
    d->nslots = n;
    for (size_t i = before; i-- > 0;)
        if (old[i].at)
            *slot_of(d, NULL, old[i].hash) = old[i];
    free(old);
    return true;
}

/* false: out of memory. */
static bool widen_places(struct td_deltas *d)
{
    const size_t room = d->room ? 2 * d->room : 16;
    double *sum = realloc(d->sum, (room * d->columns_room + 1) * sizeof(*sum));
    struct td_delta_place *place = realloc(d->place, room * sizeof(*place));

    d->sum = sum ? sum : d->sum;
    d->place = place ? place : d->place;
    d->most = d->most ? d->most : calloc(d->metrics + 1, sizeof(*d->most));
    d->column = d->column ? d->column : calloc(d->metrics + 1, sizeof(*d->column));
    if (!sum || !place || !d->most || !d->column)
        return false;
    d->room = room;
    return true;
}

/* Adds a place, for that slot of the table. false: out of memory. */
static bool insert(struct td_deltas *d, const void *place, struct td_slot *slot, uint32_t hashed)
{
    if (d->n == UINT32_MAX - 1 || (d->n == d->room && !widen_places(d)))
        return false;
    d->place[d->n] = (struct td_delta_place){.place = place};
    memset(&d->sum[d->n * d->columns_room], 0, d->columns_room * sizeof(*d->sum));
    *slot = (struct td_slot){(uint32_t)++d->n, hashed};
    return true;
}

/* The index of a place plus 1, which is added if it is new; 0: out of memory. */
static size_t know(struct td_deltas *d, const void *place)
{
    const uint32_t hashed = hash(place);
    struct td_slot *slot;

    if (4 * d->n >= 3 * d->nslots && !widen_table(d))
        return 0;
    slot = slot_of(d, place, hashed);
    if (!slot->at && !insert(d, place, slot, hashed))
        return 0;
    return slot->at;
}

const struct td_delta_place *td_deltas_find(const struct td_deltas *d, const void *place)
{
    const uint32_t at = d->nslots ? slot_of(d, place, hash(place))->at : 0;

    return at ? &d->place[at - 1] : NULL;
}

/* ---- sums --------------------------------------------------------------------------- */

/* What stays at a place or comes back, to be written to; NULL: out of memory. */
static struct td_stays *stays_at(struct td_delta_place *place)
{
    if (!place->stays)
        place->stays = calloc(1, sizeof(*place->stays));
    return place->stays;
}

static int add_pure(struct td_deltas *d, struct td_delta_place *place, const struct td_delta *delta)
{
    struct td_stays *stays = stays_at(place);

    if (!stays)
        return -ENOMEM;
    stays->own += delta->weight * delta->own;
    return td_pure_add(&stays->pure, d->value, d->columns, delta->weight, delta->restored);
}

/* Counts three samples in a row, of which the first and the third are in this place. returns: the second is not; own:
 * all are of one thread. */
static int add_triple(struct td_delta_place *place, bool returns, bool own)
{
    struct td_stays *stays = stays_at(place);

    if (!stays)
        return -ENOMEM;
    stays->triples++;
    stays->returns += returns;
    stays->own_triples += own;
    stays->own_returns += own && returns;
    return 0;
}

/* Counts where a thread comes from that ended a delta in this place. */
static int add_entry(struct td_delta_place *place, const struct td_delta *delta)
{
    const bool is_back = delta->back != TD_BACK_NONE;
    struct td_stays *stays;
    struct td_entries *to;

    if (!is_back && !(delta->own > 0))
        return 0;
    stays = stays_at(place);
    if (!stays)
        return -ENOMEM;
    to = is_back ? &stays->back : &stays->going_on;
    to->n++;
    to->entered += is_back ? delta->back == TD_BACK_ELSEWHERE : delta->began != delta->place;
    return 0;
}

/* Counts a move between two places, by their indices. */
static int add_move(struct td_deltas *d, size_t from, size_t to)
{
    struct td_stays *stays = stays_at(&d->place[from]);

    return stays ? td_moves_add(&d->moves, from, to, &stays->moves) : -ENOMEM;
}

/* ---- columns --------------------------------------------------------------------------- */

static int own_weights(const struct td_deltas *d, struct td_delta_place *p)
{
    p->weight = calloc(d->columns_room, sizeof(*p->weight));
    for (size_t i = 0; p->weight && i < d->columns; i++)
        p->weight[i] = p->slots;
    return p->weight ? 0 : -ENOMEM;
}

static int widen_weights(struct td_delta_place *p, size_t from, size_t to)
{
    double *grown = realloc(p->weight, to * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    memset(grown + from, 0, (to - from) * sizeof(*grown));
    p->weight = grown;
    return 0;
}

static int widen_columns(struct td_deltas *d)
{
    const size_t before = d->columns_room, room = before ? 2 * before : 4;
    double *grown = calloc(d->room * room + 1, sizeof(*grown)), *value = realloc(d->value, room * sizeof(*value));
    int err = grown && value ? 0 : -ENOMEM;

    d->value = value ? value : d->value;
    for (size_t i = 0; i < d->n && !err; i++) {
        if (before)
            memcpy(&grown[i * room], &d->sum[i * before], before * sizeof(*grown));
        if (d->place[i].weight)
            err = widen_weights(&d->place[i], before, room);
    }
    if (err) {
        free(grown);
        return err;
    }
    free(d->sum);
    d->sum = grown;
    d->columns_room = room;
    return 0;
}

/* A metric that no delta had until now. */
static int add_column(struct td_deltas *d, size_t metric)
{
    int err = d->columns == d->columns_room ? widen_columns(d) : 0;

    for (size_t i = 0; i < d->n && !err; i++)
        if (d->place[i].slots > 0 && !d->place[i].weight)
            err = own_weights(d, &d->place[i]);
    if (!err)
        d->column[metric] = (uint32_t)++d->columns;
    return err;
}

/* Puts what the delta has to columns; *lacks: it has not all that others have. */
static int take_values(struct td_deltas *d, const struct td_delta *delta, bool *lacks)
{
    *lacks = false;
    for (size_t i = 0; i < d->metrics; i++) {
        const double value = delta->value[i];

        if (!d->column[i] && isnan(value))
            continue;
        if (!d->column[i]) {
            const int err = add_column(d, i);

            if (err)
                return err;
        }
        d->value[d->column[i] - 1] = value;
        *lacks = *lacks || isnan(value);
        d->most[i] = fmax(d->most[i], value);
    }
    return 0;
}

struct td_weighed td_deltas_all(const struct td_deltas *d, const struct td_delta_place *p, size_t metric)
{
    const size_t at = d->column[metric];

    if (!at)
        return (struct td_weighed){0, 0};
    return (struct td_weighed){p->weight ? p->weight[at - 1] : p->slots,
                               d->sum[(size_t)(p - d->place) * d->columns_room + at - 1]};
}

struct td_weighed td_deltas_chunk(const struct td_deltas *d, const struct td_delta_place *p, size_t chunk,
                                  size_t metric)
{
    const size_t at = d->column[metric];

    return at ? td_pure_chunk(&td_stays_of(p)->pure, chunk, at - 1) : (struct td_weighed){0, 0};
}

/* ---- courses -------------------------------------------------------------------------- */

/* The places of one sample, by their index. */
struct crowd {
    uint32_t *place;
    size_t n, room;
};

struct td_follow {
    const void *before; /* where the last delta began; NULL: not known */
    /* where places contain each other: those of the last three samples; empty: not known */
    struct crowd last, previous, older;
    bool is_short; /* the delta between previous and last is a short one */
    bool own, owned; /* the last delta, and the one before it, began and ended in one thread */
};

static int know_course(struct td_deltas *d, uint32_t course)
{
    size_t n = d->courses ? d->courses : 16;
    struct td_follow *grown;

    while (n <= course)
        n *= 2;
    if (n == d->courses)
        return 0;
    grown = realloc(d->follow, n * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    memset(grown + d->courses, 0, (n - d->courses) * sizeof(*grown));
    d->follow = grown;
    d->courses = n;
    return 0;
}

static void add_total(struct td_deltas *d, const struct td_delta *delta)
{
    if (!delta->began) {
        d->unknown++;
        d->unknown_slots += delta->weight;
        return;
    }
    d->plain = d->plain || delta->kind == TD_DELTA_PLAIN;
    d->some_short = d->some_short || delta->kind == TD_DELTA_SHORT;
    d->some_rest = d->some_rest || delta->kind == TD_DELTA_REST;
    d->pairs = d->some_short || !d->plain;
    d->turns = d->plain && d->some_rest;
    d->intervals += delta->kind != TD_DELTA_REST;
    d->slots += delta->weight;
    d->seconds += delta->seconds;
}

static int add_here(struct td_deltas *d, size_t at, const struct td_delta *delta)
{
    struct td_delta_place *p = &d->place[at];
    double *sum;
    bool lacks;
    int err = take_values(d, delta, &lacks);

    if (!err && lacks && !p->weight)
        err = own_weights(d, p);
    if (err)
        return err;
    sum = &d->sum[at * d->columns_room];
    p->slots += delta->weight;
    for (size_t i = 0; i < d->columns; i++) {
        if (isnan(d->value[i]))
            continue;
        if (p->weight)
            p->weight[i] += delta->weight;
        sum[i] += delta->weight * d->value[i];
    }
    return 0;
}

/* ---- one place at a time ---------------------------------------------------------------- */

/* Takes what a delta says of the place where it ends. */
static int judge(struct td_deltas *d, const struct td_delta *delta, size_t from, size_t to)
{
    struct td_delta_place *began = &d->place[from], *place = &d->place[to];
    int err = 0;

    if (delta->kind == TD_DELTA_PLAIN && d->follow[delta->course].before == place->place)
        err = add_triple(place, began != place, d->follow[delta->course].own && delta->own > 0);
    began->began++;
    place->intervals++;
    err = err ? err : add_entry(place, delta);
    if (err)
        return err;
    if (began == place)
        return add_pure(d, place, delta);
    return delta->kind == TD_DELTA_SHORT ? add_move(d, from, to) : 0;
}

static int put(struct td_deltas *d, const struct td_delta *delta)
{
    const size_t from = know(d, delta->began), to = from ? know(d, delta->place) : 0;
    int err;

    if (!from || !to)
        return -ENOMEM;
    d->last = to;
    err = add_here(d, to - 1, delta);
    return err || delta->kind == TD_DELTA_REST ? err : judge(d, delta, from - 1, to - 1);
}

static int add_alone(struct td_deltas *d, const struct td_delta *delta)
{
    int err = delta->began ? put(d, delta) : 0;

    add_total(d, delta);
    d->follow[delta->course].before = delta->kind == TD_DELTA_REST ? NULL : delta->began;
    d->follow[delta->course].own = delta->own > 0;
    return err;
}

/* ---- places that contain each other --------------------------------------------------------- */

static bool is_among(const struct crowd *c, uint32_t place)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->place[i] == place)
            return true;
    return false;
}

static int join(struct crowd *c, uint32_t place)
{
    if (c->n == c->room) {
        const size_t room = c->room ? 2 * c->room : 8;
        uint32_t *grown = realloc(c->place, room * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        c->place = grown;
        c->room = room;
    }
    c->place[c->n++] = place;
    return 0;
}

/* Adds the moves of a short delta, once all places of its end are known: from each place that it left to the innermost
 * one of its end, and from the innermost one of its beginning to each that it entered. */
static int add_moves(struct td_deltas *d, const struct td_follow *f)
{
    const uint32_t *from = f->previous.place, *to = f->last.place;
    struct td_stays *inner = stays_at(&d->place[from[0]]);
    size_t ignored;
    int err = inner ? 0 : -ENOMEM;

    if (err)
        return err;
    inner->inner++;
    inner->inner_left += from[0] != to[0];
    for (size_t i = 0; i < f->previous.n && !err; i++)
        if (!is_among(&f->last, from[i]))
            err = add_move(d, from[i], to[0]);
    for (size_t i = 0; i < f->last.n && !err; i++)
        if (!is_among(&f->previous, to[i])) {
            ignored = 0;
            err = td_moves_add(&d->entries, from[0], to[i], &ignored);
        }
    return err;
}

/* Begins the next sample of a course. */
static int begin_sample(struct td_deltas *d, struct td_follow *f, const struct td_delta *delta)
{
    const int err = f->is_short && f->previous.n ? add_moves(d, f) : 0; /* the last sample is complete */
    const struct crowd spare = f->older;

    f->older = f->previous;
    f->previous = f->last;
    f->last = spare;
    f->last.n = 0;
    if (!delta->began || delta->kind == TD_DELTA_REST) /* no three samples in a row begin before it */
        f->previous.n = 0;
    f->is_short = delta->kind == TD_DELTA_SHORT;
    f->owned = f->own;
    f->own = delta->own > 0;
    for (size_t i = 0; i < f->previous.n && delta->kind != TD_DELTA_REST; i++)
        d->place[f->previous.place[i]].began++;
    d->nested = true;
    add_total(d, delta);
    return err;
}

/* Takes what one of several deltas with the same ends says of its place, the at-th. */
static int judge_among(struct td_deltas *d, const struct td_follow *f, const struct td_delta *delta, uint32_t at)
{
    struct td_delta_place *place = &d->place[at];
    int err = 0;

    if (delta->kind == TD_DELTA_PLAIN && is_among(&f->older, at))
        err = add_triple(place, !is_among(&f->previous, at), f->own && f->owned);
    place->intervals++;
    err = err ? err : add_entry(place, delta);
    if (err)
        return err;
    return delta->began == delta->place ? add_pure(d, place, delta) : 0;
}

static int add_among(struct td_deltas *d, const struct td_delta *delta)
{
    struct td_follow *f = &d->follow[delta->course];
    const size_t at = know(d, delta->place);
    int err = at ? 0 : -ENOMEM;

    if (!err && delta->nth == 1)
        err = begin_sample(d, f, delta);
    err = err ? err : join(&f->last, (uint32_t)(at - 1));
    if (err)
        return err;
    d->last = at;
    if (!delta->began)
        return 0;
    err = add_here(d, at - 1, delta);
    return err || delta->kind == TD_DELTA_REST ? err : judge_among(d, f, delta, (uint32_t)(at - 1));
}

int td_deltas_add(struct td_deltas *d, const struct td_delta *delta)
{
    int err = know_course(d, delta->course);

    if (err)
        return err;
    d->last = 0;
    return delta->nth ? add_among(d, delta) : add_alone(d, delta);
}

void td_deltas_drop_chunks(struct td_deltas *d, const struct td_delta_place *p)
{
    struct td_stays *stays = d->place[p - d->place].stays;

    if (stays)
        td_pure_free(&stays->pure);
}

void td_deltas_end(struct td_deltas *d)
{
    for (size_t i = 0; i < d->courses; i++) {
        free(d->follow[i].last.place);
        free(d->follow[i].previous.place);
        free(d->follow[i].older.place);
    }
    free(d->follow);
    free(d->slot);
    d->follow = NULL;
    d->slot = NULL;
    d->courses = d->nslots = 0;
}

void td_deltas_free(struct td_deltas *d)
{
    td_deltas_end(d);
    for (size_t i = 0; i < d->n; i++) {
        if (d->place[i].stays)
            td_pure_free(&d->place[i].stays->pure);
        free(d->place[i].stays);
        free(d->place[i].weight);
    }
    free(d->sum);
    free(d->column);
    free(d->value);
    free(d->most);
    free(d->place);
    td_moves_free(&d->moves);
    td_moves_free(&d->entries);
    *d = (struct td_deltas){.metrics = d->metrics};
}
