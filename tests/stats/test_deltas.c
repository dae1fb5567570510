/* SPDX-License-Identifier: MIT */
/* Places that contain each other, beside places one at a time. */
#include "stats/smear.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 3, COURSES = 2, SAMPLES = 300 };

static const char place[PLACES] = "abc", outer = 'o', elsewhere = 'e';

static bool same(const struct td_delta_place *a, const struct td_delta_place *b)
{
    const struct td_stays *x = td_stays_of(a), *y = td_stays_of(b);

    return a->intervals == b->intervals && a->began == b->began && x->pure.n == y->pure.n && x->triples == y->triples &&
           x->returns == y->returns && a->slots == b->slots && x->pure.slots == y->pure.slots;
}

/* One sequence of samples, put to places one at a time, and to chains of a place in one function around all of them. */
static void one_sequence(struct unit_random *random, struct td_deltas *alone, struct td_deltas *among, uint64_t *known)
{
    size_t at[COURSES] = {0};
    bool begun[COURSES] = {false};

    for (size_t i = 0; i < SAMPLES; i++) {
        const uint32_t course = (uint32_t)unit_random_below(random, COURSES);
        const size_t to = unit_random_below(random, 3) ? at[course] : unit_random_below(random, PLACES);
        const double value = unit_random_ratio(random);
        const void *began = begun[course] && unit_random_below(random, 10) ? &place[at[course]] : NULL;
        struct td_delta d = {
            TD_DELTA_PLAIN, course, began, &place[to],  (double)(1 + unit_random_below(random, 9)), 1, 0,
            &value,         0,      0,     TD_BACK_NONE};

        CU_ASSERT_FATAL(!td_deltas_add(alone, &d));
        d.nth = 1;
        d.began = !began || began == d.place ? began : &elsewhere;
        CU_ASSERT_FATAL(!td_deltas_add(among, &d));
        d.nth = 2;
        d.place = &outer;
        d.began = began ? &outer : NULL;
        CU_ASSERT_FATAL(!td_deltas_add(among, &d));
        at[course] = to;
        begun[course] = true;
        *known += began != NULL;
    }
}

static void nested(void)
{
    struct unit_random random = {7};

    for (unsigned long round = 0; round < unit_rounds(20); round++) {
        struct td_deltas alone = {.metrics = 1}, among = {.metrics = 1};
        uint64_t known = 0;
        const struct td_delta_place *o;

        one_sequence(&random, &alone, &among, &known);
        for (size_t i = 0; i < PLACES; i++)
            CU_ASSERT(same(td_deltas_find(&alone, &place[i]), td_deltas_find(&among, &place[i])));
        o = td_deltas_find(&among, &outer);
        CU_ASSERT(o->intervals == known && o->began == known && td_stays_of(o)->pure.n == known &&
                  !td_stays_of(o)->returns && o->slots == alone.slots);
        CU_ASSERT(among.intervals == known && among.slots == alone.slots && among.unknown == alone.unknown &&
                  among.unknown_slots == alone.unknown_slots);
        td_deltas_free(&alone);
        td_deltas_free(&among);
    }
}

/* Pairs of samples, alone and in a function around them: what is seen of each place is the same, but for the last move.
 */
static void nested_pairs(void)
{
    struct unit_random random = {11};
    struct td_deltas alone = {.metrics = 1}, among = {.metrics = 1};
    const double value = 1;
    size_t at = 0;

    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t to = unit_random_below(&random, 3) ? at : unit_random_below(&random, PLACES);
        struct td_delta d = {i % 2 ? TD_DELTA_SHORT : TD_DELTA_REST,
                             0,
                             i ? &place[at] : NULL,
                             &place[to],
                             2,
                             1,
                             0,
                             &value,
                             0,
                             0,
                             TD_BACK_NONE};

        CU_ASSERT_FATAL(!td_deltas_add(&alone, &d));
        d.nth = 1;
        d.began = !i || d.began == d.place ? d.began : &elsewhere;
        CU_ASSERT_FATAL(!td_deltas_add(&among, &d));
        d.nth = 2;
        d.place = &outer;
        d.began = i ? &outer : NULL;
        CU_ASSERT_FATAL(!td_deltas_add(&among, &d));
        at = to;
    }
    for (size_t i = 0; i < PLACES; i++) {
        const struct td_delta_place *one = td_deltas_find(&alone, &place[i]),
                                    *other = td_deltas_find(&among, &place[i]);
        struct td_smear mine, theirs;
        const struct td_stays *stays = td_stays_of(one), *others = td_stays_of(other);

        CU_ASSERT(same(one, other) && stays->pure.n > 10 && others->inner + 1 >= one->began &&
                  others->inner_left + 1 >= one->began - stays->pure.n);
        td_smear_of(&alone, one, &mine);
        td_smear_of(&among, other, &theirs);
        CU_ASSERT(mine.status == theirs.status && fabs(mine.elsewhere - theirs.elsewhere) < 0.05);
    }
    CU_ASSERT(!td_stays_of(td_deltas_find(&among, &outer))->moves && alone.slots == among.slots &&
              alone.intervals == among.intervals);
    td_deltas_free(&alone);
    td_deltas_free(&among);
}

