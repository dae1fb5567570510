/* SPDX-License-Identifier: MIT */
#include "core/bounds/lint.h"

#include "core/choice/copies.h"
#include "util/room.h"

#include <math.h>

/* Counters of one group are started and stopped together, others one after the other: on healthy
 * machines the two sides of SLOTS = width * DISTRIBUTED, and level-1 sums (level_sum.c), differ by up to a few per
 * cent. */
#define SLACK 0.05

/* Uops in flight on a CPU when counting begins or ends: they were issued before and retire after it, or the other way
 * round. No core of the tables has more: 576 on Lion Cove, 512 on Golden Cove, 448 on Zen 5 (vendors' optimization
 * manuals). */
#define IN_FLIGHT 1024.0
#define CPUS_MOST 1024.0 /* where their number is not known */

/* Between counts of different turns of the rotation: the left side was seen in so many turns at least, however
 * fast they were, and is so many times the right one. */
#define TURNS 8.0
#define APART 8.0

/* SLOTS and cycles of one group differ from their ratio by less (recordings of traces/: 1e-4 and less with no sibling).
 */
#define WIDTH_OFF 5e-4

/* ---- cases ------------------------------------------------------------------- */

static int read_all(struct td_lint *l, const struct td_uarch *u)
{
    l->ncodes = 0;
    for (const struct td_relation *r = u->relations; r && r->text; r++) {
        int err = td_room(&l->code, &l->codes_room, l->ncodes + 1, sizeof(*l->code));

        err = err ? err : td_relation_read(r, u, &l->code[l->ncodes]);
        if (err && err != -ENOENT)
            return err;
        l->ncodes += !err;
    }
    l->uarch = u;
    return 0;
}

/* Lists as found, by group, the first copy that was counted of either event of a term. */
static bool find_term(struct td_lint *l, const struct td_layout *k, const struct td_relation_term *t, size_t term)
{
    bool any = false;

    for (size_t e = 0; e < TD_RELATION_EITHER; e++) {
        if (t->event[e] < 0)
            continue;
        for (uint32_t i = k->first[t->event[e]]; i < k->first[t->event[e] + 1]; i++) {
            const uint32_t copy = k->by_event[i];
            uint32_t *found = &l->found[k->copy[copy].group_at * TD_RELATION_TERMS + term];

            if (k->copy[copy].ok && !*found)
                *found = copy + 1;
            any = any || k->copy[copy].ok;
        }
    }
    return any;
}

static int add_case(struct td_lint *l, size_t code, const uint32_t *found)
{
    const size_t n = l->code[code].n;
    int err = td_room(&l->cases, &l->cases_room, l->ncases + 1, sizeof(*l->cases));

    err = err ? err : td_room(&l->copy, &l->copies_room, l->ncopies + n, sizeof(*l->copy));
    if (err)
        return err;
    l->cases[l->ncases++] = (struct td_lint_case){(uint32_t)code, (uint32_t)l->ncopies};
    for (size_t t = 0; t < n; t++)
        l->copy[l->ncopies++] = found[t] - 1;
    return 0;
}

/* No group has all events: the first copies, of the same modes as the first of the first term. */
static int add_apart(struct td_lint *l, const struct td_layout *k, size_t code)
{
    uint32_t found[TD_RELATION_TERMS] = {0};
    uint8_t modes = 0;

    for (size_t t = 0; t < l->code[code].n; t++) {
        for (size_t g = 0; g < k->groups.n && !found[t]; g++) {
            const uint32_t at = l->found[g * TD_RELATION_TERMS + t];

            if (at && (!t || k->copy[at - 1].modes == modes))
                found[t] = at;
        }
        if (!found[t])
            return 0;
        modes = k->copy[found[t] - 1].modes;
    }
    return add_case(l, code, found);
}

static int add_cases(struct td_lint *l, const struct td_layout *k, size_t code)
{
    const size_t before = l->ncases, n = l->code[code].n;
    int err = 0;

    memset(l->found, 0, k->groups.n * TD_RELATION_TERMS * sizeof(*l->found));
    for (size_t t = 0; t < n; t++)
        if (!find_term(l, k, &l->code[code].term[t], t))
            return 0;
    for (size_t g = 0; g < k->groups.n && !err; g++) {
        const uint32_t *found = &l->found[g * TD_RELATION_TERMS];
        size_t has = 0;

        while (has < n && found[has])
            has++;
        if (has == n)
            err = add_case(l, code, found);
    }
    return err || l->ncases > before ? err : add_apart(l, k, code);
}

