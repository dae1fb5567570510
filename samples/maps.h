/* SPDX-License-Identifier: MIT */
/* What is mapped at which addresses: a balanced tree whose nodes never change. A process that forks shares its tree
 * with its child, and a change copies only the path to what changes, so that each costs the logarithm of how much is
 * mapped, whoever shares it. */
#ifndef TD_MAPS_H
#define TD_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_dso;

struct td_map {
    uint64_t start, end; /* the first and the last address */
    uint64_t offset; /* in dso, of start */
    const struct td_dso *dso;
};

/* A tree; a null pointer is one in which nothing is mapped. */
struct td_maps;

/* What all trees of one recording share. Zeroed to begin with. */
struct td_maps_pool {
    size_t n; /* nodes in memory */
    bool failed; /* memory is out: trees may lack mappings, and td_maps_put() returns -ENOMEM from then on */
};

/* One more user of a tree; each drops it, or changes it by td_maps_put(), once. */
struct td_maps *td_maps_share(struct td_maps *);
void td_maps_drop(struct td_maps_pool *, struct td_maps *);
/* Maps the addresses in place of what was there, of which the parts beyond both ends stay; with a dso of NULL nothing
 * is mapped there afterwards. *maps becomes the new tree. -ENOMEM. */
int td_maps_put(struct td_maps_pool *, struct td_maps **maps, const struct td_map *);
/* What is mapped at the address, valid until the tree is dropped or changed; NULL: nothing. */
const struct td_map *td_maps_find(const struct td_maps *, uint64_t address);

#endif