/* Places of which no delta has a value, however many, weigh what their deltas do. */
static void without_values(void)
{
    enum { MANY = 100 };
    static const char places[MANY];
    const double none = (double)NAN;
    struct td_deltas all = {.metrics = 1};

    for (size_t i = 0; i < 2 * (size_t)MANY; i++)
        CU_ASSERT_EQUAL_FATAL(
            td_deltas_add(&all, &(struct td_delta){TD_DELTA_PLAIN, 0, &places[i % MANY], &places[i % MANY], 3, 1, 0,
                                                   &none, 0, 0, TD_BACK_NONE}),
            0);
    CU_ASSERT(all.n == MANY && all.intervals == 2 * MANY && all.slots == 6 * MANY && all.seconds == 2 * MANY);
    for (size_t i = 0; i < MANY; i++) {
        const struct td_delta_place *p = td_deltas_find(&all, &places[i]);

        CU_ASSERT(p && p->slots == 6 && p->intervals == 2 && td_deltas_all(&all, p, 0).weight == 0);
    }
    td_deltas_free(&all);
}

/* ---- moves between places that contain each other, by hand ------------------------------------ */

static const char *letter(char name)
{
    static const char letters[128];

    return &letters[(unsigned char)name];
}

/* A sample of a chain, a letter a place, the outermost first; before: the chain of the sample before it, NULL: not
 * known. */
static void put_sample(struct td_deltas *all, enum td_delta_kind kind, const char *before, const char *chain)
{
    const size_t depth = strlen(chain);
    const double value = 0.5;
    size_t shared = 0;

    while (before && before[shared] && before[shared] == chain[shared])
        shared++;
    for (size_t i = depth; i-- > 0;) {
        const char *at = letter(chain[i]);

        CU_ASSERT_FATAL(
            !td_deltas_add(all, &(struct td_delta){kind, 0,
                                                   !before      ? NULL
                                                   : i < shared ? at
                                                                : &elsewhere,
                                                   at, 1, 1e-6, 0, &value, (unsigned)(depth - i), 0, TD_BACK_NONE}));
    }
}

static void put_pairs(struct td_deltas *all, const char *from, const char *to, int n)
{
    for (int i = 0; i < n; i++) {
        put_sample(all, TD_DELTA_REST, NULL, from);
        put_sample(all, TD_DELTA_SHORT, from, to);
    }
}

/* Samples are pairs where some are short after another, or none is alone; turns where some are alone and some were
 * ended by a turn's beginning. The interval of a rest is none, and one whose begin is not known tells nothing. */
static void kinds(void)
{
    for (unsigned has = 0; has < 8; has++) {
        const bool plain = has & 1, brief = has & 2, rest = has & 4;
        struct td_deltas all = {.metrics = 1};

        if (plain)
            put_sample(&all, TD_DELTA_PLAIN, "f", "f");
        if (brief)
            put_sample(&all, TD_DELTA_SHORT, "f", "f");
        if (rest)
            put_sample(&all, TD_DELTA_REST, "f", "f");
        put_sample(&all, TD_DELTA_PLAIN, NULL, "f");
        CU_ASSERT_EQUAL(all.turns, plain && rest);
        CU_ASSERT_EQUAL(all.pairs, has && (brief || !plain));
        CU_ASSERT_EQUAL(all.intervals, (unsigned)plain + brief);
        CU_ASSERT_EQUAL(all.unknown, 1);
        CU_ASSERT_EQUAL(all.slots, (double)plain + brief + rest);
        td_deltas_free(&all);
    }
}

/* f calls l, and takes turns with g. Of f's 15 moves to g, 14 in 20 leave g soon: 10.5; and 14 come from g to f, most
 * of them seen in l. */