/* Lists the copies of an event that count the same. */
static int add_twins(struct td_lint *l, const struct td_layout *k, size_t event)
{
    for (uint32_t i = k->first[event]; i < k->first[event + 1]; i++)
        for (uint32_t j = k->first[event]; j < i; j++) {
            const uint32_t first = k->by_event[j], other = k->by_event[i];

            if (!k->copy[first].ok || !k->copy[other].ok || k->copy[first].modes != k->copy[other].modes)
                continue;
            if (td_room(&l->twin, &l->twins_room, l->ntwins + 1, sizeof(*l->twin)))
                return -ENOMEM;
            memcpy(l->twin[l->ntwins++], (const uint32_t[]){first, other}, sizeof(*l->twin));
            break; /* one that it is compared with is enough */
        }
    return 0;
}

int td_lint_arrange(struct td_lint *l, const struct td_uarch *u, const struct td_layout *k)
{
    int err = l->uarch == u ? 0 : read_all(l, u);

    l->ncases = l->ncopies = l->ntwins = l->nbroken = 0;
    if (!l->ncodes || err)
        return err;
    err = td_room(&l->found, &l->found_room, k->groups.n * TD_RELATION_TERMS, sizeof(*l->found));
    for (size_t i = 0; i < l->ncodes && !err; i++)
        err = add_cases(l, k, i);
    for (size_t e = 0; e < u->nevents && !err && !k->once; e++)
        err = u->events[e].kind == TD_EVENT_COUNT ? add_twins(l, k, e) : 0;
    return err;
}

void td_lint_free(struct td_lint *l)
{
    free(l->code);
    free(l->cases);
    free(l->copy);
    free(l->twin);
    free(l->found);
    free(l->broken);
    free(l->doubt);
    free(l->why);
    free(l->texts);
    td_text_buffer_free(&l->text);
    *l = (struct td_lint){0};
}

/* ---- one case ------------------------------------------------------------------ */

/* The two sides, and, only where the left one is larger, by how much they may be off. */
struct sides {
    const struct td_relation_code *code;
    const uint32_t *copy;
    double left, right, error, most; /* most: the largest factor */
    bool together; /* counted at the same time */
};

static inline struct sides add_up(const struct td_lint *l, const struct td_lint_case *c, const struct td_counts *k)
{
    struct sides s = {.code = &l->code[c->code], .copy = &l->copy[c->copies]};
    size_t t = 0;

    for (; t < s.code->nleft; t++)
        s.left += s.code->term[t].factor * k->c[s.copy[t]].value;
    for (; t < s.code->n; t++)
        s.right += s.code->term[t].factor * k->c[s.copy[t]].value;
    return s;
}

/* Whether both were counted at the same time, and all of it. */
static bool is_whole_beside(const struct td_count *x, const struct td_count *other)
{
    return x->running >= x->enabled && x->enabled > 0 && td_copies_together(x, other);
}

static bool are_together(const struct sides *s, const struct td_counts *k)
{
    for (size_t t = 0; t < s->code->n; t++)
        if (!is_whole_beside(&k->c[s->copy[t]], &k->c[s->copy[0]]))
            return false;
    return true;
}

static void look_closer(struct sides *s, const struct td_counts *k)
{
    s->together = are_together(s, k);
    for (size_t t = 0; t < s->code->n; t++) {
        const double factor = s->code->term[t].factor;

        s->error += factor * k->c[s->copy[t]].err;
        s->most = td_most(factor, s->most);
    }
}

static double in_flight(const struct td_lint_ask *a, const struct td_counts *k)
{
    const double cpus = a->cpus > 0 ? a->cpus : CPUS_MOST;

    return IN_FLIGHT * cpus * (k->added ? k->added : 1);
}

/* With an unknown number of pieces, each of which may have left out or taken in what was in flight, only a side that is
 * 0 shows anything. */
static bool is_broken(const struct sides *s, const struct td_lint_ask *a, const struct td_counts *k)
{
    if (a->pieces_unknown && s->right > s->error)
        return false;
    return s->left - s->error > s->right * (1 + SLACK) + s->most * in_flight(a, k);
}

