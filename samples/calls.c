/* SPDX-License-Identifier: MIT */
#include "samples/calls.h"

#include "util/hash_index.h"
#include "util/room.h"

#include <stdio.h>

static const char elsewhere[] = "[elsewhere]";

struct td_calls {
    enum td_samples_chain chain;
    bool stacks, nested;
    char *function; /* the function whose callers or callees are asked for, or NULL */
    struct td_place outside, nobody; /* stand for chains without that function, and for its caller where it has none */
    struct td_hash_index hashes;
    struct td_call **call; /* by number; others keep pointers to them, so that they stay where they are */
    size_t n, room, text;
    /* calls and their paths, one after the other: of hundreds of thousands, what malloc() needs for each is a tenth */
    struct block {
        struct block *before;
        size_t used, size;
        _Alignas(struct td_call) unsigned char bytes[];
    } * block;
};

/* ---- the tree ------------------------------------------------------------------------ */

static bool is_again(const struct td_call *caller, const struct td_place *function)
{
    while (caller && caller->function != function)
        caller = caller->caller;
    return caller;
}

/* Bytes of the path's name, with the 0 at its end. */
static size_t path_size(const struct td_call *caller, const struct td_place *function)
{
    return (caller ? strlen(caller->place.name) + 1 : 0) + strlen(function->name) + 1;
}

/* Semicolons separate the functions of a path. */
static void name_path(struct td_call *call, char *to)
{
    const char *caller = call->caller ? call->caller->place.name : "", *name = call->function->name;
    const size_t n = strlen(caller);

    call->place.name = to;
    memcpy(to, caller, n);
    to += n;
    if (call->caller)
        *to++ = ';';
    memcpy(to, name, strlen(name) + 1);
    while ((to = strchr(to, ';')))
        *to = ':';
}

/* Memory for a call and its path, of so many bytes. NULL: out of memory. */
static struct td_call *allocate(struct td_calls *c, size_t path)
{
    enum { BLOCK = 1 << 16, ALIGN = _Alignof(struct td_call) };
    const size_t n = (sizeof(struct td_call) + path + ALIGN - 1) / ALIGN * ALIGN;
    struct td_call *new;

    if (!c->block || c->block->size - c->block->used < n) {
        const size_t size = n > BLOCK ? n : BLOCK;
        struct block *next = malloc(sizeof(*next) + size);

        if (!next)
            return NULL;
        *next = (struct block){.before = c->block, .size = size};
        c->block = next;
    }
    new = (struct td_call *)(void *)&c->block->bytes[c->block->used];
    c->block->used += n;
    return new;
}

static int add(struct td_calls *c, const struct td_call *caller, const struct td_place *function, uint32_t hash,
               const struct td_call **out)
{
    const size_t path = c->stacks ? path_size(caller, function) : 0;
    struct td_call *new;

    if (c->n == TD_PLACES_MAX || path > TD_CALLS_TEXT_MAX - c->text)
        return -E2BIG;
    if (td_room(&c->call, &c->room, c->n + 1, sizeof(struct td_call *)))
        return -ENOMEM;
    new = allocate(c, path);
    if (!new)
        return -ENOMEM;
    *new = (struct td_call){.place = {.dso = function->dso, .symbols = function->symbols, .number = (uint32_t)c->n},
                            .function = function,
                            .caller = caller,
                            .depth = caller ? caller->depth + 1 : 1,
                            .again = is_again(caller, function)};
    c->call[c->n++] = new;
    td_hash_add(&c->hashes, hash);
    *out = new;
    c->text += path;
    if (path)
        name_path(new, (char *)(new + 1));
    return 0;
}

/* The caller's number is added, not hashed: new calls mostly have new callers, whose numbers are neighbours, and so
 * their places in the index are too, which is quick. A file made to slow this down cannot choose calls with equal sums,
 * because it does not know the hashes of the functions. */
static uint32_t hash_of(const struct td_calls *c, const struct td_call *caller, const struct td_place *function)
{
    return td_hash(&c->hashes, &function, sizeof(function)) + (caller ? caller->place.number + 1 : 0);
}

int td_calls_enter(struct td_calls *c, const struct td_call *caller, const struct td_place *function,
                   const struct td_call **out)
{
    uint32_t hash;
    long at;

    if (td_hash_room(&c->hashes))
        return -ENOMEM;
    hash = hash_of(c, caller, function);
    at = td_hash_first(&c->hashes, hash);
    while (at >= 0 && (c->call[at]->caller != caller || c->call[at]->function != function))
        at = td_hash_next(&c->hashes, at);
    if (at < 0)
        return add(c, caller, function, hash, out);
    *out = c->call[at];
    return 0;
}

/* ---- what an interval counts for ------------------------------------------------------- */