static void entered_by_a_callee(void)
{
    struct td_deltas all = {.metrics = 1};
    const double returns = 10.5, triples = returns + 80.0 * 80 / 95;
    struct td_smear s;

    put_pairs(&all, "f", "f", 80);
    put_pairs(&all, "f", "g", 15);
    put_pairs(&all, "g", "fl", 10);
    put_pairs(&all, "g", "f", 4);
    put_pairs(&all, "g", "g", 6);
    put_sample(&all, TD_DELTA_REST, NULL, "g"); /* the last pair is complete */
    td_smear_of(&all, &all.place[0], &s);
    CU_ASSERT_EQUAL(all.place[0].began, 95);
    CU_ASSERT_EQUAL(td_stays_of(&all.place[0])->pure.n, 80);
    CU_ASSERT_DOUBLE_EQUAL(s.elsewhere, (returns + 1 + 1.645 * sqrt(returns + 1)) / (triples + 2), 1e-9);
    CU_ASSERT_EQUAL(s.status, TD_PLACE_SMEARED);
    td_deltas_free(&all);
}

/* By hand: fewer than 8 pure deltas of 50 that begin somewhere show that samples come too seldom there, of 49 that
 * there are too few; three returns of three triples show the first, two of two nothing yet. */
static void edges_of_smearing(void)
{
    static const struct {
        uint64_t began, pure, triples, returns;
        enum td_place_status status;
    } all[] = {
        {50, 7, 0, 0, TD_PLACE_SMEARED},       {49, 7, 0, 0, TD_PLACE_FEW_SAMPLES}, {50, 8, 0, 0, TD_PLACE_FEW_SAMPLES},
        {51, 7, 0, 0, TD_PLACE_SMEARED},       {10, 8, 3, 3, TD_PLACE_SMEARED},     {10, 8, 2, 2, TD_PLACE_FEW_SAMPLES},
        {30, 20, 24, 3, TD_PLACE_FEW_SAMPLES}, {30, 20, 23, 3, TD_PLACE_SMEARED},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_stays stays = {.pure = {.n = all[i].pure}, .triples = all[i].triples, .returns = all[i].returns};
        const struct td_delta_place p = {.began = all[i].began, .stays = &stays, .intervals = 60};
        const struct td_deltas d = {.intervals = 1000};
        struct td_smear s;

        td_smear_of(&d, &p, &s);
        if (s.status != all[i].status)
            printf("\n    case %zu: %d\n", i, s.status);
        CU_ASSERT_EQUAL(s.status, all[i].status);
    }
}

/* Each is found again, however far they lie from each other. */
static void many_places(void)
{
    enum { MANY = 5000, FARTHEST = 1 << 12 };
    static char memory[MANY * FARTHEST];

    for (size_t apart = 1; apart <= FARTHEST; apart *= 4) {
        struct td_deltas all = {.metrics = 1};
        const double value = 1;

        for (size_t i = 0; i < 2 * MANY; i++) {
            const void *at = &memory[i % MANY * apart];

            CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){TD_DELTA_PLAIN, 0, at, at, (double)(1 + i % MANY),
                                                                    1, 0, &value, 0, 0, TD_BACK_NONE}));
        }
        CU_ASSERT_EQUAL(all.n, MANY);
        for (size_t i = 0; i < MANY; i++) {
            const struct td_delta_place *p = td_deltas_find(&all, &memory[i * apart]);

            CU_ASSERT(p && p->place == &memory[i * apart] && td_stays_of(p)->pure.n == 2 &&
                      p->slots == 2.0 * (double)(1 + i));
        }
        CU_ASSERT_PTR_NULL(td_deltas_find(&all, &all));
        td_deltas_free(&all);
    }
}

/* ---- several metrics, many deltas ---------------------------------------------------------------- */

/* 1,000 pure deltas are kept as 250 chunks of four: of 256 chunks each two were put together twice. The i-th delta
 * weighs 1 or 2 in turns, and has i and, if it is even, 2 i; the fourth metric nobody has. */
