/* SPDX-License-Identifier: MIT */
/* The nodes of maps.h's trees, for what makes them and for its tests. */
#ifndef TD_MAPS_TREE_H
#define TD_MAPS_TREE_H

#include "samples/maps.h"

/* By how much one side of a node may be higher than the other. */
enum { TD_MAPS_SLACK = 2 };

struct td_maps {
    struct td_map map;
    struct td_maps *left, *right; /* below and above map */
    size_t users;
    int height; /* 1: it has neither side */
};

#endif
