/* SPDX-License-Identifier: MIT */
/* Which functions come first. */
#include "stats/functions.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A function with what it is sorted by, copied so that sorting need not fetch the function. */
struct ranked {
    uint64_t key; /* the least comes first */
    struct td_function *function;
};

enum { FEW = 64 /* so few are sorted by insertion */, DIGITS = 8, DIGIT_VALUES = 256, KEYS = 4 };

/* The first bytes of a name as a number: names with different numbers sort like the numbers. */
static uint64_t beginning(const char *name)
{
    char first[sizeof(uint64_t)] = "";
    uint64_t all;

    memcpy(first, name, strnlen(name, sizeof(first)));
    memcpy(&all, first, sizeof(all));
    return be64toh(all);
}

/* A number by which the greater value comes first, and NAN, which never is, anywhere. */
static uint64_t descending(double value)
{
    const double same = value + 0; /* of both zeros the same */
    uint64_t bits;

    memcpy(&bits, &same, sizeof(bits)); /* IEEE 754: sign, exponent, fraction */
    return bits >> 63 ? bits : ~(bits | UINT64_C(1) << 63);
}

static uint64_t by_weight(const struct td_function *f)
{
    return descending(f->weight);
}

static uint64_t by_slots(const struct td_function *f)
{
    return descending(f->slots);
}

static uint64_t by_intervals(const struct td_function *f)
{
    return ~f->intervals;
}

static uint64_t by_beginning(const struct td_function *f)
{
    return beginning(f->name);
}

/* Compares functions whose keys are all equal. */
static int by_rest(const void *a, const void *b)
{
    const struct td_function *x = ((const struct ranked *)a)->function, *y = ((const struct ranked *)b)->function;
    const int order = strcmp(x->name, y->name);

    return order ? order : (x->slots < y->slots) - (x->slots > y->slots);
}

static const struct {
    const char *name;
    uint64_t (*key[KEYS])(const struct td_function *); /* each decides where those before it are equal */
} orders[] = {
    [TD_FUNCTIONS_BY_LOST] = {"lost", {by_weight, by_slots, by_beginning}},
    [TD_FUNCTIONS_BY_SLOTS] = {"slots", {by_slots, by_beginning}},
    [TD_FUNCTIONS_BY_INTERVALS] = {"intervals", {by_intervals, by_slots, by_beginning}},
    [TD_FUNCTIONS_BY_NAME] = {"name", {by_beginning}},
};

const char *td_functions_order_name(enum td_functions_order order)
{
    return order < sizeof(orders) / sizeof(*orders) ? orders[order].name : NULL;
}

/* Sorts by keys; of equal ones the first stays the first. */
static void insert(struct ranked *r, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct ranked one = r[i];
        size_t at = i;

        for (; at && r[at - 1].key > one.key; at--)
            r[at] = r[at - 1];
        r[at] = one;
    }
}

/* Moves all to their places by one digit of the key. count: how many have which value, of which not all have one. */
static void move_by(const struct ranked *from, struct ranked *to, size_t n, unsigned digit, size_t count[DIGIT_VALUES])
{
    size_t before = 0;

    for (size_t i = 0; i < DIGIT_VALUES; i++) {
        const size_t these = count[i];

        count[i] = before;
        before += these;
    }
    for (size_t i = 0; i < n; i++)
        to[count[from[i].key >> 8 * digit & 0xff]++] = from[i];
}

/* Sorts by keys like insert(), a digit at a time, the last one first (Knuth, The Art of Computer Programming 3, 5.2.5):
 * a third of the time of comparisons. spare has room for as many. */
static void sort_by_digits(struct ranked *r, struct ranked *spare, size_t n)
{
    size_t count[DIGITS][DIGIT_VALUES] = {{0}};
    struct ranked *from = r, *to = spare;

    for (size_t i = 0; i < n; i++)
        for (unsigned digit = 0; digit < DIGITS; digit++)
            count[digit][r[i].key >> 8 * digit & 0xff]++;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (count[digit][from->key >> 8 * digit & 0xff] == n)
            continue;
        move_by(from, to, n, digit, count[digit]);
        from = to;
        to = from == r ? spare : r;
    }
    if (from != r)
        memcpy(r, from, n * sizeof(*r));
}

/* Sorts by the key at that level and, where several have the same, by those after it. */
static void sort_from(enum td_functions_order order, size_t level, struct ranked *r, struct ranked *spare, size_t n)
{
    size_t same;

    if (level == KEYS || !orders[order].key[level]) {
        qsort(r, n, sizeof(*r), by_rest);
        return;
    }
    for (size_t i = 0; i < n; i++)
        r[i].key = orders[order].key[level](r[i].function);
    if (n < FEW)
        insert(r, n);
    else
        sort_by_digits(r, spare, n);
    for (size_t i = 0; i < n; i += same) {
        for (same = 1; i + same < n && r[i + same].key == r[i].key;)
            same++;
        if (same > 1)
            sort_from(order, level + 1, r + i, spare, same);
    }
}

int td_functions_sort(struct td_functions *f, enum td_functions_order order)
{
    struct ranked *ranked = malloc((f->n + 1) * sizeof(*ranked)), *spare = malloc((f->n + 1) * sizeof(*spare));
    const int err = ranked && spare ? 0 : -ENOMEM;

    for (size_t i = 0; i < f->n && !err; i++)
        ranked[i].function = f->function[i];
    if (!err)
        sort_from(order, 0, ranked, spare, f->n);
    for (size_t i = 0; i < f->n && !err; i++)
        f->function[i] = ranked[i].function;
    free(ranked);
    free(spare);
    return err;
}