static void several_metrics(void)
{
    enum { METRICS = 4, MANY = 1000, EACH = 4 };
    struct td_deltas all = {.metrics = METRICS};
    const struct td_delta_place *p;
    const struct td_pure_deltas *pure;
    double sum[METRICS] = {0}, weight[METRICS] = {0};
    struct td_weighed of_all;

    for (int i = 0; i < MANY; i++) {
        const double value[METRICS] = {i, i % 2 ? (double)NAN : 2 * i, -i, (double)NAN};

        CU_ASSERT_FATAL(
            !td_deltas_add(&all, &(struct td_delta){TD_DELTA_PLAIN, 0, &place[1], &place[1], (double)(1 + i % 2), 0.5,
                                                    0.25, value, 0, 0, TD_BACK_NONE}));
    }
    p = td_deltas_find(&all, &place[1]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    pure = &td_stays_of(p)->pure;
    CU_ASSERT(pure->n == MANY && p->intervals == MANY && p->began == MANY && pure->chunks == MANY / EACH &&
              pure->each == EACH && pure->open == EACH);
    CU_ASSERT(p->slots == 1500 && pure->slots == 1500 && pure->restored == 375 && all.slots == 1500 &&
              all.seconds == 500 && all.intervals == MANY && !all.pairs && !all.nested && !all.unknown);
    for (size_t c = 0; c < MANY / EACH; c++) {
        const double first = (double)(EACH * c);
        struct td_weighed w[METRICS];

        for (size_t m = 0; m < METRICS; m++)
            w[m] = td_deltas_chunk(&all, p, c, m);
        /* first + 2 (first + 1) + (first + 2) + 2 (first + 3) */
        CU_ASSERT(w[0].weight == 6 && w[0].sum == 6 * first + 10);
        CU_ASSERT(w[1].weight == 2 && w[1].sum == 4 * first + 4);
        CU_ASSERT(w[2].weight == 6 && w[2].sum == -(6 * first + 10));
        CU_ASSERT(w[3].weight == 0 && w[3].sum == 0);
        for (size_t m = 0; m < METRICS; m++)
            sum[m] += w[m].sum, weight[m] += w[m].weight;
    }
    for (size_t m = 0; m < METRICS; m++) {
        of_all = td_deltas_all(&all, p, m);
        CU_ASSERT(of_all.sum == sum[m] && of_all.weight == weight[m]);
    }
    CU_ASSERT(all.most[0] == 999 && all.most[1] == 1996 && all.most[2] == 0 && all.most[3] == 0);
    of_all = td_deltas_all(&all, p, 3);
    CU_ASSERT(isnan(td_weighed_mean(&of_all)));
    of_all = td_deltas_all(&all, p, 1);
    CU_ASSERT(td_weighed_mean(&of_all) == 998);
    td_deltas_free(&all);
    CU_ASSERT(all.metrics == METRICS && !all.n && !all.place && !all.slot && all.slots == 0);
}

/* Courses do not mix: in each the same three samples, a, b, a, are one triple that returns. */
static void many_courses(void)
{
    static const uint32_t courses[] = {0, 15, 16, 31, 32, 33, 100};
    struct td_deltas all = {.metrics = 1};
    const double value = 1;

    for (size_t step = 0; step < 3; step++)
        for (size_t i = 0; i < sizeof(courses) / sizeof(*courses); i++) {
            const char *at[] = {NULL, &place[0], &place[1], &place[0]};

            CU_ASSERT_FATAL(!td_deltas_add(&all, &(struct td_delta){TD_DELTA_PLAIN, courses[i], at[step], at[step + 1],
                                                                    1, NAN, 0, &value, 0, 0, TD_BACK_NONE}));
            CU_ASSERT_EQUAL(all.unknown, step ? 7 : i + 1);
        }
    CU_ASSERT(all.n == 2 && all.place[0].place == &place[0] && all.place[1].place == &place[1]);
    CU_ASSERT(td_stays_of(&all.place[0])->triples == 7 && td_stays_of(&all.place[0])->returns == 7 &&
              td_stays_of(&all.place[1])->triples == 0 && all.unknown_slots == 7 && all.intervals == 14 &&
              isnan(all.seconds));
    td_deltas_free(&all);
}

/* Samples of a group that takes turns with others, at a, a, and in its next turn b, a, b, a. What lies between the two
 * turns has weight only: a, b, a is no triple across them, but the next two of a, b, a and b, a, b are; and such
 * samples are no pairs. */
static void between_turns(void)
{
    static const char *const at[] = {"a", "a", "b", "a", "b", "a"};
    enum { NESTED = 2, NEXT_TURN = 2 };

    for (int nested = 0; nested < NESTED; nested++) {
        struct td_deltas all = {.metrics = 1};
        const double value = 0.5;

        for (size_t i = 1; i < sizeof(at) / sizeof(*at); i++) {
            const enum td_delta_kind kind = i == NEXT_TURN ? TD_DELTA_REST : TD_DELTA_PLAIN;
            const char *from = &place[*at[i - 1] - 'a'], *to = &place[*at[i] - 'a'];

            if (nested)
                put_sample(&all, kind, at[i - 1], at[i]);
            else
                CU_ASSERT_FATAL(
                    !td_deltas_add(&all, &(struct td_delta){kind, 0, from, to, 1, NAN, 0, &value, 0, 0, TD_BACK_NONE}));
        }
        for (size_t i = 0; i < 2; i++)
            CU_ASSERT(td_stays_of(&all.place[i])->triples == 1 && td_stays_of(&all.place[i])->returns == 1);
        CU_ASSERT(all.place[0].intervals == 3 && td_stays_of(&all.place[0])->pure.n == 1 && all.place[0].slots == 3);
        CU_ASSERT(all.place[1].intervals == 1 && all.place[1].slots == 2);
        CU_ASSERT(!all.pairs && all.intervals == 4 && all.slots == 5);
        td_deltas_free(&all);
    }
}

/* a, a, b, a, a, a: of a two triples, one of which returns. Only those count as one thread's whose two deltas both
 * are; a pure delta adds the share that its thread had. */
static void threads(void)
{
    static const char at[] = "aabaaa";
    static const struct {
        double own[5]; /* of the deltas */
        uint64_t triples, returns;
        double sum; /* of pure ones, which have 2 slots each: the first, the fourth and the fifth */
    } rows[] = {
        {{1, 1, 1, 1, 1}, 2, 1, 6},     {{0.5, 0, 0, 0.25, 1}, 1, 0, 3.5}, {{0.5, 1, 0, 1, 1}, 1, 0, 5},
        {{1, 0.1, 0.1, 1, 0}, 1, 1, 4}, {{0, 0, 1, 1, 0.5}, 1, 0, 3},      {{0, 0, 0, 0, 0}, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int nested = 0; nested < 2; nested++) {
            struct td_deltas all = {.metrics = 1};
            const double value = 0.5;
            const struct td_stays *stays;

            for (size_t k = 0; k < 5; k++) {
                const void *from = &place[at[k] - 'a'], *to = &place[at[k + 1] - 'a'];
                const struct td_delta d = {.began = nested && from != to ? &elsewhere : from,
                                           .place = to,
                                           .weight = 2,
                                           .seconds = 1,
                                           .value = &value,
                                           .nth = nested ? 1 : 0,
                                           .own = rows[i].own[k]};

                if (!k && nested) { /* where it all began */
                    const struct td_delta first = {.place = from, .weight = 2, .seconds = 1, .value = &value, .nth = 1};

                    CU_ASSERT_FATAL(!td_deltas_add(&all, &first));
                }
                CU_ASSERT_FATAL(!td_deltas_add(&all, &d));
            }
            stays = td_stays_of(td_deltas_find(&all, &place[0]));
            CU_ASSERT(stays->triples == 2 && stays->returns == 1);
            if (stays->own_triples != rows[i].triples || stays->own_returns != rows[i].returns)
                printf("\n    case %zu, %d: %lu, %lu", i, nested, (unsigned long)stays->own_triples,
                       (unsigned long)stays->own_returns);
            CU_ASSERT(stays->own_triples == rows[i].triples && stays->own_returns == rows[i].returns);
            CU_ASSERT_EQUAL(stays->own, rows[i].sum);
            td_deltas_free(&all);
        }
}

/* a, a, b, a, a, a once more: of the four that end in a, two are of a thread that goes on and one of one that is back,
 * wherever the delta began; nothing is known of the fourth. In b it is back from elsewhere. */
static void entries(void)
{
    static const char at[] = "aabaaa";
    static const double own[] = {1, 0, 0.5, 0, 0};
    static const enum td_back back[] = {TD_BACK_NONE, TD_BACK_ELSEWHERE, TD_BACK_NONE, TD_BACK_HERE, TD_BACK_NONE};

    for (unsigned nested = 0; nested < 2; nested++) {
        struct td_deltas all = {.metrics = 1};
        const double value = 0.5;
        const struct td_stays *a, *b;

        for (size_t k = 0; k < 5; k++) {
            const void *from = &place[at[k] - 'a'], *to = &place[at[k + 1] - 'a'];
            const struct td_delta d = {.began = nested && from != to ? &elsewhere : from,
                                       .place = to,
                                       .weight = 2,
                                       .seconds = 1,
                                       .value = &value,
                                       .nth = nested,
                                       .own = own[k],
                                       .back = back[k]};

            CU_ASSERT_FATAL(!td_deltas_add(&all, &d));
        }
        a = td_stays_of(td_deltas_find(&all, &place[0]));
        b = td_stays_of(td_deltas_find(&all, &place[1]));
        CU_ASSERT(a->going_on.n == 2 && a->going_on.entered == 1 && a->back.n == 1 && a->back.entered == 0);
        CU_ASSERT(b->going_on.n == 0 && b->going_on.entered == 0 && b->back.n == 1 && b->back.entered == 1);
        td_deltas_free(&all);
    }
}

/* One delta at a place, of so many slots. */
static void one(struct td_deltas *d, const void *at, double weight, const double *value)
{
    const struct td_delta delta = {.began = at, .place = at, .weight = weight, .seconds = 1, .value = value};

    CU_ASSERT_EQUAL_FATAL(td_deltas_add(d, &delta), 0);
}

static void all_is(const struct td_deltas *d, const void *at, size_t metric, double weight, double sum)
{
    const struct td_weighed w = td_deltas_all(d, td_deltas_find(d, at), metric);

    CU_ASSERT_EQUAL(w.weight, weight);
    CU_ASSERT_EQUAL(w.sum, sum);
}

/* Of a place's pure deltas, which are a chunk each: the nth, from 0. */
static void chunk_is(const struct td_deltas *d, const void *at, size_t nth, size_t metric, double weight, double sum)
{
    const struct td_weighed w = td_deltas_chunk(d, td_deltas_find(d, at), nth, metric);

    CU_ASSERT_EQUAL(w.weight, weight);
    CU_ASSERT_EQUAL(w.sum, sum);
}

/* Metrics that come late, or not in each delta, weigh what the deltas that have them weigh; those that never come take
 * no room. */
static void columns(void)
{
    enum { METRICS = 9 };
    const double none = (double)NAN, first[METRICS] = {0.5, none, none, none, none, none, none, none, 0.25},
                 late[METRICS] = {0.25, none, 1, none, none, none, none, none, none},
                 many[METRICS] = {1, none, 1, 2, 4, 8, none, none, 1};
    struct td_deltas d = {.metrics = METRICS};

    one(&d, &place[0], 8, first);
    one(&d, &place[1], 4, first);
    CU_ASSERT_EQUAL(d.columns, 2);
    one(&d, &place[1], 16, late);
    one(&d, &place[2], 2, late);
    CU_ASSERT_EQUAL(d.columns, 3);
    one(&d, &place[0], 2, many); /* more columns than there was room for */
    CU_ASSERT_EQUAL(d.columns, 6);
    one(&d, &outer, 32, first);
    all_is(&d, &place[0], 0, 10, 6);
    all_is(&d, &place[0], 1, 0, 0);
    all_is(&d, &place[0], 2, 2, 2);
    all_is(&d, &place[0], 5, 2, 16);
    all_is(&d, &place[0], 8, 10, 4);
    all_is(&d, &place[1], 0, 20, 6);
    all_is(&d, &place[1], 2, 16, 16);
    all_is(&d, &place[1], 3, 0, 0);
    all_is(&d, &place[1], 8, 4, 1);
    all_is(&d, &place[2], 0, 2, 0.5);
    all_is(&d, &place[2], 2, 2, 2);
    all_is(&d, &place[2], 8, 0, 0);
    all_is(&d, &place[1], 4, 0, 0);
    all_is(&d, &place[1], 5, 0, 0);
    all_is(&d, &place[2], 5, 0, 0);
    one(&d, &place[1], 2, many); /* weights of its own, of columns that came later */
    all_is(&d, &place[1], 5, 2, 16);
    chunk_is(&d, &place[0], 0, 8, 8, 2);
    chunk_is(&d, &place[0], 0, 5, 0, 0);
    chunk_is(&d, &place[0], 1, 5, 2, 16);
    chunk_is(&d, &place[1], 0, 0, 4, 2);
    chunk_is(&d, &place[1], 0, 1, 0, 0);
    chunk_is(&d, &place[1], 0, 2, 0, 0);
    chunk_is(&d, &place[1], 0, 8, 4, 1);
    chunk_is(&d, &place[1], 1, 0, 16, 4);
    chunk_is(&d, &place[1], 1, 2, 16, 16);
    chunk_is(&d, &place[1], 1, 8, 0, 0);
    chunk_is(&d, &place[1], 2, 5, 2, 16);
    chunk_is(&d, &place[1], 2, 8, 2, 2);
    chunk_is(&d, &place[2], 0, 3, 0, 0); /* no column of that number was there yet */
    all_is(&d, &outer, 0, 32, 16);
    all_is(&d, &outer, 2, 0, 0);
    CU_ASSERT_EQUAL(d.most[5], 8);
    td_deltas_free(&d);
}

/* A metric that comes late weighs nothing of the deltas before it, however little these weigh. */
static void late_columns(void)
{
    static const double weights[] = {0, 0.5, 1, 2};
    const double none = (double)NAN;

    for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++) {
        struct td_deltas d = {.metrics = 2};

        one(&d, &place[0], weights[i], (const double[]){0.5, none});
        one(&d, &place[1], 4, (const double[]){1, 0.25});
        one(&d, &place[0], 8, (const double[]){0.25, 0.125});
        all_is(&d, &place[0], 0, 8 + weights[i], 2 + weights[i] / 2);
        all_is(&d, &place[0], 1, 8, 1);
        all_is(&d, &place[1], 1, 4, 1);
        CU_ASSERT(d.most[0] == 1 && d.most[1] == 0.25);
        td_deltas_free(&d);
    }
}

/* All bytes of a few words of memory, which fill a table as far as it is filled: whichever these are. */
static void crowded(void)
{
    enum { WORDS = 6, BYTES = 8, ROUNDS = 200 };
    static char memory[1 << 16] __attribute__((aligned(BYTES)));
    struct unit_random random = {3};
    const double value = 1;

    for (int round = 0; round < ROUNDS; round++) {
        struct td_deltas all = {.metrics = 1};
        const char *at[WORDS * BYTES];

        for (size_t i = 0; i < WORDS; i++) {
            const size_t word = i + WORDS * (size_t)unit_random_below(&random, 1000);

            for (size_t k = 0; k < BYTES; k++)
                at[i * BYTES + k] = &memory[word * BYTES + k];
        }
        for (size_t i = 0; i < WORDS * BYTES; i++)
            one(&all, at[i], (double)i, &value);
        CU_ASSERT_EQUAL(all.n, WORDS * BYTES);
        for (size_t i = 0; i < WORDS * BYTES; i++)
            CU_ASSERT(td_deltas_find(&all, at[i])->slots == (double)i);
        td_deltas_free(&all);
    }
}

/* A chain of three places is entered once, and g alone three times: what the longer one had is not counted again. */
static void entered_places(void)
{
    const struct {
        char place;
        uint64_t entries;
    } rows[] = {{'g', 4}, {'l', 1}, {'m', 1}, {'f', 0}};
    struct td_deltas all = {.metrics = 1};

    put_pairs(&all, "f", "glm", 1);
    put_pairs(&all, "f", "g", 3);
    put_sample(&all, TD_DELTA_REST, NULL, "f"); /* the last pair is complete */
    CU_ASSERT_EQUAL(all.n, 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t at = 0, from = 0;

        while (at < all.n && all.place[at].place != letter(rows[i].place))
            at++;
        CU_ASSERT_FATAL(at < all.n);
        CU_ASSERT_EQUAL(td_moves_count(&all.entries, from, at), rows[i].entries);
    }
    td_deltas_free(&all);
}

/* From a chain of three twice to g, once to another chain in f: each place that was left went to the innermost one. */
static void left_places(void)
{
    const struct {
        char from, to;
        uint64_t moves;
    } rows[] = {{'f', 'g', 2}, {'l', 'g', 2}, {'m', 'g', 2}, {'l', 'h', 1},
                {'m', 'h', 1}, {'f', 'h', 0}, {'g', 'f', 0}};
    struct td_deltas all = {.metrics = 1};

    put_pairs(&all, "flm", "g", 2);
    put_pairs(&all, "flm", "fh", 1);
    put_sample(&all, TD_DELTA_REST, NULL, "f"); /* the last pair is complete */
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_delta_place *from = td_deltas_find(&all, letter(rows[i].from)),
                                    *to = td_deltas_find(&all, letter(rows[i].to));

        CU_ASSERT_FATAL(from && to);
        CU_ASSERT_EQUAL(td_moves_count(&all.moves, (size_t)(from - all.place), (size_t)(to - all.place)),
                        rows[i].moves);
    }
    CU_ASSERT(td_stays_of(td_deltas_find(&all, letter('m')))->inner == 3 &&
              td_stays_of(td_deltas_find(&all, letter('m')))->inner_left == 3);
    td_deltas_free(&all);
}

