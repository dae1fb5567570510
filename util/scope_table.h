/* SPDX-License-Identifier: MIT */
/* Which scope something belongs to, and tables of scopes by number. */
#ifndef TD_SCOPE_TABLE_H
#define TD_SCOPE_TABLE_H

#include "private/exported.h"
#include "util/hash_index.h"

#include <stdbool.h>

/* What tells scopes apart: a CPU "CPU3" is another scope than a cgroup "CPU3", and on a hybrid each kind of core is a
 * scope of its own. */
struct td_scope_id {
    const char *kind, *name;
    const char *core; /* the kind of core; NULL or "": there is only one, or it is not recorded */
    size_t length; /* of the name in bytes, whatever they are */
};

TD_PRIVATE bool td_scope_same(const struct td_scope_id *, const struct td_scope_id *);
/* A hash, which is equal for scopes that td_scope_same() calls the same. */
uint32_t td_scope_hash(const struct td_hash_index *, const struct td_scope_id *);

/* Zeroed: empty. */
struct td_scope_table {
    /* by number; the array moves when it grows, but its texts, which the table owns, stay */
    struct td_scope_id *id;
    size_t n, room;
    size_t last; /* the number that was asked for last */
    struct td_hash_index hashes;
    const char **kind; /* the kinds of core that its scopes have */
    size_t kinds, kinds_room;
};

/* The number of a scope; -1: it is not in the table. */
TD_PRIVATE long td_scope_table_find(const struct td_scope_table *, const struct td_scope_id *);
/* The number of a scope, which is added at the end if it is new: numbers are from 0 in the order of adding. -ENOMEM. */
TD_PRIVATE long td_scope_table_number(struct td_scope_table *, const struct td_scope_id *);
/* Whether the table also has a scope of this name and kind of core, but of another kind: only the kind tells them
 * apart. */
TD_PRIVATE bool td_scope_table_namesake(const struct td_scope_table *, const struct td_scope_id *);
TD_PRIVATE void td_scope_table_free(struct td_scope_table *);

#endif
