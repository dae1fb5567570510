/* SPDX-License-Identifier: MIT */
/* Which scope something belongs to, and tables of scopes by number. */
#ifndef TD_SCOPE_TABLE_H
#define TD_SCOPE_TABLE_H

#include "private/exported.h"
#include "util/hash_index.h"

#include <stdbool.h>

/* What makes a scope that one: "CPU3" as a CPU is another than "CPU3" as a cgroup, and on a hybrid each kind of core is
 * its own. */
struct td_scope_id {
    const char *kind, *name;
    const char *core; /* NULL or "": there is one kind of core, or it is not told */
    size_t length; /* of the name in bytes, whatever they are */
};

TD_PRIVATE bool td_scope_same(const struct td_scope_id *, const struct td_scope_id *);
/* Equal for those that td_scope_same() calls the same. */
uint32_t td_scope_hash(const struct td_hash_index *, const struct td_scope_id *);

/* Zeroed: empty. */
struct td_scope_table {
    /* by number, with texts of its own, each ended by NUL; an array that moves, but not its texts */
    struct td_scope_id *id;
    size_t n, room, last; /* last: the one asked for last */
    struct td_hash_index hashes;
    const char **kind; /* those that are in it */
    size_t kinds, kinds_room;
};

/* The number of a scope; -1: it is not in the table. */
TD_PRIVATE long td_scope_table_find(const struct td_scope_table *, const struct td_scope_id *);
/* The same, a new one at the end: from 0 in the order of adding. -ENOMEM. */
TD_PRIVATE long td_scope_table_number(struct td_scope_table *, const struct td_scope_id *);
/* Whether the table also has a scope of this name and kind of core, but of another kind: only the kind tells them
 * apart. */
TD_PRIVATE bool td_scope_table_namesake(const struct td_scope_table *, const struct td_scope_id *);
TD_PRIVATE void td_scope_table_free(struct td_scope_table *);

#endif
