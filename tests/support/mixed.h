/* SPDX-License-Identifier: MIT */
/* Recordings put together at random, mostly as their tools write them. Each is read twice: in the
 * usual way, and line by line by libcsv and json-c, which do not know what is usual. */
#ifndef MIXED_H
#define MIXED_H

#include "tests/support/recorded.h"

struct mixed {
    uint64_t state; /* of the generator */
    char text[4096];
    size_t n;
};

static uint64_t mixed_next(struct mixed *m, uint64_t below)
{
    m->state ^= m->state >> 12;
    m->state ^= m->state << 25;
    m->state ^= m->state >> 27;
    return m->state * UINT64_C(2685821657736338717) % below;
}

static void mixed_add(struct mixed *m, const char *text)
{
    const size_t n = strlen(text);

    if (m->n + n >= sizeof(m->text))
        CU_FAIL_FATAL("too long");
    memcpy(m->text + m->n, text, n + 1);
    m->n += n;
}

/* Adds a text, mostly the first one, and another one time in rare; NULL ends the list. */
__attribute__((unused)) static void mixed_one_of(struct mixed *m, unsigned rare, const char *const *texts)
{
    size_t n = 1;

    while (texts[n])
        n++;
    mixed_add(m, texts[n == 1 || mixed_next(m, rare) ? 0 : mixed_next(m, n)]);
}
#define MIXED_ONE_OF(m_, rare_, ...) mixed_one_of(m_, rare_, (const char *const[]){__VA_ARGS__, NULL})

/* Whether both ways to read it give the same result. */
__attribute__((unused)) static bool mixed_same(const struct mixed *m)
{
    struct source once = {m->text, m->n, 1000, 0}, again = once;
    struct log usual = {.n = 0}, by_libraries = {.n = 0};

    put_recording_by(&usual, &once, false);
    put_recording_by(&by_libraries, &again, true);
    if (strcmp(usual.text, by_libraries.text))
        printf("\n    of\n%s", m->text);
    return same_log(&usual, by_libraries.text, 1000);
}

#endif
