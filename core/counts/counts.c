/* SPDX-License-Identifier: MIT */
#include "core/counts/counts.h"

#include "core/counts/groups.h"
#include "util/hash_index.h"
#include "core/counts/hints.h"
#include "util/room.h"

enum { STEPS_MAX = 16 * 1024 /* how many steps one interval may take in sequence before an index is made */ };

void td_counts_free(struct td_counts *k)
{
    free(k->c);
    *k = (struct td_counts){0};
}

static bool same_copy(const struct td_count *a, const struct td_count *b)
{
    return a->text == b->text && a->event == b->event && a->group == b->group && a->modes == b->modes;
}

int td_counts_reserve(struct td_counts *k, size_t n)
{
    return td_room(&k->c, &k->room, n, sizeof(*k->c));
}

/* Makes room for one more; there may be thousands of scopes. */
static int make_room(struct td_counts *k)
{
    return k->n == TD_READING_ROWS ? -E2BIG : k->n < k->room ? 0 : td_counts_reserve(k, k->n ? k->n + 1 : 4);
}

int td_counts_extend(struct td_counts *k, struct td_count **out)
{
    const int err = make_room(k);

    if (err)
        return err;
    *out = &k->c[k->n++];
    **out = (struct td_count){.value = 0};
    return 0;
}

int td_counts_append(struct td_counts *k, const struct td_count *c)
{
    const int err = make_room(k);

    if (!err)
        k->c[k->n++] = *c;
    return err;
}

