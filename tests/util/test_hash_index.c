/* SPDX-License-Identifier: MIT */
/* Numbers of names: the hash, the scopes of a stream, the names of events. */
#include "core/counts/event_names.h"
#include "core/counts/scope_index.h"
#include "core/counts/scope_kind.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* hash(bytes([1, 2, 3, ...])) of CPython 3.11, which is SipHash-1-3, with PYTHONHASHSEED=0, which is a seed of zeros.
 */
static void siphash(void)
{
    static const struct {
        size_t length;
        uint64_t hash;
    } all[] =
        {
            {1, UINT64_C(0x44bc103b1f8540ed)},  {2, UINT64_C(0x1d6b299344bab347)},  {7, UINT64_C(0xb1cd85cc334196fa)},
            {8, UINT64_C(0x884ccc87cb0e5fb0)},  {9, UINT64_C(0x027ed508fe95acb3)},  {15, UINT64_C(0x75e46d4257851550)},
            {16, UINT64_C(0xe05d12a0a4b2d063)}, {17, UINT64_C(0x85e152444239b234)}, {31, UINT64_C(0x47670cb24a35602f)},
        },
      seeded[] = {
          {1, UINT64_C(0xc1147c52c3233753)},
          {8, UINT64_C(0xc56dd94b0e1f6589)},
          {15, UINT64_C(0x63652876e56670bd)},
      };
    struct td_hash_index x = {.seed = {0, 0}};
    unsigned char bytes[31];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(i + 1);
    for (size_t i = 0; i < LENGTH(all); i++)
        CU_ASSERT_EQUAL(td_hash(&x, bytes, all[i].length), (uint32_t)(all[i].hash ^ all[i].hash >> 32));
    x.seed[0] = UINT64_C(0xaed66ce184be2329); /* of PYTHONHASHSEED=1, by its generator of 1 */
    x.seed[1] = UINT64_C(0xebe9bbf1f1499052);
    for (size_t i = 0; i < LENGTH(seeded); i++)
        CU_ASSERT_EQUAL(td_hash(&x, bytes, seeded[i].length), (uint32_t)(seeded[i].hash ^ seeded[i].hash >> 32));
}

/* Even two indexes of one program differ: their seeds are not constants. */
static void seeds(void)
{
    struct td_hash_index x = {.n = 0}, y = {.n = 0};

    CU_ASSERT_FATAL(!td_hash_room(&x) && !td_hash_room(&y));
    CU_ASSERT(x.seed[0] && x.seed[1] && x.seed[0] != y.seed[0]);
    CU_ASSERT(td_hash(&x, "CPU0", 4) != td_hash(&y, "CPU0", 4));
    td_hash_index_free(&x);
    td_hash_index_free(&y);
}

/* All entries with the same hash are found, the last one first. */
static void same_hash(void)
{
    struct td_hash_index x = {.n = 0};

    CU_ASSERT_EQUAL(td_hash_first(&x, 5), -1);
    for (uint32_t i = 0; i < 1000; i++) {
        CU_ASSERT_FATAL(!td_hash_room(&x));
        td_hash_add(&x, i % 10 ? 1000 + i : 5);
    }
    for (uint32_t i = 1; i < 1000; i += i % 10 == 9 ? 2 : 1) {
        CU_ASSERT_EQUAL(td_hash_first(&x, 1000 + i), i);
        CU_ASSERT_EQUAL(td_hash_next(&x, i), -1);
    }
    for (long at = td_hash_first(&x, 5), n = 0; n < 100; at = td_hash_next(&x, at), n++)
        CU_ASSERT_EQUAL(at % 10, 0);
    CU_ASSERT_EQUAL(td_hash_first(&x, 6), -1);
    td_hash_index_free(&x);
}

static int number(struct td_scope_index *x, const char *name, enum td_scope_kind kind, char core)
{
    return td_scope_number(x, name, strlen(name), kind, core);
}

static void scopes(void)
{
    struct td_scope_index x = {.n = 0};

    CU_ASSERT_EQUAL(number(&x, "CPU0", TD_KIND_CPU, 'P'), 0);
    CU_ASSERT_EQUAL(number(&x, "CPU0", TD_KIND_CPU, 'E'), 1);
    CU_ASSERT_EQUAL(number(&x, "CPU0", TD_KIND_THREAD, 'P'), 2);
    CU_ASSERT_EQUAL(number(&x, "CPU", TD_KIND_CPU, 'P'), 3);
    CU_ASSERT_EQUAL(td_scope_number(&x, "CPU0,", 4, TD_KIND_CPU, 'P'), 0);
    CU_ASSERT_EQUAL(td_scope_number(&x, "CPU0,", 3, TD_KIND_CPU, 'P'), 3);
    CU_ASSERT_EQUAL(number(&x, "CPU00", TD_KIND_CPU, 'P'), 4);
    CU_ASSERT_EQUAL(number(&x, "", TD_KIND_CPU, 'P'), 5);
    CU_ASSERT_EQUAL(number(&x, "x\x1by", TD_KIND_CGROUP, 0), 6);
    CU_ASSERT_EQUAL(number(&x, "x\x1by", TD_KIND_CGROUP, 0), 6);
    CU_ASSERT_EQUAL(number(&x, "x\x1cy", TD_KIND_CGROUP, 0), 7); /* another, by one byte */
    CU_ASSERT_EQUAL(number(&x, "x?y", TD_KIND_CGROUP, 0), 8);
    CU_ASSERT_EQUAL(number(&x, "x\\x1by", TD_KIND_CGROUP, 0), 9); /* not the byte, but its escape */
    CU_ASSERT_EQUAL(number(&x, "x\x1by", TD_KIND_CGROUP, 0), 6);
    CU_ASSERT_EQUAL(td_scope_number(&x, "x\0y", 3, TD_KIND_CGROUP, 0), 10);
    CU_ASSERT_EQUAL(td_scope_number(&x, "x\0z", 3, TD_KIND_CGROUP, 0), 11);
    CU_ASSERT_EQUAL(td_scope_number(&x, "x", 1, TD_KIND_CGROUP, 0), 12);
    CU_ASSERT_STRING_EQUAL(x.key[6].name, "x\\x1by");
    CU_ASSERT_STRING_EQUAL(x.key[7].name, "x\\x1cy");
    CU_ASSERT_STRING_EQUAL(x.key[9].name, "x\\x5cx1by");
    CU_ASSERT_STRING_EQUAL(x.key[10].name, "x\\x00y");
    CU_ASSERT(x.key[2].core == 'P' && x.key[2].kind == TD_KIND_THREAD);
    CU_ASSERT_EQUAL(number(&x, "CPU0", TD_KIND_THREAD, 'P'), 2);
    td_scope_index_free(&x);
}