/* How many of the outermost functions two chains share. */
static uint32_t shared_depth(const struct td_call *a, const struct td_call *b)
{
    while (a && b && a != b) {
        const bool up_a = a->depth >= b->depth, up_b = b->depth >= a->depth;

        a = up_a ? a->caller : a;
        b = up_b ? b->caller : b;
    }
    return a && b ? a->depth : 0;
}

/* The outermost call of the function that is asked for, and in *callee the call that it makes; NULL where there is
 * none. */
static const struct td_call *asked(const struct td_calls *c, const struct td_call *call, const struct td_call **callee)
{
    const struct td_call *found = NULL;

    *callee = NULL;
    for (const struct td_call *before = NULL; call; before = call, call = call->caller)
        if (!strcmp(call->function->name, c->function)) {
            found = call;
            *callee = before;
        }
    return found;
}

/* The caller or the callee, whichever is asked for, of the function in a chain. *depth gets how many of the outermost
 * functions two chains have to share for the program to have stayed in that call between them. */
static const struct td_place *related(const struct td_calls *c, const struct td_call *call, uint32_t *depth)
{
    const struct td_call *callee, *found = asked(c, call, &callee);

    *depth = 0;
    if (!found)
        return &c->outside;
    *depth = found->depth;
    if (c->chain == TD_CHAIN_CALLERS)
        return found->caller ? found->caller->function : &c->nobody;
    if (!callee)
        return found->function;
    *depth = callee->depth;
    return callee->function;
}

static struct td_share share_related(const struct td_calls *c, const struct td_call *call, const struct td_call *began)
{
    uint32_t need, had;
    const struct td_place *at = related(c, call, &need), *from = began ? related(c, began, &had) : NULL;

    const uint32_t number = at == &c->outside ? 0 : at == &c->nobody ? 1 : at->number + 2;

    if (!from || from != at)
        return (struct td_share){at, from ? from->name : NULL, number, 0};
    return (struct td_share){at, need == had && shared_depth(call, began) >= need ? at->name : elsewhere, number, 0};
}

static size_t share_all(const struct td_calls *c, const struct td_call *call, const struct td_call *began,
                        struct td_share out[TD_FRAMES_MAX])
{
    const uint32_t depth = shared_depth(call, began);
    uint32_t n = 0;

    for (; call && n < TD_FRAMES_MAX; call = call->caller)
        if (c->stacks || !call->again) {
            const struct td_place *at = c->stacks ? &call->place : call->function;

            out[n] = (struct td_share){at,
                                       !began                 ? NULL
                                       : call->depth <= depth ? at->name
                                                              : elsewhere,
                                       at->number, n + 1};
            n++;
        }
    return n;
}

size_t td_calls_shares(const struct td_calls *c, const struct td_place *at, const struct td_place *began,
                       struct td_share out[TD_FRAMES_MAX])
{
    /* a place is the first member of its call */
    const struct td_call *call = (const struct td_call *)at, *from = (const struct td_call *)began;

    if (!td_calls_wanted(c))
        out[0] = (struct td_share){at, began ? began->name : NULL, at->number, 0};
    else if (c->function)
        out[0] = share_related(c, call, from);
    else
        return share_all(c, call, from, out);
    return 1;
}

/* ---- all ---------------------------------------------------------------------------------- */

bool td_calls_wanted(const struct td_calls *c)
{
    return td_calls_chained(c) || c->nested;
}

bool td_calls_chained(const struct td_calls *c)
{
    return c->stacks || c->chain != TD_CHAIN_SELF;
}

/* Places in the code call each other; threads and the like do not. */
static bool has_calls(enum td_samples_by by)
{
    return by != TD_SAMPLES_BY_THREAD && by != TD_SAMPLES_BY_COMM && by != TD_SAMPLES_BY_CPU &&
           by != TD_SAMPLES_BY_CGROUP;
}

struct td_calls *td_calls_new(enum td_samples_by by, enum td_samples_chain chain, const char *function, bool nested)
{
    static char nobody[] = "[no caller]";
    struct td_calls *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    c->stacks = by == TD_SAMPLES_BY_STACK;
    c->chain = has_calls(by) ? chain : TD_CHAIN_SELF;
    c->nested = nested && !td_calls_chained(c);
    c->nobody.name = nobody;
    if (c->chain < TD_CHAIN_CALLERS)
        return c;
    c->function = strdup(function);
    if (!c->function || asprintf(&c->outside.name, "[not in %s]", function) < 0) {
        td_calls_free(c);
        return NULL;
    }
    return c;
}

void td_calls_end(struct td_calls *c)
{
    free(c->call);
    c->call = NULL;
    c->n = c->room = 0;
    td_hash_index_free(&c->hashes);
}

void td_calls_free(struct td_calls *c)
{
    if (!c)
        return;
    td_calls_end(c);
    while (c->block) {
        struct block *before = c->block->before;

        free(c->block);
        c->block = before;
    }
    free(c->outside.name);
    free(c->function);
    free(c);
}
