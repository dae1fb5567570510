/* SPDX-License-Identifier: MIT */
#include "core/counts/scope_index.h"

#include "core/core_kind.h"
#include "util/room.h"
#include "util/text_clean.h"

/* Adds a scope that is not in the table yet. */
static int add(struct td_scope_index *x, const struct td_scope_id *id, enum td_scope_kind kind, char core)
{
    char *shown;
    long at;

    if (x->n == TD_SCOPES_MAX)
        return -E2BIG;
    if (td_room(&x->key, &x->room, x->n + 1, sizeof(*x->key)))
        return -ENOMEM;
    shown = td_text_copy(id->name, id->length);
    at = shown ? td_scope_table_number(&x->table, id) : -ENOMEM;
    if (at < 0) {
        free(shown);
        return -ENOMEM;
    }
    x->key[x->n++] = (struct td_scope_key){shown, kind, core};
    return (int)at;
}

int td_scope_number(struct td_scope_index *x, const char *name, size_t len, enum td_scope_kind kind, char core)
{
    const struct td_scope_id id = {.kind = td_kind_name(kind), .name = name, .core = td_core_name(core), .length = len};
    const long at = td_scope_table_find(&x->table, &id);

    if (at < 0)
        return add(x, &id, kind, core);
    x->table.last = (size_t)at;
    return (int)at;
}

void td_scope_index_free(struct td_scope_index *x)
{
    for (size_t i = 0; i < x->n; i++)
        free(x->key[i].name);
    free(x->key);
    td_scope_table_free(&x->table);
    *x = (struct td_scope_index){.n = 0};
}
