/* SPDX-License-Identifier: MIT */
/* What is mapped at which addresses: the trees against a table of addresses, and what changes of them cost. */
#include "samples/maps_tree.h"
#include "tests/support/unit.h"

#include <stdlib.h>

/* ---- what is mapped ----------------------------------------------------------------------------- */

enum { ADDRESSES = 64, NOTHING = 0 };

/* The first of the addresses, and the offset that each has: by it, no two mappings are one after the other. */
struct table {
    uint64_t base, offset[ADDRESSES];
};

static size_t pieces(const struct table *t)
{
    size_t n = 0;

    for (size_t i = 0; i < ADDRESSES; i++)
        n += t->offset[i] != NOTHING && (!i || t->offset[i] != t->offset[i - 1] + 1);
    return n;
}

static int height(const struct td_maps *m)
{
    return m ? m->height : 0;
}

/* All mappings are in order, and no side of a node is much higher than the other: how many there are. */
static size_t check_tree(const struct td_maps *m, uint64_t *from)
{
    size_t n = 0;
    int lean;

    if (!m)
        return 0;
    lean = height(m->left) - height(m->right);
    CU_ASSERT_EQUAL(m->height, 1 + (lean > 0 ? height(m->left) : height(m->right)));
    CU_ASSERT(abs(lean) <= TD_MAPS_SLACK);
    n = check_tree(m->left, from);
    CU_ASSERT(m->map.start >= *from && m->map.end >= m->map.start);
    *from = m->map.end + 1;
    return n + 1 + check_tree(m->right, from);
}

static void check_table(const struct td_maps *m, const struct table *t)
{
    uint64_t from = t->base;

    CU_ASSERT_EQUAL(check_tree(m, &from), pieces(t));
    for (size_t i = 0; i < ADDRESSES; i++) {
        const struct td_map *map = td_maps_find(m, t->base + i);

        CU_ASSERT_EQUAL(map ? map->offset + (t->base + i - map->start) : NOTHING, t->offset[i]);
    }
}

/* Maps some addresses, most often few, or has nothing there. */
static void change(struct td_maps_pool *pool, struct td_maps **m, struct table *t, struct unit_random *random,
                   uint64_t nth)
{
    const size_t first = unit_random_below(random, ADDRESSES), room = ADDRESSES - first;
    const size_t most = unit_random_below(random, 8) ? 3 : room,
                 n = 1 + unit_random_below(random, most < room ? most : room);
    const bool any = unit_random_below(random, 4) > 0;
    const struct td_map map = {t->base + first, t->base + first + (n - 1), 1000 * nth,
                               any ? (const struct td_dso *)pool : NULL};

    CU_ASSERT_EQUAL_FATAL(td_maps_put(pool, m, &map), 0);
    for (size_t i = 0; i < n; i++)
        t->offset[first + i] = any ? map.offset + i : NOTHING;
}

/* One side of each tree that others share stays as it was. */
static void as_the_table(uint64_t base)
{
    struct td_maps_pool pool = {.n = 0};
    struct unit_random random = {5};
    struct table table = {.base = base}, before;
    struct td_maps *maps = NULL, *shared;

    for (uint64_t i = 1; i <= 2000; i++) {
        before = table;
        shared = td_maps_share(maps);
        change(&pool, &maps, &table, &random, i);
        check_table(maps, &table);
        check_table(shared, &before);
        td_maps_drop(&pool, shared);
        CU_ASSERT_EQUAL_FATAL(pool.n, pieces(&table));
    }
    td_maps_drop(&pool, maps);
    CU_ASSERT_EQUAL(pool.n, 0);
}

static void first_addresses(void)
{
    as_the_table(0);
}

static void last_addresses(void)
{
    as_the_table(UINT64_MAX - (ADDRESSES - 1));
}

/* ---- what changes cost ------------------------------------------------------------------------ */

enum { MAPS = 1 << 14, LOG_MAPS = 14 };

static uint64_t rising(uint64_t i)
{
    return i;
}

static uint64_t falling(uint64_t i)
{
    return MAPS - 1 - i;
}

/* From both ends to the middle. */
static uint64_t inwards(uint64_t i)
{
    return i % 2 ? MAPS - 1 - i / 2 : i / 2;
}

/* All in an order that jumps. */
static uint64_t jumping(uint64_t i)
{
    return i * 9973 % MAPS;
}

static void put(struct td_maps_pool *pool, struct td_maps **maps, uint64_t at)
{
    const struct td_map map = {.start = 16 * at, .end = 16 * at + 7, .dso = (const struct td_dso *)pool};

    CU_ASSERT_EQUAL_FATAL(td_maps_put(pool, maps, &map), 0);
}

/* A change of a tree that is shared makes a few new nodes, however it has grown, and each change of one that is not
 * keeps as many. */
static void check_copies(uint64_t (*order)(uint64_t))
{
    struct td_maps_pool pool = {.n = 0};
    struct td_maps *maps = NULL, *copy;
    size_t most = 0;

    for (uint64_t i = 0; i < MAPS; i++)
        put(&pool, &maps, order(i));
    CU_ASSERT_EQUAL(pool.n, MAPS);
    for (uint64_t i = 0; i < MAPS; i += 61) {
        copy = td_maps_share(maps);
        put(&pool, &copy, i);
        most = pool.n - MAPS > most ? pool.n - MAPS : most;
        CU_ASSERT(td_maps_find(maps, 16 * i + 7) != td_maps_find(copy, 16 * i + 7));
        td_maps_drop(&pool, copy);
        CU_ASSERT_EQUAL_FATAL(pool.n, MAPS);
    }
    CU_ASSERT(most > 0 && most <= 3 * LOG_MAPS);
    td_maps_drop(&pool, maps);
    CU_ASSERT_EQUAL(pool.n, 0);
}

static void few_copies(void)
{
    check_copies(rising);
    check_copies(falling);
    check_copies(inwards);
    check_copies(jumping);
}

static const CU_TestInfo tests[] = {
    {"the first addresses there are", first_addresses},
    {"the last addresses there are", last_addresses},
    {"changes copy little", few_copies},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("mappings", tests);
