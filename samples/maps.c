/* SPDX-License-Identifier: MIT */
/* Balanced trees by joining and splitting (Adams 1992, Blelloch and others 2016). A function that is given a tree
 * becomes the user of it in its caller's place. */
#include "samples/maps_tree.h"

#include <errno.h>
#include <stdlib.h>

static int height(const struct td_maps *t)
{
    return t ? t->height : 0;
}

struct td_maps *td_maps_share(struct td_maps *t)
{
    if (t)
        t->users++;
    return t;
}

void td_maps_drop(struct td_maps_pool *p, struct td_maps *t)
{
    if (!t || --t->users)
        return;
    td_maps_drop(p, t->left);
    td_maps_drop(p, t->right);
    free(t);
    p->n--;
}

static struct td_maps *make(struct td_maps_pool *p, struct td_maps *left, struct td_map map, struct td_maps *right)
{
    struct td_maps *t = malloc(sizeof(*t));

    if (!t) {
        p->failed = true;
        td_maps_drop(p, left);
        td_maps_drop(p, right);
        return NULL;
    }
    p->n++;
    *t = (struct td_maps){map, left, right, 1, 1 + (height(left) > height(right) ? height(left) : height(right))};
    return t;
}

/* Takes a tree, which must not be empty, apart into its topmost mapping and both sides. */
static struct td_map open_tree(struct td_maps_pool *p, struct td_maps *t, struct td_maps **left, struct td_maps **right)
{
    const struct td_map map = t->map;

    *left = td_maps_share(t->left);
    *right = td_maps_share(t->right);
    td_maps_drop(p, t);
    return map;
}

/* A node whose left side is higher by TD_MAPS_SLACK + 1, in balance again. */
static struct td_maps *turn_right(struct td_maps_pool *p, struct td_maps *left, struct td_map map,
                                  struct td_maps *right)
{
    struct td_maps *outer, *inner, *low, *high;
    const struct td_map top = open_tree(p, left, &outer, &inner);
    struct td_map middle;

    if (height(outer) >= height(inner))
        return make(p, outer, top, make(p, inner, map, right));
    middle = open_tree(p, inner, &low, &high);
    return make(p, make(p, outer, top, low), middle, make(p, high, map, right));
}

/* A node whose right side is higher by TD_MAPS_SLACK + 1, in balance again. */
static struct td_maps *turn_left(struct td_maps_pool *p, struct td_maps *left, struct td_map map, struct td_maps *right)
{
    struct td_maps *outer, *inner, *low, *high;
    const struct td_map top = open_tree(p, right, &inner, &outer);
    struct td_map middle;

    if (height(outer) >= height(inner))
        return make(p, make(p, left, map, inner), top, outer);
    middle = open_tree(p, inner, &low, &high);
    return make(p, make(p, left, map, low), middle, make(p, high, top, outer));
}

static struct td_maps *balance(struct td_maps_pool *p, struct td_maps *left, struct td_map map, struct td_maps *right)
{
    const int lean = height(left) - height(right);

    return lean > TD_MAPS_SLACK    ? turn_right(p, left, map, right)
           : lean < -TD_MAPS_SLACK ? turn_left(p, left, map, right)
                                   : make(p, left, map, right);
}

/* One tree of two and of a mapping that lies between them. */
static struct td_maps *join(struct td_maps_pool *p, struct td_maps *left, struct td_map map, struct td_maps *right)
{
    struct td_maps *low, *high;
    struct td_map top;

    if (height(left) > height(right) + TD_MAPS_SLACK) {
        top = open_tree(p, left, &low, &high);
        return balance(p, low, top, join(p, high, map, right));
    }
    if (height(right) > height(left) + TD_MAPS_SLACK) {
        top = open_tree(p, right, &low, &high);
        return balance(p, join(p, left, map, low), top, high);
    }
    return make(p, left, map, right);
}

/* Splits a tree into what is mapped below an address and what is from it on; a mapping on both sides is cut in two. */
static void split(struct td_maps_pool *p, struct td_maps *t, uint64_t at, struct td_maps **below, struct td_maps **from)
{
    struct td_maps *left, *right;
    struct td_map map, rest;

    *below = *from = NULL;
    if (!t)
        return;
    map = open_tree(p, t, &left, &right);
    if (at <= map.start) {
        split(p, left, at, below, &left);
        *from = join(p, left, map, right);
    } else if (at > map.end) {
        split(p, right, at, &right, from);
        *below = join(p, left, map, right);
    } else {
        rest = (struct td_map){at, map.end, map.offset + (at - map.start), map.dso};
        map.end = at - 1;
        *below = join(p, left, map, NULL);
        *from = join(p, NULL, rest, right);
    }
}

/* One tree of two, of which the left one lies below the right one. */
static struct td_maps *join_all(struct td_maps_pool *p, struct td_maps *left, struct td_maps *right)
{
    const struct td_maps *first = right;
    struct td_maps *none;
    struct td_map map;

    if (!right)
        return left;
    while (first->left)
        first = first->left;
    map = first->map;
    if (map.end == UINT64_MAX) { /* it is the only one */
        td_maps_drop(p, right);
        return join(p, left, map, NULL);
    }
    split(p, right, map.end + 1, &none, &right);
    td_maps_drop(p, none);
    return join(p, left, map, right);
}

int td_maps_put(struct td_maps_pool *p, struct td_maps **maps, const struct td_map *map)
{
    struct td_maps *below, *old, *above = NULL;

    split(p, *maps, map->start, &below, &old);
    if (map->end < UINT64_MAX)
        split(p, old, map->end + 1, &old, &above);
    td_maps_drop(p, old);
    *maps = map->dso ? join(p, below, *map, above) : join_all(p, below, above);
    return p->failed ? -ENOMEM : 0;
}

const struct td_map *td_maps_find(const struct td_maps *t, uint64_t address)
{
    while (t && (address < t->map.start || address > t->map.end))
        t = address < t->map.start ? t->left : t->right;
    return t ? &t->map : NULL;
}
