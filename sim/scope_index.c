/* SPDX-License-Identifier: MIT */
#include "scope_index.h"

#include "texts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct td_scope_key *k, const char *name, size_t len, const char *kind, char core)
{
    return k->core == core && (k->kind == kind || !strcmp(k->kind, kind)) && (k->name == name || (!strncmp(k->name, name, len) && !k->name[len]));
}

static uint32_t *bucket_of(struct td_scope_index *x, const char *name, size_t len)
{
    return &x->bucket[td_text_hash(name, len) % TD_SCOPE_BUCKETS];
}

int td_scope_find(struct td_scope_index *x, const char *name, size_t len, const char *kind, char core)
{
    size_t guess = x->last + 1 < x->n ? x->last + 1 : 0; /* recordings repeat their scopes in the same order */
    uint32_t at;

    if (!x->n)
        return -1;
    if (!is(&x->key[guess], name, len, kind, core)) {
        at = *bucket_of(x, name, len);
        while (at && !is(&x->key[at - 1], name, len, kind, core))
            at = x->key[at - 1].chain;
        if (!at)
            return -1;
        guess = at - 1;
    }
    x->last = guess;
    return (int)guess;
}

int td_scope_add(struct td_scope_index *x, const char *name, const char *kind, char core)
{
    uint32_t *bucket = bucket_of(x, name, strlen(name));

    if (x->n == x->room) {
        size_t room = x->room ? 2 * x->room : 16;
        struct td_scope_key *grown = realloc(x->key, room * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        x->key = grown;
        x->room = room;
    }
    x->key[x->n] = (struct td_scope_key){name, kind, core, *bucket};
    x->last = x->n++;
    *bucket = (uint32_t)x->n;
    return (int)x->last;
}

void td_scope_index_free(struct td_scope_index *x)
{
    free(x->key);
    *x = (struct td_scope_index){.n = 0};
}
