/* SPDX-License-Identifier: MIT */
#include "core/scope_index.h"

#include "core/room.h"
#include "core/text_clean.h"

#include <stdbool.h>

static bool is(const struct td_scope_key *k, const char *name, size_t len, enum td_scope_kind kind, char core)
{
    return k->core == core && k->kind == kind && !strncmp(k->name, name, len) && !k->name[len];
}

static long find(const struct td_scope_index *x, uint32_t hash, const char *name, size_t len, enum td_scope_kind kind, char core)
{
    long at = td_hash_first(&x->hashes, hash);

    while (at >= 0 && !is(&x->key[at], name, len, kind, core))
        at = td_hash_next(&x->hashes, at);
    return at;
}

static int make_room(struct td_scope_index *x)
{
    int err;

    if (x->n == TD_SCOPES_MAX)
        return -E2BIG;
    err = td_hash_room(&x->hashes);
    return err ? err : td_room(&x->key, &x->room, x->n + 1, sizeof(*x->key));
}

static int add(struct td_scope_index *x, const char *name, size_t len, enum td_scope_kind kind, char core)
{
    int err = make_room(x);
    uint32_t hash;
    char *copy;
    long at;

    if (err)
        return err;
    copy = td_text_copy(name, len);
    if (!copy)
        return -ENOMEM;
    hash = td_hash(&x->hashes, copy, len);
    at = find(x, hash, copy, len, kind, core); /* under another name before cleaning */
    if (at >= 0) {
        free(copy);
        return (int)at;
    }
    td_hash_add(&x->hashes, hash);
    x->key[x->n] = (struct td_scope_key){copy, kind, core};
    return (int)x->n++;
}

int td_scope_number(struct td_scope_index *x, const char *name, size_t len, enum td_scope_kind kind, char core)
{
    size_t next = x->last + 1 < x->n ? x->last + 1 : 0; /* recordings repeat their scopes in the same order */
    long at;

    if (x->n && is(&x->key[x->last], name, len, kind, core))
        return (int)x->last;
    if (x->n && is(&x->key[next], name, len, kind, core))
        at = (long)next;
    else
        at = x->n ? find(x, td_hash(&x->hashes, name, len), name, len, kind, core) : -1;
    if (at < 0)
        at = add(x, name, len, kind, core);
    if (at >= 0)
        x->last = (size_t)at;
    return (int)at;
}

void td_scope_index_free(struct td_scope_index *x)
{
    for (size_t i = 0; i < x->n; i++)
        free(x->key[i].name);
    free(x->key);
    td_hash_index_free(&x->hashes);
    *x = (struct td_scope_index){.n = 0};
}
