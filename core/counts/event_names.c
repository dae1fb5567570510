/* SPDX-License-Identifier: MIT */
#include "core/counts/event_names.h"

#include "core/core_kind.h"
#include "core/counts/event_text.h"
#include "core/formula/name_hash.h"
#include "util/room.h"
#include "util/text_clean.h"

#include <string.h>
#include <strings.h>

static bool is_text(const struct td_texts *t, size_t i, const char *name, size_t len)
{
    return t->entries[i].length == len && !memcmp(t->entries[i].bytes, name, len);
}

static long find(const struct td_texts *t, uint32_t hash, const char *name, size_t len)
{
    long i = td_hash_first(&t->hashes, hash);

    while (i >= 0 && !is_text(t, (size_t)i, name, len))
        i = td_hash_next(&t->hashes, i);
    return i;
}

static int make_room(struct td_texts *t)
{
    int err;

    if (t->n == TD_TEXTS_MAX)
        return -E2BIG;
    err = td_hash_room(&t->hashes);
    err = err ? err : td_room(&t->names, &t->names_room, t->n + 1, sizeof(*t->names));
    return err ? err : td_room(&t->entries, &t->entries_room, t->n + 1, sizeof(*t->entries));
}

static uint32_t first_spelling(const struct td_texts *t, const char *name, size_t len)
{
    const uint32_t folded = td_name_hash(name, len);
    uint32_t i = 0;

    while (i < t->n && (t->entries[i].folded != folded || t->entries[i].length != len ||
                        strncasecmp(t->entries[i].bytes, name, len) != 0))
        i++;
    return i;
}

/* Whether it is perf's own event duration_time, with any modifiers; since Linux 6.14 that has a PMU of its own. */
static bool is_elapsed(const struct td_event_text *p)
{
    return !strcmp(p->name, "duration_time") && (!*p->pmu || !strcmp(p->pmu, "tool"));
}

/* Adds a name, and takes over both texts, which may be the same one. */
static int add(struct td_texts *t, char *bytes, size_t len, char *shown)
{
    struct td_event_text parsed;

    td_event_text_parse(shown, &parsed);
    td_hash_add(&t->hashes, td_hash(&t->hashes, bytes, len));
    t->entries[t->n] = (struct td_text_entry){
        .bytes = bytes,
        .length = len,
        .folded = td_name_hash(bytes, len),
        .first = first_spelling(t, bytes, len),
        .modes = (unsigned char)parsed.modes,
        .core = td_core_of_pmu(parsed.pmu),
        .generic = parsed.generic,
        .elapsed = is_elapsed(&parsed),
    };
    t->names[t->n] = shown;
    return (int)t->n++;
}

static int number_new(struct td_texts *t, const char *name, size_t len)
{
    int err = make_room(t);
    char *bytes, *shown;

    if (err)
        return err;
    bytes = malloc(len + 1);
    shown = bytes ? td_text_copy(name, len) : NULL;
    if (!shown) {
        free(bytes);
        return -ENOMEM;
    }
    memcpy(bytes, name, len);
    bytes[len] = '\0';
    if (strlen(shown) != len || memcmp(bytes, shown, len) != 0)
        return add(t, bytes, len, shown);
    free(shown);
    return add(t, bytes, len, bytes);
}

int td_texts_number(struct td_texts *t, const char *name, size_t len)
{
    uint32_t guess = t->n ? t->entries[t->last].follower : 0;
    long i;

    /* recordings repeat the same events in the same order */
    if (t->n && is_text(t, guess, name, len)) {
        t->last = guess;
        return (int)guess;
    }
    i = t->n ? find(t, td_hash(&t->hashes, name, len), name, len) : -1;
    if (i < 0)
        i = number_new(t, name, len);
    if (i >= 0) {
        t->entries[t->last].follower = (uint32_t)i;
        t->last = (uint32_t)i;
    }
    return (int)i;
}

long td_texts_find(const struct td_texts *t, const char *name, size_t len)
{
    return t->n ? find(t, td_hash(&t->hashes, name, len), name, len) : -1;
}

void td_texts_free(struct td_texts *t)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->entries[i].bytes != t->names[i])
            free(t->entries[i].bytes);
        free(t->names[i]);
    }
    free(t->names);
    free(t->entries);
    td_hash_index_free(&t->hashes);
    *t = (struct td_texts){.n = 0};
}
