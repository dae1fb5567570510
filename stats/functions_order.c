/* SPDX-License-Identifier: MIT */
/* Which functions come first. */
#include "stats/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A function with what it is sorted by, copied so that comparisons need not fetch the function. */
struct ranked {
    double first, second; /* the greater comes first; NAN never is */
    struct td_function *function; /* whose name decides where both numbers are equal */
    uint64_t begins; /* the name's first bytes as a number */
};

/* The first bytes of a name as a number: names with different numbers sort like the numbers. */
static uint64_t beginning(const char *name)
{
    uint64_t all = 0;

    for (size_t i = 0; i < sizeof(all); i++) {
        all = all << 8 | (unsigned char)*name;
        name += *name != '\0';
    }
    return all;
}

static int compare_names(const struct ranked *x, const struct ranked *y)
{
    if (x->begins != y->begins)
        return x->begins < y->begins ? -1 : 1;
    return strcmp(x->function->name, y->function->name);
}

static struct ranked by_lost(const struct td_function *f)
{
    return (struct ranked){.first = f->weight, .second = f->slots};
}

static struct ranked by_slots(const struct td_function *f)
{
    return (struct ranked){.first = f->slots};
}

static struct ranked by_intervals(const struct td_function *f)
{
    return (struct ranked){.first = (double)f->intervals, .second = f->slots};
}

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->first != y->first)
        return x->first > y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second > y->second ? -1 : 1;
    return compare_names(x, y);
}

static int by_name(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const int order = compare_names(x, y);

    return order ? order : (x->first < y->first) - (x->first > y->first);
}

static const struct {
    const char *name;
    struct ranked (*rank)(const struct td_function *);
    int (*compare)(const void *, const void *); /* of two struct ranked */
} orders[] = {
    [TD_FUNCTIONS_BY_LOST] = {"lost", by_lost, by_rank},
    [TD_FUNCTIONS_BY_SLOTS] = {"slots", by_slots, by_rank},
    [TD_FUNCTIONS_BY_INTERVALS] = {"intervals", by_intervals, by_rank},
    [TD_FUNCTIONS_BY_NAME] = {"name", by_slots, by_name},
};

const char *td_functions_order_name(enum td_functions_order order)
{
    return order < sizeof(orders) / sizeof(*orders) ? orders[order].name : NULL;
}

int td_functions_sort(struct td_functions *f, enum td_functions_order order)
{
    struct ranked *ranked = malloc((f->n + 1) * sizeof(*ranked));

    if (!ranked)
        return -ENOMEM;
    for (size_t i = 0; i < f->n; i++) {
        ranked[i] = orders[order].rank(f->function[i]);
        ranked[i].function = f->function[i];
        ranked[i].begins = beginning(f->function[i]->name);
    }
    qsort(ranked, f->n, sizeof(*ranked), orders[order].compare);
    for (size_t i = 0; i < f->n; i++)
        f->function[i] = ranked[i].function;
    free(ranked);
    return 0;
}