/* FNV-1a over whole words; a product carries no bit downwards, so its upper half is folded in. */
static uint64_t hash_on(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

/* Adds an interval to a sum's two hashes: that of the intervals in which the event was counted, and that of how long it
 * ran in each, where the sign says whether that was all of the time or a part. */
static void count_in(struct td_count *sum, const struct td_count *c, uint32_t interval)
{
    const double signed_time = c->running < c->enabled ? -c->running : c->running;
    uint64_t ran;

    memcpy(&ran, &signed_time, sizeof(ran));
    if (!sum->intervals)
        sum->which = sum->ran = UINT64_C(14695981039346656037);
    sum->which = hash_on(sum->which, interval);
    sum->ran = hash_on(sum->ran, ran);
    sum->intervals++;
}

static void count_add(struct td_count *sum, const struct td_count *c, uint32_t interval)
{
    if (c->status == TD_OK || c->status == TD_NOT_COUNTED) {
        sum->enabled += c->enabled;
        sum->running += c->running;
    }
    if (c->status != TD_OK)
        return;
    count_in(sum, c, interval);
    if (sum->status != TD_OK) {
        sum->status = TD_OK;
        sum->value = sum->err = 0;
    }
    sum->value += c->value;
    sum->err += c->err;
    if (!(c->sampled.n | c->sampled.squares)) /* of latencies only */
        return;
    sum->sampled.n += c->sampled.n;
    sum->sampled.squares += c->sampled.squares;
}

static int join_hints(struct td_count *same, const struct td_count *c, struct td_hints *hints)
{
    same->printed = td_hints_join(hints, same->printed, c->printed);
    return hints->err;
}

static int add_new(struct td_counts *sum, const struct td_count *c)
{
    int err = td_counts_append(sum, c);

    if (err)
        return err;
    sum->c[sum->n - 1].intervals = 0;
    sum->c[sum->n - 1].which = sum->c[sum->n - 1].ran = 0;
    sum->c[sum->n - 1].last = sum->additions;
    if (c->status == TD_OK)
        count_in(&sum->c[sum->n - 1], c, sum->added);
    return 0;
}

/* Finds the copies of a sum. Intervals of one recording mostly hold the same events in the same
 * order, so they are searched in sequence; an index is made only if that has cost too much. */
struct finder {
    const struct td_counts *sum;
    size_t next, steps; /* next: where a search begins */
    struct td_hash_index index; /* of the first copies, by their numbers */
};

/* Whether the sum's copy is like this one, and no earlier one of the same td_counts_add() was added to it: a group may
 * hold an event twice. */
static bool fits(const struct td_counts *sum, size_t at, const struct td_count *like)
{
    return same_copy(&sum->c[at], like) && sum->c[at].last != sum->additions;
}

static uint32_t copy_hash(const struct td_hash_index *x, const struct td_count *c)
{
    const uint32_t key[] = {c->text, (uint32_t)c->event << 16 | c->group, c->modes};

    return td_hash(x, key, sizeof(key));
}

/* The index of the copy like this one; sum->n: there is none. */
static size_t find_in_sequence(struct finder *f, const struct td_count *like)
{
    const size_t n = f->sum->n;

    for (size_t i = 0; i < n; i++, f->steps++) {
        const size_t at = f->next + i < n ? f->next + i : f->next + i - n;

        if (fits(f->sum, at, like))
            return at;
    }
    return n;
}

static int find_by_hash(struct finder *f, const struct td_count *like, size_t *out)
{
    const size_t n = f->sum->n;
    size_t least = n;

    *out = n;
    for (size_t i = f->index.n; i < n; i++) {
        if (td_hash_room(&f->index))
            return -ENOMEM;
        td_hash_add(&f->index, copy_hash(&f->index, &f->sum->c[i]));
    }
    for (long i = n ? td_hash_first(&f->index, copy_hash(&f->index, like)) : -1; i >= 0;
         i = td_hash_next(&f->index, i)) {
        const size_t at = (size_t)i, away = at >= f->next ? at - f->next : at + n - f->next;

        if (away < least && fits(f->sum, at, like)) {
            least = away;
            *out = at;
        }
    }
    return 0;
}

static int find_copy(struct finder *f, const struct td_count *like, size_t *at)
{
    int err = 0;

    if (f->next >= f->sum->n)
        f->next = 0;
    if (f->next < f->sum->n && fits(f->sum, f->next, like)) /* mostly */
        *at = f->next;
    else if (f->steps < STEPS_MAX)
        *at = find_in_sequence(f, like);
    else
        err = find_by_hash(f, like, at);
    f->next = *at + 1;
    return err;
}

static int add_one(struct td_counts *sum, const struct td_count *c, struct finder *f, struct td_hints *hints)
{
    struct td_count *same;
    size_t at;
    int err = find_copy(f, c, &at);

    if (err || at == sum->n)
        return err ? err : add_new(sum, c);
    same = &sum->c[at];
    same->last = sum->additions;
    count_add(same, c, sum->added);
    return same->printed == c->printed ? 0 : join_hints(same, c, hints);
}

int td_counts_add(struct td_counts *sum, const struct td_counts *interval, struct td_hints *hints)
{
    struct finder f = {.sum = sum};
    int err = 0;

    if (interval->status != TD_OK) { /* nothing was counted in it */
        sum->status = sum->n ? sum->status : interval->status;
        return 0;
    }
    sum->status = TD_OK;
    sum->added++;
    sum->additions++;
    if (!sum->n) /* most sums have the copies of their first interval */
        err = td_counts_reserve(sum, interval->n);
    for (size_t i = 0; i < interval->n && !err; i++) /* without counts there is no array to point into */
        err = add_one(sum, &interval->c[i], &f, hints);
    td_hash_index_free(&f.index);
    return err;
}

void td_counts_balance(struct td_counts *sum)
{
    uint32_t most = 0;

    for (size_t i = 0; i < sum->n; i++)
        if (sum->c[i].intervals > most)
            most = sum->c[i].intervals;
    sum->balanced = most;
    for (size_t i = 0; i < sum->n; i++) {
        struct td_count *c = &sum->c[i];
        double factor = c->intervals ? (double)most / c->intervals : 1;

        c->value *= c->sampled.any ? 1 : factor;
        c->err *= factor;
        if (factor > 1)
            c->enabled = (c->enabled > c->running ? c->enabled : c->running) * factor;
    }
}

/* What a clock counted beside a copy, in its group; 0: the group does not have it. */
static double cycles_beside(const struct td_counts *k, const struct td_count *c, uint16_t clock)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->c[i].event == clock && k->c[i].group == c->group && k->c[i].modes == c->modes && k->c[i].status == TD_OK)
            return k->c[i].value;
    return 0;
}

static bool begins_group(const struct td_counts *k, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (k->c[i].group == k->c[at].group)
            return false;
    return true;
}

/* What a clock counted in all groups, if there are several; 0: one does not have it. */
static double cycles_of_all(const struct td_counts *k, uint16_t clock)
{
    double all = 0;
    size_t groups = 0;

    for (size_t i = 0; i < k->n; i++) {
        const double cycles = cycles_beside(k, &k->c[i], clock);

        if (!(cycles > 0))
            return 0;
        if (!begins_group(k, i))
            continue;
        all += cycles;
        groups++;
    }
    return groups > 1 ? all : 0;
}

