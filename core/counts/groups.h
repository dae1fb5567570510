/* SPDX-License-Identifier: MIT */
/* Numbers groups. Here copies of one group and of the same modes make up a group, as they were counted at the same
 * time. */
#ifndef TD_GROUPS_H
#define TD_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed to begin with. */
struct td_groups {
    struct td_group_key {
        uint16_t group;
        uint8_t modes;
    } * key; /* by number, in the order in which they first came */
    size_t n, keys_room;
    uint32_t *slot; /* hash table by key: a group's number plus 1; 0: free */
    size_t nslots, slots_room;
};

/* Forgets all groups, and makes room for as many as there may be. -ENOMEM. */
int td_groups_begin(struct td_groups *, size_t most);
/* The number of a group; a new one gets the next number. */
uint32_t td_groups_number(struct td_groups *, uint16_t group, uint8_t modes);
void td_groups_free(struct td_groups *);

#endif
