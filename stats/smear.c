/* SPDX-License-Identifier: MIT */
#include "stats/smear.h"

#include <math.h>

/* The share of triples that may return: simulations of programs (tests/stats/test_functions.c) choose it. */
static const double most = 0.125;

enum { CLEARLY = 3 /* returns that are no accident */, MANY = 50 /* deltas that begin somewhere */ };

/* Three samples in a row of which the first and the third are in the place. */
struct triples {
    double all, returns; /* returns: those whose second is elsewhere */
    double others; /* what share of the time pure deltas are elsewhere, which these do not show */
};

/* Pairs of samples have no third one. After a move to another place, the program is back before long at most as often
 * as it leaves that place in so short a time, and comes from there at all. */
static double moved_back(const struct td_deltas *d, const struct td_move *m)
{
    const struct td_delta_place *there = &d->place[m->to];
    const struct td_stays *stays = td_stays_of(there);
    const uint64_t began = d->nested ? stays->inner : there->began,
                   left = d->nested ? stays->inner_left : there->began - stays->pure.n;
    const double back = (double)td_moves_count(d->nested ? &d->entries : &d->moves, m->to, m->from);

    return fmin((double)m->n * (double)left / (double)began, back); /* where none began, none came from there: 0 */
}

/* Where switches between threads were recorded, it is known for how long others ran in a delta. A sample of another one
 * between two of a thread then is an end of the thread's turn, and says nothing of what is hidden in a turn. */
static struct triples triples_of_one_thread(const struct td_delta_place *p)
{
    const struct td_stays *stays = td_stays_of(p);
    const double others = stays->pure.slots > 0 ? 1 - stays->own / stays->pure.slots : 1;

    return (struct triples){(double)stays->own_triples, (double)stays->own_returns, fmax(0, others)};
}

static struct triples triples_of(const struct td_deltas *d, const struct td_delta_place *p)
{
    const struct td_stays *stays = td_stays_of(p);
    const double pure = (double)stays->pure.n;
    double returns = 0;

    if (!d->pairs)
        return (struct triples){(double)stays->triples, (double)stays->returns, 0};
    for (size_t i = stays->moves; i; i = d->moves.move[i - 1].next)
        returns += moved_back(d, &d->moves.move[i - 1]);
    return (struct triples){returns + (p->began ? pure * pure / (double)p->began : 0), returns, 0};
}

/* What share of the time was elsewhere, if a share of triples returns. */
static double elsewhere(const struct triples *t, double share)
{
    return t->others + (1 - t->others) * share;
}

/* Of triples with few returns, the share that a longer recording might have. */
static double cautious(const struct triples *t)
{
    return elsewhere(t, (t->returns + 2) / (t->all + 3));
}

/* A share that is exceeded in 5 of 100 cases, about: Poisson's distribution by its deviation. */
static double most_likely(const struct triples *t)
{
    return elsewhere(t, fmin(1, (t->returns + 1 + 1.645 * sqrt(t->returns + 1)) / (t->all + 2)));
}

/* The share of triples that may return. */
static double allowed(const struct triples *t)
{
    return (most - t->others) / (1 - t->others);
}

static double entered(const struct td_entries *e)
{
    return (double)e->entered / (double)e->n;
}

/* Whether the program keeps step with the samples: three in a row then are in one place, though it is elsewhere between
 * them. A thread that was pre-empted stopped anywhere, and is out of step when it is back. As much of its own time
 * passes as between other samples on average, and it should be in another place about as often; clearly more often says
 * that it is elsewhere between samples too. By chance one of 100 places comes out so. */
static bool is_in_step(const struct td_stays *s)
{
    static const double rare = 2.33;
    const struct td_entries *a = &s->going_on, *b = &s->back;
    double all, error;

    if (!a->n || b->entered < CLEARLY)
        return false;
    all = (double)(a->entered + b->entered) / (double)(a->n + b->n);
    error = sqrt(all * (1 - all) * (1 / (double)a->n + 1 / (double)b->n));
    return entered(b) - entered(a) > rare * error;
}

/* Whether more samples at the same rate would not help. */
static bool is_smeared(const struct td_delta_place *p, const struct triples *t)
{
    if (is_in_step(td_stays_of(p)) || (t->returns >= CLEARLY && t->returns > allowed(t) * t->all))
        return true;
    return p->began >= MANY && td_stays_of(p)->pure.n < TD_PURE_LEAST;
}

/* With k times as many intervals, of k times as many triples and returns cautious() is most. */
static uint64_t needed(const struct td_delta_place *p, const struct triples *t)
{
    const double share = allowed(t), over = share * t->all - t->returns;
    const uint64_t pure = td_stays_of(p)->pure.n;
    double times = over > 0 ? (2 - 3 * share) / over : INFINITY;

    if (pure < TD_PURE_LEAST)
        times = fmax(times, pure ? TD_PURE_LEAST / (double)pure : INFINITY);
    return isfinite(times) ? (uint64_t)ceil(times * (double)p->intervals) : 0;
}

/* How much each sample must depend on the one before, so that half as many triples return as may: of a place, share of
 * the time, and the rest of the program in turns of random length. */
static double dependence_needed(double share)
{
    const double k = sqrt(most / (2 - most)), s = sqrt(share * (1 - share));

    return (s - k * share) / (s + k * (1 - share));
}

/* By how much the distance of samples must shrink: exp(-distance / turn) is the dependence that is seen. */
static void find_rate(const struct td_deltas *d, const struct td_delta_place *p, struct td_smear *out)
{
    const double share = (double)p->intervals / (double)d->intervals;
    const double chance = 2 * sqrt(share * (1 - share) / (double)p->began);
    const struct td_stays *stays = td_stays_of(p);
    const double stay = is_in_step(stays) ? 1 - entered(&stays->back) : out->stay;
    const double seen = (stay - share) / (1 - share), least = chance / (1 - share), want = dependence_needed(share);

    out->rate = (double)NAN;
    if (isnan(seen) || want <= 0) /* it has none of the time, all of it, or nearly so */
        return;
    out->at_least = seen < least;
    out->rate = fmax(2, log(fmax(seen, least)) / log(want));
}

void td_smear_of(const struct td_deltas *d, const struct td_delta_place *p, struct td_smear *out)
{
    const struct triples all = triples_of(d, p), own = triples_of_one_thread(p),
                         *t = own.all > 0 && cautious(&own) < cautious(&all) ? &own : &all;
    const uint64_t pure = td_stays_of(p)->pure.n;

    *out = (struct td_smear){.elsewhere = most_likely(t),
                             .stay = p->began ? (double)pure / (double)p->began : (double)NAN,
                             .rate = (double)NAN,
                             .pairs = d->pairs};
    if (pure >= TD_PURE_LEAST && cautious(t) <= most && !is_in_step(td_stays_of(p)))
        return;
    if (is_smeared(p, t)) {
        out->status = TD_PLACE_SMEARED;
        find_rate(d, p, out);
    } else {
        out->status = TD_PLACE_FEW_SAMPLES;
        out->needed = needed(p, t);
    }
}

const char *td_place_status_name(enum td_place_status status)
{
    static const char *const name[] = {[TD_PLACE_FEW_SAMPLES] = "few_samples", [TD_PLACE_SMEARED] = "smeared"};

    return status < sizeof(name) / sizeof(*name) ? name[status] : NULL;
}
