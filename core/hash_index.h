/* SPDX-License-Identifier: MIT */
/* Numbers of things by the hash of their names; the names stay with whoever numbers.
 * Names come from files: the hash has a seed, so that nobody can choose names that
 * all have the same, and the index grows with what is in it. */
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
    } *entry;
    size_t n, room;
};

uint32_t td_hash(const struct td_hash_index *, const void *name, size_t len);
/* The first number that was added with this hash, and the next after one; -1: no
 * more. Whether the names are the same is for the caller to see. */
long td_hash_first(const struct td_hash_index *, uint32_t hash);
long td_hash_next(const struct td_hash_index *, long number);
/* Adds the next number, which are 0, 1, 2, ...; makes the seed before the first.
 * So td_hash() is called after td_hash_room(), which makes room for one more: 0 or -ENOMEM. */
int td_hash_room(struct td_hash_index *);
void td_hash_add(struct td_hash_index *, uint32_t hash);
void td_hash_index_free(struct td_hash_index *);

#endif
