/* SPDX-License-Identifier: MIT */
/* Numbers of things by the hash of their names; the caller keeps the names.
 * Names come from files: the hash has a seed, so that nobody can choose names that
 * all have the same hash, and the index grows with its contents. */
#ifndef TD_HASH_INDEX_H
#define TD_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed: empty. */
struct td_hash_index {
    uint64_t seed[2];
    uint32_t *bucket; /* number + 1 of the first of a hash, 0: none */
    size_t nbuckets; /* a power of two */
    struct td_hash_entry {
        uint32_t hash;
        uint32_t next; /* number + 1 of the next in its bucket, 0: none */
    } * entry;
    size_t n, room;
};

uint32_t td_hash(const struct td_hash_index *, const void *name, size_t len);
/* The first number that was added with this hash, and the next after one; -1: no
 * more. The caller checks whether the names are the same. */
long td_hash_first(const struct td_hash_index *, uint32_t hash);
long td_hash_next(const struct td_hash_index *, long number);
/* td_hash_room() makes room for one more, and the seed before the first: 0 or -ENOMEM. Call it
 * before td_hash(). td_hash_add() adds the next number: 0, 1, 2, ... */
int td_hash_room(struct td_hash_index *);
void td_hash_add(struct td_hash_index *, uint32_t hash);
void td_hash_index_free(struct td_hash_index *);

#endif
