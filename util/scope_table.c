/* SPDX-License-Identifier: MIT */
#include "util/scope_table.h"

#include "util/room.h"

static const char *text_of(const char *core)
{
    return core ? core : "";
}

bool td_scope_same(const struct td_scope_id *a, const struct td_scope_id *b)
{
    return a->length == b->length && !memcmp(a->name, b->name, a->length) &&
           (a->kind == b->kind || !strcmp(a->kind, b->kind)) && !strcmp(text_of(a->core), text_of(b->core));
}

uint32_t td_scope_hash(const struct td_hash_index *x, const struct td_scope_id *id)
{
    const char *core = text_of(id->core);

    return td_hash(x, id->name, id->length) + 31 * td_hash(x, id->kind, strlen(id->kind)) +
           961 * td_hash(x, core, strlen(core));
}

static long find(const struct td_scope_table *t, uint32_t hash, const struct td_scope_id *id)
{
    long at = td_hash_first(&t->hashes, hash);

    while (at >= 0 && !td_scope_same(&t->id[at], id))
        at = td_hash_next(&t->hashes, at);
    return at;
}

/* Recordings repeat their scopes in one order: the one asked for last, or the one after it. -1: it is neither. */
static long guess(const struct td_scope_table *t, const struct td_scope_id *id)
{
    const size_t next = t->last + 1 < t->n ? t->last + 1 : 0;

    if (t->n && td_scope_same(&t->id[t->last], id))
        return (long)t->last;
    return t->n && td_scope_same(&t->id[next], id) ? (long)next : -1;
}

long td_scope_table_find(const struct td_scope_table *t, const struct td_scope_id *id)
{
    const long at = guess(t, id);

    return at < 0 && t->n ? find(t, td_scope_hash(&t->hashes, id), id) : at;
}

/* Copies an id with its texts, which are in one piece of memory that begins with the name. false: out of memory. */
static bool copy(const struct td_scope_id *id, struct td_scope_id *out)
{
    const size_t kind = strlen(id->kind) + 1, core = strlen(text_of(id->core)) + 1;
    char *name = malloc(id->length + 1 + kind + core);

    if (!name)
        return false;
    memcpy(name, id->name, id->length);
    name[id->length] = '\0';
    memcpy(name + id->length + 1, id->kind, kind);
    memcpy(name + id->length + 1 + kind, text_of(id->core), core);
    *out = (struct td_scope_id){name + id->length + 1, name, name + id->length + 1 + kind, id->length};
    return true;
}

/* Adds a kind of core unless the table has it: 0 or -ENOMEM. */
static int add_kind(struct td_scope_table *t, const char *kind)
{
    for (size_t i = 0; i < t->kinds; i++)
        if (!strcmp(t->kind[i], kind))
            return 0;
    if (td_room(&t->kind, &t->kinds_room, t->kinds + 1, sizeof(*t->kind)))
        return -ENOMEM;
    t->kind[t->kinds++] = kind;
    return 0;
}

static long add(struct td_scope_table *t, const struct td_scope_id *id)
{
    if (td_hash_room(&t->hashes) || td_room(&t->id, &t->room, t->n + 1, sizeof(*t->id)) || !copy(id, &t->id[t->n]))
        return -ENOMEM;
    td_hash_add(&t->hashes, td_scope_hash(&t->hashes, id));
    t->n++;
    return add_kind(t, t->id[t->n - 1].kind) ? -ENOMEM : (long)t->n - 1;
}

long td_scope_table_number(struct td_scope_table *t, const struct td_scope_id *id)
{
    long at = td_scope_table_find(t, id);

    at = at < 0 ? add(t, id) : at;
    t->last = at < 0 ? t->last : (size_t)at;
    return at;
}

bool td_scope_table_namesake(const struct td_scope_table *t, const struct td_scope_id *id)
{
    struct td_scope_id other = *id;

    for (size_t i = 0; i < t->kinds; i++) {
        other.kind = t->kind[i];
        if (strcmp(other.kind, id->kind) && td_scope_table_find(t, &other) >= 0)
            return true;
    }
    return false;
}

void td_scope_table_free(struct td_scope_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free((char *)t->id[i].name);
    free(t->id);
    free(t->kind);
    td_hash_index_free(&t->hashes);
    *t = (struct td_scope_table){.n = 0};
}
