/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include "identity.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_text(const struct td_texts *t, uint32_t i, const char *name, size_t len)
{
    return t->entries[i].length == len && !memcmp(t->names[i], name, len);
}

uint32_t td_text_hash(const char *name, size_t len)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

static int grow(struct td_texts *t)
{
    size_t room = t->room ? 2 * t->room : 32;
    char **names = realloc(t->names, room * sizeof(*names));
    struct td_text_entry *entries;

    if (!names)
        return -ENOMEM;
    t->names = names;
    entries = realloc(t->entries, room * sizeof(*entries));
    if (!entries)
        return -ENOMEM;
    t->entries = entries;
    t->room = room;
    return 0;
}

static uint32_t first_spelling(const struct td_texts *t, const char *name, size_t len)
{
    uint32_t i = 0;

    while (i < t->n && (t->entries[i].length != len || strncasecmp(t->names[i], name, len) != 0))
        i++;
    return i;
}

static int add(struct td_texts *t, const char *name, size_t len, uint32_t bucket)
{
    struct td_event_text parsed;
    int err = 0;

    if (t->n == TD_TEXTS_MAX)
        return -E2BIG;
    if (t->n == t->room)
        err = grow(t);
    if (err)
        return err;
    t->names[t->n] = malloc(len + 1);
    if (!t->names[t->n])
        return -ENOMEM;
    memcpy(t->names[t->n], name, len);
    t->names[t->n][len] = '\0';
    td_event_text_parse(t->names[t->n], &parsed);
    t->entries[t->n] = (struct td_text_entry){
        .length = len, .first = first_spelling(t, name, len), .chain = t->buckets[bucket], .modes = (unsigned char)parsed.modes, .core = td_pmu_core(parsed.pmu),
        .generic = parsed.generic,
    };
    t->buckets[bucket] = (uint32_t)++t->n;
    return (int)t->n - 1;
}

int td_texts_number(struct td_texts *t, const char *name, size_t len)
{
    uint32_t guess = t->n ? t->entries[t->last].follower : 0, bucket;
    int i;

    /* recordings repeat the same events in the same order */
    if (t->n && is_text(t, guess, name, len)) {
        t->last = guess;
        return (int)guess;
    }
    bucket = td_text_hash(name, len) % (sizeof(t->buckets) / sizeof(*t->buckets));
    for (i = (int)t->buckets[bucket] - 1; i >= 0; i = (int)t->entries[i].chain - 1)
        if (is_text(t, (uint32_t)i, name, len))
            break;
    if (i < 0)
        i = add(t, name, len, bucket);
    if (i >= 0) {
        t->entries[t->last].follower = (uint32_t)i;
        t->last = (uint32_t)i;
    }
    return i;
}

void td_texts_free(struct td_texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->names[i]);
    free(t->names);
    free(t->entries);
    *t = (struct td_texts){0};
}