/* One that is not there is not found, however full the table is. */
static void absent_places(void)
{
    enum { MANY = 300 };
    static const char memory[MANY];
    struct td_deltas all = {.metrics = 1};
    const double value = 1;

    CU_ASSERT_PTR_NULL(td_deltas_find(&all, &all));
    for (size_t i = 0; i < MANY; i++) {
        const struct td_delta d = {.place = &memory[i], .weight = 1, .seconds = 1, .value = &value, .nth = 1};

        CU_ASSERT_FATAL(!td_deltas_add(&all, &d));
        CU_ASSERT_PTR_NULL(td_deltas_find(&all, &all));
    }
    CU_ASSERT_EQUAL(all.n, MANY);
    td_deltas_free(&all);
}

/* Metrics that come one after the other, at places that have weights of their own, while memory runs out. */
static int grown(void *ctx)
{
    enum { METRICS = 9 };
    struct td_deltas d = {.metrics = METRICS};
    int err = 0;

    (void)ctx;
    for (size_t i = 0; i < METRICS && !err; i++)
        for (size_t p = 0; p < PLACES && !err; p++) {
            double value[METRICS];
            const struct td_delta delta = {
                .began = &place[p], .place = &place[p], .weight = 1, .seconds = 1, .value = value};

            for (size_t k = 0; k < METRICS; k++)
                value[k] = k == i || k == 0 ? 1 : (double)NAN;
            err = td_deltas_add(&d, &delta);
        }
    if (!err)
        all_is(&d, &place[2], METRICS - 1, 1, 1);
    for (unsigned i = 0; i < 8 && !err;
         i++) { /* x, y, x, x, of a thread that goes on, and is back; alone, in a chain */
        static const char at[] = "xyxx", in_chain[] = "uvuu";
        const bool chain = i >= 4;
        const char *names = chain ? in_chain : at;
        const double value[METRICS] = {1};

        err = td_deltas_add(&d, &(struct td_delta){.began = i % 4 ? letter(names[i % 4 - 1]) : NULL,
                                                   .place = letter(names[i % 4]),
                                                   .course = !chain, /* what the first one kept is freed, too */
                                                   .weight = 1,
                                                   .seconds = 1,
                                                   .value = value,
                                                   .nth = chain,
                                                   .own = i % 4 == 1,
                                                   .back = i % 4 == 2 ? TD_BACK_ELSEWHERE : TD_BACK_NONE});
    }
    td_deltas_free(&d);
    return err;
}