/* A clock that all of several groups have, the thread's own before its core's; TD_EVENT_UNKNOWN: there is none. */
static uint16_t common_clock(const struct td_counts *k, const struct td_uarch *u)
{
    for (unsigned of_core = 0; of_core < 2; of_core++)
        for (size_t i = 0; i < k->n; i++) {
            const struct td_event *e = k->c[i].event == TD_EVENT_UNKNOWN ? NULL : &u->events[k->c[i].event];

            if (e && !e->modes && td_uarch_is_clock(u, e) && !td_uarch_of_siblings(u, e) == !of_core &&
                cycles_of_all(k, k->c[i].event) > 0)
                return k->c[i].event;
        }
    return TD_EVENT_UNKNOWN;
}

static void scale_group(struct td_counts *k, size_t first, double factor)
{
    const uint16_t group = k->c[first].group;

    for (size_t i = first; i < k->n; i++)
        if (k->c[i].group == group) {
            k->c[i].value *= factor;
            k->c[i].err *= factor;
        }
}

void td_counts_balance_turns(struct td_counts *sum, const struct td_uarch *u)
{
    const uint16_t clock = common_clock(sum, u);
    double all;

    if (clock == TD_EVENT_UNKNOWN) {
        td_counts_balance(sum);
        return;
    }
    all = cycles_of_all(sum, clock);
    sum->balanced = 0;
    for (size_t i = 0; i < sum->n; i++)
        if (begins_group(sum, i)) {
            sum->balanced += sum->c[i].intervals;
            scale_group(sum, i, all / cycles_beside(sum, &sum->c[i], clock));
        }
}

/* The field of the metrics register that an event is; -1: none. */
static int field_of(const struct td_count *c, const struct td_uarch *u)
{
    return c->event == TD_EVENT_UNKNOWN ? -1 : u->events[c->event].field;
}

static bool together(const struct td_count *c, const struct td_count *other)
{
    return c->group == other->group && c->modes == other->modes;
}

/* The slots that went by while a group counted: its own, or, where they were not
 * recorded, the sum of its level-1 fields. */
struct group_slots {
    bool known;
    double sum;
};

static void take_slots(struct group_slots *g, const struct td_count *c, const struct td_uarch *u, int slots)
{
    if (g->known || c->status != TD_OK)
        return;
    if (c->event == slots) {
        g->known = true;
        g->sum = c->value;
    } else {
        const int field = field_of(c, u);

        g->sum += field >= TD_FIELD_RETIRING && field <= TD_FIELD_BACKEND_BOUND ? c->value : 0;
    }
}

/* A field is off by as much of the slots as its 8 bits tell, each time that it was read. */
static void give_error(struct td_count *c, double unit, const struct td_uarch *u, unsigned readers)
{
    if (field_of(c, u) >= 0 && c->status == TD_OK && c->err == 0)
        c->err = unit + (c->intervals > 1 ? (double)readers * c->intervals : readers);
}

/* Whether the numbers of the groups rise from copy to copy: then the copies of each group follow each other. */
static bool rising(const struct td_counts *k)
{
    for (size_t i = 1; i < k->n; i++)
        if (!together(&k->c[i], &k->c[i - 1]) && k->c[i].group <= k->c[i - 1].group)
            return false;
    return true;
}

static void quantise_rising(struct td_counts *k, const struct td_uarch *u, int slots, unsigned readers)
{
    for (size_t from = 0, to; from < k->n; from = to) {
        struct group_slots g = {0};

        for (to = from; to < k->n && together(&k->c[to], &k->c[from]); to++)
            take_slots(&g, &k->c[to], u, slots);
        for (size_t i = from; i < to; i++)
            give_error(&k->c[i], g.sum / 0xff, u, readers);
    }
}

static int quantise_any(struct td_counts *k, const struct td_uarch *u, int slots, unsigned readers)
{
    struct group_slots *of = calloc(k->n, sizeof(*of));
    struct td_groups groups = {0};
    int err = of ? td_groups_begin(&groups, k->n) : -ENOMEM;

    for (size_t i = 0; i < k->n && !err; i++)
        take_slots(&of[td_groups_number(&groups, k->c[i].group, k->c[i].modes)], &k->c[i], u, slots);
    for (size_t i = 0; i < k->n && !err; i++)
        give_error(&k->c[i], of[td_groups_number(&groups, k->c[i].group, k->c[i].modes)].sum / 0xff, u, readers);
    td_groups_free(&groups);
    free(of);
    return err;
}

int td_counts_quantise(struct td_counts *k, const struct td_uarch *u, unsigned readers)
{
    const int slots = td_uarch_slots(u);

    if (slots < 0)
        return 0;
    if (!rising(k))
        return quantise_any(k, u, slots, readers);
    quantise_rising(k, u, slots, readers);
    return 0;
}
