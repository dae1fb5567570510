/* SPDX-License-Identifier: MIT */
/* Deltas of one place in chunks, and moves between places: sums and counts by hand. */
#include "stats/moves.h"
#include "stats/pure_deltas.h"
#include "tests/support/unit.h"

static void has(const struct td_pure_deltas *p, size_t chunk, size_t column, double weight, double sum)
{
    const struct td_weighed w = td_pure_chunk(p, chunk, column);

    CU_ASSERT_EQUAL(w.weight, weight);
    CU_ASSERT_EQUAL(w.sum, sum);
}

#define ADD(weight, restored, ...) \
    CU_ASSERT_EQUAL_FATAL(td_pure_add(&p, (const double[]){__VA_ARGS__}, \
                                      sizeof((const double[]){__VA_ARGS__}) / sizeof(double), weight, restored), \
                          0)

/* A value that a delta lacks has no weight of it; a column that comes later has none of those before. */
static void columns(void)
{
    static const double none = (double)NAN;
    struct td_pure_deltas p = {.n = 0};

    ADD(2, 0.5, 1, 10);
    ADD(3, 0, 4, 20);
    has(&p, 0, 0, 2, 2); /* 2 * 1 */
    has(&p, 0, 1, 2, 20);
    has(&p, 1, 0, 3, 12);
    has(&p, 1, 1, 3, 60);
    CU_ASSERT_EQUAL(p.weights, 1); /* which is that of all columns */
    ADD(1, 1, none, 30);
    CU_ASSERT_EQUAL(p.weights, 2);
    ADD(5, 0.25, 6, none);
    ADD(4, 0, 7, 40, 8);
    ADD(2, 0, none, none, 9);
    has(&p, 0, 0, 2, 2);
    has(&p, 0, 1, 2, 20);
    has(&p, 0, 2, 0, 0);
    has(&p, 1, 0, 3, 12);
    has(&p, 1, 1, 3, 60);
    has(&p, 2, 0, 0, 0);
    has(&p, 2, 1, 1, 30);
    has(&p, 3, 0, 5, 30);
    has(&p, 3, 1, 0, 0);
    has(&p, 4, 0, 4, 28);
    has(&p, 4, 1, 4, 160);
    has(&p, 4, 2, 4, 32);
    has(&p, 5, 0, 0, 0);
    has(&p, 5, 2, 2, 18);
    has(&p, 5, 3, 0, 0);
    CU_ASSERT(p.n == 6 && p.chunks == 6 && p.slots == 17);
    CU_ASSERT_EQUAL(p.restored, 3.25); /* 2 * 0.5 + 1 * 1 + 5 * 0.25 */
    td_pure_free(&p);
    CU_ASSERT(!p.sum && p.chunks == 0 && p.room == 0 && p.n == 6);
}

/* The first deltas have no value at all. */
static void no_columns(void)
{
    struct td_pure_deltas p = {.n = 0};

    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL_FATAL(td_pure_add(&p, NULL, 0, 2, 0), 0);
    has(&p, 0, 0, 0, 0);
    ADD(4, 0, 0.5);
    ADD(8, 0, (double)NAN);
    has(&p, 2, 0, 0, 0);
    has(&p, 3, 0, 4, 2);
    has(&p, 4, 0, 0, 0);
    CU_ASSERT(p.n == 5 && p.slots == 18);
    td_pure_free(&p);
}

/* Delta i is i, of weight 1. Up to 256 there is a chunk of each, up to 512 of each two, up to 1024 of each four. */
static void chunks(void)
{
    struct td_pure_deltas p = {.n = 0};

    for (unsigned i = 0; i < 1000; i++) {
        ADD(1, 0, i);
        if (i + 1 == 256) {
            CU_ASSERT_EQUAL(p.chunks, 256);
            has(&p, 255, 0, 1, 255);
        } else if (i + 1 == 257) {
            CU_ASSERT_EQUAL(p.chunks, 129);
            has(&p, 0, 0, 2, 0 + 1);
            has(&p, 127, 0, 2, 254 + 255);
            has(&p, 128, 0, 1, 256);
        } else if (i + 1 == 258) {
            CU_ASSERT_EQUAL(p.chunks, 129);
            has(&p, 128, 0, 2, 256 + 257);
        } else if (i + 1 == 512) {
            CU_ASSERT_EQUAL(p.chunks, 256);
        }
    }
    CU_ASSERT(p.n == 1000 && p.chunks == 250 && p.each == 4);
    for (size_t c = 0; c < 250; c++)
        has(&p, c, 0, 4, 16 * (double)c + 6); /* 4c + (4c + 1) + (4c + 2) + (4c + 3) */
    td_pure_free(&p);
}

/* Seven places, from each of which the program goes to eleven others, a hundred times each. */
static void moves(void)
{
    enum { FROM = 7, TO = 11, EACH = 100 };
    struct td_moves m = {.n = 0}, more = {.n = 0};
    size_t first[FROM] = {0};

    CU_ASSERT_EQUAL(td_moves_count(&m, 0, 0), 0);
    for (size_t i = 0; i < (size_t)FROM * TO * EACH; i++) {
        CU_ASSERT_EQUAL_FATAL(td_moves_add(&m, i % FROM, 100 + i % TO, &first[i % FROM]), 0);
        if (m.n < FROM * TO) /* one that is not there is not found, however full the table is */
            CU_ASSERT_EQUAL(td_moves_count(&m, FROM, i), 0);
    }
    for (size_t to = 0; to < 1000; to++) {
        size_t none = 0;

        CU_ASSERT_EQUAL_FATAL(td_moves_add(&more, 1, to, &none), 0);
        CU_ASSERT_EQUAL(td_moves_count(&more, 2, to), 0);
    }
    td_moves_free(&more);
    CU_ASSERT_EQUAL(m.n, FROM * TO);
    for (size_t from = 0; from < FROM; from++) {
        bool seen[TO] = {false};
        size_t n = 0;

        for (size_t to = 0; to < TO; to++)
            CU_ASSERT_EQUAL(td_moves_count(&m, from, 100 + to), EACH);
        CU_ASSERT_EQUAL(td_moves_count(&m, from, 100 + TO), 0);
        CU_ASSERT_EQUAL(td_moves_count(&m, 100 + from, from), 0);
        for (size_t at = first[from]; at; at = m.move[at - 1].next, n++) {
            CU_ASSERT(m.move[at - 1].from == from && !seen[m.move[at - 1].to - 100]);
            seen[m.move[at - 1].to - 100] = true;
        }
        CU_ASSERT_EQUAL(n, TO);
    }
    td_moves_free(&m);
    CU_ASSERT(m.n == 0 && !m.move && !m.slot && m.nslots == 0);
}

static const CU_TestInfo tests[] = {
    {"columns", columns}, {"no columns", no_columns}, {"chunks", chunks}, {"moves", moves}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("pure deltas", tests);