static bool holds(const struct td_relation *r, const struct td_lint_ask *a)
{
    return !(r->when & TD_RELATION_ALONE && !a->smt_off) && !(r->when & TD_RELATION_SCALED && a->scale_assumed) &&
           !(r->when & TD_RELATION_FIELDS && a->switched);
}

/* In how many turns of the rotation, on one CPU, a copy was seen; 0: not known. */
static double turns_of(const struct td_count *c, const struct td_taken *t)
{
    const struct td_likely_times times = td_taken_times(t, c);
    struct td_likely_windows w;

    return td_likely_windows(&times, &w) == TD_LIKELY_GIVEN ? w.seen : 0;
}

/* Whether more turns than phases explain contradict each other: at the greatest speed, the left side alone takes
 * TURNS of them, and the right one was looked at as often, and is nearly nothing. */
static bool is_likely_broken(const struct td_lint *l, const struct sides *s, const struct td_lint_ask *a,
                             const struct td_counts *k)
{
    const struct td_count *first = &k->c[s->copy[0]];
    const struct td_taken *t = a->taken;
    double busy, turns = HUGE_VAL;

    if (!t || t->in_step || a->coverage_unknown || a->pieces_unknown || !(s->left > APART * s->right + s->error))
        return false;
    for (size_t i = 0; i < s->code->n; i++) {
        const struct td_count *c = &k->c[s->copy[i]];
        const double seen = c->which == first->which && c->running > 0 ? turns_of(c, t) : 0;

        turns = fmin(turns, seen);
    }
    busy = s->left / (2 * l->uarch->width * TD_FASTEST * td_taken_times(t, first).enabled);
    return fmin(busy, 1) * turns >= TURNS;
}

/* The width of another CPU, if SLOTS are exactly that many per cycle. */
static int other_width(const struct td_lint *l, const struct sides *s)
{
    const unsigned char *w = s->code->relation->widths;
    const double slots = s->left / s->right * l->uarch->width;

    for (; w && *w; w++)
        if (*w != l->uarch->width && fabs(slots / *w - 1) < WIDTH_OFF)
            return *w;
    return 0;
}

/* ---- what is wrong ------------------------------------------------------------- */

static int add_broken(struct td_lint *l, const struct sides *s, bool sure)
{
    int err = td_room(&l->broken, &l->broken_room, l->nbroken + 1, sizeof(*l->broken));

    if (err)
        return err;
    l->broken[l->nbroken++] =
        (struct td_lint_broken){.code = s->code, .copy = s->copy, .left = s->left, .right = s->right, .sure = sure};
    return 0;
}

/* The left side is larger: whether that is more than what may be. */
static int judge(struct td_lint *l, struct sides *s, const struct td_lint_ask *a, const struct td_counts *k)
{
    if (!holds(s->code->relation, a))
        return 0;
    look_closer(s, k);
    if (s->code->relation->when & TD_RELATION_ALONE) {
        l->shared = l->shared || (s->together && !a->coverage_unknown && is_broken(s, a, k));
        return 0;
    }
    if (s->together && !a->coverage_unknown ? is_broken(s, a, k) : is_likely_broken(l, s, a, k))
        return add_broken(l, s, s->together);
    return 0;
}

/* Two copies of one event, counted at the same time and all the time, that differ by more than starting one after the
 * other explains. */
static int judge_twins(struct td_lint *l, uint32_t twin[2], const struct td_lint_ask *a, const struct td_counts *k)
{
    const struct td_count *one = &k->c[twin[0]], *other = &k->c[twin[1]];
    const double error = one->err + other->err;

    if (one->value < other->value) {
        memcpy(twin, (const uint32_t[]){twin[1], twin[0]}, sizeof(*l->twin));
        one = &k->c[twin[0]];
        other = &k->c[twin[1]];
    }
    if (!(one->value - error > other->value * (1 + SLACK) + in_flight(a, k)) || a->coverage_unknown ||
        a->pieces_unknown)
        return 0;
    if (!is_whole_beside(one, other))
        return 0;
    return add_broken(l, &(struct sides){.copy = twin, .left = one->value, .right = other->value}, false);
}