/* The maximum number of scopes, in order and then in any order; names do not move. */
static void most_scopes(void)
{
    struct td_scope_index x = {.n = 0};
    struct unit_random r = {11};
    const char *first;
    char name[32];
    long wrong = 0;

    CU_ASSERT_EQUAL_FATAL(number(&x, "t-0", TD_KIND_THREAD, 0), 0);
    first = x.key[0].name;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < TD_SCOPES_MAX; i++) {
            snprintf(name, sizeof(name), "t-%d", i);
            wrong += number(&x, name, TD_KIND_THREAD, 0) != i;
        }
    for (int n = 0; n < 20000; n++) {
        int i = (int)unit_random_below(&r, TD_SCOPES_MAX);

        snprintf(name, sizeof(name), "t-%d", i);
        wrong += number(&x, name, TD_KIND_THREAD, 0) != i;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_PTR_EQUAL(x.key[0].name, first);
    CU_ASSERT_EQUAL(number(&x, "one more", TD_KIND_THREAD, 0), -E2BIG);
    CU_ASSERT_EQUAL(number(&x, "t-7", TD_KIND_THREAD, 0), 7);
    td_scope_index_free(&x);
}

static int text(struct td_texts *t, const char *name)
{
    return td_texts_number(t, name, strlen(name));
}

static void event_names(void)
{
    struct td_texts t = {.n = 0};

    CU_ASSERT_EQUAL(text(&t, "slots"), 0);
    CU_ASSERT_EQUAL(text(&t, "SLOTS:u"), 1);
    CU_ASSERT_EQUAL(text(&t, "Slots"), 2);
    CU_ASSERT_EQUAL(text(&t, "a\x9b"
                             "b"),
                    3);
    CU_ASSERT_EQUAL(text(&t, "a?b"), 4);
    CU_ASSERT_EQUAL(text(&t, "a\x9a"
                             "b"),
                    5);
    CU_ASSERT_EQUAL(text(&t, "a\\x9bb"), 6); /* not the byte, but its escape */
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\0b", 3), 7);
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\0c", 3), 8);
    CU_ASSERT_EQUAL(text(&t, "a"), 9);
    CU_ASSERT_EQUAL(text(&t, "slots"), 0);
    CU_ASSERT_EQUAL(text(&t, "a\x9b"
                             "b"),
                    3);
    CU_ASSERT_STRING_EQUAL(t.names[3], "a\\x9bb");
    CU_ASSERT_STRING_EQUAL(t.names[4], "a?b");
    CU_ASSERT_STRING_EQUAL(t.names[6], "a\\x5cx9bb");
    CU_ASSERT_STRING_EQUAL(t.names[7], "a\\x00b");
    CU_ASSERT(t.entries[2].first == 0 && t.entries[1].first == 1 && t.entries[1].modes && !t.entries[0].modes);
    td_texts_free(&t);
}

/* Every second number has the hash 0: all of these are found, however often the table grows. */
static void one_hash(void)
{
    enum { MANY = 600 };
    struct td_hash_index x = {.n = 0};
    size_t wrong = 0;

    for (uint32_t i = 0; i < MANY; i++) {
        size_t n = 0;

        CU_ASSERT_FATAL(!td_hash_room(&x));
        td_hash_add(&x, i % 2 ? i : 0);
        for (long at = td_hash_first(&x, 0); at >= 0 && n <= MANY; at = td_hash_next(&x, at))
            n += at % 2 == 0;
        wrong += n != i / 2 + 1;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    td_hash_index_free(&x);
    CU_ASSERT(!x.n && !x.entry && !x.bucket);
}

static int fill(void *ctx)
{
    struct td_hash_index x = {.n = 0};
    int err = 0;

    (void)ctx;
    for (uint32_t i = 0; i < 100 && !err; i++) {
        err = td_hash_room(&x);
        if (!err)
            td_hash_add(&x, i);
        for (uint32_t k = 0; k < x.n; k++) /* what was there is found, whether there was more room or not */
            CU_ASSERT_EQUAL(td_hash_first(&x, k), (long)k);
    }
    td_hash_index_free(&x);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(fill, NULL, 1, false) >= 4);
}

static const CU_TestInfo tests[] = {
    {"without memory", without_memory},
    {"one hash", one_hash},
    {"siphash", siphash},
    {"seeds", seeds},
    {"same hash", same_hash},
    {"scopes", scopes},
    {"most scopes", most_scopes},
    {"names of events", event_names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("hash_index", tests);