/* New places that lack metrics, which come one after the other; courses from 0 on; and pairs of chains. */
static int grown_further(void *ctx)
{
    enum { METRICS = 9, COURSES_MANY = 40 };
    struct td_deltas d = {.metrics = METRICS}, nested = {.metrics = 1};
    double value[METRICS];
    int err = 0;

    (void)ctx;
    for (size_t i = 0; i < METRICS && !err; i++)
        for (size_t p = 0; p < 2 && !err; p++) {
            for (size_t k = 0; k < METRICS; k++)
                value[k] = p ? k == 0 ? 1 : (double)NAN : k <= i ? 1 : (double)NAN;
            err = td_deltas_add(&d, &(struct td_delta){.began = letter((char)('a' + 2 * (int)i + (int)p)),
                                                       .place = letter((char)('a' + 2 * (int)i + (int)p)),
                                                       .weight = 1,
                                                       .value = value});
        }
    for (uint32_t i = 0; i < 2 * COURSES_MANY && !err; i++)
        err = td_deltas_add(&d, &(struct td_delta){.course = i / 2,
                                                   .began = i % 2 ? letter('x') : letter('y'),
                                                   .place = i % 2 ? letter('y') : letter('x'),
                                                   .kind = i % 4 ? TD_DELTA_SHORT : TD_DELTA_PLAIN,
                                                   .weight = 1,
                                                   .value = value});
    for (unsigned i = 0; i < 5 && !err; i++)
        for (unsigned nth = 1; nth <= 10 && !err; nth++) {
            const char *at = letter((char)('A' + (int)(i * nth)));

            err = td_deltas_add(&nested, &(struct td_delta){.kind = TD_DELTA_SHORT,
                                                            .course = 1,
                                                            .began = nth > 3 && i ? at
                                                                     : i          ? &elsewhere
                                                                                  : NULL,
                                                            .place = at,
                                                            .weight = 1,
                                                            .value = value,
                                                            .nth = nth});
        }
    td_deltas_free(&nested);
    td_deltas_free(&d);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(grown, NULL, 1, false) > 20);
    CU_ASSERT(memory_each(grown_further, NULL, 1, false) > 40);
}

static const CU_TestInfo tests[] = {
    {"absent places", absent_places},
    {"without memory", without_memory},
    {"entered places", entered_places},
    {"left places", left_places},
    {"without values", without_values},
    {"kinds of samples", kinds},
    {"several metrics", several_metrics},
    {"many courses", many_courses},
    {"between two turns", between_turns},
    {"threads of a CPU", threads},
    {"threads that are back", entries},
    {"edges of smearing", edges_of_smearing},
    {"many places", many_places},
    {"functions with what they call, as functions alone", nested},
    {"the same of samples in pairs", nested_pairs},
    {"a function that is entered by what it calls", entered_by_a_callee},
    {"metrics that come late, or never", columns},
    {"metrics that come late to what weighs little", late_columns},
    {"crowded", crowded},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("deltas", tests);
