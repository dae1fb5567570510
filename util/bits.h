/* SPDX-License-Identifier: MIT */
/* Sets of small numbers (the events of a row, the definitions of a form, CPUs): one
 * bit each, in as many words as it takes. */
#ifndef TD_BITS_H
#define TD_BITS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TD_WORD_BITS = 64 };

/* The words belong to the set if td_bits_new() made it; else to whoever made the set,
 * since one allocation may hold those of many. Sets passed to one function may have
 * different numbers of words: what a set has no word for is not in it. */
struct td_bits {
    uint64_t *word;
    size_t words;
};

static inline size_t td_bits_words(size_t n)
{
    return (n + TD_WORD_BITS - 1) / TD_WORD_BITS;
}

/* An empty set with room for the numbers below n; free it with td_bits_free(). -ENOMEM: it has room for none. */
static inline int td_bits_new(struct td_bits *s, size_t n)
{
    s->words = td_bits_words(n ? n : 1);
    s->word = calloc(s->words, sizeof(*s->word));
    s->words = s->word ? s->words : 0;
    return s->word ? 0 : -ENOMEM;
}

static inline void td_bits_free(struct td_bits *s)
{
    free(s->word);
    *s = (struct td_bits){0};
}

static inline bool td_bits_has(const struct td_bits *s, size_t i)
{
    return i / TD_WORD_BITS < s->words && s->word[i / TD_WORD_BITS] >> (i % TD_WORD_BITS) & 1;
}

/* There must be room for i. */
static inline void td_bits_add(struct td_bits *s, size_t i)
{
    s->word[i / TD_WORD_BITS] |= UINT64_C(1) << (i % TD_WORD_BITS);
}

static inline void td_bits_remove(struct td_bits *s, size_t i)
{
    if (i / TD_WORD_BITS < s->words)
        s->word[i / TD_WORD_BITS] &= ~(UINT64_C(1) << (i % TD_WORD_BITS));
}

static inline void td_bits_clear(struct td_bits *s)
{
    if (s->words)
        memset(s->word, 0, s->words * sizeof(*s->word));
}

/* A word of a set, 0 beyond its words. */
static inline uint64_t td_bits_word(const struct td_bits *s, size_t i)
{
    return i < s->words ? s->word[i] : 0;
}

/* Adds the members of other; there must be room for them. */
static inline void td_bits_join(struct td_bits *s, const struct td_bits *other)
{
    for (size_t i = 0; i < s->words; i++)
        s->word[i] |= td_bits_word(other, i);
}

/* Removes the members of other. */
static inline void td_bits_drop(struct td_bits *s, const struct td_bits *other)
{
    for (size_t i = 0; i < s->words; i++)
        s->word[i] &= ~td_bits_word(other, i);
}

/* Makes s equal to other; there must be room for its members. */
static inline void td_bits_copy(struct td_bits *s, const struct td_bits *other)
{
    for (size_t i = 0; i < s->words; i++)
        s->word[i] = td_bits_word(other, i);
}

/* Whether both sets have a member in common. */
static inline bool td_bits_meet(const struct td_bits *s, const struct td_bits *other)
{
    for (size_t i = 0; i < s->words; i++)
        if (s->word[i] & td_bits_word(other, i))
            return true;
    return false;
}

/* Whether all members of s are members of other. */
static inline bool td_bits_within(const struct td_bits *s, const struct td_bits *other)
{
    for (size_t i = 0; i < s->words; i++)
        if (s->word[i] & ~td_bits_word(other, i))
            return false;
    return true;
}

static inline bool td_bits_same(const struct td_bits *s, const struct td_bits *other)
{
    return td_bits_within(s, other) && td_bits_within(other, s);
}

static inline bool td_bits_empty(const struct td_bits *s)
{
    for (size_t i = 0; i < s->words; i++)
        if (s->word[i])
            return false;
    return true;
}

/* How many bits of a word are set: Hacker's Delight, 5-1. The compiler's builtin is a
 * call where the CPU may lack the instruction. */
static inline size_t td_word_count(uint64_t w)
{
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    w = (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return w * UINT64_C(0x0101010101010101) >> 56;
}

static inline size_t td_bits_count(const struct td_bits *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->words; i++)
        n += td_word_count(s->word[i]);
    return n;
}

/* How many members both sets have in common. */
static inline size_t td_bits_common(const struct td_bits *s, const struct td_bits *other)
{
    size_t n = 0;

    for (size_t i = 0; i < s->words; i++)
        n += td_word_count(s->word[i] & td_bits_word(other, i));
    return n;
}

/* The first member that is not below from, or SIZE_MAX. */
static inline size_t td_bits_next(const struct td_bits *s, size_t from)
{
    size_t i = from / TD_WORD_BITS;
    uint64_t word = td_bits_word(s, i) & UINT64_MAX << (from % TD_WORD_BITS);

    while (!word && ++i < s->words)
        word = s->word[i];
    return word ? i * TD_WORD_BITS + (size_t)__builtin_ctzll(word) : SIZE_MAX;
}

/* For each member, in rising order; s is evaluated for each. */
#define TD_BITS_EACH(i, s) for (size_t i = td_bits_next(s, 0); i != SIZE_MAX; i = td_bits_next(s, i + 1))

#endif
