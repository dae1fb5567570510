/* SPDX-License-Identifier: MIT */
/* Numbers of scopes by what they are called. */
#ifndef TD_SCOPE_INDEX_H
#define TD_SCOPE_INDEX_H

#include <stddef.h>
#include <stdint.h>

enum { TD_SCOPE_BUCKETS = 4096 };

struct td_scope_index {
    struct td_scope_key {
        const char *name, *kind; /* the caller's */
        char core;
        uint32_t chain; /* number + 1 of the next in its bucket */
    } *key;
    size_t n, room, last;
    uint32_t bucket[TD_SCOPE_BUCKETS]; /* number + 1 of the first */
};

/* The number of a scope and kind of core ('\0': whatever it is), from 0 in the
 * order of adding; -1: it was not added. */
int td_scope_find(struct td_scope_index *, const char *name, size_t len, const char *kind, char core);
/* Adds one that is not there: its number, or -ENOMEM. The strings must outlive the searches. */
int td_scope_add(struct td_scope_index *, const char *name, const char *kind, char core);
void td_scope_index_free(struct td_scope_index *);

#endif
