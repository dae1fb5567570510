/* SPDX-License-Identifier: MIT */
/* The scopes of a stream, each kept once. */
#ifndef TD_SCOPE_INDEX_H
#define TD_SCOPE_INDEX_H

#include "core/counts/scope_kind.h"
#include "util/scope_table.h"

enum { TD_SCOPES_MAX = 131072 };

/* Zeroed to begin with. */
struct td_scope_index {
    struct td_scope_key {
        char *name; /* safe to print */
        enum td_scope_kind kind;
        char core;
    } * key; /* by number; the array moves when it grows, but its names stay */
    size_t n, room;
    struct td_scope_table table; /* by the bytes of their names */
};

/* The number of a scope and kind of core ('\0': any); a new one is added at the end, so that numbers are from 0 in the
 * order of adding. -E2BIG: more than TD_SCOPES_MAX; -ENOMEM. */
int td_scope_number(struct td_scope_index *, const char *name, size_t len, enum td_scope_kind, char core);
void td_scope_index_free(struct td_scope_index *);

#endif