static int write_text(struct td_lint *l, const struct td_lint_broken *b, const struct td_counts *k)
{
    if (b->code)
        return td_text_buffer_add(&l->text, "%s does not hold: %.0f > %.0f%c", b->code->relation->text, b->left,
                                  b->right, '\n');
    return td_text_buffer_add(&l->text, "%s was counted twice at the same time, as %.0f and %.0f%c",
                              l->uarch->events[k->c[b->copy[0]].event].name, b->left, b->right, '\n');
}

static int write_texts(struct td_lint *l, const struct td_counts *k)
{
    size_t at = 0;
    int err = td_text_buffer_clear(&l->text);

    err = err ? err : td_room(&l->texts, &l->texts_room, l->nbroken, sizeof(*l->texts));
    for (size_t i = 0; i < l->nbroken && !err; i++)
        err = write_text(l, &l->broken[i], k);
    for (size_t i = 0; i < l->nbroken && !err; i++) {
        l->texts[i] = l->text.at + at;
        at += strcspn(l->text.at + at, "\n");
        l->text.at[at++] = '\0';
    }
    return err;
}

static void doubt(struct td_lint *l, size_t copy, enum td_lint_doubt how, const char *why)
{
    if (l->doubt[copy] >= how)
        return;
    l->doubt[copy] = (unsigned char)how;
    l->why[copy] = why;
}

/* Whether the right side counted nothing at all: then this is what is wrong. */
static bool counted_nothing(const struct td_lint_broken *b, const struct td_counts *k)
{
    for (size_t t = b->code->nleft; t < b->code->n; t++)
        if (k->c[b->copy[t]].value != 0)
            return false;
    return true;
}

/* Which counts are wrong: the side that is 0, else any of both may be; of two copies, either. */
static void blame(struct td_lint *l, const struct td_lint_broken *b, const char *why, const struct td_counts *k)
{
    const size_t n = b->code ? b->code->n : 2;

    for (size_t t = b->code && counted_nothing(b, k) ? b->code->nleft : 0; t < n; t++)
        doubt(l, b->copy[t], b->sure ? TD_LINT_BROKEN : TD_LINT_LIKELY, why);
}

/* What hides an event hides others, of which no relation tells whether they may be 0. */
static void doubt_zeros(struct td_lint *l, const struct td_counts *k)
{
    const char *why = NULL;

    for (size_t i = 0; i < k->n; i++)
        if (l->doubt[i] == TD_LINT_BROKEN && k->c[i].value == 0)
            why = "it counted 0, as an event did that cannot";
    for (size_t i = 0; i < k->n && why; i++)
        if (k->c[i].status == TD_OK && k->c[i].value == 0 && l->uarch->events[k->c[i].event].kind == TD_EVENT_COUNT)
            doubt(l, i, TD_LINT_ZERO, why);
}

static int tell(struct td_lint *l, const struct td_counts *k)
{
    int err = td_room(&l->doubt, &l->doubts_room, k->n, sizeof(*l->doubt));

    err = err ? err : td_room(&l->why, &l->whys_room, k->n, sizeof(*l->why));
    err = err ? err : write_texts(l, k);
    if (err)
        return err;
    memset(l->doubt, TD_LINT_NONE, k->n);
    for (size_t i = 0; i < l->nbroken; i++)
        blame(l, &l->broken[i], l->texts[i], k);
    doubt_zeros(l, k);
    return 0;
}

int td_lint_run(struct td_lint *l, const struct td_counts *k, const struct td_lint_ask *a)
{
    int err = 0;

    l->nbroken = 0;
    l->width = 0;
    l->shared = false;
    if (k->status != TD_OK)
        return 0;
    for (size_t i = 0; i < l->ncases && !err; i++) {
        struct sides s = add_up(l, &l->cases[i], k);

        if (s.left > s.right)
            err = judge(l, &s, a, k);
        else if (s.code->relation->widths && !l->width && other_width(l, &s) && are_together(&s, k))
            l->width = other_width(l, &s);
    }
    for (size_t i = 0; i < l->ntwins && !err; i++)
        err = judge_twins(l, l->twin[i], a, k);
    err = err || !l->nbroken ? err : tell(l, k);
    if (err)
        l->nbroken = 0;
    return err;
}
