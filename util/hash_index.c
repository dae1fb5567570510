/* SPDX-License-Identifier: MIT */
#include "util/hash_index.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 16,
    BUCKETS = 4 /* buckets for each name: so most are empty, and a new name is seldom compared with another */
};

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

/* SipHash-1-3: Aumasson and Bernstein, SipHash: a fast short-input PRF (2012),
 * section 2, with one round for each word and three at the end. */
uint32_t td_hash(const struct td_hash_index *x, const void *name, size_t len)
{
    uint64_t v[4] = {
        x->seed[0] ^ UINT64_C(0x736f6d6570736575),
        x->seed[1] ^ UINT64_C(0x646f72616e646f6d),
        x->seed[0] ^ UINT64_C(0x6c7967656e657261),
        x->seed[1] ^ UINT64_C(0x7465646279746573),
    };
    const unsigned char *at = name;
    uint64_t word, last = (uint64_t)len << 56;

    for (; len >= sizeof(word); at += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        sip_word(v, word);
    }
    for (size_t i = 0; i < len; i++)
        last |= (uint64_t)at[i] << (8 * i);
    sip_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    v[0] ^= v[1] ^ v[2] ^ v[3];
    return (uint32_t)(v[0] ^ v[0] >> 32);
}

/* The seed has to differ from run to run, and comes from where the loader and the allocator have put things: the
 * machine need not be asked for random bytes. */
static void make_seed(struct td_hash_index *x)
{
    const int here = 0;
    static const char there;

    x->seed[0] = (uint64_t)(uintptr_t)x->entry ^ (uint64_t)(uintptr_t)&there << 16;
    x->seed[1] = (uint64_t)(uintptr_t)&here ^ (uint64_t)(uintptr_t)x->bucket << 16;
}

static void put(struct td_hash_index *x, size_t i)
{
    uint32_t *bucket = &x->bucket[x->entry[i].hash & (x->nbuckets - 1)];

    x->entry[i].next = *bucket;
    *bucket = (uint32_t)i + 1;
}

int td_hash_room(struct td_hash_index *x)
{
    const size_t room = x->room ? 2 * x->room : FIRST_ROOM;
    const bool first = !x->room;
    struct td_hash_entry *entry;
    uint32_t *bucket;

    if (x->n < x->room)
        return 0;
    entry = realloc(x->entry, room * sizeof(*entry));
    if (!entry)
        return -ENOMEM;
    x->entry = entry;
    bucket = calloc(BUCKETS * room, sizeof(*bucket));
    if (!bucket)
        return -ENOMEM;
    free(x->bucket);
    x->bucket = bucket;
    x->room = room;
    x->nbuckets = BUCKETS * room;
    if (first)
        make_seed(x);
    for (size_t i = 0; i < x->n; i++)
        put(x, i);
    return 0;
}

void td_hash_add(struct td_hash_index *x, uint32_t hash)
{
    x->entry[x->n].hash = hash;
    put(x, x->n++);
}

static long same_hash(const struct td_hash_index *x, uint32_t at, uint32_t hash)
{
    while (at && x->entry[at - 1].hash != hash)
        at = x->entry[at - 1].next;
    return (long)at - 1;
}

long td_hash_first(const struct td_hash_index *x, uint32_t hash)
{
    return x->n ? same_hash(x, x->bucket[hash & (x->nbuckets - 1)], hash) : -1;
}

long td_hash_next(const struct td_hash_index *x, long number)
{
    return same_hash(x, x->entry[number].next, x->entry[number].hash);
}

void td_hash_index_free(struct td_hash_index *x)
{
    free(x->bucket);
    free(x->entry);
    *x = (struct td_hash_index){.n = 0};
}
